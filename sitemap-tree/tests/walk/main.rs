//! Walks over servers in memory, with a clock of their own.

mod again;
mod budgets;
mod encodings;
mod filters;
mod hosts;
mod random;
mod redirects;
mod responses;
mod server;
mod start;

use sitemap_tree::Budget;

/// The default budget with a change.
fn limited(change: impl FnOnce(&mut Budget)) -> Budget {
    let mut budget = Budget::default();
    change(&mut budget);
    budget
}

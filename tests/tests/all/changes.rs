//! Sitemaps changed in place, and compared.

mod diff;
mod edit;
mod rebase;
mod replacement;
mod values;

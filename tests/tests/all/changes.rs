//! Sitemaps changed in place, and compared.

mod diff;
mod edit;
mod markup;
mod rebase;
mod replacement;
mod spellings;
mod values;

//! Sitemaps changed in place, and compared.

mod diff;
mod edit;
mod replacement;
mod values;

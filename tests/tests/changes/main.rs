//! Sitemaps changed in place, and compared.

mod diff;
mod edit;
mod values;

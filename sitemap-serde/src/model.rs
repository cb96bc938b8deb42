//! Rust types for values and whole documents; the types for entries and their elements are in [`schema`](crate::schema).

mod changefreq;
pub(crate) mod decimal;
mod kind;
mod listed;
mod priority;
mod root;

pub use changefreq::ChangeFreq;
pub(crate) use changefreq::distance;
pub(crate) use decimal::DECIMAL_NAME;
pub use decimal::Decimal;
pub use kind::Kind;
pub(crate) use listed::listed;
pub use priority::Priority;
pub(crate) use priority::{PRIORITY_NAME, near_hundredths};
pub use root::{Document, SitemapIndex, UrlSet};

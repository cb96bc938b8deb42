//! The sitemap schema as Rust types.

mod changefreq;
mod entries;
mod kind;
mod priority;
mod root;

pub use changefreq::ChangeFreq;
pub use entries::{IndexEntry, UrlEntry};
pub use kind::Kind;
pub(crate) use priority::PRIORITY_NAME;
pub use priority::Priority;
pub use root::{Document, SitemapIndex, UrlSet};

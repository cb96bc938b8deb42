//! Rust types for whole documents and lists of words; the types for entries and their elements are in [`schema`](crate::schema).

mod kind;
mod listed;
mod root;

pub use kind::Kind;
pub(crate) use listed::listed;
pub use root::{Document, SitemapIndex, UrlSet};

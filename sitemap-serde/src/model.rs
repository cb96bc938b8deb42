//! The sitemap schema as Rust types.

mod changefreq;
mod priority;

pub use changefreq::ChangeFreq;
pub use priority::Priority;

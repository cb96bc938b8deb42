//! The sitemap schema as Rust types.

mod changefreq;

pub use changefreq::ChangeFreq;

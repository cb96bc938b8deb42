//! The sitemap schema as Rust types.

//! The derive macro of sitemap-serde.

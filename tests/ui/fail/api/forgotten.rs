//! A builder that is not built, and a site and a set that are not used.

#![deny(unused_must_use)]

use sitemap_site::{Site, SitemapSet};

fn main() {
    Site::builder("https://example.com");
    SitemapSet::directory("public", "https://example.com");
    Site::builder("https://example.com").build();
}

//! A builder that is not built, and a site and a set that are not used.

#![deny(unused_must_use)]

use sitemap_site::{SiteBuilder, SitemapSet};

fn main() {
    SiteBuilder::new("https://example.com");
    SitemapSet::directory("public", "https://example.com");
    SiteBuilder::new("https://example.com").build();
}

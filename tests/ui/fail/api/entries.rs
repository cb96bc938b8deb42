//! The crate's own entries take the crate's own values.

use sitemap_serde::{IndexEntry, UrlEntry};

fn main() {
    let _ = UrlEntry::new("https://example.com/").with_priority(0.8);
    let _ = UrlEntry::new("https://example.com/").with_changefreq("weekly");
    let _ = UrlEntry::new("https://example.com/").with_lastmod(chrono::DateTime::<chrono::Utc>::UNIX_EPOCH);
    let _ = IndexEntry::new("https://example.com/").with_lastmod("2024-05-06");
}

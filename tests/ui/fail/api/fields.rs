//! The fields of the crate's own entries, and what they are made of.

use chrono::{DateTime, Utc};
use sitemap_serde::{News, UrlEntry, news::Publication};

fn dates(at: DateTime<Utc>) {
    let mut entry = UrlEntry::new("https://example.com/");
    entry.lastmod = Some(at);
    let _ = News::new(Publication::new("The Example Times", "en"), at, "Merger");
}

fn main() {}

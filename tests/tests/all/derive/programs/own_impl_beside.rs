//! A derived type as a field of a hand-written entry, and a hand-written type in a derived enum.
#![deny(warnings)]

use sitemap_serde::{Result, SitemapEntry, EntryWriter};

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home;

struct Logged<T>(T);

impl<T: SitemapEntry> SitemapEntry for Logged<T> {
    fn is_listed(&self) -> bool {
        false
    }

    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.0.write_entry(entry)
    }
}

#[derive(SitemapEntry)]
enum Page {
    Home(Logged<Home>),
}

pub(super) fn main() {
    assert!(!Page::Home(Logged(Home)).is_listed());
}

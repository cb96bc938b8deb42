//! An index of sitemaps, with the time when each has changed, and a document that is read as whichever of both it is.

use sitemap_serde::{Document, IndexEntry, Kind, WriterBuilder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = WriterBuilder::new()
        .kind(Kind::SitemapIndex)
        .base("https://example.com")
        .from_writer(Vec::new());
    for (name, changed) in [("pages", "2026-05-01"), ("products", "2026-05-06T07:08:09Z")] {
        let mut entry = IndexEntry::new(format!("/sitemap-{name}.xml"));
        entry.lastmod = Some(changed.parse()?);
        writer.write(&entry)?;
    }
    let xml = writer.finish()?;

    match sitemap_serde::from_slice(&xml)? {
        Document::SitemapIndex(sitemaps) => {
            for entry in sitemaps {
                println!(
                    "{} {}",
                    entry.loc,
                    entry.lastmod.map_or(String::new(), |date| date.to_string())
                );
            }
        }
        Document::UrlSet(pages) => println!("{} pages", pages.len()),
    }
    Ok(())
}

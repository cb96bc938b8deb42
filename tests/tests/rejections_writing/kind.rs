//! What one kind of document has, and the other has not.

use sitemap_serde::{IndexEntry, Kind, SitemapIndex, UrlEntry, UrlSet, WriterBuilder};
use sitemap_tests::{CORE, Problem};

use super::{changefreq, is_refused, is_refused_by, lastmod, priority};

#[test]
fn entries_of_the_other_kind() {
    is_refused(
        &IndexEntry::new("https://example.com/2.xml"),
        "P-NS",
        "entry 2",
        "a `sitemap` entry in a urlset: a urlset lists `url` entries (P-NS); write it to a sitemapindex, with \
         `Kind::SitemapIndex` or the type `SitemapIndex`",
    );
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    is_refused_by(
        &builder,
        &UrlEntry::new("https://example.com/2"),
        "P-NS",
        "entry 2",
        "a `url` entry in a sitemapindex: a sitemapindex lists `sitemap` entries (P-NS); write it to a urlset, with \
         `Kind::UrlSet` or the type `UrlSet`",
    );
    for (found, error) in [
        (
            "sitemap",
            sitemap_serde::to_string(&UrlSet(vec![IndexEntry::new("https://example.com/")])),
        ),
        (
            "url",
            sitemap_serde::to_string(&SitemapIndex(vec![UrlEntry::new("https://example.com/")])),
        ),
    ] {
        let problem = Problem::of(&error.unwrap_err());
        assert_eq!((problem.rule, problem.entry), (Some("P-NS"), Some(1)));
        assert!(problem.message.starts_with(&format!("a `{found}` entry in a ")));
    }
}

#[test]
fn what_an_index_does_not_have() {
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    let message = |name: &str| {
        format!(
            "a `{name}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out"
        )
    };
    is_refused_by(
        &builder,
        &changefreq("daily"),
        "P-INDEXTAGS",
        "entry 2 · changefreq",
        &message("changefreq"),
    );
    is_refused_by(
        &builder,
        &priority(0.5),
        "P-INDEXTAGS",
        "entry 2 · priority",
        &message("priority"),
    );
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&lastmod("2024")).unwrap();
    assert_eq!(
        String::from_utf8(writer.finish().unwrap()).unwrap(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\"><sitemap>\
             <loc>https://example.com/2</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
        )
    );
}

//! Shared parts of the tests: rows written and read back.

use std::fmt::Debug;

use sitemap_serde::{FromSitemapEntry, ReaderBuilder, SitemapEntry, WriterBuilder};

const BASE: &str = "https://example.com";

/// The root's declarations for types with images.
pub const IMAGES: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";

/// Writes the listed rows, compares the urlset with the expected one, and reads it back: the rows, without values that a sitemap
/// does not have. `namespaces` has the root's additional declarations.
///
/// # Panics
/// If it is another.
#[track_caller]
pub fn assert_sitemap<T>(rows: &[T], namespaces: &str, urls: &str, read: &[T])
where
    T: SitemapEntry + FromSitemapEntry + PartialEq + Debug,
{
    let mut writer = WriterBuilder::new().base(BASE).from_writer(Vec::new());
    for row in rows {
        writer.write(row).unwrap();
    }
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        xml,
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"{namespaces}>{urls}</urlset>"
        )
    );
    let mut reader = ReaderBuilder::new().base(BASE).from_str(&xml);
    let found: Vec<T> = reader.read().map(Result::unwrap).collect();
    assert_eq!(found, read);
}

/// Writes the rows, and compares the entries with the expected ones.
///
/// # Panics
/// If they are others.
#[track_caller]
pub fn assert_urls<T: SitemapEntry>(rows: &[T], urls: &str) {
    let xml = WriterBuilder::new().base(BASE).entries_to_string(rows).unwrap();
    let (_, rest) = xml.split_once("<url>").unwrap();
    assert_eq!(format!("<url>{}", rest.replace("</urlset>", "")), urls);
}

/// Writes the rows, and reads each entry back.
///
/// # Panics
/// If one cannot be written or read.
pub fn read_back<T: SitemapEntry + FromSitemapEntry>(rows: &[T]) -> Vec<T> {
    let xml = WriterBuilder::new().base(BASE).entries_to_string(rows).unwrap();
    let mut reader = ReaderBuilder::new().base(BASE).from_str(&xml);
    reader.read().map(Result::unwrap).collect()
}

/// The entries of a page with these paths in these languages. Each links to all.
#[must_use]
pub fn pages(languages: &[(&str, &str)]) -> String {
    let link = |(language, path): &(&str, &str)| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{BASE}{path}\"/>")
    };
    let links = languages.iter().map(link).collect::<Vec<_>>().concat();
    let page = |(_, path): &(&str, &str)| format!("<url><loc>{BASE}{path}</loc>{links}</url>");
    languages.iter().map(page).collect::<Vec<_>>().concat()
}

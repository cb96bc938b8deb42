//! Helpers of the derives' tests: rows are written and read under one base. An unreadable row is tested in a document with one entry.

use std::fmt::Debug;

use sitemap_serde::{FromSitemapEntry, ReaderBuilder, Result, Rule, SitemapEntry, UrlEntry, WriterBuilder};
use sitemap_tests::{CORE, written_urlset};

/// The site of the rows.
pub(crate) const BASE: &str = "https://example.com";

/// A writer of rows under [`BASE`].
pub(crate) fn writer() -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.base(BASE);
    builder
}

/// A reader of rows under [`BASE`].
pub(crate) fn reader() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.base(BASE);
    builder
}

/// A urlset of one entry, on its second line, with the extensions' prefixes declared.
pub(crate) fn document(children: &str) -> String {
    format!(
        "<urlset xmlns=\"{CORE}\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n<url>{children}</url></urlset>"
    )
}

/// The children of a row's only entry, as written.
#[track_caller]
pub(crate) fn written(builder: &WriterBuilder, row: &impl SitemapEntry) -> String {
    let xml = builder.entries_to_string([row]).unwrap();
    let (_, entry) = xml.split_once("<url>").unwrap();
    let children = entry.strip_suffix("</url></urlset>").unwrap();
    assert!(!children.contains("<url>"), "{xml}");
    children.to_owned()
}

/// Compares the document of rows with the document of these entries.
#[track_caller]
pub(crate) fn assert_document(entries: &[&dyn SitemapEntry], urls: &str) {
    assert_eq!(writer().entries_to_string(entries).unwrap(), written_urlset(urls));
}

/// A row's only entry.
#[track_caller]
pub(crate) fn entry(row: &impl SitemapEntry) -> UrlEntry {
    let mut entries = writer().to_entries(row).unwrap();
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

/// The error of a row that cannot be written.
#[track_caller]
pub(crate) fn refused(row: &(impl SitemapEntry + ?Sized)) -> (String, Option<Rule>) {
    let error = writer().to_entries(row).unwrap_err();
    (error.to_string(), error.rule())
}

/// The row of a document's first entry.
pub(crate) fn read<T: FromSitemapEntry>(builder: &ReaderBuilder, xml: &str) -> Result<T> {
    builder.from_str(xml).read().next().unwrap()
}

/// Compares the error of an entry that cannot be read as a row.
#[track_caller]
pub(crate) fn assert_unreadable<T: FromSitemapEntry + Debug>(children: &str, message: &str) {
    let error = read::<T>(&ReaderBuilder::new(), &document(children)).unwrap_err();
    assert_eq!(error.to_string(), message);
}

/// Asserts that a written row is read back unchanged, with a base and without.
#[track_caller]
pub(crate) fn assert_same<T: SitemapEntry + FromSitemapEntry + PartialEq + Debug>(row: &T) {
    assert_same_by(&writer(), &[&ReaderBuilder::new(), &reader()], row);
}

/// Asserts that all readers read a written row back unchanged, for any layout.
#[track_caller]
pub(crate) fn assert_same_by<T: SitemapEntry + FromSitemapEntry + PartialEq + Debug>(
    writer: &WriterBuilder,
    readers: &[&ReaderBuilder],
    row: &T,
) {
    for (pretty, lowercase_hex) in [(false, false), (true, false), (false, true)] {
        let mut writer = writer.clone();
        let xml = writer
            .pretty(pretty)
            .lowercase_hex(lowercase_hex)
            .entries_to_string([row])
            .unwrap();
        for reader in readers {
            assert_eq!(read::<T>(reader, &xml).unwrap(), *row, "{xml}");
        }
    }
}

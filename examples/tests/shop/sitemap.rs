//! Sitemaps seen by other programs: quick-xml reads them, xmllint checks them.

use std::fs;
use std::process::Command;

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) loc: String,
    pub(crate) lastmod: Option<String>,
    pub(crate) changefreq: Option<String>,
    pub(crate) priority: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename = "urlset")]
struct UrlSet {
    url: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename = "sitemapindex")]
struct SitemapIndex {
    sitemap: Vec<Entry>,
}

/// The entries of a urlset, by another reader.
#[track_caller]
pub(crate) fn urls(xml: &str) -> Vec<Entry> {
    quick_xml::de::from_str::<UrlSet>(xml).unwrap().url
}

/// The entries of an index, by another reader.
#[track_caller]
pub(crate) fn sitemaps(xml: &str) -> Vec<Entry> {
    quick_xml::de::from_str::<SitemapIndex>(xml).unwrap().sitemap
}

/// Prints only the differences.
#[track_caller]
pub(crate) fn assert_same(found: &[Entry], expected: &[Entry]) {
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "entry {at}");
    }
    assert_eq!(found.len(), expected.len());
}

/// Checks a document against the published schema of its kind, if schemas and a checker are installed.
#[track_caller]
pub(crate) fn validate(test: &str, xml: &str) {
    let (Some(shared), Some(xmllint)) = (
        sitemap_tests::files(test),
        sitemap_tests::program(test, "xmllint"),
    ) else {
        return;
    };
    let schema = if xml.contains("<sitemapindex") {
        "siteindex.xsd"
    } else {
        "sitemap.xsd"
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sitemap.xml");
    fs::write(&file, xml).unwrap();
    let schema = shared.join("xsd").join(schema);
    let output = Command::new(xmllint)
        .args(["--noout", "--nonet", "--schema"])
        .arg(schema)
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

//! Entries in a binary format: its texts are serde's values, and are checked as such.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sitemap_serde::{Document, IndexEntry, SitemapIndex, UrlEntry, UrlSet};

use super::full_entry;

fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    ciborium::from_reader(bytes).map_err(|error| match error {
        ciborium::de::Error::Semantic(_, message) => message,
        error => format!("{error:?}"),
    })
}

#[test]
fn everything_comes_back() {
    let entry = full_entry();
    assert_eq!(from_bytes(&to_bytes(&entry)), Ok(entry.clone()));
    for document in [
        Document::UrlSet(UrlSet::from(vec![entry])),
        Document::SitemapIndex(SitemapIndex::from(vec![IndexEntry::new(
            "https://example.com/1.xml",
        )])),
    ] {
        assert_eq!(from_bytes(&to_bytes(&document)), Ok(document));
    }
}

/// A value that breaks a rule in XML also breaks it here.
#[test]
fn values_are_checked() {
    let text = |bytes: &[u8], value: &str, other: &str| -> Vec<u8> {
        assert_eq!(value.len(), other.len());
        let at = bytes
            .windows(value.len())
            .position(|window| window == value.as_bytes())
            .unwrap();
        [&bytes[..at], other.as_bytes(), &bytes[at + value.len()..]].concat()
    };
    let bytes = to_bytes(&full_entry());
    let found = [
        ("https://example.com/page", "//example.com/page?pages"),
        ("2030-01-01", "2030-13-01"),
        ("4.20", "high"),
    ]
    .map(|(value, other)| from_bytes::<UrlEntry>(&text(&bytes, value, other)).unwrap_err());
    assert_eq!(
        found,
        [
            "`//example.com/page?pages` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); \
             write the absolute URL, or read it into a `String` and resolve it",
            "`2030-13-01` is not a W3C Datetime: months are from 01 to 12 (P-LASTMOD); write a value in that range",
            "`high` is not a decimal number of at least 0: write digits, with a point among them at most",
        ]
    );
}

/// Nothing panics, and a truncated document is always an error.
#[test]
fn bytes_that_are_broken() {
    let bytes = to_bytes(&full_entry());
    for end in 0..bytes.len() {
        assert!(from_bytes::<UrlEntry>(&bytes[..end]).is_err(), "{end}");
    }
    let refused = (0..bytes.len()).filter(|at| {
        let mut changed = bytes.clone();
        changed[*at] ^= 0x20;
        from_bytes::<UrlEntry>(&changed).is_err()
    });
    assert!(refused.count() > 100);
}

//! Reads a source as the table of parts and a rendering do.

use sitemap_site::source::{Newest, Row, Source, Span};
use sitemap_site::{Key, KeyValue};

/// Reads all keys of a source in batches of this many rows, and checks that `keys` agrees with each batch.
///
/// # Panics
/// If it fails, if `keys` does not agree, or if a key repeats.
pub async fn walk(source: &impl Source, limit: usize) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let mut span = Span::ALL;
    loop {
        let page = source.rows(&span, limit).await.expect("a page");
        let alone = source.keys(&span, limit).await.expect("keys");
        assert!(
            page.iter().map(Row::key).eq(alone.iter().map(|row| &row.key)),
            "{span:?}"
        );
        let Some(last) = page.last().map(|row| row.key().clone()) else {
            return keys;
        };
        for row in &page {
            assert!(!keys.contains(row.key()), "{} comes twice", row.key());
            keys.push(row.key().clone());
        }
        // The same rows again, after both ends are known.
        let closed = Span::new(span.after.clone(), last.clone());
        let again = source.rows(&closed, limit + 1).await.expect("a page");
        assert!(
            again.iter().map(Row::key).eq(page.iter().map(Row::key)),
            "{closed:?}"
        );
        span = span.above(last);
    }
}

/// [`walk`], with the keys as an address has them.
///
/// # Panics
/// As [`walk`].
pub async fn walked(source: &impl Source, limit: usize) -> Vec<String> {
    walk(source, limit).await.iter().map(Key::to_string).collect()
}

/// The newest lastmod of the first rows of a range.
///
/// # Panics
/// If it fails.
pub async fn newest(source: &impl Source, span: &Span, limit: usize) -> Newest {
    let keys = source.keys(span, limit).await.expect("keys");
    Newest::of(keys.iter().map(|row| row.lastmod))
}

/// The key of a UUID with this first byte.
pub fn uuid(first: u8) -> KeyValue {
    KeyValue::Text(format!("{first:02x}000000-0000-4000-8000-000000000000"))
}

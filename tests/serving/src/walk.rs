//! A source as the table of parts and a rendering read it.

use sitemap_site::source::{Row, Source, Span};
use sitemap_site::{Key, KeyValue};

/// All keys of a source, read in pages of so many rows; a step of the table of parts agrees with each page.
///
/// # Panics
/// If it fails, if a step does not agree, or if a key comes twice.
pub async fn walk(source: &impl Source, limit: usize) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let mut span = Span::ALL;
    loop {
        let page = source.page(&span, limit).await.expect("a page");
        let step = source.step(&span, limit).await.expect("a step");
        assert_eq!(step.as_ref().map_or(0, |step| step.rows), page.len() as u64);
        let Some(last) = page.last().map(|row| row.key().clone()) else {
            return keys;
        };
        assert_eq!(step.map(|step| step.last), Some(last.clone()));
        for row in &page {
            assert!(!keys.contains(row.key()), "{} comes twice", row.key());
            keys.push(row.key().clone());
        }
        // The same rows again, now that both ends are known.
        let closed = Span::new(span.after.clone(), last.clone());
        let again = source.page(&closed, limit + 1).await.expect("a page");
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

/// The key of a UUID whose first byte is that.
pub fn uuid(first: u8) -> KeyValue {
    KeyValue::Text(format!("{first:02x}000000-0000-4000-8000-000000000000"))
}

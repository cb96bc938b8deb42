//! Rows that change in the middle of a section: the index has their dates before all rows are counted again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Request;
use sitemap_serde::{UrlEntry, W3cDateTime};
use sitemap_serving_tests::{Entry, body, sitemaps};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{Key, KeyValue, Site};

/// Rows by text, in the descending order of their bytes, as only the database knows; the newest are found by date.
#[derive(Clone, Default)]
struct Dated(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    rows: BTreeMap<String, W3cDateTime>,
    keys: usize,
    latest: usize,
}

impl Dated {
    fn set(&self, key: usize, lastmod: &str) {
        let mut inner = self.0.lock().unwrap();
        inner.rows.insert(format!("k{key:04}"), lastmod.parse().unwrap());
    }

    fn within(&self, span: &Span, limit: usize) -> Vec<DatedKey> {
        let text = |key: &Key| match key.values() {
            [KeyValue::Text(text)] => text.clone(),
            _ => panic!("{key}"),
        };
        let (after, to) = (span.after.as_ref().map(text), span.to.as_ref().map(text));
        let inner = self.0.lock().unwrap();
        let rows = inner.rows.iter().rev();
        let rows = rows.filter(|(key, _)| {
            after.as_ref().is_none_or(|after| *key < after) && to.as_ref().is_none_or(|to| *key >= to)
        });
        let dated =
            |(key, lastmod): (&String, &W3cDateTime)| DatedKey::new(Key::from(key.as_str()), Some(*lastmod));
        rows.take(limit).map(dated).collect()
    }
}

impl Source for Dated {
    type Entry = UrlEntry;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let rows = self.within(span, limit).into_iter().map(|row| {
            let mut entry = UrlEntry::new(format!("/{}", row.key));
            entry.lastmod = row.lastmod.lastmod();
            Row::new(row.key, entry)
        });
        Ok(rows.collect())
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.0.lock().unwrap().keys += 1;
        Ok(self.within(span, limit))
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let mut rows = self.within(&Span::ALL, usize::MAX);
        rows.sort_by_key(|row| std::cmp::Reverse(row.lastmod.lastmod()));
        rows.truncate(limit);
        self.0.lock().unwrap().latest += 1;
        Ok(Some(rows))
    }
}

#[tokio::test]
async fn a_change_in_the_middle_is_in_the_index_after_max_age() {
    let rows = Dated::default();
    (1..=200).for_each(|key| {
        rows.set(
            key,
            &format!("2026-04-{:02}T10:{:02}:00Z", 1 + key / 60, key % 60),
        )
    });
    // A row with a date in the future hides nothing.
    rows.set(150, "2999-01-01T00:00:00Z");
    let site = Site::builder("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(Duration::from_millis(1))
        .build()
        .unwrap();
    let lastmods = async || {
        std::thread::sleep(Duration::from_millis(30));
        let index = Request::get("/sitemap.xml").body(()).unwrap();
        let index = body(site.respond(&index).await).await;
        sitemaps(&index)
    };
    let before = lastmods().await;
    assert!(before.len() > 15, "{before:?}");
    for (round, key) in [100, 7, 199, 42].into_iter().enumerate() {
        let lastmod = format!("2026-05-02T10:00:{round:02}Z");
        let (counted, mut tails) = (rows.0.lock().unwrap().keys, 0);
        rows.set(key, &lastmod);
        // The slower the source, the less often it is asked.
        let (after, changed) = loop {
            let after = lastmods().await;
            let is_changed = |part: &&Entry| part.lastmod.as_ref() == Some(&lastmod);
            let changed: Vec<_> = after.iter().filter(is_changed).cloned().collect();
            tails += 1;
            if !changed.is_empty() || tails == 500 {
                break (after, changed);
            }
        };
        assert_eq!(changed.len(), 1, "{after:?}");
        let part = changed[0].loc.strip_prefix("https://example.com").unwrap();
        let part = site.respond(&Request::get(part).body(()).unwrap()).await;
        assert!(body(part).await.contains(&format!("/k{key:04}<")));
        // The last part, and a binary search among 20 for each row that is newer, as new as any before, or in the future.
        let queries = rows.0.lock().unwrap().keys - counted;
        assert!(queries <= tails + 3 * 5, "{queries} queries");
    }
    // An older date, and a row that goes, wait for the count of all rows.
    rows.set(100, "2026-03-01T00:00:00Z");
    let index = lastmods().await;
    assert!(
        index
            .iter()
            .any(|part| part.lastmod.as_deref() == Some("2026-05-02T10:00:00Z"))
    );
    site.refresh().await.unwrap();
    let index = lastmods().await;
    assert!(
        index
            .iter()
            .all(|part| part.lastmod.as_deref() != Some("2026-05-02T10:00:00Z"))
    );
    assert!(rows.0.lock().unwrap().latest >= 4);
}

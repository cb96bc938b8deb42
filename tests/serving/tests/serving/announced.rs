//! The changed pages that a live site reports.

use std::collections::BTreeSet;

use sitemap_serde::{UrlEntry, W3cDateTime};
use sitemap_serving_tests::{Rows, logged};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{Site, SiteBuilder};

const BASE: &str = "https://example.com";

async fn changed(site: &Site, since: &str) -> (Vec<String>, u64) {
    let mut changes = site.changes(since.parse().unwrap());
    let mut locs = Vec::new();
    while let Some(page) = changes.next().await.unwrap() {
        locs.push(page.loc.strip_prefix(BASE).unwrap().to_owned());
    }
    (locs, changes.undated())
}

/// Compared to all rows, for random lastmods of any precision, in several sections.
#[test]
fn the_pages_that_have_changed_are_found() {
    let dates = [
        "2026-05-01",
        "2026-05-02",
        "2026-05-02T00:00:00Z",
        "2026-05-02T09:59:59Z",
        "2026-05-02T10:00:00Z",
        "2026-05-02T12:00:00+02:00",
        "2026-05-02T11:59:00+02:00",
        "2026-05-02T10:00Z",
        "2026-05-03",
        "2026-06",
        "2026-05-02T08:00:00-02:00",
    ];
    // These may be 2026-05-02T10:00:00Z or later.
    let may_be = [
        false, true, false, false, true, true, false, true, true, true, true,
    ];
    let ((), log) = logged(async {
        for seed in 0..20_usize {
            let (mut expected, mut undated) = (Vec::new(), 0);
            let mut site = SiteBuilder::new(BASE);
            site.batch_rows(1 + seed % 7);
            for section in 0..3 {
                let rows = Rows::new(0);
                for id in 1..=i64::try_from(seed * 3 % 40).unwrap() {
                    rows.put(id);
                    let at = (usize::try_from(id).unwrap() * 7 + seed * section) % 13;
                    let date: Option<W3cDateTime> = dates.get(at).map(|date| date.parse().unwrap());
                    rows.change(id, |page| {
                        page.updated = date;
                        page.slug = format!("{section}-{id}");
                        page.draft = at == 12;
                    });
                    if may_be.get(at) == Some(&true) {
                        expected.push(format!("/{section}-{id}"));
                    }
                    undated += u64::from(at == 11);
                }
                site.section(format!("s{section}"), rows);
            }
            let site = site.build().unwrap();
            assert_eq!(
                changed(&site, "2026-05-02T10:00:00Z").await,
                (expected, undated),
                "seed {seed}"
            );
        }
    });
    assert_eq!(log, Vec::<String>::new());
}

/// Ranges without changes are not read, among many rows.
#[derive(Debug)]
struct Large;

impl Large {
    const ROWS: i64 = 35_000;
    const CHANGED: [i64; 2] = [12_345, 34_999];

    fn ids(span: &Span, limit: usize) -> impl Iterator<Item = i64> {
        let number = |key: &Option<sitemap_site::Key>| match key.as_ref().map(sitemap_site::Key::values) {
            Some([sitemap_site::KeyValue::Integer(key)]) => Some(*key),
            _ => None,
        };
        let (after, to) = (
            number(&span.after).unwrap_or(0),
            number(&span.to).unwrap_or(Self::ROWS),
        );
        (after + 1..=to).take(limit)
    }

    fn date(id: i64) -> Option<W3cDateTime> {
        let month = if Self::CHANGED.contains(&id) { 6 } else { 5 };
        W3cDateTime::from_ymd(2026, month, 1).ok()
    }
}

impl Source for Large {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let entry = |id: i64| {
            assert!(
                id > 10_000 && !(20_001..=30_000).contains(&id),
                "{id} is read in vain"
            );
            let mut entry = UrlEntry::new(format!("/{id}"));
            entry.lastmod = Self::date(id);
            Row::new(id, entry)
        };
        Ok(Self::ids(span, limit).map(entry).collect())
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        Ok(Self::ids(span, limit)
            .map(|id| DatedKey::new(id.into(), Self::date(id)))
            .collect())
    }
}

#[test]
fn rows_of_ranges_without_a_change_are_not_read() {
    let (found, _) = logged(async {
        let site = SiteBuilder::new(BASE).section("large", Large).build().unwrap();
        changed(&site, "2026-05-20").await
    });
    assert_eq!(found, (vec!["/12345".to_owned(), "/34999".to_owned()], 0));
}

/// A failed query is repeated, and nothing is left out or reported twice.
#[test]
fn a_failure_is_not_the_end() {
    let (found, _) = logged(async {
        let rows = Rows::new(30);
        let site = SiteBuilder::new(BASE)
            .section("pages", rows.clone())
            .batch_rows(10)
            .build()
            .unwrap();
        let mut changes = site.changes("2026-05-01".parse().unwrap());
        let mut found = Vec::new();
        for round in 0.. {
            rows.fail_above(if round % 3 == 2 { 0 } else { i64::MAX });
            match changes.next().await {
                Ok(None) => break,
                Ok(Some(page)) => found.push(page.loc),
                Err(error) => assert_eq!(
                    error.to_string(),
                    "section `pages`: the rows cannot be read: secret: the database is gone"
                ),
            }
        }
        found
    });
    let expected: Vec<_> = (1..=30).map(|id| format!("{BASE}/p{id}")).collect();
    assert_eq!(found, expected);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 30);
}

//! Sources that compare keys differently from their order, or change between two calls: a row that they lose is never a part that seems to be
//! whole.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::atomic::{self, AtomicBool};
use std::sync::{Arc, Mutex};

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{body, logged, sitemaps, urls};
use sitemap_site::source::{self, BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{Key, KeyValue, Site, SiteBuilder};

const BASE: &str = "https://example.com";

/// How a source orders its rows, and whether a row is greater than a bound.
type Order = fn(&str, &str) -> Ordering;
type Above = fn(&str, &str) -> bool;

fn bytes(a: &str, b: &str) -> Ordering {
    a.cmp(b)
}

fn descending(a: &str, b: &str) -> Ordering {
    b.cmp(a)
}

fn no_case(a: &str, b: &str) -> Ordering {
    a.to_lowercase().cmp(&b.to_lowercase())
}

/// As an enum's values are ordered by their definition.
fn defined(a: &str, b: &str) -> Ordering {
    let place = |text: &str| {
        text.bytes().fold(7_u64, |hash, byte| {
            hash.wrapping_mul(1_099_511_628_211) ^ u64::from(byte)
        })
    };
    place(a).cmp(&place(b))
}

/// Rows that are ordered by one function and compared by another.
#[derive(Clone)]
struct Rows(Arc<Inner>);

struct Inner {
    rows: Mutex<Vec<String>>,
    order: Order,
    above: Above,
    /// `true` if it counts rows.
    counts: bool,
    /// `true` if it reads keys by one query.
    has_keys: bool,
    calls: atomic::AtomicUsize,
}

impl Rows {
    fn new(mut rows: Vec<String>, order: Order, above: Above, counts: bool, has_keys: bool) -> Self {
        rows.sort_by(|a, b| order(a, b));
        Rows(Arc::new(Inner {
            rows: Mutex::new(rows),
            order,
            above,
            counts,
            has_keys,
            calls: atomic::AtomicUsize::new(0),
        }))
    }

    fn insert(&self, row: &str) {
        let mut rows = self.0.rows.lock().unwrap();
        rows.push(row.to_owned());
        rows.sort_by(|a, b| (self.0.order)(a, b));
    }

    fn within(&self, span: &Span, limit: usize) -> Vec<String> {
        let calls = self.0.calls.fetch_add(1, atomic::Ordering::SeqCst);
        assert!(calls < 20_000, "it never ends");
        let text = |key: &Option<Key>| match key.as_ref().map(Key::values) {
            Some([KeyValue::Text(text)]) => Some(text.clone()),
            _ => None,
        };
        let (after, to) = (text(&span.after), text(&span.to));
        let above = self.0.above;
        let rows = self.0.rows.lock().unwrap();
        let found = rows.iter().filter(|row| {
            after.as_ref().is_none_or(|after| above(row, after))
                && to
                    .as_ref()
                    .is_none_or(|to| !above(row, to) && is_comparable(above))
        });
        found.take(limit).cloned().collect()
    }
}

/// A bound of another type is neither greater nor less.
fn is_comparable(above: Above) -> bool {
    above("b", "a") || above("a", "b")
}

impl Source for Rows {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let page = self.within(span, limit).into_iter();
        Ok(page
            .map(|row| Row::new(row.clone(), UrlEntry::new(format!("/{row}"))))
            .collect())
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let mut rest = span.clone();
        let mut keys: Vec<DatedKey> = Vec::new();
        let most = if self.0.has_keys { limit } else { 100 };
        loop {
            let wanted = most.min(limit - keys.len());
            let page = self.within(&rest, wanted);
            let is_last = page.len() < wanted || keys.len() + page.len() >= limit;
            keys.extend(page.into_iter().map(|row| DatedKey::new(row.into(), None)));
            match keys.last() {
                Some(last) if !is_last => rest = rest.above(last.key.clone()),
                _ => return Ok(keys),
            }
        }
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        Ok(self.0.counts.then(|| self.within(span, usize::MAX).len() as u64))
    }
}

async fn ask(site: &Site, path: &str) -> (u16, String) {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), body(response).await)
}

/// How often each row is listed by the parts of an index, and whether all parts are served.
async fn listed(site: &Site) -> (BTreeMap<String, usize>, bool) {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut is_served = true;
    let (status, index) = ask(site, "/sitemap.xml").await;
    if status != 200 {
        return (found, false);
    }
    for part in sitemaps(&index) {
        let (status, xml) = ask(site, part.loc.strip_prefix(BASE).unwrap()).await;
        is_served &= status == 200;
        if status == 200 {
            for page in urls(&xml) {
                let row = page.loc.strip_prefix(BASE).unwrap().trim_start_matches('/');
                *found.entry(row.to_owned()).or_default() += 1;
            }
        }
    }
    (found, is_served)
}

fn site(rows: &Rows, part_rows: usize) -> Site {
    let mut site = SiteBuilder::new(BASE);
    site.section("pages", rows.clone())
        .part_rows(part_rows)
        .batch_rows(100);
    site.memory_bytes(0).build().unwrap()
}

const KINDS: [(bool, bool); 4] = [(true, true), (true, false), (false, true), (false, false)];

/// Texts of both cases.
fn mixed(count: usize) -> Vec<String> {
    let text = |row: usize| {
        let text = format!("{:03x}-{row}", row * 1_237 % 4_096);
        if row.is_multiple_of(3) {
            text.to_uppercase()
        } else {
            text
        }
    };
    (0..count).map(text).collect()
}

#[test]
fn an_order_in_which_rows_are_compared_is_served() {
    for (counts, has_keys) in KINDS {
        for (order, above) in [
            (bytes as Order, (|row, bound| row > bound) as Above),
            (descending, |row, bound| row < bound),
            (no_case, |row, bound| row.to_lowercase() > bound.to_lowercase()),
        ] {
            for (count, part_rows) in [(1, 10), (350, 10), (350, 1_000), (1_750, 400)] {
                let rows = Rows::new(mixed(count), order, above, counts, has_keys);
                let site = site(&rows, part_rows);
                let ((), log) = logged(async {
                    site.ready().await.unwrap();
                    let (found, is_served) = listed(&site).await;
                    assert!(is_served);
                    assert_eq!(found.len(), count);
                    assert!(found.values().all(|times| *times == 1));
                    assert_eq!(site.check().await.unwrap().sections[0].rows, count as u64);
                });
                assert_eq!(log, [""; 0], "{count} {part_rows}");
            }
        }
    }
}

/// Each lie, for any size of parts, whatever the source implements.
#[test]
fn rows_are_not_lost_as_success() {
    let lies: [(&str, Order, Above); 5] = [
        // `id > X'00…'`
        ("another type", bytes, |_, _| false),
        // `$1::character`
        ("cut", bytes, |row, bound| row > bound.get(..1).unwrap_or(bound)),
        // citext
        ("case", no_case, |row, bound| row > bound),
        ("enum", defined, |row, bound| row > bound),
        ("reverse", bytes, |row, bound| row < bound),
    ];
    for (name, order, above) in lies {
        for (counts, has_keys) in KINDS {
            for (count, part_rows) in [(350, 10), (350, 1_000), (1_750, 400)] {
                let rows = Rows::new(mixed(count), order, above, counts, has_keys);
                let site = site(&rows, part_rows);
                let case = format!("{name} {counts} {has_keys} {count} {part_rows}");
                let ((), _) = logged(async {
                    let error = site.ready().await.expect_err(&case).to_string();
                    assert!(
                        error.contains("does not compare keys as it orders them"),
                        "{case}: {error}"
                    );
                    let error = site.check().await.expect_err(&case).to_string();
                    assert!(
                        error.contains("does not compare keys as it orders them"),
                        "{case}: {error}"
                    );
                    assert!(!listed(&site).await.1, "{case}");
                });
            }
        }
    }
}

/// A key of a small table that is no part yet is refused too, if the database does not even compare it with itself.
#[test]
fn the_first_row_selects_itself() {
    for above in [(|_: &str, _: &str| false) as Above, |row, bound| {
        row > bound.get(..1).unwrap_or(bound)
    }] {
        for (counts, has_keys) in KINDS {
            let rows = Rows::new(mixed(3), bytes, above, counts, has_keys);
            let site = site(&rows, 1_000);
            let ((), _) = logged(async {
                let error = site.ready().await.unwrap_err().to_string();
                assert!(
                    error.contains("does not compare keys as it orders them"),
                    "{error}"
                );
            });
        }
    }
}

/// One row that is compared differently comes long after the first count: the part that would lose it is no success.
#[test]
fn a_row_that_is_misplaced_later_is_not_lost_as_success() {
    for (counts, has_keys) in KINDS {
        for part_rows in [40, 1_000] {
            for late in ["ZED", "f00-Z", "AAA"] {
                let lower = (0..350)
                    .map(|row| format!("{:03x}-{row}", row * 11 % 4_096))
                    .collect();
                let rows = Rows::new(lower, no_case, |row, bound| row > bound, counts, has_keys);
                let site = site(&rows, part_rows);
                let ((), _) = logged(async {
                    site.ready().await.unwrap();
                    assert_eq!(listed(&site).await.0.len(), 350);
                    rows.insert(late);
                    site.purge("pages").unwrap();
                    // A source that does not count may lose a row until the next count of all rows.
                    if !counts {
                        let _ = site.refresh().await;
                    }
                    let (found, is_served) = listed(&site).await;
                    let is_whole = found.len() == 351 && found.values().all(|times| *times == 1);
                    assert!(!is_served || is_whole, "{counts} {has_keys} {part_rows} {late}");
                });
            }
        }
    }
}

/// Rows that come and go while ranges are read again are no mistake of the source.
#[test]
fn rows_that_change_are_no_mistake() {
    /// Inserts or deletes rows at each call.
    struct Busy(Rows, AtomicBool, atomic::AtomicUsize);

    impl Source for Busy {
        type Entry = UrlEntry;

        async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
            let found = self.0.rows(span, limit).await;
            if self.1.load(atomic::Ordering::SeqCst) {
                let at = self.2.fetch_add(1, atomic::Ordering::SeqCst);
                let mut rows = self.0.0.rows.lock().unwrap();
                for at in (0..rows.len()).skip(at % 7).step_by(50).rev().collect::<Vec<_>>() {
                    if (at / 50) % 2 == 0 {
                        rows.remove(at);
                    } else {
                        let row = format!("{}-{at}", rows[at]);
                        rows.insert(at + 1, row);
                    }
                }
                rows.sort_unstable();
            }
            found
        }

        async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
            self.0.count(span).await
        }
    }

    for counts in [true, false] {
        let rows = Rows::new(mixed(1_000), bytes, |row, bound| row > bound, counts, true);
        let busy = Busy(rows, AtomicBool::new(true), atomic::AtomicUsize::new(0));
        let mut site = SiteBuilder::new(BASE);
        site.section("pages", busy).part_rows(400).batch_rows(100);
        let site = site.memory_bytes(0).build().unwrap();
        let ((), log) = logged(async {
            for _ in 0..5 {
                site.refresh().await.unwrap();
                assert!(listed(&site).await.1);
            }
            site.check().await.unwrap();
        });
        assert_eq!(log, [""; 0]);
    }
}

/// A rendering costs a query a batch. A source that counts is asked for one number more; another reads the ends of batches again at the first
/// rendering, and when rows have come or gone.
#[test]
fn rows_are_not_read_twice_in_each_rendering() {
    for counts in [true, false] {
        let rows = Rows::new(mixed(3_000), bytes, |row, bound| row > bound, counts, true);
        let site = site(&rows, 700);
        let ((), log) = logged(async {
            site.ready().await.unwrap();
            let (_, index) = ask(&site, "/sitemap.xml").await;
            // The first part is already rendered.
            let part = sitemaps(&index)[1].loc.strip_prefix(BASE).unwrap().to_owned();
            // The queries of a rendering, and its batches.
            let asked = async || {
                let before = rows.0.calls.load(atomic::Ordering::SeqCst);
                let (status, xml) = ask(&site, &part).await;
                assert_eq!(status, 200);
                let pages = urls(&xml);
                let queries = rows.0.calls.load(atomic::Ordering::SeqCst) - before;
                (queries, pages.len().div_ceil(100), pages[0].loc.clone())
            };
            let (queries, batches, first) = asked().await;
            assert!(batches > 2);
            assert_eq!(queries, if counts { batches + 1 } else { 2 * batches - 1 });
            let again = if counts { batches + 1 } else { batches };
            assert_eq!(asked().await, (again, batches, first.clone()));
            // Directly after the first row.
            let row = first.strip_prefix(BASE).unwrap().trim_start_matches('/');
            rows.insert(&format!("{row}-"));
            let (queries, batches, _) = asked().await;
            assert_eq!(queries, if counts { batches + 1 } else { 2 * batches - 1 });
        });
        assert_eq!(log, [""; 0]);
    }
}

/// A list that changes between two calls is never half of one and half of another: it is made once for a count, and once for a rendering.
#[test]
fn a_list_is_made_once_for_a_count_and_a_rendering() {
    let calls = Arc::new(atomic::AtomicUsize::new(0));
    let batches = Arc::new(atomic::AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let list = source::list(move || {
        let call = counted.fetch_add(1, atomic::Ordering::SeqCst);
        // The first page comes and goes.
        async move {
            Ok((call % 2..10_000)
                .map(|page| UrlEntry::new(format!("/{page}")))
                .collect())
        }
    });
    let mapped = Arc::clone(&batches);
    let list = source::with_batch(list, move |batch: Vec<UrlEntry>| {
        mapped.fetch_add(1, atomic::Ordering::SeqCst);
        assert!(batch.len() <= 1_000);
        async move { Ok(batch) }
    });
    let site = SiteBuilder::new(BASE)
        .section("pages", list)
        .part_rows(2_000)
        .build()
        .unwrap();
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        // The count, and the first part.
        assert_eq!(calls.swap(0, atomic::Ordering::SeqCst), 2);
        assert!(batches.swap(0, atomic::Ordering::SeqCst) <= 3);
        let report = site.check().await.unwrap();
        assert_eq!(calls.swap(0, atomic::Ordering::SeqCst), 1);
        assert_eq!(batches.swap(0, atomic::Ordering::SeqCst), 10);
        assert!(report.is_clean() && report.sections[0].rows >= 9_999);
    });
    assert_eq!(log, [""; 0]);
}

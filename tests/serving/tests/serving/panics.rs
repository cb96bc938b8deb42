//! Panics in a source or its row type: each fails only its row, part or section, and is logged and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use http::Request;
use sitemap_serde::{EntryWriter, SitemapEntry, UrlEntry};
use sitemap_serving_tests::{Rows, body, logged, sitemaps, urls};
use sitemap_site::source::{BlockingSource, BoxError, DatedKey, Row, Source, Span, blocking};
use sitemap_site::storage::Version;
use sitemap_site::{ErrorKind, Key, KeyValue, Section, Site, SiteBuilder, SitemapSet, TableStore};

const BASE: &str = "https://example.com";
const AGE: Duration = Duration::from_millis(20);

/// A page whose type panics, like a conversion of a date in the year 294000.
#[derive(Clone, Copy)]
enum Page {
    Good(i64),
    PanicsInFilter,
    PanicsInValue(i64),
}

impl SitemapEntry for Page {
    fn is_listed(&self) -> bool {
        assert!(!matches!(self, Page::PanicsInFilter), "of the filter");
        true
    }

    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        let (Page::Good(id) | Page::PanicsInValue(id)) = self else {
            return Ok(());
        };
        entry.loc(format!("/{id}"))?;
        assert!(matches!(self, Page::Good(_)), "of the value");
        Ok(())
    }
}

/// The rows 1 to 25. Calls that read the row with this key panic.
#[derive(Clone, Default)]
struct Panicking {
    in_page: Arc<AtomicI64>,
    in_keys: Arc<AtomicBool>,
    bad_rows: bool,
}

impl Panicking {
    fn ids(span: &Span, limit: usize) -> impl Iterator<Item = i64> {
        let number = |key: Option<&Key>| match key.map(Key::values) {
            Some([KeyValue::Integer(number)]) => Some(*number),
            _ => None,
        };
        let first = number(span.after.as_ref()).map_or(1, |after| after + 1);
        (first..=number(span.to.as_ref()).unwrap_or(25).min(25)).take(limit)
    }

    fn rows(&self, span: &Span, limit: usize) -> Vec<Row<Page>> {
        let row = |id: i64| {
            assert!(id != self.in_page.load(Ordering::SeqCst), "row {id}\nof the test");
            let page = match id {
                12 if self.bad_rows => Page::PanicsInFilter,
                13 if self.bad_rows => Page::PanicsInValue(id),
                _ => Page::Good(id),
            };
            Row::new(id, page)
        };
        Self::ids(span, limit).map(row).collect()
    }
}

impl Source for Panicking {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        Ok(self.rows(span, limit))
    }

    fn keys(
        &self,
        span: &Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DatedKey>, BoxError>> + Send {
        // The panic comes before a future exists.
        assert!(!self.in_keys.load(Ordering::SeqCst), "of the keys");
        let keys = Self::ids(span, limit).map(|id| DatedKey::new(id.into(), None));
        std::future::ready(Ok(keys.collect()))
    }
}

impl BlockingSource for Panicking {
    type Entry = Page;

    fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        Ok(self.rows(span, limit))
    }
}

fn builder(source: impl Source) -> SiteBuilder {
    let mut builder = SiteBuilder::new(BASE);
    builder.section("bad", source).section("good", Rows::new(25));
    builder.part_rows(10).max_age(AGE);
    builder
}

async fn ask(site: &Site, path: &str) -> (u16, String) {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), body(response).await)
}

async fn listed(site: &Site) -> Vec<String> {
    let (status, index) = ask(site, "/sitemap.xml").await;
    assert_eq!(status, 200, "{index}");
    let name = |loc: &str| loc.strip_prefix("https://example.com/").unwrap().to_owned();
    sitemaps(&index).iter().map(|part| name(&part.loc)).collect()
}

const ALL: [&str; 6] = [
    "sitemap-bad.~10.xml",
    "sitemap-bad.10~20.xml",
    "sitemap-bad.20~.xml",
    "sitemap-good.~10.xml",
    "sitemap-good.10~20.xml",
    "sitemap-good.20~.xml",
];

/// A panic while a part is read only fails this part, which is logged by name and counted.
#[test]
fn a_panic_in_a_part_is_a_failure_of_the_part() {
    for is_blocking in [false, true] {
        let source = Panicking::default();
        let site = if is_blocking {
            builder(blocking(source.clone()))
        } else {
            builder(source.clone())
        };
        let site = site.build().unwrap();
        let ((), log) = logged(async {
            site.ready().await.unwrap();
            source.in_page.store(15, Ordering::SeqCst);
            for part in ALL {
                let expected = if part.contains("bad.10~20") { 500 } else { 200 };
                assert_eq!(ask(&site, &format!("/{part}")).await.0, expected, "{part}");
            }
        });
        assert_eq!(
            log,
            [
                "ERROR sitemap-bad.10~20.xml cannot be rendered: the rows cannot be read: a panic: row 15\\nof the test"
            ],
            "{is_blocking}"
        );
        let [bad, good] = &site.stats().sections[..] else {
            panic!("two sections");
        };
        assert_eq!((bad.failures.source, good.failures.source), (1, 0));
        assert_eq!((bad.panics, good.panics), (1, 0));
        assert!(bad.stale_since.is_some() && good.stale_since.is_none());
    }
}

/// A row whose type panics is left out and logged with its key. The rest of its part is served.
#[test]
fn a_row_that_panics_is_left_out() {
    let site = builder(Panicking {
        bad_rows: true,
        ..Panicking::default()
    });
    let site = site.build().unwrap();
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        let (status, part) = ask(&site, "/sitemap-bad.10~20.xml").await;
        assert_eq!(status, 200);
        let locs: Vec<_> = urls(&part).into_iter().map(|entry| entry.loc).collect();
        let expected = [11, 14, 15, 16, 17, 18, 19, 20].map(|id| format!("{BASE}/{id}"));
        assert_eq!(locs, expected);
    });
    assert_eq!(
        log,
        [
            "WARN a row is skipped in the sitemap key=12 error=a panic: of the filter, entry 2",
            "WARN a row is skipped in the sitemap key=13 error=a panic: of the value, entry 3, loc `https://example.com/13`",
        ]
    );
    let stats = site.stats();
    assert_eq!((stats.skipped, stats.sections[0].panics), (2, 2));
    assert_eq!(stats.stale_since(), None);
}

/// If a section's count panics, the index keeps the last good table, and reports its age.
#[test]
fn a_panic_in_a_count_is_a_failure_of_the_section() {
    let source = Panicking::default();
    let site = builder(source.clone()).build().unwrap();
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        assert_eq!(listed(&site).await, ALL);
        source.in_keys.store(true, Ordering::SeqCst);
        tokio::time::sleep(2 * AGE).await;
        assert_eq!(listed(&site).await, ALL);
        let error = site.refresh().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Source);
        assert_eq!(
            error.to_string(),
            "section `bad`: the rows cannot be counted: a panic: of the keys"
        );
    });
    let line = "ERROR the sitemap's table of parts cannot be updated: section `bad`: the rows cannot be counted: a panic: of the keys";
    assert!(log.len() >= 2 && log.iter().all(|found| found == line), "{log:?}");
    let [bad, good] = &site.stats().sections[..] else {
        panic!("two sections");
    };
    assert!(bad.failures.table >= 2 && good.failures.table == 0);
    assert_eq!((bad.panics, good.panics), (bad.failures.table, 0));
    assert!(bad.stale_since.is_some() && good.stale_since.is_none());
}

/// If the section has no table, the index is 503, and the parts of the other sections are served.
#[test]
fn a_section_that_was_never_counted_does_not_take_the_others() {
    let source = Panicking::default();
    source.in_keys.store(true, Ordering::SeqCst);
    let site = builder(source.clone()).build().unwrap();
    let ((), log) = logged(async {
        let error = site.ready().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Source);
        // The other section was counted nevertheless.
        assert_eq!(site.stats().sections[1].rows, 25);
        assert_eq!(
            ask(&site, "/sitemap.xml").await,
            (
                503,
                "Service Unavailable: the pages of the site cannot be counted at the moment\n".to_owned()
            )
        );
        for part in &ALL[3..] {
            assert_eq!(ask(&site, &format!("/{part}")).await.0, 200, "{part}");
        }
    });
    // No index without the section was made in between, because a store would keep it.
    let line = "ERROR the sitemap's table of parts cannot be updated: section `bad`: the rows cannot be counted: a panic: of the keys";
    assert!(log.iter().all(|found| found == line), "{log:?}");
}

/// If configured, the index lists the other sections, but only after the first count has failed, and only if there are any.
#[test]
fn an_index_without_a_section_that_was_never_counted() {
    for others in [true, false] {
        let source = Panicking::default();
        source.in_keys.store(true, Ordering::SeqCst);
        let mut site = SiteBuilder::new(BASE);
        site.section("bad", source.clone()).html(true);
        if others {
            site.section("good", Rows::new(25));
        }
        site.part_rows(10).max_age(AGE).skip_failed_sections(true);
        let site = site.build().unwrap();
        let ((), log) = logged(async {
            site.ready().await.unwrap_err();
            for path in ["/sitemap.xml", "/sitemap.html"] {
                let (status, text) = ask(&site, path).await;
                let is_listed = |part: &str| text.contains(part);
                if others {
                    assert_eq!(status, 200);
                    assert!(ALL[3..].iter().all(|part| is_listed(part)), "{text}");
                    assert!(!ALL[..3].iter().any(|part| is_listed(part)), "{text}");
                } else if path == "/sitemap.xml" {
                    let message =
                        "Service Unavailable: the pages of the site cannot be counted at the moment\n";
                    assert_eq!((status, text.as_str()), (503, message));
                }
            }
        });
        let line = "WARN the index has no parts of the section `bad`, whose rows were never counted (`SiteBuilder::skip_failed_sections`)";
        assert_eq!(
            log.iter().filter(|found| *found == line).count(),
            usize::from(others),
            "{log:?}"
        );
        source.in_keys.store(false, Ordering::SeqCst);
        let ((), _) = logged(async {
            site.ready().await.unwrap();
            assert_eq!(listed(&site).await, &ALL[..if others { 6 } else { 3 }]);
        });
    }
}

/// A store that panics counts as failing.
struct Store;

impl TableStore for Store {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        panic!("of the store")
    }

    async fn save(&self, _: String, _: Option<Version>) -> Result<bool, BoxError> {
        panic!("of the store")
    }
}

#[test]
fn a_panic_in_a_store_is_its_failure() {
    let mut site = SiteBuilder::new(BASE);
    site.section("pages", Rows::new(25)).table_store(Store);
    let site = site.build().unwrap();
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        assert_eq!(listed(&site).await, ["sitemap-pages.xml"]);
    });
    assert_eq!(
        log[0],
        "WARN the stored table of the sitemap's parts cannot be used: a panic: of the store"
    );
    assert!(site.stats().store_failures >= 1);
}

/// A row that panics is left out of an export, and a panic in a query fails it with the section's name.
#[tokio::test]
async fn panics_in_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        SitemapSet::directory(folder.path().join(name), BASE)
            .open()
            .unwrap()
    };
    let source = Panicking {
        bad_rows: true,
        ..Panicking::default()
    };
    let site = builder(source.clone()).build().unwrap();
    let summary = site.export(&open("one")).await.unwrap();
    assert_eq!((summary.entries, summary.skipped), (23 + 25, 2));
    assert_eq!(
        summary.problems,
        [
            "section bad, row 12: a panic: of the filter, entry 12",
            "section bad, row 13: a panic: of the value, entry 13, loc `https://example.com/13`"
        ]
    );
    source.in_page.store(15, Ordering::SeqCst);
    let error = site.export(&open("two")).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Source,
            "section bad: the rows cannot be read: a panic: row 15\\nof the test"
        )
    );
}

/// The keys of a list whose rows panic: the row counts as invalid.
#[tokio::test]
async fn a_row_that_panics_while_it_is_counted() {
    let pages = [Page::Good(1), Page::PanicsInFilter, Page::PanicsInValue(3)];
    let mut site = SiteBuilder::new(BASE);
    let site = site.section("pages", pages).build().unwrap();
    site.ready().await.unwrap();
    assert_eq!(site.stats().sections[0].rows, 3);
    assert_eq!(urls(&ask(&site, "/sitemap-pages.xml").await.1).len(), 1);
    assert_eq!(listed(&site).await, ["sitemap-pages.xml"]);
}

/// A panic of the layout is a 500, and one of a title costs the title. Both are counted.
#[test]
fn a_panic_in_a_page_for_people() {
    let site = |panics_in: &'static str| {
        let titled = Section::titled([UrlEntry::new("/a")], move |_: &UrlEntry| {
            assert_ne!(panics_in, "title", "of the title");
            "A".to_owned()
        });
        SiteBuilder::new(BASE)
            .section("pages", titled)
            .html_layout(move |_, content| {
                assert_ne!(panics_in, "layout", "of the layout");
                content.to_owned()
            })
            .build()
            .unwrap()
    };
    for (panics_in, statuses, failures, panics, lines) in [
        ("", [200, 200], 0, 0, 0),
        ("layout", [500, 500], 2, 0, 2),
        ("title", [200, 200], 0, 1, 0),
    ] {
        let site = site(panics_in);
        let (found, log) = logged(async {
            site.ready().await.unwrap();
            let mut found = Vec::new();
            for path in ["/sitemap.html", "/sitemap-pages.html"] {
                let request = Request::get(path).body(()).unwrap();
                found.push(site.respond(&request).await.status().as_u16());
            }
            found
        });
        assert_eq!(found, statuses, "{panics_in}");
        let stats = site.stats();
        assert_eq!(
            (stats.failures, stats.sections[0].panics),
            (failures, panics),
            "{panics_in}"
        );
        assert_eq!(log.len(), lines, "{log:?}");
        assert!(log.iter().all(|line| line.contains("a panic: ")), "{log:?}");
    }
}

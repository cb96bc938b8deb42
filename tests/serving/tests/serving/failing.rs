//! Parts that cannot be rendered: they are retried after a while, with and without requests, and do not flood the log.

use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Page, Rows, body, logged, sitemaps};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span, WrongKey};
use sitemap_site::{Failures, Key, Site, SiteBuilder};

const BASE: &str = "https://example.com";

async fn status(site: &Site, path: &str) -> u16 {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    let status = response.status().as_u16();
    drop(body(response).await);
    status
}

fn site(source: impl Source) -> Site {
    let mut site = SiteBuilder::new(BASE);
    site.section("pages", source).part_rows(10);
    site.max_age(Duration::from_secs(600)).build().unwrap()
}

/// Any failure, for listed and unlisted ranges.
#[test]
fn a_failure_is_not_repeated_for_each_request() {
    for unavailable in [false, true] {
        for path in ["/sitemap-pages.10~20.xml", "/sitemap-pages.13~18.xml"] {
            let rows = Rows::new(25);
            let site = site(rows.clone());
            let (queries, log) = logged(async {
                site.ready().await.unwrap();
                rows.fail_above(0);
                rows.unavailable(unavailable);
                let before = rows.queries();
                for _ in 0..500 {
                    let expected = if unavailable { 503 } else { 500 };
                    assert_eq!(status(&site, path).await, expected);
                }
                rows.queries() - before
            });
            // On a slow machine, the five seconds may pass.
            assert!((1..=10).contains(&queries), "{path}: {queries} queries");
            assert!((1..=10).contains(&log.len()), "{log:?}");
        }
    }
}

/// A query with a value of the wrong type, like a cast of `n/a` to a number.
struct Cast(Rows);

impl Source for Cast {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        let rows = self.0.rows(span, limit).await?;
        if rows.iter().any(|row| *row.key() == Key::from(15)) {
            return Err(WrongKey.into());
        }
        Ok(rows)
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.0.keys(span, limit).await
    }
}

/// A database reports the same error for a made-up key as for a value in a row. A listed part has failed; an unlisted range does not exist.
#[test]
fn a_listed_part_is_not_made_up() {
    let site = site(Cast(Rows::new(25)));
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        for (range, expected) in [("~10", 200), ("10~20", 500), ("13~18", 404), ("x~", 404)] {
            let path = format!("/sitemap-pages.{range}.xml");
            assert_eq!(status(&site, &path).await, expected, "{range}");
        }
    });
    let line = "ERROR sitemap-pages.10~20.xml cannot be rendered: the rows cannot be read: the source refuses a key of the part, or a value in one of its \
                rows, as none of its type";
    assert_eq!(log, [line]);
    assert_eq!(site.stats().sections[0].failures.source, 1);
}

/// A purge also clears a failure: the next request tries again.
#[tokio::test]
async fn after_a_purge_a_failed_part_is_tried_at_once() {
    let rows = Rows::new(25);
    let site = site(rows.clone());
    site.ready().await.unwrap();
    for name in ["pages", "sitemap-pages.10~20.xml"] {
        rows.fail_above(0);
        site.purge("pages").unwrap();
        assert_eq!(status(&site, "/sitemap-pages.10~20.xml").await, 500);
        rows.fail_above(i64::MAX);
        assert_eq!(status(&site, "/sitemap-pages.10~20.xml").await, 500);
        site.purge(name).unwrap();
        assert_eq!(status(&site, "/sitemap-pages.10~20.xml").await, 200);
    }
}

/// Many failed parts are logged as a few lines and their number.
#[test]
fn the_log_of_failing_parts_has_a_limit() {
    let rows = Rows::new(3_000);
    let site = site(rows.clone());
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        let request = Request::get("/sitemap.xml").body(()).unwrap();
        let index = body(site.respond(&request).await).await;
        rows.fail_above(0);
        for part in sitemaps(&index) {
            status(&site, part.loc.strip_prefix(BASE).unwrap()).await;
        }
    });
    let failures = site.stats().sections[0].failures.source;
    assert!(failures > 200, "{failures}");
    // On a slow machine, a second minute may begin.
    assert!((10..=40).contains(&log.len()), "{} lines", log.len());
}

/// Rows whose count never ends, and that cannot be read.
struct Uncounted;

impl Source for Uncounted {
    type Entry = sitemap_serde::UrlEntry;

    async fn rows(&self, _: &Span, _: usize) -> Result<Vec<Row<Self::Entry>>, BoxError> {
        Err("the database is gone".into())
    }

    async fn keys(&self, _: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
        std::future::pending().await
    }
}

/// Until the first count is complete, ranges that anyone can make up do not count as listed: no failures, and one log line per minute.
#[test]
fn made_up_ranges_before_the_first_count_are_no_failures() {
    let site = site(Uncounted);
    let ((), log) = logged(async {
        for id in 0..400 {
            let path = format!("/sitemap-pages.{id}~{}.xml", id + 3);
            assert_eq!(status(&site, &path).await, 500);
        }
    });
    assert_eq!(
        log,
        [
            "WARN the range sitemap-pages.0~3.xml, which is in no index yet, is not rendered: the rows cannot be read: the database is gone"
        ]
    );
    let stats = site.stats();
    assert_eq!(
        (stats.failures, stats.sections[0].failures),
        (0, Failures::default())
    );
}

/// Failed parts are retried without requests, at growing intervals. The site counts as stale until the last one is rendered.
#[tokio::test(start_paused = true)]
async fn what_has_failed_is_tried_again_unasked() {
    let rows = Rows::new(44);
    let site = site(rows.clone());
    site.ready().await.unwrap();
    rows.fail_above(10);
    for part in ["~10", "10~20", "20~30", "30~"] {
        status(&site, &format!("/sitemap-pages.{part}.xml")).await;
    }
    assert!(site.stats().stale_since().is_some());
    let before = rows.queries();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let tries = rows.queries() - before;
    // Three parts, each retried after 5, 15 and 35 seconds, a quarter earlier or later.
    assert!((9..=12).contains(&tries), "{tries} queries in a minute");
    let before = rows.queries();
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    let tries = rows.queries() - before;
    assert!((21..=30).contains(&tries), "{tries} queries in an hour");
    // One after the other.
    rows.fail_above(20);
    tokio::time::sleep(Duration::from_secs(1_200)).await;
    assert!(site.stats().stale_since().is_some());
    rows.fail_above(i64::MAX);
    tokio::time::sleep(Duration::from_secs(1_200)).await;
    assert_eq!(site.stats().stale_since(), None);
    let before = rows.queries();
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert_eq!(rows.queries(), before, "without requests there are no queries");
}

/// A failed count is retried in the same way, including the first one.
#[tokio::test(start_paused = true)]
async fn a_failed_count_is_tried_again_unasked() {
    let rows = Rows::new(45);
    rows.fail_above(0);
    let site = site(rows.clone());
    site.ready().await.unwrap_err();
    assert!(site.stats().stale_since().is_some());
    rows.fail_above(i64::MAX);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(
        (site.stats().stale_since(), site.stats().sections[0].rows),
        (None, 45)
    );
    // The last part can be counted, but not all rows.
    rows.change(5, |page| page.draft = true);
    rows.fail_above(40);
    site.refresh().await.unwrap_err();
    rows.fail_above(i64::MAX);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(site.stats().stale_since(), None);
}

/// A part that no longer exists, or whose key has another type, is not retried forever.
#[tokio::test(start_paused = true)]
async fn a_failed_part_that_is_gone_is_no_failure() {
    let rows = Rows::new(35);
    let site = site(rows.clone());
    site.ready().await.unwrap();
    rows.fail_above(0);
    assert_eq!(status(&site, "/sitemap-pages.30~.xml").await, 500);
    (31..=35).for_each(|id| rows.remove(id));
    rows.fail_above(i64::MAX);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(site.stats().stale_since(), None);
    // It was found empty.
    assert_eq!(site.stats().sections[0].listed, 3);
}

/// The task ends with the site.
#[tokio::test(start_paused = true)]
async fn a_site_that_is_gone_is_not_tried() {
    let rows = Rows::new(25);
    let site = site(rows.clone());
    site.ready().await.unwrap();
    rows.fail_above(0);
    status(&site, "/sitemap-pages.10~20.xml").await;
    drop(site);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let before = rows.queries();
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(rows.queries(), before);
    let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    assert_eq!(tasks, 0);
}

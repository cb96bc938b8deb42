//! Databases and stores that hang.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Log, Rows, body, get, sitemaps};
use sitemap_site::source::{BlockingSource, BoxError, Row, Source, Span, blocking};
use sitemap_site::storage::Version;
use sitemap_site::{Site, SiteBuilder, TableStore};

use crate::server::Server;

const LIMIT: Duration = Duration::from_millis(50);

/// A table with one row for each requested part. Its queries hang.
#[derive(Clone, Default)]
struct Hanging(Arc<(Mutex<bool>, Condvar)>, Arc<AtomicUsize>);

impl Hanging {
    fn hangs(&self, hangs: bool) {
        *self.0.0.lock().unwrap() = hangs;
        self.0.1.notify_all();
    }

    fn threads(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

impl BlockingSource for Hanging {
    type Entry = UrlEntry;

    fn rows(&self, span: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let hangs = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(hangs, |hangs| *hangs).unwrap());
        self.1.fetch_sub(1, Ordering::SeqCst);
        Ok(match &span.after {
            None => vec![Row::new(1, UrlEntry::new("/1"))],
            Some(_) => vec![Row::new(1_000, UrlEntry::new("/1000"))],
        })
    }
}

/// The runtime's blocking threads are shared by all tasks.
#[test]
fn queries_that_never_end_do_not_take_all_threads() {
    let rows = Hanging::default();
    let site = SiteBuilder::new("https://example.com")
        .section("pages", blocking(rows.clone()))
        .time_limit(LIMIT)
        .build()
        .unwrap();
    let server = Server::start(&site);
    rows.hangs(true);
    for n in 1..=40 {
        let late = get(server.address, &format!("/sitemap-pages.{n}~999.xml"), &[]);
        assert_eq!(late.status, 503, "{n}");
        assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 503);
    }
    assert_eq!(rows.threads(), 16);
    rows.hangs(false);
    let started = Instant::now();
    while get(server.address, "/sitemap-pages.1~1000.xml", &[]).status != 200 {
        assert!(started.elapsed() < Duration::from_secs(30));
    }
    while rows.threads() > 0 {
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}

/// Pages whose reading takes two seconds.
struct Slow;

impl Source for Slow {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let rows: Vec<_> = (1..=2_000).map(|id| UrlEntry::new(format!("/{id}"))).collect();
        rows.rows(span, limit).await
    }
}

/// All parts of a site that has just started are requested at once. They wait for their turns for longer than a rendering may take.
#[tokio::test(start_paused = true)]
async fn a_burst_of_requests_waits() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Slow)
        .part_rows(10)
        .build()
        .unwrap();
    site.ready().await.unwrap();
    let index = site
        .respond(&Request::get("/sitemap.xml").body(()).unwrap())
        .await;
    let index = sitemaps(&body(index).await);
    let paths = index
        .iter()
        .map(|part| part.loc.replace("https://example.com", ""));
    let started = tokio::time::Instant::now();
    let requests = paths.map(|path| {
        let response = site.respond(&Request::get(path).body(()).unwrap());
        tokio::spawn(async move { response.await.status().as_u16() })
    });
    let requests: Vec<_> = requests.collect();
    assert!((150..=250).contains(&requests.len()), "{}", requests.len());
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(request.await.unwrap());
    }
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    assert!(started.elapsed() > Duration::from_secs(60));
}

/// A site whose parts expire after a millisecond.
fn short_lived(rows: &Rows) -> Site {
    SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(Duration::from_millis(1))
        .build()
        .unwrap()
}

/// The wait is at most a second, although the queries of the part never end. They continue.
#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_does_not_hold_up_the_last_copy() {
    let rows = Rows::new(25);
    let site = short_lived(&rows);
    let ask = async |path: &str| {
        // Real time, not simulated.
        std::thread::sleep(Duration::from_millis(2));
        let started = tokio::time::Instant::now();
        let response = site.respond(&Request::get(path).body(()).unwrap()).await;
        let is_old = response.headers().contains_key("age");
        (response.status().as_u16(), is_old, started.elapsed().as_secs())
    };
    let part = "/sitemap-pages.~10.xml";
    for path in ["/sitemap.xml", part] {
        assert_eq!(ask(path).await, (200, false, 0));
    }
    rows.close();
    for _ in 0..3 {
        assert_eq!(ask(part).await, (200, true, 1));
        assert_eq!(rows.waiting(), 1, "the first rendering goes on");
    }
    assert_eq!(ask("/sitemap.xml").await, (200, false, 1));
    rows.open(1_000);
    assert_eq!(ask(part).await, (200, false, 0));
}

/// The first request in each `max_age` checks parts that were empty. If the check takes longer, the request does not wait for it.
#[tokio::test(start_paused = true)]
async fn parts_without_entries_do_not_hold_up_the_index() {
    let rows = Rows::new(2_000);
    let site = short_lived(&rows);
    let index = Request::get("/sitemap.xml").body(()).unwrap();
    (1..=1_900).for_each(|id| rows.change(id, |page| page.draft = true));
    site.ready().await.unwrap();
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(2));
        rows.slow_down(Duration::from_millis(100));
        let started = tokio::time::Instant::now();
        assert_eq!(site.respond(&index).await.status(), 200);
        assert_eq!(started.elapsed().as_secs(), 1);
    }
}

/// A store that never answers.
struct Silent;

impl TableStore for Silent {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        std::future::pending().await
    }

    async fn save(&self, _: String, _: Option<Version>) -> Result<bool, BoxError> {
        std::future::pending().await
    }
}

#[test]
fn a_store_that_does_not_answer_costs_the_times_and_nothing_else() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Rows::new(25))
        .part_rows(10)
        .time_limit(Duration::from_secs(2))
        .table_store(Silent)
        .build()
        .unwrap();
    let server = Server::start(&site);
    let started = Instant::now();
    assert_eq!(sitemaps(get(server.address, "/sitemap.xml", &[]).text()).len(), 3);
    for _ in 0..3 {
        let part = get(server.address, "/sitemap-pages.10~20.xml", &[]);
        assert_eq!((part.status, part.header("last-modified")), (200, None));
    }
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

/// A store with another program's content.
#[derive(Clone)]
struct Told(Arc<Mutex<String>>);

impl TableStore for Told {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        Ok(Some((
            self.0.lock().unwrap().clone(),
            Version::new(String::new()),
        )))
    }

    async fn save(&self, table: String, _: Option<Version>) -> Result<bool, BoxError> {
        *self.0.lock().unwrap() = table;
        Ok(true)
    }
}

/// Impossible numbers and times from a wrong clock: nothing panics, and no change is later than the response's `Date`.
#[test]
fn a_store_that_lies() {
    let table = |rows: &str, entries: &str, changed: &str, newest: &str| {
        let hash = "\"0000000000000000000000000000000000000000000000000000000000000000\"";
        let row = |to: &str| {
            format!(
                r#"{{"to":{to},"rows":{rows},"entries":{entries},"hash":{hash},"changed":{changed},"newest":{newest}}}"#
            )
        };
        format!(
            r#"{{"format":1,"index":{{"hash":{hash},"changed":{changed}}},"sections":{{"pages":{{"parts":[{},{},{}]}}}}}}"#,
            row(r#"{"i":10}"#),
            row(r#"{"i":20}"#),
            row("null")
        )
    };
    let huge = "18446744073709551615";
    let unknown = r#""unknown""#;
    for (text, dated) in [
        (table("10", "10", "1767225600", unknown), true),
        (table("10", "10", "0", unknown), true),
        (table("10", "10", huge, unknown), false),
        (table("10", "10", "253402300799", unknown), false),
        (table("10", "10", "4102444800", unknown), false),
        (table(huge, "10", "0", unknown), false),
        (table("10", huge, "0", unknown), false),
        (table("0", "0", "0", r#""nothing""#), true),
    ] {
        let site = SiteBuilder::new("https://example.com")
            .section("pages", Rows::new(25))
            .part_rows(10)
            .html(true)
            .table_store(Told(Arc::new(Mutex::new(text.clone()))))
            .build()
            .unwrap();
        let server = Server::start(&site);
        let index = get(server.address, "/sitemap.xml", &[]);
        if index.status == 200 {
            let known = sitemaps(index.text());
            let in_future = known.iter().any(|part| part.lastmod.as_deref() > Some("2090"));
            assert!(!in_future, "{text}: {known:?}");
            let dates = known.iter().filter(|part| {
                let lastmod = part.lastmod.as_deref();
                lastmod.is_some_and(|lastmod| !lastmod.starts_with("2026-0"))
            });
            assert!(dated || dates.count() == 0, "{text}: {known:?}");
        } else {
            assert_eq!(index.status, 404, "{text}: it says that there is nothing");
        }
        assert!([200, 404].contains(&get(server.address, "/sitemap.html", &[]).status));
        for path in ["/sitemap-pages.~10.xml", "/sitemap-pages.20~.xml"] {
            assert_eq!(get(server.address, path, &[]).status, 200, "{text}");
        }
        server.block_on(site.refresh()).unwrap();
        let listed = sitemaps(get(server.address, "/sitemap.xml", &[]).text());
        assert_eq!(listed.len(), 3, "{text}");
    }
}

/// A store with constant writes from other instances.
struct Contended;

impl TableStore for Contended {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        Ok(None)
    }

    async fn save(&self, _: String, _: Option<Version>) -> Result<bool, BoxError> {
        Ok(false)
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_others_write_to_is_tried_again_with_the_next_change() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Rows::new(25))
        .table_store(Contended)
        .build()
        .unwrap();
    site.ready().await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let mut lines = log.lines();
    lines.dedup();
    assert_eq!(
        lines,
        [
            "WARN the sitemap's table of parts cannot be stored, which is tried again with its next change: other instances save \
             theirs all the time"
        ]
    );
}

/// A slow request is logged with the reason for its wait: its turn, its rows, the count of the rows, or the store.
#[tokio::test(start_paused = true)]
async fn what_a_slow_request_waits_for_is_told() {
    let slow = "the source's queries are slow, and may lack an index of the key";
    for (what, message) in [
        ("rows", format!("a request has been waiting for 3s, 0.0ns for its turn and 3.0s for its rows: {slow} path=\"/sitemap-pages.50~60.xml\"")),
        ("turn", "a request has been waiting for 3s for its turn: 5 renderings are running or waiting, and 4 run at the same time \
                  path=\"/sitemap-pages.50~60.xml\"".to_owned()),
        ("both", format!("a request has been waiting for 3s, 2.0s for its turn and 1.0s for its rows: {slow} path=\"/sitemap-pages.50~60.xml\"")),
        ("count", format!("a request has been waiting for 3s for the count of the rows: {slow} path=\"/sitemap.xml\"")),
        ("store", "a request has been waiting for 3s for the store of the table of parts path=\"/sitemap.xml\"".to_owned()),
    ] {
        let log = Log::default();
        let _guard = tracing::subscriber::set_default(log.clone());
        let rows = Rows::new(100);
        let mut site = SiteBuilder::new("https://example.com");
        site.section("pages", rows.clone()).part_rows(10);
        if what == "store" {
            site.table_store(Silent);
        }
        let site = site.build().unwrap();
        let ask = |path: String| {
            let request = Request::get(path).body(()).unwrap();
            let response = site.respond(&request);
            tokio::spawn(async move { response.await.status().as_u16() })
        };
        if !["count", "store"].contains(&what) {
            site.refresh().await.unwrap();
        }
        rows.close();
        let last = match what {
            "count" | "store" => ask("/sitemap.xml".to_owned()),
            "rows" => ask("/sitemap-pages.50~60.xml".to_owned()),
            _ => {
                // These are no requests, so they are not logged.
                for id in 1..=4 {
                    let site = site.clone();
                    tokio::spawn(async move {
                        let part = format!("sitemap-pages.{}~{}.xml", id * 10, id * 10 + 10);
                        site.warm(&part).await
                    });
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
                ask("/sitemap-pages.50~60.xml".to_owned())
            }
        };
        if what == "both" {
            tokio::time::sleep(Duration::from_secs(2)).await;
            rows.open(4);
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
        rows.open(1_000);
        last.abort();
        let lines = log.lines();
        let found: Vec<_> = lines.iter().filter(|line| line.contains("a request has been")).collect();
        assert_eq!(found.len(), 1, "{what}: {lines:?}");
        assert_eq!(*found[0], format!("WARN {message}"));
    }
}

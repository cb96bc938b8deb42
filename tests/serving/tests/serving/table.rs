//! The table of parts: how it is built and how it follows the rows, without losing any.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Page, Rows, crawl, get, sitemaps, urls};
use sitemap_site::source::{self, BoxError, DatedKey, Row, Source, Span};
use sitemap_site::storage::Version;
use sitemap_site::{Key, Section, SiteBuilder, TableStore};

use crate::server::Server;

const BASE: &str = "https://example.com";
const AGE: Duration = Duration::from_millis(100);

fn site(rows: &Rows) -> SiteBuilder {
    SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(AGE)
        .clone()
}

#[test]
fn new_rows_are_in_the_last_part_until_it_is_full() {
    let rows = Rows::new(5);
    let server = Server::start(&site(&rows).build().unwrap());
    for (count, names) in [
        (5, vec!["sitemap-pages.xml"]),
        (14, vec!["sitemap-pages.xml"]),
        (15, vec!["sitemap-pages.~10.xml", "sitemap-pages.10~.xml"]),
        (24, vec!["sitemap-pages.~10.xml", "sitemap-pages.10~.xml"]),
        (
            30,
            vec![
                "sitemap-pages.~10.xml",
                "sitemap-pages.10~20.xml",
                "sitemap-pages.20~.xml",
            ],
        ),
    ] {
        (1..=count).for_each(|id| rows.put(id));
        thread::sleep(AGE);
        let crawled = crawl(BASE, &[server.address]);
        assert_eq!(crawled.names(), names);
        assert_eq!(crawled.locs(), rows.locs(BASE));
    }
    // An earlier address still has all its rows.
    assert_eq!(
        urls(get(server.address, "/sitemap-pages.xml", &[]).text()).len(),
        30
    );
    assert_eq!(
        urls(get(server.address, "/sitemap-pages.10~.xml", &[]).text()).len(),
        20
    );
}

#[test]
fn rows_that_come_in_the_middle_are_in_their_part_until_it_is_split() {
    let rows = Rows::new(0);
    (1..=40).for_each(|n| rows.put(n * 100));
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    crawl(BASE, &[server.address]);
    (1..=15).for_each(|n| rows.put(1_000 + n));
    (3_001..3_010).for_each(|n| rows.put(n));
    thread::sleep(AGE);
    let crawled = crawl(BASE, &[server.address]);
    assert_eq!(crawled.locs(), rows.locs(BASE));
    assert_eq!(
        crawled.parts.iter().map(Vec::len).collect::<Vec<_>>(),
        [5, 21, 12, 20, 6]
    );

    server.block_on(site.refresh()).unwrap();
    let crawled = crawl(BASE, &[server.address]);
    assert_eq!(crawled.locs(), rows.locs(BASE));
    assert_eq!(
        crawled.names(),
        [
            "sitemap-pages.~500.xml",
            "sitemap-pages.500~1006.xml",
            "sitemap-pages.1006~1012.xml",
            "sitemap-pages.1012~2200.xml",
            "sitemap-pages.2200~3001.xml",
            "sitemap-pages.3001~3400.xml",
            "sitemap-pages.3400~.xml",
        ]
    );
}

#[test]
fn rows_that_go_leave_no_empty_parts_in_the_index() {
    let rows = Rows::new(60);
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    crawl(BASE, &[server.address]);
    (11..=38).for_each(|id| rows.remove(id));
    (52..=60).for_each(|id| rows.remove(id));
    thread::sleep(AGE);
    // Found empty on request, and not listed from then on.
    assert_eq!(get(server.address, "/sitemap-pages.10~20.xml", &[]).status, 404);
    let index = sitemaps(get(server.address, "/sitemap.xml", &[]).text());
    assert!(index.iter().all(|part| !part.loc.contains("10~20")), "{index:?}");

    server.block_on(site.refresh()).unwrap();
    let crawled = crawl(BASE, &[server.address]);
    assert_eq!(crawled.locs(), rows.locs(BASE));
    assert_eq!(
        crawled.names(),
        ["sitemap-pages.~10.xml", "sitemap-pages.10~.xml"]
    );
    // Rows can be added in the gap between two parts.
    rows.put(25);
    thread::sleep(AGE);
    assert_eq!(crawl(BASE, &[server.address]).locs(), rows.locs(BASE));
}

/// A part that has grown beyond what a sitemap may have is 503 if there is no copy of it, and split at once.
#[test]
fn a_part_that_is_too_large_is_split_at_once() {
    let rows = Rows::new(0);
    (1..=60_000).step_by(4).for_each(|id| rows.put(id));
    let site = SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .max_age(AGE)
        .memory_bytes(0)
        .build()
        .unwrap();
    let server = Server::start(&site);
    crawl(BASE, &[server.address]);
    (1..=59_995).for_each(|id| rows.put(id));
    let path = "/sitemap-pages.~57061.xml";
    thread::sleep(AGE);
    let response = get(server.address, path, &[]);
    assert_eq!(
        (response.status, response.header("retry-after")),
        (503, Some("60"))
    );
    let mut tries = 0;
    while sitemaps(get(server.address, "/sitemap.xml", &[]).text()).len() < 6 {
        tries += 1;
        assert!(tries < 500);
        thread::sleep(Duration::from_millis(20));
    }
    let crawled = crawl(BASE, &[server.address]);
    assert_eq!(crawled.locs(), rows.locs(BASE));
    assert!(crawled.parts.iter().all(|part| part.len() <= 15_000));
}

/// Skipped rows are no entries, but are read.
#[test]
fn a_range_of_many_rows_with_few_entries_is_refused_without_a_query() {
    let rows = Rows::new(60_000);
    (1..=60_000)
        .filter(|id| id % 100 != 0)
        .for_each(|id| rows.change(id, |page| page.draft = true));
    let site = SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .build()
        .unwrap();
    let server = Server::start(&site);
    server.block_on(site.warm("pages")).unwrap();
    let queries = rows.queries();
    assert_eq!(get(server.address, "/sitemap-pages.xml", &[]).status, 503);
    assert_eq!(rows.queries(), queries);
}

/// Its rows are never counted completely.
struct Uncounted(Rows);

impl Source for Uncounted {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        self.0.rows(span, limit).await
    }

    async fn keys(&self, _: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
        std::future::pending().await
    }
}

#[test]
fn before_the_table_is_there_no_more_rows_are_read_than_a_part_can_have() {
    let rows = Rows::new(60_000);
    (1..=60_000).for_each(|id| rows.change(id, |page| page.draft = true));
    let site = SiteBuilder::new(BASE)
        .section("pages", Uncounted(rows.clone()))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let response = get(server.address, "/sitemap-pages.xml", &[]);
    assert_eq!(
        (response.status, response.text()),
        (
            503,
            "Service Unavailable: the pages of the site are still being counted\n"
        )
    );
    assert_eq!(rows.queries(), 50);
}

/// The limit itself is no problem.
#[test]
fn a_range_is_served_up_to_the_limit() {
    for (count, status) in [(50_000, 200), (50_001, 503)] {
        let rows = Rows::new(count);
        let site = SiteBuilder::new(BASE).section("pages", rows).build().unwrap();
        let server = Server::start(&site);
        server.block_on(site.ready()).unwrap();
        let all = get(server.address, "/sitemap-pages.xml", &[]);
        assert_eq!(all.status, status);
        if status == 200 {
            assert_eq!(urls(all.text()).len(), 50_000);
        }
    }
}

#[test]
fn before_the_table_is_there_the_index_is_503_and_parts_are_served() {
    let rows = Rows::new(35);
    // A later check would be a query.
    let site = site(&rows).max_age(Duration::from_secs(600)).build().unwrap();
    let server = Server::start(&site);
    rows.close();
    let index = get(server.address, "/sitemap.xml", &[]);
    assert_eq!(
        (index.status, index.text()),
        (
            503,
            "Service Unavailable: the pages of the site are still being counted\n"
        )
    );
    // The duration of the count so far, whatever the machine's load.
    let retry_after = index.header("retry-after").and_then(|text| text.parse().ok());
    assert!(
        retry_after.is_some_and(|seconds: u32| (4..60).contains(&seconds)),
        "{index:?}"
    );
    assert_eq!(rows.waiting(), 1, "the table is gone on with");
    rows.open(1000);
    assert_eq!(
        urls(get(server.address, "/sitemap-pages.10~20.xml", &[]).text()).len(),
        10
    );
    server.block_on(site.ready()).unwrap();
    // Work that was started before may end now.
    let is_no_query = (0..20).any(|_| {
        let queries = rows.queries();
        assert_eq!(sitemaps(get(server.address, "/sitemap.xml", &[]).text()).len(), 4);
        rows.queries() == queries
    });
    assert!(is_no_query, "the index is a query");
}

#[test]
fn the_last_good_table_stays_while_a_refresh_fails() {
    let rows = Rows::new(25);
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    let before = get(server.address, "/sitemap.xml", &[]);
    rows.fail_above(0);
    thread::sleep(AGE);
    let after = get(server.address, "/sitemap.xml", &[]);
    assert_eq!((after.status, after.body), (200, before.body));
    let error = server.block_on(site.refresh()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section `pages`: the rows cannot be counted: secret: the database is gone"
    );
}

/// Rows counted before a failure are not counted again.
#[test]
fn a_table_that_is_half_made_is_gone_on_with() {
    let rows = Rows::new(1_000);
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    rows.fail_above(500);
    server.block_on(site.ready()).unwrap_err();
    let queries = rows.queries();
    rows.fail_above(i64::MAX);
    server.block_on(site.ready()).unwrap();
    assert!(
        rows.queries() - queries < 60,
        "{} queries",
        rows.queries() - queries
    );
    assert_eq!(crawl(BASE, &[server.address]).locs(), rows.locs(BASE));
}

/// The lastmod of a part is its newest entry's. It is unknown if any entry has none.
#[test]
fn lastmods_do_not_lie() {
    let rows = Rows::new(25);
    rows.change(15, |page| page.updated = None);
    let server = Server::start(&site(&rows).build().unwrap());
    let index = sitemaps(get(server.address, "/sitemap.xml", &[]).text());
    let lastmods: Vec<_> = index.iter().map(|part| part.lastmod.as_deref()).collect();
    assert_eq!(lastmods, [Some("2026-05-11"), None, Some("2026-05-26")]);
    // A change in the middle is seen when the part is rendered.
    rows.change(5, |page| page.updated = "2026-06-01".parse().ok());
    thread::sleep(AGE);
    get(server.address, "/sitemap-pages.~10.xml", &[]);
    let index = sitemaps(get(server.address, "/sitemap.xml", &[]).text());
    assert_eq!(index[0].lastmod.as_deref(), Some("2026-06-01"));
}

/// Two instances with tables of different age, behind a balancer that alternates between them.
#[test]
fn any_instance_serves_what_another_lists() {
    let rows = Rows::new(45);
    let start = || Server::start(&site(&rows).max_age(Duration::from_secs(600)).build().unwrap());
    let old = start();
    crawl(BASE, &[old.address]);
    (46..=80).for_each(|id| rows.put(id));
    let new = start();
    for order in [[old.address, new.address], [new.address, old.address]] {
        let mut locs = crawl(BASE, &order).locs();
        let always: Vec<_> = Rows::new(45).locs(BASE);
        assert!(always.iter().all(|loc| locs.contains(loc)));
        let count = locs.len();
        locs.sort();
        locs.dedup();
        assert_eq!(locs.len(), count, "none is there twice");
    }
    // The same content has the same tag everywhere.
    let tag = |server: &Server| {
        get(server.address, "/sitemap-pages.10~20.xml", &[])
            .header("etag")
            .map(str::to_owned)
    };
    assert_eq!(tag(&old), tag(&new));
}

/// A table in a store, and the number of times it was loaded.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Option<String>>>, Arc<AtomicUsize>);

impl TableStore for Counting {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let table = self.0.lock().unwrap().clone();
        Ok(table.map(|table| (table, Version::new(String::new()))))
    }

    async fn save(&self, table: String, _: Option<Version>) -> Result<bool, BoxError> {
        *self.0.lock().unwrap() = Some(table);
        Ok(true)
    }
}

/// A count of all rows is due until it has ended. In the meantime, requests start no tasks that wait for it, and load no tables.
#[tokio::test]
async fn requests_during_a_count_of_all_rows_cost_nothing() {
    let (rows, store) = (Rows::new(200), Counting::default());
    let site = SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(Duration::from_secs(600))
        .recount_after(Duration::from_millis(100))
        .table_store(store.clone())
        .build()
        .unwrap();
    site.ready().await.unwrap();
    // Until the table is stored and all rows are due.
    tokio::time::sleep(Duration::from_secs(1)).await;
    rows.close();
    let ask = async || {
        let request = Request::get("/sitemap.xml").body(()).unwrap();
        assert_eq!(site.respond(&request).await.status(), 200);
        tokio::task::yield_now().await;
    };
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (loads, before) = (store.1.load(Ordering::SeqCst), tasks());
    for _ in 0..100 {
        ask().await;
    }
    let queries = rows.waiting();
    let more = tasks() - before;
    assert_eq!((queries, store.1.load(Ordering::SeqCst) - loads), (1, 0));
    assert!((1..=5).contains(&more), "{more} tasks more");
}

/// Keys whose addresses have no room in a name cost neither the site nor a page: parts end at others near, or their ends are hashes.
#[test]
fn parts_end_at_keys_that_have_an_address() {
    let short = |row: usize| format!("{row:06}");
    let long = |row: usize| format!("{row:06}{}", "a".repeat(180));
    let russian = |row: usize| format!("{row:06}{}", "ж".repeat(24));
    let few_long = |row: usize| {
        if row.is_multiple_of(10) {
            long(row)
        } else {
            short(row)
        }
    };
    for (name, key, is_hashed) in [
        ("few", &few_long as &dyn Fn(usize) -> String, false),
        ("long", &long, true),
        ("russian", &russian, true),
    ] {
        let keys: Vec<String> = (0..600).map(key).collect();
        let shared = keys.clone();
        let source = Section::new(source::rows(move |span: Span, limit| {
            let text = |key: Option<Key>| key.map(|key| key.to_string());
            let (after, to) = (text(span.after), text(span.to));
            let within = shared.iter().filter(|key| {
                after.as_ref().is_none_or(|after| *key > after) && to.as_ref().is_none_or(|to| *key <= to)
            });
            let rows = within
                .take(limit)
                .map(|key| Row::new(key.clone(), UrlEntry::new(format!("/{key}"))));
            let rows: Vec<_> = rows.collect();
            async move { Ok::<_, BoxError>(rows) }
        }));
        let site = || {
            let mut site = SiteBuilder::new(BASE);
            site.section("pages", source.clone()).part_rows(20);
            Server::start(&site.build().unwrap())
        };
        let (one, other) = (site(), site());
        // Before the rows are counted, the range of a hash is not known, and the answer is no 404.
        let crawled = |server: &Server| {
            let index = loop {
                let index = get(server.address, "/sitemap.xml", &[]);
                if index.status == 200 {
                    break index;
                }
            };
            sitemaps(index.text())
        };
        let parts = crawled(&one);
        assert!(parts.len() > 20, "{name}");
        assert_eq!(
            parts.iter().any(|part| part.loc.contains("_h")),
            is_hashed,
            "{name}"
        );
        assert!(parts.iter().all(|part| part.loc.len() < 230));
        if is_hashed {
            let path = parts[1].loc.strip_prefix(BASE).unwrap();
            assert_eq!(get(other.address, path, &[]).status, 503, "{name}");
        }
        assert_eq!(crawled(&other), parts, "{name}");
        let mut found = Vec::new();
        for part in &parts {
            let response = get(other.address, part.loc.strip_prefix(BASE).unwrap(), &[]);
            assert_eq!(response.status, 200, "{name} {}", part.loc);
            found.extend(urls(response.text()).into_iter().map(|page| page.loc));
        }
        let mut expected: Vec<_> = keys
            .iter()
            .map(|key| format!("{BASE}/{}", key.replace('ж', "%D0%B6")))
            .collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{name}");
        let made_up = format!("/sitemap-pages.~_h{}.xml", "0".repeat(32));
        assert_eq!(get(other.address, &made_up, &[]).status, 503);
    }
}

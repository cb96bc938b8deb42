//! Who waits for whom: a section, a store or a client that hangs does not hold up others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Page, Rows, body, sitemaps};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::storage::Version;
use sitemap_site::{Site, SiteBuilder, Sites, TableStore};
use tokio::time::{Instant, sleep, timeout};

/// The parts in the index, as paths.
async fn parts(site: &Site) -> Vec<String> {
    let index = site
        .respond(&Request::get("/sitemap.xml").body(()).unwrap())
        .await;
    let index = sitemaps(&body(index).await);
    let paths = index
        .iter()
        .map(|part| part.loc.replace("https://example.com", ""));
    paths.collect()
}

/// The status of a request, and its time in seconds.
async fn ask(site: &Site, path: &str) -> (u16, u64) {
    let started = Instant::now();
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), started.elapsed().as_secs())
}

/// All parts of a section are requested while its queries hang. The parts of another one do not wait, listed or not.
#[tokio::test(start_paused = true)]
async fn a_section_that_hangs_leaves_turns_to_the_others() {
    for made_up in [0, 600] {
        let (hanging, others) = (Rows::new(1_000), Rows::new(100));
        let site = SiteBuilder::new("https://example.com")
            .section("hanging", hanging.clone())
            .section("others", others)
            .part_rows(10)
            .build()
            .unwrap();
        site.refresh().await.unwrap();
        let listed = parts(&site).await;
        hanging.close();
        let invented = (0..made_up).map(|n| format!("/sitemap-hanging.{n}~{}.xml", n + 17));
        let asked = listed.iter().filter(|part| part.contains("hanging")).cloned();
        let clients: Vec<_> = invented
            .chain(asked)
            .map(|path| {
                let site = site.clone();
                tokio::spawn(async move { ask(&site, &path).await })
            })
            .collect();
        sleep(Duration::from_millis(10)).await;
        assert_eq!(hanging.waiting(), 2);
        for part in listed.iter().filter(|part| part.contains("others")) {
            assert_eq!(ask(&site, part).await, (200, 0), "{part}");
        }
        assert_eq!(ask(&site, "/sitemap-others.3~7.xml").await, (200, 0));
        drop(clients);
    }
}

/// The sites of a process share no turns.
#[tokio::test(start_paused = true)]
async fn a_host_that_hangs_leaves_turns_to_the_others() {
    let hanging = Rows::new(1_000);
    let site = |rows: &Rows| {
        let mut site = SiteBuilder::new("https://example.com");
        site.section("pages", rows.clone()).part_rows(10).build().unwrap()
    };
    let (first, second) = (site(&hanging), site(&Rows::new(100)));
    let (one, other) = (first.clone(), second.clone());
    let sites = Sites::by_host(move |host| {
        Some(if host == "a.example" {
            one.clone()
        } else {
            other.clone()
        })
    });
    let (of_first, of_second) = (parts(&first).await, parts(&second).await);
    first.purge("pages").unwrap();
    hanging.close();
    let get = |host: &str, path: &str| {
        let request = Request::get(path).header("host", host).body(()).unwrap();
        sites.respond(&request)
    };
    for path in &of_first {
        tokio::spawn(get("a.example", path));
    }
    sleep(Duration::from_millis(10)).await;
    assert_eq!(hanging.waiting(), 4);
    for path in &of_second {
        let response = timeout(Duration::from_secs(1), get("b.example", path)).await;
        assert_eq!(response.unwrap().status(), 200);
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

/// The first index and `ready` take no longer than a client waits, whichever clients leave, and the store's failure is counted.
#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_is_waited_for_once() {
    let site = || {
        let mut site = SiteBuilder::new("https://example.com");
        site.section("pages", Rows::new(100)).part_rows(10);
        site.table_store(Silent).build().unwrap()
    };
    let ready = site();
    let started = Instant::now();
    ready.ready().await.unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );

    let site = site();
    for _ in 0..3 {
        // The client leaves.
        let second = Duration::from_millis(1_200);
        assert!(timeout(second, ask(&site, "/sitemap.xml")).await.is_err());
    }
    assert_eq!(ask(&site, "/sitemap.xml").await, (200, 0));
    assert_eq!(site.stats().store_failures, 0);
    sleep(Duration::from_secs(60)).await;
    assert!(site.stats().store_failures > 0);
    // The next load hangs too.
    assert_eq!(ask(&site, "/sitemap.xml").await.0, 200);
}

/// Rows whose keys cannot be read.
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

/// During the first count, requests leave no tasks, however many they are, and whether or not they are answered from the cache.
#[tokio::test(start_paused = true)]
async fn requests_during_the_first_count_leave_no_tasks() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Uncounted(Rows::new(10)))
        .build()
        .unwrap();
    assert_eq!(ask(&site, "/sitemap-pages.xml").await, (200, 0));
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..100 {
        assert_eq!(ask(&site, "/sitemap-pages.xml").await, (200, 0));
        let client = timeout(Duration::from_millis(10), ask(&site, "/sitemap.xml"));
        assert!(client.await.is_err());
    }
    assert!(tasks() <= before + 4, "{before} {}", tasks());
}

/// While the store hangs, changes leave no tasks.
#[tokio::test(start_paused = true)]
async fn changes_while_the_store_hangs_leave_no_tasks() {
    let rows = Rows::new(100);
    let mut site = SiteBuilder::new("https://example.com");
    site.section("pages", rows.clone()).table_store(Silent);
    let site = site.build().unwrap();
    site.ready().await.unwrap();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for id in 1..=100 {
        rows.change(id, |page| page.slug = format!("new{id}"));
        site.purge("pages").unwrap();
        assert_eq!(ask(&site, "/sitemap-pages.xml").await, (200, 0));
    }
    assert!(tasks() <= before + 3, "{before} {}", tasks());
}

/// A client that stops polling the response of a flat site, as a proxy that is paused, holds up nobody.
#[tokio::test(start_paused = true)]
async fn a_flat_site_is_not_built_by_a_client() {
    let rows = Rows::new(30);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .flat(true)
        .build()
        .unwrap();
    site.refresh().await.unwrap();
    rows.close();
    let mut held = Box::pin(ask(&site, "/sitemap.xml"));
    assert!(timeout(Duration::from_millis(10), &mut held).await.is_err());
    rows.open(1_000);
    assert_eq!(ask(&site, "/sitemap.xml").await, (200, 0));
    drop(held);
}

/// While a section hangs, a request for a flat site waits a second in all, and later ones do not, however many parts it has. A part that
/// was purged is in no copy.
#[tokio::test(start_paused = true)]
async fn the_last_copy_of_a_flat_site_is_not_held_up() {
    let (rows, others) = (Rows::new(200), Rows::new(200));
    let site = SiteBuilder::new("https://example.com")
        .section("rows", rows.clone())
        .section("others", others.clone())
        .part_rows(10)
        .max_age(Duration::from_millis(50))
        .flat(true)
        .build()
        .unwrap();
    assert_eq!(ask(&site, "/sitemap.xml").await, (200, 0));
    // Real time, not simulated.
    std::thread::sleep(Duration::from_millis(60));
    rows.close();
    others.put(201);
    let requests: Vec<_> = (0..5)
        .map(|_| {
            let site = site.clone();
            tokio::spawn(async move { ask(&site, "/sitemap.xml").await })
        })
        .collect();
    for request in requests {
        let (status, waited) = request.await.unwrap();
        assert!(status == 200 && waited <= 2, "{status} {waited}");
    }
    site.purge("rows").unwrap();
    let started = Instant::now();
    let gone = timeout(Duration::from_secs(30), ask(&site, "/sitemap.xml")).await;
    assert!(gone.is_err(), "{gone:?} after {:?}", started.elapsed());
}

/// Counting a long list leaves turns to other tasks of the same thread.
#[tokio::test]
async fn counting_a_list_leaves_turns_to_other_tasks() {
    let pages: Vec<_> = (0..100_000).map(|id| UrlEntry::new(format!("/{id}"))).collect();
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .build()
        .unwrap();
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&turns);
    let other = tokio::spawn(async move {
        loop {
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    });
    site.ready().await.unwrap();
    other.abort();
    // One for a thousand rows.
    assert!(turns.load(Ordering::Relaxed) > 90, "{turns:?}");
}

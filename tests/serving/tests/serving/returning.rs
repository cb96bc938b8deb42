//! Rows that disappear and return, and parts that temporarily cannot be rendered.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::thread;
use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Page, Response, Rows, get, logged, sitemaps, urls};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{ErrorKind, Site, SiteBuilder};

use crate::server::Server;

const BASE: &str = "https://example.com";
const AGE: Duration = Duration::from_millis(60);

fn site(source: impl Source) -> SiteBuilder {
    SiteBuilder::new(BASE)
        .section("pages", source)
        .part_rows(10)
        .max_age(AGE)
        .clone()
}

/// Counts keys without reading rows, like a database source.
struct Counted(Rows);

impl Source for Counted {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        self.0.rows(span, limit).await
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let rows = self.0.rows(span, limit).await?;
        Ok(rows
            .iter()
            .map(|row| DatedKey::new(row.key().clone(), None))
            .collect())
    }
}

/// Deterministic random numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        i64::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// A range of keys, often a whole part or two.
fn keys(random: &mut Random) -> RangeInclusive<i64> {
    match random.below(3) {
        0 => {
            let first = 1 + random.below(60);
            first..=first + random.below(20)
        }
        parts => {
            let first = 10 * random.below(6);
            first + 1..=first + 10 * parts
        }
    }
}

fn change(rows: &Rows, random: &mut Random) {
    let what = random.below(6);
    for id in keys(random) {
        match what {
            0 => rows.remove(id),
            1 | 2 => rows.put(id),
            3 => rows.change(id, |page| page.draft = true),
            4 => rows.change(id, |page| page.draft = false),
            // Longer than a loc may be.
            _ => rows.change(id, |page| page.slug = "x".repeat(3_000)),
        }
    }
}

/// After `max_age`, every row that can be listed is in a listed part, whatever was requested while rows disappeared and returned.
#[test]
fn every_row_is_listed_again() {
    for is_counted in [false, true] {
        let rows = Rows::new(60);
        let site = if is_counted {
            site(Counted(rows.clone()))
        } else {
            site(rows.clone())
        };
        let site = site.build().unwrap();
        let server = Server::start(&site);
        let mut random = Random(8);
        let mut parts: BTreeSet<String> = BTreeSet::new();
        let (mut gone, mut failed) = (0, 0);
        for round in 0..40 {
            for _ in 0..=random.below(3) {
                change(&rows, &mut random);
                for _ in 0..random.below(4) {
                    let at = random.below(10);
                    let path = match parts.iter().nth(usize::try_from(at).unwrap()) {
                        Some(part) => format!("/{part}"),
                        None => "/sitemap.xml".to_owned(),
                    };
                    get(server.address, &path, &[]);
                }
                if random.below(8) == 0 {
                    server.block_on(site.refresh()).unwrap();
                }
            }
            thread::sleep(AGE);
            let expected: BTreeSet<String> = rows
                .locs(BASE)
                .into_iter()
                .filter(|loc| loc.len() < 2_000)
                .collect();
            let index = get(server.address, "/sitemap.xml", &[]);
            if index.status == 404 {
                assert_eq!(expected, BTreeSet::new(), "round {round}");
                continue;
            }
            let mut found = BTreeSet::new();
            for listed in sitemaps(index.text()) {
                let name = listed.loc.strip_prefix(&format!("{BASE}/")).unwrap();
                let part = get(server.address, &format!("/{name}"), &[]);
                match part.status {
                    200 => found.extend(urls(part.text()).into_iter().map(|entry| entry.loc)),
                    404 => gone += 1,
                    500 => failed += 1,
                    other => panic!("{name}: {other}"),
                }
                parts.insert(name.to_owned());
            }
            let missing: Vec<_> = expected.difference(&found).collect();
            assert_eq!(missing, [""; 0], "counted: {is_counted}, round {round}");
        }
        assert!(
            gone > 0 && failed > 0,
            "counted: {is_counted}: {gone} empty, {failed} failed"
        );
    }
}

#[test]
fn a_part_of_which_all_rows_are_left_out_fails_and_stays_in_the_index() {
    for is_counted in [false, true] {
        let rows = Rows::new(25);
        (11..=20).for_each(|id| rows.change(id, |page| page.slug = "x".repeat(3_000)));
        let site = if is_counted {
            site(Counted(rows.clone()))
        } else {
            site(rows.clone())
        };
        let site = site.build().unwrap();
        let request = Request::get("/sitemap-pages.10~20.xml").body(()).unwrap();
        let (status, log) = logged(async {
            let index = Request::get("/sitemap.xml").body(()).unwrap();
            assert_eq!(site.respond(&index).await.status(), 200);
            site.respond(&request).await.status()
        });
        assert_eq!(status, 500);
        let [left_out @ .., last] = &log[..] else {
            panic!("nothing is logged");
        };
        assert_eq!(left_out.len(), 10, "{log:?}");
        let start = "ERROR sitemap-pages.10~20.xml cannot be rendered: none of its rows can be listed: 10 are skipped, the first of them since ";
        assert!(last.starts_with(start) && last.ends_with(" (row 11)"), "{last}");
        assert_eq!(site.stats().failures, 1);

        let server = Server::start(&site);
        for _ in 0..2 {
            let part = get(server.address, "/sitemap-pages.10~20.xml", &[]);
            assert_eq!(
                (part.status, part.text()),
                (
                    500,
                    "Internal Server Error: none of the pages of this part can be listed\n"
                )
            );
            let index = sitemaps(get(server.address, "/sitemap.xml", &[]).text());
            assert_eq!(index.len(), 3);
            thread::sleep(AGE);
        }
    }
}

/// Returns `true` if it has an age. On a slow machine, this may be seconds.
fn has_age(response: &Response) -> bool {
    response
        .header("age")
        .is_some_and(|age| age.parse::<u64>().is_ok())
}

/// The last copy is served while a part cannot be rendered, with its age.
#[test]
fn a_part_that_cannot_be_rendered_is_served_as_it_was() {
    const PART: &str = "/sitemap-pages.~10.xml";
    let rows = Rows::new(25);
    let site = site(rows.clone()).build().unwrap();
    let server = Server::start(&site);
    server.block_on(site.ready()).unwrap();
    let good = get(server.address, PART, &[]);
    assert_eq!((good.status, good.header("age")), (200, None));
    let etag = good.header("etag").unwrap().to_owned();
    for unavailable in [false, true] {
        rows.fail_above(0);
        rows.unavailable(unavailable);
        thread::sleep(AGE);
        let failures = site.stats().failures;
        for _ in 0..3 {
            let last = get(server.address, PART, &[]);
            assert_eq!((last.status, last.header("etag")), (200, Some(&*etag)));
            assert_eq!((has_age(&last), last.text()), (true, good.text()));
            let condition = format!("If-None-Match: {etag}");
            let not_modified = get(server.address, PART, &[&condition]);
            assert_eq!((not_modified.status, has_age(&not_modified)), (304, true));
        }
        // It is retried after a while, not on each request.
        assert!((failures + 1..failures + 6).contains(&site.stats().failures));
        let other = get(server.address, "/sitemap-pages.10~20.xml", &[]);
        assert_eq!(other.status, if unavailable { 503 } else { 500 });
        rows.fail_above(i64::MAX);
        thread::sleep(AGE);
        let again = get(server.address, PART, &[]);
        assert_eq!((again.status, again.header("age")), (200, None));
    }
    // An empty part is not a failure.
    (1..=10).for_each(|id| rows.remove(id));
    thread::sleep(AGE);
    assert_eq!(get(server.address, PART, &[]).status, 404);
}

fn locs(server: &Server, path: &str) -> Vec<String> {
    let part = get(server.address, path, &[]);
    urls(part.text()).into_iter().map(|entry| entry.loc).collect()
}

/// Even within `max_age`.
#[test]
fn a_deleted_row_is_gone_after_a_refresh_or_a_purge() {
    const PART: &str = "/sitemap-pages.~10.xml";
    let rows = Rows::new(25);
    let site = site(rows.clone())
        .max_age(Duration::from_secs(600))
        .stale_while_revalidate(Duration::from_secs(30))
        .build()
        .unwrap();
    let server = Server::start(&site);
    server.block_on(site.warm("pages")).unwrap();
    assert_eq!(site.stats().renderings, 3);
    server.block_on(site.warm("pages")).unwrap();
    assert_eq!(site.stats().renderings, 3, "they are fresh");
    let first = get(server.address, PART, &[]);
    assert_eq!(
        first.header("cache-control"),
        Some("public, max-age=600, stale-while-revalidate=30, stale-if-error=86400")
    );
    let condition = format!("If-None-Match: {}", first.header("etag").unwrap());
    let purge = |name: &str| site.purge(name).unwrap();
    for (id, renew) in [
        (1, &(|| server.block_on(site.refresh()).unwrap()) as &dyn Fn()),
        (2, &|| purge("pages")),
        (3, &|| purge("sitemap-pages.~10.xml")),
    ] {
        let loc = format!("{BASE}/p{id}");
        rows.remove(id);
        assert!(locs(&server, PART).contains(&loc), "it is fresh");
        renew();
        assert_eq!(get(server.address, PART, &[&condition]).status, 200);
        assert!(!locs(&server, PART).contains(&loc));
    }
    // A purge of one part leaves the others.
    server.block_on(site.warm("pages")).unwrap();
    let renderings = site.stats().renderings;
    purge("sitemap-pages.~10.xml");
    server.block_on(site.warm("pages")).unwrap();
    assert_eq!(site.stats().renderings, renderings + 1);

    // Deleted rows are not served from the cache while the rows cannot be read.
    rows.fail_above(0);
    purge("pages");
    assert_eq!(get(server.address, PART, &[]).status, 500);
    let error = server.block_on(site.warm("pages")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section `pages`: 3 of 3 parts cannot be rendered, for the reasons in the log"
    );
    for unknown in ["page", "sitemap-pages", "sitemap-other.xml", "sitemap.xml"] {
        let error = site.purge(unknown).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Setting, "{unknown}");
        assert_eq!(
            error.to_string(),
            format!("section `{unknown}`: the site has no section of this name, and no part of this address")
        );
    }
}

#[test]
fn warming_fails_where_an_old_copy_is_all_there_is_and_not_where_nothing_is() {
    let rows = Rows::new(25);
    let site = site(rows.clone()).build().unwrap();
    let server = Server::start(&site);
    server.block_on(site.warm("pages")).unwrap();
    rows.fail_above(0);
    thread::sleep(AGE);
    assert_eq!(
        get(server.address, "/sitemap-pages.~10.xml", &[]).status,
        200,
        "its last copy"
    );
    let error = server.block_on(site.warm("pages")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section `pages`: 3 of 3 parts cannot be rendered, for the reasons in the log"
    );
    rows.fail_above(i64::MAX);
    (11..=20).for_each(|id| rows.remove(id));
    thread::sleep(AGE);
    let failures = site.stats().failures;
    server.block_on(site.warm("pages")).unwrap();
    server.block_on(site.warm("sitemap-pages.10~20.xml")).unwrap();
    assert_eq!(site.stats().failures, failures);
}

/// Requests a part before and after a purge, while its rows are being read. Each request has its own rendering.
fn purged_in_the_middle(part: &str) -> (Server, Site) {
    let rows = Rows::new(25);
    let site = site(rows.clone())
        .max_age(Duration::from_secs(600))
        .build()
        .unwrap();
    let server = Server::start(&site);
    assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 200);
    rows.close();
    let ask_until_waiting = |waiting: u64| {
        let response = server.spawn(site.respond(&Request::get(part).body(()).unwrap()));
        let waited = (0..5_000).find(|_| {
            thread::sleep(Duration::from_millis(1));
            rows.waiting() == waiting
        });
        assert!(waited.is_some(), "{} queries wait", rows.waiting());
        response
    };
    let before = ask_until_waiting(1);
    site.purge("pages").unwrap();
    let after = ask_until_waiting(2);
    rows.open(2);
    for response in [before, after] {
        assert_eq!(server.block_on(response).unwrap().status(), 200);
    }
    assert_eq!(site.stats().renderings, 2);
    (server, site)
}

/// A rendering that began before a purge is neither cached nor shared with later requests.
#[test]
fn a_rendering_from_before_a_purge_is_for_those_who_asked_before() {
    const PART: &str = "/sitemap-pages.~10.xml";
    let (server, site) = purged_in_the_middle(PART);
    assert_eq!(get(server.address, PART, &[]).status, 200);
    assert_eq!(site.stats().renderings, 2, "the later one is kept");
}

/// The same holds if the part was rendered again since, or its range is in no table.
#[test]
fn a_purge_counts_for_ranges_that_are_not_in_the_table() {
    purged_in_the_middle("/sitemap-pages.~20.xml");
}

#[test]
fn an_address_may_be_percent_encoded() {
    let site = site(Rows::new(25)).build().unwrap();
    let server = Server::start(&site);
    let (plain, encoded) = ("/sitemap-pages.10~20.xml", "/sitemap-pages.10%7E20.xml");
    assert_eq!(get(server.address, encoded, &[]).status, 200);
    assert_eq!(locs(&server, plain), locs(&server, encoded));
}

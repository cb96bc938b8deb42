//! The lifetime of a response, and the cost of checking whether it is still current.

use std::thread;
use std::time::Duration;

use sitemap_serving_tests::{Rows, get, urls};
use sitemap_site::SiteBuilder;

use crate::server::Server;

const PART: &str = "/sitemap-pages.xml";
const AGE: Duration = Duration::from_millis(300);

fn site(rows: &Rows) -> SiteBuilder {
    SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .max_age(AGE)
        .clone()
}

#[test]
fn rows_are_read_once_while_an_answer_is_fresh() {
    let rows = Rows::new(10);
    let site = site(&rows).max_age(Duration::from_secs(600)).build().unwrap();
    let server = Server::start(&site);
    get(server.address, "/sitemap.xml", &[]);
    let first = get(server.address, PART, &[]);
    let queries = rows.queries();
    rows.change(5, |page| page.slug = "other".to_owned());
    for _ in 0..3 {
        assert_eq!(get(server.address, PART, &[]).body, first.body);
        get(server.address, "/sitemap.xml", &[]);
        let etag = format!("If-None-Match: {}", first.header("etag").unwrap());
        assert_eq!(get(server.address, PART, &[&etag]).status, 304);
    }
    assert_eq!(rows.queries(), queries);
    assert_eq!(site.stats().not_modified, 3);
}

#[test]
fn an_answer_that_is_not_fresh_is_made_anew() {
    let rows = Rows::new(10);
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    get(server.address, "/sitemap.xml", &[]);
    let first = get(server.address, PART, &[]);
    rows.change(5, |page| page.slug = "other".to_owned());
    rows.put(11);
    thread::sleep(AGE);
    let condition = format!("If-None-Match: {}", first.header("etag").unwrap());
    let second = get(server.address, PART, &[&condition]);
    assert_eq!(second.status, 200);
    assert_eq!(urls(second.text()).len(), 11);
    assert!(second.text().contains("https://example.com/other"));
    assert_ne!(second.header("etag"), first.header("etag"));
}

/// Nothing is cached, but the hash is known.
#[test]
fn a_client_that_has_it_needs_no_rows_even_where_nothing_is_kept() {
    let rows = Rows::new(10);
    let site = site(&rows)
        .max_age(Duration::from_secs(600))
        .memory_bytes(0)
        .build()
        .unwrap();
    let server = Server::start(&site);
    get(server.address, "/sitemap.xml", &[]);
    let first = get(server.address, PART, &[]);
    assert_eq!(site.stats().cached_bytes, 0);
    let queries = rows.queries();
    let condition = format!("If-None-Match: {}", first.header("etag").unwrap());
    assert_eq!(get(server.address, PART, &[&condition]).status, 304);
    assert_eq!(rows.queries(), queries);
    assert_eq!(get(server.address, PART, &[]).body, first.body);
    assert!(rows.queries() > queries);
}

#[test]
fn the_same_version_needs_no_rows() {
    let rows = Rows::new(10);
    rows.set_version("one");
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    get(server.address, "/sitemap.xml", &[]);
    let first = get(server.address, PART, &[]);
    let renderings = site.stats().renderings;
    rows.change(5, |page| page.slug = "other".to_owned());
    thread::sleep(AGE);
    assert_eq!(get(server.address, PART, &[]).body, first.body);
    assert_eq!(site.stats().renderings, renderings);
    rows.set_version("two");
    thread::sleep(AGE);
    assert_ne!(get(server.address, PART, &[]).body, first.body);
    assert_eq!(site.stats().renderings, renderings + 1);
}

/// Unlisted ranges are rendered, but not cached, because there are too many of them.
#[test]
fn only_what_the_index_names_is_kept() {
    let rows = Rows::new(100);
    let site = site(&rows).build().unwrap();
    let server = Server::start(&site);
    get(server.address, "/sitemap.xml", &[]);
    for n in 1..50 {
        assert_eq!(
            get(server.address, &format!("/sitemap-pages.{n}~.xml"), &[]).status,
            200
        );
    }
    assert_eq!(site.stats().cached_bytes, 0);
    get(server.address, PART, &[]);
    assert!(site.stats().cached_bytes > 0);
}

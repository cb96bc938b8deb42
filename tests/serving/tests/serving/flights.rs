//! Many concurrent requests, and clients that disconnect. Slow clients are in `tests/load`.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use http::Request;
use sitemap_serving_tests::{Client, Rows, get, listed, urls};
use sitemap_site::{Site, SiteBuilder};

use crate::server::Server;

const PART: &str = "/sitemap-pages.xml";

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn asked(server: SocketAddr, path: &str) -> Client {
    let mut client = Client::connect(server);
    client.send(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
    client
}

/// A server with a complete table, and the number of queries for it.
fn ready(rows: &Rows, site: &Site) -> (Server, u64) {
    let server = Server::start(site);
    server.block_on(site.refresh()).unwrap();
    (server, rows.queries())
}

#[test]
fn one_rendering_for_all_who_ask() {
    let rows = Rows::new(100);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .build()
        .unwrap();
    let (server, before) = ready(&rows, &site);
    rows.close();
    let clients: Vec<_> = (0..50).map(|_| asked(server.address, PART)).collect();
    wait_until("all have asked", || site.stats().requests == 50);
    assert_eq!((rows.queries() - before, site.stats().under_way), (1, 1));
    rows.open(1);
    for mut client in clients {
        assert_eq!(urls(client.receive(true).unwrap().text()).len(), 100);
    }
    assert_eq!((rows.queries() - before, site.stats().renderings), (1, 1));
}

/// A rendering continues as long as a client waits for it, and is cancelled after the last one.
#[test]
fn those_who_leave_end_what_nobody_else_waits_for() {
    let rows = Rows::new(100);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .build()
        .unwrap();
    let (server, _) = ready(&rows, &site);
    rows.close();
    let mut clients: Vec<_> = (0..50).map(|_| asked(server.address, PART)).collect();
    wait_until("all have asked", || site.stats().requests == 50);
    let mut last = clients.pop().unwrap();
    drop(clients);
    thread::sleep(Duration::from_millis(100));
    assert_eq!((rows.waiting(), site.stats().under_way), (1, 1));
    rows.open(1);
    assert_eq!(urls(last.receive(true).unwrap().text()).len(), 100);

    let other = asked(server.address, "/sitemap-pages.5~50.xml");
    wait_until("the query waits", || rows.waiting() == 1);
    drop(other);
    wait_until("the query is given up", || rows.waiting() == 0);
    wait_until("nothing is under way", || site.stats().under_way == 0);
}

#[test]
fn four_parts_are_rendered_at_a_time_and_the_others_wait() {
    let rows = Rows::new(100);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .build()
        .unwrap();
    let (server, before) = ready(&rows, &site);
    rows.close();
    let ask = |n: usize| {
        let name = format!("/sitemap-pages.{}~{}.xml", n * 10, n * 10 + 10);
        asked(server.address, &name)
    };
    let mut clients: Vec<_> = (1..=9).map(ask).collect();
    wait_until("all are under way", || site.stats().under_way == 9);
    wait_until("four queries at a time", || rows.waiting() == 4);
    // The rest of the site is not affected.
    assert_eq!(get(server.address, "/product", &[]).status, 200);
    rows.open(9);
    for client in &mut clients {
        assert_eq!(client.receive(true).unwrap().status, 200);
    }
    assert_eq!(rows.queries() - before, 9);
}

/// A client that makes up ranges does not delay parts of the table.
#[test]
fn ranges_that_are_not_listed_wait_for_those_that_are() {
    let rows = Rows::new(100);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .build()
        .unwrap();
    let (server, _) = ready(&rows, &site);
    rows.close();
    let made_up: Vec<_> = (1..=500_u64)
        .map(|n| {
            let request = Request::get(format!("/sitemap-pages.{}~{}.xml", n / 50, 200 + n % 50));
            let response = site.respond(&request.body(()).unwrap());
            server.spawn(response)
        })
        .collect();
    wait_until("all are under way", || site.stats().under_way == 500);
    let busy = get(server.address, "/sitemap-pages.1~99.xml", &[]);
    assert_eq!((busy.status, busy.header("retry-after")), (503, Some("30")));
    wait_until("two queries for them", || rows.waiting() == 2);
    let mut listed: Vec<_> = (1..=3)
        .map(|n| {
            asked(
                server.address,
                &format!("/sitemap-pages.{}~{}.xml", n * 10, n * 10 + 10),
            )
        })
        .collect();
    wait_until("two more for parts", || rows.waiting() == 4);
    wait_until("all wait", || site.stats().under_way == 503);
    rows.open(503);
    for client in &mut listed {
        assert_eq!(client.receive(true).unwrap().status, 200);
    }
    for response in made_up {
        assert_eq!(server.block_on(response).unwrap().status(), 200);
    }
}

/// An unlisted address cannot make the site read or divide the whole table.
#[test]
fn a_range_that_is_too_large_to_be_a_part_costs_little() {
    let rows = Rows::new(70_000);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .build()
        .unwrap();
    let (server, before) = ready(&rows, &site);
    let names = listed(server.address);
    let (_, last_end) = names[names.len() - 2].split_once('~').unwrap();
    let overgrown = "Service Unavailable: there are too many pages in this range, and the index lists smaller ones (sitemap.xml)\n";
    // The number of entries of whole parts is known. The first range was the address of a section with a single part.
    for path in ["/sitemap-pages.xml", &format!("/sitemap-pages.~{last_end}")] {
        let response = get(server.address, path, &[]);
        assert_eq!((response.status, response.text()), (503, overgrown));
        assert_eq!(response.header("retry-after"), Some("3600"));
    }
    assert_eq!(rows.queries(), before);
    // Other ranges cannot have been parts of so many rows, which ten queries show.
    for path in ["/sitemap-pages.5~.xml", "/sitemap-pages.5~50006.xml"] {
        let before = rows.queries();
        assert_eq!(get(server.address, path, &[]).status, 503);
        let after = rows.queries();
        assert_eq!(after - before, 10);
        thread::sleep(Duration::from_millis(300));
        assert_eq!(rows.queries(), after);
    }
    assert_eq!(get(server.address, "/sitemap-pages.5~1005.xml", &[]).status, 200);
    assert_eq!(site.stats().failures, 0);
}

#[test]
fn a_rendering_that_takes_too_long_is_given_up() {
    let rows = Rows::new(100);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .time_limit(Duration::from_millis(100))
        .build()
        .unwrap();
    let (server, _) = ready(&rows, &site);
    rows.close();
    let late = get(server.address, PART, &[]);
    assert_eq!((late.status, late.header("retry-after")), (503, Some("60")));
    assert_eq!((rows.waiting(), site.stats().under_way), (0, 0));

    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .time_limit(Duration::from_millis(100))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let index = get(server.address, "/sitemap.xml", &[]);
    assert_eq!(index.status, 503);
    assert!(index.header("retry-after").is_some());
    wait_until("the count is given up", || rows.waiting() == 0);
}

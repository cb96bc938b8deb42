//! Requirements for every framework with a site, in any mount.

use std::net::SocketAddr;

use sitemap_site::{Site, SiteBuilder};

use crate::client::{Client, Response, get, raw};
use crate::crawl::{crawl, inflate, sitemaps, urls};
use crate::rows::Rows;

const BASE: &str = "https://example.com";

/// The site that [`check`] expects: 25 rows in parts of 10. It is to be mounted at `/sitemap.xml` and `/sitemap-{part}`.
///
/// # Panics
/// If it cannot be built.
pub fn site() -> Site {
    SiteBuilder::new(BASE)
        .section("pages", Rows::new(25))
        .part_rows(10)
        .build()
        .expect("a site")
}

/// Crawls a server of that site, and asks it what crawlers, caches and vandals ask.
///
/// # Panics
/// If an answer is not as it should be.
pub fn check(server: SocketAddr) {
    every_row_is_listed_once(server);
    heads_are_whole(server);
    head_equals_get(server);
    http_1_0_is_whole(server);
    conditional_requests(server);
    encodings(server);
    methods(server);
    other_paths(server);
    pipelined(server);
}

fn every_row_is_listed_once(server: SocketAddr) {
    let crawled = crawl(BASE, &[server]);
    assert_eq!(
        crawled.names(),
        [
            "sitemap-pages.~10.xml",
            "sitemap-pages.10~20.xml",
            "sitemap-pages.20~.xml"
        ]
    );
    assert_eq!(crawled.locs(), Rows::new(25).locs(BASE));
    for (entry, part) in crawled.index.iter().zip(&crawled.parts) {
        let newest = part.iter().filter_map(|entry| entry.lastmod.as_ref()).max();
        assert_eq!(entry.lastmod.as_ref(), newest);
    }
}

#[track_caller]
fn part(server: SocketAddr, headers: &[&str]) -> Response {
    get(server, "/sitemap-pages.10~20.xml", headers)
}

/// The whole head of a response, sorted by name.
fn heads_are_whole(server: SocketAddr) {
    for path in ["/sitemap.xml", "/sitemap-pages.10~20.xml"] {
        let response = get(server, path, &[]);
        let etag = response.header("etag").expect("an ETag").to_owned();
        assert!(
            etag.len() == 34
                && etag
                    .trim_matches('"')
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit()),
            "{etag}"
        );
        let (length, expected) = (response.body.len().to_string(), |name: &str, value: &str| {
            (name.to_owned(), value.to_owned())
        });
        assert_eq!(
            response.head(),
            (
                200,
                vec![
                    expected(
                        "cache-control",
                        "public, max-age=600, stale-while-revalidate=86400, stale-if-error=86400"
                    ),
                    expected("content-length", &length),
                    expected("content-type", "application/xml; charset=utf-8"),
                    expected("etag", &etag),
                    expected("vary", "Accept-Encoding"),
                    expected("x-robots-tag", "noindex"),
                ]
            ),
            "{path}"
        );
    }
}

fn head_equals_get(server: SocketAddr) {
    for path in [
        "/sitemap.xml",
        "/sitemap-pages.10~20.xml",
        "/sitemap-pages.no~.xml",
    ] {
        for encoding in ["", "Accept-Encoding: gzip\r\n"] {
            let request = |method| {
                let request =
                    format!("{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{encoding}\r\n");
                raw(server, &request)
            };
            let (head, got) = (request("HEAD"), request("GET"));
            assert_eq!(head.head(), got.head(), "{path} {encoding}");
            assert!(head.body.is_empty());
        }
    }
}

/// An old client does not support chunks. It gets the length, and the connection closes after the body.
fn http_1_0_is_whole(server: SocketAddr) {
    let mut client = Client::connect(server);
    client.send("GET /sitemap-pages.10~20.xml HTTP/1.0\r\n\r\n");
    let response = client.receive(true).expect("a response");
    assert_eq!(urls(response.text()).len(), 10);
    assert_eq!(response.header("transfer-encoding"), None);
    assert_eq!(client.read(&mut [0]).expect("the end"), 0);
}

fn conditional_requests(server: SocketAddr) {
    let etag = part(server, &[]).header("etag").expect("an ETag").to_owned();
    for (condition, status) in [
        (format!("If-None-Match: {etag}"), 304),
        (format!("If-None-Match: W/{etag}"), 304),
        (format!("If-None-Match: \"x\", {etag}"), 304),
        ("If-None-Match: *".to_owned(), 304),
        ("If-None-Match: \"x\"".to_owned(), 200),
        // No lastmod is known.
        ("If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT".to_owned(), 200),
        // The request is for the whole part.
        ("Range: bytes=0-9".to_owned(), 200),
    ] {
        let response = part(server, &[&condition]);
        assert_eq!(response.status, status, "{condition}");
        assert_eq!(response.header("etag"), Some(&*etag), "{condition}");
        assert_eq!(response.header("vary"), Some("Accept-Encoding"), "{condition}");
        assert_eq!(response.body.is_empty(), status == 304);
        assert!(response.header("cache-control").is_some(), "{condition}");
    }
    let missing = get(server, "/sitemap-pages.90~.xml", &["If-None-Match: *"]);
    assert_eq!(missing.status, 404);
}

fn encodings(server: SocketAddr) {
    let plain = part(server, &[]);
    for accepted in ["gzip", "br, gzip;q=0.5", "*"] {
        let packed = part(server, &[&format!("Accept-Encoding: {accepted}")]);
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{accepted}");
        assert_eq!(
            packed.header("content-length"),
            Some(&*packed.body.len().to_string())
        );
        assert_eq!(inflate(&packed.body), plain.text());
        let (plain, packed) = (
            plain.header("etag").expect("an ETag"),
            packed.header("etag").expect("an ETag"),
        );
        assert_eq!(packed, format!("{}-gzip\"", plain.trim_end_matches('"')));
    }
    for refused in ["gzip;q=0", "br", "identity", "gzip;q=0.1, identity;q=0.2"] {
        let response = part(server, &[&format!("Accept-Encoding: {refused}")]);
        assert_eq!(response.header("content-encoding"), None, "{refused}");
        assert_eq!(
            response,
            Response {
                headers: response.headers.clone(),
                ..plain.clone()
            }
        );
    }
    let tag = plain.header("etag").expect("an ETag");
    let other = part(
        server,
        &["Accept-Encoding: gzip", &format!("If-None-Match: {tag}")],
    );
    assert_eq!(other.status, 200, "another encoding is another representation");
}

fn methods(server: SocketAddr) {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        for path in ["/sitemap.xml", "/sitemap-pages.10~20.xml"] {
            let request = format!(
                "{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            );
            let response = raw(server, &request);
            assert_eq!(response.status, 405, "{method}");
            assert_eq!(response.header("allow"), Some("GET, HEAD"));
            assert_eq!(response.header("cache-control"), Some("no-store"));
            assert_eq!(
                response.text(),
                "Method Not Allowed: a sitemap is requested by GET or HEAD\n"
            );
        }
    }
}

/// An address has only one spelling.
fn other_paths(server: SocketAddr) {
    for path in [
        "/sitemap-pages.xml.gz",
        "/sitemap-pages.010~20.xml",
        "/sitemap-pages.+10~20.xml",
        "/sitemap-pages.~.xml",
        "/sitemap-pages.10~20~30.xml",
        "/sitemap-pages.xml.xml",
        "/sitemap-drafts.xml",
        "/sitemap-.xml",
        "/sitemap-pages.20~10.xml",
        "/sitemap-pages.25~.xml",
        "/sitemap-pages.99999999999999999999~.xml",
    ] {
        let response = get(server, path, &[]);
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(response.header("x-robots-tag"), Some("noindex"), "{path}");
        assert!(response.text().starts_with("Not Found: "), "{path}");
    }
    let long = get(server, &format!("/sitemap-pages.{}~.xml", "9".repeat(5000)), &[]);
    assert_eq!(long.status, 404);
    // A range that the index does not list is still served, because another instance's index may list it.
    let other = get(server, "/sitemap-pages.3~12.xml", &[]);
    assert_eq!(urls(other.text()).len(), 9);
    // No address has a query, so queries are ignored.
    assert_eq!(get(server, "/sitemap.xml?x=1", &[]).status, 200);
}

/// Requests that do not wait for the responses of earlier ones.
fn pipelined(server: SocketAddr) {
    let mut client = Client::connect(server);
    let paths = [
        "/sitemap.xml",
        "/sitemap-pages.10~20.xml",
        "/sitemap-pages.77~.xml",
        "/sitemap-pages.20~.xml",
    ];
    for path in paths {
        client.send(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
    }
    let responses: Vec<_> = paths
        .iter()
        .map(|_| client.receive(true).expect("a response"))
        .collect();
    assert_eq!(sitemaps(responses[0].text()).len(), 3);
    assert_eq!(urls(responses[1].text()).len(), 10);
    assert_eq!(responses[2].status, 404);
    assert_eq!(urls(responses[3].text()).len(), 5);
}

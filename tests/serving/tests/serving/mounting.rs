//! The mount of a site, and its other documents.

use std::time::Duration;

use axum::Router;
use http::{Request, StatusCode};
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Log, Rows, crawl, get, inflate, logged, raw, sitemaps};
use sitemap_site::source::{self, Row};
use sitemap_site::{SiteBuilder, Sites};

use crate::server::Server;

/// A base with a path works with routers that keep the whole path, and with routers that strip the mount.
#[test]
fn a_base_with_a_path_is_mounted_either_way() {
    let base = "https://example.com/shop";
    let site = SiteBuilder::new(format!("{base}/"))
        .section("pages", Rows::new(3))
        .build()
        .unwrap();
    let whole = Router::new()
        .route_service("/shop/sitemap.xml", site.clone())
        .route_service("/shop/{part}", site.clone());
    let nested = Router::new().nest(
        "/shop",
        Router::new()
            .route_service("/sitemap.xml", site.clone())
            .route_service("/{part}", site),
    );
    for router in [whole, nested] {
        let server = Server::of(router);
        let index = get(server.address, "/shop/sitemap.xml", &[]);
        assert_eq!(sitemaps(index.text())[0].loc, format!("{base}/sitemap-pages.xml"));
        assert_eq!(get(server.address, "/shop/sitemap-pages.xml", &[]).status, 200);
        assert_eq!(get(server.address, "/shop/sitemap-nothing.xml", &[]).status, 404);
    }
}

#[test]
fn hosts_have_sites_of_their_own() {
    let site = |base: &str, rows| {
        SiteBuilder::new(base)
            .section("pages", Rows::new(rows))
            .build()
            .unwrap()
    };
    let (english, german) = (site("https://example.com", 3), site("https://example.de", 4));
    let sites = Sites::by_host(move |host| match host {
        "example.com" => Some(english.clone()),
        "example.de" => Some(german.clone()),
        _ => None,
    });
    let router = Router::new()
        .route_service("/sitemap.xml", sites.clone())
        .route_service("/sitemap-{part}", sites);
    let server = Server::of(router);
    let ask = |host: &str, more: &str| {
        raw(
            server.address,
            &format!("GET /sitemap.xml HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"),
        )
    };
    let of = |host: &str, more: &str| sitemaps(ask(host, more).text())[0].loc.clone();
    assert_eq!(of("example.com", ""), "https://example.com/sitemap-pages.xml");
    assert_eq!(of("EXAMPLE.de:8080", ""), "https://example.de/sitemap-pages.xml");
    assert_eq!(
        of(
            "example.com",
            "X-Forwarded-Host: example.de\r\nForwarded: host=example.de\r\nX-Forwarded-Proto: ftp\r\n"
        ),
        "https://example.com/sitemap-pages.xml"
    );
    assert_eq!(ask("example.net", "").status, 404);
}

#[test]
fn the_host_of_a_request_does_not_matter_to_a_site() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Rows::new(3))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let response = raw(
        server.address,
        "GET /sitemap.xml HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    assert_eq!(
        sitemaps(response.text())[0].loc,
        "https://example.com/sitemap-pages.xml"
    );
}

#[test]
fn the_html_view_the_stylesheet_and_the_key() {
    let site = |on| {
        let mut site = SiteBuilder::new("https://example.com?a&b".replace("?a&b", "/a&b"));
        site.section("pages", Rows::new(1600))
            .section("none", Rows::new(0))
            .part_rows(1000)
            .html(on);
        if on {
            site.index_now_key("0123-abcd");
        }
        site.build().unwrap()
    };
    let server = |on| {
        let site = site(on);
        Server::of(Router::new().fallback_service(site))
    };
    let (with, without) = (server(true), server(false));
    for path in ["/sitemap.html", "/sitemap.css", "/0123-abcd.txt", "/.txt"] {
        assert_eq!(get(without.address, path, &[]).status, 404, "{path}");
    }
    let html = get(with.address, "/sitemap.html", &[]);
    assert_eq!(html.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(
        html.text().contains(
            "<h1>Sitemap of https://example.com/a&amp;b</h1>\n<p>2 sitemaps, 1,600 pages: \
         <a href=\"sitemap.xml\">sitemap.xml</a></p>\n<nav aria-label=\"Sections\">\n\
         <ul>\n<li><a href=\"sitemap-pages.html\">pages</a> (1,600)\n</ul>\n</nav>\n<h2 id=\"pages\">pages</h2>\n"
        ),
        "{}",
        html.text()
    );
    assert!(
        html.text().contains(
            "<tr><td><a href=\"sitemap-pages.~1442.xml\">sitemap-pages.<wbr>~<wbr>1442.<wbr>xml</a>\
         <td class=\"n\">1,442<td><time datetime=\"2026-05-28\" title=\"2026-05-28\">2026-05-28</time>\n"
        ),
        "{}",
        html.text()
    );
    let packed = get(with.address, "/sitemap.html", &["Accept-Encoding: gzip"]);
    assert_eq!(inflate(&packed.body), html.text());
    for (response, encoding) in [(&html, ""), (&packed, "gzip")] {
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            response.header("content-security-policy"),
            Some(
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
            )
        );
        let condition = format!("If-None-Match: {}", response.header("etag").unwrap());
        let encoding = format!("Accept-Encoding: {encoding}");
        let again = get(with.address, "/sitemap.html", &[&condition, &encoding]);
        assert_eq!(again.status, 304);
    }
    let css = get(with.address, "/sitemap.css", &[]);
    assert_eq!(css.header("content-type"), Some("text/css; charset=utf-8"));
    let xml = get(with.address, "/sitemap.xml", &[]);
    assert!(
        xml.text()
            .contains("<?xml-stylesheet type=\"text/css\" href=\"sitemap.css\"?>"),
        "{}",
        xml.text()
    );
    let key = get(with.address, "/0123-abcd.txt", &[]);
    assert_eq!(
        (key.text(), key.header("content-type")),
        ("0123-abcd", Some("text/plain; charset=utf-8"))
    );
    let condition = format!("If-None-Match: {}", css.header("etag").unwrap());
    assert_eq!(get(with.address, "/sitemap.css", &[&condition]).status, 304);
}

#[test]
fn sections_are_listed_in_their_order() {
    let site = SiteBuilder::new("https://example.com")
        .section("z", Rows::new(1))
        .section("a", vec![UrlEntry::new("/x"), UrlEntry::new("/y")])
        .section("m", [UrlEntry::new("/z")])
        .build()
        .unwrap();
    let server = Server::start(&site);
    let crawled = crawl("https://example.com", &[server.address]);
    assert_eq!(
        crawled.names(),
        ["sitemap-z.xml", "sitemap-a.xml", "sitemap-m.xml"]
    );
    let paths = ["p1", "x", "y", "z"].map(|path| format!("https://example.com/{path}"));
    assert_eq!(crawled.locs(), paths);
    assert_eq!(crawled.index[1].lastmod, None, "nobody knows when these changed");
}

#[test]
fn settings_that_cannot_be_are_named() {
    let site = || SiteBuilder::new("https://example.com");
    for (site, message) in [
        (
            SiteBuilder::new("example.com"),
            "`example.com` is not a base: it has no scheme and host (did you mean `https://example.com`?); a base is a scheme (http or https), a host, a port \
          and a path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)",
        ),
        (
            site()
                .section("a", Rows::new(0))
                .section("a", Rows::new(0))
                .clone(),
            "there are two sections `a`: give one of them another name",
        ),
        (
            site().section("", Rows::new(0)).clone(),
            "`` is not a valid section name: it is part of addresses, and has 1 to 60 letters, digits, `-` or `_`",
        ),
        (
            site().part_rows(40_001).clone(),
            "`part_rows` is 40001; it is from 1 to 40000",
        ),
        (
            site().batch_rows(0).clone(),
            "`batch_rows` is 0; it is from 1 to 50000",
        ),
        (
            site().index_now_key("short").clone(),
            "`short` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens",
        ),
    ] {
        assert_eq!(site.build().unwrap_err().to_string(), message);
    }
}

/// Each wrong folder is warned about once, and only the first few, because any client can request any folder.
#[test]
fn a_request_in_another_folder_is_warned_about() {
    let site = SiteBuilder::new("https://example.com/shop")
        .section("pages", Rows::new(3))
        .build()
        .unwrap();
    let ask = async |path: &str| {
        let request = Request::get(path).body(()).unwrap();
        site.respond(&request).await.status()
    };
    let ((), log) = logged(async {
        for path in ["/shop/sitemap.xml", "/sitemap.xml", "/shop/sitemap-pages.xml"] {
            assert_eq!(ask(path).await, 200, "{path}");
        }
        for path in [
            "/maps/sitemap.xml",
            "/maps/sitemap-pages.xml",
            "/maps/sitemap.html",
            // These are the site's folder.
            "/shop/sitemap-old.xml",
            "/sitemap-old.xml",
            "/favicon.ico",
        ] {
            assert_eq!(ask(path).await, 404, "{path}");
        }
    });
    let warning = |path: &str, folder: &str| {
        format!(
            "WARN a sitemap was requested outside the folder of the site's base, https://example.com/shop, whose sitemap is \
             https://example.com/shop/sitemap.xml: if the site is mounted at {folder}, add that to the base path=\"{path}\""
        )
    };
    assert_eq!(log, [warning("/maps/sitemap.xml", "/maps")]);
    let ((), log) = logged(async {
        for n in 0..100 {
            ask(&format!("/{n}/sitemap.xml")).await;
        }
    });
    let expected = (0..7).map(|n| warning(&format!("/{n}/sitemap.xml"), &format!("/{n}")));
    assert_eq!(log, expected.collect::<Vec<_>>());
}

/// A site without a route for its parts, or whose links lead elsewhere.
#[test]
fn an_index_whose_parts_nobody_requests_is_warned_about() {
    let warnings = |part_after: usize| {
        let site = SiteBuilder::new("https://example.com")
            .section("pages", Rows::new(3))
            .build()
            .unwrap();
        let ask = async |path: &str| {
            let request = Request::get(path).body(()).unwrap();
            assert_eq!(site.respond(&request).await.status(), 200);
        };
        let ((), log) = logged(async {
            for n in 0..250 {
                ask("/sitemap.xml").await;
                if n == part_after {
                    ask("/sitemap-pages.xml").await;
                }
            }
        });
        log
    };
    assert_eq!(
        warnings(usize::MAX),
        [
            "WARN the sitemap's index was sent 100 times, and none of its parts was requested: see whether https://example.com/sitemap-… reaches \
             the site, at the path that the base names, and by a route for the parts"
        ]
    );
    assert_eq!(warnings(98), Vec::<String>::new());
}

/// Once, although several requests wait.
#[tokio::test(start_paused = true)]
async fn a_request_that_waits_is_warned_about() {
    let slow = source::rows(|_, _| async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        Ok(vec![Row::new(1, UrlEntry::new("/1"))])
    });
    let site = SiteBuilder::new("https://example.com")
        .section("pages", slow)
        .build()
        .unwrap();
    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.clone());
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let (first, second) = tokio::join!(site.respond(&request), site.respond(&request));
    drop(guard);
    assert_eq!(
        (first.status(), second.status()),
        (StatusCode::OK, StatusCode::OK)
    );
    assert_eq!(
        log.lines(),
        [
            "WARN a request has been waiting for 3s, 0.0ns for its turn and 3.0s for its rows: the source's queries are slow, and may lack an \
             index of the key path=\"/sitemap-pages.xml\""
        ]
    );
}

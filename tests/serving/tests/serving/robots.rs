//! robots.txt, next to the sitemap.

use std::process::Command;

use axum::Router;
use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{body, logged};
use sitemap_site::{Error, RobotsTxt, SiteBuilder, source};

use crate::server::Server;

fn pages() -> Vec<UrlEntry> {
    ["/", "/about", "/account/help?a=1&b=2"]
        .map(UrlEntry::new)
        .to_vec()
}

/// The text of each `robots.txt`, or the reason for its refusal.
#[test]
fn every_robots_txt() {
    let new = RobotsTxt::new;
    let sitemap = "\nSitemap: https://example.com/sitemap.xml\n";
    for (robots, expected) in [
        (new(), Ok(format!("User-agent: *\nAllow: /\n{sitemap}"))),
        (
            new().disallow("/admin/").disallow("/*?sort="),
            Ok(format!(
                "User-agent: *\nDisallow: /admin/\nDisallow: /*?sort=\n{sitemap}"
            )),
        ),
        (
            new().disallow("/account/").allow("/account/help"),
            Ok(format!(
                "User-agent: *\nDisallow: /account/\nAllow: /account/help\n{sitemap}"
            )),
        ),
        (
            RobotsTxt::staging(),
            Ok("User-agent: *\nDisallow: /\n".to_owned()),
        ),
        (
            new().disallow("/account/"),
            Err(
                "the section `pages` lists `https://example.com/account/help?a=1&b=2`, which `robots.txt` disallows: search engines cannot read \
                 such a page; allow it by `RobotsTxt::allow`, or do not list it",
            ),
        ),
        (
            new().disallow("/*a=1&b"),
            Err(
                "the section `pages` lists `https://example.com/account/help?a=1&b=2`, which `robots.txt` disallows: search engines cannot read \
                 such a page; allow it by `RobotsTxt::allow`, or do not list it",
            ),
        ),
        (
            new().disallow("/").allow("/$").allow("/a"),
            Err(
                "`robots.txt` disallows `https://example.com/sitemap.xml`, which is the sitemap: allow it by `RobotsTxt::allow`",
            ),
        ),
        (
            new().disallow("/sitemap-p"),
            Err(
                "`robots.txt` disallows `https://example.com/sitemap-pages.xml`, which is the sitemap: allow it by `RobotsTxt::allow`",
            ),
        ),
        (
            new().disallow("admin"),
            Err(
                "`RobotsTxt::disallow` has the path `admin`: a path begins with `/` or `*`, and has no white space and no `#`; percent-encode them",
            ),
        ),
        (
            new().allow("/a\nSitemap: https://example.net/"),
            Err(
                "`RobotsTxt::allow` has the path `/a\\nSitemap: https://example.net/`: a path begins with `/` or `*`, and has no white space and no \
                 `#`; percent-encode them",
            ),
        ),
    ] {
        let site = SiteBuilder::new("https://example.com")
            .section("pages", pages())
            .robots_txt(robots.clone())
            .build();
        match (site, expected) {
            (Ok(site), Ok(expected)) => {
                let (text, _) = logged(async {
                    let response = site.respond(&Request::get("/robots.txt").body(()).unwrap()).await;
                    assert_eq!(response.status(), 200);
                    assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
                    body(response).await
                });
                assert_eq!(text, expected);
            }
            (site, expected) => {
                assert_eq!(
                    site.map(drop).map_err(|error: Error| error.to_string()),
                    expected.map(drop).map_err(str::to_owned),
                    "{robots:?}"
                );
            }
        }
    }
    let error = SiteBuilder::new("https://example.com/shop")
        .robots_txt(new())
        .build();
    assert_eq!(
        error.unwrap_err().to_string(),
        "`robots.txt` is read at the root of a host only, and the base of the site is `https://example.com/shop`: serve it there, with the \
         lines of `Site::robots_lines`"
    );
}

/// Rows that were unknown before cause one warning and one finding.
#[test]
fn pages_of_a_source_are_found_later() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", source::list(async || Ok(pages())))
        .robots_txt(RobotsTxt::new().disallow("/account/"))
        .build()
        .unwrap();
    let (report, lines) = logged(async {
        for _ in 0..2 {
            let ask = site.respond(&Request::get("/sitemap-pages.xml").body(()).unwrap());
            assert_eq!(ask.await.status(), 200);
            site.purge("pages").unwrap();
        }
        site.check().await.unwrap()
    });
    assert_eq!(
        report.to_string(),
        "pages: 3 pages of 3 rows\n  1 page is disallowed by robots.txt:\n    https://example.com/account/help?a=1&b=2"
    );
    assert!(!report.is_clean());
    let warnings = lines.iter().filter(|line| line.contains("robots.txt"));
    assert_eq!(
        warnings.collect::<Vec<_>>(),
        [
            "WARN the sitemap lists https://example.com/account/help?a=1&b=2, which robots.txt disallows: search engines cannot read such a page; \
          allow it by `RobotsTxt::allow`, or do not list it"
        ]
    );
}

#[test]
fn curl_reads_it() {
    let Some(curl) = sitemap_tests::program("curl_reads_it", "curl") else {
        return;
    };
    let site = |robots: Option<RobotsTxt>| {
        let mut builder = SiteBuilder::new("https://example.com");
        builder.section("pages", pages());
        if let Some(robots) = robots {
            builder.robots_txt(robots);
        }
        builder.build().unwrap()
    };
    assert!(
        site(Some(RobotsTxt::new()))
            .paths()
            .any(|path| path == "/robots.txt")
    );
    assert!(site(None).paths().all(|path| path != "/robots.txt"));
    for (robots, method, expected) in [
        (
            Some(RobotsTxt::staging()),
            "GET",
            "User-agent: *\nDisallow: /\n200 text/plain; charset=utf-8",
        ),
        (
            Some(RobotsTxt::new()),
            "POST",
            "Method Not Allowed: a sitemap is requested by GET or HEAD\n405 text/plain; charset=utf-8",
        ),
        (
            None,
            "GET",
            "Not Found: this site has no sitemap at this address\n404 text/plain; charset=utf-8",
        ),
    ] {
        let server = Server::of(Router::new().fallback_service(site(robots)));
        let answer = Command::new(&curl)
            .args([
                "--silent",
                "--request",
                method,
                "--write-out",
                "%{http_code} %{content_type}",
            ])
            .arg(format!("http://{}/robots.txt", server.address))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(answer.stdout).unwrap(), expected);
    }
}

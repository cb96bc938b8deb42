//! The pages of a site as lists of links, for people.

use std::process::Command;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use sitemap_serde::{SitemapEntry, UrlEntry};
use sitemap_serving_tests::{Rows, get as ask};
use sitemap_site::{Section, Site, SiteBuilder};

use crate::server::Server;

#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/lamps/{id}")]
struct Lamp {
    id: i64,
    name: &'static str,
}

fn builder(rows: &Rows) -> SiteBuilder {
    let lamps = [
        Lamp {
            id: 1,
            name: "Desk <lamp> & \"co\"",
        },
        Lamp { id: 2, name: " " },
    ];
    SiteBuilder::new("https://example.com")
        .section("rows", rows.clone())
        .section("lamps", Section::titled(lamps, |lamp| lamp.name.to_owned()))
        .section(
            "pages",
            ["/", "/caf\u{e9}?a=1&b=2", "/%0A%3Cb%3E", "/%FF", "/%3Cb%3E%zz"].map(UrlEntry::new),
        )
        .section("none", Vec::<UrlEntry>::new())
        .html(true)
        .clone()
}

fn serve(site: Site) -> Server {
    Server::of(Router::new().fallback_service(site))
}

fn links(html: &str) -> Vec<(String, String)> {
    let links = html.split("<a href=\"").skip(1);
    links
        .map(|rest| {
            let (href, rest) = rest.split_once("\">").unwrap();
            (href.to_owned(), rest.split("</a>").next().unwrap().to_owned())
        })
        .collect()
}

/// curl reaches each page by links from `/sitemap.html`, even if addresses are tokens.
#[test]
fn curl_finds_every_page() {
    let Some(curl) = sitemap_tests::program("curl_finds_every_page", "curl") else {
        return;
    };
    let rows = Rows::new(450);
    for secret in [None, Some(b"a secret of 16 bytes".to_vec())] {
        let mut builder = builder(&rows);
        if let Some(secret) = secret {
            builder.opaque_urls(secret);
        }
        let server = serve(builder.build().unwrap());
        let fetch = |path: &str| {
            let url = format!("http://{}/{path}", server.address);
            let answer = Command::new(&curl)
                .args(["--fail", "--silent", &url])
                .output()
                .unwrap();
            assert!(answer.status.success(), "{path}: {answer:?}");
            String::from_utf8(answer.stdout).unwrap()
        };
        let start = links(&fetch("sitemap.html"));
        let lists: Vec<_> = start.iter().filter(|(href, _)| href.contains(".html")).collect();
        assert_eq!(lists.len(), 3, "{start:?}");
        let (mut found, mut read) = (Vec::new(), 0);
        for (list, _) in lists {
            let mut next = Some(list.clone());
            while let Some(list) = next {
                read += 1;
                let html = links(&fetch(&list));
                next = html
                    .iter()
                    .find(|(_, text)| text == "More pages")
                    .map(|(href, _)| href.clone());
                assert!(html.iter().filter(|(href, _)| href.starts_with("https:")).count() <= 200);
                found.extend(html.into_iter().filter(|(href, _)| href.starts_with("https:")));
            }
        }
        assert_eq!(read, 3 + 1 + 1);
        let mut expected: Vec<_> = rows
            .locs("https://example.com")
            .into_iter()
            .map(|loc| (loc.clone(), loc["https://example.com".len()..].to_owned()))
            .collect();
        expected.extend(
            [
                (
                    "https://example.com/lamps/1",
                    "Desk &lt;lamp&gt; &amp; &quot;co&quot;",
                ),
                ("https://example.com/lamps/2", "/lamps/2"),
                ("https://example.com/", "https://example.com/"),
                (
                    "https://example.com/caf%C3%A9?a=1&amp;b=2",
                    "/caf\u{e9}?a=1&amp;b=2",
                ),
                // A control character, no text, and markup.
                ("https://example.com/%0A%3Cb%3E", "/%0A%3Cb%3E"),
                ("https://example.com/%FF", "/%FF"),
                ("https://example.com/%3Cb%3E%25zz", "/&lt;b&gt;%zz"),
            ]
            .map(|(href, text)| (href.to_owned(), text.to_owned())),
        );
        assert_eq!(found, expected);
    }
}

/// A row whose type has a title; id 4 has none, that of id 5 panics, and those of ids 6 and 7 are too long and blank.
#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/chairs/{id}", title = Self::title)]
struct Chair {
    id: i64,
}

impl Chair {
    fn title(&self) -> Option<String> {
        assert_ne!(self.id, 5, "the title of chair 5");
        match self.id {
            4 => None,
            6 => Some("é".repeat(100_000)),
            7 => Some(" \n ".to_owned()),
            id => Some(format!("Chair <{id}>")),
        }
    }
}

/// The text of a link is the title of the section, else of the row, else of its news, else the path. A long one is cut. No document
/// contains it.
#[test]
fn titles() {
    let chairs = || (3..=7).map(|id| Chair { id }).collect::<Vec<_>>();
    let now = sitemap_serde::W3cDateTime::try_from(std::time::SystemTime::now()).unwrap();
    let publication = sitemap_serde::news::Publication::new("The Example", "en");
    let news = sitemap_serde::News::new(publication, now, "News & more");
    let site = SiteBuilder::new("https://example.com")
        .section("plain", chairs())
        .section(
            "own",
            Section::titled(chairs(), |chair| format!("No. {}", chair.id)),
        )
        .section("fails", Section::titled(chairs(), |_| panic!("all titles")))
        .section(
            "news",
            Section::new([UrlEntry::new("/news").with_news(news)]).news(),
        )
        .html(true)
        .build()
        .unwrap();
    let server = serve(site);
    let texts = |section: &str| -> Vec<String> {
        let page = ask(server.address, &format!("/sitemap-{section}.html"), &[]);
        let links = links(page.text()).into_iter();
        links
            .filter(|(href, _)| href.starts_with("https:"))
            .map(|(_, text)| text)
            .collect()
    };
    let long = "é".repeat(300) + "…";
    assert_eq!(
        texts("plain"),
        ["Chair &lt;3&gt;", "/chairs/4", "/chairs/5", &long, "/chairs/7"]
    );
    assert_eq!(texts("own"), ["No. 3", "No. 4", "No. 5", "No. 6", "No. 7"]);
    let paths = (3..=7).map(|id| format!("/chairs/{id}"));
    assert_eq!(texts("fails"), paths.collect::<Vec<_>>());
    assert_eq!(texts("news"), ["News &amp; more"]);
    let part = ask(server.address, "/sitemap-plain.xml", &[]);
    assert_eq!((part.status, part.text().contains("Chair")), (200, false));
}

/// Addresses that are not lists, and the error page for a list that cannot be made.
#[test]
fn failures_are_statuses() {
    let rows = Rows::new(3);
    let server = serve(builder(&rows).build().unwrap());
    for path in [
        "/sitemap-rows.1~2.html",
        "/sitemap-rows.~2.html",
        "/sitemap-rows.a~.html",
        "/sitemap-nothing.html",
        "/sitemap-.html",
        "/other.html",
    ] {
        assert_eq!(
            (
                ask(server.address, path, &[]).status,
                ask(server.address, path, &[]).text()
            ),
            (404, "Not Found: this site has no sitemap at this address\n"),
            "{path}"
        );
    }
    let empty = ask(server.address, "/sitemap-none.html", &[]);
    assert!(
        empty.text().contains("<p>There are no pages here.</p>"),
        "{}",
        empty.text()
    );
    let list = ask(server.address, "/sitemap-rows.1~.html", &[]);
    let again = format!("If-None-Match: {}", list.header("etag").unwrap());
    assert_eq!(
        ask(server.address, "/sitemap-rows.1~.html", &[&again]).status,
        304
    );
    rows.fail_above(0);
    let failed = ask(server.address, "/sitemap-rows.html", &[]);
    assert_eq!(
        (failed.status, failed.text()),
        (
            500,
            "Internal Server Error: the pages of this list cannot be read\n"
        )
    );
    let off = serve(builder(&rows).html(false).build().unwrap());
    assert_eq!(ask(off.address, "/sitemap-rows.html", &[]).status, 404);
}

/// The site's own page gets the title as text and the content as HTML, and uses the policy of the program.
#[test]
fn a_layout_is_around_it() {
    let site = builder(&Rows::new(3))
        .html_layout(|title, content| format!("<!doctype html><title>{title}</title><main>{content}</main>"))
        .build()
        .unwrap();
    let server = serve(site);
    for (path, title) in [
        ("/sitemap.html", "Sitemap of https://example.com"),
        ("/sitemap-lamps.html", "lamps: pages of https://example.com"),
    ] {
        let page = ask(server.address, path, &[]);
        assert!(
            page.text()
                .starts_with(&format!("<!doctype html><title>{title}</title><main><h1>")),
            "{}",
            page.text()
        );
        assert_eq!(page.header("content-security-policy"), None);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    }
}

/// Loads a page into a frame, and reports its accessibility tree: the roles and names of landmarks, headings, lists and links, and whether
/// the links get keyboard focus in page order.
const INSPECTOR: &str = r#"<!doctype html>
<pre id="report">nothing</pre>
<iframe id="frame" width="390" height="800"></iframe>
<script>
    frame.onload = () => {
        const page = frame.contentDocument;
        const lines = [`lang ${page.documentElement.lang}`, `title ${page.title}`, `scripts ${page.scripts.length}`];
        for (const element of page.querySelectorAll("main, nav, h1, h2, ul, table, caption, a"))
            lines.push(`${element.computedRole} ${element.computedName}`.trim());
        const links = [...page.querySelectorAll("a")];
        const takesFocus = link => { link.focus(); return page.activeElement === link && link.tabIndex === 0; };
        const isLarge = link => link.getBoundingClientRect().height >= 18;
        lines.push(`focus ${links.every(takesFocus)}`, `large ${links.every(isLarge)}`);
        lines.push(`fits ${page.documentElement.scrollWidth <= 390}`);
        report.textContent = lines.join("\n");
    };
    frame.src = decodeURIComponent(location.hash.slice(1));
</script>
"#;

#[test]
fn keyboards_and_screen_readers_find_every_link() {
    let Some(chromium) = sitemap_tests::program("keyboards_and_screen_readers_find_every_link", "chromium")
    else {
        return;
    };
    let site = builder(&Rows::new(203)).build().unwrap();
    let router = Router::new()
        .route("/inspector.html", get(async || Html(INSPECTOR)))
        .fallback_service(site);
    let server = Server::of(router);
    let inspect = |path: &str| -> Vec<String> {
        let profile = tempfile::tempdir().unwrap();
        let output = Command::new(&chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--force-renderer-accessibility",
                "--enable-blink-features=ComputedAccessibilityInfo",
                "--virtual-time-budget=30000",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("http://{}/inspector.html#{path}", server.address))
            .output()
            .unwrap();
        let dom = String::from_utf8(output.stdout).unwrap();
        let report = dom
            .split_once("<pre id=\"report\">")
            .and_then(|(_, rest)| rest.split_once("</pre>"));
        let (report, _) = report.unwrap_or_else(|| panic!("{dom}"));
        report.lines().map(str::to_owned).collect()
    };
    assert_eq!(
        inspect("/sitemap-rows.200~.html"),
        [
            "lang en",
            "title rows: pages of https://example.com",
            "scripts 0",
            "main",
            "heading rows",
            "navigation Sitemap",
            "link All sections",
            "list",
            "link /p201",
            "link /p202",
            "link /p203",
            "navigation Pages of this section",
            "link First pages",
            "focus true",
            "large true",
            "fits true",
        ]
    );
    assert_eq!(
        inspect("/sitemap.html"),
        [
            "lang en",
            "title Sitemap of https://example.com",
            "scripts 0",
            "main",
            "heading Sitemap of https://example.com",
            "link sitemap.xml",
            "navigation Sections",
            "list",
            "link rows",
            "link lamps",
            "link pages",
            "heading rows",
            "table Sitemaps for search engines",
            "caption",
            "link sitemap-rows. xml",
            "heading lamps",
            "table Sitemaps for search engines",
            "caption",
            "link sitemap-lamps. xml",
            "heading pages",
            "table Sitemaps for search engines",
            "caption",
            "link sitemap-pages. xml",
            "focus true",
            "large true",
            "fits true",
        ]
    );
}

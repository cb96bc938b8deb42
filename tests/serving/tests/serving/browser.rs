//! The index, a part and the HTML view in a browser, also on a phone: Chromium loads them, and a script checks the result.

use std::process::Command;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use sitemap_serving_tests::Rows;
use sitemap_site::SiteBuilder;

use crate::server::Server;

/// Loads a document into a frame and reports its number of rows, the text and position of the first link, the title, and whether everything
/// fits the width with the link on one line.
const INSPECTOR: &str = r#"<!doctype html>
<pre id="report">nothing</pre>
<iframe id="frame" height="800" frameborder="0"></iframe>
<script>
    const [path, rows, link, width] = decodeURIComponent(location.hash.slice(1)).split("|");
    frame.width = width;
    frame.onload = () => {
        const page = frame.contentDocument;
        const shown = page.querySelectorAll(rows);
        const first = page.querySelector(link);
        const place = first.getBoundingClientRect();
        const visible = place.width > 100 && place.height > 10 && place.top > 0 && place.top < 400;
        const title = frame.contentWindow.getComputedStyle(page.documentElement, "::before").content;
        const fits = page.documentElement.scrollWidth <= width && place.height < 40;
        report.textContent = [
            page.documentElement.nodeName, title, shown.length, first.textContent, first.href ?? "", visible, fits
        ].join("\n");
    };
    frame.src = path;
</script>
"#;

#[test]
fn people_see_a_page() {
    let Some(chromium) = sitemap_tests::program("people_see_a_page", "chromium") else {
        return;
    };
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Rows::new(25))
        .part_rows(10)
        .html(true)
        .build()
        .unwrap();
    let router = Router::new()
        .route("/inspector.html", get(async || Html(INSPECTOR)))
        .fallback_service(site);
    let server = Server::of(router);
    let inspect = |path: &str, rows: &str, link: &str, width: u32| -> Vec<String> {
        let profile = tempfile::tempdir().unwrap();
        let output = Command::new(&chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=30000",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!(
                "http://{}/inspector.html#{path}|{rows}|{link}|{width}",
                server.address
            ))
            .output()
            .unwrap();
        let dom = String::from_utf8(output.stdout).unwrap();
        let report = dom
            .split_once("<pre id=\"report\">")
            .and_then(|(_, rest)| rest.split_once("</pre>"));
        let (report, _) = report.unwrap_or_else(|| panic!("{dom}"));
        report.lines().map(str::to_owned).collect()
    };
    let part = "https://example.com/sitemap-pages.~10.xml";
    assert_eq!(
        inspect("/sitemap.xml", "sitemap", "loc", 1200),
        ["sitemapindex", "\"Sitemap index\"", "3", part, "", "true", "true"]
    );
    assert_eq!(
        inspect("/sitemap-pages.~10.xml", "url", "loc", 1200),
        [
            "urlset",
            "\"Sitemap\"",
            "10",
            "https://example.com/p1",
            "",
            "true",
            "true"
        ]
    );
    let link = format!("http://{}/sitemap-pages.~10.xml", server.address);
    for width in [1200, 390] {
        assert_eq!(
            inspect("/sitemap.html", "tr", "td>a", width),
            [
                "HTML",
                "none",
                "4",
                "sitemap-pages.~10.xml",
                &link,
                "true",
                "true"
            ]
        );
    }
}

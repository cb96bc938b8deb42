//! The view of a person who opens the sitemap: Chromium loads it, and a script in it inspects the page.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;

use crate::program::{Shop, fetch};

/// Shows a sitemap in a frame, and reports the rendered page.
const INSPECTOR: &str = r#"<!doctype html>
<pre id="report">nothing</pre>
<iframe id="frame" width="1200" height="800"></iframe>
<script>
    frame.onload = () => {
        const page = frame.contentDocument.documentElement;
        const style = (element, pseudo) => frame.contentWindow.getComputedStyle(element, pseudo);
        const entries = [...page.children];
        const loc = entries[0].getElementsByTagName("loc")[0];
        const place = loc.getBoundingClientRect();
        report.textContent = JSON.stringify({
            root: page.nodeName,
            title: style(page, "::before").content,
            entries: entries.length,
            display: style(entries[0]).display,
            first: loc.textContent,
            visible: place.width > 100 && place.height > 10 && place.top > 0 && place.top < 300,
        });
    };
    frame.src = location.hash.slice(1);
</script>
"#;

/// Serves the inspector on the shop's own site, as the browser sees it: it looks into frames of one site only.
fn with_inspector(shop: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let shop = shop.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let shop = shop.clone();
            // The browser disconnects when it is done.
            thread::spawn(move || relay(stream, &shop).ok());
        }
    });
    format!("http://{address}")
}

fn relay(mut stream: TcpStream, shop: &str) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/");
    let (status, content_type, body) = if path == "/inspector.html" {
        (200, "text/html; charset=utf-8".to_owned(), INSPECTOR.to_owned())
    } else {
        let response = fetch(&format!("{shop}{path}"));
        (response.status, response.content_type, response.body)
    };
    write!(
        stream,
        "HTTP/1.1 {status} .\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a_sitemap_in_a_browser_is_a_page() {
    let Some(chromium) = sitemap_tests::program("a_sitemap_in_a_browser_is_a_page", "chromium") else {
        return;
    };
    let shop = Shop::new();
    let server = shop.serve(&["--products", "50000"]);
    let site = with_inspector(&server.address);
    let inspect = |path: &str| {
        let profile = tempfile::tempdir().unwrap();
        let output = Command::new(&chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=60000",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("{site}/inspector.html#{path}"))
            .output()
            .unwrap();
        let dom = String::from_utf8(output.stdout).unwrap();
        let report = dom
            .split_once("<pre id=\"report\">")
            .and_then(|(_, rest)| rest.split_once("</pre>"));
        let (report, _) = report.unwrap_or_else(|| panic!("{dom}"));
        serde_json::from_str::<serde_json::Value>(report).unwrap_or_else(|_| panic!("{report}"))
    };
    let expected = |root: &str, title: &str, entries: usize, first: &str| {
        serde_json::json!({
            "root": root,
            "title": format!("\"{title}\""),
            "entries": entries,
            "display": "grid",
            "first": format!("{}{first}", server.address),
            "visible": true,
        })
    };
    assert_eq!(
        inspect("/sitemap.xml"),
        expected("sitemapindex", "Sitemap index", 7, "/sitemap-pages.xml")
    );
    assert_eq!(
        inspect("/sitemap-pages.xml"),
        expected("urlset", "Sitemap", 5, "/")
    );
    assert_eq!(
        inspect("/sitemap-products.~6137.xml"),
        expected("urlset", "Sitemap", 6_074, "/products/white-oak-lamp-1")
    );
}

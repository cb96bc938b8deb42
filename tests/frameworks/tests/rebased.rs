//! The sitemaps of another local server under a different host, read by curl.

use std::process::Command;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use sitemap_serving_tests::Program;

const CORE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// Serves a CMS, and returns its URL.
fn serve() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let cms = format!("http://{}", listener.local_addr().unwrap());
    let index =
        format!("<sitemapindex {CORE}><sitemap><loc>{cms}/sitemap-1.xml</loc></sitemap></sitemapindex>");
    let part = format!(
        "<urlset {CORE}><url><loc>{cms}/a</loc></url><url><loc>https://example.org/</loc></url></urlset>"
    );
    let app = Router::new()
        .route("/sitemap.xml", get(|| async { index }))
        .route("/sitemap-1.xml", get(|| async { part }))
        .route(
            "/sitemap-2.xml",
            get(|| async { StatusCode::INTERNAL_SERVER_ERROR }),
        );
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, app).await
        })
    });
    cms
}

#[test]
fn curl_reads_a_cms_by_reqwest() {
    let Some(curl) = sitemap_tests::program("curl_reads_a_cms_by_reqwest", "curl") else {
        return;
    };
    let program = Program::start("rebased", &[("CMS", &serve())]);
    let read = |path: &str| {
        let url = format!("http://{}{path}", program.address);
        let wait = Duration::from_secs(30).as_secs().to_string();
        let output = Command::new(&curl)
            .args([
                "--silent",
                "--compressed",
                "--max-time",
                &wait,
                "--write-out",
                " %{http_code}",
                &url,
            ])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        read("/sitemap.xml"),
        format!(
            "<sitemapindex {CORE}><sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap></sitemapindex> 200"
        )
    );
    assert_eq!(
        read("/sitemap-1.xml"),
        format!(
            "<urlset {CORE}><url><loc>https://example.com/a</loc></url><url><loc>https://example.org/</loc></url></urlset> 200"
        )
    );
    assert_eq!(
        read("/sitemap-2.xml"),
        "Bad Gateway: the server with this sitemap has failed\n 502"
    );
    assert_eq!(
        read("/sitemap-3.xml"),
        "Not Found: this site has no sitemap at this address\n 404"
    );
}

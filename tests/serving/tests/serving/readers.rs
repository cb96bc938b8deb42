//! Third-party readers, over the network in typical use.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use axum::Router;
use sitemap_serde::{Alternate, Image, UrlEntry};
use sitemap_serving_tests::Rows;
use sitemap_site::{RobotsTxt, SiteBuilder};

use crate::server::Server;

/// The lines that a program prints.
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// A page with extensions and characters that are written as references.
fn page(n: u32) -> UrlEntry {
    let mut page = UrlEntry::new(format!("/pages/{n}?a=1&b=é"));
    page.images.push(Image::new(format!("/images/{n}.jpg")));
    page.alternates
        .push(Alternate::new("de", format!("/de/pages/{n}?a=1&b=é")));
    page
}

#[test]
fn other_readers_find_the_same_urls() {
    let Some(readers) = sitemap_tests::readers("other_readers_find_the_same_urls") else {
        return;
    };
    // The site's addresses are this server's.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let rows = Rows::new(2_345);
    let site = SiteBuilder::new(&base)
        .section("rows", rows.clone())
        .section("pages", (1..=35).map(page).collect::<Vec<_>>())
        .part_rows(1_000)
        .robots_txt(RobotsTxt::new().disallow("/account/"))
        .build()
        .unwrap();
    let router = Router::new().fallback_service(site);
    let _server = Server::on(listener, router);

    let mut expected = rows.locs(&base);
    expected.extend((1..=35).map(|n| format!("{base}/pages/{n}?a=1&b=%C3%A9")));
    let mut node = Command::new("node");
    let by_npm = lines(node.arg(data("npm_site.cjs")).arg(&base).arg(&readers));
    assert_eq!(by_npm, expected);
    let mut python = Command::new(readers.join("python/bin/python"));
    let mut by_usp = lines(python.arg(data("usp_site.py")).arg(&base));
    // It finds the index in robots.txt, and also checks the usual addresses.
    by_usp.sort();
    by_usp.dedup();
    expected.sort();
    assert_eq!(by_usp, expected);
}

//! A table of parts that outlives the process, and the times that only it knows.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serving_tests::{Response, Rows, get, sitemaps};
use sitemap_site::{FileStore, Site, SiteBuilder};

use crate::server::Server;

const PART: &str = "/sitemap-pages.10~20.xml";
const AGE: Duration = Duration::from_millis(100);

fn site(rows: &Rows, file: &Path) -> SiteBuilder {
    let site = Site::new("https://example.com").section("pages", rows.clone());
    site.part_rows(10).max_age(AGE).table_store(FileStore::new(file))
}

/// Asks until the answer is as it should be.
#[track_caller]
fn get_until(server: &Server, path: &str, done: impl Fn(&Response) -> bool) -> Response {
    let started = Instant::now();
    loop {
        let response = get(server.address, path, &[]);
        if done(&response) {
            return response;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{response:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn dated(response: &Response) -> bool {
    response.header("last-modified").is_some()
}

#[test]
fn the_time_of_a_change_is_said_and_stays_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parts.json");
    let rows = Rows::new(25);
    let server = Server::start(&site(&rows, &file).build().unwrap());
    assert!(
        !dated(&get(server.address, "/sitemap.xml", &[])),
        "not before it is stored"
    );
    get_until(&server, "/sitemap.xml", dated);
    let first = get_until(&server, PART, dated);
    let modified = first.header("last-modified").unwrap().to_owned();
    let since = format!("If-Modified-Since: {modified}");
    assert_eq!(get(server.address, PART, &[&since]).status, 304);
    assert_eq!(
        get(
            server.address,
            PART,
            &["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]
        )
        .status,
        200
    );
    assert_eq!(
        get(server.address, PART, &[&since, "If-None-Match: \"x\""]).status,
        200,
        "a tag counts more"
    );
    // The index says when the part changed, not when its rows did.
    let index = get_until(&server, "/sitemap.xml", |index| {
        sitemaps(index.text())[1].lastmod.as_deref() > Some("2026-06")
    });
    let lastmod = sitemaps(index.text())[1].lastmod.clone().unwrap();
    assert_eq!(lastmod[11..19], modified[17..25], "{lastmod} {modified}");
    drop(server);

    // Another process, a second later: the same content has the same time.
    thread::sleep(Duration::from_millis(1100));
    let server = Server::start(&site(&rows, &file).build().unwrap());
    let index = get(server.address, "/sitemap.xml", &[]);
    assert_eq!(
        sitemaps(index.text())[1].lastmod.as_ref(),
        Some(&lastmod),
        "at once"
    );
    let again = get_until(&server, PART, dated);
    assert_eq!(again.head(), first.head());

    rows.change(15, |page| page.slug = "other".to_owned());
    thread::sleep(AGE);
    let changed = get_until(&server, PART, |part| {
        dated(part) && part.header("last-modified") != Some(&*modified)
    });
    assert_ne!(changed.header("etag"), first.header("etag"));
    let time = |response: &Response| response.header("last-modified").unwrap()[17..25].to_owned();
    assert_ne!(time(&changed), time(&first));
}

#[test]
fn a_restart_begins_with_the_stored_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parts.json");
    let rows = Rows::new(45);
    let server = Server::start(&site(&rows, &file).build().unwrap());
    get_until(&server, "/sitemap.xml", dated);
    drop(server);
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing is left beside the file"
    );

    rows.close();
    let server = Server::start(
        &site(&rows, &file)
            .patience(Duration::from_millis(50))
            .build()
            .unwrap(),
    );
    let index = get(server.address, "/sitemap.xml", &[]);
    assert_eq!(sitemaps(index.text()).len(), 5);
}

#[test]
fn a_store_that_holds_something_else_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parts.json");
    let rows = Rows::new(25);
    let row = r#"{"to":[{"i":7}],"rows":3,"newest":"unknown"}"#;
    for text in [
        "",
        "{}",
        "null",
        r#"{"format":2}"#,
        &format!(r#"{{"format":1,"sections":{{"pages":[{row},{row}]}}}}"#),
    ] {
        fs::write(&file, text).unwrap();
        let server = Server::start(&site(&rows, &file).build().unwrap());
        assert_eq!(
            sitemaps(get(server.address, "/sitemap.xml", &[]).text()).len(),
            3,
            "{text}"
        );
    }
    // One that cannot be written costs the times and nothing else.
    let server = Server::start(&site(&rows, Path::new("/nowhere/parts.json")).build().unwrap());
    assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 200);
    assert!(!dated(&get(server.address, PART, &[])));
}

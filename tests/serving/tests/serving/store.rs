//! A table of parts that survives the process, and the times that only it has.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Response, Rows, crawl, get, logged, sitemaps};
use sitemap_site::source::{self, BoxError, Row, Span};
use sitemap_site::{FileStore, Section, SiteBuilder, TableStore};

use crate::server::Server;

const PART: &str = "/sitemap-pages.10~20.xml";
const AGE: Duration = Duration::from_millis(100);

fn site(rows: &Rows, file: &Path) -> SiteBuilder {
    SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(AGE)
        .table_store(FileStore::new(file))
        .clone()
}

/// Repeats the request until the answer is as expected.
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

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
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
    // The index has the time when the part changed, not when its rows did.
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
    assert_eq!(names(folder.path()), ["parts.json", "parts.json.lock"]);

    rows.close();
    let server = Server::start(
        &site(&rows, &file)
            .time_limit(Duration::from_millis(50))
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
        r#"{"format":1}"#,
        // Two parts with the same end.
        &format!(r#"{{"format":2,"sections":{{"pages":{{"parts":[{row},{row}]}}}}}}"#),
        // A part without an end that is not the last.
        r#"{"format":2,"sections":{"pages":{"parts":[{"to":null,"rows":3,"newest":"unknown"},{"to":[{"i":7}],"rows":3,"newest":"unknown"}]}}}"#,
        // More rows and entries than possible.
        r#"{"format":2,"sections":{"pages":{"parts":[{"to":null,"rows":18446744073709551615,"newest":"unknown"}]}}}"#,
        r#"{"format":2,"sections":{"pages":{"parts":[{"to":null,"rows":3,"entries":50001,"newest":"unknown"}]}}}"#,
    ] {
        fs::write(&file, text).unwrap();
        let server = Server::start(&site(&rows, &file).build().unwrap());
        assert_eq!(
            sitemaps(get(server.address, "/sitemap.xml", &[]).text()).len(),
            3,
            "{text}"
        );
    }
    // If a part cannot be written, only the times are lost.
    let server = Server::start(&site(&rows, Path::new("/nowhere/parts.json")).build().unwrap());
    assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 200);
    assert!(!dated(&get(server.address, PART, &[])));
}

/// While a site is upgraded, instances of both versions run. The old ones do not change the table of the new ones.
#[test]
fn the_table_of_a_newer_version_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parts.json");
    let newer = r#"{"format":3,"sections":["of any shape"]}"#;
    fs::write(&file, newer).unwrap();
    let site = site(&Rows::new(25), &file).build().unwrap();
    let ((), log) = logged(async {
        site.ready().await.unwrap();
        tokio::time::sleep(Duration::from_millis(600)).await;
    });
    let reason = "the stored table has format 3; this version reads 2, and does not replace newer ones";
    assert!(log.iter().any(|line| line.contains(reason)), "{log:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), newer);
}

/// If two programs save at once, one must load again, and a concurrent reader gets the text of one of them.
#[tokio::test(flavor = "multi_thread")]
async fn files_saved_at_once_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::new(folder.path().join("parts.json"));
    let whole = |program: char| program.to_string().repeat(200_000);
    let saves: Vec<_> = ['a', 'b', 'c', 'd']
        .into_iter()
        .map(|program| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut saved = 0;
                while saved < 10 {
                    let found = store.load().await.unwrap();
                    let (count, version) = match &found {
                        None => (0, None),
                        Some((found, version)) => {
                            let (count, text) = found.split_once(':').unwrap();
                            let first = text.chars().next().unwrap();
                            assert!(text == whole(first), "{} bytes of {first}", text.len());
                            (count.parse::<u32>().unwrap(), Some(version.clone()))
                        }
                    };
                    let next = format!("{}:{}", count + 1, whole(program));
                    saved += u32::from(store.save(next, version).await.unwrap());
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            })
        })
        .collect();
    for save in saves {
        save.await.unwrap();
    }
    // No save was lost.
    assert!(store.load().await.unwrap().unwrap().0.starts_with("40:"));
    assert_eq!(names(folder.path()), ["parts.json", "parts.json.lock"]);
}

/// Instances may run as several users, so the file has the default permissions of a new file.
#[tokio::test]
#[cfg(unix)]
async fn a_saved_file_can_be_read_by_whom_the_mask_lets() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (saved, other) = (folder.path().join("parts.json"), folder.path().join("other"));
    assert!(FileStore::new(&saved).save("{}".to_owned(), None).await.unwrap());
    fs::write(&other, "{}").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&saved), mode(&other));
}

/// A version with another key type finds the earlier table, counts all rows again, and lists their parts in its index.
#[test]
fn a_table_of_other_keys_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parts.json");
    let texts = Section::new(source::rows(|span: Span, limit| async move {
        let slugs = (1..=40).map(|id| format!("s{id:02}"));
        let after = span.after.map(|key| key.to_string()).unwrap_or_default();
        let to = span.to.map(|key| key.to_string());
        let rows = slugs.filter(|slug| *slug > after && to.as_ref().is_none_or(|to| slug <= to));
        let rows = rows.take(limit);
        Ok::<_, BoxError>(
            rows.map(|slug| Row::new(slug.clone(), UrlEntry::new(format!("/{slug}"))))
                .collect(),
        )
    }));
    let before = |site: &mut SiteBuilder| site.section("pages", texts.clone()).build().unwrap();
    let mut empty = SiteBuilder::new("https://example.com");
    empty
        .part_rows(10)
        .max_age(AGE)
        .table_store(FileStore::new(&file));
    let old = Server::start(&before(&mut empty.clone()));
    get_until(&old, "/sitemap.xml", dated);
    drop(old);
    let rows = Rows::new(44);
    let new = empty.section("pages", rows.clone()).build().unwrap();
    let server = Server::start(&new);
    get_until(&server, "/sitemap.xml", |index| {
        index.status == 200 && sitemaps(index.text()).len() == 4 && index.text().contains("pages.~10.xml")
    });
    assert_eq!(
        crawl("https://example.com", &[server.address]).locs(),
        rows.locs("https://example.com")
    );
    assert_eq!(new.stats().stale_since(), None);
}

//! A published set, served.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use sitemap_serde::UrlEntry;
use sitemap_site::{ServeSet, SiteBuilder, SitemapSet};

use crate::ask::{Got, read, request};

/// Longer than a check counts as current.
const LATER: Duration = Duration::from_millis(1_100);

fn open(root: &Path, gzip: bool, in_place: bool) -> SitemapSet {
    let open = if in_place {
        SitemapSet::in_place
    } else {
        SitemapSet::directory
    };
    open(root, "https://example.com/shop")
        .max_entries(10)
        .gzip(gzip.then_some(6))
        .default_stylesheet(true)
        .allow_shrinking(true)
        .open()
        .unwrap()
}

fn publish(set: &SitemapSet, ids: std::ops::RangeInclusive<i64>) {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in ids {
        let entry = UrlEntry::new(format!("/p/{id}"));
        writer.write(id, &entry).unwrap();
    }
    set.commit(&[writer.finish().unwrap()]).unwrap();
}

async fn ask(service: &ServeSet, method: &str, path: &str, headers: &[(&str, &str)]) -> Got {
    read(service.respond(&request(method, path, headers)).await).await
}

#[tokio::test]
async fn files_have_the_heads_of_a_site() {
    for in_place in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("set");
        let set = open(&root, false, in_place);
        publish(&set, 1..=25);
        let service = ServeSet::new(set);
        let public = if in_place {
            root.clone()
        } else {
            root.join("current")
        };
        // What a site says of its documents, so does this.
        let site = SiteBuilder::new("https://example.com/shop")
            .section("p", vec![UrlEntry::new("/p/1")])
            .html(true)
            .build()
            .unwrap();
        for (name, of_site) in [
            ("sitemap.xml", "sitemap.xml"),
            ("sitemap-p-2.xml", "sitemap-p.xml"),
            ("sitemap.css", "sitemap.css"),
        ] {
            let file = std::fs::read_to_string(public.join(name)).unwrap();
            for path in [format!("/shop/{name}"), format!("/{name}")] {
                let got = ask(&service, "GET", &path, &[]).await;
                assert_eq!((got.status, got.text()), (200, file.clone()));
            }
            let gzip = [("accept-encoding", "gzip")];
            let plain = ask(&service, "GET", &format!("/{name}"), &[]).await;
            let packed = ask(&service, "GET", &format!("/{name}"), &gzip).await;
            assert_eq!((packed.header("content-encoding"), packed.text()), ("gzip", file));
            assert_ne!(packed.header("etag"), plain.header("etag"));
            let expected = read(site.respond(&request("GET", &format!("/{of_site}"), &[])).await).await;
            for header in ["content-type", "cache-control", "vary", "x-robots-tag"] {
                assert_eq!(plain.header(header), expected.header(header), "{name}: {header}");
            }
            for (got, headers) in [(&plain, &[][..]), (&packed, &gzip)] {
                let head = ask(&service, "HEAD", &format!("/{name}"), headers).await;
                assert_eq!(
                    (head.status, &head.headers, head.body.len()),
                    (200, &got.headers, 0)
                );
                let condition = [headers, &[("if-none-match", got.header("etag"))]].concat();
                let again = ask(&service, "GET", &format!("/{name}"), &condition).await;
                assert_eq!((again.status, again.body.len()), (304, 0));
                assert_eq!(again.header("etag"), got.header("etag"));
                let modified = got.header("last-modified");
                assert_eq!(modified.is_empty(), name == "sitemap.css", "{name}");
                if !modified.is_empty() {
                    let since = [("if-modified-since", modified)];
                    assert_eq!(
                        ask(&service, "GET", &format!("/{name}"), &since).await.status,
                        304
                    );
                }
            }
            let posted = ask(&service, "POST", &format!("/{name}"), &[]).await;
            assert_eq!((posted.status, posted.header("allow")), (405, "GET, HEAD"));
        }
        for path in [
            "/",
            "/sitemap-p-4.xml",
            "/sitemap-p-1.xml.gz",
            "/SITEMAP.xml",
            "/shop/shop/sitemap.xml",
            "/../state/lock",
            "/shop/../state/lock",
            "/state/lock",
            "/.sitemap/lock",
            "/sitemap.xml/",
            "//sitemap.xml",
        ] {
            let got = ask(&service, "GET", path, &[]).await;
            assert_eq!(
                (got.status, got.header("cache-control")),
                (404, "no-store"),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn parts_that_are_gzip_by_name_are_sent_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("set");
    let set = open(&root, true, false);
    publish(&set, 1..=25);
    let service = ServeSet::new(set);
    let path = "/sitemap-p-2.xml.gz";
    let file = std::fs::read(root.join("current/sitemap-p-2.xml.gz")).unwrap();
    for headers in [
        &[][..],
        &[("accept-encoding", "gzip")],
        &[("accept-encoding", "identity")],
    ] {
        let got = ask(&service, "GET", path, headers).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "application/gzip")
        );
        assert_eq!(got.header("content-encoding"), "");
        assert!(got.body == file);
        let condition = [headers, &[("if-none-match", got.header("etag"))]].concat();
        assert_eq!(ask(&service, "GET", path, &condition).await.status, 304);
    }
    // From a file where there is no room in memory, and with the lifetimes that were set.
    let set = open(&root, true, false);
    let service = ServeSet::new(set).memory_bytes(0).max_age(Duration::from_secs(7));
    for (method, body) in [("GET", file.as_slice()), ("HEAD", b"")] {
        let got = ask(&service, method, path, &[]).await;
        assert_eq!(
            (
                got.status,
                got.header("content-length"),
                got.header("cache-control")
            ),
            (
                200,
                file.len().to_string().as_str(),
                "public, max-age=7, stale-while-revalidate=86400, stale-if-error=86400"
            )
        );
        assert!(got.body == body, "{method}");
    }
    assert_eq!(service.stats().spilled, 2);
    let mut xml = String::new();
    flate2::read::GzDecoder::new(file.as_slice())
        .read_to_string(&mut xml)
        .unwrap();
    assert!(xml.contains("/p/11<"), "{xml}");
}

#[tokio::test]
async fn a_commit_is_seen_and_a_dropped_part_stays() {
    for in_place in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("set");
        let service = ServeSet::new(open(&root, false, in_place));
        assert_eq!(
            ask(&service, "GET", "/sitemap.xml", &[]).await.status,
            404,
            "nothing is published yet"
        );
        publish(&open(&root, false, in_place), 1..=25);
        tokio::time::sleep(LATER).await;
        let index = ask(&service, "GET", "/sitemap.xml", &[]).await;
        assert_eq!(index.status, 200);
        let third = ask(&service, "GET", "/sitemap-p-3.xml", &[]).await;
        assert!(third.text().contains("/p/25<"));

        publish(&open(&root, false, in_place), 1..=15);
        tokio::time::sleep(LATER).await;
        let condition = [("if-none-match", index.header("etag"))];
        let index = ask(&service, "GET", "/sitemap.xml", &condition).await;
        assert!(index.status == 200 && !index.text().contains("sitemap-p-3"));
        let changed = ask(&service, "GET", "/sitemap-p-2.xml", &[]).await;
        assert!(changed.text().contains("/p/15<") && !changed.text().contains("/p/16<"));
        // Crawlers hold the old index.
        let dropped = ask(&service, "GET", "/sitemap-p-3.xml", &[]).await;
        assert_eq!((dropped.status, dropped.text()), (200, third.text()));
        // One part is the top file.
        publish(&open(&root, false, in_place), 1..=5);
        tokio::time::sleep(LATER).await;
        assert!(
            ask(&service, "GET", "/sitemap.xml", &[])
                .await
                .text()
                .contains("/p/5<")
        );
    }
}

/// A folder that is not mounted for a while costs what is not in memory, and nothing once it is back.
#[tokio::test]
async fn a_folder_that_is_gone_for_a_while() {
    for in_place in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (root, away) = (folder.path().join("set"), folder.path().join("away"));
        publish(&open(&root, false, in_place), 1..=45);
        publish(&open(&root, false, in_place), 1..=35);
        let check_every = Duration::from_millis(50);
        let service = ServeSet::new(open(&root, false, in_place)).check_every(check_every);
        let names = [
            "sitemap.xml",
            "sitemap-p-1.xml",
            "sitemap-p-2.xml",
            "sitemap-p-5.xml",
        ];
        let status = async |name: &str| ask(&service, "GET", &format!("/{name}"), &[]).await.status;
        let mut expected = Vec::new();
        for name in &names[..2] {
            expected.push(ask(&service, "GET", &format!("/{name}"), &[]).await);
        }
        for time in 0..2 {
            std::fs::rename(&root, &away).unwrap();
            // Before and after the next look.
            for _ in 0..2 {
                for (name, expected) in names.iter().zip(&expected) {
                    let got = ask(&service, "GET", &format!("/{name}"), &[]).await;
                    assert_eq!((got.status, got.text()), (200, expected.text()));
                    assert_eq!(got.header("etag"), expected.header("etag"));
                }
                // A part that is not in memory, and a part that is no longer listed.
                let others = (status(names[2]).await, status(names[3]).await);
                assert_eq!(others, (503, 503), "{in_place} {time}");
                assert_eq!(status("sitemap-p-9.xml").await, 404);
                tokio::time::sleep(check_every).await;
            }
            std::fs::rename(&away, &root).unwrap();
            tokio::time::sleep(check_every).await;
            assert_eq!(status(names[0]).await, 200);
            assert_eq!(status(names[3]).await, 200);
        }
        // Another set is there instead.
        std::fs::rename(&root, &away).unwrap();
        assert_eq!(status(names[0]).await, 200);
        publish(&open(&root, false, in_place), 50..=65);
        tokio::time::sleep(check_every).await;
        assert!(
            ask(&service, "GET", "/sitemap-p-1.xml", &[])
                .await
                .text()
                .contains("/p/50<")
        );
        assert_eq!(status(names[3]).await, 404);
    }
}

/// A file that somebody else has changed is not what the manifest says: nobody gets it with the other's `ETag`.
#[tokio::test]
async fn a_file_that_was_changed_is_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("set");
    let set = open(&root, false, true);
    publish(&set, 1..=25);
    std::fs::write(root.join("sitemap-p-2.xml"), "<urlset/>").unwrap();
    std::fs::remove_file(root.join("sitemap-p-3.xml")).unwrap();
    let service = ServeSet::new(set);
    for (name, status) in [
        ("sitemap-p-1.xml", 200),
        ("sitemap-p-2.xml", 503),
        ("sitemap-p-3.xml", 503),
    ] {
        let got = ask(&service, "GET", &format!("/{name}"), &[]).await;
        assert_eq!(got.status, status, "{name}");
        assert_eq!(got.header("retry-after").is_empty(), status == 200);
    }
}

/// A checked set counts as the published one until the next check.
#[tokio::test]
async fn a_commit_is_not_looked_for_at_each_request() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("set");
    publish(&open(&root, false, false), 1..=25);
    let service = ServeSet::new(open(&root, false, false)).check_every(Duration::from_secs(3600));
    let before = ask(&service, "GET", "/sitemap.xml", &[]).await;
    publish(&open(&root, false, false), 1..=45);
    let after = ask(&service, "GET", "/sitemap.xml", &[]).await;
    assert_eq!((after.status, after.text()), (200, before.text()));
    assert_eq!(ask(&service, "GET", "/sitemap-p-5.xml", &[]).await.status, 404);
}

/// A part is modified when its content changes, as the index says.
#[tokio::test]
async fn a_part_is_modified_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("set");
    let date = async |name: &str| {
        let service = ServeSet::new(open(&root, false, false));
        let got = ask(&service, "GET", name, &[]).await;
        httpdate::parse_http_date(got.header("last-modified")).unwrap()
    };
    let began = std::time::SystemTime::now() - Duration::from_secs(1);
    publish(&open(&root, false, false), 1..=25);
    let [first, third] = [date("/sitemap-p-1.xml").await, date("/sitemap-p-3.xml").await];
    assert!(
        first >= began && first <= std::time::SystemTime::now(),
        "{first:?}"
    );
    assert_eq!(first, third);
    tokio::time::sleep(LATER).await;
    publish(&open(&root, false, false), 1..=26);
    assert_eq!(date("/sitemap-p-1.xml").await, first);
    assert!(date("/sitemap-p-3.xml").await > third);
}

/// A broken manifest stays broken until somebody repairs it. An unreadable one may be readable in a moment.
#[tokio::test]
async fn a_set_that_cannot_be_read_is_an_error() {
    for (is_broken, status) in [(true, 500), (false, 503)] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("set");
        let set = open(&root, false, true);
        publish(&set, 1..=25);
        let mut state = std::fs::read_dir(root.join(".sitemap"))
            .unwrap()
            .map(|file| file.unwrap().path());
        let manifest = state
            .find(|path| path.to_str().unwrap().contains("manifest-"))
            .unwrap();
        std::fs::remove_file(&manifest).unwrap();
        if is_broken {
            std::fs::write(&manifest, "{").unwrap();
        } else {
            // Reading a folder as a file fails.
            std::fs::create_dir(&manifest).unwrap();
        }
        let got = ask(&ServeSet::new(set), "GET", "/sitemap.xml", &[]).await;
        assert_eq!(got.status, status);
        assert_eq!(got.header("retry-after").is_empty(), is_broken);
    }
}

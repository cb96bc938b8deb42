//! A site whose pages fit into one urlset.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use sitemap_serde::news::Publication;
use sitemap_serde::{Image, News, UrlEntry};
use sitemap_serving_tests::{Rows, get, inflate, logged, sitemaps, urls};
use sitemap_site::{Section, ServeSet, SiteBuilder, SitemapSet, source};

use crate::server::Server;

fn locs(xml: &str) -> Vec<String> {
    urls(xml).into_iter().map(|entry| entry.loc).collect()
}

/// One document has the pages of all sections, in order, with the headers of every document.
#[test]
fn curl_reads_one_urlset() {
    let Some(curl) = sitemap_tests::program("curl_reads_one_urlset", "curl") else {
        return;
    };
    let lamp = UrlEntry::new("/blog/lamp?a=1&b=2").with_images([Image::new("/lamp.jpg")]);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", ["/", "/about"].map(UrlEntry::new))
        .section("nothing", Vec::<UrlEntry>::new())
        .section("blog", [lamp])
        .section("rows", Rows::new(25))
        .part_rows(10)
        .flat(true)
        .build()
        .unwrap();
    let server = Server::start(&site);
    let url = format!("http://{}/sitemap.xml", server.address);
    let ask = |options: &[&str]| {
        let output = Command::new(&curl)
            .arg("--silent")
            .args(options)
            .arg(&url)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let xml = ask(&[]);
    assert!(
        xml.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>https://example.com/</loc></url>"
        ),
        "{xml}"
    );
    let found = locs(&xml);
    assert_eq!(
        found[..3],
        [
            "https://example.com/",
            "https://example.com/about",
            "https://example.com/blog/lamp?a=1&b=2"
        ]
    );
    assert_eq!(found.len(), 3 + 25);
    assert_eq!(ask(&["--compressed"]), xml);
    let answer = get(server.address, "/sitemap.xml", &[]);
    let etag = answer.header("etag").unwrap();
    let head = ["--head", "--write-out", "%{http_code}", "--header"];
    let again = ask(&[&head[..], &[format!("If-None-Match: {etag}").as_str()]].concat());
    assert!(again.ends_with("304"), "{again}");
    // The parts exist for crawlers with an earlier index, but are not listed.
    assert_eq!(get(server.address, "/sitemap-pages.xml", &[]).status, 200);
    assert_eq!(site.robots_lines(), "Sitemap: https://example.com/sitemap.xml");
}

/// If pages no longer fit, an index at the same address lists them. If they fit again, one urlset has them.
#[test]
fn a_site_that_grows_has_an_index() {
    let count = Arc::new(AtomicUsize::new(3));
    let rows = Arc::clone(&count);
    let pages = source::list(move || {
        let count = rows.load(Ordering::SeqCst);
        async move { Ok((0..count).map(|id| UrlEntry::new(format!("/{id}"))).collect()) }
    });
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .section("more", [UrlEntry::new("/more")])
        .part_rows(40_000)
        .max_age(Duration::ZERO)
        .flat(true)
        .build()
        .unwrap();
    let ask = async || {
        let response = site
            .respond(&http::Request::get("/sitemap.xml").body(()).unwrap())
            .await;
        assert_eq!(response.status(), 200);
        sitemap_serving_tests::body(response).await
    };
    let ((), lines) = logged(async {
        assert_eq!(urls(&ask().await).len(), 4);
        for rows in [49_999, 50_000, 50_000, 2] {
            count.store(rows, Ordering::SeqCst);
            site.refresh().await.unwrap();
            let xml = ask().await;
            if rows == 50_000 {
                assert!(sitemaps(&xml).len() > 1, "{rows}");
            } else {
                assert_eq!(urls(&xml).len(), rows + 1);
            }
        }
    });
    let lines: Vec<_> = lines.iter().filter(|line| line.contains("flat")).collect();
    assert_eq!(
        lines,
        [
            "WARN `https://example.com/sitemap.xml` is an index now, although the site is flat (`SiteBuilder::flat`): it has 50,001 entries, and one \
          sitemap has at most 50,000"
        ]
    );
}

/// The same for a set of files that a flat site is exported to, served by curl's own request; crawlers find all pages at one address.
#[test]
fn a_set_that_grows_has_an_index() {
    let Some(curl) = sitemap_tests::program("a_set_that_grows_has_an_index", "curl") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        SitemapSet::directory(folder.path().join("set"), "https://example.com")
            .flat(true)
            .max_entries(100)
            .allow_shrinking(true)
            .open()
            .unwrap()
    };
    let set = open();
    let files = ServeSet::new(open()).check_every(Duration::ZERO);
    let server = Server::of(Router::new().fallback_service(files));
    let ask = |path: &str| {
        let url = format!("http://{}{path}", server.address);
        let output = Command::new(&curl)
            .args(["--silent", "--fail", &url])
            .output()
            .unwrap();
        assert!(output.status.success(), "{path}");
        String::from_utf8(output.stdout).unwrap()
    };
    for rows in [98, 99, 150, 98] {
        let page = |id| UrlEntry::new(format!("/{id}"));
        let site = SiteBuilder::new("https://example.com")
            .section("pages", ["/", "/about"].map(UrlEntry::new))
            .section("rows", (0..rows).map(page).collect::<Vec<_>>())
            .flat(true)
            .build()
            .unwrap();
        let summary = server.block_on(site.export(&set)).unwrap();
        let xml = ask("/sitemap.xml");
        let warnings: &[String] = if rows == 98 {
            &[]
        } else {
            &[format!(
                "`sitemap.xml` is an index, although the set is flat (`SetBuilder::flat`): it would have {} entries, and one sitemap has at \
                 most 100",
                rows + 2
            )]
        };
        assert_eq!(summary.warnings, warnings);
        let found: Vec<_> = if rows == 98 {
            locs(&xml)
        } else {
            let parts = sitemaps(&xml).into_iter();
            let path = |loc: &str| loc.strip_prefix("https://example.com").unwrap().to_owned();
            parts.flat_map(|part| locs(&ask(&path(&part.loc)))).collect()
        };
        let mut expected = vec![
            "https://example.com/".to_owned(),
            "https://example.com/about".to_owned(),
        ];
        expected.extend((0..rows).map(|id| format!("https://example.com/{id}")));
        assert_eq!(found, expected, "{rows}");
    }
}

/// A failure concerns the whole sitemap, which has its last good copy.
#[test]
fn a_section_that_fails() {
    let rows = Rows::new(5);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", ["/", "/about"].map(UrlEntry::new))
        .section("rows", rows.clone())
        .max_age(Duration::ZERO)
        .flat(true)
        .build()
        .unwrap();
    let server = Server::of(Router::new().fallback_service(site));
    let ask = || get(server.address, "/sitemap.xml", &["accept-encoding: gzip"]);
    let answer = ask();
    assert_eq!(locs(&inflate(&answer.body)).len(), 7);
    rows.fail_above(0);
    let stale = ask();
    assert_eq!((stale.status, &stale.body), (200, &answer.body));
    assert!(stale.header("age").is_some());
}

/// An empty urlset is 404, like an index without parts. A section of news is refused.
#[test]
fn what_cannot_be_flat() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Vec::<UrlEntry>::new())
        .flat(true)
        .build()
        .unwrap();
    let server = Server::start(&site);
    assert_eq!(
        get(server.address, "/sitemap.xml", &[]).text(),
        "Not Found: the site has no pages to list, and a sitemap without entries would be invalid\n"
    );
    let news = News::new(
        Publication::new("The Example", "en"),
        "2026-11-25".parse().unwrap(),
        "Lamps",
    );
    let news = [UrlEntry::new("/news/1").with_news(news)];
    let error = SiteBuilder::new("https://example.com")
        .section("news", Section::new(news).news())
        .flat(true)
        .build();
    assert_eq!(
        error.unwrap_err().to_string(),
        "the section `news` has news, and the site is flat: a news section is a sitemap of its own, which only an index lists; leave out `flat`"
    );
    let open = |change: fn(&mut sitemap_site::SetBuilder)| {
        let mut builder = SitemapSet::directory("unused", "https://example.com");
        change(builder.flat(true));
        builder.open().unwrap_err().to_string()
    };
    assert_eq!(
        open(|set| {
            set.news("news", None);
        }),
        "the section `news` has news, and the set is flat: a news section is a sitemap of its own, which only an index lists; leave out `flat`"
    );
    assert_eq!(
        open(|set| {
            set.text(true);
        }),
        "the set is flat, and its parts are texts, which cannot be `sitemap.xml`; leave out `flat`"
    );
}

/// Whatever tasks are added and removed, `sitemap.xml` has all their entries as long as they fit.
#[test]
fn a_set_in_one_file() {
    for in_place in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let new = if in_place {
            SitemapSet::in_place
        } else {
            SitemapSet::directory
        };
        let set = new(folder.path(), "https://example.com")
            .flat(true)
            .max_entries(8)
            .gzip(6)
            .open()
            .unwrap();
        let list = |section: &str, ids: std::ops::Range<i64>| {
            let mut writer = set.task_writer(section, "all").unwrap();
            for id in ids {
                writer
                    .write(id, &UrlEntry::new(format!("/{section}/{id}")))
                    .unwrap();
            }
            writer.finish().unwrap()
        };
        let top = || {
            let folder = if in_place {
                folder.path().to_owned()
            } else {
                folder.path().join("current")
            };
            std::fs::read_to_string(folder.join("sitemap.xml")).unwrap()
        };
        set.commit(&[list("a", 0..3), list("b", 0..2)]).unwrap();
        assert_eq!(urls(&top()).len(), 5);
        let summary = set.update(&[list("b", 0..4)]).unwrap();
        assert_eq!(summary.warnings, Vec::<String>::new());
        assert_eq!(urls(&top()).len(), 7);
        assert_eq!(set.entries().unwrap().count(), 7);
        // The plan matches the commit.
        let list = list("c", 0..2);
        assert_eq!(set.plan_update(std::slice::from_ref(&list)).unwrap().entries, 9);
        let summary = set.update(&[list]).unwrap();
        assert_eq!(
            summary.warnings,
            [
                "`sitemap.xml` is an index, although the set is flat (`SetBuilder::flat`): it would have 9 entries, and one sitemap has at most 8"
            ]
        );
        assert_eq!(sitemaps(&top()).len(), 3);
        assert_eq!(set.entries().unwrap().count(), 9);
    }
}

//! The statistics of a section for operators.

use std::thread;
use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Rows, body, get, logged, sitemaps};
use sitemap_site::{Failures, SiteBuilder};

use crate::server::Server;

const AGE: Duration = Duration::from_millis(60);

#[test]
fn a_section_says_since_when_it_is_old() {
    let rows = Rows::new(35);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(AGE)
        .build()
        .unwrap();
    let server = Server::start(&site);
    assert_eq!(site.stats().sections[0].table_age, None);
    server.block_on(site.warm("pages")).unwrap();
    let [section] = &site.stats().sections[..] else {
        panic!("one section");
    };
    assert_eq!(
        (section.name.as_str(), section.parts, section.listed),
        ("pages", 4, 4)
    );
    assert_eq!((section.rows, section.renderings, section.skipped), (35, 4, 0));
    assert_eq!(
        (section.failures, section.stale_since),
        (Failures::default(), None)
    );
    assert!(section.last_success.is_some() && section.table_age.is_some());
    assert!(section.slowest <= section.rendering_time);

    rows.fail_above(0);
    thread::sleep(AGE);
    get(server.address, "/sitemap-pages.~10.xml", &[]);
    get(server.address, "/sitemap.xml", &[]);
    let stats = site.stats();
    let failures = stats.sections[0].failures;
    assert!(failures.source >= 1 && failures.table >= 1, "{failures:?}");
    assert!(stats.stale_since().is_some());
    assert!(stats.stale_since() >= stats.sections[0].last_success);

    rows.fail_above(i64::MAX);
    thread::sleep(AGE);
    server.block_on(site.refresh()).unwrap();
    server.block_on(site.warm("pages")).unwrap();
    assert_eq!(site.stats().stale_since(), None);

    // Skipped rows count even if the part has no others.
    (1..=10).for_each(|id| rows.change(id, |page| page.slug = "x".repeat(3_000)));
    site.purge("pages").unwrap();
    server.block_on(site.warm("pages")).unwrap_err();
    let stats = site.stats();
    assert_eq!((stats.skipped, stats.sections[0].skipped), (10, 10));
    assert_eq!(stats.sections[0].failures.content, 1);
}

/// Any client can request any range. This is not a failure of the site, and is not logged each time.
#[test]
fn made_up_ranges_are_no_failures() {
    let rows = Rows::new(200);
    (1..=200).for_each(|id| rows.change(id, |page| page.slug = "x".repeat(3_000)));
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .build()
        .unwrap();
    let ((), log) = logged(async {
        let index = Request::get("/sitemap.xml").body(()).unwrap();
        assert_eq!(site.respond(&index).await.status(), 200);
        for id in 1..=100 {
            if id == 50 {
                rows.fail_above(0);
            }
            let path = format!("/sitemap-pages.{id}~{}.xml", id + 3);
            let response = site.respond(&Request::get(path).body(()).unwrap()).await;
            assert_eq!(response.status(), 500);
        }
    });
    let range = "WARN the range sitemap-pages.1~4.xml, which the index does not list, is not rendered: none of its rows can be listed: 3 are skipped";
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].starts_with(range), "{log:?}");
    let stats = site.stats();
    assert_eq!((stats.failures, stats.skipped), (0, 0));
    assert_eq!(
        (stats.sections[0].failures, stats.stale_since()),
        (Failures::default(), None)
    );
}

/// A part whose rows could not be read and no longer exist is not a failure any more: if it is requested, and if the table has no such
/// part.
#[test]
fn a_part_that_is_gone_has_not_failed() {
    for is_asked in [true, false] {
        let rows = Rows::new(35);
        let site = SiteBuilder::new("https://example.com")
            .section("pages", rows.clone())
            .part_rows(10)
            .max_age(AGE)
            .build()
            .unwrap();
        let server = Server::start(&site);
        server.block_on(site.ready()).unwrap();
        let status = || get(server.address, "/sitemap-pages.30~.xml", &[]).status;
        rows.fail_above(0);
        assert_eq!(status(), 500);
        assert!(site.stats().stale_since().is_some());
        rows.fail_above(i64::MAX);
        if is_asked {
            (31..=35).for_each(|id| rows.remove(id));
            thread::sleep(AGE);
            assert_eq!(status(), 404);
        } else {
            (5..=35).for_each(|id| rows.remove(id));
            thread::sleep(AGE);
            server.block_on(site.refresh()).unwrap();
            assert_eq!(site.stats().sections[0].parts, 1);
        }
        assert_eq!(site.stats().stale_since(), None, "{is_asked}");
    }
}

/// A deploy with a wrong condition removes half of the rows, whichever count finds it. Changes of fewer than ten rows cause no warning.
#[test]
fn a_section_that_loses_half_of_its_rows_is_a_warning() {
    for (count, left, is_told) in [
        (200, 100, true),
        (200, 101, false),
        (12, 6, true),
        (200, 0, true),
        (9, 1, false),
    ] {
        for is_refresh in [false, true] {
            let rows = Rows::new(count);
            let site = SiteBuilder::new("https://example.com")
                .section("pages", rows.clone())
                .max_age(AGE)
                .build()
                .unwrap();
            let ((), log) = logged(async {
                site.ready().await.unwrap();
                (left + 1..=count).for_each(|id| rows.remove(id));
                for _ in 0..2 {
                    if is_refresh {
                        site.refresh().await.unwrap();
                    } else {
                        tokio::time::sleep(AGE).await;
                        let request = Request::get("/sitemap.xml").body(()).unwrap();
                        site.respond(&request).await;
                    }
                }
            });
            let line = format!(
                "WARN the section `pages` has lost half of its rows: it has {left}, and had {count} when they were last counted; if they were not \
                 deleted on purpose, check the source's condition"
            );
            let told = log.iter().filter(|found| **found == line).count();
            assert_eq!(told, usize::from(is_told), "{log:?}");
        }
    }
}

/// Renderings that find half of a section's rows gone are one warning, before the next count.
#[test]
fn parts_that_are_empty_now_are_a_warning() {
    for (left, told) in [(60, 0), (40, 1), (0, 1)] {
        let rows = Rows::new(100);
        let site = SiteBuilder::new("https://example.com")
            .section("pages", rows.clone())
            .part_rows(10)
            .build()
            .unwrap();
        let ((), log) = logged(async {
            site.ready().await.unwrap();
            let index = site
                .respond(&Request::get("/sitemap.xml").body(()).unwrap())
                .await;
            let parts = sitemaps(&body(index).await);
            site.purge("pages").unwrap();
            (left + 1..=100).for_each(|id| rows.remove(id));
            for part in parts {
                let path = part.loc.replace("https://example.com", "");
                site.respond(&Request::get(path).body(()).unwrap()).await;
            }
        });
        let lines = log
            .iter()
            .filter(|line| line.contains("has lost half of its rows: parts with "));
        assert_eq!(lines.count(), told, "{left} {log:?}");
    }
}

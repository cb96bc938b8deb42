//! Rows that change in the middle of a section: the index has their dates before all rows are counted again.

use std::time::{Duration, SystemTime};

use http::Request;
use sitemap_serde::{Precision, W3cDateTime};
use sitemap_serving_tests::{Entry, body, logged, sitemaps};
use sitemap_site::{Site, SiteBuilder};

use crate::dated::Dated;

#[tokio::test(start_paused = true)]
async fn a_change_in_the_middle_is_in_the_index_after_max_age() {
    let rows = Dated::default();
    (1..=200).for_each(|key| {
        rows.set(
            key,
            &format!("2026-04-{:02}T10:{:02}:00Z", 1 + key / 60, key % 60),
        );
    });
    // A row with a date in the future hides nothing.
    rows.set(150, "2999-01-01T00:00:00Z");
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(Duration::ZERO)
        .build()
        .unwrap();
    let lastmods = async || {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let index = Request::get("/sitemap.xml").body(()).unwrap();
        let index = body(site.respond(&index).await).await;
        sitemaps(&index)
    };
    let before = lastmods().await;
    assert!(before.len() > 15, "{before:?}");
    for (round, key) in [100, 7, 199, 42].into_iter().enumerate() {
        let lastmod = format!("2026-05-02T10:00:{round:02}Z");
        let (counted, mut tails) = (rows.counts(), 0);
        rows.set(key, &lastmod);
        let (after, changed) = loop {
            let after = lastmods().await;
            let is_changed = |part: &&Entry| part.lastmod.as_ref() == Some(&lastmod);
            let changed: Vec<_> = after.iter().filter(is_changed).cloned().collect();
            tails += 1;
            if !changed.is_empty() || tails == 500 {
                break (after, changed);
            }
        };
        assert_eq!(changed.len(), 1, "{after:?}");
        let part = changed[0].loc.strip_prefix("https://example.com").unwrap();
        let part = site.respond(&Request::get(part).body(()).unwrap()).await;
        assert!(body(part).await.contains(&format!("/k{key:04}<")));
        // One query for the last part, and a binary search among 20 for each row that is newer than any before, equally new, or in the
        // future.
        let queries = rows.counts() - counted;
        assert!(queries <= tails + 3 * 5, "{queries} queries");
    }
    // An older date, and a removed row, wait for the count of all rows.
    rows.set(100, "2026-03-01T00:00:00Z");
    let index = lastmods().await;
    assert!(
        index
            .iter()
            .any(|part| part.lastmod.as_deref() == Some("2026-05-02T10:00:00Z"))
    );
    site.refresh().await.unwrap();
    let index = lastmods().await;
    assert!(
        index
            .iter()
            .all(|part| part.lastmod.as_deref() != Some("2026-05-02T10:00:00Z"))
    );
    assert!(rows.looks() >= 4);
}

fn site(rows: &Dated) -> Site {
    let mut site = SiteBuilder::new("https://example.com");
    site.section("pages", rows.clone()).part_rows(10);
    site.max_age(Duration::ZERO).build().unwrap()
}

/// The index after the work that earlier requests started.
async fn index(site: &Site) -> Vec<Entry> {
    tokio::time::sleep(Duration::from_millis(10)).await;
    let response = site
        .respond(&Request::get("/sitemap.xml").body(()).unwrap())
        .await;
    assert_eq!(response.status(), 200);
    sitemaps(&body(response).await)
}

/// A source may have its numbers in descending order.
#[tokio::test(start_paused = true)]
async fn the_part_of_a_number_is_found_in_either_order() {
    let rows = Dated::default();
    rows.use_numbers();
    (1..=200).for_each(|key| rows.set(key, "2026-04-01T10:00:00Z"));
    let site = site(&rows);
    index(&site).await;
    for (second, key) in [1, 7, 42, 100, 199].into_iter().enumerate() {
        let lastmod = format!("2026-05-02T10:00:{second:02}Z");
        rows.set(key, &lastmod);
        let mut tries = 0;
        let part = loop {
            let parts = index(&site).await;
            let changed: Vec<_> = parts
                .into_iter()
                .filter(|part| part.lastmod.as_ref() == Some(&lastmod))
                .collect();
            assert!(changed.len() <= 1, "{changed:?}");
            tries += 1;
            assert!(tries < 500, "{key} is not found");
            if let Some(part) = changed.into_iter().next() {
                break part.loc;
            }
        };
        let path = part.strip_prefix("https://example.com").unwrap();
        let part = site.respond(&Request::get(path).body(()).unwrap()).await;
        assert!(body(part).await.contains(&format!("/{key}<")), "{key} in {path}");
    }
}

/// More changes at once than one query returns are found in several steps.
#[tokio::test(start_paused = true)]
async fn many_changes_are_found_one_after_the_other() {
    let rows = Dated::default();
    (1..=200).for_each(|key| rows.set(key, "2026-04-01T10:00:00Z"));
    let site = site(&rows);
    index(&site).await;
    (1..=200).for_each(|key| rows.set(key, &format!("2026-05-02T{:02}:{:02}:00Z", key / 60, key % 60)));
    for round in 0.. {
        let parts = index(&site).await;
        if parts.iter().all(|part| part.lastmod.as_deref() > Some("2026-05")) {
            break;
        }
        assert!(round < 1_000, "{parts:?}");
    }
}

/// If a query of the newest rows fails or returns too many rows, the lastmods are lost, but not the table.
#[test]
fn changes_that_cannot_be_found_are_warned_about() {
    let rows = Dated::default();
    (1..=20).for_each(|key| rows.set(key, "2026-04-01T10:00:00Z"));
    let ((), log) = logged(async {
        let site = site(&rows);
        index(&site).await;
        rows.break_looks(true);
        index(&site).await;
    });
    assert_eq!(
        log.last().unwrap(),
        "WARN the rows that have changed cannot be found, so the index has their lastmods later: no index"
    );
    assert!(!log.iter().any(|line| line.starts_with("ERROR")), "{log:?}");

    rows.break_looks(false);
    rows.use_numbers();
    let hidden = "WARN 1000 rows or more have lastmods in the future: lastmods before theirs are in the index after the next count of all rows \
                  (`recount_after`, or `Site::refresh`)";
    (1_000..2_000).for_each(|key| rows.set(key, "2999-01-01T00:00:00Z"));
    let ((), log) = logged(async {
        let site = site(&rows);
        let looks = rows.looks();
        while rows.looks() < looks + 3 {
            index(&site).await;
        }
    });
    assert_eq!(log.iter().filter(|line| *line == hidden).count(), 1, "{log:?}");
}

/// If there are too many changes for the query, a count of all rows finds them. It becomes due once, immediately.
#[tokio::test(start_paused = true)]
async fn a_thousand_changes_are_counted() {
    let rows = Dated::default();
    rows.use_numbers();
    (1..=3_000).for_each(|key| rows.set(key, "2026-04-01T10:00:00Z"));
    let site = site(&rows);
    let parts = index(&site).await.len();
    for day in 1..=2 {
        let time = |key: usize| format!("2026-05-{day:02}T{:02}:{:02}:00Z", key / 60 % 24, key % 60);
        (1..=1_400).for_each(|key| rows.set(key, &time(key)));
        // The first one, whose part has no newer row.
        let changed = format!("2026-05-{day:02}");
        let counts = rows.counts();
        let is_changed = |part: &&Entry| part.lastmod.as_ref() > Some(&changed);
        for round in 0.. {
            let index = index(&site).await;
            if index.iter().filter(is_changed).count() >= index.len() * 1_400 / 3_000 {
                break;
            }
            assert!(round < 500, "{index:?}");
        }
        for _ in 0..20 {
            index(&site).await;
        }
        // A count of all rows takes a query for each part; a count of the last part takes one.
        let counts = rows.counts() - counts;
        assert!(
            (parts..2 * parts).contains(&counts),
            "{counts} queries for {parts} parts"
        );
    }
}

/// Today, more rows may change than are read. This is not possible on a past day, or if each part has a row of that day.
#[tokio::test(start_paused = true)]
async fn rows_of_one_day_are_counted_until_it_is_over() {
    let now = W3cDateTime::try_from(SystemTime::now()).unwrap();
    let today = now.truncated_to(Precision::Day);
    let yesterday = "2026-05-01".parse().unwrap();
    for (newest, keys, is_counted_again) in [
        (today, 1_000..=3_000, true),
        (today, 2_100..=3_000, false),
        (today, 1..=3_000, false),
        (yesterday, 1_000..=3_000, false),
    ] {
        let rows = Dated::default();
        rows.use_numbers();
        (1..=3_000).for_each(|key| rows.set(key, "2026-04-01"));
        keys.clone().for_each(|key| rows.put(key, newest));
        let site = site(&rows);
        index(&site).await;
        let counts = rows.counts();
        for _ in 0..10 {
            index(&site).await;
        }
        // The last part takes a query each time.
        let counts = rows.counts() - counts;
        assert_eq!(
            counts > 100,
            is_counted_again,
            "{newest}, {keys:?}: {counts} queries"
        );
    }
}

/// If all rows may have changed during a whole day, counts leave most of the time to other queries.
#[tokio::test(start_paused = true)]
async fn counts_due_to_changes_are_seldom() {
    let today = W3cDateTime::try_from(SystemTime::now())
        .unwrap()
        .truncated_to(Precision::Day);
    let rows = Dated::default();
    rows.use_numbers();
    (1..=3_000).for_each(|key| rows.set(key, "2026-04-01"));
    (1_000..=3_000).for_each(|key| rows.put(key, today));
    let site = site(&rows);
    let parts = index(&site).await.len();
    rows.delay(Duration::from_millis(100));
    let (counts, began) = (rows.counts(), tokio::time::Instant::now());
    let mut requests = 0;
    while began.elapsed() < Duration::from_secs(60 * 60) {
        index(&site).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        requests += 1;
    }
    // A count takes a tenth of a second for each part, and each request takes a query of the last part.
    let counted = (rows.counts() - counts - requests) / parts;
    let most = 60 * 60 * 10 / (parts * 10);
    assert!(
        (most / 2..=most).contains(&counted),
        "{counted} counts of {parts} parts"
    );
}

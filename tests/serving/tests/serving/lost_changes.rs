//! Changes during a count of rows, and many at once: none is lost until the next count of all rows.

use std::time::{Duration, SystemTime};

use http::Request;
use sitemap_serde::{Precision, W3cDateTime};
use sitemap_serving_tests::{body, sitemaps};
use sitemap_site::source::Span;
use sitemap_site::{Key, Site, SiteBuilder};
use sitemap_tests::Random;

use crate::dated::Dated;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn site(rows: &Dated) -> Site {
    let mut site = SiteBuilder::new("https://example.com");
    site.section("pages", rows.clone()).part_rows(10);
    site.max_age(Duration::ZERO).build().unwrap()
}

fn now() -> W3cDateTime {
    SystemTime::now().try_into().unwrap()
}

/// The parts in the index, with their lastmods.
async fn listed(site: &Site) -> Vec<(Span, Option<W3cDateTime>)> {
    let request = Request::get("/sitemap.xml").body(()).unwrap();
    let index = body(site.respond(&request).await).await;
    let part = |part: &sitemap_serving_tests::Entry| {
        let (_, name) = part.loc.rsplit_once("/sitemap-pages").unwrap();
        let range = name.strip_suffix(".xml").unwrap().trim_start_matches('.');
        let (after, to) = range.split_once('~').unwrap_or_default();
        let key = |key: &str| {
            let number = || key.parse::<i64>().map_or_else(|_| Key::from(key), Key::from);
            (!key.is_empty()).then(number)
        };
        let span = Span {
            after: key(after),
            to: key(to),
        };
        (
            span,
            part.lastmod.as_ref().map(|lastmod| lastmod.parse().unwrap()),
        )
    };
    sitemaps(&index).iter().map(part).collect()
}

/// Returns `true` if a lastmod is not in the future, considering that a day begins fourteen hours earlier in the east.
fn has_begun(lastmod: W3cDateTime) -> bool {
    let earlier = if lastmod.precision() == Precision::Day {
        14 * 3_600
    } else {
        0
    };
    lastmod.unix_time().0 - earlier <= now().unix_time().0
}

/// The parts whose lastmods are older than their newest rows.
async fn outdated(site: &Site, rows: &Dated) -> Vec<Span> {
    let listed = listed(site).await.into_iter();
    let is_outdated = |(span, lastmod): &(Span, Option<W3cDateTime>)| {
        let dates = rows.within(span, usize::MAX).into_iter();
        let dates = dates.filter_map(|row| row.lastmod.lastmod());
        dates.filter(|date| has_begun(*date)).max() > *lastmod
    };
    listed.filter(is_outdated).map(|(span, _)| span).collect()
}

/// Waits until all other tasks are blocked: the tests' time only advances when all of them wait.
async fn let_others_run() {
    tokio::time::sleep(Duration::from_secs(1)).await;
}

/// Asserts that the index has the lastmods of all rows, after requests that trigger the search for them.
async fn assert_found(site: &Site, rows: &Dated, seed: u64) {
    for _ in 0..4 {
        listed(site).await;
        // Counts caused by changes pause.
        tokio::time::sleep(Duration::from_secs(600)).await;
    }
    assert_eq!(outdated(site, rows).await, [], "seed {seed}");
}

/// A row changes after it was counted. The search for its part is running when the count of all rows ends with other parts.
#[tokio::test(start_paused = true)]
async fn a_count_of_all_rows_waits_for_the_search_of_changed_rows() {
    let rows = Dated::default();
    (1..=200).for_each(|key| rows.put(key, now()));
    let site = site(&rows);
    listed(&site).await;
    (170..190).for_each(|key| rows.remove(key));
    let is_search = |_: &Span, limit| limit == 1;
    let is_in_the_middle = |span: &Span, limit| {
        let after = span.after.as_ref().map(Key::to_string);
        limit > 1 && after.is_some_and(|after| ("k0100".."k0120").contains(&&*after))
    };
    let counting = rows.gate(is_in_the_middle);
    let searching = rows.gate(is_search);
    let refreshed = tokio::spawn({
        let site = site.clone();
        async move { site.refresh().await }
    });
    let_others_run().await;
    (130..170).for_each(|key| rows.put(key, now()));
    let indexed = tokio::spawn({
        let site = site.clone();
        async move { listed(&site).await }
    });
    let_others_run().await;
    counting.add_permits(1_000);
    let_others_run().await;
    // The count waits, and so does the next query.
    assert_eq!(rows.looks(), 1);
    searching.add_permits(1_000);
    refreshed.await.unwrap().unwrap();
    indexed.await.unwrap();
    assert_eq!(outdated(&site, &rows).await, []);
}

/// Requests, counts and changes in any order.
#[tokio::test(start_paused = true)]
async fn changes_are_found_whatever_is_counted_meanwhile() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let rows = Dated::default();
        (1..=60).for_each(|key| rows.put(key, now()));
        rows.interrupt(seed);
        let site = site(&rows);
        for _ in 0..5 {
            std::thread::sleep(Duration::from_millis(5));
            let (requested, counted) = (site.clone(), site.clone());
            let requests = tokio::spawn(async move {
                for _ in 0..3 {
                    listed(&requested).await;
                }
            });
            let counts = tokio::spawn(async move { counted.refresh().await });
            for _ in 0..random.below(60) {
                let key = 1 + random.below(60);
                match random.below(8) {
                    0 => rows.remove(key),
                    1 => rows.put(key, now()),
                    _ => tokio::task::yield_now().await,
                }
            }
            requests.await.unwrap();
            counts.await.unwrap().unwrap();
        }
        assert_found(&site, &rows, seed).await;
    }
}

/// More rows of one day, hour or second than are read at once. Others of them change later.
#[tokio::test(start_paused = true)]
async fn changes_are_found_among_thousands_of_the_same_lastmod() {
    let precisions = [Precision::Day, Precision::Minute, Precision::Second];
    for (seed, precision) in (0..).zip(precisions.repeat(2)) {
        let mut random = Random::new(seed);
        let rows = Dated::default();
        rows.use_numbers();
        (1..=2_500).for_each(|key| rows.set(key, "2026-04-01"));
        // Rows that are not yet published, or written where a day begins earlier.
        let in_days = |days: u32| W3cDateTime::try_from(SystemTime::now() + days * DAY).unwrap();
        rows.put(2_501, in_days(1).truncated_to(Precision::Day));
        rows.put(2_502, in_days(40).truncated_to(precision));
        let mut site = SiteBuilder::new("https://example.com");
        site.section("pages", rows.clone()).part_rows(50);
        let site = site.max_age(Duration::ZERO).build().unwrap();
        listed(&site).await;
        // The rows with the greatest keys are read.
        for keys in [1_300..=2_500, 1_000..=1_001, 500..=501, 1..=1] {
            let first = *keys.start();
            let put = |key| rows.put(key, now().truncated_to(precision));
            keys.for_each(put);
            put(first + random.below(200));
            assert_found(&site, &rows, seed).await;
        }
    }
}

//! Unlisted ranges: any client can make them up, and another instance may list them.

use std::ops::Range;
use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Rows, body, sitemaps};
use sitemap_site::{Site, SiteBuilder};
use sitemap_tests::Random;

/// More do not fit into a sitemap.
const MOST_ROWS: i64 = 50_000;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn site(rows: &Rows, part_rows: usize) -> Site {
    let mut site = SiteBuilder::new("https://example.com");
    site.section("pages", rows.clone());
    // Nothing is cached, so each request reads its rows.
    site.part_rows(part_rows).batch_rows(1_000).memory_bytes(0);
    site.max_age(Duration::from_secs(600)).build().unwrap()
}

/// The listed parts, by the keys of their rows. The first key is not in the part.
async fn parts(site: &Site) -> Vec<Range<i64>> {
    let request = Request::get("/sitemap.xml").body(()).unwrap();
    let index = body(site.respond(&request).await).await;
    let part = |loc: &str| {
        let (_, range) = loc.rsplit_once("/sitemap-pages.").unwrap();
        let (after, to) = range.strip_suffix(".xml").unwrap().split_once('~').unwrap();
        after.parse().unwrap_or(0)..to.parse().unwrap_or(i64::MAX)
    };
    sitemaps(&index).iter().map(|entry| part(&entry.loc)).collect()
}

/// The status of a range, and the number of rows read for it.
async fn read(site: &Site, rows: &Rows, range: &Range<i64>) -> (u16, u64) {
    let before = rows.rows_read();
    let to = if range.end == i64::MAX {
        String::new()
    } else {
        range.end.to_string()
    };
    let path = format!("/sitemap-pages.{}~{to}.xml", range.start).replace(".0~", ".~");
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), rows.rows_read() - before)
}

/// The first row of each batch is read twice, except in the first batch.
fn read_again(rows: i64) -> u64 {
    u64::try_from(rows + rows / 1_000 + 1).unwrap()
}

/// A range of at most 50,000 rows is served, if it may have been a part. A larger one is 503 while an index of another process may list
/// it, and 410 from the next day on. It is not read if its ends are ends of parts. A range that was never a part of so many rows costs
/// ten queries.
#[tokio::test(start_paused = true)]
async fn a_range_reads_no_more_than_a_sitemap_can_have() {
    let rows = Rows::new(120_000);
    let site = site(&rows, 30_000);
    site.ready().await.unwrap();
    let parts = parts(&site).await;
    let ranges =
        (0..parts.len() - 1).flat_map(|first| (first + 1..parts.len() - 1).map(move |last| (first, last)));
    let mut ranges: Vec<_> = ranges
        .map(|(first, last)| (parts[first].start..parts[last].end, true))
        .collect();
    // For other ends, the number of rows is unknown.
    ranges.extend([
        (7..10_007, false),
        (7..10_008, false),
        (7..50_007, false),
        (60_000..i64::MAX, false),
    ]);
    for is_later in [false, true] {
        if is_later {
            tokio::time::sleep(DAY).await;
            // A refusal lasts for five seconds, which have not passed.
            site.purge("pages").unwrap();
        }
        let mut statuses = std::collections::BTreeSet::new();
        for (range, is_known) in &ranges {
            let size = range.end.min(120_000) - range.start;
            let (status, read) = read(&site, &rows, range).await;
            let large = if is_later { 410 } else { 503 };
            let most_rows = if *is_known { MOST_ROWS } else { 10_000 };
            assert_eq!(status, if size > most_rows { large } else { 200 }, "{range:?}");
            let most = if *is_known && size > MOST_ROWS {
                0
            } else {
                read_again(size.min(most_rows))
            };
            assert!(read <= most, "{read} rows of {range:?}");
            statuses.insert(status);
        }
        assert_eq!(statuses.len(), 2);
    }
}

/// Earlier parts are served, whatever rows have come and gone since, as long as they do not exceed the limit of a part.
#[tokio::test]
async fn addresses_of_before_are_served() {
    for seed in 0..10 {
        let rows = Rows::new(2_000);
        let site = site(&rows, 100);
        let mut random = Random::new(seed);
        let mut row = || i64::try_from(1 + random.below(2_000)).unwrap();
        (0..400).for_each(|_| rows.remove(row()));
        site.ready().await.unwrap();
        let before = parts(&site).await;
        for _ in 0..400 {
            rows.remove(row());
            rows.put(row());
        }
        site.refresh().await.unwrap();
        let after = parts(&site).await;
        let former: Vec<_> = before.iter().filter(|part| !after.contains(part)).collect();
        assert!(!former.is_empty());
        for part in former {
            assert_eq!(read(&site, &rows, part).await.0, 200, "seed {seed}: {part:?}");
        }
    }
}

//! Ranges that the index does not list: any client can make them up, and another instance may list them.

use std::ops::Range;
use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Rows, body, sitemaps};
use sitemap_site::Site;
use sitemap_tests::Random;

const PART_ROWS: usize = 100;
/// A part has at most one and a half times the usual number when it is counted, and grows.
const MOST_ROWS: u64 = 2 * PART_ROWS as u64;

fn site(rows: &Rows) -> Site {
    let mut site = Site::builder("https://example.com");
    site.section("pages", rows.clone());
    // Nothing is cached, so that each request reads its rows.
    site.part_rows(PART_ROWS).page_rows(30).memory_bytes(0);
    site.max_age(Duration::from_secs(600)).build().unwrap()
}

/// The parts that the index lists, by the keys of the rows, of which the first is not in the part.
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

/// The status of a range, and how many rows were read for it.
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

/// The first row of each page is read twice, except that of the first page.
fn read_again(rows: u64) -> u64 {
    rows + rows / 30 + 1
}

#[tokio::test]
async fn a_range_between_two_ends_reads_no_more_than_a_part_can_have() {
    let rows = Rows::new(3_000);
    let site = site(&rows);
    site.ready().await.unwrap();
    let parts = parts(&site).await;
    let mut served = 0;
    for (first, last) in
        (0..parts.len() - 1).flat_map(|first| (first + 1..parts.len() - 1).map(move |last| (first, last)))
    {
        let range = parts[first].start..parts[last].end;
        let size = u64::try_from(range.end - range.start).unwrap();
        let (status, read) = read(&site, &rows, &range).await;
        let most = if size > MOST_ROWS { 0 } else { read_again(size) };
        let expected = if size > MOST_ROWS { 410 } else { 200 };
        assert_eq!(status, expected, "{range:?}");
        assert!(read <= most, "{read} rows of {range:?}");
        served += usize::from(status == 200);
    }
    assert!(served > 3, "{served}");
    // With other ends it is not known how many rows there are.
    let mut random = Random::new(1);
    for _ in 0..200 {
        let start = i64::try_from(random.below(2_000)).unwrap();
        let range = start..start + 1 + i64::try_from(random.below(1_000)).unwrap();
        let (status, read) = read(&site, &rows, &range).await;
        let is_small = range.end - range.start <= 200;
        assert_eq!(status, if is_small { 200 } else { 410 }, "{range:?}");
        assert!(read <= read_again(MOST_ROWS), "{read} rows of {range:?}");
    }
}

/// The parts of before are served, whatever rows have come and gone since, as long as they have no more rows than a part can have.
#[tokio::test]
async fn addresses_of_before_are_served() {
    for seed in 0..10 {
        let rows = Rows::new(2_000);
        let site = site(&rows);
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

//! Rolling deploys, imports and deletions: a crawler with an earlier index misses no row.

use std::collections::HashMap;
use std::time::Duration;

use http::Request;
use sitemap_serving_tests::{Rows, body, sitemaps, urls};
use sitemap_site::{Site, SiteBuilder};
use sitemap_tests::Random;

const BASE: &str = "https://example.com";
/// Ids have gaps, so that rows can be inserted.
const STEP: i64 = 1_000;

fn site(rows: &Rows, part_rows: usize) -> Site {
    let mut site = SiteBuilder::new(BASE);
    site.section("pages", rows.clone())
        .part_rows(part_rows)
        .batch_rows(20);
    site.max_age(Duration::from_secs(600)).build().unwrap()
}

async fn ask(site: &Site, path: &str) -> (u16, String) {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), body(response).await)
}

async fn listed(site: &Site) -> Vec<String> {
    let (status, index) = ask(site, "/sitemap.xml").await;
    assert_eq!(status, 200, "{index}");
    let path = |loc: &str| loc.strip_prefix(BASE).unwrap().to_owned();
    sitemaps(&index).iter().map(|part| path(&part.loc)).collect()
}

fn spread(count: i64) -> Rows {
    let rows = Rows::new(0);
    (1..=count).for_each(|id| rows.put(id * STEP));
    rows
}

/// One version serves the parts in the other version's index, whether its own parts are larger or smaller.
#[tokio::test]
async fn versions_with_other_sizes_of_parts_serve_each_others() {
    let rows = spread(2_000);
    for (one, other) in [(100, 50), (100, 10), (50, 100), (7, 300)] {
        let sites = [site(&rows, one), site(&rows, other)];
        for (from, by) in [(0, 1), (1, 0)] {
            sites[by].ready().await.unwrap();
            for part in listed(&sites[from]).await {
                let (status, text) = ask(&sites[by], &part).await;
                assert_eq!(status, 200, "{one} {other} {part}: {text}");
            }
        }
    }
}

/// A part that grew tenfold by an import is still served at its address after a count has split it.
#[tokio::test]
async fn a_part_that_was_split_is_served_at_its_address() {
    let rows = spread(400);
    let site = site(&rows, 100);
    let before = listed(&site).await;
    for row in 120 * STEP..120 * STEP + 900 {
        rows.put(row);
    }
    site.refresh().await.unwrap();
    let after = listed(&site).await;
    let former: Vec<_> = before.iter().filter(|part| !after.contains(part)).collect();
    assert!(!former.is_empty());
    for part in former {
        let (status, text) = ask(&site, part).await;
        assert_eq!(status, 200, "{part}: {text}");
    }
}

/// A walk reads the index from one instance and the parts from any, while instances are replaced by versions with parts of another size,
/// rows are imported, and half of them are deleted. Each row that existed the whole time is in exactly one part.
#[tokio::test]
async fn a_walk_with_an_old_index_misses_no_row() {
    let stays = |id: i64| id % (3 * STEP) == 0;
    for seed in 0..sitemap_tests::rounds(4) as u64 {
        let rows = spread(600);
        let mut random = Random::new(seed);
        let mut below = |bound: usize| random.below(bound);
        let sizes = [10, 20, 50, 120];
        let mut sites: Vec<Site> = [20, 20, 50].map(|size| site(&rows, size)).into();
        for round in 0..sitemap_tests::rounds(12).min(6) {
            let mut found: HashMap<String, usize> = HashMap::new();
            let with = below(3);
            for part in listed(&sites[with]).await {
                let any = below(3);
                match below(12) {
                    0 => {
                        let size = sizes[below(4)];
                        sites[any] = site(&rows, size);
                    }
                    1 => sites[any].refresh().await.unwrap(),
                    2 => {
                        let start = i64::try_from(below(600)).unwrap() * STEP;
                        (start..start + 500).for_each(|id| rows.put(id));
                    }
                    3 => {
                        let first = i64::try_from(below(300)).unwrap() * STEP;
                        let ids = (first..first + 300 * STEP).filter(|id| id % STEP < 600 && !stays(*id));
                        ids.step_by(2).for_each(|id| rows.remove(id));
                    }
                    _ => {}
                }
                let from = below(3);
                let (status, text) = ask(&sites[from], &part).await;
                match status {
                    200 => urls(&text)
                        .into_iter()
                        .for_each(|entry| *found.entry(entry.loc).or_default() += 1),
                    404 => {}
                    _ => panic!("seed {seed}, round {round}: {part}: {text}"),
                }
            }
            for id in (1..=600).map(|id| id * STEP).filter(|id| stays(*id)) {
                let times = found.get(&format!("{BASE}/p{id}"));
                assert_eq!(times, Some(&1), "row {id}, seed {seed}, round {round}");
            }
        }
    }
}

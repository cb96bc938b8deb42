//! Two instances with tables of different age, behind a balancer that alternates between them.

use std::collections::BTreeSet;

use sitemap_serving_tests::{Postgres, crawl};

use crate::served::{Shop, execute, sqlite};

const BASE: &str = "https://example.com";

fn locs(ids: impl Iterator<Item = u64>) -> BTreeSet<String> {
    ids.filter(|id| id % 100 != 0)
        .map(|id| format!("{BASE}/products/{id:012}"))
        .collect()
}

/// Rows are added and removed between the two instances' starts: every permanent URL is listed exactly once.
fn two_instances(url: &str, insert: &str) {
    let settings = [("PART_ROWS", "500")];
    let old = Shop::start(url, &settings);
    execute(url, "DELETE FROM products WHERE id BETWEEN 800 AND 1200");
    execute(url, "DELETE FROM products WHERE id > 3900");
    execute(url, insert);
    let new = Shop::start(url, &settings);
    let stayed: BTreeSet<_> = locs((1..800).chain(1_201..3_901));
    let all: BTreeSet<_> = stayed.iter().cloned().chain(locs(4_001..5_001)).collect();
    for servers in [
        [old.address, new.address],
        [new.address, old.address],
        [old.address, old.address],
        [new.address, new.address],
    ] {
        let found = crawl(BASE, &servers).locs();
        let unique: BTreeSet<_> = found.iter().cloned().collect();
        assert_eq!(unique.len(), found.len(), "one comes twice");
        let missing: Vec<_> = stayed.difference(&unique).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(unique.is_subset(&all), "one was never there");
    }
    assert!(
        crawl(BASE, &[new.address])
            .locs()
            .into_iter()
            .collect::<BTreeSet<_>>()
            == all
    );
}

#[test]
fn of_a_file() {
    let file = sqlite(4_000, 12);
    two_instances(
        &file.url,
        "WITH RECURSIVE n (n) AS (SELECT 4001 UNION ALL SELECT n + 1 FROM n WHERE n < 5000) \
         INSERT INTO products SELECT n, printf('%012d', n), '2026-01-01T00:00:00Z', n % 100 = 0 FROM n",
    );
}

#[test]
fn of_a_server() {
    let Some(postgres) = Postgres::start("of_a_server") else {
        return;
    };
    let url = postgres.url();
    execute(&url, &sitemap_load_tests::fill(&url, 4_000, 12));
    two_instances(
        &url,
        "INSERT INTO products SELECT n, lpad(n::text, 12, '0'), now(), n % 100 = 0 FROM generate_series(4001, 5000) AS n",
    );
}

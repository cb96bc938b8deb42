//! Two hundred clients at once.

use std::sync::Barrier;
use std::thread;

use sitemap_serving_tests::{get, inflate, sitemaps, urls};

use crate::served::{Shop, sqlite};

const CLIENTS: usize = 200;

/// The paths of the parts in the index.
fn parts(shop: &Shop) -> Vec<String> {
    let index = get(shop.address, "/sitemap.xml", &[]);
    let parts = sitemaps(index.text()).into_iter();
    parts
        .map(|part| part.loc.strip_prefix("https://example.com").unwrap().to_owned())
        .collect()
}

/// Together they get the same responses as one client, at the database cost of one client.
#[test]
fn two_hundred_clients_cost_what_one_does() {
    let file = sqlite(25_000, 12);
    let one = Shop::start(&file.url, &[]);
    let paths = parts(&one);
    let expected: Vec<_> = paths.iter().map(|path| get(one.address, path, &[])).collect();
    let counts: Vec<usize> = expected.iter().map(|part| urls(part.text()).len()).collect();
    // Parts end at keys chosen by their hashes, with half to one and a half times 10,000 rows. The last part has the rest.
    let (_, but_last) = counts.split_last().unwrap();
    assert!(
        but_last.iter().all(|count| (5_000..=15_000).contains(count)),
        "{counts:?}"
    );
    assert_eq!(counts.iter().sum::<usize>(), 24_750);
    let alone = one.stat("queries");
    // The first part was rendered before the first request.
    assert!(alone >= 15, "{alone} queries: nothing is counted");

    let shop = Shop::start(&file.url, &[]);
    let together = Barrier::new(CLIENTS);
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (shop, paths, expected, together) = (&shop, &paths, &expected, &together);
            scope.spawn(move || {
                together.wait();
                assert_eq!(parts(shop), *paths);
                for turn in 0..paths.len() {
                    let part = (client + turn) % paths.len();
                    if client % 2 == 0 {
                        let response = get(shop.address, &paths[part], &[]);
                        assert_eq!(response.head(), expected[part].head());
                        assert!(response.body == expected[part].body);
                    } else {
                        let response = get(shop.address, &paths[part], &["Accept-Encoding: gzip"]);
                        assert_eq!(response.status, 200);
                        assert!(inflate(&response.body) == expected[part].text());
                    }
                }
            });
        }
    });
    let parts = counts.len() as u64;
    assert_eq!(shop.stat("renderings"), parts);
    assert_eq!(shop.stat("failures"), 0);
    assert_eq!(shop.stat("requests"), 200 * (1 + parts));
    // A look for changed rows is due some time after the start: a request of one run may begin it, and none of the other.
    let queries = shop.stat("queries");
    assert!(
        queries.abs_diff(alone) <= 1,
        "{queries} queries together, {alone} alone"
    );
    assert!(shop.stat("connections") <= 4);
}

/// The number of queries for each kind of request.
#[test]
fn queries_are_counted_per_request() {
    let file = sqlite(25_000, 12);
    let shop = Shop::start(&file.url, &[("PAGE_ROWS", "2000"), ("MEMORY_BYTES", "0")]);
    let paths = parts(&shop);
    let asked = |path: &str, headers: &[&str]| {
        let before = shop.stat("queries");
        let response = get(shop.address, path, headers);
        (response, shop.stat("queries") - before)
    };
    let (index, queries) = asked("/sitemap.xml", &[]);
    assert_eq!(queries, 0, "the index is no query");
    let condition = format!("If-None-Match: {}", index.header("etag").unwrap());
    let (unchanged, queries) = asked("/sitemap.xml", &[&condition]);
    assert_eq!((unchanged.status, queries), (304, 0));
    // Pages of 2,000 rows, and one query that counts them, at the first rendering and at another. A look for changed rows may be due.
    for _ in 0..2 {
        let (part, queries) = asked(&paths[1], &[]);
        let pages = urls(part.text()).len().div_ceil(2_000) as u64;
        assert!(pages > 2);
        assert!(
            (pages + 1..=pages + 2).contains(&queries),
            "{queries} for {pages} pages"
        );
    }
    let part = get(shop.address, &paths[1], &[]);
    // Nothing is cached, but the client's validator still matches.
    let condition = format!("If-None-Match: {}", part.header("etag").unwrap());
    let (unchanged, queries) = asked(&paths[1], &[&condition]);
    assert_eq!((unchanged.status, queries), (304, 0));
    let (other, queries) = asked("/sitemap-drafts.xml", &[]);
    assert_eq!((other.status, queries), (404, 0));
    let (empty, queries) = asked("/sitemap-products.99999999~.xml", &[]);
    assert_eq!((empty.status, queries), (404, 1));
    let (made_up, queries) = asked("/sitemap-products.1.2~.xml", &[]);
    assert_eq!((made_up.status, queries), (404, 0));
}

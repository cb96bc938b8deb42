//! Renderings that do not fit in memory.

use std::pin::pin;

use http_body::Body as _;
use sitemap_serde::UrlEntry;
use sitemap_site::SiteBuilder;

use crate::ask::{Frames, read, request};

fn site() -> SiteBuilder {
    let pages: Vec<_> = (0..2_000)
        .map(|id| UrlEntry::new(format!("/{}?{id}", "p".repeat(100))))
        .collect();
    SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .part_rows(40_000)
        .clone()
}

#[tokio::test]
async fn a_part_without_room_in_memory_is_the_same_from_a_file() {
    let (in_memory, in_files) = (site().build().unwrap(), site().memory_bytes(0).build().unwrap());
    for headers in [&[][..], &[("accept-encoding", "gzip")]] {
        for method in ["GET", "HEAD"] {
            let request = request(method, "/sitemap-pages.xml", headers);
            let expected = read(in_memory.respond(&request).await).await;
            let found = read(in_files.respond(&request).await).await;
            assert_eq!((found.status, &found.headers), (200, &expected.headers));
            assert!(found.body == expected.body, "{method} {headers:?}");
            assert_eq!(found.body.is_empty(), method == "HEAD");
        }
    }
    assert_eq!(in_memory.stats().spilled, 0);
    let stats = in_files.stats();
    assert_eq!((stats.spilled, stats.renderings), (4, 4), "nothing of it is kept");
    assert_eq!((stats.memory_bytes, stats.cached_bytes), (0, 0));
    // Its hash is still known: a client that has the document causes no rendering.
    let etag = read(
        in_files
            .respond(&request("HEAD", "/sitemap-pages.xml", &[]))
            .await,
    )
    .await;
    in_files.ready().await.unwrap();
    drop(read(in_files.respond(&request("GET", "/sitemap-pages.xml", &[])).await).await);
    let renderings = in_files.stats().renderings;
    let condition = [("if-none-match", etag.header("etag"))];
    let found = read(
        in_files
            .respond(&request("GET", "/sitemap-pages.xml", &condition))
            .await,
    )
    .await;
    assert_eq!((found.status, in_files.stats().renderings), (304, renderings));
}

/// Bytes count until the slowest client has read them, cached or not.
#[tokio::test]
async fn memory_is_that_of_the_slowest_client() {
    // The index does not list this range, so it is not cached.
    let path = "/sitemap-pages.~900.xml";
    let size = {
        let site = site().build().unwrap();
        let response = site.respond(&request("GET", path, &[])).await;
        assert_eq!(response.status(), 200);
        site.stats().memory_bytes
    };
    // Room for four, and half of a fifth.
    let most = size * 9 / 2;
    let site = site()
        .memory_bytes(usize::try_from(most).unwrap())
        .build()
        .unwrap();
    let ask = |encoding: &'static str| site.respond(&request("GET", path, &[("accept-encoding", encoding)]));
    let slow = ask("identity").await.into_body();
    assert_eq!(site.stats().memory_bytes, size);
    let mut slow = pin!(slow);
    assert!(Frames(slow.as_mut()).await.is_some());
    let mut gzip = pin!(ask("gzip").await.into_body());
    assert_eq!(site.stats().memory_bytes, 2 * size);
    let sent = Frames(gzip.as_mut()).await.unwrap();
    assert!(gzip.is_end_stream());
    assert_eq!(
        site.stats().memory_bytes,
        2 * size,
        "the server has not sent it yet"
    );
    drop(sent);
    assert_eq!(site.stats().memory_bytes, size);
    // Many slow clients: the excess goes to files, and memory does not grow.
    let mut clients = Vec::new();
    for _ in 0..8 {
        clients.push(ask("identity").await.into_body());
    }
    let stats = site.stats();
    assert_eq!((stats.memory_bytes, stats.spilled), (4 * size, 5));
    clients.clear();
    while Frames(slow.as_mut()).await.is_some() {}
    assert_eq!(site.stats().memory_bytes, size, "the body is still there");
}

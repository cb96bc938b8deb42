//! Requests that are cancelled, at every possible moment.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{Rows, body};
use sitemap_site::source::{self, BoxError, Row, Span};
use sitemap_site::{Body, Key, KeyValue, ServeSet, SiteBuilder, SitemapSet};

/// Rows whose queries take several polls.
fn slow_rows() -> impl source::Source<Entry = UrlEntry> + use<> {
    source::rows(|span: Span, limit| async move {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        let number = |key: Option<Key>| match key.as_ref().map(Key::values) {
            Some([KeyValue::Integer(number)]) => *number,
            _ => 0,
        };
        let (after, to) = (
            number(span.after),
            span.to.map_or(30, |to| number(Some(to)).min(30)),
        );
        let rows = (after + 1..=to).take(limit);
        Ok::<_, BoxError>(
            rows.map(|n| Row::new(n, UrlEntry::new(format!("/{n}"))))
                .collect(),
        )
    })
}

/// Polls a response this many times, then drops it. Returns `true` if it was ready before.
async fn give_up_after(answer: impl Future<Output = http::Response<Body>>, polls: usize) -> bool {
    let mut answer = std::pin::pin!(answer);
    for _ in 0..polls {
        let ready = poll_fn(|context| {
            let ready = answer.as_mut().poll(context).is_ready();
            Poll::Ready(ready)
        });
        if ready.await {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn request(path: &str) -> Request<()> {
    Request::get(path).body(()).unwrap()
}

#[tokio::test]
async fn a_site_goes_on_wherever_a_client_leaves() {
    let expected = {
        let site = SiteBuilder::new("https://example.com")
            .section("pages", slow_rows())
            .build()
            .unwrap();
        body(site.respond(&request("/sitemap-pages.10~20.xml")).await).await
    };
    for path in [
        "/sitemap.xml",
        "/sitemap-pages.10~20.xml",
        "/sitemap-pages.5~25.xml",
    ] {
        let mut were_there = 0;
        for polls in (0..180).step_by(3) {
            let site = SiteBuilder::new("https://example.com")
                .section("pages", slow_rows())
                .part_rows(10)
                .batch_rows(2)
                .build()
                .unwrap();
            // Two clients disconnect, one after the other, and one stays.
            were_there += usize::from(give_up_after(site.respond(&request(path)), polls).await);
            give_up_after(site.respond(&request(path)), polls / 2).await;
            let response = site.respond(&request("/sitemap-pages.10~20.xml")).await;
            assert_eq!(response.status(), 200, "{path} after {polls}");
            assert_eq!(body(response).await, expected);
            until("nothing is under way", || site.stats().under_way == 0).await;
            assert_eq!(site.respond(&request("/sitemap.xml")).await.status(), 200);
            assert_eq!(site.stats().failures, 0);
        }
        assert!(
            (1..60).contains(&were_there),
            "{path}: {were_there} of 60 were not given up"
        );
    }
}

#[tokio::test]
async fn a_set_goes_on_wherever_a_client_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
        .max_entries(10)
        .open()
        .unwrap();
    let site = SiteBuilder::new("https://example.com")
        .section("pages", slow_rows())
        .build()
        .unwrap();
    site.export(&set).await.unwrap();
    for polls in 0..60 {
        let service = ServeSet::new(set.clone());
        for path in ["/sitemap.xml", "/sitemap-pages-2.xml"] {
            give_up_after(service.respond(&request(path)), polls).await;
            assert_eq!(
                service.respond(&request(path)).await.status(),
                200,
                "after {polls}"
            );
        }
        until("nothing is under way", || service.stats().under_way == 0).await;
        assert_eq!(service.stats().failures, 0);
    }
}

/// A cancelled export leaves no files behind, and the published set unchanged.
#[tokio::test]
async fn an_export_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("set");
    let open = || {
        SitemapSet::directory(&root, "https://example.com")
            .max_entries(10)
            .open()
            .unwrap()
    };
    let rows = Rows::new(95);
    let site = Arc::new(
        SiteBuilder::new("https://example.com")
            .section("pages", rows.clone())
            .batch_rows(7)
            .build()
            .unwrap(),
    );
    let count = || {
        open()
            .entries()
            .map_or(0, |entries| entries.map(Result::unwrap).count())
    };
    let (mut given_up, mut done) = (0, 0);
    for polls in 0..80 {
        let before = count();
        let exporting = open();
        let mut export = Box::pin(site.export(&exporting));
        let mut is_done = false;
        for _ in 0..polls {
            let ready = poll_fn(|context| Poll::Ready(export.as_mut().poll(context).is_ready())).await;
            if ready {
                is_done = true;
                break;
            }
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        drop(export);
        // Work that was handed to a thread runs to its end.
        let staging = root.join("state/staging");
        drop(exporting);
        until("the session's files go", || {
            std::fs::read_dir(&staging).map_or(0, Iterator::count) == 0
        })
        .await;
        given_up += usize::from(!is_done);
        done += usize::from(is_done);
        let after = count();
        assert!(after == before || after == 95, "{polls}: {before} {after}");
        assert!(!is_done || after == 95);
    }
    assert!(given_up > 3, "{given_up} given up, {done} done");
    site.export(&open()).await.unwrap();
    assert_eq!(count(), 95);
}

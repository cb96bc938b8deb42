//! Requests outside of a tokio runtime: without one nothing can be read or rendered.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use sitemap_serde::UrlEntry;
use sitemap_site::{ResponseFuture, ServeSet, Site, SitemapSet};

use crate::ask::{Got, read, request};

fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_request_outside_of_a_runtime_is_refused() {
    let got = |response: ResponseFuture| -> Got { at_once(async { read(response.await).await }) };
    let page = UrlEntry::new("/1");
    let site = Site::builder("https://example.com")
        .section("pages", vec![page])
        .build()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path(), "https://example.com")
        .open()
        .unwrap();
    let set = ServeSet::new(set);
    for (response, why) in [
        (
            site.respond(&request("GET", "/sitemap.xml", &[])),
            "it cannot be rendered",
        ),
        (
            site.respond(&request("GET", "/sitemap-pages.xml", &[])),
            "it cannot be rendered",
        ),
        (
            set.respond(&request("GET", "/sitemap.xml", &[])),
            "it cannot be read",
        ),
    ] {
        let got = got(response);
        assert_eq!(
            (got.status, got.text()),
            (500, format!("Internal Server Error: {why}\n"))
        );
    }
}

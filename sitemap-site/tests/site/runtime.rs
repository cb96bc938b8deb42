//! Requests outside of a tokio runtime: without one nothing can be read or rendered.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use http::Response;
use sitemap_serde::UrlEntry;
use sitemap_site::{Body, ServeSet, SiteBuilder, SitemapSet};

use crate::ask::{Got, read, request};

fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_request_outside_of_a_runtime_is_refused() {
    fn got(response: impl Future<Output = Response<Body>>) -> Got {
        at_once(async { read(response.await).await })
    }

    let page = UrlEntry::new("/1");
    let site = SiteBuilder::new("https://example.com")
        .section("pages", vec![page])
        .build()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path(), "https://example.com")
        .open()
        .unwrap();
    let set = ServeSet::new(set);
    for (got, why) in [
        (
            got(site.respond(&request("GET", "/sitemap.xml", &[]))),
            "it cannot be rendered",
        ),
        (
            got(site.respond(&request("GET", "/sitemap-pages.xml", &[]))),
            "it cannot be rendered",
        ),
        (
            got(set.respond(&request("GET", "/sitemap.xml", &[]))),
            "it cannot be read",
        ),
    ] {
        assert_eq!(
            (got.status, got.text()),
            (500, format!("Internal Server Error: {why}\n"))
        );
    }
}

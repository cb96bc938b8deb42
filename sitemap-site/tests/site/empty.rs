//! Parts none of whose rows is to be listed.

use sitemap_serde::SitemapEntry;
use sitemap_site::SiteBuilder;

use crate::ask::{read, request};

#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/{id}", exclude_if = Self::is_draft)]
struct Page {
    id: i64,
}

impl Page {
    fn is_draft(&self) -> bool {
        self.id <= 10
    }
}

/// Its rows are read to be counted, so the index does not list it before it is asked for.
#[tokio::test]
async fn a_part_that_would_be_empty_is_never_listed() {
    let pages: Vec<Page> = (1..=25).map(|id| Page { id }).collect();
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .part_rows(10)
        .build()
        .unwrap();
    let get = async |path: &str| read(site.respond(&request("GET", path, &[])).await).await;
    assert_eq!(
        get("/sitemap.xml").await.listed(),
        ["sitemap-pages.10~20.xml", "sitemap-pages.20~.xml"]
    );
    assert_eq!(get("/sitemap-pages.~10.xml").await.status, 404);
    assert_eq!(get("/sitemap-pages.10~20.xml").await.status, 200);
}

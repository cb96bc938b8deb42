//! Opaque addresses.

use sitemap_serde::UrlEntry;
use sitemap_site::{Site, SiteBuilder};

use crate::ask::{Got, read, request};

fn site() -> SiteBuilder {
    let pages: Vec<_> = (0..25).map(|id| UrlEntry::new(format!("/{id}"))).collect();
    SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .part_rows(10)
        .clone()
}

async fn get(site: &Site, path: &str) -> Got {
    read(site.respond(&request("GET", path, &[])).await).await
}

#[tokio::test]
async fn every_instance_with_the_secret_serves_what_another_lists() {
    let secret = b"0123456789abcdef";
    let (one, other) = (
        site().opaque_urls(secret).html(true).build().unwrap(),
        site().opaque_urls(*secret).build().unwrap(),
    );
    let readable = site().build().unwrap();
    let stranger = site().opaque_urls("another secret, as long").build().unwrap();
    let names = get(&one, "/sitemap.xml").await.listed();
    let readable_names = get(&readable, "/sitemap.xml").await.listed();
    assert_eq!(
        readable_names,
        [
            "sitemap-pages.~10.xml",
            "sitemap-pages.10~20.xml",
            "sitemap-pages.20~.xml"
        ]
    );
    assert_eq!(names.len(), 3);
    for (name, readable_name) in names.iter().zip(&readable_names) {
        let (prefix, suffix) = ("sitemap-pages.", ".xml");
        let token = name.strip_prefix(prefix).unwrap().strip_suffix(suffix).unwrap();
        assert!(token.len() >= 22 && !token.contains(['~', '.']), "{name}");
        let expected = get(&readable, &format!("/{readable_name}")).await;
        // No index was asked for there.
        let found = get(&other, &format!("/{name}")).await;
        assert_eq!((found.status, found.text()), (200, expected.text()));
        for wrong in [
            readable_name.clone(),
            name.to_ascii_lowercase(),
            name.replace(suffix, "A.xml"),
        ] {
            assert_eq!(get(&other, &format!("/{wrong}")).await.status, 404, "{wrong}");
        }
        assert_eq!(get(&stranger, &format!("/{name}")).await.status, 404);
        assert_eq!(get(&readable, &format!("/{name}")).await.status, 404);
    }
    let html = get(&one, "/sitemap.html").await.text();
    assert!(names.iter().all(|name| html.contains(name.as_str())), "{html}");
    assert_eq!(
        get(&other, "/sitemap-pages.xml").await.status,
        200,
        "all rows are one part"
    );
}

#[test]
fn a_short_secret_is_refused() {
    let error = site().opaque_urls("too short").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the secret of `opaque_urls` has 9 bytes: use at least 16 random bytes, the same in every instance"
    );
}

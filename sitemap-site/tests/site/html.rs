//! The index as a page, for people.

use std::time::Duration;

use sitemap_serde::UrlEntry;
use sitemap_site::{Site, SiteBuilder};

use crate::ask::{Got, read, request};

fn site(max_age: Duration) -> SiteBuilder {
    let page = |id: u32| {
        // Each fifth row is none that can be listed.
        let scheme = if id.is_multiple_of(5) { "ftp" } else { "https" };
        UrlEntry::new(format!("{scheme}://example.com/it's/{id}"))
    };
    SiteBuilder::new("https://example.com/it's")
        .section("pages", (0..25).map(page).collect::<Vec<_>>())
        .part_rows(10)
        .max_age(max_age)
        .html(true)
        .clone()
}

async fn ask(site: &Site, method: &str, path: &str) -> Got {
    read(site.respond(&request(method, path, &[])).await).await
}

/// A part that was not rendered has only a number of rows.
#[tokio::test]
async fn the_numbers_of_pages_are_as_old_as_a_response_may_be() {
    for (max_age, number) in [(Duration::from_secs(3600), "25"), (Duration::ZERO, "23")] {
        let site = site(max_age).build().unwrap();
        let before = ask(&site, "GET", "/it's/sitemap.html").await.text();
        for part in [
            "<title>Sitemap of https://example.com/it&#39;s</title>",
            "<p>3 sitemaps, 25 pages: <a href=\"sitemap.xml\">",
            "<li><a href=\"sitemap-pages.html\">pages</a> (25)",
            "<a href=\"sitemap-pages.10~20.xml\">sitemap-pages.<wbr>10~<wbr>20.<wbr>xml</a><td class=\"n\">10<td>\n",
        ] {
            assert!(before.contains(part), "{part}\n{before}");
        }
        assert_eq!(
            ask(&site, "GET", "/it's/sitemap-pages.10~20.xml").await.status,
            200
        );
        let after = ask(&site, "GET", "/it's/sitemap.html").await.text();
        let sum = format!("<p>3 sitemaps, {number} pages: <a ");
        assert!(after.contains(&sum), "{max_age:?} {sum}\n{after}");
    }
}

/// What is switched off is no resource, whatever the method.
#[tokio::test]
async fn what_is_switched_off_is_not_there() {
    let on = site(Duration::ZERO).build().unwrap();
    let off = site(Duration::ZERO).html(false).build().unwrap();
    for path in ["/sitemap.html", "/sitemap.css"] {
        for (method, statuses) in [("GET", (200, 404)), ("POST", (405, 404))] {
            let found = (
                ask(&on, method, path).await.status,
                ask(&off, method, path).await.status,
            );
            assert_eq!(found, statuses, "{method} {path}");
        }
    }
}

//! A crawler: it reads the index and every part in it, with an independent XML reader.

use std::io::Read;
use std::net::SocketAddr;

use serde::Deserialize;

use crate::client::get;

/// An entry of either kind.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Entry {
    /// The address.
    pub loc: String,
    /// As written in the document.
    pub lastmod: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename = "urlset")]
struct UrlSet {
    url: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename = "sitemapindex")]
struct SitemapIndex {
    sitemap: Vec<Entry>,
}

/// The entries of a urlset.
///
/// # Panics
/// If it is none.
#[track_caller]
pub fn urls(xml: &str) -> Vec<Entry> {
    assert!(
        xml.ends_with("</urlset>"),
        "{}",
        &xml[xml.len().saturating_sub(100)..]
    );
    quick_xml::de::from_str::<UrlSet>(xml).expect("a urlset").url
}

/// The entries of an index.
///
/// # Panics
/// If it is none.
#[track_caller]
pub fn sitemaps(xml: &str) -> Vec<Entry> {
    assert!(xml.ends_with("</sitemapindex>"), "{xml}");
    quick_xml::de::from_str::<SitemapIndex>(xml)
        .expect("an index")
        .sitemap
}

/// The names of the parts that an index lists.
///
/// # Panics
/// If there is no index.
#[track_caller]
pub fn listed(server: SocketAddr) -> Vec<String> {
    let index = get(server, "/sitemap.xml", &[]);
    let name = |entry: &Entry| entry.loc.rsplit('/').next().unwrap_or_default().to_owned();
    sitemaps(index.text()).iter().map(name).collect()
}

/// What gzip holds.
///
/// # Panics
/// If it is not gzip, or more.
#[track_caller]
pub fn inflate(gzip: &[u8]) -> String {
    let mut text = String::new();
    let mut decoder = flate2::bufread::GzDecoder::new(gzip);
    decoder.read_to_string(&mut text).expect("gzip");
    assert!(decoder.into_inner().is_empty(), "something after the end");
    text
}

/// An index and its parts.
#[derive(Clone, Debug)]
pub struct Crawled {
    /// The index's entries.
    pub index: Vec<Entry>,
    /// The entries of each of its parts.
    pub parts: Vec<Vec<Entry>>,
}

impl Crawled {
    /// Every listed address.
    pub fn locs(&self) -> Vec<String> {
        self.parts
            .iter()
            .flatten()
            .map(|entry| entry.loc.clone())
            .collect()
    }

    /// The names of the parts.
    pub fn names(&self) -> Vec<&str> {
        self.index
            .iter()
            .map(|entry| entry.loc.rsplit('/').next().unwrap_or_default())
            .collect()
    }
}

/// Reads the index from one server and each part from the next of several in turn.
///
/// # Panics
/// If a response is wrong.
#[track_caller]
pub fn crawl(base: &str, servers: &[SocketAddr]) -> Crawled {
    let mut servers = servers.iter().copied().cycle();
    let mut fetch = |path: &str| {
        let server = servers.next().expect("a server");
        let response = get(server, path, &[]);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        assert_eq!(
            response.header("content-type"),
            Some("application/xml; charset=utf-8"),
            "{path}"
        );
        response.text().to_owned()
    };
    let index = sitemaps(&fetch("/sitemap.xml"));
    let parts = index.iter().map(|part| {
        let path = part.loc.strip_prefix(base).expect("the index's own site");
        let entries = urls(&fetch(path));
        assert!((1..=50_000).contains(&entries.len()), "{path}: {}", entries.len());
        entries
    });
    let parts = parts.collect();
    Crawled { index, parts }
}

/// Checks what is served of the table `integrations/products.sql` and of some pages without dates.
///
/// # Panics
/// If it is not that.
#[track_caller]
pub fn assert_products(server: SocketAddr, pages: &[&str]) {
    const BASE: &str = "https://example.com";
    let crawled = crawl(BASE, &[server]);
    let mut names = vec![
        "sitemap-products.~6137.xml",
        "sitemap-products.6137~19683.xml",
        "sitemap-products.19683~.xml",
    ];
    names.extend((!pages.is_empty()).then_some("sitemap-pages.xml"));
    assert_eq!(crawled.names(), names);
    // 2026-01-01T00:00:00Z plus ten minutes for each.
    let lastmod = |n: u32| {
        let (day, minute) = (n / 144, n % 144 * 10);
        let (mut month, mut day) = (0, day + 1);
        for length in [31, 28, 31, 30, 31, 30] {
            if day <= length {
                break;
            }
            month += 1;
            day -= length;
        }
        format!(
            "2026-{:02}-{day:02}T{:02}:{:02}:00Z",
            month + 1,
            minute / 60,
            minute % 60
        )
    };
    let products = (1..=25_000).filter(|n| n % 100 != 0).map(|n| Entry {
        loc: format!("{BASE}/products/product%20{n}"),
        lastmod: Some(lastmod(n)),
    });
    let pages = pages.iter().map(|path| Entry {
        loc: format!("{BASE}{path}"),
        lastmod: None,
    });
    let expected: Vec<_> = products.chain(pages).collect();
    let found: Vec<_> = crawled.parts.concat();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    for (entry, part) in crawled.index.iter().zip(&crawled.parts) {
        assert_eq!(
            entry.lastmod,
            part.iter().map(|entry| entry.lastmod.clone()).max().flatten(),
            "{}",
            entry.loc
        );
    }
}

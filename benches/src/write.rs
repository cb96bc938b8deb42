//! Writing, side by side with the other libraries and with a loop by hand.
//!
//! Every candidate writes the same entries into a `Vec<u8>` that has its room already, each as its library lays them out. The
//! time per entry is compared, since it does not depend on a library's white space.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use sitemap_serde::{ChangeFreq, Priority, SitemapEntry, UrlEntry, W3cDateTime, Writer, WriterBuilder};

use crate::harness::{Comparison, Target};
use crate::write_shapes::push_escaped;

const ENTRIES: usize = 50_000;
const ROUNDS: usize = 25;

const URLSET: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

/// An entry before any library has it.
struct Page {
    loc: String,
    lastmod: String,
    priority: f32,
}

fn pages() -> Vec<Page> {
    (0..ENTRIES)
        .map(|i| Page {
            loc: format!("https://www.example.com/catalog/category-{}/product-{i}", i % 97),
            lastmod: format!(
                "2024-{:02}-{:02}T12:30:{:02}+00:00",
                i % 12 + 1,
                i % 28 + 1,
                i % 60
            ),
            priority: [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9][i % 10],
        })
        .collect()
}

pub(crate) fn run(only: Option<(&str, usize)>) {
    let sink = RefCell::new(Vec::with_capacity(32 << 20));
    let products = [products("product-"), products("ランプ & shade ")];
    let [ascii, wide] = &products;
    let mut comparisons = [
        entries(&sink),
        derived("derived structs", ascii, &sink),
        derived("derived structs, every value to be percent-encoded", wide, &sink),
    ];
    if let Some((name, times)) = only {
        let found = comparisons
            .iter_mut()
            .any(|comparison| comparison.repeat(name, times));
        assert!(found, "no candidate {name}");
        return;
    }
    let others = ["sitemap-rs", "sitewriter", "sitemapo", "quick-xml serde"];
    let [entries, rest @ ..] = &mut comparisons;
    entries.run(
        ROUNDS,
        &[
            Target {
                name: "UrlEntry, Writer::write",
                times: 1.5,
                others: &others,
            },
            Target {
                name: "UrlEntry, Writer::serialize",
                times: 1.5,
                others: &others,
            },
            Target {
                name: "serde struct, Writer::serialize",
                times: 1.3,
                others: &others,
            },
        ],
    );
    for comparison in rest {
        comparison.run(
            ROUNDS,
            &[Target {
                name: "derived, Writer::write",
                times: 0.9,
                others: &["by hand"],
            }],
        );
    }
}

/// Empties the sink, lets `write` fill it, and returns the number of bytes.
fn into(sink: &RefCell<Vec<u8>>, write: impl FnOnce(&mut Vec<u8>)) -> usize {
    let mut sink = sink.borrow_mut();
    sink.clear();
    write(&mut sink);
    sink.len()
}

#[derive(Serialize)]
struct SerdePage {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<&'static str>,
    priority: Option<f32>,
}

#[derive(Serialize)]
#[serde(rename = "urlset")]
struct SerdeUrlset<'a> {
    #[serde(rename = "@xmlns")]
    xmlns: &'static str,
    url: &'a [SerdePage],
}

#[expect(clippy::too_many_lines, reason = "one candidate after the other")]
fn entries(sink: &RefCell<Vec<u8>>) -> Comparison<'_> {
    let mut comparison = Comparison::new(format!("writing {ENTRIES} entries"), ENTRIES);
    let pages = pages();

    let own: Vec<UrlEntry> = pages
        .iter()
        .map(|page| {
            let mut entry = UrlEntry::new(page.loc.clone());
            entry.lastmod = Some(page.lastmod.parse().expect("a W3C Datetime"));
            entry.changefreq = Some(ChangeFreq::Weekly);
            entry.priority = Some(Priority::new(page.priority).expect("a priority"));
            entry
        })
        .collect();
    let serde: Vec<SerdePage> = pages
        .iter()
        .map(|page| SerdePage {
            loc: page.loc.clone(),
            lastmod: Some(page.lastmod.clone()),
            changefreq: Some("weekly"),
            priority: Some(page.priority),
        })
        .collect();
    let sitemap_rs = sitemap_rs::url_set::UrlSet::new(
        pages
            .iter()
            .map(|page| {
                let timestamp: jiff02::Timestamp = page.lastmod.parse().expect("a timestamp");
                sitemap_rs::url::Url::builder(page.loc.clone())
                    .last_modified(timestamp.to_zoned(jiff02::tz::TimeZone::UTC))
                    .change_frequency(sitemap_rs::url::ChangeFrequency::Weekly)
                    .priority(page.priority)
                    .build()
                    .expect("a valid entry")
            })
            .collect(),
    )
    .expect("not too many");
    let sitewriter: Vec<sitewriter::UrlEntry> = pages
        .iter()
        .map(|page| {
            sitewriter::UrlEntry::new(
                page.loc.parse().expect("a URL"),
                Some(page.lastmod.parse().expect("a date")),
                Some(sitewriter::ChangeFreq::Weekly),
                Some(page.priority),
            )
        })
        .collect();
    let sitemapo: Vec<sitemapo::record::Entry> = pages
        .iter()
        .map(|page| {
            sitemapo::record::Entry::new(page.loc.parse().expect("a URL"))
                .with_modified(page.lastmod.parse().expect("a timestamp"))
                .with_frequency(sitemapo::record::Frequency::Weekly)
                .with_priority(sitemapo::record::Priority::new(page.priority).expect("a priority"))
        })
        .collect();

    let own_too = own.clone();
    comparison.add("UrlEntry, Writer::write", move || {
        into(sink, |sink| {
            let mut writer = Writer::from_writer(sink);
            for entry in &own {
                writer.write(entry).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        })
    });
    comparison.add("UrlEntry, Writer::serialize", move || {
        into(sink, |sink| {
            let mut writer = Writer::from_writer(sink);
            for entry in &own_too {
                writer.serialize(entry).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        })
    });
    let serde_too: Vec<SerdePage> = serde
        .iter()
        .map(|page| SerdePage {
            loc: page.loc.clone(),
            lastmod: page.lastmod.clone(),
            ..*page
        })
        .collect();
    comparison.add("serde struct, Writer::serialize", move || {
        into(sink, |sink| {
            let mut writer = Writer::from_writer(sink);
            for entry in &serde_too {
                writer.serialize(entry).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        })
    });
    comparison.add("sitemap-rs", move || {
        into(sink, |sink| {
            sitemap_rs.write(sink).expect("a sink that takes everything");
        })
    });
    comparison.add("sitewriter", move || {
        into(sink, |sink| {
            sitewriter::generate(sink, &sitewriter).expect("a sink that takes everything");
        })
    });
    comparison.add("sitemapo", move || {
        into(sink, |sink| {
            let mut builder = sitemapo::build::EntryBuilder::new(sink);
            for entry in &sitemapo {
                builder.write(entry).expect("a valid entry");
            }
            builder.finish().expect("a sink that takes everything");
        })
    });
    comparison.add("quick-xml serde", move || {
        into(sink, |sink| {
            sink.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            let urlset = SerdeUrlset {
                xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9",
                url: &serde,
            };
            quick_xml::se::to_utf8_io_writer(sink, &urlset).expect("a serializable document");
        })
    });
    comparison
}

/// A row of a table.
#[derive(SitemapEntry)]
#[sitemap(loc = "/catalog/category-{category}/{slug}", changefreq = "weekly")]
struct Product {
    category: i32,
    slug: String,
    #[sitemap(lastmod)]
    updated: chrono::DateTime<chrono::Utc>,
    #[sitemap(priority)]
    weight: f32,
}

fn products(name: &str) -> Vec<Product> {
    pages()
        .iter()
        .zip(0..)
        .map(|(page, i)| Product {
            category: i % 97,
            slug: format!("{name}{i}"),
            updated: page.lastmod.parse().expect("a date"),
            weight: page.priority,
        })
        .collect()
}

fn derived<'a>(title: &str, products: &'a [Product], sink: &'a RefCell<Vec<u8>>) -> Comparison<'a> {
    let mut comparison = Comparison::new(title, ENTRIES);
    comparison.add("derived, Writer::write", move || {
        into(sink, |sink| {
            let mut writer = WriterBuilder::new()
                .base("https://www.example.com")
                .from_writer(sink);
            for product in products {
                writer.write(product).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        })
    });
    comparison.add("by hand", move || {
        into(sink, |sink| {
            by_hand(products, sink).expect("a sink that takes everything");
        })
    });
    comparison
}

const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A good hand-written loop: one buffer, no allocation per entry, no checks.
fn by_hand(products: &[Product], mut sink: impl Write) -> std::io::Result<()> {
    let mut out = String::with_capacity(64 << 10);
    let mut url = String::new();
    out.push_str(URLSET);
    for product in products {
        url.clear();
        url.push_str("https://www.example.com/catalog/category-");
        let _ = write!(url, "{}", product.category);
        url.push('/');
        url.extend(utf8_percent_encode(&product.slug, NOT_UNRESERVED));
        out.push_str("<url><loc>");
        push_escaped(&mut out, &url);
        out.push_str("</loc><lastmod>");
        let lastmod = W3cDateTime::try_from(product.updated).expect("a date of four digits");
        let _ = write!(out, "{lastmod}");
        out.push_str("</lastmod><changefreq>weekly</changefreq><priority>");
        let _ = write!(out, "{:?}", product.weight);
        out.push_str("</priority></url>");
        if out.len() > 32 << 10 {
            sink.write_all(out.as_bytes())?;
            out.clear();
        }
    }
    out.push_str("</urlset>");
    sink.write_all(out.as_bytes())
}

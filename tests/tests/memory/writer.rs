//! The heap that writing needs: nothing per entry, for any number of entries.

use std::io;

use allocation_counter::{AllocationInfo, measure};
use serde::Serialize;
use sitemap_serde::{
    Alternate, ChangeFreq, Image, Limits, Priority, SitemapEntry, UrlEntry, Writer, WriterBuilder,
};

/// Most buffers have their final size after this number of entries.
const WARM_UP: u64 = 1_000;

const MANY: u64 = 200_000;

const SOME: u64 = 10_000;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{category}/{slug}.html?q={+query}", changefreq = "weekly")]
struct Product {
    category: u64,
    slug: &'static str,
    query: &'static str,
    #[sitemap(lastmod)]
    updated: chrono::DateTime<chrono::Utc>,
    #[sitemap(priority)]
    weight: f64,
}

#[derive(Serialize)]
struct Page {
    priority: f64,
    loc: &'static str,
    lastmod: &'static str,
    changefreq: ChangeFreq,
}

fn builder() -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder
        .base("https://example.com/shop")
        .limits(Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX));
    builder
}

/// Writes entries by `write`, the first few uncounted, and counts the allocations of the others.
fn allocated(
    builder: &WriterBuilder,
    entries: u64,
    write: impl Fn(&mut Writer<io::Sink>, u64),
) -> AllocationInfo {
    let mut writer = builder.from_writer(io::sink());
    for i in 0..WARM_UP {
        write(&mut writer, i);
    }
    let allocated = measure(|| {
        for i in WARM_UP..entries {
            write(&mut writer, i);
        }
    });
    assert_eq!(writer.summary().entries, entries);
    writer.finish().unwrap();
    allocated
}

#[track_caller]
fn assert_nothing(write: impl Fn(&mut Writer<io::Sink>, u64)) {
    let allocated = allocated(&builder(), SOME, write);
    assert_eq!(allocated.count_total, 0, "{allocated:?}");
}

#[test]
fn many_entries() {
    let page = UrlEntry::new("https://example.com/shop/lamps");
    let write = |writer: &mut Writer<io::Sink>, _| {
        writer.write(&page).unwrap();
    };
    let builder = builder();
    // The writer's total memory: a block, and an entry.
    let all = measure(|| {
        let allocated = allocated(&builder, MANY, write);
        assert_eq!(allocated.count_total, 0, "{allocated:?}");
    });
    assert!(all.bytes_total < 200_000, "{all:?}");
}

/// An entry with every core field, and a URL that needs escaping.
fn page() -> UrlEntry {
    let mut page = UrlEntry::new("https://example.com/shop/lamps?a=1&b=2");
    page.lastmod = Some("2026-05-01T12:30:00+09:00".parse().unwrap());
    page.changefreq = Some(ChangeFreq::Daily);
    page.priority = Some(Priority::new(0.85).unwrap());
    page
}

#[test]
fn every_field_written_and_serialized() {
    let page = page();
    assert_nothing(|writer, _| {
        writer.write(&page).unwrap();
    });
    assert_nothing(|writer, _| writer.serialize(&page).unwrap());
}

#[test]
fn urls_that_are_resolved_and_encoded() {
    let paths = [
        "/lamps",
        "/ランプ?q=ä b",
        "https://example.com/shop/\u{1F4A1}",
        "/a'b&c%20d",
    ];
    let pages = paths.map(UrlEntry::new);
    assert_nothing(|writer, i| {
        let page = &pages[usize::try_from(i % 4).unwrap()];
        writer.write(page).unwrap();
    });
}

#[test]
fn a_struct_whose_loc_comes_later() {
    assert_nothing(|writer, _| {
        writer
            .serialize(&Page {
                priority: 0.25,
                loc: "/lamps",
                lastmod: "2026-05-01",
                changefreq: ChangeFreq::Never,
            })
            .unwrap();
    });
}

#[test]
fn a_derived_type_in_two_encodings() {
    let updated = chrono::DateTime::UNIX_EPOCH + chrono::Duration::days(20_000);
    for encoding in ["utf-8", "shift_jis"] {
        let mut builder = builder();
        builder.encoding(encoding);
        let allocated = allocated(&builder, SOME, |writer, i| {
            writer
                .write(&Product {
                    // The same number of digits in each.
                    category: 1_000_000 + i,
                    slug: "電気 スタンド & shade",
                    query: "a=1&b='2'",
                    updated,
                    weight: 0.5,
                })
                .unwrap();
        });
        assert_eq!(allocated.count_total, 0, "{encoding}: {allocated:?}");
    }
}

#[test]
fn images_and_alternates() {
    let mut page = page();
    page.images = vec![Image::new("https://cdn.example.net/1.jpg"); 2];
    page.alternates = ["de", "fr"]
        .map(|language| Alternate::new(language, format!("https://example.com/{language}")))
        .to_vec();
    assert_nothing(|writer, _| {
        writer.write(&page).unwrap();
    });
}

//! What writing needs of the heap: nothing per entry, however many there are.
//!
//! One test, since the counters are the whole program's.

use std::alloc::System;
use std::io;

use serde::Serialize;
use sitemap_serde::{
    Alternate, ChangeFreq, Image, Limits, Priority, SitemapEntry, UrlEntry, Writer, WriterBuilder,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Most of the buffers have grown after so many entries.
const WARM_UP: u64 = 1_000;

const MANY: u64 = 10_000_000;

const SOME: u64 = 50_000;

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

/// Writes entries by `write`, the first few uncounted, and returns what the others allocated.
fn allocated(builder: &WriterBuilder, entries: u64, write: impl Fn(&mut Writer<io::Sink>, u64)) -> Stats {
    let mut writer = builder.from_writer(io::sink());
    for i in 0..WARM_UP {
        write(&mut writer, i);
    }
    let region = Region::new(ALLOCATOR);
    for i in WARM_UP..entries {
        write(&mut writer, i);
    }
    let stats = region.change();
    assert_eq!(writer.len(), entries);
    writer.finish().unwrap();
    stats
}

/// The test runner may allocate a little meanwhile; per entry there is nothing.
#[track_caller]
fn assert_nothing(stats: &Stats) {
    let calls = stats.allocations + stats.reallocations;
    assert!(calls < 50 && stats.bytes_allocated < 50_000, "{stats:?}");
}

#[test]
fn nothing_is_allocated_per_entry() {
    let mut builder = WriterBuilder::new();
    builder
        .base("https://example.com/shop")
        .limits(Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX));

    let start = Region::new(ALLOCATOR);
    let page = UrlEntry::new("https://example.com/shop/lamps");
    assert_nothing(&allocated(&builder, MANY, |writer, _| {
        writer.write(&page).unwrap();
    }));
    // All that the writer ever had: a block, and an entry.
    let all = start.change();
    assert!(
        all.bytes_allocated + all.bytes_reallocated.unsigned_abs() < 200_000,
        "{all:?}"
    );

    let mut page = UrlEntry::new("https://example.com/shop/lamps?a=1&b=2");
    page.lastmod = Some("2026-05-01T12:30:00+09:00".parse().unwrap());
    page.changefreq = Some(ChangeFreq::Daily);
    page.priority = Some(Priority::new(0.85).unwrap());
    assert_nothing(&allocated(&builder, SOME, |writer, _| {
        writer.write(&page).unwrap();
    }));
    assert_nothing(&allocated(&builder, SOME, |writer, _| {
        writer.serialize(&page).unwrap();
    }));
    let paths = [
        "/lamps",
        "/ランプ?q=ä b",
        "https://example.com/shop/\u{1F4A1}",
        "/a'b&c%20d",
    ];
    let pages = paths.map(UrlEntry::new);
    assert_nothing(&allocated(&builder, SOME, |writer, i| {
        let page = &pages[usize::try_from(i % 4).unwrap()];
        writer.write(page).unwrap();
    }));
    assert_nothing(&allocated(&builder, SOME, |writer, _| {
        writer
            .serialize(&Page {
                priority: 0.25,
                loc: "/lamps",
                lastmod: "2026-05-01",
                changefreq: ChangeFreq::Never,
            })
            .unwrap();
    }));
    let updated = chrono::DateTime::UNIX_EPOCH + chrono::Duration::days(20_000);
    for encoding in ["utf-8", "shift_jis"] {
        builder.encoding(encoding);
        assert_nothing(&allocated(&builder, SOME, |writer, i| {
            writer
                .write(&Product {
                    category: i,
                    slug: "電気 スタンド & shade",
                    query: "a=1&b='2'",
                    updated,
                    weight: 0.5,
                })
                .unwrap();
        }));
    }
    let mut extended = page.clone();
    extended.images = vec![Image::new("https://cdn.example.net/1.jpg"); 2];
    extended.alternates = ["de", "fr"]
        .map(|language| Alternate::new(language, format!("https://example.com/{language}")))
        .to_vec();
    assert_nothing(&allocated(&builder, SOME, |writer, _| {
        writer.write(&extended).unwrap();
    }));
}

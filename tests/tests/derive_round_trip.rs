//! What is written is read as what it was, whatever the values.

use chrono::{DateTime, FixedOffset, NaiveDateTime, Utc};
use proptest::prelude::*;
use sitemap_serde::{
    ChangeFreq, FromSitemapEntry, Priority, ReaderBuilder, SitemapEntry, W3cDateTime, WriterBuilder,
};

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/products/{shop}/{id}-{slug}.html?page={page}&q={query}")]
struct Product {
    shop: String,
    id: i64,
    slug: String,
    page: Option<u8>,
    query: Box<str>,
    #[sitemap(lastmod)]
    updated: Option<DateTime<Utc>>,
    #[sitemap(changefreq)]
    changefreq: Option<ChangeFreq>,
    #[sitemap(priority)]
    priority: Option<f32>,
}

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/tags/{0}")]
    Tag(String, #[sitemap(lastmod, offset = "-03:30")] NaiveDateTime),
    #[sitemap(loc = "/{+path}/{name}/x")]
    Path {
        path: String,
        name: String,
        #[sitemap(lastmod)]
        changed: DateTime<FixedOffset>,
        #[sitemap(priority)]
        priority: f64,
    },
    Product(Product),
    #[sitemap(loc = "{+url}")]
    Other {
        url: String,
        #[sitemap(lastmod)]
        changed: W3cDateTime,
        #[sitemap(priority)]
        priority: Priority,
    },
}

/// Text that makes no `.` or `..` segment, and is not too long for a loc.
fn text() -> impl Strategy<Value = String> {
    let any = proptest::collection::vec(
        prop_oneof![
            proptest::char::range(' ', '~'),
            any::<char>(),
            Just('-'),
            Just('/'),
            Just('%'),
        ],
        0..12,
    );
    any.prop_map(String::from_iter)
        .prop_filter("resolves away", |text| text != "." && text != "..")
}

/// A path as it stands in a URL, without the slash that it begins with.
fn encoded_path() -> impl Strategy<Value = String> {
    "([a-z]|%2F|%C3%A9)([a-z]|%2F|%C3%A9|/){0,7}"
}

fn utc() -> impl Strategy<Value = DateTime<Utc>> {
    (-62_000_000_000_i64..253_000_000_000, 0..1_000_000_000_u32)
        .prop_map(|(seconds, nanosecond)| DateTime::from_timestamp(seconds, nanosecond).unwrap())
}

fn zoned() -> impl Strategy<Value = DateTime<FixedOffset>> {
    (utc(), -1_439..=1_439)
        .prop_map(|(utc, minutes)| utc.with_timezone(&FixedOffset::east_opt(minutes * 60).unwrap()))
}

fn changefreq() -> impl Strategy<Value = ChangeFreq> {
    proptest::sample::select(ChangeFreq::ALL.to_vec())
}

fn product() -> impl Strategy<Value = Product> {
    (
        (text(), any::<i64>(), text(), any::<u8>(), text()),
        proptest::option::of(utc()),
        proptest::option::of(changefreq()),
        proptest::option::of(0.0..=1.0_f32),
    )
        .prop_map(
            |((shop, id, slug, page, query), updated, changefreq, priority)| Product {
                shop,
                id,
                slug,
                page: Some(page),
                query: query.into(),
                updated,
                changefreq,
                priority,
            },
        )
}

fn page() -> impl Strategy<Value = Page> {
    prop_oneof![
        Just(Page::About),
        (text(), utc()).prop_map(|(tag, written)| Page::Tag(tag, written.naive_utc())),
        (encoded_path(), text(), zoned(), 0.0..=1.0).prop_map(|(path, name, changed, priority)| Page::Path {
            path,
            name,
            changed,
            priority,
        }),
        product().prop_map(Page::Product),
        ("/{0,2}", encoded_path(), zoned(), "0[.][0-9]{1,20}").prop_map(
            |(slashes, path, changed, priority)| Page::Other {
                url: format!("https://example.com/other{slashes}{path}"),
                changed: changed.try_into().unwrap(),
                priority: priority.parse().unwrap(),
            }
        ),
    ]
}

proptest! {
    #[test]
    fn structs(product in product()) {
        prop_assert_eq!(there_and_back(&product), product);
    }

    #[test]
    fn enums(page in page()) {
        prop_assert_eq!(there_and_back(&page), page);
    }

    /// Whatever the loc, there is a value or an error.
    #[test]
    fn any_loc(path in ".{0,20}|(/|products|-|[.]html|[?]page=|&q=|%|%2|[0-9]){0,12}") {
        let mut entry = String::new();
        for c in path.chars().filter(|c| !c.is_control()) {
            match c {
                '&' => entry.push_str("&amp;"),
                '<' => entry.push_str("&lt;"),
                c => entry.push(c),
            }
        }
        let xml = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://a/{entry}</loc></url></urlset>"
        );
        let mut reader = ReaderBuilder::new().from_str(&xml);
        if let Some(Err(error)) = reader.read::<Product>().next() {
            prop_assert!(error.path().is_some(), "{}", error);
        }
    }
}

fn there_and_back<T: SitemapEntry + FromSitemapEntry>(entry: &T) -> T {
    let base = "https://example.com/shop";
    let mut writer = WriterBuilder::new().base(base).from_writer(Vec::new());
    writer.write(entry).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let mut reader = ReaderBuilder::new().base(base).from_str(&xml);
    let read = reader.read().next().unwrap();
    read.unwrap_or_else(|error| panic!("{error}\n{xml}"))
}

//! Values are read back as written.

use chrono::{DateTime, FixedOffset, NaiveDateTime, Utc};
use encoding_rs::Encoding;
use proptest::prelude::*;
use sitemap_serde::{
    Alternate, ChangeFreq, FromSitemapEntry, Image, News, Priority, ReaderBuilder, SitemapEntry, Video,
    W3cDateTime, WriterBuilder, news::Publication, video::PlayerLoc,
};
use sitemap_tests::{cases, urlset};

use crate::derive::tools::read;

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/products/{shop?}/{id}-{slug}.html?page={page}&q={query}")]
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
    #[sitemap(loc = "/tags/{0?}")]
    Tag(String, #[sitemap(lastmod, zone = "-03:30")] NaiveDateTime),
    #[sitemap(loc = "/{+path}/{name?}/x")]
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

/// Everything that an entry can have in addition to the core's elements.
#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
enum Rich {
    #[sitemap(loc = "/products/{slug?}")]
    Many {
        slug: String,
        #[sitemap(image)]
        images: Vec<Image>,
        #[sitemap(video)]
        videos: Vec<Video>,
        #[sitemap(news)]
        news: Option<Box<News>>,
        #[sitemap(alternate)]
        alternates: Vec<Alternate>,
    },
    #[sitemap(loc = "/one/{0?}/{1}")]
    One(
        String,
        u8,
        #[sitemap(image)] Image,
        #[sitemap(video)] Option<Box<Video>>,
        #[sitemap(news)] Box<News>,
        #[sitemap(alternate)] (String, String),
    ),
    #[sitemap(loc = "/")]
    Texts {
        #[sitemap(image)]
        images: Box<[String]>,
        #[sitemap(alternate)]
        alternates: std::collections::BTreeMap<String, String>,
    },
}

/// Text that makes no `.` or `..` segment, and is short enough for a loc.
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
        .prop_filter("no part of a URL", |text| is_listed(text))
}

/// Returns `true` if a loc can contain the text, also at its end: no control characters, no invisible ones at the end, and no
/// segment that a browser resolves away.
fn is_listed(text: &str) -> bool {
    let is_hidden = |c: char| c != ' ' && sitemap_tests::is_invisible(c);
    let is_refused = |c: char| c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    !text.contains(is_refused) && !text.ends_with(is_hidden) && text != "." && text != ".."
}

/// A path as written in a URL, without its leading slash.
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

/// The value that a priority is rounded to in the output.
fn millionths() -> impl Strategy<Value = f64> {
    (0..=1_000_000_u32).prop_map(|millionths| f64::from(millionths) / 1e6)
}

fn changefreq() -> impl Strategy<Value = ChangeFreq> {
    proptest::sample::select(ChangeFreq::ALL.to_vec())
}

fn product() -> impl Strategy<Value = Product> {
    (
        (text(), any::<i64>(), text(), any::<u8>(), text()),
        proptest::option::of(utc()),
        proptest::option::of(changefreq()),
        proptest::option::of(millionths().prop_map(|priority| priority.to_string().parse().unwrap())),
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
        (encoded_path(), text(), zoned(), millionths()).prop_map(|(path, name, changed, priority)| {
            Page::Path {
                path,
                name,
                changed,
                priority,
            }
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

/// Text for an element, without surrounding white space, which would not be kept.
fn words() -> impl Strategy<Value = String> {
    "[a-zé&<>\"']{1,6}( [a-z]{1,6}){0,2}"
}

fn url() -> impl Strategy<Value = String> {
    "https://(www[.]example[.]com|cdn[.]example[.]net:8080)/([a-z]|%2F|%C3%A9|/|&|'){0,8}([?][a-z]=[0-9])?"
}

fn image() -> impl Strategy<Value = Image> {
    (
        url(),
        proptest::option::of(words()),
        proptest::option::of(words()),
        proptest::option::of(url()),
    )
        .prop_map(|(loc, caption, title, license)| {
            let mut image = Image::new(loc);
            image.caption = caption;
            image.title = title;
            image.license = license;
            image
        })
}

fn video() -> impl Strategy<Value = Video> {
    let player = proptest::option::of((url(), proptest::option::of(any::<bool>())));
    (
        (url(), words(), words()),
        player,
        proptest::option::of(1..=28_800_u32),
        proptest::option::of(zoned()),
        proptest::collection::vec(words(), 0..3),
    )
        .prop_map(
            |((thumbnail, title, description), player, duration, published, tags)| {
                let content = "https://videos.example.net/content";
                let mut video = Video::content(content)
                    .with_thumbnail(thumbnail)
                    .with_title(title)
                    .with_description(description);
                if let Some((url, allow_embed)) = player {
                    let mut player = PlayerLoc::new(url);
                    player.allow_embed = allow_embed;
                    video.player_loc = Some(player);
                }
                video.duration = duration;
                video.publication_date = published.map(|date| date.try_into().unwrap());
                video.tags = tags;
                video
            },
        )
}

fn news() -> impl Strategy<Value = News> {
    let language = proptest::sample::select(vec!["en", "de", "zh-cn"]);
    (words(), language, zoned(), words(), proptest::option::of(words())).prop_map(
        |(name, language, date, title, keywords)| {
            let mut news = News::new(Publication::new(name, language), date.try_into().unwrap(), title);
            news.keywords = keywords;
            news
        },
    )
}

fn hreflang() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["de", "de-CH", "zh-Hant-TW", "x-default"]).prop_map(str::to_owned)
}

fn alternate() -> impl Strategy<Value = Alternate> {
    prop_oneof![
        (hreflang(), url()).prop_map(|(hreflang, href)| Alternate::new(hreflang, href)),
        (words(), url()).prop_map(|(media, href)| Alternate::for_media(media, href)),
    ]
}

fn rich() -> impl Strategy<Value = Rich> {
    use proptest::collection::{btree_map, vec};
    use proptest::option::of;

    prop_oneof![
        (
            text(),
            vec(image(), 0..3),
            vec(video(), 0..3),
            of(news().prop_map(Box::new)),
            vec(alternate(), 0..3)
        )
            .prop_map(|(slug, images, videos, news, alternates)| Rich::Many {
                slug,
                images,
                videos,
                news,
                alternates,
            }),
        (
            text(),
            any::<u8>(),
            image(),
            of(video().prop_map(Box::new)),
            news().prop_map(Box::new),
            (hreflang(), url())
        )
            .prop_map(|(name, id, image, video, news, alternate)| {
                Rich::One(name, id, image, video, news, alternate)
            }),
        (vec(url(), 0..3), btree_map(hreflang(), url(), 0..3)).prop_map(|(images, alternates)| Rich::Texts {
            images: images.into(),
            alternates,
        }),
    ]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn extensions(page in rich()) {
        prop_assert_eq!(there_and_back(&page), page);
    }

    #[test]
    fn structs(product in product()) {
        prop_assert_eq!(there_and_back(&product), product);
    }

    #[test]
    fn enums(page in page()) {
        prop_assert_eq!(there_and_back(&page), page);
    }

    /// Any loc gives a value or an error.
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
        let xml = urlset(&format!("<url><loc>https://a/{entry}</loc></url>"));
        let mut reader = ReaderBuilder::new().from_str(&xml);
        if let Some(Err(error)) = reader.read::<Product>().next() {
            prop_assert!(error.path().is_some(), "{}", error);
        }
    }
}

fn there_and_back<T: SitemapEntry + FromSitemapEntry>(entry: &T) -> T {
    let base = "https://example.com/shop";
    let xml = WriterBuilder::new()
        .base(base)
        .entries_to_string([entry])
        .unwrap();
    read(ReaderBuilder::new().base(base), &xml).unwrap_or_else(|error| panic!("{error}\n{xml}"))
}

/// A server with an encoding, which also applies to its base and literals, and any text in that encoding.
macro_rules! encodings {
    ($($name:ident $label:literal $base:literal $loc:literal)*) => {
        $(mod $name {
            use super::*;

            #[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
            #[sitemap(loc = $loc, base = $base, encoding = $label)]
            struct Page {
                name: String,
                id: u16,
                query: String,
                #[sitemap(image)]
                image: Option<Image>,
            }

            proptest! {
                #![proptest_config(cases(256))]

                #[test]
                fn any_text(
                    name in text_in($label),
                    id: u16,
                    query in text_in($label),
                    image in proptest::option::of(image()),
                ) {
                    let page = Page { name, id, query, image };
                    prop_assert_eq!(there_and_back(&page), page);
                }
            }
        })*
    };
}

encodings! {
    euc_jp "euc-jp" "https://example.com/ショップ" "/地図/{name}-{id}/x?q={query}"
    shift_jis "shift_jis" "https://example.com/表示" "/ソ/{name}-{id}/x?q={query}"
    iso_2022_jp "iso-2022-jp" "https://example.com/ショップ/" "/地図/{name}-{id}/x?q={query}"
    gb18030 "gb18030" "https://example.com/🌊" "/地图/{name}-{id}/x?q={query}"
    big5 "big5" "https://example.com/商店" "/地圖/{name}-{id}/x?q={query}"
    euc_kr "euc-kr" "https://example.com/가게" "/지도/{name}-{id}/x?q={query}"
    windows_1252 "latin1" "https://example.com/é" "/ü/{name}-{id}/x?q={query}"
    koi8_r "koi8-r" "https://example.com/магазин" "/карта/{name}-{id}/x?q={query}"
    utf_8 "utf-8" "https://example.com/サイト" "/地図/{name}-{id}/x?q={query}"
}

/// Text of characters that an encoding can encode and decode without change.
fn text_in(label: &str) -> impl Strategy<Value = String> + use<> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let is_there = move |c: char| {
        let text = c.to_string();
        let (bytes, _, unmappable) = encoding.encode(&text);
        !unmappable && encoding.decode_without_bom_handling(&bytes).0 == text
    };
    // Blocks with many characters in the encodings.
    let any = proptest::collection::vec(
        prop_oneof![
            proptest::char::range(' ', '~'),
            proptest::char::range('\u{A1}', '\u{44F}'),
            proptest::char::range('ぁ', 'ヿ'),
            proptest::char::range('一', '龠'),
            proptest::char::range('가', '힣'),
            any::<char>(),
            Just('-'),
        ],
        0..16,
    );
    any.prop_map(move |text| text.into_iter().filter(|&c| is_there(c)).collect())
        .prop_filter("no part of a URL", |text: &String| is_listed(text))
}

//! Random entries with all possible parts, and their round trips.

use std::fmt::Write as _;
use std::mem;

use proptest::prelude::*;
use proptest::sample::select;
use sitemap_serde::{
    Alternate, ChangeFreq, Image, News, Priority, Reader, UrlEntry, Video, W3cDateTime, WriterBuilder,
    news::Publication,
    pagemap::{DataAttribute, DataObject, PageMap},
    video::{
        ContentSegment, Decimal, GalleryLoc, Platform, PlayerLoc, Price, Relationship, Restriction, TvShow,
        Uploader, VideoId, VideoPlatform,
    },
};
use sitemap_tests::{cases, finished};

fn text(most: usize) -> impl Strategy<Value = String> {
    // White space at the ends, and repeated white space, is not kept, as in the XSD's own types. Characters outside XML are
    // refused.
    let c = prop_oneof![
        8 => proptest::char::range('!', '~'),
        1 => any::<char>().prop_filter("XML can hold it", |c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}') && !c.is_whitespace()),
    ];
    let word = proptest::collection::vec(c, 1..8).prop_map(String::from_iter);
    proptest::collection::vec(word, 1..6)
        .prop_map(move |words| words.join(" ").chars().take(most).collect::<String>())
        .prop_map(|text| text.trim().to_owned())
}

fn url() -> impl Strategy<Value = String> {
    (
        "[a-z]{3,8}",
        "[a-zA-Z0-9/._~!$'()*+,;=:@-]{0,20}",
        proptest::option::of("[a-z]=[a-z0-9&']{0,5}"),
    )
        .prop_map(|(host, path, query)| {
            let mut url = format!("https://{host}.example/{path}");
            if let Some(query) = query {
                let _ = write!(url, "?{query}");
            }
            url
        })
}

fn date() -> impl Strategy<Value = W3cDateTime> {
    prop_oneof!["20[0-9]{2}-0[1-9]-(1[0-9]|2[0-8])", "19[0-9]{2}-1[0-2]-0[1-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])"]
        .prop_map(|text| text.parse().unwrap())
}

fn image() -> impl Strategy<Value = Image> {
    let some = || proptest::option::of(text(200));
    (url(), some(), some(), some(), some()).prop_map(|(loc, caption, geo_location, title, license)| {
        let mut image = Image::new(loc);
        image.caption = caption;
        image.geo_location = geo_location;
        image.title = title;
        image.license = license;
        image
    })
}

fn relationship() -> impl Strategy<Value = Relationship> {
    prop_oneof![Just(Relationship::Allow), Just(Relationship::Deny)]
}

fn decimal(most: &'static str) -> impl Strategy<Value = Decimal> {
    most.prop_map(|text| text.parse().unwrap())
}

fn price() -> impl Strategy<Value = Price> {
    (
        decimal("[0-9]{1,4}(\\.[0-9]{0,3})?|\\.[0-9]"),
        "[A-Z]{3}",
        proptest::option::of(prop_oneof![Just("rent"), Just("purchase")]),
        proptest::option::of(prop_oneof![Just("HD"), Just("SD")]),
        any::<bool>(),
    )
        .prop_map(|(value, currency, kind, resolution, full)| {
            let mut price = match kind {
                Some(_) if !full => Price::default(),
                _ => Price::new(value, currency),
            };
            price.kind = kind.map(str::to_owned);
            price.resolution = resolution.map(str::to_owned);
            price
        })
}

fn tv_show() -> impl Strategy<Value = TvShow> {
    let number = || proptest::option::of(1..u32::MAX);
    (
        text(100),
        select(vec!["full", "preview", "clip", "interview", "news", "other"]),
        proptest::option::of(text(100)),
        number(),
        number(),
        proptest::option::of(date()),
    )
        .prop_map(
            |(title, kind, episode, season_number, episode_number, premier_date)| {
                let mut show = TvShow::new(title, kind);
                show.episode_title = episode;
                show.season_number = season_number;
                show.episode_number = episode_number;
                show.premier_date = premier_date;
                show
            },
        )
}

#[expect(clippy::too_many_lines, reason = "a part after the other")]
fn video() -> impl Strategy<Value = Video> {
    let yes_no = || proptest::option::of(any::<bool>());
    let basis = (
        url(),
        text(100),
        text(2048),
        url(),
        proptest::option::of(url()),
        any::<bool>(),
        yes_no(),
        proptest::option::of(text(50)),
    );
    let numbers = (
        proptest::option::of(1_u32..=28_800),
        proptest::option::of(date()),
        proptest::option::of(decimal("[0-4](\\.[0-9]{1,4})?|5|5\\.0")),
        proptest::collection::vec((url(), proptest::option::of(0_u32..=28_800)), 0..3),
        proptest::option::of(any::<u64>()),
        proptest::option::of(date()),
    );
    let words = (
        proptest::collection::vec(text(30), 0..=32),
        proptest::option::of(text(256)),
        yes_no(),
        proptest::option::of((
            relationship(),
            proptest::collection::vec(prop_oneof![Just("GB"), Just("IE"), Just("JP")], 0..4),
        )),
        proptest::option::of((url(), proptest::option::of(text(60)))),
        proptest::collection::vec(price(), 0..3),
    );
    let rest = (
        yes_no(),
        proptest::option::of(text(255)),
        proptest::option::of(tv_show()),
        proptest::option::of((
            relationship(),
            proptest::collection::vec(
                prop_oneof![Just(Platform::Web), Just(Platform::Mobile), Just(Platform::Tv)],
                0..4,
            ),
        )),
        yes_no(),
        proptest::collection::vec(
            (
                select(vec![
                    "tms:series",
                    "tms:program",
                    "rovi:series",
                    "rovi:program",
                    "freebase",
                    "url",
                ]),
                text(40),
            ),
            0..3,
        ),
    );
    (basis, numbers, words, rest).prop_map(|(basis, numbers, words, rest)| {
        let (thumbnail, title, description, loc, player, both, embed, autoplay) = basis;
        let mut video = match player {
            Some(player) => Video::player(player)
                .with_thumbnail(thumbnail)
                .with_title(title)
                .with_description(description),
            None => Video::content(loc.clone())
                .with_thumbnail(thumbnail)
                .with_title(title)
                .with_description(description),
        };
        if both {
            video.content_loc = Some(loc);
        }
        if let Some(player) = &mut video.player_loc {
            let mut full = PlayerLoc::new(mem::take(&mut player.loc));
            full.allow_embed = embed;
            full.autoplay = autoplay;
            *player = full;
        }
        video.duration = numbers.0;
        video.expiration_date = numbers.1;
        video.rating = numbers.2;
        video.content_segments = numbers
            .3
            .into_iter()
            .map(|(url, duration)| {
                let mut segment = ContentSegment::new(url);
                segment.duration = duration;
                segment
            })
            .collect();
        video.view_count = numbers.4;
        video.publication_date = numbers.5;
        video.tags = words.0;
        video.category = words.1;
        video.family_friendly = words.2;
        video.restriction = words
            .3
            .map(|(relationship, countries)| Restriction::new(relationship, countries));
        video.gallery_loc = words.4.map(|(url, title)| {
            let mut gallery = GalleryLoc::new(url);
            gallery.title = title;
            gallery
        });
        video.prices = words.5;
        video.requires_subscription = rest.0;
        video.uploader = rest.1.map(|name| {
            let mut uploader = Uploader::new(name);
            uploader.info = Some("https://users.example.com/u".into());
            uploader
        });
        video.tv_show = rest.2.map(Box::new);
        video.platform = rest
            .3
            .map(|(relationship, platforms)| VideoPlatform::new(relationship, platforms));
        video.live = rest.4;
        video.ids = rest
            .5
            .into_iter()
            .map(|(kind, id)| VideoId::new(kind, id))
            .collect();
        video
    })
}

fn news() -> impl Strategy<Value = News> {
    (
        text(80),
        prop_oneof!["zh-cn", "zh-tw", "[a-z]{3}", "(en|de|ja|fr)"],
        date(),
        text(200),
        proptest::option::of(prop_oneof![Just("Subscription"), Just("Registration")]),
        proptest::collection::vec(
            select(vec![
                "PressRelease",
                "Satire",
                "Blog",
                "OpEd",
                "Opinion",
                "UserGenerated",
            ]),
            0..4,
        ),
        proptest::option::of(text(100)),
        proptest::collection::vec("[A-Z]{3,6}:[A-Z0-9]{1,5}", 0..=5),
    )
        .prop_map(
            |(name, language, date, title, access, genres, keywords, tickers)| {
                let mut news = News::new(Publication::new(name, language), date, title);
                news.access = access.map(str::to_owned);
                news.genres = genres.into_iter().map(str::to_owned).collect();
                news.keywords = keywords;
                news.stock_tickers = tickers;
                news
            },
        )
}

fn alternate() -> impl Strategy<Value = Alternate> {
    let media = "only screen and \\(max-width: [1-9][0-9]{2}px\\)";
    prop_oneof![
        4 => (prop_oneof!["x-default", "(en|de|pt)(-Latn)?(-(GB|CH|BR))?"], url())
            .prop_map(|(hreflang, href)| Alternate::new(hreflang, href)),
        1 => (media, url()).prop_map(|(media, href)| Alternate::for_media(media, href)),
    ]
}

fn page_map() -> impl Strategy<Value = PageMap> {
    let attribute = (text(20), text(40), any::<bool>()).prop_map(|(name, value, is_text)| {
        let mut attribute = DataAttribute::new(name, value);
        if is_text {
            attribute.text = attribute.value.take();
        }
        attribute
    });
    let attributes = proptest::collection::vec(attribute, 0..3);
    let object = (text(20), proptest::option::of(text(10)), attributes).prop_map(|(kind, id, attributes)| {
        let mut object = DataObject::new(kind, attributes);
        object.id = id;
        object
    });
    let objects = proptest::collection::vec(object, 0..3);
    let something = (proptest::option::of(url()), objects)
        .prop_filter("an empty element is none", |(template, objects)| {
            template.is_some() || !objects.is_empty()
        });
    something.prop_map(|(template, objects)| {
        let mut map = PageMap::new(objects);
        map.template = template;
        map
    })
}

/// A page with everything that a page can have.
pub(crate) fn entry() -> impl Strategy<Value = UrlEntry> {
    let core = (
        "[a-z/]{1,30}",
        proptest::option::of(date()),
        proptest::option::of(select(ChangeFreq::ALL.to_vec())),
        proptest::option::of(0.0_f32..=1.0),
    );
    let extensions = (
        proptest::collection::vec(image(), 0..3),
        proptest::collection::vec(video(), 0..3),
        proptest::option::of(news()),
        proptest::collection::vec(alternate(), 0..3),
        any::<bool>(),
        proptest::option::of(page_map()),
    );
    (core, extensions).prop_map(|((path, lastmod, changefreq, priority), extensions)| {
        let mut entry = UrlEntry::new(format!("https://www.example.com/{path}"));
        entry.lastmod = lastmod;
        entry.changefreq = changefreq;
        entry.priority = priority.map(|priority| Priority::new(priority).unwrap());
        entry.images = extensions.0;
        entry.videos = extensions.1;
        entry.news = extensions.2.map(Box::new);
        entry.alternates = extensions.3;
        entry.mobile = extensions.4;
        entry.page_map = extensions.5.map(Box::new);
        entry
    })
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn random_entries_are_equal_after_reading(entries in proptest::collection::vec(entry(), 1..4), pretty in any::<bool>()) {
        let mut writer = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
        for entry in &entries {
            writer.write(entry).unwrap();
        }
        let xml = finished(writer);
        let typed: Vec<UrlEntry> = Reader::from_str(&xml).entries().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&typed, &entries);
        let through_serde: Vec<UrlEntry> = sitemap_serde::from_str(&xml).unwrap();
        prop_assert_eq!(&through_serde, &entries);
        let by_serde = if pretty { sitemap_serde::to_string_pretty(&entries) } else { sitemap_serde::to_string(&entries) };
        prop_assert_eq!(by_serde.unwrap(), xml);
        let json = serde_json::to_string(&entries).unwrap();
        let from_json: Vec<UrlEntry> = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(from_json, entries);
    }
}

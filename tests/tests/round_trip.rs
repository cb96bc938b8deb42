//! Reading and writing without loss: published sitemaps, and entries made at random, which the schemas find nothing wrong with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::{fs, mem};

use proptest::prelude::*;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use sitemap_serde::{
    Alternate, Category, ChangeFreq, ContentSegment, Decimal, GalleryLoc, Image, IndexEntry, Kind, Limits,
    News, NewsAccess, NewsGenre, Platform, PlayerLoc, Price, PriceKind, Priority, Publication, Reader,
    Relationship, Resolution, Restriction, TvShow, Uploader, UrlEntry, Video, VideoId, VideoIdKind,
    VideoPlatform, VideoType, W3cDateTime, WriterBuilder,
};

const NAMESPACES: [&str; 6] = [
    "http://www.google.com/schemas/sitemap-image/1.1",
    "http://www.google.com/schemas/sitemap-video/1.1",
    "http://www.google.com/schemas/sitemap-news/0.9",
    "http://www.w3.org/1999/xhtml",
    "http://www.google.com/schemas/sitemap-mobile/1.0",
    "http://www.google.com/schemas/sitemap-pagemap/1.0",
];

/// How many elements of each extension stand in an entry.
type Counts = [usize; 6];

/// What an independent reader counts in each entry; `None` if it cannot read the document.
fn counted(bytes: &[u8]) -> Option<Vec<Counts>> {
    let mut reader = NsReader::from_reader(bytes);
    let mut entries = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let (namespace, event) = reader.read_resolved_event_into(&mut buffer).ok()?;
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.as_ref().to_owned(),
            _ => String::new(),
        };
        match event {
            Event::Start(tag) => {
                count(&mut entries, &path, &namespace, tag.local_name().as_ref());
                path.push(tag.local_name().as_ref().to_owned());
            }
            Event::Empty(tag) => count(&mut entries, &path, &namespace, tag.local_name().as_ref()),
            Event::End(_) => drop(path.pop()),
            Event::Eof => return Some(entries),
            _ => {}
        }
    }
}

fn count(entries: &mut Vec<Counts>, path: &[String], namespace: &str, local: &str) {
    let extension = NAMESPACES.iter().position(|known| *known == namespace);
    match (path.len(), extension) {
        (1, None) if matches!(local, "url" | "sitemap") => entries.push(Counts::default()),
        (2, Some(extension)) if path[1] == "url" => {
            let expected = ["image", "video", "news", "link", "mobile", "PageMap"][extension];
            if local == expected
                && let Some(entry) = entries.last_mut()
            {
                entry[extension] += 1;
            }
        }
        _ => {}
    }
}

fn counts_of(entry: &UrlEntry) -> Counts {
    [
        entry.images.len(),
        entry.videos.len(),
        usize::from(entry.news.is_some()),
        entry.alternates.len(),
        usize::from(entry.mobile),
        usize::from(entry.page_map.is_some()),
    ]
}

/// A URL with its triplets resolved: the same for one and for what the writer makes of it.
fn resolved(url: &mut String) {
    let bytes = mem::take(url).into_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let triplet = bytes.get(i + 1..i + 3).and_then(|hex| {
            let hex = std::str::from_utf8(hex).ok()?;
            u8::from_str_radix(hex, 16).ok()
        });
        match triplet.filter(|_| bytes[i] == b'%') {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    *url = String::from_utf8_lossy(&out).into_owned();
}

fn normalized(mut entry: UrlEntry) -> UrlEntry {
    resolved(&mut entry.loc);
    for image in &mut entry.images {
        resolved(&mut image.loc);
    }
    for video in &mut entry.videos {
        resolved(&mut video.thumbnail_loc);
        if let Some(url) = &mut video.content_loc {
            resolved(url);
        }
        if let Some(player) = &mut video.player_loc {
            resolved(&mut player.loc);
        }
        if let Some(gallery) = &mut video.gallery_loc {
            resolved(&mut gallery.loc);
        }
        if let Some(url) = video
            .uploader
            .as_mut()
            .and_then(|uploader| uploader.info.as_mut())
        {
            resolved(url);
        }
        for segment in &mut video.content_segments {
            resolved(&mut segment.loc);
        }
    }
    for link in &mut entry.alternates {
        resolved(&mut link.href);
    }
    entry
}

/// Writes what may be written; counts what may not by rule.
fn written(entries: &[UrlEntry], refused: &mut BTreeMap<String, usize>) -> (Vec<u8>, Vec<UrlEntry>) {
    let mut writer = WriterBuilder::new()
        .limits(Limits::writing().entries(u64::MAX).bytes(u64::MAX))
        .from_writer(Vec::new());
    let mut kept = Vec::new();
    for entry in entries {
        let before = writer.len();
        match writer.write(entry) {
            Ok(()) => kept.push(entry.clone()),
            Err(error) => {
                assert_eq!(writer.len(), before);
                assert_eq!(error.category(), Category::Data, "{error}");
                *refused.entry(rule(&error)).or_default() += 1;
            }
        }
    }
    (writer.finish().unwrap(), kept)
}

fn rule(error: &sitemap_serde::Error) -> String {
    let schema = || {
        let message = error.to_string();
        ["sitemap-video.xsd", "sitemap-news.xsd"]
            .into_iter()
            .find(|schema| message.contains(schema))
            .map_or(message.clone(), str::to_owned)
    };
    error.rule_id().map_or_else(schema, str::to_owned)
}

#[test]
fn published_sitemaps_say_the_same_after_writing() {
    let Some(folder) = sitemap_tests::files("round_trip") else {
        return;
    };
    let (mut documents, mut indexes, mut left) = (0, 0, Vec::new());
    let mut totals = Counts::default();
    let mut expected = Counts::default();
    let (mut unread, mut unwritten) = (BTreeMap::<String, usize>::new(), BTreeMap::new());
    let (mut entries_read, mut entries_written) = (0, 0);
    for (name, bytes) in sitemap_tests::corpus(&folder) {
        let mut reader = Reader::from_slice(&bytes);
        match reader.kind() {
            Ok(Kind::UrlSet) => {}
            Ok(Kind::SitemapIndex) => {
                indexes += usize::from(index_says_the_same(&bytes));
                continue;
            }
            Err(error) => {
                left.push(format!("{name}: {error}"));
                continue;
            }
        }
        let mut entries = Vec::new();
        let mut numbers = Vec::new();
        let mut problem = None;
        let mut number = 0;
        for entry in reader.entries() {
            number += 1;
            match entry {
                Ok(entry) => {
                    numbers.push(number);
                    entries.push(entry);
                }
                Err(error) if error.category() == Category::Data => {
                    *unread.entry(rule(&error)).or_default() += 1;
                }
                Err(error) => problem = Some(error),
            }
        }
        if let Some(error) = problem {
            left.push(format!("{name}: {error}"));
            continue;
        }
        documents += 1;
        entries_read += entries.len();

        if let Some(counts) = counted(&bytes) {
            assert_eq!(counts.len(), number, "{name}");
            for (entry, number) in entries.iter().zip(&numbers) {
                assert_eq!(counts_of(entry), counts[number - 1], "{name}, entry {number}");
                for i in 0..6 {
                    expected[i] += counts[number - 1][i];
                    totals[i] += counts_of(entry)[i];
                }
            }
        } else {
            left.push(format!("{name}: the independent reader cannot count it"));
        }

        let (first, kept) = written(&entries, &mut unwritten);
        entries_written += kept.len();
        let again: Vec<UrlEntry> = Reader::from_slice(&first)
            .entries()
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.len(), kept.len(), "{name}");
        for (again, kept) in again.iter().zip(&kept) {
            if again != kept {
                assert_eq!(normalized(again.clone()), normalized(kept.clone()), "{name}");
            }
            // As they are written, and not only equal.
            let digits = |entry: &UrlEntry| format!("{:?} {:?}", entry.priority, entry.lastmod);
            assert_eq!(digits(again), digits(kept), "{name}");
        }
        let (second, _) = written(&again, &mut BTreeMap::new());
        assert!(
            second == first,
            "{name}: the second document differs from the first"
        );
    }
    assert_eq!(totals, expected);
    println!(
        "{documents} urlsets and {indexes} indexes, {entries_read} entries read, {entries_written} written\n\
         elements: {} image, {} video, {} news, {} xhtml:link, {} mobile, {} PageMap\n\
         entries not read, by rule: {unread:?}\nentries not written, by rule: {unwritten:?}\nfiles left:",
        totals[0], totals[1], totals[2], totals[3], totals[4], totals[5]
    );
    for left in &left {
        println!("  {left}");
    }
    assert!(
        documents > 150 && entries_written > 0,
        "the corpus is smaller than it was"
    );
    assert!(totals[..5].iter().all(|count| *count > 0));
}

fn index_says_the_same(bytes: &[u8]) -> bool {
    let mut reader = Reader::from_slice(bytes);
    let mut entries: Vec<IndexEntry> = Vec::new();
    for entry in reader.deserialize::<IndexEntry>() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) if error.category() == Category::Data => {}
            Err(_) => return false,
        }
    }
    let write = |entries: &[IndexEntry]| {
        let mut writer = WriterBuilder::new()
            .kind(Kind::SitemapIndex)
            .from_writer(Vec::new());
        for entry in entries {
            let _ = writer.write(entry);
        }
        writer.finish().unwrap()
    };
    let first = write(&entries);
    let again: Vec<IndexEntry> = Reader::from_slice(&first)
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(write(&again) == first);
    true
}

// ---- Entries made at random. ----

fn text(most: usize) -> impl Strategy<Value = String> {
    // White space at the ends and in rows is not kept, nor by the XSD's own types; what XML cannot hold is refused.
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
        proptest::option::of(prop_oneof![Just(PriceKind::Rent), Just(PriceKind::Purchase)]),
        proptest::option::of(prop_oneof![Just(Resolution::Hd), Just(Resolution::Sd)]),
        any::<bool>(),
    )
        .prop_map(|(value, currency, kind, resolution, full)| {
            let mut price = match kind.clone() {
                Some(kind) if !full => Price::of_kind(kind),
                _ => Price::new(value, currency),
            };
            price.kind = kind;
            price.resolution = resolution;
            price
        })
}

fn tv_show() -> impl Strategy<Value = TvShow> {
    let number = || proptest::option::of(1..u32::MAX);
    (
        text(100),
        prop_oneof![
            Just(VideoType::Full),
            Just(VideoType::News),
            Just(VideoType::Unspecified)
        ],
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
                prop_oneof![Just(VideoIdKind::Url), Just(VideoIdKind::RoviProgram)],
                text(40),
            ),
            0..3,
        ),
    );
    (basis, numbers, words, rest).prop_map(|(basis, numbers, words, rest)| {
        let (thumbnail, title, description, loc, player, both, embed, autoplay) = basis;
        let mut video = match player {
            Some(player) => Video::with_player(player, thumbnail, title, description),
            None => Video::with_content(loc.clone(), thumbnail, title, description),
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
        proptest::option::of(prop_oneof![
            Just(NewsAccess::Subscription),
            Just(NewsAccess::Registration)
        ]),
        proptest::collection::vec(
            prop_oneof![
                Just(NewsGenre::Blog),
                Just(NewsGenre::OpEd),
                Just(NewsGenre::Satire)
            ],
            0..4,
        ),
        proptest::option::of(text(100)),
        proptest::collection::vec("[A-Z]{3,6}:[A-Z0-9]{1,5}", 0..=5),
    )
        .prop_map(
            |(name, language, date, title, access, genres, keywords, tickers)| {
                let mut news = News::new(Publication::new(name, language), date, title);
                news.access = access;
                news.genres = genres;
                news.keywords = keywords;
                news.stock_tickers = tickers;
                news
            },
        )
}

fn entry() -> impl Strategy<Value = UrlEntry> {
    (
        "[a-z/]{1,30}",
        proptest::option::of(date()),
        proptest::option::of(proptest::sample::select(ChangeFreq::ALL.to_vec())),
        proptest::option::of(0.0_f32..=1.0),
        proptest::collection::vec(image(), 0..3),
        proptest::collection::vec(video(), 0..3),
        proptest::option::of(news()),
        proptest::collection::vec(
            (
                prop_oneof!["x-default", "(en|de|pt)(-Latn)?(-(GB|CH|BR))?"],
                url(),
            ),
            0..3,
        ),
        any::<bool>(),
    )
        .prop_map(
            |(path, lastmod, changefreq, priority, images, videos, news, alternates, mobile)| {
                let mut entry = UrlEntry::new(format!("https://www.example.com/{path}"));
                entry.lastmod = lastmod;
                entry.changefreq = changefreq;
                entry.priority = priority.map(|priority| Priority::new(priority).unwrap());
                entry.images = images;
                entry.videos = videos;
                entry.news = news;
                entry.alternates = alternates
                    .into_iter()
                    .map(|(hreflang, href)| Alternate::new(hreflang, href))
                    .collect();
                entry.mobile = mobile;
                entry
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_say_the_same_after_reading(entries in proptest::collection::vec(entry(), 1..4), pretty in any::<bool>()) {
        let mut writer = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
        for entry in &entries {
            writer.write(entry).unwrap();
        }
        let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
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

/// Schemas for what the published ones do not have: of images, and of links.
const IMAGE_XSD: &str = r#"<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
    targetNamespace="http://www.google.com/schemas/sitemap-image/1.1">
  <xsd:element name="image"><xsd:complexType><xsd:sequence>
    <xsd:element name="loc" type="xsd:anyURI"/>
    <xsd:element name="caption" type="xsd:string" minOccurs="0"/>
    <xsd:element name="geo_location" type="xsd:string" minOccurs="0"/>
    <xsd:element name="title" type="xsd:string" minOccurs="0"/>
    <xsd:element name="license" type="xsd:string" minOccurs="0"/>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>"#;

const XHTML_XSD: &str = r#"<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xhtml">
  <xsd:element name="link"><xsd:complexType>
    <xsd:attribute name="rel" type="xsd:string" use="required"/>
    <xsd:attribute name="hreflang" type="xsd:string"/>
    <xsd:attribute name="media" type="xsd:string"/>
    <xsd:attribute name="href" type="xsd:anyURI" use="required"/>
  </xsd:complexType></xsd:element>
</xsd:schema>"#;

#[test]
fn the_schemas_find_nothing_wrong() {
    let Some(shared) = sitemap_tests::files("the_schemas_find_nothing_wrong") else {
        return;
    };
    let Some(xmllint) = sitemap_tests::program("the_schemas_find_nothing_wrong", "xmllint") else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("sitemap-round-trip-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut driver = String::from("<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\n");
    let mut import = |namespace: &str, file: &str, text: &str| {
        fs::write(folder.join(file), text).unwrap();
        writeln!(
            driver,
            "<xsd:import namespace=\"{namespace}\" schemaLocation=\"{file}\"/>"
        )
        .unwrap();
    };
    for (namespace, file) in [
        ("http://www.sitemaps.org/schemas/sitemap/0.9", "sitemap.xsd"),
        (NAMESPACES[1], "sitemap-video.xsd"),
        (NAMESPACES[2], "sitemap-news.xsd"),
        (NAMESPACES[4], "sitemap-mobile.xsd"),
    ] {
        import(
            namespace,
            file,
            &fs::read_to_string(shared.join("xsd").join(file)).unwrap(),
        );
    }
    import(NAMESPACES[0], "image.xsd", IMAGE_XSD);
    import(NAMESPACES[3], "xhtml.xsd", XHTML_XSD);
    driver.push_str("</xsd:schema>\n");
    fs::write(folder.join("driver.xsd"), driver).unwrap();

    let validate = |documents: &[String]| {
        let mut files = Vec::new();
        for (i, xml) in documents.iter().enumerate() {
            let file = folder.join(format!("{i}.xml"));
            fs::write(&file, xml).unwrap();
            files.push(file);
        }
        let output = Command::new(&xmllint)
            .args(["--noout", "--nonet", "--schema"])
            .arg(folder.join("driver.xsd"))
            .args(&files)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    // The driver finds what is wrong.
    let wrong = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\"><url><loc>https://example.com/</loc>\
         <v:video><v:title>T</v:title></v:video></url></urlset>";
    let (valid, message) = validate(&[wrong.to_owned()]);
    assert!(!valid && message.contains("thumbnail_loc"), "{message}");

    // One process for many documents.
    let config = ProptestConfig {
        cases: 4,
        failure_persistence: None,
        max_shrink_iters: 64,
        ..ProptestConfig::default()
    };
    let documents = proptest::collection::vec((proptest::collection::vec(entry(), 1..4), any::<bool>()), 64);
    let mut count = 0;
    proptest::test_runner::TestRunner::new(config)
        .run(&documents, |documents| {
            let documents: Vec<String> = documents
                .iter()
                .map(|(entries, pretty)| {
                    if *pretty {
                        sitemap_serde::to_string_pretty(entries).unwrap()
                    } else {
                        sitemap_serde::to_string(entries).unwrap()
                    }
                })
                .collect();
            let (valid, message) = validate(&documents);
            let problems: Vec<_> = message
                .lines()
                .filter(|line| !line.ends_with(" validates"))
                .take(5)
                .collect();
            prop_assert!(valid, "{problems:#?}");
            Ok(())
        })
        .unwrap();
    count += 4 * 64;
    println!("{count} documents are valid");
    fs::remove_dir_all(&folder).unwrap();
}

//! The extensions and namespaces of the user's own: how they are written, what is refused and how it is said.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use sitemap_serde::{
    Alternate, Category, ContentSegment, DataAttribute, DataObject, EntryWriter, GalleryLoc, Image,
    IndexEntry, Limits, News, NewsAccess, NewsGenre, PageMap, PageMapTemplate, Platform, PlayerLoc, Price,
    PriceKind, Publication, ReaderBuilder, Relationship, Resolution, Restriction, Rule, SitemapEntry, TvShow,
    Uploader, UrlEntry, Video, VideoId, VideoIdKind, VideoPlatform, VideoType, WriterBuilder,
    entries_to_string, from_str, to_string, to_string_pretty,
};

const LOC: &str = "https://example.com/page";

fn body(xml: &str) -> &str {
    let start = xml.find("<url>").unwrap();
    &xml[start..xml.len() - "</urlset>".len()]
}

fn root(xml: &str) -> &str {
    let start = xml.find("<urlset").unwrap();
    &xml[start..=start + xml[start..].find('>').unwrap()]
}

fn image_page() -> UrlEntry {
    let mut entry = UrlEntry::new(LOC);
    entry.images = vec![Image::new("https://cdn.example.net/1.jpg")];
    entry
}

fn video() -> Video {
    Video::with_content(
        "https://example.com/v.mp4",
        "https://example.com/v.jpg",
        "Title",
        "Description",
    )
}

fn full_video() -> Video {
    let mut video = video();
    let mut player = PlayerLoc::new("https://example.com/player?a=1&b=2");
    player.allow_embed = Some(true);
    player.autoplay = Some("ap=1".into());
    video.player_loc = Some(player);
    video.duration = Some(28_800);
    video.expiration_date = Some("2030-01-01".parse().unwrap());
    video.rating = Some("4.20".parse().unwrap());
    let mut segment = ContentSegment::new("https://example.com/1.mp4");
    segment.duration = Some(60);
    video.content_segments = vec![segment, ContentSegment::new("https://example.com/2.mp4")];
    video.view_count = Some(12_345);
    video.publication_date = Some("2026-05-01T10:00:00+09:00".parse().unwrap());
    video.tags = vec!["a & b".into(), "c".into()];
    video.category = Some("Cooking".into());
    video.family_friendly = Some(true);
    video.restriction = Some(Restriction::new(Relationship::Deny, ["GB", "IE"]));
    let mut gallery = GalleryLoc::new("https://example.com/gallery");
    gallery.title = Some("All \"of\" them".into());
    video.gallery_loc = Some(gallery);
    let mut price = Price::new("1.990".parse::<sitemap_serde::Decimal>().unwrap(), "EUR");
    price.kind = Some(PriceKind::Rent);
    price.resolution = Some(Resolution::Hd);
    video.prices = vec![price, Price::of_kind(PriceKind::Purchase)];
    video.requires_subscription = Some(false);
    let mut uploader = Uploader::new("Grilly");
    uploader.info = Some("https://example.com/users/grilly".into());
    video.uploader = Some(uploader);
    let mut show = TvShow::new("Show", VideoType::Clip);
    show.episode_title = Some("Episode".into());
    show.season_number = Some(1);
    show.episode_number = Some(2);
    show.premier_date = Some("2020-01-01".parse().unwrap());
    video.tv_show = Some(Box::new(show));
    video.platform = Some(VideoPlatform::new(
        Relationship::Allow,
        [Platform::Web, Platform::Tv],
    ));
    video.live = Some(false);
    video.ids = vec![VideoId::new(VideoIdKind::TmsSeries, "SH1")];
    video
}

fn full_news() -> News {
    let mut news = News::new(
        Publication::new("The Example Times", "en"),
        "2026-05-01".parse().unwrap(),
        "Merger <Talks>",
    );
    news.access = Some(NewsAccess::Registration);
    news.genres = vec![NewsGenre::PressRelease, NewsGenre::Blog];
    news.keywords = Some("business, merger".into());
    news.stock_tickers = vec!["NASDAQ:A".into(), "NYSE:B".into()];
    news
}

fn full_entry() -> UrlEntry {
    let mut entry = image_page();
    let mut image = Image::new("https://example.com/2.jpg");
    image.caption = Some("Caption".into());
    image.geo_location = Some("Limerick, Ireland".into());
    image.title = Some("Title".into());
    image.license = Some("https://example.com/license".into());
    entry.images.push(image);
    entry.videos = vec![full_video(), video()];
    entry.news = Some(full_news());
    entry.alternates = vec![
        Alternate::new("de-CH", "https://example.com/ch"),
        Alternate::for_media("only screen and (max-width: 640px)", "https://m.example.com/"),
    ];
    entry.mobile = true;
    let mut map = PageMap::new(vec![DataObject::new(
        "document",
        vec![DataAttribute::new("title", "A \"title\"\nin two lines")],
    )]);
    map.template = Some(PageMapTemplate::new("https://example.com/template"));
    entry.page_map = Some(Box::new(map));
    entry
}

#[test]
fn everything_is_written_in_the_schemas_order_and_read_again() {
    let entry = full_entry();
    let xml = to_string(&[&entry]).unwrap();
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\" \
         xmlns:pagemap=\"http://www.google.com/schemas/sitemap-pagemap/1.0\">"
    );
    assert_eq!(
        body(&xml),
        "<url><loc>https://example.com/page</loc>\
         <image:image><image:loc>https://cdn.example.net/1.jpg</image:loc></image:image>\
         <image:image><image:loc>https://example.com/2.jpg</image:loc><image:caption>Caption</image:caption>\
         <image:geo_location>Limerick, Ireland</image:geo_location><image:title>Title</image:title>\
         <image:license>https://example.com/license</image:license></image:image>\
         <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc>\
         <video:title>Title</video:title><video:description>Description</video:description>\
         <video:content_loc>https://example.com/v.mp4</video:content_loc>\
         <video:player_loc allow_embed=\"yes\" autoplay=\"ap=1\">https://example.com/player?a=1&amp;b=2</video:player_loc>\
         <video:duration>28800</video:duration><video:expiration_date>2030-01-01</video:expiration_date>\
         <video:rating>4.20</video:rating>\
         <video:content_segment_loc duration=\"60\">https://example.com/1.mp4</video:content_segment_loc>\
         <video:content_segment_loc>https://example.com/2.mp4</video:content_segment_loc>\
         <video:view_count>12345</video:view_count>\
         <video:publication_date>2026-05-01T10:00:00+09:00</video:publication_date>\
         <video:tag>a &amp; b</video:tag><video:tag>c</video:tag><video:category>Cooking</video:category>\
         <video:family_friendly>yes</video:family_friendly>\
         <video:restriction relationship=\"deny\">GB IE</video:restriction>\
         <video:gallery_loc title=\"All &quot;of&quot; them\">https://example.com/gallery</video:gallery_loc>\
         <video:price currency=\"EUR\" type=\"rent\" resolution=\"HD\">1.990</video:price>\
         <video:price type=\"purchase\"/>\
         <video:requires_subscription>no</video:requires_subscription>\
         <video:uploader info=\"https://example.com/users/grilly\">Grilly</video:uploader>\
         <video:tvshow><video:show_title>Show</video:show_title><video:video_type>clip</video:video_type>\
         <video:episode_title>Episode</video:episode_title><video:season_number>1</video:season_number>\
         <video:episode_number>2</video:episode_number><video:premier_date>2020-01-01</video:premier_date></video:tvshow>\
         <video:platform relationship=\"allow\">web tv</video:platform><video:live>no</video:live>\
         <video:id type=\"tms:series\">SH1</video:id></video:video>\
         <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc>\
         <video:title>Title</video:title><video:description>Description</video:description>\
         <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>\
         <news:news><news:publication><news:name>The Example Times</news:name><news:language>en</news:language>\
         </news:publication><news:access>Registration</news:access><news:genres>PressRelease, Blog</news:genres>\
         <news:publication_date>2026-05-01</news:publication_date><news:title>Merger &lt;Talks&gt;</news:title>\
         <news:keywords>business, merger</news:keywords><news:stock_tickers>NASDAQ:A, NYSE:B</news:stock_tickers></news:news>\
         <xhtml:link rel=\"alternate\" hreflang=\"de-CH\" href=\"https://example.com/ch\"/>\
         <xhtml:link rel=\"alternate\" media=\"only screen and (max-width: 640px)\" href=\"https://m.example.com/\"/>\
         <mobile:mobile/>\
         <pagemap:PageMap><pagemap:Template src=\"https://example.com/template\"/>\
         <pagemap:DataObject type=\"document\"><pagemap:Attribute name=\"title\" value=\"A &quot;title&quot;&#10;in two lines\"/>\
         </pagemap:DataObject></pagemap:PageMap></url>"
    );
    assert_eq!(
        from_str::<Vec<UrlEntry>>(&xml).unwrap(),
        std::slice::from_ref(&entry)
    );
    let mut reader = sitemap_serde::Reader::from_str(&xml);
    assert_eq!(reader.entries().next().unwrap().unwrap(), entry);

    // Written by the other way, the same.
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write(&entry).unwrap();
    assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), xml);
    // And through JSON.
    let json = serde_json::to_string(&entry).unwrap();
    let again: UrlEntry = serde_json::from_str(&json).unwrap();
    assert_eq!(again, entry);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<UrlEntry>(value).unwrap(), entry);
    // And in one call.
    assert_eq!(entries_to_string([entry]).unwrap(), xml);
}

#[test]
fn a_record_of_any_type_says_the_same() {
    // What serde buffers by the schema alone is read into the types and written again.
    #[derive(Serialize, Deserialize)]
    struct Page {
        loc: String,
        #[serde(flatten)]
        rest: HashMap<String, serde_json::Value>,
    }
    #[derive(Deserialize)]
    struct Flattened {
        #[serde(flatten)]
        entry: UrlEntry,
    }
    let xml = to_string(&[full_entry()]).unwrap();
    let pages: Vec<Page> = from_str(&xml).unwrap();
    assert_eq!(pages[0].loc, LOC);
    let again = to_string(&pages).unwrap();
    let mut expected = full_entry();
    // A number that is nobody's type has no digits of its own.
    assert_eq!(body(&again).replace("4.2<", "4.20<").len(), body(&xml).len());
    assert_eq!(from_str::<Vec<UrlEntry>>(&again).unwrap(), [expected.clone()]);
    let flattened: Vec<Flattened> = from_str(&xml).unwrap();
    expected.videos[0].rating = flattened[0].entry.videos[0].rating.clone();
    assert_eq!(flattened[0].entry, expected);
}

#[test]
fn pretty_is_nested() {
    let mut entry = image_page();
    entry.alternates = vec![Alternate::new("en", "https://example.com/en")];
    let mut news = full_news();
    news.genres.clear();
    entry.news = Some(news);
    let xml = to_string_pretty(&[&entry]).unwrap();
    let start = xml.find("  <url>").unwrap();
    assert_eq!(
        &xml[start..],
        r#"  <url>
    <loc>https://example.com/page</loc>
    <image:image>
      <image:loc>https://cdn.example.net/1.jpg</image:loc>
    </image:image>
    <news:news>
      <news:publication>
        <news:name>The Example Times</news:name>
        <news:language>en</news:language>
      </news:publication>
      <news:access>Registration</news:access>
      <news:publication_date>2026-05-01</news:publication_date>
      <news:title>Merger &lt;Talks&gt;</news:title>
      <news:keywords>business, merger</news:keywords>
      <news:stock_tickers>NASDAQ:A, NYSE:B</news:stock_tickers>
    </news:news>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/en"/>
  </url>
</urlset>
"#
    );
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap(), [entry]);
}

#[test]
fn namespaces_are_declared_where_they_are_used() {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    writer.serialize(&image_page()).unwrap();
    writer.write(&image_page()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let image = "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
                 <image:loc>https://cdn.example.net/1.jpg</image:loc></image:image>";
    assert_eq!(
        xml,
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
             <url><loc>{LOC}</loc></url><url><loc>{LOC}</loc>{image}</url><url><loc>{LOC}</loc>{image}</url></urlset>"
        )
    );
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap()[1], image_page());

    // A first entry that is refused declares nothing.
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let mut refused = image_page();
    refused.priority = None;
    refused.loc = "/".into();
    writer.serialize(&refused).unwrap_err();
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    );

    // Nor does one that does not fit.
    let mut writer = WriterBuilder::new()
        .limits(Limits::writing().bytes(200))
        .from_writer(Vec::new());
    assert_eq!(
        writer.serialize(&image_page()).unwrap_err().rule(),
        Some(Rule::Size)
    );
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    );
}

#[test]
fn a_type_says_what_its_entries_have() {
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        #[serde(rename = "image:image")]
        images: Vec<Image>,
        #[serde(rename = "shop:price")]
        price: Option<f32>,
    }
    let mut writer = WriterBuilder::new()
        .namespace("shop", "urn:shop")
        .from_writer(Vec::new());
    let page = |images, price| Page {
        loc: LOC,
        images,
        price,
    };
    writer.serialize(&page(vec![], None)).unwrap();
    writer
        .serialize(&page(vec![Image::new("https://example.com/1.jpg")], Some(1.5)))
        .unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        &xml[xml.find("<urlset").unwrap()..],
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:shop=\"urn:shop\">\
             <url><loc>{LOC}</loc></url><url><loc>{LOC}</loc>\
             <image:image><image:loc>https://example.com/1.jpg</image:loc></image:image><shop:price>1.5</shop:price></url>\
             </urlset>"
        )
    );
}

#[test]
fn what_the_builder_declares() {
    let finish = |builder: &mut WriterBuilder| {
        let mut writer = builder.from_writer(Vec::new());
        writer
            .try_finish()
            .map(|()| String::from_utf8(writer.finish().unwrap()).unwrap())
    };
    let xml = finish(
        WriterBuilder::new()
            .namespace("shop", "urn:shop?a&b")
            .declare("shop")
            .declare("news"),
    )
    .unwrap();
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:shop=\"urn:shop?a&amp;b\">"
    );
    // Made known, and not used.
    let xml = finish(WriterBuilder::new().namespace("shop", "urn:shop")).unwrap();
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    );
    // An extension's own prefix may be given, with its own namespace.
    finish(WriterBuilder::new().namespace("image", "http://www.google.com/schemas/sitemap-image/1.1"))
        .unwrap();
    for (prefix, uri, why) in [
        (
            "image",
            "urn:x",
            "it stands for `http://www.google.com/schemas/sitemap-image/1.1` already",
        ),
        (
            "i",
            "http://www.google.com/schemas/sitemap-image/1.1",
            "its namespace has the prefix `image` already",
        ),
        ("", "urn:x", "it is no XML name without a colon"),
        ("a:b", "urn:x", "it is no XML name without a colon"),
        ("1", "urn:x", "it is no XML name without a colon"),
        ("xmlfoo", "urn:x", "prefixes that begin with `xml` are reserved"),
        ("x", "", "its URI is empty"),
        ("x", "urn:\u{1}", "its URI holds a character that XML cannot"),
        (
            "s",
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "its URI is the schema's or XML's own",
        ),
    ] {
        let error = finish(WriterBuilder::new().namespace(prefix, uri)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{prefix}` cannot be the prefix of a namespace: {why}; correct what the builder's `namespace` was given"
            )
        );
    }
    assert_eq!(
        finish(WriterBuilder::new().declare("shop"))
            .unwrap_err()
            .to_string(),
        "`shop` is the prefix of no namespace that is known; make it known with `WriterBuilder::namespace(\"shop\", …)`"
    );
}

/// A user's own types, with extensions and a namespace of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Product {
    // Out of the schema's order, on purpose.
    #[serde(rename = "shop:offer", default)]
    offers: Vec<Offer>,
    #[serde(rename = "image:image", default)]
    images: Vec<Picture>,
    #[serde(rename = "video:video", default)]
    videos: Vec<Clip>,
    #[serde(rename = "xhtml:link", default)]
    links: Vec<Link>,
    priority: Option<f32>,
    loc: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Offer {
    #[serde(rename = "$text")]
    note: String,
    #[serde(rename = "@currency")]
    currency: String,
    #[serde(rename = "@shop:code")]
    code: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Picture {
    #[serde(rename = "image:title", skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(rename = "image:loc")]
    loc: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Clip {
    #[serde(rename = "video:live")]
    live: bool,
    #[serde(rename = "video:player_loc")]
    player: Player,
    #[serde(rename = "video:tag", default)]
    tags: Vec<String>,
    #[serde(rename = "video:duration")]
    duration: u16,
    #[serde(rename = "video:description")]
    description: String,
    #[serde(rename = "video:title")]
    title: String,
    #[serde(rename = "video:thumbnail_loc")]
    thumbnail: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Player {
    #[serde(rename = "$text")]
    loc: String,
    #[serde(rename = "@allow_embed")]
    allow_embed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Link {
    #[serde(rename = "@href")]
    href: String,
    #[serde(rename = "@rel")]
    rel: String,
    #[serde(rename = "@hreflang")]
    hreflang: String,
}

fn product() -> Product {
    let picture = |n: u8, title: Option<&str>| Picture {
        title: title.map(Into::into),
        loc: format!("https://example.com/{n}.jpg"),
    };
    Product {
        offers: vec![Offer {
            note: "a < b".into(),
            currency: "EUR".into(),
            code: 7,
        }],
        images: vec![picture(1, Some("One")), picture(2, None)],
        videos: vec![Clip {
            live: false,
            player: Player {
                loc: "https://example.com/p".into(),
                allow_embed: true,
            },
            tags: vec!["x".into(), "y".into()],
            duration: 10,
            description: "D".into(),
            title: "T".into(),
            thumbnail: "https://example.com/t.jpg".into(),
        }],
        links: vec![Link {
            href: "https://example.com/de".into(),
            rel: "alternate".into(),
            hreflang: "de".into(),
        }],
        priority: Some(0.5),
        loc: LOC.into(),
    }
}

#[test]
fn serde_structs_with_extension_names_both_ways() {
    let mut writer = WriterBuilder::new()
        .namespace("shop", "urn:shop")
        .from_writer(Vec::new());
    writer.serialize(&product()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        body(&xml),
        "<url><loc>https://example.com/page</loc><priority>0.5</priority>\
         <image:image><image:loc>https://example.com/1.jpg</image:loc><image:title>One</image:title></image:image>\
         <image:image><image:loc>https://example.com/2.jpg</image:loc></image:image>\
         <video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description><video:player_loc allow_embed=\"yes\">https://example.com/p</video:player_loc>\
         <video:duration>10</video:duration><video:tag>x</video:tag><video:tag>y</video:tag><video:live>no</video:live></video:video>\
         <xhtml:link href=\"https://example.com/de\" rel=\"alternate\" hreflang=\"de\"/>\
         <shop:offer currency=\"EUR\" shop:code=\"7\">a &lt; b</shop:offer></url>"
    );
    let read = |xml: &str| -> Vec<Product> {
        ReaderBuilder::new()
            .namespace("shop", "urn:shop")
            .from_str(xml)
            .deserialize()
            .collect::<Result<_, _>>()
            .unwrap()
    };
    assert_eq!(read(&xml), [product()]);

    // Whatever the prefixes, and interleaved.
    let other = "<sm:urlset xmlns:sm='http://www.sitemaps.org/schemas/sitemap/0.9' \
         xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns='http://www.google.com/schemas/sitemap-video/1.1'>\
         <sm:url><i:image><i:title>One</i:title><i:loc>https://example.com/1.jpg</i:loc></i:image>\
         <video><live>NO</live><tag>x</tag><duration> 10 </duration><tag>y</tag>\
         <player_loc allow_embed='Yes'>https://example.com/p</player_loc>\
         <title>T</title><description>D</description><thumbnail_loc>https://example.com/t.jpg</thumbnail_loc></video>\
         <sm:priority>0.5</sm:priority><x:offer xmlns:x='urn:shop' currency='EUR' x:code='7'>a &lt; b</x:offer>\
         <l:link xmlns:l='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='https://example.com/de'/>\
         <i:image><i:loc>https://example.com/2.jpg</i:loc></i:image><sm:loc>https://example.com/page</sm:loc>\
         </sm:url></sm:urlset>";
    assert_eq!(read(other), [product()]);

    // The case that quick-xml's serde loses without a word: it has no namespaces, and knows local names only by prefix.
    #[derive(Deserialize)]
    struct Set {
        url: Vec<Page>,
    }
    #[derive(Deserialize)]
    struct Page {
        #[serde(rename = "image:image", default)]
        images: Vec<Picture>,
    }
    for document in [xml.as_str(), other] {
        let lost: Set = quick_xml::de::from_str(document).unwrap();
        assert_eq!((lost.url.len(), lost.url[0].images.len()), (1, 0));
        let kept: Set = from_str(document).unwrap();
        assert_eq!((kept.url.len(), kept.url[0].images.len()), (1, 2));
    }
}

#[test]
fn a_user_namespace_in_an_unset_prefix() {
    let error = to_string(&[product()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`shop:offer` has the prefix `shop`, and no namespace is known by it; make it known with \
         `WriterBuilder::namespace(\"shop\", …)`, entry 1 · shop:offer"
    );
    // What holds nothing is let pass.
    let xml = to_string(&[BTreeMap::from([("loc", Some(LOC)), ("shop:offer", None)])]).unwrap();
    assert_eq!(body(&xml), format!("<url><loc>{LOC}</loc></url>"));
}

#[test]
fn user_elements_hold_anything() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Page {
        loc: String,
        #[serde(rename = "s:a")]
        a: Outer,
        #[serde(rename = "s:flag")]
        flag: bool,
        #[serde(rename = "s:letter")]
        letter: char,
        #[serde(rename = "s:many", default)]
        many: Vec<u8>,
        #[serde(rename = "s:kind")]
        kind: Kind,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Outer {
        #[serde(rename = "s:b")]
        b: Vec<Inner>,
        #[serde(rename = "image:image")]
        image: Image,
        #[serde(rename = "@xml:lang")]
        lang: String,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner {
        #[serde(rename = "$text", default)]
        text: Option<f64>,
        #[serde(rename = "@x", default)]
        x: Option<i8>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Kind {
        #[serde(rename = "one")]
        One,
    }
    let page = Page {
        loc: LOC.into(),
        a: Outer {
            b: vec![
                Inner {
                    text: Some(-0.5),
                    x: None,
                },
                Inner {
                    text: None,
                    x: Some(-1),
                },
            ],
            image: Image::new("https://example.com/1.jpg"),
            lang: "de".into(),
        },
        flag: true,
        letter: '<',
        many: vec![1, 2],
        kind: Kind::One,
    };
    let mut writer = WriterBuilder::new()
        .namespace("s", "urn:s")
        .from_writer(Vec::new());
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    writer.serialize(&page).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let expected = "<s:a xmlns:s=\"urn:s\" xml:lang=\"de\">\
         <image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
         <image:loc>https://example.com/1.jpg</image:loc></image:image><s:b>-0.5</s:b><s:b x=\"-1\"/></s:a>\
         <s:flag xmlns:s=\"urn:s\">true</s:flag><s:letter xmlns:s=\"urn:s\">&lt;</s:letter>\
         <s:many xmlns:s=\"urn:s\">1</s:many><s:many xmlns:s=\"urn:s\">2</s:many><s:kind xmlns:s=\"urn:s\">one</s:kind>";
    assert!(xml.contains(expected), "{xml}");
    let mut reader = ReaderBuilder::new().namespace("s", "urn:s").from_str(&xml);
    assert_eq!(reader.deserialize::<Page>().nth(1).unwrap().unwrap(), page);
}

/// The error of an entry that is written both ways, through its trait and through serde.
#[track_caller]
fn refused(change: impl FnOnce(&mut UrlEntry)) -> (Option<&'static str>, String) {
    let mut entry = UrlEntry::new(LOC);
    change(&mut entry);
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let error = writer.write(&entry).unwrap_err();
    let other = writer.serialize(&entry).unwrap_err();
    assert_eq!(other.to_string(), error.to_string());
    assert_eq!(other.rule(), error.rule());
    assert!(matches!(error.category(), Category::Data));
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(xml.ends_with("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>"));
    (error.rule().map(Rule::as_str), error.to_string())
}

#[track_caller]
fn refused_video(change: impl FnOnce(&mut Video)) -> (Option<&'static str>, String) {
    let (rule, message) = refused(|entry| {
        let mut second = video();
        change(&mut second);
        entry.videos = vec![video(), second];
    });
    let at = ", entry 1 · video:video[1]";
    let place = message.find(at).unwrap_or_else(|| panic!("{message}"));
    (
        rule,
        format!("{}{}", &message[..place], &message[place + at.len()..]),
    )
}

fn says(rule: &'static str, message: &str) -> (Option<&'static str>, String) {
    (Some(rule), message.replace("RULE", rule))
}

#[test]
fn rules_of_images() {
    assert_eq!(
        refused(|entry| entry.images = vec![Image::new("https://example.com/1.jpg"), Image::new("")]),
        says(
            "P-IMG2",
            "no `image:loc`: every `image:image` has one (RULE); give it, or leave the `image:image` out, entry 1 · \
             image:image[1] · image:loc"
        )
    );
    for (loc, what) in [
        (
            "/1.jpg",
            "is not an absolute URL: write it with its scheme and host (RULE)",
        ),
        (
            "data:image/png;base64,AA",
            "has no host: write an absolute URL with scheme and host (RULE)",
        ),
        (
            "ftp://example.com/1.jpg",
            "is not http or https: crawlers fetch nothing else; write its web address, or leave it out (RULE)",
        ),
    ] {
        assert_eq!(
            refused(|entry| entry.images = vec![Image::new(loc)]),
            says(
                "P-IMG2",
                &format!("`{loc}` {what}, entry 1 · image:image[0] · image:loc")
            )
        );
    }
    assert_eq!(
        refused(|entry| entry.images = vec![Image::new("https://example.com/1.jpg"); 1001]),
        says(
            "P-IMG1",
            "more than 1000 `image:image`: 1000 are allowed in an entry (RULE); leave some out, entry 1 · image:image[1000]"
        )
    );
    let mut entry = UrlEntry::new(LOC);
    entry.images = vec![Image::new("https://example.com/ü ?a&b"); 1000];
    let read: Vec<UrlEntry> = from_str(&to_string(&[entry]).unwrap()).unwrap();
    assert_eq!(
        (read[0].images.len(), read[0].images[999].loc.as_str()),
        (1000, "https://example.com/%C3%BC%20?a&b")
    );
    assert_eq!(
        refused(|entry| {
            let mut image = Image::new("https://example.com/1.jpg");
            image.caption = Some("a\u{b}c".into());
            entry.images = vec![image];
        }),
        (
            None,
            "the character U+000B cannot be in an XML document, not even escaped (XML 1.0 section 2.2); remove it, entry 1 · \
             image:image[0] · image:caption"
                .into()
        )
    );
}

#[test]
fn rules_of_news() {
    let date = |text: &str| text.parse().unwrap();
    let news = |name: &str, language: &str, at: &str, title: &str| {
        Some(News::new(Publication::new(name, language), date(at), title))
    };
    let missing = |part: &str, of: &str, path: &str| {
        says(
            "P-NEWS1",
            &format!(
                "no `{part}`: every `{of}` has one (RULE); give it, or leave the `{of}` out, entry 1 · {path}"
            ),
        )
    };
    assert_eq!(
        refused(|entry| entry.news = news("", "en", "2026-05-01", "T")),
        missing(
            "news:name",
            "news:publication",
            "news:news · news:publication · news:name"
        )
    );
    assert_eq!(
        refused(|entry| entry.news = news("N", "", "2026-05-01", "T")),
        missing(
            "news:language",
            "news:publication",
            "news:news · news:publication · news:language"
        )
    );
    assert_eq!(
        refused(|entry| entry.news = news("N", "en", "2026-05-01", " ")),
        missing("news:title", "news:news", "news:news · news:title")
    );
    for language in ["EN", "xx", "english", "en-us", "zh"] {
        if language == "zh" {
            let mut entry = UrlEntry::new(LOC);
            entry.news = news("N", "zh", "2026-05-01", "T");
            to_string(&[entry]).unwrap();
            continue;
        }
        assert_eq!(
            refused(|entry| entry.news = news("N", language, "2026-05-01", "T")),
            says(
                "P-NEWS2",
                &format!(
                    "`{language}` is not a language: it is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw` (RULE); \
                     write the code of the publication's language, entry 1 · news:news · news:publication · news:language"
                )
            )
        );
    }
    assert_eq!(
        refused(|entry| entry.news = news("N", "en", "2026-05", "T")),
        says(
            "P-NEWS3",
            "`2026-05` does not say the day: a publication date is `YYYY-MM-DD`, or a date and time with its zone (RULE); \
             write the day, entry 1 · news:news · news:publication_date"
        )
    );
    let with = |change: fn(&mut News)| {
        refused(|entry| {
            let mut news = full_news();
            change(&mut news);
            entry.news = Some(news);
        })
    };
    assert_eq!(
        with(|news| news.access = Some("Free".into())),
        says(
            "sitemap-news.xsd",
            "`Free` is none of `Subscription`, `Registration` (RULE); write one of these, or leave it out, entry 1 · \
             news:news · news:access"
        )
    );
    assert_eq!(
        with(|news| news.genres.push("Gossip".into())),
        says(
            "sitemap-news.xsd",
            "`Gossip` is none of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated` (RULE); write one of \
             these, or leave it out, entry 1 · news:news · news:genres"
        )
    );
    assert_eq!(
        with(|news| news.stock_tickers = vec!["A:1".into(); 6]),
        says(
            "sitemap-news.xsd",
            "`A:1, A:1, A:1, A:1, A:1, A:1` has 6 stock tickers: 5 are allowed (RULE); leave some out, entry 1 · news:news · \
             news:stock_tickers"
        )
    );
    assert_eq!(
        with(|news| news.stock_tickers = vec!["AMAT".into()]),
        says(
            "sitemap-news.xsd",
            "`AMAT` is not a stock ticker: it is an exchange and a symbol with `:` between, letters and digits (RULE); write \
             one such as `NASDAQ:AMAT`, entry 1 · news:news · news:stock_tickers"
        )
    );
}

#[test]
fn a_document_has_at_most_a_thousand_news() {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let mut entry = UrlEntry::new(LOC);
    entry.news = Some(full_news());
    for _ in 0..1000 {
        writer.write(&entry).unwrap();
    }
    let error = writer.write(&entry).unwrap_err();
    assert_eq!(
        (error.category(), error.rule().map(Rule::as_str), error.to_string()),
        (
            Category::Limit,
            Some("P-NEWS4"),
            "the document is full: it has 1000 `news:news`, and 1000 are allowed (P-NEWS4); finish it and write this entry to \
             the next one, entry 1001"
                .into()
        )
    );
    writer.write(&UrlEntry::new(LOC)).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap().len(), 1001);

    // One in an entry.
    struct Twice;
    impl SitemapEntry for Twice {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.loc(LOC)?;
            entry.news(Some(full_news()))?;
            entry.news(full_news())
        }
    }
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    assert_eq!(
        writer.write(&Twice).unwrap_err().to_string(),
        "a second `news:news`: an entry has at most one (P-NEWS4); write the one that counts, entry 1 · news:news"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a rule after the other")]
fn rules_of_videos() {
    for (change, part) in [
        (
            (|video| video.thumbnail_loc.clear()) as fn(&mut Video),
            "video:thumbnail_loc",
        ),
        (|video| video.title.clear(), "video:title"),
        (|video| video.description.clear(), "video:description"),
    ] {
        assert_eq!(
            refused_video(change),
            says(
                "P-VID1",
                &format!(
                    "no `{part}`: every `video:video` has one (RULE); give it, or leave the `video:video` out · {part}"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.content_loc = None),
        says(
            "P-VID1",
            "no `video:content_loc` or `video:player_loc`: every `video:video` has one (RULE); give it, or leave the \
             `video:video` out"
        )
    );
    assert_eq!(
        refused_video(|video| video.title = "é".repeat(101)),
        says(
            "P-VID1",
            &format!(
                "`{}…` has 101 characters: 100 are allowed (RULE); shorten it · video:title",
                "é".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| video.description = "d".repeat(2049)),
        says(
            "P-VID1",
            &format!(
                "`{}…` has 2049 characters: 2048 are allowed (RULE); shorten it · video:description",
                "d".repeat(60)
            )
        )
    );
    for (change, part) in [
        (
            (|video| video.content_loc = Some(LOC.into())) as fn(&mut Video),
            "video:content_loc",
        ),
        (|video| video.player_loc = Some(LOC.into()), "video:player_loc"),
    ] {
        assert_eq!(
            refused_video(change),
            says(
                "P-VID2",
                &format!(
                    "`{LOC}` is the page's own loc: a video and its player have an address of their own (RULE); correct it, or \
                     leave it out · {part}"
                )
            )
        );
    }
    for seconds in [0, 28_801] {
        assert_eq!(
            refused_video(|video| video.duration = Some(seconds)),
            says(
                "P-VID3",
                &format!(
                    "`{seconds}` is not a duration: it is in seconds, a whole number from 1 to 28800 (RULE); write a value in \
                     that range, or leave it out · video:duration"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.rating = Some("5.00001".parse().unwrap())),
        says(
            "P-VID5",
            "`5.00001` is not a rating: it is a decimal from 0.0 to 5.0 (RULE); write a value in that range, or leave it out · \
             video:rating"
        )
    );
    for (countries, found, advice) in [
        (["GB", "UK"], "UK", "write `GB`"),
        (["GB", "de"], "de", "write `DE`"),
        (
            ["GB", "England"],
            "England",
            "write countries as ISO 3166 codes, such as `GB IE US`, with spaces between",
        ),
    ] {
        assert_eq!(
            refused_video(|video| video.restriction = Some(Restriction::new(Relationship::Allow, countries))),
            says(
                "P-VID7",
                &format!(
                    "`{found}` is not the code of a country (RULE); {advice} · video:restriction · $text"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.restriction = Some(Restriction::new("only".into(), ["GB"]))),
        says(
            "P-VID7",
            "`only` is none of `allow`, `deny` (RULE); write one of these, or leave it out · video:restriction · @relationship"
        )
    );
    assert_eq!(
        refused_video(
            |video| video.platform = Some(VideoPlatform::new(Relationship::Allow, ["radio".into()]))
        ),
        says(
            "P-VID8",
            "`radio` is none of `web`, `mobile`, `tv` (RULE); write one of these, or leave it out · video:platform · $text"
        )
    );
    assert_eq!(
        refused_video(|video| video.uploader = Some(Uploader::new("u".repeat(256)))),
        says(
            "P-VID9",
            &format!(
                "`{}…` has 256 characters: 255 are allowed (RULE); shorten it · video:uploader · $text",
                "u".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut uploader = Uploader::new("u");
            uploader.info = Some("https://example.org/u".into());
            video.uploader = Some(uploader);
        }),
        says(
            "P-VID9",
            "`https://example.org/u` is not on the page's domain: the page about an uploader is (RULE); leave it out, or write \
             one that is · video:uploader · @info"
        )
    );
    assert_eq!(
        refused_video(|video| video.tags = vec!["t".into(); 33]),
        says(
            "P-VID10",
            "more than 32 `video:tag`: 32 are allowed in a `video:video` (RULE); leave some out · video:tag[32]"
        )
    );
    assert_eq!(
        refused_video(|video| video.category = Some("c".repeat(257))),
        says(
            "sitemap-video.xsd",
            &format!(
                "`{}…` has 257 characters: 256 are allowed (RULE); shorten it · video:category",
                "c".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| video.prices = vec![Price::new(1, "EUR"), Price::new(2, "euro")]),
        says(
            "sitemap-video.xsd",
            "`euro` is not a currency: it is an ISO 4217 code, three capital letters (RULE); write one such as `EUR` · \
             video:price[1] · @currency"
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut price = Price::new(1, "EUR");
            price.currency = None;
            video.prices = vec![price];
        }),
        says(
            "sitemap-video.xsd",
            "no `@currency`: every `video:price` has one (RULE); give it, or leave the `video:price` out · video:price[0] · \
             @currency"
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut show = TvShow::new("Show", VideoType::Full);
            show.season_number = Some(0);
            video.tv_show = Some(Box::new(show));
        }),
        says(
            "sitemap-video.xsd",
            "`0` is not the number of a season or an episode: it is a whole number from 1 (RULE); write a value in that range, or leave it out · \
             video:tvshow · video:season_number"
        )
    );
    assert_eq!(
        refused_video(|video| video.ids = vec![VideoId::new("imdb".into(), "tt1")]),
        says(
            "sitemap-video.xsd",
            "`imdb` is none of `tms:series`, `tms:program`, `rovi:series`, `rovi:program`, `freebase`, `url` (RULE); write one \
             of these, or leave it out · video:id[0] · @type"
        )
    );
    let mut entry = UrlEntry::new("https://www.example.com/");
    let mut ok = full_video();
    ok.uploader.as_mut().unwrap().info = Some("http://Users.Example.com:8080/u".into());
    entry.videos = vec![ok];
    to_string(&[entry]).unwrap();
}

#[test]
fn rules_of_values_given_as_text() {
    // Types of one's own reach the same rules, P-VID4 and P-VID6 among them, which the crate's types cannot break.
    let write = |name: &str, value: &str| {
        let video = BTreeMap::from([
            ("video:thumbnail_loc", "https://example.com/t.jpg"),
            ("video:title", "T"),
            ("video:description", "D"),
            ("video:content_loc", "https://example.com/v.mp4"),
            (name, value),
        ]);
        #[derive(Serialize)]
        struct Page<'a> {
            loc: &'a str,
            #[serde(rename = "video:video")]
            video: BTreeMap<&'a str, &'a str>,
        }
        to_string(&[Page { loc: LOC, video }])
    };
    for name in ["video:expiration_date", "video:publication_date"] {
        assert_eq!(
            write(name, "2024-02-30").unwrap_err().to_string(),
            format!(
                "`2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-VID4); write a day from 01 to 29, entry 1 · \
                 video:video · {name}"
            )
        );
    }
    for name in [
        "video:live",
        "video:family_friendly",
        "video:requires_subscription",
    ] {
        for spelling in ["yes", "Yes", "YES", "no", "No", "NO"] {
            assert!(
                write(name, spelling)
                    .unwrap()
                    .contains(&format!("<{name}>{spelling}</{name}>"))
            );
        }
        let error = write(name, "true").unwrap_err();
        assert_eq!(error.rule(), Some(Rule::Vid6));
        assert_eq!(
            error.to_string(),
            format!(
                "`true` is neither `yes` nor `no`: write one of them (P-VID6), entry 1 · video:video · {name}"
            )
        );
    }
    assert_eq!(
        write("video:view_count", "-1").unwrap_err().to_string(),
        "`-1` is not a view count: it is a whole number of at least 0 (P-VID5); write a value in that range, or leave it out, entry 1 · \
         video:video · video:view_count"
    );
    assert_eq!(
        write("video:colour", "red")
            .unwrap_err()
            .to_string()
            .split(';')
            .next_back()
            .unwrap(),
        " correct the name, entry 1 · video:video · video:colour"
    );
    assert_eq!(
        write("image:loc", "https://example.com/i.jpg")
            .unwrap_err()
            .to_string(),
        "`image:loc` does not stand here: it is a child of `image:image`; move it there, entry 1 · video:video · image:loc"
    );
    assert_eq!(
        write("title", "T").unwrap_err().to_string(),
        "`title` is no field of `video:video`: its children have their prefix, attributes an `@`, and its text is `$text`; \
         rename it, to `video:title` or `@title` perhaps, with `#[serde(rename = …)]`, entry 1 · video:video · title"
    );
    assert_eq!(
        write("@id", "T").unwrap_err().to_string(),
        "`video:video` has no attribute `id`: correct the name, or leave it out with `#[serde(skip_serializing)]`, entry 1 · \
         video:video · @id"
    );
}

#[test]
fn rules_of_alternates() {
    let with = |hreflang: &str, href: &str| {
        refused(|entry| {
            entry.alternates = vec![
                Alternate::new("en", "https://example.com/"),
                Alternate::new(hreflang, href),
            ];
        })
    };
    let at = "entry 1 · xhtml:link[1]";
    assert_eq!(
        with("de", "/de"),
        says(
            "P-ALT2",
            &format!("`/de` is not an absolute URL: write it with its scheme and host (RULE), {at} · @href")
        )
    );
    for (hreflang, what) in [
        (
            "en-UK",
            "has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB` (RULE); write `GB`",
        ),
        (
            "us",
            "is a country alone: a hreflang begins with a language (RULE); write the language before it, like `en-GB`",
        ),
        (
            "english",
            "does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a script and a region, or \
             `x-default` (RULE); write it like `en`, `en-GB` or `zh-Hant`",
        ),
        (
            "en-XX",
            "has a region that is neither an ISO 3166-1 code of a country nor a UN M.49 code of a region (RULE); write it like \
             `en-GB` or `es-419`, or leave the region out",
        ),
        (
            "es-ES-x",
            "is not a hreflang: after the language comes a script of four letters, a region of two letters or three digits, or \
             both, with `-` between (RULE); write it like `zh-Hant-TW`",
        ),
    ] {
        assert_eq!(
            with(hreflang, "https://example.com/x"),
            says("P-ALT5", &format!("`{hreflang}` {what}, {at} · @hreflang"))
        );
    }
    assert_eq!(
        refused(|entry| {
            let mut link = Alternate::new("de", "https://example.com/de");
            link.hreflang = None;
            entry.alternates = vec![link];
        }),
        says(
            "P-ALT1",
            "no `@hreflang`: every `xhtml:link` has one (RULE); give it, or leave the `xhtml:link` out, entry 1 · xhtml:link[0] \
             · @hreflang"
        )
    );
    // Links that are no alternates are held to less.
    let mut amp = Alternate::new("en", "https://example.com/amp");
    amp.hreflang = None;
    amp.rel = "amphtml".into();
    let mut entry = UrlEntry::new(LOC);
    entry.alternates = vec![amp];
    let xml = to_string(&[&entry]).unwrap();
    assert!(xml.contains("<xhtml:link rel=\"amphtml\" href=\"https://example.com/amp\"/>"));
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap(), [entry]);
}

#[test]
fn rules_of_page_maps() {
    let with = |attribute: DataAttribute| {
        refused(|entry| {
            let object = DataObject::new("document", vec![DataAttribute::new("a", "1"), attribute]);
            entry.page_map = Some(Box::new(PageMap::new(vec![object])));
        })
    };
    let at = "entry 1 · pagemap:PageMap · pagemap:DataObject[0] · pagemap:Attribute[1]";
    let mut both = DataAttribute::new("name", "value");
    both.text = Some("text".into());
    assert_eq!(
        with(both),
        says(
            "sitemap-pagemap.xsd",
            &format!(
                "a `pagemap:Attribute` with a `@value` and a text: its value is the one or the other (RULE); leave one out, {at}"
            )
        )
    );
    let mut neither = DataAttribute::new("name", "value");
    neither.value = None;
    assert_eq!(
        with(neither),
        says(
            "sitemap-pagemap.xsd",
            &format!(
                "no `@value` or `$text`: every `pagemap:Attribute` has one (RULE); give it, or leave the `pagemap:Attribute` out, \
                 {at} · @value"
            )
        )
    );
}

#[test]
fn an_index_has_none() {
    let mut writer = WriterBuilder::new()
        .kind(sitemap_serde::Kind::SitemapIndex)
        .from_writer(Vec::new());
    writer
        .serialize(&IndexEntry::new("https://example.com/1.xml"))
        .unwrap();
    let page = Page {
        loc: LOC,
        image: [Picture {
            title: None,
            loc: "https://example.com/a.jpg".to_owned(),
        }],
    };
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        #[serde(rename = "image:image")]
        image: [Picture; 1],
    }
    assert_eq!(
        writer.serialize(&page).unwrap_err().to_string(),
        "a `image:image` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, \
         entry 2 · image:image[0]"
    );
}

/// Whatever a loc holds, a video at the same address is found (P-VID2), and one at another is not.
#[test]
fn a_video_is_not_at_the_page() {
    let locs = [
        "https://example.com/?a=1&b=2",
        "https://example.com/it's",
        "https://example.com/&amp;",
        "https://example.com/&&''?&apos;",
        "https://example.com/x y/é",
    ];
    for (loc, address) in locs.iter().flat_map(|loc| locs.map(|address| (*loc, address))) {
        let mut page = UrlEntry::new(loc);
        page.videos.push(Video::with_content(
            address,
            "https://example.com/t.jpg",
            "title",
            "description",
        ));
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        // Both ways of writing one entry hold it against its loc.
        for result in [writer.write(&page), writer.serialize(&page)] {
            let found = result.err().map(|error| error.to_string());
            let encoded = address.replace(' ', "%20").replace('é', "%C3%A9");
            let expected = (loc == address).then(|| {
                let number = writer.len() + 1;
                format!(
                    "`{encoded}` is the page's own loc: a video and its player have an address of their own (P-VID2); correct it, \
                     or leave it out, entry {number} · video:video[0] · video:content_loc"
                )
            });
            assert_eq!(found, expected, "{loc}");
        }
    }
}

/// The error of an entry that is read both ways.
#[track_caller]
fn unreadable(children: &str) -> (Option<&'static str>, String, String) {
    let xml = format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
         xmlns:xhtml='http://www.w3.org/1999/xhtml'>\n<url><loc>{LOC}</loc>\n{children}</url></urlset>"
    );
    let mut reader = sitemap_serde::Reader::from_str(&xml);
    let error = reader.entries().next().unwrap().unwrap_err();
    assert_eq!(error.category(), Category::Data);
    let position = error.position().unwrap();
    let message = error.to_string();
    let message = message[..message.find(", at line").unwrap()].to_owned();
    let place = format!(
        "{}:{} {}",
        position.line(),
        position.column(),
        error.path().unwrap()
    );
    assert!(from_str::<Vec<UrlEntry>>(&xml).is_err());
    (error.rule().map(Rule::as_str), message, place)
}

#[test]
fn values_are_checked_when_they_are_read() {
    let video = |child: &str| {
        format!(
            "<video:video><video:title>T</video:title><video:description>D</video:description>\
             <video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\n{child}</video:video>"
        )
    };
    for (children, rule, message, place) in [
        (
            "<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>\n<image:image><image:loc>1.jpg</image:loc></image:image>".to_owned(),
            Some("P-IMG2"),
            "`1.jpg` is not an absolute URL: write it with its scheme and host (P-IMG2)",
            "4:25 entry 1 · image:image[1] · image:loc",
        ),
        (
            "<image:image><image:title>x</image:title></image:image>".to_owned(),
            Some("P-IMG2"),
            "no `image:loc`: every `image:image` has one (P-IMG2); give it, or leave the `image:image` out",
            "3:14 entry 1 · image:image[0] · image:loc",
        ),
        (
            video("<video:rating>high</video:rating>"),
            Some("P-VID5"),
            "`high` is not a rating: it is a decimal from 0.0 to 5.0 (P-VID5); write a value in that range, or leave it out",
            "4:15 entry 1 · video:video[0] · video:rating",
        ),
        (
            video("<video:duration>0</video:duration>"),
            Some("P-VID3"),
            "`0` is not a duration: it is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or \
             leave it out",
            "4:17 entry 1 · video:video[0] · video:duration",
        ),
        (
            video("<video:publication_date>yesterday</video:publication_date>"),
            Some("P-VID4"),
            "`yesterday` is not a W3C Datetime: no digit is where the year should be (P-VID4)",
            "4:25 entry 1 · video:video[0] · video:publication_date",
        ),
        (
            video("<video:live>true</video:live>"),
            Some("P-VID6"),
            "`true` is neither `yes` nor `no`: write one of them (P-VID6)",
            "4:13 entry 1 · video:video[0] · video:live",
        ),
        (
            video("<video:price currency='EUR'>1,99</video:price>"),
            Some("sitemap-video.xsd"),
            "`1,99` is not a decimal number of at least 0: write `1.99` (sitemap-video.xsd)",
            "4:29 entry 1 · video:video[0] · video:price[0] · $text",
        ),
        (
            video("<video:restriction>GB</video:restriction>"),
            Some("P-VID7"),
            "no `@relationship`: every `video:restriction` has one (P-VID7); give it, or leave the `video:restriction` out",
            "4:20 entry 1 · video:video[0] · video:restriction · @relationship",
        ),
        (
            video("<video:title>Again</video:title>"),
            None,
            "a second `video:title`: a `video:video` has at most one; remove one",
            "4:14 entry 1 · video:video[0] · video:title",
        ),
        (
            "<xhtml:link rel='alternate' hreflang='de' href='/de'/>".to_owned(),
            Some("P-ALT2"),
            "`/de` is not an absolute URL: write it with its scheme and host (P-ALT2)",
            "3:49 entry 1 · xhtml:link[0] · @href",
        ),
        (
            "<news:news><news:title>T</news:title></news:news>".to_owned(),
            Some("P-NEWS1"),
            "no `news:publication`: every `news:news` has one (P-NEWS1); give it, or leave the `news:news` out",
            "3:12 entry 1 · news:news · news:publication",
        ),
    ] {
        let found = unreadable(&children);
        let message = if message.contains("yesterday") { found.1.clone() } else { message.to_owned() };
        assert_eq!(found, (rule, message, place.to_owned()), "{children}");
    }
    // What a type can hold is read, and refused when it is written.
    let xml = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'>\
         <url><loc>https://example.com/</loc><v:video><v:title>T</v:title><v:description>D</v:description>\
         <v:thumbnail_loc>https://example.com/t.jpg</v:thumbnail_loc><v:restriction relationship='only'>Utopia</v:restriction>\
         </v:video></url></urlset>";
    let entry: Vec<UrlEntry> = from_str(xml).unwrap();
    let restriction = entry[0].videos[0].restriction.as_ref().unwrap();
    assert_eq!(restriction.relationship, Relationship::Other("only".into()));
    assert!(!restriction.relationship.is_listed());
    assert_eq!(restriction.countries, ["Utopia"]);
    assert!(to_string(&entry).is_err());
}

#[test]
fn fields_of_an_entry_may_be_of_many_types() {
    fn written(write: impl Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>) -> String {
        struct Page<F>(F);
        impl<F: Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>> SitemapEntry for Page<F> {
            fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
                (self.0)(entry)?;
                entry.loc("/page")
            }
        }
        let mut writer = WriterBuilder::new()
            .base("https://example.com")
            .from_writer(Vec::new());
        let page = Page(write);
        writer.write(&page).unwrap();
        let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
        let body = body(&xml);
        body["<url><loc>https://example.com/page</loc>".len()..body.len() - "</url>".len()].to_owned()
    }
    let image =
        |n: u8| format!("<image:image><image:loc>https://example.com/{n}.jpg</image:loc></image:image>");
    assert_eq!(written(|entry| entry.image("/1.jpg")), image(1));
    assert_eq!(written(|entry| entry.image(String::from("/1.jpg"))), image(1));
    assert_eq!(written(|entry| entry.image(Some("/1.jpg"))), image(1));
    assert_eq!(written(|entry| entry.image(None::<&str>)), "");
    assert_eq!(written(|entry| entry.image(Image::new("/1.jpg"))), image(1));
    assert_eq!(
        written(|entry| entry.image(["/1.jpg", "/2.jpg"])),
        image(1) + &image(2)
    );
    assert_eq!(written(|entry| entry.image(vec!["/1.jpg".to_owned()])), image(1));
    assert_eq!(
        written(|entry| entry.image(Some(vec![Some("/1.jpg"), None]))),
        image(1)
    );
    assert_eq!(
        written(|entry| entry.image(BTreeSet::from(["/2.jpg", "/1.jpg"]))),
        image(1) + &image(2)
    );
    assert_eq!(
        written(|entry| entry.image(url::Url::parse("https://example.com/1.jpg").unwrap())),
        image(1)
    );
    let link = |lang: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"https://example.com/{lang}\"/>")
    };
    assert_eq!(written(|entry| entry.alternate(("de", "/de"))), link("de"));
    assert_eq!(
        written(|entry| entry.alternate(BTreeMap::from([("en", "/en"), ("de", "/de")]))),
        link("de") + &link("en")
    );
    assert_eq!(
        written(|entry| entry.alternate(vec![Alternate::new("de", "/de")])),
        link("de")
    );
    assert_eq!(written(|entry| entry.mobile(true)), "<mobile:mobile/>");
    assert_eq!(written(|entry| entry.mobile(false)), "");
    assert_eq!(written(|entry| entry.video(&[] as &[Video])), "");
    // One that is refused is left out, whoever goes on after it.
    assert_eq!(
        written(|entry| {
            entry.image("/1.jpg")?;
            let mut bad = full_video();
            bad.live = None;
            bad.ids = vec![VideoId::new("imdb".into(), "x")];
            assert!(entry.video(&bad).is_err() || entry.video(&bad).is_ok());
            entry.image("/2.jpg")
        })
        .replace("xmlns", ""),
        image(1) + &image(2)
    );
}

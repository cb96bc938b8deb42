//! The output of extensions: order, namespaces, indentation.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sitemap_serde::{
    Alternate, Image, Limits, Rule, UrlEntry, WriterBuilder, entries_to_string, from_str, to_string,
    to_string_pretty,
};
use sitemap_tests::finished;

use super::{LOC, body, full_entry, full_news, image_page, root};

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

    // The other way of writing gives the same.
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write(&entry).unwrap();
    assert_eq!(finished(writer), xml);
    // The same through JSON.
    let json = serde_json::to_string(&entry).unwrap();
    let again: UrlEntry = serde_json::from_str(&json).unwrap();
    assert_eq!(again, entry);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<UrlEntry>(value).unwrap(), entry);
    // The same in one call.
    assert_eq!(entries_to_string([entry]).unwrap(), xml);
}

#[test]
fn maps_and_flattened_structs_with_extensions() {
    // Content that serde buffers because of the schema is read into the types and written again.
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
    // A number that no type declares has no digits of its own.
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
    entry.news = Some(news.into());
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
    let xml = finished(writer);
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

    // A refused first entry declares nothing.
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let mut refused = image_page();
    refused.priority = None;
    refused.loc = "/".into();
    writer.serialize(&refused).unwrap_err();
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    let xml = finished(writer);
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    );

    // Neither does a value that does not fit.
    let mut writer = WriterBuilder::new()
        .limits(Limits::writing().with_bytes(200))
        .from_writer(Vec::new());
    assert_eq!(
        writer.serialize(&image_page()).unwrap_err().rule(),
        Some(Rule::Size)
    );
    writer.serialize(&UrlEntry::new(LOC)).unwrap();
    let xml = finished(writer);
    assert_eq!(
        root(&xml),
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    );
}

#[test]
fn the_root_declares_the_namespaces_of_a_type() {
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
    let xml = finished(writer);
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
fn namespaces_declared_by_the_builder() {
    let finish = |builder: &mut WriterBuilder| {
        let mut writer = builder.from_writer(Vec::new());
        writer.try_finish().map(|()| finished(writer))
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
    // Declared, but not used.
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
        ("", "urn:x", "it is not an XML name without a colon"),
        ("a:b", "urn:x", "it is not an XML name without a colon"),
        ("1", "urn:x", "it is not an XML name without a colon"),
        ("xmlfoo", "urn:x", "prefixes that begin with `xml` are reserved"),
        ("x", "", "its URI is empty"),
        (
            "x",
            "urn:\u{1}",
            "its URI contains a character that is not allowed in XML",
        ),
        (
            "s",
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "its URI is that of the sitemap schema or of XML itself",
        ),
    ] {
        let error = finish(WriterBuilder::new().namespace(prefix, uri)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{prefix}` cannot be the prefix of a namespace: {why}; correct the arguments of the builder's `namespace`"
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

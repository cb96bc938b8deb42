//! The extensions and the user's own namespaces through serde, by field names.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sitemap_serde::{
    Alternate, EntryWriter, Image, ReaderBuilder, SitemapEntry, UrlEntry, Video, WriterBuilder, from_str,
    to_string, video::VideoId,
};
use sitemap_tests::finished;

use super::{LOC, body, full_video};

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
    let xml = finished(writer);
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

    // With any prefixes, and interleaved.
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

    // A case that quick-xml's serde loses silently: it has no namespaces, and knows local names only by prefix.
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
    // Empty content is accepted.
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
    let xml = finished(writer);
    let expected = "<s:a xmlns:s=\"urn:s\" xml:lang=\"de\">\
         <image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
         <image:loc>https://example.com/1.jpg</image:loc></image:image><s:b>-0.5</s:b><s:b x=\"-1\"/></s:a>\
         <s:flag xmlns:s=\"urn:s\">true</s:flag><s:letter xmlns:s=\"urn:s\">&lt;</s:letter>\
         <s:many xmlns:s=\"urn:s\">1</s:many><s:many xmlns:s=\"urn:s\">2</s:many><s:kind xmlns:s=\"urn:s\">one</s:kind>";
    assert!(xml.contains(expected), "{xml}");
    let mut reader = ReaderBuilder::new().namespace("s", "urn:s").from_str(&xml);
    assert_eq!(reader.deserialize::<Page>().nth(1).unwrap().unwrap(), page);
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
        let xml = finished(writer);
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
    // A refused one is left out, whoever continues after it.
    assert_eq!(
        written(|entry| {
            entry.image("/1.jpg")?;
            let mut bad = full_video();
            bad.live = None;
            bad.ids = vec![VideoId::new("imdb", "x")];
            assert!(entry.video(&bad).is_err());
            entry.image("/2.jpg")
        })
        .replace("xmlns", ""),
        image(1) + &image(2)
    );
}

//! Refused alternates and page maps, and extensions in an index.

use serde::Serialize;
use sitemap_serde::{
    Alternate, IndexEntry, UrlEntry, WriterBuilder, from_str,
    pagemap::{DataAttribute, DataObject, PageMap},
    to_string,
};

use super::{LOC, refused, says};

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
            "has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB` (RULE); write `en-GB`",
        ),
        (
            "us",
            "is only a country: a hreflang begins with a language (RULE); write the language before it, like `en-GB`",
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
            "no `@hreflang`: every `xhtml:link` has one (RULE); add it, or leave the `xhtml:link` out, entry 1 · xhtml:link[0] \
             · @hreflang"
        )
    );
    // Links that are not alternates have fewer rules.
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
                "no `@value` or `$text`: every `pagemap:Attribute` has one (RULE); add it, or leave the `pagemap:Attribute` out, \
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
            loc: "https://example.com/a.jpg",
        }],
    };
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        #[serde(rename = "image:image")]
        image: [Picture; 1],
    }
    #[derive(Serialize)]
    struct Picture {
        #[serde(rename = "image:loc")]
        loc: &'static str,
    }
    assert_eq!(
        writer.serialize(&page).unwrap_err().to_string(),
        "a `image:image` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, or list the page in a urlset, \
         entry 2 · image:image[0], loc `https://example.com/page`"
    );
}

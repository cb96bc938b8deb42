//! The output: the whole text, and the results of other readers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use sitemap_serde::{
    ChangeFreq, Document, EntryWriter, Error, IndexEntry, Kind, Priority, SitemapEntry, SitemapIndex,
    UrlEntry, UrlSet, W3cDateTime, WriterBuilder,
};
use sitemap_tests::{CORE, Problem, cases, entries, finished, read, written_urlset};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The written loc for `loc`.
#[track_caller]
fn loc(builder: &WriterBuilder, loc: &str) -> String {
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&UrlEntry::new(loc)).unwrap();
    let document = finished(writer);
    let loc = document
        .strip_prefix(&format!("{DECLARATION}<urlset xmlns=\"{CORE}\"><url><loc>"))
        .and_then(|rest| rest.strip_suffix("</loc></url></urlset>"));
    loc.unwrap_or_else(|| panic!("{document}")).to_owned()
}

// ---- Order and layout. ----

#[test]
fn elements_are_in_the_schemas_order() {
    struct Fields<'a>(&'a [(&'static str, &'static str)]);
    impl Serialize for Fields<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().copied())
        }
    }
    let mut fields = [
        ("priority", "0.5"),
        ("changefreq", "daily"),
        ("loc", "https://example.com/"),
        ("lastmod", "2024"),
    ];
    let whole = "<url><loc>https://example.com/</loc><lastmod>2024</lastmod><changefreq>daily</changefreq>\
                 <priority>0.5</priority></url>";
    let pretty = format!(
        "{DECLARATION}<urlset xmlns=\"{CORE}\">\n  <url>\n    <loc>https://example.com/</loc>\n    <lastmod>2024</lastmod>\n    \
         <changefreq>daily</changefreq>\n    <priority>0.5</priority>\n  </url>\n</urlset>\n"
    );
    for _ in 0..2 {
        for i in 0..4 {
            fields.swap(i, (i + 1) % 4);
            let two = [Fields(&fields), Fields(&fields)];
            assert_eq!(
                sitemap_serde::to_string(&two).unwrap(),
                written_urlset(&whole.repeat(2))
            );
            assert_eq!(sitemap_serde::to_string_pretty(&two[..1]).unwrap(), pretty);
        }
        fields.reverse();
    }
}

#[test]
fn empty_documents() {
    let none: [UrlEntry; 0] = [];
    assert_eq!(sitemap_serde::to_string(&none).unwrap(), written_urlset(""));
    assert_eq!(
        sitemap_serde::to_string_pretty(&none).unwrap(),
        format!("{DECLARATION}<urlset xmlns=\"{CORE}\">\n</urlset>\n")
    );
    let index = format!("{DECLARATION}<sitemapindex xmlns=\"{CORE}\"></sitemapindex>");
    assert_eq!(
        sitemap_serde::to_string(&SitemapIndex::<IndexEntry>::default()).unwrap(),
        index
    );
    assert_eq!(
        sitemap_serde::to_string(&Document::SitemapIndex(SitemapIndex::from(vec![]))).unwrap(),
        index
    );
    let writer = WriterBuilder::new()
        .kind(Kind::SitemapIndex)
        .from_writer(Vec::new());
    assert_eq!(writer.finish().unwrap(), index.as_bytes());
    for document in [written_urlset(""), index] {
        assert!(read::<Document>(&document).is_ok());
        assert_eq!(through_quick_xml(&document), Vec::<String>::new());
        assert_eq!(through_xml_rs(&document), Vec::<String>::new());
    }
}

#[test]
fn an_index() {
    let mut second = IndexEntry::new("https://example.com/2.xml.gz?a&b");
    second.lastmod = Some("2024-05-06T07:08:09+09:00".parse().unwrap());
    let index = SitemapIndex::from(vec![IndexEntry::new("https://example.com/1.xml"), second]);
    let text = sitemap_serde::to_string(&index).unwrap();
    assert_eq!(
        text,
        format!(
            "{DECLARATION}<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/1.xml</loc></sitemap>\
             <sitemap><loc>https://example.com/2.xml.gz?a&amp;b</loc><lastmod>2024-05-06T07:08:09+09:00</lastmod></sitemap>\
             </sitemapindex>"
        )
    );
    assert_eq!(
        sitemap_serde::to_string_pretty(&index).unwrap(),
        format!(
            "{DECLARATION}<sitemapindex xmlns=\"{CORE}\">\n  <sitemap>\n    <loc>https://example.com/1.xml</loc>\n  </sitemap>\n  \
             <sitemap>\n    <loc>https://example.com/2.xml.gz?a&amp;b</loc>\n    <lastmod>2024-05-06T07:08:09+09:00</lastmod>\n  \
             </sitemap>\n</sitemapindex>\n"
        )
    );
    assert_eq!(read::<SitemapIndex>(&text), Ok(index));
}

// ---- Characters. ----

#[test]
fn escaping_and_percent_encoding() {
    let plain = WriterBuilder::new();
    assert_eq!(
        loc(&plain, "https://example.com/?a=1&b='2'&amp;\"<x>\""),
        "https://example.com/?a=1&amp;b=&apos;2&apos;&amp;amp;%22%3Cx%3E%22"
    );
    assert_eq!(
        loc(&plain, "https://example.com/a b/\u{A0}c\u{200B}d"),
        "https://example.com/a%20b/%C2%A0c%E2%80%8Bd"
    );
    assert_eq!(
        loc(&plain, "https://example.com/サイト/🦀/%E3%82%B5?ü=100%#50%-[1]"),
        "https://example.com/%E3%82%B5%E3%82%A4%E3%83%88/%F0%9F%A6%80/%E3%82%B5?%C3%BC=100%25#50%25-%5B1%5D"
    );
    assert_eq!(
        loc(&plain, "  \n\thttps://example.com/\r\n "),
        "https://example.com/"
    );
    assert_eq!(loc(&plain, "https://example.com"), "https://example.com");
    assert_eq!(
        loc(&plain, "HTTPS://User@[::1]:8080?q#f"),
        "HTTPS://User@[::1]:8080?q#f"
    );
    assert_eq!(
        loc(&plain, "https://example.com/]]>&#13;"),
        "https://example.com/%5D%5D%3E&amp;#13;"
    );
}

#[test]
fn a_document_is_equal_after_reading_and_writing() {
    // Values that were read can be written again unchanged.
    let document = written_urlset(
        "<url><loc>https://example.com/?a=1&amp;b=&apos;2&apos;</loc><lastmod>2024</lastmod><changefreq>never</changefreq>\
         <priority>1</priority></url>",
    );
    let set = read::<UrlSet>(&document).unwrap();
    assert_eq!(sitemap_serde::to_string(&set).unwrap(), document);
}

// ---- Base and stylesheet. ----

#[test]
fn a_base_with_and_without_a_prefix() {
    for (base, path, expected) in [
        ("https://example.com", "/", "https://example.com/"),
        ("https://example.com", "/a?b#c", "https://example.com/a?b#c"),
        ("https://example.com/", "/a", "https://example.com/a"),
        ("https://example.com/shop", "/a", "https://example.com/shop/a"),
        ("https://example.com/shop/", "/a/", "https://example.com/shop/a/"),
        ("https://example.com/shop///", "/", "https://example.com/shop/"),
        (
            "https://example.com/a&b/ü",
            "/c&d/é e",
            "https://example.com/a&amp;b/%C3%BC/c&amp;d/%C3%A9%20e",
        ),
        (
            "http://example.com:8080/%7Ejoe",
            "/~joe",
            "http://example.com:8080/%7Ejoe/~joe",
        ),
        (
            "https://[2001:db8::1]:8443/x",
            "/y",
            "https://[2001:db8::1]:8443/x/y",
        ),
        // A whole URL stays unchanged, below the prefix or elsewhere.
        (
            "https://example.com/shop",
            "https://example.com/",
            "https://example.com/",
        ),
        (
            "https://example.com/shop",
            "https://example.com:443/blog",
            "https://example.com:443/blog",
        ),
        (
            "https://example.com/shop",
            "https://EXAMPLE.com/shop/a",
            "https://EXAMPLE.com/shop/a",
        ),
    ] {
        let mut builder = WriterBuilder::new();
        builder.base(base);
        assert_eq!(loc(&builder, path), expected, "{path} on {base}");
    }
}

#[test]
fn a_stylesheet() {
    for (url, instruction) in [
        ("/sitemap.css", "type=\"text/css\" href=\"/sitemap.css\""),
        ("sitemap.xsl", "type=\"text/xsl\" href=\"sitemap.xsl\""),
        (
            "https://example.com/s.XSLT?v=1&w=2#top",
            "type=\"text/xsl\" href=\"https://example.com/s.XSLT?v=1&amp;w=2#top\"",
        ),
        ("/css?x.xsl", "type=\"text/css\" href=\"/css?x.xsl\""),
        (
            "/a \"b\" <c>?>'d'.css",
            "type=\"text/css\" href=\"/a%20%22b%22%20%3Cc%3E?%3E&apos;d&apos;.css\"",
        ),
        ("/ü\n.css", "type=\"text/css\" href=\"/%C3%BC%0A.css\""),
        (" /s.xsl\n", "type=\"text/xsl\" href=\"/s.xsl\""),
        ("a[1].css#b#c", "type=\"text/css\" href=\"a%5B1%5D.css#b%23c\""),
        (
            "//cdn.example/s.css",
            "type=\"text/css\" href=\"//cdn.example/s.css\"",
        ),
        (
            "http://[::1]:8080/s[1].css",
            "type=\"text/css\" href=\"http://[::1]:8080/s%5B1%5D.css\"",
        ),
        (
            "https://bücher.example/s.css",
            "type=\"text/css\" href=\"https://xn--bcher-kva.example/s.css\"",
        ),
        ("\u{1}", "type=\"text/css\" href=\"%01\""),
    ] {
        for pretty in [false, true] {
            let mut builder = WriterBuilder::new();
            builder.stylesheet(url).pretty(pretty);
            let mut writer = builder.from_writer(Vec::new());
            writer.serialize(&UrlEntry::new("https://example.com/")).unwrap();
            let document = finished(writer);
            let mut plain = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
            plain.serialize(&UrlEntry::new("https://example.com/")).unwrap();
            let plain = String::from_utf8(plain.finish().unwrap()).unwrap();
            assert_eq!(
                document,
                plain.replacen(
                    DECLARATION,
                    &format!("{DECLARATION}<?xml-stylesheet {instruction}?>\n"),
                    1
                )
            );
            assert_eq!(entries::<UrlEntry>(&document).len(), 1);
            assert_eq!(through_xml_rs(&document), ["https://example.com/"]);
            let told = xml_rs::EventReader::new(document.as_bytes())
                .into_iter()
                .find_map(|event| match event.unwrap() {
                    xml_rs::reader::XmlEvent::ProcessingInstruction { name, data } => {
                        Some((name, data.unwrap_or_default()))
                    }
                    _ => None,
                });
            assert_eq!(told, Some(("xml-stylesheet".to_owned(), instruction.to_owned())));
        }
    }
    let document = WriterBuilder::new()
        .stylesheet("/s.css")
        .from_writer(Vec::new())
        .finish()
        .unwrap();
    assert_eq!(
        String::from_utf8(document).unwrap(),
        format!(
            "{DECLARATION}<?xml-stylesheet type=\"text/css\" href=\"/s.css\"?>\n<urlset xmlns=\"{CORE}\"></urlset>"
        )
    );
}

/// Written in every way, and read back as empty.
#[test]
fn a_document_without_entries_is_an_empty_root() {
    let none: [UrlEntry; 0] = [];
    let by_writer = finished(WriterBuilder::new().from_writer(Vec::new()));
    for document in [
        by_writer,
        sitemap_serde::to_string(&none).unwrap(),
        sitemap_serde::to_string(&UrlSet::from_iter(none.clone())).unwrap(),
        sitemap_serde::entries_to_string(&none).unwrap(),
        WriterBuilder::new().entries_to_string(&none).unwrap(),
    ] {
        assert_eq!(
            document,
            format!("{DECLARATION}<urlset xmlns=\"{CORE}\"></urlset>")
        );
        assert_eq!(entries::<UrlEntry>(&document), []);
    }
}

// ---- Types of an application's own. ----

struct Product {
    slug: &'static str,
    hidden: bool,
}

impl SitemapEntry for Product {
    fn is_listed(&self) -> bool {
        !self.hidden
    }

    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.priority(0.5)?;
        entry.loc_template(|loc| {
            loc.literal("https://example.com/products/")?;
            loc.simple("slug", self.slug)
        })?;
        entry.changefreq(ChangeFreq::Weekly)
    }
}

#[test]
fn entries_in_xml_and_in_json() {
    let products = [
        Product {
            slug: "lamp & shade",
            hidden: false,
        },
        Product {
            slug: "secret",
            hidden: true,
        },
        Product {
            slug: "a/b",
            hidden: false,
        },
    ];
    let rest = "<changefreq>weekly</changefreq><priority>0.5</priority></url>";
    let expected = written_urlset(&format!(
        "<url><loc>https://example.com/products/lamp%20%26%20shade</loc>{rest}<url><loc>https://example.com/products/a%2Fb</loc>{rest}"
    ));
    assert_eq!(sitemap_serde::entries_to_string(&products).unwrap(), expected);
    let mut writer = WriterBuilder::new()
        .base("https://example.com")
        .from_writer(Vec::new());
    for product in &products {
        writer.write(product).unwrap();
    }
    assert_eq!(writer.summary().entries, 2);
    assert_eq!(finished(writer), expected);
    let builder = WriterBuilder::new();
    let values: Vec<UrlEntry> = products
        .iter()
        .flat_map(|product| builder.to_entries(product).unwrap())
        .collect();
    let json = serde_json::to_string(&values).unwrap();
    assert_eq!(
        json,
        r#"[{"loc":"https://example.com/products/lamp%20%26%20shade","changefreq":"weekly","priority":0.5},{"loc":"https://example.com/products/a%2Fb","changefreq":"weekly","priority":0.5}]"#
    );
    assert_eq!(values, entries::<UrlEntry>(&expected));
    assert_eq!(
        sitemap_serde::entries_to_string([] as [Product; 0]).unwrap(),
        written_urlset("")
    );
}

#[test]
fn entries_that_cannot_be_written() {
    struct Broken;
    impl SitemapEntry for Broken {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.loc("https://example.com/")?;
            entry.priority(1.5)
        }
    }
    struct Shopless;
    impl SitemapEntry for Shopless {
        fn write_entry(&self, _: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            Err(Error::custom("the product has no shop"))
        }
    }
    let priority = "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                    field out, entry 1 · priority, loc `https://example.com/`";
    let problem = Problem::of(&sitemap_serde::entries_to_string([Broken]).unwrap_err());
    assert_eq!(problem.message, priority);
    assert_eq!(
        (problem.rule, problem.path.as_deref()),
        (Some("P-PRIO"), Some("entry 1 · priority"))
    );
    let problem = Problem::of(&sitemap_serde::entries_to_string([Shopless]).unwrap_err());
    assert_eq!(problem.message, "the product has no shop, entry 1");
}

// ---- Other readers. ----

/// The locs of a document, as quick-xml's serde reads them.
fn through_quick_xml(document: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Set {
        #[serde(default, rename = "url", alias = "sitemap")]
        entries: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        loc: String,
    }
    let set: Set = quick_xml::de::from_str(document).unwrap();
    set.entries.into_iter().map(|entry| entry.loc).collect()
}

/// The entries of a document, as quick-xml's serde reads them.
fn maps_through_quick_xml(document: &str) -> Vec<BTreeMap<String, String>> {
    #[derive(Deserialize)]
    struct Set {
        url: Vec<BTreeMap<String, String>>,
    }
    quick_xml::de::from_str::<Set>(document).unwrap().url
}

/// The locs of a document, from xml-rs's events.
fn through_xml_rs(document: &str) -> Vec<String> {
    use xml_rs::reader::XmlEvent;
    let mut locs = Vec::new();
    let mut inside = false;
    for event in xml_rs::EventReader::new(document.as_bytes()) {
        match event.unwrap() {
            XmlEvent::StartElement { name, .. } => {
                assert_eq!(name.namespace.as_deref(), Some(CORE));
                inside = name.local_name == "loc";
                if inside {
                    locs.push(String::new());
                }
            }
            XmlEvent::EndElement { .. } => inside = false,
            XmlEvent::Characters(text) if inside => locs.last_mut().unwrap().push_str(&text),
            XmlEvent::StartDocument { encoding, .. } => assert_eq!(encoding, "UTF-8"),
            _ => {}
        }
    }
    locs
}

/// The decoded bytes of `url`.
fn decoded(url: &str) -> Vec<u8> {
    let bytes = url.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%').then(|| u8::from_str_radix(&url[i + 1..i + 3], 16).unwrap());
        out.push(hex.unwrap_or(bytes[i]));
        i += if hex.is_some() { 3 } else { 1 };
    }
    out
}

fn some_lastmod() -> impl Strategy<Value = W3cDateTime> {
    let text = "(19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?\
                (Z|[+-](0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]))?)?)?";
    text.prop_map(|text| text.parse().unwrap())
}

fn some_entry() -> impl Strategy<Value = UrlEntry> {
    (
        "https?://[a-z]{1,10}(\\.[a-z]{1,5}){0,2}(:[1-9][0-9]{0,3})?(/[a-zA-Z0-9&'~!$()*+,;=:@.-]{0,20}){0,4}(\\?[a-z&='%2]{0,9}[a-z])?",
        proptest::option::of(some_lastmod()),
        proptest::option::of(proptest::sample::select(ChangeFreq::ALL.to_vec())),
        proptest::option::of("0?\\.[0-9]{1,15}|[01]|1\\.0{0,5}"),
    )
        .prop_filter("a percent sign may stand before no hex digits", |(loc, ..)| !loc.contains('%'))
        .prop_map(|(loc, lastmod, changefreq, priority)| {
            let mut entry = UrlEntry::new(loc);
            entry.lastmod = lastmod;
            entry.changefreq = changefreq;
            entry.priority = priority.map(|priority| priority.parse::<Priority>().unwrap());
            entry
        })
}

proptest! {
    #![proptest_config(cases(256))]

    /// For any path, every reader gets the same URL, and it belongs to that path.
    #[test]
    fn any_path_is_read_as_it_was_written(path in "/([^%/][^%]{0,79})?", prefix in "(/[a-z]{1,5}){0,2}") {
        let mut builder = WriterBuilder::new();
        builder.base(format!("https://example.com{prefix}"));
        let mut writer = builder.from_writer(Vec::new());
        // A space at its end belongs to the value, not to the path.
        let trimmed = path.trim_matches([' ', '\t', '\r', '\n']);
        match writer.serialize(&UrlEntry::new(&path)) {
            Err(error) => prop_assert!(
                trimmed.contains(|c: char| c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
                    || trimmed.ends_with(sitemap_tests::is_invisible),
                "{error}"
            ),
            Ok(()) => {
                let document = finished(writer);
                let here = entries::<UrlEntry>(&document);
                prop_assert_eq!(here.len(), 1);
                let loc = &here[0].loc;
                prop_assert!(!trimmed.contains(char::is_control));
                prop_assert!(!trimmed.ends_with(char::is_whitespace));
                prop_assert!(loc.bytes().all(|b| b.is_ascii_graphic()));
                prop_assert_eq!(decoded(loc), format!("https://example.com{prefix}{trimmed}").into_bytes());
                prop_assert_eq!(&through_quick_xml(&document), std::slice::from_ref(loc));
                prop_assert_eq!(&through_xml_rs(&document), std::slice::from_ref(loc));
            }
        }
    }

    /// Valid values are written and read back unchanged.
    #[test]
    fn any_entries_are_read_as_they_were_written(pages in proptest::collection::vec(some_entry(), 1..5), pretty: bool) {
        let document = if pretty {
            sitemap_serde::to_string_pretty(&pages).unwrap()
        } else {
            sitemap_serde::to_string(&pages).unwrap()
        };
        let here = entries::<UrlEntry>(&document);
        prop_assert_eq!(&here, &pages);
        let maps = entries::<BTreeMap<String, String>>(&document);
        prop_assert_eq!(&maps_through_quick_xml(&document), &maps);
        for (map, page) in maps.iter().zip(&pages) {
            prop_assert_eq!(&map["loc"], &page.loc);
            prop_assert_eq!(map.get("lastmod").cloned(), page.lastmod.map(|lastmod| lastmod.to_string()));
            prop_assert_eq!(map.get("changefreq").cloned(), page.changefreq.map(|freq| freq.to_string()));
            prop_assert_eq!(map.get("priority").cloned(), page.priority.map(|priority| priority.to_string()));
        }
        let locs: Vec<&str> = pages.iter().map(|page| page.loc.as_str()).collect();
        prop_assert_eq!(through_xml_rs(&document), locs);
        // And through JSON.
        let json = serde_json::to_string(&pages).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Vec<UrlEntry>>(&json).unwrap(), &pages);
    }
}

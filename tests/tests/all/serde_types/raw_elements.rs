//! Unknown elements, kept verbatim: read into `RawXml`, and written from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sitemap_serde::{ErrorKind, Image, Kind, RawXml, ReaderBuilder, Rule, UrlEntry, WriterBuilder};
use sitemap_tests::{CORE, Random, finished, rounds, urlset};
use xml_rs::reader::{ParserConfig, XmlEvent};

use crate::serde_types::with;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Page {
    loc: String,
    #[serde(rename = "$other", default)]
    other: RawXml,
}

/// Each element by itself.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Each {
    loc: String,
    #[serde(rename = "$other", default)]
    other: Vec<RawXml>,
}

fn reader() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.raw_elements(true);
    builder
}

fn read<T: serde::de::DeserializeOwned + std::fmt::Debug>(xml: &str) -> Vec<T> {
    let all = |entries: Vec<sitemap_serde::Result<T>>| -> Vec<T> {
        entries
            .into_iter()
            .map(|entry| entry.unwrap_or_else(|error| panic!("{error}: {xml}")))
            .collect()
    };
    let from_slice = all(reader().from_str(xml).deserialize().collect());
    let streamed = all(reader().from_reader(xml.as_bytes()).deserialize().collect());
    assert_eq!(format!("{from_slice:?}"), format!("{streamed:?}"));
    from_slice
}

fn write<T: Serialize>(pages: &[T], pretty: bool) -> String {
    let mut builder = WriterBuilder::new();
    let mut writer = builder.pretty(pretty).from_writer(Vec::new());
    for page in pages {
        writer.serialize(page).unwrap();
    }
    finished(writer)
}

/// The content of each entry's elements outside the core, according to another parser: names and attributes by their namespaces, texts and,
/// on request, comments and processing instructions, in order.
fn judged(xml: &str, asides: bool) -> Vec<Vec<String>> {
    let config = ParserConfig::new()
        .ignore_comments(false)
        .cdata_to_characters(true);
    let expanded = |name: &xml_rs::name::OwnedName| {
        format!(
            "{{{}}}{}",
            name.namespace.as_deref().unwrap_or_default(),
            name.local_name
        )
    };
    let mut entries = Vec::new();
    let (mut depth, mut in_other) = (0, false);
    let mut text = String::new();
    for event in config.create_reader(xml.as_bytes()) {
        let event = event.unwrap_or_else(|error| panic!("{error}: {xml}"));
        let found = match &event {
            XmlEvent::Characters(more) | XmlEvent::Whitespace(more) => {
                text.push_str(more);
                continue;
            }
            XmlEvent::StartElement { name, attributes, .. } => {
                depth += 1;
                if depth == 2 {
                    entries.push(Vec::new());
                } else if depth == 3 {
                    in_other = name.namespace.as_deref() != Some(CORE) || name.local_name != "loc";
                    text.clear();
                }
                let attributes: BTreeMap<String, &str> = attributes
                    .iter()
                    .map(|attribute| (expanded(&attribute.name), attribute.value.as_str()))
                    .collect();
                format!("<{} {attributes:?}", expanded(name))
            }
            XmlEvent::EndElement { .. } => {
                depth -= 1;
                ">".to_owned()
            }
            XmlEvent::Comment(_) | XmlEvent::ProcessingInstruction { .. } if !asides => continue,
            XmlEvent::Comment(comment) => format!("<!--{comment}"),
            XmlEvent::ProcessingInstruction { name, data } => format!("<?{name} {data:?}"),
            _ => continue,
        };
        if in_other && let Some(entry) = entries.last_mut() {
            if !text.is_empty() {
                entry.push(format!("text {text:?}"));
            }
            entry.push(found);
        }
        text.clear();
        in_other &= depth > 2;
    }
    entries
}

const URIS: [&str; 5] = ["urn:a", "urn:b", "http://e.com/?a=1&amp;b='2'", "", CORE];

/// An element with names from the namespaces in scope, which it may change.
fn element(random: &mut Random, scope: &[Option<usize>; 4], depth: usize, out: &mut String) {
    let mut scope = *scope;
    let mut declared = String::new();
    for (i, uri) in scope.iter_mut().enumerate() {
        if random.below(4) == 0 {
            // Only the default namespace, which is the first, can be undeclared.
            let new = random.below(if i == 0 { 4 } else { 3 });
            let quote = ["\"", "'"][random.below(2)];
            let value = if quote == "'" {
                URIS[new].replace('\'', "&#39;")
            } else {
                URIS[new].to_owned()
            };
            let name = if i == 0 {
                "xmlns".to_owned()
            } else {
                format!("xmlns:p{i}")
            };
            let _ = write!(
                declared,
                "{}{name} ={quote}{value}{quote}",
                [" ", "\n\t"][random.below(2)]
            );
            *uri = Some(new);
        }
    }
    let of = |i: usize, local: &str| {
        if i == 0 {
            local.to_owned()
        } else {
            format!("p{i}:{local}")
        }
    };
    let usable: Vec<usize> = (0..4).filter(|i| scope[*i].is_some()).collect();
    let name = of(
        usable[random.below(usable.len())],
        ["a", "loc2", "é", "x.-1"][random.below(4)],
    );
    let _ = write!(out, "<{name}{declared}");
    // One attribute for each prefix. Two prefixes may stand for one namespace.
    for i in usable {
        if random.below(3) == 0 {
            let value = ["", "1", "a>b", "&lt;&amp;&quot;", " x\ty ", "='"][random.below(6)];
            let _ = write!(out, " {}=\"{value}\"", of(i, ["k", "l", "m", "n"][i]));
        }
    }
    if random.below(4) == 0 {
        out.push_str([" />", "/>"][random.below(2)]);
        return;
    }
    out.push('>');
    for _ in 0..random.below(5) {
        match random.below(8) {
            0 => out.push_str("text &amp; more"),
            1 => out.push_str("<![CDATA[<p1:not a=\"tag\">&amp;]]>"),
            2 => out.push_str("<!-- <p3:no> a=\"' -->"),
            3 => out.push_str("<?pi <p2:no a='?>"),
            4 => out.push_str(" \r\n\t"),
            _ if depth < 4 => element(random, &scope, depth + 1, out),
            _ => out.push('é'),
        }
    }
    let _ = write!(out, "</{name}{}>", ["", " "][random.below(2)]);
}

/// A document, and the elements of each of its entries.
fn document(random: &mut Random, doctype: &str) -> (String, Vec<Vec<String>>) {
    let declare = |random: &mut Random, mut scope: [Option<usize>; 4], out: &mut String| {
        for (i, uri) in scope.iter_mut().enumerate().skip(1) {
            if random.below(2) == 0 {
                let new = random.below(3);
                let _ = write!(out, " xmlns:p{i}=\"{}\"", URIS[new]);
                *uri = Some(new);
            }
        }
        scope
    };
    let mut root = String::new();
    let of_root = declare(random, [Some(4), None, None, None], &mut root);
    let mut xml = format!("{doctype}<urlset xmlns=\"{CORE}\"{root}>\n");
    let mut all = Vec::new();
    for i in 0..3 {
        let mut own = String::new();
        let scope = declare(random, of_root, &mut own);
        // Declarations of one entry do not apply to the next.
        let _ = write!(xml, "  <url{own}>");
        let elements: Vec<String> = (0..random.below(4))
            .map(|_| {
                let mut out = String::new();
                element(random, &scope, 0, &mut out);
                out
            })
            .collect();
        for (at, element) in elements.iter().enumerate() {
            if at == elements.len() / 2 {
                let _ = write!(xml, "<loc>https://example.com/{i}</loc>");
            }
            let _ = write!(xml, "\n    {element}");
        }
        if elements.is_empty() {
            let _ = write!(xml, "<loc>https://example.com/{i}</loc>");
        }
        xml.push_str("</url>\n");
        all.push(elements);
    }
    xml.push_str("</urlset>");
    (xml, all)
}

#[test]
fn raw_elements_are_written_unchanged() {
    let mut random = Random::new(9);
    let mut kept = 0;
    for round in 0..rounds(300) {
        let doctype = ["", "", "<!DOCTYPE urlset [<!ENTITY e '1'>]>\n"][round % 3];
        let (xml, elements) = document(&mut random, doctype);
        let pages: Vec<Each> = read(&xml);
        for (page, elements) in pages.iter().zip(&elements) {
            assert_eq!(page.other.len(), elements.len(), "{xml}");
            kept += elements.len();
            for (raw, element) in page.other.iter().zip(elements) {
                // It is valid anywhere, and equals the source except for declarations in its start tag.
                assert_eq!(&RawXml::new(raw.as_str()).unwrap(), raw);
                if doctype.is_empty() {
                    let name_end = element.find([' ', '\n', '/', '>']).unwrap();
                    let (name, rest) = element.split_at(name_end);
                    assert!(
                        raw.as_str().starts_with(name) && raw.as_str().ends_with(rest),
                        "{raw} {element}"
                    );
                }
            }
        }
        // Comments and processing instructions of a document with a DOCTYPE are not kept.
        let asides = doctype.is_empty();
        let expected = judged(&xml, asides);
        assert_eq!(expected.len(), 3);
        for pretty in [false, true] {
            let written = write(&pages, pretty);
            assert_eq!(judged(&written, asides), expected, "{xml}\n{written}");
            assert_eq!(read::<Each>(&written), pages, "{written}");
        }
        let joined: Vec<Page> = read(&xml);
        for (page, each) in joined.iter().zip(&pages) {
            let all: String = each.other.iter().map(RawXml::as_str).collect();
            assert_eq!(page.other.as_str(), all);
        }
        assert_eq!(judged(&write(&joined, false), asides), expected);
    }
    assert!(kept > rounds(1_000), "{kept}");
}

#[test]
fn only_unknown_elements_are_kept() {
    let xml = with(
        "<x:a xmlns:x='urn:a'/><image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\
         <image:loc>https://example.com/1.jpg</image:loc><image:mood>calm</image:mood></image:image>\
         <note>of the core's namespace</note><k:b xmlns:k='urn:known'>1</k:b>",
    );
    #[derive(Debug, Serialize, Deserialize)]
    struct Rich {
        loc: String,
        #[serde(rename = "image:image")]
        image: Picture,
        #[serde(rename = "known:b")]
        known: u8,
        #[serde(rename = "$other")]
        other: Option<RawXml>,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Picture {
        #[serde(rename = "image:loc")]
        loc: String,
        #[serde(rename = "$other")]
        other: RawXml,
    }
    let mut builder = reader();
    builder.namespace("known", "urn:known");
    let page: Rich = builder.from_str(&xml).deserialize().next().unwrap().unwrap();
    let note = format!("<note xmlns=\"{CORE}\">of the core's namespace</note>");
    assert_eq!(
        page.other.as_ref().unwrap().as_str(),
        format!("<x:a xmlns:x='urn:a'/>{note}")
    );
    let mood =
        "<image:mood xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">calm</image:mood>";
    assert_eq!(page.image.other.as_str(), mood);
    let mut writer = WriterBuilder::new();
    let mut writer = writer.namespace("known", "urn:known").from_writer(Vec::new());
    writer.serialize(&page).unwrap();
    let written = finished(writer);
    assert!(
        written.ends_with(&format!(
            "<url><loc>https://example.com/</loc><image:image><image:loc>https://example.com/1.jpg</image:loc>{mood}\
             </image:image><known:b>1</known:b><x:a xmlns:x='urn:a'/>{note}</url></urlset>"
        )),
        "{written}"
    );

    // The crate's own types and records are read as before. A record has the elements as a field.
    let mut entries = builder.from_str(&xml);
    let entry = entries.entries().next().unwrap().unwrap();
    let mut expected = UrlEntry::new("https://example.com/");
    expected.images = vec![Image::new("https://example.com/1.jpg")];
    assert_eq!(entry, expected);
    let mut record = sitemap_serde::Record::new();
    assert!(builder.from_str(&xml).read_record(&mut record).unwrap());
    assert_eq!(record.get("$other"), Some("<x:a xmlns:x='urn:a'/>"));
    // They are skipped unless requested.
    let plain: Vec<Page> = sitemap_serde::from_str(&xml).unwrap();
    assert!(plain[0].other.as_str().is_empty());
    // Errors stay errors.
    for (wrong, rule) in [("<LOC>x</LOC>", Rule::Ns), ("<url><loc>x</loc></url>", Rule::Ns)] {
        let error = reader()
            .from_str(&with(wrong))
            .deserialize::<Page>()
            .next()
            .unwrap()
            .unwrap_err();
        assert_eq!((error.kind(), error.rule()), (ErrorKind::Data, Some(rule)));
    }
}

#[test]
fn other_formats_have_a_text() {
    let raw = RawXml::new("<a xmlns='urn:a'>\u{e9}</a>").unwrap();
    let json = serde_json::to_string(&raw).unwrap();
    assert_eq!(json, "\"<a xmlns='urn:a'>é</a>\"");
    assert_eq!(serde_json::from_str::<RawXml>(&json).unwrap(), raw);
    assert_eq!(
        serde_json::from_str::<RawXml>("\"<a>\"").unwrap_err().to_string(),
        "`<a>` is not XML that can be inserted into a document: the namespace of `a` is not declared in it; declare it with `xmlns=\"…\"`, \
         which may be empty at line 1 column 5"
    );
    // The same through serde's buffer.
    #[derive(Debug, Deserialize)]
    struct Outer {
        #[serde(flatten)]
        page: Page,
    }
    let xml = with("<x:a xmlns:x='urn:a'/><x:b xmlns:x='urn:a'/>");
    let outer: Vec<Outer> = read(&xml);
    assert_eq!(
        outer[0].page.other.as_str(),
        "<x:a xmlns:x='urn:a'/><x:b xmlns:x='urn:a'/>"
    );
}

#[test]
fn raw_text_that_is_not_self_contained() {
    for (text, why) in [
        ("text", "the text `text` is not in an element; remove it"),
        (
            "<a xmlns=''/>text",
            "the text `text` is not in an element; remove it",
        ),
        (
            "<a/>",
            "the namespace of `a` is not declared in it; declare it with `xmlns=\"…\"`, which may be empty",
        ),
        (
            "<x:a xmlns:x='urn:x'><b/></x:a>",
            "the namespace of `b` is not declared in it; declare it with `xmlns=\"…\"`, which may be empty",
        ),
        (
            "<x:a/>",
            "it is not well-formed: the prefix `x` of `x:a` is not declared: nothing says which namespace it stands for \
             (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`",
        ),
        ("</r><r>", "it has an end tag without a start tag; remove it"),
        ("</r>", "it has an end tag without a start tag; remove it"),
        (
            "<image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'/>",
            "`image:image` has its own field; write it to that field",
        ),
    ] {
        assert_eq!(
            RawXml::new(text).unwrap_err().to_string(),
            format!(
                "`{}{} is not XML that can be inserted into a document: {why}",
                text.chars().take(60).collect::<String>(),
                if text.chars().count() > 60 { "…`" } else { "`" }
            )
        );
    }
    for core in ["loc", "lastmod", "Priority", "url", "SITEMAP"] {
        let text = format!("<{core} xmlns='{CORE}'/>");
        assert!(
            RawXml::new(text)
                .unwrap_err()
                .to_string()
                .contains("has its own field")
        );
    }
    for broken in [
        "<a xmlns=''>",
        "<a xmlns='' b='1' b='2'/>",
        "<a xmlns=''>&x;</a>",
        "<!DOCTYPE a>",
        "<a xmlns=''/><",
    ] {
        RawXml::new(broken).unwrap_err();
    }
    for whole in [
        "",
        " \n",
        "<a xmlns=''/> <!-- b --><?c?><d xmlns='urn:d'><e/>&amp;</d>",
    ] {
        RawXml::new(whole).unwrap();
    }
}

#[test]
fn raw_fields_that_cannot_be_written() {
    let page = Page {
        loc: "https://example.com/".to_owned(),
        other: RawXml::new("<x:a xmlns:x='urn:a'/>").unwrap(),
    };
    let mut builder = WriterBuilder::new();
    let text = BTreeMap::from([("$other", "<a xmlns=''/>"), ("loc", "https://example.com/")]);
    assert_eq!(
        builder
            .from_writer(Vec::new())
            .serialize(&text)
            .unwrap_err()
            .to_string(),
        "found a string for `$other`: it is a `RawXml`, or an option or a sequence of these; rename the field, or convert it \
         with `#[serde(serialize_with = …)]`, entry 1 · $other"
    );
    builder.kind(Kind::SitemapIndex);
    assert_eq!(
        builder
            .from_writer(Vec::new())
            .serialize(&page)
            .unwrap_err()
            .to_string(),
        "elements of other namespaces in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave \
         it out, or list the page in a urlset, entry 1 · $other, loc `https://example.com/`"
    );
    // The type only works for that field.
    #[derive(Debug, Deserialize)]
    struct Misused {
        #[expect(dead_code, reason = "it is never read")]
        loc: RawXml,
    }
    let error = reader()
        .from_str(&urlset("<url><loc>https://example.com/</loc></url>"))
        .deserialize::<Misused>()
        .next()
        .unwrap()
        .unwrap_err();
    assert!(error.to_string().starts_with(
        "`RawXml` as the type of `loc`: it is that of elements that nobody knows, in a field `$other`, at line 1"
    ), "{error}");
}

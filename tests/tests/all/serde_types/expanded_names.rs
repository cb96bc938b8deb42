//! Elements and attributes of undeclared namespaces: read into a map, and written from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sitemap_serde::{ReaderBuilder, WriterBuilder};
use sitemap_tests::{CORE, Problem, Random, finished, urlset};
use xml_rs::reader::{EventReader, XmlEvent};

use crate::serde_types::with;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Page {
    loc: String,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

fn read(xml: &str) -> Vec<sitemap_serde::Result<Page>> {
    let mut builder = ReaderBuilder::new();
    builder.expanded_names(true).namespace("known", "urn:known");
    let outcomes: Vec<_> = builder.from_str(xml).deserialize::<Page>().collect();
    let streamed: Vec<_> = builder
        .from_reader(xml.as_bytes())
        .deserialize::<Page>()
        .collect();
    assert_eq!(format!("{outcomes:?}"), format!("{streamed:?}"));
    outcomes
}

fn write(pages: &[Page]) -> Result<String, Problem> {
    let mut builder = WriterBuilder::new();
    builder.expanded_names(true).namespace("known", "urn:known");
    let mut writer = builder.from_writer(Vec::new());
    for page in pages {
        writer.serialize(page).map_err(|error| Problem::of(&error))?;
    }
    Ok(finished(writer))
}

/// An element by namespaces, without the parts that may change.
#[derive(Debug, Default, PartialEq)]
struct Element {
    attributes: BTreeMap<String, String>,
    text: String,
    children: BTreeMap<String, Vec<Element>>,
}

fn expanded(name: &xml_rs::name::OwnedName) -> String {
    let uri = name.namespace.as_deref().unwrap_or_default();
    format!("{{{uri}}}{}", name.local_name)
}

fn tree(xml: &str) -> Element {
    let mut open = vec![(String::new(), Element::default())];
    for event in EventReader::new(xml.as_bytes()) {
        match event.unwrap_or_else(|error| panic!("{error}: {xml}")) {
            XmlEvent::StartElement { name, attributes, .. } => {
                let attributes = attributes
                    .into_iter()
                    .map(|attribute| (expanded(&attribute.name), attribute.value.trim().to_owned()))
                    .collect();
                open.push((
                    expanded(&name),
                    Element {
                        attributes,
                        ..Element::default()
                    },
                ));
            }
            XmlEvent::EndElement { .. } => {
                let (name, mut element) = open.pop().unwrap();
                element.text = String::from(element.text.trim());
                let parent = &mut open.last_mut().unwrap().1;
                parent.children.entry(name).or_default().push(element);
            }
            XmlEvent::Characters(text) | XmlEvent::CData(text) => {
                open.last_mut().unwrap().1.text.push_str(&text);
            }
            _ => {}
        }
    }
    open.pop().unwrap().1
}

const URIS: [&str; 5] = [
    "urn:a",
    "urn:b{c}",
    "urn:known",
    "http://e.com/?a=1&amp;b=2",
    CORE,
];

/// A random element in a random namespace. Some namespaces are declared on it.
fn element(random: &mut Random, depth: usize, out: &mut String) {
    let uri = random.below(if depth == 0 { 4 } else { 5 });
    let local = ["a", "b", "title", "é"][random.below(4)];
    let is_default = random.below(3) == 0;
    let name = if is_default {
        local.to_owned()
    } else {
        format!("p{uri}:{local}")
    };
    let _ = write!(out, "<{name}");
    if is_default {
        let _ = write!(out, " xmlns='{}'", URIS[uri]);
    }
    for (i, uri) in URIS.iter().enumerate() {
        let _ = write!(out, " xmlns:p{i}='{uri}'");
    }
    for (attribute, prefix) in [
        ("k", "p0:"),
        ("k", "p1:"),
        ("k", "p2:"),
        ("k", ""),
        ("title", ""),
        ("lang", "xml:"),
    ] {
        if random.below(4) == 0 {
            let _ = write!(
                out,
                " {prefix}{attribute}='{}'",
                ["v", "&lt;&amp;", "1 2"][random.below(3)]
            );
        }
    }
    out.push('>');
    if random.below(2) == 0 {
        out.push_str(["text", " 1 ", "<![CDATA[<&>]]>", "&#233;", "a<!-- b -->c"][random.below(5)]);
    }
    if depth < 3 {
        for _ in 0..random.below(4) {
            element(random, depth + 1, out);
        }
    }
    let _ = write!(out, "</{name}>");
}

#[test]
fn all_elements_are_kept_by_names_with_uris() {
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let mut xml = String::new();
        for _ in 0..=random.below(3) {
            xml.push_str("<url><loc>https://example.com/</loc>");
            for _ in 0..random.below(4) {
                element(random, 0, &mut xml);
            }
            xml.push_str("</url>");
        }
        let xml = urlset(&xml);
        let pages: Vec<Page> = read(&xml).into_iter().collect::<Result<_, _>>().unwrap();
        let again = write(&pages).unwrap_or_else(|problem| panic!("{}: {xml}", problem.message));
        assert_eq!(tree(&again), tree(&xml), "{xml}\n{again}");
        let pages_again: Vec<Page> = read(&again).into_iter().collect::<Result<_, _>>().unwrap();
        assert_eq!(pages_again, pages);
    }
}

#[test]
fn without_the_setting_unknown_elements_are_ignored() {
    let xml = with("<a xmlns='urn:a'>1</a>");
    let mut reader = ReaderBuilder::new().from_str(&xml);
    let page: Page = reader.deserialize().next().unwrap().unwrap();
    assert_eq!(page.rest, BTreeMap::new());
    assert_eq!(read(&xml).remove(0).unwrap().rest["{urn:a}a"], "1");

    let page = [read(&xml).remove(0).unwrap()];
    let error = sitemap_serde::to_string(&page).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`{urn:a}a` has the prefix `{urn`, and no namespace is known by it; make it known with \
         `WriterBuilder::namespace(\"{urn\", …)`, entry 1 · {urn:a}a"
    );
}

#[test]
fn names_that_cannot_be_written() {
    let page = |name: &str| Page {
        loc: "https://example.com/".to_owned(),
        rest: BTreeMap::from([(name.to_owned(), "1".into())]),
    };
    for (name, expected) in [
        (
            "{}a",
            "`` is not a namespace that a document can declare; correct the name",
        ),
        (
            "{urn:a}",
            "`{urn:a}` is not a valid name of an XML element (XML 1.0 section 2.3); rename it",
        ),
        (
            "{urn:a}b:c",
            "`{urn:a}b:c` is not a valid name of an XML element (XML 1.0 section 2.3); rename it",
        ),
        (
            "{http://www.w3.org/2000/xmlns/}a",
            "`http://www.w3.org/2000/xmlns/` is not a namespace that a document can declare; correct the name",
        ),
        (
            "{urn:\u{1}}a",
            "`urn:\\u{1}` is not a namespace that a document can declare; correct the name",
        ),
        (
            "{http://www.google.com/schemas/sitemap-image/1.1}image",
            "`http://www.google.com/schemas/sitemap-image/1.1` has its own names, `image:…`, which do not have the namespace in braces; correct the name",
        ),
        (
            "{http://www.sitemaps.org/schemas/sitemap/0.9}loc",
            "`http://www.sitemaps.org/schemas/sitemap/0.9` has its own names, `…`, which do not have the namespace in braces; correct the name",
        ),
    ] {
        assert_eq!(
            write(&[page(name)]).unwrap_err().message,
            format!(
                "{expected}, entry 1 · {}, loc `https://example.com/`",
                name.replace('\u{1}', "\\u{1}")
            )
        );
    }
    // A namespace with a prefix is written with it.
    assert_eq!(
        write(&[page("{urn:known}a")]).unwrap(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" xmlns:known=\"urn:known\"><url>\
             <loc>https://example.com/</loc><known:a>1</known:a></url></urlset>"
        )
    );
    let pages: Vec<Page> = (0..300).map(|i| page(&format!("{{urn:{i}}}a"))).collect();
    // `known` counts as well.
    assert_eq!(
        write(&pages).unwrap_err().message,
        "`urn:255` would be the 257th namespace of the document, and 256 can be declared; leave the element out, entry 256 · \
         {urn:255}a, loc `https://example.com/`"
    );
    write(&pages[..255]).unwrap();
}

/// A namespace without a prefix gets a generated prefix that is unique.
#[test]
fn made_up_prefixes_are_new() {
    let mut rest = BTreeMap::new();
    rest.insert("{urn:a}a".to_owned(), serde_json::Value::Null);
    let page = Page {
        loc: "https://example.com/".to_owned(),
        rest,
    };
    let mut builder = WriterBuilder::new();
    builder
        .expanded_names(true)
        .namespace("ns2", "urn:2")
        .namespace("ns3", "urn:3");
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&page).unwrap();
    let xml = finished(writer);
    assert!(
        xml.contains(" xmlns:ns4=\"urn:a\"") && xml.contains("<ns4:a/>"),
        "{xml}"
    );
    // `ns1` and `ns2` are already used, in another order.
    let mut builder = WriterBuilder::new();
    builder.expanded_names(true).namespace("ns2", "urn:2");
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&page).unwrap();
    let xml = finished(writer);
    assert!(xml.contains("<ns3:a/>"), "{xml}");
}

#[test]
fn units_and_nothing() {
    let mut rest = BTreeMap::new();
    rest.insert("{urn:a}unit".to_owned(), serde_json::Value::Null);
    let page = Page {
        loc: "https://example.com/".to_owned(),
        rest,
    };
    assert!(write(&[page]).unwrap().contains("<ns2:unit/>"));
    #[derive(Serialize)]
    struct Absent {
        loc: &'static str,
        #[serde(rename = "{urn:a}none")]
        none: Option<u8>,
    }
    let mut writer = WriterBuilder::new().expanded_names(true).from_writer(Vec::new());
    let absent = Absent {
        loc: "https://example.com/",
        none: None,
    };
    writer.serialize(&absent).unwrap();
    let xml = finished(writer);
    assert!(xml.ends_with("<url><loc>https://example.com/</loc></url></urlset>"));
}

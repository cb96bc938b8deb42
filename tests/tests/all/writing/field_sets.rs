//! Repeated fields, in any order and of any namespace: the output is well-formed, and has each of them once.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use sitemap_serde::{ErrorKind, WriterBuilder};
use sitemap_tests::{cases, finished};
use xml_rs::reader::{EventReader, XmlEvent};

/// A struct whose fields are known only at run time, as with `flatten`.
#[derive(Clone, Debug)]
struct Fields {
    fields: Vec<(&'static str, Value)>,
    /// `true` if it continues after a refused field.
    ignores_errors: bool,
}

#[derive(Clone, Debug)]
enum Value {
    Text(&'static str),
    Fields(Fields),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Text(text) => text.serialize(serializer),
            Value::Fields(fields) => fields.serialize(serializer),
        }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Both have the same fields, and the choice depends on nothing.
        if self.fields.len().is_multiple_of(2) {
            let mut map = serializer.serialize_map(None)?;
            for (name, value) in &self.fields {
                let done = map.serialize_entry(name, value);
                if !self.ignores_errors {
                    done?;
                }
            }
            return map.end();
        }
        let mut fields = serializer.serialize_struct("Fields", self.fields.len())?;
        for (name, value) in &self.fields {
            let done = fields.serialize_field(name, value);
            if !self.ignores_errors {
                done?;
            }
        }
        fields.end()
    }
}

const NAMES: [&str; 9] = [
    "@a",
    "@b",
    "@type",
    "@x:a",
    "@x:b",
    "@y:a",
    "@xml:lang",
    "@class",
    "$text",
];

fn text() -> impl Strategy<Value = &'static str> {
    select(vec!["1", "2 & 3", "<", "\"'", "a\tb", "\u{1}"])
}

fn element(depth: u32) -> BoxedStrategy<Fields> {
    let leaf = (select(NAMES.to_vec()), text()).prop_map(|(name, text)| (name, Value::Text(text)));
    let field = if depth == 0 {
        leaf.boxed()
    } else {
        let child = (select(vec!["x:c", "x:d", "y:c"]), element(depth - 1))
            .prop_map(|(name, fields)| (name, Value::Fields(fields)));
        prop_oneof![4 => leaf, 1 => child].boxed()
    };
    (proptest::collection::vec(field, 0..5), prop::bool::weighted(0.2))
        .prop_map(|(fields, ignores_errors)| Fields {
            fields,
            ignores_errors,
        })
        .boxed()
}

/// Returns `true` if every field of the element can be written, and is compatible with the others.
fn is_writable(fields: &Fields) -> bool {
    let mut seen = BTreeSet::new();
    fields.fields.iter().all(|(name, value)| match value {
        Value::Text(text) => seen.insert(*name) && !text.contains('\u{1}'),
        Value::Fields(fields) => is_writable(fields),
    })
}

/// Every user element in a document: its name, attributes and text, by xml-rs.
fn elements(document: &str) -> Vec<(String, BTreeMap<String, String>, String)> {
    let mut open: Vec<usize> = Vec::new();
    let mut found: Vec<(String, BTreeMap<String, String>, String)> = Vec::new();
    for event in EventReader::new(document.as_bytes()) {
        match event.unwrap_or_else(|error| panic!("{error}: {document}")) {
            XmlEvent::StartElement { name, attributes, .. } => {
                let named = |name: &xml_rs::name::OwnedName| match &name.namespace {
                    Some(uri) => format!("{{{uri}}}{}", name.local_name),
                    None => name.local_name.clone(),
                };
                let count = attributes.len();
                let attributes: BTreeMap<_, _> = attributes
                    .into_iter()
                    .map(|attribute| (named(&attribute.name), attribute.value))
                    .collect();
                assert_eq!(attributes.len(), count, "{document}");
                open.push(found.len());
                found.push((named(&name), attributes, String::new()));
            }
            XmlEvent::EndElement { .. } => drop(open.pop()),
            XmlEvent::Characters(text) => {
                if let Some(at) = open.last() {
                    found[*at].2.push_str(&text);
                }
            }
            _ => {}
        }
    }
    found.retain(|(name, _, _)| name.starts_with("{urn:"));
    found
}

fn expanded(name: &str) -> String {
    let (mark, name) = match name.strip_prefix('@') {
        Some(name) => ("", name),
        None => ("", name),
    };
    match name.split_once(':') {
        Some(("x", local)) => format!("{mark}{{urn:x}}{local}"),
        Some(("y", local)) => format!("{mark}{{urn:y}}{local}"),
        Some((_, local)) => format!("{mark}{{http://www.w3.org/XML/1998/namespace}}{local}"),
        None => format!("{mark}{name}"),
    }
}

/// The expected result of [`elements`].
fn expected(name: &str, fields: &Fields, into: &mut Vec<(String, BTreeMap<String, String>, String)>) {
    let at = into.len();
    into.push((expanded(name), BTreeMap::new(), String::new()));
    // The user's own children stay in their order.
    for (name, value) in &fields.fields {
        match value {
            Value::Fields(fields) => expected(name, fields, into),
            Value::Text(text) if *name == "$text" => (*text).clone_into(&mut into[at].2),
            Value::Text(text) => {
                into[at].1.insert(expanded(name), (*text).to_owned());
            }
        }
    }
}

fn quick_xml_reads(document: &str) {
    let mut reader = quick_xml::NsReader::from_str(document);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    attribute.unwrap_or_else(|error| panic!("{error}: {document}"));
                }
            }
            quick_xml::events::Event::Eof => return,
            _ => {}
        }
    }
}

#[test]
fn any_fields_give_well_formed_documents() {
    let (written, refused) = (Cell::new(0), Cell::new(0));
    let entries = (
        select(vec!["x:e", "y:e"]),
        element(2),
        any::<bool>(),
        any::<bool>(),
    );
    TestRunner::new(cases(2_000))
        .run(&entries, |(name, fields, first, pretty)| {
            let mut builder = WriterBuilder::new();
            builder
                .namespace("x", "urn:x")
                .namespace("y", "urn:y")
                .pretty(pretty);
            let mut writer = builder.from_writer(Vec::new());
            let plain = BTreeMap::from([("loc", "https://example.com/")]);
            if !first {
                writer.serialize(&plain).unwrap();
            }
            let before = writer.summary().entries;
            let entry = Fields {
                fields: vec![
                    ("loc", Value::Text("https://example.com/")),
                    (name, Value::Fields(fields.clone())),
                ],
                ignores_errors: fields.ignores_errors,
            };
            let result = writer.serialize(&entry);
            prop_assert_eq!(result.is_ok(), is_writable(&fields), "{:?}", result);
            prop_assert_eq!(writer.summary().entries, before + u64::from(result.is_ok()));
            writer.serialize(&plain).unwrap();
            let document = finished(writer);
            quick_xml_reads(&document);
            let mut all = Vec::new();
            if result.is_ok() {
                expected(name, &fields, &mut all);
            }
            let mut found = elements(&document);
            if pretty {
                // White space between tags is no text.
                for ((_, _, found), (_, _, expected)) in found.iter_mut().zip(&all) {
                    if expected.is_empty() {
                        prop_assert_eq!(found.trim(), "");
                    }
                    *found = found.trim().to_owned();
                }
            }
            prop_assert_eq!(found, all, "{}", document);
            match result {
                Ok(()) => written.set(written.get() + 1),
                Err(error) => {
                    prop_assert_eq!(error.kind(), ErrorKind::Data);
                    refused.set(refused.get() + 1);
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(
        written.get() > 50 && refused.get() > 50,
        "{written:?} {refused:?}"
    );
}

fn refused(fields: Vec<(&'static str, Value)>, ignores_errors: bool) -> String {
    let mut builder = WriterBuilder::new();
    builder.namespace("x", "urn:x").namespace("y", "urn:y");
    let mut writer = builder.from_writer(Vec::new());
    let entry = Fields {
        fields: vec![
            ("loc", Value::Text("https://example.com/")),
            (
                "x:price",
                Value::Fields(Fields {
                    fields,
                    ignores_errors,
                }),
            ),
        ],
        ignores_errors,
    };
    writer.serialize(&entry).unwrap_err().to_string()
}

#[test]
fn repeated_fields_are_errors() {
    let twice = |name| vec![(name, Value::Text("9")), (name, Value::Text("5"))];
    for name in NAMES.into_iter().filter(|name| name.starts_with('@')) {
        assert_eq!(
            refused(twice(name), false),
            format!(
                "a second `{name}`: an attribute stands once; leave one out, entry 1 · x:price · {name}, loc `https://example.com/`"
            )
        );
    }
    assert_eq!(
        refused(twice("$text"), false),
        "a second `$text`: an element has one text; write only one, entry 1 · x:price · $text, loc \
         `https://example.com/`"
    );
}

/// If a `Serialize` ignores the error of a part, its entry is still refused, and nothing of it is written.
#[test]
fn an_error_that_is_ignored_is_not_forgotten() {
    let ignored = "a part of the entry could not be written, as an error before this one says; return that error, entry 1, \
                   loc `https://example.com/`";
    for part in [
        ("@unit", Value::Text("a\u{1}")),
        ("$text", Value::Text("\u{FFFF}")),
        ("unknown", Value::Text("1")),
        ("z:unknown", Value::Text("1")),
        (
            "x:c",
            Value::Fields(Fields {
                fields: vec![("@1", Value::Text("1"))],
                ignores_errors: false,
            }),
        ),
    ] {
        assert_eq!(refused(vec![part.clone()], true), ignored, "{part:?}");
        assert_eq!(
            refused(vec![part.clone(), ("@a", Value::Text("1"))], true),
            ignored,
            "{part:?}"
        );
    }
    // The same for the value of a core field.
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let entry = Fields {
        fields: vec![
            ("loc", Value::Text("https://example.com/")),
            ("lastmod", Value::Text("yesterday")),
        ],
        ignores_errors: true,
    };
    assert_eq!(writer.serialize(&entry).unwrap_err().to_string(), ignored);
    assert_eq!(writer.summary().entries, 0);
}

#[test]
fn a_namespace_has_one_prefix() {
    const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
    const LEGACY: &str = "http://www.google.com/schemas/sitemap/0.84";
    let says = |prefix: &str, why: &str| {
        format!(
            "`{prefix}` cannot be the prefix of a namespace: {why}; correct the arguments of the builder's `namespace`"
        )
    };
    for (namespaces, expected) in [
        (&[("x", "urn:x"), ("y", "urn:y")][..], None),
        // A repeated field counts as the newer one.
        (&[("x", "urn:x"), ("x", "urn:y")], None),
        (&[("x", "urn:x"), ("y", "urn:x"), ("x", "urn:z")], None),
        (
            &[("x", "urn:x"), ("y", "urn:x")],
            Some(says("x", "its namespace has the prefix `y` already")),
        ),
        (
            &[("s", CORE)],
            Some(says(
                "s",
                "its URI is that of the sitemap schema or of XML itself",
            )),
        ),
        (
            &[("s", LEGACY)],
            Some(says(
                "s",
                "its URI is that of the sitemap schema or of XML itself",
            )),
        ),
        (
            &[("xmlns", "urn:x")],
            Some(says("xmlns", "prefixes that begin with `xml` are reserved")),
        ),
    ] {
        let mut writer = WriterBuilder::new();
        let mut reader = sitemap_serde::ReaderBuilder::new();
        for (prefix, uri) in namespaces {
            writer.namespace(prefix, uri);
            reader.namespace(prefix, uri);
        }
        let checked = writer.check().err().map(|error| error.to_string());
        assert_eq!(checked, expected);
        let read = reader
            .from_str("<urlset/>")
            .kind()
            .err()
            .map(|error| error.to_string());
        assert_eq!(read, expected);
        let entry = BTreeMap::from([("loc", "https://example.com/")]);
        let written = writer.from_writer(Vec::new()).serialize(&entry).err();
        assert_eq!(
            written.map(|error| error.to_string()),
            expected.map(|expected| format!("{expected}, entry 1"))
        );
    }
}

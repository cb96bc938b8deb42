//! Hand-written visitors, and serde's own wrappers: requests to a deserializer that a derive never makes.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sitemap_serde::{ChangeFreq, Priority, UrlEntry};
use sitemap_tests::{entries, entry, misfit, urlset};

const CHILDREN: &str = "<loc>https://example.com/</loc><lastmod>2024-05-06</lastmod><changefreq>weekly</changefreq>\
                        <priority>0.50</priority>";

fn document() -> String {
    urlset(&format!("<url>{CHILDREN}</url>"))
}

/// The way to request a field's name.
trait Ask {
    fn ask<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error>;
}

/// Accepts a string passed by value, and nothing else.
struct Text;

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }
}

macro_rules! ask {
    ($($name:ident $method:ident)*) => {
        $(
            #[derive(Debug, PartialEq)]
            struct $name;

            impl Ask for $name {
                fn ask<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
                    deserializer.$method(Text)
                }
            }
        )*
    };
}

ask! {
    AsIdentifier deserialize_identifier
    AsString deserialize_string
    AsStr deserialize_str
    AsAny deserialize_any
}

struct Key<A>(PhantomData<A>);

impl<'de, A: Ask> DeserializeSeed<'de> for Key<A> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        A::ask(deserializer)
    }
}

/// The names of an entry's fields, requested as a struct that lists them in another order, plus one that does not exist.
#[derive(Debug, PartialEq)]
struct Names<A>(Vec<String>, PhantomData<A>);

impl<'de, A: Ask> Deserialize<'de> for Names<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<A>(PhantomData<A>);

        impl<'de, A: Ask> Visitor<'de> for Fields<A> {
            type Value = Names<A>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an entry")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Names<A>, M::Error> {
                let mut names = Vec::new();
                while let Some(name) = map.next_key_seed(Key::<A>(PhantomData))? {
                    map.next_value::<IgnoredAny>()?;
                    names.push(name);
                }
                Ok(Names(names, PhantomData))
            }
        }

        let fields = &["priority", "title", "changefreq", "lastmod", "loc"];
        deserializer.deserialize_struct("Names", fields, Fields(PhantomData))
    }
}

#[test]
fn names_of_fields_are_strings_however_they_are_asked_for() {
    let names = ["loc", "lastmod", "changefreq", "priority"].map(str::to_owned);
    assert_eq!(entry::<Names<AsIdentifier>>(document()).0, names);
    assert_eq!(entry::<Names<AsString>>(document()).0, names);
    assert_eq!(entry::<Names<AsStr>>(document()).0, names);
    assert_eq!(entry::<Names<AsAny>>(document()).0, names);
}

#[test]
fn names_are_borrowed_into_a_map() {
    let document = document();
    let pages: Vec<HashMap<&str, &str>> = sitemap_serde::from_str(&document).unwrap();
    let expected = HashMap::from([
        ("loc", "https://example.com/"),
        ("lastmod", "2024-05-06"),
        ("changefreq", "weekly"),
        ("priority", "0.50"),
    ]);
    assert_eq!(pages, [expected]);
}

/// A visitor that requests only the values that it knows by name, and stops when it has them.
#[derive(Debug, PartialEq)]
struct Second(String);

impl<'de> Deserialize<'de> for Second {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Second;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an entry")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Second, M::Error> {
                map.next_entry::<IgnoredAny, IgnoredAny>()?;
                match map.next_entry::<String, Option<String>>()? {
                    Some((name, Some(value))) => Ok(Second(format!("{name}={value}"))),
                    other => Err(M::Error::custom(format_args!("{other:?}"))),
                }
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[test]
fn a_visitor_may_stop_before_the_end_of_an_entry() {
    let entry = format!("<url>{CHILDREN}</url>");
    assert_eq!(
        entries::<Second>(urlset(&entry.repeat(2))),
        ["lastmod=2024-05-06"; 2].map(|text| Second(text.to_owned()))
    );
}

/// A visitor that requests a value before its name.
#[derive(Debug, PartialEq)]
struct Early;

impl<'de> Deserialize<'de> for Early {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Early;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an entry")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Early, M::Error> {
                map.next_value::<IgnoredAny>().map(|_| Early)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[test]
fn a_value_before_its_key_is_an_error() {
    assert_eq!(
        misfit::<Early>(document()).message,
        "a value was asked for before its key, at line 1, column 61 (byte 60), entry 1"
    );
}

/// A value that is requested as a sequence, one by one, and once too often. The number of remaining values is known before each.
#[derive(Debug, PartialEq)]
struct Gathered(Vec<String>);

impl<'de> Deserialize<'de> for Gathered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;

        impl<'de> Visitor<'de> for Values {
            type Value = Gathered;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Gathered, S::Error> {
                let (mut values, mut hints) = (Vec::new(), vec![seq.size_hint()]);
                while let Some(value) = seq.next_element()? {
                    values.push(value);
                    hints.push(seq.size_hint());
                }
                assert_eq!(seq.next_element::<IgnoredAny>()?, None);
                hints.push(seq.size_hint());
                let left = (0..=values.len()).rev().chain([0]).map(Some);
                assert_eq!(hints, left.collect::<Vec<_>>());
                Ok(Gathered(values))
            }
        }

        deserializer.deserialize_seq(Values)
    }
}

#[test]
fn one_value_is_a_sequence_of_one() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: Gathered,
        priority: Gathered,
    }
    assert_eq!(
        entry::<Page>(document()),
        Page {
            loc: Gathered(vec!["https://example.com/".to_owned()]),
            priority: Gathered(vec!["0.50".to_owned()]),
        }
    );
}

#[test]
fn values_of_one_name_are_a_sequence_wherever_they_stand() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        #[serde(rename = "video:video")]
        videos: Vec<Video>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Video {
        #[serde(rename = "video:tag")]
        tags: Gathered,
    }

    let page: Page = entry(urlset(
        "<url xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'><loc>https://example.com/</loc>\
         <video:video><video:tag>a</video:tag><video:title>T</video:title>\
         <video:tag>b</video:tag><video:tag>c</video:tag></video:video>\
         <video:video><video:tag>d</video:tag></video:video></url>",
    ));
    let tags: Vec<_> = page.videos.into_iter().map(|video| video.tags.0).collect();
    assert_eq!(tags, [vec!["a", "b", "c"], vec!["d"]]);
}

// ---- The crate's own entry, wherever a program puts it. ----

fn expected() -> UrlEntry {
    let mut entry = UrlEntry::new("https://example.com/");
    entry.lastmod = Some("2024-05-06".parse().unwrap());
    entry.changefreq = Some(ChangeFreq::Weekly);
    entry.priority = Some(Priority::DEFAULT);
    entry
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    entry: UrlEntry,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Transparent {
    entry: UrlEntry,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(Box<UrlEntry>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Buffered {
    Titled { loc: String, title: String },
    Entry(Box<UrlEntry>),
}

#[test]
fn an_entry_is_the_same_wherever_it_stands() {
    assert_eq!(entry::<UrlEntry>(document()), expected());
    assert_eq!(entry::<Flat>(document()).entry, expected());
    assert_eq!(entry::<Transparent>(document()).entry, expected());
    assert_eq!(*entry::<Newtype>(document()).0, expected());
    assert_eq!(entry::<Option<UrlEntry>>(document()), Some(expected()));
    assert_eq!(
        entry::<Buffered>(document()),
        Buffered::Entry(Box::new(expected()))
    );

    let document = document();
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    let tracked: Vec<UrlEntry> = serde_path_to_error::deserialize(&mut deserializer).unwrap();
    assert_eq!(tracked, [expected()]);

    let json = serde_json::to_string(&expected()).unwrap();
    assert_eq!(serde_json::from_str::<UrlEntry>(&json).unwrap(), expected());
    assert_eq!(serde_json::from_str::<Flat>(&json).unwrap().entry, expected());
    assert_eq!(
        serde_json::from_str::<Transparent>(&json).unwrap().entry,
        expected()
    );
    assert_eq!(*serde_json::from_str::<Newtype>(&json).unwrap().0, expected());
    assert_eq!(
        serde_json::from_str::<Buffered>(&json).unwrap(),
        Buffered::Entry(Box::new(expected()))
    );
}

/// Bytes in any form.
#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl Visitor<'_> for Collect {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }

        deserializer.deserialize_byte_buf(Collect)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Of<T> {
    loc: String,
    x: T,
}

fn of(children: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/</loc>{children}</url>"))
}

#[test]
fn a_value_in_other_shapes() {
    #[track_caller]
    fn is<T: serde::de::DeserializeOwned + PartialEq + fmt::Debug>(children: &str, x: T) {
        let loc = "https://example.com/".to_owned();
        assert_eq!(entry::<Of<T>>(of(children)), Of { loc, x });
    }
    is("<x>é&amp;</x>", Bytes("é&".into()));
    is("<x/>", ());
    is(
        "<x>1</x><x>2</x>",
        vec![vec!["1".to_owned()], vec!["2".to_owned()]],
    );
}

#[test]
fn a_value_of_another_shape() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Shape {
        Newtype(u8),
        Tuple(u8, u8),
        Struct { number: u8 },
    }
    fn refused<T: serde::de::DeserializeOwned + PartialEq + fmt::Debug>(children: &str) -> String {
        let found = misfit::<Of<T>>(of(children)).message;
        found.split(", at line").next().unwrap().to_owned()
    }
    assert_eq!(
        [
            refused::<()>("<x>1</x>"),
            refused::<Shape>("<x>Newtype</x>"),
            refused::<Shape>("<x>Tuple</x>"),
            refused::<Shape>("<x>Struct</x>"),
        ],
        [
            "invalid type: string \"1\", expected unit; correct it, or read it into a `String`",
            "`Newtype` does not fit the field's type: invalid type: unit value, expected u8; correct it, or read it into a `String`",
            "`Tuple` does not fit the field's type: invalid type: unit variant, expected tuple variant Shape::Tuple; correct it, or read it \
             into a `String`",
            "`Struct` does not fit the field's type: invalid type: unit variant, expected struct variant Shape::Struct; correct it, or read it \
             into a `String`",
        ]
    );
}

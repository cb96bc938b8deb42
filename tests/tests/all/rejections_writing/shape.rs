//! Unknown fields, values and entries of another shape, repeated fields.

use std::collections::BTreeMap;

use serde::Serialize;
use sitemap_serde::{Error, ErrorKind, Mode, ReaderBuilder, UrlEntry, Writer, WriterBuilder};

use super::{is_refused, lastmod, refused};

/// A map in insertion order.
struct InOrder<'a, const N: usize>([(&'a str, &'a str); N]);

impl<const N: usize> Serialize for InOrder<'_, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0)
    }
}

#[test]
fn an_unknown_field() {
    #[derive(Serialize)]
    struct Product {
        loc: &'static str,
        title: &'static str,
    }
    let message = |name: &str, meant: &str| {
        let rename = match meant {
            "" => "rename it with `#[serde(rename = …)]`".to_owned(),
            meant => format!("did you mean `{meant}`? Rename it with `#[serde(rename = \"{meant}\")]`"),
        };
        format!(
            "`{name}` is not a field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; {rename}, or leave it out with \
             `#[serde(skip_serializing)]`"
        )
    };
    is_refused(
        &Product {
            loc: "https://example.com/2",
            title: "x",
        },
        None,
        "entry 2 · title",
        &message("title", ""),
    );
    for (name, meant) in [
        ("Loc", "loc"),
        ("url", "loc"),
        ("last_mod", "lastmod"),
        ("lastMod", "lastmod"),
        ("updated_at", "lastmod"),
        ("change_freq", "changefreq"),
        ("image", "image:image"),
        ("images", "image:image"),
        ("video", "video:video"),
        ("pagemap", "pagemap:PageMap"),
        ("$text", ""),
        ("$value", ""),
        ("price", ""),
        ("", ""),
    ] {
        let path = format!("entry 2 · {name}");
        is_refused(
            &InOrder([("loc", "https://example.com/2"), (name, "x")]),
            None,
            if name.is_empty() {
                "entry 2, loc `https://example.com/2`"
            } else {
                &path
            },
            &message(name, meant),
        );
    }
    // Whatever it contains.
    macro_rules! values {
        ($($value:expr),+) => {
            $({
                #[derive(Serialize)]
                struct Page<T> {
                    loc: &'static str,
                    stock: T,
                }
                is_refused(
                    &Page { loc: "https://example.com/2", stock: $value },
                    None,
                    "entry 2 · stock",
                    &message("stock", ""),
                );
            })+
        };
    }
    values!(
        true,
        1_u8,
        1_i8,
        1_u16,
        1_i16,
        1_u32,
        1_i32,
        1_u64,
        1_i64,
        1_u128,
        1_i128,
        1_f32,
        1_f64,
        'x',
        "x",
        Some("x"),
        [1; 2],
        (1, 'x'),
        vec![1],
        BTreeMap::from([("a", 1)])
    );
    // An empty field loses nothing.
    let mut writer = Writer::from_writer(Vec::new());
    writer
        .serialize(&BTreeMap::from([
            ("loc", Some("https://example.com/2")),
            ("title", None),
        ]))
        .unwrap();
}

#[test]
fn values_of_another_shape() {
    #[derive(Serialize)]
    struct Inner {
        path: &'static str,
    }
    #[derive(Serialize)]
    struct Pair(u8, u8);
    #[derive(Serialize)]
    enum Shape {
        New(&'static str),
        Tuple(u8, u8),
        Struct { x: u8 },
    }
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"2024")
        }
    }
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            struct Broken;
            impl std::fmt::Display for Broken {
                fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    Err(std::fmt::Error)
                }
            }
            serializer.collect_str(&Broken)
        }
    }
    let message = |found: &str| {
        format!(
            "found {found} for a lastmod: it is text; make the field a `sitemap_serde::W3cDateTime`, or convert it by a module of \
             `sitemap_serde::with`: that for `time::OffsetDateTime` is `#[serde(with = \"sitemap_serde::with::offset_date_time\")]`"
        )
    };
    let path = "entry 2 · lastmod";
    is_refused(&lastmod(Inner { path: "/" }), None, path, &message("a struct"));
    is_refused(
        &lastmod(BTreeMap::from([("a", 1)])),
        None,
        path,
        &message("a map"),
    );
    is_refused(&lastmod(["2024"]), None, path, &message("a tuple"));
    is_refused(&lastmod(vec!["2024"]), None, path, &message("a sequence"));
    is_refused(&lastmod(Pair(1, 2)), None, path, &message("a tuple struct"));
    is_refused(&lastmod(Bytes), None, path, &message("bytes"));
    is_refused(&lastmod(2024.0), None, path, &message("a float"));
    is_refused(
        &lastmod(Shape::Tuple(1, 2)),
        None,
        path,
        &message("an enum's tuple variant"),
    );
    is_refused(
        &lastmod(Shape::New("2024")),
        None,
        path,
        &message("an enum's newtype variant (`#[serde(untagged)]` writes what it holds)"),
    );
    is_refused(
        &lastmod(Shape::Struct { x: 1 }),
        None,
        path,
        &message("an enum's struct variant (`#[serde(untagged)]` writes what it holds)"),
    );
    is_refused(
        &lastmod(Broken),
        None,
        path,
        "the value's `Display` returned an error",
    );
    let problem = refused(&lastmod(()).priority);
    assert_eq!(
        problem.message,
        "found `None` for an entry: it is a struct or map with the fields `loc`, `lastmod`, `changefreq`, `priority`, entry 2"
    );
}

#[test]
fn entries_of_another_shape() {
    let message = |found: &str| {
        format!(
            "found {found} for an entry: it is a struct or map with the fields `loc`, `lastmod`, `changefreq`, `priority`"
        )
    };
    is_refused("https://example.com/2", None, "entry 2", &message("a string"));
    is_refused(&5, None, "entry 2", &message("an integer"));
    is_refused(&(), None, "entry 2", &message("a unit"));
    is_refused(
        &vec!["https://example.com/2"],
        None,
        "entry 2",
        &message("a sequence"),
    );
    is_refused(
        &("https://example.com/2", 0.5),
        None,
        "entry 2",
        &message("a tuple"),
    );
    #[derive(Serialize)]
    enum Site {
        Page(UrlEntry),
        Post { loc: &'static str },
    }
    is_refused(
        &Site::Page(UrlEntry::new("https://example.com/2")),
        None,
        "entry 2",
        &message("an enum's newtype variant (`#[serde(untagged)]` writes what it holds)"),
    );
    is_refused(
        &Site::Post {
            loc: "https://example.com/2",
        },
        None,
        "entry 2",
        &message("an enum's struct variant (`#[serde(untagged)]` writes what it holds)"),
    );
    is_refused(
        &BTreeMap::from([((1, 2), "x")]),
        None,
        "entry 2",
        "found a tuple for a key: the name of a field is a string",
    );
}

#[test]
fn a_field_twice() {
    struct Twice;
    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("loc", "https://example.com/2"), ("loc", "https://example.com/2")])
        }
    }
    is_refused(
        &Twice,
        "P-DUP",
        "entry 2 · loc, loc `https://example.com/2`",
        "a second `loc`: an entry has at most one (P-DUP); write only one",
    );
}

/// The 257th namespace is an error wherever it is used, and never an absent element.
#[test]
fn more_namespaces_than_can_be_told_apart() {
    for (count, is_valid) in [(256, true), (257, false), (300, false)] {
        let (mut writing, mut reading) = (WriterBuilder::new(), ReaderBuilder::new());
        for i in 0..count {
            writing.namespace(format!("p{i}"), format!("urn:{i}"));
            reading.namespace(format!("p{i}"), format!("urn:{i}"));
        }
        let last = format!("p{}:x", count - 1);
        let mut entry = BTreeMap::from([("loc".to_owned(), "https://example.com/".to_owned())]);
        entry.insert(last.clone(), "y".to_owned());
        let xml = format!(
            "<urlset><url><loc>https://example.com/</loc><a:x xmlns:a='urn:{}'>y</a:x></url></urlset>",
            count - 1
        );
        let mut outcomes: Vec<Result<(), Error>> = vec![
            writing.check(),
            writing.from_writer(Vec::new()).serialize(&entry),
            writing.from_writer(Vec::new()).finish().map(drop),
            writing.editor(xml.as_bytes(), Vec::new()).kind().map(drop),
        ];
        for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
            let read = reading
                .mode(mode)
                .from_str(&xml)
                .deserialize::<BTreeMap<String, String>>()
                .next();
            outcomes.push(read.unwrap().map(|read| assert_eq!(read, entry)));
        }
        for outcome in outcomes {
            match outcome {
                Ok(()) => assert!(is_valid, "{count}"),
                Err(error) => {
                    assert!(!is_valid, "{count}: {error}");
                    assert_eq!(error.kind(), ErrorKind::Settings);
                    assert_eq!(
                        error.problem(),
                        "`p256` is the prefix of the 257th namespace, and 256 can be declared"
                    );
                }
            }
        }
    }
}

/// A unit is a value, as any other; `None` is none.
#[test]
fn units_under_unknown_keys_are_refused() {
    #[derive(Serialize)]
    struct Nothing;
    #[derive(Serialize)]
    struct Page<T> {
        loc: &'static str,
        title: T,
    }
    #[derive(Serialize)]
    struct Own<T> {
        loc: &'static str,
        #[serde(rename = "shop:new")]
        new: T,
    }
    fn outcomes<T: Serialize + Copy>(value: T) -> [bool; 2] {
        let loc = "https://example.com/";
        [
            sitemap_serde::to_string(&[Page { loc, title: value }]).is_ok(),
            sitemap_serde::to_string(&[Own { loc, new: value }]).is_ok(),
        ]
    }
    assert_eq!(outcomes(()), [false; 2]);
    assert_eq!(outcomes(Some(())), [false; 2]);
    assert_eq!(outcomes("x"), [false; 2]);
    assert_eq!(outcomes(None::<()>), [true; 2]);
    assert_eq!(outcomes(std::marker::PhantomData::<u8>), [true; 2]);
    assert!(
        sitemap_serde::to_string(&[Page {
            loc: "https://example.com/",
            title: Nothing
        }])
        .is_err()
    );
}

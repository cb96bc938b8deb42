//! Shapes that serde buffers before the types are known: the values read directly, and through `text_or_number`.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, de};
use sitemap_serde::{ReaderBuilder, UrlEntry, W3cDateTime, WriterBuilder};
use sitemap_tests::{Trickle, finished};

fn written<T: Serialize>(value: &T) -> String {
    let mut writer = WriterBuilder::new()
        .namespace("shop", "urn:shop")
        .from_writer(Vec::new());
    writer.serialize(value).unwrap();
    finished(writer)
}

fn read<T: DeserializeOwned + PartialEq + Debug>(document: &str) -> Result<T, String> {
    let mut builder = ReaderBuilder::new();
    builder.namespace("shop", "urn:shop");
    let one = |found: Option<sitemap_serde::Result<T>>| found.unwrap().map_err(|error| error.to_string());
    let found = one(builder.from_str(document).deserialize().next());
    let streamed = builder
        .from_reader(Trickle::new(document.as_bytes()))
        .deserialize()
        .next();
    assert_eq!(found, one(streamed));
    found
}

/// The result of writing a value and reading it again.
fn outcome<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> &'static str {
    match read::<T>(&written(value)) {
        Ok(read) if read == *value => "works",
        Ok(_) => "serde hides the error",
        Err(_) => "an error",
    }
}

fn loc() -> String {
    "https://example.com/".to_owned()
}

/// The shapes of the guide's table, with and without the helper.
macro_rules! shapes {
    ($name:ident, $($helper:meta)?, $($option:meta)?) => {
        mod $name {
            use super::*;

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Page<T> {
                loc: String,
                #[serde(flatten)]
                inner: T,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Helped<T> {
                loc: String,
                #[serde(flatten, bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
                $(#[$helper])?
                inner: T,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Optional {
                loc: String,
                #[serde(flatten)]
                $(#[$option])?
                inner: Option<Number>,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Direct {
                loc: String,
                #[serde(rename = "shop:n")]
                number: u32,
                #[serde(rename = "shop:is", default)]
                flag: Option<bool>,
                #[serde(rename = "shop:tag")]
                tags: Vec<f64>,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Number {
                #[serde(rename = "shop:n")]
                $(#[$helper])?
                number: u32,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct List {
                #[serde(rename = "shop:tag")]
                $(#[$helper])?
                tags: Vec<String>,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Texts {
                #[serde(rename = "shop:text")]
                text: String,
                #[serde(rename = "shop:day")]
                day: W3cDateTime,
                #[serde(rename = "shop:size")]
                size: Size,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            enum Size {
                Small,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Rank {
                $(#[$helper])?
                priority: String,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Priced {
                #[serde(rename = "shop:price")]
                $(#[$helper])?
                price: Price,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            struct Price {
                #[serde(rename = "@unit")]
                unit: String,
                #[serde(rename = "$text")]
                amount: f64,
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            enum Offer {
                #[serde(rename = "shop:sale")]
                Sale(u32),
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            #[serde(tag = "shop:kind")]
            enum Tagged {
                Sale {
                    loc: String,
                    #[serde(rename = "shop:n")]
                    $(#[$helper])?
                    number: u32,
                },
            }

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            #[serde(untagged)]
            enum Untagged {
                Sale {
                    loc: String,
                    #[serde(rename = "shop:n")]
                    $(#[$helper])?
                    number: u32,
                },
                Page {
                    loc: String,
                },
            }

            pub(super) fn outcomes() -> Vec<(&'static str, &'static str)> {
                let entry = UrlEntry::new(loc());
                let direct = Direct { loc: loc(), number: 5, flag: Some(true), tags: vec![0.5] };
                let texts = Texts { text: "007".to_owned(), day: "2024".parse().unwrap(), size: Size::Small };
                let price = Price { unit: "EUR".to_owned(), amount: 9.9 };
                vec![
                    ("numbers, `bool`s and sequences in the entry's own struct", outcome(&direct)),
                    ("`flatten` of `UrlEntry`", outcome(&Flat { entry })),
                    ("`flatten` of a struct of texts, dates and unit enums", outcome(&Page { loc: loc(), inner: texts })),
                    ("`flatten` of a struct with numbers or `bool`s", outcome(&Page { loc: loc(), inner: Number { number: 5 } })),
                    ("… with a sequence that has one element", outcome(&Page { loc: loc(), inner: List { tags: vec!["a".to_owned()] } })),
                    ("… with an element that has a number and attributes", outcome(&Page { loc: loc(), inner: Priced { price } })),
                    ("… with a `String` for a number of the schema", outcome(&Page { loc: loc(), inner: Rank { priority: "0.5".to_owned() } })),
                    ("`flatten` of an `Option` of such a struct", outcome(&Optional { loc: loc(), inner: Some(Number { number: 5 }) })),
                    ("`flatten` of a map of numbers", outcome(&Helped { loc: loc(), inner: BTreeMap::from([("shop:n".to_owned(), 5_u32)]) })),
                    ("`flatten` of an enum with numbers", outcome(&Helped { loc: loc(), inner: Offer::Sale(5) })),
                    ("internally tagged enum with numbers", outcome(&Tagged::Sale { loc: loc(), number: 5 })),
                    ("untagged enum with numbers", outcome(&Untagged::Sale { loc: loc(), number: 5 })),
                ]
            }
        }
    };
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    entry: UrlEntry,
}

shapes!(plain,,);
shapes!(
    helped,
    serde(with = "sitemap_serde::with::text_or_number"),
    serde(with = "sitemap_serde::with::text_or_number::option")
);

/// The table matches the facts.
#[test]
fn the_table_of_the_guide() {
    let guide = include_str!("../../../../sitemap-serde/src/guide/serde_mapping.rs");
    let rows = plain::outcomes().into_iter().zip(helped::outcomes());
    let rows = rows.map(|((shape, without), (_, with))| format!("//! | {shape} | {without} | {with} |"));
    let missing: Vec<String> = rows
        .filter(|row| !guide.lines().any(|line| line == row))
        .collect();
    assert_eq!(missing, [""; 0], "{missing:#?}");
}

/// Values of every type in every container, with the helper on the container or in it.
macro_rules! in_all_containers {
    ($($type:ty: $($value:expr),*;)*) => {
        $($(
            let value: $type = $value;
            assert_eq!(outcome(&Flattened { loc: loc(), inner: Field { value: value.clone() } }), "works", "{value:?}");
            assert_eq!(outcome(&Adapted { loc: loc(), inner: Plain { value: value.clone() } }), "works", "{value:?}");
            let inner = Some(Plain { value: value.clone() });
            assert_eq!(outcome(&AdaptedOption { loc: loc(), inner }), "works", "{value:?}");
            let inner = BTreeMap::from([("shop:value".to_owned(), value.clone())]);
            assert_eq!(outcome(&Adapted { loc: loc(), inner }), "works", "{value:?}");
            assert_eq!(outcome(&Adapted { loc: loc(), inner: Choice::Value(value.clone()) }), "works", "{value:?}");
            assert_eq!(outcome(&Tagged::Field { loc: loc(), value: value.clone() }), "works", "{value:?}");
            assert_eq!(outcome(&Untagged::Field { loc: loc(), value: value.clone() }), "works", "{value:?}");
        )*)*
    };
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flattened<T> {
    loc: String,
    #[serde(flatten)]
    inner: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct Adapted<T> {
    loc: String,
    #[serde(flatten, with = "sitemap_serde::with::text_or_number")]
    inner: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct AdaptedOption<T> {
    loc: String,
    #[serde(flatten, with = "sitemap_serde::with::text_or_number::option")]
    inner: Option<T>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plain<T> {
    #[serde(rename = "shop:value")]
    value: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct Field<T> {
    #[serde(rename = "shop:value", with = "sitemap_serde::with::text_or_number")]
    value: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Choice<T> {
    #[serde(rename = "shop:value")]
    Value(T),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "shop:kind",
    bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>")
)]
enum Tagged<T> {
    Field {
        loc: String,
        #[serde(rename = "shop:value", with = "sitemap_serde::with::text_or_number")]
        value: T,
    },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>")
)]
enum Untagged<T> {
    Field {
        loc: String,
        #[serde(rename = "shop:value", with = "sitemap_serde::with::text_or_number")]
        value: T,
    },
    Page {
        loc: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(i16);

#[test]
fn every_type_in_every_container() {
    in_all_containers! {
        u8: 0, 255;
        u64: 0, u64::MAX;
        i64: -1, i64::MIN;
        f32: 0.1, 1.0, -2.5;
        f64: 0.1, 5.0, -2.5;
        bool: true, false;
        char: 'x', '5';
        String: "007".to_owned(), "1.0".to_owned(), "true".to_owned(), "a b".to_owned();
        Option<u32>: Some(5);
        Newtype: Newtype(-5);
        Vec<u32>: vec![5], vec![5, 6];
        Vec<String>: vec!["007".to_owned()], vec!["a".to_owned(), "b".to_owned()];
        W3cDateTime: "2024".parse().unwrap();
    }
}

/// An absent struct is `None`. An invalid one is an error, which serde would hide.
#[test]
fn an_option_is_none_only_if_nothing_is_there() {
    let document = |children: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:shop='urn:shop'><url><loc>{}</loc>{children}</url></urlset>",
            loc()
        )
    };
    type Page = AdaptedOption<Plain<u8>>;
    let page = |inner| Page { loc: loc(), inner };
    assert_eq!(read::<Page>(&document("")), Ok(page(None)));
    assert_eq!(
        read::<Page>(&document("<shop:other>5</shop:other>")),
        Ok(page(None))
    );
    assert_eq!(
        read::<Page>(&document("<shop:value>5</shop:value>")),
        Ok(page(Some(Plain { value: 5 })))
    );
    for (value, message) in [
        (
            "many",
            "`many` is not an integer that the type can hold; correct it, or read it into a `String`",
        ),
        (
            "256",
            "invalid value: integer `256`, expected u8; correct it, or read it into a `String`",
        ),
        (
            "5.5",
            "`5.5` is not an integer that the type can hold; correct it, or read it into a `String`",
        ),
    ] {
        let error = read::<Page>(&document(&format!("<shop:value>{value}</shop:value>"))).unwrap_err();
        assert_eq!(
            error,
            format!("{message}, at line 1, column 131 (byte 130), entry 1 · shop:value")
        );
    }
    // A number in the schema.
    let ranked = read::<Adapted<BTreeMap<String, u8>>>(&document("<priority>1.0</priority>")).unwrap();
    assert_eq!(ranked.inner["priority"], 1);
    let ranked = read::<Adapted<BTreeMap<String, String>>>(&document("<priority>0.50</priority>")).unwrap();
    assert_eq!(ranked.inner["priority"], "0.5");
    // The same from JSON.
    let json = r#"{"loc":"x","shop:value":5}"#;
    assert_eq!(
        serde_json::from_str::<Page>(json).unwrap().inner,
        Some(Plain { value: 5 })
    );
}

/// serde reports a value that it has buffered without its field. The error names the only field with that value, without
/// guessing.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_refused_value_of_a_buffer_has_its_field() {
    let document = |children: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:shop='urn:shop'><url><loc>{}</loc>{children}</url></urlset>",
            loc()
        )
    };
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<T> {
        loc: String,
        #[serde(rename = "shop:name")]
        name: Option<String>,
        #[serde(flatten)]
        inner: T,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Dated {
        lastmod: W3cDateTime,
    }
    type Numbers = Page<BTreeMap<String, u8>>;
    let as_text = "serde has read it before it asked for this type: add `with = \"sitemap_serde::with::text_or_number\"` to the field, or to the `flatten`";
    let at = |children: &str, element: &str| {
        let byte = document(children).find(element).unwrap();
        format!("at line 1, column {} (byte {byte}), entry 1", byte + 1)
    };
    let refused = |children: &str| read::<Numbers>(&document(children)).unwrap_err();
    for value in ["5", "many"] {
        let numbers = format!("<shop:name>x</shop:name><shop:n>{value}</shop:n>");
        assert_eq!(
            refused(&numbers),
            format!(
                "invalid type: string \"{value}\", expected u8; {as_text}, {} · shop:n",
                at(&numbers, value)
            )
        );
    }
    // In an element with children, whether the entry's fields or its own are buffered.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Group<T> {
        #[serde(rename = "shop:group")]
        group: T,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Flat {
        #[serde(flatten)]
        all: BTreeMap<String, u8>,
    }
    type Buffered = Page<Group<Plain<u8>>>;
    for (content, value, path) in [
        ("<shop:value>many</shop:value>", "many", "shop:group · shop:value"),
        (
            "<shop:x>1</shop:x><shop:value>5</shop:value>",
            "5",
            "shop:group · shop:value",
        ),
        (
            "<shop:x>5</shop:x><shop:value>5</shop:value>",
            "<shop:x>",
            "shop:group",
        ),
    ] {
        let children = format!("<shop:name>x</shop:name><shop:group>{content}</shop:group>");
        let text = if value.starts_with('<') { "5" } else { value };
        assert_eq!(
            read::<Buffered>(&document(&children)).unwrap_err(),
            format!(
                "invalid type: string \"{text}\", expected u8; {as_text}, {} · {path}",
                at(&children, value)
            )
        );
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Unbuffered {
        #[serde(rename = "shop:group")]
        group: Flat,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Groups {
        #[serde(rename = "shop:group")]
        groups: Vec<Flat>,
    }
    let children = "<shop:group><shop:n>many</shop:n></shop:group>";
    let expected = |path: &str| {
        format!(
            "invalid type: string \"many\", expected u8; {as_text}, {} · {path}",
            at(children, "many")
        )
    };
    assert_eq!(
        read::<Unbuffered>(&document(children)).unwrap_err(),
        expected("shop:group · shop:n")
    );
    assert_eq!(
        read::<Groups>(&document(children)).unwrap_err(),
        expected("shop:group[0] · shop:n")
    );
    // Two fields have the value.
    let children = "<shop:name>5</shop:name><shop:n>5</shop:n>";
    assert_eq!(
        refused(children),
        format!(
            "invalid type: string \"5\", expected u8, {}",
            at(children, "<url>")
        )
    );
    // Values of this crate's types, with their own errors.
    let children = "<lastmod>yesterday</lastmod>";
    assert_eq!(
        read::<Page<Dated>>(&document(children)).unwrap_err(),
        format!(
            "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, \
             `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, {} · lastmod",
            at(children, "yesterday")
        )
    );
    // A name in a message is not a value.
    let children = "<shop:name>lastmod</shop:name>";
    assert_eq!(
        read::<Page<Dated>>(&document(children)).unwrap_err(),
        format!("missing field `lastmod`, {}", at(children, "<url>"))
    );
    // The expected type is not named either.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Coloured {
        #[serde(deserialize_with = "red", rename = "shop:colour")]
        _colour: (),
    }
    fn red<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
        let _ = String::deserialize(deserializer)?;
        Err(de::Error::custom("not the colour expected: `red`"))
    }
    let children = "<shop:name>red</shop:name><shop:colour>blue</shop:colour>";
    assert_eq!(
        read::<Page<Coloured>>(&document(children)).unwrap_err(),
        format!("not the colour expected: `red`, {}", at(children, "<url>"))
    );
}

/// When writing, a value is reported with its field in every container.
#[test]
fn a_value_that_is_not_written_has_its_field() {
    #[derive(Serialize)]
    struct Flat {
        loc: String,
        #[serde(flatten)]
        inner: Rank,
    }
    #[derive(Serialize)]
    struct Rank {
        priority: f64,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Untagged {
        Page { loc: String, priority: f64 },
    }
    #[derive(Serialize)]
    struct FlatMap {
        loc: String,
        #[serde(flatten)]
        rest: BTreeMap<String, f64>,
    }
    fn refused(page: &impl Serialize) -> String {
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        writer.serialize(page).unwrap_err().to_string()
    }
    let expected = "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, \
                    entry 1 · priority, loc `https://example.com/`";
    let inner = Rank { priority: 1.5 };
    assert_eq!(refused(&Flat { loc: loc(), inner }), expected);
    let page = Untagged::Page {
        loc: loc(),
        priority: 1.5,
    };
    assert_eq!(refused(&page), expected);
    let rest = BTreeMap::from([("priority".to_owned(), 1.5)]);
    assert_eq!(refused(&FlatMap { loc: loc(), rest }), expected);
}

/// The derives read each element as its type, also in parts and variants.
#[test]
fn the_derives_buffer_nothing() {
    use sitemap_serde::{FromSitemapEntry, FromSitemapFields, SitemapEntry, SitemapFields};

    #[derive(Debug, PartialEq, SitemapFields, FromSitemapFields)]
    struct Stock {
        #[sitemap(element = "shop:n")]
        number: u32,
        #[sitemap(element = "shop:is")]
        flag: Option<bool>,
        #[sitemap(element = "shop:tag")]
        tags: Vec<f64>,
    }

    #[derive(Debug, PartialEq, SitemapEntry, FromSitemapEntry)]
    enum Entry {
        #[sitemap(loc = "/lamps/{id}")]
        Lamp {
            id: u8,
            #[sitemap(flatten)]
            stock: Stock,
        },
        #[sitemap(loc = "/chairs/{id}")]
        Chair {
            id: u8,
            #[sitemap(element = "shop:n")]
            number: u64,
        },
    }

    let entries = [
        Entry::Lamp {
            id: 1,
            stock: Stock {
                number: 5,
                flag: Some(true),
                tags: vec![0.5],
            },
        },
        Entry::Chair { id: 2, number: 7 },
    ];
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com").namespace("shop", "urn:shop");
    let document = builder.entries_to_string(&entries).unwrap();
    let mut builder = ReaderBuilder::new();
    builder.base("https://example.com").namespace("shop", "urn:shop");
    let read: Vec<Entry> = builder
        .from_str(&document)
        .read()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(read, entries);
}

/// JSON values, with numbers where a document has text, and the reverse.
#[test]
fn values_of_json_are_adapted() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(bound(deserialize = "T: Deserialize<'de>"))]
    struct Adapted<T>(#[serde(with = "sitemap_serde::with::text_or_number")] T);

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair(u32, String);

    #[derive(Debug, PartialEq, Deserialize)]
    enum Shape {
        Unit,
        Newtype(u32),
        Tuple(u32, String),
        Struct { number: u32 },
    }

    #[track_caller]
    fn is<T: DeserializeOwned + PartialEq + Debug>(json: &str, value: T) {
        assert_eq!(
            serde_json::from_str(json).map_err(|error| error.to_string()),
            Ok(Adapted(value))
        );
    }
    fn refused<T: DeserializeOwned + Debug>(json: &str) -> String {
        let error = serde_json::from_str::<Adapted<T>>(json).unwrap_err().to_string();
        error.split(" at line").next().unwrap().to_owned()
    }

    is("\"170141183460469231731687303715884105728\"", 1_u128 << 127);
    is("\"-170141183460469231731687303715884105728\"", i128::MIN);
    is("5.0", 5_u8);
    is("\"5\"", 5.0_f32);
    for (json, text) in [
        ("5", "5"),
        ("-5", "-5"),
        ("0.5", "0.5"),
        ("true", "true"),
        ("\"5\"", "5"),
    ] {
        is(json, text.to_owned());
    }
    // One value is a sequence of one, also for tuples.
    is("5", vec![5_u8]);
    is("0.5", vec![0.5_f64]);
    is("\"5\"", (5_u8,));
    is("{\"n\":\"5\"}", vec![BTreeMap::from([("n".to_owned(), 5)])]);
    is("[\"5\",5]", (5_u32, "5".to_owned()));
    is("[\"5\",5]", Pair(5, "5".to_owned()));
    is("\"Unit\"", Shape::Unit);
    is("{\"Newtype\":\"5\"}", Shape::Newtype(5));
    is("{\"Tuple\":[\"5\",5]}", Shape::Tuple(5, "5".to_owned()));
    is("{\"Struct\":{\"number\":\"5\"}}", Shape::Struct { number: 5 });
    is("null", None::<u32>);
    is("null", ());

    assert_eq!(
        [
            refused::<u8>("5.5"),
            refused::<u8>("\"x\""),
            refused::<f32>("\"x\""),
            refused::<f64>("\"1e5\""),
            refused::<bool>("5"),
        ],
        [
            "invalid type: floating point `5.5`, expected u8",
            "`x` is not an integer that the type can hold; correct it, or read it into a `String`",
            "`x` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`",
            "`1e5` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`",
            "invalid type: integer `5`, expected a boolean",
        ]
    );
}

/// An empty element gives the same result in a flattened entry as in an entry: absent, or the same error.
#[test]
fn a_flattened_entry_is_read_as_an_entry() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Flat {
        #[serde(flatten)]
        entry: UrlEntry,
    }
    const NAMESPACES: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
        xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
        xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\" \
        xmlns:pagemap=\"http://www.google.com/schemas/sitemap-pagemap/1.0\"";
    let video = |inner: &str| {
        format!(
            "<video:video><video:thumbnail_loc>https://e.com/t</video:thumbnail_loc><video:title>t</video:title>\
             <video:description>d</video:description><video:content_loc>https://e.com/v</video:content_loc>{inner}</video:video>"
        )
    };
    let of_video = [
        "<video:player_loc/>",
        "<video:restriction/>",
        "<video:platform/>",
        "<video:gallery_loc/>",
        "<video:price/>",
        "<video:uploader/>",
        "<video:tvshow/>",
        "<video:content_segment_loc/>",
        "<video:id/>",
        "<video:tag/>",
        "<video:live/>",
        "<video:duration/>",
        "<video:rating/>",
        "<video:restriction relationship=\"allow\"/>",
        "<video:restriction relationship=\"allow\">GB</video:restriction>",
        "<video:uploader>x</video:uploader>",
        "<video:price type=\"rent\"/>",
    ];
    let mut contents: Vec<String> = of_video.map(video).into();
    contents.extend(
        [
            "<news:news/>",
            "<pagemap:PageMap/>",
            "<image:image/>",
            "<video:video/>",
            "<xhtml:link/>",
            "<mobile:mobile/>",
            "<lastmod/>",
            "<priority/>",
            "<news:news><news:publication/></news:news>",
            "<pagemap:PageMap><pagemap:Template/></pagemap:PageMap>",
            "<pagemap:PageMap><pagemap:DataObject/></pagemap:PageMap>",
            "<pagemap:PageMap><pagemap:DataObject type=\"t\"/></pagemap:PageMap>",
            "<image:image><image:loc>https://e.com/i</image:loc></image:image><image:image/>",
        ]
        .map(str::to_owned),
    );
    for content in contents {
        let document = format!("<urlset {NAMESPACES}><url><loc>https://e.com/</loc>{content}</url></urlset>");
        let entry = read::<UrlEntry>(&document);
        match (entry, read::<Flat>(&document)) {
            (Ok(entry), Ok(flat)) => assert_eq!(flat.entry, entry, "{content}"),
            // serde hides the position of a buffered value.
            (Err(error), Err(flat)) => {
                let problem = |text: &str| text.split(", at line").next().map(str::to_owned);
                assert_eq!(problem(&flat), problem(&error), "{content}");
            }
            (entry, flat) => panic!("{content}: {entry:?}, {flat:?}"),
        }
    }
    // What the writer writes.
    let mut entry = UrlEntry::new("https://e.com/");
    entry.page_map = Some(Box::default());
    let document = sitemap_serde::to_string(&[&entry]).unwrap();
    assert_eq!(
        read::<Flat>(&document),
        Ok(Flat {
            entry: read(&document).unwrap()
        })
    );
}

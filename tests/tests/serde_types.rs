//! A program's own types through serde's own derive, in both directions.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, TimeZone, Utc};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sitemap_serde::{
    Category, ChangeFreq, Document, IndexEntry, Priority, Reader, SitemapIndex, UrlEntry, UrlSet,
    W3cDateTime, WriterBuilder,
};
use sitemap_tests::{
    CORE, Problem, drain, entries, entry, index, misfit, outcomes, read, urlset, with_every_reader,
};

const LOC: &str = "https://example.com/a?b=1&c=2";

/// A urlset of one entry that has everything.
fn full() -> String {
    urlset(
        "<url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
         <changefreq>weekly</changefreq><priority>0.50</priority></url>",
    )
}

/// A urlset of one entry that has nothing but its loc.
fn bare() -> String {
    urlset("<url><loc>https://example.com/</loc></url>")
}

/// A urlset of one entry with a loc and whatever else.
fn with(children: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/</loc>{children}</url>"))
}

/// What is between the root's tags when `entry` is written.
#[track_caller]
fn written<T: Serialize>(entry: T) -> String {
    let document = sitemap_serde::to_string(&[entry]).unwrap();
    inside(&document)
}

#[track_caller]
fn inside(document: &str) -> String {
    document
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>")
        .and_then(|rest| rest.strip_suffix("</url></urlset>"))
        .unwrap_or_else(|| panic!("{document}"))
        .to_owned()
}

/// Why `entry` cannot be written.
#[track_caller]
fn refused<T: Serialize>(entry: T) -> String {
    let error = sitemap_serde::to_string(&[entry]).unwrap_err();
    assert_eq!(error.category(), Category::Data);
    Problem::of(&error).message
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it reads better at the many calls")]
fn is_read<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>, expected: T) {
    assert_eq!(entry::<T>(document), expected);
}

// ---- The order of fields. ----

#[test]
fn any_order_of_elements_and_of_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Forwards {
        loc: String,
        lastmod: String,
        changefreq: String,
        priority: f64,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Backwards {
        priority: f64,
        changefreq: String,
        lastmod: String,
        loc: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Mixed {
        changefreq: String,
        loc: String,
        priority: f64,
        lastmod: String,
    }
    let elements = [
        "<loc>https://example.com/</loc>",
        "<lastmod>2024-05-06</lastmod>",
        "<changefreq>daily</changefreq>",
        "<priority>0.5</priority>",
    ];
    let expected = elements.concat();
    let mut orders = 0;
    for a in 0..4 {
        for b in (0..4).filter(|&b| b != a) {
            for c in (0..4).filter(|&c| c != a && c != b) {
                let d = 6 - a - b - c;
                let document = urlset(&format!(
                    "<url>{}{}\n{}<!-- -->{}</url>",
                    elements[a], elements[b], elements[c], elements[d]
                ));
                assert_eq!(written(entry::<Forwards>(&document)), expected);
                assert_eq!(written(entry::<Backwards>(&document)), expected);
                assert_eq!(written(entry::<Mixed>(&document)), expected);
                assert_eq!(written(entry::<UrlEntry>(&document)), expected);
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 24);
}

// ---- Absent values. ----

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Optional {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<ChangeFreq>,
    priority: Option<f32>,
}

#[test]
fn an_option_may_be_absent_or_empty() {
    let absent = Optional {
        loc: "https://example.com/".to_owned(),
        lastmod: None,
        changefreq: None,
        priority: None,
    };
    assert_eq!(entry::<Optional>(bare()), absent);
    for children in [
        "<lastmod></lastmod><changefreq></changefreq><priority></priority>",
        "<lastmod> \n</lastmod><changefreq>\t</changefreq><priority>\r\n</priority>",
        "<lastmod/>\n<changefreq/>\n<priority/>\n",
        "<lastmod><!-- --></lastmod><changefreq><![CDATA[]]></changefreq><priority>&#32;</priority>",
    ] {
        assert_eq!(entry::<Optional>(with(children)), absent, "{children}");
        assert_eq!(
            entry::<UrlEntry>(with(children)),
            UrlEntry::new("https://example.com/"),
            "{children}"
        );
    }
    assert_eq!(written(&absent), "<loc>https://example.com/</loc>");
    assert_eq!(
        entry::<Optional>(full()),
        Optional {
            loc: LOC.to_owned(),
            lastmod: Some("2024-05-06T07:08:09Z".to_owned()),
            changefreq: Some(ChangeFreq::Weekly),
            priority: Some(0.5),
        }
    );
}

/// The elements after an empty one are its neighbours, not its children.
#[test]
fn an_empty_element_does_not_swallow_the_next() {
    let entry = entry::<UrlEntry>(urlset(
        "<url><lastmod/><loc>https://example.com/</loc><changefreq/><priority>0.5</priority></url>",
    ));
    let mut expected = UrlEntry::new("https://example.com/");
    expected.priority = Some(Priority::DEFAULT);
    assert_eq!(entry, expected);
}

#[test]
fn what_is_not_optional_has_to_be_there() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        priority: f32,
    }
    let problem = misfit::<Page>(bare());
    assert_eq!(
        problem.message,
        "missing field `priority`, at line 1, column 61 (byte 60), entry 1"
    );
    let problem = misfit::<Page>(with("<priority></priority>"));
    assert_eq!(
        problem.message,
        "`` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`, at line 1, \
         column 107 (byte 106), entry 1 · priority"
    );
    // An empty string is a string.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Dated {
        loc: String,
        lastmod: String,
    }
    assert_eq!(entry::<Dated>(with("<lastmod></lastmod>")).lastmod, "");
}

#[test]
fn defaults() {
    fn normal() -> f32 {
        0.5
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        #[serde(default = "normal")]
        priority: f32,
        #[serde(default)]
        lastmod: String,
    }
    assert_eq!(
        entry::<Page>(bare()),
        Page {
            loc: "https://example.com/".to_owned(),
            priority: 0.5,
            lastmod: String::new(),
        }
    );

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct All {
        loc: String,
        lastmod: Option<W3cDateTime>,
        draft: bool,
    }
    assert!(!entry::<All>(bare()).draft);
}

// ---- Text. ----

#[test]
fn text_is_borrowed_where_it_stands_in_the_input() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<'a> {
        loc: &'a str,
        /// A `Cow` in an `Option` would be owned: that is how serde's derive is.
        #[serde(borrow)]
        lastmod: Cow<'a, str>,
        #[serde(borrow)]
        changefreq: Cow<'a, str>,
        priority: Option<&'a [u8]>,
    }
    let document = urlset(
        "<url><loc>\n  https://example.com/サ\n</loc><lastmod>2024</lastmod><changefreq>da&#105;ly</changefreq>\
         <priority>0.5</priority></url>",
    );
    let within = |text: &[u8]| document.as_bytes().as_ptr_range().contains(&text.as_ptr());
    let check = |page: &Page<'_>| {
        assert_eq!(page.loc, "https://example.com/サ");
        assert!(within(page.loc.as_bytes()));
        assert!(matches!(page.lastmod, Cow::Borrowed("2024")));
        assert!(within(page.lastmod.as_bytes()));
        assert!(matches!(page.changefreq, Cow::Owned(_)));
        assert_eq!(page.changefreq, "daily");
        assert_eq!(page.priority, Some(&b"0.5"[..]));
        assert!(within(page.priority.unwrap()));
    };
    let pages: Vec<Page<'_>> = sitemap_serde::from_str(&document).unwrap();
    check(&pages[0]);
    let pages: Vec<Page<'_>> = sitemap_serde::from_slice(document.as_bytes()).unwrap();
    check(&pages[0]);
    // They outlive the reader.
    let page: Page<'_> = {
        let mut reader = Reader::from_str(&document);
        reader.deserialize().next().unwrap().unwrap()
    };
    check(&page);
    let page: Page<'_> = {
        let mut reader = Reader::from_slice(document.as_bytes());
        reader.deserialize().next().unwrap().unwrap()
    };
    check(&page);
    let document = document.replace("&#105;", "i");
    let map: Vec<HashMap<&str, &str>> = sitemap_serde::from_str(&document).unwrap();
    assert_eq!(map[0]["changefreq"], "daily");
}

#[test]
fn text_that_has_to_be_put_together_is_not_borrowed() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<'a> {
        loc: &'a str,
    }
    for loc in [
        "https://example.com/?a&amp;b",
        "https://example.com/<!-- -->b",
        "<![CDATA[https://example.com/]]>",
    ] {
        let document = urlset(&format!("<url><loc>{loc}</loc></url>"));
        let error = sitemap_serde::from_str::<Vec<Page<'_>>>(&document).unwrap_err();
        assert_eq!(
            (error.category(), error.path()),
            (Category::Data, Some("entry 1 · loc"))
        );
        let message = error.to_string();
        assert!(
            message.contains(
                "cannot be borrowed: it holds a reference, a CDATA section or a comment, or comes from a stream; read it \
                 into a `String`, or into a `Cow<str>` with `#[serde(borrow)]`, at line 1, column "
            ),
            "{message}"
        );
    }
    // Nor is anything that comes from a stream.
    let document = bare();
    let error = Reader::from_reader(document.as_bytes())
        .deserialize::<Page<'_>>()
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`https://example.com/` cannot be borrowed: it holds a reference, a CDATA section or a comment, or comes from a \
         stream; read it into a `String`, or into a `Cow<str>` with `#[serde(borrow)]`, at line 1, column 71 (byte 70), \
         entry 1 · loc"
    );
}

#[test]
fn text_is_trimmed_and_resolved() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
    }
    for (text, expected) in [
        ("\n\t https://example.com/ \r\n", "https://example.com/"),
        (
            "https://example.com/&#xE9;&#x65E5;&apos;",
            "https://example.com/é日'",
        ),
        (
            "<![CDATA[https://example.com/?a=1&b=<2>]]>",
            "https://example.com/?a=1&b=<2>",
        ),
        (
            "https://<!-- not this -->example<![CDATA[.com]]>/&amp;amp;",
            "https://example.com/&amp;",
        ),
        ("https://example.com/\u{A0}", "https://example.com/\u{A0}"),
        ("/relative and with spaces", "/relative and with spaces"),
        ("<?pi?>https://example.com/", "https://example.com/"),
    ] {
        let page = entry::<Page>(urlset(&format!("<url><loc>{text}</loc></url>")));
        assert_eq!(page.loc, expected);
    }
    // What is owned may be borrowed from what is written.
    #[derive(Serialize)]
    struct Borrowed<'a> {
        loc: &'a str,
        lastmod: Cow<'a, str>,
        changefreq: Box<str>,
    }
    assert_eq!(
        written(Borrowed {
            loc: "\n https://example.com/?a=1&b='2' ",
            lastmod: Cow::Borrowed(" 2024 "),
            changefreq: "daily".into(),
        }),
        "<loc>https://example.com/?a=1&amp;b=&apos;2&apos;</loc><lastmod>2024</lastmod><changefreq>daily</changefreq>"
    );
}

#[test]
fn chars_bytes_and_other_text() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: std::path::PathBuf,
        priority: char,
    }
    assert_eq!(entry::<Page>(with("<priority>1</priority>")).priority, '1');
    let problem = misfit::<Page>(with("<priority>12</priority>"));
    assert_eq!(
        problem.message,
        "invalid value: string \"12\", expected a character, at line 1, column 107 (byte 106), entry 1 · priority"
    );
    #[derive(Serialize)]
    struct Short {
        loc: &'static str,
        priority: char,
    }
    assert_eq!(
        written(Short {
            loc: "https://example.com/",
            priority: '0'
        }),
        "<loc>https://example.com/</loc><priority>0</priority>"
    );
}

// ---- Numbers. ----

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Scored<N> {
    loc: String,
    priority: N,
}

fn scored<N: DeserializeOwned + PartialEq + Debug>(priority: &str) -> Result<N, String> {
    let document = with(&format!("<priority>{priority}</priority>"));
    let mut outcomes = outcomes::<Scored<N>>(document);
    let outcome = outcomes.remove(0);
    outcome
        .map(|page| page.priority)
        .map_err(|problem| problem.message.split(", at line").next().unwrap().to_owned())
}

#[test]
fn integers() {
    macro_rules! integers {
        ($($type:ty)*) => {$(
            assert_eq!(scored::<$type>(" 1 "), Ok(1));
            assert_eq!(scored::<$type>("+1"), Ok(1));
            assert_eq!(scored::<$type>("007"), Ok(7));
            assert_eq!(scored::<$type>(&<$type>::MAX.to_string()), Ok(<$type>::MAX));
            assert_eq!(scored::<$type>(&<$type>::MIN.to_string()), Ok(<$type>::MIN));
            for bad in ["1.0", "", "one", "0x1", "1e3", "1 2", "999999999999999999999999999999999999999999"] {
                assert_eq!(
                    scored::<$type>(bad),
                    Err(format!(
                        "`{bad}` is not an integer that the type can hold; correct it, or read it into a `String`"
                    ))
                );
            }
            assert_eq!(
                written(Scored::<$type> { loc: "https://example.com/".to_owned(), priority: 1 }),
                "<loc>https://example.com/</loc><priority>1</priority>"
            );
            assert_eq!(
                refused(Scored::<$type> { loc: "https://example.com/".to_owned(), priority: 2 }),
                "`2` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                 field out, entry 1 · priority"
            );
        )*};
    }
    integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    assert_eq!(
        scored::<u8>("256"),
        Err(
            "`256` is not an integer that the type can hold; correct it, or read it into a `String`"
                .to_owned()
        )
    );
    assert_eq!(
        scored::<u8>("-1"),
        Err(
            "`-1` is not an integer that the type can hold; correct it, or read it into a `String`"
                .to_owned()
        )
    );
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        lastmod: u16,
    }
    assert_eq!(
        written(Page {
            loc: "https://example.com/",
            lastmod: 2024
        }),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod>"
    );
    assert_eq!(
        refused(Page {
            loc: "https://example.com/",
            lastmod: 99
        }),
        "`99` is not a W3C Datetime: it begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like that, or \
         leave the field out, entry 1 · lastmod"
    );
}

#[test]
fn floats() {
    for (text, value) in [
        ("0.5", 0.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("+0.50", 0.5),
        ("-0.0", 0.0),
        ("1.5", 1.5),
        ("\n17 ", 17.0),
    ] {
        assert_eq!(scored::<f64>(text), Ok(value));
        #[expect(clippy::cast_possible_truncation, reason = "they are the same in both")]
        let narrow = value as f32;
        assert_eq!(scored::<f32>(text), Ok(narrow));
    }
    for bad in [
        "NaN", "inf", "infinity", "-inf", "5e-1", "1E0", "0,5", "1.2.3", ".", "+", "-", "", "0x1", "high",
    ] {
        let expected = Err(format!(
            "`{bad}` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`"
        ));
        assert_eq!(scored::<f64>(bad), expected);
        assert_eq!(scored::<f32>(bad).map(f64::from), expected);
    }
    for (value, text) in [
        (0.3_f32, "0.3"),
        (0.8, "0.8"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (0.85, "0.85"),
    ] {
        assert_eq!(
            written(Scored {
                loc: "https://example.com/".to_owned(),
                priority: value
            }),
            format!("<loc>https://example.com/</loc><priority>{text}</priority>")
        );
    }
    assert_eq!(
        written(Scored {
            loc: "https://example.com/".to_owned(),
            priority: 0.1_f64 + 0.2
        }),
        "<loc>https://example.com/</loc><priority>0.30000000000000004</priority>"
    );
    // As an exponent would be, and is not.
    assert_eq!(
        written(Scored {
            loc: "https://example.com/".to_owned(),
            priority: 1e-7_f64
        }),
        "<loc>https://example.com/</loc><priority>0.0000001</priority>"
    );
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        lastmod: f64,
    }
    assert_eq!(
        refused(Page {
            loc: "https://example.com/",
            lastmod: 2024.5
        }),
        "found a float for a field of an entry: it is text, or a number for a priority; skip the field, or convert it with \
         `#[serde(serialize_with = …)]`, entry 1 · lastmod"
    );
}

#[test]
fn numbers_and_booleans_in_elements_of_ones_own() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        stock: u64,
        sold: bool,
        weight: f64,
        unit: (),
    }
    let page = entry::<Page>(with(
        "<stock>18446744073709551615</stock><sold>1</sold><weight>-.25</weight><unit/>",
    ));
    assert_eq!(
        page,
        Page {
            loc: "https://example.com/".to_owned(),
            stock: u64::MAX,
            sold: true,
            weight: -0.25,
            unit: (),
        }
    );
    #[derive(Debug, PartialEq, Deserialize)]
    struct Sold {
        sold: bool,
    }
    for (text, sold) in [("true", true), ("false", false), ("1", true), ("0", false)] {
        assert_eq!(
            entry::<Sold>(with(&format!("<sold>{text}</sold>"))),
            Sold { sold }
        );
    }
    assert_eq!(
        misfit::<Sold>(with("<sold>yes</sold>")).message,
        "`yes` is not a boolean: it is `true`, `false`, `1` or `0`; correct it, or read it into a `String`, at line 1, column \
         103 (byte 102), entry 1 · sold"
    );
}

#[test]
fn elements_of_ones_own_gather() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        tag: Vec<String>,
        other: Option<String>,
    }
    let page = entry::<Page>(with(
        "<tag>a</tag><other>x</other>\n<tag>b</tag><tag/><tag><![CDATA[c]]></tag>",
    ));
    assert_eq!(page.tag, ["a", "b", "", "c"]);
    assert_eq!(
        entry::<serde_json::Value>(with("<v>1</v><w/><v>2</v>")),
        serde_json::json!({"loc": "https://example.com/", "v": ["1", "2"], "w": null})
    );
    // One value where there are several.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Single {
        tag: String,
    }
    assert_eq!(
        misfit::<Single>(with("<tag>a</tag><tag>b</tag>")).message,
        "a second `tag`, and the type takes one: read it into a `Vec`, or remove one from the document, at line 1, column \
         114 (byte 113), entry 1 · tag"
    );
    // Attributes and children.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Priced {
        price: Vec<Price>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Price {
        #[serde(rename = "@currency")]
        currency: String,
        #[serde(rename = "$text")]
        amount: Option<f64>,
        was: Option<f64>,
    }
    assert_eq!(
        entry::<Priced>(with(
            "<price currency='EUR'>9.9</price><price currency='A&amp;B'> 1 <was>2</was></price><price currency=''/>\n"
        ))
        .price,
        [
            Price { currency: "EUR".to_owned(), amount: Some(9.9), was: None },
            Price { currency: "A&B".to_owned(), amount: Some(1.0), was: Some(2.0) },
            Price { currency: String::new(), amount: None, was: None },
        ]
    );
    assert_eq!(
        misfit::<Priced>(with(
            "<price currency='EUR'>9.9</price><price currency='EUR'>much</price>"
        ))
        .path
        .as_deref(),
        Some("entry 1 · price[1] · $text")
    );
}

// ---- Enums and newtypes. ----

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Often {
    Always,
    Weekly,
    #[serde(alias = "biweekly")]
    Monthly,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Frequent<F> {
    loc: String,
    changefreq: F,
}

fn frequent<F>(changefreq: F) -> Frequent<F> {
    Frequent {
        loc: "https://example.com/".to_owned(),
        changefreq,
    }
}

#[test]
fn enums_for_changefreq() {
    let document = |text: &str| with(&format!("<changefreq> {text}\n</changefreq>"));
    for (text, often) in [
        ("always", Often::Always),
        ("weekly", Often::Weekly),
        ("monthly", Often::Monthly),
        ("biweekly", Often::Monthly),
    ] {
        is_read(document(text), frequent(often));
        is_read(document(text), frequent(Some(often)));
    }
    assert_eq!(
        misfit::<Frequent<Often>>(document("daily")).message,
        "`daily` is none of `always`, `weekly`, `biweekly`, `monthly`; correct it, or read it into a `String`, at line 1, column 110 \
         (byte 109), entry 1 · changefreq"
    );
    assert_eq!(
        written(frequent(Often::Weekly)),
        "<loc>https://example.com/</loc><changefreq>weekly</changefreq>"
    );
    assert_eq!(
        written(frequent(None::<Often>)),
        "<loc>https://example.com/</loc>"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Open {
        Daily,
        #[serde(other)]
        Unknown,
    }
    is_read(document("daily"), frequent(Open::Daily));
    is_read(document("sometimes"), frequent(Open::Unknown));
    assert_eq!(
        refused(frequent(Open::Unknown)),
        "`unknown` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
         write one of these, or leave the field out, entry 1 · changefreq"
    );
    // The variants' own names are not the schema's.
    #[derive(Serialize)]
    enum Unnamed {
        Daily,
    }
    assert_eq!(
        refused(frequent(Unnamed::Daily)),
        "`Daily` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); did \
         you mean `daily`?, entry 1 · changefreq"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Deep {
        Daily(u8),
    }
    assert_eq!(
        misfit::<Frequent<Deep>>(document("daily")).message,
        "invalid type: unit value, expected u8, at line 1, column 110 (byte 109), entry 1 · changefreq"
    );
    assert_eq!(
        refused(frequent(Deep::Daily(1))),
        "found an enum's newtype variant (`#[serde(untagged)]` writes what it holds) for a field of an entry: it is text, or \
         a number for a priority; skip the field, or convert it with `#[serde(serialize_with = …)]`, entry 1 · changefreq"
    );
}

#[test]
fn newtypes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Loc(String);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Day(Option<W3cDateTime>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Score(f32);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Freq(Often);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: Loc,
        lastmod: Day,
        changefreq: Freq,
        priority: Score,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped(Box<Page>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Transparent {
        page: Wrapped,
    }
    let page = entry::<Transparent>(full());
    assert_eq!(page.page.0.loc, Loc(LOC.to_owned()));
    assert_eq!(page.page.0.priority, Score(0.5));
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod><changefreq>weekly</changefreq>\
         <priority>0.5</priority>"
    );
    assert_eq!(written(Some(&page)), written(&page));

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pages(Vec<Wrapped>);
    let pages = read::<Pages>(full()).unwrap();
    assert_eq!(
        sitemap_serde::to_string(&pages).unwrap(),
        sitemap_serde::to_string(&pages.0).unwrap()
    );
}

#[test]
fn untagged_enums() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Rank {
        Number(f64),
        Word(String),
    }
    assert_eq!(scored::<Rank>("0.50"), Ok(Rank::Number(0.5)));
    assert_eq!(scored::<Rank>("high"), Ok(Rank::Word("high".to_owned())));
    assert_eq!(scored::<Rank>("5e-1"), Ok(Rank::Word("5e-1".to_owned())));
    let page = |priority| Scored {
        loc: "https://example.com/".to_owned(),
        priority,
    };
    assert_eq!(
        written(page(Rank::Number(0.25))),
        "<loc>https://example.com/</loc><priority>0.25</priority>"
    );
    assert_eq!(
        written(page(Rank::Word("0.250".to_owned()))),
        "<loc>https://example.com/</loc><priority>0.250</priority>"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Entry {
        Dated { loc: String, lastmod: W3cDateTime },
        Plain(IndexEntry),
        Other(BTreeMap<String, String>),
    }
    assert_eq!(
        entry::<Entry>(full()),
        Entry::Dated {
            loc: LOC.to_owned(),
            lastmod: "2024-05-06T07:08:09Z".parse().unwrap()
        }
    );
    assert_eq!(
        entry::<Entry>(bare()),
        Entry::Plain(IndexEntry::new("https://example.com/"))
    );
    let other = urlset("<url><loc>/relative</loc></url>");
    assert_eq!(
        entry::<Entry>(other),
        Entry::Other([("loc".to_owned(), "/relative".to_owned())].into())
    );
    assert_eq!(
        written(Entry::Dated {
            loc: LOC.to_owned(),
            lastmod: "2024".parse().unwrap()
        }),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024</lastmod>"
    );
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Whole {
        Set(UrlSet<Optional>),
        Index(SitemapIndex),
    }
    assert!(
        sitemap_serde::from_str::<Whole>(&index("")).is_err_and(|error| error.category() == Category::Data)
    );
}

// ---- serde's attributes. ----

#[test]
fn flattened_structs() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
        #[serde(flatten)]
        hints: Hints,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Hints {
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
        #[serde(flatten)]
        dates: Option<Dates>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Dates {
        lastmod: W3cDateTime,
    }
    let page = entry::<Page>(full());
    assert_eq!(page.hints.changefreq, Some(ChangeFreq::Weekly));
    assert_eq!(page.hints.priority, Some(Priority::DEFAULT));
    assert_eq!(
        page.hints.dates.as_ref().unwrap().lastmod.to_string(),
        "2024-05-06T07:08:09Z"
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod><changefreq>weekly</changefreq>\
         <priority>0.5</priority>"
    );
    let page = entry::<Page>(bare());
    assert_eq!(
        page.hints,
        Hints {
            changefreq: None,
            priority: None,
            dates: None
        }
    );
    assert_eq!(written(&page), "<loc>https://example.com/</loc>");

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Extended {
        #[serde(flatten)]
        entry: UrlEntry,
        #[serde(default, skip_serializing)]
        stock: Option<u32>,
    }
    let page = entry::<Extended>(with("<stock>5</stock><lastmod>2024-05</lastmod>"));
    assert_eq!(
        (page.entry.lastmod.unwrap().to_string(), page.stock),
        ("2024-05".to_owned(), Some(5))
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/</loc><lastmod>2024-05</lastmod>"
    );
}

#[test]
fn flattened_maps() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
        #[serde(flatten)]
        rest: HashMap<String, String>,
    }
    let page = entry::<Page>(with("<lastmod>2024</lastmod><changefreq>daily</changefreq>"));
    assert_eq!(
        page.rest,
        HashMap::from([
            ("lastmod".to_owned(), "2024".to_owned()),
            ("changefreq".to_owned(), "daily".to_owned())
        ])
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod><changefreq>daily</changefreq>"
    );
    // Through `flatten` a priority is a number, which is no string.
    let problem = misfit::<Page>(with("<priority>0.5</priority>"));
    assert_eq!(
        problem.message,
        "invalid type: floating point `0.5`, expected a string, at line 1, column 61 (byte 60), entry 1"
    );
    #[derive(Debug, PartialEq, Deserialize)]
    struct Any {
        loc: String,
        #[serde(flatten)]
        rest: HashMap<String, serde_json::Value>,
    }
    assert_eq!(
        serde_json::to_value(entry::<Any>(with("<priority>0.5</priority><x>1</x>")).rest).unwrap(),
        serde_json::json!({"priority": 0.5, "x": "1"})
    );
}

#[test]
fn fields_with_functions_of_their_own() {
    mod path {
        use super::{Deserialize, Deserializer, Serializer};

        pub(super) fn serialize<S: Serializer>(path: &[String], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("https://example.com/{}", path.join("/")))
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<String>, D::Error> {
            let loc = std::borrow::Cow::<str>::deserialize(deserializer)?;
            let path = loc
                .strip_prefix("https://example.com/")
                .ok_or_else(|| serde::de::Error::custom("another site"))?;
            Ok(path.split('/').map(str::to_owned).collect())
        }
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        #[serde(rename = "loc", with = "path")]
        path: Vec<String>,
        #[serde(
            rename = "lastmod",
            with = "sitemap_serde::with::system_time::option",
            default
        )]
        changed: Option<SystemTime>,
    }
    let page = entry::<Page>(urlset(
        "<url><loc>https://example.com/a/b</loc><lastmod>1970-01-01T00:01:00.5Z</lastmod></url>",
    ));
    assert_eq!(page.path, ["a", "b"]);
    assert_eq!(
        page.changed,
        Some(SystemTime::UNIX_EPOCH + Duration::from_millis(60_500))
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a/b</loc><lastmod>1970-01-01T00:01:00.5Z</lastmod>"
    );
    assert_eq!(entry::<Page>(bare()).changed, None);
    assert_eq!(
        misfit::<Page>(urlset("<url><loc>https://example.org/</loc></url>")).message,
        "another site, at line 1, column 71 (byte 70), entry 1 · loc"
    );
    assert_eq!(
        misfit::<Page>(with("<lastmod>2024-05-06</lastmod>")).message,
        "`2024-05-06` does not convert to `SystemTime`: it has no time and no zone; write both, or call `assume_utc` for the \
         start of it in UTC, at line 1, column 106 (byte 105), entry 1 · lastmod"
    );
}

#[test]
fn unknown_fields() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        loc: String,
        #[serde(alias = "date", alias = "lastmod")]
        changed: Option<String>,
    }
    assert_eq!(
        entry::<Page>(with("<date>2024</date>")).changed.as_deref(),
        Some("2024")
    );
    assert_eq!(
        entry::<Page>(with("<lastmod>2024</lastmod>")).changed.as_deref(),
        Some("2024")
    );
    assert_eq!(
        misfit::<Page>(with("<priority>1</priority>")).message,
        "unknown field `priority`, expected one of `loc`, `changed`, `date`, `lastmod`, at line 1, column 61 (byte 60), \
         entry 1"
    );
    assert_eq!(
        misfit::<Page>(with("<date>2024</date><lastmod>2024</lastmod>")).message,
        "duplicate field `changed`, at line 1, column 61 (byte 60), entry 1"
    );
    // What is in a namespace that nobody knows is no field.
    let foreign = with("<x:priority xmlns:x='urn:x'>1<x:y>2</x:y></x:priority>");
    assert_eq!(entry::<Page>(foreign).changed, None);

    #[derive(Serialize)]
    struct Product {
        loc: &'static str,
        stock: u32,
    }
    assert_eq!(
        refused(Product {
            loc: "https://example.com/",
            stock: 5
        }),
        "`stock` is no field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; rename it with `#[serde(rename = \
         …)]`, or leave it out with `#[serde(skip_serializing)]`, entry 1 · stock"
    );
}

// ---- Maps. ----

#[test]
fn maps_as_entries() {
    let expected = [
        ("changefreq", "weekly"),
        ("lastmod", "2024-05-06T07:08:09Z"),
        ("loc", LOC),
        ("priority", "0.50"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let children = "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
                    <changefreq>weekly</changefreq><priority>0.50</priority>";

    let tree = entry::<BTreeMap<String, String>>(full());
    assert_eq!(tree, BTreeMap::from(expected.clone()));
    assert_eq!(written(&tree), children);
    let hash = entry::<HashMap<String, String>>(full());
    assert_eq!(hash, HashMap::from(expected));
    assert_eq!(written(&hash), children);

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Field {
        Loc,
        Lastmod,
        #[serde(other)]
        Other,
    }
    let fields = entry::<BTreeMap<Field, String>>(with("<lastmod>2024</lastmod>"));
    assert_eq!(fields[&Field::Lastmod], "2024");
    assert_eq!(
        written(&fields),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod>"
    );

    assert_eq!(
        refused(BTreeMap::from([("loc", "https://example.com/"), ("title", "x")])),
        "`title` is no field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; rename it with `#[serde(rename = \
         …)]`, or leave it out with `#[serde(skip_serializing)]`, entry 1 · title"
    );
    assert_eq!(
        refused(BTreeMap::from([(1, "https://example.com/")])),
        "found an integer for a key: the name of a field is a string, entry 1"
    );
    // A map of options, as a row may be.
    assert_eq!(
        written(BTreeMap::from([
            ("loc", Some("https://example.com/")),
            ("lastmod", None),
            ("title", None)
        ])),
        "<loc>https://example.com/</loc>"
    );
}

// ---- chrono. ----

#[test]
fn chronos_types_through_their_own_serde() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page<T> {
        loc: String,
        lastmod: T,
    }
    fn page<T>(lastmod: T) -> Page<T> {
        Page {
            loc: "https://example.com/".to_owned(),
            lastmod,
        }
    }
    let document = |text: &str| with(&format!("<lastmod>{text}</lastmod>"));
    let time = Utc.with_ymd_and_hms(2004, 12, 23, 18, 0, 15).unwrap();
    is_read(document("2004-12-23T18:00:15+00:00"), page(time));
    is_read(document("2004-12-23T18:00:15Z"), page(time));
    is_read(document("2004-12-24T03:00:15+09:00"), page(time));
    is_read(document("2004-12-23T18:00:15Z"), page(Some(time)));
    is_read(with("<lastmod></lastmod>"), page(None::<DateTime<Utc>>));
    let text = |text: &str| format!("<loc>https://example.com/</loc><lastmod>{text}</lastmod>");
    assert_eq!(written(page(time)), text("2004-12-23T18:00:15Z"));
    assert_eq!(written(page(Some(time))), text("2004-12-23T18:00:15Z"));
    assert_eq!(
        written(page(time + Duration::from_nanos(1_500))),
        text("2004-12-23T18:00:15.000001500Z")
    );
    let local = FixedOffset::east_opt(9 * 3600)
        .unwrap()
        .from_utc_datetime(&time.naive_utc());
    assert_eq!(written(page(local)), text("2004-12-24T03:00:15+09:00"));
    let day = NaiveDate::from_ymd_opt(2005, 1, 1).unwrap();
    is_read(document("2005-01-01"), page(day));
    assert_eq!(written(page(day)), text("2005-01-01"));

    let naive: NaiveDateTime = time.naive_utc();
    assert_eq!(
        refused(page(naive)),
        "`2004-12-23T18:00:15` is not a W3C Datetime: a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write \
         `2004-12-23T18:00:15Z` if it is in UTC, else its offset, entry 1 · lastmod"
    );
    let problem = misfit::<Page<DateTime<Utc>>>(document("2004-12-23"));
    assert_eq!(
        problem.message,
        "premature end of input, at line 1, column 106 (byte 105), entry 1 · lastmod"
    );
}

// ---- The shapes of a document. ----

#[test]
fn sequences() {
    let document =
        urlset("<url><loc>https://example.com/b</loc></url><url><loc>https://example.com/a</loc></url>");
    let entry = |path: &str| IndexEntry::new(format!("https://example.com/{path}"));
    let expected = [entry("b"), entry("a")];
    assert_eq!(read::<Vec<IndexEntry>>(&document).unwrap(), expected);
    assert_eq!(read::<VecDeque<IndexEntry>>(&document).unwrap(), expected);
    assert_eq!(read::<Box<[IndexEntry]>>(&document).unwrap().as_ref(), expected);
    assert_eq!(read::<[IndexEntry; 2]>(&document).unwrap(), expected);
    assert_eq!(
        read::<(IndexEntry, BTreeMap<String, String>)>(&document).unwrap(),
        (
            entry("b"),
            BTreeMap::from([("loc".to_owned(), "https://example.com/a".to_owned())])
        )
    );
    assert_eq!(
        read::<Option<Vec<IndexEntry>>>(&document).unwrap().unwrap(),
        expected
    );
    let set: BTreeSet<BTreeMap<String, String>> = read(&document).unwrap();
    assert_eq!(set.first().unwrap()["loc"], "https://example.com/a");

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair(IndexEntry, IndexEntry);
    assert_eq!(read::<Pair>(&document).unwrap(), Pair(entry("b"), entry("a")));

    assert_eq!(
        read::<[IndexEntry; 3]>(&document).unwrap_err().message,
        "invalid length 2, expected an array of length 3"
    );
    let more = read::<[IndexEntry; 1]>(&document).unwrap_err();
    assert_eq!(
        more.message,
        "an entry more than the type takes; read the document into a `Vec`, at line 1, column 104 (byte 103), entry 2"
    );
    // And what comes after is not missed, though nobody asked for it.
    let broken = format!("{}<", document.replace("</urlset>", ""));
    assert_eq!(
        read::<[IndexEntry; 2]>(broken).unwrap_err().category,
        Category::Eof
    );
}

#[test]
fn sequences_are_written() {
    let compact = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                   <url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>";
    let (a, b) = (
        UrlEntry::new("https://example.com/a"),
        UrlEntry::new("https://example.com/b"),
    );
    let told = |result: sitemap_serde::Result<String>| assert_eq!(result.unwrap(), compact);
    told(sitemap_serde::to_string(&vec![&a, &b]));
    told(sitemap_serde::to_string(&[a.clone(), b.clone()]));
    told(sitemap_serde::to_string([a.clone(), b.clone()].as_slice()));
    told(sitemap_serde::to_string(&(
        &a,
        BTreeMap::from([("loc", "https://example.com/b")]),
    )));
    told(sitemap_serde::to_string(&Some(VecDeque::from([&a, &b]))));
    told(sitemap_serde::to_string(&UrlSet(vec![&a, &b])));
    told(sitemap_serde::to_string(&Document::UrlSet(UrlSet(vec![
        a.clone(),
        b.clone(),
    ]))));
    let iterated = std::cell::RefCell::new([&a, &b].into_iter());
    struct Iterated<'a>(std::cell::RefCell<std::array::IntoIter<&'a UrlEntry, 2>>);
    impl Serialize for Iterated<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.0.borrow_mut().by_ref())
        }
    }
    told(sitemap_serde::to_string(&Iterated(iterated)));
}

#[test]
fn structs_as_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "urlset")]
    struct Pages {
        #[serde(rename = "@xmlns")]
        xmlns: String,
        #[serde(default)]
        url: Vec<UrlEntry>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sitemaps {
        sitemap: Vec<IndexEntry>,
    }
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Either {
        #[serde(default)]
        url: Vec<UrlEntry>,
        #[serde(default)]
        sitemap: Vec<IndexEntry>,
    }
    let pages = Pages {
        xmlns: CORE.to_owned(),
        url: vec![UrlEntry::new("https://example.com/")],
    };
    let xml = |inside: &str| format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{inside}");
    assert_eq!(read::<Pages>(bare()).unwrap(), pages);
    assert_eq!(sitemap_serde::to_string(&pages).unwrap(), xml(&bare()));
    let none = Pages {
        xmlns: CORE.to_owned(),
        url: vec![],
    };
    assert_eq!(read::<Pages>(urlset("")).unwrap(), none);
    assert_eq!(sitemap_serde::to_string(&none).unwrap(), xml(&urlset("")));

    let one = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    for document in [one, index("")] {
        let sitemaps = read::<Sitemaps>(&document).unwrap();
        assert_eq!(sitemap_serde::to_string(&sitemaps).unwrap(), xml(&document));
        let either = read::<Either>(&document).unwrap();
        assert_eq!(either.sitemap, sitemaps.sitemap);
    }
    let either = read::<Either>(bare()).unwrap();
    assert_eq!(either.url, pages.url);
    assert_eq!(sitemap_serde::to_string(&either).unwrap(), xml(&bare()));
    let both = Either {
        url: pages.url.clone(),
        sitemap: vec![IndexEntry::new("https://example.com/1.xml")],
    };
    assert_eq!(
        sitemap_serde::to_string(&both).unwrap_err().to_string(),
        "a document lists `url` or `sitemap`, not both (P-NS)"
    );
    assert_eq!(
        sitemap_serde::to_string(&Either::default()).unwrap(),
        xml(&urlset(""))
    );

    #[derive(Debug, PartialEq, Deserialize)]
    struct Borrowed<'a> {
        #[serde(rename = "@xmlns")]
        xmlns: &'a str,
        #[serde(borrow)]
        url: Vec<HashMap<&'a str, &'a str>>,
    }
    let document = bare();
    let borrowed: Borrowed<'_> = sitemap_serde::from_str(&document).unwrap();
    assert_eq!(
        (borrowed.xmlns, borrowed.url[0]["loc"]),
        (CORE, "https://example.com/")
    );

    // A map of the same shape.
    let map = read::<BTreeMap<String, Vec<UrlEntry>>>(bare()).unwrap();
    assert_eq!(sitemap_serde::to_string(&map).unwrap(), xml(&bare()));
}

#[test]
fn structs_that_are_no_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Site {
        name: String,
        url: Vec<UrlEntry>,
    }
    assert_eq!(read::<Site>(bare()).unwrap_err().message, "missing field `name`");
    assert_eq!(
        sitemap_serde::to_string(&Site {
            name: "x".to_owned(),
            url: vec![]
        })
        .unwrap_err()
        .to_string(),
        "`name` is no field of a document: `url` and `sitemap` are; serialize a sequence of entries, rename the field, or \
         leave it out with `#[serde(skip_serializing)]`"
    );
    // An entry where a document is meant, which might well do with the fields that are not there.
    let advice = "the type has neither a field `url` nor `sitemap`: a document is a sequence of entries; read it into a `Vec` of \
                  the type, or into a struct with such a field";
    assert_eq!(read::<UrlEntry>(bare()).unwrap_err().message, advice);
    assert_eq!(read::<Optional>(bare()).unwrap_err().message, advice);
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Lenient {
        loc: Option<String>,
    }
    assert_eq!(read::<Lenient>(bare()).unwrap_err().message, advice);
    // One entry where there may be many.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Single {
        url: UrlEntry,
    }
    let problem = read::<Single>(bare()).unwrap_err();
    assert_eq!(
        problem.message,
        "one value for the field `url`, which is a sequence of entries; make its type a `Vec`"
    );
    for (message, error) in [
        ("a string", sitemap_serde::to_string("https://example.com/")),
        ("an integer", sitemap_serde::to_string(&5)),
        ("a unit", sitemap_serde::to_string(&())),
        ("`None`", sitemap_serde::to_string(&None::<Vec<UrlEntry>>)),
    ] {
        assert_eq!(
            error.unwrap_err().to_string(),
            format!(
                "found {message} for a document: it is a sequence of entries, a `UrlSet` or `SitemapIndex`, or a struct with \
                 a field `url` or `sitemap`"
            )
        );
    }
    assert_eq!(
        sitemap_serde::to_string(&UrlEntry::new("https://example.com/"))
            .unwrap_err()
            .to_string(),
        "`loc` is no field of a document: `url` and `sitemap` are; serialize a sequence of entries, rename the field, or \
         leave it out with `#[serde(skip_serializing)]`"
    );
}

#[test]
fn generic_documents() {
    let set = read::<UrlSet<Optional>>(full()).unwrap();
    assert_eq!(set[0].loc, LOC);
    assert_eq!(set.iter().count(), 1);
    let map = read::<UrlSet<BTreeMap<String, String>>>(full()).unwrap();
    assert_eq!(map[0]["priority"], "0.50");
    let one = index("<sitemap><loc>https://example.com/1.xml</loc><lastmod>2024</lastmod></sitemap>");
    let sitemaps = read::<SitemapIndex<BTreeMap<String, String>>>(&one).unwrap();
    assert_eq!(sitemaps[0]["lastmod"], "2024");
    assert_eq!(
        sitemap_serde::to_string(&sitemaps).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{one}")
    );
    assert_eq!(
        read::<Document>(&one).unwrap().kind(),
        sitemap_serde::Kind::SitemapIndex
    );
    assert_eq!(
        read::<Option<Box<Document>>>(&one)
            .unwrap()
            .unwrap()
            .kind()
            .root(),
        "sitemapindex"
    );
}

#[test]
fn enums_as_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Mine {
        UrlSet(Vec<IndexEntry>),
        SitemapIndex { sitemap: Vec<IndexEntry> },
    }
    let sitemaps = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    assert_eq!(
        read::<Mine>(&sitemaps).unwrap(),
        Mine::SitemapIndex {
            sitemap: vec![IndexEntry::new("https://example.com/1.xml")]
        }
    );
    for document in [sitemaps.clone(), index("")] {
        assert_eq!(
            sitemap_serde::to_string(&read::<Mine>(&document).unwrap()).unwrap(),
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{document}")
        );
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Kinds {
        #[serde(rename = "urlset")]
        Pages,
        #[serde(other)]
        Others,
    }
    assert_eq!(read::<Kinds>(bare()).unwrap(), Kinds::Pages);
    assert_eq!(read::<Kinds>(&sitemaps).unwrap(), Kinds::Others);

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Misnamed {
        Pages(Vec<IndexEntry>),
    }
    assert_eq!(
        read::<Misnamed>(&sitemaps).unwrap_err().message,
        "unknown variant `sitemapindex`, expected `Pages`"
    );
    assert_eq!(
        sitemap_serde::to_string(&Misnamed::Pages(vec![]))
            .unwrap_err()
            .to_string(),
        "the variant `Pages` is no document: its name is `urlset` or `sitemapindex`; rename it with `#[serde(rename = …)]`, \
         or use `#[serde(untagged)]`"
    );
}

// ---- What others do with a serializer and a deserializer. ----

#[test]
fn serde_path_to_error_works() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url>\
         <url><loc>https://example.com/2</loc><priority>high</priority></url>",
    );
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    let error = serde_path_to_error::deserialize::<_, Vec<Optional>>(&mut deserializer).unwrap_err();
    assert_eq!(error.path().to_string(), "[1].priority");
    assert_eq!(
        error.inner().to_string(),
        "`high` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`, at line 1, \
         column 151 (byte 150), entry 2 · priority"
    );
    let mut deserializer = sitemap_serde::Deserializer::from_reader(document.as_bytes());
    let error = serde_path_to_error::deserialize::<_, Document>(&mut deserializer).unwrap_err();
    assert_eq!(error.path().to_string(), "urlset[1].priority");
    assert_eq!(error.inner().rule_id(), Some("P-PRIO"));
    assert_eq!(error.inner().position().unwrap().byte(), 150);

    let pages = [
        Optional {
            loc: "https://example.com/".to_owned(),
            lastmod: None,
            changefreq: None,
            priority: Some(0.5),
        },
        Optional {
            loc: "https://example.com/2".to_owned(),
            lastmod: None,
            changefreq: None,
            priority: Some(1.5),
        },
    ];
    let mut serializer = sitemap_serde::Serializer::new(Vec::new());
    let mut track = serde_path_to_error::Track::new();
    let result = pages.serialize(serde_path_to_error::Serializer::new(&mut serializer, &mut track));
    let error = result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out, entry 2 · priority"
    );
    assert_eq!(track.path().to_string(), "[1].priority");

    let fine = &pages[..1];
    let mut serializer = sitemap_serde::Serializer::new(Vec::new());
    let mut track = serde_path_to_error::Track::new();
    fine.serialize(serde_path_to_error::Serializer::new(&mut serializer, &mut track))
        .unwrap();
    assert_eq!(
        String::from_utf8(serializer.into_inner()).unwrap(),
        sitemap_serde::to_string(fine).unwrap()
    );
}

#[test]
fn a_serializer_or_deserializer_of_a_builder() {
    let mut serializer = WriterBuilder::new()
        .base("https://example.com")
        .pretty(true)
        .serializer_from_writer(Vec::new());
    [UrlEntry::new("/a")].serialize(&mut serializer).unwrap();
    let again = [UrlEntry::new("/b")].serialize(&mut serializer).unwrap_err();
    assert_eq!(
        again.to_string(),
        "a second document for one serializer: make a serializer for each"
    );
    let document = String::from_utf8(serializer.into_inner()).unwrap();
    let mut deserializer = sitemap_serde::ReaderBuilder::new().deserializer_from_str(&document);
    let pages = UrlSet::<UrlEntry>::deserialize(&mut deserializer).unwrap();
    assert_eq!(pages.0, [UrlEntry::new("https://example.com/a")]);
}

#[test]
fn a_deserializer_is_of_one_document() {
    let document = bare();
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    assert_eq!(Vec::<UrlEntry>::deserialize(&mut deserializer).unwrap().len(), 1);
    let again = Vec::<UrlEntry>::deserialize(&mut deserializer).unwrap_err();
    assert_eq!(
        again.to_string(),
        "a second value from one deserializer, whose document is read: make a deserializer for each"
    );
}

#[test]
fn ignoring_everything() {
    IgnoredAny::deserialize(&mut sitemap_serde::Deserializer::from_str(&full())).unwrap();
    let ignored: Vec<IgnoredAny> = sitemap_serde::from_str(&full()).unwrap();
    assert_eq!(ignored.len(), 1);
    #[expect(clippy::zero_sized_map_values, reason = "that is what ignoring them means")]
    let fields: Vec<HashMap<String, IgnoredAny>> = sitemap_serde::from_str(&full()).unwrap();
    assert_eq!(fields[0].len(), 4);
    // It is no reason to look away.
    assert!(sitemap_serde::from_str::<IgnoredAny>("<html/>").is_err());
    assert!(sitemap_serde::from_str::<IgnoredAny>(&urlset("<url/>")).is_err());
}

// ---- Through other formats. ----

#[test]
fn json_values() {
    let document = with("<lastmod>2024</lastmod><priority>0.50</priority><x a='1'>y<z/></x>\n<w/>");
    let expected = serde_json::json!({
        "loc": "https://example.com/",
        "lastmod": "2024",
        "priority": 0.5,
        "x": {"@a": "1", "z": null, "$text": "y"},
        "w": null,
    });
    assert_eq!(entry::<serde_json::Value>(&document), expected);
    let whole = read::<serde_json::Value>(full()).unwrap();
    assert_eq!(
        whole,
        serde_json::json!({"urlset": [{
            "loc": LOC, "lastmod": "2024-05-06T07:08:09Z", "changefreq": "weekly", "priority": 0.5
        }]})
    );
    // As it is read it can be written.
    let xml = full().replace("0.50", "0.5");
    assert_eq!(
        sitemap_serde::to_string(&whole).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}")
    );
    assert_eq!(
        sitemap_serde::to_string(&whole["urlset"]).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}")
    );
    assert_eq!(
        read::<serde_json::Value>(index("")).unwrap(),
        serde_json::json!({"sitemapindex": []})
    );
}

#[test]
fn entries_to_json_and_back() {
    #[expect(clippy::needless_pass_by_value, reason = "it reads better at the many calls")]
    fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
        let tree = serde_json::to_value(&value).unwrap();
        assert_eq!(serde_json::from_value::<T>(tree).unwrap(), value);
    }
    let full = entry::<UrlEntry>(full());
    let json = r#"{"loc":"https://example.com/a?b=1&c=2","lastmod":"2024-05-06T07:08:09Z","changefreq":"weekly","priority":0.5}"#;
    let bare = UrlEntry::new("https://example.com/");
    there_and_back(full.clone(), json);
    there_and_back(bare.clone(), r#"{"loc":"https://example.com/"}"#);
    there_and_back(UrlSet(vec![bare.clone()]), r#"[{"loc":"https://example.com/"}]"#);
    there_and_back(
        Document::UrlSet(UrlSet(vec![bare])),
        r#"{"urlset":[{"loc":"https://example.com/"}]}"#,
    );
    let mut sitemap = IndexEntry::new("https://example.com/1.xml");
    there_and_back(sitemap.clone(), r#"{"loc":"https://example.com/1.xml"}"#);
    sitemap.lastmod = Some("2024-05".parse().unwrap());
    there_and_back(
        Document::SitemapIndex(SitemapIndex(vec![sitemap])),
        r#"{"sitemapindex":[{"loc":"https://example.com/1.xml","lastmod":"2024-05"}]}"#,
    );
    for freq in ChangeFreq::ALL {
        there_and_back(freq, &format!("\"{freq}\""));
    }
    there_and_back(Priority::new(0.85).unwrap(), "0.85");
    there_and_back(Priority::MAX, "1.0");
    for text in [
        "2024",
        "2024-05",
        "2024-05-06",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09.120-00:00",
    ] {
        there_and_back(text.parse::<W3cDateTime>().unwrap(), &format!("\"{text}\""));
    }
    // A null is an absent value, and what breaks a rule in XML breaks it here.
    let nulls = r#"{"loc":"https://example.com/","lastmod":null,"changefreq":null,"priority":null}"#;
    assert_eq!(
        serde_json::from_str::<UrlEntry>(nulls).unwrap(),
        UrlEntry::new("https://example.com/")
    );
    for (json, message) in [
        (
            r#"{"loc":"/a"}"#,
            "`/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); \
             write it whole, or read it into a `String` and resolve it at line 1 column 11",
        ),
        (
            r#"{"loc":"https://example.com/","priority":1.5}"#,
            "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out at line 1 column 44",
        ),
        (
            r#"{"loc":"https://example.com/","lastmod":"2024-02-30"}"#,
            "`2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29 at line 1 \
             column 52",
        ),
        (
            r#"{"loc":"https://example.com/","changefreq":"Daily"}"#,
            "`Daily` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
             did you mean `daily`? at line 1 column 50",
        ),
    ] {
        assert_eq!(
            serde_json::from_str::<UrlEntry>(json).unwrap_err().to_string(),
            message
        );
    }
}

#[test]
fn priorities_and_dates_keep_how_they_are_written() {
    for priority in ["0.50", ".5", "1", "1.", "+0.5", "-0.0", "00.5"] {
        let read: UrlEntry = entry(with(&format!("<priority>{priority}</priority>")));
        assert_eq!(
            written(&read),
            format!("<loc>https://example.com/</loc><priority>{priority}</priority>")
        );
    }
    for lastmod in [
        "2024",
        "2024-05",
        "2024-05-06",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09.10+00:00",
    ] {
        let read: UrlEntry = entry(with(&format!("<lastmod>{lastmod}</lastmod>")));
        assert_eq!(
            written(&read),
            format!("<loc>https://example.com/</loc><lastmod>{lastmod}</lastmod>")
        );
    }
}

// ---- A reader that goes on. ----

#[test]
fn a_reader_takes_up_where_it_stopped() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>\
         <url><loc>https://example.com/3</loc></url>",
    );
    let rest = with_every_reader!(document.as_bytes(), reader => {
        let first = reader.deserialize::<HashMap<String, String>>().next().unwrap().unwrap();
        assert_eq!(first["loc"], "https://example.com/1");
        let second = reader.entries().next().unwrap().unwrap();
        assert_eq!(second.loc, "https://example.com/2");
        reader.kind().unwrap();
        drain(reader.deserialize::<IndexEntry>())
    });
    assert_eq!(rest, [Ok(IndexEntry::new("https://example.com/3"))]);
    assert_eq!(entries::<IndexEntry>(&document).len(), 3);
}

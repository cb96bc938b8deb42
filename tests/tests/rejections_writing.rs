//! Everything that is refused while writing: with which error, and what of it is out. And sinks that fail.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error as _;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use sitemap_serde::{
    Category, EntryWriter, Error, IndexEntry, Kind, Limits, Priority, SitemapEntry, SitemapIndex, UrlEntry,
    UrlSet, Writer, WriterBuilder,
};
use sitemap_tests::{CORE, Problem, checked_outcomes};

/// Refuses an entry in the middle of a document, and returns why. The document goes on without it.
#[track_caller]
fn refused_by<T: Serialize + ?Sized>(builder: &WriterBuilder, entry: &T) -> Problem {
    for pretty in [false, true] {
        let mut builder = builder.clone();
        builder.pretty(pretty);
        let good = |path: &str| BTreeMap::from([("loc", format!("https://example.com/{path}"))]);
        let mut expected = builder.from_writer(Vec::new());
        expected.serialize(&good("1")).unwrap();
        expected.flush().unwrap();
        let first = expected.get_ref().clone();
        expected.serialize(&good("3")).unwrap();
        let expected = String::from_utf8(expected.finish().unwrap()).unwrap();

        let mut writer = builder.from_writer(Vec::new());
        writer.serialize(&good("1")).unwrap();
        let problem = Problem::of(&writer.serialize(entry).unwrap_err());
        assert_eq!(writer.len(), 1);
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), &first, "nothing of the entry is out");
        assert_eq!(Problem::of(&writer.serialize(entry).unwrap_err()), problem);
        writer.serialize(&good("3")).unwrap();
        assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), expected);

        // As the first entry it is refused before the root is out, and the root still gets its end.
        let mut writer = builder.from_writer(Vec::new());
        writer.serialize(entry).unwrap_err();
        writer.flush().unwrap();
        assert!(writer.get_ref().is_empty());
        writer.serialize(&good("1")).unwrap();
        writer.serialize(&good("3")).unwrap();
        assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), expected);

        // As part of a sequence it is the same error.
        let mut serializer = builder.serializer_from_writer(Vec::new());
        let error = (good("1"), entry, good("3"))
            .serialize(&mut serializer)
            .unwrap_err();
        assert_eq!(Problem::of(&error), problem);
        let left = serializer.into_inner();
        assert!(!String::from_utf8(left).unwrap().contains("</urlset>"));
        if pretty {
            return problem;
        }
    }
    unreachable!()
}

#[track_caller]
fn refused<T: Serialize + ?Sized>(entry: &T) -> Problem {
    refused_by(&WriterBuilder::new(), entry)
}

#[track_caller]
fn is_refused<T: Serialize + ?Sized>(
    entry: &T,
    rule: impl Into<Option<&'static str>>,
    path: &str,
    message: &str,
) {
    is_refused_by(&WriterBuilder::new(), entry, rule, path, message);
}

#[track_caller]
fn is_refused_by<T: Serialize + ?Sized>(
    builder: &WriterBuilder,
    entry: &T,
    rule: impl Into<Option<&'static str>>,
    path: &str,
    message: &str,
) {
    assert_eq!(
        refused_by(builder, entry),
        Problem {
            category: Category::Data,
            place: None,
            entry: Some(2),
            path: Some(path.to_owned()),
            rule: rule.into(),
            message: format!("{message}, {path}"),
        }
    );
}

#[derive(Serialize)]
struct Page<L, F, P> {
    loc: &'static str,
    lastmod: L,
    changefreq: F,
    priority: P,
}

type None_ = Option<String>;

fn lastmod<L>(lastmod: L) -> Page<L, None_, None_> {
    Page {
        loc: "https://example.com/2",
        lastmod,
        changefreq: None,
        priority: None,
    }
}

fn changefreq<F>(changefreq: F) -> Page<None_, F, None_> {
    Page {
        loc: "https://example.com/2",
        lastmod: None,
        changefreq,
        priority: None,
    }
}

fn priority<P>(priority: P) -> Page<None_, None_, P> {
    Page {
        loc: "https://example.com/2",
        lastmod: None,
        changefreq: None,
        priority,
    }
}

// ---- The loc. ----

#[test]
fn no_loc() {
    let message = "no `loc`: every `url` has exactly one (P-DUP); give the entry its URL";
    #[derive(Serialize)]
    struct Page {
        loc: Option<String>,
        priority: f32,
    }
    is_refused(
        &Page {
            loc: None,
            priority: 0.5,
        },
        "P-DUP",
        "entry 2 · loc",
        message,
    );
    is_refused(
        &BTreeMap::from([("priority", 0.5)]),
        "P-DUP",
        "entry 2 · loc",
        message,
    );
    is_refused(
        &BTreeMap::<String, String>::new(),
        "P-DUP",
        "entry 2 · loc",
        message,
    );
}

#[test]
fn an_empty_loc() {
    for loc in ["", " ", "\n\t"] {
        is_refused(
            &UrlEntry::new(loc),
            "P-LOC",
            "entry 2 · loc",
            "the loc is empty: it is an absolute URL (P-LOC); write the address of the page",
        );
    }
}

#[test]
fn a_relative_loc_without_a_base() {
    for loc in ["/2", "2.html", "?2", "#2", "www.example.com"] {
        is_refused(
            &UrlEntry::new(loc),
            "P-LOC",
            "entry 2 · loc",
            &format!(
                "`{loc}` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
                 (P-LOC); write it whole, or give the writer a base and begin it with `/`"
            ),
        );
    }
    // And with one only what begins with `/` is completed.
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com");
    for loc in ["2.html", "?2", "../2"] {
        let problem = refused_by(&builder, &UrlEntry::new(loc));
        assert_eq!(problem.rule, Some("P-LOC"), "{loc}: {}", problem.message);
    }
}

/// What begins with `//` is an address without its scheme, and never a path below the base.
#[test]
fn a_loc_without_its_scheme() {
    let mut based = WriterBuilder::new();
    based.base("https://example.com");
    for builder in [WriterBuilder::new(), based] {
        for loc in ["//example.com/2", "///2"] {
            is_refused_by(
                &builder,
                &UrlEntry::new(loc),
                "P-LOC",
                "entry 2 · loc",
                &format!(
                    "`{loc}` begins with `//`, as a host does whose scheme is left out, so it is no path (P-LOC, RFC 3986 section \
                     4.2); write the scheme in front of it, or one `/` for a path; a path whose first segment is empty is written \
                     with its scheme and host"
                ),
            );
        }
    }
}

#[test]
fn a_loc_that_is_no_address_of_a_page() {
    for (loc, message) in [
        (
            "ftp://example.com/2",
            "is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address",
        ),
        (
            "mailto:a@example.com",
            "has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page",
        ),
        (
            "https:///2",
            "has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page",
        ),
        (
            "https://example.com:65536/",
            "has no valid host and port: they are a name or an address, and a number to 65535 (P-LOC, RFC 3986 section 3.2); \
             correct it",
        ),
        (
            "https://example..com/2",
            "has a host that no name server knows: between its dots are 1 to 63 characters, and 253 at most in all (P-LOC, RFC \
             1035 section 2.3.4); correct it",
        ),
        (
            "https://exa mple.com/",
            "has no valid host and port: they are a name or an address, and a number to 65535 (P-LOC, RFC 3986 section 3.2); \
             correct it",
        ),
    ] {
        is_refused(
            &UrlEntry::new(loc),
            "P-LOC",
            "entry 2 · loc",
            &format!("`{loc}` {message}"),
        );
    }
    is_refused(
        &UrlEntry::new("https://bücher..example/"),
        "P-IDN",
        "entry 2 · loc",
        "`https://bücher..example/` has a host outside ASCII that is no internationalized domain name: labels of at most 63 \
         characters, as UTS 46 allows them (P-IDN); correct it",
    );
}

#[test]
fn a_loc_on_another_site() {
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com/shop");
    for loc in [
        "https://example.org/",
        "http://example.com/",
        "https://example.com:8080/",
        "https://example.com.evil/",
    ] {
        is_refused_by(
            &builder,
            &UrlEntry::new(loc),
            "P-HOST",
            "entry 2 · loc",
            &format!(
                "`{loc}` is not on the site of the writer's base: all URLs of a file have its scheme, host and port (P-HOST); \
                 write them to a sitemap of their own, or allow cross-submission"
            ),
        );
    }
    builder.cross_submission(true);
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&UrlEntry::new("https://example.org/")).unwrap();
}

#[test]
fn a_base_that_is_none() {
    let long = format!("https://example.com/{}", "x".repeat(2048));
    for (base, why) in [
        ("", "it has no scheme and host"),
        ("example.com", "it has no scheme and host"),
        ("//example.com", "it has no scheme and host"),
        ("/shop", "it has no scheme and host"),
        ("https://", "it has no scheme and host"),
        ("ftp://example.com", "its scheme is another"),
        ("https://example.com:x", "its host or port is none"),
        (
            "https://example.com/\u{FFFE}",
            "it holds a character that no URL can hold",
        ),
        (&long, "it is longer than a loc may be"),
        ("https://example.com/?page=1", "it has a query or a fragment"),
        ("https://example.com/#top", "it has a query or a fragment"),
    ] {
        let mut writer = WriterBuilder::new().base(base).from_writer(Vec::new());
        for loc in ["/1", "https://example.com/"] {
            let problem = Problem::of(&writer.serialize(&UrlEntry::new(loc)).unwrap_err());
            let mut shown = base.replace('\u{FFFE}', "\\u{fffe}");
            shown.truncate(60);
            if base.len() > 60 {
                shown.push('…');
            }
            assert_eq!(
                problem.message,
                format!(
                    "`{shown}` is no base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
                     `https://example.com` or `https://example.com/shop` (P-LOC), entry 1 · loc"
                )
            );
            assert_eq!((problem.category, problem.rule), (Category::Data, Some("P-LOC")));
        }
    }
}

/// A document without entries says it too, and is not written.
#[test]
fn settings_that_are_wrong() {
    let mut wrong = vec![];
    let mut with = |message: &'static str, set: fn(&mut WriterBuilder)| {
        let mut builder = WriterBuilder::new();
        set(&mut builder);
        wrong.push((builder, message));
    };
    with("`example.com` is no base: it has no scheme and host", |builder| {
        builder.base("example.com");
    });
    with("`/sitemap.xml` is not where a sitemap can be", |builder| {
        builder.location("/sitemap.xml");
    });
    with("`klingon` is no encoding that is known", |builder| {
        builder.encoding("klingon");
    });
    with("`image` cannot be the prefix of a namespace", |builder| {
        builder.namespace("image", "urn:mine");
    });
    with("`shop` is the prefix of no namespace that is known", |builder| {
        builder.declare("shop");
    });
    for (builder, message) in wrong {
        let told = Problem::of(&builder.check().unwrap_err());
        assert!(told.message.starts_with(message), "{}", told.message);
        assert_eq!((told.category, told.entry), (Category::Data, None));

        let mut writer = builder.from_writer(Vec::new());
        for _ in 0..2 {
            assert_eq!(Problem::of(&writer.try_finish().unwrap_err()), told);
            let of_entry = Problem::of(
                &writer
                    .serialize(&UrlEntry::new("https://example.com/"))
                    .unwrap_err(),
            );
            assert!(of_entry.message.starts_with(message), "{}", of_entry.message);
            writer.flush().unwrap();
        }
        assert!(writer.get_ref().is_empty());
        assert_eq!(Problem::of(&writer.finish().unwrap_err()), told);

        let sink = Shared::default();
        drop(builder.from_writer(sink.clone()).finish());
        let empty: [UrlEntry; 0] = [];
        let mut serializer = builder.serializer_from_writer(sink.clone());
        assert_eq!(Problem::of(&empty.serialize(&mut serializer).unwrap_err()), told);
        drop(serializer);
        assert_eq!(sink.text(), "");
    }
    WriterBuilder::new().check().unwrap();
}

#[test]
fn a_loc_of_2049_characters() {
    let loc = |chars: usize| format!("https://example.com/{}", "x".repeat(chars - 20));
    let mut writer = Writer::from_writer(Vec::new());
    writer.serialize(&UrlEntry::new(loc(2048))).unwrap();
    is_refused(
        &UrlEntry::new(loc(2049)),
        "P-LOCLEN",
        "entry 2 · loc",
        &format!(
            "`https://example.com/{}…` has 2049 characters: 2048 are allowed (P-LOCLEN); shorten the URL or leave the page \
             out",
            "x".repeat(40)
        ),
    );
    // It is what is written that counts, after percent-encoding and with the base; but before XML's own escaping.
    let encoded = format!("https://example.com/{}", "é".repeat(338));
    writer.serialize(&UrlEntry::new(&encoded)).unwrap();
    is_refused(
        &UrlEntry::new(encoded + "é"),
        "P-LOCLEN",
        "entry 2 · loc",
        &format!(
            "`https://example.com/{}…` has 2054 characters: 2048 are allowed (P-LOCLEN); shorten the URL or leave the page \
             out",
            "é".repeat(40)
        ),
    );
    let ampersands = format!("https://example.com/?{}", "&".repeat(2027));
    writer.serialize(&UrlEntry::new(ampersands)).unwrap();
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com/");
    let mut based = builder.from_writer(Vec::new());
    based.serialize(&UrlEntry::new(&loc(2048)[19..])).unwrap();
    is_refused_by(
        &builder,
        &UrlEntry::new(&loc(2049)[19..]),
        "P-LOCLEN",
        "entry 2 · loc",
        &format!(
            "`https://example.com/{}…` has 2049 characters: 2048 are allowed (P-LOCLEN); shorten the URL or leave the page \
             out",
            "x".repeat(40)
        ),
    );
}

#[test]
fn characters_that_xml_cannot_hold() {
    for (c, shown) in [
        ('\0', "\\u{0}"),
        ('\u{1}', "\\u{1}"),
        ('\u{FFFE}', "\\u{fffe}"),
        ('\u{FFFF}', "\\u{ffff}"),
    ] {
        is_refused(
            &UrlEntry::new(format!("https://example.com/{c}")),
            "P-LOC",
            "entry 2 · loc",
            &format!(
                "`https://example.com/{shown}` holds U+{:04X}: no XML document and no URL can hold it (P-LOC); remove it",
                u32::from(c)
            ),
        );
    }
}

// ---- The other three. ----

#[test]
fn a_priority_out_of_range() {
    let message = |found: &str| {
        format!(
            "`{found}` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out"
        )
    };
    macro_rules! refused {
        ($($value:expr => $found:literal)*) => {$(
            is_refused(&priority($value), "P-PRIO", "entry 2 · priority", &message($found));
            is_refused(&priority(Some($value)), "P-PRIO", "entry 2 · priority", &message($found));
        )*};
    }
    refused! {
        1.5_f32 => "1.5"
        -0.1_f32 => "-0.1"
        f32::NAN => "NaN"
        f32::INFINITY => "inf"
        1.000_000_1_f32 => "1.0000001"
        1.5_f64 => "1.5"
        f64::NAN => "NaN"
        f64::NEG_INFINITY => "-inf"
        1.000_000_000_000_000_2_f64 => "1.0000000000000002"
        2_u8 => "2"
        10_i64 => "10"
        -1_i32 => "-1"
        u128::MAX => "340282366920938463463374607431768211455"
        "1.5" => "1.5"
        "high" => "high"
        "NaN" => "NaN"
        "5e-1" => "5e-1"
        "1.00000000000000000000001" => "1.00000000000000000000001"
        true => "true"
        'x' => "x"
    }
    is_refused(
        &priority("0,5"),
        "P-PRIO",
        "entry 2 · priority",
        "`0,5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`",
    );
    for good in ["0", "1", "0.0", "1.0", ".5", "-0", ""] {
        Writer::from_writer(Vec::new())
            .serialize(&priority(good))
            .unwrap();
    }
}

#[test]
fn a_changefreq_that_is_none() {
    #[derive(Serialize)]
    enum Often {
        Weekly,
    }
    let message = |found: &str, advice: &str| {
        format!(
            "`{found}` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
             {advice}"
        )
    };
    let none = "write one of these, or leave the field out";
    is_refused(
        &changefreq("often"),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("often", none),
    );
    is_refused(
        &changefreq(7),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("7", none),
    );
    is_refused(
        &changefreq(Often::Weekly),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("Weekly", "did you mean `weekly`?"),
    );
}

#[test]
fn a_lastmod_that_does_not_exist() {
    for (text, message) in [
        (
            "2024-02-30",
            "February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29",
        ),
        (
            "2024-05-06T07:08:09",
            "a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09Z` if it is in UTC, else its \
             offset",
        ),
        (
            "2024-05-06 07:08:09 UTC",
            "a `T` stands between the date and the time (P-LASTMOD); write `2024-05-06T07:08:09Z`",
        ),
        (
            "1714979289",
            "it begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like that, or leave the field out",
        ),
    ] {
        is_refused(
            &lastmod(text),
            "P-LASTMOD",
            "entry 2 · lastmod",
            &format!("`{text}` is not a W3C Datetime: {message}"),
        );
    }
}

// ---- The shape. ----

#[test]
fn an_unknown_field() {
    #[derive(Serialize)]
    struct Product {
        loc: &'static str,
        title: &'static str,
    }
    let message = |name: &str| {
        format!(
            "`{name}` is no field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; rename it with \
             `#[serde(rename = …)]`, or leave it out with `#[serde(skip_serializing)]`"
        )
    };
    is_refused(
        &Product {
            loc: "https://example.com/2",
            title: "x",
        },
        None,
        "entry 2 · title",
        &message("title"),
    );
    for name in ["Loc", "last_mod", "lastMod", "url", ""] {
        let path = format!("entry 2 · {name}");
        is_refused(
            &BTreeMap::from([("loc", "https://example.com/2"), (name, "x")]),
            None,
            if name.is_empty() { "entry 2" } else { &path },
            &message(name),
        );
    }
    // A field that holds nothing is nothing lost.
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
            "found {found} for a field of an entry: it is text, or a number for a priority; skip the field, or convert it with \
             `#[serde(serialize_with = …)]`"
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
    #[expect(clippy::large_enum_variant, reason = "as somebody would write it")]
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
        "entry 2 · loc",
        "a second `loc`: an entry has at most one (P-DUP); write the one that counts",
    );
}

// ---- The kind of document. ----

#[test]
fn entries_of_the_other_kind() {
    is_refused(
        &IndexEntry::new("https://example.com/2.xml"),
        "P-NS",
        "entry 2",
        "a `sitemap` entry in a urlset: a urlset lists `url` entries (P-NS); write it to a sitemapindex, with \
         `Kind::SitemapIndex` or the type `SitemapIndex`",
    );
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    is_refused_by(
        &builder,
        &UrlEntry::new("https://example.com/2"),
        "P-NS",
        "entry 2",
        "a `url` entry in a sitemapindex: a sitemapindex lists `sitemap` entries (P-NS); write it to a urlset, with \
         `Kind::UrlSet` or the type `UrlSet`",
    );
    for (found, error) in [
        (
            "sitemap",
            sitemap_serde::to_string(&UrlSet(vec![IndexEntry::new("https://example.com/")])),
        ),
        (
            "url",
            sitemap_serde::to_string(&SitemapIndex(vec![UrlEntry::new("https://example.com/")])),
        ),
    ] {
        let problem = Problem::of(&error.unwrap_err());
        assert_eq!((problem.rule, problem.entry), (Some("P-NS"), Some(1)));
        assert!(problem.message.starts_with(&format!("a `{found}` entry in a ")));
    }
}

#[test]
fn what_an_index_does_not_have() {
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    let message = |name: &str| {
        format!(
            "a `{name}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out"
        )
    };
    is_refused_by(
        &builder,
        &changefreq("daily"),
        "P-INDEXTAGS",
        "entry 2 · changefreq",
        &message("changefreq"),
    );
    is_refused_by(
        &builder,
        &priority(0.5),
        "P-INDEXTAGS",
        "entry 2 · priority",
        &message("priority"),
    );
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&lastmod("2024")).unwrap();
    assert_eq!(
        String::from_utf8(writer.finish().unwrap()).unwrap(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\"><sitemap>\
             <loc>https://example.com/2</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
        )
    );
}

// ---- Through `write`. ----

/// An entry that calls whatever it is told to.
struct Calls<F>(F);

impl<F: Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>> SitemapEntry for Calls<F> {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        (self.0)(entry)
    }
}

#[track_caller]
fn is_refused_when_written(
    write: impl Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>,
    path: &str,
    message: &str,
) {
    let good = Calls(|entry: &mut EntryWriter<'_>| entry.loc("https://example.com/1"));
    let mut writer = Writer::from_writer(Vec::new());
    writer.write(&good).unwrap();
    let problem = Problem::of(&writer.write(&Calls(write)).unwrap_err());
    assert_eq!(problem.message, format!("{message}, {path}"));
    assert_eq!(
        (problem.category, problem.path.as_deref()),
        (Category::Data, Some(path))
    );
    assert_eq!(writer.len(), 1);
    writer.write(&good).unwrap();
    assert_eq!(
        String::from_utf8(writer.finish().unwrap()).unwrap(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\
             <url><loc>https://example.com/1</loc></url></urlset>"
        )
    );
}

#[test]
fn entries_that_write_themselves() {
    is_refused_when_written(
        |_| Ok(()),
        "entry 2 · loc",
        "no `loc`: every `url` has exactly one (P-DUP); give the entry its URL",
    );
    is_refused_when_written(
        |entry| entry.loc("/2"),
        "entry 2 · loc",
        "`/2` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write it \
         whole, or give the writer a base and begin it with `/`",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            entry.loc("https://example.com/2")
        },
        "entry 2 · loc",
        "a second `loc`: an entry has at most one (P-DUP); write the one that counts",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            entry.priority(1.5)
        },
        "entry 2 · priority",
        "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            Err(Error::custom("the product has no shop"))
        },
        "entry 2",
        "the product has no shop",
    );
    // What one chooses to overlook is only left out.
    let mut writer = Writer::from_writer(Vec::new());
    writer
        .write(&Calls(|entry: &mut EntryWriter<'_>| {
            entry.loc("https://example.com/")?;
            let _ = entry.priority(f32::NAN);
            let _ = entry.loc("https://example.com/again");
            entry.changefreq("daily")
        }))
        .unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(xml.contains("<url><loc>https://example.com/</loc><changefreq>daily</changefreq></url>"));
}

#[test]
fn entries_that_are_not_listed() {
    struct Draft;
    impl SitemapEntry for Draft {
        fn is_listed(&self) -> bool {
            false
        }
        fn write_entry(&self, _: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            panic!("it is not to be asked")
        }
    }
    let mut writer = WriterBuilder::new()
        .limits(Limits::writing().entries(0))
        .from_writer(Vec::new());
    writer.write(&Draft).unwrap();
    assert!(writer.is_empty());
}

// ---- Too much. ----

fn is_full(error: &Error, rule: &'static str, entry: u64, message: &str) {
    assert_eq!(
        Problem::of(error),
        Problem {
            category: Category::Limit,
            place: None,
            entry: Some(entry),
            path: Some(format!("entry {entry}")),
            rule: Some(rule),
            message: format!("{message}, entry {entry}"),
        }
    );
}

#[test]
fn entry_50_001() {
    let mut writer = Writer::from_writer(Vec::new());
    for i in 0..50_000 {
        writer
            .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
            .unwrap();
    }
    let message = "the document is full: it has 50000 `url` entries, and 50000 are allowed (P-COUNT); finish it and write this \
                   entry to the next one";
    for _ in 0..2 {
        let error = writer
            .serialize(&UrlEntry::new("https://example.com/x"))
            .unwrap_err();
        is_full(&error, "P-COUNT", 50_001, message);
        let error = writer
            .write(&Calls(|_: &mut EntryWriter<'_>| Ok(())))
            .unwrap_err();
        is_full(&error, "P-COUNT", 50_001, message);
    }
    assert_eq!(writer.len(), 50_000);
    let document = writer.finish().unwrap();
    let entries = checked_outcomes(&document);
    assert_eq!(entries.len(), 50_000);
    assert_eq!(entries[49_999].as_ref().unwrap().loc, "https://example.com/49999");
    assert!(document.ends_with(b"<url><loc>https://example.com/49999</loc></url></urlset>"));

    let mut sitemaps = WriterBuilder::new()
        .kind(Kind::SitemapIndex)
        .limits(Limits::writing().entries(1))
        .from_writer(Vec::new());
    sitemaps
        .serialize(&IndexEntry::new("https://example.com/1.xml"))
        .unwrap();
    is_full(
        &sitemaps
            .serialize(&IndexEntry::new("https://example.com/2.xml"))
            .unwrap_err(),
        "P-COUNT",
        2,
        "the document is full: it has 1 `sitemap` entries, and 1 are allowed (P-COUNT); finish it and write this entry to the \
         next one",
    );
    // Through `to_string` it is the same.
    let too_many: Vec<_> = (0..50_001)
        .map(|i| UrlEntry::new(format!("https://example.com/{i}")))
        .collect();
    is_full(
        &sitemap_serde::to_string(&too_many).unwrap_err(),
        "P-COUNT",
        50_001,
        message,
    );
    assert_eq!(
        sitemap_serde::to_string(&too_many[..50_000])
            .unwrap()
            .into_bytes(),
        document
    );
}

/// An entry that is `bytes` long in a compact document.
fn entry_of(bytes: usize) -> UrlEntry {
    let rest = bytes - "<url><loc>https://example.com/</loc></url>".len();
    UrlEntry::new(format!("https://example.com/{}", "x".repeat(rest)))
}

#[test]
fn byte_52_428_801() {
    let frame =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\"></urlset>").len();
    let mut rest = 52_428_800 - frame;
    let mut writer = Writer::from_writer(Vec::new());
    let large = entry_of(2000);
    while rest > 4000 {
        writer.serialize(&large).unwrap();
        rest -= 2000;
    }
    let entries = writer.len();
    let message = |bytes: u64| {
        format!(
            "the document is full: with this entry it would have {bytes} bytes, and 52428800 are allowed (P-SIZE); finish it \
             and write this entry to the next one"
        )
    };
    // Two more that are one byte too large together.
    writer.serialize(&entry_of(rest - 1000)).unwrap();
    for more in [1, 2, 1000] {
        let error = writer.serialize(&entry_of(1000 + more)).unwrap_err();
        is_full(&error, "P-SIZE", entries + 2, &message(52_428_800 + more as u64));
    }
    writer.serialize(&entry_of(1000)).unwrap();
    let error = writer.serialize(&UrlEntry::new("http://a")).unwrap_err();
    is_full(&error, "P-SIZE", entries + 3, &message(52_428_800 + 30));
    assert_eq!(writer.len(), entries + 2);
    let document = writer.finish().unwrap();
    assert_eq!(document.len(), 52_428_800);
    assert!(document.ends_with(b"x</loc></url></urlset>"));
}

#[test]
fn the_size_is_exact_in_every_layout() {
    for pretty in [false, true] {
        for kind in [Kind::UrlSet, Kind::SitemapIndex] {
            for stylesheet in [false, true] {
                let mut builder = WriterBuilder::new();
                builder.pretty(pretty).kind(kind);
                if stylesheet {
                    builder.stylesheet("/sitemap.css?a&b");
                }
                let entry = |path: &str| {
                    BTreeMap::from([
                        ("loc", format!("https://example.com/?a&{path}")),
                        ("lastmod", "2024".to_owned()),
                    ])
                };
                let whole = |count: usize| {
                    let mut writer = builder.from_writer(Vec::new());
                    for _ in 0..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    writer.finish().unwrap()
                };
                for count in 1..4 {
                    let document = whole(count);
                    let limit = document.len() as u64;
                    let mut exact = builder.clone();
                    exact.limits(Limits::writing().bytes(limit));
                    let mut writer = exact.from_writer(Vec::new());
                    for _ in 0..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    assert_eq!(
                        writer.serialize(&entry("é")).unwrap_err().rule_id(),
                        Some("P-SIZE")
                    );
                    assert_eq!(writer.finish().unwrap(), document);

                    exact.limits(Limits::writing().bytes(limit - 1));
                    let mut writer = exact.from_writer(Vec::new());
                    for _ in 1..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    let error = writer.serialize(&entry("é")).unwrap_err();
                    is_full(
                        &error,
                        "P-SIZE",
                        count as u64,
                        &format!(
                            "the document is full: with this entry it would have {limit} bytes, and {} are allowed (P-SIZE); \
                             finish it and write this entry to the next one",
                            limit - 1
                        ),
                    );
                    assert_eq!(writer.finish().unwrap(), whole(count - 1));
                }
            }
        }
    }
}

// ---- After the end. ----

#[test]
fn nothing_follows_the_end() {
    let mut writer = Writer::from_writer(Vec::new());
    writer.serialize(&UrlEntry::new("https://example.com/")).unwrap();
    writer.try_finish().unwrap();
    let problem = Problem::of(
        &writer
            .serialize(&UrlEntry::new("https://example.com/2"))
            .unwrap_err(),
    );
    assert_eq!(
        problem.message,
        "the document is complete: no entry can follow the end of its root; write it to a new document, entry 2"
    );
    assert_eq!((problem.category, problem.entry), (Category::Data, Some(2)));
    assert_eq!(writer.len(), 1);
    writer.flush().unwrap();
    writer.try_finish().unwrap();
    let once = writer.get_ref().clone();
    assert_eq!(writer.finish().unwrap(), once);
    assert!(once.ends_with(b"</url></urlset>"));
}

// ---- A writer that is dropped. ----

/// A sink that others can look into.
#[derive(Clone, Debug, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether this crate, quick-xml and xml-rs take a document for a complete one; they have to be of one mind.
#[track_caller]
fn is_complete(document: &str) -> bool {
    #[derive(Deserialize)]
    struct Set {
        #[serde(default, rename = "url")]
        _url: Vec<BTreeMap<String, String>>,
    }
    let here = sitemap_serde::from_str::<UrlSet>(document).map_err(|error| error.category());
    let quick: Result<Set, _> = quick_xml::de::from_str(document);
    let events: Result<Vec<_>, _> = xml::EventReader::new(document.as_bytes()).into_iter().collect();
    assert_eq!(here.is_ok(), quick.is_ok(), "{document}");
    assert_eq!(here.is_ok(), events.is_ok(), "{document}");
    if let Err(category) = here {
        assert_eq!(category, Category::Eof, "{document}");
    }
    events.is_ok()
}

#[test]
fn a_writer_that_is_dropped_leaves_nothing_that_looks_complete() {
    for pretty in [false, true] {
        for count in [0, 1, 2, 5, 1000] {
            let sink = Shared::default();
            let mut writer = WriterBuilder::new().pretty(pretty).from_writer(sink.clone());
            for i in 0..count {
                writer
                    .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
                    .unwrap();
                if i == 3 {
                    writer.flush().unwrap();
                }
            }
            let mut finished = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
            for i in 0..count {
                finished
                    .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
                    .unwrap();
            }
            let finished = String::from_utf8(finished.finish().unwrap()).unwrap();
            assert!(is_complete(&finished));

            drop(writer);
            let left = sink.text();
            assert!(!is_complete(&left));
            // What was written is there, for somebody to look at; only the end is not.
            assert_eq!(left.matches("</url>").count(), count);
            assert!(finished.starts_with(&left));
            if count > 0 {
                assert_eq!(finished[left.len()..].trim(), "</urlset>");
            }
        }
    }
}

#[test]
fn an_early_return_does_not_publish_half_a_site() {
    fn publish(sink: Shared, rows: &[Result<&str, &str>]) -> Result<(), Box<dyn std::error::Error>> {
        let mut writer = WriterBuilder::new().base("https://example.com").from_writer(sink);
        for row in rows {
            writer.serialize(&UrlEntry::new((*row)?))?;
        }
        writer.finish()?;
        Ok(())
    }
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Ok("/2")]).unwrap();
    assert!(is_complete(&sink.text()));
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Err("the database is gone"), Ok("/2")]).unwrap_err();
    assert!(
        sink.text()
            .ends_with("<url><loc>https://example.com/1</loc></url>")
    );
    assert!(!is_complete(&sink.text()));
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Ok("x"), Ok("/2")]).unwrap_err();
    assert!(!is_complete(&sink.text()));
    let sink = Shared::default();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::from_writer(sink.clone());
        writer.serialize(&UrlEntry::new("https://example.com/1")).unwrap();
        panic!("in the middle");
    }));
    assert!(panicked.is_err());
    assert!(!is_complete(&sink.text()));
    // Nor does `to_writer`.
    let sink = Shared::default();
    sitemap_serde::to_writer(
        sink.clone(),
        &[UrlEntry::new("https://example.com/1"), UrlEntry::new("2")],
    )
    .unwrap_err();
    assert!(!is_complete(&sink.text()));
}

// ---- Sinks that fail. ----

/// Takes `room` bytes, never more than `step` at once, then fails with `error` (or, without one, takes nothing) until there is more
/// room.
#[derive(Debug)]
struct Tight {
    taken: Vec<u8>,
    room: usize,
    step: usize,
    error: Option<io::ErrorKind>,
    /// Whether every other call is interrupted.
    interrupting: bool,
    calls: usize,
    flushes: usize,
}

impl Tight {
    fn new(room: usize) -> Self {
        Tight {
            taken: Vec::new(),
            room,
            step: usize::MAX,
            error: Some(io::ErrorKind::StorageFull),
            interrupting: false,
            calls: 0,
            flushes: 0,
        }
    }
}

impl Write for Tight {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.interrupting && self.calls % 2 == 1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = bytes.len().min(self.step).min(self.room);
        if n == 0 && !bytes.is_empty() {
            return match self.error {
                Some(kind) => Err(io::Error::new(kind, "the disk is full")),
                None => Ok(0),
            };
        }
        self.room -= n;
        self.taken.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

fn pages(count: usize) -> Vec<UrlEntry> {
    (0..count)
        .map(|i| {
            let mut entry = UrlEntry::new(format!("https://example.com/{i}?a&b"));
            entry.priority = Some(Priority::DEFAULT);
            entry
        })
        .collect()
}

#[track_caller]
fn is_failure(error: &Error, kind: io::ErrorKind, text: &str) {
    assert_eq!(error.category(), Category::Io);
    let message = format!("cannot write the sitemap: {text}");
    let found = Problem::of(error);
    let path = found.path.map(|path| format!(", {path}")).unwrap_or_default();
    assert_eq!(found.message, message + &path);
    assert_eq!((found.place, found.rule), (None, None));
    let source: &io::Error = error.source().unwrap().downcast_ref().unwrap();
    assert_eq!((source.kind(), source.to_string().as_str()), (kind, text));
}

#[test]
fn a_sink_that_is_full_after_every_byte() {
    let pages = pages(3);
    let whole = sitemap_serde::to_vec(&pages).unwrap();
    for room in 0..whole.len() {
        let mut writer = Writer::from_writer(Tight::new(room));
        for page in &pages {
            writer.serialize(page).unwrap();
        }
        let error = writer.try_finish().unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
        assert_eq!(error.entry(), None);
        assert_eq!(
            writer.get_ref().taken,
            whole[..room],
            "what it took is still there"
        );
        assert_eq!(writer.get_ref().flushes, 0);
        is_failure(
            &writer.try_finish().unwrap_err(),
            io::ErrorKind::StorageFull,
            "the disk is full",
        );
        // More room, and it goes on where it stopped.
        writer.get_mut().room = 1;
        let again = writer.try_finish();
        assert_eq!(again.is_ok(), room + 1 == whole.len());
        writer.get_mut().room = usize::MAX;
        writer.try_finish().unwrap();
        assert_eq!(writer.finish().unwrap().taken, whole);

        // `finish` tells it too, and drops what it had.
        let mut writer = Writer::from_writer(Tight::new(room));
        writer.serialize(&pages[0]).unwrap();
        if room < 100 {
            is_failure(
                &writer.finish().unwrap_err(),
                io::ErrorKind::StorageFull,
                "the disk is full",
            );
        }
        let error = sitemap_serde::to_writer(Tight::new(room), &pages).unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
        let error = sitemap_serde::to_writer_pretty(Tight::new(room), &pages).unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
    }
    assert_eq!(io::Error::from(failure()).kind(), io::ErrorKind::StorageFull);
}

fn failure() -> Error {
    sitemap_serde::to_writer(Tight::new(0), &pages(1)).unwrap_err()
}

#[test]
fn a_sink_that_is_full_in_the_middle_of_a_large_document() {
    let pages = pages(2000);
    let whole = sitemap_serde::to_vec(&pages).unwrap();
    for room in [0, 1, 32_767, 32_768, 32_769, 70_000, whole.len() - 1] {
        let mut writer = Writer::from_writer(Tight::new(room));
        let mut failed = 0;
        let mut pages = pages.iter().peekable();
        while let Some(page) = pages.peek() {
            let before = writer.len();
            match writer.serialize(page) {
                Ok(()) => {
                    assert_eq!(writer.len(), before + 1);
                    pages.next();
                }
                Err(error) => {
                    is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
                    assert_eq!((writer.len(), error.entry()), (before, Some(before + 1)));
                    failed += 1;
                    assert_eq!(writer.get_ref().taken, whole[..room]);
                    writer.get_mut().room = usize::MAX;
                }
            }
        }
        assert_eq!(failed, usize::from(room + 32_768 + 1000 < whole.len()), "{room}");
        writer.get_mut().room = usize::MAX;
        writer.try_finish().unwrap();
        assert_eq!(writer.get_ref().taken.len(), whole.len());
        assert_eq!(writer.finish().unwrap().taken, whole);
    }
}

#[test]
fn short_and_interrupted_writes() {
    let pages = pages(3);
    for pretty in [false, true] {
        let mut builder = WriterBuilder::new();
        builder.pretty(pretty);
        let mut expected = builder.from_writer(Vec::new());
        for page in &pages {
            expected.serialize(page).unwrap();
        }
        let expected = expected.finish().unwrap();
        for step in [1, 2, 3, 7, 64] {
            for interrupting in [false, true] {
                let mut writer = builder.from_writer(Tight {
                    step,
                    interrupting,
                    ..Tight::new(usize::MAX)
                });
                for page in &pages {
                    writer.serialize(page).unwrap();
                    writer.flush().unwrap();
                }
                let sink = writer.finish().unwrap();
                assert_eq!(sink.taken, expected);
                assert_eq!(sink.flushes, 4);
            }
        }
    }
}

#[test]
fn a_sink_that_takes_nothing() {
    let mut writer = Writer::from_writer(Tight {
        error: None,
        ..Tight::new(10)
    });
    writer.serialize(&pages(1)[0]).unwrap();
    let error = writer.flush().unwrap_err();
    is_failure(
        &error,
        io::ErrorKind::WriteZero,
        &io::Error::from(io::ErrorKind::WriteZero).to_string(),
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::WriteZero);
    writer.get_mut().room = usize::MAX;
    assert_eq!(
        writer.finish().unwrap().taken,
        sitemap_serde::to_vec(&pages(1)).unwrap()
    );
}

/// Fails or panics when it is flushed.
#[derive(Debug)]
struct Unflushable(bool);

impl Write for Unflushable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(!self.0, "the sink panics");
        Err(io::Error::new(io::ErrorKind::BrokenPipe, "nobody reads"))
    }
}

#[test]
fn a_sink_that_cannot_be_flushed() {
    let mut writer = Writer::from_writer(Unflushable(false));
    writer.serialize(&pages(1)[0]).unwrap();
    is_failure(
        &writer.flush().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
    is_failure(
        &writer.try_finish().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
    is_failure(
        &writer.finish().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
}

#[test]
fn dropping_never_panics() {
    // A sink that fails.
    for room in [0, 10, 200] {
        let mut writer = Writer::from_writer(Tight::new(room));
        for page in pages(3) {
            writer.serialize(&page).unwrap();
        }
        drop(writer);
        let mut writer = Writer::from_writer(Tight::new(room));
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.try_finish();
        drop(writer);
    }
    let mut writer = Writer::from_writer(Unflushable(false));
    writer.serialize(&pages(1)[0]).unwrap();
    drop(writer);

    // A sink that panics is not called again on the way out, which would end the program.
    struct Panicking {
        calls: Rc<RefCell<usize>>,
    }
    impl Write for Panicking {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            *self.calls.borrow_mut() += 1;
            panic!("the sink panics")
        }
        fn flush(&mut self) -> io::Result<()> {
            panic!("the sink panics")
        }
    }
    let calls = Rc::new(RefCell::new(0));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::from_writer(Panicking { calls: calls.clone() });
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.flush();
    }));
    assert!(panicked.is_err());
    assert_eq!(*calls.borrow(), 1);
    let panicked = catch_unwind(|| {
        let mut writer = Writer::from_writer(Unflushable(true));
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.flush();
    });
    assert!(panicked.is_err());
}

#[test]
fn a_failed_finish_is_not_made_up_for_by_the_drop() {
    let sink = Shared::default();
    #[derive(Debug)]
    struct Once(Shared, bool);
    impl Write for Once {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.1, false) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.0.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::from_writer(Once(sink.clone(), true));
    writer.serialize(&pages(1)[0]).unwrap();
    writer.finish().unwrap_err();
    assert!(!is_complete(&sink.text()));
}

#[test]
fn a_file_that_cannot_be_created() {
    let path = std::env::temp_dir()
        .join("sitemap-serde-no-such-folder")
        .join("x.xml");
    let error = Writer::from_path(&path).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    assert_eq!(
        error.to_string(),
        format!("cannot create {}: {}", path.display(), error.source().unwrap())
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

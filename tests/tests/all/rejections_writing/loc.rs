//! Refused locs and settings.

use std::collections::BTreeMap;

use serde::Serialize;
use sitemap_serde::{ErrorKind, Image, UrlEntry, Writer, WriterBuilder};
use sitemap_tests::Problem;

use super::{is_refused, is_refused_by, refused_by};

#[test]
fn no_loc() {
    let message = "no `loc`: every `url` has exactly one (P-DUP); add the entry's URL";
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
                 (P-LOC); write the absolute URL, or give the writer a base and begin it with `/`"
            ),
        );
    }
    // With a base, only values that begin with `/` are completed.
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com");
    for loc in ["2.html", "?2", "../2"] {
        let problem = refused_by(&builder, &UrlEntry::new(loc));
        assert_eq!(problem.rule, Some("P-LOC"), "{loc}: {}", problem.message);
    }
}

/// A value that begins with `//` is an address without its scheme, never a path below the base.
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
                    "`{loc}` begins with `//`, as a host without its scheme does, so it is not a path (P-LOC, RFC 3986 section \
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
            "has an invalid port: a port is a number up to 65535 (P-LOC, RFC 3986 section 3.2); correct it",
        ),
        (
            "https://example..com/2",
            "has a host that no name server knows: between its dots are 1 to 63 characters, and 253 at most in all (P-LOC, RFC \
             1035 section 2.3.4); correct it",
        ),
        (
            "https://exa mple.com/",
            "has a character in its host that no host has (P-LOC, RFC 3986 section 3.2); correct it",
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
        "`https://bücher..example/` has a host outside ASCII that is not an internationalized domain name: labels of at most 63 \
         characters, as UTS 46 allows them (P-IDN); correct it",
    );
}

/// If there is a base, the text may be meant as a path.
#[test]
fn a_relative_url_with_a_base() {
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com");
    for loc in ["2", "about.html", "?page=2", "../2"] {
        is_refused_by(
            &builder,
            &UrlEntry::new(loc),
            "P-LOC",
            "entry 2 · loc",
            &format!(
                "`{loc}` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or begin it with `/`"
            ),
        );
        let mut entry = UrlEntry::new("https://example.com/2");
        entry.images.push(Image::new(loc));
        is_refused_by(
            &builder,
            &entry,
            "P-IMG2",
            "entry 2 · image:image[0] · image:loc",
            &format!(
                "`{loc}` is not an absolute URL: write it with its scheme and host, or begin it with `/` (P-IMG2)"
            ),
        );
    }
}

#[test]
fn a_loc_on_another_site() {
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com/shop");
    let elsewhere = "write them to a sitemap of their own, or allow cross-submission";
    for (loc, advice) in [
        ("https://example.org/", elsewhere),
        ("http://example.com/", "did you mean `https://example.com/`?"),
        ("https://example.com:8080/", elsewhere),
        ("https://example.com.evil/", elsewhere),
    ] {
        is_refused_by(
            &builder,
            &UrlEntry::new(loc),
            "P-HOST",
            "entry 2 · loc",
            &format!(
                "`{loc}` is not on the site of the writer's base, `https://example.com/shop`: all URLs of a file have its \
                 scheme, host and port (P-HOST); {advice}"
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
        (
            "example.com",
            "it has no scheme and host (did you mean `https://example.com`?)",
        ),
        (
            "//example.com",
            "it has no scheme and host (did you mean `https://example.com`?)",
        ),
        ("/shop", "it has no scheme and host, only a path"),
        ("https://", "it has no host"),
        ("ftp://example.com", "its scheme is another"),
        (
            "https://example.com/\u{FFFE}",
            "it holds a character that no URL can hold",
        ),
        (&long, "it is longer than a loc may be"),
        ("https://example.com/?page=1", "it has a query"),
        ("https://example.com/#top", "it has a fragment"),
    ] {
        let mut writer = WriterBuilder::new().base(base).from_writer(Vec::new());
        for (offered, loc) in [(1, "/1"), (2, "https://example.com/")] {
            let problem = Problem::of(&writer.serialize(&UrlEntry::new(loc)).unwrap_err());
            let mut shown = base.replace('\u{FFFE}', "\\u{fffe}");
            shown.truncate(60);
            if base.len() > 60 {
                shown.push('…');
            }
            let shown = match base {
                "" => "an empty text".to_owned(),
                _ => format!("`{shown}`"),
            };
            assert_eq!(
                problem.message,
                format!(
                    "{shown} is not a base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
                     `https://example.com` or `https://example.com/shop` (P-LOC), entry {offered} · loc"
                )
            );
            assert_eq!((problem.kind, problem.rule), (ErrorKind::Settings, Some("P-LOC")));
        }
    }
}

/// The rule is the one for hosts or ports.
#[test]
fn a_base_whose_host_or_port_is_wrong() {
    for (base, problem, rule) in [
        (
            "https://example.com:x",
            "an invalid port: a port is a number up to 65535",
            "P-LOC, RFC 3986 section 3.2",
        ),
        (
            "https://xn--.example.com",
            "a host of which a part begins with `xn--` and is punycode of no name",
            "P-IDN, RFC 3492",
        ),
    ] {
        assert_eq!(
            WriterBuilder::new().base(base).check().unwrap_err().to_string(),
            format!(
                "`{base}` is not a base: it has {problem}; a base is a scheme (http or https), a host, a port and a path prefix, \
                 such as `https://example.com` or `https://example.com/shop` ({rule})"
            )
        );
    }
}

/// A document without entries also reports it, and is not written.
#[test]
fn settings_that_are_wrong() {
    let mut wrong = vec![];
    let mut with = |message: &'static str, set: fn(&mut WriterBuilder)| {
        let mut builder = WriterBuilder::new();
        set(&mut builder);
        wrong.push((builder, message));
    };
    with(
        "`example.com` is not a base: it has no scheme and host (did you mean `https://example.com`?)",
        |builder| {
            builder.base("example.com");
        },
    );
    with("`/sitemap.xml` is not where a sitemap can be", |builder| {
        builder.location("/sitemap.xml");
    });
    with("`klingon` is not a known encoding", |builder| {
        builder.encoding("klingon");
    });
    with("`image` cannot be the prefix of a namespace", |builder| {
        builder.namespace("image", "urn:mine");
    });
    with(
        "`javascript:alert(1)` cannot be used as a stylesheet: its scheme is `javascript`",
        |builder| {
            builder.stylesheet("javascript:alert(1)");
        },
    );
    with(
        "`file:///etc/passwd` cannot be used as a stylesheet: its scheme is `file`",
        |builder| {
            builder.stylesheet("file:///etc/passwd");
        },
    );
    with(
        "the stylesheet's URL is empty; write the URL of a CSS or XSLT file, or set none",
        |builder| {
            builder.stylesheet(" ");
        },
    );
    with("`shop` is the prefix of no namespace that is known", |builder| {
        builder.declare("shop");
    });
    for (builder, message) in wrong {
        let told = Problem::of(&builder.check().unwrap_err());
        assert!(told.message.starts_with(message), "{}", told.message);
        assert_eq!((told.kind, told.entry), (ErrorKind::Settings, None));

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

        let empty: [UrlEntry; 0] = [];
        let mut serializer = builder.serializer_from_writer(Vec::new());
        assert_eq!(Problem::of(&empty.serialize(&mut serializer).unwrap_err()), told);
        assert!(serializer.into_inner().is_empty());
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
            "`https://example.com/{}…` has 2,049 characters: 2,048 are allowed (P-LOCLEN); shorten the URL or leave the page \
             out",
            "x".repeat(40)
        ),
    );
    // The written length counts, after percent-encoding and with the base, but before XML's own escaping.
    let encoded = format!("https://example.com/{}", "é".repeat(338));
    writer.serialize(&UrlEntry::new(&encoded)).unwrap();
    is_refused(
        &UrlEntry::new(encoded + "é"),
        "P-LOCLEN",
        "entry 2 · loc",
        &format!(
            "`https://example.com/{}…` has 2,054 characters: 2,048 are allowed (P-LOCLEN); shorten the URL or leave the page \
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
            "`https://example.com/{}…` has 2,049 characters: 2,048 are allowed (P-LOCLEN); shorten the URL or leave the page \
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

//! The values that a repair keeps from a broken tag, section or comment.

use std::io::Read;

use sitemap_serde::{Limits, Mode, ReaderBuilder, Record, Rule, UrlEntry};
use sitemap_tests::{Trickle, urlset};

use super::{lenient, strict};

fn entries(document: &str) -> Vec<UrlEntry> {
    ReaderBuilder::new()
        .mode(Mode::Lenient)
        .from_str(document)
        .entries()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn loc(markup: &str) -> String {
    let entries = entries(&urlset(&format!("<url>{markup}</url>")));
    assert_eq!(entries.len(), 1, "{markup}");
    entries[0].loc.clone()
}

#[test]
fn locs_in_broken_markup() {
    for markup in [
        // A `>` in quotes does not end a tag.
        "<loc title=\"a>b\" c>https://example.com/1</loc>",
        "<loc title='a>b' c>https://example.com/1</loc>",
        // Characters that XML cannot hold are left out, whether literal, in a section or as a reference.
        "<loc><![CDATA[https://example.com/\u{1}1]]></loc>",
        "<loc>https://example.com/\u{1}1</loc>",
        "<loc>https://example.com/&#1;1</loc>",
        "<loc>https://example.com/&#x0;1</loc>",
        // The delimiter of a section is damaged.
        "<loc><![CDATAhttps://example.com/1]]></loc>",
        "<loc><![CDhttps://example.com/1]]></loc>",
        "<loc><![cdata[https://example.com/1]]></loc>",
        // The loc's element is missing.
        "https://example.com/1",
        " \n https://example.com/1\n<lastmod>2024</lastmod>",
        // Invisible characters at the ends.
        "<loc>\u{200B}https://example.com/1\u{FEFF}</loc>",
    ] {
        assert_eq!(loc(markup), "https://example.com/1", "{markup}");
    }
}

/// A problem in every entry is repaired in every entry, even if everything else matches the entry before.
#[test]
fn every_entry_of_many_is_repaired() {
    let entry = |i: usize, end: &str| {
        format!("<url><loc>https://example.com/{i}{end}</loc><lastmod>2024</lastmod></url>\n")
    };
    for end in ["\u{200B}", "\u{A0}", "&#160;"] {
        let document = urlset(&(0..20).map(|i| entry(i, end)).collect::<String>());
        let (read, told) = lenient(document.as_bytes());
        let expected: Vec<_> = (0..20).map(|i| format!("https://example.com/{i}")).collect();
        assert_eq!((read.unwrap(), told.len()), (expected, 20), "{end}");
    }
    let within =
        |i: usize| format!("<url><loc>https://example.com/{i}</loc><lastmod><b>2024</b></lastmod></url>\n");
    let document = urlset(&(0..20).map(within).collect::<String>());
    assert!(strict(document.as_bytes()).is_some());
    let (read, told) = lenient(document.as_bytes());
    assert_eq!((read.unwrap().len(), told.len()), (20, 40), "{:#?}", &told[..4]);
}

/// A core name in another case has the schema's meaning only directly in an entry. Strict reading accepts it within an extension's element,
/// so it stays unchanged there.
#[test]
fn names_in_another_case_within_extensions() {
    let entry = "<url><loc>https://example.com/</loc><Priority>0.5</Priority><s:a><Loc>x</Loc></s:a>\
        <lastmod>2024</lastmod><PRIORITY>0.5</PRIORITY></url>\n";
    let document = urlset(&entry.repeat(4)).replacen("<urlset", "<urlset xmlns:s='urn:s'", 1);
    let mut builder = ReaderBuilder::new();
    let mut reader = builder
        .namespace("s", "urn:s")
        .mode(Mode::Lenient)
        .from_str(&document);
    let mut record = Record::new();
    while reader.read_record(&mut record).unwrap() {
        assert_eq!(
            (record.loc(), record.get("priority")),
            ("https://example.com/", Some("0.5"))
        );
        let extension = record.fields().find(|field| field.name() == "s:a").unwrap();
        let names: Vec<_> = extension.fields().map(|field| field.name().to_owned()).collect();
        assert_eq!(names, ["Loc"]);
    }
}

#[test]
fn attributes_and_prefixes_of_broken_tags() {
    let link = "<xhtml:link rel='alternate' hreflang='de' hreflang='en' href='https://example.com/de'/>";
    let image = "<image:image bad><image:loc>https://example.com/1.png</image:loc></image:image>";
    let document = urlset(&format!(
        "<url><loc>https://example.com/</loc>{link}{image}</url>"
    ));
    let entries = entries(&document);
    // The first of repeated attributes counts, and an undeclared prefix has its usual namespace.
    assert_eq!(
        entries[0].alternates[0]
            .hreflang
            .as_deref()
            .unwrap_or_default()
            .to_string(),
        "de"
    );
    assert_eq!(entries[0].images[0].loc, "https://example.com/1.png");
}

/// White space around a namespace name is ignored, even in an otherwise broken tag.
#[test]
fn namespaces_of_a_broken_root() {
    let image = "<i:image><i:loc>https://example.com/1.png</i:loc></i:image>";
    let document = urlset(&format!("<url><loc>https://example.com/</loc>{image}</url>")).replacen(
        '>',
        " xmlns:i=\" http://www.google.com/schemas/sitemap-image/1.1\n\" broken>",
        1,
    );
    assert_eq!(entries(&document)[0].images[0].loc, "https://example.com/1.png");
}

/// A comment without an end hides the end of the root, and is the only diagnostic.
#[test]
fn a_comment_without_its_end_before_the_end_of_the_root() {
    let document = urlset("<url><loc>https://example.com/1</loc></url><!-- x ");
    let (read, told) = lenient(document.as_bytes());
    assert_eq!(read.unwrap(), ["https://example.com/1"]);
    assert_eq!(told.len(), 1, "{told:#?}");
}

/// A limit ends lenient reading, even within an unclosed comment.
#[test]
fn limits_within_a_comment_that_does_not_end() {
    let document = urlset(&format!(
        "<url><loc>https://example.com/1</loc></url><!-- {}",
        "x".repeat(5000)
    ));
    let limits = Limits::reading().with_bytes(1000);
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.mode(Mode::Lenient).limits(limits).from_str(&document);
    let error = reader.entries().find_map(Result::err);
    assert_eq!(
        error.map(|error| error.kind()),
        Some(sitemap_serde::ErrorKind::Limit)
    );
}

/// The size limit is reached within a construct that is repaired. The position is the same in a stream whose window has moved.
#[test]
fn a_size_that_is_exceeded_in_a_repaired_construct() {
    for document in [
        "<?xml version=\"1.0\" 03</loencoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>",
        "<!-- - -- - --><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>",
        "<urlset a a=\"\" b=c xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>",
    ] {
        for bytes in 1..document.len() as u64 {
            let mut builder = ReaderBuilder::new();
            builder
                .mode(Mode::Lenient)
                .limits(Limits::reading().with_bytes(bytes));
            let whole = builder.from_str(document).entries().next();
            let stream = builder
                .from_reader(Trickle::new(document.as_bytes()))
                .entries()
                .next();
            let [whole, stream] = [whole, stream].map(|found| {
                let error = found.expect("too large").unwrap_err();
                (error.position(), error.to_string())
            });
            assert_eq!(whole, stream, "{bytes} bytes of {document}");
        }
    }
}

/// The first valid element of a repeated element counts, even if it contains elements.
#[test]
fn the_second_news_of_an_entry_if_the_first_is_invalid() {
    let news = |language: &str, date: &str, title: &str| {
        format!(
            "<news:news><news:publication><news:name>N</news:name>{language}</news:publication>\
             <news:publication_date>{date}</news:publication_date>{title}</news:news>"
        )
    };
    let (language, title) = (
        "<news:language>en</news:language>",
        "<news:title>first</news:title>",
    );
    let valid = news(language, "2024-05-06", "<news:title>valid</news:title>");
    let cases = [
        (news(language, "now", title), Rule::News3),
        (news("", "2024-05-07", title), Rule::News1),
        (news(language, "2024-05-07", ""), Rule::News1),
        ("<news:news/>".to_owned(), Rule::News4),
        ("<news:news></news:news>".to_owned(), Rule::News4),
    ];
    for (invalid, rule) in cases {
        for (markup, count) in [
            (format!("{invalid}{valid}"), 1),
            (format!("{valid}{invalid}"), 1),
            (format!("{invalid}{valid}{invalid}"), 2),
        ] {
            let document = format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                 xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\
                 <url><loc>https://example.com/1</loc>{markup}</url></urlset>"
            );
            let is_first = markup.starts_with(&invalid);
            for mode in [Mode::Lenient, Mode::Strict] {
                let mut reader = ReaderBuilder::new().mode(mode).from_str(&document);
                let (entry, problems) = reader.entries().with_diagnostics().next().unwrap().unwrap();
                let title = entry.news.map(|news| news.title);
                assert_eq!(title.as_deref(), Some("valid"), "{mode:?}: {markup}");
                let rules: Vec<_> = problems
                    .iter()
                    .chain(reader.diagnostics())
                    .map(sitemap_serde::Diagnostic::rule)
                    .collect();
                let expected = if is_first { rule } else { Rule::News4 };
                assert_eq!(rules.len(), count, "{mode:?}: {markup}: {rules:?}");
                assert_eq!(rules[0], expected, "{mode:?}: {markup}");
            }
        }
    }
}

/// An element with text and attributes is valid with both.
#[test]
fn the_second_restriction_if_the_first_is_invalid() {
    let valid = "<video:restriction relationship=\"allow\">DE</video:restriction>";
    for invalid in [
        "<video:restriction>FR</video:restriction>",
        "<video:restriction relationship=\"maybe\">FR</video:restriction>",
        "<video:restriction relationship=\"allow\">France</video:restriction>",
    ] {
        for markup in [format!("{invalid}{valid}"), format!("{valid}{invalid}")] {
            let document = format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                 xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\
                 <url><loc>https://example.com/1</loc><video:video>\
                 <video:thumbnail_loc>https://example.com/1.jpg</video:thumbnail_loc><video:title>T</video:title>\
                 <video:description>D</video:description><video:content_loc>https://example.com/1.mp4</video:content_loc>\
                 {markup}</video:video></url></urlset>"
            );
            let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(&document);
            let (mut entry, problems) = reader.entries().with_diagnostics().next().unwrap().unwrap();
            let kept = entry.videos.remove(0).restriction;
            assert_eq!(
                kept.map(|kept| kept.countries.join(" ")).as_deref(),
                Some("DE"),
                "{markup}"
            );
            assert_eq!(problems.len() + reader.diagnostics().len(), 1, "{markup}");
        }
    }
}

/// Several sitemaps in sequence, each in a wrong namespace: their entries are read, for any pieces of input.
#[test]
fn later_roots_in_wrong_namespaces() {
    let root = |prefix: &str, uri: &str, n: usize| {
        let (name, declared) = match prefix {
            "" => (String::new(), format!(" xmlns=\"{uri}\"")),
            _ => (format!("{prefix}:"), format!(" xmlns:{prefix}=\"{uri}\"")),
        };
        // More declarations than the scanner remembers.
        let others: Vec<String> = (0..n * 10)
            .map(|i| format!("<x xmlns=\"urn:{n}:{i}\"><url><loc>https://example.com/no</loc></url></x>"))
            .collect();
        let others = others.concat();
        format!(
            "<{name}urlset{declared}>{others}<{name}url><{name}loc>https://example.com/{n}</{name}loc></{name}url></{name}urlset>"
        )
    };
    let core = "http://www.sitemaps.org/schemas/sitemap/0.9";
    for roots in [
        [("", "urn:a"), ("", "urn:a"), ("", "urn:a")],
        [("s", "urn:a"), ("s", "urn:a"), ("s", "urn:a")],
        [("", "urn:a"), ("s", "urn:a"), ("t", "urn:a")],
        [("", "urn:a"), ("", "urn:b"), ("", "urn:a")],
        [("", core), ("", "urn:a"), ("s", "urn:b")],
        [("", "urn:a"), ("", core), ("", "urn:a")],
        [("", ""), ("", "urn:a"), ("", "")],
    ] {
        let document: String = roots
            .iter()
            .enumerate()
            .map(|(n, (prefix, uri))| root(prefix, uri, n))
            .collect();
        let expected = entries(&document);
        let locs: Vec<_> = expected.iter().map(|entry| &*entry.loc).collect();
        assert_eq!(
            locs,
            [
                "https://example.com/0",
                "https://example.com/1",
                "https://example.com/2"
            ],
            "{document}"
        );
        let mut builder = ReaderBuilder::new();
        let mut reader = builder
            .mode(Mode::Lenient)
            .from_reader(Trickle::new(document.as_bytes()));
        let streamed: Vec<_> = reader.entries().collect::<Result<_, _>>().unwrap();
        assert_eq!(streamed, expected, "{document}");
    }
}

/// An element with an invalid name ends without another repair, whether its end tag is in the window or not.
#[test]
fn the_end_tag_of_a_name_that_is_not_valid() {
    for name in ["a:b:c", ":a", "a:", "vIdeo:titlevideo:title", "a::b"] {
        for space in ["", " "] {
            let document = urlset(&format!(
                "<url><loc>https://example.com/1</loc><{name}>x</{name}{space}></url>"
            ));
            let told = |reader: &mut dyn Read| {
                let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_reader(reader);
                assert_eq!(reader.entries().flatten().count(), 1, "{name}");
                let told = reader.diagnostics().iter().map(ToString::to_string);
                told.collect::<Vec<_>>()
            };
            let whole = told(&mut document.as_bytes());
            assert_eq!(whole, told(&mut Trickle::new(document.as_bytes())), "{name}");
            assert_eq!(whole.len(), 1 + space.len(), "{whole:#?}");
        }
    }
}

/// Unclosed elements are closed where the next one begins, up to the nesting limit of strict reading.
#[test]
fn locs_within_locs() {
    let document = |locs: usize, end: &str| {
        let inner = format!("<loc>http://e.com/{end}").repeat(locs);
        urlset(&format!("<url><loc>http://e.com/</loc></url><url>{inner}"))
    };
    let (read, _) = lenient(document(126, "").as_bytes());
    assert_eq!(read.unwrap().len(), 2);
    let too_many = document(127, "");
    let (read, told) = lenient(too_many.as_bytes());
    let error = "elements nested to 129 levels, and 128 are allowed; if you trust the document, read it with `Limits::trusted`, at line 1, \
        column 2369 (byte 2368), entry 2";
    assert_eq!(read.unwrap_err(), error);
    assert_eq!(strict(too_many.as_bytes()).unwrap(), error);
    assert_eq!(told.len(), 125);
    // The same for elements with broken start tags.
    for tag in ["<x:>", "<image:image>", "<b a=1>"] {
        let document = urlset(&format!("<url>{}", tag.repeat(200)));
        let (read, _) = lenient(document.as_bytes());
        let error = read.unwrap_err();
        let expected = "elements nested to 129 levels, and 128 are allowed; if you trust the document, read it with `Limits::trusted`, at line 1";
        assert_eq!(error.split(", column").next(), Some(expected), "{tag}");
    }
    // Closed elements are not nested.
    let (read, _) = lenient(document(500, "<lastmod>2024</lastmod></loc>").as_bytes());
    assert_eq!(read.unwrap().len(), 2);
}

/// If a section begins with a multi-byte character, positions after it have correct lines.
#[test]
fn lines_behind_a_damaged_section() {
    let entries = "<url><loc><![CDATA\u{E9}https://example.com/1]]></loc></url>\n<url><loc>none</loc></url>";
    let document = urlset(entries);
    // In windows-1252, all of it is decoded into one window.
    let bytes = document.replace('é', "\u{0}").into_bytes();
    let bytes: Vec<u8> = bytes.into_iter().map(|b| if b == 0 { 0xE9 } else { b }).collect();
    for document in [document.as_bytes(), &bytes] {
        let (_, told) = lenient(document);
        let found = told.iter().find(|told| told.contains("`none`")).unwrap();
        assert!(found.contains("at line 2, column 11"), "{told:?}");
    }
}

/// Two references to the halves of a character in UTF-16 are that character, and nothing is lost. One half is lost.
#[test]
fn references_to_halves_of_a_character() {
    for (reference, read, is_loss) in [
        ("&#55356;&#57118;", "\u{1F31E}", false),
        ("&#xD83C;&#xDF1E;", "\u{1F31E}", false),
        ("&#55356;", "", true),
        ("&#57118;&#55356;", "", true),
    ] {
        let document = urlset(&format!("<url><loc>https://example.com/{reference}</loc></url>"));
        let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(&document);
        let entry = reader.entries().next().unwrap().unwrap();
        assert_eq!(entry.loc, format!("https://example.com/{read}"), "{reference}");
        let found = reader.diagnostics();
        assert_eq!(
            (found[0].rule(), found[0].is_loss()),
            (Rule::Xml, is_loss),
            "{reference}"
        );
        if !is_loss {
            assert_eq!(
                found[0].message(),
                format!(
                    "`{reference}` are references to the halves of one character in UTF-16, which no XML document can hold (XML 1.0 \
                     section 4.1); write the character itself, or `&#x1F31E;`"
                )
            );
        }
    }
}

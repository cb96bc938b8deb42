//! Every document that is refused: with which error, at which place, what stays readable before it and what comes after.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

use std::error::Error as _;
use std::io::{self, Read, Write};

use serde::Deserialize;
use serde::de::IgnoredAny;
use sitemap_serde::{
    Category, Document, IndexEntry, Kind, Limits, Reader, ReaderBuilder, Record, SitemapIndex, UrlEntry,
    UrlSet,
};
use sitemap_tests::{
    CORE, Chunks, Marked, Problem, Random, Trickle, checked_outcomes, drain, index, marked, outcomes, read,
    urlset, with_every_reader,
};

/// What is expected of a document that is refused.
struct Rejection<'a> {
    /// The document, with the mark `‸` where the error is.
    document: &'a str,
    category: Category,
    rule: Option<&'static str>,
    path: Option<&'a str>,
    /// The message up to its place and path, which are appended.
    message: &'a str,
    /// The locs that are read before the error, and after it.
    before: &'a [&'a str],
    after: &'a [&'a str],
}

impl Rejection<'_> {
    fn problem(&self) -> (String, Problem) {
        let document = marked(self.document);
        let (line, column, byte) = document.place;
        let path = self.path.map(|path| format!(", {path}")).unwrap_or_default();
        let problem = Problem {
            category: self.category,
            place: Some(document.place),
            entry: self.path.map(|path| {
                let number = path.strip_prefix("entry ").expect("a path begins with its entry");
                number.split(' ').next().unwrap().parse().unwrap()
            }),
            path: self.path.map(str::to_owned),
            rule: self.rule,
            message: format!(
                "{}, at line {line}, column {column} (byte {byte}){path}",
                self.message
            ),
        };
        (document.text, problem)
    }

    /// Reads it as pages, in every way: entry by entry, checked or through serde, and whole.
    fn assert(&self) {
        let (document, problem) = self.problem();
        let outcomes = outcomes::<UrlEntry>(&document);
        self.assert_outcomes(&outcomes, &problem);
        assert_eq!(checked_outcomes(&document), outcomes);
        assert_eq!(read::<Vec<UrlEntry>>(&document), Err(problem.clone()));
        assert_eq!(read::<UrlSet>(&document), Err(problem.clone()));
        assert_eq!(read::<Document>(&document), Err(problem));
    }

    fn assert_outcomes(&self, outcomes: &[Result<UrlEntry, Problem>], problem: &Problem) {
        let told: Vec<Result<&str, &Problem>> = outcomes
            .iter()
            .map(|outcome| outcome.as_ref().map(|entry| entry.loc.as_str()))
            .collect();
        let mut expected: Vec<Result<&str, &Problem>> = self.before.iter().map(|&loc| Ok(loc)).collect();
        expected.push(Err(problem));
        expected.extend(self.after.iter().map(|&loc| Ok(loc)));
        assert_eq!(told, expected);
    }
}

/// What is said of an HTML page.
const HTML: &str = "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the \
                    address gave, an error page perhaps";

const FIRST: &str = "https://example.com/1";
const THIRD: &str = "https://example.com/3";

/// A document with something between two entries that are right.
fn between(middle: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n  \
         <url><loc>{FIRST}</loc></url>\n  <!-- é -->{middle}\n  <url><loc>{THIRD}</loc></url>\n</urlset>\n"
    )
}

/// A second entry that breaks a rule: the third comes after it.
#[track_caller]
fn breaks(entry: &str, rule: &'static str, path: &str, message: &str) {
    Rejection {
        document: &between(entry),
        category: Category::Data,
        rule: Some(rule),
        path: Some(path),
        message,
        before: &[FIRST],
        after: &[THIRD],
    }
    .assert();
}

/// A second entry that is no XML: nothing comes after it.
#[track_caller]
fn ends(entry: &str, category: Category, rule: Option<&'static str>, path: Option<&str>, message: &str) {
    Rejection {
        document: &between(entry),
        category,
        rule,
        path,
        message,
        before: &[FIRST],
        after: &[],
    }
    .assert();
}

/// A whole document of which nothing can be read.
#[track_caller]
fn is_none(document: &str, category: Category, rule: Option<&'static str>, message: &str) {
    Rejection {
        document,
        category,
        rule,
        path: None,
        message,
        before: &[],
        after: &[],
    }
    .assert();
    // Nor does it have a kind, and asked again it says that it was told.
    let document = document.replace('‸', "");
    with_every_reader!(document.as_bytes(), reader => {
        let first = Problem::of(&reader.kind().unwrap_err());
        let again = Problem::of(&reader.kind().unwrap_err());
        assert_eq!(
            again.message,
            "the document's root could not be read, as an error before this one says"
        );
        assert!(reader.entries().find_map(Result::ok).is_none());
        first
    });
}

// ---- The root. ----

#[test]
fn an_html_page() {
    is_none(
        "‸<html><head><title>404</title></head><body><p>Not found<br></p></body></html>",
        Category::Data,
        Some("P-NS"),
        HTML,
    );
    is_none(
        "<?xml version=\"1.0\"?>\n\n‸<HTML xmlns=\"http://www.w3.org/1999/xhtml\"/>",
        Category::Data,
        Some("P-NS"),
        HTML,
    );
}

#[test]
fn another_root() {
    is_none(
        "<?xml version=\"1.0\"?>\n‸<rss version=\"2.0\"><channel><link>https://example.com/</link></channel></rss>",
        Category::Data,
        Some("P-NS"),
        "the root is `rss`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); read this document with something else",
    );
    is_none(
        &format!("‸<url xmlns=\"{CORE}\"><loc>https://example.com/</loc></url>"),
        Category::Data,
        Some("P-NS"),
        "the root is `url`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); read this document with something else",
    );
    is_none(
        &format!("‸<URLSET xmlns=\"{CORE}\"/>"),
        Category::Data,
        Some("P-NS"),
        "the root is `URLSET`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); read this document with something else",
    );
    is_none(
        "‸<x:urlset xmlns:x=\"urn:x\"><x:url/></x:urlset>",
        Category::Data,
        Some("P-NS"),
        "the root `x:urlset` is in a namespace that is no sitemap's: it is \
         `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`",
    );
}

/// Both kinds can be told apart, but not be taken for one another.
#[test]
fn an_index_where_a_urlset_was_asked_for() {
    let text = format!(
        "<?xml version=\"1.0\"?>\n‸{}",
        index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>")
    );
    let document = marked(&text).text;
    let told = Problem {
        category: Category::Data,
        place: Some((2, 1, 22)),
        entry: None,
        path: None,
        rule: Some("P-NS"),
        message: "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as \
                  `SitemapIndex` or `Document`, and then the sitemaps that it lists, at line 2, column 1 (byte 22)"
            .to_owned(),
    };
    assert_eq!(marked(&text).place, told.place.unwrap());
    assert_eq!(checked_outcomes(&document), [Err(told.clone())]);
    assert_eq!(read::<Vec<UrlEntry>>(&document), Err(told.clone()));
    assert_eq!(read::<Vec<IndexEntry>>(&document), Err(told.clone()));
    assert_eq!(
        read::<std::collections::BTreeSet<String>>(&document),
        Err(told.clone())
    );
    assert_eq!(read::<[UrlEntry; 1]>(&document), Err(told.clone()));
    assert_eq!(read::<(UrlEntry,)>(&document), Err(told.clone()));
    assert_eq!(read::<Box<[UrlEntry]>>(&document), Err(told.clone()));
    assert_eq!(read::<Option<Vec<UrlEntry>>>(&document), Err(told.clone()));
    assert_eq!(read::<UrlSet>(&document), Err(told.clone()));
    assert_eq!(read::<UrlSet<IndexEntry>>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pages {
        url: Vec<UrlEntry>,
    }
    assert_eq!(read::<Pages>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Wrapped(Vec<UrlEntry>);
    assert_eq!(read::<Wrapped>(&document), Err(told));

    // After its own question the reader still has the entries, as what they are.
    with_every_reader!(document.as_bytes(), reader => {
        assert_eq!(reader.kind().unwrap(), Kind::SitemapIndex);
        drain(reader.deserialize::<IndexEntry>())
    });
    // But after the error of `entries` there is nothing.
    with_every_reader!(document.as_bytes(), reader => {
        assert!(reader.entries().next().unwrap().is_err());
        assert!(reader.entries().next().is_some_and(|again| again.is_err()));
        drain(reader.deserialize::<IndexEntry>())
    });
}

#[test]
fn an_empty_index_is_no_empty_list() {
    let problem = read::<Vec<UrlEntry>>(index("")).unwrap_err();
    assert_eq!(problem.category, Category::Data);
    assert_eq!(
        problem.message,
        "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as `SitemapIndex` or \
         `Document`, and then the sitemaps that it lists, at line 1, column 1 (byte 0)"
    );
    assert_eq!(read::<Vec<UrlEntry>>(urlset("")), Ok(vec![]));
    assert_eq!(read::<SitemapIndex>(index("")), Ok(SitemapIndex(vec![])));
}

#[test]
fn a_urlset_where_an_index_was_asked_for() {
    let document = urlset("<url><loc>https://example.com/</loc></url>");
    let told = Problem {
        category: Category::Data,
        place: Some((1, 1, 0)),
        entry: None,
        path: None,
        rule: Some("P-NS"),
        message: "this is a urlset, which lists pages, and a sitemapindex was asked for (P-NS); read it as `UrlSet` or \
                  `Document`, at line 1, column 1 (byte 0)"
            .to_owned(),
    };
    assert_eq!(read::<SitemapIndex>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Sitemaps {
        sitemap: Vec<IndexEntry>,
    }
    assert_eq!(read::<Sitemaps>(&document), Err(told));
}

#[test]
fn entries_of_the_other_kind() {
    breaks(
        "‸<sitemap><loc>https://example.com/2.xml</loc></sitemap>",
        "P-NS",
        "entry 2",
        "a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own",
    );
    let document = marked(&index(
        "\n<sitemap><loc>https://example.com/1.xml</loc></sitemap>\n‸<url><loc>https://example.com/</loc></url>\n\
         <sitemap><loc>https://example.com/2.xml</loc></sitemap>",
    ));
    let told = outcomes::<IndexEntry>(&document.text);
    assert_eq!(told[0], Ok(IndexEntry::new("https://example.com/1.xml")));
    assert_eq!(
        told[1].as_ref().unwrap_err(),
        &Problem {
            category: Category::Data,
            place: Some(document.place),
            entry: Some(2),
            path: Some("entry 2".to_owned()),
            rule: Some("P-NS"),
            message: "a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only (P-NS); move it \
                      to a document of its own, at line 3, column 1 (byte 123), entry 2"
                .to_owned(),
        }
    );
    assert_eq!(told[2], Ok(IndexEntry::new("https://example.com/2.xml")));
    assert_eq!(told.len(), 3);
}

// ---- The loc. ----

#[test]
fn no_loc() {
    for entry in [
        "‸<url/>",
        "‸<url></url>",
        "‸<url><priority>0.5</priority></url>",
        "‸<url><x:loc xmlns:x=\"urn:x\">https://example.com/</x:loc></url>",
        "‸<url><text><loc>https://example.com/</loc></text></url>",
        "‸<url>https://example.com/</url>",
    ] {
        breaks(
            entry,
            "P-DUP",
            "entry 2 · loc",
            "no `loc`: every `url` has exactly one (P-DUP); give it its URL, or remove it",
        );
    }
}

#[test]
fn two_of_what_there_is_one_of() {
    breaks(
        "<url><loc>https://example.com/2</loc><loc>‸https://example.com/2</loc></url>",
        "P-DUP",
        "entry 2 · loc",
        "a second `loc`: a `url` has at most one (P-DUP); remove the one that does not count",
    );
    breaks(
        "<url><loc>https://example.com/2</loc><lastmod/> <!-- --><priority>1</priority><lastmod>\n ‸2024</lastmod></url>",
        "P-DUP",
        "entry 2 · lastmod",
        "a second `lastmod`: a `url` has at most one (P-DUP); remove the one that does not count",
    );
    breaks(
        "<url><changefreq>daily</changefreq><loc>https://example.com/2</loc><changefreq>‸daily</changefreq></url>",
        "P-DUP",
        "entry 2 · changefreq",
        "a second `changefreq`: a `url` has at most one (P-DUP); remove the one that does not count",
    );
    breaks(
        "<url><priority>0</priority><priority>‸0</priority><priority>0</priority><loc>https://example.com/2</loc></url>",
        "P-DUP",
        "entry 2 · priority",
        "a second `priority`: a `url` has at most one (P-DUP); remove the one that does not count",
    );
}

#[test]
fn an_element_within_text() {
    let within = |name: &str| {
        format!(
            "an element within `{name}`, which holds text alone (P-ESC); remove it, or write its `<` as `&lt;` if it is text"
        )
    };
    for entry in [
        "<url><loc>https://example.com/‸<x><b>2</b></x>2</loc></url>",
        "<url><loc>https://example.com/‸<b>2</b>2</loc></url>",
        "<url><loc>‸<b>2</b>https://example.com/2</loc></url>",
        "<url><loc> <!-- --> ‸<b/></loc></url>",
        "<url><loc id=\"1\">‸<priority>1</priority>https://example.com/2</loc></url>",
        "<url><loc>‸<x xmlns=\"urn:x\"/>https://example.com/2</loc><lastmod><x/></lastmod></url>",
        "<url><loc>‸<loc>https://example.com/2</loc></loc></url>",
    ] {
        breaks(entry, "P-ESC", "entry 2 · loc", &within("loc"));
    }
    breaks(
        "<url><loc>https://example.com/2</loc><lastmod>2024‸<b>-01</b></lastmod></url>",
        "P-ESC",
        "entry 2 · lastmod",
        &within("lastmod"),
    );
}

#[test]
fn an_empty_loc() {
    for entry in [
        "<url><loc>‸</loc></url>",
        "<url><loc/>‸</url>",
        "<url><loc>‸<!-- nothing --></loc></url>",
        "<url><loc>‸<![CDATA[]]></loc></url>",
    ] {
        breaks(
            entry,
            "P-LOC",
            "entry 2 · loc",
            "the loc is empty: it is an absolute URL (P-LOC); write the address of the page",
        );
    }
}

#[test]
fn a_relative_loc() {
    for loc in ["/2", "2.html", "//example.com/2", "?2", "www.example.com/2"] {
        breaks(
            &format!("<url><loc>\n    ‸{loc}\n  </loc></url>"),
            "P-LOC",
            "entry 2 · loc",
            &format!(
                "`{loc}` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
                 (P-LOC); write it whole, or read it into a `String` and resolve it"
            ),
        );
    }
}

#[test]
fn a_loc_that_is_no_address() {
    for loc in [
        "javascript:alert(1)",
        "mailto:a@example.com",
        "https:///2",
        "file:///2",
    ] {
        breaks(
            &format!("<url><loc>‸{loc}</loc></url>"),
            "P-LOC",
            "entry 2 · loc",
            &format!(
                "`{loc}` has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page"
            ),
        );
    }
    breaks(
        "<url><loc>‸https://example.com:http/2</loc></url>",
        "P-LOC",
        "entry 2 · loc",
        "`https://example.com:http/2` has no valid host and port: they are a name or an address, and a number to 65535 \
         (P-LOC, RFC 3986 section 3.2); correct it",
    );
    breaks(
        "<url><loc>‸https://example.com/2 3</loc></url>",
        "P-LOC",
        "entry 2 · loc",
        "`https://example.com/2 3` holds U+0020: a URL has no white space and no control characters (P-LOC, RFC 3986); \
         percent-encode it",
    );
    breaks(
        "<url><loc>‸https://example.com/2\n3</loc></url>",
        "P-LOC",
        "entry 2 · loc",
        "`https://example.com/2\\n3` holds U+000A: a URL has no white space and no control characters (P-LOC, RFC 3986); \
         percent-encode it",
    );
}

#[test]
fn a_loc_that_is_too_long() {
    let loc = format!("https://example.com/{}", "é".repeat(2028));
    assert_eq!(
        outcomes::<UrlEntry>(urlset(&format!("<url><loc>{loc}</loc></url>"))),
        [Ok(UrlEntry::new(loc.clone()))]
    );
    breaks(
        &format!("<url><loc>‸{loc}é</loc></url>"),
        "P-LOCLEN",
        "entry 2 · loc",
        &format!(
            "`https://example.com/{}…` has 2049 characters: 2048 are allowed (P-LOCLEN); shorten the URL or leave the \
             page out",
            "é".repeat(40)
        ),
    );
}

// ---- The other three. ----

#[test]
fn a_priority_out_of_range() {
    for priority in ["1.5", "-0.1", "1.00000000000000000000001", "10"] {
        breaks(
            &format!(
                "<url><loc>https://example.com/2</loc>\n    <priority> ‸{priority} </priority>\n  </url>"
            ),
            "P-PRIO",
            "entry 2 · priority",
            &format!(
                "`{priority}` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, \
                 or leave the field out"
            ),
        );
    }
}

#[test]
fn a_priority_that_is_no_number() {
    for (priority, advice) in [
        ("NaN", "write a value in that range, or leave the field out"),
        ("high", "write a value in that range, or leave the field out"),
        ("5e-1", "write a value in that range, or leave the field out"),
        ("0,5", "write `0.5`"),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><priority>‸{priority}</priority></url>"),
            "P-PRIO",
            "entry 2 · priority",
            &format!("`{priority}` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); {advice}"),
        );
    }
}

#[test]
fn a_changefreq_that_is_none() {
    for (changefreq, advice) in [
        ("sometimes", "write one of these, or leave the field out"),
        ("Daily", "did you mean `daily`?"),
        ("month", "did you mean `monthly`?"),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><changefreq>‸{changefreq}</changefreq></url>"),
            "P-FREQ",
            "entry 2 · changefreq",
            &format!(
                "`{changefreq}` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and \
                 never (P-FREQ); {advice}"
            ),
        );
    }
}

#[test]
fn a_lastmod_that_does_not_exist() {
    for (lastmod, message) in [
        (
            "2024-02-30",
            "February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29",
        ),
        (
            "2023-02-29",
            "February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28",
        ),
        (
            "2024-13-01",
            "months are from 01 to 12 (P-LASTMOD); write a value in that range",
        ),
        (
            "2024-05-06T07:08:09",
            "a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09Z` if it is in UTC, else its offset",
        ),
        (
            "2024-05-06 07:08:09Z",
            "a `T` stands between the date and the time (P-LASTMOD); write `2024-05-06T07:08:09Z`",
        ),
        (
            "2024-05-06T24:00:00Z",
            "hours are from 00 to 23 (P-LASTMOD); write midnight as 00:00 of the day that it begins",
        ),
        (
            "2024-05-06T07:08:09+0000",
            "a zone is `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09+00:00`",
        ),
        (
            "06.05.2024",
            "it begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like that, or leave the field out",
        ),
        (
            "yesterday",
            "it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out",
        ),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><lastmod>‸{lastmod}</lastmod></url>"),
            "P-LASTMOD",
            "entry 2 · lastmod",
            &format!("`{lastmod}` is not a W3C Datetime: {message}"),
        );
    }
}

// ---- Not XML. ----

#[test]
fn mismatched_tags() {
    ends(
        "<url><loc>https://example.com/2‸</url></loc>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "the end tag `</url>` where `</loc>` is expected: elements end in the order in which they began",
    );
    ends(
        "<url><loc>https://example.com/2</loc>‸</urlset>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "the end tag `</urlset>` where `</url>` is expected: elements end in the order in which they began",
    );
    ends(
        "‸</url>",
        Category::Syntax,
        None,
        None,
        "the end tag `</url>` where `</urlset>` is expected: elements end in the order in which they began",
    );
}

#[test]
fn a_bare_ampersand() {
    for bare in ["&b=1", "&", "& b", "&#x;", "&amp"] {
        ends(
            &format!("<url><loc>https://example.com/2?a=1‸{bare}</loc></url>"),
            Category::Syntax,
            Some("P-ESC"),
            Some("entry 2"),
            "a `&` that begins no reference: in a value it is written `&amp;` (P-ESC)",
        );
    }
}

#[test]
fn an_entity_of_html() {
    for entity in ["&nbsp;", "&eacute;", "&copy;"] {
        ends(
            &format!("<url><loc>https://example.com/2‸{entity}</loc></url>"),
            Category::Syntax,
            Some("P-ESC"),
            Some("entry 2"),
            &format!(
                "the entity `{entity}` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and \
                 `&apos;` (P-ESC); write the character itself"
            ),
        );
    }
}

#[test]
fn the_end_of_a_section_in_text() {
    ends(
        "<url><loc>https://example.com/2‸]]></loc></url>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "`]]>` in text: its `>` is written `&gt;` (XML 1.0 section 2.4)",
    );
}

#[test]
fn characters_that_xml_cannot_hold() {
    for c in ['\0', '\u{1}', '\u{8}', '\u{B}', '\u{1F}', '\u{FFFE}', '\u{FFFF}'] {
        ends(
            &format!("<url><loc>https://example.com/2‸{c}</loc></url>"),
            Category::Syntax,
            None,
            Some("entry 2"),
            &format!(
                "the character U+{:04X} cannot be in an XML document (XML 1.0 section 2.2); remove it",
                u32::from(c)
            ),
        );
    }
    for reference in ["&#0;", "&#x1F;", "&#xFFFF;", "&#xD800;", "&#x110000;"] {
        ends(
            &format!("<url><loc>https://example.com/2‸{reference}</loc></url>"),
            Category::Syntax,
            None,
            Some("entry 2"),
            "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it",
        );
    }
    // Those that it can hold are for the loc's own rule.
    breaks(
        "<url><loc>‸https://example.com/\u{7F}</loc></url>",
        "P-LOC",
        "entry 2 · loc",
        "`https://example.com/\\u{7f}` holds U+007F: a URL has no white space and no control characters (P-LOC, RFC 3986); \
         percent-encode it",
    );
}

#[test]
fn a_prefix_that_is_not_declared() {
    for (prefix, name) in [("image", "image:image"), ("sm", "sm:loc")] {
        ends(
            &format!("<url><loc>https://example.com/2</loc><‸{name}>x</{name}></url>"),
            Category::Syntax,
            None,
            Some("entry 2"),
            &format!(
                "the prefix `{prefix}` of `{name}` is not declared: nothing says which namespace it stands for (Namespaces in \
                 XML section 5); declare it on the root as `xmlns:{prefix}=\"…\"`"
            ),
        );
    }
    ends(
        "<url ‸xsi:type=\"x\"><loc>https://example.com/2</loc></url>",
        Category::Syntax,
        None,
        None,
        "the prefix `xsi` of `xsi:type` is not declared: nothing says which namespace it stands for (Namespaces in XML \
         section 5); declare it on the root as `xmlns:xsi=\"…\"`",
    );
}

#[test]
fn an_attribute_twice() {
    ends(
        "<url id=\"1\" ‸id=\"2\"><loc>https://example.com/2</loc></url>",
        Category::Syntax,
        None,
        None,
        "the attribute `id` twice on one element (XML 1.0 section 3.1); keep one",
    );
    ends(
        "<url xmlns:a=\"urn:x\" xmlns:b=\"urn:x\" a:id=\"1\" ‸b:id=\"2\"><loc>https://example.com/2</loc></url>",
        Category::Syntax,
        None,
        None,
        "an attribute twice on one element, under two prefixes of one namespace (Namespaces in XML section 6.3); keep one",
    );
}

#[test]
fn tags_that_are_none() {
    ends(
        "<url><loc id=‸2>https://example.com/2</loc></url>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "the attribute `id` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`",
    );
    ends(
        "<url><loc>1 <‸ 2</loc></url>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "found ` ` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`",
    );
    ends(
        "<url><loc ‸<lastmod>",
        Category::Syntax,
        None,
        Some("entry 2"),
        "found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1)",
    );
    ends(
        "<!-- a ‸-- b -->",
        Category::Syntax,
        None,
        None,
        "`--` inside a comment (XML 1.0 section 2.5); write `- -`",
    );
}

// ---- Around the document. ----

#[test]
fn nothing_at_all() {
    let empty =
        "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS)";
    is_none("‸", Category::Eof, Some("P-NS"), empty);
    is_none(" \n\t\r\n  ‸", Category::Eof, Some("P-NS"), empty);
    is_none(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- soon -->\n‸",
        Category::Eof,
        Some("P-NS"),
        empty,
    );
}

#[test]
fn text_before_the_root() {
    is_none(
        "‸Not found",
        Category::Syntax,
        Some("P-DECL"),
        "`Not found` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    is_none(
        "‸{\"error\": 404}\n",
        Category::Syntax,
        Some("P-DECL"),
        "`{\"error\": 404}` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    is_none(
        &format!("\n ‸Warning: x\n{}", urlset("")),
        Category::Syntax,
        Some("P-DECL"),
        "`Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    // A sitemap may be a list of URLs in plain text, but not to this reader.
    is_none(
        "‸https://example.com/\nhttps://example.com/2\n",
        Category::Syntax,
        Some("P-DECL"),
        "`https://example.com/\\nhttps://example.com/2` before the root: this is text, not XML; a sitemap begins with \
         `<?xml` or its root (P-DECL)",
    );
}

#[test]
fn a_declaration_that_comes_late() {
    is_none(
        &format!("\n‸<?xml version=\"1.0\"?>{}", urlset("")),
        Category::Syntax,
        Some("P-DECL"),
        "an XML declaration that is not at the very start of the document (XML 1.0 section 2.8); remove what is before it \
         (P-DECL)",
    );
}

#[test]
fn a_page_with_a_doctype() {
    for page in [
        "<!DOCTYPE html>\n‸<html lang=\"en\"><head><meta charset=\"utf-8\"></head><body></body></html>",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\n\
         ‸<html xmlns=\"http://www.w3.org/1999/xhtml\"/>",
    ] {
        is_none(page, Category::Data, Some("P-NS"), HTML);
    }
}

#[test]
fn a_page_with_a_doctype_in_lower_case() {
    is_none(
        "‸<!doctype html><title>404</title>",
        Category::Data,
        Some("P-NS"),
        HTML,
    );
}

#[test]
fn a_doctype_that_is_cut_off() {
    is_none(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset‸",
        Category::Eof,
        None,
        "the document ends in the middle of a tag, comment or instruction; get it whole",
    );
}

#[test]
fn something_after_the_root() {
    for (junk, message) in [
        (
            "‸trailing",
            "`trailing` after the end of the root: a document ends with its root; remove it",
        ),
        ("‸</urlset>", "the end tag `urlset` has no start tag"),
        (
            "‸<urlset/>",
            "a second root `urlset`: a document has one (XML 1.0 section 2.1); remove it",
        ),
        (
            "<!-- fine --> ‸<url><loc>https://example.com/2</loc></url>",
            "a second root `url`: a document has one (XML 1.0 section 2.1); remove it",
        ),
        (
            "‸&amp;",
            "`&amp;` after the end of the root: a document ends with its root; remove it",
        ),
        (
            "‸<!ELEMENT a>",
            "`<!` that begins no comment, and nothing else that can be here (XML 1.0 section 2.1)",
        ),
        (
            "‸\0",
            "`\\u{0}` after the end of the root: a document ends with its root; remove it",
        ),
    ] {
        Rejection {
            document: &format!(
                "{}\n{junk}",
                urlset("<url><loc>https://example.com/1</loc></url>")
            ),
            category: Category::Syntax,
            rule: None,
            path: None,
            message,
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
    let fine = urlset("<url><loc>https://example.com/1</loc></url>") + " \n<!-- é --><?x y?>\r\n";
    assert_eq!(checked_outcomes(fine), [Ok(UrlEntry::new(FIRST))]);
}

#[test]
fn a_section_or_a_doctype_after_the_root() {
    for junk in ["<![CDATA[]]>", "<!DOCTYPE urlset>"] {
        Rejection {
            document: &format!("{}‸{junk}", urlset("<url><loc>https://example.com/1</loc></url>")),
            category: Category::Syntax,
            rule: None,
            path: None,
            message: "`<!` that begins no comment, and nothing else that can be here (XML 1.0 section 2.1)",
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
}

// ---- Encodings. ----

#[test]
fn a_byte_order_mark() {
    let document = format!(
        "\u{FEFF}{}",
        urlset("<url><loc>https://example.com/1</loc></url>")
    );
    assert_eq!(outcomes::<UrlEntry>(&document), [Ok(UrlEntry::new(FIRST))]);
    // It is no character of the first line, but it is three bytes.
    let problem = read::<Vec<UrlEntry>>("\u{FEFF}x").unwrap_err();
    assert_eq!(problem.place, Some((1, 1, 3)));
    // A second one is text.
    let problem = read::<Vec<UrlEntry>>(format!("\u{FEFF}{document}")).unwrap_err();
    assert_eq!(
        problem.message,
        "`\\u{feff}` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), \
         at line 1, column 1 (byte 3)"
    );
}

/// The error of bytes that no text can hold.
#[track_caller]
fn not_text(document: &[u8], place: (u64, u64, u64), before: usize, path: &str, message: &str) {
    let (line, column, byte) = place;
    let comma = if path.is_empty() { "" } else { ", " };
    let outcomes = outcomes::<UrlEntry>(document);
    let (problem, read_before) = outcomes.split_last().unwrap();
    let problem = problem.as_ref().unwrap_err();
    assert_eq!(
        problem.message,
        format!("{message}, at line {line}, column {column} (byte {byte}){comma}{path}")
    );
    assert_eq!(problem.place, Some(place));
    assert_eq!(
        (problem.category, problem.rule),
        (Category::Syntax, Some("P-UTF8"))
    );
    assert_eq!(read_before.len(), before);
    assert!(read_before.iter().all(Result::is_ok));
    assert_eq!(checked_outcomes(document), outcomes);
    assert_eq!(read::<Vec<UrlEntry>>(document).as_ref(), Err(problem));
    assert_eq!(read::<IgnoredAny2>(document).as_ref(), Err(problem));
}

/// `IgnoredAny` that can be compared.
#[derive(Debug, PartialEq)]
struct IgnoredAny2;

impl<'de> Deserialize<'de> for IgnoredAny2 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| IgnoredAny2)
    }
}

#[test]
fn bytes_that_are_not_utf_8() {
    let mut document = between("<url><loc>https://example.com/‸</loc></url>");
    let place = marked(&document).place;
    let at = document.find('‸').unwrap();
    document = document.replace('‸', "");
    for bad in [
        &b"\xE9"[..],
        b"\xFF",
        b"\xC0\x80",
        b"\xED\xA0\x80",
        b"\xF5\x80\x80\x80",
        b"\x80",
    ] {
        let bytes = [&document.as_bytes()[..at], bad, &document.as_bytes()[at..]].concat();
        not_text(
            &bytes,
            place,
            1,
            "entry 2",
            &format!(
                "the byte 0x{:02X} is not UTF-8 here (P-UTF8); convert the file to UTF-8, or declare the encoding that it \
                 is in",
                bad[0]
            ),
        );
    }
    // After the end of the root there is no less to complain about.
    let fine = urlset("<url><loc>https://example.com/1</loc></url>");
    not_text(
        &[fine.as_bytes(), b"\xFF"].concat(),
        (1, fine.len() as u64 + 1, fine.len() as u64),
        1,
        "",
        "the byte 0xFF is not UTF-8 here (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in",
    );
}

/// A document in UTF-16, and what is made of it.
fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(order).collect()
}

#[test]
fn other_encodings_by_their_first_bytes() {
    let text = between("<url><loc>‸/é</loc></url>");
    let Marked { text, place } = marked(&text);
    let expected = outcomes::<UrlEntry>(&text);
    assert_eq!(expected[1].as_ref().unwrap_err().place, Some(place));
    let text = text.replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
    for (order, mark) in [
        (u16::to_be_bytes as fn(u16) -> [u8; 2], "\u{FEFF}"),
        (u16::to_le_bytes, "\u{FEFF}"),
        (u16::to_be_bytes, ""),
        (u16::to_le_bytes, ""),
    ] {
        let found = outcomes::<UrlEntry>(utf16(&format!("{mark}{text}"), order));
        assert_eq!(found.len(), 3);
        assert_eq!((&found[0], &found[2]), (&expected[0], &expected[2]));
        // Bytes are those of the text in UTF-8, which is longer by the encoding's name.
        let found = found[1].as_ref().unwrap_err().place.unwrap();
        assert_eq!(found, (place.0, place.1, place.2 + 1));
    }
    let utf32: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    not_text(
        &utf32,
        (1, 1, 0),
        0,
        "",
        "the document is in `UTF-32`, an encoding that nobody here knows (P-UTF8); convert it to UTF-8",
    );
}

#[test]
fn other_encodings_by_their_name() {
    for (name, bytes) in [
        ("ISO-8859-1", &b"\xE9"[..]),
        ("windows-1252", b"\xE9"),
        ("UTF-8", "é".as_bytes()),
    ] {
        let document = between("<url><loc>https://example.com/‸</loc></url>").replace("UTF-8", name);
        let (before, after) = document.split_once('‸').unwrap();
        // The comment before it is to be in that encoding too.
        let before = before.replace("<!-- é -->", "");
        let found = checked_outcomes([before.as_bytes(), bytes, after.as_bytes()].concat());
        assert_eq!(found[1], Ok(UrlEntry::new("https://example.com/é")), "{name}");
    }
    // What is not UTF-8 is not looked at, and to text the declaration does not matter.
    let document = format!("<?xml version=\"1.0\" encoding=\"klingon\"?>{}", urlset(""));
    not_text(
        &[document.as_bytes(), b"\xE9"].concat(),
        (1, 1, 0),
        0,
        "",
        "the document is in `klingon`, an encoding that nobody here knows (P-UTF8); convert it to UTF-8",
    );
    // A declaration that could be read is in no UTF-16, whatever it says.
    for name in ["UTF-16", "utf-16", "UTF-16LE", "utf-16be", "UCS-2"] {
        let document = format!("<?xml version=\"1.0\" encoding=\"{name}\"?>{}", urlset(""));
        not_text(
            &[document.as_bytes(), b"\xE9"].concat(),
            (1, 1, 0),
            0,
            "",
            &format!(
                "the document says that it is in `{name}`, and its first bytes are not (P-UTF8); correct its declaration"
            ),
        );
    }
    // Nor is one looked for that is declared late, be it read at once or bit by bit.
    let document = format!(
        "<?xml version='1.0'{}encoding='windows-1252'?>{}",
        " ".repeat(1100),
        urlset("")
    );
    let found = checked_outcomes([document.as_bytes(), b"\xE9"].concat());
    let [Err(problem)] = &found[..] else {
        panic!("{found:?}")
    };
    assert!(
        problem.message.starts_with(
            "the document says that it is in `windows-1252`, after more than 1024 bytes (P-UTF8); convert it to UTF-8"
        ),
        "{}",
        problem.message
    );
    for name in ["UTF-8", "utf-8", "us-ascii"] {
        let document = format!(
            "<?xml version='1.0' encoding='{name}' standalone='yes' ?>{}",
            urlset("")
        );
        assert_eq!(read::<Vec<UrlEntry>>(document), Ok(vec![]));
    }
}

#[test]
fn other_encodings_cut_off_at_every_byte() {
    let text = urlset("<url><loc>https://example.com/é🦀</loc></url>");
    let declared = format!(
        "<?xml version='1.0' encoding='Shift_JIS'?>{}",
        urlset("<!-- @ -->")
    );
    let (before, after) = declared.split_once('@').unwrap();
    for document in [
        utf16(&format!("\u{FEFF}{text}"), u16::to_le_bytes),
        utf16(&text, u16::to_be_bytes),
        [before.as_bytes(), b"\x83\x54", after.as_bytes()].concat(),
    ] {
        sitemap_serde::from_slice::<IgnoredAny>(&document).unwrap();
        for cut in 0..document.len() {
            let part = &document[..cut];
            let slice = Problem::of(&sitemap_serde::from_slice::<IgnoredAny>(part).unwrap_err());
            let stream =
                Problem::of(&sitemap_serde::from_reader::<_, IgnoredAny>(Trickle::new(part)).unwrap_err());
            assert_eq!(slice, stream);
            if cut < 2 {
                // No encoding is known by one byte.
                assert_ne!(slice.category, Category::Data, "{cut}: {}", slice.message);
                continue;
            }
            assert_eq!(slice.category, Category::Eof, "{cut}: {}", slice.message);
            // Whatever was half read when the reader failed, it is the reader that failed.
            let failing = Failing::after(part);
            let failed = sitemap_serde::from_reader::<_, IgnoredAny>(failing).unwrap_err();
            assert_eq!(failed.category(), Category::Io, "{cut}: {failed}");
        }
    }
}

#[test]
fn a_compressed_file_cut_off_at_every_byte() {
    let document = between("<url><loc>https://example.com/2</loc></url>");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(document.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    assert_eq!(checked_outcomes(&compressed), checked_outcomes(&document));
    for cut in 0..compressed.len() {
        let outcomes = checked_outcomes(&compressed[..cut]);
        let (last, before) = outcomes.split_last().unwrap();
        assert!(before.iter().all(Result::is_ok) && last.is_err(), "{cut}");
        assert!(read::<IgnoredAny2>(&compressed[..cut]).is_err(), "{cut}");
    }
    // Nor is one whose checksum is wrong, though all of the text was there.
    let mut wrong = compressed.clone();
    let checksum = wrong.len() - 8;
    wrong[checksum] ^= 1;
    let outcomes = checked_outcomes(&wrong);
    let problem = outcomes.last().unwrap().as_ref().unwrap_err();
    assert_eq!(problem.category, Category::Io);
    assert!(read::<IgnoredAny2>(&wrong).is_err());
    let members = [&compressed[..], &wrong[..9]].concat();
    let outcomes = checked_outcomes(&members);
    assert_eq!(
        outcomes.last().unwrap().as_ref().unwrap_err().category,
        Category::Eof
    );
}

#[test]
fn a_compressed_file_that_something_follows() {
    let compress = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let document = urlset("<url><loc>https://example.com/1</loc></url>");
    let compressed = compress(document.as_bytes());
    let place = format!(
        "at line 1, column {} (byte {})",
        document.len() + 1,
        document.len()
    );
    for after in [&b"<urlset/>"[..], b"x", &[0; 512]] {
        let outcomes = checked_outcomes([&compressed, after].concat());
        assert_eq!(outcomes[0], Ok(UrlEntry::new(FIRST)));
        let problem = outcomes[1].as_ref().unwrap_err();
        assert_eq!((problem.category, problem.rule), (Category::Io, Some("P-GZIP")));
        assert_eq!(
            problem.message,
            format!(
                "the compressed document is damaged from here on (P-GZIP): after its end comes something that is not \
                 compressed; get it anew, {place}"
            )
        );
    }
    let (before, after) = document.as_bytes().split_at(70);
    for whole in [
        [compress(before), compress(after)].concat(),
        [&compressed[..], &compress(b"")].concat(),
    ] {
        assert_eq!(checked_outcomes(whole), [Ok(UrlEntry::new(FIRST))]);
    }
    let problem = read::<IgnoredAny2>(compress(&compressed)).unwrap_err();
    assert_eq!(
        problem.message,
        "the document is compressed twice (P-GZIP); decompress it once, at line 1, column 1 (byte 0)"
    );
}

/// Whatever the pieces are that it comes in, what stood before the damage is read, and the error is in the same place.
#[test]
fn a_compressed_file_damaged_at_every_byte() {
    let mut random = Random::new(0x6d61_7073);
    let entries: Vec<String> = (0..60)
        .map(|_| {
            let page = random.below(1_000_000_000);
            format!("<url><loc>https://example.com/{page}</loc></url>")
        })
        .collect();
    let document = urlset(&entries.join("\n"));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(document.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();

    let mut in_the_middle = 0;
    for at in 2..compressed.len() {
        let mut damaged = compressed.clone();
        damaged[at] ^= 0x81;
        let outcomes = checked_outcomes(&damaged);
        if let Some((Err(problem), before)) = outcomes.split_last()
            && problem.message.contains("damaged from here on")
            && before.iter().any(Result::is_ok)
            && before.len() < entries.len()
        {
            in_the_middle += 1;
        }
    }
    assert!(in_the_middle > 0);
}

// ---- Cut off. ----

#[test]
fn cut_off_at_every_byte() {
    let document = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<!-- ü -->\n<?pi é?>\n\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x='urn:x'>\n  \
        <url a=\"1>2\"><loc>https://example.com/サイト?a=1&amp;b=2</loc>\n<lastmod>2024</lastmod>\n</url>\n  \
        <x:y><x:z/></x:y><url ><loc ><![CDATA[https://example.com/<]]></loc ><priority>0.5</priority></url >\n\
        <url><lastmod></lastmod><loc>https://example.com/&#x1F980;</loc></url></urlset >\n<!-- end --><?pi?>\n";
    let whole = checked_outcomes(document);
    assert!(whole.len() == 3 && whole.iter().all(Result::is_ok), "{whole:?}");
    let root_end = document.find("</urlset >").unwrap() + "</urlset >".len();
    let ends: Vec<usize> = ["</url>", "</url >", "</url></urlset"]
        .into_iter()
        .map(|tag| document.find(tag).unwrap() + tag.trim_end_matches("</urlset").len())
        .collect();
    for cut in 0..document.len() {
        let part = &document.as_bytes()[..cut];
        let complete = ends.iter().filter(|&&end| end <= cut).count();
        let outcomes = checked_outcomes(part);
        // Nor does any type take it for a whole document.
        let told = [
            read::<Vec<UrlEntry>>(part).map(drop),
            read::<UrlSet>(part).map(drop),
            read::<Document>(part).map(drop),
            read::<IgnoredAny2>(part).map(drop),
            read::<serde_json::Value>(part).map(drop),
        ];
        let tail = std::str::from_utf8(part).map(|part| part.get(root_end..));
        if let Ok(Some(tail)) = tail
            && ["\n", "", "\n<!-- end -->", "\n<!-- end --><?pi?>"].contains(&tail)
        {
            assert_eq!(outcomes, whole, "{cut}");
            assert!(told.iter().all(Result::is_ok), "{cut}: {told:?}");
            continue;
        }
        let (last, before) = outcomes.split_last().unwrap();
        assert_eq!(before, &whole[..complete], "{cut}");
        let problem = last.as_ref().unwrap_err();
        if is_within_tag_or_reference(part) {
            continue; // See `cut_off_in_a_tag_or_reference`.
        }
        assert_eq!(problem.category, Category::Eof, "{cut}: {}", problem.message);
        assert_eq!(problem.place.unwrap().2, cut as u64 - partial(part), "{cut}");
        assert!(
            problem.message.contains("cut off") || problem.message.contains("get it whole") || complete == 0,
            "{cut}: {}",
            problem.message
        );
        for told in told {
            assert_eq!(told.as_ref(), Err(problem), "{cut}");
        }
    }
}

/// Whether a tag or a reference was begun last.
fn is_within_tag_or_reference(part: &[u8]) -> bool {
    let part = String::from_utf8_lossy(part);
    part.rfind(['<', '>'])
        .is_some_and(|at| part[at..].starts_with('<'))
        || part
            .rfind(['&', ';'])
            .is_some_and(|at| part[at..].starts_with('&'))
}

#[test]
fn cut_off_in_a_tag_or_reference() {
    for half in [
        "</",
        "</l",
        "</loc",
        "</loc ",
        "<x:",
        "</x:",
        "<a xmlns:",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=''",
        "<a/",
        "&",
        "&a",
        "&am",
        "&amp",
        "&#",
        "&#x",
        "&#x1F980",
        "&lt",
    ] {
        let document = format!("<urlset xmlns=\"{CORE}\" xmlns:x=\"urn:x\"><url><loc>{half}");
        let problem = read::<Vec<UrlEntry>>(document).unwrap_err();
        assert_eq!(problem.category, Category::Eof, "{}", problem.message);
    }
}

#[test]
fn cut_off_after_a_doctype() {
    let document = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset [<!ENTITY site \"https://example.com\">]>\n{}",
        urlset("<url><loc>&site;/1</loc></url>\n<url><loc>&site;/é</loc></url>")
    );
    let whole = checked_outcomes(&document);
    assert_eq!(
        whole,
        [
            Ok(UrlEntry::new(FIRST)),
            Ok(UrlEntry::new("https://example.com/é"))
        ]
    );
    for cut in 0..document.len() {
        let part = &document.as_bytes()[..cut];
        let outcomes = checked_outcomes(part);
        let (last, before) = outcomes.split_last().unwrap();
        assert!(last.is_err(), "{cut}");
        assert_eq!(before, &whole[..before.len()], "{cut}");
        assert!(read::<IgnoredAny2>(part).is_err(), "{cut}");
    }
}

/// How many bytes at the end of `part` are the beginning of a character.
fn partial(part: &[u8]) -> u64 {
    match std::str::from_utf8(part) {
        Ok(_) => 0,
        Err(error) => (part.len() - error.valid_up_to()) as u64,
    }
}

#[test]
fn what_a_file_that_was_cut_off_says() {
    for (document, path, message) in [
        (
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url><loc>https://exa‸"
            ),
            Some("entry 2"),
            "the document ends inside `loc`: it was cut off, or its end was never written; get it whole",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url><lo‸"),
            Some("entry 2"),
            "the document ends inside `url`: it was cut off, or its end was never written; get it whole",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n‸"),
            None,
            "the document ends inside `urlset`: it was cut off, or its end was never written; get it whole",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url></urlset><!-‸"),
            None,
            "the document ends in the middle of a tag, comment or instruction; get it whole",
        ),
    ] {
        Rejection {
            document: &document,
            category: Category::Eof,
            rule: None,
            path,
            message,
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
    is_none(
        "<?xml version=\"1.0\" enc‸",
        Category::Eof,
        None,
        "the document ends in the middle of a tag, comment or instruction; get it whole",
    );
    is_none(
        "<urlset xmlns=\"http‸",
        Category::Eof,
        None,
        "the document ends in the middle of a tag, comment or instruction; get it whole",
    );
}

// ---- Too much. ----

#[track_caller]
fn too_much(entry: &str, path: Option<&str>, message: &str) {
    ends(entry, Category::Limit, None, path, message);
}

#[test]
fn nested_too_deep() {
    let nested = |deep: usize| format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep));
    // The root and the entry are two of the 128 levels.
    let fine = between(&format!(
        "<url><loc>https://example.com/2</loc>{}</url>",
        nested(126)
    ));
    assert_eq!(
        checked_outcomes(&fine)
            .iter()
            .filter(|outcome| outcome.is_ok())
            .count(),
        3
    );
    too_much(
        &format!("<url><loc>https://example.com/2</loc>{}‸<a>", "<a>".repeat(126)),
        Some("entry 2"),
        "elements nested to 129 levels, and 128 are allowed; if the document is to be trusted, raise `Limits::depth`",
    );
    too_much(
        &format!(
            "<url><loc>https://example.com/2</loc>{}‸{}",
            "<a>".repeat(126),
            "<a>".repeat(20_000)
        ),
        Some("entry 2"),
        "elements nested to 129 levels, and 128 are allowed; if the document is to be trusted, raise `Limits::depth`",
    );
}

#[test]
fn too_many_attributes() {
    use std::fmt::Write as _;
    let mut attributes = String::new();
    for i in 0..10_000 {
        let mark = if i == 256 { "‸" } else { "" };
        let _ = write!(attributes, " {mark}a{i}=\"\"");
    }
    too_much(
        &format!("<url{attributes}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 256 attributes on one element, and 256 are allowed; if the document is to be trusted, raise \
         `Limits::attributes`",
    );
}

#[test]
fn too_many_namespaces() {
    use std::fmt::Write as _;
    let mut declarations = String::new();
    for i in 0..200 {
        let mark = if i == 64 { "‸" } else { "" };
        let _ = write!(declarations, " {mark}xmlns:a{i}=\"urn:{i}\"");
    }
    too_much(
        &format!("<url{declarations}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 64 namespace declarations on one element, and 64 are allowed; if the document is to be trusted, raise \
         `Limits::namespaces`",
    );
    declarations.clear();
    for i in 0..2000 {
        let mark = if i == 256 { "‸" } else { "" };
        let _ = write!(declarations, " {mark}xmlns:a{i}=\"urn:{i}\"");
    }
    too_much(
        &format!("<url{declarations}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 256 attributes on one element, and 256 are allowed; if the document is to be trusted, raise \
         `Limits::attributes`",
    );
}

#[test]
fn a_name_that_is_too_long() {
    too_much(
        &format!("<url><‸{0}></{0}></url>", "a".repeat(1025)),
        Some("entry 2"),
        "a name of 1025 bytes, and 1024 are allowed; if the document is to be trusted, raise `Limits::name_bytes`",
    );
}

#[test]
fn a_token_that_is_too_large() {
    let large = "x".repeat(1 << 20);
    for entry in [
        format!("<url><loc>‸https://example.com/{large}</loc></url>"),
        format!("<url><loc>‸<![CDATA[{large}]]></loc></url>"),
        format!("<url>‸<!--{large}--></url>"),
        format!("<url>‸<?x {large}?></url>"),
        format!("<url>‸<loc a=\"{large}\"/></url>"),
        format!("<url>‸<loc{}/></url>", " ".repeat(1 << 20)),
        format!("<url>‸</url{}></url>", " ".repeat(1 << 20)),
    ] {
        too_much(
            &entry,
            Some("entry 2"),
            "a tag or text of more than 1048576 bytes, and 1048576 are allowed; if the document is to be trusted, raise \
             `Limits::token_bytes`",
        );
    }
}

#[test]
fn an_entry_that_is_too_large() {
    let eighth = format!("<x>{}</x>", "x".repeat((1 << 20) - 7));
    too_much(
        &format!("‸<url><loc>https://example.com/2</loc>{}</url>", eighth.repeat(8)),
        Some("entry 2"),
        "an entry of more than 8388608 bytes, and 8388608 are allowed; if the document is to be trusted, raise \
         `Limits::entry_bytes`",
    );
}

#[test]
fn limits_of_ones_own() {
    let document =
        urlset("<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>");
    let told = |limits: Limits| {
        let mut builder = ReaderBuilder::new();
        builder.limits(limits);
        let slice = drain(builder.from_slice(document.as_bytes()).entries());
        let stream = drain(builder.from_reader(Trickle::new(document.as_bytes())).entries());
        assert_eq!(slice, stream);
        let whole = <Vec<UrlEntry>>::deserialize(&mut builder.deserializer_from_str(&document));
        let last = slice.last().unwrap().clone();
        assert_eq!(
            whole.map_err(|error| Problem::of(&error)).map(drop),
            last.map(drop)
        );
        slice
    };
    let entry = "<url><loc>https://example.com/1</loc></url>";
    let second = document.find(entry).unwrap() + entry.len();
    let fine = Limits::reading().entries(2).bytes(document.len() as u64);
    assert!(told(fine).iter().all(Result::is_ok));

    let count = told(Limits::reading().entries(1));
    assert_eq!(count.len(), 2);
    let problem = count[1].as_ref().unwrap_err();
    assert_eq!(
        (problem.category, problem.rule),
        (Category::Limit, Some("P-COUNT"))
    );
    assert_eq!(
        problem.message,
        format!(
            "more than 1 `url` entries, and 1 are allowed (P-COUNT); split the file, or raise `Limits::entries`, at line 1, \
             column {} (byte {second}), entry 2",
            second + 1
        )
    );

    let size = told(Limits::reading().bytes((second + entry.len()) as u64 - 1));
    assert_eq!(size.len(), 2);
    let problem = size[1].as_ref().unwrap_err();
    assert_eq!(
        (problem.category, problem.rule),
        (Category::Limit, Some("P-SIZE"))
    );
    assert_eq!(
        problem.message,
        format!(
            "more than {0} bytes, and {0} are allowed (P-SIZE); split the file, or raise `Limits::bytes`, at line 1, \
             column {1} (byte {second}), entry 2",
            second + entry.len() - 1,
            second + 1
        )
    );
}

/// References that xml-rs replaces without a limit of its own.
#[test]
fn entities_that_grow_within_one_value() {
    let long = "y".repeat(1000);
    let references = "&a;".repeat(2000);
    let values: Vec<String> = (0..40)
        .map(|i| format!("<!ENTITY % b{} '{}'>", i + 1, format!("%b{i};").repeat(10)))
        .collect();
    let values = values.concat();
    let made = values.replace('\'', "\"").replace('%', "&#37;");
    let doctype = |subset: &str, entry: &str| {
        let entry = format!("<url><loc>https://example.com/1</loc>{entry}</url>");
        format!("<!DOCTYPE urlset [{subset}]>{}", urlset(&entry))
    };
    for document in [
        doctype(
            &format!("<!ENTITY a '{long}'>"),
            &format!("<x y='{references}'/>"),
        ),
        doctype(
            &format!("<!ENTITY b \"<x y='{references}'/>\"><!ENTITY a '{long}'>"),
            "&b;",
        ),
        doctype(&format!("<!ENTITY % b0 '{long}'>{values}"), ""),
        doctype(
            &format!("<!ENTITY % b0 '{long}'><!ENTITY % all '{made}'>%all;"),
            "",
        ),
        doctype(
            &format!(
                "<!ENTITY % b0 '{long}'><!ENTITY % all '{}'>%all;",
                made.replace("&#37;", "&#38;#x025;")
            ),
            "",
        ),
    ] {
        let problem = read::<Vec<UrlEntry>>(&document).unwrap_err();
        assert_eq!(problem.category, Category::Limit, "{}", problem.message);
        assert!(
            problem.message.starts_with(
                "the entities in one value or text can make it longer than 1048576 bytes, and that is the limit; if the \
                 document is to be trusted, raise `Limits::expansion_bytes`, at line 1, column "
            ),
            "{}",
            problem.message
        );
    }
    let few = doctype(
        &format!("<!ENTITY % p '<!ENTITY b \"c\">'>%p;<!ENTITY a '{long}'>"),
        &format!("<x y='{}'/>&b;", "&a;".repeat(100)),
    );
    assert_eq!(read::<Vec<UrlEntry>>(few), Ok(vec![UrlEntry::new(FIRST)]));
}

#[test]
fn a_record_is_empty_after_an_error_and_at_the_end() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url><url/><sitemap/><url><loc>https://example.com/2</loc></url>",
    );
    for (document, results) in [
        (document.as_str(), &["1", "", "", "2", "end", "end"][..]),
        (&document[..document.len() - 1], &["1", "", "", "2", "", "end"]),
        (&document[..document.len() - 30], &["1", "", "", "", "end"]),
    ] {
        let mut reader = Reader::from_str(document);
        let mut record = Record::new();
        for &expected in results {
            let result = reader.read_record(&mut record);
            assert_eq!(matches!(result, Ok(true)), matches!(expected, "1" | "2"));
            assert_eq!(matches!(result, Ok(false)), expected == "end");
            if matches!(result, Ok(true)) {
                assert!(record.loc().ends_with(expected));
                continue;
            }
            assert_eq!((record.loc(), record.source(), record.number()), ("", "", 0));
            assert_eq!((record.fields().count(), record.byte_range()), (0, 0..0));
        }
    }
}

/// The limit is that of the whole document, whatever it is that goes beyond it.
#[test]
fn a_document_that_is_too_large() {
    let entry = "<url><loc>https://example.com/1</loc></url>";
    let end = urlset(entry).len();
    let space = " ".repeat(50_000);
    let unknown = format!("<x:x xmlns:x='urn:x'>{}</x:x>", "<x:y>y</x:y>".repeat(5_000));
    for (document, most) in [
        (urlset(entry), end - 1),
        (format!("{}<!-- -->", urlset(entry)), end + 3),
        (format!("{}\n{space}", urlset(entry)), end + 40_000),
        (urlset(&format!("{entry}{space}")), end + 40_000),
        (urlset(&format!("{entry}{space}<!-- -->{space}")), end + 50_000),
        (urlset(&format!("{entry}{unknown}")), end + 40_000),
        (
            urlset(&format!("{entry}{}", "<?x?>".repeat(10_000))),
            end + 40_000,
        ),
    ] {
        let mut builder = ReaderBuilder::new();
        builder.limits(Limits::reading().bytes(most as u64));
        let slice = drain(builder.from_slice(document.as_bytes()).entries());
        for size in [1, 1021, 32 << 10] {
            let stream = drain(
                builder
                    .from_reader(Chunks::new(document.as_bytes(), size))
                    .entries(),
            );
            assert_eq!(slice, stream);
        }
        assert_eq!(slice[0], Ok(UrlEntry::new(FIRST)));
        let problem = slice[1].as_ref().unwrap_err();
        let (line, column) = match document.find('\n') {
            Some(at) if at < most => (2, most - at),
            _ => (1, most + 1),
        };
        assert_eq!(
            problem.message,
            format!(
                "more than {most} bytes, and {most} are allowed (P-SIZE); split the file, or raise `Limits::bytes`, at line \
                 {line}, column {column} (byte {most})"
            )
        );
        builder.limits(Limits::reading().bytes(document.len() as u64));
        let mut reader = builder.from_slice(document.as_bytes());
        assert_eq!(drain(reader.entries()), [Ok(UrlEntry::new(FIRST))]);
    }
    // In the middle of a character it is that character's place.
    let document = format!("{}<!--ééé-->", urlset(entry));
    let limits = Limits::reading().bytes(end as u64 + 7);
    let problem = ReaderBuilder::new()
        .limits(limits)
        .from_str(&document)
        .entries()
        .nth(1);
    let place = problem.unwrap().unwrap_err().position().unwrap();
    assert_eq!((place.column(), place.byte()), (end as u64 + 6, end as u64 + 6));
}

// ---- The reader underneath. ----

/// Gives `good` bytes, interrupted before each, then fails once, then ends.
struct Failing<'a> {
    good: &'a [u8],
    failed: bool,
    interrupted: bool,
}

impl<'a> Failing<'a> {
    fn after(good: &'a [u8]) -> Self {
        Failing {
            good,
            failed: false,
            interrupted: false,
        }
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.good.is_empty() && !self.failed {
            self.failed = true;
            return Err(io::Error::new(
                io::ErrorKind::ConnectionReset,
                "the cable was pulled",
            ));
        }
        let n = 7.min(into.len());
        self.good.read(&mut into[..n])
    }
}

#[test]
fn a_reader_that_fails() {
    let document = between("<url><loc>https://example.com/2?サ</loc></url>");
    let ends: Vec<usize> = document
        .match_indices("</url>")
        .map(|(at, tag)| at + tag.len())
        .collect();
    for cut in 0..=document.len() {
        let mut reader = Reader::from_reader(Failing::after(&document.as_bytes()[..cut]));
        let mut entries = reader.entries();
        let complete = ends.iter().filter(|&&end| end <= cut).count();
        for _ in 0..complete {
            assert!(entries.next().unwrap().is_ok(), "{cut}");
        }
        let error = entries.next().unwrap().unwrap_err();
        assert!(entries.next().is_none(), "{cut}");
        assert!(reader.deserialize::<UrlEntry>().next().is_none(), "{cut}");
        assert_eq!(error.category(), Category::Io, "{cut}");
        let problem = Problem::of(&error);
        let message = problem.message.split(", at line").next().unwrap();
        assert_eq!(message, "cannot read the sitemap: the cable was pulled");
        assert_eq!(problem.rule, None);
        let source: &io::Error = error.source().unwrap().downcast_ref().unwrap();
        assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(source.to_string(), "the cable was pulled");
        let outer = io::Error::from(error);
        assert_eq!(outer.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(outer.to_string(), problem.message);
    }
}

/// Says that it gave more than it was asked for.
struct Boasting<'a>(&'a [u8]);

impl Read for Boasting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map(|_| into.len() + 1)
    }
}

#[test]
fn a_reader_that_says_it_gave_more_than_it_could() {
    let document = between("");
    let error = Reader::from_reader(Boasting(document.as_bytes()))
        .kind()
        .unwrap_err();
    assert_eq!(error.category(), Category::Io);
    assert_eq!(
        error.to_string(),
        "cannot read the sitemap: it was asked for 32768 bytes at most and says it gave 32769, which `Read` does not \
         allow, at line 1, column 1 (byte 0)"
    );
}

#[test]
fn errors_as_io_errors() {
    for (document, kind) in [
        ("<urlset>", io::ErrorKind::UnexpectedEof),
        ("", io::ErrorKind::UnexpectedEof),
        ("x", io::ErrorKind::InvalidData),
        ("<html/>", io::ErrorKind::InvalidData),
    ] {
        let error = sitemap_serde::from_str::<Vec<UrlEntry>>(document).unwrap_err();
        let message = error.to_string();
        let error = io::Error::from(error);
        assert_eq!(error.kind(), kind);
        assert_eq!(error.to_string(), message);
        let inner: Option<&sitemap_serde::Error> = error.get_ref().unwrap().downcast_ref();
        assert_eq!(inner.unwrap().to_string(), message);
    }
}

#[test]
fn a_file_that_is_not_there() {
    let path = std::env::temp_dir()
        .join("sitemap-serde-no-such-folder")
        .join("x.xml");
    let error = Reader::from_path(&path).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    assert!(error.position().is_none() && error.entry().is_none() && error.path().is_none());
    assert_eq!(
        error.to_string(),
        format!("cannot open {}: {}", path.display(), error.source().unwrap())
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

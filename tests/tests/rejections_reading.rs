//! Every document that is refused: with which error, at which place, what stays readable before it and what comes after.

use std::error::Error as _;
use std::io::{self, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use sitemap_serde::{
    Category, Document, IndexEntry, Kind, Limits, Reader, ReaderBuilder, SitemapIndex, UrlEntry, UrlSet,
};
use sitemap_tests::{
    CORE, OneByte, Problem, checked_outcomes, drain, index, marked, outcomes, read, urlset, with_every_reader,
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
        assert!(reader.entries().filter_map(Result::ok).next().is_none());
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
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address \
         gave, an error page perhaps",
    );
    is_none(
        "<?xml version=\"1.0\"?>\n\n‸<HTML xmlns=\"http://www.w3.org/1999/xhtml\"/>",
        Category::Data,
        Some("P-NS"),
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address \
         gave, an error page perhaps",
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
        #[expect(dead_code, reason = "what matters is that it is asked for")]
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
        #[expect(dead_code, reason = "what matters is that it is asked for")]
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
                      to a document of its own, at line 3, column 1 (byte 130), entry 2"
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
        "<url><loc>https://example.com/2</loc><lastmod/><priority>1</priority><lastmod>\n ‸2024</lastmod></url>",
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
        ("5e-1", "write it without an exponent"),
        ("0,5", "write a point instead of the comma"),
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
        ("2024-02-30", ""),
        ("2023-02-29", ""),
        ("2024-13-01", ""),
        ("2024-05-06T07:08:09", ""),
        ("2024-05-06 07:08:09Z", ""),
        ("2024-05-06T24:00:00Z", ""),
        ("2024-05-06T07:08:09+0000", ""),
        ("06.05.2024", ""),
        ("yesterday", ""),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><lastmod>‸{lastmod}</lastmod></url>"),
            "P-LASTMOD",
            "entry 2 · lastmod",
            message,
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
        "<url><loc>https://example.com/2</loc></url>‸</url>",
        Category::Syntax,
        None,
        None,
        "the end tag `</url>` where `</urlset>` is expected: elements end in the order in which they began",
    );
}

//! Elements of the sitemap's own namespace, and text, outside the schema: their content would be lost.

use sitemap_serde::{Editor, ErrorKind, Reader, UrlEntry};
use sitemap_tests::{CORE, checked_outcomes, index, outcomes, urlset};

use crate::rejections_reading::{FIRST, Rejection, THIRD, between, breaks};

const WITHIN: &str = "an entry within a `url`: entries are children of the root (P-NS); move it to the root";

#[test]
fn an_entry_within_an_entry() {
    for inner in [
        "‸<url><loc>https://example.com/3</loc></url>",
        "‸<sitemap><loc>https://example.com/3</loc></sitemap>",
        "‸<URL><LOC>https://example.com/3</LOC></URL>",
        "‸<url/>",
        "‸<url>https://example.com/3</url>",
        "<list>‸<url><loc>https://example.com/3</loc></url></list>",
        "<list><a/>‸<url><lastmod>2024</lastmod><loc >https://example.com/3</loc></url></list>",
    ] {
        for entry in [
            format!("<url><loc>https://example.com/2</loc>{inner}</url>"),
            format!("<url>{inner}<loc>https://example.com/2</loc></url>"),
        ] {
            breaks(&entry, "P-NS", "entry 2", WITHIN);
        }
    }
    // Inside a foreign element, or without a nested loc, it belongs to another vocabulary.
    for inner in [
        "<x:url xmlns:x=\"urn:x\"><x:loc>https://example.com/3</x:loc></x:url>",
        "<x:list xmlns:x=\"urn:x\"><url><loc>https://example.com/3</loc></url></x:list>",
        "<image><url>https://example.com/a.jpg</url></image>",
    ] {
        assert_eq!(
            checked_outcomes(urlset(&format!("<url><loc>{FIRST}</loc>{inner}</url>"))),
            [Ok(UrlEntry::new(FIRST))],
            "{inner}"
        );
    }
}

/// Knowledge from other entries does not affect the position.
#[test]
fn an_entry_within_an_entry_after_many_others() {
    let plain = "<url><loc>https://example.com/</loc></url>\n";
    let nested =
        "<url><list><url><loc>https://example.com/</loc></url></list><loc>https://example.com/</loc></url>\n";
    for spaced in ["", "\n  "] {
        let document =
            urlset(&format!("{}{nested}{plain}", plain.repeat(8)).replace('<', &format!("{spaced}<")));
        let outcomes = checked_outcomes(&document);
        assert_eq!(outcomes.len(), 10);
        for (i, outcome) in outcomes.iter().enumerate() {
            match outcome {
                Ok(entry) => assert!(i != 8 && entry.loc == "https://example.com/"),
                Err(problem) => assert!(
                    i == 8 && problem.message.starts_with(WITHIN),
                    "{}",
                    problem.message
                ),
            }
        }
    }
}

#[test]
fn a_sitemap_within_a_sitemap() {
    let document = index(
        "<sitemap><loc>https://example.com/1.xml</loc><sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemap>",
    );
    let problem = outcomes::<sitemap_serde::IndexEntry>(&document)[0]
        .clone()
        .unwrap_err();
    assert_eq!(
        problem.message,
        "an entry within a `sitemap`: entries are children of the root (P-NS); move it to the root, at line 1, column 112 (byte 111), entry 1"
    );
}

#[test]
fn a_known_name_in_another_case() {
    for (found, meant) in [
        ("Loc", "loc"),
        ("LOC", "loc"),
        ("lastMod", "lastmod"),
        ("LastMod", "lastmod"),
        ("changeFreq", "changefreq"),
        ("Priority", "priority"),
    ] {
        for (before, after) in [
            ("", "<loc>https://example.com/2</loc>"),
            ("<loc>https://example.com/2</loc>", ""),
        ] {
            for element in [
                format!("<{found}>x</{found}>"),
                format!("<{found}/>"),
                format!("<{found} a=''>x</{found}>"),
            ] {
                breaks(
                    &format!("<url>{before}‸{element}{after}</url>"),
                    "P-NS",
                    "entry 2",
                    &format!(
                        "`{found}` is not an element of a `url`: names are case-sensitive (P-NS); did you mean `{meant}`?"
                    ),
                );
            }
        }
    }
    // Other names are skipped, like names of other namespaces.
    for other in [
        "<expires>x</expires>",
        "<x:Loc xmlns:x=\"urn:x\"/>",
        "<a><Loc/></a>",
    ] {
        assert_eq!(
            checked_outcomes(urlset(&format!("<url>{other}<loc>{FIRST}</loc></url>"))),
            [Ok(UrlEntry::new(FIRST))],
            "{other}"
        );
    }
}

/// An error between two entries has no entry number and skips neither.
#[track_caller]
fn breaks_between(middle: &str, message: &str) {
    Rejection {
        document: &between(middle),
        kind: ErrorKind::Data,
        rule: Some("P-NS"),
        path: None,
        message,
        before: &[FIRST],
        after: &[THIRD],
    }
    .assert();
    let document = between(middle).replace('‸', "");
    let mut reader = Reader::from_str(&document);
    let error = reader.entries().find_map(Result::err).unwrap();
    assert!(!error.ends_reading());
    // The editor also reports it, copies it and continues.
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    let (mut locs, mut errors) = (Vec::new(), Vec::new());
    loop {
        match editor.next_entry() {
            Ok(Some(entry)) => locs.push(entry.loc().to_owned()),
            Ok(None) => break,
            Err(error) => errors.push(error.to_string()),
        }
    }
    assert_eq!(
        (locs, errors),
        (vec![FIRST.to_owned(), THIRD.to_owned()], vec![error.to_string()])
    );
    assert_eq!(String::from_utf8(editor.finish().unwrap()).unwrap(), document);
}

#[test]
fn an_element_that_no_root_has() {
    for (element, name, advice) in [
        ("<Url><loc>x</loc></Url>", "Url", "did you mean `url`?"),
        ("<URL><LOC>x</LOC></URL>", "URL", "did you mean `url`?"),
        ("<URL/>", "URL", "did you mean `url`?"),
        ("<loc>https://example.com/2</loc>", "loc", "put it into a `url`"),
        ("<priority >1</priority>", "priority", "put it into a `url`"),
        (
            "<set><url><loc>x</loc></url></set>",
            "set",
            "remove it, or give it a namespace of its own",
        ),
        (
            "<urlset><url><loc>x</loc></url></urlset>",
            "urlset",
            "remove it, or give it a namespace of its own",
        ),
        ("<été/>", "été", "remove it, or give it a namespace of its own"),
    ] {
        breaks_between(
            &format!("‸{element}"),
            &format!(
                "`{name}` is not an element of a urlset, whose entries are `url` elements (P-NS); {advice}"
            ),
        );
    }
    let prefixed = format!("<s:urlset xmlns:s=\"{CORE}\">\n <s:Url/></s:urlset>");
    assert_eq!(
        checked_outcomes(prefixed)[0].as_ref().unwrap_err().message,
        "`s:Url` is not an element of a urlset, whose entries are `url` elements (P-NS); did you mean `url`?, at line 2, column \
         2 (byte 66)"
    );
    // An element of another namespace is skipped.
    assert_eq!(
        checked_outcomes(urlset("<x:Url xmlns:x=\"urn:x\"><url/></x:Url>")),
        []
    );
}

#[test]
fn one_error_for_each() {
    let outcomes = checked_outcomes(urlset(
        "<Url/>\n<Url/>text<Url/><url><loc>https://example.com/1</loc></url>",
    ));
    let told: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
    assert_eq!(told, [false, false, false, false, true]);
}

#[test]
fn text_between_entries() {
    for (text, found) in [
        ("‸https://example.com/2", "https://example.com/2"),
        ("\n\t ‸a b\n", "a b"),
        ("‸a &amp; b", "a & b"),
        ("<![CDATA[‸x]]>", "x"),
        ("‸\u{A0}", "\\u{a0}"),
        ("‸&#160;", "\\u{a0}"),
    ] {
        breaks_between(
            text,
            &format!(
                "the text `{found}` between entries: a urlset holds `url` elements (P-NS); remove it, or put it in a comment"
            ),
        );
    }
    for blank in [" \r\n\t", "<![CDATA[ ]]>", "&#32;&#9;", "<!-- x --><?pi x?>"] {
        assert_eq!(
            checked_outcomes(urlset(&format!("{blank}<url><loc>{FIRST}</loc></url>{blank}"))),
            [Ok(UrlEntry::new(FIRST))],
            "{blank:?}"
        );
    }
}

#[test]
fn which_errors_end_the_reading() {
    for (document, ends) in [
        (urlset("<url/>"), false),
        (urlset("<sitemap/>"), false),
        (urlset("<Url/>"), false),
        (urlset("x"), false),
        (
            urlset("<url><loc>https://example.com/</loc><priority>2</priority></url>"),
            false,
        ),
        (index(""), true),
        ("<rss/>".to_owned(), true),
        ("<!doctype html>".to_owned(), true),
        (urlset("</url>"), true),
        (urlset("<url>").replace("</urlset>", ""), true),
    ] {
        let error = Reader::from_str(&document).entries().next().unwrap().unwrap_err();
        assert_eq!(error.ends_reading(), ends, "{document}");
    }
}

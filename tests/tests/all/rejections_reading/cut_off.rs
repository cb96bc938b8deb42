//! Truncated documents.

use sitemap_serde::{Document, ErrorKind, UrlEntry, UrlSet};
use sitemap_tests::{CORE, Marked, checked_outcomes, marked, read, urlset};

use crate::rejections_reading::{FIRST, IgnoredAny2, Rejection, ends};

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
        // No type accepts it as a whole document either.
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
        assert_eq!(problem.kind, ErrorKind::Eof, "{cut}: {}", problem.message);
        // An unclosed construct is reported at its start, everything else at the end.
        let place = if problem.message.contains("begins here") {
            part.iter().rposition(|b| *b == b'<').unwrap() as u64
        } else {
            cut as u64 - partial(part)
        };
        assert_eq!(problem.place.unwrap().2, place, "{cut}");
        assert!(
            problem.message.contains("truncated")
                || problem.message.contains("get a complete copy")
                || complete == 0,
            "{cut}: {}",
            problem.message
        );
        for told in told {
            assert_eq!(told.as_ref(), Err(problem), "{cut}");
        }
    }
}

/// Returns `true` if the text ends within a tag or a reference.
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
        assert_eq!(problem.kind, ErrorKind::Eof, "{}", problem.message);
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

/// The number of bytes of an incomplete character at the end of `part`.
fn partial(part: &[u8]) -> u64 {
    match std::str::from_utf8(part) {
        Ok(_) => 0,
        Err(error) => (part.len() - error.valid_up_to()) as u64,
    }
}

#[test]
fn messages_for_truncated_files() {
    for (document, path, message) in [
        (
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url><loc>https://exa‸"
            ),
            Some("entry 2"),
            "the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url>‸<lo"),
            Some("entry 2"),
            "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy",
        ),
        (
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url>‸<loc a='b"
            ),
            Some("entry 2"),
            "the document ends inside a tag, in an attribute's value that begins here: it is truncated, or its quote was never \
             written; get a complete copy",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n  <url>‸"),
            Some("entry 2"),
            "the document ends inside `url`: it is truncated, or its end was never written; get a complete copy",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\n‸"),
            None,
            "the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy",
        ),
        (
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url></urlset><!-‸"),
            None,
            "the document ends in the middle of a tag, comment or instruction; get a complete copy",
        ),
    ] {
        Rejection {
            document: &document,
            kind: ErrorKind::Eof,
            rule: None,
            path,
            message,
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
    for (document, name, end) in [
        ("‸<?xml version=\"1.0\" enc", "the XML declaration", "`?>`"),
        ("<!-- a -->‸<?x y", "a processing instruction", "`?>`"),
        ("‸<!-- a --", "a comment", "`-->`"),
        ("‸<urlset", "a tag", "`>`"),
        ("‸<urlset xmlns=\"http", "a tag, in an attribute's value", "quote"),
        ("<urlset>‸<![CDATA[ a", "a CDATA section", "`]]>`"),
        ("<urlset>‸<!-- <url>", "a comment", "`-->`"),
        ("<urlset>‸<!-- <urlset> </url> urlset>", "a comment", "`-->`"),
    ] {
        is_cut_off(
            document,
            None,
            &format!(
                "the document ends inside {name} that begins here: it is truncated, or its {end} was never written; get a complete copy"
            ),
        );
    }
}

/// A truncated document without a whole entry. Its kind may be known.
fn is_cut_off(document: &str, rule: Option<&'static str>, message: &str) {
    Rejection {
        document,
        kind: ErrorKind::Eof,
        rule,
        path: None,
        message,
        before: &[],
        after: &[],
    }
    .assert();
}

/// If a construct is unclosed but the root ends, the document is not truncated: the error is at the construct's start.
#[test]
fn constructs_left_open_before_the_roots_end() {
    for (document, name, end, rule) in [
        (
            format!("‸<?xml version=\"1.0\"\n<urlset xmlns=\"{CORE}\"/>"),
            "the XML declaration",
            "`?>`",
            Some("P-DECL"),
        ),
        (
            format!("‸<?xml version=\"1.0\">\n<x:urlset xmlns:x=\"{CORE}\"></x:urlset>"),
            "the XML declaration",
            "`?>`",
            Some("P-DECL"),
        ),
        (
            format!("<urlset xmlns=\"{CORE}\">‸<!-- <url><loc>{FIRST}</loc></url></urlset>"),
            "a comment",
            "`-->`",
            None,
        ),
        (
            format!("<urlset xmlns=\"{CORE}\">‸<![CDATA[ <url><loc>{FIRST}</loc></url></urlset>"),
            "a CDATA section",
            "`]]>`",
            None,
        ),
        (
            format!("<urlset xmlns=\"{CORE}\">‸<?a <url/></x:sitemapindex >"),
            "a processing instruction",
            "`?>`",
            None,
        ),
    ] {
        let decl = if rule.is_some() { " (P-DECL)" } else { "" };
        let Marked { text, place } = marked(&document);
        let problem = checked_outcomes(&text).pop().unwrap().unwrap_err();
        let (line, column, byte) = place;
        assert_eq!(
            (problem.kind, problem.rule, problem.message),
            (
                ErrorKind::Syntax,
                rule.or(Some("XML")),
                format!(
                    "{name} begins here and does not end, so that the rest of the document is part of it{decl}; close it with its \
                     {end}, at line {line}, column {column} (byte {byte})"
                )
            )
        );
    }
    ends(
        "<url><loc a=‸\"b>https://example.com/2</loc></url>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "the value of the attribute `a` begins with `\"` here, and a `<` comes before the `\"` that ends it (XML 1.0 section 3.1); \
         close it, or write `&lt;` if the `<` is a part of it",
    );
}

/// With any number of root names inside an unclosed construct.
#[test]
fn an_open_construct_is_searched_once() {
    for piece in ["urlset", "<urlset", "<urlset ", "urlset/", "</ urlset"] {
        let document = format!("<urlset><!-- {}", piece.repeat(1_000_000 / piece.len()));
        let problem = checked_outcomes(&document).pop().unwrap().unwrap_err();
        assert_eq!(problem.kind, ErrorKind::Eof, "{piece}");
    }
}

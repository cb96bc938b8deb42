//! XSLT stylesheets (L-XSLT) are found anywhere before the root, however the document is passed.

use sitemap_serde::lint::{Input, Linter};
use sitemap_serde::{Diagnostic, Editor, Rule};
use sitemap_tests::{Chunks, Random};

use crate::lint::{HEAD, entry, urlset};

const XSLT: &str = r#"<?xml-stylesheet type="text/xsl" href="/main-sitemap.xsl"?>"#;

fn styled(prolog: &str) -> String {
    urlset(&entry("https://example.com/")).replacen(HEAD, &format!("{HEAD}{prolog}\n"), 1)
}

/// The byte ranges of XSLT stylesheets.
fn found(document: &[u8]) -> Vec<u64> {
    let is_xslt = |found: &&Diagnostic| found.rule() == Rule::Xslt;
    let place = |found: &Diagnostic| found.position().unwrap().byte();
    let all = Linter::new().check(document);
    all.iter().filter(is_xslt).map(place).collect()
}

#[test]
fn forms() {
    for xslt in [
        XSLT,
        r"<?xml-stylesheet href='//example.com/sitemap.xsl?v=2' type='text/xsl'?>",
        r#"<?xml-stylesheet href="a" type="application/xslt+xml"?>"#,
        "<?xml-stylesheet\n type=\"TEXT/XSL\" href=\"b\"?>",
    ] {
        assert_eq!(found(styled(xslt).as_bytes()), [HEAD.len() as u64], "{xslt}");
    }
    for other in [
        "",
        r#"<?xml-stylesheet type="text/css" href="/sitemap.css"?>"#,
        r#"<!-- <?xml-stylesheet type="text/xsl" href="/s.xsl"?> -->"#,
        r#"<?xml-stylesheets type="text/xsl" href="/s.xsl"?>"#,
        "<?other text/xsl?>",
    ] {
        assert_eq!(found(styled(other).as_bytes()), Vec::<u64>::new(), "{other}");
    }
}

#[test]
fn the_range_that_a_fix_removes() {
    let document = styled(XSLT);
    let diagnostics = Linter::new().check(document.as_bytes());
    assert_eq!(
        diagnostics[0].to_string(),
        "warning[L-XSLT]: `<?xml-stylesheet type=\"text/xsl\" href=\"/main-sitemap.xsl\"?>` is a stylesheet in XSLT, which browsers stop \
         applying: Chrome from version 158 on (L-XSLT); name a stylesheet in CSS, or remove the instruction, at line 2, column 1 (byte 39)"
    );
    let suggestion = diagnostics[0].suggestion().unwrap();
    assert_eq!(
        (suggestion.byte_range(), suggestion.new_text()),
        (Some(39..39 + XSLT.len() as u64), Some(""))
    );
}

/// After a comment of any length, a byte order mark or a DOCTYPE; in UTF-16, compressed, and in pieces.
#[test]
fn ways() {
    for len in [0, 1000, 4090, 100_000] {
        let comment = format!("<!--{}-->", "x".repeat(len));
        let document = styled(&format!("{comment}{XSLT}"));
        let place = (HEAD.len() + comment.len()) as u64;
        assert_eq!(found(document.as_bytes()), [place]);
        assert_eq!(found(format!("\u{FEFF}{document}").as_bytes()), [place + 3]);
        for size in [1, 7, 4096] {
            let mut places = Vec::new();
            let mut lint = Linter::new().start(|_, found| {
                if found.rule() == Rule::Xslt {
                    places.push(found.position().unwrap().byte());
                }
            });
            lint.document(Input::new("a.xml", || Ok(Chunks::new(document.as_bytes(), size))))
                .unwrap();
            lint.finish().unwrap();
            assert_eq!(places, [place]);
        }
        let utf_16: Vec<u8> = std::iter::once(0xFEFF)
            .chain(document.replace("UTF-8", "UTF-16").encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(found(&utf_16).len(), 1);
    }
    for prolog in [
        format!("<!DOCTYPE urlset>{XSLT}"),
        format!("{XSLT}<!DOCTYPE urlset [<!ENTITY a 'b'>]>"),
    ] {
        let document = styled(&prolog);
        let all = Linter::new().check(document.as_bytes());
        let xslt = all.iter().find(|found| found.rule() == Rule::Xslt).unwrap();
        assert_eq!(xslt.position().unwrap().line(), 2, "{prolog}");
        // Positions in a document with declarations are not known exactly.
        let is_exact = xslt.suggestion().unwrap().byte_range().is_some_and(|range| {
            let [start, end] = [range.start, range.end].map(|byte| usize::try_from(byte).unwrap());
            document[start..end] == *XSLT
        });
        assert_eq!(is_exact, !prolog.contains("ENTITY"), "{prolog}");
        assert!(
            all.iter().any(|found| found.rule() == Rule::SitemapXsd),
            "{all:?}"
        );
    }
    // It has no effect after the root or within it.
    let after = format!(
        "{}{XSLT}",
        urlset(&format!("{XSLT}{}", entry("https://example.com/")))
    );
    assert_eq!(found(after.as_bytes()), Vec::<u64>::new());
}

/// The text before the root without its stylesheets, and without lines that only they occupy.
fn without_stylesheets(prolog: &str) -> String {
    let (mark, prolog) = prolog.split_at(if prolog.starts_with('\u{FEFF}') { 3 } else { 0 });
    let rest = |line: &str| line.replace(XSLT, "");
    let lines = prolog.split_inclusive('\n').map(|line| {
        let is_gone = line.contains(XSLT) && line.ends_with('\n') && rest(line).trim().is_empty();
        if is_gone { String::new() } else { rest(line) }
    });
    mark.to_owned() + &lines.collect::<String>()
}

/// Removing the findings leaves every other byte of random prologs, except lines that only they occupy, and no findings.
#[test]
fn prologs_without_their_stylesheets() {
    const PARTS: [&str; 9] = [
        "\n",
        "\r\n",
        " ",
        "<!-- é -->",
        "<?php a?>",
        "<?xml-stylesheet href='a.css'?>",
        XSLT,
        "<?xml-stylesheet type='text/xsl' href='b.xsl'?>\n",
        "\n<?xml-stylesheet type='text/xsl' href='b.xsl'?>",
    ];
    let mut lines = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let parts: String = (0..random.below(12))
            .map(|_| PARTS[random.below(PARTS.len())])
            .collect();
        let begin = ["", "\u{FEFF}", HEAD, "\u{FEFF}<?xml version='1.0'?>"][random.below(4)];
        let end = ["\n", ""][random.below(2)];
        let other = "<?xml-stylesheet type='text/xsl' href='b.xsl'?>";
        let prolog = format!("{begin}{parts}{end}").replace(other, XSLT);
        let root = &urlset(&entry("https://example.com/"))[HEAD.len()..];
        let document = format!("{prolog}{root}");
        let diagnostics = Linter::new().check(document.as_bytes());
        let reader = Chunks::new(document.as_bytes(), 1 + random.below(200));
        let mut editor = Editor::new(reader, Vec::new());
        let mut removed = 0;
        for suggestion in diagnostics.iter().filter_map(Diagnostic::suggestion) {
            assert!(editor.replace(suggestion).unwrap(), "{prolog:?}");
            removed += 1;
        }
        assert_eq!(removed, prolog.matches(XSLT).count());
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        let breaks = |text: &str| text.replace("\r\n", "\n");
        let expected = without_stylesheets(&breaks(&prolog));
        lines += breaks(&prolog).matches('\n').count() - expected.matches('\n').count();
        assert_eq!(breaks(&edited), format!("{expected}{root}"), "{prolog:?}");
        assert_eq!(found(edited.as_bytes()), Vec::<u64>::new());
    }
    assert!(lines > 200, "{lines}");
}

/// The text after a stylesheet exceeds the limit for its removal.
#[test]
fn a_stylesheet_that_is_copied_already() {
    let comments = format!("<!--{}-->\n", "x".repeat(1000)).repeat(2000);
    let document = styled(&format!("{XSLT}\n{comments}{XSLT}"));
    let diagnostics = Linter::new().check(document.as_bytes());
    let [first, second] = [0, 1].map(|i| diagnostics[i].suggestion().unwrap());
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    assert!(!editor.replace(first).unwrap());
    assert!(editor.replace(second).unwrap());
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(edited, styled(&format!("{XSLT}\n{}", comments.trim_end())));
}

#[test]
fn what_is_not_before_the_root_is_not_replaced() {
    let document = styled(XSLT);
    let other = document.replace("main-sitemap", "more-sitemap");
    let diagnostics = Linter::new().check(document.as_bytes());
    let suggestion = diagnostics[0].suggestion().unwrap();
    let mut editor = Editor::new(other.as_bytes(), Vec::new());
    assert!(!editor.replace(suggestion).unwrap());
    assert_eq!(editor.finish().unwrap(), other.as_bytes());
    // An entry with a replaceable value, and a stylesheet that is already copied.
    let dated = document.replace("</loc>", "</loc><lastmod>2026/5/1</lastmod>");
    let diagnostics = Linter::new().check(dated.as_bytes());
    let [style, date] = [0, 1].map(|i| diagnostics[i].suggestion().unwrap());
    let mut editor = Editor::new(dated.as_bytes(), Vec::new());
    assert!(!editor.replace(date).unwrap());
    assert!(editor.next_entry().unwrap().is_some());
    assert!(!editor.replace(date).unwrap());
    while editor.next_entry().unwrap().is_some() {}
    assert!(!editor.replace(style).unwrap());
    assert_eq!(editor.finish().unwrap(), dated.as_bytes());
}

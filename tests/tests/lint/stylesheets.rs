//! Stylesheets in XSLT (L-XSLT): found wherever they are before the root, in whatever way the document comes.

use sitemap_serde::lint::{Input, Linter};
use sitemap_serde::{Diagnostic, Editor, Rule};
use sitemap_tests::{Chunks, Random};

use crate::{HEAD, entry, urlset};

const XSLT: &str = r#"<?xml-stylesheet type="text/xsl" href="/main-sitemap.xsl"?>"#;

fn styled(prolog: &str) -> String {
    urlset(&entry("https://example.com/")).replacen(HEAD, &format!("{HEAD}{prolog}\n"), 1)
}

/// Where stylesheets in XSLT are found: their bytes.
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
        assert_eq!(found(styled(other).as_bytes()), [], "{other}");
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
    let replacement = diagnostics[0].replacement().unwrap();
    assert_eq!(
        (replacement.range(), replacement.text()),
        (39..39 + XSLT.len() as u64, "")
    );
}

/// Behind a comment of any length, a byte order mark, a DOCTYPE, in UTF-16, compressed, and in pieces.
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
        // What is where in a document with declarations is not known exactly.
        let is_exact = xslt.replacement().is_some_and(|replacement| {
            let range = replacement.range();
            let [start, end] = [range.start, range.end].map(|byte| usize::try_from(byte).unwrap());
            document[start..end] == *XSLT
        });
        assert_eq!(is_exact, !prolog.contains("ENTITY"), "{prolog}");
        assert!(
            all.iter().any(|found| found.rule() == Rule::SitemapXsd),
            "{all:?}"
        );
    }
    // After the root it has no effect, and within it neither.
    let after = format!(
        "{}{XSLT}",
        urlset(&format!("{XSLT}{}", entry("https://example.com/")))
    );
    assert_eq!(found(after.as_bytes()), []);
}

/// Removing what is found leaves every other byte of random prologs, and nothing to find.
#[test]
fn prologs_without_their_stylesheets() {
    const PARTS: [&str; 7] = [
        "\n",
        "\r\n",
        " ",
        "<!-- é -->",
        "<?php a?>",
        "<?xml-stylesheet href='a.css'?>",
        XSLT,
    ];
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let parts: Vec<_> = (0..random.below(12))
            .map(|_| PARTS[random.below(PARTS.len())])
            .collect();
        let document = styled(&parts.concat());
        let expected: Vec<_> = parts.iter().filter(|part| **part != XSLT).copied().collect();
        let diagnostics = Linter::new().check(document.as_bytes());
        let reader = Chunks::new(document.as_bytes(), 1 + random.below(200));
        let mut editor = Editor::new(reader, Vec::new());
        let mut removed = 0;
        for replacement in diagnostics.iter().filter_map(Diagnostic::replacement) {
            assert!(editor.replace(replacement).unwrap());
            removed += 1;
        }
        assert_eq!(removed, parts.len() - expected.len());
        let edited = editor.finish().unwrap();
        assert_eq!(found(&edited), []);
        let without_breaks = |text: &str| text.replace(['\r', '\n'], "");
        let edited = String::from_utf8(edited).unwrap();
        assert_eq!(
            without_breaks(&edited),
            without_breaks(&styled(&expected.concat()))
        );
    }
}

#[test]
fn what_is_not_before_the_root_is_not_replaced() {
    let document = styled(XSLT);
    let other = document.replace("main-sitemap", "more-sitemap");
    let diagnostics = Linter::new().check(document.as_bytes());
    let replacement = diagnostics[0].replacement().unwrap();
    let mut editor = Editor::new(other.as_bytes(), Vec::new());
    assert!(!editor.replace(replacement).unwrap());
    assert_eq!(editor.finish().unwrap(), other.as_bytes());
    // An entry of which something could be replaced, and a stylesheet that is copied already.
    let dated = document.replace("</loc>", "</loc><lastmod>2026/5/1</lastmod>");
    let diagnostics = Linter::new().check(dated.as_bytes());
    let [style, date] = [0, 1].map(|i| diagnostics[i].replacement().unwrap());
    let mut editor = Editor::new(dated.as_bytes(), Vec::new());
    assert!(!editor.replace(date).unwrap());
    assert!(editor.next_entry().unwrap().is_some());
    assert!(!editor.replace(date).unwrap());
    while editor.next_entry().unwrap().is_some() {}
    assert!(!editor.replace(style).unwrap());
    assert_eq!(editor.finish().unwrap(), dated.as_bytes());
}

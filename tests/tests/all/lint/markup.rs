//! Markup in and around values changes no finding and no fix: tags with `>` in attributes, comments, instructions, CDATA sections, line
//! ends.

use sitemap_serde::lint::Linter;
use sitemap_serde::{Diagnostic, Editor, Rule, Suggestion};

use crate::lint::{HEAD, ROOT};

/// What a start tag may have: declarations, and attributes of a schema's instance.
const ATTRIBUTES: [&str; 4] = [
    "",
    " xmlns:q=\"a>b'\"",
    " xsi:n='\"/>'",
    "\r\n\txmlns:q = 'it=\"1\" &gt;' ",
];

const ASIDES: [&str; 5] = [
    "",
    "<!-- it's > \" </loc> -->",
    "<?p '>\" ?>",
    "\r\n\t",
    "<!--> </a -->",
];

/// Values with something to be found.
const VALUES: [(&str, &str); 13] = [
    ("loc", "https://example.com/it's"),
    ("loc", "https://example.com/a>b"),
    ("loc", "https://example.com/?a=1&amp;b=\"2\""),
    ("loc", "https://example.com/é b"),
    ("loc", "https://example.com/?a=1&amp;b=c d"),
    ("loc", "/a"),
    ("lastmod", "2026/5/1"),
    ("lastmod", "2026/5&#x2F;1"),
    ("lastmod", "soon"),
    ("changefreq", "Daily"),
    ("changefreq", "d&#97;yli"),
    ("priority", "0,5"),
    ("priority", "1.5"),
];

/// How a value is written.
#[derive(Clone, Copy, Debug, Default)]
struct Style {
    attribute: &'static str,
    before: &'static str,
    after: &'static str,
    end: &'static str,
    is_section: bool,
}

/// An entry whose element `name` has a value, in this style.
fn entry(name: &str, value: &str, style: Style) -> String {
    let Style {
        attribute,
        before,
        after,
        end,
        is_section,
    } = style;
    let [open, close] = if is_section { ["<![CDATA[", "]]>"] } else { [""; 2] };
    let element = format!("<{name}{attribute}>{before}{open}{value}{close}{after}</{name}{end}>");
    if name == "loc" {
        format!("<url{attribute}>{element}</url>\n")
    } else {
        format!("<url{attribute}><loc>https://example.com/</loc>{element}</url>\n")
    }
}

fn document(entry: &str) -> String {
    let root = ROOT.replace(
        "<urlset",
        "<urlset xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    );
    format!("{HEAD}{root}{entry}</urlset>\n")
}

/// The suggestions that have a place in the document.
fn placed(found: &[Diagnostic]) -> impl Iterator<Item = &Suggestion> {
    let suggestions = found.iter().filter_map(Diagnostic::suggestion);
    suggestions.filter(|suggestion| suggestion.byte_range().is_some())
}

/// The findings without their places, and the document with all fixes.
fn linted(document: &str) -> (Vec<String>, String) {
    let found = Linter::new().check(document.as_bytes());
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    while let Some(mut entry) = editor.next_entry().unwrap() {
        for suggestion in placed(&found) {
            assert!(entry.replace(suggestion), "{document}");
        }
    }
    let fixed = String::from_utf8(editor.finish().unwrap()).unwrap();
    let shown = |diagnostic: &Diagnostic| {
        let replaced = placed(std::slice::from_ref(diagnostic)).next();
        let replaced = replaced.filter(|replaced| replaced.new_text() != Some(""));
        format!(
            "{:?} {:?} {:?} {} found {:?} suggestion {:?} replaces {:?}",
            diagnostic.rule(),
            diagnostic.severity(),
            diagnostic.path(),
            diagnostic.message(),
            diagnostic.found(),
            diagnostic
                .suggestion()
                .map(|suggestion| suggestion.value().to_owned()),
            replaced.map(|replaced| [replaced.old_text(), replaced.new_text()]),
        )
    };
    (found.iter().map(shown).collect(), fixed)
}

#[test]
fn markup_around_a_value_changes_no_finding_and_no_fix() {
    for (name, value) in VALUES {
        let plain = entry(name, value, Style::default());
        let (expected, fixed) = linted(&document(&plain));
        assert!(!expected.is_empty(), "{plain}");
        // The new value; `None` if the element is removed.
        let written = Linter::new();
        let written = written.check(document(&plain).as_bytes());
        let new = placed(&written)
            .next()
            .and_then(Suggestion::new_text)
            .unwrap_or(value);
        let is_removed = new.is_empty();
        assert_eq!(
            fixed,
            document(&if is_removed {
                entry("loc", "https://example.com/", Style::default())
            } else {
                entry(name, new, Style::default())
            })
        );
        for attribute in ATTRIBUTES {
            for (before, after) in ASIDES
                .iter()
                .flat_map(|before| ASIDES.map(|after| (*before, after)))
            {
                for (end, is_section) in [("", false), (" \n", false), ("", true)] {
                    // Within a section there is nothing to escape.
                    if is_section && value.contains(['&', '\'', '"', '>']) {
                        continue;
                    }
                    let style = Style {
                        attribute,
                        before,
                        after,
                        end,
                        is_section,
                    };
                    let (found, fixed) = linted(&document(&entry(name, value, style)));
                    assert_eq!(found, expected, "{style:?}");
                    if !is_removed {
                        assert_eq!(fixed, document(&entry(name, new, style)));
                    }
                }
            }
        }
    }
}

/// Encodings and a DOCTYPE, whose entities another parser resolves, have their own findings, and change no others.
#[test]
fn other_documents_have_the_same_findings() {
    let messages = |document: &[u8]| -> Vec<String> {
        let found = Linter::new().check(document);
        let found = found.iter().filter(|diagnostic| {
            !matches!(
                diagnostic.rule(),
                Rule::Utf8 | Rule::Decl | Rule::SitemapXsd | Rule::Esc
            )
        });
        found.map(|found| found.message().to_owned()).collect()
    };
    for (name, value) in VALUES {
        let plain = messages(document(&entry(name, value, Style::default())).as_bytes());
        for (attribute, aside) in ATTRIBUTES.iter().flat_map(|a| ASIDES.map(|aside| (*a, aside))) {
            let style = Style {
                attribute,
                before: aside,
                after: aside,
                ..Style::default()
            };
            let text = document(&entry(name, value, style));
            let body = text.strip_prefix(HEAD).unwrap();
            let wide: Vec<u8> = format!("\u{FEFF}{body}")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect();
            let declared = format!("{HEAD}<!DOCTYPE urlset [<!ENTITY e 'x>'>]>\n{body}");
            assert_eq!(messages(&wide), plain, "{style:?}");
            assert_eq!(messages(declared.as_bytes()), plain, "{style:?}");
        }
    }
}

#[test]
fn attributes_of_core_elements() {
    for (element, expected) in [
        ("<url>", None),
        ("<url id='>'>", Some(("url", "id"))),
        ("<url xmlns:q=\"a>b\" c='\">'>", Some(("url", "c"))),
        ("<url\r\nxmlns:q = \"d='1'\" >", None),
        (
            "<url><lastmod a='>'>2026-05-01</lastmod >",
            Some(("lastmod", "a")),
        ),
        ("<url><lastmod\na='2026'/>", Some(("lastmod", "a"))),
        (
            "<url><priority b = \"=\"><!-- > -->0.5</priority>",
            Some(("priority", "b")),
        ),
    ] {
        let entry = format!("{element}<loc>https://example.com/</loc></url>\n");
        let found = Linter::new().check(document(&entry).as_bytes());
        let found: Vec<_> = found
            .iter()
            .filter(|diagnostic| diagnostic.rule() == Rule::SitemapXsd)
            .map(Diagnostic::message)
            .collect();
        let expected = expected.map(|(element, attribute)| {
            format!(
                "`{element}` has the attribute `{attribute}`, and the schema has none (sitemap.xsd); remove it: crawlers ignore it"
            )
        });
        assert_eq!(found, Vec::from_iter(expected), "{entry}");
    }
}

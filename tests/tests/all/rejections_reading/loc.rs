//! Entries without a loc, with two, or with an invalid one.

use sitemap_serde::UrlEntry;
use sitemap_tests::{outcomes, urlset};

use crate::rejections_reading::breaks;

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
            "no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry",
        );
    }
}

#[test]
fn repeated_core_elements() {
    breaks(
        "<url><loc>https://example.com/2</loc><loc>‸https://example.com/2</loc></url>",
        "P-DUP",
        "entry 2 · loc",
        "a second `loc`: a `url` has at most one (P-DUP); remove one of them",
    );
    breaks(
        "<url><loc>https://example.com/2</loc><lastmod/> <!-- --><priority>1</priority><lastmod>\n ‸2024</lastmod></url>",
        "P-DUP",
        "entry 2 · lastmod",
        "a second `lastmod`: a `url` has at most one (P-DUP); remove one of them",
    );
    breaks(
        "<url><changefreq>daily</changefreq><loc>https://example.com/2</loc><changefreq>‸daily</changefreq></url>",
        "P-DUP",
        "entry 2 · changefreq",
        "a second `changefreq`: a `url` has at most one (P-DUP); remove one of them",
    );
    breaks(
        "<url><priority>0</priority><priority>‸0</priority><priority>0</priority><loc>https://example.com/2</loc></url>",
        "P-DUP",
        "entry 2 · priority",
        "a second `priority`: a `url` has at most one (P-DUP); remove one of them",
    );
}

#[test]
fn an_element_within_text() {
    let within = |name: &str| {
        format!(
            "an element within `{name}`, which contains text only (P-ESC); remove it, or write its `<` as `&lt;` if it is text"
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
                 (P-LOC); write the absolute URL, or read it into a `String` and resolve it"
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
        "`https://example.com:http/2` has an invalid port: a port is a number up to 65535 (P-LOC, RFC 3986 section 3.2); \
         correct it",
    );
    for host in ["xn--a", "www.xn--99999999.example"] {
        breaks(
            &format!("<url><loc>‸https://{host}/2</loc></url>"),
            "P-IDN",
            "entry 2 · loc",
            &format!(
                "`https://{host}/2` has a host of which a part begins with `xn--` and is punycode of no name (P-IDN, RFC 3492); \
                 correct it"
            ),
        );
    }
}

#[test]
fn a_control_character_in_a_loc() {
    for (c, shown) in [
        ('\n', "\\n"),
        ('\t', "\\t"),
        ('\u{7F}', "\\u{7f}"),
        ('\u{80}', "\\u{80}"),
        ('\u{85}', "\\u{85}"),
        ('\u{9F}', "\\u{9f}"),
    ] {
        for place in ["2", "?2", "#2"] {
            breaks(
                &format!("<url><loc>‸https://example.com/{place}{c}3</loc></url>"),
                "P-LOC",
                "entry 2 · loc",
                &format!(
                    "`https://example.com/{place}{shown}3` holds U+{:04X}: a URL has no control characters, tab and line break \
                     among them (P-LOC, RFC 3986); remove it",
                    u32::from(c)
                ),
            );
        }
    }
}

#[test]
fn invisible_characters_around_a_loc() {
    for c in [
        '\u{A0}', '\u{AD}', '\u{200B}', '\u{200E}', '\u{2003}', '\u{2028}', '\u{3000}', '\u{FEFF}',
    ] {
        let shown = c.escape_unicode();
        for (loc, shown) in [
            (
                format!("https://example.com/2{c}"),
                format!("https://example.com/2{shown}"),
            ),
            (
                format!("{c}https://example.com/2"),
                format!("{shown}https://example.com/2"),
            ),
        ] {
            breaks(
                &format!("<url><loc>\n  ‸{loc}\n</loc></url>"),
                "P-LOC",
                "entry 2 · loc",
                &format!(
                    "`{shown}` begins or ends with U+{:04X}, a character that cannot be seen and is no part of the URL (P-LOC); \
                     remove it",
                    u32::from(c)
                ),
            );
        }
        // Within a URL, it is an ordinary character.
        let loc = format!("https://example.com/{c}2");
        assert_eq!(
            outcomes::<UrlEntry>(urlset(&format!("<url><loc>{loc}</loc></url>"))),
            [Ok(UrlEntry::new(loc))]
        );
    }
}

#[test]
fn unencoded_characters_are_read_unchanged() {
    for loc in [
        "https://example.com/2 3",
        "https://example.com/a\"b|c^d\\e`f{g}h[i]",
        "https://example.com/100%/%zz/%E3",
        "https://example.com/ä?q=サイト#é #",
        "ftp://example.com/2",
        "https://xn--bcher-kva.example/2",
    ] {
        assert_eq!(
            outcomes::<UrlEntry>(urlset(&format!("<url><loc>{loc}</loc></url>"))),
            [Ok(UrlEntry::new(loc))],
            "{loc}"
        );
    }
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
            "`https://example.com/{}…` has 2,049 characters: 2,048 are allowed (P-LOCLEN); shorten the URL or leave the \
             page out",
            "é".repeat(40)
        ),
    );
}

//! Documents that are not XML.

use sitemap_serde::ErrorKind;

use crate::rejections_reading::{breaks, ends};

#[test]
fn mismatched_tags() {
    ends(
        "<url><loc>https://example.com/2‸</url></loc>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "the end tag `</url>` where `</loc>` is expected: the element that began last ends first",
    );
    ends(
        "<url><loc>https://example.com/2</loc>‸</urlset>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "the end tag `</urlset>` where `</url>` is expected: the element that began last ends first",
    );
    ends(
        "‸</url>",
        ErrorKind::Syntax,
        None,
        None,
        "the end tag `</url>` where `</urlset>` is expected: the element that began last ends first",
    );
}

#[test]
fn a_bare_ampersand() {
    for bare in ["&b=1", "&", "& b", "&#x;", "&amp"] {
        ends(
            &format!("<url><loc>https://example.com/2?a=1‸{bare}</loc></url>"),
            ErrorKind::Syntax,
            Some("P-ESC"),
            Some("entry 2"),
            "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC)",
        );
    }
}

#[test]
fn an_entity_of_html() {
    for entity in ["&nbsp;", "&eacute;", "&copy;"] {
        ends(
            &format!("<url><loc>https://example.com/2‸{entity}</loc></url>"),
            ErrorKind::Syntax,
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
        ErrorKind::Syntax,
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
            ErrorKind::Syntax,
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
            ErrorKind::Syntax,
            None,
            Some("entry 2"),
            "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it",
        );
    }
    // Characters that XML allows are checked by the loc's own rule.
    breaks(
        "<url><loc>‸https://example.com/\u{7F}</loc></url>",
        "P-LOC",
        "entry 2 · loc",
        "`https://example.com/\\u{7f}` holds U+007F: a URL has no control characters, tab and line break among them (P-LOC, RFC \
         3986); remove it",
    );
}

#[test]
fn a_prefix_that_is_not_declared() {
    for (prefix, name) in [("image", "image:image"), ("sm", "sm:loc")] {
        ends(
            &format!("<url><loc>https://example.com/2</loc><‸{name}>x</{name}></url>"),
            ErrorKind::Syntax,
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
        ErrorKind::Syntax,
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
        ErrorKind::Syntax,
        None,
        None,
        "the attribute `id` twice on one element (XML 1.0 section 3.1); keep one",
    );
    ends(
        "<url xmlns:a=\"urn:x\" xmlns:b=\"urn:x\" a:id=\"1\" ‸b:id=\"2\"><loc>https://example.com/2</loc></url>",
        ErrorKind::Syntax,
        None,
        None,
        "an attribute twice on one element, under two prefixes of one namespace (Namespaces in XML section 6.3); keep one",
    );
}

#[test]
fn tags_that_are_none() {
    ends(
        "<url><loc id=‸2>https://example.com/2</loc></url>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "the attribute `id` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`",
    );
    ends(
        "<url><loc>1 <‸ 2</loc></url>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "found ` ` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`",
    );
    for (tag, found) in [("<‸<loc>", "<"), ("<‸>x", ">"), ("<‸1>", "1"), ("</‸>", ">")] {
        let what = if tag.starts_with("</") {
            "an end tag"
        } else {
            "an element"
        };
        ends(
            &format!("<url>{tag}</url>"),
            ErrorKind::Syntax,
            None,
            Some("entry 2"),
            &format!(
                "found `{found}` where the name of {what} begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`"
            ),
        );
    }
    ends(
        "<url><loc ‸<lastmod>",
        ErrorKind::Syntax,
        None,
        Some("entry 2"),
        "found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1)",
    );
    ends(
        "<!-- a ‸-- b -->",
        ErrorKind::Syntax,
        None,
        None,
        "`--` inside a comment (XML 1.0 section 2.5); write `- -`",
    );
}

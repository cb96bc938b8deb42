//! Content before and after the root.

use sitemap_serde::{ErrorKind, Reader, UrlEntry};
use sitemap_tests::{checked_outcomes, urlset};

use crate::rejections_reading::{FIRST, HTML, Rejection, TITLED_HTML, is_none};

#[test]
fn nothing_at_all() {
    let empty =
        "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS)";
    is_none("‸", ErrorKind::Eof, Some("P-NS"), empty);
    is_none(" \n\t\r\n  ‸", ErrorKind::Eof, Some("P-NS"), empty);
    is_none(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- soon -->\n‸",
        ErrorKind::Eof,
        Some("P-NS"),
        empty,
    );
}

#[test]
fn text_before_the_root() {
    is_none(
        "‸Not found",
        ErrorKind::Syntax,
        Some("P-DECL"),
        "`Not found` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    is_none(
        "‸{\"error\": 404}\n",
        ErrorKind::Syntax,
        Some("P-DECL"),
        "`{\"error\": 404}` before the root: this is JSON, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    is_none(
        &format!("\n ‸Warning: x\n{}", urlset("")),
        ErrorKind::Syntax,
        Some("P-DECL"),
        "`Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)",
    );
    // A sitemap may be a list of URLs in plain text, but this reader expects XML.
    is_none(
        "‸https://example.com/\nhttps://example.com/2\n",
        ErrorKind::Syntax,
        Some("P-DECL"),
        "`https://example.com/\\nhttps://example.com/2` before the root: this is text, not XML; a sitemap begins with \
         `<?xml` or its root (P-DECL)",
    );
}

#[test]
fn a_declaration_that_comes_late() {
    is_none(
        &format!("\n‸<?xml version=\"1.0\"?>{}", urlset("")),
        ErrorKind::Syntax,
        Some("P-DECL"),
        "an XML declaration that is not at the start of the document (P-DECL, XML 1.0 section 2.8); remove what is \
         before it",
    );
}

#[test]
fn a_declaration_that_is_wrong() {
    let shape = "it should be `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL)";
    for (parts, found) in [
        ("‸version=\"1.\"", "`version=\"1.\"` in"),
        ("‸version=\"1.x\"", "`version=\"1.x\"` in"),
        ("version=\"1.0\" ‸version=\"1.0\"", "`version=\"1.0\"` in"),
        (
            "version=\"1.0\" standalone=\"no\" ‸encoding=\"utf-8\"",
            "`encoding=\"utf-8\"` in",
        ),
        (
            "version=\"1.0\" ‸standalone=\"maybe\"",
            "`standalone=\"maybe\"` in",
        ),
        ("‸encoding=\"utf-8\"", "`encoding=\"utf-8\"` in"),
        ("version=\"1.0\" ‸encoding", "a malformed"),
    ] {
        let the = if found.ends_with("in") { " the" } else { "" };
        is_none(
            &format!("<?xml {parts} ?>{}", urlset("")),
            ErrorKind::Syntax,
            Some("P-DECL"),
            &format!("{found}{the} XML declaration: {shape}"),
        );
    }
    // Text is read with any declared encoding that could be an encoding's name.
    for (label, is_name) in [
        ("x-8", true),
        ("-utf-8", false),
        ("8", false),
        ("utf/8", false),
        ("", false),
    ] {
        let document = format!("<?xml version='1.0' encoding='{label}'?>{}", urlset(""));
        let read = Reader::from_str(&document)
            .kind()
            .map_err(|error| error.to_string());
        assert_eq!(read.is_ok(), is_name, "{label}: {read:?}");
        assert!(
            read.err()
                .is_none_or(|error| error.contains("in the XML declaration: it should be")),
            "{label}"
        );
    }
}

#[test]
fn a_page_with_a_doctype() {
    for page in [
        "<!DOCTYPE html>\n‸<html lang=\"en\"><head><meta charset=\"utf-8\"></head><body></body></html>",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\n\
         ‸<html xmlns=\"http://www.w3.org/1999/xhtml\"/>",
    ] {
        is_none(page, ErrorKind::Data, Some("P-NS"), HTML);
    }
}

#[test]
fn a_page_with_a_doctype_in_lower_case() {
    is_none(
        "‸<!doctype html><title>404</title>",
        ErrorKind::Data,
        Some("P-NS"),
        TITLED_HTML,
    );
}

#[test]
fn a_doctype_that_is_cut_off() {
    is_none(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset‸",
        ErrorKind::Eof,
        None,
        "the document ends in the middle of a tag, comment or instruction; get a complete copy",
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
            "`<!` that does not begin a comment or anything else that is allowed here (XML 1.0 section 2.1)",
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
            kind: ErrorKind::Syntax,
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
            kind: ErrorKind::Syntax,
            rule: None,
            path: None,
            message: "`<!` that does not begin a comment or anything else that is allowed here (XML 1.0 section 2.1)",
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
}

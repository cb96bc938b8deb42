//! Documents with a DOCTYPE: external entities, and excessive namespaces.

use std::fmt::Write;

use sitemap_serde::lint::Linter;
use sitemap_serde::{ErrorKind, Limits, Reader, ReaderBuilder, Rule, UrlEntry};
use sitemap_tests::{CORE, checked_outcomes, limited, urlset};

use crate::rejections_reading::{FIRST, Failing, Rejection, is_none};

/// A document whose second entry is `entry`.
fn with_doctype(subset: &str, entry: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset [{subset}]>\n{}",
        urlset(&format!("<url><loc>{FIRST}</loc></url>\n{entry}"))
    )
}

fn elsewhere(reference: &str) -> String {
    format!(
        "the entity `{reference}` is declared in the DOCTYPE as external, and external entities are not read; replace it by its text"
    )
}

#[test]
fn a_reference_to_an_external_entity() {
    for declaration in [
        "<!ENTITY x SYSTEM \"x.txt\">",
        "<!ENTITY x PUBLIC '-//A//B' 'x.txt'>",
        "<!ENTITY x SYSTEM 'x.gif' NDATA gif>",
        "<!ENTITY\nx\n  SYSTEM\n'x.txt'\n>",
        // The first declaration of a name counts.
        "<!ENTITY x SYSTEM 'x.txt'><!ENTITY x 'y'>",
        "<!ENTITY x SYSTEM 'x.txt'><!ENTITY x '<y>'>",
        // The same within another one.
        "<!ENTITY y '&x;'><!ENTITY x SYSTEM 'x.txt'>",
    ] {
        // The position is xml-rs's position: at the end of the reference, or after the replaced one.
        let reference = if declaration.contains("y '&x;'") {
            "&y;‸"
        } else {
            "&x‸;"
        };
        Rejection {
            document: &with_doctype(
                declaration,
                &format!("<url><loc>https://example.com/{reference}</loc></url>"),
            ),
            kind: ErrorKind::Syntax,
            rule: None,
            path: Some("entry 2"),
            message: &elsewhere("&x;"),
            before: &[FIRST],
            after: &[],
        }
        .assert();
    }
    let in_attribute = with_doctype(
        "<!ENTITY x SYSTEM 'x.txt'>",
        "<url a='&x‸;'><loc>https://example.com/2</loc></url>",
    );
    Rejection {
        document: &in_attribute,
        kind: ErrorKind::Syntax,
        rule: None,
        path: None,
        message: &elsewhere("&x;"),
        before: &[FIRST],
        after: &[],
    }
    .assert();
    is_none(
        "<!DOCTYPE urlset [<!ENTITY % x SYSTEM 'x.dtd'>%x‸;]><urlset/>",
        ErrorKind::Syntax,
        None,
        &elsewhere("%x;"),
    );
}

#[test]
fn what_is_no_reference_to_it() {
    for (subset, text, means) in [
        ("<!ENTITY x SYSTEM 'x.txt'>", "<!-- &x; -->", ""),
        ("<!ENTITY x SYSTEM 'x.txt'>", "<![CDATA[&x;]]>", "&x;"),
        ("<!ENTITY x SYSTEM 'x.txt'>", "<?x &x;?>", ""),
        ("<!-- <!ENTITY x SYSTEM 'x.txt'> --><!ENTITY x 'y'>", "&x;", "y"),
        ("<?x <!ENTITY x SYSTEM 'x.txt'>?><!ENTITY x 'y'>", "&x;", "y"),
        ("<!ENTITY x 'y'><!ENTITY x SYSTEM 'x.txt'>", "&x;", "y"),
        ("<!ENTITY % x SYSTEM 'x.txt'><!ENTITY x 'y'>", "&x;", "y"),
        ("<!ENTITY % x '<!ENTITY y \"z\">'>%x;", "&y;", "z"),
    ] {
        let document = with_doctype(
            subset,
            &format!("<url><loc>https://example.com/{text}</loc></url>"),
        );
        assert_eq!(
            checked_outcomes(&document)[1],
            Ok(UrlEntry::new(format!("https://example.com/{means}"))),
            "{document}"
        );
    }
}

#[test]
fn an_external_entity_that_a_parameter_entity_declares() {
    for declaration in [
        "<!ENTITY % d \"<!ENTITY x SYSTEM 'x.txt'>\">%d;",
        "<!ENTITY % d \"&#60;!ENTITY x SYSTEM 'x.txt'>\">%d;",
        "<!ENTITY % d \"<!ENTITY x S\">%d;",
    ] {
        is_none(
            &format!(
                "<!DOCTYPE urlset [‸{declaration}]><urlset><url><loc>https://example.com/&x;</loc></url></urlset>"
            ),
            ErrorKind::Syntax,
            None,
            "a parameter entity that declares external or incomplete entities, which is not supported (in a document with a DOCTYPE; a sitemap needs none)",
        );
    }
}

/// A small file that would take xml-rs hours: nested elements that each declare namespaces.
#[test]
fn namespaces_in_scope_without_end() {
    let mut nested = String::new();
    for level in 0..80 {
        nested.push_str("<b");
        for i in 0..60 {
            write!(nested, " xmlns:p{level}_{i}='urn:x'").unwrap();
        }
        nested.push('>');
    }
    let nested = format!("{nested}{}{}", "<a/>".repeat(500), "</b>".repeat(80));
    let entry = format!("<url><loc>https://example.com/2</loc>{nested}</url>");
    let plain = urlset(&format!("<url><loc>{FIRST}</loc></url>\n{entry}"));
    assert_eq!(checked_outcomes(&plain).len(), 2);
    assert!(checked_outcomes(&plain).iter().all(Result::is_ok));
    // 60 on the first, and 4 more, not counting the root's.
    let (start, rest) = entry.split_at(entry.find("<b xmlns:p1_0").unwrap());
    Rejection {
        document: &with_doctype("", &format!("{start}‸{rest}")),
        kind: ErrorKind::Limit,
        rule: None,
        path: Some("entry 2"),
        message: "more than 64 namespace declarations on nested elements, and in a document with a DOCTYPE 64 are \
                  allowed; if you trust the document, read it with `Limits::trusted`",
        before: &[FIRST],
        after: &[],
    }
    .assert();
}

/// Text that only looks like a declaration declares nothing.
#[test]
fn mentions_of_declarations() {
    let many = " xmlns:a='b'".repeat(65);
    for mention in [format!("<!--{many} -->"), format!("<?x{many}?>")] {
        let document = format!(
            "<!DOCTYPE urlset [{mention}]>{mention}<urlset xmlns='{CORE}'>{mention}<url><loc>{FIRST}</loc></url></urlset>"
        );
        assert_eq!(checked_outcomes(&document), [Ok(UrlEntry::new(FIRST))]);
    }
    let document = format!(
        "<!DOCTYPE urlset []><urlset xmlns='{CORE}'><url><loc>{FIRST}</loc><x{many}/></url></urlset>"
    );
    assert!(
        checked_outcomes(&document)[0]
            .as_ref()
            .unwrap_err()
            .message
            .starts_with("more than 64 namespace declarations on one element, which is the limit")
    );
}

/// White space from references in attributes, and the stylesheet before the root, work as without a DOCTYPE.
#[test]
fn what_is_read_is_the_same() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Page {
        loc: String,
        x: X,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct X {
        #[serde(rename = "@a")]
        a: String,
    }
    let plain = format!(
        "<?xml-stylesheet type='text/xsl' href='/sitemap.xsl'?>\n{}",
        urlset("<url><loc>https://example.com/1</loc><x a='1&#9;2&#10;3\t4&#13;5'/></url>")
    );
    let with_doctype = format!("<!DOCTYPE urlset [<!ENTITY a 'b'>]>{plain}");
    for document in [&plain, &with_doctype] {
        let pages: Vec<Page> = sitemap_serde::from_str(document).unwrap();
        assert_eq!(pages[0].x.a, "1\t2\n3 4\r5", "{document}");
        let found = Linter::new().check(document.as_bytes());
        assert!(
            found.iter().any(|found| found.rule() == Rule::Xslt),
            "{document}: {found:?}"
        );
    }
}

#[test]
fn a_reader_that_fails_in_a_doctype() {
    let document = with_doctype("<!ENTITY a '<b>'><!-- ' --><!ENTITY % c \"d\">", "");
    let end = document.find("]>").unwrap() + 2;
    for cut in 0..end {
        let error = Reader::from_reader(Failing::after(&document.as_bytes()[..cut]))
            .kind()
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{cut}: {error}");
        let message = error.to_string();
        let message = message.split(", at line").next().unwrap();
        assert_eq!(message, "cannot read the sitemap: the cable was pulled", "{cut}");
    }
}

/// Memory holds at most the size of a token.
#[test]
fn a_doctype_that_is_too_long() {
    let limits = limited(Limits::reading(), |limits| limits.token_bytes = 1_000);
    let long = format!("<!ENTITY a '{}'>", "x".repeat(3_000));
    let start = ", at line 2, column 1 (byte 22)";
    for (document, start) in [
        (with_doctype(&long, ""), start),
        (with_doctype(&"<!-- -->".repeat(500), ""), start),
        (
            format!("<!DOCTYPE urlset [{}", "<!-- -->".repeat(500)),
            ", at line 1, column 1 (byte 0)",
        ),
    ] {
        let expected = format!(
            "a DOCTYPE of more than 1,000 bytes, which is the limit; remove the DOCTYPE: a sitemap needs none{start}"
        );
        let mut builder = ReaderBuilder::new();
        builder.limits(limits.clone());
        for error in [
            builder.from_str(&document).kind().unwrap_err(),
            builder.from_reader(document.as_bytes()).kind().unwrap_err(),
        ] {
            assert_eq!(
                (error.kind(), error.to_string()),
                (ErrorKind::Limit, expected.clone())
            );
        }
    }
}

/// For every exceeded limit in a document with a DOCTYPE, the message is this crate's, with the limit and the fix.
#[test]
fn what_is_too_large_in_a_document_with_a_doctype() {
    const LIMIT: &str = "more than 1,000 bytes in a value or text, 50 in a name, or 4 attributes on an element, in a document with a DOCTYPE, and \
                         that is the limit; remove the DOCTYPE: a sitemap needs none";
    const EXPANSION: &str = "the document's entities expand to more than 2,000 bytes, which is the limit; if you trust the document, read it \
                             with `Limits::trusted`";
    let limits = limited(Limits::reading(), |limits| {
        limits.token_bytes = 1_000;
        limits.name_bytes = 50;
        limits.attributes = 4;
        limits.expansion_bytes = 2_000;
    });
    let page = |rest: &str| format!("<url><loc>https://example.com/2</loc>{rest}</url>");
    let long = "x".repeat(1_100);
    let deep: String = (0..20)
        .map(|i| format!("<!ENTITY e{} '&e{i};'>", i + 1))
        .collect::<Vec<_>>()
        .concat();
    for (what, document, expected) in [
        (
            "a text",
            with_doctype("", &page(&format!("<a>{long}</a>"))),
            LIMIT,
        ),
        (
            "an attribute's value",
            with_doctype("", &page(&format!("<a b='{long}'/>"))),
            LIMIT,
        ),
        (
            "an element's name",
            with_doctype("", &page(&format!("<{0}></{0}>", &long[..60]))),
            LIMIT,
        ),
        (
            "an attribute's name",
            with_doctype("", &page(&format!("<a {}='b'/>", &long[..60]))),
            LIMIT,
        ),
        (
            "attributes",
            with_doctype("", &page("<a b='' c='' d='' e='' f=''/>")),
            LIMIT,
        ),
        (
            "an entity's name",
            with_doctype(&format!("<!ENTITY {} ''>", &long[..60]), &page("")),
            LIMIT,
        ),
        (
            "entities in entities",
            with_doctype(&format!("<!ENTITY e0 'x'>{deep}"), &page("<a>&e20;</a>")),
            EXPANSION,
        ),
    ] {
        let mut reader = ReaderBuilder::new().limits(limits.clone()).from_str(&document);
        let found: Vec<_> = reader.entries().filter_map(Result::err).collect();
        let [error] = &found[..] else {
            panic!("{what}: {found:?}")
        };
        let text = error.to_string();
        let (message, _) = text.split_once(", at line").unwrap();
        assert_eq!((error.kind(), message), (ErrorKind::Limit, expected), "{what}");
    }
}

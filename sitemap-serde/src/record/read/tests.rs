use crate::error::Result;
use crate::limits::Limits;
use crate::record::{RecordReader, RecordView, Table};
use crate::xml::names::KnownNamespaces;
use crate::xml::scanner::{Scanner, Token};
use crate::xml::source::{SliceSource, SourceText};
use crate::xml::vocabulary::Vocabulary;

/// The nodes of an entry: name, value, and the offset at which the value begins.
fn describe(table: &Table, text: &str) -> String {
    let view = RecordView {
        text: SourceText::Transient(text),
        table,
    };
    let nodes = table.nodes().iter();
    let nodes = nodes.map(|node| {
        let value = view.value(node);
        let value = value.get();
        let at = if node.is_resolved() {
            format!("@{}", node.at())
        } else {
            String::new()
        };
        format!("{}={value:?}{at}", view.name(node))
    });
    nodes.collect::<Vec<_>>().join(" ")
}

/// What the last of some entries in one `root` is, if known tags are all that is needed to read it, and what it is by tokens alone.
fn read(root: &str, entries: &[&str], limits: &Limits) -> (Option<String>, Result<String>) {
    let last = entries.last().copied().unwrap_or_default();
    let parts: Vec<_> = entries
        .iter()
        .map(|entry| format!("<url>{entry}</url>"))
        .collect();
    let xml = format!(
        "<{root}>{}{:64}</{}>",
        parts.concat(),
        "",
        root.split(' ').next().unwrap()
    );
    let known = read_last(&xml, entries.len(), limits, true).ok().flatten();
    let alone = format!(
        "<{root}><url>{last}</url>{:64}</{}>",
        "",
        root.split(' ').next().unwrap()
    );
    let by_tokens = read_last(&alone, 1, limits, false).map(Option::unwrap_or_default);
    (known, by_tokens)
}

fn read_last(xml: &str, count: usize, limits: &Limits, known_only: bool) -> Result<Option<String>> {
    let source = SliceSource::from_str(xml);
    let mut scanner = Scanner::new(
        source,
        limits.clone(),
        KnownNamespaces::default(),
        Vocabulary::XML,
    );
    let (mut reader, mut table) = (RecordReader::default(), Table::default());
    scanner.next()?;
    for i in 1..=count {
        scanner.skip_space()?;
        let Token::Start { .. } = scanner.next()? else {
            panic!("no entry")
        };
        scanner.hold();
        if i == count && known_only {
            reader.begin(&mut table, false);
            let is_whole = scanner.read_ahead(|cursor| reader.read_known_tags(cursor, &mut table));
            if is_whole != Some(true) {
                return Ok(None);
            }
        } else {
            reader.read(&mut scanner, &mut table)?;
        }
        if i == count {
            let text = scanner.text(scanner.held()..scanner.token().end);
            return Ok(Some(describe(&table, text)));
        }
        scanner.release();
    }
    Ok(None)
}

const ROOT: &str =
    "urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'";

/// Asserts that the entry is read by known tags after the others, as `expected`, or that it needs tokens; and that both read the same.
#[track_caller]
fn assert_read(before: &[&str], entry: &str, limits: &Limits, expected: Option<&str>) {
    let mut entries = before.to_vec();
    entries.push(entry);
    let (known, by_tokens) = read(ROOT, &entries, limits);
    assert_eq!(known.as_deref(), expected, "{entry}");
    if let Some(known) = known {
        assert_eq!(Ok(known), by_tokens.map_err(|error| error.to_string()), "{entry}");
    }
}

#[test]
fn text_is_read_and_resolved_or_left_to_tokens() {
    let limits = Limits::reading();
    for (content, expected) in [
        ("x", Some("\"x\"")),
        ("", Some("\"\"")),
        (" x\n\té ", Some("\"x\\n\\té\"")),
        ("a[]=1", Some("\"a[]=1\"")),
        ("（新）", Some("\"（新）\"")),
        (" a&amp;b&#65;", Some("\"a&bA\"@11")),
        ("\r\n x\r", Some("\"x\"@13")),
        ("\r\n", Some("\"\"")),
        ("<![CDATA[a & b]]>", Some("\"a & b\"")),
        ("\n<![CDATA[a]]>", Some("\"a\"")),
        ("<![CDATA[]]>a<![CDATA[]]>", Some("\"a\"")),
        (" <![CDATA[ a]]> &lt;<![CDATA[b\r\n]]>\n", Some("\"a <b\"@21")),
        ("<![CDATA[]]>", Some("\"\"")),
        ("<![CDATA[ ]]> ", Some("\"\"")),
        ("&x;", None),
        ("]]>", None),
        ("<![CDATA[a", None),
        ("<![CDATA[\u{1}]]>", None),
        ("\u{1}", None),
        ("\u{FFFF}", None),
        ("a<!-- -->", None),
        ("</loc", None),
    ] {
        for gap in ["", "\n ", "\r\n\t\t\t\t\t\t\t\t\t\t", "                 "] {
            // The offset counts from the entry's start.
            let moved = |expected: &str| match expected.split_once('@') {
                Some((value, at)) => format!("{value}@{}", at.parse::<usize>().unwrap() + gap.len()),
                None => expected.to_owned(),
            };
            let expected = expected.map(|value| format!("loc={}", moved(value)));
            let entry = format!("{gap}<loc>{content}</loc>");
            for before in ["<loc>1</loc>", "<loc>&lt;</loc>", "\n <loc></loc>\n"] {
                assert_read(&[before], &entry, &limits, expected.as_deref());
            }
        }
    }
    assert_read(&["<loc>1</loc>"], "<loc>x</loc\n>", &limits, Some("loc=\"x\""));
    for other in [
        "x<loc>x</loc>",
        "<log>x</log>",
        "<loc>x</log>",
        "<locx>x</locx>",
        "<loc>x</loc x>",
        "<loc a=''>x</loc>",
        "<loc >x</loc>",
    ] {
        assert_read(&["<loc>1</loc>"], other, &limits, None);
    }
    for entry in [
        "\n <loc>12345678901234567890123456789012345678901234567890123456</loc>",
        "\n <loc>12345678901234567890123456789012345678901234567890123&gt;</loc>",
    ] {
        let is_read = |limits: &Limits| read("urlset", &["<loc>1</loc>", entry], limits).0.is_some();
        assert!(is_read(&limits.clone().with_token_bytes(57)));
        assert!(!is_read(&limits.clone().with_token_bytes(55)));
        assert!(is_read(&limits.clone().with_depth(3)));
        let end = "<url></url>".len() + entry.len();
        assert!(is_read(&limits.clone().with_entry_bytes(end + 16)));
        assert!(!is_read(&limits.clone().with_entry_bytes(end - 1)));
    }
}

#[test]
fn attributes_are_read_as_they_were_written_before() {
    let limits = Limits::reading();
    let known = [
        "<xhtml:link rel=\"1\" href='2'/>",
        "<xhtml:link href='2' rel=\"1\"/>",
        "<xhtml:link  href = \"2\"\n/>",
        "<xhtml:link/>",
    ];
    for (tag, expected) in [
        (
            "<xhtml:link rel=\"3\" href='4'/>",
            Some("xhtml:link=\"\" @rel=\"3\" @href=\"4\""),
        ),
        (
            "<xhtml:link href='4' rel=\"3\"/>",
            Some("xhtml:link=\"\" @href=\"4\" @rel=\"3\""),
        ),
        (
            "<xhtml:link  href = \"4\"\n/>",
            Some("xhtml:link=\"\" @href=\"4\""),
        ),
        ("<xhtml:link/>", Some("xhtml:link=\"\"")),
        (
            "<xhtml:link rel=\"\t1\n\" href='\r\n&lt;é\"]&#10;'/>",
            Some("xhtml:link=\"\" @rel=\"1\"@22 @href=\"<é\\\"]\"@33"),
        ),
        ("<xhtml:link rel='1' href='4'/>", None),
        ("<xhtml:link rel=\"1\" href='2' rel=\"1\"/>", None),
        ("<xhtml:link rel=\"1\"href='2'/>", None),
        ("<xhtml:link rel=\"1\" title='2'/>", None),
        ("<xhtml:link rel=\"<\" href='4'/>", None),
        ("<xhtml:link rel=\"&x;\" href='4'/>", None),
        ("<xhtml:link rel=\"\u{1}\" href='4'/>", None),
        ("<xhtml:link rel=\"\u{FFFF}\" href='4'/>", None),
        ("<xhtml:link / >", None),
    ] {
        assert_read(&known, tag, &limits, expected);
    }
    let tag = "<xhtml:link rel=\"1\" href='12345678901234567890123456789012345678901234567890123456789012345678901234567'/>";
    let is_read = |limits: &Limits| read(ROOT, &[known[0], tag], limits).0.is_some();
    assert!(is_read(&limits.clone().with_token_bytes(tag.len())));
    assert!(!is_read(&limits.clone().with_token_bytes(tag.len() - 2)));
}

#[test]
fn namespaces_are_part_of_a_tag() {
    let known = "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel=''/>";
    let limits = Limits::reading();
    let expected = Some("xhtml:link=\"\" @rel=\"1\"");
    assert_read(
        &[known],
        "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='1'/>",
        &limits,
        expected,
    );
    for other in [
        "<x:link rel=''/>",
        "<x:link xmlns:x='urn:y' rel=''/>",
        "<x:link xmlns:x='urn:x' xmlns:x='urn:x' rel=''/>",
    ] {
        assert_read(&[known], other, &limits, None);
    }
    // In another scope the same text is another tag.
    let inner = "<loc>1</loc>";
    let outer = format!("<x xmlns='urn:x'>{inner}</x>");
    assert_read(&[inner], &outer, &limits, None);
}

#[test]
fn an_end_tag_is_that_of_the_open_element() {
    let limits = Limits::reading();
    let read = |entry: &str, limits: &Limits| {
        let xml = format!("<urlset><url><loc>1</loc></url>{entry}{:64}</urlset>", "");
        read_last(&xml, 2, limits, true).ok().flatten().is_some()
    };
    assert!(read("<url><loc>1</loc>\n</url>", &limits));
    assert!(read("<url><loc>1</loc></url\n >", &limits));
    assert!(!read("<url><loc>1</loc>\n</ur>", &limits), "another's");
    assert!(!read("<url><loc>1</loc></urll>", &limits));
    assert!(!read("<url><loc>1</loc></url x>", &limits));
    assert!(!read("<url><loc>1</loc></loc>", &limits));
    assert!(!read("<url><loc>1</loc></urlset>", &limits), "the root's");
    assert!(!read(
        "<url><loc>1</loc></url      >",
        &limits.clone().with_token_bytes(10)
    ));
}

/// Which is an error of the entry, so that the text around them does not matter.
#[test]
fn elements_within_a_core_element_are_read_or_left_to_tokens() {
    let limits = Limits::reading();
    let known = "<loc>x<b a='1'>1</b></loc><lastmod><b>2</b></lastmod>";
    for (content, is_known) in [
        ("xy<b>1</b>", true),
        ("<b a='&lt;'>&amp;</b>\n<b></b >", true),
        ("<b><![CDATA[<]]></b>", true),
        ("x", true),
        ("", true),
        ("<b>1</b>x", false),
        ("<c/>", false),
        ("<b>1</c>", false),
        ("<b a='1' a='2'/>", false),
        ("<b>&none;</b>", false),
        ("a&amp;<b>1</b>", false),
        ("<b>1</b>]]>", false),
        ("<b>1</b>\u{FFFF}", false),
        ("<b>1</b><!-- c -->", false),
    ] {
        let entry = format!("<loc>{content}</loc>");
        let (found, _) = read(ROOT, &[known, &entry], &limits);
        assert_eq!(found.is_some(), is_known, "{content}");
    }
    let depth = |depth| limits.clone().with_depth(depth);
    let is_read = |limits: &Limits| {
        read(
            "urlset",
            &["<loc>x<b>1</b></loc>", "<loc>x<b>1</b></loc>"],
            limits,
        )
        .0
        .is_some()
    };
    assert!(is_read(&depth(4)));
    assert!(!is_read(&depth(3)));
}

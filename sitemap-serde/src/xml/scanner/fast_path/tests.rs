use crate::xml::names::KnownNamespaces;
use crate::xml::source::SliceSource;

use super::super::Token;
use super::*;

/// Reads with a scanner that has just read the start tags, of which the first are the root's and the entry's, and says where
/// it then stands in the rest.
fn read<R>(
    tags: &[&str],
    rest: &str,
    limits: &Limits,
    read: impl FnOnce(&mut FastPath<'_>) -> R,
) -> (R, usize) {
    let tags_text = tags.concat();
    let xml = format!("{tags_text}{rest}{:64}", "");
    let mut scanner = Scanner::new(
        SliceSource::from_str(&xml),
        limits.clone(),
        KnownNamespaces::default(),
    );
    for i in 0..tags.len() {
        let token = scanner.next().expect("a start tag");
        assert!(matches!(token, Token::Start { .. }));
        if i == 1 {
            scanner.hold();
        }
    }
    let found = scanner.fast_path(read).expect("elements can be here");
    (found, scanner.token().end - tags_text.len())
}

const ENTRY: [&str; 2] = ["<r>", "<u>"];

/// A tag as it was met in the root's scope.
fn known(tag: &str) -> KnownTag {
    let xml = format!("<r>{tag}</r>");
    let mut scanner = Scanner::new(
        SliceSource::from_str(&xml),
        Limits::reading(),
        KnownNamespaces::default(),
    );
    scanner.next().expect("the root");
    let outer = scanner.scope();
    match scanner.next().expect("a tag") {
        Token::Start { name, .. } => scanner.known_tag(outer, &name).expect("a tag to be known"),
        other => panic!("{other:?}"),
    }
}

/// The text of a known element that comes next, if it is read, and where it begins.
fn text(tag: &KnownTag, rest: &str, limits: &Limits) -> Option<(String, Option<usize>)> {
    let read_text = |fast: &mut FastPath<'_>| {
        let at = fast.next_tag().filter(|at| fast.begins(tag, *at))?;
        let start = fast.start(tag, at)?;
        let Content::Text { text, end } = fast.content(tag, start.end) else {
            return None;
        };
        fast.pass(start.start, end);
        Some(match text {
            FoundText::Plain(span) => (String::from_utf8(fast.bytes(span).to_vec()).unwrap(), None),
            FoundText::Resolved { begins, text } => {
                (fast.resolved(text).to_owned(), Some(begins - start.end))
            }
        })
    };
    let (text, place) = read(&ENTRY, rest, limits, read_text);
    assert_eq!(place, if text.is_some() { rest.len() } else { 0 }, "{rest}");
    text
}

#[test]
fn text_is_read_and_resolved_or_left_alone() {
    let loc = known("<loc>");
    let limits = Limits::reading();
    for (content, expected) in [
        ("x", Some(("x", None))),
        ("", Some(("", None))),
        (" x\n\té ", Some((" x\n\té ", None))),
        ("a[]=1", Some(("a[]=1", None))),
        ("（新）", Some(("（新）", None))),
        (" a&amp;b&#65;", Some((" a&bA", Some(1)))),
        ("\r\n x\r", Some(("\n x\n", Some(3)))),
        ("<![CDATA[a & b]]>", Some(("a & b", None))),
        ("\n<![CDATA[a]]>", Some(("a", None))),
        ("<![CDATA[]]>a<![CDATA[]]>", Some(("a", None))),
        (
            " <![CDATA[ a]]> &lt;<![CDATA[b\r\n]]>\n",
            Some((" a <b\n\n", Some(11))),
        ),
        ("<![CDATA[]]>", Some(("", None))),
        ("<![CDATA[ ]]> ", Some(("", None))),
        ("&x;", None),
        ("]]>", None),
        ("<![CDATA[a", None),
        ("<![CDATA[\u{1}]]>", None),
        ("\u{1}", None),
        ("\u{FFFF}", None),
        ("a<b/>", None),
        ("a<!-- -->", None),
        ("</loc", None),
    ] {
        let expected = expected.map(|(text, begins): (&str, Option<usize>)| (text.to_owned(), begins));
        for gap in ["", "\n ", "\r\n\t\t\t\t\t\t\t\t\t\t", "                 "] {
            let found = text(&loc, &format!("{gap}<loc>{content}</loc>"), &limits);
            assert_eq!(found, expected, "{content}");
        }
    }
    assert!(text(&loc, "<loc >x</loc\n>", &limits).is_some());
    for other in [
        "x<loc>x</loc>",
        "<log>x</log>",
        "<loc>x</log>",
        "<locx>x</locx>",
        "<loc>x</loc x>",
        "<loc a=''>x</loc>",
    ] {
        assert_eq!(text(&loc, other, &limits), None, "{other}");
    }
    for rest in ["\n <loc>12345</loc>", "\n <loc>1&gt;</loc>"] {
        assert!(text(&loc, rest, &limits.clone().with_token_bytes(5)).is_some());
        assert!(text(&loc, rest, &limits.clone().with_token_bytes(4)).is_none());
        assert!(text(&loc, rest, &limits.clone().with_depth(3)).is_some());
        assert!(text(&loc, rest, &limits.clone().with_depth(2)).is_none());
        let end = "<u>".len() + rest.len();
        assert!(text(&loc, rest, &limits.clone().with_entry_bytes(end + 16)).is_some());
        assert!(text(&loc, rest, &limits.clone().with_entry_bytes(end - 1)).is_none());
    }
}

#[test]
fn attributes_are_read_in_any_order() {
    let mut link = known("<a x=\"1\" y='2'/>");
    assert!(link.take_in(&known("<a  y = \"2\"\n/>")));
    assert!(!link.take_in(&known("<b/>")));
    assert!(!link.take_in(&known("<a xmlns='urn:x'/>")));
    let values = |rest: &str, limits: &Limits| {
        let read_start = |fast: &mut FastPath<'_>| {
            let at = fast.next_tag().filter(|at| fast.begins(&link, *at))?;
            let start = fast.start(&link, at)?;
            fast.pass(start.start, start.end);
            let names: Vec<_> = link.attribute_names().collect();
            let value = |found: &FoundValue| {
                let text = match &found.value {
                    Value::Window(span) => String::from_utf8(fast.bytes(span.clone()).to_vec()).unwrap(),
                    Value::Resolved(span) => fast.resolved(span.clone()).to_owned(),
                };
                format!("{}={text}", names[usize::from(found.attribute)])
            };
            Some((
                fast.found().iter().map(value).collect::<Vec<_>>().join(" "),
                start.is_empty,
            ))
        };
        let (found, place) = read(&ENTRY, rest, limits, read_start);
        assert_eq!(place, if found.is_some() { rest.len() } else { 0 }, "{rest}");
        found
    };
    let limits = Limits::reading();
    for (tag, expected) in [
        ("<a x=\"1\" y='2'/>", Some("x=1 y=2")),
        ("<a y='2' x=\"1\"/>", Some("y=2 x=1")),
        ("<a y = \"2\"/>", Some("y=2")),
        ("<a/>", Some("")),
        ("<a\n\ty='é&amp;\"]&#10;'\r\n/>", Some("y=é&\"]\n")),
        ("<a x=\"\t1\n\" y='\r\n&lt;'/>", Some("x= 1  y= <")),
        ("<a x='1'/>", None),
        ("<a x=\"1\" y='2' y = \"2\"/>", None),
        ("<a x=\"1\" x=\"1\"/>", None),
        ("<a x=\"1\"y='2'/>", None),
        ("<a x=\"1\" z='2'/>", None),
        ("<a x=\"<\"/>", None),
        ("<a x=\"&x;\"/>", None),
        ("<a x=\"\u{1}\"/>", None),
        ("<a x=\"\u{FFFF}\"/>", None),
        ("<a x=\"1\" / >", None),
        ("<a x=\"1\"", None),
    ] {
        let expected = expected.map(|values| (values.to_owned(), true));
        assert_eq!(values(&format!(" {tag}"), &limits), expected, "{tag}");
    }
    assert_eq!(values("<a x=\"1\">", &limits), Some(("x=1".to_owned(), false)));
    let rest = " <a x=\"1\" y='2'/>";
    assert!(values(rest, &limits.clone().with_token_bytes(rest.len() - 1)).is_some());
    assert!(values(rest, &limits.clone().with_token_bytes(rest.len() - 2)).is_none());
    assert!(values(rest, &limits.clone().with_attributes(2)).is_some());
    assert!(values(rest, &limits.clone().with_attributes(1)).is_none());
}

#[test]
fn namespaces_are_part_of_a_tag() {
    let tag = known("<x:a xmlns:x='urn:x' b=''/>");
    let is_read = |rest: &str| {
        let read_start = |fast: &mut FastPath<'_>| {
            let at = fast.next_tag()?;
            let outer = fast.scope.generation();
            let start = fast.start(&tag, at)?;
            fast.enter(&tag, start)?;
            assert!(fast.scope.generation() != outer);
            Some(())
        };
        read(&ENTRY, rest, &Limits::reading(), read_start).0.is_some()
    };
    assert!(is_read("<x:a xmlns:x='urn:x'>"));
    assert!(is_read("<x:a b='' xmlns:x='urn:x'>"));
    for other in [
        "<x:a>",
        "<x:a b=''>",
        "<x:a xmlns:x='urn:y'>",
        "<x:a xmlns:x='urn:x' xmlns:x='urn:x'>",
    ] {
        assert!(!is_read(other), "{other}");
    }
}

#[test]
fn an_end_tag_is_that_of_the_open_element() {
    let is_read = |tags: &[&str], rest: &str, limits: &Limits| {
        let (is_read, place) = read(tags, rest, limits, |fast| {
            fast.next_tag().is_some_and(|at| fast.is_end(at) && fast.end(at))
        });
        assert_eq!(place, if is_read { rest.len() } else { 0 }, "{rest}");
        is_read
    };
    let limits = Limits::reading();
    assert!(is_read(&ENTRY, "\n</u>", &limits));
    assert!(is_read(&ENTRY, "</u\n >", &limits));
    assert!(!is_read(&ENTRY, "\n</v>", &limits), "another's");
    assert!(!is_read(&ENTRY, "</uu>", &limits));
    assert!(!is_read(&ENTRY, "</u x>", &limits));
    assert!(
        !is_read(&["<r>", "<u>", "<v>"], "\n</u>", &limits),
        "not the open one's"
    );
    assert!(!is_read(&["<r>", "<u>", "<uu>"], "\n</u>", &limits));
    assert!(!is_read(&["<u>"], "\n</u>", &limits), "the root's");
    assert!(is_read(
        &ENTRY,
        "\n</u>",
        &limits.clone().with_entry_bytes(8 + 16)
    ));
    assert!(!is_read(&ENTRY, "\n</u>", &limits.clone().with_entry_bytes(7)));
    assert!(!is_read(
        &ENTRY,
        "</u      >",
        &limits.clone().with_token_bytes(8)
    ));
}

#[test]
fn elements_within_text_are_read_or_left_alone() {
    let (loc, inner) = (known("<loc>"), known("<b a='1'>"));
    let first = |content: &str, limits: &Limits| {
        let rest = format!("<loc>{content}</loc>");
        let read_within = |fast: &mut FastPath<'_>| {
            let at = fast.next_tag()?;
            let start = fast.start(&loc, at)?;
            let known = |fast: &FastPath<'_>, at| fast.begins(&inner, at).then_some(&inner);
            let (first, end) = fast.elements_within(&loc, start.end, known)?;
            fast.pass(start.start, end);
            Some(first - start.end)
        };
        let (first, place) = read(&ENTRY, &rest, limits, read_within);
        assert_eq!(place, if first.is_some() { rest.len() } else { 0 }, "{content}");
        first
    };
    let limits = Limits::reading();
    for (content, expected) in [
        ("xy<b>1</b>", Some(2)),
        ("<b/>", Some(0)),
        ("\n<b a='&lt;'>&amp;</b> x<b></b >", Some(1)),
        ("<b><![CDATA[<]]></b>", Some(0)),
        ("x", None),
        ("", None),
        ("<c/>", None),
        ("<b><b/></b>", None),
        ("<b>1</c>", None),
        ("<b a='1' a='2'/>", None),
        ("<b>&none;</b>", None),
        ("a&amp;<b/>", None),
        ("<b/>]]>", None),
        ("<b/>\u{FFFF}", None),
        ("<b/><!-- c -->", None),
    ] {
        assert_eq!(first(content, &limits), expected, "{content}");
    }
    // The root, the entry, its loc, and the element in it.
    let depth = |depth| Limits {
        depth,
        ..Limits::reading()
    };
    assert_eq!(first("<b/>", &depth(4)), Some(0));
    assert_eq!(first("<b/>", &depth(3)), None);
    let token = |token| Limits {
        token,
        ..Limits::reading()
    };
    assert_eq!(first("123456789<b/>", &token(9)), Some(9));
    assert_eq!(first("123456789<b/>", &token(8)), None);
}

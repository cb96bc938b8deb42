use crate::error::Result;
use crate::limits::Limits;
use crate::record::{RecordReader, RecordView, Table};
use crate::xml::names::KnownNamespaces;
use crate::xml::scanner::{Scanner, Token};
use crate::xml::source::{SliceSource, SourceText};
use crate::xml::vocabulary::Vocabulary;

use super::tags::KnownTags;

/// The entries of a document, read one by one.
struct Entries<'x> {
    scanner: Scanner<SliceSource<'x>>,
    reader: RecordReader,
    table: Table,
}

impl<'x> Entries<'x> {
    /// Reads the root's start tag.
    fn new(xml: &'x str, limits: &Limits) -> Result<Self> {
        let source = SliceSource::from_str(xml);
        let namespaces = KnownNamespaces::default();
        let mut scanner = Scanner::new(source, limits.clone(), namespaces, Vocabulary::XML);
        scanner.next()?;
        Ok(Entries {
            scanner,
            reader: RecordReader::default(),
            table: Table::default(),
        })
    }

    /// Reads the start tag of the next entry.
    fn enter(&mut self) -> Result<()> {
        self.scanner.release();
        self.scanner.skip_space()?;
        let Token::Start { .. } = self.scanner.next()? else {
            panic!("no entry")
        };
        self.scanner.hold();
        self.reader.begin(&mut self.table, false);
        Ok(())
    }

    /// Reads as far as tags are known. Returns `true` if that is the whole entry.
    fn read_known_tags(&mut self) -> bool {
        let (reader, table) = (&mut self.reader, &mut self.table);
        self.scanner
            .read_ahead(|cursor| reader.read_known_tags(cursor, table))
            .expect("the root to be open")
    }

    /// Reads the rest of the entry.
    fn read_on(&mut self) -> Result<()> {
        self.reader.read_on(&mut self.scanner, &mut self.table)
    }

    fn read_by_tokens(&mut self) -> Result<()> {
        let depth = self.scanner.depth();
        while self
            .reader
            .read_token(&mut self.scanner, &mut self.table, depth)?
        {}
        Ok(())
    }

    /// The end of the last token, counted from the entry's start.
    fn place(&self) -> usize {
        self.scanner.token().end - self.scanner.held()
    }

    fn view(&self) -> RecordView<'_, '_> {
        let text = self.scanner.text(self.scanner.held()..self.scanner.token().end);
        RecordView {
            text: SourceText::Transient(text),
            table: &self.table,
        }
    }

    /// The nodes of the entry: name, value, and the value's offset if it is resolved; for an element within a core element, its own
    /// offset.
    fn nodes(&self) -> String {
        let view = self.view();
        let nodes = self.table.nodes().iter();
        let nodes = nodes.map(|node| {
            let (name, value) = (view.name(node), view.value(node));
            let at = if node.is_resolved() {
                format!("@{}", node.at())
            } else {
                String::new()
            };
            format!("{name}={:?}{at}", value.get())
        });
        let within = self.table.within_core();
        let within = within.map(|(name, at)| format!("within {}@{at}", name.as_static().unwrap_or_default()));
        nodes.chain(within).collect::<Vec<_>>().join(" ")
    }

    /// All that is known after the entry. If it is refused for an element within a core element, the values do not matter.
    fn state(&self) -> String {
        let (view, within) = (self.view(), self.table.within_core());
        let nodes = self.table.nodes().iter().map(|node| {
            let value = (view.value(node).get(), node.at(), node.is_resolved());
            let value = within.is_none().then_some(value);
            let (next, same) = (node.next(), node.same());
            format!(
                "{} {value:?} {:?} {} {next} {same:?}",
                view.name(node),
                node.outer(),
                node.first
            )
        });
        format!(
            "{:?} {within:?} {} {:?} {} {}",
            nodes.collect::<Vec<_>>(),
            self.table.has_unknown(),
            self.scanner.token(),
            self.scanner.depth(),
            self.scanner.scope(),
        )
    }
}

/// The extent of reading by known tags.
struct Known {
    /// Its nodes, if they read all of it.
    nodes: Option<String>,
    /// Where they end, counted from the end of the entry's start tag.
    place: usize,
}

/// Reads the last of the `elements` in a root by known tags, and on in all ways. Asserts that reading only by tokens gives the same
/// result, including errors and positions.
#[track_caller]
fn read_elements(root: &str, elements: &[String], limits: &Limits) -> Known {
    let name = root.split(' ').next().unwrap();
    let xml = format!("<{root}>{}{:64}</{name}>", elements.concat(), "");
    let mut known = Known {
        nodes: None,
        place: 0,
    };
    let in_all_ways = Entries::new(&xml, limits).and_then(|mut entries| {
        for _ in 1..elements.len() {
            entries.enter()?;
            entries.read_on()?;
        }
        entries.enter()?;
        let start = entries.place();
        let is_whole = entries.read_known_tags();
        known.place = entries.place() - start;
        if is_whole {
            known.nodes = Some(entries.nodes());
        } else {
            entries.read_on()?;
        }
        Ok(entries.state())
    });
    let by_tokens = Entries::new(&xml, limits).and_then(|mut entries| {
        for _ in elements {
            entries.enter()?;
            entries.read_by_tokens()?;
        }
        Ok(entries.state())
    });
    let [in_all_ways, by_tokens] =
        [in_all_ways, by_tokens].map(|state| state.map_err(|error| error.to_string()));
    assert_eq!(in_all_ways, by_tokens, "{xml}");
    known
}

/// The root and the name of the entries.
type Around = (&'static str, &'static str);

const SITEMAP: Around = (
    "urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'",
    "url",
);

/// Tags so short that they are within small limits.
const SHORT: Around = ("r", "u");

/// Like [`read_elements`], of the contents of entries.
#[track_caller]
fn read((root, name): Around, contents: &[&str], limits: &Limits) -> Known {
    let element = |content: &&str| format!("<{name}>{content}</{name}>");
    let elements: Vec<_> = contents.iter().map(element).collect();
    read_elements(root, &elements, limits)
}

/// Returns `true` if known tags read the whole entry after the others. If not, they read nothing of it.
#[track_caller]
fn is_read(around: Around, before: &[&str], entry: &str, limits: &Limits) -> bool {
    let known = read(around, &[before, &[entry]].concat(), limits);
    let is_whole = known.nodes.is_some();
    let whole = entry.len() + "</>".len() + around.1.len();
    assert_eq!(known.place, if is_whole { whole } else { 0 }, "{entry}");
    is_whole
}

/// Asserts that known tags read the entry after the others, as `expected`, or read nothing of it.
#[track_caller]
fn assert_read(before: &[&str], entry: &str, expected: Option<&str>) {
    let limits = Limits::reading();
    let known = read(SITEMAP, &[before, &[entry]].concat(), &limits);
    assert_eq!(known.nodes.as_deref(), expected, "{entry}");
    let whole = entry.len() + "</url>".len();
    assert_eq!(known.place, expected.map_or(0, |_| whole), "{entry}");
}

#[test]
fn text_is_read_and_resolved_or_left_to_tokens() {
    for (content, expected) in [
        ("x", Some("\"x\"")),
        ("", Some("\"\"")),
        (" x\n\té ", Some("\"x\\n\\té\"")),
        ("a[]=1", Some("\"a[]=1\"")),
        ("（新）", Some("\"（新）\"")),
        (" a&amp;b&#65;", Some("\"a&bA\"@11")),
        ("\r\n x\r", Some("\"x\"@13")),
        ("\r\n x", Some("\"x\"")),
        ("\r\n x]", Some("\"x]\"")),
        ("\r\n x<![CDATA[]]>", Some("\"x\"")),
        ("<![CDATA[]]>\r\n x", Some("\"x\"")),
        ("<![CDATA[\r\n x]]>", Some("\"x\"@22")),
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
            let usual = format!("{gap}<loc>1</loc>");
            for before in ["<loc>1</loc>", "<loc>&lt;</loc>", "\n <loc></loc>\n", &usual] {
                assert_read(&[before], &entry, expected.as_deref());
                // It came next here twice: it is expected.
                assert_read(&[before; 3], &entry, expected.as_deref());
                // An element that may have children, whose name is as long.
                let [before, entry] = [before, &entry].map(|entry| entry.replace("loc>", "cap>"));
                let expected = expected.as_ref().map(|value| value.replace("loc=", "cap="));
                assert_read(&[&before], &entry, expected.as_deref());
                assert_read(&[before.as_str(); 3], &entry, expected.as_deref());
            }
        }
    }
    let known = ["<loc>1</loc>"];
    assert_read(&known, "<loc>x</loc\n>", Some("loc=\"x\""));
    assert_read(&["<loc >1</loc>"], "<loc >x</loc\n>", Some("loc=\"x\""));
    for other in [
        "x<loc>x</loc>",
        "<log>x</log>",
        "<loc>x</log>",
        "<locx>x</locx>",
        "<loc>x</loc x>",
        "<loc a=''>x</loc>",
        "<loc >x</loc>",
    ] {
        assert_read(&known, other, None);
    }
    // The entry is rejected because its loc has a child; the text before the child is skipped.
    for content in ["a<b/>", "<b/>"] {
        let entry = format!(" <loc>{content}</loc>");
        let found = read(SITEMAP, &[known[0], &entry], &Limits::reading());
        let place = entry.find("<b").unwrap();
        assert_eq!((found.nodes, found.place), (None, place), "{entry}");
    }
}

#[test]
fn texts_are_limited_as_by_tokens() {
    let limits = Limits::reading();
    for content in ["12345", "1&gt;", "\n1234", "\r\n123"] {
        for name in ["loc", "b"] {
            let (known, expected) = (format!("<{name}>1</{name}>"), format!("\n <{name}>1</{name}>"));
            let entry = format!("\n <{name}>{content}</{name}>");
            let longer = format!("\n <{name}>{content}6</{name}>");
            let fits = |entry: &str, token| {
                let limits = Limits {
                    token_bytes: token,
                    ..limits.clone()
                };
                let is_leaf_read = is_read(SHORT, &[expected.as_str(); 3], entry, &limits);
                assert_eq!(is_read(SHORT, &[&known], entry, &limits), is_leaf_read, "{entry}");
                is_leaf_read
            };
            assert!(fits(&entry, 5));
            assert!(!fits(&entry, 4));
            assert!(!fits(&longer, 5));
            assert!(fits(&longer, 6));
        }
        let known = "<loc>1</loc>";
        let entry = format!("\n <loc>{content}</loc>");
        let fits = |limits: &Limits| is_read(SHORT, &[known], &entry, limits);
        assert!(fits(&Limits {
            depth: 3,
            ..limits.clone()
        }));
        assert!(!fits(&Limits {
            depth: 2,
            ..limits.clone()
        }));
        let end = "<u>".len() + entry.len();
        assert!(fits(&limits.clone().with_entry_bytes(end + 16)));
        assert!(!fits(&limits.clone().with_entry_bytes(end - 1)));
    }
    let (known, section) = ("<loc><![CDATA[1]]></loc>", "<loc><![CDATA[12]]></loc>");
    let fits = |token| {
        is_read(
            SHORT,
            &[known],
            section,
            &Limits {
                token_bytes: token,
                ..limits.clone()
            },
        )
    };
    assert!(fits("<![CDATA[12".len()));
    assert!(!fits("<![CDATA[1".len()));
}

/// A tag that is known from a shallower level.
#[test]
fn depth_is_limited_as_by_tokens() {
    for (before, entry, depth) in [
        (["<b>1</b>", "<a></a>"], "<a><b>1</b></a>", 4),
        (["<b/>", "<a></a>"], "<a><b/></a>", 4),
        (["<a><b>1</b></a>", "<d></d>"], "<d><a><b>1</b></a></d>", 5),
        (["<a><b/></a>", "<d></d>"], "<d><a><b/></a></d>", 5),
        (["<b><c/></b>", "<a></a>"], "<a><b><c/></b></a>", 5),
    ] {
        let contents = [before[0], before[1], entry];
        let read = |depth| {
            read(
                SHORT,
                &contents,
                &Limits {
                    depth,
                    ..Limits::reading()
                },
            )
        };
        let found = read(depth);
        assert!(found.nodes.is_some(), "{entry}");
        assert_eq!(found.place, entry.len() + "</u>".len(), "{entry}");
        let found = read(depth - 1);
        let innermost = entry.find("<c").or_else(|| entry.find("<b")).unwrap();
        assert_eq!((found.nodes, found.place), (None, innermost), "{entry}");
    }
}

#[test]
fn attributes_are_read_as_they_were_written_before() {
    let known = [
        "<xhtml:link rel=\"1\" href='2'/>",
        "<xhtml:link href='2' rel=\"1\"/>",
        "<xhtml:link  href = \"2\"\n/>",
        "<xhtml:link/>",
        "<xhtml:link rel=\"1\"></xhtml:link>",
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
            "<xhtml:link rel=\"3\">x</xhtml:link>",
            Some("xhtml:link=\"x\" @rel=\"3\""),
        ),
        (
            "<xhtml:link rel=\"\t1\n\" href='\r\n&lt;é\"]&#10;'/>",
            Some("xhtml:link=\"\" @rel=\"1\"@22 @href=\"<é\\\"]\"@33"),
        ),
        // Other quotes and white space are of another tag.
        ("<xhtml:link rel='1' href='4'/>", None),
        ("<xhtml:link href = \"4\"/>", None),
        ("<xhtml:link\n\thref='4'\r\n/>", None),
        ("<xhtml:link rel=\"1\" href='2' rel=\"1\"/>", None),
        ("<xhtml:link rel=\"1\" href='2' href = \"2\"/>", None),
        ("<xhtml:link rel=\"1\" rel=\"1\"/>", None),
        ("<xhtml:link rel=\"1\"href='2'/>", None),
        ("<xhtml:link rel=\"1\" title='2'/>", None),
        ("<xhtml:link rel=\"<\" href='4'/>", None),
        ("<xhtml:link rel=\"&x;\" href='4'/>", None),
        ("<xhtml:link rel=\"\u{1}\" href='4'/>", None),
        ("<xhtml:link rel=\"\u{FFFF}\" href='4'/>", None),
        ("<xhtml:link rel=\"1\" / >", None),
        ("<xhtml:link / >", None),
        ("<xhtml:link rel=\"1\"", None),
    ] {
        assert_read(&known, tag, expected);
    }
}

/// An order of attributes is known after it was read once, like any other tag.
#[test]
fn an_order_of_attributes_is_known_from_its_second_time_on() {
    let (one, other) = ("<xhtml:link rel='1' href='2'/>", "<xhtml:link href='4' rel='3'/>");
    let expected = "xhtml:link=\"\" @href=\"4\" @rel=\"3\"";
    assert_read(&[one], other, None);
    assert_read(&[one, other], other, Some(expected));
    assert_read(&[one, other, one, one], other, Some(expected));
}

#[test]
fn start_tags_are_limited_as_by_tokens() {
    let (known, tag) = ("<b x=\"1\" y='2'/>", "<b x=\"12\" y='&lt;'/>");
    let fits = |limits: &Limits| is_read(SHORT, &[known], &format!(" {tag}"), limits);
    let limits = Limits::reading();
    // Its `>` is not counted.
    assert!(fits(&Limits {
        token_bytes: tag.len(),
        ..limits.clone()
    }));
    assert!(!fits(&Limits {
        token_bytes: tag.len() - 1,
        ..limits.clone()
    }));
    assert!(fits(&Limits {
        attributes: 2,
        ..limits.clone()
    }));
    assert!(!fits(&Limits {
        attributes: 1,
        ..limits.clone()
    }));
    // Each of them is allowed, but not with the other.
    let both = ["<b x='1'/>", "<b y='1'/>"];
    let tag = "<b x='1' y='1'/>";
    assert!(!is_read(
        SHORT,
        &both,
        tag,
        &Limits {
            attributes: 1,
            ..limits.clone()
        }
    ));
}

/// A limited number of forms of a tag is known; the others are read by tokens each time.
#[test]
fn further_forms_of_a_tag_are_left_to_tokens() {
    let attribute = |i: usize| format!("a{i}='1'");
    let count = KnownTags::MOST_OF_NAME + 4;
    let attributes: Vec<_> = (0..count).map(attribute).collect();
    let forms: Vec<_> = (0..count)
        .map(|first| {
            format!(
                "<xhtml:link {} {}/>",
                attributes[first..].join(" "),
                attributes[..first].join(" ")
            )
        })
        .collect();
    let forms: Vec<_> = forms.iter().map(String::as_str).collect();
    let before = forms.repeat(3);
    for (i, form) in forms.iter().enumerate() {
        let is_known = is_read(SITEMAP, &before, form, &Limits::reading());
        assert_eq!(is_known, i < KnownTags::MOST_OF_NAME, "form {i}");
    }
}

#[test]
fn namespaces_are_part_of_a_tag() {
    let known = "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel=''/>";
    assert_read(
        &[known],
        "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='1'/>",
        Some("xhtml:link=\"\" @rel=\"1\""),
    );
    let reordered = "<x:link rel='' xmlns:x='http://www.w3.org/1999/xhtml'/>";
    for other in [
        "<x:link/>",
        "<x:link rel=''/>",
        "<x:link xmlns:x='urn:y' rel=''/>",
        "<x:link xmlns:x='urn:x' xmlns:x='urn:x' rel=''/>",
        "<link xmlns='http://www.w3.org/1999/xhtml' rel=''/>",
        reordered,
    ] {
        assert_read(&[known], other, None);
    }
    let expected = Some("xhtml:link=\"\" @rel=\"\"");
    assert_read(&[known, reordered], reordered, expected);
    // In another scope the same text is another tag.
    let inner = "<loc>1</loc>";
    let outer = format!("<x xmlns='urn:x'>{inner}</x>");
    assert_read(&[inner], &outer, None);
}

/// Within an element that declares a namespace is another scope.
#[test]
fn a_known_tag_declares_its_namespaces() {
    let link = "<x:link xmlns:x='http://www.w3.org/1999/xhtml'><x:b>1</x:b>";
    let xml = format!("<r><u>{link}</x:link></u><u>{link}<!-- -->{:64}", "");
    let mut entries = Entries::new(&xml, &Limits::reading()).unwrap();
    let outer = entries.scanner.scope();
    entries.enter().unwrap();
    entries.read_on().unwrap();
    assert_eq!(entries.scanner.scope(), outer);
    entries.enter().unwrap();
    assert!(!entries.read_known_tags());
    assert_eq!(entries.place(), "<u>".len() + link.len());
    assert_eq!(entries.nodes(), "xhtml:link=\"\" xhtml:b=\"1\"");
    assert_ne!(entries.scanner.scope(), outer);
}

#[test]
fn an_end_tag_is_that_of_the_open_element() {
    let limits = Limits::reading();
    for (known, entry) in [
        ("", "<u>\n</u>"),
        ("<b>1</b>", "<u><b>1</b>\n</u>"),
        ("<b>1</b>", "<u><b>1</b></u\n >"),
        ("<v><b/></v>", "<u><v><b/></v\n ></u>"),
    ] {
        let elements = [format!("<u>{known}</u>"), entry.to_owned()];
        let found = read_elements("r", &elements, &limits);
        assert!(found.nodes.is_some(), "{entry}");
        assert_eq!(found.place, entry.len() - "<u>".len(), "{entry}");
    }
    // The known tag, an entry, the part of its content that is read, and the tag with its end tag.
    for (known, entry, content, why) in [
        ("", "<u>\n</v>", "", "another's"),
        ("", "<u></uu>", "", "a longer one"),
        ("", "<u></u x>", "", "no end tag"),
        ("", "<u>\n</r>", "", "the root's"),
        ("<b>1</b>", "<u><b>1</b></b>", "<b>1</b>", "one that is closed"),
        ("<b>1</b>", "<u><b>1</b></r>", "<b>1</b>", "the root's"),
        ("<bb>1</bb>", "<u><bb>1</bb></b>", "<bb>1</bb>", "another's"),
        ("<v></v>", "<u><v>\n</u>", "", "not the open one's"),
        ("<v><b/></v>", "<u><v><b/>\n</u>", "<v><b/>", "not the open one's"),
        ("<v><b/></v>", "<u><v><b/></vv>", "<v><b/>", "a longer one"),
        ("<v><b/></v>", "<u><v><b/></v x>", "<v><b/>", "no end tag"),
        (
            "<uu><b/></uu>",
            "<u><uu><b/>\n</u>",
            "<uu><b/>",
            "not the open one's",
        ),
    ] {
        let elements = [format!("<u>{known}</u>"), entry.to_owned()];
        let found = read_elements("r", &elements, &limits);
        assert_eq!(
            (found.nodes, found.place),
            (None, content.len()),
            "{entry}: {why}"
        );
    }
    let fits = |entry: &str, limits: &Limits| {
        let elements = ["<u></u>".to_owned(), entry.to_owned()];
        let found = read_elements("r", &elements, limits);
        let is_read = found.nodes.is_some();
        let rest = entry.len() - "<u>".len();
        assert_eq!(found.place, if is_read { rest } else { 0 }, "{entry}");
        is_read
    };
    assert!(fits("<u>\n</u>", &limits.clone().with_entry_bytes(8)));
    assert!(!fits("<u>\n</u>", &limits.clone().with_entry_bytes(7)));
    assert!(fits(
        "<u></u      >",
        &Limits {
            token_bytes: 9,
            ..limits.clone()
        }
    ));
    assert!(!fits(
        "<u></u      >",
        &Limits {
            token_bytes: 8,
            ..limits.clone()
        }
    ));
}

/// It is the scanner that ends the document.
#[test]
fn the_end_tag_of_the_root_is_left_to_tokens() {
    let xml = format!("<u>\n<u>\n</u>\n</u>{:64}", "");
    let mut entries = Entries::new(&xml, &Limits::reading()).unwrap();
    entries.enter().unwrap();
    entries.read_on().unwrap();
    entries.scanner.release();
    // The same tag with the same white space before it ended the entry.
    let token = entries.scanner.token();
    entries.reader.begin(&mut entries.table, false);
    assert!(!entries.read_known_tags());
    let is_end = entries.scanner.read_ahead(|cursor| {
        let at = cursor.token().end + 1;
        assert!(cursor.from(at).starts_with(b"</u>"));
        cursor.end(at)
    });
    assert_eq!(is_end, Some(false));
    assert_eq!((entries.scanner.token(), entries.scanner.depth()), (token, 1));
}

/// This is an error of the entry, so the text around them does not matter.
#[test]
fn elements_within_a_core_element_are_read_or_left_to_tokens() {
    let limits = Limits::reading();
    let known = "<loc>x<b a='1'>1</b><b/></loc><lastmod><b>2</b></lastmod>";
    // The offset of the first element.
    for (content, first) in [
        ("xy<b>1</b>", Some(2)),
        ("<b/>", Some(0)),
        ("\n<b a='&lt;'>&amp;</b>\n<b></b >", Some(1)),
        ("<b><![CDATA[<]]></b>", Some(0)),
        ("<b><b/></b>", Some(0)),
        ("x", None),
        ("", None),
    ] {
        let entry = format!("<loc>{content}</loc>");
        let found = read(SITEMAP, &[known, &entry], &limits);
        let nodes = found.nodes.expect(content);
        let within = nodes.split_once(" within loc@").map(|(_, at)| at.to_owned());
        let first = first.map(|first: usize| ("<url><loc>".len() + first).to_string());
        assert_eq!(within, first, "{content}");
        assert_eq!(found.place, entry.len() + "</url>".len(), "{content}");
    }
    // The part of the loc that is read; the rest is left to tokens.
    for (content, read_part) in [
        ("<b a='&lt;'>&amp;</b> x<b></b >", "<loc><b a='&lt;'>&amp;</b>"),
        ("<b>1</b>x", "<loc><b>1</b>"),
        ("a<c/>", "<loc>a"),
        ("<c/>", "<loc>"),
        ("<b>1</c>", "<loc>"),
        ("<b a='1' a='2'/>", "<loc>"),
        ("<b>&none;</b>", "<loc>"),
        ("a&amp;<b/>", ""),
        ("<b/>]]>", "<loc><b/>"),
        ("<b/>\u{FFFF}", "<loc><b/>"),
        ("<b/><!-- c -->", "<loc><b/>"),
    ] {
        let entry = format!("<loc>{content}</loc>");
        let found = read(SITEMAP, &[known, &entry], &limits);
        assert_eq!((found.nodes, found.place), (None, read_part.len()), "{content}");
    }
    let is_read = |content: &str, limits: &Limits| {
        let entry = format!("<loc>{content}<b/></loc>");
        is_read(SHORT, &["<loc>x<b/></loc>"], &entry, limits)
    };
    // The root, the entry, its loc, and the element in it.
    assert!(is_read(
        "",
        &Limits {
            depth: 4,
            ..limits.clone()
        }
    ));
    assert!(!is_read(
        "",
        &Limits {
            depth: 3,
            ..limits.clone()
        }
    ));
    assert!(is_read(
        "123456789",
        &Limits {
            token_bytes: 9,
            ..limits.clone()
        }
    ));
    assert!(!is_read(
        "123456789",
        &Limits {
            token_bytes: 8,
            ..limits.clone()
        }
    ));
}

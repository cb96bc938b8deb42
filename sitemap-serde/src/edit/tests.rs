//! Every operation, by the whole text that comes out.

use std::io::{self, Read, Write};

use crate::model::{Image, UrlEntry};
use crate::xml::names::CORE;
use crate::{Category, ChangeFreq, Editor, EditorBuilder, EntryEditor, Kind, Limits, Result};

/// Gives one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

/// The document with every entry changed by `change`, read whole and byte by byte.
fn edited(xml: &str, change: impl Fn(EntryEditor<'_>)) -> String {
    fn run<R: Read>(reader: R, change: impl Fn(EntryEditor<'_>)) -> String {
        let mut editor = Editor::new(reader, Vec::new());
        while let Some(entry) = editor.next_entry().unwrap() {
            change(entry);
        }
        String::from_utf8(editor.finish().unwrap()).unwrap()
    }
    let whole = run(xml.as_bytes(), &change);
    assert_eq!(run(Trickle(xml.as_bytes()), &change), whole);
    whole
}

fn delete(entry: EntryEditor<'_>) {
    entry.delete();
}

/// The document with an entry added.
fn added(xml: &str, entry: &UrlEntry) -> String {
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    editor.add(entry).unwrap();
    let whole = editor.finish().unwrap();
    let mut editor = Editor::new(Trickle(xml.as_bytes()), Vec::new());
    while editor.next_entry().unwrap().is_some() {}
    editor.add(entry).unwrap();
    assert_eq!(editor.finish().unwrap(), whole);
    String::from_utf8(whole).unwrap()
}

/// A document in each layout: compact, two spaces, four, tabs, CRLF. `|` begins a line, each `>` behind it is a level.
fn layouts(text: &str) -> Vec<String> {
    let levels = |line_break: &str, unit: &str| {
        let mut out = String::new();
        for (i, line) in text.split('|').enumerate() {
            let depth = line.len() - line.trim_start_matches('~').len();
            if i > 0 {
                out.push_str(line_break);
                out.push_str(&unit.repeat(depth));
            }
            out.push_str(&line[depth..]);
        }
        out.replace("urlset>", &format!("urlset xmlns=\"{CORE}\">"))
            .replace(
                "</urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
                "</urlset>",
            )
    };
    vec![
        levels("", ""),
        levels("\n", "  "),
        levels("\n", "    "),
        levels("\n", "\t"),
        levels("\r\n", "  "),
    ]
}

fn in_every_layout(before: &str, after: &str, change: impl Fn(EntryEditor<'_>)) {
    for (before, after) in layouts(before).into_iter().zip(layouts(after)) {
        assert_eq!(edited(&before, &change), after);
        let prefixed = |text: &str| {
            let mut text = text.replace("xmlns=", "xmlns:sm=");
            for name in ["urlset", "url", "loc", "lastmod", "changefreq", "priority"] {
                for end in [">", " "] {
                    for start in ["<", "</"] {
                        text =
                            text.replace(&format!("{start}{name}{end}"), &format!("{start}sm:{name}{end}"));
                    }
                }
            }
            text
        };
        assert_eq!(edited(&prefixed(&before), &change), prefixed(&after));
    }
}

const FULL: &str = "<urlset>|~<url>|~~<loc>http://a.b/</loc>|~~<lastmod>2025</lastmod>|~~<changefreq>daily</changefreq>\
                    |~~<priority>0.5</priority>|~</url>|</urlset>|";
const BARE: &str = "<urlset>|~<url>|~~<loc>http://a.b/</loc>|~</url>|</urlset>|";

#[test]
fn nothing_changed_is_nothing_changed() {
    for xml in layouts(FULL) {
        assert_eq!(edited(&xml, |_| {}), xml);
        let odd = format!("\u{FEFF}{xml}<!-- </urlset> -->\n<?php ?>\n\n");
        assert_eq!(edited(&odd, |_| {}), odd);
    }
    for xml in [
        "<urlset/>",
        "<urlset></urlset>\n",
        "<urlset><!-- <url/> --></urlset>",
        " <urlset ></urlset >",
    ] {
        assert_eq!(edited(xml, |_| {}), xml);
    }
}

#[test]
fn a_value_takes_the_place_of_the_text() {
    in_every_layout(FULL, &FULL.replace("2025", "2026-05-01"), |mut entry| {
        entry.set("lastmod", " 2026-05-01\n").unwrap();
    });
    in_every_layout(
        FULL,
        &FULL
            .replace("daily", "weekly")
            .replace("0.5", "0.50")
            .replace("http://a.b/", "http://a.b/?x=%C3%A9&amp;y="),
        |mut entry| {
            entry.set_changefreq(ChangeFreq::Weekly).unwrap();
            entry.set("priority", "0.50").unwrap();
            entry.set_loc("http://a.b/?x=é&y= ").unwrap();
        },
    );
}

#[test]
fn what_is_the_same_stays_as_it_is_spelt() {
    let xml = "<urlset><url><loc><![CDATA[http://a.b/?x&y]]></loc></url><url><loc>http://a.b/?x&#38;y</loc></url></urlset>";
    assert_eq!(
        edited(xml, |mut entry| entry.set("loc", "http://a.b/?x&y").unwrap()),
        xml
    );
    assert_eq!(
        edited(xml, |mut entry| entry.set("loc", "http://a.b/?p&q").unwrap()),
        "<urlset><url><loc><![CDATA[http://a.b/?p&q]]></loc></url><url><loc>http://a.b/?p&amp;q</loc></url></urlset>"
    );
}

#[test]
fn a_missing_element_comes_in_the_schemas_order() {
    in_every_layout(BARE, FULL, |mut entry| {
        entry.set("priority", "0.5").unwrap();
        entry.set_changefreq("daily").unwrap();
        entry.set("lastmod", "2025").unwrap();
    });
    let without = FULL.replace("|~~<changefreq>daily</changefreq>", "");
    in_every_layout(&without, FULL, |mut entry| {
        entry.set("changefreq", "daily").unwrap();
    });
    // Empty elements are there.
    let empty = FULL.replace("<priority>0.5</priority>", "<priority />");
    in_every_layout(&empty, FULL, |mut entry| entry.set("priority", "0.5").unwrap());
}

#[test]
fn an_element_takes_its_line_along() {
    in_every_layout(FULL, BARE, |mut entry| {
        assert!(entry.remove("priority").unwrap());
        assert!(entry.remove("changefreq").unwrap());
        entry.set_lastmod(None::<&str>).unwrap();
        assert!(!entry.remove("image:image").unwrap());
    });
    in_every_layout(
        FULL,
        &BARE.replace("</loc>", "</loc>|~~<lastmod>2026</lastmod>"),
        |mut entry| {
            entry.remove("lastmod").unwrap();
            entry.set("lastmod", "2026").unwrap();
            entry.set("changefreq", "").unwrap();
            entry.set("priority", "0.1").unwrap();
            entry.remove("priority").unwrap();
        },
    );
}

#[test]
fn an_entry_takes_its_line_along() {
    let two = "<urlset>|~<url>|~~<loc>http://a.b/1</loc>|~</url>|~<url>|~~<loc>http://a.b/2</loc>|~</url>|</urlset>|";
    let first = "<urlset>|~<url>|~~<loc>http://a.b/1</loc>|~</url>|</urlset>|";
    in_every_layout(two, first, |mut entry| {
        if entry.loc().ends_with('2') {
            entry.set("lastmod", "2026").unwrap();
            entry.delete();
        }
    });
    in_every_layout(two, &first.replace('1', "2"), |entry| {
        if entry.loc().ends_with('1') {
            entry.delete();
        }
    });
    in_every_layout(two, "<urlset>|</urlset>|", delete);
}

#[test]
fn comments_and_strangers_stay() {
    let xml = "<urlset xmlns:x=\"urn:x\" xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
        <!-- <url><loc>http://a.b/no</loc></url> -->\n  <url x:id='1'><!-- a -->\n    <loc><!-- b -->http://a.b/</loc> <!-- c -->\n\
        \x20   <x:lastmod>1999</x:lastmod>\n    <i:image><i:loc>http://a.b/1</i:loc></i:image> <!-- d -->\n\
        \x20   <i:image><i:loc>http://a.b/2</i:loc></i:image>\n    <priority>0.5<!-- e --></priority><?f?>\n  </url>\n</urlset>";
    assert_eq!(
        edited(xml, |mut entry| {
            entry.set("loc", "http://a.b/c").unwrap();
            entry.set("lastmod", "2026").unwrap();
            entry.set("priority", "1.0").unwrap();
            assert!(entry.remove("image:image").unwrap());
        }),
        "<urlset xmlns:x=\"urn:x\" xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
        <!-- <url><loc>http://a.b/no</loc></url> -->\n  <url x:id='1'><!-- a -->\n    <loc><!-- b -->http://a.b/c</loc> <!-- c -->\n\
        \x20   <lastmod>2026</lastmod>\n    <x:lastmod>1999</x:lastmod>\n    <!-- d -->\n\
        \x20   <priority>1.0<!-- e --></priority><?f?>\n  </url>\n</urlset>"
    );
}

#[test]
fn entries_are_added_as_the_last_one_is_written() {
    let mut entry = UrlEntry::new("http://a.b/new?x&y");
    entry.priority = Some("0.7".parse().unwrap());
    let new = "|~<url>|~~<loc>http://a.b/new?x&amp;y</loc>|~~<priority>0.7</priority>|~</url>";
    for start in [BARE, FULL] {
        let end = start.replace("</url>", &format!("</url>{new}"));
        for (before, after) in layouts(start).into_iter().zip(layouts(&end)) {
            assert_eq!(added(&before, &entry), after);
        }
    }
    for (before, after) in [
        ("<urlset/>", "<urlset>NEW</urlset>"),
        (
            "<urlset a='/>' />\n<!-- -->",
            "<urlset a='/>'>NEW</urlset>\n<!-- -->",
        ),
        ("<urlset></urlset>", "<urlset>NEW</urlset>"),
        ("<urlset><!-- x --> </urlset>", "<urlset><!-- x -->NEW </urlset>"),
        (
            "<urlset>\n</urlset>",
            "<urlset>\n  <url>\n    <loc>http://a.b/</loc>\n  </url>\n</urlset>",
        ),
        (
            "<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
            "<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:url><s:loc>http://a.b/</s:loc></s:url></s:urlset>",
        ),
        // One line for each entry.
        (
            "<urlset>\n<url><loc>http://a.b/1</loc></url>\n<!-- end -->\n</urlset>\n",
            "<urlset>\n<url><loc>http://a.b/1</loc></url>\n<!-- end -->\nNEW\n</urlset>\n",
        ),
    ] {
        let after = after.replace("NEW", "<url><loc>http://a.b/</loc></url>");
        assert_eq!(added(before, &UrlEntry::new("http://a.b/")), after);
    }
}

#[test]
fn extensions_are_added_with_the_namespaces_of_the_root() {
    let mut entry = UrlEntry::new("http://a.b/");
    entry.images.push(Image::new("http://a.b/1.png"));
    let uri = "http://www.google.com/schemas/sitemap-image/1.1";
    let open = format!("<urlset xmlns:image=\"{uri}\">\n\t<url>\n\t\t<loc>http://a.b/1</loc>\n\t</url>");
    let new = "\n\t<url>\n\t\t<loc>http://a.b/</loc>\n\t\t<image:image>\n\t\t\t<image:loc>http://a.b/1.png</image:loc>\n\t\t</image:image>\
        \n\t</url>";
    assert_eq!(
        added(&format!("{open}\n</urlset>"), &entry),
        format!("{open}{new}\n</urlset>")
    );
    // Under another prefix it is not the one that is written.
    assert_eq!(
        added(&format!("<urlset xmlns:i='{uri}'/>"), &entry),
        format!(
            "<urlset xmlns:i='{uri}'><url><loc>http://a.b/</loc><image:image xmlns:image=\"{uri}\">\
             <image:loc>http://a.b/1.png</image:loc></image:image></url></urlset>"
        )
    );
}

#[test]
fn added_twice_and_edited_before() {
    let xml = "<urlset>\n <url>\n  <loc>http://a.b/1</loc>\n </url>\n</urlset>\n";
    let mut editor = EditorBuilder::new()
        .base("http://a.b/shop")
        .build(xml.as_bytes(), Vec::new());
    editor.next_entry().unwrap().unwrap().delete();
    editor.add(&UrlEntry::new("/2")).unwrap();
    let error = editor.add(&UrlEntry::new("http://c.d/")).unwrap_err();
    assert_eq!(
        (error.rule_id(), error.path()),
        (Some("P-HOST"), Some("entry 2 · loc"))
    );
    editor.add(&UrlEntry::new("/3")).unwrap();
    assert!(editor.next_entry().unwrap().is_none());
    assert_eq!(
        String::from_utf8(editor.finish().unwrap()).unwrap(),
        "<urlset>\n <url>\n  <loc>http://a.b/shop/2</loc>\n </url>\n <url>\n  <loc>http://a.b/shop/3</loc>\n </url>\n</urlset>\n"
    );
}

#[test]
fn values_are_checked() {
    let xml = "<urlset><url><loc>http://a.b/</loc><priority>7</priority></url></urlset>";
    let unchanged = edited(xml, |mut entry| {
        for (name, value, expected) in [
            (
                "priority",
                "1.5",
                "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                 field out, entry 1 · priority",
            ),
            (
                "image:loc",
                "x",
                "`image:loc` cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can; remove it, or delete the entry and \
                 add it anew, entry 1 · image:loc",
            ),
        ] {
            assert_eq!(entry.set(name, value).unwrap_err().to_string(), expected);
        }
        for (name, value, rule) in [
            ("lastmod", "2026-02-30", "P-LASTMOD"),
            ("changefreq", "often", "P-FREQ"),
            ("loc", "/relative", "P-LOC"),
        ] {
            let error = entry.set(name, value).unwrap_err();
            assert_eq!((error.category(), error.rule_id()), (Category::Data, Some(rule)));
            assert_eq!(error.path(), Some(format!("entry 1 · {name}").as_str()));
        }
        let expected = "no `loc`: every `url` has exactly one (P-DUP); delete the entry, or give it another URL, entry 1 · loc";
        assert_eq!(entry.remove("loc").unwrap_err().to_string(), expected);
        assert_eq!(entry.set_loc(None::<&str>).unwrap_err().to_string(), expected);
    });
    assert_eq!(unchanged, xml);

    let index = "<sitemapindex><sitemap><loc>http://a.b/</loc></sitemap></sitemapindex>";
    let mut editor = Editor::new(index.as_bytes(), Vec::new());
    assert_eq!(editor.kind().unwrap(), Kind::SitemapIndex);
    let mut entry = editor.next_entry().unwrap().unwrap();
    assert_eq!(
        entry.set("priority", "1").unwrap_err().rule_id(),
        Some("P-INDEXTAGS")
    );
    entry.set("lastmod", "2026").unwrap();
    let edited = index.replace("</loc>", "</loc><lastmod>2026</lastmod>");
    assert_eq!(editor.finish().unwrap(), edited.as_bytes());
}

#[test]
fn limits_are_for_what_is_added() {
    let xml = "<urlset><url><loc>http://a.b/1</loc></url><url><loc>http://a.b/2</loc></url></urlset>";
    let new = UrlEntry::new("http://a.b/3");
    for (limits, rule) in [
        (Limits::writing().entries(2), "P-COUNT"),
        (Limits::writing().bytes(xml.len() as u64 + 33), "P-SIZE"),
    ] {
        let mut editor = EditorBuilder::new()
            .limits(limits)
            .build(xml.as_bytes(), Vec::new());
        assert_eq!(editor.add(&new).unwrap_err().rule_id(), Some(rule));
        assert_eq!(editor.finish().unwrap(), xml.as_bytes());
    }
    let limits = Limits::writing().entries(3).bytes(xml.len() as u64 + 34);
    let mut editor = EditorBuilder::new()
        .limits(limits)
        .build(xml.as_bytes(), Vec::new());
    editor.add(&new).unwrap();
    assert_eq!(editor.finish().unwrap().len(), xml.len() + 34);
}

#[test]
fn bad_entries_are_told_and_copied() {
    let xml = "<urlset>\n  <url><lastmod>x</lastmod></url>\n  <sitemap/>\n  <url><loc>http://a.b/</loc></url>\n  <url/>\n</urlset>";
    let mut editor = Editor::new(Trickle(xml.as_bytes()), Vec::new());
    let mut told = Vec::new();
    loop {
        match editor.next_entry() {
            Ok(Some(mut entry)) => entry.set("lastmod", "2026").unwrap(),
            Ok(None) => break,
            Err(error) => told.push(error.entry()),
        }
    }
    assert_eq!(told, [Some(1), Some(2), Some(4)]);
    let edited = xml.replace("</loc>", "</loc><lastmod>2026</lastmod>");
    assert_eq!(String::from_utf8(editor.finish().unwrap()).unwrap(), edited);
}

/// A writer that keeps what it was given when the editor is gone.
#[derive(Clone, Default)]
struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_cannot_be_read_is_never_complete() {
    let entries = "<url><loc>http://a.b/</loc></url>\n".repeat(5000);
    let whole = format!("<urlset>{entries}</urlset>");
    let long = format!("{whole}<!--{}-->", "x".repeat(200_000));
    let cut = whole.strip_suffix("t>").unwrap();
    for (document, category) in [
        (cut.to_owned(), Category::Eof),
        (whole.replace("</urlset>", ""), Category::Eof),
        (format!("{whole}<url/>"), Category::Syntax),
        (format!("{long}x"), Category::Syntax),
        (format!("{long}{long}"), Category::Syntax),
        (whole.replace("</urlset>", "<a></urlset>"), Category::Syntax),
        (format!("<urlset/>{long}"), Category::Syntax),
        ("<html/>".to_owned(), Category::Data),
        ("<!DOCTYPE urlset><urlset/>".to_owned(), Category::Syntax),
        (String::new(), Category::Eof),
    ] {
        for adds in [false, true] {
            let out = Shared::default();
            let mut editor = Editor::new(document.as_bytes(), out.clone());
            let result: Result<()> = (|| {
                while let Some(mut entry) = editor.next_entry()? {
                    entry.set("lastmod", "2026")?;
                }
                if adds {
                    editor.add(&UrlEntry::new("http://a.b/"))?;
                }
                Ok(())
            })();
            assert_eq!(result.unwrap_err().category(), category);
            assert!(editor.next_entry().unwrap().is_none());
            assert!(editor.add(&UrlEntry::new("http://a.b/")).is_err());
            let error = editor.finish().map(drop).unwrap_err();
            assert_eq!(
                error.to_string(),
                "the document could not be read to its end, as an error before this one says; what was written is not complete"
            );
            let out = out.0.lock().unwrap();
            let read = crate::from_slice::<Vec<UrlEntry>>(&out);
            assert_eq!(read.unwrap_err().category(), Category::Eof);
        }
    }
}

#[test]
fn what_cannot_be_edited_says_so() {
    let error = Editor::new(&b"<!DOCTYPE urlset><urlset/>"[..], Vec::new())
        .finish()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; remove it, or \
         read the document and write it anew"
    );
    let utf16: Vec<u8> = "\u{FEFF}<urlset/>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = Editor::new(&utf16[..], Vec::new()).kind().unwrap_err();
    assert_eq!(
        (error.category(), error.rule_id()),
        (Category::Syntax, Some("P-UTF8"))
    );
    if cfg!(feature = "encoding") {
        assert_eq!(
            error.to_string(),
            "the document is not in UTF-8: only one that is can be edited (P-UTF8); convert it first"
        );
    }
}

#[test]
fn the_writer_failing_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let xml = format!(
        "<urlset>{}</urlset>",
        "<url><loc>http://a.b/</loc></url>".repeat(5000)
    );
    let mut editor = Editor::new(xml.as_bytes(), Full);
    let error = loop {
        match editor.next_entry() {
            Ok(entry) => assert!(entry.is_some()),
            Err(error) => break error,
        }
    };
    assert_eq!(error.category(), Category::Io);
    assert!(editor.finish().is_err());
    assert_eq!(
        Editor::new(&b"<urlset/>"[..], Full)
            .finish()
            .map(drop)
            .unwrap_err()
            .category(),
        Category::Io
    );
}

#[test]
fn memory_does_not_grow_with_the_document() {
    /// A root with so many comments between its entries.
    struct Endless(u32);
    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let piece: &[u8] = match self.0 {
                0 => b"<urlset>",
                20_000 => b"<url><loc>http://a.b/</loc></url>",
                40_000 => b"</urlset>",
                40_001.. => b"",
                _ => b"<!-- a comment between the entries of the document -->\n",
            };
            self.0 += 1;
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            assert!(bytes.len() < 300_000, "{}", bytes.len());
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut editor = Editor::new(Endless(0), Count(0));
    while editor.next_entry().unwrap().is_some() {}
    editor.add(&UrlEntry::new("http://a.b/")).unwrap();
    assert!(editor.finish().unwrap().0 > 2_000_000);
}

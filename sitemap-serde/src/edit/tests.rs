//! Each operation, tested by its whole output.

mod end;
mod removal;

use std::io::{self, Read};

use crate::schema::{Image, UrlEntry};
use crate::xml::names::CORE;
use crate::{ChangeFreq, Editor, ErrorKind, Kind, Rule, WriterBuilder, edit::EntryEditor};

/// A reader that returns one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

/// The output with every entry changed by `change`; the same for input read at once and byte by byte.
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

/// The output with an entry added.
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

/// A document in each layout: compact, two spaces, four spaces, tabs, CRLF. `|` begins a line; each `>` after it is a level.
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
fn an_unchanged_document_is_copied() {
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
fn setting_a_value_replaces_the_text() {
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
            entry.set("changefreq", ChangeFreq::Weekly.as_str()).unwrap();
            entry.set("priority", "0.50").unwrap();
            entry.set("loc", "http://a.b/?x=é&y= ").unwrap();
        },
    );
}

#[test]
fn an_equal_value_keeps_its_spelling() {
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
fn a_new_element_is_inserted_in_the_schemas_order() {
    in_every_layout(BARE, FULL, |mut entry| {
        entry.set("priority", "0.5").unwrap();
        entry.set("changefreq", "daily").unwrap();
        entry.set("lastmod", "2025").unwrap();
    });
    let without = FULL.replace("|~~<changefreq>daily</changefreq>", "");
    in_every_layout(&without, FULL, |mut entry| {
        entry.set("changefreq", "daily").unwrap();
    });
    // Empty elements are replaced, not inserted again.
    let empty = FULL.replace("<priority>0.5</priority>", "<priority />");
    in_every_layout(&empty, FULL, |mut entry| entry.set("priority", "0.5").unwrap());
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
        // One entry per line.
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
    // The writer uses the usual prefix, and declares it, even if the root has another one.
    assert_eq!(
        added(&format!("<urlset xmlns:i='{uri}'/>"), &entry),
        format!(
            "<urlset xmlns:i='{uri}'><url><loc>http://a.b/</loc><image:image xmlns:image=\"{uri}\">\
             <image:loc>http://a.b/1.png</image:loc></image:image></url></urlset>"
        )
    );
}

#[test]
fn lines_within_a_text_keep_their_white_space() {
    let mut entry = UrlEntry::new("http://a.b/'");
    let mut image = Image::new("http://a.b/1.png");
    image.title = Some("one\n    two\n<three".to_owned());
    entry.images.push(image);
    let uri = "http://www.google.com/schemas/sitemap-image/1.1";
    let open = format!(
        "<s:urlset xmlns:s=\"{CORE}\" xmlns:image=\"{uri}\">\r\n  <s:url>\r\n      <s:loc>http://a.b/1</s:loc>\r\n  </s:url>"
    );
    let new = "\r\n  <s:url>\r\n      <s:loc>http://a.b/&apos;</s:loc>\r\n      <image:image>\
        \r\n          <image:loc>http://a.b/1.png</image:loc>\
        \r\n          <image:title>one\n    two\n&lt;three</image:title>\r\n      </image:image>\r\n  </s:url>";
    assert_eq!(
        added(&format!("{open}\r\n</s:urlset>"), &entry),
        format!("{open}{new}\r\n</s:urlset>")
    );
}

#[test]
fn added_twice_and_edited_before() {
    let xml = "<urlset>\n <url>\n  <loc>http://a.b/1</loc>\n </url>\n</urlset>\n";
    let mut editor = WriterBuilder::new()
        .base("http://a.b/shop")
        .editor(xml.as_bytes(), Vec::new());
    editor.next_entry().unwrap().unwrap().delete();
    editor.add(&UrlEntry::new("/2")).unwrap();
    let error = editor.add(&UrlEntry::new("http://c.d/")).unwrap_err();
    assert_eq!(
        (error.rule().map(Rule::as_str), error.path()),
        (Some("P-HOST"), Some("entry 3 · loc"))
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
                "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                 field out, entry 1 · priority, loc `http://a.b/`",
            ),
            (
                "priorty",
                "0.5",
                "`priorty` cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can; did you mean `priority`?, entry 1 · priorty, loc `http://a.b/`",
            ),
            (
                "image:loc",
                "x",
                "`image:loc` cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can; remove it, or delete the entry and add it again, entry 1 · image:loc, loc `http://a.b/`",
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
            assert_eq!(
                (error.kind(), error.rule().map(Rule::as_str)),
                (ErrorKind::Data, Some(rule))
            );
            assert_eq!(error.path(), Some(format!("entry 1 · {name}").as_str()));
        }
        let expected = "no `loc`: every `url` has exactly one (P-DUP); delete the entry, or give it another URL, entry 1 · loc, \
                        loc `http://a.b/`";
        assert_eq!(entry.remove("loc").unwrap_err().to_string(), expected);
        let empty = "the loc is empty: it is an absolute URL (P-LOC); write the address of the page, entry 1 · loc, loc `http://a.b/`";
        assert_eq!(entry.set("loc", "").unwrap_err().to_string(), empty);
    });
    assert_eq!(unchanged, xml);

    let index = "<sitemapindex><sitemap><loc>http://a.b/</loc></sitemap></sitemapindex>";
    let mut editor = Editor::new(index.as_bytes(), Vec::new());
    assert_eq!(editor.kind().unwrap(), Kind::SitemapIndex);
    let mut entry = editor.next_entry().unwrap().unwrap();
    assert_eq!(
        entry.set("priority", "1").unwrap_err().rule(),
        Some(Rule::IndexTags)
    );
    entry.set("lastmod", "2026").unwrap();
    let edited = index.replace("</loc>", "</loc><lastmod>2026</lastmod>");
    assert_eq!(editor.finish().unwrap(), edited.as_bytes());
}

#[test]
fn invalid_entries_are_errors_and_are_copied() {
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

#[test]
fn entries_are_added_with_a_prefix_that_is_declared_there() {
    let (own, root) = (
        format!("<x:url xmlns:x=\"{CORE}\"><x:loc>http://a.b/1</x:loc></x:url>"),
        format!("<url xmlns='{CORE}'><loc>http://a.b/1</loc></url>"),
    );
    for (before, new) in [
        (
            format!("<urlset xmlns=\"{CORE}\">{own}</urlset>"),
            "<url><loc>http://a.b/</loc></url>",
        ),
        (
            format!("<s:urlset xmlns:s=\"{CORE}\">{root}</s:urlset>"),
            "<s:url><s:loc>http://a.b/</s:loc></s:url>",
        ),
        (
            format!(
                "<urlset xmlns=\"{CORE}\" xmlns:s=\"{CORE}\"><s:url><s:loc>http://a.b/1</s:loc></s:url></urlset>"
            ),
            "<s:url><s:loc>http://a.b/</s:loc></s:url>",
        ),
    ] {
        let entry = UrlEntry::new("http://a.b/");
        let after = added(&before, &entry);
        let end = before.rfind("</").unwrap();
        assert_eq!(after, format!("{}{new}{}", &before[..end], &before[end..]));
        let read: Vec<UrlEntry> = crate::from_str(&after).unwrap();
        assert_eq!(read.last(), Some(&entry));
    }
}

#[test]
fn a_new_loc_is_checked_against_the_videos() {
    let xml = "<urlset xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\"><url><loc>http://a.b/</loc>\
        <v:video><v:thumbnail_loc>http://a.b/t</v:thumbnail_loc></v:video>\
        <v:video><v:content_loc>http://a.b/c?x&amp;y</v:content_loc><v:player_loc autoplay='a'>http://a.b/p</v:player_loc>\
        <v:uploader info=\"http://users.a.b/u\">U</v:uploader></v:video></url></urlset>";
    let unchanged = edited(xml, |mut entry| {
        for (loc, rule, path) in [
            ("http://a.b/c?x&y", "P-VID2", "video:content_loc"),
            (" http://a.b/p ", "P-VID2", "video:player_loc"),
            ("http://c.d/", "P-VID9", "video:uploader · @info"),
        ] {
            let error = entry.set("loc", loc).unwrap_err();
            assert_eq!(
                (error.kind(), error.rule().map(Rule::as_str)),
                (ErrorKind::Data, Some(rule))
            );
            let expected = format!("entry 1 · video:video[1] · {path}");
            assert_eq!(error.path(), Some(expected.as_str()));
        }
    });
    assert_eq!(unchanged, xml);
    let moved = edited(xml, |mut entry| {
        entry.set("loc", "http://www.a.b/2").unwrap();
        entry.remove("video:video").unwrap();
        entry.set("loc", "http://c.d/").unwrap();
    });
    let video = xml.find("<v:video>").unwrap()..xml.rfind("</url>").unwrap();
    assert_eq!(
        moved,
        xml.replace(&xml[video], "")
            .replace("http://a.b/<", "http://c.d/<")
    );
}

#[test]
fn new_locs_are_in_the_documents_scope() {
    let xml = "<urlset><url><loc>http://other.net/</loc></url></urlset>";
    let mut builder = WriterBuilder::new();
    builder.base("http://a.b").location("/shop/sitemap.xml");
    for (allowed, rule) in [(false, Some("P-PATH")), (true, None)] {
        let mut editor = builder
            .cross_submission(allowed)
            .editor(xml.as_bytes(), Vec::new());
        let mut entry = editor.next_entry().unwrap().unwrap();
        let set = entry.set("loc", "/about");
        assert_eq!(
            set.err().map(|error| error.rule().map(Rule::as_str)),
            rule.map(Some)
        );
        entry.set("loc", "/shop/x").unwrap();
        let added = editor.add(&UrlEntry::new("/contact"));
        assert_eq!(
            added.err().map(|error| error.rule().map(Rule::as_str)),
            rule.map(Some)
        );
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        assert!(
            edited.contains("<url><loc>http://a.b/shop/x</loc></url>"),
            "{edited}"
        );
    }
}

#[cfg(feature = "encoding")]
#[test]
fn set_locs_are_in_the_encoding_of_the_server() {
    let xml = "<urlset><url><loc>http://example.com/</loc></url></urlset>";
    let mut editor = WriterBuilder::new()
        .encoding("euc-jp")
        .lowercase_hex(true)
        .editor(xml.as_bytes(), Vec::new());
    let mut entry = editor.next_entry().unwrap().unwrap();
    entry.set("loc", "http://example.com/サイト").unwrap();
    let edited = xml.replace("com/", "com/%a5%b5%a5%a4%a5%c8");
    assert_eq!(editor.finish().unwrap(), edited.as_bytes());
}

#[test]
fn values_are_read_and_set_by_name() {
    let xml = "<urlset xmlns:shop=\"urn:shop\"><url><loc>https://example.com/</loc><priority>0.5</priority><shop:stock>5</shop:stock></url></urlset>";
    let mut editor = WriterBuilder::new()
        .namespace("s", "urn:shop")
        .editor(xml.as_bytes(), Vec::new());
    let mut entry = editor.next_entry().unwrap().unwrap();
    assert_eq!(entry.record().get("s:stock"), Some("5"));
    assert_eq!(
        (entry.record().get("priority"), entry.record().get("lastmod")),
        (Some("0.5"), None)
    );
    assert_eq!(
        entry.set_priority(1.5).unwrap_err().to_string(),
        "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, \
         entry 1 · priority, loc `https://example.com/`"
    );
    entry.set_priority(0.1 + 0.2).unwrap();
    entry.remove("s:stock").unwrap();
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    let expected = xml
        .replace("0.5<", "0.3<")
        .replace("<shop:stock>5</shop:stock>", "");
    assert_eq!(edited, expected);
}

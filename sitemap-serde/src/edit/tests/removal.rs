//! Removed elements and entries, with the white space and comments that belong to them.

use super::{BARE, FULL, delete, edited, in_every_layout};
use crate::xml::names::CORE;
use crate::{Editor, WriterBuilder};

#[test]
fn removing_an_element_removes_its_line() {
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
fn removing_an_entry_removes_its_line() {
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
fn comments_and_unknown_elements_stay() {
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
        \x20   <lastmod>2026</lastmod>\n    <x:lastmod>1999</x:lastmod>\n    <priority>1.0<!-- e --></priority><?f?>\n  </url>\n</urlset>"
    );
}

/// A document whose layout has `1`, `2` and `3` instead of entries.
fn document(layout: &str) -> String {
    let entry = |n: char| format!("<url><loc>http://a.b/{n}</loc></url>");
    let content: String = layout
        .chars()
        .map(|c| match c {
            '1'..='3' => entry(c),
            _ => c.to_string(),
        })
        .collect();
    format!("<urlset xmlns:x=\"urn:x\">{content}</urlset>")
}

#[test]
fn a_comment_at_the_end_of_a_removed_line_is_removed() {
    for (before, gone, after) in [
        ("\n  1 <!-- a -->\n  2\n", "1", "\n  2\n"),
        ("\n  1 <!-- a\n a --><!--a-->\t\n  2\n", "1", "\n  2\n"),
        ("\r\n\t1 <!-- a -->\r\n\t2\r\n", "1", "\r\n\t2\r\n"),
        ("\n  1\n  2 <!-- b -->\n", "2", "\n  1\n"),
        ("\n  1 <!-- a -->\n", "1", "\n"),
        ("\n\n  1 <!-- a -->\n\n  2\n", "1", "\n\n\n  2\n"),
        // A comment on a line of its own belongs to the next entry.
        ("\n  1\n  <!-- b -->\n  2\n", "1", "\n  <!-- b -->\n  2\n"),
        ("\n  1\n  <!-- b -->\n  2\n", "2", "\n  1\n  <!-- b -->\n"),
        // A comment with an entry after it on the line may belong to that entry.
        ("\n  1 <!-- b -->2\n", "1", "\n  <!-- b -->2\n"),
        ("\n  1 2 <!-- both -->\n", "2", "\n  1 <!-- both -->\n"),
        ("1<!-- b -->2", "1", "<!-- b -->2"),
        ("\n  1 <!-- end -->", "1", "\n  <!-- end -->"),
        ("\n  1 <?x?>\n  2\n", "1", "\n  <?x?>\n  2\n"),
        ("\n  1 <x:y/>\n  2\n", "1", "\n  <x:y/>\n  2\n"),
    ] {
        let edited = edited(&document(before), |entry| {
            if entry.loc().ends_with(gone) {
                entry.delete();
            }
        });
        assert_eq!(edited, document(after), "{before:?} without {gone}");
    }
}

#[test]
fn other_content_of_the_line_stays() {
    for (before, gone, after) in [
        ("\n  1 2\n", "1", "\n  2\n"),
        ("\n  1 2\n", "2", "\n  1\n"),
        ("\n  1 2\n", "12", "\n"),
        ("\n  1 2 3 \n", "12", "\n  3 \n"),
        ("\n  1 2 3\n", "13", "\n  2\n"),
        ("\n  1 2 3 \n", "23", "\n  1\n"),
        ("\n  1 2 3 <!-- all -->\n", "123", "\n"),
        ("\n123\n", "12", "\n3\n"),
        ("123", "2", "13"),
        ("1 2 3", "123", ""),
    ] {
        let edited = edited(&document(before), |entry| {
            if entry.loc().ends_with(|c| gone.contains(c)) {
                entry.delete();
            }
        });
        assert_eq!(edited, document(after), "{before:?} without {gone}");
    }
}

#[test]
fn an_emptied_line_is_removed() {
    let xml = "<urlset>\n  <url>\n    <loc>http://a.b/</loc>\n    <lastmod>2025</lastmod> <changefreq>daily</changefreq>\t<priority>1\
               </priority> <!-- c -->\n    <!-- d -->\n  </url>\n</urlset>";
    let without = |names: &'static [&'static str]| {
        edited(xml, move |mut entry| {
            for name in names {
                assert!(entry.remove(name).unwrap());
            }
        })
    };
    let line =
        "\n    <lastmod>2025</lastmod> <changefreq>daily</changefreq>\t<priority>1</priority> <!-- c -->";
    for (names, expected) in [
        (&["lastmod", "priority", "changefreq"][..], ""),
        (
            &["lastmod", "changefreq"],
            "\n    <priority>1</priority> <!-- c -->",
        ),
        (
            &["changefreq", "priority"],
            "\n    <lastmod>2025</lastmod> <!-- c -->",
        ),
        (
            &["changefreq"],
            "\n    <lastmod>2025</lastmod>\t<priority>1</priority> <!-- c -->",
        ),
    ] {
        assert_eq!(without(names), xml.replace(line, expected), "{names:?}");
    }
}

#[test]
fn an_invalid_entry_after_a_removed_one_stays() {
    let xml = document("\n  1 <!-- a -->\n  <url/> <!-- b -->\n  2\n");
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    editor.next_entry().unwrap().unwrap().delete();
    assert!(editor.next_entry().is_err());
    editor.next_entry().unwrap().unwrap().delete();
    let edited = editor.finish().unwrap();
    assert_eq!(
        String::from_utf8(edited).unwrap(),
        document("\n  <url/> <!-- b -->\n")
    );
}

#[test]
fn a_long_comment_is_waited_for_and_too_long_a_line_is_not() {
    let comment = |len: usize| format!(" <!--{}-->", "x".repeat(len));
    let delete_first = |xml: &str| {
        let mut editor = Editor::new(xml.as_bytes(), Vec::new());
        editor.next_entry().unwrap().unwrap().delete();
        String::from_utf8(editor.finish().unwrap()).unwrap()
    };
    let long = document(&format!("\n  1{0}{0}\n  2\n", comment(200_000)));
    assert_eq!(delete_first(&long), document("\n  2\n"));
    let comments = comment(300_000).repeat(10);
    let too_long = document(&format!("\n  1{comments}\n  2\n"));
    let left = delete_first(&too_long);
    assert_eq!(
        left.replace([' ', '\n'], ""),
        document(&format!("{comments}2")).replace([' ', '\n'], "")
    );
}

#[test]
fn elements_outside_the_schema_are_removed_by_their_names() {
    let entry = "<url b='1'><loc>http://a.b/</loc>\n <expires a='1'>2027</expires>\n <i:foo>x</i:foo>\n <o:e o:a='1'><o:e/></o:e>\n \
                 <expires/></url>";
    let xml = format!(
        "<urlset xmlns='{CORE}' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns:o='urn:own'>{entry}</urlset>"
    );
    let mut builder = WriterBuilder::new();
    builder.namespace("own", "urn:own");
    for (name, gone) in [
        (
            "expires",
            &["\n <expires a='1'>2027</expires>", "\n <expires/>"][..],
        ),
        ("image:foo", &["\n <i:foo>x</i:foo>"]),
        ("own:e", &["\n <o:e o:a='1'><o:e/></o:e>"]),
        ("other", &[]),
    ] {
        let mut editor = builder.editor(xml.as_bytes(), Vec::new());
        let mut entry = editor.next_entry().unwrap().unwrap();
        assert_eq!(entry.remove(name).unwrap(), !gone.is_empty(), "{name}");
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        let expected = gone.iter().fold(xml.clone(), |xml, gone| xml.replace(gone, ""));
        assert_eq!(edited, expected, "{name}");
    }
    let mut expanded = WriterBuilder::new();
    let mut editor = expanded.expanded_names(true).editor(xml.as_bytes(), Vec::new());
    assert!(
        editor
            .next_entry()
            .unwrap()
            .unwrap()
            .remove("{urn:own}e")
            .unwrap()
    );
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(edited, xml.replace("\n <o:e o:a='1'><o:e/></o:e>", ""));
}

#[test]
fn names_that_no_element_can_have_are_errors() {
    let xml = format!(
        "<urlset xmlns='{CORE}'><url b='1'><loc>http://a.b/</loc><o:e xmlns:o='urn:own'/></url></urlset>"
    );
    let unchanged = edited(&xml, |mut entry| {
        for (name, expected) in [
            (
                "@b",
                "`@b` is not an element; remove the element that it belongs to, entry 1 · @b, loc `http://a.b/`",
            ),
            (
                "$text",
                "`$text` is not an element; remove the element that it belongs to, entry 1 · $text, loc `http://a.b/`",
            ),
            (
                "o:e",
                "`o:e` has the prefix `o`, and no namespace is known by it; make it known with \
                 `WriterBuilder::namespace(\"o\", …)`, entry 1 · o:e",
            ),
        ] {
            assert_eq!(entry.remove(name).unwrap_err().to_string(), expected);
        }
    });
    assert_eq!(unchanged, xml);
}

//! Markup in and around values stays as it is, and changes nothing of an edit: tags with `>` in attributes, comments, instructions,
//! children, empty elements, CDATA sections.

use sitemap_serde::edit::{EntryEditor, Rebase};
use sitemap_serde::{Editor, UrlEntry};

const ATTRIBUTES: [&str; 5] = ["", " a=\">\"", " xmlns:q='/>'", "\r\n b = '\"'", " c=\"xmlns\""];

const ASIDES: [&str; 5] = [
    "",
    "<!-- ' > \" </loc> <a -->",
    "<?p </loc> > ' ?>",
    "<![CDATA[]]>",
    "<!--> -->",
];

/// A change of an entry, or of a document.
type Change = (&'static str, fn(&mut EntryEditor<'_>));

const CHANGES: [Change; 5] = [
    ("set", |entry| {
        entry.set("loc", "https://example.com/b").unwrap();
        entry.set("lastmod", "2026-05-02").unwrap();
        entry.set("changefreq", "daily").unwrap();
        entry.set("priority", "0.7").unwrap();
    }),
    ("remove", |entry| {
        assert!(entry.remove("lastmod").unwrap());
    }),
    ("rebase", |entry| {
        let mut rebase = Rebase::new("https://example.com", "http://b.example/c").unwrap();
        entry.rebase(&mut rebase).unwrap();
        assert_eq!((rebase.moved(), rebase.kept()), (1, 0));
    }),
    ("nothing", |_| {}),
    ("add", |_| {}),
];

/// A document with this markup in each tag and around each value. Only its entries have a prefix, which the root declares.
fn document(attribute: &str, aside: &str, end: &str, [open, close]: [&str; 2]) -> String {
    let core = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let element = |name: &str, value: &str| {
        format!("    <s:{name}{attribute}>{aside}{open}{value}{close}{aside}</s:{name}{end}>\r\n")
    };
    let entry = [
        element("loc", "https://example.com/a"),
        element("lastmod", "2026-05-01"),
    ]
    .concat();
    format!(
        "<urlset xmlns=\"{core}\" xmlns:s=\"{core}\">\r\n  <s:url{attribute}>\r\n{entry}    <s:priority{attribute}/>\r\n  </s:url{end}>\r\n\
         </urlset>"
    )
}

fn edited(document: &str, (name, change): Change) -> String {
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    while let Some(mut entry) = editor.next_entry().unwrap() {
        change(&mut entry);
    }
    if name.ends_with("add") {
        editor.add(&UrlEntry::new("https://example.com/new")).unwrap();
    }
    String::from_utf8(editor.finish().unwrap()).unwrap()
}

#[test]
fn markup_around_a_value_changes_no_edit() {
    for change in CHANGES {
        let plain = edited(&document("", "", "", [""; 2]), change);
        for attribute in ATTRIBUTES {
            for (aside, end) in ASIDES
                .iter()
                .flat_map(|aside| ["", " \n"].map(|end| (*aside, end)))
            {
                for section in [["", ""], ["<![CDATA[", "]]>"]] {
                    let written = edited(&document(attribute, aside, end, section), change);
                    let mut stripped = written.replace(&format!("{end}>\r\n"), ">\r\n");
                    for markup in [attribute, aside, section[0], section[1]] {
                        if !markup.is_empty() {
                            stripped = stripped.replace(markup, "");
                        }
                    }
                    assert_eq!(stripped, plain, "{} of {written}", change.0);
                }
            }
        }
    }
}

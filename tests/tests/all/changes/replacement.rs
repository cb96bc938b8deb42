//! Suggestions of a lint, applied to the document and to others.

use sitemap_serde::edit::EntryEditor;
use sitemap_serde::lint::Linter;
use sitemap_serde::{Diagnostic, Editor};

const DOCUMENT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/é b</loc>\
                        <lastmod>2026/5/1</lastmod><priority>0,5</priority></url></urlset>";

fn found(document: &str) -> Vec<Diagnostic> {
    let found = Linter::new().check(document.as_bytes());
    assert!(found.iter().filter_map(Diagnostic::suggestion).count() >= 3);
    found
}

/// Applies all replacements to another document, after `edit`, and returns which were applied.
fn applied(document: &str, edit: impl Fn(&mut EntryEditor<'_>)) -> (Vec<bool>, String) {
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    let mut applied = Vec::new();
    while let Some(mut entry) = editor.next_entry().unwrap() {
        edit(&mut entry);
        for suggestion in found(DOCUMENT).iter().filter_map(Diagnostic::suggestion) {
            applied.push(entry.replace(suggestion));
        }
    }
    (applied, String::from_utf8(editor.finish().unwrap()).unwrap())
}

#[test]
fn each_is_applied_once() {
    let (first, written) = applied(DOCUMENT, |_| {});
    assert_eq!(first, [true; 3]);
    assert_eq!(
        written,
        DOCUMENT
            .replace("é b", "%C3%A9%20b")
            .replace("2026/5/1", "2026-05-01")
            .replace("0,5", "0.5")
    );
}

/// Only the found text is ever replaced, whatever is at its position: bytes before it, the middle of a character, or nothing.
#[test]
fn another_document_is_left_alone() {
    let shorter = DOCUMENT.replace("https://example.com/é b", "https://example.com/");
    let shifted = DOCUMENT.replace("https://example.com/é b", "https://example.com/éé");
    for other in [
        shorter,
        shifted.replace("2026/5/1", "é026-5-1").replace("0,5", "é,"),
    ] {
        assert_eq!(applied(&other, |_| {}), (vec![false; 3], other));
    }
}

#[test]
fn what_is_set_or_removed_is_not_replaced() {
    let (applied, written) = applied(DOCUMENT, |entry| {
        entry.set("lastmod", "2026-05-02").unwrap();
        entry.remove("priority").unwrap();
    });
    assert_eq!(applied.iter().filter(|applied| **applied).count(), 1, "the loc");
    assert!(
        written.contains("%C3%A9%20b</loc><lastmod>2026-05-02</lastmod></url>"),
        "{written}"
    );
}

//! Published sitemaps changed in place, found through `SITEMAP_SHARED`.

use std::io::Read;
use std::path::Path;

use sitemap_serde::{Category, Editor, EntryEditor, Error, Kind, Reader, Record, UrlEntry};
use sitemap_tests::{Trickle, corpus, files};

/// Whether an error is about one entry, which is passed over.
fn is_passable(error: &Error) -> bool {
    error.category() == Category::Data && error.entry().is_some()
}

/// The document with `change` made to its entries, the broken ones passed over.
fn edit(document: impl Read, change: &mut dyn FnMut(EntryEditor<'_>)) -> Result<String, Error> {
    let mut editor = Editor::new(document, Vec::new());
    loop {
        match editor.next_entry() {
            Ok(Some(entry)) => change(entry),
            Ok(None) => break,
            Err(error) if is_passable(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(String::from_utf8(editor.finish()?).unwrap())
}

/// All entries' fields, as text; `None` for one that is broken.
fn fields(document: &str) -> Vec<Option<Vec<(String, String)>>> {
    let mut reader = Reader::from_str(document);
    let mut record = Record::new();
    let mut entries = Vec::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => entries.push(Some(
                record
                    .fields()
                    .map(|field| (field.name().to_owned(), field.text().to_owned()))
                    .collect(),
            )),
            Ok(false) => return entries,
            Err(error) if is_passable(&error) => entries.push(None),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The corpus's files that can be edited, and how many cannot.
fn editable(folder: &Path) -> (Vec<(String, String)>, [u32; 3]) {
    let mut files = Vec::new();
    let [mut unread, mut other_encoding, mut doctype] = [0; 3];
    for (path, document) in corpus(folder) {
        let mut reader = Reader::from_slice(&document);
        let mut record = Record::new();
        let is_read = loop {
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break true,
                Err(error) if is_passable(&error) => {}
                Err(_) => break false,
            }
        };
        let edited = edit(&document[..], &mut |_| {});
        let Ok(text) = String::from_utf8(document) else {
            if is_read {
                other_encoding += 1;
            } else {
                unread += 1;
            }
            assert!(edited.is_err(), "{path}");
            continue;
        };
        if !is_read {
            unread += 1;
            assert!(edited.is_err(), "{path}");
        } else if text.contains("<!DOCTYPE") {
            doctype += 1;
            assert_eq!(edited.unwrap_err().category(), Category::Syntax, "{path}");
        } else {
            assert!(edited.unwrap() == text, "{path} is not itself");
            files.push((path, text));
        }
    }
    (files, [unread, other_encoding, doctype])
}

#[test]
fn every_file_edited_with_no_change_is_itself() {
    let Some(folder) = files("edit") else { return };
    let (files, [unread, other_encoding, doctype]) = editable(&folder);
    println!(
        "{} files are themselves; {unread} are not well-formed or no sitemaps, {other_encoding} not in UTF-8, {doctype} with a \
         DOCTYPE",
        files.len()
    );
    assert!(files.len() > 200, "{}", files.len());
    for (path, text) in &files {
        let edited = edit(Trickle::new(text.as_bytes()), &mut |_| {}).unwrap();
        assert!(edited == *text, "{path} is not itself, read bit by bit");
    }
}

#[test]
fn one_lastmod_changed_is_one_line_changed() {
    const NEW: &str = "2001-02-03";
    let Some(folder) = files("edit") else { return };
    let (mut replaced, mut inserted) = (0, 0);
    for (path, text) in editable(&folder).0 {
        let before = fields(&text);
        let whole: Vec<_> = (0..before.len()).filter(|&i| before[i].is_some()).collect();
        let Some(&target) = whole.get(whole.len() / 2) else {
            continue;
        };
        let mut old = None;
        let edited = edit(text.as_bytes(), &mut |mut entry: EntryEditor<'_>| {
            if entry.record().number() == target as u64 + 1 {
                old = entry.get("lastmod").map(str::to_owned);
                entry.set("lastmod", NEW).unwrap();
            }
        })
        .unwrap();

        // What it says is what it said, but for that.
        let mut expected = before;
        let entry = expected[target].as_mut().unwrap();
        match entry.iter_mut().find(|(name, _)| name == "lastmod") {
            Some((_, value)) => NEW.clone_into(value),
            None => {
                let loc = entry.iter().position(|(name, _)| name == "loc").unwrap();
                entry.insert(loc + 1, ("lastmod".to_owned(), NEW.to_owned()));
            }
        }
        assert!(fields(&edited) == expected, "{path}");

        // Beside what both begin and end with, there is the value alone, or a line of its own.
        let (old_lines, new_lines): (Vec<_>, Vec<_>) =
            (text.split('\n').collect(), edited.split('\n').collect());
        let start = old_lines
            .iter()
            .zip(&new_lines)
            .take_while(|(a, b)| a == b)
            .count();
        let rest = old_lines.len().min(new_lines.len()) - start;
        let ends = old_lines.iter().rev().zip(new_lines.iter().rev()).take(rest);
        let end = ends.take_while(|(a, b)| a == b).count();
        let (gone, come) = (old_lines.len() - start - end, new_lines.len() - start - end);
        assert!(gone <= 1 && come == 1, "{path}: {gone} lines gone, {come} come");
        if old.is_some() {
            assert_eq!(gone, 1, "{path}");
            if let Some(old) = old.filter(|old| !old.is_empty()) {
                assert_eq!(
                    new_lines[start].len() + old.len(),
                    old_lines[start].len() + NEW.len(),
                    "{path}"
                );
            }
            replaced += 1;
        } else {
            inserted += 1;
        }
    }
    println!("{replaced} lastmods changed, {inserted} that were not there");
    assert!(replaced > 100 && inserted > 10, "{replaced} {inserted}");
}

#[test]
fn entries_of_every_file_are_dropped_and_added() {
    let Some(folder) = files("edit") else { return };
    let mut count = 0;
    for (path, text) in editable(&folder).0 {
        let mut editor = Editor::new(text.as_bytes(), Vec::new());
        let mut expected = Vec::new();
        let before = fields(&text);
        let mut turn = 0;
        loop {
            match editor.next_entry() {
                Ok(Some(entry)) => {
                    turn += 1;
                    if turn % 2 == 0 {
                        entry.delete();
                    } else {
                        expected.push(before[usize::try_from(entry.record().number()).unwrap() - 1].clone());
                    }
                }
                Ok(None) => break,
                Err(_) => expected.push(None),
            }
        }
        editor.add(&UrlEntry::new("https://example.com/new")).unwrap();
        expected.push(Some(vec![(
            "loc".to_owned(),
            "https://example.com/new".to_owned(),
        )]));
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        assert!(fields(&edited) == expected, "{path}");
        let kind = |text| Reader::from_str(text).kind().unwrap();
        assert!(kind(&edited) == kind(&text) && matches!(kind(&edited), Kind::UrlSet | Kind::SitemapIndex));
        count += 1;
    }
    assert!(count > 200, "{count}");
}

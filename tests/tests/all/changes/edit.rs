//! Published sitemaps changed in place, found through `SITEMAP_SHARED`.

use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use sitemap_serde::{
    Editor, Error, ErrorKind, IndexEntry, Kind, Reader, ReaderBuilder, Record, UrlEntry, WriterBuilder,
    edit::EntryEditor,
};
use sitemap_tests::{Chunks, Random, Trickle, corpus_sample, files, of_sample, rounds, urlset};

/// Returns `true` if an error is about one entry, which is skipped.
fn is_passable(error: &Error) -> bool {
    error.kind() == ErrorKind::Data && error.entry().is_some()
}

/// The document after `change` edited its entries. Broken entries are skipped.
fn edit(document: impl Read, change: &mut dyn FnMut(EntryEditor<'_>)) -> Result<String, Error> {
    let mut editor = WriterBuilder::new()
        .namespace("own", "urn:own")
        .editor(document, Vec::new());
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

/// The fields of all entries, as text. `None` for a broken entry.
fn fields(document: &str) -> Vec<Option<Vec<(String, String)>>> {
    let mut reader = ReaderBuilder::new()
        .namespace("own", "urn:own")
        .from_str(document);
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

/// The files of the corpus that can be edited, and the number that cannot.
fn editable(folder: &Path) -> &'static Editable {
    static EDITABLE: OnceLock<Editable> = OnceLock::new();
    EDITABLE.get_or_init(|| find_editable(folder))
}

type Editable = (Vec<(String, String)>, [u32; 3]);

fn find_editable(folder: &Path) -> Editable {
    let mut files = Vec::new();
    let [mut unread, mut other_encoding, mut doctype] = [0; 3];
    for (path, document) in corpus_sample(folder) {
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
            assert_eq!(edited.unwrap_err().kind(), ErrorKind::Syntax, "{path}");
        } else {
            assert!(edited.unwrap() == text, "{path} is not itself");
            files.push((path, text));
        }
    }
    (files, [unread, other_encoding, doctype])
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn every_file_without_changes_is_copied() {
    let Some(folder) = files("edit") else { return };
    let (files, [unread, other_encoding, doctype]) = editable(&folder);
    println!(
        "{} files are themselves; {unread} are not well-formed or no sitemaps, {other_encoding} not in UTF-8, {doctype} with a \
         DOCTYPE",
        files.len()
    );
    assert!(files.len() > of_sample(200), "{}", files.len());
    for (path, text) in files {
        let edited = edit(Trickle::new(text.as_bytes()), &mut |_| {}).unwrap();
        assert!(edited == *text, "{path} is not itself, read bit by bit");
    }
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn one_lastmod_changed_is_one_line_changed() {
    const NEW: &str = "2001-02-03";
    let Some(folder) = files("edit") else { return };
    let (mut replaced, mut inserted) = (0, 0);
    for (path, text) in &editable(&folder).0 {
        let before = fields(text);
        let whole: Vec<_> = (0..before.len()).filter(|&i| before[i].is_some()).collect();
        let Some(&target) = whole.get(whole.len() / 2) else {
            continue;
        };
        let mut old = None;
        let edited = edit(text.as_bytes(), &mut |mut entry: EntryEditor<'_>| {
            if entry.record().number() == target as u64 + 1 {
                old = entry.record().get("lastmod").map(str::to_owned);
                entry.set("lastmod", NEW).unwrap();
            }
        })
        .unwrap();

        // Its content is unchanged, except for this change.
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

        // Apart from the common prefix and suffix, only the value or a whole line differs.
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
    assert!(
        replaced > of_sample(100) && inserted > of_sample(10),
        "{replaced} {inserted}"
    );
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn entries_of_every_file_are_dropped_and_added() {
    let Some(folder) = files("edit") else { return };
    let mut count = 0;
    for (path, text) in &editable(&folder).0 {
        let mut editor = Editor::new(text.as_bytes(), Vec::new());
        let mut expected = Vec::new();
        let before = fields(text);
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
        match editor.kind().unwrap() {
            Kind::UrlSet => editor.add(&UrlEntry::new("https://example.com/new")),
            Kind::SitemapIndex => editor.add(&IndexEntry::new("https://example.com/new")),
        }
        .unwrap();
        expected.push(Some(vec![(
            "loc".to_owned(),
            "https://example.com/new".to_owned(),
        )]));
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        assert!(fields(&edited) == expected, "{path}");
        let kind = |text| Reader::from_str(text).kind().unwrap();
        assert!(kind(&edited) == kind(text) && matches!(kind(&edited), Kind::UrlSet | Kind::SitemapIndex));
        count += 1;
    }
    assert!(count > of_sample(200), "{count}");
}

/// Text that may be between entries and between their elements.
const ASIDES: [&str; 12] = [
    "",
    "",
    " ",
    "\n",
    "\n  ",
    "\n\t",
    "\r\n",
    "<!-- c -->",
    " <!-- <loc/>\n -->",
    "<?p <url> ?>",
    "<x:y xmlns:x='urn:x'><url><loc>n</loc></url></x:y>",
    "<?q?>\n",
];

fn asides(random: &mut Random) -> String {
    (0..random.below(4))
        .map(|_| ASIDES[random.below(ASIDES.len())])
        .collect()
}

/// An entry with its elements in any order, and the text between them.
fn random_entry(number: usize, random: &mut Random) -> String {
    let mut elements = vec![format!("<loc>http://a.b/{number}</loc>")];
    for element in [
        "<lastmod>2025</lastmod>",
        "<changefreq> daily </changefreq>",
        "<priority/>",
        "<expires>2027</expires>",
        "<expires a='1'/>",
        "<i:foo xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>x<i:loc/></i:foo>",
        "<o:e xmlns:o='urn:own' o:a='1'>y</o:e>",
    ] {
        if random.below(2) == 0 {
            elements.insert(random.below(elements.len() + 1), element.to_owned());
        }
    }
    let content: String = elements.iter().map(|element| asides(random) + element).collect();
    format!("<url>{content}{}</url>{}", asides(random), asides(random))
}

/// The comments, instructions and unknown elements of a document, in order, regardless of white space between them.
fn strangers(document: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut rest = document;
    while let Some(at) = rest.find(['<']) {
        rest = &rest[at..];
        let stranger = ASIDES
            .iter()
            .map(|aside| aside.trim())
            .find(|aside| !aside.is_empty() && rest.starts_with(aside));
        found.extend(stranger);
        rest = &rest[stranger.map_or(1, str::len)..];
    }
    found
}

#[test]
fn content_between_edits_stays() {
    let mut random = Random::new(5);
    for _ in 0..rounds(750) {
        let entries: Vec<String> = (0..random.below(6))
            .map(|n| random_entry(n, &mut random))
            .collect();
        let document = urlset(&(asides(&mut random) + &entries.concat()));
        let mut changes = Vec::new();
        let mut expected = Vec::new();
        for entry in fields(&document) {
            let mut entry = entry.unwrap();
            let change = random.below(7);
            changes.push(change);
            match change {
                0 => continue,
                1 => {
                    entry.retain(|(name, _)| name != "lastmod");
                    entry.push(("lastmod".to_owned(), "2026".to_owned()));
                }
                2 => entry.retain(|(name, _)| name != "changefreq" && name != "priority"),
                5 => entry.retain(|(name, _)| name != "expires" && name != "own:e"),
                6 => entry.retain(|(name, _)| name != "image:foo"),
                _ => {}
            }
            entry.sort();
            expected.push(entry);
        }
        let run = |size: usize| {
            let mut changes = changes.iter();
            edit(
                Chunks::new(document.as_bytes(), size),
                &mut |mut entry| match changes.next() {
                    Some(0) => entry.delete(),
                    Some(1) => entry.set("lastmod", "2026").unwrap(),
                    Some(2) => {
                        entry.remove("changefreq").unwrap();
                        entry.remove("priority").unwrap();
                    }
                    Some(5) => {
                        for name in ["expires", "own:e"] {
                            let has = entry.record().get(name).is_some();
                            assert_eq!(entry.remove(name).unwrap(), has);
                        }
                    }
                    Some(6) => {
                        let has = entry.record().get("image:foo").is_some();
                        assert_eq!(entry.remove("image:foo").unwrap(), has);
                    }
                    Some(_) => {
                        // Refused, and without effect.
                        for name in ["expires", "image:foo", "own:e", "@a"] {
                            assert!(entry.set(name, "1").is_err());
                        }
                        assert!(entry.remove("@a").is_err() && entry.remove("o:e").is_err());
                    }
                    None => {}
                },
            )
            .unwrap()
        };
        let edited = run(usize::MAX);
        for size in [1, 2, 7] {
            assert_eq!(run(size), edited, "{document}");
        }
        let mut found: Vec<_> = fields(&edited).into_iter().map(Option::unwrap).collect();
        for entry in &mut found {
            entry.sort();
        }
        assert_eq!(found, expected, "{document}");

        // Every foreign node stays, except that a removal may remove comments with it.
        let (before, after) = (strangers(&document), strangers(&edited));
        if changes.iter().all(|change| matches!(change, 1 | 3 | 4)) {
            assert_eq!(after, before, "{document}");
        }
        if !changes.contains(&0) {
            let lasting = |found: Vec<&'static str>| -> Vec<_> {
                found
                    .into_iter()
                    .filter(|stranger| !stranger.starts_with("<!--"))
                    .collect()
            };
            assert_eq!(lasting(after), lasting(before), "{document}");
        }
    }
}

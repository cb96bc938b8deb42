//! Sitemaps changed in place: published ones, found through `SITEMAP_SHARED`, and by the example `edit`.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use sitemap_serde::{Category, Editor, EntryEditor, Error, Kind, Reader, Record, UrlEntry};
use sitemap_tests::{Trickle, corpus, example, files, index, urlset};
use tempfile::TempDir;

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

/// A folder with the file `sitemap.xml`, or of another name.
struct Folder(TempDir);

impl Folder {
    fn with(name: &str, bytes: &[u8]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path(name), bytes).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(example("edit"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs it to its good end, and returns what it said on standard output.
    #[track_caller]
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs it to its bad end, and returns what it said on standard error.
    #[track_caller]
    fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn site() -> String {
    let entries = "\n  <url>\n    <loc>https://example.com/</loc>\n    <!-- home -->\n    <lastmod>2025-01-01</lastmod>\n  </url>\
         \n  <url>\n    <loc>https://example.com/old</loc>\n  </url>\n  <url>\n    <loc>https://example.com/a?b=1&amp;c=2</loc>\n  \
         </url>\n";
    urlset(entries)
}

const CHANGES: [&str; 14] = [
    "--base",
    "https://example.com",
    "--set",
    "/",
    "lastmod=2026-05-01",
    "--set",
    "https://example.com/a?b=1&c=2",
    "priority=0.3",
    "--drop",
    "/old",
    "--add",
    "/new",
    "--add",
    "/x y",
];

fn changed() -> String {
    site()
        .replace("2025-01-01", "2026-05-01")
        .replace("\n  <url>\n    <loc>https://example.com/old</loc>\n  </url>", "")
        .replace("c=2</loc>", "c=2</loc>\n    <priority>0.3</priority>")
        .replace(
            "\n</urlset>",
            "\n  <url>\n    <loc>https://example.com/new</loc>\n  </url>\n  <url>\n    <loc>https://example.com/x%20y</loc>\
             \n  </url>\n</urlset>",
        )
}

#[test]
fn the_program_replaces_the_file() {
    let folder = Folder::with("sitemap.xml", site().as_bytes());
    let said = folder.succeed(&[&["sitemap.xml"][..], &CHANGES].concat());
    assert!(
        said.ends_with("sitemap.xml: 2 URLs changed, 1 dropped, 2 added\n"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(folder.path("sitemap.xml")).unwrap(), changed());
    assert_eq!(folder.names(), ["sitemap.xml"]);

    let long_ago = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    folder.succeed(&["sitemap.xml", "--touch", "https://example.com/new"]);
    let touched = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    let lastmod = sitemap_serde::from_str::<Vec<UrlEntry>>(&touched).unwrap()[2]
        .lastmod
        .unwrap();
    assert!(lastmod.year() >= 2026);
    assert_eq!(
        touched.replace(&format!("\n    <lastmod>{lastmod}</lastmod>"), ""),
        long_ago
    );
}

#[test]
fn the_program_compresses_what_was_compressed() {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(site().as_bytes()).unwrap();
    let compressed = compressed.finish().unwrap();
    let folder = Folder::with("sitemap.xml.gz", &compressed);
    folder.succeed(&[&["sitemap.xml.gz", "--output", "new.xml.gz"][..], &CHANGES].concat());
    assert_eq!(fs::read(folder.path("sitemap.xml.gz")).unwrap(), compressed);
    let mut text = String::new();
    MultiGzDecoder::new(&fs::read(folder.path("new.xml.gz")).unwrap()[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, changed());
}

#[test]
fn the_program_leaves_the_file_after_an_error() {
    let index = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    let cut = site().replace("</urlset>", "");
    for (document, arguments, expected) in [
        (
            site(),
            &[
                "--drop",
                "https://example.com/none",
                "--touch",
                "https://example.com/",
            ][..],
            "it has no entry https://example.com/none\n",
        ),
        (
            site(),
            &["--set", "https://example.com/", "priority=2"],
            "`2` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
             out, entry 1 · priority\n",
        ),
        (
            site(),
            &["--add", "/x"],
            "`/x` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write \
             it whole, or give the writer a base and begin it with `/`, entry 4 · loc\n",
        ),
        (
            index,
            &["--set", "https://example.com/1.xml", "changefreq=daily"],
            "a `changefreq` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, \
             entry 1 · changefreq\n",
        ),
        (
            cut,
            &["--drop", "https://example.com/old"],
            "the document ends inside `urlset`: it was cut off, or its end was never written; get it whole, at line 13, column 1 \
             (byte 288)\n",
        ),
    ] {
        let folder = Folder::with("sitemap.xml", document.as_bytes());
        let said = folder.fail(&[&["sitemap.xml"][..], arguments].concat());
        assert!(said.starts_with("edit: cannot write "), "{said}");
        assert!(said.ends_with(expected), "{said}");
        assert_eq!(fs::read_to_string(folder.path("sitemap.xml")).unwrap(), document);
        assert_eq!(folder.names(), ["sitemap.xml"]);
    }
}

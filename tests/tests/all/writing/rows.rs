//! Rows that are several entries: the writer, the editor and whole documents write them together or not at all.

use std::collections::HashMap;

use sitemap_serde::{
    Editor, EntryWriter, Error, ErrorKind, Image, Kind, Limits, News, Result, Rule, SitemapEntry, UrlEntry,
    Writer, WriterBuilder, entries_to_string, news::Publication,
};
use sitemap_tests::{finished, written_urlset};

use super::builder;

/// A row of these entries. An entry with a priority out of range cannot be written.
struct Row(Vec<(&'static str, f32)>);

impl Row {
    fn of(locs: &[&'static str]) -> Self {
        Row(locs.iter().map(|loc| (*loc, 0.5)).collect())
    }
}

impl SitemapEntry for Row {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.each(&self.0, |(loc, priority), entry| {
            entry.loc(loc)?;
            entry.priority(*priority)
        })
    }
}

fn url(loc: &str) -> String {
    format!("<url><loc>https://a.b{loc}</loc><priority>0.5</priority></url>")
}

#[test]
fn a_row_makes_none_one_or_many() {
    let mut writer = builder().from_writer(Vec::new());
    assert_eq!(writer.write(&Row::of(&[])).unwrap(), 0);
    assert_eq!(writer.write(&Row::of(&["/1"])).unwrap(), 1);
    assert_eq!(writer.write(&Row::of(&["/2", "/3", "/4"])).unwrap(), 3);
    assert_eq!(writer.write(&UrlEntry::new("/5")).unwrap(), 1);
    assert_eq!(writer.summary().entries, 5);
    let urls = ["/1", "/2", "/3", "/4"].map(url).concat();
    assert_eq!(
        finished(writer),
        written_urlset(&format!("{urls}<url><loc>https://a.b/5</loc></url>"))
    );
}

#[test]
fn a_failed_entry_leaves_nothing_of_its_row() {
    let bad = Row(vec![("/1", 0.5), ("/2", 1.5), ("/3", 0.5)]);
    let message = "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave \
                   the field out, entry 1 (number 2 of its row) · priority, loc `https://a.b/2`";

    // A failed first row leaves no root either.
    let mut writer = builder().from_writer(Vec::new());
    assert_eq!(writer.write(&bad).unwrap_err().to_string(), message);
    assert_eq!(writer.summary().entries, 0);
    writer.flush().unwrap();
    assert!(writer.get_ref().is_empty());
    assert_eq!(writer.write(&Row::of(&["/4"])).unwrap(), 1);
    let error = writer.write(&bad).unwrap_err();
    assert_eq!(error.path(), Some("entry 3 (number 2 of its row) · priority"));
    assert_eq!((error.entry(), error.rule()), (Some(3), Some(Rule::Prio)));
    assert_eq!(error.loc(), Some("https://a.b/2"));
    assert_eq!(writer.write(&Row::of(&["/5", "/6"])).unwrap(), 2);
    assert_eq!(
        finished(writer),
        written_urlset(&["/4", "/5", "/6"].map(url).concat())
    );
}

/// The root declares the namespaces of the first written row, not of a failed one.
#[test]
fn a_failed_row_declares_nothing() {
    struct Pictures(Vec<&'static str>);
    impl SitemapEntry for Pictures {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
            entry.each(&self.0, |path, entry| {
                entry.loc(path)?;
                entry.image(format!("{path}.jpg"))
            })
        }
    }
    let mut writer = builder().from_writer(Vec::new());
    let error = writer.write(&Pictures(vec!["/1", "no path"])).unwrap_err();
    assert_eq!(error.path(), Some("entry 1 (number 2 of its row) · loc"));
    writer.write(&UrlEntry::new("/2")).unwrap();
    writer.write(&Pictures(vec!["/3", "/4"])).unwrap();
    let own = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
    let image = |path: &str| {
        format!(
            "<url><loc>https://a.b{path}</loc><image:image{own}><image:loc>https://a.b{path}.jpg</image:loc></image:image></url>"
        )
    };
    assert_eq!(
        finished(writer),
        written_urlset(&format!(
            "<url><loc>https://a.b/2</loc></url>{}{}",
            image("/3"),
            image("/4")
        ))
    );
}

#[test]
fn limits_count_entries_and_keep_rows_whole() {
    let row = |i: u32| Row::of([&["/1", "/2", "/3"][..], &["/4", "/5"], &["/6"], &["/7", "/8"]][i as usize]);
    let mut writer = builder()
        .limits(Limits::writing().with_entries(4))
        .from_writer(Vec::new());
    assert_eq!(writer.write(&row(0)).unwrap(), 3);
    let full = writer.write(&row(1)).unwrap_err();
    assert_eq!(
        full.to_string(),
        "the document is full: with this row it would have more than the allowed 4 `url` entries (P-COUNT); finish it \
         and write this row to the next one, entry 2"
    );
    assert_eq!((full.kind(), writer.summary().entries), (ErrorKind::Limit, 3));
    assert_eq!(writer.write(&row(2)).unwrap(), 1);
    assert_eq!(
        writer.write(&row(3)).unwrap_err().to_string(),
        "the document is full: it has 4 `url` entries, and 4 are allowed (P-COUNT); finish it and write this entry to the \
         next one, entry 4"
    );
    assert_eq!(
        finished(writer),
        written_urlset(&["/1", "/2", "/3", "/6"].map(url).concat())
    );

    // No document has room for it.
    let mut writer = builder()
        .limits(Limits::writing().with_entries(2))
        .from_writer(Vec::new());
    assert_eq!(
        writer.write(&row(0)).unwrap_err().to_string(),
        "the row is too large: it has more than the 2 `url` entries that a document may have, and all entries of a row go to the same document (P-COUNT); split it into several rows, entry 1"
    );
    assert_eq!(writer.summary().entries, 0);

    // The same for bytes.
    let bytes = |entries: usize| (written_urlset("").len() + entries * url("/1").len()) as u64;
    let mut writer = builder()
        .limits(Limits::writing().with_bytes(bytes(3)))
        .from_writer(Vec::new());
    assert_eq!(writer.write(&row(1)).unwrap(), 2);
    let full = writer.write(&row(3)).unwrap_err();
    assert_eq!(
        full.to_string(),
        format!(
            "the document is full: with this row it would have {} bytes, and {} are allowed (P-SIZE); finish it and write this \
             row to the next one, entry 2, loc `https://a.b/8`",
            bytes(4),
            bytes(3)
        )
    );
    assert_eq!(writer.write(&row(2)).unwrap(), 1);
    let file = finished(writer);
    assert_eq!(file, written_urlset(&["/4", "/5", "/6"].map(url).concat()));
    assert_eq!(file.len() as u64, bytes(3));
    let mut writer = builder()
        .limits(Limits::writing().with_bytes(bytes(3) - 1))
        .from_writer(Vec::new());
    assert_eq!(
        writer.write(&row(0)).unwrap_err().to_string(),
        format!(
            "the row is too large: a document of its entries alone would have {} bytes, and {} are allowed (P-SIZE); split \
             it into several rows, entry 1, loc `https://a.b/3`",
            bytes(3),
            bytes(3) - 1
        )
    );
    assert_eq!(writer.summary().entries, 0);
}

#[test]
fn news_of_rows_are_counted() {
    struct Articles(usize);
    impl SitemapEntry for Articles {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
            entry.each(0..self.0, |i, entry| {
                entry.loc(format!("https://a.b/{i}"))?;
                entry.news(News::new(
                    Publication::new("Lamps", "en"),
                    "2024-05-06".parse::<sitemap_serde::W3cDateTime>()?,
                    "Title",
                ))
            })
        }
    }
    let mut writer = Writer::from_writer(Vec::new());
    assert_eq!(
        writer.write(&Articles(1001)).unwrap_err().to_string(),
        "the row is too large: it has more than the 1,000 `news:news` that a document may have, and all entries of a row go to the same document (P-NEWS4); split it into several rows, entry 1, loc `https://a.b/1000`"
    );
    assert_eq!(writer.write(&Articles(999)).unwrap(), 999);
    let full = writer.write(&Articles(2)).unwrap_err();
    assert_eq!(
        full.to_string(),
        "the document is full: with this row it would have more than the allowed 1,000 `news:news` (P-NEWS4); finish it \
         and write this row to the next one, entry 3, loc `https://a.b/1`"
    );
    assert_eq!(writer.write(&Articles(1)).unwrap(), 1);
    assert_eq!(writer.summary().entries, 1000);
}

/// An implementation that ignores returned errors cannot write half a row.
#[test]
fn errors_that_are_not_looked_at() {
    struct Careless<F>(F);
    impl<F: Fn(&mut EntryWriter<'_>) -> Result<()>> SitemapEntry for Careless<F> {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
            (self.0)(entry)
        }
    }
    fn refused(write: impl Fn(&mut EntryWriter<'_>) -> Result<()>) -> String {
        let mut writer = builder().from_writer(Vec::new());
        writer.write(&UrlEntry::new("/0")).unwrap();
        let message = writer.write(&Careless(write)).unwrap_err().to_string();
        assert_eq!(
            finished(writer),
            written_urlset("<url><loc>https://a.b/0</loc></url>")
        );
        message
    }
    let failed = "an entry of the row could not be written, as an error before this one says, entry 2";
    let inner = |i: u8, entry: &mut EntryWriter<'_>| match i {
        0 => entry.loc("/1"),
        _ => Err(Error::custom("no")),
    };
    assert_eq!(
        refused(|entry| {
            let _ = entry.each(0..2, inner);
            Ok(())
        }),
        failed
    );
    assert_eq!(
        refused(|entry| {
            let _ = entry.each(0..2, inner);
            entry.each(0..1, inner)
        }),
        failed
    );
    assert_eq!(
        refused(|entry| entry.each(0..1, |_, entry| {
            let _ = entry.each(0..2, inner);
            Ok(())
        })),
        failed.replace("entry 2", "entry 2 (number 1 of its row)")
    );
    assert_eq!(
        refused(|entry| {
            entry.each(0..1, inner)?;
            entry.loc("/2")
        }),
        "a value after the entries of `EntryWriter::each`: it belongs to none of them; give it to each, entry 2, loc `https://a.b/2`"
    );
    for (value, loc) in [
        (
            (|entry: &mut EntryWriter<'_>| entry.loc("/2")) as fn(&mut EntryWriter<'_>) -> Result<()>,
            ", loc `https://a.b/2`",
        ),
        (|entry| entry.image(Image::new("/2.jpg")), ""),
    ] {
        assert_eq!(
            refused(|entry| {
                value(entry)?;
                entry.each(0..1, inner)
            }),
            format!(
                "a value before the entries of `EntryWriter::each`: it belongs to none of them; give it to each, entry 2{loc}"
            )
        );
    }
    assert_eq!(
        refused(|entry| entry.each(0..2, |_, entry| entry.lastmod("2024"))),
        "no `loc`: every `url` has exactly one (P-DUP); add the entry's URL, entry 2 (number 1 of its row) · loc"
    );
}

/// Rows of rows, behind references and boxes. An item's URL settings do not apply to the next item.
#[test]
fn rows_within_rows() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}", base = "https://c.d")]
    struct Elsewhere(u8);

    type Write = Box<dyn Fn(&mut EntryWriter<'_>) -> Result<()>>;
    struct All(Vec<Write>);
    impl SitemapEntry for All {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
            entry.each(&self.0, |write, entry| write(entry))?;
            entry.each(["/8"], |path, entry| entry.loc(path))
        }
    }
    let all = All(vec![
        Box::new(|entry| Row::of(&["/1", "/2"]).write_entry(entry)),
        Box::new(|entry| Elsewhere(3).write_entry(entry)),
        Box::new(|entry| entry.loc("/4")),
        Box::new(|entry| entry.each([5, 6], |i, entry| Elsewhere(i).write_entry(entry))),
        Box::new(|entry| Row::of(&[]).write_entry(entry)),
        Box::new(|entry| entry.loc("/7")),
    ]);
    let mut builder = builder();
    builder.cross_submission(true);
    let locs = |row: &dyn Fn() -> Result<Vec<UrlEntry>>| -> Vec<String> {
        row().unwrap().into_iter().map(|entry| entry.loc).collect()
    };
    let expected = [
        "https://a.b/1",
        "https://a.b/2",
        "https://c.d/3",
        "https://a.b/4",
        "https://c.d/5",
        "https://c.d/6",
        "https://a.b/7",
        "https://a.b/8",
    ];
    assert_eq!(locs(&|| builder.to_entries(&all)), expected);
    let boxed = Box::new(&all);
    assert_eq!(locs(&|| builder.to_entries(&boxed)), expected);

    #[derive(SitemapEntry)]
    enum Page {
        Rows(Row),
        One(UrlEntry),
    }
    let pages = [Page::Rows(Row::of(&["/1", "/2"])), Page::One(UrlEntry::new("/3"))];
    let xml = builder.entries_to_string(&pages).unwrap();
    let urls = ["/1", "/2"].map(url).concat();
    assert_eq!(
        xml,
        written_urlset(&format!("{urls}<url><loc>https://a.b/3</loc></url>"))
    );
}

#[test]
fn rows_are_added_to_a_document_that_is_edited() {
    let document = written_urlset(&url("/0"));
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    let row = Row(vec![("https://a.b/1", 0.5), ("https://a.b/2", 0.5)]);
    let bad = Row(vec![("https://a.b/3", 0.5), ("/4", 0.5)]);
    let error = editor.add(&bad).unwrap_err();
    assert_eq!(error.path(), Some("entry 2 (number 2 of its row) · loc"));
    editor.add(&row).unwrap();
    editor.add(&Row::of(&[])).unwrap();
    let error = editor.add(&bad).unwrap_err();
    assert_eq!(error.path(), Some("entry 5 (number 2 of its row) · loc"));
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(edited, written_urlset(&["/0", "/1", "/2"].map(url).concat()));
}

fn pages() -> Vec<UrlEntry> {
    ["/1", "/2"]
        .map(|path| UrlEntry::new(format!("https://a.b{path}")))
        .into()
}

#[test]
fn whole_documents() {
    let xml = written_urlset("<url><loc>https://a.b/1</loc></url><url><loc>https://a.b/2</loc></url>");
    let ok = || pages().into_iter().map(Ok::<_, Error>);
    assert_eq!(entries_to_string(pages()).unwrap(), xml);
    let by_reference = pages();
    assert_eq!(entries_to_string(&by_reference).unwrap(), xml);
    assert_eq!(entries_to_string(ok()).unwrap(), xml);
    let mut out = Vec::new();
    assert_eq!(
        WriterBuilder::new().entries_to_writer(&mut out, pages()).unwrap(),
        2
    );
    assert_eq!(out, xml.as_bytes());
    out.clear();
    assert_eq!(WriterBuilder::new().entries_to_writer(&mut out, ok()).unwrap(), 2);
    assert_eq!(out, xml.as_bytes());
    assert_eq!(
        entries_to_string([] as [UrlEntry; 0]).unwrap(),
        written_urlset("")
    );

    // Entries are counted, not rows.
    let rows = [Row::of(&["/1", "/2"]), Row::of(&[]), Row::of(&["/3"])];
    assert_eq!(builder().entries_to_writer(&mut out, &rows).unwrap(), 3);
    let rows = rows.into_iter().map(Ok::<_, String>);
    assert_eq!(builder().entries_to_writer(Vec::new(), rows).unwrap(), 3);
}

#[test]
fn whole_documents_that_fail() {
    // A document that could not be written is not complete.
    let mut out = Vec::new();
    let error = WriterBuilder::new()
        .entries_to_writer(&mut out, [&pages()[0], &UrlEntry::new("no")])
        .unwrap_err();
    assert_eq!(error.path(), Some("entry 2 · loc"));
    let out = String::from_utf8(out).unwrap();
    assert!(!out.contains("</urlset>"), "{out}");

    // The rows' own error is preserved, with any type.
    #[derive(Debug)]
    struct Gone(u8);
    impl std::fmt::Display for Gone {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "connection {} is gone", self.0)
        }
    }
    impl std::error::Error for Gone {}
    let error = WriterBuilder::new()
        .entries_to_string(pages().into_iter().map(Ok).chain([Err(Gone(7))]))
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Io, "cannot get the row: connection 7 is gone, entry 3")
    );
    let source = error.io_error().unwrap().get_ref().unwrap();
    assert_eq!(source.downcast_ref::<Gone>().unwrap().0, 7);
    let error = WriterBuilder::new()
        .entries_to_string([Err::<UrlEntry, _>("no rows")])
        .unwrap_err();
    assert_eq!(error.to_string(), "cannot get the row: no rows, entry 1");

    // A wrong setting is reported even without a row.
    let mut builder = WriterBuilder::new();
    builder.base("nowhere");
    let none: HashMap<u8, UrlEntry> = HashMap::new();
    assert!(builder.entries_to_string(none.values()).is_err());
}

/// The first written row decides the document's kind, which all its entries have.
#[test]
fn the_first_row_decides_the_kind() {
    struct Sitemaps(Vec<(Kind, &'static str)>);
    impl SitemapEntry for Sitemaps {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
            entry.each(&self.0, |(kind, loc), entry| {
                entry.kind(*kind)?;
                entry.loc(loc)
            })
        }
    }
    let (index, urlset) = (Kind::SitemapIndex, Kind::UrlSet);
    let mut writer = builder().from_writer(Vec::new());
    let error = writer
        .write(&Sitemaps(vec![(index, "/1.xml"), (urlset, "/2")]))
        .unwrap_err();
    assert_eq!(
        (error.rule(), error.path()),
        (Some(Rule::Ns), Some("entry 1 (number 2 of its row)"))
    );
    writer
        .write(&Sitemaps(vec![(urlset, "/1"), (urlset, "/2")]))
        .unwrap();
    assert!(writer.write(&Sitemaps(vec![(index, "/1.xml")])).is_err());
    assert_eq!(
        finished(writer),
        written_urlset("<url><loc>https://a.b/1</loc></url><url><loc>https://a.b/2</loc></url>")
    );
    let xml = builder()
        .entries_to_string([Sitemaps(vec![(index, "/1.xml"), (index, "/2.xml")])])
        .unwrap();
    assert!(
        xml.ends_with("<sitemap><loc>https://a.b/2.xml</loc></sitemap></sitemapindex>"),
        "{xml}"
    );
}

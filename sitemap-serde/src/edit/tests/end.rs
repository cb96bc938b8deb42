//! Limits, and the possible ends of an edited document.

use std::io::{self, Read, Write};

use crate::schema::{News, Publication, UrlEntry};
use crate::{Editor, ErrorKind, Limits, Result, Rule, WriterBuilder};

#[test]
fn limits_apply_to_added_entries() {
    let xml = "<urlset><url><loc>http://a.b/1</loc></url><url><loc>http://a.b/2</loc></url></urlset>";
    let new = UrlEntry::new("http://a.b/3");
    for (limits, rule) in [
        (Limits::writing().with_entries(2), "P-COUNT"),
        (Limits::writing().with_bytes(xml.len() as u64 + 33), "P-SIZE"),
    ] {
        let mut editor = WriterBuilder::new()
            .limits(limits)
            .editor(xml.as_bytes(), Vec::new());
        assert_eq!(editor.add(&new).unwrap_err().rule().map(Rule::as_str), Some(rule));
        assert_eq!(editor.finish().unwrap(), xml.as_bytes());
    }
    let limits = Limits::writing()
        .with_entries(3)
        .with_bytes(xml.len() as u64 + 34);
    let mut editor = WriterBuilder::new()
        .limits(limits)
        .editor(xml.as_bytes(), Vec::new());
    editor.add(&new).unwrap();
    assert_eq!(editor.finish().unwrap().len(), xml.len() + 34);
}

/// A writer whose bytes can be read after the editor is dropped.
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
fn a_malformed_document_is_never_completed() {
    let entries = "<url><loc>http://a.b/</loc></url>\n".repeat(5000);
    let whole = format!("<urlset>{entries}</urlset>");
    let long = format!("{whole}<!--{}-->", "x".repeat(200_000));
    let cut = whole.strip_suffix("t>").unwrap();
    for (document, kind) in [
        (cut.to_owned(), ErrorKind::Eof),
        (whole.replace("</urlset>", ""), ErrorKind::Eof),
        (format!("{whole}<url/>"), ErrorKind::Syntax),
        (format!("{long}x"), ErrorKind::Syntax),
        (format!("{long}{long}"), ErrorKind::Syntax),
        (whole.replace("</urlset>", "<a></urlset>"), ErrorKind::Syntax),
        (format!("<urlset/>{long}"), ErrorKind::Syntax),
        ("<html/>".to_owned(), ErrorKind::Data),
        ("<!DOCTYPE urlset><urlset/>".to_owned(), ErrorKind::Syntax),
        (String::new(), ErrorKind::Eof),
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
            assert_eq!(result.unwrap_err().kind(), kind);
            assert!(editor.next_entry().unwrap().is_none());
            assert!(editor.add(&UrlEntry::new("http://a.b/")).is_err());
            let error = editor.finish().map(drop).unwrap_err();
            assert_eq!(
                error.to_string(),
                "the document could not be edited to its end, as an error before this one says, so what was written is not complete"
            );
            let out = out.0.lock().unwrap();
            let read = crate::from_slice::<Vec<UrlEntry>>(&out);
            assert_eq!(read.unwrap_err().kind(), ErrorKind::Eof);
        }
    }
}

#[test]
fn documents_that_cannot_be_edited() {
    let error = Editor::new(&b"<!DOCTYPE urlset><urlset/>"[..], Vec::new())
        .finish()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; remove it, or \
         read the document and write it again"
    );
    let utf16: Vec<u8> = "\u{FEFF}<urlset/>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = Editor::new(&utf16[..], Vec::new()).kind().unwrap_err();
    assert_eq!(
        (error.kind(), error.rule().map(Rule::as_str)),
        (ErrorKind::Syntax, Some("P-UTF8"))
    );
    if cfg!(feature = "encoding") {
        assert_eq!(
            error.to_string(),
            "the document is not in UTF-8: only one that is can be edited (P-UTF8); convert it first"
        );
    }
}

#[test]
fn a_failing_writer_is_an_error() {
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
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(editor.finish().is_err());
    assert_eq!(
        Editor::new(&b"<urlset/>"[..], Full)
            .finish()
            .map(drop)
            .unwrap_err()
            .kind(),
        ErrorKind::Io
    );
}

#[test]
fn memory_does_not_grow_with_the_document() {
    /// A root with this number of comments between its entries.
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

#[test]
fn values_that_grow_keep_the_document_within_its_size() {
    let xml = "<urlset><url><loc>http://a.b/1</loc></url><url><loc>http://a.b/2</loc></url></urlset>";
    let len = xml.len() as u64;
    let grown = |limit: u64, drops: bool| {
        let limits = Limits::writing().with_bytes(limit);
        let mut editor = WriterBuilder::new()
            .limits(limits)
            .editor(xml.as_bytes(), Vec::new());
        while let Some(mut entry) = editor.next_entry().unwrap() {
            match entry.loc() {
                "http://a.b/1" => entry.set("lastmod", "2026").unwrap(),
                _ if drops => entry.delete(),
                _ => {}
            }
        }
        let finished = editor.try_finish();
        (finished, editor.get_ref().clone())
    };
    let added = "<lastmod>2026</lastmod>".len() as u64;
    // Limits that the input met and the output exceeds.
    for limit in [len, len + added - 1] {
        let (finished, out) = grown(limit, false);
        let error = finished.unwrap_err();
        assert_eq!(
            (error.kind(), error.rule().map(Rule::as_str)),
            (ErrorKind::Limit, Some("P-SIZE"))
        );
        assert_eq!(
            error.to_string(),
            format!(
                "the document would have {} bytes with its changes, and {limit} are allowed (P-SIZE); drop some entries, or \
                 move them to another document",
                len + added
            )
        );
        assert!(!String::from_utf8(out).unwrap().contains("</urlset>"));
    }
    // Limits that the output meets, meets after a removal, or that the input already exceeded.
    for (limit, drops) in [(len + added, false), (len, true), (len - 1, false)] {
        let (finished, out) = grown(limit, drops);
        finished.unwrap();
        assert!(out.ends_with(b"</urlset>"));
    }
}

#[test]
fn a_document_has_at_most_a_thousand_news() {
    let news = |n: usize| {
        let mut entry = UrlEntry::new(format!("http://a.b/{n}"));
        let article = News::new(
            Publication::new("Times", "en"),
            "2026-05-01".parse().unwrap(),
            "T",
        );
        entry.news = Some(article.into());
        entry
    };
    let xml = crate::to_string(&(0..999).map(news).collect::<Vec<_>>()).unwrap();
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    editor.add(&news(999)).unwrap();
    let error = editor.add(&news(1000)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the document is full: it has 1,000 `news:news`, and 1,000 are allowed (P-NEWS4); write this entry to another one, entry \
         1001, loc `http://a.b/1000`"
    );
    assert_eq!(error.rule(), Some(Rule::News4));
    editor.add(&UrlEntry::new("http://a.b/")).unwrap();

    // Removed entries do not count.
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    editor.next_entry().unwrap().unwrap().remove("news:news").unwrap();
    editor.next_entry().unwrap().unwrap().delete();
    for n in 999..1002 {
        editor.add(&news(n)).unwrap();
    }
    assert!(editor.add(&news(1002)).is_err());
}

/// A writer that accepts a few bytes, then none this number of times, then all.
struct Hesitant {
    bytes: Vec<u8>,
    takes: usize,
    fails: u32,
}

impl Write for Hesitant {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.takes == 0 && self.fails > 0 {
            self.fails -= 1;
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = match self.takes {
            0 => bytes.len(),
            takes => bytes.len().min(takes),
        };
        self.takes = self.takes.saturating_sub(len);
        self.bytes.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn finishing_can_be_repeated() {
    let xml = "<urlset><url><loc>http://a.b/</loc></url></urlset>\n";
    for takes in [0, 1, 20] {
        let sink = Hesitant {
            bytes: Vec::new(),
            takes,
            fails: 2,
        };
        let mut editor = Editor::new(xml.as_bytes(), sink);
        editor
            .next_entry()
            .unwrap()
            .unwrap()
            .set("priority", "0.3")
            .unwrap();
        for _ in 0..2 {
            assert_eq!(editor.try_finish().unwrap_err().kind(), ErrorKind::Io);
            assert_eq!(editor.get_mut().bytes.len(), takes);
        }
        editor.try_finish().unwrap();
        assert!(editor.next_entry().unwrap().is_none());
        assert_eq!(
            editor.add(&UrlEntry::new("http://a.b/")).unwrap_err().to_string(),
            "the document is complete: no entry can follow the end of its root; add it before it is finished, entry 2"
        );
        editor.try_finish().unwrap();
        let edited = xml.replace("</loc>", "</loc><priority>0.3</priority>");
        assert_eq!(editor.finish().unwrap().bytes, edited.as_bytes());
    }
}

#[test]
fn the_writer_is_there_after_every_error() {
    for document in [
        "",
        "<html/>",
        "<!DOCTYPE urlset><urlset/>",
        "<urlset>",
        "<urlset/><urlset/>",
    ] {
        let mut editor = Editor::new(document.as_bytes(), vec![b'!']);
        assert!(editor.kind().is_err() || editor.next_entry().is_err());
        assert!(editor.try_finish().is_err());
        assert_eq!(editor.get_ref()[0], b'!');
        editor.get_mut().clear();
    }
}

#[test]
fn too_much_after_the_root_is_named() {
    let mut xml = "<urlset/>".to_owned();
    xml.push_str(&"<!-- more -->\n".repeat(100));
    let limits = Limits::writing().with_entry_bytes(1000);
    let error = WriterBuilder::new()
        .limits(limits)
        .editor(xml.as_bytes(), Vec::new())
        .finish()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "more than 1,000 bytes after the root, which is the limit; if you trust the document, raise the limit with \
         `Limits::with_entry_bytes`, at line 1, column 1 (byte 0)"
    );
}

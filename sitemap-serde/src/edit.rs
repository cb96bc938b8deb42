//! Changing a sitemap in place: what is not changed stays as it was, byte for byte.

mod added;
mod builder;
mod changes;
mod element;
mod entry;
mod style;
mod tail;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};

use crate::document::DocumentReader;
use crate::entry::{EntryWriter, SitemapEntry};
use crate::error::{Category, Error, Result, Words};
use crate::limits::Limits;
use crate::loc::LocSettings;
use crate::model::Kind;
use crate::reader::Record;
use crate::record::{RecordState, RecordWriter, Row};
use crate::rule::Rule;
use crate::xml::names::{Known, NamespaceSet};
use crate::xml::source::SpliceSource;

pub use self::builder::EditorBuilder;
pub use self::entry::EntryEditor;

use self::added::Added;
use self::changes::Edits;
use self::tail::Tail;

/// Reads a sitemap and writes it with changes, entry by entry, in constant memory.
///
/// What is not changed comes out as it was, byte for byte: comments, processing instructions, indentation, prefixes, elements
/// of namespaces that nobody knows, the byte order mark. Without a change the output is the input. A value that is set takes the
/// place of the text alone; an element that was not there is put in the schema's place (P-ORDER) with the indentation of
/// its neighbours. An element or entry that is removed takes its line along, with a comment that ends it; a comment on a line
/// of its own stays. Values are checked as by a [`Writer`](crate::Writer).
///
/// [`finish`](Self::finish) copies the root's end tag, and is the only thing that does: an editor that is dropped, or whose
/// input is broken or was cut off, leaves an output that no reader takes for complete. Write it to a new file, and put that in
/// the old one's place when it is finished.
///
/// The document is in UTF-8, without a DOCTYPE. With the feature `gzip` a compressed one is recognised and decompressed; what
/// is written is the text.
///
/// ```
/// use sitemap_serde::{Editor, UrlEntry};
///
/// let xml = r#"<?xml version="1.0"?>
/// <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:own">
///     <!-- by hand -->
///     <s:url>
///         <s:loc>https://example.com/</s:loc>
///         <s:lastmod>2025-01-01</s:lastmod>   <!-- the home page -->
///         <x:note/>
///     </s:url>
///     <s:url>
///         <s:loc>https://example.com/old</s:loc>
///     </s:url>
/// </s:urlset>
/// "#;
/// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
/// while let Some(mut entry) = editor.next_entry()? {
///     match entry.loc() {
///         "https://example.com/" => entry.set("lastmod", "2026-05-01")?,
///         _ => entry.delete(),
///     }
/// }
/// editor.add(&UrlEntry::new("https://example.com/new"))?;
/// assert_eq!(
///     String::from_utf8(editor.finish()?).unwrap(),
///     r#"<?xml version="1.0"?>
/// <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:own">
///     <!-- by hand -->
///     <s:url>
///         <s:loc>https://example.com/</s:loc>
///         <s:lastmod>2026-05-01</s:lastmod>   <!-- the home page -->
///         <x:note/>
///     </s:url>
///     <s:url>
///         <s:loc>https://example.com/new</s:loc>
///     </s:url>
/// </s:urlset>
/// "#
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Editor<R: Read, W: Write> {
    document: DocumentReader<SpliceSource<R, W>>,
    state: State,
    /// The last entry that could be read, what is to be done with it, and the white space before it.
    record: Record,
    edits: Edits,
    space: String,
    /// An entry was left out, and so much white space before it waits for what follows.
    gap: Option<u64>,
    values: RecordState,
    loc: LocSettings,
    known: Known,
    limits: Limits,
    kind: Kind,
    /// The namespaces that the root declares by their own prefix.
    declared: NamespaceSet,
    /// How many entries the output has, and how many news.
    entries: u64,
    news: u64,
    /// What is needed to add entries, once one was.
    tail: Option<Tail>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// The last entry was given out to be changed.
    Entry,
    /// Everything is read.
    End,
    /// The root's end is on its way out.
    Complete,
    /// An error that nothing can follow.
    Failed,
}

impl<R: Read, W: Write> Editor<R, W> {
    /// An editor of what `reader` gives into `writer`, neither of which needs a buffer of its own. For a base and for
    /// namespaces of your own see [`EditorBuilder`].
    pub fn new(reader: R, writer: W) -> Self {
        EditorBuilder::new().build(reader, writer)
    }

    /// Whether the document is a urlset or an index; reads up to its root.
    ///
    /// # Errors
    /// As [`next_entry`](Self::next_entry).
    pub fn kind(&mut self) -> Result<Kind> {
        if self.state == State::New {
            let begun = self.begin();
            self.passed(begun)?;
        }
        self.document.kind()
    }

    /// The next entry, to be looked at and changed; `None` at the end of the document. The one before it is written then, with
    /// its changes.
    ///
    /// # Errors
    /// [`Category::Data`] if the entry is none, such as one without a loc: it is copied as it stands, and the next call goes on
    /// with the next one. So is what is wrong between two entries. If the error [ends the reading](Error::ends_reading), there
    /// is nothing to go on with: the document is no sitemap, is broken, or is one that cannot be edited ([`Category::Syntax`] if it is in
    /// another encoding than UTF-8, or has a DOCTYPE).
    ///
    /// ```
    /// use sitemap_serde::Editor;
    ///
    /// let xml = "<urlset><url><lastmod>2026</lastmod></url><url><loc>https://example.com/</loc></url></urlset>";
    /// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    /// let error = editor.next_entry().unwrap_err();
    /// assert_eq!(error.path(), Some("entry 1 · loc"));
    /// assert_eq!(editor.next_entry()?.unwrap().loc(), "https://example.com/");
    /// assert!(editor.next_entry()?.is_none());
    /// assert_eq!(editor.finish()?, xml.as_bytes());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn next_entry(&mut self) -> Result<Option<EntryEditor<'_>>> {
        if !self.advance()? {
            return Ok(None);
        }
        Ok(Some(EntryEditor {
            record: &self.record,
            edits: &mut self.edits,
            values: &mut self.values,
            kind: self.kind,
        }))
    }

    /// Adds an entry at the end of the document, if it is listed: in the layout, and with the prefix, of the last one there.
    ///
    /// Made to be called when [`next_entry`](Self::next_entry) has returned `None`. If it has not, the entries that are left
    /// stay as they are, and there is none after this.
    ///
    /// # Errors
    /// As [`Writer::write`](crate::Writer::write), where the entry is not added and the editor can be gone on with; and as
    /// [`next_entry`](Self::next_entry) if what is left cannot be read.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, entry: &T) -> Result<()> {
        if !entry.is_listed() {
            return Ok(());
        }
        self.read_rest()?;
        let number = self.entries + 1;
        let added = self.format(entry).map_err(|error| error.in_entry(number))?;
        let put = self.source().and_then(|source| source.put(&added.text));
        self.passed(put)?;
        (self.entries, self.news) = (added.entries, added.news);
        Ok(())
    }

    /// Copies what is left of the document, its end included, flushes, and returns the writer underneath.
    ///
    /// Entries that were not asked for stay as they are, whatever is wrong with them.
    ///
    /// # Errors
    /// As [`try_finish`](Self::try_finish). The writer underneath is lost then; to keep it, use that.
    pub fn finish(mut self) -> Result<W> {
        self.try_finish()?;
        let source = self.document.into_source().ok_or_else(unreadable)?;
        Ok(source.into_sink())
    }

    /// As [`finish`](Self::finish), and keeps the writer underneath. After an error of that writer while the end is passed on
    /// it can be called again, and goes on where it stopped.
    ///
    /// # Errors
    /// [`Category::Io`] if the reader or the writer fails; as [`next_entry`](Self::next_entry) if what is left cannot be read
    /// to its last byte; [`Category::Limit`] if the changes make a document too large that was not (P-SIZE). The output is not
    /// complete then.
    ///
    /// ```
    /// use sitemap_serde::Editor;
    ///
    /// let cut_off = "<urlset><url><loc>https://example.com/</loc></url>";
    /// let mut editor = Editor::new(cut_off.as_bytes(), Vec::new());
    /// assert!(editor.try_finish().is_err());
    /// assert!(!editor.get_ref().ends_with(b"</urlset>"));
    /// ```
    pub fn try_finish(&mut self) -> Result<()> {
        if self.state != State::Complete {
            self.read_rest()?;
            let close = self.tail.as_ref().map_or("", Tail::close).to_owned();
            self.check_size(&close)?;
            self.source()?.end_with(&close);
            self.state = State::Complete;
        }
        self.source()?.flush()
    }

    /// P-SIZE: whether the changes leave the document within its size, if it was.
    fn check_size(&mut self, close: &str) -> Result<()> {
        let most = self.limits.bytes;
        let source = self.source()?;
        let before = source.end();
        let after = source.written() + source.rest() + close.len() as u64;
        if before > most || after <= most {
            return Ok(());
        }
        Err(Error::limit(
            Words::new(format!(
                "the document would have {after} bytes with its changes, and {most} are allowed"
            ))
            .advice(
                "drop some entries, or move \
             them to another document",
            ),
        )
        .breaks(Rule::Size))
    }

    /// The writer underneath; up to 32 KiB, and the last entry, may still be on their way to it.
    pub fn get_ref(&self) -> &W {
        self.document.origin().sink()
    }

    /// The writer underneath, to be changed. What is written to it directly lands inside the document.
    pub fn get_mut(&mut self) -> &mut W {
        self.document.origin_mut().sink_mut()
    }

    fn source(&mut self) -> Result<&mut SpliceSource<R, W>> {
        self.document.source_mut().ok_or_else(unreadable)
    }

    /// Notes an error that nothing can follow.
    fn passed<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result
            && error.ends_reading()
        {
            self.state = State::Failed;
        }
        result
    }

    fn begin(&mut self) -> Result<()> {
        self.kind = self.document.kind()?;
        self.declared = self.document.in_scope();
        let source = self.document.source_mut().ok_or_else(|| {
            Error::new(
                Category::Syntax,
                "the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; \
                 remove it, or read the document and write it anew",
            )
        })?;
        if !source.is_utf8() {
            return Err(Error::syntax(
                Words::new("the document is not in UTF-8: only one that is can be edited")
                    .advice("convert it first"),
            )
            .breaks(Rule::Utf8));
        }
        source.open();
        self.state = State::Open;
        Ok(())
    }

    fn advance(&mut self) -> Result<bool> {
        let advanced = self.try_advance();
        self.passed(advanced)
    }

    fn try_advance(&mut self) -> Result<bool> {
        match self.state {
            State::New => self.begin()?,
            State::Open => {}
            State::Entry => self.settle()?,
            State::End | State::Complete | State::Failed => return Ok(false),
        }
        let found = self.document.next_record();
        match found {
            Ok(true) => {
                self.record.take_from(&mut self.document);
                let start = self.record.byte_range().start;
                self.close_gap(start + 1)?;
                let source = self.document.source_mut().ok_or_else(unreadable)?;
                source.space_before(start, &mut self.space);
                self.edits = Edits::default();
                self.entries += 1;
                self.state = State::Entry;
                Ok(true)
            }
            Ok(false) => {
                self.close_gap(u64::MAX)?;
                self.state = State::End;
                Ok(false)
            }
            Err(error) => {
                self.close_gap(u64::MAX)?;
                self.entries += u64::from(error.entry().is_some());
                Err(error)
            }
        }
    }

    /// Writes the entry that was given out.
    fn settle(&mut self) -> Result<()> {
        self.state = State::Open;
        let range = self.record.byte_range();
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        if self.edits.is_deleted() {
            self.entries -= 1;
            let space = element::from_line_break(&self.space).len() as u64;
            source.copy(range.start - space)?;
            source.leave_gap(space, range.end);
            self.gap = Some(space);
            return Ok(());
        }
        self.news += u64::from(self.edits.keeps(&self.record, NEWS));
        let changes = self.edits.changes(&self.record);
        if changes.is_empty() {
            return source.copy(range.end);
        }
        source.copy(range.start)?;
        let text = self.record.source();
        let mut at = 0;
        for (place, new) in changes {
            source.put(text.get(at..place.start).unwrap_or_default())?;
            source.put(&new)?;
            at = at.max(place.end);
        }
        source.put(text.get(at..).unwrap_or_default())?;
        source.skip(range.end);
        Ok(())
    }

    /// Takes along what goes with the entry that was left out last, now that what follows is read, up to `end`.
    fn close_gap(&mut self, end: u64) -> Result<()> {
        let Some(space) = self.gap.take() else {
            return Ok(());
        };
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        if !source.has_gap() {
            // What followed was too much to wait for the end of it.
            return Ok(());
        }
        let start = source.next();
        let (kept, window) = source.pending(end.min(source.end()));
        let text = [kept, window].concat();
        let at = usize::try_from(space).unwrap_or(usize::MAX).min(text.len());
        let (before, after) = text.split_at(at);
        match element::surroundings(before, after) {
            (0, blank) => source.leave_gap(space, start + space + blank as u64),
            (_, more) => source.skip(start + space + more as u64),
        }
        Ok(())
    }

    /// Reads to the end, whatever is wrong with the entries.
    fn read_rest(&mut self) -> Result<()> {
        loop {
            match self.advance() {
                Err(error) if error.ends_reading() => return Err(error),
                Ok(false) if self.state == State::Failed => return Err(unreadable()),
                Ok(false) => return Ok(()),
                Ok(true) | Err(_) => {}
            }
        }
    }

    /// What a row is in this document, if it may be added.
    fn format<T: SitemapEntry + ?Sized>(&mut self, row: &T) -> Result<Formatted> {
        if self.state == State::Complete {
            return Err(Error::data(
                "the document is complete: no entry can follow the end of its root; add it before it is finished",
            ));
        }
        if self.tail.is_none() {
            let tail = Tail::find(self);
            self.tail = Some(self.passed(tail)?);
        }
        let Some(tail) = &mut self.tail else {
            return Err(unreadable());
        };
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        let mut added = Added {
            kind: self.kind,
            style: &tail.style,
            limits: &self.limits,
            entries: self.entries,
            news: self.news,
            bytes: source.written() + source.rest() + tail.close.len() as u64,
            text: String::new(),
        };
        added.begin()?;
        let record = RecordWriter::below(&mut tail.values, self.kind, self.declared);
        let mut entry = EntryWriter::of_row(record, &mut added);
        row.write_entry(&mut entry)?;
        entry.end()?;
        Ok(Formatted {
            text: added.text,
            entries: added.entries,
            news: added.news,
        })
    }
}

/// A row as it stands in the document, and how many entries and news the document has with it.
struct Formatted {
    text: String,
    entries: u64,
    news: u64,
}

const NEWS: &str = "news:news";

#[cold]
fn unreadable() -> Error {
    Error::data(
        "the document could not be edited to its end, as an error before this one says; what was written is not complete",
    )
    .ending_reading()
}

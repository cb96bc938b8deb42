//! Editing a sitemap: unchanged parts stay the same, byte for byte.

// The files of this folder:
// - this file: `Editor`: copies a document while it is read, entry by entry
// - `builder`: its settings
// - `entry`: `EntryEditor`: an entry, its values, and the calls that change them
// - `changes`, `element`: the changed ranges of an entry's text; of one element's
// - `added`, `style`: the entries of added rows; the layout that they imitate
// - `tail`: the state at the end of the document, where entries are added
// - `rebase`: moves URLs to another base
mod added;
mod builder;
mod changes;
mod element;
mod entry;
mod rebase;
mod style;
mod tail;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};
use std::ops::Range;

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::document::DocumentReader;
use crate::entry::{EntryWriter, SitemapEntry};
use crate::error::{Error, ErrorKind, Message, Result, Suggestion};
use crate::limits::Limits;
use crate::loc::LocSettings;
use crate::model::Kind;
use crate::reader::Record;
use crate::record::{RecordState, RecordWriter, RowReceiver};
use crate::writer::WriterBuilder;
use crate::xml::names::{KnownNamespaces, NamespaceSet};
use crate::xml::readable;
use crate::xml::source::SpliceSource;

pub use self::entry::EntryEditor;
pub use self::rebase::Rebase;

use self::added::Added;
use self::changes::Edits;
use self::tail::Tail;

/// Reads a sitemap and writes it with changes, entry by entry. Memory is bounded by one entry, and up to 1 MiB before the root.
///
/// All unchanged text is copied byte for byte: comments, processing instructions, indentation, prefixes, elements of unknown namespaces,
/// the byte order mark. Without a change, the output equals the input. Setting a value replaces only the text of its element; a new
/// element is inserted in the schema's order (P-ORDER) with the indentation of its neighbours. Removing an element or entry also removes
/// its line and a comment at the end of that line; a comment on a line of its own stays. Values are checked as by a
/// [`Writer`](crate::Writer).
///
/// Only [`finish`](Self::finish) writes the root's end tag: if an editor is dropped, or its input is malformed or truncated, every reader
/// rejects the output as incomplete. Write to a new file, and replace the old one after `finish`.
///
/// [`EntryEditor::rebase`] moves all URLs of an entry from one host to another.
///
/// The document must be in UTF-8, without a DOCTYPE. With the feature `gzip` a compressed document is decompressed; the output
/// is not compressed.
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
    /// The last entry that was read, the edits to make to it, and the white space before it.
    record: Record,
    edits: Edits,
    space: String,
    /// After a deleted entry: the number of bytes of white space before it, which are dropped or written with the next entry.
    gap: Option<u64>,
    values: RecordState,
    loc: LocSettings,
    known: KnownNamespaces,
    limits: Limits,
    kind: Kind,
    /// The byte offset of the root, of the end of its start tag, and its name.
    root: u64,
    root_end: u64,
    root_name: String,
    /// The namespaces that the root declares with their canonical prefix.
    declared: NamespaceSet,
    /// The numbers of entries, and of entries with news, in the output.
    entries: u64,
    news: u64,
    /// The number of calls of [`add`](Self::add).
    offered: u64,
    /// The state for adding entries, set at the first addition.
    tail: Option<Tail>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// The last entry was handed to the caller, who may still change it.
    Entry,
    /// The document is read to its end.
    End,
    /// The root's end is being written.
    Complete,
    /// A fatal error has occurred.
    Failed,
}

impl<R: Read, W: Write> Editor<R, W> {
    /// Makes an editor that reads from `reader` and writes to `writer`; neither needs a buffer around it. For a base or user
    /// namespaces see [`WriterBuilder::editor`].
    pub fn new(reader: R, writer: W) -> Self {
        WriterBuilder::new().editor(reader, writer)
    }

    /// The kind of the document. Reads up to its root.
    ///
    /// # Errors
    /// See [`next_entry`](Self::next_entry).
    pub fn kind(&mut self) -> Result<Kind> {
        if self.state == State::New {
            let begun = self.begin();
            self.checked(begun)?;
        }
        self.document.kind()
    }

    /// Applies the suggestion of a [lint](crate::lint) before the entries: the removal of a text before the root, such as a stylesheet
    /// (L-XSLT), or a new text in the root's start tag, such as a namespace (P-NS). A line that becomes empty is removed. Suggestions are
    /// applied in the order of the document, before its entries are read. Returns `true` if it was applied. Returns `false` if its place is
    /// unknown, elsewhere, or more than 1 MiB before the root, or contains other text.
    ///
    /// # Errors
    /// See [`next_entry`](Self::next_entry).
    ///
    /// ```
    /// use sitemap_serde::Editor;
    /// use sitemap_serde::lint::Linter;
    ///
    /// let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?xml-stylesheet type=\"text/xsl\" href=\"/sitemap.xsl\"?>\n\
    ///            <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc></url></urlset>";
    /// let diagnostics = Linter::new().check(xml.as_bytes());
    /// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    /// assert!(editor.replace(diagnostics[0].suggestion().unwrap())?);
    /// let xml = String::from_utf8(editor.finish()?).unwrap();
    /// assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn replace(&mut self, suggestion: &Suggestion) -> Result<bool> {
        if self.state == State::New {
            let begun = self.begin();
            self.checked(begun)?;
        }
        let (Some(Range { start, end }), Some(old), Some(new)) = (
            suggestion.byte_range(),
            suggestion.old_text(),
            suggestion.new_text(),
        ) else {
            return Ok(false);
        };
        let root = self.root;
        // A text before the root is removed, and a text in its start tag is replaced.
        let limit = if new.is_empty() { root } else { self.root_end };
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        let is_found = |(kept, window): (&str, &str)| old.strip_prefix(kept) == Some(window);
        if end > limit || !source.pending_in(start..end).is_some_and(is_found) {
            return Ok(false);
        }
        if !new.is_empty() {
            source.copy(start)?;
            source.put(new)?;
            source.skip(end);
            return Ok(true);
        }
        source.space_before(start, &mut self.space);
        let before = element::from_line_break(&self.space);
        // A byte order mark is the only output so short.
        let begins_document = source.written_before(start) <= (MARK.len() + before.len()) as u64;
        let after = source.space_after(end, root);
        let (removed_before, removed_after) = element::line(before, &after, begins_document);
        let space = before.len() as u64;
        source.copy(start - space)?;
        source.leave_gap(space - removed_before as u64, end + removed_after as u64);
        Ok(true)
    }

    /// Writes the current entry with its changes, and returns the next one; `None` at the end of the document.
    ///
    /// # Errors
    /// [`ErrorKind::Data`] if an entry is invalid, such as one without a loc, or if there is text or an unexpected element between
    /// two entries: it is copied unchanged, and the next call continues after it. An error that
    /// [ends the reading](Error::ends_reading) is final: the document is not a sitemap, is malformed, or cannot be edited
    /// ([`ErrorKind::Syntax`] if its encoding is not UTF-8 or it has a DOCTYPE), or the changes of the current entry exceed the
    /// [limits](crate::Limits) of readers ([`ErrorKind::Limit`]).
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

    /// Adds an entry at the end of the document, with the formatting and prefix of the last entry. An entry that is not listed is
    /// skipped.
    ///
    /// Usually called after [`next_entry`](Self::next_entry) has returned `None`. If called earlier, the remaining entries are
    /// copied unchanged, and `next_entry` returns `None` afterwards.
    ///
    /// # Errors
    /// The errors of [`Writer::write`](crate::Writer::write): the entry is not added, and the editor remains usable. The errors of
    /// [`next_entry`](Self::next_entry) if the rest of the document cannot be read. Added entries continue the numbering of the entries
    /// that were read: after 3 of these, the second added entry is [entry](Error::entry) 5, even if the first was rejected.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, entry: &T) -> Result<()> {
        self.offered += 1;
        if !entry.is_listed() {
            return Ok(());
        }
        self.read_rest()?;
        let number = self.document.entries() + self.offered;
        let added = self.format(entry).map_err(|error| error.in_entry(number))?;
        let put = self.source().and_then(|source| source.put(&added.text));
        self.checked(put)?;
        (self.entries, self.news) = (added.entries, added.news);
        Ok(())
    }

    /// Copies the rest of the document to its end, flushes, and returns the writer.
    ///
    /// Entries that [`next_entry`](Self::next_entry) has not reached are copied unchanged, valid or not.
    ///
    /// # Errors
    /// See [`try_finish`](Self::try_finish). On an error, the writer is dropped; `try_finish` keeps it.
    pub fn finish(mut self) -> Result<W> {
        self.try_finish()?;
        let source = self.document.into_source().ok_or_else(unreadable)?;
        Ok(source.into_sink())
    }

    /// Like [`finish`](Self::finish), but does not return the writer. After an error of the writer it can be called again, and continues
    /// where it stopped.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the reader or the writer fails; the errors of [`next_entry`](Self::next_entry) if the rest of the document
    /// cannot be read to its end; [`ErrorKind::Limit`] if the changes make the document exceed the size limit (P-SIZE). The output is
    /// then incomplete.
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

    /// Returns an error if the changes make the document exceed its size (P-SIZE).
    fn check_size(&mut self, close: &str) -> Result<()> {
        let most = self.limits.bytes;
        let source = self.source()?;
        let before = source.end();
        let after = source.written() + source.rest() + close.len() as u64;
        if before > most || after <= most {
            return Ok(());
        }
        Err(Error::limit(
            Message::new(format!(
                "the document would have {} bytes with its changes, and {} are allowed",
                grouped(after),
                grouped(most)
            ))
            .advice(
                "drop some entries, or move \
             them to another document",
            ),
        )
        .breaks(Rule::Size))
    }

    /// The writer. Up to 32 KiB of output, and the last entry, may not have reached it yet.
    pub fn get_ref(&self) -> &W {
        self.document.origin().sink()
    }

    /// The writer, mutably. Bytes written to it directly end up inside the document.
    pub fn get_mut(&mut self) -> &mut W {
        self.document.origin_mut().sink_mut()
    }

    fn source(&mut self) -> Result<&mut SpliceSource<R, W>> {
        self.document.source_mut().ok_or_else(unreadable)
    }

    /// Marks the editor as failed if the result is an error that ends the reading.
    fn checked<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result
            && error.ends_reading()
        {
            self.state = State::Failed;
        }
        result
    }

    fn begin(&mut self) -> Result<()> {
        self.kind = self.document.kind()?;
        self.root = self.document.root_start();
        self.root_end = self.root + self.document.root_tag().len() as u64;
        self.document.root_name().clone_into(&mut self.root_name);
        self.declared = self.document.in_scope();
        let source = self.document.source_mut().ok_or_else(|| {
            Error::new(
                ErrorKind::Syntax,
                "the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; \
                 remove it, or read the document and write it again",
            )
        })?;
        if !source.is_utf8() {
            return Err(Error::syntax(
                Message::new("the document is not in UTF-8: only one that is can be edited")
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
        self.checked(advanced)
    }

    fn try_advance(&mut self) -> Result<bool> {
        match self.state {
            State::New => self.begin()?,
            State::Open => {}
            State::Entry => self.write_entry()?,
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

    /// Writes the current entry with its changes.
    fn write_entry(&mut self) -> Result<()> {
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
        let text = self.record.source();
        let added: usize = changes.iter().map(|(_, new)| new.len()).sum();
        if text.len() + added > self.limits.unchecked_bytes()
            && let Err(error) = readable::check_entry(&changed(text, &changes), &self.limits)
        {
            let error = Error::limit(error.message().into_owned());
            return Err(error.of_loc(self.record.loc()).in_entry(self.record.number()));
        }
        source.copy(range.start)?;
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

    /// Drops the white space and comment that belong to the last deleted entry, now that the document is read up to `end`.
    fn close_gap(&mut self, end: u64) -> Result<()> {
        let Some(space) = self.gap.take() else {
            return Ok(());
        };
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        if !source.has_gap() {
            // The text after the gap was too long to keep, and is copied already.
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

    /// Reads to the end, ignoring invalid entries.
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

    /// Formats a row for this document, or returns the error if it may not be added.
    fn format<T: SitemapEntry + ?Sized>(&mut self, row: &T) -> Result<Formatted> {
        if self.state == State::Complete {
            return Err(Error::data(
                Message::new("the document is complete: no entry can follow the end of its root")
                    .advice("add it before it is finished"),
            ));
        }
        if self.tail.is_none() {
            let tail = Tail::find(self);
            self.tail = Some(self.checked(tail)?);
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
        let written = row.write_entry(&mut entry).and_then(|()| entry.end());
        let Added {
            text, entries, news, ..
        } = added;
        match written {
            Ok(()) => Ok(Formatted { text, entries, news }),
            Err(error) => Err(error.of_loc(tail.values.loc())),
        }
    }
}

/// The text of an entry with its changes.
fn changed(text: &str, changes: &[(Range<usize>, String)]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (place, new) in changes {
        out.push_str(text.get(at..place.start).unwrap_or_default());
        out.push_str(new);
        at = at.max(place.end);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A formatted row, and the document's numbers of entries and news including it.
struct Formatted {
    text: String,
    entries: u64,
    news: u64,
}

const NEWS: &str = "news:news";
const MARK: &str = "\u{FEFF}";

#[cold]
fn unreadable() -> Error {
    Error::data(
        "the document could not be edited to its end, as an error before this one says, so what was written is not complete",
    )
    .ending_reading()
}

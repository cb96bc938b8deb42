//! Changing a sitemap in place: what is not changed stays as it was, byte for byte.

mod element;
mod style;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};
use std::ops::Range;

use crate::document::DocumentReader;
use crate::entry::{AsLoc, EntryWriter, SitemapEntry, ToChangeFreq, ToLastmod, ToPriority};
use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::quote::quote;
use crate::reader::{Field, Record};
use crate::record::{RecordState, RecordWriter, Slot};
use crate::xml::names::{Known, NamespaceSet};
use crate::xml::source::SpliceSource;

use self::style::Style;

/// Reads a sitemap and writes it with changes, entry by entry, in constant memory.
///
/// What is not changed comes out as it was, byte for byte: comments, processing instructions, indentation, prefixes, elements
/// of namespaces that nobody knows, the byte order mark. Without a change the output is the input. A value that is set takes the
/// place of the text alone; an element that was not there is put in the schema's place (P-ORDER) with the indentation of
/// its neighbours; one that is removed takes the white space before it along, as an entry does. Values are checked as by a
/// [`Writer`](crate::Writer).
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
    values: RecordState,
    loc: LocSettings,
    known: Known,
    limits: Limits,
    kind: Kind,
    /// The namespaces that the root declares by their own prefix.
    declared: NamespaceSet,
    /// How many entries the output has.
    entries: u64,
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
    /// An error that nothing can follow.
    Failed,
}

/// The end of a document that entries are added to.
#[derive(Debug)]
struct Tail {
    style: Style,
    values: RecordState,
    /// The end tag of a root that had none.
    close: String,
}

/// What is to be done with an entry.
#[derive(Debug, Default)]
struct Edits {
    core: [Change; 4],
    /// The names of the other elements that are to go.
    removed: Vec<String>,
    is_deleted: bool,
}

#[derive(Debug, Default)]
enum Change {
    #[default]
    None,
    /// The text, escaped.
    Set(String),
    Remove,
}

const SLOTS: [Slot; 4] = [Slot::Loc, Slot::Lastmod, Slot::Changefreq, Slot::Priority];

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
    /// with the next one. If the error has no [`entry`](Error::entry), or is of another category, there is nothing to
    /// go on with: the document is no sitemap, is broken, or is one that cannot be edited ([`Category::Syntax`] if it is in
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
        let text = self.format(entry).map_err(|error| error.in_entry(number))?;
        let put = self.source().and_then(|source| source.put(&text));
        self.passed(put)?;
        self.entries = number;
        Ok(())
    }

    /// Copies what is left of the document, its end included, flushes, and returns the writer underneath.
    ///
    /// Entries that were not asked for stay as they are, whatever is wrong with them.
    ///
    /// # Errors
    /// [`Category::Io`] if the reader or the writer fails, and as [`next_entry`](Self::next_entry) if what is left
    /// cannot be read to its last byte; the output is not complete then.
    pub fn finish(mut self) -> Result<W> {
        self.read_rest()?;
        let close = self.tail.as_ref().map_or("", |tail| &tail.close).to_owned();
        let source = self.source()?;
        source.put(&close)?;
        source.finish()?;
        let source = self.document.into_source().ok_or_else(unreadable)?;
        Ok(source.into_sink())
    }

    fn source(&mut self) -> Result<&mut SpliceSource<R, W>> {
        self.document.source_mut().ok_or_else(unreadable)
    }

    /// Notes an error that nothing can follow.
    fn passed<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result
            && !is_passable(error)
        {
            self.state = State::Failed;
        }
        result
    }

    fn begin(&mut self) -> Result<()> {
        self.kind = self.document.kind()?;
        self.declared = self.document.in_scope();
        let source = self.document.source_mut().ok_or_else(|| {
            Error::syntax(
                "the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; \
                 remove it, or read the document and write it anew",
            )
        })?;
        if !source.is_utf8() {
            return Err(Error::syntax(
                "the document is not in UTF-8: only one that is can be edited (P-UTF8); convert it first",
            )
            .rule("P-UTF8"));
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
            State::End | State::Failed => return Ok(false),
        }
        match self.document.next_record() {
            Ok(true) => {
                self.record.take_from(&mut self.document);
                let source = self.document.source_mut().ok_or_else(unreadable)?;
                source.space_before(self.record.byte_range().start, &mut self.space);
                self.edits = Edits::default();
                self.entries += 1;
                self.state = State::Entry;
                Ok(true)
            }
            Ok(false) => {
                self.state = State::End;
                Ok(false)
            }
            Err(error) => {
                self.entries += 1;
                Err(error)
            }
        }
    }

    /// Writes the entry that was given out.
    fn settle(&mut self) -> Result<()> {
        self.state = State::Open;
        let range = self.record.byte_range();
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        if self.edits.is_deleted {
            self.entries -= 1;
            let space = element::from_line_break(&self.space).len() as u64;
            source.copy(range.start - space)?;
            source.skip(range.end);
            return Ok(());
        }
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

    /// Reads to the end, whatever is wrong with the entries.
    fn read_rest(&mut self) -> Result<()> {
        loop {
            match self.advance() {
                Err(error) if !is_passable(&error) => return Err(error),
                Ok(false) if self.state == State::Failed => return Err(unreadable()),
                Ok(false) => return Ok(()),
                Ok(true) | Err(_) => {}
            }
        }
    }

    /// What an entry is in this document.
    fn format<T: SitemapEntry + ?Sized>(&mut self, entry: &T) -> Result<String> {
        let (kind, most) = (self.kind, self.limits.entries);
        if self.entries >= most {
            return Err(Error::limit(format!(
                "the document is full: it has {} `{}` entries, and {most} are allowed (P-COUNT); write this entry to another \
                 one",
                self.entries,
                kind.entry()
            ))
            .rule("P-COUNT"));
        }
        if self.tail.is_none() {
            let tail = self.find_tail();
            self.tail = Some(self.passed(tail)?);
        }
        let Some(Tail { style, values, close }) = &mut self.tail else {
            return Err(unreadable());
        };
        entry.write_entry(&mut EntryWriter::new(RecordWriter::below(
            values,
            kind,
            self.declared,
        )))?;
        values.check_complete(kind)?;
        let text = style.write(kind, values);
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        let bytes = source.written() + source.rest() + (text.len() + close.len()) as u64;
        if bytes > self.limits.bytes {
            return Err(Error::limit(format!(
                "the document is full: with this entry it would have {bytes} bytes, and {} are allowed (P-SIZE); write it to \
                 another one",
                self.limits.bytes
            ))
            .rule("P-SIZE"));
        }
        Ok(text)
    }

    /// Copies the document up to where entries are added, and finds out how they look.
    fn find_tail(&mut self) -> Result<Tail> {
        let end = self.document.root_end().ok_or_else(unreadable)?;
        let source = self.document.source_mut().ok_or_else(unreadable)?;
        let mut space = String::new();
        source.space_before(end.start, &mut space);
        source.copy(end.start - space.len() as u64)?;
        let (kept, window) = source.pending(end.end);
        let tag = [kept, window].concat();
        let tag = tag.get(space.len()..).unwrap_or_default();
        let style = if self.record.source().is_empty() {
            Style::of_root(tag, if tag.starts_with("</") { &space } else { "" })
        } else {
            Style::of_entry(&self.record, &self.space)
        };
        let mut close = String::new();
        if let Some(open) = tag.strip_suffix("/>") {
            close = ["</", element::name(tag), ">"].concat();
            let open = open.trim_end_matches([' ', '\t', '\n', '\r']);
            source.copy(end.start)?;
            source.put(open)?;
            source.put(">")?;
            source.skip(end.end);
        }
        let values = RecordState::new(style.is_pretty(), LocRules::new(&self.loc), self.known.clone());
        Ok(Tail { style, values, close })
    }
}

/// Whether an error is about one entry, and the next can be read.
fn is_passable(error: &Error) -> bool {
    error.category() == Category::Data && error.entry().is_some()
}

#[cold]
fn unreadable() -> Error {
    Error::data(
        "the document could not be read to its end, as an error before this one says; what was written is not complete",
    )
}

/// Where in its entry a field stands.
fn place(record: &Record, field: &Field<'_>) -> Range<usize> {
    let offset = record.byte_range().start;
    let Range { start, end } = field.byte_range();
    let place = |byte: u64| usize::try_from(byte - offset).unwrap_or(usize::MAX);
    place(start)..place(end)
}

/// A text as it was before it was escaped for an element.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

impl Edits {
    /// What takes which place of the entry's text, in order.
    fn changes(&self, record: &Record) -> Vec<(Range<usize>, String)> {
        let text = record.source();
        let mut changes = Vec::new();
        for (slot, change) in SLOTS.into_iter().zip(&self.core) {
            let field = record.fields().find(|field| field.name() == slot.name());
            match (change, field) {
                (Change::None, _) | (Change::Remove, None) => {}
                (Change::Remove, Some(field)) => changes.push(removed(text, place(record, &field))),
                (Change::Set(new), Some(field)) => {
                    let raw = unescaped(new);
                    if field.text() != raw {
                        let place = place(record, &field);
                        let old = text.get(place.clone()).unwrap_or_default();
                        changes.push((place, element::with_text(old, &raw, new)));
                    }
                }
                (Change::Set(new), None) => changes.push(self.inserted(record, slot, new)),
            }
        }
        for field in record.fields() {
            if self.removed.iter().any(|name| name == field.name()) {
                changes.push(removed(text, place(record, &field)));
            }
        }
        changes.sort_by_key(|(place, _)| (place.start, place.end));
        changes
    }

    /// An element that the entry does not have, after the last of those that it follows in the schema.
    fn inserted(&self, record: &Record, slot: Slot, new: &str) -> (Range<usize>, String) {
        let text = record.source();
        let places = |slots: &[Slot]| -> Vec<_> {
            let stays = |slot: &&Slot| !matches!(self.core[**slot as usize], Change::Remove);
            let place_of = |slot: &Slot| {
                let field = record.fields().find(|field| field.name() == slot.name())?;
                Some(place(record, &field))
            };
            slots.iter().filter(stays).filter_map(place_of).collect()
        };
        let before = places(&SLOTS[..slot as usize]);
        // There is a loc in every entry that was read.
        let end = before.last().map_or(0, |place| place.end);
        let spaces = before
            .iter()
            .rev()
            .cloned()
            .chain(places(&SLOTS[slot as usize..]));
        let mut spaces = spaces.map(|place| element::last_space(text.get(..place.start).unwrap_or_default()));
        let own = spaces.next().unwrap_or_default();
        let space = std::iter::once(own)
            .chain(spaces)
            .find(|space| space.starts_with(['\n', '\r']))
            .unwrap_or(own);
        let at = end + element::line_end(text.get(end..).unwrap_or_default());
        let (prefix, name) = (element::prefix(text), slot.name());
        let element = [space, "<", prefix, name, ">", new, "</", prefix, name, ">"].concat();
        (at..at, element)
    }
}

/// An element that is to go, with its white space.
fn removed(text: &str, place: Range<usize>) -> (Range<usize>, String) {
    let before = text.get(..place.start).unwrap_or_default();
    let after = text.get(place.end..).unwrap_or_default();
    let (space, blank) = element::space_around(before, after);
    (place.start - space..place.end + blank, String::new())
}

/// One entry of a document that is edited; see [`Editor::next_entry`].
///
/// What it tells is what was read, whatever was set since. Setting a value anew replaces what was set.
#[derive(Debug)]
pub struct EntryEditor<'e> {
    record: &'e Record,
    edits: &'e mut Edits,
    values: &'e mut RecordState,
    kind: Kind,
}

impl EntryEditor<'_> {
    /// The entry as it was read.
    pub fn record(&self) -> &Record {
        self.record
    }

    /// The page's address, as the document has it.
    pub fn loc(&self) -> &str {
        self.record.loc()
    }

    /// The text of the first element of that name, by serde's name for it (`lastmod`, `image:image`); `None` if there is none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.record.get(name)
    }

    /// Sets `loc`, `lastmod`, `changefreq` or `priority` to a value given as text. An empty text removes the element.
    ///
    /// # Errors
    /// [`Category::Data`] if the value breaks the element's rule, the document is an index and may not have it (P-INDEXTAGS), or
    /// the name is another. The entry stays as it was then, and can be gone on with.
    ///
    /// ```
    /// use sitemap_serde::Editor;
    ///
    /// let xml = "<urlset>\n  <url>\n    <loc>https://example.com/</loc>\n  </url>\n</urlset>";
    /// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    /// while let Some(mut entry) = editor.next_entry()? {
    ///     assert_eq!(entry.set("priority", "1.5").unwrap_err().path(), Some("entry 1 · priority"));
    ///     entry.set("priority", "0.5")?;
    /// }
    /// let edited = xml.replace("</loc>", "</loc>\n    <priority>0.5</priority>");
    /// assert_eq!(editor.finish()?, edited.as_bytes());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) -> Result<()> {
        let Some(slot) = Slot::from_name(name) else {
            return Err(Error::data(format!(
                "{} cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can; remove it, or delete the entry and add it anew",
                quote(name)
            ))
            .within(name)
            .in_entry(self.record.number()));
        };
        self.put(slot, |mut record| record.text(slot, value.as_ref()))
    }

    /// Sets the page's address, as the writer would: resolved against the base, percent-encoded, checked.
    ///
    /// # Errors
    /// As [`EntryWriter::loc`], and if there is none.
    pub fn set_loc(&mut self, loc: impl AsLoc) -> Result<()> {
        self.put(Slot::Loc, |record| EntryWriter::new(record).loc(loc))
    }

    /// Sets when the page was last changed; `None` removes the element.
    ///
    /// # Errors
    /// As [`EntryWriter::lastmod`].
    pub fn set_lastmod(&mut self, lastmod: impl ToLastmod) -> Result<()> {
        self.put(Slot::Lastmod, |record| EntryWriter::new(record).lastmod(lastmod))
    }

    /// Sets how often the page is likely to change; `None` removes the element.
    ///
    /// # Errors
    /// As [`EntryWriter::changefreq`].
    pub fn set_changefreq(&mut self, changefreq: impl ToChangeFreq) -> Result<()> {
        self.put(Slot::Changefreq, |record| {
            EntryWriter::new(record).changefreq(changefreq)
        })
    }

    /// Sets how important the page is; `None` removes the element.
    ///
    /// # Errors
    /// As [`EntryWriter::priority`].
    pub fn set_priority(&mut self, priority: impl ToPriority) -> Result<()> {
        self.put(Slot::Priority, |record| {
            EntryWriter::new(record).priority(priority)
        })
    }

    fn put(&mut self, slot: Slot, give: impl FnOnce(RecordWriter<'_>) -> Result<()>) -> Result<()> {
        let number = self.record.number();
        give(RecordWriter::below(
            self.values,
            self.kind,
            NamespaceSet::default(),
        ))
        .map_err(|error| error.in_entry(number))?;
        let text = self.values.buffer.texts().next();
        let change = match text.map(|(_, text)| text.to_owned()) {
            Some(text) => Change::Set(text),
            None if slot == Slot::Loc => return Err(self.without_loc()),
            None => Change::Remove,
        };
        self.edits.core[slot as usize] = change;
        Ok(())
    }

    /// Removes all elements of that name (`priority`, `image:image`), and returns whether there were any.
    ///
    /// # Errors
    /// [`Category::Data`] for `loc`, which every entry has.
    pub fn remove(&mut self, name: &str) -> Result<bool> {
        match Slot::from_name(name) {
            Some(Slot::Loc) => return Err(self.without_loc()),
            Some(slot) => self.edits.core[slot as usize] = Change::Remove,
            None => self.edits.removed.push(name.to_owned()),
        }
        Ok(self.record.get(name).is_some())
    }

    #[cold]
    fn without_loc(&self) -> Error {
        Error::data(format!(
            "no `loc`: every `{}` has exactly one (P-DUP); delete the entry, or give it another URL",
            self.kind.entry()
        ))
        .rule("P-DUP")
        .within(Slot::Loc.name())
        .in_entry(self.record.number())
    }

    /// Leaves the entry out of the output. Nothing else that is done with it counts then.
    pub fn delete(self) {
        self.edits.is_deleted = true;
    }
}

/// Sets up an [`Editor`].
///
/// ```
/// use sitemap_serde::{EditorBuilder, UrlEntry};
///
/// let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>";
/// let mut editor = EditorBuilder::new().base("https://example.com").build(xml.as_bytes(), Vec::new());
/// editor.add(&UrlEntry::new("/about"))?;
/// assert_eq!(
///     String::from_utf8(editor.finish()?).unwrap(),
///     "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
///      <url><loc>https://example.com/about</loc></url></urlset>"
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EditorBuilder {
    base: Option<String>,
    cross_submission: bool,
    limits: Limits,
    known: Known,
}

impl Default for EditorBuilder {
    fn default() -> Self {
        EditorBuilder::new()
    }
}

impl EditorBuilder {
    /// No base, the protocol's limits.
    pub fn new() -> Self {
        EditorBuilder {
            base: None,
            cross_submission: false,
            limits: Limits::writing(),
            known: Known::default(),
        }
    }

    /// Where the application is mounted, as [`WriterBuilder::base`](crate::WriterBuilder::base) says, for locs that are set and
    /// entries that are added. Those that the document has are not looked at.
    pub fn base(&mut self, base: impl Into<String>) -> &mut Self {
        self.base = Some(base.into());
        self
    }

    /// Whether URLs of other sites than the base's may be set and added. Off by default.
    pub fn cross_submission(&mut self, allowed: bool) -> &mut Self {
        self.cross_submission = allowed;
        self
    }

    /// How large tags, entries and so on may be, and up to how many entries and bytes the document can be added to; the
    /// protocol's 50,000 and 52,428,800 by default. One that has more already can be edited, only not added to.
    pub fn limits(&mut self, limits: Limits) -> &mut Self {
        self.limits = limits;
        self
    }

    /// Makes a namespace of your own known, as [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace): its elements can
    /// be told and removed.
    pub fn namespace(&mut self, prefix: impl AsRef<str>, uri: impl AsRef<str>) -> &mut Self {
        self.known.add(prefix.as_ref(), uri.as_ref());
        self
    }

    /// An editor of what `reader` gives into `writer`.
    pub fn build<R: Read, W: Write>(&self, reader: R, writer: W) -> Editor<R, W> {
        let loc = LocSettings {
            base: self.base.clone(),
            cross_submission: self.cross_submission,
            ..LocSettings::default()
        };
        let reading = self.limits.clone().entries(u64::MAX).bytes(u64::MAX);
        let source = SpliceSource::new(reader, writer);
        let mut document = DocumentReader::new(source, reading, self.known.clone());
        document.keep_end();
        Editor {
            document,
            state: State::New,
            record: Record::new(),
            edits: Edits::default(),
            space: String::new(),
            values: RecordState::new(false, LocRules::new(&loc), self.known.clone()),
            loc,
            known: self.known.clone(),
            limits: self.limits.clone(),
            kind: Kind::UrlSet,
            declared: NamespaceSet::default(),
            entries: 0,
            tail: None,
        }
    }
}

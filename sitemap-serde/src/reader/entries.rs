//! The iterators over the entries of a document.

use std::borrow::{Borrow, BorrowMut};
use std::iter::FusedIterator;

use serde_core::Deserialize;

use crate::de::{EntryDeserializer, fill, lenient_value};
use crate::diagnostic::Diagnostic;
use crate::document::DocumentReader;
use crate::entry::{EntryReader, FromSitemapEntry};
use crate::error::Result;
use crate::loc;
use crate::model::Kind;
use crate::schema::UrlEntry;
use crate::xml::source::{DocumentSource, Window};

use super::{Reader, diagnosed};

/// Iterates over the remaining entries like [`Reader::entries`], but owns the reader, so that a function can return the iterator.
///
/// ```
/// use sitemap_serde::{Reader, Result, UrlEntry};
///
/// fn pages(path: &str) -> Result<impl Iterator<Item = Result<UrlEntry>>> {
///     Ok(Reader::from_path(path)?.into_iter())
/// }
/// assert!(pages("/no/such/file.xml").is_err());
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>"#;
/// for page in Reader::from_str(xml) {
///     assert_eq!(page?.loc, "https://example.com/");
/// }
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl<'de, S: DocumentSource<'de>> IntoIterator for Reader<S> {
    type Item = Result<UrlEntry>;
    type IntoIter = Entries<S>;

    fn into_iter(self) -> Entries<S> {
        Entries::new(self)
    }
}

/// An iterator over the entries of a document. [`Reader::entries`], [`Reader::deserialize`] and [`Reader::read`] return it and
/// borrow the reader; the reader's [`into_iter`](IntoIterator::into_iter) moves the reader into it.
///
/// `T` is the type of an entry; `R` is the reader or a `&mut` of it. Before or between entries, the iterator can be converted for
/// another `T`, which reads the remaining entries.
#[derive(Debug)]
pub struct Entries<S, T = UrlEntry, R = Reader<S>> {
    reader: R,
    /// Reads the next entry; `true` for the first one.
    next: fn(&mut Reader<S>, bool) -> Option<Result<T>>,
    started: bool,
}

impl<'de, S: DocumentSource<'de>, R> Entries<S, UrlEntry, R> {
    pub(super) fn new(reader: R) -> Self {
        Entries {
            reader,
            next: next_entry,
            started: false,
        }
    }
}

impl<'de, S: DocumentSource<'de>, T, R> Entries<S, T, R> {
    fn by<U>(self, next: fn(&mut Reader<S>, bool) -> Option<Result<U>>) -> Entries<S, U, R> {
        Entries {
            reader: self.reader,
            next,
            started: self.started,
        }
    }

    /// Returns each entry of a urlset with its problems; invalid values are dropped.
    ///
    /// A field whose value does not parse is `None`, and the diagnostic has its [text](Diagnostic::found); an invalid image, video
    /// or other extension element is dropped completely. If a field occurs twice, the first value that parses counts. Locs are
    /// returned unchanged, even if they are relative or too long. The diagnostics are in document order.
    ///
    /// An entry without a loc or with two locs is still an error, and so is malformed XML.
    ///
    /// ```
    /// use sitemap_serde::{Reader, Rule};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/</loc><lastmod>yesterday</lastmod><priority>0.5</priority></url>
    /// </urlset>"#;
    /// let mut reader = Reader::from_str(xml);
    /// let (entry, diagnostics) = reader.entries().with_diagnostics().next().unwrap()?;
    /// assert_eq!(entry.lastmod, None);
    /// assert!(entry.priority.is_some());
    /// assert_eq!(diagnostics.len(), 1);
    /// assert_eq!(diagnostics[0].rule(), Rule::Lastmod);
    /// assert_eq!(diagnostics[0].found(), Some("yesterday"));
    /// assert_eq!(diagnostics[0].path(), Some("entry 1 · lastmod"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn with_diagnostics(self) -> Entries<S, (UrlEntry, Vec<Diagnostic>), R> {
        self.by(next_diagnosed)
    }

    /// Reads the entries like [`Reader::deserialize`], in an iterator that owns its reader.
    ///
    /// ```
    /// use sitemap_serde::{IndexEntry, Reader, Result};
    ///
    /// fn sitemaps(path: &str) -> Result<impl Iterator<Item = Result<IndexEntry>>> {
    ///     Ok(Reader::from_path(path)?.into_iter().deserialize())
    /// }
    /// assert!(sitemaps("/no/such/file.xml").is_err());
    /// ```
    pub fn deserialize<U: Deserialize<'de>>(self) -> Entries<S, U, R> {
        self.by(next_deserialized)
    }

    /// Reads the entries like [`Reader::read`], in an iterator that owns its reader.
    pub fn read<U: FromSitemapEntry>(self) -> Entries<S, U, R> {
        self.by(next_read)
    }
}

impl<S, T, R> Entries<S, T, R> {
    /// Returns the reader.
    pub fn into_reader(self) -> R {
        self.reader
    }
}

impl<S, T, R: Borrow<Reader<S>>> Entries<S, T, R> {
    /// The reader, with its [position](Reader::position) and the [diagnostics](Reader::diagnostics) so far.
    pub fn reader(&self) -> &Reader<S> {
        self.reader.borrow()
    }
}

impl<S, T, R: BorrowMut<Reader<S>>> Iterator for Entries<S, T, R> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let is_first = !std::mem::replace(&mut self.started, true);
        loc::afresh(|| (self.next)(self.reader.borrow_mut(), is_first))
    }
}

impl<S, T, R: BorrowMut<Reader<S>>> FusedIterator for Entries<S, T, R> {}

/// Moves to the next record; `None` at the end of the document.
fn next_record<S: Window>(document: &mut DocumentReader<S>) -> Option<Result<()>> {
    match document.next_record() {
        Ok(true) => Some(Ok(())),
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    }
}

fn next_entry<'de, S: DocumentSource<'de>>(
    Reader { document, .. }: &mut Reader<S>,
    is_first: bool,
) -> Option<Result<UrlEntry>> {
    if is_first && let Err(error) = document.expect(Kind::UrlSet) {
        return Some(Err(error));
    }
    if let Err(error) = next_record(document)? {
        return Some(Err(error));
    }
    let mut entry = UrlEntry::new(String::new());
    Some(match fill(&mut entry, document.view()) {
        Ok(()) => Ok(entry),
        Err(_) if document.is_lenient() => Ok(diagnosed::lenient_entry(document)),
        Err(error) => Err(document.in_record(error)),
    })
}

fn next_diagnosed<'de, S: DocumentSource<'de>>(
    Reader { document, .. }: &mut Reader<S>,
    is_first: bool,
) -> Option<Result<(UrlEntry, Vec<Diagnostic>)>> {
    if is_first && let Err(error) = document.expect(Kind::UrlSet) {
        return Some(Err(error));
    }
    let mut errors = Vec::new();
    match document.next_record_with_problems(&mut errors) {
        Ok(true) => {}
        Ok(false) => return None,
        Err(error) => return Some(Err(error)),
    }
    let (entry, diagnostics) = diagnosed::diagnosed(document, document.view(), errors);
    let mut diagnostics = document.report_all(diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.position().map(|position| position.byte()));
    Some(Ok((entry, diagnostics)))
}

fn next_deserialized<'de, S: DocumentSource<'de>, T: Deserialize<'de>>(
    Reader { document, .. }: &mut Reader<S>,
    _: bool,
) -> Option<Result<T>> {
    if let Err(error) = next_record(document)? {
        return Some(Err(error));
    }
    Some(match T::deserialize(EntryDeserializer::new(&document.view())) {
        Ok(value) => Ok(value),
        Err(error) => lenient_value(document, error, |view| {
            T::deserialize(EntryDeserializer::new(view))
        }),
    })
}

fn next_read<'de, S: DocumentSource<'de>, T: FromSitemapEntry>(
    Reader { document, rules }: &mut Reader<S>,
    _: bool,
) -> Option<Result<T>> {
    if document.is_new() {
        let mut known = Ok(());
        T::namespaces(&mut |prefix, uri| {
            if known.is_ok() {
                known = document.know(prefix, uri);
            }
        });
        if let Err(error) = known {
            return Some(Err(error));
        }
    }
    if let Err(error) = next_record(document)? {
        return Some(Err(error));
    }
    let kind = document.known_kind();
    Some(
        match T::from_entry(&EntryReader::new(document.view(), kind, Some(rules))) {
            Ok(value) => Ok(value),
            Err(error) => lenient_value(document, error, |view| {
                T::from_entry(&EntryReader::new(*view, kind, Some(rules)))
            }),
        },
    )
}

//! The iterators over the entries of a document.

use std::borrow::{Borrow, BorrowMut};
use std::iter::FusedIterator;
use std::marker::PhantomData;

use serde_core::Deserialize;

use crate::de::{EntryDeserializer, fill};
use crate::diagnostic::Diagnostic;
use crate::entry::{EntryReader, FromSitemapEntry};
use crate::error::Result;
use crate::model::Kind;
use crate::schema::UrlEntry;
use crate::xml::source::{DocumentSource, Window};

use super::{Reader, diagnosed};

/// Iterates over the remaining entries as [`Reader::entries`] does, and owns the reader, so that a function can return the
/// iterator.
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

/// An iterator over the entries of a urlset, by [`Reader::entries`], which borrows the reader, or the reader's
/// [`into_iter`](IntoIterator::into_iter), which owns it.
///
/// Before or between entries it can be changed into one of the other three, which read the entries that are left.
#[derive(Debug)]
pub struct Entries<S: Window, R = Reader<S>> {
    reader: R,
    /// Whether the document's kind was checked.
    started: bool,
    source: PhantomData<fn() -> S>,
}

impl<S: Window, R> Entries<S, R> {
    pub(super) fn new(reader: R) -> Self {
        Entries {
            reader,
            started: false,
            source: PhantomData,
        }
    }

    /// Returns each entry with its problems: an invalid value is left out, and the entry is kept.
    ///
    /// A field whose value does not parse is `None`, and the diagnostic has its [text](Diagnostic::found); an invalid image,
    /// video or other extension element is left out whole. Of a field that occurs twice the first value that parses counts. A
    /// loc is kept as it was read, even if it is relative or too long. The diagnostics are in document order.
    ///
    /// An entry without a loc or with two, and malformed XML, are still errors.
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
    pub fn with_diagnostics(self) -> EntriesWithDiagnostics<S, R> {
        EntriesWithDiagnostics { entries: self }
    }

    /// Reads the entries as [`Reader::deserialize`] does: for an iterator that owns its reader.
    ///
    /// ```
    /// use sitemap_serde::{IndexEntry, Reader, Result};
    ///
    /// fn sitemaps(path: &str) -> Result<impl Iterator<Item = Result<IndexEntry>>> {
    ///     Ok(Reader::from_path(path)?.into_iter().deserialize())
    /// }
    /// assert!(sitemaps("/no/such/file.xml").is_err());
    /// ```
    pub fn deserialize<'de, T>(self) -> DeserializeEntries<S, T, R>
    where
        S: DocumentSource<'de>,
        T: Deserialize<'de>,
    {
        DeserializeEntries {
            reader: self.reader,
            types: PhantomData,
        }
    }

    /// Reads the entries as [`Reader::read`] does: for an iterator that owns its reader.
    pub fn read<T: FromSitemapEntry>(self) -> ReadEntries<S, T, R> {
        ReadEntries {
            reader: self.reader,
            types: PhantomData,
        }
    }
}

impl<S: Window, R: BorrowMut<Reader<S>>> Entries<S, R> {
    /// Returns an error, once, if the document is an index.
    fn start(&mut self) -> Result<()> {
        if self.started {
            return Ok(());
        }
        self.started = true;
        self.reader.borrow_mut().document.expect(Kind::UrlSet)
    }
}

impl<'de, S: DocumentSource<'de>, R: BorrowMut<Reader<S>>> Iterator for Entries<S, R> {
    type Item = Result<UrlEntry>;

    fn next(&mut self) -> Option<Result<UrlEntry>> {
        if let Err(error) = self.start() {
            return Some(Err(error));
        }
        let document = &mut self.reader.borrow_mut().document;
        match document.next_record() {
            Ok(true) => {
                let mut entry = UrlEntry::new(String::new());
                match fill(&mut entry, document.view()) {
                    Ok(()) => Some(Ok(entry)),
                    Err(_) if document.is_lenient() => Some(Ok(diagnosed::lenient_entry(document))),
                    Err(error) => Some(Err(document.in_record(error))),
                }
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// An iterator over the entries of a urlset with their problems, by [`Entries::with_diagnostics`].
#[derive(Debug)]
pub struct EntriesWithDiagnostics<S: Window, R = Reader<S>> {
    entries: Entries<S, R>,
}

impl<'de, S: DocumentSource<'de>, R: BorrowMut<Reader<S>>> Iterator for EntriesWithDiagnostics<S, R> {
    type Item = Result<(UrlEntry, Vec<Diagnostic>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.entries.start() {
            return Some(Err(error));
        }
        let document = &mut self.entries.reader.borrow_mut().document;
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
}

/// An iterator over the entries of a document as values of `T`, by [`Reader::deserialize`] or [`Entries::deserialize`].
#[derive(Debug)]
pub struct DeserializeEntries<S: Window, T, R = Reader<S>> {
    reader: R,
    types: PhantomData<fn() -> (S, T)>,
}

impl<'de, S, T, R> Iterator for DeserializeEntries<S, T, R>
where
    S: DocumentSource<'de>,
    T: Deserialize<'de>,
    R: BorrowMut<Reader<S>>,
{
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let document = &mut self.reader.borrow_mut().document;
        match document.next_record() {
            Ok(true) => {
                let value = T::deserialize(EntryDeserializer::new(&document.view()));
                match value {
                    Ok(value) => Some(Ok(value)),
                    Err(error) => Some(diagnosed::lenient_value(document, error, |view| {
                        T::deserialize(EntryDeserializer::new(view))
                    })),
                }
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// An iterator over the entries of a document as values of `T`, by [`Reader::read`] or [`Entries::read`].
#[derive(Debug)]
pub struct ReadEntries<S: Window, T, R = Reader<S>> {
    reader: R,
    types: PhantomData<fn() -> (S, T)>,
}

impl<'de, S, T, R> Iterator for ReadEntries<S, T, R>
where
    S: DocumentSource<'de>,
    T: FromSitemapEntry,
    R: BorrowMut<Reader<S>>,
{
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let Reader { document, rules } = self.reader.borrow_mut();
        match document.next_record() {
            Ok(true) => {
                let kind = document.known_kind();
                let value = T::from_entry(&EntryReader::new(document.view(), kind, Some(rules)));
                match value {
                    Ok(value) => Some(Ok(value)),
                    Err(error) => Some(diagnosed::lenient_value(document, error, |view| {
                        T::from_entry(&EntryReader::new(*view, kind, Some(rules)))
                    })),
                }
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// What all of them have beside `next`. `R` is the reader, or a `&mut` of it.
macro_rules! over_reader {
    ($name:ident<$($type:ident),*> $($reader:ident).+) => {
        impl<S: Window, $($type,)* R> $name<S, $($type,)* R> {
            /// Returns the reader.
            pub fn into_reader(self) -> R {
                self.$($reader).+
            }
        }

        impl<S: Window, $($type,)* R: Borrow<Reader<S>>> $name<S, $($type,)* R> {
            /// The reader, with its [position](Reader::position) and the [diagnostics](Reader::diagnostics) so far.
            pub fn reader(&self) -> &Reader<S> {
                self.$($reader).+.borrow()
            }
        }

        impl<S: Window, $($type,)* R> FusedIterator for $name<S, $($type,)* R> where Self: Iterator {}
    };
}
over_reader!(Entries<> reader);
over_reader!(EntriesWithDiagnostics<> entries.reader);
over_reader!(DeserializeEntries<T> reader);
over_reader!(ReadEntries<T> reader);

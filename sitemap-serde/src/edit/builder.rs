//! Settings of an editor.

use std::io::{Read, Write};

use crate::document::DocumentReader;
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::reader::Record;
use crate::record::RecordState;
use crate::xml::names::{KnownNamespaces, NamespaceSet};
use crate::xml::source::SpliceSource;

use super::changes::Edits;
use super::{Editor, State};

/// Builder of an [`Editor`]. The settings for locs and added entries are the same as in
/// [`WriterBuilder`](crate::WriterBuilder); existing entries are not checked.
///
/// ```
/// use sitemap_serde::{UrlEntry, edit::EditorBuilder};
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
    loc: LocSettings,
    limits: Limits,
    known: KnownNamespaces,
}

impl Default for EditorBuilder {
    fn default() -> Self {
        EditorBuilder::new()
    }
}

impl EditorBuilder {
    /// Makes a builder with the protocol's limits and no base.
    pub fn new() -> Self {
        EditorBuilder {
            loc: LocSettings::default(),
            limits: Limits::writing(),
            known: KnownNamespaces::default(),
        }
    }

    /// See [`WriterBuilder::base`](crate::WriterBuilder::base).
    pub fn base(&mut self, base: impl Into<String>) -> &mut Self {
        self.loc.base = Some(base.into());
        self
    }

    /// See [`WriterBuilder::location`](crate::WriterBuilder::location).
    pub fn location(&mut self, location: impl Into<String>) -> &mut Self {
        self.loc.location = Some(location.into());
        self
    }

    /// See [`WriterBuilder::cross_submission`](crate::WriterBuilder::cross_submission).
    pub fn cross_submission(&mut self, allowed: bool) -> &mut Self {
        self.loc.cross_submission = allowed;
        self
    }

    /// See [`WriterBuilder::encoding`](crate::WriterBuilder::encoding).
    pub fn encoding(&mut self, name: impl Into<String>) -> &mut Self {
        self.loc.encoding = Some(name.into());
        self
    }

    /// See [`WriterBuilder::lowercase_hex`](crate::WriterBuilder::lowercase_hex).
    pub fn lowercase_hex(&mut self, lowercase: bool) -> &mut Self {
        self.loc.lowercase_hex = lowercase;
        self
    }

    /// See [`WriterBuilder::limits`](crate::WriterBuilder::limits). A document with more entries or bytes can be edited, but
    /// not added to.
    pub fn limits(&mut self, limits: Limits) -> &mut Self {
        self.limits = limits;
        self
    }

    /// Adds a namespace like [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace), so that its elements can be found
    /// and removed by name.
    pub fn namespace(&mut self, prefix: impl AsRef<str>, uri: impl AsRef<str>) -> &mut Self {
        self.known.add(prefix.as_ref(), uri.as_ref());
        self
    }

    /// Makes an editor that reads from `reader` and writes to `writer`.
    pub fn build<R: Read, W: Write>(&self, reader: R, writer: W) -> Editor<R, W> {
        let reading = self.limits.clone().with_entries(u64::MAX).with_bytes(u64::MAX);
        let source = SpliceSource::new(reader, writer);
        let mut document = DocumentReader::new(source, reading, self.known.clone());
        document.keep_end();
        Editor {
            document,
            state: State::New,
            record: Record::new(),
            edits: Edits::default(),
            space: String::new(),
            gap: None,
            values: RecordState::new(false, LocRules::new(&self.loc), self.known.clone()),
            loc: self.loc.clone(),
            known: self.known.clone(),
            limits: self.limits.clone(),
            kind: Kind::UrlSet,
            root: 0,
            declared: NamespaceSet::default(),
            entries: 0,
            offered: 0,
            news: 0,
            tail: None,
        }
    }
}

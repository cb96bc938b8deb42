//! How an editor is set up.

use std::io::{Read, Write};

use crate::document::DocumentReader;
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::reader::Record;
use crate::record::RecordState;
use crate::xml::names::{Known, NamespaceSet};
use crate::xml::source::SpliceSource;

use super::changes::Edits;
use super::{Editor, State};

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
            gap: None,
            values: RecordState::new(false, LocRules::new(&loc), self.known.clone()),
            loc,
            known: self.known.clone(),
            limits: self.limits.clone(),
            kind: Kind::UrlSet,
            declared: NamespaceSet::default(),
            entries: 0,
            news: 0,
            tail: None,
        }
    }
}

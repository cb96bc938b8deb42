//! An editor by the settings of a writer.

use std::io::{Read, Write};

use crate::document::DocumentReader;
use crate::loc::LocRules;
use crate::model::Kind;
use crate::reader::Record;
use crate::record::RecordState;
use crate::writer::{EditorSettings, WriterBuilder};
use crate::xml::names::NamespaceSet;
use crate::xml::source::SpliceSource;

use super::changes::Edits;
use super::{Editor, State};

/// Editing a document by the same settings.
impl WriterBuilder {
    /// Makes an editor that reads from `reader` and writes to `writer`. The settings apply to the locs and the entries that it adds; existing
    /// entries are not checked. A document with more entries or bytes than the [limits](Self::limits) can be edited, but not added to.
    ///
    /// The document itself decides its kind and its style, so [`kind`](Self::kind), [`pretty`](Self::pretty), [`stylesheet`](Self::stylesheet),
    /// [`declare`](Self::declare), [`lastmod_precision`](Self::lastmod_precision), [`check_alternates`](Self::check_alternates),
    /// [`on_invalid`](Self::on_invalid) and [`on_problem`](Self::on_problem) are errors at its root.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>";
    /// let mut editor = WriterBuilder::new().base("https://example.com").editor(xml.as_bytes(), Vec::new());
    /// editor.add(&UrlEntry::new("/about"))?;
    /// assert_eq!(
    ///     String::from_utf8(editor.finish()?).unwrap(),
    ///     "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
    ///      <url><loc>https://example.com/about</loc></url></urlset>"
    /// );
    ///
    /// let mut editor = WriterBuilder::new().pretty(true).editor(xml.as_bytes(), Vec::new());
    /// assert_eq!(
    ///     editor.kind().unwrap_err().to_string(),
    ///     "the setting `pretty` does nothing in an editor; drop the setting"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn editor<R: Read, W: Write>(&self, reader: R, writer: W) -> Editor<R, W> {
        let EditorSettings {
            loc,
            limits,
            known,
            useless,
        } = self.editor_settings();
        let reading = limits.clone().with_entries(u64::MAX).with_bytes(u64::MAX);
        let source = SpliceSource::new(reader, writer);
        // Elements are removed by their names, which a text of a whole element does not have.
        let mut named = known.clone();
        named.keep_raw(false);
        let mut document = DocumentReader::new(source, reading, named);
        document.keep_end();
        if let Some(name) = useless {
            document.refuse_setting(name, "an editor", "drop the setting");
        }
        Editor {
            document,
            state: State::New,
            record: Record::new(),
            edits: Edits::default(),
            space: String::new(),
            gap: None,
            values: RecordState::new(false, LocRules::new(&loc), known.clone()),
            loc,
            known,
            limits,
            kind: Kind::UrlSet,
            root: 0,
            root_end: 0,
            root_name: String::new(),
            declared: NamespaceSet::default(),
            entries: 0,
            offered: 0,
            news: 0,
            tail: None,
        }
    }
}

//! `EntryEditor`: reads and changes one entry.

use std::ops::Range;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::entry::{ToLastmod, ToPriority};
use crate::error::{Error, Message, Result, Step, Suggestion};
use crate::model::Kind;
use crate::reader::Record;
use crate::record::{RecordState, RecordWriter, Slot, unknown_prefix};
use crate::schema::{self, field_meant};
use crate::xml::names::{NamespaceSet, split, split_expanded};

use super::changes::{Change, Edits, Text};

const VIDEO: &str = "video:video";

/// An entry of an edited document; see [`Editor::next_entry`](crate::Editor::next_entry).
///
/// Getters return the values that were read, not the values that were set. Setting a value again replaces the value set before.
#[derive(Debug)]
pub struct EntryEditor<'e> {
    pub(super) record: &'e Record,
    pub(super) edits: &'e mut Edits,
    pub(super) values: &'e mut RecordState,
    pub(super) kind: Kind,
}

impl EntryEditor<'_> {
    /// The record of the entry, before any change.
    pub fn record(&self) -> &Record {
        self.record
    }

    /// The entry's loc, before any change.
    pub fn loc(&self) -> &str {
        self.record.loc()
    }

    /// Sets `loc`, `lastmod`, `changefreq` or `priority` to a value given as text. An empty text removes the element.
    ///
    /// A loc is resolved against the base, percent-encoded, and checked like the writer's, also against the entry's videos (P-VID2, P-VID9),
    /// unless they were removed before.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the value breaks the element's rule, if an index may not have the element
    /// (P-INDEXTAGS), if a loc is empty, or if no element with this name can be set. The entry is then unchanged, and remains usable.
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
            let message = Message::new(format!(
                "{} cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can",
                quote(name)
            ));
            let message = match field_meant(name).filter(|meant| Slot::from_name(meant).is_some()) {
                Some(meant) => message.advice(format!("did you mean `{meant}`?")),
                None => message.advice("remove it, or delete the entry and add it again"),
            };
            return Err(Error::data(message)
                .within(Step::other(name))
                .of_loc(self.record.loc())
                .in_entry(self.record.number()));
        };
        self.put(slot, |mut record| record.text(slot, value.as_ref()))
    }

    /// Sets the lastmod to a date of any type that a lastmod may have; `None` removes the element.
    ///
    /// # Errors
    /// See [`EntryWriter::lastmod`](crate::EntryWriter::lastmod).
    pub fn set_lastmod(&mut self, lastmod: impl ToLastmod) -> Result<()> {
        self.put(Slot::Lastmod, |mut record| {
            let lastmod = lastmod.to_lastmod().map_err(|error| error.within("lastmod"))?;
            lastmod.map_or(Ok(()), |lastmod| record.lastmod(&lastmod))
        })
    }

    /// Sets the priority to a number, which is rounded as by the writer; `None` removes the element.
    ///
    /// # Errors
    /// See [`EntryWriter::priority`](crate::EntryWriter::priority).
    pub fn set_priority(&mut self, priority: impl ToPriority) -> Result<()> {
        self.put(Slot::Priority, |mut record| {
            let priority = priority.to_priority().map_err(|error| error.within("priority"))?;
            priority.map_or(Ok(()), |priority| record.priority(priority))
        })
    }

    fn put(&mut self, slot: Slot, give: impl FnOnce(RecordWriter<'_>) -> Result<()>) -> Result<()> {
        let (number, loc) = (self.record.number(), self.record.loc());
        let of_entry = |error: Error| error.of_loc(loc).in_entry(number);
        give(RecordWriter::below(
            self.values,
            self.kind,
            NamespaceSet::default(),
        ))
        .map_err(of_entry)?;
        let elements = &self.values.elements;
        let change = match elements.value(slot) {
            Some(escaped) => {
                // Only a loc has characters to escape.
                let raw = match slot {
                    Slot::Loc => elements.url(),
                    _ => escaped,
                };
                let text = Text {
                    raw: raw.to_owned(),
                    escaped: escaped.to_owned(),
                };
                if slot == Slot::Loc {
                    self.check_videos().map_err(of_entry)?;
                }
                Change::Set(text)
            }
            // An empty loc is an error already.
            None => Change::Remove,
        };
        self.edits.change(slot, change);
        Ok(())
    }

    /// Checks the new loc against the videos that are not removed (P-VID2, P-VID9).
    fn check_videos(&mut self) -> Result<()> {
        if !self.edits.keeps(self.record, VIDEO) {
            return Ok(());
        }
        let videos = self.record.fields().filter(|field| field.name() == VIDEO);
        let addresses = videos.enumerate().flat_map(|(i, video)| {
            video.fields().filter_map(move |part| match part.name() {
                "video:content_loc" => Some((schema::CONTENT_LOC, i, part.text())),
                "video:player_loc" => Some((schema::PLAYER_URL, i, part.text())),
                "video:uploader" => Some((schema::INFO, i, part.get("@info")?)),
                _ => None,
            })
        });
        self.values.check_videos(addresses)
    }

    /// Removes all elements of the entry with this name (`priority`, `image:image`), and returns `true` if there were any. The name may be
    /// one that the schema does not have. An element of your own namespace has the prefix of
    /// [`WriterBuilder::namespace`](crate::WriterBuilder::namespace), whatever its prefix in the document.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) for `loc`, which every entry has, and for an attribute;
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if no namespace is known by the prefix.
    ///
    /// ```
    /// use sitemap_serde::{Editor, WriterBuilder};
    ///
    /// let xml = "<urlset xmlns:s='urn:shop'><url><loc>https://example.com/</loc><expires>2027</expires><s:stock>5</s:stock></url></urlset>";
    /// let mut editor = WriterBuilder::new().namespace("shop", "urn:shop").editor(xml.as_bytes(), Vec::new());
    /// while let Some(mut entry) = editor.next_entry()? {
    ///     assert!(entry.remove("expires")? && entry.remove("shop:stock")?);
    ///     assert!(entry.remove("s:stock").is_err());
    /// }
    /// assert!(editor.finish()?.ends_with(b"<url><loc>https://example.com/</loc></url></urlset>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn remove(&mut self, name: &str) -> Result<bool> {
        match Slot::from_name(name) {
            Some(Slot::Loc) => return Err(self.without_loc()),
            Some(slot) => self.edits.change(slot, Change::Remove),
            None => {
                self.check_name(name)?;
                self.edits.remove(name);
            }
        }
        Ok(self.record.get(name).is_some())
    }

    /// Returns an error for a name that no element of an entry can have here.
    fn check_name(&self, name: &str) -> Result<()> {
        let known = &self.values.known;
        let (prefix, _) = split(name);
        let error = if name.starts_with(['@', '$']) {
            let message = Message::new(format!("{} is not an element", quote(name)));
            Error::data(message.advice("remove the element that it belongs to"))
        } else if known.has_expanded_names() && split_expanded(name).is_some()
            || prefix.is_empty()
            || known.of_prefix(prefix).is_some()
        {
            return Ok(());
        } else {
            unknown_prefix(name, prefix)
        };
        let error = error.within(Step::other(name));
        Err(error.of_loc(self.record.loc()).in_entry(self.record.number()))
    }

    #[cold]
    fn without_loc(&self) -> Error {
        Error::data(
            Message::new(format!("no `loc`: every `{}` has exactly one", self.kind.entry()))
                .advice("delete the entry, or give it another URL"),
        )
        .breaks(Rule::Dup)
        .within(Slot::Loc.name())
        .of_loc(self.record.loc())
        .in_entry(self.record.number())
    }

    /// Applies the suggestion of a [lint](crate::lint) to the entry: replaces a range of its bytes. Returns `true` if it was applied.
    /// Returns `false` if its place is unknown or in another entry, contains other text, or overlaps a part that was replaced, set or removed.
    /// Setting or removing a value afterwards takes precedence.
    ///
    /// ```
    /// use sitemap_serde::Editor;
    /// use sitemap_serde::lint::Linter;
    ///
    /// let xml = "<urlset><url><loc>https://example.com/</loc><lastmod>2026/5/1</lastmod></url></urlset>";
    /// let diagnostics = Linter::new().check(xml.as_bytes());
    /// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    /// while let Some(mut entry) = editor.next_entry()? {
    ///     for suggestion in diagnostics.iter().filter_map(|found| found.suggestion()) {
    ///         assert!(entry.replace(suggestion));
    ///     }
    /// }
    /// assert_eq!(editor.finish()?, xml.replace("2026/5/1", "2026-05-01").as_bytes());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn replace(&mut self, suggestion: &Suggestion) -> bool {
        let (Some(Range { start, end }), Some(old), Some(new)) = (
            suggestion.byte_range(),
            suggestion.old_text(),
            suggestion.new_text(),
        ) else {
            return false;
        };
        let entry = self.record.byte_range().start;
        let offset = |byte: u64| usize::try_from(byte.checked_sub(entry)?).ok();
        let (Some(start), Some(end)) = (offset(start), offset(end)) else {
            return false;
        };
        self.record.source().get(start..end) == Some(old) && self.edits.replace(self.record, start..end, new)
    }

    /// Deletes the entry: it is omitted from the output, and its other changes are ignored.
    pub fn delete(self) {
        self.edits.delete();
    }
}

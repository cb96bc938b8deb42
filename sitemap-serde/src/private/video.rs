//! Writing a video part by part, from templates, fields and functions.

use std::fmt::{self, Write as _};

use sitemap_values::W3cDateTime;

use super::Placeholder;
use crate::entry::{EntryWriter, LocWriter};
use crate::error::{Error, Result};
use crate::record::RecordWriter;
use crate::schema::{Name, ValueKind};

/// A part of a video: one of its elements.
#[derive(Clone, Copy, Debug)]
pub struct VideoPart(Name);

impl VideoPart {
    /// The part with this name, for a `const` in derived code.
    ///
    /// # Panics
    /// If the schema has no element with this name.
    pub const fn named(name: &str) -> VideoPart {
        VideoPart(Name::named(name))
    }
}

/// Writes a video. After an error, nothing of it is written.
pub fn video(
    entry: &mut EntryWriter<'_>,
    write: impl FnOnce(&mut VideoWriter<'_, '_>) -> Result<()>,
) -> Result<()> {
    entry.video_parts(|record| write(&mut VideoWriter { record }))
}

/// Writes the parts of one video, in the schema's order.
#[derive(Debug)]
pub struct VideoWriter<'w, 'a> {
    record: &'w mut RecordWriter<'a>,
}

impl VideoWriter<'_, '_> {
    /// Writes a URL that `build` puts together from literals and values.
    pub fn url(
        &mut self,
        part: VideoPart,
        build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>,
    ) -> Result<()> {
        let parts = crate::entry::parts(build);
        self.record
            .link_template(part.0.shown(), parts, |record, url| put(record, part, url))
    }

    /// Writes a text that `build` puts together from literals and values.
    pub fn text(
        &mut self,
        part: VideoPart,
        build: impl FnOnce(&mut TextWriter<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut text = std::mem::take(self.record.scratch());
        text.clear();
        let result = build(&mut TextWriter { text: &mut text }).and_then(|()| {
            let text = match (part.0.row().map(|row| row.kind), text.as_str()) {
                // As Rust displays a bool.
                (Some(ValueKind::YesNo), "true") => "yes",
                (Some(ValueKind::YesNo), "false") => "no",
                (_, text) => text,
            };
            put(self.record, part, text)
        });
        *self.record.scratch() = text;
        result
    }

    /// Writes a URL or a text, or nothing for `None`.
    pub fn loc(&mut self, part: VideoPart, loc: Option<&str>) -> Result<()> {
        loc.map_or(Ok(()), |loc| put(self.record, part, loc))
    }

    /// Writes a date, or nothing for `None`.
    pub fn date(&mut self, part: VideoPart, date: Result<Option<W3cDateTime>>) -> Result<()> {
        match date {
            Ok(Some(date)) => self.text(part, |text| text.display(date)),
            Ok(None) => Ok(()),
            Err(error) => Err(within(part, error)),
        }
    }

    /// Writes the return value of a function, or nothing for `None`.
    pub fn value<K>(&mut self, part: VideoPart, value: &(impl Placeholder<K> + ?Sized)) -> Result<()> {
        if value.is_present() {
            return self.text(part, |text| value.text(text, "value"));
        }
        Ok(())
    }
}

/// Adds the part of the video to an error.
pub fn within_part<T>(value: Result<T>, part: VideoPart) -> Result<T> {
    value.map_err(|error| within(part, error))
}

#[cold]
fn within(part: VideoPart, error: Error) -> Error {
    error.within(part.0.shown())
}

/// Writes an element with a text: as the element's own, or as that of the schema's row for it.
fn put(record: &mut RecordWriter<'_>, part: VideoPart, text: &str) -> Result<()> {
    match part.0.group().and_then(|group| group.text) {
        None => record.part(part.0, text),
        Some(_) if crate::xml::trim(text).is_empty() => Ok(()),
        Some(own) => record
            .element_with(part.0, |record| record.part(own, text))
            .map_err(|error| within(part, error)),
    }
}

/// Builds a text.
#[derive(Debug)]
pub struct TextWriter<'t> {
    text: &'t mut String,
}

impl TextWriter<'_> {
    /// Appends a literal of the template.
    pub fn literal(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a value.
    pub fn display(&mut self, value: impl fmt::Display) -> Result<()> {
        write!(self.text, "{value}")
            .map_err(|_| Error::custom("a value of the text could not be displayed: its `Display` failed"))
    }
}

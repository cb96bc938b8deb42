//! Writing an image, a video or an article part by part, from templates, fields and functions.

use std::fmt::{self, Write as _};

use sitemap_values::W3cDateTime;

use super::Placeholder;
use crate::entry::{EntryWriter, LocWriter};
use crate::error::{Error, Result};
use crate::record::RecordWriter;
use crate::schema::{Name, ValueKind};

/// An image, a video or an article, or a part of it.
#[derive(Clone, Copy, Debug)]
pub struct Part(Name);

impl Part {
    /// The part with this name, for a `const` in derived code.
    ///
    /// # Panics
    /// If the schema has no element with this name.
    pub const fn named(name: &str) -> Part {
        Part(Name::named(name))
    }
}

/// Writes an element part by part. After an error, nothing of it is written.
pub fn parts(
    entry: &mut EntryWriter<'_>,
    element: Part,
    write: impl FnOnce(&mut PartsWriter<'_, '_>) -> Result<()>,
) -> Result<()> {
    entry.parts(element.0, |record| {
        let mut writer = PartsWriter {
            record,
            element: element.0,
            open: None,
        };
        write(&mut writer)?;
        writer.close()
    })
}

/// Writes the parts of one element, in the schema's order.
#[derive(Debug)]
pub struct PartsWriter<'w, 'a> {
    record: &'w mut RecordWriter<'a>,
    element: Name,
    /// The element in it that is open, as an article's publication is, whose parts are written as the article's.
    open: Option<Name>,
}

impl PartsWriter<'_, '_> {
    /// Writes a URL that `build` builds from literals and values.
    pub fn url(&mut self, part: Part, build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>) -> Result<()> {
        self.enter(part)?;
        let parts = crate::entry::parts(build);
        let written = self
            .record
            .link_template(part.0.shown(), parts, |record, url| put(record, part, url));
        self.within_open(written)
    }

    /// Writes a text that `build` builds from literals and values.
    pub fn text(&mut self, part: Part, build: impl FnOnce(&mut TextWriter<'_>) -> Result<()>) -> Result<()> {
        self.enter(part)?;
        let mut text = std::mem::take(self.record.scratch());
        text.clear();
        let result = build(&mut TextWriter::of(&mut text)).and_then(|()| {
            let text = match (part.0.row().map(|row| row.kind), text.as_str()) {
                // Rust displays a bool like this.
                (Some(ValueKind::YesNo), "true") => "yes",
                (Some(ValueKind::YesNo), "false") => "no",
                (_, text) => text,
            };
            put(self.record, part, text)
        });
        *self.record.scratch() = text;
        self.within_open(result)
    }

    /// Writes a URL or a text, or nothing for `None`.
    pub fn loc(&mut self, part: Part, loc: Option<&str>) -> Result<()> {
        let Some(loc) = loc else { return Ok(()) };
        self.enter(part)?;
        let written = put(self.record, part, loc);
        self.within_open(written)
    }

    /// Writes a date, or nothing for `None`.
    pub fn date(&mut self, part: Part, date: Result<Option<W3cDateTime>>) -> Result<()> {
        match date {
            Ok(Some(date)) => self.text(part, |text| text.display(date)),
            Ok(None) => Ok(()),
            Err(error) => Err(within(part, error)),
        }
    }

    /// Writes the return value of a function, or nothing for `None`.
    pub fn value<K>(&mut self, part: Part, value: &(impl Placeholder<K> + ?Sized)) -> Result<()> {
        if value.is_present() {
            return self.text(part, |text| value.text(text, "value"));
        }
        Ok(())
    }
}

impl PartsWriter<'_, '_> {
    /// Opens the element that the part is in, and closes another one.
    fn enter(&mut self, part: Part) -> Result<()> {
        let parent = part.0.row().and_then(|row| row.parent);
        let parent = parent.filter(|parent| *parent != self.element);
        if parent == self.open {
            return Ok(());
        }
        self.close()?;
        if let Some(parent) = parent {
            self.record.open(parent.into())?;
            self.open = Some(parent);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        match self.open {
            None => Ok(()),
            Some(_) => {
                let closed = self.record.close();
                let closed = self.within_open(closed);
                self.open = None;
                closed
            }
        }
    }

    /// Adds the open element to an error.
    fn within_open(&self, written: Result<()>) -> Result<()> {
        match self.open {
            None => written,
            Some(open) => written.map_err(|error| within(Part(open), error)),
        }
    }
}

/// Adds the part to an error.
pub fn within_part<T>(value: Result<T>, part: Part) -> Result<T> {
    value.map_err(|error| within(part, error))
}

#[cold]
fn within(part: Part, error: Error) -> Error {
    error.within(part.0.shown())
}

/// Writes an element with a text, as its own text or as the schema's row for it requires.
fn put(record: &mut RecordWriter<'_>, part: Part, text: &str) -> Result<()> {
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

impl<'t> TextWriter<'t> {
    pub(super) fn of(text: &'t mut String) -> Self {
        TextWriter { text }
    }
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

//! Reads the entries that a command writes again. Reports and counts what cannot be read.

use std::io::Read;

use anyhow::{Context, Result};
use sitemap_serde::format::Format;
use sitemap_serde::iter::Field;
use sitemap_serde::source::StreamSource;
use sitemap_serde::{
    Diagnostic, Error, ErrorKind, Kind, Mode, Reader, ReaderBuilder, Record, UrlEntry, WriterBuilder,
};

use crate::filters;
use crate::formats::{RowReader, row_mode};
use crate::input::{Input, error_text};
use crate::malformed::unreadable;
use crate::omitted::{Losses, OnInvalid, is_cut, with_place};

/// The advice for malformed documents in commands that write entries again.
const LENIENT: &str = "--lenient reads what can be read";

/// The entries of a document, including an index.
pub(crate) struct Entries {
    name: String,
    reader: Reader<StreamSource<Box<dyn Read>>>,
    record: Record,
    is_lenient: bool,
    /// The URL of the site, used to complete URLs that are paths.
    base: Option<String>,
    /// `true` if strict reading drops invalid values and keeps their entries.
    drops_values: bool,
    /// Reads entries that strict reading refuses.
    rows: RowReader,
    kind: Kind,
    format: Format,
    /// The number of the last entry.
    last: u64,
    /// Number of problems without a diagnostic.
    unlisted: u64,
}

impl Entries {
    /// Opens a document. Lenient reading leaves out invalid values and repairs malformed XML.
    pub(crate) fn of(input: &Input, is_lenient: bool, on_invalid: OnInvalid) -> Result<Self> {
        let opened = input
            .open_any()
            .with_context(|| format!("cannot open {}", input.name))?;
        let mut builder = ReaderBuilder::new();
        // The names are reported.
        builder
            .other_formats(true)
            .expanded_names(true)
            .note_ignored(true);
        if is_lenient {
            builder.mode(Mode::Correcting);
        }
        let mut reader = builder.from_reader(opened);
        let unreadable = |error| Self::unreadable(&input.name, error, is_lenient);
        let kind = reader.kind().map_err(unreadable)?;
        let format = reader.format().map_err(unreadable)?;
        Ok(Entries {
            name: input.name.clone(),
            reader,
            record: Record::new(),
            is_lenient,
            base: None,
            drops_values: !is_lenient && on_invalid == OnInvalid::Drop,
            rows: RowReader::new(row_mode(is_lenient, on_invalid)),
            kind,
            format,
            last: 0,
            unlisted: 0,
        })
    }

    /// Returns the error of a document that cannot be read to its end.
    fn unreadable(name: &str, error: Error, is_lenient: bool) -> anyhow::Error {
        if is_lenient {
            anyhow::Error::from(error).context(name.to_owned())
        } else {
            unreadable(name, error, LENIENT)
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns `true` for a text sitemap, which does not distinguish pages from sitemaps.
    pub(crate) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Completes URLs of extensions that are paths with the URL of the site. Keeps such locs, which the writer completes.
    pub(crate) fn complete(&mut self, base: &str) {
        self.base = Some(base.to_owned());
    }

    /// Returns the number of the last entry, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.last
    }

    /// Returns the next readable entry; `None` at the end.
    ///
    /// # Errors
    /// The document cannot be read to its end, or an invalid value ends the command.
    pub(crate) fn next(&mut self, losses: &mut Losses) -> Result<Option<UrlEntry>> {
        loop {
            let entry = self.read(losses)?;
            let is_skipped = losses.take_skipped();
            losses.check()?;
            if entry.is_none() || !is_skipped {
                return Ok(entry);
            }
        }
    }

    fn read(&mut self, losses: &mut Losses) -> Result<Option<UrlEntry>> {
        loop {
            let found = self.reader.read_record(&mut self.record);
            self.report_ignored(losses);
            let read = match found {
                Ok(true) if !filters::keeps(self.record.loc(), self.record.get("lastmod")) => {
                    let number = self.record.number();
                    self.report(Some(number), losses);
                    self.last = number;
                    continue;
                }
                Ok(true) if self.base.is_some() && has_path(&self.record) => {
                    self.report(Some(self.record.number()), losses);
                    if let Some(entry) = self.row(losses) {
                        return Ok(Some(entry));
                    }
                    continue;
                }
                Ok(true) => match self.reader.diagnose(&self.record) {
                    Err(error) if self.drops_values && error.kind() == ErrorKind::Data && self.has_loc() => {
                        if let Some(entry) = self.row(losses) {
                            return Ok(Some(entry));
                        }
                        continue;
                    }
                    read => read.map(Some),
                },
                Ok(false) => Ok(None),
                Err(error) => Err(error),
            };
            match read {
                Ok(Some(entry)) => {
                    let number = self.record.number();
                    self.report(Some(number), losses);
                    self.last = number;
                    return Ok(Some(entry));
                }
                Ok(None) => {
                    self.report(None, losses);
                    return Ok(None);
                }
                Err(error) if error.kind() == ErrorKind::Data && !error.ends_reading() => {
                    match error.entry() {
                        Some(entry) => {
                            self.last = self.last.max(entry);
                            losses.entry(&self.name, error);
                        }
                        // An element between entries.
                        None => losses.element(&self.name, error),
                    }
                }
                Err(error) => return Err(Self::unreadable(&self.name, error, self.is_lenient)),
            }
        }
    }

    /// Reports the content of the last entry that is ignored: its unknown names, and in strict reading its texts.
    fn report_ignored(&mut self, losses: &mut Losses) {
        losses.unknown.push_record(&self.record, self.format);
        let (texts, more) = self.reader.take_ignored();
        for text in &texts {
            losses.ignored(&self.name, text);
        }
        losses.unlisted(more);
    }

    /// Returns `true` if the loc of the last entry is valid.
    fn has_loc(&self) -> bool {
        let entry = UrlEntry::new(self.record.loc());
        WriterBuilder::new().to_entries(&entry).is_ok()
    }

    /// Returns the last entry as a row, because strict reading refuses it. Reports all its problems except in the loc.
    fn row(&mut self, losses: &mut Losses) -> Option<UrlEntry> {
        self.last = self.record.number();
        let place = format!("{}, entry {}", self.name, self.last);
        self.rows.read_record(&self.record);
        let completed = self.base.as_ref().map_or(Ok(()), |base| self.rows.complete(base));
        match completed.and_then(|()| self.rows.entry()) {
            Ok(row) => Some(losses.row(&place, row)),
            Err(error) => {
                losses.entry(&place, error_text(&error));
                None
            }
        }
    }

    /// Reports the losses of lenient reading since the last entry: values of this entry, and the entries before it. `None` reports all
    /// remaining ones at the end.
    fn report(&mut self, number: Option<u64>, losses: &mut Losses) {
        if !self.is_lenient {
            return;
        }
        let (name, last) = (&self.name, self.last);
        let diagnostics = self.reader.take_diagnostics();
        let reported = diagnostics.iter().filter_map(Diagnostic::entry).max();
        let end = number.map_or(reported.unwrap_or_default(), |number| number - 1);
        losses.entries += end.saturating_sub(last);
        for diagnostic in &diagnostics {
            let is_lost = |entry: u64| last < entry && entry <= end;
            if is_cut(diagnostic) {
                losses.cut(name, &with_place(diagnostic));
            } else if diagnostic.entry().is_some_and(is_lost) {
                losses.lost(name, &with_place(diagnostic));
            } else if diagnostic.is_loss() {
                losses.value(name, &with_place(diagnostic));
            } else {
                losses.repairs += 1;
            }
        }
        let unlisted = self.reader.dropped_diagnostics() - self.unlisted;
        self.unlisted += unlisted;
        losses.unlisted(unlisted);
    }
}

/// Returns `true` if the loc, or another value that may be a URL, is a path.
fn has_path(record: &Record) -> bool {
    record.loc().starts_with('/') || record.fields().any(is_path_in)
}

fn is_path_in(field: Field<'_>) -> bool {
    field.text().starts_with('/') || field.fields().any(is_path_in)
}

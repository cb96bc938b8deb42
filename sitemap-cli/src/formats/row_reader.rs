//! Reads rows as the entries of one document, because a document per row would take several times as long.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

use anyhow::{Result, anyhow, bail};
use sitemap_serde::format::EXTENSIONS;
use sitemap_serde::source::StreamSource;
use sitemap_serde::{Diagnostic, Error, Kind, Mode, Reader, ReaderBuilder, Record, UrlEntry};

use crate::omitted::{OnInvalid, UnknownNames, outcome};

use super::EntryElement;

/// Reads rows as entries.
pub(crate) struct RowReader {
    settings: ReaderBuilder,
    is_lenient: bool,
    document: Document,
    reader: Reader<StreamSource<Box<dyn Read>>>,
    record: Record,
}

/// The result of reading an entry.
#[derive(Debug)]
pub(crate) struct RowEntry {
    pub(crate) entry: UrlEntry,
    pub(crate) kind: Option<Kind>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The problems of values that are missing from the entry.
    pub(crate) problems: Vec<String>,
    /// Number of problems without a diagnostic.
    pub(crate) unlisted: u64,
    pub(crate) unknown: UnknownNames,
}

/// Returns the mode for rows: `--lenient` corrects values; otherwise the policy may drop them.
pub(crate) fn row_mode(is_lenient: bool, on_invalid: OnInvalid) -> Mode {
    match on_invalid {
        _ if is_lenient => Mode::Correcting,
        OnInvalid::Drop => Mode::Lenient,
        OnInvalid::Fail | OnInvalid::Skip => Mode::Strict,
    }
}

impl RowReader {
    /// Creates a reader. Lenient reading leaves out invalid values.
    pub(crate) fn new(mode: Mode) -> Self {
        let mut settings = ReaderBuilder::new();
        settings.mode(mode);
        let document = Document::new();
        RowReader {
            reader: settings.from_reader(Box::new(document.clone())),
            settings,
            is_lenient: mode != Mode::Strict,
            document,
            record: Record::new(),
        }
    }

    /// Returns the entry with unchecked values, its loc, and the names unknown to the format.
    pub(crate) fn record(&mut self, row: EntryElement) -> Result<(&Record, String, UnknownNames)> {
        let EntryElement {
            xml,
            loc,
            mut unknown,
            ..
        } = row;
        self.read(&xml)?;
        unknown.push_fields(self.record.fields());
        Ok((&self.record, loc.unwrap_or_default(), unknown))
    }

    /// Returns the entry with its valid values. Its loc is not checked.
    ///
    /// # Errors
    /// A value is invalid. With lenient reading, nothing of the entry can be read.
    pub(crate) fn entry(&mut self, row: EntryElement) -> Result<RowEntry> {
        let EntryElement {
            xml,
            loc,
            mut unknown,
            problems,
            kind,
        } = row;
        if let Some(problem) = problems.first()
            && !self.is_lenient
        {
            bail!("{problem}");
        }
        self.read(&xml)?;
        let entry = self.reader.diagnose(&self.record);
        let mut entry = entry.map_err(|error| without_place(&error))?;
        entry.loc = loc.unwrap_or_default();
        unknown.push_fields(self.record.fields());
        Ok(RowEntry {
            entry,
            kind,
            diagnostics: self.reader.diagnostics().to_vec(),
            problems,
            unlisted: self.reader.dropped_diagnostics(),
            unknown,
        })
    }

    /// Reads an entry into the record.
    fn read(&mut self, xml: &str) -> Result<()> {
        // A repair in a row may reach beyond its end.
        if self.document.has_ended() || !self.reader.diagnostics().is_empty() {
            self.document = Document::new();
            self.reader = self.settings.from_reader(Box::new(self.document.clone()));
        }
        self.document.push(xml);
        match self.reader.read_record(&mut self.record) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let first = self.reader.diagnostics().first();
                Err(anyhow!(first.map_or_else(String::new, in_row)))
            }
            Err(error) => {
                if error.ends_reading() {
                    self.document.end();
                }
                Err(without_place(&error))
            }
        }
    }
}

fn without_place(error: &Error) -> anyhow::Error {
    error.renumbered(None).into()
}

/// Formats a problem in a row with the loss it caused.
pub(crate) fn in_row(diagnostic: &Diagnostic) -> String {
    let entry = format!("entry {}", diagnostic.entry().unwrap_or_default());
    let path = diagnostic.path().filter(|path| *path != entry);
    let path = path.map(|path| format!(", {path}"));
    let behind = path.unwrap_or_default() + &outcome(diagnostic);
    let message = diagnostic.message();
    format!("{message}{}", behind.replace(&format!("{entry} · "), ""))
}

/// A document that grows row by row. It ends when its reader asks for more than it has.
#[derive(Clone, Debug)]
struct Document(Rc<RefCell<Text>>);

#[derive(Debug)]
struct Text {
    unread: VecDeque<u8>,
    has_ended: bool,
}

impl Document {
    fn new() -> Self {
        let mut root = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"".to_owned();
        for (prefix, uri) in EXTENSIONS {
            root.extend([" xmlns:", prefix, "=\"", uri, "\""]);
        }
        root.push('>');
        Document(Rc::new(RefCell::new(Text {
            unread: root.into_bytes().into(),
            has_ended: false,
        })))
    }

    fn push(&self, xml: &str) {
        self.0.borrow_mut().unread.extend(xml.as_bytes());
    }

    fn end(&self) {
        let mut text = self.0.borrow_mut();
        if !text.has_ended {
            text.has_ended = true;
            text.unread.extend(b"</urlset>");
        }
    }

    fn has_ended(&self) -> bool {
        self.0.borrow().has_ended
    }
}

impl Read for Document {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.borrow().unread.is_empty() {
            self.end();
        }
        self.0.borrow_mut().unread.read(into)
    }
}

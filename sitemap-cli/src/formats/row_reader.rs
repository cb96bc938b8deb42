//! Reads rows: lines of JSON, rows of CSV, and lines of text.
//!
//! **serde reads the values of a row into a record** ([`Rows`]), so the checks, corrections and messages of XML's entries apply, and so do
//! names unknown to the schema (`Field::is_known`). Only the loc goes directly to the writer, which may complete it. `convert` and `split`
//! read XML through `entries`, which reports all losses of lenient reading and counts them in `Losses` (`omitted`).
//!
//! The schema's own `Deserialize` does not read rows: it stops at the first invalid value, and ignores unknown names. It is the model that
//! `tests/command/json_lines` compares rows with.
//!
//! `tests/command/every_input` is a table of every command with every kind of input; no entry may be lost silently.
//! `tests/command/every_format` does the same for formats, encodings, compressions and pipes of two commands, against a model of the pages
//! and their values.

use std::borrow::Cow;

use anyhow::{Result, anyhow, bail};
use serde_core::de::value::{Error as CellsError, MapDeserializer};
use sitemap_serde::__internal::Rows;
use sitemap_serde::{Diagnostic, Error, ErrorKind, Kind, Mode, Record, UrlEntry};

use crate::filters;
use crate::omitted::{OnInvalid, UnknownNames, outcome};

use super::columns::ColumnNames;
use super::json::{Json, JsonValue, one_per_line};

/// The keys for an entry's document and for the indexes above it, nearest first. They are not part of the entry.
pub(crate) const SITEMAP: &str = "sitemap";
pub(crate) const INDEXES: &str = "indexes";

/// The key or column for an entry's kind, in formats that do not distinguish a urlset from an index.
pub(crate) const KIND: &str = "kind";

/// A row that has not been read.
#[derive(Debug)]
pub(crate) enum Row<'r> {
    /// A line of JSON.
    Json(&'r str),
    /// Values with the names of their columns.
    Cells(Vec<(&'static str, Cow<'r, str>)>),
}

/// Reads rows as entries.
pub(crate) struct RowReader {
    rows: Rows,
    is_lenient: bool,
    /// The values of the last row that [`Rows`] does not have.
    loc: Option<String>,
    kind: Option<Kind>,
    problem_of_kind: Option<String>,
    unknown: UnknownNames,
    /// Other names of JSON's keys.
    columns: ColumnNames,
}

/// A row with unchecked values.
#[derive(Debug)]
pub(crate) struct RowRecord<'r> {
    /// Without the loc.
    pub(crate) record: &'r Record,
    pub(crate) loc: &'r str,
    pub(crate) unknown: UnknownNames,
    /// The problems of values that no XML document can have.
    pub(crate) problems: Vec<String>,
    /// Number of further problems of that kind.
    pub(crate) unlisted: u64,
}

/// The result of reading an entry.
#[derive(Debug)]
pub(crate) struct RowEntry {
    pub(crate) entry: UrlEntry,
    pub(crate) kind: Option<Kind>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The problem of the kind, which is missing from the entry.
    pub(crate) problem_of_kind: Option<String>,
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
        RowReader {
            rows: Rows::new(mode),
            is_lenient: mode != Mode::Strict,
            loc: None,
            kind: None,
            problem_of_kind: None,
            unknown: UnknownNames::default(),
            columns: ColumnNames::default(),
        }
    }

    /// Sets other names for the keys of JSON. Cells of a table already have their columns.
    pub(crate) fn columns(mut self, columns: &ColumnNames) -> Self {
        self.columns = columns.clone();
        self
    }

    /// Reads the values of a row, unchecked.
    ///
    /// # Errors
    /// The row is not an entry.
    pub(crate) fn read(&mut self, row: Row<'_>) -> Result<()> {
        match row {
            Row::Json(line) => self.read_json(line),
            Row::Cells(cells) => self.read_cells(&cells),
        }
    }

    fn begin(&mut self, unknown: UnknownNames) {
        (self.loc, self.kind, self.problem_of_kind) = (None, None, None);
        self.unknown = unknown;
        // Those of a row that could not be read.
        self.rows.take_diagnostics();
    }

    fn read_json(&mut self, line: &str) -> Result<()> {
        self.begin(UnknownNames::keys());
        let members = match Json::of_line(line)? {
            Json::Object(members) => members,
            Json::List(_) => bail!("an array: {}", one_per_line(line)),
            _ => bail!("not an object"),
        };
        let mut members = members;
        for (key, _) in &mut members {
            if let Some(column) = self.columns.column_of(key) {
                *key = column.into();
            }
        }
        for (key, value) in &members {
            if key == "loc" {
                match Json::parse(value, line)? {
                    _ if self.loc.is_some() => bail!("a second `loc`"),
                    Json::Text(text) => self.loc = Some(text.into_owned()),
                    Json::Null => {}
                    _ => bail!("the `loc` is not a string"),
                }
            } else if key == KIND {
                match Json::parse(value, line)? {
                    Json::Text(text) if kind(&text).is_some() => self.kind = kind(&text),
                    Json::Null => {}
                    _ => self.problem_of_kind = Some(no_kind(value.get())),
                }
            } else if key.eq_ignore_ascii_case("loc") {
                bail!("`{key}` is not a key of an entry: did you mean `loc`?");
            }
        }
        // The lists of an entry have a prefix.
        let mut lists = members
            .iter()
            .filter(|(key, value)| !key.contains(':') && value.get().starts_with('['));
        if self.loc.is_none()
            && let Some((key, _)) = lists.next()
        {
            bail!("an object with the list `{key}`, not rows: `jq -c '.{key}[]' FILE` prints each as a line");
        }
        let is_of_entry = |key: &str| !["loc", KIND, SITEMAP, INDEXES].contains(&key);
        let members = members.iter().filter(|(key, _)| is_of_entry(key));
        let values = members.map(|(key, value)| (&**key, JsonValue { value, line }));
        self.rows.fill(MapDeserializer::new(values))?;
        Ok(())
    }

    fn read_cells(&mut self, cells: &[(&'static str, Cow<'_, str>)]) -> Result<()> {
        self.begin(UnknownNames::columns());
        for (column, value) in cells {
            if *column == "loc" {
                self.loc = Some(value.clone().into_owned());
            } else if *column == KIND && !value.is_empty() {
                self.kind = kind(value);
                self.problem_of_kind = self.kind.is_none().then(|| no_kind(value));
            }
        }
        self.loc.get_or_insert_default();
        let is_of_entry = |column: &str, value: &str| column != "loc" && column != KIND && !value.is_empty();
        let cells = cells.iter().map(|(column, value)| (*column, &**value));
        let cells = cells.filter(|(column, value)| is_of_entry(column, value));
        self.rows.fill(MapDeserializer::<_, CellsError>::new(cells))?;
        Ok(())
    }

    /// Reads the known values of a record, unchecked. The rest is ignored, as in strict reading.
    pub(crate) fn read_record(&mut self, record: &Record) {
        self.begin(UnknownNames::default());
        self.loc = Some(record.loc().to_owned());
        self.rows.fill_from(record);
    }

    /// Returns the kind of entry, if the row states it.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Returns `true` if the command's filters keep the row, by its texts.
    pub(crate) fn is_chosen(&self) -> bool {
        filters::keeps(self.loc.as_deref().unwrap_or_default(), self.rows.get("lastmod"))
    }

    /// Completes the URLs of extensions that are paths with the URL of the site. The writer completes the loc.
    ///
    /// # Errors
    /// The row is then larger than an entry may be.
    pub(crate) fn complete(&mut self, base: &str) -> Result<()> {
        self.rows.complete(base).map_err(|error| without_place(&error))
    }

    /// Returns the row with unchecked values.
    ///
    /// # Errors
    /// The row has no loc, or a core element twice.
    pub(crate) fn record(&mut self) -> Result<RowRecord<'_>> {
        let read = self.rows.record(self.loc.is_some());
        let Some((record, problems, unlisted)) = read.map_err(|error| without_place(&error))? else {
            bail!("no loc")
        };
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.push_fields(record.fields());
        Ok(RowRecord {
            record,
            loc: self.loc.as_deref().unwrap_or_default(),
            unknown,
            problems: problems.iter().map(of_value).collect(),
            unlisted,
        })
    }

    /// Returns the row with its valid values. Its loc is not checked.
    ///
    /// # Errors
    /// A value is invalid. With lenient reading, nothing of the entry can be read.
    pub(crate) fn entry(&mut self) -> Result<RowEntry> {
        if let Some(problem) = &self.problem_of_kind
            && !self.is_lenient
        {
            bail!("{problem}");
        }
        let read = self.rows.entry(self.loc.is_some());
        let Some((mut entry, record)) = read.map_err(|error| without_place(&error))? else {
            let (diagnostics, _) = self.rows.take_diagnostics();
            return Err(anyhow!(diagnostics.last().map_or_else(String::new, in_row)));
        };
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.push_fields(record.fields());
        entry.loc = self.loc.take().unwrap_or_default();
        let (diagnostics, unlisted) = self.rows.take_diagnostics();
        Ok(RowEntry {
            entry,
            kind: self.kind,
            diagnostics,
            problem_of_kind: self.problem_of_kind.take(),
            unlisted,
            unknown,
        })
    }
}

/// Returns the kind of document whose entries have this name.
fn kind(entry: &str) -> Option<Kind> {
    [Kind::UrlSet, Kind::SitemapIndex]
        .into_iter()
        .find(|kind| kind.entry() == entry)
}

/// Returns `true` if a text is empty or a kind of entry.
pub(super) fn is_kind(text: &str) -> bool {
    text.is_empty() || kind(text).is_some()
}

fn no_kind(value: &str) -> String {
    format!("`{value}` is not a kind of entry, which is `url` or `sitemap`")
}

fn without_place(error: &Error) -> anyhow::Error {
    error.renumbered(None).into()
}

/// Formats the problem of a value that no XML document can have with its loss.
fn of_value(error: &Error) -> String {
    let loss = match error.kind() {
        ErrorKind::Syntax => "printed without it",
        _ => "left out",
    };
    format!("{}: {loss}", error.renumbered(None))
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

//! Reports what is left out of documents: entries, values, unknown names and whole indexes.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use sitemap_serde::format::Format;
use sitemap_serde::iter::Field;
use sitemap_serde::{
    Diagnostic, Error, ErrorKind, OnInvalid as WriterPolicy, Record, Rule, UrlEntry, WriterBuilder,
};

use crate::formats::{RowEntry, in_row};
use crate::input::{counted, error_text, grouped};
use crate::message::{hide, is_quiet, print_hidden};

/// The policy for invalid values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnInvalid {
    /// Stop, with exit status 2
    #[default]
    Fail,
    /// Drop the value, and skip an entry without a valid loc
    Drop,
    /// Skip the entry
    Skip,
}

/// The options of every command that writes entries again.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Tolerance {
    /// Read as much as possible: malformed XML as `sitemap repair` does, and the beginning of a truncated document
    #[arg(long)]
    pub(crate) lenient: bool,
    /// How to handle an invalid value or entry [default: fail, or drop with --lenient]
    #[arg(long, value_enum, value_name = "POLICY")]
    on_invalid: Option<OnInvalid>,
}

impl Tolerance {
    pub(crate) fn on_invalid(self) -> OnInvalid {
        let default = if self.lenient {
            OnInvalid::Drop
        } else {
            OnInvalid::Fail
        };
        self.on_invalid.unwrap_or(default)
    }
}

/// Counts and reports everything left out of the entries of all documents.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// The policy for invalid values.
    on_invalid: OnInvalid,
    /// The first problem, if it ends the command.
    failure: Option<String>,
    /// `true` if an invalid value makes the current entry be skipped.
    is_skipped: bool,
    /// Entries that could not be read or written.
    pub(crate) entries: u64,
    /// Entries in files that no document of their folder lists.
    pub(crate) unlisted_entries: u64,
    /// Indexes that were skipped.
    pub(crate) indexes: u64,
    /// Repairs that lost nothing.
    pub(crate) repairs: u64,
    /// Invalid values.
    pub(crate) values: u64,
    /// Truncated documents, which lack an unknown number of entries.
    pub(crate) cut: u64,
    /// Elements between entries.
    pub(crate) elements: u64,
    /// Stylesheets of documents.
    pub(crate) stylesheets: u64,
    pub(crate) unknown: UnknownNames,
}

impl Losses {
    /// Takes the policy for invalid values and the number of entries in unlisted files.
    pub(crate) fn new(on_invalid: OnInvalid, unlisted_entries: u64) -> Self {
        Losses {
            on_invalid,
            unlisted_entries,
            ..Losses::default()
        }
    }

    /// Returns `true` if all entries were written with all their values.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries + self.unlisted_entries + self.values + self.elements + self.cut + self.unknown.lost()
            == 0
    }

    /// Reports an invalid value and drops it or skips its entry, by the policy.
    pub(crate) fn value(&mut self, place: &str, problem: &str) {
        let cause = problem.strip_suffix(": left out").unwrap_or(problem);
        match self.on_invalid {
            OnInvalid::Fail => self.fail(place, problem),
            OnInvalid::Skip => {
                if !std::mem::replace(&mut self.is_skipped, true) {
                    self.entry(place, format_args!("{cause}: left out with its entry"));
                }
            }
            OnInvalid::Drop => self.dropped(place, problem),
        }
    }

    /// Reports an invalid value, or stray content of an entry, that is dropped under any policy.
    fn dropped(&mut self, place: &str, problem: &str) {
        self.values += 1;
        print_problem!("{place}: {problem}");
    }

    fn fail(&mut self, place: &str, problem: impl fmt::Display) {
        let problem = problem.to_string();
        let cause = problem.strip_suffix(": left out").unwrap_or(&problem);
        // The problem's own advice already explains the loss.
        let advice = if cause.contains("--lenient") {
            ""
        } else {
            "; --on-invalid drop leaves it out"
        };
        self.failure
            .get_or_insert_with(|| format!("{place}: {cause}{advice}"));
    }

    /// Returns the first problem as an error, if it ends the command.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.failure.take() {
            Some(failure) => Err(anyhow!(failure)),
            None => Ok(()),
        }
    }

    /// Returns `true` if an invalid value made the last entry be skipped.
    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.is_skipped)
    }

    /// Reports text between the elements of an entry, which strict reading ignores.
    pub(crate) fn ignored(&mut self, place: &str, text: &Diagnostic) {
        if self.on_invalid == OnInvalid::Fail {
            self.fail(place, with_place(text));
        } else {
            self.dropped(place, &with_place(text));
        }
    }

    /// Counts the problems beyond the limit of the list. Each may have cost a value.
    pub(crate) fn unlisted(&mut self, problems: u64) {
        self.values += problems;
        hide(problems);
    }

    /// Reports why a document is truncated.
    pub(crate) fn cut(&mut self, place: &str, problem: &str) {
        self.cut += 1;
        print_message!("{place}: {problem}");
    }

    /// Reports a damaged document, which was read up to the damage.
    pub(crate) fn cut_off(&mut self, error: &anyhow::Error) {
        self.cut += 1;
        print_message!("{}", error_text(error));
    }

    /// Returns the entry of a row and reports the values it lost.
    pub(crate) fn row(&mut self, place: &str, row: RowEntry) -> UrlEntry {
        self.unknown.append(&row.unknown);
        for diagnostic in &row.diagnostics {
            let text = in_row(diagnostic);
            if diagnostic.is_loss() {
                self.value(place, &text);
            } else if !is_quiet() {
                print_problem!("{place}: {text}");
            }
        }
        if let Some(problem) = &row.problem_of_kind {
            self.value(place, &format!("{problem}: left out"));
        }
        self.unlisted(row.unlisted);
        row.entry
    }

    /// Reports an entry that was left out because of a problem.
    pub(crate) fn entry(&mut self, place: &str, problem: impl fmt::Display) {
        if self.on_invalid == OnInvalid::Fail {
            return self.fail(place, problem);
        }
        self.entries += 1;
        print_problem!("{place}: {problem}");
    }

    /// Reports why an entry, already counted by its number, was lost.
    pub(crate) fn lost(&mut self, place: &str, problem: &str) {
        match self.on_invalid {
            OnInvalid::Fail => self.fail(place, problem),
            OnInvalid::Drop | OnInvalid::Skip => print_problem!("{place}: {problem}"),
        }
    }

    /// Reports an element that is not an entry.
    pub(crate) fn element(&mut self, place: &str, problem: impl fmt::Display) {
        if self.on_invalid == OnInvalid::Fail {
            return self.fail(place, problem);
        }
        self.elements += 1;
        print_problem!("{place}: {problem}: left out");
    }

    /// Prints all counts except the number of entries.
    pub(crate) fn print(&self) {
        print_hidden();
        if self.indexes > 0 {
            let noun = if self.indexes == 1 { "index" } else { "indexes" };
            print_note!("note: {} {noun} skipped", grouped(self.indexes));
        }
        if self.repairs > 0 {
            print_note!(
                "note: {} (`sitemap repair` lists them)",
                counted(self.repairs, "repair")
            );
        }
        if self.stylesheets > 0 {
            print_note!("note: {} left out", counted(self.stylesheets, "stylesheet"));
        }
        self.unknown.print();
        if self.elements > 0 {
            print_note!(
                "note: {} between entries left out",
                counted(self.elements, "element")
            );
        }
        if self.values > 0 {
            print_note!("note: {} lost", counted(self.values, "value"));
        }
    }
}

/// Unknown names of elements and attributes, keys, or columns.
#[derive(Clone, Debug)]
pub(crate) struct UnknownNames {
    /// The kind of name, in singular and plural.
    nouns: [&'static str; 2],
    count: u64,
    /// The number of names of elements and attributes.
    lost: u64,
    /// The first distinct names, each with its likely correction. A name with a correction may displace one without.
    names: Vec<(String, Option<String>)>,
    /// `true` if there are more names.
    has_more: bool,
}

/// The nouns of names in XML.
const ELEMENTS: [&str; 2] = ["element or attribute", "elements or attributes"];

/// Number of different names to print.
const MOST_NAMES: usize = 10;

/// Number of characters of a name to print.
const MOST_SHOWN: usize = 60;

impl Default for UnknownNames {
    fn default() -> Self {
        UnknownNames::of(ELEMENTS)
    }
}

impl UnknownNames {
    fn of(nouns: [&'static str; 2]) -> Self {
        UnknownNames {
            nouns,
            count: 0,
            lost: 0,
            names: Vec::new(),
            has_more: false,
        }
    }

    /// Returns an empty list for keys of JSON lines.
    pub(crate) fn keys() -> Self {
        UnknownNames::of(["key", "keys"])
    }

    /// Returns an empty list for columns of tables.
    pub(crate) fn columns() -> Self {
        UnknownNames::of(["column", "columns"])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns `true` if any name has a likely correction.
    pub(crate) fn has_meant(&self) -> bool {
        self.names.iter().any(|(_, meant)| meant.is_some())
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of names that the output should have: those of a sitemap. Rows have columns and keys for other programs.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    /// Adds a name. `meant` returns its likely correction and is called only if the name may be printed.
    pub(crate) fn push<'m>(&mut self, name: &str, meant: impl FnOnce() -> Option<&'m str>) {
        self.count += 1;
        self.lost += u64::from(self.nouns == ELEMENTS);
        self.add(name, meant);
    }

    /// Adds the ignored elements, attributes and texts, including nested ones.
    pub(crate) fn push_fields<'r>(&mut self, fields: impl Iterator<Item = Field<'r>>) {
        for field in fields {
            if !field.is_known() {
                self.push(field.name(), || field.meant());
                continue;
            }
            if !field.may_have_text() && !field.text().is_empty() {
                self.push(&format!("{} · $text", field.name()), || None);
            }
            self.push_fields(field.fields());
        }
    }

    /// Adds the ignored elements, attributes and texts of an entry of a document in this format.
    pub(crate) fn push_record(&mut self, record: &Record, format: Format) {
        if matches!(format, Format::UrlSet | Format::SitemapIndex) {
            for attribute in attribute_names(record.source()) {
                self.push(&format!("{} · @{attribute}", record.kind().entry()), || None);
            }
        }
        self.push_fields(record.fields());
    }

    /// Adds the names of another document.
    pub(crate) fn append(&mut self, other: &UnknownNames) {
        if self.is_empty() {
            self.nouns = other.nouns;
        }
        for (name, meant) in &other.names {
            self.add(name, || meant.as_deref());
        }
        self.has_more |= other.has_more;
        self.count += other.count;
        self.lost += other.lost;
    }

    fn add<'m>(&mut self, name: &str, meant: impl FnOnce() -> Option<&'m str>) {
        let mut name: String = name.chars().take(MOST_SHOWN + 1).collect();
        if name.chars().count() > MOST_SHOWN {
            name.pop();
            name.push('…');
        }
        if self.names.iter().any(|(known, _)| *known == name) {
            return;
        }
        let meant = meant().map(str::to_owned);
        if self.names.len() < MOST_NAMES {
            self.names.push((name, meant));
            return;
        }
        self.has_more = true;
        let mut printed = self.names.iter_mut().rev();
        if meant.is_some()
            && let Some(other) = printed.find(|(_, meant)| meant.is_none())
        {
            *other = (name, meant);
        }
    }

    /// Prints the number of ignored names, and lists them, even with `--quiet` if they are losses.
    pub(crate) fn print(&self) {
        if self.lost > 0 {
            print_message!("note: {} left out: {self}", self.counted());
        } else if !self.is_empty() {
            print_note!("note: {} left out: {self}", self.counted());
        }
    }

    /// Returns the count with its noun: `2 unknown keys`.
    pub(crate) fn counted(&self) -> String {
        let [one, more] = self.nouns;
        let noun = if self.count == 1 { one } else { more };
        format!("{} unknown {noun}", grouped(self.count))
    }
}

/// Returns the names of an element's attributes, without namespace declarations.
fn attribute_names(element: &str) -> impl Iterator<Item = &str> {
    let name_end = |c: char| c.is_whitespace() || matches!(c, '/' | '>');
    let start = element.find(name_end).unwrap_or(element.len());
    attributes(element.get(start..).unwrap_or_default())
        .map(|(name, _)| name)
        .filter(|name| *name != "xmlns" && !name.starts_with("xmlns:"))
}

/// Lists the first distinct names: `` `lastmode` (did you mean `lastmod`?), `price` ``.
impl fmt::Display for UnknownNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, meant)) in self.names.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}`{}`", name.escape_debug())?;
            if let Some(meant) = meant {
                write!(f, " (did you mean `{meant}`?)")?;
            }
        }
        f.write_str(if self.has_more { ", …" } else { "" })
    }
}

/// The errors that made a writer leave out parts of the current entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omissions(Arc<Mutex<Vec<Error>>>);

impl Omissions {
    /// Makes a writer leave out invalid values, and collects their errors.
    pub(crate) fn of(builder: &mut WriterBuilder) -> Self {
        let omissions = Omissions::default();
        let seen = Arc::clone(&omissions.0);
        builder
            .on_invalid(WriterPolicy::DropValue)
            .on_problem(move |error| {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.push(error.renumbered(error.entry()));
            });
        omissions
    }

    /// Adds the error of a value that a set has dropped.
    pub(crate) fn push(&self, error: &Error) {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.push(error.renumbered(error.entry()));
    }

    /// Removes the error of an entry that the writer skipped, if it wrote nothing (`written` is 0).
    pub(crate) fn take_skipped(&self, written: u64) -> Result<(), Error> {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match errors.pop() {
            Some(error) if written == 0 => Err(error),
            other => {
                errors.extend(other);
                Ok(())
            }
        }
    }

    /// Removes and returns the errors since the last call, renumbered to this entry of the document. With `None`, they refer to a line.
    pub(crate) fn take(&self, number: Option<u64>) -> Vec<Error> {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.drain(..).map(|error| error.renumbered(number)).collect()
    }
}

/// Formats a problem and the loss it caused.
pub(crate) fn with_omitted(error: &Error) -> String {
    let (path, omitted) = (
        error.path().unwrap_or_default(),
        error.dropped().unwrap_or_default(),
    );
    format!("{error}: {}", left_out(path, omitted))
}

/// Returns `true` if a path refers to an entry.
pub(crate) fn is_entry(path: &str) -> bool {
    path.strip_prefix("entry ")
        .is_some_and(|number| !number.contains(' '))
}

/// Describes the loss a problem caused.
pub(crate) fn left_out(path: &str, omitted: &str) -> String {
    if path == omitted {
        "left out".to_owned()
    } else if is_entry(omitted) {
        "left out with its entry".to_owned()
    } else {
        format!("left out with {omitted}")
    }
}

/// Describes how lenient reading handled a problem: the part it left out, or the replacement value. Empty if unknown.
pub(crate) fn outcome(diagnostic: &Diagnostic) -> String {
    match (diagnostic.dropped(), corrected(diagnostic)) {
        (Some(omitted), _) => format!(": {}", left_out(diagnostic.path().unwrap_or_default(), omitted)),
        (None, Some(value)) => format!(": written as `{}`", value.escape_debug()),
        (None, None) if diagnostic.is_loss() && !is_cut(diagnostic) => {
            let is_of_loc = diagnostic.path().is_some_and(|path| path.ends_with(" · loc"));
            match (diagnostic.kind(), diagnostic.rule()) {
                // The message already names the replacement.
                (ErrorKind::Syntax, Rule::Utf8) => "",
                // A character or an attribute is lost, and the rest of its value or element is written. The entry keeps its loc.
                (ErrorKind::Syntax, _) => ": written without it",
                (_, Rule::Loc) if is_of_loc => ": written without it",
                (_, Rule::Txt1) => ": what follows the URL is left out",
                _ => ": left out",
            }
            .to_owned()
        }
        (None, None) => String::new(),
    }
}

/// Returns `true` if reading stopped at this problem, so the loss is unknown.
pub(crate) fn is_cut(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.kind(),
        ErrorKind::Eof | ErrorKind::Io | ErrorKind::Limit
    )
}

/// Formats a problem with its place and the loss it caused.
pub(crate) fn with_place(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.position().map(|position| format!(", at {position}"));
    let path = diagnostic.path().map(|path| format!(", {path}"));
    [
        diagnostic.message(),
        &place.unwrap_or_default(),
        &path.unwrap_or_default(),
        &outcome(diagnostic),
    ]
    .concat()
}

/// Returns the value read in place of an invalid one. If the diagnostic is a loss, part of the original is missing.
pub(crate) fn corrected(diagnostic: &Diagnostic) -> Option<&str> {
    let suggestion = diagnostic.suggestion()?;
    let is_certain = suggestion.is_certain();
    let is_read = diagnostic.dropped().is_none() && (is_certain || diagnostic.is_loss());
    is_read.then(|| suggestion.value())
}

/// Iterates over the attributes of a tag: each name, with its value as written.
fn attributes(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, value) = rest.trim_start().split_once('=')?;
        let (name, value) = (name.trim_end(), value.trim_start());
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = value.get(1..)?.split_once(quote)?;
        rest = behind;
        let is_name = !name.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
        is_name.then_some((name, value))
    })
}

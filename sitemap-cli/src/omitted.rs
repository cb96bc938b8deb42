//! What is left out of documents that were read: entries, values, names that the format does not have, and whole indexes.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use sitemap_serde::iter::Fields;
use sitemap_serde::message::Applicability;
use sitemap_serde::{Diagnostic, Error, ErrorKind, OnInvalid as WriterPolicy, Rule, UrlEntry, WriterBuilder};

use crate::formats::{RowEntry, in_row};
use crate::input::{Ignored, Input, counted, error_text, grouped};
use crate::message::{hide, is_quiet, print_hidden};

/// What is done about an invalid value.
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
    /// Read what can be read: malformed XML as `sitemap repair` does, and the beginning of a truncated document
    #[arg(long)]
    pub(crate) lenient: bool,
    /// What to do about an invalid value or entry [default: fail, or drop with --lenient]
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

/// What was left out of the entries of all documents.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// What is done about what is invalid.
    on_invalid: OnInvalid,
    /// The first problem, if it ends the command.
    failure: Option<String>,
    /// Whether the entry that is being read is skipped because of a value.
    is_skipped: bool,
    /// Entries that could not be read, or not written.
    pub(crate) entries: u64,
    /// Entries of files that nothing in their folder lists.
    pub(crate) unlisted_entries: u64,
    /// Indexes that were skipped.
    pub(crate) indexes: u64,
    /// Repairs by which nothing was lost.
    pub(crate) repairs: u64,
    /// Invalid values.
    pub(crate) values: u64,
    /// Documents that end too early: what they would have had is not known.
    pub(crate) cut: u64,
    /// Elements between entries.
    pub(crate) elements: u64,
    /// Stylesheets of documents.
    pub(crate) stylesheets: u64,
    pub(crate) unknown: UnknownNames,
}

impl Losses {
    /// What is done about invalid values, and the number of entries in files that nothing lists.
    pub(crate) fn new(on_invalid: OnInvalid, unlisted_entries: u64) -> Self {
        Losses {
            on_invalid,
            unlisted_entries,
            ..Losses::default()
        }
    }

    /// Whether all entries were written with all their values.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries + self.unlisted_entries + self.values + self.elements + self.cut == 0
    }

    /// Reports a value that is left out because of a problem, or its entry.
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

    /// Reports a value, or what is no value of an entry, that is left out in any case.
    fn dropped(&mut self, place: &str, problem: &str) {
        self.values += 1;
        print_problem!("{place}: {problem}");
    }

    fn fail(&mut self, place: &str, problem: impl fmt::Display) {
        let problem = problem.to_string();
        let cause = problem.strip_suffix(": left out").unwrap_or(&problem);
        // Advice of its own says what leaves it out.
        let advice = if cause.contains("--lenient") {
            ""
        } else {
            "; --on-invalid drop leaves it out"
        };
        self.failure
            .get_or_insert_with(|| format!("{place}: {cause}{advice}"));
    }

    /// Returns the first problem as an error, if it ends the command.
    ///
    /// # Errors
    /// That one.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.failure.take() {
            Some(failure) => Err(anyhow!(failure)),
            None => Ok(()),
        }
    }

    /// Returns `true` if the last entry is skipped because of one of its values.
    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.is_skipped)
    }

    /// Adds the names of a document that are ignored, and, unless lenient reading reports them, the texts.
    ///
    /// # Errors
    /// If the document cannot be opened, or a text ends the command.
    pub(crate) fn ignored(&mut self, input: &Input, is_lenient: bool) -> Result<()> {
        let Ignored { names, texts } = input.ignored()?;
        self.unknown.append(&names);
        if !is_lenient {
            for text in &texts.listed {
                if self.on_invalid == OnInvalid::Fail {
                    self.fail(&input.name, with_place(text));
                } else {
                    self.dropped(&input.name, &with_place(text));
                }
            }
            self.unlisted(texts.unlisted);
        }
        self.check()
    }

    /// Counts the problems that were too many to be listed. A value may be left out because of each.
    pub(crate) fn unlisted(&mut self, problems: u64) {
        self.values += problems;
        hide(problems);
    }

    /// Reports why a document ends too early.
    pub(crate) fn cut(&mut self, place: &str, problem: &str) {
        self.cut += 1;
        print_message!("{place}: {problem}");
    }

    /// Reports a document that is damaged, and was read up to the damage.
    pub(crate) fn cut_off(&mut self, error: &anyhow::Error) {
        self.cut += 1;
        print_message!("{}", error_text(error));
    }

    /// The entry of a row. What is left out of it is reported.
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
        for problem in &row.problems {
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

    /// Reports why an entry that is counted by its number was lost.
    pub(crate) fn lost(&mut self, place: &str, problem: &str) {
        match self.on_invalid {
            OnInvalid::Fail => self.fail(place, problem),
            OnInvalid::Drop | OnInvalid::Skip => print_problem!("{place}: {problem}"),
        }
    }

    /// Reports an element that is no entry.
    pub(crate) fn element(&mut self, place: &str, problem: impl fmt::Display) {
        if self.on_invalid == OnInvalid::Fail {
            return self.fail(place, problem);
        }
        self.elements += 1;
        print_problem!("{place}: {problem}: left out");
    }

    /// Prints the numbers, but for that of the entries.
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

/// Names that the format does not have: of elements and attributes, of keys, or of columns.
#[derive(Clone, Debug)]
pub(crate) struct UnknownNames {
    /// What they are the names of: one, and several.
    nouns: [&'static str; 2],
    count: u64,
    /// The first different ones, and what each was most likely meant to be. One that was meant to be another is here in any case, if
    /// need be in place of one that was not.
    names: Vec<(String, Option<String>)>,
    /// Whether there are others.
    has_more: bool,
}

/// Number of different names to print.
const MOST_NAMES: usize = 10;

/// Number of characters of a name to print.
const MOST_SHOWN: usize = 60;

impl Default for UnknownNames {
    fn default() -> Self {
        UnknownNames::of(["element or attribute", "elements or attributes"])
    }
}

impl UnknownNames {
    fn of(nouns: [&'static str; 2]) -> Self {
        UnknownNames {
            nouns,
            count: 0,
            names: Vec::new(),
            has_more: false,
        }
    }

    /// Those of lines of JSON.
    pub(crate) fn keys() -> Self {
        UnknownNames::of(["key", "keys"])
    }

    /// Those of tables.
    pub(crate) fn columns() -> Self {
        UnknownNames::of(["column", "columns"])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether one of them was most likely meant to be one that the format has.
    pub(crate) fn has_meant(&self) -> bool {
        self.names.iter().any(|(_, meant)| meant.is_some())
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Adds a name, and what it was most likely meant to be, which is only asked for where it may be printed.
    pub(crate) fn push<'m>(&mut self, name: &str, meant: impl FnOnce() -> Option<&'m str>) {
        self.count += 1;
        self.add(name, meant);
    }

    /// Adds the names among these elements and attributes, and in these, and the texts that are ignored.
    pub(crate) fn push_fields(&mut self, fields: Fields<'_>) {
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

    /// Adds those of another document.
    pub(crate) fn append(&mut self, other: &UnknownNames) {
        if self.is_empty() {
            self.nouns = other.nouns;
        }
        for (name, meant) in &other.names {
            self.add(name, || meant.as_deref());
        }
        self.has_more |= other.has_more;
        self.count += other.count;
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

    /// Prints how many were left out, and which.
    pub(crate) fn print(&self) {
        if !self.is_empty() {
            print_note!("note: {} left out: {self}", self.counted());
        }
    }

    /// Their number: `2 unknown keys`.
    pub(crate) fn counted(&self) -> String {
        let [one, more] = self.nouns;
        let noun = if self.count == 1 { one } else { more };
        format!("{} unknown {noun}", grouped(self.count))
    }
}

/// The first different ones: `` `lastmode` (did you mean `lastmod`?), `price` ``.
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

/// The errors because of which a writer left something out of the current entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omissions(Arc<Mutex<Vec<Error>>>);

impl Omissions {
    /// Lets a writer leave out invalid values.
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

    /// Removes the error of an entry that the writer has skipped: of one that is listed, and of which it wrote nothing.
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

    /// Removes and returns the errors since the last call, about the entry with this number in its document; about one with a line
    /// instead if it is `None`.
    pub(crate) fn take(&self, number: Option<u64>) -> Vec<Error> {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.drain(..).map(|error| error.renumbered(number)).collect()
    }
}

/// The problem, and what was left out because of it.
pub(crate) fn with_omitted(error: &Error) -> String {
    let (path, omitted) = (
        error.path().unwrap_or_default(),
        error.dropped().unwrap_or_default(),
    );
    format!("{error}: {}", left_out(path, omitted))
}

/// Returns `true` if a path is that of an entry.
pub(crate) fn is_entry(path: &str) -> bool {
    path.strip_prefix("entry ")
        .is_some_and(|number| !number.contains(' '))
}

/// What was left out because of a problem.
pub(crate) fn left_out(path: &str, omitted: &str) -> String {
    if path == omitted {
        "left out".to_owned()
    } else if is_entry(omitted) {
        "left out with its entry".to_owned()
    } else {
        format!("left out with {omitted}")
    }
}

/// What lenient reading did because of a problem: what it left out, or the value that it read instead. Empty if neither is known.
pub(crate) fn outcome(diagnostic: &Diagnostic) -> String {
    match (diagnostic.dropped(), corrected(diagnostic)) {
        (Some(omitted), _) => format!(": {}", left_out(diagnostic.path().unwrap_or_default(), omitted)),
        (None, Some(value)) => format!(": written as `{}`", value.escape_debug()),
        (None, None) if diagnostic.is_loss() && !is_cut(diagnostic) => {
            let is_of_loc = diagnostic.path().is_some_and(|path| path.ends_with(" · loc"));
            match (diagnostic.kind(), diagnostic.rule()) {
                // The message says what they are read as.
                (ErrorKind::Syntax, Rule::Utf8) => "",
                // A character or an attribute: the rest of its value or element is written. An entry has no loc less.
                (ErrorKind::Syntax, _) => ": written without it",
                (_, Rule::Loc) if is_of_loc => ": written without it",
                _ => ": left out",
            }
            .to_owned()
        }
        (None, None) => String::new(),
    }
}

/// Whether nothing is read of the document after the problem, so that what is lost is not known.
pub(crate) fn is_cut(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.kind(),
        ErrorKind::Eof | ErrorKind::Io | ErrorKind::Limit
    )
}

/// The problem, its place, and what was left out because of it.
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

/// The value that was read in place of an invalid one. It has lost a part of it only if that is a loss.
pub(crate) fn corrected(diagnostic: &Diagnostic) -> Option<&str> {
    let suggestion = diagnostic.suggestion()?;
    let is_certain = suggestion.applicability() == Applicability::MachineApplicable;
    let is_read = diagnostic.dropped().is_none() && (is_certain || diagnostic.is_loss());
    is_read.then(|| suggestion.value())
}

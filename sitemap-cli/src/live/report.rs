//! Reports the outcome of each document of the walks, as JSON lines in a file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use sitemap_tree::{DocumentKind, DocumentReport, Fate, Role, Walk};

use crate::input::Reading;
use crate::message::json_text;
use crate::outputs::{Existing, Outputs};
use crate::replace::{check_place, write_to};

/// The file for the report of a command's walks.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "URLs")]
pub(super) struct ReportFile {
    /// Write the outcome of each document at a URL to FILE, one JSON object per line: its URL, status, redirects, entries and bytes, and
    /// why it was not read
    #[arg(long = "report", value_name = "FILE")]
    path: Option<PathBuf>,
    /// The lines of the walks so far.
    #[arg(skip)]
    lines: Arc<Mutex<String>>,
}

/// The command's reading of each document.
pub(super) type Readings = HashMap<String, Reading>;

impl ReportFile {
    pub(super) fn is_some(&self) -> bool {
        self.path.is_some()
    }

    /// Adds the file to those that the command writes.
    pub(super) fn outputs(&self, outputs: Outputs) -> Outputs {
        outputs.writes("--report", self.path.as_ref(), Existing::Own(is_report))
    }

    /// Creates the file, empty, so that nothing is read or printed if it cannot be written.
    pub(super) fn create(&self) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        check_place(path, "--report")?;
        write_to(path, false, |_| Ok(true))
    }

    /// Adds a walk, finished or not, and writes the file.
    pub(super) fn add(&self, walk: &Walk, readings: &Readings) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for document in walk.report().documents() {
            *lines += &json_text(&line(document, readings.get(document.url())));
            lines.push('\n');
        }
        write_to(path, false, |file| {
            file.write_all(lines.as_bytes())?;
            Ok(true)
        })
    }
}

/// Returns `true` if the first line of a file is one of a report.
fn is_report(path: &Path) -> bool {
    let mut line = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file.take(LONGEST_LINE)).read_line(&mut line));
    let value = read.ok().and_then(|_| serde_json::from_str::<Value>(&line).ok());
    value.is_some_and(|value| {
        ["url", "role", "outcome"]
            .iter()
            .all(|key| value[key].is_string())
    })
}

/// The length of a line that is read to recognize a report, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Returns the line of a document.
fn line(document: &DocumentReport<'_>, reading: Option<&Reading>) -> Value {
    let (mut outcome, mut why) = outcome(document.fate());
    let (mut entries, mut unreadable) = (document.entries(), document.invalid_entries());
    if let Some(reading) = reading.filter(|_| document.kind() == Some(DocumentKind::Pages)) {
        (entries, unreadable) = (reading.entries, reading.unreadable);
        // A later walk reads a document with unreadable entries again.
        if reading.is_whole {
            outcome = "read";
            why.clone_from(&reading.problem);
        }
    }
    json!({
        "url": document.url(),
        "role": role(document.role()),
        "listedIn": document.listed_in(),
        "depth": document.depth(),
        "outcome": outcome,
        "status": document.status(),
        "redirects": document.redirects(),
        "redirectedTo": document.redirected_to(),
        "kind": document.kind().map(kind),
        "entries": entries,
        "unreadable": unreadable,
        "bytes": document.wire_bytes(),
        "changed": reading.is_some() || document.has_changed(),
        "why": why.or_else(|| document.problem().map(str::to_owned)),
    })
}

/// Returns the word for a fate, and the reason if the document was not read.
fn outcome(fate: &Fate) -> (&'static str, Option<String>) {
    match fate {
        Fate::Read => ("read", None),
        Fate::Unchanged => ("unchanged", None),
        Fate::Absent => ("absent", Some(fate.to_string())),
        Fate::SameAs(_) => ("same", Some(fate.to_string())),
        Fate::Skipped(cause) => ("skipped", Some(cause.to_string())),
        Fate::Failed(failure) => ("failed", Some(failure.to_string())),
        _ => ("pending", Some(fate.to_string())),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Start => "start",
        Role::Robots => "robots",
        Role::Named => "named",
        Role::Guess => "guess",
        _ => "child",
    }
}

fn kind(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Robots => "robots",
        DocumentKind::Index => "index",
        _ => "pages",
    }
}

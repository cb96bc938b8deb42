//! The report of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use serde_json::{Value, json};
use sitemap_pages::{DateChange, DateSource, FindingKind, Folder, Page};
use sitemap_serde::lint::Severity;
use sitemap_serde::{Mode, ReaderBuilder, Record};

use super::settings::{LEDGER, Levels};
use crate::input::grouped;
use crate::message::is_quiet;

/// The number of pages to name without `--list`.
const MOST: usize = 20;

/// A finding, with its configured severity.
#[derive(Clone, Debug)]
pub(super) struct Told {
    id: &'static str,
    pub(super) severity: Severity,
    file: Option<String>,
    line: Option<usize>,
    message: String,
    /// The message with its place.
    text: String,
}

impl Told {
    /// Creates a finding about the ledger.
    pub(super) fn of_ledger(message: String) -> Self {
        Told {
            id: LEDGER,
            severity: Severity::Warning,
            file: None,
            line: None,
            text: message.clone(),
            message,
        }
    }

    /// Applies the configured severity; `None` if the finding is off.
    pub(super) fn levelled(mut self, levels: &Levels) -> Option<Self> {
        if let Some(level) = levels.get(self.id) {
            self.severity = (*level)?;
        }
        Some(self)
    }
}

/// Returns the findings. A page without comparable text matters only with a ledger.
pub(super) fn told(folder: &Folder, levels: &Levels, has_ledger: bool) -> Vec<Told> {
    let findings = folder.findings().iter();
    let told = findings
        .filter(|finding| has_ledger || finding.kind != FindingKind::NoBlocks)
        .map(|finding| Told {
            id: finding.kind.name(),
            severity: finding.kind.severity(),
            file: Some(finding.file.clone()).filter(|file| !file.is_empty()),
            line: finding.line,
            message: finding.message.clone(),
            text: finding.to_string(),
        });
    told.filter_map(|told| told.levelled(levels)).collect()
}

/// Prints the findings. Skips notes with `--quiet`.
pub(super) fn print(found: &[Told]) {
    for told in found {
        if told.severity > Severity::Note || !is_quiet() {
            print_problem!("{}[{}]: {}", told.severity, told.id, told.text);
        }
    }
}

/// Counts the dated entries in a sitemap file; 0 if it cannot be read.
pub(super) fn dates_of(path: &Path) -> usize {
    let Ok(file) = File::open(path) else { return 0 };
    let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_reader(file);
    let (mut record, mut dates) = (Record::new(), 0);
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => dates += usize::from(matches!(record.lastmod(), Ok(Some(_)))),
            Ok(false) => return dates,
            Err(error) if error.ends_reading() => return dates,
            Err(_) => {}
        }
    }
}

/// Rows that are shown only for counts above 0.
const PUBLISHED: &str = "  dated by publication";
const LISTED: &str = "  dated by their lists";

pub(super) fn table(folder: &Folder, found: &[Told]) -> String {
    let count = |is: &dyn Fn(&Page) -> bool| folder.pages().iter().filter(|page| is(page)).count() as u64;
    let mut rows = vec![
        ("listed".to_owned(), folder.pages().len() as u64),
        (
            "  dated by the page".to_owned(),
            count(&|page| page.date_source() == Some(DateSource::Page)),
        ),
        (
            "  dated by the ledger".to_owned(),
            count(&|page| page.date_source() == Some(DateSource::Ledger)),
        ),
        (
            PUBLISHED.to_owned(),
            count(&|page| page.date_source() == Some(DateSource::Published)),
        ),
        (
            LISTED.to_owned(),
            count(&|page| page.date_source() == Some(DateSource::List)),
        ),
        (
            "  without a date".to_owned(),
            count(&|page| page.lastmod().is_none()),
        ),
        (
            "  moved".to_owned(),
            count(&|page| page.date_change() == DateChange::Moved),
        ),
        (
            "  new".to_owned(),
            count(&|page| page.date_change() == DateChange::New),
        ),
        ("skipped".to_owned(), folder.skipped().len() as u64),
    ];
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for skipped in folder.skipped() {
        *reasons.entry(skipped.reason.name()).or_default() += 1;
    }
    rows.extend(reasons.iter().map(|(name, count)| (format!("  {name}"), *count)));
    rows.push(("findings".to_owned(), found.len() as u64));
    rows.retain(|(name, count)| ![PUBLISHED, LISTED].contains(&name.as_str()) || *count > 0);
    let lines = rows
        .iter()
        .map(|(name, count)| format!("{name:24}{:>9}\n", grouped(*count)));
    lines.collect()
}

/// Lists the moved, new and skipped pages: the first of each, or all.
pub(super) fn lists(folder: &Folder, all: bool) -> String {
    let of = |change: DateChange| -> Vec<String> {
        let pages = folder.pages().iter().filter(|page| page.date_change() == change);
        pages.map(|page| page.url().to_owned()).collect()
    };
    let skipped: Vec<String> = folder.skipped().iter().map(ToString::to_string).collect();
    let mut out = String::new();
    for (name, lines) in [
        ("moved", of(DateChange::Moved)),
        ("new", of(DateChange::New)),
        ("skipped", skipped),
    ] {
        if lines.is_empty() {
            continue;
        }
        let most = if all { lines.len() } else { MOST };
        let _ = write!(out, "\n{name}:\n");
        for line in lines.iter().take(most) {
            let _ = writeln!(out, "  {line}");
        }
        if lines.len() > most {
            let more = grouped((lines.len() - most) as u64);
            let _ = writeln!(out, "  and {more} more, which --list names");
        }
    }
    out
}

pub(super) fn json(folder: &Folder, found: &[Told]) -> Value {
    let pages = folder.pages().iter().map(|page| {
        json!({
            "file": page.file(),
            "url": page.url(),
            "lastmod": page.lastmod().map(|date| date.to_string()),
            "date": page.date_source().map(|source| match source {
                DateSource::Page => "page",
                DateSource::Published => "published",
                DateSource::List => "list",
                _ => "ledger",
            }),
            "change": match page.date_change() {
                DateChange::Moved => "moved",
                DateChange::New => "new",
                DateChange::Same => "same",
                _ => "unknown",
            },
        })
    });
    let skipped = folder.skipped().iter().map(|skipped| {
        json!({ "file": skipped.file, "reason": skipped.reason.name(), "message": skipped.reason.to_string() })
    });
    let found = found.iter().map(|told| {
        json!({
            "file": told.file,
            "line": told.line,
            "kind": told.id,
            "severity": told.severity.as_str(),
            "message": told.message,
        })
    });
    json!({
        "listed": pages.collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
        "findings": found.collect::<Vec<_>>(),
    })
}

//! Passes the diagnostics of a lint to an output format.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use sitemap_serde::lint::{self, Severity};
use sitemap_serde::{Diagnostic, Error, ErrorKind, Mode, ReaderBuilder, Record, Rule};

use crate::input::{Input, without_opening};
use crate::malformed::{is_repairable, pointer};
use crate::message::Printer;
use crate::omitted::corrected;
use crate::progress::BesideProgress;

use super::baseline::Baseline;

/// The number of violations of each rule, by severity.
pub(super) type Counts = BTreeMap<(Severity, Rule), u64>;

/// A diagnostic and its document.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) input: &'a Input,
    pub(super) diagnostic: &'a Diagnostic,
}

/// The totals at the end.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) counts: Counts,
    pub(super) documents: u64,
    pub(super) entries: u64,
    pub(super) sitemaps: u64,
    pub(super) bytes: u64,
    pub(super) baselined: u64,
    pub(super) dropped: u64,
    /// The number of problems that `--fix` can fix.
    pub(super) fixable: u64,
    /// The number of other problems that `sitemap repair` can fix.
    pub(super) repairable: u64,
    /// The number of malformed documents.
    pub(super) malformed: u64,
    /// The document with fixable problems, if it is the only one.
    pub(super) to_fix: Option<String>,
    /// The document to repair, if it is the only one.
    pub(super) to_repair: Option<String>,
    /// `true` if `sitemap repair` also changes values that `--fix` does not.
    pub(super) has_invalid: bool,
    /// The reasons why documents could not be read, one text each.
    pub(super) unread: Vec<String>,
}

impl Totals {
    pub(super) fn count(&self, severity: Severity) -> u64 {
        let of = self.counts.iter().filter(|((other, _), _)| *other == severity);
        of.map(|(_, count)| count).sum()
    }
}

/// An output format.
pub(super) trait Reporter {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()>;

    /// Called after a document was read. Rules about several documents follow later.
    fn document_ends(&mut self, _: &mut dyn Write, _: &Input) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()>;
}

/// Counts diagnostics and passes them to the output format.
pub(super) struct Output<'a> {
    inputs: &'a [Input],
    reporter: Box<dyn Reporter>,
    baseline: Baseline,
    out: BesideProgress<BufWriter<Printer>>,
    totals: Totals,
    /// The fixable problems of each document, by its number.
    fixes: BTreeMap<usize, Fixes>,
    /// The error that prevents further output.
    failed: Option<anyhow::Error>,
}

impl<'a> Output<'a> {
    pub(super) fn new(inputs: &'a [Input], reporter: Box<dyn Reporter>, baseline: Baseline) -> Self {
        Output {
            inputs,
            reporter,
            baseline,
            out: BesideProgress(BufWriter::new(Printer::stdout())),
            totals: Totals::default(),
            fixes: BTreeMap::new(),
            failed: None,
        }
    }

    /// Adds reasons why documents could not be read.
    pub(super) fn unread(&mut self, why: impl IntoIterator<Item = String>) {
        self.totals.unread.extend(why);
    }

    /// Reports a diagnostic of an input, unless it is in the baseline.
    pub(super) fn found(&mut self, number: usize, diagnostic: &Diagnostic) {
        let Some(input) = self.inputs.get(number) else {
            return;
        };
        if self.baseline.takes(input, diagnostic) {
            self.totals.baselined += 1;
            return;
        }
        if let Some(way) = Way::of(input, diagnostic) {
            self.fixes.entry(number).or_default().push(way);
        }
        let key = (diagnostic.severity(), diagnostic.rule());
        *self.totals.counts.entry(key).or_default() += 1;
        if self.failed.is_none() {
            let found = Found { input, diagnostic };
            self.failed = self.reporter.found(&mut self.out, &found).err();
        }
    }

    /// Ends an input. Breaks after an output error.
    pub(super) fn document_ended(
        &mut self,
        number: usize,
        result: sitemap_serde::Result<()>,
    ) -> ControlFlow<()> {
        let Some(input) = self.inputs.get(number) else {
            return ControlFlow::Break(());
        };
        match result {
            Err(error) if error.kind() == ErrorKind::Settings => self.failed = Some(error.into()),
            Err(error) => self.unread([why_unread(input, &error)]),
            Ok(()) => {}
        }
        if self.failed.is_none() {
            self.failed = self.reporter.document_ends(&mut self.out, input).err();
        }
        match self.failed {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Returns the output error, if there was one.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Adds up the fixable problems.
    fn count_fixes(&mut self) {
        let (mut to_fix, mut to_repair) = (BTreeSet::new(), BTreeSet::new());
        for (number, fixes) in &self.fixes {
            let (by_fix, by_repair) = if fixes.is_malformed {
                (0, fixes.by_fix + fixes.by_repair)
            } else {
                (fixes.by_fix, fixes.by_repair)
            };
            self.totals.fixable += by_fix;
            self.totals.repairable += by_repair;
            self.totals.malformed += u64::from(fixes.is_malformed);
            let has_invalid = fixes.has_invalid && !fixes.is_malformed;
            let has_invalid = has_invalid && self.inputs.get(*number).is_some_and(is_changed_by_repair);
            self.totals.has_invalid |= has_invalid;
            if by_fix > 0 {
                to_fix.insert(*number);
            }
            if by_repair > 0 || fixes.is_malformed || has_invalid {
                to_repair.insert(*number);
            }
        }
        self.totals.to_fix = self.only(&to_fix);
        self.totals.to_repair = self.only(&to_repair);
    }

    /// Returns the document's name if there is exactly one number.
    fn only(&self, numbers: &BTreeSet<usize>) -> Option<String> {
        let mut numbers = numbers.iter();
        let (Some(number), None) = (numbers.next(), numbers.next()) else {
            return None;
        };
        self.inputs.get(*number).map(|input| input.name.clone())
    }

    /// Writes the end of the output. Uses the counts `so_far` if the rules about several documents could not be checked.
    pub(super) fn finish(
        mut self,
        finished: sitemap_serde::Result<lint::Summary>,
        so_far: lint::Summary,
    ) -> Result<(Totals, Baseline)> {
        self.check()?;
        if let Some(last) = self.inputs.last() {
            self.reporter.document_ends(&mut self.out, last)?;
        }
        let summary = finished.unwrap_or_else(|error| {
            self.unread([error.to_string()]);
            so_far
        });
        self.count_fixes();
        self.totals.documents = summary.documents;
        self.totals.entries = summary.entries;
        self.totals.sitemaps = summary.sitemaps;
        self.totals.bytes = summary.bytes;
        self.totals.dropped = summary.dropped;
        // The reasons are printed before the totals.
        self.out.flush()?;
        for why in &self.totals.unread {
            print_message!("sitemap: {why}");
        }
        self.reporter.finish(&mut self.out, &self.totals)?;
        self.out.flush()?;
        Ok((self.totals, self.baseline))
    }
}

/// The fixable problems of a document.
#[derive(Debug, Default)]
struct Fixes {
    by_fix: u64,
    by_repair: u64,
    is_malformed: bool,
    /// `true` if a value or an element has a problem that `--fix` cannot fix.
    has_invalid: bool,
}

/// The way to fix a problem.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// With `--fix`, unless the document is malformed.
    Fix,
    Repair,
    /// The fix is ambiguous: `sitemap repair` reads as much as it can.
    Malformed,
    /// There is no unambiguous fix: `sitemap repair` may leave the value out.
    Invalid,
}

impl Way {
    fn of(input: &Input, diagnostic: &Diagnostic) -> Option<Self> {
        if is_repairable(diagnostic.kind(), Some(diagnostic.rule())) {
            return Some(Way::Malformed);
        }
        let suggestion = diagnostic.suggestion();
        if suggestion.is_none_or(|value| !value.is_certain()) {
            let is_invalid = diagnostic.entry().is_some() && diagnostic.severity() > Severity::Note;
            return is_invalid.then_some(Way::Invalid);
        }
        // Suggestions for a text sitemap or a feed have no place.
        let is_fixed = suggestion.is_some_and(|value| value.byte_range().is_some()) && input.path().is_some();
        Some(if is_fixed { Way::Fix } else { Way::Repair })
    }
}

impl Fixes {
    fn push(&mut self, way: Way) {
        match way {
            Way::Fix => self.by_fix += 1,
            Way::Repair => self.by_repair += 1,
            Way::Malformed => self.is_malformed = true,
            Way::Invalid => self.has_invalid = true,
        }
    }
}

/// Returns `true` if `sitemap repair` changes something that `--fix` keeps. Reads the document up to the first such problem.
fn is_changed_by_repair(input: &Input) -> bool {
    let is_found = Arc::new(AtomicBool::new(false));
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Correcting).on_diagnostic({
        let is_found = Arc::clone(&is_found);
        move |diagnostic| {
            if corrected(diagnostic).is_none() {
                is_found.store(true, Ordering::Relaxed);
            }
        }
    });
    let Ok(opened) = input.open() else {
        return false;
    };
    let mut reader = builder.from_reader(opened);
    let mut record = Record::new();
    while let Ok(true) = reader.read_record(&mut record) {
        if reader.diagnose(&record).is_err() || is_found.load(Ordering::Relaxed) {
            break;
        }
    }
    is_found.load(Ordering::Relaxed)
}

/// Explains why a document could not be read, with its name.
fn why_unread(input: &Input, error: &Error) -> String {
    let text = without_opening(error) + &pointer(&input.name, error);
    if text.contains(&input.name) {
        text
    } else {
        format!("{}: {text}", input.name)
    }
}

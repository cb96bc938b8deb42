//! What a lint reports, on its way to an output format.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::Result;
use sitemap_serde::lint::{self, Severity};
use sitemap_serde::{Diagnostic, Error, Rule};

use crate::input::Input;
use crate::malformed::pointer;
use crate::message::Printer;
use crate::progress::BesideProgress;

use super::baseline::Baseline;

/// How often each rule was broken, by severity.
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
    pub(super) left_out: u64,
    /// Why documents could not be read, one text for each.
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

    /// Called when a document has been read; rules about several documents follow later.
    fn document_ends(&mut self, _: &mut dyn Write, _: &Input) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()>;
}

/// Counts what is reported, and hands it to the output format.
pub(super) struct Output<'a> {
    inputs: &'a [Input],
    reporter: Box<dyn Reporter>,
    baseline: Baseline,
    out: BesideProgress<BufWriter<Printer>>,
    totals: Totals,
    /// Why nothing more can be reported.
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
            failed: None,
        }
    }

    /// Adds why something could not be read.
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
        let key = (diagnostic.severity(), diagnostic.rule());
        *self.totals.counts.entry(key).or_default() += 1;
        if self.failed.is_none() {
            let found = Found { input, diagnostic };
            self.failed = self.reporter.found(&mut self.out, &found).err();
        }
    }

    /// Ends an input. Breaks if nothing more can be reported.
    pub(super) fn document_ended(
        &mut self,
        number: usize,
        result: sitemap_serde::Result<()>,
    ) -> ControlFlow<()> {
        let Some(input) = self.inputs.get(number) else {
            return ControlFlow::Break(());
        };
        match result {
            Err(error) if error.is_settings() => self.failed = Some(error.into()),
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

    /// Returns why nothing more can be reported, if that is so.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Writes the end of the output. The counts are `so_far` if the rules about several documents could not be checked.
    pub(super) fn finish(
        mut self,
        finished: sitemap_serde::Result<lint::Totals>,
        so_far: lint::Totals,
    ) -> Result<(Totals, Baseline)> {
        self.check()?;
        if let Some(last) = self.inputs.last() {
            self.reporter.document_ends(&mut self.out, last)?;
        }
        let summary = finished.unwrap_or_else(|error| {
            self.unread([error.to_string()]);
            so_far
        });
        self.totals.documents = summary.documents;
        self.totals.entries = summary.entries;
        self.totals.sitemaps = summary.sitemaps;
        self.totals.bytes = summary.bytes;
        self.totals.left_out = summary.left_out;
        self.reporter.finish(&mut self.out, &self.totals)?;
        self.out.flush()?;
        Ok((self.totals, self.baseline))
    }
}

/// Why a document could not be read, with its name.
fn why_unread(input: &Input, error: &Error) -> String {
    let text = error.to_string() + &pointer(&input.name, error);
    if text.contains(&input.name) {
        text
    } else {
        format!("{}: {text}", input.name)
    }
}

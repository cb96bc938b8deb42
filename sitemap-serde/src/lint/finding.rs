//! A problem that a rule has found, before it is a diagnostic.

use std::collections::BTreeMap;
use std::ops::Range;

use sitemap_values::Rule;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::error::{Error, Step};
use crate::record::{Node, RecordView};
use crate::xml::element::SECTION;
use crate::xml::escape::escaped_everywhere;
use crate::xml::reference::{Mode, unescape};

/// A finding, before its severity is determined.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) problem: Problem,
    /// Google Search Console's name for it, if it does not follow from the error.
    pub(super) search_console: Option<&'static str>,
    /// The range of its node in the entry, and the start of the node's value; zeros if it is about none.
    node: Range<usize>,
    value_start: usize,
    /// The place of that value, and how it is written; `None` if it is in several pieces.
    piece: Option<(Range<usize>, Mode)>,
}

/// The findings about one entry: the first ones of each rule and severity, and counts of the others. An entry's errors are
/// therefore reported even if it has many notes.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    /// The counts for the entry, including findings that did not fit.
    counts: BTreeMap<(Rule, Option<Severity>), usize>,
    /// The number of all findings so far.
    total: u64,
    /// The counts of the findings that did not fit.
    dropped: BTreeMap<Rule, u64>,
}

impl Findings {
    /// The maximum number of reported findings of a rule and severity about an entry.
    const MOST: usize = 1000;

    pub(super) fn push(&mut self, finding: Finding) {
        self.total += 1;
        let rule = finding.rule();
        let count = self.counts.entry((rule, finding.problem.severity)).or_default();
        *count += 1;
        if *count <= Self::MOST {
            self.list.push(finding);
        } else {
            *self.dropped.entry(rule).or_default() += 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The number of findings about all entries so far, including those that did not fit.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The findings from number `first` on.
    pub(super) fn since(&mut self, first: usize) -> &mut [Finding] {
        self.list.get_mut(first..).unwrap_or_default()
    }

    /// Removes the findings of rules that are waived for the entry.
    pub(super) fn waive(&mut self, is_waived: impl Fn(Rule) -> bool) {
        let Findings {
            list, counts, total, ..
        } = self;
        list.retain(|finding| {
            let is_waived = is_waived(finding.rule());
            if let (true, Some(count)) = (
                is_waived,
                counts.get_mut(&(finding.rule(), finding.problem.severity)),
            ) {
                *count = count.saturating_sub(1);
                *total = total.saturating_sub(1);
            }
            !is_waived
        });
    }

    /// Removes and returns the findings.
    pub(super) fn take(&mut self) -> std::vec::Drain<'_, Finding> {
        self.counts.clear();
        self.list.drain(..)
    }

    /// The number of unreported findings about all entries so far, for the rules that are reported.
    pub(super) fn dropped(&self, is_reported: impl Fn(Rule) -> bool) -> u64 {
        let reported = self.dropped.iter().filter(|(rule, _)| is_reported(**rule));
        reported.map(|(_, count)| count).sum()
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

impl Finding {
    /// A finding about an entry or a document.
    pub(super) fn new(error: Error) -> Self {
        Finding {
            problem: Problem::new(error),
            search_console: None,
            node: 0..0,
            value_start: 0,
            piece: None,
        }
    }

    /// A finding about the value of an element or attribute.
    pub(super) fn at(error: Error, view: &RecordView<'_, '_>, node: &Node) -> Self {
        let at = node.at();
        let mut pieces = view.pieces(node);
        let first = pieces.next().unwrap_or((at..at, Mode::Text));
        let (end, piece) = match pieces.last() {
            Some((last, _)) => (last.end, None),
            None => (first.0.end, Some(first)),
        };
        Finding {
            node: node.outer(),
            value_start: at,
            piece,
            ..Finding::new(error.at_offset(at)).len(end.saturating_sub(at))
        }
    }

    pub(super) fn len(mut self, len: usize) -> Self {
        self.problem.len = len;
        self
    }

    /// Makes it an error whichever rule is broken, since crawlers reject what cannot be read.
    pub(super) fn error(self) -> Self {
        self.severity(Severity::Error)
    }

    pub(super) fn warning(self) -> Self {
        self.severity(Severity::Warning)
    }

    pub(super) fn note(self) -> Self {
        self.severity(Severity::Note)
    }

    fn severity(mut self, severity: Severity) -> Self {
        self.problem.severity = Some(severity);
        self
    }

    pub(super) fn called(mut self, name: Option<&'static str>) -> Self {
        self.search_console = name;
        self
    }

    pub(super) fn within(self, name: &str) -> Self {
        self.map(|error| error.within(Step::other(name)))
    }

    /// The rule that is broken.
    pub(super) fn rule(&self) -> Rule {
        self.problem.rule(Rule::Xml)
    }

    pub(super) fn map(self, change: impl FnOnce(Error) -> Error) -> Self {
        Finding {
            problem: self.problem.map(change),
            ..self
        }
    }

    /// Adds how the suggestion of its diagnostic is applied to the entry.
    pub(super) fn applied_to(&self, entry: &str, diagnostic: Diagnostic) -> Diagnostic {
        let replaced = diagnostic
            .suggestion()
            .and_then(|suggestion| self.replaced(entry, suggestion.value()));
        let (Some((range, found, text)), Some(position)) = (replaced, diagnostic.position()) else {
            return diagnostic;
        };
        let start = position.byte() + range.start as u64 - self.value_start as u64;
        let replaced = entry.get(range).unwrap_or_default();
        diagnostic.with_found(&found).with_place(start, replaced, text)
    }

    /// The range that a suggested value replaces, with the value in it and the new text. `None` for a value in several pieces.
    fn replaced(&self, entry: &str, suggested: &str) -> Option<(Range<usize>, String, String)> {
        let (range, mode) = self.piece.clone().filter(|_| !self.node.is_empty())?;
        let value = entry.get(range.clone())?;
        let is_section = mode == Mode::Verbatim;
        let found = if is_section {
            value.to_owned()
        } else {
            unescape(value)
        };
        if suggested.is_empty() {
            return Some((self.node.clone(), found, String::new()));
        }
        let text = if is_section {
            suggested.to_owned()
        } else {
            escaped_everywhere(suggested)
        };
        // Such a text would end the section.
        let is_writable = !is_section || !suggested.contains(SECTION[1]);
        is_writable.then_some((range, found, text))
    }
}

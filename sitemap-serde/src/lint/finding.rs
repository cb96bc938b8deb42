//! A problem that a rule has found, before it is a diagnostic.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Replacement, Severity};
use crate::error::{Error, Step};
use crate::record::{Node, RecordView};
use crate::xml::escape::escaped_everywhere;
use crate::xml::reference::unescape;

/// A finding, before its severity is determined.
#[derive(Debug)]
pub(super) struct Finding {
    /// `None` only while the error is being changed.
    pub(super) error: Option<Error>,
    pub(super) len: usize,
    pub(super) severity: Option<Severity>,
    /// What Google Search Console calls it, if the error does not say it.
    pub(super) search_console: Option<&'static str>,
    /// The range of its node in the entry, and the start of the node's value; zeros if it is about none.
    node: Range<usize>,
    value_start: usize,
}

/// The findings about one entry: the first ones, and the number of the others.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    left_out: u64,
}

impl Findings {
    /// The most findings about an entry that are reported.
    const MOST: usize = 1000;

    pub(super) fn push(&mut self, finding: Finding) {
        if self.list.len() < Self::MOST {
            self.list.push(finding);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The findings from number `first` on.
    pub(super) fn since(&mut self, first: usize) -> &mut [Finding] {
        self.list.get_mut(first..).unwrap_or_default()
    }

    /// Removes and returns the findings.
    pub(super) fn take(&mut self) -> std::vec::Drain<'_, Finding> {
        self.list.drain(..)
    }

    /// The number of findings about all entries so far for which there was no room.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
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
            error: Some(error),
            len: 0,
            severity: None,
            search_console: None,
            node: 0..0,
            value_start: 0,
        }
    }

    /// A finding about the value of an element or attribute.
    pub(super) fn at(error: Error, view: &RecordView<'_, '_>, node: &Node) -> Self {
        let mut finding = Finding::new(error.at_offset(node.at())).len(view.source_len(node));
        finding.node = node.outer();
        finding.value_start = node.at();
        finding
    }

    pub(super) fn len(mut self, len: usize) -> Self {
        self.len = len;
        self
    }

    /// Makes it an error whichever rule is broken, since crawlers reject what cannot be read.
    pub(super) fn error(mut self) -> Self {
        self.severity = Some(Severity::Error);
        self
    }

    pub(super) fn warning(mut self) -> Self {
        self.severity = Some(Severity::Warning);
        self
    }

    pub(super) fn note(mut self) -> Self {
        self.severity = Some(Severity::Note);
        self
    }

    pub(super) fn called(mut self, name: Option<&'static str>) -> Self {
        self.search_console = name;
        self
    }

    pub(super) fn within(self, name: &str) -> Self {
        self.map(|error| error.within(Step::other(name)))
    }

    /// Whether a finding so far is about a part of a node that ends now.
    pub(super) fn is_in(&self, node: &Node) -> bool {
        self.node.start > node.outer().start
    }

    /// Whether it is about an element or attribute, the outermost of its path, that a message names.
    pub(super) fn is_named_in(&self, message: &str) -> bool {
        let path = self.error.as_ref().and_then(Error::path).unwrap_or_default();
        let part = path.split([' ', '[']).next().unwrap_or_default();
        !part.is_empty() && message.contains(&format!("`{part}`"))
    }

    pub(super) fn take(&mut self) -> Error {
        self.error.take().unwrap_or_else(|| Error::data(""))
    }

    pub(super) fn put(&mut self, error: Error) {
        self.error = Some(error);
    }

    pub(super) fn map(mut self, change: impl FnOnce(Error) -> Error) -> Self {
        let error = self.take();
        self.put(change(error));
        self
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
        diagnostic
            .with_found(&found)
            .with_replacement(Replacement::new(start, replaced, text))
    }

    /// The range that a suggested value replaces, with the value in it and the new text. `None` for a value in several pieces.
    fn replaced(&self, entry: &str, suggested: &str) -> Option<(Range<usize>, String, String)> {
        const CDATA: &str = "<![CDATA[";
        let (before, rest) = entry.split_at_checked(self.value_start)?;
        let mut value = rest.get(..self.len)?.trim_end();
        let mut start = self.value_start;
        let mut is_raw = before.ends_with(CDATA);
        if let Some(section) = value.strip_prefix(CDATA) {
            (value, start, is_raw) = (section, start + CDATA.len(), true);
        }
        if is_raw {
            value = value.strip_suffix("]]>").unwrap_or(value);
        }
        if self.node.is_empty() || value.contains('<') || value.contains("]]>") {
            return None;
        }
        let found = if is_raw { value.to_owned() } else { unescape(value) };
        if suggested.is_empty() {
            return Some((self.node.clone(), found, String::new()));
        }
        let text = if is_raw {
            suggested.to_owned()
        } else {
            escaped_everywhere(suggested)
        };
        Some((start..start + value.len(), found, text))
    }
}

//! A problem that a rule has found, before it is a diagnostic.

use crate::diagnostic::Severity;
use crate::error::{Error, Step};
use crate::record::{Node, RecordView};

/// A finding, before its severity is determined.
#[derive(Debug)]
pub(super) struct Finding {
    /// `None` only while the error is being changed.
    pub(super) error: Option<Error>,
    pub(super) len: usize,
    pub(super) severity: Option<Severity>,
    /// What Google Search Console calls it, if the error does not say it.
    pub(super) search_console: Option<&'static str>,
    /// Where its node begins; 0 if it is about none.
    start: usize,
}

impl Finding {
    /// A finding about an entry or a document.
    pub(super) fn new(error: Error) -> Self {
        Finding {
            error: Some(error),
            len: 0,
            severity: None,
            search_console: None,
            start: 0,
        }
    }

    /// A finding about the value of an element or attribute.
    pub(super) fn at(error: Error, view: &RecordView<'_, '_>, node: &Node) -> Self {
        let mut finding = Finding::new(error.at_offset(node.at())).len(view.source_len(node));
        finding.start = node.outer().start;
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
        self.start > node.outer().start
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
}

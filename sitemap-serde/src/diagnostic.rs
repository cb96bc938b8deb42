//! Problems in a document that do not stop the reading.

use std::fmt;
use std::ops::Range;

use sitemap_values::Rule;
pub use sitemap_values::Severity;

use crate::error::{Error, ErrorKind, Position, Suggestion};
use crate::search_console;

/// A problem in a document that does not stop the reading: the broken rule, its severity, and the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    kind: ErrorKind,
    rule: Rule,
    severity: Severity,
    position: Option<Position>,
    len: u64,
    path: Option<String>,
    found: Option<String>,
    dropped: Option<String>,
    is_loss: bool,
    message: String,
    /// The lengths of the two parts of the message.
    problem_len: usize,
    advice_len: usize,
    suggestion: Option<Suggestion>,
    search_console: Option<&'static str>,
}

/// A problem in a document, from the place that finds it until it becomes a [`Diagnostic`].
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) error: Error,
    /// The length of the text that it is about, in bytes; 0 if it is about a single place.
    pub(crate) len: usize,
    /// `None` for the rule's severity.
    pub(crate) severity: Option<Severity>,
    /// The text, if the problem is in a value.
    pub(crate) found: Option<String>,
}

impl Problem {
    pub(crate) fn new(error: Error) -> Self {
        Problem {
            error,
            len: 0,
            severity: None,
            found: None,
        }
    }

    #[must_use]
    pub(crate) fn len(mut self, len: usize) -> Self {
        self.len = len;
        self
    }

    #[must_use]
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Sets the text that the problem is in, unless that is empty.
    #[must_use]
    pub(crate) fn in_text(mut self, text: &str) -> Self {
        self.found = Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
        self
    }

    /// Changes the error: adds its position or the name of an element.
    #[must_use]
    pub(crate) fn map(self, change: impl FnOnce(Error) -> Error) -> Self {
        Problem {
            error: change(self.error),
            ..self
        }
    }

    /// The broken rule; `default` for an error without one.
    pub(crate) fn rule(&self, default: Rule) -> Rule {
        self.error.rule().unwrap_or(default)
    }
}

impl Diagnostic {
    /// The diagnostic of a problem; `default` is the rule of an error without one.
    pub(crate) fn of(problem: &Problem, default: Rule) -> Self {
        let (error, rule) = (&problem.error, problem.rule(default));
        let mut parts = error.message().into_owned();
        let advice = parts.advice.take().map(|advice| advice.to_string());
        let mut message = String::new();
        // A `String` accepts all text.
        let _ = parts.write(&mut message, error.rule());
        if let Some(advice) = &advice {
            message.extend(["; ", advice]);
        }
        Diagnostic {
            kind: error.kind(),
            rule,
            severity: problem.severity.unwrap_or_else(|| rule.severity()),
            position: error.position(),
            len: problem.len as u64,
            path: error.path().map(str::to_owned),
            found: problem.found.clone(),
            dropped: error.dropped().map(str::to_owned),
            is_loss: error.is_loss(),
            message,
            problem_len: parts.problem.len(),
            advice_len: advice.map_or(0, |advice| advice.len()),
            suggestion: parts.suggestion,
            search_console: search_console::name(error, rule),
        }
    }

    /// Sets what Google Search Console calls the problem.
    #[must_use]
    pub(crate) fn with_search_console(mut self, name: &'static str) -> Self {
        self.search_console = Some(name);
        self
    }

    /// Sets the severity.
    #[must_use]
    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the suggestion's place in the document.
    #[must_use]
    pub(crate) fn with_place(mut self, start: u64, old: &str, new: String) -> Self {
        self.suggestion = self.suggestion.map(|suggestion| suggestion.at(start, old, new));
        self
    }

    /// Sets the text that was found instead of a valid value.
    #[must_use]
    pub(crate) fn with_found(mut self, text: &str) -> Self {
        self.found = Some(text.to_owned());
        self
    }

    /// The broken rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The kind of the problem. After [`ErrorKind::Eof`], [`ErrorKind::Io`] or [`ErrorKind::Limit`] nothing more of the document is read,
    /// and the content of the rest is unknown.
    ///
    /// ```
    /// use sitemap_serde::{ErrorKind, Mode, ReaderBuilder};
    ///
    /// let cut = "<urlset><url><loc>https://example.com/1</loc></url><url><lo";
    /// let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(cut);
    /// assert_eq!(reader.entries().flatten().count(), 1);
    /// assert!(reader.diagnostics().iter().any(|found| found.kind() == ErrorKind::Eof));
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the severity, which is crawlers' treatment of the problem.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The position of the problem; `None` if it concerns the whole document.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The range of the affected text in the document's UTF-8 text, from the [position](Self::position); empty if the diagnostic is about a
    /// single place.
    pub fn byte_range(&self) -> Option<Range<u64>> {
        let start = self.position?.byte();
        Some(start..start.saturating_add(self.len))
    }

    /// The number of the entry, from 1; `None` outside of entries.
    pub fn entry(&self) -> Option<u64> {
        self.position.and_then(|position| position.entry())
    }

    /// The entry and the field, outermost first, like an error's [`path`](Error::path): `entry 3 · image:image[1] · image:loc`.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The whole text of a value that was dropped because it does not parse, that was [corrected](crate::Mode::Correcting), or that has a
    /// place in the document for its [suggestion](Self::suggestion).
    pub fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Google Search Console's name for the problem; `None` if it does not report it.
    pub fn search_console(&self) -> Option<&'static str> {
        self.search_console
    }

    /// The path of the value, element or entry that lenient reading dropped because of the problem: the field itself, the element that
    /// requires it, such as `entry 3 · image:image[1]`, or the entry. `None` if nothing with a path was dropped.
    pub fn dropped(&self) -> Option<&str> {
        self.dropped.as_deref()
    }

    /// Returns `true` if lenient reading lost something because of the problem: the [`dropped`](Self::dropped) part, text or an attribute
    /// outside all elements that were read, a character that XML cannot hold, or the rest of the document. All other problems were
    /// repaired completely.
    ///
    /// ```
    /// use sitemap_serde::{Mode, ReaderBuilder};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url>new<loc>https://example.com/?a&b</loc></url>
    /// </urlset>"#;
    /// let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
    /// assert_eq!(reader.entries().next().unwrap()?.loc, "https://example.com/?a&b");
    /// let found: Vec<(&str, bool)> =
    ///     reader.diagnostics().iter().map(|found| (found.problem(), found.is_loss())).collect();
    /// assert_eq!(
    ///     found,
    ///     [
    ///         ("a `&` that does not begin a reference: in a value it is written `&amp;`", false),
    ///         ("the text `new` between the elements of an entry, which has elements only", true),
    ///     ]
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn is_loss(&self) -> bool {
        self.is_loss
    }

    /// The whole message: the rejected text, the allowed values, the rule and the advice.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The beginning of the [message](Self::message): the rejected text and the allowed values.
    pub fn problem(&self) -> &str {
        self.message.get(..self.problem_len).unwrap_or_default()
    }

    /// The advice: the end of the [message](Self::message).
    pub fn advice(&self) -> Option<&str> {
        let start = self.message.len().checked_sub(self.advice_len)?;
        self.message.get(start..).filter(|advice| !advice.is_empty())
    }

    /// The replacement for the rejected text, if known. In a [lint](crate::lint) of XML it knows its place in the document.
    pub fn suggestion(&self) -> Option<&Suggestion> {
        self.suggestion.as_ref()
    }
}

/// `error[P-LOC]: … at line 2, column 8 (byte 99), entry 1 · loc`
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule, self.message)?;
        if let Some(position) = &self.position {
            write!(f, ", at {position}")?;
        }
        if let Some(path) = &self.path {
            write!(f, ", {path}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_message_of_the_error() {
        let mut error = Error::data("a tab, at line 1, column 1 (byte 0), entry 1").within("loc");
        error = error.at(Position::new(1, 1, 0)).in_entry(1);
        let problem = Problem::new(error).severity(Severity::Warning).len(3);
        let diagnostic = Diagnostic::of(&problem, Rule::Loc);
        assert_eq!(
            diagnostic.message(),
            "a tab, at line 1, column 1 (byte 0), entry 1"
        );
        assert_eq!(diagnostic.problem(), diagnostic.message());
        assert_eq!((diagnostic.advice(), diagnostic.suggestion()), (None, None));
        assert_eq!(diagnostic.path(), Some("entry 1 · loc"));
        assert_eq!(
            (diagnostic.entry(), diagnostic.byte_range()),
            (Some(1), Some(0..3))
        );
        assert_eq!(
            diagnostic.to_string(),
            "warning[P-LOC]: a tab, at line 1, column 1 (byte 0), entry 1, at line 1, column 1 (byte 0), entry 1 · loc"
        );
    }
}

//! Lenient reading of a document: its settings, and its diagnostics.
//!
//! | file | content |
//! |---|---|
//! | `root` | finds the root among other text or elements |
//! | `entries` | reads the next entry, and repairs it if reading strictly fails |
//! | `mend` | repairs a complete entry: several locs, repeated elements, text escaped twice, relative URLs |

mod entries;
mod mend;
mod root;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::error::{Defect, Error, Message, Position};
use crate::loc::Address;
use crate::record::{RecordView, SplitEntries, Table};
use crate::xml::scanner::{Scanner, Span};
use crate::xml::source::{DocumentSource, Window};

use super::{Body, DocumentReader};

pub(super) use entries::Begun;

/// The settings of a lenient reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leniency {
    /// The document's own location.
    pub(crate) location: Option<String>,
    /// `true` if values whose intent is unambiguous are replaced.
    pub(crate) corrects_values: bool,
    /// `true` if elements of extensions that are repeated or misplaced are left to the lint's own rules.
    pub(crate) leaves_extensions: bool,
    pub(crate) callback: Option<Callback>,
}

/// The maximum number of diagnostics stored until the program takes them.
const STORED: usize = 1000;

/// The function that is called with each diagnostic.
#[derive(Clone)]
pub(crate) struct Callback(pub(crate) Arc<dyn Fn(&Diagnostic) + Send + Sync>);

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// The state of a lenient reading.
#[derive(Debug)]
pub(super) struct Lenient {
    settings: Leniency,
    pub(super) location: Option<Address>,
    diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics that were not stored because the limit was reached.
    left_out: u64,
    /// Further entries in the last entry's element, which has several locs.
    rest: Option<SplitEntries>,
    /// The length of the last entry's text, if that is a part of its element.
    part_len: Option<usize>,
    /// `true` if the last token is the start tag of the first entry of a document without a root.
    begins_in_entry: bool,
    /// The first element of another namespace, if it is before the first entry.
    foreign: Option<(String, Position)>,
    /// The depth of the last element between entries that was reported as lost with its text.
    pub(super) lost_depth: Option<usize>,
}

impl Lenient {
    /// Returns `true` if the next entry's start tag was read already.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.rest.is_some() || self.begins_in_entry
    }

    /// Returns `true` if every entry's values are looked at.
    #[inline]
    pub(super) fn corrects_values(&self) -> bool {
        self.settings.corrects_values
    }

    /// Drops all pending entries.
    pub(super) fn drop_pending(&mut self) {
        self.rest = None;
        self.begins_in_entry = false;
    }

    /// Counts diagnostics that cannot be stored.
    pub(super) fn skip_diagnostics(&mut self, count: u64) {
        self.left_out += count;
    }

    /// Reports a diagnostic, and stores it within the limit.
    fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(callback) = &self.settings.callback {
            callback.0(&diagnostic);
        }
        if self.diagnostics.len() < STORED {
            self.diagnostics.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }
}

/// The reporter for the repairs of the last entry while its table is examined: an entry may need too many to collect them first.
pub(crate) struct Reports<'r, S> {
    scanner: &'r Scanner<S>,
    lenient: &'r mut Lenient,
    /// The number of the entry.
    entry: u64,
}

impl<S: Window> Reports<'_, S> {
    /// Reports a problem of the entry as a diagnostic.
    #[cold]
    pub(crate) fn report(&mut self, problem: Problem) {
        let (scanner, entry) = (self.scanner, self.entry);
        let position = |offset| scanner.position(scanner.held() + offset);
        let problem = problem.map(|error| error.locate(position).in_entry(entry));
        self.lenient.report(Diagnostic::of(&problem, Rule::Dup));
    }
}

impl<S: Window> DocumentReader<S> {
    /// Reads leniently from now on.
    pub(crate) fn be_lenient(&mut self, settings: Leniency) {
        self.scanner.be_lenient();
        self.lenient = Some(Box::new(Lenient {
            settings,
            location: None,
            diagnostics: Vec::new(),
            left_out: 0,
            rest: None,
            part_len: None,
            begins_in_entry: false,
            foreign: None,
            lost_depth: None,
        }));
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.lenient.is_some()
    }

    /// The diagnostics that are stored.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        self.lenient.as_ref().map_or(&[], |lenient| &lenient.diagnostics)
    }

    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        self.lenient
            .as_mut()
            .map_or_else(Vec::new, |lenient| std::mem::take(&mut lenient.diagnostics))
    }

    /// Takes the stored diagnostics, and the number of those that could not be stored.
    pub(crate) fn take_all_diagnostics(&mut self) -> (Vec<Diagnostic>, u64) {
        let Some(lenient) = &mut self.lenient else {
            return (Vec::new(), 0);
        };
        (
            std::mem::take(&mut lenient.diagnostics),
            std::mem::take(&mut lenient.left_out),
        )
    }

    pub(crate) fn dropped_diagnostics(&self) -> u64 {
        self.lenient.as_ref().map_or(0, |lenient| lenient.left_out)
    }

    /// Reports a diagnostic, and stores it within the limit.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(lenient) = &mut self.lenient {
            lenient.report(diagnostic);
        }
    }

    /// Reports more diagnostics, and returns all that are stored, these among them.
    pub(crate) fn report_all(&mut self, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let Some(lenient) = &mut self.lenient else {
            return more;
        };
        if let Some(callback) = &lenient.settings.callback {
            for diagnostic in &more {
                callback.0(diagnostic);
            }
        }
        let mut all = std::mem::take(&mut lenient.diagnostics);
        all.extend(more);
        all
    }

    /// Turns the scanner's notes, in the last entry or before it, into diagnostics.
    #[cold]
    pub(super) fn gather_notes(&mut self, in_entry: bool) {
        let (notes, left_out) = self.scanner.take_notes();
        if let Some(lenient) = &mut self.lenient {
            lenient.left_out += left_out;
        }
        // The scanner holds nothing between entries, and text there belongs to no entry.
        let in_entry = in_entry && self.scanner.is_holding();
        let start = self.scanner.offset_of(self.scanner.held());
        for mut note in notes {
            let error = &note.error;
            let is_in_entry = in_entry && error.position().is_some_and(|position| position.byte() >= start);
            let severity = match (error.rule(), error.defect()) {
                (Some(Rule::SitemapXsd), _) | (_, Defect::Spelling) => Severity::Warning,
                _ => Severity::Error,
            };
            if is_in_entry && error.entry().is_none() {
                note = note.map(|error| error.in_entry(self.entries));
            }
            let mut diagnostic = Diagnostic::of(&note.severity(severity), Rule::Xml);
            if let (Some(found), Some(position)) =
                (diagnostic.found().map(str::to_owned), diagnostic.position())
                && let Some(meant) = diagnostic.suggestion().map(|meant| meant.value().to_owned())
            {
                diagnostic = diagnostic.with_place(position.byte(), &found, meant);
            }
            self.report(diagnostic);
        }
    }

    /// Keeps the name of the first element of another namespace, whose start tag was the last token.
    #[cold]
    pub(super) fn keep_foreign(&mut self, name: &Span) {
        if self.entries > 0
            || self
                .lenient
                .as_ref()
                .is_none_or(|lenient| lenient.foreign.is_some())
        {
            return;
        }
        let foreign = (
            self.scanner.text(name.clone()).to_owned(),
            self.scanner.position(name.start),
        );
        if let Some(lenient) = &mut self.lenient {
            lenient.foreign = Some(foreign);
        }
    }

    /// Notes why nothing was read of a document that has ended, unless it is an empty sitemap.
    pub(super) fn note_nothing(&mut self) {
        let Some(lenient) = self.lenient.as_mut().filter(|_| self.entries == 0) else {
            return;
        };
        let error = if let Body::Feed(feed) = &self.body {
            let message = Message::new(format!(
                "the feed has no `{}`: nothing is read of it",
                feed.item()
            ));
            let error = Error::data(message.advice("leave it out of the index until it has some"));
            error.breaks(Rule::Empty)
        } else if let Some((name, position)) = lenient.foreign.take() {
            let message = Message::new(format!(
                "the document has no `{}` in the sitemap's namespace: {} is in another one, and nothing is read of it",
                self.kind.unwrap_or_default().entry(),
                quote(&name)
            ));
            let error = Error::data(message.advice("correct its `xmlns`"));
            error.breaks(Rule::Ns).at(position)
        } else {
            return;
        };
        let error = error.at(self.scanner.position(self.scanner.token().end));
        self.scanner.note(error);
    }

    /// Notes the first bytes that are not in the document's encoding.
    pub(super) fn note_odd_bytes(&mut self) {
        if let Some((position, encoding)) = self.scanner.odd_bytes() {
            let (taken_as, advice) = match encoding {
                "UTF-8" => (
                    "windows-1252",
                    "convert the file to UTF-8, or declare the encoding that it is in",
                ),
                _ => ("U+FFFD", "convert the file to UTF-8, or correct its declaration"),
            };
            let message = Message::new(format!(
                "bytes that are invalid in {encoding} from here on: they are read as {taken_as}"
            ));
            let error = Error::syntax(message.advice(advice))
                .breaks(Rule::Utf8)
                .at(position);
            // Every byte is a character in windows-1252.
            self.scanner.note(if encoding == "UTF-8" {
                error
            } else {
                error.losing()
            });
        }
    }

    /// The range of the last entry in the window.
    #[inline]
    pub(super) fn entry_span(&self) -> Range<usize> {
        let start = self.scanner.held();
        match self.lenient.as_ref().and_then(|lenient| lenient.part_len) {
            Some(len) => start..start + len,
            None => start..self.scanner.token().end,
        }
    }

    /// The document's own location.
    #[inline]
    pub(super) fn location(&self) -> Option<&Address> {
        self.lenient
            .as_ref()
            .and_then(|lenient| lenient.location.as_ref())
    }

    /// The last record, and the reporter for its problems; `None` in strict reading.
    pub(crate) fn view_with_reports<'de>(&mut self) -> Option<(RecordView<'de, '_>, Reports<'_, S>)>
    where
        S: DocumentSource<'de>,
    {
        let span = self.entry_span();
        let view = RecordView {
            text: self.scanner.source().window_text().slice(span.start, span.end),
            table: &self.table,
        };
        let reports = Reports {
            scanner: &self.scanner,
            lenient: self.lenient.as_mut()?,
            entry: self.entries,
        };
        Some((view, reports))
    }

    /// Repairs the table of the last entry.
    pub(crate) fn repair(&mut self, repair: impl FnOnce(&mut Table)) {
        repair(&mut self.table);
    }

    /// The table of the last entry, and the reporter for its repairs.
    pub(crate) fn reports(&mut self) -> Option<(&mut Table, Reports<'_, S>)> {
        let reports = Reports {
            scanner: &self.scanner,
            lenient: self.lenient.as_mut()?,
            entry: self.entries,
        };
        Some((&mut self.table, reports))
    }

    /// Reports an error in the last entry as a diagnostic.
    #[cold]
    pub(super) fn report_error(&mut self, error: Error, found: Option<&str>) {
        if let Some((_, mut reports)) = self.reports() {
            let problem = Problem::new(error).severity(Severity::Error);
            reports.report(problem.in_text(found.unwrap_or_default()));
        }
    }
}

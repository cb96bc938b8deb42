//! Repairs of documents that are not well-formed: which token the markup at an error most likely is.
//!
//! Lenient reading reads each token strictly first. Only if that fails, [`Scanner::repair`] reads the token again by the rules of the
//! modules below, and keeps the error as a note.
//!
//! **Lenient reading is strict reading with repairs**. The scanner reads strictly. Only after an error does lenient mode look at the token
//! again, decide what it most likely means, record the error as a diagnostic, and continue after it. So there is one parser, a valid
//! document takes the same path in both modes, and each repair has the strict error's message and position. Elements that the document does
//! not close are closed before the token that requires it is read. If the modes would interpret a well-formed document differently, lenient
//! reading looks ahead: it first tries to read an element of another namespace strictly. Only if the element is not well-formed, it
//! searches the content for entries, from the start tag on (`repair/ahead`). Problems within a complete entry (a second loc, doubled
//! values, a relative loc, text escaped twice) are repaired in its table (`document/read/lenient`, `record/table/mend`), so that every way
//! of reading sees the same entry. For a valid entry that costs a few comparisons.
//!
//! | file | content |
//! |---|---|
//! | `attributes`, `construct`, `text` | broken start tags; broken comments, sections and instructions; broken text |
//! | `close` | elements without end tags, and end tags without elements |
//! | `namespaces` | misspelt URIs of namespaces |
//! | `ahead` | looks at later text before it decides |

mod ahead;
mod attributes;
mod close;
mod construct;
mod namespaces;
mod text;

use std::io;
use std::ops::RangeInclusive;

use sitemap_values::Rule;

use crate::diagnostic::Problem;
use crate::error::{Defect, Error, ErrorKind, Result};
use crate::xml::names::{self, Namespace};
use crate::xml::source::Window;
use crate::xml::vocabulary::Vocabulary;

use super::{Scanner, Span, State, Token};

use ahead::Ahead;
use attributes::NotedOnce;
pub(super) use construct::Construct;
use construct::SearchedTo;
pub(crate) use namespaces::is_misspelt_xmlns;
pub(super) use text::resolve;

/// The maximum number of notes kept until the document takes them.
const MOST_NOTES: usize = 1000;

/// The state of lenient reading.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// The errors that were repaired, in the order of the document.
    notes: Vec<Problem>,
    /// The number of notes beyond [`MOST_NOTES`].
    left_out: u64,
    /// The number of elements whose ends are the next tokens.
    closing: usize,
    /// The number of open elements within which the document ends.
    cut: usize,
    /// The number of open elements within the entry that is being read, the entry included; 0 between entries.
    entry: usize,
    /// An entry, by the byte offset of its start, and the number of its elements that were ended by the start of another element, not by
    /// their end tags.
    unclosed: (u64, usize),
    /// The namespace of entries; `None` for the core's.
    entry_uri: Option<String>,
    searched_to: SearchedTo,
    /// The prefixes that are not declared and were noted.
    undeclared: NotedOnce,
    /// The misspelt URIs of namespaces that were noted.
    odd_uris: NotedOnce,
    ahead: Ahead,
    /// `true` if the rest of the document is damaged, which is noted.
    is_damaged: bool,
    /// `true` if text is missing because of the damage.
    is_cut_off: bool,
    /// `true` if the last start tag was repaired.
    pub(super) has_repaired_tag: bool,
}

/// The markup at the place of an error, by its first bytes.
enum Markup {
    /// The end of the document.
    Nothing,
    Text,
    Construct(Construct),
    /// `<!`, but no comment or CDATA section.
    Declaration,
    EndTag,
    StartTag,
    /// A `<` that begins no markup.
    Bare,
}

impl Markup {
    fn of(rest: &[u8]) -> Self {
        match rest {
            [] => Markup::Nothing,
            [b'<', b'!', b'-', b'-', ..] => Markup::Construct(Construct::Comment),
            [b'<', b'!', b'[', b'C' | b'c', ..] => Markup::Construct(Construct::Section),
            [b'<', b'?', ..] => Markup::Construct(Construct::Instruction),
            [b'<', b'!', ..] => Markup::Declaration,
            [b'<', b'/', ..] => Markup::EndTag,
            [b'<', b, ..] if b.is_ascii_alphabetic() || matches!(b, b'_' | b':' | 0x80..) => Markup::StartTag,
            [b'<', ..] => Markup::Bare,
            _ => Markup::Text,
        }
    }
}

/// Returns `true` if an error of the source means that the rest of the document is damaged or missing, not that it cannot be read now.
/// Decompressing readers use three kinds of errors for it.
pub(super) fn is_damage(error: &Error) -> bool {
    let is_gzip = error.rule() == Some(Rule::Gzip) && matches!(error.kind(), ErrorKind::Io | ErrorKind::Eof);
    is_gzip
        || error.io_error().is_some_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof
            )
        })
}

/// The settings of lenient reading, and its notes.
impl<S: Window> Scanner<S> {
    /// Reads leniently from now on.
    pub(crate) fn be_lenient(&mut self) {
        self.repairs = Some(Box::default());
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.repairs.is_some()
    }

    /// Reads a document of another format.
    pub(crate) fn set_vocabulary(&mut self, vocabulary: &'static Vocabulary) {
        self.vocabulary = vocabulary;
    }

    /// Uses the namespace of the entry whose start tag was the last token as the namespace of entries, instead of the core's.
    pub(crate) fn set_entry_namespace(&mut self) {
        if let Some(repairs) = &mut self.repairs {
            let (prefix, _) = names::split(self.open.last().unwrap_or_default());
            let uri = self.scope.uri(prefix).unwrap_or_default();
            uri.clone_into(repairs.entry_uri.get_or_insert_default());
        }
    }

    /// Sets the number of open elements within the entry that is being read, the entry included; 0 between entries.
    #[inline(always)]
    pub(crate) fn set_entry(&mut self, depth: usize) {
        if let Some(repairs) = &mut self.repairs {
            repairs.entry = depth;
        }
    }

    /// Returns `true` if the document ends within the element that ended last.
    pub(crate) fn is_cut(&self) -> bool {
        self.repairs
            .as_ref()
            .is_some_and(|repairs| self.open.len() < repairs.cut)
    }

    #[inline]
    pub(crate) fn has_notes(&self) -> bool {
        match &self.repairs {
            // Notes are dropped only if there are others.
            Some(repairs) => !repairs.notes.is_empty(),
            None => false,
        }
    }

    /// Returns `true` if there is a note about markup, not only about text before the document.
    pub(crate) fn has_note_of_markup(&self) -> bool {
        let notes = self.repairs.as_ref().map_or(&[][..], |repairs| &repairs.notes);
        notes.iter().any(|note| note.error.rule() == Some(Rule::Xml))
    }

    /// Takes the notes, and the number of notes that did not fit.
    pub(crate) fn take_notes(&mut self) -> (Vec<Problem>, u64) {
        match (&mut self.repairs, &mut self.ignored) {
            (Some(repairs), _) => (
                std::mem::take(&mut repairs.notes),
                std::mem::take(&mut repairs.left_out),
            ),
            (None, Some(ignored)) => std::mem::take(&mut **ignored),
            (None, None) => (Vec::new(), 0),
        }
    }

    /// Notes ignored text from now on, in a strict reading.
    pub(crate) fn note_ignored(&mut self) {
        self.ignored = Some(Box::default());
    }

    /// Returns `true` if ignored text is noted.
    pub(crate) fn notes_ignored(&self) -> bool {
        self.is_lenient() || self.ignored.is_some()
    }

    /// Keeps an error that was repaired.
    #[cold]
    pub(crate) fn note(&mut self, error: Error) {
        self.note_text(error, 0);
    }

    /// Like [`note`](Self::note), for an error about a text of `len` bytes.
    #[cold]
    pub(crate) fn note_text(&mut self, error: Error, len: usize) {
        self.note_problem(Problem::new(error).len(len));
    }

    /// Like [`note`](Self::note), for an error about a text.
    fn note_problem(&mut self, problem: Problem) {
        let (notes, left_out) = match (&mut self.repairs, &mut self.ignored) {
            (Some(repairs), _) => (&mut repairs.notes, &mut repairs.left_out),
            (None, Some(ignored)) => (&mut ignored.0, &mut ignored.1),
            (None, None) => return,
        };
        if notes.len() < MOST_NOTES {
            notes.push(problem);
        } else {
            *left_out += 1;
        }
    }

    /// Like [`note`](Self::note), unless byte `noted` of the document, whose error is the last that was noted in an earlier step of the
    /// repair, is among these `bytes`. Then only marks that error if there is a loss.
    #[cold]
    fn note_once(&mut self, error: Error, bytes: RangeInclusive<u64>, noted: Option<u64>) {
        if !noted.is_some_and(|noted| bytes.contains(&noted)) {
            self.note(error);
        } else if error.is_loss() {
            self.mark_loss(noted);
        }
    }

    /// Marks the error at byte `noted` of the document, one of the last notes, as a loss.
    #[cold]
    fn mark_loss(&mut self, noted: Option<u64>) {
        // If notes did not fit, this one may be absent, and the others may be losses.
        let repairs = self.repairs.as_mut().filter(|repairs| repairs.left_out == 0);
        if let Some(repairs) = repairs.filter(|_| noted.is_some()) {
            let is_noted =
                |note: &&mut Problem| note.error.position().map(|position| position.byte()) == noted;
            if let Some(note) = repairs.notes.iter_mut().rev().find(is_noted) {
                note.error.mark_loss();
            }
        }
    }

    /// Keeps the error that the rest of the document is damaged, which ends the document.
    #[cold]
    pub(super) fn note_damage(&mut self, error: Error) {
        let is_cut_off = error.defect() != Defect::NothingMissing;
        self.note(error);
        if let Some(repairs) = &mut self.repairs {
            repairs.is_damaged = true;
            repairs.is_cut_off = is_cut_off;
        }
    }

    /// Returns `true` if the text ends where the rest of it is missing.
    pub(super) fn is_cut_off(&self) -> bool {
        self.repairs.as_ref().is_some_and(|repairs| repairs.is_cut_off)
    }
}

impl<S: Window> Scanner<S> {
    /// Reads the token that strict reading rejected with `error`, while `depth` elements were open. Returns the error if it cannot be
    /// repaired: a limit, the source, or a document without a root.
    #[cold]
    pub(super) fn repair(&mut self, error: Error, depth: usize) -> Result<Token> {
        let is_end = error.kind() == ErrorKind::Eof;
        let is_encoding = error.rule() == Some(Rule::Utf8);
        match error.kind() {
            _ if is_end => {}
            ErrorKind::Syntax | ErrorKind::Data if !is_encoding => {}
            ErrorKind::Limit if self.is_endless_construct(&error) => {}
            _ => return Err(error),
        }
        self.undo_start(depth);
        let rest = self.bytes().get(self.start..).unwrap_or_default();
        if self.open.is_empty() && self.state != State::Epilog && (rest.is_empty() || rest == b"<") {
            // There is no root. The first problem of the document is the reason.
            let (mut notes, _) = self.take_notes();
            return Err(if notes.is_empty() {
                error
            } else {
                notes.swap_remove(0).error
            });
        }
        let mut noted = error.position().map(|position| position.byte());
        // Like gzip(1), keep the text that was decompressed before the damage, which is the reason for an early end. And the repair of a
        // start tag notes each prefix that is not declared.
        let is_damaged = self.repairs.as_ref().is_some_and(|repairs| repairs.is_damaged);
        if is_end && is_damaged || error.defect() == Defect::Prefix {
            noted = None;
        } else {
            self.note(error);
        }
        let token = match Markup::of(self.bytes().get(self.start..).unwrap_or_default()) {
            Markup::Nothing => self.end_early(0),
            Markup::Text => self.repair_text(0, noted),
            Markup::Construct(construct) => Ok(self.repair_construct(construct, noted)),
            Markup::Declaration => {
                self.load(&|scanner| scanner.likely_tag_end(scanner.start + 2) < scanner.near().len());
                self.skip_tag(2, noted)
            }
            Markup::EndTag => self.repair_end_tag(is_end, noted),
            Markup::StartTag => self.repair_start_tag(is_end, depth, noted),
            Markup::Bare => {
                self.load(&|scanner| scanner.start + scanner.bare_len() < scanner.near().len());
                self.repair_text(self.bare_len(), noted)
            }
        }?;
        if self.state == State::Start {
            self.state = State::Prolog;
        }
        Ok(token)
    }

    /// The window up to the largest size that the token may have. A repair never looks beyond it, so that its result does not depend on
    /// how much of the document is in the window.
    fn near(&self) -> &[u8] {
        let window = self.source.window();
        let end = self
            .start
            .saturating_add(self.limits.token_bytes)
            .saturating_add(1);
        let mut end = end.min(window.len());
        while !window.is_char_boundary(end) {
            end -= 1;
        }
        window.as_bytes().get(..end).unwrap_or_default()
    }

    /// The end of a tag without attributes: after its `>`, or before the next `<`, or the end of the text.
    fn likely_tag_end(&self, from: usize) -> usize {
        let bytes = self.near();
        let rest = bytes.get(from..).unwrap_or_default();
        match memchr::memchr2(b'<', b'>', rest) {
            Some(len) => from + len + usize::from(rest[len] == b'>'),
            None => bytes.len(),
        }
    }

    /// Skips the tag at the token. Its content from `from` bytes after its start is lost.
    fn skip_tag(&mut self, from: usize, noted: Option<u64>) -> Result<Token> {
        let end = self.likely_tag_end(self.start + from);
        if end == self.near().len() {
            self.check_token(self.source.window().len())?;
        }
        self.pos = end;
        self.mark_lost_text(self.start + from..end, noted);
        Ok(Token::Aside)
    }

    /// Marks the error at byte `noted` as a loss if the skipped text at `span` has letters or digits. Text before the root belongs to no
    /// sitemap.
    fn mark_lost_text(&mut self, span: Span, noted: Option<u64>) {
        let is_before_root = matches!(self.state, State::Start | State::Prolog);
        if !is_before_root && self.text(span).contains(char::is_alphanumeric) {
            self.mark_loss(noted);
        }
    }

    /// The namespace of a prefix; of an undeclared one, the namespace that usually has it.
    fn lenient_namespace(&self, prefix: &str) -> Namespace {
        let declared = match prefix {
            "" => Some(self.scope.default_namespace()),
            prefix => self.scope.namespace(prefix),
        };
        declared
            .or_else(|| self.scope.known().of_prefix(prefix))
            .unwrap_or(Namespace::Other)
    }
}

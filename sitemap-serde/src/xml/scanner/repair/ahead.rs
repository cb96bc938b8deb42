//! Looking ahead of the current token.
//!
//! The treatment of an element may depend on whether it ends, and a repair on the text after it. An error of the source in text that is
//! only looked at is returned when all text before it is read.

use crate::error::{Error, Result};
use crate::xml::chars::name_len;
use crate::xml::names;
use crate::xml::source::Window;

use super::super::{Scanner, State};
use super::{Repairs, is_damage};

/// The state of looking ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// `true` if the scanner looks ahead.
    is_on: bool,
    /// The error of the source after the text in the window.
    failure: Option<Error>,
    /// The byte offset in the document where the last tried element stops being well-formed. No element before it is tried, so that the
    /// time stays linear.
    broken_at: u64,
}

impl Repairs {
    /// Returns `true` if the scanner looks ahead: then it reads as in a strict reading.
    #[inline]
    pub(in crate::xml::scanner) fn is_ahead(&self) -> bool {
        self.ahead.is_on
    }
}

impl<S: Window> Scanner<S> {
    /// Looks ahead by `look`.
    pub(super) fn ahead<R>(&mut self, look: impl FnOnce(&mut Self) -> R) -> R {
        self.set_ahead(true);
        let found = look(self);
        self.set_ahead(false);
        found
    }

    fn set_ahead(&mut self, is_on: bool) {
        if let Some(repairs) = &mut self.repairs {
            repairs.ahead.is_on = is_on;
        }
    }

    /// Reads more text from the source; `false` at the end of the document, which for lenient reading is also where the rest is damaged,
    /// and, when looking ahead, before an error.
    pub(in crate::xml::scanner) fn more_of_source(&mut self) -> Result<bool> {
        let Some(repairs) = &self.repairs else {
            return self.read_source();
        };
        if repairs.ahead.failure.is_none() {
            let read = self.read_source();
            match (read, &mut self.repairs) {
                (Err(failure), Some(repairs)) => repairs.ahead.failure = Some(failure),
                (read, _) => return read,
            }
        }
        self.check_failure()?;
        Ok(false)
    }

    /// Returns the error of the source that comes after the text in the window, unless the scanner looks ahead. Damage is noted instead.
    pub(super) fn check_failure(&mut self) -> Result<()> {
        let Some(repairs) = self.repairs.as_mut().filter(|repairs| !repairs.ahead.is_on) else {
            return Ok(());
        };
        match repairs.ahead.failure.take() {
            Some(failure) if is_damage(&failure) => self.note_damage(failure),
            Some(failure) => return Err(failure),
            None => {}
        }
        Ok(())
    }

    /// Returns `true` if the text in the window ends where the rest of the document is damaged.
    pub(super) fn ends_in_damage(&self) -> bool {
        self.repairs
            .as_ref()
            .is_some_and(|repairs| repairs.is_damaged || repairs.ahead.failure.is_some())
    }

    /// Reads more text into the window until `is_enough`, or until the end of the document, or until the limit of the token's size. Each
    /// read doubles the text, so that looking at it takes linear time, even if it arrives in small pieces.
    pub(in crate::xml::scanner) fn load(&mut self, is_enough: &dyn Fn(&Self) -> bool) {
        self.ahead(|scanner| {
            while !is_enough(scanner) {
                let loaded = scanner.source.window().len() - scanner.start;
                if !matches!(scanner.ensure(2 * loaded.max(1)), Ok(true)) {
                    return;
                }
            }
        });
    }

    /// Returns `true` if a `wanted` element begins within 64 KiB after the last token, the root's start tag, and no `other` element.
    pub(crate) fn has_only(&mut self, wanted: &str, other: &str) -> bool {
        const LOOKED_AT: usize = 64 << 10;
        if self.state != State::Content {
            return false;
        }
        let looked_at = |scanner: &Self| scanner.source.window().len() - scanner.pos >= LOOKED_AT;
        self.load(&|scanner| looked_at(scanner) || scanner.begins_element(other, LOOKED_AT));
        self.begins_element(wanted, LOOKED_AT) && !self.begins_element(other, LOOKED_AT)
    }

    /// Returns `true` if an element with this local name begins within `bytes` after the last token, outside of comments.
    fn begins_element(&self, wanted: &str, bytes: usize) -> bool {
        let mut end = (self.pos + bytes).min(self.source.window().len());
        while !self.source.window().is_char_boundary(end) {
            end -= 1;
        }
        let mut rest = self.source.window().get(self.pos..end).unwrap_or_default();
        while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
            rest = &rest[at + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
                continue;
            }
            let (_, local) = names::split(&rest[..name_len(rest)]);
            if local.eq_ignore_ascii_case(wanted) {
                return true;
            }
        }
        false
    }

    /// Reads the element whose start tag was the last token by `read`, as in a strict reading. `None`, and reads nothing, if it is not
    /// well-formed, or larger than an entry may be.
    pub(crate) fn strictly<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R>) -> Option<R> {
        let first = self.offset_of(self.start);
        let repairs = self.repairs.as_ref()?;
        if repairs.has_repaired_tag || first < repairs.ahead.broken_at {
            return None;
        }
        let (anchor, depth, state) = (self.anchor, self.open.len(), self.state);
        if anchor.is_none() {
            self.hold();
        }
        let held = self.held();
        let (start, pos) = (self.start - held, self.pos - held);
        let found = self.ahead(read).ok();
        if found.is_none() {
            let broken_at = self.offset_of(self.start);
            if let Some(repairs) = &mut self.repairs {
                repairs.ahead.broken_at = broken_at;
            }
            self.undo_start(depth);
            let held = self.held();
            (self.start, self.pos, self.state) = (held + start, held + pos, state);
        }
        if anchor.is_none() {
            self.release();
        }
        found
    }
}

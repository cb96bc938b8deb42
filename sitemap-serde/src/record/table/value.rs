//! The value of a node: a range of the entry, or of the text that was resolved.

use std::ops::Range;

use crate::xml::chars::is_space;
use crate::xml::reference::{self, Mode};

use super::{Findings, Table, narrow};

/// The value of an element or attribute, without the white space around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// `true` if it is a range of the resolved text, not of the entry.
    pub(super) resolved: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The offset of the value in the entry, or of its place if it is empty.
    pub(super) at: u32,
}

impl Value {
    #[inline(always)]
    pub(crate) fn empty(at: usize) -> Self {
        Value::of_range(at..at)
    }

    /// The value of a text of the entry that begins at `start`.
    #[inline(always)]
    pub(crate) fn of_text(text: &[u8], start: usize) -> Self {
        Value::of_range(trimmed(text, start))
    }

    #[inline(always)]
    fn of_range(range: Range<usize>) -> Self {
        Value {
            resolved: false,
            start: narrow(range.start),
            end: narrow(range.end),
            at: narrow(range.start),
        }
    }
}

/// The text that was resolved.
impl Table {
    /// The value of a text of the entry that begins at `start` and contains special bytes. `None` if it is not well-formed.
    pub(crate) fn resolve_text(&mut self, raw: &str, start: usize) -> Option<Value> {
        let Some(blank) = raw.bytes().position(|b| !is_space(b)) else {
            return Some(Value::empty(start));
        };
        self.resolve(raw.get(blank..)?, Mode::Text, start + blank)
    }

    /// Like [`resolve_text`](Self::resolve_text), for an attribute value.
    pub(crate) fn resolve_attribute(&mut self, raw: &str, start: usize) -> Option<Value> {
        self.resolve(raw, Mode::Attribute, start)
    }

    #[inline]
    fn resolve(&mut self, raw: &str, mode: Mode, start: usize) -> Option<Value> {
        let before = self.resolved.len();
        let mut is_escaped = false;
        match reference::resolve_and_look(raw, mode, &mut self.resolved, &mut is_escaped) {
            Ok(true) => {}
            Ok(false) => return Some(Value::of_text(raw.as_bytes(), start)),
            Err(_) => {
                self.resolved.truncate(before);
                return None;
            }
        }
        self.findings.add(Findings::REFERENCE, is_escaped);
        Some(self.value_since(before, start))
    }

    /// Appends the resolved form of a piece of text. `false`, and appends nothing, if that is the piece itself; `None` if it is not
    /// well-formed.
    pub(crate) fn resolve_piece(&mut self, raw: &str, mode: Mode) -> Option<bool> {
        reference::resolve(raw, mode, &mut self.resolved).ok()
    }

    /// Appends a piece of a resolved text.
    pub(crate) fn push_resolved(&mut self, piece: &str) {
        self.resolved.push_str(piece);
    }

    /// The value of all resolved text from `from` on, which begins at offset `at` of the entry.
    pub(crate) fn resolved_since(&mut self, from: usize, at: usize) -> Value {
        let text = self.resolved.as_bytes().get(from..).unwrap_or_default();
        // A reference contains a `;`, which is rarer than `&`.
        let may_be_escaped = memchr::memchr(b';', text).is_some();
        self.findings.add(Findings::REFERENCE, may_be_escaped);
        self.value_since(from, at)
    }

    /// The value of a text that was resolved elsewhere, and begins at offset `at` of the entry.
    pub(crate) fn resolved_value(&mut self, text: &str, at: usize) -> Value {
        let from = self.resolved.len();
        self.push_resolved(text);
        self.resolved_since(from, at)
    }

    #[inline]
    fn value_since(&self, from: usize, at: usize) -> Value {
        let text = self.resolved.as_bytes().get(from..).unwrap_or_default();
        let Range { start, end } = trimmed(text, from);
        Value {
            resolved: true,
            start: narrow(start),
            end: narrow(end),
            at: narrow(at),
        }
    }
}

/// The range of a text that begins at `start`, without the white space around it.
#[inline(always)]
fn trimmed(text: &[u8], start: usize) -> Range<usize> {
    match (text.first(), text.last()) {
        (Some(b'!'..), Some(b'!'..)) => start..start + text.len(),
        _ => without_space(text, start),
    }
}

#[inline(never)]
fn without_space(text: &[u8], start: usize) -> Range<usize> {
    let other = |b: &u8| !is_space(*b);
    match (text.iter().position(other), text.iter().rposition(other)) {
        (Some(first), Some(last)) => start + first..start + last + 1,
        _ => start..start,
    }
}

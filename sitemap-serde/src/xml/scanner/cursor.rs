//! Support for a reader that compares the text ahead with text that the scanner read before.

use crate::limits::Limits;
use crate::xml::chars::is_space;
use crate::xml::names::Scope;
use crate::xml::source::Window;

use super::open::OpenNames;
use super::{Scanner, Span, State};

/// The text after the last token, and the scanner's state, for readers of whole elements, which must keep both up to date. All offsets
/// count from the start of the kept text.
#[derive(Debug)]
pub(crate) struct Cursor<'s> {
    /// The window from the start of the kept text on.
    text: &'s str,
    /// The text up to the largest size that an entry may have.
    bytes: &'s [u8],
    /// The start and end of the last token.
    start: usize,
    pos: usize,
    base: usize,
    limits: &'s Limits,
    open: &'s mut OpenNames,
    scope: &'s mut Scope,
    is_lenient: bool,
}

impl<S: Window> Scanner<S> {
    /// Reads ahead by `read`; `None` outside of the root.
    #[inline(always)]
    pub(crate) fn read_ahead<R>(&mut self, read: impl FnOnce(&mut Cursor<'_>) -> R) -> Option<R> {
        if self.state != State::Content {
            return None;
        }
        let held = self.held();
        let text = self.source.window().get(held..)?;
        let end = self.limits.entry_bytes.min(text.len());
        let mut cursor = Cursor {
            text,
            bytes: text.as_bytes().get(..end).unwrap_or_default(),
            start: self.start.wrapping_sub(held),
            pos: self.pos.wrapping_sub(held),
            base: self.moved.wrapping_add(held),
            limits: &self.limits,
            open: &mut self.open,
            scope: &mut self.scope,
            is_lenient: self.repairs.is_some(),
        };
        let found = read(&mut cursor);
        let Cursor { start, pos, .. } = cursor;
        self.start = held.wrapping_add(start);
        self.pos = held.wrapping_add(pos);
        Some(found)
    }

    /// The text after the last token, and the number of the namespace scope there; `None` outside of the root.
    #[inline(always)]
    pub(crate) fn text_and_scope(&self) -> Option<(&[u8], u64)> {
        if self.state != State::Content {
            return None;
        }
        let text = self.source.window().as_bytes().get(self.pos..)?;
        Some((text, self.scope.generation()))
    }

    /// Like [`read_ahead`](Self::read_ahead), within the element `name` whose start tag is the next `len` bytes after `gap` bytes of
    /// white space. Keeps the element's text in the window. If the tag is beyond a limit, reads nothing and returns `None`.
    #[inline(always)]
    pub(crate) fn read_ahead_in<R>(
        &mut self,
        name: &str,
        (gap, len): (usize, usize),
        read: impl FnOnce(&mut Cursor<'_>) -> R,
    ) -> Option<R> {
        let (at, end) = (self.pos + gap, self.pos + gap + len);
        if self.open.len() >= self.limits.depth
            || self.offset_of(end) > self.limits.bytes
            || len > self.limits.entry_bytes.min(self.limits.token_bytes)
        {
            return None;
        }
        (self.start, self.pos, self.anchor) = (at, end, Some(at));
        self.open.push(name);
        self.read_ahead(read)
    }
}

impl<'s> Cursor<'s> {
    /// The kept text, up to the largest size that an entry may have.
    #[inline]
    pub(crate) fn entry(&self) -> &'s [u8] {
        self.bytes
    }

    /// The text from an offset on.
    #[inline]
    pub(crate) fn from(&self, at: usize) -> &'s [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// A range of the text.
    #[inline]
    pub(crate) fn bytes(&self, span: Span) -> &'s [u8] {
        self.bytes.get(span).unwrap_or_default()
    }

    /// A range of the text that begins and ends between characters.
    #[inline]
    pub(crate) fn text(&self, span: Span) -> Option<&'s str> {
        self.text.get(span)
    }

    /// The range of the last token.
    #[inline]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// The offset of the kept text in the document. It wraps around.
    #[inline]
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    #[inline]
    pub(crate) fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// A number that identifies the namespace declarations in scope.
    #[inline]
    pub(crate) fn scope(&self) -> u64 {
        self.scope.generation()
    }

    /// Returns `true` if one more element may be open.
    #[inline]
    pub(crate) fn can_open(&self) -> bool {
        self.open.len() < self.limits.depth
    }

    /// The maximum number of bytes of a token.
    #[inline]
    pub(crate) fn most(&self) -> usize {
        self.limits.token_bytes
    }

    /// Moves on: the last token is at `start..end`.
    #[inline]
    pub(crate) fn pass(&mut self, start: usize, end: usize) {
        (self.start, self.pos) = (start, end);
    }

    /// Opens the element `name`, which declares these prefixes of URIs, and moves on: the last token is at `tag`. `None` if they cannot
    /// be declared.
    #[inline]
    pub(crate) fn open(
        &mut self,
        name: &str,
        declarations: &[(Box<str>, Box<str>)],
        tag: Span,
    ) -> Option<()> {
        for (prefix, uri) in declarations {
            self.scope.declare(prefix, uri, self.open.len() + 1).ok()?;
        }
        self.open.push(name);
        self.pass(tag.start, tag.end);
        Some(())
    }

    /// Closes the innermost element, whose end tag is at `tag`, and moves on.
    #[inline]
    pub(crate) fn close(&mut self, tag: Span) {
        self.pass(tag.start, tag.end);
        self.scope.leave(self.open.len());
        self.open.pop();
    }

    /// Reads the end tag of the innermost element if it is at offset `at`. `false` for the root's, which the scanner reads.
    #[inline]
    pub(crate) fn end(&mut self, at: usize) -> bool {
        let Some(name) = self.open.last() else {
            return false;
        };
        let Some(rest) = self.from(at + 2).strip_prefix(name.as_bytes()) else {
            return false;
        };
        let space = match rest.first() {
            Some(b'>') => 0,
            _ => rest.iter().take_while(|b| is_space(**b)).count(),
        };
        let len = 2 + name.len() + space;
        if rest.get(space) != Some(&b'>') || self.open.len() == 1 || len > self.limits.token_bytes {
            return false;
        }
        self.close(at..at + len + 1);
        true
    }
}

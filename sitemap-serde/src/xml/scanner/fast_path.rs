//! The fast path: reads tags that were read before by comparing their text, sixteen bytes at a time.

mod leaves;
mod within;

use crate::limits::Limits;
use crate::xml::chars::is_space;
use crate::xml::names::Scope;
use crate::xml::reference::{self, Mode};
use crate::xml::source::Window;

use super::bit_sets::BitSets;
use super::known::{AttributeValue, KnownTag, TagLayout};
use super::open::OpenNames;
use super::pattern::Pattern;
use super::search::find_quote;

use super::{Scanner, Span, State, Value};

pub(crate) use leaves::{LeafText, Leaves};

/// The scanner's state while the fast path reads. All offsets count from the start of the kept text.
///
/// A tag that was read before has been checked, and means the same in the same namespace scope; only attribute values and
/// text still have to be checked. On anything unusual a function returns `None` or the like without changing the state, and
/// the scanner reads it token by token, with its errors.
#[derive(Debug)]
pub(crate) struct FastPath<'s> {
    /// The window from the start of the kept text on.
    text: &'s str,
    /// The text up to the largest size that an entry may have.
    bytes: &'s [u8],
    /// The start and end of the last token.
    start: usize,
    pos: usize,
    limits: &'s Limits,
    open: &'s mut OpenNames,
    scope: &'s mut Scope,
    bits: &'s mut BitSets,
    /// The first eight bytes of the white space seen last between tags.
    gap: &'s mut u64,
    found: &'s mut Vec<FoundValue>,
    resolved: &'s mut String,
    is_lenient: bool,
}

/// An attribute value that was read.
#[derive(Clone, Debug)]
pub(crate) struct FoundValue {
    /// The attribute's index in the known tag.
    pub(crate) attribute: u8,
    /// The text between the quotes, references unresolved.
    pub(crate) raw: Span,
    pub(crate) value: Value,
}

/// The range of a start tag that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundStart {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_empty: bool,
}

/// The content of an element.
#[derive(Debug)]
pub(crate) enum Content {
    /// Only text. The element ends at `end`.
    Text { text: FoundText, end: usize },
    /// A child element comes next.
    Element,
    /// Content that the fast path does not read.
    Other,
}

/// The text of an element.
#[derive(Debug)]
pub(crate) enum FoundText {
    /// A range of the source.
    Plain(Span),
    /// A range of [`FastPath::resolved`]; its first byte that is not white space is at `begins` in the source.
    Resolved { begins: usize, text: Span },
}

/// The white space expected at first: a line break with indentation.
pub(super) const FIRST_GAP: u64 = u64::from_le_bytes(*b"\n       ");

impl<S: Window> Scanner<S> {
    /// Reads by the fast path; `None` outside of the root.
    #[inline(always)]
    pub(crate) fn fast_path<R>(&mut self, read: impl FnOnce(&mut FastPath<'_>) -> R) -> Option<R> {
        if self.state != State::Content {
            return None;
        }
        let held = self.held();
        let text = self.source.window().get(held..)?;
        let end = self.limits.entry_bytes.min(text.len());
        self.bits.move_back(held);
        let mut fast = FastPath {
            text,
            bytes: text.as_bytes().get(..end).unwrap_or_default(),
            start: self.start.wrapping_sub(held),
            pos: self.pos.wrapping_sub(held),
            limits: &self.limits,
            open: &mut self.open,
            scope: &mut self.scope,
            bits: &mut self.bits,
            gap: &mut self.gap,
            found: &mut self.found,
            resolved: &mut self.resolved,
            is_lenient: self.repairs.is_some(),
        };
        let found = read(&mut fast);
        let FastPath { start, pos, .. } = fast;
        self.start = held.wrapping_add(start);
        self.pos = held.wrapping_add(pos);
        self.bits.move_back(0_usize.wrapping_sub(held));
        Some(found)
    }
}

impl<S: Window> Scanner<S> {
    /// Reads the start tag of an entry if `beginning` comes next, which is `gap` bytes of white space and the whole tag; keeps
    /// the entry's text in the window; and reads the entry's content by `read`. If something else comes next, reads nothing
    /// and returns `None`.
    #[inline(always)]
    pub(crate) fn ahead_in_entry<R>(
        &mut self,
        tag: &KnownTag,
        (beginning, gap): (&Pattern, usize),
        read: impl FnOnce(&mut FastPath<'_>) -> R,
    ) -> Option<R> {
        let bytes = self.source.window().as_bytes();
        let (at, end) = (self.pos + gap, self.pos + beginning.len());
        if self.state != State::Content
            || !beginning.starts(bytes.get(self.pos..)?)
            || tag.scope != self.scope.generation()
            || self.open.len() >= self.limits.depth
            || self.offset_of(end) > self.limits.bytes
            || beginning.len() - gap > self.limits.entry_bytes.min(self.limits.token)
        {
            return None;
        }
        (self.start, self.pos, self.anchor) = (at, end, Some(at));
        self.open.push(&tag.name);
        self.fast_path(read)
    }
}

impl<'s> FastPath<'s> {
    #[inline]
    fn from(&self, at: usize) -> &'s [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// The text from the entry's start on, up to the largest size that an entry may have.
    #[inline]
    pub(crate) fn entry(&self) -> &'s [u8] {
        self.bytes
    }

    /// A range of the text.
    #[inline]
    pub(crate) fn bytes(&self, span: Span) -> &'s [u8] {
        self.bytes.get(span).unwrap_or_default()
    }

    /// A range of the resolved text.
    #[inline]
    pub(crate) fn resolved(&self, span: Span) -> &str {
        self.resolved.get(span).unwrap_or_default()
    }

    /// The range of the last token.
    #[inline]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// The start of the next tag, if only white space is before it.
    #[inline]
    pub(crate) fn next_tag(&mut self) -> Option<usize> {
        let at = self.bits.next_tag(self.bytes, self.pos)?;
        let gap = self.bytes.get(self.pos..at)?;
        if gap.is_empty() {
            return Some(at);
        }
        // Usually it is the white space seen last, or a prefix of it.
        if let Some(word) = self.from(self.pos).first_chunk()
            && gap.len() <= 8
            && (u64::from_le_bytes(*word) ^ *self.gap) << (64 - 8 * gap.len()) == 0
        {
            return Some(at);
        }
        self.other_gap(gap).then_some(at)
    }

    /// Whether this is white space, which is remembered then.
    #[inline(never)]
    fn other_gap(&mut self, gap: &[u8]) -> bool {
        if !gap.iter().all(|&b| is_space(b)) {
            return false;
        }
        let mut likely = [b' '; 8];
        for (likely, b) in likely.iter_mut().zip(gap) {
            *likely = *b;
        }
        *self.gap = u64::from_le_bytes(likely);
        true
    }

    /// Whether the tag at offset `at` is an end tag.
    #[inline]
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.bytes.get(at + 1) == Some(&b'/')
    }

    /// The text after the last token.
    #[inline]
    pub(crate) fn rest(&self) -> &'s [u8] {
        self.from(self.pos)
    }

    /// Whether the tag has the same meaning here, in the current namespace scope, and one more element may be open.
    #[inline]
    pub(crate) fn can_be_here(&self, tag: &KnownTag) -> bool {
        tag.scope == self.scope.generation() && self.open.len() < self.limits.depth
    }

    /// Whether a token may have `len` bytes.
    #[inline]
    pub(crate) fn can_have(&self, len: usize) -> bool {
        len <= self.limits.token
    }

    /// The range of the attribute value that begins at `at`, and whether it may have to be resolved.
    #[inline(always)]
    pub(crate) fn value(&self, at: usize, quote: u8) -> Option<(Span, bool)> {
        let (len, is_special) = find_quote(self.from(at), quote)?;
        Some((at..at + len, is_special))
    }

    /// The end of `piece` if it is at offset `at`.
    #[inline(always)]
    pub(crate) fn behind(&self, piece: &Pattern, at: usize) -> Option<usize> {
        piece.starts(self.from(at)).then(|| at + piece.len())
    }

    /// Resolves an attribute value; `None` if it is not well-formed.
    #[inline(never)]
    pub(crate) fn resolve_value(&mut self, raw: &Span) -> Option<Value> {
        let start = self.resolved.len();
        let changed = reference::resolve(self.text.get(raw.clone())?, Mode::Attribute, self.resolved).ok()?;
        Some(if changed {
            Value::Resolved(start..self.resolved.len())
        } else {
            Value::Window(raw.clone())
        })
    }

    /// Clears the attribute values and the resolved text.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.found.clear();
        self.resolved.clear();
    }

    /// The index of the known layout that the tag read last has.
    pub(crate) fn layout_of(&self, tag: &KnownTag, start: FoundStart) -> Option<u8> {
        let is_its = |layout: &TagLayout| {
            let starts = std::iter::once(start.start).chain(self.found.iter().map(|found| found.raw.end));
            let ends = self.found.iter().map(|found| found.raw.start).chain([start.end]);
            let is_piece = |(piece, (start, end)): (&Pattern, (usize, usize))| {
                piece.len() == end - start && piece.starts(self.from(start))
            };
            let attributes = layout.values.iter().map(|(attribute, _)| *attribute);
            attributes.eq(self.found.iter().map(|found| found.attribute))
                && layout.pieces.iter().zip(starts.zip(ends)).all(is_piece)
        };
        u8::try_from(tag.layouts.iter().position(is_its)?).ok()
    }

    /// Adds the layout of the tag read last to the known layouts, and returns its index; `None` if there are too many.
    #[cold]
    pub(crate) fn learn_layout(&self, tag: &mut KnownTag, start: FoundStart) -> Option<u8> {
        let relative = |found: &FoundValue| {
            let value = found.raw.start - start.start..found.raw.end - start.start;
            (found.attribute, value)
        };
        let values: Vec<_> = self.found.iter().map(relative).collect();
        tag.add_layout(self.bytes(start.start..start.end), &values)
    }

    /// Whether the tag at offset `at` has this name, in the same scope.
    #[inline]
    pub(crate) fn begins(&self, tag: &KnownTag, at: usize) -> bool {
        tag.begins(self.from(at), self.scope.generation())
    }

    /// Reads the known tag that [begins](Self::begins) at offset `at`, up to its `>`, without moving on. Its attribute values
    /// are in [`found`](Self::found) then.
    #[inline]
    pub(crate) fn start(&mut self, tag: &KnownTag, at: usize) -> Option<FoundStart> {
        self.found.clear();
        self.resolved.clear();
        let end = at + tag.head.len();
        if self.open.len() >= self.limits.depth {
            return None;
        }
        if self.bytes.get(end) == Some(&b'>') && tag.declared == 0 {
            return Some(FoundStart {
                start: at,
                end: end + 1,
                is_empty: false,
            });
        }
        self.attributes(tag, at, end)
    }

    /// Reads the attributes of the tag at `start`, after its name.
    fn attributes(&mut self, tag: &KnownTag, start: usize, name_end: usize) -> Option<FoundStart> {
        let (mut at, mut seen, mut likely, mut count) = (name_end, 0, 0, 0);
        let is_empty = loop {
            let after = at;
            while is_space(*self.bytes.get(at)?) {
                at += 1;
            }
            match *self.bytes.get(at)? {
                b'>' => break false,
                b'/' if self.bytes.get(at + 1) == Some(&b'>') => break true,
                _ if at == after => return None,
                _ => {}
            }
            let bytes = self.from(at);
            // Usually they come in the same order as before.
            let is_next = tag
                .attributes
                .get(likely)
                .is_some_and(|attribute| attribute.pattern.starts(bytes));
            if !is_next {
                likely = tag
                    .attributes
                    .iter()
                    .position(|attribute| attribute.pattern.starts(bytes))?;
            }
            let attribute = tag.attributes.get(likely)?;
            count += 1;
            if seen & attribute.bit != 0 || count > self.limits.attributes {
                return None;
            }
            seen |= attribute.bit;
            at += attribute.pattern.len();
            if let AttributeValue::Quoted(quote) = attribute.value {
                let (raw, is_special) = self.value(at, quote)?;
                let value = if is_special {
                    self.resolve_value(&raw)?
                } else {
                    Value::Window(raw.clone())
                };
                at = raw.end + 1;
                self.found.push(FoundValue {
                    attribute: u8::try_from(likely).ok()?,
                    raw,
                    value,
                });
            }
            likely += 1;
        };
        let end = at + 1 + usize::from(is_empty);
        if seen & tag.declared != tag.declared || end - start > self.limits.token {
            return None;
        }
        Some(FoundStart { start, end, is_empty })
    }

    /// The attribute values of the tag read last.
    #[inline]
    pub(crate) fn found(&self) -> &[FoundValue] {
        self.found
    }

    /// Finds the content of the element whose start tag ends at `from`, without moving on.
    #[inline]
    pub(crate) fn content(&mut self, tag: &KnownTag, from: usize) -> Content {
        let Some(end) = self.bits.next_tag(self.bytes, from) else {
            return Content::Other;
        };
        let span = from..end;
        let end = if tag.end.starts(self.from(span.end)) {
            span.end + tag.end.len()
        } else if !matches!(self.bytes.get(span.end + 1), Some(b'/' | b'!' | b'?') | None) {
            let is_blank = self.bytes(span).iter().all(|&b| is_space(b));
            return if is_blank {
                Content::Element
            } else {
                Content::Other
            };
        } else if let Some(end) = self.end_of(tag, span.end) {
            end
        } else {
            return self.unusual_content(tag, span);
        };
        if span.len() > self.limits.token {
            return Content::Other;
        }
        if self.bits.is_plain(self.bytes, &span, Mode::Text) {
            return Content::Text {
                text: FoundText::Plain(span),
                end,
            };
        }
        self.pieces(tag, span)
    }

    /// The end of the end tag at offset `at`, if it is the one of `tag`.
    #[inline(never)]
    fn end_of(&self, tag: &KnownTag, at: usize) -> Option<usize> {
        let bytes = self.from(at);
        if tag.end.starts(bytes) {
            return Some(at + tag.end.len());
        }
        if !tag.close.starts(bytes) {
            return None;
        }
        let len = tag.close.len();
        if bytes.get(len) == Some(&b'>') {
            return Some(at + len + 1);
        }
        let space = bytes.get(len..)?.iter().take_while(|b| is_space(**b)).count();
        (bytes.get(len + space) == Some(&b'>') && len + space <= self.limits.token)
            .then_some(at + len + space + 1)
    }

    /// The content of an element after whose first `text` comes neither its end tag nor a child.
    #[inline(never)]
    fn unusual_content(&mut self, tag: &KnownTag, text: Span) -> Content {
        match self.bytes.get(text.end + 1) {
            Some(b'!') => self.pieces(tag, text),
            _ => Content::Other,
        }
    }

    /// Joins an element's text: its first piece, and CDATA sections and more text up to the end tag.
    #[inline(never)]
    fn pieces(&mut self, tag: &KnownTag, first: Span) -> Content {
        self.read_pieces(tag, first).unwrap_or(Content::Other)
    }

    fn read_pieces(&mut self, tag: &KnownTag, first: Span) -> Option<Content> {
        // The resolved text may already contain attribute values.
        let (from, resolved) = (first.start, self.resolved.len());
        // The only piece so far, if it need not be resolved; and the offset of the first byte that is not white space.
        let (mut only, mut begins) = (None, None);
        let (mut piece, mut mode) = (first, Mode::Text);
        loop {
            if piece.len() > self.limits.token {
                return None;
            }
            let raw = self.text.get(piece.clone())?;
            let blank = raw.bytes().take_while(|&b| is_space(b)).count();
            // Leading white space is trimmed.
            if blank < raw.len() || (begins.is_some() && blank > 0) {
                if let Some(only) = only.take() {
                    self.resolved.push_str(self.text.get(only)?);
                }
                let changed = reference::resolve(raw, mode, self.resolved).ok()?;
                // Lenient reading looks for references in resolved text only, and those in a section were escaped twice.
                let looks = self.is_lenient
                    && mode == Mode::Verbatim
                    && memchr::memchr(b';', raw.as_bytes()).is_some();
                match begins {
                    None if !changed && !looks => only = Some(piece.clone()),
                    _ if !changed => self.resolved.push_str(raw),
                    _ => {}
                }
                begins.get_or_insert(piece.start + blank);
            } else {
                reference::resolve(raw, mode, &mut String::new()).ok()?;
            }
            // The start of the next piece.
            let mut next = piece.end;
            if mode == Mode::Verbatim {
                next += "]]>".len();
                let end = self.bits.next_tag(self.bytes, next)?;
                (piece, mode) = (next..end, Mode::Text);
                if end > next {
                    continue;
                }
            }
            if let Some(end) = self.end_of(tag, next) {
                let text = match (only, begins) {
                    (Some(only), _) => FoundText::Plain(only),
                    (None, Some(begins)) => FoundText::Resolved {
                        begins,
                        text: resolved..self.resolved.len(),
                    },
                    (None, None) => FoundText::Plain(from..from),
                };
                return Some(Content::Text { text, end });
            }
            let section = self.from(next).strip_prefix(b"<![CDATA[")?;
            let len = memchr::memmem::find(section, b"]]>")?;
            if len + "<![CDATA[".len() > self.limits.token {
                return None;
            }
            let start = next + "<![CDATA[".len();
            (piece, mode) = (start..start + len, Mode::Verbatim);
        }
    }

    /// Moves on: the last token is at `start..end`.
    #[inline]
    pub(crate) fn pass(&mut self, start: usize, end: usize) {
        self.start = start;
        self.pos = end;
    }

    /// Opens the element of the start tag read last, and moves on to its content. `None` if its namespaces cannot be declared, which
    /// were when it was read first.
    #[inline]
    pub(crate) fn enter(&mut self, tag: &KnownTag, found: FoundStart) -> Option<()> {
        if tag.declared != 0 {
            let depth = self.open.len() + 1;
            for attribute in &tag.attributes {
                if let AttributeValue::Namespace { prefix, uri } = &attribute.value {
                    self.scope.declare(prefix, uri, depth).ok()?;
                }
            }
        }
        self.open.push(&tag.name);
        self.pass(found.start, found.end);
        Some(())
    }

    /// Reads the end tag of the open element if it is at offset `at`. `false` for the root's, which the scanner reads.
    #[inline]
    pub(crate) fn end(&mut self, at: usize) -> bool {
        let Some(name) = self.open.last() else {
            return false;
        };
        let tag = self.from(at + 2);
        let Some(rest) = tag.strip_prefix(name.as_bytes()) else {
            return false;
        };
        let space = match rest.first() {
            Some(b'>') => 0,
            _ => rest.iter().take_while(|b| is_space(**b)).count(),
        };
        let len = 2 + name.len() + space;
        if rest.get(space) != Some(&b'>') || self.open.len() == 1 || len > self.limits.token {
            return false;
        }
        self.close(at, at + len + 1);
        true
    }

    /// As [`end`](Self::end), for an element opened by the known tag.
    #[inline]
    pub(crate) fn end_of_known(&mut self, tag: &KnownTag, at: usize) -> bool {
        if !tag.end.starts(self.from(at)) {
            return self.end(at);
        }
        self.close(at, at + tag.end.len());
        true
    }

    #[inline]
    fn close(&mut self, start: usize, end: usize) {
        self.pass(start, end);
        self.scope.leave(self.open.len());
        self.open.pop();
    }
}

#[cfg(test)]
mod tests;

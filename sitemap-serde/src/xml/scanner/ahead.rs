//! The fast path: entries made of tags that were met before, which are compared as numbers.

use crate::limits::Limits;
use crate::xml::chars::is_space;
use crate::xml::names::Scope;
use crate::xml::reference::{self, Mode};
use crate::xml::source::Window;

use super::known::{AttributeValue, KnownTag, Layout};
use super::marks::Marks;
use super::open::OpenNames;
use super::pattern::Pattern;
use super::search::find_quote;

use super::{Scanner, Span, State, Value};

/// The window from the held text on; all places are counted from there.
///
/// What was met before was found to be in order then, in the same scope of namespaces; what is left to be checked is what
/// differs from time to time. Whatever is out of the ordinary is not read here, and nothing is changed by it: the scanner
/// then reads it token by token, and says what is wrong with it, if anything is.
#[derive(Debug)]
pub(crate) struct Ahead<'s> {
    text: &'s str,
    /// No more of it than the entry may have.
    bytes: &'s [u8],
    /// Where the last token starts, and where the next one does.
    start: usize,
    pos: usize,
    limits: &'s Limits,
    open: &'s mut OpenNames,
    scope: &'s mut Scope,
    marks: &'s mut Marks,
    /// White space that was met between tags, as eight bytes of it.
    gap: &'s mut u64,
    found: &'s mut Vec<FoundValue>,
    resolved: &'s mut String,
    is_lenient: bool,
}

/// The value of an attribute that was read.
#[derive(Clone, Debug)]
pub(crate) struct FoundValue {
    /// The attribute's index in the known tag.
    pub(crate) attribute: u8,
    /// The value as it stands between the quotes.
    pub(crate) raw: Span,
    pub(crate) value: Value,
}

/// A start tag that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundStart {
    /// Where it begins, and where what is after it does.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_empty: bool,
}

/// What an element holds.
#[derive(Debug)]
pub(crate) enum Content {
    /// Text alone. The element ends at `end`.
    Text { text: FoundText, end: usize },
    /// An element comes next.
    Element,
    /// Something that is not read here.
    Other,
}

/// Text that was read.
#[derive(Debug)]
pub(crate) enum FoundText {
    /// As it stands.
    Plain(Span),
    /// What it means is a piece of [`Ahead::resolved`]; its first byte that is not white space stands at `begins`.
    Resolved { begins: usize, text: Span },
}

/// Before anything else was met: a line break, and the indentation after it.
pub(super) const FIRST_GAP: u64 = u64::from_le_bytes(*b"\n       ");

impl<S: Window> Scanner<S> {
    /// Reads what is like what was met before. `None` where elements cannot be.
    #[inline]
    pub(crate) fn ahead<R>(&mut self, read: impl FnOnce(&mut Ahead<'_>) -> R) -> Option<R> {
        if self.state != State::Content {
            return None;
        }
        let held = self.held();
        let text = self.source.window().get(held..)?;
        let end = self.limits.entry_bytes.min(text.len());
        self.marks.move_back(held);
        let mut ahead = Ahead {
            text,
            bytes: text.as_bytes().get(..end).unwrap_or_default(),
            start: self.start.wrapping_sub(held),
            pos: self.pos.wrapping_sub(held),
            limits: &self.limits,
            open: &mut self.open,
            scope: &mut self.scope,
            marks: &mut self.marks,
            gap: &mut self.gap,
            found: &mut self.found,
            resolved: &mut self.resolved,
            is_lenient: self.repairs.is_some(),
        };
        let found = read(&mut ahead);
        let Ahead { start, pos, .. } = ahead;
        self.start = held.wrapping_add(start);
        self.pos = held.wrapping_add(pos);
        self.marks.move_back(0_usize.wrapping_sub(held));
        Some(found)
    }
}

impl<S: Window> Scanner<S> {
    /// Reads the start tag of an entry, if it comes next, as it did before: white space, and the tag, which is all of the
    /// beginning. The entry's text is held then. Then reads what is in it. `None`, and nothing is read, if it does not.
    #[inline]
    pub(crate) fn ahead_in_entry<R>(
        &mut self,
        tag: &KnownTag,
        (beginning, gap): (&Pattern, usize),
        read: impl FnOnce(&mut Ahead<'_>) -> R,
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
        self.ahead(read)
    }
}

impl<'s> Ahead<'s> {
    #[inline]
    fn from(&self, at: usize) -> &'s [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// The held text and what is behind it, no more than an entry may have.
    #[inline]
    pub(crate) fn entry(&self) -> &'s [u8] {
        self.bytes
    }

    /// A piece of the text.
    #[inline]
    pub(crate) fn bytes(&self, span: Span) -> &'s [u8] {
        self.bytes.get(span).unwrap_or_default()
    }

    /// A piece of what was resolved.
    #[inline]
    pub(crate) fn resolved(&self, span: Span) -> &str {
        self.resolved.get(span).unwrap_or_default()
    }

    /// Where the last token starts, and where the next one does.
    #[inline]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// Where the next tag starts, if there is nothing but white space before it.
    #[inline]
    pub(crate) fn next_tag(&mut self) -> Option<usize> {
        let at = self.marks.next_tag(self.bytes, self.pos)?;
        let gap = self.bytes.get(self.pos..at)?;
        if gap.is_empty() {
            return Some(at);
        }
        // Mostly the white space is that which was before other tags, or the beginning of it.
        if let Some(word) = self.from(self.pos).first_chunk()
            && gap.len() <= 8
            && (u64::from_le_bytes(*word) ^ *self.gap) << (64 - 8 * gap.len()) == 0
        {
            return Some(at);
        }
        self.other_gap(gap).then_some(at)
    }

    /// Whether that is white space.
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

    /// Whether an end tag starts there.
    #[inline]
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.bytes.get(at + 1) == Some(&b'/')
    }

    /// The text behind the last token.
    #[inline]
    pub(crate) fn rest(&self) -> &'s [u8] {
        self.from(self.pos)
    }

    /// Whether an element of the tag can be here: in the scope of namespaces and at the depth that the reader is in.
    #[inline]
    pub(crate) fn can_be_here(&self, tag: &KnownTag) -> bool {
        tag.scope == self.scope.generation() && self.open.len() < self.limits.depth
    }

    /// Whether a token may have so many bytes.
    #[inline]
    pub(crate) fn can_have(&self, len: usize) -> bool {
        len <= self.limits.token
    }

    /// The value of an attribute that begins there, and whether it is to be resolved.
    #[inline(always)]
    pub(crate) fn value(&self, at: usize, quote: u8) -> Option<(Span, bool)> {
        let (len, is_special) = find_quote(self.from(at), quote)?;
        Some((at..at + len, is_special))
    }

    /// Where that ends, if it stands there.
    #[inline(always)]
    pub(crate) fn behind(&self, piece: &Pattern, at: usize) -> Option<usize> {
        piece.starts(self.from(at)).then(|| at + piece.len())
    }

    /// What the value of an attribute means; `None` if it is wrong.
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

    /// Forgets what was resolved.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.found.clear();
        self.resolved.clear();
    }

    /// Reads elements that hold text alone; `None` where the limit of depth allows none.
    #[inline]
    pub(crate) fn leaves(&self) -> Option<Leaves<'_>> {
        (self.open.len() < self.limits.depth).then(|| Leaves {
            bytes: self.bytes,
            text: self.text,
            start: self.start,
            pos: self.pos,
            marks: self.marks,
            scope: self.scope.generation(),
            most: self.limits.token,
        })
    }

    /// The layout of the tag that was read last, if it is one that is known.
    pub(crate) fn layout_of(&self, tag: &KnownTag, start: FoundStart) -> Option<u8> {
        let is_its = |layout: &Layout| {
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

    /// Makes the layout known of the tag that was read last and could not be read in those that are. Which one it is, if it
    /// is known now.
    #[cold]
    pub(crate) fn learn_layout(&self, tag: &mut KnownTag, start: FoundStart) -> Option<u8> {
        let relative = |found: &FoundValue| {
            let value = found.raw.start - start.start..found.raw.end - start.start;
            (found.attribute, value)
        };
        let values: Vec<_> = self.found.iter().map(relative).collect();
        tag.add_layout(self.bytes(start.start..start.end), &values)
    }

    /// Whether the tag is the one that starts there.
    #[inline]
    pub(crate) fn begins(&self, tag: &KnownTag, at: usize) -> bool {
        tag.begins(self.from(at), self.scope.generation())
    }

    /// Reads the known tag that [begins](Self::begins) there up to its `>`; its attributes' values are then in
    /// [`found`](Self::found). Nothing is passed over yet.
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

    /// Reads the attributes of a tag that starts at `start`, from the end of its name on.
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
            // They mostly come in the order in which they were met.
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

    /// The values of the attributes of the tag that was read last.
    #[inline]
    pub(crate) fn found(&self) -> &[FoundValue] {
        self.found
    }

    /// Looks what the element holds whose start tag ends there. Nothing is passed over yet.
    #[inline]
    pub(crate) fn content(&mut self, tag: &KnownTag, from: usize) -> Content {
        let Some(end) = self.marks.next_tag(self.bytes, from) else {
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
        if self.marks.is_plain(self.bytes, &span, Mode::Text) {
            return Content::Text {
                text: FoundText::Plain(span),
                end,
            };
        }
        self.pieces(tag, span)
    }

    /// Where the tag's end tag ends, if it starts there.
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

    /// What the element holds whose text is not all of it, if there is any.
    #[inline(never)]
    fn unusual_content(&mut self, tag: &KnownTag, text: Span) -> Content {
        match self.bytes.get(text.end + 1) {
            Some(b'!') => self.pieces(tag, text),
            _ => Content::Other,
        }
    }

    /// Puts an element's text together: the first piece of it, and CDATA sections and more text up to the end tag.
    #[inline(never)]
    fn pieces(&mut self, tag: &KnownTag, first: Span) -> Content {
        self.read_pieces(tag, first).unwrap_or(Content::Other)
    }

    fn read_pieces(&mut self, tag: &KnownTag, first: Span) -> Option<Content> {
        // Values of attributes may stand before it.
        let (from, resolved) = (first.start, self.resolved.len());
        // The piece that is all of it, if it need not be resolved; and where the text begins.
        let (mut only, mut begins) = (None, None);
        let (mut piece, mut mode) = (first, Mode::Text);
        loop {
            if piece.len() > self.limits.token {
                return None;
            }
            let raw = self.text.get(piece.clone())?;
            let blank = raw.bytes().take_while(|&b| is_space(b)).count();
            // White space before everything else is trimmed.
            if blank < raw.len() || (begins.is_some() && blank > 0) {
                if let Some(only) = only.take() {
                    self.resolved.push_str(self.text.get(only)?);
                }
                let changed = reference::resolve(raw, mode, self.resolved).ok()?;
                // Where text was resolved a lenient reading looks for what is escaped a second time.
                let looks = self.is_lenient && memchr::memchr(b';', raw.as_bytes()).is_some();
                match begins {
                    None if !changed && !looks => only = Some(piece.clone()),
                    _ if !changed => self.resolved.push_str(raw),
                    _ => {}
                }
                begins.get_or_insert(piece.start + blank);
            } else {
                reference::resolve(raw, mode, &mut String::new()).ok()?;
            }
            // Where the next piece begins, and whether it is a section.
            let mut next = piece.end;
            if mode == Mode::Verbatim {
                next += "]]>".len();
                let end = self.marks.next_tag(self.bytes, next)?;
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

    /// Passes over an element that was read to its end.
    #[inline]
    pub(crate) fn pass(&mut self, start: usize, end: usize) {
        self.start = start;
        self.pos = end;
    }

    /// Passes over the start tag that was read last, of an element that has others in it. `None` if its namespaces cannot be
    /// declared.
    #[inline]
    pub(crate) fn enter(&mut self, tag: &KnownTag, found: FoundStart) -> Option<()> {
        if tag.declared != 0 {
            let depth = self.open.len() + 1;
            for attribute in &tag.attributes {
                if let AttributeValue::Namespace { prefix, uri } = &attribute.value
                    && self.scope.declare(prefix, uri, depth).is_err()
                {
                    self.scope.leave(depth);
                    return None;
                }
            }
        }
        self.open.push(&tag.name);
        self.pass(found.start, found.end);
        Some(())
    }

    /// Reads the end tag of the element that is open, which is not the root, if that starts there.
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

    /// The same if the element's start tag is that one.
    #[inline]
    pub(crate) fn end_of_known(&mut self, tag: &KnownTag, at: usize) -> bool {
        if !tag.end.starts(self.from(at)) || tag.end.len() > self.limits.token {
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

/// What is needed to read elements that hold plain text alone, and nothing else: it is what most tags are read by, and what
/// is not here need not be looked up for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves<'s> {
    bytes: &'s [u8],
    text: &'s str,
    start: usize,
    pos: usize,
    marks: &'s Marks,
    scope: u64,
    /// The most bytes that a text may have.
    most: usize,
}

/// An element that holds text alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundLeaf<'s> {
    /// Where the white space before it begins.
    pub(crate) begins: usize,
    pub(crate) text: &'s [u8],
    pub(crate) text_begins: usize,
    pub(crate) end: usize,
}

impl<'s> Leaves<'s> {
    /// The scope of namespaces.
    #[inline(always)]
    pub(crate) fn scope(&self) -> u64 {
        self.scope
    }

    /// Whether that comes next.
    #[inline(always)]
    pub(crate) fn begins(&self, beginning: &Pattern) -> bool {
        self.bytes
            .get(self.pos..)
            .is_some_and(|bytes| beginning.starts(bytes))
    }

    /// Reads what stands behind so many bytes of white space and start tag, if that is plain text and the end tag.
    #[inline(always)]
    pub(crate) fn read(&self, beginning: usize, end: &Pattern) -> Option<FoundLeaf<'s>> {
        let text_begins = self.pos + beginning;
        let text_ends = self.marks.plain_end(text_begins)?;
        let text = self.bytes.get(text_begins..text_ends)?;
        (text.len() <= self.most && end.starts(self.bytes.get(text_ends..)?)).then(|| FoundLeaf {
            begins: self.pos,
            text,
            text_begins,
            end: text_ends + end.len(),
        })
    }

    /// As [`read`](Self::read), for a text that holds something special: the element, and the text if it has to be resolved.
    #[inline]
    pub(crate) fn read_special(
        &self,
        beginning: usize,
        end: &Pattern,
    ) -> Option<(FoundLeaf<'s>, Option<&'s str>)> {
        let text_begins = self.pos + beginning;
        let text_ends = self.marks.next_known_tag(text_begins)?;
        let text = self.text.get(text_begins..text_ends)?;
        let is_leaf = text.len() <= self.most && end.starts(self.bytes.get(text_ends..)?);
        is_leaf.then(|| {
            let is_plain = self
                .marks
                .means_itself(text.as_bytes(), &(text_begins..text_ends), Mode::Text);
            let found = FoundLeaf {
                begins: self.pos,
                text: text.as_bytes(),
                text_begins,
                end: text_ends + end.len(),
            };
            (found, (!is_plain).then_some(text))
        })
    }

    /// Passes over an element.
    #[inline(always)]
    pub(crate) fn pass(&mut self, start: usize, end: usize) {
        (self.start, self.pos) = (start, end);
    }

    /// Where the last token starts, and where the next one does.
    #[inline(always)]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }
}

#[cfg(test)]
mod tests;

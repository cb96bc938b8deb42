//! The fast path: entries made of tags that were met before, which are compared as numbers.

use crate::limits::Limits;
use crate::xml::chars::is_space;
use crate::xml::names::Scope;
use crate::xml::reference::{self, Mode};
use crate::xml::source::Window;

use super::known::{AttributeValue, KnownTag};
use super::open::OpenNames;
use super::search::{equal, find_quote, find_tag};
use super::special::Specials;
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
    specials: &'s mut Specials,
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

const SPACES: u64 = u64::from_le_bytes([b' '; 8]);

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
        self.specials.move_back(held);
        let mut ahead = Ahead {
            text,
            bytes: text.as_bytes().get(..end).unwrap_or_default(),
            start: self.start.wrapping_sub(held),
            pos: self.pos.wrapping_sub(held),
            limits: &self.limits,
            open: &mut self.open,
            scope: &mut self.scope,
            specials: &mut self.specials,
            gap: &mut self.gap,
            found: &mut self.found,
            resolved: &mut self.resolved,
            is_lenient: self.repairs.is_some(),
        };
        let found = read(&mut ahead);
        let Ahead { start, pos, .. } = ahead;
        self.start = held.wrapping_add(start);
        self.pos = held.wrapping_add(pos);
        self.specials.move_back(0_usize.wrapping_sub(held));
        Some(found)
    }
}

impl<'s> Ahead<'s> {
    #[inline]
    fn from(&self, at: usize) -> &'s [u8] {
        self.bytes.get(at..).unwrap_or_default()
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
        let mut at = self.pos;
        let mut likely = *self.gap;
        loop {
            let bytes: &[u8; 8] = self.bytes.get(at..)?.first_chunk()?;
            let word = u64::from_le_bytes(*bytes);
            let marks = equal(word, b'<');
            let len = marks.trailing_zeros() as usize / 8;
            // All bits below the first mark's byte; all there are if there is no mark.
            let of_gap = ((marks & marks.wrapping_neg()) >> 7).wrapping_sub(1);
            if (word ^ likely) & of_gap != 0 {
                if !bytes.iter().take(len).all(|&b| is_space(b)) {
                    return None;
                }
                if at == self.pos {
                    *self.gap = (word & of_gap) | (SPACES & !of_gap);
                }
            }
            at += len;
            if len < 8 {
                return Some(at);
            }
            likely = SPACES;
        }
    }

    /// Whether an end tag starts there.
    #[inline]
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.bytes.get(at + 1) == Some(&b'/')
    }

    /// Reads an element that begins there, if it is the tag's, has no attributes, and holds plain text alone. Returns where the
    /// text is.
    #[inline]
    pub(crate) fn leaf(&mut self, tag: &KnownTag, at: usize) -> Option<Span> {
        let bytes = self.bytes.get(at..)?;
        if !tag.whole.starts(bytes) || tag.scope != self.scope.generation() {
            return None;
        }
        let bytes = bytes.get(tag.whole.len()..)?;
        let len = find_tag(bytes)?;
        if !tag.end.starts(bytes.get(len..)?) {
            return None;
        }
        let start = at + tag.whole.len();
        let text = start..start + len;
        let fits = len <= self.limits.token && self.open.len() < self.limits.depth;
        if !fits || !self.specials.none_in(self.bytes, text.clone()) {
            return None;
        }
        self.pass(at, text.end + tag.end.len());
        Some(text)
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
                let (len, has_control) = find_quote(self.from(at), quote)?;
                let raw = at..at + len;
                let is_plain = !has_control && self.specials.none_in(self.bytes, raw.clone());
                let value = if is_plain || len == 0 {
                    Value::Window(raw.clone())
                } else {
                    self.resolve_value(&raw)?
                };
                at += len + 1;
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

    fn resolve_value(&mut self, raw: &Span) -> Option<Value> {
        let start = self.resolved.len();
        let changed = reference::resolve(self.text.get(raw.clone())?, Mode::Attribute, self.resolved).ok()?;
        Some(if changed {
            Value::Resolved(start..self.resolved.len())
        } else {
            Value::Window(raw.clone())
        })
    }

    /// The values of the attributes of the tag that was read last.
    #[inline]
    pub(crate) fn found(&self) -> &[FoundValue] {
        self.found
    }

    /// Looks what the element holds whose start tag ends there. Nothing is passed over yet.
    #[inline]
    pub(crate) fn content(&mut self, tag: &KnownTag, from: usize) -> Content {
        let Some(len) = find_tag(self.from(from)) else {
            return Content::Other;
        };
        let span = from..from + len;
        let Some(end) = self.end_of(tag, span.end) else {
            return self.unusual_content(tag, span);
        };
        if span.len() > self.limits.token {
            return Content::Other;
        }
        if self.specials.none_in(self.bytes, span.clone()) {
            return Content::Text {
                text: FoundText::Plain(span),
                end,
            };
        }
        self.pieces(tag, span)
    }

    /// Where the tag's end tag ends, if it starts there.
    #[inline]
    fn end_of(&self, tag: &KnownTag, at: usize) -> Option<usize> {
        let bytes = self.from(at);
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
            Some(b'/' | b'?') | None => Content::Other,
            Some(_) if self.bytes(text).iter().all(|&b| is_space(b)) => Content::Element,
            Some(_) => Content::Other,
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
                let looks = self.is_lenient && memchr::memchr(b'&', raw.as_bytes()).is_some();
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
                let len = find_tag(self.from(next))?;
                (piece, mode) = (next..next + len, Mode::Text);
                if len > 0 {
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
        let space = rest.iter().take_while(|b| is_space(**b)).count();
        let len = 2 + name.len() + space;
        if rest.get(space) != Some(&b'>') || self.open.len() == 1 || len > self.limits.token {
            return false;
        }
        self.pass(at, at + len + 1);
        self.scope.leave(self.open.len());
        self.open.pop();
        true
    }
}

#[cfg(test)]
mod tests;

//! Reading elements with only text, which most elements are.

use crate::xml::chars::is_space;
use crate::xml::reference::Mode;

use super::FastPath;
use crate::xml::scanner::Span;
use crate::xml::scanner::bit_sets::{BitSets, SECTION_END};
use crate::xml::scanner::pattern::Pattern;

/// The part of the state that is needed to read elements with only plain text. Most elements are such, so it is small enough
/// to stay in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves<'s> {
    bytes: &'s [u8],
    text: &'s str,
    start: usize,
    pos: usize,
    bits: &'s BitSets,
    scope: u64,
    /// The most bytes that a text may have.
    most: usize,
    is_lenient: bool,
}

/// An element with only text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundLeaf<'s> {
    /// The start of the white space before it.
    pub(crate) begins: usize,
    pub(crate) text: &'s [u8],
    pub(crate) text_begins: usize,
    pub(crate) end: usize,
}

/// How the text of an element is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LeafText<'s> {
    /// As it stands.
    AsItStands,
    /// After its references and line ends are resolved.
    ToResolve(&'s str),
}

impl FastPath<'_> {
    /// The state for reading elements with only plain text; `None` if the limit of depth allows no more elements.
    #[inline]
    pub(crate) fn leaves(&self) -> Option<Leaves<'_>> {
        (self.open.len() < self.limits.depth).then(|| Leaves {
            bytes: self.bytes,
            text: self.text,
            start: self.start,
            pos: self.pos,
            bits: self.bits,
            scope: self.scope.generation(),
            most: self.limits.token,
            is_lenient: self.is_lenient,
        })
    }
}

impl<'s> Leaves<'s> {
    /// The number of the namespace scope.
    #[inline(always)]
    pub(crate) fn scope(&self) -> u64 {
        self.scope
    }

    /// Whether `beginning` comes next.
    #[inline(always)]
    pub(crate) fn begins(&self, beginning: &Pattern) -> bool {
        self.bytes
            .get(self.pos..)
            .is_some_and(|bytes| beginning.starts(bytes))
    }

    /// Reads an element after `beginning` bytes of white space and start tag, if its content is plain text and the end tag
    /// `end`.
    #[inline(always)]
    pub(crate) fn read(&self, beginning: usize, end: &Pattern) -> Option<FoundLeaf<'s>> {
        let text_begins = self.pos + beginning;
        let text_ends = self.bits.plain_end(text_begins)?;
        let text = self.bytes.get(text_begins..text_ends)?;
        (text.len() <= self.most && end.starts(self.bytes.get(text_ends..)?)).then(|| FoundLeaf {
            begins: self.pos,
            text,
            text_begins,
            end: text_ends + end.len(),
        })
    }

    /// As [`read`](Self::read), for a text with special bytes, or in a CDATA section.
    #[inline]
    pub(crate) fn read_special(
        &self,
        beginning: usize,
        end: &Pattern,
    ) -> Option<(FoundLeaf<'s>, LeafText<'s>)> {
        let begins = self.pos + beginning;
        let ends = self.bits.next_known_tag(begins)?;
        let text = self.text.get(begins..ends)?;
        if text.len() > self.most {
            return None;
        }
        let after = self.bytes.get(ends..)?;
        if !end.starts(after) {
            return self.read_section(text, ends, end);
        }
        let means_itself = self
            .bits
            .means_itself(text.as_bytes(), &(begins..ends), Mode::Text);
        let found = FoundLeaf {
            begins: self.pos,
            text: text.as_bytes(),
            text_begins: begins,
            end: ends + end.len(),
        };
        let text = if means_itself {
            LeafText::AsItStands
        } else {
            LeafText::ToResolve(text)
        };
        Some((found, text))
    }

    /// Reads a CDATA section that starts at `start`, if it is the whole text but for the white space before it, and can be taken as it
    /// stands.
    fn read_section(
        &self,
        before: &str,
        start: usize,
        end: &Pattern,
    ) -> Option<(FoundLeaf<'s>, LeafText<'s>)> {
        const START: &[u8] = b"<![CDATA[";
        let section = self.bytes.get(start..)?.strip_prefix(START)?;
        let begins = start + START.len();
        // A text that is blank is not told from none here.
        if is_space(*section.first()?) || !before.bytes().all(is_space) {
            return None;
        }
        let (ends, has_ampersand) = self.bits.section_end(self.bytes, begins)?;
        let text = self.bytes.get(begins..ends)?;
        // Where an empty text stands is told by the general path.
        if text.is_empty()
            || START.len() + text.len() > self.most
            || !end.starts(self.bytes.get(ends + SECTION_END.len()..)?)
            // A reference in it was escaped twice.
            || (self.is_lenient && has_ampersand && text.contains(&b';'))
        {
            return None;
        }
        let found = FoundLeaf {
            begins: self.pos,
            text,
            text_begins: begins,
            end: ends + SECTION_END.len() + end.len(),
        };
        Some((found, LeafText::AsItStands))
    }

    /// Moves on: the last token is at `start..end`.
    #[inline(always)]
    pub(crate) fn pass(&mut self, start: usize, end: usize) {
        (self.start, self.pos) = (start, end);
    }

    /// The range of the last token.
    #[inline(always)]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }
}

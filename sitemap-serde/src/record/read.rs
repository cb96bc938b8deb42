//! Reading an entry into a table.
//!
//! Entries resemble each other, so most of an entry is read by comparing it with earlier entries. There are four ways; each is tried only
//! if the previous one does not apply:
//!
//! 1. **Leaf** (`known`): an element without attributes and children. Its white space and start tag are one text that came next here
//!    before, and are compared as a whole, sixteen bytes at a time (`pattern`). The next `<` is the next bit in a bit set of the window
//!    (`bit_sets`), and another bit set tells whether the text before it is plain.
//! 2. **Known tag** ([`known_tag`](RecordReader::known_tag)): any start tag whose text around its attribute values was read before
//!    (`tags`). It is tried first in its earlier place, then anywhere and with any white space before it. Attributes in another
//!    order are another tag. Its content is read by `content`, like a leaf's: text, with references and CDATA sections joined and
//!    resolved directly into the table, or a child.
//! 3. **Token** (`token`): the scanner reads the next token and checks all of it; a start tag is known from then on.
//! 4. **Repair**: a lenient reading's scanner repairs the token that is not well-formed.
//!
//! # Why this is allowed
//! A tag becomes known only after the scanner has checked it, and only in its namespace scope: there the same bytes have the same
//! meaning. The varying parts, values and texts, are checked each time, by the bit sets or by resolving them. `KnownTags` decides only the
//! order of comparisons. If a comparison fails, nothing has changed: additions to the table are rolled back, and the next way reads the
//! same bytes. A comparison of a pattern needs sixteen bytes, so a reader that gets one byte at a time reads everything by tokens. The
//! tests hold the others against it: `tests/reading/mutated_entries` on entries of all published shapes that differ from those before
//! them in one place, strictly and leniently, with limits of all sizes; `tests/reading/xml_differential` on XML of any kind; and `tests`
//! here lists the content that each way reads.
//!
//! # What each way brings
//! Costs in instructions without a way: plain records take 27 % more without leaves (optimized, and without assertions; 8 % in the build
//! of the tests), and records of `links` 83 % more if known tags are not tried in their earlier place (in the build of the tests, as
//! `tests/instructions` counts them). Optimizations that gained less than a tenth on every shape were removed.
//!
//! # What may be changed
//! `KnownTags` may be changed freely, since it is only an order, and so may the constants, with the instruction tests at hand. In
//! `KnownTag` and `content`, every `None` is safe, and every `Some` must equal the result of the tokens, limits included. The order of the ways makes
//! reading fast; their agreement makes it correct.
//!
//! **Four ways to read an element**: leaf, known tag, token, repair. Entries resemble each other, so the reader compares text with earlier
//! text: every start tag that the scanner has read is known from then on by its text around its attribute values, in the current namespace
//! scope, and each place in an entry has the tags that came next there before, with their white space. What varies is checked each time:
//! the next `<` is the next bit in a bit set of the window, and another bit set tells whether the text before it contains a special
//! character (`&`, CR, `]`, a control character, the first byte of U+FFFE). A text with references or CDATA sections is resolved directly
//! into the table. If a comparison fails, nothing was changed, and the scanner reads the token. The first comment of `record/read.rs`
//! explains why this is correct, names the tests that compare the four ways, and lists safe changes. An element within a loc is an error,
//! but is read in the same ways, so that refusing such an entry takes 2.7 times as long as reading a good one (`tests/instructions` counts
//! what refused entries cost).

mod bit_sets;
mod content;
mod known;
mod pattern;
mod tags;
#[cfg(test)]
mod tests;
mod token;

use crate::error::Result;
use crate::schema::Name;
use crate::xml::chars::is_blank;
use crate::xml::scanner::{Cursor, Scanner, Span};
use crate::xml::source::Window;

use super::table::{Table, Value};
use bit_sets::BitSets;
use content::{Content, content};
use tags::{KnownTag, KnownTags, NONE, TagIndex};

pub(crate) use known::EntryStart;
pub(crate) use token::{note_stray_text, skip, skip_well_formed};

/// Reads entries. Buffers and known tags are reused from entry to entry.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The open elements within the entry.
    open: Vec<Open>,
    /// Buffers for texts in several pieces, one per level.
    texts: Vec<String>,
    known: KnownTags,
    bits: BitSets,
}

#[derive(Debug)]
struct Open {
    node: usize,
    tag: TagIndex,
    /// `true` if it is a core element of the entry, which may only contain text.
    is_core: bool,
    text: Pieces,
}

/// The pieces of an element's text so far.
#[derive(Debug)]
enum Pieces {
    /// No text, or only white space.
    None,
    /// One piece: its range, counted from the entry's start.
    One(Span),
    /// Several pieces, or a resolved one, joined in `texts`: the offset of the first character that is not white space.
    Many(usize),
}

/// The next step after a known tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// More tags.
    On,
    /// Nothing: the entry is complete.
    End,
    /// Something to be read token by token.
    Token,
}

/// The part of an element with a known tag that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of it; it has only text.
    Leaf,
    /// Its start tag, which is at this node; it has children.
    Open(usize),
    /// Nothing, since its content must be read token by token.
    Nothing,
}

impl RecordReader {
    /// Clears the state for the next entry.
    #[inline]
    fn begin(&mut self, table: &mut Table, any_case: bool) {
        table.clear();
        if table.reset_names() {
            self.known = KnownTags::default();
        }
        table.take_any_case(any_case);
        self.open.clear();
        self.known.begin();
    }

    /// Reads the entry whose start tag is the scanner's last token, up to its end.
    pub(crate) fn read<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        self.begin(table, scanner.is_lenient());
        self.read_on(scanner, table)
    }

    /// Reads the rest of the entry.
    pub(crate) fn read_on<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        // The scanner also counts the open elements within the entry.
        let depth = scanner.depth() - self.open.len();
        loop {
            let is_whole = self.is_between_tags()
                && scanner.read_ahead(|cursor| self.read_known_tags(cursor, table)) == Some(true);
            if is_whole || !self.read_token(scanner, table, depth)? {
                return Ok(());
            }
        }
    }

    /// The number of open elements within the entry.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns `true` if the open element has only white space so far and may have children, so that the next tag may be a known one. A
    /// core element has no such place: a lenient reading closes it before most tags.
    #[inline]
    fn is_between_tags(&self) -> bool {
        match self.open.as_slice() {
            [] => true,
            [outermost, ..] if outermost.is_core => false,
            [.., open] => matches!(open.text, Pieces::None),
        }
    }

    /// Reads as long as tags are known. `true` if the entry is complete.
    fn read_known_tags(&mut self, cursor: &mut Cursor<'_>, table: &mut Table) -> bool {
        self.bits.begin_at(cursor.base());
        loop {
            self.read_leaves(cursor, table);
            let step = match self.expected_tag(cursor, table) {
                Some(step) => step,
                None => self.known_tag(cursor, table).unwrap_or(Step::Token),
            };
            match step {
                Step::On => {}
                Step::End => return true,
                Step::Token => return false,
            }
        }
    }

    /// Reads the next tag if it came next here before, with the same white space before it.
    #[inline]
    fn expected_tag(&mut self, cursor: &mut Cursor<'_>, table: &mut Table) -> Option<Step> {
        let at = cursor.token().end;
        let rest = cursor.from(at);
        for candidate in self.known.candidates() {
            if !candidate.beginning.starts(rest) {
                continue;
            }
            let (start, from) = (at + candidate.gap, at + candidate.beginning.len());
            let index = candidate.tag;
            if index == NONE {
                return self.end(cursor, table, start);
            }
            let tag = self.known.get(index)?;
            if !tag.can_be_here(cursor) {
                continue;
            }
            let is_core = is_core(&self.open, tag);
            if let Some(extent) = read_element(&mut self.bits, cursor, table, tag, (start, from), is_core) {
                return Some(self.step(index, extent));
            }
        }
        None
    }

    /// Reads the next tag if it is a known one, and records that it came next here.
    #[inline(never)]
    fn known_tag(&mut self, cursor: &mut Cursor<'_>, table: &mut Table) -> Option<Step> {
        let from = cursor.token().end;
        let at = self.bits.next_tag(cursor.entry(), from)?;
        if !is_blank(cursor.bytes(from..at)) {
            return None;
        }
        if cursor.entry().get(at + 1) == Some(&b'/') {
            self.known.record(cursor, (from, at), NONE, false);
            return self.end(cursor, table, at);
        }
        let mut index = NONE;
        let extent = loop {
            index += 1;
            let tag = self.known.get(index)?;
            let from = at + tag.beginning.len();
            let is_core = is_core(&self.open, tag);
            if tag.begins_at(cursor, at)
                && let Some(extent) = read_element(&mut self.bits, cursor, table, tag, (at, from), is_core)
            {
                break extent;
            }
        };
        if extent != Extent::Nothing {
            self.known
                .record(cursor, (from, at), index, extent == Extent::Leaf);
        }
        Some(self.step(index, extent))
    }

    /// Continues after a tag; `extent` is the part that was read.
    #[inline]
    fn step(&mut self, index: TagIndex, extent: Extent) -> Step {
        match (extent, self.known.get(index)) {
            (Extent::Nothing, _) | (_, None) => {
                self.known.set_unread(index);
                return Step::Token;
            }
            (Extent::Leaf, _) => self.known.leave(index),
            (Extent::Open(node), Some(tag)) => {
                let is_core = is_core(&self.open, tag);
                self.open(node, index, is_core);
            }
        }
        Step::On
    }

    /// Reads the end tag at offset `at`, if it is the open element's.
    #[inline]
    fn end(&mut self, cursor: &mut Cursor<'_>, table: &mut Table, at: usize) -> Option<Step> {
        let Some(open) = self.open.last() else {
            return cursor.end(at).then_some(Step::End);
        };
        let known_end = self
            .known
            .get(open.tag)
            .filter(|tag| tag.end.starts(cursor.from(at)));
        match known_end {
            Some(tag) => cursor.close(at..at + tag.end.len()),
            None => cursor.end(at).then_some(())?,
        }
        let open = self.open.pop()?;
        table.close(open.node, None, cursor.token().end);
        self.known.leave(open.tag);
        let is_in_text = self
            .open
            .last()
            .is_some_and(|open| !matches!(open.text, Pieces::None));
        Some(if is_in_text { Step::Token } else { Step::On })
    }

    /// Adds the element of a node to the open ones.
    #[inline]
    fn open(&mut self, node: usize, tag: TagIndex, is_core: bool) {
        self.open.push(Open {
            node,
            tag,
            is_core,
            text: Pieces::None,
        });
        if self.texts.len() < self.open.len() {
            self.texts.push(String::new());
        }
        self.known.enter(tag);
    }
}

/// Returns `true` if a tag belongs to a core element of the entry.
#[inline]
fn is_core(open: &[Open], tag: &KnownTag) -> bool {
    open.is_empty() && tag.element.is_some_and(Name::is_core)
}

/// Reads the element at `start` with the tag `tag`, which was compared up to `from`. `None`, and adds nothing to the table, if its tag is
/// another one.
#[inline]
fn read_element(
    bits: &mut BitSets,
    cursor: &mut Cursor<'_>,
    table: &mut Table,
    tag: &KnownTag,
    (start, from): (usize, usize),
    is_core: bool,
) -> Option<Extent> {
    let mark = table.mark();
    let found = read_parts(bits, cursor, table, tag, (start, from), is_core);
    if matches!(found, None | Some(Extent::Nothing)) {
        table.roll_back(mark);
    }
    found
}

#[inline]
fn read_parts(
    bits: &mut BitSets,
    cursor: &mut Cursor<'_>,
    table: &mut Table,
    tag: &KnownTag,
    (start, from): (usize, usize),
    is_core: bool,
) -> Option<Extent> {
    // An element in an unknown namespace has no node.
    let node = tag.element.map(|name| (name, table.begin(name)));
    let end = tag.read_values(cursor, from, |attribute, raw, is_special| {
        let value = if is_special {
            table.resolve_attribute(cursor.text(raw.clone())?, raw.start)?
        } else {
            Value::of_text(cursor.bytes(raw.clone()), raw.start)
        };
        if let (Some(attribute), Some(_)) = (attribute, node) {
            table.push_attribute(attribute, value, raw);
        }
        Some(())
    })?;
    if end - start > cursor.most() {
        return None;
    }
    let content = if tag.is_empty {
        let value = Value::empty(end);
        Content::Text { value, end }
    } else {
        // Elements within a core element are an error of the entry; a lenient reading repairs it.
        content(bits, cursor, table, tag, end, is_core && !cursor.is_lenient())
    };
    match (content, node) {
        (Content::Text { value, end }, node) => {
            if let Some((name, node)) = node {
                table.complete(node, name, value, start..end);
            }
            if tag.is_unknown {
                table.note_unknown();
            }
            cursor.pass(start, end);
            Some(Extent::Leaf)
        }
        (Content::Child(child), Some((name, node))) if !(is_core && cursor.is_lenient()) => {
            // The text before a child of a core element is skipped.
            let behind = if is_core { child } else { end };
            cursor.open(&tag.name, &tag.declarations, start..behind)?;
            table.open(node, name, start..end);
            if is_core {
                table.note_within_core(node, child);
            }
            if tag.is_unknown {
                table.note_unknown();
            }
            Some(Extent::Open(node))
        }
        (Content::Child(_) | Content::Other, _) => Some(Extent::Nothing),
    }
}

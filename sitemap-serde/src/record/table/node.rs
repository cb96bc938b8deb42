//! The nodes of an entry's table, their values, and a view of both.
//!
//! A node is an element or an attribute: the places of it, and of its value, in the text.
//!
//! **The nodes of an entry stay where they are**. Most entries need one vector; the nodes of a larger one are in blocks of 1,024, since a
//! vector that doubles has the old and the new nodes at once. Repairs change the table in place and are reported one by one. So a record
//! takes at most some 16 bytes for each byte of its entry (`tests/memory/entries.rs` counts it over generated shapes), except for names
//! that the schema does not know.

use std::ops::Range;

use crate::error::{Error, Result, Step};
use crate::schema::{self, Name};
use crate::xml::chars::is_space;
use crate::xml::element::{ElementText, SECTION};
use crate::xml::reference::{self, Mode};
use crate::xml::source::SourceText;

use super::{Findings, Table};

/// An element within the entry, or an attribute. Offsets are in bytes from the entry's start.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Name,
    /// `true` if this is the first of its name among its siblings.
    pub(crate) first: bool,
    /// `true` if the value is a range of the resolved text, not of the entry.
    pub(super) resolved: bool,
    /// The range of the value: the trimmed text, without the text of children.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The offset of the value in the entry, or of its place if it is empty.
    pub(super) at: u32,
    /// The range of the element in the entry, tags included; for an attribute, the range of its value.
    pub(super) outer: (u32, u32),
    /// The index of the first node after it and its descendants.
    pub(super) next: u32,
    /// The index of the next sibling of the same name, or zero.
    pub(super) same: u32,
}

/// An offset in an entry, or the index of a node, as 32 bits: no entry exceeds 1 GiB (see [`Limits::entry_bytes`](crate::Limits::entry_bytes)).
#[expect(
    clippy::cast_possible_truncation,
    reason = "an entry is read to its end only if it is smaller"
)]
pub(crate) fn narrow(at: usize) -> u32 {
    at as u32
}

impl Node {
    /// A node without children, to be added at `index`.
    #[inline(always)]
    pub(super) fn new(name: Name, first: bool, index: usize, value: Value, outer: Range<usize>) -> Self {
        Node {
            name,
            first,
            resolved: value.resolved,
            start: value.start,
            end: value.end,
            at: value.at,
            outer: (narrow(outer.start), narrow(outer.end)),
            next: narrow(index + 1),
            same: 0,
        }
    }

    pub(super) fn set_value(&mut self, value: Value) {
        (self.resolved, self.start, self.end, self.at) = (value.resolved, value.start, value.end, value.at);
    }

    /// The range of the value, in the entry or in the resolved text.
    #[inline]
    pub(super) fn value(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The offset of the value in the entry, or of its place if it is empty.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }

    /// The range in the entry, tags included.
    pub(crate) fn outer(&self) -> Range<usize> {
        self.outer.0 as usize..self.outer.1 as usize
    }

    /// The index of the first node after it and its descendants.
    #[inline]
    pub(crate) fn next(&self) -> usize {
        self.next as usize
    }

    /// The index of the next sibling of the same name.
    #[inline]
    pub(crate) fn same(&self) -> Option<usize> {
        (self.same != 0).then_some(self.same as usize)
    }
}

/// The nodes of an entry. The first nodes, which suffice for most entries, are in one vector, and the others in blocks that are never
/// moved: an entry of any size takes memory only for its nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    first: Vec<Node>,
    /// All of them full but the last one, which is not empty.
    blocks: Vec<Vec<Node>>,
}

impl Nodes {
    /// The number of nodes in a block, and the most in the first vector.
    const BLOCK: usize = 1024;

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self.blocks.last() {
            None => self.first.len(),
            Some(last) => self.blocks.len() * Self::BLOCK + last.len(),
        }
    }

    #[inline]
    pub(super) fn first(&self) -> Option<&Node> {
        self.first.first()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&Node> {
        self.first.get(index).or_else(|| {
            let index = index.checked_sub(Self::BLOCK)?;
            self.blocks.get(index / Self::BLOCK)?.get(index % Self::BLOCK)
        })
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Node> {
        match index.checked_sub(Self::BLOCK) {
            None => self.first.get_mut(index),
            Some(index) => self
                .blocks
                .get_mut(index / Self::BLOCK)?
                .get_mut(index % Self::BLOCK),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.first.iter().chain(self.blocks.iter().flatten())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.first.iter_mut().chain(self.blocks.iter_mut().flatten())
    }

    #[inline]
    pub(super) fn push(&mut self, node: Node) {
        if self.first.len() < Self::BLOCK {
            self.first.push(node);
        } else {
            self.push_to_block(node);
        }
    }

    #[inline(never)]
    fn push_to_block(&mut self, node: Node) {
        if let Some(block) = self.blocks.last_mut().filter(|block| block.len() < Self::BLOCK) {
            block.push(node);
            return;
        }
        let mut block = Vec::with_capacity(Self::BLOCK);
        block.push(node);
        self.blocks.push(block);
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.blocks.clear();
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.first.truncate(len);
        if self.blocks.is_empty() {
            return;
        }
        let rest = len.saturating_sub(Self::BLOCK);
        self.blocks.truncate(rest.div_ceil(Self::BLOCK));
        if let Some(block) = self.blocks.get_mut(rest / Self::BLOCK) {
            block.truncate(rest % Self::BLOCK);
        }
    }
}

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

/// An entry's table, and the text that its nodes are ranges of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordView<'de, 'r> {
    pub(crate) text: SourceText<'de, 'r>,
    pub(crate) table: &'r Table,
}

impl<'de, 'r> RecordView<'de, 'r> {
    #[inline]
    pub(crate) fn node(&self, i: usize) -> Option<&'r Node> {
        self.table.nodes.get(i)
    }

    /// The text of the first element with this name that has one.
    pub(crate) fn text_of(&self, name: Name) -> Option<&str> {
        let mut next = 0;
        while let Some(node) = self.node(next) {
            if node.name == name {
                return Some(self.value(node).get()).filter(|text| !text.is_empty());
            }
            next = node.next();
        }
        None
    }

    pub(crate) fn name(&self, node: &Node) -> &'r str {
        self.table.name(node.name)
    }

    /// The name of a node as a step of an error's path.
    pub(crate) fn step(&self, node: &Node) -> Step {
        self.table.step(node.name)
    }

    /// Checks that no other element with its name follows a node, since the schema allows one.
    #[inline]
    pub(crate) fn check_single(&self, node: &Node) -> Result<()> {
        match node.same() {
            Some(same) => Err(self.second(node, same)),
            None => Ok(()),
        }
    }

    #[cold]
    fn second(&self, node: &Node, same: usize) -> Error {
        let at = self.node(same).unwrap_or(node).at();
        schema::second(node.name, "remove one").at_offset(at)
    }

    /// The number of siblings with this name from this node on.
    #[inline]
    pub(crate) fn count_from(&self, node: &Node) -> usize {
        std::iter::successors(Some(node), |node| self.node(node.same()?)).count()
    }

    /// The range of a value that is the same in the entry, and how it is written; `None` if it has references or several pieces.
    pub(crate) fn plain(&self, node: &Node) -> Option<(Range<usize>, Mode)> {
        let value = (!node.resolved).then(|| node.value())?;
        let after = self.text.get().get(value.end..).unwrap_or_default();
        // In text, `]]>` is not well-formed.
        let is_section = after
            .trim_start_matches([' ', '\t', '\r', '\n'])
            .starts_with(SECTION[1]);
        Some((value, if is_section { Mode::Verbatim } else { Mode::Text }))
    }

    /// The pieces of a node's value in the entry, without white space around them: an element's own text may have CDATA sections, comments
    /// or children in it.
    #[cold]
    pub(crate) fn pieces(&self, node: &Node) -> impl Iterator<Item = (Range<usize>, Mode)> {
        let outer = node.outer();
        let source = self.text.get().get(outer.clone()).unwrap_or_default();
        let mut element = ElementText::new(source).filter(|_| node.resolved);
        let mut whole = match (self.plain(node), &element) {
            (Some(plain), _) => Some(plain),
            (None, Some(_)) => None,
            // The range of an attribute is its value.
            (None, None) => Some((trimmed(source.as_bytes(), outer.start), Mode::Attribute)),
        };
        std::iter::from_fn(move || {
            whole.take().or_else(|| {
                let (Range { start, end }, mode) = element.as_mut()?.next_trimmed()?;
                Some((outer.start + start..outer.start + end, mode))
            })
        })
    }

    /// The range of a node's value in the entry, references and CDATA sections included.
    #[cold]
    pub(crate) fn source_range(&self, node: &Node) -> Range<usize> {
        let end = self.pieces(node).last().map_or(0, |(piece, _)| piece.end);
        node.at()..end.max(node.at())
    }

    #[inline]
    pub(crate) fn value(&self, node: &Node) -> SourceText<'de, 'r> {
        let text = if node.resolved {
            SourceText::Transient(&self.table.resolved)
        } else {
            self.text
        };
        text.slice(node.start as usize, node.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_wherever_they_are() {
        const MOST: usize = 3 * Nodes::BLOCK + 2;
        let node = |i: usize| Node::new(schema::LOC, true, i, Value::empty(i), i..i);
        let mut nodes = Nodes::default();
        for i in 0..MOST {
            assert_eq!(nodes.len(), i);
            nodes.push(node(i));
        }
        for len in [MOST, MOST - 2, MOST - 3, 2 * Nodes::BLOCK + 1, Nodes::BLOCK, 5, 0] {
            nodes.truncate(len);
            assert_eq!((nodes.len(), nodes.get(len).map(Node::at)), (len, None));
            assert!(nodes.iter().map(Node::at).eq(0..len));
            assert!((0..len).all(|i| nodes.get(i).map(Node::at) == Some(i)));
            assert!((0..len).all(|i| nodes.get_mut(i).is_some_and(|node| node.at() == i)));
        }
    }
}

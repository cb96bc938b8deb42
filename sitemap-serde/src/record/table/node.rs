//! A node of an entry's table: the places of an element or attribute, and of its value, in the text.

use std::ops::Range;

use crate::schema::Name;

use super::Value;

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

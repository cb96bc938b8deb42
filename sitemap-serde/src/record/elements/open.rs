//! An element that is being written, and its parts.

use crate::record::slot::Slot;
use crate::schema::{self, Group, Name, Written};

/// An open element, or the entry.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of one another"
)]
pub(super) struct Open {
    /// Its name in the schema; `None` for the entry and for user elements.
    pub(super) name: Option<Name>,
    /// The start of the element, with the white space before it, and the range of its name.
    pub(super) start: usize,
    pub(super) name_start: usize,
    pub(super) name_end: usize,
    pub(super) first_piece: usize,
    /// `true` if the start tag can still take attributes.
    pub(super) in_tag: bool,
    pub(super) has_text: bool,
    pub(super) has_children: bool,
    pub(super) is_ordered: bool,
    pub(super) last_rank: u16,
    /// The number of namespace scopes around the element's own declarations.
    pub(super) scopes: usize,
    /// The number of each of the schema's attributes and children.
    pub(super) written: Written,
    /// The number of attributes that are not in the schema.
    pub(super) uncounted: u32,
}

/// The range of a part of an element in the text, and its rank: parts are written in the order of their ranks.
#[derive(Debug)]
pub(super) struct ElementPart {
    pub(super) rank: u16,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Open {
    /// An element, or the entry, without parts.
    #[inline]
    pub(super) fn new(name: Option<Name>, group: Option<&'static Group>) -> Self {
        Open {
            name,
            start: 0,
            name_start: 0,
            name_end: 0,
            first_piece: 0,
            in_tag: false,
            has_text: false,
            has_children: false,
            is_ordered: true,
            last_rank: 0,
            scopes: 0,
            written: Written::new(group),
            uncounted: 0,
        }
    }

    /// Adds a part of this rank.
    #[inline]
    pub(super) fn part(&mut self, rank: u16) {
        self.is_ordered &= self.last_rank <= rank;
        self.last_rank = self.last_rank.max(rank);
    }
}

/// The definition of an entry.
pub(super) static ENTRY: Group = <schema::UrlEntry as schema::Element>::GROUP;

/// The rank of an attribute.
pub(super) const ATTRIBUTE: u16 = 0;
/// The rank of the end of the start tag.
pub(super) const TAG_END: u16 = 1;
/// The rank of the element's text.
pub(super) const TEXT: u16 = 2;
/// The first rank of the schema's children, in the schema's order.
pub(super) const CHILD: u16 = 3;
/// The rank of user elements, in the order given.
pub(super) const CUSTOM: u16 = u16::MAX;

impl Slot {
    pub(super) const fn rank(self) -> u16 {
        CHILD + self as u16
    }
}

const _: () = assert!(
    schema::LOC.rank() == Slot::Loc as u16 && schema::PRIORITY.rank() == Slot::Priority as u16,
    "the core elements are the first rows"
);

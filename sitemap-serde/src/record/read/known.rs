//! The start tags that were read, and which of them follow each other.

use crate::xml::scanner::Cursor;

use super::pattern::Pattern;
use super::tag::KnownTag;

/// The start tags read so far, and for each the tags that followed its start and its end.
///
/// This decides only the order of comparisons: a tag matches if its bytes come next in the same namespace scope, and means the same
/// anywhere in it.
#[derive(Debug, Default)]
pub(super) struct KnownTags {
    tags: Vec<KnownTag>,
    /// The candidates for the next tag at each place in an entry, the newest first. Place 0 is the entry's start; tag `n` (from 1) has the
    /// places `2n - 1`, the start of its content, and `2n`, after its end.
    places: Vec<Vec<Candidate>>,
    /// The current place.
    place: usize,
    /// The number of tags since the last recorded one.
    unrecorded: u8,
    /// The tag that comes next, if its content must be read token by token.
    unread: TagIndex,
}

/// A tag that came next at a place.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The white space before the tag, and the tag up to its first attribute value, or to its end. For an end tag, up to `</`.
    pub(super) beginning: Pattern,
    /// The length of the white space.
    pub(super) gap: usize,
    /// The start tag; [`NONE`] for an end tag.
    pub(super) tag: TagIndex,
    /// `true` if the tag is bare, and the element had only text.
    pub(super) is_leaf: bool,
}

/// The index of a known tag, from 1.
pub(super) type TagIndex = u8;

/// No tag.
pub(super) const NONE: TagIndex = 0;

impl KnownTags {
    /// The maximum number of known tags.
    const MOST: usize = 96;

    /// The maximum number of known tags with one name in one scope.
    pub(super) const MOST_OF_NAME: usize = 16;

    /// The maximum number of candidates of a place.
    const CANDIDATES: usize = 6;

    /// Moves to the start of an entry's content.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.place, self.unread) = (0, NONE);
    }

    /// Moves to the start of an element's content.
    #[inline]
    pub(super) fn enter(&mut self, tag: TagIndex) {
        self.unread = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag) - 1;
        }
    }

    /// Moves to after an element's end.
    #[inline]
    pub(super) fn leave(&mut self, tag: TagIndex) {
        self.unread = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag);
        }
    }

    #[inline]
    pub(super) fn get(&self, tag: TagIndex) -> Option<&KnownTag> {
        self.tags.get(usize::from(tag).wrapping_sub(1))
    }

    /// The candidates for the next tag.
    #[inline]
    pub(super) fn candidates(&self) -> &[Candidate] {
        self.places.get(self.place).map_or(&[], Vec::as_slice)
    }

    /// Remembers that the tag comes next, and that its content must be read token by token.
    pub(super) fn set_unread(&mut self, tag: TagIndex) {
        self.unread = tag;
    }

    /// The known tag that the last token is, if that is known.
    pub(super) fn unread(&self) -> Option<TagIndex> {
        Some(self.unread).filter(|tag| *tag != NONE)
    }

    /// Makes the tag at offset `at` a candidate at the current place, in an element that ended there if it `is_leaf`. `from` is the end of
    /// the token before it.
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        cursor: &Cursor<'_>,
        (from, at): (usize, usize),
        tag: TagIndex,
        is_leaf: bool,
    ) {
        /// At a place with many candidates few are recorded, since that costs more than it gains where tags or white space keep changing.
        const ONE_IN: u8 = 8;
        self.unrecorded = (self.unrecorded + 1) % ONE_IN;
        if self.unrecorded != 0 && self.candidates().len() >= Self::CANDIDATES / 2 {
            return;
        }
        let known = self.tags.get_mut(usize::from(tag).wrapping_sub(1));
        let (len, is_leaf) = match known {
            None => ("</".len(), false),
            Some(known) => {
                let element = cursor.bytes(at..cursor.token().end);
                // The written end tag, which may contain white space.
                if let Some(end) = element.iter().rposition(|b| *b == b'<').filter(|_| is_leaf)
                    && end > 0
                    && element.len() - end != known.end.len()
                {
                    known.end = Pattern::new(&element[end..]);
                }
                (known.beginning.len(), is_leaf && known.is_bare())
            }
        };
        let candidate = Candidate {
            beginning: Pattern::new(cursor.bytes(from..at + len)),
            gap: at - from,
            tag,
            is_leaf,
        };
        let Some(place) = self.places.get_mut(self.place) else {
            return;
        };
        let is_full = place.len() == Self::CANDIDATES;
        let is_same = |known: &Candidate| known.tag == tag && (is_full || known.gap == candidate.gap);
        match place.iter().position(is_same) {
            Some(known) => place[known] = candidate,
            None => {
                place.truncate(Self::CANDIDATES - 1);
                place.insert(0, candidate);
            }
        }
    }

    /// Returns `true` if one more tag of this name is to be learned in this scope.
    pub(super) fn has_room(&self, scope: u64, name: &str) -> bool {
        let is_same = |known: &&KnownTag| known.scope == scope && *known.name == *name;
        self.tags.iter().filter(is_same).count() < Self::MOST_OF_NAME
    }

    /// Adds a tag, unless it is known. Returns its index, and whether all others were removed because there were too many.
    #[cold]
    pub(super) fn learn(&mut self, tag: KnownTag) -> (TagIndex, bool) {
        let index_of = |place: usize| TagIndex::try_from(place + 1).unwrap_or(NONE);
        if let Some(place) = self.tags.iter().position(|known| known.is_like(&tag)) {
            return (index_of(place), false);
        }
        let is_full = self.tags.len() == Self::MOST;
        if is_full {
            *self = KnownTags::default();
        }
        self.tags.push(tag);
        self.places.resize_with(2 * self.tags.len() + 1, Vec::new);
        (index_of(self.tags.len() - 1), is_full)
    }
}

const _: () = assert!(KnownTags::MOST < TagIndex::MAX as usize, "a tag has an index");

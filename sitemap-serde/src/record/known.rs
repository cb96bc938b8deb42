//! What is known of the tags that were met, and what came after each.

use crate::xml::scanner::{Ahead, KnownTag};

use crate::schema::Name;

/// The start tags that were met in entries so far, and for each what came in it and after it.
///
/// One entry is mostly like another, so what came next before is looked for first, and then every tag that is known. That is
/// only ever about where to look: a tag is taken if it is there, in the scope of namespaces that it was met in, and means the
/// same wherever it stands.
#[derive(Debug, Default)]
pub(super) struct KnownTags {
    tags: Vec<Known>,
    /// For each place in an entry the tags that came there, the newest first; zero for none. Two for each tag, after the
    /// entry's own start: the place at its content's start, and the place after its end.
    next: Vec<[u8; CANDIDATES]>,
    /// The place that was reached last.
    place: usize,
    /// The tag that was found last, until what comes after its name turns out to be known too.
    found: TagIndex,
}

/// How many tags are looked for first.
const CANDIDATES: usize = 4;

/// A tag that was met.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) tag: KnownTag,
    /// What it is to the schema or the user; `None` if nobody knows its namespace.
    pub(super) name: Option<Name>,
    /// The same for its attributes, by their indices in the tag.
    pub(super) attributes: Vec<Option<Name>>,
    /// Whether it was never met with elements in it.
    pub(super) is_leaf: bool,
    /// How often it was found, could not be read as known, and had nothing new in it.
    refused: u8,
}

/// The index of a tag that is known, from one.
pub(super) type TagIndex = u8;

/// No tag.
pub(super) const NONE: TagIndex = 0;

impl KnownTags {
    /// The most tags that are kept.
    const MOST: usize = 96;

    /// The least number of times that a tag is refused before nothing more is learned of it.
    const OFTEN: u8 = 4;

    /// Stands at the start of an entry's content.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.place, self.found) = (0, NONE);
    }

    /// Stands at the start of an element's content.
    #[inline]
    pub(super) fn enter(&mut self, tag: TagIndex) {
        self.found = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag) - 1;
        }
    }

    /// Stands after an element.
    #[inline]
    pub(super) fn leave(&mut self, tag: TagIndex) {
        self.found = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag);
        }
    }

    #[inline]
    pub(super) fn get(&self, tag: TagIndex) -> Option<&Known> {
        self.tags.get(usize::from(tag).wrapping_sub(1))
    }

    /// The tags that came where the reader stands.
    #[inline]
    pub(super) fn candidates(&self) -> impl Iterator<Item = (TagIndex, &Known)> {
        let candidates = self.next.get(self.place).copied().unwrap_or_default();
        candidates
            .into_iter()
            .map_while(|candidate| Some((candidate, self.get(candidate)?)))
    }

    /// Notes that a tag has elements in it.
    #[inline]
    pub(super) fn note_elements(&mut self, tag: TagIndex) {
        if let Some(known) = self.tags.get_mut(usize::from(tag).wrapping_sub(1)) {
            known.is_leaf = false;
        }
    }

    /// The tag that begins at a place of the text, if it is known.
    #[inline]
    pub(super) fn find(&mut self, ahead: &Ahead<'_>, at: usize) -> Option<TagIndex> {
        let candidates = self.next.get(self.place)?;
        for &candidate in candidates {
            if candidate == NONE {
                break;
            }
            if let Some(known) = self.get(candidate)
                && ahead.begins(&known.tag, at)
            {
                self.found = candidate;
                return Some(candidate);
            }
        }
        self.find_elsewhere(ahead, at)
    }

    #[inline(never)]
    fn find_elsewhere(&mut self, ahead: &Ahead<'_>, at: usize) -> Option<TagIndex> {
        let found = self.tags.iter().position(|known| ahead.begins(&known.tag, at))?;
        let tag = TagIndex::try_from(found + 1).ok()?;
        self.note(tag);
        self.found = tag;
        Some(tag)
    }

    /// The tag that was found last and is refused so often that there is nothing to learn of it.
    pub(super) fn refused(&self) -> Option<TagIndex> {
        let known = self.get(self.found)?;
        (known.refused >= Self::OFTEN).then_some(self.found)
    }

    /// Notes that a tag came where the reader stands.
    fn note(&mut self, tag: TagIndex) {
        if let Some(next) = self.next.get_mut(self.place)
            && !next.contains(&tag)
        {
            next.rotate_right(1);
            next[0] = tag;
        }
    }

    /// Makes a tag known, which came where the reader stands, by its names. Whether all others are known no more: there were
    /// too many.
    #[cold]
    pub(super) fn learn(
        &mut self,
        tag: KnownTag,
        name: Option<Name>,
        mut attribute: impl FnMut(&str) -> Option<Name>,
    ) -> (TagIndex, bool) {
        let known = self.tags.iter_mut().position(|known| {
            let is_same = known.tag.take_in(&tag);
            if is_same {
                let before = known.attributes.len();
                known.attributes = known.tag.attribute_names().map(&mut attribute).collect();
                if known.attributes.len() == before {
                    known.refused = known.refused.saturating_add(1);
                }
            }
            is_same
        });
        let mut is_cleared = false;
        let index = known.unwrap_or_else(|| {
            if self.tags.len() == Self::MOST {
                self.tags.clear();
                self.next.clear();
                is_cleared = true;
                self.place = 0;
            }
            if self.next.is_empty() {
                self.next.push([NONE; CANDIDATES]);
            }
            self.next.extend([[NONE; CANDIDATES]; 2]);
            self.tags.push(Known {
                attributes: tag.attribute_names().map(&mut attribute).collect(),
                tag,
                name,
                is_leaf: true,
                refused: 0,
            });
            self.tags.len() - 1
        });
        let tag = TagIndex::try_from(index + 1).unwrap_or(NONE);
        self.note(tag);
        (tag, is_cleared)
    }
}

const _: () = assert!(KnownTags::MOST < TagIndex::MAX as usize, "a tag has an index");

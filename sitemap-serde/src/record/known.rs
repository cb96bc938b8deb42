//! The start tags read so far, and which tags followed each.

use crate::xml::scanner::{Ahead, Content, FoundStart, FoundText, KnownTag, Pattern};

use super::Table;
use crate::schema::Name;

/// The start tags read so far, and for each the tags that followed its start and its end.
///
/// Entries resemble each other, so the reader tries the tags that followed before first, then all known tags. This affects
/// only the order of comparisons: a tag matches if its bytes are there and the scope of namespaces is the same, and means
/// the same at any position.
#[derive(Debug, Default)]
pub(super) struct KnownTags {
    tags: Vec<RecordTag>,
    /// The tags that came next, for each place in an entry. Place 0 is the entry's start; each tag has two more: the start of
    /// its content, and after its end.
    places: Vec<Place>,
    /// The current place.
    place: usize,
    /// How often nothing was noted since it was last.
    passed_over: u8,
    /// The last tag whose name matched, until its attributes turn out to match too.
    found: TagIndex,
}

/// The tags that came next at a place, the newest first.
type Place = Vec<Next>;

/// The most tags that are remembered for each place.
const CANDIDATES: usize = 6;

/// A tag that came at a place.
#[derive(Debug)]
pub(super) struct Next {
    /// The white space before it, and the tag itself up to the first value of an attribute, or to its end. Of an end tag, `</`.
    pub(super) beginning: Pattern,
    /// The length of the white space.
    pub(super) gap: usize,
    /// `None` for an end tag.
    pub(super) start: Option<(TagIndex, u8)>,
    /// The element, if it holds text alone and its whole start tag is in `beginning`.
    pub(super) leaf: Option<Leaf>,
}

/// An element without attributes that holds text alone.
#[derive(Debug)]
pub(super) struct Leaf {
    tag: TagIndex,
    /// The scope of namespaces around it.
    scope: u64,
    /// Its end tag.
    end: Pattern,
    /// The element's name; `None` in an unknown namespace.
    name: Option<Name>,
    is_unknown: bool,
}

/// A start tag read before.
#[derive(Debug)]
pub(super) struct RecordTag {
    pub(super) tag: KnownTag,
    /// The element's name; `None` in an unknown namespace.
    pub(super) name: Option<Name>,
    /// Whether the element is an unknown one in the core namespace, which is noted for each entry.
    pub(super) is_unknown: bool,
    /// The names of its attributes, by their index in the tag.
    pub(super) attributes: Vec<Option<Name>>,
    /// How often its name matched, but the fast path could not read it, and nothing new was learned.
    refused: u8,
}

/// The index of a known tag, from 1.
pub(super) type TagIndex = u8;

/// No tag.
pub(super) const NONE: TagIndex = 0;

impl KnownTags {
    /// The most tags that are remembered.
    const MOST: usize = 96;

    /// After this many refusals, no more is learned about a tag.
    const OFTEN: u8 = 4;

    /// Moves to the start of an entry's content.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.place, self.found) = (0, NONE);
    }

    /// Moves to the start of an element's content.
    #[inline]
    pub(super) fn enter(&mut self, tag: TagIndex) {
        self.found = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag) - 1;
        }
    }

    /// Moves to after an element's end.
    #[inline]
    pub(super) fn leave(&mut self, tag: TagIndex) {
        self.found = NONE;
        if tag != NONE {
            self.place = 2 * usize::from(tag);
        }
    }

    #[inline]
    pub(super) fn get(&self, tag: TagIndex) -> Option<&RecordTag> {
        self.tags.get(usize::from(tag).wrapping_sub(1))
    }

    /// What came where the reader stands.
    #[inline]
    pub(super) fn next(&self) -> &[Next] {
        self.places.get(self.place).map_or(&[], Vec::as_slice)
    }

    /// Reads elements that came here before, as they stood then, as long as they hold text alone.
    #[inline]
    pub(super) fn read_leaves(&mut self, ahead: &mut Ahead<'_>, table: &mut Table) {
        while self.read_plain_leaves(ahead, table) && self.read_special_leaf(ahead, table) {}
    }

    /// Reads elements that came here before, as they stood then, as long as they hold plain text alone. Whether one came that
    /// holds something else.
    #[inline(never)]
    fn read_plain_leaves(&mut self, ahead: &mut Ahead<'_>, table: &mut Table) -> bool {
        let Some(mut leaves) = ahead.leaves() else {
            return false;
        };
        let mut is_other = false;
        'tags: while let Some(place) = self.places.get(self.place) {
            for next in place {
                let Some(leaf) = &next.leaf else { continue };
                if !leaves.begins(&next.beginning) || leaves.scope() != leaf.scope {
                    continue;
                }
                let Some(found) = leaves.read(next.beginning.len(), &leaf.end) else {
                    is_other = true;
                    break 'tags;
                };
                let start = found.begins + next.gap;
                if let Some(name) = leaf.name {
                    table.push_leaf(name, found.text, found.text_begins, start..found.end);
                }
                if leaf.is_unknown {
                    table.note_unknown();
                }
                self.place = 2 * usize::from(leaf.tag);
                leaves.pass(start, found.end);
                continue 'tags;
            }
            break;
        }
        let token = leaves.token();
        ahead.pass(token.start, token.end);
        is_other
    }

    /// Reads an element that came here before, as it stood then, if it holds text alone, which may have to be resolved.
    #[inline(never)]
    fn read_special_leaf(&mut self, ahead: &mut Ahead<'_>, table: &mut Table) -> bool {
        let Some(leaves) = ahead.leaves() else {
            return false;
        };
        let come = |next: &&Next| {
            let leaf = next.leaf.as_ref();
            leaves.begins(&next.beginning) && leaf.is_some_and(|leaf| leaf.scope == leaves.scope())
        };
        let Some(next) = self.next().iter().find(come) else {
            return false;
        };
        let Some(Leaf {
            tag,
            end,
            name: Some(name),
            is_unknown,
            ..
        }) = &next.leaf
        else {
            return false;
        };
        let Some((found, raw)) = leaves.read_special(next.beginning.len(), end) else {
            return false;
        };
        let start = found.begins + next.gap;
        let (begins, outer) = (found.text_begins, start..found.end);
        if let Some(raw) = raw {
            if !table.push_special(*name, raw, begins, outer) {
                return false;
            }
        } else {
            table.push_leaf(*name, found.text, begins, outer);
        }
        if *is_unknown {
            table.note_unknown();
        }
        self.place = 2 * usize::from(*tag);
        ahead.pass(start, found.end);
        true
    }

    /// The known tag whose name begins at offset `at`.
    #[inline]
    pub(super) fn find(&mut self, ahead: &Ahead<'_>, at: usize) -> Option<TagIndex> {
        let came_here = self.next().iter().find_map(|next| {
            let (tag, _) = next.start?;
            ahead.begins(&self.get(tag)?.tag, at).then_some(tag)
        });
        let found = came_here.or_else(|| {
            let found = self.tags.iter().position(|known| ahead.begins(&known.tag, at))?;
            TagIndex::try_from(found + 1).ok()
        })?;
        self.found = found;
        Some(found)
    }

    /// The last tag whose name matched, if it was refused so often that it is not learned again.
    pub(super) fn refused(&self) -> Option<TagIndex> {
        let known = self.get(self.found)?;
        (known.refused >= Self::OFTEN).then_some(self.found)
    }

    /// Notes that a tag was read where the reader stands, so that it is looked for there.
    #[inline(never)]
    pub(super) fn note_start(
        &mut self,
        ahead: &Ahead<'_>,
        tag: TagIndex,
        start: FoundStart,
        content: &Content,
    ) {
        if self.is_to_be_passed_over() {
            return;
        }
        let Some(known) = self.tags.get_mut(usize::from(tag).wrapping_sub(1)) else {
            return;
        };
        let layout = ahead.layout_of(&known.tag, start);
        let Some(layout) = layout.or_else(|| ahead.learn_layout(&mut known.tag, start)) else {
            return;
        };
        let len = known.tag.beginning(layout).map_or(0, Pattern::len);
        let leaf = match content {
            Content::Text { text, end } if known.tag.is_name_alone(layout) => Some(Leaf {
                tag,
                scope: known.tag.scope(),
                end: match text {
                    // Perhaps with white space in it.
                    FoundText::Plain(text) => Pattern::new(ahead.bytes(text.end..*end)),
                    FoundText::Resolved { .. } => known.tag.end().clone(),
                },
                name: known.name,
                is_unknown: known.is_unknown,
            }),
            _ => None,
        };
        self.note(ahead, start.start, len, Some((tag, layout)), leaf);
    }

    /// The same for an end tag that starts there.
    #[inline(never)]
    pub(super) fn note_end(&mut self, ahead: &Ahead<'_>, at: usize) {
        if self.is_to_be_passed_over() {
            return;
        }
        self.note(ahead, at, "</".len(), None, None);
    }

    /// Whether what came here is not noted. Where nothing is known it is, else now and then: it may never come again in that
    /// way.
    fn is_to_be_passed_over(&mut self) -> bool {
        const SELDOM: u8 = 8;
        self.passed_over = (self.passed_over + 1) % SELDOM;
        self.passed_over != 0 && self.next().len() >= CANDIDATES / 2
    }

    fn note(
        &mut self,
        ahead: &Ahead<'_>,
        at: usize,
        len: usize,
        start: Option<(TagIndex, u8)>,
        leaf: Option<Leaf>,
    ) {
        let from = ahead.token().end;
        let Some(place) = self.places.get_mut(self.place) else {
            return;
        };
        let known = place
            .iter()
            .position(|next| next.start == start && (place.len() == CANDIDATES || next.gap == at - from));
        let next = Next {
            beginning: Pattern::new(ahead.bytes(from..at + len)),
            gap: at - from,
            start,
            leaf,
        };
        match known {
            Some(known) => place[known] = next,
            None => {
                place.truncate(CANDIDATES - 1);
                place.insert(0, next);
            }
        }
    }

    /// Remembers a tag, and makes it a candidate in the current context. Returns `true` if all other tags were forgotten,
    /// because there were too many.
    #[cold]
    pub(super) fn learn(
        &mut self,
        tag: KnownTag,
        (name, is_unknown): (Option<Name>, bool),
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
                self.places.clear();
                is_cleared = true;
                self.place = 0;
            }
            let places = 2 * self.tags.len() + 3;
            self.places.resize_with(places, Vec::new);
            self.tags.push(RecordTag {
                attributes: tag.attribute_names().map(&mut attribute).collect(),
                tag,
                name,
                is_unknown,
                refused: 0,
            });
            self.tags.len() - 1
        });
        (TagIndex::try_from(index + 1).unwrap_or(NONE), is_cleared)
    }
}

const _: () = assert!(KnownTags::MOST < TagIndex::MAX as usize, "a tag has an index");

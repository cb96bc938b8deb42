//! The start tags read so far, and which tags follow each: the fast path of entries.

use crate::xml::scanner::{Content, FastPath, FoundStart, FoundText, KnownTag, LeafText, Leaves, Pattern};

use super::Table;
use crate::schema::Name;

/// The start tags read so far, and for each the tags that followed its start and its end.
///
/// Entries resemble each other, so the reader tries the tags that followed before first, then all known tags. This affects
/// only the order of comparisons: a tag matches if its bytes come next in the same namespace scope, and means the same
/// anywhere in it.
#[derive(Debug, Default)]
pub(super) struct KnownTags {
    tags: Vec<RecordTag>,
    /// The candidates for the next tag at each place in an entry. Place 0 is the entry's start; tag `n` (from 1) has the
    /// places `2n - 1`, the start of its content, and `2n`, after its end.
    places: Vec<Candidates>,
    /// The current place.
    place: usize,
    /// How many tags were not recorded since the last one that was.
    unrecorded: u8,
    /// The last tag whose name matched, as long as its attributes have not.
    found: TagIndex,
    /// How many tags within core elements were learned.
    within_core: u8,
}

/// The tags that came next at a place, the newest first.
type Candidates = Vec<Candidate>;

/// The most candidates of a place.
const CANDIDATES: usize = 6;

/// A tag that came next at a place.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The white space before the tag, and the tag up to its first attribute value, or to its end. For an end tag, up to `</`.
    pub(super) beginning: Pattern,
    /// The length of the white space.
    pub(super) gap: usize,
    /// The start tag and its layout; `None` for an end tag.
    pub(super) start: Option<(TagIndex, u8)>,
    /// The element, if it has only text and no attributes.
    pub(super) leaf: Option<Leaf>,
}

/// An element without attributes and with only text.
#[derive(Debug)]
pub(super) struct Leaf {
    tag: TagIndex,
    /// The number of the namespace scope around it.
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
    /// Whether the element is in the core namespace but not in the schema.
    pub(super) is_unknown: bool,
    /// The names of its attributes, by their index in the tag; `None` for unknown ones.
    pub(super) attributes: Vec<Option<Name>>,
    /// How often its name matched, but the fast path could not read it, and learning it again added no attribute.
    refused: u8,
}

/// The index of a known tag, from 1.
pub(super) type TagIndex = u8;

/// No tag.
pub(super) const NONE: TagIndex = 0;

impl KnownTags {
    /// The most known tags.
    const MOST: usize = 96;

    /// After this many refusals, a tag is not learned again.
    const OFTEN: u8 = 4;

    /// The most tags within core elements that are learned.
    const WITHIN_CORE: u8 = 16;

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

    /// The candidates for the next tag.
    #[inline]
    pub(super) fn candidates(&self) -> &[Candidate] {
        self.places.get(self.place).map_or(&[], Vec::as_slice)
    }

    /// Reads elements as long as they are candidates with only text.
    #[inline(never)]
    pub(super) fn read_leaves(&mut self, fast: &mut FastPath<'_>, table: &mut Table) {
        let Some(mut leaves) = fast.leaves() else { return };
        'tags: while let Some(place) = self.places.get(self.place) {
            for candidate in place {
                let Some(leaf) = &candidate.leaf else { continue };
                if !leaves.begins(&candidate.beginning) || leaves.scope() != leaf.scope {
                    continue;
                }
                let (start, end) = if let Some(found) = leaves.read(candidate.beginning.len(), &leaf.end) {
                    let start = found.begins + candidate.gap;
                    if let Some(name) = leaf.name {
                        table.push_leaf(name, found.text, found.text_begins, start..found.end);
                    }
                    (start, found.end)
                } else if let Some(place) = read_special_leaf(leaves, table, candidate, leaf) {
                    place
                } else {
                    break 'tags;
                };
                if leaf.is_unknown {
                    table.note_unknown();
                }
                self.place = 2 * usize::from(leaf.tag);
                leaves.pass(start, end);
                continue 'tags;
            }
            break;
        }
        let token = leaves.token();
        fast.pass(token.start, token.end);
    }

    /// The known tag that begins at offset `at`.
    #[inline]
    pub(super) fn find(&mut self, fast: &FastPath<'_>, at: usize) -> Option<TagIndex> {
        let candidate = self.candidates().iter().find_map(|candidate| {
            let (tag, _) = candidate.start?;
            fast.begins(&self.get(tag)?.tag, at).then_some(tag)
        });
        let found = candidate.or_else(|| {
            let found = self.tags.iter().position(|known| fast.begins(&known.tag, at))?;
            TagIndex::try_from(found + 1).ok()
        })?;
        self.found = found;
        Some(found)
    }

    /// The known tag that begins at offset `at`, wherever it began before.
    pub(super) fn tag_at(&self, fast: &FastPath<'_>, at: usize) -> Option<&KnownTag> {
        let mut tags = self.tags.iter().map(|known| &known.tag);
        tags.find(|tag| fast.begins(tag, at))
    }

    /// Whether another tag within a core element is to be learned.
    pub(super) fn learns_within_core(&mut self) -> bool {
        let learns = self.within_core < Self::WITHIN_CORE;
        self.within_core += u8::from(learns);
        learns
    }

    /// The last tag whose name matched, if it was refused too often to be learned again.
    pub(super) fn refused(&self) -> Option<TagIndex> {
        let known = self.get(self.found)?;
        (known.refused >= Self::OFTEN).then_some(self.found)
    }

    /// Makes a start tag that was read a candidate at the current place.
    #[inline(never)]
    pub(super) fn record_start(
        &mut self,
        fast: &FastPath<'_>,
        tag: TagIndex,
        start: FoundStart,
        content: &Content,
    ) {
        if !self.records_this_one() {
            return;
        }
        let Some(known) = self.tags.get_mut(usize::from(tag).wrapping_sub(1)) else {
            return;
        };
        let layout = fast.layout_of(&known.tag, start);
        let Some(layout) = layout.or_else(|| fast.learn_layout(&mut known.tag, start)) else {
            return;
        };
        let len = known.tag.beginning(layout).map_or(0, Pattern::len);
        let leaf = match content {
            Content::Text { text, end } if known.tag.is_name_alone(layout) => Some(Leaf {
                tag,
                scope: known.tag.scope(),
                end: match text {
                    // The end tag as it is written, which may contain white space. After a CDATA section its `]]>` comes first.
                    FoundText::Plain(text) if fast.is_end(text.end) => {
                        Pattern::new(fast.bytes(text.end..*end))
                    }
                    FoundText::Plain(_) | FoundText::Resolved { .. } => known.tag.end().clone(),
                },
                name: known.name,
                is_unknown: known.is_unknown,
            }),
            _ => None,
        };
        self.record(fast, start.start, len, Some((tag, layout)), leaf);
    }

    /// Makes the end tag at offset `at` a candidate at the current place.
    #[inline(never)]
    pub(super) fn record_end(&mut self, fast: &FastPath<'_>, at: usize) {
        if !self.records_this_one() {
            return;
        }
        self.record(fast, at, "</".len(), None, None);
    }

    /// Whether to record the tag that was read: always at a place with few candidates, otherwise one in eight, since recording
    /// costs more than it gains where tags or white space keep changing.
    fn records_this_one(&mut self) -> bool {
        const ONE_IN: u8 = 8;
        self.unrecorded = (self.unrecorded + 1) % ONE_IN;
        self.unrecorded == 0 || self.candidates().len() < CANDIDATES / 2
    }

    fn record(
        &mut self,
        fast: &FastPath<'_>,
        at: usize,
        len: usize,
        start: Option<(TagIndex, u8)>,
        leaf: Option<Leaf>,
    ) {
        let from = fast.token().end;
        let Some(place) = self.places.get_mut(self.place) else {
            return;
        };
        let known = place.iter().position(|candidate| {
            candidate.start == start && (place.len() == CANDIDATES || candidate.gap == at - from)
        });
        let candidate = Candidate {
            beginning: Pattern::new(fast.bytes(from..at + len)),
            gap: at - from,
            start,
            leaf,
        };
        match known {
            Some(known) => place[known] = candidate,
            None => {
                place.truncate(CANDIDATES - 1);
                place.insert(0, candidate);
            }
        }
    }

    /// Adds a tag to the known tags, or its attributes to the known tag. Returns its index, and `true` if all other tags were
    /// removed because there were too many.
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

/// Reads a candidate whose text has special characters, or is a CDATA section. Returns where the element starts and ends; `None`,
/// and nothing is added, if it takes another path.
#[inline(never)]
fn read_special_leaf(
    leaves: Leaves<'_>,
    table: &mut Table,
    candidate: &Candidate,
    leaf: &Leaf,
) -> Option<(usize, usize)> {
    let name = leaf.name?;
    let (found, text) = leaves.read_special(candidate.beginning.len(), &leaf.end)?;
    let (start, begins) = (found.begins + candidate.gap, found.text_begins);
    let outer = start..found.end;
    match text {
        LeafText::AsItStands => {
            table.push_leaf(name, found.text, begins, outer);
        }
        LeafText::ToResolve(raw) => {
            if !table.push_special(name, raw, begins, outer) {
                return None;
            }
        }
    }
    Some((start, found.end))
}

const _: () = assert!(KnownTags::MOST < TagIndex::MAX as usize, "a tag has an index");

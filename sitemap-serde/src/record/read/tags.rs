//! The start tags that were read, prepared for fast comparison, and which of them follow each other.

use crate::schema::Name;
use crate::xml::chars::is_space;
use crate::xml::names;
use crate::xml::scanner::{Cursor, Scanner, Span};
use crate::xml::source::Window;

use super::pattern::{Pattern, find_quote};

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

/// The text of a start tag around its attribute values, in a namespace scope.
///
/// Its names have been checked, and have the same meaning anywhere in that scope. Attributes in another order, and with other white
/// space or quotes, are another tag.
#[derive(Debug)]
pub(super) struct KnownTag {
    /// Its text, with a zero for each value.
    text: Box<str>,
    /// The number of the namespace scope around it.
    pub(super) scope: u64,
    pub(super) name: Box<str>,
    /// The element's name; `None` in an unknown namespace.
    pub(super) element: Option<Name>,
    /// `true` if the element is in the core namespace but not in the schema.
    pub(super) is_unknown: bool,
    /// The text up to the first value, or to the end.
    pub(super) beginning: Pattern,
    pub(super) values: Box<[KnownValue]>,
    /// The prefixes that it declares, and their URIs, which are part of the text.
    pub(super) declarations: Box<[(Box<str>, Box<str>)]>,
    pub(super) is_empty: bool,
    /// The end tag in its last form.
    pub(super) end: Pattern,
    /// `</name`
    close: Pattern,
}

/// The value of an attribute in a known tag.
#[derive(Debug)]
pub(super) struct KnownValue {
    /// The attribute's name; `None` if it is not read.
    pub(super) name: Option<Name>,
    pub(super) quote: u8,
    /// The text up to the next value, or to the end of the tag.
    pub(super) after: Pattern,
}

impl KnownTag {
    /// The maximum number of values of a tag.
    const MOST: usize = 24;

    /// The start tag that was the scanner's last token, with its name at `name`, in the scope `outer` around it. `None` if it must be
    /// read token by token. `attribute` finds the name of an attribute.
    pub(super) fn new<S: Window>(
        scanner: &Scanner<S>,
        outer: u64,
        name: &Span,
        mut attribute: impl FnMut(&str) -> Option<Name>,
    ) -> Option<Self> {
        let (mut values, mut declarations, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        let Span { mut start, end } = scanner.token();
        for (name, value) in scanner.known_attributes(name)? {
            let (prefix, local) = names::split(scanner.text(name.clone()));
            let declared = match (prefix, local) {
                ("", "xmlns") => "",
                ("xmlns", local) => local,
                ("" | "xml", _) => {
                    let quote = *scanner.text(value.end..value.end + 1).as_bytes().first()?;
                    values.push((attribute(scanner.text(name.clone())), quote));
                    pieces.push(scanner.text(start..value.start));
                    start = value.end;
                    continue;
                }
                _ => return None,
            };
            let uri = scanner.text(value.clone());
            // URIs that need resolving are left to the scanner.
            if !uri.bytes().all(|b| b > b' ' && b != b'&') {
                return None;
            }
            declarations.push((declared.into(), uri.into()));
        }
        pieces.push(scanner.text(start..end));
        if values.len() > Self::MOST {
            return None;
        }
        let name = scanner.text(name.clone());
        let mut patterns = pieces.iter().map(|piece| Pattern::new(piece.as_bytes()));
        Some(KnownTag {
            text: pieces.join("\0").into(),
            scope: outer,
            name: name.into(),
            element: None,
            is_unknown: false,
            beginning: patterns.next()?,
            values: values
                .into_iter()
                .zip(patterns)
                .map(|((name, quote), after)| KnownValue { name, quote, after })
                .collect(),
            declarations: declarations.into(),
            is_empty: pieces.last()?.ends_with("/>"),
            end: Pattern::new(format!("</{name}>").as_bytes()),
            close: Pattern::new(format!("</{name}").as_bytes()),
        })
    }

    /// Returns `true` if it is the same text in the same scope.
    pub(super) fn is_like(&self, other: &KnownTag) -> bool {
        self.scope == other.scope && self.text == other.text
    }

    /// Returns `true` if it has neither attributes nor declarations, and is not an empty-element tag.
    pub(super) fn is_bare(&self) -> bool {
        self.values.is_empty() && self.declarations.is_empty() && !self.is_empty
    }

    /// Returns `true` if it means the same here, if its text comes next, and one more element may be open.
    #[inline]
    pub(super) fn can_be_here(&self, cursor: &Cursor<'_>) -> bool {
        self.scope == cursor.scope() && cursor.can_open()
    }

    /// Returns `true` if a tag begins like it at offset `at`, and means the same.
    #[inline]
    pub(super) fn begins_at(&self, cursor: &Cursor<'_>, at: usize) -> bool {
        self.beginning.starts(cursor.from(at)) && self.can_be_here(cursor)
    }

    /// The end of its end tag at offset `at`; `None` if that is something else.
    #[inline]
    pub(super) fn end_at(&self, cursor: &Cursor<'_>, at: usize) -> Option<usize> {
        if self.end.starts(cursor.from(at)) {
            return Some(at + self.end.len());
        }
        self.other_end_at(cursor, at)
    }

    #[inline(never)]
    fn other_end_at(&self, cursor: &Cursor<'_>, at: usize) -> Option<usize> {
        let rest = cursor.from(at);
        if !self.close.starts(rest) {
            return None;
        }
        let rest = rest.get(self.close.len()..)?;
        let space = rest.iter().take_while(|b| is_space(**b)).count();
        let len = self.close.len() + space;
        (rest.get(space) == Some(&b'>') && len <= cursor.most()).then_some(at + len + 1)
    }
}

impl KnownTag {
    /// Reads the attribute values of the tag, whose text up to `from` was compared. Calls `push` with each attribute's name, its range,
    /// and `true` if it may need resolving. Returns the end of the tag; `None` if its text differs, or `push` gives up.
    #[inline(always)]
    pub(super) fn read_values(
        &self,
        cursor: &Cursor<'_>,
        from: usize,
        mut push: impl FnMut(Option<Name>, Span, bool) -> Option<()>,
    ) -> Option<usize> {
        let mut at = from;
        for value in &self.values {
            let (len, is_special) = find_quote(cursor.from(at), value.quote)?;
            let end = at + len;
            if !value.after.starts(cursor.from(end)) {
                return None;
            }
            push(value.name, at..end, is_special)?;
            at = end + value.after.len();
        }
        Some(at)
    }
}

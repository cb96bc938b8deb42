//! The elements of an entry to write: nested, with attributes, in the schema's order (P-ORDER).
//!
//! | file | content |
//! |---|---|
//! | this file | `Elements`: the text written so far, and the range of each of its parts, which are put in order when an element closes |
//! | `open` | an element that is being written, and a part of it |
//! | `scopes` | the namespaces in scope, and those that the root must declare |

mod open;
mod scopes;

use crate::loc::Url;
use crate::schema::{self, Name, SchemaRow, Written};
use crate::xml::escape::{Unwritable, is_plain, push_escaped, push_escaped_attribute, push_escaped_url};
use crate::xml::names::{KnownNamespaces, Namespace, NamespaceSet};

use open::{ATTRIBUTE, CHILD, CUSTOM, ENTRY, ElementPart, Open, TAG_END, TEXT};
use scopes::Scopes;

use super::slot::{Layout, Slot};

/// The text of the elements, and the range of each part (attribute, text or child).
///
/// Parts are added in any order. If it is not the schema's order (an attribute after a child, a child before its
/// predecessor), they are reordered when their element closes. Reused from entry to entry, so that writing allocates
/// nothing once the buffers have grown.
#[derive(Debug)]
pub(crate) struct Elements {
    text: Vec<u8>,
    /// The core elements present, one bit each.
    slots: u8,
    /// The loc before escaping, if that differs.
    unescaped_loc: Vec<u8>,
    /// The open element: the entry itself, or the innermost of the elements that are open in it.
    open: Open,
    /// The elements around it, the entry first.
    outer: Vec<Open>,
    /// The parts of the open elements: first the entry's parts, then the parts of its open child, and so on.
    pieces: Vec<ElementPart>,
    reordered: Vec<u8>,
    layout: Option<Layout>,
    pub(crate) scopes: Scopes,
    /// The maximum number of bytes of a text.
    pub(crate) most_bytes: usize,
    /// The number of elements and attributes of the entry that are not in the schema.
    own_parts: u32,
    /// `true` if the element that was closed last has neither attributes, nor children, nor text.
    pub(crate) last_is_bare: bool,
    /// `true` if one of these has a long name, is nested deep, or is kept as XML.
    is_odd: bool,
}

/// Up to so many elements and attributes of its own, levels of its own, and bytes of a name, an entry needs no
/// [scan](crate::xml::readable).
const FEW_PARTS: u32 = 24;
const FEW_LEVELS: usize = 24;
const SHORT_NAME: usize = 200;

/// A value to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) text: &'a str,
    /// `true` if the text is known to need no escaping.
    pub(crate) is_plain: bool,
}

impl<'a> Value<'a> {
    /// A value that its row's rule allows.
    #[inline]
    pub(crate) fn valid(text: &'a str, row: &SchemaRow) -> Self {
        Value {
            text,
            is_plain: row.kind.is_plain(),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value {
            text,
            is_plain: false,
        }
    }
}

/// A state of [`Elements`] to roll back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    text: usize,
    pieces: usize,
    open: usize,
    in_tag: bool,
    has_text: bool,
    has_children: bool,
    used: NamespaceSet,
}

impl Elements {
    pub(crate) fn new(layout: Option<Layout>) -> Self {
        Elements {
            text: Vec::new(),
            slots: 0,
            unescaped_loc: Vec::new(),
            open: Open::new(None, Some(&ENTRY)),
            outer: Vec::new(),
            pieces: Vec::new(),
            reordered: Vec::new(),
            layout,
            scopes: Scopes::default(),
            most_bytes: usize::MAX,
            own_parts: 0,
            last_is_bare: false,
            is_odd: false,
        }
    }

    /// Begins an entry.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.slots = 0;
        self.unescaped_loc.clear();
        (self.open.is_ordered, self.open.last_rank) = (true, 0);
        (self.own_parts, self.is_odd) = (0, false);
        // Most entries have only core elements, and need no more.
        if !self.scopes.has_root() || self.open.has_children || !self.outer.is_empty() {
            self.scopes.begin();
            self.outer.clear();
            self.open = Open::new(None, Some(&ENTRY));
        }
    }

    /// Returns `true` if the entry may exceed usual limits on names, attributes and levels.
    #[inline]
    pub(crate) fn may_exceed_structure(&self) -> bool {
        self.is_odd || self.own_parts > FEW_PARTS
    }

    /// Counts an element or attribute that is not in the schema.
    fn note_own(&mut self, qualified: &str) {
        self.own_parts = self.own_parts.saturating_add(1);
        self.is_odd |= qualified.len() > SHORT_NAME || self.outer.len() > FEW_LEVELS;
    }

    /// Returns `true` if there are no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    #[inline]
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.slots & slot.bit() != 0
    }

    /// Adds a core element whose text needs no escaping.
    #[inline]
    pub(crate) fn core(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        match &self.layout {
            None => self.text.extend_from_slice(slot.start_tag()),
            Some(layout) => layout.start_core(slot, &mut self.text),
        }
        write(&mut self.text);
        match &self.layout {
            None => self.text.extend_from_slice(slot.end_tag()),
            Some(layout) => layout.end_core(slot, &mut self.text),
        }
        self.slots |= slot.bit();
        self.open.part(slot.rank());
        let end = self.text.len();
        self.pieces.push(ElementPart {
            rank: slot.rank(),
            start,
            end,
        });
    }

    /// Adds the loc.
    #[inline]
    pub(crate) fn loc(&mut self, url: Url<'_>) {
        if url.plain {
            return self.core(Slot::Loc, |out| out.extend_from_slice(url.bytes));
        }
        self.unescaped_loc.extend_from_slice(url.bytes);
        self.core(Slot::Loc, |out| push_escaped_url(out, url.bytes));
    }

    /// The loc; empty if there is none.
    pub(crate) fn url(&self) -> &str {
        match self.unescaped_loc.as_slice() {
            [] => self.value(Slot::Loc).unwrap_or_default(),
            url => str_of(url),
        }
    }

    /// The escaped text of a core element.
    pub(crate) fn value(&self, slot: Slot) -> Option<&str> {
        let piece = self.pieces.iter().find(|piece| piece.rank == slot.rank())?;
        let (space, prefix) = match &self.layout {
            Some(layout) => (layout.child.len(), layout.prefix.len()),
            None => (0, 0),
        };
        let start = piece.start + space + prefix + slot.start_tag().len();
        let end = piece.end.checked_sub(prefix + slot.end_tag().len())?;
        self.text.get(start..end).map(str_of)
    }

    /// The entry, even if elements are open in it.
    #[inline]
    fn entry(&self) -> &Open {
        self.outer.first().unwrap_or(&self.open)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            pieces: self.pieces.len(),
            open: self.outer.len(),
            in_tag: self.open.in_tag,
            has_text: self.open.has_text,
            has_children: self.open.has_children,
            used: self.scopes.used(),
        }
    }

    /// Removes everything after the mark. The elements open at the mark are still open.
    pub(crate) fn rollback(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.pieces.truncate(mark.pieces);
        while self.outer.len() > mark.open
            && let Some(outer) = self.outer.pop()
        {
            self.scopes.leave(self.open.scopes);
            self.open = outer;
        }
        self.open.in_tag = mark.in_tag;
        self.open.has_text = mark.has_text;
        self.open.has_children = mark.has_children;
        self.scopes.restore_used(mark.used);
    }

    /// The name of the open element; `None` for the entry and for user elements.
    #[inline]
    pub(crate) fn parent(&self) -> Option<Name> {
        self.open.name
    }

    /// Returns `true` if no element is open.
    #[inline]
    pub(crate) fn at_entry(&self) -> bool {
        self.outer.is_empty()
    }

    /// The number of children or attributes with this name in the open element.
    #[inline]
    pub(crate) fn count(&self, name: Name) -> usize {
        self.open.written.count(name)
    }

    /// The number of each part of the open element.
    #[inline]
    pub(crate) fn written(&mut self) -> &mut Written {
        &mut self.open.written
    }

    /// Returns `true` if the open element has text of its own.
    pub(crate) fn has_text(&self) -> bool {
        self.open.has_text
    }

    /// Returns `true` if the entry has a `news:news`.
    pub(crate) fn is_news(&self) -> bool {
        self.entry().written.has(schema::NEWS)
    }

    /// The index of the entry's open video.
    pub(crate) fn videos(&self) -> usize {
        self.entry().written.count(schema::VIDEO).saturating_sub(1)
    }

    /// Reverts the count of an element that was dropped.
    pub(crate) fn uncount(&mut self, name: Name) {
        self.open.written.take_back(name);
    }

    /// Removes children of the entry with this name, by their indexes among them.
    pub(crate) fn remove(&mut self, name: Name, is_removed: impl Fn(usize) -> bool) {
        let rank = CHILD + name.rank();
        debug_assert!(self.at_entry());
        let (mut text, mut kept, mut count) = (Vec::new(), Vec::new(), 0);
        for piece in &self.pieces {
            let is_removed = piece.rank == rank && is_removed(count);
            count += usize::from(piece.rank == rank);
            if is_removed {
                self.open.written.take_back(name);
                continue;
            }
            let start = text.len();
            text.extend_from_slice(self.text.get(piece.start..piece.end).unwrap_or_default());
            kept.push(ElementPart {
                rank: piece.rank,
                start,
                end: text.len(),
            });
        }
        (self.text, self.pieces) = (text, kept);
    }

    #[inline]
    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn close_tag(&mut self) {
        if self.open.in_tag {
            let start = self.text.len();
            self.push(">");
            self.piece(TAG_END, start);
            self.open.in_tag = false;
        }
    }

    /// Adds the text from `start` on as a part of the open element.
    #[inline]
    fn piece(&mut self, rank: u16, start: usize) {
        let end = self.text.len();
        self.open.part(rank);
        self.pieces.push(ElementPart { rank, start, end });
    }

    /// Adds the white space before a child of the open element, or before the end tag of its last child.
    #[inline]
    fn indent(&mut self) {
        if let Some(layout) = &self.layout
            && layout.has_lines()
        {
            self.text.extend_from_slice(layout.child.as_bytes());
            for _ in &self.outer {
                self.text.extend_from_slice(layout.unit.as_bytes());
            }
        }
    }

    /// Opens an element by its qualified name; `name` is its name in the schema, if it has one.
    #[inline]
    pub(crate) fn open(
        &mut self,
        known: &KnownNamespaces,
        qualified: &str,
        namespace: Namespace,
        name: Option<Name>,
    ) {
        self.close_tag();
        let start = self.text.len();
        self.indent();
        self.open.has_children = true;
        if let Some(name) = name {
            self.open.written.add(name);
        }
        if name.is_none() {
            self.note_own(qualified);
        }
        let scopes = self.scopes.len();
        let name_start = self.text.len() + "<".len();
        match name
            .and_then(Name::row)
            .and_then(|row| row.around[0].strip_suffix('>'))
        {
            Some(tag) => self.push(tag),
            None => {
                self.push("<");
                self.push(qualified);
            }
        }
        let name_end = self.text.len();
        self.scopes.declare(known, namespace, &mut self.text);
        let element = Open {
            start,
            name_start,
            name_end,
            first_piece: self.pieces.len(),
            in_tag: true,
            scopes,
            ..Open::new(name, name.and_then(Name::group))
        };
        self.outer.push(std::mem::replace(&mut self.open, element));
    }

    /// Adds an attribute of the schema to the open element.
    ///
    /// # Errors
    /// The first character that XML cannot hold, or if the text is too long.
    #[inline]
    pub(crate) fn known_attribute(
        &mut self,
        name: Name,
        row: &'static SchemaRow,
        value: Value<'_>,
    ) -> Result<(), Unwritable> {
        let start = self.text.len();
        let [before, after] = row.around;
        self.push(before);
        let text = self.text.len();
        if value.is_plain {
            debug_assert!(is_plain(value.text), "{value:?}");
            self.push(value.text);
        } else {
            push_escaped_attribute(&mut self.text, value.text)?;
        }
        self.check_length(text)?;
        self.push(after);
        self.piece(ATTRIBUTE, start);
        self.open.written.add(name);
        Ok(())
    }

    /// Adds an attribute to the open element that is not in the schema.
    ///
    /// # Errors
    /// The first character that XML cannot hold, or if the text is too long.
    pub(crate) fn attribute(
        &mut self,
        known: &KnownNamespaces,
        qualified: &str,
        namespace: Namespace,
        value: &str,
    ) -> Result<(), Unwritable> {
        self.note_own(qualified);
        let declaration = self.text.len();
        if namespace != Namespace::None {
            self.scopes.declare(known, namespace, &mut self.text);
        }
        let start = self.text.len();
        if start > declaration {
            self.piece(ATTRIBUTE, declaration);
        }
        for part in [" ", qualified, "=\""] {
            self.push(part);
        }
        let text = self.text.len();
        push_escaped_attribute(&mut self.text, value)?;
        self.check_length(text)?;
        self.push("\"");
        self.piece(ATTRIBUTE, start);
        self.open.uncounted = self.open.uncounted.saturating_add(1);
        Ok(())
    }

    /// The name of a repeated attribute of the open element.
    pub(crate) fn attribute_twice(&self) -> Option<&str> {
        if self.open.uncounted < 2 {
            return None;
        }
        let pieces = self.pieces.get(self.open.first_piece..)?;
        let mut names: Vec<_> = pieces
            .iter()
            .filter(|piece| piece.rank == ATTRIBUTE)
            .filter_map(|piece| str_of(self.text.get(piece.start..piece.end)?).split_once('='))
            .map(|(name, _)| name.trim_start())
            .collect();
        names.sort_unstable();
        names
            .windows(2)
            .find_map(|pair| (pair[0] == pair[1]).then_some(pair[0]))
    }

    /// Returns `true` if the open element has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        self.open.in_tag && self.pieces.len() == self.open.first_piece
    }

    /// Adds the text of whole elements to the open element or the entry.
    pub(crate) fn raw(&mut self, text: &str) {
        self.close_tag();
        let start = self.text.len();
        self.indent();
        self.push(text);
        self.is_odd = true;
        self.open.has_children = true;
        self.piece(CUSTOM, start);
    }

    /// Adds text to the open element.
    ///
    /// # Errors
    /// The first character that XML cannot hold, or if the text is too long.
    pub(crate) fn text(&mut self, text: Value<'_>) -> Result<(), Unwritable> {
        self.close_tag();
        let start = self.text.len();
        self.push_text(text)?;
        self.piece(TEXT, start);
        self.open.has_text = true;
        let written = &mut self.open.written;
        if let Some(text) = written.group().and_then(|group| group.text) {
            written.add(text);
        }
        Ok(())
    }

    #[inline]
    fn push_text(&mut self, text: Value<'_>) -> Result<(), Unwritable> {
        let start = self.text.len();
        if text.is_plain {
            debug_assert!(is_plain(text.text), "{text:?}");
            self.push(text.text);
        } else {
            push_escaped(&mut self.text, text.text)?;
        }
        self.check_length(start)
    }

    /// Returns an error if the text from `start` on is too long.
    #[inline]
    fn check_length(&self, start: usize) -> Result<(), Unwritable> {
        if self.text.len() - start > self.most_bytes {
            return Err(Unwritable::Longer(self.most_bytes));
        }
        Ok(())
    }

    /// Returns `true` if the open element is in the schema, so that it can take a [`leaf`](Self::leaf).
    #[inline]
    pub(crate) fn takes_leaf(&self) -> bool {
        self.parent().is_some()
    }

    /// Adds a child with only text to the open element; both are in the schema, and in one namespace.
    ///
    /// # Errors
    /// The first character that XML cannot hold, or if the text is too long.
    #[inline]
    pub(crate) fn leaf(
        &mut self,
        name: Name,
        row: &'static SchemaRow,
        text: Value<'_>,
    ) -> Result<(), Unwritable> {
        self.close_tag();
        let start = self.text.len();
        self.indent();
        let [start_tag, end_tag] = row.around;
        self.push(start_tag);
        self.push_text(text)?;
        self.push(end_tag);
        self.open.has_children = true;
        self.open.written.add(name);
        self.piece(CHILD + name.rank(), start);
        Ok(())
    }

    /// Adds a link with these attributes to the entry. Returns `false`, and adds nothing, if a value is too long or has a character that XML
    /// cannot hold.
    pub(super) fn link(
        &mut self,
        known: &KnownNamespaces,
        row: &'static SchemaRow,
        hreflang: &str,
        href: Value<'_>,
    ) -> bool {
        let (start, used, scopes) = (self.text.len(), self.scopes.used(), self.scopes.len());
        self.indent();
        self.push(row.around[0].trim_end_matches('>'));
        self.scopes
            .declare(known, schema::ALTERNATE.namespace(), &mut self.text);
        for part in [" rel=\"alternate\" hreflang=\"", hreflang, "\" href=\""] {
            self.push(part);
        }
        let value = self.text.len();
        let is_pushed = if href.is_plain {
            self.push(href.text);
            true
        } else {
            push_escaped_attribute(&mut self.text, href.text).is_ok()
        };
        self.scopes.leave(scopes);
        if !is_pushed || self.check_length(value).is_err() {
            self.text.truncate(start);
            self.scopes.restore_used(used);
            return false;
        }
        self.push("\"/>");
        self.open.has_children = true;
        self.open.written.add(schema::ALTERNATE);
        self.last_is_bare = false;
        self.piece(CHILD + schema::ALTERNATE.rank(), start);
        true
    }

    /// Closes the open element.
    pub(crate) fn close(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        self.last_is_bare = self.is_bare();
        let Open {
            name,
            start,
            name_start,
            name_end,
            first_piece,
            in_tag,
            has_children,
            is_ordered,
            scopes,
            ..
        } = std::mem::replace(&mut self.open, outer);
        if !is_ordered {
            self.reorder(first_piece);
        }
        self.pieces.truncate(first_piece);
        if in_tag {
            self.push("/>");
        } else {
            if has_children {
                self.indent();
            }
            match name.and_then(Name::row) {
                Some(row) => self.push(row.around[1]),
                None => {
                    self.push("</");
                    self.text.extend_from_within(name_start..name_end);
                    self.push(">");
                }
            }
        }
        self.scopes.leave(scopes);
        self.piece(name.map_or(CUSTOM, |name| CHILD + name.rank()), start);
    }

    /// Sorts the pieces from index `first` on.
    fn reorder(&mut self, first: usize) {
        let Some(pieces) = self.pieces.get_mut(first..) else {
            return;
        };
        let Some(start) = pieces.first().map(|piece| piece.start) else {
            return;
        };
        // Repeated elements keep the order given.
        pieces.sort_unstable_by_key(|piece| (piece.rank, piece.start));
        self.reordered.clear();
        for piece in pieces {
            let from = start + self.reordered.len();
            self.reordered
                .extend_from_slice(self.text.get(piece.start..piece.end).unwrap_or_default());
            (piece.start, piece.end) = (from, start + self.reordered.len());
        }
        self.text.truncate(start);
        self.text.extend_from_slice(&self.reordered);
    }

    /// All elements, in the schema's order.
    #[inline]
    pub(crate) fn ordered(&mut self) -> &[u8] {
        if !self.open.is_ordered {
            self.open.is_ordered = true;
            self.reorder(0);
        }
        &self.text
    }

    /// Like [`ordered`](Self::ordered), as a string.
    pub(crate) fn ordered_text(&mut self) -> &str {
        str_of(self.ordered())
    }
}

/// Text of the buffer. It holds whole strings, so the default is never taken.
fn str_of(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_default()
}

//! The elements of an entry to write: nested, with attributes, in the schema's order (P-ORDER).

use crate::loc::Url;
use crate::schema::{self, Group, Name, Row, Written};
use crate::xml::escape::{push_escaped, push_escaped_attribute, push_escaped_url};
use crate::xml::names::{KnownNamespaces, Namespace, NamespaceSet};

use super::slot::{Layout, Slot};

/// The text of the elements, and the range of each part (attribute, text or child).
///
/// Parts are added in the order in which they are given. If that is not the schema's order (an attribute after a child, a
/// child before its predecessor), they are reordered when their element closes. Reused from entry to entry, so that writing
/// allocates nothing once the buffers have grown.
#[derive(Debug)]
pub(crate) struct Elements {
    text: Vec<u8>,
    /// The core elements present, one bit each.
    slots: u8,
    /// The loc before escaping, if that differs.
    unescaped_loc: Vec<u8>,
    /// The entry itself.
    entry: Open,
    /// The open elements in it.
    open: Vec<Open>,
    /// The parts of the open elements: first the entry's, then those of its open child, and so on.
    pieces: Vec<Piece>,
    reordered: Vec<u8>,
    layout: Option<Layout>,
    /// The namespaces declared in the scope of the next element.
    scope: NamespaceSet,
    /// The namespaces that the root declares; `None` before the first entry, with which the root is written.
    declared: Option<NamespaceSet>,
    /// The namespaces of the first entry, which the root will declare.
    used: NamespaceSet,
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of one another"
)]
struct Open {
    /// Its name in the schema; `None` for the entry and for user elements.
    name: Option<Name>,
    /// The start of the element, with the white space before it, and the range of its name.
    start: usize,
    name_start: usize,
    name_end: usize,
    first_piece: usize,
    /// Whether the start tag can still take attributes.
    in_tag: bool,
    has_text: bool,
    has_children: bool,
    is_ordered: bool,
    last_rank: u16,
    /// The namespaces declared around the element.
    outer: NamespaceSet,
    /// The number of each of the schema's attributes and children.
    written: Written,
    /// The number of attributes that are not in the schema.
    uncounted: u32,
}

/// A value to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) text: &'a str,
    /// Whether the text is known to need no escaping.
    pub(crate) is_plain: bool,
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value {
            text,
            is_plain: false,
        }
    }
}

#[derive(Debug)]
struct Piece {
    rank: u16,
    start: usize,
    end: usize,
}

impl Open {
    /// An element, or the entry, without parts.
    #[inline]
    fn new(name: Option<Name>, group: Option<&'static Group>, outer: NamespaceSet) -> Self {
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
            outer,
            written: Written::new(group),
            uncounted: 0,
        }
    }

    /// Adds a part of this rank.
    #[inline]
    fn part(&mut self, rank: u16) {
        self.is_ordered &= self.last_rank <= rank;
        self.last_rank = self.last_rank.max(rank);
    }
}

/// The children of an entry.
static ENTRY: Group = <schema::UrlEntry as schema::Element>::GROUP;

const ATTRIBUTE: u16 = 0;
/// The end of the start tag.
const TAG_END: u16 = 1;
const TEXT: u16 = 2;
/// The first rank of the schema's children, in the schema's order.
const CHILD: u16 = 3;
/// The rank of user elements, in the order given.
const CUSTOM: u16 = u16::MAX;

/// A state of [`Elements`] to roll back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    text: usize,
    pieces: usize,
    open: usize,
}

impl Slot {
    const fn rank(self) -> u16 {
        CHILD + self as u16
    }
}

const _: () = assert!(
    schema::LOC.rank() == Slot::Loc as u16 && schema::PRIORITY.rank() == Slot::Priority as u16,
    "the core elements are the first rows"
);

impl Elements {
    pub(crate) fn new(layout: Option<Layout>) -> Self {
        Elements {
            text: Vec::new(),
            slots: 0,
            unescaped_loc: Vec::new(),
            entry: Open::new(None, Some(&ENTRY), NamespaceSet::default()),
            open: Vec::new(),
            pieces: Vec::new(),
            reordered: Vec::new(),
            layout,
            scope: NamespaceSet::default(),
            declared: None,
            used: NamespaceSet::default(),
        }
    }

    /// Sets the namespaces that the root declares, once it is written.
    pub(crate) fn root_declares(&mut self, declared: NamespaceSet) {
        self.declared = Some(declared);
        self.scope = declared;
    }

    /// Resets the root to unwritten: the next entry determines its namespaces.
    pub(crate) fn root_is_undone(&mut self) {
        self.declared = None;
    }

    /// Begins an entry.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.slots = 0;
        self.unescaped_loc.clear();
        (self.entry.is_ordered, self.entry.last_rank) = (true, 0);
        // Most entries have only core elements, and need no more.
        if self.declared.is_none() || self.entry.has_children {
            self.scope = self.declared.unwrap_or_default();
            self.used = NamespaceSet::default();
            self.open.clear();
            self.entry = Open::new(None, Some(&ENTRY), self.scope);
        }
    }

    /// Whether there are no elements.
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
        if self.layout.is_none() {
            self.text.extend_from_slice(slot.start_tag());
            write(&mut self.text);
            self.text.extend_from_slice(slot.end_tag());
        } else {
            self.core_in_layout(slot, write);
        }
        self.slots |= slot.bit();
        self.entry.part(slot.rank());
        let end = self.text.len();
        self.pieces.push(Piece {
            rank: slot.rank(),
            start,
            end,
        });
    }

    fn core_in_layout(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(Layout { child, prefix, .. }) = &self.layout else {
            return;
        };
        for part in [child, "<", prefix, slot.name(), ">"] {
            self.text.extend_from_slice(part.as_bytes());
        }
        write(&mut self.text);
        for part in ["</", prefix, slot.name(), ">"] {
            self.text.extend_from_slice(part.as_bytes());
        }
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

    /// The open element, or the entry.
    #[inline]
    fn current(&self) -> &Open {
        self.open.last().unwrap_or(&self.entry)
    }

    #[inline]
    fn current_mut(&mut self) -> &mut Open {
        self.open.last_mut().unwrap_or(&mut self.entry)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            pieces: self.pieces.len(),
            open: self.open.len(),
        }
    }

    /// Removes everything after the mark. The elements open at the mark are still open.
    pub(crate) fn rollback(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.pieces.truncate(mark.pieces);
        if let Some(open) = self.open.get(mark.open) {
            self.scope = open.outer;
        }
        self.open.truncate(mark.open);
    }

    /// The namespaces that the root has to declare for this entry.
    pub(crate) fn used(&self) -> NamespaceSet {
        self.used
    }

    /// Lets the root declare a namespace even if the first entry has no elements of it.
    pub(crate) fn touch(&mut self, namespace: Namespace) {
        if self.declared.is_none() && namespace != Namespace::Core {
            self.used.insert(namespace);
        }
    }

    /// The name of the open element; `None` for the entry and for user elements.
    #[inline]
    pub(crate) fn parent(&self) -> Option<Name> {
        self.current().name
    }

    /// Whether no element is open.
    #[inline]
    pub(crate) fn at_entry(&self) -> bool {
        self.open.is_empty()
    }

    /// The number of children or attributes with this name in the open element.
    #[inline]
    pub(crate) fn count(&self, name: Name) -> usize {
        self.current().written.count(name)
    }

    /// The number of each part of the open element.
    #[inline]
    pub(crate) fn written(&mut self) -> &mut Written {
        &mut self.current_mut().written
    }

    /// Whether the open element has text of its own.
    pub(crate) fn has_text(&self) -> bool {
        self.current().has_text
    }

    /// Whether the entry has a `news:news`.
    pub(crate) fn is_news(&self) -> bool {
        self.entry.written.has(schema::NEWS)
    }

    /// The index of the entry's open video.
    pub(crate) fn videos(&self) -> usize {
        self.entry.written.count(schema::VIDEO).saturating_sub(1)
    }

    /// Takes back the count of an element that was left out.
    pub(crate) fn uncount(&mut self, name: Name) {
        self.current_mut().written.take_back(name);
    }

    /// Removes children of the entry: all with this name, or the one with this index among them.
    pub(crate) fn remove(&mut self, name: Name, index: Option<usize>) {
        let rank = CHILD + name.rank();
        let (mut text, mut kept, mut count) = (Vec::new(), Vec::new(), 0);
        for piece in &self.pieces {
            let is_removed = piece.rank == rank && index.is_none_or(|index| index == count);
            count += usize::from(piece.rank == rank);
            if is_removed {
                self.entry.written.take_back(name);
                continue;
            }
            let start = text.len();
            text.extend_from_slice(self.text.get(piece.start..piece.end).unwrap_or_default());
            kept.push(Piece {
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
        if self.current().in_tag {
            let start = self.text.len();
            self.push(">");
            self.piece(TAG_END, start);
            self.current_mut().in_tag = false;
        }
    }

    /// Adds the text from `start` on as a part of the open element.
    #[inline]
    fn piece(&mut self, rank: u16, start: usize) {
        let end = self.text.len();
        self.current_mut().part(rank);
        self.pieces.push(Piece { rank, start, end });
    }

    /// Whether an element of the namespace needs no declaration, neither of its own nor on the root.
    #[inline]
    fn is_declared(&self, namespace: Namespace) -> bool {
        matches!(namespace, Namespace::Xml | Namespace::Core)
            || self.declared.is_some() && self.scope.contains(namespace)
    }

    /// Declares the namespace, unless it is in scope, on the open element or on the root.
    fn declare(&mut self, known: &KnownNamespaces, namespace: Namespace) {
        if self.is_declared(namespace) {
            return;
        }
        if self.declared.is_none() {
            self.used.insert(namespace);
        } else {
            self.scope.insert(namespace);
            let prefix = known.prefix(namespace).unwrap_or_default();
            let uri = known.uri(namespace).unwrap_or_default();
            for part in [" xmlns:", prefix, "=\""] {
                self.push(part);
            }
            // URIs with characters that XML cannot hold are refused when the document begins.
            let _ = push_escaped_attribute(&mut self.text, uri);
            self.push("\"");
        }
    }

    /// Adds the white space before a child of the open element, or before the end tag of its last child.
    #[inline]
    fn indent(&mut self) {
        if let Some(layout) = &self.layout
            && layout.has_lines()
        {
            self.text.extend_from_slice(layout.child.as_bytes());
            for _ in &self.open {
                self.text.extend_from_slice(layout.unit.as_bytes());
            }
        }
    }

    /// Opens an element by its qualified name; `name` is its name in the schema, if it has one.
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
        self.push("<");
        let name_start = self.text.len();
        self.push(qualified);
        let name_end = self.text.len();
        let parent = self.current_mut();
        parent.has_children = true;
        if let Some(name) = name {
            parent.written.add(name);
        }
        let outer = self.scope;
        self.declare(known, namespace);
        self.open.push(Open {
            start,
            name_start,
            name_end,
            first_piece: self.pieces.len(),
            in_tag: true,
            ..Open::new(name, name.and_then(Name::group), outer)
        });
    }

    /// Adds an attribute of the schema to the open element.
    ///
    /// # Errors
    /// The first character that XML cannot hold.
    pub(crate) fn known_attribute(
        &mut self,
        name: Name,
        row: &'static Row,
        value: Value<'_>,
    ) -> Result<(), char> {
        let start = self.text.len();
        let [before, _] = row.around;
        self.push(" ");
        self.push(before);
        if value.is_plain {
            self.push(value.text);
        } else {
            push_escaped_attribute(&mut self.text, value.text)?;
        }
        self.push("\"");
        self.piece(ATTRIBUTE, start);
        self.current_mut().written.add(name);
        Ok(())
    }

    /// Adds an attribute to the open element that is not in the schema.
    ///
    /// # Errors
    /// The first character that XML cannot hold.
    pub(crate) fn attribute(
        &mut self,
        known: &KnownNamespaces,
        qualified: &str,
        namespace: Namespace,
        value: &str,
    ) -> Result<(), char> {
        let declaration = self.text.len();
        if namespace != Namespace::None {
            self.declare(known, namespace);
        }
        let start = self.text.len();
        if start > declaration {
            self.piece(ATTRIBUTE, declaration);
        }
        for part in [" ", qualified, "=\""] {
            self.push(part);
        }
        push_escaped_attribute(&mut self.text, value)?;
        self.push("\"");
        self.piece(ATTRIBUTE, start);
        let open = self.current_mut();
        open.uncounted = open.uncounted.saturating_add(1);
        Ok(())
    }

    /// The name of a repeated attribute of the open element.
    pub(crate) fn attribute_twice(&self) -> Option<&str> {
        let open = self.current();
        if open.uncounted < 2 {
            return None;
        }
        let pieces = self.pieces.get(open.first_piece..)?;
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

    /// Whether the open element has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        let open = self.current();
        open.in_tag && self.pieces.len() == open.first_piece
    }

    /// Adds the text of whole elements to the open element or the entry.
    pub(crate) fn raw(&mut self, text: &str) {
        self.close_tag();
        let start = self.text.len();
        self.indent();
        self.push(text);
        self.current_mut().has_children = true;
        self.piece(CUSTOM, start);
    }

    /// Adds text to the open element.
    ///
    /// # Errors
    /// The first character that XML cannot hold.
    pub(crate) fn text(&mut self, text: Value<'_>) -> Result<(), char> {
        self.close_tag();
        let start = self.text.len();
        self.push_text(text)?;
        self.piece(TEXT, start);
        let open = self.current_mut();
        open.has_text = true;
        if let Some(text) = open.written.group().and_then(|group| group.text) {
            open.written.add(text);
        }
        Ok(())
    }

    fn push_text(&mut self, text: Value<'_>) -> Result<(), char> {
        if text.is_plain {
            self.push(text.text);
            return Ok(());
        }
        push_escaped(&mut self.text, text.text)
    }

    /// Whether the open element is in the schema, so that it can take a [`leaf`](Self::leaf).
    #[inline]
    pub(crate) fn takes_leaf(&self) -> bool {
        self.parent().is_some()
    }

    /// Adds a child with only text to the open element; both are in the schema.
    ///
    /// # Errors
    /// The first character that XML cannot hold.
    pub(crate) fn leaf(
        &mut self,
        known: &KnownNamespaces,
        name: Name,
        row: &'static Row,
        text: Value<'_>,
    ) -> Result<(), char> {
        self.close_tag();
        let start = self.text.len();
        self.indent();
        let [start_tag, end_tag] = row.around;
        if self.is_declared(name.namespace()) {
            self.push(start_tag);
        } else {
            let outer = self.scope;
            self.push("<");
            self.push(row.name);
            self.declare(known, name.namespace());
            self.push(">");
            self.scope = outer;
        }
        self.push_text(text)?;
        self.push(end_tag);
        let parent = self.current_mut();
        parent.has_children = true;
        parent.written.add(name);
        self.piece(CHILD + name.rank(), start);
        Ok(())
    }

    /// Closes the open element.
    pub(crate) fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if !open.is_ordered {
            self.reorder(open.first_piece);
        }
        self.pieces.truncate(open.first_piece);
        if open.in_tag {
            self.push("/>");
        } else {
            if open.has_children {
                self.indent();
            }
            match open.name.and_then(Name::row) {
                Some(row) => self.push(row.around[1]),
                None => {
                    self.push("</");
                    self.text.extend_from_within(open.name_start..open.name_end);
                    self.push(">");
                }
            }
        }
        self.scope = open.outer;
        self.piece(open.name.map_or(CUSTOM, |name| CHILD + name.rank()), open.start);
    }

    /// Sorts the pieces from index `first` on.
    fn reorder(&mut self, first: usize) {
        let Some(pieces) = self.pieces.get_mut(first..) else {
            return;
        };
        let Some(start) = pieces.first().map(|piece| piece.start) else {
            return;
        };
        // A stable sort keeps repeated elements in the order given.
        pieces.sort_by_key(|piece| piece.rank);
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
        if !self.entry.is_ordered {
            self.entry.is_ordered = true;
            self.reorder(0);
        }
        &self.text
    }

    /// As [`ordered`](Self::ordered), as a string.
    pub(crate) fn ordered_text(&mut self) -> &str {
        str_of(self.ordered())
    }
}

/// Text of the buffer. It holds whole strings, so the default is never taken.
fn str_of(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_default()
}

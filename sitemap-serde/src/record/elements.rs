//! The extension and user elements of an entry to write: nested, with attributes, in the schema's order (P-ORDER).

use crate::xml::escape::{push_escaped, push_escaped_attribute};
use crate::xml::names::{KnownNamespaces, Namespace, NamespaceSet};

use crate::schema::{self, Group, Name, Row, Written};

/// The text of the elements, and the range of each part (attribute, text or child).
///
/// Parts are added in the order in which they are given. If that is not the schema's order (an attribute after a child, a
/// child before its predecessor), they are reordered when their element closes. Reused from entry to entry.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    text: String,
    /// The entry, and the open elements in it.
    open: Vec<Open>,
    /// The parts of the open elements: first the entry's, then those of its open child, and so on.
    pieces: Vec<Piece>,
    reordered: String,
    pretty: bool,
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

impl Elements {
    pub(crate) fn new(pretty: bool) -> Self {
        Elements {
            pretty,
            ..Elements::default()
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
        // Most entries have no such elements, and need no reset.
        if self.declared.is_none() || !self.open.is_empty() {
            self.scope = self.declared.unwrap_or_default();
            self.used = NamespaceSet::default();
            self.text.clear();
            self.pieces.clear();
            self.open.clear();
        }
    }

    /// Opens the entry, before its first element.
    fn entry(&mut self) {
        if self.open.is_empty() {
            self.open.push(Open {
                name: None,
                start: 0,
                name_start: 0,
                name_end: 0,
                first_piece: 0,
                in_tag: false,
                has_text: false,
                has_children: false,
                is_ordered: true,
                last_rank: 0,
                outer: self.scope,
                written: Written::new(Some(&ENTRY)),
                uncounted: 0,
            });
        }
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
    pub(crate) fn parent(&self) -> Option<Name> {
        self.open.last().and_then(|open| open.name)
    }

    /// Whether the entry has no extension or user elements.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether no element is open.
    pub(crate) fn at_entry(&self) -> bool {
        self.open.len() < 2
    }

    /// The number of children or attributes with this name in the open element.
    pub(crate) fn count(&self, name: Name) -> usize {
        match self.open.last() {
            Some(open) => open.written.count(name),
            None => 0,
        }
    }

    /// The number of each part of the open element.
    pub(crate) fn written(&mut self) -> Option<&mut Written> {
        self.open.last_mut().map(|open| &mut open.written)
    }

    /// Whether the open element has text of its own.
    pub(crate) fn has_text(&self) -> bool {
        self.open.last().is_some_and(|open| open.has_text)
    }

    /// The number of the entry's children with this name.
    fn in_entry(&self, name: Name) -> usize {
        self.open.first().map_or(0, |entry| entry.written.count(name))
    }

    /// Whether the entry has a `news:news`.
    pub(crate) fn is_news(&self) -> bool {
        self.in_entry(schema::NEWS) > 0
    }

    /// The index of the entry's open video.
    pub(crate) fn videos(&self) -> usize {
        self.in_entry(schema::VIDEO).saturating_sub(1)
    }

    /// Takes back the count of an element that was left out.
    pub(crate) fn uncount(&mut self, name: Name) {
        if let Some(open) = self.open.last_mut() {
            open.written.take_back(name);
        }
    }

    /// Removes children of the entry: all with this name, or the one with this index among them.
    pub(crate) fn remove(&mut self, name: Name, index: Option<usize>) {
        let rank = CHILD + name.rank();
        let (mut text, mut kept, mut met) = (String::new(), Vec::new(), 0);
        for piece in &self.pieces {
            let is_it = piece.rank == rank && index.is_none_or(|index| index == met);
            met += usize::from(piece.rank == rank);
            if is_it {
                if let Some(entry) = self.open.first_mut() {
                    entry.written.take_back(name);
                }
                continue;
            }
            let start = text.len();
            text.push_str(self.text.get(piece.start..piece.end).unwrap_or_default());
            kept.push(Piece {
                rank: piece.rank,
                start,
                end: text.len(),
            });
        }
        (self.text, self.pieces) = (text, kept);
    }

    fn close_tag(&mut self) {
        if self.open.last().is_some_and(|open| open.in_tag) {
            let start = self.text.len();
            self.text.push('>');
            self.piece(TAG_END, start);
            if let Some(open) = self.open.last_mut() {
                open.in_tag = false;
            }
        }
    }

    /// Adds the text from `start` on as a part of the open element.
    fn piece(&mut self, rank: u16, start: usize) {
        let end = self.text.len();
        if let Some(open) = self.open.last_mut() {
            open.is_ordered &= open.last_rank <= rank;
            open.last_rank = open.last_rank.max(rank);
        }
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
            self.text.push_str(" xmlns:");
            self.text.push_str(prefix);
            self.text.push_str("=\"");
            // URIs with characters that XML cannot hold are refused when the document begins.
            let _ = push_escaped_attribute(&mut self.text, uri);
            self.text.push('"');
        }
    }

    fn indent(&mut self, depth: usize) {
        if self.pretty {
            self.text.push('\n');
            for _ in 0..depth {
                self.text.push_str("  ");
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
        self.entry();
        self.close_tag();
        let start = self.text.len();
        self.indent(self.open.len() + 1);
        self.text.push('<');
        let name_start = self.text.len();
        self.text.push_str(qualified);
        let name_end = self.text.len();
        if let Some(parent) = self.open.last_mut() {
            parent.has_children = true;
            if let Some(name) = name {
                parent.written.add(name);
            }
        }
        let outer = self.scope;
        self.declare(known, namespace);
        self.open.push(Open {
            name,
            start,
            name_start,
            name_end,
            first_piece: self.pieces.len(),
            in_tag: true,
            has_text: false,
            has_children: false,
            is_ordered: true,
            last_rank: 0,
            outer,
            written: Written::new(name.and_then(Name::group)),
            uncounted: 0,
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
        self.text.push(' ');
        self.text.push_str(before);
        if value.is_plain {
            self.text.push_str(value.text);
        } else {
            push_escaped_attribute(&mut self.text, value.text)?;
        }
        self.text.push('"');
        self.piece(ATTRIBUTE, start);
        if let Some(open) = self.open.last_mut() {
            open.written.add(name);
        }
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
        self.text.push(' ');
        self.text.push_str(qualified);
        self.text.push_str("=\"");
        push_escaped_attribute(&mut self.text, value)?;
        self.text.push('"');
        self.piece(ATTRIBUTE, start);
        if let Some(open) = self.open.last_mut() {
            open.uncounted = open.uncounted.saturating_add(1);
        }
        Ok(())
    }

    /// The name of a repeated attribute of the open element.
    pub(crate) fn attribute_twice(&self) -> Option<&str> {
        let open = self.open.last()?;
        if open.uncounted < 2 {
            return None;
        }
        let pieces = self.pieces.get(open.first_piece..)?;
        let mut names: Vec<_> = pieces
            .iter()
            .filter(|piece| piece.rank == ATTRIBUTE)
            .filter_map(|piece| self.text.get(piece.start..piece.end)?.split_once('='))
            .map(|(name, _)| name.trim_start())
            .collect();
        names.sort_unstable();
        names
            .windows(2)
            .find_map(|pair| (pair[0] == pair[1]).then_some(pair[0]))
    }

    /// Whether the open element has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.in_tag && self.pieces.len() == open.first_piece)
    }

    /// Adds the text of whole elements to the open element or the entry.
    pub(crate) fn raw(&mut self, text: &str) {
        self.entry();
        self.close_tag();
        let start = self.text.len();
        self.indent(self.open.len() + 1);
        self.text.push_str(text);
        if let Some(parent) = self.open.last_mut() {
            parent.has_children = true;
        }
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
        if let Some(open) = self.open.last_mut() {
            open.has_text = true;
            if let Some(text) = open.written.group().and_then(|group| group.text) {
                open.written.add(text);
            }
        }
        Ok(())
    }

    fn push_text(&mut self, text: Value<'_>) -> Result<(), char> {
        if text.is_plain {
            self.text.push_str(text.text);
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
        self.indent(self.open.len() + 1);
        let [start_tag, end_tag] = row.around;
        if self.is_declared(name.namespace()) {
            self.text.push_str(start_tag);
        } else {
            let outer = self.scope;
            self.text.push('<');
            self.text.push_str(row.name);
            self.declare(known, name.namespace());
            self.text.push('>');
            self.scope = outer;
        }
        self.push_text(text)?;
        self.text.push_str(end_tag);
        if let Some(parent) = self.open.last_mut() {
            parent.has_children = true;
            parent.written.add(name);
        }
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
            self.text.push_str("/>");
        } else {
            if open.has_children {
                self.indent(self.open.len() + 1);
            }
            match open.name.and_then(Name::row) {
                Some(row) => self.text.push_str(row.around[1]),
                None => {
                    self.text.push_str("</");
                    self.text.extend_from_within(open.name_start..open.name_end);
                    self.text.push('>');
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
            self.reordered.push_str(&self.text[piece.start..piece.end]);
        }
        self.text.truncate(start);
        self.text.push_str(&self.reordered);
    }

    /// The elements in the schema's order.
    pub(crate) fn ordered(&mut self) -> &str {
        match self.open.first_mut() {
            Some(entry) if !entry.is_ordered => {
                entry.is_ordered = true;
                self.reorder(0);
            }
            _ => {}
        }
        &self.text
    }
}

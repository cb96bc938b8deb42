//! The table of an entry: its elements and attributes, each as a range of the source.
//!
//! **Records before values.** An entry is read completely into a table of byte ranges before any value is parsed. So a bad value costs one
//! entry, not the file; fields may come in any order; repeated elements are collected wherever they are in the entry; and a record is
//! reused without allocating.
//!
//! | file | content |
//! |---|---|
//! | this file | `Table`: fills itself while an entry is read, and finds elements by their names |
//! | `node` | a node: a name and the range of its value. `RecordView` is a table with its source |
//! | `names` | which row of the schema a name is; custom names are numbered |
//! | `mend` | repairs in lenient reading: removed elements, replaced values, an entry split in several |

mod mend;
mod names;
mod node;

use std::ops::Range;
use std::sync::Arc;

use crate::schema::{self, Name};
use crate::xml::names::KnownNamespaces;

pub(crate) use mend::SplitEntries;
pub(crate) use node::{Node, Nodes, RecordView, Value, narrow};

use names::{CustomNames, LastCustom};

/// The nodes of one entry in document order; reused from entry to entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    nodes: Nodes,
    /// The values that are not ranges of the entry: values with references or CDATA sections, and texts in several pieces.
    resolved: String,
    names: Arc<CustomNames>,
    /// The reader's namespaces, if it has more than the schema's.
    known: Option<Arc<KnownNamespaces>>,
    findings: Findings,
    /// The first core element that contains an element, and the offset of the inner element.
    within_core: Option<(Name, u32)>,
    /// `true` if core names are recognised in any case.
    any_case: bool,
    /// The first core element whose name is in another case.
    other_case: Option<Name>,
    /// The number of open nodes.
    level: usize,
    /// The names among the children of the entry and of each open node.
    levels: Vec<Level>,
    last_custom: LastCustom,
    /// The first text directly in the entry, if the [finding](Findings::STRAY_TEXT) is set.
    stray_text: Option<StrayText>,
}

/// Text directly in an entry, which has elements only.
#[derive(Clone, Debug)]
pub(crate) struct StrayText {
    pub(crate) text: String,
    /// The offset of its start in the entry.
    pub(crate) start: usize,
    /// Its length there.
    pub(crate) len: usize,
}

/// A state of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    nodes: usize,
    resolved: usize,
}

impl Mark {
    /// The length of the resolved text.
    pub(crate) fn resolved(self) -> usize {
        self.resolved
    }
}

/// Rare properties of an entry, one bit each: most entries have none of them.
#[derive(Clone, Copy, Debug, Default)]
struct Findings(u8);

impl Findings {
    /// More different custom names than there are numbers for them.
    const TOO_MANY_NAMES: u8 = 1;
    /// An element within a core element.
    const WITHIN_CORE: u8 = 1 << 1;
    /// An element that is in the core namespace but not in the schema.
    const UNKNOWN: u8 = 1 << 2;
    /// A repetition of an element that the schema allows once.
    const DOUBLE: u8 = 1 << 3;
    /// A core element whose name is in another case.
    const OTHER_CASE: u8 = 1 << 4;
    /// A resolved text that may contain a reference, so that it was escaped twice.
    const REFERENCE: u8 = 1 << 5;
    /// Text directly in the entry.
    const STRAY_TEXT: u8 = 1 << 6;

    #[inline]
    fn add(&mut self, finding: u8, is_found: bool) {
        if is_found {
            self.0 |= finding;
        }
    }

    /// Returns `true` if there is any of these findings.
    #[inline]
    fn has(self, findings: u8) -> bool {
        self.0 & findings != 0
    }
}

/// The names of the schema among the children of one element.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The index of the first node on the level, or of the next node if there is none.
    from: usize,
    /// One bit for each name present.
    seen: [u64; 2],
    /// The last node of each repeated name.
    last: Vec<(Name, u32)>,
}

const _: () = assert!(Name::KNOWN <= 128, "a bit for each name");

impl Level {
    /// Resets the level to an empty one.
    #[inline]
    fn begin(&mut self, from: usize) {
        self.from = from;
        self.seen = [0; 2];
        self.last.clear();
    }

    /// Adds a name. Returns `true` if it is in the schema and new on this level.
    #[inline(always)]
    fn is_first(&mut self, name: Name) -> bool {
        let i = name.index();
        match self.seen.get_mut(i / 64) {
            Some(seen) if i < Name::KNOWN && *seen & (1 << (i % 64)) == 0 => {
                *seen |= 1 << (i % 64);
                true
            }
            _ => false,
        }
    }

    /// Returns `true` if a name of the schema is on the level.
    #[inline]
    fn has(&self, name: Name) -> bool {
        let i = name.index();
        self.seen
            .get(i / 64)
            .is_some_and(|seen| seen & (1 << (i % 64)) != 0)
    }
}

impl Table {
    /// A table for the entries of a reader that knows these namespaces.
    pub(crate) fn new(known: &KnownNamespaces) -> Self {
        Table {
            known: known.has_user_namespaces().then(|| Arc::new(known.clone())),
            ..Table::default()
        }
    }

    /// Clears the table for the next entry.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.resolved.clear();
        self.within_core = None;
        self.findings = Findings::default();
        self.level = 0;
        if let Some(level) = self.levels.first_mut() {
            level.begin(0);
        }
        self.last_custom.clear();
    }

    /// Swaps the entry into another table in exchange for that table's buffers, and shares the custom names with it. State
    /// needed only while reading stays here.
    pub(crate) fn give(&mut self, other: &mut Table) {
        std::mem::swap(&mut self.nodes, &mut other.nodes);
        std::mem::swap(&mut self.resolved, &mut other.resolved);
        if !Arc::ptr_eq(&self.names, &other.names) {
            other.names = Arc::clone(&self.names);
        }
        if self.known.is_some() {
            other.known.clone_from(&self.known);
        }
    }

    #[inline]
    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Returns `true` if the entry has a loc, and no core element twice.
    #[inline]
    pub(crate) fn has_core_once(&self) -> bool {
        self.levels
            .first()
            .is_some_and(|level| level.has(schema::LOC) && level.last.iter().all(|(name, _)| !name.is_core()))
    }

    /// Records that an element begins within the core element `node`.
    #[cold]
    pub(crate) fn note_within_core(&mut self, node: usize, at: usize) {
        if let Some(node) = self.nodes.get(node) {
            self.within_core.get_or_insert((node.name, narrow(at)));
            self.findings.add(Findings::WITHIN_CORE, true);
        }
    }

    /// The first core element that contains an element, and the offset of the inner element.
    #[inline]
    pub(crate) fn within_core(&self) -> Option<(Name, usize)> {
        self.within_core.map(|(name, at)| (name, at as usize))
    }

    /// Keeps text directly in the entry if it is the first one. Otherwise returns it.
    #[cold]
    pub(crate) fn keep_stray_text(&mut self, stray: StrayText) -> Option<StrayText> {
        if self.findings.has(Findings::STRAY_TEXT) {
            return Some(stray);
        }
        self.findings.add(Findings::STRAY_TEXT, true);
        self.stray_text = Some(stray);
        None
    }

    /// The first text directly in the entry.
    pub(crate) fn stray_text(&self) -> Option<&StrayText> {
        let has_some = self.findings.has(Findings::STRAY_TEXT);
        self.stray_text.as_ref().filter(|_| has_some)
    }

    /// Records that an element is in the core namespace but not in the schema.
    #[cold]
    pub(crate) fn note_unknown(&mut self) {
        self.findings.add(Findings::UNKNOWN, true);
    }

    /// Returns `true` if an element is in the core namespace but not in the schema.
    #[inline]
    pub(crate) fn has_unknown(&self) -> bool {
        self.findings.has(Findings::UNKNOWN)
    }

    /// Returns `true` if a node has a child with this name.
    pub(crate) fn has_child(&self, node: usize, name: Name) -> bool {
        let end = self.nodes.get(node).map_or(0, Node::next);
        let mut i = node + 1;
        while i < end
            && let Some(child) = self.nodes.get(i)
        {
            if child.name == name {
                return true;
            }
            i = child.next();
        }
        false
    }

    /// Adds an element without attributes and children, or an attribute of the open element, and returns its index.
    #[inline(always)]
    pub(crate) fn push(&mut self, name: Name, value: Value, outer: Range<usize>) -> usize {
        let index = self.nodes.len();
        let first = self.is_first(name, index);
        self.nodes.push(Node::new(name, first, index, value, outer));
        index
    }

    /// Begins an element whose attributes are added next; [`end_tag`](Self::end_tag) or [`open`](Self::open) completes it. Returns its
    /// index.
    #[inline]
    pub(crate) fn begin(&mut self, name: Name) -> usize {
        let index = self.nodes.len();
        self.nodes
            .push(Node::new(name, true, index, Value::empty(0), 0..0));
        index
    }

    /// Adds an attribute of the element that was begun last, which has no other attribute with this name. `raw` is the range of its
    /// value.
    #[inline]
    pub(crate) fn push_attribute(&mut self, name: Name, value: Value, raw: Range<usize>) {
        let index = self.nodes.len();
        self.nodes.push(Node::new(name, true, index, value, raw));
    }

    /// Completes an element without children.
    #[inline]
    pub(crate) fn complete(&mut self, index: usize, name: Name, value: Value, outer: Range<usize>) {
        let first = self.is_first(name, index);
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(index) {
            *node = Node {
                next,
                ..Node::new(name, first, index, value, outer)
            };
        }
    }

    /// Completes the start tag of an element, at `tag`: nodes added from now on are within it.
    #[inline]
    pub(crate) fn open(&mut self, index: usize, name: Name, tag: Range<usize>) {
        self.complete(index, name, Value::empty(tag.end), tag);
        self.begin_level(index);
    }

    /// Closes the open element, whose text is `value` if it has some.
    #[inline]
    pub(crate) fn close(&mut self, index: usize, value: Option<Value>, end: usize) {
        self.level = self.level.saturating_sub(1);
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(index) {
            node.next = next;
            node.outer.1 = narrow(end);
            if let Some(value) = value {
                node.set_value(value);
            }
        }
    }

    /// The current state of the table.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            nodes: self.nodes.len(),
            resolved: self.resolved.len(),
        }
    }

    /// Removes everything added since; no element may have been completed.
    pub(crate) fn roll_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        if self.resolved.len() > mark.resolved {
            self.resolved.truncate(mark.resolved);
        }
    }

    /// Opens a node: nodes added from now on are within it.
    #[inline]
    fn begin_level(&mut self, node: usize) {
        self.level += 1;
        if self.levels.len() <= self.level {
            self.levels.push(Level::default());
        }
        self.levels[self.level].begin(node + 1);
    }

    /// Returns `true` if a node is the first of its name on the level. If not, links the previous one to it.
    #[inline(always)]
    fn is_first(&mut self, name: Name, index: usize) -> bool {
        let level = self.levels.get_mut(self.level);
        level.is_some_and(|level| level.is_first(name)) || !self.link(name, narrow(index))
    }

    /// Links the last node of a name on the level to the new one; `false` if there is none. Called for the first node of an
    /// entry, for repeated names, and for custom names.
    #[inline(never)]
    fn link(&mut self, name: Name, node: u32) -> bool {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
            if self.levels[0].is_first(name) {
                return false;
            }
        }
        let before = self.replace_last(name, node);
        match before.and_then(|before| self.nodes.get_mut(before as usize)) {
            Some(before) => {
                before.same = node;
                let is_double = name.row().is_some_and(|row| !row.is_repeated());
                self.findings.add(Findings::DOUBLE, is_double);
                true
            }
            None => false,
        }
    }

    /// Makes a node the last of its name on its level, and returns the previous last one.
    fn replace_last(&mut self, name: Name, node: u32) -> Option<u32> {
        let level = self.levels.get_mut(self.level)?;
        if name.index() >= Name::KNOWN {
            return self.last_custom.insert((level.from, name), node);
        }
        let last = &mut level.last;
        if let Some((_, last)) = last.iter_mut().find(|(other, _)| *other == name) {
            return Some(std::mem::replace(last, node));
        }
        last.push((name, node));
        // This is the second node of the name: search for the first, which happens once for each name.
        let mut i = level.from;
        while let Some(other) = self.nodes.get(i) {
            if other.name == name {
                return Some(narrow(i));
            }
            i = other.next();
        }
        None
    }
}

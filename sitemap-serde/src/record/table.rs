//! The table of an entry: its elements and attributes, each as a range of the source.

mod mend;
mod names;
mod node;
mod nodes;
mod view;

use std::ops::Range;
use std::sync::Arc;

use crate::schema::{self, Name};
use crate::xml::chars::is_space;
use crate::xml::names::KnownNamespaces;
use crate::xml::reference::{self, Mode};
use crate::xml::trim;

pub(crate) use mend::SplitEntries;
pub(crate) use node::{Node, narrow};
pub(crate) use nodes::Nodes;
pub(crate) use view::RecordView;

use names::{CustomNames, LastCustom};

/// The nodes of one entry in document order; reused from entry to entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    nodes: Nodes,
    /// The values that are not ranges of the entry: those with references or CDATA sections, and texts in several pieces.
    resolved: String,
    names: Arc<CustomNames>,
    /// The reader's namespaces, if it has any besides the schema's.
    known: Option<Arc<KnownNamespaces>>,
    findings: Findings,
    /// The first core element that contains an element, and the offset of the inner element.
    within_core: Option<(Name, u32)>,
    /// Whether core names are recognised in any case.
    any_case: bool,
    /// The first core element whose name is in another case.
    other_case: Option<Name>,
    /// The number of open nodes.
    level: usize,
    /// The names among the children of the entry and of each open node.
    levels: Vec<Level>,
    last_custom: LastCustom,
}

/// What an entry has that few have, one bit each: most entries are recognised by the absence of all.
#[derive(Clone, Copy, Debug, Default)]
struct Findings(u8);

impl Findings {
    /// More different custom names than there are numbers for them.
    const TOO_MANY_NAMES: u8 = 1;
    /// An element within a core element.
    const WITHIN_CORE: u8 = 1 << 1;
    /// An element that is in the core namespace but not in the schema.
    const UNKNOWN: u8 = 1 << 2;
    /// A repeated element of which the schema allows one.
    const DOUBLE: u8 = 1 << 3;
    /// A core element whose name is in another case.
    const OTHER_CASE: u8 = 1 << 4;
    /// A resolved text that may contain a reference, so that it was escaped twice.
    const REFERENCE: u8 = 1 << 5;
    /// A resolved text that was not searched for references.
    const UNSEARCHED: u8 = 1 << 6;

    #[inline]
    fn add(&mut self, finding: u8, is_found: bool) {
        if is_found {
            self.0 |= finding;
        }
    }

    /// Whether there is any of these findings.
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

    /// Whether a name of the schema is on the level.
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

    /// Whether the entry has a loc, and no core element twice.
    #[inline]
    pub(crate) fn has_core_once(&self) -> bool {
        self.levels.first().is_some_and(|level| {
            level.has(schema::LOC) && level.last.iter().all(|(name, _)| name.index() >= Name::CORE)
        })
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

    /// Records that an element is in the core namespace but not in the schema.
    #[cold]
    pub(crate) fn note_unknown(&mut self) {
        self.findings.add(Findings::UNKNOWN, true);
    }

    /// Whether an element is in the core namespace but not in the schema.
    #[inline]
    pub(crate) fn has_unknown(&self) -> bool {
        self.findings.has(Findings::UNKNOWN)
    }

    /// Whether a node has a child with this name.
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

    /// Adds an element without children, or an attribute of the open node, and returns its index. Its text is a range of the
    /// entry that begins at `start`.
    #[inline(always)]
    pub(crate) fn push_leaf(&mut self, name: Name, text: &[u8], start: usize, outer: Range<usize>) -> usize {
        self.push(name, trimmed(text, start), outer)
    }

    /// As [`push_leaf`](Self::push_leaf), for a resolved text; `at` is its offset in the entry.
    pub(crate) fn push_resolved(&mut self, name: Name, text: &str, at: usize, outer: Range<usize>) -> usize {
        let node = self.push(name, at..at, outer);
        self.set_resolved(node, text);
        node
    }

    /// As [`push_leaf`](Self::push_leaf), for a text that has to be resolved. `false`, and adds nothing, if it is not
    /// well-formed or resolves to itself.
    pub(crate) fn push_special(&mut self, name: Name, raw: &str, start: usize, outer: Range<usize>) -> bool {
        let Some(blank) = raw.bytes().position(|b| !is_space(b)) else {
            return false;
        };
        let before = self.resolved.len();
        let mut is_escaped = false;
        if reference::resolve_and_look(raw, Mode::Text, &mut self.resolved, &mut is_escaped) != Ok(true) {
            self.resolved.truncate(before);
            return false;
        }
        self.findings.add(Findings::REFERENCE, is_escaped);
        let at = start + blank;
        let node = self.push(name, at..at, outer);
        let text = self.resolved.get(before..).unwrap_or_default();
        self.set_resolved_range(node, trimmed(text.as_bytes(), before));
        true
    }

    /// Adds an attribute of the last element, which has no other with this name. `raw` is the range of its value, and `text`
    /// or `resolved` the value.
    #[inline]
    pub(crate) fn push_attribute(
        &mut self,
        name: Name,
        text: &[u8],
        resolved: Option<&str>,
        raw: Range<usize>,
    ) {
        let index = self.nodes.len();
        let value = match resolved {
            None => trimmed(text, raw.start),
            Some(_) => raw.start..raw.start,
        };
        self.nodes.push(Node::new(name, true, index, value, raw));
        if let Some(resolved) = resolved {
            self.set_resolved(index, resolved);
        }
    }

    /// Completes an element with attributes but no children.
    #[inline]
    pub(crate) fn end_attributes(&mut self, node: usize) {
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = next;
        }
    }

    /// Begins an element whose attributes are added next; [`set_element`](Self::set_element) or the like completes it. Returns
    /// its index.
    #[inline]
    pub(crate) fn begin_element(&mut self, name: Name) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node::new(name, true, index, 0..0, 0..0));
        index
    }

    /// Removes the element at index `node` and everything added after it.
    pub(crate) fn take_back(&mut self, node: usize, resolved: usize) {
        self.nodes.truncate(node);
        self.resolved.truncate(resolved);
    }

    /// The length of the resolved text.
    #[inline]
    pub(crate) fn resolved_len(&self) -> usize {
        self.resolved.len()
    }

    /// Completes an element that was [begun](Self::begin_element), after its attributes.
    #[inline]
    pub(crate) fn set_element(&mut self, index: usize, name: Name, value: Range<usize>, outer: Range<usize>) {
        let first = self.is_first(name, index);
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(index) {
            *node = Node {
                next,
                ..Node::new(name, first, index, value, outer)
            };
        }
    }

    /// As [`set_element`](Self::set_element), for only text that is a range of the entry and begins at `start`.
    #[inline]
    pub(crate) fn set_text(
        &mut self,
        index: usize,
        name: Name,
        text: &[u8],
        start: usize,
        outer: Range<usize>,
    ) {
        self.set_element(index, name, trimmed(text, start), outer);
    }

    /// As [`set_element`](Self::set_element), for only text that was resolved and begins at `at`.
    pub(crate) fn set_resolved_text(
        &mut self,
        index: usize,
        name: Name,
        text: &str,
        at: usize,
        outer: Range<usize>,
    ) {
        self.set_element(index, name, at..at, outer);
        self.set_resolved(index, text);
    }

    /// As [`set_element`](Self::set_element), for an element that stays open, with the start tag `tag`.
    #[inline]
    pub(crate) fn set_open(&mut self, index: usize, name: Name, tag: Range<usize>) {
        self.set_element(index, name, tag.end..tag.end, tag);
        self.begin_level(index);
    }

    /// Opens an element with the start tag `tag`, and returns its index.
    #[inline]
    pub(crate) fn open(&mut self, name: Name, tag: Range<usize>) -> usize {
        let node = self.push(name, tag.end..tag.end, tag);
        self.begin_level(node);
        node
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

    /// Whether a node is the first of its name on the level. If not, links the previous one to it.
    #[inline(always)]
    fn is_first(&mut self, name: Name, index: usize) -> bool {
        let level = self.levels.get_mut(self.level);
        level.is_some_and(|level| level.is_first(name)) || !self.link(name, narrow(index))
    }

    #[inline(always)]
    fn push(&mut self, name: Name, value: Range<usize>, outer: Range<usize>) -> usize {
        let index = self.nodes.len();
        let first = self.is_first(name, index);
        self.nodes.push(Node::new(name, first, index, value, outer));
        index
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

    /// Closes the open element; its text is a range of the entry.
    #[inline]
    pub(crate) fn close(&mut self, node: usize, text: &[u8], start: usize, end: usize) {
        self.level = self.level.saturating_sub(1);
        let value = trimmed(text, start);
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = next;
            node.outer.1 = narrow(end);
            if !value.is_empty() {
                (node.start, node.end, node.at) =
                    (narrow(value.start), narrow(value.end), narrow(value.start));
            }
        }
    }

    /// Closes the open element; its text, which begins at offset `at`, was resolved or joined from pieces.
    pub(crate) fn close_resolved(&mut self, node: usize, text: &str, at: usize, end: usize) {
        self.close(node, &[], 0, end);
        if let Some(node) = self.nodes.get_mut(node) {
            node.at = narrow(at);
        }
        self.set_resolved(node, text);
    }

    fn set_resolved(&mut self, node: usize, text: &str) {
        let start = self.resolved.len();
        self.resolved.push_str(trim(text));
        self.findings.add(Findings::UNSEARCHED, true);
        self.set_resolved_range(node, start..self.resolved.len());
    }

    fn set_resolved_range(&mut self, node: usize, range: Range<usize>) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.resolved = true;
            (node.start, node.end) = (narrow(range.start), narrow(range.end));
        }
    }
}

/// The range of a text that begins at `start`, without the white space around it.
#[inline(always)]
fn trimmed(text: &[u8], start: usize) -> Range<usize> {
    match (text.first(), text.last()) {
        (Some(b'!'..), Some(b'!'..)) => start..start + text.len(),
        _ => without_space(text, start),
    }
}

#[inline(never)]
fn without_space(text: &[u8], start: usize) -> Range<usize> {
    let other = |b: &u8| !is_space(*b);
    match (text.iter().position(other), text.iter().rposition(other)) {
        (Some(first), Some(last)) => start + first..start + last + 1,
        _ => start..start,
    }
}

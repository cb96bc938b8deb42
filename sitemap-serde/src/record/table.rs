//! One entry that was read: its elements and attributes, each a range of the source.

use std::collections::HashMap;

use crate::xml::names::{Known, Namespace, split};
use crate::xml::source::Text;
use crate::xml::trim;

use super::Name;

/// An element below the entry, or an attribute of one. Places and lengths are bytes counted from the entry's start.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Name,
    /// Whether no node before it beside it has its name.
    pub(crate) first: bool,
    /// Whether the value is a range of the text that was resolved, not of the entry.
    resolved: bool,
    /// Its own text, without that of its children, trimmed.
    start: u32,
    end: u32,
    /// Where in the entry the value begins, or would.
    at: u32,
    /// Where in the entry the element begins and ends, tags included; or the attribute's value.
    outer: (u32, u32),
    /// The index of the first node that is not below it.
    next: u32,
    /// The index of the next node of its name beside it, or zero.
    same: u32,
}

/// A place in an entry. Entries are smaller than 4 GiB (see [`Limits::entry_bytes`](crate::Limits::entry_bytes)).
fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Node {
    /// Where in the entry its value begins, or would.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }

    /// Where in the entry it begins and ends, tags included.
    pub(crate) fn outer(&self) -> std::ops::Range<usize> {
        self.outer.0 as usize..self.outer.1 as usize
    }

    /// The index of the first node that is not below it.
    #[inline]
    pub(crate) fn next(&self) -> usize {
        self.next as usize
    }

    /// The index of the next node of its name beside it.
    #[inline]
    pub(crate) fn same(&self) -> Option<usize> {
        (self.same != 0).then_some(self.same as usize)
    }
}

/// The nodes of one entry in document order; reused from entry to entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    nodes: Vec<Node>,
    resolved: String,
    /// The names that only this record has.
    customs: Vec<String>,
    custom_names: HashMap<String, Name>,
    /// For every level that is being filled, what is on it.
    levels: Vec<Level>,
    /// The same for the record's own names, of which there may be many: by parent and name.
    last_custom: HashMap<(u32, Name), u32>,
}

/// Which of the schema's names are on a level.
#[derive(Clone, Debug, Default)]
struct Level {
    /// A bit for each.
    seen: [u64; 2],
    /// The last node of those that were met twice, or that often are.
    last: Vec<(Name, u32)>,
}

const _: () = assert!(Name::KNOWN <= 128, "a bit for each name");

impl Level {
    #[inline]
    fn clear(&mut self) {
        self.seen = [0; 2];
        self.last.clear();
    }

    /// Notes a name; whether it is one of the schema's, and was not on the level yet.
    #[inline]
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

    /// Whether one of the schema's names was met once at least.
    #[inline]
    fn has(&self, name: Name) -> bool {
        let i = name.index();
        self.seen
            .get(i / 64)
            .is_some_and(|seen| seen & (1 << (i % 64)) != 0)
    }
}

impl Table {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.resolved.clear();
        if let Some(level) = self.levels.first_mut() {
            level.clear();
        }
        if !self.customs.is_empty() {
            self.customs.clear();
            self.custom_names.clear();
            self.last_custom.clear();
        }
    }

    #[inline]
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether the entry has a loc, and none of the core's elements twice.
    #[inline]
    pub(crate) fn has_core_once(&self) -> bool {
        self.levels.first().is_some_and(|level| {
            level.has(Name::LOC) && level.last.iter().all(|(name, _)| name.index() >= Name::CORE)
        })
    }

    /// The name of an element; `None` if nobody knows its namespace.
    #[inline]
    pub(crate) fn element_name(
        &mut self,
        known: &Known,
        namespace: Namespace,
        qualified: &str,
    ) -> Option<Name> {
        let (_, local) = split(qualified);
        match Name::element(namespace, local) {
            Some(name) => Some(name),
            None => self.custom_name(known.prefix(namespace)?, "", local),
        }
    }

    /// The name of an attribute; `None` if nobody knows its namespace.
    pub(crate) fn attribute_name(
        &mut self,
        known: &Known,
        namespace: Namespace,
        qualified: &str,
    ) -> Option<Name> {
        let (_, local) = split(qualified);
        match (namespace, Name::attribute(local)) {
            (Namespace::None, Some(name)) => Some(name),
            _ => self.custom_name(known.prefix(namespace)?, "@", local),
        }
    }

    #[cold]
    fn custom_name(&mut self, prefix: &str, mark: &str, local: &str) -> Option<Name> {
        let colon = if prefix.is_empty() { "" } else { ":" };
        let name = [mark, prefix, colon, local].concat();
        if let Some(&known) = self.custom_names.get(&name) {
            return Some(known);
        }
        let custom = Name::custom(self.customs.len())?;
        self.customs.push(name.clone());
        self.custom_names.insert(name, custom);
        Some(custom)
    }

    pub(crate) fn name(&self, name: Name) -> &str {
        match name.as_static() {
            Some(name) => name,
            None => self
                .customs
                .get(name.index() - Name::KNOWN)
                .map_or("", String::as_str),
        }
    }

    /// Adds an element without children, or an attribute, whose text is a range of the entry. `level` is how many nodes
    /// are open, the first node below the last of them would be at `parent`.
    #[inline]
    pub(crate) fn push_leaf(
        &mut self,
        name: Name,
        level: usize,
        parent: usize,
        text: &str,
        start: usize,
        outer: (usize, usize),
    ) {
        let (start, value) = trimmed(text, start);
        self.push(name, level, parent, (start, start + value.len()), outer);
    }

    /// Adds an attribute whose value had to be resolved.
    pub(crate) fn push_resolved(
        &mut self,
        name: Name,
        level: usize,
        parent: usize,
        value: &str,
        outer: (usize, usize),
    ) {
        let node = self.push(name, level, parent, (outer.0, outer.0), outer);
        self.set_resolved(node, value);
    }

    /// Adds an element that may have children and whose text is not known yet, and returns its index.
    pub(crate) fn open(&mut self, name: Name, level: usize, parent: usize, at: usize, start: usize) -> usize {
        let node = self.push(name, level, parent, (at, at), (start, at));
        match self.levels.get_mut(level + 1) {
            Some(below) => below.clear(),
            None => self.levels.resize_with(level + 2, Level::default),
        }
        node
    }

    #[inline]
    fn push(
        &mut self,
        name: Name,
        level: usize,
        parent: usize,
        value: (usize, usize),
        outer: (usize, usize),
    ) -> usize {
        let index = self.nodes.len();
        let level_here = self.levels.get_mut(level);
        let first = level_here.is_some_and(|here| here.is_first(name))
            || !self.link(name, level, parent, narrow(index));
        self.nodes.push(Node {
            name,
            first,
            resolved: false,
            start: narrow(value.0),
            end: narrow(value.1),
            at: narrow(value.0),
            outer: (narrow(outer.0), narrow(outer.1)),
            next: narrow(index + 1),
            same: 0,
        });
        index
    }

    /// Links the last node of a name on a level to the next; `false` if there is none. It is for a level that is new, or a
    /// name that was met on it or that the schema does not have.
    #[inline(never)]
    fn link(&mut self, name: Name, level: usize, parent: usize, node: u32) -> bool {
        if level >= self.levels.len() {
            self.levels.resize_with(level + 1, Level::default);
            if self.levels[level].is_first(name) {
                return false;
            }
        }
        let before = self.replace_last(name, level, parent, node);
        match before.and_then(|before| self.nodes.get_mut(before as usize)) {
            Some(before) => {
                before.same = node;
                true
            }
            None => false,
        }
    }

    /// Notes that a node is the last of its name on its level, and returns the one that was until now.
    fn replace_last(&mut self, name: Name, level: usize, parent: usize, node: u32) -> Option<u32> {
        if name.index() >= Name::KNOWN {
            return self.last_custom.insert((narrow(parent), name), node);
        }
        let last = &mut self.levels[level].last;
        if let Some((_, last)) = last.iter_mut().find(|(other, _)| *other == name) {
            return Some(std::mem::replace(last, node));
        }
        last.push((name, node));
        // The second of its name: the first is to be looked for, once for each name.
        let mut i = parent;
        while let Some(other) = self.nodes.get(i) {
            if other.name == name {
                return Some(narrow(i));
            }
            i = other.next();
        }
        None
    }

    /// Ends an element whose text, if it has any, is a range of the entry.
    pub(crate) fn close(&mut self, node: usize, text: &str, start: usize, end: usize) {
        let (start, value) = trimmed(text, start);
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = next;
            node.outer.1 = narrow(end);
            if !value.is_empty() {
                (node.start, node.end, node.at) = (narrow(start), narrow(start + value.len()), narrow(start));
            }
        }
    }

    /// Ends an element whose text had to be resolved, or came in pieces.
    pub(crate) fn close_resolved(&mut self, node: usize, text: &str, end: usize) {
        self.close(node, "", 0, end);
        self.set_resolved(node, text);
    }

    fn set_resolved(&mut self, node: usize, text: &str) {
        let start = self.resolved.len();
        self.resolved.push_str(trim(text));
        let range = (narrow(start), narrow(self.resolved.len()));
        if let Some(node) = self.nodes.get_mut(node) {
            node.resolved = true;
            (node.start, node.end) = range;
        }
    }
}

/// A text that starts at `start`, without the white space around it; if it is nothing else, an empty one where it starts.
#[inline]
fn trimmed(text: &str, start: usize) -> (usize, &str) {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(b'!'..), Some(b'!'..)) => (start, text),
        _ => match trim(text) {
            "" => (start, ""),
            value => {
                let front = text.trim_start_matches([' ', '\t', '\n', '\r']);
                (start + text.len() - front.len(), value)
            }
        },
    }
}

/// An entry that was read, and the text that its nodes are ranges of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordView<'de, 'r> {
    pub(crate) text: Text<'de, 'r>,
    pub(crate) table: &'r Table,
}

impl<'de, 'r> RecordView<'de, 'r> {
    #[inline]
    pub(crate) fn node(&self, i: usize) -> Option<&'r Node> {
        self.table.nodes.get(i)
    }

    pub(crate) fn name(&self, node: &Node) -> &'r str {
        self.table.name(node.name)
    }

    /// How many nodes of its name there are beside a node, from it on.
    pub(crate) fn count_from(&self, node: &Node) -> usize {
        std::iter::successors(Some(node), |node| self.node(node.same()?)).count()
    }

    #[inline]
    pub(crate) fn value(&self, node: &Node) -> Text<'de, 'r> {
        let text = if node.resolved {
            Text::Transient(&self.table.resolved)
        } else {
            self.text
        };
        text.slice(node.start as usize, node.end as usize)
    }
}

//! Repairs of an entry in lenient reading: removing elements, replacing values, and splitting one entry into several.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Error;
use crate::loc;
use crate::schema::{self, Name};

use super::{Findings, Node, Nodes, Table, narrow};

impl Table {
    /// The value of a node.
    pub(crate) fn text<'a>(&'a self, node: &Node, entry: &'a str) -> &'a str {
        node.text(entry, &self.resolved)
    }

    /// The resolved texts, concatenated.
    #[inline]
    pub(crate) fn resolved(&self) -> &str {
        &self.resolved
    }

    /// Returns `true` if lenient reading has nothing to repair in the entry: it has an absolute loc without invisible characters at its
    /// ends, no repeated or unknown elements, and no text that may be escaped twice; and, if the document's location is known, absolute
    /// URLs in its extensions.
    #[inline(always)]
    pub(crate) fn is_usual(&self, entry: &[u8], has_address: bool) -> bool {
        if self.findings.0 != 0 {
            return false;
        }
        let loc = self.loc_bytes(entry);
        is_web(loc)
            && matches!(loc.last(), Some(b'!'..=b'~'))
            && (!has_address || self.has_absolute_links(entry))
    }

    /// The children of the entry, with their indexes.
    pub(crate) fn children(&self) -> impl Iterator<Item = (usize, &Node)> {
        let first = self.nodes.first().map(|node| (0, node));
        std::iter::successors(first, |(_, node)| {
            let next = node.next();
            self.nodes.get(next).map(|node| (next, node))
        })
    }

    /// The indexes of the attributes and children of a node.
    pub(crate) fn parts(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes.get(node).map_or(0, Node::next);
        let first = Some(node + 1).filter(|first| *first < end);
        std::iter::successors(first, move |part| {
            let next = self.nodes.get(*part)?.next();
            (next < end).then_some(next)
        })
    }

    /// The first loc, with its index.
    #[inline]
    pub(crate) fn loc(&self) -> Option<(usize, &Node)> {
        match self.nodes.first() {
            Some(node) if node.name == schema::LOC => Some((0, node)),
            _ => self.later_loc(),
        }
    }

    #[inline(never)]
    fn later_loc(&self) -> Option<(usize, &Node)> {
        self.children().find(|(_, node)| node.name == schema::LOC)
    }

    /// The bytes of the loc; empty if there is none.
    #[inline(always)]
    fn loc_bytes<'a>(&'a self, entry: &'a [u8]) -> &'a [u8] {
        match self.loc() {
            Some((_, node)) => self.bytes(node, entry),
            None => &[],
        }
    }

    /// Returns `true` if the URLs of the extensions are absolute.
    #[inline(never)]
    fn has_absolute_links(&self, entry: &[u8]) -> bool {
        let mut links = self.nodes.iter().filter(|node| node.name.is_link());
        links.all(|node| is_web(self.bytes(node, entry)))
    }

    #[inline]
    fn bytes<'a>(&'a self, node: &Node, entry: &'a [u8]) -> &'a [u8] {
        let source = if node.resolved {
            self.resolved.as_bytes()
        } else {
            entry
        };
        source.get(node.value()).unwrap_or_default()
    }

    /// Returns `true` if an element that the schema allows once is repeated.
    #[inline]
    pub(crate) fn has_doubles(&self) -> bool {
        self.findings.has(Findings::DOUBLE)
    }

    /// Calls `visit` with each node, its index and its path, in document order.
    pub(crate) fn walk(&self, mut visit: impl FnMut(usize, &Node, &Path<'_>)) {
        let entry = Level {
            is_of_schema: true,
            ..Level::default()
        };
        let mut path = Path {
            table: self,
            open: vec![entry],
            number: 0,
        };
        for (i, node) in self.nodes.iter().enumerate() {
            while path.open.len() > 1 && path.open.last().is_some_and(|level| level.end <= i) {
                path.open.pop();
            }
            if let Some(level) = path.open.last_mut() {
                let count = level.counts.entry(node.name).or_default();
                path.number = *count;
                *count += 1;
            }
            visit(i, node, &path);
            if node.next() > i + 1 {
                // An unknown name without its own namespace may be a misspelt name of the schema.
                let is_of_others = node.name.row().is_none() && self.name(node.name).contains([':', '{']);
                let is_of_schema = path.is_of_schema() && !is_of_others;
                path.open.push(Level {
                    is_of_schema,
                    node: Some((node.name, path.number)),
                    end: node.next(),
                    counts: HashMap::new(),
                });
            }
        }
    }

    /// Removes the nodes with these indexes, which are sorted, and their descendants.
    pub(crate) fn leave_out(&mut self, indexes: &[u32]) {
        if indexes.is_empty() {
            return;
        }
        // The number of nodes kept before each one.
        let mut before = Vec::with_capacity(self.nodes.len() + 1);
        let (mut kept, mut end) = (0, 0);
        let mut i = 0;
        while let Some(node) = self.nodes.get(i).cloned() {
            before.push(narrow(kept));
            if indexes.binary_search(&narrow(i)).is_ok() {
                end = end.max(node.next());
            }
            if i >= end
                && let Some(place) = self.nodes.get_mut(kept)
            {
                *place = node;
                kept += 1;
            }
            i += 1;
        }
        before.push(narrow(kept));
        self.nodes.truncate(kept);
        for node in self.nodes.iter_mut() {
            node.next = before.get(node.next()).copied().unwrap_or(node.next);
        }
        self.link_all();
    }

    /// Removes the open element and its content, which are the last nodes. No more are added.
    #[cold]
    pub(crate) fn drop_from(&mut self, node: usize) {
        self.nodes.truncate(node);
        self.link_all();
    }

    /// Adds a loc made from the text directly in the entry.
    pub(crate) fn push_loc(&mut self, text: &str, at: usize) {
        let value = self.resolved_value(text, at);
        self.push(schema::LOC, value, at..at);
        self.link_all();
    }

    /// Replaces the value of a node.
    pub(crate) fn replace_text(&mut self, index: usize, text: &str) {
        let Some(at) = self.nodes.get(index).map(Node::at) else {
            return;
        };
        let value = self.resolved_value(text, at);
        if let Some(node) = self.nodes.get_mut(index) {
            node.set_value(value);
        }
    }

    /// Splits off the nodes from index `at` on, a child of the entry that begins another entry. They take the large buffers with them.
    pub(crate) fn split_off(&mut self, at: usize) -> SplitEntries {
        let nodes = std::mem::take(&mut self.nodes);
        for node in nodes.iter().take(at) {
            self.nodes.push(node.clone());
        }
        self.link_all();
        // The texts of these nodes precede the texts of the others.
        let ends = self
            .nodes
            .iter()
            .filter(|node| node.resolved)
            .map(|node| node.end);
        let first = self.resolved[..ends.max().unwrap_or(0) as usize].to_owned();
        let resolved = std::mem::replace(&mut self.resolved, first);
        SplitEntries {
            nodes,
            resolved,
            next: at,
            start: 0,
        }
    }

    /// Links siblings with the same name again, after a change.
    fn link_all(&mut self) {
        self.findings.0 &= !Findings::DOUBLE;
        // For each open element, its end and the last child of each name; the entry first.
        let mut open: Vec<(usize, HashMap<Name, u32>)> = vec![(usize::MAX, HashMap::new())];
        for i in 0..self.nodes.len() {
            while open.last().is_some_and(|(end, _)| *end <= i) {
                open.pop();
            }
            let (Some(node), Some((_, last))) = (self.nodes.get_mut(i), open.last_mut()) else {
                break;
            };
            let (name, next) = (node.name, node.next());
            let before = last.insert(name, narrow(i));
            (node.same, node.first) = (0, before.is_none());
            if let Some(before) = before.and_then(|before| self.nodes.get_mut(before as usize)) {
                before.same = narrow(i);
                let is_double = name.row().is_some_and(|row| !row.is_repeated());
                self.findings.add(Findings::DOUBLE, is_double);
            }
            if next > i + 1 {
                open.push((next, HashMap::new()));
            }
        }
    }
}

/// Returns `true` if a URL begins with `https://` or `http://`.
#[inline]
fn is_web(url: &[u8]) -> bool {
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    url.first_chunk().is_some_and(|start| {
        let start = u64::from_le_bytes(*start);
        start == HTTPS || start << 8 == HTTP
    })
}

impl Node {
    fn text<'a>(&self, entry: &'a str, resolved: &'a str) -> &'a str {
        let source = if self.resolved { resolved } else { entry };
        source.get(self.value()).unwrap_or_default()
    }

    /// Returns `true` if its value was resolved.
    pub(crate) fn is_resolved(&self) -> bool {
        self.resolved
    }
}

/// The path of a node: the elements around it.
#[derive(Debug)]
pub(crate) struct Path<'t> {
    table: &'t Table,
    open: Vec<Level>,
    /// The number of siblings with its name before the node.
    number: usize,
}

#[derive(Debug, Default)]
struct Level {
    node: Option<(Name, usize)>,
    end: usize,
    /// `true` if neither it nor an element around it is in a namespace that is not the schema's.
    is_of_schema: bool,
    counts: HashMap<Name, usize>,
}

impl Path<'_> {
    /// The name of the element that the node is in; `None` directly in the entry.
    pub(crate) fn parent(&self) -> Option<Name> {
        self.open.last()?.node.map(|(name, _)| name)
    }

    /// Returns `true` if no element around the node is in a namespace that is not the schema's. In such an element the schema's names
    /// mean nothing.
    pub(crate) fn is_of_schema(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_of_schema)
    }

    /// Adds the node's path and offset to an error.
    pub(crate) fn locate(&self, node: &Node, error: Error) -> Error {
        self.within(self.step(error.at_offset(node.at()), node.name, self.number))
    }

    /// Like [`locate`](Self::locate), and marks the node as dropped.
    pub(crate) fn locate_omitted(&self, node: &Node, error: Error) -> Error {
        let error = self.step(error.at_offset(node.at()), node.name, self.number);
        self.within(error.omitting_field())
    }

    fn within(&self, mut error: Error) -> Error {
        for level in self.open.iter().rev() {
            if let Some((name, number)) = level.node {
                error = self.step(error, name, number);
            }
        }
        error
    }

    fn step(&self, error: Error, name: Name, number: usize) -> Error {
        let error = match name.row() {
            Some(row) if row.is_repeated() => error.at_index(number),
            _ => error,
        };
        error.within(self.table.step(name))
    }
}

/// The rest of a `url` element that contains several entries, each beginning with its loc.
#[derive(Debug)]
pub(crate) struct SplitEntries {
    /// The nodes of all entries.
    nodes: Nodes,
    resolved: String,
    /// The index of the next entry's first node.
    next: usize,
    /// The offset in the element of the entry taken last.
    start: u32,
}

impl SplitEntries {
    /// Moves the next entry into the table, and returns the range of its text in `entry`, the text that is left; `None` if
    /// there is none. Its nodes count from the start of that range, so that the caller need not copy the whole text.
    pub(crate) fn take(&mut self, entry: &str, table: &mut Table) -> Option<Range<usize>> {
        let first = self.nodes.get(self.next)?;
        let moved = self.start;
        let text = |node: &Node| {
            let mut node = node.clone();
            if !node.resolved {
                node.start -= moved;
                node.end -= moved;
            }
            node.text(entry, &self.resolved).to_owned()
        };
        let loc = text(first);
        let mut end = first.next();
        while let Some(node) = self.nodes.get(end) {
            if node.name == schema::LOC {
                let text = text(node);
                if !text.is_empty() && !loc::is_same(&text, &loc) {
                    break;
                }
            }
            end = node.next();
        }
        let shift = narrow(self.next);
        let nodes = || (self.next..end).filter_map(|i| self.nodes.get(i));
        let is_resolved = || nodes().filter(|node| node.resolved);
        let from = is_resolved().map(|node| node.start).min().unwrap_or(0);
        let to = is_resolved().map(|node| node.end).max().unwrap_or(0);
        let start = first.outer.0;
        let last = nodes().map(|node| node.outer.1).max().unwrap_or(start);
        let part = (start - moved) as usize..(last - moved) as usize;
        table.clear();
        table
            .resolved
            .push_str(self.resolved.get(from as usize..to as usize).unwrap_or_default());
        for node in nodes() {
            let mut node = node.clone();
            node.next -= shift;
            let by = if node.resolved { from } else { start };
            node.start -= by;
            node.end -= by;
            node.at -= start;
            node.outer = (node.outer.0 - start, node.outer.1 - start);
            table.nodes.push(node);
        }
        table.link_all();
        self.next = end;
        self.start = start;
        Some(part)
    }
}

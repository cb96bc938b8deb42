//! Changes to an entry that was read leniently: elements are left out, values replaced, and one entry becomes several.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Error;
use crate::schema::{self, Name};

use super::{Node, Table, narrow};

impl Table {
    /// The text of a node of an entry.
    pub(crate) fn text<'a>(&'a self, node: &Node, entry: &'a str) -> &'a str {
        node.text(entry, &self.resolved)
    }

    /// The texts in which references or CDATA sections were resolved, or pieces put together, one behind the other.
    #[inline]
    pub(crate) fn resolved(&self) -> &str {
        &self.resolved
    }

    /// Whether a lenient reading has nothing to repair in the entry, as in most: a loc that is absolute and has no invisible character at
    /// its ends, no repeated or unknown elements, and no text that may be escaped twice. With the document's address known, the URLs of
    /// the extensions are absolute too.
    #[inline]
    pub(crate) fn is_usual(&self, entry: &[u8], has_address: bool) -> bool {
        let is_odd = self.has_doubles | self.has_unknown | self.has_too_many_names;
        if is_odd || self.within_core.is_some() || self.other_case.is_some() {
            return false;
        }
        // A semicolon is rarer than an ampersand.
        if !self.resolved.is_empty() && memchr::memchr(b';', self.resolved.as_bytes()).is_some() {
            return false;
        }
        let loc = self.loc_bytes(entry);
        is_web(loc)
            && matches!(loc.last(), Some(b'!'..=b'~'))
            && (!has_address || self.links(entry).all(is_web))
    }

    /// The nodes directly in the entry, with their indexes.
    pub(crate) fn children(&self) -> impl Iterator<Item = (usize, &Node)> {
        let first = self.nodes.first().map(|node| (0, node));
        std::iter::successors(first, |(_, node)| {
            let next = node.next();
            self.nodes.get(next).map(|node| (next, node))
        })
    }

    /// The entry's first loc, and its index.
    #[inline]
    pub(crate) fn loc(&self) -> Option<(usize, &Node)> {
        let first = self.nodes.first().filter(|node| node.name == schema::LOC);
        match first {
            Some(node) => Some((0, node)),
            None => self.children().find(|(_, node)| node.name == schema::LOC),
        }
    }

    /// The bytes of the loc; none if there is none.
    #[inline]
    fn loc_bytes<'a>(&'a self, entry: &'a [u8]) -> &'a [u8] {
        self.loc().map_or(&[], |(_, node)| self.bytes(node, entry))
    }

    /// The bytes of each URL of the extensions.
    #[inline]
    fn links<'a>(&'a self, entry: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let links = self.nodes.iter().filter(|node| node.name.is_link());
        links.map(|node| self.bytes(node, entry))
    }

    #[inline]
    fn bytes<'a>(&'a self, node: &Node, entry: &'a [u8]) -> &'a [u8] {
        let source = if node.resolved {
            self.resolved.as_bytes()
        } else {
            entry
        };
        source
            .get(node.start as usize..node.end as usize)
            .unwrap_or_default()
    }

    /// Whether something stands twice that there can be one of.
    #[inline]
    pub(crate) fn has_doubles(&self) -> bool {
        self.has_doubles
    }

    /// Goes through all nodes in the order of the document; each is given with its path.
    pub(crate) fn walk(&self, mut visit: impl FnMut(usize, &Node, &Path<'_>)) {
        let mut path = Path {
            table: self,
            open: vec![Level::default()],
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
                path.open.push(Level {
                    node: Some((node.name, path.number)),
                    end: node.next(),
                    counts: HashMap::new(),
                });
            }
        }
    }

    /// Leaves out the nodes of these indexes, in rising order, with all that is in them.
    pub(crate) fn leave_out(&mut self, indexes: &[usize]) {
        let mut kept = Vec::with_capacity(self.nodes.len());
        // How many nodes are kept before each one.
        let mut before = Vec::with_capacity(self.nodes.len() + 1);
        let mut end = 0;
        for (i, node) in self.nodes.drain(..).enumerate() {
            before.push(narrow(kept.len()));
            if indexes.binary_search(&i).is_ok() {
                end = end.max(node.next());
            }
            if i >= end {
                kept.push(node);
            }
        }
        before.push(narrow(kept.len()));
        for node in &mut kept {
            node.next = before.get(node.next()).copied().unwrap_or(node.next);
        }
        self.nodes = kept;
        self.link_all();
    }

    /// Adds a loc that stands in the entry itself.
    pub(crate) fn push_loc(&mut self, text: &str, at: usize) {
        self.push_resolved(schema::LOC, text, at, at..at);
        self.link_all();
    }

    /// Replaces the text of a node.
    pub(crate) fn replace_text(&mut self, index: usize, text: &str) {
        self.set_resolved(index, text);
    }

    /// Takes the nodes from one of the entry's own on, which begins another entry.
    pub(crate) fn split_off(&mut self, at: usize) -> Rest {
        let nodes = self.nodes.split_off(at);
        self.link_all();
        Rest {
            nodes,
            base: at,
            resolved: self.resolved.clone(),
            next: 0,
            start: 0,
        }
    }

    /// Finds out anew which nodes beside each other have one name.
    fn link_all(&mut self) {
        self.has_doubles = false;
        let mut last: HashMap<(usize, Name), usize> = HashMap::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for i in 0..self.nodes.len() {
            while open.last().is_some_and(|(end, _)| *end <= i) {
                open.pop();
            }
            let parent = open.last().map_or(usize::MAX, |(_, parent)| *parent);
            let Some(node) = self.nodes.get_mut(i) else { break };
            let (name, next) = (node.name, node.next());
            let before = last.insert((parent, name), i);
            (node.same, node.first) = (0, before.is_none());
            if let Some(before) = before.and_then(|before| self.nodes.get_mut(before)) {
                before.same = narrow(i);
                self.has_doubles |= name.row().is_some_and(|row| !row.is_repeated());
            }
            if next > i + 1 {
                open.push((next, i));
            }
        }
    }
}

/// Whether a URL begins with `https://` or `http://`.
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
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// Whether its text had to be resolved.
    pub(crate) fn is_resolved(&self) -> bool {
        self.resolved
    }
}

/// The elements around a node.
#[derive(Debug)]
pub(crate) struct Path<'t> {
    table: &'t Table,
    open: Vec<Level>,
    /// How many of its name are beside the node and before it.
    number: usize,
}

#[derive(Debug, Default)]
struct Level {
    node: Option<(Name, usize)>,
    end: usize,
    counts: HashMap<Name, usize>,
}

impl Path<'_> {
    /// Says of an error that it is about the node.
    pub(crate) fn locate(&self, node: &Node, error: Error) -> Error {
        let mut error = self.step(error.at_offset(node.at()), node.name, self.number);
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

/// Further entries that stand in the element of one, each beginning with its loc.
#[derive(Debug)]
pub(crate) struct Rest {
    nodes: Vec<Node>,
    /// How many nodes came before them.
    base: usize,
    resolved: String,
    next: usize,
    /// Where in the entry the last of them began.
    start: u32,
}

impl Rest {
    /// Makes the next of the entries the table's, and returns its part of the text, of which `entry` is what is left; `None` if there
    /// is none. Its nodes are ranges of that part, so that nobody copies the whole text for each.
    pub(crate) fn take(&mut self, entry: &str, table: &mut Table) -> Option<Range<usize>> {
        let first = self.nodes.get(self.next)?;
        let moved = self.start;
        let text = |node: &Node| {
            let mut node = node.clone();
            if !node.resolved {
                (node.start, node.end) = (node.start - moved, node.end - moved);
            }
            node.text(entry, &self.resolved).to_owned()
        };
        let loc = text(first);
        let mut end = first.next() - self.base;
        while let Some(node) = self.nodes.get(end) {
            if node.name == schema::LOC {
                let text = text(node);
                if !text.is_empty() && text != loc {
                    break;
                }
            }
            end = node.next() - self.base;
        }
        let shift = narrow(self.base + self.next);
        let nodes = self.nodes.get(self.next..end).unwrap_or_default();
        let is_resolved = || nodes.iter().filter(|node| node.resolved);
        let from = is_resolved().map(|node| node.start).min().unwrap_or(0);
        let to = is_resolved().map(|node| node.end).max().unwrap_or(0);
        let start = first.outer.0;
        let last = nodes.iter().map(|node| node.outer.1).max().unwrap_or(start);
        let part = (start - moved) as usize..(last - moved) as usize;
        table.clear();
        table
            .resolved
            .push_str(self.resolved.get(from as usize..to as usize).unwrap_or_default());
        table.nodes.extend(nodes.iter().map(|node| {
            let mut node = node.clone();
            node.next -= shift;
            let by = if node.resolved { from } else { start };
            (node.start, node.end) = (node.start - by, node.end - by);
            node.at -= start;
            node.outer = (node.outer.0 - start, node.outer.1 - start);
            node
        }));
        table.link_all();
        self.next = end;
        self.start = start;
        Some(part)
    }
}

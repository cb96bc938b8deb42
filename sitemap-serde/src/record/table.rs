//! One entry that was read: its elements and attributes, each a range of the source.

use std::collections::HashMap;
use std::ops::Range;

use crate::xml::names::{Namespace, split};
use crate::xml::source::Text;
use crate::xml::trim;

use super::Name;

/// An element below the entry, or an attribute of one.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Name,
    /// Its own text, without that of its children, trimmed.
    value: Value,
    /// Where in the entry its value begins, or would.
    pub(crate) at: usize,
    /// The index of the first node that is not below it.
    pub(crate) next: usize,
    /// The index of the next node of its name beside it, if there is one.
    pub(crate) same: Option<usize>,
    /// Whether no node before it beside it has its name.
    pub(crate) first: bool,
}

/// A range of the entry's bytes, or of the text that was resolved.
#[derive(Clone, Debug)]
enum Value {
    Source(Range<usize>),
    Resolved(Range<usize>),
}

/// The nodes of one entry in document order; reused from entry to entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    nodes: Vec<Node>,
    resolved: String,
    customs: Vec<String>,
    custom_names: HashMap<String, usize>,
    /// Whether two nodes beside each other may share a name.
    linked: bool,
}

impl Table {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.resolved.clear();
        self.linked = true;
        if !self.customs.is_empty() {
            self.customs.clear();
            self.custom_names.clear();
        }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The name of an element, or `None` if nobody knows its namespace.
    #[inline]
    pub(crate) fn element_name(&mut self, namespace: Namespace, qualified: &str) -> Option<Name> {
        let (_, local) = split(qualified);
        if let Some(name) = Name::known(namespace, local) {
            return Some(name);
        }
        match namespace {
            Namespace::Core | Namespace::None => Some(self.custom(local)),
            Namespace::Xml | Namespace::Other => None,
        }
    }

    /// The name of an attribute: `@name`, or `None` if it is in a namespace that nobody knows.
    pub(crate) fn attribute_name(&mut self, namespace: Namespace, qualified: &str) -> Option<Name> {
        let (_, local) = split(qualified);
        match namespace {
            Namespace::None => Some(self.custom(&format!("@{local}"))),
            Namespace::Xml => Some(self.custom(&format!("@xml:{local}"))),
            Namespace::Core | Namespace::Other => None,
        }
    }

    #[cold]
    fn custom(&mut self, name: &str) -> Name {
        if let Some(&i) = self.custom_names.get(name) {
            return Name::custom(i);
        }
        let i = self.customs.len();
        self.customs.push(name.to_owned());
        self.custom_names.insert(name.to_owned(), i);
        Name::custom(i)
    }

    pub(crate) fn name(&self, name: Name) -> &str {
        name.as_static()
            .or_else(|| self.customs.get(name.index() - Name::KNOWN).map(String::as_str))
            .unwrap_or_default()
    }

    /// Adds an element without children whose text is a range of the entry.
    #[inline]
    pub(crate) fn push_leaf(&mut self, name: Name, text: &str, start: usize) {
        let (start, value) = trimmed(text, start);
        self.push(name, Value::Source(start..start + value.len()), start);
    }

    /// Adds an attribute whose value had to be resolved.
    pub(crate) fn push_resolved(&mut self, name: Name, value: &str, at: usize) {
        let start = self.resolved.len();
        self.resolved.push_str(trim(value));
        self.push(name, Value::Resolved(start..self.resolved.len()), at);
    }

    #[inline]
    fn push(&mut self, name: Name, value: Value, at: usize) {
        let next = self.nodes.len() + 1;
        self.linked &= self.nodes.len() < 4 && self.nodes.iter().all(|node| node.name != name);
        self.nodes.push(Node {
            name,
            value,
            at,
            next,
            same: None,
            first: true,
        });
    }

    /// Adds an element that may have children and whose text is not known yet, and returns its index.
    pub(crate) fn open(&mut self, name: Name, at: usize) -> usize {
        self.linked = false;
        self.push(name, Value::Source(at..at), at);
        self.nodes.len() - 1
    }

    /// Ends an element whose text, if it has any, is a range of the entry.
    pub(crate) fn close(&mut self, node: usize, text: &str, start: usize) {
        let (start, value) = trimmed(text, start);
        let next = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = next;
            if !value.is_empty() {
                node.at = start;
                node.value = Value::Source(node.at..node.at + value.len());
            }
        }
    }

    /// Ends an element whose text had to be resolved, or came in pieces.
    pub(crate) fn close_resolved(&mut self, node: usize, text: &str) {
        let start = self.resolved.len();
        self.resolved.push_str(trim(text));
        let next = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = next;
            node.value = Value::Resolved(start..self.resolved.len());
        }
    }

    /// Finds out which nodes beside each other share a name. To be called once all are there.
    pub(crate) fn link(&mut self) {
        if !self.linked {
            self.link_children(0, self.nodes.len());
        }
    }

    #[cold]
    fn link_children(&mut self, from: usize, to: usize) {
        // Sorted by parent, then by name, nodes that share both stand beside each other, in document order.
        let mut parents = Vec::new();
        let mut order: Vec<(usize, usize, usize)> = Vec::with_capacity(to - from);
        for i in from..to {
            while parents
                .last()
                .is_some_and(|&parent: &usize| self.nodes[parent].next <= i)
            {
                parents.pop();
            }
            order.push((
                parents.last().map_or(0, |parent| parent + 1),
                self.nodes[i].name.index(),
                i,
            ));
            parents.push(i);
        }
        order.sort_unstable();
        for pair in order.windows(2) {
            let ((parent, name, i), (other_parent, other_name, j)) = (pair[0], pair[1]);
            if (parent, name) == (other_parent, other_name) {
                self.nodes[i].same = Some(j);
                self.nodes[j].first = false;
            }
        }
    }
}

/// A text that starts at `start`, without the white space around it.
#[inline]
fn trimmed(text: &str, start: usize) -> (usize, &str) {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(b'!'..), Some(b'!'..)) => (start, text),
        _ => {
            let front = text.trim_start_matches([' ', '\t', '\n', '\r']);
            (start + text.len() - front.len(), trim(front))
        }
    }
}

/// An entry that was read, and the text that its nodes are ranges of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordView<'de, 'r> {
    pub(crate) text: Text<'de, 'r>,
    pub(crate) table: &'r Table,
}

impl<'de, 'r> RecordView<'de, 'r> {
    pub(crate) fn node(&self, i: usize) -> Option<&'r Node> {
        self.table.nodes.get(i)
    }

    pub(crate) fn name(&self, node: &Node) -> &'r str {
        self.table.name(node.name)
    }

    #[inline]
    pub(crate) fn value(&self, node: &Node) -> Text<'de, 'r> {
        match &node.value {
            Value::Source(range) => self.text.slice(range.start, range.end),
            Value::Resolved(range) => {
                Text::Transient(self.table.resolved.get(range.clone()).unwrap_or_default())
            }
        }
    }
}

//! A view of an entry: its table, and the text for the table's ranges.

use crate::error::Step;
use crate::schema::Name;
use crate::xml::source::SourceText;

use super::{Node, Table};

/// An entry's table, and the text that its nodes are ranges of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordView<'de, 'r> {
    pub(crate) text: SourceText<'de, 'r>,
    pub(crate) table: &'r Table,
}

impl<'de, 'r> RecordView<'de, 'r> {
    #[inline]
    pub(crate) fn node(&self, i: usize) -> Option<&'r Node> {
        self.table.nodes.get(i)
    }

    /// The text of the first element with this name that has one.
    pub(crate) fn text_of(&self, name: Name) -> Option<&str> {
        let mut next = 0;
        while let Some(node) = self.node(next) {
            if node.name == name {
                return Some(self.value(node).get()).filter(|text| !text.is_empty());
            }
            next = node.next();
        }
        None
    }

    pub(crate) fn name(&self, node: &Node) -> &'r str {
        self.table.name(node.name)
    }

    /// The name of a node as a step of an error's path.
    pub(crate) fn step(&self, node: &Node) -> Step {
        self.table.step(node.name)
    }

    /// The number of siblings with this name from this node on.
    #[inline]
    pub(crate) fn count_from(&self, node: &Node) -> usize {
        std::iter::successors(Some(node), |node| self.node(node.same()?)).count()
    }

    /// The length in bytes of a node's value in the source, including references and CDATA sections.
    #[cold]
    pub(crate) fn source_len(&self, node: &Node) -> usize {
        if !node.resolved {
            return node.value().len();
        }
        let from = node.at().max(node.outer().start);
        let source = self.text.get().get(from..node.outer().end).unwrap_or_default();
        // An attribute's range is its value; an element's range includes its end tag.
        source.rfind("</").unwrap_or(source.len())
    }

    #[inline]
    pub(crate) fn value(&self, node: &Node) -> SourceText<'de, 'r> {
        let text = if node.resolved {
            SourceText::Transient(&self.table.resolved)
        } else {
            self.text
        };
        text.slice(node.start as usize, node.end as usize)
    }
}

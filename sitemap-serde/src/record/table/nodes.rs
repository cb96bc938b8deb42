//! The nodes of an entry, in blocks.
//!
//! **The nodes of an entry stay where they are**. Most entries need one vector; the nodes of a larger one are in blocks of 1,024, since a
//! vector that doubles has the old and the new nodes at once. Repairs change the table in place and are reported one by one. So a record
//! takes at most some 16 bytes for each byte of its entry (`tests/memory/entries.rs` counts it over generated shapes), except for names
//! that the schema does not know.

use super::Node;

/// The nodes of an entry. The first nodes, which suffice for most entries, are in one vector, and the others in blocks that are never
/// moved: an entry of any size takes memory only for its nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    first: Vec<Node>,
    /// All of them full but the last one, which is not empty.
    blocks: Vec<Vec<Node>>,
}

impl Nodes {
    /// The number of nodes in a block, and the most in the first vector.
    const BLOCK: usize = 1024;

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self.blocks.last() {
            None => self.first.len(),
            Some(last) => self.blocks.len() * Self::BLOCK + last.len(),
        }
    }

    #[inline]
    pub(super) fn first(&self) -> Option<&Node> {
        self.first.first()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&Node> {
        self.first.get(index).or_else(|| {
            let index = index.checked_sub(Self::BLOCK)?;
            self.blocks.get(index / Self::BLOCK)?.get(index % Self::BLOCK)
        })
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Node> {
        match index.checked_sub(Self::BLOCK) {
            None => self.first.get_mut(index),
            Some(index) => self
                .blocks
                .get_mut(index / Self::BLOCK)?
                .get_mut(index % Self::BLOCK),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.first.iter().chain(self.blocks.iter().flatten())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.first.iter_mut().chain(self.blocks.iter_mut().flatten())
    }

    #[inline]
    pub(super) fn push(&mut self, node: Node) {
        if self.first.len() < Self::BLOCK {
            self.first.push(node);
        } else {
            self.push_to_block(node);
        }
    }

    #[inline(never)]
    fn push_to_block(&mut self, node: Node) {
        if let Some(block) = self.blocks.last_mut().filter(|block| block.len() < Self::BLOCK) {
            block.push(node);
            return;
        }
        let mut block = Vec::with_capacity(Self::BLOCK);
        block.push(node);
        self.blocks.push(block);
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.blocks.clear();
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.first.truncate(len);
        if self.blocks.is_empty() {
            return;
        }
        let rest = len.saturating_sub(Self::BLOCK);
        self.blocks.truncate(rest.div_ceil(Self::BLOCK));
        if let Some(block) = self.blocks.get_mut(rest / Self::BLOCK) {
            block.truncate(rest % Self::BLOCK);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::record::table::Value;
    use crate::schema;

    use super::*;

    #[test]
    fn nodes_are_found_wherever_they_are() {
        const MOST: usize = 3 * Nodes::BLOCK + 2;
        let node = |i: usize| Node::new(schema::LOC, true, i, Value::empty(i), i..i);
        let mut nodes = Nodes::default();
        for i in 0..MOST {
            assert_eq!(nodes.len(), i);
            nodes.push(node(i));
        }
        for len in [MOST, MOST - 2, MOST - 3, 2 * Nodes::BLOCK + 1, Nodes::BLOCK, 5, 0] {
            nodes.truncate(len);
            assert_eq!((nodes.len(), nodes.get(len).map(Node::at)), (len, None));
            assert!(nodes.iter().map(Node::at).eq(0..len));
            assert!((0..len).all(|i| nodes.get(i).map(Node::at) == Some(i)));
            assert!((0..len).all(|i| nodes.get_mut(i).is_some_and(|node| node.at() == i)));
        }
    }
}

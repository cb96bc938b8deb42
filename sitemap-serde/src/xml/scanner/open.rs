//! The names of the open elements.

/// The names of the open elements, concatenated, and the start of each.
#[derive(Debug, Default)]
pub(super) struct OpenNames {
    names: String,
    starts: Vec<usize>,
}

impl OpenNames {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The name of the innermost element.
    #[inline]
    pub(super) fn last(&self) -> Option<&str> {
        self.names.get(*self.starts.last()?..)
    }

    /// The name of the element at this depth; 0 is the root.
    pub(super) fn name(&self, index: usize) -> Option<&str> {
        let end = self.starts.get(index + 1).copied().unwrap_or(self.names.len());
        self.names.get(*self.starts.get(index)?..end)
    }

    /// The number of open elements within the innermost one with this name, ignoring case; `None` if no open
    /// element has it.
    pub(super) fn above(&self, name: &str) -> Option<usize> {
        self.position(|open| open.eq_ignore_ascii_case(name))
    }

    /// Like [`above`](Self::above), for the beginning of a name.
    pub(super) fn above_beginning(&self, name: &str) -> Option<usize> {
        self.position(|open| {
            open.get(..name.len())
                .is_some_and(|open| open.eq_ignore_ascii_case(name))
        })
    }

    /// The number of open elements within the innermost one with such a name.
    fn position(&self, is_such: impl Fn(&str) -> bool) -> Option<usize> {
        (0..self.len())
            .rev()
            .find(|&index| self.name(index).is_some_and(&is_such))
            .map(|index| self.len() - 1 - index)
    }

    #[inline]
    pub(super) fn push(&mut self, name: &str) {
        self.starts.push(self.names.len());
        self.names.push_str(name);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.names.truncate(start);
        }
    }
}

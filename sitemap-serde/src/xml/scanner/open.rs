//! The names of the elements that are open.

/// The names, one after the other, and where each starts.
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

    /// The innermost.
    #[inline]
    pub(super) fn last(&self) -> Option<&str> {
        self.names.get(*self.starts.last()?..)
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

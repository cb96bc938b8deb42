//! Ranges of keys.

use crate::key::Key;

/// A range of keys: greater than `after`, up to and including `to`. `None` means no bound. Exhaustive, since a range has
/// two ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The last key before the range; `None` begins with the first row.
    pub after: Option<Key>,
    /// The last key of the range; `None` ends with the last row.
    pub to: Option<Key>,
}

impl Span {
    /// All rows.
    pub const ALL: Span = Span {
        after: None,
        to: None,
    };

    /// The rows above `after` and up to `to`.
    pub fn new(after: impl Into<Option<Key>>, to: impl Into<Option<Key>>) -> Self {
        Span {
            after: after.into(),
            to: to.into(),
        }
    }

    /// The rest of the range, after a key in it.
    #[must_use]
    pub fn above(&self, key: Key) -> Self {
        Span {
            after: Some(key),
            to: self.to.clone(),
        }
    }
}

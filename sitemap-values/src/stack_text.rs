//! A short text without an allocation.

use std::fmt::{self, Write};

/// A text of at most `N` bytes. Text that does not fit is a formatting error.
pub struct StackText<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> StackText<N> {
    /// An empty text.
    pub fn new() -> Self {
        StackText {
            bytes: [0; N],
            len: 0,
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        // It is made of whole texts, so neither default is ever taken.
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl<const N: usize> Default for StackText<N> {
    fn default() -> Self {
        StackText::new()
    }
}

impl<const N: usize> Write for StackText<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

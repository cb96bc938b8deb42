//! Positions in documents.

use std::fmt;

/// A position in a document.
///
/// Lines, columns (in characters) and entries count from 1; bytes count from 0 in the document's UTF-8 text.
///
/// Positions of one document are ordered as in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    line: u64,
    column: u64,
    byte: u64,
    entry: Option<u64>,
}

impl Position {
    pub(crate) fn new(line: u64, column: u64, byte: u64) -> Self {
        Position {
            line,
            column,
            byte,
            entry: None,
        }
    }

    pub(crate) fn in_entry(mut self, number: u64) -> Self {
        self.entry = Some(number);
        self
    }

    /// The line, from 1. A line ends at a line feed, a carriage return, or the two together.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column, from 1, in characters.
    pub fn column(&self) -> u64 {
        self.column
    }

    /// The byte, from 0, in the document's UTF-8 text (after decoding, if it is in another encoding).
    pub fn byte(&self) -> u64 {
        self.byte
    }

    /// The number of the `url` or `sitemap` element that contains the position, from 1; `None` outside of entries.
    pub fn entry(&self) -> Option<u64> {
        self.entry
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {} (byte {})",
            self.line, self.column, self.byte
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_in_the_order_of_the_document() {
        let places = [
            Position::new(1, 1, 0),
            Position::new(1, 9, 8),
            Position::new(2, 1, 12),
        ];
        assert!(places.is_sorted());
        assert!(places[1] < places[1].in_entry(1) && places[1].in_entry(2) < places[2]);
    }
}

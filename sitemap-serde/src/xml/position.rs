//! Lines and columns, counted only when a position is asked for.

use crate::error::Position;

/// The line and column of one byte, from which later ones are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    line: u64,
    column: u64,
    /// Whether the previous character was a carriage return: a line feed then belongs to the same line end.
    after_return: bool,
}

impl Lines {
    pub(crate) const START: Lines = Lines {
        line: 1,
        column: 1,
        after_return: false,
    };

    /// Moves past `text`.
    pub(crate) fn advance(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if !self.after_return && memchr::memchr(b'\r', bytes).is_none() {
            let breaks = memchr::memchr_iter(b'\n', bytes).count() as u64;
            if let Some(last) = memchr::memrchr(b'\n', bytes) {
                self.line += breaks;
                self.column = 1 + text[last + 1..].chars().count() as u64;
            } else {
                self.column += text.chars().count() as u64;
            }
            return;
        }
        for c in text.chars() {
            match c {
                '\n' if self.after_return => {}
                '\n' | '\r' => {
                    self.line += 1;
                    self.column = 1;
                }
                _ => self.column += 1,
            }
            self.after_return = c == '\r';
        }
    }

    pub(crate) fn at(self, byte: u64) -> Position {
        Position::new(self.line, self.column, byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_split_counts_the_same() {
        let text = "a\r\nbé\rc\n\nd\r\r\n🦀e";
        for end in (0..=text.len()).filter(|&i| text.is_char_boundary(i)) {
            let mut whole = Lines::START;
            whole.advance(&text[..end]);
            for split in (0..=end).filter(|&i| text.is_char_boundary(i)) {
                let mut parts = Lines::START;
                parts.advance(&text[..split]);
                parts.advance(&text[split..end]);
                assert_eq!(parts.at(0), whole.at(0), "{end} {split}");
            }
        }
        let mut all = Lines::START;
        all.advance(text);
        assert_eq!((all.line, all.column), (7, 3));
    }
}

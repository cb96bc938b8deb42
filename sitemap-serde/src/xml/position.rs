//! Lines and columns, counted only when a position is needed.

use crate::block::{self, Block, LEN};
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
        // A line feed after a carriage return belongs to it.
        let rest = match bytes {
            [b'\n', rest @ ..] if self.after_return => rest,
            _ => bytes,
        };
        let Some(last) = memchr::memrchr2(b'\n', b'\r', rest) else {
            self.column += characters(rest);
            self.after_return &= bytes.is_empty();
            return;
        };
        self.line += line_ends(&rest[..=last]);
        self.column = 1 + characters(&rest[last + 1..]);
        self.after_return = bytes.ends_with(b"\r");
    }

    /// The last of the places counted so far that is not behind `at`, or else `start`, where the text begins.
    #[inline]
    pub(crate) fn last_up_to(
        at: usize,
        start: Lines,
        counted: impl IntoIterator<Item = (usize, Lines)>,
    ) -> (usize, Lines) {
        counted.into_iter().fold((0, start), |last, place| {
            if last.0 <= place.0 && place.0 <= at {
                place
            } else {
                last
            }
        })
    }

    pub(crate) fn at(self, byte: u64) -> Position {
        Position::new(self.line, self.column, byte)
    }
}

/// The number of characters that begin in a text.
fn characters(text: &[u8]) -> u64 {
    let begins = |b: &&u8| !matches!(b, 0x80..=0xBF);
    text.iter().filter(begins).count() as u64
}

/// The number of line ends in a text: line feeds, carriage returns, or both together.
fn line_ends(text: &[u8]) -> u64 {
    let mut after_return = 0;
    let ends = |block: Block| {
        let (returns, feeds) = (block.equal(b'\r').bits(), block.equal(b'\n').bits());
        if returns | feeds == 0 {
            after_return = 0;
            return 0;
        }
        let second = feeds & (returns << 1 | after_return);
        after_return = returns >> (LEN - 1);
        // Usually there is one, which is told sooner than bits are counted.
        let ends = (returns | feeds) & !second;
        match ends & ends.wrapping_sub(1) {
            0 => u64::from(ends != 0),
            _ => u64::from(ends.count_ones()),
        }
    };
    block::blocks(text).map(ends).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_like_one_byte_at_a_time() {
        let mut seed = 5_u32;
        for round in 0..3000_usize {
            let text: String = (0..round % 50)
                .map(|_| {
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                    ['\r', '\n', 'a', 'é', '🦀', '\r'][(seed >> 16) as usize % 6]
                })
                .collect();
            let mut lines = Lines::START;
            lines.advance(&text);
            let (mut line, mut column, mut after_return) = (1, 1, false);
            for c in text.chars() {
                match c {
                    '\n' if after_return => {}
                    '\n' | '\r' => (line, column) = (line + 1, 1),
                    _ => column += 1,
                }
                after_return = c == '\r';
            }
            assert_eq!((lines.line, lines.column), (line, column), "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_ends_its_line_whatever_comes_blocks_later() {
        let block = "x".repeat(LEN);
        let text = format!("{}\r{block}\n{}\r\n{block}", &block[1..], &block[1..]);
        let mut lines = Lines::START;
        lines.advance(&text);
        assert_eq!((lines.line, lines.column), (4, 1 + LEN as u64));
    }

    #[test]
    fn positions_do_not_depend_on_pieces() {
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

//! Lines and columns, counted only when a position is needed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::block::{self, Block, LEN};
use crate::error::Position;

/// The line and column of one byte, a start for counting later ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    line: u64,
    column: u64,
    /// `true` if the previous character was a carriage return: a line feed then belongs to the same line end.
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

    pub(crate) fn at(self, byte: u64) -> Position {
        Position::new(self.line, self.column, byte)
    }
}

/// A byte of the document, and its line and column.
type Place = (u64, Lines);

/// The counted places of a text. A position is counted from the nearest counted place before it, so counting takes linear time in
/// any order: lenient reading asks for positions in an entry's values after positions in its markup.
#[derive(Debug)]
pub(crate) struct CountedLines {
    /// The beginning of the text.
    start: Place,
    /// The last requested place.
    last: Cell<Place>,
    /// Some of the places, in order.
    known: RefCell<VecDeque<Place>>,
}

impl CountedLines {
    /// About the number of bytes between two known places. A distance below two steps is counted again.
    const STEP: u64 = 1024;

    /// For a text that begins at byte `start` of the document.
    pub(crate) fn new(start: u64) -> Self {
        let start = (start, Lines::START);
        CountedLines {
            start,
            last: Cell::new(start),
            known: RefCell::default(),
        }
    }

    /// The byte offset of the text in the document.
    #[inline]
    pub(crate) fn start(&self) -> u64 {
        self.start.0
    }

    /// The position of offset `at` of the text. `mark` is at most `at`. Later calls rarely ask for positions before it.
    pub(crate) fn position(&self, text: &str, mark: usize, at: usize) -> Position {
        let (mark, at) = (self.byte(mark), self.byte(at));
        let mut place = self.last_up_to(at);
        let known = &mut *self.known.borrow_mut();
        while known.get(1).is_some_and(|(byte, _)| *byte <= mark) {
            known.pop_front();
        }
        let end = known.back().map_or(self.start.0, |(byte, _)| *byte);
        if at >= end + Self::STEP {
            if place.0 < mark {
                place = self.count(text, place, mark);
                known.push_back(place);
            }
            while at - place.0 > Self::STEP {
                place = self.count(text, place, self.boundary(text, place.0 + Self::STEP));
                known.push_back(place);
            }
            if place.0 < at {
                place = self.count(text, place, at);
                known.push_back(place);
            }
        } else {
            place = self.count(text, place, at);
        }
        self.last.set(place);
        place.1.at(at)
    }

    /// The position of the end of the text.
    pub(crate) fn end(&self, text: &str) -> Position {
        let (byte, lines) = self.place(text, text.len());
        lines.at(byte)
    }

    /// Drops the first `len` bytes of the text.
    pub(crate) fn let_go(&mut self, text: &str, len: usize) {
        self.start = self.place(text, len);
        let start = self.start.0;
        if self.last.get().0 < start {
            self.last.set(self.start);
        }
        let known = self.known.get_mut();
        while known.front().is_some_and(|(byte, _)| *byte < start) {
            known.pop_front();
        }
    }

    fn place(&self, text: &str, at: usize) -> Place {
        let at = self.byte(at);
        self.count(text, self.last_up_to(at), at)
    }

    /// Counts from a place up to byte `to`.
    fn count(&self, text: &str, (from, mut lines): Place, to: u64) -> Place {
        let range = self.offset(from)..self.offset(to);
        debug_assert!(text.is_char_boundary(range.end), "a position within a character");
        lines.advance(text.get(range).unwrap_or_default());
        (to, lines)
    }

    /// The last counted place up to byte `at`.
    fn last_up_to(&self, at: u64) -> Place {
        let last = self.last.get();
        let known = self.known.borrow();
        let before = match known.back() {
            Some(place) if place.0 <= at => Some(place),
            _ => known
                .partition_point(|(byte, _)| *byte <= at)
                .checked_sub(1)
                .and_then(|index| known.get(index)),
        };
        let before = *before.unwrap_or(&self.start);
        if before.0 <= last.0 && last.0 <= at {
            last
        } else {
            before
        }
    }

    fn byte(&self, offset: usize) -> u64 {
        self.start.0 + offset as u64
    }

    fn offset(&self, byte: u64) -> usize {
        usize::try_from(byte.saturating_sub(self.start.0)).unwrap_or(usize::MAX)
    }

    /// The first byte of the character that this byte belongs to.
    fn boundary(&self, text: &str, byte: u64) -> u64 {
        let mut at = self.offset(byte);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        self.byte(at)
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
        // There is usually one, and testing this is faster than counting bits.
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

    /// Positions are the same for any marks, for any order of requests, and for any part of the text that is gone.
    #[test]
    fn positions_do_not_depend_on_the_order_they_are_asked_for() {
        let step = usize::try_from(CountedLines::STEP).unwrap();
        let mut seed = 7_u32;
        let mut random = |most: usize| {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (seed >> 8) as usize % (most + 1)
        };
        for round in 0..300 {
            let len = random(6 * step);
            let text: String = (0..len)
                .map(|_| {
                    ['\r', '\n', 'a', 'é', '🦀', 'b', 'c', 'd'][random(if round % 3 == 0 { 7 } else { 5 })]
                })
                .collect();
            let boundary = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let mut gone = 0;
            let mut counted = CountedLines::new(3);
            for _ in 0..20 {
                let mark = boundary(gone + random(text.len() - gone));
                let reach = [8, step, text.len()][random(2)].min(text.len() - mark);
                let at = boundary(mark + random(reach)).max(mark);
                let mut lines = Lines::START;
                lines.advance(&text[..at]);
                let position = counted.position(&text[gone..], mark - gone, at - gone);
                assert_eq!(position, lines.at(3 + at as u64), "{round}: {mark} {at}");
                if random(5) == 0 {
                    counted.let_go(&text[gone..], mark - gone);
                    gone = mark;
                }
            }
        }
    }

    /// Few bytes are counted again, and few places kept.
    #[test]
    fn places_are_near_each_other_and_behind_the_mark() {
        let text = "ab\n".repeat(20_000);
        let counted = CountedLines::new(0);
        let mark = 6_000;
        for at in [mark + 500, 50_000, 7_000, text.len(), 30_000] {
            counted.position(&text, mark, at);
        }
        let known = counted.known.borrow();
        let bytes: Vec<u64> = known.iter().map(|(byte, _)| *byte).collect();
        let gaps = bytes.iter().skip(1).zip(&bytes).map(|(next, byte)| next - byte);
        assert!(gaps.max().unwrap() <= CountedLines::STEP);
        assert_eq!((bytes.first(), bytes.last()), (Some(&6_000), Some(&60_000)));
        assert!(bytes.len() <= 60, "{}", bytes.len());
        // A place that is also the mark is stored once.
        let counted = CountedLines::new(0);
        for at in [9_000, 20_000, text.len()] {
            counted.position(&text, at, at);
            let known = counted.known.borrow();
            let bytes: Vec<u64> = known.iter().map(|(byte, _)| *byte).collect();
            assert!(bytes.is_sorted_by(|a, b| a < b), "{bytes:?}");
        }
    }
}

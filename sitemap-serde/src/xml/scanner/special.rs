//! Where in the text there is something to resolve or to refuse.

use crate::xml::chars::find_special;

use super::Span;

/// How far ahead text is looked through at once.
const AHEAD: usize = 2048;

/// Which bytes of a piece of the window are special (see [`find_special`]): what was looked through is remembered, so that it
/// is one pass, in large steps, and a value that holds nothing special is known to by a few bits.
#[derive(Debug)]
pub(super) struct Specials {
    /// Where the piece starts in the window. It wraps: a window that has moved on may begin after the piece does.
    start: usize,
    len: usize,
    /// Whether any byte is.
    any: bool,
    /// If so, a bit for each byte.
    bits: [u64; AHEAD / 64],
}

impl Default for Specials {
    fn default() -> Self {
        Specials {
            start: 0,
            len: 0,
            any: false,
            bits: [0; AHEAD / 64],
        }
    }
}

impl Specials {
    /// Whether a piece of the window can be taken as it stands.
    #[inline]
    pub(super) fn none_in(&mut self, window: &[u8], span: Span) -> bool {
        (!self.any && self.covers(&span)) || self.none_further(window, span)
    }

    /// The same where that is not known yet, or something is special nearby.
    #[inline(never)]
    fn none_further(&mut self, window: &[u8], span: Span) -> bool {
        if !self.covers(&span) {
            if span.len() > AHEAD {
                return window
                    .get(span)
                    .is_some_and(|text| find_special(text) == text.len());
            }
            self.look_ahead(window, span.start);
        }
        !self.any || self.has_none(&span)
    }

    #[inline]
    fn covers(&self, span: &Span) -> bool {
        let from = span.start.wrapping_sub(self.start);
        let to = span.end.wrapping_sub(self.start);
        from <= to && to <= self.len
    }

    /// Whether a piece has no special byte, which is all within what was looked through.
    #[inline]
    fn has_none(&self, span: &Span) -> bool {
        let from = span.start.wrapping_sub(self.start);
        let to = span.end.wrapping_sub(self.start);
        let words = from / 64..to.div_ceil(64);
        let last = words.end.wrapping_sub(1);
        words.into_iter().all(|i| {
            let mut bits = self.bits.get(i).copied().unwrap_or_default();
            if i == from / 64 {
                bits &= u64::MAX << (from % 64);
            }
            if i == last && !to.is_multiple_of(64) {
                bits &= !(u64::MAX << (to % 64));
            }
            bits == 0
        })
    }

    fn look_ahead(&mut self, window: &[u8], start: usize) {
        let rest = window.get(start..).unwrap_or_default();
        let text = rest.get(..AHEAD).unwrap_or(rest);
        (self.start, self.len) = (start, text.len());
        self.any = find_special(text) < text.len();
        if self.any {
            self.bits = bits(text);
        }
    }

    /// The window begins by so many bytes later, or by a wrapped number earlier.
    #[inline]
    pub(super) fn move_back(&mut self, by: usize) {
        self.start = self.start.wrapping_sub(by);
    }
}

/// A bit for each byte, the first byte's the lowest of the first word's. Each step is one that becomes vector instructions: a
/// byte for each byte of the text, then one for two of them, for four, for eight.
fn bits(text: &[u8]) -> [u64; AHEAD / 64] {
    let mut one = [0_u8; AHEAD];
    for (one, &b) in one.iter_mut().zip(text) {
        *one = crate::xml::chars::special(b);
    }
    let mut two = [0_u8; AHEAD / 2];
    for (two, pair) in two.iter_mut().zip(one.as_chunks().0) {
        *two = narrow(u16::from_le_bytes(*pair), 7);
    }
    let mut four = [0_u8; AHEAD / 4];
    for (four, pair) in four.iter_mut().zip(two.as_chunks().0) {
        *four = narrow(u16::from_le_bytes(*pair), 6);
    }
    let mut eight = [0_u8; AHEAD / 8];
    for (eight, pair) in eight.iter_mut().zip(four.as_chunks().0) {
        *eight = narrow(u16::from_le_bytes(*pair), 4);
    }
    let mut words = [0; AHEAD / 64];
    for (word, bytes) in words.iter_mut().zip(eight.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// The bits of the high byte put next to those of the low one.
#[inline]
fn narrow(pair: u16, by: u32) -> u8 {
    let [low, _] = (pair | (pair >> by)).to_le_bytes();
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_plain_if_no_byte_of_it_is_special() {
        let mut seed = 7_usize;
        let mut random = |bound: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        for round in 0..200 {
            let len = 1 + random(3 * AHEAD);
            let mut text = vec![b'x'; len];
            for _ in 0..round % 40 {
                let at = random(len);
                text[at] = [b'&', b']', b'\r', 0, 0xEF, b'\n', b'<', 0x7F][random(8)];
            }
            let mut specials = Specials::default();
            for step in 0..200 {
                let from = random(len);
                let to = from + random(len - from + 1).min(if step % 9 == 0 { len } else { 90 });
                let expected = find_special(&text[from..to]) == to - from;
                assert_eq!(
                    specials.none_in(&text, from..to),
                    expected,
                    "{from}..{to} of {len}"
                );
                if step % 20 == 19 {
                    // The window moves on, perhaps beyond what was looked through.
                    let by = random(text.len().min(300));
                    text.drain(..by);
                    specials.move_back(by);
                    text.resize(len, b'x');
                    // What was added behind may differ from what was there.
                    specials.len = specials.len.saturating_sub(by);
                }
            }
        }
    }
}

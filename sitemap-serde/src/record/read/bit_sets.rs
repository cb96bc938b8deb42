//! Two bit sets of the window: the positions of `<`, and of characters that may need resolving or rejecting.

use crate::block::{Block, Found, LEN};
use crate::xml::chars;

use crate::xml::scanner::Span;

/// The number of bytes whose bits are computed at once.
const AHEAD: usize = 2048;

/// The number of bytes whose bits are in one word.
const WORD: usize = 64;

/// The end of a CDATA section.
pub(super) const SECTION_END: &[u8] = b"]]>";

/// Two bit sets of a range of the window, with one bit for each byte: whether it is a `<`, and whether it is special, that is
/// a control character (line breaks and tabs included), `&`, `]`, or 0xEF, the first byte of U+FFFE and U+FFFF.
///
/// They answer where the next tag is, and whether the text before it is plain, without another look at the text.
#[derive(Debug)]
pub(super) struct BitSets {
    /// The start of the range, counted from where the kept text begins. It wraps around: that may have moved beyond it.
    start: usize,
    /// The offset of the kept text in the document.
    base: usize,
    len: usize,
    tags: [u64; AHEAD / WORD],
    special: [u64; AHEAD / WORD],
}

impl Default for BitSets {
    fn default() -> Self {
        BitSets {
            start: 0,
            base: 0,
            len: 0,
            tags: [0; AHEAD / WORD],
            special: [0; AHEAD / WORD],
        }
    }
}

impl BitSets {
    /// The offset of the first `<` from `from` on, if no byte before it is special. `None` otherwise, or if that is beyond the
    /// range.
    #[inline(always)]
    pub(super) fn plain_end(&self, from: usize) -> Option<usize> {
        let at = from.wrapping_sub(self.start);
        if at >= self.len {
            return None;
        }
        let (first, shift) = (at / WORD, at % WORD);
        let (tags, special) = (self.tags.get(first)? >> shift, self.special.get(first)? >> shift);
        if tags != 0 {
            // The mask has all bits below the first `<`.
            return ((tags & tags.wrapping_neg()).wrapping_sub(1) & special == 0)
                .then(|| from + tags.trailing_zeros() as usize);
        }
        if special != 0 {
            return None;
        }
        let mut next = first + 1;
        loop {
            let (tags, special) = (*self.tags.get(next)?, *self.special.get(next)?);
            if tags != 0 {
                return ((tags & tags.wrapping_neg()).wrapping_sub(1) & special == 0).then(|| {
                    self.start
                        .wrapping_add(next * WORD + tags.trailing_zeros() as usize)
                });
            }
            if special != 0 {
                return None;
            }
            next += 1;
        }
    }

    /// The offset of the first `<` from `from` on; `None` if there is none in the window.
    #[inline]
    pub(super) fn next_tag(&mut self, window: &[u8], from: usize) -> Option<usize> {
        self.next_known_tag(from)
            .or_else(|| self.next_tag_further(window, from))
    }

    /// Finds the next tag like [`next_tag`](Self::next_tag), but only within the range.
    #[inline]
    pub(super) fn next_known_tag(&self, from: usize) -> Option<usize> {
        let at = from.wrapping_sub(self.start);
        // Bits after the end of the range are zero.
        let first = at / WORD;
        let bits = self.tags.get(first)? >> (at % WORD);
        if bits != 0 {
            return Some(from + bits.trailing_zeros() as usize);
        }
        let rest = self.tags.get(first + 1..)?;
        let i = rest.iter().position(|bits| *bits != 0)?;
        let place = (first + 1 + i) * WORD + rest.get(i)?.trailing_zeros() as usize;
        Some(self.start.wrapping_add(place))
    }

    /// Like [`next_tag`](Self::next_tag), after the end of the range.
    #[inline(never)]
    fn next_tag_further(&mut self, window: &[u8], from: usize) -> Option<usize> {
        /// If at most this many bytes from `from` on are in the range, the next range begins at `from`, so that it contains
        /// the whole value.
        const SHORT: usize = 256;
        let known_end = self.start.wrapping_add(self.len);
        let known = known_end.wrapping_sub(from);
        let mut at = if known > SHORT && known <= self.len {
            known_end
        } else {
            from
        };
        while at < window.len() {
            self.look_ahead(window, at);
            if let Some(i) = self.tags.iter().position(|bits| *bits != 0) {
                return Some(at + i * WORD + self.tags.get(i)?.trailing_zeros() as usize);
            }
            at += self.len;
        }
        None
    }

    /// Returns `true` if a text without `<` needs neither resolving nor refusing.
    #[inline]
    pub(super) fn is_plain(&mut self, window: &[u8], span: &Span) -> bool {
        self.is_bare(span) || self.is_plain_further(window, span)
    }

    /// Returns `true` if a text is known to have no special byte.
    #[inline]
    pub(super) fn is_bare(&self, span: &Span) -> bool {
        self.covers(span) && self.has_no_special(span)
    }

    /// Like [`is_plain`](Self::is_plain), if the range does not cover it, or has special bytes in it.
    #[inline(never)]
    fn is_plain_further(&mut self, window: &[u8], span: &Span) -> bool {
        let Some(text) = window.get(span.clone()) else {
            return false;
        };
        if !self.covers(span) && span.len() <= AHEAD {
            self.look_ahead(window, span.start);
        }
        if !self.covers(span) {
            return chars::is_plain(text);
        }
        self.means_itself(text, span)
    }

    /// Like [`is_plain`](Self::is_plain), within the range; `text` is the text at `span`.
    fn means_itself(&self, text: &[u8], span: &Span) -> bool {
        let mut at = span.start.wrapping_sub(self.start);
        let end = span.end.wrapping_sub(self.start);
        while let Some(next) = self.next_special(at).filter(|next| *next < end) {
            let rest = text.get(next + text.len() - end..).unwrap_or_default();
            let means_itself = match rest {
                [b'\n' | b'\t', ..] => true,
                [b']', ..] => !rest.starts_with(SECTION_END),
                // U+FFFE and U+FFFF.
                [0xEF, ..] => !matches!(rest, [_, 0xBF, 0xBE | 0xBF, ..]),
                _ => false,
            };
            if !means_itself {
                return false;
            }
            at = next + 1;
        }
        true
    }

    /// The place of the `]]>` that ends the CDATA section whose text starts at `from`. `None` if the bit sets end before it, or the text
    /// must be changed or is not XML.
    pub(super) fn section_end(&self, window: &[u8], from: usize) -> Option<usize> {
        let mut at = from.wrapping_sub(self.start);
        if at >= self.len {
            return None;
        }
        loop {
            let next = self.next_special(at)?;
            let place = self.start.wrapping_add(next);
            match window.get(place..)? {
                rest if rest.starts_with(SECTION_END) => return Some(place),
                [b'&' | b']' | b'\n' | b'\t', ..] => {}
                // U+FFFE and U+FFFF.
                [0xEF, rest @ ..] if !matches!(rest, [0xBF, 0xBE | 0xBF, ..]) => {}
                _ => return None,
            }
            at = next + 1;
        }
    }

    #[inline]
    fn covers(&self, span: &Span) -> bool {
        let from = span.start.wrapping_sub(self.start);
        let to = span.end.wrapping_sub(self.start);
        from <= to && to <= self.len
    }

    /// Returns `true` if a part of the range has no special byte.
    #[inline]
    fn has_no_special(&self, span: &Span) -> bool {
        let from = span.start.wrapping_sub(self.start);
        let to = span.end.wrapping_sub(self.start);
        let (first, last) = (from / WORD, to / WORD);
        let word = |i: usize| self.special.get(i).copied().unwrap_or_default();
        let bits = word(first) >> (from % WORD);
        if first == last {
            return bits & !(u64::MAX << (to - from)) == 0;
        }
        let ends = bits | (word(last) & !(u64::MAX << (to % WORD)));
        ends == 0
            && (last == first + 1
                || self
                    .special
                    .get(first + 1..last)
                    .is_some_and(|between| between.iter().all(|bits| *bits == 0)))
    }

    /// The first special byte from `from` on; both are offsets in the range.
    fn next_special(&self, from: usize) -> Option<usize> {
        let first = from / WORD;
        let bits = self.special.get(first)? & (u64::MAX << (from % WORD));
        if bits != 0 {
            return Some(first * WORD + bits.trailing_zeros() as usize);
        }
        let rest = self.special.get(first + 1..)?;
        let i = rest.iter().position(|bits| *bits != 0)?;
        Some((first + 1 + i) * WORD + rest.get(i)?.trailing_zeros() as usize)
    }

    fn look_ahead(&mut self, window: &[u8], start: usize) {
        let rest = window.get(start..).unwrap_or_default();
        let text = rest.get(..AHEAD).unwrap_or(rest);
        (self.start, self.len) = (start, text.len());
        let (chunks, rest) = text.as_chunks::<WORD>();
        let mut words = self.tags.iter_mut().zip(&mut self.special);
        for (chunk, (tags, special)) in chunks.iter().zip(&mut words) {
            (*tags, *special) = bits_of(chunk);
        }
        if !rest.is_empty()
            && let Some((tags, special)) = words.next()
        {
            let mut last = [b' '; WORD];
            for (last, b) in last.iter_mut().zip(rest) {
                *last = *b;
            }
            (*tags, *special) = bits_of(&last);
        }
        for (tags, special) in words {
            (*tags, *special) = (0, 0);
        }
    }

    /// Counts from `base` on, which is an offset from the start of the document.
    #[inline]
    pub(super) fn begin_at(&mut self, base: usize) {
        self.start = self.start.wrapping_sub(base.wrapping_sub(self.base));
        self.base = base;
    }
}

/// The bits of the `<`, and of the special bytes.
#[inline(always)]
fn bits_of(chunk: &[u8; WORD]) -> (u64, u64) {
    let (blocks, _) = chunk.as_chunks::<LEN>();
    let (mut tags, mut special) = (0, 0);
    for block in blocks.iter().rev() {
        let block = Block::new(block);
        tags = tags << LEN | u64::from(block.equal(b'<').bits());
        special = special << LEN | u64::from(is_special(block).bits());
    }
    (tags, special)
}

#[inline(always)]
fn is_special(block: Block) -> Found {
    block.at_most(0x1F) | block.equal(b'&') | block.equal(b']') | block.equal(0xEF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::reference::{self, Mode};

    #[test]
    fn bit_sets_agree_with_resolving() {
        let mut seed = 7_usize;
        let mut random = |bound: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        for round in 0..300 {
            let mut text = String::new();
            let len = 1 + random(3 * AHEAD);
            while text.len() < len {
                text.push('x');
                if random(1 + round) == 0 {
                    let special = [
                        "&amp;", "]", "]]", "]]>", "\r", "\0", "\n", "\t", "<", "\u{7F}", "\u{FF01}",
                        "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "é",
                    ];
                    text.push_str(special[random(special.len())]);
                }
            }
            let mut bits = BitSets::default();
            for step in 0..200 {
                let mut from = random(text.len());
                while !text.is_char_boundary(from) {
                    from -= 1;
                }
                let bytes = text.as_bytes();
                let expected = bytes[from..].iter().position(|b| *b == b'<').map(|at| from + at);
                assert_eq!(bits.next_tag(bytes, from), expected, "{from} of {len}");
                let plain = bits.plain_end(from);
                let is_plain = |end: usize| {
                    !bytes[from..end]
                        .iter()
                        .any(|b| matches!(b, 0..=0x1F | b'&' | b']' | 0xEF))
                };
                if let Some(plain) = plain {
                    assert!(expected == Some(plain) && is_plain(plain), "{from} of {len}");
                } else if let Some(end) = expected {
                    assert!(
                        !is_plain(end) || !bits.covers(&(from..end + 1)),
                        "{from} of {len}"
                    );
                }
                let section_end = text[from..].find("]]>").map(|at| from + at);
                let taken_as_it_stands = section_end.filter(|end| {
                    let text = &text[from..*end];
                    reference::resolve(text, Mode::Verbatim, &mut String::new()) == Ok(false)
                });
                let found = bits.section_end(bytes, from);
                let is_far = section_end.is_none_or(|end| !bits.covers(&(from..end + 1)));
                assert!(
                    found == taken_as_it_stands || (found.is_none() && is_far),
                    "{from} of {len}"
                );
                let most = expected.unwrap_or(text.len());
                let mut to = from + random(most - from + 1).min(if step % 9 == 0 { len } else { 90 });
                while !text.is_char_boundary(to) {
                    to -= 1;
                }
                let piece = &text[from..to];
                let changed = reference::resolve(piece, Mode::Text, &mut String::new());
                let is_known = bits.covers(&(from..to));
                let found = bits.is_plain(bytes, &(from..to));
                // Beyond the range `is_plain` may answer `false` for plain text.
                if is_known || found {
                    assert_eq!(found, changed == Ok(false), "{piece:?}");
                }
                if step % 20 == 19 {
                    // The window moves, perhaps beyond the examined part, and grows.
                    let mut by = random(text.len().min(300));
                    while !text.is_char_boundary(by) {
                        by -= 1;
                    }
                    text.drain(..by);
                    bits.begin_at(bits.base + by);
                    text.push_str(&"y<&".repeat(by / 3 + 1));
                }
            }
        }
    }
}

//! Comparisons in blocks of sixteen bytes: with a text, and up to the quote that ends a value.

use crate::block::{Block, LEN};

/// A text to compare with: its first sixteen bytes, its last sixteen if it is longer, and the bytes between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    first: [u8; LEN],
    /// The bits of the bytes of `first` after the end of a shorter text, which are not compared.
    uncounted: u16,
    len: usize,
    last: [u8; LEN],
    /// The bytes between `first` and `last`.
    middle: Box<[u8]>,
}

impl Pattern {
    pub(crate) fn new(text: &[u8]) -> Self {
        let mut first = [0; LEN];
        for (first, b) in first.iter_mut().zip(text) {
            *first = *b;
        }
        let middle = LEN..text.len().saturating_sub(LEN);
        Pattern {
            first,
            uncounted: u16::MAX
                .checked_shl(u32::try_from(text.len()).unwrap_or(u32::MAX))
                .unwrap_or(0),
            len: text.len(),
            last: text.last_chunk().copied().unwrap_or_default(),
            middle: text.get(middle).unwrap_or_default().into(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the bytes begin with the text. `false` for fewer than sixteen bytes.
    #[inline]
    pub(crate) fn starts(&self, bytes: &[u8]) -> bool {
        bytes
            .first_chunk()
            .is_some_and(|first| is_same(first, &self.first) | self.uncounted == u16::MAX)
            && (self.len <= LEN || self.ends(bytes))
    }

    /// Returns `true` if the bytes have the rest of the text after the first sixteen.
    #[inline]
    fn ends(&self, bytes: &[u8]) -> bool {
        let last = bytes.get(..self.len).and_then(<[u8]>::last_chunk);
        last.is_some_and(|last| is_same(last, &self.last) == u16::MAX)
            && (self.middle.is_empty() || bytes[LEN..].starts_with(&self.middle))
    }
}

/// The bits of the bytes that are equal.
#[inline(always)]
fn is_same(one: &[u8; LEN], other: &[u8; LEN]) -> u16 {
    Block::new(one).same(Block::new(other)).bits()
}

/// The length of the attribute value at the start of `bytes`, which ends with `quote`. Also returns `true` if it may need
/// resolving or rejecting: it has a control character (line breaks and tabs included), `&`, or 0xEF, the first byte of
/// U+FFFE and U+FFFF. `None` if a `<` comes first, or there is no quote.
#[inline(always)]
pub(super) fn find_quote(bytes: &[u8], quote: u8) -> Option<(usize, bool)> {
    let (mut rest, mut len, mut special) = (bytes, 0, 0);
    while let Some((block, next)) = rest.split_first_chunk() {
        let block = Block::new(block);
        let ends = (block.equal(quote) | block.equal(b'<')).bits();
        let specials = (block.at_most(0x1F) | block.equal(b'&') | block.equal(0xEF)).bits();
        if ends != 0 {
            let end = ends.trailing_zeros() as usize;
            // Special bytes before the end of the value.
            special |= specials & !(u16::MAX << end);
            return (rest.get(end) == Some(&quote)).then_some((len + end, special != 0));
        }
        special |= specials;
        len += LEN;
        rest = next;
    }
    find_quote_at_end(rest, quote).map(|(end, is_special)| (len + end, is_special || special != 0))
}

/// Like [`find_quote`], for fewer than sixteen bytes.
#[cold]
fn find_quote_at_end(bytes: &[u8], quote: u8) -> Option<(usize, bool)> {
    let end = bytes.iter().position(|b| *b == quote || *b == b'<')?;
    let is_special = |b: &u8| matches!(b, 0..=0x1F | b'&' | 0xEF);
    (bytes[end] == quote).then(|| (end, bytes[..end].iter().any(is_special)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_only_its_whole_text() {
        let tag = Pattern::new(b"<changefreq>");
        assert!(tag.starts(b"<changefreq>weekly<"));
        assert!(!tag.starts(b"<changefrec>weekly<"));
        assert!(!tag.starts(b"<changefreq weekly<"));
        assert!(!tag.starts(b"<changefreq>wee"), "too short to tell");
        assert!(Pattern::new(b"").starts(b"0123456789abcdef"));
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        for len in 0..text.len() {
            let pattern = Pattern::new(&text.as_bytes()[..len]);
            assert_eq!(pattern.len(), len);
            assert!(pattern.starts(text.as_bytes()), "{len}");
            for at in 0..text.len() {
                let mut other = text.as_bytes().to_vec();
                other[at] ^= 0x40;
                assert_eq!(pattern.starts(&other), at >= len, "{at} of {len}");
                assert_eq!(
                    pattern.starts(&text.as_bytes()[..at]),
                    at >= len.max(16),
                    "{len} of {at}"
                );
            }
        }
    }

    #[test]
    fn values_of_every_length_and_byte_end_at_their_quote() {
        for padding in [0, 3, 16] {
            for len in 0..40 {
                for at in 0..len {
                    for b in 0..=255u8 {
                        let mut text = vec![b'x'; len + 1 + padding];
                        (text[at], text[len]) = (b, b'"');
                        let expected = match b {
                            b'"' => Some((at, false)),
                            b'<' => None,
                            _ => Some((len, matches!(b, 0..=0x1F | b'&' | 0xEF))),
                        };
                        assert_eq!(find_quote(&text, b'"'), expected, "{b} at {at} of {len}");
                    }
                }
            }
        }
        assert_eq!(find_quote(b"1234567890123456789", b'"'), None);
    }
}

//! Text prepared for comparison in blocks of sixteen bytes.

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
}

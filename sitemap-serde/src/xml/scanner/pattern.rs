//! Text that is compared as numbers.

/// A text to be compared: its first sixteen bytes, of which those behind a shorter text do not count, and its last sixteen,
/// if it has more.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    first: u128,
    mask: u128,
    last: u128,
    /// What is between them.
    middle: Box<[u8]>,
    len: usize,
}

impl Pattern {
    const STEP: usize = 16;

    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut first = [0; Self::STEP];
        let mut mask = [0; Self::STEP];
        for (i, &b) in bytes.iter().take(Self::STEP).enumerate() {
            (first[i], mask[i]) = (b, 0xFF);
        }
        let last = bytes.last_chunk().copied().unwrap_or_default();
        let middle = Self::STEP..bytes.len().saturating_sub(Self::STEP);
        Pattern {
            first: u128::from_le_bytes(first),
            mask: u128::from_le_bytes(mask),
            last: u128::from_le_bytes(last),
            middle: bytes.get(middle).unwrap_or_default().into(),
            len: bytes.len(),
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the bytes begin with it; not if there are too few bytes to tell.
    #[inline]
    pub(super) fn starts(&self, bytes: &[u8]) -> bool {
        bytes
            .first_chunk()
            .is_some_and(|first| (u128::from_le_bytes(*first) ^ self.first) & self.mask == 0)
            && (self.len <= Self::STEP || self.ends(bytes))
    }

    /// The same for what is behind the first sixteen bytes.
    #[inline]
    fn ends(&self, bytes: &[u8]) -> bool {
        let last = bytes.get(..self.len).and_then(<[u8]>::last_chunk);
        last.is_some_and(|last| u128::from_le_bytes(*last) == self.last)
            && (self.middle.is_empty() || bytes[Self::STEP..].starts_with(&self.middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_compared_whole() {
        let tag = Pattern::new("<changefreq>");
        assert!(tag.starts(b"<changefreq>weekly<"));
        assert!(!tag.starts(b"<changefrec>weekly<"));
        assert!(!tag.starts(b"<changefreq weekly<"));
        assert!(!tag.starts(b"<changefreq>wee"), "too short to tell");
        assert!(Pattern::new("").starts(b"0123456789abcdef"));
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        for len in 0..text.len() {
            let pattern = Pattern::new(&text[..len]);
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

//! Searches that are made for what is near: the next tag, the end of a value, the end of white space.

/// How many bytes are looked at together.
const BLOCK: usize = 16;

/// Each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The high bit of each byte of a word.
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Marks the bytes of a word that are `b` with their high bit; right up to the first.
#[inline]
pub(super) fn equal(word: u64, b: u8) -> u64 {
    let differs = word ^ (ONES * u64::from(b));
    differs.wrapping_sub(ONES) & !differs & HIGH
}

/// Marks the bytes of a word that are below `b`, which is in ASCII, in the same way.
#[inline]
fn below(word: u64, b: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(b)) & !word & HIGH
}

/// The place of the first byte of a block that is marked.
#[inline]
fn first_of(block: &[u8; BLOCK], marks: impl Fn(u64) -> u64) -> usize {
    let (words, _) = block.as_chunks::<8>();
    let marks = words.iter().rev().fold(0, |all, word| {
        (all << 64) | u128::from(marks(u64::from_le_bytes(*word)))
    });
    marks.trailing_zeros() as usize / 8
}

/// The place of the first `<`. In a sitemap it is near, which a general search is not made for.
// A call costs a fifth of what it does.
#[inline(always)]
pub(super) fn find_tag(bytes: &[u8]) -> Option<usize> {
    /// How many blocks are near.
    const NEAR: usize = 8;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().take(NEAR).enumerate() {
        // Written so that it becomes vector instructions.
        if block.iter().fold(0, |found, &b| found | u8::from(b == b'<')) != 0 {
            return Some(i * BLOCK + first_of(block, |word| equal(word, b'<')));
        }
    }
    let near = blocks.len().min(NEAR) * BLOCK;
    memchr::memchr(b'<', &bytes[near..]).map(|far| near + far)
}

/// How long an attribute's value is that ends with the quote, and whether a control character is in it. `None` if a `<` comes
/// first, or no quote.
#[inline]
pub(super) fn find_quote(bytes: &[u8], quote: u8) -> Option<(usize, bool)> {
    let ends = |b| u8::from(b == quote) | u8::from(b == b'<') | u8::from(b < b' ');
    let marks = |word| equal(word, quote) | equal(word, b'<') | below(word, b' ');
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().enumerate() {
        if block.iter().fold(0, |found, &b| found | ends(b)) != 0 {
            let len = i * BLOCK + first_of(block, marks);
            if bytes.get(len) == Some(&quote) {
                return Some((len, false));
            }
            return find_quote_further(bytes, quote, len);
        }
    }
    find_quote_further(bytes, quote, blocks.len() * BLOCK)
}

/// The same from a byte on at which the value may end, or hold a control character.
#[cold]
fn find_quote_further(bytes: &[u8], quote: u8, from: usize) -> Option<(usize, bool)> {
    let rest = bytes.get(from..)?;
    let len = memchr::memchr2(quote, b'<', rest)?;
    let has_control = rest[..len].iter().any(|&b| b < b' ');
    (rest[len] == quote).then_some((from + len, has_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tag_is_found() {
        for len in 0..130 {
            assert_eq!(find_tag(&vec![b'x'; len]), None);
            for at in 0..len {
                let mut text: Vec<u8> = (0..len).map(|i| if i % 2 == 0 { b'=' } else { 0xBC }).collect();
                text[at] = b'<';
                assert_eq!(find_tag(&text), Some(at), "{at} of {len}");
                text[len - 1] = b'<';
                assert_eq!(find_tag(&text), Some(at), "{at} of {len}");
            }
        }
    }

    #[test]
    fn a_value_ends_where_it_ends() {
        for padding in [0, 3, BLOCK] {
            for len in 0..40 {
                for at in 0..len {
                    for b in 0..=255u8 {
                        let mut text = vec![b'x'; len + 1 + padding];
                        (text[at], text[len]) = (b, b'"');
                        let expected = match b {
                            b'"' => Some((at, false)),
                            b'<' => None,
                            _ => Some((len, b < b' ')),
                        };
                        assert_eq!(find_quote(&text, b'"'), expected, "{b} at {at} of {len}");
                    }
                }
            }
        }
        assert_eq!(find_quote(b"1234567890123456789", b'"'), None);
    }
}

//! The search for the end of an attribute value.

use crate::block::{Block, LEN};

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

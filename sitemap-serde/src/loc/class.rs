//! Classes of the bytes in a URL.

use crate::block::{self, Block, Found};

/// `&` and `'`: legal in a URL, escaped in XML.
pub(super) const ESCAPE: u8 = 1;
/// Bytes that are not legal in a URL, and `%`, which is legal only in a triplet.
pub(super) const ENCODE: u8 = 2;
/// ASCII control characters, which no URL may hold.
pub(super) const CONTROL: u8 = 4;
/// A byte of a character outside ASCII.
pub(super) const WIDE: u8 = 8;
/// Unreserved characters (RFC 3986 section 2.3): letters, digits and `-._~`.
pub(super) const UNRESERVED: u8 = 16;

/// `#`, which is legal once in a URL.
pub(super) const HASH: u8 = 32;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "b is below 256")]
        let byte = b as u8;
        table[b] = match byte {
            b'&' | b'\'' => ESCAPE,
            b'#' => HASH,
            0..b' ' | 0x7F => CONTROL | ENCODE,
            b' ' | b'"' | b'<' | b'>' | b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}' | b'%' => {
                ENCODE
            }
            0x80.. => WIDE | ENCODE,
            b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => UNRESERVED,
            _ => 0,
        };
        b += 1;
    }
    table
};

/// The classes of a byte.
#[inline]
pub(super) fn of(b: u8) -> u8 {
    CLASS[usize::from(b)]
}

/// The classes of all bytes of a text, combined.
pub(super) fn all(text: &str) -> u8 {
    text.bytes().fold(0, |all, b| all | of(b))
}

/// Whether a text needs neither percent-encoding nor XML escaping. `false` for every text with a `#`, though its
/// fragment may be legal.
#[inline]
pub(super) fn is_plain(text: &str) -> bool {
    !any(text.as_bytes(), |block| {
        // One comparison covers several bytes: `[\]` and `{|}` differ by one bit, as do `<` and `>`; `"#` and `%&'` are
        // consecutive.
        block.at_most(b' ')
            | block.less(0x7F).at_most(0x80)
            | block.less(b'"').at_most(1)
            | block.less(b'%').at_most(2)
            | block.with(2).equal(b'>')
            | block.with(0x20).less(b'{').at_most(2)
            | block.equal(b'^')
            | block.equal(b'`')
    })
}

/// Whether all bytes of a text are unreserved.
#[inline]
pub(super) fn is_unreserved(text: &[u8]) -> bool {
    block::all(text, |block| {
        is_alphanumeric(block) | block.less(b'-').at_most(1) | block.equal(b'_') | block.equal(b'~')
    })
}

/// The letters and digits of ASCII.
#[inline]
pub(super) fn is_alphanumeric(block: Block) -> Found {
    block.with(0x20).less(b'a').at_most(25) | block.less(b'0').at_most(9)
}

/// Whether a text may hold a control character. Also `true` for any character that begins with the byte 0xC2, as the
/// control characters outside ASCII do.
#[inline]
pub(super) fn may_have_control(text: &[u8]) -> bool {
    any(text, |block| {
        block.at_most(0x1F) | block.equal(0x7F) | block.equal(0xC2)
    })
}

/// Whether a text has a dot.
#[inline]
pub(super) fn has_dot(text: &[u8]) -> bool {
    any(text, |block| block.equal(b'.'))
}

#[inline]
fn any(text: &[u8], find: impl Fn(Block) -> Found) -> bool {
    block::position(text, find).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comparisons_agree_with_the_table() {
        for len in (1..40).chain(60..70) {
            for at in 0..len {
                for b in 0..0x80u8 {
                    let mut bytes = vec![b'x'; len];
                    bytes[at] = b;
                    let text = std::str::from_utf8(&bytes).unwrap();
                    let class = of(b);
                    assert_eq!(
                        is_plain(text),
                        class & (ENCODE | ESCAPE | HASH) == 0,
                        "{b} at {at} of {len}"
                    );
                    assert_eq!(
                        is_unreserved(&bytes),
                        class & UNRESERVED != 0,
                        "{b} at {at} of {len}"
                    );
                    assert_eq!(
                        may_have_control(&bytes),
                        class & CONTROL != 0,
                        "{b} at {at} of {len}"
                    );
                }
            }
        }
        for c in ['\u{80}', 'é', 'サ', '🦀'] {
            for len in 0..40 {
                let text = format!("{}{c}", "x".repeat(len));
                assert!(!is_plain(&text) && !is_unreserved(text.as_bytes()));
                assert_eq!(may_have_control(text.as_bytes()), c == '\u{80}');
            }
        }
        for b in 0x80..=0xFF {
            assert_eq!(of(b), WIDE | ENCODE);
        }
        assert!(is_plain("") && is_unreserved(b""));
    }
}

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

/// Returns `true` if a text needs neither percent-encoding nor XML escaping. `false` for every text with a `#`, `!` or `$` too,
/// though these may be legal.
#[inline]
pub(super) fn is_plain(text: &str) -> bool {
    first_special(text).is_none()
}

/// The first byte that makes the text not [plain](is_plain).
#[inline]
fn first_special(text: &str) -> Option<u8> {
    // One comparison covers several bytes: up to `'`, only `!` and `$` are plain, and are rare.
    let at = block::position(text.as_bytes(), |block| {
        block.at_most(b'\'') | is_illegal_beyond_quotes(block)
    })?;
    text.as_bytes().get(at).copied()
}

/// The bytes that are legal nowhere in a URL after its host.
#[inline]
pub(super) fn is_illegal(block: Block) -> Found {
    block.at_most(b' ') | block.equal(b'"') | is_illegal_beyond_quotes(block)
}

/// Those of them beyond `'`.
#[inline]
fn is_illegal_beyond_quotes(block: Block) -> Found {
    // `[\]` and `{|}` differ by one bit, as do `<` and `>`.
    block.less(0x7F).at_most(0x80)
        | block.with(2).equal(b'>')
        | block.with(0x20).less(b'{').at_most(2)
        | block.equal(b'^')
        | block.equal(b'`')
}

/// `&` and `'`.
#[inline]
pub(super) fn is_escaped(block: Block) -> Found {
    block.less(b'&').at_most(1)
}

/// The properties of a text as path, query and fragment of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Legality {
    /// It needs no encoding: every byte is legal, every `%` begins a triplet, and there is at most one `#`.
    pub(super) legal: bool,
    /// The text is legal, and no byte needs escaping in XML.
    pub(super) plain: bool,
}

impl Legality {
    #[inline]
    pub(super) fn of(text: &str) -> Self {
        match first_special(text) {
            None => Legality {
                legal: true,
                plain: true,
            },
            // Most texts that need encoding show it at once.
            Some(b) if of(b) & ENCODE != 0 && b != b'%' => Legality {
                legal: false,
                plain: false,
            },
            Some(_) => Legality::of_all(text),
        }
    }

    fn of_all(text: &str) -> Self {
        let (mut illegal, mut escaped, mut hashes) = (0, 0, 0_usize);
        // The bytes that must be hex digits, since a `%` precedes them by one or two bytes: bytes of this block, and of the next.
        let mut digits = 0_u32;
        let mut rest = text.len();
        for block in block::blocks(text.as_bytes()) {
            // The last block is padded with zeros, which no URL contains.
            let own = if rest < block::LEN {
                !(u16::MAX << rest)
            } else {
                u16::MAX
            };
            rest = rest.saturating_sub(block::LEN);
            illegal |= is_illegal(block).bits() & own;
            escaped |= is_escaped(block).bits();
            let hash = block.equal(b'#').bits();
            if hash != 0 {
                hashes += hash.count_ones() as usize;
            }
            let percent = u32::from(block.equal(b'%').bits());
            digits |= percent << 1 | percent << 2;
            if digits != 0 {
                let hex = block.less(b'0').at_most(9) | block.with(0x20).less(b'a').at_most(5);
                #[expect(clippy::cast_possible_truncation, reason = "the block's own")]
                let own_digits = digits as u16;
                illegal |= own_digits & !hex.bits();
                digits >>= block::LEN;
            }
        }
        let legal = illegal == 0 && digits == 0 && hashes <= 1;
        Legality {
            legal,
            plain: legal && escaped == 0,
        }
    }
}

/// Returns `true` if a text has a `&` or a `'`.
#[inline]
pub(super) fn has_escaped(text: &[u8]) -> bool {
    any(text, is_escaped)
}

/// Returns `true` if all bytes of a text are unreserved.
#[inline]
pub(super) fn is_unreserved(text: &[u8]) -> bool {
    block::all(text, is_unreserved_byte)
}

#[inline]
pub(super) fn is_unreserved_byte(block: Block) -> Found {
    is_alphanumeric(block) | block.less(b'-').at_most(1) | block.equal(b'_') | block.equal(b'~')
}

/// The letters and digits of ASCII.
#[inline]
pub(super) fn is_alphanumeric(block: Block) -> Found {
    block.with(0x20).less(b'a').at_most(25) | block.less(b'0').at_most(9)
}

/// Returns `true` if a text may hold a control character, or a character that XML cannot hold. Also `true` for any character that
/// begins with the byte 0xC2, as the control characters outside ASCII do, or 0xEF, as U+FFFE and U+FFFF do.
#[inline]
pub(super) fn may_be_unencodable(text: &[u8]) -> bool {
    any(text, |block| {
        block.at_most(0x1F) | block.equal(0x7F) | block.equal(0xC2) | block.equal(0xEF)
    })
}

/// Returns `true` if a text has a dot.
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
                        class & (ENCODE | ESCAPE | HASH) == 0 && !matches!(b, b'!' | b'$'),
                        "{b} at {at} of {len}"
                    );
                    assert_eq!(
                        is_unreserved(&bytes),
                        class & UNRESERVED != 0,
                        "{b} at {at} of {len}"
                    );
                    assert_eq!(
                        may_be_unencodable(&bytes),
                        class & CONTROL != 0,
                        "{b} at {at} of {len}"
                    );
                    assert_eq!(has_escaped(&bytes), class & ESCAPE != 0, "{b} at {at} of {len}");
                }
            }
        }
        for c in ['\u{80}', 'é', 'サ', '🦀'] {
            for len in 0..40 {
                let text = format!("{}{c}", "x".repeat(len));
                assert!(!is_plain(&text) && !is_unreserved(text.as_bytes()));
                assert_eq!(may_be_unencodable(text.as_bytes()), c == '\u{80}');
            }
        }
        for b in 0x80..=0xFF {
            assert_eq!(of(b), WIDE | ENCODE);
        }
        assert!(is_plain("") && is_unreserved(b""));
        for c in ['\u{FFFE}', '\u{FFFF}', '！'] {
            assert!(may_be_unencodable(c.to_string().as_bytes()));
        }
    }

    /// Byte by byte.
    fn slow_legality(text: &str) -> Legality {
        let bytes = text.as_bytes();
        let is_triplet = |at: usize| {
            let digits = bytes.get(at + 1..at + 3);
            bytes[at] == b'%' && digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        let is_legal = |at: usize| of(bytes[at]) & ENCODE == 0 || is_triplet(at);
        let legal = (0..bytes.len()).all(is_legal) && text.matches('#').count() <= 1;
        Legality {
            legal,
            plain: legal && bytes.iter().all(|b| of(*b) & ESCAPE == 0),
        }
    }

    #[test]
    fn legality_is_that_of_each_byte() {
        let mut seed = 1_u64;
        let mut random = |bound: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 40).unwrap_or_default() % bound
        };
        let common = [
            "x", "%", "%4", "%C3", "%a9", "%zz", "#", "&", "é", " ", "0", "F", "g",
        ];
        let (mut legal, mut plain) = (0, 0);
        for round in 0..60_000 {
            let mut text = "x".repeat(random(40));
            for _ in 0..random(4) {
                text += common[random(common.len())];
                text += &"a".repeat(random(18));
            }
            if round % 4 == 0 {
                text.insert(0, char::from(u8::try_from(random(128)).unwrap_or_default()));
            }
            let found = Legality::of(&text);
            assert_eq!(found, slow_legality(&text), "{text}");
            legal += usize::from(found.legal);
            plain += usize::from(found.plain);
        }
        assert!(
            (10_000..50_000).contains(&legal) && plain > 10_000,
            "{legal} {plain}"
        );
    }
}

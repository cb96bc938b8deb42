//! Character classes of XML 1.0 (fifth edition).

use crate::block::{self, Block, Found};

/// White space (section 2.3).
pub(crate) const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// `NameStartChar` (section 2.3).
pub(crate) fn is_name_start(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '_' | ':' => true,
        c if c.is_ascii() => false,
        '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}' => true,
        _ => false,
    }
}

/// `NameChar` (section 2.3).
pub(crate) fn is_name_char(c: char) -> bool {
    match c {
        '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}' => true,
        c => is_name_start(c),
    }
}

/// Returns `true` if there is only XML white space.
#[inline]
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|b| is_space(*b))
}

/// The length in bytes of the `Name` at the start of `text`.
pub(crate) fn name_len(text: &str) -> usize {
    let ascii = text
        .bytes()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b':')))
        .unwrap_or(text.len());
    let starts = text
        .as_bytes()
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b':'));
    if text.as_bytes().get(ascii).is_none_or(u8::is_ascii) && (starts || ascii == 0) {
        return ascii;
    }
    let mut chars = text.char_indices();
    match chars.next() {
        Some((_, c)) if is_name_start(c) => {}
        _ => return 0,
    }
    chars
        .find(|&(_, c)| !is_name_char(c))
        .map_or(text.len(), |(i, _)| i)
}

/// Returns `true` if text without a `<` can be used unchanged: it has no reference, no `]` that may be part of `]]>`, no
/// line end to normalise, and no byte of a character that XML may not be able to hold.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    block::position(text, special).is_none()
}

/// The bytes that are special: controls but line feed and tab, `&`, `]`, which might be of `]]>`, and the first byte of a
/// character that XML may not be able to hold.
#[inline(always)]
pub(crate) fn special(block: Block) -> Found {
    // 0 to 8, and 11 to 31.
    let controls = block.at_most(8) | block.less(11).at_most(20);
    controls | block.equal(b'&') | block.equal(b']') | block.equal(0xEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_name() {
        for (text, len) in [
            ("loc>", 3),
            ("image:loc ", 9),
            ("-a", 0),
            ("1", 0),
            (".x", 0),
            ("é\u{B7}-1=", 6),
            ("aé/", 3),
            ("", 0),
            ("·", 0),
            ("a", 1),
            ("×", 0),
        ] {
            assert_eq!(name_len(text), len, "{text}");
        }
    }

    #[test]
    fn every_special_is_found_everywhere() {
        for len in (1..40).chain(60..70) {
            for at in 0..len {
                for b in 0..=255u8 {
                    let mut text = vec![b'x'; len];
                    text[at] = b;
                    let special = matches!(b, 0..=8 | 11..=31 | b'&' | b']' | 0xEF);
                    assert_eq!(is_plain(&text), !special, "{b} at {at} of {len}");
                }
            }
        }
        assert!(is_plain(b""));
    }
}

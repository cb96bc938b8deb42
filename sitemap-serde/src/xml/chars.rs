//! Character classes of XML 1.0 (fifth edition).

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

/// Whether text without a `<` can be used unchanged: it has no reference, no `]` that may be part of `]]>`, no line end to
/// normalise, and no byte of a character that XML may not be able to hold.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let (chunks, rest) = text.as_chunks::<16>();
    let mut special = 0;
    for chunk in chunks {
        special |= specials(chunk);
    }
    if let Some(last) = text.last_chunk::<16>() {
        special |= specials(last);
    } else {
        special |= specials(rest);
    }
    special == 0
}

/// The number of bytes before the first special one: a control character other than line feed and tab, `&`, a `]` that may
/// be part of `]]>`, or a byte of a character that XML may not be able to hold.
pub(crate) fn find_special(text: &[u8]) -> usize {
    let (chunks, _) = text.as_chunks::<64>();
    let is_plain = |chunk: &&[u8; 64]| specials(&chunk[..]) == 0;
    let mut plain = chunks.iter().take_while(is_plain).count() * 64;
    let (blocks, _) = text[plain..].as_chunks::<16>();
    let is_plain = |block: &&[u8; 16]| specials(&block[..]) == 0;
    plain += blocks.iter().take_while(is_plain).count() * 16;
    let rest = &text[plain..];
    plain + rest.iter().position(|b| special(*b) != 0).unwrap_or(rest.len())
}

/// Not zero if any of the bytes is special. The loop compiles to vector instructions.
fn specials(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |found, &b| found | special(b))
}

/// One if a byte is special, else zero.
#[inline]
pub(crate) fn special(b: u8) -> u8 {
    let control = u8::from(b < 0x20) & u8::from(b != b'\n') & u8::from(b != b'\t');
    control | u8::from(b == b'&') | u8::from(b == b']') | u8::from(b == 0xEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_they_end() {
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
                    assert_eq!(
                        find_special(&text),
                        if special { at } else { len },
                        "{b} at {at} of {len}"
                    );
                }
            }
        }
        assert!(is_plain(b""));
    }
}

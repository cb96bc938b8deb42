//! Escaping of text to be written: escapes the five characters of P-ESC, refuses characters that XML cannot hold.

use std::borrow::Cow;

pub(crate) use crate::character::is_xml_char;
use crate::error::Error;

/// Whether a byte may need escaping or refusing: the five characters of P-ESC, control characters, and the first byte of
/// U+FFFE and U+FFFF.
const fn needs_care(b: u8) -> bool {
    matches!(b, b'&' | b'<' | b'>' | b'"' | b'\'' | 0..0x20 | 0xEF)
}

static CARE: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "b is below 256")]
        {
            table[b] = needs_care(b as u8);
        }
        b += 1;
    }
    table
};

/// A buffer that text can be appended to.
pub(crate) trait Append {
    fn append(&mut self, text: &str);
}

impl Append for String {
    fn append(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl Append for Vec<u8> {
    fn append(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}

/// Appends `text`, escaped so that it reads back the same from an element, or from an attribute in double quotes.
///
/// # Errors
/// The first character that XML cannot hold; `out` may then hold a part of `text`.
pub(crate) fn push_escaped(out: &mut impl Append, text: &str) -> Result<(), char> {
    if !text.bytes().fold(false, |care, b| care | CARE[usize::from(b)]) {
        out.append(text);
        return Ok(());
    }
    let mut copied = 0;
    for (i, c) in text.char_indices() {
        let replacement = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&apos;",
            // Every reader normalises a carriage return in text, and line ends and tabs in an attribute too.
            '\r' => "&#13;",
            c if is_xml_char(c) => continue,
            c => return Err(c),
        };
        out.append(&text[copied..i]);
        out.append(replacement);
        copied = i + c.len_utf8();
    }
    out.append(&text[copied..]);
    Ok(())
}

/// Appends an escaped URL. The only characters to escape that it can hold are `&` and `'`.
pub(crate) fn push_escaped_url(out: &mut Vec<u8>, url: &[u8]) {
    let mut copied = 0;
    for at in memchr::memchr2_iter(b'&', b'\'', url) {
        out.extend_from_slice(&url[copied..at]);
        out.extend_from_slice(if url[at] == b'&' { b"&amp;" } else { b"&apos;" });
        copied = at + 1;
    }
    out.extend_from_slice(&url[copied..]);
}

/// Undoes [`push_escaped_url`].
pub(crate) fn unescaped_url(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'&', text.as_bytes()).is_none() {
        return text.into();
    }
    text.replace("&apos;", "'").replace("&amp;", "&").into()
}

/// As [`push_escaped`], for an attribute: tabs and line ends are escaped too, since they would be read as spaces.
///
/// # Errors
/// As [`push_escaped`].
pub(crate) fn push_escaped_attribute(out: &mut impl Append, text: &str) -> Result<(), char> {
    for part in text.split_inclusive(['\t', '\n']) {
        match part.strip_suffix(['\t', '\n']) {
            None => push_escaped(out, part)?,
            Some(line) => {
                push_escaped(out, line)?;
                out.append(if part.ends_with('\t') { "&#9;" } else { "&#10;" });
            }
        }
    }
    Ok(())
}

/// The error for a character that XML cannot hold.
#[cold]
pub(crate) fn unwritable(c: char) -> Error {
    Error::data(format!(
        "the character U+{:04X} cannot be in an XML document, not even escaped (XML 1.0 section 2.2); remove it",
        u32::from(c)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> Result<String, char> {
        let mut out = String::new();
        push_escaped(&mut out, text).map(|()| out)
    }

    #[test]
    fn escapes_the_five_and_carriage_return() {
        assert_eq!(
            escaped("a&b<c>d\"e'f\r\ng"),
            Ok("a&amp;b&lt;c&gt;d&quot;e&apos;f&#13;\ng".into())
        );
        assert_eq!(escaped("&amp;"), Ok("&amp;amp;".into()));
        assert_eq!(escaped("ﬀ plain ünïcödé 🦀"), Ok("ﬀ plain ünïcödé 🦀".into()));
        assert_eq!(escaped(""), Ok(String::new()));
    }

    #[test]
    fn urls_come_back() {
        for url in ["https://e.com/?a=1&b=2", "/it's", "/&apos;&amp;'&", "/", ""] {
            let mut escaped = Vec::new();
            push_escaped_url(&mut escaped, url.as_bytes());
            assert_eq!(unescaped_url(&String::from_utf8(escaped).unwrap()), url);
        }
    }

    #[test]
    fn refuses_what_xml_cannot_hold() {
        for c in ('\0'..=char::MAX).filter(|&c| !is_xml_char(c)) {
            assert_eq!(escaped(&format!("a{c}b")), Err(c));
        }
        assert_eq!(escaped("\u{1}"), Err('\u{1}'));
        assert_eq!(escaped("\u{FFFF}"), Err('\u{FFFF}'));
    }
}

//! Escaping of text: escapes the five characters of P-ESC, and refuses characters that are not allowed in XML.

use sitemap_values::number::grouped;

use crate::block;
pub(crate) use crate::character::is_xml_char;
use crate::error::{Error, Message};

/// The offset of the first byte that may need escaping or refusing: the five characters of P-ESC, control characters, and
/// the first byte of U+FFFE and U+FFFF.
#[inline]
fn first_special(text: &str) -> Option<usize> {
    block::position(text.as_bytes(), |block| {
        // `&` and `'` are consecutive, and `<` and `>` differ by one bit.
        block.at_most(0x1F)
            | block.equal(b'"')
            | block.less(b'&').at_most(1)
            | block.with(2).equal(b'>')
            | block.equal(0xEF)
    })
}

/// Returns `true` if a text is known to need no escaping.
#[inline]
pub(crate) fn is_plain(text: &str) -> bool {
    first_special(text).is_none()
}

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

/// The text, escaped so that it reads back the same from an element and from an attribute in either quotes.
pub(crate) fn escaped_everywhere(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

/// Appends `text`, escaped so that it reads back the same from an element, or from an attribute in double quotes.
///
/// # Errors
/// The first character that XML cannot hold; `out` may then hold a part of `text`.
#[inline]
pub(crate) fn push_escaped(out: &mut impl Append, text: &str) -> Result<(), char> {
    match first_special(text) {
        None => {
            out.append(text);
            Ok(())
        }
        Some(at) => push_special(out, text, at, false),
    }
}

/// Like [`push_escaped`], for an attribute: tabs and line ends are escaped too, since they would be read as spaces.
///
/// # Errors
/// See [`push_escaped`].
#[inline]
pub(crate) fn push_escaped_attribute(out: &mut impl Append, text: &str) -> Result<(), char> {
    match first_special(text) {
        None => {
            out.append(text);
            Ok(())
        }
        Some(at) => push_special(out, text, at, true),
    }
}

/// Appends a text with a special character at `at`.
fn push_special(out: &mut impl Append, text: &str, at: usize, is_attribute: bool) -> Result<(), char> {
    let (mut copied, mut at) = (0, at);
    loop {
        // Special bytes begin characters.
        let rest = text.get(at..).unwrap_or_default();
        let Some(c) = rest.chars().next() else { break };
        let replacement = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&apos;",
            // Every reader normalises a carriage return in text, and line ends and tabs in an attribute too.
            '\r' => "&#13;",
            '\t' if is_attribute => "&#9;",
            '\n' if is_attribute => "&#10;",
            c if is_xml_char(c) => "",
            c => return Err(c),
        };
        let next = at + c.len_utf8();
        if !replacement.is_empty() {
            out.append(&text[copied..at]);
            out.append(replacement);
            copied = next;
        }
        match first_special(&text[next..]) {
            Some(more) => at = next + more,
            None => break,
        }
    }
    out.append(&text[copied..]);
    Ok(())
}

/// Appends a URL. The only characters in it that need escaping are `&` and `'`.
pub(crate) fn push_escaped_url(out: &mut Vec<u8>, url: &[u8]) {
    let mut rest = url;
    while let Some(at) = block::position(rest, |block| block.less(b'&').at_most(1)) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain);
        out.extend_from_slice(if special.starts_with(b"&") {
            b"&amp;"
        } else {
            b"&apos;"
        });
        rest = &special[1..];
    }
    out.extend_from_slice(rest);
}

/// Why a text cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwritable {
    /// XML cannot hold this character.
    Character(char),
    /// No reader with the writer's limits accepts a text of more bytes than this.
    Longer(usize),
}

impl From<char> for Unwritable {
    fn from(c: char) -> Self {
        Unwritable::Character(c)
    }
}

/// The error for a text that cannot be written.
#[cold]
pub(crate) fn unwritable(why: Unwritable) -> Error {
    Error::data(match why {
        Unwritable::Character(c) => Message::new(format!(
            "the character U+{:04X} cannot be in an XML document, not even escaped (XML 1.0 section 2.2)",
            u32::from(c)
        ))
        .advice("remove it"),
        Unwritable::Longer(most) => Message::new(format!(
            "a text of more than {} bytes, which is the limit of readers and writers",
            grouped(most as u64)
        ))
        .advice("shorten it"),
    })
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
    fn escapes_the_two_in_urls() {
        for (url, expected) in [
            ("https://e.com/?a=1&b=2", "https://e.com/?a=1&amp;b=2"),
            ("/it's", "/it&apos;s"),
            ("/&apos;&amp;'&", "/&amp;apos;&amp;amp;&apos;&amp;"),
            ("/", "/"),
            ("", ""),
        ] {
            let mut escaped = Vec::new();
            push_escaped_url(&mut escaped, url.as_bytes());
            assert_eq!(escaped, expected.as_bytes());
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

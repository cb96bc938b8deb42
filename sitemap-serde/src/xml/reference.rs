//! Unescaping of text: resolves references, normalises line ends and attribute values, checks characters.

use std::ops::Range;

use crate::block::{self, Block, Found};

use super::chars::{self, name_len};
use super::escape::is_xml_char;

/// The context of a text, which decides what it may contain and how its white space is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Between tags: references are resolved, and `]]>` is an error.
    Text,
    /// In a CDATA section, comment or processing instruction: no references.
    Verbatim,
    /// In an attribute: references, and white space becomes spaces (section 3.3.3).
    Attribute,
}

/// An error in a text, and its byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) at: usize,
    pub(crate) kind: FlawKind,
}

impl Flaw {
    /// Returns `true` if another flaw is of the same kind.
    pub(crate) fn is_like(&self, other: &Flaw) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }

    /// Returns `true` if lenient reading drops the text because it has no meaning.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.kind, FlawKind::Character(_) | FlawKind::Reference)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlawKind {
    /// A character that XML cannot hold.
    Character(char),
    /// A reference to such a character.
    Reference,
    /// Two references to the halves of one character in UTF-16.
    Pair,
    /// A `&` that does not begin a reference.
    Ampersand,
    /// An entity that XML does not predefine.
    Entity { len: usize },
    /// `]]>` in text.
    SectionEnd,
}

/// Resolves `text` and appends the result to `out`. If there is nothing to resolve, appends nothing and returns `false`.
pub(crate) fn resolve(text: &str, mode: Mode, out: &mut String) -> Result<bool, Flaw> {
    resolve_and_look(text, mode, out, &mut false)
}

/// Resolves like [`resolve`]; sets `is_escaped` if the resolved text may contain a reference, which means that `text` was
/// escaped twice.
pub(crate) fn resolve_and_look(
    text: &str,
    mode: Mode,
    out: &mut String,
    is_escaped: &mut bool,
) -> Result<bool, Flaw> {
    match mode {
        // Line breaks and tabs are special in attributes only.
        Mode::Attribute => resolve_by(text, mode, out, is_escaped, |block| {
            block.at_most(0x1F) | block.equal(b'&') | block.equal(0xEF)
        }),
        Mode::Text | Mode::Verbatim => resolve_by(text, mode, out, is_escaped, chars::special),
    }
}

/// Returns `true` if text after a resolved `&` may complete a reference. Its letters may be references themselves.
#[inline(always)]
fn may_complete(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b'a' | b'l' | b'g' | b'q' | b'#' | b'&')) && is_name_before_semicolon(rest)
}

/// Returns `true` if letters, digits and `#` come first, and then `;` or another reference.
#[inline(never)]
fn is_name_before_semicolon(text: &[u8]) -> bool {
    let end = text.iter().find(|b| !b.is_ascii_alphanumeric() && **b != b'#');
    matches!(end, Some(b';' | b'&'))
}

/// Like [`resolve`], with a function that finds the special bytes of a block.
#[inline(always)]
fn resolve_by(
    text: &str,
    mode: Mode,
    out: &mut String,
    is_escaped: &mut bool,
    special: impl Fn(Block) -> Found,
) -> Result<bool, Flaw> {
    let bytes = text.as_bytes();
    // The end of the text that was copied, or resolved.
    let mut copied = 0;
    for (number, block) in block::blocks(bytes).enumerate() {
        let start = number * block::LEN;
        let mut bits = u32::from(special(block).bits());
        while bits != 0 {
            let at = start + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            // The byte is part of the previous reference.
            if at < copied {
                continue;
            }
            // The padding of the last block.
            let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) else {
                break;
            };
            let is_ampersand = if mode != Mode::Verbatim && rest.starts_with(b"&amp;") {
                // `&amp;` is by far the most frequent reference. Its first byte is also its value.
                append(out, text, copied..at + 1);
                copied = at + "&amp;".len();
                true
            } else {
                let Some((c, len)) = meaning(text, at, mode)? else {
                    continue;
                };
                append(out, text, copied..at);
                out.push(c);
                copied = at + len;
                c == '&'
            };
            *is_escaped |= is_ampersand && may_complete(bytes.get(copied..).unwrap_or_default());
        }
    }
    if copied == 0 {
        return Ok(false);
    }
    out.push_str(&text[copied..]);
    Ok(true)
}

/// Appends a range of a text, and makes room for all of it at first.
#[inline]
fn append(out: &mut String, text: &str, range: Range<usize>) {
    if range.start == 0 {
        out.reserve(text.len());
    }
    out.push_str(&text[range]);
}

/// The character for the text at a special byte, and the length of that text; `None` if the byte is a plain character.
#[inline]
fn meaning(text: &str, i: usize, mode: Mode) -> Result<Option<(char, usize)>, Flaw> {
    let bytes = text.as_bytes();
    Ok(Some(match bytes[i] {
        b'&' if mode != Mode::Verbatim => reference(&text[i..]).map_err(|kind| Flaw { at: i, kind })?,
        b'\r' => {
            let c = if mode == Mode::Attribute { ' ' } else { '\n' };
            (c, if bytes.get(i + 1) == Some(&b'\n') { 2 } else { 1 })
        }
        b'\n' | b'\t' => (' ', 1),
        b']' if mode == Mode::Text && bytes[i..].starts_with(b"]]>") => {
            return Err(Flaw {
                at: i,
                kind: FlawKind::SectionEnd,
            });
        }
        b @ 0..0x20 => {
            return Err(Flaw {
                at: i,
                kind: FlawKind::Character(char::from(b)),
            });
        }
        0xEF => {
            let c = text[i..].chars().next().unwrap_or_default();
            if !is_xml_char(c) {
                return Err(Flaw {
                    at: i,
                    kind: FlawKind::Character(c),
                });
            }
            return Ok(None);
        }
        _ => return Ok(None),
    }))
}

/// Replaces numeric character references, and leaves all other references.
pub(crate) fn resolve_characters(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, _)) = rest.split_once("&#") {
        out.push_str(before);
        rest = &rest[before.len()..];
        let len = match reference(rest) {
            Ok((c, len)) => {
                out.push(c);
                len
            }
            Err(_) => {
                out.push_str("&#");
                2
            }
        };
        rest = &rest[len..];
    }
    out + rest
}

/// The character whose two halves in UTF-16 are the references that a text begins with, as in `&#55356;&#57118;`, and their length.
pub(crate) fn surrogate_pair(text: &str) -> Option<(char, usize)> {
    let half = |text: &str| {
        let number = text.strip_prefix("&#")?;
        let (digits, _) = number.split_once(';')?;
        let code = match digits.strip_prefix('x') {
            Some(hex) => u16::from_str_radix(hex, 16).ok()?,
            None => digits.parse().ok()?,
        };
        Some((code, "&#;".len() + digits.len()))
    };
    let (high, first) = half(text)?;
    let (low, second) = half(text.get(first..)?)?;
    let c = char::decode_utf16([high, low]).next()?.ok()?;
    (c.len_utf16() == 2).then_some((c, first + second))
}

/// Returns `true` if a resolved text contains references, that is, was escaped twice. A text with a `<` is HTML, whose
/// references are intended.
pub(crate) fn is_escaped(text: &str) -> bool {
    has_reference(text) && !text.contains('<')
}

/// Returns `true` if a text contains a character reference.
#[inline]
pub(crate) fn has_reference(text: &str) -> bool {
    // A semicolon is rarer than an ampersand.
    memchr::memchr(b';', text.as_bytes()).is_some()
        && memchr::memchr_iter(b'&', text.as_bytes()).any(|at| reference(&text[at..]).is_ok())
}

/// Resolves the references of a text that was escaped twice, and keeps everything else.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (c, len) = reference(&rest[at..]).unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[at + len..];
    }
    out + rest
}

/// Resolves the references of a text as often as it has some, and keeps everything else.
pub(crate) fn unescape_fully(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut c = '&';
        // A `&` that was a reference may begin another.
        while c == '&'
            && let Ok((next, len)) = after_ampersand(rest)
        {
            c = next;
            rest = &rest[len..];
        }
        out.push(c);
    }
    out + rest
}

/// The first character of a well-formed text, with references resolved according to `mode`, and its length in the text.
pub(crate) fn first_char(text: &str, mode: Mode) -> Option<(char, usize)> {
    if mode != Mode::Verbatim && text.starts_with('&') {
        return reference(text).ok();
    }
    text.chars().next().map(|c| (c, c.len_utf8()))
}

/// Resolves a reference at the start of `text`: the character, and the reference's length in bytes.
#[inline]
fn reference(text: &str) -> Result<(char, usize), FlawKind> {
    after_ampersand(text.get(1..).unwrap_or_default()).map(|(c, len)| (c, 1 + len))
}

/// Like [`reference`], for the text after the `&`, whose length is not counted.
fn after_ampersand(text: &str) -> Result<(char, usize), FlawKind> {
    match text.as_bytes() {
        [b'a', b'm', b'p', b';', ..] => return Ok(('&', 4)),
        [b'l', b't', b';', ..] => return Ok(('<', 3)),
        [b'g', b't', b';', ..] => return Ok(('>', 3)),
        [b'q', b'u', b'o', b't', b';', ..] => return Ok(('"', 5)),
        [b'a', b'p', b'o', b's', b';', ..] => return Ok(('\'', 5)),
        _ => {}
    }
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix, front) = match number.strip_prefix('x') {
            Some(hex) => (hex, 16, 2),
            None => (number, 10, 1),
        };
        let len = digits
            .bytes()
            .take_while(|&b| char::from(b).is_digit(radix))
            .count();
        if len == 0 || digits.as_bytes().get(len) != Some(&b';') {
            return Err(FlawKind::Ampersand);
        }
        // Any number of leading zeros is allowed; the number itself has at most seven digits.
        let significant = digits[..len].trim_start_matches('0');
        let code = if significant.len() <= 7 {
            u32::from_str_radix(significant, radix).unwrap_or(0)
        } else {
            u32::MAX
        };
        return match char::from_u32(code) {
            Some(c) if is_xml_char(c) => Ok((c, front + len + 1)),
            _ => Err(FlawKind::Reference),
        };
    }
    let name = name_len(text);
    if name > 0 && text.as_bytes().get(name) == Some(&b';') {
        return Err(FlawKind::Entity { len: name + 2 });
    }
    Err(FlawKind::Ampersand)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str, mode: Mode) -> Result<String, Flaw> {
        let mut out = String::new();
        let changed = resolve(text, mode, &mut out)?;
        Ok(if changed { out } else { text.to_owned() })
    }

    #[test]
    fn references_and_line_ends() {
        assert_eq!(
            resolved(
                "&lt;a&gt; &amp;amp; &quot;&apos; &#65;&#x1F980;&#0000000000065;\r\n\r\tx",
                Mode::Text
            )
            .unwrap(),
            "<a> &amp; \"' A🦀A\n\n\tx"
        );
        assert_eq!(
            resolved("a\r\nb\tc\nd&#10;e&#9;", Mode::Attribute).unwrap(),
            "a b c d\ne\t"
        );
        assert_eq!(resolved("&amp; ]]\r", Mode::Verbatim).unwrap(), "&amp; ]]\n");
    }

    /// A text whose resolved text contains a reference is recognised while it is resolved, and usual texts are not.
    #[test]
    fn text_that_is_escaped_twice_is_recognised() {
        const PIECES: [&str; 14] = [
            "&amp;", "&#38;", "&#x26;", "amp;", "lt;", "#38;", "#x3C;", "a", "g", "q", "&#97;", "mp;", "=1",
            ";",
        ];
        let is_recognised = |text: &str| {
            let (mut out, mut is_escaped) = (String::new(), false);
            resolve_and_look(text, Mode::Text, &mut out, &mut is_escaped).unwrap();
            (out, is_escaped)
        };
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            let longer = |text: &String| PIECES.map(|piece| text.clone() + piece);
            texts = texts.iter().flat_map(longer).collect();
        }
        let mut count = 0;
        for text in &texts {
            let (resolved, is_escaped) = is_recognised(text);
            if has_reference(&resolved) {
                assert!(is_escaped, "{text}");
                count += 1;
            }
        }
        assert!(count > 1000, "{count}");
        for usual in [
            "?a=1&amp;b=2",
            "?q=1&amp;amount=2&amp;lt=3&amp;g",
            "Tom &amp; Jerry; &amp;c",
            "&lt;a;",
        ] {
            assert!(!is_recognised(usual).1, "{usual}");
        }
    }

    #[test]
    fn flaws_have_their_place() {
        let flaw = |text, mode| {
            let flaw = resolved(text, mode).unwrap_err();
            (flaw.at, flaw.kind)
        };
        assert_eq!(flaw("ab&c", Mode::Text), (2, FlawKind::Ampersand));
        assert_eq!(flaw("é&nbsp;", Mode::Text), (2, FlawKind::Entity { len: 6 }));
        for bare in [
            "&", "& ", "&;", "&#;", "&#x;", "&#xg;", "&#1", "&amp", "&#X41;", "&1;",
        ] {
            assert_eq!(flaw(bare, Mode::Attribute), (0, FlawKind::Ampersand), "{bare}");
        }
        for none in [
            "&#0;",
            "&#xB;",
            "&#xFFFF;",
            "&#xD800;",
            "&#x110000;",
            "&#99999999999999999999;",
        ] {
            assert_eq!(flaw(none, Mode::Text), (0, FlawKind::Reference), "{none}");
        }
        assert_eq!(flaw("a]]>", Mode::Text), (1, FlawKind::SectionEnd));
        assert_eq!(flaw("a\u{1}", Mode::Verbatim), (1, FlawKind::Character('\u{1}')));
        assert_eq!(flaw("\u{FFFE}", Mode::Text), (0, FlawKind::Character('\u{FFFE}')));
    }
}

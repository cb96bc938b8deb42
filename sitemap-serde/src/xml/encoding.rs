//! Detection of a document's encoding (XML 1.0, appendix F).

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};

use super::content::{self, is_gzip};

/// The maximum number of bytes for [`detect`]: enough for any reasonable XML declaration.
const START: usize = 1024;

/// The encoding detected from the first bytes of a document.
#[derive(Debug)]
pub(crate) enum Detected {
    /// UTF-8, after a byte order mark of `mark` bytes.
    Utf8 { mark: usize },
    /// Another encoding, after a byte order mark of `mark` bytes.
    #[cfg(feature = "encoding")]
    Other {
        encoding: &'static encoding_rs::Encoding,
        mark: usize,
    },
    /// The document cannot be read, for this reason.
    Unreadable(Error),
}

/// Detects the encoding from the byte order mark, else from the bytes of the first `<`, else from the XML declaration.
pub(crate) fn detect(document: &[u8]) -> Detected {
    // Never more bytes, so that the result does not depend on the sizes of the reads.
    let start = &document[..document.len().min(START)];
    if is_gzip(start) {
        let message = if cfg!(feature = "gzip") {
            Message::new("the document is compressed twice").advice("decompress it once")
        } else {
            Message::new("the document is compressed with gzip")
                .advice("enable the feature `gzip`, or decompress it first")
        };
        return Detected::Unreadable(Error::syntax(message).breaks(Rule::Gzip));
    }
    if let Some(error) = content::of_bytes(start) {
        return Detected::Unreadable(error);
    }
    match start {
        [0xEF, 0xBB, 0xBF, ..] => Detected::Utf8 { mark: 3 },
        [0x00, 0x00, 0xFE, 0xFF, ..]
        | [0xFF, 0xFE, 0x00, 0x00, ..]
        | [0, 0, 0, b'<', ..]
        | [b'<', 0, 0, 0, ..] => {
            let message = Message::new("the document is in UTF-32, which XML tools do not take");
            Detected::Unreadable(not_utf8(message.advice("convert it to UTF-8")))
        }
        [0xFE, 0xFF, ..] => by_label("UTF-16BE", 2),
        [0xFF, 0xFE, ..] => by_label("UTF-16LE", 2),
        [0, b'<'] | [0, b'<', 0, ..] => by_label("UTF-16BE", 0),
        [b'<', 0] | [b'<', 0, _] | [b'<', 0, _, 0, ..] => by_label("UTF-16LE", 0),
        _ => match declared(start) {
            Some(label) if !is_utf8(label) => by_declaration(label),
            _ => Detected::Utf8 { mark: 0 },
        },
    }
}

/// The encoding label in an XML declaration written in ASCII.
pub(crate) fn declared(start: &[u8]) -> Option<&str> {
    let space = [' ', '\t', '\r', '\n'];
    let declaration = start.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(declaration, b"?>")?;
    let (_, rest) = std::str::from_utf8(&declaration[..end])
        .ok()?
        .split_once("encoding")?;
    let value = rest
        .trim_start_matches(space)
        .strip_prefix('=')?
        .trim_start_matches(space);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split_once(quote).map(|(label, _)| label)
}

/// Returns `true` if the bytes suffice: more would not change the result of [`detect`].
pub(crate) fn is_enough(start: &[u8]) -> bool {
    const DECLARATION: &[u8] = b"<?xml";
    let declares = start.starts_with(DECLARATION) || DECLARATION.starts_with(start);
    start.len() >= START
        || (!declares && content::is_enough(start))
        || memchr::memmem::find(start, b"?>").is_some()
}

/// Rejects the label of another encoding in a document that is read as UTF-8, because of its byte order mark or by default.
pub(crate) fn check_utf8(label: &str, has_mark: bool) -> Result<()> {
    if is_utf8(label) {
        return Ok(());
    }
    if has_mark {
        let problem = format!(
            "the document is declared to be in {}, but begins with the byte order mark of UTF-8",
            quote(label)
        );
        return Err(not_utf8(Message::new(problem).advice("correct its declaration")));
    }
    if let Detected::Unreadable(error) = by_declaration(label) {
        return Err(error);
    }
    let problem = format!(
        "the declaration that the document is in {} is not within its first {} bytes",
        quote(label),
        grouped(START as u64)
    );
    Err(not_utf8(Message::new(problem).advice("convert it to UTF-8")))
}

/// Decodes a byte of windows-1252 as the Encoding Standard does.
pub(crate) fn windows_1252(byte: u8) -> char {
    const OTHERS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..0xA0 => OTHERS[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// Returns `true` if the Encoding Standard has this label for UTF-8, or the label names a subset of UTF-8.
fn is_utf8(label: &str) -> bool {
    const LABELS: [&str; 8] = [
        "utf-8",
        "utf8",
        "us-ascii",
        "ascii",
        "unicode-1-1-utf-8",
        "unicode11utf8",
        "unicode20utf8",
        "x-unicode20utf8",
    ];
    LABELS.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// The encoding for a declared label. The declaration was readable as ASCII, so it is not UTF-16.
fn by_declaration(label: &str) -> Detected {
    match by_label(label, 0) {
        #[cfg(feature = "encoding")]
        Detected::Other { encoding, .. } if encoding.name().starts_with("UTF-16") => {
            let problem = format!(
                "the document is declared to be in {}, but its first bytes are not",
                quote(label)
            );
            Detected::Unreadable(not_utf8(Message::new(problem).advice("correct its declaration")))
        }
        detected => detected,
    }
}

#[cfg(feature = "encoding")]
fn by_label(label: &str, mark: usize) -> Detected {
    use encoding_rs::{Encoding, REPLACEMENT, UTF_8};
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == UTF_8 => Detected::Utf8 { mark },
        Some(encoding) if encoding != REPLACEMENT => Detected::Other { encoding, mark },
        _ => unreadable(label),
    }
}

#[cfg(not(feature = "encoding"))]
fn by_label(label: &str, _: usize) -> Detected {
    let problem = format!(
        "the document is in {}, and without the feature `encoding` only UTF-8 is read",
        quote(label)
    );
    Detected::Unreadable(not_utf8(
        Message::new(problem).advice("enable the feature, or convert the document"),
    ))
}

#[cfg(feature = "encoding")]
fn unreadable(label: &str) -> Detected {
    let problem = format!("the document is in {}, an unknown encoding", quote(label));
    Detected::Unreadable(not_utf8(Message::new(problem).advice("convert it to UTF-8")))
}

fn not_utf8(message: Message) -> Error {
    Error::syntax(message).breaks(Rule::Utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found() {
        for (start, label) in [
            (
                "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>",
                Some("Shift_JIS"),
            ),
            (
                "<?xml version='1.0' encoding = 'euc-jp' standalone='yes'?><a encoding='x'/>",
                Some("euc-jp"),
            ),
            ("<?xml version='1.0'?><a encoding='x'/>", None),
            ("<?xml version='1.0' encoding=x?>", None),
            ("<a/>", None),
            ("<?xml encoding", None),
        ] {
            assert_eq!(declared(start.as_bytes()), label, "{start}");
        }
    }

    #[test]
    fn waits_for_the_declaration_only() {
        for (start, enough) in [
            (&b"<?xm"[..], false),
            (b"<?xml version='1.0'", false),
            (b"<?xml version='1.0'?>", true),
            (b"<url", true),
            (b"<", false),
            (b"\xEF\xBB\xBF<", true),
        ] {
            assert_eq!(is_enough(start), enough, "{start:?}");
        }
    }
}

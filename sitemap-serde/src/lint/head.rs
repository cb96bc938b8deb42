//! The beginning of a document: byte order mark and XML declaration.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::document::sniff::has_rows;
use crate::error::{Error, Message, Position, Suggestion};
use crate::xml::encoding;

/// Number of bytes that are checked.
pub(super) const LEN: usize = 4096;

/// Errors in the beginning of a document, which may be compressed.
pub(super) fn check(bytes: &[u8]) -> Vec<Error> {
    let text;
    let bytes = match decompressed(bytes) {
        Some(decompressed) => {
            text = decompressed;
            &text
        }
        None => bytes,
    };
    let found = match bytes {
        // The reader reports UTF-32.
        [0xFF, 0xFE, 0, 0, ..] | [b'<', 0, 0, 0, ..] => return Vec::new(),
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..] => Some(
            Error::data(
                Message::new("the document is in UTF-16: a sitemap is in UTF-8").advice("convert it"),
            )
            .breaks(Rule::Utf8),
        ),
        [0xEF, 0xBB, 0xBF, ..] => Some(
            Error::data(
                Message::new("a byte order mark before the XML declaration")
                    .advice("write the document without it: UTF-8 needs none"),
            )
            .breaks(Rule::Decl),
        ),
        _ => None,
    };
    let mut found: Vec<_> = found.into_iter().collect();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.first() == Some(&b'<') && found.iter().all(|error| error.rule() != Some(Rule::Utf8)) {
        found.extend(declaration(bytes));
        found.extend(doctype(bytes));
    }
    found
        .into_iter()
        .map(|error| error.at(Position::new(1, 1, 0)))
        .collect()
}

/// The error for a text sitemap whose lines look like rows of a table.
pub(super) fn rows(bytes: &[u8]) -> Option<Error> {
    let text = decompressed(bytes);
    let message = Message::new("the lines look like rows of a table, and each is read as one URL").advice(
        "if they are rows, write the URLs alone, or name the columns in a first line, such as `loc,lastmod`",
    );
    has_rows(text.as_deref().unwrap_or(bytes)).then(|| Error::data(message).breaks(Rule::Txt1))
}

/// Returns the error for the name of a file that does not say whether it is compressed.
pub(super) fn check_name(name: &str, bytes: &[u8]) -> Option<Error> {
    // A URL does not reveal the server's response.
    if name.contains("://") || bytes.is_empty() {
        return None;
    }
    let (_, extension) = name.rsplit_once('.')?;
    let message = match (&*extension.to_ascii_lowercase(), bytes.starts_with(&[0x1F, 0x8B])) {
        ("gz", false) => Message::new("the name of the file ends in `.gz`, and it is not compressed")
            .advice("compress it, or leave `.gz` out of its name"),
        ("xml" | "txt" | "rss" | "atom" | "rdf", true) => {
            Message::new("the file is compressed, and its name does not end in `.gz`")
                .advice("decompress it, or add `.gz` to its name")
        }
        _ => return None,
    };
    Some(Error::data(message).breaks(Rule::Gzip))
}

/// The error for a DOCTYPE other than HTML's, after instructions and comments.
fn doctype(mut bytes: &[u8]) -> Option<Error> {
    loop {
        bytes = bytes.trim_ascii_start();
        let (begin, end): (&[u8], &[u8]) = match bytes {
            [b'<', b'?', ..] => (b"<?", b"?>"),
            [b'<', b'!', b'-', ..] => (b"<!--", b"-->"),
            _ => break,
        };
        bytes = bytes.get(begin.len()..)?;
        let at = memchr::memmem::find(bytes, end)?;
        bytes = bytes.get(at + end.len()..)?;
    }
    let name = bytes.strip_prefix(b"<!DOCTYPE")?.trim_ascii_start();
    let message = Message::new(
        "a DOCTYPE: a sitemap is defined by a schema, and crawlers may refuse a document with one",
    );
    let advice = "remove it, and write characters instead of its entities";
    (!name.to_ascii_lowercase().starts_with(b"html"))
        .then(|| Error::data(message.advice(advice)).breaks(Rule::SitemapXsd))
}

/// The error for a stylesheet in XSLT, by its instruction.
pub(super) fn xslt(instruction: &str) -> Option<Error> {
    let text = instruction.to_ascii_lowercase();
    let is_xslt = ["text/xsl", "xslt", ".xsl"]
        .iter()
        .any(|word| text.contains(word));
    is_xslt.then(|| {
        let message = Message::new(format!(
            "{} is a stylesheet in XSLT, which browsers stop applying: Chrome from version 158 on",
            quote(instruction)
        ))
        .advice("name a stylesheet in CSS, or remove the instruction")
        .suggestion(Suggestion::certain(String::new()));
        Error::data(message).breaks(Rule::Xslt)
    })
}

/// The error in the XML declaration of a document that begins with `<`, if there is one.
fn declaration(bytes: &[u8]) -> Option<Error> {
    let missing = |problem: &str| {
        let message =
            format!("{problem}: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`");
        Some(Error::data(Message::new(message).advice("add it")).breaks(Rule::Decl))
    };
    let end = memchr::memmem::find(bytes, b"?>").filter(|_| bytes.starts_with(b"<?xml"));
    let Some(end) = end else {
        // The reader reports text before the declaration.
        let is_late = memchr::memmem::find(bytes, b"<?xml ").is_some();
        return missing("no XML declaration").filter(|_| !is_late);
    };
    let Some(name) = encoding::declared(bytes) else {
        // A malformed declaration is the reader's to report.
        let is_malformed = memchr::memmem::find(bytes.get(..end)?, b"encoding").is_some();
        return missing("the XML declaration has no encoding").filter(|_| !is_malformed);
    };
    (!name.eq_ignore_ascii_case("utf-8") && !name.eq_ignore_ascii_case("utf8")).then(|| {
        Error::data(
            Message::new(format!(
                "the document is declared to be in {}: a sitemap is in UTF-8",
                quote(name)
            ))
            .advice("convert it, and change the declaration"),
        )
        .breaks(Rule::Utf8)
    })
}

/// The first decompressed bytes, if the document is compressed with gzip.
#[cfg(feature = "gzip")]
fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    use std::io::Read;

    // RFC 1952.
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return None;
    }
    let mut text = Vec::new();
    // An error here is expected: the bytes are only the beginning of the compressed document.
    let _ = flate2::read::GzDecoder::new(bytes)
        .take(1024)
        .read_to_end(&mut text);
    Some(text)
}

#[cfg(not(feature = "gzip"))]
fn decompressed(_: &[u8]) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        for (head, expected) in [
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset", None),
            ("<?xml version='1.0' encoding = 'utf-8' ?><urlset", None),
            ("<?xml version='1.0' encoding='UTF8'?>", None),
            ("<urlset", Some(Rule::Decl)),
            (
                "<?xml version=\"1.0\"?><x encoding=\"iso-8859-1\"/>",
                Some(Rule::Decl),
            ),
            ("<?xml version=\"1.0\"?><urlset", Some(Rule::Decl)),
            ("<?xml version=\"1.0\" encoding='iso-8859-1'?>", Some(Rule::Utf8)),
            (
                "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                Some(Rule::Decl),
            ),
            ("<?xml", Some(Rule::Decl)),
            ("<?xml?>", Some(Rule::Decl)),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?> <!--> --><?a > ?>\n<!DOCTYPE a>",
                Some(Rule::SitemapXsd),
            ),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!--><!DOCTYPE a>-->",
                None,
            ),
            // The reader reports these.
            ("<?xml version=\"1.0\" encoding=UTF-8?><urlset", None),
            ("<?xml version=\"1.0\" encoding?><urlset", None),
            ("<", Some(Rule::Decl)),
            ("", None),
            ("https://example.com/", None),
            ("<\0u\0", Some(Rule::Utf8)),
        ] {
            let rules: Vec<_> = check(head.as_bytes()).iter().filter_map(Error::rule).collect();
            assert_eq!(rules, Vec::from_iter(expected), "{head}");
        }
        // A byte order mark without a declaration after it.
        assert_eq!(check("\u{FEFF}<urlset".as_bytes()).len(), 2);
    }
}

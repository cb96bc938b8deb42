//! What a document is instead of XML, by its first bytes or its first text, and what reads it.

use sitemap_values::Rule;

use crate::error::{Advice, Error, Message};

/// Returns `true` if the bytes begin like a gzip file (RFC 1952 section 2.3.1).
pub(crate) fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&[0x1F, 0x8B])
}

/// The other compressions that files come in, by their first bytes.
const COMPRESSIONS: [(&str, &[u8]); 4] = [
    ("zip", b"PK\x03\x04"),
    ("xz", b"\xFD7zX"),
    ("zstd", b"\x28\xB5\x2F\xFD"),
    ("bzip2", b"BZh"),
];

/// Files of other kinds, by their first bytes.
const FILES: [(&str, &[u8]); 8] = [
    ("a PNG image", b"\x89PNG\r\n\x1A\n"),
    ("a JPEG image", b"\xFF\xD8\xFF"),
    ("a GIF image", b"GIF8"),
    ("a PDF document", b"%PDF-"),
    ("a WebAssembly module", b"\0asm"),
    ("an SQLite database", b"SQLite format 3\0"),
    ("a Parquet file", b"PAR1"),
    ("a program", b"\x7FELF"),
];

/// The first bytes of the documents of older office programs.
const OLE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The number of first bytes that [`of_bytes`] looks at for control characters.
const FIRST: usize = 64;

/// The error for a document whose first bytes show that it is not text.
pub(crate) fn of_bytes(start: &[u8]) -> Option<Error> {
    let has = |name: &[u8]| memchr::memmem::find(start, name).is_some();
    if start.starts_with(OLE)
        || start.starts_with(b"PK\x03\x04") && (has(b"[Content_Types].xml") || has(b"xl/"))
    {
        return Some(other(
            "a workbook or another office document",
            "save the table as CSV",
        ));
    }
    let is_image = start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP");
    let file = FILES.iter().find(|(_, first)| start.starts_with(first));
    if let Some(what) = file.map(|(what, _)| *what).or(is_image.then_some("a WebP image")) {
        return Some(other(what, "it is not a sitemap"));
    }
    let compression = COMPRESSIONS.iter().find(|(name, first)| {
        let is_other = |rest: &[u8]| *name != "bzip2" || is_block(rest);
        start.strip_prefix(*first).is_some_and(is_other)
    });
    if let Some((name, _)) = compression {
        let message = Message::new(format!(
            "the document is compressed with {name}, and gzip is the only compression of sitemaps"
        ));
        return Some(Error::syntax(message.advice("decompress it")).breaks(Rule::Gzip));
    }
    // U+FFFD instead of the second byte.
    if start.starts_with(b"\x1F\xEF\xBF\xBD") {
        let advice = "get a new copy: the compressed file was taken for text and decoded";
        return Some(other("a gzip file that was damaged", advice));
    }
    let first = start.get(..FIRST).unwrap_or(start);
    let controls = first
        .iter()
        .filter(|b| matches!(b, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F));
    // In text and UTF-16 they are errors of their own.
    let may_be_text = is_text(first)
        || matches!(
            first,
            [0xFE | 0xFF, ..] | [0, b'<', ..] | [0, 0, 0, b'<', ..] | [0, 0, 0xFE, 0xFF, ..]
        );
    (!may_be_text && controls.count() >= 3).then(|| other("binary data", "it is not a sitemap"))
}

fn other(what: &str, advice: &'static str) -> Error {
    let message = Message::new(format!("this is {what}: a sitemap is XML or text"));
    Error::syntax(message.advice(advice)).breaks(Rule::Decl)
}

/// Returns `true` if bytes continue a bzip2 document: the block size, and the mark of the first block or of the end. The magic letters
/// before them could also start a word.
fn is_block(rest: &[u8]) -> bool {
    const MARKS: [&[u8]; 2] = [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"];
    rest.split_first().is_some_and(|(size, rest)| {
        matches!(size, b'1'..=b'9') && MARKS.iter().any(|mark| rest.starts_with(mark))
    })
}

/// Returns `true` if the first byte is of text: of ASCII or a byte order mark.
fn is_text(start: &[u8]) -> bool {
    matches!(start, [b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0xEF, ..])
}

/// Returns `true` if the bytes suffice: more would not change the result of [`of_bytes`].
pub(crate) fn is_enough(start: &[u8]) -> bool {
    let least = match start {
        // The names of the parts of a workbook.
        [b'P', b'K', ..] => return false,
        [b'S', b'Q', ..] => 16,
        [b'R', b'I', ..] => 12,
        [b'B', b'Z', ..] => 10,
        [b'%', ..] => 5,
        // With the wide encodings.
        [0 | 0xFE | 0xFF, ..] => 4,
        _ if is_text(start) => 4,
        _ => FIRST,
    };
    start.len() >= least
}

/// What a text is that is not XML, with advice if another part of this crate reads it.
pub(crate) fn of_text(text: &str) -> (&'static str, Option<Advice>) {
    let key = |line: &str| {
        line.split_once(':')
            .map(|(key, _)| key.trim().to_ascii_lowercase())
    };
    let mut keys = text.lines().map(str::trim).take(100).filter_map(key);
    if keys.any(|key| matches!(&*key, "user-agent" | "disallow" | "allow" | "sitemap")) {
        let advice = Advice::of_api("robots::Robots", "`robots::Robots` reads its sitemaps");
        return ("a robots.txt", Some(advice));
    }
    match text.as_bytes() {
        [b'{' | b'[', ..] => ("JSON", None),
        [b'#', b' ', ..] => ("Markdown, such as an `llms.txt`", None),
        _ => ("text", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_named() {
        for (start, what) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], "this is a PNG image"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "this is a WebP image"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0", "this is a workbook"),
            (b"PK\x03\x04\x14\0\x06\0[Content_Types].xml", "this is a workbook"),
            (b"PK\x03\x04\x14\0\0\0sitemap.xml", "compressed with zip"),
            (
                b"\x1F\xEF\xBF\xBD\x08\0\0",
                "this is a gzip file that was damaged",
            ),
            (b"%PDF-1.7", "this is a PDF document"),
            (b"\x01X\x02\x03", "this is binary data"),
        ] {
            let error = of_bytes(start).unwrap().to_string();
            assert!(error.contains(what), "{error}");
        }
        for start in [
            &b"<\0u\0"[..],
            b"\0<\0u",
            b"https://a/\x01\x02",
            b"BZhang",
            b"",
            b"<a>\x01\x01\x01",
        ] {
            assert!(of_bytes(start).is_none(), "{start:?}");
        }
    }

    #[test]
    fn texts_are_named() {
        for (text, what) in [
            (
                "# all\nUser-agent: *\nSitemap: https://example.com/",
                "a robots.txt",
            ),
            ("# Docs\n\n> about", "Markdown, such as an `llms.txt`"),
            ("{\"urls\":[]}", "JSON"),
            ("404 Not Found", "text"),
        ] {
            assert_eq!(of_text(text).0, what);
        }
    }
}

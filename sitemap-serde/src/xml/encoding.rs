//! What encoding a document is in.

use super::source::Failure;

/// The first bytes that [`check_start`] wants to see, if there are as many.
pub(crate) const START: usize = 4;

/// Whether a document that begins like this is compressed with gzip (RFC 1952 section 2.3.1).
pub(crate) fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&[0x1F, 0x8B])
}

/// Refuses what is not UTF-8 by its first bytes (XML 1.0, appendix F).
pub(crate) fn check_start(bytes: &[u8]) -> Result<(), Failure> {
    if is_gzip(bytes) {
        return Err(Failure::Encoding(
            "the document is compressed with gzip (P-GZIP); read it through `from_reader` with the feature `gzip`, or \
             decompress it first"
                .to_owned(),
        ));
    }
    let found = match bytes {
        [0x00, 0x00, 0xFE, 0xFF, ..]
        | [0xFF, 0xFE, 0x00, 0x00, ..]
        | [0, 0, 0, b'<', ..]
        | [b'<', 0, 0, 0, ..] => "UTF-32",
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..] => "UTF-16",
        _ => return Ok(()),
    };
    Err(unsupported(found))
}

/// Refuses a declared encoding that is not UTF-8 or a part of it.
pub(crate) fn check_declared(label: &str) -> Result<(), String> {
    if ["utf-8", "utf8", "us-ascii", "ascii"]
        .iter()
        .any(|known| label.eq_ignore_ascii_case(known))
    {
        return Ok(());
    }
    match unsupported(label) {
        Failure::Encoding(message) => Err(message),
        _ => Ok(()),
    }
}

fn unsupported(found: &str) -> Failure {
    Failure::Encoding(format!(
        "the document is in {found}, and a sitemap is in UTF-8 (P-UTF8); convert it to UTF-8"
    ))
}

//! The characters that a document can hold.

/// Returns `true` if XML 1.0 (section 2.2) can hold the character at all.
pub(crate) fn is_xml_char(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        c => c >= ' ',
    }
}

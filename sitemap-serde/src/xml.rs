//! XML: reading and writing tokens, independent of sitemaps.

pub(crate) mod chars;
mod doctype;
pub(crate) mod element;
pub(crate) mod encoding;
pub(crate) mod escape;
#[cfg(feature = "__internals")]
pub(crate) mod events;
pub(crate) mod fragment;
mod html;
pub(crate) mod names;
pub(crate) mod output;
mod position;
pub(crate) mod reference;
pub(crate) mod scanner;
pub(crate) mod source;
pub(crate) mod vocabulary;

/// Removes XML white space (section 2.3) from both ends.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    // Nearly every text has nothing to remove.
    let is_other = |b: Option<&u8>| b.is_some_and(|&b| b > b' ');
    let bytes = text.as_bytes();
    if is_other(bytes.first()) && is_other(bytes.last()) {
        return text;
    }
    text.trim_matches([' ', '\t', '\n', '\r'])
}

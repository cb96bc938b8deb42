//! XML itself: what any document is made of.

pub(crate) mod chars;
mod doctype;
mod encoding;
pub(crate) mod escape;
#[cfg(feature = "__internals")]
pub(crate) mod events;
pub(crate) mod names;
mod position;
mod reference;
pub(crate) mod scanner;
pub(crate) mod source;

/// Removes XML white space (section 2.3) from both ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

//! XML: reading and writing tokens, independent of sitemaps.
//!
//! | file | content |
//! |---|---|
//! | `source` | the text of a document: a slice, or a stream that is decompressed and decoded |
//! | `scanner` | its tokens, checked strictly; `repair` in it is lenient |
//! | `doctype` | a document with a DOCTYPE: xml-rs resolves its entities, and the scanner reads the result |
//! | `content` | what a document is that is not XML |
//! | `encoding`, `position` | which encoding the first bytes have; lines and columns of an offset |
//! | `reference`, `html` | unescaping; HTML's entities, for repairs |
//! | `names`, `chars` | qualified names and known namespaces; classes of characters |
//! | `vocabulary` | the elements of a format, as far as repairs depend on them |
//! | `element`, `fragment` | an element read again for its tags; elements as text that can be inserted elsewhere |
//! | `escape`, `output` | writing: escaping, and a buffer before a writer that may fail |
//! | `readable` | writing: whether a reader accepts the size of an entry or root |
//! | `events` | the scanner by itself, for tests and fuzz targets |

pub(crate) mod chars;
pub(crate) mod content;
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
pub(crate) mod readable;
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

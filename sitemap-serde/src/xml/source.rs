//! Sources of a document's text: a slice in memory, or a stream read through a window.
//!
//! **A window, not tokens.** The scanner reads text through a window. For a slice the window is the whole text; for a stream it is a
//! sliding part. The same code reads both, so a document gives the same events, positions and errors in whatever pieces it arrives. An
//! entry stays in the window until the next one is requested, so its values can be borrowed as ranges of the window.
//!
//! | file | content |
//! |---|---|
//! | `slice`, `stream` | a document in memory; one that is read while it is scanned |
//! | `input`, `gzip` | a stream's reader, which is decompressed if needed |
//! | `splice` | copies a document while it is read, with parts replaced |

#[cfg(feature = "gzip")]
mod gzip;
mod input;
mod slice;
mod splice;
mod stream;

use std::io;
use std::str::Utf8Error;

pub use slice::SliceSource;
pub(crate) use splice::SpliceSource;
pub use stream::StreamSource;

use sitemap_values::Rule;
use sitemap_values::number::grouped;

#[cfg(feature = "gzip")]
use crate::error::Defect;
use crate::error::{Error, Message, Position, Result};

/// A source of UTF-8 text that shows a part of the document at a time, its window.
pub trait Window {
    /// The text in the window.
    fn window(&self) -> &str;

    /// Allows the source to drop the first `done` bytes of the window, and returns how many it has dropped.
    fn let_go(&mut self, done: usize) -> usize;

    /// Reads more text into the window; `false` at the end of the document.
    fn more(&mut self) -> Result<bool>;

    /// The byte offset of the window in the document.
    fn offset(&self) -> u64;

    /// The position (byte offset, line, column) of the byte at offset `at` of the window. Later calls request few positions before `mark`,
    /// which is never after `at`.
    fn position(&self, mark: usize, at: usize) -> Position;

    /// Reads bytes that are not UTF-8 as windows-1252, and invalid bytes of other encodings as U+FFFD. Must be called before the
    /// first read.
    fn take_odd_bytes(&mut self) {}

    /// The position of the first invalid byte, and the name of the encoding.
    fn odd_bytes(&self) -> Option<(Position, &'static str)> {
        None
    }

    /// Limits the number of decompressed bytes. Must be called before the first read.
    fn limit_decompressed(&mut self, _most: u64) {}

    /// Checks that the encoding label in the XML declaration fits the encoding that the document is in.
    fn check_declared(&self, label: &str) -> Result<()>;
}

/// Input of a [`Reader`](crate::Reader) or [`Deserializer`](crate::Deserializer): a [`SliceSource`], whose text can be
/// borrowed for `'de`, or a [`StreamSource`], whose text is valid only until the next read.
///
/// The bound of functions that take readers of both. The trait is sealed: only this crate implements it.
///
/// ```
/// use sitemap_serde::source::DocumentSource;
/// use sitemap_serde::{Reader, Result};
///
/// fn locs<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) -> Result<Vec<String>> {
///     reader.entries().map(|entry| Ok(entry?.loc)).collect()
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>"#;
/// assert_eq!(locs(&mut Reader::from_str(xml))?, ["https://example.com/"]);
/// assert_eq!(locs(&mut Reader::from_reader(xml.as_bytes()))?, ["https://example.com/"]);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub trait DocumentSource<'de>: Window {
    /// The text in the window, with the longest lifetime that the source can give.
    #[doc(hidden)]
    fn window_text(&self) -> SourceText<'de, '_>;
}

/// Text borrowed from the input, or from the window until the next read.
#[derive(Clone, Copy, Debug)]
pub enum SourceText<'de, 'w> {
    Borrowed(&'de str),
    Transient(&'w str),
}

impl<'de, 'w> SourceText<'de, 'w> {
    #[inline]
    pub(crate) fn slice(self, start: usize, end: usize) -> Self {
        match self {
            SourceText::Borrowed(text) => SourceText::Borrowed(text.get(start..end).unwrap_or_default()),
            SourceText::Transient(text) => SourceText::Transient(text.get(start..end).unwrap_or_default()),
        }
    }

    #[inline]
    pub(crate) fn get(self) -> &'w str
    where
        'de: 'w,
    {
        match self {
            SourceText::Borrowed(text) | SourceText::Transient(text) => text,
        }
    }
}

/// Why the text ends before the document does.
#[derive(Debug)]
enum Failure {
    Io(io::Error),
    /// A byte that is not UTF-8.
    Utf8(u8),
    /// Bytes that are malformed in the encoding of this name.
    #[cfg(feature = "encoding")]
    Malformed(&'static str),
    /// The document ends within a character.
    CutOff,
    /// Compressed data that ends too early.
    #[cfg(feature = "gzip")]
    CutOffGzip,
    /// Compressed data with more than this number of bytes.
    #[cfg(feature = "gzip")]
    TooLarge(u64),
    /// Compressed data that cannot be decompressed from here on.
    #[cfg(feature = "gzip")]
    Damaged(io::Error),
    /// Compressed data that was decompressed to its end, but differs from the original.
    #[cfg(feature = "gzip")]
    Checksum(io::Error),
    /// Data that is not compressed after the compressed data.
    #[cfg(feature = "gzip")]
    Trailing,
    /// The encoding is not supported, or the document is not text.
    Unreadable(Error),
}

impl Failure {
    /// The failure for `bytes`, the rest of the document, which does not begin with a complete UTF-8 character.
    fn not_utf8(bytes: &[u8], error: Utf8Error) -> Self {
        match error.error_len() {
            None => Failure::CutOff,
            Some(_) => Failure::Utf8(bytes.first().copied().unwrap_or_default()),
        }
    }

    #[cold]
    fn into_error(self, position: Position) -> Error {
        let error = match self {
            Failure::Io(error) => {
                let problem = format!("cannot read the sitemap: {error}");
                Error::io(error, problem)
            }
            Failure::CutOff => Error::eof(
                Message::new("the document ends in the middle of a character: it is truncated")
                    .advice("get a complete copy"),
            ),
            #[cfg(feature = "gzip")]
            Failure::CutOffGzip => Error::eof(
                Message::new("the compressed document is truncated").advice("get a complete copy"),
            )
            .breaks(Rule::Gzip),
            #[cfg(feature = "gzip")]
            Failure::TooLarge(most) => Error::limit(
                Message::new(format!(
                    "the compressed document has more than {} bytes when it is decompressed, which is the limit",
                    grouped(most)
                ))
                .advice(crate::error::raise("decompressed_bytes")),
            )
            .breaks(Rule::Size),
            #[cfg(feature = "gzip")]
            Failure::Damaged(error) => {
                let problem = format!("the compressed document is damaged from here on: {error}");
                Error::io(error, Message::new(problem).advice("get a new copy")).breaks(Rule::Gzip)
            }
            #[cfg(feature = "gzip")]
            Failure::Checksum(error) => {
                let message = Message::new(
                    "the checksum of the compressed document is wrong: any part of it may be damaged",
                )
                .advice("get a new copy");
                // It does not locate the damage, so there is no position.
                return Error::io(error, message)
                    .breaks(Rule::Gzip)
                    .with_defect(Defect::NothingMissing);
            }
            #[cfg(feature = "gzip")]
            Failure::Trailing => {
                let problem = "the compressed data is followed by data that is not compressed";
                Error::io(
                    io::Error::new(io::ErrorKind::InvalidData, problem),
                    Message::new(problem).advice("get a new copy"),
                )
                .breaks(Rule::Gzip)
                .with_defect(Defect::NothingMissing)
            }
            Failure::Utf8(byte) => Error::syntax(
                Message::new(format!("invalid UTF-8: the byte 0x{byte:02X}"))
                    .advice("convert the file to UTF-8, or declare the encoding that it is in"),
            )
            .breaks(Rule::Utf8),
            #[cfg(feature = "encoding")]
            Failure::Malformed(encoding) => Error::syntax(
                Message::new(format!(
                    "bytes that are invalid in {encoding}, the encoding of the document"
                ))
                .advice("convert the file to UTF-8, or correct its declaration"),
            )
            .breaks(Rule::Utf8),
            Failure::Unreadable(error) => error,
        };
        error.at(position)
    }
}

/// Calls the reader once, or again after interruptions. A reader that claims more bytes than the buffer holds is an
/// error, since its data is unknown.
fn read_once(reader: &mut impl io::Read, into: &mut [u8]) -> Result<usize, Failure> {
    loop {
        match reader.read(into) {
            Ok(len) if len > into.len() => {
                let message = format!(
                    "it was asked for {} bytes at most and says it gave {}, which `Read` does not allow",
                    grouped(into.len() as u64),
                    grouped(len as u64),
                );
                return Err(Failure::Io(io::Error::other(message)));
            }
            Ok(len) => return Ok(len),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::Io(error)),
        }
    }
}

//! Where the text comes from: a slice that is all there, or a stream through a window.

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

use crate::error::{Error, Position, Result, Words};
use crate::rule::Rule;

/// UTF-8 text that a scanner looks at through a window.
pub trait Window {
    /// The text in the window.
    fn window(&self) -> &str;

    /// Lets go of the first `done` bytes of the window, and returns how many bytes its start has moved by.
    fn let_go(&mut self, done: usize) -> usize;

    /// Reads more text into the window. `false` at the end.
    fn more(&mut self) -> Result<bool>;

    /// The byte of the document at which the window starts.
    fn offset(&self) -> u64;

    /// The place of a byte of the window.
    fn position(&self, at: usize) -> Position;

    /// Says that places from here on will be asked for again after others behind them.
    fn mark(&mut self, _at: usize) {}

    /// Takes bytes that are not UTF-8 for windows-1252; to be asked for before anything is read.
    fn take_odd_bytes(&mut self) {}

    /// The place of the first of those.
    fn odd_bytes(&self) -> Option<Position> {
        None
    }

    /// Whether the document is in an encoding that it may declare by this label; if not, why.
    fn check_declared(&self, label: &str) -> Result<()>;
}

/// Where a [`Reader`](crate::Reader) or [`Deserializer`](crate::Deserializer) reads from: a [`SliceSource`], whose text can
/// be borrowed for `'de`, or a [`StreamSource`], whose text stays only until it moves on.
///
/// Only this crate implements it.
pub trait Source<'de>: Window {
    /// The text in the window, for as long as it can be borrowed.
    fn window_text(&self) -> Text<'de, '_>;
}

/// Text that lives as long as the input, or as long as the window stays.
#[derive(Clone, Copy, Debug)]
pub enum Text<'de, 'w> {
    Borrowed(&'de str),
    Transient(&'w str),
}

impl<'de, 'w> Text<'de, 'w> {
    #[inline]
    pub(crate) fn slice(self, start: usize, end: usize) -> Self {
        match self {
            Text::Borrowed(text) => Text::Borrowed(text.get(start..end).unwrap_or_default()),
            Text::Transient(text) => Text::Transient(text.get(start..end).unwrap_or_default()),
        }
    }

    #[inline]
    pub(crate) fn get(self) -> &'w str
    where
        'de: 'w,
    {
        match self {
            Text::Borrowed(text) | Text::Transient(text) => text,
        }
    }
}

/// Why the text ends before the document does.
#[derive(Debug)]
enum Failure {
    Io(io::Error),
    /// The first byte that is not UTF-8.
    Utf8(u8),
    /// Bytes that mean nothing in the encoding of that name.
    #[cfg(feature = "encoding")]
    Malformed(&'static str),
    /// The last character is not whole.
    CutOff,
    /// Compressed data that ends too early.
    #[cfg(feature = "gzip")]
    CutOffGzip,
    /// Compressed data that cannot be decompressed from here on.
    #[cfg(feature = "gzip")]
    Damaged(io::Error),
    /// An encoding that cannot be read, or no text at all.
    Unreadable(Error),
}

impl Failure {
    /// Why `bytes`, which go to the end of the document, do not begin with a character.
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
                Words::new("the document ends in the middle of a character: it was cut off")
                    .advice("get it whole"),
            ),
            #[cfg(feature = "gzip")]
            Failure::CutOffGzip => Error::eof(
                Words::new("the compressed document ends too early: it was cut off").advice("get it whole"),
            )
            .breaks(Rule::Gzip),
            #[cfg(feature = "gzip")]
            Failure::Damaged(error) => {
                let problem = format!("the compressed document is damaged from here on: {error}");
                Error::io(error, Words::new(problem).advice("get it anew")).breaks(Rule::Gzip)
            }
            Failure::Utf8(byte) => Error::syntax(
                Words::new(format!("the byte 0x{byte:02X} is not UTF-8 here"))
                    .advice("convert the file to UTF-8, or declare the encoding that it is in"),
            )
            .breaks(Rule::Utf8),
            #[cfg(feature = "encoding")]
            Failure::Malformed(encoding) => Error::syntax(
                Words::new(format!(
                    "bytes that are not {encoding} here, the encoding that the document is in"
                ))
                .advice("convert the file to UTF-8, or correct its declaration"),
            )
            .breaks(Rule::Utf8),
            Failure::Unreadable(error) => error,
        };
        error.at(position)
    }
}

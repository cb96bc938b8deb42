//! Where the text comes from: a slice that is all there, or a stream through a window.

use std::cell::Cell;
use std::io::{self, Read};

use crate::error::{Category, Error, Position, Result};

use super::encoding;
use super::position::Lines;

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

    /// Whether the document is in an encoding that it may declare by this label; if not, why.
    fn check_declared(&self, label: &str) -> Result<(), String>;
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
    pub(crate) fn slice(self, start: usize, end: usize) -> Self {
        match self {
            Text::Borrowed(text) => Text::Borrowed(text.get(start..end).unwrap_or_default()),
            Text::Transient(text) => Text::Transient(text.get(start..end).unwrap_or_default()),
        }
    }

    pub(crate) fn get(self) -> &'w str
    where
        'de: 'w,
    {
        match self {
            Text::Borrowed(text) | Text::Transient(text) => text,
        }
    }
}

/// The byte order mark, which is no part of the text but counts as bytes of the document.
const MARK: &str = "\u{FEFF}";

/// A document that is in memory, as text or as bytes in UTF-8.
#[derive(Debug)]
pub struct SliceSource<'de> {
    text: &'de str,
    /// Bytes of the document before the text: its byte order mark.
    offset: u64,
    /// What follows the text instead of the end of the document.
    failure: Option<Failure>,
    /// Whether it was given as text, not as bytes.
    decoded: bool,
    /// The last place that was counted to. Places are asked for in rising order, so that counting them all is one
    /// pass over the text.
    counted: Cell<(usize, Lines)>,
}

impl<'de> SliceSource<'de> {
    pub(crate) fn from_str(text: &'de str) -> Self {
        let rest = text.strip_prefix(MARK).unwrap_or(text);
        SliceSource {
            text: rest,
            offset: (text.len() - rest.len()) as u64,
            failure: None,
            decoded: true,
            counted: Cell::new((0, Lines::START)),
        }
    }

    pub(crate) fn from_slice(bytes: &'de [u8]) -> Self {
        SliceSource {
            decoded: false,
            ..SliceSource::from_bytes(bytes)
        }
    }

    fn from_bytes(bytes: &'de [u8]) -> Self {
        if let Err(failure) = encoding::check_start(bytes) {
            return SliceSource {
                failure: Some(failure),
                ..SliceSource::from_str("")
            };
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => SliceSource::from_str(text),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                SliceSource {
                    failure: Some(Failure::not_utf8(rest)),
                    ..SliceSource::from_str(std::str::from_utf8(valid).unwrap_or_default())
                }
            }
        }
    }
}

impl Window for SliceSource<'_> {
    fn window(&self) -> &str {
        self.text
    }

    /// Text that is a string has been decoded, whatever it declares.
    fn check_declared(&self, label: &str) -> Result<(), String> {
        if self.decoded {
            Ok(())
        } else {
            encoding::check_declared(label)
        }
    }

    fn let_go(&mut self, _: usize) -> usize {
        0
    }

    fn more(&mut self) -> Result<bool> {
        match self.failure.take() {
            None => Ok(false),
            Some(failure) => Err(failure.into_error(self.position(self.text.len()))),
        }
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn position(&self, at: usize) -> Position {
        let (mut from, mut lines) = self.counted.get();
        if at < from {
            (from, lines) = (0, Lines::START);
        }
        lines.advance(self.text.get(from..at).unwrap_or_default());
        self.counted.set((at, lines));
        lines.at(self.offset + at as u64)
    }
}

impl<'de> Source<'de> for SliceSource<'de> {
    fn window_text(&self) -> Text<'de, '_> {
        Text::Borrowed(self.text)
    }
}

/// Bytes asked for at a time.
const BLOCK: usize = 32 << 10;

/// A document that is read from a reader as it goes, through a window that is as large as its largest entry.
#[derive(Debug)]
pub struct StreamSource<R> {
    reader: Input<R>,
    window: String,
    /// The byte of the document at which the window starts, and its place.
    offset: u64,
    lines: Lines,
    /// As for a slice, within the window.
    counted: Cell<(usize, Lines)>,
    /// Bytes read that are not in the window yet: the beginning of a character, before the text's start all there is.
    block: Vec<u8>,
    filled: usize,
    started: bool,
    ended: bool,
    failure: Option<Failure>,
}

impl<R: Read> StreamSource<R> {
    pub(crate) fn new(reader: R) -> Self {
        StreamSource {
            reader: Input::Plain(reader),
            window: String::new(),
            offset: 0,
            lines: Lines::START,
            counted: Cell::new((0, Lines::START)),
            block: Vec::new(),
            filled: 0,
            started: false,
            ended: false,
            failure: None,
        }
    }

    /// Reads once. `false` at the end.
    fn read(&mut self) -> io::Result<bool> {
        if self.block.is_empty() {
            self.block.resize(BLOCK, 0);
        }
        loop {
            match self.reader.read(&mut self.block[self.filled..]) {
                Ok(n) => {
                    self.filled += n.min(self.block.len() - self.filled);
                    return Ok(n > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves what is whole and valid from the block to the window.
    fn take_block(&mut self) {
        let bytes = &self.block[..self.filled];
        let (text, rest) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, self.filled),
            Err(error) => {
                let valid = error.valid_up_to();
                if error.error_len().is_some() || self.ended {
                    self.failure = Some(Failure::not_utf8(&bytes[valid..]));
                }
                (std::str::from_utf8(&bytes[..valid]).unwrap_or_default(), valid)
            }
        };
        self.window.push_str(text);
        self.block.copy_within(rest..self.filled, 0);
        self.filled -= rest;
    }

    /// Looks at the first bytes: what encoding they are in, and whether a byte order mark is to be passed over.
    fn start(&mut self) {
        self.started = true;
        if self.reader.decompress(&self.block[..self.filled]) {
            self.started = false;
            self.filled = 0;
            return;
        }
        if let Err(failure) = encoding::check_start(&self.block[..self.filled]) {
            self.failure = Some(failure);
            self.filled = 0;
        } else if self.block[..self.filled].starts_with(MARK.as_bytes()) {
            self.block.copy_within(MARK.len()..self.filled, 0);
            self.filled -= MARK.len();
            self.offset = MARK.len() as u64;
        }
    }
}

impl<R: Read> Window for StreamSource<R> {
    fn window(&self) -> &str {
        &self.window
    }

    fn check_declared(&self, label: &str) -> Result<(), String> {
        encoding::check_declared(label)
    }

    fn let_go(&mut self, done: usize) -> usize {
        let (mut from, mut lines) = self.counted.get();
        if from > done {
            (from, lines) = (0, self.lines);
        }
        lines.advance(self.window.get(from..done).unwrap_or_default());
        self.lines = lines;
        self.counted.set((0, lines));
        self.window.drain(..done);
        self.offset += done as u64;
        done
    }

    fn more(&mut self) -> Result<bool> {
        let before = self.window.len();
        loop {
            if let Some(failure) = self.failure.take() {
                self.ended = true;
                self.filled = 0;
                return Err(failure.into_error(self.position(self.window.len())));
            }
            if self.ended {
                return Ok(false);
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(error) => self.failure = Some(Failure::Io(error)),
            }
            if !self.started {
                if self.failure.is_none() && !self.ended && self.filled < encoding::START {
                    continue;
                }
                self.start();
                if !self.started {
                    self.ended = false;
                    continue;
                }
            }
            if self.failure.is_none() {
                self.take_block();
            }
            if self.window.len() > before {
                return Ok(true);
            }
        }
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn position(&self, at: usize) -> Position {
        let (mut from, mut lines) = self.counted.get();
        if at < from {
            (from, lines) = (0, self.lines);
        }
        lines.advance(self.window.get(from..at).unwrap_or_default());
        self.counted.set((at, lines));
        lines.at(self.offset + at as u64)
    }
}

impl<'de, R: Read> Source<'de> for StreamSource<R> {
    fn window_text(&self) -> Text<'de, '_> {
        Text::Transient(&self.window)
    }
}

/// The reader underneath, decompressed where that is needed (P-GZIP).
enum Input<R> {
    Plain(R),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::read::MultiGzDecoder<io::Chain<io::Cursor<Vec<u8>>, R>>>),
    /// Only while one becomes the other.
    #[cfg(feature = "gzip")]
    Moving,
}

impl<R: Read> Input<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Plain(reader) => reader.read(into),
            #[cfg(feature = "gzip")]
            Input::Gzip(reader) => reader.read(into),
            #[cfg(feature = "gzip")]
            Input::Moving => Ok(0),
        }
    }

    /// Whether the reader, whose first bytes are `start`, gives compressed data that it can decompress and did not yet. If
    /// so it begins anew, decompressing.
    #[cfg(feature = "gzip")]
    fn decompress(&mut self, start: &[u8]) -> bool {
        if !encoding::is_gzip(start) {
            return false;
        }
        match std::mem::replace(self, Input::Moving) {
            Input::Plain(reader) => {
                let whole = io::Cursor::new(start.to_vec()).chain(reader);
                *self = Input::Gzip(Box::new(flate2::read::MultiGzDecoder::new(whole)));
                true
            }
            other => {
                *self = other;
                false
            }
        }
    }

    #[cfg(not(feature = "gzip"))]
    #[expect(clippy::unused_self, reason = "the feature `gzip` uses it")]
    fn decompress(&mut self, _: &[u8]) -> bool {
        false
    }
}

impl<R> std::fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Input")
    }
}

/// Why the text ends before the document does.
#[derive(Debug)]
pub(crate) enum Failure {
    Io(io::Error),
    /// The first byte that is not UTF-8.
    Utf8(u8),
    /// Another encoding, or no text at all.
    Encoding(String),
}

impl Failure {
    fn not_utf8(bytes: &[u8]) -> Self {
        Failure::Utf8(bytes.first().copied().unwrap_or_default())
    }

    #[cold]
    fn into_error(self, position: Position) -> Error {
        match self {
            Failure::Io(error) => {
                let message = format!("cannot read the sitemap: {error}");
                Error::io(error, message)
            }
            Failure::Utf8(byte) => Error::new(
                Category::Syntax,
                format!("the byte 0x{byte:02X} is not UTF-8 here (P-UTF8); convert the file to UTF-8"),
            )
            .rule("P-UTF8"),
            Failure::Encoding(message) => Error::new(Category::Syntax, message).rule("P-UTF8"),
        }
        .at(position)
    }
}

//! A document in memory.

use std::cell::Cell;

use crate::error::{Position, Result};
use crate::xml::encoding::{self, Detected};
use crate::xml::position::Lines;

use super::{DocumentSource, Failure, SourceText, StreamSource, Window};

/// The byte order mark: not part of the text, but counted as bytes of the document.
const MARK: &str = "\u{FEFF}";

/// A document in memory, as text or as bytes.
#[derive(Debug)]
pub struct SliceSource<'de> {
    content: SliceContent<'de>,
}

#[derive(Debug)]
enum SliceContent<'de> {
    /// UTF-8 that can be borrowed from.
    Text(TextSource<'de>),
    /// Bytes to be decoded or decompressed.
    Bytes(Box<StreamSource<&'de [u8]>>),
}

#[derive(Debug)]
struct TextSource<'de> {
    text: &'de str,
    /// Length of the byte order mark before the text.
    offset: u64,
    /// The failure to report after the text.
    failure: Option<Failure>,
    /// The whole document, if not all of it is UTF-8.
    odd: Option<&'de [u8]>,
    /// Whether the document was given as text, not as bytes.
    decoded: bool,
    /// The last position whose line and column were counted. Positions are asked for in rising order, so that all of
    /// them are counted in one pass over the text.
    counted: Cell<(usize, Lines)>,
    /// The last counted position that further ones will be counted from.
    marked: Cell<(usize, Lines)>,
}

impl<'de> SliceSource<'de> {
    pub(crate) fn from_str(text: &'de str) -> Self {
        SliceSource {
            content: SliceContent::Text(TextSource::new(text, None, true)),
        }
    }

    pub(crate) fn from_slice(bytes: &'de [u8]) -> Self {
        let detected = encoding::detect(bytes);
        if !matches!(detected, Detected::Utf8 { .. }) {
            let content = SliceContent::Bytes(Box::new(StreamSource::new(bytes)));
            return SliceSource { content };
        }
        let source = match std::str::from_utf8(bytes) {
            Ok(text) => TextSource::new(text, None, false),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                let failure = Failure::not_utf8(rest, error);
                let text = std::str::from_utf8(valid).unwrap_or_default();
                TextSource {
                    odd: Some(bytes),
                    ..TextSource::new(text, Some(failure), false)
                }
            }
        };
        SliceSource {
            content: SliceContent::Text(source),
        }
    }
}

impl<'de> TextSource<'de> {
    fn new(text: &'de str, failure: Option<Failure>, decoded: bool) -> Self {
        let rest = text.strip_prefix(MARK).unwrap_or(text);
        TextSource {
            text: rest,
            offset: (text.len() - rest.len()) as u64,
            failure,
            odd: None,
            decoded,
            counted: Cell::new((0, Lines::START)),
            marked: Cell::new((0, Lines::START)),
        }
    }

    fn lines_at(&self, at: usize) -> Lines {
        let places = [self.counted.get(), self.marked.get()];
        let (from, mut lines) = Lines::last_up_to(at, Lines::START, places);
        debug_assert!(self.text.is_char_boundary(at), "a position within a character");
        lines.advance(self.text.get(from..at).unwrap_or_default());
        lines
    }

    fn position_behind(&self, mark: usize, at: usize) -> Position {
        if self.marked.get().0 != mark {
            self.marked.set((mark, self.lines_at(mark)));
        }
        self.position(at)
    }

    fn position(&self, at: usize) -> Position {
        let lines = self.lines_at(at);
        self.counted.set((at, lines));
        lines.at(self.offset + at as u64)
    }
}

impl Window for SliceSource<'_> {
    #[inline]
    fn window(&self) -> &str {
        match &self.content {
            SliceContent::Text(source) => source.text,
            SliceContent::Bytes(source) => source.window(),
        }
    }

    fn let_go(&mut self, done: usize) -> usize {
        match &mut self.content {
            SliceContent::Text(_) => 0,
            SliceContent::Bytes(source) => source.let_go(done),
        }
    }

    fn more(&mut self) -> Result<bool> {
        match &mut self.content {
            SliceContent::Text(source) => match source.failure.take() {
                None => Ok(false),
                Some(failure) => Err(failure.into_error(source.position(source.text.len()))),
            },
            SliceContent::Bytes(source) => source.more(),
        }
    }

    fn position_behind(&self, mark: usize, at: usize) -> Position {
        match &self.content {
            SliceContent::Text(source) => source.position_behind(mark, at),
            SliceContent::Bytes(source) => source.position_behind(mark, at),
        }
    }

    fn limit_decompressed(&mut self, most: u64) {
        if let SliceContent::Bytes(source) = &mut self.content {
            source.limit_decompressed(most);
        }
    }

    fn take_odd_bytes(&mut self) {
        if let SliceContent::Text(TextSource { odd: Some(bytes), .. }) = &self.content {
            let mut source = StreamSource::new(*bytes);
            source.take_odd_bytes();
            self.content = SliceContent::Bytes(Box::new(source));
        } else if let SliceContent::Bytes(source) = &mut self.content {
            source.take_odd_bytes();
        }
    }

    fn odd_bytes(&self) -> Option<(Position, &'static str)> {
        match &self.content {
            SliceContent::Text(_) => None,
            SliceContent::Bytes(source) => source.odd_bytes(),
        }
    }

    fn offset(&self) -> u64 {
        match &self.content {
            SliceContent::Text(source) => source.offset,
            SliceContent::Bytes(source) => source.offset(),
        }
    }

    fn position(&self, at: usize) -> Position {
        match &self.content {
            SliceContent::Text(source) => source.position(at),
            SliceContent::Bytes(source) => source.position(at),
        }
    }

    /// A `str` has been decoded already, so any declared encoding is accepted.
    fn check_declared(&self, label: &str) -> Result<()> {
        match &self.content {
            SliceContent::Text(source) if source.decoded => Ok(()),
            SliceContent::Text(source) => encoding::check_utf8(label, source.offset > 0),
            SliceContent::Bytes(source) => source.check_declared(label),
        }
    }
}

impl<'de> DocumentSource<'de> for SliceSource<'de> {
    #[inline]
    fn window_text(&self) -> SourceText<'de, '_> {
        match &self.content {
            SliceContent::Text(source) => SourceText::Borrowed(source.text),
            SliceContent::Bytes(source) => SourceText::Transient(source.window()),
        }
    }
}

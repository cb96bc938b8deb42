//! A document in memory.

use crate::error::{Position, Result};
use crate::xml::encoding::{self, Detected};
use crate::xml::position::CountedLines;

use super::{DocumentSource, Failure, SourceText, StreamSource, Window};

/// The byte order mark: not part of the text, but included in byte positions.
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
    /// The failure to report after the text.
    failure: Option<Failure>,
    /// The whole document, if not all of it is UTF-8.
    odd: Option<&'de [u8]>,
    /// `true` if the document came as text, not as bytes.
    decoded: bool,
    lines: CountedLines,
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
            failure,
            odd: None,
            decoded,
            lines: CountedLines::new((text.len() - rest.len()) as u64),
        }
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
                Some(failure) => Err(failure.into_error(source.lines.end(source.text))),
            },
            SliceContent::Bytes(source) => source.more(),
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
            SliceContent::Text(source) => source.lines.start(),
            SliceContent::Bytes(source) => source.offset(),
        }
    }

    fn position(&self, mark: usize, at: usize) -> Position {
        match &self.content {
            SliceContent::Text(source) => source.lines.position(source.text, mark, at),
            SliceContent::Bytes(source) => source.position(mark, at),
        }
    }

    /// A `str` has been decoded already, so any declared encoding is accepted.
    fn check_declared(&self, label: &str) -> Result<()> {
        match &self.content {
            SliceContent::Text(source) if source.decoded => Ok(()),
            SliceContent::Text(source) => encoding::check_utf8(label, source.lines.start() > 0),
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

//! A document read from a reader while it is scanned.

use std::io::Read;

use crate::error::{Position, Result};
use crate::xml::encoding::{self, Detected};
use crate::xml::position::CountedLines;

use super::input::Input;
use super::{DocumentSource, Failure, SourceText, Window};

/// Bytes read at a time.
const BLOCK: usize = 32 << 10;

/// A document read from a reader, through a window about as large as its largest entry.
#[derive(Debug)]
pub struct StreamSource<R> {
    reader: Input<R>,
    window: String,
    lines: CountedLines,
    /// Bytes that were read but are not in the window yet: all bytes until the encoding is known, then the bytes of an incomplete
    /// character.
    block: Vec<u8>,
    filled: usize,
    decoding: Decoding,
    ended: bool,
    /// The failure to report after the text.
    failure: Option<Failure>,
    /// `true` if bytes that are not UTF-8 are read as windows-1252, and the position of the first of them.
    takes_odd_bytes: bool,
    odd: Option<(Position, &'static str)>,
    /// Maximum number of decompressed bytes.
    most_decompressed: u64,
}

/// The conversion of bytes to text.
enum Decoding {
    /// Too few bytes were read to detect the encoding.
    Unknown,
    Utf8,
    #[cfg(feature = "encoding")]
    Other(Box<encoding_rs::Decoder>),
}

impl std::fmt::Debug for Decoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Decoding::Unknown => "Unknown",
            Decoding::Utf8 => "Utf8",
            #[cfg(feature = "encoding")]
            Decoding::Other(decoder) => decoder.encoding().name(),
        })
    }
}

impl<R: Read> StreamSource<R> {
    pub(crate) fn new(reader: R) -> Self {
        StreamSource {
            reader: Input::Plain(reader),
            window: String::new(),
            lines: CountedLines::new(0),
            block: Vec::new(),
            filled: 0,
            decoding: Decoding::Unknown,
            ended: false,
            failure: None,
            takes_odd_bytes: false,
            odd: None,
            most_decompressed: u64::MAX,
        }
    }

    /// Returns `true` if the text has the same bytes as the document, that is, nothing was decoded.
    pub(super) fn is_utf8(&self) -> bool {
        !self.is_decoded()
    }

    #[cfg(feature = "encoding")]
    fn is_decoded(&self) -> bool {
        matches!(self.decoding, Decoding::Other(_))
    }

    #[cfg(not(feature = "encoding"))]
    #[expect(clippy::unused_self, reason = "the feature `encoding` uses it")]
    fn is_decoded(&self) -> bool {
        false
    }

    /// Calls the reader once; `false` at the end.
    fn read(&mut self) -> Result<bool, Failure> {
        if self.block.is_empty() {
            self.block.resize(BLOCK, 0);
        }
        let read = self.reader.read(&mut self.block[self.filled..])?;
        self.filled += read;
        Ok(read > 0)
    }

    /// Detects the encoding from the first bytes; `false` if they are compressed and must be read again.
    fn start(&mut self) -> bool {
        let start = &self.block[..self.filled];
        if self
            .reader
            .decompress(start, &mut self.failure, self.most_decompressed)
        {
            self.filled = 0;
            self.ended = false;
            return false;
        }
        let is_text = |b: &u8| matches!(b, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        if self.failure.is_some() && !encoding::is_enough(start) && !start.iter().all(is_text) {
            // The bytes before the failure are too few to detect the encoding, so they cannot be decoded.
            self.filled = 0;
        }
        let start = &self.block[..self.filled];
        let mark = match encoding::detect(start) {
            Detected::Utf8 { mark } => {
                self.decoding = Decoding::Utf8;
                self.lines = CountedLines::new(mark as u64);
                mark
            }
            #[cfg(feature = "encoding")]
            Detected::Other { encoding, mark } => {
                self.decoding = Decoding::Other(Box::new(encoding.new_decoder_without_bom_handling()));
                mark
            }
            Detected::Unreadable(error) => {
                self.decoding = Decoding::Utf8;
                self.failure = Some(Failure::Unreadable(error));
                self.filled
            }
        };
        self.drop_front(mark);
        true
    }

    fn drop_front(&mut self, len: usize) {
        self.block.copy_within(len..self.filled, 0);
        self.filled -= len;
    }

    /// Moves whole and valid characters from the block to the window.
    fn take_block(&mut self) {
        #[cfg(feature = "encoding")]
        if let Decoding::Other(decoder) = &mut self.decoding {
            let name = decoder.encoding().name();
            let ends = self.ended && self.failure.is_none();
            for (bytes, is_last) in [(&self.block[..self.filled], false), (&[][..], true)] {
                if is_last && !ends {
                    break;
                }
                let mut done = 0;
                while !decode(decoder, &bytes[done..], &mut self.window, is_last, &mut done) {
                    if !self.takes_odd_bytes {
                        // At the end, only a truncated character is invalid.
                        self.failure = Some(if is_last {
                            Failure::CutOff
                        } else {
                            Failure::Malformed(name)
                        });
                        self.filled = 0;
                        return;
                    }
                    if self.odd.is_none() {
                        self.odd = Some((self.lines.end(&self.window), name));
                    }
                    self.window.push(char::REPLACEMENT_CHARACTER);
                }
            }
            self.filled = 0;
            return;
        }
        if self.takes_odd_bytes {
            self.take_all();
            return;
        }
        let bytes = &self.block[..self.filled];
        let (text, rest) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, self.filled),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                if error.error_len().is_some() || (self.ended && self.failure.is_none()) {
                    self.failure = Some(Failure::not_utf8(rest, error));
                }
                (std::str::from_utf8(valid).unwrap_or_default(), valid.len())
            }
        };
        self.window.push_str(text);
        self.drop_front(rest);
    }
}

impl<R> StreamSource<R> {
    pub(crate) fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }

    pub(crate) fn get_mut(&mut self) -> &mut R {
        self.reader.get_mut()
    }

    pub(crate) fn into_inner(self) -> R {
        self.reader.into_inner()
    }

    /// Moves the whole block to the window, except for an incomplete character at its end.
    fn take_all(&mut self) {
        let mut done = 0;
        while let Err(error) = std::str::from_utf8(&self.block[done..self.filled]) {
            let odd = done + error.valid_up_to();
            let valid = std::str::from_utf8(&self.block[done..odd]).unwrap_or_default();
            self.window.push_str(valid);
            done = odd;
            let len = match error.error_len() {
                Some(len) => len,
                None if self.ended => self.filled - odd,
                None => break,
            };
            if self.odd.is_none() {
                self.odd = Some((self.lines.end(&self.window), "UTF-8"));
            }
            let bytes = &self.block[odd..odd + len];
            self.window
                .extend(bytes.iter().map(|b| encoding::windows_1252(*b)));
            done = odd + len;
        }
        if let Ok(rest) = std::str::from_utf8(&self.block[done..self.filled]) {
            self.window.push_str(rest);
            done = self.filled;
        }
        self.block.copy_within(done..self.filled, 0);
        self.filled -= done;
    }
}

/// Decodes bytes and appends the text up to the first malformed ones; returns `false` if there are any. `last` is `true` for the
/// last bytes of the document; `done` receives the number of decoded bytes.
#[cfg(feature = "encoding")]
fn decode(
    decoder: &mut encoding_rs::Decoder,
    bytes: &[u8],
    text: &mut String,
    last: bool,
    done: &mut usize,
) -> bool {
    use encoding_rs::DecoderResult;
    let mut used = 0;
    loop {
        let rest = &bytes[used..];
        // Reserve room for the whole text, if the decoder can tell its length.
        let most = decoder.max_utf8_buffer_length_without_replacement(rest.len());
        text.reserve(most.unwrap_or(BLOCK));
        let (result, read) = decoder.decode_to_string_without_replacement(rest, text, last);
        used += read;
        *done += read;
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => return false,
        }
    }
}

impl<R: Read> Window for StreamSource<R> {
    #[inline]
    fn window(&self) -> &str {
        &self.window
    }

    fn let_go(&mut self, done: usize) -> usize {
        self.lines.let_go(&self.window, done);
        self.window.drain(..done);
        done
    }

    fn more(&mut self) -> Result<bool> {
        let before = self.window.len();
        loop {
            if let Some(failure) = self.failure.take() {
                self.ended = true;
                return Err(failure.into_error(self.lines.end(&self.window)));
            }
            if self.ended {
                return Ok(false);
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(failure) => {
                    self.failure = Some(failure);
                    self.ended = true;
                }
            }
            if matches!(self.decoding, Decoding::Unknown)
                && ((!self.ended && !encoding::is_enough(&self.block[..self.filled])) || !self.start())
            {
                continue;
            }
            self.take_block();
            if self.window.len() > before {
                return Ok(true);
            }
        }
    }

    fn limit_decompressed(&mut self, most: u64) {
        self.most_decompressed = most;
    }

    fn take_odd_bytes(&mut self) {
        self.takes_odd_bytes = true;
    }

    fn odd_bytes(&self) -> Option<(Position, &'static str)> {
        self.odd
    }

    fn offset(&self) -> u64 {
        self.lines.start()
    }

    fn position(&self, mark: usize, at: usize) -> Position {
        self.lines.position(&self.window, mark, at)
    }

    fn check_declared(&self, label: &str) -> Result<()> {
        match self.decoding {
            Decoding::Unknown | Decoding::Utf8 => encoding::check_utf8(label, self.lines.start() > 0),
            #[cfg(feature = "encoding")]
            Decoding::Other(_) => Ok(()),
        }
    }
}

impl<'de, R: Read> DocumentSource<'de> for StreamSource<R> {
    #[inline]
    fn window_text(&self) -> SourceText<'de, '_> {
        SourceText::Transient(&self.window)
    }
}

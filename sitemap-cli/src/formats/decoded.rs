//! The text of a document: decompressed, and in UTF-8.
//!
//! **The command itself decodes text, JSON and CSV**: gzip, then UTF-16 by its byte order mark. Damage is an error of its own type after
//! the text before it (`Damage`), so that a reader can decide whether the unfinished line is complete.
//!
//! The command also parses the rows of CSV (`formats/rows`). An extra quote costs only its own line: the text read in search of the quote's
//! end is read again, up to 64 MiB in total, so the time stays linear. An extra quote is detected by impossible content: text after a
//! closing quote, a quote in an unquoted value, a line break in a URL or a date.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Cursor, ErrorKind, Read};

use flate2::bufread::GzDecoder;

use crate::input::HEAD;

/// The first bytes of gzip (RFC 1952 section 2.3.1).
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The size of compressed data read at a time. Text in the same piece as damaged data is lost.
const PIECE: usize = 512;

/// The text of a document: decompressed, and decoded by its byte order mark. Its beginning can be inspected.
pub(crate) struct Decoded(Begun<Box<dyn Read>>);

impl Decoded {
    /// Reads the beginning of a document.
    pub(crate) fn new(document: Box<dyn Read>) -> Self {
        let document = Begun::new(document, GZIP.len());
        let text: Box<dyn Read> = if document.start == GZIP {
            Box::new(Gunzip::new(document))
        } else {
            Box::new(document)
        };
        let text = Begun::new(text, 3);
        let text: Box<dyn Read> = match *text.start {
            [0xFF, 0xFE, ..] => Box::new(Utf16::new(text.without_start(2), u16::from_le_bytes)),
            [0xFE, 0xFF, ..] => Box::new(Utf16::new(text.without_start(2), u16::from_be_bytes)),
            [0xEF, 0xBB, 0xBF] => Box::new(text.without_start(3)),
            _ => Box::new(text),
        };
        Decoded(Begun::new(text, HEAD))
    }

    /// Returns the beginning, as far as it is readable.
    pub(crate) fn start(&self) -> &[u8] {
        &self.0.start
    }

    /// Returns the error that leaves nothing of the document readable.
    pub(crate) fn take_failure(&mut self) -> Option<io::Error> {
        self.0.failure.take_if(|_| self.0.start.is_empty())
    }
}

impl Read for Decoded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

/// A reader whose first bytes were already read.
struct Begun<R> {
    start: Vec<u8>,
    /// The number of bytes of the start that were already returned.
    given: usize,
    /// The error after the start.
    failure: Option<io::Error>,
    rest: R,
}

impl<R: Read> Begun<R> {
    fn new(mut reader: R, most: usize) -> Self {
        let mut start = Vec::new();
        let failure = reader.by_ref().take(most as u64).read_to_end(&mut start).err();
        Begun {
            start,
            given: 0,
            failure,
            rest: reader,
        }
    }

    fn without_start(mut self, len: usize) -> Self {
        self.given = len;
        self
    }
}

impl<R: Read> Read for Begun<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut start = self.start.get(self.given..).unwrap_or_default();
        if !start.is_empty() {
            let len = start.read(into)?;
            self.given += len;
            return Ok(len);
        }
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.rest.read(into),
        }
    }
}

/// Damage of a document. The content before it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The rest is missing.
    Truncated,
    /// The rest cannot be decompressed.
    Corrupt,
    /// The checksum is wrong, but nothing is missing.
    Checksum,
    /// The document is invalid in its encoding.
    Encoding,
    /// The document ends within this kind of JSON value.
    Unended(&'static str),
}

impl Damage {
    /// Returns the damage that caused an error.
    pub(crate) fn of(error: &anyhow::Error) -> Option<Self> {
        let mut causes = error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<io::Error>());
        causes.find_map(|error| error.get_ref()?.downcast_ref().copied())
    }

    /// Returns `true` if text is missing, so the last line is incomplete.
    pub(crate) fn cuts(error: &io::Error) -> bool {
        let damage = error.get_ref().and_then(|error| error.downcast_ref());
        damage != Some(&Damage::Checksum)
    }

    pub(super) fn into_error(self) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, self)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Damage::Unended(what) = self {
            return write!(
                f,
                "the {what} does not end: the document is truncated; get a complete copy"
            );
        }
        f.write_str(match self {
            Damage::Truncated => "the compressed document is truncated (P-GZIP); get a complete copy",
            Damage::Corrupt => "the compressed document is damaged from here on (P-GZIP); get a new copy",
            Damage::Checksum => {
                "the checksum of the compressed document is wrong: any part of it may be damaged (P-GZIP); get a new copy"
            }
            Damage::Encoding | Damage::Unended(_) => "bytes that are invalid in UTF-16 (P-UTF8); convert the document to UTF-8",
        })
    }
}

impl Error for Damage {}

/// Decompresses the members of a document.
pub(crate) struct Gunzip<R> {
    member: Option<GzDecoder<io::BufReader<R>>>,
}

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(compressed: R) -> Self {
        Gunzip {
            member: Some(GzDecoder::new(io::BufReader::new(compressed))),
        }
    }

    /// Begins the next member, if there is one. Tapes and mirrors pad files with zeros, and the library's reader accepts that.
    fn next_member(&mut self) -> io::Result<bool> {
        let Some(member) = self.member.take() else {
            return Ok(false);
        };
        let mut compressed = member.into_inner();
        let mut is_padding = false;
        loop {
            let block = compressed.fill_buf()?;
            match block.iter().position(|b| *b != 0) {
                _ if block.is_empty() => return Ok(false),
                Some(0) if !is_padding => {
                    self.member = Some(GzDecoder::new(compressed));
                    return Ok(true);
                }
                Some(_) => return Err(Damage::Corrupt.into_error()),
                None => {
                    let len = block.len();
                    compressed.consume(len);
                    is_padding = true;
                }
            }
        }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = into.len().min(PIECE);
        let read = loop {
            match self.member.as_mut().map(|member| member.read(&mut into[..len])) {
                Some(Ok(0)) if len > 0 => {
                    if !self.next_member()? {
                        return Ok(0);
                    }
                }
                None => return Ok(0),
                Some(read) => break read,
            }
        };
        read.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Damage::Truncated.into_error(),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                let is_checksum = error.to_string().contains("checksum");
                let damage = if is_checksum {
                    Damage::Checksum
                } else {
                    Damage::Corrupt
                };
                damage.into_error()
            }
            _ => error,
        })
    }
}

/// Decodes UTF-16.
struct Utf16<R> {
    source: R,
    unit: fn([u8; 2]) -> u16,
    /// Bytes of an incomplete character.
    rest: Vec<u8>,
    text: Cursor<Vec<u8>>,
}

impl<R: Read> Utf16<R> {
    fn new(source: R, unit: fn([u8; 2]) -> u16) -> Self {
        Utf16 {
            source,
            unit,
            rest: Vec::new(),
            text: Cursor::default(),
        }
    }

    /// Decodes the next bytes. Returns `false` at the end.
    fn decode(&mut self) -> io::Result<bool> {
        let mut block = [0; 4096];
        let len = self.source.read(&mut block)?;
        if len == 0 {
            let is_whole = self.rest.is_empty();
            self.rest.clear();
            return if is_whole {
                Ok(false)
            } else {
                Err(Damage::Encoding.into_error())
            };
        }
        self.rest.extend(block.iter().take(len));
        let (pairs, odd) = self.rest.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|pair| (self.unit)(*pair)).collect();
        // The first half of a surrogate pair waits for the second.
        let is_half = units.pop_if(|unit| matches!(unit, 0xD800..0xDC00)).is_some();
        let waiting = odd.len() + if is_half { 2 } else { 0 };
        let decoded: Result<String, _> = char::decode_utf16(units).collect();
        let text = decoded.map_err(|_| Damage::Encoding.into_error())?;
        let done = self.rest.len() - waiting;
        self.rest.drain(..done);
        self.text = Cursor::new(text.into_bytes());
        Ok(true)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.text.read(into)?;
            if len > 0 || into.is_empty() || !self.decode()? {
                return Ok(len);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Damage, Decoded};

    /// Returns one byte at a time.
    struct Trickle(Vec<u8>, usize);

    impl Read for Trickle {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let (Some(byte), Some(place)) = (self.0.get(self.1), into.first_mut()) else {
                return Ok(0);
            };
            (*place, self.1) = (*byte, self.1 + 1);
            Ok(1)
        }
    }

    fn decoded(bytes: &[u8]) -> (Vec<u8>, Option<Damage>) {
        let mut text = Vec::new();
        let failure = Decoded::new(Box::new(Trickle(bytes.to_vec(), 0)))
            .read_to_end(&mut text)
            .err();
        let damage = failure.map(|error| Damage::of(&error.into()).unwrap());
        (text, damage)
    }

    /// In every encoding and compression, cut at every byte: the text before the cut is read, and the cut is an error.
    #[test]
    fn texts_are_decoded() {
        let text = "loc;lastmod\r\nhttps://example.com/é/𝄞/サイト;2026-05-01\r\n".repeat(400);
        let bytes = text.clone().into_bytes();
        let units = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("\u{FEFF}{text}").encode_utf16().flat_map(unit).collect()
        };
        let marked = format!("\u{FEFF}{text}").into_bytes();
        for plain in [
            text.clone().into_bytes(),
            marked,
            units(u16::to_le_bytes),
            units(u16::to_be_bytes),
        ] {
            assert_eq!(decoded(&plain), (bytes.clone(), None));
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&plain).unwrap();
            let gzip = gzip.finish().unwrap();
            assert_eq!(decoded(&gzip), (bytes.clone(), None));
            for cut in (2..gzip.len()).step_by(7) {
                let (read, damage) = decoded(&gzip[..cut]);
                assert!(bytes.starts_with(&read), "{cut}");
                assert_eq!(damage, Some(Damage::Truncated), "{cut}");
            }
            let mut wrong = gzip.clone();
            let checksum = wrong.len() - 8;
            wrong[checksum] ^= 1;
            assert_eq!(decoded(&wrong), (bytes.clone(), Some(Damage::Checksum)));
        }
        let half = [0xFF, 0xFE, b'a', 0, 0x34, 0xD8];
        assert_eq!(decoded(&half), (b"a".to_vec(), Some(Damage::Encoding)));
        assert_eq!(
            decoded(&[0xFF, 0xFE, b'a', 0, 0, 0xDC, b'b', 0]).1,
            Some(Damage::Encoding)
        );
        assert_eq!(decoded(&[0xFE, 0xFF, 0]).1, Some(Damage::Encoding));
        assert_eq!(decoded(b""), (Vec::new(), None));
    }
}

//! The encodings of a body, declared by its head or detected in its content.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use flate2::bufread::{DeflateDecoder, GzDecoder, MultiGzDecoder, ZlibDecoder};

/// The first bytes of a gzip member (RFC 1952 section 2.3.1).
const GZIP: [u8; 3] = [0x1F, 0x8B, 8];

/// Maximum bytes of a body that are searched for compression: names in a gzip header may be long.
const START_BYTES: usize = 8 << 10;

/// The bytes of a body that show whether it is text.
const SIGN_BYTES: usize = 64;

/// The encodings that `Content-Encoding` declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encodings {
    is_gzip: bool,
    is_deflate: bool,
    /// An encoding that this crate cannot decode.
    unknown: Option<Box<str>>,
}

impl Encodings {
    /// Adds the names in the value of a header.
    pub(crate) fn add(&mut self, value: &str) {
        for name in value.split(',').map(str::trim) {
            match name.to_ascii_lowercase().as_str() {
                "" | "identity" | "aws-chunked" | "utf-8" => {}
                "gzip" | "x-gzip" => self.is_gzip = true,
                "deflate" => self.is_deflate = true,
                _ => {
                    self.unknown
                        .get_or_insert_with(|| name.chars().take(40).collect());
                }
            }
        }
    }
}

/// The body of a response, decoded as its head declares. A file that is itself compressed stays compressed, once;
/// [`text`](Self::text) decompresses it too.
///
/// ```
/// use std::io::Read;
/// use sitemap_tree::Head;
///
/// let mut head = Head::new(200);
/// head.header("Content-Encoding", b"deflate");
/// let zlib = [0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0x02, 0x4D, 0x01, 0x27];
/// let mut text = String::new();
/// head.body(&zlib[..]).text().read_to_string(&mut text)?;
/// assert_eq!(text, "abc");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct BodyReader<R: Read> {
    layer: Layer<R>,
    is_compressed_twice: bool,
}

type Raw<R> = BufReader<Start<R>>;

enum Layer<R: Read> {
    Plain(Raw<R>),
    Gzip(Box<MultiGzDecoder<Raw<R>>>),
    Zlib(Box<ZlibDecoder<Raw<R>>>),
    Deflate(Box<DeflateDecoder<Raw<R>>>),
    /// It cannot be decoded, for this reason.
    Unknown(Raw<R>, Box<str>),
}

impl<R: Read> BodyReader<R> {
    /// Reads the start of a body, to detect its compression. An error is returned when the reader reaches its position.
    pub(crate) fn new(body: R, encodings: &Encodings) -> Self {
        let mut start = Start {
            bytes: Cursor::new(Vec::new()),
            error: None,
            rest: body,
        };
        if encodings.is_deflate || encodings.unknown.is_some() {
            start.fill(SIGN_BYTES);
        }
        let is_gzipped_gzip = start.is_gzipped_gzip();
        let bytes = start.bytes.get_ref();
        let is_zlib = matches!(bytes[..], [a, b, ..] if a & 15 == 8 && (u16::from(a) << 8 | u16::from(b)).is_multiple_of(31));
        // Many servers declare an encoding, but send plain text.
        let is_text = is_text(bytes);
        let is_gzip = bytes.starts_with(&GZIP);
        let raw = BufReader::new(start);
        let layer = if is_gzipped_gzip {
            Layer::Gzip(Box::new(MultiGzDecoder::new(raw)))
        } else if let Some(name) = encodings.unknown.as_ref().filter(|_| !is_gzip && !is_text) {
            Layer::Unknown(raw, name.clone())
        } else if encodings.is_deflate && is_zlib {
            Layer::Zlib(Box::new(ZlibDecoder::new(raw)))
        } else if encodings.is_deflate && !is_gzip && !is_text {
            Layer::Deflate(Box::new(DeflateDecoder::new(raw)))
        } else {
            Layer::Plain(raw)
        };
        BodyReader {
            layer,
            is_compressed_twice: is_gzipped_gzip && !encodings.is_gzip,
        }
    }

    /// `true` if the file itself is compressed with gzip twice, not counting `Content-Encoding`. It is still read here, but not
    /// by other readers.
    pub fn is_compressed_twice(&self) -> bool {
        self.is_compressed_twice
    }

    /// The body without any compression.
    pub fn text(self) -> impl Read + fmt::Debug {
        self.into_text()
    }

    pub(crate) fn into_text(self) -> TextReader<R> {
        let mut body = BufReader::new(self);
        match body.fill_buf() {
            Ok(bytes) if bytes.starts_with(&GZIP[..2]) => {
                TextReader(Text::Gzip(Box::new(MultiGzDecoder::new(body))))
            }
            Ok(_) => TextReader(Text::Plain(body)),
            Err(error) => TextReader(Text::Failed(Some(error), body)),
        }
    }

    /// The body as sent, without the bytes that were read ahead.
    pub(crate) fn into_inner(self) -> R {
        let raw = match self.layer {
            Layer::Plain(raw) | Layer::Unknown(raw, _) => raw,
            Layer::Gzip(decoder) => decoder.into_inner(),
            Layer::Zlib(decoder) => decoder.into_inner(),
            Layer::Deflate(decoder) => decoder.into_inner(),
        };
        raw.into_inner().rest
    }
}

impl<R: Read> Read for BodyReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.layer {
            Layer::Plain(raw) => raw.read(buffer),
            Layer::Gzip(decoder) => decoder.read(buffer),
            Layer::Zlib(decoder) => decoder.read(buffer),
            Layer::Deflate(decoder) => decoder.read(buffer),
            Layer::Unknown(_, name) => Err(io::Error::new(
                ErrorKind::Unsupported,
                format!("its body is encoded (`Content-Encoding: {name}`), which was not requested"),
            )),
        }
    }
}

impl<R: Read> fmt::Debug for BodyReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyReader").finish_non_exhaustive()
    }
}

/// The body of a response without any compression.
pub(crate) struct TextReader<R: Read>(Text<BufReader<BodyReader<R>>>);

enum Text<B> {
    Plain(B),
    Gzip(Box<MultiGzDecoder<B>>),
    /// Its first bytes could not be read.
    Failed(Option<io::Error>, B),
}

impl<R: Read> TextReader<R> {
    pub(crate) fn into_inner(self) -> BodyReader<R> {
        match self.0 {
            Text::Plain(body) | Text::Failed(_, body) => body.into_inner(),
            Text::Gzip(decoder) => decoder.into_inner().into_inner(),
        }
    }
}

impl<R: Read> Read for TextReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Text::Plain(body) => body.read(buffer),
            Text::Gzip(decoder) => decoder.read(buffer),
            Text::Failed(error, body) => error.take().map_or_else(|| body.read(buffer), Err),
        }
    }
}

impl<R: Read> fmt::Debug for TextReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader").finish_non_exhaustive()
    }
}

/// Returns `true` if a body starts like text. Compressed data does not.
fn is_text(start: &[u8]) -> bool {
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        // A character may be cut off.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.contains(|c: char| c.is_control() && !c.is_whitespace())
}

/// A body whose start was read.
struct Start<R> {
    bytes: Cursor<Vec<u8>>,
    /// The error after the start.
    error: Option<io::Error>,
    rest: R,
}

impl<R: Read> Start<R> {
    /// Reads the start, and returns `true` if it is gzip within gzip.
    fn is_gzipped_gzip(&mut self) -> bool {
        loop {
            let bytes = self.bytes.get_ref();
            let known = bytes.len().min(GZIP.len());
            if known > 0 && bytes[..known] != GZIP[..known] {
                return false;
            }
            let mut inner = [0; GZIP.len()];
            if known == GZIP.len() && GzDecoder::new(&**bytes).read_exact(&mut inner).is_ok() {
                return inner == GZIP;
            }
            let more = bytes.len() + 1;
            if more > START_BYTES || !self.fill(more) {
                return false;
            }
        }
    }

    /// Reads up to `most` bytes of the start. Returns `false` if the body has fewer.
    fn fill(&mut self, most: usize) -> bool {
        let mut block = [0; 1 << 10];
        while self.bytes.get_ref().len() < most && self.error.is_none() {
            match self.rest.read(&mut block) {
                Ok(0) => return false,
                Ok(read) => {
                    let read = block.get(..read).unwrap_or_default();
                    self.bytes.get_mut().extend_from_slice(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.error = Some(error),
            }
        }
        self.error.is_none()
    }
}

impl<R: Read> Read for Start<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.bytes.read(buffer)? {
            0 if !buffer.is_empty() => match self.error.take() {
                Some(error) => Err(error),
                None => self.rest.read(buffer),
            },
            read => Ok(read),
        }
    }
}

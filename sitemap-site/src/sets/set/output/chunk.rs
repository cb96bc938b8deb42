//! One chunk of a part's text: its hash, and its gzip.

use std::io;

#[cfg(feature = "gzip")]
use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use crate::hash::Branch;

/// Length of a chunk in bytes; only the last chunk of a file is shorter. BLAKE3 hashes chunks of this length as subtrees of its tree.
pub(super) const LENGTH: usize = 256 * 1024;
/// Maximum distance of deflate's references (RFC 1951).
#[cfg(feature = "gzip")]
pub(super) const WINDOW: usize = 32 * 1024;

/// A chunk of a part's text. Its buffers are reused for later chunks.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The end of the previous chunk, as deflate's dictionary, followed by the chunk.
    text: Vec<u8>,
    dictionary: usize,
    /// Offset of the chunk in the part's text.
    begins: u64,
    is_last: bool,
    branch: Option<Branch>,
    #[cfg(feature = "gzip")]
    compressed: Option<Compressed>,
}

#[cfg(feature = "gzip")]
#[derive(Debug, Default)]
struct Compressed {
    bytes: Vec<u8>,
    crc: Crc,
}

impl Chunk {
    /// An empty chunk at the beginning of a text. If `gzip`, it will be compressed.
    pub(super) fn first(mut self, gzip: bool) -> Self {
        self.text.clear();
        self.begin(0, 0, gzip);
        self
    }

    /// An empty chunk that follows `previous`.
    pub(super) fn after(mut self, previous: &Chunk) -> Self {
        self.text.clear();
        #[cfg(feature = "gzip")]
        if previous.compressed.is_some() {
            let window = previous.text.len().saturating_sub(WINDOW);
            self.text
                .extend_from_slice(previous.text.get(window..).unwrap_or_default());
        }
        let begins = previous.begins + previous.plain().len() as u64;
        self.begin(self.text.len(), begins, previous.is_compressed());
        self
    }

    fn begin(&mut self, dictionary: usize, begins: u64, gzip: bool) {
        self.dictionary = dictionary;
        self.begins = begins;
        self.is_last = false;
        self.branch = None;
        #[cfg(feature = "gzip")]
        {
            self.compressed = gzip.then(|| self.compressed.take().unwrap_or_default());
        }
        #[cfg(not(feature = "gzip"))]
        let _ = gzip;
    }

    #[cfg_attr(
        not(feature = "gzip"),
        expect(clippy::unused_self, reason = "without the feature no chunk is compressed")
    )]
    fn is_compressed(&self) -> bool {
        #[cfg(feature = "gzip")]
        return self.compressed.is_some();
        #[cfg(not(feature = "gzip"))]
        false
    }

    /// Appends the bytes that fit in the chunk, and returns the rest.
    pub(super) fn fill<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let room = LENGTH.saturating_sub(self.plain().len());
        let (taken, rest) = bytes.split_at(bytes.len().min(room));
        self.text.extend_from_slice(taken);
        rest
    }

    /// Marks the chunk as the last chunk of its file.
    pub(super) fn end(&mut self) {
        self.is_last = true;
    }

    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// `true` if this chunk is the whole file.
    pub(super) fn is_only(&self) -> bool {
        self.is_last && self.begins == 0
    }

    fn plain(&self) -> &[u8] {
        self.text.get(self.dictionary..).unwrap_or_default()
    }

    /// The bytes that belong into the file.
    pub(super) fn stored(&self) -> &[u8] {
        #[cfg(feature = "gzip")]
        if let Some(compressed) = &self.compressed {
            return &compressed.bytes;
        }
        self.plain()
    }

    /// The hash of the chunk; `None` until it is processed.
    pub(super) fn branch(&self) -> Option<Branch> {
        self.branch
    }

    /// The checksum of the chunk's text.
    #[cfg(feature = "gzip")]
    pub(super) fn crc(&self) -> Option<&Crc> {
        self.compressed.as_ref().map(|compressed| &compressed.crc)
    }

    /// Hashes the chunk, and compresses it if enabled.
    #[cfg_attr(
        not(feature = "gzip"),
        expect(clippy::unnecessary_wraps, reason = "compressing can fail")
    )]
    pub(super) fn process(&mut self, level: u32) -> io::Result<()> {
        self.branch = Some(Branch::of(self.plain(), self.begins, self.is_last));
        #[cfg(feature = "gzip")]
        if let Some(compressed) = &mut self.compressed {
            let (dictionary, plain) = self.text.split_at(self.dictionary);
            compressed.crc = Crc::new();
            compressed.crc.update(plain);
            return compress(dictionary, plain, self.is_last, level, &mut compressed.bytes);
        }
        #[cfg(not(feature = "gzip"))]
        let _ = level;
        Ok(())
    }
}

/// Compresses a chunk as a part of a deflate stream.
#[cfg(feature = "gzip")]
fn compress(
    dictionary: &[u8],
    plain: &[u8],
    is_last: bool,
    level: u32,
    compressed: &mut Vec<u8>,
) -> io::Result<()> {
    // A reset `Compress` sometimes finds other matches, but the same text must give the same file.
    let mut compress = Compress::new(Compression::new(level), false);
    if !dictionary.is_empty() {
        compress.set_dictionary(dictionary)?;
    }
    // All chunks but the last end at a whole byte, without the mark that ends the stream.
    let flush = if is_last {
        FlushCompress::Finish
    } else {
        FlushCompress::Sync
    };
    compressed.clear();
    let mut rest = plain;
    loop {
        // Room for the whole output, even if the text cannot be compressed: with less, the output would depend on the room.
        compressed.reserve(rest.len() + rest.len() / 64 + 4096);
        let (taken, made) = (compress.total_in(), compress.total_out());
        let status = compress.compress_vec(rest, compressed, flush)?;
        let taken = usize::try_from(compress.total_in() - taken).unwrap_or(usize::MAX);
        rest = rest.get(taken..).unwrap_or_default();
        let has_room = compressed.len() < compressed.capacity();
        let is_done = match status {
            Status::StreamEnd => true,
            Status::Ok | Status::BufError => !is_last && rest.is_empty() && has_room,
        };
        if is_done {
            return Ok(());
        }
        if taken == 0 && compress.total_out() == made {
            return Err(io::Error::other("deflate makes no progress"));
        }
    }
}

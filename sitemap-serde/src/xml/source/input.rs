//! The reader underneath, decompressed where that is needed.

use std::io::{self, Read};

#[cfg(feature = "gzip")]
use crate::xml::encoding;

/// The reader underneath, decompressed where that is needed (P-GZIP).
pub(super) enum Input<R> {
    Plain(R),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::read::MultiGzDecoder<io::Chain<io::Cursor<Vec<u8>>, R>>>),
    /// Only while one becomes the other.
    #[cfg(feature = "gzip")]
    Moving,
}

impl<R: Read> Input<R> {
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
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
    pub(super) fn decompress(&mut self, start: &[u8]) -> bool {
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
    pub(super) fn decompress(&mut self, _: &[u8]) -> bool {
        false
    }
}

impl<R> std::fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Input")
    }
}

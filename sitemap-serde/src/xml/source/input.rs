//! The reader underneath, decompressed where that is needed.

#[cfg(feature = "gzip")]
use std::io::{Chain, Cursor};
use std::io::{ErrorKind, Read};

use super::Failure;
#[cfg(feature = "gzip")]
use super::gzip::Gunzip;
#[cfg(feature = "gzip")]
use crate::xml::encoding;

/// The reader underneath, decompressed where that is needed (P-GZIP).
pub(super) enum Input<R> {
    Plain(R),
    #[cfg(feature = "gzip")]
    Gzip(Box<Gunzip<Chain<Cursor<Vec<u8>>, R>>>),
    /// Only while one becomes the other.
    #[cfg(feature = "gzip")]
    Moving,
}

impl<R: Read> Input<R> {
    /// Reads once, or says what follows instead of the document's end.
    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Failure> {
        match self {
            Input::Plain(reader) => loop {
                match reader.read(into) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    read => break read.map_err(Failure::Io),
                }
            },
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
                let whole = Cursor::new(start.to_vec()).chain(reader);
                *self = Input::Gzip(Box::new(Gunzip::new(whole)));
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

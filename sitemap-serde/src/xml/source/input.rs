//! The user's reader, with decompression if its data is compressed.

use std::io::Read;
#[cfg(feature = "gzip")]
use std::io::{Chain, Cursor, Error};

#[cfg(feature = "gzip")]
use super::gzip::Gunzip;
use super::{Failure, read_once};
#[cfg(feature = "gzip")]
use crate::xml::content;

/// The user's reader, with decompression if its data is compressed (P-GZIP).
pub(super) enum Input<R> {
    Plain(R),
    #[cfg(feature = "gzip")]
    Gzip(Box<Gunzip<Whole<R>>>),
    /// Placeholder during the change from plain to compressed.
    #[cfg(feature = "gzip")]
    Moving,
}

impl<R> Input<R> {
    pub(super) fn get_ref(&self) -> &R {
        match self {
            Input::Plain(reader) => reader,
            #[cfg(feature = "gzip")]
            Input::Gzip(gunzip) => &gunzip.compressed().get_ref().1.reader,
            #[cfg(feature = "gzip")]
            Input::Moving => unreachable!("a reader moves only within `decompress`"),
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        match self {
            Input::Plain(reader) => reader,
            #[cfg(feature = "gzip")]
            Input::Gzip(gunzip) => &mut gunzip.compressed_mut().get_mut().1.reader,
            #[cfg(feature = "gzip")]
            Input::Moving => unreachable!("a reader moves only within `decompress`"),
        }
    }

    pub(super) fn into_inner(self) -> R {
        match self {
            Input::Plain(reader) => reader,
            #[cfg(feature = "gzip")]
            Input::Gzip(gunzip) => gunzip.into_compressed().into_inner().1.reader,
            #[cfg(feature = "gzip")]
            Input::Moving => unreachable!("a reader moves only within `decompress`"),
        }
    }
}

impl<R: Read> Input<R> {
    /// Calls the reader once.
    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Failure> {
        match self {
            Input::Plain(reader) => read_once(reader, into),
            #[cfg(feature = "gzip")]
            Input::Gzip(reader) => reader.read(into),
            #[cfg(feature = "gzip")]
            Input::Moving => Ok(0),
        }
    }

    /// Switches to decompression if `start`, the reader's first bytes, is compressed data that this build can decompress.
    /// Returns `true` if it did; reading then begins again with `start`, and `failure` is repeated after it.
    #[cfg(feature = "gzip")]
    pub(super) fn decompress(&mut self, start: &[u8], failure: &mut Option<Failure>, most: u64) -> bool {
        if !content::is_gzip(start) {
            return false;
        }
        match std::mem::replace(self, Input::Moving) {
            Input::Plain(reader) => {
                let error = match failure.take() {
                    Some(Failure::Io(error)) => Some(error),
                    _ => None,
                };
                let whole = Cursor::new(start.to_vec()).chain(AfterFailure { error, reader });
                *self = Input::Gzip(Box::new(Gunzip::new(whole, most)));
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
    pub(super) fn decompress(&mut self, _: &[u8], _: &mut Option<Failure>, _: u64) -> bool {
        false
    }
}

/// The bytes that were read already, and then the rest.
#[cfg(feature = "gzip")]
type Whole<R> = Chain<Cursor<Vec<u8>>, AfterFailure<R>>;

/// A reader that repeats a failure, if there was one, before it continues.
#[cfg(feature = "gzip")]
pub(super) struct AfterFailure<R> {
    error: Option<Error>,
    reader: R,
}

#[cfg(feature = "gzip")]
impl<R: Read> Read for AfterFailure<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.reader.read(into),
        }
    }
}

impl<R> std::fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Input")
    }
}

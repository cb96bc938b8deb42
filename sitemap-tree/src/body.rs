//! The body of a response: counted, hashed, and checked against its declared length and the budget.

use std::io::{self, ErrorKind, Read};
use std::num::ParseIntError;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::Remaining;
use crate::took_longer::TookLonger;

#[derive(Debug)]
pub(crate) struct Body<R> {
    inner: R,
    remaining: Arc<Remaining>,
    pub(crate) content_length: Option<u64>,
    hasher: blake3::Hasher,
    pub(crate) wire_bytes: u64,
    pub(crate) is_at_end: bool,
    /// Why reading stopped.
    pub(crate) stop: Option<Stop>,
}

/// Why a body was not read to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It broke off.
    Cut(Box<str>),
    TimedOut(Option<Duration>),
    /// The budget has no bytes left.
    OutOfBytes,
}

impl<R> Body<R> {
    pub(crate) fn new(inner: R, content_length: Option<u64>, remaining: Arc<Remaining>) -> Self {
        Body {
            inner,
            remaining,
            content_length,
            hasher: blake3::Hasher::new(),
            wire_bytes: 0,
            is_at_end: false,
            stop: None,
        }
    }

    /// The hash of the whole body; `None` if it was not read to its end.
    pub(crate) fn hash(&self) -> Option<Hash> {
        self.is_at_end.then(|| {
            let mut hash = [0; 16];
            self.hasher.finalize_xof().fill(&mut hash);
            Hash(hash)
        })
    }

    fn stop(&mut self, stop: Stop) -> io::Error {
        let error = match &stop {
            Stop::Cut(problem) => io::Error::new(ErrorKind::UnexpectedEof, &**problem),
            Stop::TimedOut(_) => ErrorKind::TimedOut.into(),
            Stop::OutOfBytes => io::Error::other("the walk may transfer no more bytes"),
        };
        self.stop.get_or_insert(stop);
        error
    }
}

impl<R: Read> Body<R> {
    /// Reads the rest, up to a number of bytes.
    pub(crate) fn read_rest(&mut self, most: u64) {
        if !self.is_at_end && self.stop.is_none() {
            // A failure is in `stop`.
            let _ = io::copy(&mut self.take(most), &mut io::sink());
        }
    }
}

impl<R: Read> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(0) if buffer.is_empty() => Ok(0),
            Ok(0) => match self.content_length {
                Some(length) if self.wire_bytes < length => {
                    let problem = format!("it has {} of {length} bytes", self.wire_bytes);
                    Err(self.stop(Stop::Cut(problem.into())))
                }
                _ => {
                    self.is_at_end = true;
                    Ok(0)
                }
            },
            Ok(read) => {
                self.wire_bytes += read as u64;
                if !self.remaining.use_wire_bytes(read as u64) {
                    return Err(self.stop(Stop::OutOfBytes));
                }
                // A broken reader may return more bytes than the buffer holds.
                self.hasher.update(buffer.get(..read).unwrap_or_default());
                Ok(read)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => {
                let longer = error
                    .get_ref()
                    .and_then(|error| error.downcast_ref::<TookLonger>());
                Err(self.stop(Stop::TimedOut(longer.map(|longer| longer.0))))
            }
            Err(error) => Err(self.stop(Stop::Cut(error.to_string().into()))),
        }
    }
}

/// The end of a truncated body.
#[derive(Debug)]
pub(crate) struct Broken(pub(crate) Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The hash of a body: the first half of its BLAKE3. Serialized as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Hash([u8; 16]);

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        format!("{:032x}", u128::from_be_bytes(hash.0))
    }
}

impl TryFrom<String> for Hash {
    type Error = ParseIntError;

    fn try_from(text: String) -> Result<Self, ParseIntError> {
        u128::from_str_radix(&text, 16).map(|hash| Hash(hash.to_be_bytes()))
    }
}

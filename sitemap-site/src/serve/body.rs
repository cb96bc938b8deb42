//! The body of a response: whole before it is begun, in memory as gzip.

use std::io::{self, Cursor, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use flate2::bufread::GzDecoder;
use http_body::{Frame, SizeHint};

/// How much is inflated at a time.
const BLOCK: usize = 32 * 1024;

/// The body of a response of a [`Site`](super::Site).
///
/// It holds no connection, no thread and no row of a database: a client that is slow costs the compressed bytes, which it shares with
/// all others who read the same part.
#[derive(Debug)]
pub struct Body(Inner);

#[derive(Debug)]
enum Inner {
    Whole(Option<Bytes>),
    Inflated {
        /// Some backends of flate2 make it large.
        decoder: Box<GzDecoder<Cursor<Bytes>>>,
        /// Bytes that are yet to come.
        left: u64,
    },
}

impl Body {
    pub(super) fn empty() -> Self {
        Body(Inner::Whole(None))
    }

    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Body(Inner::Whole((!bytes.is_empty()).then_some(bytes)))
    }

    /// The text that was compressed, `length` bytes of it.
    pub(super) fn inflated(gzip: Bytes, length: u64) -> Self {
        Body(Inner::Inflated {
            decoder: Box::new(GzDecoder::new(Cursor::new(gzip))),
            left: length,
        })
    }

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        match &mut self.0 {
            Inner::Whole(bytes) => bytes.take().map(Ok),
            Inner::Inflated { left: 0, .. } => None,
            Inner::Inflated { decoder, left } => {
                let mut block = Vec::with_capacity(BLOCK);
                let wanted = (BLOCK as u64).min(*left);
                let read = decoder.take(wanted).read_to_end(&mut block);
                // Never again after an error.
                let rest = left.saturating_sub(block.len() as u64);
                *left = 0;
                match read {
                    Err(error) => Some(Err(error)),
                    Ok(0) => Some(Err(io::ErrorKind::UnexpectedEof.into())),
                    Ok(_) => {
                        *left = rest;
                        Some(Ok(block.into()))
                    }
                }
            }
        }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(self.next().map(|block| block.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Inner::Whole(None) | Inner::Inflated { left: 0, .. })
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.0 {
            Inner::Whole(bytes) => bytes.as_ref().map_or(0, Bytes::len) as u64,
            Inner::Inflated { left, .. } => *left,
        })
    }
}

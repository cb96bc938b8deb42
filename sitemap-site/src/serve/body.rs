//! The body of a response: completely rendered, in memory as gzip or in a temporary file.

use std::fmt;
use std::future::Future;
use std::io::{self, BufReader, Cursor, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use flate2::bufread::GzDecoder;
use http_body::{Frame, SizeHint};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::encoding::Encoding;
use super::memory::SpilledReader;
use super::rendered::{Content, Rendered};

/// Number of bytes that are decompressed, or read from a file, at a time: some tens of microseconds, and few calls of the system.
const BLOCK: usize = 64 * 1024;

/// The body of a response of a [`Site`](super::Site).
///
/// It holds no database connection, thread or rows: a slow client only costs the compressed bytes, which are shared with
/// all other clients that read the same part, or a temporary file if memory is short.
#[derive(Debug)]
pub struct Body(Inner);

#[derive(Debug)]
enum Inner {
    Whole(Option<Bytes>),
    Inflated {
        /// Boxed, since it is large with some backends of flate2.
        decoder: Box<GzDecoder<Cursor<Bytes>>>,
        /// Number of remaining bytes.
        left: u64,
        /// `true` if other tasks may run before the next block.
        yields: bool,
    },
    Spilled(File),
}

impl Body {
    pub(super) fn empty() -> Self {
        Body(Inner::Whole(None))
    }

    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Body(Inner::Whole((!bytes.is_empty()).then_some(bytes)))
    }

    /// A rendering in an encoding. It must be called within a tokio runtime, which reads files.
    pub(super) fn rendered(rendered: &Rendered, encoding: Encoding) -> Self {
        let left = rendered.length_as(encoding);
        match (&rendered.gzip, encoding) {
            (Content::Memory(gzip), Encoding::Gzip) => Body::whole(gzip.clone()),
            (Content::Memory(gzip), Encoding::Identity) => Body(Inner::Inflated {
                decoder: Box::new(GzDecoder::new(Cursor::new(gzip.clone()))),
                left,
                yields: false,
            }),
            (Content::File(file), encoding) => {
                let file = SpilledReader::new(file);
                Body(Inner::Spilled(File {
                    reader: Some(match encoding {
                        Encoding::Gzip => Box::new(file),
                        Encoding::Identity => Box::new(GzDecoder::new(BufReader::new(file))),
                    }),
                    reading: None,
                    runtime: Handle::current(),
                    left,
                }))
            }
        }
    }
}

/// Reads at most `most` bytes; an error at the end.
fn block(mut reader: impl Read, left: u64) -> io::Result<Bytes> {
    let mut block = Vec::with_capacity(BLOCK);
    reader
        .by_ref()
        .take((BLOCK as u64).min(left))
        .read_to_end(&mut block)?;
    if block.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(block.into())
}

type Reader = Box<dyn Read + Send + Sync>;

/// A file, read block by block on blocking threads.
struct File {
    /// `None` during a read, and after an error.
    reader: Option<Reader>,
    reading: Option<JoinHandle<(Reader, io::Result<Bytes>)>>,
    runtime: Handle,
    /// Number of remaining bytes.
    left: u64,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

impl File {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if let Some(mut reader) = self.reader.take() {
            let left = self.left;
            let read = self.runtime.spawn_blocking(move || {
                let block = block(&mut reader, left);
                (reader, block)
            });
            self.reading = Some(read);
        }
        let read = match &mut self.reading {
            Some(reading) => ready!(Pin::new(reading).poll(context)),
            None => return Poll::Ready(None),
        };
        self.reading = None;
        // Never again after an error.
        let left = std::mem::take(&mut self.left);
        Poll::Ready(Some(match read {
            Ok((reader, Ok(block))) => {
                self.left = left.saturating_sub(block.len() as u64);
                self.reader = Some(reader);
                Ok(block)
            }
            Ok((_, Err(error))) => Err(error),
            Err(_) => Err(io::Error::other("the runtime has ended")),
        }))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let block = match &mut self.0 {
            Inner::Whole(bytes) => bytes.take().map(Ok),
            Inner::Inflated { left: 0, .. } => None,
            Inner::Inflated {
                yields: yields @ true,
                ..
            } => {
                *yields = false;
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            Inner::Inflated {
                decoder,
                left,
                yields,
            } => {
                *yields = true;
                // Never again after an error.
                let rest = std::mem::take(left);
                let block = block(decoder, rest);
                if let Ok(block) = &block {
                    *left = rest.saturating_sub(block.len() as u64);
                }
                Some(block)
            }
            Inner::Spilled(file) => ready!(file.poll(context)),
        };
        Poll::Ready(block.map(|block| block.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_none(),
            Inner::Inflated { left, .. } | Inner::Spilled(File { left, .. }) => *left == 0,
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.0 {
            Inner::Whole(bytes) => bytes.as_ref().map_or(0, Bytes::len) as u64,
            Inner::Inflated { left, .. } | Inner::Spilled(File { left, .. }) => *left,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use super::*;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// However fast a client reads, other tasks run between two blocks.
    #[test]
    fn decompression_yields() {
        let text: Vec<u8> = (0..=5 * BLOCK)
            .map(|at| u8::try_from(at / 7 % 251).unwrap())
            .collect();
        let rendered = Rendered::of_document(&text, 0).unwrap();
        let mut body = Body::rendered(&rendered, Encoding::Identity);
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut context = Context::from_waker(&waker);
        let mut blocks = Vec::new();
        loop {
            match http_body::Body::poll_frame(Pin::new(&mut body), &mut context) {
                Poll::Ready(Some(frame)) => blocks.push(frame.unwrap().into_data().unwrap()),
                Poll::Ready(None) => break,
                Poll::Pending => assert_eq!(wakes.0.load(Ordering::Relaxed), blocks.len()),
            }
        }
        assert_eq!((blocks.len(), wakes.0.load(Ordering::Relaxed)), (6, 5));
        assert_eq!(blocks.concat(), text);
    }
}

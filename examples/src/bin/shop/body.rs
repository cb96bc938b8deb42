//! A response's body that a thread writes: `Write` at one end, `Stream` at the other.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use futures_core::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Blocks on their way; the sitemap's writer makes them of 32 KiB.
const BLOCKS: usize = 4;
/// How long a client may take nothing before its thread has better things to do.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug)]
enum Message {
    Block(Bytes),
    /// All is written. Without it the body was given up, and must not look whole.
    End,
}

/// A body's two ends. To be called, and written to, on a thread of the runtime that may block.
pub(crate) fn body() -> (BodyWriter, Blocks) {
    let (sender, receiver) = channel(BLOCKS);
    let writer = BodyWriter {
        sender,
        runtime: Handle::current(),
    };
    (
        writer,
        Blocks {
            receiver,
            first: None,
            ended: false,
        },
    )
}

/// The end that is written to. Like the sitemap's writer it has to be ended: dropped, it leaves a body that breaks off.
#[derive(Debug)]
pub(crate) struct BodyWriter {
    sender: Sender<Message>,
    runtime: Handle,
}

impl BodyWriter {
    pub(crate) fn end(self) -> io::Result<()> {
        self.send(Message::End)
    }

    /// Waits while the client is slow.
    fn send(&self, message: Message) -> io::Result<()> {
        let sent = self.runtime.block_on(self.sender.send_timeout(message, PATIENCE));
        sent.map_err(|error| match error {
            SendTimeoutError::Closed(_) => io::Error::new(io::ErrorKind::BrokenPipe, "the client is gone"),
            SendTimeoutError::Timeout(_) => {
                io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")
            }
        })
    }
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(Message::Block(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The end that is read: blocks until the body's end, or an error where it was given up, on which the server aborts the
/// connection.
#[derive(Debug)]
pub(crate) struct Blocks {
    receiver: Receiver<Message>,
    first: Option<Message>,
    ended: bool,
}

impl Blocks {
    /// Whether a first block comes; until then the response can still be another.
    pub(crate) async fn begin(&mut self) -> bool {
        self.first = self.receiver.recv().await;
        self.first.is_some()
    }
}

impl Stream for Blocks {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let message = match self.first.take() {
            Some(first) => Some(first),
            None => ready!(self.receiver.poll_recv(context)),
        };
        Poll::Ready(match message {
            Some(Message::Block(block)) => Some(Ok(block)),
            Some(Message::End) => {
                self.ended = true;
                None
            }
            None => {
                self.ended = true;
                Some(Err(io::Error::other("the body was given up")))
            }
        })
    }
}

//! What is written, on its way to a writer that may fail.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, Result};

/// Bytes gathered before the writer underneath is called.
pub(crate) const BLOCK: usize = 32 << 10;

/// A writer, and what it has not taken yet. After an error, or a panic, that is still there.
#[derive(Debug)]
pub(crate) struct Sink<W> {
    inner: W,
    /// What is to be written; of it the first `taken` bytes are only while the writer is called.
    pub(crate) pending: Vec<u8>,
    taken: usize,
    /// Ends what the writer underneath makes of the bytes, such as a compressed file.
    complete: fn(&mut W) -> io::Result<()>,
    /// The writer underneath panicked: nothing more is given to it.
    panicked: bool,
}

impl<W> Sink<W> {
    pub(crate) fn new(inner: W) -> Self {
        Sink {
            inner,
            pending: Vec::new(),
            taken: 0,
            complete: |_| Ok(()),
            panicked: false,
        }
    }

    /// Sets what [`complete`](Self::complete) does to the writer underneath.
    pub(crate) fn completed_by(&mut self, complete: fn(&mut W) -> io::Result<()>) {
        self.complete = complete;
    }

    pub(crate) fn get_ref(&self) -> &W {
        &self.inner
    }

    pub(crate) fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Sink<W> {
    /// Passes on what is pending, if it is a block.
    #[inline]
    pub(crate) fn relieve(&mut self) -> Result<()> {
        if self.pending.len() >= BLOCK {
            self.pass_on()?;
        }
        Ok(())
    }

    /// Passes on what is pending, and flushes. After an error it can be called again, and goes on where it stopped.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.pass_on()?;
        self.call(W::flush)
    }

    /// Passes on what is pending as the last there is, and flushes. After an error it can be called again.
    pub(crate) fn complete(&mut self) -> Result<()> {
        self.pass_on()?;
        self.call(self.complete)?;
        self.call(W::flush)
    }

    fn call(&mut self, function: fn(&mut W) -> io::Result<()>) -> Result<()> {
        self.panicked = true;
        let result = function(&mut self.inner);
        self.panicked = false;
        result.map_err(failed)
    }

    /// Passes on what is pending, for a document that is dropped.
    pub(crate) fn abandon(&mut self) {
        if !self.panicked {
            // There is nobody left to tell. A panic would end the program if the writer is dropped because of another one.
            let _ = catch_unwind(AssertUnwindSafe(|| self.flush()));
        }
    }

    fn pass_on(&mut self) -> Result<()> {
        let result = loop {
            let rest = self.pending.get(self.taken..).unwrap_or_default();
            if rest.is_empty() {
                break Ok(());
            }
            self.panicked = true;
            let written = self.inner.write(rest);
            self.panicked = false;
            match written {
                Ok(0) => break Err(io::Error::from(io::ErrorKind::WriteZero)),
                Ok(n) => self.taken = self.taken.saturating_add(n),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..self.taken.min(self.pending.len()));
        self.taken = 0;
        result.map_err(failed)
    }
}

#[cold]
fn failed(error: io::Error) -> Error {
    let message = format!("cannot write the sitemap: {error}");
    Error::io(error, message)
}

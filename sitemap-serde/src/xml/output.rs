//! Buffered output to a writer that may fail.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, Result};

/// The number of bytes that are buffered before the writer is called.
pub(crate) const BLOCK: usize = 32 << 10;

/// A writer and its unwritten bytes, which are kept after an error or a panic.
#[derive(Debug)]
pub(crate) struct OutputBuffer<W> {
    inner: W,
    /// Bytes to be written. The writer has accepted the first `taken` of them, which are removed once its call returns.
    pub(crate) pending: Vec<u8>,
    taken: usize,
    /// Finishes the writer's own format, such as the trailer of a compressed file.
    complete: fn(&mut W) -> io::Result<()>,
    /// `true` if the writer has panicked. It is not called again then.
    panicked: bool,
}

impl<W> OutputBuffer<W> {
    pub(crate) fn new(inner: W) -> Self {
        OutputBuffer {
            inner,
            pending: Vec::new(),
            taken: 0,
            complete: |_| Ok(()),
            panicked: false,
        }
    }

    /// Sets the function that [`complete`](Self::complete) calls to finish the writer.
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

impl<W: Write> OutputBuffer<W> {
    /// Writes the pending bytes if they fill a block.
    #[inline]
    pub(crate) fn relieve(&mut self) -> Result<()> {
        if self.pending.len() >= BLOCK {
            self.pass_on()?;
        }
        Ok(())
    }

    /// Writes the pending bytes and flushes. After an error, the next call continues where this one stopped.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.pass_on()?;
        self.call(W::flush)
    }

    /// Writes the last pending bytes, finishes the writer, and flushes. Can be called again after an error.
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

    /// Writes the pending bytes of a document that is being dropped.
    pub(crate) fn abandon(&mut self) {
        if !self.panicked {
            // A drop cannot return errors, and a panic during another panic would abort the program.
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

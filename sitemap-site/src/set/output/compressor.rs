//! Compressing in a thread of its own: it takes about as long as making the XML, so both are done at once.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::{Error, ErrorKind, Result};

use super::Staged;

/// Blocks of 32 KiB that wait to be compressed: some milliseconds of work, so that neither thread stands still while the other waits
/// for a processor.
const WAITING: usize = 16;

/// Compresses what is written to it, in constant memory.
#[derive(Debug)]
pub(crate) struct Compressor {
    /// `None` once everything is written.
    blocks: Option<SyncSender<Vec<u8>>>,
    /// Blocks that are compressed, to be filled again.
    used: Receiver<Vec<u8>>,
    /// `None` once it is waited for.
    thread: Option<JoinHandle<io::Result<Staged>>>,
}

impl Compressor {
    pub(crate) fn start(staged: Staged, level: u32) -> Result<Self> {
        let (blocks, to_compress) = sync_channel::<Vec<u8>>(WAITING);
        let (give_back, used) = channel();
        let work = move || {
            let mut encoder = GzEncoder::new(staged, Compression::new(level));
            for mut block in to_compress {
                encoder.write_all(&block)?;
                block.clear();
                // Nobody fills it again after the last one.
                let _ = give_back.send(block);
            }
            encoder.finish()
        };
        let thread = thread::Builder::new()
            .name("sitemap-gzip".to_owned())
            .spawn(work)
            .map_err(|error| {
                Error::caused(
                    ErrorKind::Io,
                    format!("cannot start a thread that compresses: {error}"),
                    error,
                )
            })?;
        Ok(Compressor {
            blocks: Some(blocks),
            used,
            thread: Some(thread),
        })
    }

    pub(crate) fn finish(mut self) -> Result<Staged> {
        self.end().map_err(|error| {
            Error::caused(
                ErrorKind::Io,
                format!("cannot write a compressed part: {error}"),
                error,
            )
        })
    }

    /// Waits for the thread.
    fn end(&mut self) -> io::Result<Staged> {
        self.blocks = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(done)) => done,
            Some(Err(_)) => Err(io::Error::other("the thread that compresses has panicked")),
            None => Err(io::Error::other("compressing has failed before")),
        }
    }
}

impl Write for Compressor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut block = self.used.try_recv().unwrap_or_default();
        block.extend_from_slice(bytes);
        let sent = match &self.blocks {
            Some(blocks) => blocks.send(block).is_ok(),
            None => false,
        };
        if sent {
            return Ok(bytes.len());
        }
        // The thread has ended, and says why.
        Err(self
            .end()
            .err()
            .unwrap_or_else(|| io::Error::other("the thread that compresses has ended")))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is given up is closed before it is removed.
impl Drop for Compressor {
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.end();
        }
    }
}

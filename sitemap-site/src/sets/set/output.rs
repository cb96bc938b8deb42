//! The output of a part: hashed, compressed or not, to a file or to memory.
//!
//! `chunk` is 256 KiB of text, with its hash and its gzip; `pipeline` processes chunks in threads, and writes them in order.

mod chunk;
mod pipeline;

use std::io::{self, Write};

use chunk::Chunk;
pub(crate) use pipeline::Pipeline;

use crate::hash::ContentHash;
use crate::sets::session::Staged;

/// A complete file.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) staged: Staged,
    /// The hash of the text that was written, before compression.
    pub(crate) hash: ContentHash,
}

/// Takes the text of one part, and gives it to a pipeline chunk by chunk.
#[derive(Debug)]
pub(crate) struct Output {
    pipeline: Pipeline,
    /// The part's file, until the first chunk is complete.
    staged: Option<Staged>,
    chunk: Chunk,
}

impl Output {
    pub(crate) fn new(staged: Staged, pipeline: &Pipeline) -> Self {
        Output {
            pipeline: pipeline.clone(),
            staged: Some(staged),
            chunk: pipeline.first_chunk(),
        }
    }

    /// Ends the file, which the pipeline may complete later: [`Pipeline::finished`] returns it.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.chunk.end();
        self.pipeline.put(self.chunk, self.staged).map(drop)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = self.chunk.fill(bytes);
        while !rest.is_empty() {
            // An error leaves an empty chunk behind, and the pipeline refuses all later ones.
            let full = std::mem::take(&mut self.chunk);
            self.chunk = self.pipeline.put(full, self.staged.take())?;
            rest = self.chunk.fill(rest);
        }
        Ok(bytes.len())
    }

    /// Does nothing: a flush would change where the text is cut into chunks.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! The output of a part: hashed, compressed or not, to a file or to memory.

mod chunk;
mod pipeline;

use std::io::{self, Write};

use chunk::Chunk;
pub(crate) use pipeline::Pipeline;

use crate::directory::DiskFile;
use crate::hash::ContentHash;

/// A file that is being written, or complete, and not published yet.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) place: StagedPlace,
    /// The number of bytes written so far.
    pub(crate) size: u64,
}

#[derive(Debug)]
pub(crate) enum StagedPlace {
    File { name: String, file: Box<dyn DiskFile> },
    Memory(Vec<u8>),
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.place {
            StagedPlace::File { file, .. } => file.write(bytes)?,
            StagedPlace::Memory(content) => content.write(bytes)?,
        };
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            StagedPlace::File { file, .. } => file.flush(),
            StagedPlace::Memory(_) => Ok(()),
        }
    }
}

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

/// The uncompressed content of a file that is compressed if its name ends in `.gz`; an error beyond `most` bytes.
pub(crate) fn inflate(name: &str, content: Vec<u8>, most: u64) -> io::Result<Vec<u8>> {
    if !has_gzip_name(name) {
        return Ok(content);
    }
    #[cfg(feature = "gzip")]
    {
        use std::io::Read;
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(content.as_slice())
            .take(most.saturating_add(1))
            .read_to_end(&mut plain)?;
        if plain.len() as u64 > most {
            return Err(io::Error::other(format!(
                "{name} has more than {most} bytes, uncompressed"
            )));
        }
        Ok(plain)
    }
    #[cfg(not(feature = "gzip"))]
    {
        let _ = most;
        Err(io::Error::other(format!(
            "{name} is compressed, and the feature `gzip` is off"
        )))
    }
}

/// Compresses content if the file's name ends in `.gz`.
pub(crate) fn deflate(name: &str, content: Vec<u8>, level: u32) -> io::Result<Vec<u8>> {
    if !has_gzip_name(name) {
        return Ok(content);
    }
    #[cfg(feature = "gzip")]
    {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
        encoder.write_all(&content)?;
        encoder.finish()
    }
    #[cfg(not(feature = "gzip"))]
    {
        let _ = level;
        Err(io::Error::other(format!(
            "{name} is compressed, and the feature `gzip` is off"
        )))
    }
}

fn has_gzip_name(name: &str) -> bool {
    name.rsplit('.').next() == Some("gz")
}

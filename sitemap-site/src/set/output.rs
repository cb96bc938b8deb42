//! The output of a part: compressed or not, to a file or to memory.

#[cfg(feature = "gzip")]
mod compressor;

use std::io::{self, Write};

#[cfg(feature = "gzip")]
use compressor::{Compressor, Workers};

use crate::directory::DiskFile;
use crate::error::Result;
use crate::hash::ContentHash;

/// A finished file that is not published yet.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) place: StagedPlace,
    /// The number of uncompressed bytes.
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

/// Kept from one file for the next: the threads that compress.
#[derive(Debug, Default)]
pub(crate) struct Reused(#[cfg(feature = "gzip")] Option<Workers>);

/// A complete file.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) staged: Staged,
    /// The hash of the uncompressed content, if the output hashes it.
    pub(crate) hash: Option<ContentHash>,
}

#[derive(Debug)]
pub(crate) enum Output {
    Plain(Staged),
    #[cfg(feature = "gzip")]
    Gzip(Box<Compressor>),
}

#[cfg_attr(
    not(feature = "gzip"),
    expect(clippy::unnecessary_wraps, reason = "a compressor can fail")
)]
impl Output {
    pub(crate) fn new(staged: Staged, gzip: Option<u32>, reused: &mut Reused) -> Result<Self> {
        match gzip {
            #[cfg(feature = "gzip")]
            Some(level) => {
                let workers = reused.0.take().unwrap_or_else(|| Workers::new(level));
                Ok(Output::Gzip(Box::new(Compressor::start(staged, workers)?)))
            }
            _ => {
                let _ = reused;
                Ok(Output::Plain(staged))
            }
        }
    }

    /// Whether it hashes the content.
    pub(crate) fn hashes(&self) -> bool {
        !matches!(self, Output::Plain(_))
    }

    pub(crate) fn finish(self, reused: &mut Reused) -> Result<Finished> {
        match self {
            Output::Plain(staged) => {
                let _ = reused;
                Ok(Finished { staged, hash: None })
            }
            #[cfg(feature = "gzip")]
            Output::Gzip(compressor) => {
                let (staged, hash, workers) = compressor.finish()?;
                reused.0 = Some(workers);
                Ok(Finished {
                    staged,
                    hash: Some(hash),
                })
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(staged) => staged.write(bytes),
            #[cfg(feature = "gzip")]
            Output::Gzip(compressor) => compressor.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(staged) => staged.flush(),
            // A flush of the compressor would cost bytes; `finish` does it.
            #[cfg(feature = "gzip")]
            Output::Gzip(_) => Ok(()),
        }
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

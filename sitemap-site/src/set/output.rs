//! Where a part's XML goes: compressed or not, to a file or to memory.

use std::io::{self, Write};

use crate::directory::DiskFile;
#[cfg(feature = "gzip")]
use crate::error::Error;
use crate::error::Result;

/// A file that waits to be published.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) place: StagedPlace,
    /// The bytes that went in.
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

#[derive(Debug)]
pub(crate) enum Output {
    Plain(Staged),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::write::GzEncoder<Staged>>),
}

impl Output {
    pub(crate) fn new(staged: Staged, gzip: Option<u32>) -> Self {
        match gzip {
            #[cfg(feature = "gzip")]
            Some(level) => Output::Gzip(Box::new(flate2::write::GzEncoder::new(
                staged,
                flate2::Compression::new(level),
            ))),
            _ => Output::Plain(staged),
        }
    }

    #[cfg_attr(
        not(feature = "gzip"),
        expect(clippy::unnecessary_wraps, reason = "a compressor can fail")
    )]
    pub(crate) fn finish(self) -> Result<Staged> {
        match self {
            Output::Plain(staged) => Ok(staged),
            #[cfg(feature = "gzip")]
            Output::Gzip(encoder) => encoder.finish().map_err(|error| {
                Error::caused(
                    crate::ErrorKind::Io,
                    format!("cannot write a compressed part: {error}"),
                    error,
                )
            }),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(staged) => staged.write(bytes),
            #[cfg(feature = "gzip")]
            Output::Gzip(encoder) => encoder.write(bytes),
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

/// Uncompressed content of a file, which is compressed if its name ends in `.gz`; at most `most` bytes.
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

/// The content as a file of that name has it.
pub(crate) fn deflate(name: &str, content: Vec<u8>, level: u32) -> io::Result<Vec<u8>> {
    if !has_gzip_name(name) {
        return Ok(content);
    }
    let staged = Staged {
        place: StagedPlace::Memory(Vec::new()),
        size: 0,
    };
    let mut output = Output::new(staged, Some(level));
    output.write_all(&content)?;
    match output.finish().map_err(io::Error::other)?.place {
        StagedPlace::Memory(compressed) => Ok(compressed),
        StagedPlace::File { .. } => Ok(content),
    }
}

fn has_gzip_name(name: &str) -> bool {
    name.rsplit('.').next() == Some("gz")
}

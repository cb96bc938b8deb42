//! The output file of a writer made from a path.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

#[cfg(feature = "gzip")]
use flate2::{Compression, write::GzEncoder};

use crate::error::{Error, Result};

/// The file of a [`Writer`](crate::Writer) made [from a path](crate::Writer::from_path): plain, or compressed if its name
/// ends in `.gz`.
///
/// [`Writer::finish`](crate::Writer::finish) returns it, so that it can be [synced](File::sync_all) to the disk:
///
/// ```no_run
/// let writer = sitemap_serde::Writer::from_path("sitemap.xml")?;
/// writer.finish()?.file().sync_all()?;
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct OutputFile(Output);

#[derive(Debug)]
enum Output {
    Plain(File),
    #[cfg(feature = "gzip")]
    Gzip {
        /// Some backends of flate2 make it large.
        encoder: Box<GzEncoder<Gate>>,
        /// `true` if the trailer has begun, so that the encoder accepts no more data.
        is_ending: bool,
    },
}

impl OutputFile {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let is_gzip = path
            .extension()
            .and_then(OsStr::to_str)
            .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        #[cfg(not(feature = "gzip"))]
        if is_gzip {
            return Err(Error::settings(
                crate::error::Message::new(format!(
                    "cannot create {}: a name that ends in `.gz` asks for gzip, which the crate writes with its feature `gzip`",
                    path.display()
                ))
                .advice("turn that on, or leave `.gz` out of the name"),
            )
            .breaks(sitemap_values::Rule::Gzip));
        }
        let file = File::create(path).map_err(|error| {
            let message = format!("cannot create {}: {error}", path.display());
            Error::io(error, message)
        })?;
        #[cfg(feature = "gzip")]
        if is_gzip {
            let gate = Gate { file, is_open: true };
            return Ok(OutputFile(Output::Gzip {
                encoder: Box::new(GzEncoder::new(gate, Compression::default())),
                is_ending: false,
            }));
        }
        Ok(OutputFile(Output::Plain(file)))
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        match &self.0 {
            Output::Plain(file) => file,
            #[cfg(feature = "gzip")]
            Output::Gzip { encoder, .. } => &encoder.get_ref().file,
        }
    }

    /// Writes the trailer of a compressed file. Can be called again after an error.
    #[cfg_attr(
        not(feature = "gzip"),
        expect(clippy::unnecessary_wraps, reason = "only a compressed file can fail")
    )]
    pub(super) fn complete(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Plain(_) => Ok(()),
            #[cfg(feature = "gzip")]
            Output::Gzip { encoder, is_ending } => {
                *is_ending = true;
                encoder.try_finish()
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Output::Plain(file) => file.write(bytes),
            #[cfg(feature = "gzip")]
            Output::Gzip { is_ending: true, .. } => Err(io::Error::other("the compressed file is complete")),
            #[cfg(feature = "gzip")]
            Output::Gzip { encoder, .. } => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Plain(file) => file.flush(),
            #[cfg(feature = "gzip")]
            Output::Gzip { encoder, is_ending } => {
                if *is_ending {
                    encoder.get_mut().flush()
                } else {
                    encoder.flush()
                }
            }
        }
    }
}

/// An incomplete file gets no gzip trailer when it is dropped, so that every reader rejects it as incomplete.
#[cfg(feature = "gzip")]
impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Output::Gzip { encoder, .. } = &mut self.0 {
            // The encoder would write its trailer when it is dropped.
            encoder.get_mut().is_open = false;
        }
    }
}

/// A file that ignores writes once it is shut.
#[cfg(feature = "gzip")]
#[derive(Debug)]
struct Gate {
    file: File,
    is_open: bool,
}

#[cfg(feature = "gzip")]
impl Write for Gate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_open {
            self.file.write(bytes)
        } else {
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_open { self.file.flush() } else { Ok(()) }
    }
}

#[cfg(all(test, not(feature = "gzip")))]
mod tests {
    use super::*;

    #[test]
    fn a_name_ending_in_gz_needs_the_feature() {
        let error = OutputFile::create(Path::new("no/sitemap.xml.GZ")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot create no/sitemap.xml.GZ: a name that ends in `.gz` asks for gzip, which the crate writes with its \
             feature `gzip` (P-GZIP); turn that on, or leave `.gz` out of the name"
        );
        assert_eq!(error.rule(), Some(sitemap_values::Rule::Gzip));
        assert_eq!(error.kind(), crate::ErrorKind::Settings);
    }
}

//! The files of a published set: cached, or read once for all waiting requests.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Instant;

use tracing::error;

use super::{Inner, Known, Undone, bounded};
use sitemap_serde::__internal::grouped;

use crate::error::{Error, ErrorKind, Result};
use crate::hash::{ContentHash, Hashing};
use crate::serve::rendered::Invalid;
use crate::serve::rendered::{Rendered, encoder};
use crate::sets::backend::Open;

/// Maximum size of a file: the limit for parts, which are the largest files.
const MOST: u64 = sitemap_serde::Limits::BYTES;

/// A file's name, its content's hash if known, and its size, since the same XML may be compressed in different ways.
pub(super) type FileId = (String, Option<ContentHash>, u64);

/// Why a file cannot be sent. The log has the details.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unread {
    Late,
    /// The file does not exist.
    Missing,
    /// The file cannot be read, or differs from the manifest.
    Failed,
}

impl Inner {
    /// A file's content: cached, or read once for all waiting requests.
    pub(super) async fn read(
        self: &Arc<Self>,
        name: &str,
        known: Known,
        open: &Arc<Open>,
    ) -> Result<Arc<Rendered>, Unread> {
        let id = (name.to_owned(), known.hash, known.size);
        if let Some(cached) = self.cache.get(&id) {
            return Ok(cached.rendered);
        }
        let (files, open, work) = (Arc::clone(self), Arc::clone(open), id.clone());
        let read = self
            .reads
            .join(id, || async move { files.read_anew(work, open).await });
        read.await.unwrap_or(Err(Unread::Failed))
    }

    async fn read_anew(&self, id: FileId, open: Arc<Open>) -> Result<Arc<Rendered>, Unread> {
        let (name, expected) = (id.0.clone(), id.1);
        let content = bounded(&self.permits, self.settings.time_limit, move || {
            let content = read(&name, &open, MOST)?;
            match expected {
                Some(expected) if expected != content.hash => Err(Error::new(
                    ErrorKind::Damaged,
                    "it differs from the set's manifest: it was changed by another program, or is being replaced",
                )),
                _ => Ok(content),
            }
        });
        let content = match content.await {
            Ok(content) => content,
            Err(reason) => {
                error!(file = id.0, "a file of the sitemap cannot be sent: {reason}");
                self.stats.failure();
                return Err(match reason {
                    Undone::Late(_) => Unread::Late,
                    Undone::Failed(error) if is_missing(&error) => Unread::Missing,
                    Undone::Failed(_) => Unread::Failed,
                });
            }
        };
        match content.held(&self.memory).await {
            Ok(content) => {
                self.stats.rendering(Invalid::default(), content.is_spilled());
                let content = Arc::new(content);
                if expected.is_some() {
                    self.cache.put(id, &content, Instant::now());
                }
                Ok(content)
            }
            Err(error) => {
                error!(
                    file = id.0,
                    "a file of the sitemap cannot be sent: {} bytes of files are in memory (`memory_bytes`), and a \
                     temporary file cannot be written: {error}",
                    self.memory.used()
                );
                self.stats.failure();
                Err(Unread::Failed)
            }
        }
    }
}

fn is_missing(error: &Error) -> bool {
    error
        .io()
        .is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

pub(super) fn is_gzip(name: &str) -> bool {
    name.rsplit('.').next() == Some("gz")
}

/// Reads a file of at most `most` bytes of XML. It blocks.
fn read(name: &str, open: &Arc<Open>, most: u64) -> Result<Rendered> {
    // Incompressible content becomes slightly larger.
    let mut file = open(name)?.take(most + most / 8 + 1024);
    let failed = |error: io::Error| Error::caused(ErrorKind::Io, format!("cannot be read: {error}"), error);
    let mut xml = Hashing::default();
    let mut length = 0;
    let gzip = if is_gzip(name) {
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(failed)?;
        let mut decoder = flate2::read::MultiGzDecoder::new(content.as_slice()).take(most + 1);
        length = io::copy(&mut decoder, &mut xml).map_err(failed)?;
        content
    } else {
        let (mut encoder, mut block) = (encoder(), vec![0; 64 * 1024]);
        loop {
            let read = file.read(&mut block).map_err(failed)?;
            let block = block.get(..read).unwrap_or_default();
            if block.is_empty() {
                break encoder.finish().map_err(failed)?;
            }
            xml.update(block);
            encoder.write_all(block).map_err(failed)?;
            length += read as u64;
        }
    };
    if length > most {
        return Err(Error::new(
            ErrorKind::Limit,
            format!("it has more than {} bytes (P-SIZE)", grouped(most)),
        ));
    }
    Ok(Rendered::of_file(gzip, length, xml.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        const MOST: usize = 5_000;
        let packed = |length: usize| {
            let mut encoder = encoder();
            encoder.write_all(&vec![b'x'; length]).unwrap();
            encoder.finish().unwrap()
        };
        for (name, content) in [
            ("a.xml", (|length| vec![b'x'; length]) as fn(usize) -> Vec<u8>),
            ("a.xml.gz", packed),
        ] {
            for length in [0, 1, MOST, MOST + 1, 2 * MOST] {
                let open: Arc<Open> = Arc::new(move |_| Ok(Box::new(io::Cursor::new(content(length)))));
                let read = read(name, &open, MOST as u64);
                if length <= MOST {
                    assert_eq!(read.unwrap().hash, ContentHash::of(&vec![b'x'; length]), "{name}");
                } else {
                    let error = read.unwrap_err();
                    assert_eq!(
                        error.to_string(),
                        "it has more than 5,000 bytes (P-SIZE)",
                        "{name}"
                    );
                }
            }
        }
    }
}

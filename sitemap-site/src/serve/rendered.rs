//! Rendered documents, ready to be sent.

use std::io::{self, Write as _};
use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::encoding::Encoding;
use super::memory::{Memory, Spilled};
use crate::hash::ContentHash;
use crate::part::PartFacts;
use crate::source::Newest;

/// The numbers of a part's rows that were skipped, and of values that were dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) skipped: u64,
    pub(crate) dropped: u64,
}

/// An XML document as gzip, with facts about it.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) gzip: Content,
    /// Size of the XML in bytes.
    pub(crate) length: u64,
    pub(crate) hash: ContentHash,
    pub(crate) entries: u64,
    /// Number of rows that were read for it.
    pub(crate) rows: u64,
    pub(crate) newest: Newest,
    /// Number of entries with a lastmod.
    pub(crate) dated: u64,
    pub(crate) invalid: Invalid,
}

/// The place of a rendering's bytes.
#[derive(Debug)]
pub(crate) enum Content {
    Memory(Bytes),
    /// In a temporary file, since there was no room in memory.
    File(Arc<Spilled>),
}

/// Compresses a document. The gzip header contains no time or name, so that the same document gives the same bytes.
pub(crate) fn encoder() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::default())
}

impl Rendered {
    pub(crate) fn new(gzip: Vec<u8>, facts: &PartFacts, invalid: Invalid) -> Self {
        Rendered {
            gzip: Content::Memory(gzip.into()),
            length: facts.bytes,
            hash: facts.hash,
            entries: facts.entries,
            rows: 0,
            newest: Newest::of_facts(facts),
            dated: facts.dated,
            invalid,
        }
    }

    /// A document of this program, with a number of entries.
    pub(super) fn of_document(text: &[u8], entries: u64) -> io::Result<Self> {
        let mut encoder = encoder();
        encoder.write_all(text)?;
        Ok(Rendered {
            entries,
            ..Rendered::of_file(encoder.finish()?, text.len() as u64, ContentHash::of(text))
        })
    }

    /// A file's content, compressed by this program from `length` bytes.
    pub(super) fn of_file(content: Vec<u8>, length: u64, hash: ContentHash) -> Self {
        Rendered {
            gzip: Content::Memory(content.into()),
            length,
            hash,
            entries: 0,
            rows: 0,
            newest: Newest::Unknown,
            dated: 0,
            invalid: Invalid::default(),
        }
    }

    /// Bytes that are sent unchanged.
    pub(super) fn length_as(&self, encoding: Encoding) -> u64 {
        match (encoding, &self.gzip) {
            (Encoding::Identity, _) => self.length,
            (Encoding::Gzip, Content::Memory(gzip)) => gzip.len() as u64,
            (Encoding::Gzip, Content::File(file)) => file.len(),
        }
    }

    /// Size in memory in bytes.
    pub(super) fn in_memory(&self) -> usize {
        match &self.gzip {
            Content::Memory(gzip) => gzip.len(),
            Content::File(_) => 0,
        }
    }

    pub(super) fn is_spilled(&self) -> bool {
        matches!(self.gzip, Content::File(_))
    }

    /// Reserves memory for it, or writes it to a temporary file if there is no room.
    pub(super) async fn held(mut self, memory: &Memory) -> io::Result<Self> {
        self.gzip = match self.gzip {
            Content::Memory(gzip) => match memory.hold(gzip) {
                Ok(gzip) => Content::Memory(gzip),
                Err(gzip) => {
                    let write = tokio::task::spawn_blocking(move || Spilled::write(&gzip));
                    Content::File(Arc::new(write.await.map_err(io::Error::other)??))
                }
            },
            file @ Content::File(_) => file,
        };
        Ok(self)
    }
}

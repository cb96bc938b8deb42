//! A document that is ready to be sent.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::encoding::Encoding;
use super::memory::{Memory, Spilled};
use crate::hash::ContentHash;
use crate::part::PartFacts;
use crate::source::Newest;

/// XML as gzip, and what is known of it.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) gzip: Content,
    /// Bytes of the XML.
    pub(crate) length: u64,
    pub(crate) hash: ContentHash,
    pub(crate) entries: u64,
    pub(crate) newest: Newest,
    /// Rows that could not be listed.
    pub(crate) left_out: u64,
}

/// Where the bytes of a rendering are.
#[derive(Debug)]
pub(crate) enum Content {
    Memory(Bytes),
    /// There was no room in memory.
    File(Arc<Spilled>),
}

/// Compresses what is written to it. No time and no name is in its head, so that the same text is the same gzip.
pub(crate) fn encoder() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::default())
}

impl Rendered {
    pub(crate) fn new(gzip: Vec<u8>, facts: &PartFacts, left_out: u64) -> Self {
        Rendered {
            gzip: Content::Memory(gzip.into()),
            length: facts.bytes,
            hash: facts.hash,
            entries: facts.entries,
            newest: Newest::of_facts(facts),
            left_out,
        }
    }

    /// A file's content, `length` bytes before this program compressed it.
    pub(super) fn of_file(content: Vec<u8>, length: u64, hash: ContentHash) -> Self {
        Rendered {
            gzip: Content::Memory(content.into()),
            length,
            hash,
            entries: 0,
            newest: Newest::Unknown,
            left_out: 0,
        }
    }

    /// Bytes as they are sent.
    pub(super) fn length_as(&self, encoding: Encoding) -> u64 {
        match (encoding, &self.gzip) {
            (Encoding::Identity, _) => self.length,
            (Encoding::Gzip, Content::Memory(gzip)) => gzip.len() as u64,
            (Encoding::Gzip, Content::File(file)) => file.len(),
        }
    }

    /// The bytes that it takes of memory.
    pub(super) fn in_memory(&self) -> usize {
        match &self.gzip {
            Content::Memory(gzip) => gzip.len(),
            Content::File(_) => 0,
        }
    }

    pub(super) fn is_spilled(&self) -> bool {
        matches!(self.gzip, Content::File(_))
    }

    /// The same, counted as what is in memory, or written to a temporary file where there is no room.
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

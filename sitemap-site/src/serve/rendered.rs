//! A document that is ready to be sent.

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::hash::ContentHash;
use crate::part::PartFacts;
use crate::source::Newest;

/// XML as gzip, and what is known of it.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) gzip: Bytes,
    /// Bytes of the XML.
    pub(crate) length: u64,
    pub(crate) hash: ContentHash,
    pub(crate) entries: u64,
    pub(crate) newest: Newest,
    /// Rows that could not be listed.
    pub(crate) left_out: u64,
}

/// Compresses what is written to it. No time and no name is in its head, so that the same text is the same gzip.
pub(crate) fn encoder() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::default())
}

impl Rendered {
    pub(crate) fn new(gzip: Vec<u8>, facts: &PartFacts, left_out: u64) -> Self {
        Rendered {
            gzip: gzip.into(),
            length: facts.bytes,
            hash: facts.hash,
            entries: facts.entries,
            newest: Newest::of_facts(facts),
            left_out,
        }
    }
}

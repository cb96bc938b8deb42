//! How large a document may be.

/// Places in an entry are kept in 32 bits.
const MOST_ENTRY_BYTES: usize = 1 << 30;

/// How large a document, and the things in it, may be.
///
/// The default for writing is what the protocol allows: 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE).
/// When reading, files larger than that are met and read, so those two are off; what protects the program is on.
///
/// ```
/// use sitemap_serde::{Limits, WriterBuilder, UrlEntry};
///
/// let mut writer = WriterBuilder::new().limits(Limits::writing().with_entries(1)).from_writer(Vec::new());
/// writer.serialize(&UrlEntry::new("https://example.com/1"))?;
/// let full = writer.serialize(&UrlEntry::new("https://example.com/2")).unwrap_err();
/// assert_eq!(full.rule(), Some(sitemap_serde::Rule::Count));
/// writer.finish()?; // a valid file of one entry
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Limits {
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    pub(crate) depth: usize,
    pub(crate) attributes: usize,
    pub(crate) namespaces: usize,
    pub(crate) name: usize,
    pub(crate) token: usize,
    pub(crate) entry_bytes: usize,
    pub(crate) expansion: usize,
}

impl Limits {
    /// P-COUNT.
    pub const ENTRIES: u64 = 50_000;
    /// P-SIZE: 50 MiB.
    pub const BYTES: u64 = 52_428_800;

    /// The limits of the protocol: 50,000 entries, 52,428,800 bytes.
    pub const fn writing() -> Self {
        Limits {
            entries: Self::ENTRIES,
            bytes: Self::BYTES,
            ..Self::reading()
        }
    }

    /// Entries and bytes without bound; nesting to 128 levels, 256 attributes and 64 namespace declarations on an element,
    /// names of 1 KiB, tags and texts of 1 MiB, entries of 8 MiB, entities that add 1 MiB.
    pub const fn reading() -> Self {
        Limits {
            entries: u64::MAX,
            bytes: u64::MAX,
            depth: 128,
            attributes: 256,
            namespaces: 64,
            name: 1024,
            token: 1 << 20,
            entry_bytes: 8 << 20,
            expansion: 1 << 20,
        }
    }

    /// At most so many `url` or `sitemap` elements (P-COUNT).
    pub const fn with_entries(mut self, entries: u64) -> Self {
        self.entries = entries;
        self
    }

    /// At most so many bytes in the whole document, uncompressed and in UTF-8 (P-SIZE).
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Elements nested at most so deep, the root being 1. Only for reading.
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// At most so many attributes on one element, namespace declarations included. Only for reading.
    pub const fn with_attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

    /// At most so many namespace declarations on one element; in a document with a DOCTYPE, on the elements within one another
    /// together. Only for reading.
    pub const fn with_namespaces(mut self, namespaces: usize) -> Self {
        self.namespaces = namespaces;
        self
    }

    /// Names of at most so many bytes. Only for reading.
    pub const fn with_name_bytes(mut self, name: usize) -> Self {
        self.name = name;
        self
    }

    /// Tags, texts, comments and processing instructions of at most so many bytes each. Only for reading.
    pub const fn with_token_bytes(mut self, token: usize) -> Self {
        self.token = token;
        self
    }

    /// Entries of at most so many bytes, from `<url>` to `</url>`. Only for reading: it bounds the memory that a
    /// stream needs. More than 1 GiB means 1 GiB.
    pub const fn with_entry_bytes(mut self, entry: usize) -> Self {
        self.entry_bytes = if entry < MOST_ENTRY_BYTES {
            entry
        } else {
            MOST_ENTRY_BYTES
        };
        self
    }

    /// The entities of a DOCTYPE may make the document larger by at most so many bytes. Only for reading.
    pub const fn with_expansion_bytes(mut self, expansion: usize) -> Self {
        self.expansion = expansion;
        self
    }

    /// What [`with_entries`](Self::with_entries) sets.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// What [`with_bytes`](Self::with_bytes) sets.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What [`with_depth`](Self::with_depth) sets.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// What [`with_attributes`](Self::with_attributes) sets.
    pub const fn attributes(&self) -> usize {
        self.attributes
    }

    /// What [`with_namespaces`](Self::with_namespaces) sets.
    pub const fn namespaces(&self) -> usize {
        self.namespaces
    }

    /// What [`with_name_bytes`](Self::with_name_bytes) sets.
    pub const fn name_bytes(&self) -> usize {
        self.name
    }

    /// What [`with_token_bytes`](Self::with_token_bytes) sets.
    pub const fn token_bytes(&self) -> usize {
        self.token
    }

    /// What [`with_entry_bytes`](Self::with_entry_bytes) sets.
    pub const fn entry_bytes(&self) -> usize {
        self.entry_bytes
    }

    /// What [`with_expansion_bytes`](Self::with_expansion_bytes) sets.
    pub const fn expansion_bytes(&self) -> usize {
        self.expansion
    }
}

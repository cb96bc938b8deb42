//! Limits on the size of a document and of its parts.

use sitemap_values::Rule;

use crate::engine::{Engine, most_bytes};

/// Byte offsets within an entry are 32 bits wide.
const MOST_ENTRY_BYTES: usize = 1 << 30;

/// Limits on the size of a document and of its parts.
///
/// The default for writing is the protocol's: 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE). Readers meet
/// larger files, so the default for reading bounds neither; it bounds what protects a program's memory and time.
///
/// Few programs set another limit than the entries and bytes of a file, and for documents from strangers the decompressed bytes and those of an
/// entry. The others are for a trusted document that exceeds one of them, which the error names.
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
    pub(crate) decompressed: u64,
    /// The engine that the most bytes of a document are from.
    engine: Option<Engine>,
}

impl Limits {
    /// The most entries that a document may have: 50,000 (P-COUNT).
    pub const ENTRIES: u64 = 50_000;
    /// The most bytes that a document may have, uncompressed: 50 MiB (P-SIZE).
    pub const BYTES: u64 = 52_428_800;

    /// The limits of the protocol: 50,000 entries, 52,428,800 bytes.
    pub const fn writing() -> Self {
        Limits {
            entries: Self::ENTRIES,
            bytes: Self::BYTES,
            ..Self::reading()
        }
    }

    /// The default for reading: any number of entries and bytes; at most 128 levels of nesting, 256 attributes and 64
    /// namespace declarations on an element, names of 1 KiB, tags and texts of 1 MiB, entries of 8 MiB, 1 MiB added by
    /// entities, and 1 GiB decompressed.
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
            decompressed: 1 << 30,
            engine: None,
        }
    }

    /// Lowers the most bytes of a document to those of the engine with the strictest limit, unless any number is allowed: then they are
    /// counted elsewhere.
    pub(crate) fn for_engines(mut self, engines: &[Engine]) -> Self {
        if let Some((engine, most)) =
            most_bytes(engines).filter(|(_, most)| *most < self.bytes && self.bytes < u64::MAX)
        {
            (self.bytes, self.engine) = (most, Some(engine));
        }
        self
    }

    /// The most bytes of a document, for messages: `10485760 are allowed`.
    pub(crate) fn allowed_bytes(&self) -> String {
        match self.engine {
            Some(engine) => format!("{engine} reads at most {}", self.bytes),
            None => format!("{} are allowed", self.bytes),
        }
    }

    /// The rule that too many bytes break; `rule` unless the limit is an engine's.
    pub(crate) fn rule_of_bytes(&self, rule: Rule) -> Rule {
        self.engine.map_or(rule, |_| Rule::Engine)
    }

    /// Sets the most `url` or `sitemap` elements of a document (P-COUNT).
    pub const fn with_entries(mut self, entries: u64) -> Self {
        self.entries = entries;
        self
    }

    /// Sets the most bytes of a document, uncompressed and in UTF-8 (P-SIZE).
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        (self.bytes, self.engine) = (bytes, None);
        self
    }

    /// Sets the most levels of nested elements; the root is level 1. Only for reading.
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the most attributes of one element, namespace declarations included. Only for reading.
    pub const fn with_attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets the most namespace declarations of one element; in a document with a DOCTYPE, of an element and all elements
    /// around it together. Only for reading.
    pub const fn with_namespaces(mut self, namespaces: usize) -> Self {
        self.namespaces = namespaces;
        self
    }

    /// Sets the most bytes of an element's or attribute's name. Only for reading.
    pub const fn with_name_bytes(mut self, name: usize) -> Self {
        self.name = name;
        self
    }

    /// Sets the most bytes of one tag, text, comment or processing instruction. Only for reading.
    pub const fn with_token_bytes(mut self, token: usize) -> Self {
        self.token = token;
        self
    }

    /// Sets the most bytes of one entry, from `<url>` to `</url>`. Only for reading, where it bounds the memory that a stream
    /// needs. More than 1 GiB counts as 1 GiB.
    pub const fn with_entry_bytes(mut self, entry: usize) -> Self {
        self.entry_bytes = if entry < MOST_ENTRY_BYTES {
            entry
        } else {
            MOST_ENTRY_BYTES
        };
        self
    }

    /// Sets the most bytes that a compressed document may have when it is decompressed: a few kilobytes can hold gigabytes. Only for
    /// reading.
    pub const fn with_decompressed_bytes(mut self, decompressed: u64) -> Self {
        self.decompressed = decompressed;
        self
    }

    /// Sets the most bytes that the entities of a DOCTYPE may add to the document. Only for reading.
    pub const fn with_expansion_bytes(mut self, expansion: usize) -> Self {
        self.expansion = expansion;
        self
    }

    /// The most entries of a document.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// The most bytes of a document.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The most levels of nested elements.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The most attributes of one element.
    pub const fn attributes(&self) -> usize {
        self.attributes
    }

    /// The most namespace declarations of one element.
    pub const fn namespaces(&self) -> usize {
        self.namespaces
    }

    /// The most bytes of a name.
    pub const fn name_bytes(&self) -> usize {
        self.name
    }

    /// The most bytes of one tag, text, comment or processing instruction.
    pub const fn token_bytes(&self) -> usize {
        self.token
    }

    /// The most bytes of one entry.
    pub const fn entry_bytes(&self) -> usize {
        self.entry_bytes
    }

    /// The most bytes that a compressed document may have when it is decompressed.
    pub const fn decompressed_bytes(&self) -> u64 {
        self.decompressed
    }

    /// The most bytes that the entities of a DOCTYPE may add.
    pub const fn expansion_bytes(&self) -> usize {
        self.expansion
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each limit is the one of its name.
    #[test]
    fn what_is_set_is_what_is() {
        let limits = Limits::reading()
            .with_entries(1)
            .with_bytes(2)
            .with_depth(3)
            .with_attributes(4)
            .with_namespaces(5)
            .with_name_bytes(6)
            .with_token_bytes(7)
            .with_entry_bytes(8)
            .with_decompressed_bytes(9)
            .with_expansion_bytes(10);
        assert_eq!((limits.entries(), limits.bytes(), limits.depth()), (1, 2, 3));
        assert_eq!(
            (limits.attributes(), limits.namespaces(), limits.name_bytes()),
            (4, 5, 6)
        );
        assert_eq!((limits.token_bytes(), limits.entry_bytes()), (7, 8));
        assert_eq!((limits.decompressed_bytes(), limits.expansion_bytes()), (9, 10));
        assert_eq!(limits.with_entry_bytes(usize::MAX).entry_bytes(), 1 << 30);
    }
}

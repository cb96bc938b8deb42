//! Limits on the size of a document and of its parts.

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::engine::{Engine, most_bytes};
use crate::error::{Error, Message, Result};

/// Byte offsets within an entry are 32 bits wide.
const MOST_ENTRY_BYTES: usize = 1 << 30;

/// Limits on the size of a document and of its parts.
///
/// The default for writing is the protocol's: 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE). Readers meet larger files, so the
/// default for reading bounds neither; it only protects a program's memory and time. The other limits are the same for both: a reader reads
/// every document of a writer that has the same limits. A writer refuses an entry that would exceed them.
///
/// Set the entries and bytes of a file and, for untrusted documents, the decompressed bytes and the bytes of an entry. The other six limits
/// are on the structure of a document. A [trusted](Self::trusted) document has none of these.
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
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of `url` or `sitemap` elements of a document (P-COUNT).
    pub entries: u64,
    /// The maximum number of bytes of a document, uncompressed and in UTF-8 (P-SIZE).
    pub bytes: u64,
    /// The maximum number of bytes of a compressed document after decompression: a few kilobytes can hold gigabytes. Only for reading. 1 GiB
    /// by default.
    pub decompressed_bytes: u64,
    /// The maximum number of bytes of one entry, from `<url>` to `</url>`. For reading, it bounds the memory that a stream needs.
    /// 8 MiB by default. More than 1 GiB is an [`ErrorKind::Settings`](crate::ErrorKind::Settings) error at the document's root.
    pub entry_bytes: usize,
    /// The maximum number of levels of nested elements; the root is level 1. 128 by default.
    pub depth: usize,
    /// The maximum number of attributes of one element, namespace declarations included. 256 by default.
    pub attributes: usize,
    /// The maximum number of namespace declarations of one element; in a document with a DOCTYPE, of an element and all elements around it
    /// together. 64 by default.
    pub namespaces: usize,
    /// The maximum number of bytes of an element's or attribute's name. 1 KiB by default.
    pub name_bytes: usize,
    /// The maximum number of bytes of one tag, text, comment or processing instruction. 1 MiB by default.
    pub token_bytes: usize,
    /// The maximum number of bytes that the entities of a DOCTYPE may add to the document. Only for reading. 1 MiB by default.
    pub expansion_bytes: usize,
    /// The engine whose limit is the maximum size of a document.
    pub(crate) engine: Option<Engine>,
}

impl Limits {
    /// The maximum number of entries of a document: 50,000 (P-COUNT).
    pub const ENTRIES: u64 = 50_000;
    /// The maximum number of bytes of a document, uncompressed: 50 MiB (P-SIZE).
    pub const BYTES: u64 = 52_428_800;

    /// The limits of the protocol, 50,000 entries and 52,428,800 bytes, and the other limits of [`reading`](Self::reading).
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
            name_bytes: 1024,
            token_bytes: 1 << 20,
            entry_bytes: 8 << 20,
            expansion_bytes: 1 << 20,
            decompressed_bytes: 1 << 30,
            engine: None,
        }
    }

    /// The limits for reading without limits on the structure, for a document that you trust. The entities of a
    /// DOCTYPE may add 1 GiB; the defaults for entries (8 MiB) and decompressed documents (1 GiB) remain.
    ///
    /// ```
    /// use sitemap_serde::{Limits, ReaderBuilder};
    ///
    /// let nested = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    /// let xml = format!(
    ///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc>{nested}</url></urlset>"#
    /// );
    /// assert!(ReaderBuilder::new().from_str(&xml).entries().next().unwrap().is_err());
    /// let mut limits = Limits::trusted();
    /// assert!(ReaderBuilder::new().limits(limits.clone()).from_str(&xml).entries().next().unwrap().is_ok());
    ///
    /// limits.depth = 100;
    /// let error = ReaderBuilder::new().limits(limits).from_str(&xml).entries().next().unwrap().unwrap_err();
    /// assert_eq!(error.problem(), "elements nested to 101 levels, and 100 are allowed");
    /// ```
    pub const fn trusted() -> Self {
        Limits {
            depth: usize::MAX,
            attributes: usize::MAX,
            namespaces: usize::MAX,
            name_bytes: usize::MAX,
            token_bytes: usize::MAX,
            expansion_bytes: 1 << 30,
            ..Self::reading()
        }
    }

    /// Lowers the maximum size of a document to the limit of the strictest engine, unless the size is unlimited: then bytes are counted
    /// elsewhere.
    pub(crate) fn for_engines(mut self, engines: &[Engine]) -> Self {
        if let Some((engine, most)) =
            most_bytes(engines).filter(|(_, most)| *most < self.bytes && self.bytes < u64::MAX)
        {
            (self.bytes, self.engine) = (most, Some(engine));
        }
        self
    }

    /// The maximum size of a document, for messages: `10,485,760 are allowed`.
    pub(crate) fn allowed_bytes(&self) -> String {
        let bytes = grouped(self.bytes);
        match self.engine {
            Some(engine) => format!("{engine} reads at most {bytes}"),
            None => format!("{bytes} are allowed"),
        }
    }

    /// The rule that too many bytes break; `rule` unless the limit is an engine's.
    pub(crate) fn rule_of_bytes(&self, rule: Rule) -> Rule {
        self.engine.map_or(rule, |_| Rule::Engine)
    }

    /// Sets [`entries`](Self::entries).
    pub const fn with_entries(mut self, entries: u64) -> Self {
        self.entries = entries;
        self
    }

    /// Sets [`bytes`](Self::bytes).
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets [`entry_bytes`](Self::entry_bytes).
    pub const fn with_entry_bytes(mut self, bytes: usize) -> Self {
        self.entry_bytes = bytes;
        self
    }

    /// Sets [`decompressed_bytes`](Self::decompressed_bytes).
    pub const fn with_decompressed_bytes(mut self, bytes: u64) -> Self {
        self.decompressed_bytes = bytes;
        self
    }

    /// Returns `true` if the limits on names, attributes and levels allow every element of the schema, and some of your own.
    fn is_usual(&self) -> bool {
        let numbers = self.depth.min(self.attributes).min(self.namespaces);
        numbers >= 64 && self.name_bytes >= 256
    }

    /// The maximum number of bytes of an entry that exceeds no limit, unless it has odd names.
    pub(crate) fn unchecked_bytes(&self) -> usize {
        if self.is_usual() {
            self.token_bytes.min(self.entry_bytes)
        } else {
            0
        }
    }

    /// Checks the limits for reading.
    pub(crate) fn check(&self) -> Result<()> {
        if self.entry_bytes <= MOST_ENTRY_BYTES {
            return Ok(());
        }
        Err(Error::settings(
            Message::new(format!(
                "entries of {} bytes are allowed, and {} is the most that can be",
                grouped(self.entry_bytes as u64),
                grouped(MOST_ENTRY_BYTES as u64)
            ))
            .advice("lower `Limits::with_entry_bytes`"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each setter sets its own limit.
    #[test]
    fn what_is_set_is_what_is() {
        let limits = Limits::reading()
            .with_entries(1)
            .with_bytes(2)
            .with_entry_bytes(3)
            .with_decompressed_bytes(4);
        assert_eq!((limits.entries, limits.bytes), (1, 2));
        assert_eq!((limits.entry_bytes, limits.decompressed_bytes), (3, 4));
    }
}

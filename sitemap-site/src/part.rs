//! One part of a site's sitemap: rows in, XML out, and what is to be known of it.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sitemap_serde::{Category, Limits, Result, SitemapEntry, W3cDateTime, Writer, WriterBuilder};

use crate::hash::{ContentHash, Hashing};
use crate::key::Key;

/// Sets up [`Part`]s that are all written alike.
///
/// ```
/// use sitemap_serde::{UrlEntry, WriterBuilder};
/// use sitemap_site::{Fit, PartBuilder};
///
/// let parts = PartBuilder::new(WriterBuilder::new().base("https://example.com")).entries(1);
/// let mut part = parts.from_writer(Vec::new());
/// assert_eq!(part.write(None, &UrlEntry::new("/1"))?, Fit::Written(1));
/// assert_eq!(part.write(None, &UrlEntry::new("/2"))?, Fit::Full); // the row goes to the next part
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartBuilder {
    writer: WriterBuilder,
    entries: u64,
    bytes: u64,
}

impl PartBuilder {
    /// Parts that `writer` writes, of at most 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE).
    pub fn new(writer: &WriterBuilder) -> Self {
        PartBuilder {
            writer: writer.clone(),
            entries: Limits::ENTRIES,
            bytes: Limits::BYTES,
        }
    }

    /// Parts of at most so many entries, from 1 to 50,000: what is outside of that is taken for the nearest.
    #[must_use]
    pub fn entries(mut self, entries: u64) -> Self {
        self.entries = entries.clamp(1, Limits::ENTRIES);
        self
    }

    /// Parts of at most so many bytes before compression, to 52,428,800; more means that.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes.min(Limits::BYTES);
        self
    }

    /// Checks the writer's settings, as [`WriterBuilder::check`] does.
    ///
    /// # Errors
    /// As there.
    pub fn check(&self) -> Result<()> {
        self.writer.check()
    }

    /// A part whose XML goes to `inner`, in blocks of 32 KiB.
    pub fn from_writer<W: Write>(&self, inner: W) -> Part<W> {
        let mut writer = self.writer.clone();
        writer.limits(Limits::writing().entries(self.entries).bytes(self.bytes));
        Part {
            writer: writer.from_writer(Digest::new(inner)),
            first: None,
            last: None,
        }
    }
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Fit {
    /// It is in the part, as so many entries.
    Written(u64),
    /// It is not to be listed ([`SitemapEntry::is_listed`]).
    NotListed,
    /// The part has no room for all of the row's entries, and has none of them: the row begins the next part.
    Full,
}

/// One part, row by row, in constant memory. Made by [`PartBuilder::from_writer`].
///
/// A part that is dropped leaves XML that no reader takes for complete; [`finish`](Self::finish) completes it.
#[derive(Debug)]
pub struct Part<W: Write> {
    writer: Writer<Digest<W>>,
    first: Option<Key>,
    last: Option<Key>,
}

/// What is known of a part once it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFacts {
    /// How many entries it lists.
    pub entries: u64,
    /// How many bytes its XML has, uncompressed.
    pub bytes: u64,
    /// The hash of its XML, uncompressed.
    pub hash: ContentHash,
    /// The newest lastmod of its entries.
    pub lastmod: Option<W3cDateTime>,
    /// How many entries have a lastmod.
    pub dated: u64,
    /// The key of its first row that is listed, if that has one.
    pub first: Option<Key>,
    /// The key of its last row that is listed, if that has one.
    pub last: Option<Key>,
}

impl<W: Write> Part<W> {
    /// Writes a row, if the part has room for all entries that it makes.
    ///
    /// # Errors
    /// [`Category::Data`] if the row breaks a rule; [`Category::Limit`] if no part has room for it;
    /// [`Category::Io`] if the writer underneath fails. Nothing of the row is in the part then, which can be gone on with.
    pub fn write(&mut self, key: Option<&Key>, row: &(impl SitemapEntry + ?Sized)) -> Result<Fit> {
        let before = self.writer.len();
        match self.writer.write(row) {
            Err(error) if error.category() == Category::Limit && before > 0 => Ok(Fit::Full),
            Err(error) => Err(error),
            Ok(()) => Ok(match self.writer.len() - before {
                0 => Fit::NotListed,
                written => {
                    if before == 0 {
                        self.first = key.cloned();
                    }
                    match (&mut self.last, key) {
                        (Some(last), Some(key)) => last.clone_from(key),
                        (last, key) => *last = key.cloned(),
                    }
                    Fit::Written(written)
                }
            }),
        }
    }

    /// How many entries it lists so far.
    pub fn len(&self) -> u64 {
        self.writer.len()
    }

    /// Whether it lists nothing yet.
    pub fn is_empty(&self) -> bool {
        self.writer.is_empty()
    }

    /// Completes the XML, and returns the writer underneath and what is known of the part.
    ///
    /// # Errors
    /// As [`Writer::finish`].
    pub fn finish(self) -> Result<(W, PartFacts)> {
        let entries = self.writer.len();
        let digest = self.writer.finish()?;
        let facts = PartFacts {
            entries,
            bytes: digest.bytes,
            hash: digest.hashing.finish(),
            lastmod: digest.newest,
            dated: digest.dated,
            first: self.first,
            last: self.last,
        };
        Ok((digest.inner, facts))
    }
}

/// Counts and hashes what goes through it, and looks for the newest lastmod.
#[derive(Debug)]
struct Digest<W> {
    inner: W,
    hashing: Hashing,
    bytes: u64,
    newest: Option<W3cDateTime>,
    dated: u64,
    /// The end of what went through, as far as it can be the beginning of a lastmod.
    tail: Vec<u8>,
}

/// No text of an entry holds it, since a `<` in text is written as `&lt;`.
const LASTMOD: &[u8] = b"<lastmod>";

impl<W> Digest<W> {
    fn new(inner: W) -> Self {
        Digest {
            inner,
            hashing: Hashing::default(),
            bytes: 0,
            newest: None,
            dated: 0,
            tail: Vec::new(),
        }
    }

    /// Takes the lastmods of what went through.
    fn look(&mut self, piece: &[u8]) {
        let mut text = std::mem::take(&mut self.tail);
        text.extend_from_slice(piece);
        let mut rest = text.as_slice();
        while let Some(at) = rest.windows(LASTMOD.len()).position(|window| window == LASTMOD) {
            let value = rest.get(at + LASTMOD.len()..).unwrap_or_default();
            let Some(end) = value.iter().position(|&byte| byte == b'<') else {
                self.tail = rest.get(at..).unwrap_or_default().to_vec();
                return;
            };
            let (value, after) = value.split_at(end);
            let value = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
            self.newest = self.newest.max(value);
            self.dated += 1;
            rest = after;
        }
        let keep = rest.len().min(LASTMOD.len() - 1);
        self.tail = rest.get(rest.len() - keep..).unwrap_or_default().to_vec();
    }
}

impl<W: Write> Write for Digest<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let taken = bytes.get(..written).unwrap_or_default();
        self.hashing.update(taken);
        self.bytes += written as u64;
        self.look(taken);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

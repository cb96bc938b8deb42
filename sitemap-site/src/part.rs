//! Writing one part of a site's sitemap: rows in; XML, hash and dates out.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sitemap_serde::engine::Engine;
use sitemap_serde::{
    Error, ErrorKind, Kind, Limits, Result, SitemapEntry, W3cDateTime, Writer, WriterBuilder,
};

use crate::hash::{ContentHash, Hashing};
use crate::key::{Key, RowKey};

/// A builder for [`PartWriter`]s that have the same settings.
///
/// ```
/// use sitemap_serde::{UrlEntry, WriterBuilder};
/// use sitemap_site::{WriteOutcome, PartBuilder};
///
/// let mut part = PartBuilder::new(WriterBuilder::new().base("https://example.com"))
///     .max_entries(1)
///     .from_writer(Vec::new());
/// assert_eq!(part.write_row(&UrlEntry::new("/1"))?, WriteOutcome::Written(1));
/// assert_eq!(part.write_row(&UrlEntry::new("/2"))?, WriteOutcome::Full); // the row goes to the next part
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartBuilder {
    writer: WriterBuilder,
    entries: u64,
    bytes: u64,
    text: bool,
}

impl PartBuilder {
    /// Parts with the settings of `writer`, and at most 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE).
    pub fn new(writer: &WriterBuilder) -> Self {
        PartBuilder {
            writer: writer.clone(),
            entries: Limits::ENTRIES,
            bytes: Limits::BYTES,
            text: false,
        }
    }

    /// Sets the maximum number of entries of a part. Values are clamped to 1 to 50,000.
    pub fn max_entries(&mut self, entries: u64) -> &mut Self {
        self.entries = entries.clamp(1, Limits::ENTRIES);
        self
    }

    /// Sets the maximum size of a part in bytes before compression, at most 52,428,800; larger values mean this maximum.
    pub fn max_bytes(&mut self, bytes: u64) -> &mut Self {
        self.bytes = bytes.min(Limits::BYTES);
        self
    }

    /// Whether parts are text files with one URL per line (P-TXT1, P-TXT2). Off by default.
    pub fn text(&mut self, text: bool) -> &mut Self {
        self.text = text;
        self
    }

    /// Sets the number of rows in previous parts, so that errors number the rows of all parts consecutively
    /// ([`WriterBuilder::rows_before`]). 0 by default.
    pub fn rows_before(&mut self, rows: u64) -> &mut Self {
        self.writer.rows_before(rows);
        self
    }

    #[cfg(feature = "serve")]
    pub(crate) fn writer(&self) -> &WriterBuilder {
        &self.writer
    }

    pub(crate) fn most_entries(&self) -> u64 {
        self.entries
    }

    /// By the setting, or by the strictest of the writer's engines.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.engine_limit().map_or(self.bytes, |(_, most)| most)
    }

    /// The rule that more bytes break, for messages: `rule`, or that of an engine, and what it reads.
    pub(crate) fn rule_of_bytes(&self, rule: &str) -> String {
        match self.engine_limit() {
            Some((engine, most)) => format!("L-ENGINE: {engine} reads at most {most} bytes"),
            None => rule.to_owned(),
        }
    }

    /// The strictest of the writer's engines, and the most bytes that it reads, if they are less than the setting.
    fn engine_limit(&self) -> Option<(Engine, u64)> {
        let engines = self.writer.engines().iter();
        let limits = engines.filter_map(|engine| Some((*engine, engine.most_bytes()?)));
        limits
            .min_by_key(|(_, most)| *most)
            .filter(|(_, most)| *most < self.bytes)
    }

    /// Checks the writer's settings.
    ///
    /// # Errors
    /// Those of [`WriterBuilder::check`].
    pub fn check(&self) -> Result<()> {
        self.writer.check()
    }

    /// Starts a part whose XML is written to `inner`, in blocks of 32 KiB.
    pub fn from_writer<W: Write>(&self, inner: W) -> PartWriter<W> {
        self.write_to(Digest::new(inner, true))
    }

    /// Starts a part whose XML is hashed by `inner`. The hash in its [`PartFacts`] is that of an empty text.
    pub(crate) fn hashed_by<W: Write>(&self, inner: W) -> PartWriter<W> {
        self.write_to(Digest::new(inner, false))
    }

    fn write_to<W: Write>(&self, digest: Digest<W>) -> PartWriter<W> {
        let mut writer = self.writer.clone();
        writer.kind(Kind::UrlSet);
        let body = if self.text {
            writer.limits(Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX));
            Body::Text(Text {
                writer: writer.from_writer(Vec::new()),
                digest,
                most_entries: self.entries,
                most_bytes: self.most_bytes(),
                rule: self.rule_of_bytes("P-TXT2"),
                entries: 0,
                lines: Vec::new(),
            })
        } else {
            writer.limits(
                Limits::writing()
                    .with_entries(self.entries)
                    .with_bytes(self.bytes),
            );
            Body::Xml(writer.from_writer(digest))
        };
        PartWriter {
            body,
            first: None,
            last: None,
        }
    }
}

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum WriteOutcome {
    /// The row is in the part, with this number of entries.
    Written(u64),
    /// The row is not listed ([`SitemapEntry::is_listed`]).
    NotListed,
    /// The part has no room for all entries of the row, and contains none of them: the row belongs at the start of the next part.
    Full,
}

/// Writes one part, row by row, in constant memory. Made by [`PartBuilder::from_writer`].
///
/// [`finish`](Self::finish) completes the XML. If the part is dropped before, the XML is incomplete, and readers reject it.
#[derive(Debug)]
pub struct PartWriter<W: Write> {
    body: Body<W>,
    first: Option<Key>,
    last: Option<Key>,
}

/// Facts about a finished part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFacts {
    /// Number of entries.
    pub entries: u64,
    /// Size of the uncompressed XML in bytes.
    pub bytes: u64,
    /// Hash of the uncompressed XML.
    pub hash: ContentHash,
    /// The newest lastmod of the entries.
    pub lastmod: Option<W3cDateTime>,
    /// Number of entries with a lastmod.
    pub dated: u64,
    /// The key of the first listed row, if it has one.
    pub first: Option<Key>,
    /// The key of the last listed row, if it has one.
    pub last: Option<Key>,
}

#[derive(Debug)]
enum Body<W: Write> {
    Xml(Writer<Digest<W>>),
    Text(Text<W>),
}

impl<W: Write> PartWriter<W> {
    /// Writes a row with its key, if the part has room for all of its entries.
    ///
    /// # Errors
    /// [`ErrorKind::Data`] if the row breaks a rule; [`ErrorKind::Limit`] if the row is too large for any part;
    /// [`ErrorKind::Io`] if the underlying writer fails. The part then contains nothing of the row, and can be continued.
    pub fn write(&mut self, key: impl RowKey, row: &(impl SitemapEntry + ?Sized)) -> Result<WriteOutcome> {
        self.push(key.into_key().as_ref(), row)
    }

    /// Like [`write`](Self::write), for a row without a key.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub fn write_row(&mut self, row: &(impl SitemapEntry + ?Sized)) -> Result<WriteOutcome> {
        self.push(None, row)
    }

    pub(crate) fn push(
        &mut self,
        key: Option<&Key>,
        row: &(impl SitemapEntry + ?Sized),
    ) -> Result<WriteOutcome> {
        let before = self.len();
        let fits = match &mut self.body {
            Body::Xml(writer) => match writer.write(row) {
                Err(error) if error.kind() == ErrorKind::Limit && before > 0 => false,
                written => written.map(|()| true)?,
            },
            Body::Text(text) => text.write(row)?,
        };
        if !fits {
            return Ok(WriteOutcome::Full);
        }
        let written = self.len() - before;
        if written == 0 {
            return Ok(WriteOutcome::NotListed);
        }
        if before == 0 {
            self.first = key.cloned();
        }
        match (&mut self.last, key) {
            (Some(last), Some(key)) => last.clone_from(key),
            (last, key) => *last = key.cloned(),
        }
        Ok(WriteOutcome::Written(written))
    }

    /// The number of entries written so far.
    pub fn len(&self) -> u64 {
        match &self.body {
            Body::Xml(writer) => writer.len(),
            Body::Text(text) => text.entries,
        }
    }

    /// Whether no entries have been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes so far, without the root's end tag.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.body {
            Body::Xml(writer) => writer.byte_len(),
            Body::Text(text) => text.digest.bytes,
        }
    }

    pub(crate) fn last_key(&self) -> Option<&Key> {
        self.last.as_ref()
    }

    /// The last loc, as written in the XML.
    pub(crate) fn last_loc(&self) -> Option<&str> {
        match &self.body {
            Body::Xml(writer) => writer.last_loc(),
            Body::Text(text) => text.writer.last_loc(),
        }
    }

    /// Completes the XML, and returns the underlying writer and the facts about the part.
    ///
    /// # Errors
    /// Those of [`Writer::finish`].
    pub fn finish(self) -> Result<(W, PartFacts)> {
        let entries = self.len();
        let (lastmod, dated, digest) = match self.body {
            Body::Xml(writer) => (writer.newest_lastmod(), writer.dated(), writer.finish()?),
            Body::Text(mut text) => {
                text.digest.flush()?;
                (text.writer.newest_lastmod(), text.writer.dated(), text.digest)
            }
        };
        let facts = PartFacts {
            entries,
            bytes: digest.bytes,
            hash: digest.hashing.finish(),
            lastmod,
            dated,
            first: self.first,
            last: self.last,
        };
        Ok((digest.inner, facts))
    }
}

/// A text part. Entries are written as XML first, with all checks, and their locs are extracted from it.
#[derive(Debug)]
struct Text<W> {
    writer: Writer<Vec<u8>>,
    digest: Digest<W>,
    most_entries: u64,
    most_bytes: u64,
    /// The rule that more bytes break, for messages.
    rule: String,
    entries: u64,
    lines: Vec<u8>,
}

impl<W: Write> Text<W> {
    /// Writes a row. Returns `false` if the part has no room for it.
    fn write(&mut self, row: &(impl SitemapEntry + ?Sized)) -> Result<bool> {
        match self.writer.write(row) {
            // The limit of 1,000 news (P-NEWS4) does not apply to text, but `writer` has it. The next part has a new writer.
            Err(error) if error.kind() == ErrorKind::Limit && self.entries > 0 => return Ok(false),
            written => written?,
        }
        self.writer.flush()?;
        let xml = std::mem::take(self.writer.get_mut());
        self.lines.clear();
        let mut entries = 0;
        let mut rest = std::str::from_utf8(&xml).unwrap_or_default();
        while let Some((_, after)) = rest.split_once("<loc>") {
            let (loc, behind) = after.split_once("</loc>").unwrap_or((after, ""));
            push_unescaped(&mut self.lines, loc);
            self.lines.push(b'\n');
            entries += 1;
            rest = behind;
        }
        let bytes = self.digest.bytes + self.lines.len() as u64;
        if self.entries + entries > self.most_entries || bytes > self.most_bytes {
            if self.entries > 0 {
                return Ok(false);
            }
            let rule = if bytes > self.most_bytes {
                &self.rule
            } else {
                "P-TXT2"
            };
            return Err(Error::custom(format_args!(
                "the row is too large: it makes {entries} URLs and {bytes} bytes, and a part has at most {} and {} ({rule}); leave \
                 it out, or make several rows of it",
                self.most_entries, self.most_bytes
            )));
        }
        self.digest.write_all(&self.lines)?;
        self.entries += entries;
        Ok(true)
    }
}

/// Unescapes text that the writer has escaped.
fn push_unescaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.extend_from_slice(before.as_bytes());
        let (name, behind) = after.split_once(';').unwrap_or((after, ""));
        out.push(match name {
            "lt" => b'<',
            "gt" => b'>',
            "quot" => b'"',
            "apos" | "#39" => b'\'',
            _ => b'&',
        });
        rest = behind;
    }
    out.extend_from_slice(rest.as_bytes());
}

/// A writer that counts and hashes the bytes written through it.
#[derive(Debug)]
struct Digest<W> {
    inner: W,
    hashing: Hashing,
    hashes: bool,
    bytes: u64,
}

impl<W> Digest<W> {
    fn new(inner: W, hashes: bool) -> Self {
        Digest {
            inner,
            hashing: Hashing::default(),
            hashes,
            bytes: 0,
        }
    }
}

impl<W: Write> Write for Digest<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let taken = bytes.get(..written).unwrap_or_default();
        if self.hashes {
            self.hashing.update(taken);
        }
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

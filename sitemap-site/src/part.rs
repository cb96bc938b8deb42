//! Writing one part of a site's sitemap: rows in; XML, hash and dates out.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sitemap_serde::__internal::grouped;
use sitemap_serde::engine::Engine;
use sitemap_serde::{
    Error, ErrorKind, Kind, Limits, OnInvalid, Result, SitemapEntry, Summary, W3cDateTime, Writer,
    WriterBuilder,
};

use crate::hash::{ContentHash, Hashing};
use crate::key::Key;

/// A builder for [`PartWriter`]s that have the same settings.
#[derive(Clone, Debug)]
pub(crate) struct PartBuilder {
    writer: WriterBuilder,
    entries: u64,
    bytes: u64,
    text: bool,
}

impl PartBuilder {
    /// Parts with the settings of `writer`, and at most 50,000 entries (P-COUNT) and 52,428,800 bytes (P-SIZE).
    pub(crate) fn new(writer: &WriterBuilder) -> Self {
        let mut writer = writer.clone();
        writer.keep_problems();
        PartBuilder {
            writer,
            entries: Limits::ENTRIES,
            bytes: Limits::BYTES,
            text: false,
        }
    }

    /// Sets the maximum number of entries of a part, at most 50,000.
    pub(crate) fn max_entries(&mut self, entries: u64) -> &mut Self {
        self.entries = entries;
        self
    }

    /// Declares a namespace on the root, also of a part without entries.
    pub(crate) fn declare(&mut self, prefix: &str) -> &mut Self {
        self.writer.declare(prefix);
        self
    }

    /// Sets the maximum size of a part in bytes before compression, at most 52,428,800.
    pub(crate) fn max_bytes(&mut self, bytes: u64) -> &mut Self {
        self.bytes = bytes;
        self
    }

    /// If `true`, parts are text files with one URL per line (P-TXT1, P-TXT2). Off by default.
    pub(crate) fn text(&mut self, text: bool) -> &mut Self {
        self.text = text;
        self
    }

    /// Sets the number of rows in previous parts, so that errors number the rows of all parts consecutively
    /// ([`WriterBuilder::rows_before`]). 0 by default.
    pub(crate) fn rows_before(&mut self, rows: u64) -> &mut Self {
        self.writer.rows_before(rows);
        self
    }

    /// Sets the policy for what is invalid in a row; [`push`](PartWriter::push) returns the error of a row that is skipped.
    pub(crate) fn on_invalid(&mut self, policy: OnInvalid) {
        let drops = policy == OnInvalid::DropValue;
        // The caller skips rows.
        self.writer
            .on_invalid(if drops { policy } else { OnInvalid::Fail });
    }

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

    /// The broken rule of a part with more bytes, for messages: `rule`, or an engine's rule with its limit.
    pub(crate) fn rule_of_bytes(&self, rule: &str) -> String {
        match self.engine_limit() {
            Some((engine, most)) => format!("L-ENGINE: {engine} reads at most {} bytes", grouped(most)),
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

    /// Starts a part whose XML is written to `inner`, in blocks of 32 KiB.
    #[cfg(feature = "serve")]
    pub(crate) fn begin<W: Write>(&self, inner: W) -> PartWriter<W> {
        self.write_to(Digest::new(inner, true))
    }

    /// Starts a part whose XML is hashed by `inner`. Its [`PartFacts`] have the hash of an empty text.
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
            dropped: Vec::new(),
            first: None,
            last: None,
        }
    }
}

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum WriteOutcome {
    /// The row is in the part, with this number of entries.
    Written(u64),
    /// The row is not listed ([`SitemapEntry::is_listed`]).
    NotListed,
    /// The part has no room for the row's entries, and contains none: the row belongs at the start of the next part.
    Full,
}

/// Writes one part, row by row, in constant memory. Made by [`PartBuilder::begin`].
///
/// [`finish`](Self::finish) completes the XML. If the part is dropped before, the XML is incomplete, and readers reject it.
#[derive(Debug)]
pub(crate) struct PartWriter<W: Write> {
    body: Body<W>,
    /// The problems of the values that were dropped from the last row.
    dropped: Vec<Error>,
    first: Option<Key>,
    last: Option<Key>,
}

/// Facts about a finished part.
#[doc(hidden)]
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

impl<W: Write> Body<W> {
    fn summary(&self) -> Summary {
        match self {
            Body::Xml(writer) => writer.summary(),
            Body::Text(text) => text.writer.summary(),
        }
    }

    fn skipped(&self) -> u64 {
        self.summary().skipped
    }

    fn take_problems(&mut self) -> Vec<Error> {
        match self {
            Body::Xml(writer) => writer.take_problems(),
            Body::Text(text) => text.writer.take_problems(),
        }
    }
}

impl<W: Write> PartWriter<W> {
    /// Writes a row with its key, if the part has room for all of its entries.
    ///
    /// # Errors
    /// [`ErrorKind::Data`] if the row breaks a rule; [`ErrorKind::Limit`] if the row is too large for any part;
    /// [`ErrorKind::Io`] if the underlying writer fails. The part then contains nothing of the row, and can be continued.
    pub(crate) fn push(
        &mut self,
        key: Option<&Key>,
        row: &(impl SitemapEntry + ?Sized),
    ) -> Result<WriteOutcome> {
        let (before, skipped) = (self.len(), self.body.skipped());
        self.dropped.clear();
        let fits = match &mut self.body {
            Body::Xml(writer) => match writer.write(row) {
                Err(error) if error.kind() == ErrorKind::Limit && before > 0 => false,
                written => written.map(|_| true)?,
            },
            Body::Text(text) => text.write(row)?,
        };
        let mut problems = self.body.take_problems();
        if !fits {
            return Ok(WriteOutcome::Full);
        }
        if self.body.skipped() > skipped
            && let Some(error) = problems.pop()
        {
            return Err(error);
        }
        self.dropped = problems;
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

    /// Takes the problems of the values that were dropped from the last row.
    pub(crate) fn take_dropped(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.dropped)
    }

    /// The number of entries written so far.
    pub(crate) fn len(&self) -> u64 {
        match &self.body {
            Body::Xml(writer) => writer.summary().entries,
            Body::Text(text) => text.entries,
        }
    }

    /// Returns `true` if no entries have been written.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes so far, without the root's end tag.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.body {
            Body::Xml(writer) => writer.summary().bytes,
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
    pub(crate) fn finish(self) -> Result<(W, PartFacts)> {
        let entries = self.len();
        let summary = self.body.summary();
        let digest = match self.body {
            Body::Xml(writer) => writer.finish()?,
            Body::Text(mut text) => {
                text.digest.flush()?;
                text.digest
            }
        };
        let facts = PartFacts {
            entries,
            bytes: digest.bytes,
            hash: digest.hashing.finish(),
            lastmod: summary.newest_lastmod,
            dated: summary.dated,
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
            // Text files have no limit of 1,000 news (P-NEWS4), but `writer` does. The next part has a new writer.
            Err(error) if error.kind() == ErrorKind::Limit && self.entries > 0 => return Ok(false),
            written => drop(written?),
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

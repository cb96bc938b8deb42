//! Text sitemaps: one URL per line (P-TXT1, P-TXT2).

use std::io::Write;

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::entry::SitemapEntry;
use crate::error::{Error, Message, Result};
use crate::limits::Limits;
use crate::xml::reference::unescape;

use super::{Summary, Writer, WriterBuilder};

/// Writes a text sitemap: only the locs of entries, one per line, in UTF-8 (P-TXT1).
///
/// [`WriterBuilder::text_from_writer`] makes it; the builder's base, location, encoding and limits apply as for XML. The other values of
/// an entry (dates, images, alternates) are checked as for XML, but not written.
///
/// ```
/// use sitemap_serde::{UrlEntry, WriterBuilder};
///
/// let mut writer = WriterBuilder::new().base("https://example.com").text_from_writer(Vec::new());
/// for path in ["/", "/a & b"] {
///     writer.write(&UrlEntry::new(path))?;
/// }
/// assert_eq!(writer.finish()?, b"https://example.com/\nhttps://example.com/a%20&%20b\n");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct TextWriter<W> {
    /// Makes and checks each entry.
    xml: Writer<Vec<u8>>,
    inner: W,
    limits: Limits,
    entries: u64,
    bytes: u64,
    lines: String,
    /// `true` if the inner writer has failed, so that the end of the written text is unknown.
    has_failed: bool,
}

impl WriterBuilder {
    /// Makes a writer of a text sitemap.
    pub fn text_from_writer<W: Write>(&self, inner: W) -> TextWriter<W> {
        let unbounded = Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX);
        TextWriter {
            xml: self
                .clone()
                .limits(unbounded)
                .pretty(false)
                .from_writer(Vec::new()),
            inner,
            limits: self.document_limits(),
            entries: 0,
            bytes: 0,
            lines: String::new(),
            has_failed: false,
        }
    }
}

impl<W: Write> TextWriter<W> {
    /// Writes the locs of a row, one line each; on an error, none of them. Returns the number of lines.
    ///
    /// # Errors
    /// See [`Writer::write`]; also [`ErrorKind::Limit`](crate::ErrorKind::Limit) if there would be more than 50,000 lines or 52,428,800
    /// bytes (P-TXT2), or more than the [limits](WriterBuilder::limits) allow. After an [`ErrorKind::Io`](crate::ErrorKind::Io) error
    /// nothing more can be written.
    pub fn write<T: SitemapEntry + ?Sized>(&mut self, row: &T) -> Result<u64> {
        if self.has_failed {
            return Err(Error::custom("the writer has failed, and the text ends anywhere"));
        }
        self.xml.get_mut().clear();
        self.xml.write(row)?;
        self.xml.flush()?;
        self.lines.clear();
        let mut lines = 0;
        let mut rest = std::str::from_utf8(self.xml.get_ref()).unwrap_or_default();
        // Values are escaped, so they contain no tags.
        while let Some((_, after)) = rest.split_once("<loc>") {
            let (loc, behind) = after.split_once("</loc>").unwrap_or((after, ""));
            self.lines.push_str(&unescape(loc));
            self.lines.push('\n');
            lines += 1;
            rest = behind;
        }
        let (entries, bytes) = (self.entries + lines, self.bytes + self.lines.len() as u64);
        let too_many = |count: u64, what: &str, allowed: &str, rule: Rule| {
            let count = grouped(count);
            let problem = format!("the text would have more than {count} {what}, and {allowed}");
            let message = Message::new(problem).advice("begin another file");
            Err(Error::limit(message).breaks(rule))
        };
        let limits = &self.limits;
        let (most_lines, most_bytes) = (limits.entries(), limits.bytes());
        if entries > most_lines {
            return too_many(
                most_lines,
                "lines",
                &format!("{} are allowed", grouped(most_lines)),
                Rule::Txt2,
            );
        }
        if bytes > most_bytes {
            let rule = limits.rule_of_bytes(Rule::Txt2);
            return too_many(most_bytes, "bytes", &limits.allowed_bytes(), rule);
        }
        if let Err(error) = self.inner.write_all(self.lines.as_bytes()) {
            self.has_failed = true;
            let problem = format!("cannot write the sitemap: {error}");
            return Err(Error::io(error, problem));
        }
        (self.entries, self.bytes) = (entries, bytes);
        Ok(lines)
    }

    /// Returns counts of the lines written so far, like [`Writer::summary`].
    pub fn summary(&self) -> Summary {
        Summary {
            entries: self.entries,
            bytes: self.bytes,
            ..self.xml.summary()
        }
    }

    /// Flushes and returns the inner writer. A text sitemap has no end tag to write.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if it fails.
    pub fn finish(mut self) -> Result<W> {
        self.inner.flush().map_err(|error| {
            let problem = format!("cannot write the sitemap: {error}");
            Error::io(error, problem)
        })?;
        Ok(self.inner)
    }
}

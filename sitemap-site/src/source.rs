//! Sources of a section's rows: the trait [`Source`] and its implementations.
//!
//! | rows from | source |
//! |---|---|
//! | a table or query of a database | one of the crates `sitemap-sqlx`, `sitemap-seaorm`, `sitemap-diesel`, `sitemap-diesel-async` |
//! | a list: an array, a slice, a `Vec`, all values of an enum | the list itself |
//! | a list that is rebuilt each time | [`list`] |
//! | anything that can return the rows after a key | [`rows`], or the trait [`Source`], or [`BlockingSource`] with [`blocking`] |
//!
//! [`with_batch`] transforms the rows of a page together, so that one more query can load related data for all of them, such as
//! the translations of products.

mod blocking;
mod list;
mod panicked;
mod with_batch;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;

use serde::{Deserialize, Serialize};
use sitemap_serde::{SitemapEntry, W3cDateTime, WriterBuilder};
use tracing::warn;

use crate::error::Chain;
use crate::key::Key;
use crate::part::{PartBuilder, PartFacts, PartWriter};

pub use blocking::{BlockingSource, blocking};
pub use list::{list, rows};
#[doc(hidden)]
pub use panicked::Panicked;
pub use with_batch::with_batch;

pub(crate) use panicked::{Guarded, caught};

/// An error of any type.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The rows of one section of a sitemap, in the order of their keys.
///
/// A source may use any order of keys. It guarantees that [`rows`](Self::rows) and [`keys`](Self::keys) use the same order, that keys
/// are unique, and that the order of two keys never changes. Rows may be inserted and deleted at any time.
///
/// Each call is a short query: no transaction or cursor is open between calls. A call may be dropped before it ends, when no
/// client waits for the result any more.
///
/// A panic in a call, or in the type of a row, is an error like any other, if panics unwind: with `panic = "abort"` in a profile of
/// `Cargo.toml` it ends the program.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of rows",
    label = "does not implement `Source`",
    note = "a source whose calls block is wrapped: `builder.section(\"products\", source::blocking(products))`",
    note = "a `Vec` of entries is a source; a list that changes is made by a closure: `source::list(|| async {{ Ok(pages()) }})`",
    note = "rows of a database are a source of sitemap-sqlx, sitemap-seaorm, sitemap-diesel or sitemap-diesel-async"
)]
pub trait Source: Send + Sync + 'static {
    /// The type of a row's entry.
    type Entry: SitemapEntry + Send + 'static;

    /// The first `limit` rows of the range, in the order of their keys; fewer only if the range has no more.
    ///
    /// # Errors
    /// An error fails the part that is being rendered: crawlers get 500, or 503 with `Retry-After` for [`Unavailable`], or 404
    /// for [`WrongKey`] unless the index lists the part. If a single row cannot become an entry, return [`Row::failed`] for it
    /// instead.
    fn rows(
        &self,
        span: &Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row<Self::Entry>>, BoxError>> + Send;

    /// The keys of the first `limit` rows of the range, in their order, and the lastmods of the rows; fewer only if the range has
    /// no more. They determine where parts end. All are read once, then the last part every `max_age`, and all once a day.
    ///
    /// The default implementation reads the rows by [`rows`](Self::rows). A database can answer from an index on the key and the
    /// lastmod. Neither knows the section's settings: the lastmod of a row counts for the index even if its part skips the row,
    /// for example because its loc is longer than an engine reads.
    ///
    /// # Errors
    /// After an error, the keys are read again later; until then the last good table of parts stays in use.
    fn keys(
        &self,
        span: &Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DatedKey>, BoxError>> + Send {
        keys_by_pages(self, span, limit)
    }

    /// The keys of at most `limit` rows with the newest lastmods, the newest first; `None` (the default) if the source does not know them. They show
    /// every `max_age` which parts have changed, so that the index has their new lastmods before all rows are counted again.
    ///
    /// A database answers from an index on the lastmod. If there is no such index, and the query takes long, it runs less often:
    /// for at most a hundredth of the time. If `limit` rows or more have changed, all rows are counted again, at most every
    /// `max_age` and for a tenth of the time; if lastmods are days, until the day is over or each part has a row of that day. If
    /// rows are stored long after their own lastmods (by a transaction that takes longer than `max_age`), the index has those
    /// lastmods after the next count. The same holds for all rows after an error, which is logged.
    ///
    /// # Errors
    /// See [`keys`](Self::keys).
    fn latest(&self, limit: usize) -> impl Future<Output = Result<Option<Vec<DatedKey>>, BoxError>> + Send {
        let _ = limit;
        std::future::ready(Ok(None))
    }

    /// A text that changes with everything that the entries of the range depend on; `None` (the default) if the source does not
    /// know. While it is the same, no rows are read.
    ///
    /// # Errors
    /// See [`rows`](Self::rows).
    fn version(&self, span: &Span) -> impl Future<Output = Result<Option<String>, BoxError>> + Send {
        let _ = span;
        std::future::ready(Ok(None))
    }

    /// The number of rows of the range; `None` (the default) if the source cannot count them without reading them.
    ///
    /// A site compares it with the number of rows that it read by several calls of [`rows`](Self::rows) or [`keys`](Self::keys): a source that
    /// compares keys differently from their order loses rows between two calls. A rendering of several batches asks for one number. If a source
    /// does not count, ranges are read again to see this: at a part's first rendering, when its number of rows has changed, and after each count
    /// of all rows.
    ///
    /// # Errors
    /// See [`rows`](Self::rows).
    fn count(&self, span: &Span) -> impl Future<Output = Result<Option<u64>, BoxError>> + Send {
        let _ = span;
        std::future::ready(Ok(None))
    }

    /// The columns of the key and their types, for messages; empty if they are unknown.
    #[doc(hidden)]
    fn key_columns(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// `true` if each call makes all rows, so that a range is read by one call.
    #[doc(hidden)]
    fn is_read_at_once(&self) -> bool {
        false
    }

    /// All entries, if they are known before any query: of a list.
    #[doc(hidden)]
    fn fixed(&self) -> &[Self::Entry] {
        &[]
    }
}

/// A range of keys: greater than `after`, up to and including `to`. `None` means no bound. Exhaustive, since a range has
/// two ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The last key before the range; `None` begins with the first row.
    pub after: Option<Key>,
    /// The last key of the range; `None` ends with the last row.
    pub to: Option<Key>,
}

impl Span {
    /// All rows.
    pub const ALL: Span = Span {
        after: None,
        to: None,
    };

    /// The rows above `after` and up to `to`.
    pub fn new(after: impl Into<Option<Key>>, to: impl Into<Option<Key>>) -> Self {
        Span {
            after: after.into(),
            to: to.into(),
        }
    }

    /// The rest of the range, after a key in it.
    #[must_use]
    pub fn above(&self, key: Key) -> Self {
        Span {
            after: Some(key),
            to: self.to.clone(),
        }
    }
}

/// A row of a source: its key, and its entry or an error.
#[derive(Debug)]
pub struct Row<T> {
    key: Key,
    entry: Result<T, BoxError>,
}

impl<T> Row<T> {
    /// A row with an entry.
    pub fn new(key: impl Into<Key>, entry: T) -> Self {
        Row {
            key: key.into(),
            entry: Ok(entry),
        }
    }

    /// A row that cannot become an entry, for example because of an undecodable column. It is skipped, counted, and logged with
    /// its key.
    pub fn failed(key: impl Into<Key>, error: impl Into<BoxError>) -> Self {
        Row {
            key: key.into(),
            entry: Err(error.into()),
        }
    }

    /// A row whose entry is decoded by `decode`. An error makes it a [failed](Self::failed) row, and so does a panic: the crates of databases
    /// panic on some values, such as PostgreSQL's timestamp `infinity`.
    pub fn decoded<E: Into<BoxError>>(key: impl Into<Key>, decode: impl FnOnce() -> Result<T, E>) -> Self {
        match Panicked::catch(decode) {
            Ok(Ok(entry)) => Row::new(key, entry),
            Ok(Err(error)) => Row::failed(key, error),
            Err(panic) => Row::failed(key, panic),
        }
    }

    /// The row's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The row's entry.
    ///
    /// # Errors
    /// The error passed to [`Row::failed`].
    pub fn entry(&self) -> Result<&T, &BoxError> {
        self.entry.as_ref()
    }

    /// Splits the row into its key and its entry or error.
    pub fn into_parts(self) -> (Key, Result<T, BoxError>) {
        (self.key, self.entry)
    }
}

/// The key of a row, and its lastmod; see [`Source::keys`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DatedKey {
    /// The key.
    pub key: Key,
    /// The newest lastmod of the row's entries; [`Newest::Nothing`] if the row is not listed. The index does not list a part of such rows only.
    pub lastmod: Newest,
}

impl DatedKey {
    /// Makes the key of a row with the lastmod of its only entry, or the newest of its entries.
    pub fn new(key: Key, lastmod: impl Into<Newest>) -> Self {
        DatedKey {
            key,
            lastmod: lastmod.into(),
        }
    }
}

/// Collects the result of [`Source::keys`] from the rows of a query: refuses a key that comes twice, and warns of
/// lastmods that cannot be read.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct DatedKeys {
    keys: Vec<DatedKey>,
    /// The number of lastmods that cannot be read, and the first of them.
    unread: u64,
    first: Option<(Key, BoxError)>,
}

impl DatedKeys {
    /// Adds a row. The lastmod of an error is unknown.
    ///
    /// # Errors
    /// If the row before has the same key.
    pub fn push(&mut self, key: Key, lastmod: Result<Option<W3cDateTime>, BoxError>) -> Result<(), BoxError> {
        if self.keys.last().is_some_and(|last| last.key == key) {
            return Err(format!(
                "two rows have the key {key}: the columns of a key must be unique together; name others with `key`"
            )
            .into());
        }
        let lastmod = lastmod.unwrap_or_else(|error| {
            self.unread += 1;
            self.first.get_or_insert_with(|| (key.clone(), error));
            None
        });
        self.keys.push(DatedKey::new(key, lastmod));
        Ok(())
    }

    /// Returns the keys. Lastmods that cannot be read are one line of the log, with their number and the first error.
    #[must_use]
    pub fn finish(self) -> Vec<DatedKey> {
        if let Some((key, error)) = self.first {
            warn!(
                rows = self.unread,
                %key,
                error = %Chain(&*error),
                "the source's column of lastmods has values that are not dates, so the index has no lastmod of their parts: convert them with \
                 `lastmod_with`"
            );
        }
        self.keys
    }
}

/// The newest lastmod of several entries.
///
/// ```
/// use sitemap_site::source::Newest;
///
/// let may = "2026-05-01".parse()?;
/// let june = "2026-06-01".parse()?;
/// assert_eq!(Newest::of([Some(may), Some(june)]), Newest::Is(june));
/// // It is unknown when the second entry changed, so the newest lastmod is unknown too.
/// assert_eq!(Newest::of([Some(may), None]), Newest::Unknown);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Newest {
    /// There are no entries.
    #[default]
    Nothing,
    /// All entries have a lastmod; this is the newest.
    Is(W3cDateTime),
    /// At least one entry has no lastmod.
    Unknown,
    /// There are rows to list, but all are invalid.
    Invalid,
}

/// The lastmod of the only entry.
impl From<Option<W3cDateTime>> for Newest {
    fn from(lastmod: Option<W3cDateTime>) -> Self {
        lastmod.map_or(Newest::Unknown, Newest::Is)
    }
}

impl Newest {
    /// The newest of these lastmods. Each is of one entry, where `None` stands for an entry without a lastmod, or the newest of
    /// several.
    pub fn of(lastmods: impl IntoIterator<Item = impl Into<Newest>>) -> Self {
        lastmods
            .into_iter()
            .fold(Newest::Nothing, |newest, lastmod| newest.and(lastmod.into()))
    }

    /// The newest lastmod, if it is known.
    pub fn lastmod(self) -> Option<W3cDateTime> {
        match self {
            Newest::Is(lastmod) => Some(lastmod),
            Newest::Nothing | Newest::Unknown | Newest::Invalid => None,
        }
    }
}

/// A temporary error: no free connection, a database restart, a locked file. Crawlers get 503 with `Retry-After` instead of 500.
#[derive(Debug)]
pub struct Unavailable(BoxError);

impl Unavailable {
    /// Marks an error as temporary.
    pub fn new(error: impl Into<BoxError>) -> Self {
        Unavailable(error.into())
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Unavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The error for a range whose ends are not keys of the source: texts instead of integers, or the wrong number of columns. Any client can
/// request such an address, so the response is 404, and nothing is logged. For a part that the index lists it is a failure, 500 and logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKey;

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the ends of the range are not keys of this source")
    }
}

impl Error for WrongKey {}

/// Number of rows that the default [`Source::keys`] reads at a time.
const KEYS_PAGE: usize = 1_000;

async fn keys_by_pages<S: Source + ?Sized>(
    source: &S,
    span: &Span,
    limit: usize,
) -> Result<Vec<DatedKey>, BoxError> {
    let mut rest = span.clone();
    let mut keys: Vec<DatedKey> = Vec::new();
    while keys.len() < limit {
        let wanted = KEYS_PAGE.min(limit - keys.len());
        let page = source.rows(&rest, wanted).await?;
        let is_last = page.len() < wanted;
        keys.extend(dated_keys(page));
        match keys.last() {
            Some(last) if !is_last => rest = rest.above(last.key.clone()),
            _ => break,
        }
        // The rows of a list are ready at once, and other tasks may be waiting.
        tokio::task::yield_now().await;
    }
    Ok(keys)
}

/// The keys of these rows, with lastmods that are determined in the same way as for a rendered part of a site without settings.
fn dated_keys<T: SitemapEntry>(page: Vec<Row<T>>) -> Vec<DatedKey> {
    // Any base will do: only lastmods matter here.
    let mut writer = WriterBuilder::new();
    writer.base("https://example.com").cross_submission(true);
    let parts = PartBuilder::new(&writer);
    let lastmod = |row: &Row<T>| {
        let mut part = parts.begin(io::sink());
        // The error is reported when the part is rendered.
        let written = row
            .entry()
            .ok()
            .and_then(|entry| part.push(None, &Guarded::new(entry)).ok());
        written.map_or(Newest::Invalid, |_| Newest::of_part(part))
    };
    let keys = page.into_iter().map(|row| DatedKey {
        lastmod: lastmod(&row),
        key: row.key,
    });
    keys.collect()
}

impl Newest {
    fn of_part<W: io::Write>(part: PartWriter<W>) -> Self {
        part.finish()
            .map_or(Newest::Unknown, |(_, facts)| Newest::of_facts(&facts))
    }

    pub(crate) fn of_facts(facts: &PartFacts) -> Self {
        match (facts.entries, facts.lastmod) {
            (0, _) => Newest::Nothing,
            (entries, Some(newest)) if facts.dated == entries => Newest::Is(newest),
            _ => Newest::Unknown,
        }
    }

    /// The newer of both.
    fn and(self, other: Newest) -> Self {
        if other == Newest::Nothing {
            return self;
        }
        match (self, other) {
            (Newest::Nothing | Newest::Invalid, newest) | (newest, Newest::Invalid) => newest,
            (Newest::Is(one), Newest::Is(other)) => Newest::Is(one.max(other)),
            _ => Newest::Unknown,
        }
    }
}

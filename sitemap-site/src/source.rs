//! Where the entries of a section come from: a [`Source`].
//!
//! | rows in | source |
//! |---|---|
//! | a table or query of a database | one of the crates `sitemap-sqlx`, `sitemap-seaorm`, `sitemap-diesel`, `sitemap-diesel-async` |
//! | a list: an array, a slice, a `Vec`, all values of an enum | the list itself |
//! | a list that is made anew each time | [`list`] |
//! | anything that can be asked for the rows after a key | [`pages`], or the trait [`Source`], or [`BlockingSource`] with [`blocking`] |
//!
//! [`with_page`] turns the rows of a page into others, so that one more query can bring what belongs to all of them: the translations
//! of a page's products, for instance.

mod blocking;
mod closure;
mod list;
mod span;
mod with_page;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;

use serde::{Deserialize, Serialize};
use sitemap_serde::{SitemapEntry, W3cDateTime, WriterBuilder};

use crate::key::Key;
use crate::part::{Fit, Part, PartBuilder, PartFacts};

pub use blocking::{Blocking, BlockingSource, blocking};
pub use closure::{Listed, Pages, list, pages};
pub use span::Span;
pub use with_page::{WithPage, with_page};

/// An error of anybody's.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The rows of one section of a sitemap, in the order of their keys.
///
/// The order is the source's own; what it promises is that [`page`](Self::page) and [`step`](Self::step) agree on it, that keys are
/// unique, and that a key stays where it is among the others. Rows may come and go at any time.
///
/// Each call is a short query of its own: nothing is held between calls, no transaction and no cursor. All of them may be dropped
/// before they end, which happens when nobody waits for the answer any more.
pub trait Source: Send + Sync + 'static {
    /// What a row is written as.
    type Entry: SitemapEntry + Send + 'static;

    /// The first `limit` rows of the range, in the order of their keys; fewer only where the range has no more.
    ///
    /// # Errors
    /// Any error fails the page, and with it the part that is rendered: crawlers get 500, or 503 with `Retry-After` for an
    /// [`Unavailable`], or 404 for a [`WrongKey`]. Where one row alone cannot be made an entry, give it as [`Row::failed`] instead.
    fn page(
        &self,
        span: &Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row<Self::Entry>>, BoxError>> + Send;

    /// The end of a part that begins where the range does: what the first `limit` rows are, all in all; `None` if there is none.
    ///
    /// The default reads them as [`page`](Self::page) gives them. A database can tell from an index of the key and the lastmod.
    ///
    /// # Errors
    /// Any error fails the step; it is tried again later, and the last good table of parts stays in use.
    fn step(&self, span: &Span, limit: usize) -> impl Future<Output = Result<Option<Step>, BoxError>> + Send {
        step_by_pages(self, span, limit)
    }

    /// A text that changes whenever something changes in the range, whatever it is that entries are made of; `None` (the default) if
    /// that is not known. Where it is the same as before, no rows are read.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    fn version(&self, span: &Span) -> impl Future<Output = Result<Option<String>, BoxError>> + Send {
        let _ = span;
        std::future::ready(Ok(None))
    }
}

/// A row and its key.
#[derive(Debug)]
pub struct Row<T> {
    key: Key,
    entry: Result<T, BoxError>,
}

impl<T> Row<T> {
    /// A row that is an entry.
    pub fn new(key: impl Into<Key>, entry: T) -> Self {
        Row {
            key: key.into(),
            entry: Ok(entry),
        }
    }

    /// A row that cannot be made an entry, such as one with a cell that does not load. It is left out, counted, and logged with its key.
    pub fn failed(key: impl Into<Key>, error: impl Into<BoxError>) -> Self {
        Row {
            key: key.into(),
            entry: Err(error.into()),
        }
    }

    /// The row's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The row's entry, or why there is none.
    ///
    /// # Errors
    /// That of [`Row::failed`].
    pub fn entry(&self) -> Result<&T, &BoxError> {
        self.entry.as_ref()
    }

    /// The key and the entry.
    pub fn into_parts(self) -> (Key, Result<T, BoxError>) {
        (self.key, self.entry)
    }
}

/// What the rows from the beginning of a range are, all in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The key of the last of them.
    pub last: Key,
    /// How many rows they are, from 1 to the limit.
    pub rows: u64,
    /// The newest lastmod of them; [`Newest::Nothing`] if none of them is to be listed, and then the index does not list the part.
    pub newest: Newest,
}

/// The newest lastmod of several entries.
///
/// ```
/// use sitemap_site::source::Newest;
///
/// let may = "2026-05-01".parse()?;
/// let june = "2026-06-01".parse()?;
/// assert_eq!(Newest::of([Some(may), Some(june)]), Newest::Is(june));
/// // Nobody knows when the second changed, so nobody knows when the last change was.
/// assert_eq!(Newest::of([Some(may), None]), Newest::Unknown);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Newest {
    /// There are no entries.
    #[default]
    Nothing,
    /// The newest of all.
    Is(W3cDateTime),
    /// At least one entry does not say when it changed.
    Unknown,
}

impl Newest {
    /// The newest of these; `None` is an entry without a lastmod.
    pub fn of(lastmods: impl IntoIterator<Item = Option<W3cDateTime>>) -> Self {
        let mut newest = Newest::Nothing;
        lastmods.into_iter().for_each(|lastmod| newest.add(lastmod));
        newest
    }

    /// Adds one entry.
    pub fn add(&mut self, lastmod: Option<W3cDateTime>) {
        *self = self.and(lastmod.map_or(Newest::Unknown, Newest::Is));
    }

    /// The date, where there is one for all.
    pub fn lastmod(self) -> Option<W3cDateTime> {
        match self {
            Newest::Is(lastmod) => Some(lastmod),
            Newest::Nothing | Newest::Unknown => None,
        }
    }
}

/// An error that is expected to pass: no connection is free, the database restarts, a file is locked. Crawlers get 503 with
/// `Retry-After` in place of 500.
#[derive(Debug)]
pub struct Unavailable(BoxError);

impl Unavailable {
    /// Marks an error as one that is expected to pass.
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

/// The error of a range whose ends are no keys of the source: a text where keys are numbers, one column where there are two. Anybody can ask
/// for such an address, so crawlers get 404 and nothing is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKey;

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the range does not end with keys of this source")
    }
}

impl Error for WrongKey {}

/// Rows that are read at a time where only their number, last key and newest lastmod are asked for.
const STEP_PAGE: usize = 1_000;

async fn step_by_pages<S: Source + ?Sized>(
    source: &S,
    span: &Span,
    limit: usize,
) -> Result<Option<Step>, BoxError> {
    let mut rest = span.clone();
    let mut step: Option<Step> = None;
    let mut left = limit;
    while left > 0 {
        let wanted = left.min(STEP_PAGE);
        let page = source.page(&rest, wanted).await?;
        let got = page.len();
        let newest = newest(&page);
        let Some(last) = page.into_iter().last() else {
            break;
        };
        rest = rest.above(last.key.clone());
        let (rows, before) = step.map_or((0, Newest::Nothing), |step| (step.rows, step.newest));
        step = Some(Step {
            last: last.key,
            rows: rows + got as u64,
            newest: before.and(newest),
        });
        if got < wanted {
            break;
        }
        left -= wanted;
    }
    Ok(step)
}

/// The newest lastmod of what is listed, found as for a part that is served.
fn newest<T: SitemapEntry>(page: &[Row<T>]) -> Newest {
    let mut newest = Newest::Nothing;
    // Where the entries are is not asked here.
    let mut writer = WriterBuilder::new();
    writer.base("https://example.com").cross_submission(true);
    let parts = PartBuilder::new(&writer);
    let mut part = parts.from_writer(io::sink());
    for row in page {
        let Ok(entry) = row.entry() else { continue };
        // A row that cannot be listed is said where it is left out.
        if let Ok(Fit::Full) = part.write(None, entry) {
            newest = newest.and(Newest::of_part(part));
            part = parts.from_writer(io::sink());
            let _ = part.write(None, entry);
        }
    }
    newest.and(Newest::of_part(part))
}

impl Newest {
    fn of_part<W: io::Write>(part: Part<W>) -> Self {
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

    /// The newest of both.
    #[must_use]
    pub fn and(self, other: Newest) -> Self {
        match (self, other) {
            (Newest::Nothing, other) | (other, Newest::Nothing) => other,
            (Newest::Is(one), Newest::Is(other)) => Newest::Is(one.max(other)),
            _ => Newest::Unknown,
        }
    }
}

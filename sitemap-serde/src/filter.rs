//! A choice of entries, by their dates and locs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sitemap_values::W3cDateTime;

type KeepLoc = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A choice of entries by their lastmods and locs, for a [`Reader`](crate::Reader::filter), a [lint](crate::lint::Linter::filter), a
/// [comparison](crate::diff::Diff::filter), or a walk over a site (crate `sitemap-tree`). A new filter keeps every entry.
///
/// Clones count together: [`skipped`](Self::skipped) is the number of entries that all readers with a filter skipped.
///
/// ```
/// use sitemap_serde::{Filter, Reader};
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/blog/1</loc><lastmod>2026-05-01</lastmod></url>
///   <url><loc>https://example.com/blog/2</loc><lastmod>2025-01-01</lastmod></url>
///   <url><loc>https://example.com/blog/3</loc></url>
///   <url><loc>https://example.com/about</loc><lastmod>2026-05-01</lastmod></url>
/// </urlset>"#;
/// let filter = Filter::new()
///     .since("2026-01-01".parse()?)
///     .undated(false)
///     .locs(|loc| loc.starts_with("https://example.com/blog/"));
/// let mut reader = Reader::from_str(xml);
/// reader.filter(filter.clone());
/// let locs: Vec<String> = reader.entries().map(|entry| Ok(entry?.loc)).collect::<Result<_, sitemap_serde::Error>>()?;
/// assert_eq!(locs, ["https://example.com/blog/1"]);
/// assert_eq!(filter.skipped(), 3);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Filter {
    since: Option<W3cDateTime>,
    drops_undated: bool,
    locs: Vec<KeepLoc>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    skipped: AtomicU64,
    undated: AtomicU64,
}

/// What a filter decides about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Keep,
    /// Keeps an entry whose date is not known.
    KeepUndated,
    Skip,
}

impl Filter {
    /// Makes a filter that keeps every entry.
    pub fn new() -> Self {
        Filter::default()
    }

    /// Skips entries whose lastmod is before `date`. A less precise lastmod is kept if `date` is in it: `2026-05` is kept for `2026-05-20`.
    /// Values are compared by their instants, and a date without a time begins in UTC.
    ///
    /// By default, entries without a lastmod are kept; see [`undated`](Self::undated). An invalid lastmod counts as none, unless its meaning
    /// is unambiguous, like `2026/05/20`.
    #[must_use]
    pub fn since(mut self, date: W3cDateTime) -> Self {
        self.since = Some(date);
        self
    }

    /// Sets whether entries without a valid lastmod are kept by [`since`](Self::since); `true` by default.
    #[must_use]
    pub fn undated(mut self, keep: bool) -> Self {
        self.drops_undated = !keep;
        self
    }

    /// Skips entries for whose loc `keep` returns `false`. The loc is the text of the document, with references resolved. After several
    /// calls, every `keep` must return `true`. The filter keeps entries without a loc, so the reader reports their error.
    #[must_use]
    pub fn locs(mut self, keep: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.locs.push(Arc::new(keep));
        self
    }

    /// Returns `true` if the filter keeps an entry with this loc and this lastmod; otherwise counts it. For programs that read entries
    /// without this crate's readers.
    ///
    /// ```
    /// use sitemap_serde::Filter;
    ///
    /// let filter = Filter::new().since("2026-05-20".parse()?);
    /// let keeps = |lastmod| filter.keeps("https://example.com/", lastmod);
    /// assert!(keeps(Some("2026-05-20T00:00:00Z")) && keeps(Some("2026-05")) && keeps(None));
    /// assert!(!keeps(Some("2026-05-19")) && !keeps(Some("2026-04")));
    /// assert_eq!((filter.skipped(), filter.undated_kept()), (2, 1));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn keeps(&self, loc: &str, lastmod: Option<&str>) -> bool {
        let decision = self.decide(loc, lastmod);
        let count = match decision {
            Decision::Keep => return true,
            Decision::KeepUndated => &self.counts.undated,
            Decision::Skip => &self.counts.skipped,
        };
        count.fetch_add(1, Ordering::Relaxed);
        decision != Decision::Skip
    }

    /// The same choice with counts of its own.
    pub(crate) fn uncounted(&self) -> Self {
        Filter {
            counts: Arc::default(),
            ..self.clone()
        }
    }

    /// Like [`keeps`](Self::keeps), without counting.
    pub(crate) fn would_keep(&self, loc: &str, lastmod: Option<&str>) -> bool {
        self.decide(loc, lastmod) != Decision::Skip
    }

    /// Returns `true` if a sitemap whose index gives it this lastmod may have entries that [`since`](Self::since) keeps: its lastmod is not
    /// before the date, or is not known.
    #[doc(hidden)]
    pub fn may_keep_sitemap(&self, lastmod: Option<&str>) -> bool {
        let lastmod = lastmod.and_then(date);
        match (self.since, lastmod) {
            (Some(since), Some(lastmod)) => is_since(lastmod, since),
            _ => true,
        }
    }

    /// The number of skipped entries.
    pub fn skipped(&self) -> u64 {
        self.counts.skipped.load(Ordering::Relaxed)
    }

    /// The number of entries that [`since`](Self::since) kept without a valid lastmod.
    pub fn undated_kept(&self) -> u64 {
        self.counts.undated.load(Ordering::Relaxed)
    }

    fn decide(&self, loc: &str, lastmod: Option<&str>) -> Decision {
        if loc.is_empty() {
            return Decision::Keep;
        }
        if !self.locs.iter().all(|keep| keep(loc)) {
            return Decision::Skip;
        }
        let Some(since) = self.since else {
            return Decision::Keep;
        };
        match lastmod.and_then(date) {
            Some(lastmod) if is_since(lastmod, since) => Decision::Keep,
            None if !self.drops_undated => Decision::KeepUndated,
            _ => Decision::Skip,
        }
    }
}

/// The date that a lastmod certainly means.
fn date(lastmod: &str) -> Option<W3cDateTime> {
    W3cDateTime::parse(lastmod).or_else(|| W3cDateTime::repair(lastmod))
}

/// Returns `true` if a date is at or after another one, or may be: if its year, day or minute is not over by then, in its own zone.
fn is_since(date: W3cDateTime, since: W3cDateTime) -> bool {
    let (seconds, nanosecond) = since.unix_time();
    let offset = i32::from(date.offset_minutes().unwrap_or(0)) * 60;
    let Ok(since) = W3cDateTime::from_unix(seconds, nanosecond, offset) else {
        // In this zone it is before the year 0000, and so before every date, or after 9999.
        return seconds < 0;
    };
    date.unix_time() >= since.truncated_to(date.precision()).unix_time()
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("since", &self.since)
            .field("drops_undated", &self.drops_undated)
            .field("locs", &self.locs.len())
            .field("counts", &self.counts)
            .finish()
    }
}

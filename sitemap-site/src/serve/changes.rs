//! The pages of a site that have changed since a time, to announce them.

use std::collections::VecDeque;
use std::time::{Duration, SystemTime};

use sitemap_serde::{UrlEntry, W3cDateTime};
use tokio::time::timeout;

use super::Site;
use super::refresh_error::RefreshError;
use super::section::Section;
use crate::error::{Chain, Error};
use crate::source::{DatedKey, Newest, Span};

/// Number of keys that are read at a time.
const KEYS: usize = 10_000;

/// The pages of a [`Site`] that have changed since a time; returned by [`Site::changes`].
#[derive(Debug)]
#[must_use = "the pages are read by `next`"]
pub struct SiteChanges {
    site: Site,
    since: W3cDateTime,
    section: usize,
    /// The rows whose keys were not read.
    rest: Span,
    /// Rows whose keys were read and that may have changed.
    changed: Option<Span>,
    /// `true` after the last keys of the section.
    is_last: bool,
    ready: VecDeque<UrlEntry>,
    undated: u64,
}

impl Site {
    /// Reads the pages whose lastmod is `since` or later, to announce them, for example with IndexNow. A day as lastmod counts as
    /// the whole day.
    ///
    /// A site keeps no history, so it knows neither removed pages nor changes of pages without a lastmod.
    /// [`SiteChanges::undated`] counts the latter. To announce both, [`export`](Self::export) the site to a set, whose
    /// [`unannounced`](crate::SitemapSet::unannounced) compares all pages.
    ///
    /// It reads the keys and lastmods of all rows, like a count, and the rows of ranges with a change. Rows that cannot become
    /// entries are skipped, as in a part.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut pages = vec![UrlEntry::new("/a"), UrlEntry::new("/b"), UrlEntry::new("/c")];
    /// pages[0].lastmod = Some("2026-05-01T10:00:00Z".parse()?);
    /// pages[1].lastmod = Some("2026-05-02T10:00:00Z".parse()?);
    /// let site = SiteBuilder::new("https://example.com").section("pages", pages).build()?;
    ///
    /// let mut changes = site.changes("2026-05-02T00:00:00Z".parse()?);
    /// while let Some(page) = changes.next().await? {
    ///     assert_eq!(page.loc, "https://example.com/b");
    /// }
    /// assert_eq!(changes.undated(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Record the start time of each run, and pass it to the next run, minus some minutes: a transaction may commit rows with
    /// older lastmods.
    pub fn changes(&self, since: W3cDateTime) -> SiteChanges {
        SiteChanges {
            site: self.clone(),
            since,
            section: 0,
            rest: Span::ALL,
            changed: None,
            is_last: false,
            ready: VecDeque::new(),
            undated: 0,
        }
    }
}

impl SiteChanges {
    /// Returns the next changed page, in the order of the sections and their keys; `None` after the last one.
    ///
    /// # Errors
    /// If the rows of a section cannot be read. The next call tries the same rows again.
    pub async fn next(&mut self) -> Result<Option<UrlEntry>, Error> {
        let site = self.site.clone();
        loop {
            if let Some(page) = self.ready.pop_front() {
                return Ok(Some(page));
            }
            let Some(section) = site.0.sections.get(self.section) else {
                return Ok(None);
            };
            let failed = |reason: String| Error::from(RefreshError::new(&section.name, reason));
            let limit = site.0.time_limit;
            if let Some(span) = self.changed.clone() {
                self.read_rows(section, &span, limit).await.map_err(failed)?;
            } else if self.is_last {
                self.section += 1;
                (self.rest, self.is_last) = (Span::ALL, false);
            } else {
                self.read_keys(section, limit).await.map_err(failed)?;
            }
        }
    }

    /// The number of pages without a lastmod among the rows read so far. They may have changed.
    pub fn undated(&self) -> u64 {
        self.undated
    }

    async fn read_keys(&mut self, section: &Section, limit: Duration) -> Result<(), String> {
        let keys = timeout(limit, section.keys(&self.rest, KEYS)).await;
        let keys = keys.map_err(|_| format!("reading its keys took more than {limit:?}"))?;
        let keys = keys.map_err(|error| format!("the rows cannot be counted: {}", Chain(&*error)))?;
        let Some(last) = keys.last() else {
            self.is_last = true;
            return Ok(());
        };
        let last = last.key.clone();
        if self.rest.after.as_ref() == Some(&last) {
            return Err(format!(
                "the rows after the key {last} end with the key {last}: the key columns of a source must be unique, and must be compared in \
                 the same way as they are ordered"
            ));
        }
        let may_have_changed = |key: &DatedKey| match key.lastmod {
            Newest::Is(lastmod) => is_since(lastmod, self.since),
            Newest::Unknown | Newest::Invalid => true,
            Newest::Nothing => false,
        };
        if keys.iter().any(may_have_changed) {
            self.changed = Some(Span::new(self.rest.after.clone(), last.clone()));
        }
        self.is_last = keys.len() < KEYS;
        self.rest = self.rest.above(last);
        Ok(())
    }

    /// Reads a page of the rows of a range with a change.
    async fn read_rows(&mut self, section: &Section, span: &Span, limit: Duration) -> Result<(), String> {
        let settings = &section.settings.rendering;
        let rows = timeout(limit, section.source.entries(span, settings)).await;
        let rows = rows.map_err(|_| format!("reading its rows took more than {limit:?}"))??;
        for entry in rows.entries {
            match entry.lastmod {
                None => self.undated += 1,
                Some(lastmod) if is_since(lastmod, self.since) => self.ready.push_back(entry),
                Some(_) => {}
            }
        }
        self.changed = rows.last.map(|last| span.above(last));
        Ok(())
    }
}

/// Returns `true` if a page with this lastmod may have changed since a time. A day counts until its end.
fn is_since(lastmod: W3cDateTime, since: W3cDateTime) -> bool {
    let time = |date: W3cDateTime| SystemTime::try_from(date.assume_utc()).ok();
    let (lastmod, since) = (time(lastmod), time(since.truncated_to(lastmod.precision())));
    // A date beyond the system's range counts as changed.
    lastmod.is_none() || lastmod >= since
}

//! Sections of news: the articles of rows, as far as they are not too old.
//!
//! **News are a setting of a section** (`section::Settings`: size of parts, lifetime, clock). Only its entry shows whether an
//! article is too old, so rows of news are written and read again (`news`, also for sets). All parts of news are rendered each
//! time the index checks unlisted parts, since time empties them without any change.

use std::time::{Duration, SystemTime};

use sitemap_serde::{Reader, SitemapEntry, UrlEntry, W3cDateTime, WriterBuilder};

use crate::error::{Error, ErrorKind, Result};

/// Maximum number of articles of a part (P-NEWS4).
pub(crate) const MOST_NEWS: u64 = 1_000;
/// The age of the oldest articles that are listed (P-NEWS5).
const MOST_AGE: Duration = Duration::from_secs(2 * 24 * 3600);

/// The articles of a row.
#[derive(Debug, Default)]
pub(crate) struct Articles {
    /// Each as an entry of its own.
    pub(crate) listed: Vec<UrlEntry>,
    /// The number of articles that are more than two days old.
    pub(crate) old: u64,
    /// The problems of the values that were dropped.
    pub(crate) dropped: Vec<sitemap_serde::Error>,
}

impl Articles {
    /// The articles of a listed row. `now` is the current time, if old articles are to be skipped.
    pub(crate) fn of(
        row: &(impl SitemapEntry + ?Sized),
        builder: &WriterBuilder,
        now: Option<W3cDateTime>,
    ) -> Result<Self> {
        let mut articles = Articles::default();
        if !row.is_listed() {
            return Ok(articles);
        }
        let mut writer = builder.from_writer(Vec::new());
        writer.write(row)?;
        articles.dropped = writer.take_problems();
        if writer.summary().skipped > 0
            && let Some(error) = articles.dropped.pop()
        {
            return Err(error.into());
        }
        let document = writer.finish()?;
        for entry in Reader::from_slice(&document).deserialize::<UrlEntry>() {
            let entry = entry?;
            let Some(news) = &entry.news else {
                return Err(Error::new(
                    ErrorKind::Entry,
                    format!("{} has no `news:news`, and the section is one of news", entry.loc),
                ));
            };
            let is_old = match now {
                Some(now) => is_older(news.publication_date, now)?,
                None => false,
            };
            if is_old {
                articles.old += 1;
            } else {
                articles.listed.push(entry);
            }
        }
        Ok(articles)
    }
}

/// Returns `true` if news was published more than two days ago.
fn is_older(date: W3cDateTime, now: W3cDateTime) -> Result<bool> {
    let date = SystemTime::try_from(date.assume_utc())?;
    let now = SystemTime::try_from(now.assume_utc())?;
    Ok(date + MOST_AGE < now)
}

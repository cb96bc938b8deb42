//! Finding the parts in which rows have changed, by the dates of the rows.

use std::collections::HashSet;
use std::time::{Instant, SystemTime};

use sitemap_serde::W3cDateTime;

use super::Parts;
use super::refresh::{Pace, TableError, keys};
use crate::key::Key;
use crate::serve::section::Section;
use crate::source::{Newest, Span};

/// Maximum number of rows that are read; further changes are found when all rows are counted.
const MOST_ROWS: usize = 1_000;
/// Maximum number of rows of which a query has to tell the part, since only the database knows the order of their keys.
const MOST_QUERIED: usize = 100;
/// The query takes at most one part in this number of the time, also if no index answers it.
const PAUSE: u32 = 100;

/// The rows that were looked at.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    newest: W3cDateTime,
    /// Rows with that lastmod whose parts are known to have it. After a count it is not known which they are.
    keys: HashSet<Key>,
}

/// Records the lastmods of the rows that have changed since they were counted, if the source can find them.
pub(super) async fn raise_newest(section: &Section, pace: Pace) -> Result<(), TableError> {
    let Some(seen) = section.table.lock().seen() else {
        return Ok(());
    };
    let started = Instant::now();
    let latest = tokio::time::timeout(pace.time_limit, section.source.latest(MOST_ROWS)).await;
    let pause = started.elapsed().saturating_mul(PAUSE);
    section.table.lock().latest_due = Instant::now().checked_add(pause);
    let latest = latest.map_err(|_| TableError::Late(pace.time_limit))?;
    let Some(latest) = latest.map_err(TableError::Source)? else {
        return Ok(());
    };
    let ends: Vec<Key> = {
        let parts = section.table.lock();
        parts.rows.iter().filter_map(|row| row.to.clone()).collect()
    };
    let mut search = Search {
        section,
        pace,
        ends,
        queried: 0,
    };
    let newest = newest_until_now(latest.iter().map(|row| row.lastmod)).max(Some(seen.newest));
    let mut keys = HashSet::new();
    for row in latest
        .iter()
        .take_while(|row| row.lastmod.lastmod() >= Some(seen.newest))
    {
        // Several rows change within a second, or a day.
        let is_known = row.lastmod.lastmod() == Some(seen.newest) && seen.keys.contains(&row.key);
        if !is_known {
            let Some(span) = search.part_of(&row.key).await? else {
                continue;
            };
            section.table.lock().raise(&span, row.lastmod);
        }
        if row.lastmod.lastmod() == newest {
            keys.insert(row.key.clone());
        }
    }
    section.table.lock().seen = newest.map(|newest| Seen { newest, keys });
    Ok(())
}

/// The newest of these lastmods, except those in the future, which would hide changes until then.
fn newest_until_now(lastmods: impl Iterator<Item = Newest>) -> Option<W3cDateTime> {
    let now = W3cDateTime::try_from(SystemTime::now()).ok();
    let known = lastmods.filter_map(Newest::lastmod);
    known.filter(|lastmod| Some(*lastmod) <= now).max()
}

impl Parts {
    /// The rows that were looked at, if it is time to look again.
    fn seen(&self) -> Option<Seen> {
        let is_due = self.latest_due.is_none_or(|due| Instant::now() >= due);
        self.seen.clone().filter(|_| is_due && self.complete)
    }

    /// Records that all rows were looked at by a count that began at this time: rows that have changed since may not have been counted.
    pub(super) fn set_seen(&mut self, began: SystemTime) {
        let newest = newest_until_now(self.rows.iter().map(|row| row.newest));
        let newest = newest.min(W3cDateTime::try_from(began).ok());
        let keys = HashSet::new();
        self.seen = newest.map(|newest| Seen { newest, keys });
    }

    fn raise(&mut self, span: &Span, newest: Newest) {
        if let Some(row) = self.find(span).and_then(|at| self.rows.get_mut(at)) {
            let before = row.newest;
            row.raise(newest);
            self.generation += u64::from(row.newest != before);
        }
    }
}

/// A binary search for the part of a key.
struct Search<'a> {
    section: &'a Section,
    pace: Pace,
    /// The last keys of the full parts, in their order.
    ends: Vec<Key>,
    queried: usize,
}

impl Search<'_> {
    /// The range of the part of a row's key; `None` if that would take too many queries.
    async fn part_of(&mut self, key: &Key) -> Result<Option<Span>, TableError> {
        let is_ordered = self.ends.first().is_none_or(|end| key.partial_cmp(end).is_some());
        if !is_ordered {
            self.queried += 1;
        }
        if self.queried > MOST_QUERIED {
            return Ok(None);
        }
        let (mut first, mut last) = (0, self.ends.len());
        while let Some(end) = self
            .ends
            .get(usize::midpoint(first, last))
            .filter(|_| first < last)
        {
            let middle = usize::midpoint(first, last);
            if self.is_above(key, end).await? {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        Ok(Some(Span {
            after: first
                .checked_sub(1)
                .and_then(|before| self.ends.get(before))
                .cloned(),
            to: self.ends.get(first).cloned(),
        }))
    }

    async fn is_above(&self, key: &Key, end: &Key) -> Result<bool, TableError> {
        if let Some(order) = key.partial_cmp(end) {
            return Ok(order.is_gt());
        }
        let between = Span::new(end.clone(), key.clone());
        let found = keys(self.section, self.pace, &between, 1).await?;
        Ok(!found.is_empty())
    }
}

//! Finding the parts with changed rows, by the dates of the rows.
//!
//! **Changed rows are found by their dates**, and their parts by comparing keys with the parts' ends. The ends show the order of
//! single integers. Only the database knows the order of other keys: a query finds out whether a row is between two keys. So
//! sources need no function for the order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::SystemTime;

use tokio::time::Instant;
use tracing::warn;

use super::super::section::Section;
use super::super::table::{MAX_LATEST, Pace, Seen, Unseen, is_future, newest_until};
use super::keys;
use crate::error::Chain;
use crate::key::Key;
use crate::source::{DatedKey, Span};

/// Maximum number of rows whose parts are found by queries, since only the database knows the order of their keys. The next run
/// finds the parts of the rest.
const MOST_QUERIED: usize = 100;
/// These queries take at most one part in this number of the time, also if no index answers them.
const PAUSE: u32 = 100;
/// Records the lastmods of rows that have changed since they were counted, if the source can find them. If it fails, at the
/// latest the next count of all rows finds them.
pub(super) async fn raise_newest(section: &Section, pace: Pace) {
    // The searched parts must not be replaced meanwhile.
    let _upkeep = section.upkeep.lock().await;
    let Some(seen) = section.table.lock().seen() else {
        return;
    };
    let before = seen.unseen;
    let started = Instant::now();
    let looked = look(section, pace, seen).await;
    let pause = started.elapsed().saturating_mul(PAUSE);
    let mut parts = section.table.lock();
    parts.latest_due = Instant::now().checked_add(pause);
    match looked {
        Ok(seen) => {
            if seen.unseen != before {
                seen.unseen.log();
            }
            parts.seen = Some(seen);
        }
        Err(error) => {
            warn!(
                "the rows that have changed cannot be found, so the index has their lastmods later: {error}"
            );
        }
    }
}

/// Finds the rows that have changed since the last look, and raises the lastmods of their parts.
async fn look(section: &Section, pace: Pace, seen: Seen) -> Result<Seen, String> {
    let began = SystemTime::now();
    let latest = tokio::time::timeout(pace.time_limit, section.latest(MAX_LATEST)).await;
    let latest = latest.map_err(|_| format!("the query took more than {:?}", pace.time_limit))?;
    let Some(latest) = latest.map_err(|error| Chain(&*error).to_string())? else {
        return Ok(seen);
    };
    let mut search = Search::new(section, pace);
    let mut keys = HashMap::new();
    let mut is_complete = true;
    let is_new = |row: &&DatedKey| row.lastmod.lastmod() >= Some(seen.newest);
    // Among them may be rows whose lastmods are unknown: PostgreSQL sorts `infinity` before all dates.
    for row in latest.iter().filter(is_new) {
        // Once it has begun, it is new.
        if row.lastmod.lastmod().is_some_and(is_future) {
            continue;
        }
        // Several rows change within a second, or a day.
        if seen.keys.get(&row.key) != Some(&row.lastmod) {
            let Some(span) = search.part_of(&row.key).await? else {
                is_complete = false;
                continue;
            };
            section.table.lock().raise(&span, row.lastmod);
        }
        keys.insert(row.key.clone(), row.lastmod);
    }
    let unseen = section.table.lock().unseen(&latest, seen.newest);
    let mut newest = seen.newest;
    if is_complete && unseen == Unseen::None {
        let newer = newest_until(began, latest.iter().map(|row| row.lastmod));
        newest = newer.map_or(newest, |newer| newer.max(newest));
        keys.retain(|_, lastmod| lastmod.lastmod() >= Some(newest));
    }
    Ok(Seen { newest, keys, unseen })
}

/// A binary search for the part of a key.
struct Search<'a> {
    section: &'a Section,
    pace: Pace,
    /// The last keys of the full parts, in their order.
    ends: Vec<Key>,
    /// The order of a key and a later key; `None` if only the database knows.
    order: Option<Ordering>,
    queried: usize,
}

impl<'a> Search<'a> {
    fn new(section: &'a Section, pace: Pace) -> Self {
        let ends: Vec<Key> = {
            let parts = section.table.lock();
            parts.rows.iter().filter_map(|row| row.to.clone()).collect()
        };
        let order = match ends.as_slice() {
            // Each column of a key may be in another order.
            [first, .., last] if first.values().len() == 1 => first.partial_cmp(last),
            _ => None,
        };
        Search {
            section,
            pace,
            ends,
            order,
            queried: 0,
        }
    }

    /// The range of the part of a row's key; `None` if that would take too many queries.
    async fn part_of(&mut self, key: &Key) -> Result<Option<Span>, String> {
        if self.order.is_none() {
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

    /// Returns `true` if a key comes after the end of a part.
    async fn is_above(&self, key: &Key, end: &Key) -> Result<bool, String> {
        if let (Some(order), Some(compared)) = (self.order, end.partial_cmp(key)) {
            return Ok(compared == order);
        }
        let between = Span::new(end.clone(), key.clone());
        let found = keys(self.section, self.pace, &between, 1).await;
        Ok(!found.map_err(|error| error.to_string())?.is_empty())
    }
}

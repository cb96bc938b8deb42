//! Finding the parts with changed rows, by the dates of the rows.
//!
//! **Changed rows are found by their dates**, and their parts by comparing keys with the parts' ends. The ends show the order of
//! single integers. Only the database knows the order of other keys: a query finds out whether a row is between two keys. So
//! sources need no function for the order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use sitemap_serde::{Precision, W3cDateTime};
use tokio::time::Instant;
use tracing::{info, warn};

use super::merge::after_1970;
use super::refresh::{Pace, keys};
use super::{PartRow, Parts};
use crate::error::Chain;
use crate::key::Key;
use crate::manifest::since_1970;
use crate::serve::section::Section;
use crate::source::{DatedKey, Newest, Span};

/// Maximum number of rows to read. A count of all rows finds the other changes.
const MOST_ROWS: usize = 1_000;
/// Maximum number of rows whose parts are found by queries, since only the database knows the order of their keys. The next run
/// finds the parts of the rest.
const MOST_QUERIED: usize = 100;
/// These queries take at most one part in this number of the time, also if no index answers them.
const PAUSE: u32 = 100;
const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;
/// In the east, a day begins up to 14 hours earlier than in UTC.
const EARLIEST: u64 = 14 * HOUR;
/// In the west, it begins and ends up to 12 hours later than in UTC.
const LATEST: u64 = 12 * HOUR;

/// The rows that were read.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Parts already have all earlier lastmods.
    pub(super) newest: W3cDateTime,
    /// Other rows whose lastmods their parts already have. Unknown after a count.
    keys: HashMap<Key, Newest>,
    unseen: Unseen,
}

/// Changed rows outside the rows that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unseen {
    None,
    /// Too many may have changed.
    Changed,
    /// Too many have lastmods in the future. A count would not change that.
    BeforeFuture,
}

impl Unseen {
    fn log(self) {
        match self {
            Unseen::None => {}
            Unseen::Changed => info!(
                "{MOST_ROWS} rows or more may have changed since all rows were counted, which are therefore counted again"
            ),
            Unseen::BeforeFuture => warn!(
                "{MOST_ROWS} rows or more have lastmods in the future: lastmods before theirs are in the index after the next count of all rows \
                 (`recount_after`, or `Site::refresh`)"
            ),
        }
    }
}

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
    let latest = tokio::time::timeout(pace.time_limit, section.latest(MOST_ROWS)).await;
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

/// The newest lastmod that is not later than any possible lastmod of a change after `until`, in any time zone. So it is not in
/// the future, nor a day that has not begun everywhere.
fn newest_until(until: SystemTime, lastmods: impl Iterator<Item = Newest>) -> Option<W3cDateTime> {
    let until = since_1970(until).as_secs();
    let known = lastmods.filter_map(Newest::lastmod);
    known.filter(|lastmod| begun_everywhere(*lastmod) <= until).max()
}

/// Returns `true` if a lastmod has not begun in any time zone.
pub(crate) fn is_future(lastmod: W3cDateTime) -> bool {
    is_later_than(lastmod, Duration::ZERO)
}

/// Returns `true` if a lastmod is further in the future than `time`, in every time zone.
pub(crate) fn is_later_than(lastmod: W3cDateTime, time: Duration) -> bool {
    times(lastmod).start > since_1970(SystemTime::now()).saturating_add(time).as_secs()
}

impl Newest {
    /// Drops a lastmod in the future, which does not show when the entries changed, and would hide later changes.
    pub(super) fn begun(self) -> Self {
        match self {
            Newest::Is(lastmod) if is_future(lastmod) => Newest::Unknown,
            newest => newest,
        }
    }
}

/// The time, in seconds since 1970, when a lastmod has begun in every time zone.
fn begun_everywhere(lastmod: W3cDateTime) -> u64 {
    let start = times(lastmod).start;
    if is_of_days(lastmod) {
        start + EARLIEST + LATEST
    } else {
        start
    }
}

fn is_of_days(lastmod: W3cDateTime) -> bool {
    matches!(
        lastmod.precision(),
        Precision::Year | Precision::Month | Precision::Day
    )
}

/// The times that a lastmod can stand for, in seconds since 1970.
fn times(lastmod: W3cDateTime) -> Range<u64> {
    let start = u64::try_from(lastmod.unix_time().0).unwrap_or(0);
    let whole_days = match lastmod.precision() {
        Precision::Year => 366,
        Precision::Month => 31,
        Precision::Day => 1,
        Precision::Minute => return start..start + 60,
        _ => return start..start + 1,
    };
    start.saturating_sub(EARLIEST)..start + whole_days * DAY + LATEST
}

impl Parts {
    /// The rows that were looked at, if it is time to look again.
    fn seen(&self) -> Option<Seen> {
        let is_due = self.latest_due.is_none_or(|due| Instant::now() >= due);
        self.seen.clone().filter(|_| is_due && self.complete)
    }

    /// Records that all rows were looked at until a time: rows that have changed since may not have been counted.
    pub(super) fn set_seen(&mut self, until: SystemTime) {
        let seconds = since_1970(until).as_secs();
        // Many columns have whole seconds.
        let Ok(now) = W3cDateTime::try_from(after_1970(seconds)) else {
            return;
        };
        let year_ago = W3cDateTime::try_from(after_1970(seconds.saturating_sub(367 * DAY))).unwrap_or(now);
        let lastmods = || self.rows.iter().map(|row| row.newest);
        // If all are in the future, or days that have not begun everywhere, take a date that no later change can be older than.
        let oldest = |lastmod| if is_of_days(lastmod) { year_ago } else { now };
        let newest = newest_until(until, lastmods()).map(|newest| newest.min(now));
        let newest = newest.or_else(|| lastmods().filter_map(Newest::lastmod).map(oldest).max());
        self.seen = newest.map(|newest| Seen {
            newest,
            keys: HashMap::new(),
            unseen: Unseen::None,
        });
    }

    /// Returns `true` if only a count of all rows finds some changes, and it is time for one.
    pub(crate) fn are_changes_due(&self) -> bool {
        let is_due = self.changes_due.is_none_or(|due| Instant::now() >= due);
        let seen = self.seen.as_ref();
        is_due && seen.is_some_and(|seen| seen.unseen == Unseen::Changed)
    }

    /// The rows that are not among the latest, although they may have changed since.
    fn unseen(&self, latest: &[DatedKey], since: W3cDateTime) -> Unseen {
        let last = latest.get(MOST_ROWS - 1).and_then(|last| last.lastmod.lastmod());
        let Some(last) = last else { return Unseen::None };
        // No unseen row has a later lastmod.
        let has_older = |part: &PartRow| part.newest.lastmod().is_some_and(|newest| newest < last);
        // More rows may have changed on the same day, or in the same second, after they were counted.
        let was_counted = last < since || last == since && self.counted.all >= times(last).end;
        if is_future(last) {
            Unseen::BeforeFuture
        } else if !was_counted && self.rows.iter().any(has_older) {
            Unseen::Changed
        } else {
            Unseen::None
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(lastmods: &[&str]) -> Parts {
        let row = |lastmod: &&str| PartRow::new(None, 5, Newest::of([lastmod.parse().ok()]));
        Parts {
            rows: lastmods.iter().map(row).collect(),
            complete: true,
            ..Parts::default()
        }
    }

    fn time(text: &str) -> SystemTime {
        let time: W3cDateTime = text.parse().unwrap();
        after_1970(u64::try_from(time.unix_time().0).unwrap())
    }

    /// A lastmod written from this time on, in any zone, is not older than the searched one.
    #[test]
    fn what_changes_after_a_count_is_looked_for() {
        let noon = "2026-05-10T12:00:00Z";
        for (lastmods, until, newest) in [
            (&["2026-05-09", "2026-05-10"][..], noon, "2026-05-10"),
            // In the west it is still the 9th.
            (
                &["2026-05-09", "2026-05-10"],
                "2026-05-10T11:59:59Z",
                "2026-05-09",
            ),
            // In the east it is already the 11th.
            (&["2026-05-09", "2026-05-11"], noon, "2026-05-09"),
            (&["2026-05-11"], noon, "2025-05-08T12:00:00Z"),
            (&["2026-04", "2026-05"], noon, "2026-05"),
            (&["2026-04", "2026-05"], "2026-05-01T12:00:00Z", "2026-05"),
            (&["2026-04", "2026-05"], "2026-05-01T11:00:00Z", "2026-04"),
            (&["2026"], noon, "2026"),
            (
                &["2026-05-10T11:00:00Z", "2027-01-01T00:00:00Z"],
                noon,
                "2026-05-10T11:00:00Z",
            ),
            (&["2026-05-10T12:00:00.7Z"], noon, noon),
            (&["2027-01-01T00:00:00Z"], noon, noon),
        ] {
            let mut parts = parts(lastmods);
            parts.set_seen(time(until));
            let found = parts.seen.unwrap().newest.to_string();
            assert_eq!(found, newest, "{lastmods:?} until {until}");
        }
        let mut undated = parts(&["no date"]);
        undated.set_seen(time(noon));
        assert!(undated.seen.is_none());
    }
    #[test]
    fn a_lastmod_stands_for_any_time_of_it_in_any_zone() {
        for (lastmod, start, end) in [
            ("2026", "2025-12-31T10:00:00Z", "2027-01-02T12:00:00Z"),
            ("2026-05", "2026-04-30T10:00:00Z", "2026-06-01T12:00:00Z"),
            ("2026-05-10", "2026-05-09T10:00:00Z", "2026-05-11T12:00:00Z"),
            (
                "2026-05-10T12:00Z",
                "2026-05-10T12:00:00Z",
                "2026-05-10T12:01:00Z",
            ),
            (
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:31Z",
            ),
            (
                "2026-05-10T12:00:30.5Z",
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:31Z",
            ),
        ] {
            let seconds = |text| since_1970(time(text)).as_secs();
            assert_eq!(
                times(lastmod.parse().unwrap()),
                seconds(start)..seconds(end),
                "{lastmod}"
            );
        }
    }
}

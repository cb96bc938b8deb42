//! The table of a section's parts: their key ranges, and facts about each. `count` builds it.
//!
//! | module | content |
//! |---|---|
//! | `boundary` | where parts end |
//! | `rows` | the parts, and the place of each |
//! | `former` | ranges that were parts recently |
//! | `lastmod`, `seen` | the newest rows, by whose dates changed parts are found |
//! | `store`, `merge` | saving the table outside of the process, and merging tables of other instances |

mod boundary;
mod former;
mod lastmod;
mod merge;
mod rows;
mod seen;
mod store;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use tracing::warn;

use super::key_address::{is_long, to_end};
use crate::hash::ContentHash;
use crate::key::Key;
use crate::source::{Newest, Span};

use boundary::MOST_ROWS;
pub(crate) use boundary::{PartSize, most_between};
pub(crate) use former::Former;
pub(crate) use lastmod::{is_future, is_later_than, newest_until};
pub(crate) use rows::PartRows;
pub(crate) use seen::{MAX_LATEST, Seen, Unseen};
pub(crate) use store::{AnyStore, Counted, StoredIndex, StoredTable};
pub use store::{FileStore, TableStore};

/// A loss of fewer rows causes no warning.
const LEAST_WARNED: u64 = 10;

/// The settings: the size of parts, and the time limit of queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Rows of a part on average.
    pub(crate) part_rows: usize,
    /// Time limit of a query.
    pub(crate) time_limit: Duration,
}

impl Pace {
    /// Returns `true` if this range may be a part of another instance. Ends of parts that were divided into fewer rows are seldom
    /// recognised (for a hundredth of the rows, 1 out of 7). If no table here has such parts, they are rendered for each request.
    pub(crate) fn may_be_part(self, span: &Span) -> bool {
        let size = PartSize::about(self.part_rows);
        let mut ends = span.after.iter().chain(&span.to);
        ends.all(|end| size.may_end_at(end))
    }

    /// Maximum number of rows of a part between two counts of all rows: a part that the index does not list is split if it has more.
    pub(crate) fn most_rows(self) -> usize {
        (2 * self.part_rows).min(MOST_ROWS)
    }
}

/// A part: the rows after the last key of the previous part, up to `to`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartRow {
    /// The key of the last row; `None` for the last part, which takes new rows.
    pub(crate) to: Option<Key>,
    /// Number of rows when they were last counted.
    pub(crate) rows: u64,
    /// The newest lastmod of these rows.
    pub(crate) newest: Newest,
    /// The smaller size that it was divided into, since a part of the usual size did not fit in a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) divided: Option<usize>,
    /// Number of entries of the last rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entries: Option<u64>,
    /// Number of rows of the last rendering.
    #[serde(skip)]
    pub(crate) read: Option<u64>,
    /// The hash of the last rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<ContentHash>,
    /// When that hash was first seen, in seconds since 1970; only with a store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<u64>,
    /// That time, once it is stored. Only stored times are sent to clients, so that `Last-Modified` never goes back.
    #[serde(skip)]
    pub(crate) stored: Option<u64>,
    /// The last time that the hash was known to be current.
    #[serde(skip)]
    pub(crate) checked: Option<Instant>,
    /// The last time that `newest` changed, except by a count of all rows.
    #[serde(skip)]
    pub(crate) dated: Option<SystemTime>,
    /// When it was last purged: renderings that began before are not kept.
    #[serde(skip)]
    pub(crate) purged: Option<Instant>,
    /// The source's version at that time.
    #[serde(skip)]
    pub(crate) version: Option<String>,
}

impl PartRow {
    pub(crate) fn new(to: Option<Key>, rows: u64, newest: Newest) -> Self {
        PartRow {
            to,
            rows,
            newest,
            divided: None,
            entries: None,
            read: None,
            hash: None,
            changed: None,
            stored: None,
            checked: None,
            dated: None,
            purged: None,
            version: None,
        }
    }

    /// Returns `true` if it was purged after a rendering had begun.
    pub(crate) fn is_purged_since(&self, started: Instant) -> bool {
        self.purged.is_some_and(|purged| started <= purged)
    }

    /// Returns `true` if the index lists it. If rows were read for counting, it is known whether all are skipped. If keys were
    /// read from an index of the database, this is only known after a rendering.
    pub(crate) fn is_listed(&self) -> bool {
        self.newest != Newest::Nothing && self.entries != Some(0)
    }

    /// Returns `true` if its rendering had no entries, although its count has rows to list.
    pub(crate) fn was_empty(&self) -> bool {
        self.newest != Newest::Nothing && self.entries == Some(0)
    }

    /// Records the newest lastmod of a rendering, if rows have changed since they were counted. Otherwise the count is valid: the
    /// index depends on the rows, not on this instance's renderings.
    pub(crate) fn raise(&mut self, rendered: Newest) {
        let newest = match (self.newest, rendered.begun()) {
            (Newest::Nothing | Newest::Invalid, rendered) => rendered,
            (Newest::Is(counted), Newest::Is(rendered)) => Newest::Is(counted.max(rendered)),
            (counted, _) => counted,
        };
        self.set_newest(newest);
    }

    pub(crate) fn set_newest(&mut self, newest: Newest) {
        if newest != self.newest {
            self.newest = newest;
            self.dated = Some(SystemTime::now());
        }
    }
}

/// The parts of one section.
#[derive(Debug, Default)]
pub(crate) struct SectionTable(Mutex<Parts>);

#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) rows: PartRows,
    /// `true` if the parts cover all rows of the section.
    pub(crate) complete: bool,
    /// When the first count began.
    pub(crate) started: Option<Instant>,
    /// When the rows after the last full part were last counted.
    pub(crate) tail_checked: Option<Instant>,
    /// When all rows were last counted.
    pub(crate) all_checked: Option<Instant>,
    /// When all rows may be counted because of changes.
    pub(crate) changes_due: Option<tokio::time::Instant>,
    /// When the rows of this table were counted.
    pub(crate) counted: Counted,
    /// An incomplete count of all rows.
    pub(crate) recount: Option<Recount>,
    /// The time of the next try after a failure.
    pub(crate) not_before: Option<Instant>,
    /// The last purge of any part. A newer part may have that part's rows.
    pub(crate) purged: Option<Instant>,
    /// The newest rows that were read.
    pub(crate) seen: Option<Seen>,
    /// When to look for newer ones.
    pub(crate) latest_due: Option<tokio::time::Instant>,
    /// The ranges that were parts recently.
    pub(crate) former: Former,
    /// Changes whenever the content of the index changes.
    pub(crate) generation: u64,
    /// The long keys at the ends of parts, by the hashes in their names, as of a generation.
    pub(crate) hashed: Option<(u64, HashMap<String, Key>)>,
}

/// A count of all rows that is not complete, while the table is in use.
#[derive(Debug)]
pub(crate) struct Recount {
    pub(crate) began: SystemTime,
    pub(crate) rows: Vec<PartRow>,
}

impl SectionTable {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Parts> {
        // Ignore poisoning: each change is completed under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    /// The index of the part with exactly this range.
    pub(crate) fn find(&self, span: &Span) -> Option<usize> {
        let at = self.rows.place(span.to.as_ref())?;
        (self.after(at) == span.after.as_ref()).then_some(at)
    }

    /// The index of the part after a key; `None` if no part ends with it.
    pub(crate) fn place_after(&self, key: Option<&Key>) -> Option<usize> {
        match key {
            Some(key) => Some(self.rows.place(Some(key))? + 1),
            None => Some(0),
        }
    }

    /// The key of a hashed end of a part.
    pub(crate) fn hashed_end(&mut self, end: &str) -> Option<Key> {
        let generation = self.generation;
        if self.hashed.as_ref().is_none_or(|(known, _)| *known != generation) {
            let keys = self.rows.iter().filter_map(|row| row.to.as_ref());
            let long = keys
                .filter(|key| is_long(key))
                .map(|key| (to_end(key), key.clone()));
            self.hashed = Some((generation, long.collect()));
        }
        self.hashed.as_ref()?.1.get(end).cloned()
    }

    /// The last key before a part.
    pub(crate) fn after(&self, at: usize) -> Option<&Key> {
        self.rows.get(at.checked_sub(1)?)?.to.as_ref()
    }

    pub(crate) fn span(&self, at: usize) -> Option<Span> {
        let row = self.rows.get(at)?;
        Some(Span {
            after: self.after(at).cloned(),
            to: row.to.clone(),
        })
    }

    /// The number of rows or entries, whichever is larger, in the parts of a range; `None` if it begins or ends within a part.
    pub(crate) fn size_within(&self, span: &Span) -> Option<u64> {
        let first = self.place_after(span.after.as_ref())?;
        let end = match &span.to {
            Some(to) => self.place_after(Some(to))?,
            None => self.rows.len(),
        };
        // Skipped rows are read too.
        let size = |row: &PartRow| row.rows.max(row.entries.unwrap_or(0));
        let parts = self.rows.get(first..end)?.iter();
        Some(parts.map(size).fold(0, u64::saturating_add))
    }

    /// The number of all rows when they were last counted; `None` before the first count is complete.
    pub(crate) fn all_rows(&self) -> Option<u64> {
        let rows = self.rows.iter().map(|row| row.rows);
        self.complete.then(|| rows.fold(0, u64::saturating_add))
    }

    /// Warns if a count finds at most half of the previous count's rows.
    pub(crate) fn warn_if_halved(&self, section: &str, before: Option<u64>) {
        if let (Some(before @ LEAST_WARNED..), Some(rows)) = (before, self.all_rows())
            && rows <= before / 2
        {
            warn!(
                "the section `{section}` has lost half of its rows: it has {rows}, and had {before} when they were last counted; if they were not \
                 deleted on purpose, check the source's condition"
            );
        }
    }

    /// Warns if half of the rows of the last count are in parts that are rendered without entries now. `more` are in the part that was
    /// rendered last, so that this is one warning.
    pub(crate) fn warn_if_emptied(&self, section: &str, more: u64) {
        let empty = self.rows.iter().filter(|row| row.was_empty());
        let lost = empty.map(|row| row.rows).fold(0, u64::saturating_add);
        if let Some(rows @ LEAST_WARNED..) = self.all_rows()
            && lost >= rows.div_ceil(2)
            && lost.saturating_sub(more) < rows.div_ceil(2)
        {
            warn!(
                "the section `{section}` has lost half of its rows: parts with {lost} of {rows} rows have no entries any more; if they were not \
                 deleted on purpose, check the source's condition"
            );
        }
    }

    /// The ranges of the parts that an index does not list.
    pub(crate) fn unlisted(&self) -> Vec<Span> {
        let unlisted = self.rows.iter().enumerate().filter(|(_, row)| !row.is_listed());
        unlisted.filter_map(|(at, _)| self.span(at)).collect()
    }

    /// The parts that an index lists, with their ranges: none before the table is complete.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (Span, &PartRow)> {
        let rows = self.rows.iter().enumerate();
        let listed = rows.filter(|(_, row)| self.complete && row.is_listed());
        listed.filter_map(|(at, row)| Some((self.span(at)?, row)))
    }
}

/// Calls `each` for the parts that are in both tables.
pub(crate) fn for_same_parts(
    own: &mut [PartRow],
    other: &[PartRow],
    mut each: impl FnMut(&mut PartRow, &PartRow),
) {
    let mut known = HashMap::with_capacity(other.len());
    let mut before = None;
    for row in other {
        known.insert((before, row.to.as_ref()), row);
        before = row.to.as_ref();
    }
    let mut before = None;
    for row in own {
        if let Some(same) = known.get(&(before.as_ref(), row.to.as_ref())) {
            each(row, same);
        }
        before.clone_from(&row.to);
    }
}

//! The table of parts: which ranges of its rows a section is divided into, and what is known of each.

mod refresh;
mod store;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::key::Key;
use crate::source::{Newest, Span};

pub(crate) use refresh::{Pace, jitter, refresh, split};
pub(crate) use store::{AnyStore, StoredIndex, StoredTable};
pub use store::{FileStore, TableStore};

/// One part: the rows above the last key of the part before it, up to `to`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartRow {
    /// The key of the last row; `None` for the last part, which new rows are added to.
    pub(crate) to: Option<Key>,
    /// How many rows it had when they were last counted.
    pub(crate) rows: u64,
    /// The newest lastmod of them, or of the last rendering.
    pub(crate) newest: Newest,
    /// Entries of the last rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entries: Option<u64>,
    /// The hash of the last rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<ContentHash>,
    /// When that hash was first met, in seconds since 1970; only with a store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<u64>,
    /// That time once it is stored. Only this one is ever said, so that it never goes back.
    #[serde(skip)]
    pub(crate) stored: Option<u64>,
    /// When the hash was last known to be what the rows say.
    #[serde(skip)]
    pub(crate) checked: Option<Instant>,
    /// What the source called its version then.
    #[serde(skip)]
    pub(crate) version: Option<String>,
}

impl PartRow {
    pub(crate) fn new(to: Option<Key>, rows: u64, newest: Newest) -> Self {
        PartRow {
            to,
            rows,
            newest,
            entries: None,
            hash: None,
            changed: None,
            stored: None,
            checked: None,
            version: None,
        }
    }

    /// Whether an index lists it. Where the rows were read to be counted, it is known that none of them is to be listed, and so that the
    /// part would be empty; where only an index of the database was, its first rendering shows that.
    pub(crate) fn is_listed(&self) -> bool {
        self.rows > 0
            && self.entries.unwrap_or(1) > 0
            && (self.entries.is_some() || self.newest != Newest::Nothing)
    }
}

/// The parts of one section.
#[derive(Debug, Default)]
pub(crate) struct SectionTable(Mutex<Parts>);

#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// In the order of their keys. All but the last have an end.
    pub(crate) rows: Vec<PartRow>,
    /// Whether all rows of the section are in one.
    pub(crate) complete: bool,
    /// When the rows after the last full part were last looked at.
    pub(crate) tail_checked: Option<Instant>,
    /// When all of them were last counted.
    pub(crate) all_checked: Option<Instant>,
    /// Up to where all of them are counted in the round that is under way.
    pub(crate) counted: Option<Key>,
    /// After a failure, not before then.
    pub(crate) not_before: Option<Instant>,
    /// Changes with all that an index says.
    pub(crate) generation: u64,
}

impl SectionTable {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Parts> {
        // Each change is made whole under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    /// The place of the part that has just this range.
    pub(crate) fn find(&self, span: &Span) -> Option<usize> {
        let at = self.rows.iter().position(|row| row.to == span.to)?;
        (self.after(at) == span.after.as_ref()).then_some(at)
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

    /// The parts that an index lists, with their ranges.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (Span, &PartRow)> {
        let listed = self.rows.iter().enumerate().filter(|(_, row)| row.is_listed());
        listed.filter_map(|(at, row)| Some((self.span(at)?, row)))
    }
}

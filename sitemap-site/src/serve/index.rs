//! The index, which is made from the table of parts and cached until that changes.

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_serde::{IndexEntry, W3cDateTime};
use tracing::{error, warn};

use super::Inner;
use super::parts::Refusal;
use super::rendered::Rendered;
use super::upkeep::{later_than, now};
use crate::table::{PartRow, StoredIndex};

#[derive(Debug, Default)]
pub(super) struct State(Mutex<Option<Index>>);

#[derive(Clone, Debug)]
struct Index {
    /// Of each section's table.
    generations: Vec<u64>,
    rendered: Arc<Rendered>,
    /// When it changed.
    changed: u64,
}

impl State {
    /// When it changed, for the store.
    pub(super) fn changed(&self) -> Option<StoredIndex> {
        let index = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        index.as_ref().map(|index| StoredIndex {
            hash: index.rendered.hash,
            changed: index.changed,
        })
    }
}

/// The lastmod of a part in the index: when its content changed (P-IDX3), as far as a store or the newest lastmod of its entries says so.
pub(super) fn lastmod(row: &PartRow) -> Option<W3cDateTime> {
    // A time in the future comes from a wrong clock, and is left out.
    let changed = row.stored.filter(|unix| *unix <= now());
    let changed = changed.and_then(|unix| UNIX_EPOCH.checked_add(Duration::from_secs(unix)));
    let changed = changed.and_then(|changed| W3cDateTime::try_from(changed).ok());
    let newest = row.newest.lastmod();
    match changed {
        // A row that has changed since the part was rendered.
        Some(changed)
            if newest > Some(changed) && newest <= W3cDateTime::try_from(SystemTime::now()).ok() =>
        {
            newest
        }
        Some(changed) => Some(changed),
        None => newest,
    }
}

impl Inner {
    /// The index of the current table, and when it changed.
    pub(super) fn index(self: &Arc<Self>) -> Result<(Arc<Rendered>, Option<u64>), Refusal> {
        let generations = self.generations();
        let kept = {
            let kept = self.index.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.clone().filter(|index| index.generations == generations)
        };
        let index = match kept {
            Some(index) => index,
            None => self.new_index(generations)?,
        };
        let stored = self.upkeep.stored_index();
        let changed = stored.filter(|stored| stored.hash == index.rendered.hash);
        Ok((index.rendered, changed.map(|stored| stored.changed)))
    }

    /// Of each section's table: they change whenever the content of the index changes.
    pub(super) fn generations(&self) -> Vec<u64> {
        let sections = self.sections.iter();
        sections.map(|section| section.table.lock().generation).collect()
    }

    fn new_index(self: &Arc<Self>, generations: Vec<u64>) -> Result<Index, Refusal> {
        let rendered = Arc::new(self.write_index()?);
        let mut kept = self.index.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.as_ref().map(|index| (index.rendered.hash, index.changed));
        let stored = self
            .upkeep
            .stored_index()
            .map(|stored| (stored.hash, stored.changed));
        let same = |known: &(_, u64)| known.0 == rendered.hash;
        let changed = match known.filter(same).or(stored.filter(same)) {
            Some((_, changed)) => changed,
            None => {
                let changed = |known: (_, u64)| known.1;
                later_than(known.map(changed).max(stored.map(changed)))
            }
        };
        let index = Index {
            generations,
            rendered,
            changed,
        };
        *kept = Some(index.clone());
        drop(kept);
        if stored.is_none_or(|stored| stored.0 != index.rendered.hash) {
            self.changed();
        }
        Ok(index)
    }

    fn write_index(&self) -> Result<Rendered, Refusal> {
        let mut index = self.index_writer.from_writer(Vec::new());
        for section in &self.sections {
            for (span, row) in section.table.lock().listed() {
                let mut entry = IndexEntry::new(format!("/{}", section.part_name(&span)));
                entry.lastmod = lastmod(row);
                index.write(&entry).map_err(|error| not_written(&error))?;
            }
        }
        if index.is_empty() {
            if self.quiet.empty.allows() {
                warn!(
                    "the sitemap has no entries, so `/sitemap.xml` is 404: an empty sitemap would be invalid (P-EMPTY)"
                );
            }
            return Err(Refusal::NotFound(
                "the site has no pages to list, and a sitemap without entries would be invalid",
            ));
        }
        let entries = index.len();
        let xml = index.finish().map_err(|error| not_written(&error))?;
        Rendered::of_document(&xml, entries).map_err(|error| not_written(&error))
    }
}

/// For example, an index has at most 50,000 parts (P-COUNT).
pub(super) fn not_written(error: &impl Display) -> Refusal {
    error!("the sitemap's index cannot be written: {error}");
    Refusal::Internal("the index cannot be written")
}

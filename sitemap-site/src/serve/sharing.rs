//! Sharing the table of parts with other instances, and with later processes, through a store.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tracing::warn;

use super::Inner;
use super::table::{AnyStore, StoredIndex, StoredTable};
use super::upkeep::Work;
use crate::error::Chain;
use crate::sets::storage::Version;
use crate::source::{BoxError, caught};
use crate::time::{jitter, now};

/// Changes within this time are stored together. It is also the average pause after another instance was faster.
const GATHER: Duration = Duration::from_millis(200);
/// Maximum tries of saving while other instances are faster.
const TRIES: usize = 20;

/// Set while a task saves the changes, which may end with its runtime.
struct Saving(Arc<Inner>);

impl Drop for Saving {
    fn drop(&mut self) {
        self.0.upkeep.is_saving.store(false, Ordering::Release);
    }
}

impl Inner {
    /// Starts storing the table, if there is a store.
    pub(super) fn changed(self: &Arc<Self>) {
        if self.upkeep.has_store() {
            self.upkeep.dirty.store(true, Ordering::Release);
            if self.upkeep.is_saving.swap(true, Ordering::AcqRel) {
                return;
            }
            let saving = Saving(Arc::clone(self));
            tokio::spawn(async move {
                let site = Arc::clone(&saving.0);
                // The task that this one has joined may have read the table before the change.
                while site.upkeep.dirty.load(Ordering::Acquire) {
                    let _ = site.work(Work::Save).await;
                }
                drop(saving);
                // Something else may have changed in between.
                if site.upkeep.dirty.load(Ordering::Acquire) {
                    site.changed();
                }
            });
        }
    }

    /// Combines the table with the stored one.
    pub(super) async fn load_again(self: &Arc<Self>) {
        let Some(store) = &self.upkeep.store else { return };
        self.upkeep.set_loaded();
        if let Some((Some(table), _)) = self.read(store.as_ref()).await {
            self.merge(&table).await;
        }
    }

    /// Saves the changes, combined with the changes that other instances have saved.
    pub(super) async fn save(self: &Arc<Self>) {
        let Some(store) = &self.upkeep.store else { return };
        while self.upkeep.dirty.swap(false, Ordering::AcqRel) {
            sleep(GATHER).await;
            if let Err(error) = self.save_combined(store.as_ref()).await {
                self.stats.store_failure();
                warn!(
                    "the sitemap's table of parts cannot be stored, which is tried again with its next change: {}",
                    Chain(&*error)
                );
                return;
            }
        }
    }

    async fn save_combined(self: &Arc<Self>, store: &dyn AnyStore) -> Result<(), BoxError> {
        for _ in 0..TRIES {
            let Some((stored, version)) = self.read(store).await else {
                return Err("it cannot be read".into());
            };
            if let Some(stored) = &stored {
                self.merge(stored).await;
            }
            let table = self.to_stored(stored);
            if self.in_time(store.save(table.to_text()?, version)).await? {
                self.mark_stored(&table);
                return Ok(());
            }
            sleep(GATHER.mul_f64(jitter())).await;
        }
        Err("other instances save theirs all the time".into())
    }

    /// The stored table, if it is valid, and the stored version; `None` if it cannot be read, or must not be replaced.
    async fn read(&self, store: &dyn AnyStore) -> Option<(Option<StoredTable>, Option<Version>)> {
        let unusable = |error: BoxError| {
            self.stats.store_failure();
            warn!(
                "the stored table of the sitemap's parts cannot be used: {}",
                Chain(&*error)
            );
        };
        match self.in_time(store.load()).await {
            Ok(None) => Some((None, None)),
            Ok(Some((text, version))) => match StoredTable::parse(&text) {
                Ok(table) => Some((Some(table), Some(version))),
                Err(error) => {
                    let is_newer = error.is_newer();
                    unusable(error.into());
                    (!is_newer).then_some((None, Some(version)))
                }
            },
            Err(error) => {
                unusable(error);
                None
            }
        }
    }

    /// A store that does not respond in time has failed.
    async fn in_time<T>(&self, answer: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
        let limit = self.time_limit;
        let late = move |_| format!("the store took more than {limit:?} (`time_limit`)").into();
        // A panic of the store is its error, too.
        let answer = async { caught(answer).await? };
        timeout(limit, answer)
            .await
            .unwrap_or_else(|elapsed| Err(late(elapsed)))
    }

    async fn merge(&self, stored: &StoredTable) {
        self.upkeep.set_stored_index(stored.index);
        for section in &self.sections {
            let Some(theirs) = stored.sections.get(&section.name) else {
                continue;
            };
            // Its ends may change.
            let _upkeep = section.upkeep.lock().await;
            section.table.lock().merge(theirs, now());
        }
    }

    /// The table to be stored. The stored table stays for sections that are not completely counted, and for sections that this
    /// site does not have.
    fn to_stored(&self, stored: Option<StoredTable>) -> StoredTable {
        let stored = stored.unwrap_or_default();
        let mut sections = stored.sections;
        for section in &self.sections {
            let parts = section.table.lock();
            if parts.complete {
                sections.insert(section.name.clone(), parts.to_stored());
            }
        }
        StoredTable::new(later(self.index.changed(), stored.index), sections)
    }

    /// Records which times are stored.
    fn mark_stored(&self, table: &StoredTable) {
        self.upkeep.set_stored_index(table.index);
        for section in &self.sections {
            if let Some(saved) = table.sections.get(&section.name) {
                section.table.lock().mark_stored(&saved.parts);
            }
        }
    }
}

/// The index that changed later. The stored index wins a tie, since clients may have its time.
fn later(own: Option<StoredIndex>, stored: Option<StoredIndex>) -> Option<StoredIndex> {
    match (own, stored) {
        (Some(own), Some(stored)) if own.hash == stored.hash || own.changed <= stored.changed => Some(stored),
        (own, stored) => own.or(stored),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::ContentHash;

    #[test]
    fn the_index_that_changed_later_is_saved() {
        let index = |content: &str, changed| {
            Some(StoredIndex {
                hash: ContentHash::of(content.as_bytes()),
                changed,
            })
        };
        let (own, older, newer) = (index("a", 20), index("b", 19), index("b", 21));
        for (stored, saved) in [
            (None, own),
            (older, own),
            (newer, newer),
            // The stored one wins if both changed at the same time, or are equal.
            (index("b", 20), index("b", 20)),
            (index("a", 19), index("a", 19)),
            (index("a", 21), index("a", 21)),
        ] {
            assert_eq!(later(own, stored), saved, "{stored:?}");
        }
        assert_eq!((later(None, older), later(None, None)), (older, None));
    }
}

//! Retries of failures without requests: listed parts and counts, so that responses are not stale longer than necessary.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::sleep;

use super::Inner;
use super::kept::Renew;
use super::retries::RETRY;
use super::section::Section;
use super::section_stats::Failed;
use super::upkeep::Work;

/// Set while its task exists, which may end with its runtime.
struct Running {
    site: Weak<Inner>,
    at: usize,
    /// `true` if the section's state belongs to this task.
    is_set: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_set
            && let Some(site) = self.site.upgrade()
            && let Some(section) = site.sections.get(self.at)
        {
            section.is_recovering.store(false, Ordering::Release);
        }
    }
}

impl Inner {
    /// Retries the failures of a section, until there are none. Each part and each count has its own pause, which doubles with
    /// each failure.
    pub(super) fn recover(self: &Arc<Self>, at: usize) {
        let Some(section) = self.sections.get(at) else {
            return;
        };
        if section.is_recovering.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut running = Running {
            site: Arc::downgrade(self),
            at,
            is_set: true,
        };
        tokio::spawn(async move {
            while let Some(pause) = running.try_next().await {
                // The site may be dropped meanwhile, and something else may fail.
                sleep(pause.min(RETRY)).await;
            }
        });
    }

    async fn try_again(self: &Arc<Self>, at: usize, failed: Failed) {
        // Failures are logged and counted where they occur.
        match failed {
            Failed::Part(span) => drop(self.renewed(&(at, span)).await),
            Failed::Tail => drop(self.work(Work::Update(at)).await),
            Failed::All => drop(self.work(Work::Recount(at)).await),
            Failed::Unlisted => drop(self.work(Work::Unlisted(at)).await),
        }
    }
}

impl Running {
    /// Retries the next failure, if it is time. Returns the time until the next one, or `None` if there is none, or the site was
    /// dropped.
    async fn try_next(&mut self) -> Option<Duration> {
        let site = self.site.upgrade()?;
        let section = site.sections.get(self.at)?;
        let Some((failed, pause)) = section.counters.next_failed() else {
            section.is_recovering.store(false, Ordering::Release);
            // One may have failed in between.
            let has_failed = section.counters.next_failed().is_some();
            self.is_set = has_failed && !section.is_recovering.swap(true, Ordering::AcqRel);
            return self.is_set.then_some(RETRY);
        };
        if !pause.is_zero() {
            return Some(pause);
        }
        if is_of_table(section, &failed) {
            section.counters.retrying(&failed);
            site.try_again(self.at, failed).await;
        } else {
            section.counters.recovered(&failed);
        }
        Some(Duration::ZERO)
    }
}

/// Returns `true` if a part is still in the table. Parts that were split or joined since are no longer served by the index.
fn is_of_table(section: &Section, failed: &Failed) -> bool {
    match failed {
        Failed::Part(span) => section.table.lock().find(span).is_some(),
        Failed::Tail | Failed::All | Failed::Unlisted => true,
    }
}

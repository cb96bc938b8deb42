//! Maintenance of the table of parts: built on the first request, updated when old, stored when changed.
//!
//! **Listed parts come back.** If a rendering fails, or takes more than a second, the client gets the last good copy, which stays
//! in the cache. Parts without entries are checked again every `max_age` (`upkeep`: `revisit_unlisted`). Only a part that really
//! has no entries is 404 and leaves the index.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::timeout;
use tracing::{Instrument, error, info, info_span, warn};

use super::count::{self, TableError};
use super::flight::{Flights, Waiter};
use super::kept::{PROMPT, Renew};
use super::refresh_error::RefreshError;
use super::refusal::Refusal;
use super::retries::RETRY;
use super::section::Section;
use super::section_stats::Failed;
use super::table::{AnyStore, StoredIndex};
use super::{Inner, Site, unheard};
use crate::error::Error;
use crate::source::Span;

/// Maximum time that a request for the index waits for the first table.
const PATIENCE: Duration = Duration::from_secs(5);

/// A task on the table. Each runs once at a time, for all requests that wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Work {
    /// Count the rows after the last full part of a section.
    Tail(usize),
    /// Count all rows of a section.
    All(usize),
    /// Check the parts of a section that the index does not list.
    Unlisted(usize),
    /// `Tail` and `Unlisted`.
    Update(usize),
    /// `All` and `Unlisted`.
    Recount(usize),
    /// The table in the store, into this one.
    Load,
    /// This table, into the store.
    Save,
}

pub(super) struct State {
    flights: Flights<Work, Result<(), RefreshError>>,
    pub(super) store: Option<Arc<dyn AnyStore>>,
    /// `true` once requests need not wait for the stored table.
    loaded: AtomicBool,
    /// When the stored table was last loaded.
    loaded_at: Mutex<Option<Instant>>,
    /// `true` if there are unsaved changes.
    pub(super) dirty: AtomicBool,
    /// `true` while a task saves them.
    pub(super) is_saving: AtomicBool,
    /// The index when it was last stored.
    index: Mutex<Option<StoredIndex>>,
}

impl State {
    pub(super) fn new(store: Option<Arc<dyn AnyStore>>) -> Self {
        State {
            flights: Flights::default(),
            store,
            loaded: AtomicBool::new(false),
            loaded_at: Mutex::new(None),
            dirty: AtomicBool::new(false),
            is_saving: AtomicBool::new(false),
            index: Mutex::new(None),
        }
    }

    pub(super) fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// `true` once the stored table was loaded or failed to load within the time that a client waits, or if there is no store.
    pub(super) fn is_loaded(&self) -> bool {
        !self.has_store() || self.loaded.load(Ordering::Acquire)
    }

    /// Records that the stored table is being loaded.
    pub(super) fn set_loaded(&self) {
        *self.loaded_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Returns `true` if the stored table was loaded longer ago than `max_age`.
    fn is_load_due(&self, max_age: Duration) -> bool {
        let loaded_at = self.loaded_at.lock().unwrap_or_else(PoisonError::into_inner);
        loaded_at.is_none_or(|loaded| loaded.elapsed() >= max_age)
    }

    /// The index that is stored, and when it changed.
    pub(super) fn stored_index(&self) -> Option<StoredIndex> {
        *self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_stored_index(&self, index: Option<StoredIndex>) {
        *self.index.lock().unwrap_or_else(PoisonError::into_inner) = index;
    }
}

impl Site {
    /// Builds the table of parts, if there is none yet, and renders the first part of each section, unless it was rendered within
    /// `max_age`.
    ///
    /// If a server calls this before it accepts requests, no client waits for the first count of all rows. Until the table
    /// exists, the index answers 503 with `Retry-After`. Parts are served at any time.
    ///
    /// # Errors
    /// If the rows of a section cannot be counted, or its first part cannot be rendered, for example because a field of its type
    /// is not a column, or if an [external](super::SiteBuilder::external) sitemap cannot be read. The error names all of these. The site
    /// serves everything else in any case. Finished counts stay, and the next call continues after them.
    pub async fn ready(&self) -> Result<(), Error> {
        let mut failures = Vec::new();
        for at in 0..self.0.sections.len() {
            failures.extend(self.0.first_part(at).await.err());
        }
        for other in self.0.others.iter().filter(|other| other.is_due(&())) {
            failures.extend(other.renewed(&()).await.err());
        }
        // The number of indexes must be known. A failure is logged where it occurs, and answers the requests.
        let _ = self.0.documents().await;
        Ok(RefreshError::all(failures)?)
    }

    /// Counts all rows again, with short queries and pauses between them, splits parts that have grown too large, and
    /// [purges](Self::purge) all sections, so that no response has a row that was deleted before. Call it after changing many
    /// rows at once. Everyday changes are found without it.
    ///
    /// # Errors
    /// If the rows of a section cannot be counted. Its last good table stays in use, and its parts are not purged. All other
    /// sections are purged. The error names all failed sections.
    pub async fn refresh(&self) -> Result<(), Error> {
        self.0.load_again().await;
        let mut failures = Vec::new();
        for at in 0..self.0.sections.len() {
            match self.0.work(Work::Recount(at)).await {
                Ok(()) => self.0.purge(at, None),
                Err(failure) => failures.push(failure),
            }
        }
        Ok(RefreshError::all(failures)?)
    }
}

impl Inner {
    /// Builds the table of a section, if there is none yet, and waits for it.
    pub(super) async fn complete(self: &Arc<Self>, at: usize) -> Result<(), RefreshError> {
        self.load().await;
        let section = self.sections.get(at);
        if section.is_none_or(|section| section.table.lock().complete) {
            return Ok(());
        }
        self.work(Work::Tail(at)).await
    }

    /// Builds the table of a section, if there is none yet, and renders its first part.
    async fn first_part(self: &Arc<Self>, at: usize) -> Result<(), RefreshError> {
        self.complete(at).await?;
        let Some(section) = self.sections.get(at) else {
            return Ok(());
        };
        let first = section.table.lock().listed().map(|(span, _)| span).next();
        let Some(id) = first.map(|span| (at, span)).filter(|id| !self.is_fresh(id)) else {
            return Ok(());
        };
        match self.renewed(&id).await {
            // A part that is being split will exist in a moment.
            Err(refusal @ (Refusal::Internal(why) | Refusal::Unavailable(why, _)))
                if refusal != Refusal::SPLIT =>
            {
                let reason = section
                    .counters
                    .last_failure(&id.1)
                    .unwrap_or_else(|| why.to_owned());
                Err(RefreshError::new(&section.name, reason))
            }
            _ => Ok(()),
        }
    }

    /// Updates the table, within the time that a client waits. It is an error if there is no table yet.
    pub(super) async fn up_to_date(self: &Arc<Self>) -> Result<(), Refusal> {
        let mut updates = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            let (tail, all) = self.due(section);
            if tail {
                updates.push(self.start(Work::Update(at)));
            }
            if all {
                self.start(Work::Recount(at));
            }
        }
        let others = self.others.iter().filter(|other| other.is_due(&()));
        let fetches: Vec<_> = others.map(|other| other.begin_renewal(&(), true)).collect();
        if !(updates.is_empty() && fetches.is_empty()) {
            let is_complete = |section: &Section| section.table.lock().complete;
            let are_read = self.others.iter().all(|other| other.entries().is_some());
            let patience = if are_read && self.sections.iter().all(is_complete) {
                PROMPT
            } else {
                PATIENCE
            };
            let all = async {
                // Each is logged where it fails.
                for mut update in updates {
                    let _ = update.landed().await;
                }
                for mut fetch in fetches {
                    let _ = fetch.landed().await;
                }
            };
            // An old table is better than none.
            let _ = timeout(self.time_limit.min(patience), all).await;
        }
        let is_missing = |section: &&Section| !section.table.lock().complete && !self.omits(section);
        match self.sections.iter().find(is_missing) {
            Some(section) => Err(self.too_early(section)),
            None => Ok(()),
        }
    }

    /// Returns `true` if the index omits a section that was never counted.
    pub(super) fn omits(&self, section: &Section) -> bool {
        self.skips_failed && section.counters.is_count_failing()
    }

    /// The refusal of a request for the index before all rows of a section are counted.
    pub(super) fn too_early(&self, section: &Section) -> Refusal {
        let parts = section.table.lock();
        if let Some(again) = parts.not_before {
            let left = again.saturating_duration_since(Instant::now()).as_secs() + 1;
            let left = u32::try_from(left).unwrap_or(u32::MAX);
            return Refusal::Unavailable("the pages of the site cannot be counted at the moment", left);
        }
        let rows: u64 = parts.rows.iter().map(|row| row.rows).sum();
        if self.quiet.early.allows() {
            warn!(
                section = section.name,
                "the sitemap's index was requested before all rows are counted, {rows} so far, and is 503 until then: await \
                 `Site::ready` before the server accepts requests"
            );
        }
        // The number of rows is unknown. Guess that half of the count is done.
        let took = parts.started.map_or(0, |started| started.elapsed().as_secs());
        let left = u32::try_from(took.clamp(1, 60)).unwrap_or(60);
        Refusal::Unavailable("the pages of the site are still being counted", left)
    }

    /// Checks the empty parts again, so that the index lists them if they have entries now, and all parts of news, so that the
    /// index lists none with only old articles.
    async fn revisit_unlisted(self: &Arc<Self>, at: usize, section: &Section) -> Result<(), TableError> {
        let mut spans = count::recount_unlisted(section, section.settings.pace).await?;
        if section.settings.rendering.news.is_some() {
            spans.extend(section.table.lock().listed().map(|(span, _)| span));
        }
        for span in spans {
            let id = (at, span);
            if !self.is_fresh(&id) {
                // A failure is logged where it occurs.
                let _ = self.renewed(&id).await;
            }
        }
        Ok(())
    }

    /// Waits for the stored table before the first use, but not for all the time that a client waits. Loading continues.
    async fn load(self: &Arc<Self>) {
        if !self.upkeep.is_loaded() {
            let mut load = self.start(Work::Load);
            let patience = self.time_limit.min(PATIENCE) * 4 / 5;
            if timeout(patience, load.landed()).await.is_err() {
                warn!(
                    "the store of the sitemap's table of parts has not answered within {patience:?}, and the rows are counted meanwhile"
                );
            }
            self.upkeep.loaded.store(true, Ordering::Release);
        }
    }

    /// Starts to build the table of a section, if there is none yet.
    pub(super) fn begin(self: &Arc<Self>, at: usize) {
        let due = self
            .sections
            .get(at)
            .is_some_and(|section| !section.table.lock().complete && self.due(section).0);
        if due {
            // It is logged where it fails.
            self.start(Work::Tail(at));
        }
    }

    /// Decides whether to count the last part, and whether to count all rows of a section.
    fn due(&self, section: &Section) -> (bool, bool) {
        let parts = section.table.lock();
        if parts.not_before.is_some_and(|then| Instant::now() < then) {
            return (false, false);
        }
        let old = |checked: Option<Instant>, age| checked.is_none_or(|checked| checked.elapsed() >= age);
        let max_age = section.settings.lifetime.max_age;
        let recount_age = if parts.are_changes_due() {
            max_age.min(self.recount_age)
        } else {
            self.recount_age
        };
        let tail = !parts.complete || old(parts.tail_checked, max_age);
        (tail, parts.complete && old(parts.all_checked, recount_age))
    }

    /// Starts a task, or joins it. It continues even if all clients leave.
    fn start(self: &Arc<Self>, work: Work) -> Waiter<Result<(), RefreshError>> {
        self.launch(work, true)
    }

    fn launch(self: &Arc<Self>, work: Work, continues: bool) -> Waiter<Result<(), RefreshError>> {
        let site = Arc::clone(self);
        self.upkeep
            .flights
            .start(work, continues, || async move { site.run(work).await })
    }

    async fn run(self: &Arc<Self>, work: Work) -> Result<(), RefreshError> {
        match work {
            Work::Tail(at) | Work::All(at) | Work::Unlisted(at) => {
                self.load().await;
                self.refresh(at, work).await
            }
            Work::Update(at) => {
                self.count_and_load(Work::Tail(at)).await?;
                // The findings may have made it due.
                if self.sections.get(at).is_some_and(|section| self.due(section).1) {
                    self.start(Work::Recount(at));
                }
                self.work(Work::Unlisted(at)).await
            }
            Work::Recount(at) => {
                self.count_and_load(Work::All(at)).await?;
                self.work(Work::Unlisted(at)).await
            }
            Work::Load => {
                if self.upkeep.is_load_due(self.lifetime.max_age) {
                    self.load_again().await;
                }
                Ok(())
            }
            Work::Save => {
                self.save().await;
                Ok(())
            }
        }
    }

    /// Counts rows of a section. Meanwhile, the table of other instances is loaded, if the store answers promptly.
    async fn count_and_load(self: &Arc<Self>, count: Work) -> Result<(), RefreshError> {
        let mut load = self.start(Work::Load);
        let (_, counted) = tokio::join!(timeout(PROMPT, load.landed()), self.work(count));
        counted
    }

    pub(super) async fn work(self: &Arc<Self>, work: Work) -> Result<(), RefreshError> {
        let done = self.launch(work, false).landed().await;
        done.unwrap_or_else(|| {
            let section = match work {
                Work::Tail(at)
                | Work::All(at)
                | Work::Unlisted(at)
                | Work::Update(at)
                | Work::Recount(at) => self.sections.get(at),
                Work::Load | Work::Save => None,
            };
            let name = section.map_or("", |section| &section.name);
            Err(RefreshError::new(name, "the runtime ends"))
        })
    }

    async fn refresh(self: &Arc<Self>, at: usize, work: Work) -> Result<(), RefreshError> {
        let Some(section) = self.sections.get(at) else {
            return Ok(());
        };
        let span = info_span!("sitemap_table", section = section.name);
        self.refresh_section(at, section, work).instrument(span).await
    }

    async fn refresh_section(
        self: &Arc<Self>,
        at: usize,
        section: &Section,
        work: Work,
    ) -> Result<(), RefreshError> {
        let started = Instant::now();
        let (before, rows_before) = {
            let mut parts = section.table.lock();
            parts.started.get_or_insert(started);
            (parts.generation, parts.all_rows())
        };
        let refreshed = match work {
            Work::Unlisted(_) => self.revisit_unlisted(at, section).await,
            _ => count::refresh(section, section.settings.pace, matches!(work, Work::All(_))).await,
        };
        let count = match work {
            Work::All(_) => Failed::All,
            Work::Unlisted(_) => Failed::Unlisted,
            _ => Failed::Tail,
        };
        section.counters.table_updated(count, refreshed.is_ok());
        if refreshed.is_err() {
            self.recover(at);
        }
        let mut parts = section.table.lock();
        parts.warn_if_halved(&section.name, rows_before);
        let is_changed = parts.generation != before;
        if is_changed {
            let (count, took) = (parts.rows.len(), started.elapsed());
            info!(parts = count, ?took, "the table of parts has changed");
        }
        // The time of the count is stored too, or a restart would count all rows again.
        if is_changed || (refreshed.is_ok() && matches!(work, Work::All(_))) {
            self.changed();
        }
        refreshed.map_err(|reason| {
            parts.not_before = Some(Instant::now() + RETRY);
            let failure = RefreshError::new(&section.name, reason.to_string());
            error!("the sitemap's table of parts cannot be updated: {failure}");
            unheard::tell(|| format!("the sitemap's table of parts cannot be updated: {failure}"));
            failure
        })
    }

    /// Splits a part with too many entries into parts of `rows` rows, which fit in a document.
    pub(super) fn split(self: &Arc<Self>, at: usize, span: Span, rows: u64) {
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        let site = Arc::clone(self);
        tokio::spawn(async move {
            let Some(section) = site.sections.get(at) else {
                return;
            };
            match count::split(section, section.settings.pace, &span, rows).await {
                Ok(()) => site.changed(),
                Err(error) => error!(
                    section = section.name,
                    "a part of the sitemap that is too large cannot be split: {error}"
                ),
            }
        });
    }
}

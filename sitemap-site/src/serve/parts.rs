//! The parts: from the cache, or rendered once for all requests that wait.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;
use tracing::{Instrument, error, info_span, warn};

use super::render::Unrendered;
use super::rendered::Rendered;
use super::section::Section;
use super::turns::Place;
use super::upkeep::later_than;
use super::{Inner, PartId, address};
use crate::hash::ContentHash;
use crate::source::{Span, Unavailable, WrongKey};

/// Why a client gets an error instead of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NotFound,
    /// A permanent failure.
    Internal,
    /// A temporary failure, and after how many seconds to try again.
    Unavailable(u32),
}

/// The result of a rendering, for all requests that wait for it.
pub(super) type Outcome = Result<Arc<Rendered>, Refusal>;

/// A part for a response.
pub(super) struct Found {
    pub(super) hash: ContentHash,
    /// Seconds since 1970.
    pub(super) changed: Option<u64>,
    /// `None` if the client has it.
    pub(super) rendered: Option<Arc<Rendered>>,
}

impl Inner {
    /// A part that is at most [`max_age`](super::SiteBuilder::max_age) old. `has` tells whether the client has the part with a hash and a time
    /// of change: then the part need not be rendered.
    pub(super) async fn part(
        self: &Arc<Self>,
        id: PartId,
        has: impl Fn(ContentHash, Option<u64>) -> bool,
    ) -> Result<Found, Refusal> {
        self.begin(id.0);
        let cached = self
            .cache
            .get(&id)
            .filter(|(_, checked)| checked.elapsed() < self.age);
        if let Some((rendered, _)) = cached {
            return Ok(self.found(&id, rendered));
        }
        if let Some((hash, changed)) = self.known(&id).filter(|(hash, changed)| has(*hash, *changed)) {
            return Ok(Found {
                hash,
                changed,
                rendered: None,
            });
        }
        let site = Arc::clone(self);
        let work = id.clone();
        let outcome = self
            .flights
            .join(id.clone(), || async move { site.render(work).await });
        let Some(outcome) = outcome.await else {
            error!("a rendering of the sitemap panicked, or its runtime ended");
            self.stats.failure();
            return Err(Refusal::Internal);
        };
        Ok(self.found(&id, outcome?))
    }

    fn found(&self, id: &PartId, rendered: Arc<Rendered>) -> Found {
        let row = self.sections.get(id.0).and_then(|section| {
            let parts = section.table.lock();
            let row = parts.rows.get(parts.find(&id.1)?)?;
            (row.hash == Some(rendered.hash) && row.stored == row.changed).then_some(row.stored)?
        });
        Found {
            hash: rendered.hash,
            changed: row,
            rendered: Some(rendered),
        }
    }

    /// The hash of a part, and when it changed, if these are known to be current.
    fn known(&self, id: &PartId) -> Option<(ContentHash, Option<u64>)> {
        let parts = self.sections.get(id.0)?.table.lock();
        let row = parts.rows.get(parts.find(&id.1)?)?;
        let fresh = row.checked.is_some_and(|checked| checked.elapsed() < self.age);
        let changed = row.stored.filter(|_| row.stored == row.changed);
        fresh.then_some((row.hash?, changed))
    }

    async fn render(self: Arc<Self>, id: PartId) -> Outcome {
        let Some(section) = self.sections.get(id.0) else {
            return Err(Refusal::NotFound);
        };
        let name = address::part_name(&section.name, &id.1);
        let span = info_span!("sitemap", part = name);
        let outcome = self.render_or_fail(&id).instrument(span.clone()).await;
        let _entered = span.entered();
        outcome.map_err(|failure| {
            match &failure {
                Failure::Unrendered(Unrendered::Empty) => return Refusal::NotFound,
                Failure::Unrendered(Unrendered::Source(error)) if error.is::<WrongKey>() => {
                    return Refusal::NotFound;
                }
                // The request that asks for it has failed.
                Failure::TooLarge(_) => {}
                _ => self.stats.failure(),
            }
            match failure {
                Failure::TooLarge(entries) => {
                    warn!("the range {name}, which the index does not list, is not rendered: it has some {entries} entries");
                    Refusal::Unavailable(60)
                }
                Failure::Busy => {
                    error!(
                        "{name} cannot be rendered: {} others are being rendered or waiting",
                        self.flights.len()
                    );
                    Refusal::Unavailable(30)
                }
                Failure::Late => {
                    error!("{name} cannot be rendered: it took more than {:?}", self.time_limit);
                    Refusal::Unavailable(60)
                }
                Failure::NoRoom(error) => {
                    error!(
                        "{name} cannot be sent: {} bytes of renderings are in memory (`memory_bytes`), and a temporary \
                         file cannot be written: {error}",
                        self.memory.used()
                    );
                    Refusal::Unavailable(30)
                }
                Failure::Unrendered(failure) => {
                    error!("{name} cannot be rendered: {failure}");
                    match failure {
                        Unrendered::Full { rows } => {
                            self.split(id.0, id.1, rows);
                            Refusal::Unavailable(60)
                        }
                        Unrendered::Source(error) if error.is::<Unavailable>() => Refusal::Unavailable(60),
                        _ => Refusal::Internal,
                    }
                }
            }
        })
    }

    async fn render_or_fail(self: &Arc<Self>, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let section = self.sections.get(id.0).ok_or(Unrendered::Empty)?;
        let place = self.enter(section, &id.1)?;
        let work = async {
            let _turn = place.turn().await;
            self.render_rows(section, id).await
        };
        timeout(self.time_limit, work).await.unwrap_or(Err(Failure::Late))
    }

    /// A place among the renderings, unless the range is known to be too large.
    fn enter(&self, section: &Section, span: &Span) -> Result<Place<'_>, Failure> {
        let is_listed = {
            let parts = section.table.lock();
            let is_listed = !parts.complete || parts.find(span).is_some();
            let most = self.rendering.parts.most_entries();
            let entries = parts.entries_within(span).filter(|entries| *entries > most);
            if let Some(entries) = entries.filter(|_| !is_listed) {
                return Err(Failure::TooLarge(entries));
            }
            is_listed
        };
        self.turns.enter(is_listed).ok_or(Failure::Busy)
    }

    async fn render_rows(self: &Arc<Self>, section: &Section, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let started = Instant::now();
        // Read before the rows, so that changes after it have a later version.
        let version = section.source.version(&id.1).await;
        let version = version.map_err(Unrendered::Source)?;
        if let Some((kept, _)) = self.cache.get(id)
            && version.is_some()
            && self.still(id, kept.hash, version.as_deref(), started)
        {
            self.cache.put(id.clone(), &kept, started);
            return Ok(kept);
        }
        match section.source.render(&id.1, &self.rendering).await {
            Ok(rendered) => {
                let rendered = rendered.held(&self.memory).await.map_err(Failure::NoRoom)?;
                self.stats.rendering(rendered.left_out, rendered.is_spilled());
                let rendered = Arc::new(rendered);
                if self.note(section, id, &rendered, version, started) {
                    self.cache.put(id.clone(), &rendered, started);
                }
                Ok(rendered)
            }
            Err(failure) => {
                self.cache.remove(id);
                if matches!(failure, Unrendered::Empty) {
                    Self::note_empty(section, id);
                }
                Err(failure.into())
            }
        }
    }

    /// Whether a part's rendering is current because the source's version is unchanged. If so, this is recorded.
    fn still(&self, id: &PartId, hash: ContentHash, version: Option<&str>, now: Instant) -> bool {
        let Some(section) = self.sections.get(id.0) else {
            return false;
        };
        let mut parts = section.table.lock();
        let row = parts.find(&id.1).and_then(|at| parts.rows.get_mut(at));
        row.is_some_and(|row| {
            let same = row.hash == Some(hash) && row.version.as_deref() == version;
            if same {
                row.checked = Some(now);
            }
            same
        })
    }

    /// Records a rendering in the table. Returns `false` if the table has no such part.
    fn note(
        self: &Arc<Self>,
        section: &Section,
        id: &PartId,
        rendered: &Rendered,
        version: Option<String>,
        started: Instant,
    ) -> bool {
        let mut parts = section.table.lock();
        let Some(at) = parts.find(&id.1) else { return false };
        let Some(row) = parts.rows.get_mut(at) else {
            return false;
        };
        let before = (row.is_listed(), super::index::lastmod(row));
        row.checked = Some(started);
        row.version = version;
        row.entries = Some(rendered.entries);
        row.newest = rendered.newest;
        let other = row.hash != Some(rendered.hash);
        if other {
            row.hash = Some(rendered.hash);
            row.changed = self
                .upkeep
                .has_store()
                .then(|| later_than(row.changed.max(row.stored)));
        }
        if before != (row.is_listed(), super::index::lastmod(row)) {
            parts.generation += 1;
        }
        drop(parts);
        if other {
            self.changed();
        }
        true
    }

    /// Records that a part has no entries, so that the index does not list it.
    fn note_empty(section: &Section, id: &PartId) {
        let mut parts = section.table.lock();
        let row = parts.find(&id.1).and_then(|at| parts.rows.get_mut(at));
        if let Some(row) = row.filter(|row| row.entries != Some(0)) {
            row.entries = Some(0);
            row.hash = None;
            row.changed = None;
            parts.generation += 1;
        }
    }
}

/// Why a part was not rendered.
#[derive(Debug)]
enum Failure {
    /// Too many renderings are in progress or waiting.
    Busy,
    /// It took too long.
    Late,
    /// The range is not listed, and has more entries than a part may have.
    TooLarge(u64),
    /// The temporary file for it cannot be written.
    NoRoom(io::Error),
    Unrendered(Unrendered),
}

impl From<Unrendered> for Failure {
    fn from(failure: Unrendered) -> Self {
        Failure::Unrendered(failure)
    }
}

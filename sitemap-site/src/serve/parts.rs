//! The parts: from the cache, or rendered once for all requests that wait.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use tracing::{Instrument, error, info_span, warn};

use super::headers::{Lifetime, STALE_IF_ERROR};
use super::render::{Bounds, Unrendered};
use super::rendered::Rendered;
use super::section::Section;
use super::section_stats::Cause;
use super::turns::Place;
use super::upkeep::{PROMPT, RETRY, later_than};
use super::{Inner, PartId, address};
use crate::hash::ContentHash;
use crate::source::{Span, Unavailable, WrongKey};
use crate::table::PartRow;

/// How many times as long as a rendering may take, it may wait for its turn: when a site has just started, all of its parts may be asked for at once.
const WAITS: u32 = 5;
/// Maximum number of left-out rows of a part that are logged.
const LOGGED: u64 = 20;

/// Why a client gets an error instead of a document, with a reason for people, without internals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NotFound(&'static str),
    /// The address was in use, and will not be any more.
    Gone(&'static str),
    /// A permanent failure.
    Internal(&'static str),
    /// A temporary failure, and after how many seconds to try again.
    Unavailable(&'static str, u32),
}

impl Refusal {
    pub(super) const NO_SUCH_ADDRESS: Refusal = Refusal::NotFound("this site has no sitemap at this address");
    const OUTGROWN: Refusal = Refusal::Gone(
        "the pages of this address are in several files now, which the index lists (sitemap.xml)",
    );
    const OVERGROWN: Refusal = Refusal::Unavailable(
        "this part has grown too large, and the index lists smaller ones",
        60,
    );
    const UNCOUNTED: Refusal = Refusal::Unavailable("the pages of the site are still being counted", 60);
    const LATE: Refusal = Refusal::Unavailable("reading the pages of this part took too long", 60);
    const BUSY: Refusal = Refusal::Unavailable("too many parts are being rendered", 30);
    const UNREADABLE: Refusal = Refusal::Internal("the pages of this part cannot be read");
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
    /// How old it is, if it could not be replaced by a current one.
    pub(super) stale: Option<Duration>,
}

impl Inner {
    /// How long the parts of a section are considered current.
    pub(super) fn lifetime(&self, section: usize) -> Lifetime {
        let section = self.sections.get(section);
        section.map_or(self.lifetime, |section| section.settings.lifetime)
    }

    /// A part that is at most [`max_age`](super::SiteBuilder::max_age) old; if none can be rendered [promptly](PROMPT), the last good copy. `has` tells
    /// whether the client has the part with a hash and a time of change: then the part need not be rendered.
    pub(super) async fn part(
        self: &Arc<Self>,
        id: PartId,
        has: impl Fn(ContentHash, Option<u64>) -> bool,
    ) -> Result<Found, Refusal> {
        self.begin(id.0);
        if let Some(found) = self.fresh(&id).or_else(|| self.last_good_until_retry(&id)) {
            return Ok(found);
        }
        if let Some((hash, changed)) = self.known(&id).filter(|(hash, changed)| has(*hash, *changed)) {
            return Ok(Found {
                hash,
                changed,
                rendered: None,
                stale: None,
            });
        }
        let outcome = if self.last_good(&id).is_some() {
            self.rendered_promptly(&id).await
        } else {
            self.rendered(&id).await
        };
        match outcome {
            Ok(rendered) => Ok(self.found(&id, rendered)),
            Err(refusal @ (Refusal::NotFound(_) | Refusal::Gone(_))) => Err(refusal),
            Err(refusal) => self.last_good(&id).ok_or(refusal),
        }
    }

    /// A copy that was rendered within `max_age`.
    pub(super) fn fresh(&self, id: &PartId) -> Option<Found> {
        let cached = self.copies.get(id)?;
        let is_fresh = cached.checked.elapsed() < self.lifetime(id.0).max_age;
        is_fresh.then(|| self.found(id, cached.rendered))
    }

    /// The last good copy, if rendering was tried a short while ago.
    fn last_good_until_retry(&self, id: &PartId) -> Option<Found> {
        let retry_at = self.copies.get(id)?.retry_at?;
        (Instant::now() < retry_at).then(|| self.last_good(id)).flatten()
    }

    /// Renders a part, or waits until another request has.
    pub(super) async fn rendered(self: &Arc<Self>, id: &PartId) -> Outcome {
        let site = Arc::clone(self);
        let work = id.clone();
        let outcome = self.flights.join((id.clone(), self.purged(id)), || async move {
            site.render(work).await
        });
        let outcome = outcome.await.unwrap_or_else(|| {
            error!("a rendering of the sitemap panicked, or its runtime ended");
            self.stats.failure();
            Err(Refusal::UNREADABLE)
        });
        if let Err(Refusal::Internal(_) | Refusal::Unavailable(..)) = outcome {
            self.retry_later(id);
        }
        outcome
    }

    /// Renders a part of which there is a good copy: the client gets this if rendering takes longer than [`PROMPT`], and the rendering continues without it.
    async fn rendered_promptly(self: &Arc<Self>, id: &PartId) -> Outcome {
        let site = Arc::clone(self);
        let work = id.clone();
        let mut rendering = tokio::spawn(async move { site.rendered(&work).await });
        let outcome = match timeout(PROMPT, &mut rendering).await {
            Ok(outcome) => outcome,
            Err(_) => {
                self.retry_later(id);
                if self.last_good(id).is_some() {
                    return Err(Refusal::LATE);
                }
                // It was purged in the meantime.
                rendering.await
            }
        };
        outcome.unwrap_or(Err(Refusal::UNREADABLE))
    }

    fn retry_later(&self, id: &PartId) {
        let retry_at = Instant::now() + RETRY.min(self.lifetime(id.0).max_age);
        self.copies.retry_at(id, retry_at);
    }

    /// The last rendering of a part that cannot be rendered now, for as long as caches may use it too.
    fn last_good(&self, id: &PartId) -> Option<Found> {
        let cached = self.copies.get(id)?;
        let age = cached.checked.elapsed();
        (age < self.lifetime(id.0).max_age.saturating_add(STALE_IF_ERROR)).then(|| Found {
            stale: Some(age),
            ..self.found(id, cached.rendered)
        })
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
            stale: None,
        }
    }

    /// The hash of a part, and when it changed, if these are known to be current.
    fn known(&self, id: &PartId) -> Option<(ContentHash, Option<u64>)> {
        let parts = self.sections.get(id.0)?.table.lock();
        let row = parts.rows.get(parts.find(&id.1)?)?;
        let fresh = row
            .checked
            .is_some_and(|checked| checked.elapsed() < self.lifetime(id.0).max_age);
        let changed = row.stored.filter(|_| row.stored == row.changed);
        fresh.then_some((row.hash?, changed))
    }

    async fn render(self: Arc<Self>, id: PartId) -> Outcome {
        let Some(section) = self.sections.get(id.0) else {
            return Err(Refusal::NO_SUCH_ADDRESS);
        };
        let name = address::part_name(&section.name, &id.1);
        let span = info_span!("sitemap", part = name);
        let outcome = self.render_or_fail(&id).instrument(span.clone()).await;
        let _entered = span.entered();
        outcome.map_err(|failure| self.refusal(id, &name, failure))
    }

    /// Logs and counts a failure. Those of ranges that are not in the table, which any client can cause, are not counted, and logged once in a while.
    fn refusal(self: &Arc<Self>, id: PartId, name: &str, failure: Failure) -> Refusal {
        let Some(section) = self.sections.get(id.0) else {
            return Refusal::NO_SUCH_ADDRESS;
        };
        match &failure {
            Failure::Unrendered(Unrendered::Empty) => {
                section.counters.is_empty(&id.1);
                return Refusal::NotFound("there are no pages to list in this range");
            }
            Failure::Unrendered(Unrendered::Source(error)) if error.is::<WrongKey>() => {
                return Refusal::NO_SUCH_ADDRESS;
            }
            _ => {}
        }
        let is_made_up = matches!(failure, Failure::Unrendered(Unrendered::TooLarge));
        if !is_made_up && Self::is_listed(section, &id.1) {
            let reason = self.reason(&failure);
            error!("{name} cannot be rendered: {reason}");
            self.stats.failure();
            let left_out = failure.left_out();
            self.stats.left_out(left_out);
            section.counters.failed(&id.1, failure.cause(), left_out);
        } else if self.quiet.unlisted.allows() {
            let reason = self.reason(&failure);
            warn!("the range {name}, which the index does not list, is not rendered: {reason}");
        }
        self.refusal_of(section, id, failure)
    }

    /// Why a part cannot be rendered, for the log.
    fn reason(&self, failure: &Failure) -> String {
        match failure {
            Failure::Busy { is_listed: false } => "too many such ranges are waiting".to_owned(),
            Failure::Busy { is_listed: true } => {
                format!("{} others are being rendered or waiting", self.turns.pending())
            }
            Failure::Late => format!("it took more than {:?}", self.time_limit),
            Failure::NoRoom(error) => format!(
                "{} bytes of renderings are in memory (`memory_bytes`), and a temporary file cannot be written: {error}",
                self.memory.used()
            ),
            Failure::Unrendered(failure) => failure.to_string(),
        }
    }

    /// What the client gets.
    fn refusal_of(self: &Arc<Self>, section: &Section, id: PartId, failure: Failure) -> Refusal {
        match failure {
            Failure::Busy { .. } => Refusal::BUSY,
            Failure::Late => Refusal::LATE,
            Failure::NoRoom(_) => Refusal::Unavailable("there is no room for the response", 30),
            // Until the rows are counted, it is not known whether it will be listed.
            Failure::Unrendered(Unrendered::TooLarge) if !section.table.lock().complete => Refusal::UNCOUNTED,
            // Another instance may list the rest of a section as a part that is still growing.
            Failure::Unrendered(Unrendered::TooLarge) if id.1.after.is_some() && id.1.to.is_none() => {
                Refusal::OVERGROWN
            }
            Failure::Unrendered(Unrendered::TooLarge) => Refusal::OUTGROWN,
            Failure::Unrendered(Unrendered::Full { rows, .. }) => {
                self.split(id.0, id.1, rows);
                Refusal::Unavailable("this part has grown too large, and is being split", 60)
            }
            Failure::Unrendered(Unrendered::Source(error)) if error.is::<Unavailable>() => {
                Refusal::Unavailable("the pages of this part cannot be read at the moment", 60)
            }
            Failure::Unrendered(Unrendered::AllLeftOut { .. }) => {
                Refusal::Internal("none of the pages of this part can be listed")
            }
            Failure::Unrendered(_) => Refusal::UNREADABLE,
        }
    }

    /// Whether a range is in the table. Before it is complete, any may be.
    fn is_listed(section: &Section, span: &Span) -> bool {
        let parts = section.table.lock();
        !parts.complete || parts.find(span).is_some()
    }

    async fn render_or_fail(self: &Arc<Self>, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let section = self.sections.get(id.0).ok_or(Unrendered::Empty)?;
        let place = self.enter(section, &id.1)?;
        let Ok(_turn) = timeout(self.time_limit.saturating_mul(WAITS), place.turn()).await else {
            return Err(Failure::Busy {
                is_listed: place.is_listed(),
            });
        };
        let rendering = self.render_rows(section, id);
        timeout(self.time_limit, rendering)
            .await
            .unwrap_or(Err(Failure::Late))
    }

    /// A place among the renderings, unless the range is known to be too large.
    fn enter(&self, section: &Section, span: &Span) -> Result<Place<'_>, Failure> {
        let is_listed = Self::is_listed(section, span);
        if !is_listed {
            let most = Self::most_rows(section, span);
            let size = section.table.lock().size_within(span);
            if size.is_some_and(|size| size > most) {
                return Err(Unrendered::TooLarge.into());
            }
        }
        self.turns.enter(is_listed).ok_or(Failure::Busy { is_listed })
    }

    /// How many rows of a range are read: of a part all. Of other ranges, which any client can make up, no more is read than a part can have: more only of
    /// those that may be the last part of another instance, since it grows until it is counted.
    fn most_rows(section: &Section, span: &Span) -> u64 {
        let parts = section.table.lock();
        if parts.find(span).is_some() {
            u64::MAX
        } else if span.to.is_none() && (!parts.complete || parts.size_within(span).is_some()) {
            section.settings.rendering.parts.most_entries()
        } else {
            // What one query finds costs little.
            let settings = &section.settings;
            settings.pace.most_rows().max(settings.rendering.page_rows) as u64
        }
    }

    async fn render_rows(self: &Arc<Self>, section: &Section, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let started = Instant::now();
        // Read before the rows, so that changes after it have a later version.
        let version = match &section.settings.rendering.news {
            // Time changes the part, too.
            Some(_) => None,
            None => section.source.version(&id.1).await.map_err(Unrendered::Source)?,
        };
        if let Some(cached) = self.copies.get(id)
            && version.is_some()
            && self.still(id, &cached.rendered, version.as_deref(), started)
        {
            return Ok(cached.rendered);
        }
        let bounds = Bounds {
            most_rows: Self::most_rows(section, &id.1),
            logged: if Self::is_listed(section, &id.1) {
                LOGGED
            } else {
                0
            },
        };
        match section
            .source
            .render(&id.1, &section.settings.rendering, bounds)
            .await
        {
            Ok(rendered) => {
                let rendered = rendered.held(&self.memory).await.map_err(Failure::NoRoom)?;
                self.stats.rendering(rendered.left_out, rendered.is_spilled());
                section
                    .counters
                    .rendered(&id.1, started.elapsed(), rendered.left_out);
                let rendered = Arc::new(rendered);
                self.note(section, id, &rendered, version, started);
                Ok(rendered)
            }
            Err(failure) => {
                if matches!(failure, Unrendered::Empty) {
                    self.copies.remove(id);
                    self.note_empty(section, id, started);
                }
                Err(failure.into())
            }
        }
    }

    /// Whether a part's rendering is current because the source's version is unchanged. If so, this is recorded.
    fn still(&self, id: &PartId, rendered: &Arc<Rendered>, version: Option<&str>, started: Instant) -> bool {
        let Some(section) = self.sections.get(id.0) else {
            return false;
        };
        let mut parts = section.table.lock();
        let row = parts.find(&id.1).and_then(|at| parts.rows.get_mut(at));
        let Some(row) = row.filter(|row| {
            row.hash == Some(rendered.hash)
                && row.version.as_deref() == version
                && !row.is_purged_since(started)
        }) else {
            return false;
        };
        row.checked = Some(started);
        self.copies.put(id.clone(), rendered, started, true);
        true
    }

    /// Records a rendering in the table, and caches it, unless it was purged in the meantime. Both happen under the lock of the table, so that a purge sees both
    /// or neither. A range that is not in the table is cached if another instance may list it.
    fn note(
        self: &Arc<Self>,
        section: &Section,
        id: &PartId,
        rendered: &Arc<Rendered>,
        version: Option<String>,
        started: Instant,
    ) {
        let mut parts = section.table.lock();
        let purged = parts.purged;
        let Some(row) = parts.find(&id.1).and_then(|at| parts.rows.get_mut(at)) else {
            if purged.is_none_or(|purged| started > purged) && section.settings.pace.may_be_part(&id.1) {
                self.copies.put(id.clone(), rendered, started, false);
            }
            return;
        };
        if row.is_purged_since(started) {
            return;
        }
        let before = (row.is_listed(), super::index::lastmod(row));
        row.checked = Some(started);
        row.version = version;
        row.entries = Some(rendered.entries);
        row.raise(rendered.newest);
        let other = row.hash != Some(rendered.hash);
        if other {
            row.hash = Some(rendered.hash);
            row.changed = self.time_of_change(row);
        }
        let lastmod = super::index::lastmod(row);
        if before != (row.is_listed(), lastmod) {
            parts.generation += 1;
        }
        self.copies.put(id.clone(), rendered, started, true);
        drop(parts);
        // With a store, the time of the change is in the index once it is stored.
        if lastmod.is_none() && !self.upkeep.has_store() {
            section.warn_without_lastmod(&id.1, rendered);
        }
        if other {
            self.changed();
        }
    }

    /// Records that a part has no entries, so that the index does not list it.
    fn note_empty(self: &Arc<Self>, section: &Section, id: &PartId, started: Instant) {
        let mut parts = section.table.lock();
        let row = parts.find(&id.1).and_then(|at| parts.rows.get_mut(at));
        let Some(row) = row.filter(|row| row.entries != Some(0) && !row.is_purged_since(started)) else {
            return;
        };
        row.entries = Some(0);
        row.hash = None;
        row.changed = self.time_of_change(row);
        parts.generation += 1;
        drop(parts);
        self.changed();
    }

    /// The time of a change of a part that is recorded now. Without a store it would not be sent, and is not recorded.
    fn time_of_change(&self, row: &PartRow) -> Option<u64> {
        let before = row.changed.max(row.stored);
        self.upkeep.has_store().then(|| later_than(before))
    }
}

/// Why a part was not rendered.
#[derive(Debug)]
enum Failure {
    /// Too many renderings are in progress or waiting.
    Busy {
        is_listed: bool,
    },
    /// It took too long.
    Late,
    /// The temporary file for it cannot be written.
    NoRoom(io::Error),
    Unrendered(Unrendered),
}

impl Failure {
    fn cause(&self) -> Cause {
        match self {
            Failure::Busy { .. } => Cause::Busy,
            Failure::Late => Cause::Late,
            Failure::NoRoom(_) => Cause::Room,
            Failure::Unrendered(Unrendered::Source(_)) => Cause::Source,
            Failure::Unrendered(_) => Cause::Content,
        }
    }

    /// The number of rows that were left out, if no entry was left.
    fn left_out(&self) -> u64 {
        match self {
            Failure::Unrendered(Unrendered::AllLeftOut { left_out, .. }) => *left_out,
            _ => 0,
        }
    }
}

impl From<Unrendered> for Failure {
    fn from(failure: Unrendered) -> Self {
        Failure::Unrendered(failure)
    }
}

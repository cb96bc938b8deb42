//! The parts: from the cache, or rendered once for all requests that wait.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use tracing::{Instrument, error, info_span, warn};

use super::headers::{Lifetime, STALE_IF_ERROR};
use super::kept::{Copy, Current, Pause, Renew, Renewals};
use super::refusal::Refusal;
use super::rendered::Invalid;
use super::rendered::Rendered;
use super::retries::RETRY;
use super::section::Section;
use super::section_stats::Cause;
use super::table::{PartRow, most_between};
use super::turns::Place;
use super::unrendered::Unrendered;
use super::{Inner, PartId, address, unheard};
use crate::hash::ContentHash;
use crate::source::{Span, Unavailable, WrongKey};
use crate::time::{later_than, now};

/// A rendering may wait for its turn this many times its time limit: just after a start, all parts may be requested at once.
const WAITS: u32 = 5;
/// Maximum number of skipped rows of a part to log at once.
const LOGGED: u64 = 20;

/// Rows that are read of any range.
const ALWAYS_READ: u64 = 10_000;

/// A part for a response.
pub(super) struct Found {
    pub(super) hash: ContentHash,
    /// Seconds since 1970.
    pub(super) changed: Option<u64>,
    /// `None` if the client has it.
    pub(super) rendered: Option<Arc<Rendered>>,
    /// Its age, if it could not be updated.
    pub(super) stale: Option<Duration>,
}

impl Inner {
    /// The time that the parts of a section count as current.
    pub(super) fn lifetime(&self, section: usize) -> Lifetime {
        let section = self.sections.get(section);
        section.map_or(self.lifetime, |section| section.settings.lifetime)
    }

    /// A part that is at most [`max_age`](super::SiteBuilder::max_age) old. If it cannot be rendered [promptly](super::kept::PROMPT),
    /// the last good copy. `has` returns `true` if the client has the part with a hash and a time of change: then the part need not
    /// be rendered.
    pub(super) async fn part(
        self: &Arc<Self>,
        id: PartId,
        has: impl Fn(ContentHash, Option<u64>) -> bool,
    ) -> Result<Found, Refusal> {
        self.begin(id.0);
        if let Some((hash, changed)) = self.known(&id).filter(|(hash, changed)| has(*hash, *changed)) {
            return Ok(Found {
                hash,
                changed,
                rendered: None,
                stale: None,
            });
        }
        let Current { value, stale } = self.current(&id).await?;
        Ok(Found {
            stale,
            ..self.found(&id, value)
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

    async fn render(self: Arc<Self>, id: PartId) -> Result<Arc<Rendered>, Refusal> {
        let Some(section) = self.sections.get(id.0) else {
            return Err(Refusal::NO_SUCH_ADDRESS);
        };
        let name = address::part_name(&section.name, &id.1);
        let span = info_span!("sitemap", part = name);
        let outcome = self.render_or_fail(&id).instrument(span.clone()).await;
        let _entered = span.entered();
        outcome.map_err(|failure| self.refusal(id, &name, failure))
    }

    /// Logs and counts a failure, and starts to retry. Any client can cause failures of ranges outside the table, so these are
    /// not counted, and only logged once in a while.
    fn refusal(self: &Arc<Self>, id: PartId, name: &str, failure: Failure) -> Refusal {
        let Some(section) = self.sections.get(id.0) else {
            return Refusal::NO_SUCH_ADDRESS;
        };
        match &failure {
            Failure::Unrendered(Unrendered::Empty) => {
                section.counters.is_empty(&id.1);
                return Refusal::NotFound("there are no pages to list in this range");
            }
            // In a listed part, the error is about a value in a row, not about the requested key.
            Failure::Unrendered(Unrendered::Source(error))
                if error.is::<WrongKey>() && !Self::is_in_table(section, &id.1) =>
            {
                return Refusal::NO_SUCH_ADDRESS;
            }
            _ => {}
        }
        let is_large = matches!(failure, Failure::Unrendered(Unrendered::TooLarge(_)));
        if !is_large && Self::is_in_table(section, &id.1) {
            let reason = format!("{name} cannot be rendered: {}", self.reason(&failure));
            if let Some(skipped) = section.failures.allows() {
                error!("{reason}{skipped}");
            }
            unheard::tell(|| reason.clone());
            section.counters.failed_because(&id.1, reason);
            self.stats.failure();
            let skipped = failure.skipped();
            self.stats.skipped(skipped);
            section.counters.failed(&id.1, failure.cause(), skipped);
            self.recover(id.0);
        } else if self.quiet.unlisted.allows() {
            let index = if section.table.lock().complete {
                "which the index does not list"
            } else {
                "which is in no index yet"
            };
            warn!(
                "the range {name}, {index}, is not rendered: {}",
                self.reason(&failure)
            );
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
            Failure::Unrendered(Unrendered::Source(error)) if error.is::<WrongKey>() => {
                "the rows cannot be read: the source refuses a key of the part, or a value in one of its rows, as none of its type".to_owned()
            }
            Failure::Unrendered(failure) => failure.to_string(),
        }
    }

    /// What the client gets.
    fn refusal_of(self: &Arc<Self>, section: &Section, id: PartId, failure: Failure) -> Refusal {
        match failure {
            Failure::Busy { .. } => Refusal::BUSY,
            Failure::Late => Refusal::LATE,
            Failure::NoRoom(_) => Refusal::Unavailable("there is no room for the response", 30),
            Failure::Unrendered(Unrendered::TooLarge(_)) => {
                let mut parts = section.table.lock();
                if !parts.complete {
                    // It may still become listed.
                    Refusal::UNCOUNTED
                } else if parts.former.may_be_listed(&id.1) {
                    Refusal::OVERGROWN
                } else {
                    Refusal::OUTGROWN
                }
            }
            Failure::Unrendered(Unrendered::Full { rows, .. }) => {
                self.split(id.0, id.1, rows);
                Refusal::SPLIT
            }
            Failure::Unrendered(Unrendered::Source(error)) if error.is::<Unavailable>() => {
                Refusal::Unavailable("the pages of this part cannot be read at the moment", 60)
            }
            Failure::Unrendered(Unrendered::AllSkipped { .. }) => {
                Refusal::Internal("none of the pages of this part can be listed")
            }
            Failure::Unrendered(_) => Refusal::UNREADABLE,
        }
    }

    /// Returns `true` if a range is in the table.
    fn is_in_table(section: &Section, span: &Span) -> bool {
        section.table.lock().find(span).is_some()
    }

    async fn render_or_fail(self: &Arc<Self>, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let section = self.sections.get(id.0).ok_or(Unrendered::Empty)?;
        let place = self.enter(id.0, section, &id.1)?;
        let Ok(_turn) = timeout(self.time_limit.saturating_mul(WAITS), place.turn()).await else {
            return Err(Failure::Busy {
                is_listed: place.is_listed(),
            });
        };
        let _running = self.running.begin(id);
        let rendering = self.render_rows(section, id);
        timeout(self.time_limit, rendering)
            .await
            .unwrap_or(Err(Failure::Late))
    }

    /// A place among the renderings, unless the range is known to be too large.
    fn enter(&self, at: usize, section: &Section, span: &Span) -> Result<Place<'_>, Failure> {
        let is_listed = Self::is_in_table(section, span);
        if !is_listed {
            let most = section.settings.rendering.parts.most_entries();
            let size = section.table.lock().size_within(span);
            if size.is_some_and(|size| size > most) {
                return Err(Unrendered::TooLarge(most).into());
            }
        }
        self.turns.enter(at, is_listed).ok_or(Failure::Busy { is_listed })
    }

    /// Maximum number of rows to read: all of a part. Any client can invent another range, so the maximum there is the number of rows
    /// of a part with these ends, and a sitemap's number of entries. Ten thousand rows are always allowed: a small part may have grown
    /// to many times its size since the index was read.
    fn most_rows(section: &Section, span: &Span) -> u64 {
        if Self::is_in_table(section, span) {
            return u64::MAX;
        }
        let rendering = &section.settings.rendering;
        let most = rendering.parts.most_entries();
        let between = most_between(span).unwrap_or(most);
        between.max(ALWAYS_READ).min(most)
    }

    /// Maximum number of skipped rows to log. A part logs them once an hour. An unlisted range logs none; before there is an
    /// index, one range a minute does.
    fn most_logged(&self, section: &Section, span: &Span) -> u64 {
        let may_log = if Self::is_in_table(section, span) {
            section.counters.may_log_rows(span)
        } else {
            !section.table.lock().complete && self.quiet.uncounted_rows.would_allow()
        };
        if may_log { LOGGED } else { 0 }
    }

    /// Records that rows of a range were logged.
    fn rows_logged(&self, section: &Section, span: &Span) {
        if Self::is_in_table(section, span) {
            section.counters.rows_logged(span);
        } else {
            self.quiet.uncounted_rows.allows();
        }
    }

    async fn render_rows(self: &Arc<Self>, section: &Section, id: &PartId) -> Result<Arc<Rendered>, Failure> {
        let started = Instant::now();
        // Read before the rows, so that changes after it have a later version.
        let version = match &section.settings.rendering.news {
            // The part also changes with time.
            Some(_) => None,
            None => section.version(&id.1).await.map_err(Unrendered::Source)?,
        };
        if let Some(cached) = self.copies.get(id)
            && version.is_some()
            && self.still(id, &cached.rendered, version.as_deref(), started)
        {
            return Ok(cached.rendered);
        }
        let (most_rows, logged) = (Self::most_rows(section, &id.1), self.most_logged(section, &id.1));
        let checked_rows = {
            let parts = section.table.lock();
            let row = parts.find(&id.1).and_then(|at| parts.rows.get(at));
            row.and_then(|row| row.read)
        };
        let rendered = section.render(&id.1, logged, most_rows, checked_rows).await;
        let has_problems = match &rendered {
            Ok(rendered) => rendered.invalid != Invalid::default(),
            Err(failure) => matches!(failure, Unrendered::AllSkipped { .. }),
        };
        if logged > 0 && has_problems {
            self.rows_logged(section, &id.1);
        }
        match rendered {
            Ok(rendered) => {
                let rendered = rendered.held(&self.memory).await.map_err(Failure::NoRoom)?;
                self.stats.rendering(rendered.invalid, rendered.is_spilled());
                section
                    .counters
                    .rendered(&id.1, started.elapsed(), rendered.invalid);
                let rendered = Arc::new(rendered);
                self.note(section, id, &rendered, version, started);
                Ok(rendered)
            }
            // Only a part is split.
            Err(Unrendered::Full { .. }) if !Self::is_in_table(section, &id.1) => {
                Err(Unrendered::TooLarge(section.settings.rendering.parts.most_entries()).into())
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

    /// Returns `true` if a part's rendering is current because the source's version is unchanged. If so, this is recorded.
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
        let before = (row.is_listed(), row.lastmod());
        row.checked = Some(started);
        row.version = version;
        row.entries = Some(rendered.entries);
        row.read = Some(rendered.rows);
        row.raise(rendered.newest);
        let other = row.hash != Some(rendered.hash);
        if other {
            row.hash = Some(rendered.hash);
            row.changed = self.time_of_change(row);
        }
        let lastmod = row.lastmod();
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
        let lost = row.rows;
        parts.generation += 1;
        parts.warn_if_emptied(&section.name, lost);
        drop(parts);
        self.changed();
    }

    /// The time of a change of a part that is recorded now. It is only sent with a store, and not recorded otherwise.
    fn time_of_change(&self, row: &PartRow) -> Option<u64> {
        let before = row.changed.max(row.stored);
        self.upkeep.has_store().then(|| later_than(before, now()))
    }
}

impl Renew for Arc<Inner> {
    type Key = PartId;
    type Value = Arc<Rendered>;
    type Failure = Refusal;

    const CONTINUES: bool = false;

    fn renewals(&self) -> &Renewals<PartId, Arc<Rendered>, Refusal> {
        &self.parts
    }

    fn copy(&self, id: &PartId) -> Option<Copy<Arc<Rendered>>> {
        let max_age = self.lifetime(id.0).max_age;
        let cached = self.copies.get(id)?;
        let age = cached.checked.elapsed();
        // As long as caches may use it too.
        (age < max_age.saturating_add(STALE_IF_ERROR)).then_some(Copy {
            value: cached.rendered,
            age,
            is_fresh: age < max_age,
        })
    }

    async fn renew(self, id: PartId) -> Result<Arc<Rendered>, Refusal> {
        self.render(id).await
    }

    fn pause(&self, id: &PartId, failure: &Refusal) -> Option<Pause> {
        // A part that waited for its turn was not read.
        if *failure == Refusal::BUSY || matches!(failure, Refusal::NotFound(_)) {
            return None;
        }
        let section = self.sections.get(id.0)?;
        let wait = RETRY.min(section.settings.lifetime.max_age);
        Some(Pause(wait, Inner::is_in_table(section, &id.1)))
    }

    fn keeps_copy(failure: &Refusal) -> bool {
        failure.is_of_a_failure()
    }

    fn late(&self) -> Refusal {
        Refusal::LATE
    }

    fn lost(&self) -> Refusal {
        error!("a rendering of the sitemap panicked, or its runtime ended");
        self.stats.failure();
        Refusal::UNREADABLE
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

    /// The number of rows that were skipped, if no entry is left.
    fn skipped(&self) -> u64 {
        match self {
            Failure::Unrendered(Unrendered::AllSkipped { skipped, .. }) => *skipped,
            _ => 0,
        }
    }
}

impl From<Unrendered> for Failure {
    fn from(failure: Unrendered) -> Self {
        Failure::Unrendered(failure)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::ops::Bound;
    use std::pin::Pin;
    use std::sync::Mutex;

    use sitemap_serde::UrlEntry;

    use super::super::{Site, SiteBuilder};
    use super::*;
    use crate::key::{Key, KeyValue};
    use crate::source::{self, BoxError, Row};

    /// A part with more entries is too large for a sitemap of these tests.
    const MOST: u64 = 50;
    const STEP: i64 = 1_000;
    const HOUR: Duration = Duration::from_secs(3_600);

    #[derive(Clone, Default)]
    struct Rows(Arc<Mutex<BTreeSet<i64>>>);

    impl Rows {
        fn change(&self, change: impl FnOnce(&mut BTreeSet<i64>)) {
            change(&mut self.0.lock().unwrap());
        }

        fn rows(&self, span: &Span, limit: usize) -> Vec<Row<UrlEntry>> {
            let number = |key: Option<&Key>| match key.map(Key::values) {
                Some([KeyValue::Integer(number)]) => Some(*number),
                _ => None,
            };
            let after = number(span.after.as_ref()).map_or(Bound::Unbounded, Bound::Excluded);
            let to = number(span.to.as_ref()).map_or(Bound::Unbounded, Bound::Included);
            let rows = self.0.lock().unwrap();
            let rows = rows.range((after, to)).take(limit);
            rows.map(|id| Row::new(*id, UrlEntry::new(format!("/{id}"))))
                .collect()
        }

        fn site(&self, part_rows: usize) -> Site {
            let rows = self.clone();
            let pages = source::rows(move |span: Span, limit| {
                let page = rows.rows(&span, limit);
                async move { Ok::<_, BoxError>(page) }
            });
            let mut builder = SiteBuilder::new("https://example.com");
            builder.section("p", pages).part_rows(part_rows).memory_bytes(0);
            let Site(mut inner) = builder.build().unwrap();
            let settings = &mut Arc::get_mut(&mut inner).unwrap().sections[0].settings;
            settings.rendering.parts.max_entries(MOST);
            Site(inner)
        }
    }

    async fn ask(site: &Site, path: &str) -> (u16, Vec<String>) {
        let request = http::Request::get(path).body(()).unwrap();
        let mut response = site.respond(&request).await;
        let mut text = Vec::new();
        while let Some(frame) = std::future::poll_fn(|context| {
            http_body::Body::poll_frame(Pin::new(response.body_mut()), context)
        })
        .await
        {
            text.extend_from_slice(&frame.unwrap().into_data().unwrap());
        }
        let text = String::from_utf8(text).unwrap();
        let locs = text.split("<loc>https://example.com").skip(1);
        let locs = locs.map(|rest| rest.split('<').next().unwrap().to_owned());
        (response.status().as_u16(), locs.collect())
    }

    async fn listed(site: &Site) -> Vec<String> {
        let (status, parts) = ask(site, "/sitemap.xml").await;
        assert_eq!(status, 200);
        parts
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(self.0 >> 33).unwrap() % bound
        }

        fn key(&mut self, bound: usize) -> i64 {
            i64::try_from(self.below(bound)).unwrap() * STEP
        }
    }

    /// Lets time pass, so that parts are old, and failures are forgotten.
    fn pass(site: &Site, time: Duration) {
        site.purge("p").unwrap();
        site.0.sections[0].table.lock().former.age(time);
    }

    /// The instances of a site, and a crawler that obeys `Retry-After`.
    struct Walk<'a> {
        sites: &'a mut Vec<Site>,
        random: &'a mut Random,
        statuses: &'a mut BTreeMap<u16, usize>,
    }

    impl Walk<'_> {
        fn any(&mut self) -> usize {
            self.random.below(self.sites.len())
        }

        /// Reads these parts, each from any instance. Returns the pages, and `true` if a part must be retried.
        async fn read(
            &mut self,
            parts: &[String],
            mut between: impl AsyncFnMut(&mut Self),
        ) -> (BTreeSet<String>, bool) {
            let (mut found, mut is_late) = (BTreeSet::new(), false);
            for part in parts {
                between(self).await;
                let any = self.any();
                let (status, locs) = ask(&self.sites[any], part).await;
                *self.statuses.entry(status).or_default() += 1;
                found.extend(locs);
                match status {
                    200 | 404 => {}
                    503 => is_late = true,
                    _ => panic!("{part}: {status}"),
                }
            }
            (found, is_late)
        }
    }

    /// A walk with an index that is less than a day old misses no permanent row, during a deploy of parts of another size,
    /// imports of ten times a part, deletions of half, and counts. A part that is not served is 503, and the next walk has its
    /// rows.
    #[tokio::test]
    async fn a_walk_with_an_old_index_misses_no_row() {
        let stays = |id: &i64| id % (2 * STEP) == 0;
        let mut statuses = BTreeMap::new();
        for seed in [3, 6] {
            let mut random = Random(seed);
            let rows = Rows::default();
            rows.change(|rows| rows.extend((1..=300).map(|id| id * STEP)));
            let mut sites: Vec<Site> = (0..3).map(|_| rows.site(10)).collect();
            for round in 0..6 {
                let is_deploy = round % 3 == 2;
                let part_rows = [5, 10, 20][random.below(3)];
                for site in &sites {
                    site.refresh().await.unwrap();
                }
                let mut walk = Walk {
                    sites: &mut sites,
                    random: &mut random,
                    statuses: &mut statuses,
                };
                let any = walk.any();
                let parts = listed(&walk.sites[any]).await;
                let between = async |walk: &mut Walk<'_>| {
                    let any = walk.any();
                    match walk.random.below(8) {
                        0 if is_deploy => walk.sites[any] = rows.site(part_rows),
                        1 if !is_deploy => {
                            let first = walk.random.key(300);
                            rows.change(|rows| rows.extend(first..first + 100));
                        }
                        2 => {
                            let first = walk.random.key(300);
                            rows.change(|rows| {
                                let mut is_second = false;
                                rows.retain(|id| {
                                    is_second = !is_second;
                                    is_second || stays(id) || !(first..first + 150 * STEP).contains(id)
                                });
                            });
                        }
                        3 => walk.sites[any].refresh().await.unwrap(),
                        _ => {}
                    }
                };
                let (mut found, mut is_late) = walk.read(&parts, between).await;
                // All instances are of the new version in the end.
                if is_deploy {
                    walk.sites
                        .iter_mut()
                        .for_each(|site| *site = rows.site(part_rows));
                }
                let mut walks = 0;
                while is_late {
                    walks += 1;
                    assert!(walks < 10, "seed {seed}, round {round}");
                    for site in walk.sites.iter() {
                        pass(site, HOUR);
                    }
                    // An instance that gets no requests for its own parts counts once a day.
                    for site in walk.sites.iter().filter(|_| walks > 2) {
                        site.refresh().await.unwrap();
                    }
                    let any = walk.any();
                    let parts = listed(&walk.sites[any]).await;
                    let (more, late) = walk.read(&parts, async |_: &mut Walk<'_>| {}).await;
                    found.extend(more);
                    is_late = late;
                }
                for id in (1..=300).map(|id| id * STEP).filter(stays) {
                    assert!(
                        found.contains(&format!("/{id}")),
                        "row {id}, seed {seed}, round {round}"
                    );
                }
                let pause = HOUR * u32::try_from(random.below(30)).unwrap();
                for site in &sites {
                    pass(site, pause);
                }
            }
        }
        assert!(statuses[&200] > 100 && statuses[&503] > 5, "{statuses:?}");
    }

    /// A part that a count has split is 503 for a day, and then 410: with 51 rows, but not with 50.
    #[tokio::test]
    async fn a_part_that_was_split_is_gone_after_a_day() {
        for (more, statuses) in [(40, [200, 200]), (100, [503, 410])] {
            let rows = Rows::default();
            rows.change(|rows| rows.extend((1..=100).map(|id| id * STEP)));
            let site = rows.site(10);
            let before = listed(&site).await;
            pass(&site, 25 * HOUR);
            // Longer than a part, within one: after the fiftieth row.
            rows.change(|rows| rows.extend((1..=more).map(|id| 50 * STEP + id)));
            site.refresh().await.unwrap();
            let after = listed(&site).await;
            let is_split = |part: &&String| {
                let range = part
                    .strip_prefix("/sitemap-p.")
                    .unwrap()
                    .strip_suffix(".xml")
                    .unwrap();
                let (after, to) = range.split_once('~').unwrap();
                let (after, to) = (after.parse().unwrap_or(0), to.parse().unwrap_or(i64::MAX));
                (after..to).contains(&(50 * STEP))
            };
            let split = before.iter().find(is_split).unwrap();
            assert!(!after.contains(split));
            for status in statuses {
                assert_eq!(ask(&site, split).await.0, status, "{more} {split}");
                pass(&site, 25 * HOUR);
            }
            // The day of a range that was never a part here starts with its first request.
            for status in [503, 410] {
                assert_eq!(ask(&site, "/sitemap-p.xml").await.0, status);
                pass(&site, 25 * HOUR);
            }
        }
    }
}

//! A section of a site: a source with a name.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sitemap_serde::robots::Robots;
use tokio::sync::Mutex;
use tracing::warn;

use super::address::{self, Addresses};
use super::check::{self, SectionCheck};
use super::entries::{self, Entries};
use super::export;
use super::headers::Lifetime;
use super::links::{AnyLinks, Links};
use super::order;
use super::quiet::{Limited, Occasional};
use super::render::{self, Bounds, Rendering};
use super::rendered::Rendered;
use super::section_stats::{SectionCounters, SectionStats};
use super::table::{Pace, SectionTable, is_future, is_later_than};
use super::unrendered::Unrendered;
use crate::key::Key;
use crate::sets::{PartList, TaskWriter};
use crate::source::{BoxError, DatedKey, Panicked, Source, Span, caught};

const MINUTE: Duration = Duration::from_secs(60);

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A type-erased [`Source`].
pub(crate) trait AnySource: Send + Sync {
    fn render<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
        bounds: Bounds<'a>,
    ) -> BoxFuture<'a, Result<Rendered, Unrendered>>;

    fn keys<'a>(&'a self, span: &'a Span, limit: usize) -> BoxFuture<'a, Result<Vec<DatedKey>, BoxError>>;

    fn latest(&self, limit: usize) -> BoxFuture<'_, Result<Option<Vec<DatedKey>>, BoxError>>;

    /// Checks the keys of one call.
    fn check_keys(&self, span: &Span, keys: &[DatedKey]) -> Result<(), Unrendered>;

    /// Checks that a range has these rows, which were read without its end.
    fn check_end<'a>(
        &'a self,
        span: &'a Span,
        rows: &'a [DatedKey],
        is_due: bool,
    ) -> BoxFuture<'a, Result<(), Unrendered>>;

    /// Checks that a range ends with the first row's key.
    fn check_first<'a>(&'a self, first: &'a Key) -> BoxFuture<'a, Result<(), Unrendered>>;

    fn is_read_at_once(&self) -> bool;

    fn version<'a>(&'a self, span: &'a Span) -> BoxFuture<'a, Result<Option<String>, BoxError>>;

    /// Reads all rows, and checks each.
    fn check<'a>(
        &'a self,
        rendering: &'a Rendering,
        time_limit: Duration,
        check: &'a mut SectionCheck<'_>,
    ) -> BoxFuture<'a, Result<(), String>>;

    /// Reads the entries of the first rows of a range.
    fn entries<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
    ) -> BoxFuture<'a, Result<Entries, String>>;

    /// The first loc of a fixed list that robots.txt disallows.
    fn blocked(&self, rendering: &Rendering, robots: &Robots) -> Option<String>;

    /// Writes all rows.
    fn export(&self, writer: TaskWriter, batch_rows: usize) -> BoxFuture<'_, crate::Result<PartList>>;
}

impl<S: Source> AnySource for S {
    fn render<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
        bounds: Bounds<'a>,
    ) -> BoxFuture<'a, Result<Rendered, Unrendered>> {
        Box::pin(render::render(self, span, rendering, bounds))
    }

    fn keys<'a>(&'a self, span: &'a Span, limit: usize) -> BoxFuture<'a, Result<Vec<DatedKey>, BoxError>> {
        // The call itself may panic, before there is a future.
        Box::pin(async move { Source::keys(self, span, limit).await })
    }

    fn latest(&self, limit: usize) -> BoxFuture<'_, Result<Option<Vec<DatedKey>>, BoxError>> {
        Box::pin(async move { Source::latest(self, limit).await })
    }

    fn check_keys(&self, span: &Span, keys: &[DatedKey]) -> Result<(), Unrendered> {
        order::check(self, span, keys.iter().map(|row| &row.key))
    }

    fn check_end<'a>(
        &'a self,
        span: &'a Span,
        rows: &'a [DatedKey],
        is_due: bool,
    ) -> BoxFuture<'a, Result<(), Unrendered>> {
        Box::pin(order::check_end(self, span, rows, is_due))
    }

    fn check_first<'a>(&'a self, first: &'a Key) -> BoxFuture<'a, Result<(), Unrendered>> {
        Box::pin(order::check_first(self, first))
    }

    fn is_read_at_once(&self) -> bool {
        Source::is_read_at_once(self)
    }

    fn version<'a>(&'a self, span: &'a Span) -> BoxFuture<'a, Result<Option<String>, BoxError>> {
        Box::pin(async move { Source::version(self, span).await })
    }

    fn check<'a>(
        &'a self,
        rendering: &'a Rendering,
        time_limit: Duration,
        check: &'a mut SectionCheck<'_>,
    ) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(check::check(self, rendering, time_limit, check))
    }

    fn entries<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
    ) -> BoxFuture<'a, Result<Entries, String>> {
        Box::pin(entries::entries(self, span, rendering))
    }

    fn blocked(&self, rendering: &Rendering, robots: &Robots) -> Option<String> {
        self.fixed()
            .iter()
            .find_map(|entry| rendering.blocked(entry, robots))
    }

    fn export(&self, writer: TaskWriter, batch_rows: usize) -> BoxFuture<'_, crate::Result<PartList>> {
        Box::pin(export::export(self, writer, batch_rows))
    }
}

/// The settings for cutting and rendering a section.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) pace: Pace,
    pub(crate) rendering: Rendering,
    /// The longest name of a part, in bytes.
    pub(crate) most_name: usize,
    /// A rendering, and the count of the last part, are considered current for its `max_age`.
    pub(super) lifetime: Lifetime,
}

pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) source: Arc<dyn AnySource>,
    links: Arc<dyn AnyLinks>,
    addresses: Addresses,
    pub(crate) settings: Settings,
    pub(crate) table: SectionTable,
    pub(super) counters: SectionCounters,
    /// `true` once the log has the warning that the index has no lastmod of a part.
    has_warned: AtomicBool,
    /// A row has a lastmod in the future.
    future: Occasional,
    /// robots.txt disallows a listed page.
    blocked: Occasional,
    /// A listed part cannot be rendered.
    pub(super) failures: Limited,
    /// `true` while failures are being retried.
    pub(super) is_recovering: AtomicBool,
    /// Held while the table's parts change, since this takes several queries.
    pub(crate) upkeep: Mutex<()>,
}

impl Section {
    pub(crate) fn new(
        name: String,
        source: Arc<dyn AnySource>,
        links: Arc<dyn AnyLinks>,
        addresses: Addresses,
        settings: Settings,
    ) -> Self {
        Section {
            name,
            source,
            links,
            addresses,
            settings,
            table: SectionTable::default(),
            counters: SectionCounters::default(),
            has_warned: AtomicBool::new(false),
            future: Occasional::default(),
            blocked: Occasional::default(),
            failures: Limited::default(),
            is_recovering: AtomicBool::default(),
            upkeep: Mutex::default(),
        }
    }
}

/// The calls of the source. A panic in one is its error, so that it fails this section only.
impl Section {
    async fn call<T, E: From<Panicked>>(
        &self,
        call: impl Future<Output = Result<T, E>>,
        is_panic: impl FnOnce(&E) -> bool,
    ) -> Result<T, E> {
        let result = caught(call).await.unwrap_or_else(|panicked| Err(panicked.into()));
        if result.as_ref().is_err_and(is_panic) {
            self.counters.panicked();
        }
        result
    }

    async fn query<T>(&self, call: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
        self.call(call, |error| error.is::<Panicked>()).await
    }

    pub(super) async fn render(
        &self,
        span: &Span,
        logged: u64,
        most_rows: u64,
        checked_rows: Option<u64>,
    ) -> Result<Rendered, Unrendered> {
        let bounds = Bounds {
            most_rows,
            checked_rows,
            logged,
            counters: &self.counters,
            blocked: &self.blocked,
        };
        let rendering = self.source.render(span, &self.settings.rendering, bounds);
        self.call(rendering, Unrendered::is_panic).await
    }

    /// The links of the first rows of a range.
    pub(super) async fn links(&self, span: &Span) -> Result<Links, Unrendered> {
        let links = self.links.links(span, &self.settings.rendering);
        let links = self.call(links, Unrendered::is_panic).await?;
        (0..links.panics).for_each(|_| self.counters.panicked());
        Ok(links)
    }

    pub(crate) async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.query(self.source.keys(span, limit)).await
    }

    pub(crate) async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        self.query(self.source.latest(limit)).await
    }

    /// Checks that the range up to the last of these keys has these rows.
    pub(super) async fn check_end(
        &self,
        span: &Span,
        rows: &[DatedKey],
        is_due: bool,
    ) -> Result<(), Unrendered> {
        self.call(self.source.check_end(span, rows, is_due), Unrendered::is_panic)
            .await
    }

    /// Checks that a range ends with the first row's key.
    pub(super) async fn check_first(&self, first: &Key) -> Result<(), Unrendered> {
        self.call(self.source.check_first(first), Unrendered::is_panic)
            .await
    }

    pub(super) async fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
        self.query(self.source.version(span)).await
    }
}

impl Section {
    /// The name of the part of a range.
    pub(crate) fn part_name(&self, span: &Span) -> String {
        self.addresses.part_name(&self.name, span)
    }

    /// The name of the list of the rows of a range, for people.
    pub(super) fn list_name(&self, span: &Span) -> String {
        self.addresses.list_name(&self.name, span)
    }

    pub(super) fn stats(&self) -> SectionStats {
        self.counters.stats(&self.name, &self.table.lock())
    }

    /// Logs, once an hour, that a row has a lastmod in the future. Clocks may differ by a minute.
    pub(crate) fn warn_of_future(&self, rows: &[DatedKey]) {
        let future = rows.iter().find_map(|row| {
            let lastmod = row.lastmod.lastmod()?;
            is_later_than(lastmod, MINUTE).then_some((&row.key, lastmod))
        });
        if let Some((key, lastmod)) = future
            && self.future.allows_after(60 * MINUTE)
        {
            warn!(
                "the row {key} has the lastmod {lastmod}, which is in the future: until then the index ignores it, as it does those of other \
                 rows; correct the values, or name another column of lastmods"
            );
        }
    }

    /// Logs, for the first such part, why the index has no lastmod of a part although some of its entries have one.
    pub(super) fn warn_without_lastmod(&self, part: &Span, rendered: &Rendered) {
        let (dated, entries) = (rendered.dated, rendered.entries);
        // A lastmod in the future is reported when it is counted.
        let is_future = rendered.newest.lastmod().is_some_and(is_future);
        if dated == 0 || is_future || self.has_warned.swap(true, Ordering::Relaxed) {
            return;
        }
        let name = address::part_name(&self.name, part);
        if dated < entries {
            let undated = entries - dated;
            warn!(
                "the index has no lastmod of {name}: {undated} of its {entries} entries have none, so it is unknown when the last of them \
                 changed; fill these dates, or set a `SiteBuilder::table_store`, which records when parts change"
            );
        } else {
            warn!(
                "the index has no lastmod of {name}, although all of its entries have one: the source reads the keys without lastmods, \
                 or has a row without one that is not listed; name the source's column of lastmods, and leave out such rows by its condition"
            );
        }
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

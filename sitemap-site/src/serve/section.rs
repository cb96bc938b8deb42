//! A section of a site: a source with a name.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Mutex;
use tracing::warn;

use super::address::{self, Addresses};
use super::export;
use super::headers::Lifetime;
use super::render::{self, Bounds, Rendering, Unrendered};
use super::rendered::Rendered;
use super::section_stats::SectionCounters;
use crate::set::{PartList, TaskWriter};
use crate::source::{BoxError, DatedKey, Source, Span};
use crate::table::{Pace, SectionTable};

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A type-erased [`Source`].
pub(crate) trait AnySource: Send + Sync {
    fn render<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
        bounds: Bounds,
    ) -> BoxFuture<'a, Result<Rendered, Unrendered>>;

    fn keys<'a>(&'a self, span: &'a Span, limit: usize) -> BoxFuture<'a, Result<Vec<DatedKey>, BoxError>>;

    fn latest(&self, limit: usize) -> BoxFuture<'_, Result<Option<Vec<DatedKey>>, BoxError>>;

    fn version<'a>(&'a self, span: &'a Span) -> BoxFuture<'a, Result<Option<String>, BoxError>>;

    /// Writes all rows.
    fn export(&self, writer: TaskWriter, page_rows: usize) -> BoxFuture<'_, crate::Result<PartList>>;
}

impl<S: Source> AnySource for S {
    fn render<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
        bounds: Bounds,
    ) -> BoxFuture<'a, Result<Rendered, Unrendered>> {
        Box::pin(render::render(self, span, rendering, bounds))
    }

    fn keys<'a>(&'a self, span: &'a Span, limit: usize) -> BoxFuture<'a, Result<Vec<DatedKey>, BoxError>> {
        Box::pin(Source::keys(self, span, limit))
    }

    fn latest(&self, limit: usize) -> BoxFuture<'_, Result<Option<Vec<DatedKey>>, BoxError>> {
        Box::pin(Source::latest(self, limit))
    }

    fn version<'a>(&'a self, span: &'a Span) -> BoxFuture<'a, Result<Option<String>, BoxError>> {
        Box::pin(Source::version(self, span))
    }

    fn export(&self, writer: TaskWriter, page_rows: usize) -> BoxFuture<'_, crate::Result<PartList>> {
        Box::pin(export::export(self, writer, page_rows))
    }
}

/// How a section is cut and rendered.
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
    addresses: Addresses,
    pub(crate) settings: Settings,
    pub(crate) table: SectionTable,
    pub(super) counters: SectionCounters,
    /// Whether the log has the warning that the index has no lastmod of a part.
    has_warned: AtomicBool,
    /// Held while the table's parts change, since this takes several queries.
    pub(crate) upkeep: Mutex<()>,
}

impl Section {
    pub(crate) fn new(
        name: String,
        source: Arc<dyn AnySource>,
        addresses: Addresses,
        settings: Settings,
    ) -> Self {
        Section {
            name,
            source,
            addresses,
            settings,
            table: SectionTable::default(),
            counters: SectionCounters::default(),
            has_warned: AtomicBool::new(false),
            upkeep: Mutex::default(),
        }
    }
}

impl Section {
    /// The name of the part of a range.
    pub(crate) fn part_name(&self, span: &Span) -> String {
        self.addresses.part_name(&self.name, span)
    }

    /// Logs, for the first such part, why the index has no lastmod of a part whose entries have some.
    pub(super) fn warn_without_lastmod(&self, part: &Span, rendered: &Rendered) {
        let (dated, entries) = (rendered.dated, rendered.entries);
        if dated == 0 || self.has_warned.swap(true, Ordering::Relaxed) {
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

//! A source that the test controls.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::source::{BoxError, Row, Source, Span, Unavailable, WrongKey};
use sitemap_site::{Key, KeyValue};
use tokio::sync::Semaphore;

/// A row, which is also its page.
#[derive(Clone, Debug, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
pub struct Page {
    /// Any text.
    pub slug: String,
    /// The time of its last change.
    #[sitemap(lastmod)]
    pub updated: Option<W3cDateTime>,
    /// `true` if it is not listed.
    #[sitemap(exclude_if)]
    pub draft: bool,
}

/// A table of [`Page`]s with integer keys. Clones share the table.
#[derive(Clone, Debug)]
pub struct Rows(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    rows: Mutex<BTreeMap<i64, Page>>,
    queries: AtomicU64,
    read: AtomicU64,
    /// Queries of rows above this key fail.
    fails_above: AtomicI64,
    unavailable: AtomicBool,
    /// Each query takes a permit and does not return it.
    gate: Semaphore,
    /// The number of waiting queries.
    waiting: AtomicU64,
    version: Mutex<Option<String>>,
    /// The duration of each query.
    takes: Mutex<Duration>,
}

impl Rows {
    /// Rows 1 to `count`.
    pub fn new(count: i64) -> Self {
        let rows = Rows(Arc::new(Inner {
            rows: Mutex::default(),
            queries: AtomicU64::new(0),
            read: AtomicU64::new(0),
            fails_above: AtomicI64::new(i64::MAX),
            unavailable: AtomicBool::new(false),
            gate: Semaphore::new(Semaphore::MAX_PERMITS / 2),
            waiting: AtomicU64::new(0),
            version: Mutex::new(None),
            takes: Mutex::default(),
        }));
        (1..=count).for_each(|id| rows.put(id));
        rows
    }

    /// The addresses of the listed rows.
    pub fn locs(&self, base: &str) -> Vec<String> {
        let rows = self.lock();
        let listed = rows.values().filter(|page| !page.draft);
        listed.map(|page| format!("{base}/{}", page.slug)).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<i64, Page>> {
        self.0.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a row like the others.
    pub fn put(&self, id: i64) {
        let page = Page {
            slug: format!("p{id}"),
            updated: W3cDateTime::from_ymd(2026, 5, u8::try_from(id.rem_euclid(28) + 1).unwrap_or(1)).ok(),
            draft: false,
        };
        self.lock().insert(id, page);
    }

    /// Changes a row.
    pub fn change(&self, id: i64, change: impl FnOnce(&mut Page)) {
        if let Some(page) = self.lock().get_mut(&id) {
            change(page);
        }
    }

    /// Removes a row.
    pub fn remove(&self, id: i64) {
        self.lock().remove(&id);
    }

    /// The number of queries.
    pub fn queries(&self) -> u64 {
        self.0.queries.load(Ordering::SeqCst)
    }

    /// The number of rows read.
    pub fn rows_read(&self) -> u64 {
        self.0.read.load(Ordering::SeqCst)
    }

    /// The number of queries waiting at the gate.
    pub fn waiting(&self) -> u64 {
        self.0.waiting.load(Ordering::SeqCst)
    }

    /// Makes queries beyond this key fail from now on.
    pub fn fail_above(&self, id: i64) {
        self.0.fails_above.store(id, Ordering::SeqCst);
    }

    /// `true` if failures are temporary.
    pub fn unavailable(&self, unavailable: bool) {
        self.0.unavailable.store(unavailable, Ordering::SeqCst);
    }

    /// Makes queries wait from now on.
    pub fn close(&self) {
        self.0.gate.forget_permits(Semaphore::MAX_PERMITS);
    }

    /// Releases this number of queries.
    pub fn open(&self, queries: usize) {
        self.0.gate.add_permits(queries);
    }

    /// Sets the duration of each query from now on.
    pub fn slow_down(&self, takes: Duration) {
        *self.0.takes.lock().unwrap_or_else(PoisonError::into_inner) = takes;
    }

    /// Sets the version of the rows.
    pub fn set_version(&self, version: &str) {
        *self.0.version.lock().unwrap_or_else(PoisonError::into_inner) = Some(version.to_owned());
    }
}

/// Counts as a waiting query while it exists.
struct Waiting<'a>(&'a AtomicU64);

impl<'a> Waiting<'a> {
    fn new(waiting: &'a AtomicU64) -> Self {
        waiting.fetch_add(1, Ordering::SeqCst);
        Waiting(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Source for Rows {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        self.0.queries.fetch_add(1, Ordering::SeqCst);
        {
            let _waiting = Waiting::new(&self.0.waiting);
            self.0.gate.acquire().await?.forget();
        }
        let takes = *self.0.takes.lock().unwrap_or_else(PoisonError::into_inner);
        if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        let number = |key: &Option<Key>| match key.as_ref().map(Key::values) {
            None => Ok(None),
            Some([KeyValue::Integer(number)]) => Ok(Some(*number)),
            Some(_) => Err(WrongKey),
        };
        let after = number(&span.after)?.map_or(Bound::Unbounded, Bound::Excluded);
        let to = number(&span.to)?.map_or(Bound::Unbounded, Bound::Included);
        if let (Bound::Excluded(after), Bound::Included(to)) = (after, to)
            && after >= to
        {
            return Ok(Vec::new());
        }
        let rows = self.lock();
        let rows: Vec<_> = rows
            .range((after, to))
            .take(limit)
            .map(|(id, page)| Row::new(*id, page.clone()))
            .collect();
        self.0.read.fetch_add(rows.len() as u64, Ordering::SeqCst);
        let last = rows.last().and_then(|row| match row.key().values() {
            [KeyValue::Integer(number)] => Some(*number),
            _ => None,
        });
        if last > Some(self.0.fails_above.load(Ordering::SeqCst)) {
            let error = "secret: the database is gone";
            return Err(if self.0.unavailable.load(Ordering::SeqCst) {
                Unavailable::new(error).into()
            } else {
                error.into()
            });
        }
        Ok(rows)
    }

    /// It is not counted as a query.
    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        let number = |key: &Option<Key>| match key.as_ref().map(Key::values) {
            Some([KeyValue::Integer(number)]) => Some(*number),
            _ => None,
        };
        let (after, to) = (number(&span.after), number(&span.to));
        let is_within = |id: &&i64| after.is_none_or(|after| **id > after) && to.is_none_or(|to| **id <= to);
        Ok(Some(self.lock().keys().filter(is_within).count() as u64))
    }

    async fn version(&self, _: &Span) -> Result<Option<String>, BoxError> {
        Ok(self
            .0
            .version
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone())
    }
}

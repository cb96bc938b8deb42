//! How a published set is served.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::{Inner, ServeSet};
use crate::serve::cache::Cache;
use crate::serve::flight::Flights;
use crate::serve::memory::Memory;
use crate::serve::stats::Counters;
use crate::set::SitemapSet;

/// Sets up a [`ServeSet`]. Made by [`ServeSet::builder`].
///
/// ```
/// use std::time::Duration;
/// use sitemap_site::{ServeSet, SitemapSet};
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("sitemaps");
/// let set = SitemapSet::directory(&root, "https://example.com").open()?;
/// let service = ServeSet::builder(set)
///     .max_age(Duration::from_secs(3600))
///     .cache_bytes(16 << 20)
///     .sending_bytes(16 << 20)
///     .build();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ServeSetBuilder {
    set: SitemapSet,
    age: Duration,
    look_after: Duration,
    time_limit: Duration,
    cache_bytes: usize,
    sending_bytes: usize,
    reads: usize,
}

impl ServeSet {
    /// Begins to serve what is published by the set, whoever commits it.
    pub fn builder(set: SitemapSet) -> ServeSetBuilder {
        ServeSetBuilder {
            look_after: Duration::from_secs(if set.is_storage() { 10 } else { 1 }),
            set,
            age: Duration::from_secs(600),
            time_limit: Duration::from_secs(60),
            cache_bytes: 64 << 20,
            sending_bytes: 64 << 20,
            reads: 4,
        }
    }
}

impl ServeSetBuilder {
    /// For how long caches take a response for fresh (`max-age`); ten minutes if it is not said.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    /// For how long what was published is taken for what is; a second if it is not said, ten in an object store. A look costs a few
    /// operations on a directory, and in a store one `get` of `sitemap.xml`. Nobody looks while nobody asks.
    pub fn look_after(mut self, time: Duration) -> Self {
        self.look_after = time;
        self
    }

    /// How long a look and the reading of a file may take; a minute if it is not said. After it clients get what was published before, or
    /// 503.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// How many bytes of compressed files are kept; 64 MiB if it is not said. With 0 each request reads.
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// How many bytes of compressed files may be in memory beside those that are kept, since clients are still reading them; 64 MiB if it
    /// is not said. Beyond it they are in temporary files ([`std::env::temp_dir`]), which are gone with the last client that reads them.
    pub fn sending_bytes(mut self, bytes: usize) -> Self {
        self.sending_bytes = bytes;
        self
    }

    /// How many files are read at a time, from 1; 4 if it is not said. While it is read, a file of an object store is in memory whole
    /// (at most 52,428,800 bytes), and each one as what it is compressed to, beside both budgets.
    pub fn reads(mut self, reads: usize) -> Self {
        self.reads = reads.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// The service. Nothing is read yet.
    pub fn build(self) -> ServeSet {
        let path = self.set.place().split_once("://");
        let path = path.and_then(|(_, rest)| rest.split_once('/'));
        ServeSet(Arc::new(Inner {
            base_path: path.map_or(String::new(), |(_, path)| format!("/{path}")),
            set: self.set,
            age: self.age,
            look_after: self.look_after,
            time_limit: self.time_limit,
            memory: Memory::new(self.cache_bytes.saturating_add(self.sending_bytes)),
            cache: Cache::new(self.cache_bytes),
            reads: Flights::default(),
            permits: Arc::new(Semaphore::new(self.reads)),
            current: Mutex::new(None),
            looks: Flights::default(),
            looking: Arc::new(Semaphore::new(1)),
            stats: Counters::default(),
        }))
    }
}

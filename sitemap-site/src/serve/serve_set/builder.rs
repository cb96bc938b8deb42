//! The builder of a service for a published set.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::{Inner, ServeSet};
use crate::serve::cache::Cache;
use crate::serve::flight::Flights;
use crate::serve::memory::Memory;
use crate::serve::stats::Counters;
use crate::set::SitemapSet;

/// A builder for a [`ServeSet`]. Made by [`ServeSet::builder`].
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
    /// Starts building a service for the published files of a set, whichever program commits them.
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
    /// Sets how long caches consider a response fresh (`max-age`); ten minutes by default.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    /// Sets how often to check which set is published; every second by default, every ten seconds in an object store. A check costs a few
    /// operations on a directory, or one `get` of `sitemap.xml` in a store. Without requests there are no checks.
    pub fn look_after(mut self, time: Duration) -> Self {
        self.look_after = time;
        self
    }

    /// Sets how long a check, and reading a file, may take; a minute by default. Then clients get what was published before, or
    /// 503.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets the maximum size of the cache of compressed files in bytes; 64 MiB by default. With 0, each request reads its file.
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Sets how many bytes of compressed files may be in memory in addition to the cache while they are being sent; 64 MiB by default.
    /// Further files are in temporary files ([`std::env::temp_dir`]), which are removed after the last client has read them.
    pub fn sending_bytes(mut self, bytes: usize) -> Self {
        self.sending_bytes = bytes;
        self
    }

    /// Sets how many files are read at the same time, from 1; 4 by default. A file that is being read is in memory in compressed form, and a
    /// file of an object store completely (at most 52,428,800 bytes), in addition to both limits.
    pub fn reads(mut self, reads: usize) -> Self {
        self.reads = reads.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// Builds the service. This reads nothing yet.
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

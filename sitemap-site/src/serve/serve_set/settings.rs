//! The settings of a service for a published set.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::{Inner, ServeSet};
use crate::serve::builder::MEMORY;
use crate::serve::cache::Cache;
use crate::serve::flight::Flights;
use crate::serve::headers::Lifetime;
use crate::serve::kept::Renewals;
use crate::serve::memory::Memory;
use crate::serve::mount::path_of;
use crate::serve::stats::Counters;
use crate::sets::SitemapSet;

/// Maximum number of files that are read at the same time.
const READS: usize = 4;

/// The settings of a [`ServeSet`].
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) set: SitemapSet,
    pub(super) lifetime: Lifetime,
    /// The time that the result of a check counts as current.
    pub(super) check_every: Duration,
    /// Maximum time of a check, or of reading a file.
    pub(super) time_limit: Duration,
    memory_bytes: usize,
}

impl ServeSet {
    /// Serves the published files of a set, from any committing program. Settings follow:
    ///
    /// ```
    /// use std::time::Duration;
    /// use sitemap_site::{ServeSet, SitemapSet};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path().join("sitemaps");
    /// let set = SitemapSet::directory(&root, "https://example.com").open()?;
    /// let service = ServeSet::new(set).max_age(Duration::from_secs(3600)).memory_bytes(32 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(set: SitemapSet) -> Self {
        let settings = Settings {
            check_every: Duration::from_secs(if set.is_storage() { 10 } else { 1 }),
            set,
            lifetime: Lifetime::default(),
            time_limit: Duration::from_secs(60),
            memory_bytes: MEMORY,
        };
        settings.build()
    }

    /// A service with other settings, without the files in this one's memory.
    fn with(&self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.0.settings.clone();
        change(&mut settings);
        settings.build()
    }

    /// Sets how long caches consider a response fresh (`max-age`); ten minutes by default.
    #[must_use]
    pub fn max_age(self, age: Duration) -> Self {
        self.with(|settings| settings.lifetime.max_age = age)
    }

    /// Sets the interval between checks for a newly published set; a second by default, ten seconds in an object store. A check
    /// costs a few operations on a directory, or one `get` of `sitemap.xml` in a store. There are no checks without requests.
    #[doc(hidden)]
    #[must_use]
    pub fn check_every(self, time: Duration) -> Self {
        self.with(|settings| settings.check_every = time)
    }

    /// Sets the time limit of a check, and of reading a file; a minute by default. After it, clients get the previously published
    /// file, or 503.
    #[doc(hidden)]
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        self.with(|settings| settings.time_limit = limit)
    }

    /// Sets the memory limit for compressed files, in bytes; 128 MiB by default. At most half of it is the cache, and the rest is
    /// for files that are being sent. Files that do not fit are sent from temporary files ([`std::env::temp_dir`]), which are
    /// removed after the last client has read them. With 0, each request reads its file.
    ///
    /// Up to four files are read at the same time. Such a file is in memory in compressed form, and a file of an object store completely (at
    /// most 52,428,800 bytes), in addition to this limit.
    #[must_use]
    pub fn memory_bytes(self, bytes: usize) -> Self {
        self.with(|settings| settings.memory_bytes = bytes)
    }
}

impl Settings {
    /// Builds the service. This reads nothing yet.
    fn build(self) -> ServeSet {
        ServeSet(Arc::new(Inner {
            base_path: path_of(self.set.location()),
            memory: Memory::new(self.memory_bytes),
            cache: Cache::new(self.memory_bytes / 2),
            reads: Flights::default(),
            permits: Arc::new(Semaphore::new(READS)),
            current: Mutex::new(None),
            looks: Renewals::default(),
            looking: Arc::new(Semaphore::new(1)),
            stats: Counters::default(),
            settings: self,
        }))
    }
}

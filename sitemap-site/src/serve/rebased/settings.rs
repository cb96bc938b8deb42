//! The settings of a service for the sitemaps of another server.

use std::sync::Arc;
use std::time::Duration;

use http::Response;
use sitemap_serde::edit::Rebase;
use tokio::sync::Semaphore;

use super::fetched::{Fetch, read};
use super::{Inner, Rebased};
use crate::error::{Error, ErrorKind, Result};
use crate::serve::builder::MEMORY;
use crate::serve::cache::Cache;
use crate::serve::headers::Lifetime;
use crate::serve::kept::Renewals;
use crate::serve::memory::Memory;
use crate::serve::mount::path_of;
use crate::serve::stats::Counters;
use crate::source::BoxError;

/// Maximum number of documents that are fetched at the same time.
const FETCHES: usize = 4;

/// The settings of a [`Rebased`].
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) rebase: Rebase,
    pub(super) fetch: Fetch,
    pub(super) lifetime: Lifetime,
    /// Maximum time of a fetch with its edit.
    pub(super) time_limit: Duration,
    /// `true` if queries are passed on.
    pub(super) queries: bool,
    memory_bytes: usize,
}

impl Rebased {
    /// Serves the sitemaps below `old` with URLs below `new`. `fetch` gets a URL below `old`, and returns the response. Settings follow:
    ///
    /// ```
    /// use std::time::Duration;
    /// use sitemap_site::Rebased;
    ///
    /// # async fn get(url: String) -> std::io::Result<http::Response<axum::body::Body>> { Err(std::io::Error::other(url)) }
    /// let cms = Rebased::new("https://cms.example.net/space", "https://example.com/blog", |url| async { Ok(get(url).await?) })?
    ///     .max_age(Duration::from_secs(60))
    ///     .time_limit(Duration::from_secs(10));
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    ///
    /// Redirects are for `fetch` to follow. A body with a `Content-Encoding` must be gzip. Nothing is fetched yet.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`](crate::ErrorKind::Setting) if `old` or `new` is not a base, such as `https://example.com`.
    pub fn new<F, B>(
        old: impl AsRef<str>,
        new: impl AsRef<str>,
        fetch: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Result<Self>
    where
        F: Future<Output = Result<Response<B>, BoxError>> + Send + 'static,
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<BoxError>,
    {
        let rebase = Rebase::new(old, new)
            .map_err(|error| Error::caused(ErrorKind::Setting, error.to_string(), error))?;
        let settings = Settings {
            rebase,
            fetch: Arc::new(move |url| {
                let fetched = fetch(url);
                Box::pin(async move { read(fetched.await).await })
            }),
            lifetime: Lifetime::default(),
            time_limit: Duration::from_secs(60),
            queries: false,
            memory_bytes: MEMORY,
        };
        Ok(settings.build())
    }

    /// A service with other settings, without the documents in this one's memory.
    fn with(&self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.0.settings.clone();
        change(&mut settings);
        settings.build()
    }

    /// Sets how long a document is fresh, here and in caches (`max-age`); ten minutes by default. With zero, each request fetches its
    /// document.
    #[must_use]
    pub fn max_age(self, age: Duration) -> Self {
        self.with(|settings| settings.lifetime.max_age = age)
    }

    /// Sets the time limit for fetching and editing a document; a minute by default. After it, clients get the last copy, or 504.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        self.with(|settings| settings.time_limit = limit)
    }

    /// If `true`, query strings are passed on, for a server whose sitemaps have them, such as `/sitemap_products_1.xml?from=1&to=99`. Off by
    /// default: then a request with a query is answered with 404, and the log has a warning if an index lists such a sitemap.
    ///
    /// Each different query is a document of its own. So anyone can cause as many fetches as they send queries, and push other documents out
    /// of the cache. Limit the rate of requests in front of the service if the other server must be spared.
    #[must_use]
    pub fn queries(self, queries: bool) -> Self {
        self.with(|settings| settings.queries = queries)
    }

    /// Sets the memory limit for compressed documents, in bytes; 128 MiB by default. At most half of it is the cache, and the rest is for
    /// documents that are being sent. Documents that do not fit are sent from temporary files ([`std::env::temp_dir`]).
    ///
    /// Up to four documents are fetched at the same time. Each is in memory as it was sent, at most 52,428,800 bytes, in addition to this
    /// limit.
    #[must_use]
    pub fn memory_bytes(self, bytes: usize) -> Self {
        self.with(|settings| settings.memory_bytes = bytes)
    }
}

impl Settings {
    fn build(self) -> Rebased {
        Rebased(Arc::new(Inner {
            base_path: path_of(self.rebase.new_base()),
            memory: Memory::new(self.memory_bytes),
            cache: Cache::new(self.memory_bytes / 2),
            renewals: Renewals::default(),
            permits: Arc::new(Semaphore::new(FETCHES)),
            stats: Counters::default(),
            settings: self,
        }))
    }
}

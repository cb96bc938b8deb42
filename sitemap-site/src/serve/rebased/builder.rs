//! The builder of a service for the sitemaps of another server.

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
use crate::serve::flight::Flights;
use crate::serve::headers::Lifetime;
use crate::serve::memory::Memory;
use crate::serve::retries::Retries;
use crate::serve::stats::Counters;
use crate::source::BoxError;

/// Maximum number of documents that are fetched at the same time.
const FETCHES: usize = 4;

/// A builder for a [`Rebased`].
///
/// ```
/// use std::time::Duration;
/// use sitemap_site::RebasedBuilder;
///
/// # async fn get(url: String) -> std::io::Result<http::Response<axum::body::Body>> { Err(std::io::Error::other(url)) }
/// let cms = RebasedBuilder::new("https://cms.example.net/space", "https://example.com/blog", |url| async { Ok(get(url).await?) })
///     .max_age(Duration::from_secs(60))
///     .time_limit(Duration::from_secs(10))
///     .build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a builder is not a service yet: end with `.build()`"]
pub struct RebasedBuilder {
    old: String,
    new: String,
    fetch: Fetch,
    lifetime: Lifetime,
    time_limit: Duration,
    queries: bool,
    memory_bytes: usize,
}

impl std::fmt::Debug for RebasedBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RebasedBuilder")
            .field("old", &self.old)
            .field("new", &self.new)
            .finish_non_exhaustive()
    }
}

impl RebasedBuilder {
    /// Makes a builder for a service with the sitemaps below `old`, with URLs below `new`. `fetch` gets a URL below `old`, and returns the
    /// response.
    ///
    /// Redirects are for `fetch` to follow. A body with a `Content-Encoding` must be gzip.
    pub fn new<F, B>(
        old: impl Into<String>,
        new: impl Into<String>,
        fetch: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response<B>, BoxError>> + Send + 'static,
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<BoxError>,
    {
        RebasedBuilder {
            old: old.into(),
            new: new.into(),
            fetch: Arc::new(move |url| {
                let fetched = fetch(url);
                Box::pin(async move { read(fetched.await).await })
            }),
            lifetime: Lifetime::default(),
            time_limit: Duration::from_secs(60),
            queries: false,
            memory_bytes: MEMORY,
        }
    }

    /// Sets how long a document is fresh, here and in caches (`max-age`); ten minutes by default. With zero, each request fetches its
    /// document.
    pub fn max_age(&mut self, age: Duration) -> &mut Self {
        self.lifetime.max_age = age;
        self
    }

    /// Sets the time limit for fetching and editing a document; a minute by default. After it, clients get the last copy, or 504.
    pub fn time_limit(&mut self, limit: Duration) -> &mut Self {
        self.time_limit = limit;
        self
    }

    /// If `true`, query strings are passed on, for a server whose sitemaps have them, such as `/sitemap_products_1.xml?from=1&to=99`. Off by
    /// default: then a request with a query is answered with 404, and the log has a warning if an index lists such a sitemap.
    ///
    /// Each different query is a document of its own. So anyone can cause as many fetches as they send queries, and push other documents out
    /// of the cache. Limit the rate of requests in front of the service if the other server must be spared.
    pub fn queries(&mut self, queries: bool) -> &mut Self {
        self.queries = queries;
        self
    }

    /// Sets the memory limit for compressed documents, in bytes; 128 MiB by default. At most half of it is the cache, and the rest is for
    /// documents that are being sent. Documents that do not fit are sent from temporary files ([`std::env::temp_dir`]).
    ///
    /// Up to four documents are fetched at the same time. Each is in memory as it was sent, at most 52,428,800 bytes, in addition to this
    /// limit.
    pub fn memory_bytes(&mut self, bytes: usize) -> &mut Self {
        self.memory_bytes = bytes;
        self
    }

    /// Builds the service. This fetches nothing yet.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`](crate::ErrorKind::Setting) if `old` or `new` is not a base, such as `https://example.com`.
    pub fn build(&self) -> Result<Rebased> {
        let rebase = Rebase::new(&self.old, &self.new)
            .map_err(|error| Error::caused(ErrorKind::Setting, error.to_string(), error))?;
        let path = rebase.new_base().split_once("://");
        let path = path.and_then(|(_, rest)| rest.split_once('/'));
        Ok(Rebased(Arc::new(Inner {
            base_path: path.map_or(String::new(), |(_, path)| format!("/{path}")),
            rebase,
            fetch: Arc::clone(&self.fetch),
            lifetime: self.lifetime,
            time_limit: self.time_limit,
            queries: self.queries,
            memory: Memory::new(self.memory_bytes),
            cache: Cache::new(self.memory_bytes / 2),
            retries: Retries::default(),
            flights: Flights::default(),
            permits: Arc::new(Semaphore::new(FETCHES)),
            stats: Counters::default(),
        })))
    }
}

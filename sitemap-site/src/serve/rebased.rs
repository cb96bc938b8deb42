//! The sitemaps of another server as a service, with URLs of one's own host: `fetched` is its response, and `document` changes the URLs.

mod document;
mod fetched;
mod settings;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use http::{Method, Request, Response, StatusCode};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tracing::{error, warn};

use document::Document;
use fetched::Failure;
use settings::Settings;

use super::Body;
use super::cache::Cache;
use super::encoding::Encoding;
use super::export::blocking;
use super::headers::{self, STALE_IF_ERROR};
use super::kept::{Copy, Current, Pause, Renew, Renewals};
use super::memory::Memory;
use super::parts::Found;
use super::refusal::Refusal;
use super::rendered::{Invalid, Rendered};
use super::respond::{Asked, answer_file, not_allowed, refuse, validators};
use super::retries::RETRY;
use super::stats::{Counters, ServeStats};
use super::unheard;
use crate::error::Result;
use crate::source::caught;

/// Longest URL that is fetched, in bytes: no listed sitemap has a longer one (P-LOCLEN).
const MOST_URL: usize = 2_048;

const LATE: Refusal = Refusal::GatewayTimeout("the server with this sitemap took too long");

/// The sitemaps of another server, such as a headless CMS, as a tower service under one's own host.
///
/// A request for `/sitemap.xml` is answered with the other server's `/sitemap.xml`. The URLs in it that begin with the base of the other
/// server begin with one's own base instead: pages, listed sitemaps, alternates, images and videos. Nothing else changes; see
/// [`Rebase`](sitemap_serde::edit::Rebase). Entries whose loc becomes too long are skipped, and entries that cannot be read stay as they are;
/// the log names the first of them, and [`stats`](Self::stats) counts the skipped ones. Mount it at the paths of all sitemaps that the other
/// server lists.
///
/// ```
/// use axum::Router;
/// use sitemap_site::Rebased;
///
/// # fn routes() -> Result<Router, sitemap_site::Error> {
/// # #[derive(Clone)] struct Client;
/// # impl Client { async fn get(&self, url: String) -> std::io::Result<http::Response<axum::body::Body>> { Err(std::io::Error::other(url)) } }
/// # let client = Client;
/// let cms = Rebased::new("https://cms.example.net", "https://example.com", move |url| {
///     let client = client.clone();
///     // With reqwest: `Ok(client.get(url).send().await?.into())`.
///     async move { Ok(client.get(url).await?) }
/// })?;
/// let app = Router::new()
///     .route_service("/sitemap.xml", cms.clone())
///     .route_service("/sitemap/{file}", cms);
/// # Ok(app)
/// # }
/// ```
///
/// The document is fetched and edited completely before the response begins. It must be an XML sitemap in UTF-8 without a DOCTYPE, of at
/// most 52,428,800 bytes, compressed or not. Headers are not passed on. The response has an `ETag`, and gzip for clients that accept it. A
/// request with a query string is answered with 404, unless [`queries`](Rebased::queries) passes it on.
///
/// | the other server | the response |
/// |---|---|
/// | answers 404 or 410 | the same |
/// | answers 429 or 503 | 503 with `Retry-After` |
/// | answers another status than 200, cannot be reached, or breaks off | 502 |
/// | sends a malformed or larger document, or none of sitemaps | 502 |
/// | takes longer than the [`time_limit`](Rebased::time_limit) | 504 |
///
/// A document is fetched at most every [`max_age`](Rebased::max_age), once for all waiting requests. After a failure it is fetched again
/// after five seconds. Meanwhile the last copy is served for up to a day, with its `Age`. The log has the reason. A request waits at
/// most a second if there is such a copy, and the fetch continues.
///
/// At most four documents are fetched at a time.
#[derive(Clone)]
pub struct Rebased(Arc<Inner>);

struct Inner {
    /// The path of the new base, empty or beginning with `/`.
    base_path: String,
    memory: Memory,
    /// The edited documents, by the URL that they were fetched from.
    cache: Cache<String>,
    renewals: Renewals<String, Arc<Rendered>, Refusal>,
    /// Maximum number of documents that are fetched at the same time.
    permits: Arc<Semaphore>,
    stats: Counters,
    settings: Settings,
}

impl fmt::Debug for Rebased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rebased")
            .field("old_base", &self.0.settings.rebase.old_base())
            .field("new_base", &self.0.settings.rebase.new_base())
            .finish_non_exhaustive()
    }
}

impl Rebased {
    /// The response to a request, for handwritten handlers; the service does the same. It must be called within a tokio runtime. The
    /// request's path begins with the path of the new base, or does not if the framework has stripped it.
    pub fn respond<B>(
        &self,
        request: &Request<B>,
    ) -> impl Future<Output = Response<Body>> + Send + 'static + use<B> {
        let asked = Asked::by(request);
        let query = request.uri().query().map(str::to_owned);
        let inner = Arc::clone(&self.0);
        async move {
            inner.stats.request();
            let answer = inner.respond(&asked, query.as_deref()).await;
            let response = answer.unwrap_or_else(|refusal| refuse(&asked.method, refusal));
            if response.status() == StatusCode::NOT_MODIFIED {
                inner.stats.not_modified();
            }
            response
        }
    }

    /// Returns the counters of the service. `renderings` counts fetched documents, and `skipped` their pages that were left out.
    pub fn stats(&self) -> ServeStats {
        let inner = &self.0;
        inner
            .stats
            .stats(inner.cache.bytes(), &inner.memory, inner.renewals.len())
    }
}

impl Inner {
    async fn respond(
        self: &Arc<Self>,
        asked: &Asked,
        query: Option<&str>,
    ) -> Result<Response<Body>, Refusal> {
        let name = asked.name(&self.base_path).ok_or(Refusal::NO_SUCH_ADDRESS)?;
        let url = self.url(name, query).ok_or(Refusal::NO_SUCH_ADDRESS)?;
        if asked.method != Method::GET && asked.method != Method::HEAD {
            return Ok(not_allowed(&asked.method));
        }
        if tokio::runtime::Handle::try_current().is_err() {
            error!(
                "a sitemap of another server was requested outside of a tokio runtime, which is needed to fetch it"
            );
            return Err(Refusal::Internal("it cannot be fetched"));
        }
        let Current { value, stale } = self.current(&url).await?;
        let found = Found {
            hash: value.hash,
            changed: None,
            rendered: Some(value),
            stale,
        };
        if name.rsplit('.').next() != Some("gz") {
            return Ok(found.answer(headers::XML, self.settings.lifetime, asked));
        }
        let validators = validators(found.hash, Encoding::Gzip, None);
        let mut response = match &found.rendered {
            Some(rendered) if !validators.match_those_of(&asked.headers) => answer_file(
                headers::GZIP,
                &validators,
                rendered,
                self.settings.lifetime,
                asked,
            ),
            _ => headers::not_modified(&validators, self.settings.lifetime),
        };
        if let Some(age) = found.stale {
            headers::set_age(&mut response, age);
        }
        Ok(response)
    }

    /// The URL of a document on the other server; `None` if it would be outside of the old base, is too long, or has a query that is not passed on.
    fn url(&self, name: &str, query: Option<&str>) -> Option<String> {
        // As a server reads it that decodes slashes too, or takes `;` for the beginning of parameters.
        let decoded = name.to_ascii_lowercase().replace("%2e", ".");
        let decoded = decoded.replace("%2f", "/").replace("%5c", "\\");
        let is_dot = |segment: &str| matches!(segment.split([';', '?']).next(), Some("." | ".."));
        if decoded.contains('\\') || decoded.split('/').any(is_dot) {
            return None;
        }
        let mut url = format!("{}/{name}", self.settings.rebase.old_base());
        match query {
            Some(query) if self.settings.queries => url.extend(["?", query]),
            Some(_) => return None,
            None => {}
        }
        (url.len() <= MOST_URL).then_some(url)
    }

    async fn fetch(&self, url: &str) -> Result<Document, Failure> {
        let limit = self.settings.time_limit;
        let late = || Failure {
            refusal: LATE,
            reason: format!("fetching and editing it takes more than {limit:?} (`time_limit`)"),
        };
        let end = Instant::now().checked_add(limit);
        let edited = timeout(limit, async {
            let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
            let fetched = caught(async { (self.settings.fetch)(url.to_owned()).await }).await;
            let fetched =
                fetched.unwrap_or_else(|panicked| Err(Failure::unreachable(panicked.to_string())))?;
            let rebase = self.settings.rebase.clone();
            let edited = blocking(move || {
                let _permit = permit;
                Ok(document::edit(fetched, rebase, end))
            });
            edited
                .await
                .map_err(|error| error.to_string())
                .and_then(|edited| edited)
                .map_err(Failure::unusable)
        });
        let edited = edited.await.map_err(|_| late())?;
        let is_late = end.is_some_and(|end| Instant::now() >= end);
        let mut document = edited.map_err(|failure| if is_late { late() } else { failure })?;
        let held = document.rendered.held(&self.memory).await;
        document.rendered = held.map_err(|error| Failure {
            refusal: Refusal::Unavailable("there is no room for this sitemap at the moment", 60),
            reason: format!(
                "{} bytes of sitemaps are in memory (`memory_bytes`), and a temporary file cannot be written: {error}",
                self.memory.used()
            ),
        })?;
        Ok(document)
    }
}

impl Renew for Arc<Inner> {
    type Key = String;
    type Value = Arc<Rendered>;
    type Failure = Refusal;

    const CONTINUES: bool = false;

    fn renewals(&self) -> &Renewals<String, Arc<Rendered>, Refusal> {
        &self.renewals
    }

    fn copy(&self, url: &String) -> Option<Copy<Arc<Rendered>>> {
        let cached = self.cache.get(url)?;
        let age = cached.checked.elapsed();
        (age <= STALE_IF_ERROR).then_some(Copy {
            value: cached.rendered,
            age,
            is_fresh: age < self.settings.lifetime.max_age,
        })
    }

    async fn renew(self, url: String) -> Result<Arc<Rendered>, Refusal> {
        let started = Instant::now();
        match self.fetch(&url).await {
            Ok(document) => {
                document.tell(&url, self.settings.rebase.old_base(), self.settings.queries);
                let rendered = Arc::new(document.rendered);
                let invalid = Invalid {
                    skipped: document.skipped,
                    dropped: 0,
                };
                self.stats.rendering(invalid, rendered.is_spilled());
                self.cache.put(url, &rendered, started);
                Ok(rendered)
            }
            Err(Failure { refusal, reason }) => {
                if refusal.is_of_a_failure() {
                    self.stats.failure();
                    let message = format!("the sitemap {url} of another server cannot be served: {reason}");
                    unheard::tell(|| message.clone());
                    error!("{message}");
                } else {
                    self.cache.remove(&url);
                }
                Err(refusal)
            }
        }
    }

    fn pause(&self, _: &String, _: &Refusal) -> Option<Pause> {
        Some(Pause(RETRY, false))
    }

    fn keeps_copy(failure: &Refusal) -> bool {
        failure.is_of_a_failure()
    }

    fn late(&self) -> Refusal {
        LATE
    }

    fn lost(&self) -> Refusal {
        Refusal::Internal("it cannot be fetched")
    }
}

impl Document {
    /// Logs what the document lacks.
    fn tell(&self, url: &str, old_base: &str, queries: bool) {
        if let Some(first) = self.first_query.as_ref().filter(|_| !queries) {
            warn!(
                "the sitemap index {url} of another server lists sitemaps with a query, which are not served (`queries` passes queries on); the \
                 first: {first}"
            );
        }
        if let Some(first) = &self.first_problem {
            warn!(
                skipped = self.skipped,
                unchanged = self.unreadable,
                "the sitemap {url} of another server has invalid entries; the first: {first}"
            );
        }
        if let Some(first) = &self.first_other {
            warn!(
                entries = self.others,
                "the sitemap {url} of another server lists URLs that do not begin with {old_base}, and stay; the first: {first}"
            );
        }
    }
}

//! A published set of files as a service: `current` is the set at the last check, and `file` reads and caches its files.

mod current;
mod file;
mod settings;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Method, Request, Response, StatusCode};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tracing::error;

use current::{Current, Known, Seen};
use file::{FileId, Unread};
use settings::Settings;

use super::Body;
use super::cache::Cache;
use super::conditional::Validators;
use super::encoding::Encoding;
use super::export::blocking;
use super::flight::Flights;
use super::kept::{Renew, Renewals};
use super::memory::Memory;
use super::parts::Found;
use super::refusal::Refusal;
use super::rendered::Rendered;
use super::respond::{Asked, answer_file, not_allowed, refuse, validators};
use super::stats::{Counters, ServeStats};
use crate::error::{Chain, Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::sets::storage::content_type;

/// A published [`SitemapSet`](crate::SitemapSet) as a tower service, which serves its files from a directory or an object store with the same headers as
/// [`Site`](super::Site), for programs without a web server in front.
///
/// `ETag` is the hash of the XML, and `Last-Modified` the time of its change. Both are known without reading a file, so crawlers
/// with a current copy get 304 at once. XML is compressed with gzip for clients that accept it; compressed parts (`.xml.gz`) are
/// sent unchanged. Commits of any program take effect within a second, in an object store within ten
/// seconds. Parts that are no longer listed are served for the set's grace period.
///
/// While the directory or store does not respond, or is empty, files in memory are still served. Other files answer 503 with
/// `Retry-After`. A day after the set has disappeared, all files are 404.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::{ServeSet, SitemapSet};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("sitemaps");
/// let set = SitemapSet::directory(&root, "https://example.com").open()?;
/// let mut pages = set.task_writer("pages", "all")?;
/// pages.write(None, &UrlEntry::new("/about"))?;
/// set.commit(&[pages.finish()?])?;
///
/// let service = ServeSet::new(set);
/// // axum: Router::new().route_service("/sitemap.xml", service.clone()).route_service("/sitemap-{part}", service)
/// let response = service.respond(&http::Request::get("/sitemap.xml").body(())?).await;
/// assert_eq!(response.status(), 200);
/// assert!(response.headers().contains_key("last-modified"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ServeSet(Arc<Inner>);

struct Inner {
    /// The path of the files' base URL, empty or beginning with `/`.
    base_path: String,
    memory: Memory,
    cache: Cache<FileId>,
    reads: Flights<FileId, Result<Arc<Rendered>, Unread>>,
    /// Maximum number of files that are read at the same time.
    permits: Arc<Semaphore>,
    current: Mutex<Option<Seen>>,
    looks: Renewals<(), Arc<Current>, Refusal>,
    /// Limits the checks of the published set to one at a time.
    looking: Arc<Semaphore>,
    stats: Counters,
    settings: Settings,
}

impl fmt::Debug for ServeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServeSet")
            .field("set", &self.0.settings.set)
            .finish_non_exhaustive()
    }
}

impl ServeSet {
    /// The response to a request, for handwritten handlers; the service does the same. It must be called within a tokio runtime.
    pub fn respond<B>(
        &self,
        request: &Request<B>,
    ) -> impl Future<Output = Response<Body>> + Send + 'static + use<B> {
        let asked = Asked::by(request);
        let files = Arc::clone(&self.0);
        async move {
            files.stats.request();
            let answer = files.respond(&asked).await;
            let response = answer.unwrap_or_else(|refusal| refuse(&asked.method, refusal));
            if response.status() == StatusCode::NOT_MODIFIED {
                files.stats.not_modified();
            }
            response
        }
    }

    /// Returns the counters of the service. `skipped` and `dropped` are 0: invalid rows are skipped when a set is written, and counted in its summary.
    pub fn stats(&self) -> ServeStats {
        let files = &self.0;
        files
            .stats
            .stats(files.cache.bytes(), &files.memory, files.reads.len())
    }
}

impl Inner {
    async fn respond(self: &Arc<Self>, asked: &Asked) -> Result<Response<Body>, Refusal> {
        let name = asked.name(&self.base_path).ok_or(Refusal::NO_SUCH_ADDRESS)?;
        if tokio::runtime::Handle::try_current().is_err() {
            error!(
                "a file of the sitemap was requested outside of a tokio runtime, which is needed to read it"
            );
            return Err(Refusal::Internal("it cannot be read"));
        }
        let mut before: Option<(Arc<Current>, Unread)> = None;
        loop {
            let current = self.current(&()).await?.value;
            let known = *current.files.get(name).ok_or(Refusal::NO_SUCH_ADDRESS)?;
            // A commit in place may replace a file between the check and the read. If there is no such commit, the file is
            // damaged.
            match before.filter(|(before, _)| Arc::ptr_eq(before, &current)) {
                Some((_, Unread::Missing)) if known.hash.is_none() && current.gone_since.is_none() => {
                    return Err(Refusal::NotFound("the index no longer lists this file"));
                }
                Some(_) => return Err(Refusal::Unavailable("the file cannot be read at the moment", 5)),
                None => {}
            }
            if asked.method != Method::GET && asked.method != Method::HEAD {
                return Ok(not_allowed(&asked.method));
            }
            let unread = match self.answer(name, known, &current, asked).await {
                Ok(response) => return Ok(response),
                Err(Unread::Late) => return Err(Refusal::Unavailable("reading the file took too long", 60)),
                Err(unread) => unread,
            };
            self.look_again(&current);
            before = Some((current, unread));
        }
    }

    /// The response with a file.
    async fn answer(
        self: &Arc<Self>,
        name: &str,
        known: Known,
        current: &Current,
        asked: &Asked,
    ) -> Result<Response<Body>, Unread> {
        let is_gzip = file::is_gzip(name);
        let encoding = if is_gzip {
            Encoding::Identity
        } else {
            Encoding::negotiated(&asked.headers)
        };
        let of = |hash: ContentHash| {
            if is_gzip {
                // Another program may have compressed the same XML to other bytes.
                Validators {
                    etag: format!("\"{}-{}\"", hash.short(), known.size),
                    last_modified: known.changed,
                }
            } else {
                validators(hash, encoding, known.changed)
            }
        };
        if let Some(hash) = known.hash.filter(|hash| of(*hash).match_those_of(&asked.headers)) {
            return Ok(super::headers::not_modified(&of(hash), self.settings.lifetime));
        }
        let open = current.open.as_ref().ok_or(Unread::Missing)?;
        let rendered = self.read(name, known, open).await?;
        if is_gzip {
            return Ok(answer_file(
                content_type(name),
                &of(rendered.hash),
                &rendered,
                self.settings.lifetime,
                asked,
            ));
        }
        let found = Found {
            hash: rendered.hash,
            changed: known.changed,
            rendered: Some(rendered),
            stale: None,
        };
        Ok(found.answer(content_type(name), self.settings.lifetime, asked))
    }
}

/// Why a blocking operation failed.
#[derive(Debug)]
enum Undone {
    Late(Duration),
    Failed(Error),
}

impl fmt::Display for Undone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undone::Late(limit) => write!(f, "it takes more than {limit:?} (`time_limit`)"),
            Undone::Failed(error) => Chain(error).fmt(f),
        }
    }
}

/// Runs a blocking operation on a blocking thread, and waits for it at most `limit`.
///
/// An operation that takes longer continues, and keeps its permit until it ends. So an unresponsive directory or store blocks at
/// most one thread per permit.
async fn bounded<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    limit: Duration,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T, Undone> {
    let done = timeout(limit, async {
        let permit = Arc::clone(permits).acquire_owned().await;
        let permit = permit.map_err(|_| Error::new(ErrorKind::Io, "the service ends"))?;
        blocking(move || {
            let _permit = permit;
            work()
        })
        .await
    });
    match done.await {
        Ok(done) => done.map_err(Undone::Failed),
        Err(_) => Err(Undone::Late(limit)),
    }
}

//! A published set of files as a service.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use http::{Method, Request, Response, StatusCode};
use sitemap_serde::W3cDateTime;
use tokio::sync::Semaphore;
use tracing::error;

use super::cache::Cache;
use super::conditional::Validators;
use super::encoding::Encoding;
use super::export::blocking;
use super::flight::Flights;
use super::memory::Memory;
use super::parts::{Found, Refusal};
use super::rendered::{Content, Rendered, encoder};
use super::respond::{Asked, answer_bytes, failure, refuse, validators};
use super::upkeep::now;
use super::{Answer, Body};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{ContentHash, Hashing};
use crate::manifest::{Manifest, Top, since_1970};
use crate::set::{Open, SitemapSet, TOP_FILE, file_of};
use crate::storage::content_type;

/// For how long a set that was looked at is taken for the published one.
const FRESH: Duration = Duration::from_secs(1);
/// Files that are read at a time.
const AT_ONCE: usize = 4;
/// The most that is read of a file: a part's limit, which every other file is below.
const MOST: u64 = sitemap_serde::Limits::BYTES;

/// A published [`SitemapSet`] as a tower service: its files, by the same programs that have no web server in front, with the heads that
/// [`Site`](super::Site) gives.
///
/// `ETag` is the hash of the XML, `Last-Modified` when it changed, and both are known without reading a file: a crawler that has it
/// gets 304. XML is sent as gzip to those who take it. Parts that are gzip by name (`.xml.gz`) are sent as they are. What is committed
/// by whichever program is seen within a second; a part that is no longer listed is served for the set's grace period.
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
/// let mut pages = set.part_writer("pages", "all")?;
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

/// A file's name, its content's hash where that is known, and its size, since the same XML may be compressed anew.
type FileId = (String, Option<ContentHash>, u64);

struct Inner {
    set: SitemapSet,
    /// The path of the files' place, empty or beginning with `/`.
    base_path: String,
    age: Duration,
    memory: Memory,
    cache: Cache<FileId>,
    reads: Flights<FileId, Option<Arc<Rendered>>>,
    permits: Semaphore,
    current: Mutex<Option<Arc<Current>>>,
    looks: Flights<(), Option<Arc<Current>>>,
}

/// The set as it was published when it was last looked at.
struct Current {
    files: HashMap<String, Known>,
    open: Option<Arc<Open>>,
    seen: Instant,
}

/// What is known of a file without reading it.
#[derive(Clone, Copy)]
struct Known {
    /// The hash of its content, uncompressed; `None` of one that is listed no more.
    hash: Option<ContentHash>,
    /// When that changed, in seconds since 1970.
    changed: Option<u64>,
    /// Bytes of the file.
    size: u64,
}

impl fmt::Debug for ServeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServeSet")
            .field("set", &self.0.set)
            .finish_non_exhaustive()
    }
}

impl ServeSet {
    /// Serves what is published by the set, whoever commits it. 64 MiB of compressed files are kept in memory, and as much may be on its
    /// way to clients; what is beyond that is in temporary files. Responses are fresh for ten minutes.
    pub fn new(set: SitemapSet) -> Self {
        ServeSet::with_max_age(set, Duration::from_secs(600))
    }

    /// The same with another `max-age`: for how long caches take a response for fresh.
    pub fn with_max_age(set: SitemapSet, age: Duration) -> Self {
        const KEPT: usize = 64 << 20;
        let path = set
            .place()
            .split_once("://")
            .and_then(|(_, rest)| rest.split_once('/'));
        ServeSet(Arc::new(Inner {
            base_path: path.map_or(String::new(), |(_, path)| format!("/{path}")),
            set,
            age,
            memory: Memory::new(2 * KEPT),
            cache: Cache::new(KEPT),
            reads: Flights::default(),
            permits: Semaphore::new(AT_ONCE),
            current: Mutex::new(None),
            looks: Flights::default(),
        }))
    }

    /// The response to a request, for those who write the handler. The service does the same. Within a runtime of tokio.
    pub fn respond<B>(&self, request: &Request<B>) -> Answer {
        let asked = Asked::by(request);
        let files = Arc::clone(&self.0);
        Answer::new(async move {
            let answer = files.respond(&asked).await;
            answer.unwrap_or_else(|refusal| refuse(&asked.method, refusal))
        })
    }
}

impl Inner {
    async fn respond(self: &Arc<Self>, asked: &Asked) -> Result<Response<Body>, Refusal> {
        let name = asked.name(&self.base_path).ok_or(Refusal::NotFound)?;
        if tokio::runtime::Handle::try_current().is_err() {
            error!("a file of the sitemap is asked for outside of a tokio runtime, which it is read on");
            return Err(Refusal::Internal);
        }
        // In place, a commit may replace a file between looking and reading.
        for _ in 0..2 {
            let current = self.current().await?;
            let known = *current.files.get(name).ok_or(Refusal::NotFound)?;
            if asked.method != Method::GET && asked.method != Method::HEAD {
                return Ok(failure(&asked.method, StatusCode::METHOD_NOT_ALLOWED, None));
            }
            if let Some(response) = self.answer(name, known, &current, asked).await {
                return Ok(response);
            }
            self.current.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        Err(Refusal::Unavailable(5))
    }

    /// The response with a file; `None` if it is not what it was.
    async fn answer(
        self: &Arc<Self>,
        name: &str,
        known: Known,
        current: &Current,
        asked: &Asked,
    ) -> Option<Response<Body>> {
        let is_gzip = is_gzip(name);
        let encoding = if is_gzip {
            Encoding::Identity
        } else {
            Encoding::negotiated(&asked.headers)
        };
        let of = |hash: ContentHash| {
            if is_gzip {
                // Of the same XML, another program may have made other bytes.
                Validators {
                    etag: format!("\"{}-{}\"", hash.short(), known.size),
                    last_modified: known.changed,
                }
            } else {
                validators(hash, encoding, known.changed)
            }
        };
        if let Some(hash) = known.hash.filter(|hash| of(*hash).match_those_of(&asked.headers)) {
            return Some(super::headers::not_modified(&of(hash), self.age));
        }
        let rendered = self.read(name, known, current.open.as_ref()?).await?;
        if !is_gzip {
            let found = Found {
                hash: rendered.hash,
                changed: known.changed,
                rendered: Some(rendered),
            };
            return Some(found.answer(content_type(name), self.age, asked));
        }
        Some(match &rendered.gzip {
            Content::Memory(bytes) => answer_bytes(
                content_type(name),
                &of(rendered.hash),
                bytes.clone(),
                self.age,
                asked,
            ),
            Content::File(file) => {
                let validators = of(rendered.hash);
                let identity = Encoding::Identity;
                let head =
                    super::headers::document(content_type(name), identity, file.len(), &validators, self.age);
                let mut response = head;
                if asked.method != Method::HEAD {
                    *response.body_mut() = Body::rendered(&rendered, Encoding::Gzip);
                }
                response
            }
        })
    }

    /// A file's content: kept, or read once for all who ask. `None` if it cannot be read, or is not what the manifest says.
    async fn read(self: &Arc<Self>, name: &str, known: Known, open: &Arc<Open>) -> Option<Arc<Rendered>> {
        let id = (name.to_owned(), known.hash, known.size);
        if let Some((rendered, _)) = self.cache.get(&id) {
            return Some(rendered);
        }
        let (files, open, work) = (Arc::clone(self), Arc::clone(open), id.clone());
        let read = self.reads.join(id, || async move {
            let _permit = files.permits.acquire().await.ok()?;
            let (name, expected, _) = work.clone();
            let content = blocking(move || read(&name, &open)).await;
            let checked = content.and_then(|content| match expected {
                Some(expected) if expected != content.hash => Err(Error::new(
                    ErrorKind::Damaged,
                    "it is not what the set's manifest says: it was changed by another program, or is being replaced",
                )),
                _ => Ok(content),
            });
            let held = match checked {
                Ok(content) => content
                    .held(&files.memory)
                    .await
                    .map_err(|error| Error::caused(ErrorKind::Io, error.to_string(), error)),
                Err(error) => Err(error),
            };
            match held {
                Ok(content) => {
                    let content = Arc::new(content);
                    if expected.is_some() {
                        files.cache.put(work, &content, Instant::now());
                    }
                    Some(content)
                }
                Err(error) => {
                    error!(file = work.0, "a file of the sitemap is not sent: {error}");
                    None
                }
            }
        });
        read.await.flatten()
    }

    /// The set that is published now, or was a moment ago.
    async fn current(self: &Arc<Self>) -> Result<Arc<Current>, Refusal> {
        let known = self
            .current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(current) = known.filter(|current| current.seen.elapsed() < FRESH) {
            return Ok(current);
        }
        let files = Arc::clone(self);
        let look = self.looks.join((), || async move {
            let set = files.set.clone();
            match blocking(move || Current::look(&set)).await {
                Ok(current) => {
                    let current = Arc::new(current);
                    *files.current.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(Arc::clone(&current));
                    Some(current)
                }
                Err(error) => {
                    error!("the published sitemap is not served: {error}");
                    None
                }
            }
        });
        look.await.flatten().ok_or(Refusal::Internal)
    }
}

impl Current {
    fn look(set: &SitemapSet) -> Result<Self> {
        let seen = Instant::now();
        let Some(published) = set.published()? else {
            return Ok(Current {
                files: HashMap::new(),
                open: None,
                seen,
            });
        };
        Ok(Current {
            files: known_files(&published.manifest),
            open: Some(published.open),
            seen,
        })
    }
}

/// The files of a set, by name.
fn known_files(manifest: &Manifest) -> HashMap<String, Known> {
    let now = now();
    // Of two commits within a second, the later one's time is that of the next second.
    let past = |time: u64| Some(time).filter(|time| *time <= now);
    let mut files = HashMap::with_capacity(manifest.parts.len() + 2);
    for dropped in &manifest.dropped {
        files.insert(
            dropped.name.clone(),
            Known {
                hash: None,
                changed: None,
                size: 0,
            },
        );
    }
    for other in &manifest.others {
        files.insert(
            other.name.clone(),
            Known {
                hash: Some(other.hash),
                changed: None,
                size: 0,
            },
        );
    }
    if manifest.top == Top::Index {
        files.insert(
            TOP_FILE.to_owned(),
            Known {
                hash: Some(manifest.top_hash),
                changed: past(manifest.committed),
                size: 0,
            },
        );
    }
    for part in &manifest.parts {
        files.insert(
            file_of(part, manifest.top).to_owned(),
            Known {
                hash: Some(part.facts.hash),
                changed: unix(part.changed).and_then(past),
                size: part.file.size,
            },
        );
    }
    files
}

/// Seconds since 1970.
fn unix(time: W3cDateTime) -> Option<u64> {
    let time = SystemTime::try_from(time.assume_utc()).ok()?;
    Some(since_1970(time).as_secs())
}

fn is_gzip(name: &str) -> bool {
    name.rsplit('.').next() == Some("gz")
}

/// Reads a file. It blocks.
fn read(name: &str, open: &Arc<Open>) -> Result<Rendered> {
    let mut file = open(name)?.take(MOST + 1);
    let failed = |error: io::Error| Error::caused(ErrorKind::Io, format!("cannot be read: {error}"), error);
    let rendered = if is_gzip(name) {
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(failed)?;
        let length = content.len() as u64;
        let mut xml = Hashing::default();
        let mut decoder = flate2::read::MultiGzDecoder::new(content.as_slice()).take(MOST + 1);
        io::copy(&mut decoder, &mut xml).map_err(failed)?;
        Rendered::of_file(content, length, xml.finish())
    } else {
        let (mut encoder, mut xml) = (encoder(), Hashing::default());
        let (mut length, mut block) = (0, vec![0; 64 * 1024]);
        loop {
            let read = file.read(&mut block).map_err(failed)?;
            let block = block.get(..read).unwrap_or_default();
            if block.is_empty() {
                break;
            }
            xml.update(block);
            encoder.write_all(block).map_err(failed)?;
            length += read as u64;
        }
        let gzip = encoder.finish().map_err(failed)?;
        Rendered::of_file(gzip, length, xml.finish())
    };
    if rendered.length > MOST {
        return Err(Error::new(
            ErrorKind::Limit,
            format!("it has more than {MOST} bytes (P-SIZE)"),
        ));
    }
    Ok(rendered)
}

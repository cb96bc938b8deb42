//! Waiting until a site serves a new set.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Duration;

use flate2::bufread::MultiGzDecoder;
use sitemap_tree::Failure;

use crate::error::{Error, Result};
use crate::exchange::{Exchange, Request, Response, Step};

/// The pause between the first two requests. It doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// The time before the end at which the last request begins.
const LAST: Duration = Duration::from_secs(1);

/// Waits until a site serves the documents of a new set, so that no page is announced too early.
///
/// A document is served if its bytes equal the new set's, compressed or not. Documents are requested one after the other, each
/// once the previous one is served. Pauses grow to 15 s. Requests have entity tags, so that an old document is not sent twice. A
/// document counts as served after one correct response, which does not prove that every server of a network has it.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_submit::{Deployment, Exchange, Response, Step};
/// use sitemap_tree::Head;
///
/// let mut deployment = Deployment::new(Duration::from_secs(600));
/// deployment.document("https://example.com/sitemap.xml", &b"<urlset>new</urlset>"[..])?;
/// let mut now = Duration::ZERO;
/// loop {
///     match deployment.step(now) {
///         Step::Request(_) => {
///             let served = if now < Duration::from_secs(5) { "<urlset>old</urlset>" } else { "<urlset>new</urlset>" };
///             deployment.respond(Ok(Response::new(Head::new(200), &mut served.as_bytes())), now);
///         }
///         Step::Wait(time) => now += time,
///         Step::Done => break,
///     }
/// }
/// assert!(deployment.result().is_ok());
/// assert_eq!(now, Duration::from_millis(7500));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Deployment {
    patience: Duration,
    awaited: VecDeque<Awaited>,
    served: usize,
    began: Option<Duration>,
    pause: Duration,
    wait_until: Duration,
    is_given_up: bool,
}

/// A document that is not served yet.
#[derive(Debug)]
struct Awaited {
    url: String,
    content: Content,
    /// The entity tag of the old document.
    etag: Option<String>,
    served: Served,
}

/// The response that was served instead of the document.
#[derive(Debug)]
enum Served {
    Nothing,
    Old,
    Status(u16),
    Failed(Failure),
}

/// The size and the hash of a document, decompressed.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    bytes: u64,
    hash: blake3::Hash,
}

impl Content {
    /// Reads a document, up to one byte beyond a size.
    fn read(input: impl Read, most: u64) -> io::Result<Self> {
        let mut input = BufReader::new(input);
        let mut hasher = blake3::Hasher::new();
        let bytes = if input.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
            io::copy(
                &mut MultiGzDecoder::new(input).take(most.saturating_add(1)),
                &mut hasher,
            )?
        } else {
            io::copy(&mut input.take(most.saturating_add(1)), &mut hasher)?
        };
        Ok(Content {
            bytes,
            hash: hasher.finalize(),
        })
    }
}

impl Deployment {
    /// Creates a deployment that waits at most `patience`.
    pub fn new(patience: Duration) -> Self {
        Deployment {
            patience,
            awaited: VecDeque::new(),
            served: 0,
            began: None,
            pause: FIRST_PAUSE,
            wait_until: Duration::ZERO,
            is_given_up: false,
        }
    }

    /// Adds a document of the new set and its URL. Add the index first: once it is served, the others follow.
    ///
    /// # Errors
    /// If reading the document fails.
    pub fn document(&mut self, url: &str, document: impl Read) -> io::Result<&mut Self> {
        self.awaited.push_back(Awaited {
            url: url.to_owned(),
            content: Content::read(document, u64::MAX)?,
            etag: None,
            served: Served::Nothing,
        });
        Ok(self)
    }

    /// The document that is waited for, and its current response; `None` if everything is served.
    pub fn awaited(&self) -> Option<impl fmt::Display + '_> {
        self.awaited.front()
    }

    /// The result of the wait, once the exchange is done.
    ///
    /// # Errors
    /// If a document was not served in time. The error has the response that was served instead.
    pub fn result(&self) -> Result<()> {
        let Some(awaited) = self.awaited.front() else {
            return Ok(());
        };
        let of = match self.served {
            0 => String::new(),
            served => format!(
                "; {served} of {} documents are served",
                served + self.awaited.len()
            ),
        };
        Err(Error::new(format!(
            "the new set is not served after {} s: {awaited}{of}",
            self.patience.as_secs()
        )))
    }

    fn end(&self, now: Duration) -> Duration {
        self.began.unwrap_or(now).saturating_add(self.patience)
    }

    /// Waits before the next request, or gives up if that would be too late.
    fn wait(&mut self, retry_after: Option<Duration>, now: Duration) {
        // One last request shortly before the end of the time.
        let last = self.end(now).saturating_sub(LAST);
        let next = now.saturating_add(self.pause.max(retry_after.unwrap_or_default()));
        self.is_given_up = now >= last;
        self.wait_until = next.min(last);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}

impl Exchange for Deployment {
    fn step(&mut self, now: Duration) -> Step {
        self.began.get_or_insert(now);
        let left = self.end(now).saturating_sub(now);
        let Some(awaited) = self.awaited.front().filter(|_| !self.is_given_up) else {
            return Step::Done;
        };
        match self.wait_until.checked_sub(now) {
            Some(wait) if !wait.is_zero() => Step::Wait(wait),
            _ => Step::Request(awaited.request(left)),
        }
    }

    fn respond(&mut self, response: Result<Response<'_>, Failure>, now: Duration) {
        let Some(awaited) = self.awaited.front_mut() else {
            return;
        };
        let retry_after = response
            .as_ref()
            .ok()
            .and_then(|response| response.head.retry_after());
        awaited.served = match response {
            Ok(response) => match awaited.read(response) {
                Ok(true) => {
                    self.awaited.pop_front();
                    self.served += 1;
                    self.pause = FIRST_PAUSE;
                    return;
                }
                Ok(false) => Served::Old,
                Err(served) => served,
            },
            Err(failure) => Served::Failed(failure),
        };
        self.wait(retry_after, now);
    }
}

impl Awaited {
    /// A request that ends with the time that is left, but gets as long as the last one at least.
    fn request(&self, left: Duration) -> Request {
        let mut request = Request::get(&self.url);
        request.timeout = request.timeout.min(left.max(LAST));
        request
            .headers
            .extend(self.etag.clone().map(|etag| ("if-none-match", etag)));
        request
    }

    /// Returns `true` if the response is the new document.
    fn read(&mut self, response: Response<'_>) -> Result<bool, Served> {
        match response.head.status() {
            200 => {}
            304 if self.etag.is_some() => return Ok(false),
            status => {
                // The condition may be what the server cannot answer.
                self.etag = None;
                return Err(Served::Status(status));
            }
        }
        let body = response.head.body(response.body);
        let served = Content::read(body, self.content.bytes)
            .map_err(|error| Served::Failed(Failure::of_body(&error)))?;
        self.etag = response.head.etag().map(str::to_owned);
        Ok(served == self.content)
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = &self.url;
        match &self.served {
            Served::Nothing => write!(f, "{url} was not requested"),
            Served::Old => write!(f, "{url} is not the new document"),
            Served::Status(status) => write!(f, "{url} has status {status}"),
            Served::Failed(failure) => write!(f, "{url} cannot be read: {failure}"),
        }
    }
}

//! Requests and responses, one at a time.
//!
//! | module | content |
//! |---|---|
//! | `exchange` | the trait of the two state machines: a request, a wait, or done |
//! | `index_now` | the bodies of requests about one host |
//! | `submission` | the key file of each host, then its orders; retries and failures. `problem` explains them in words |
//! | `record` | the file of received pages: lines are appended, and the last line of a page counts |
//! | `deployment` | waits until a site serves the documents of a set, one after the other |

use std::fmt;
#[cfg(feature = "ureq")]
use std::io;
use std::io::Read;
use std::time::Duration;

#[cfg(feature = "ureq")]
use sitemap_tree::Client;
use sitemap_tree::{Failure, Head};

/// An exchange with servers, without I/O: it returns each request and its time, and reads the responses.
///
/// Times are durations since any fixed moment, such as the first call. They must not go back.
pub trait Exchange {
    /// The client's next step. The enum is exhaustive: a client must handle each step.
    fn step(&mut self, now: Duration) -> Step;

    /// Reads the response to the request of the last [`step`](Self::step), or the reason why there was none.
    fn respond(&mut self, response: Result<Response<'_>, Failure>, now: Duration);

    /// Sends all requests with ureq, and calls `after` after each response (feature `ureq`). Blocks until the exchange is done.
    ///
    /// Redirects are not followed. The proxy comes from the environment, as with curl.
    ///
    /// ```no_run
    /// use std::fs::OpenOptions;
    /// use std::io::Write;
    ///
    /// use sitemap_submit::{Exchange, PageState, Record, Submission};
    ///
    /// let path = "sent.txt";
    /// let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    /// let text = std::fs::read_to_string(path)?;
    /// if text.is_empty() {
    ///     file.write_all(Record::default().text(Submission::ENDPOINT, "2026-05-02").as_bytes())?;
    /// }
    /// let mut submission = Submission::new("0123456789abcdef")?;
    /// submission.record(Record::parse(&text)?);
    /// submission.push("https://example.com/lamps", PageState::new("lastmod=2026-05-01"))?;
    /// submission.run(|submission| {
    ///     for page in submission.take_received() {
    ///         file.write_all(page.line("2026-05-02").as_bytes())?;
    ///     }
    ///     Ok(())
    /// })?;
    /// for unsent in &submission.report().unsent {
    ///     eprintln!("{}: {}", unsent.host, unsent.problem);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error of `after` ends the run. A variable for proxies with an invalid value is an error before the first request. The
    /// exchange's own report has all other failures.
    #[cfg(feature = "ureq")]
    fn run(&mut self, after: impl FnMut(&mut Self) -> io::Result<()>) -> io::Result<()>
    where
        Self: Sized,
    {
        let client = crate::run::client()?;
        crate::run::run(self, &client, after)
    }

    /// Like [`run`](Self::run), with a client that has [settings](sitemap_tree::ClientBuilder), such as a `User-Agent`, and headers
    /// for the site (feature `ureq`).
    ///
    /// # Errors
    /// An error of `after` ends the run, as in [`run`](Self::run).
    #[cfg(feature = "ureq")]
    fn run_with(&mut self, client: &Client, after: impl FnMut(&mut Self) -> io::Result<()>) -> io::Result<()>
    where
        Self: Sized,
    {
        crate::run::run(self, client, after)
    }
}

/// The client's next step. The enum is exhaustive: a client must handle each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this request, and [`respond`](Exchange::respond).
    Request(Request),
    /// Wait for this long.
    Wait(Duration),
    /// There is nothing left to do.
    Done,
}

/// A GET request, or with a [body](Self::body) a POST request. The client must not follow redirects, and must not decompress the
/// response's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<String>,
    pub(crate) timeout: Duration,
}

/// The longest time of a request, including its body.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Request {
    pub(crate) fn get(url: &str) -> Self {
        Request {
            url: url.to_owned(),
            // A cache between the server and the client may have another version.
            headers: vec![
                ("cache-control", "no-cache".to_owned()),
                ("accept-encoding", "identity".to_owned()),
            ],
            body: None,
            timeout: TIMEOUT,
        }
    }

    pub(crate) fn post(url: &str, body: String) -> Self {
        Request {
            url: url.to_owned(),
            headers: vec![("content-type", "application/json; charset=utf-8".to_owned())],
            body: Some(body),
            timeout: TIMEOUT,
        }
    }

    /// The absolute URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The headers to send in addition to the client's own; names in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.headers.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The timeout of the request, including the body of its response: 60 s, or the time that is left.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The body to post; `None` for a GET request.
    pub fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }
}

/// A response: its head, and its unread body.
pub struct Response<'b> {
    pub(crate) head: Head,
    pub(crate) body: &'b mut dyn Read,
}

impl<'b> Response<'b> {
    /// Creates a response whose body has not been read yet. The exchange reads only as much as it needs.
    pub fn new(head: Head, body: &'b mut dyn Read) -> Self {
        Response { head, body }
    }
}

impl fmt::Debug for Response<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("head", &self.head)
            .finish_non_exhaustive()
    }
}

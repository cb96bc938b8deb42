//! Requests and responses, one at a time.

use std::fmt;
#[cfg(feature = "ureq")]
use std::io;
use std::io::Read;
use std::time::Duration;

use sitemap_tree::{Failure, Head};

/// An exchange with servers, without I/O: it says what to request and when, and reads the responses.
///
/// The time is that since any moment, such as the first call; it must not go back.
pub trait Exchange {
    /// What the client does next. There are these steps and no others: a client has to know how to carry out each.
    fn step(&mut self, now: Duration) -> Step;

    /// Reads the response to the request of the last [`step`](Self::step), or why there was none.
    fn respond(&mut self, response: Result<Response<'_>, Failure>, now: Duration);

    /// Sends all requests by ureq, and calls `after` after each response (feature `ureq`). Blocks until there is nothing left to do.
    ///
    /// A request may take 60 s. No redirects are followed, and the proxy is that of the environment, as curl's is.
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
    /// submission.push("https://example.com/lamps", PageState::of("lastmod=2026-05-01"))?;
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
    /// Errors of `after` end the run. What fails otherwise is in the exchange's own report.
    #[cfg(feature = "ureq")]
    fn run(&mut self, after: impl FnMut(&mut Self) -> io::Result<()>) -> io::Result<()>
    where
        Self: Sized,
    {
        crate::run::run(self, after)
    }
}

/// What the client does next. There are these steps and no others: a client has to know how to carry out each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this request, and [`respond`](Exchange::respond).
    Request(Request),
    /// Wait for this long.
    Wait(Duration),
    /// There is nothing left to do.
    Done,
}

/// A GET request, or with a [body](Self::body) a POST request. The client must not follow redirects, and must hand over the response's body
/// as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<String>,
}

impl Request {
    pub(crate) fn get(url: &str) -> Self {
        Request {
            url: url.to_owned(),
            // Between the server and the client may be caches that have another version.
            headers: vec![
                ("cache-control", "no-cache".to_owned()),
                ("accept-encoding", "identity".to_owned()),
            ],
            body: None,
        }
    }

    pub(crate) fn post(url: &str, body: String) -> Self {
        Request {
            url: url.to_owned(),
            headers: vec![("content-type", "application/json; charset=utf-8".to_owned())],
            body: Some(body),
        }
    }

    /// The absolute URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The headers to send, besides the client's own; names in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.headers.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// What to post; `None` for a GET request.
    pub fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }
}

/// A response: its head, and a body that is still to be read.
pub struct Response<'b> {
    pub(crate) head: Head,
    pub(crate) body: &'b mut dyn Read,
}

impl<'b> Response<'b> {
    /// A response whose body was not read yet. No more of it is read than is needed.
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

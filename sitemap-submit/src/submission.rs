//! Sending pages: for each host, the key file is checked, and then the pages are posted.
//!
//! **A separate crate, not part of the diff**, since it needs the response heads and failures of `sitemap-tree`. The bodies of
//! orders (`index_now`) need neither, so the command has them without its feature `http`. Both machines have one request at a
//! time, so a program drives them with one loop.

use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;
use std::{iter, mem};

use sitemap_serde::__internal::normal_form;
use sitemap_tree::{Failure, Head};
use url::Url;

use crate::error::{Error, Result};
use crate::exchange::{Exchange, Request, Response, Step};
use crate::index_now::IndexNow;
use crate::problem::{Problem, Reason};
use crate::record::{PageState, Record, SentPage};

/// Maximum pages of an order.
const ORDER: usize = 10_000;
/// The default number of retries of a request.
const RETRIES: u32 = 8;
/// Maximum bytes to read of an engine's reason.
const REASON_BYTES: u64 = 4096;
/// The longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// Maximum bytes to read of a key file. A key has at most 128.
const KEY_BYTES: u64 = 1024;

/// Announces pages with IndexNow, host by host, in orders of at most 10,000 pages. See the [crate](crate).
#[derive(Debug)]
pub struct Submission {
    key: String,
    key_location: Option<Url>,
    endpoint: String,
    record: Record,
    hosts: BTreeMap<String, Host>,
    /// The current host, and the order in flight.
    current: Option<Host>,
    order: Vec<SentPage>,
    retries: u32,
    max_retries: u32,
    wait_until: Duration,
    received: Vec<SentPage>,
    report: Report,
}

/// A host and its pages to send.
#[derive(Debug)]
struct Host {
    name: String,
    /// `true` if a page's URL is https.
    has_https: bool,
    is_key_served: bool,
    order: IndexNow,
    pages: BTreeMap<String, PageState>,
}

/// The results of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of pages that were received.
    pub received: u64,
    /// The number of these pages that an engine received before checking the key (status 202).
    pub unchecked: u64,
    /// The number of pages that were not sent, since the [record](Submission::record) has them in the same state.
    pub sent_before: u64,
    /// The pages that were not received.
    pub unsent: Vec<Unsent>,
}

/// Pages of a host that were not received, for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsent {
    /// The host, with its port if it has one.
    pub host: String,
    /// The number of pages.
    pub pages: u64,
    /// Why they were not received.
    pub problem: Problem,
}

impl Submission {
    /// An endpoint that shares the pages with all participating engines.
    pub const ENDPOINT: &'static str = "https://api.indexnow.org/indexnow";

    /// Creates a submission without pages. Each host must serve the key at `/{key}.txt`.
    ///
    /// ```
    /// use sitemap_submit::Submission;
    ///
    /// let error = Submission::new("key").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`key` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens; generate another one"
    /// );
    /// ```
    ///
    /// # Errors
    /// If the key does not have 8 to 128 letters, digits and hyphens.
    pub fn new(key: &str) -> Result<Self> {
        IndexNow::new("example.com", key)?;
        Ok(Submission {
            key: key.to_owned(),
            key_location: None,
            endpoint: Submission::ENDPOINT.to_owned(),
            record: Record::default(),
            hosts: BTreeMap::new(),
            current: None,
            order: Vec::new(),
            retries: 0,
            max_retries: RETRIES,
            wait_until: Duration::ZERO,
            received: Vec::new(),
            report: Report::default(),
        })
    }

    /// Sets the URL of the key file. Then only pages on its host, in its directory and below, can be sent. Call it before adding
    /// pages.
    ///
    /// # Errors
    /// If the URL is not a file's.
    pub fn key_location(&mut self, url: &str) -> Result<&mut Self> {
        let parsed = parse(url)?;
        self.key_location = Some(parsed);
        Ok(self)
    }

    /// Sets the URL to post to, instead of [`ENDPOINT`](Self::ENDPOINT).
    ///
    /// # Errors
    /// If it is not an http or https URL.
    pub fn endpoint(&mut self, url: &str) -> Result<&mut Self> {
        url.clone_into(&mut self.endpoint);
        parse(url).map(|_| self)
    }

    /// Sets the number of retries after a broken connection, or a status such as 503; 8 by default.
    pub fn max_retries(&mut self, retries: u32) -> &mut Self {
        self.max_retries = retries;
        self
    }

    /// Sets the record of earlier runs. Pages in the same state as there are not sent again. Call it before adding pages.
    pub fn record(&mut self, record: Record) -> &mut Self {
        self.record = record;
        self
    }

    /// Adds a page that was added, changed or removed. If a URL is both removed and listed, for example in two spellings, it is
    /// sent as listed.
    ///
    /// # Errors
    /// If the page is not below the key file's directory, or on another host, or if its URL is not http or https, or has a user
    /// name or a password. The page is then not sent.
    pub fn push(&mut self, loc: &str, state: PageState) -> Result<()> {
        let parsed = parse(loc)?;
        let name = name_of(&parsed);
        if !parsed.username().is_empty() || parsed.password().is_some() {
            // The message repeats neither.
            return Err(Error::new(format!(
                "a page of `{name}` has a user name or a password in its URL, which would be public"
            )));
        }
        if let Some(only) = self
            .key_location
            .as_ref()
            .map(name_of)
            .filter(|only| *only != name)
        {
            return Err(Error::new(format!(
                "`{loc}` is not on the host of the key file, `{only}`"
            )));
        }
        if !self.hosts.contains_key(&name) {
            let host = Host::new(name.clone(), self.order_of(&parsed)?);
            self.hosts.insert(name.clone(), host);
        }
        let Some(host) = self.hosts.get_mut(&name) else {
            return Ok(());
        };
        // Its normal form, so that a page is sent once.
        let url = normal_form(&host.order.url(loc)?).into_owned();
        if self.record.has(&url, state) {
            self.report.sent_before += 1;
        } else if host
            .pages
            .get(&url)
            .is_none_or(|known| *known == PageState::REMOVED)
        {
            host.has_https |= parsed.scheme() == "https";
            host.pages.insert(url, state);
        }
        Ok(())
    }

    /// An empty order for the host of a URL.
    fn order_of(&self, url: &Url) -> Result<IndexNow> {
        let order = IndexNow::new(url.host_str().unwrap_or_default(), &self.key)?;
        Ok(match &self.key_location {
            Some(location) => order.key_location(location.as_str())?,
            None => order,
        })
    }

    fn key_url(&self, host: &Host) -> String {
        match &self.key_location {
            Some(location) => location.to_string(),
            None => {
                let scheme = if host.has_https { "https" } else { "http" };
                format!("{scheme}://{}/{}.txt", host.name, self.key)
            }
        }
    }

    /// The number of pages left to send.
    pub fn len(&self) -> usize {
        let hosts = self.hosts.values().chain(&self.current);
        hosts.map(|host| host.pages.len()).sum::<usize>() + self.order.len()
    }

    /// Returns `true` if no page is left to send.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bodies of all orders to post.
    pub fn orders(&self) -> impl Iterator<Item = String> {
        self.hosts.values().flat_map(|host| {
            let urls: Vec<&String> = host.pages.keys().collect();
            let orders: Vec<String> = urls.chunks(ORDER).filter_map(|urls| host.body(urls)).collect();
            orders
        })
    }

    /// Takes the pages that were received since the last call. After each response, append their [lines](SentPage::line) to the
    /// file of the record.
    pub fn take_received(&mut self) -> Vec<SentPage> {
        mem::take(&mut self.received)
    }

    /// The results so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Takes the next order, unless there is a current one. Returns `true` if there is an order.
    fn has_order(&mut self) -> bool {
        while self.order.is_empty() {
            if self.current.is_none() {
                self.current = self.hosts.pop_first().map(|(_, host)| host);
            }
            let Some(host) = &mut self.current else {
                return false;
            };
            let pages = iter::from_fn(|| host.pages.pop_first()).take(ORDER);
            self.order = pages.map(|(url, state)| SentPage { url, state }).collect();
            if self.order.is_empty() {
                self.current = None;
            }
        }
        true
    }

    fn request(&self) -> Option<Request> {
        let host = self.current.as_ref()?;
        if !host.is_key_served {
            return Some(Request::get(&self.key_url(host)));
        }
        let urls: Vec<&String> = self.order.iter().map(|page| &page.url).collect();
        Some(Request::post(&self.endpoint, host.body(&urls)?))
    }

    fn key_response(&mut self, response: Response<'_>, now: Duration) {
        let Some(url) = self.current.as_ref().map(|host| self.key_url(host)) else {
            return;
        };
        let Response { head, body } = response;
        if head.status() != 200 {
            let status = head.status();
            return self.refused(&head, Problem::KeyStatus { url, status }, now);
        }
        let mut text = Vec::new();
        match head.body(body).text().take(KEY_BYTES).read_to_end(&mut text) {
            Ok(_) if is_key(&text, &self.key) => {
                self.retries = 0;
                if let Some(host) = &mut self.current {
                    host.is_key_served = true;
                }
            }
            Ok(_) => self.give_up_host(Problem::OtherKey { url }),
            Err(error) => self.retry(Problem::Unreachable(Failure::of_body(&error)), None, now),
        }
    }

    fn order_response(&mut self, response: Response<'_>, now: Duration) {
        let Response { head, body } = response;
        match head.status() {
            status @ (200 | 202) => {
                self.retries = 0;
                self.report.received += self.order.len() as u64;
                if status == 202 {
                    self.report.unchecked += self.order.len() as u64;
                }
                self.received.append(&mut self.order);
            }
            status => {
                let mut text = Vec::new();
                // Without its end, a reason may still help.
                let _ = head.body(body).text().take(REASON_BYTES).read_to_end(&mut text);
                let reason = Reason::of(&text);
                self.refused(&head, Problem::Refused { status, reason }, now);
            }
        }
    }

    /// Handles a status other than success. Some are temporary.
    fn refused(&mut self, head: &Head, problem: Problem, now: Duration) {
        match head.status() {
            status @ (408 | 429 | 500..=599) => {
                self.retry(Problem::Busy(status), head.retry_after(), now);
            }
            400 | 422 if matches!(problem, Problem::Refused { .. }) => self.give_up_order(problem),
            _ => self.give_up_host(problem),
        }
    }

    fn retry(&mut self, problem: Problem, retry_after: Option<Duration>, now: Duration) {
        if let Some(wait) = retry_after.filter(|wait| *wait > LONGEST_WAIT) {
            return self.give_up_host(Problem::WaitTooLong(wait.as_secs()));
        }
        if self.retries >= self.max_retries {
            return self.give_up_host(problem);
        }
        let wait = Duration::from_secs(1 << self.retries.min(6));
        self.retries += 1;
        self.wait_until = now + wait.max(retry_after.unwrap_or_default());
    }

    fn give_up_order(&mut self, problem: Problem) {
        self.retries = 0;
        let pages = mem::take(&mut self.order).len() as u64;
        let host = self
            .current
            .as_ref()
            .map(|host| host.name.clone())
            .unwrap_or_default();
        match self.report.unsent.last_mut() {
            Some(last) if (&last.host, &last.problem) == (&host, &problem) => last.pages += pages,
            _ => self.report.unsent.push(Unsent { host, pages, problem }),
        }
    }

    /// Gives up the order and the rest of its host, which would be refused for the same reason.
    fn give_up_host(&mut self, problem: Problem) {
        if let Some(host) = &mut self.current {
            let rest = mem::take(&mut host.pages).into_iter();
            self.order
                .extend(rest.map(|(url, state)| SentPage { url, state }));
        }
        self.give_up_order(problem);
        self.current = None;
    }
}

impl Exchange for Submission {
    fn step(&mut self, now: Duration) -> Step {
        if !self.has_order() {
            return Step::Done;
        }
        match self.wait_until.checked_sub(now) {
            Some(wait) if !wait.is_zero() => Step::Wait(wait),
            _ => self.request().map_or(Step::Done, Step::Request),
        }
    }

    fn respond(&mut self, response: Result<Response<'_>, Failure>, now: Duration) {
        let is_key_served = self.current.as_ref().is_some_and(|host| host.is_key_served);
        match response {
            Ok(response) if is_key_served => self.order_response(response, now),
            Ok(response) => self.key_response(response, now),
            Err(failure) => self.retry(Problem::Unreachable(failure), None, now),
        }
    }
}

impl Host {
    fn new(name: String, order: IndexNow) -> Self {
        Host {
            name,
            has_https: false,
            is_key_served: false,
            order,
            pages: BTreeMap::new(),
        }
    }

    /// The body of an order with these pages.
    fn body(&self, urls: &[&String]) -> Option<String> {
        let mut order = self.order.clone();
        let full = urls.iter().find_map(|url| order.push(url).ok().flatten());
        full.or_else(|| order.finish())
    }
}

/// Returns `true` if the start of a file is exactly the key.
fn is_key(text: &[u8], key: &str) -> bool {
    let is_all = (text.len() as u64) < KEY_BYTES;
    let text = String::from_utf8_lossy(text);
    is_all && text.trim_start_matches('\u{FEFF}').trim() == key
}

fn parse(url: &str) -> Result<Url> {
    match Url::parse(url) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(parsed),
        _ => Err(Error::new(format!(
            "`{url}` is not an absolute URL with http or https"
        ))),
    }
}

/// Host and port.
fn name_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

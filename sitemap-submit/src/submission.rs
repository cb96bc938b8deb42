//! Sending pages: the key file of each host is looked at, and then its pages are posted.

use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;
use std::{iter, mem};

use sitemap_tree::{Failure, Head};
use url::Url;

use crate::error::{Error, Result};
use crate::exchange::{Exchange, Request, Response, Step};
use crate::index_now::IndexNow;
use crate::problem::Problem;
use crate::record::{PageState, Record, SentPage};

/// The most pages of an order.
const ORDER: usize = 10_000;
/// How often a request is repeated.
const RETRIES: u32 = 8;
/// The longest time that a server may ask to wait.
const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// The most bytes that are read of a key file: a key has 128 at most.
const KEY_BYTES: u64 = 1024;

/// Announces pages by IndexNow, host by host, in orders of at most 10,000 pages. See the [crate](crate).
#[derive(Debug)]
pub struct Submission {
    key: String,
    key_location: Option<Url>,
    endpoint: String,
    record: Record,
    hosts: BTreeMap<String, Host>,
    /// The host whose pages are sent, and the order that is requested.
    current: Option<Host>,
    order: Vec<SentPage>,
    retries: u32,
    wait_until: Duration,
    received: Vec<SentPage>,
    report: Report,
}

/// A host and the pages on it that are to be sent.
#[derive(Debug)]
struct Host {
    name: String,
    /// Whether a page is there by https.
    has_https: bool,
    is_key_served: bool,
    order: IndexNow,
    pages: BTreeMap<String, PageState>,
}

/// What became of the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of pages that were received.
    pub received: u64,
    /// How many of them were received by an engine that has still to check the key (status 202).
    pub unchecked: u64,
    /// The number of pages that the [record](Submission::record) says were sent.
    pub sent_before: u64,
    /// What was not received.
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
    /// An endpoint that passes on what it receives to all engines that take part.
    pub const ENDPOINT: &'static str = "https://api.indexnow.org/indexnow";

    /// Sends nothing yet. The key is looked for at `/{key}.txt` of each host.
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
    /// If the key has not 8 to 128 letters, digits and hyphens.
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
            wait_until: Duration::ZERO,
            received: Vec::new(),
            report: Report::default(),
        })
    }

    /// Sets the URL of the key file: only pages on its host, in its directory and below, can be sent then. To be called before pages are
    /// added.
    ///
    /// # Errors
    /// If it is not the URL of a file.
    pub fn key_location(&mut self, url: &str) -> Result<&mut Self> {
        let parsed = parse(url)?;
        self.key_location = Some(parsed);
        Ok(self)
    }

    /// Sets the URL to post to, instead of [`ENDPOINT`](Self::ENDPOINT).
    ///
    /// # Errors
    /// If it is no URL of http or https.
    pub fn endpoint(&mut self, url: &str) -> Result<&mut Self> {
        url.clone_into(&mut self.endpoint);
        parse(url).map(|_| self)
    }

    /// Sets what was sent by earlier runs: pages in the states that it has are not sent again. To be called before pages are added.
    pub fn record(&mut self, record: Record) -> &mut Self {
        self.record = record;
        self
    }

    /// Adds a page that was added, changed or removed. Of a URL that is both removed and listed, such as in two spellings, the listed page is
    /// sent.
    ///
    /// # Errors
    /// If the page is on another host than the key file, or not below its directory, or has no URL of http or https, or one with a user name or a
    /// password. Then it is not sent.
    pub fn push(&mut self, loc: &str, state: PageState) -> Result<()> {
        let parsed = parse(loc)?;
        let name = name_of(&parsed);
        if !parsed.username().is_empty() || parsed.password().is_some() {
            // The message says neither.
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
        let url = upper_escapes(&host.order.url(loc)?);
        if self.record.has(&url, state) {
            self.report.sent_before += 1;
        } else if host
            .pages
            .get(&url)
            .is_none_or(|known| *known == PageState::Removed)
        {
            host.has_https |= parsed.scheme() == "https";
            host.pages.insert(url, state);
        }
        Ok(())
    }

    /// An order without pages for the host of a URL.
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

    /// The number of pages that are still to be sent.
    pub fn len(&self) -> usize {
        let hosts = self.hosts.values().chain(&self.current);
        hosts.map(|host| host.pages.len()).sum::<usize>() + self.order.len()
    }

    /// Whether no page is still to be sent.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bodies of all requests that would be posted.
    pub fn orders(&self) -> impl Iterator<Item = String> {
        self.hosts.values().flat_map(|host| {
            let urls: Vec<&String> = host.pages.keys().collect();
            let orders: Vec<String> = urls.chunks(ORDER).filter_map(|urls| host.body(urls)).collect();
            orders
        })
    }

    /// Takes the pages that were received since the last call: a program appends their [lines](SentPage::line) to the file of the record,
    /// after each response.
    pub fn take_received(&mut self) -> Vec<SentPage> {
        mem::take(&mut self.received)
    }

    /// What became of the pages so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Takes the next order, unless there is one. Returns whether there is.
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
            Err(error) => self.retry(Problem::Unreachable(Failure::connection(error)), None, now),
        }
    }

    fn order_response(&mut self, head: &Head, now: Duration) {
        match head.status() {
            status @ (200 | 202) => {
                self.retries = 0;
                self.report.received += self.order.len() as u64;
                if status == 202 {
                    self.report.unchecked += self.order.len() as u64;
                }
                self.received.append(&mut self.order);
            }
            status => self.refused(head, Problem::Refused(status), now),
        }
    }

    /// A status other than success. Some of them pass.
    fn refused(&mut self, head: &Head, problem: Problem, now: Duration) {
        match head.status() {
            status @ (408 | 429 | 500..=599) => self.retry(Problem::Busy(status), head.retry_after(), now),
            400 | 422 if matches!(problem, Problem::Refused(_)) => self.give_up_order(problem),
            _ => self.give_up_host(problem),
        }
    }

    fn retry(&mut self, problem: Problem, retry_after: Option<Duration>, now: Duration) {
        if let Some(wait) = retry_after.filter(|wait| *wait > LONGEST_WAIT) {
            return self.give_up_host(Problem::WaitTooLong(wait.as_secs()));
        }
        if self.retries == RETRIES {
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

    /// Gives up the order and what is left of its host: it would be refused for the same reason.
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
            Ok(response) if is_key_served => self.order_response(&response.head, now),
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

/// The URL with the digits of percent-encoded bytes in upper case, so that a page is sent once (RFC 3986 section 6.2.2.1).
fn upper_escapes(url: &str) -> String {
    let mut parts = url.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push('%');
        match part.split_at_checked(2) {
            Some((digits, rest)) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                out += &digits.to_ascii_uppercase();
                out += rest;
            }
            _ => out += part,
        }
    }
    out
}

/// Whether the beginning of a file is the key, and all of it.
fn is_key(text: &[u8], key: &str) -> bool {
    let is_all = (text.len() as u64) < KEY_BYTES;
    let text = String::from_utf8_lossy(text);
    is_all && text.trim_start_matches('\u{FEFF}').trim() == key
}

fn parse(url: &str) -> Result<Url> {
    match Url::parse(url) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(parsed),
        _ => Err(Error::new(format!("`{url}` is no absolute URL of http or https"))),
    }
}

/// Host and port.
fn name_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

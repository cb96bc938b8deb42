//! The fate of each document.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::BudgetItem;
use crate::request::Role;
use crate::took_longer::TookLonger;

/// The fate of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Fate {
    /// It is still to be read.
    Pending,
    /// It was read to its end.
    Read,
    /// It has not changed since it was last read, by the server's response, or by its lastmod in the index if the walk
    /// [trusts](crate::WalkBuilder::trust_lastmod) it.
    Unchanged,
    /// The server does not have it: 404 or 410, and for `robots.txt` 204, or any status 4xx except 408 and 429.
    Absent,
    /// It is the same document as this one, which was read. Both lead to one address, or both are guesses with identical
    /// responses.
    SameAs(Arc<str>),
    /// The walk did not read it, or not to its end.
    Skipped(Cause),
    /// It could not be read, or not to its end.
    Failed(Failure),
}

/// Why a walk skips a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Cause {
    /// A part of the budget is exhausted.
    Budget(BudgetItem),
    /// It is neither on the host of the index that lists it, nor on the site's.
    OtherHost,
    /// It is a guess, and the site's `robots.txt` disallows it.
    Disallowed,
    /// The program does not want it, by the [choice of documents](crate::WalkBuilder::sitemaps), or by its lastmod in its index.
    Filter,
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Failure {
    /// The response had this status.
    Status(u16),
    /// It redirects to itself, too often, or to an invalid address.
    Redirect(Box<str>),
    /// There was no connection, or it broke before the head of the response; the text says why.
    Connection(Box<str>),
    /// The body broke off; the text says where or why.
    Cut(Box<str>),
    /// It took longer than its [time](crate::Request::timeout), or than the client waits; the time, if it is known.
    TimedOut(Option<Duration>),
    /// It was too slow, as the client reports. It is not requested again.
    TooSlow,
    /// The response asks to wait longer than a walk does.
    Busy {
        /// Its status, 429 or 503.
        status: u16,
        /// The time to wait.
        seconds: u64,
    },
    /// The host has no valid certificate. There is no retry; the text says why.
    Certificate(Box<str>),
    /// The host is, or has, an address that is not globally routable.
    PrivateIp(Box<str>),
    /// It is not a sitemap, or a broken one; the text is the reader's error.
    Document(Box<str>),
}

impl Failure {
    /// There was no connection, or it broke before the head of the response.
    pub fn connection(problem: impl fmt::Display) -> Self {
        Failure::Connection(problem.to_string().into())
    }

    /// A body broke off, or took too long.
    pub fn of_body(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                let longer = error
                    .get_ref()
                    .and_then(|error| error.downcast_ref::<TookLonger>());
                Failure::TimedOut(longer.map(|longer| longer.0))
            }
            _ => Failure::Cut(error.to_string().into()),
        }
    }

    /// The client's resolver found an address that the request does not [allow](crate::Request::allows).
    pub fn private_ip(ip: IpAddr) -> Self {
        Failure::PrivateIp(ip.to_string().into())
    }

    /// Returns `true` if a retry may succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Failure::Connection(_) | Failure::Cut(_) | Failure::TimedOut(_) => true,
            Failure::Status(status) => matches!(status, 408 | 429 | 500..=599),
            Failure::TooSlow
            | Failure::Busy { .. }
            | Failure::Certificate(_)
            | Failure::Redirect(_)
            | Failure::PrivateIp(_)
            | Failure::Document(_) => false,
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Pending => f.write_str("is still to be read"),
            Fate::Read => f.write_str("was read"),
            Fate::Unchanged => f.write_str("has not changed"),
            Fate::Absent => f.write_str("does not exist"),
            Fate::SameAs(address) => write!(f, "is the same document as {address}"),
            Fate::Skipped(cause) => write!(f, "was skipped: {cause}"),
            Fate::Failed(failure) => write!(f, "could not be read: {failure}"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Budget(item) => write!(f, "the walk has reached its limit of {item}"),
            Cause::OtherHost => f.write_str("it is on another host"),
            Cause::Disallowed => f.write_str("robots.txt disallows it"),
            Cause::Filter => f.write_str("a filter does not keep it"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Status(status) => write!(f, "status {status}"),
            Failure::Redirect(problem) => write!(f, "redirect: {problem}"),
            Failure::Connection(problem) | Failure::Document(problem) | Failure::Certificate(problem) => {
                f.write_str(problem)
            }
            Failure::TooSlow => f.write_str("it was too slow"),
            Failure::Busy { status, seconds } => {
                write!(
                    f,
                    "status {status}, and the server asks to wait {}",
                    Wait(*seconds)
                )
            }
            Failure::Cut(problem) => write!(f, "its body broke off: {problem}"),
            Failure::TimedOut(Some(time)) => TookLonger(*time).fmt(f),
            Failure::TimedOut(None) => f.write_str("it took too long"),
            Failure::PrivateIp(address) => write!(f, "{address} is not a public address"),
        }
    }
}

/// A time in seconds, in the largest unit that tells it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Wait(pub u64);

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: u64 = 24 * 3600;
        match self.0 {
            seconds @ 0..7200 => write!(f, "{seconds} s"),
            seconds if seconds < 2 * DAY => write!(f, "{} hours", seconds / 3600),
            seconds if seconds < 1000 * DAY => write!(f, "{} days", seconds / DAY),
            seconds if seconds < 365_000 * DAY => write!(f, "{} years", seconds / DAY / 365),
            _ => f.write_str("more than 1,000 years"),
        }
    }
}

/// The kind of a document, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A `robots.txt`.
    Robots,
    /// An index: its entries are sitemaps.
    Index,
    /// A sitemap, text or feed: its entries are pages.
    Pages,
}

/// What was found in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contents {
    pub(crate) kind: Option<DocumentKind>,
    pub(crate) entries: u64,
    pub(crate) invalid: u64,
    pub(crate) problem: Option<Box<str>>,
    pub(crate) wire_bytes: u64,
    pub(crate) decompressed_bytes: u64,
    #[serde(default)]
    pub(crate) is_compressed_twice: bool,
    #[serde(default)]
    pub(crate) is_html: bool,
}

/// A document of a walk and its fate.
#[derive(Clone, Copy, Debug)]
pub struct DocumentReport<'w> {
    pub(crate) url: &'w str,
    pub(crate) target: Option<&'w str>,
    pub(crate) redirects: u32,
    pub(crate) status: Option<u16>,
    pub(crate) lister: Option<&'w str>,
    pub(crate) role: Role,
    pub(crate) depth: u32,
    pub(crate) fate: &'w Fate,
    pub(crate) contents: &'w Contents,
    pub(crate) has_changed: bool,
}

impl<'w> DocumentReport<'w> {
    /// Its address, normalized (RFC 3986 section 6.2), without a fragment.
    pub fn url(&self) -> &'w str {
        self.url
    }

    /// The address that it was redirected to, if it was.
    pub fn redirected_to(&self) -> Option<&'w str> {
        self.target
    }

    /// The number of redirects from its address to the last one that was requested.
    pub fn redirects(&self) -> u32 {
        self.redirects
    }

    /// The status of the last response; `None` if there was none, or another document has this one's response.
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// The index or `robots.txt` that lists it; the first of several.
    pub fn listed_in(&self) -> Option<&'w str> {
        self.lister
    }

    /// Why it was requested.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The number of indexes above it.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Its fate.
    pub fn fate(&self) -> &'w Fate {
        self.fate
    }

    /// Its kind, if it was read in this walk or an earlier one.
    pub fn kind(&self) -> Option<DocumentKind> {
        self.contents.kind
    }

    /// Returns `true` if it is an index that another index lists, which the format does not allow (P-NEST).
    pub fn is_nested_index(&self) -> bool {
        self.depth > 0 && self.contents.kind == Some(DocumentKind::Index)
    }

    /// The number of its entries. An unchanged document keeps the number of the earlier walk.
    pub fn entries(&self) -> u64 {
        self.contents.entries
    }

    /// The number of invalid entries, and of invalid addresses in an index or a `robots.txt`. Text behind the
    /// [limit](sitemap_serde::robots::Robots::BYTES) of a `robots.txt` counts as one.
    pub fn invalid_entries(&self) -> u64 {
        self.contents.invalid
    }

    /// The first problem of its entries.
    pub fn problem(&self) -> Option<&'w str> {
        self.contents.problem.as_deref()
    }

    /// The bytes of its body as sent, in the last try.
    pub fn wire_bytes(&self) -> u64 {
        self.contents.wire_bytes
    }

    /// The bytes of the document, decompressed and in UTF-8, in the last try.
    pub fn decompressed_bytes(&self) -> u64 {
        self.contents.decompressed_bytes
    }

    /// Returns `true` if it is an HTML page.
    #[doc(hidden)]
    pub fn is_html(&self) -> bool {
        self.contents.is_html
    }

    /// Returns `true` if it was read, and is new or differs from the earlier walk.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }
}

/// The fates of a walk's documents.
#[derive(Clone, Debug)]
pub struct Report<'w> {
    pub(crate) documents: Vec<DocumentReport<'w>>,
    pub(crate) unlisted: u64,
    pub(crate) repeated: u64,
    pub(crate) vanished: Vec<&'w str>,
    pub(crate) requests: u64,
    pub(crate) is_behind_proxy: bool,
}

impl<'w> Report<'w> {
    /// Every document, in the order of discovery.
    pub fn documents(&self) -> &[DocumentReport<'w>] {
        &self.documents
    }

    /// The number of documents with this fate, without `robots.txt` files.
    pub fn count(&self, is: impl Fn(&Fate) -> bool) -> u64 {
        let documents = self.documents.iter();
        documents
            .filter(|document| document.role != Role::Robots && is(document.fate))
            .count() as u64
    }

    /// The number of entries of all sitemaps, without indexes. Unchanged sitemaps count with their earlier number.
    pub fn entries(&self) -> u64 {
        let documents = self.documents.iter();
        let pages = documents.filter(|document| document.kind() == Some(DocumentKind::Pages));
        pages.map(DocumentReport::entries).fold(0, u64::saturating_add)
    }

    /// The number of listings in `robots.txt` and indexes that exceed the budget, by the [number of
    /// documents](crate::Budget::documents) or the [bytes of their addresses](crate::Budget::url_bytes). A document that is
    /// listed several times may count several times.
    pub fn over_budget(&self) -> u64 {
        self.unlisted
    }

    /// The number of repeated listings. Each document is read once.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The documents of the earlier walk that are no longer listed, sorted. Documents below an unreadable index are not included.
    /// Empty if a document is [over the budget](Self::over_budget).
    pub fn vanished(&self) -> &[&'w str] {
        &self.vanished
    }

    /// The number of requests.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Returns `true` if the client connects to a [proxy](crate::WalkBuilder::behind_proxy). Then only hosts given as IP
    /// addresses were checked for private addresses; names were not.
    pub fn is_behind_proxy(&self) -> bool {
        self.is_behind_proxy
    }
}

impl fmt::Display for Report<'_> {
    /// A line for each document that was not read, and for everything else that was skipped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for document in &self.documents {
            if !matches!(document.fate, Fate::Read | Fate::Unchanged) {
                writeln!(f, "{} {}", document.url, document.fate)?;
            }
            if document.is_nested_index() {
                writeln!(f, "{} is an index listed by an index (P-NEST)", document.url)?;
            }
            if document.contents.is_compressed_twice {
                writeln!(f, "{} is compressed twice (P-GZIP)", document.url)?;
            }
            if let Some(problem) = document.problem() {
                writeln!(
                    f,
                    "{}: {} could not be read: {problem}",
                    document.url, document.contents.invalid
                )?;
            }
        }
        for url in &self.vanished {
            writeln!(f, "{url} is not listed any more")?;
        }
        if self.unlisted > 0 {
            writeln!(f, "{} listed documents are over the budget", self.unlisted)?;
        }
        if self.is_behind_proxy {
            writeln!(
                f,
                "behind a proxy names of hosts are not checked for private addresses"
            )?;
        }
        Ok(())
    }
}

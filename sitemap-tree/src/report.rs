//! What became of each document.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::budget::BudgetItem;
use crate::request::Role;

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Fate {
    /// It is still to be read.
    Pending,
    /// It was read to its end.
    Read,
    /// It has not changed since it was last read: so the server says, or the index that lists it, where the walk
    /// [trusts](crate::WalkBuilder::trust_lastmod) that.
    Unchanged,
    /// The server does not have it: 404 or 410, and for `robots.txt` any status 4xx but 408 and 429.
    Absent,
    /// It is the same document as this one of the walk, which was read: both come to one address, by redirects or as it is listed, or both are
    /// guesses that the server answers alike.
    SameAs(Arc<str>),
    /// The walk did not read it, or not to its end.
    Skipped(Cause),
    /// It could not be read, or not to its end.
    Failed(Failure),
}

/// Why a walk leaves a document out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Cause {
    /// A part of the budget is used up.
    Budget(BudgetItem),
    /// It is on another host than the index that lists it, and than the site.
    OtherHost,
    /// It is a guess, and the site's `robots.txt` disallows it.
    Disallowed,
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Failure {
    /// The response had this status.
    Status(u16),
    /// It redirects to itself, too often, or to what is no address of a document.
    Redirect(Box<str>),
    /// There was no connection, or it broke before the head of the response; the text says why.
    Connection(Box<str>),
    /// The body broke off; the text says where or why.
    Cut(Box<str>),
    /// It took longer than its [time](crate::Request::timeout).
    TimedOut,
    /// It came too slowly; the client says so, and it is not requested again.
    TooSlow,
    /// The response asks to wait longer than a walk does.
    Busy {
        /// Its status, 429 or 503.
        status: u16,
        /// The time to wait.
        seconds: u64,
    },
    /// The host has no valid certificate, and is not asked again; the text says why.
    Certificate(Box<str>),
    /// The host is, or has, an address that is not globally routable.
    PrivateIp(Box<str>),
    /// It is no sitemap, or a broken one; the text is the reader's error.
    Document(Box<str>),
}

impl Failure {
    /// There was no connection, or it broke before the head of the response.
    pub fn connection(problem: impl fmt::Display) -> Self {
        Failure::Connection(problem.to_string().into())
    }

    /// The client's resolver found an address that the request does not [allow](crate::Request::allows).
    pub fn private_ip(ip: IpAddr) -> Self {
        Failure::PrivateIp(ip.to_string().into())
    }

    /// Whether another try may succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Failure::Connection(_) | Failure::Cut(_) | Failure::TimedOut => true,
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
            Fate::Skipped(cause) => write!(f, "was left out: {cause}"),
            Fate::Failed(failure) => write!(f, "could not be read: {failure}"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Budget(item) => write!(f, "the walk may not use more {item}"),
            Cause::OtherHost => f.write_str("it is on another host"),
            Cause::Disallowed => f.write_str("robots.txt disallows it"),
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
            Failure::TooSlow => f.write_str("it came too slowly"),
            Failure::Busy { status, seconds } => {
                write!(f, "status {status}, and it asks to be left alone for {seconds} s")
            }
            Failure::Cut(problem) => write!(f, "its body was cut: {problem}"),
            Failure::TimedOut => f.write_str("it took too long"),
            Failure::PrivateIp(address) => write!(f, "{address} is not a public address"),
        }
    }
}

/// What a document turned out to be.
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
}

/// A document of a walk and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct DocumentReport<'w> {
    pub(crate) url: &'w str,
    pub(crate) target: Option<&'w str>,
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

    /// What became of it.
    pub fn fate(&self) -> &'w Fate {
        self.fate
    }

    /// What it is, if it was read now or earlier.
    pub fn kind(&self) -> Option<DocumentKind> {
        self.contents.kind
    }

    /// Whether it is an index that another index lists, which the format does not allow (P-NEST).
    pub fn is_nested_index(&self) -> bool {
        self.depth > 0 && self.contents.kind == Some(DocumentKind::Index)
    }

    /// The number of its entries. Of an unchanged document they are those of the earlier reading.
    pub fn entries(&self) -> u64 {
        self.contents.entries
    }

    /// The number of its entries that could not be read, and of addresses in an index or a `robots.txt` that are none. What comes after the
    /// [bytes](sitemap_serde::robots::Robots::BYTES) of a `robots.txt` that are read counts as one.
    pub fn invalid_entries(&self) -> u64 {
        self.contents.invalid
    }

    /// The first problem of its entries.
    pub fn problem(&self) -> Option<&'w str> {
        self.contents.problem.as_deref()
    }

    /// The bytes of its body as they were sent, in the last try.
    pub fn wire_bytes(&self) -> u64 {
        self.contents.wire_bytes
    }

    /// The bytes of the document, decompressed and in UTF-8, in the last try.
    pub fn decompressed_bytes(&self) -> u64 {
        self.contents.decompressed_bytes
    }

    /// Whether it was read and differs from the earlier reading, or was not read earlier.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }
}

/// What became of a walk's documents.
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
    /// Every document, in the order in which they were found.
    pub fn documents(&self) -> &[DocumentReport<'w>] {
        &self.documents
    }

    /// The number of documents that are no `robots.txt` and have this fate.
    pub fn count(&self, is: impl Fn(&Fate) -> bool) -> u64 {
        let documents = self.documents.iter();
        documents
            .filter(|document| document.role != Role::Robots && is(document.fate))
            .count() as u64
    }

    /// The number of entries of all sitemaps that are no indexes, those of unchanged ones included.
    pub fn entries(&self) -> u64 {
        let documents = self.documents.iter();
        let pages = documents.filter(|document| document.kind() == Some(DocumentKind::Pages));
        pages.map(DocumentReport::entries).fold(0, u64::saturating_add)
    }

    /// How often `robots.txt` and indexes list documents for which the budget has no room, by their [number](crate::Budget::documents) or
    /// the [bytes of their addresses](crate::Budget::url_bytes). One that is listed several times may count several times.
    pub fn over_budget(&self) -> u64 {
        self.unlisted
    }

    /// How often documents are listed again that are listed already. They are read once.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The documents that the earlier walk found and that are not listed any more, sorted. Those below an index that could not be read are
    /// not among them, nor any if a document is [over the budget](Self::over_budget).
    pub fn vanished(&self) -> &[&'w str] {
        &self.vanished
    }

    /// The number of requests.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Whether the client connects to a [proxy](crate::WalkBuilder::behind_proxy): then only hosts that are IP addresses, and not names,
    /// have been checked for private addresses.
    pub fn is_behind_proxy(&self) -> bool {
        self.is_behind_proxy
    }
}

impl fmt::Display for Report<'_> {
    /// A line for each document that was not read, and what else was left out.
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

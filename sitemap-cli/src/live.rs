//! Sitemaps at URLs: one document, or all documents of a site.
//!
//! | file | content |
//! |---|---|
//! | this file | the options, and the documents of a site as inputs |
//! | `connection` | the options for requests |
//! | `client`, `rate` | single requests; the minimum rate of a body |
//! | `loader` | loads the documents of a walk in threads |
//! | `resume`, `report` | the state of a walk in a file; the fate of each document in a file |

pub(crate) mod client;
pub(crate) mod connection;
mod loader;
mod rate;
mod report;
mod resume;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::Limits;
use sitemap_tree::{
    Budget, Cause, Client, DocumentReport, Failure, Fate, OtherHosts, Role, Walk, WalkBuilder,
};

use self::connection::{Connection, without_url};
use self::loader::Loader;
use self::report::{Readings, ReportFile};
use self::resume::StateFile;
use crate::filters;
use crate::folder::Scope;
use crate::input::{Input, ReadInput, Reading, counted, grouped};
use crate::outputs::{Existing, Outputs};
use crate::replace::check_file;
use crate::unread::unread_entries;

/// The maximum size of a document, compressed or decompressed.
const DOCUMENT_BYTES: u64 = 1 << 30;

/// The longest `Crawl-delay` honored by default.
const CRAWL_DELAY: Duration = Duration::from_secs(1);

/// Documents up to this size are kept in memory until they are read; longer ones go to a temporary file.
const MEMORY_BYTES: usize = 1 << 20;

/// Options for reading URLs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "URLs")]
pub(crate) struct Live {
    /// Read all sitemaps of each site, from its robots.txt or else at the usual URLs, and every sitemap that they list
    #[arg(long)]
    site: bool,
    /// Number of documents to load at once, with --site; at most 64 [default: 4]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64))]
    connections: Option<u8>,
    /// Maximum number of documents to load [default: 51000, a full index and those above it]
    #[arg(long, value_name = "NUMBER")]
    max_documents: Option<usize>,
    /// Maximum number of bytes to transfer [default: 17179869184]
    #[arg(long, value_name = "NUMBER")]
    max_transfer: Option<u64>,
    /// Maximum time for loading, in seconds; pages get the same time again [default: 21600]
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,
    /// Documents on other hosts to read, if an index lists them [default: skip]
    #[arg(long, value_enum, value_name = "WHICH", requires = "site")]
    other_hosts: Option<Elsewhere>,
    /// Wait between two requests as robots.txt asks (Crawl-delay), up to this time [default: 1]
    #[arg(long, value_name = "SECONDS", requires = "site")]
    crawl_delay: Option<u64>,
    #[command(flatten)]
    report: ReportFile,
    #[command(flatten)]
    connection: Connection,
}

/// The documents on other hosts that are read.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Elsewhere {
    /// None, except on the same host with or without `www.`; the others are reported
    Skip,
    /// Also documents named by their own host's robots.txt, or listed in an index that it names
    CrossSubmitted,
    /// All
    Follow,
}

/// The file for the progress of a walk over a site.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "URLs")]
pub(crate) struct Resume {
    /// Record in FILE which documents of the site were read. After Ctrl-C or a crash, the same command reads the remaining documents. After
    /// a complete run, it reads changed and incomplete documents, and reports those no longer listed
    #[arg(long, value_name = "FILE", requires = "site")]
    save: Option<PathBuf>,
}

impl Resume {
    /// Returns an error if several arguments would share one file.
    pub(crate) fn check(&self, arguments: usize) -> Result<()> {
        if self.save.is_some() && arguments > 1 {
            bail!("--save is for one site at a time");
        }
        self.save
            .as_deref()
            .map_or(Ok(()), |path| check_file(path, "--save"))
    }

    /// Adds the file to those that the command writes.
    pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
        outputs.writes("--save", self.save.as_ref(), Existing::Checked)
    }
}

impl Live {
    /// Reads one document.
    pub(crate) fn document(connection: &Connection) -> Self {
        Live {
            site: false,
            connections: Some(1),
            max_documents: None,
            max_transfer: None,
            max_time: None,
            other_hosts: None,
            crawl_delay: None,
            connection: connection.clone(),
            report: ReportFile::default(),
        }
    }

    /// Adds the files that the options name to those that the command reads and writes.
    pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
        self.report.outputs(self.connection.outputs(outputs))
    }

    /// Returns the connection settings.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns an error if an option has no effect without URLs, the report cannot be written, or a request option does not fit the URLs. A
    /// command that `sends` other requests uses the request options for them.
    pub(crate) fn check<'p>(&self, paths: impl IntoIterator<Item = &'p Path>, sends: bool) -> Result<()> {
        let paths: Vec<&Path> = paths.into_iter().collect();
        let has_url = paths.iter().any(|path| crate::input::url(path).is_some());
        if let Some(option) = self.given(sends).filter(|_| !has_url) {
            return Err(without_url(option));
        }
        self.connection.check(paths, sends)?;
        self.report.create()
    }

    /// Returns the first given option that has no effect without URLs.
    fn given(&self, sends: bool) -> Option<&'static str> {
        let options = [
            ("--connections", self.connections.is_some()),
            ("--max-documents", self.max_documents.is_some()),
            ("--max-transfer", self.max_transfer.is_some()),
            // It also limits the time for pages.
            ("--max-time", self.max_time.is_some() && !sends),
            ("--report", self.report.is_some()),
        ];
        options
            .into_iter()
            .find_map(|(name, is_given)| is_given.then_some(name))
    }

    fn connections(&self) -> u8 {
        self.connections.unwrap_or(4)
    }

    fn budget(&self) -> Budget {
        let mut budget = Budget::default();
        budget.documents = if self.site {
            self.max_documents.unwrap_or(budget.documents)
        } else {
            1
        };
        budget.wire_bytes = self.max_transfer.unwrap_or(budget.wire_bytes);
        budget.time = self.max_time.map_or(budget.time, Duration::from_secs);
        budget
    }

    /// Returns the time limit for loading.
    pub(crate) fn max_time(&self) -> Duration {
        self.budget().time
    }

    /// Returns `true` if URLs refer to whole sites.
    pub(crate) fn is_of_sites(&self) -> bool {
        self.site
    }

    /// Reads the document at a URL, or every document of a site, in several threads. Each is read once, as soon as it is loaded. Documents
    /// that failed to load come last; opening one fails. Returns the number of documents.
    pub(crate) fn each(&self, url: &str, resume: &Resume, read: &ReadInput<'_>) -> Result<u64> {
        let client = self.connection.client()?;
        let mut builder = self.builder();
        let mut file = None;
        if let Some(path) = &resume.save {
            let (opened, state) = StateFile::open(path)?;
            state.map(|state| builder.state(state));
            file = Some(opened);
        }
        let mut walk = self.walk(&builder, url)?;
        if let Some(file) = &mut file {
            file.begin(&mut walk)?;
        }
        // A broken document is read too, so that the command reports its problem.
        let broken = Mutex::new(HashSet::new());
        let readings = Mutex::new(Readings::new());
        let (walk, mut documents, result) = Loader::new(
            walk,
            client.clone(),
            MEMORY_BYTES,
            file,
            self.longest_delay(),
            &|input, fate| {
                // A wrong checksum shows only at the end, after entries that may be garbage.
                if *fate == Fate::Read
                    && let Some(problem) = input.damaged_compression()
                {
                    return Ok(Reading {
                        problem: Some(problem),
                        ..Reading::default()
                    });
                }
                let reading = read(input)?;
                if *fate != Fate::Read || reading.problem.is_some() {
                    let mut broken = broken.lock().unwrap_or_else(PoisonError::into_inner);
                    broken.insert(input.name.clone());
                }
                self.note(&readings, input, &reading);
                Ok(reading)
            },
        )
        .run(self.loads_at_once());
        self.end(&walk, readings, result)?;
        match walk.report().vanished() {
            [] => {}
            [url] => print_note!("note: {url} is not listed any more"),
            [url, ..] => {
                let count = grouped(walk.report().vanished().len() as u64);
                print_note!("note: {count} documents are not listed any more, such as {url}");
            }
        }
        let broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
        for input in self.inputs_of(url, &walk, &client, false, |document| match document.fate() {
            Fate::Read | Fate::Unchanged => None,
            _ if broken.contains(document.url()) => None,
            _ => Some(self.unread(document)),
        })? {
            read(&input)?;
            documents += 1;
        }
        Ok(documents)
    }

    /// Returns the document at a URL, or the documents of a site in order, for reading any number of times. Documents that failed to load
    /// are included; opening one fails. The whole scope includes listed URLs that are redirected to another document.
    pub(crate) fn inputs(&self, url: &str, scope: Scope) -> Result<Vec<Input>> {
        let client = self.connection.client()?;
        let walk = self.walk(&self.builder(), url)?;
        // By the addresses that they were loaded from: which document of several that are redirected there was first is chance.
        let loaded = Mutex::new(HashMap::new());
        let readings = Mutex::new(Readings::new());
        let (walk, _, result) = Loader::new(
            walk,
            client.clone(),
            0,
            None,
            self.longest_delay(),
            &|input, _| {
                if self.report.is_some() {
                    self.note(&readings, input, &input.reading());
                }
                let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
                loaded.insert(input.last_url().to_owned(), input.clone());
                Ok(Reading::default())
            },
        )
        .run(self.loads_at_once());
        self.end(&walk, readings, result)?;
        let loaded = loaded.into_inner().unwrap_or_else(PoisonError::into_inner);
        let report = walk.report();
        let first = first_at(report.documents());
        self.inputs_of(url, &walk, &client, true, |document| {
            let (own, end) = (document.url(), end_of(document));
            let is_child = document.role() == Role::Child;
            match loaded.get(end).cloned() {
                Some(input) if first.get(end) == Some(&own) => Some(input.found_at(own, end, is_child)),
                Some(input) if is_shared(document) => {
                    let is_listed = matches!(document.role(), Role::Named | Role::Child);
                    (scope == Scope::Whole && is_listed)
                        .then(|| input.found_at(own, end, is_child).of_other())
                }
                _ if matches!(document.fate(), Fate::SameAs(_)) => None,
                _ => Some(self.unread(document)),
            }
        })
    }

    /// Records the reading of a document for the report.
    fn note(&self, readings: &Mutex<Readings>, input: &Input, reading: &Reading) {
        if self.report.is_some() {
            let mut readings = readings.lock().unwrap_or_else(PoisonError::into_inner);
            readings.insert(input.name.clone(), reading.clone());
        }
    }

    /// Ends a walk and writes its report, even after a failure.
    fn end(&self, walk: &Walk, readings: Mutex<Readings>, result: Result<()>) -> Result<()> {
        let readings = readings.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reported = self.report.add(walk, &readings);
        result.and(reported)
    }

    /// Returns the longest `Crawl-delay` to honor.
    fn longest_delay(&self) -> Duration {
        self.crawl_delay.map_or(CRAWL_DELAY, Duration::from_secs)
    }

    fn loads_at_once(&self) -> usize {
        if self.site { self.connections().into() } else { 1 }
    }

    fn builder(&self) -> WalkBuilder {
        let mut builder = WalkBuilder::new(self.connection.user_agent());
        let limits = Limits::reading()
            .with_bytes(DOCUMENT_BYTES)
            .with_decompressed_bytes(DOCUMENT_BYTES);
        builder
            .budget(self.budget())
            .reader(|reader| reader.limits(limits))
            .max_connections_per_host(self.connections().into())
            .other_hosts(match self.other_hosts {
                None | Some(Elsewhere::Skip) => OtherHosts::Skip,
                Some(Elsewhere::CrossSubmitted) => OtherHosts::CrossSubmitted,
                Some(Elsewhere::Follow) => OtherHosts::Follow,
            });
        self.connection.apply(&mut builder);
        if self.site {
            builder.max_crawl_delay(self.longest_delay());
        }
        filters::of_walk(&mut builder);
        builder
    }

    fn walk(&self, builder: &WalkBuilder, url: &str) -> Result<Walk> {
        Ok(if self.site {
            builder.walk_site(url)?
        } else {
            builder.walk_sitemap(url)?
        })
    }

    /// Returns the documents of a walk as inputs, together with those that the walk left out.
    fn inputs_of(
        &self,
        url: &str,
        walk: &Walk,
        client: &Client,
        has_shared: bool,
        mut input: impl FnMut(&DocumentReport<'_>) -> Option<Input>,
    ) -> Result<Vec<Input>> {
        let report = walk.report();
        self.connection.note_redirects(&report);
        let is_proxied = |found: &DocumentReport<'_>| {
            client.uses_proxy(found.url()) || found.redirected_to().is_some_and(|url| client.uses_proxy(url))
        };
        if self.site && report.documents().iter().any(is_proxied) {
            print_message!(
                "sitemap: {url}: hosts are not checked for private addresses behind a proxy, unless their URLs have IP addresses"
            );
        }
        let documents: Vec<_> = report
            .documents()
            .iter()
            .filter(|found| is_input(found) || has_shared && is_shared(found))
            .collect();
        let damaged: Vec<_> = report.documents().iter().filter_map(damaged_robots).collect();
        let skipped = report.documents().iter().filter(|found| is_skipped(found));
        let skipped = skipped
            .map(|document| filters::skip_document(document.url()))
            .count();
        if documents.is_empty() && damaged.is_empty() && skipped == 0 {
            bail!("{url} has no sitemap: {}", why_none(report.documents()));
        }
        let mut inputs: Vec<Input> = documents.iter().filter_map(|document| input(document)).collect();
        inputs.extend(damaged);
        if self.site && report.over_budget() > 0 {
            let over = report.over_budget();
            let are = if over == 1 { "is" } else { "are" };
            let over = counted(over, "listed document");
            let budget = self.budget();
            let is_full = report.documents().len() >= budget.documents;
            inputs.push(Input::unread(
                url.to_owned(),
                if is_full {
                    format!("{over} {are} over --max-documents")
                } else {
                    let most = grouped(budget.url_bytes as u64);
                    format!(
                        "{over} {are} left out, since the URLs of a walk have at most {most} bytes together"
                    )
                },
            ));
        }
        Ok(inputs)
    }

    fn unread(&self, document: &DocumentReport<'_>) -> Input {
        let (url, fate) = (document.url(), document.fate());
        let advice = match fate {
            Fate::Skipped(Cause::OtherHost) => " (--other-hosts follow)",
            // Another port is another server.
            Fate::Failed(Failure::PrivateIp(ip)) if url.starts_with(&format!("http://{ip}")) => {
                let https = url.replacen("http:", "https:", 1);
                return Input::unread(url.to_owned(), format!("{fate} (name {https} to read it there)"));
            }
            Fate::Failed(failure) => {
                let end = document.redirected_to().unwrap_or(url);
                self.connection.advice(end, failure)
            }
            _ => "",
        };
        Input::unread(url.to_owned(), format!("{fate}{advice}"))
    }
}

/// Returns `true` if a document was skipped on purpose.
fn is_skipped(document: &DocumentReport<'_>) -> bool {
    *document.fate() == Fate::Skipped(Cause::Filter)
}

/// Returns an input for a `robots.txt` with unreadable lines. No command reads the sitemaps named there.
fn damaged_robots(document: &DocumentReport<'_>) -> Option<Input> {
    let is_damaged = document.role() == Role::Robots && *document.fate() == Fate::Read;
    let problem = document.problem().filter(|_| is_damaged)?;
    let problem = unread_entries(document.invalid_entries(), problem);
    Some(Input::unread(document.url().to_owned(), problem))
}

/// The last address of a document.
fn end_of<'w>(document: &DocumentReport<'w>) -> &'w str {
    document.redirected_to().unwrap_or(document.url())
}

/// Returns `true` if a document may share its response with others that are redirected to the same address.
fn is_shared(document: &DocumentReport<'_>) -> bool {
    document.role() != Role::Robots && matches!(document.fate(), Fate::Read | Fate::SameAs(_))
}

/// The document that names each address, of all that are redirected there: the one with that URL, or else the first.
fn first_at<'w>(documents: &[DocumentReport<'w>]) -> HashMap<&'w str, &'w str> {
    let mut first = HashMap::new();
    for document in documents
        .iter()
        .filter(|document| document.role() != Role::Robots)
    {
        let (url, end) = (document.url(), end_of(document));
        if url == end {
            first.insert(end, url);
        } else {
            first.entry(end).or_insert(url);
        }
    }
    first
}

/// Says why no sitemap was found.
fn why_none(documents: &[DocumentReport<'_>]) -> String {
    let robots = documents.iter().find(|document| document.role() == Role::Robots);
    let is_html = robots.is_some_and(DocumentReport::is_html);
    let guess = documents.iter().find(|document| {
        document.role() == Role::Guess && matches!(document.fate(), Fate::Failed(Failure::Document(_)))
    });
    if is_html && guess.is_some_and(DocumentReport::is_html) {
        return "robots.txt and the usual URLs are HTML pages: the server answers every path with its application"
            .to_owned();
    }
    let robots = match robots.map(|robots| (robots.fate(), robots.status())) {
        _ if is_html => "robots.txt is an HTML page",
        Some((Fate::Absent, Some(204 | 205))) => "robots.txt is empty",
        Some((Fate::Absent, _)) => "there is no robots.txt",
        _ => "robots.txt names none",
    };
    match guess.map(|guess| (guess.url(), guess.fate(), guess.is_html())) {
        Some((url, _, true)) => format!("{robots}, and {url} is an HTML page"),
        Some((url, Fate::Failed(failure), _)) => format!("{robots}, and {url} is none: {failure}"),
        _ => format!("{robots}, and there is none at the usual URLs"),
    }
}

/// Returns `true` if the command reads this document, or must report it as unreadable.
fn is_input(document: &DocumentReport<'_>) -> bool {
    match (document.role(), document.fate()) {
        _ if is_skipped(document) => false,
        (_, Fate::SameAs(_)) | (Role::Guess, Fate::Absent) => false,
        (Role::Robots, fate) => matches!(fate, Fate::Failed(_) | Fate::Skipped(_)),
        // Many sites answer missing URLs with a web page.
        (Role::Guess, Fate::Failed(Failure::Document(_))) => document.kind().is_some(),
        _ => true,
    }
}

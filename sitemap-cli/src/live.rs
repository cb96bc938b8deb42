//! Sitemaps at URLs: a document, or all those of a site.

pub(crate) mod client;
mod loader;
mod rate;
mod report;
mod resume;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::Limits;
use sitemap_tree::{
    Budget, Cause, Client, DocumentReport, Failure, Fate, OtherHosts, Role, Walk, WalkBuilder,
};

use self::loader::Loader;
use self::report::{Readings, ReportFile};
use self::resume::StateFile;
use crate::input::{Input, ReadInput, Reading, grouped};
use crate::replace::check_file;
use crate::unread::unread_entries;

/// The most bytes of one document, decompressed or not.
const DOCUMENT_BYTES: u64 = 1 << 30;

/// Up to which time robots.txt may ask to wait between two requests by default.
const CRAWL_DELAY: Duration = Duration::from_secs(1);

/// Up to how many bytes a document is kept in memory until it is read; a longer one is kept in a temporary file.
const MEMORY_BYTES: usize = 1 << 20;

/// How URLs are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "URLs")]
pub(crate) struct Live {
    /// Read all sitemaps of the sites whose URLs are given: those that robots.txt names, or else those at the usual URLs, and what they
    /// list
    #[arg(long)]
    site: bool,
    /// Number of documents to load at once, with --site; at most 64
    #[arg(long, value_name = "NUMBER", default_value = "4", value_parser = clap::value_parser!(u8).range(1..=64))]
    connections: u8,
    /// Maximum number of documents to load
    #[arg(long, value_name = "NUMBER", default_value_t = Budget::default().documents)]
    max_documents: usize,
    /// Maximum number of bytes to transfer
    #[arg(long, value_name = "NUMBER", default_value_t = Budget::default().wire_bytes)]
    max_transfer: u64,
    /// Maximum time for loading, in seconds; for pages as long again
    #[arg(long, value_name = "SECONDS", default_value_t = Budget::default().time.as_secs())]
    max_time: u64,
    /// Which documents on other hosts are read, if an index lists them [default: skip]
    #[arg(long, value_enum, value_name = "WHICH", requires = "site")]
    other_hosts: Option<Elsewhere>,
    /// Wait between two requests as robots.txt asks (Crawl-delay), up to this time [default: 1]
    #[arg(long, value_name = "SECONDS", requires = "site")]
    crawl_delay: Option<u64>,
    #[command(flatten)]
    report: ReportFile,
}

/// Which documents on other hosts are read.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Elsewhere {
    /// None but those of the site with or without `www.`; the others are reported
    Skip,
    /// Also those that the robots.txt of their own host names, or whose index it names
    CrossSubmitted,
    /// All
    Follow,
}

/// Where a walk over a site stores what it has read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "URLs")]
pub(crate) struct Resume {
    /// Store in FILE which documents of the site were read. After Ctrl-C or a crash the same command goes on with those that are missing;
    /// after it has read all, with those that have changed, or that could not be read whole, and it reports which are not listed any more
    #[arg(long, value_name = "FILE", requires = "site")]
    save: Option<PathBuf>,
}

impl Resume {
    /// An error if several arguments would be stored in one file.
    pub(crate) fn check(&self, arguments: usize) -> Result<()> {
        if self.save.is_some() && arguments > 1 {
            bail!("--save is for one site at a time");
        }
        self.save
            .as_deref()
            .map_or(Ok(()), |path| check_file(path, "--save"))
    }
}

impl Live {
    /// Reads one document.
    pub(crate) fn document() -> Self {
        let Budget {
            documents,
            wire_bytes,
            time,
            ..
        } = Budget::default();
        Live {
            site: false,
            connections: 1,
            max_documents: documents,
            max_transfer: wire_bytes,
            max_time: time.as_secs(),
            other_hosts: None,
            crawl_delay: None,
            report: ReportFile::default(),
        }
    }

    /// The most time for loading.
    pub(crate) fn max_time(&self) -> Duration {
        Duration::from_secs(self.max_time)
    }

    /// Returns an error if there is nothing to report, or the report cannot be written.
    pub(crate) fn check_report(&self, has_urls: bool) -> Result<()> {
        if self.report.is_some() && !has_urls {
            bail!("--report is about documents at URLs, and no URL is named");
        }
        self.report.check()
    }

    /// Whether URLs are those of sites.
    pub(crate) fn is_of_sites(&self) -> bool {
        self.site
    }

    /// Reads the document at a URL, or each document of a site, in several threads: as soon as it is loaded, and once. At the end those
    /// that could not be loaded, which cannot be opened. Returns their number.
    pub(crate) fn each(&self, url: &str, resume: &Resume, read: &ReadInput<'_>) -> Result<u64> {
        let client = Client::new();
        let mut builder = self.builder(client.uses_proxy());
        if let Some(path) = &resume.save {
            StateFile::load(path)?.map(|state| builder.state(state));
        }
        let mut walk = self.walk(&builder, url)?;
        let file = match &resume.save {
            Some(path) => Some(StateFile::create(path, &mut walk)?),
            None => None,
        };
        // A broken document is read as well, so that the command says what is wrong with it.
        let broken = Mutex::new(HashSet::new());
        let readings = Mutex::new(Readings::new());
        let (walk, mut documents, result) = Loader::new(
            walk,
            client,
            MEMORY_BYTES,
            file,
            self.longest_delay(),
            &|input, fate| {
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
        for input in self.inputs_of(url, &walk, |document| match document.fate() {
            Fate::Read | Fate::Unchanged => None,
            _ if broken.contains(document.url()) => None,
            fate => Some(unread(document.url(), fate)),
        })? {
            read(&input)?;
            documents += 1;
        }
        Ok(documents)
    }

    /// The document at a URL, or the documents of a site in their order, to be opened as often as necessary. Those that could not be loaded
    /// are among them, and cannot be opened.
    pub(crate) fn inputs(&self, url: &str) -> Result<Vec<Input>> {
        let client = Client::new();
        let walk = self.walk(&self.builder(client.uses_proxy()), url)?;
        let loaded = Mutex::new(HashMap::new());
        let readings = Mutex::new(Readings::new());
        let (walk, _, result) = Loader::new(walk, client, 0, None, self.longest_delay(), &|input, _| {
            if self.report.is_some() {
                self.note(&readings, input, &input.reading());
            }
            let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
            loaded.insert(input.name.clone(), input.clone());
            Ok(Reading::default())
        })
        .run(self.loads_at_once());
        self.end(&walk, readings, result)?;
        let mut loaded = loaded.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.inputs_of(url, &walk, |document| {
            let name = document.url();
            Some(
                loaded
                    .remove(name)
                    .unwrap_or_else(|| unread(name, document.fate())),
            )
        })
    }

    /// Keeps what was read of a document for the report.
    fn note(&self, readings: &Mutex<Readings>, input: &Input, reading: &Reading) {
        if self.report.is_some() {
            let mut readings = readings.lock().unwrap_or_else(PoisonError::into_inner);
            readings.insert(input.name.clone(), reading.clone());
        }
    }

    /// Ends a walk: reports it, also if it failed.
    fn end(&self, walk: &Walk, readings: Mutex<Readings>, result: Result<()>) -> Result<()> {
        let readings = readings.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reported = self.report.add(walk, &readings);
        result.and(reported)
    }

    /// The longest time between two requests that robots.txt may ask for.
    fn longest_delay(&self) -> Duration {
        self.crawl_delay.map_or(CRAWL_DELAY, Duration::from_secs)
    }

    fn loads_at_once(&self) -> usize {
        if self.site { self.connections.into() } else { 1 }
    }

    fn builder(&self, uses_proxy: bool) -> WalkBuilder {
        let mut builder = WalkBuilder::new(concat!("sitemap/", env!("CARGO_PKG_VERSION")));
        let mut budget = Budget::default();
        budget.documents = if self.site { self.max_documents } else { 1 };
        budget.wire_bytes = self.max_transfer;
        budget.time = Duration::from_secs(self.max_time);
        let limits = Limits::reading()
            .with_bytes(DOCUMENT_BYTES)
            .with_decompressed_bytes(DOCUMENT_BYTES);
        builder
            .budget(budget)
            .reader(|reader| {
                reader.limits(limits);
            })
            .max_connections_per_host(self.connections.into())
            .other_hosts(match self.other_hosts {
                None | Some(Elsewhere::Skip) => OtherHosts::Skip,
                Some(Elsewhere::CrossSubmitted) => OtherHosts::CrossSubmitted,
                Some(Elsewhere::Follow) => OtherHosts::Follow,
            })
            .behind_proxy(uses_proxy);
        if self.site {
            builder.max_crawl_delay(self.longest_delay());
        }
        builder
    }

    fn walk(&self, builder: &WalkBuilder, url: &str) -> Result<Walk> {
        Ok(if self.site {
            builder.walk_site(url)?
        } else {
            builder.walk_sitemap(url)?
        })
    }

    /// The inputs that are documents of a walk, and what it left out.
    fn inputs_of(
        &self,
        url: &str,
        walk: &Walk,
        mut input: impl FnMut(&DocumentReport<'_>) -> Option<Input>,
    ) -> Result<Vec<Input>> {
        let report = walk.report();
        if self.site && report.is_behind_proxy() {
            print_message!(
                "sitemap: {url}: hosts are not checked for private addresses behind a proxy, unless their URLs have IP addresses"
            );
        }
        let documents: Vec<_> = report
            .documents()
            .iter()
            .filter(|found| is_input(found))
            .collect();
        let damaged: Vec<_> = report.documents().iter().filter_map(damaged_robots).collect();
        if documents.is_empty() && damaged.is_empty() {
            bail!("{url} has no sitemap: robots.txt names none, and there is none at the usual URLs");
        }
        let mut inputs: Vec<Input> = documents.iter().filter_map(|document| input(document)).collect();
        inputs.extend(damaged);
        if self.site && report.over_budget() > 0 {
            let over = grouped(report.over_budget());
            let is_full = report.documents().len() >= self.max_documents;
            inputs.push(Input::unread(
                url.to_owned(),
                if is_full {
                    format!("{over} listed documents are over --max-documents")
                } else {
                    format!("{over} listed documents are left out, since their URLs are too long")
                },
            ));
        }
        Ok(inputs)
    }
}

fn unread(url: &str, fate: &Fate) -> Input {
    let option = match fate {
        Fate::Skipped(Cause::OtherHost) => " (--other-hosts follow)",
        _ => "",
    };
    Input::unread(url.to_owned(), format!("{fate}{option}"))
}

/// A `robots.txt` with lines that could not be read. What they name is read by no command.
fn damaged_robots(document: &DocumentReport<'_>) -> Option<Input> {
    let is_damaged = document.role() == Role::Robots && *document.fate() == Fate::Read;
    let problem = document.problem().filter(|_| is_damaged)?;
    let problem = unread_entries(document.invalid_entries(), problem);
    Some(Input::unread(document.url().to_owned(), problem))
}

/// Whether a document is one that the command reads, or has to say of that it could not be read.
fn is_input(document: &DocumentReport<'_>) -> bool {
    match (document.role(), document.fate()) {
        (_, Fate::SameAs(_)) | (Role::Guess, Fate::Absent) => false,
        (Role::Robots, fate) => matches!(fate, Fate::Failed(_) | Fate::Skipped(_)),
        // Many sites respond with a page where there is nothing.
        (Role::Guess, Fate::Failed(Failure::Document(_))) => document.kind().is_some(),
        _ => true,
    }
}

//! Sitemaps at URLs: they are loaded into temporary files, and then read as files are.

mod client;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use sitemap_serde::Limits;
use sitemap_tree::{
    Answer, Budget, DocumentReport, Failure, Fate, Outcome, Request, Role, Step, Ticket, Walk, WalkBuilder,
};
use tempfile::{NamedTempFile, TempPath};

use self::client::Client;
use crate::input::{Input, grouped};
use crate::progress::Progress;

/// The most bytes of one document, decompressed or not.
const DOCUMENT_BYTES: u64 = 1 << 30;

/// How URLs are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "URLs")]
pub(crate) struct Live {
    /// Read all sitemaps of the sites whose URLs are given: those that robots.txt names, or else those at the usual URLs, and what they
    /// list
    #[arg(long)]
    site: bool,
    /// Number of documents to load at once
    #[arg(long, value_name = "NUMBER", default_value = "4")]
    jobs: NonZeroUsize,
    /// Maximum number of documents to load
    #[arg(long, value_name = "NUMBER", default_value_t = Budget::default().documents)]
    max_documents: usize,
    /// Maximum number of bytes to transfer
    #[arg(long, value_name = "NUMBER", default_value_t = Budget::default().wire_bytes)]
    max_transfer: u64,
    /// Maximum time for loading, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Budget::default().time.as_secs())]
    max_time: u64,
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
            jobs: NonZeroUsize::MIN,
            max_documents: documents,
            max_transfer: wire_bytes,
            max_time: time.as_secs(),
        }
    }

    /// The document at a URL, or the documents of a site. Those that cannot be loaded are among them, and cannot be opened.
    pub(crate) fn inputs(&self, url: &str) -> Result<Vec<Input>> {
        let client = Client::new();
        let loader = Loader {
            walk: Mutex::new(Loading::new(self.walk(url, client.uses_proxy())?)),
            answered: Condvar::new(),
            began: Instant::now(),
            client,
        };
        let jobs = if self.site { self.jobs.get() } else { 1 };
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| loader.work());
            }
        });
        let loading = loader.walk.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.loaded(url, loading)
    }

    fn walk(&self, url: &str, uses_proxy: bool) -> Result<Walk> {
        let mut builder = WalkBuilder::new(concat!("sitemap/", env!("CARGO_PKG_VERSION")));
        builder
            .budget(Budget {
                documents: if self.site { self.max_documents } else { 1 },
                wire_bytes: self.max_transfer,
                time: Duration::from_secs(self.max_time),
                ..Budget::default()
            })
            .limits(
                Limits::reading()
                    .with_bytes(DOCUMENT_BYTES)
                    .with_decompressed_bytes(DOCUMENT_BYTES),
            )
            .connections_per_host(self.jobs.get())
            .behind_proxy(uses_proxy);
        let walk = if self.site {
            builder.walk_site(url)
        } else {
            builder.walk_sitemap(url)
        };
        Ok(walk?)
    }

    fn loaded(&self, url: &str, mut loading: Loading) -> Result<Vec<Input>> {
        let report = loading.walk.report();
        if self.site && report.is_behind_proxy() {
            print_message!(
                "sitemap: {url}: hosts are not checked for private addresses behind a proxy, unless their URLs have IP addresses"
            );
        }
        let mut inputs = Vec::new();
        for document in report.documents() {
            let address = document.redirected_to().unwrap_or(document.url());
            if !is_input(document) {
                continue;
            }
            let name = document.url().to_owned();
            inputs.push(match loading.files.remove(address) {
                Some(file) => Input::loaded(name, file),
                None => Input::unread(name, document.fate().to_string()),
            });
        }
        if inputs.is_empty() {
            bail!("{url} has no sitemap: robots.txt names none, and there is none at the usual URLs");
        }
        if self.site && report.over_budget() > 0 {
            let problem = format!(
                "{} listed documents are over --max-documents",
                grouped(report.over_budget())
            );
            inputs.push(Input::unread(url.to_owned(), problem));
        }
        Ok(inputs)
    }
}

/// Whether a document is one that the command reads, or has to say of that it could not be read.
fn is_input(document: &DocumentReport<'_>) -> bool {
    match (document.role(), document.fate()) {
        (_, Fate::SameAs(_)) => false,
        (Role::Robots, fate) => matches!(fate, Fate::Failed(_) | Fate::LeftOut(_)),
        // Many sites respond with a page where there is nothing.
        (Role::Guess, fate) => !matches!(fate, Fate::Absent | Fate::Failed(Failure::Document(_))),
        _ => true,
    }
}

/// Loads the documents of a walk in several threads.
struct Loader {
    walk: Mutex<Loading>,
    answered: Condvar,
    began: Instant,
    client: Client,
}

/// A walk, and what was loaded.
struct Loading {
    walk: Walk,
    /// The documents, by the URLs that they are from.
    files: HashMap<String, TempPath>,
    progress: Progress,
    documents: u64,
    entries: u64,
    bytes: u64,
}

impl Loading {
    fn new(walk: Walk) -> Self {
        Loading {
            walk,
            files: HashMap::new(),
            progress: Progress::new(),
            documents: 0,
            entries: 0,
            bytes: 0,
        }
    }

    fn finish(&mut self, outcome: Outcome, url: String, file: Loaded, now: Duration) {
        // A document that is no sitemap is read again by the command, which says why.
        if matches!(outcome.fate(), Fate::Read | Fate::Failed(Failure::Document(_))) {
            self.files.insert(url, file.path);
            self.documents += 1;
            self.entries += outcome.entries();
        }
        self.bytes += file.bytes;
        let bytes = self.bytes;
        let (documents, entries) = (grouped(self.documents), grouped(self.entries));
        self.progress.show(|| {
            let rate = u128::from(bytes) / now.as_millis().max(1);
            format!("{documents} documents, {entries} entries, {rate} kB/s")
        });
        self.walk.finish(outcome, now);
    }
}

impl Loader {
    /// Loads documents until there is none left.
    fn work(&self) {
        while let Some(request) = self.next() {
            self.load(&request);
            self.answered.notify_all();
        }
        self.answered.notify_all();
    }

    fn next(&self) -> Option<Request> {
        let mut loading = self.lock();
        loop {
            match loading.walk.step(self.began.elapsed()) {
                Step::Request(request) => return Some(request),
                Step::Done => return None,
                Step::Wait(time) => {
                    let time = time.unwrap_or(Duration::from_secs(1));
                    let waited = self.answered.wait_timeout(loading, time);
                    loading = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    fn load(&self, request: &Request) {
        let result = self.client.send(request).and_then(|(head, body)| {
            let answer = self
                .lock()
                .walk
                .respond(request.id(), &head, self.began.elapsed());
            match answer {
                Answer::Read(ticket) => self.read(ticket, body),
                _ => Ok(()),
            }
        });
        if let Err(failure) = result {
            self.lock().walk.fail(request.id(), failure, self.began.elapsed());
        }
    }

    /// Reads a body, and keeps it in a file.
    fn read(&self, ticket: Ticket, body: impl Read) -> Result<(), Failure> {
        let no_file =
            |error: io::Error| Failure::connection(format_args!("cannot write a temporary file: {error}"));
        let (file, path) = NamedTempFile::new().map_err(no_file)?.into_parts();
        let url = ticket.url().to_owned();
        let mut copy = Copy { body, file, bytes: 0 };
        let outcome = ticket.read(&mut copy).outcome();
        if matches!(outcome.fate(), Fate::Failed(Failure::Document(_))) {
            // The walk has stopped at an error, and the command looks for further ones.
            io::copy(&mut (&mut copy).take(DOCUMENT_BYTES), &mut io::sink()).map_err(Failure::connection)?;
        }
        let file = Loaded {
            path,
            bytes: copy.bytes,
        };
        self.lock().finish(outcome, url, file, self.began.elapsed());
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Loading> {
        self.walk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body in a file.
struct Loaded {
    path: TempPath,
    bytes: u64,
}

/// A body that is written to a file as it is read.
struct Copy<R> {
    body: R,
    file: File,
    bytes: u64,
}

impl<R: Read> Read for Copy<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer)?;
        self.file.write_all(buffer.get(..read).unwrap_or_default())?;
        self.bytes += read as u64;
        Ok(read)
    }
}

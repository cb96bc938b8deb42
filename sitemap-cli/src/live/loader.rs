//! Loading the documents of a walk in several threads.
//!
//! **Documents at URLs are loaded, then read** (`sitemap-cli/src/live`, feature `http`). Each thread of `live/loader` loads a whole body
//! into memory, or into an unnamed temporary file if it is long. Then it calls the command. A truncated body is therefore requested again
//! before a line of it is printed, and the command's own reader parses each document once (`Document::outcome_unparsed`). A document that
//! this reader cannot read completely is rejected (`Outcome::reject`), so the next run reads it again.
//!
//! Commands that ignore the entries of an index still report the walk's problems in it (`Input::check_index`), because the pages below it
//! are missing. `diff` and `lint` read documents several times and in order, so they keep all files until they end. A document that failed
//! to load is an input whose opening fails, and commands report it like an unreadable file. With `--save` (`live/resume`), a document is
//! added to the file once its lines are written.
//!
//! The client is the one from `sitemap-tree`'s feature `ureq`: two ureq agents, one of them with a resolver that refuses private addresses.
//! The resolver is outside ureq's semver, so the dependency's minor version is fixed. `live/client` requests pages and robots.txt through the
//! same agents.

use std::fs::File;
use std::io::{self, Read, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use sitemap_serde::lint::Response;
use sitemap_tree::{
    Answer, Client, DocumentKind, Failure, Fate, Head, Outcome, Request, Role, Step, Ticket, Walk,
};

use super::rate::Rate;
use super::resume::{StateFile, is_interrupted};
use crate::input::{Damage, Input, Reading, Received, counted, grouped};
use crate::progress::Progress;

/// Limits for draining a body so that its connection can be reused.
const SKIPPED_BYTES: u64 = 64 << 10;
const SKIPPING: Duration = Duration::from_secs(1);

/// Reads a loaded document, intact or broken.
type ReadLoaded<'r> = dyn Fn(&Input, &Fate) -> Result<Reading> + Sync + 'r;

/// Loads the documents of a walk in several threads. Each thread reads the documents it loads.
pub(super) struct Loader<'r> {
    loading: Mutex<Loading>,
    answered: Condvar,
    began: Instant,
    client: Client,
    /// Documents up to this size are kept in memory.
    memory_bytes: usize,
    read: &'r ReadLoaded<'r>,
    /// `true` after a reading failed. No more documents are loaded then.
    has_failed: AtomicBool,
}

/// The state of a walk and its counts.
struct Loading {
    walk: Walk,
    file: Option<StateFile>,
    progress: Progress,
    longest_delay: Duration,
    is_delay_noted: bool,
    documents: u64,
    entries: u64,
    bytes: u64,
}

impl<'r> Loader<'r> {
    pub(super) fn new(
        walk: Walk,
        client: Client,
        memory_bytes: usize,
        file: Option<StateFile>,
        longest_delay: Duration,
        read: &'r ReadLoaded<'r>,
    ) -> Self {
        Loader {
            loading: Mutex::new(Loading {
                walk,
                file,
                progress: Progress::new(),
                longest_delay,
                is_delay_noted: false,
                documents: 0,
                entries: 0,
                bytes: 0,
            }),
            answered: Condvar::new(),
            began: Instant::now(),
            client,
            memory_bytes,
            read,
            has_failed: AtomicBool::new(false),
        }
    }

    /// Loads and reads all documents. Returns the walk, the number of documents read, and the first error.
    pub(super) fn run(self, threads: usize) -> (Walk, u64, Result<()>) {
        let result = thread::scope(|scope| {
            let start = |_| thread::Builder::new().spawn_scoped(scope, || self.work());
            // The system may allow fewer threads than requested.
            let workers: Vec<_> = (1..threads).map_while(|number| start(number).ok()).collect();
            let result = self.work();
            let joined = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|cause| panic::resume_unwind(cause)));
            // Joins every thread and returns the first error.
            joined.fold(result, Result::and)
        });
        let mut loading = self.loading.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = match loading.file {
            Some(file) => file.finish(&mut loading.walk, self.began.elapsed()),
            None => Ok(()),
        };
        (loading.walk, loading.documents, finished.and(result))
    }

    /// Loads documents until none is left.
    fn work(&self) -> Result<()> {
        while let Some(request) = self.next() {
            let result = self.load(&request);
            if result.is_err() {
                self.has_failed.store(true, Ordering::Relaxed);
            }
            self.answered.notify_all();
            result?;
        }
        self.answered.notify_all();
        Ok(())
    }

    fn next(&self) -> Option<Request> {
        let mut loading = self.lock();
        while !self.is_stopped() {
            match loading.walk.step(self.began.elapsed()) {
                Step::Request(request) => return Some(request),
                Step::Done => return None,
                Step::Wait(time) => {
                    loading.show_wait(time);
                    // Short, because an interruption does not wake the thread.
                    let longest = Duration::from_millis(200);
                    let time = time.map_or(longest, |time| time.min(longest));
                    let waited = self.answered.wait_timeout(loading, time);
                    loading = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    fn is_stopped(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || is_interrupted()
    }

    fn load(&self, request: &Request) -> Result<()> {
        let began = Instant::now();
        let (head, body) = match self.client.send(request) {
            Ok(response) => response,
            Err(failure) => return self.fail(request, failure),
        };
        let answer = {
            let mut loading = self.lock();
            let answer = loading.walk.respond(request.id(), &head, self.began.elapsed());
            loading.store()?;
            answer
        };
        match answer {
            Answer::Read(ticket) => self.read(request, &Origin::new(head, began), ticket, body),
            Answer::Redirect | Answer::Skip => {
                self.skip(body);
                Ok(())
            }
        }
    }

    /// Drains a short body so that its connection can be reused. Gives up on errors and on slow bodies.
    fn skip(&self, body: impl Read) {
        let (began, mut body, mut block) = (Instant::now(), body.take(SKIPPED_BYTES), [0; 4 << 10]);
        while began.elapsed() < SKIPPING
            && !self.is_stopped()
            && body.read(&mut block).is_ok_and(|read| read > 0)
        {}
    }

    fn fail(&self, request: &Request, failure: Failure) -> Result<()> {
        if self.is_stopped() {
            // The interruption may be the cause of the failure, so the document stays pending.
            return Ok(());
        }
        let mut loading = self.lock();
        loading.walk.fail(request.id(), failure, self.began.elapsed());
        loading.store()
    }

    /// Loads a body and, once it is complete, reads its document. A truncated body is requested again without being read.
    fn read(&self, request: &Request, origin: &Origin, ticket: Ticket, body: impl Read) -> Result<()> {
        let name = ticket.document_url().to_owned();
        let listers = ticket.listed_in().map(str::to_owned).collect();
        let mut kept = Kept {
            body,
            is_stopped: || self.is_stopped(),
            memory: Vec::new(),
            memory_bytes: self.memory_bytes,
            file: None,
            bytes: 0,
            rate: Rate::new(Instant::now()),
            is_too_slow: false,
            problem: None,
        };
        let document = ticket.read(&mut kept);
        let kind = document.kind();
        let is_compressed_twice = document.is_compressed_twice();
        let is_sitemap = is_sitemap(request.role(), kind);
        let mut outcome = if is_sitemap {
            document.outcome_unparsed()
        } else {
            document.outcome()
        };
        if let Some(problem) = kept.problem {
            return Err(Error::new(problem).context("cannot write a temporary file"));
        }
        if !outcome.is_whole() && self.is_stopped() {
            return Ok(());
        }
        if kept.is_too_slow {
            return self.fail(request, Failure::TooSlow);
        }
        let bytes = kept.bytes;
        let mut is_input = is_sitemap && is_read(&outcome);
        let mut reading = Reading::default();
        if is_input {
            let mut received = Received {
                damage: damage(kind, &outcome),
                ..origin.received(&name, request, bytes)
            };
            received.response.is_compressed_twice = is_compressed_twice;
            received.listers = listers;
            let input = kept.into_input(name).of_response(received);
            if input.is_other_json() {
                is_input = false;
                outcome.reject(
                    "this is JSON without a `loc`, and no sitemap; check the address: this may be an error",
                );
            } else {
                reading = (self.read)(&input, outcome.fate())?;
                if kind == Some(DocumentKind::Pages) {
                    outcome.set_entries(reading.entries);
                }
            }
        }
        if let Some(problem) = reading.problem {
            outcome.reject(problem);
        }
        let mut loading = self.lock();
        loading.documents += u64::from(is_input);
        loading.entries += reading.entries;
        loading.bytes += bytes;
        loading.walk.finish(outcome, self.began.elapsed());
        loading.note_crawl_delay();
        loading.show_progress(self.began.elapsed());
        loading.store()
    }

    fn lock(&self) -> MutexGuard<'_, Loading> {
        self.loading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loading {
    /// Saves the progress of the walk.
    fn store(&mut self) -> Result<()> {
        match &mut self.file {
            Some(file) => file.append(&self.walk.take_changes()),
            None => Ok(()),
        }
    }

    /// Shows the waiting time that sites request.
    fn show_wait(&mut self, time: Option<Duration>) {
        if let Some(time) = time.filter(|time| *time > Duration::from_secs(2)) {
            let documents = grouped(self.documents);
            self.progress
                .show(|| format!("{documents} documents, waiting for {} s", time.as_secs()));
        }
    }

    /// Prints the site's `Crawl-delay`, once.
    fn note_crawl_delay(&mut self) {
        let Some(asked) = self.walk.crawl_delay().filter(|_| !self.is_delay_noted) else {
            return;
        };
        self.is_delay_noted = true;
        let asked = asked.as_secs_f64();
        let kept = asked.min(self.longest_delay.as_secs_f64());
        if kept < asked {
            print_note!(
                "note: robots.txt asks for {asked} s between requests; {kept} s are kept (--crawl-delay {})",
                asked.ceil()
            );
        } else if kept > 0.0 {
            print_note!("note: {kept} s between requests, as robots.txt asks");
        }
    }

    fn show_progress(&mut self, time: Duration) {
        let rate = u128::from(self.bytes) / time.as_millis().max(1);
        let (documents, entries) = (self.documents, self.entries);
        self.progress.show(|| {
            let entries = match entries {
                0 => String::new(),
                1 => " 1 entry,".to_owned(),
                entries => format!(" {} entries,", grouped(entries)),
            };
            format!("{},{entries} {rate} kB/s", counted(documents, "document"))
        });
    }
}

/// Returns `true` for sitemaps: not for `robots.txt`, and not for the web page that many sites answer at missing URLs.
fn is_sitemap(role: Role, kind: Option<DocumentKind>) -> bool {
    match role {
        Role::Robots => false,
        Role::Guess => kind.is_some(),
        _ => true,
    }
}

/// Returns `true` if the command reads a document with this outcome.
fn is_read(outcome: &Outcome) -> bool {
    match outcome.fate() {
        // Servers without validators send unchanged documents too.
        Fate::Read => outcome.has_changed(),
        // The command reports the document's problem.
        fate => matches!(fate, Fate::Failed(Failure::Document(_))),
    }
}

/// The origin of a document: the response's head and the time of the request.
struct Origin {
    head: Head,
    began: Instant,
}

impl Origin {
    fn new(head: Head, began: Instant) -> Self {
        Origin { head, began }
    }

    /// Returns the response's data, after its body was read.
    fn received(&self, name: &str, request: &Request, bytes: u64) -> Received {
        let mut response = Response::new(bytes, self.began.elapsed());
        response.redirected_to = (request.url() != name).then(|| request.url().to_owned());
        response.content_type = self.head.content_type().map(str::to_owned);
        response.has_validator = self.head.etag().or(self.head.last_modified()).is_some();
        response.is_in_index = request.role() == Role::Child;
        let modified = self.head.last_modified();
        Received {
            modified: modified.and_then(|text| httpdate::parse_http_date(text).ok()),
            response,
            listers: Vec::new(),
            head: self.head.clone(),
            damage: None,
        }
    }
}

/// Returns the damage to an index, or to a document without readable content.
fn damage(kind: Option<DocumentKind>, outcome: &Outcome) -> Option<Damage> {
    match outcome.fate() {
        _ if kind == Some(DocumentKind::Pages) => None,
        Fate::Failed(failure) => Some(Damage::Document(failure.to_string())),
        _ => {
            let first = outcome.problem()?.to_owned();
            Some(Damage::Entries(outcome.invalid_entries(), first))
        }
    }
}

/// Keeps a body as it is read: in memory, or in a file if it is long.
struct Kept<R, F> {
    body: R,
    /// Returns `true` to stop reading.
    is_stopped: F,
    memory: Vec<u8>,
    memory_bytes: usize,
    /// The file has no name, so nothing is left behind however the command ends.
    file: Option<File>,
    bytes: u64,
    rate: Rate,
    is_too_slow: bool,
    /// The error that prevents keeping the body.
    problem: Option<io::Error>,
}

impl<R, F> Kept<R, F> {
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        if self.file.is_none() && self.memory.len() + bytes.len() > self.memory_bytes {
            let mut file = tempfile::tempfile()?;
            file.write_all(&self.memory)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => self.memory.write_all(bytes),
        }
    }

    fn into_input(self, name: String) -> Input {
        match self.file {
            Some(file) => Input::loaded(name, file),
            None => Input::received(name, self.memory),
        }
    }
}

impl<R: Read, F: Fn() -> bool> Read for Kept<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.is_stopped)() {
            return Err(io::Error::other("the command is stopping"));
        }
        let read = self.body.read(buffer)?;
        if read > 0 && self.rate.is_too_slow(read, Instant::now()) {
            self.is_too_slow = true;
            return Err(io::ErrorKind::TimedOut.into());
        }
        let kept = self.keep(buffer.get(..read).unwrap_or_default());
        kept.map(|()| read).map_err(|problem| {
            let kind = problem.kind();
            self.problem = Some(problem);
            kind.into()
        })
    }
}

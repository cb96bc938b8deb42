//! A whole walk with the crate's own client.

use std::io::{self, Read};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serde::__internal::grouped;

use crate::body::Broken;
use crate::budget::Remaining;
use crate::client::Client;
use crate::document::{Document, Outcome, Ticket};
use crate::report::{DocumentKind, Failure, Fate, Report};
use crate::request::{Answer, Step};
use crate::walk::Walk;

/// Maximum size of a body, which stays in memory until it is read.
const BODY_BYTES: u64 = 64 << 20;

/// A walk may run several times. Its time never goes back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

fn now() -> Duration {
    BEGAN.elapsed()
}

impl Walk {
    /// Requests all documents with a [`Client`], one after the other, and calls `read` with each sitemap that lists pages
    /// (feature `ureq`). Blocks until the walk is done. Returns the report.
    ///
    /// A body is loaded before it is read, so `read` gets each document once, and never a truncated one. A document with a syntax
    /// error ends at the error. A walk with a [state](crate::WalkBuilder::state) reads only changed documents. A body may have at
    /// most 64 MiB as sent. A longer one fails, and is in the report. [`Client`] shows a loop of your own, without this limit.
    ///
    /// ```no_run
    /// use sitemap_tree::Walk;
    ///
    /// let mut walk = Walk::site("ExampleBot/1.0 (+https://example.com/bot)", "https://example.com/")?;
    /// let report = walk.run(|document| {
    ///     for entry in document.entries().flatten() {
    ///         println!("{}", entry.loc);
    ///     }
    ///     Ok(())
    /// })?;
    /// print!("{report}"); // a line for each document that was not read
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error of `read` ends the run. Its document then counts as failed, so that a walk from this [state](Self::state) reads
    /// it again. A variable for proxies with an invalid value is an error before the first request. The report has all other
    /// failures.
    pub fn run(
        &mut self,
        read: impl FnMut(&mut Document<&[u8]>) -> io::Result<()>,
    ) -> io::Result<Report<'_>> {
        let client = Client::new().map_err(io::Error::other)?;
        self.run_with(&client, read)
    }

    /// Like [`run`](Self::run), with a client that has [settings](crate::ClientBuilder): headers for the site, certificates, times
    /// (feature `ureq`).
    ///
    /// # Errors
    /// An error of `read` ends the run, as in [`run`](Self::run).
    pub fn run_with(
        &mut self,
        client: &Client,
        mut read: impl FnMut(&mut Document<&[u8]>) -> io::Result<()>,
    ) -> io::Result<Report<'_>> {
        loop {
            let request = match self.step(now()) {
                Step::Request(request) => request,
                Step::Wait(Some(time)) => {
                    thread::sleep(time);
                    continue;
                }
                // Only requests that the program took by itself are in flight.
                Step::Wait(None) | Step::Done => return Ok(self.report()),
            };
            if client.uses_proxy(request.url()) {
                self.set_behind_proxy();
            }
            let (head, body) = match client.send(&request) {
                Ok(response) => response,
                Err(failure) => {
                    self.fail(request.id(), failure, now());
                    continue;
                }
            };
            if let Answer::Read(ticket) = self.respond(request.id(), &head, now()) {
                match load(ticket, body, &mut read) {
                    Ok((outcome, result)) => {
                        self.finish(outcome, now());
                        result?;
                    }
                    Err(failure) => self.fail(request.id(), failure, now()),
                }
            }
        }
    }
}

/// Loads a body and reads its document. Returns the outcome, and the result of `read`.
fn load(
    ticket: Ticket,
    body: impl Read,
    read: &mut impl FnMut(&mut Document<&[u8]>) -> io::Result<()>,
) -> Result<(Outcome, io::Result<()>), Failure> {
    // One extra byte shows that the body is too long.
    let most = BODY_BYTES.min(ticket.remaining.wire_bytes()).saturating_add(1);
    let mut bytes = Vec::new();
    if let Err(error) = body.take(most).read_to_end(&mut bytes) {
        let broken = bytes.as_slice().chain(Broken(Some(error)));
        return Ok((ticket.read(broken).outcome(), Ok(())));
    }
    if bytes.len() as u64 > BODY_BYTES {
        ticket.remaining.use_wire_bytes(bytes.len() as u64);
        let problem = format!("its body has more than {} bytes", grouped(BODY_BYTES));
        return Err(Failure::Document(problem.into()));
    }
    let is_read = has_news(&ticket, &bytes);
    let mut document = ticket.read(bytes.as_slice());
    let result = if is_read { read(&mut document) } else { Ok(()) };
    let mut outcome = document.outcome();
    if let Err(error) = &result {
        outcome.reject(error);
    }
    Ok((outcome, result))
}

/// Returns `true` if a body is a whole sitemap with pages, has changed, and was not read at another address.
fn has_news(ticket: &Ticket, bytes: &[u8]) -> bool {
    let mut ticket = ticket.clone();
    // The budget is consumed when the document is read.
    ticket.remaining = Arc::new(Remaining::new(u64::MAX, u64::MAX));
    // Pages are counted then, too.
    ticket.filter = None;
    let document = ticket.read(bytes);
    let lists_pages = document.kind() == Some(DocumentKind::Pages);
    let outcome = document.outcome_unparsed();
    lists_pages
        && match outcome.fate() {
            Fate::Read => outcome.has_changed(),
            fate => matches!(fate, Fate::Failed(Failure::Document(_))),
        }
}

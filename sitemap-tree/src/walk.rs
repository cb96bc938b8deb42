//! The walk: which document is requested next, and the fate of each.
//!
//! **The walk does no I/O and has no clock.** Its client passes the time, sends the requests and applies `Request::allows` in its resolver.
//! So every test runs on a virtual clock, and random trees with random faults are walked hundreds of times a second
//! (`tests/walk/random.rs`).
//!
//! | module | content |
//! |---|---|
//! | `walk` | the state machine. `builder` (settings), `listed` (adding documents: budgets, hosts, guesses), `response` (statuses), `resource` (redirects, and the owner of an address), `hosts` (allowed connections), `saved` (state, and vanished documents), `node` (a document) |
//! | `document`, `body`, `encoding`, `listing` | reading one response, in any thread: `Ticket` → `Document` → `Outcome`; the body is counted, hashed and compared with its length; the `Content-Encoding` of every response is decoded; the listed documents |
//! | `schedule` | which host is next: connections, intervals, retries |
//! | `request`, `report`, `state`, `budget` | input and output |
//! | `cookies` | the cookies of a site, for the walk and the client |
//! | `address`, `global` | normalized addresses, and which IP addresses are public |

mod builder;
mod hosts;
mod listed;
mod node;
mod resource;
mod response;
mod saved;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::mem;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

pub use builder::WalkBuilder;
pub use hosts::OtherHosts;

use crate::address::{self, Address};
use crate::budget::{BudgetItem, Remaining};
use crate::cookies::Cookies;
use crate::document::{Guesses, Outcome};
use crate::error::Result;
use crate::listing::Listed;
use crate::report::{Cause, DocumentKind, DocumentReport, Failure, Fate, Report};
use crate::request::{Request, RequestId, Role, Step, Validators};
use crate::schedule::{Backoff, Due, Schedule};
use crate::state::{Known, Progress, Start, State};
use hosts::Hosts;
use node::Node;
use resource::Resources;

/// A walk over a site's sitemaps, as a state machine: the client sends its requests and reads the bodies.
///
/// All times are durations since any fixed moment, such as the client's start.
///
/// The [crate's page](crate) has a complete client.
#[derive(Debug)]
pub struct Walk {
    settings: Arc<WalkBuilder>,
    start: Start,
    hosts: Hosts,
    nodes: Vec<Node>,
    /// The listed documents, by their own addresses.
    by_address: HashMap<Address, usize>,
    resources: Resources,
    cookies: Cookies,
    /// Documents at common addresses, by hash: identical ones count as one document.
    guesses: Guesses,
    /// Documents of the earlier walk that this one has not reached.
    previous: HashMap<Address, Known>,
    /// The documents of the earlier walk, by the addresses that they were read at.
    known_by_address: HashMap<Address, Address>,
    schedule: Schedule,
    backoff: Backoff,
    flights: HashMap<RequestId, Flight>,
    next_id: u64,
    /// Lists of documents to add: the number of the lister, and its list.
    unadded: VecDeque<(usize, Vec<Listed>)>,
    remaining: Arc<Remaining>,
    /// The used budget, and the counters of the report.
    progress: Progress,
    /// The number of documents, without `robots.txt` files.
    documents: usize,
    /// The bytes of the documents' addresses, including redirect targets.
    url_bytes: usize,
    /// The documents that have changed since the last [`take_changes`](Walk::take_changes).
    changed: BTreeSet<usize>,
    /// The bytes of the document lists to keep for the next walk.
    kept: usize,
    /// The number of recorded links from a document to one that it lists.
    edges: usize,
    began: Option<Duration>,
    /// `true` if the choice of documents keeps one that `robots.txt` names.
    keeps_named: bool,
}

/// A request that has no outcome yet.
#[derive(Debug)]
struct Flight {
    due: Due,
    /// From the head of the response.
    validators: Validators,
}

impl Walk {
    /// Starts a walk over the sitemaps of a site, found by its `robots.txt`, with the default settings.
    ///
    /// The walk trusts the caller's start: if it has a name, its first request allows any IP address, until
    /// [`Head::ip`](crate::Head::ip) shows whether the address is private. A service that walks its users' URLs must check the
    /// start with [`is_global`](crate::is_global) itself.
    ///
    /// # Errors
    /// If `site` is not an absolute http or https URL.
    pub fn site(user_agent: &str, site: &str) -> Result<Self> {
        WalkBuilder::new(user_agent).walk_site(site)
    }

    /// Starts a walk over a sitemap, or over an index and its documents, with the default settings.
    ///
    /// # Errors
    /// If `sitemap` is not an absolute http or https URL.
    pub fn sitemap(user_agent: &str, sitemap: &str) -> Result<Self> {
        WalkBuilder::new(user_agent).walk_sitemap(sitemap)
    }

    /// Returns the next step.
    pub fn step(&mut self, now: Duration) -> Step {
        let began = *self.began.get_or_insert(now);
        let deadline = began.saturating_add(self.settings.budget.time);
        if let Some(item) = self.used_up(now, deadline) {
            self.leave_out_pending(item);
        }
        if let Some(due) = self.schedule.pop(now) {
            return self.request(due, deadline.saturating_sub(now));
        }
        match self.schedule.next_time() {
            Some(time) if time >= deadline && self.flights.is_empty() => {
                self.leave_out_pending(BudgetItem::Time);
                Step::Done
            }
            Some(time) => Step::Wait(Some(time.saturating_sub(now))),
            None if self.flights.is_empty() => Step::Done,
            None => Step::Wait(None),
        }
    }

    /// Reports that a request failed: there was no response, or its body will not be read.
    pub fn fail(&mut self, id: RequestId, failure: Failure, now: Duration) {
        if let Some(flight) = self.flights.remove(&id) {
            self.retry_or_end(flight.due, failure, now);
            self.add_listed();
        }
    }

    /// Reports the outcome of a document.
    pub fn finish(&mut self, outcome: Outcome, now: Duration) {
        let Some(flight) = self.flights.remove(&outcome.id) else {
            return;
        };
        let decompressed = &mut self.progress.decompressed_bytes;
        *decompressed = decompressed.saturating_add(outcome.contents.decompressed_bytes);
        match outcome.fate {
            Fate::Failed(failure) if failure.is_temporary() => {
                let number = flight.due.document;
                // Entries of indexes do not count against the budget.
                if outcome.contents.kind == Some(DocumentKind::Pages) && self.may_retry(number) {
                    self.remaining.return_entries(outcome.contents.entries);
                }
                if let Some(node) = self.nodes.get_mut(number) {
                    self.changed.insert(number);
                    node.contents = outcome.contents;
                }
                self.retry_or_end(flight.due, failure, now);
            }
            _ => self.read(flight, outcome),
        }
        self.add_listed();
    }

    /// The `Crawl-delay` of the site's `robots.txt`, once that is read. The walk waits at most [`WalkBuilder::max_crawl_delay`].
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.progress.crawl_delay
    }

    /// The fate of each document so far.
    pub fn report(&self) -> Report<'_> {
        let address_of = |number: usize| self.nodes.get(number).map(|node| &*node.url);
        let documents = self.nodes.iter().map(|node| DocumentReport {
            url: &node.url,
            target: node.target.as_deref(),
            redirects: node.redirects,
            status: node.status.map(NonZero::get),
            lister: node.lister.and_then(address_of),
            role: node.role,
            depth: node.depth,
            fate: &node.fate,
            contents: &node.contents,
            has_changed: node.has_changed,
        });
        Report {
            documents: documents.collect(),
            unlisted: self.progress.over_budget,
            repeated: self.progress.repeated,
            vanished: self.vanished(),
            requests: self.progress.requests,
            is_behind_proxy: self.settings.is_behind_proxy,
        }
    }

    /// The walk's knowledge, for the next walk. Documents whose outcome is not [finished](Self::finish) count as unread. So a
    /// program that first stores its entries and then this state loses nothing when it is killed.
    pub fn state(&self) -> State {
        saved::state(self)
    }

    /// Returns the changes of the [state](Self::state) since the last call, or since the walk began. A program that appends them
    /// to a file after each document loses nothing when it is killed, and writes much less than the whole state: [`State`] has an
    /// example.
    ///
    /// Vanished documents are only in the state itself. Store it when the walk is done.
    pub fn take_changes(&mut self) -> State {
        saved::take_changes(self)
    }

    #[cfg(feature = "ureq")]
    pub(crate) fn set_behind_proxy(&mut self) {
        if !self.settings.is_behind_proxy {
            Arc::make_mut(&mut self.settings).is_behind_proxy = true;
        }
    }

    fn request(&mut self, due: Due, left: Duration) -> Step {
        let id = RequestId(self.next_id);
        self.next_id += 1;
        self.progress.requests = self.progress.requests.saturating_add(1);
        let node = &mut self.nodes[due.document];
        node.status = None;
        let request = Request {
            id,
            url: Arc::clone(node.address()),
            role: node.role,
            user_agent: Arc::clone(&self.settings.user_agent),
            is_retry: node.retries > 0,
            validators: node.validators(),
            cookies: self.cookies.of(node.address()),
            policy: self.hosts.policy(node.address()),
            timeout: self.settings.budget.request_time.min(left),
        };
        self.flights.insert(
            id,
            Flight {
                due,
                validators: Validators::default(),
            },
        );
        Step::Request(request)
    }

    /// The exhausted part of the budget, if any.
    fn used_up(&self, now: Duration, deadline: Duration) -> Option<BudgetItem> {
        if now >= deadline {
            Some(BudgetItem::Time)
        } else if self.remaining.wire_bytes() == 0 {
            Some(BudgetItem::WireBytes)
        } else if self.remaining.entries() == 0 {
            Some(BudgetItem::Entries)
        } else if self.progress.decompressed_bytes >= self.settings.budget.decompressed_bytes {
            Some(BudgetItem::DecompressedBytes)
        } else {
            None
        }
    }

    /// Skips every document that is not in flight.
    fn leave_out_pending(&mut self, item: BudgetItem) {
        if self.schedule.is_empty() && !self.hosts.are_waiting() {
            return;
        }
        self.schedule.clear_queues();
        self.hosts.stop_waiting();
        self.resources.stop_waiting();
        let in_flight: Vec<usize> = self.flights.values().map(|flight| flight.due.document).collect();
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if node.fate == Fate::Pending && !in_flight.contains(&number) {
                node.fate = Fate::Skipped(Cause::Budget(item));
                self.changed.insert(number);
            }
        }
    }

    /// Retries a document after a failure, or gives up.
    fn retry_or_end(&mut self, due: Due, failure: Failure, now: Duration) {
        self.schedule.release(due.host);
        if failure.is_temporary() && self.may_retry(due.document) {
            let node = &mut self.nodes[due.document];
            node.retries = node.retries.saturating_add(1);
            let time = now.saturating_add(self.backoff.before_retry(node.retries.into()));
            self.schedule.push_at(due, time);
        } else {
            self.end(due.document, Fate::Failed(failure));
        }
    }

    fn may_retry(&self, number: usize) -> bool {
        let node = self.nodes.get(number);
        node.is_some_and(|node| u32::from(node.retries) < self.settings.retries)
    }

    /// Sets the fate of a document that was not read.
    fn end(&mut self, number: usize, fate: Fate) {
        self.changed.insert(number);
        let node = &mut self.nodes[number];
        node.fate = fate;
        if node.role == Role::Robots {
            self.after_robots(number, None);
        } else {
            self.share(number);
        }
    }

    /// Takes over the outcome of a document.
    fn read(&mut self, flight: Flight, outcome: Outcome) {
        let number = flight.due.document;
        self.schedule.release(flight.due.host);
        self.changed.insert(number);
        let progress = &mut self.progress;
        progress.repeated = progress.repeated.saturating_add(outcome.listing.repeated);
        progress.over_budget = progress.over_budget.saturating_add(outcome.listing.over_budget);
        let listed = outcome.listing.documents;
        let (is_whole, mut contents) = (outcome.fate == Fate::Read, outcome.contents);
        let is_kept = is_whole && outcome.listing.over_budget == 0 && self.may_keep(&listed);
        let node = &mut self.nodes[number];
        if is_whole {
            node.has_changed = outcome.has_changed;
            // A program does not read it again, so it has not counted them.
            if let Some(known) = node.known.as_deref().filter(|_| !outcome.has_changed) {
                contents.entries = known.entries;
            }
        }
        if let (true, Some(kind)) = (is_kept, contents.kind) {
            node.known = Some(Box::new(Known {
                kind,
                entries: contents.entries,
                target: node.target.clone(),
                validators: flight.validators,
                hash: outcome.hash,
                lastmod: node.lastmod.clone(),
                listed: listed.clone(),
            }));
        }
        node.contents = contents;
        node.fate = outcome.fate;
        if matches!(node.fate, Fate::SameAs(_)) {
            // They are the other document's entries.
            self.remaining
                .return_entries(mem::take(&mut node.contents.entries));
        }
        if node.role == Role::Robots {
            self.after_robots(number, outcome.robots.as_ref().map(|robots| (robots, &*listed)));
        }
        // The `robots.txt` of a walked site lists sitemaps. On other hosts, and in a walk over one sitemap, it is only consulted.
        let is_asked = self.nodes[number].role == Role::Robots && (number > 0 || !self.start.is_site);
        if !is_asked {
            self.unadded.push_back((number, listed));
        }
        self.share(number);
    }

    /// Returns `true` if a list of documents may be kept for the next walk. Many indexes can list the same documents, so the
    /// lists have a limit.
    fn may_keep(&mut self, listed: &[Listed]) -> bool {
        let bytes = listed.iter().map(Listed::bytes);
        let kept = bytes.fold(self.kept, usize::saturating_add);
        let is_kept = kept <= self.settings.budget.url_bytes;
        if is_kept {
            self.kept = kept;
        }
        is_kept
    }
}

/// The address of a site's `robots.txt`.
fn robots_address(address: &str) -> Address {
    format!("{}/robots.txt", address::origin(address)).into()
}

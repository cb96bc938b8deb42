//! Walks the sitemaps of a live site: its `robots.txt`, indexes, and every document that they list.
//!
//! The crate has no I/O of its own. A [`Walk`] is a state machine: it says what to request, takes the heads of responses, and has their bodies
//! read by a [`Ticket`], in any thread. The client is the program's own, with its connections, its clock and its runtime; or, with the
//! feature `ureq`, `Walk::run` does all this:
//!
//! ```no_run
//! # #[cfg(feature = "ureq")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use sitemap_tree::Walk;
//!
//! let mut walk = Walk::site("ExampleBot/1.0", "https://example.com/")?;
//! let report = walk.run(|document| {
//!     for entry in document.entries().flatten() {
//!         println!("{}", entry.loc);
//!     }
//!     Ok(())
//! })?;
//! print!("{report}"); // a line for each document that was not read
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "ureq"))]
//! # fn main() {}
//! ```
//!
//! With another client the program carries out each step:
//!
//! ```
//! use std::collections::HashMap;
//! use std::time::Instant;
//!
//! use sitemap_tree::{Answer, Head, Step, Walk};
//!
//! // In place of a server:
//! let site = HashMap::from([
//!     ("https://example.com/robots.txt", "Sitemap: https://example.com/index.xml"),
//!     (
//!         "https://example.com/index.xml",
//!         r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!              <sitemap><loc>https://example.com/pages.txt</loc></sitemap>
//!              <sitemap><loc>https://example.com/gone.xml</loc></sitemap>
//!            </sitemapindex>"#,
//!     ),
//!     ("https://example.com/pages.txt", "https://example.com/\nhttps://example.com/about\n"),
//! ]);
//!
//! let mut walk = Walk::site("ExampleBot/1.0", "https://example.com/")?;
//! let mut pages = Vec::new();
//! let began = Instant::now();
//! loop {
//!     match walk.step(began.elapsed()) {
//!         Step::Request(request) => {
//!             // A client sends `request.headers()` and resolves the host's name as `request.allows` says.
//!             let (status, body) = site.get(request.url()).map_or((404, ""), |body| (200, *body));
//!             match walk.respond(request.id(), &Head::new(status), began.elapsed()) {
//!                 Answer::Read(ticket) => {
//!                     let mut document = ticket.read(body.as_bytes());
//!                     let mut found: Vec<String> = Vec::new();
//!                     for entry in document.entries() {
//!                         found.push(entry?.loc);
//!                     }
//!                     let outcome = document.outcome();
//!                     if outcome.is_whole() {
//!                         pages.append(&mut found);
//!                     }
//!                     walk.finish(outcome, began.elapsed());
//!                 }
//!                 Answer::Redirect | Answer::Skip => {}
//!             }
//!         }
//!         Step::Wait(time) => std::thread::sleep(time.unwrap_or_default()),
//!         Step::Done => break,
//!     }
//! }
//! assert_eq!(pages, ["https://example.com/", "https://example.com/about"]);
//! assert_eq!(walk.report().to_string(), "https://example.com/gone.xml does not exist\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | use |
//! |---|---|
//! | the pages, with no client of your own | `Walk::run` (feature `ureq`) |
//! | a client for your own loop | `Client` (feature `ureq`) |
//! | all sitemaps of a site, or those below one address | [`WalkBuilder::walk_site`], [`WalkBuilder::walk_sitemap`] |
//! | bounds on documents, bytes, entries, time | [`Budget`] |
//! | several documents read at once | a [`Ticket`] for each thread: it is independent of the walk |
//! | entries as your own type, or leniently | [`Document`]'s methods, [`WalkBuilder::reader`] |
//! | what became of each document | [`Walk::report`] |
//! | only what has changed since the last time, or to go on after an interruption | [`Walk::state`], [`WalkBuilder::state`] |
//! | to go on after a crash | [`Walk::take_changes`] after each document |
//! | documents as they are, to be read elsewhere | [`Document::outcome_unparsed`] |
//! | sitemaps on other hosts | [`OtherHosts`] |
//! | no request to private networks | [`Request::allows`] |
//!
//! The [guide] has a client with several threads, and how to go on after a crash.
//!
//! # What a walk does
//!
//! **Where it looks.** For a site it requests `robots.txt` (RFC 9309) and the sitemaps that it names. If it names none, or does not exist, it
//! looks for `/sitemap.xml`, `/sitemap_index.xml`, `/sitemap.xml.gz`, `/sitemap.txt` and `/wp-sitemap.xml`, except where `robots.txt`
//! disallows that; those that a server answers alike are one document. If `robots.txt` fails (status 5xx, no connection), the whole site counts as disallowed. Rules do not apply to what
//! `robots.txt` names and indexes list: that is published for crawlers. Text sitemaps, feeds and gzip are recognised by their content.
//!
//! **Each document once.** Addresses are compared as RFC 3986 section 6.2 says, and each address is requested once. A document
//! that redirects to another one's address is the same document if that one is read, and fails as it does otherwise; so each fares as it does
//! alone, in whichever order they come.
//! An index within an index is followed, up to [`Budget::depth`], and reported (P-NEST).
//!
//! **Retries.** After a broken connection, a body that broke off and the statuses 408, 429 and 5xx a document is requested again, up to
//! [`max_retries`](WalkBuilder::max_retries) times. After 429 and 503 it waits for `Retry-After`, or exponentially longer, and fails at once if that
//! is more than ten minutes. After 429 the walk leaves the whole host alone, for a minute at most. `Crawl-delay` is kept up to
//! [a time](WalkBuilder::max_crawl_delay), 1 s by default.
//! A body is whole if it has its `Content-Length` and the client reports no error; without either, if its document is whole.
//!
//! **Bodies.** `Content-Encoding` is removed, gzip and deflate, by [`BodyReader`], for everything that is requested. Any status 2xx with a body
//! is a document, and 206 if its range is the whole. Cookies are sent back to the host that set them, until the walk ends.
//!
//! **Nothing is left out silently.** Every document that is listed has its [`Fate`] in the [`Report`]; those over
//! [`Budget::documents`] or [`Budget::url_bytes`] are counted.
//!
//! # Memory
//!
//! A document with an address of 44 bytes, a lastmod and validators needs about 690 bytes, and without validators 620: the 50,000 of the
//! default budget need 35 MB. Their number is bounded, and by [`Budget::url_bytes`] their URLs, of at most 8 KiB each. What indexes list is kept for the next walk in as many bytes; an index
//! for whose list there is no room is read again then. A [`Ticket`] needs what a [`Reader`](sitemap_serde::Reader) of a stream needs, and
//! room for as many addresses if it reads an index.
//!
//! # An asynchronous client
//!
//! [`Ticket::read`] reads an `io::Read`, and so blocks. An asynchronous client sends the pieces of a body through a bounded channel to a
//! blocking thread, where a small `Read` receives them; or it collects small bodies first. `tests/frameworks/examples/reqwest.rs` in the
//! repository is such a client.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `ureq` | `Walk::run` and `Client`: requests by [ureq](https://docs.rs/ureq) with rustls. Off by default; without it the crate has no I/O. ureq's resolver is not covered by its semver, so its version is exact |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod address;
mod body;
mod budget;
#[cfg(feature = "ureq")]
mod client;
mod document;
mod encoding;
mod error;
mod global;
pub mod guide;
mod listing;
mod report;
mod request;
#[cfg(feature = "ureq")]
mod run;
mod schedule;
mod state;
mod walk;

pub use budget::{Budget, BudgetItem};
#[cfg(feature = "ureq")]
pub use client::Client;
pub use document::{Document, Outcome, Ticket};
pub use encoding::{BodyReader, TextReader};
pub use error::{Error, Result};
pub use global::is_global;
pub use report::{Cause, DocumentKind, DocumentReport, Failure, Fate, Report};
pub use request::{Answer, Head, Request, RequestId, Role, Step};
pub use state::State;
pub use walk::{OtherHosts, Walk, WalkBuilder};

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

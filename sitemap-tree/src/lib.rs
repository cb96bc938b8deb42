//! Walks the sitemaps of a live site: its `robots.txt`, indexes, and every document that they list.
//!
//! The crate has no I/O of its own. A [`Walk`] is a state machine. It returns requests, takes the heads of responses, and issues
//! a [`Ticket`] that reads a body in any thread. The program brings its own client, with its connections, clock and runtime. Or,
//! with the feature `ureq`, `Walk::run` does everything:
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
//! With your own client, the program carries out each step:
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
//! | headers, a password, certificates, times | `ClientBuilder`, with `Walk::run_with` (feature `ureq`) |
//! | few requests a second | [`WalkBuilder::min_interval`] |
//! | all sitemaps of a site, or those below one address | [`WalkBuilder::walk_site`], [`WalkBuilder::walk_sitemap`] |
//! | bounds on documents, bytes, entries, time | [`Budget`] |
//! | several documents read at once | a [`Ticket`] for each thread: it is independent of the walk |
//! | entries as your own type, or leniently | [`Document`]'s methods, [`WalkBuilder::reader`] |
//! | the fate of each document | [`Walk::report`] |
//! | only changed documents, or to continue after an interruption | [`Walk::state`], [`WalkBuilder::state`] |
//! | to continue after a crash | [`Walk::take_changes`] after each document |
//! | unparsed bodies, to read elsewhere | [`Document::outcome_unparsed`] |
//! | sitemaps on other hosts | [`OtherHosts`] |
//! | no request to private networks | [`Request::allows`] |
//!
//! The [guide] has a client with several threads, and shows how to continue after a crash.
//!
//! # What a walk does
//!
//! **Where it looks.** For a site, the walk requests `robots.txt` (RFC 9309) and the sitemaps that it names. If `robots.txt`
//! names none, is empty or does not exist, the walk tries `/sitemap.xml`, `/sitemap_index.xml`, `/sitemap.xml.gz`, `/sitemap.txt` and
//! `/wp-sitemap.xml`, except addresses that `robots.txt` disallows. Identical responses to these count as one document. If
//! `robots.txt` fails (status 5xx, no connection), the whole site counts as disallowed. Disallow rules do not apply to sitemaps
//! that `robots.txt` or an index lists: they are published for crawlers. Text sitemaps, feeds and gzip are recognised by their
//! content.
//!
//! **Each document once.** Addresses are compared by RFC 3986 section 6.2, and each address is requested once. If a document
//! redirects to another document's address, it shares that document's fate: it is the same document, or fails in the same way.
//! The order of requests makes no difference. An index within an index is followed, up to [`Budget::depth`], and reported
//! (P-NEST).
//!
//! **Retries.** A document is requested again after a broken connection, a truncated body and the statuses 408, 429 and 5xx, up
//! to [`max_retries`](WalkBuilder::max_retries) times. A conditional request that is refused with 400, 412 or 5xx is first
//! repeated without the condition, which is no retry. After 429 and 503 the walk waits for `Retry-After`, or exponentially
//! longer. A `Retry-After` above ten minutes is a failure. After 429 the walk sends nothing to the whole host, for a minute at
//! most. It waits for `Crawl-delay` up to [a maximum](WalkBuilder::max_crawl_delay), 1 s by default. A body is whole if it has
//! its `Content-Length` and the client reports no error. Without a length, it is whole if its document is.
//!
//! **Bodies.** [`BodyReader`] decodes the `Content-Encoding`, gzip and deflate, of every response. Any status 2xx with a body is
//! a document; 206 only if its range covers the whole. Cookies are sent back to the host that set them, or with the site's
//! `Domain` to the site with and without `www.`, until the walk ends; the newest 4 KiB, since servers refuse longer heads.
//!
//! **Nothing is skipped silently.** Every listed document has its [`Fate`] in the [`Report`]. Documents over
//! [`Budget::documents`] or [`Budget::url_bytes`] are counted.
//!
//! # Memory
//!
//! A document with an address of 44 bytes, a lastmod and validators needs about 690 bytes, without validators 620. The 51,000
//! documents of the default budget need 35 MB. [`Budget::documents`] bounds their number and [`Budget::url_bytes`] their URLs, of
//! at most 8 KiB each. The lists of indexes are kept for the next walk, within the same number of bytes. If a list does not fit,
//! the next walk reads its index again. A [`Ticket`] needs the memory of a streaming [`Reader`](sitemap_serde::Reader), and while
//! it reads an index up to [`Budget::url_bytes`] for URLs.
//!
//! # An asynchronous client
//!
//! [`Ticket::read`] reads an `io::Read`, so it blocks. An asynchronous client sends the chunks of a body through a bounded
//! channel to a blocking thread, where a small `Read` receives them. Small bodies can be collected first instead.
//! `tests/frameworks/examples/reqwest.rs` in the repository is such a client.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `ureq` | `Walk::run`, `Client` and `ClientBuilder`: requests by [ureq](https://docs.rs/ureq) with rustls. Off by default; without it the crate has no I/O. The minor version of ureq is fixed, since semver does not cover its resolver and transports |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod address;
mod body;
mod budget;
#[cfg(feature = "ureq")]
mod client;
mod cookies;
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
mod took_longer;
mod walk;

pub use budget::{Budget, BudgetItem};
#[cfg(feature = "ureq")]
pub use client::{Client, ClientBuilder};
pub use document::{Document, Outcome, Ticket};
pub use encoding::BodyReader;
pub use error::{Error, Result};
pub use global::is_global;
#[doc(hidden)]
pub use report::Wait;
pub use report::{Cause, DocumentKind, DocumentReport, Failure, Fate, Report};
pub use request::{Answer, Head, Request, RequestId, Role, Step};
pub use state::State;
pub use walk::{OtherHosts, Walk, WalkBuilder};

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

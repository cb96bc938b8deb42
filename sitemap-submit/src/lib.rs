//! Announces changed pages to search engines with [IndexNow](https://www.indexnow.org/documentation), once the site serves them.
//!
//! Like `sitemap-tree`, the crate has no I/O of its own. Each [`Exchange`] is a state machine: it returns each request and its
//! time, and reads the responses. The program brings its own client, with its connections and clock. Or, with the feature `ureq`,
//! `Exchange::run` does everything:
//!
//! ```no_run
//! # #[cfg(feature = "ureq")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use sitemap_submit::{Exchange, PageState, Submission};
//!
//! let mut submission = Submission::new("0123456789abcdef")?;
//! submission.push("https://example.com/lamps", PageState::new("lastmod=2026-05-01"))?;
//! submission.run(|_| Ok(()))?;
//! println!("{} received", submission.report().received);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "ureq"))]
//! # fn main() {}
//! ```
//!
//! With your own client, the program carries out each step:
//!
//! ```
//! use std::time::Duration;
//!
//! use sitemap_submit::{Exchange, PageState, Record, Response, Step, Submission};
//! use sitemap_tree::Head;
//!
//! // What was sent by earlier runs: a text file, to which each run appends lines.
//! let mut file = Record::default().text(Submission::ENDPOINT, "2026-05-02T10:00:00Z");
//! let mut submission = Submission::new("0123456789abcdef")?;
//! submission.record(Record::parse(&file)?);
//! submission.push("https://example.com/lamps", PageState::new("lastmod=2026-05-01"))?;
//! submission.push("https://example.com/sofas", PageState::REMOVED)?;
//! let mut now = Duration::ZERO;
//! loop {
//!     match submission.step(now) {
//!         Step::Request(request) => {
//!             // In place of a client: first the key file is looked at, and then the pages are posted.
//!             let mut body = if request.body().is_none() { "0123456789abcdef" } else { "" }.as_bytes();
//!             submission.respond(Ok(Response::new(Head::new(200), &mut body)), now);
//!             for page in submission.take_received() {
//!                 file.push_str(&page.line("2026-05-02T10:00:00Z"));
//!             }
//!         }
//!         Step::Wait(time) => now += time, // a program sleeps
//!         Step::Done => break,
//!     }
//! }
//! assert_eq!(submission.report().received, 2);
//! assert_eq!(Record::parse(&file)?.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | use |
//! |---|---|
//! | to announce pages that were added, changed or removed | [`Submission`] |
//! | to announce each change once, even after the program was killed | [`Record`] |
//! | to announce pages only once the site serves them | [`Deployment`] |
//! | to know what changed | [`sitemap_serde::diff`], and [`PageState::from_change`] for each change |
//! | only the bodies of requests | [`IndexNow`] |
//! | no client of your own | `Exchange::run` (feature `ureq`), for submissions and deployments |
//!
//! # What engines answer
//!
//! A participating engine shares the pages with the others; Google does not participate. The statuses 200 and 202 confirm that
//! pages were received, not that they are or will be indexed. 202 also means that the key is not checked yet. After 408, 429, 5xx
//! and broken connections an order is repeated, at most eight times: after 1 s, 2 s, 4 s and so on, up to 64 s, or after
//! `Retry-After`. Every other status refuses the order, and is [explained in words](Problem).
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `ureq` | `Exchange::run`: requests by [ureq](https://docs.rs/ureq) with rustls, as `sitemap-tree` sends them. Off by default; without it the crate has no I/O |
//!
//! # Memory
//!
//! A [`Submission`] keeps the pages to send, and a [`Record`] the sent pages: for each, its address and some 50 bytes.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod deployment;
mod error;
mod exchange;
mod index_now;
mod problem;
mod record;
#[cfg(feature = "ureq")]
mod run;
mod submission;

pub use deployment::Deployment;
pub use error::{Error, Result};
pub use exchange::{Exchange, Request, Response, Step};
pub use index_now::IndexNow;
pub use problem::Problem;
pub use record::{PageState, Record, SentPage};
pub use submission::{Report, Submission, Unsent};

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

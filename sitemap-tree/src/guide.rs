//! Reading the sitemaps of live sites: a client with threads, runs that go on, and the command.
//!
//! # A client with several threads
//!
//! With the feature `ureq`, `Walk::run` requests one document after the other, and `Client::send` is the function `send` of the program below.
//!
//! A [`Walk`](crate::Walk) has no connections of its own, so a client is a loop around it: ask for a [`Step`](crate::Step), send the
//! request, answer with the [`Head`](crate::Head), read the body by the [`Ticket`](crate::Ticket), and
//! [`finish`](crate::Walk::finish). Only the walk is shared by threads. Bodies are read without it, so that one thread parses while
//! others load:
//!
//! ```
//! use std::io::{self, Read};
//! use std::sync::{Condvar, Mutex};
//! use std::thread;
//! use std::time::{Duration, Instant};
//!
//! use sitemap_tree::{Answer, Failure, Head, Request, Step, Walk};
//!
//! /// Sends a request by an HTTP client, such as ureq. It follows no redirects, and its resolver asks `request.allows(address)`.
//! fn send(request: &Request) -> io::Result<(Head, impl Read + use<>)> {
//!     // In place of a server:
//!     let (status, body) = match request.url() {
//!         "https://example.com/robots.txt" => (200, "Sitemap: https://example.com/1.txt\nSitemap: https://example.com/2.txt"),
//!         "https://example.com/1.txt" => (200, "https://example.com/a\nhttps://example.com/b"),
//!         "https://example.com/2.txt" => (200, "https://example.com/c"),
//!         _ => (404, ""),
//!     };
//!     Ok((Head::new(status), body.as_bytes()))
//! }
//!
//! let walk = Mutex::new(Walk::site("ExampleBot/1.0 (+https://example.com/bot)", "https://example.com/")?);
//! let answered = Condvar::new();
//! let began = Instant::now();
//! let pages = Mutex::new(Vec::new());
//! let work = || loop {
//!     let mut locked = walk.lock().unwrap();
//!     let request = match locked.step(began.elapsed()) {
//!         Step::Request(request) => request,
//!         Step::Wait(time) => {
//!             drop(answered.wait_timeout(locked, time.unwrap_or(Duration::from_secs(1))));
//!             continue;
//!         }
//!         Step::Done => break,
//!     };
//!     drop(locked);
//!     match send(&request) {
//!         Ok((head, body)) => {
//!             let answer = walk.lock().unwrap().respond(request.id(), &head, began.elapsed());
//!             if let Answer::Read(ticket) = answer {
//!                 let mut document = ticket.read(body);
//!                 let mut found: Vec<String> = document.entries().flatten().map(|entry| entry.loc).collect();
//!                 let outcome = document.outcome();
//!                 // A body that broke off is requested again, with all of its entries.
//!                 if outcome.is_whole() {
//!                     pages.lock().unwrap().append(&mut found);
//!                 }
//!                 walk.lock().unwrap().finish(outcome, began.elapsed());
//!             }
//!         }
//!         Err(error) => walk.lock().unwrap().fail(request.id(), Failure::connection(error), began.elapsed()),
//!     }
//!     answered.notify_all();
//! };
//! thread::scope(|scope| {
//!     for _ in 0..4 {
//!         scope.spawn(work);
//!     }
//! });
//! let mut pages = pages.into_inner()?;
//! pages.sort();
//! assert_eq!(pages, ["https://example.com/a", "https://example.com/b", "https://example.com/c"]);
//! print!("{}", walk.into_inner()?.report()); // a line for each document that was not read
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without room for the entries of a document, keep its body instead, in a file, and read that when it is whole:
//! [`Document::outcome_unparsed`](crate::Document::outcome_unparsed) reads a body to its end without parsing it.
//!
//! # Again, and after a crash
//!
//! [`Walk::state`](crate::Walk::state) is stored by any format of serde. The next walk [begins with it](crate::WalkBuilder::state): it goes on
//! where the last one stopped, or sends conditional requests if that was finished. Of servers without validators
//! [`Outcome::has_changed`](crate::Outcome::has_changed) says whether a document is another one. [`State`](crate::State) shows how to store what
//! changes after each document, so that not even `kill -9` loses more than what was in flight.
//!
//! # What a site may do to a client
//!
//! | what | by what it is bounded |
//! |---|---|
//! | endless bodies, gzip bombs | the limits of [`WalkBuilder::reader`](crate::WalkBuilder::reader), [`Budget::wire_bytes`](crate::Budget::wire_bytes) |
//! | a byte a second | [`Request::timeout`](crate::Request::timeout), which the client sets for the whole request; a client that measures the rate says [`Failure::TooSlow`](crate::Failure::TooSlow) |
//! | indexes that list millions, themselves, or URLs of kilobytes | [`Budget::documents`](crate::Budget::documents), [`Budget::depth`](crate::Budget::depth), [`Budget::url_bytes`](crate::Budget::url_bytes) |
//! | redirects in circles | [`Budget::redirects`](crate::Budget::redirects) |
//! | names and redirects that lead to your own network | [`Request::allows`](crate::Request::allows), which the client asks for every address that it connects to |
//!
//! # How fast, and how much memory
//!
//! The benchmark's client, with ureq and two threads, looks at all fields of 1,000,000 URLs with images and alternates, in 100 compressed
//! sitemaps that nginx serves on the same machine. It takes 0.97 times as long as decompressing and reading the same bytes in memory
//! (`cargo run --release -p sitemap-benches -- tree`), and 5 MB of memory, as it does for 20 of them; [each document](crate#memory) needs
//! about 690 bytes. When nothing has changed, a walk sends one request for each document, and parses none.
//!
//! # The command
//!
//! The command `sitemap` takes URLs where it takes files: one document, or with `--site` all sitemaps of a site.
//!
//! ```text
//! sitemap stat https://example.com/ --site
//! sitemap cat https://example.com/ --site --fields loc,lastmod
//! sitemap convert https://example.com/ --site --to jsonl -o pages.jsonl
//! sitemap diff https://example.com/sitemap.xml public/sitemap.xml
//! sitemap stat https://example.com/ --site --other-hosts follow
//! sitemap cat https://example.com/ --site --save example.state >> urls.txt
//! ```
//!
//! `cat`, `stat`, `convert` and `split` read each document as soon as it is loaded, in the order in which they come. The entries of a body
//! that broke off are never printed; of a document that is broken further down, those in front of that are. With `--save`, the same command goes
//! on after Ctrl-C, with each document printed once, or after a crash, with at most those twice that were in flight; and when all is read, it
//! prints what has changed since, and again what could not be read whole, until it can, and reports what is not listed any more. `--connections`, `--max-documents`,
//! `--max-transfer`, `--max-time` and `--crawl-delay` bound what it does, and a body that comes at less than 1 kB/s for a minute is given up. Proxies are those of the environment, as curl's are.

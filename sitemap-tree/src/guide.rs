//! Reading the sitemaps of live sites: a client with threads, continued walks, and the command.
//!
//! # A client with several threads
//!
//! With the feature `ureq`, `Walk::run` requests one document after the other. `Client::send` can replace the function `send` of
//! the program below.
//!
//! A [`Walk`](crate::Walk) has no connections of its own, so a client is a loop around it: ask for a [`Step`](crate::Step), send
//! the request, answer with the [`Head`](crate::Head), read the body with the [`Ticket`](crate::Ticket), and
//! [`finish`](crate::Walk::finish). Threads share only the walk. A body is read without it, so one thread parses while others
//! load:
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
//! If the entries of a document do not fit into memory, save its body to a file, and read the file when it is whole.
//! [`Document::outcome_unparsed`](crate::Document::outcome_unparsed) reads a body to its end without parsing it.
//!
//! # Again, and after a crash
//!
//! Any serde format stores a [`Walk::state`](crate::Walk::state). The next walk [starts with it](crate::WalkBuilder::state): it
//! continues an interrupted walk, and sends conditional requests after a finished one. Servers without validators send every
//! document again; [`Outcome::has_changed`](crate::Outcome::has_changed) compares its hash. [`State`](crate::State) shows how to
//! store the changes after each document, so that `kill -9` loses only the documents in flight.
//!
//! # Some of the documents and pages
//!
//! [`WalkBuilder::sitemaps`](crate::WalkBuilder::sitemaps) chooses documents by their addresses: the others are not requested.
//! [`WalkBuilder::filter`](crate::WalkBuilder::filter) chooses pages by their lastmods and locs. With
//! [`trust_lastmod`](crate::WalkBuilder::trust_lastmod), sitemaps whose lastmod in their index is too old are not requested either.
//! Documents that are skipped so are [`Cause::Filter`](crate::Cause::Filter) in the report.
//!
//! # What a site may do to a client
//!
//! | attack | bound |
//! |---|---|
//! | endless bodies, gzip bombs | the limits of [`WalkBuilder::reader`](crate::WalkBuilder::reader), [`Budget::wire_bytes`](crate::Budget::wire_bytes) |
//! | a byte a second | [`Request::timeout`](crate::Request::timeout), which the client sets for the whole request; a client that measures the rate reports [`Failure::TooSlow`](crate::Failure::TooSlow) |
//! | indexes that list millions, themselves, or URLs of kilobytes | [`Budget::documents`](crate::Budget::documents), [`Budget::depth`](crate::Budget::depth), [`Budget::url_bytes`](crate::Budget::url_bytes) |
//! | redirects in circles | [`Budget::redirects`](crate::Budget::redirects) |
//! | names and redirects that lead to your own network | [`Request::allows`](crate::Request::allows), which the client calls for every address before it connects |
//!
//! # Sites behind a password
//!
//! A [`ClientBuilder`](crate::ClientBuilder) (feature `ureq`) adds headers to the requests of one origin: a scheme, host and port. A
//! client follows no redirect itself, so the walk's request of the target has the target's headers, which are none. An index that
//! lists another host, a redirect from http to https, and one to `www.` end the headers too. Name the URL where the site ends.
//!
//! With a client of your own, compare the origin of [`Request::url`](crate::Request::url) before you add a header.
//!
//! Values are in no [`State`](crate::State), [`Report`](crate::Report) or error. Cookies of a site are sent back to its hosts until
//! the walk ends, over https only if https set them.
//!
//! # Proxies and certificates
//!
//! | variable | what it is |
//! |---|---|
//! | `http_proxy`, `https_proxy` | the proxy for URLs of this scheme; its own URL is http, https, socks4, socks4a, socks5 or socks5h, and may have a user name and a password |
//! | `all_proxy` | the proxy for both |
//! | `no_proxy` | hosts to connect to directly, separated by commas: names with everything below them, IP addresses, networks such as `10.0.0.0/8`, `*` for all |
//! | `SSL_CERT_FILE` | the trusted certificates, as PEM, in place of Mozilla's |
//!
//! A server's own certificate can be trusted if it is not an authority's: `openssl req -x509` needs
//! `-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:localhost`.
//!
//! Names in upper case count too, after those in lower case. A proxy gets http URLs whole, without CONNECT, and opens a tunnel for
//! https URLs. An invalid proxy is an error, so no request avoids the proxy by mistake.
//!
//! # How fast, and how much memory
//!
//! The benchmark's client uses ureq and two threads. It reads all fields of 1,000,000 URLs with images and alternates, in 100
//! compressed sitemaps that nginx serves on the same machine. It takes 0.97 times as long as decompressing and reading the same
//! bytes in memory (`cargo run --release -p sitemap-benches -- tree`). It needs 5 MB of memory, for 100 sitemaps as for 20; [each
//! document](crate#memory) needs about 690 bytes. If nothing has changed, a walk sends one request for each document, and parses
//! none.
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
//! sitemap cat https://example.com/ --site --since 2026-05-01 --sitemaps '*product*' --report walk.jsonl
//! sitemap stat https://example.com/ --site --other-hosts follow
//! sitemap cat https://example.com/ --site --save example.state >> urls.txt
//! sitemap lint https://staging.example.com/ --site --basic-auth user:password --rate 2
//! sitemap diff https://staging.example.com/sitemap.xml https://example.com/sitemap.xml --header 'X-Preview: TOKEN' --auth-to https://staging.example.com
//! ```
//!
//! `cat`, `stat`, `convert` and `split` read each document as soon as it is loaded, in order of arrival. Entries of a truncated
//! body, or of one whose compression is damaged, are never printed. Entries before a syntax error are. With `--save`, the same command continues an interrupted walk.
//! After Ctrl-C, each document is printed once; after a crash, only documents that were in flight may be printed twice. Once all
//! is read, the command prints only documents that have changed since. It prints incomplete documents again until they can be
//! read whole, and reports documents that are no longer listed. `--connections`, `--max-documents`, `--max-transfer`,
//! `--max-time` and `--crawl-delay` limit the walk. A body slower than 1 kB/s for a minute is aborted.
//!
//! All commands that read URLs share the options for requests:
//!
//! | option | what it does |
//! |---|---|
//! | `--header 'NAME: VALUE'` | sends a header to the host of the named URL only; may be given several times |
//! | `--basic-auth USER:PASSWORD` | sends a user name and a password in the same way; the variable `SITEMAP_BASIC_AUTH` keeps them out of the list of processes |
//! | `--auth-to URL` | names the host for both options, if there are URLs on several hosts |
//! | `--user-agent TEXT` | the `User-Agent` of all requests; its first word selects the rules of robots.txt |
//! | `--ca-file FILE` | trusts the certificates in a file, such as your own authority's |
//! | `--insecure` | accepts every certificate, with a warning |
//! | `--timeout SECONDS` | gives up on a server after this silence, 60 s by default |
//! | `--retries NUMBER` | how often a document is requested again, 3 times by default |
//! | `--rate RATE` | maximum rate of requests to a host: `2` a second, `30/m`, `100/h` |
//!
//! The values of headers are in no output: reports, messages, `--save` files. A document of another host that refuses the request
//! is reported with the option that names this host. A note names another host of the site, with or without `www.` or over https,
//! to which the site redirects.

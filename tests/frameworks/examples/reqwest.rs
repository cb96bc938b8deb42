//! A walk over a site's sitemaps, and the announcement of a page, by reqwest on tokio.
//!
//! `cargo run -p sitemap-framework-tests --example reqwest https://example.com/` prints the pages and the read errors.

use std::error::Error;
use std::io::{self, Cursor, Read};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use sitemap_submit::{Exchange, PageState, Submission};
use sitemap_tree::{Answer, Document, Failure, Head, Outcome, Request, Step, Ticket, Walk};
use tokio::sync::mpsc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "another provider of cryptography")?;
    let mut arguments = std::env::args().skip(1);
    let site = arguments.next().ok_or("the URL of a site")?;
    let mut walk = Walk::site("ExampleBot/1.0 (+https://example.com/bot)", &site)?;
    for page in pages(&mut walk).await? {
        println!("{page}");
    }
    print!("{}", walk.report());

    // A page to announce, the key, and the engine.
    if let (Some(page), Some(key), Some(engine)) = (arguments.next(), arguments.next(), arguments.next()) {
        let mut submission = Submission::new(&key)?;
        submission
            .endpoint(&engine)?
            .push(&page, PageState::new("lastmod=2026-05-01"))?;
        announce(&mut submission).await?;
        println!("{} received", submission.report().received);
    }
    Ok(())
}

/// Reads all pages that the documents of a walk list.
async fn pages(walk: &mut Walk) -> reqwest::Result<Vec<String>> {
    // A policy allows all addresses or only public ones. Each policy has its own connections.
    let [any, public] = [|_| true, sitemap_tree::is_global as fn(IpAddr) -> bool].map(client);
    let (any, public) = (any?, public?);
    let mut pages = Vec::new();
    let began = Instant::now();
    loop {
        let request = match walk.step(began.elapsed()) {
            Step::Request(request) => request,
            Step::Wait(time) => {
                tokio::time::sleep(time.unwrap_or_default()).await;
                continue;
            }
            Step::Done => return Ok(pages),
        };
        let allows_any = request.allows([127, 0, 0, 1].into());
        match send(if allows_any { &any } else { &public }, &request).await {
            Ok(response) => {
                let answer = walk.respond(request.id(), &head(&response), began.elapsed());
                if let Answer::Read(ticket) = answer {
                    let (outcome, mut found) = read(ticket, response).await;
                    // A truncated body is requested again, with all of its entries.
                    if outcome.is_whole() {
                        pages.append(&mut found);
                    }
                    walk.finish(outcome, began.elapsed());
                }
            }
            Err(error) => walk.fail(request.id(), failure(error), began.elapsed()),
        }
    }
}

/// A client that follows no redirects and connects to allowed addresses only.
fn client(allows: fn(IpAddr) -> bool) -> reqwest::Result<Client> {
    Client::builder()
        .redirect(Policy::none())
        .dns_resolver(AllowedAddresses(allows))
        .no_proxy()
        .build()
}

async fn send(client: &Client, request: &Request) -> reqwest::Result<Response> {
    let mut get = client.get(request.url()).timeout(request.timeout());
    for (name, value) in request.headers() {
        get = get.header(name, value);
    }
    get.send().await
}

/// The reason for a missing response.
fn failure(error: reqwest::Error) -> Failure {
    if error.is_timeout() {
        Failure::TimedOut(None)
    } else {
        Failure::connection(error)
    }
}

fn head(response: &Response) -> Head {
    let mut head = Head::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head.header(name.as_str(), value.as_bytes());
    }
    if let Some(address) = response.remote_addr() {
        head.ip(address.ip());
    }
    head
}

/// Resolves names to the addresses that a policy allows. The walk itself refuses IP addresses in URLs.
struct AllowedAddresses(fn(IpAddr) -> bool);

impl Resolve for AllowedAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        let allows = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err("it has no public address".into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Sends the chunks of a body to a blocking thread, which reads it.
async fn read(ticket: Ticket, mut response: Response) -> (Outcome, Vec<String>) {
    let (sender, pieces) = mpsc::channel(4);
    let reading = tokio::task::spawn_blocking(|| {
        let body = Pieces {
            pieces,
            current: Cursor::default(),
        };
        locs(ticket.read(body))
    });
    loop {
        let piece = match response.chunk().await {
            Ok(Some(piece)) => Ok(piece.to_vec()),
            Ok(None) => break,
            Err(error) => Err(io::Error::other(error)),
        };
        let is_broken = piece.is_err();
        // The reader is gone if the document is broken.
        if sender.send(piece).await.is_err() || is_broken {
            break;
        }
    }
    drop(sender);
    reading.await.expect("the reader does not panic")
}

fn locs(mut document: Document<Pieces>) -> (Outcome, Vec<String>) {
    let locs = document.entries().flatten().map(|entry| entry.loc).collect();
    (document.outcome(), locs)
}

/// A body that arrives in pieces.
struct Pieces {
    pieces: mpsc::Receiver<io::Result<Vec<u8>>>,
    current: Cursor<Vec<u8>>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            match self.pieces.blocking_recv() {
                Some(piece) => self.current = Cursor::new(piece?),
                None => return Ok(0),
            }
        }
    }
}

/// Sends all pages of a submission.
async fn announce(submission: &mut Submission) -> reqwest::Result<()> {
    let client = client(|_| true)?;
    let began = Instant::now();
    loop {
        match submission.step(began.elapsed()) {
            sitemap_submit::Step::Request(request) => match exchange(&client, &request).await {
                Ok((head, body)) => {
                    let mut body = body.as_slice();
                    let response = sitemap_submit::Response::new(head, &mut body);
                    submission.respond(Ok(response), began.elapsed());
                }
                Err(error) => submission.respond(Err(failure(error)), began.elapsed()),
            },
            sitemap_submit::Step::Wait(time) => tokio::time::sleep(time).await,
            sitemap_submit::Step::Done => return Ok(()),
        }
    }
}

/// Maximum bytes to keep of a body: key files and responses to orders are short.
const BODY_BYTES: usize = 64 << 10;

async fn exchange(client: &Client, request: &sitemap_submit::Request) -> reqwest::Result<(Head, Vec<u8>)> {
    let mut sent = match request.body() {
        Some(body) => client.post(request.url()).body(body.to_owned()),
        None => client.get(request.url()),
    };
    for (name, value) in request.headers() {
        sent = sent.header(name, value);
    }
    let mut response = sent.timeout(Duration::from_mins(1)).send().await?;
    let (head, mut body) = (head(&response), Vec::new());
    while body.len() < BODY_BYTES
        && let Some(piece) = response.chunk().await?
    {
        body.extend_from_slice(&piece);
    }
    Ok((head, body))
}

//! The same walk by a blocking client (ureq) and an asynchronous one (reqwest on tokio).

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_tree::{Answer, Document, Failure, Head, Outcome, Request, Step, Ticket, Walk};
use tokio::sync::mpsc;

/// Serves a site of three documents, and returns its URL.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let own = site.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, site) = (stream.unwrap(), own.clone());
            thread::spawn(move || respond(&stream, &site));
        }
    });
    site
}

fn respond(mut stream: &TcpStream, site: &str) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let index = format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>{site}/a.txt</loc></sitemap><sitemap><loc>{site}/moved.txt</loc></sitemap>\
         <sitemap><loc>{site}/gone.txt</loc></sitemap></sitemapindex>"
    );
    let (status, location, body) = match request.split(' ').nth(1).unwrap_or_default() {
        "/robots.txt" => ("200 OK", "/", format!("Sitemap: {site}/index.xml")),
        "/index.xml" => ("200 OK", "/", index),
        "/a.txt" => ("200 OK", "/", "https://example.com/a\n".repeat(5000)),
        "/moved.txt" => ("302 Found", "/b.txt", String::new()),
        "/b.txt" => ("200 OK", "/", "https://example.com/b\n".to_owned()),
        _ => ("404 Not Found", "/", String::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nLocation: {location}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Reads the pages of a document.
fn pages<R: Read>(mut document: Document<R>) -> (Outcome, Vec<String>) {
    let pages = document.entries().map(|entry| entry.unwrap().loc).collect();
    (document.outcome(), pages)
}

/// Holds what a client has read against what the site serves.
fn check(walk: &Walk, site: &str, pages: &[String]) {
    let count = |loc: &str| pages.iter().filter(|page| *page == loc).count();
    assert_eq!(
        (
            count("https://example.com/a"),
            count("https://example.com/b"),
            pages.len()
        ),
        (5000, 1, 5001)
    );
    assert_eq!(
        walk.report().to_string(),
        format!("{site}/gone.txt does not exist\n")
    );
}

#[test]
fn blocking() {
    let site = serve();
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None);
    let agent = ureq::Agent::new_with_config(config.build());
    let mut walk = Walk::site("TestBot/1.0", &site).unwrap();
    let mut found = Vec::new();
    let began = Instant::now();
    loop {
        match walk.step(began.elapsed()) {
            Step::Request(request) => match send(&agent, &request) {
                Ok((head, body)) => {
                    if let Answer::Read(ticket) = walk.respond(request.id(), &head, began.elapsed()) {
                        let (outcome, mut pages) = pages(ticket.read(body));
                        if outcome.is_whole() {
                            found.append(&mut pages);
                        }
                        walk.finish(outcome, began.elapsed());
                    }
                }
                Err(error) => walk.fail(request.id(), Failure::connection(error), began.elapsed()),
            },
            Step::Wait(time) => thread::sleep(time.unwrap_or_default()),
            Step::Done => break,
        }
    }
    check(&walk, &site, &found);
}

fn send(agent: &ureq::Agent, request: &Request) -> Result<(Head, impl Read + use<>), ureq::Error> {
    let mut get = agent.get(request.url());
    for (name, value) in request.headers() {
        get = get.header(name, value);
    }
    let response = get
        .config()
        .timeout_global(Some(request.timeout()))
        .build()
        .call()?;
    let mut head = Head::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head.header(name.as_str(), value.as_bytes());
    }
    Ok((head, response.into_body().into_reader()))
}

#[test]
fn asynchronous() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let site = serve();
        let policy = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder()
            .redirect(policy)
            .no_proxy()
            .build()
            .unwrap();
        let mut walk = Walk::site("TestBot/1.0", &site).unwrap();
        let mut found = Vec::new();
        let began = Instant::now();
        loop {
            match walk.step(began.elapsed()) {
                Step::Request(request) => {
                    let mut get = client.get(request.url()).timeout(request.timeout());
                    for (name, value) in request.headers() {
                        get = get.header(name, value);
                    }
                    match get.send().await {
                        Ok(response) => {
                            let answer = walk.respond(request.id(), &head_of(&response), began.elapsed());
                            if let Answer::Read(ticket) = answer {
                                let (outcome, mut pages) = read(ticket, response).await;
                                if outcome.is_whole() {
                                    found.append(&mut pages);
                                }
                                walk.finish(outcome, began.elapsed());
                            }
                        }
                        Err(error) => walk.fail(request.id(), Failure::connection(error), began.elapsed()),
                    }
                }
                Step::Wait(time) => tokio::time::sleep(time.unwrap_or(Duration::ZERO)).await,
                Step::Done => break,
            }
        }
        check(&walk, &site, &found);
    });
}

fn head_of(response: &reqwest::Response) -> Head {
    let mut head = Head::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head.header(name.as_str(), value.as_bytes());
    }
    if let Some(address) = response.remote_addr() {
        head.address(address.ip());
    }
    head
}

/// Reads a body on a blocking thread, to which its pieces are sent.
async fn read(ticket: Ticket, mut response: reqwest::Response) -> (Outcome, Vec<String>) {
    let (sender, pieces) = mpsc::channel(4);
    let reading = tokio::task::spawn_blocking(|| {
        let body = Pieces {
            pieces,
            current: Cursor::default(),
        };
        pages(ticket.read(body))
    });
    loop {
        let piece = match response.chunk().await {
            Ok(Some(piece)) => Ok(piece.to_vec()),
            Ok(None) => break,
            Err(error) => Err(io::Error::other(error)),
        };
        // The reader has gone if the document is broken.
        if sender.send(piece).await.is_err() {
            break;
        }
    }
    drop(sender);
    reading.await.unwrap()
}

/// A body that comes in pieces.
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

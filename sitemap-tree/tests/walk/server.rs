//! A server in memory, and a client of a walk with a clock that passes only while it waits.

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write as _};
use std::net::IpAddr;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::Record;
use sitemap_tree::{Answer, Failure, Fate, Head, Request, RequestId, State, Step, Ticket, Walk};

/// A response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// `true` if the connection breaks after the body.
    pub(crate) breaks: bool,
    /// `true` if there is no response at all.
    pub(crate) is_lost: bool,
}

impl Response {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Response {
            status: 200,
            body: body.into(),
            ..Response::default()
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Response {
            status,
            ..Response::default()
        }
    }

    pub(crate) fn redirect(location: &str) -> Self {
        Response::status(302).with("location", location)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn lost() -> Self {
        Response {
            is_lost: true,
            ..Response::default()
        }
    }

    pub(crate) fn broken(mut self) -> Self {
        self.breaks = true;
        self
    }
}

/// A body that may break off.
struct Wire(Cursor<Vec<u8>>, bool);

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            Ok(0) if self.1 => Err(io::Error::new(io::ErrorKind::ConnectionReset, "connection reset")),
            read => read,
        }
    }
}

/// A client's pages and requests.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The locs of whole documents, by their address.
    pub(crate) documents: Vec<(String, Vec<String>)>,
    /// The requests: time in milliseconds, and address.
    pub(crate) requests: Vec<(u128, String)>,
    /// The headers of the last request of an address.
    pub(crate) headers: HashMap<String, Vec<(String, String)>>,
    /// The maximum number of requests in flight.
    pub(crate) in_flight: usize,
}

impl Seen {
    pub(crate) fn addresses(&self) -> Vec<&str> {
        self.requests.iter().map(|(_, url)| &**url).collect()
    }

    /// The locs of all documents, sorted.
    pub(crate) fn locs(&self) -> Vec<&str> {
        let mut locs: Vec<&str> = self
            .documents
            .iter()
            .flat_map(|(_, locs)| locs)
            .map(|loc| &**loc)
            .collect();
        locs.sort_unstable();
        locs
    }
}

/// Walks to the end, with up to `parallel` requests in flight, or until `stop` says so.
pub(crate) struct Client<S> {
    serve: S,
    pub(crate) parallel: usize,
    pub(crate) now: Duration,
    pub(crate) address: Option<IpAddr>,
    flights: Vec<(Request, Response)>,
    pub(crate) seen: Seen,
}

impl<S: FnMut(&Request) -> Response> Client<S> {
    pub(crate) fn new(serve: S) -> Self {
        Client {
            serve,
            parallel: 1,
            now: Duration::ZERO,
            address: None,
            flights: Vec::new(),
            seen: Seen::default(),
        }
    }

    pub(crate) fn run(&mut self, walk: &mut Walk) {
        // No site of these tests needs this many steps.
        for _ in 0..200_000 {
            if !self.advance(walk) {
                return;
            }
        }
        panic!("the walk does not end");
    }

    /// Takes one step. Returns `true` if there is another one.
    pub(crate) fn advance(&mut self, walk: &mut Walk) -> bool {
        if self.flights.len() < self.parallel {
            match walk.step(self.now) {
                Step::Request(request) => {
                    self.send(request);
                    return true;
                }
                Step::Wait(time) if self.flights.is_empty() => {
                    self.now += time.expect("nothing is in flight");
                    return true;
                }
                Step::Wait(_) => {}
                Step::Done => {
                    assert!(self.flights.is_empty());
                    return false;
                }
            }
        }
        self.receive(walk);
        true
    }

    fn send(&mut self, request: Request) {
        self.seen
            .requests
            .push((self.now.as_millis(), request.url().to_owned()));
        let headers = request
            .headers()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.seen
            .headers
            .insert(request.url().to_owned(), headers.collect());
        let response = (self.serve)(&request);
        self.flights.push((request, response));
        self.seen.in_flight = self.seen.in_flight.max(self.flights.len());
    }

    fn receive(&mut self, walk: &mut Walk) {
        // Not always the first, but the same in every run.
        let at = self.seen.requests.len() % self.flights.len();
        let (request, response) = self.flights.swap_remove(at);
        if response.is_lost {
            walk.fail(request.id(), Failure::connection("connection refused"), self.now);
            return;
        }
        let mut head = Head::new(response.status);
        for (name, value) in &response.headers {
            head.header(name, value.as_bytes());
        }
        if let Some(address) = self.address {
            head.ip(address);
        }
        if let Answer::Read(ticket) = walk.respond(request.id(), &head, self.now) {
            self.read(walk, ticket, response);
        }
    }

    fn read(&mut self, walk: &mut Walk, ticket: Ticket, response: Response) {
        let url = ticket.url().to_owned();
        let mut document = ticket.read(Wire(Cursor::new(response.body), response.breaks));
        let (mut locs, mut record) = (Vec::new(), Record::new());
        while let Ok(true) = document.read_record(&mut record) {
            locs.push(record.loc().to_owned());
        }
        let outcome = document.outcome();
        if outcome.is_whole() && !locs.is_empty() {
            self.seen.documents.push((url, locs));
        }
        walk.finish(outcome, self.now);
    }
}

/// Walks over a table of responses; everything else is 404.
pub(crate) fn run(walk: &mut Walk, table: &[(&str, Response)]) -> Seen {
    let mut client = Client::new(|request: &Request| {
        let found = table.iter().find(|(url, _)| *url == request.url());
        found.map_or(Response::status(404), |(_, response)| response.clone())
    });
    client.run(walk);
    client.seen
}

/// The fates of a walk's documents.
pub(crate) fn fates(walk: &Walk) -> Vec<(String, Fate)> {
    let report = walk.report();
    let documents = report.documents().iter();
    documents
        .map(|document| (document.url().to_owned(), document.fate().clone()))
        .collect()
}

/// A sitemap of these locs.
pub(crate) fn urlset(locs: &[&str]) -> String {
    document("urlset", "url", locs)
}

/// An index of these sitemaps.
pub(crate) fn index<T: AsRef<str>>(locs: &[T]) -> String {
    document("sitemapindex", "sitemap", locs)
}

fn document<T: AsRef<str>>(root: &str, entry: &str, locs: &[T]) -> String {
    let entries: Vec<String> = locs
        .iter()
        .map(|loc| format!("<{entry}><loc>{}</loc></{entry}>", loc.as_ref()))
        .collect();
    format!(
        "<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</{root}>",
        entries.concat()
    )
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A stored walk: a first state and its changes, serialized.
pub(crate) struct Log(Vec<String>);

impl Log {
    pub(crate) fn new(walk: &mut Walk) -> Self {
        walk.take_changes();
        Log(vec![serde_json::to_string(&walk.state()).unwrap()])
    }

    pub(crate) fn append(&mut self, walk: &mut Walk) {
        self.0.push(serde_json::to_string(&walk.take_changes()).unwrap());
    }

    pub(crate) fn state(&self) -> State {
        let mut states = self
            .0
            .iter()
            .map(|text| serde_json::from_str::<State>(text).unwrap());
        let mut state = states.next().unwrap();
        state.extend(states);
        state
    }

    /// Compares the stored state with the state of an unfinished walk.
    pub(crate) fn check(&self, walk: &Walk) {
        let sorted = |state: &State| {
            let mut value = serde_json::to_value(state).unwrap();
            let documents = value["documents"].as_array_mut().unwrap();
            documents.sort_by_key(|document| document["url"].to_string());
            value
        };
        assert_eq!(sorted(&self.state()), sorted(&walk.state()));
    }
}

/// A walk over https://example.com/ with a fixed seed.
pub(crate) fn site() -> Walk {
    builder().walk_site("https://example.com/").unwrap()
}

pub(crate) fn builder() -> sitemap_tree::WalkBuilder {
    let mut builder = sitemap_tree::WalkBuilder::new("TestBot/1.0 (+https://example.com/bot)");
    builder.seed(1);
    builder
}

/// An id of another walk.
pub(crate) fn stray_id() -> RequestId {
    match site().step(Duration::ZERO) {
        Step::Request(request) => request.id(),
        step => panic!("{step:?}"),
    }
}

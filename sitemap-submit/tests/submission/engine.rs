//! An engine, and the site that serves its key.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use sitemap_submit::{Exchange, Request, Response, Step, Submission};
use sitemap_tree::{Failure, Head};

pub(crate) const KEY: &str = "0123456789abcdef";

/// A server's reaction to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reaction {
    Answer(u16),
    /// A status with `Retry-After`.
    Later(u16, &'static str),
    Reset,
    TimeOut,
}

/// Simulates the engine and the sites.
pub(crate) struct Engine {
    /// The next reactions to key files and orders; then 200.
    pub(crate) key_reactions: Vec<Reaction>,
    pub(crate) order_reactions: Vec<Reaction>,
    pub(crate) key_text: String,
    /// The body of each answer to an order.
    pub(crate) words: String,
    /// The number of times each page was received.
    pub(crate) received: BTreeMap<String, u32>,
    pub(crate) requests: Vec<String>,
    pub(crate) now: Duration,
}

impl Engine {
    pub(crate) fn new() -> Self {
        Engine {
            key_reactions: Vec::new(),
            order_reactions: Vec::new(),
            key_text: KEY.to_owned(),
            words: String::new(),
            received: BTreeMap::new(),
            requests: Vec::new(),
            now: Duration::ZERO,
        }
    }

    /// Reacts to a request. Returns the client's view.
    pub(crate) fn react(&mut self, request: &Request) -> Result<Head, Failure> {
        let reactions = match request.body() {
            Some(_) => &mut self.order_reactions,
            None => &mut self.key_reactions,
        };
        let reaction = if reactions.is_empty() {
            Reaction::Answer(200)
        } else {
            reactions.remove(0)
        };
        let head = match reaction {
            Reaction::Answer(status) => Head::new(status),
            Reaction::Later(status, wait) => {
                let mut head = Head::new(status);
                head.header("Retry-After", wait.as_bytes())
                    .header("Date", b"Sun, 06 Nov 1994 08:49:37 GMT");
                head
            }
            Reaction::Reset => return Err(Failure::connection("connection reset")),
            Reaction::TimeOut => return Err(Failure::TimedOut(None)),
        };
        if let Some(body) = request.body().filter(|_| matches!(head.status(), 200 | 202)) {
            self.receive(body);
        }
        Ok(head)
    }

    /// Receives an order, if it follows the protocol.
    fn receive(&mut self, body: &str) {
        let order: Value = serde_json::from_str(body).unwrap();
        assert_eq!(order["key"], KEY);
        let host = order["host"].as_str().unwrap();
        let directory = order["keyLocation"].as_str().map_or("/", |location| {
            let path = &location[location.find(host).unwrap() + host.len()..];
            &path[..=path.rfind('/').unwrap()]
        });
        let urls = order["urlList"].as_array().unwrap();
        assert!((1..=10_000).contains(&urls.len()), "{}", urls.len());
        for url in urls {
            let url = url.as_str().unwrap();
            let (_, rest) = url.split_once("://").unwrap();
            let (authority, path) = rest.split_at(rest.find('/').unwrap());
            let (name, _port) = authority.split_once(':').unwrap_or((authority, ""));
            assert!(name.eq_ignore_ascii_case(host), "{url} {host}");
            assert!(path.starts_with(directory) && url.is_ascii(), "{url}");
            *self.received.entry(url.to_owned()).or_default() += 1;
        }
    }

    /// Answers one step. Returns `true` if there was one.
    pub(crate) fn step(&mut self, submission: &mut Submission) -> bool {
        match submission.step(self.now) {
            Step::Done => return false,
            Step::Wait(time) => {
                assert!(!time.is_zero());
                self.now += time;
            }
            Step::Request(request) => {
                let method = if request.body().is_some() { "POST" } else { "GET" };
                self.requests.push(format!("{method} {}", request.url()));
                let text = match request.body() {
                    Some(_) => self.words.clone(),
                    None => self.key_text.clone(),
                };
                let mut body = text.as_bytes();
                let response = self.react(&request);
                let response = response.map(|head| Response::new(head, &mut body));
                submission.respond(response, self.now);
            }
        }
        true
    }

    pub(crate) fn run(&mut self, submission: &mut Submission) {
        let mut steps = 0;
        while self.step(submission) {
            steps += 1;
            assert!(steps < 10_000, "the submission does not end");
        }
    }
}

//! Heads of responses, as servers send them.
//!
//! ureq refuses a whole response for one odd line of its head: a folded line, a control character, a 129th header, an interim response with
//! headers. RFC 9112 says how a client reads most of these, and the documents behind them are intact. So `Wire` is the outermost layer of
//! each connection. It waits for a complete head, and gives ureq the same head in its simplest form. Bodies pass unchanged.
//!
//! ureq 3.5.2 and ureq-proto 0.7 read heads with httparse's strict defaults, and offer no setting for them.
//!
//! **A kept connection may break at any time.** A server closes it while the next request is under way, or resets every second request.
//! `Wire` knows whether its connection has answered before. Then a break before the first byte is the error `StaleConnection`, and the client
//! sends the request again on a new connection (RFC 9112 section 9.3.1).

use std::collections::HashSet;
use std::error;
use std::fmt;
use std::io;
use std::time::Instant;

use ureq::Error;
use ureq::unversioned::transport::time::Duration;
use ureq::unversioned::transport::{Buffers, NextTimeout, Transport};

/// Maximum bytes of a head, less than ureq's buffer. A longer one is left to ureq, which refuses it.
const HEAD_BYTES: usize = 120 << 10;

/// Maximum number of headers of each of two kinds. ureq reads 128 in total.
const KNOWN: usize = 80;
const OTHERS: usize = 40;

/// How a status line begins.
const STATUS: &[u8] = b"HTTP/1.";

/// Headers that the client, the walk or a program reads, if there are very many.
const KNOWN_NAMES: [&[u8]; 14] = [
    b"connection",
    b"content-encoding",
    b"content-language",
    b"content-range",
    b"content-type",
    b"date",
    b"etag",
    b"last-modified",
    b"link",
    b"location",
    b"refresh",
    b"retry-after",
    b"set-cookie",
    b"x-robots-tag",
];

/// A connection whose heads of responses are made simple.
#[derive(Debug)]
pub(super) struct Wire {
    transport: Box<dyn Transport>,
    /// `true` if a head comes next.
    is_at_head: bool,
    scan: Scan,
    /// `true` if the connection has answered an earlier request.
    is_kept: bool,
    has_answered: bool,
}

impl Wire {
    pub(super) fn new(transport: Box<dyn Transport>) -> Self {
        Wire {
            transport,
            is_at_head: true,
            scan: Scan::default(),
            is_kept: false,
            has_answered: false,
        }
    }

    /// Replaces a complete head in the buffer, and drops interim responses before it. Returns `false` if the head is incomplete.
    fn take_head(&mut self) -> bool {
        loop {
            let input = self.transport.buffers().input();
            let Some(end) = self.scan.end(input) else {
                return input.len() >= HEAD_BYTES || !may_be_http(input);
            };
            self.scan = Scan::default();
            let (head, rest) = input.split_at(end);
            let (is_interim, head) = match simple(head) {
                Some(head) => (is_interim(&head), head),
                // It is not HTTP/1: ureq says so.
                None => (false, head.to_vec()),
            };
            let replaced = if is_interim {
                rest.to_vec()
            } else {
                [&head, rest].concat()
            };
            let buffers = self.transport.buffers();
            buffers.input_consume(buffers.input().len());
            let place = buffers.input_append_buf();
            // A simple head is never longer than the head as sent.
            let length = replaced.len().min(place.len());
            place[..length].copy_from_slice(&replaced[..length]);
            buffers.input_appended(length);
            if !is_interim {
                self.is_at_head = false;
                self.has_answered = true;
                return true;
            }
        }
    }

    /// The error of a connection that broke before the first byte of a response.
    fn stale(&mut self, error: Error) -> Error {
        let is_broken = match &error {
            Error::Io(error) => is_break(error.kind()),
            _ => false,
        };
        if is_broken && self.is_kept && self.is_at_head && self.transport.buffers().input().is_empty() {
            io::Error::new(io::ErrorKind::ConnectionReset, StaleConnection).into()
        } else {
            error
        }
    }
}

/// Returns `true` if an error means that the other side has closed the connection.
fn is_break(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::NotConnected
            | io::ErrorKind::UnexpectedEof
    )
}

impl Transport for Wire {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.is_at_head = true;
        self.is_kept = self.has_answered;
        let sent = self.transport.transmit_output(amount, timeout);
        sent.map_err(|error| self.stale(error))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let began = Instant::now();
        while self.is_at_head {
            if self.take_head() {
                return Ok(true);
            }
            let received = self.transport.await_input(less(timeout, began)?);
            if !received.map_err(|error| self.stale(error))? {
                let end = io::Error::from(io::ErrorKind::UnexpectedEof).into();
                return match self.stale(end) {
                    Error::Io(error) if is_stale(&error) => Err(error.into()),
                    _ => Ok(false),
                };
            }
            if self.take_head() {
                return Ok(true);
            }
        }
        self.transport.await_input(less(timeout, began)?)
    }

    fn is_open(&mut self) -> bool {
        self.transport.is_open()
    }

    fn is_tls(&self) -> bool {
        self.transport.is_tls()
    }
}

/// The rest of a timeout.
fn less(timeout: NextTimeout, began: Instant) -> Result<NextTimeout, Error> {
    let Duration::Exact(after) = timeout.after else {
        return Ok(timeout);
    };
    let after = after.saturating_sub(began.elapsed());
    if after.is_zero() {
        return Err(Error::Timeout(timeout.reason));
    }
    Ok(NextTimeout {
        after: Duration::Exact(after),
        ..timeout
    })
}

/// The search for the end of a head. Each byte is searched once.
#[derive(Debug, Default)]
struct Scan {
    /// The start of the first incomplete line.
    at: usize,
    has_status: bool,
}

impl Scan {
    /// The number of bytes of a complete head: up to and including its empty line.
    fn end(&mut self, input: &[u8]) -> Option<usize> {
        let lines = input.get(self.at..)?.split_inclusive(|b| *b == b'\n');
        for line in lines.take_while(|line| line.ends_with(b"\n")) {
            self.at += line.len();
            // Empty lines before the status are skipped (RFC 9112 section 2.2).
            match text(line) {
                b"" if self.has_status => return Some(self.at),
                line => self.has_status |= !line.is_empty(),
            }
        }
        None
    }
}

/// Returns `false` if the bytes begin like another protocol, whose head would never end.
fn may_be_http(input: &[u8]) -> bool {
    let start = input
        .iter()
        .position(|b| !matches!(b, b'\r' | b'\n'))
        .unwrap_or(input.len());
    input[start..]
        .iter()
        .zip(STATUS)
        .all(|(b, expected)| b == expected)
}

/// A line without its end.
fn text(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_interim(head: &[u8]) -> bool {
    // 101 ends HTTP on this connection.
    head.get(9) == Some(&b'1') && head.get(9..12) != Some(b"101")
}

/// A header line, unfolded.
struct Header {
    name: Vec<u8>,
    value: Vec<u8>,
}

impl Header {
    fn parse(line: &[u8]) -> Option<Self> {
        let colon = line.iter().position(|b| *b == b':')?;
        let (name, value) = line.split_at(colon);
        Some(Header {
            name: name.trim_ascii().to_ascii_lowercase(),
            value: value.get(1..)?.trim_ascii().to_vec(),
        })
    }

    /// Returns `true` if the header says where the body ends. An invalid one must fail the response.
    fn is_framing(&self) -> bool {
        matches!(&*self.name, b"content-length" | b"transfer-encoding")
    }

    fn is_valid(&self) -> bool {
        let is_token = |b: &u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(b);
        let is_text = |b: &u8| *b == b'\t' || *b >= b' ' && *b != 0x7F;
        !self.name.is_empty() && self.name.iter().all(is_token) && self.value.iter().all(is_text)
    }
}

/// The simplest form of a head, which is never longer; `None` if it does not begin like HTTP/1.
fn simple(head: &[u8]) -> Option<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let all = head.split_inclusive(|b| *b == b'\n').map(text);
    for line in all.skip_while(|line| line.is_empty()) {
        match lines.last_mut() {
            // A line that begins with white space continues the one before it (RFC 9112 section 5.2); below the status it means nothing.
            Some(last) if line.starts_with(b" ") || line.starts_with(b"\t") => {
                last.push(b' ');
                last.extend(line.trim_ascii());
            }
            _ => lines.push(line.to_vec()),
        }
    }
    let status = lines.first()?.get(..12)?;
    if !status.starts_with(STATUS) || !status[9..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut status = status.to_vec();
    let mut headers: Vec<Header> = lines[1..].iter().filter_map(|line| Header::parse(line)).collect();
    headers.retain(|header| header.is_valid() || header.is_framing());
    // It overrides Content-Length, also in HTTP/1.0 (RFC 9112 sections 6.1 and 6.3). `identity` is none.
    headers.retain(|header| {
        header.name != b"transfer-encoding" || !header.value.eq_ignore_ascii_case(b"identity")
    });
    if headers.iter().any(|header| header.name == b"transfer-encoding") {
        headers.retain(|header| header.name != b"content-length");
        status[7] = b'1';
    }
    let (mut known, mut others, mut lengths) = (0, 0, HashSet::new());
    headers.retain(|header| {
        // Different lengths must fail the response.
        if header.is_framing() {
            return lengths.insert(header.value.clone());
        }
        let is_known = KNOWN_NAMES.contains(&&*header.name);
        let (count, most) = if is_known {
            (&mut known, KNOWN)
        } else {
            (&mut others, OTHERS)
        };
        *count += 1;
        *count <= most
    });
    let mut simple = status;
    simple.extend(b"\n");
    for Header { name, value } in headers {
        simple.extend([&*name, b":", &*value, b"\n"].concat());
    }
    simple.extend(b"\n");
    Some(simple)
}

/// The error for a kept connection that broke before the first byte of a response.
#[derive(Debug)]
struct StaleConnection;

impl fmt::Display for StaleConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server closed the connection without an answer")
    }
}

impl error::Error for StaleConnection {}

/// Returns `true` if an error is that of a kept connection that broke before the first byte of a response.
pub(super) fn is_stale(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn error::Error + Send + Sync>::is::<StaleConnection>)
}

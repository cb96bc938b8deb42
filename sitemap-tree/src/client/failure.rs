//! Why there is no response, in the words of a reader who does not know the libraries below.

use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Read};
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use sitemap_serde::W3cDateTime;
use ureq::{Error, Proxy, Timeout};

use super::wire;
use crate::report::Failure;
use crate::took_longer::TookLonger;

/// The timeouts of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// For a connection, and between two bytes.
    pub(super) silence: Duration,
    /// For the whole request.
    pub(super) whole: Duration,
}

impl Timeouts {
    fn of(self, timeout: Timeout) -> Duration {
        match timeout {
            Timeout::Global | Timeout::PerCall => self.whole,
            Timeout::RecvResponse => self.silence.saturating_mul(2),
            _ => self.silence,
        }
    }

    /// The reason why ureq has no response.
    pub(super) fn failure(self, error: Error) -> Failure {
        match error {
            Error::Timeout(timeout) => Failure::TimedOut(Some(self.of(timeout))),
            Error::Rustls(error) => Failure::Certificate(certificate_problem(&error.to_string()).into()),
            Error::ConnectProxyFailed(problem) if problem.ends_with("/407") => Failure::Status(407),
            Error::ConnectProxyFailed(problem) => {
                let status = problem
                    .rsplit('/')
                    .next()
                    .filter(|status| status.parse::<u16>().is_ok());
                let problem = status.map_or(problem.clone(), |status| format!("status {status}"));
                Failure::connection(format_args!("the proxy opens no tunnel: {problem}"))
            }
            Error::Io(error)
                if error
                    .get_ref()
                    .is_some_and(<dyn StdError + Send + Sync>::is::<Error>) =>
            {
                match error
                    .into_inner()
                    .map(<dyn StdError + Send + Sync>::downcast::<Error>)
                {
                    Some(Ok(error)) => self.failure(*error),
                    _ => Failure::connection("the connection failed"),
                }
            }
            Error::Io(error) => io_failure(&error),
            Error::Protocol(_) => {
                Failure::connection("it does not answer in HTTP/1, or with an invalid head")
            }
            Error::LargeResponseHeader(..) => {
                Failure::connection("the head of its response is longer than 64 KiB")
            }
            Error::HostNotFound => Failure::connection("its host has no address"),
            error => Failure::connection(error),
        }
    }

    /// The error of a body, for its reader.
    fn body_error(self, error: io::Error) -> io::Error {
        let kind = error.kind();
        if let Some(Error::Timeout(timeout)) = error.get_ref().and_then(|error| error.downcast_ref()) {
            return io::Error::new(io::ErrorKind::TimedOut, TookLonger(self.of(*timeout)));
        }
        let problem = match error.get_ref().and_then(|error| error.downcast_ref()) {
            Some(Error::Protocol(_)) => "its chunks are invalid",
            _ if kind == io::ErrorKind::UnexpectedEof => CLOSED,
            _ => return error,
        };
        io::Error::new(kind, problem)
    }
}

/// Without the addresses of documentation that some libraries add.
const CLOSED: &str = "the server broke the connection off";

fn io_failure(error: &io::Error) -> Failure {
    let cause = error.get_ref();
    if let Some(Refused(address)) = cause.and_then(|cause| cause.downcast_ref()) {
        return Failure::private_ip(*address);
    }
    if cause.is_some_and(<dyn StdError + Send + Sync>::is::<OfProxy>) || wire::is_stale(error) {
        return Failure::connection(error);
    }
    let text = cause.map(ToString::to_string).unwrap_or_default();
    match error.kind() {
        // A retry does not change a certificate.
        _ if text.starts_with(INVALID_CERTIFICATE) => Failure::Certificate(certificate_problem(&text).into()),
        io::ErrorKind::UnexpectedEof => Failure::connection(CLOSED),
        _ if text.contains("InvalidContentType") => {
            Failure::connection("it does not answer in TLS: is it http on this port?")
        }
        _ => Failure::connection(error),
    }
}

const INVALID_CERTIFICATE: &str = "invalid peer certificate";

/// The problem of a certificate, with dates in place of seconds since 1970.
fn certificate_problem(text: &str) -> String {
    let date = |before: &str| {
        let (_, after) = text.split_once(before)?;
        let seconds = after.split(' ').next()?.parse().ok()?;
        let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
        let time = W3cDateTime::try_from(time).ok()?.to_string();
        Some(time.split('T').next()?.to_owned())
    };
    if let Some(date) = date("certificate is not valid after ") {
        format!("its certificate expired on {date}")
    } else if let Some(date) = date("certificate is not valid before ") {
        format!("its certificate is valid from {date} on only")
    } else {
        text.to_owned()
    }
}

/// The error for a host without an allowed address.
#[derive(Debug)]
pub(super) struct Refused(pub(super) IpAddr);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a public address", self.0)
    }
}

impl StdError for Refused {}

/// The error of a connection to a proxy.
#[derive(Debug)]
struct OfProxy(String);

impl fmt::Display for OfProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for OfProxy {}

/// Names the proxy, without its user name and password, in an error of a connection to it.
pub(super) fn of_proxy(proxy: &Proxy, error: io::Error) -> io::Error {
    let is_of_connection = matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::UnexpectedEof
    );
    if !is_of_connection {
        return error;
    }
    let (host, port) = (proxy.host(), proxy.port());
    let problem = format!("no connection to the proxy {host}:{port}: {error}");
    io::Error::new(error.kind(), OfProxy(problem))
}

/// A body whose errors are in plain words.
#[derive(Debug)]
pub(super) struct PlainErrors<R> {
    pub(super) body: R,
    pub(super) timeouts: Timeouts,
}

impl<R: Read> Read for PlainErrors<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer);
        read.map_err(|error| self.timeouts.body_error(error))
    }
}

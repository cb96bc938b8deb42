//! Hand-written HTTP, so that a test controls every byte sent.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Such as 200.
    pub status: u16,
    /// The header lines in order of arrival, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// What followed the head.
    pub body: Vec<u8>,
}

impl Response {
    /// The only value of a header.
    ///
    /// # Panics
    /// If it is there twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(header, _)| header == name);
        let value = values.next();
        assert!(values.next().is_none(), "{name} is there twice: {self:?}");
        value.map(|(_, value)| value.as_str())
    }

    /// The body as text.
    ///
    /// # Panics
    /// If it is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    /// The head without headers that vary with the time or the framework.
    pub fn head(&self) -> (u16, Vec<(String, String)>) {
        let of_servers = [
            "date",
            "server",
            "connection",
            "keep-alive",
            "permissions-policy",
            "x-content-type-options",
            "x-frame-options",
        ];
        let mut headers = self.headers.clone();
        headers.retain(|(name, _)| !of_servers.contains(&name.as_str()));
        headers.sort();
        (self.status, headers)
    }
}

/// A connection.
#[derive(Debug)]
pub struct Client(BufReader<TcpStream>);

impl Client {
    /// Connects.
    ///
    /// # Panics
    /// If nobody listens.
    pub fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a server");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a timeout");
        Client(BufReader::new(stream))
    }

    /// Sends bytes.
    ///
    /// # Panics
    /// If the server has hung up.
    pub fn send(&mut self, bytes: &str) {
        self.0
            .get_mut()
            .write_all(bytes.as_bytes())
            .expect("a connection");
    }

    /// The next response; `has_body` is false for that to a HEAD.
    ///
    /// # Errors
    /// If the connection ends before the response does.
    pub fn receive(&mut self, has_body: bool) -> io::Result<Response> {
        let mut response = self.receive_head()?;
        if !has_body || response.status == 304 || response.status < 200 {
            return Ok(response);
        }
        match response.header("content-length") {
            Some(length) => {
                response.body = vec![0; length.parse().map_err(io::Error::other)?];
                self.0.read_exact(&mut response.body)?;
            }
            None => {
                self.0.read_to_end(&mut response.body)?;
            }
        }
        Ok(response)
    }

    /// The head of the next response, its body not read.
    ///
    /// # Errors
    /// If the connection ends before the head does.
    pub fn receive_head(&mut self) -> io::Result<Response> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, line.clone()))?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            let line = line.trim_end();
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Response {
            status,
            headers,
            body: Vec::new(),
        })
    }

    /// Reads the first bytes of the response.
    ///
    /// # Errors
    /// Errors of reading a socket.
    pub fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

/// Sends a request as it is and reads the response to its end.
///
/// # Panics
/// If there is no response.
#[track_caller]
pub fn raw(address: SocketAddr, request: &str) -> Response {
    raw_timed(address, request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

/// As [`raw`], with the error of a connection that ends early.
///
/// # Errors
/// If the connection ends before the response does.
pub fn raw_timed(address: SocketAddr, request: &str) -> io::Result<Response> {
    let mut client = Client::connect(address);
    client.send(request);
    client.receive(!request.starts_with("HEAD "))
}

/// GETs a path, with more header lines.
///
/// # Panics
/// If there is no response.
#[track_caller]
pub fn get(address: SocketAddr, path: &str, headers: &[&str]) -> Response {
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for header in headers {
        request.push_str(header);
        request.push_str("\r\n");
    }
    request.push_str("\r\n");
    raw(address, &request)
}

//! A server that answers as a function says.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// `Host`.
    pub(crate) host: String,
    pub(crate) user_agent: String,
    pub(crate) if_none_match: String,
    pub(crate) body: String,
}

/// What the server does then.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status, headers with a line end each, and a body.
    Response(u16, String, Vec<u8>),
    /// The same with status 200, but the connection is closed in the middle of the body.
    Cut(String, Vec<u8>),
    /// The connection is closed.
    Close,
    /// Nothing, until the client has gone.
    Hang,
}

impl Answer {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Answer::Response(200, String::new(), body.into())
    }

    pub(crate) fn status(status: u16) -> Self {
        Answer::Response(status, String::new(), Vec::new())
    }

    /// The same with another header.
    pub(crate) fn with(self, header: &str) -> Self {
        match self {
            Answer::Response(status, headers, body) => {
                Answer::Response(status, format!("{headers}{header}\r\n"), body)
            }
            Answer::Cut(headers, body) => Answer::Cut(format!("{headers}{header}\r\n"), body),
            other => other,
        }
    }
}

/// A server at a port of its own, until the test program ends. As a proxy it is the server of each host.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts a server. The function gets the number of the request, from 0, and the request.
    pub(crate) fn start(answer: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            port: listener.local_addr().unwrap().port(),
            requests: Arc::default(),
        };
        let (answer, requests) = (Arc::new(answer), Arc::clone(&server.requests));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, answer, requests) =
                    (stream.unwrap(), Arc::clone(&answer), Arc::clone(&requests));
                // The client may have gone.
                thread::spawn(move || respond(&stream, &*answer, &requests));
            }
        });
        server
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests as `GET /path`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let requests = self.requests();
        requests
            .iter()
            .map(|request| format!("{} {}", request.method, request.path))
            .collect()
    }
}

fn respond(
    stream: &TcpStream,
    answer: &dyn Fn(usize, &Request) -> Answer,
    requests: &Mutex<Vec<Request>>,
) -> io::Result<()> {
    let mut request = read(stream)?;
    if request.method == "CONNECT" {
        let mut stream = stream;
        stream.write_all(b"HTTP/1.1 200 X\r\n\r\n")?;
        request = read(stream)?;
    }
    let number = {
        let mut requests = requests.lock().unwrap();
        requests.push(request.clone());
        requests.len() - 1
    };
    let (status, headers, body, sent) = match answer(number, &request) {
        Answer::Response(status, headers, body) => {
            let length = body.len();
            (status, headers, body, length)
        }
        Answer::Cut(headers, body) => {
            let half = body.len() / 2;
            (200, headers, body, half)
        }
        Answer::Close => return Ok(()),
        Answer::Hang => {
            thread::sleep(Duration::from_secs(60));
            return Ok(());
        }
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body[..sent])
}

fn read(stream: &TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        ..Request::default()
    };
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or_default(),
            "host" => value.trim().clone_into(&mut request.host),
            "if-none-match" => value.trim().clone_into(&mut request.if_none_match),
            "user-agent" => value.trim().clone_into(&mut request.user_agent),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8(body).unwrap();
    Ok(request)
}

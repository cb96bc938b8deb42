//! A server that answers by a function.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A received request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// `Host`.
    pub(crate) host: String,
    pub(crate) user_agent: String,
    pub(crate) if_none_match: String,
    /// All headers, one on each line.
    pub(crate) headers: String,
    /// `true` if the request line had the whole URL, as for a proxy.
    pub(crate) is_proxied: bool,
    pub(crate) body: String,
}

impl Request {
    /// The values of a header. The name is in lower case.
    pub(crate) fn values(&self, name: &str) -> Vec<&str> {
        let lines = self.headers.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(other, _)| *other == name)
            .map(|(_, value)| value)
            .collect()
    }
}

/// The server's reaction.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status, headers that each end with a line break, and a body.
    Response(u16, String, Vec<u8>),
    /// Status 200, but the connection is closed in the middle of the body.
    Cut(String, Vec<u8>),
    /// Closes the connection.
    Close,
    /// Sends nothing until the client disconnects.
    Hang,
}

impl Answer {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Answer::Response(200, String::new(), body.into())
    }

    pub(crate) fn status(status: u16) -> Self {
        Answer::Response(status, String::new(), Vec::new())
    }

    /// Adds a header to the response.
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

/// A server on its own port, running until the test program ends. As a proxy, it answers for every host.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts a server. The function receives the number of the request, from 0, and the request.
    pub(crate) fn start(answer: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static) -> Self {
        Server::start_with(None, answer)
    }

    /// Starts a server that can use TLS.
    pub(crate) fn start_with(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static,
    ) -> Self {
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
                let tls = tls.clone();
                // The client may have disconnected.
                thread::spawn(move || match tls {
                    None => respond(&stream, &*answer, &requests),
                    Some(tls) => {
                        let connection = ServerConnection::new(tls).map_err(io::Error::other)?;
                        let mut stream = StreamOwned::new(connection, stream);
                        respond(&mut stream, &*answer, &requests)?;
                        stream.conn.send_close_notify();
                        stream.flush()
                    }
                });
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
    mut stream: impl Read + Write,
    answer: &dyn Fn(usize, &Request) -> Answer,
    requests: &Mutex<Vec<Request>>,
) -> io::Result<()> {
    let request = read(&mut stream)?;
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
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body[..sent])
}

fn read(stream: impl Read) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        ..Request::default()
    };
    if let Some(rest) = request.path.strip_prefix("http://") {
        request.is_proxied = true;
        request.path = rest.find('/').map_or("/", |at| &rest[at..]).to_owned();
    }
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        request.headers += line.trim_end();
        request.headers += "\n";
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

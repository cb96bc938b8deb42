//! The client's headers, over servers on this machine.
#![cfg(feature = "ureq")]

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use sitemap_tree::{Client, ClientBuilder, OtherHosts, WalkBuilder};
use ureq::http::Request;

/// What no output may have: the values of headers, a password, and both as sent.
const SECRETS: [&str; 4] = ["t0psecret", "hunter2", "dXNlcjpodW50ZXIy", "c00kie"];

/// A server, until the test program ends.
#[derive(Clone)]
struct Server {
    url: String,
    /// The lines of each request.
    requests: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Server {
    /// Starts a server. Its responses depend on the path.
    fn start(respond: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            url: format!("http://{}", listener.local_addr().unwrap()),
            requests: Arc::default(),
        };
        let requests = Arc::clone(&server.requests);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = answer(&stream.unwrap(), &requests, &respond);
            }
        });
        server
    }

    /// The values of a header in all requests, joined for each.
    fn values(&self, name: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let of = |lines: &Vec<String>| {
            let values = lines.iter().filter_map(|line| {
                let (other, value) = line.split_once(": ")?;
                other.eq_ignore_ascii_case(name).then_some(value)
            });
            values.collect::<Vec<_>>().join(" | ")
        };
        requests.iter().map(of).collect()
    }
}

fn answer(
    mut stream: &TcpStream,
    requests: &Mutex<Vec<Vec<String>>>,
    respond: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    let mut lines = Vec::new();
    for line in BufReader::new(stream).lines() {
        match line? {
            line if line.is_empty() => break,
            line => lines.push(line),
        }
    }
    let host = lines
        .iter()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap_or_default();
    let path = lines
        .first()
        .and_then(|line| line.split(' ').nth(1))
        .unwrap_or_default();
    let response = respond(path).replace("SITE", host);
    requests.lock().unwrap().push(lines);
    stream.write_all(response.as_bytes())
}

fn response(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
}

fn index(urls: &[String]) -> String {
    let entries: Vec<String> = urls
        .iter()
        .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
        .collect();
    let entries = entries.concat();
    format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</sitemapindex>")
}

/// All that is logged, by every crate.
#[derive(Debug, Default)]
struct Log(Mutex<String>);

static LOG: LazyLock<Log> = LazyLock::new(Log::default);

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let mut text = self.0.lock().unwrap();
        *text += &record.args().to_string();
        text.push('\n');
    }

    fn flush(&self) {}
}

/// Only the origin of a header gets it, and only its server sees the values.
#[test]
fn headers_stay_with_their_origin() {
    let _ = log::set_logger(&*LOG);
    // At the level trace, ureq logs the bytes of requests.
    log::set_max_level(log::LevelFilter::Debug);
    let other = Server::start(|path| match path {
        "/listed.xml" | "/moved.xml" => response(200, "", "https://example.com/other\n"),
        _ => response(404, "", ""),
    });
    let there = other.url.clone();
    let site = Server::start(move |path| match path {
        // No length, since SITE is replaced.
        "/index.xml" => format!(
            "HTTP/1.0 200 X\r\nSet-Cookie: s=c00kie\r\n\r\n{}",
            index(&[
                format!("{there}/listed.xml"),
                "http://SITE/own.xml".to_owned(),
                "http://SITE/moved.xml".to_owned(),
            ])
        ),
        "/own.xml" => response(200, "", "https://example.com/own\n"),
        "/moved.xml" => response(302, &format!("Location: {there}/moved.xml\r\n"), ""),
        _ => response(404, "", ""),
    });
    let url = site.url.clone();
    let mut client = ClientBuilder::new();
    client.basic_auth(&url, "user", "hunter2").unwrap();
    client
        .header(&format!("{url}/any/path"), "X-Token", "t0psecret")
        .unwrap();
    let shown = format!("{client:?}");
    let client = client.build().unwrap();
    let mut walk = WalkBuilder::new("TestBot/1.0");
    walk.other_hosts(OtherHosts::Follow).max_retries(0);
    let mut walk = walk.walk_sitemap(&format!("{url}/index.xml")).unwrap();
    let mut read = Vec::new();
    let report = walk
        .run_with(&client, |document| {
            read.extend(document.entries().flatten().map(|entry| entry.loc));
            Ok(())
        })
        .unwrap()
        .to_string();
    let state = serde_json::to_string(&walk.state()).unwrap();
    // The walk does not connect to another port of this machine.
    assert_eq!(
        (read.len(), report.matches("is not a public address").count()),
        (1, 2),
        "{report}"
    );
    for path in ["/listed.xml", "/moved.xml"] {
        get(&client, &format!("{}{path}", other.url), &[]);
    }
    let theirs = format!("{:?}", other.requests.lock().unwrap());
    assert_eq!(theirs.matches("HTTP/1.1").count(), 2);
    assert_eq!(site.values("x-token"), ["t0psecret"; 3]);
    assert_eq!(site.values("authorization"), ["Basic dXNlcjpodW50ZXIy"; 3]);
    assert_eq!(site.values("cookie"), ["", "s=c00kie", "s=c00kie"]);
    for secret in SECRETS {
        for (name, text) in [
            ("the builder", &shown),
            ("the client", &format!("{client:?}")),
            ("the report", &report),
            ("the state", &state),
            ("the log", &*LOG.0.lock().unwrap()),
        ] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{name} has {secret}");
        }
        let theirs = other.requests.lock().unwrap();
        assert!(
            !format!("{theirs:?}").contains(secret),
            "the other host got {secret}"
        );
    }
}

fn get(client: &Client, url: &str, headers: &[(&str, &str)]) {
    let mut request = Request::get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(()).unwrap();
    client.run(request, Duration::from_secs(10), true).unwrap();
}

/// Headers of the client replace those of the request, and are added up; cookies are joined.
#[test]
fn headers_of_one_name() {
    let server = Server::start(|_| response(200, "Set-Cookie: seen=1\r\n", ""));
    let mut client = ClientBuilder::new();
    for (name, value) in [
        ("Accept", "text/html"),
        ("X-Two", "1"),
        ("x-two", " 2 "),
        ("Cookie", "consent=yes"),
    ] {
        client.header(&server.url, name, value).unwrap();
    }
    client.user_agent("OtherBot/2.0").unwrap();
    let client = client.build().unwrap();
    get(&client, &server.url, &[("accept", "*/*")]);
    get(&client, &server.url, &[("user-agent", "Own/1")]);
    get(&client, &server.url, &[("cookie", "own=1")]);
    assert_eq!(server.values("accept"), ["text/html"; 3]);
    assert_eq!(server.values("x-two"), ["1 | 2"; 3]);
    assert_eq!(
        server.values("user-agent"),
        ["OtherBot/2.0", "Own/1", "OtherBot/2.0"]
    );
    assert_eq!(
        server.values("cookie"),
        ["consent=yes", "consent=yes; seen=1", "consent=yes; own=1"]
    );
}

/// Invalid settings are refused, without the value.
#[test]
fn invalid_settings() {
    let (url, long) = ("https://example.com/", "t0psecret".repeat(5000));
    let name = "the name of a header has only letters, digits and the signs !#$%&'*+-.^_`|~";
    let value = "the value of a header is one line of text without control characters";
    for (url, header, text, expected) in [
        (url, "", "t0psecret", name.to_owned()),
        (url, "X Y", "t0psecret", name.to_owned()),
        (url, "X-\u{e9}", "t0psecret", name.to_owned()),
        (url, "X", "", value.to_owned()),
        (url, "X", " ", value.to_owned()),
        (url, "X", "t0psecret\r\nY: 1", value.to_owned()),
        (url, "X", "t0psecret\0", value.to_owned()),
        (
            url,
            "X",
            &long,
            "the value of a header has at most 32 KiB".to_owned(),
        ),
        (
            "example.com",
            "X",
            "t0psecret",
            "the URL is not an absolute URL".to_owned(),
        ),
        (
            "ftp://example.com/",
            "X",
            "t0psecret",
            "the URL is neither http nor https".to_owned(),
        ),
        (
            "https://u:p@example.com/",
            "X",
            "t0psecret",
            "the URL has a user name or a password".to_owned(),
        ),
    ] {
        let error = ClientBuilder::new().header(url, header, text).err().unwrap();
        assert_eq!(error.to_string(), expected, "{header}: {text}");
    }
    for header in [
        "Host",
        "content-length",
        "Range",
        "If-None-Match",
        "Accept-Encoding",
        "User-Agent",
        "Proxy-Authorization",
        "proxy-connection",
    ] {
        let error = ClientBuilder::new()
            .header(url, header, "t0psecret")
            .err()
            .unwrap();
        assert_eq!(
            error.to_string(),
            format!(
                "the client sets the header {} itself; any header but those of the connection, of ranges and of conditions is allowed",
                header.to_ascii_lowercase()
            )
        );
    }
    for (user, password) in [("a:b", "hunter2"), ("a\n", "hunter2"), ("a", "hunter2\r")] {
        let error = ClientBuilder::new()
            .basic_auth(url, user, password)
            .err()
            .unwrap();
        assert_eq!(
            error.to_string(),
            "a user name has no colon, and neither a user name nor a password has control characters"
        );
    }
    for user_agent in ["", " ", "B\u{e9}/1", "Bot\r\nX: 1"] {
        let error = ClientBuilder::new().user_agent(user_agent).err().unwrap();
        assert_eq!(
            error.to_string(),
            "a User-Agent is one line of visible ASCII, such as `ExampleBot/1.0 (+https://example.com/bot)`"
        );
    }
    for (pem, expected) in [
        (
            "",
            "it has no certificate: one in PEM begins with the line `-----BEGIN CERTIFICATE-----`",
        ),
        (
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
            "it has an invalid section of PEM",
        ),
    ] {
        let error = ClientBuilder::new().certificates(pem.as_bytes()).err().unwrap();
        assert_eq!(error.to_string(), expected);
    }
}

/// A silent server runs into the client's timeout, not the request's.
#[test]
fn silent_servers() {
    let server = Server::start(|_| {
        thread::sleep(Duration::from_secs(5));
        String::new()
    });
    let mut client = ClientBuilder::new();
    let client = client.timeout(Duration::from_millis(200)).build().unwrap();
    let request = Request::get(&server.url).body(()).unwrap();
    let failure = client.run(request, Duration::from_secs(60), true).err().unwrap();
    assert_eq!(failure.to_string(), "it took too long");
}

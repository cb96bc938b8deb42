//! Responses as servers on this machine send them, byte by byte.
#![cfg(feature = "ureq")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sitemap_tree::{ClientBuilder, Fate, Walk, WalkBuilder};

/// The reaction of a server to a request: the bytes to send, and whether it then closes the connection.
type Reaction = (Vec<u8>, bool);

/// Starts a server that keeps connections. The reaction depends on the path, the request's number on its connection, from 0, and its
/// headers. Returns its URL, and the number of connections.
fn start(
    react: impl Fn(&str, usize, &[String]) -> Reaction + Send + Sync + 'static,
) -> (String, Arc<Mutex<usize>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (react, connections) = (Arc::new(react), Arc::new(Mutex::new(0)));
    let count = Arc::clone(&connections);
    thread::spawn(move || {
        for stream in listener.incoming() {
            *count.lock().unwrap() += 1;
            let (stream, react) = (stream.unwrap(), Arc::clone(&react));
            thread::spawn(move || serve(&stream, &*react));
        }
    });
    (url, connections)
}

fn serve(mut stream: &TcpStream, react: &dyn Fn(&str, usize, &[String]) -> Reaction) {
    let mut lines = BufReader::new(stream.try_clone().unwrap())
        .lines()
        .map_while(Result::ok);
    for number in 0.. {
        let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else {
            return;
        };
        let (bytes, closes) = react(path, number, &head);
        if stream.write_all(&bytes).is_err() || closes {
            // With unread bytes, the system would send a reset, and the client may lose what was sent.
            return;
        }
    }
}

fn response(headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n{headers}\r\n{body}").into()
}

fn chunked(body: &str) -> String {
    format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len())
}

fn index(host: &str, names: &[String]) -> String {
    let listed = names
        .iter()
        .map(|name| format!("<sitemap><loc>{host}{name}</loc></sitemap>"));
    let listed = listed.collect::<Vec<_>>().concat();
    format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{listed}</sitemapindex>")
}

/// The pages of a walk, sorted, and its report.
fn pages(walk: &mut Walk) -> (Vec<String>, String) {
    let mut client = ClientBuilder::new();
    let client = client.timeout(Duration::from_secs(5)).build().unwrap();
    let mut pages = Vec::new();
    let report = walk.run_with(&client, |document| {
        pages.extend(document.entries().flatten().map(|entry| entry.loc));
        Ok(())
    });
    let report = report.unwrap().to_string();
    pages.sort();
    (pages, report)
}

/// Heads that RFC 9112 lets a client read, each with the same document behind it: the length or the chunks show its end.
#[test]
fn odd_heads() {
    const PAGE: &str = "https://example.com/page\n";
    let length = PAGE.len();
    let chunks = chunked(PAGE);
    let many: String = (0..200)
        .map(|number| format!("X-{number}: {number}\r\n"))
        .collect::<Vec<_>>()
        .concat();
    let cookies: String = (0..200)
        .map(|number| format!("Set-Cookie: c{number}=1\r\n"))
        .collect::<Vec<_>>()
        .concat();
    let long = format!("X-Policy: {}\r\n", "x".repeat(60 << 10));
    let framed =
        |headers: &str| format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {length}\r\n\r\n{PAGE}");
    let cases: Vec<String> = vec![
        framed(""),
        // Transfer-Encoding overrides Content-Length, wherever it is.
        format!("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n{chunks}"),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: none\r\n\r\n{chunks}"),
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\nTransfer-Encoding:\r\n chunked\r\n\r\n{chunks}"
        ),
        format!("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: {length}\r\n\r\n{PAGE}"),
        // Folded lines.
        framed("X-Policy: default-src 'self';\r\n  img-src *;\r\n\tfont-src *\r\n"),
        framed(" junk before the first header\r\n"),
        framed("Content-Type: text/plain;\r\n charset=utf-8\r\n"),
        // Characters.
        framed("X-Junk: a\u{1}b\r\n"),
        framed("X-Junk: a\rb\r\n"),
        framed("X-Junk: \u{0}\r\nSet-Cookie: a=\u{7}\r\n"),
        framed("X Junk: a\r\n"),
        framed("X-Junk : a\r\n"),
        framed(": no name\r\n"),
        framed("no colon\r\n"),
        framed("X-Größe: ü\r\n"),
        // Lengths.
        framed(&many),
        framed(&cookies),
        framed(&format!("{many}{cookies}")),
        framed(&long),
        framed("Content-Length : 0000025\r\n"),
        // Lines.
        framed("X-A: b\r\n").replace("\r\n", "\n"),
        format!("\r\n{}", framed("")),
        framed("").replace(" OK", ""),
        framed("").replace("OK", "Alles \u{1}klar"),
        // Interim responses.
        format!("HTTP/1.1 100 Continue\r\n\r\n{}", framed("")),
        format!(
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n{}",
            framed(&many)
        ),
    ];
    let count = cases.len();
    // In one piece, and byte by byte.
    for slowly in [false, true] {
        let cases = cases.clone();
        let (url, connections) = start(move |path, _, head| {
            let host = head
                .iter()
                .find_map(|line| line.strip_prefix("host: "))
                .unwrap_or_default();
            match path[1..].parse::<usize>() {
                Ok(number) => (cases[number].clone().into_bytes(), false),
                Err(_) => {
                    let names: Vec<String> = (0..cases.len()).map(|number| format!("/{number}")).collect();
                    (response("", &index(&format!("http://{host}"), &names)), false)
                }
            }
        });
        let url = if slowly { trickle(&url) } else { url };
        let mut walk = WalkBuilder::new("TestBot")
            .max_retries(0)
            .max_connections_per_host(1)
            .walk_sitemap(&format!("{url}/index.xml"))
            .unwrap();
        let (pages, report) = pages(&mut walk);
        assert_eq!((pages.len(), &*report), (count, ""), "slowly: {slowly}");
        // Every body had its end, so that one connection was enough.
        assert_eq!(*connections.lock().unwrap(), 1, "slowly: {slowly}");
    }
}

/// A server that passes on what another one sends, a few bytes at a time.
fn trickle(url: &str) -> String {
    let target = url["http://".len()..].to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&target).unwrap());
            client.set_nodelay(true).unwrap();
            let (mut up, mut down) = (client.try_clone().unwrap(), client);
            let (mut requests, mut responses) = (server.try_clone().unwrap(), server);
            thread::spawn(move || std::io::copy(&mut up, &mut requests));
            thread::spawn(move || {
                let mut block = [0; 7];
                while let Ok(read @ 1..) = std::io::Read::read(&mut responses, &mut block) {
                    if down.write_all(&block[..read]).is_err() {
                        return;
                    }
                }
            });
        }
    });
    url
}

/// Heads that say something else than HTTP/1, or say two things, are failures that name no library.
#[test]
fn heads_that_mean_nothing() {
    let cases = HashMap::from([
        (
            "/smtp",
            (
                "220 mail.example ESMTP\r\n",
                "it does not answer in HTTP/1, or with an invalid head",
            ),
        ),
        (
            "/h2",
            (
                "\0\0\u{12}\u{4}\0\0\0\0\0",
                "it does not answer in HTTP/1, or with an invalid head",
            ),
        ),
        (
            "/tls",
            (
                "\u{15}\u{3}\u{3}\0\u{2}\u{2}\n",
                "it does not answer in HTTP/1, or with an invalid head",
            ),
        ),
        (
            "/lengths",
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                "it does not answer in HTTP/1, or with an invalid head",
            ),
        ),
        (
            "/length",
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 3\u{1}\r\n\r\nabc",
                "it does not answer in HTTP/1, or with an invalid head",
            ),
        ),
        ("/nothing", ("", "the server broke the connection off")),
        (
            "/cut",
            (
                "HTTP/1.1 200 OK\r\nContent-",
                "the server broke the connection off",
            ),
        ),
        (
            "/chunks",
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "its body broke off: its chunks are invalid",
            ),
        ),
        (
            "/body",
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhttps://",
                "its body broke off: the server broke the connection off",
            ),
        ),
    ]);
    let responses = cases.clone();
    let (url, _) = start(move |path, _, _| (responses[path].0.as_bytes().to_vec(), true));
    for (path, (_, expected)) in cases {
        let mut walk = WalkBuilder::new("TestBot")
            .max_retries(0)
            .walk_sitemap(&format!("{url}{path}"))
            .unwrap();
        let (found, report) = pages(&mut walk);
        let expected = format!("{url}{path} could not be read: {expected}\n");
        assert_eq!((found.len(), &*report), (0, &*expected));
    }
}

/// A server that breaks kept connections at their second request, in each way: no document is lost, also without retries by the walk, and
/// a body that breaks off is requested again on a new connection.
#[test]
fn kept_connections_that_break() {
    for (breaks, retries) in [
        ("", 0),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhttps://", 1),
        ("HTTP/1.1 2", 1),
    ] {
        let (url, _) = start(move |path, number, head| {
            let host = head
                .iter()
                .find_map(|line| line.strip_prefix("host: "))
                .unwrap_or_default();
            match path {
                "/index.xml" => {
                    let names: Vec<String> = (0..40).map(|number| format!("/{number}.txt")).collect();
                    (response("", &index(&format!("http://{host}"), &names)), false)
                }
                _ if number > 0 => (breaks.into(), true),
                _ => (response("", &format!("http://{host}{path}\n")), false),
            }
        });
        let mut walk = WalkBuilder::new("TestBot")
            .max_retries(retries)
            .walk_sitemap(&format!("{url}/index.xml"))
            .unwrap();
        let (found, report) = pages(&mut walk);
        assert_eq!((found.len(), &*report), (40, ""), "{breaks}");
        assert!(
            walk.report()
                .documents()
                .iter()
                .all(|document| *document.fate() == Fate::Read)
        );
    }
}

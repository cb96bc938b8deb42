//! URLs instead of files, from a misbehaving server.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::folder::{CORE, Folder, gzipped};

/// The server's reaction to a request for a path.
#[derive(Clone, Debug)]
pub(crate) enum Reaction {
    /// Writes these bytes and closes the connection.
    Write(Vec<u8>),
    /// Pauses, writes these bytes and closes the connection.
    WriteLate(Vec<u8>, Duration),
    /// Repeats these bytes with a pause until the client disconnects.
    Repeat(Vec<u8>, Duration),
}

pub(crate) fn ok(body: impl AsRef<[u8]>) -> Reaction {
    let body = body.as_ref();
    // Without `Connection: close`, a client would send its next request on the same connection.
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    Reaction::Write([head.as_bytes(), body].concat())
}

pub(crate) fn head(head: &str) -> Reaction {
    Reaction::Write(format!("{head}\r\n\r\n").into_bytes())
}

/// Serves a table of paths until the test program ends. Returns the server's address, which also replaces `HOST` in the responses. All
/// other paths answer 404.
pub(crate) fn serve(table: &[(&str, Reaction)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let table: Vec<(String, Reaction)> = table
        .iter()
        .map(|(path, reaction)| {
            let reaction = match reaction {
                Reaction::Write(bytes) => Reaction::Write(with_host(bytes, &address)),
                Reaction::WriteLate(..) | Reaction::Repeat(..) => reaction.clone(),
            };
            ((*path).to_owned(), reaction)
        })
        .collect();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, table) = (stream.unwrap(), table.clone());
            // The client may have disconnected.
            thread::spawn(move || respond(stream, &table));
        }
    });
    address
}

/// A response with `HOST` replaced by the server's address.
fn with_host(bytes: &[u8], address: &str) -> Vec<u8> {
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|text| text.contains("HOST"));
    let Some((head, body)) = text.and_then(|text| text.split_once("\r\n\r\n")) else {
        return bytes.to_owned();
    };
    let length = |body: &str| format!("Content-Length: {}", body.len());
    let served = body.replace("HOST", address);
    let head = head.replace(&length(body), &length(&served));
    format!("{head}\r\n\r\n{served}").into_bytes()
}

fn respond(stream: TcpStream, table: &[(String, Reaction)]) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let mut stream = stream;
    match table
        .iter()
        .find(|(other, _)| other == path)
        .map(|(_, reaction)| reaction)
    {
        Some(Reaction::Write(bytes)) => stream.write_all(bytes),
        Some(Reaction::WriteLate(bytes, pause)) => {
            thread::sleep(*pause);
            stream.write_all(bytes)
        }
        Some(Reaction::Repeat(bytes, pause)) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            loop {
                stream.write_all(bytes)?;
                thread::sleep(*pause);
            }
        }
        None => stream.write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    }
}

pub(crate) fn urlset(locs: &[&str]) -> String {
    let entries: Vec<String> = locs
        .iter()
        .map(|loc| format!("<url><loc>{loc}</loc></url>"))
        .collect();
    format!("<urlset xmlns=\"{CORE}\">{}</urlset>", entries.concat())
}

pub(crate) fn index(locs: &[&str]) -> String {
    let entries: Vec<String> = locs
        .iter()
        .map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>"))
        .collect();
    format!(
        "<sitemapindex xmlns=\"{CORE}\">{}</sitemapindex>",
        entries.concat()
    )
}

const PAGE: &str = "https://example.com/a";

#[test]
fn a_document() {
    let body = urlset(&[PAGE]);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    let host = serve(&[
        ("/plain.xml", ok(&body)),
        ("/packed.xml.gz", ok(gzipped(&body))),
        ("/chunked.xml", Reaction::Write(chunked.into_bytes())),
        (
            "/old.xml",
            Reaction::Write(format!("HTTP/1.0 200 OK\r\n\r\n{body}").into_bytes()),
        ),
        ("/text", ok(PAGE)),
        (
            "/moved",
            head("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: /plain.xml"),
        ),
        ("/index.xml", ok(index(&["http://HOST/plain.xml"]))),
    ]);
    let folder = Folder::empty();
    for path in [
        "plain.xml",
        "packed.xml.gz",
        "chunked.xml",
        "old.xml",
        "text",
        "moved",
    ] {
        let url = format!("http://{host}/{path}");
        let expected = (0, format!("{PAGE}\n"), String::new());
        assert_eq!(folder.run(&["cat", &url]), expected, "{path}");
        assert_eq!(folder.run(&["convert", &url, "--to", "text"]), expected, "{path}");
    }
    // Without --site, an index is an ordinary document.
    let (status, printed, _) = folder.run(&["cat", &format!("http://{host}/index.xml")]);
    assert_eq!((status, printed), (0, format!("http://{host}/plain.xml\n")));
}

#[test]
fn commands_read_urls_as_files() {
    let body = urlset(&[PAGE]);
    let host = serve(&[("/sitemap.xml", ok(&body))]);
    let url = format!("HTTP://{host}/sitemap.xml");
    let folder = Folder::with(&[("sitemap.xml", body.into_bytes())]);
    assert_eq!(
        folder.run(&["stat", &url]).1,
        folder.run(&["stat", "sitemap.xml"]).1
    );
    assert_eq!(folder.run(&["diff", &url, "sitemap.xml"]).0, 0);
    let (status, printed, _) = folder.run(&["lint", &url, "--format", "json"]);
    // Its pages are compared to its URL.
    assert_eq!(status, 1);
    assert!(
        printed.contains("\"P-HOST\"") && printed.contains(&format!("http://{host}/sitemap.xml")),
        "{printed}"
    );
    let arguments = ["split", &url, "-o", "set", "--base", "https://example.com"];
    assert_eq!(folder.run(&arguments).0, 0);
    assert!(folder.run(&["cat", "set"]).1.contains(PAGE));
    let (status, _, said) = folder.run(&["lint", &url, "--fix"]);
    assert_eq!(status, 2);
    assert!(said.contains("--fix works on files only"), "{said}");
}

#[test]
fn a_site() {
    let host = serve(&[
        ("/robots.txt", ok("Sitemap: http://HOST/index.xml")),
        (
            "/index.xml",
            ok(index(&[
                "http://HOST/1.xml",
                "http://HOST/2.xml",
                "http://HOST/gone.xml",
                "http://HOST/1.xml#again",
            ])),
        ),
        ("/1.xml", ok(urlset(&["https://example.com/1"]))),
        ("/2.xml", ok(gzipped(&urlset(&["https://example.com/2"])))),
    ]);
    let folder = Folder::empty();
    let site = format!("http://{host}/");
    let (status, printed, said) = folder.run(&["cat", &site, "--site", "--connections", "2"]);
    let mut pages: Vec<&str> = printed.lines().collect();
    pages.sort_unstable();
    assert_eq!(
        (status, pages),
        (2, vec!["https://example.com/1", "https://example.com/2"])
    );
    assert_eq!(
        said,
        format!(
            "sitemap: cannot open http://{host}/gone.xml: does not exist\n1 of 4 documents could not be read to the end\n"
        )
    );
    let (status, _, said) = folder.run(&["cat", &site, "--site", "--max-documents", "2"]);
    let expected = format!(
        "sitemap: cannot open http://{host}/: 2 listed documents are over --max-documents\n1 of 3 documents could not be read to the end\n"
    );
    assert_eq!((status, said), (2, expected));
}

/// Behind a proxy, the command cannot see the IP addresses of hosts. This proxy connects to nothing.
#[test]
fn a_site_behind_a_proxy() {
    let proxy = serve(&[]);
    let folder = Folder::empty();
    let output = folder
        .command(&["cat", "http://site.example/", "--site"])
        .env("HTTP_PROXY", format!("http://{proxy}"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said.lines().next(),
        Some(
            "sitemap: http://site.example/: hosts are not checked for private addresses behind a proxy, unless their URLs have IP addresses"
        )
    );
}

#[test]
fn a_site_without_sitemaps() {
    let page = ok("<!doctype html><title>Not found</title>");
    let host = serve(&[("/sitemap.xml", page)]);
    let folder = Folder::empty();
    let (status, _, said) = folder.run(&["stat", &format!("http://{host}"), "--site"]);
    let expected = format!(
        "sitemap: http://{host} has no sitemap: there is no robots.txt, and http://{host}/sitemap.xml is an HTML page\n"
    );
    assert_eq!((status, said), (2, expected));
}

/// No server can block the command beyond its timeout, or make it connect to another private address.
#[test]
fn servers_that_misbehave() {
    let body = urlset(&[PAGE]);
    let second = Duration::from_millis(100);
    let short = format!("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n{body}");
    let cut = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n999\r\n{body}");
    let table = [
        ("/reset", Reaction::Write(Vec::new()), ""),
        ("/garbage", Reaction::Write(b"\x00\x01\x02\r\n\r\n".to_vec()), ""),
        ("/short", Reaction::Write(short.into_bytes()), ""),
        ("/cut", Reaction::Write(cut.into_bytes()), ""),
        ("/slow-head", Reaction::Repeat(b"X".to_vec(), second), ""),
        (
            "/endless-head",
            Reaction::Repeat(b"X: y\r\n".repeat(100), Duration::ZERO),
            "",
        ),
        ("/slow-body", Reaction::Repeat(b"\r\n ".to_vec(), second), ""),
        (
            "/private",
            head("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/"),
            "127.0.0.1 is not a public address",
        ),
        (
            "/metadata",
            head("HTTP/1.1 302 Found\r\nLocation: http://0xA9FEA9FE/"),
            "169.254.169.254 is not a public address",
        ),
        (
            "/loop",
            head("HTTP/1.1 302 Found\r\nLocation: /loop"),
            "redirect: to itself",
        ),
        (
            "/file",
            head("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd"),
            "is neither http nor https",
        ),
        (
            "/error",
            head("HTTP/1.1 403 Forbidden\r\nContent-Length: 0"),
            "status 403",
        ),
        (
            "/html",
            ok("<!doctype html><title>Home</title>"),
            "HTML page with the title `Home`",
        ),
    ];
    let served: Vec<(&str, Reaction)> = table
        .iter()
        .map(|(path, reaction, _)| (*path, reaction.clone()))
        .collect();
    let host = serve(&served);
    thread::scope(|scope| {
        for (path, _, expected) in &table {
            let host = &host;
            scope.spawn(move || {
                let folder = Folder::empty();
                let began = Instant::now();
                let (status, printed, said) =
                    folder.run(&["cat", &format!("http://{host}{path}"), "--max-time", "1"]);
                assert_eq!((status, &*printed), (2, ""), "{path}: {said}");
                assert!(
                    said.matches(&format!("http://{host}{path}: ")).count() == 1 && said.contains(expected),
                    "{said}"
                );
                assert!(began.elapsed() < Duration::from_secs(60), "{path}");
            });
        }
    });
}

/// `--site` needs the URL of a site.
#[test]
fn a_site_is_at_a_url() {
    let folder = Folder::with(&[("a.xml", urlset(&["https://example.com/"]))]);
    for arguments in [
        "lint a.xml --site",
        "stat a.xml --site",
        "cat a.xml --site",
        "convert a.xml --site --to text",
        "split a.xml --site -o out --base https://example.com",
        "diff a.xml a.xml --site",
    ] {
        let told = "sitemap: --site is for a site at a URL, such as https://example.com/\n";
        let found = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(found.0, 2, "{arguments}");
        assert_eq!(found.2, told, "{arguments}");
    }
    assert_eq!(folder.names(), ["a.xml"]);
}

//! Whole walks with `Walk::run`, over servers on this machine.
#![cfg(feature = "ureq")]

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_tree::{OtherHosts, Walk, WalkBuilder};

/// A server's responses for each path: each one once, in order, and the last one always.
type Site = HashMap<&'static str, Vec<Vec<u8>>>;

fn response(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn ok(body: impl AsRef<[u8]>) -> Vec<Vec<u8>> {
    vec![response("200 OK", "", body)]
}

/// Serves a site, with its URL in place of `SITE`. Returns the URL.
fn serve(site: impl FnOnce(&str) -> Site) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let site = Arc::new(Mutex::new(site(&url)));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let site = Arc::clone(&site);
            thread::spawn(move || respond(&stream.unwrap(), &site));
        }
    });
    url
}

fn respond(mut stream: &TcpStream, site: &Mutex<Site>) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default();
    let response = match site.lock().unwrap().get_mut(path) {
        Some(responses) if responses.len() > 1 => responses.remove(0),
        Some(responses) => responses[0].clone(),
        None => response("404 Not Found", "", ""),
    };
    stream.write_all(&response)
}

fn index(urls: &[String]) -> String {
    let listed: Vec<String> = urls
        .iter()
        .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
        .collect();
    let listed = listed.concat();
    format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{listed}</sitemapindex>")
}

/// Runs a walk. Returns how often each page was read, and the report.
fn run(walk: &mut Walk) -> (BTreeMap<String, u32>, String) {
    let mut pages = BTreeMap::new();
    let report = walk.run(|document| {
        for entry in document.entries().flatten() {
            *pages.entry(entry.loc).or_default() += 1;
        }
        Ok(())
    });
    let report = report.unwrap().to_string();
    (pages, report)
}

/// Each page of a site is read once, however its document is sent, and the report has the rest.
#[test]
fn documents() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(b"https://example.com/gzip\n").unwrap();
    let gzip = gzip.finish().unwrap();
    let is_gzip = "Content-Encoding: gzip\r\n";
    let cut = |body: &str| {
        let whole = response("200 OK", "", body);
        whole[..whole.len() - 5].to_vec()
    };
    // A chunk, and the rest of the body.
    let chunked = |chunk: &str, rest: &str| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
        format!("{head}{:x}\r\n{chunk}\r\n{rest}", chunk.len()).into_bytes()
    };
    // A body without a length ends with the connection.
    let unframed = |body: &str| format!("HTTP/1.0 200 OK\r\n\r\n{body}").into_bytes();
    let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/xml</loc></url></urlset>";
    let broken = xml.replace("</url></urlset>", "</url><url></x></urlset>");
    let site = serve(|url| {
        let names = [
            "plain", "moved", "gzip", "cut", "chunked", "unframed", "busy", "broken", "gone", "long",
        ];
        let listed = names.map(|name| format!("{url}/{name}.xml"));
        HashMap::from([
            ("/robots.txt", ok(format!("Sitemap: {url}/index.xml"))),
            ("/index.xml", ok(index(&listed))),
            ("/plain.xml", ok("https://example.com/plain\n")),
            (
                "/moved.xml",
                vec![response("302 Found", "Location: /moved-2.xml\r\n", "")],
            ),
            ("/moved-2.xml", ok("https://example.com/moved\n")),
            ("/gzip.xml", vec![response("200 OK", is_gzip, gzip)]),
            (
                "/cut.xml",
                [
                    vec![cut("https://example.com/cut-1\nhttps://example.com/cut-2\n")],
                    ok("https://example.com/cut-1\nhttps://example.com/cut-2\n"),
                ]
                .concat(),
            ),
            (
                "/chunked.xml",
                vec![
                    chunked("https://example.com/chunked-1\n", ""),
                    chunked(
                        "https://example.com/chunked-1\n",
                        "1e\r\nhttps://example.com/chunked-2\n\r\n0\r\n\r\n",
                    ),
                ],
            ),
            (
                "/unframed.xml",
                vec![unframed(&xml[..xml.len() - 9]), unframed(xml)],
            ),
            (
                "/busy.xml",
                [
                    vec![response("503 Busy", "Retry-After: 1\r\n", "")],
                    ok("https://example.com/busy\n"),
                ]
                .concat(),
            ),
            ("/broken.xml", ok(broken.replace("/xml", "/broken"))),
            ("/long.xml", ok(vec![b' '; (64 << 20) + 1])),
        ])
    });
    let mut walk = Walk::site("TestBot/1.0", &site).unwrap();
    let (pages, report) = run(&mut walk);
    let expected = [
        "broken",
        "busy",
        "chunked-1",
        "chunked-2",
        "cut-1",
        "cut-2",
        "gzip",
        "moved",
        "plain",
        "xml",
    ];
    let expected = expected.map(|name| (format!("https://example.com/{name}"), 1));
    assert_eq!(pages, BTreeMap::from(expected));
    assert_eq!(
        report,
        format!(
            "{site}/broken.xml could not be read: the end tag `</x>` where `</url>` is expected: the element that began last ends first, \
             at line 1, column 114 (byte 113), entry 2\n\
             {site}/gone.xml does not exist\n\
             {site}/long.xml could not be read: its body has more than 67,108,864 bytes\n"
        )
    );
}

/// Identical responses at common addresses are one document, and an unchanged document is not read again.
#[test]
fn documents_read_before() {
    let site = serve(|_| {
        HashMap::from([
            ("/sitemap.xml", ok("https://example.com/1\n")),
            ("/sitemap_index.xml", ok("https://example.com/1\n")),
            (
                "/sitemap.txt",
                [ok("https://example.com/2\n"), ok("https://example.com/3\n")].concat(),
            ),
        ])
    });
    let mut walk = Walk::site("TestBot/1.0", &site).unwrap();
    let (pages, _) = run(&mut walk);
    let page = |number: u32| (format!("https://example.com/{number}"), 1);
    assert_eq!(pages, BTreeMap::from([page(1), page(2)]));
    let again = WalkBuilder::new("TestBot/1.0")
        .state(walk.state())
        .walk_site(&site);
    assert_eq!(run(&mut again.unwrap()).0, BTreeMap::from([page(3)]));
}

/// An error of the program ends the run. Another run reads the rest, and the next walk reads the document.
#[test]
fn errors_of_the_program() {
    let site = serve(|url| {
        let listed = [format!("{url}/1.txt"), format!("{url}/2.txt")];
        HashMap::from([
            ("/index.xml", ok(index(&listed))),
            ("/1.txt", ok("https://example.com/1\n")),
            ("/2.txt", ok("https://example.com/2\n")),
        ])
    });
    let mut walk = Walk::sitemap("TestBot/1.0", &format!("{site}/index.xml")).unwrap();
    let error = walk
        .run(|_| Err(io::Error::other("the disk is full")))
        .unwrap_err();
    assert_eq!(error.to_string(), "the disk is full");
    let page = |number: u32| (format!("https://example.com/{number}"), 1);
    let (pages, report) = run(&mut walk);
    assert_eq!(pages, BTreeMap::from([page(2)]));
    assert_eq!(
        report,
        format!("{site}/1.txt could not be read: the disk is full\n")
    );
    let again = WalkBuilder::new("TestBot/1.0")
        .state(walk.state())
        .walk_sitemap(&format!("{site}/index.xml"));
    assert_eq!(run(&mut again.unwrap()).0, BTreeMap::from([page(1)]));
}

/// A private site may be walked, but it cannot redirect to another port of this machine.
#[test]
fn private_addresses() {
    let other = serve(|_| HashMap::from([("/x.txt", ok("https://example.com/x\n"))]));
    let site = serve(|url| {
        let listed = [
            format!("{other}/x.txt"),
            format!("{url}/moved.txt"),
            format!("{url}/own.txt"),
        ];
        let moved = format!("Location: {other}/x.txt\r\n");
        HashMap::from([
            ("/index.xml", ok(index(&listed))),
            ("/own.txt", ok("https://example.com/own\n")),
            ("/moved.txt", vec![response("302 Found", &moved, "")]),
        ])
    });
    let walk = WalkBuilder::new("TestBot/1.0")
        .other_hosts(OtherHosts::Follow)
        .walk_sitemap(&format!("{site}/index.xml"));
    let (pages, report) = run(&mut walk.unwrap());
    assert_eq!(pages, BTreeMap::from([("https://example.com/own".to_owned(), 1)]));
    assert_eq!(
        report,
        format!(
            "{other}/x.txt could not be read: 127.0.0.1 is not a public address\n\
             {site}/moved.txt could not be read: 127.0.0.1 is not a public address\n"
        )
    );
}

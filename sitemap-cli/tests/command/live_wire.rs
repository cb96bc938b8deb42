//! Requests on the wire: encodings, hosts, connections, delays, redirects.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::folder::{Folder, gzipped};
use crate::live::{index, urlset};
use crate::server::{Answer, Request, Server};

const GZIP: &str = "Content-Encoding: gzip";

/// The status of a command, its sorted output lines and its messages.
fn run(server: &Server, arguments: &[&str]) -> (i32, Vec<String>, String) {
    let folder = Folder::empty();
    let (status, printed, said) = folder.run(arguments);
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    lines.sort();
    (status, lines, said.replace(&server.port.to_string(), "PORT"))
}

fn declared(document: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{document}")
}

/// A site that compresses all documents in transit, including robots.txt. Some are also compressed files.
#[test]
fn a_site_that_compresses_everything() {
    let server = Server::start(|_, request| {
        let host = &request.host;
        let body = match &*request.path {
            "/robots.txt" => {
                let rules = "User-agent: *\nDisallow: /sitemap.xml\n".repeat(9);
                gzipped(&format!("{rules}Sitemap: http://{host}/index.xml\n"))
            }
            "/index.xml" => gzipped(&declared(&index(&[
                &format!("http://{host}/1.xml"),
                &format!("http://{host}/2.xml.gz"),
            ]))),
            "/1.xml" => gzipped(&declared(&urlset(&[&format!("http://{host}/a")]))),
            "/2.xml.gz" => gzipped(&gzipped(&declared(&urlset(&[&format!("http://{host}/b")])))),
            _ => return Answer::status(404),
        };
        Answer::ok(body)
            .with(GZIP)
            .with("ETag: \"1\"")
            .with("Content-Type: application/xml")
    });
    let site = server.url("/");
    let pages = ["a", "b"].map(|page| server.url(&format!("/{page}")));
    assert_eq!(
        run(&server, &["cat", &site, "--site"]),
        (0, pages.to_vec(), String::new())
    );
    // The lint reads the rules of robots.txt, and finds no document that is compressed twice.
    assert_eq!(
        run(
            &server,
            &["lint", &site, "--site", "--format", "github", "--quiet"]
        ),
        (0, Vec::new(), String::new())
    );
    assert!(!server.lines().contains(&"GET /sitemap.xml".to_owned()));
}

/// A file that is compressed twice is read, and the lint reports it.
#[test]
fn a_document_that_is_compressed_twice() {
    let server = Server::start(|_, request| match &*request.path {
        "/sitemap.xml.gz" => {
            let document = declared(&urlset(&[&format!("http://{}/a", request.host)]));
            Answer::ok(gzipped(&gzipped(&document)))
                .with("Content-Type: application/gzip")
                .with("ETag: \"1\"")
        }
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{}/sitemap.xml.gz", request.host)),
        _ => Answer::status(404),
    });
    let url = server.url("/sitemap.xml.gz");
    assert_eq!(
        run(&server, &["cat", &url]),
        (0, vec![server.url("/a")], String::new())
    );
    let (status, printed, said) = run(&server, &["lint", &url, "--format", "github", "--quiet"]);
    let found = printed
        .join("\n")
        .split("::")
        .last()
        .unwrap_or_default()
        .to_owned();
    let expected = "the sitemap is compressed twice by gzip, so that other readers see no sitemap (P-GZIP); compress it once";
    assert_eq!((status, &*found, &*said), (1, expected, ""));
}

/// The apex domain and `www` are one site. Other hosts are read on request, or if their own robots.txt names the sitemaps.
#[test]
fn documents_on_other_hosts() {
    let proxy = Server::start(|_, request| {
        let urls = |paths: &[&str]| index(paths);
        match (&*request.host, &*request.path) {
            ("site.example", "/robots.txt") => Answer::ok("Sitemap: http://site.example/index.xml\n"),
            ("cdn.example", "/robots.txt") => Answer::ok("Sitemap: http://cdn.example/3.xml\n"),
            ("site.example", "/index.xml") => Answer::ok(urls(&[
                "http://site.example/1.xml",
                "http://www.site.example/2.xml",
                "http://cdn.example/3.xml",
                "http://other.example/4.xml",
            ])),
            (_, path) if path.len() == "/1.xml".len() => {
                Answer::ok(urlset(&[&format!("http://site.example/{}", &path[1..2])]))
            }
            _ => Answer::status(404),
        }
    });
    let folder = Folder::empty();
    let cat = |rest: &[&str]| {
        let arguments = [&["cat", "http://site.example/", "--site"], rest].concat();
        let output = folder
            .command(&arguments)
            .env("HTTP_PROXY", proxy.url(""))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let unread: BTreeSet<String> = said
            .lines()
            .filter_map(|line| line.strip_prefix("sitemap: cannot open "))
            .map(str::to_owned)
            .collect();
        let pages = String::from_utf8(output.stdout).unwrap();
        let mut pages: Vec<String> = pages
            .lines()
            .map(|line| line["http://site.example/".len()..].to_owned())
            .collect();
        pages.sort();
        (output.status.code(), pages.concat(), unread)
    };
    let left_out = |urls: &[&str]| -> BTreeSet<String> {
        urls.iter()
            .map(|url| format!("{url}: was skipped: it is on another host (--other-hosts follow)"))
            .collect()
    };
    let (third, fourth) = ("http://cdn.example/3.xml", "http://other.example/4.xml");
    for (rest, status, pages, unread) in [
        (&[][..], 2, "12", left_out(&[third, fourth])),
        (&["--other-hosts", "skip"], 2, "12", left_out(&[third, fourth])),
        (
            &["--other-hosts", "cross-submitted"],
            2,
            "123",
            left_out(&[fourth]),
        ),
        (&["--other-hosts", "follow"], 0, "1234", BTreeSet::new()),
    ] {
        assert_eq!(cat(rest), (Some(status), pages.to_owned(), unread), "{rest:?}");
    }
}

/// robots.txt names three documents that redirect in a circle, so every command treats the site as incomplete.
#[test]
fn documents_that_redirect_in_a_circle() {
    let server = Server::start(|_, request| {
        let host = &request.host;
        match &*request.path {
            "/robots.txt" => Answer::ok(
                ["a", "b", "c"]
                    .map(|name| format!("Sitemap: http://{host}/{name}.xml\n"))
                    .concat(),
            ),
            "/a.xml" => Answer::status(301).with("Location: /b.xml"),
            "/b.xml" => Answer::status(301).with("Location: /c.xml"),
            "/c.xml" => Answer::status(301).with("Location: /a.xml"),
            _ => Answer::status(404),
        }
    });
    let site = server.url("/");
    let folder = Folder::with(&[("old.xml", urlset(&[&server.url("/page")]))]);
    for arguments in [
        &["cat", &*site, "--site"][..],
        &["stat", &site, "--site"],
        &["lint", &site, "--site"],
        &["diff", "old.xml", &site, "--site"],
        &[
            "submit",
            "old.xml",
            &site,
            "--site",
            "--key",
            "0123456789abcdef",
            "--dry-run",
        ],
    ] {
        let (status, printed, said) = folder.run(arguments);
        assert_eq!(status, 2, "{arguments:?}: {printed}{said}");
        let problem = "could not be read: redirect: in a circle";
        let told = said.matches(problem).count();
        // These commands stop at the first one.
        let expected = if matches!(arguments[0], "diff" | "submit") {
            1
        } else {
            3
        };
        assert_eq!(told, expected, "{arguments:?}: {said}");
        assert!(!printed.contains("/page"), "{printed}");
    }
}

/// A document that is busy for a day does not delay the others. It is reported with its status.
#[test]
fn a_document_that_is_busy() {
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => {
            let named = (0..9).map(|number| format!("Sitemap: http://{}/{number}.xml\n", request.host));
            Answer::ok(named.collect::<String>() + "User-agent: *\nCrawl-delay: 0.01\n")
        }
        "/3.xml" => Answer::status(503).with("Retry-After: 86400"),
        path => Answer::ok(urlset(&[&format!("https://example.com{path}")])),
    });
    let (status, printed, said) = run(&server, &["cat", &server.url("/"), "--site"]);
    let expected = "note: 0.01 s between requests, as robots.txt asks\n\
                    sitemap: cannot open http://127.0.0.1:PORT/3.xml: could not be read: status 503, and the server asks to wait 24 hours\n\
                    1 of 9 documents could not be read to the end\n";
    assert_eq!((status, printed.len(), &*said), (2, 8, expected));
}

/// `Crawl-delay` is respected up to one second, or up to the requested limit, and reported.
#[test]
fn crawl_delay() {
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => Answer::ok(format!(
            "User-agent: *\nCrawl-delay: 1.5\nSitemap: http://{0}/1.xml\nSitemap: http://{0}/2.xml\n",
            request.host
        )),
        _ => Answer::ok(urlset(&["https://example.com/"])),
    });
    let site = server.url("/");
    for (rest, least, most, note) in [
        (
            &[][..],
            1000,
            1500,
            "note: robots.txt asks for 1.5 s between requests; 1 s are kept (--crawl-delay 2)\n",
        ),
        (
            &["--crawl-delay", "0"],
            0,
            1000,
            "note: robots.txt asks for 1.5 s between requests; 0 s are kept (--crawl-delay 2)\n",
        ),
        (
            &["--crawl-delay", "9"],
            1500,
            9000,
            "note: 1.5 s between requests, as robots.txt asks\n",
        ),
    ] {
        let began = Instant::now();
        let (status, printed, said) = run(&server, &[&["cat", &*site, "--site"], rest].concat());
        let time = began.elapsed().as_millis();
        assert_eq!((status, printed.len(), &*said), (0, 2, note));
        assert!(time >= least, "{rest:?}: {time} ms");
        // The upper limit leaves room for a busy machine.
        assert!(time < most + 5000, "{rest:?}: {time} ms");
    }
}

/// Missing and redirected documents do not need a new connection each.
#[test]
fn connections_are_used_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
                    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                    while line.len() > 2 {
                        line.clear();
                        if reader.read_line(&mut line).is_err() {
                            return;
                        }
                    }
                    line.clear();
                    let (status, location, body) = match &*path {
                        "/robots.txt" => (200, String::new(), format!("Sitemap: http://{address}/index.xml")),
                        "/index.xml" => {
                            let listed: Vec<String> = (0..40)
                                .map(|number| format!("http://{address}/{number}.xml"))
                                .collect();
                            (
                                200,
                                String::new(),
                                index(&listed.iter().map(|url| &**url).collect::<Vec<_>>()),
                            )
                        }
                        path if path.ends_with("0.xml") => {
                            (302, "Location: /gone\r\n".to_owned(), "Moved".repeat(100))
                        }
                        _ => (404, String::new(), "Not found".repeat(1000)),
                    };
                    let head = format!(
                        "HTTP/1.1 {status} X\r\n{location}Content-Length: {}\r\n\r\n",
                        body.len()
                    );
                    if stream.write_all((head + &body).as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    let folder = Folder::empty();
    let (status, ..) = folder.run(&[
        "cat",
        &format!("http://{address}/"),
        "--site",
        "--connections",
        "2",
    ]);
    assert_eq!(status, 2);
    let connections = connections.load(Ordering::Relaxed);
    assert!(connections <= 4, "{connections}");
}

/// The temporary folder is empty however the command ends, because temporary files have no names.
#[test]
fn temporary_files_have_no_names() {
    let server = Server::start(|_, request: &Request| match &*request.path {
        "/robots.txt" => Answer::ok(format!(
            "Sitemap: http://{0}/long.txt\nSitemap: http://{0}/never.txt\n",
            request.host
        )),
        "/long.txt" => Answer::ok("https://example.com/a-page-of-the-site\n".repeat(100_000)),
        _ => Answer::Hang,
    });
    let temporary = Folder::empty();
    let folder = Folder::empty();
    let mut child = folder
        .command(&["stat", &server.url("/"), "--site"])
        .env("TMPDIR", temporary.path(""))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // All three documents are requested. The long one is loaded, or already read.
    for _ in 0..200 {
        if server.requests().len() == 3 {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(200));
    assert_eq!(temporary.names(), [""; 0]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(temporary.names(), [""; 0]);
}

/// A JSON error with status 200 is not a table of entries.
#[test]
fn errors_in_json() {
    let server = Server::start(|_, request| match &*request.path {
        "/error" => Answer::ok("{\"error\":\"no such site\"}"),
        _ => Answer::ok("{\"loc\":\"https://example.com/\"}"),
    });
    let url = server.url("/error");
    let problem = "could not be read: `{\"error\":\"no such site\"}` before the root: this is JSON, not XML";
    for command in ["cat", "stat", "lint"] {
        let (status, _, said) = run(&server, &[command, &url]);
        assert_eq!(status, 2, "{command}: {said}");
        assert!(said.contains(problem), "{command}: {said}");
    }
    let (status, printed, said) = run(&server, &["cat", &server.url("/lines")]);
    let expected = vec!["https://example.com/".to_owned()];
    assert_eq!((status, printed, &*said), (0, expected, ""));
}

//! `sitemap submit`, against a server that plays the site and IndexNow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::folder::{CORE, Folder};
use crate::server::{Answer, Request, Server};

const KEY: &str = "0123456789abcdef";
/// The changes in the [folder].
const CHANGES: &str = "1 added, 1 removed, 1 changed, 1 as before; 2 indexes skipped\n";

fn urlset(entries: &[(String, &str)]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|(loc, rest)| format!("<url><loc>{loc}</loc>{rest}</url>\n"))
        .collect();
    format!("<urlset xmlns=\"{CORE}\">{}</urlset>", entries.concat())
}

/// Serves the key and answers each order with `order`.
fn engine(order: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Server {
    Server::start(move |number, request| match &*request.path {
        "/indexnow" => order(number),
        path if path == format!("/{KEY}.txt") => Answer::ok(KEY),
        _ => Answer::status(404),
    })
}

/// A folder with an old and a new set. One page was removed, one changed, and one added.
fn folder(server: &Server) -> Folder {
    let page = |path: &str| server.url(path);
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>{}</loc></sitemap></sitemapindex>",
        page("/pages.xml")
    );
    let old = [
        (page("/a"), "<priority>1</priority>"),
        (page("/b"), ""),
        (page("/c"), ""),
    ];
    let new = [
        (page("/a"), "<priority>1.0</priority>"),
        (page("/c"), "<lastmod>2026-05-01</lastmod>"),
        (page("/d"), ""),
    ];
    Folder::with(&[
        ("old/sitemap.xml", index.clone()),
        ("old/pages.xml", urlset(&old)),
        ("new/sitemap.xml", index),
        ("new/pages.xml", urlset(&new)),
    ])
}

fn submit<'a>(endpoint: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [
        &["submit", "old", "new", "--key", KEY, "--endpoint", endpoint],
        rest,
    ]
    .concat()
}

#[test]
fn what_changed_is_sent_once() {
    let server = engine(|_| Answer::status(200));
    let folder = folder(&server);
    let endpoint = server.url("/indexnow");
    let arguments = submit(&endpoint, &["--record", "sent.txt"]);
    let (status, printed, said) = folder.run(&arguments);
    assert_eq!(
        (status, printed, said),
        (
            0,
            String::new(),
            format!("{CHANGES}3 pages received, which does not mean indexed\n")
        )
    );
    let requests = server.requests();
    assert_eq!(
        server.lines(),
        [format!("GET /{KEY}.txt"), "POST /indexnow".to_owned()]
    );
    let body: Value = serde_json::from_str(&requests[1].body).unwrap();
    let pages = ["/b", "/c", "/d"].map(|path| server.url(path));
    assert_eq!(
        body,
        serde_json::json!({ "host": "127.0.0.1", "key": KEY, "urlList": pages })
    );
    assert_eq!(
        requests[1].user_agent,
        concat!("sitemap/", env!("CARGO_PKG_VERSION"))
    );
    let record = folder.read("sent.txt");
    assert_eq!(record.lines().count(), 4);
    assert_eq!(
        record.lines().next(),
        Some(&*format!("sitemap-submit 1 {endpoint}"))
    );

    // A second run sends nothing. A third run sends a new change.
    let (status, _, said) = folder.run(&arguments);
    assert_eq!(
        (status, said),
        (
            0,
            format!(
                "{CHANGES}0 pages received, which does not mean indexed\n3 pages sent before, by the record\n"
            )
        )
    );
    assert_eq!(server.requests().len(), 2);
    let new = [
        (server.url("/a"), "<priority>1.0</priority>"),
        (server.url("/c"), "<lastmod>2026-05-02</lastmod>"),
    ];
    folder.write("new/pages.xml", urlset(&new));
    assert_eq!(folder.run(&arguments).0, 0);
    let body: Value = serde_json::from_str(&server.requests()[3].body).unwrap();
    assert_eq!(body["urlList"], serde_json::json!([server.url("/c")]));
}

/// Another generator writes the same values in another order, with other white space, in another file and with another prefix.
#[test]
fn no_change_of_values_sends_nothing() {
    let server = engine(|_| Answer::status(200));
    let page = |path: &str| server.url(path);
    let old = [
        (page("/b"), "<priority>1</priority>"),
        (page("/a"), "<lastmod>2026-05-01T00:00:00Z</lastmod>"),
    ];
    let new = format!(
        "<?xml version='1.0'?><s:urlset xmlns:s='{CORE}'><s:url>\n<s:lastmod>2026-05-01T02:00:00+02:00</s:lastmod><s:loc> {} </s:loc></s:url>\
         <s:url><s:loc>{}</s:loc><s:priority>1.0</s:priority></s:url></s:urlset>",
        page("/a"),
        page("/b")
    );
    let folder = Folder::with(&[("old/1.xml", urlset(&old)), ("new/other.xml", new)]);
    let (status, _, said) = folder.run(&submit(&server.url("/indexnow"), &[]));
    assert_eq!(
        (status, &*said),
        (
            0,
            "0 added, 0 removed, 0 changed, 2 as before\n0 pages received, which does not mean indexed\n"
        )
    );
    assert!(server.requests().is_empty());
}

#[test]
fn a_dry_run_sends_nothing() {
    let server = engine(|_| Answer::status(200));
    let folder = folder(&server);
    let endpoint = server.url("/indexnow");
    let (status, printed, said) = folder.run(&submit(
        &endpoint,
        &[
            "--dry-run",
            "--record",
            "sent.txt",
            "--wait",
            "http://127.0.0.1:1/",
        ],
    ));
    let pages = ["/b", "/c", "/d"].map(|path| server.url(path)).join("\",\"");
    assert_eq!(
        (status, printed, said),
        (
            0,
            format!("{{\"host\":\"127.0.0.1\",\"key\":\"{KEY}\",\"urlList\":[\"{pages}\"]}}\n"),
            format!("{CHANGES}3 pages to send\n")
        )
    );
    assert!(server.requests().is_empty());
    assert_eq!(folder.names(), ["new", "old"]);
}

#[test]
fn answers_in_words() {
    for (answer, expected) in [
        (Answer::status(400), "status 400: the request is invalid"),
        (
            Answer::status(403),
            "status 403: the key is not valid: the engine did not find it where it should be served",
        ),
        (
            Answer::status(422),
            "status 422: the pages are not of the key's host, or the key does not fit the protocol",
        ),
        (
            Answer::status(429).with("Retry-After: 3600"),
            "the server wants to be asked again in 3600 s; send the rest then",
        ),
        (
            Answer::status(302).with("Location: /elsewhere"),
            "status 302: the endpoint redirects; use the address that it leads to",
        ),
    ] {
        let server = engine(move |_| answer.clone());
        let folder = folder(&server);
        let (status, _, said) = folder.run(&submit(&server.url("/indexnow"), &["--record", "sent.txt"]));
        let host = format!("127.0.0.1:{}", server.port);
        let expected = format!(
            "{CHANGES}sitemap: 3 pages of {host} not received: {expected}\n0 pages received, which does not mean indexed\n"
        );
        assert_eq!((status, said), (1, expected));
        assert_eq!(server.requests().len(), 2);
        assert_eq!(folder.read("sent.txt").lines().count(), 1);
    }
    let server = Server::start(|_, _| Answer::status(404));
    let folder = folder(&server);
    let (status, _, said) = folder.run(&submit(&server.url("/indexnow"), &[]));
    let key = server.url(&format!("/{KEY}.txt"));
    let expected = format!(
        "{CHANGES}sitemap: 3 pages of 127.0.0.1:{} not received: the key is not at {key}: status 404; serve it there as a text file\n\
         0 pages received, which does not mean indexed\n",
        server.port
    );
    assert_eq!((status, said), (1, expected));
    assert_eq!(server.requests().len(), 1);
}

/// Reset connections and busy engines are retried.
#[test]
fn what_passes_is_tried_again() {
    for first in [
        Answer::Close,
        Answer::status(429),
        Answer::status(503).with("Retry-After: 1"),
    ] {
        let server = engine(move |number| {
            if number == 1 {
                first.clone()
            } else {
                Answer::status(202)
            }
        });
        let folder = folder(&server);
        let (status, _, said) = folder.run(&submit(&server.url("/indexnow"), &[]));
        let expected = format!(
            "{CHANGES}3 pages received, which does not mean indexed\n3 pages received by an engine that has still to check the key\n"
        );
        assert_eq!((status, said), (0, expected));
        assert_eq!(server.requests().len(), 3);
    }
}

#[test]
fn pages_that_cannot_be_sent() {
    let server = engine(|_| Answer::status(200));
    let mut entries: Vec<_> = (0..12)
        .map(|i| (format!("https://other.example/{i:02}"), ""))
        .collect();
    entries.push((server.url("/shop/a"), ""));
    let folder = Folder::with(&[("old/1.xml", urlset(&[])), ("new/1.xml", urlset(&entries))]);
    let location = server.url(&format!("/{KEY}.txt"));
    let (status, _, said) = folder.run(&submit(&server.url("/indexnow"), &["--key-location", &location]));
    let problem = |i| {
        let host = format!("127.0.0.1:{}", server.port);
        format!("sitemap: `https://other.example/{i:02}` is not on the host of the key file, `{host}`\n")
    };
    let added = "13 added, 0 removed, 0 changed, 0 as before\n".to_owned();
    let mut expected = (0..10).fold(added, |text, i| text + &problem(i));
    expected += "sitemap: 12 pages cannot be sent\n1 page received, which does not mean indexed\n";
    assert_eq!((status, said), (1, expected));
}

/// A site with an old and a new set. Each consists of an index and a sitemap.
type Sets = Arc<Mutex<[[String; 2]; 2]>>;

/// A site that serves the new set to each request that `deployed` accepts, and the old set to others.
fn site(deployed: fn(usize, &Request) -> bool) -> (Server, Sets) {
    let sets = Sets::default();
    let served = Arc::clone(&sets);
    let server = Server::start(move |number, request| {
        let set = &served.lock().unwrap()[usize::from(deployed(number, request))];
        match &*request.path {
            "/sitemap.xml" => Answer::ok(set[0].clone()),
            "/pages.xml" => Answer::ok(set[1].clone()),
            "/indexnow" => Answer::status(200),
            _ => Answer::ok(KEY),
        }
    });
    (server, sets)
}

#[test]
fn nothing_is_announced_before_it_is_served() {
    type Deployed = fn(usize, &Request) -> bool;
    let cases: [(Deployed, Result<usize, &str>); 4] = [
        (|_, _| true, Ok(2)),
        (|number, _| number > 1, Ok(4)),
        (|_, _| false, Err("/pages.xml is not the new document")),
        (
            |_, request| request.path == "/pages.xml",
            Err("/sitemap.xml is not the new document; 1 of 2 documents are served"),
        ),
    ];
    for (deployed, expected) in cases {
        let (server, sets) = site(deployed);
        let folder = folder(&server);
        let dated = folder
            .read("new/sitemap.xml")
            .replace("</loc>", "</loc><lastmod>2026-05-01</lastmod>");
        folder.write("new/sitemap.xml", dated);
        let set = |set: &str| ["sitemap.xml", "pages.xml"].map(|name| folder.read(&format!("{set}/{name}")));
        *sets.lock().unwrap() = [set("old"), set("new")];
        let (base, endpoint) = (server.url("/"), server.url("/indexnow"));
        let (status, _, said) = folder.run(&submit(
            &endpoint,
            &[
                "--wait",
                &base,
                "--max-wait",
                if expected.is_ok() { "60" } else { "1" },
            ],
        ));
        match expected {
            Ok(requests) => {
                assert_eq!(
                    (status, said),
                    (
                        0,
                        format!("{CHANGES}3 pages received, which does not mean indexed\n")
                    )
                );
                // The set, the key and the order.
                assert_eq!(server.requests().len(), requests + 2);
                assert_eq!(server.lines().last().unwrap(), "POST /indexnow");
            }
            Err(problem) => {
                let site = base.trim_end_matches('/');
                let problem = format!(
                    "{CHANGES}sitemap: the new set is not served after 1 s: {site}{problem}; nothing was sent\n"
                );
                assert_eq!((status, said), (1, problem));
                assert!(server.requests().iter().all(|request| request.method == "GET"));
            }
        }
    }
}

/// The run is killed during the second of three orders, then repeated. Only that order is sent twice.
#[test]
fn killed_between_orders() {
    let mut sites: Vec<Server> = (0..3).map(|_| Server::start(|_, _| Answer::ok(KEY))).collect();
    // Orders are sent in this order of hosts.
    sites.sort_by_key(|site| site.url(""));
    let pages: Vec<_> = (0..9).map(|i| (sites[i % 3].url(&format!("/{i}")), "")).collect();
    let folder = Folder::with(&[("old/1.xml", urlset(&[])), ("new/1.xml", urlset(&pages))]);
    let hanging = Server::start(|number, _| match number {
        0 => Answer::status(200),
        _ => Answer::Hang,
    });
    let endpoint = hanging.url("/indexnow");
    let arguments = submit(&endpoint, &["--record", "sent.txt"]);
    let mut program = folder.command(&arguments).spawn().unwrap();
    while hanging.requests().len() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    // No other run may write to the record now.
    let (status, _, said) = folder.run(&arguments);
    let problem =
        "sitemap: sent.txt is written to by another run: run the command again when that has ended\n";
    assert_eq!((status, &*said), (2, problem));
    program.kill().unwrap();
    program.wait().unwrap();
    let record = folder.read("sent.txt");
    assert_eq!(record.lines().count(), 4);
    // Simulates a kill in the middle of a line.
    folder.write("sent.txt", record + "2026-05-01T00:0");

    // A responsive engine on another port.
    let engine = Server::start(|_, _| Answer::status(200));
    let moved = folder
        .read("sent.txt")
        .replace(&endpoint, &engine.url("/indexnow"));
    folder.write("sent.txt", moved);
    let endpoint = engine.url("/indexnow");
    let (status, _, said) = folder.run(&submit(&endpoint, &["--record", "sent.txt"]));
    let expected = "9 added, 0 removed, 0 changed, 0 as before\n\
                    6 pages received, which does not mean indexed\n3 pages sent before, by the record\n";
    assert_eq!((status, &*said), (0, expected));
    let mut times = BTreeMap::new();
    for request in [hanging.requests(), engine.requests()].concat() {
        let order: Value = serde_json::from_str(&request.body).unwrap();
        for url in order["urlList"].as_array().unwrap() {
            *times.entry(url.as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    let expected = pages.into_iter().enumerate();
    let expected = expected.map(|(i, (page, _))| (page, if i % 3 == 1 { 2 } else { 1 }));
    assert_eq!(times, expected.collect());
    let record = folder.read("sent.txt");
    assert!(
        record.ends_with('\n') && record.lines().count() == 10 && !record.contains('\0'),
        "{record:?}"
    );
    let (status, _, said) = folder.run(&submit(&endpoint, &["--record", "sent.txt"]));
    assert!(
        status == 0 && said.ends_with("\n9 pages sent before, by the record\n"),
        "{said}"
    );
}

/// A file that is not a valid record is refused and left unchanged, even if nothing needs to be sent.
#[test]
fn files_that_are_no_records_stay_as_they_are() {
    let server = engine(|_| Answer::status(200));
    let folder = folder(&server);
    let endpoint = server.url("/indexnow");
    let header = format!("sitemap-submit 1 {endpoint}");
    let sitemap = urlset(&[(server.url("/a"), "")]).replace('\n', "");
    let no_record = "it is not a record of sent pages: its first line should begin with `sitemap-submit 1`";
    for (text, problem) in [
        ("notes", Some(no_record)),
        (&*sitemap, Some(no_record)),
        ("notes\n", Some(no_record)),
        ("sitemap-submit 2 x", Some(no_record)),
        ("", None),
        ("sitemap-sub", None),
        (&*header, None),
    ] {
        folder.write("sent.txt", text);
        let arguments = ["submit", "new", "new", "--key", KEY, "--endpoint", &endpoint];
        let found = folder.run(&[&arguments[..], &["--record", "sent.txt"]].concat());
        match problem {
            Some(problem) => {
                let expected = (2, String::new(), format!("sitemap: sent.txt: {problem}\n"));
                assert_eq!(found, expected, "{text}");
                assert_eq!(folder.read("sent.txt"), text);
            }
            None => {
                assert_eq!(found.0, 0, "{text}: {}", found.2);
                assert_eq!(folder.read("sent.txt"), format!("{header}\n"));
            }
        }
    }
    assert!(server.requests().is_empty());
}

/// A record with mostly outdated lines is rewritten, and keeps its pages.
#[test]
fn a_record_is_compacted() {
    let server = engine(|_| Answer::status(200));
    let folder = folder(&server);
    let endpoint = server.url("/indexnow");
    let arguments = submit(&endpoint, &["--record", "sent.txt"]);
    assert_eq!(folder.run(&arguments).0, 0);
    let (header, pages) = {
        let record = folder.read("sent.txt");
        let (header, pages) = record.split_once('\n').unwrap();
        (format!("{header}\n"), pages.to_owned())
    };
    let before = "0 pages received, which does not mean indexed\n3 pages sent before, by the record\n";
    for (times, end, lines) in [(333, "", 1000), (400, "", 4), (400, "2026-05-01T00:0", 4)] {
        folder.write("sent.txt", header.clone() + &pages.repeat(times) + end);
        for _ in 0..2 {
            assert_eq!(
                folder.run(&arguments),
                (0, String::new(), format!("{CHANGES}{before}"))
            );
            let record = folder.read("sent.txt");
            assert!(record.starts_with(&header) && record.ends_with('\n'), "{record}");
            assert_eq!(record.lines().count(), lines);
        }
    }
    // Pages sent by the same run are appended.
    folder.write("sent.txt", header + &pages.repeat(400));
    folder.write(
        "new/pages.xml",
        urlset(&[(server.url("/c"), "<lastmod>2026-05-02</lastmod>")]),
    );
    assert_eq!(folder.run(&arguments).0, 0);
    let record = folder.read("sent.txt");
    let urls: Vec<_> = record
        .lines()
        .skip(1)
        .map(|line| line.split(' ').nth(2).unwrap())
        .collect();
    assert_eq!(urls, ["/b", "/c", "/d", "/a", "/c"].map(|path| server.url(path)));
    assert_eq!(folder.names(), ["new", "old", "sent.txt"]);
}

/// With an unreadable entry in the new set, nothing is sent. If the old set has one, only pages in the new set are sent.
#[test]
fn sets_that_cannot_be_read_whole() {
    let server = engine(|_| Answer::status(200));
    let folder = folder(&server);
    let (endpoint, whole) = (server.url("/indexnow"), folder.read("new/pages.xml"));
    let twice = whole.replacen("</loc>", &format!("</loc><loc>{}</loc>", server.url("/a")), 1);
    folder.write("new/pages.xml", &twice);
    let (status, printed, said) = folder.run(&submit(&endpoint, &["--record", "sent.txt"]));
    let expected = "1 added, 0 removed, 1 changed, 0 as before; 1 entry of NEW could not be read; 2 pages missing, if not among those; 2 \
                    indexes skipped\nsitemap: nothing is sent, since NEW could not be read whole: `sitemap lint` says why\n";
    assert_eq!((status, &*printed, &*said), (1, "", expected));
    assert!(server.requests().is_empty());
    assert_eq!(folder.read("sent.txt").lines().count(), 1);

    folder.write("new/pages.xml", &whole);
    let old = folder.read("old/pages.xml");
    folder.write("old/pages.xml", old.replace("</urlset>", "<url/></urlset>"));
    let (status, _, said) = folder.run(&submit(&endpoint, &["--quiet"]));
    let expected =
        "1 added, 1 removed, 1 changed, 1 as before; 1 entry of OLD could not be read; 2 indexes skipped\n";
    assert_eq!((status, &*said), (1, expected));
    assert_eq!(server.lines().last().unwrap(), "POST /indexnow");
}

#[test]
fn wrong_use() {
    let folder = Folder::with(&[
        ("old.xml", urlset(&[])),
        ("new.xml", urlset(&[("https://example.com/".to_owned(), "")])),
        (
            "other.txt",
            "sitemap-submit 1 https://other.example/\n".to_owned(),
        ),
        (
            "damaged.txt",
            "sitemap-submit 1 https://api.indexnow.org/indexnow\n?\n".to_owned(),
        ),
        ("text.txt", "Hello\n".to_owned()),
    ]);
    let with_key = |rest: &[&str]| {
        let arguments = [&["submit", "old.xml", "new.xml", "--key", KEY], rest].concat();
        folder.run(&arguments)
    };
    for (rest, problem) in [
        (
            vec!["--record", "other.txt"],
            "other.txt is the record of another endpoint, https://other.example/: name another file for https://api.indexnow.org/indexnow",
        ),
        (
            vec!["--record", "damaged.txt"],
            "damaged.txt: line 2 is damaged; remove it, and its page is sent again",
        ),
        (
            vec!["--record", "text.txt", "--dry-run"],
            "text.txt: it is not a record of sent pages: its first line should begin with `sitemap-submit 1`",
        ),
        (
            vec!["--endpoint", "api.indexnow.org"],
            "--endpoint: `api.indexnow.org` is not an absolute URL with http or https",
        ),
        (
            vec!["--key-location", "/key.txt"],
            "--key-location: `/key.txt` is not an absolute URL with http or https",
        ),
    ] {
        assert_eq!(
            with_key(&rest),
            (2, String::new(), format!("sitemap: {problem}\n"))
        );
    }
    let (status, _, said) = folder.run(&["submit", "old.xml", "new.xml", "--key", "key"]);
    let problem = "sitemap: --key: `key` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens; generate another one\n";
    assert_eq!((status, &*said), (2, problem));
    let server = Server::start(|_, _| {
        Answer::ok(format!(
            "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc></url></urlset>"
        ))
    });
    let url = server.url("/sitemap.xml");
    let (status, _, said) = folder.run(&["submit", "old.xml", &url, "--key", KEY, "--wait", &url]);
    let problem = format!(
        "1 added, 0 removed, 0 changed, 0 as before\nsitemap: {url}: --wait is for files that are to be served: name a file or a directory as NEW\n"
    );
    assert_eq!((status, said), (2, problem));
}

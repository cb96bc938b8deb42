//! Sites with damaged documents. Each run that meets the damage reports it, and prints the pages before it.

mod site;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use sitemap_tests::rounds;

use self::site::{Content, Damage, Document, Readable, RobotsTxt, Served, Site, loc};
use crate::folder::Folder;
use crate::live::index;
use crate::live_again::Random;
use crate::server::{Answer, Server};

/// Runs each command on one site, and `cat` twice with `--save`.
fn check(site: &Site) {
    let (served, readable) = (Served::start(site), site.readable());
    thread::scope(|scope| {
        scope.spawn(|| check_cat(&served, &readable, site));
        scope.spawn(|| check_saved(&served, &readable, site));
        scope.spawn(|| check_stat(&served, &readable, site));
        scope.spawn(|| check_set("convert", &served, &readable, site));
        scope.spawn(|| check_set("split", &served, &readable, site));
    });
    // A truncated body is requested three more times, with pauses.
    let is_cut = |document: &Document| document.damage == Damage::Cut;
    if !site.documents.iter().any(is_cut) {
        check_transfer(&served, site);
    }
}

/// Asserts that all readable pages are printed and each damage is reported.
fn check_cat(served: &Served, readable: &Readable, site: &Site) {
    let expected = (readable.status(), readable.pages.clone(), readable.damaged());
    let found = served.run(&Folder::empty(), &["cat", "SITE", "--site"]);
    assert_eq!(found, expected, "{site:#?}");
}

/// Asserts that a second run reports each damage again, and prints the pages before it again.
fn check_saved(served: &Served, readable: &Readable, site: &Site) {
    let (folder, status) = (Folder::empty(), readable.status());
    for pages in [&readable.pages, &readable.pages_of_damaged] {
        let found = served.run(&folder, &["cat", "SITE", "--site", "--save", "site.state"]);
        assert_eq!(found, (status, pages.clone(), readable.damaged()), "{site:#?}");
    }
}

/// Unreadable entries of pages are counted, but not reported one by one.
fn check_stat(served: &Served, readable: &Readable, site: &Site) {
    let (status, lines, documents) = served.run(&Folder::empty(), &["stat", "SITE", "--site"]);
    let entries = format!("entries      {}", readable.pages.len());
    assert!(lines.contains(&entries), "{lines:#?}\n{site:#?}");
    let mut named = readable.damaged();
    named.retain(|path| readable.broken.contains(path) || site.is_index(path));
    assert_eq!((status, documents), (readable.status(), named), "{site:#?}");
}

/// A command that combines all documents into one set stops at the first truncated document.
fn check_set(command: &str, served: &Served, readable: &Readable, site: &Site) {
    let folder = Folder::empty();
    let arguments: &[&str] = if command == "convert" {
        &[
            "convert",
            "SITE",
            "--site",
            "--to",
            "text",
            "--on-invalid",
            "drop",
        ]
    } else {
        &[
            "split",
            "SITE",
            "--site",
            "-o",
            "set",
            "--base",
            "https://example.com",
            "--on-invalid",
            "drop",
        ]
    };
    let (status, mut pages, documents) = served.run(&folder, arguments);
    assert_eq!(status, readable.status(), "{command}: {site:#?}");
    if status == 2 {
        let is_named = documents.iter().any(|path| readable.broken.contains(path));
        return assert!(is_named, "{command}: {documents:?}\n{site:#?}");
    }
    if command == "split" {
        pages = served.run(&folder, &["cat", "set"]).1;
    }
    let expected = (&readable.pages, &readable.damaged());
    assert_eq!((&pages, &documents), expected, "{command}: {site:#?}");
}

/// Once the damage is repaired, the pages that were unreadable are printed once.
fn check_mended(site: &Site) {
    let (served, folder, readable) = (Served::start(site), Folder::empty(), site.readable());
    let cat = ["cat", "SITE", "--site", "--save", "site.state"];
    served.run(&folder, &cat);
    served.is_mended.store(true, Ordering::Relaxed);
    let read: BTreeSet<&String> = readable.pages.iter().collect();
    let damaged: BTreeSet<&String> = readable.pages_of_damaged.iter().collect();
    let is_new = |page: &String| !read.contains(page) || damaged.contains(page);
    let mut missing = site.mended().readable().pages;
    missing.retain(is_new);
    assert_eq!(served.run(&folder, &cat), (0, missing, Vec::new()), "{site:#?}");
    assert_eq!(
        served.run(&folder, &cat),
        (0, Vec::new(), Vec::new()),
        "{site:#?}"
    );
}

/// Asserts that the transfer exceeds its budget by at most one buffer, which holds one document.
fn check_transfer(served: &Served, site: &Site) {
    let folder = Folder::empty();
    let before = served.sent.load(Ordering::Relaxed);
    let expected = served.run(&folder, &["cat", "SITE", "--site", "--connections", "1"]);
    let all = served.sent.load(Ordering::Relaxed) - before;
    for part in 1..4 {
        let most = all * part / 4;
        let transfer = most.to_string();
        let before = served.sent.load(Ordering::Relaxed);
        let cat = [
            "cat",
            "SITE",
            "--site",
            "--connections",
            "1",
            "--max-transfer",
            &transfer,
        ];
        let (status, lines, documents) = served.run(&folder, &cat);
        let sent = served.sent.load(Ordering::Relaxed) - before;
        let longest = served.longest.load(Ordering::Relaxed);
        assert!(sent <= most + longest, "{sent} of {most}: {site:#?}");
        let is_less = lines != expected.1;
        assert!(!is_less || status == 2, "{documents:?}\n{site:#?}");
    }
}

#[test]
fn damage_is_reported_by_every_run() {
    thread::scope(|scope| {
        for seed in 0..rounds(16) as u64 {
            scope.spawn(move || {
                let site = Site::random(&mut Random(seed), seed % 5 == 0);
                check(&site);
            });
        }
    });
}

#[test]
fn mended_documents_are_printed_once() {
    for seed in 100..100 + rounds(16) as u64 {
        check_mended(&Site::random(&mut Random(seed), false));
    }
}

/// A document at a usual URL may be an HTML page of a site without sitemaps. A damaged sitemap there is still reported.
#[test]
fn a_damaged_document_at_a_usual_url() {
    for content in [Content::Pages(3), Content::Index(vec![1, 2])] {
        for damage in [Damage::End(1), Damage::Entry(1)] {
            let mut site = Site::small(damage);
            site.documents[0].content = content.clone();
            site.robots = None;
            check(&site);
        }
    }
}

/// The contents of a damaged index are unknown, so no page counts as removed.
#[test]
fn a_damaged_index_is_not_compared() {
    let folder = Folder::with(&[("old.txt", loc(1, 0) + "\n" + &loc(2, 0) + "\n")]);
    for (damage, problem) in [
        (
            Damage::End(1),
            "SITEsitemap.xml: the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy, at line 1, ",
        ),
        (
            Damage::Entry(1),
            "SITEsitemap.xml: mailto:nobody@example.com is neither http nor https\n\
             sitemap: SITE: it is not known what an unreadable entry of an index would list\n",
        ),
    ] {
        for robots in [Some(RobotsTxt::Good), None] {
            let mut site = Site::small(damage);
            site.robots = robots;
            let url = format!("http://{}/", Served::start(&site).host);
            let (status, printed, said) = folder.run(&["diff", "old.txt", &url, "--site"]);
            assert_eq!((status, &*printed), (2, ""));
            let said = said.replace(&url, "SITE");
            assert!(
                said.trim_start_matches("sitemap: ").starts_with(problem),
                "{said}"
            );
        }
    }
}

/// The sitemaps in a damaged robots.txt are unknown, so every command reports the damage and no page counts as removed.
#[test]
fn a_damaged_robots_txt() {
    let old = loc(1, 0) + "\n" + &loc(9, 0) + "\n";
    for (robots, problem) in [
        (
            RobotsTxt::Invalid,
            "mailto:nobody@example.com is neither http nor https",
        ),
        (RobotsTxt::Long, "text after its first 512,000 bytes is not read"),
    ] {
        let mut site = Site::small(Damage::None);
        site.robots = Some(robots);
        check(&site);
        let url = format!("http://{}/", Served::start(&site).host);
        let folder = Folder::with(&[("old.txt", &old)]);
        let submit = [
            "submit",
            "old.txt",
            &url,
            "--site",
            "--dry-run",
            "--key",
            "0123456789",
        ];
        let lint = ["lint", &url, "--site", "--level", "P-HOST=off"];
        for arguments in [&["diff", "old.txt", &*url, "--site"][..], &submit, &lint] {
            let (status, printed, said) = folder.run(arguments);
            let is_lint = arguments[0] == "lint";
            assert!(
                status == 2 && (is_lint || printed.is_empty()),
                "{arguments:?}: {printed}"
            );
            let problem = format!("SITErobots.txt: {problem}");
            assert!(
                said.replace(&url, "SITE").contains(&problem),
                "{arguments:?}: {said}"
            );
        }
    }
}

/// robots.txt names no readable URL, and the site has no sitemaps at the usual URLs.
#[test]
fn a_robots_txt_that_names_no_address() {
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => Answer::ok("Sitemap: ftp://example.com/1.xml\nSitemap: htps://example.com/2.xml\n"),
        _ => Answer::status(404),
    });
    let url = server.url("/");
    let said = format!(
        "sitemap: cannot open {url}robots.txt: 2 entries could not be read; the first: ftp://example.com/1.xml is neither http nor https\n"
    );
    let cat = ["cat", &url, "--site"];
    assert_eq!(Folder::empty().run(&cat), (2, String::new(), said));
}

/// Endless HTML pages.
#[test]
fn pages_that_are_no_sitemaps_use_the_budget() {
    const BYTES: u64 = 48 << 20;
    const PAGES: [&str; 3] = ["/1.xml", "/2.xml", "/3.xml"];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let listed = PAGES.map(|page| format!("http://{host}{page}"));
    let index = index(&listed.each_ref().map(|url| &**url));
    let site = format!("http://{host}/");
    let robots = format!("Sitemap: {site}sitemap.xml");
    let sent = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&sent);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, sent) = (stream.unwrap(), Arc::clone(&counter));
            let (index, robots) = (index.clone(), robots.clone());
            thread::spawn(move || {
                let mut request = [0; 1000];
                let length = stream.read(&mut request).unwrap();
                let body = match std::str::from_utf8(&request[..length]).unwrap() {
                    request if request.starts_with("GET /sitemap.xml ") => index.into_bytes(),
                    request if request.starts_with("GET /robots.txt ") => robots.into_bytes(),
                    _ => b"<!doctype html><p>".to_vec(),
                };
                let length = if body.starts_with(b"<!") {
                    BYTES
                } else {
                    body.len() as u64
                };
                let head =
                    format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
                stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
                let mut left = length - body.len() as u64;
                while left > 0 && stream.write_all(&[b' '; 1 << 12]).is_ok() {
                    left = left.saturating_sub(1 << 12);
                    sent.fetch_add(1 << 12, Ordering::Relaxed);
                }
            });
        }
    });
    let (status, printed, said) = Folder::empty().run(&["cat", &site, "--site", "--max-transfer", "100000"]);
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    let left_out = "was skipped: the walk has reached its limit of bytes of responses";
    let mut expected = vec!["3 of 4 documents could not be read to the end".to_owned()];
    expected.extend(listed.map(|url| format!("sitemap: cannot open {url}: {left_out}")));
    assert_eq!(
        (status, &*printed, lines.join("\n")),
        (2, "", expected.join("\n"))
    );
    // Bytes that the system has buffered, and the command has not read, are fewer than one page.
    let sent = sent.load(Ordering::Relaxed);
    assert!(sent < BYTES, "{sent}");
}

/// A full disk is not the site's fault: the command stops, and its next run reads the document.
#[cfg(unix)]
#[test]
fn a_document_that_cannot_be_kept() {
    const PAGES: usize = 60_000;
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{}/sitemap.txt", request.host)),
        _ => Answer::ok((0..PAGES).map(|page| loc(1, page) + "\n").collect::<String>()),
    });
    let (folder, site) = (Folder::empty(), server.url("/"));
    let cat = ["cat", &site, "--site", "--save", "site.state"];
    let output = folder
        .command(&cat)
        .env("TMPDIR", "/nonexistent")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let problem = "sitemap: cannot write a temporary file: No such file or directory (os error 2)";
    assert!(said.starts_with(problem) && said.lines().count() == 1, "{said}");
    assert_eq!(server.lines(), ["GET /robots.txt", "GET /sitemap.txt"]);
    let (status, printed, said) = folder.run(&cat);
    assert_eq!((status, printed.lines().count(), &*said), (0, PAGES, ""));
}

#[test]
fn connections_are_bounded() {
    for number in ["0", "65", "1000000"] {
        let cat = ["cat", "http://127.0.0.1:1/", "--site", "--connections", number];
        let (status, _, said) = Folder::empty().run(&cat);
        let problem =
            format!("invalid value '{number}' for '--connections <NUMBER>': {number} is not in 1..=64");
        assert_eq!(status, 2);
        assert!(said.contains(&problem), "{said}");
    }
}

//! Sites with damaged documents: what is in front of the damage is printed, and the damage is reported, by each run that meets it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::folder::{Folder, gzipped};
use crate::live::{index, urlset};
use crate::live_again::Random;
use crate::server::{Answer, Request, Server};

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    None,
    /// It ends within an entry, and its length says so.
    End(usize),
    /// There is a further entry, which cannot be read, before this one.
    Entry(usize),
    /// Its connection is closed within the body.
    Cut,
    Html,
    Gone,
}

#[derive(Clone, Debug)]
enum Content {
    /// The numbers of documents.
    Index(Vec<usize>),
    /// The number of pages.
    Pages(usize),
}

#[derive(Clone, Debug)]
struct Document {
    content: Content,
    damage: Damage,
    has_validators: bool,
    is_compressed: bool,
}

/// A site, whose first document robots.txt names, or is at the usual URL.
#[derive(Clone, Debug)]
struct Site {
    documents: Vec<Document>,
    has_robots: bool,
}

/// What of a site can be read.
#[derive(Debug, Default)]
struct Readable {
    pages: Vec<String>,
    /// The paths of documents that cannot be read to their ends.
    broken: BTreeSet<String>,
    /// The paths of those with an entry that cannot be read.
    with_entries: BTreeSet<String>,
    /// The pages of both.
    pages_of_damaged: Vec<String>,
}

impl Site {
    fn random(random: &mut Random, may_be_cut: bool) -> Self {
        let has_robots = random.below(3) > 0;
        // The first document lists a good one.
        let mut documents = vec![
            Document {
                content: Content::Index(vec![1]),
                ..Document::random(random, may_be_cut)
            },
            Document {
                content: Content::Pages(3),
                damage: Damage::None,
                ..Document::random(random, may_be_cut)
            },
        ];
        if matches!(documents[0].damage, Damage::Html | Damage::Gone) {
            documents[0].damage = Damage::None;
        }
        for number in 2..4 + below(random, 6) {
            let mut document = Document::random(random, may_be_cut);
            if random.below(3) == 0 {
                document.content = Content::Index(Vec::new());
            }
            let indexes = documents
                .iter_mut()
                .filter_map(|document| match &mut document.content {
                    Content::Index(children) => Some(children),
                    Content::Pages(_) => None,
                });
            let mut indexes: Vec<_> = indexes.collect();
            let lister = below(random, indexes.len());
            indexes[lister].push(number);
            documents.push(document);
        }
        Site {
            documents,
            has_robots,
        }
    }

    /// The same, without damage.
    fn mended(&self) -> Self {
        let mut site = self.clone();
        for document in &mut site.documents {
            document.damage = Damage::None;
        }
        site
    }

    fn document(&self, path_of: &str) -> Option<(usize, &Document)> {
        let mut documents = self.documents.iter().enumerate();
        documents.find(|(number, _)| path(*number) == path_of)
    }

    fn is_index(&self, path: &str) -> bool {
        let document = self.document(path);
        document.is_some_and(|(_, document)| matches!(document.content, Content::Index(_)))
    }

    fn answer(&self, request: &Request) -> Answer {
        if request.path == "/robots.txt" {
            return if self.has_robots {
                Answer::ok(format!("Sitemap: http://{}/sitemap.xml", request.host))
            } else {
                Answer::status(404)
            };
        }
        let Some((number, document)) = self.document(&request.path) else {
            return Answer::status(404);
        };
        let body = document.body(number, &request.host);
        // Of the whole text, whether all of it is sent or not.
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let tag = format!("\"{:x}\"", hasher.finish());
        let body = if document.is_compressed && document.damage != Damage::Html {
            gzipped(&body)
        } else {
            body.into_bytes()
        };
        let answer = match document.damage {
            Damage::Gone => return Answer::status(404),
            Damage::Cut => Answer::Cut(String::new(), body),
            _ if document.has_validators && request.if_none_match == tag => return Answer::status(304),
            _ => Answer::ok(body),
        };
        if document.has_validators {
            answer.with(&format!("ETag: {tag}"))
        } else {
            answer
        }
    }

    fn readable(&self) -> Readable {
        let mut readable = Readable::default();
        self.read(0, &mut readable);
        readable.pages.sort();
        readable.pages_of_damaged.sort();
        readable
    }

    fn read(&self, number: usize, readable: &mut Readable) {
        let document = &self.documents[number];
        let most = match document.damage {
            Damage::None => usize::MAX,
            Damage::Entry(_) => {
                readable.with_entries.insert(path(number));
                usize::MAX
            }
            damage => {
                readable.broken.insert(path(number));
                if let Damage::End(at) = damage { at } else { 0 }
            }
        };
        match &document.content {
            Content::Index(children) => {
                for &child in children.iter().take(most) {
                    self.read(child, readable);
                }
            }
            Content::Pages(count) => {
                let pages: Vec<String> = (0..*count).take(most).map(|page| loc(number, page)).collect();
                if document.damage != Damage::None {
                    readable.pages_of_damaged.extend(pages.clone());
                }
                readable.pages.extend(pages);
            }
        }
    }
}

impl Document {
    fn random(random: &mut Random, may_be_cut: bool) -> Self {
        let at = 1 + below(random, 2);
        Document {
            content: Content::Pages(3),
            damage: match random.below(10) {
                0 | 1 => Damage::End(at),
                2 | 3 => Damage::Entry(at),
                4 => Damage::Html,
                5 => Damage::Gone,
                6 if may_be_cut => Damage::Cut,
                _ => Damage::None,
            },
            has_validators: random.below(2) == 0,
            is_compressed: random.below(3) == 0,
        }
    }

    fn body(&self, number: usize, host: &str) -> String {
        let (locs, entry): (Vec<String>, _) = match &self.content {
            Content::Index(children) => {
                let urls = children
                    .iter()
                    .map(|child| format!("http://{host}{}", path(*child)));
                (urls.collect(), "sitemap")
            }
            Content::Pages(count) => ((0..*count).map(|page| loc(number, page)).collect(), "url"),
        };
        let list: Vec<&str> = locs.iter().map(|loc| &**loc).collect();
        let text = if entry == "url" {
            urlset(&list)
        } else {
            index(&list)
        };
        let before = |at: usize| match locs.get(at) {
            Some(loc) => text.find(&format!("<{entry}><loc>{loc}<")),
            None => text.rfind("</"),
        };
        match self.damage {
            Damage::Html => "<!doctype html><title>Not found</title>".to_owned(),
            Damage::End(at) => format!("{}<{entry}><loc>http", &text[..before(at).unwrap()]),
            Damage::Entry(at) => {
                let (front, rest) = text.split_at(before(at).unwrap());
                // An index has an address that cannot be requested.
                let invalid = match entry {
                    "url" => "<url><lastmod>2026-11-23</lastmod></url>",
                    _ => "<sitemap><loc>mailto:nobody@example.com</loc></sitemap>",
                };
                format!("{front}{invalid}{rest}")
            }
            Damage::None | Damage::Cut | Damage::Gone => text,
        }
    }
}

fn below(random: &mut Random, bound: usize) -> usize {
    usize::try_from(random.below(bound as u64)).unwrap()
}

fn path(number: usize) -> String {
    match number {
        0 => "/sitemap.xml".to_owned(),
        number => format!("/{number}.xml"),
    }
}

fn loc(document: usize, page: usize) -> String {
    format!("https://example.com/{document}/{page}")
}

/// A site on a server, which counts the bytes of bodies, and can be mended.
struct Served {
    host: String,
    is_mended: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
    /// The bytes of the longest body.
    longest: Arc<AtomicU64>,
}

impl Served {
    fn start(site: &Site) -> Self {
        let (damaged, mended) = (site.clone(), site.mended());
        let served = Served {
            host: String::new(),
            is_mended: Arc::default(),
            sent: Arc::default(),
            longest: Arc::default(),
        };
        let (is_mended, sent, longest) = (
            Arc::clone(&served.is_mended),
            Arc::clone(&served.sent),
            Arc::clone(&served.longest),
        );
        let server = Server::start(move |_, request| {
            let site = if is_mended.load(Ordering::Relaxed) {
                &mended
            } else {
                &damaged
            };
            let answer = site.answer(request);
            if let Answer::Response(_, _, body) | Answer::Cut(_, body) = &answer {
                sent.fetch_add(body.len() as u64, Ordering::Relaxed);
                longest.fetch_max(body.len() as u64, Ordering::Relaxed);
            }
            answer
        });
        Served {
            host: format!("127.0.0.1:{}", server.port),
            ..served
        }
    }

    /// Runs a command, and returns its status, the lines that it prints, sorted, and the documents that its messages are about, by their
    /// paths.
    fn run(&self, folder: &Folder, arguments: &[&str]) -> (i32, Vec<String>, Vec<String>) {
        let site = format!("http://{}/", self.host);
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| if *argument == "SITE" { &*site } else { argument })
            .collect();
        let (status, printed, said) = folder.run(&arguments);
        let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        lines.sort();
        let mut documents: Vec<String> = said
            .lines()
            .filter_map(|line| {
                let (_, rest) = line.split_once(&*site)?;
                let (name, _) = rest.split_once(".xml")?;
                Some(format!("/{name}.xml"))
            })
            .collect();
        documents.sort();
        (status, lines, documents)
    }
}

/// One site, read by each command, and by `cat` again and again with `--save`.
fn check(site: &Site) {
    let served = Served::start(site);
    let readable = site.readable();
    let damaged: Vec<String> = readable.broken.union(&readable.with_entries).cloned().collect();
    let status = match (readable.broken.is_empty(), readable.with_entries.is_empty()) {
        (true, true) => 0,
        (true, false) => 1,
        (false, _) => 2,
    };
    let (folder, again) = (Folder::empty(), Folder::empty());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let expected = (status, readable.pages.clone(), damaged.clone());
                assert_eq!(
                    served.run(&folder, &["cat", "SITE", "--site"]),
                    expected,
                    "{site:#?}"
                );
            });
        }
        scope.spawn(|| {
            let (stat_status, lines, documents) = served.run(&folder, &["stat", "SITE", "--site"]);
            let entries = format!("entries      {}", readable.pages.len());
            assert!(lines.contains(&entries), "{lines:#?}\n{site:#?}");
            // It counts the entries of pages that cannot be read, and names none.
            let is_named = |path: &&String| readable.broken.contains(*path) || site.is_index(path);
            let named: Vec<String> = damaged.iter().filter(is_named).cloned().collect();
            assert_eq!((stat_status, documents), (status, named), "{site:#?}");
        });
        for command in ["convert", "split"] {
            let (served, folder, readable, damaged) = (&served, &folder, &readable, &damaged);
            scope.spawn(move || {
                let (done, mut lines, documents) = match command {
                    "convert" => served.run(folder, &["convert", "SITE", "--site", "--to", "text"]),
                    _ => served.run(
                        folder,
                        &[
                            "split",
                            "SITE",
                            "--site",
                            "-o",
                            "set",
                            "--base",
                            "https://example.com",
                        ],
                    ),
                };
                assert_eq!(done, status, "{command}: {site:#?}");
                if status == 2 {
                    // It ends at the first document that cannot be read to its end.
                    let is_named = documents
                        .iter()
                        .any(|document| readable.broken.contains(document));
                    return assert!(is_named, "{command}: {documents:?}\n{site:#?}");
                }
                if command == "split" {
                    lines = served.run(folder, &["cat", "set"]).1;
                }
                assert_eq!(
                    (&lines, &documents),
                    (&readable.pages, damaged),
                    "{command}: {site:#?}"
                );
            });
        }
        scope.spawn(|| check_saved(&served, &again, site, &readable, &damaged, status));
    });
    // A body that is cut is requested three times more, after pauses.
    if !site
        .documents
        .iter()
        .any(|document| document.damage == Damage::Cut)
    {
        check_transfer(&served, &folder, site);
    }
}

/// Run again, each damage is reported again, until it is mended; then what was missing is printed, once.
fn check_saved(
    served: &Served,
    folder: &Folder,
    site: &Site,
    readable: &Readable,
    damaged: &[String],
    status: i32,
) {
    let cat = ["cat", "SITE", "--site", "--save", "site.state"];
    let expected = (status, readable.pages.clone(), damaged.to_vec());
    assert_eq!(served.run(folder, &cat), expected, "{site:#?}");
    let expected = (status, readable.pages_of_damaged.clone(), damaged.to_vec());
    assert_eq!(served.run(folder, &cat), expected, "again: {site:#?}");
}

/// When the damage is mended, what could not be read is printed, once.
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

/// Of any budget the documents use one buffer more at most, which has room for one of them.
fn check_transfer(served: &Served, folder: &Folder, site: &Site) {
    let before = served.sent.load(Ordering::Relaxed);
    let expected = served.run(folder, &["cat", "SITE", "--site", "--connections", "1"]);
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
        let (status, lines, documents) = served.run(folder, &cat);
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
        for seed in 0..16 {
            scope.spawn(move || {
                let site = Site::random(&mut Random(seed), seed % 5 == 0);
                check(&site);
            });
        }
    });
}

#[test]
fn mended_documents_are_printed_once() {
    for seed in 100..116 {
        check_mended(&Site::random(&mut Random(seed), false));
    }
}

/// A document at a usual URL may be a page of a site without sitemaps, but not if it is one, though damaged.
#[test]
fn a_damaged_document_at_a_usual_url() {
    for content in [Content::Pages(3), Content::Index(vec![1, 2])] {
        for damage in [Damage::End(1), Damage::Entry(1)] {
            let mut site = small_site(damage);
            site.documents[0].content = content.clone();
            site.has_robots = false;
            check(&site);
        }
    }
}

/// Of three good documents, of which the first lists the others, but for its damage.
fn small_site(damage: Damage) -> Site {
    let document = |content, damage| Document {
        content,
        damage,
        has_validators: true,
        is_compressed: false,
    };
    Site {
        documents: vec![
            document(Content::Index(vec![1, 2]), damage),
            document(Content::Pages(3), Damage::None),
            document(Content::Pages(3), Damage::None),
        ],
        has_robots: true,
    }
}

/// What a damaged index lists is not known, so that nothing is said to be removed.
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
        for has_robots in [true, false] {
            let mut site = small_site(damage);
            site.has_robots = has_robots;
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

/// Pages of HTML that do not end.
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
    let left_out = "was left out: the walk may not use more bytes of responses";
    let mut expected = vec!["3 of 4 documents could not be read to the end".to_owned()];
    expected.extend(listed.map(|url| format!("sitemap: cannot open {url}: {left_out}")));
    assert_eq!(
        (status, &*printed, lines.join("\n")),
        (2, "", expected.join("\n"))
    );
    // What the system has taken, and the command has not read, is less than one page.
    let sent = sent.load(Ordering::Relaxed);
    assert!(sent < BYTES, "{sent}");
}

/// A full disk is no fault of the site: the command ends, and its next run reads the document.
#[cfg(unix)]
#[test]
fn a_document_that_cannot_be_kept() {
    const PAGES: usize = 60_000;
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{}/sitemap.txt", request.host)),
        _ => Answer::ok((0..PAGES).map(|page| loc(1, page) + "\n").collect::<String>()),
    });
    let (folder, site) = (Folder::empty(), server.url(1, "/"));
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

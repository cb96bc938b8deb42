//! Random trees with random faults: the pages and the report of a walk are compared with the served documents.

use crate::limited;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use sitemap_serde::Limits;
use sitemap_tree::{Cause, DocumentReport, Failure, Fate, Request, Role, State, Walk, WalkBuilder};

use crate::server::{Client, Log, Response, Seen, builder, gzip, index, urlset};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}

/// A server's behavior for one document.
#[derive(Clone, Debug)]
enum Fault {
    None,
    /// This many failures before the document: a status, or 0 for a lost connection, 1 for a broken one, 2 for a short body.
    First(usize, u16),
    /// Always this status.
    Status(u16),
    /// Another document's number, or an address.
    Redirect(String),
    /// HTML, a bomb, an empty body, a half document with its whole length.
    Body(Vec<u8>),
}

#[derive(Clone, Debug)]
enum Content {
    Index(Vec<String>),
    Pages(Vec<String>, usize),
}

#[derive(Clone, Debug)]
struct Served {
    content: Content,
    fault: Fault,
}

/// A site: documents by address.
#[derive(Debug)]
struct Tree {
    documents: BTreeMap<String, Served>,
    robots: String,
}

/// A document that decompresses to far more than the limit.
static BOMB: OnceLock<Vec<u8>> = OnceLock::new();

const OTHER: &str = "https://other.example/x.xml";
const PRIVATE: &str = "http://127.0.0.1/x.xml";

fn address(number: usize) -> String {
    format!("https://example.com/{number}~.xml")
}

/// Another spelling of an address.
fn respelled(address: &str, random: &mut Random) -> String {
    match random.below(6) {
        0 => address.replace('~', "%7E"),
        1 => address.replace("https://example.com", "HTTPS://Example.COM:443"),
        2 => format!("{address}#part"),
        3 => address.replace("com/", "com/./a/../"),
        4 => address.replace("https://example.com", ""),
        _ => address.to_owned(),
    }
}

fn tree(random: &mut Random) -> Tree {
    let count = 1 + random.below(30);
    let redirects = if random.below(3) == 0 { 3..9 } else { 3..4 };
    let mut documents = BTreeMap::new();
    for number in 0..count {
        let content = if random.below(3) == 0 || number == 0 {
            let children = (0..random.below(12)).map(|_| match random.below(20) {
                0 => OTHER.to_owned(),
                1 => PRIVATE.to_owned(),
                2 => format!("https://example.com/missing{number}.xml"),
                3 => "mailto:nobody".to_owned(),
                _ => respelled(&address(random.below(count)), random),
            });
            Content::Index(children.collect())
        } else {
            let pages = (0..random.below(5)).map(|page| format!("https://example.com/{number}/{page}"));
            Content::Pages(
                pages.chain([format!("https://example.com/{number}")]).collect(),
                random.below(4),
            )
        };
        let fault = match random.below(14) {
            0 => Fault::First(1 + random.below(5), [0, 1, 2, 500, 503, 429][random.below(6)]),
            1 => Fault::Status([204, 401, 403, 404, 410, 500, 503][random.below(7)]),
            2 => Fault::Redirect([OTHER, PRIVATE, "ftp://x/", ""][random.below(4)].to_owned()),
            fault if redirects.contains(&fault) => {
                Fault::Redirect(respelled(&address(random.below(count + 3)), random))
            }
            9 => Fault::Body(match random.below(4) {
                0 => b"<!doctype html><html><body>No such page</body></html>".to_vec(),
                1 => BOMB
                    .get_or_init(|| gzip(&[&b"<urlset>"[..], &vec![b' '; 1 << 20]].concat()))
                    .clone(),
                2 => Vec::new(),
                _ => {
                    b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https".to_vec()
                }
            }),
            _ => Fault::None,
        };
        documents.insert(address(number), Served { content, fault });
    }
    let robots = (0..=random.below(3)).map(|_| format!("Sitemap: {}\n", address(random.below(count))));
    Tree {
        documents,
        robots: robots.collect(),
    }
}

impl Tree {
    fn body(served: &Served) -> Vec<u8> {
        match &served.content {
            Content::Index(children) => index(children).into_bytes(),
            Content::Pages(pages, format) => {
                let locs: Vec<&str> = pages.iter().map(|loc| &**loc).collect();
                match format {
                    0 => gzip(urlset(&locs).as_bytes()),
                    1 => locs.join("\n").into_bytes(),
                    _ => urlset(&locs).into_bytes(),
                }
            }
        }
    }

    fn respond(&self, request: &Request, tries: &mut HashMap<String, usize>) -> Response {
        if request.url() == "https://example.com/robots.txt" {
            return Response::ok(self.robots.as_bytes());
        }
        assert!(!request.url().starts_with(PRIVATE));
        assert!(!request.url().starts_with(OTHER) || request.role() == Role::Named);
        let Some(served) = self.documents.get(request.url()) else {
            return Response::status(404);
        };
        let body = Self::body(served);
        let length = body.len().to_string();
        let good = Response::ok(body.clone()).with("content-length", length.clone());
        let tries = tries.entry(request.url().to_owned()).or_default();
        *tries += 1;
        match &served.fault {
            Fault::First(failures, kind) if *tries <= *failures => match kind {
                0 => Response::lost(),
                1 => Response::ok(&body[..body.len() / 2]).broken(),
                2 => Response::ok(&body[..body.len() / 2]).with("content-length", length),
                status => Response::status(*status).with("retry-after", "5"),
            },
            Fault::None | Fault::First(..) => good,
            Fault::Status(status) => Response::status(*status),
            Fault::Redirect(location) => Response::redirect(location),
            Fault::Body(body) => Response::ok(body.clone()).with("content-length", body.len().to_string()),
        }
    }

    /// The end of an address's redirects: the address of a document, or the reason why there is none.
    fn target(&self, from: &str) -> Result<String, &'static str> {
        let mut at = from.to_owned();
        for _ in 0..50 {
            let Some(Served {
                fault: Fault::Redirect(location),
                ..
            }) = self.documents.get(&at)
            else {
                return Ok(at);
            };
            at = match &**location {
                OTHER => return Err("other"),
                PRIVATE => return Err("private"),
                "" | "ftp://x/" => return Err("redirect"),
                location => normal(location),
            };
        }
        Err("redirect")
    }

    /// Returns `true` if `robots.txt` names a document.
    fn names(&self, address: &str) -> bool {
        self.robots
            .lines()
            .any(|line| line.ends_with(&format!(" {address}")))
    }

    /// Returns `true` if a document can be read, with three retries.
    fn is_good(&self, address: &str) -> bool {
        let served = self.documents.get(address);
        served.is_some_and(|served| match &served.fault {
            Fault::None => true,
            Fault::First(failures, _) => *failures <= 3,
            Fault::Status(_) | Fault::Redirect(_) | Fault::Body(_) => false,
        })
    }

    /// The reachable, readable documents, and every address that they list.
    fn reachable(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let mut listed: BTreeSet<String> = self
            .robots
            .lines()
            .map(|line| line["Sitemap: ".len()..].to_owned())
            .collect();
        let (mut read, mut queue) = (BTreeSet::new(), Vec::from_iter(listed.clone()));
        while let Some(address) = queue.pop() {
            let Ok(target) = self.target(&address) else {
                continue;
            };
            if !self.is_good(&target) || !read.insert(target.clone()) {
                continue;
            }
            if let Content::Index(children) = &self.documents[&target].content {
                for child in children.iter().filter(|child| !child.starts_with("mailto:")) {
                    let child = normal(child);
                    if listed.insert(child.clone()) && child != OTHER && child != PRIVATE {
                        queue.push(child);
                    }
                }
            }
        }
        (read, listed)
    }

    /// Compares a fate with the server's behavior.
    fn check_fate(&self, address: &str, fate: &Fate) {
        let expected = match (address, self.target(address)) {
            (OTHER, _) => matches!(fate, Fate::Skipped(Cause::OtherHost)),
            (PRIVATE, _) | (_, Err("private")) => matches!(fate, Fate::Failed(Failure::PrivateIp(_))),
            // Another document reached the same address first.
            (_, Ok(target)) if matches!(fate, Fate::SameAs(same) if self.target(same) == Ok(target.clone())) => {
                self.is_good(&target)
            }
            (_, Err("other")) if self.names(address) => *fate == Fate::Absent,
            (_, Err("other")) => matches!(fate, Fate::Skipped(Cause::OtherHost)),
            (_, Err(_)) => matches!(fate, Fate::Failed(Failure::Redirect(_))),
            (_, Ok(target)) if self.is_good(&target) => *fate == Fate::Read,
            (_, Ok(target)) => match self.documents.get(&target).map(|served| &served.fault) {
                None | Some(Fault::Status(404 | 410)) => *fate == Fate::Absent,
                Some(Fault::Body(_)) => matches!(fate, Fate::Failed(Failure::Document(_))),
                Some(Fault::First(_, 0)) => matches!(fate, Fate::Failed(Failure::Connection(_))),
                Some(Fault::First(_, 1 | 2)) => matches!(fate, Fate::Failed(Failure::Cut(_))),
                Some(Fault::Status(status) | Fault::First(_, status)) => {
                    *fate == Fate::Failed(Failure::Status(*status))
                }
                Some(Fault::None | Fault::Redirect(_)) => false,
            },
        };
        assert!(expected, "{address}: {fate:?}\n{self:#?}");
    }
}

/// The normal spelling of an address of a tree.
fn normal(address: &str) -> String {
    let address = address
        .replace("%7E", "~")
        .replace("HTTPS://Example.COM:443", "https://example.com");
    let address = address.replace("/./a/../", "/").replace("#part", "");
    if address.starts_with('/') {
        format!("https://example.com{address}")
    } else {
        address
    }
}

fn settings() -> WalkBuilder {
    let mut builder = builder();
    let budget = limited(|budget| {
        budget.depth = 100;
        budget.redirects = 40;
    });
    builder
        .budget(budget)
        .reader(|reader| reader.limits(Limits::reading().with_decompressed_bytes(100_000)));
    builder
}

/// Compares the pages of one or several walks with the tree: each document once.
fn check(tree: &Tree, walk: &Walk, seen: &[Seen]) {
    let (read, listed) = tree.reachable();
    let mut documents: Vec<(String, Vec<String>)> =
        seen.iter().flat_map(|seen| seen.documents.clone()).collect();
    documents.sort();
    let expected: Vec<(String, Vec<String>)> = read
        .iter()
        .filter_map(|address| match &tree.documents[address].content {
            Content::Pages(pages, _) => Some((address.clone(), pages.clone())),
            Content::Index(_) => None,
        })
        .collect();
    assert_eq!(documents, expected, "{tree:#?}\n{}", walk.report());
    let report = walk.report();
    let mut reported: Vec<&str> = report
        .documents()
        .iter()
        .skip(1)
        .map(DocumentReport::url)
        .collect();
    reported.sort_unstable();
    assert_eq!(reported, listed.iter().collect::<Vec<_>>(), "{tree:#?}");
    for document in &report.documents()[1..] {
        tree.check_fate(document.url(), document.fate());
    }
    let entries: usize = expected.iter().map(|(_, pages)| pages.len()).sum();
    let entries_of_failed: u64 = report
        .documents()
        .iter()
        .filter(|document| *document.fate() != Fate::Read)
        .map(DocumentReport::entries)
        .sum();
    assert!(report.entries() >= entries as u64 && report.entries() <= entries as u64 + entries_of_failed);
}

const TREES: u64 = 600;

#[test]
fn reports_tell_the_fate_of_every_document() {
    let mut fates: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..TREES {
        let mut random = Random(seed);
        let tree = tree(&mut random);
        let mut walk = settings().walk_site("https://example.com/").unwrap();
        let mut tries = HashMap::new();
        let mut client = Client::new(|request: &Request| tree.respond(request, &mut tries));
        client.parallel = 1 + random.below(6);
        client.run(&mut walk);
        let seen = client.seen;
        check(&tree, &walk, &[seen]);
        // A document is requested once, however many documents redirect to it, and whenever it is listed.
        for (address, tries) in &tries {
            let is_faultless = matches!(tree.documents[address].fault, Fault::None);
            assert!(!is_faultless || *tries == 1, "{address}: {tries}\n{tree:#?}");
        }
        for document in walk.report().documents() {
            let name = format!("{:?}", document.fate());
            let words: Vec<&str> = name.split(|c: char| !c.is_alphabetic()).collect();
            *fates.entry(words[..words.len().min(2)].join(" ")).or_default() += 1;
        }
    }
    // Every fault occurred many times.
    let met: Vec<&str> = fates
        .iter()
        .filter(|(_, count)| **count > 5)
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(
        met,
        [
            "Absent",
            "Failed Connection",
            "Failed Cut",
            "Failed Document",
            "Failed PrivateIp",
            "Failed Redirect",
            "Failed Status",
            "Read",
            "SameAs ",
            "Skipped OtherHost",
        ],
        "{fates:?}"
    );
}

/// Interrupted several times at random steps, a walk reads each document once, except documents in flight.
#[test]
fn interrupted_walks_read_each_document_once() {
    let mut interruptions = 0;
    for seed in 0..TREES / 3 {
        let mut random = Random(seed);
        let tree = tree(&mut random);
        let mut builder = settings();
        let mut walk = builder.walk_site("https://example.com/").unwrap();
        let (mut tries, mut seen) = (HashMap::new(), Vec::new());
        loop {
            let mut client = Client::new(|request: &Request| tree.respond(request, &mut tries));
            client.parallel = 1 + random.below(4);
            // Sometimes long enough for the longest chain of redirects, which begins anew after an interruption.
            let most = 1 << random.below(8);
            let mut log = Log::new(&mut walk);
            let goes_on = (0..=random.below(most)).all(|_| {
                let goes_on = client.advance(&mut walk);
                log.append(&mut walk);
                goes_on
            });
            seen.push(client.seen);
            if !goes_on {
                break;
            }
            interruptions += 1;
            let json = serde_json::to_string(&walk.state()).unwrap();
            let state: State = serde_json::from_str(&json).unwrap();
            if state.is_finished() {
                break;
            }
            log.check(&walk);
            walk = builder.state(state).walk_site("https://example.com/").unwrap();
        }
        // Retries start again after an interruption, so a document may be read that would otherwise fail too often.
        if tree
            .documents
            .values()
            .all(|served| !matches!(served.fault, Fault::First(4.., _)))
        {
            check(&tree, &walk, &seen);
        }
    }
    assert!(interruptions > 100, "{interruptions}");
}

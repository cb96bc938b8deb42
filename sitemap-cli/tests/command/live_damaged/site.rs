//! Random sites with damaged documents, the readable part of each, and a server for them.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::folder::{Folder, gzipped};
use crate::live::{index, urlset};
use crate::live_again::Random;
use crate::server::{Answer, Request, Server};

/// The damage of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    None,
    /// The document ends within an entry, and its Content-Length matches.
    End(usize),
    /// An additional unreadable entry comes before this one.
    Entry(usize),
    /// The connection is closed within the body.
    Cut,
    Html,
    Gone,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// The numbers of the listed documents.
    Index(Vec<usize>),
    /// The number of pages.
    Pages(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) content: Content,
    pub(super) damage: Damage,
    pub(super) has_validators: bool,
    pub(super) is_compressed: bool,
}

/// A site. robots.txt names its first document, or the document is at the usual URL.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) documents: Vec<Document>,
    pub(super) robots: Option<RobotsTxt>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RobotsTxt {
    Good,
    /// Also names an unsupported URL.
    Invalid,
    /// Exceeds the size limit.
    Long,
}

/// The readable part of a site.
#[derive(Debug, Default)]
pub(super) struct Readable {
    pub(super) pages: Vec<String>,
    /// The paths of truncated documents.
    pub(super) broken: BTreeSet<String>,
    /// The paths of documents with an unreadable entry.
    pub(super) with_entries: BTreeSet<String>,
    /// The pages of both kinds of documents.
    pub(super) pages_of_damaged: Vec<String>,
}

impl Readable {
    /// The sorted paths of the documents in messages.
    pub(super) fn damaged(&self) -> Vec<String> {
        self.broken.union(&self.with_entries).cloned().collect()
    }

    /// The exit status of a command that reads the site.
    pub(super) fn status(&self) -> i32 {
        match (self.broken.is_empty(), self.with_entries.is_empty()) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        }
    }
}

impl Site {
    pub(super) fn random(random: &mut Random, may_be_cut: bool) -> Self {
        let robots = match random.below(6) {
            0 | 1 => None,
            2 => Some(RobotsTxt::Invalid),
            _ => Some(RobotsTxt::Good),
        };
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
        Site { documents, robots }
    }

    /// Three good documents. The first lists the others, but has this damage.
    pub(super) fn small(damage: Damage) -> Self {
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
            robots: Some(RobotsTxt::Good),
        }
    }

    /// The same site without damage.
    pub(super) fn mended(&self) -> Self {
        let mut site = self.clone();
        for document in &mut site.documents {
            document.damage = Damage::None;
        }
        site.robots = site.robots.map(|_| RobotsTxt::Good);
        site
    }

    fn document(&self, path_of: &str) -> Option<(usize, &Document)> {
        let mut documents = self.documents.iter().enumerate();
        documents.find(|(number, _)| path(*number) == path_of)
    }

    pub(super) fn is_index(&self, path: &str) -> bool {
        let document = self.document(path);
        document.is_some_and(|(_, document)| matches!(document.content, Content::Index(_)))
    }

    fn answer(&self, request: &Request) -> Answer {
        if request.path == "/robots.txt" {
            let named = format!("Sitemap: http://{}/sitemap.xml\n", request.host);
            return match self.robots {
                Some(RobotsTxt::Good) => Answer::ok(named),
                Some(RobotsTxt::Invalid) => {
                    Answer::ok(format!("Sitemap: mailto:nobody@example.com\n{named}"))
                }
                Some(RobotsTxt::Long) => Answer::ok(named + &"#\n".repeat(300_000)),
                None => Answer::status(404),
            };
        }
        let Some((number, document)) = self.document(&request.path) else {
            return Answer::status(404);
        };
        let body = document.body(number, &request.host);
        // Hashes the whole text, even if only a part is sent.
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

    pub(super) fn readable(&self) -> Readable {
        let mut readable = Readable::default();
        self.read(0, &mut readable);
        if matches!(self.robots, Some(RobotsTxt::Invalid | RobotsTxt::Long)) {
            readable.broken.insert("/robots.txt".to_owned());
        }
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
                // The index has an unsupported URL.
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

pub(super) fn loc(document: usize, page: usize) -> String {
    format!("https://example.com/{document}/{page}")
}

/// A running site. It counts the bytes of its bodies, and its damage can be removed.
pub(super) struct Served {
    pub(super) host: String,
    pub(super) is_mended: Arc<AtomicBool>,
    pub(super) sent: Arc<AtomicU64>,
    /// The bytes of the longest body.
    pub(super) longest: Arc<AtomicU64>,
}

impl Served {
    pub(super) fn start(site: &Site) -> Self {
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

    /// Runs a command. Returns its status, its sorted output lines, and the paths of the documents in its messages.
    pub(super) fn run(&self, folder: &Folder, arguments: &[&str]) -> (i32, Vec<String>, Vec<String>) {
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
                let name = rest.split([':', ',', ' ']).next()?;
                let is_document = name == "robots.txt" || name.strip_suffix(".xml").is_some();
                is_document.then(|| format!("/{name}"))
            })
            .collect();
        documents.sort();
        (status, lines, documents)
    }
}

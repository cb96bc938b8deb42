//! Random graphs of redirects, with loops, shared tails and other hosts. A model predicts the fate of each listed document, as if
//! it were the only one.

use crate::limited;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use sitemap_tree::{Fate, OtherHosts, Request, Walk, WalkBuilder};

use crate::random::Random;
use crate::server::{Client, Log, Response, builder, fates, index, site, urlset};

const START: &str = "https://example.com/index.xml";

#[derive(Clone, Debug)]
enum At {
    Redirect(String),
    Pages,
    Html,
    Gone,
    /// 500, however often it is requested.
    Broken,
    /// A lost connection before it is a sitemap.
    Late,
}

#[derive(Debug)]
struct Graph {
    at: BTreeMap<String, At>,
    listed: Vec<String>,
    most: usize,
    other_hosts: OtherHosts,
}

const PRIVATE: &str = "http://127.0.0.1/a.xml";

impl Graph {
    fn random(random: &mut Random) -> Self {
        let count = 1 + random.below(40);
        let address = |number: usize| match number % 8 {
            6 => format!("https://www.example.com/{number}.xml"),
            7 => format!("https://other.example/{number}.xml"),
            _ => format!("https://example.com/{number}.xml"),
        };
        // Few ends, so that most redirects share their tails.
        let at = (0..count).map(|number| {
            let what = match random.below(12) {
                0 => At::Pages,
                1 => At::Late,
                2 => [At::Html, At::Gone, At::Broken][random.below(3)].clone(),
                3 if random.below(4) == 0 => At::Redirect(PRIVATE.to_owned()),
                // To the next one, or anywhere.
                4..=8 => At::Redirect(address((number + 1) % count)),
                _ => At::Redirect(address(random.below(count))),
            };
            (address(number), what)
        });
        let at: BTreeMap<String, At> = at.collect();
        let most_listed = 1 + random.below(count);
        let mut listed: Vec<String> = (0..most_listed).map(|_| address(random.below(count))).collect();
        let mut seen = BTreeSet::new();
        listed.retain(|url| seen.insert(url.clone()));
        Graph {
            at,
            listed,
            most: [1, 3, 5, 20][random.below(4)],
            other_hosts: [OtherHosts::Skip, OtherHosts::Follow][random.below(2)],
        }
    }

    /// The end of a document's redirects, or the reason why it is not read.
    fn end(&self, url: &str) -> Result<String, String> {
        let is_near = |url: &str| {
            self.other_hosts == OtherHosts::Follow
                || url.starts_with("https://example.com/")
                || url.starts_with("https://www.example.com/")
        };
        let elsewhere = || Err("was skipped: it is on another host".to_owned());
        if !is_near(url) {
            return elsewhere();
        }
        let (mut path, mut at) = (vec![url.to_owned()], url.to_owned());
        loop {
            match self.at.get(&at) {
                Some(At::Pages | At::Late) => return Ok(at),
                Some(At::Html) => return Err("HTML".to_owned()),
                Some(At::Broken) => return Err("could not be read: status 500".to_owned()),
                Some(At::Gone) | None => return Err("does not exist".to_owned()),
                Some(At::Redirect(to)) if *to == at => {
                    return Err("could not be read: redirect: to itself".to_owned());
                }
                Some(At::Redirect(to)) => {
                    if path.len() > self.most {
                        let mut all: Vec<&String> = path.iter().collect();
                        let mut next = to;
                        // A circle counts as one even if the limit ends the walk before its first address repeats.
                        while all.len() <= self.most + 1 {
                            all.push(next);
                            let Some(At::Redirect(further)) = self.at.get(next) else {
                                break;
                            };
                            next = further;
                        }
                        let is_circle = all.iter().collect::<BTreeSet<_>>().len() < all.len();
                        return Err(if is_circle {
                            "could not be read: redirect: in a circle".to_owned()
                        } else {
                            format!("could not be read: redirect: more than {}", self.most)
                        });
                    }
                    if to == PRIVATE {
                        return Err("could not be read: 127.0.0.1 is not a public address".to_owned());
                    }
                    if !is_near(to) {
                        return elsewhere();
                    }
                    path.push(to.clone());
                    at.clone_from(to);
                }
            }
        }
    }

    fn respond(&self, request: &Request, tries: &mut HashMap<String, u32>) -> Response {
        let tries = tries.entry(request.url().to_owned()).or_default();
        *tries += 1;
        if request.url() == START {
            return Response::ok(index(&self.listed));
        }
        match self.at.get(request.url()) {
            Some(At::Redirect(to)) => Response::redirect(to),
            Some(At::Late) if *tries == 1 => Response::lost(),
            Some(At::Pages | At::Late) => Response::ok(urlset(&[request.url()])),
            Some(At::Html) => Response::ok("<!doctype html><title>Log in</title>"),
            Some(At::Broken) => Response::status(500),
            Some(At::Gone) | None => Response::status(404),
        }
    }

    fn settings(&self) -> WalkBuilder {
        let mut builder = builder();
        builder.other_hosts(self.other_hosts).budget(limited(|budget| {
            budget.redirects = u32::try_from(self.most).unwrap();
        }));
        builder
    }

    /// Compares the fates and the pages with the model.
    fn check(&self, walk: &Walk, read: &[&str], seed: u64) {
        let fates = fates(walk);
        let shown = format!("seed {seed}\n{self:#?}\n{}", walk.report());
        let urls: Vec<&str> = fates[1..].iter().map(|(url, _)| &**url).collect();
        assert_eq!(urls, self.listed, "{shown}");
        let mut ends = BTreeSet::new();
        for (url, fate) in &fates[1..] {
            match (self.end(url), fate) {
                // A second reading would repeat the pages.
                (Ok(end), Fate::Read) => {
                    ends.insert(end);
                }
                (Ok(end), Fate::SameAs(same)) => {
                    assert_eq!(self.end(same).as_ref(), Ok(&end), "{url}, {shown}");
                    let is_read = fates
                        .iter()
                        .any(|(url, fate)| **url == **same && *fate == Fate::Read);
                    assert!(is_read, "{url}, {shown}");
                    ends.insert(end);
                }
                (Err(problem), fate) if problem == "HTML" => {
                    let text = fate.to_string();
                    assert!(
                        text.starts_with("could not be read: ") && text.contains("HTML page"),
                        "{url}: {fate}, {shown}"
                    );
                }
                (Err(problem), fate) => assert_eq!(fate.to_string(), problem, "{url}, {shown}"),
                (Ok(end), fate) => panic!("{url} ends at {end}: {fate}, {shown}"),
            }
        }
        assert!(
            ends.iter().map(|end| &**end).eq(read.iter().copied()),
            "{read:?}, {shown}"
        );
    }
}

const GRAPHS: u64 = 1500;

#[test]
fn documents_fare_as_they_do_alone() {
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..GRAPHS {
        let mut random = Random(seed);
        let graph = Graph::random(&mut random);
        let mut tries = HashMap::new();
        let mut walk = graph.settings().walk_sitemap(START).unwrap();
        let mut client = Client::new(|request: &Request| graph.respond(request, &mut tries));
        client.parallel = 1 + random.below(6);
        client.run(&mut walk);
        let seen = client.seen;
        graph.check(&walk, &seen.locs(), seed);
        for (url, tries) in &tries {
            let most = match graph.at.get(url) {
                Some(At::Late) => 2,
                Some(At::Broken) => 4,
                _ => 1,
            };
            assert_eq!(*tries, most, "{url}, seed {seed}\n{graph:#?}");
        }
        for (_, fate) in fates(&walk) {
            let text = fate.to_string();
            let words: Vec<&str> = text.split(' ').collect();
            *met.entry(words[..words.len().min(7)].join(" ")).or_default() += 1;
        }
    }
    let met: Vec<&str> = met
        .iter()
        .filter(|(_, count)| **count > 20)
        .map(|(text, _)| &**text)
        .collect();
    for text in [
        "could not be read: redirect: in a",
        "could not be read: redirect: more than",
        "could not be read: redirect: to itself",
        "could not be read: status 500",
        "does not exist",
        "was skipped: it is on another host",
        "was read",
    ] {
        assert!(met.contains(&text), "{text}: {met:#?}");
    }
}

/// Interrupted and continued, too.
#[test]
fn interrupted_walks_end_alike() {
    for seed in 0..GRAPHS / 5 {
        let mut random = Random(seed);
        let graph = Graph::random(&mut random);
        let mut builder = graph.settings();
        let mut walk = builder.walk_sitemap(START).unwrap();
        let (mut tries, mut read) = (HashMap::new(), Vec::new());
        loop {
            let mut client = Client::new(|request: &Request| graph.respond(request, &mut tries));
            client.parallel = 1 + random.below(4);
            let mut log = Log::new(&mut walk);
            let goes_on = (0..random.below(60)).all(|_| {
                let goes_on = client.advance(&mut walk);
                log.append(&mut walk);
                goes_on
            });
            read.extend(client.seen.documents.into_iter().flat_map(|(_, locs)| locs));
            if !goes_on || walk.state().is_finished() {
                break;
            }
            log.check(&walk);
            walk = builder.state(log.state()).walk_sitemap(START).unwrap();
        }
        read.sort();
        let read: Vec<&str> = read.iter().map(|url| &**url).collect();
        graph.check(&walk, &read, seed);
    }
}

/// The motivating examples, with their whole reports.
#[test]
fn what_is_told() {
    let listed: Vec<String> = (1..=6)
        .map(|number| format!("https://example.com/{number}.xml"))
        .collect();
    let mut walk = builder().walk_sitemap(START).unwrap();
    let mut client = Client::new(|request: &Request| match request.url() {
        START => Response::ok(index(&listed)),
        "https://example.com/1.xml" => Response::ok(urlset(&["https://example.com/"])),
        "https://example.com/login" => Response::ok("<!doctype html><title>Log in</title>"),
        _ => Response::redirect("/login"),
    });
    client.run(&mut walk);
    let told = (2..=6).map(|number| {
        format!(
            "https://example.com/{number}.xml could not be read: this is an HTML page with the title `Log in`, not a sitemap: the root is \
             `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)\n"
        )
    });
    assert_eq!(walk.report().to_string(), told.collect::<String>());

    let mut walk = site();
    let mut client = Client::new(|request: &Request| match request.url() {
        "https://example.com/robots.txt" => {
            Response::ok("Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /c.xml\n")
        }
        "https://example.com/a.xml" => Response::redirect("/b.xml"),
        "https://example.com/b.xml" => Response::redirect("/c.xml"),
        _ => Response::redirect("/a.xml"),
    });
    client.run(&mut walk);
    let told = ["a", "b", "c"]
        .map(|name| format!("https://example.com/{name}.xml could not be read: redirect: in a circle\n"));
    assert_eq!(walk.report().to_string(), told.concat());
}

/// The shortest path to an index of indexes decides whether it is skipped, whichever list is read first.
#[test]
fn depths_do_not_depend_on_the_order() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let count = 2 + random.below(12);
        let url = |number: usize| format!("https://example.com/{number}.xml");
        let lists: Vec<Vec<usize>> = (0..count)
            .map(|_| (0..random.below(4)).map(|_| random.below(count)).collect())
            .collect();
        // Some are read late, after the documents below them.
        let mut losses: Vec<usize> = (0..count).map(|_| random.below(3)).collect();
        let mut depths = vec![u32::MAX; count];
        depths[0] = 0;
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(number) = queue.pop_front() {
            for &child in &lists[number] {
                if depths[child] == u32::MAX {
                    depths[child] = depths[number] + 1;
                    queue.push_back(child);
                }
            }
        }
        let most = 1 + u32::try_from(random.below(3)).unwrap();
        let budget = limited(|budget| {
            budget.depth = most;
        });
        let mut walk = builder().budget(budget).walk_sitemap(&url(0)).unwrap();
        let mut client = Client::new(|request: &Request| {
            let number = (0..count).find(|&number| url(number) == request.url()).unwrap();
            if losses[number] > 0 {
                losses[number] -= 1;
                return Response::lost();
            }
            let listed: Vec<String> = lists[number].iter().map(|&child| url(child)).collect();
            Response::ok(index(&listed))
        });
        client.parallel = 1 + random.below(5);
        client.run(&mut walk);
        let report = walk.report();
        let mut found: Vec<(String, u32, bool)> = report
            .documents()
            .iter()
            .map(|document| {
                (
                    document.url().to_owned(),
                    document.depth(),
                    *document.fate() == Fate::Read,
                )
            })
            .collect();
        found.sort();
        let mut expected: Vec<_> = (0..count)
            .filter(|&number| depths[number] <= most + 1)
            .map(|number| (url(number), depths[number], depths[number] <= most))
            .collect();
        expected.sort();
        assert_eq!(found, expected, "seed {seed}: {lists:?}, at most {most}");
    }
}

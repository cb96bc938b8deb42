//! A folder of sitemaps as a site serves it: listed files that are missing (L-ABSENT), and files that are not listed (L-ORPHAN).

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use sitemap_serde::Suggestion;
use sitemap_serde::lint::{Input, Linter, Severity};
use sitemap_serde::robots::Robots;
use sitemap_serde::{Diagnostic, ErrorKind, Rule};
use sitemap_tests::{Random, rounds};

use super::{entry, index, linter, listed, page, urlset};

/// The files of a folder, by their paths.
#[derive(Clone, Debug, Default)]
struct Files(BTreeSet<String>);

impl Files {
    fn lister(self) -> impl Fn(&str) -> io::Result<Vec<String>> + Send + Sync {
        move |directory| Ok(self.names(directory))
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let below = self.0.iter().filter_map(|path| path.strip_prefix(directory));
        let names: BTreeSet<_> = below
            .filter_map(|path| path.split_inclusive('/').next())
            .collect();
        assert!(!names.is_empty(), "{directory} is asked for, and not there");
        names.into_iter().map(str::to_owned).collect()
    }
}

fn listing(urls: &[&str]) -> String {
    let entry = |url: &&str| format!("<sitemap><loc>{url}</loc></sitemap>\n");
    index(&urls.iter().map(entry).collect::<String>())
}

/// Findings of the folder rules. The location of each document is its path below the folder's location.
fn found(
    location: &str,
    documents: &[(&str, String)],
    others: &[&str],
    robots: Option<&str>,
) -> Vec<Diagnostic> {
    let mut linter = linter();
    let paths = documents
        .iter()
        .map(|(path, _)| *path)
        .chain(others.iter().copied());
    linter.files(location, Files(paths.map(str::to_owned).collect()).lister());
    if let Some(robots) = robots {
        linter.robots(location, Robots::parse(robots.as_bytes()), "Googlebot");
    }
    found_by(&linter, location, documents)
        .into_iter()
        .map(|(_, found)| found)
        .collect()
}

fn found_by(linter: &Linter, location: &str, documents: &[(&str, String)]) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    let mut lint = linter.start(|number, diagnostic| found.push((number, diagnostic)));
    for (path, text) in documents {
        let input = Input::from_slice(*path, text.as_bytes());
        let location = format!("{}/{}", location.trim_end_matches('/'), encoded(path));
        lint.document(input.location(location)).unwrap();
    }
    lint.finish().unwrap();
    found.retain(|(_, found)| matches!(found.rule(), Rule::Absent | Rule::Orphan));
    found
}

fn encoded(path: &str) -> String {
    let segments = path.split('/').map(sitemap_serde::convert::encode_segment);
    segments.collect::<Vec<_>>().join("/")
}

fn texts(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(Diagnostic::to_string).collect()
}

const SITE: &str = "https://example.com/";

#[test]
fn messages_about_what_is_listed_and_not_there() {
    let urls = [
        "https://example.com/gone.xml",
        "https://example.com/maps/NEWS.xml",
        "https://example.com/plain.xml.gz",
        "https://example.com/zipped.xml",
        "https://example.com/none/a%20b.xml#top",
        "https://example.com/maps/news.xml/a.xml",
        "https://example.com/maps",
    ];
    let documents = [
        ("index.xml", listing(&urls)),
        ("maps/news.xml", page("")),
        ("plain.xml", page("")),
    ];
    let robots = "Sitemap: https://example.com/index.xml\nSitemap: /old.xml\n";
    let found = found(SITE, &documents, &["zipped.xml.gz"], Some(robots));
    insta::assert_snapshot!(texts(&found).join("\n"));
    let values: Vec<_> = found
        .iter()
        .map(|found| found.suggestion().map(Suggestion::value))
        .collect();
    assert_eq!(
        values[..4],
        [
            None,
            Some("https://example.com/maps/news.xml"),
            Some("https://example.com/plain.xml"),
            Some("https://example.com/zipped.xml.gz")
        ]
    );
}

#[test]
fn messages_about_what_nothing_lists() {
    let documents = [
        ("index.xml", listing(&["https://example.com/a.xml"])),
        ("a.xml", page("")),
        ("maps/b.xml", page("")),
    ];
    let robots = "Sitemap: https://example.com/a.xml";
    let cases = [
        ("without robots.txt", texts(&found(SITE, &documents, &[], None))),
        (
            "with robots.txt",
            texts(&found(SITE, &documents, &[], Some(robots))),
        ),
    ];
    insta::assert_snapshot!(listed(cases));
}

/// The case, the documents, and the rule and path of each finding.
#[rustfmt::skip]
#[test]
fn one_case_each() {
    const A: &str = "https://example.com/a.xml";
    let pages = || page("");
    let with = |url: &str| vec![("index.xml", listing(&[url])), ("a.xml", pages())];
    let feed = || "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss><channel><item><link>https://example.com/</link></item></channel></rss>".to_owned();
    for (case, documents, expected) in [
        ("no index", vec![("a.xml", pages()), ("b.xml", pages())], &[][..]),
        ("listed", with(A), &[]),
        ("with a fragment", with("https://example.com/a.xml#a"), &[]),
        ("with the port of the scheme", with("HTTPS://EXAMPLE.COM:443/a.xml"), &[]),
        ("encoded without need", with("https://example.com/%61.xml"), &[]),
        ("dot segments", with("https://example.com/maps/../%2E/a.xml"), &[]),
        ("a query for the file", with("https://example.com/a.xml?v=2"), &[]),
        ("a query for another", vec![("index.xml", listing(&[A, "https://example.com/maps.php?page=2"])), ("a.xml", pages())], &[]),
        ("a directory", vec![("index.xml", listing(&[A, "https://example.com/maps/", "https://example.com"])), ("a.xml", pages())], &[]),
        ("two slashes", vec![("index.xml", listing(&[A, "https://example.com//b.xml"])), ("a.xml", pages())], &[]),
        ("a slash in a name", vec![("index.xml", listing(&[A, "https://example.com/a%2Fb.xml"])), ("a.xml", pages())], &[]),
        ("another encoding", vec![("index.xml", listing(&[A, "https://example.com/%E9.xml"])), ("a.xml", pages())], &[]),
        // It is unknown whether they are files of the folder.
        ("another host with the file", with("https://cdn.example.net/a.xml"), &[]),
        ("another scheme", with("http://example.com/a.xml"), &[]),
        ("another host without the file", vec![("index.xml", listing(&[A, "https://cdn.example.net/b.xml"])), ("a.xml", pages())], &[]),
        ("relative", with("a.xml"), &[(Rule::Orphan, 1)]),
        ("twice", vec![("index.xml", listing(&[A, A])), ("a.xml", pages())], &[]),
        ("absent twice", vec![("index.xml", listing(&["https://example.com/b.xml"; 2]))], &[(Rule::Absent, 0), (Rule::Absent, 0)]),
        ("the index itself", vec![("index.xml", listing(&["https://example.com/index.xml"]))], &[]),
        ("an index in an index", vec![("index.xml", listing(&["https://example.com/maps/index.xml"])), ("maps/index.xml", listing(&["https://example.com/maps/a.xml"])), ("maps/a.xml", pages())], &[]),
        ("two indexes", vec![("1.xml", listing(&[A])), ("2.xml", listing(&["https://example.com/b.xml"])), ("a.xml", pages()), ("b.xml", pages())], &[]),
        ("an index below", vec![("maps/index.xml", listing(&["https://example.com/maps/b.xml"])), ("a.xml", pages()), ("maps/b.xml", pages()), ("maps/c/d.xml", pages())], &[(Rule::Orphan, 3)]),
        ("beside an index of another directory", vec![("maps/index.xml", listing(&["https://example.com/maps/b.xml"])), ("map/a.xml", pages()), ("maps/b.xml", pages())], &[]),
        ("a feed", vec![("index.xml", listing(&[A])), ("a.xml", pages()), ("feed.rss", feed())], &[]),
        ("a text", vec![("index.xml", listing(&[A])), ("a.xml", pages()), ("b.txt", "https://example.com/\n".to_owned())], &[(Rule::Orphan, 2)]),
        ("what is no sitemap", vec![("index.xml", listing(&[A])), ("a.xml", pages()), ("config.xml", "<config/>".to_owned())], &[]),
        ("a copy that is compressed", vec![("index.xml", listing(&[A])), ("a.xml", pages()), ("a.xml.gz", pages())], &[]),
        ("a copy that is not", vec![("index.xml", listing(&["https://example.com/a.xml.gz"])), ("a.xml", pages()), ("a.xml.gz", pages())], &[]),
        ("only compressed", vec![("index.xml", listing(&[A])), ("a.xml.gz", pages())], &[(Rule::Absent, 0)]),
        ("not compressed", vec![("index.xml", listing(&["https://example.com/a.xml.gz"])), ("a.xml", pages())], &[(Rule::Absent, 0)]),
        ("in another case", vec![("index.xml", listing(&["https://example.com/Maps/A.xml"])), ("maps/a.XML", pages())], &[(Rule::Absent, 0)]),
        ("both cases", vec![("index.xml", listing(&[A])), ("a.xml", pages()), ("A.xml", pages())], &[(Rule::Orphan, 2)]),
        ("an index that is cut off", vec![("index.xml", listing(&["https://example.com/b.xml"]).replace("</sitemapindex>", "")), ("a.xml", pages())], &[(Rule::Absent, 0)]),
        ("an index with a broken entry", vec![("index.xml", listing(&["/a.xml"]).replace("<loc>", "<loc>&#0;")), ("a.xml", pages())], &[]),
    ] {
        let documents: Vec<(&str, String)> = documents;
        let mut linter = linter();
        linter.files(SITE, Files(documents.iter().map(|(path, _)| (*path).to_owned()).collect()).lister());
        let found: Vec<_> = found_by(&linter, SITE, &documents).iter().map(|(number, found)| (found.rule(), *number)).collect();
        assert_eq!(found, expected, "{case}");
    }
}

/// Neither rule applies to a document outside of the folder, or without a known location.
#[test]
fn what_is_outside_of_the_folder() {
    let mut linter = linter();
    linter.files(
        "https://example.com/maps",
        Files(["a.xml".to_owned()].into()).lister(),
    );
    let index = listing(&[
        "https://example.com/b.xml",
        "https://example.com/mapsb.xml",
        "https://example.com/maps/a.xml",
    ]);
    let pages = page("");
    let mut found = Vec::new();
    let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.rule()));
    lint.document(Input::from_slice("index.xml", index.as_bytes()).location("https://example.com/index.xml"))
        .unwrap();
    lint.document(Input::from_slice("b.xml", pages.as_bytes()).location("https://example.com/b.xml"))
        .unwrap();
    lint.document(Input::from_slice("c.xml", pages.as_bytes()))
        .unwrap();
    lint.finish().unwrap();
    found.retain(|rule| matches!(rule, Rule::Absent | Rule::Orphan));
    assert_eq!(found, []);
}

#[test]
fn names_that_cannot_be_read() {
    let mut linter = linter();
    linter.files(SITE, |_| Err(io::Error::other("permission denied")));
    let index = listing(&["https://example.com/a.xml"]);
    let mut lint = linter.start(|_, _| {});
    lint.document(Input::from_slice("index.xml", index.as_bytes()).location("https://example.com/index.xml"))
        .unwrap();
    let error = lint.finish().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(
        error.to_string(),
        "cannot read the names of files in ``: permission denied"
    );
}

/// A generated folder and its contents.
#[derive(Debug, Default)]
struct Plan {
    location: &'static str,
    /// Each path, with its kind.
    files: BTreeMap<String, What>,
    robots: Option<Vec<Listed>>,
}

#[derive(Clone, Debug)]
enum What {
    Pages,
    Text,
    Feed,
    /// Not a document of the lint.
    Other,
    Index {
        listed: Vec<Listed>,
        is_cut: bool,
    },
}

/// An address, and the path that it was made from.
#[derive(Clone, Debug)]
struct Listed {
    url: String,
    /// `None` if it belongs to no file of the folder, or to an unknown one.
    path: Option<String>,
    /// `true` if the folder must contain the file.
    is_here: bool,
}

fn make_up(random: &mut Random) -> Plan {
    let mut plan = Plan {
        location: [
            "https://example.com/",
            "https://example.com/shop",
            "https://example.com/a%20b/",
        ][random.below(3)],
        ..Plan::default()
    };
    for _ in 0..=random.below(7) {
        let what = match random.below(8) {
            0 => What::Text,
            1 => What::Feed,
            2 => What::Other,
            3 | 4 => What::Index {
                listed: Vec::new(),
                is_cut: false,
            },
            _ => What::Pages,
        };
        plan.files.insert(path(random), what);
    }
    let known: Vec<String> = plan.files.keys().cloned().collect();
    let location = plan.location;
    for what in plan.files.values_mut() {
        if let What::Index { listed, is_cut } = what {
            *listed = (0..=random.below(4))
                .map(|_| listed_at(random, location, &known))
                .collect();
            *is_cut = random.below(8) == 0;
        }
    }
    if random.below(3) == 0 {
        let lines = 0..random.below(3);
        let lines = lines.map(|_| listed_at(random, location, &known));
        let unique: BTreeMap<String, Listed> = lines.map(|line| (line.url.clone(), line)).collect();
        plan.robots = Some(unique.into_values().collect());
    }
    plan
}

fn path(random: &mut Random) -> String {
    let directory = ["", "", "maps/", "maps/2026/", "ü/"][random.below(5)];
    let name = ["a", "b", "B", "c d", "é"][random.below(5)];
    format!("{directory}{name}.xml{}", ["", "", ".gz"][random.below(3)])
}

/// An address of a file that the folder has or may lack.
fn listed_at(random: &mut Random, location: &str, known: &[String]) -> Listed {
    let mut wanted = match random.below(4) {
        0 => path(random),
        _ => known[random.below(known.len())].clone(),
    };
    match random.below(10) {
        0 => wanted = wanted.to_uppercase(),
        1 => {
            wanted = match wanted.strip_suffix(".gz") {
                Some(bare) => bare.to_owned(),
                None => wanted + ".gz",
            }
        }
        _ => {}
    }
    let base = location.trim_end_matches('/');
    let rest = match random.below(4) {
        0 => wanted
            .split('/')
            .map(every_byte_encoded)
            .collect::<Vec<_>>()
            .join("/"),
        1 => format!("x/../{}", encoded(&wanted)),
        _ => encoded(&wanted),
    };
    let mut listed = Listed {
        url: format!("{base}/{rest}"),
        path: Some(wanted),
        is_here: true,
    };
    match random.below(12) {
        0 => listed.url += "#part",
        1 => (listed.url, listed.is_here) = (listed.url + "?v=1", false),
        2 => (listed.url, listed.is_here) = (listed.url.replace("example.com", "www.example.com"), false),
        3 => (listed.url, listed.path) = (format!("https://example.com/other/{rest}"), None),
        4 => (listed.url, listed.path) = (listed.url + "/", None),
        _ => {}
    }
    if location == SITE && listed.url.contains("/other/") {
        listed.path = Some(format!("other/{}", path_of(&listed.url)));
    }
    listed
}

/// The path after `/other/` in a made-up address.
fn path_of(url: &str) -> String {
    let path = url.split("/other/").nth(1).unwrap().replace("x/../", "");
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn every_byte_encoded(segment: &str) -> String {
    let triplets: Vec<_> = segment.bytes().map(|b| format!("%{b:02x}")).collect();
    triplets.concat()
}

/// The expected findings, by comparing every address to every file: the document, the rule, the severity, and the file.
type Expected = (usize, Rule, Severity, Option<String>);

impl Plan {
    fn meant(&self, wanted: &str) -> Option<String> {
        let split = |path: &str| match path.rfind('/') {
            Some(at) => (path[..at].to_owned(), path[at + 1..].to_owned()),
            None => (String::new(), path.to_owned()),
        };
        let (directory, name) = split(wanted);
        let mut names = vec![name.clone(), format!("{name}.gz")];
        names.extend(name.strip_suffix(".gz").map(str::to_owned));
        for is_folded in [false, true] {
            let fold = |text: &str| {
                if is_folded {
                    text.to_lowercase()
                } else {
                    text.to_owned()
                }
            };
            for wanted in &names {
                let mut same = self.files.keys().filter(|path| {
                    let (in_directory, named) = split(path);
                    in_directory.to_lowercase() == directory.to_lowercase() && fold(&named) == fold(wanted)
                });
                if let Some(found) = same.next() {
                    return Some(found.clone());
                }
            }
        }
        None
    }

    fn expected(&self) -> Vec<Expected> {
        let documents: Vec<_> = self
            .files
            .iter()
            .filter(|(_, what)| !matches!(what, What::Other))
            .collect();
        let mut expected = Vec::new();
        let mut listed_files: BTreeSet<String> = BTreeSet::new();
        let mut look = |number: usize, listed: &Listed| {
            let Some(wanted) = &listed.path else { return };
            let meant = self.meant(wanted);
            listed_files.extend(meant.clone());
            if listed.is_here && meant.as_ref() != Some(wanted) {
                let is_zipped = meant == Some(format!("{wanted}.gz"));
                let severity = if is_zipped {
                    Severity::Warning
                } else {
                    Severity::Error
                };
                expected.push((number, Rule::Absent, severity, meant));
            }
        };
        let mut is_known = true;
        for (number, (_, what)) in documents.iter().enumerate() {
            if let What::Index { listed, is_cut } = what {
                for listed in listed {
                    look(number, listed);
                }
                is_known &= !is_cut;
            }
        }
        if documents.is_empty() {
            return Vec::new();
        }
        let mut named = BTreeSet::new();
        for line in self.robots.iter().flatten() {
            // In robots.txt, a fragment is a comment. An equal line is no second one.
            if !named.insert(line.url.split('#').next()) {
                continue;
            }
            look(0, line);
            let meant = line.path.as_ref().and_then(|path| self.meant(path));
            is_known &= documents.iter().any(|(path, _)| Some(*path) == meant.as_ref());
        }
        let is_named = self.robots.as_ref().is_some_and(|lines| !lines.is_empty());
        let bare = |path: &str| path.strip_suffix(".gz").unwrap_or(path).to_owned();
        for (number, (path, what)) in documents.iter().enumerate() {
            let is_pages = matches!(what, What::Pages | What::Text);
            let has_index = documents.iter().any(|(index, what)| {
                let directory = index.rfind('/').map_or(0, |at| at + 1);
                matches!(what, What::Index { .. }) && path.starts_with(&index[..directory])
            });
            let is_listed = listed_files.iter().any(|listed| bare(listed) == bare(path));
            let could_be = is_pages && has_index || is_named && !matches!(what, What::Feed);
            if is_known && could_be && !is_listed {
                expected.push((number, Rule::Orphan, Severity::Warning, None));
            }
        }
        expected
    }

    fn found(&self) -> Vec<Expected> {
        let text = |what: &What| match what {
            What::Pages => urlset(&entry("https://example.com/")),
            What::Text => "https://example.com/\n".to_owned(),
            What::Feed => {
                "<rss><channel><item><link>https://example.com/</link></item></channel></rss>".to_owned()
            }
            What::Other => String::new(),
            What::Index { listed, is_cut } => {
                let urls: Vec<&str> = listed.iter().map(|listed| &*listed.url).collect();
                let text = listing(&urls);
                if *is_cut {
                    text.replace("</sitemapindex>", "")
                } else {
                    text
                }
            }
        };
        let documents = self.files.iter().filter(|(_, what)| !matches!(what, What::Other));
        let documents: Vec<_> = documents.map(|(path, what)| (&**path, text(what))).collect();
        let mut linter = linter();
        linter.files(
            self.location,
            Files(self.files.keys().cloned().collect()).lister(),
        );
        if let Some(robots) = &self.robots {
            let lines: Vec<_> = robots
                .iter()
                .map(|line| format!("Sitemap: {}\n", line.url))
                .collect();
            linter.robots(
                self.location,
                Robots::parse(lines.concat().as_bytes()),
                "Googlebot",
            );
        }
        let found = found_by(&linter, self.location, &documents).into_iter();
        let meant = |found: &Diagnostic| {
            let address = found.suggestion()?.value().to_owned();
            let addressed = |path: &&String| address.ends_with(&format!("/{}", encoded(path)));
            self.files
                .keys()
                .filter(addressed)
                .max_by_key(|path| path.len())
                .cloned()
        };
        found
            .map(|(number, found)| (number, found.rule(), found.severity(), meant(&found)))
            .collect()
    }
}

#[test]
fn random_folders() {
    let mut seen: BTreeMap<(Rule, Severity, bool), usize> = BTreeMap::new();
    for seed in 0..rounds(1500) as u64 {
        let plan = make_up(&mut Random::new(seed));
        let expected = plan.expected();
        assert_eq!(plan.found(), expected, "{seed}: {plan:#?}");
        for (_, rule, severity, meant) in expected {
            *seen.entry((rule, severity, meant.is_some())).or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(seen.values().all(|count| *count > rounds(50)), "{seen:?}");
}

/// Each directory is read once, for any number of listed sitemaps. No single file is looked up.
#[test]
fn a_large_folder() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let names: Vec<String> = (0..2_000).map(|number| format!("maps/{number}.xml")).collect();
    // Half of them are listed, together with an equal number of missing files.
    let urls: Vec<String> = (1_000..3_000)
        .map(|number| format!("https://example.com/maps/{number}.xml"))
        .collect();
    let index = listing(&urls.iter().map(|url| &**url).collect::<Vec<_>>());
    let pages = page("");
    let asked = Arc::new(AtomicUsize::new(0));
    let mut linter = linter();
    linter.level(Rule::DupLoc, None);
    let (files, count) = (Files(names.iter().cloned().collect()), Arc::clone(&asked));
    linter.files(SITE, move |directory| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(files.names(directory))
    });
    let mut lint = linter.start(|_, _| {});
    lint.document(Input::from_slice("index.xml", index.as_bytes()).location("https://example.com/index.xml"))
        .unwrap();
    for name in &names {
        let input = Input::from_slice(name, pages.as_bytes());
        lint.document(input.location(format!("https://example.com/{name}")))
            .unwrap();
    }
    let totals = lint.finish().unwrap();
    assert_eq!(totals.counts[&(Rule::Absent, Severity::Error)], 1_000);
    assert_eq!(totals.counts[&(Rule::Orphan, Severity::Warning)], 1_000);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

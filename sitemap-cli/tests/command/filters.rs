//! Filters: a filtered command reports the same about the chosen entries as an unfiltered one, and nothing else.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use sitemap_tests::rounds;

use crate::folder::{CORE, Folder};
#[cfg(feature = "http")]
use crate::server::{Answer, Server};

/// A deterministic random number generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn of<'v>(&mut self, values: &[&'v str]) -> &'v str {
        values[self.below(values.len())]
    }
}

/// Dates in UTC in every precision, no date, and an invalid date.
const LASTMODS: &[&str] = &[
    "",
    "",
    "2024",
    "2026",
    "2026-05",
    "2026-04",
    "2026-05-09",
    "2026-05-10",
    "2026-05-11",
    "2026-05-10T07:59Z",
    "2026-05-10T08:00Z",
    "2026-05-10T08:00:01Z",
    "yesterday",
];

const PATHS: &[&str] = &["/blog/", "/blog/a/", "/shop/?id=", "/", "/Blog/"];

/// An entry's loc and lastmod.
type Entry = (String, String);

fn entries(numbers: &mut Numbers, first: usize, valid: bool) -> Vec<Entry> {
    let dates = if valid {
        &LASTMODS[..LASTMODS.len() - 1]
    } else {
        LASTMODS
    };
    let count = 1 + numbers.below(12);
    (first..first + count)
        .map(|number| {
            let loc = format!("https://example.com{}{number}", numbers.of(PATHS));
            (loc, numbers.of(dates).to_owned())
        })
        .collect()
}

fn urlset(entries: &[Entry]) -> String {
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n");
    for (loc, lastmod) in entries {
        let lastmod = match &**lastmod {
            "" => String::new(),
            lastmod => format!("<lastmod>{lastmod}</lastmod>"),
        };
        // Each entry has a lint finding.
        let _ = writeln!(text, "<url><loc>{loc}</loc>{lastmod}<priority>7</priority></url>");
    }
    text + "</urlset>\n"
}

/// The same entries without findings.
fn valid(entries: &[Entry]) -> String {
    urlset(entries).replace("<priority>7</priority>", "")
}

/// A command's filters, which choose entries.
struct Choice {
    arguments: Vec<String>,
    since: Option<&'static str>,
    drops_undated: bool,
    wanted: Vec<&'static str>,
    wanted_text: Option<&'static str>,
    unwanted: Option<&'static str>,
}

impl Choice {
    fn any(numbers: &mut Numbers) -> Self {
        const GLOBS: &[&str] = &[
            "*/blog/*",
            "https://example.com/*",
            "/shop/?id=*",
            "/blog/?",
            "/*1",
            "nothing",
        ];
        let mut choice = Choice {
            arguments: Vec::new(),
            since: None,
            drops_undated: false,
            wanted: Vec::new(),
            wanted_text: None,
            unwanted: None,
        };
        let mut arguments = Vec::new();
        let mut add = |name: &str, value: &str| arguments.extend([name.to_owned(), value.to_owned()]);
        if numbers.below(2) == 0 {
            let since = numbers.of(&["2026-05-10", "2026-05", "2026-05-10T08:00Z", "2025"]);
            add("--since", since);
            choice.since = Some(match since {
                "2026-05-10" => "2026-05-10",
                "2026-05" => "2026-05",
                "2025" => "2025",
                _ => "2026-05-10T08:00Z",
            });
            choice.drops_undated = numbers.below(2) == 0;
            if choice.drops_undated {
                add("--undated", "drop");
            }
        }
        for _ in 0..numbers.below(3) {
            let glob = GLOBS[numbers.below(GLOBS.len())];
            add("--match", glob);
            choice.wanted.push(glob);
        }
        if numbers.below(4) == 0 {
            add("--match-regex", "/[bB]log/[0-9]+$");
            choice.wanted_text = Some("log");
        }
        if numbers.below(3) == 0 {
            let glob = GLOBS[numbers.below(GLOBS.len())];
            add("--not-match", glob);
            choice.unwanted = Some(glob);
        }
        if choice.since.is_none() && choice.wanted.is_empty() && choice.wanted_text.is_none() {
            add("--match", "*");
            choice.wanted.push("*");
        }
        choice.arguments = arguments;
        choice
    }

    fn keeps(&self, (loc, lastmod): &Entry) -> bool {
        let matches = |glob: &&str| {
            let path = loc.trim_start_matches("https://example.com");
            is_match(
                glob.as_bytes(),
                if glob.starts_with('/') { path } else { loc }.as_bytes(),
            )
        };
        let is_text = || {
            let (_, end) = loc.rsplit_once('/').unwrap();
            let is_blog = loc.contains("/blog/") || loc.contains("/Blog/");
            self.wanted_text.is_some()
                && is_blog
                && !loc.contains("/a/")
                && end.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_wanted = self.wanted.is_empty() && self.wanted_text.is_none()
            || self.wanted.iter().any(matches)
            || is_text();
        let is_dated = match self.since {
            None => true,
            Some(_) if lastmod.is_empty() || lastmod == "yesterday" => !self.drops_undated,
            Some(since) => {
                let (since, lastmod) = (since.trim_end_matches('Z'), lastmod.trim_end_matches('Z'));
                let most = since.len().min(lastmod.len());
                lastmod[..most] >= since[..most]
            }
        };
        is_wanted && is_dated && !self.unwanted.as_ref().is_some_and(matches)
    }

    fn of(&self, entries: &[Entry]) -> Vec<Entry> {
        entries
            .iter()
            .filter(|entry| self.keeps(entry))
            .cloned()
            .collect()
    }
}

/// Returns `true` if a glob of `*` and `?` matches the whole text.
fn is_match(glob: &[u8], text: &[u8]) -> bool {
    match (glob.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => is_match(rest, text) || !text.is_empty() && is_match(glob, &text[1..]),
        (Some((b'?', rest)), Some((_, text))) => is_match(rest, text),
        (Some((a, rest)), Some((b, text))) => a == b && is_match(rest, text),
        _ => false,
    }
}

fn run(folder: &Folder, arguments: &[&str], choice: &Choice) -> (i32, String, String) {
    let filters = choice.arguments.iter().map(|argument| &**argument);
    let arguments: Vec<&str> = arguments.iter().copied().chain(filters).collect();
    folder.run(&arguments)
}

fn lines(entries: &[Entry]) -> String {
    let lines = entries.iter().map(|(loc, lastmod)| format!("{loc}\t{lastmod}\n"));
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn a_filter_of_a_command_is_a_filter_of_the_list_of_all() {
    let mut numbers = Numbers(7);
    for round in 0..rounds(30) {
        let (a, b) = (entries(&mut numbers, 0, true), entries(&mut numbers, 100, true));
        let all = [a.clone(), b.clone()].concat();
        let choice = Choice::any(&mut numbers);
        let kept = choice.of(&all);
        let context = format!("round {round}: {:?}\n{}", choice.arguments, lines(&all));
        let jsonl = |entries: &[Entry]| -> String {
            let object = |(loc, lastmod): &Entry| match &**lastmod {
                "" => json!({ "loc": loc }),
                _ => json!({ "loc": loc, "lastmod": lastmod }),
            };
            let lines = entries.iter().map(|entry| format!("{}\n", object(entry)));
            lines.collect::<Vec<_>>().concat()
        };
        let csv = |entries: &[Entry]| format!("loc,lastmod\n{}", lines(entries).replace('\t', ","));
        let folder = Folder::with(&[
            ("site/a.xml", valid(&a)),
            ("site/b.xml", valid(&b)),
            ("all.jsonl", jsonl(&all)),
            ("all.csv", csv(&all)),
        ]);
        for input in ["site", "all.jsonl", "all.csv"] {
            let (status, printed, told) = run(&folder, &["cat", input, "--fields", "loc,lastmod"], &choice);
            assert_eq!((status, printed), (0, lines(&kept)), "{context}");
            let skipped = all.len() - kept.len();
            let noun = if skipped == 1 { "URL" } else { "URLs" };
            let is_told = told.contains(&format!("note: {skipped} {noun} skipped by --"));
            assert_eq!(is_told, skipped > 0, "{context}{told}");
            let (status, printed, told) = run(&folder, &["convert", input, "--to", "csv"], &choice);
            assert_eq!(
                (status, printed.replace(",,\n", "\n")),
                (
                    0,
                    csv(&kept).replacen("lastmod", "lastmod,changefreq,priority", 1)
                ),
                "{context}{told}"
            );
            let out = format!("out-{}", input.replace('.', "-"));
            let (status, _, told) = run(
                &folder,
                &["split", input, "-o", &out, "--base", "https://example.com"],
                &choice,
            );
            if kept.is_empty() {
                assert_eq!(
                    (status, told.contains("the set would be empty")),
                    (2, true),
                    "{context}{told}"
                );
                continue;
            }
            assert_eq!(status, 0, "{context}{told}");
            let (_, printed, _) = folder.run(&["cat", &out, "--fields", "loc,lastmod"]);
            assert_eq!(printed, lines(&kept), "{context}");
        }
        let (status, printed, _) = run(&folder, &["stat", "site", "--format", "json"], &choice);
        let counts: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!((status, &counts["entries"]), (0, &json!(kept.len())), "{context}");
    }
}

/// A filtered lint reports the same findings about the chosen entries as an unfiltered one, and all findings about documents.
#[test]
fn a_lint_reports_what_it_finds_in_the_entries_that_are_kept() {
    let mut numbers = Numbers(3);
    for round in 0..20 {
        let (a, mut b) = (entries(&mut numbers, 0, false), entries(&mut numbers, 100, false));
        // A page in both documents.
        b.push(a[0].clone());
        let choice = Choice::any(&mut numbers);
        let folder = Folder::with(&[("a.xml", urlset(&a)), ("b.xml", urlset(&b))]);
        let arguments = ["lint", "a.xml", "b.xml", "--format", "json", "--fail-on", "never"];
        let found = |text: &str| -> Vec<Value> {
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        };
        let (_, all, _) = folder.run(&arguments);
        let (_, some, _) = run(&folder, &arguments, &choice);
        let is_kept = |finding: &Value| {
            let list = if finding["file"] == "a.xml" { &a } else { &b };
            finding["entry"]
                .as_u64()
                .is_none_or(|entry| choice.keeps(&list[usize::try_from(entry).unwrap() - 1]))
        };
        let (mut all, mut some) = (found(&all), found(&some));
        let (_, summary) = (all.pop(), some.pop().unwrap());
        all.retain(is_kept);
        assert_eq!(some, all, "round {round}: {:?}", choice.arguments);
        let kept = choice.of(&a).len() + choice.of(&b).len();
        assert_eq!(
            summary["entries"],
            json!(kept),
            "round {round}: {:?}",
            choice.arguments
        );
    }
}

#[test]
fn a_comparison_filters_both_sides() {
    let mut numbers = Numbers(11);
    for round in 0..20 {
        let old = entries(&mut numbers, 0, true);
        let mut new = old.clone();
        new.extend(entries(&mut numbers, 50, true));
        for _ in 0..3 {
            let at = numbers.below(new.len());
            new[at].1 = numbers.of(LASTMODS).replace("yesterday", "");
        }
        new.remove(numbers.below(new.len()));
        let choice = Choice::any(&mut numbers);
        let folder = Folder::with(&[
            ("old.xml", urlset(&old)),
            ("new.xml", urlset(&new)),
            ("old-kept.xml", urlset(&choice.of(&old))),
            ("new-kept.xml", urlset(&choice.of(&new))),
        ]);
        let (status, printed, _) = run(&folder, &["diff", "old.xml", "new.xml"], &choice);
        let (expected_status, expected, _) = folder.run(&["diff", "old-kept.xml", "new-kept.xml"]);
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(
            (status, sorted(&printed)),
            (expected_status, sorted(&expected)),
            "round {round}: {:?}",
            choice.arguments
        );
    }
}

#[test]
fn what_is_skipped_or_kept_on_purpose_is_told() {
    let entries = [
        ("https://example.com/a", "2026-05-01"),
        ("https://example.com/b", ""),
        ("https://example.com/c", "2020"),
    ];
    let entries = entries.map(|(loc, lastmod)| (loc.to_owned(), lastmod.to_owned()));
    let folder = Folder::with(&[
        ("site/a.xml", urlset(&entries)),
        ("site/b.xml", urlset(&entries[..1])),
    ]);
    for (arguments, told) in [
        (
            &["--since", "2026"][..],
            "note: 1 URL skipped by --since\nnote: 1 URL without a valid lastmod kept (--undated drop skips them)\n",
        ),
        (
            &["--since", "2026", "--undated", "keep"],
            "note: 1 URL skipped by --since\n",
        ),
        (
            &["--since", "2026", "--undated", "drop"],
            "note: 2 URLs skipped by --since\n",
        ),
        (
            &["--match", "*/a", "--not-match", "*/b"],
            "note: 2 URLs skipped by --match, --not-match\n",
        ),
        (
            &["--sitemaps", "*a.xml"],
            "note: 1 document skipped by --sitemaps: site/b.xml\n",
        ),
        (&["--sitemaps", "*"], ""),
    ] {
        let (status, _, said) = folder.run(&[&["cat", "site"], arguments].concat());
        assert_eq!((status, &*said), (0, told), "{arguments:?}");
    }
    assert_eq!(folder.run(&["-q", "cat", "site", "--match", "*/a"]).2, "");
}

#[test]
fn mistakes_in_filters_are_told() {
    let folder = Folder::with(&[("a.xml", urlset(&[]))]);
    for (arguments, told) in [
        (
            &["--since", "1.5.2026"][..],
            "error: invalid value '1.5.2026' for '--since <DATE>': write a date such as 2026-05-01, or a time such as 2026-05-01T08:00:00Z\n",
        ),
        (
            &["--match", "[a"],
            "error: invalid value '[a' for '--match <GLOB>': unclosed character class",
        ),
        (
            &["--match-regex", "("],
            "error: invalid value '(' for '--match-regex <REGEX>': regex parse error",
        ),
        (
            &["--undated", "drop"],
            "error: the following required arguments were not provided:\n  --since <DATE>",
        ),
    ] {
        let (status, _, said) = folder.run(&[&["cat", "a.xml"], arguments].concat());
        assert!(status == 2 && said.starts_with(told), "{said}");
    }
}

/// A pattern of several paths is one of paths.
#[test]
fn alternatives_of_paths() {
    let locs = ["/blog/a", "/news/b", "/c"]
        .map(|path| (format!("https://example.com{path}"), "2026-05-01".to_owned()));
    let folder = Folder::with(&[("a.xml", valid(&locs))]);
    let (status, printed, _) = folder.run(&["cat", "a.xml", "--match", "{/blog/*,/news/*}"]);
    assert_eq!(
        (status, &*printed),
        (0, "https://example.com/blog/a\nhttps://example.com/news/b\n")
    );
}

/// Options that choose documents are refused if there is nothing to choose from.
#[cfg(feature = "http")]
#[test]
fn filters_of_documents_need_several() {
    let folder = Folder::with(&[("a.xml", valid(&[])), ("site/b.xml", valid(&[]))]);
    let sitemaps = "sitemap: --sitemaps chooses among the sitemaps of a directory or, with --site, of a site, and none is named\n";
    let dates = "sitemap: --trust-lastmod is about the indexes of a site, which are read with --site\n";
    for command in [
        "cat NAME",
        "stat NAME",
        "convert NAME --to text",
        "split NAME -o out --base https://example.com",
        "diff NAME NAME",
        "lint NAME",
    ] {
        for (name, option, expected) in [
            ("a.xml", "--sitemaps *", Some(sitemaps)),
            ("a.xml", "--since 2026-01-01 --trust-lastmod", Some(dates)),
            ("site", "--since 2026-01-01 --trust-lastmod", Some(dates)),
            ("site", "--sitemaps *", None),
        ] {
            let arguments = format!("{} {option}", command.replace("NAME", name));
            let (status, _, said) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
            match expected {
                Some(expected) => assert_eq!((status, &*said), (2, expected), "{arguments}"),
                None => assert!(!said.contains(sitemaps), "{arguments}: {said}"),
            }
        }
    }
}

/// Filtered entries would look removed, and be announced as such.
#[cfg(feature = "http")]
#[test]
fn a_submission_has_no_filters() {
    let folder = Folder::empty();
    for option in ["--since", "--match", "--match-regex", "--not-match", "--sitemaps"] {
        let (status, _, told) = folder.run(&[
            "submit",
            "old",
            "new",
            "--key",
            "0123456789abcdef",
            option,
            "2026",
        ]);
        assert_eq!(
            (status, told),
            (
                2,
                format!(
                    "sitemap: `sitemap submit` has no {option}: it announces all changes, since pages that a filter skips would seem removed\n"
                )
            )
        );
    }
}

/// A site whose index lists three sitemaps, with these dates.
#[cfg(feature = "http")]
fn site() -> Server {
    Server::start(|_, request| {
        let host = &request.host;
        let list = |name: &str, date: &str| {
            format!("<sitemap><loc>http://{host}/{name}.xml</loc><lastmod>{date}</lastmod></sitemap>")
        };
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml\n")),
            "/sitemap.xml" => Answer::ok(format!(
                "<sitemapindex xmlns=\"{CORE}\">{}{}{}</sitemapindex>",
                list("blog-1", "2020-01-01"),
                list("blog-2", "2026-05-01"),
                list("shop", "2026-05-01")
            )),
            "/blog-1.xml" | "/blog-2.xml" | "/shop.xml" => {
                let loc = format!("https://example.com{}", request.path);
                Answer::ok(valid(&[(loc, "2026-05-01".to_owned())]))
            }
            _ => Answer::status(404),
        }
    })
}

#[cfg(feature = "http")]
#[test]
fn sitemaps_that_are_not_chosen_are_not_requested() {
    for (arguments, requested, printed, told) in [
        (
            &["--sitemaps", "*/blog-*"][..],
            &["/blog-1.xml", "/blog-2.xml"][..],
            2,
            "note: 1 document skipped by --sitemaps: HOST/shop.xml\n",
        ),
        (
            &["--sitemaps", "/shop.xml"],
            &["/shop.xml"],
            1,
            "note: 2 documents skipped by --sitemaps: HOST/blog-1.xml and 1 more\n",
        ),
        (
            &["--sitemaps", "*none*"],
            &[],
            0,
            "note: 3 documents skipped by --sitemaps: HOST/blog-1.xml and 2 more\n",
        ),
        (
            &["--since", "2026-01-01"],
            &["/blog-1.xml", "/blog-2.xml", "/shop.xml"],
            3,
            "",
        ),
        (
            &["--since", "2026-01-01", "--trust-lastmod"],
            &["/blog-2.xml", "/shop.xml"],
            2,
            "note: 1 document skipped by --trust-lastmod: HOST/blog-1.xml\n",
        ),
        (
            &["--since", "2026-01-01", "--trust-lastmod", "--sitemaps", "*blog*"],
            &["/blog-2.xml"],
            1,
            "note: 2 documents skipped by --sitemaps and --trust-lastmod: HOST/blog-1.xml and 1 more\n",
        ),
    ] {
        for command in ["cat", "stat", "lint", "convert"] {
            let (server, folder) = (site(), Folder::empty());
            let url = server.url("/");
            let mut all = vec![
                command,
                &*url,
                "--site",
                "--connections",
                "1",
                "--report",
                "report.jsonl",
            ];
            match command {
                "convert" => all.extend(["--to", "text"]),
                "lint" => all.extend(["--fail-on", "never", "--format", "json"]),
                "stat" => all.extend(["--format", "json"]),
                _ => {}
            }
            let (status, out, said) = folder.run(&[&all, arguments].concat());
            let mut lines = server.lines();
            lines.retain(|line| !["GET /robots.txt", "GET /sitemap.xml"].contains(&&**line));
            let expected: Vec<_> = requested.iter().map(|path| format!("GET {path}")).collect();
            let context = format!("{command} {arguments:?}");
            assert_eq!((status, lines), (0, expected), "{context}: {said}");
            let said: Vec<_> = said
                .split_inclusive('\n')
                .filter(|line| line.contains(" skipped by "))
                .collect();
            assert_eq!(said.concat().replace(&server.url(""), "HOST"), told, "{context}");
            let count = match command {
                "stat" => serde_json::from_str::<Value>(&out).unwrap()["entries"]
                    .as_u64()
                    .unwrap(),
                "lint" => serde_json::from_str::<Value>(out.lines().last().unwrap()).unwrap()["entries"]
                    .as_u64()
                    .unwrap(),
                _ => out.lines().count() as u64,
            };
            assert_eq!(count, printed, "{context}");
            let report = folder.read("report.jsonl");
            let skipped = report.matches("\"outcome\":\"skipped\"").count();
            assert_eq!(skipped, 3 - requested.len(), "{context}: {report}");
        }
    }
}

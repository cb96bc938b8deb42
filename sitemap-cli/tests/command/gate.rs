//! `sitemap diff --fail-on`: a gate for deploys.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::folder::Folder;

const SITE: &str = "https://example.com";

fn text(pages: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let lines: Vec<String> = pages.into_iter().map(|page| format!("{SITE}{page}\n")).collect();
    lines.concat()
}

fn folder(redirects: &str) -> Folder {
    Folder::with(&[
        ("old.txt", text(["/", "/a", "/b", "/c", "/caf\u{e9}"])),
        ("new.txt", text(["/", "/b2", "/c2"])),
        ("_redirects", redirects.to_owned()),
    ])
}

fn run(folder: &Folder, rest: &[&str]) -> (i32, String, String) {
    folder.run(&[&["diff", "old.txt", "new.txt"], rest].concat())
}

/// A line that is not a valid redirect on any host has no effect, and is counted.
#[test]
fn lines_that_are_no_redirects_are_counted() {
    for (redirects, told) in [
        (
            "# moved\n\n/a /b2 301!\n/b\n/c /c2 moved\n/caf\u{e9} b2\n",
            "_redirects, line 4: not a redirect: a line has a path, a target, and a status such as 301; 3 lines not understood\n",
        ),
        // Valid, but without effect on the removed pages.
        (
            "/api/* /server 200\n/old /new 302 Country=de\n/search q=:q /find/:q\n/x /y 404\n",
            "",
        ),
    ] {
        let gate = ["--fail-on", "removed", "--redirects", "_redirects"];
        let (status, _, said) = run(&folder(redirects), &gate);
        let (before, _) = said.split_at(said.rfind("2 added").unwrap());
        assert_eq!((status, before), (1, told));
    }
}

#[test]
fn removed_pages_fail_unless_they_are_redirected() {
    let folder = folder("/a /b2\n/b /c 301\n/c /c2 301\n");
    let gate = ["--fail-on", "removed", "--redirects", "_redirects"];
    let (status, printed, said) = run(&folder, &gate);
    let expected = "+ https://example.com/b2\n+ https://example.com/c2\n\
                    - https://example.com/a -> https://example.com/b2 (_redirects:1)\n\
                    - https://example.com/b -> https://example.com/c (_redirects:2)\n\
                    - https://example.com/c -> https://example.com/c2 (_redirects:3)\n\
                    - https://example.com/caf\u{e9}\n";
    let summary = "2 added, 4 removed, 0 changed, 1 as before; 3 of the removed redirected\n";
    assert_eq!((status, &*printed, &*said), (1, expected, summary));

    let (status, printed, _) = run(&folder, &[&gate[..], &["--format", "github"]].concat());
    let expected = "::notice title=added::https://example.com/b2 was added\n\
                    ::notice title=added::https://example.com/c2 was added\n\
                    ::notice title=removed::https://example.com/a was removed, and _redirects:1 redirects it to https://example.com/b2\n\
                    ::notice title=removed::https://example.com/b was removed, and _redirects:2 redirects it to https://example.com/c\n\
                    ::notice title=removed::https://example.com/c was removed, and _redirects:3 redirects it to https://example.com/c2\n\
                    ::error title=removed::https://example.com/caf\u{e9} was removed, and _redirects does not redirect it\n";
    assert_eq!((status, &*printed), (1, expected));

    let (status, printed, _) = run(&folder, &[&gate[..], &["--format", "json"]].concat());
    let objects: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(status, 1);
    assert_eq!(
        objects[0],
        json!({ "change": "added", "loc": "https://example.com/b2" })
    );
    assert_eq!(
        objects[2],
        json!({ "change": "removed", "loc": "https://example.com/a", "redirect": { "to": "https://example.com/b2", "line": 1 } })
    );
    assert_eq!(
        objects[5],
        json!({ "change": "removed", "loc": "https://example.com/caf\u{e9}", "redirect": null })
    );

    folder.write("_redirects", "/* /b2 301\n");
    assert_eq!(run(&folder, &gate).0, 0);
}

#[test]
fn which_changes_fail() {
    let folder = folder("");
    for (changes, status) in [
        ("removed", 1),
        ("added", 1),
        ("changed", 0),
        ("changed,removed", 1),
        ("added,changed", 1),
    ] {
        assert_eq!(run(&folder, &["--fail-on", changes]).0, status, "{changes}");
    }
    // Without redirects, text and JSON output mention none.
    let (_, printed, _) = run(&folder, &["--fail-on", "removed", "--format", "github"]);
    assert!(
        printed.starts_with("::error title=removed::https://example.com/a was removed\n"),
        "{printed}"
    );
    let (_, printed, _) = run(&folder, &["--format", "json"]);
    assert!(
        printed.starts_with("{\"change\":\"removed\",\"loc\":\"https://example.com/a\"}\n"),
        "{printed}"
    );
    folder.write("new.txt", text(["/", "/a", "/b", "/c", "/caf\u{e9}", "/d"]));
    assert_eq!(run(&folder, &["--fail-on", "removed,changed"]).0, 0);
    assert_eq!(run(&folder, &[]).0, 1);
    folder.write(
        "old.xml",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url></urlset>",
    );
    let dated = folder
        .read("old.xml")
        .replace("</loc>", "</loc><lastmod>2026-05-01</lastmod>");
    folder.write("new.xml", dated);
    let arguments = [
        "diff",
        "old.xml",
        "new.xml",
        "--fail-on",
        "changed",
        "--format",
        "github",
    ];
    let expected = "::error title=changed::https://example.com/ changed: lastmod: (none) -> 2026-05-01\n";
    let (status, printed, _) = folder.run(&arguments);
    assert_eq!((status, &*printed), (1, expected));
}

#[test]
fn redirects_that_lead_nowhere() {
    for redirects in [
        // To another removed page, to itself, in a circle, a rewrite instead of a redirect, for some visitors only.
        "/a /b\n",
        "/a /b/#top\n",
        "/a /caf%C3%A9\n",
        "/a /%63af\u{e9}/\n",
        "/a /b?from=a\n",
        "/a /b?from=a\n/b /b?from=a\n",
        "/a //EXAMPLE.com/%62/?from=a#top\n",
        "/a http://example.com/b\n",
        "/a /caf\u{e9}\n/caf%C3%A9 /a\n",
        "/a /a/\n/a/ /a\n",
        "/a /b\n/b /c\n/c /a\n",
        "/a /404.html 404\n",
        "/a /b2 200\n",
        "/a /b2 301 Language=en\n",
    ] {
        let folder = folder(redirects);
        let (_, printed, _) = run(&folder, &["--fail-on", "removed", "--redirects", "_redirects"]);
        assert!(
            printed.lines().any(|line| line == "- https://example.com/a"),
            "{redirects}: {printed}"
        );
    }
    // A redirect to another site counts, and the rules are not followed there.
    let folder = folder("/a https://other.example/b\n/b /b\n");
    let (_, printed, _) = run(&folder, &["--fail-on", "removed", "--redirects", "_redirects"]);
    assert!(
        printed.contains("/a -> https://other.example/b (_redirects:1)\n"),
        "{printed}"
    );
    let (status, _, said) = run(&folder, &["--fail-on", "removed", "--redirects", "none"]);
    assert_eq!(status, 2);
    assert!(said.starts_with("sitemap: cannot read none: "), "{said}");
    let (status, _, said) = run(&folder, &["--redirects", "_redirects"]);
    assert_eq!(status, 2);
    assert!(said.contains("--fail-on"), "{said}");
}

/// A page whose entry may be unreadable does not count as removed. It fails the gate, but is not announced.
#[test]
fn missing_pages_in_every_format() {
    let folder = folder("/* /");
    folder.write("new.txt", text(["/", "/a", "/b", "/c"]) + "no address\n");
    let loc = "https://example.com/caf\u{e9}";
    for (rest, expected) in [
        (&["--format", "human"][..], format!("? {loc}\n")),
        (
            &["--fail-on", "removed", "--redirects", "_redirects"],
            format!("? {loc}\n"),
        ),
        (
            &["--format", "json"],
            format!("{}\n", json!({ "change": "missing", "loc": loc })),
        ),
        (
            &["--fail-on", "added", "--format", "github"],
            format!("::error title=missing::{loc} is missing, or is an entry of NEW that was not read\n"),
        ),
        (
            &[
                "--format",
                "index-now",
                "--host",
                "example.com",
                "--key",
                "01234567",
            ],
            String::new(),
        ),
    ] {
        let summary = "new.txt: the line `no address` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); \
                       write an absolute URL, or remove the line, at line 5, column 1 (byte 87), entry 5\n\
                       0 added, 0 removed, 0 changed, 4 as before; 1 entry of NEW could not be read; 1 page missing, if not among those\n";
        assert_eq!(run(&folder, rest), (1, expected, summary.to_owned()), "{rest:?}");
    }
    let (status, _, said) = run(&folder, &["--fail-on", "missing"]);
    assert!(
        status == 2 && said.contains("[possible values: added, changed, respelt, removed]"),
        "{said}"
    );
}

/// One rule moves the whole site below a directory. The rule also matches its own targets, so following it would never end.
#[test]
fn a_rule_that_leads_on_for_ever() {
    let rule = |rule: &str| folder(&format!("{rule}\n"));
    let gate = ["--fail-on", "removed", "--redirects", "_redirects"];
    let folder = rule("/* /en/:splat 301");
    folder.write("new.txt", text(["/en/", "/en/a", "/en/b", "/en/c"]));
    let (status, printed, _) = run(&folder, &gate);
    let expected = "+ https://example.com/en/\n+ https://example.com/en/a\n+ https://example.com/en/b\n+ https://example.com/en/c\n\
                    - https://example.com/ -> https://example.com/en/ (_redirects:1)\n\
                    - https://example.com/a -> https://example.com/en/a (_redirects:1)\n\
                    - https://example.com/b -> https://example.com/en/b (_redirects:1)\n\
                    - https://example.com/c -> https://example.com/en/c (_redirects:1)\n\
                    - https://example.com/caf\u{e9}\n";
    assert_eq!((status, &*printed), (1, expected));
    let listed = folder.read("new.txt") + &text(["/en/caf\u{e9}"]);
    folder.write("new.txt", listed);
    assert_eq!(run(&folder, &gate).0, 0);
    // The spelling of the URL does not matter.
    let listed = folder.read("new.txt").replace("/en/caf\u{e9}", "/en/caf%c3%a9");
    folder.write("new.txt", listed);
    assert_eq!(run(&folder, &gate).0, 0);
}

/// Random sites and redirects, compared to an independent model: a page fails if and only if its redirects do not end at an existing page.
#[test]
fn random_redirects() {
    let mut state = 1_u64;
    let mut below = |end: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    let (mut failing, mut redirected) = (0, 0);
    for _ in 0..40 {
        let targets: Vec<Option<u64>> = (0..12).map(|_| (below(3) > 0).then(|| below(14))).collect();
        let kept: BTreeSet<u64> = (0..12).filter(|_| below(3) == 0).collect();
        // Equivalent spellings of the pages.
        let mut spelled = |number: u64| match below(6) {
            0 => format!("/{number}/"),
            1 => format!("/{number}?from=x"),
            2 => format!("/%3{number}"),
            _ => format!("/{number}"),
        };
        let rules: Vec<String> = (0..)
            .zip(&targets)
            .filter_map(|(from, to)| Some(format!("/{from} {}\n", spelled((*to)?))))
            .collect();
        let pages: Vec<String> = (0..12).map(&mut spelled).collect();
        let page = |number: &u64| pages[usize::try_from(*number).unwrap()].clone();
        let folder = Folder::with(&[
            ("old.txt", text((0..12).map(|number| page(&number)))),
            (
                "new.txt",
                text(kept.iter().map(page).chain(["/other".to_owned()])),
            ),
            ("_redirects", rules.concat()),
        ]);
        let (status, printed, _) = run(&folder, &["--fail-on", "removed", "--redirects", "_redirects"]);
        let expected: BTreeSet<String> = (0..12)
            .filter(|number| !kept.contains(number))
            .filter(|number| {
                let mut at = *number;
                let next = |at: u64| targets.get(usize::try_from(at).unwrap()).copied().flatten();
                let mut hops = 0;
                // An existing page is served, whatever the rules say.
                while let Some(to) = next(at).filter(|to| *to != at && hops < 11 && !kept.contains(&at)) {
                    (at, hops) = (to, hops + 1);
                }
                // Pages 12 and 13 are in neither set.
                hops == 0 || hops == 11 || at < 12 && !kept.contains(&at)
            })
            .map(|number| format!("- {SITE}{}", page(&number)))
            .collect();
        let found: BTreeSet<String> = printed
            .lines()
            .filter(|line| line.starts_with('-') && !line.contains("->"))
            .map(str::to_owned)
            .collect();
        assert_eq!(found, expected, "{rules:?} {kept:?}");
        assert_eq!(status, i32::from(!expected.is_empty()));
        failing += expected.len();
        redirected += printed.matches("->").count();
    }
    assert!(failing > 50 && redirected > 50, "{failing} {redirected}");
}

/// A page whose URL is only spelt differently is neither removed nor added; a gate chooses whether that fails.
#[test]
fn respelt_pages_are_a_kind_of_change() {
    let folder = Folder::with(&[
        ("old.txt", format!("{SITE}\n{SITE}/caf%c3%a9\n{SITE}/same\n")),
        ("new.txt", format!("{SITE}/caf\u{e9}\n{SITE}:443/\n{SITE}/same\n")),
    ]);
    for (gate, expected) in [
        (&[][..], 1),
        (&["--fail-on", "respelt"], 1),
        (&["--fail-on", "added,changed,removed"], 0),
    ] {
        let (status, printed, said) = run(&folder, gate);
        let expected_lines = "~ https://example.com:443/ loc: https://example.com -> https://example.com:443/\n\
                              ~ https://example.com/caf\u{e9} loc: https://example.com/caf%c3%a9 -> https://example.com/caf\u{e9}\n";
        assert_eq!((status, &*printed), (expected, expected_lines));
        assert_eq!(
            said,
            "0 added, 0 removed, 0 changed, 1 as before; 2 URLs only spelt differently\n"
        );
    }
    let (_, printed, _) = run(&folder, &["--format", "json"]);
    let first: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    let expected = json!({ "change": "respelt", "loc": format!("{SITE}:443/"), "before": SITE });
    assert_eq!(first, expected);
    let (_, printed, _) = run(&folder, &["--format", "github", "--fail-on", "removed"]);
    assert!(
        printed
            .starts_with("::notice title=respelt::https://example.com:443/ was spelt https://example.com\n")
    );
    let key = ["--host", "example.com", "--key", "0123456789abcdef"];
    let (_, printed, _) = run(&folder, &[&["--format", "index-now"], &key[..]].concat());
    assert_eq!(printed, "");
}

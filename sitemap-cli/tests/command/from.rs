//! `sitemap from`.

use std::fs;

use serde_json::Value;

use crate::folder::Folder;

const ARGUMENTS: [&str; 6] = [
    "from",
    "public",
    "--location",
    "https://example.com/",
    "--ledger",
    "sitemap-ledger",
];

fn site() -> Folder {
    Folder::with(&[
        (
            "public/index.html",
            "<p>Home<nav><a href=a.html>A</a><a href=b.html>B</a></nav>",
        ),
        (
            "public/a.html",
            "<meta name=dcterms.modified content=2026-04-01><p>A",
        ),
        ("public/b.html", "<p>B"),
        ("public/draft.html", "<meta name=robots content=noindex>"),
        ("public/404.html", "<p>Not found"),
    ])
}

fn run(folder: &Folder, more: &[&str]) -> (Option<i32>, String, String) {
    let output = folder.command(&[&ARGUMENTS[..], more].concat()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn table(rows: [u32; 7], reasons: &[(&str, u32)], findings: u32) -> String {
    let names = [
        "listed",
        "  dated by the page",
        "  dated by the ledger",
        "  without a date",
        "  moved",
        "  new",
        "skipped",
    ];
    let reasons: Vec<(String, u32)> = reasons
        .iter()
        .map(|(name, count)| (format!("  {name}"), *count))
        .collect();
    let rows = names
        .into_iter()
        .zip(rows)
        .chain(reasons.iter().map(|(name, count)| (name.as_str(), *count)));
    let lines: Vec<String> = rows
        .chain([("findings", findings)])
        .map(|(name, count)| format!("{name:24}{count:>9}\n"))
        .collect();
    lines.concat()
}

/// The lists after the table in the report.
fn lists(lists: &[(&str, &[&str])]) -> String {
    let list = |(name, lines): &(&str, &[&str])| {
        let lines: Vec<String> = lines.iter().map(|line| format!("  {line}\n")).collect();
        format!("\n{name}:\n{}", lines.concat())
    };
    lists.iter().map(list).collect()
}

const SKIPPED: (&str, &[&str]) = (
    "skipped",
    &["404.html: a page for errors", "draft.html:1: `noindex`"],
);

#[test]
fn first_and_later_runs() {
    let folder = site();
    let reasons = [("error-page", 1), ("noindex", 1)];
    let written = "public/sitemap.xml: written\n".to_owned();
    let first = table([3, 1, 0, 2, 0, 0, 2], &reasons, 0) + &lists(&[SKIPPED]);
    let is_new = "note: sitemap-ledger is new: pages that state no date have none until they change, but for --since or --dates\n";
    assert_eq!(
        run(&folder, &["--now", "2026-05-01"]),
        (Some(0), first.clone(), format!("{is_new}{written}"))
    );
    let ledger = folder.read("sitemap-ledger");
    let modified = || {
        fs::metadata(folder.path("sitemap-ledger"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = modified();
    let unchanged = "public/sitemap.xml: unchanged\n".to_owned();
    assert_eq!(
        run(&folder, &["--now", "2026-05-02"]),
        (Some(0), first, unchanged)
    );
    assert_eq!(
        (folder.read("sitemap-ledger"), modified()),
        (ledger.clone(), before)
    );

    folder.write("public/b.html", "<p>B is new");
    folder.write("public/c.html", "<p>C");
    let later = table([4, 1, 2, 1, 1, 1, 2], &reasons, 1)
        + &lists(&[
            ("moved", &["https://example.com/b.html"]),
            ("new", &["https://example.com/c.html"]),
            SKIPPED,
        ]);
    let unlinked = "note[unlinked]: c.html: is listed, and no page links to it: is it a draft?\n".to_owned();
    let dry = run(&folder, &["--now", "2026-05-03", "--dry-run"]);
    assert_eq!(dry, (Some(0), later.clone(), unlinked.clone()));
    assert_eq!(folder.read("sitemap-ledger"), ledger);
    let explained = run(&folder, &["--explain", "/b.html", "--now", "2026-05-03"]);
    assert_eq!(
        explained,
        (
            Some(0),
            "2026-05-03: its content changed since the last run\n+ added                B is new\n- 1 removed: not kept\n".to_owned(),
            String::new()
        )
    );
    assert_eq!(
        run(&folder, &["--now", "2026-05-03"]),
        (Some(0), later, unlinked + &written)
    );
    assert!(folder.read("public/sitemap.xml").ends_with(
        "<url><loc>https://example.com/</loc></url><url><loc>https://example.com/a.html</loc><lastmod>2026-04-01</lastmod></url>\
         <url><loc>https://example.com/b.html</loc><lastmod>2026-05-03</lastmod></url>\
         <url><loc>https://example.com/c.html</loc><lastmod>2026-05-03</lastmod></url></urlset>"
    ));
}

#[test]
fn a_ledger_in_conflict_writes_nothing() {
    let folder = site();
    folder.write("sitemap-ledger", "sitemap-ledger 1\n<<<<<<< HEAD\n");
    assert_eq!(
        run(&folder, &[]),
        (
            Some(2),
            String::new(),
            "sitemap: sitemap-ledger: line 2 is a mark of a merge conflict: keep one side whole, by `git checkout --ours` or `--theirs` and \
             the name of the file, and run again; pages that the other side changed have the date of that run\n"
                .to_owned()
        )
    );
    assert!(!folder.path("public/sitemap.xml").exists());
}

#[test]
fn findings_and_json() {
    let folder = site();
    folder.write("public/b.html", "\n<link rel=canonical href=/missing>");
    let (status, json, messages) = run(&folder, &["--format", "json", "--now", "2026-05-01"]);
    let message = "the canonical address `/missing` leads nowhere: there is no page at this address";
    let is_new = "note: sitemap-ledger is new: pages that state no date have none until they change, but for --since or --dates\n";
    assert_eq!(
        (status, messages),
        (
            Some(1),
            format!("error[leads-nowhere]: b.html:2: {message}\n{is_new}public/sitemap.xml: written\n")
        )
    );
    let expected = serde_json::json!({
        "listed": [
            { "file": "index.html", "url": "https://example.com/", "lastmod": null, "date": null, "change": "unknown" },
            { "file": "a.html", "url": "https://example.com/a.html", "lastmod": "2026-04-01", "date": "page", "change": "unknown" },
        ],
        "skipped": [
            { "file": "404.html", "reason": "error-page", "message": "a page for errors" },
            { "file": "b.html", "reason": "canonical", "message": "its canonical address is `/missing`" },
            { "file": "draft.html", "reason": "noindex", "message": "`noindex`" },
        ],
        "findings": [{ "file": "b.html", "line": 2, "kind": "leads-nowhere", "severity": "error", "message": message }],
    });
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report, expected);
    // With the sitemap on standard output, standard error contains only the report.
    for more in [&[][..], &["--quiet"]] {
        let (status, xml, messages) = run(
            &site_with_canonical(),
            &[
                &["--format", "json", "--now", "2026-05-01", "--output", "-"],
                more,
            ]
            .concat(),
        );
        let report: Value = serde_json::from_str(&messages).unwrap();
        assert_eq!((status, report), (Some(1), expected.clone()));
        assert!(xml.starts_with("<?xml") && xml.ends_with("</urlset>\n"), "{xml}");
    }
}

fn site_with_canonical() -> Folder {
    let folder = site();
    folder.write("public/b.html", "\n<link rel=canonical href=/missing>");
    folder
}

/// The exit status depends on the severities of the findings and on the configured severities.
#[test]
fn severities() {
    let folder = site_with_canonical();
    folder.write("public/c.html", "<p>C");
    folder.write("public/.htaccess", "Redirect / /x");
    let error = "error[leads-nowhere]: b.html:2: the canonical address `/missing` leads nowhere: there is no page at this address\n";
    let ignored = "note[host-ignored]: .htaccess: is not read: what it redirects is listed, unless the pages themselves say otherwise\n";
    let unlinked = "note[unlinked]: c.html: is listed, and no page links to it: is it a draft?\n";
    let pattern = "warning[pattern]: the pattern `x/` of exclude matches no file that could be listed\n";
    for (arguments, status, found) in [
        (&[][..], 1, format!("{ignored}{error}{unlinked}")),
        (&["--quiet"], 1, error.to_owned()),
        (&["--fail-on", "never"], 0, format!("{ignored}{error}{unlinked}")),
        (
            &["--level", "leads-nowhere=warning"],
            0,
            format!("{ignored}{}{unlinked}", error.replace("error", "warning")),
        ),
        (
            &[
                "--level",
                "leads-nowhere=off",
                "--level",
                "host-ignored=off",
                "--fail-on",
                "warning",
            ],
            0,
            unlinked.to_owned(),
        ),
        (
            &[
                "--level",
                "leads-nowhere=off",
                "--level",
                "host-ignored=off",
                "--fail-on",
                "note",
            ],
            1,
            unlinked.to_owned(),
        ),
        (
            &["--level", "leads-nowhere=off", "--exclude", "x/", "--quiet"],
            0,
            pattern.to_owned(),
        ),
        (
            &[
                "--level",
                "leads-nowhere=off",
                "--exclude",
                "x/",
                "--quiet",
                "--fail-on",
                "warn",
            ],
            1,
            pattern.to_owned(),
        ),
        (
            &["--level", "unlinkd=off"],
            2,
            "sitemap: --level: `unlinkd` is not the id of a finding: did you mean `unlinked`?\n".to_owned(),
        ),
        (
            &["--level", "unlinked=of"],
            2,
            "sitemap: --level: `of` is not a severity: write `off`, `note`, `warning` or `error`\n"
                .to_owned(),
        ),
        (
            &["--level", "unlinked"],
            2,
            "sitemap: --level unlinked: write the finding and its severity, such as `unlinked=off`\n"
                .to_owned(),
        ),
    ] {
        let found_status = run(
            &folder,
            &[arguments, &["--dry-run", "--since", "2026-01-01"]].concat(),
        );
        assert_eq!(
            (found_status.0, found_status.2),
            (Some(status), found),
            "{arguments:?}"
        );
    }
}

#[test]
fn settings_of_the_project() {
    let folder = site_with_canonical();
    folder.write("public/drafts/x.html", "<p>X");
    folder.write(
        "sitemap.toml",
        "[lint]\nfail-on = \"note\"\n\n[from]\nfolder = \"public\"\nlocation = \"https://example.com/\"\nledger = \"state/ledger\"\n\
         output = \"map.xml\"\nexclude = [\"drafts/\"]\nsince = \"2026-01-01\"\n[from.findings]\nleads-nowhere = \"note\"\n",
    );
    fs::create_dir_all(folder.path("state")).unwrap();
    let (status, _, messages) = folder.run(&["from"]);
    let finding = "note[leads-nowhere]: b.html:2: the canonical address `/missing` leads nowhere: there is no page at this address\n";
    assert_eq!((status, messages), (0, format!("{finding}map.xml: written\n")));
    assert!(folder.read("map.xml").contains("<lastmod>2026-01-01</lastmod>"));
    assert!(!folder.read("map.xml").contains("drafts"));
    assert!(folder.read("state/ledger").starts_with("sitemap-ledger"));
    let (status, _, messages) = folder.run(&["from", "--fail-on", "note", "--output", "other.xml"]);
    assert_eq!((status, messages), (1, format!("{finding}other.xml: written\n")));
    for (text, message) in [
        ("[form]", "1: unknown table `form`: did you mean `from`?"),
        (
            "[from]\nfolders = \"x\"",
            "2: unknown key `folders`: did you mean `folder`?",
        ),
        ("[from]\nimages = 1", "2: `images` must be true or false"),
        (
            "[from]\nexclude = \"x\"",
            "2: `exclude` must be a list of strings",
        ),
        ("[from]\nexclude = [\n1]", "3: `exclude` must be a string"),
        ("[from]\nstyle = \"x\"", "2: `style` must be one of html, clean"),
        ("[from]\ndates = \"svn\"", "2: `dates` must be one of git"),
        (
            "[from.findings]\nx = \"off\"",
            "2: `x` is not the id of a finding: expected one of ",
        ),
        (
            "[from.findings]\nchain = \"of\"",
            "2: `of` is not a severity: write `off`, `note`, `warning` or `error`",
        ),
        ("from", "1: "),
    ] {
        folder.write("sitemap.toml", text);
        let (status, _, error) = folder.run(&["from"]);
        assert_eq!(status, 2);
        assert!(
            error.starts_with(&format!(
                "sitemap: {}:{message}",
                folder.path("sitemap.toml").display()
            )),
            "{error}"
        );
    }
    fs::remove_file(folder.path("sitemap.toml")).unwrap();
    for (arguments, message) in [
        (
            &["from"][..],
            "sitemap: nothing to read: name the folder that the pages were built in, or `folder` in sitemap.toml\n",
        ),
        (
            &["from", "public"],
            "sitemap: --location is missing: the URL of the folder, such as https://example.com/\n",
        ),
    ] {
        assert_eq!(folder.run(arguments), (2, String::new(), message.to_owned()));
    }
}

/// A lost cache, and the ledger of another site.
#[test]
fn a_ledger_that_is_not_there() {
    let folder = site();
    let expect = run(&folder, &["--expect-ledger"]);
    let message = "sitemap: sitemap-ledger does not exist: all dates that it had would be lost; restore it, or leave out --expect-ledger \
                   for a first run\n";
    assert_eq!(expect, (Some(2), String::new(), message.to_owned()));
    run(&folder, &["--since", "2026-01-01"]);
    assert_eq!(run(&folder, &["--expect-ledger"]).0, Some(0));
    fs::rename(folder.path("sitemap-ledger"), folder.path("lost")).unwrap();
    let lost = "warning[ledger]: sitemap-ledger does not exist, and public/sitemap.xml has 3 dates, of which 1 would be left: another program wrote them, or the ledger was lost\n";
    assert_eq!(
        run(&folder, &["--dry-run", "--quiet"]),
        (Some(0), String::new(), lost.to_owned())
    );
    let fails = run(&folder, &["--dry-run", "--quiet", "--fail-on", "warning"]);
    assert_eq!(fails, (Some(1), String::new(), lost.to_owned()));
    let off = run(&folder, &["--dry-run", "--quiet", "--level", "ledger=off"]);
    assert_eq!(off, (Some(0), String::new(), String::new()));

    let other = Folder::with(&[("public/x.html", "<p>X")]);
    other.write("sitemap-ledger", folder.read("lost"));
    let message = "sitemap: the ledger has 3 pages of https://example.com/, and none of them is listed: is it that of another site? If this \
                   is intended, allow it with --force; nothing was changed\n";
    for arguments in [&[][..], &["--dry-run"], &["--output", "set/"]] {
        let found = run(&other, &[arguments, &["--quiet"]].concat());
        assert_eq!(
            found,
            (Some(2), String::new(), message.to_owned()),
            "{arguments:?}"
        );
    }
    assert_eq!(other.read("sitemap-ledger"), folder.read("lost"));
    assert_eq!(
        run(&other, &["--force", "--quiet"]),
        (Some(0), String::new(), String::new())
    );
}

#[test]
fn many_pages_are_named_on_request() {
    let folder = Folder::with(&[("public/index.html", "<p>Home")]);
    run(&folder, &[]);
    for i in 0..22 {
        folder.write(&format!("public/{i:02}.html"), "<p>Page");
    }
    let urls: Vec<String> = (0..22)
        .map(|i| format!("https://example.com/{i:02}.html"))
        .collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let table = table([23, 0, 22, 1, 0, 22, 0], &[], 1);
    let first = [&urls[..20], &["and 2 more, which --list names"]].concat();
    assert_eq!(
        run(&folder, &["--dry-run"]).1,
        format!("{table}{}", lists(&[("new", &first)]))
    );
    assert_eq!(
        run(&folder, &["--dry-run", "--list"]).1,
        format!("{table}{}", lists(&[("new", &urls)]))
    );
}

#[test]
fn the_settings_of_the_host() {
    let folder = site();
    folder.write(
        "vercel.json",
        r#"{ "cleanUrls": true, "redirects": [{ "source": "/a", "destination": "/b" }] }"#,
    );
    run(&folder, &["--since", "2026-01-01"]);
    let xml = folder.read("public/sitemap.xml");
    assert!(
        xml.contains("https://example.com/b<") && !xml.contains("https://example.com/a"),
        "{xml}"
    );
    folder.write("hosting/vercel.json", "{}");
    let (_, table, _) = run(&folder, &["--project", "hosting", "--dry-run"]);
    assert!(table.contains("listed                          3\n"), "{table}");
    // A file above the working directory does not belong to the project.
    let below = Folder::with(&[
        ("site/public/index.html", "<p>Home"),
        ("site/public/a.html", "<p>A"),
    ]);
    below.write(
        "vercel.json",
        r#"{ "redirects": [{ "source": "/a.html", "destination": "/" }] }"#,
    );
    for (at, listed) in [(".", 1), ("site", 2)] {
        let output = below
            .command(&["from", "--location", "https://example.com", "--dry-run"])
            .arg(below.path("site/public"))
            .current_dir(below.path(at))
            .output()
            .unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        assert!(table.starts_with(&format!("listed {listed:26}\n")), "{table}");
    }
}

#[test]
fn robots_txt_names_the_sitemap() {
    let folder = site();
    let notes = |arguments: &[&str]| {
        run(
            &folder,
            &[arguments, &["--robots", "--since", "2026-01-01"]].concat(),
        )
        .2
    };
    assert_eq!(
        notes(&[]),
        "public/sitemap.xml: written\npublic/robots.txt: written\n"
    );
    let own = "User-agent: *\nAllow: /\n\nSitemap: https://example.com/sitemap.xml\n";
    assert_eq!(folder.read("public/robots.txt"), own);
    assert_eq!(
        notes(&[]),
        "public/sitemap.xml: unchanged\npublic/robots.txt: unchanged\n"
    );
    folder.write("public/robots.txt", "User-agent: *\nDisallow: /x");
    fs::create_dir(folder.path("public/maps")).unwrap();
    assert_eq!(
        notes(&["--output", "public/maps/"]),
        "public/maps/: written\npublic/robots.txt: written\n"
    );
    assert_eq!(
        folder.read("public/robots.txt"),
        "User-agent: *\nDisallow: /x\n\nSitemap: https://example.com/maps/sitemap.xml\n"
    );
    assert_eq!(
        notes(&["--output", "map.xml"]),
        "sitemap: --robots: map.xml is not in public, so its URL is not known\n"
    );
    assert!(!folder.path("map.xml").exists());
    let output = folder
        .command(&[
            "from",
            "public",
            "--location",
            "https://user.example/repo/",
            "--robots",
        ])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap().lines().last().unwrap(),
        "sitemap: --robots: crawlers read robots.txt at the root of a host only, and https://user.example/repo/ is below it"
    );
}

#[test]
fn dates_of_publication() {
    let page =
        |date: &str, text: &str| format!("<meta property=article:published_time content={date}><p>{text}");
    let folder = Folder::with(&[
        (
            "public/index.html",
            "<p>Home<nav><a href=a.html>A</a><a href=b.html>B</a></nav>",
        ),
        ("public/a.html", &page("2026-04-01", "A")),
        ("public/b.html", &page("2027-01-01", "B")),
    ]);
    let again = || {
        for file in ["sitemap-ledger", "public/sitemap.xml"] {
            fs::remove_file(folder.path(file)).unwrap();
        }
    };
    let first = [
        "--dates",
        "published",
        "--since",
        "2026-01-01",
        "--now",
        "2026-05-01",
    ];
    let rows = [
        ("listed", 3),
        ("  dated by the page", 0),
        ("  dated by the ledger", 2),
        ("  dated by publication", 1),
        ("  without a date", 0),
        ("  moved", 0),
        ("  new", 0),
        ("skipped", 0),
        ("findings", 1),
    ];
    let future =
        "warning[date]: b.html:1: the date of publication 2027-01-01 is in the future, and is not believed\n";
    assert_eq!(
        run(&folder, &first),
        (
            Some(0),
            rows.map(|(name, count)| format!("{name:24}{count:>9}\n"))
                .concat(),
            format!("{future}public/sitemap.xml: written\n")
        )
    );
    again();
    assert_eq!(
        run(&folder, &[&first[..], &["--explain", "/a.html"]].concat()),
        (
            Some(0),
            "2026-04-01: the page states it as the date of its publication, and no later change is known\n  counted              A\n"
                .to_owned(),
            String::new()
        )
    );
    let report = run(&folder, &[&first[..], &["--format", "json", "--quiet"]].concat()).1;
    let report: Value = serde_json::from_str(&report).unwrap();
    let listed = report["listed"].as_array().unwrap();
    let sources: Vec<_> = listed.iter().map(|page| &page["date"]).collect();
    assert_eq!(sources, ["ledger", "published", "ledger"]);
    // The settings accept the word, too. `--no-page-dates` distrusts the dates of changes, but not publication dates.
    folder.write("sitemap.toml", "[from]\ndates = \"published\"\n");
    for more in [&[][..], &["--no-page-dates"]] {
        again();
        let arguments = [&["--now", "2026-05-01", "--quiet"], more].concat();
        assert_eq!(
            run(&folder, &arguments),
            (Some(0), String::new(), future.to_owned())
        );
        assert_eq!(
            folder
                .read("public/sitemap.xml")
                .matches("<lastmod>2026-04-01</lastmod>")
                .count(),
            1
        );
    }
    assert_eq!(
        run(&folder, &["--source", "content/{path}.md"]),
        (
            Some(2),
            String::new(),
            "sitemap: --source needs --dates git\n".to_owned()
        )
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one repository is made for all cases")]
fn dates_of_git() {
    let folder = site();
    let git = |arguments: &[&str], date: &str| {
        let status = std::process::Command::new("git")
            .args([
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@example.com",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(folder.path(""))
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .output()
            .unwrap();
        assert!(status.status.success(), "{arguments:?}: {status:?}");
    };
    let dates = ["--dates", "git", "--source", "content/{path}.md"];
    let quiet = |arguments: &[&str]| run(&folder, &[arguments, &["--quiet"]].concat());
    assert_eq!(
        quiet(&dates).2.lines().next().unwrap(),
        "sitemap: --dates git: fatal: not a git repository (or any of the parent directories): .git"
    );
    git(&["init", "--quiet"], "");
    folder.write("content/index.md", "Home");
    folder.write("content/b.md", "B");
    git(&["add", "content"], "");
    git(&["commit", "--quiet", "-m", "a"], "2025-03-01T10:00:00+01:00");
    folder.write("content/b.md", "B is new");
    git(&["commit", "--quiet", "-a", "-m", "b"], "2025-04-01T10:00:00Z");
    assert_eq!(quiet(&dates), (Some(0), String::new(), String::new()));
    let xml = folder.read("public/sitemap.xml");
    assert!(
        xml.contains(
            "<url><loc>https://example.com/</loc><lastmod>2025-03-01T10:00:00+01:00</lastmod></url>\
             <url><loc>https://example.com/a.html</loc><lastmod>2026-04-01</lastmod></url>\
             <url><loc>https://example.com/b.html</loc><lastmod>2025-04-01T10:00:00Z</lastmod></url>"
        ),
        "{xml}"
    );
    // From now on, the ledger records when a page changes.
    folder.write("public/b.html", "<p>B is newer");
    assert_eq!(
        run(&folder, &[&dates[..], &["--now", "2026-05-05"]].concat()).0,
        Some(0)
    );
    assert!(
        folder
            .read("public/sitemap.xml")
            .contains("b.html</loc><lastmod>2026-05-05</lastmod>")
    );
    for (arguments, message) in [
        (
            &["--dates", "git"][..],
            "--dates git needs --source, the path of a page's source, such as `content/{path}.md`",
        ),
        (
            &["--dates", "git", "--source", "content/x.md"],
            "--source content/x.md has no {path}, which stands for a page's path, such as in `content/{path}.md`",
        ),
        (&["--source", "content/{path}.md"], "--source needs --dates git"),
    ] {
        assert_eq!(
            run(&folder, arguments),
            (Some(2), String::new(), format!("sitemap: {message}\n"))
        );
    }
    git(
        &[
            "clone",
            "--quiet",
            "--depth",
            "1",
            &format!("file://{}", folder.path("").display()),
            "shallow",
        ],
        "",
    );
    let shallow = folder
        .command(&[
            "from",
            "../public",
            "--location",
            "https://example.com/",
            "--output",
            "-",
        ])
        .args(dates)
        .current_dir(folder.path("shallow"))
        .output()
        .unwrap();
    assert_eq!(
        (
            shallow.status.code(),
            String::from_utf8(shallow.stderr).unwrap().as_str()
        ),
        (
            Some(2),
            "sitemap: --dates git: the repository is a shallow clone, whose oldest commit seems to have changed all files; fetch the whole \
             history, such as by `fetch-depth: 0` of actions/checkout\n"
        )
    );
}

/// The user's git settings do not affect dates.
#[test]
#[cfg(unix)]
fn settings_of_git() {
    use std::os::unix::fs::PermissionsExt;

    // Signs anything, and reports every signature as valid.
    const GPG: &str = "#!/bin/sh
case \"$*\" in *verify*) echo '[GNUPG:] GOODSIG 1 A'; echo 'gpg: Good signature' >&2; exit 0;; esac
cat >/dev/null
echo '[GNUPG:] SIG_CREATED D 1 8 00 1 A' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
";
    let folder = Folder::with(&[
        (
            "public/index.html",
            "<p>Home<nav><a href=b.html>B</a><a href=%C3%A9.html>E</a></nav>",
        ),
        ("public/b.html", "<p>B"),
        ("public/é.html", "<p>E"),
        ("content/index.md", "Home"),
        ("content/b.md", "B"),
        ("content/é.md", "E"),
        ("gpg", GPG),
    ]);
    let gpg = folder.path("gpg");
    fs::set_permissions(&gpg, fs::Permissions::from_mode(0o755)).unwrap();
    let git = |arguments: &[&str], date: &str| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c"])
            .arg(format!("gpg.program={}", gpg.display()))
            .args(arguments)
            .current_dir(folder.path(""))
            .env("GIT_COMMITTER_DATE", date)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let commit = ["commit", "--quiet", "--all", "--gpg-sign=A", "--message", "x"];
    git(&["init", "--quiet"], "");
    git(&["add", "content"], "");
    git(&commit, "2025-03-01T10:00:00Z");
    folder.write("content/b.md", "B is new");
    git(&commit, "2025-04-01T10:00:00Z");
    let arguments = [
        &ARGUMENTS[..4],
        &[
            "--dates",
            "git",
            "--source",
            "content/{path}.md",
            "--output",
            "-",
            "--quiet",
        ],
    ]
    .concat();
    for setting in [
        "color.diff=always",
        "color.ui=always",
        "core.quotePath=true",
        "diff.noprefix=true",
        "diff.relative=true",
        "diff.renames=copies",
        "format.notes=*",
        "format.pretty=full",
        "log.date=relative",
        "log.decorate=full",
        "log.diffMerges=first-parent",
        "log.follow=true",
        "log.showRoot=false",
        "log.showSignature=true",
    ] {
        let (key, value) = setting.split_once('=').unwrap();
        let gpg = gpg.to_str().unwrap();
        let output = folder
            .command(&arguments)
            .envs([
                ("GIT_CONFIG_COUNT", "2"),
                ("GIT_CONFIG_KEY_0", "gpg.program"),
                ("GIT_CONFIG_VALUE_0", gpg),
            ])
            .envs([("GIT_CONFIG_KEY_1", key), ("GIT_CONFIG_VALUE_1", value)])
            .output()
            .unwrap();
        let dated = |loc: &str, date: &str| {
            format!("<url><loc>https://example.com/{loc}</loc><lastmod>{date}</lastmod></url>")
        };
        let (first, second) = ("2025-03-01T10:00:00Z", "2025-04-01T10:00:00Z");
        let pages = [
            dated("", first),
            dated("%C3%A9.html", first),
            dated("b.html", second),
        ]
        .concat();
        let xml = String::from_utf8(output.stdout).unwrap();
        assert!(xml.contains(&pages), "{setting}: {xml}");
        assert_eq!(
            (output.status.code(), output.stderr),
            (Some(0), Vec::new()),
            "{setting}"
        );
    }
}

#[test]
fn a_page_for_people() {
    let page = |title: &str| {
        format!("<title>{title} | Things &amp; more</title><p>{title}<nav><a href=/blog/a.html>A</a></nav>")
    };
    let folder = Folder::with(&[
        ("public/index.html", page("Home")),
        ("public/about.html", page("About <us>")),
        ("public/blog/index.html", page("Blog")),
        ("public/blog/a.html", page("A & B")),
        ("public/docs.html", page("Docs")),
        ("public/docs/x/y.html", "<p>No title".to_owned()),
        (
            "public/docs/x/z.html",
            "<svg><title>Icon</title></svg><title>Z</title><p>Z".to_owned(),
        ),
        (
            "public/draft.html",
            "<meta name=robots content=noindex><title>Draft</title>".to_owned(),
        ),
    ]);
    const MARK: &str = "<!-- list of pages by `sitemap from` -->\n";
    let run = |arguments: &[&str]| {
        run(
            &folder,
            &[&["--html", "public/sitemap.html", "--quiet"], arguments].concat(),
        )
    };
    let list = "<ul>\n<li><a href=\"https://example.com/\">Home</a></li>\n<li><a href=\"https://example.com/about.html\">About &lt;us&gt;</a></li>\n\
        <li><a href=\"https://example.com/blog/\">Blog</a>\n  <ul>\n  <li><a href=\"https://example.com/blog/a.html\">A &amp; B</a></li>\n  </ul>\n</li>\n\
        <li><a href=\"https://example.com/docs.html\">Docs</a>\n  <ul>\n  <li>x\n    <ul>\n    \
        <li><a href=\"https://example.com/docs/x/y.html\">https://example.com/docs/x/y.html</a></li>\n    \
        <li><a href=\"https://example.com/docs/x/z.html\">https://example.com/docs/x/z.html</a></li>\n    </ul>\n  </li>\n  </ul>\n</li>\n</ul>";
    for _ in 0..2 {
        assert_eq!(run(&[]), (Some(0), String::new(), String::new()));
        assert_eq!(
            folder.read("public/sitemap.html"),
            format!(
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                 <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Sitemap</title>\n</head>\n<body>\n<main>\n\
                 <h1>Sitemap</h1>\n{MARK}{list}\n</main>\n</body>\n</html>\n"
            )
        );
        // The HTML sitemap is not listed as a page.
        assert!(!folder.read("public/sitemap.xml").contains("sitemap.html"));
    }
    folder.write("own.html", "<h1>Plan</h1>\n<!-- sitemap -->\n<p>End");
    assert_eq!(run(&["--html-template", "own.html"]).0, Some(0));
    assert_eq!(
        folder.read("public/sitemap.html"),
        format!("<h1>Plan</h1>\n{MARK}{list}\n<p>End")
    );
    for (template, message) in [
        ("<h1>", "own.html: has no `<!-- sitemap -->`, where the list goes"),
        (
            "<!-- sitemap --><!-- sitemap -->",
            "own.html: has `<!-- sitemap -->` 2 times, and the list goes to one place",
        ),
    ] {
        folder.write("own.html", template);
        let found = run(&["--html-template", "own.html"]);
        assert_eq!(found, (Some(2), String::new(), format!("sitemap: {message}\n")));
    }
}

#[test]
fn languages_by_folder() {
    let folder = Folder::with(&[
        ("public/index.html", "<p>Home"),
        ("public/a.html", "<p>A"),
        ("public/only.html", "<p>Only in English"),
        ("public/fr/index.html", "<p>Accueil"),
        ("public/fr/a.html", "<p>Le A"),
        (
            "public/own.html",
            "<link rel=alternate hreflang=en href=/own.html><p>Own",
        ),
        ("public/fr/own.html", "<p>Own, too"),
    ]);
    let quiet = ["--quiet", "--level", "unlinked=off", "--languages"];
    assert_eq!(
        run(&folder, &[&quiet[..], &["en=/,fr=/fr/,x-default=/"]].concat()),
        (Some(0), String::new(), String::new())
    );
    let xml = folder.read("public/sitemap.xml");
    let link = |language: &str, path: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://example.com/{path}\"/>")
    };
    for (en, fr) in [("", "fr/"), ("a.html", "fr/a.html")] {
        let links = [link("en", en), link("fr", fr), link("x-default", en)].concat();
        for path in [en, fr] {
            let entry = format!("<url><loc>https://example.com/{path}</loc>{links}</url>");
            assert!(xml.contains(&entry), "{entry}\n{xml}");
        }
    }
    assert!(
        xml.contains("<url><loc>https://example.com/only.html</loc></url>"),
        "{xml}"
    );
    let own = link("en", "own.html");
    assert!(
        xml.contains(&format!(
            "<url><loc>https://example.com/own.html</loc>{own}</url>"
        )),
        "{xml}"
    );
    assert!(
        xml.contains("<url><loc>https://example.com/fr/own.html</loc></url>"),
        "{xml}"
    );
    let wrong = run(&folder, &["--languages", "en"]);
    let message =
        "sitemap: --languages en: write each language and the folder of its pages, such as `en=/,fr=/fr/`\n";
    assert_eq!(wrong, (Some(2), String::new(), message.to_owned()));
}

/// A dry run refuses whatever a real run refuses, for a file and for a set, and writes nothing.
#[test]
fn a_dry_run_is_refused_as_the_run_is() {
    let folder = site();
    run(&folder, &[]);
    run(&folder, &["--output", "set/"]);
    folder.write("public/robots.txt", "User-agent: *\nDisallow: /\n");
    fs::create_dir(folder.path("new")).unwrap();
    let names = || {
        (
            folder.names(),
            folder.read("set/sitemap.xml"),
            folder.read("sitemap-ledger"),
        )
    };
    let before = names();
    for (out, lost) in [
        (&[][..], ", and public/sitemap.xml has 3 entries"),
        (&["--output", "set"], ", and the published set has 3 entries"),
        (&["--output", "new"], ""),
    ] {
        let (status, _, message) = run(&folder, &[&["--dry-run"], out].concat());
        let expected = format!(
            "sitemap: the sitemap would be empty{lost} (skipped: 1 error-page, 1 noindex, 3 robots): if this is intended, allow it with --force; nothing was changed\n"
        );
        assert_eq!((status, message), (Some(2), expected));
        assert_eq!(run(&folder, out).0, Some(2), "{out:?}");
        assert_eq!(
            run(&folder, &[&["--dry-run", "--force"], out].concat()).0,
            Some(0)
        );
    }
    assert_eq!(names(), before);
    let other = run(&folder, &["--dry-run", "--output", "public/"]);
    let message =
        "sitemap: public/sitemap.xml already exists and is not part of a set: --force replaces it\n";
    assert_eq!((other.0, other.2.as_str()), (Some(2), message));
}

#[test]
fn dates_of_one_source_alone() {
    let folder = site();
    run(&folder, &["--now", "2026-05-01", "--since", "2026-01-01"]);
    let dates = |arguments: &[&str]| -> Vec<Option<String>> {
        let (_, json, _) = run(&folder, &[&["--format", "json", "--dry-run"], arguments].concat());
        let report: Value = serde_json::from_str(&json).unwrap();
        let listed = report["listed"].as_array().unwrap();
        listed
            .iter()
            .map(|page| page["lastmod"].as_str().map(str::to_owned))
            .collect()
    };
    let (ledger, page) = (Some("2026-01-01".to_owned()), Some("2026-04-01".to_owned()));
    assert_eq!(dates(&[]), [ledger.clone(), page.clone(), ledger.clone()]);
    assert_eq!(dates(&["--no-ledger-dates"]), [None, page, None]);
    assert_eq!(
        dates(&["--no-page-dates"]),
        [ledger.clone(), None, ledger],
        "a date that the page stated is not one of the ledger's own"
    );
    assert_eq!(
        dates(&["--no-page-dates", "--no-ledger-dates"]),
        [None, None, None]
    );
}

#[test]
fn images_on_request() {
    let folder = Folder::with(&[("public/index.html", "<p>Home<img src=lamp.jpg>")]);
    run(&folder, &[]);
    assert!(!folder.read("public/sitemap.xml").contains("lamp.jpg"));
    run(&folder, &["--images"]);
    let image = "<image:image><image:loc>https://example.com/lamp.jpg</image:loc></image:image>";
    assert!(folder.read("public/sitemap.xml").contains(image));
}

#[test]
fn a_set_in_a_folder() {
    let folder = site();
    fs::create_dir(folder.path("set")).unwrap();
    let (status, _, messages) = run(&folder, &["--output", "set", "--since", "2026-01-01"]);
    assert_eq!((status, messages.as_str()), (Some(0), "set: written\n"));
    assert!(
        folder
            .read("set/sitemap.xml")
            .contains("https://example.com/b.html")
    );
    assert_eq!(run(&folder, &["--output", "set"]).2, "set: unchanged\n");
    run(&folder, &[]);
    assert_eq!(
        run(&folder, &["--output", "public"]).2,
        "sitemap: public/sitemap.xml already exists and is not part of a set: --force replaces it\n"
    );
}

#[test]
fn a_sitemap_that_would_be_empty_is_not_written() {
    let folder = site();
    run(&folder, &[]);
    let before = (folder.read("public/sitemap.xml"), folder.read("sitemap-ledger"));
    folder.write("public/robots.txt", "User-agent: *\nDisallow: /\n");
    let (status, _, message) = run(&folder, &[]);
    assert_eq!(
        (status, message.as_str()),
        (
            Some(2),
            "sitemap: the sitemap would be empty, and public/sitemap.xml has 3 entries (skipped: 1 error-page, 1 noindex, 3 robots): if \
             this is intended, allow it with --force; nothing was changed\n"
        )
    );
    assert_eq!(
        (folder.read("public/sitemap.xml"), folder.read("sitemap-ledger")),
        before
    );
    assert_eq!(run(&folder, &["--force"]).0, Some(0));
    assert!(!folder.read("public/sitemap.xml").contains("<loc>"));
}

/// Other commands advise splitting a large file. `from` does not, because the file does not exist yet.
#[test]
fn too_much_for_a_file() {
    let folder = Folder::with(&[("public/index.html", "<p>Home")]);
    // 170 pages with 170 alternates each, all with URLs almost as long as allowed.
    let languages = "de en fr es it nl pt pl sv da fi cs sk sl hr hu ro".split(' ');
    let regions = ["AT", "AU", "CA", "CH", "DE", "FR", "GB", "IN", "US", "ZA"];
    let languages: Vec<String> = languages
        .flat_map(|language| regions.map(|region| format!("{language}-{region}")))
        .collect();
    let alternates: Vec<String> = languages
        .iter()
        .map(|language| format!("<link rel=alternate hreflang={language} href={language}.html>"))
        .collect();
    let alternates = alternates.concat();
    for language in &languages {
        folder.write(
            &format!("public/{language}.html"),
            format!("{alternates}<p>{language}"),
        );
    }
    let address = format!("https://example.com/{}/", "long/".repeat(390));
    let output = folder
        .command(&["from", "public", "--location", &address])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        message.lines().last().unwrap_or_default(),
        "sitemap: 171 pages do not fit into one file, which has at most 52,428,800 bytes: write a set of files with --output FOLDER"
    );
}

#[test]
fn the_index_of_a_set_is_not_replaced() {
    let folder = site();
    assert_eq!(run(&folder, &["--output", "public/"]).0, Some(0));
    for force in [&[][..], &["--force"]] {
        let (status, _, message) = run(&folder, force);
        assert_eq!(
            (status, message.as_str()),
            (
                Some(2),
                "sitemap: public/sitemap.xml is the index of a set, whose state is in public/.sitemap: write a set of files with --output \
                 FOLDER, or write to another file\n"
            )
        );
    }
}

#[test]
fn wrong_use() {
    let folder = site();
    let run = |arguments: &[&str]| {
        let output = folder.command(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, message) = run(&["from", "missing", "--location", "https://example.com"]);
    assert_eq!(
        (status, message.as_str()),
        (
            Some(2),
            "sitemap: cannot open missing: No such file or directory (os error 2)\n"
        )
    );
    let (status, message) = run(&["from", "public", "--location", "example.com"]);
    assert_eq!(status, Some(2));
    assert_eq!(
        message,
        "sitemap: the base `example.com` is not that of a site: write it with its scheme, such as `https://example.com/`\n"
    );
}

/// Without a ledger, there is nothing to compare a page's text with.
#[test]
fn a_page_without_text_of_its_own_is_a_finding_only_where_there_is_a_ledger() {
    let folder = Folder::with(&[(
        "site/index.html",
        "<!doctype html><title>A</title><body><a href=/x>X</a>",
    )]);
    let from = [
        "from",
        "site",
        "--location",
        "https://example.com",
        "-o",
        "sitemap.xml",
        "--fail-on",
        "note",
    ];
    assert_eq!(folder.run(&from).0, 0);
    let (status, _, messages) =
        folder.run(&[&from[..], &["--ledger", "ledger", "--since", "2026-01-01"]].concat());
    assert_eq!(
        (status, messages.as_str()),
        (
            1,
            "note[no-blocks]: index.html: has no text that is counted, so that its date stays as it is\nsitemap.xml: written\n"
        )
    );
}

/// A template change that looks like a change of every page: it is refused, kept, or listed.
#[test]
fn most_pages_at_once() {
    let folder = Folder::with(&[("public/robots.txt", "")]);
    let write = |word: &str| {
        for i in 0..24 {
            let own = "x".repeat(i + 1);
            let texts = format!("<p>One {own}<p>Two {own}<p>{word} {own}<p>Four {own}<p>Five {own}");
            folder.write(&format!("public/{i:02}.html"), texts);
        }
    };
    let dates = || {
        folder
            .read("public/sitemap.xml")
            .matches("<lastmod>2026-05-02</lastmod>")
            .count()
    };
    write("Three");
    assert_eq!(run(&folder, &["--now", "2026-05-01", "--quiet"]).0, Some(0));
    let ledger = folder.read("sitemap-ledger");
    write("Drei");
    let refused = "sitemap: 24 of 24 pages have moved at once, as they do when a template changes (`Drei x` was added to 00.html, and others \
                   like it to 24 pages in all; something was removed from 00.html, and in the same place from 24 pages in all): if their content \
                   is as it was, keep their dates for this run with --keep-dates, and if it is not, allow it with --force; nothing was changed\n";
    for arguments in [&[][..], &["--dry-run"], &["--output", "set/"], &["--output", "-"]] {
        let arguments = [arguments, &["--now", "2026-05-02", "--quiet"]].concat();
        assert_eq!(
            run(&folder, &arguments),
            (Some(2), String::new(), refused.to_owned()),
            "{arguments:?}"
        );
    }
    assert_eq!((folder.read("sitemap-ledger"), dates()), (ledger.clone(), 0));
    assert_eq!(
        run(&folder, &["--now", "2026-05-02", "--quiet", "--keep-dates"]).0,
        Some(0)
    );
    assert_eq!(dates(), 0);
    // The ledger records their current state.
    assert_eq!(run(&folder, &["--now", "2026-05-02", "--quiet"]).0, Some(0));
    assert_eq!(dates(), 0);
    folder.write("sitemap-ledger", ledger);
    assert_eq!(
        run(&folder, &["--now", "2026-05-02", "--quiet", "--force"]).0,
        Some(0)
    );
    assert_eq!(dates(), 24);
}

/// Exit status 2 means that nothing was written, so write errors are detected before any output.
#[test]
fn files_that_could_not_be_written() {
    let folder = site();
    let arguments = ["from", "public", "--location", "https://example.com/"];
    for (option, path, problem) in [
        (
            "--ledger",
            "state/ledger",
            "state/ledger cannot be written: there is no directory state",
        ),
        (
            "--ledger",
            "public",
            "--ledger names a file, and public is a directory",
        ),
        (
            "--ledger",
            "-",
            "--ledger names a file, and `-` is standard output: for a file of that name, write `./-`",
        ),
        (
            "--html",
            "public/map/index.html",
            "public/map/index.html cannot be written: there is no directory public/map",
        ),
        (
            "--html",
            "public",
            "--html names a file, and public is a directory",
        ),
    ] {
        assert_eq!(
            folder.run(&[&arguments[..], &[option, path]].concat()),
            (2, String::new(), format!("sitemap: {problem}\n"))
        );
        assert!(!folder.path("public/sitemap.xml").exists(), "{option} {path}");
    }
}

/// A removed text is shown if the ledger kept it, and so is a change of an earlier run.
#[test]
fn kept_texts_are_explained() {
    let folder = site();
    let keep = |day: &str| run(&folder, &["--keep-texts", "--quiet", "--now", day]).0;
    assert_eq!(keep("2026-05-01"), Some(0));
    folder.write("public/b.html", "<p>B is new");
    let explain = || run(&folder, &["--explain", "/b.html", "--now", "2026-05-02"]).1;
    let changes = "+ added                B is new\n- removed              B\n";
    assert_eq!(
        explain(),
        format!("2026-05-02: its content changed since the last run\n{changes}")
    );
    assert_eq!(keep("2026-05-02"), Some(0));
    assert_eq!(
        explain(),
        format!(
            "2026-05-02: its content is as it was then\n  counted              B is new\nwhat changed on 2026-05-02:\n{changes}"
        )
    );
    let without = folder.run(&[
        "from",
        "public",
        "--location",
        "https://example.com/",
        "--keep-texts",
    ]);
    assert_eq!(without.0, 2, "there is no ledger beside which they would be kept");
}

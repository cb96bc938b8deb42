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
        ("public/index.html", "<p>Home"),
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

#[test]
fn first_and_later_runs() {
    let folder = site();
    let reasons = [("error-page", 1), ("noindex", 1)];
    let written = "public/sitemap.xml: written\n".to_owned();
    let first = table([3, 1, 0, 2, 0, 0, 2], &reasons, 0);
    assert_eq!(
        run(&folder, &["--now", "2026-05-01"]),
        (Some(0), first.clone(), written.clone())
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
    let later = table([4, 1, 2, 1, 1, 1, 2], &reasons, 0);
    let dry = run(&folder, &["--now", "2026-05-03", "--dry-run"]);
    assert_eq!(dry, (Some(0), later.clone(), String::new()));
    assert_eq!(folder.read("sitemap-ledger"), ledger);
    let explained = run(&folder, &["--explain", "/b.html"]);
    assert_eq!(
        explained,
        (
            Some(0),
            "+ added                B is new\n- 1 removed\n".to_owned(),
            String::new()
        )
    );
    assert_eq!(run(&folder, &["--now", "2026-05-03"]), (Some(0), later, written));
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
    let finding = "public/sitemap.xml: written\n";
    let message = "the canonical address `/missing` leads nowhere: there is no page at this address";
    assert_eq!(
        (status, messages),
        (Some(1), format!("b.html:2: {message}\n{finding}"))
    );
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        report,
        serde_json::json!({
            "listed": [
                { "file": "index.html", "url": "https://example.com/", "lastmod": null, "date": null, "change": "unknown" },
                { "file": "a.html", "url": "https://example.com/a.html", "lastmod": "2026-04-01", "date": "page", "change": "unknown" },
            ],
            "skipped": [
                { "file": "404.html", "reason": "error-page", "message": "a page for errors" },
                { "file": "b.html", "reason": "canonical", "message": "its canonical address is `/missing`" },
                { "file": "draft.html", "reason": "noindex", "message": "`noindex`" },
            ],
            "findings": [{ "file": "b.html", "line": 2, "kind": "leads-nowhere", "message": message }],
        })
    );
}

/// What a run refuses, a dry one refuses, too, for a file and for a set; and it writes nothing.
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
            "sitemap: the sitemap would be empty{lost}: if this is intended, allow it with --force; nothing was changed\n"
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
        [ledger.clone(), ledger.clone(), ledger]
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
    let (status, _, messages) = run(&folder, &["--output", "set"]);
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
            "sitemap: the sitemap would be empty, and public/sitemap.xml has 3 entries: if this is intended, allow it with --force; \
             nothing was changed\n"
        )
    );
    assert_eq!(
        (folder.read("public/sitemap.xml"), folder.read("sitemap-ledger")),
        before
    );
    assert_eq!(run(&folder, &["--force"]).0, Some(0));
    assert!(!folder.read("public/sitemap.xml").contains("<loc>"));
}

/// Advice to split a file, which other commands have, is none for a file that is about to be made.
#[test]
fn too_much_for_a_file() {
    let folder = Folder::with(&[("public/index.html", "<p>Home")]);
    // 260 pages with as many alternates each, whose addresses are long.
    let languages =
        "de en fr es it nl pt pl sv da fi cs sk sl hr hu ro bg el tr uk ru ja ko zh he".split(' ');
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
    let address = format!("https://example.com/{}/", "long/".repeat(250));
    let output = folder
        .command(&["from", "public", "--location", &address])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        message.lines().last().unwrap_or_default(),
        "sitemap: 261 pages do not fit into one file, which has at most 52,428,800 bytes: write a set of files with --output FOLDER"
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
            "sitemap: cannot read missing: No such file or directory (os error 2)\n"
        )
    );
    let (status, message) = run(&["from", "public", "--location", "example.com"]);
    assert_eq!(status, Some(2));
    assert_eq!(
        message,
        "sitemap: the base `example.com` is not that of a site: write it with its scheme, such as `https://example.com/`\n"
    );
}

/// Without a ledger there is nothing that the text of a page would be compared with.
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
        "--quiet",
    ];
    assert_eq!(folder.run(&from), (0, String::new(), String::new()));
    assert_eq!(
        folder.run(&[&from[..], &["--ledger", "ledger"]].concat()),
        (
            1,
            String::new(),
            "index.html: has no text that is counted, so that its date stays as it is\n".to_owned()
        )
    );
}

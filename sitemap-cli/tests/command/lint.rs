//! `sitemap lint` from the command line.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use sitemap_tests::{reads_all, sample, skip};

use crate::folder::{CORE, Folder, gzipped, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

fn urlset(entries: &str) -> String {
    format!("{HEAD}{entries}</urlset>\n")
}

/// Returns the exit status, standard output and standard error, at a fixed time.
fn pipe(folder: &Folder, input: &[u8], arguments: &[&str]) -> (i32, String, String) {
    folder.pipe(
        input,
        &[&["lint", "--now", "2026-05-10T12:00:00Z"], arguments].concat(),
    )
}

/// Returns the exit status and standard output.
fn lint(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let (status, said, _) = pipe(folder, b"", arguments);
    (status, said)
}

fn two_problems() -> String {
    urlset(
        "  <url><loc>https://example.com/</loc><lastmod>01.05.2026</lastmod></url>\n\
         \t<url><loc>/é/about</loc></url>\n",
    )
}

#[test]
fn excerpts_show_what_is_wrong() {
    let folder = Folder::with(&[("sitemap.xml", two_problems().as_bytes())]);
    let (status, said) = lint(&folder, &["sitemap.xml"]);
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "warning[P-LASTMOD]: `01.05.2026` is not a W3C Datetime: a W3C Datetime begins with a year of four digits, 0000 to 9999\n\
         \x20--> sitemap.xml:3:48\n\
         \x20 |\n\
         3 |   <url><loc>https://example.com/</loc><lastmod>01.05.2026</lastmod></url>\n\
         \x20 |                                                ^^^^^^^^^^ entry 1 · lastmod\n\
         \x20 |\n\
         \x20 = help: write `2026-01-05` if it begins with the month, `2026-05-01` if with the day\n\
         \n\
         error[P-LOC]: `/é/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/`\n\
         \x20--> sitemap.xml:4:12\n\
         \x20 |\n\
         4 |  <url><loc>/é/about</loc></url>\n\
         \x20 |            ^^^^^^^^ entry 2 · loc\n\
         \x20 |\n\
         \x20 = help: write the absolute URL, or complete it by `sitemap repair --location URL`\n\
         \n\
         \x20       1 error    P-LOC              a loc is an absolute URL (RFC 3986); crawlers take http and https\n\
         \x20       1 warning  P-LASTMOD          a lastmod is a W3C Datetime\n\
         \n\
         1 file, 2 URLs: 1 error, 1 warning, 0 notes\n\
         `sitemap repair sitemap.xml` fixes or leaves out other invalid parts, and reports each\n\
         "
    );
}

#[test]
fn a_character_is_shown_whole_or_not_at_all() {
    for before in 0..4 {
        let long = format!(
            "<!-- {0}{1} --><url><loc>https://example.com/b c</loc></url><!-- {0}{1} -->",
            "x".repeat(before),
            "\u{1F41D}".repeat(100)
        );
        let folder = Folder::with(&[("a.xml", urlset(&long))]);
        let (_, said) = lint(&folder, &["a.xml"]);
        let shown = said.lines().find(|line| line.starts_with("3 | ")).unwrap();
        assert!(shown.contains("<loc>https://example.com/b c</loc>"), "{shown}");
        assert!(
            shown.starts_with("3 | …\u{1F41D}") && shown.ends_with("\u{1F41D}…"),
            "{shown}"
        );
    }
}

#[test]
fn a_line_is_shown_in_part() {
    let many = |from: usize| -> String {
        let entries =
            (from..from + 40).map(|i| format!("<url><loc>https://example.com/{i}</loc></url><!-- é -->"));
        entries.collect::<Vec<_>>().concat()
    };
    let long = many(0) + "<url><loc>https://example.com/b c</loc></url>" + &many(40);
    let folder = Folder::with(&[("a.xml.gz", gzipped(&urlset(&long)))]);
    let (status, said) = lint(&folder, &["a.xml.gz", "--places", "1", "--fail-on", "warning"]);
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "warning[P-LOCENC]: `https://example.com/b c` contains U+0020, which must be percent-encoded in a URL\n\
         \x20--> a.xml.gz:3:2161\n\
         \x20 |\n\
         3 | …<loc>https://example.com/39</loc></url><!-- é --><url><loc>https://example.com/b c</loc></url><url><loc>https://example.com/40</loc>...\n\
         \x20 |                                                             ^^^^^^^^^^^^^^^^^^^^^^^ entry 41 · loc\n\
         \x20 |\n\
         \x20 = help: encode it in the server's encoding, usually UTF-8\n\
         \x20 = help: write `https://example.com/b%20c`\n\
         \n\
         \x20       1 warning  P-LOCENC           what is not ASCII in a loc is percent-encoded, in the encoding of the server\n\
         \n\
         1 file, 81 URLs: 0 errors, 1 warning, 0 notes\n\
         1 of 1 can be fixed by `sitemap lint --fix a.xml.gz`\n\
         "
    );
}

#[test]
fn json_is_a_line_for_each() {
    let folder = Folder::with(&[
        ("a/sitemap.xml", two_problems().as_bytes()),
        ("a/none.txt", "x".as_bytes()),
    ]);
    let (status, said) = lint(&folder, &["a", "--format", "json"]);
    assert_eq!(status, 1);
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        serde_json::json!({
            "type": "diagnostic",
            "file": "a/sitemap.xml",
            "rule": "P-LASTMOD",
            "severity": "warning",
            "line": 3,
            "column": 48,
            "byte": 147,
            "length": 10,
            "entry": 1,
            "path": "entry 1 · lastmod",
            "message": "`01.05.2026` is not a W3C Datetime: a W3C Datetime begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write \
                        `2026-01-05` if it begins with the month, `2026-05-01` if with the day",
            "suggestion": null,
            "searchConsole": "Invalid date",
        })
    );
    let summary = &lines[2];
    assert_eq!(
        [
            &summary["type"],
            &summary["errors"],
            &summary["warnings"],
            &summary["notes"],
            &summary["entries"]
        ],
        [
            &Value::from("summary"),
            &1.into(),
            &1.into(),
            &0.into(),
            &2.into()
        ]
    );
}

#[test]
fn sarif_has_rules_places_and_fingerprints() {
    let folder = Folder::with(&[
        ("a b/sitemap.xml", two_problems().as_bytes()),
        (
            "good.xml",
            urlset("<url><loc>https://example.com/</loc></url>").as_bytes(),
        ),
    ]);
    let (status, said) = lint(&folder, &["a b", "--format", "sarif", "--fail-on", "never"]);
    assert_eq!(status, 0);
    let log: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!rule["help"]["text"].as_str().unwrap().is_empty());
        assert_eq!(
            result["partialFingerprints"]["sitemapLint/v1"]
                .as_str()
                .unwrap()
                .len(),
            16
        );
    }
    assert_eq!(results[1]["ruleId"], "P-LOC");
    assert_eq!(results[1]["level"], "error");
    assert_eq!(
        results[1]["locations"][0]["physicalLocation"],
        serde_json::json!({
            "artifactLocation": { "uri": "a%20b/sitemap.xml", "uriBaseId": "%SRCROOT%" },
            "region": { "startLine": 4, "startColumn": 12, "byteOffset": 185, "byteLength": 9 },
        })
    );
    let (status, said) = lint(&folder, &["good.xml", "--format", "sarif"]);
    assert_eq!(status, 0);
    let log: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

/// Document URIs are relative to the directory of the settings, whatever the working directory and the spelling of the file names.
#[test]
fn sarif_is_about_the_files_of_a_project() {
    let folder = Folder::with(&[
        ("sitemap.toml", "[lint]\n".to_owned()),
        ("public/shop/a.xml", two_problems()),
    ]);
    let root = fs::canonicalize(folder.path("")).unwrap();
    let project = format!("file://{}/", root.display());
    let relative = serde_json::json!({ "uri": "public/shop/a.xml", "uriBaseId": "%SRCROOT%" });
    let absolute = format!("{project}public/shop/a.xml");
    for (place, file, config, expected, base) in [
        ("", "public", None, relative.clone(), project.clone()),
        ("", "./public/shop/a.xml", None, relative.clone(), project.clone()),
        ("public", "shop", None, relative.clone(), project.clone()),
        (
            "public/shop",
            "../shop/a.xml",
            None,
            relative.clone(),
            project.clone(),
        ),
        (
            "public/shop",
            &absolute["file://".len()..],
            None,
            relative,
            project.clone(),
        ),
        (
            "public",
            "shop",
            Some("../etc/sitemap.toml"),
            serde_json::json!({ "uri": absolute }),
            format!("{project}etc/"),
        ),
    ] {
        folder.write("etc/sitemap.toml", "");
        let mut arguments = vec!["lint", file, "--format", "sarif"];
        arguments.extend(config.iter().flat_map(|config| ["--config", config]));
        let mut command = folder.command(&arguments);
        let output = command.current_dir(folder.path(place)).output().unwrap();
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let run = &log["runs"][0];
        let found = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(found, &expected, "{place} {file}");
        assert_eq!(
            run["originalUriBaseIds"],
            serde_json::json!({ "%SRCROOT%": { "uri": base } })
        );
    }
}

#[test]
fn github_commands_are_escaped() {
    let folder = Folder::with(&[("a,b:c.xml", urlset("<url><loc>/100%</loc></url>\n").as_bytes())]);
    let (status, said) = lint(&folder, &["a,b:c.xml", "--format", "github"]);
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "::error file=a%2Cb%3Ac.xml,line=3,col=11,title=P-LOC::`/100%25` is not an absolute URL: a loc begins with its scheme and host, \
         such as `https://example.com/` (P-LOC); write the absolute URL, or complete it by `sitemap repair --location URL`\n"
    );
}

#[test]
fn exit_statuses() {
    let good = urlset("<url><loc>https://example.com/</loc></url>\n");
    let folder = Folder::with(&[
        ("good.xml", good.as_bytes()),
        ("note.xml", good.replace("com/", "com/#a").as_bytes()),
        ("warning.xml", good.replace("com/", "com/a b").as_bytes()),
        ("error.xml", good.replace("https:", "ftp:").as_bytes()),
    ]);
    for (file, fail_on, status) in [
        ("good.xml", "note", 0),
        ("note.xml", "note", 1),
        ("note.xml", "warning", 0),
        ("warning.xml", "warning", 1),
        ("warning.xml", "error", 0),
        ("error.xml", "error", 1),
        ("error.xml", "never", 0),
        ("none.xml", "never", 2),
        (".", "error", 1),
    ] {
        let (found, _, said) = pipe(&folder, b"", &[file, "--fail-on", fail_on]);
        assert_eq!(found, status, "{file} {fail_on}");
        assert_eq!(said.is_empty(), status != 2, "{said}");
    }
    assert_eq!(pipe(&folder, good.as_bytes(), &["-", "--fail-on", "note"]).0, 0);
    assert_eq!(lint(&folder, &["good.xml", "--level", "P-XYZ=off"]).0, 2);
    assert_eq!(
        lint(
            &folder,
            &["good.xml", "note.xml", "--location", "https://example.com/"]
        )
        .0,
        2
    );
    assert_eq!(lint(&folder, &["error.xml", "--level", "P-LOC=off"]).0, 0);
    assert_eq!(lint(&folder, &["note.xml", "--level", "L-FRAGMENT=error"]).0, 1);
}

#[test]
fn the_location_of_a_directory_is_that_of_its_files() {
    let page = |loc: &str| urlset(&format!("<url><loc>{loc}</loc></url>\n"));
    let folder = Folder::with(&[
        ("public/a/1.xml", page("https://example.com/b/").as_bytes()),
        ("public/b/1.xml", page("https://example.com/b/").as_bytes()),
    ]);
    let (status, said) = lint(
        &folder,
        &[
            "public",
            "--location",
            "https://example.com/",
            "--level",
            "L-DUPLOC=off",
            "--format",
            "github",
        ],
    );
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "::error file=public/a/1.xml,line=3,col=11,title=P-PATH::`https://example.com/b/` is not below `https://example.com/a/`, where the \
         sitemap is: a sitemap lists pages of its own directory and those below it (P-PATH); put the sitemap higher up, or allow \
         cross-submission\n"
    );
}

#[test]
fn a_baseline_leaves_out_what_was_found_before() {
    let folder = Folder::with(&[("sitemap.xml", two_problems().as_bytes())]);
    assert_eq!(
        lint(&folder, &["sitemap.xml", "--write-baseline", "known.json"]).0,
        1
    );
    let (status, said) = lint(&folder, &["sitemap.xml", "--baseline", "known.json"]);
    assert_eq!(status, 0);
    assert_eq!(
        said,
        "1 file, 2 URLs: 0 errors, 0 warnings, 0 notes, 2 of the baseline\n"
    );
    // Known problems may move to other lines. An additional one is reported.
    let more = two_problems().replace("<url><loc>/é", "\n\n<url><loc>/é");
    let more = more.replace("</urlset>", "<url><loc>/é/about</loc></url></urlset>");
    folder.write("sitemap.xml", more);
    let (status, said) = lint(
        &folder,
        &["sitemap.xml", "--baseline", "known.json", "--format", "json"],
    );
    assert_eq!(status, 1);
    let rules: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["rule"].clone())
        .collect();
    assert_eq!(
        rules,
        [Value::from("P-LOC"), Value::from("L-DUPLOC"), Value::Null]
    );
    assert_eq!(lint(&folder, &["sitemap.xml", "--baseline", "sitemap.xml"]).0, 2);
}

/// A baseline identifies a document by its location, whatever its name on the command line and the working directory.
#[test]
fn a_baseline_knows_a_file_by_every_name() {
    let folder = Folder::with(&[("site/a/sitemap.xml", two_problems().as_bytes())]);
    let absolute = folder.path("site/a/sitemap.xml");
    let absolute = absolute.to_str().unwrap();
    let known = folder.path("known.json");
    let known = known.to_str().unwrap();
    let names = [
        (".", "site/a/sitemap.xml", "known.json"),
        (".", "./site/a/sitemap.xml", "./known.json"),
        (".", "site/a/../a/sitemap.xml", "site/../known.json"),
        (".", "site", known),
        (".", absolute, "known.json"),
        ("site", "a/sitemap.xml", "../known.json"),
        ("site/a", "sitemap.xml", known),
        ("site/a", ".", "../../known.json"),
        ("site/a", absolute, known),
    ];
    let links = [
        ("site/a", "sitemap.xml", "link.json"),
        (".", "site", "site/a/link.json"),
    ];
    std::os::unix::fs::symlink("../../known.json", folder.path("site/a/link.json")).unwrap();
    let lint = |(directory, name, known): (&str, &str, &str), option: &str| {
        let mut command = folder.command(&["lint", name, option, known]);
        let output = command.current_dir(folder.path(directory)).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    for written in names {
        assert_eq!(lint(written, "--write-baseline").0, 1, "{written:?}");
        for read in names.into_iter().chain(links) {
            assert_eq!(
                lint(read, "--baseline"),
                (
                    0,
                    "1 file, 2 URLs: 0 errors, 0 warnings, 0 notes, 2 of the baseline\n".to_owned(),
                    String::new()
                ),
                "{written:?} {read:?}"
            );
        }
        fs::remove_file(known).unwrap();
    }
    fs::remove_file(folder.path("site/a/link.json")).unwrap();
    // The first write to a baseline that the settings name.
    folder.write("sitemap.toml", "[lint]\nbaseline = \"known.json\"\n");
    for written in names {
        let (status, _, told) = lint(written, "--write-baseline");
        assert_eq!((status, &*told), (1, ""), "{written:?}");
        fs::remove_file(known).unwrap();
    }
}

/// Known problems stay known if lines are inserted or removed, and if the files get other names on the command line. A message may refer to
/// another file and line.
#[test]
fn a_baseline_knows_problems_of_several_files() {
    let entry =
        "\n<url><loc>https://example.com/ä</loc><lastmod>2026/5/1</lastmod><lastmod>2026</lastmod></url>";
    let urlset = |before: &str| format!("<urlset xmlns=\"{CORE}\">{before}{}</urlset>", entry.repeat(2));
    // One line more than a text may have.
    let lines: Vec<_> = (0..50_001)
        .map(|i| format!("https://example.com/{i}\n"))
        .collect();
    let names = ["site/a.xml", "site/b/c.xml", "site/b/a.xml"];
    let folder = Folder::with(&names.map(|name| (name, urlset(""))));
    folder.write("site/d.txt", lines.concat());
    folder.write("site/robots.txt", "User-agent: *\nDisallow: /b/\n");
    let absolute = folder.path("site");
    let absolute = absolute.to_str().unwrap();
    let ways = [
        ("", "site", "known.json"),
        ("site", ".", "../known.json"),
        ("site/b", "..", "../../known.json"),
        ("", absolute, "known.json"),
    ];
    let lint = |(directory, name, known): (&str, &str, &str), option: &str| {
        let arguments = [
            "lint",
            name,
            option,
            known,
            "--fail-on",
            "note",
            "--location",
            "https://example.com/",
        ];
        let output = folder
            .command(&arguments)
            .current_dir(folder.path(directory))
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    for written in sample(ways) {
        assert_eq!(lint(written, "--write-baseline").0, 1, "{written:?}");
        for (read, before) in ways.into_iter().zip(["", "\n", "\n\n\n", ""]) {
            for name in names {
                folder.write(name, urlset(before));
            }
            folder.write(
                "site/robots.txt",
                format!("{before}User-agent: *\nDisallow: /b/\n"),
            );
            let (status, said) = lint(read, "--baseline");
            assert_eq!(status, 0, "{written:?} {read:?}: {said}");
        }
        fs::remove_file(folder.path("known.json")).unwrap();
    }
}

/// A baseline is written atomically. A baseline of another version is rejected.
#[test]
fn a_baseline_is_not_damaged() {
    let folder = Folder::with(&[("sitemap.xml", two_problems().as_bytes())]);
    lint(&folder, &["sitemap.xml", "--write-baseline", "known.json"]);
    let whole = folder.read("known.json");
    #[cfg(target_os = "linux")]
    {
        // Limits the size of files.
        let limited = format!(
            "ulimit -f 0; trap '' XFSZ; '{}' lint sitemap.xml --write-baseline known.json",
            env!("CARGO_BIN_EXE_sitemap")
        );
        let mut command = Command::new("bash");
        let output = command
            .args(["-c", &limited])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), &*told),
            (
                Some(2),
                "sitemap: cannot write known.json: File too large (os error 27)\n"
            )
        );
        assert_eq!(folder.read("known.json"), whole);
        assert_eq!(folder.names(), ["known.json", "sitemap.xml"]);
    }
    for (version, shown) in [("2", "2"), ("\"1\"", "\"1\""), ("null", "null")] {
        folder.write(
            "known.json",
            whole.replace("\"version\": 1", &format!("\"version\": {version}")),
        );
        assert_eq!(
            folder.run(&["lint", "sitemap.xml", "--baseline", "known.json"]),
            (
                2,
                String::new(),
                format!(
                    "sitemap: known.json is a baseline of version {shown}, and this program reads version 1: write one with --write-baseline\n"
                )
            )
        );
    }
}

/// A file with two names is read once, so its entries are not reported as duplicates of themselves.
#[test]
fn a_file_with_two_names_is_read_once() {
    let good = "<url><loc>https://example.com/a</loc></url>";
    let folder = Folder::with(&[("b/a.xml", urlset(good))]);
    for names in [
        &["b/a.xml", "./b/a.xml"][..],
        &["b/a.xml", "b/../b/a.xml", "b"],
        &["b", "b/a.xml"],
        &["b", "."],
    ] {
        let (_, printed, told) = folder.run(&[&["lint"], names, &["--level", "P-DECL=off"]].concat());
        assert_eq!(
            (&*printed, &*told),
            ("1 file, 1 URL: 0 errors, 0 warnings, 0 notes\n", ""),
            "{names:?}"
        );
        let (_, printed, _) = folder.run(&[&["cat"], names].concat());
        assert_eq!(printed, "https://example.com/a\n", "{names:?}");
    }
}

/// A problem that the baseline lists for one file is new in another file.
#[test]
fn a_baseline_is_of_its_files() {
    let document = two_problems();
    let folder = Folder::with(&[("a.xml", document.as_bytes()), ("b.xml", document.as_bytes())]);
    let (status, _) = lint(&folder, &["a.xml", "--write-baseline", "known.json"]);
    assert_eq!(status, 1);
    let (status, said) = lint(&folder, &["a.xml", "--baseline", "known.json"]);
    assert_eq!(
        (status, said.as_str()),
        (
            0,
            "1 file, 2 URLs: 0 errors, 0 warnings, 0 notes, 2 of the baseline\n"
        )
    );
    let (status, said) = lint(&folder, &["b.xml", "--baseline", "known.json"]);
    assert_eq!(status, 1);
    assert!(
        said.ends_with(
            "\n1 file, 2 URLs: 1 error, 1 warning, 0 notes\n\
             `sitemap repair b.xml` fixes or leaves out other invalid parts, and reports each\n"
        ),
        "{said}"
    );
}

#[test]
fn rules_are_explained() {
    let folder = Folder::empty();
    let (status, said) = lint(&folder, &["--explain", "p-prio"]);
    assert_eq!(status, 0);
    assert_eq!(
        said,
        "P-PRIO: a priority is a decimal from 0.0 to 1.0\n\n\
         A priority is a decimal from 0.0 to 1.0; the default is 0.5. `1,0`, `80%` and `5e-1` are\n\
         not valid decimals in XML, and are ignored.\n\n\
         Severity: warning\n\
         Google Search Console: Invalid tag value\n\
         Source: sitemaps.org, schema\n\n\
         Google  refuses  Search Console Help: Sitemaps report (2026-11), https://support.google.com/webmasters/answer/7451001\n\
         Bing    ignores  Bing Webmaster Blog: Keeping Content Discoverable with Sitemaps in AI Powered Search (2025-07), \
         https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search\n\
         Yandex  requires Yandex Webmaster Help: Using the Sitemap file (2026-11), \
         https://yandex.com/support/webmaster/en/controlling-robot/sitemap\n\
         Baidu   unknown\nNaver   unknown\nSeznam  unknown\n"
    );
    let (_, said) = lint(&folder, &["--explain", "P-NS"]);
    assert!(
        said.contains(
            "\n\nSeverity: error\n          warning if a namespace is spelt in another way that readers accept (an error for Google), or an \
             element of an entry is not in the schema\nGoogle Search Console: "
        ),
        "{said}"
    );
    let (status, said) = lint(&folder, &["--explain"]);
    assert_eq!(status, 0);
    assert_eq!(said.lines().count(), sitemap_serde::Rule::ALL.len());
    let (status, _, said) = pipe(&folder, b"", &["--explain", "P-X"]);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "sitemap: `P-X` is not the id of a rule; `sitemap lint --explain` lists all\n"
    );
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::with(&[("sitemap.xml", two_problems().as_bytes())]);
    assert!(!lint(&folder, &["sitemap.xml"]).1.contains('\u{1b}'));
    assert!(
        lint(&folder, &["sitemap.xml", "--color", "always"])
            .1
            .contains('\u{1b}')
    );
}

/// Reports that cover SARIF's features: several rules, positions, paths, names that URIs must escape, an empty report.
fn sarif_outputs() -> Vec<String> {
    let folder = Folder::with(&[
        ("a/site map é.xml", two_problems()),
        ("a/cut.xml", two_problems().replace("</urlset>", "")),
        ("a/empty.xml", urlset("")),
        ("a/list.txt", "https://example.com/\nabout\n".to_owned()),
        ("a/page.xml", "<!doctype html><title>Not found</title>".to_owned()),
    ]);
    [
        &["a"][..],
        &["a", "--location", "https://example.org/"],
        &["a", "--level", "P-LOC=off", "--level", "P-LASTMOD=note"],
        &["a/empty.xml", "--level", "P-EMPTY=off"],
    ]
    .map(|arguments| lint(&folder, &[arguments, &["--format", "sarif"]].concat()).1)
    .into()
}

/// Checks names and types with a typed model of the published schema. The round trip would lose a name that the model lacks.
#[test]
fn sarif_has_the_names_of_its_schema() {
    for said in sarif_outputs() {
        let said: Value = serde_json::from_str(&said).unwrap();
        let known: serde_sarif::sarif::Sarif = serde_json::from_value(said.clone()).unwrap();
        assert_eq!(serde_json::to_value(known).unwrap(), said);
    }
}

/// The output of Cargo in the package's folder.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The published JSON schema of SARIF 2.1.0, from the folder of serde-sarif, which Cargo reports.
fn sarif_schema() -> PathBuf {
    let version = cargo(&["-vV"]);
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    // Packages for other platforms are not downloaded.
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        host,
    ]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|package| package["name"] == "serde-sarif")
        .unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    manifest.with_file_name("src").join("schema.json")
}

/// Validates the documents on standard input, one a line, against the schema in the argument. Prints the errors.
const VALIDATE: &str = "\
import json, sys
from jsonschema import Draft7Validator
schema = json.load(open(sys.argv[1], encoding='utf-8'))
assert schema['$schema'].startswith('http://json-schema.org/draft-07/') and '2.1.0' in schema['title']
Draft7Validator.check_schema(schema)
assert 'uri-reference' in Draft7Validator.FORMAT_CHECKER.checkers, 'install jsonschema[format-nongpl]'
validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
for line in sys.stdin:
    errors = sorted(f'{list(error.absolute_path)}: {error.message[:200]}' for error in validator.iter_errors(json.loads(line)))
    print(json.dumps(errors))
";

/// SARIF lists the same severities for each rule as the rule's page.
#[test]
fn sarif_has_all_severities_of_rules() {
    let log: Value = serde_json::from_str(&sarif_outputs()[0]).unwrap();
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let mut exceptions = 0;
    for (rule, doc) in rules.iter().zip(sitemap_serde::Rule::ALL) {
        assert_eq!(rule["id"], doc.as_str());
        assert_eq!(rule["defaultConfiguration"]["level"], doc.severity().as_str());
        let expected: Vec<_> = doc
            .exceptions()
            .map(|(severity, when)| serde_json::json!({ "level": severity.as_str(), "when": when }))
            .collect();
        exceptions += expected.len();
        let found = rule["properties"]["otherLevels"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        assert_eq!(found, expected, "{doc}");
    }
    assert!(exceptions > 5);
}

/// Validates the output with jsonschema from PyPI, an independent validator, against the published SARIF schema.
#[test]
fn sarif_is_valid_by_its_published_schema() {
    if !reads_all() {
        skip::<()>(
            "sarif_is_valid_by_its_published_schema",
            "SITEMAP_ROUNDS is not set",
        );
        return;
    }
    let python =
        std::env::var_os("SITEMAP_READERS").map(|folder| PathBuf::from(folder).join("python/bin/python"));
    let Some(python) = python.filter(|python| python.exists()) else {
        assert!(
            std::env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
            "SITEMAP_READERS has no python"
        );
        eprintln!("skipped: SITEMAP_READERS has no python with jsonschema; .ci/run installs it");
        return;
    };
    let mut documents = sarif_outputs();
    // Proves that the validator detects errors.
    let wrong = documents[0]
        .replace("\"startLine\":", "\"startLine\":-")
        .replace("\"level\":\"note\"", "\"level\":\"remark\"")
        .replace("\"uri\":\"a/", "\"uri\":\"a b/");
    documents.push(wrong);
    let mut program = Command::new(python)
        .args(["-c", VALIDATE])
        .arg(sarif_schema())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    for document in &documents {
        writeln!(input, "{}", document.trim()).unwrap();
    }
    drop(input);
    let output = program.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let mut found: Vec<Vec<String>> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let wrong = found.pop().unwrap();
    for mistake in ["-", "'remark' is not one of", "is not a 'uri-reference'"] {
        assert!(
            wrong.iter().any(|error| error.contains(mistake)),
            "{mistake}: {wrong:?}"
        );
    }
    assert_eq!(found, vec![Vec::<String>::new(); documents.len() - 1]);
}

fn fixable() -> String {
    HEAD.to_owned()
        + "<!-- by hand -->\n\
           <url ><loc>https://example.com/a b?x&amp;é</loc><lastmod>2026/5/1</lastmod></url>\n\
           <url><lastmod> 2026-05-01 10:00:00+0200</lastmod><loc>https://bücher.example/</loc></url>\r\n\
           <url><loc>https://example.com/2</loc><lastmod>01.05.2026</lastmod><changefreq>Daily</changefreq>\
           <priority>0,8</priority><own xmlns=\"urn:own\"/></url>\n\
           <url><loc>https://example.com/3</loc><changefreq>often</changefreq><priority>8</priority></url>\n\
           <url><loc>/4</loc></url></urlset>\n<!-- end -->"
}

fn fixed() -> String {
    fixable()
        .replace("a b?x&amp;é", "a%20b?x&amp;%C3%A9")
        .replace("2026/5/1", "2026-05-01")
        .replace(" 2026-05-01 10:00:00+0200", " 2026-05-01T10:00:00+02:00")
        .replace("bücher", "xn--bcher-kva")
        .replace("Daily", "daily")
        .replace("0,8", "0.8")
}

#[test]
fn what_can_be_mended_is_and_every_other_byte_stays() {
    let folder = Folder::with(&[
        ("a/1.xml", fixable().into_bytes()),
        ("a/2.xml.gz", gzipped(&fixable())),
        ("a/3.xml", fixed().into_bytes()),
    ]);
    let before = fs::metadata(folder.path("a/3.xml")).unwrap().modified().unwrap();
    let arguments = [
        "a",
        "--fix",
        "--format",
        "json",
        "--places",
        "1",
        "--level",
        "L-DUPLOC=off",
    ];
    let (status, said, told) = pipe(&folder, b"", &arguments);
    assert_eq!(status, 1);
    assert_eq!(folder.read("a/1.xml"), fixed());
    assert_eq!(unzipped(&fs::read(folder.path("a/2.xml.gz")).unwrap()), fixed());
    assert_eq!(
        fs::metadata(folder.path("a/3.xml")).unwrap().modified().unwrap(),
        before
    );
    assert_eq!(
        told,
        "fixed: a/1.xml: entry 1 · loc: `https://example.com/a b?x&é` -> `https://example.com/a%20b?x&%C3%A9` (P-LOCENC)\n\
         fixed: a/1.xml: entry 1 · lastmod: `2026/5/1` -> `2026-05-01` (P-LASTMOD)\n\
         fixed: a/1.xml: entry 2 · loc: `https://bücher.example/` -> `https://xn--bcher-kva.example/` (P-IDN)\n\
         fixed: a/1.xml: entry 3 · changefreq: `Daily` -> `daily` (P-FREQ)\n\
         fixed: a/1.xml: entry 3 · priority: `0,8` -> `0.8` (P-PRIO)\n\
         fixed: 1 more by P-LOCENC\n\
         fixed: 1 more by P-IDN\n\
         fixed: 3 more by P-LASTMOD\n\
         fixed: 1 more by P-FREQ\n\
         fixed: 1 more by P-PRIO\n\
         fixed: 12 values in 2 files\n"
    );
    // The remaining problems are the same in all three files.
    let left: Vec<(String, String)> = said
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|object| object["file"] == "a/1.xml" && object["severity"] != "note")
        .map(|object| {
            (
                object["rule"].as_str().unwrap().to_owned(),
                object["path"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    let expected = [
        ("P-LASTMOD", "entry 3 · lastmod"),
        ("P-FREQ", "entry 4 · changefreq"),
        ("P-PRIO", "entry 4 · priority"),
        ("P-LOC", "entry 5 · loc"),
    ];
    let mut found: Vec<_> = left.iter().map(|(rule, path)| (&**rule, &**path)).collect();
    found.retain(|(rule, _)| *rule != "P-HOST" && *rule != "P-ORDER");
    assert_eq!(found, expected, "{left:?}");
    let (_, _, told) = pipe(&folder, b"", &arguments);
    assert_eq!(told, "fixed: 0 values in 0 files\n");
}

#[test]
fn what_cannot_be_mended_stays_and_says_why() {
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                 <sitemap><loc>https://example.com/1.xml</loc><priority>0.5</priority></sitemap></sitemapindex>";
    let cut = fixable().replace("</urlset>", "");
    let folder = Folder::with(&[("index.xml", index.to_owned()), ("cut.xml", cut.clone())]);
    let (status, _, told) = pipe(&folder, b"", &["cut.xml", "--fix"]);
    assert_eq!(status, 2);
    assert!(
        told.starts_with("not fixed: cut.xml: ") && told.ends_with("fixed: 0 values in 0 files\n"),
        "{told}"
    );
    assert_eq!(folder.read("cut.xml"), cut);
    let (_, _, told) = pipe(&folder, b"", &["index.xml", "--fix"]);
    assert_eq!(
        told,
        "fixed: index.xml: entry 1 · priority: `0.5` -> removed (P-INDEXTAGS)\nfixed: 1 value in 1 file\n"
    );
    assert_eq!(
        folder.read("index.xml"),
        index.replace("<priority>0.5</priority>", "")
    );
    let (status, _, told) = pipe(&folder, fixable().as_bytes(), &["-", "--fix"]);
    assert_eq!(
        (status, &*told),
        (2, "sitemap: --fix works on files only, not on <stdin>\n")
    );
    // With its rule off, a value is not fixed.
    folder.write("a.xml", fixable());
    let off = ["P-LOCENC", "P-IDN", "P-LASTMOD", "P-FREQ", "P-PRIO"].map(|rule| format!("{rule}=off"));
    let levels = off.iter().flat_map(|level| ["--level", level]);
    let arguments: Vec<&str> = ["a.xml", "--fix"].into_iter().chain(levels).collect();
    assert_eq!(pipe(&folder, b"", &arguments).2, "fixed: 0 values in 0 files\n");
    assert_eq!(folder.read("a.xml"), fixable());
}

#[test]
fn a_project_says_its_settings_once() {
    let page = urlset("<url><loc>https://example.com/b/</loc><lastmod>x</lastmod></url>\n");
    let folder = Folder::with(&[
        ("public/a/1.xml", page.clone()),
        (
            "sitemap.toml",
            "# of the whole project\n[lint]\nroot = \"public\"\nlocation = \"https://example.com/\"\nfail-on = \"note\"\n\
             [lint.rules]\np-lastmod = \"off\"\nP-PATH = \"note\"\n"
                .to_owned(),
        ),
    ]);
    let expected = "::notice file=public/a/1.xml,line=3,col=11,title=P-PATH::`https://example.com/b/` is not below \
                    `https://example.com/a/`, where the sitemap is: a sitemap lists pages of its own directory and those below it (P-PATH); \
                    put the sitemap higher up, or allow cross-submission\n";
    let github = ["--format", "github"];
    assert_eq!(
        lint(&folder, &[&["public"][..], &github].concat()),
        (1, expected.to_owned())
    );
    // From a subfolder, where the file has another name.
    let mut command = folder.command(&["lint", "1.xml", "--format", "github"]);
    let output = command.current_dir(folder.path("public/a")).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        expected.replace("public/a/1.xml", "1.xml")
    );
    // Arguments override the settings.
    assert_eq!(lint(&folder, &["public", "--fail-on", "warning"]).0, 0);
    let (_, said) = lint(
        &folder,
        &[
            &[
                "public/a/1.xml",
                "--level",
                "P-PATH=off",
                "--level",
                "P-LASTMOD=error",
            ][..],
            &github,
        ]
        .concat(),
    );
    assert!(
        said.starts_with("::error ") && said.contains("title=P-LASTMOD::") && said.lines().count() == 1,
        "{said}"
    );
    // Other settings, with a baseline next to them.
    folder.write("etc/other.toml", "[lint]\nbaseline = \"known.json\"\n");
    let other = ["public", "--config", "etc/other.toml", "--fail-on", "note"];
    assert_eq!(lint(&folder, &other).0, 2);
    let write = [&other[..], &["--write-baseline", "etc/known.json"]].concat();
    assert_eq!(lint(&folder, &write).0, 1);
    let (status, said) = lint(&folder, &other);
    assert_eq!(
        (status, &*said),
        (
            0,
            "1 file, 1 URL: 0 errors, 0 warnings, 0 notes, 1 of the baseline\n"
        )
    );
}

#[test]
fn what_settings_do_not_know_is_an_error_with_its_line() {
    let folder = Folder::with(&[("a.xml", urlset("<url><loc>https://example.com/</loc></url>\n"))]);
    for (text, expected) in [
        (
            "[lint]\nfail_on = \"note\"\n",
            "2: unknown key `fail_on`: did you mean `fail-on`?",
        ),
        (
            "[lint]\n\nroute = \"x\"\ncolour = 1\n",
            "4: unknown key `colour`: expected one of location, root, cross-submission, fail-on, places, baseline, robots, agent, for, rules",
        ),
        ("[lints]\n", "1: unknown table `lints`: did you mean `lint`?"),
        ("lint = 1\n", "1: expected a table"),
        (
            "[lint]\nfail-on = \"worst\"\n",
            "2: `fail-on` must be note, warning, error or never",
        ),
        ("[lint]\nplaces = -1\n", "2: `places` must be a whole number"),
        ("[lint]\nlocation = 1\n", "2: `location` must be a string"),
        (
            "[lint]\ncross-submission = \"yes\"\n",
            "2: `cross-submission` must be true or false",
        ),
        (
            "[lint.rules]\nL-IGNORE = \"off\"\n",
            "2: `L-IGNORE` is not the id of a rule: did you mean `L-IGNORED`?",
        ),
        (
            "[lint.rules]\nP-LOC = \"fatal\"\n",
            "2: `fatal` is not a severity: write `off`, `note`, `warning` or `error`",
        ),
        ("[lint\n", "1: unclosed table, expected `]`"),
    ] {
        folder.write("sitemap.toml", text);
        let (status, said, told) = pipe(&folder, b"", &["a.xml"]);
        let place = folder.path("sitemap.toml").canonicalize().unwrap();
        assert_eq!(
            (status, said, told),
            (
                2,
                String::new(),
                format!("sitemap: {}:{expected}\n", place.display())
            )
        );
    }
}

#[test]
fn pages_that_robots_txt_blocks_are_told() {
    let page = |loc: &str| format!("<url><loc>https://example.com/{loc}</loc></url>\n");
    let folder = Folder::with(&[
        ("a.xml", urlset(&(page("") + &page("cart") + &page("own")))),
        (
            "robots.txt",
            "User-agent: *\nDisallow: /cart\n\nUser-agent: ExampleBot\nDisallow: /own\n".to_owned(),
        ),
    ]);
    let blocked = |loc: &str, agent: &str, line: u32, rule: &str, place: &str| {
        format!(
            "::warning file=a.xml,line={place},title=L-ROBOTS::`https://example.com/{loc}` is blocked for `{agent}` by line {line} of \
             robots.txt, `Disallow: {rule}` (L-ROBOTS); take the page out of the sitemap, or allow it\n"
        )
    };
    let arguments = ["a.xml", "--format", "github", "--robots", "robots.txt"];
    let location = ["--location", "https://example.com/a.xml"];
    assert_eq!(
        lint(&folder, &[&arguments[..], &location].concat()),
        (0, blocked("cart", "Googlebot", 2, "/cart", "4,col=11"))
    );
    assert_eq!(
        lint(
            &folder,
            &[&arguments[..], &location, &["--agent", "examplebot"]].concat()
        ),
        (0, blocked("own", "examplebot", 5, "/own", "5,col=11"))
    );
    folder.write(
        "sitemap.toml",
        "[lint]\nlocation = \"https://example.com/\"\nrobots = \"robots.txt\"\nagent = \"ExampleBot\"\n",
    );
    assert_eq!(
        lint(&folder, &["a.xml", "--format", "github"]),
        (0, blocked("own", "ExampleBot", 5, "/own", "5,col=11"))
    );
    folder.write("sitemap.toml", "");
    assert_eq!(
        pipe(&folder, b"", &arguments),
        (
            2,
            String::new(),
            "sitemap: robots.txt: --robots needs --location, the URL of its site\n".to_owned()
        )
    );
    let (status, _, told) = pipe(
        &folder,
        b"",
        &[&["a.xml", "--robots", "none.txt"][..], &location].concat(),
    );
    assert_eq!(status, 2);
    assert!(told.starts_with("sitemap: cannot open none.txt: "), "{told}");
}

#[test]
fn engines_are_named_by_argument_or_settings() {
    let folder = Folder::empty();
    folder.write("s.xml", format!("{HEAD}<url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod><priority>0.5</priority></url></urlset>"));
    let notes = |arguments: &[&str]| -> Vec<String> {
        let (status, said) = lint(&folder, &[&["s.xml", "--format", "github"], arguments].concat());
        assert_eq!(status, 0, "{said}");
        let titles = said
            .lines()
            .filter_map(|line| line.split_once("title=")?.1.split_once("::"));
        titles.map(|(title, _)| title.to_owned()).collect()
    };
    assert_eq!(notes(&[]), ["L-IGNORED"]);
    assert_eq!(notes(&["--for", "yandex"]), [""; 0]);
    assert_eq!(notes(&["--for", "Bing,yandex"]), ["L-IGNORED", "L-ENGINE"]);
    folder.write("sitemap.toml", "[lint]\nfor = [\"yandex\", \"seznam\"]\n");
    assert_eq!(notes(&[]), [""; 0]);
    // The argument overrides the settings.
    assert_eq!(notes(&["--for", "google"]), ["L-IGNORED"]);

    let refused = |arguments: &[&str]| pipe(&folder, b"", arguments).2;
    assert!(
        refused(&["s.xml", "--for", "altavista"]).contains(
            "`altavista` is no search engine that is known here; write one of `google`, `bing`, `yandex`, `baidu`, `naver`, `seznam`"
        )
    );
    folder.write("sitemap.toml", "[lint]\nfor = \"yandex\"\n");
    let said = refused(&["s.xml"]);
    assert!(
        said.ends_with(
            "sitemap.toml:2: `for` must be a list of search engines, such as [\"google\", \"bing\"]\n"
        ),
        "{said}"
    );
}

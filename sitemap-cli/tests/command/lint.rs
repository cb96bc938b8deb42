//! `sitemap lint`, as it is used.

use serde_json::Value;

use crate::folder::{Folder, gzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

fn urlset(entries: &str) -> String {
    format!("{HEAD}{entries}</urlset>\n")
}

/// The exit status, standard output and standard error, at a fixed time.
fn pipe(folder: &Folder, input: &[u8], arguments: &[&str]) -> (i32, String, String) {
    folder.pipe(
        input,
        &[&["lint", "--now", "2026-05-10T12:00:00Z"], arguments].concat(),
    )
}

/// The exit status and standard output.
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
        "warning[P-LASTMOD]: `01.05.2026` is not a W3C Datetime: it begins with a year of four digits, 0000 to 9999\n\
         \x20--> sitemap.xml:3:48\n\
         \x20 |\n\
         3 |   <url><loc>https://example.com/</loc><lastmod>01.05.2026</lastmod></url>\n\
         \x20 |                                                ^^^^^^^^^^ entry 1 · lastmod\n\
         \x20 |\n\
         \x20 = help: write it like that, or leave the field out\n\
         \n\
         error[P-LOC]: `/é/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/`\n\
         \x20--> sitemap.xml:4:12\n\
         \x20 |\n\
         4 |  <url><loc>/é/about</loc></url>\n\
         \x20 |            ^^^^^^^^ entry 2 · loc\n\
         \x20 |\n\
         \x20 = help: write it whole, or read it into a `String` and resolve it\n\
         \n\
         \x20       1 error    P-LOC              a loc is an absolute URL (RFC 3986); crawlers take http and https\n\
         \x20       1 warning  P-LASTMOD          a lastmod is a W3C Datetime\n\
         \n\
         1 file, 2 URLs: 1 error, 1 warning, 0 notes\n\
         "
    );
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
        "warning[P-LOCENC]: `https://example.com/b c` holds U+0020, which a URL has percent-encoded only\n\
         \x20--> a.xml.gz:3:2161\n\
         \x20 |\n\
         \x20::: \n\
         3 | …<loc>https://example.com/39</loc></url><!-- é --><url><loc>https://example.com/b c</loc></url><url><loc>https://example.com/40</loc>...\n\
         \x20 |                                                             ^^^^^^^^^^^^^^^^^^^^^^^ entry 41 · loc\n\
         \x20 |\n\
         \x20 = help: write it as the server does, in UTF-8 for most\n\
         \n\
         \x20       1 warning  P-LOCENC           what is not ASCII in a loc is percent-encoded, in the encoding of the server\n\
         \n\
         1 file, 81 URLs: 0 errors, 1 warning, 0 notes\n\
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
            "message": "`01.05.2026` is not a W3C Datetime: it begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like \
                        that, or leave the field out",
            "searchConsole": ["Invalid date"],
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
            "artifactLocation": { "uri": "a%20b/sitemap.xml" },
            "region": { "startLine": 4, "startColumn": 12, "byteOffset": 185, "byteLength": 9 },
        })
    );
    let (status, said) = lint(&folder, &["good.xml", "--format", "sarif"]);
    assert_eq!(status, 0);
    let log: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn github_commands_are_escaped() {
    let folder = Folder::with(&[("a,b:c.xml", urlset("<url><loc>/100%</loc></url>\n").as_bytes())]);
    let (status, said) = lint(&folder, &["a,b:c.xml", "--format", "github"]);
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "::error file=a%2Cb%3Ac.xml,line=3,col=11,title=P-LOC::`/100%25` is not an absolute URL: a loc begins with its scheme and host, \
         such as `https://example.com/` (P-LOC); write it whole, or read it into a `String` and resolve it\n"
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
            &["good.xml", "note.xml", "--address", "https://example.com/"]
        )
        .0,
        2
    );
    assert_eq!(lint(&folder, &["error.xml", "--level", "P-LOC=off"]).0, 0);
    assert_eq!(lint(&folder, &["note.xml", "--level", "L-FRAGMENT=error"]).0, 1);
}

#[test]
fn the_address_of_a_directory_is_that_of_its_files() {
    let page = |loc: &str| urlset(&format!("<url><loc>{loc}</loc></url>\n"));
    let folder = Folder::with(&[
        ("public/a/1.xml", page("https://example.com/b/").as_bytes()),
        ("public/b/1.xml", page("https://example.com/b/").as_bytes()),
    ]);
    let (status, said) = lint(
        &folder,
        &[
            "public",
            "--address",
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
    // Lines may come and go, but there may not be more of it.
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

#[test]
fn rules_are_explained() {
    let folder = Folder::empty();
    let (status, said) = lint(&folder, &["--explain", "p-prio"]);
    assert_eq!(status, 0);
    assert_eq!(
        said,
        "P-PRIO: a priority is a decimal from 0.0 to 1.0\n\n\
         A priority is a decimal from 0.0 to 1.0, and without one 0.5 is meant. `1,0`, `80%` and\n\
         `5e-1` are not decimals of XML; they are ignored.\n\n\
         Severity: warning\n\
         Google Search Console: Invalid tag value\n\
         Source: sitemaps.org, schema\n"
    );
    let (status, said) = lint(&folder, &["--explain"]);
    assert_eq!(status, 0);
    assert_eq!(said.lines().count(), sitemap_serde::Rule::ALL.len());
    let (status, _, said) = pipe(&folder, b"", &["--explain", "P-X"]);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "sitemap: `P-X` is not the id of a rule; write one of the table of `Rule`, such as `P-LOC`\n"
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

//! `sitemap lint --pages`.

use serde_json::Value;

use crate::folder::{CORE, Folder};

fn urlset(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<url><loc>https://example.com/{loc}</loc></url>\n");
    let entries = locs.iter().map(entry).collect::<Vec<_>>().concat();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
}

fn lint(folder: &Folder, input: &str, arguments: &[&str]) -> (i32, String, String) {
    folder.pipe(
        input.as_bytes(),
        &[&["lint", "--now", "2026-05-10T12:00:00Z"], arguments].concat(),
    )
}

#[test]
fn pages_that_say_otherwise() {
    let folder = Folder::with(&[
        ("public/index.html", "<p>Home".to_owned()),
        (
            "public/draft.html",
            "<meta name=robots content=noindex>".to_owned(),
        ),
        ("public/new.html", "<p>New".to_owned()),
        ("public/map/a.xml", urlset(&["", "draft.html"])),
    ]);
    let messages = "::warning file=public/map/a.xml,line=4,col=11,title=L-NOINDEX::`https://example.com/draft.html` is listed, and may \
                    not be indexed: draft.html:1: `noindex` (L-NOINDEX); remove the entry, or let the page be indexed\n\
                    ::notice file=public/map/a.xml,title=L-UNLISTED::`https://example.com/new.html` may be indexed, and is not listed \
                    (L-UNLISTED); list it\n";
    let github = ["--format", "github", "--pages", "public", "--level", "P-PATH=off"];
    // The address of the pages is found by that of the document in them, or of a directory of documents.
    for arguments in [
        ["public/map/a.xml", "--location", "https://example.com/map/a.xml"],
        ["public/", "--location", "https://example.com/"],
    ] {
        assert_eq!(
            lint(&folder, "", &[&arguments[..], &github].concat()),
            (
                0,
                messages.to_owned(),
                "1 file, 2 URLs: 0 errors, 1 warning, 1 note\n".to_owned()
            )
        );
    }
    let refused = |arguments: &[&str]| lint(&folder, "", &[&["public/map/a.xml"], arguments].concat());
    let none = "sitemap: public: --pages needs --location, the URL of the file or directory\n";
    assert_eq!(
        refused(&["--pages", "public"]),
        (2, String::new(), none.to_owned())
    );
    let address = [
        "--location",
        "https://example.com/map/a.xml",
        "--pages",
        "public/map",
    ];
    let none = "sitemap: public/map has no HTML files: name the folder that the pages were built in\n";
    assert_eq!(refused(&address), (2, String::new(), none.to_owned()));
    let (status, page, _) = lint(&folder, "", &["--explain", "L-NOINDEX"]);
    assert!(
        status == 0 && page.starts_with("L-NOINDEX: a listed page may be indexed by what it says itself\n"),
        "{page}"
    );
}

/// The page of a document from standard input is in the folder of its address.
#[test]
fn pages_of_standard_input() {
    let folder = Folder::with(&[("public/index.html", "<p>Home")]);
    let (status, found, told) = lint(
        &folder,
        &urlset(&["gone"]),
        &[
            "-",
            "--location",
            "https://example.com/sitemap.xml",
            "--pages",
            "public",
            "--format",
            "json",
            "--fail-on",
            "note",
        ],
    );
    let rules: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rules: Vec<_> = rules.iter().filter_map(|found| found["rule"].as_str()).collect();
    assert_eq!(
        (status, rules, told.as_str()),
        (1, vec!["L-MISSING", "L-UNLISTED"], "")
    );
}

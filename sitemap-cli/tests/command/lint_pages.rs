//! `sitemap lint --pages`.

use serde_json::{Value, json};

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
    // The URL of the page folder follows from the document's location, or from the location of a folder of documents.
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

/// A folder whose sitemap has a surplus entry, an entry for a wrong URL, and no entry for one page.
fn faulty() -> Folder {
    Folder::with(&[
        ("public/index.html", "<p>Home".to_owned()),
        (
            "public/draft.html",
            "<meta name=robots content=noindex>".to_owned(),
        ),
        ("public/new.html", "<p>New".to_owned()),
        ("public/sitemap.xml", urlset(&["", "draft.html", "index.html"])),
    ])
}

const ARGUMENTS: [&str; 5] = [
    "public/sitemap.xml",
    "--location",
    "https://example.com/sitemap.xml",
    "--pages",
    "public",
];

#[test]
fn excerpts_of_entries() {
    let found = "\
warning[L-NOINDEX]: `https://example.com/draft.html` is listed, and may not be indexed: draft.html:1: `noindex`
 --> public/sitemap.xml:4:11
  |
4 | <url><loc>https://example.com/draft.html</loc></url>
  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ entry 2 · loc
  |
  = help: remove the entry, or let the page be indexed

warning[L-CANONICAL]: `https://example.com/index.html` is listed, and the address of its page is `https://example.com/`
 --> public/sitemap.xml:5:11
  |
5 | <url><loc>https://example.com/index.html</loc></url>
  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ entry 3 · loc
  |
  = help: list that one
  = help: write `https://example.com/`

note[L-UNLISTED]: `https://example.com/new.html` may be indexed, and is not listed
--> public/sitemap.xml
 = help: list it

        1 warning  L-CANONICAL        a listed address is the canonical one of its page
        1 warning  L-NOINDEX          a listed page may be indexed by what it says itself
        1 note     L-UNLISTED         a page that may be indexed is listed

1 file, 3 URLs: 0 errors, 2 warnings, 1 note
";
    let expected = (0, found.to_owned(), String::new());
    assert_eq!(lint(&faulty(), "", &ARGUMENTS), expected);
}

#[test]
fn sarif_of_pages() {
    let (status, log, _) = lint(
        &faulty(),
        "",
        &[&ARGUMENTS[..], &["--format", "sarif", "--fail-on", "warning"]].concat(),
    );
    assert_eq!(status, 1);
    let mut log: Value = serde_json::from_str(&log).unwrap();
    let mut results = log["runs"][0]["results"].take();
    for result in results.as_array_mut().unwrap() {
        let result = result.as_object_mut().unwrap();
        let rule = usize::try_from(result.remove("ruleIndex").unwrap().as_u64().unwrap()).unwrap();
        assert_eq!(
            log["runs"][0]["tool"]["driver"]["rules"][rule]["id"],
            result["ruleId"]
        );
        let fingerprints = result.remove("partialFingerprints").unwrap();
        assert_eq!(fingerprints["sitemapLint/v1"].as_str().unwrap().len(), 16);
    }
    let file = json!({ "uri": "public/sitemap.xml", "uriBaseId": "%SRCROOT%" });
    let at = |line: u32, offset: u32, entry: &str| {
        json!([{
            "logicalLocations": [{ "fullyQualifiedName": entry }],
            "physicalLocation": {
                "artifactLocation": file,
                "region": { "byteLength": 30, "byteOffset": offset, "startColumn": 11, "startLine": line },
            },
        }])
    };
    let expected = json!([
        {
            "level": "warning",
            "locations": at(4, 153, "entry 2 · loc"),
            "message": {
                "text": "`https://example.com/draft.html` is listed, and may not be indexed: draft.html:1: `noindex` (L-NOINDEX); \
                         remove the entry, or let the page be indexed"
            },
            "ruleId": "L-NOINDEX",
        },
        {
            "fixes": [{
                "artifactChanges": [{
                    "artifactLocation": file,
                    "replacements": [{
                        "deletedRegion": { "byteLength": 30, "byteOffset": 206 },
                        "insertedContent": { "text": "https://example.com/" },
                    }],
                }],
                "description": { "text": "Write `https://example.com/`" },
                "properties": { "applicability": "MaybeIncorrect" },
            }],
            "level": "warning",
            "locations": at(5, 206, "entry 3 · loc"),
            "message": {
                "text": "`https://example.com/index.html` is listed, and the address of its page is `https://example.com/` (L-CANONICAL); \
                         list that one"
            },
            "ruleId": "L-CANONICAL",
        },
        {
            "level": "note",
            "locations": [{ "physicalLocation": { "artifactLocation": file } }],
            "message": { "text": "`https://example.com/new.html` may be indexed, and is not listed (L-UNLISTED); list it" },
            "ruleId": "L-UNLISTED",
        },
    ]);
    assert_eq!(results, expected);
}

/// The location of a document from standard input maps its entries to pages in the folder.
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

/// A redirect in the host's settings at the project root, outside the folder of pages.
#[test]
fn redirects_of_the_project() {
    let folder = Folder::with(&[
        ("public/index.html", "<p>Home".to_owned()),
        ("public/a.html", "<p>A".to_owned()),
        ("public/sitemap.xml", urlset(&["", "a.html"])),
        (
            "vercel.json",
            "{ \"redirects\": [\n{ \"source\": \"/a.html\", \"destination\": \"/\" }] }".to_owned(),
        ),
    ]);
    let arguments = [
        "public/sitemap.xml",
        "--location",
        "https://example.com/sitemap.xml",
        "--pages",
        "public",
        "--format",
        "github",
    ];
    let message = "::warning file=public/sitemap.xml,line=4,col=11,title=L-REDIRECT::`https://example.com/a.html` is listed, and leads to \
                   another address: to `/` by vercel.json:2 (L-REDIRECT); list the address that it leads to\n";
    let totals = "1 file, 2 URLs: 0 errors, 1 warning, 0 notes\n";
    assert_eq!(
        lint(&folder, "", &arguments),
        (0, message.to_owned(), totals.to_owned())
    );
}

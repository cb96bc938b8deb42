//! `sitemap lint` of a folder with a damaged or unreadable file: the lint names the file, counts it, and goes on.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{CORE, Folder, gzipped};

fn urlset(locs: &[&str]) -> String {
    let entries: Vec<_> = locs
        .iter()
        .map(|loc| format!("<url><loc>{loc}</loc></url>\n"))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{}</urlset>\n",
        entries.concat()
    )
}

/// Damaged compressed documents, each with its damage.
fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let whole = gzipped(&urlset(&["https://example.com/1", "https://example.com/2"]));
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        bytes
    };
    vec![
        ("a wrong checksum", changed(whole.len() - 6)),
        ("a wrong length", changed(whole.len() - 2)),
        ("a damaged header", changed(2)),
        ("a damaged stream", changed(whole.len() / 2)),
        ("a truncated stream", whole[..whole.len() / 2].to_vec()),
        ("a truncated header", whole[..5].to_vec()),
        ("a truncated trailer", whole[..whole.len() - 3].to_vec()),
        ("rubbish after it", [&whole[..], b"\x1f\x8bxxxx"].concat()),
    ]
}

/// The file and rule of each finding, and the summary, from the JSON output.
fn by_file(said: &str) -> (Vec<(String, String)>, Value) {
    let mut objects: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let summary = objects.pop().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let found = objects
        .iter()
        .map(|object| (text(&object["file"]), text(&object["rule"])));
    (found.collect(), summary)
}

#[test]
fn a_damaged_file_is_named_and_does_not_end_the_lint_of_its_folder() {
    for (name, bytes) in damaged() {
        let folder = Folder::with(&[
            ("a/1.xml.gz", bytes),
            ("a/2.xml", urlset(&["/relative"]).into_bytes()),
        ]);
        let (status, said, told) = folder.run(&["lint", "a", "--format", "json"]);
        assert_eq!((status, &*told), (1, ""), "{name}");
        let (found, summary) = by_file(&said);
        assert!(
            found.contains(&("a/1.xml.gz".to_owned(), "P-GZIP".to_owned())),
            "{name}: {found:?}"
        );
        assert!(
            found.contains(&("a/2.xml".to_owned(), "P-LOC".to_owned())),
            "{name}: {found:?}"
        );
        assert_eq!(
            (&summary["documents"], &summary["unread"]),
            (&json!(2), &json!([])),
            "{name}"
        );
        let (status, said, told) = folder.run(&["lint", "a", "--format", "sarif"]);
        let log: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(status, 1, "{name}");
        assert_eq!(
            log["runs"][0]["invocations"],
            json!([{ "executionSuccessful": true }])
        );
        assert!(told.starts_with("2 files, "), "{name}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_named_and_does_not_end_the_lint_of_its_folder() {
    let folder = Folder::with(&[("a/2.xml", urlset(&["https://example.com/a b"]))]);
    std::os::unix::fs::symlink("gone.xml", folder.path("a/1.xml")).unwrap();
    let why = "cannot open a/1.xml: No such file or directory (os error 2); it is a link whose target does not exist";
    let (status, said, told) = folder.run(&["lint", "a"]);
    assert_eq!(
        (status, said, told),
        (
            2,
            "warning[P-LOCENC]: `https://example.com/a b` contains U+0020, which must be percent-encoded in a URL\n\
             \x20--> a/2.xml:3:11\n\
             \x20 |\n\
             3 | <url><loc>https://example.com/a b</loc></url>\n\
             \x20 |           ^^^^^^^^^^^^^^^^^^^^^^^ entry 1 · loc\n\
             \x20 |\n\
             \x20 = help: encode it in the server's encoding, usually UTF-8\n\
             \x20 = help: write `https://example.com/a%20b`\n\n\
             \x20       1 warning  P-LOCENC           what is not ASCII in a loc is percent-encoded, in the encoding of the server\n\n\
             1 file, 1 URL: 0 errors, 1 warning, 0 notes; 1 file not read to the end\n\
             1 of 1 can be fixed by `sitemap lint --fix a/2.xml`\n"
                .to_owned(),
            format!("sitemap: {why}\n")
        )
    );
    let (status, said, _) = folder.run(&["lint", "a", "--format", "sarif", "--fail-on", "never"]);
    let log: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(status, 2);
    assert_eq!(
        log["runs"][0]["invocations"],
        json!([{
            "executionSuccessful": false,
            "toolExecutionNotifications": [{ "level": "error", "message": { "text": why } }]
        }])
    );
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "P-LOCENC");
    let (status, said, _) = folder.run(&["lint", "a", "--format", "json"]);
    assert_eq!((status, by_file(&said).1["unread"].clone()), (2, json!([why])));
}

/// If `--fix` cannot fix a file, the exit status reports it, and the other files are fixed.
#[test]
fn what_cannot_be_fixed_is_an_exit_status() {
    let wrong = urlset(&["https://example.com/a b"]);
    let mut broken = gzipped(&wrong);
    let at = broken.len() - 6;
    broken[at] ^= 0x55;
    let files: [(&str, Vec<u8>); 3] = [
        ("a/1.xml.gz", broken),
        ("a/2.xml", wrong.replace("</urlset>", "").into_bytes()),
        (
            "a/3.txt",
            b"https://example.com/a%20b\nhttps://example.com/\xC3\xA9\n".to_vec(),
        ),
    ];
    for (name, bytes) in files {
        let folder = Folder::with(&[(name, bytes.clone()), ("a/9.xml", wrong.clone().into_bytes())]);
        let (status, _, told) = folder.run(&["lint", "a", "--fix", "--fail-on", "never"]);
        assert_eq!(status, 2, "{name}: {told}");
        assert!(told.starts_with(&format!("not fixed: {name}: ")), "{told}");
        assert!(told.ends_with("fixed: 1 value in 1 file\n"), "{told}");
        assert_eq!(fs::read(folder.path(name)).unwrap(), bytes);
        assert_eq!(folder.read("a/9.xml"), wrong.replace("a b", "a%20b"));
    }
}

//! `sitemap cat` and `stat` of folders with a damaged or broken file: they name it, count it, and go on.

use crate::folder::{CORE, Folder, gzipped};

fn urlset(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<url><loc>{loc}</loc></url>\n");
    let entries: Vec<_> = locs.iter().map(entry).collect();
    format!("<urlset xmlns=\"{CORE}\">\n{}</urlset>\n", entries.concat())
}

/// Truncated documents, each with the printed pages and the message.
fn broken() -> Vec<(&'static str, Vec<u8>, &'static str, &'static str)> {
    let two = urlset(&["https://example.com/1", "https://example.com/2"]);
    let whole = gzipped(&two);
    let mut changed = whole.clone();
    let checksum = changed.len() - 6;
    changed[checksum] ^= 0x55;
    let both = "https://example.com/1\nhttps://example.com/2\n";
    vec![
        (
            "a.xml",
            b"<!doctype html><title>No</title>".to_vec(),
            "",
            "this is an HTML page with the title `No`, not a sitemap",
        ),
        (
            "a.xml",
            two.replace("2</loc>", "2&x</loc>").into_bytes(),
            "https://example.com/1\n",
            "a `&` that does not begin a reference",
        ),
        ("a.xml.gz", changed, both, "the compressed document is "),
        (
            "a.xml.gz",
            whole[..whole.len() - 12].to_vec(),
            "",
            "the compressed document is ",
        ),
        ("a.xml", Vec::new(), "", "the document is empty"),
    ]
}

#[test]
fn a_broken_document_is_named_and_the_others_are_printed() {
    for (name, bytes, printed, said) in broken() {
        let last = urlset(&["https://example.com/z"]).into_bytes();
        let folder = Folder::with(&[(&*format!("s/{name}"), bytes), ("s/z.xml", last)]);
        let (status, written, told) = folder.run(&["cat", "s"]);
        assert_eq!(status, 2, "{told}");
        assert!(
            written.starts_with(printed) && written.ends_with("https://example.com/z\n"),
            "{written}"
        );
        let (first, rest) = told.split_once('\n').unwrap();
        assert!(
            first.starts_with(&format!("sitemap: s/{name}: ")) && first.contains(said),
            "{told}"
        );
        assert_eq!(rest, "1 of 2 documents could not be read to the end\n");

        let (status, written, stat_told) = folder.run(&["stat", "s"]);
        assert_eq!((status, stat_told), (2, told));
        let lines: Vec<_> = written.lines().collect();
        assert!(lines[0].starts_with("documents    "), "{written}");
        assert_eq!(
            lines[2],
            "incomplete   1 document that could not be read to the end"
        );
    }
}

#[test]
fn entries_that_cannot_be_read_are_another_status() {
    let odd = format!("<urlset xmlns=\"{CORE}\"><url/><url><loc>https://example.com/</loc></url></urlset>");
    let folder = Folder::with(&[("s/a.xml", odd), ("s/b.xml", urlset(&["https://example.com/b"]))]);
    let (status, written, told) = folder.run(&["cat", "s"]);
    assert_eq!(
        (status, &*written),
        (1, "https://example.com/\nhttps://example.com/b\n")
    );
    assert!(
        told.starts_with("s/a.xml: no `loc`: every `url` has exactly one (P-DUP)"),
        "{told}"
    );
    let (status, written, told) = folder.run(&["stat", "s"]);
    assert_eq!((status, &*told), (1, ""));
    assert_eq!(written.lines().nth(2), Some("unreadable   1"));
}

#[cfg(unix)]
#[test]
fn a_file_that_nobody_may_read_is_named() {
    use std::fs::{File, Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with(&[
        ("s/a.txt", "https://example.com/a\n".to_owned()),
        ("s/b.xml", urlset(&["https://example.com/b"])),
    ]);
    set_permissions(folder.path("s/a.txt"), Permissions::from_mode(0o000)).unwrap();
    if File::open(folder.path("s/a.txt")).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    for command in ["cat", "stat"] {
        let (status, _, told) = folder.run(&[command, "s"]);
        assert_eq!(status, 2);
        assert_eq!(
            told,
            "sitemap: s/a.txt: Permission denied (os error 13)\n1 of 2 documents could not be read to the end\n"
        );
    }
}

#[test]
fn a_field_that_there_is_not_is_an_error() {
    let folder = Folder::with(&[("a.xml", urlset(&["https://example.com/"]))]);
    let (status, written, told) = folder.run(&["cat", "a.xml", "--fields", "loc,lastmodd"]);
    assert_eq!((status, &*written), (2, ""));
    assert_eq!(
        told,
        "error: invalid value 'lastmodd' for '--fields <FIELDS>': a sitemap has no field `lastmodd`; did you mean `lastmod`?\n\n\
         For more information, try '--help'.\n"
    );
}

/// Messages escape names and values that would affect a terminal.
#[cfg(unix)]
#[test]
fn names_are_escaped_for_terminals() {
    let folder = Folder::with(&[("\u{1b}[31m\u{202e}lmx.xml", "<html>".to_owned())]);
    let (_, _, told) = folder.run(&["cat", "\u{1b}[31m\u{202e}lmx.xml"]);
    assert!(
        told.starts_with("sitemap: \\u{1b}[31m\\u{202e}lmx.xml: "),
        "{told}"
    );
    let (_, _, told) = folder.run(&["repair", "\u{1b}[31m\u{202e}lmx.xml", "--format", "json"]);
    assert!(
        told.starts_with("sitemap: \\u{1b}[31m\\u{202e}lmx.xml: "),
        "{told}"
    );
    let relative = urlset(&["/gnp.\u{202e}x"]);
    let odd = Folder::with(&[("\u{1b}[31m\u{202e}lmx.xml", &relative)]);
    for format in ["human", "github"] {
        let (_, said, _) = odd.run(&["lint", ".", "--format", format]);
        assert!(
            !said.contains(['\u{1b}', '\u{202e}']) && said.contains("\\u{1b}[31m\\u{202e}lmx.xml"),
            "{said}"
        );
    }
    for format in ["human", "json"] {
        let (_, _, told) = folder.pipe(&relative, &["repair", "-", "--format", format]);
        assert!(!told.contains('\u{202e}') && told.contains("202e"), "{told}");
    }
}

/// `--places` shows more problems than 100, or fewer.
#[test]
fn as_many_problems_as_asked_for_are_shown() {
    let entries =
        "<url><lastmod>2026</lastmod></url>".repeat(250) + "<url><loc>https://example.com/</loc></url>";
    let document = format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>");
    for command in [
        "cat a.xml",
        "convert a.xml --to text --on-invalid skip",
        "split a.xml -o set --base https://example.com --lenient",
        "diff a.xml b.xml",
        "edit a.xml --add https://example.com/new",
        "repair a.xml",
        "lint a.xml",
    ] {
        for (places, least, most) in [("1000", 250, 600), ("5", 5, 30)] {
            let folder = Folder::with(&[
                ("a.xml", document.as_str()),
                ("b.xml", &document.replace("com/<", "com/b<")),
            ]);
            let mut arguments: Vec<_> = command.split(' ').collect();
            arguments.extend(["--places", places]);
            let (_, printed, told) = folder.run(&arguments);
            let lines = (printed + &told).matches("no `loc`").count();
            assert!(
                (least..=most).contains(&lines),
                "{command} --places {places}: {lines}"
            );
        }
    }
}

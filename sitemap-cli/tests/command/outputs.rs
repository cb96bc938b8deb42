//! Output destinations: names that end in `.gz`, and `-`.

use std::fs;

use crate::folder::{CORE, Folder, gzipped, unzipped};

fn urlset(lastmod: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n<url><loc>https://example.com/a</loc><lastmod>{lastmod}</lastmod></url>\n</urlset>\n"
    )
}

/// A folder with a page and a sitemap that `lint --fix` and `repair` change, compressed and uncompressed.
fn folder() -> Folder {
    let (text, fixable) = (urlset("2026-05-01"), urlset("2026/5/1"));
    Folder::with(&[
        ("plain.xml", text.as_bytes()),
        ("zipped.xml.gz", &gzipped(&text)),
        ("fixable.xml", fixable.as_bytes()),
        ("fixable.xml.gz", &gzipped(&fixable)),
        ("lies.xml.gz", fixable.as_bytes()),
        ("lies.xml", &gzipped(&fixable)),
        ("site/index.html", b"<title>A page</title><p>A page"),
        ("site/a.xml", text.as_bytes()),
    ])
}

fn is_compressed(folder: &Folder, name: &str) -> bool {
    let bytes = fs::read(folder.path(name)).unwrap();
    let is_compressed = bytes.starts_with(&[0x1F, 0x8B]);
    let text = if is_compressed {
        unzipped(&bytes)
    } else {
        String::from_utf8(bytes).unwrap()
    };
    assert!(
        text.contains("</urlset>") || text.contains("</sitemapindex>"),
        "{name}: {text}"
    );
    is_compressed
}

/// The commands that write the file named by `-o`, here `OUT`.
const COMMANDS: [&str; 8] = [
    "edit plain.xml --add https://example.com/b -o OUT",
    "edit zipped.xml.gz --add https://example.com/b -o OUT",
    "repair fixable.xml -o OUT",
    "repair fixable.xml.gz -o OUT",
    "convert plain.xml --to xml -o OUT",
    "convert zipped.xml.gz --to xml -o OUT",
    "index site --location https://example.com -o OUT",
    "from site --location https://example.com -o OUT",
];

fn run(folder: &Folder, command: &str, out: &str) -> (i32, Vec<u8>, String) {
    let arguments: Vec<&str> = command
        .split(' ')
        .map(|word| if word == "OUT" { out } else { word })
        .collect();
    let output = folder.output("", &arguments);
    (
        output.status.code().unwrap(),
        output.stdout,
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_name_says_whether_a_file_is_compressed() {
    for command in COMMANDS {
        for (name, is_gzip) in [("out.xml", false), ("out.xml.gz", true), ("OUT.XML.GZ", true)] {
            let folder = folder();
            let (status, _, told) = run(&folder, command, name);
            assert!(status < 2, "{command}: {told}");
            assert_eq!(is_compressed(&folder, name), is_gzip, "{command}, {name}");
        }
    }
    // Changes in place keep the compression, unless the file name contradicts it.
    for (name, is_gzip) in [
        ("fixable.xml", false),
        ("fixable.xml.gz", true),
        ("lies.xml.gz", true),
        ("lies.xml", true),
    ] {
        for command in [
            "edit OUT --add https://example.com/b",
            "repair OUT --in-place",
            "lint OUT --fix --fail-on never",
        ] {
            let folder = folder();
            let before = fs::read(folder.path(name)).unwrap();
            let (status, _, told) = run(&folder, command, name);
            assert!(status < 2, "{command}, {name}: {told}");
            assert_ne!(fs::read(folder.path(name)).unwrap(), before, "{command}, {name}");
            assert_eq!(is_compressed(&folder, name), is_gzip, "{command}, {name}");
        }
    }
}

/// A second run produces the same bytes and leaves the file untouched.
#[test]
fn a_compressed_sitemap_of_a_folder_is_written_once() {
    let folder = folder();
    let command = "from site --location https://example.com -q -o OUT";
    for told in ["", ""] {
        assert_eq!(
            run(&folder, command, "pages.xml.gz"),
            (0, Vec::new(), told.to_owned())
        );
    }
    let (_, _, told) = run(
        &folder,
        "from site --location https://example.com -o OUT",
        "pages.xml.gz",
    );
    assert!(told.ends_with("pages.xml.gz: unchanged\n"), "{told}");
}

#[test]
fn lint_finds_names_that_lie() {
    let folder = folder();
    folder.write("other", gzipped(&urlset("2026-05-01")));
    for (name, found) in [
        (
            "lies.xml.gz",
            "the name of the file ends in `.gz`, and it is not compressed (P-GZIP); compress it, or leave `.gz` out of its name",
        ),
        (
            "lies.xml",
            "the file is compressed, and its name does not end in `.gz` (P-GZIP); decompress it, or add `.gz` to its name",
        ),
        ("plain.xml", ""),
        ("zipped.xml.gz", ""),
        ("other", ""),
    ] {
        let (_, printed, _) = folder.run(&["lint", name, "--format", "github", "--level", "P-LASTMOD=off"]);
        let expected = match found {
            "" => String::new(),
            found => format!("::warning file={name},title=P-GZIP::{found}\n"),
        };
        assert_eq!(printed, expected, "{name}");
    }
}

/// `-` means standard output for every command that writes one document. No file gets this name.
#[test]
fn a_dash_is_standard_output() {
    for command in COMMANDS {
        let folder = folder();
        let (status, printed, told) = run(&folder, command, "-");
        assert!(status < 2, "{command}: {told}");
        let printed = if printed.starts_with(&[0x1F, 0x8B]) {
            unzipped(&printed)
        } else {
            String::from_utf8(printed).unwrap()
        };
        let (start, end) = (
            printed.starts_with("<?xml"),
            printed.trim_end().ends_with("</urlset>"),
        );
        let is_index = command.starts_with("index") && printed.trim_end().ends_with("</sitemapindex>");
        assert!(start && (end || is_index), "{command}: {printed}");
        assert!(!folder.path("-").exists(), "{command}");
    }
    let file = |option: &str| {
        format!(
            "sitemap: {option} names a file, and `-` is standard output: for a file of that name, write `./-`\n"
        )
    };
    let mut refused = vec![
        (
            "split plain.xml --base https://example.com -o OUT",
            "sitemap: -o names a directory, and `-` is standard output: a set has several files. For a directory of that name, write `./-`\n"
                .to_owned(),
        ),
        ("lint plain.xml --write-baseline OUT", file("--write-baseline")),
        ("from site --location https://example.com --ledger OUT", file("--ledger")),
    ];
    if cfg!(feature = "http") {
        refused.push(("cat https://example.com/ --site --save OUT", file("--save")));
        refused.push((
            "submit plain.xml plain.xml --key 0123456789abcdef --record OUT",
            file("--record"),
        ));
    }
    for (command, expected) in refused {
        let folder = folder();
        let names = folder.names();
        assert_eq!(run(&folder, command, "-"), (2, Vec::new(), expected), "{command}");
        assert_eq!(folder.names(), names, "{command}");
    }
    // `./-` names a directory.
    let folder = folder();
    let (status, _, told) = run(
        &folder,
        "split plain.xml --base https://example.com -o OUT",
        "./-",
    );
    assert_eq!(status, 0, "{told}");
    assert!(folder.path("-/sitemap.xml").exists());
}

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

/// An option that names a file which is written.
struct Written {
    /// The command, with `OUT` for the file.
    command: &'static str,
    /// A file that it reads, or a page of its folder.
    input: &'static str,
    has_force: bool,
    /// `true` if an existing sitemap is replaced.
    takes_sitemaps: bool,
    /// A file that an earlier run of the option has written, which it replaces.
    own: Option<&'static str>,
}

const OUT: Written = Written {
    command: "",
    input: "in.xml",
    has_force: true,
    takes_sitemaps: false,
    own: None,
};

/// The option in which no command requires a live site.
const FILE: Written = Written {
    has_force: false,
    ..OUT
};

const REPORT: &str = "{\"url\":\"https://example.com/a.xml\",\"role\":\"start\",\"outcome\":\"read\"}\n";

/// All options that write a file, of all commands.
fn all_written() -> Vec<Written> {
    let mut all = vec![
        Written {
            command: "convert in.xml --to xml -o OUT",
            ..OUT
        },
        Written {
            command: "repair in.xml -o OUT",
            ..OUT
        },
        Written {
            command: "edit in.xml --add https://example.com/b -o OUT",
            ..OUT
        },
        Written {
            command: "index maps --location https://example.com --add in.xml -o OUT",
            ..OUT
        },
        Written {
            command: "from site --location https://example.com --now 2026-05-01 -o OUT",
            input: "site/index.html",
            takes_sitemaps: true,
            own: Some(""),
            ..OUT
        },
        Written {
            command: "from site --location https://example.com --now 2026-05-01 --html OUT",
            input: "site/index.html",
            own: Some("<!doctype html>\n<!-- list of pages by `sitemap from` -->\n"),
            ..OUT
        },
        Written {
            command: "from site --location https://example.com --html-template in.xml --html OUT",
            ..OUT
        },
        Written {
            command: "from site --location https://example.com --now 2026-05-01 --ledger OUT",
            input: "site/index.html",
            ..FILE
        },
        Written {
            command: "lint in.xml --write-baseline OUT",
            own: Some("{\n  \"found\": {},\n  \"version\": 1\n}\n"),
            ..FILE
        },
        Written {
            command: "lint in.xml --robots robots.txt --location https://example.com/in.xml --write-baseline OUT",
            input: "robots.txt",
            ..FILE
        },
    ];
    if cfg!(feature = "http") {
        for command in [
            "cat in.xml https://127.0.0.1:1/a.xml --retries 0 --report OUT",
            "stat in.xml https://127.0.0.1:1/a.xml --retries 0 --report OUT",
            "lint in.xml https://127.0.0.1:1/a.xml --retries 0 --report OUT",
            "diff in.xml https://127.0.0.1:1/a.xml --retries 0 --report OUT",
            "split in.xml https://127.0.0.1:1/a.xml --retries 0 -o set --base https://example.com --report OUT",
            "convert https://127.0.0.1:1/a.xml --retries 0 --to text --ca-file in.xml --report OUT",
            "submit in.xml https://127.0.0.1:1/a.xml --retries 0 --key 0123456789abcdef --report OUT",
        ] {
            let own = Some(REPORT).filter(|_| !command.contains("--ca-file"));
            all.push(Written { command, own, ..FILE });
        }
        all.push(Written {
            command: "cat https://127.0.0.1:1/a.xml --site --retries 0 --ca-file in.xml --save OUT",
            ..FILE
        });
        all.push(Written {
            command: "cat https://127.0.0.1:1/a.xml --site --retries 0 --save OUT",
            input: "",
            ..FILE
        });
        all.push(Written {
            command: "submit in.xml in.xml --key 0123456789abcdef --record OUT",
            own: Some(""),
            ..FILE
        });
    }
    all
}

fn sources() -> Folder {
    let text = urlset("2026-05-01");
    Folder::with(&[
        ("in.xml", text.as_str()),
        ("maps/a.xml", &text),
        ("robots.txt", "User-agent: *\n"),
        ("site/index.html", "<title>A page</title><p>A page</p>"),
        ("notes.txt", "my notes\n"),
        ("page.html", "<title>Another page</title>\n"),
        ("data.json", "{\n  \"found\": 1\n}\n"),
        ("theirs.xml", &text),
    ])
}

/// All files of a folder with their contents, at any depth.
fn contents(folder: &Folder) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.path("")]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = fs::read(&path).unwrap_or_default();
                files.push((path, content));
            }
        }
    }
    files.sort();
    files
}

/// Runs a command that must be refused, and changes no file.
fn refused(folder: &Folder, command: &str, out: &str) {
    let before = contents(folder);
    let (status, _, told) = run(folder, command, out);
    assert_eq!(status, 2, "{command}, {out}: {told}");
    assert!(
        told.lines().count() == 1 && told.contains(out),
        "{command}, {out}: {told}"
    );
    assert!(contents(folder) == before, "{command}, {out}: {told}");
}

/// No run replaces a file that it reads, that another option writes, or that is not of the option's kind.
#[test]
fn only_own_files_are_replaced() {
    for written in all_written() {
        let command = written.command;
        let forced = format!("{command} --force");
        let commands: &[&str] = if written.has_force {
            &[command, &forced]
        } else {
            &[command]
        };
        for command in commands.iter().filter(|_| !written.input.is_empty()) {
            let folder = sources();
            refused(&folder, command, written.input);
            fs::create_dir(folder.path("other")).unwrap();
            let other_way = format!("other/../{}", written.input);
            refused(&folder, command, &other_way);
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(folder.path(written.input), folder.path("link")).unwrap();
                refused(&folder, command, "link");
                // Pages are known by their paths.
                if written.input != "site/index.html" {
                    fs::hard_link(folder.path(written.input), folder.path("hard")).unwrap();
                    refused(&folder, command, "hard");
                }
            }
        }
        // The sitemap is no certificate, either.
        if command.contains("--ca-file") {
            continue;
        }
        for foreign in ["notes.txt", "page.html", "data.json", "theirs.xml"] {
            let folder = sources();
            if foreign == "theirs.xml" && written.takes_sitemaps {
                let (status, _, told) = run(&folder, command, foreign);
                assert_eq!(status, 0, "{command}: {told}");
                continue;
            }
            refused(&folder, command, foreign);
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(foreign, folder.path("link")).unwrap();
                refused(&folder, command, "link");
            }
            if written.has_force && !command.contains("--html-template") {
                let (status, _, told) = run(&folder, &forced, foreign);
                assert!(status < 2, "{forced}, {foreign}: {told}");
                assert_ne!(
                    fs::read(folder.path(foreign)).unwrap(),
                    fs::read(sources().path(foreign)).unwrap(),
                    "{forced}, {foreign}"
                );
            }
        }
        if let Some(own) = written.own {
            let folder = sources();
            folder.write("own", own);
            let (_, _, told) = run(&folder, command, "own");
            assert!(!told.contains("own already exists"), "{command}: {told}");
            if !command.contains("--write-baseline") {
                assert_ne!(folder.read("own"), own, "{command}: {told}");
            }
        }
    }
}

/// Two options never write one file, whatever it is called.
#[test]
fn two_options_need_two_files() {
    let mut commands = vec![
        "from site --location https://example.com --force -o OUT --ledger SAME",
        "from site --location https://example.com --force -o OUT --html SAME",
        "from site --location https://example.com --force --ledger OUT --html SAME",
        "from site --location https://example.com --force --robots -o site/robots.txt --ledger OUT --html SAME",
    ];
    if cfg!(feature = "http") {
        commands.extend([
            "cat https://127.0.0.1:1/ --site --save OUT --report SAME",
            "lint https://127.0.0.1:1/ --write-baseline OUT --report SAME",
            "convert https://127.0.0.1:1/ --to text --force -o OUT --report SAME",
            "submit in.xml https://127.0.0.1:1/ --key 0123456789abcdef --record OUT --report SAME",
        ]);
    }
    for command in commands {
        let refused = |folder: &Folder, same: &str, out: &str| {
            let before = contents(folder);
            let (status, _, told) = run(folder, &command.replace("SAME", same), out);
            assert_eq!(status, 2, "{command}: {told}");
            assert!(told.contains(" name the same file, "), "{command}: {told}");
            assert!(contents(folder) == before, "{command}");
        };
        let folder = sources();
        for same in ["new", "./new", "site/../new"] {
            refused(&folder, same, "new");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", folder.path("link")).unwrap();
            refused(&folder, "link", "new");
            folder.write("new", "");
            refused(&folder, "link", "new");
            fs::hard_link(folder.path("new"), folder.path("hard")).unwrap();
            refused(&folder, "hard", "new");
            // A device is no file that could be lost.
            if command.contains("--html SAME") && !command.contains("--robots") {
                let (_, _, told) = run(&folder, &command.replace("SAME", "/dev/null"), "/dev/null");
                assert!(!told.contains("same file"), "{told}");
            }
        }
    }
    // The texts of a ledger are beside it.
    let folder = sources();
    let command = "from site --location https://example.com --force --ledger l --keep-texts -o OUT";
    let (status, _, told) = run(&folder, command, "l.texts");
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: -o and --keep-texts name the same file, l.texts: each needs a file of its own\n"
        )
    );
}

/// A set keeps files that have the names of its parts and are not its own, and no other option writes to its files.
#[test]
fn a_set_replaces_only_its_own_files() {
    let split = "split in.xml -o OUT --base https://example.com";
    let from = "from site --location https://example.com -o OUT";
    for command in [split, from] {
        for name in ["sitemap.xml", "sitemap-pages-1.xml", "sitemap-pages-27.xml.gz"] {
            let folder = sources();
            folder.write(&format!("set/{name}"), urlset("2026-05-01"));
            let before = contents(&folder);
            let (status, _, told) = run(&folder, command, "set/");
            let expected =
                format!("sitemap: set/{name} already exists and is not part of a set: --force replaces it\n");
            assert_eq!((status, told), (2, expected), "{command}");
            assert!(contents(&folder) == before);
            assert_eq!(run(&folder, &format!("{command} --force"), "set/").0, 0);
            // It still does not list them, unless it has replaced them.
            let is_own = name != "sitemap-pages-27.xml.gz";
            assert_eq!(
                run(&folder, command, "set/").0,
                if is_own { 0 } else { 2 },
                "{command}, {name}"
            );
        }
        let folder = sources();
        folder.write("set/sitemap-other-1.xml", urlset("2026-05-01"));
        folder.write("set/sitemap-pages.xml", urlset("2026-05-01"));
        assert_eq!(run(&folder, command, "set/").0, 0, "{command}");
    }
    let folder = sources();
    for ledger in [
        "set/sitemap.xml",
        "set/sitemap-pages-2.xml",
        "set/.sitemap/ledger",
    ] {
        fs::create_dir_all(folder.path("set/.sitemap")).unwrap();
        let (status, _, told) = run(&folder, &format!("{from} --ledger {ledger}"), "set/");
        assert_eq!(status, 2);
        assert_eq!(
            told,
            format!("sitemap: --ledger names {ledger}, a file of the set in set/: name another file\n")
        );
    }
}

/// A folder that is read and written, again and again: the output is never read.
#[test]
fn the_output_of_a_folder_is_not_its_input() {
    let pages = |range: std::ops::RangeInclusive<u32>| {
        let entries = range.map(|i| format!("<url><loc>https://example.com/{i}</loc></url>"));
        format!(
            "<urlset xmlns=\"{CORE}\">{}</urlset>",
            entries.collect::<String>()
        )
    };
    for (command, index) in [
        ("split d -o OUT --base https://example.com", "d/sitemap.xml"),
        (
            "split d -o OUT --base https://example.com --max-entries 3",
            "d/sitemap.xml",
        ),
        (
            "split d -o OUT --base https://example.com --max-entries 3 --gzip --name all",
            "d/sitemap.xml",
        ),
        ("convert d --to xml --force -o d/sitemap.xml", "d/sitemap.xml"),
    ] {
        for robots in [false, true] {
            let folder = Folder::with(&[("d/a.xml", pages(1..=5))]);
            if robots {
                folder.write("d/robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
            }
            let mut lens = Vec::new();
            for end in [5, 7, 7, 6] {
                folder.write("d/a.xml", pages(1..=end));
                let (status, _, told) = run(&folder, command, "d");
                assert_eq!(status, 0, "{command}: {told}");
                assert_eq!(
                    lens.is_empty(),
                    !told.contains("not read, since"),
                    "{command}: {told}"
                );
                lens.push(folder.read(index).len());
                let (status, printed, told) = folder.run(&["cat", "d/a.xml"]);
                assert_eq!((status, printed.lines().count()), (0, end as usize), "{told}");
                folder.write("copy/robots.txt", "");
                let names: Vec<String> = fs::read_dir(folder.path("d"))
                    .unwrap()
                    .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                    .filter(|name| name.starts_with("sitemap"))
                    .collect();
                fs::remove_dir_all(folder.path("copy")).unwrap();
                for name in &names {
                    folder.write(
                        &format!("copy/{name}"),
                        fs::read(folder.path(&format!("d/{name}"))).unwrap(),
                    );
                }
                let (_, printed, told) = folder.run(&["cat", "copy"]);
                assert_eq!(printed.lines().count(), end as usize, "{command}: {told}");
            }
            assert_eq!(lens[1], lens[2], "{command}");
        }
    }
}

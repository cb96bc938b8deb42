//! `lint --fix`, `repair` and `edit` under adverse conditions: read-only files, links, full disks, files that another program changes.
//! Nothing is lost, and unfixed parts stay byte-identical.

use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{CORE, Folder, gzipped, unzipped};

/// A document with dates that `lint --fix` fixes, `repair` drops and `edit` can replace, and with parts that no command may change.
fn fixable(line_end: &str) -> String {
    let lines = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<?xml-stylesheet type=\"text/css\" href=\"s.css\"?>",
        "<!-- by hand: é, サ -->",
        &format!("<urlset  xmlns=\"{CORE}\" xmlns:own='urn:own' >"),
        "\t<url><loc>https://example.com/1</loc><lastmod>2026/5/1</lastmod><own:x a = 'b'/></url >",
        "\t<url><!-- kept --><loc>https://example.com/2</loc><changefreq>Daily</changefreq></url>",
        "</urlset>",
        "<!-- end -->",
        "",
    ];
    lines.join(line_end)
}

fn fixed(line_end: &str) -> String {
    fixable(line_end)
        .replace("2026/5/1", "2026-05-01")
        .replace("Daily", "daily")
}

/// This number of valid entries.
fn padding(count: usize) -> String {
    let entries = (0..count).map(|i| format!("<url><loc>https://example.com/p{i}</loc></url>\n"));
    entries.collect::<Vec<_>>().concat()
}

/// The three commands that change a file in place, each with its effect on `fixable`.
const WAYS: [&[&str]; 3] = [
    &["lint", "a.xml", "--fix", "--fail-on", "never"],
    &["repair", "a.xml", "--in-place"],
    &[
        "edit",
        "a.xml",
        "--set",
        "https://example.com/1",
        "lastmod=2026-05-01",
    ],
];

#[test]
fn every_other_byte_stays_whatever_the_file_is_in() {
    for line_end in ["\n", "\r\n", "\r"] {
        for mark in ["", "\u{FEFF}"] {
            let (before, after) = (fixable(line_end), fixed(line_end));
            let (before, after) = (mark.to_owned() + &before, mark.to_owned() + &after);
            let folder = Folder::with(&[("a.xml", before.as_bytes()), ("b.xml.gz", &gzipped(&before))]);
            let (status, _, told) = folder.run(&["lint", ".", "--fix", "--fail-on", "never"]);
            assert_eq!(status, 0, "{told}");
            assert_eq!(folder.read("a.xml"), after);
            assert_eq!(unzipped(&fs::read(folder.path("b.xml.gz")).unwrap()), after);
        }
    }
}

/// `--fix` cannot edit a document in another encoding than UTF-8 byte by byte.
#[test]
fn other_encodings_are_left_alone_by_fix() {
    let text = format!("\u{FEFF}{}", fixable("\n"));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let latin = fixable("\n").replace("UTF-8", "ISO-8859-1").replace('サ', "");
    let latin: Vec<u8> = latin
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    for bytes in [little, big, latin] {
        let folder = Folder::with(&[("a.xml", &bytes)]);
        let (status, _, told) = folder.run(WAYS[0]);
        assert_eq!(status, 2, "{told}");
        let now = fs::read(folder.path("a.xml")).unwrap();
        assert!(now == bytes, "{told}: {}", String::from_utf8_lossy(&now));
        assert!(told.starts_with("not fixed: a.xml: "), "{told}");
        // `repair` writes a new document in UTF-8.
        assert_eq!(folder.run(WAYS[1]).0, 1);
        assert!(folder.read("a.xml").contains("<loc>https://example.com/2</loc>"));
    }
}

#[test]
fn damaged_and_odd_compression_loses_nothing() {
    let whole = gzipped(&fixable("\n"));
    let cut = whole[..whole.len() - 12].to_vec();
    let junk = [whole.clone(), b"junk".to_vec()].concat();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let text = fixable("\n");
    let (first, second) = text.split_at(200);
    let members = [gzipped(first), gzipped(second)].concat();
    let padded = [whole.clone(), vec![0; 512]].concat();
    for (bytes, is_whole) in [
        (cut, false),
        (junk, false),
        (damaged, false),
        (members, true),
        (padded, true),
    ] {
        let folder = Folder::with(&[("a.xml", &bytes)]);
        let (_, _, told) = folder.run(WAYS[0]);
        let now = fs::read(folder.path("a.xml")).unwrap();
        if is_whole {
            assert_eq!(unzipped(&now), fixed("\n"), "{told}");
        } else {
            assert!(now == bytes, "{told}");
        }
    }
}

#[cfg(unix)]
#[test]
fn read_only_files_stay() {
    use std::os::unix::fs::PermissionsExt;

    for way in WAYS {
        let folder = Folder::with(&[("a.xml", fixable("\n"))]);
        fs::set_permissions(folder.path("a.xml"), Permissions::from_mode(0o444)).unwrap();
        let (_, _, told) = folder.run(way);
        assert!(
            told.contains("a.xml is read-only: make it writable, or write to another file"),
            "{told}"
        );
        assert_eq!(folder.read("a.xml"), fixable("\n"));
        assert_eq!(folder.names(), ["a.xml"]);
    }
}

#[cfg(unix)]
#[test]
fn links_keep_and_their_files_are_mended() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    for way in WAYS {
        let folder = Folder::with(&[("real/b.xml", fixable("\n"))]);
        fs::set_permissions(folder.path("real/b.xml"), Permissions::from_mode(0o640)).unwrap();
        symlink("real/b.xml", folder.path("a.xml")).unwrap();
        fs::hard_link(folder.path("real/b.xml"), folder.path("hard.xml")).unwrap();
        let (_, _, told) = folder.run(way);
        assert!(folder.path("a.xml").is_symlink(), "{told}");
        assert_ne!(folder.read("real/b.xml"), fixable("\n"), "{told}");
        assert_eq!(
            folder.path("real/b.xml").metadata().unwrap().mode() & 0o777,
            0o640
        );
        // Other hard links keep the old content, and a message reports this.
        assert_eq!(folder.read("hard.xml"), fixable("\n"));
        assert!(
            told.contains("has 1 other name (hard links), which keep the old content"),
            "{told}"
        );
        assert_eq!(folder.names(), ["a.xml", "hard.xml", "real"]);
    }
}

/// Simulates a full disk by a limit on file sizes. The program sees the same error.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let padding = padding(3000);
    let before = fixable("\n").replace("</urlset>", &(padding + "</urlset>"));
    for way in WAYS {
        let folder = Folder::with(&[("a.xml", &before)]);
        let mut shell = Command::new("sh");
        shell
            .args([
                "-c",
                "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_sitemap"),
            ])
            .args(way)
            .current_dir(folder.path(""));
        let output = shell.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("File too large"), "{way:?}: {told}");
        assert_eq!(folder.read("a.xml"), before);
        assert_eq!(folder.names(), ["a.xml"], "{way:?}");
    }
}

/// Write errors on standard output are reported.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_told() {
    let folder = Folder::with(&[("a.xml", fixable("\n")), ("site/a.xml", fixable("\n"))]);
    for arguments in [
        &["lint", "a.xml"][..],
        &["lint", "a.xml", "--format", "sarif"],
        &["lint", "--explain", "P-LOC"],
        &["repair", "a.xml"],
        &["edit", "a.xml", "--touch", "https://example.com/1", "-o", "-"],
        &["cat", "a.xml"],
        &["stat", "a.xml"],
        &["diff", "a.xml", "site/a.xml", "--format", "json"],
        &["convert", "a.xml", "--to", "xml", "--lenient"],
        &["convert", "a.xml", "--to", "csv", "--lenient"],
        &["index", "site", "--location", "https://example.com"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let is_quiet = arguments[0] == "diff";
        assert_eq!(
            output.status.code(),
            Some(if is_quiet { 0 } else { 2 }),
            "{arguments:?}: {told}"
        );
        assert!(
            is_quiet || told.contains("No space left on device"),
            "{arguments:?}: {told}"
        );
    }
}

/// Returns the name of the temporary file in a folder.
fn temporary_file(folder: &Folder) -> Option<String> {
    let mut names = folder.names().into_iter();
    names.find(|name| name.starts_with('.') && name.ends_with(".sitemap-temporary"))
}

/// Runs a command that changes a file. The file is large enough that `meanwhile` runs before the command ends.
#[cfg(target_os = "linux")]
fn while_it_runs(way: &[&str], meanwhile: impl FnOnce(&Folder)) -> (Folder, String) {
    let padding = padding(40_000);
    let folder = Folder::with(&[(
        "a.xml",
        fixable("\n").replace("</urlset>", &(padding + "</urlset>")),
    )]);
    let mut program = folder.command(way).stdin(Stdio::null()).spawn().unwrap();
    while temporary_file(&folder).is_none() {
        assert!(program.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_micros(200));
    }
    meanwhile(&folder);
    let output = program.wait_with_output().unwrap();
    (folder, String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_changes_meanwhile_keeps_its_change() {
    for way in WAYS {
        // Another program appends to the file.
        let (folder, told) = while_it_runs(way, |folder| {
            let mut file = OpenOptions::new()
                .append(true)
                .open(folder.path("a.xml"))
                .unwrap();
            writeln!(file, "<!-- news -->").unwrap();
        });
        assert!(
            told.contains(
                "a.xml was changed by another program in the meantime, and is left unchanged: run the command again"
            ),
            "{told}"
        );
        assert!(folder.read("a.xml").ends_with("<!-- news -->\n"));
        assert_eq!(folder.names(), ["a.xml"]);
        // Another program replaces the file with a file of the same length.
        let (folder, told) = while_it_runs(way, |folder| {
            let other = folder.read("a.xml").replace("/p1<", "/q1<");
            folder.write("b.xml", other);
            fs::rename(folder.path("b.xml"), folder.path("a.xml")).unwrap();
        });
        assert!(
            told.contains("changed by another program in the meantime"),
            "{told}"
        );
        assert!(folder.read("a.xml").contains("/q1<"));
        // Another program removes the file, before or after it was opened.
        let (folder, told) = while_it_runs(way, |folder| fs::remove_file(folder.path("a.xml")).unwrap());
        assert!(
            told.contains("changed by another program in the meantime") || told.contains("No such file"),
            "{told}"
        );
        assert!(folder.names().is_empty());
    }
}

/// A new file does not replace a file created in the meantime.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_made_meanwhile_stays() {
    let lines: Vec<_> = (0..20_000)
        .map(|i| format!("https://example.com/{i}\n"))
        .collect();
    let folder = Folder::with(&[("urls.txt", lines.concat())]);
    let mut program = folder
        .command(&["convert", "urls.txt", "--to", "csv", "-o", "a.csv"])
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    while temporary_file(&folder).is_none() {
        assert!(program.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_micros(200));
    }
    folder.write("a.csv", "mine");
    let output = program.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "sitemap: a.csv was created by another program in the meantime, and is left unchanged: run the command again\n"
    );
    assert_eq!(folder.read("a.csv"), "mine");
    assert_eq!(folder.names(), ["a.csv", "urls.txt"]);
}

/// Each of several concurrent edits is applied, or its message asks to run it again.
#[test]
fn edits_at_once_are_done_or_told() {
    let folder = Folder::with(&[("a.xml", fixable("\n"))]);
    let programs: Vec<_> = (0..8)
        .map(|i| {
            let loc = format!("https://example.com/new-{i}");
            folder
                .command(&["edit", "a.xml", "--add", &loc])
                .stdin(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut done = 0;
    for (i, program) in programs.into_iter().enumerate() {
        let output = program.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let is_in = folder.read("a.xml").contains(&format!("/new-{i}<"));
        match output.status.code() {
            Some(0) => {
                assert!(is_in, "{i}: {told}");
                done += 1;
            }
            status => {
                assert_eq!(status, Some(2), "{told}");
                assert!(
                    told.contains("changed by another program in the meantime"),
                    "{told}"
                );
            }
        }
    }
    assert!(done >= 1);
    let now = folder.read("a.xml");
    assert_eq!(now.matches("/new-").count(), done, "{now}");
    assert_eq!(folder.names(), ["a.xml"]);
}

/// The command waits for a file that another program locks for a moment, and not for one that stays locked.
#[cfg(unix)]
#[test]
fn a_file_that_stays_locked_is_told() {
    let folder = Folder::with(&[("a.xml", fixable("\n"))]);
    let locked = fs::File::open(folder.path("a.xml")).unwrap();
    for way in WAYS {
        locked.lock().unwrap();
        let (status, _, told) = folder.run(way);
        assert_eq!(status, 2, "{told}");
        assert!(
            told.contains(
                "a.xml is locked by another program, and is left unchanged: run the command again when it is unlocked"
            ),
            "{told}"
        );
        assert_eq!(folder.read("a.xml"), fixable("\n"));
        assert_eq!(folder.names(), ["a.xml"]);
        locked.unlock().unwrap();
    }
    locked.lock().unwrap();
    let program = folder.command(WAYS[0]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    locked.unlock().unwrap();
    let output = program.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(folder.read("a.xml"), fixed("\n"));
}

/// FIFOs in directories are not opened, because reading them would block. The files next to them are fixed.
#[cfg(unix)]
#[test]
fn pipes_in_directories_are_not_opened() {
    let folder = Folder::with(&[("site/a.xml", fixable("\n"))]);
    for name in ["site/pipe.xml", "site/pipe.txt"] {
        let made = Command::new("mkfifo").arg(folder.path(name)).status().unwrap();
        assert!(made.success());
    }
    let (status, _, told) = folder.run(&["lint", "site", "--fix", "--fail-on", "never"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "fixed: site/a.xml: entry 1 · lastmod: `2026/5/1` -> `2026-05-01` (P-LASTMOD)\n\
             fixed: site/a.xml: entry 2 · changefreq: `Daily` -> `daily` (P-FREQ)\n\
             not fixed: site/pipe.txt: it is a FIFO or a device: name it to read it\n\
             not fixed: site/pipe.xml: it is a FIFO or a device: name it to read it\n\
             fixed: 2 values in 1 file\n\
             sitemap: cannot open site/pipe.txt: it is a FIFO or a device: name it to read it\n\
             sitemap: cannot open site/pipe.xml: it is a FIFO or a device: name it to read it\n"
        )
    );
    assert_eq!(folder.read("site/a.xml"), fixed("\n"));
}

/// A killed run leaves the old file as it was. The next run removes its temporary file, whatever file it was for.
#[cfg(unix)]
#[test]
fn killed_runs_lose_nothing() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with(&[("old.xml", fixable("\n"))]);
    for output in [&["old.xml", "--force"][..], &["new.xml"], &["new.xml.gz"]] {
        let edit = ["edit", "/dev/stdin", "--add", "https://example.com/3", "-o"];
        let arguments = [&edit, output].concat();
        let mut program = folder.command(&arguments).spawn().unwrap();
        let mut input = program.stdin.take().unwrap();
        let entries = "<url><loc>https://example.com/</loc></url>".repeat(2000);
        input
            .write_all(format!("<urlset xmlns=\"{CORE}\">{entries}").as_bytes())
            .unwrap();
        // The command waits for more input.
        input.flush().unwrap();
        while temporary_file(&folder).is_none() {
            assert!(program.try_wait().unwrap().is_none(), "it ended too early");
            std::thread::sleep(Duration::from_millis(1));
        }
        program.kill().unwrap();
        program.wait().unwrap();
        assert_eq!(folder.read("old.xml"), fixable("\n"));
        let left = temporary_file(&folder).unwrap();
        assert_eq!(folder.names(), [&left, "old.xml"], "{arguments:?}");
        if output.contains(&"old.xml") {
            // The old file may be private.
            let mode = fs::metadata(folder.path(&left)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(folder.run(&["repair", "old.xml", "-o", "other.xml"]).0, 1);
        assert_eq!(folder.names(), ["old.xml", "other.xml"]);
        fs::remove_file(folder.path("other.xml")).unwrap();
    }
}

/// A run keeps the temporary files of other runs, which are locked, and files with other names.
#[test]
fn only_what_killed_runs_left_is_removed() {
    let folder = Folder::with(&[("a.xml", fixable("\n"))]);
    for name in [
        ".b.sitemap-temporary",
        ".c.xml.4711.sitemap-temporary",
        ".written.sitemap-temporary",
        "a.xml.sitemap-temporary",
        ".a.xml.bak",
        ".sitemap-temporary.xml",
    ] {
        folder.write(name, "half");
    }
    let written = fs::File::open(folder.path(".written.sitemap-temporary")).unwrap();
    written.lock().unwrap();
    assert_eq!(folder.run(&["repair", "a.xml", "--in-place"]).0, 1);
    assert_eq!(
        folder.names(),
        [
            ".a.xml.bak",
            ".sitemap-temporary.xml",
            ".written.sitemap-temporary",
            "a.xml",
            "a.xml.sitemap-temporary"
        ]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn extended_attributes_are_kept() {
    let folder = Folder::with(&[("a.xml", fixable("\n"))]);
    let path = folder.path("a.xml");
    if xattr::set(&path, "user.origin", b"cms").is_err() {
        eprintln!("skipped: the file system has no extended attributes");
        return;
    }
    for way in WAYS {
        assert!(folder.run(way).0 < 2);
        let kept = xattr::get(&path, "user.origin").unwrap();
        assert_eq!(kept.as_deref(), Some(&b"cms"[..]), "{way:?}");
        fs::write(&path, fixable("\n")).unwrap();
    }
}

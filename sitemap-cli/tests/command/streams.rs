//! Unusual files: pipes, links, folders, names that are not UTF-8, and readers that stop reading.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::folder::{CORE, Folder, gzipped};

fn urlset(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">{entries}</urlset>\n")
}

fn many(count: usize) -> String {
    let entries =
        (0..count).map(|i| format!("<url><loc>https://example.com/{i}</loc><priority>x</priority></url>"));
    urlset(&entries.collect::<String>())
}

#[test]
fn readers_that_stop_reading_are_no_error() {
    let repaired = many(3_000).replace("<priority>x</priority>", "");
    let folder = Folder::with(&[
        ("a.xml", many(3_000)),
        ("good.xml", repaired.clone()),
        ("none.xml", urlset("")),
    ]);
    for (arguments, status) in [
        (&["cat", "a.xml"][..], 0),
        (&["lint", "a.xml", "--format", "json"], 0),
        (&["lint", "a.xml", "--format", "sarif"], 0),
        (&["convert", "good.xml", "--to", "jsonl"], 0),
        (&["convert", "good.xml", "--to", "csv"], 0),
        (&["repair", "a.xml"], 1),
        (
            &["lint", "a.xml", "--places", "100000", "--fail-on", "warning"],
            1,
        ),
        (&["diff", "none.xml", "good.xml"], 1),
        (&["diff", "none.xml", "good.xml", "--format", "json"], 1),
    ] {
        let mut program = folder.command(arguments).stderr(Stdio::null()).spawn().unwrap();
        let mut start = [0; 10];
        program.stdout.take().unwrap().read_exact(&mut start).unwrap();
        assert_eq!(program.wait().unwrap().code(), Some(status), "{arguments:?}");
    }
    // A repair also finishes if its report has no reader.
    let mut program = folder
        .command(&["repair", "a.xml", "-o", "b.xml", "--format", "json"])
        .spawn()
        .unwrap();
    drop(program.stderr.take());
    assert_eq!(program.wait().unwrap().code(), Some(1));
    assert_eq!(folder.read("b.xml"), repaired);
}

#[cfg(unix)]
#[test]
fn pipes_are_read_and_written() {
    use std::os::unix::fs::FileTypeExt;

    let folder = Folder::empty();
    let pipe = folder.path("pipe.in");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let broken = urlset("<url><loc>https://example.com/?a&b</loc></url>");
    for arguments in [
        &["lint", "pipe.in"][..],
        &["cat", "pipe.in"],
        &["stat", "pipe.in"],
        &["repair", "pipe.in"],
        &["convert", "pipe.in", "--to", "text"],
    ] {
        for document in [broken.as_bytes(), &gzipped(&broken)] {
            let writer = std::thread::spawn({
                let (pipe, document) = (pipe.clone(), document.to_vec());
                move || std::fs::write(pipe, document)
            });
            let from_pipe = folder.run(arguments);
            let _ = writer.join().unwrap();
            folder.write("pipe", document);
            let name = |text: &str| text.replace("pipe.in", "pipe");
            let arguments: Vec<_> = arguments.iter().map(|argument| name(argument)).collect();
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let (status, written, told) = from_pipe;
            assert_eq!(
                (status, name(&written), name(&told)),
                folder.run(&arguments),
                "{arguments:?}"
            );
        }
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let (status, _, told) = folder.pipe(&broken, &["repair", "-", "-o", "pipe.in"]);
    assert_eq!(status, 0, "{told}");
    let expected = broken.replace('&', "&amp;");
    assert_eq!(reader.join().unwrap(), expected);
    assert!(std::fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    let (status, _, told) = folder.run(&["repair", "pipe.in", "--help"]);
    assert_eq!((status, &*told), (0, ""));
}

#[cfg(unix)]
#[test]
fn links_folders_and_names_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let folder = Folder::with(&[
        ("site/b/c/1.xml", urlset("<url><loc>/x</loc></url>")),
        ("site/.git/2.xml", "<".to_owned()),
    ]);
    symlink("nowhere.xml", folder.path("dangling.xml")).unwrap();
    symlink("..", folder.path("site/b/up")).unwrap();
    // Reading a dangling link is an error. Writing to it creates its target.
    for command in ["lint", "cat", "stat", "repair"] {
        let (status, _, told) = folder.run(&[command, "dangling.xml"]);
        assert_eq!(status, 2);
        assert!(
            told.contains("dangling.xml") && told.contains("No such file"),
            "{told}"
        );
    }
    let good = urlset("<url><loc>https://example.com/</loc></url>");
    assert_eq!(folder.pipe(&good, &["repair", "-", "-o", "dangling.xml"]).0, 0);
    assert!(folder.path("dangling.xml").is_symlink());
    assert_eq!(folder.read("nowhere.xml"), good);
    // Links to a parent folder are not followed, and hidden files are not read.
    let (status, said, _) = folder.run(&["lint", "site", "--format", "github"]);
    assert_eq!(status, 1);
    assert!(said.starts_with("::error file=site/b/c/1.xml,"), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("::error")).count(), 1);

    let name = OsStr::from_bytes(b"odd-\xFF.xml");
    if std::fs::write(folder.path("site").join(name), &good).is_err() {
        return; // for example on macOS
    }
    let (status, said, _) = folder.run(&[
        "lint",
        "site",
        "--format",
        "sarif",
        "--level",
        "P-DECL=error",
        "--location",
        "https://example.org/",
    ]);
    assert_eq!(status, 1);
    assert!(said.contains("\"uri\":\"site/odd-%FF.xml\""), "{said}");
    let (status, said, _) = folder.run(&[
        "index",
        "site",
        "--location",
        "https://example.com",
        "--lastmod",
        "none",
    ]);
    assert_eq!(status, 0);
    assert!(
        said.contains("<loc>https://example.com/odd-%FF.xml</loc>"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn folders_that_nobody_may_write_to() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let good = urlset("<url><loc>https://example.com/</loc><lastmod>2026/5/1</lastmod></url>");
    let folder = Folder::with(&[("site/1.xml", good.clone())]);
    let site = folder.path("site");
    set_permissions(&site, Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(site.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write everywhere");
        return;
    }
    for arguments in [
        &["repair", "site/1.xml", "--in-place"][..],
        &["repair", "site/1.xml", "-o", "site/2.xml"],
        &[
            "index",
            "site",
            "--location",
            "https://example.com",
            "-o",
            "site/2.xml",
        ],
        &["split", "site", "-o", "site", "--base", "https://example.com"],
        &["convert", "site/1.xml", "--to", "text", "-o", "site/2.txt"],
    ] {
        let (status, written, told) = folder.run(arguments);
        assert_eq!((status, &*written), (2, ""), "{arguments:?}: {told}");
        assert!(
            told.contains("Permission denied") && told.matches("Permission denied").count() == 1,
            "{told}"
        );
    }
    let (status, _, told) = folder.run(&["lint", "site", "--fix"]);
    assert!(
        status == 2
            && told.starts_with("not fixed: site/1.xml: cannot write beside ")
            && told.ends_with("fixed: 0 values in 0 files\n"),
        "{told}"
    );
    set_permissions(&site, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(folder.read("site/1.xml"), good);
}

/// 50 MB in one line: an excerpt shows a part of it, and the document is never loaded whole.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_fifty_megabytes() {
    let folder = Folder::empty();
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.path("a.xml")).unwrap());
    write!(
        file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"{CORE}\">"
    )
    .unwrap();
    let padding = "x".repeat(1900);
    let mut len = 0;
    for i in 0..26_500 {
        let loc = if i == 23_000 {
            "/cut"
        } else {
            "https://example.com/"
        };
        let entry = format!("<url><loc>{loc}{padding}{i}</loc></url>");
        len += entry.len();
        file.write_all(entry.as_bytes()).unwrap();
    }
    write!(file, "</urlset>").unwrap();
    file.flush().unwrap();
    assert!(len > 49 << 20);
    // With less memory than the line needs.
    let mut shell = std::process::Command::new("sh");
    shell
        .args([
            "-c",
            "ulimit -v 50000 && exec \"$0\" lint a.xml",
            env!("CARGO_BIN_EXE_sitemap"),
        ])
        .current_dir(folder.path(""));
    let output = shell.output().unwrap();
    let (said, told) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(said.len() < 4000, "{}", said.len());
    let shown = said.lines().find(|line| line.starts_with("1 | ")).unwrap();
    assert!(shown.contains(">/cutxxx") && shown.len() < 400, "{shown}");
}

/// The command's output on a terminal. `None` if this machine lacks `script`, which creates the terminal.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Folder, arguments: &str) -> Option<String> {
    on_terminal_with(folder, arguments, "TERM=xterm")
}

/// Like [`on_terminal`], with these variables of the environment.
#[cfg(target_os = "linux")]
fn on_terminal_with(folder: &Folder, arguments: &str, variables: &str) -> Option<String> {
    // A document on standard input comes in two pieces, and the second one late.
    let reads_input = arguments.split(' ').any(|argument| argument == "-");
    let input = if reads_input {
        "(head -c 100000 a.xml; sleep 0.3; tail -c +100001 a.xml) | "
    } else {
        ""
    };
    let sitemap = env!("CARGO_BIN_EXE_sitemap");
    let output = std::process::Command::new("script")
        .args([
            "-qec",
            &format!("{input}env {variables} '{sitemap}' {arguments}"),
            "/dev/null",
        ])
        .current_dir(folder.path("."))
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(error) => {
            eprintln!("skipped: no `script`, which makes a terminal: {error}");
            None
        }
    }
}

/// Removes the progress lines. Panics if one was not cleared before other output.
#[cfg(target_os = "linux")]
fn without_progress(text: &str) -> (String, usize) {
    const CLEAR: &str = "\r\x1b[K";
    let (mut rest, mut shown) = (String::new(), 0);
    let mut parts = text.split(CLEAR);
    rest += parts.next().unwrap_or_default();
    for part in parts {
        // Only whole lines precede a progress line.
        assert!(
            rest.is_empty() || rest.ends_with('\n'),
            "{:?}",
            rest.lines().last()
        );
        match part.strip_prefix("\x1b[?7l") {
            Some(line) => {
                shown += 1;
                let (line, behind) = line.split_once("\x1b[?7h").expect("a line that ends");
                assert!(
                    !line.contains('\n') && behind.is_empty(),
                    "{line:?}, then {:?}",
                    behind.lines().next()
                );
            }
            None => rest += part,
        }
    }
    (rest, shown)
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_progress_stands_on_a_line_of_its_own() {
    let entry = |i: usize| format!("<url><loc>https://example.com/{i}</loc></url>");
    let good = urlset(&(0..20_000).map(entry).collect::<String>());
    let wrong = urlset("<url><loc>https://example.com/x</loc><priority>7</priority></url>");
    let files = [("a.xml", good.clone()), ("c.xml", wrong), ("d.xml", many(300))];
    let folder = Folder::with(&files);
    let name = "e".repeat(200) + ".xml";
    folder.write(&name, &good);
    // A job shows its first line after 100 ms; `None` is one that may be shorter.
    for (arguments, has_progress) in [
        ("repair c.xml -o c2.xml".to_owned(), None),
        ("repair d.xml -o d2.xml".to_owned(), None),
        (format!("repair {name} -o e2.xml"), None),
        (
            "edit - -o e3.xml --touch https://example.com/3".to_owned(),
            Some(true),
        ),
        ("lint a.xml c.xml d.xml".to_owned(), None),
        // The progress line is drawn again after the second file, between findings of the first file.
        ("lint d.xml a.xml c.xml --format json".to_owned(), None),
        ("edit c.xml --touch https://example.com/x".to_owned(), None),
        (
            "split a.xml d.xml -o set --base https://example.com/".to_owned(),
            None,
        ),
        (
            "index . --location https://example.com/ -o index.xml".to_owned(),
            None,
        ),
        // The document itself goes to the terminal.
        ("repair a.xml".to_owned(), Some(false)),
        (
            "edit a.xml -o - --touch https://example.com/3".to_owned(),
            Some(false),
        ),
        // Standard error is discarded.
        ("repair c.xml -o c3.xml 2>/dev/null".to_owned(), Some(false)),
    ] {
        let Some(text) = on_terminal(&folder, &arguments) else {
            return;
        };
        let (rest, shown) = without_progress(&text);
        if let Some(has_progress) = has_progress {
            assert_eq!(shown > 0, has_progress, "{arguments}");
        }
        assert_eq!(rest.is_empty(), arguments.contains("/dev/null"), "{arguments}");
    }
}

/// What comes from a document cannot control a terminal, whatever prints it, and JSON stays the same JSON.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_controls_from_documents() {
    let image = |title: &str| {
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>https://example.com/a</loc><image:image>\
             <image:loc>https://example.com/i.jpg</image:loc><image:title>{title}\u{9b}31m\u{202e}\u{7f}</image:title></image:image>\
             <xhtml:link rel=\"alternate\" hreflang=\"de\u{202e}\u{9b}\" href=\"https://example.com/d\"/></url></urlset>"
        )
    };
    let files = [("a.xml", image("A")), ("b.xml", image("B"))];
    let folder = Folder::with(&files);
    folder.write(
        "lines.txt",
        "https://example.com/a\u{202e}\nhttps://example.com/\u{9b}31m\n",
    );
    folder.write("site/index.html", "<title>\u{202e}</title><p>\u{9b}31m");
    for command in [
        "cat a.xml --format jsonl",
        "cat a.xml --format jsonl --fields image.title,loc",
        "cat a.xml --fields loc,image.title,alternate.hreflang",
        "cat lines.txt",
        "diff a.xml b.xml",
        "diff a.xml b.xml --format json",
        "diff a.xml b.xml --format github",
        "stat a.xml",
        "stat a.xml --format json",
        "lint a.xml lines.txt --color never",
        "lint a.xml lines.txt --format json",
        "lint a.xml lines.txt --format github",
        "lint a.xml lines.txt --format sarif",
        "convert a.xml --to jsonl --lenient",
        "convert a.xml --to csv --lenient",
        "convert a.xml --to xml --lenient",
        "convert lines.txt --to text --lenient",
        "repair a.xml",
        "repair a.xml --format json",
        "edit a.xml -o - --touch https://example.com/a",
        "split a.xml -o set --base https://example.com --lenient",
        "from site --location https://example.com --dry-run",
        "from site --location https://example.com --dry-run --format json",
        "from site --location https://example.com --explain /",
    ] {
        let Some(text) = on_terminal(&folder, command) else {
            return;
        };
        let (text, _) = without_progress(&text);
        let is_unsafe = |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t') || *c == '\u{202e}';
        assert_eq!(text.chars().find(is_unsafe), None, "{command}: {text}");
        if command.contains("json") && command.starts_with("cat") {
            let line = text.lines().next().unwrap();
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(value.to_string().contains('\u{202e}'), "{command}: {text}");
        }
    }
}

/// Colours are for terminals that have them.
#[cfg(target_os = "linux")]
#[test]
fn a_dumb_terminal_has_no_colours() {
    let folder = Folder::with(&[("a.xml", urlset("<url><loc>/a</loc></url>"))]);
    for (variable, is_coloured) in [
        ("TERM=xterm", true),
        ("TERM=dumb", false),
        ("TERM=xterm NO_COLOR=1", false),
    ] {
        let Some(text) = on_terminal_with(&folder, "lint a.xml", variable) else {
            return;
        };
        let (text, _) = without_progress(&text);
        assert_eq!(text.contains('\u{1b}'), is_coloured, "{variable}: {text:?}");
    }
}

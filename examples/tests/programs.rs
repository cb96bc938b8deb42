//! The numbered programs: each is run, prints what its `.out` says, and is in the index.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use sitemap_serde::{UrlEntry, W3cDateTime};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The names of the files in `programs/` with an extension.
fn names(extension: &str) -> BTreeSet<String> {
    let files = fs::read_dir(root().join("programs")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let named = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    named
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

fn program(name: &str) -> Command {
    let mut file = std::env::current_exe().unwrap();
    file.pop();
    file.pop();
    Command::new(
        file.join("examples")
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX)),
    )
}

#[test]
fn each_program_prints_what_its_file_says() {
    let names = names("out");
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let folder = tempfile::tempdir().unwrap();
        let shown = folder.path().to_str().unwrap().replace('\\', "/");
        let (argument, status) = if name == "12_lint_gate" {
            let file = folder.path().join("empty.xml");
            fs::write(&file, sitemap_serde::to_string::<[UrlEntry]>(&[]).unwrap()).unwrap();
            (format!("{shown}/empty.xml"), 1)
        } else {
            (format!("{shown}/set"), 0)
        };
        let output = program(&name).arg(argument).output().unwrap();
        let said = String::from_utf8(output.stdout)
            .unwrap()
            .replace(&shown, "FOLDER");
        let expected = fs::read_to_string(root().join(format!("programs/{name}.out"))).unwrap();
        assert_eq!((said, output.status.code()), (expected, Some(status)), "{name}");
    }
}

/// The flat site serves its pages, its blog and robots.txt to curl.
#[test]
fn curl_reads_the_flat_site() {
    let Some(curl) = sitemap_tests::program("curl_reads_the_flat_site", "curl") else {
        return;
    };
    let mut site = program("09_flat_axum").stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(site.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let get = |path: &str| {
        let url = format!("{}{path}", address.trim());
        let output = Command::new(&curl)
            .args(["--silent", "--fail", &url])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (xml, robots) = (get("/sitemap.xml"), get("/robots.txt"));
    site.kill().unwrap();
    site.wait().unwrap();
    let locs: Vec<_> = xml
        .split("<loc>https://example.com")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    assert_eq!(locs, ["/", "/about", "/contact", "/blog/lamps", "/blog/chairs"]);
    assert_eq!(
        robots,
        "User-agent: *\nDisallow: /account/\n\nSitemap: https://example.com/sitemap.xml\n"
    );
}

/// Answers requests like a site that serves a key, and like an engine that takes an order of these pages.
fn engine(key: &'static str, pages: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let own = site.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (Vec::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push(line);
            }
            let mut posted = vec![0; length];
            reader.read_exact(&mut posted).unwrap();
            let posted: serde_json::Value = serde_json::from_slice(&posted).unwrap_or_default();
            let urls: Vec<_> = pages.iter().map(|page| format!("{own}{page}")).collect();
            let is_order = posted["urlList"] == serde_json::json!(urls) && posted["key"] == key;
            let (status, body) = match head.first().and_then(|line| line.split(' ').nth(1)) {
                Some(path) if path == format!("/{key}.txt") => (200, key),
                Some("/indexnow") if is_order => (202, ""),
                _ => (404, ""),
            };
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .unwrap();
        }
    });
    site
}

#[test]
fn changed_pages_are_submitted() {
    const KEY: &str = "0123456789abcdef";
    let site = engine(KEY, &["/a", "/b", "/d"]);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, entries: &[(&str, &str)]| {
        let entries: Vec<_> = entries
            .iter()
            .map(|(page, date)| {
                UrlEntry::new(format!("{site}{page}")).with_lastmod(date.parse::<W3cDateTime>().unwrap())
            })
            .collect();
        let file = folder.path().join(name);
        fs::write(&file, sitemap_serde::to_string(&entries).unwrap()).unwrap();
        file
    };
    let old = write(
        "old.xml",
        &[("/a", "2026-05-01"), ("/b", "2026-05-01"), ("/c", "2026-05-01")],
    );
    let new = write(
        "new.xml",
        &[("/b", "2026-05-02"), ("/c", "2026-05-01"), ("/d", "2026-05-02")],
    );
    let output = program("14_submit")
        .args([&old, &new])
        .args([KEY, &format!("{site}/indexnow")])
        .output()
        .unwrap();
    assert_eq!(
        (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap()
        ),
        (
            format!("- {site}/a\n~ {site}/b lastmod: 2026-05-01 -> 2026-05-02\n+ {site}/d\n3 received\n"),
            String::new()
        )
    );
}

/// The index lists every program once, by links to files that are there, and a program fits on a screen.
#[test]
fn the_index_has_every_program() {
    let index = fs::read_to_string(root().join("README.md")).unwrap();
    for name in names("rs") {
        let link = format!("](programs/{name}.rs)");
        assert_eq!(index.matches(&link).count(), 1, "{name}");
        let text = fs::read_to_string(root().join(format!("programs/{name}.rs"))).unwrap();
        assert!(text.starts_with("//! ") && text.lines().count() <= 50, "{name}");
    }
    let links = index
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap());
    for link in links.filter(|link| !link.starts_with("https:")) {
        assert!(root().join(link).exists(), "{link}");
    }
}

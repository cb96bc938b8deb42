//! `--report`: the outcome of each document of a walk.

use serde_json::{Value, json};

use crate::folder::{CORE, Folder};
use crate::live::{index, urlset};
use crate::server::{Answer, Server};

/// A site with one document for every outcome.
fn site() -> Server {
    Server::start(|_, request| {
        let host = &request.host;
        let loc = |path: &str| format!("http://{host}{path}");
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: {}\n", loc("/sitemap.xml"))),
            "/sitemap.xml" => {
                let listed = [
                    "/a.xml",
                    "/moved.xml",
                    "/gone.xml",
                    "/page.xml",
                    "/half.xml",
                    "/a.xml#2",
                ]
                .map(loc);
                let mut listed: Vec<&str> = listed.iter().map(|loc| &**loc).collect();
                listed.push("https://other.example/x.xml");
                Answer::ok(index(&listed))
            }
            "/a.xml" | "/new.xml" => Answer::ok(urlset(&["https://example.com/1", "https://example.com/2"])),
            "/moved.xml" => Answer::status(301).with("Location: /new.xml"),
            "/page.xml" => Answer::ok("<!doctype html><title>x</title>"),
            "/half.xml" => Answer::ok(format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/3</loc></url><url></url></urlset>"
            )),
            _ => Answer::status(404),
        }
    })
}

fn report(folder: &Folder, server: &Server) -> Vec<Value> {
    let text = folder.read("report.jsonl").replace(&server.url(""), "");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_document_of_a_walk_is_reported_by_every_command() {
    let server = site();
    let url = server.url("/");
    let mut first: Option<Vec<Value>> = None;
    for command in ["cat", "stat", "lint", "diff"] {
        let folder = Folder::with(&[("old.txt", "https://example.com/1\n")]);
        let mut arguments = vec![command];
        if command == "diff" {
            arguments.push("old.txt");
        }
        arguments.extend([&*url, "--site", "--report", "report.jsonl", "--connections", "1"]);
        let (status, _, told) = folder.run(&arguments);
        assert_eq!(status, 2, "{command}: {told}");
        let lines = report(&folder, &server);
        let fates: Vec<_> = lines
            .iter()
            .map(|line| {
                let keys = [
                    "url",
                    "role",
                    "outcome",
                    "status",
                    "redirects",
                    "kind",
                    "entries",
                    "unreadable",
                ];
                Value::from(keys.map(|key| line[key].clone()).to_vec())
            })
            .collect();
        assert_eq!(
            fates,
            [
                json!(["/robots.txt", "robots", "read", 200, 0, "robots", 1, 0]),
                json!(["/sitemap.xml", "named", "read", 200, 0, "index", 7, 0]),
                json!(["/a.xml", "child", "read", 200, 0, "pages", 2, 0]),
                json!(["/moved.xml", "child", "read", 200, 1, "pages", 2, 0]),
                json!(["/gone.xml", "child", "absent", 404, 0, null, 0, 0]),
                json!(["/page.xml", "child", "failed", 200, 0, null, 0, 0]),
                json!(["/half.xml", "child", "read", 200, 0, "pages", 1, 1]),
                json!([
                    "https://other.example/x.xml",
                    "child",
                    "skipped",
                    null,
                    0,
                    null,
                    0,
                    0
                ]),
            ],
            "{command}"
        );
        let why = |number: usize| lines[number]["why"].as_str();
        assert_eq!(why(2), None);
        assert_eq!(why(4), Some("does not exist"));
        assert!(
            why(5).is_some_and(|why| why.contains("HTML page")),
            "{:?}",
            why(5)
        );
        assert_eq!(why(7), Some("it is on another host"));
        assert_eq!(lines[3]["redirectedTo"], "/new.xml");
        assert_eq!(lines[3]["listedIn"], "/sitemap.xml");
        assert!(lines[2]["bytes"].as_u64() > Some(100) && lines[2]["changed"] == true);
        // Only the reasons for unreadable documents differ between the commands.
        let mut lines = lines;
        for line in &mut lines {
            line["why"].take();
        }
        assert_eq!(first.get_or_insert_with(|| lines.clone()), &lines, "{command}");
    }
}

/// Unchanged documents keep their entries.
#[test]
fn a_second_walk_reports_what_has_not_changed() {
    let server = site();
    let folder = Folder::empty();
    let arguments = [
        "cat",
        &server.url("/"),
        "--site",
        "--save",
        "state",
        "--report",
        "report.jsonl",
    ];
    folder.run(&arguments);
    let before = report(&folder, &server);
    folder.run(&arguments);
    let after = report(&folder, &server);
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["entries"], after["entries"], "{after}");
    }
    assert_eq!(
        (&before[2]["changed"], &after[2]["changed"]),
        (&json!(true), &json!(false))
    );
}

/// All walks of a command are in one report, including failed walks.
#[test]
fn each_walk_of_a_command_is_reported() {
    let server = site();
    let folder = Folder::empty();
    folder.run(&[
        "cat",
        &server.url("/a.xml"),
        &server.url("/none.xml"),
        "--report",
        "report.jsonl",
    ]);
    let lines = report(&folder, &server);
    let fates: Vec<_> = lines
        .iter()
        .map(|line| (line["url"].clone(), line["outcome"].clone()))
        .collect();
    assert_eq!(
        fates,
        [
            (json!("/a.xml"), json!("read")),
            (json!("/none.xml"), json!("absent"))
        ]
    );
}

#[test]
fn a_report_needs_a_url_and_a_file() {
    let folder = Folder::with(&[("a.xml", urlset(&["https://example.com/"]))]);
    for command in ["cat", "stat", "lint", "convert", "split", "diff"] {
        let mut arguments = vec![command, "a.xml"];
        match command {
            "convert" => arguments.extend(["--to", "text"]),
            "split" => arguments.extend(["-o", "out", "--base", "https://example.com"]),
            "diff" => arguments.push("a.xml"),
            _ => {}
        }
        arguments.extend(["--report", "report.jsonl"]);
        let (status, _, told) = folder.run(&arguments);
        assert_eq!(
            (status, &*told),
            (
                2,
                "sitemap: --report is for documents at URLs, and no URL is named\n"
            ),
            "{command}"
        );
    }
    let (status, _, told) = folder.run(&["cat", "http://127.0.0.1:9/a.xml", "--report", "-"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: --report names a file, and `-` is standard output: for a file of that name, write `./-`\n"
        )
    );
}

/// A report that cannot be written is an error before anything is requested or printed, in every command that walks.
#[test]
fn an_unwritable_report_is_noticed_first() {
    let requests = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&requests);
    let server = Server::start(move |_, _| {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Answer::ok(urlset(&["https://example.com/1"]))
    });
    let url = server.url("/a.xml");
    let folder = Folder::with(&[
        ("a.xml", urlset(&["https://example.com/"])),
        ("folder/b", String::new()),
    ]);
    for command in ["cat", "stat", "lint", "convert", "split", "diff"] {
        let mut arguments = vec![command, &*url];
        match command {
            "convert" => arguments.extend(["--to", "text"]),
            "split" => arguments.extend(["-o", "out", "--base", "https://example.com"]),
            "diff" => arguments.push("a.xml"),
            _ => {}
        }
        for (report, expected) in [
            ("folder", "--report names a file, and folder is a directory"),
            (
                "none/report",
                "none/report cannot be written: there is no directory none",
            ),
            (
                "a.xml/report",
                "cannot look at a.xml/report: Not a directory (os error 20)",
            ),
        ] {
            let arguments = [&*arguments, &["--report", report]].concat();
            assert_eq!(
                folder.run(&arguments),
                (2, String::new(), format!("sitemap: {expected}\n")),
                "{arguments:?}"
            );
        }
        let (_, printed, _) = folder.run(&[&*arguments, &["--report", "report.jsonl"]].concat());
        assert!(!folder.read("report.jsonl").is_empty(), "{command}: {printed}");
    }
    assert_eq!(requests.load(std::sync::atomic::Ordering::Relaxed), 7);
}

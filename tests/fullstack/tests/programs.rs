//! The examples as servers: curl reads their sitemaps, and each page that these list. The log shows the row that they skip.

use std::env;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serde::{SitemapIndex, UrlEntry};
use tempfile::TempDir;

/// An example as a process. Dropping this ends it.
struct Program {
    child: Child,
    server: String,
    /// Has the file `log` with everything that the process prints.
    folder: TempDir,
}

impl Program {
    /// Starts an example, and waits until it listens. `start` gets a folder for its files, and the port of 127.0.0.1 for it to listen on.
    fn start(example: &str, start: impl FnOnce(&mut Command, &Path, u16)) -> Self {
        let test = env::current_exe().unwrap();
        let target = test.parent().and_then(Path::parent).unwrap();
        let file = format!("examples/{example}{}", env::consts::EXE_SUFFIX);
        let folder = tempfile::tempdir().unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut command = Command::new(target.join(file));
        command.env_remove("RUST_LOG").stdin(Stdio::null());
        command.stderr(log.try_clone().unwrap()).stdout(log);
        start(&mut command, folder.path(), port);
        let mut program = Program {
            child: command.spawn().unwrap(),
            server: format!("http://127.0.0.1:{port}"),
            folder,
        };
        let end = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let status = program.child.try_wait().unwrap();
            assert!(
                status.is_none() && Instant::now() < end,
                "{status:?}: {}",
                program.log()
            );
            thread::sleep(Duration::from_millis(20));
        }
        program
    }

    /// Requests a path by curl. Returns the status and the body.
    #[track_caller]
    fn get(&self, path: &str) -> (String, String) {
        let url = format!("{}{path}", self.server);
        let output = Command::new("curl")
            .args(["--silent", "--show-error", "--max-time", "60"])
            .args(["--write-out", "%{http_code}", &url])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}\n{}", self.log());
        let mut body = String::from_utf8(output.stdout).unwrap();
        let status = body.split_off(body.len() - 3);
        (status, body)
    }

    /// What it has printed until now, without colours.
    fn log(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        let mut parts = log.split("\u{1b}[");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |log, part| {
            log + part.split_once('m').map_or(part, |(_, text)| text)
        })
    }

    /// Reads the sitemap of a site at `base`, and each listed page. Returns the pages' paths and bodies.
    #[track_caller]
    fn pages(&self, base: &str) -> Vec<(String, String)> {
        let path = |loc: &str| loc.strip_prefix(base).unwrap().to_owned();
        let robots = format!("User-agent: *\nAllow: /\n\nSitemap: {base}/sitemap.xml\n");
        assert_eq!(self.get("/robots.txt"), ("200".to_owned(), robots));
        let read = |path: &str| {
            let (status, body) = self.get(path);
            assert_eq!(status, "200", "{path}: {body}\n{}", self.log());
            body
        };
        let index: SitemapIndex = sitemap_serde::from_str(&read("/sitemap.xml")).unwrap();
        let parts = index.iter().map(|part| read(&path(&part.loc)));
        let entries = parts.flat_map(|part| sitemap_serde::from_str::<Vec<UrlEntry>>(&part).unwrap());
        let pages = entries.map(|entry| (path(&entry.loc), read(&path(&entry.loc))));
        pages.collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asserts that each page which the sitemap lists shows itself.
#[track_caller]
fn check(program: &Program, base: &str, pages: &[(&str, &str)]) {
    let found = program.pages(base);
    let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
    let expected: Vec<_> = pages.iter().map(|(path, _)| *path).collect();
    assert_eq!(paths, expected);
    for ((path, body), (_, text)) in found.iter().zip(pages) {
        assert!(body.contains(text), "{path}: {body}");
    }
}

/// The third post of each example is too long for a sitemap.
fn reason(base: &str) -> String {
    let loc = format!("{base}/posts/{}", "x".repeat(3_000));
    let (start, length) = (&loc[..60], loc.len() - 3_000);
    format!(
        "`{start}…` has 3,{length:03} characters: 2,048 are allowed (P-LOCLEN); shorten the URL or leave the page out, entry 3 · loc"
    )
}

/// The line on standard error, if the log shows nothing of the sitemap.
fn told(base: &str, cause: &str) -> String {
    let reason = reason(base);
    format!(
        "sitemap_site: a row is skipped in the sitemap (key 3): {reason}. This is said once, since {cause}"
    )
}

const HIDDEN: &str =
    "the program's log hides the target `sitemap_site`: add `sitemap_site=warn` to its filter";

/// Returns the only line about the skipped row, without its time.
#[track_caller]
fn skipped(log: &str) -> &str {
    let lines: Vec<_> = log
        .lines()
        .filter(|line| line.contains("a row is skipped"))
        .collect();
    let [line] = *lines else {
        panic!("{} lines: {log}", lines.len())
    };
    let start = line.find("\"level\"").or(line.find("WARN"));
    &line[start.unwrap_or(0)..]
}

/// The application of Loco in an environment, which selects the file of its settings.
fn start_loco(environment: &str, filter: Option<&str>) -> Program {
    Program::start("loco_blog", |command, folder, port| {
        let database = format!("sqlite://{}?mode=rwc", folder.join("blog.sqlite").display());
        command
            .args(["--environment", environment])
            .args(["start", "--no-banner", "--binding", "127.0.0.1"])
            .args(["--port", &port.to_string()])
            .env("DATABASE_URL", database)
            .envs(filter.map(|filter| ("RUST_LOG", filter)))
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/loco_blog"));
    })
}

#[test]
fn loco() {
    for (environment, base, filter, is_logged) in [
        ("development", "http://localhost:5150", None, false),
        (
            "development",
            "http://localhost:5150",
            Some("sitemap_site=warn"),
            true,
        ),
        ("production", "https://example.com", None, true),
        ("production", "https://example.com", Some("loco_rs=info"), false),
    ] {
        let program = start_loco(environment, filter);
        let pages = [
            ("/posts/lamps", "lamps"),
            ("/posts/dark%20lamps", "dark lamps"),
            ("/", "home"),
            ("/about", "about"),
        ];
        check(&program, base, &pages);
        let reason = reason(base);
        let line = match is_logged {
            true => format!(
                "\"level\":\"WARN\",\"fields\":{{\"message\":\"a row is skipped in the sitemap\",\"key\":\"3\",\"error\":\"{reason}\"}},\"target\":\"sitemap_site::serve::render\"}}"
            ),
            false => told(base, HIDDEN),
        };
        assert_eq!(skipped(&program.log()), line, "{environment} {filter:?}");
    }
}

const BASE: &str = "https://example.com";

const ROUTES: [(&str, &str); 4] = [
    ("/", "home"),
    ("/about", "about"),
    ("/posts/lamps", "post lamps"),
    ("/posts/dark%20lamps", "post dark lamps"),
];

#[test]
fn leptos() {
    let program = Program::start("leptos", |command, _, port| {
        command
            .env("LEPTOS_OUTPUT_NAME", "blog")
            .env("LEPTOS_SITE_ADDR", format!("127.0.0.1:{port}"));
    });
    check(&program, BASE, &ROUTES);
    let none = "the program has no log: `tracing_subscriber::fmt::init()`, or a logger of the crate `log`, shows everything that the sitemap skips";
    assert_eq!(skipped(&program.log()), told(BASE, none));
}

#[test]
fn dioxus() {
    let logged = format!(
        "WARN sitemap{{part=\"sitemap-posts.xml\"}}: sitemap_site::serve::render: a row is skipped in the sitemap key=3 error={}",
        reason(BASE)
    );
    for (filter, line) in [(None, logged), (Some("dioxus_server=info"), told(BASE, HIDDEN))] {
        let program = Program::start("dioxus", |command, folder, port| {
            command
                .env("PORT", port.to_string())
                .envs(filter.map(|filter| ("RUST_LOG", filter)))
                // The command `dx` puts the files for browsers there.
                .env("DIOXUS_PUBLIC_PATH", folder);
        });
        check(&program, BASE, &ROUTES);
        assert_eq!(skipped(&program.log()), line, "{filter:?}");
    }
}

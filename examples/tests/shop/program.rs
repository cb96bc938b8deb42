//! The program: built once, run in its own folder, and serving until it is dropped.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::{Double, Nullable, Text};
use tempfile::TempDir;

use crate::sitemap::Entry;

/// A folder with a database for the shop.
pub(crate) struct Shop {
    folder: TempDir,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Shop {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program in the folder, with the folder's database.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shop"));
        command
            .args(arguments)
            .args(["--database", "shop.sqlite"])
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs it, and expects success.
    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "shop {arguments:?}: {output:?}");
    }

    /// Runs it, and expects a failure. Returns its message.
    #[track_caller]
    pub(crate) fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "shop {arguments:?}: {output:?}");
        stderr(&output)
    }

    /// Serves, on a free port.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        let mut command = self.command(arguments);
        command.args(["--listen", "127.0.0.1:0"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let mut server = Server {
            child,
            address: String::new(),
            said: String::new(),
            log: Arc::default(),
        };
        let log = Arc::clone(&server.log);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = writeln!(log.lock().unwrap(), "{line}");
            }
        });
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = writeln!(server.said, "{line}");
            if line.starts_with("Ctrl-C") {
                break;
            }
        }
        let address = server
            .said
            .split_whitespace()
            .find(|word| word.starts_with("http://"));
        server.address = match address {
            Some(address) => address.trim_end_matches('/').to_owned(),
            None => panic!("the shop does not open: {:?}", server.log.lock().unwrap()),
        };
        server
    }

    /// The database, for the test.
    pub(crate) fn database(&self) -> SqliteConnection {
        let path = self.path("shop.sqlite");
        SqliteConnection::establish(path.to_str().unwrap()).unwrap()
    }
}

#[track_caller]
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A shop that is open until this is dropped.
pub(crate) struct Server {
    child: Child,
    /// `http://127.0.0.1:…`
    pub(crate) address: String,
    /// Its output at the start.
    pub(crate) said: String,
    log: Arc<Mutex<String>>,
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

fn request(url: &str) -> ureq::http::Response<ureq::Body> {
    ureq::get(url)
        .config()
        .http_status_as_error(false)
        .build()
        .call()
        .unwrap()
}

/// A whole response, whatever its status.
pub(crate) fn fetch(url: &str) -> Response {
    let response = request(url);
    let status = response.status().as_u16();
    let content_type = response.headers()["content-type"].to_str().unwrap().to_owned();
    let mut body = String::new();
    response
        .into_body()
        .into_reader()
        .read_to_string(&mut body)
        .unwrap();
    Response {
        status,
        content_type,
        body,
    }
}

impl Server {
    /// Asks the program to end. The returned function waits for it.
    #[cfg(unix)]
    pub(crate) fn terminate(mut self) -> impl FnOnce() -> std::process::ExitStatus {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &process]).status().unwrap();
        assert!(sent.success());
        move || self.child.wait().unwrap()
    }

    /// An unread response.
    pub(crate) fn open(&self, path: &str) -> impl Read + use<> {
        let response = request(&format!("{}{path}", self.address));
        assert_eq!(response.status(), 200, "{path}");
        response.into_body().into_reader()
    }

    pub(crate) fn response(&self, path: &str) -> Response {
        fetch(&format!("{}{path}", self.address))
    }

    /// A sitemap's text.
    #[track_caller]
    pub(crate) fn xml(&self, path: &str) -> String {
        let Response {
            status,
            content_type,
            body,
        } = self.response(path);
        assert_eq!(
            (status, content_type.as_str()),
            (200, "application/xml; charset=utf-8"),
            "{path}"
        );
        body
    }

    /// Waits until the program has printed it on standard error.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while !self.log().contains(text) {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{text:?} is not in the log: {}",
                self.log()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Its peak memory, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    loc: String,
    #[diesel(sql_type = Nullable<Text>)]
    lastmod: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    changefreq: Option<String>,
    #[diesel(sql_type = Nullable<Double>)]
    priority: Option<f64>,
}

fn entries(connection: &mut SqliteConnection, query: &str) -> Vec<Entry> {
    let rows = diesel::sql_query(query).load::<Row>(connection).unwrap();
    let entries = rows.into_iter().map(|row| Entry {
        loc: row.loc,
        lastmod: row.lastmod,
        changefreq: row.changefreq,
        priority: row.priority.map(|priority| format!("{priority:.1}")),
    });
    entries.collect()
}

impl Shop {
    /// The expected entries of the shop's sitemap, from the rows: sections in order, without drafts.
    pub(crate) fn listed(&self, base: &str) -> Vec<Entry> {
        let pages = [
            ("/", "daily", Some("1.0")),
            ("/products", "daily", Some("0.9")),
            ("/posts", "weekly", Some("0.6")),
            ("/about", "yearly", None),
            ("/terms", "yearly", Some("0.1")),
        ];
        let pages = pages.map(|(path, changefreq, priority)| Entry {
            loc: format!("{base}{path}"),
            lastmod: None,
            changefreq: Some(changefreq.to_owned()),
            priority: priority.map(str::to_owned),
        });
        let mut connection = self.database();
        let mut rows = |table, changefreq, priority| {
            let query = format!(
                "SELECT slug AS loc, replace(updated_at, ' ', 'T') || 'Z' AS lastmod, '{changefreq}' AS changefreq, \
                 {priority} AS priority FROM {table} WHERE NOT draft ORDER BY id"
            );
            let mut rows = entries(&mut connection, &query);
            for row in &mut rows {
                row.loc = format!("{base}/{table}/{}", percent_encoded(&row.loc));
            }
            rows
        };
        let posts = rows("posts", "monthly", "weight");
        let products = rows("products", "weekly", "0.8");
        pages.into_iter().chain(posts).chain(products).collect()
    }

    /// The rows that `shop import` read.
    pub(crate) fn imported(&self) -> Vec<Entry> {
        entries(
            &mut self.database(),
            "SELECT loc, lastmod, changefreq, priority FROM pages ORDER BY id",
        )
    }
}

/// RFC 3986's unreserved characters stay.
fn percent_encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

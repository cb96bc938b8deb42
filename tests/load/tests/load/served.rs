//! The shop, and a test's requests.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use sitemap_load_tests::{Process, fill};
use sitemap_serving_tests::{Client, Program, get};
use sqlx::Connection as _;

pub(crate) struct Shop {
    program: Program,
    pub(crate) address: SocketAddr,
}

/// A database file of products: its folder, its path, its URL.
pub(crate) struct File {
    _folder: tempfile::TempDir,
    pub(crate) path: std::path::PathBuf,
    pub(crate) url: String,
}

/// Products in a database file, with slugs of this length.
pub(crate) fn sqlite(rows: u64, width: usize) -> File {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    let url = format!("sqlite:{}", path.display());
    execute(&format!("{url}?mode=rwc"), &fill(&url, rows, width));
    File {
        _folder: folder,
        path,
        url,
    }
}

/// Runs statements on their own connection.
pub(crate) fn execute(url: &str, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for sql in sql.split("; ").map(str::to_owned).map(sqlx::AssertSqlSafe) {
            if url.starts_with("sqlite:") {
                let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            } else {
                let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
        }
    });
}

impl Shop {
    /// Starts the shop with additional environment variables.
    #[track_caller]
    pub(crate) fn start(url: &str, settings: &[(&str, &str)]) -> Self {
        let mut variables = vec![("DATABASE", url)];
        variables.extend(settings);
        let program = Program::start("shop_under_load", &variables);
        let address = program.address;
        Shop { program, address }
    }

    pub(crate) fn process(&self) -> Process {
        Process(self.program.id())
    }

    /// The shop's counts.
    pub(crate) fn stats(&self) -> BTreeMap<String, u64> {
        let response = get(self.address, "/stats", &[]);
        let lines = response.text().lines();
        lines
            .map(|line| {
                let (name, number) = line.split_once(' ').unwrap();
                (name.to_owned(), number.parse().unwrap())
            })
            .collect()
    }

    pub(crate) fn stat(&self, name: &str) -> u64 {
        self.stats()[name]
    }

    /// Waits until a number has the expected value.
    #[track_caller]
    pub(crate) fn until(&self, name: &str, done: impl Fn(u64) -> bool) {
        let started = Instant::now();
        loop {
            let number = self.stat(name);
            if done(number) {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(90), "{name} is {number}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Requests a path, without waiting.
    pub(crate) fn ask(&self, path: &str) -> Client {
        let mut client = Client::connect(self.address);
        client.send(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
        client
    }
}

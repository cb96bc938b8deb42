//! MariaDB from the system, started for a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A test's own database server, in a temporary folder, on a socket in that folder.
#[derive(Debug)]
pub struct MySql {
    server: Option<Child>,
    folder: tempfile::TempDir,
    program: PathBuf,
}

/// Debian installs it outside of a user's path.
const PROGRAM: &str = "/usr/sbin/mariadbd";

impl MySql {
    /// Starts a server. Without MariaDB, prints a message and returns `None`: the caller should skip the test.
    ///
    /// # Panics
    /// If it does not start, or if MariaDB is missing and `SITEMAP_REQUIRE_ALL` is 1.
    pub fn start(test: &str) -> Option<Self> {
        let program = if Path::new(PROGRAM).is_file() {
            PathBuf::from(PROGRAM)
        } else {
            sitemap_tests::program(test, "mariadbd")?
        };
        let install = sitemap_tests::program(test, "mariadb-install-db")?;
        let folder = tempfile::tempdir().expect("a folder");
        let mut mysql = MySql {
            server: None,
            folder,
            program,
        };
        let installed = Command::new(install)
            .args([
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
            ])
            .arg(mysql.data())
            .args(mysql.user())
            .output()
            .expect("mariadb-install-db runs");
        assert!(
            installed.status.success(),
            "{}{}",
            String::from_utf8_lossy(&installed.stdout),
            String::from_utf8_lossy(&installed.stderr)
        );
        mysql.restart();
        Some(mysql)
    }

    fn data(&self) -> String {
        format!("--datadir={}", self.folder.path().join("data").display())
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// It runs as root only with this option.
    fn user(&self) -> Option<&'static str> {
        let root = fs::metadata(self.folder.path())
            .is_ok_and(|folder| std::os::unix::fs::MetadataExt::uid(&folder) == 0);
        root.then_some("--user=root")
    }

    /// Starts it again, after [`stop`](Self::stop).
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        let log = self.folder.path().join("log");
        let server = Command::new(&self.program)
            .args([
                "--no-defaults",
                "--skip-networking",
                "--innodb-flush-log-at-trx-commit=0",
                "--default-time-zone=+09:00",
            ])
            .arg(self.data())
            .arg(format!("--socket={}", self.socket().display()))
            .args(self.user())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log).expect("a file"))
            .spawn()
            .expect("mariadbd starts");
        self.server = Some(server);
        let started = Instant::now();
        while !self.socket().exists() {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "{:?}",
                fs::read_to_string(&log)
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops it at once, with whoever is connected.
    ///
    /// # Panics
    /// If it cannot be stopped.
    pub fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().expect("it runs");
            server.wait().expect("its end");
            // It had no time to remove its socket.
            let _ = fs::remove_file(self.socket());
        }
    }

    /// The URL for clients.
    pub fn url(&self) -> String {
        format!(
            "mysql://root@localhost/mysql?socket={}",
            self.socket().display().to_string().replace('/', "%2F")
        )
    }
}

impl Drop for MySql {
    fn drop(&mut self) {
        self.stop();
    }
}

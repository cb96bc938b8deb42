//! PostgreSQL from the system, started for a test.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A test's own database server, in a temporary folder, on a socket in that folder.
#[derive(Debug)]
pub struct Postgres {
    server: Option<Child>,
    folder: tempfile::TempDir,
    bin: PathBuf,
}

impl Postgres {
    /// Starts a server. Without PostgreSQL, prints a message and returns `None`: the caller should skip the test.
    ///
    /// # Panics
    /// If it does not start, or if PostgreSQL is missing and `SITEMAP_REQUIRE_ALL` is 1.
    pub fn start(test: &str) -> Option<Self> {
        let bin = installed().or_else(|| {
            sitemap_tests::program(test, "initdb").and_then(|file| file.parent().map(Path::to_owned))
        })?;
        let folder = tempfile::tempdir().expect("a folder");
        let mut postgres = Postgres {
            server: None,
            folder,
            bin,
        };
        let init = postgres
            .command("initdb")
            .args([
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "-N",
                "-U",
                "test",
                "-D",
            ])
            .arg(postgres.data())
            .output();
        let init = init.expect("initdb runs");
        assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stderr));
        postgres.restart();
        Some(postgres)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A PostgreSQL program, run as another user, because it refuses to run as root.
    fn command(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        if !root {
            return Command::new(program);
        }
        // Until now, only the test may access the folder.
        let owned = Command::new("chown")
            .arg("postgres")
            .arg(self.folder.path())
            .status()
            .expect("chown runs");
        assert!(owned.success(), "there is no user `postgres`");
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=postgres", "--regid=postgres", "--clear-groups"])
            .arg(program);
        command
    }

    /// Starts it again, after [`stop`](Self::stop).
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        let mut server = self.command("postgres");
        server
            .arg("-D")
            .arg(self.data())
            .args([
                "-c",
                "listen_addresses=",
                "-c",
                "fsync=off",
                "-c",
                "timezone=Asia/Tokyo",
                "-k",
            ])
            .arg(self.folder.path());
        let messages = fs::File::create(self.folder.path().join("log")).expect("a file");
        let server = server
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(messages)
            .spawn()
            .expect("postgres starts");
        self.server = Some(server);
        let started = Instant::now();
        // The socket exists before connections are accepted.
        let log = self.folder.path().join("log");
        while !fs::read_to_string(&log).is_ok_and(|log| log.contains("ready to accept connections")) {
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
            let stopped = self
                .command("pg_ctl")
                .args(["stop", "-m", "immediate", "-D"])
                .arg(self.data())
                .output();
            stopped.expect("pg_ctl runs");
            server.wait().expect("its end");
        }
    }

    /// The URL for clients.
    pub fn url(&self) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://test@{folder}/postgres")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Debian's folder for programs outside the path.
fn installed() -> Option<PathBuf> {
    if env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join("initdb").is_file())
    {
        return None;
    }
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let bins = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    bins.filter(|bin| bin.join("initdb").is_file()).max()
}

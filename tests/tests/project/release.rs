//! The script of a release: what it remembers to have passed, and which release it compares with. Its tools are replaced by one that does nothing but print
//! how it was called.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const TOOL: &str = r#"#!/bin/sh
case "$*" in
pkgid*) echo "path+file:///work#sitemap-serde@0.2.0" ;;
"install --list"*) echo "cargo-semver-checks v0.51.0:" ;;
*) echo "CALLED $*" ;;
esac
"#;

/// A repository with the script.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Repository(TempDir::new().unwrap());
        repository.git("init --quiet");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/release");
        repository.write(".ci/release", &fs::read_to_string(script).unwrap());
        repository.write(".gitignore", "target\n");
        for tool in ["cargo", "rustup"] {
            repository.write(&format!("target/{tool}"), TOOL);
        }
        repository.write("target/tools/python/bin/typos", TOOL);
        repository
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn git(&self, arguments: &str) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=name", "-c", "user.email=name@example.com"]);
        let git = git.args(arguments.split(' ')).current_dir(self.0.path());
        assert!(git.status().unwrap().success(), "git {arguments}");
    }

    fn commit(&self) {
        self.git("add --all");
        self.git("commit --quiet --allow-empty --message change");
    }

    /// Runs all steps. Those that look at other files fail.
    fn release(&self, baseline: &str) -> Printed {
        let target = self.0.path().join("target");
        let path = format!("{}:{}", target.display(), std::env::var("PATH").unwrap());
        let mut script = Command::new(self.0.path().join(".ci/release"));
        script.env("PATH", path).env("CARGO_TARGET_DIR", target);
        script.env("SITEMAP_BASELINE", baseline);
        Printed(String::from_utf8(script.output().unwrap().stdout).unwrap())
    }
}

struct Printed(String);

impl Printed {
    /// The first line that a step prints; `has passed` if it is not run again.
    fn of(&self, step: &str) -> &str {
        let (_, text) = self.0.split_once(&format!("\n== {step} ")).unwrap();
        let text = text.split("\n\n").next().unwrap();
        let printed = text.strip_prefix("(minute 0)").unwrap_or(text);
        printed.trim().lines().next().unwrap_or_default()
    }
}

const NO_BASELINE: &str = "SKIPPED: no earlier tag, and no SITEMAP_BASELINE";

/// What is skipped, and what has changed since it passed, is run the next time.
#[test]
fn only_what_has_passed_is_not_run_again() {
    let repository = Repository::new();
    repository.commit();
    for _ in 0..2 {
        let printed = repository.release("");
        assert_eq!(printed.of("version"), "SKIPPED: no tag");
        assert_eq!(printed.of("semver"), NO_BASELINE);
        assert!(
            printed.0.ends_with("\nSKIPPED: version semver\n"),
            "{}",
            printed.0
        );
    }
    assert_eq!(repository.release("").of("packages"), "has passed");

    repository.git("tag v0.2.0");
    assert_eq!(repository.release("").of("version"), "");
    assert_eq!(repository.release("").of("version"), "has passed");
    repository.write("new", "an untracked file");
    assert_eq!(repository.release("").of("version"), "");
    repository.write("new", "another text");
    assert_eq!(repository.release("").of("version"), "");
    assert_eq!(repository.release("").of("version"), "has passed");
}

/// A release is compared with the one before, also if its own tag is there.
#[test]
fn a_release_is_compared_with_the_one_before() {
    let repository = Repository::new();
    repository.commit();
    repository.git("tag v0.1.0");
    assert_eq!(repository.release("").of("semver"), NO_BASELINE);
    for tag in [None, Some("tag docs-2026"), Some("tag v0.2.0")] {
        repository.commit();
        tag.into_iter().for_each(|tag| repository.git(tag));
        let compared = "CALLED semver-checks --baseline-rev v0.1.0 -p sitemap-values";
        assert_eq!(repository.release("").of("semver"), compared, "{tag:?}");
    }
    assert_eq!(repository.release("").of("semver"), "has passed");
    let compared = "CALLED semver-checks --baseline-rev HEAD~1 -p sitemap-values";
    assert_eq!(repository.release("HEAD~1").of("semver"), compared);
}

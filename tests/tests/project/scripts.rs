//! Resumable scripts, and their record of finished work. A stub replaces their tools. It only prints how it was called.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const TOOL: &str = r#"#!/bin/sh
case "$*" in
pkgid*) echo "path+file:///work#sitemap-serde@0.2.0" ;;
mutants*)
    tests=${*##*--test-package=}
    while [ "$1" != --output ]; do shift; done
    cp "target/${tests%% *}/"* target/timeout.txt "$2/mutants.out/"
    echo shard
    exit 2
    ;;
"install --list"*) echo "cargo-semver-checks v0.51.0:" ;;
*) echo "CALLED $*" ;;
esac
"#;

/// A repository with the scripts.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Repository(TempDir::new().unwrap());
        repository.git("init --quiet");
        for script in [".ci/release", ".ci/mutants"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(script);
            repository.write(script, &fs::read_to_string(path).unwrap());
        }
        repository.write(".gitignore", "target\n");
        for tool in ["cargo", "rustup"] {
            repository.write(&format!("target/{tool}"), TOOL);
        }
        for tool in ["pip", "typos", "check-jsonschema", "pre-commit"] {
            repository.write(&format!("target/tools/python/bin/{tool}"), TOOL);
        }
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
        // Ignores the user's hooks and signatures.
        git.env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.args(["-c", "user.name=name", "-c", "user.email=name@example.com"]);
        let git = git.args(arguments.split(' ')).current_dir(self.0.path());
        assert!(git.status().unwrap().success(), "git {arguments}");
    }

    fn commit(&self) {
        self.git("add --all");
        self.git("commit --quiet --allow-empty --message change");
    }

    fn script(&self, script: &str) -> Command {
        let target = self.0.path().join("target");
        let path = format!("{}:{}", target.display(), std::env::var("PATH").unwrap());
        let mut script = Command::new(self.0.path().join(script));
        script.env("PATH", path).env("CARGO_TARGET_DIR", target);
        script
    }

    /// Runs all steps. Steps that read other files fail.
    fn release(&self, baseline: &str) -> Printed {
        let mut script = self.script(".ci/release");
        let output = script.env("SITEMAP_BASELINE", baseline).output().unwrap();
        Printed(String::from_utf8(output.stdout).unwrap())
    }

    /// Returns the number of shards of a crate's mutants that are run, and the report on them.
    fn mutants(&self, package: &str, shards: &str) -> (usize, String) {
        let mut script = self.script(".ci/mutants");
        let output = script
            .arg(package)
            .env("SITEMAP_SHARDS", shards)
            .output()
            .unwrap();
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let run = printed.matches("shard\n").count();
        (run, printed.replace("shard\n", ""))
    }
}

struct Printed(String);

impl Printed {
    /// Returns the first line that a step prints; `has passed` if it is not run again.
    fn of(&self, step: &str) -> &str {
        let (_, text) = self.0.split_once(&format!("\n== {step} ")).unwrap();
        let text = text.split("\n\n").next().unwrap();
        let printed = text.strip_prefix("(minute 0)").unwrap_or(text);
        printed.trim().lines().next().unwrap_or_default()
    }
}

const NO_BASELINE: &str = "SKIPPED: no earlier tag, and no SITEMAP_BASELINE";

/// The next run repeats skipped steps, and steps whose input has changed since they passed.
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

/// A release is compared with the previous one, even if its own tag exists.
#[test]
fn a_release_is_compared_with_the_one_before() {
    let repository = Repository::new();
    repository.commit();
    repository.git("tag v0.1.0");
    assert_eq!(repository.release("").of("semver"), NO_BASELINE);
    for tag in [None, Some("tag docs-2026"), Some("tag v0.2.0")] {
        repository.commit();
        if let Some(tag) = tag {
            repository.git(tag);
        }
        let compared = "CALLED semver-checks --baseline-rev v0.1.0 -p sitemap-serde";
        assert_eq!(repository.release("").of("semver"), compared, "{tag:?}");
    }
    assert_eq!(repository.release("").of("semver"), "has passed");
    let compared = "CALLED semver-checks --baseline-rev HEAD~1 -p sitemap-serde";
    assert_eq!(repository.release("HEAD~1").of("semver"), compared);
}

/// Shards are run again if the crate or their number has changed. Other files make no difference. Every missed mutant is reported,
/// except accepted ones.
#[test]
fn shards_of_mutants_are_resumed() {
    let repository = Repository::new();
    repository.write("sitemap-a/src/lib.rs", "");
    repository.write("tests/mutants.txt", "# It is the same.\na.rs: replace a with b\n");
    repository.write(
        "target/sitemap-a/missed.txt",
        "a.rs:1:2: replace a with b\na.rs:3:4: replace b with c\n",
    );
    repository.write("target/timeout.txt", "a.rs:5:6: replace c with d\n");
    repository.commit();
    let said = "ended by the time limit alone:\na.rs: replace c with d\n\
                survivors that tests/mutants.txt does not accept:\na.rs: replace b with c\n";
    assert_eq!(repository.mutants("sitemap-a", "3"), (3, said.to_owned()));
    repository.write("README.md", "");
    repository.commit();
    assert_eq!(repository.mutants("sitemap-a", "3"), (0, said.to_owned()));
    assert_eq!(repository.mutants("sitemap-a", "2").0, 2);
    repository.write("sitemap-a/src/lib.rs", "fn a() {}");
    assert_eq!(repository.mutants("sitemap-a", "2").0, 2);
    repository.commit();
    assert_eq!(repository.mutants("sitemap-a", "2").0, 2);
    assert_eq!(repository.mutants("sitemap-a", "2").0, 0);
}

/// Mutants that a crate's own tests miss are planted again for the tests of its dependents. Mutants that these miss too are
/// reported.
#[test]
fn the_tests_of_users_find_mutants_too() {
    let repository = Repository::new();
    repository.write("sitemap-tree/src/lib.rs", "");
    repository.write("tests/mutants.txt", "");
    repository.write("target/timeout.txt", "");
    repository.write("target/sitemap-tree/caught.txt", "a.rs:1:2: replace a with b\n");
    repository.write("target/sitemap-tree/missed.txt", "a.rs:3:4: replace b with c\n");
    repository.write("target/sitemap-cli/missed.txt", "a.rs:5:6: replace c with d\n");
    repository.commit();
    let said = "survivors that tests/mutants.txt does not accept:\na.rs: replace c with d\n";
    assert_eq!(repository.mutants("sitemap-tree", "8"), (8 + 2, said.to_owned()));
    let mut known = Vec::new();
    for folder in fs::read_dir(repository.0.path().join("target/mutants")).unwrap() {
        for shard in ["0", "1"] {
            let caught = folder.as_ref().unwrap().path().join("users").join(shard);
            known.push(fs::read_to_string(caught.join("mutants.out/caught.txt")).unwrap());
        }
    }
    assert_eq!(
        known,
        [
            "a.rs:1:2: replace a with b\n".repeat(8),
            "a.rs:1:2: replace a with b\n".repeat(8)
        ]
    );
    assert_eq!(repository.mutants("sitemap-tree", "8"), (0, said.to_owned()));
}

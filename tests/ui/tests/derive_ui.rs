//! What the derives refuse, each with its whole message. What they accept is in `tests/tests/all/derive/programs`.
//!
//! `TRYBUILD=overwrite cargo test -p sitemap-ui-tests` writes the messages anew; read the difference.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The compiler that the messages are of: other versions word and underline some of them differently.
const PINNED: &str = "1.95.";

#[test]
fn refuses() {
    if is_pinned("refuses") {
        trybuild::TestCases::new().compile_fail("fail/*/*.rs");
    }
}

/// Mistakes that the macros find in the tokens are tested in their crate, one file each, with the expected message next to it.
/// One compilation of all these files shows that the compiler prints the same messages in the same places. Both the program and
/// its expected output are made here, from those files.
#[test]
fn the_compiler_says_the_same_of_tokens() {
    if !is_pinned("the_compiler_says_the_same_of_tokens") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sitemap-derive/ui");
    let root = root.canonicalize().unwrap();
    let mut files = Vec::new();
    find(&root, &mut files);
    files.sort();
    assert!(!files.is_empty());
    let mut program = String::from("#![allow(warnings)]\nfn main() {}\n");
    let mut expected = String::new();
    for (number, path) in files.iter().enumerate() {
        writeln!(program, "#[path = {path:?}]\nmod case_{number};").unwrap();
        let messages = fs::read_to_string(path.with_extension("stderr")).unwrap();
        for line in messages.trim_end().lines() {
            expected += &as_trybuild_prints(line);
            expected.push('\n');
        }
        expected.push('\n');
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tokens");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("all.rs"), program).unwrap();
    expected.truncate(expected.trim_end().len() + 1);
    fs::write(folder.join("all.stderr"), expected).unwrap();
    trybuild::TestCases::new().compile_fail(folder.join("all.rs"));
}

/// A line of a message as trybuild prints it for a file other than the case's own: with the path from the workspace, without line
/// numbers, and with a gutter of one column.
fn as_trybuild_prints(line: &str) -> String {
    let text = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
    if let Some(place) = text.strip_prefix("--> ui/") {
        let file = place.split(':').next().unwrap_or(place);
        return format!(" --> $WORKSPACE/sitemap-derive/ui/{file}");
    }
    if text.starts_with('|') {
        format!("  {text}")
    } else {
        line.to_owned()
    }
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns `true` if the compiler is the pinned one. Otherwise it prints this, and fails if nothing may be skipped.
fn is_pinned(test: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&output.stdout);
    if version.starts_with(&format!("rustc {PINNED}")) {
        return true;
    }
    let message = format!(
        "SKIPPED {test}: its messages are those of rustc {PINNED}x, and this is {}\n",
        version.trim()
    );
    assert!(
        env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
        "{message}"
    );
    // Not with `eprintln!`, which the test harness keeps to itself.
    io::stderr().write_all(message.as_bytes()).unwrap();
    false
}

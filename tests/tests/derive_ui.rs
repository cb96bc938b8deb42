//! What the derives refuse, each with its whole message, and what they take.
//!
//! `TRYBUILD=overwrite cargo test -p sitemap-tests --test derive_ui` writes the messages anew; read the difference.

use std::io::Write;
use std::process::Command;
use std::{env, fs, io};

/// The compiler that the messages are of: other versions word and underline some of them differently.
const PINNED: &str = "1.95.";

#[test]
fn takes() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.pass("ui/pass/*/*.rs");
}

#[test]
fn refuses() {
    if is_pinned("refuses") {
        trybuild::TestCases::new().compile_fail("ui/fail/*/*.rs");
    }
}

/// All of a type's mistakes in one compilation, and nothing besides.
#[test]
fn five_mistakes_are_five_errors() {
    let messages = fs::read_to_string("ui/fail/type/five_mistakes.stderr").unwrap();
    let errors = messages.lines().filter(|line| line.starts_with("error"));
    assert_eq!(errors.count(), 5, "{messages}");
}

/// Whether the compiler is the pinned one; says so plainly if not, and fails where nothing may be skipped.
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

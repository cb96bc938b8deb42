//! What the derives refuse, each with its whole message. What they accept is in `tests/tests/all/derive/programs`.
//!
//! `TRYBUILD=overwrite cargo test -p sitemap-ui-tests` writes the messages anew; read the difference.

use std::io::Write;
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

const TOKENS: &str = "../../sitemap-derive/ui";

/// The mistakes that the macros tell by the tokens alone are tested in their crate. That the compiler shows just those, in its own
/// words, is tested by one compilation of all of them.
#[test]
fn the_compiler_says_the_same_of_tokens() {
    let mut files = Vec::new();
    find(Path::new(TOKENS), &mut files);
    let all = fs::read_to_string("fail/tokens/all.rs").unwrap();
    let mut expected = Vec::new();
    for path in &files {
        let path = path.to_str().unwrap();
        let name = path.strip_prefix(TOKENS).unwrap();
        let module = name[1..].trim_end_matches(".rs").replace('/', "_");
        let line = format!("#[path = \"../../{path}\"]\nmod {module};\n");
        assert!(all.contains(&line), "fail/tokens/all.rs has to have\n{line}");
        let messages = fs::read_to_string(path.replace(".rs", ".stderr")).unwrap();
        expected.extend(blocks(&messages));
    }
    assert_eq!(all.matches("\nmod ").count(), files.len());
    let found = fs::read_to_string("fail/tokens/all.stderr").unwrap();
    let mut found = blocks(&found.replace("fail/tokens/../../../../sitemap-derive/ui/", "ui/"));
    found.sort();
    expected.sort();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// The messages, each by itself, and without numbers of lines, which trybuild leaves out of other files than the case's.
fn blocks(messages: &str) -> Vec<String> {
    let line = |line: &str| -> String {
        let text = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        let place = text
            .strip_prefix("--> ")
            .and_then(|place| place.split_once(".rs"));
        place.map_or_else(|| text.to_owned(), |(file, _)| format!("--> {file}.rs"))
    };
    let messages = messages.trim_end().split("\n\n");
    messages
        .map(|message| message.lines().map(line).collect::<Vec<_>>().join("\n"))
        .collect()
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

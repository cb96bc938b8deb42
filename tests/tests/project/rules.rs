//! The rules of the format: a test names each rule that the library names. `cargo test --test project -- --nocapture` lists the
//! tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sitemap_serde::Rule;

use crate::files::files;

/// Returns `true` if `text` contains `word` as a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// Returns the name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().split_once("fn ").filter(|(before, _)| {
        before
            .split_whitespace()
            .all(|word| word.starts_with("pub") || matches!(word, "const" | "async"))
    })?;
    rest.split(['(', '<']).next()
}

#[test]
fn every_rule_that_the_library_names_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = files(&root.join("sitemap-serde/src"), &["rs"]);
    // Snapshots hold the results of tests.
    let mut tests = files(&root.join("tests/tests"), &["rs", "snap"]);
    let own = root.join("tests/tests/project/rules.rs");
    tests.retain(|path| *path != own);
    // Unit tests are in files of their own, or at the end of a file.
    let mut named = BTreeSet::new();
    let mut test_code: Vec<(PathBuf, String)> = Vec::new();
    for path in library {
        let text = fs::read_to_string(&path).unwrap();
        let is_test = path
            .strip_prefix(&root)
            .unwrap()
            .components()
            .any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")));
        let (code, unit_tests) = match text.find("#[cfg(test)]\nmod tests {") {
            _ if is_test => ("", text.as_str()),
            Some(at) => text.split_at(at),
            None => (text.as_str(), ""),
        };
        if !path.ends_with("rule.rs") {
            let code: String = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .flat_map(|line| [line, "\n"])
                .collect();
            // The schema's tables write `by Vid4`.
            let is_named = |rule: &&Rule| {
                ["Rule::", "by "]
                    .iter()
                    .any(|before| has_word(&code, &format!("{before}{rule:?}")))
            };
            named.extend(Rule::ALL.iter().filter(is_named));
        }
        test_code.push((path, unit_tests.to_owned()));
    }
    for path in tests {
        let text = fs::read_to_string(&path).unwrap();
        test_code.push((path, text));
    }

    let mut index: BTreeMap<Rule, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in &test_code {
        let file = path.strip_prefix(&root).unwrap().display();
        let mut current = "";
        for line in text.lines() {
            current = function(line).unwrap_or(current);
            for rule in Rule::ALL {
                if has_word(line, rule.as_str()) || has_word(line, &format!("Rule::{rule:?}")) {
                    index
                        .entry(*rule)
                        .or_default()
                        .insert(format!("{file}: {current}"));
                }
            }
        }
    }
    for (rule, tests) in &index {
        println!("{rule}");
        for test in tests {
            println!("    {test}");
        }
    }
    assert!(named.len() > 40, "{named:?}");
    let untested: Vec<_> = named.iter().filter(|rule| !index.contains_key(rule)).collect();
    assert!(untested.is_empty(), "no test names {untested:?}");
}

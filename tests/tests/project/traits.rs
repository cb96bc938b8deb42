//! The compiler's advice for types that lack a trait.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::files;

/// Public traits without their own message for types that lack them, each with the reason.
const WITHOUT: [(&str, &str); 13] = [
    (
        "DocumentSource",
        "sealed: a reader is made with one of its sources",
    ),
    ("Driver", "`Backend` is the bound"),
    ("EachElement", "chosen by autoref"),
    ("Elements", "chosen by autoref: no bound names it"),
    (
        "Exchange",
        "its functions are called; no function takes any of them",
    ),
    ("InsideOption", "chosen by autoref"),
    ("Itself", "chosen by autoref"),
    (
        "NoElements",
        "the last choice of autoref: its bound has the words",
    ),
    ("ReturnsResult", "chosen by autoref"),
    ("ReturnsValue", "chosen by autoref"),
    ("Sealed", "the trait that it seals has the words"),
    ("Time", "the bound of `TimeField`, which has the words"),
    ("Window", "sealed"),
];

/// Returns the sources of each published crate.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in [
        root.clone(),
        root.join("integrations"),
        root.join("integrations/datafusion"),
    ] {
        for entry in fs::read_dir(folder).unwrap() {
            let source = entry.unwrap().path().join("src");
            let is_named = |name: &str| source.to_string_lossy().contains(name);
            if source.is_dir() && (is_named("/sitemap-") || is_named("/integrations")) {
                found.append(&mut files(&source, &["rs"]));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the public traits of a source. The flag is `true` if the trait has its own message for types that lack it.
fn traits(source: &str) -> Vec<(String, bool)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("pub trait ") else {
            continue;
        };
        let name: String = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '$')
            .collect();
        let above = lines[..number].iter().rev();
        let mut attributes = above.take_while(|line| !line.is_empty() && !line.ends_with('}'));
        found.push((name, attributes.any(|line| line.contains("on_unimplemented"))));
    }
    found
}

#[test]
fn every_public_trait_says_how_to_implement_it() {
    let allowed: BTreeSet<&str> = WITHOUT.iter().flat_map(|(names, _)| names.split(", ")).collect();
    let mut with = 0;
    let mut without = BTreeSet::new();
    for path in sources() {
        for (name, has_words) in traits(&fs::read_to_string(&path).unwrap()) {
            if has_words {
                with += 1;
            } else {
                without.insert(name);
            }
        }
    }
    assert!(with >= 40, "{with}");
    let allowed: BTreeSet<String> = allowed.into_iter().map(str::to_owned).collect();
    assert_eq!(
        without, allowed,
        "a public trait says what to do by `#[diagnostic::on_unimplemented]`, or the list says why not"
    );
}

//! The library's layers: each module uses only modules below it, and modules outside the layers use none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::files::files;

/// The layered modules, from the bottom up. Modules of one rank do not use each other.
const LAYERS: [&[&str]; 7] = [
    &["xml"],
    &["record", "raw"],
    &["document"],
    &["de", "ser"],
    &["entry", "with"],
    &["private", "reader", "writer"],
    &["edit", "lint", "diff"],
];

/// Modules that every module may use, and that use no layer.
const BESIDE: [&str; 12] = [
    "error",
    "limits",
    "loc",
    "model",
    "character",
    "diagnostic",
    "schema",
    "guide",
    "block",
    "robots",
    "search_console",
    "engine",
];

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The modules that a file names as `crate::…`, outside of comments.
fn uses(source: &str) -> BTreeSet<String> {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect()
        })
        .filter(|module: &String| rank(module).is_some() || BESIDE.contains(&module.as_str()))
        .collect()
}

#[test]
fn arrows_point_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sitemap-serde/src");
    let found = files(&root, &["rs"]);
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for file in found {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let module = name.split(['/', '.']).next().unwrap_or_default().to_owned();
        if module == "lib" {
            continue;
        }
        assert!(
            rank(&module).is_some() || BESIDE.contains(&module.as_str()),
            "{module} is no layer and stands beside none: add it to the list"
        );
        checked += 1;
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            let allowed = match (rank(&module), rank(&used)) {
                _ if used == module => true,
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(own), Some(below)) => below < own,
            };
            if !allowed {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50);
}

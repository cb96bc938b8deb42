//! The layers: each module of the library uses only modules below it, modules outside the layers use none, and no crate has a new circle.

use std::collections::{BTreeMap, BTreeSet};
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

/// The circles that are left, by crate: modules that use each other. They may lose modules, and gain none.
const CIRCLES: [(&str, &[&[&str]]); 7] = [
    (
        "sitemap-values",
        // The table of rules names engines, whose functions ask it; messages name rules.
        &[&["engine", "error", "rules", "severity"]],
    ),
    // An error says what the schema has.
    ("sitemap-serde", &[&["error", "loc", "model", "schema"]]),
    // Placeholders, their order, and what a page is derived from.
    ("sitemap-derive", &[&["ambiguity", "derivation", "template"]]),
    (
        "sitemap-site",
        // A set is carried out by a directory or a storage, which it chooses.
        &[&["directory", "manifest", "set", "storage"], &["serve", "table"]],
    ),
    ("sitemap-pages", &[&["block", "ledger"], &["html", "selector"]]),
    ("sitemap-tree", &[&["document", "report", "request"]]),
    (
        "sitemap-cli",
        &[
            // An input opens files, folders and sites, and these are inputs again.
            &[
                "folder",
                "formats",
                "input",
                "live",
                "malformed",
                "message",
                "omitted",
                "progress",
                "unread",
            ],
            // `sitemap.toml` has sections for both, read alike, and `lint --pages` reads pages by the settings of `from`.
            &["from", "lint"],
        ],
    ),
];

/// The modules of a crate, each with the modules that it uses outside of comments and tests.
fn graph(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder)
        .join("src");
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    for file in files(&root, &["rs"]) {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let module = name.split(['/', '\\', '.']).next().unwrap().to_owned();
        if matches!(&*module, "lib" | "main") || name.contains("/tests") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code = code
            .lines()
            .map(|line| line.split("//").next().unwrap())
            .collect::<Vec<_>>();
        sources.entry(module).or_default().push_str(&code.join("\n"));
    }
    let names: BTreeSet<String> = sources.keys().cloned().collect();
    let uses = |code: &str| -> BTreeSet<String> {
        let words = |text: &str| -> Vec<String> {
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            match text.strip_prefix('{') {
                Some(group) => group[..group.find('}').unwrap_or(group.len())]
                    .split(',')
                    .map(|word| word.trim().chars().take_while(|c| is_part(*c)).collect())
                    .collect(),
                None => vec![text.chars().take_while(|c| is_part(*c)).collect()],
            }
        };
        code.split("crate::")
            .skip(1)
            .flat_map(words)
            .filter(|word| names.contains(word))
            .collect()
    };
    sources
        .iter()
        .map(|(module, code)| {
            let mut used = uses(code);
            used.remove(module);
            (module.clone(), used)
        })
        .collect()
}

/// The modules that can be reached from each, perhaps itself.
fn reached(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<&str, BTreeSet<&str>> {
    graph
        .keys()
        .map(|start| {
            let (mut found, mut todo) = (BTreeSet::new(), vec![&**start]);
            while let Some(module) = todo.pop() {
                todo.extend(
                    graph[module]
                        .iter()
                        .map(|used| &**used)
                        .filter(|used| found.insert(*used)),
                );
            }
            (&**start, found)
        })
        .collect()
}

#[test]
fn no_circle_comes_back() {
    let mut wrong = Vec::new();
    for (folder, known) in CIRCLES {
        let graph = graph(folder);
        let reached = reached(&graph);
        for module in graph
            .keys()
            .filter(|module| reached[&***module].contains(&***module))
        {
            let circle: Vec<_> = graph
                .keys()
                .filter(|other| {
                    reached[&**module].contains(&***other) && reached[&***other].contains(&**module)
                })
                .map(String::as_str)
                .collect();
            let is_known = known
                .iter()
                .any(|known| circle.iter().all(|module| known.contains(module)));
            if !is_known {
                wrong.push(format!("{folder}: {}", circle.join(", ")));
            }
        }
    }
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "modules that use each other:\n{}",
        wrong.join("\n")
    );
}

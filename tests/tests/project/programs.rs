//! The programs and commands in documents: their requirements are stated, and they follow the documents' own advice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::files::files;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the published integration crates.
fn integrations() -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(root().join("integrations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("README.md").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 9, "{folders:?}");
    folders
}

/// Returns the fenced blocks of a document or of a source's doc comments, each with the words after its fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map(|line| {
        let line = line.trim_start();
        let comment = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"));
        comment.map_or(line, |line| line.strip_prefix(' ').unwrap_or(line))
    });
    let (mut blocks, mut open) = (Vec::new(), None::<(String, String)>);
    for line in lines {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => open = Some((words.to_owned(), String::new())),
            (None, None) => {}
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, block)), None) => block.extend([line, "\n"]),
        }
    }
    blocks
}

/// Returns the block of commands that add the crate and its program's dependencies.
fn cargo_add(text: &str) -> Option<String> {
    let blocks = blocks(text).into_iter();
    let mut commands = blocks.filter(|(words, block)| words == "sh" && block.starts_with("cargo add "));
    commands.next().map(|(_, block)| block)
}

/// Returns the crates that such commands add, by their names in code.
fn added(commands: &str) -> BTreeSet<String> {
    let commands = commands
        .lines()
        .filter_map(|line| line.strip_prefix("cargo add "));
    let words = commands.flat_map(|line| line.split(' ').take_while(|word| !word.starts_with(['-', '#'])));
    words
        .map(|word| word.split('@').next().unwrap().replace('-', "_"))
        .collect()
}

/// A copied program compiles after the commands above it.
#[test]
fn a_program_names_no_crate_that_is_not_added() {
    for folder in integrations() {
        let shown = folder.display();
        let (readme, library) = (read(folder.join("README.md")), read(folder.join("src/lib.rs")));
        let commands = cargo_add(&readme).unwrap_or_else(|| panic!("{shown}: README.md adds no crates"));
        assert_eq!(
            Some(&commands),
            cargo_add(&library).as_ref(),
            "{shown}: one of both is old"
        );
        let added = added(&commands);
        let manifest: Table = read(folder.join("Cargo.toml")).parse().unwrap();
        let mut known = vec![manifest["package"]["name"].as_str().unwrap().to_owned()];
        for table in ["dependencies", "dev-dependencies"] {
            known.extend(manifest[table].as_table().unwrap().keys().cloned());
        }
        for (words, program) in [&readme, &library].into_iter().flat_map(|text| blocks(text)) {
            if words != "rust" && !words.starts_with("rust,") && words != "no_run" && !words.is_empty() {
                continue;
            }
            for name in known.iter().map(|name| name.replace('-', "_")) {
                let path = format!("{name}::");
                // A crate's name, not the end of another word.
                let is_start =
                    |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
                let is_use = |line: &&str| line.match_indices(&path).any(|(at, _)| is_start(&line[..at]));
                let mut uses = program
                    .lines()
                    .filter(|line| !line.starts_with("# "))
                    .filter(is_use);
                if let Some(line) = uses.next() {
                    assert!(added.contains(&name), "{shown}: nothing adds {name}: {line}");
                }
            }
        }
    }
}

/// A command that builds the documentation of a crate includes the pages that other documents link to.
#[test]
fn documentation_is_built_with_the_features_of_its_items() {
    let root = root();
    let mut commands = 0;
    for path in files(&root, &["md"]) {
        if path.components().any(|part| part.as_os_str() == "target") {
            continue;
        }
        let text = read(&path);
        for command in text.split("cargo doc ").skip(1) {
            let command = command.split(['`', '\n']).next().unwrap();
            commands += 1;
            if command.contains("--all-features") {
                continue;
            }
            let words: Vec<_> = command.split(' ').collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "-p") {
                let name = pair[1];
                let features: Table = read(root.join(name).join("Cargo.toml")).parse().unwrap();
                let default = features["features"].get("default").and_then(Value::as_array);
                let default: Vec<_> = default.into_iter().flatten().filter_map(Value::as_str).collect();
                let library = read(root.join(name).join("src/lib.rs"));
                for gate in library.split("#[cfg(feature = \"").skip(1) {
                    let (feature, item) = gate.split_once("\")]\n").unwrap();
                    if item.starts_with("pub ") && !default.contains(&feature) {
                        let wanted = format!("{name}/{feature}");
                        assert!(
                            words
                                .iter()
                                .any(|word| word.split(',').any(|word| word == wanted)),
                            "{}: `cargo doc {command}` leaves out {wanted}",
                            path.display()
                        );
                    }
                }
            }
        }
    }
    assert!(commands > 0);
}

/// Every program that serves a site waits until it is ready, as documents advise.
#[test]
fn a_program_that_serves_a_site_waits_until_it_is_ready() {
    let root = root();
    let mut programs: Vec<(String, String)> = Vec::new();
    for folder in ["integrations", "examples", "sitemap-site", "README.md"] {
        let path = root.join(folder);
        let paths = if path.is_dir() {
            files(&path, &["rs", "md"])
        } else {
            vec![path]
        };
        for path in paths {
            let (shown, text) = (path.display().to_string(), read(&path));
            let is_example = path.extension().is_some_and(|extension| extension == "rs")
                && path.components().any(|part| part.as_os_str() == "examples");
            if is_example {
                programs.push((shown, text));
            } else {
                programs.extend(blocks(&text).into_iter().map(|(_, block)| (shown.clone(), block)));
            }
        }
    }
    let frameworks: Vec<_> = integrations()
        .into_iter()
        .filter(|folder| read(folder.join("src/lib.rs")).contains("pub fn routes"))
        .collect();
    let routes = frameworks.iter().map(|folder| {
        let name = folder.file_name().unwrap().to_str().unwrap();
        format!("sitemap_{name}::routes(")
    });
    let routes: Vec<_> = routes.collect();
    // The call that serves, of each framework.
    let serve = ["axum::serve(", ".run()", ".launch()"];
    programs.retain(|(_, text)| {
        routes.iter().any(|call| text.contains(call)) && serve.iter().any(|call| text.contains(call))
    });
    assert!(programs.len() >= 13, "{}", programs.len());
    for folder in frameworks {
        let examples = folder.join("examples");
        let is_found = programs
            .iter()
            .any(|(shown, _)| Path::new(shown).starts_with(&examples));
        assert!(is_found, "{}: no call serves its site", folder.display());
    }
    for (shown, program) in programs {
        assert!(program.contains(".ready().await"), "{shown}: {program}");
    }
}

//! Every command in the help, the guides and the READMEs is accepted by the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::Folder;

/// The files that show commands.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["README.md", "docs/COMPARE.md", "CHANGELOG.md", "CONTRIBUTING.md"]
        .map(|name| root.join(name))
        .into();
    let mut folders = vec![root.join("sitemap-cli/src")];
    for entry in fs::read_dir(root).unwrap() {
        let package = entry.unwrap().path();
        files.push(package.join("README.md"));
        files.push(package.join("src/guide.rs"));
        folders.push(package.join("src/guide"));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.retain(|path| path.is_file());
    files
}

/// The code in a text: fenced, indented in help, or between backticks.
fn code(text: &str) -> Vec<&str> {
    let mut code = Vec::new();
    let mut is_fenced = false;
    for line in text.lines() {
        let line = line.trim_start();
        let help = line.strip_prefix("///     ");
        let line = line.trim_start_matches(['/', '!']).trim();
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced || help.is_some() {
            code.push(line.trim_start_matches("- run: "));
        } else {
            code.extend(line.split('`').skip(1).step_by(2));
        }
    }
    code
}

/// The arguments of each call of the command in a line of code, split as a shell splits them.
fn calls(code: &str) -> Vec<Vec<String>> {
    let mut calls = Vec::new();
    for part in code.split(" | ") {
        let Some(rest) = part.trim().strip_prefix("sitemap ") else {
            continue;
        };
        let mut arguments = vec![String::new()];
        let mut quote = None;
        for c in rest.chars() {
            match (quote, c) {
                (None, '\'' | '"') => quote = Some(c),
                (Some(open), _) if open == c => quote = None,
                (None, ' ') => arguments.push(String::new()),
                (None, '>' | '#' | ';') => break,
                _ => arguments.last_mut().unwrap().push(c),
            }
        }
        arguments.retain(|argument| !argument.is_empty());
        calls.push(arguments);
    }
    calls
}

#[test]
fn commands_that_are_shown_are_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = Folder::empty();
    let (mut subcommands, mut checked) = (BTreeSet::new(), BTreeSet::new());
    let mut wrong = Vec::new();
    for file in files(root) {
        let text = fs::read_to_string(&file).unwrap();
        for arguments in code(&text).into_iter().flat_map(calls) {
            // A synopsis, or output of the program.
            let is_form = |argument: &String| {
                argument.contains(['{', '[', '…']) || argument.bytes().all(|b| b.is_ascii_uppercase())
            };
            if arguments.iter().any(is_form) || !checked.insert(arguments.clone()) {
                continue;
            }
            // Errors before `--help` still count.
            let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
            all.push("--help");
            let (status, _, said) = folder.run(&all);
            if status != 0 {
                wrong.push(format!("{}: {}: {said}", file.display(), arguments.join(" ")));
            }
            subcommands.insert(arguments[0].clone());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        checked.len() > 60 && subcommands.len() > 10,
        "{}: {subcommands:?}",
        checked.len()
    );
}

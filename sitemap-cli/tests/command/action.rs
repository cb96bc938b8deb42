//! The steps of the project's GitHub action, as a runner starts them.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::folder::{CORE, Folder};

/// Runs a step of the action with its inputs.
fn step(folder: &Folder, step: &str, inputs: &[(&str, &str)]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/action");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_sitemap"));
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new(script);
    command.arg(step).current_dir(folder.path(""));
    command.env("PATH", format!("{}:{path}", program.parent().unwrap().display()));
    for (name, value) in inputs {
        command.env(format!("INPUT_{name}"), value);
    }
    command.output().unwrap()
}

fn urlset(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">{entries}</urlset>")
}

#[test]
fn findings_are_annotations_and_sarif() {
    let bad = urlset("<url><loc>https://example.com/</loc><priority>1.5</priority></url>");
    let good = urlset("<url><loc>https://example.com/</loc></url>");
    let folder = Folder::with(&[("bad.xml", &bad), ("good.xml", &good)]);
    let lint = |files: &str, arguments: &str| {
        step(
            &folder,
            "lint",
            &[
                ("FILES", files),
                ("LINT", arguments),
                ("SARIF", "out.sarif"),
                ("DIFF", ""),
                ("SUBMIT", ""),
            ],
        )
    };

    let output = lint("good.xml bad.xml", "--fail-on warning");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("::warning file=bad.xml,line=2,"), "{said}");
    let sarif: Value = serde_json::from_str(&folder.read("out.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "P-PRIO");

    assert_eq!(lint("good.xml", "").status.code(), Some(0));
    // What cannot be read is no silent success.
    assert_eq!(lint("missing.xml", "").status.code(), Some(2));
}

/// Inputs are words, and never code.
#[test]
fn inputs_are_not_read_by_the_shell() {
    let folder = Folder::empty();
    let output = step(
        &folder,
        "lint",
        &[
            ("FILES", "$(touch made) `touch made` ;touch made *"),
            ("LINT", ""),
            ("SARIF", ""),
            ("DIFF", ""),
            ("SUBMIT", ""),
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn sets_are_compared() {
    let old = urlset("<url><loc>https://example.com/</loc></url><url><loc>https://example.com/a</loc></url>");
    let new = urlset("<url><loc>https://example.com/</loc></url>");
    let folder = Folder::with(&[("old.xml", &old), ("new.xml", &new)]);
    let compare = |arguments: &str| step(&folder, "diff", &[("DIFF", arguments)]).status.code();
    assert_eq!(compare("old.xml new.xml"), Some(1));
    assert_eq!(compare("old.xml old.xml"), Some(0));
}

/// Without files and a sitemap.toml that names them, only what else is asked for is done.
#[test]
fn what_names_no_files_is_linted_only_by_its_settings() {
    let folder = Folder::with(&[("bad.xml", "<urlset/>")]);
    let lint = |diff: &str, submit: &str| {
        let others = [("DIFF", diff), ("SUBMIT", submit)];
        let inputs = [("FILES", ""), ("LINT", ""), ("SARIF", ""), others[0], others[1]];
        step(&folder, "lint", &inputs).status.code()
    };
    assert_eq!(lint("old.xml new.xml", ""), Some(0));
    assert_eq!(lint("", "new.xml --key k"), Some(0));
    assert_eq!(lint("", ""), Some(2));
    folder.write("sitemap.toml", "[lint]\nroot = \"bad.xml\"\n");
    assert_eq!(lint("old.xml new.xml", ""), Some(1));
}

/// An installed command is used.
#[test]
fn nothing_is_installed_twice() {
    let output = step(&Folder::empty(), "install", &[("VERSION", "0.0.0-none")]);
    assert!(output.status.success(), "{output:?}");
}

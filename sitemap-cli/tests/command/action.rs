//! The steps of the project's GitHub action, as a runner starts them.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::folder::{CORE, Folder};
use crate::server::{Answer, Server};

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
                ("FROM", ""),
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
    // A missing file must fail the step.
    assert_eq!(lint("missing.xml", "").status.code(), Some(2));
}

/// Inputs reach the command as words. The shell never runs them as code.
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
            ("FROM", ""),
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

/// Only the other inputs take effect if neither an input nor sitemap.toml names files.
#[test]
fn what_names_no_files_is_linted_only_by_its_settings() {
    let folder = Folder::with(&[("bad.xml", "<urlset/>")]);
    let lint = |diff: &str, from: &str, submit: &str| {
        let others = [("DIFF", diff), ("FROM", from), ("SUBMIT", submit)];
        let inputs = [&[("FILES", ""), ("LINT", ""), ("SARIF", "")][..], &others].concat();
        step(&folder, "lint", &inputs).status.code()
    };
    assert_eq!(lint("old.xml new.xml", "", ""), Some(0));
    assert_eq!(lint("", "", "new.xml --key k"), Some(0));
    assert_eq!(lint("", "public --location https://example.com", ""), Some(0));
    assert_eq!(lint("", "", ""), Some(2));
    folder.write("sitemap.toml", "[lint]\nroot = \"bad.xml\"\n");
    assert_eq!(lint("old.xml new.xml", "", ""), Some(1));
}

#[test]
fn a_sitemap_is_made() {
    let folder = Folder::with(&[("public/index.html", "<p>Home")]);
    let make = |arguments: &str| step(&folder, "from", &[("FROM", arguments)]).status.code();
    assert_eq!(
        make("public --location https://example.com --since 2026-01-01"),
        Some(0)
    );
    assert!(
        folder
            .read("public/sitemap.xml")
            .contains("<loc>https://example.com/</loc>")
    );
    assert_eq!(make("missing --location https://example.com"), Some(2));
}

/// Uses an installed command.
#[test]
fn nothing_is_installed_twice() {
    let output = step(&Folder::empty(), "install", &[("VERSION", "0.0.0-none")]);
    assert!(output.status.success(), "{output:?}");
}

/// A release archive with a program that prints `mark`, its hash, and the runner's system.
fn release(folder: &Folder, mark: &str) -> Option<(String, Vec<u8>, String)> {
    let target = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "x86_64-unknown-linux-musl",
        ("linux", "aarch64") => "aarch64-unknown-linux-musl",
        ("macos", "aarch64") => "aarch64-apple-darwin",
        ("macos", "x86_64") => "x86_64-apple-darwin",
        _ => return None,
    };
    let name = format!("sitemap-9.8.7-{target}");
    folder.write(&format!("{name}/sitemap"), format!("#!/bin/sh\necho {mark}\n"));
    let script = format!(
        "chmod +x {name}/sitemap && tar -czf {name}.tar.gz {name} && \
         if command -v sha256sum >/dev/null; then sha256sum {name}.tar.gz; else shasum -a 256 {name}.tar.gz; fi"
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let archive = std::fs::read(folder.path(&format!("{name}.tar.gz"))).unwrap();
    Some((name, archive, String::from_utf8(output.stdout).unwrap()))
}

/// Runs the `install` step against a release server, with no `sitemap` in the path.
fn install(folder: &Folder, server: &Server, version: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/action");
    Command::new(script)
        .arg("install")
        .current_dir(folder.path(""))
        .env("PATH", "/usr/bin:/bin")
        .env("INPUT_VERSION", version)
        .env("GITHUB_ACTION_PATH", folder.path("checkout"))
        .env("GITHUB_SERVER_URL", server.url(""))
        .env("GITHUB_ACTION_REPOSITORY", "owner/name")
        .env("GITHUB_PATH", folder.path("added"))
        .env("RUNNER_TEMP", folder.path(""))
        .output()
        .unwrap()
}

#[test]
fn the_released_archive_is_installed() {
    let folder = Folder::with(&[(
        "checkout/Cargo.toml",
        "[workspace.package]\nversion = \"9.8.7\"\n",
    )]);
    let Some((name, archive, hash)) = release(&folder, "released") else {
        return;
    };
    let is_damaged = Arc::new(AtomicBool::new(false));
    let damaged = Arc::clone(&is_damaged);
    let server = Server::start(move |_, request| {
        let base = format!("/owner/name/releases/download/v9.8.7/{name}.tar.gz");
        match request.path.strip_prefix(&*base) {
            Some("") if damaged.load(Ordering::Relaxed) => Answer::ok(&archive[1..]),
            Some("") => Answer::ok(&archive[..]),
            Some(".sha256") => Answer::ok(hash.as_bytes()),
            _ => Answer::status(404),
        }
    });
    for version in ["", "9.8.7"] {
        let output = install(&folder, &server, version);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let added = folder.read("added");
        let program = Path::new(added.lines().last().unwrap()).join("sitemap");
        assert_eq!(Command::new(program).output().unwrap().stdout, b"released\n");
    }
    // A version that was never released, then an archive that does not match its hash.
    assert_eq!(install(&folder, &server, "9.9.9").status.code(), Some(1));
    is_damaged.store(true, Ordering::Relaxed);
    assert_eq!(install(&folder, &server, "").status.code(), Some(1));
}

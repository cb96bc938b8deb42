//! Completions, manual pages and help.

use std::process::Command;

fn run(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sitemap"))
        .args(arguments)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn completions_of_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (is_ok, said) = run(&["completions", shell]);
        assert!(
            is_ok && said.contains("sitemap") && said.contains("lint"),
            "{shell}"
        );
    }
    assert!(!run(&["completions", "none"]).0);
}

#[test]
fn manual_pages() {
    let (is_ok, said) = run(&["man"]);
    assert!(
        is_ok && said.contains(".TH sitemap 1") && said.contains("sitemap\\-lint(1)"),
        "{said}"
    );
    let (is_ok, said) = run(&["man", "lint"]);
    assert!(is_ok && said.contains("fail\\-on"), "{said}");
    assert!(!run(&["man", "none"]).0);
}

/// Every command has an example in its help.
#[test]
fn help_has_examples() {
    let (_, said) = run(&["--help"]);
    let commands: Vec<&str> = said
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(
        commands.contains(&"lint") && commands.contains(&"edit"),
        "{commands:?}"
    );
    for command in commands {
        let (is_ok, said) = run(&[command, "--help"]);
        assert!(
            is_ok && said.contains(&format!("sitemap {command} ")),
            "{command}: {said}"
        );
        let example = said
            .lines()
            .any(|line| line.starts_with("    sitemap ") || line.contains("| sitemap "));
        assert!(example, "{command}: {said}");
    }
}

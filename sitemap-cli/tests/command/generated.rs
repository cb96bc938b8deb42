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
        assert!(is_ok, "{shell}");
        for command in commands() {
            assert!(said.contains(&command), "{shell}: {command}");
        }
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
    for command in commands() {
        assert!(
            said.contains(&format!("sitemap\\-{command}(1)")),
            "{command}: {said}"
        );
        let (is_ok, said) = run(&["man", &command]);
        assert!(
            is_ok && said.contains(&format!(".TH sitemap-{command} 1")) && said.contains("    sitemap "),
            "{said}"
        );
    }
    let (is_ok, said) = run(&["man", "lint"]);
    assert!(is_ok && said.contains("fail\\-on"), "{said}");
    assert!(!run(&["man", "none"]).0);
}

fn commands() -> Vec<String> {
    let (_, said) = run(&["--help"]);
    said.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect()
}

/// Every command has an example in its help.
#[test]
fn help_has_examples() {
    let commands: Vec<String> = commands();
    assert!(
        commands.iter().any(|command| command == "lint") && commands.iter().any(|command| command == "edit"),
        "{commands:?}"
    );
    for command in &commands {
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

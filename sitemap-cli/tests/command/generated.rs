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

/// Short and long help fit a terminal of 100 columns.
#[test]
fn help_has_at_most_100_columns() {
    for command in commands() {
        for help in ["--help", "-h"] {
            let (is_ok, said) = run(&[&command, help]);
            assert!(is_ok, "{command} {help}");
            for line in said.lines() {
                assert!(line.chars().count() <= 100, "{command} {help}: {line}");
            }
        }
    }
    // Lines are not wrapped too early.
    let (_, said) = run(&["lint", "--help"]);
    assert!(said.lines().any(|line| line.chars().count() > 80), "{said}");
    for help in ["--help", "-h"] {
        let (_, said) = run(&[help]);
        assert_eq!(
            said.lines().find(|line| line.chars().count() > 100),
            None,
            "{help}"
        );
    }
}

/// The words that bash completes for the value of an option of `sitemap lint`.
fn offered_by_bash(script: &str, option: &str) -> Vec<String> {
    let (_, lint) = script.split_once("sitemap__subcmd__lint)\n").unwrap();
    let (_, value) = lint.split_once(&format!("{option})\n")).unwrap();
    let (words, _) = value
        .split_once("compgen -W \"")
        .and_then(|(_, words)| words.split_once('"'))
        .unwrap();
    words.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn completions_offer_values() {
    let (_, listed) = run(&["lint", "--explain"]);
    let rules: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(rules.len() > 50, "{rules:?}");
    let engines = ["google", "bing", "yandex", "baidu", "naver", "seznam"];
    let all: Vec<&str> = rules.iter().copied().chain(["all"]).collect();
    let levels: Vec<String> = rules
        .iter()
        .flat_map(|rule| ["off", "note", "warning", "error"].map(|level| format!("{rule}={level}")))
        .collect();
    let (_, bash) = run(&["completions", "bash"]);
    assert_eq!(offered_by_bash(&bash, "--for"), engines);
    assert_eq!(offered_by_bash(&bash, "--explain"), all);
    assert_eq!(offered_by_bash(&bash, "--level"), levels);
    for shell in ["zsh", "fish"] {
        let (_, script) = run(&["completions", shell]);
        let of_option = |option: &str| -> String {
            let dashed = format!("--{option}=");
            let long = format!("-l {option} ");
            // fish has the values on separate lines.
            let mut lines = script
                .lines()
                .skip_while(|line| !(line.contains(&dashed) || line.contains(&long)));
            let first = lines.next().unwrap_or_default();
            let others = lines.take_while(|line| !line.starts_with("complete ") && !line.starts_with('\''));
            [first].into_iter().chain(others).collect::<Vec<_>>().join("\n")
        };
        for (option, words) in [("for", &engines[..]), ("explain", &all)] {
            let offered = of_option(option);
            for word in words {
                assert!(offered.contains(word), "{shell} --{option}: {word}: {offered}");
            }
        }
        let offered = of_option("level");
        for level in &levels {
            assert!(offered.contains(level), "{shell} --level: {level}");
        }
    }
}

/// Completions offer long lists of values. The help omits them, because they would hide the rest.
#[test]
fn help_lists_no_rules() {
    let (_, said) = run(&["lint", "--help"]);
    assert!(!said.contains("P-LOC=off") && !said.contains("P-LASTMOD\n") && said.contains("google, bing"));
}

/// Each shell's own parser accepts its completions, and zsh can evaluate the values that it offers.
#[test]
fn shells_read_their_completions() {
    let folder = tempfile::tempdir().unwrap();
    // As zsh's `_arguments` does with values that have descriptions.
    const VALUES: &str = "compdef() { :; }; _describe() { :; }; _arguments() { for spec in \"$@\"; do case $spec in \
        *'(('*) values=${spec#*'(('}; eval \"ws=( ${values%'))'*} )\" || exit 1; count=$((count + ${#ws})) ;; esac; done }; \
        count=0; source ./completions; words=(sitemap lint); line=(lint); state=sitemap; eval \"${functions[_sitemap]}\" >out; \
        [ $count -gt 50 ] || { echo $count values >&2; exit 1 }";
    for (shell, arguments) in [
        ("bash", &["-n", "completions"][..]),
        ("zsh", &["-f", "-n", "completions"]),
        ("zsh", &["-f", "-c", VALUES]),
        ("fish", &["--no-config", "--no-execute", "completions"]),
    ] {
        let (is_ok, script) = run(&["completions", shell]);
        assert!(is_ok, "{shell}");
        std::fs::write(folder.path().join("completions"), script).unwrap();
        let output = Command::new(shell)
            .args(arguments)
            .current_dir(folder.path())
            .output();
        match output {
            Err(error) => eprintln!("skipped: no {shell}: {error}"),
            Ok(output) => {
                let told = String::from_utf8_lossy(&output.stderr);
                assert!(
                    output.status.success() && told.is_empty(),
                    "{shell} {arguments:?}: {told}"
                );
            }
        }
    }
}

//! The workflows of the project's forge: together they run all steps of the gate and of a release.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the names of a script's steps.
fn steps(script: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(script)).unwrap();
    let list = text.lines().find_map(|line| line.strip_prefix("steps=("));
    let list = list.and_then(|list| list.strip_suffix(')')).unwrap();
    list.split(' ').map(str::to_owned).collect()
}

/// Returns the functions that a script defines.
fn functions(script: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(script)).unwrap();
    let names = text.lines().filter_map(|line| line.strip_suffix("() {"));
    names.map(str::to_owned).collect()
}

/// Returns the commands of a workflow or action.
fn commands(file: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let commands = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("- run: ")
            .or_else(|| line.strip_prefix("run: "))
    });
    commands.map(str::to_owned).collect()
}

/// Returns the steps of a script that a workflow runs.
fn run(workflow: &str, script: &str) -> BTreeSet<String> {
    let commands = commands(&format!(".github/workflows/{workflow}"));
    let of_script = commands
        .iter()
        .filter_map(|command| command.strip_prefix(&format!("{script} ")));
    of_script
        .flat_map(|steps| steps.split(' ').map(str::to_owned))
        .collect()
}

#[test]
fn every_change_runs_the_steps_of_the_gate() {
    assert_eq!(run("ci.yml", ".ci/run"), steps(".ci/run"));
    for command in commands(".github/workflows/ci.yml") {
        assert!(
            command.starts_with(".ci/run ") || command.starts_with(".ci/release "),
            "`{command}` is no step of the gate"
        );
    }
}

#[test]
fn every_release_runs_the_steps_of_a_release() {
    let all = steps(".ci/release");
    assert_eq!(run("release.yml", ".ci/release"), all);
    // Before a tag exists, everything except its name can be checked.
    let mut untagged = all;
    untagged.remove("version");
    assert_eq!(run("ci.yml", ".ci/release"), untagged);
    assert!(run("release.yml", ".ci/run").is_subset(&steps(".ci/run")));
}

/// The action passes its inputs to its script, which has a function for each step.
#[test]
fn the_action_runs_its_script() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let functions = functions(".github/action");
    let mut run = BTreeSet::new();
    for command in commands("action.yml") {
        let step = command.strip_prefix("'\"$GITHUB_ACTION_PATH/.github/action\" ");
        let step = step
            .and_then(|step| step.strip_suffix('\''))
            .unwrap_or_else(|| panic!("{command}"));
        run.insert(step.to_owned());
    }
    assert_eq!(run, functions);
    let script = fs::read_to_string(root().join(".github/action")).unwrap();
    for (input, _) in action
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(':'))
    {
        let variable = format!("INPUT_{}", input.to_uppercase());
        if action.contains(&format!("${{{{ inputs.{input} }}}}")) {
            assert!(script.contains(&format!("${variable}")), "{input}");
            assert!(
                action.contains(&format!("{variable}: ${{{{ inputs.{input} }}}}")),
                "{input}"
            );
        }
    }
}

/// By default, pre-commit starts a command several times, each with some of the files.
#[test]
fn hooks_get_all_files_at_once() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let lines = |line: &str| hooks.lines().filter(|found| found.starts_with(line)).count();
    assert_eq!(lines("- id: "), lines("  require_serial: true"));
}

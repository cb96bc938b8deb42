//! The workflows of the project's forge: they run steps of the gate, and all of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of the gate's steps.
fn steps(root: &Path) -> BTreeSet<String> {
    let gate = fs::read_to_string(root.join(".ci/run")).unwrap();
    let list = gate.lines().find_map(|line| line.strip_prefix("steps=("));
    let list = list.and_then(|list| list.strip_suffix(')')).unwrap();
    list.split(' ').map(str::to_owned).collect()
}

#[test]
fn workflows_run_the_steps_of_the_gate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workflow = fs::read_to_string(root.join(".github/workflows/ci.yml")).unwrap();
    let mut run = BTreeSet::new();
    for line in workflow.lines() {
        let Some(command) = line.trim_start().strip_prefix("- run: ") else {
            continue;
        };
        let of_gate = command.strip_prefix(".ci/run ");
        let of_gate = of_gate.unwrap_or_else(|| panic!("`{command}` is no step of the gate"));
        run.extend(of_gate.split(' ').map(str::to_owned));
    }
    assert_eq!(run, steps(&root));
}

#[test]
fn every_step_is_a_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let gate = fs::read_to_string(root.join(".ci/run")).unwrap();
    let functions: BTreeSet<String> = gate
        .lines()
        .filter_map(|line| line.strip_suffix("() {"))
        .map(str::to_owned)
        .collect();
    assert_eq!(functions, steps(&root));
}

//! The cost of reading and writing, in instructions counted by valgrind.

mod costs;
mod linear;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a program that prints a line after each piece of work. Counts the instructions of each piece between its functions `measured` and
/// `printed`.
fn counted(valgrind: &Path, name: &str, program: &str, arguments: &[String]) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = Command::new(valgrind)
        .args([
            "--tool=callgrind".to_owned(),
            format!("--dump-before={name}::measured*"),
            format!("--dump-before={name}::printed*"),
            format!("--callgrind-out-file={}", out.display()),
        ])
        .arg(program)
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let count = |(i, line): (usize, &str)| {
        // One line is written before it, and one after.
        let profile = fs::read_to_string(format!("{}.{}", out.display(), 2 * i + 2)).unwrap();
        let total = profile.lines().find_map(|line| line.strip_prefix("totals: "));
        (line.to_owned(), total.expect("a total").trim().parse().unwrap())
    };
    said.lines().enumerate().map(count).collect()
}

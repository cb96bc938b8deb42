//! The examples, run as programs.

use sitemap_serving_tests::{Program, check};

#[test]
fn hyper() {
    check(Program::start("hyper", &[]).address);
}

#[test]
fn poem() {
    check(Program::start("poem", &[]).address);
}

#[test]
fn salvo() {
    check(Program::start("salvo", &[]).address);
}

/// The guide shows what the examples do.
#[test]
fn the_guide_has_the_lines_of_the_examples() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap();
    let guide = read("sitemap-site/src/guide/frameworks.rs");
    let mut count = 0;
    for (name, program) in [
        ("poem", "tests/frameworks/examples/poem.rs"),
        ("salvo", "tests/frameworks/examples/salvo.rs"),
        ("Dioxus", "tests/fullstack/examples/dioxus.rs"),
    ] {
        let program = read(program);
        let section = guide.split(&format!("//! # {name}\n")).nth(1).unwrap();
        let block = section.split("```").nth(1).unwrap().lines().skip(1);
        let lines = block.map(|line| {
            line.trim_start_matches("//!")
                .split(" // ")
                .next()
                .unwrap()
                .trim()
        });
        for line in lines.filter(|line| !line.is_empty()) {
            assert!(program.lines().any(|own| own.trim() == line), "{name}: {line}");
            count += 1;
        }
    }
    assert!(count > 8, "{count}");
}

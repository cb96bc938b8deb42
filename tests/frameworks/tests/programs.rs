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
    let fullstack = |path: &str| format!("tests/fullstack/examples/{path}");
    let mut count = 0;
    for (name, files) in [
        ("poem", vec!["tests/frameworks/examples/poem.rs".to_owned()]),
        ("salvo", vec!["tests/frameworks/examples/salvo.rs".to_owned()]),
        (
            "Loco",
            ["sitemap.rs", "config/production.yaml"]
                .map(|file| fullstack(&format!("loco_blog/{file}")))
                .to_vec(),
        ),
        ("Leptos", vec![fullstack("leptos.rs")]),
        ("Dioxus", vec![fullstack("dioxus.rs")]),
    ] {
        let programs: String = files.iter().map(|file| read(file)).collect();
        let section = guide.split(&format!("//! # {name}\n")).nth(1).unwrap();
        let section = section.split("//! # ").next().unwrap();
        let blocks = section.split("```").skip(1).step_by(2);
        let lines = blocks.flat_map(|block| block.lines().skip(1));
        let code = |line: &str| line.split(" // ").next().unwrap().trim().to_owned();
        for line in lines.map(|line| code(line.trim_start_matches("//!"))) {
            let is_own = |own: &str| code(own) == line;
            assert!(line.is_empty() || programs.lines().any(is_own), "{name}: {line}");
            count += usize::from(!line.is_empty());
        }
    }
    assert!(count > 60, "{count}");
}

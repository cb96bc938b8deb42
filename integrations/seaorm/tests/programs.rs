//! The program of the README, from the outside.

use sitemap_serving_tests::{Program, assert_products};

#[test]
fn the_table_is_served() {
    // The machine's zone must not affect a lastmod.
    for zone in ["UTC", "Asia/Tokyo", "America/St_Johns"] {
        let program = Program::start("axum_seaorm", &[("TZ", zone)]);
        assert_products(program.address, &["/", "/about"]);
    }
}

#[test]
fn the_readme_shows_the_programs_lines() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let program = lines(include_str!("../examples/axum_seaorm.rs"));
    let readme = include_str!("../../../README.md");
    let start = readme
        .find("let site = SiteBuilder::new")
        .expect("the README has the program");
    let shown = lines(readme[start..].split("```").next().unwrap());
    let shown: Vec<_> = shown.into_iter().filter(|line| !line.is_empty()).collect();
    assert!(shown.len() > 4);
    assert!(
        program.windows(shown.len()).any(|window| window == shown),
        "{shown:#?}"
    );
}

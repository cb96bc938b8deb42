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

//! Each route's path in the router is its loc in the sitemap.

use std::env;
use std::process::Command;

#[test]
fn dioxus() {
    let test = env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = folder
        .join("examples")
        .join(format!("dioxus{}", env::consts::EXE_SUFFIX));
    let output = Command::new(program).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let (routes, xml) = printed.split_once('\n').unwrap();
    let entries: Vec<sitemap_serde::UrlEntry> = sitemap_serde::from_str(xml.trim_end()).unwrap();
    let locs: Vec<_> = entries.into_iter().map(|entry| entry.loc).collect();
    let paths = routes.split(' ').map(|path| format!("https://example.com{path}"));
    assert_eq!(locs, paths.collect::<Vec<_>>());
    assert_eq!(routes, "/ /about /posts/7 /posts/8");
}

//! The example `workers` from outside: four processes of it write one set.

use std::process::Command;

use sitemap_site::SitemapSet;

#[test]
fn four_workers_of_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let run = |rows: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_workers"))
            .arg(folder.path())
            .arg(rows)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let said = run("20000");
    assert!(
        said.starts_with("5 files with 20,000 URLs, ") && said.contains(": 5 written, 0 kept, 0 removed"),
        "{said}"
    );
    let set = SitemapSet::directory(folder.path().join("sitemaps"), "https://example.com")
        .open()
        .unwrap();
    let locs: Vec<String> = set.entries().unwrap().map(|entry| entry.unwrap().loc).collect();
    let expected: Vec<String> = (1..=20_000)
        .map(|id| format!("https://example.com/products/product-{id}"))
        .collect();
    assert!(locs == expected, "{} locs", locs.len());
    // Nothing has changed.
    assert!(run("20000").contains(": 0 written, 5 kept, 0 removed"));
}

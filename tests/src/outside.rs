//! Files and programs from outside the project, which some tests need. If one is missing, the tests report that they are skipped.

use std::env;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// Returns the folder of files outside the project: published sitemaps and the results of other readers (`corpus`), and the schemas
/// (`xsd`). The variable `SITEMAP_SHARED` names it.
///
/// `None` if the variable is not set: skip the test.
///
/// # Panics
/// If the variable names a folder without these two, or if it is unset and `SITEMAP_REQUIRE_ALL` is 1.
pub fn files(test: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("SITEMAP_SHARED").filter(|folder| !folder.is_empty()) else {
        return skip(test, "SITEMAP_SHARED is not set: there are no files to test with");
    };
    let folder = PathBuf::from(folder);
    assert!(
        folder.join("xsd").is_dir(),
        "SITEMAP_SHARED: {} has no folder `xsd`",
        folder.display()
    );
    assert!(
        folder.join("corpus").is_dir(),
        "SITEMAP_SHARED: {} has no folder `corpus`",
        folder.display()
    );
    Some(folder)
}

/// Finds a program that the project does not include, such as `xmllint`. `None` if it is not installed: skip the test.
///
/// # Panics
/// If the program is missing and `SITEMAP_REQUIRE_ALL` is 1.
pub fn program(test: &str, name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| Path::is_file(file));
    found.or_else(|| skip(test, &format!("{name} is not installed")))
}

/// Returns the folder of other readers: ultimate-sitemap-parser in a virtual environment `python`, and the npm package `sitemap` in
/// `node_modules`. The variable `SITEMAP_READERS` names it; `.ci/run` installs them. `None` if they are missing: skip the test.
///
/// # Panics
/// If they are missing, and either the variable is set or `SITEMAP_REQUIRE_ALL` is 1.
pub fn readers(test: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("SITEMAP_READERS").filter(|folder| !folder.is_empty()) else {
        return skip(test, "SITEMAP_READERS is not set: there are no other readers");
    };
    let folder = PathBuf::from(folder);
    for part in ["python/bin/python", "node_modules/sitemap"] {
        assert!(
            folder.join(part).exists(),
            "SITEMAP_READERS: {} has no {part}",
            folder.display()
        );
    }
    Some(folder)
}

/// Reports that a test is skipped, or fails if none may be. Returns `None`.
///
/// # Panics
/// If `SITEMAP_REQUIRE_ALL` is `1`.
pub fn skip<T>(test: &str, reason: &str) -> Option<T> {
    assert!(
        env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
        "{test}: {reason}"
    );
    // The test harness would hide `eprintln!` of a passing test. Nothing depends on the line.
    let _ = writeln!(stderr(), "{test}: SKIPPED: {reason}");
    None
}

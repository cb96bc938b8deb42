//! The crates as they are published: they share one version, except integrations, and each package has a README and the licences.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &Path) -> Table {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the folders of the published crates, with their manifests.
fn published() -> Vec<(String, Table)> {
    let root = root();
    let workspace = manifest(&root);
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let folders = members.iter().map(|folder| folder.as_str().unwrap().to_owned());
    let crates: Vec<_> = folders
        .map(|folder| (folder.clone(), manifest(&root.join(folder))))
        .filter(|(_, manifest)| manifest["package"].get("publish") != Some(&Value::Boolean(false)))
        .collect();
    assert!(crates.len() >= 16, "{}", crates.len());
    crates
}

#[test]
fn all_crates_have_one_version_and_integrations_their_own() {
    let workspace = &manifest(&root())["workspace"];
    let version = workspace["package"]["version"].as_str().unwrap();
    for (name, dependency) in workspace["dependencies"].as_table().unwrap() {
        let path = dependency.get("path").and_then(Value::as_str);
        if path.is_some_and(|path| !path.starts_with("integrations/")) {
            assert_eq!(
                dependency["version"].as_str(),
                Some(&*format!("={version}")),
                "{name}"
            );
        }
    }
    for (folder, manifest) in published() {
        let inherited = manifest["package"]["version"].get("workspace");
        let is_own = folder.starts_with("integrations/");
        assert_eq!(inherited.is_none(), is_own, "{folder}");
        // An integration names the libraries with a caret, unless it uses hidden API.
        for (name, dependency) in manifest["dependencies"].as_table().into_iter().flatten() {
            let path = dependency.get("path").and_then(Value::as_str).unwrap_or("");
            if path.starts_with("../../sitemap-") {
                assert_eq!(dependency["version"].as_str(), Some(version), "{folder}: {name}");
            }
        }
    }
}

#[test]
fn every_package_has_what_its_page_shows() {
    let root = root();
    for (folder, manifest) in published() {
        let read = |file: &str| {
            fs::read_to_string(root.join(&folder).join(file))
                .unwrap_or_else(|error| panic!("{folder}/{file}: {error}"))
        };
        let package = manifest["package"].as_table().unwrap();
        for key in ["description", "include", "repository", "keywords", "categories"] {
            assert!(package.contains_key(key), "{folder}: {key}");
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(
                read(licence),
                fs::read_to_string(root.join(licence)).unwrap(),
                "{folder}"
            );
        }
        let readme = read("README.md");
        assert!(readme.starts_with("# "), "{folder}");
        assert!(readme.lines().count() <= 60, "{folder}: a README is one screen");
        if readme.contains("```") && root.join(&folder).join("src/lib.rs").exists() {
            let doctest = "#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]\n";
            assert!(
                read("src/lib.rs").contains(doctest),
                "{folder}: nothing runs its README"
            );
        }
        // The README states the minimum Rust version.
        let rust = package["rust-version"].as_str().unwrap_or("1.89");
        assert!(readme.contains(&format!("Builds on Rust {rust}.")), "{folder}");
    }
}

/// A feature for another crate's types covers one major version. The next major version is a separate feature.
#[test]
fn features_of_types_carry_their_major() {
    let root = root();
    let versions = manifest(&root)["workspace"]["dependencies"]
        .as_table()
        .unwrap()
        .clone();
    let major = |dependency: &str| {
        let version = versions[dependency]["version"].as_str().unwrap();
        let mut numbers = version
            .split('.')
            .take_while(|number| *number == "0")
            .collect::<String>();
        numbers += version.split('.').find(|number| *number != "0").unwrap();
        numbers
    };
    for (folder, features) in [
        ("sitemap-values", vec!["chrono04", "jiff02", "jiff1", "time03"]),
        (
            "sitemap-serde",
            vec!["chrono04", "jiff02", "jiff1", "time03", "url2"],
        ),
    ] {
        let manifest = manifest(&root.join(folder));
        let mut found = Vec::new();
        for (feature, enables) in manifest["features"].as_table().unwrap() {
            let dependency = enables
                .as_array()
                .unwrap()
                .iter()
                .find_map(|name| name.as_str()?.strip_prefix("dep:"));
            let Some(dependency) = dependency else { continue };
            let name = versions[dependency]
                .get("package")
                .and_then(Value::as_str)
                .unwrap_or(dependency);
            if ["chrono", "jiff", "time", "url"].contains(&name) {
                assert_eq!(*feature, format!("{name}{}", major(dependency)), "{folder}");
                found.push(feature.as_str());
            }
        }
        found.sort_unstable();
        assert_eq!(found, features, "{folder}");
    }
}

/// A feature that docs.rs does not build is hard to find.
#[test]
fn docs_are_built_with_all_features() {
    let root = root();
    for (folder, manifest) in published() {
        let Some(features) = manifest.get("features").and_then(Value::as_table) else {
            continue;
        };
        if !root.join(&folder).join("src/lib.rs").exists() {
            continue;
        }
        let settings = manifest["package"]
            .get("metadata")
            .map(|metadata| &metadata["docs"]["rs"]);
        let settings = settings.unwrap_or_else(|| panic!("{folder}: {features:?}"));
        assert_eq!(settings["all-features"], Value::Boolean(true), "{folder}");
        let library = fs::read_to_string(root.join(&folder).join("src/lib.rs")).unwrap();
        assert!(
            library.contains("#![cfg_attr(docsrs, feature(doc_cfg))]"),
            "{folder}"
        );
    }
}

/// Programs of the front page are also in the crates' READMEs, which are doctests.
#[test]
fn programs_of_the_readme_run_elsewhere() {
    let root = root();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut running = String::new();
    for (folder, _) in published() {
        running += &fs::read_to_string(root.join(folder).join("README.md")).unwrap();
    }
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let running = lines(&running);
    let programs: Vec<_> = readme.split("```rust").skip(1).collect();
    assert!(programs.len() >= 3);
    for program in programs {
        let program = program.split_once('\n').unwrap().1;
        let shown: Vec<_> = lines(program.split("```").next().unwrap());
        assert!(shown.len() > 5);
        assert!(
            running.windows(shown.len()).any(|window| window == shown),
            "{shown:#?}"
        );
    }
}

/// An integration exists for its own dependencies. Every other dependency is a cost for users, so the table gives its reason.
#[test]
fn each_dependency_has_its_reason() {
    let root = root();
    let page = fs::read_to_string(root.join("docs/DEPENDENCIES.md")).unwrap();
    let (_, section) = page.split_once("\n## Dependencies\n").unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let explained: BTreeSet<_> = rows
        .flat_map(|row| row.split(" | ").next().unwrap().split([' ', ',', '`', '(', ')']))
        .collect();
    for (folder, manifest) in published() {
        if folder.starts_with("integrations/") {
            continue;
        }
        let none = Table::new();
        let table = |table: &Table| {
            table
                .get("dependencies")
                .map_or(none.clone(), |value| value.as_table().unwrap().clone())
        };
        let systems = manifest.get("target").and_then(Value::as_table).unwrap_or(&none);
        let dependencies = systems
            .values()
            .map(|system| table(system.as_table().unwrap()))
            .chain([table(&manifest)]);
        for name in dependencies.flat_map(|table| table.keys().cloned().collect::<Vec<_>>()) {
            assert!(
                name.starts_with("sitemap-") || explained.contains(name.as_str()),
                "{folder}: no reason for {name} in DEPENDENCIES.md"
            );
        }
    }
}

/// The wheel of the hooks and the npm package name the version of the release that they belong to.
#[test]
fn other_package_managers_get_the_same_version() {
    let root = root();
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let workspace: Table = read("Cargo.toml").parse().unwrap();
    let version = workspace["workspace"]["package"]["version"].as_str().unwrap();
    let hooks: Table = read("pyproject.toml").parse().unwrap();
    assert_eq!(hooks["project"]["version"].as_str(), Some(version));
    let wheel = format!("sitemap-cli=={version}");
    assert_eq!(hooks["project"]["dependencies"][0].as_str(), Some(&*wheel));
    let npm: serde_json::Value = serde_json::from_str(&read("sitemap-cli/npm/package.json")).unwrap();
    assert_eq!(npm["version"], version);
    let programs = npm["optionalDependencies"].as_object().unwrap();
    assert!(
        programs.values().all(|program| program == version),
        "{programs:?}"
    );
    // Each archive of a release has its npm package.
    let archives = read(".github/workflows/release.yml")
        .matches("target: x86_64-")
        .count()
        + read(".github/workflows/release.yml")
            .matches("target: aarch64-")
            .count();
    assert_eq!(programs.len(), archives);
}

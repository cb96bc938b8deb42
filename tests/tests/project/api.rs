//! Compares the names in `api/` to the sources. `.ci/release api` compares the whole texts to the compiler's, which takes minutes. These
//! tests detect added, renamed and removed names quickly.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::files;

/// Items that are exported as `doc(hidden)`, by file. A folder is one hidden module, which the derives' code calls.
const HIDDEN: [(&str, &[&str]); 27] = [
    ("integrations/diesel/src/lib.rs", &["type_name"]),
    ("sitemap-serde/src/loc/normal.rs", &["normal_form"]),
    ("sitemap-serde/src/derive_support", &[]),
    (
        "sitemap-serde/src/entry/column/number.rs",
        &["Displayed", "Optional"],
    ),
    ("sitemap-serde/src/entry/column/unix.rs", &["absent", "name"]),
    (
        "sitemap-serde/src/entry/columns.rs",
        &[
            "Columns",
            "flags",
            "is_lastmod_converted",
            "lastmod",
            "read_lastmod",
            "zone",
        ],
    ),
    (
        "sitemap-serde/src/entry/fields.rs",
        &[
            "ALTERNATE",
            "CHANGEFREQ",
            "IMAGE",
            "LASTMOD",
            "NEWS",
            "PRIORITY",
            "UNKNOWN",
            "VIDEO",
            "and",
            "has",
        ],
    ),
    ("sitemap-serde/src/entry/many.rs", &["Several"]),
    ("sitemap-serde/src/entry/extension.rs", &["OfEntry"]),
    (
        "sitemap-serde/src/loc.rs",
        &["check", "encode_reference", "host", "path_of"],
    ),
    (
        "sitemap-serde/src/loc/mount.rs",
        &["Mount", "encoding", "new", "of_const"],
    ),
    ("sitemap-serde/src/with", &["Time"]),
    ("sitemap-serde/src/schema/page_map.rs", &["Template"]),
    ("sitemap-serde/src/writer/entries.rs", &["Sealed"]),
    (
        "sitemap-serde/src/xml/events.rs",
        &["End", "Event", "Start", "of_reader", "of_slice"],
    ),
    (
        "sitemap-serde/src/xml/source.rs",
        &["Borrowed", "SourceText", "Transient", "Window"],
    ),
    (
        "sitemap-site/src/hash.rs",
        &["ContentHash", "NotAHash", "as_bytes", "of", "short"],
    ),
    (
        "sitemap-serde/src/reader/rows.rs",
        &["Rows", "complete", "fill", "fill_from"],
    ),
    ("sitemap-site/src/part.rs", &["dated", "hash", "last"]),
    ("sitemap-site/src/source.rs", &["DatedKeys", "finish", "push"]),
    (
        "sitemap-site/src/source/panicked.rs",
        &["Panicked", "catch", "new"],
    ),
    (
        "integrations/diesel/src/bisect.rs",
        &[
            "Bisection",
            "Done",
            "Failed",
            "Keys",
            "Next",
            "found",
            "new",
            "next_query",
        ],
    ),
    (
        "integrations/diesel/src/declared.rs",
        &["Declared", "check", "is_given", "of"],
    ),
    (
        "integrations/diesel/src/failure.rs",
        &["Failure", "Key", "Panic", "Query", "is_of_a_plan", "is_of_a_row"],
    ),
    ("integrations/diesel/src/lib.rs", &["dated_keys", "undated_keys"]),
    ("integrations/diesel/src/revision.rs", &["Revision", "new"]),
    ("integrations/sqlx/src/backend.rs", &["Dialect"]),
];

/// Public enums and structs with public fields that are complete, each with the reason. All others are `non_exhaustive`.
const COMPLETE: [(&str, &str); 7] = [
    (
        "sitemap_serde::Document",
        "the protocol has two kinds of documents",
    ),
    ("sitemap_serde::Kind", "the protocol has two kinds of documents"),
    ("sitemap_values::ChangeFreq", "the protocol has seven words"),
    (
        "sitemap_site::source::Span",
        "a range has two ends; sources of other crates make one",
    ),
    ("sitemap_submit::Step", "a program must do what each step says"),
    ("sitemap_tree::Answer", "a program must do what each answer says"),
    ("sitemap_tree::Step", "a program must do what each step says"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of a library. Integrations have their own.
fn folder(root: &Path, library: &str) -> String {
    if root.join(library).is_dir() {
        return library.to_owned();
    }
    format!("integrations/{}", library.strip_prefix("sitemap-").unwrap())
}

const KEYWORDS: [&str; 10] = [
    "async", "const", "unsafe", "fn", "struct", "enum", "trait", "type", "static", "mod",
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty())
}

/// The names that a source file declares as public, and does not hide.
fn declared(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut is_hidden = false;
    // The indentation of a public enum's variants.
    let mut variants = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start();
        if line.starts_with("//") || line.starts_with('#') {
            is_hidden |= line == "#[doc(hidden)]";
            continue;
        }
        // `pub(crate)` does not start with `pub `. The names in a macro come from its calls.
        let declaration = line.strip_prefix("pub ").filter(|text| !text.contains('$'));
        let name = match declaration {
            Some(declaration) => words(declaration).find(|word| !KEYWORDS.contains(word)),
            None if variants == Some(indent) && line.starts_with(char::is_uppercase) => words(line).next(),
            None => None,
        };
        names.extend(name.filter(|name| *name != "use" && !is_hidden));
        if line.starts_with('}') || declaration.is_some() {
            let is_enum = declaration.is_some_and(|text| text.starts_with("enum ")) && !is_hidden;
            variants = is_enum
                .then_some(indent + 4)
                .or(variants.filter(|variants| indent >= *variants));
        }
        is_hidden = false;
    }
    names
}

/// Returns the item that a line of `api/` describes: the end of its path.
fn listed(line: &str) -> Option<&str> {
    let line = line.rsplit("#[non_exhaustive] ").next()?.strip_prefix("pub ")?;
    let ends = ["(", ": ", " = ", " where "].map(|end| line.find(end));
    let end = ends.into_iter().flatten().min();
    let path = line.get(..end.unwrap_or(line.len()))?;
    // For `Row<T>` and `Row<T>::key`.
    let path = path
        .strip_suffix('>')
        .map_or(path, |path| path.split('<').next().unwrap());
    words(path).last()
}

#[test]
fn the_texts_of_the_public_api_have_the_names_of_the_sources() {
    let root = root();
    let mut stale = Vec::new();
    for entry in fs::read_dir(root.join("api")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if file == "allowed.txt" {
            continue;
        }
        let library = file.strip_suffix(".txt").unwrap();
        let api = fs::read_to_string(root.join("api").join(&file)).unwrap();
        let accepted: BTreeSet<_> = words(&api).collect();
        let paths = files(&root.join(folder(&root, library)).join("src"), &["rs"]);
        let paths = paths.into_iter().filter(|path| !path.ends_with("tests.rs"));
        let mut known = BTreeSet::new();
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            known.extend(words(&text).map(str::to_owned));
            let path = path
                .strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            let hidden = HIDDEN.iter().filter(|(hidden, _)| path.starts_with(hidden));
            let hidden: Vec<_> = hidden.map(|(_, names)| *names).collect();
            let new = declared(&text).into_iter().filter(|name| {
                !accepted.contains(name)
                    && !hidden
                        .iter()
                        .any(|names| names.is_empty() || names.contains(name))
            });
            stale.extend(new.map(|name| format!("{path}: `{name}` is not in api/{file}")));
        }
        if library == "sitemap-serde" {
            // Its text includes the types that it re-exports.
            for path in files(&root.join("sitemap-values/src"), &["rs"]) {
                known.extend(words(&fs::read_to_string(path).unwrap()).map(str::to_owned));
            }
        }
        let names: BTreeSet<_> = api.lines().filter_map(listed).collect();
        let gone = names.into_iter().filter(|name| !known.contains(*name));
        let is_crate = |name: &&str| *name == library.replace('-', "_");
        stale.extend(
            gone.filter(|name| !is_crate(name))
                .map(|name| format!("api/{file}: `{name}` is not in {library}/src")),
        );
    }
    assert!(
        stale.is_empty(),
        "accept it by `.ci/release write-api`:\n{}",
        stale.join("\n")
    );
}

/// Types that must be able to grow are `non_exhaustive`, and no struct has unnamed public fields.
#[test]
fn types_can_grow() {
    let mut found = BTreeSet::new();
    let mut texts = Vec::new();
    for entry in fs::read_dir(root().join("api")).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name != "allowed.txt") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    for text in &texts {
        let path = |line: &str| line.split(['<', '(', ' ']).next().unwrap().to_owned();
        let with_fields: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("pub ")?.split_once(": "))
            .filter(|(path, _)| !path.contains(' '))
            .filter_map(|(path, _)| path.rsplit_once("::"))
            .map(|(of, _)| path(of))
            .collect();
        for line in text.lines() {
            let positional = line.starts_with("pub struct ") && line.contains('(') && !line.ends_with("(_)");
            assert!(!positional, "a public field without a name: {line}");
            if let Some(name) = line.strip_prefix("pub enum ") {
                found.insert(path(name));
            } else if let Some(name) = line.strip_prefix("pub struct ").map(path) {
                found.extend(with_fields.contains(&name).then_some(name));
            }
        }
    }
    let complete = COMPLETE.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(
        found,
        complete.collect(),
        "mark it `non_exhaustive`, or say in `COMPLETE` why it need not grow"
    );
    let stability = fs::read_to_string(root().join("docs/STABILITY.md")).unwrap();
    for (name, why) in COMPLETE {
        let row = format!(
            "| `{}` | {why} |",
            name.replace("sitemap_values", "sitemap_serde")
        );
        assert!(stability.contains(&row), "STABILITY.md has no row {row}");
    }
}

#[test]
fn names_are_found() {
    let text = "pub use a::b;\n/// `pub fn c()`\n#[doc(hidden)]\n#[must_use]\npub fn d() {}\n    pub const fn e() {\n    pub f: u8,\npub(crate) fn g() {}\n\
                pub enum H {\n    #[doc(hidden)]\n    I,\n    J {\n        pub_k: u8,\n    },\n    L(u8),\n}\nenum M {\n    N,\n}\n";
    assert_eq!(declared(text), BTreeSet::from(["e", "f", "H", "J", "L"]));
    let lines = [
        ("pub fn a::Row<T>::key(&self) -> &a::Key", Some("key")),
        ("pub a::Span::after: core::option::Option<a::Key>", Some("after")),
        ("#[non_exhaustive] pub struct a::WithPage<S, F>", Some("WithPage")),
        ("pub type a::X<S, F>::Entry = T", Some("Entry")),
        ("pub trait a::Source: core::marker::Send", Some("Source")),
        ("impl a::Source for a::Row", None),
    ];
    for (line, name) in lines {
        assert_eq!(listed(line), name, "{line}");
    }
}

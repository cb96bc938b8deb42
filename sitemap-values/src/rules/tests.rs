//! The table has the content of the files, and the files are complete.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use crate::Rule;

const TABLE: &str = include_str!("table.rs");

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/rules")
}

/// A file of the folder.
fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the pages in `sources.md`, as constants of the table.
fn sources() -> String {
    let mut table = String::new();
    let text = read("sources.md");
    for row in text.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<_> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let [name, title, url, date] = cells[..] else {
            panic!("four cells, not {row}")
        };
        assert!(url.starts_with("http") && date.len() == 7, "{row}");
        writeln!(
            table,
            "const {}: Source = Source {{ title: {title:?}, url: {url:?}, date: {date:?} }};",
            constant(name)
        )
        .unwrap();
    }
    table
}

fn constant(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// A file as a row of the table.
fn row(id: &str) -> String {
    let text = read(&format!("{id}.md"));
    let parts: Vec<_> = text.splitn(3, "\n\n").collect();
    let [title, head, explanation] = parts[..] else {
        panic!("{id}: a title, a head and a text, with an empty line between them")
    };
    let Some(summary) = title.strip_prefix(&format!("# {id}: ")) else {
        panic!("{id}: the first line is `# {id}: …`")
    };
    assert!(
        explanation.len() > 80 && explanation.ends_with(".\n") && !explanation.contains("\n\n\n"),
        "{id}: a text of sentences, and no empty line at its end"
    );
    assert!(
        explanation
            .trim_end()
            .split("\n\n")
            .all(|paragraph| !paragraph.contains('\n')),
        "{id}: a paragraph is one line"
    );
    let mut name = None;
    let mut source = None;
    let mut severity = None;
    let [mut exceptions, mut console, mut engines] = [const { String::new() }; 3];
    let mut last = 0;
    for line in head.lines() {
        let Some((key, value)) = line.strip_prefix("- ").and_then(|line| line.split_once(": ")) else {
            panic!("{id}: `- key: value`, not {line}")
        };
        match key {
            "name" => assert!(name.replace(value).is_none(), "{id}: one name"),
            "source" => assert!(source.replace(value).is_none(), "{id}: one source"),
            "severity" if severity.is_none() => severity = Some(capital(value)),
            "severity" => {
                let (other, when) = value.split_once(' ').unwrap();
                assert!(when.starts_with("if "), "{id}: a clause with `if`, not {when}");
                write!(exceptions, "({} {when:?})", capital(other)).unwrap();
            }
            "search console" => {
                let separator = if console.is_empty() { "" } else { " " };
                write!(console, "{separator}{value:?}").unwrap();
            }
            _ => {
                let engine = key
                    .parse::<crate::engine::Engine>()
                    .unwrap_or_else(|error| panic!("{id}: {error}"));
                let order = engine as usize + 1;
                assert!(
                    order > last,
                    "{id}: each engine once, in the order of `Engine::ALL`"
                );
                last = order;
                let (stance, page) = value.split_once(", by ").unwrap();
                write!(engines, "({engine} {} {})", capital(stance), constant(page)).unwrap();
            }
        }
    }
    let (Some(name), Some(source), Some(severity)) = (name, source, severity) else {
        panic!("{id}: a name, a source and a severity")
    };
    format!(
        "    {name} {id:?} {summary:?} ({source:?}) {severity}\n        except [{exceptions}] console [{console}] engines [{engines}]\n"
    )
}

#[test]
fn the_table_is_that_of_the_files() {
    let mut ids: Vec<String> = Rule::ALL.iter().map(|rule| rule.as_str().to_owned()).collect();
    let mut files: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|file| {
            Some(
                file.unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".md")?
                    .to_owned(),
            )
        })
        .filter(|name| name != "sources")
        .collect();
    files.sort();
    let new = files
        .iter()
        .filter(|id| !ids.contains(id))
        .cloned()
        .collect::<Vec<_>>();
    ids.extend(new);
    let rows: String = ids.iter().map(|id| row(id)).collect();
    let (before, _) = TABLE.split_once("// sources.md\n").unwrap();
    let table = format!("{before}// sources.md\n{}\nrules! {{\n{rows}}}\n", sources());
    if env::var_os("WRITE_RULES").is_some() {
        return fs::write(folder().join("table.rs"), table).unwrap();
    }
    assert_eq!(
        TABLE, table,
        "`WRITE_RULES=1 cargo test -p sitemap-values rules` writes the table of the files"
    );
}

/// The texts of no two rules are equal.
#[test]
fn every_rule_has_a_text_of_its_own() {
    let mut texts = BTreeMap::new();
    for doc in Rule::ALL.iter().copied() {
        let other = texts.insert(doc.explanation(), doc);
        assert_eq!(other, None, "{doc}");
    }
}

#[test]
fn ids_are_unique_and_parse_back() {
    for (index, rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(rule.as_str().parse::<Rule>().unwrap(), *rule);
        assert_eq!(rule.as_str().to_lowercase().parse::<Rule>().unwrap(), *rule);
        assert_eq!(rule.to_string(), rule.as_str());
        for other in &Rule::ALL[..index] {
            assert!(!other.as_str().eq_ignore_ascii_case(rule.as_str()));
            assert_ne!(other.summary(), rule.summary());
        }
    }
}

#[test]
fn another_id_is_refused() {
    assert_eq!(
        "P-LOCK".parse::<Rule>().unwrap_err().to_string(),
        "`P-LOCK` is not the id of a rule; write one from the table in the documentation of `Rule`, such as `P-LOC`"
    );
    assert!("".parse::<Rule>().is_err());
}

#[test]
fn fits_a_table() {
    for rule in Rule::ALL {
        for text in [rule.as_str(), rule.summary(), rule.source()] {
            assert!(
                !text.is_empty() && !text.contains(['|', '\n']) && !text.ends_with('.'),
                "{text}"
            );
        }
    }
}

//! The layers: each module of the library uses only modules below it, modules outside the layers use none, and no folder of a crate has a new
//! circle of modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::files::files;

/// The layered modules, from the bottom up. Modules of one rank do not use each other.
const LAYERS: [&[&str]; 8] = [
    &["xml"],
    &["record", "raw"],
    &["document"],
    &["de", "ser"],
    &["entry"],
    &["derive_support", "reader", "with", "writer"],
    &["edit", "lint"],
    &["diff"],
];

/// Modules that every module may use, and that use no layer.
const BESIDE: [&str; 13] = [
    "error",
    "filter",
    "limits",
    "loc",
    "model",
    "character",
    "diagnostic",
    "schema",
    "guide",
    "block",
    "robots",
    "search_console",
    "engine",
];

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The modules that a file names as `crate::…`, outside of comments.
fn uses(source: &str) -> BTreeSet<String> {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect()
        })
        .filter(|module: &String| rank(module).is_some() || BESIDE.contains(&module.as_str()))
        .collect()
}

#[test]
fn arrows_point_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sitemap-serde/src");
    let found = files(&root, &["rs"]);
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for file in found {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let module = name.split(['/', '.']).next().unwrap_or_default().to_owned();
        if module == "lib" {
            continue;
        }
        assert!(
            rank(&module).is_some() || BESIDE.contains(&module.as_str()),
            "{module} is no layer and stands beside none: add it to the list"
        );
        checked += 1;
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            let allowed = match (rank(&module), rank(&used)) {
                _ if used == module => true,
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(own), Some(below)) => below < own,
            };
            if !allowed {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50);
}

/// A key of the derive is in three files: its row, its check and its code. Code is made of checked pages, and knows no attributes.
#[test]
fn a_key_of_the_derive_is_in_three_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sitemap-derive/src");
    let (mut in_code, mut with_priority) = (Vec::new(), Vec::new());
    for file in files(&root, &["rs"]) {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        if ["tests.rs", "ui.rs", "expansions.rs"].contains(&&*name) {
            continue;
        }
        let code = code(&fs::read_to_string(&file).unwrap());
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let words: BTreeSet<&str> = code.split(|c| !is_part(c)).collect();
        let attributes = ["PageAttrs", "FieldAttrs", "TypeAttrs", "Setting"];
        if name.starts_with("expand") && attributes.iter().any(|name| words.contains(name)) {
            in_code.push(name.clone());
        }
        if words.contains("priority") || words.contains("Priority") {
            with_priority.push(name);
        }
    }
    assert_eq!(in_code, [""; 0]);
    assert_eq!(with_priority, ["attr/constant.rs", "attr.rs", "expand/value.rs"]);
}

/// The remaining circles, by crate and folder: modules that use each other, each with the reason.
#[rustfmt::skip]
const CIRCLES: &[(&str, &str, &[&[&str]])] = &[
    // The table of rules names engines, whose functions query it. Messages name rules.
    ("sitemap-values", "", &[&["engine", "error", "rules", "severity"]]),
    // An error lists the allowed values of the schema.
    ("sitemap-serde", "", &[&["error", "loc", "model", "schema"]]),
    // An element with children is a value, whose fields are values.
    ("sitemap-serde", "de", &[&["entry", "value"]]),
    // Columns are converted by the traits, and the message about a text asks whether `sql_date_time` would read it.
    ("sitemap-serde", "entry", &[&["column", "convert"]]),
    // `events` calls the checks, which store their findings in its state.
    ("sitemap-serde", "lint", &[&[
        "alternates", "entry", "events", "folder", "input", "languages", "pages", "reading", "set",
    ]]),
    // Checks and repairs are methods of the writer, which calls them.
    ("sitemap-serde", "record", &[&["against_loc", "invalid", "write"]]),
    // Each type has its row in the tables, whose macros implement the traits.
    ("sitemap-serde", "schema", &[&[
        "alternate", "card", "element", "entry", "image", "kind", "leaf", "name", "news", "page_map", "read", "serde", "table",
        "video", "write",
    ]]),
    // Elements contain elements.
    ("sitemap-serde", "ser", &[&["compound", "element", "entry", "raw"]]),
    // Selectors match the attributes of a tag, and the reader of pages asks them.
    ("sitemap-pages", "", &[&["html", "selector"]]),
    // A request hands out the ticket that reads its document.
    ("sitemap-tree", "", &[&["document", "report", "request"]]),
    // The trait runs an exchange by default, and the run calls its methods.
    ("sitemap-submit", "", &[&["exchange", "run"]]),
    ("sitemap-cli", "", &[
        // An input opens files, folders and sites, which are inputs again.
        &["folder", "formats", "input", "live", "malformed", "omitted", "unread"],
        // A message first removes the progress line, which is escaped like a message.
        &["message", "progress"],
        // `sitemap.toml` has sections for both, read in the same way, and `lint --pages` reads pages with the settings of `from`.
        &["from", "lint"],
    ]),
];

/// Crates whose modules are checked, each in the folder of this name.
const CRATES: [&str; 8] = [
    "sitemap-values",
    "sitemap-serde",
    "sitemap-derive",
    "sitemap-site",
    "sitemap-pages",
    "sitemap-tree",
    "sitemap-submit",
    "sitemap-cli",
];

/// The path of a module in its crate; empty for the root.
type Module = Vec<String>;

/// A module's paths to other items, as written, and the names that it imports.
#[derive(Default)]
struct Source {
    paths: Vec<Vec<String>>,
    imported: BTreeMap<String, Vec<String>>,
}

/// The code of a file: without comments, texts and tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut code = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, found) = rest.split_at(at);
        code.push_str(before);
        let hashes = before.len() - before.trim_end_matches('#').len();
        let is_raw = before.trim_end_matches('#').ends_with('r');
        rest = if found.starts_with("//") {
            found.find('\n').map_or("", |end| &found[end..])
        } else if found.starts_with('"') && is_raw {
            let close = format!("\"{}", "#".repeat(hashes));
            found[1..].split_once(&close).map_or("", |(_, rest)| rest)
        } else if let Some(text) = found.strip_prefix('"') {
            after_text(text)
        } else if let Some(rest) = found.strip_prefix("'\"'") {
            rest
        } else {
            code.push_str(&found[..1]);
            &found[1..]
        };
    }
    code.push_str(rest);
    code
}

/// The code after a text's closing quote.
fn after_text(text: &str) -> &str {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !is_escaped => return &text[at + 1..],
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    ""
}

/// All paths of a tree of imports, `a::{b, c::d}`, each with the name that it gets.
fn expand(tree: &str, prefix: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree
        .split_once('{')
        .filter(|(head, _)| head.is_empty() || head.ends_with("::"))
    {
        let mut path = prefix.to_vec();
        path.extend(
            head.split("::")
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
        );
        let (mut depth, mut start) = (0, 0);
        let group = group.strip_suffix('}').unwrap();
        for (at, found_char) in group.char_indices() {
            match found_char {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&group[start..at], &path, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        expand(&group[start..], &path, found);
    } else if !tree.is_empty() {
        let (path_text, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = prefix.to_vec();
        path.extend(path_text.split("::").map(str::to_owned));
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = if name.is_empty() {
            path.last().unwrap()
        } else {
            name
        };
        found.push((name.to_owned(), path.clone()));
    }
}

fn source(text: &str) -> Source {
    let code = code(text);
    let mut source = Source::default();
    let mut rest = &*code;
    // Imports begin a line, indented only within functions.
    while let Some(at) = rest.find("use ") {
        let (before, import) = rest.split_at(at);
        let line = before.rsplit('\n').next().unwrap().trim();
        let is_import = line.is_empty() || line.starts_with("pub") && !line.contains(' ');
        let Some(end) = import.find(';').filter(|_| is_import) else {
            rest = &import["use ".len()..];
            continue;
        };
        let mut found = Vec::new();
        expand(&import["use ".len()..end], &[], &mut found);
        for (name, path) in found {
            source.paths.push(path.clone());
            source.imported.insert(name, path);
        }
        rest = &import[end..];
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(is_part) {
                continue;
            }
            let path: String = code[at..].chars().take_while(|c| is_part(*c)).collect();
            let path = path.split("::").filter(|name| !name.is_empty());
            source.paths.push(path.map(str::to_owned).collect());
        }
    }
    source
}

/// The modules of a crate, without test modules.
fn sources(folder: &str) -> BTreeMap<Module, Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder)
        .join("src");
    let mut sources = BTreeMap::new();
    for file in files(&root, &["rs"]) {
        let name = file.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Module = name
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        if module.iter().any(|part| part == "tests" || part == "guide") {
            continue;
        }
        module.retain(|part| part != "lib" && part != "main" && part != "mod");
        sources.insert(module, source(&fs::read_to_string(&file).unwrap()));
    }
    sources
}

/// The module that a path leads to from another module, through imports of modules on its way.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    from: &Module,
    path: &[String],
    depth: usize,
) -> Option<Module> {
    let mut module = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "super" | "self" => from.clone(),
        first => {
            let child: Module = from.iter().cloned().chain([first.to_owned()]).collect();
            let is_own = sources.contains_key(&child) || sources.get(from)?.imported.contains_key(first);
            return if is_own && depth > 0 {
                let path: Vec<_> = ["self".to_owned()].into_iter().chain(path.to_vec()).collect();
                resolve(sources, from, &path, depth - 1)
            } else {
                None
            };
        }
    };
    for name in path {
        match &**name {
            "crate" | "self" => continue,
            "super" => {
                module.pop()?;
                continue;
            }
            _ => {}
        }
        let child: Module = module.iter().cloned().chain([name.clone()]).collect();
        if sources.contains_key(&child) {
            module = child;
            continue;
        }
        let imported = sources.get(&module)?.imported.get(name);
        return match imported.filter(|_| depth > 0) {
            Some(path) => resolve(sources, &module, path, depth - 1).or(Some(module)),
            None => Some(module),
        };
    }
    Some(module)
}

/// For each folder of a crate, its modules, each with the used modules of the same folder.
fn graphs(sources: &BTreeMap<Module, Source>) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
    let mut graphs: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, source) in sources {
        for path in &source.paths {
            let Some(used) = resolve(sources, module, path, 8) else {
                continue;
            };
            let shared = module.iter().zip(&used).take_while(|(a, b)| a == b).count();
            // A module and its child modules may use each other.
            if let (Some(from), Some(to)) = (module.get(shared), used.get(shared)) {
                let graph = graphs.entry(module[..shared].to_vec()).or_default();
                graph.entry(to.clone()).or_default();
                graph.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    graphs
}

/// The modules that can be reached from each module, possibly itself.
fn reached(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<&str, BTreeSet<&str>> {
    graph
        .keys()
        .map(|start| {
            let (mut found, mut todo) = (BTreeSet::new(), vec![&**start]);
            while let Some(module) = todo.pop() {
                todo.extend(
                    graph[module]
                        .iter()
                        .map(|used| &**used)
                        .filter(|used| found.insert(*used)),
                );
            }
            (&**start, found)
        })
        .collect()
}

/// The cycles of a folder.
fn circles(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<&str>> {
    let reached = reached(graph);
    let in_circle = graph
        .keys()
        .filter(|module| reached[&***module].contains(&***module));
    in_circle
        .map(|module| {
            let others = graph.keys().filter(|other| {
                reached[&**module].contains(&***other) && reached[&***other].contains(&**module)
            });
            others.map(String::as_str).collect()
        })
        .collect()
}

#[test]
fn the_circles_are_those_of_the_list() {
    let line = |folder: &str, at: &str, circle: &[&str]| format!("(\"{folder}\", \"{at}\", &[&{circle:?}])");
    let mut found = BTreeSet::new();
    for folder in CRATES {
        for (module, graph) in graphs(&sources(folder)) {
            let circles = circles(&graph);
            found.extend(
                circles
                    .iter()
                    .map(|circle| line(folder, &module.join("/"), circle)),
            );
        }
    }
    let of_folder = |(folder, at, circles): &(&str, &str, &[&[&str]])| {
        let line = |circle: &&[&str]| line(folder, at, circle);
        circles.iter().map(line).collect::<Vec<_>>()
    };
    let listed: BTreeSet<String> = CIRCLES.iter().flat_map(of_folder).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "not in the list: {new:#?}\nonly in the list: {gone:#?}"
    );
}

#[test]
fn arrows_are_read_from_imports_and_paths() {
    let module = |path: &str| -> Module {
        path.split('/')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let sources: BTreeMap<Module, Source> = [
        ("", "mod sets;\npub use sets::{Set, list::List as Rows};"),
        (
            "sets",
            "mod list;\nmod set;\nmod name;\npub use set::Set;\nuse name::check;",
        ),
        (
            "sets/set",
            "use super::list::{self, List};\n// use super::name::check;\nuse std::fmt;",
        ),
        (
            "sets/name",
            "pub(crate) fn check() -> &'static str { \"use crate::Set;\" }",
        ),
        (
            "sets/list",
            "fn of(set: &crate::Set) { super::check(); }\npub(super) enum Cause { A }",
        ),
        ("serve", "use crate::Rows;\nuse crate::sets::*;"),
    ]
    .map(|(path, text)| (module(path), source(text)))
    .into();
    let graphs = graphs(&sources);
    let arrows = |folder: &str| -> Vec<String> {
        let of = |(from, to): (&String, &BTreeSet<String>)| {
            to.iter().map(|to| format!("{from} > {to}")).collect::<Vec<_>>()
        };
        graphs[&module(folder)].iter().flat_map(of).collect()
    };
    assert_eq!(arrows(""), ["serve > sets"]);
    assert_eq!(arrows("sets"), ["list > name", "list > set", "set > list"]);
    assert_eq!(
        circles(&graphs[&module("sets")]),
        BTreeSet::from([vec!["list", "set"]])
    );
}

//! Reading and linting take time linear in the length of the document, for any content and any pieces of input. Valgrind counts the
//! instructions at n and at 4n. Only the reading is counted, so short documents are enough.

use std::path::Path;

use sitemap_tests::program;

use super::counted;

#[test]
fn work_is_linear_in_the_document() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        ("plain", 80, "320 entries, 0 errors"),
        ("deep", 400, "1 entries, 0 errors"),
        ("attributes", 200, "1 entries, 0 errors"),
        ("namespaces", 200, "1 entries, 0 errors"),
        ("prefixes", 400, "1 entries, 0 errors"),
        ("text", 800, "1 entries, 0 errors"),
        ("references", 2000, "1 entries, 0 errors"),
        ("pieces", 500, "1 entries, 0 errors"),
        ("siblings", 200, "1 entries, 0 errors"),
        ("repeated", 500, "1 entries, 0 errors"),
        ("errors", 80, "0 entries, 320 errors"),
        ("entities", 400, "1 entries, 0 errors"),
        ("expanded", 100, "1 entries, 0 errors"),
        ("scopes", 100, "1 entries, 0 errors"),
        ("scopes expanded", 20, "1 entries, 0 errors"),
    ];
    assert_linear(&valgrind, "strict", &table);
}

/// Lenient reading of documents that are broken everywhere: no repair looks back, or looks ahead twice.
#[test]
fn work_is_linear_in_the_damage() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        ("bare ampersands", 40, "160 entries, 0 errors"),
        ("unclosed tags", 80, "320 entries, 0 errors"),
        ("no ends", 30, "0 entries, 0 errors"),
        ("end tags", 80, "320 entries, 0 errors"),
        ("end tags in an entry", 400, "1 entries, 0 errors"),
        ("comments", 80, "320 entries, 0 errors"),
        ("sections", 80, "320 entries, 0 errors"),
        ("instructions", 80, "320 entries, 0 errors"),
        ("declarations", 80, "320 entries, 0 errors"),
        ("quotes", 30, "120 entries, 0 errors"),
        ("brackets", 80, "320 entries, 0 errors"),
        ("one bracket after another", 2000, "1 entries, 0 errors"),
        ("a tag with broken attributes", 150, "1 entries, 0 errors"),
        ("an end tag with attributes", 800, "1 entries, 0 errors"),
        ("a declaration without its end", 2000, "1 entries, 0 errors"),
        ("a DOCTYPE", 100, "1 entries, 0 errors"),
        ("white space", 2000, "1 entries, 0 errors"),
        ("others' elements without ends", 200, "900 entries, 0 errors"),
        ("others' elements", 40, "160 entries, 0 errors"),
        ("control characters", 80, "320 entries, 0 errors"),
        ("prefixes nobody declares", 80, "320 entries, 0 errors"),
        ("roots", 80, "320 entries, 0 errors"),
        ("locs", 100, "401 entries, 0 errors"),
        ("doubles", 80, "1 entries, 0 errors"),
        ("escaped twice", 160, "1 entries, 0 errors"),
        ("one ampersand after another", 1000, "1 entries, 0 errors"),
        ("relative", 80, "320 entries, 0 errors"),
        ("lines", 80, "320 entries, 0 errors"),
        ("items", 80, "320 entries, 0 errors"),
    ];
    assert_linear(&valgrind, "lenient", &table);
}

/// An entry that is broken everywhere, or only long: no position is counted from the entry's start.
#[test]
fn work_is_linear_within_one_entry() {
    assert_linear_in_one_entry("lenient");
}

#[test]
fn work_is_linear_in_the_lint_of_one_entry() {
    assert_linear_in_one_entry("lint");
}

#[test]
fn work_is_linear_in_the_repair_of_one_entry() {
    assert_linear_in_one_entry("repair");
}

fn assert_linear_in_one_entry(mode: &str) {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let kinds = [
        "brackets with spaces",
        "brackets in text",
        "attributes without values",
        "values without quotes",
        "repeated attributes",
        "bare ampersands",
        "ampersands in attributes",
        "entities nobody declares",
        "names in another case",
        "text",
        "elements of others",
        "elements that contain others",
        "relative URLs",
        "wrong values",
        "dates",
        "misplaced elements",
        "incomplete elements",
        "escaped twice",
        "end tags",
        "comments",
        "sections",
        "instructions",
        "declarations",
        "brackets",
        "control characters",
        "prefixes nobody declares",
        "roots",
    ];
    // Without unclosed quotes: each begins a level, and levels are limited. There are few enough that each gets a diagnostic, which may
    // cost more than dropping it.
    let table: Vec<_> = kinds
        .iter()
        .map(|kind| (format!("{kind} in one entry"), 120))
        .collect();
    let table: Vec<_> = table
        .iter()
        .map(|(kind, n)| (kind.as_str(), *n, "1 entries"))
        .collect();
    assert_linear(&valgrind, mode, &table);
}

/// The lint of one entry with very many elements: a finding is not compared to all others.
#[test]
fn work_is_linear_in_the_findings() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        // 1,000 findings of each rule are reported for one entry.
        ("incomplete elements", 240, "1 entries, 1921 errors"),
        ("repeated", 240, "1 entries, 961 errors"),
        ("locs", 400, "1 entries, 2 errors"),
        ("doubles", 400, "1 entries, 1002 errors"),
        ("escaped twice", 400, "1 entries, 1002 errors"),
        ("siblings", 300, "1 entries, 1001 errors"),
    ];
    assert_linear(&valgrind, "lint", &table);
}

/// The lint of a document with a `robots.txt` does not search its lines for each entry.
#[test]
fn work_is_linear_in_the_lines_that_name_sitemaps() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [("plain", 80, "1 entries"), ("errors", 80, "1 entries")];
    assert_linear(&valgrind, "robots", &table);
}

/// The field of a value that serde has buffered and refused is searched for once.
#[test]
fn work_is_linear_in_refused_values() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [("a refused value before others", 2000, "0 entries, 1 errors")];
    assert_linear(&valgrind, "serde", &table);
}

/// Random sequences of broken pieces: a document of twice the length takes at most twice the work, plus a margin, for the reader, the lint,
/// the comparison, `robots.txt` and the detection of formats.
#[test]
fn work_is_linear_in_broken_constructs() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    // The last three were once not linear.
    let seeds = [0, 3, 9, 79, 152, 198];
    let arguments: Vec<_> = seeds.iter().map(u64::to_string).collect();
    let counts = counted(
        &valgrind,
        "read_sequences",
        env!("CARGO_BIN_EXE_read_sequences"),
        &arguments,
    );
    assert_eq!(counts.len(), 2 * seeds.len());
    let mut wrong = Vec::new();
    for pair in counts.chunks(2) {
        let [(_, once), (said, twice)] = pair else {
            continue;
        };
        let percent = twice * 100 / once;
        println!("{percent} % {said}");
        if percent > 230 {
            wrong.push(format!("{percent} % {said}"));
        }
    }
    assert!(wrong.is_empty(), "not linear: {wrong:#?}");
}

/// A folder of pages with any repetition and nesting: a block is not searched for once for each other block with the same beginning.
#[test]
fn work_is_linear_in_the_pages() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        ("begin alike", 100, "1 moved"),
        ("begin alike, with an ellipsis", 100, "1 moved"),
        ("begin alike, with a link", 100, "1 moved"),
        ("begin alike, with a link to each", 20, "28 moved"),
        ("pictures", 150, "1 moved"),
        ("excerpts of one page", 100, "2 moved"),
        ("excerpts with an ellipsis", 100, "2 moved"),
        ("repeated", 50, "2 moved"),
        ("one text", 250, "1 moved"),
        ("numbers", 200, "1 moved"),
        ("paragraphs", 200, "1 moved"),
        ("open", 500, "0 moved"),
        ("close", 1000, "0 moved"),
        ("nested", 500, "0 moved"),
        ("inline", 1500, "0 moved"),
        ("paragraphs in cells", 500, "0 moved"),
        ("cells", 500, "0 moved"),
        ("links", 500, "0 moved"),
        ("links to a page", 500, "0 moved"),
        ("attributes", 1000, "0 moved"),
        ("text", 3000, "0 moved"),
        ("metas", 500, "0 moved"),
        ("alternates", 100, "0 moved"),
        ("alternates not returned", 100, "0 moved"),
        ("redirects", 40, "6 moved"),
        ("folders", 1000, "0 moved"),
        ("script", 2000, "0 moved"),
        ("scripts", 500, "0 moved"),
    ];
    assert_linear_in(
        &valgrind,
        ("read_pages", env!("CARGO_BIN_EXE_read_pages")),
        Vec::new(),
        &table,
    );
}

fn assert_linear(valgrind: &Path, mode: &str, table: &[(&str, usize, &str)]) {
    let program = ("read_generated", env!("CARGO_BIN_EXE_read_generated"));
    assert_linear_in(valgrind, program, vec![mode.to_owned()], table);
}

/// Runs a program with the kinds and sizes of a table after the arguments.
fn assert_linear_in(
    valgrind: &Path,
    (name, program): (&str, &str),
    mut arguments: Vec<String>,
    table: &[(&str, usize, &str)],
) {
    for (kind, n, _) in table {
        arguments.extend([(*kind).to_owned(), n.to_string()]);
    }
    let counts = counted(valgrind, name, program, &arguments);
    assert_eq!(counts.len(), 2 * table.len());
    let mut wrong = Vec::new();
    for (pair, (kind, _, gives)) in counts.chunks(2).zip(table) {
        let [(_, once), (said, four_times)] = pair else {
            continue;
        };
        let percent = four_times * 100 / once;
        println!("{kind:>16}: {once:>12} instructions, at four times the size {percent} % of them; {said}");
        let rest = said.strip_prefix(gives);
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(',')) {
            wrong.push(format!("{kind}: {said}"));
        }
        // Sorting and hashing cost slightly more than linear time, and fixed costs lower the ratio. Quadratic work shows once it is a tenth
        // of the total.
        if !(200..435).contains(&percent) {
            wrong.push(format!("{kind}: {percent} %"));
        }
    }
    assert!(wrong.is_empty(), "not linear: {wrong:?}");
}

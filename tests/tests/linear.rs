//! Reading takes time that grows with the length of the document, whatever is in it: instructions at n and at 4n, counted by
//! valgrind.

use std::path::Path;
use std::process::Command;

use sitemap_tests::program;

/// Instructions of reading a document of that kind, and what the reading gave.
fn instructions(valgrind: &Path, kind: &str, n: usize, mode: &str) -> (f64, String) {
    let output = Command::new(valgrind)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_read_generated"))
        .args([kind, &n.to_string(), mode])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let collected = said.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = collected
        .unwrap_or_else(|| panic!("{said}"))
        .trim()
        .parse()
        .unwrap();
    (count, String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

#[test]
fn four_times_the_document_is_four_times_the_work() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        ("plain", 200, "800 entries, 0 errors"),
        ("deep", 400, "1 entries, 0 errors"),
        ("attributes", 400, "1 entries, 0 errors"),
        ("namespaces", 400, "1 entries, 0 errors"),
        ("prefixes", 400, "1 entries, 0 errors"),
        ("text", 2000, "1 entries, 0 errors"),
        ("references", 2000, "1 entries, 0 errors"),
        ("pieces", 1000, "1 entries, 0 errors"),
        ("siblings", 400, "1 entries, 0 errors"),
        ("repeated", 1000, "1 entries, 0 errors"),
        ("errors", 200, "0 entries, 800 errors"),
        ("entities", 400, "1 entries, 0 errors"),
        ("expanded", 200, "1 entries, 0 errors"),
        ("scopes", 200, "1 entries, 0 errors"),
        ("scopes expanded", 200, "1 entries, 0 errors"),
    ];
    assert_linear(&valgrind, "strict", &table);
}

/// A lenient reading too, on what is broken all over: no repair looks back, or ahead twice.
#[test]
fn four_times_the_damage_is_four_times_the_work() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    let table = [
        ("bare ampersands", 200, "800 entries, 0 errors"),
        ("unclosed tags", 200, "800 entries, 0 errors"),
        ("no ends", 30, "0 entries, 0 errors"),
        ("end tags", 200, "800 entries, 0 errors"),
        ("comments", 200, "800 entries, 0 errors"),
        ("sections", 200, "800 entries, 0 errors"),
        ("instructions", 200, "800 entries, 0 errors"),
        ("declarations", 200, "800 entries, 0 errors"),
        ("quotes", 30, "120 entries, 0 errors"),
        ("brackets", 200, "800 entries, 0 errors"),
        ("control characters", 200, "800 entries, 0 errors"),
        ("prefixes nobody declares", 200, "800 entries, 0 errors"),
        ("roots", 200, "800 entries, 0 errors"),
        ("locs", 400, "1601 entries, 0 errors"),
        ("doubles", 400, "1 entries, 0 errors"),
        ("escaped twice", 400, "1 entries, 0 errors"),
        ("one ampersand after another", 2000, "1 entries, 0 errors"),
        ("relative", 200, "800 entries, 0 errors"),
        ("lines", 200, "800 entries, 0 errors"),
        ("items", 200, "800 entries, 0 errors"),
    ];
    assert_linear(&valgrind, "lenient", &table);
}

/// Sequences of broken pieces, in no order that anybody thought of: twice as long a document is at most twice the work, and a little, for
/// the reader, the lint, the comparison, `robots.txt` and the sniffing.
#[test]
fn twice_the_broken_pieces_is_twice_the_work() {
    let Some(valgrind) = program("linear", "valgrind") else {
        return;
    };
    // The last three were not linear once.
    let seeds = [0, 3, 9, 79, 152, 198];
    let count = |seed: u64, times: usize| {
        let output = Command::new(&valgrind)
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(env!("CARGO_BIN_EXE_read_sequences"))
            .args([seed.to_string(), times.to_string()])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let collected = said.lines().find_map(|line| line.split("Collected : ").nth(1));
        let count: f64 = collected
            .unwrap_or_else(|| panic!("{said}"))
            .trim()
            .parse()
            .unwrap();
        (count, String::from_utf8(output.stdout).unwrap())
    };
    let mut wrong = Vec::new();
    let (nothing, _) = count(0, 0);
    for seed in seeds {
        let ((once, _), (twice, said)) = (count(seed, 120), count(seed, 240));
        let ratio = (twice - nothing) / (once - nothing);
        println!("{ratio:.2} {}", said.trim());
        if ratio > 2.3 {
            wrong.push(format!("{ratio:.2} {}", said.trim()));
        }
    }
    assert!(wrong.is_empty(), "not linear: {wrong:#?}");
}

fn assert_linear(valgrind: &Path, mode: &str, table: &[(&str, usize, &str)]) {
    let mut wrong = Vec::new();
    // What starting the program costs is the same for all.
    let (empty, ..) = table[0];
    let nothing = instructions(valgrind, empty, 0, mode).0;
    for &(kind, n, gives) in table {
        let once = instructions(valgrind, kind, n, mode).0 - nothing;
        let (four_times, said) = instructions(valgrind, kind, 4 * n, mode);
        let ratio = (four_times - nothing) / once;
        println!(
            "{kind:>16}: {once:>12.0} instructions, at four times the size {ratio:.2} times as many; {said}"
        );
        if said != gives {
            wrong.push(format!("{kind}: {said}"));
        }
        // Sorting and hashing cost a little more than their share.
        if !(2.0..5.0).contains(&ratio) {
            wrong.push(format!("{kind}: {ratio:.2}"));
        }
    }
    assert!(wrong.is_empty(), "not linear: {wrong:?}");
}

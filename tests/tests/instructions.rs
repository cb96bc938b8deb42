//! What reading costs, in instructions, on documents of every shape: next to plain ones, and next to what it cost when this
//! was written.
//!
//! Counted by valgrind in the build that tests have, so they are compared with one another: each number is a multiple of what
//! a byte of a plain document costs as a record. `SITEMAP_PRINT_COSTS=1` prints the table to be put here.

use std::fs;
use std::path::Path;
use std::process::Command;

use sitemap_tests::program;

/// A shape, and what a byte of it costs as a record, as an entry and as a user's struct, in percent of a plain record's byte.
const COSTS: [(&str, [u32; 3]); 27] = [
    ("plain", [100, 146, 118]),
    ("CR LF", [98, 143, 117]),
    ("reference", [145, 190, 163]),
    ("reference in one of ten", [113, 159, 132]),
    ("CDATA", [163, 207, 181]),
    ("raw UTF-8", [98, 144, 118]),
    ("white space around loc", [112, 155, 130]),
    ("comment before entry", [127, 167, 143]),
    ("fields at random", [119, 170, 137]),
    ("loc only", [103, 177, 120]),
    ("prefixed core", [99, 141, 116]),
    ("images", [112, 156, 111]),
    ("images with references", [189, 229, 189]),
    ("links", [133, 191, 124]),
    ("links with references", [173, 225, 165]),
    ("news, Japanese", [114, 140, 113]),
    ("video with references", [125, 164, 124]),
    ("xmlns on each url", [108, 145, 124]),
    ("xmlns:image on each url", [115, 155, 114]),
    ("xmlns:image on each image", [98, 133, 97]),
    ("xml:lang on links", [138, 188, 128]),
    ("attribute order", [151, 210, 142]),
    ("indentation", [158, 204, 177]),
    ("a namespace of the user's", [134, 170, 142]),
    ("a space in the tag", [106, 166, 122]),
    ("square brackets and wide characters", [109, 153, 112]),
    ("one line", [108, 158, 107]),
];

/// How much more it may become, in percent, before somebody has to look why.
const TOLERANCE: u32 = 15;

#[test]
fn reading_costs_what_it_did() {
    let Some(valgrind) = program("instructions", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, env!("CARGO_BIN_EXE_read_shapes"), "read_shapes");
    let mut per_byte = Vec::new();
    for (line, count) in counts {
        let parts: Vec<&str> = line.split(" | ").collect();
        let bytes: u64 = parts[2].parse().unwrap();
        // In thousandths of an instruction.
        per_byte.push((parts[0].to_owned(), count * 1000 / bytes));
    }
    let plain = per_byte[0].1;
    let costs: Vec<(String, Vec<u32>)> = per_byte
        .chunks(3)
        .map(|ways| {
            let percent = |(_, cost): &(String, u64)| u32::try_from(cost * 100 / plain).unwrap();
            (ways[0].0.clone(), ways.iter().map(percent).collect())
        })
        .collect();
    if std::env::var_os("SITEMAP_PRINT_COSTS").is_some() {
        for (shape, costs) in &costs {
            println!("    ({shape:?}, [{}, {}, {}]),", costs[0], costs[1], costs[2]);
        }
    }
    let mut wrong = Vec::new();
    for ((shape, found), (expected_shape, expected)) in costs.iter().zip(COSTS) {
        assert_eq!(shape, expected_shape);
        // Nothing costs more than three times the plain bytes.
        if found[0] > 300 {
            wrong.push(format!(
                "{shape}: a record's byte costs {} % of a plain one's",
                found[0]
            ));
        }
        for (way, (found, expected)) in ["records", "entries", "structs"]
            .iter()
            .zip(found.iter().zip(expected))
        {
            let (least, most) = (
                expected * (100 - TOLERANCE) / 100,
                expected * (100 + TOLERANCE) / 100,
            );
            if !(least..=most + 1).contains(found) {
                wrong.push(format!("{shape}, {way}: {found} %, and it was {expected} %"));
            }
        }
    }
    assert_eq!(costs.len(), COSTS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The most that a lenient reading of a good document may cost more than a strict one, in thousandths. It looks at each entry's loc once
/// more, and whether there is anything to tell: the same cost for each entry, and so the most of a short one's. In a build that is
/// not optimised that is more than in one that is.
const LENIENT: u64 = 45;

#[test]
fn a_good_document_costs_the_same_leniently() {
    let Some(valgrind) = program("instructions", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, env!("CARGO_BIN_EXE_read_modes"), "read_modes");
    let mut wrong = Vec::new();
    for pair in counts.chunks(2) {
        let [(line, strict), (lenient_line, lenient)] = pair else {
            panic!("an odd number of counts")
        };
        assert!(
            line.ends_with("Strict") && lenient_line.ends_with("Lenient"),
            "{line}"
        );
        let more = (lenient * 1000 / strict).saturating_sub(1000);
        println!("{lenient_line}: {strict}, {lenient}: {more} per mille more");
        if more > LENIENT {
            wrong.push(format!("{lenient_line}: {more} per mille more"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a program that prints a line after each piece of its work, and counts the instructions of each: what is between its
/// functions `measured` and `printed`.
fn counted(valgrind: &Path, program: &str, name: &str) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = Command::new(valgrind)
        .args([
            "--tool=callgrind".to_owned(),
            format!("--dump-before={name}::measured*"),
            format!("--dump-before={name}::printed*"),
            format!("--callgrind-out-file={}", out.display()),
        ])
        .arg(program)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let count = |(i, line): (usize, &str)| {
        // One is written before it, and one after.
        let profile = fs::read_to_string(format!("{}.{}", out.display(), 2 * i + 2)).unwrap();
        let total = profile.lines().find_map(|line| line.strip_prefix("totals: "));
        (line.to_owned(), total.expect("a total").trim().parse().unwrap())
    };
    said.lines().enumerate().map(count).collect()
}

//! The cost of reading and writing, in instructions, for documents of every shape: relative to plain ones, and to the recorded
//! costs.
//!
//! Valgrind counts in the build of the tests, which is only slightly optimized. So costs are relative: each number is a
//! percentage of the cost of a byte of a plain document, read as a record or written from a
//! [`UrlEntry`](sitemap_serde::UrlEntry). `SITEMAP_PRINT_COSTS=1` prints the new tables.

use sitemap_tests::program;

use super::counted;

/// A shape, and the cost of its byte as a record, as an entry and as a user's struct, in percent of a plain record's byte.
const COSTS: [(&str, [u32; 3]); 27] = [
    ("plain", [100, 146, 120]),
    ("CR LF", [98, 143, 117]),
    ("reference", [130, 174, 148]),
    ("reference in one of ten", [109, 154, 128]),
    ("CDATA", [112, 156, 131]),
    ("raw UTF-8", [99, 146, 120]),
    ("white space around loc", [105, 149, 124]),
    ("comment before entry", [121, 162, 138]),
    ("fields at random", [120, 167, 134]),
    ("loc only", [119, 180, 122]),
    ("prefixed core", [99, 142, 117]),
    ("images", [95, 144, 92]),
    ("images with references", [146, 189, 144]),
    ("links", [118, 186, 109]),
    ("links with references", [154, 213, 146]),
    ("news, Japanese", [100, 133, 97]),
    ("video with references", [108, 152, 105]),
    ("xmlns on each url", [105, 142, 121]),
    ("xmlns:image on each url", [98, 142, 95]),
    ("xmlns:image on each image", [89, 128, 86]),
    ("xml:lang on links", [122, 182, 112]),
    ("attribute order", [146, 215, 137]),
    ("indentation", [160, 206, 181]),
    ("a namespace of the user's", [101, 131, 103]),
    ("a space in the tag", [106, 167, 117]),
    ("square brackets and wide characters", [91, 137, 89]),
    ("one line", [89, 144, 85]),
];

/// A shape of entries, and the cost of a byte of it: written from a [`UrlEntry`](sitemap_serde::UrlEntry), serialized from a
/// `UrlEntry` and from a user's struct, and derived. 100 is the cost of a byte of a plain entry, written.
const WRITING_COSTS: [(&str, [u32; 4]); 12] = [
    ("plain", [100, 113, 115, 109]),
    ("a port in the host", [103, 117, 118, 112]),
    ("`&` in the URL", [146, 158, 159, 154]),
    ("percent-encoded already", [97, 107, 109, 104]),
    ("raw UTF-8", [131, 140, 142, 137]),
    ("spaces", [183, 196, 197, 191]),
    ("an internationalized host", [144, 156, 158, 152]),
    ("4 alternates and 2 images", [97, 130, 127, 100]),
    ("12 alternates", [83, 122, 120, 86]),
    ("0 to 5 images with a title", [110, 124, 123, 113]),
    ("news, Japanese", [97, 117, 120, 99]),
    ("video", [104, 120, 120, 108]),
];

/// The cost of a refused entry, in percent of an accepted one: first as records, then as entries without and with an image.
const REFUSED: [(&str, u32); 15] = [
    ("records: taken", 100),
    ("records: no loc", 120),
    ("records: two lastmods", 125),
    ("records: an element in the loc", 147),
    ("records: Loc for loc", 119),
    ("entries: taken", 100),
    ("entries: no loc", 75),
    ("entries: a relative loc", 93),
    ("entries: no such day", 109),
    ("entries: a date and time without its T", 113),
    ("entries: an unknown changefreq", 124),
    ("entries: a priority above 1", 129),
    ("images: taken", 100),
    ("images: no loc", 111),
    ("images: a relative loc", 115),
];

/// Maximum increase, in percent, before the test fails.
const TOLERANCE: u32 = 15;

#[test]
fn reading_costs() {
    let Some(valgrind) = program("costs", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, "read_shapes", env!("CARGO_BIN_EXE_read_shapes"), &[]);
    let costs = compared(&counts, &COSTS, ["records", "entries", "structs"]);
    for (shape, found) in costs {
        // Nothing costs more than three times the plain bytes.
        assert!(
            found[0] <= 300,
            "{shape}: a record's byte costs {} % of a plain one's",
            found[0]
        );
    }
}

#[test]
fn writing_costs() {
    let Some(valgrind) = program("costs", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, "write_shapes", env!("CARGO_BIN_EXE_write_shapes"), &[]);
    let ways = ["written", "serialized", "struct", "derived"];
    let costs = compared(&counts, &WRITING_COSTS, ways);
    for (shape, found) in costs {
        // Extensions cost no more than twice the plain bytes.
        assert!(
            found[0] <= 200,
            "{shape}: a written byte costs {} % of a plain one's",
            found[0]
        );
    }
}

#[test]
fn refusing_costs() {
    let Some(valgrind) = program("costs", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, "read_refused", env!("CARGO_BIN_EXE_read_refused"), &[]);
    let mut taken = 0;
    let mut found = Vec::new();
    for (name, count) in counts {
        if name.ends_with("taken") {
            taken = count;
        }
        found.push((name, u32::try_from(count * 100 / taken).unwrap()));
    }
    if std::env::var_os("SITEMAP_PRINT_COSTS").is_some() {
        for refused in &found {
            println!("    {refused:?},");
        }
    }
    let mut wrong = Vec::new();
    assert_eq!(found.len(), REFUSED.len());
    for ((name, found), (expected_name, expected)) in found.iter().zip(REFUSED) {
        assert_eq!(name, expected_name);
        // In this build. With optimizations, an accepted entry improves more than a refused one.
        if *found > 200 || found.abs_diff(expected) * 100 > expected * TOLERANCE {
            wrong.push(format!("{name}: {found} %, and it was {expected} %"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cost of a byte of each shape in each way, compared with the recorded cost. 100 is the cost of a byte of a plain document in the
/// first way.
fn compared<const WAYS: usize>(
    counts: &[(String, u64)],
    costs_before: &[(&str, [u32; WAYS])],
    ways: [&str; WAYS],
) -> Vec<(String, [u32; WAYS])> {
    let per_byte = |(line, count): &(String, u64)| {
        let bytes: u64 = line
            .split(" | ")
            .nth(2)
            .and_then(|bytes| bytes.parse().ok())
            .unwrap();
        // In thousandths of an instruction.
        count * 1000 / bytes
    };
    let plain = per_byte(&counts[0]);
    let percent = |count: &(String, u64)| u32::try_from(per_byte(count) * 100 / plain).unwrap();
    let costs: Vec<(String, [u32; WAYS])> = counts
        .chunks(WAYS)
        .map(|chunk| {
            let (shape, _) = chunk[0].0.split_once(" | ").unwrap();
            (shape.to_owned(), std::array::from_fn(|way| percent(&chunk[way])))
        })
        .collect();
    if std::env::var_os("SITEMAP_PRINT_COSTS").is_some() {
        for (shape, costs) in &costs {
            println!("    ({shape:?}, {costs:?}),");
        }
    }
    let mut wrong = Vec::new();
    for ((shape, found), (expected_shape, expected)) in costs.iter().zip(costs_before) {
        assert_eq!(shape, expected_shape);
        for (way, (found, expected)) in ways.iter().zip(found.iter().zip(expected)) {
            let (least, most) = (
                expected * (100 - TOLERANCE) / 100,
                expected * (100 + TOLERANCE) / 100,
            );
            if !(least..=most + 1).contains(found) {
                wrong.push(format!("{shape}, {way}: {found} %, and it was {expected} %"));
            }
        }
    }
    assert_eq!(costs.len(), costs_before.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    costs
}

/// The maximum extra cost of lenient reading of a valid document, in thousandths of the strict cost: it checks in each entry whether
/// anything needs repair. In a release build, it is up to 40 for records whose loc is a CDATA section, or whose start tags or the text
/// between them differ. Here the costliest shape, entries with only a loc, is at 25, plus one or two depending on the machine's allocator
/// and C library.
const LENIENT: u64 = 28;

#[test]
fn a_good_document_costs_the_same_leniently() {
    let Some(valgrind) = program("costs", "valgrind") else {
        return;
    };
    let counts = counted(&valgrind, "read_modes", env!("CARGO_BIN_EXE_read_modes"), &[]);
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

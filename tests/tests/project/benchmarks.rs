//! The page of benchmarks. `benches/report.py` writes the parts between its marks.

use std::fs;
use std::path::Path;

#[test]
fn each_section_has_been_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let (page, report) = (read("docs/BENCHMARKS.md"), read("benches/report.py"));
    let sections = report
        .lines()
        .find_map(|line| line.strip_prefix("SECTIONS = "))
        .unwrap();
    let sections = sections
        .trim_matches(['[', ']'])
        .split(", ")
        .map(|name| name.trim_matches('"'));
    for section in sections.chain(["machine"]) {
        let (_, rest) = page.split_once(&format!("<!-- {section} -->\n")).unwrap();
        let (written, _) = rest.split_once("<!-- end -->").unwrap();
        assert!(
            written.trim().lines().count() > 3,
            "BENCHMARKS.md has no {section}: `benches/report.py {section}`"
        );
    }
}

//! `sitemap lint --jobs`: the output does not depend on the number of threads.

use std::fmt::Write as _;

use sitemap_tests::sample;

use crate::folder::{CORE, Folder, gzipped};

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound
    }
}

/// A folder of sitemaps with faults. Some faults concern several documents, and some files cannot be read.
fn folder(random: &mut Random) -> Folder {
    let folder = Folder::empty();
    for number in 0..4 + random.below(12) {
        let name = format!(
            "{}/{number}.xml",
            ["a", "b"][usize::try_from(number % 2).unwrap()]
        );
        let xml = document(random);
        match random.below(10) {
            0 => folder.write(&format!("{name}.gz"), gzipped(&xml)),
            1 => folder.write(&format!("{name}.gz"), &gzipped(&xml)[..20]),
            2 => folder.write(&name, &xml[..xml.len() / 2]),
            3 => folder.write(&name, "<html>"),
            _ => folder.write(&name, xml),
        }
    }
    if cfg!(unix) && random.below(2) == 0 {
        #[cfg(unix)]
        std::os::unix::fs::symlink("gone", folder.path("a/gone.xml")).unwrap();
    }
    folder
}

fn document(random: &mut Random) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"
    );
    for _ in 0..random.below(300) {
        let (page, other) = (random.below(2000), random.below(2000));
        let children = match random.below(9) {
            0 => "<lastmod>01.05.2026</lastmod>".to_owned(),
            1 => "<priority>7</priority>".to_owned(),
            2 => format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/{other}\"/>"
            ),
            3 => "<title>é</title>".to_owned(),
            4 => "</lastmod>".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(xml, "<url><loc>https://example.com/{page}</loc>{children}</url>");
    }
    xml + "</urlset>\n"
}

#[test]
fn the_same_is_printed_with_any_number_of_threads() {
    let formats = ["human", "json", "sarif", "github"];
    for (seed, format) in sample((1..=6).flat_map(|seed| formats.map(|format| (seed, format)))) {
        let folder = folder(&mut Random(seed));
        let run = |jobs: &str| {
            let arguments = [
                "lint",
                ".",
                "--format",
                format,
                "--jobs",
                jobs,
                "--now",
                "2026-05-10",
            ];
            folder.run(&[&arguments[..], &["--location", "https://example.com/"]].concat())
        };
        let expected = run("1");
        assert!(expected.1.len() > 1000, "{}", expected.1);
        for jobs in ["2", "8"] {
            assert!(run(jobs) == expected, "seed {seed}, {format}, {jobs} jobs");
        }
    }
}

#[test]
fn a_lint_in_no_thread_is_refused() {
    let (status, _, said) = Folder::empty().run(&["lint", ".", "--jobs", "0"]);
    assert_eq!(
        (status, &*said),
        (2, "sitemap: --jobs 0: write a whole number from 1\n")
    );
}

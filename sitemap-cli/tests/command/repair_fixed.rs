//! `sitemap repair` and `sitemap lint --fix` correct the same values in the same way.

use std::fmt::Write as _;

use sitemap_serde::{Reader, UrlEntry};
use sitemap_tests::rounds;

use crate::folder::{CORE, Folder};

/// Values for each element: valid, invalid but unambiguous, and ambiguous.
const DATES: &[&str] = &[
    "2026-05-01",
    "2026-05-01T10:00:00Z",
    "2026/5/1",
    "1 May 2026",
    "2026-05-01 10:00:00Z",
    "Fri, 01 May 2026 10:00:00 GMT",
    "20260501",
    "05/01/2026",
    "yesterday",
    "2026-05-01 10:00:00",
    "Fri, 01 May 2026 10:00:00 BST",
];
const DECIMALS: &[&str] = &["0.5", "0,5", "0,25", "1", "1,0", ".5", "high", "1,000,5"];
const FREQUENCIES: &[&str] = &["daily", "Daily", "WEEKLY", "dayly", "often"];
const LANGUAGES: &[&str] = &["en", "en-UK", "cy-uk", "x-default", "xx-YY", "UK"];
const LOCS: &[&str] = &[
    "https://example.com/#",
    "https://example.com/é/#",
    "https://example.com/a b/#",
];

/// A deterministic random number generator.
struct Numbers(u64);

impl Numbers {
    fn of<'v>(&mut self, values: &[&'v str], most: usize) -> &'v str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let values = &values[..most.min(values.len())];
        values[usize::try_from(self.0 % values.len() as u64).unwrap()]
    }
}

/// A urlset or an index. `certain` leaves out ambiguous values.
fn document(numbers: &mut Numbers, is_index: bool, certain: bool) -> String {
    let most = |values: &[&str], unclear: usize| values.len() - if certain { unclear } else { 0 };
    let (root, entry) = if is_index {
        ("sitemapindex", "sitemap")
    } else {
        ("urlset", "url")
    };
    let mut entries = String::new();
    for number in 0..12 {
        let loc = numbers.of(LOCS, 3).replace('#', &number.to_string());
        let mut date = || numbers.of(DATES, most(DATES, 4));
        let (lastmod, published, shown) = (date(), date(), date());
        let priority = numbers.of(DECIMALS, most(DECIMALS, 2));
        let changefreq = numbers.of(FREQUENCIES, most(FREQUENCIES, 2));
        let hreflang = numbers.of(LANGUAGES, most(LANGUAGES, 2));
        let extensions = if is_index {
            String::new()
        } else {
            format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"{hreflang}\" href=\"https://example.com/{number}\"/>\
                 <video:video><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>t</video:title>\
                 <video:description>d</video:description><video:content_loc>https://example.com/v</video:content_loc>\
                 <video:publication_date>{shown}</video:publication_date></video:video>\
                 <news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
                 <news:publication_date>{published}</news:publication_date><news:title>t</news:title></news:news>"
            )
        };
        let _ = writeln!(
            entries,
            "<{entry}><loc>{loc}</loc><lastmod>{lastmod}</lastmod><changefreq>{changefreq}</changefreq>\
             <priority>{priority}</priority>{extensions}</{entry}>"
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n{entries}</{root}>\n"
    )
}

const BY_FIX: &str =
    "note: `sitemap lint --fix a.xml` makes the same corrections in the file, and keeps every other byte\n";

#[test]
fn repairing_yields_what_fixing_yields() {
    let mut numbers = Numbers(11);
    let (mut corrected, rounds) = (0, rounds(24));
    for round in 0..rounds {
        let (is_index, certain) = (round % 6 == 5, round % 3 > 0);
        let broken = document(&mut numbers, is_index, certain);
        let folder = Folder::with(&[("a.xml", &broken)]);
        let (_, repaired, report) = folder.run(&["repair", "a.xml", "--format", "json"]);
        let (_, _, told) = folder.run(&["repair", "a.xml"]);
        let (_, found, _) = folder.run(&["lint", "a.xml"]);
        folder.run(&["lint", "a.xml", "--fix"]);
        let (status, _, _) = folder.run(&["repair", "a.xml"]);
        // Each command suggests the other one only if that changes the file. Both omit elements that an index must not have.
        let is_fixed = folder.read("a.xml") != broken;
        assert_eq!(found.contains("`sitemap lint --fix a.xml`"), is_fixed);
        if !is_index {
            assert_eq!(told.ends_with(BY_FIX), status == 0, "{broken}\n{told}");
            assert_eq!(
                found.contains("`sitemap repair a.xml`"),
                status == 1,
                "{broken}\n{found}"
            );
        }
        let (_, repaired_after, _) = folder.run(&["repair", "a.xml"]);
        assert_eq!(repaired, repaired_after, "{broken}");
        if certain && !is_index {
            let fixed: Vec<UrlEntry> = entries(&folder.read("a.xml"));
            assert_eq!(entries(&repaired), fixed, "{broken}");
        }
        // The report lists each difference.
        let changes = report.lines().filter(|line| {
            let change: serde_json::Value = serde_json::from_str(line).unwrap();
            change["written"].is_string() || change["omitted"].is_string()
        });
        let changes = changes.count();
        assert_eq!(
            changes,
            differences(&broken, &repaired),
            "{broken}\n{repaired}\n{report}"
        );
        corrected += changes;
    }
    assert!(corrected > rounds * 12, "{corrected}");
}

fn entries(document: &str) -> Vec<UrlEntry> {
    Reader::from_str(document).entries().map(Result::unwrap).collect()
}

/// The number of values that differ between the documents.
fn differences(before: &str, after: &str) -> usize {
    let values = |document: &str| -> Vec<Vec<Option<String>>> {
        document.split("<loc>").skip(1).map(entry_values).collect()
    };
    let (before, after) = (values(before), values(after));
    assert_eq!(before.len(), after.len());
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    pairs.filter(|(before, after)| before != after).count()
}

/// The texts of the elements that the generator varies, starting in the loc.
fn entry_values(entry: &str) -> Vec<Option<String>> {
    const BETWEEN: [(&str, &str); 7] = [
        ("", "</loc>"),
        ("<lastmod>", "</lastmod>"),
        ("<changefreq>", "</changefreq>"),
        ("<priority>", "</priority>"),
        ("hreflang=\"", "\""),
        ("<video:publication_date>", "</video:publication_date>"),
        ("<news:publication_date>", "</news:publication_date>"),
    ];
    let value = |(start, end): &(&str, &str)| {
        let (_, rest) = entry.split_once(start)?;
        rest.split_once(end).map(|(value, _)| value.to_owned())
    };
    BETWEEN.iter().map(value).collect()
}

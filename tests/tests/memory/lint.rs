//! The heap that a lint needs: at most 32 bytes for each URL, and nothing for links and sites.

use sitemap_serde::lint::{Input, Linter, Severity};
use sitemap_tests::CORE;

use super::reader::Generated;

const PLAIN: &str =
    "<url><loc>https://www.example.com/category/product-#</loc><lastmod>2024-05-06</lastmod></url>\n";

/// Each page is on its own site.
const SCATTERED: &str = "<url><loc>https://www.example-#.com/category/product</loc></url>\n";

/// The page itself returns each link.
const LINKED: &str = "<url><loc>https://www.example.com/#</loc>\
    <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://www.example.com/#\"/>\
    <xhtml:link rel=\"alternate\" hreflang=\"en-GB\" href=\"https://www.example.com/#\"/>\
    <xhtml:link rel=\"alternate\" hreflang=\"en-US\" href=\"https://www.example.com/#\"/>\
    <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://www.example.com/#\"/></url>\n";

/// Each page has two languages.
const TORN: &str = "<url><loc>https://www.example.com/#</loc>\
    <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://www.example.com/#\"/>\
    <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://www.example.com/#\"/></url>\n";

/// The peak of heap bytes while a document with this number of entries is checked.
fn most(entry: &'static str, entries: usize) -> u64 {
    let mut found = 0;
    let used = allocation_counter::measure(|| {
        let mut lint = Linter::new().start(|_, _| {});
        let document = Input::new("sitemap.xml", move || Ok(Generated::new(entry, entries)));
        lint.document(document).unwrap();
        found = lint.finish().unwrap().count(Severity::Error);
    });
    // A document that raises a suspicion is read twice.
    let expected = if entry == SCATTERED { entries - 1 } else { 0 };
    assert_eq!(found, expected as u64);
    used.bytes_max
}

#[test]
fn a_lint_keeps_a_hash_of_each_loc() {
    const PER_URL: u64 = 32;
    for entry in [PLAIN, LINKED, SCATTERED] {
        // Enough of them to fill the window.
        let few = most(entry, 1000);
        assert!(few < 512 << 10, "{few} bytes for 1000 entries");
        // They include the numbers just after a growth of the hash table.
        for entries in [7_200, 14_400] {
            let more = most(entry, entries) - few;
            let most = PER_URL * entries as u64;
            assert!(
                more <= most,
                "{more} bytes for {entries} entries: more than {most}"
            );
            // The test is meaningful only if something stays in memory.
            assert!(more >= 8 * entries as u64, "{more} bytes for {entries} entries");
        }
    }
}

/// The languages of at most 10,000 pages are compared.
#[test]
fn pages_with_two_languages_are_bounded() {
    let [few, many] = [14_400, 28_700].map(|entries| most(TORN, entries));
    assert!(few < 4 << 20, "{few} bytes");
    assert!(
        many < few + 32 * 14_300,
        "{many} bytes, and {few} for half as many"
    );
}

/// An entry with more problems of one rule than are reported: the others are counted.
#[test]
fn the_findings_of_an_entry_are_bounded() {
    const REPORTED: u64 = 1000;
    for images in [REPORTED, REPORTED + 1, 30_000] {
        let xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>http://e.com/</loc>{}</url></urlset>",
            "<image:image/>".repeat(usize::try_from(images).unwrap())
        );
        let mut lint = Linter::new().start(|_, _| {});
        lint.document(Input::from_slice("a.xml", xml.as_bytes())).unwrap();
        let summary = lint.finish().unwrap();
        let reported: u64 = summary.counts.values().sum();
        assert_eq!((reported, summary.dropped), (REPORTED, images - REPORTED));
    }
}

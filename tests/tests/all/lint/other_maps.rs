//! Files of other specifications in place of sitemaps: the message names the specification.

use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;
use sitemap_serde::{Mode, Reader, ReaderBuilder};

use crate::lint::{HEAD, entry, found_by, urlset};

const SCHEMALIST: &str = "<schemalist><schema contentType=\"structuredData/schema.org\"><loc>https://e.com/1</loc></schema></schemalist>";
const LLMS: &str = "# Example\n\n> A shop for lamps.\n\n- [Start](https://e.com/start.md): How to begin\n";

#[test]
fn a_schema_map_and_an_llms_txt() {
    let schemalist = format!("{HEAD}{SCHEMALIST}");
    for (document, expected) in [
        (
            &*schemalist,
            "the root is `schemalist`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is a schema map, which lists \
             structured data; name it by `Schemamap:` in robots.txt, not by `Sitemap:`, at line 2, column 1 (byte 39)",
        ),
        (
            LLMS,
            "`# Example\\n\\n> A shop for lamps.\\n\\n- [Start](https://e.com/star…` before the root: this is Markdown, such as an \
             `llms.txt`, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
        ),
    ] {
        let mut strict = Reader::from_str(document);
        assert_eq!(
            strict.entries().next().unwrap().unwrap_err().to_string(),
            expected
        );
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        let mut lenient = builder.from_str(document);
        assert_eq!(
            lenient.entries().next().unwrap().unwrap_err().to_string(),
            expected
        );
        let found = Linter::new().check(document.as_bytes());
        assert!(
            found
                .iter()
                .any(|found| format!("{}, at {}", found.message(), found.position().unwrap()) == expected),
            "{found:?}"
        );
    }
}

/// The schema map of Yoast is a urlset with an attribute.
#[test]
fn a_schema_map_with_the_root_of_a_sitemap() {
    let document = urlset("<url contentType=\"structuredData/schema.org\"><loc>https://e.com/1</loc></url>");
    assert_eq!(
        found_by(&Linter::new(), document),
        [
            "warning[sitemap.xsd]: `url` has the attribute `contentType`, and the schema has none (sitemap.xsd); in a schema map, which lists \
          structured data, name the document by `Schemamap:` in robots.txt, not by `Sitemap:`; otherwise remove it, at line 3, column 1 \
          (byte 393), entry 1"
        ]
    );
}

#[test]
fn a_line_of_robots_txt_that_names_an_llms_txt() {
    let lines = "License: https://e.com/license.xml\nSchemamap: https://e.com/schemamap.xml\nUser-agent: *\nContent-Signal: ai-train=no\n\
        Sitemap: https://e.com/sitemap.xml\nSitemap: https://e.com/docs/LLMS.txt?v=1\nSitemap: https://e.com/allms.txt\n";
    let mut linter = Linter::new();
    linter.robots(
        "https://e.com/robots.txt",
        Robots::parse(lines.as_bytes()),
        "Googlebot",
    );
    assert_eq!(
        found_by(&linter, urlset(&entry("https://e.com/"))),
        [
            "note[L-UNNAMED]: robots.txt names `https://e.com/docs/LLMS.txt?v=1` as a sitemap, and an `llms.txt` is none (L-UNNAMED); remove the \
          line `Sitemap: https://e.com/docs/LLMS.txt?v=1`"
        ]
    );
}

//! Published sitemaps, compared with the results of other readers.

use std::collections::HashSet;
use std::fs;

use crate::program::{Shop, stderr};

/// Files that the readers disagree on, apart from dropped duplicates: the number of URLs, and the reason.
const DECIDED: [(&str, usize); 4] = [
    // Relative locs: crawler-commons drops them. Here they are rows.
    ("real/0031+0031.github.io/sitemap.xml", 18),
    ("real/DSCI-310+lmknn.metrics/docs__sitemap.xml", 18),
    (
        "real/greg-randall+sitemap-compare/tests__fixtures__sitemap.xml",
        10,
    ),
    // A `url` within an `image:image` within a `url`: most count two, one counts none. Nobody knows whose image it is, so the
    // entry is skipped and reported.
    (
        "real/0RutherFord0+New-Portfolio-Website/images__sitemap_index.xml",
        0,
    ),
];

/// The number of entries that each reader found.
struct Oracle<'a> {
    path: &'a str,
    kind: &'a str,
    crawler_commons: &'a str,
    ultimate_sitemap_parser: &'a str,
    scrapy: &'a str,
    sitemap_js: &'a str,
}

fn oracle(table: &str) -> impl Iterator<Item = Oracle<'_>> {
    table.lines().skip(1).map(|line| {
        let columns: Vec<_> = line.split('\t').collect();
        Oracle {
            path: columns[0],
            kind: columns[3],
            crawler_commons: columns[5],
            ultimate_sitemap_parser: columns[7],
            scrapy: columns[8],
            sitemap_js: columns[10],
        }
    })
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn published_urlsets_have_the_urls_that_others_find() {
    let Some(shared) = sitemap_tests::files("published_urlsets_have_the_urls_that_others_find") else {
        return;
    };
    let corpus = shared.join("corpus");
    let table = fs::read_to_string(corpus.join("ORACLE.tsv")).unwrap();
    let shop = Shop::new();
    let mut files = 0;
    for file in oracle(&table) {
        if !file.path.starts_with("real/") || file.kind != "urlset" {
            continue;
        }
        let path = corpus.join(file.path);
        let output = shop.run(&["import", path.to_str().unwrap()]);
        let said = stderr(&output);
        let is_left_out = DECIDED.contains(&(file.path, 0));
        assert_eq!(said.contains("left out"), is_left_out, "{}: {said}", file.path);
        files += 1;
        // The earlier rows stay.
        let is_empty = [file.crawler_commons, file.scrapy, file.sitemap_js] == ["0"; 3];
        if is_left_out || is_empty {
            assert_eq!(output.status.code(), Some(1), "{}: {said}", file.path);
            let end = "shop: no page was found: the table `pages` stays as it was\n";
            assert!(said.ends_with(end), "{}: {said}", file.path);
            continue;
        }
        let imported = shop.imported();
        assert!(output.status.success(), "{}: {said}", file.path);
        let unique: HashSet<_> = imported.iter().map(|entry| &entry.loc).collect();

        let found = imported.len().to_string();
        let agreed = [file.crawler_commons, file.scrapy, file.sitemap_js].iter().all(|count| **count == found)
            // Drops duplicates.
            && [found, unique.len().to_string()].contains(&file.ultimate_sitemap_parser.to_owned());
        match DECIDED.iter().find(|(path, _)| *path == file.path) {
            Some((_, count)) => assert!(
                !agreed && imported.len() == *count,
                "{}: {}",
                file.path,
                imported.len()
            ),
            None => assert!(agreed, "{}: {}", file.path, imported.len()),
        }
    }
    assert_eq!(files, 146);
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn a_published_index_is_told_from_pages() {
    let Some(shared) = sitemap_tests::files("a_published_index_is_told_from_pages") else {
        return;
    };
    let corpus = shared.join("corpus");
    let table = fs::read_to_string(corpus.join("ORACLE.tsv")).unwrap();
    let shop = Shop::new();
    for file in oracle(&table) {
        if file.path.starts_with("real/") && file.kind == "index" {
            let said = shop.fail(&["import", corpus.join(file.path).to_str().unwrap()]);
            assert!(
                said.contains("it is an index, whose entries are sitemaps and not pages"),
                "{said}"
            );
        }
    }
}

//! Valid and invalid files, read into rows.

use std::fs;

use crate::program::{Shop, stderr};
use crate::sitemap::Entry;

fn urlset(entries: &str) -> String {
    format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}\n</urlset>")
}

fn locs(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.loc.as_str()).collect()
}

/// The output without its duration.
fn said(output: &std::process::Output) -> String {
    stderr(output)
        .lines()
        .map(|line| line.split_once(" in 0.").map_or(line, |(line, _)| line))
        .fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn an_entry_that_is_none_is_said_with_its_place_and_left_out() {
    let shop = Shop::new();
    let entries = "<url><loc>https://example.com/1</loc><priority>0.5</priority></url>\n\
                   <url><loc>https://example.com/2</loc><priority>high</priority></url>\n\
                   <url><lastmod>2026-01-01</lastmod></url>\n\
                   <url><loc>/4</loc><lastmod>2026-01-01</lastmod></url>";
    fs::write(shop.path("map.xml"), urlset(entries)).unwrap();
    let output = shop.run(&["import", "map.xml"]);
    assert!(output.status.success());
    assert_eq!(
        said(&output),
        "map.xml: left out: `high` is not a decimal number: digits, with a point at most; correct it, or read it into a \
         `String`, at line 3, column 48 (byte 176), entry 2 · priority\n\
         map.xml: left out: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 4, \
         column 1 (byte 198), entry 3 · loc\n\
         map.xml: 2 URLs\n\
         map.xml: 2 URLs left out\n"
    );
    let imported = shop.imported();
    assert_eq!(locs(&imported), ["https://example.com/1", "/4"]);
    assert_eq!(imported[0].priority.as_deref(), Some("0.5"));
    assert_eq!(imported[1].lastmod.as_deref(), Some("2026-01-01"));
}

/// The last line of an import that changed nothing.
const UNCHANGED: &str = "the table `pages` stays as it was\n";

#[test]
fn a_file_that_cannot_be_read_leaves_the_table_as_it_was() {
    let shop = Shop::new();
    let whole =
        urlset("<url><loc>https://example.com/1</loc></url>\n<url><loc>https://example.com/2</loc></url>");
    let (cut, _) = whole.split_once("com/2").unwrap();
    fs::write(shop.path("cut.xml"), cut).unwrap();
    fs::write(shop.path("whole.xml"), &whole).unwrap();
    fs::write(
        shop.path("none.xml"),
        urlset("<url><lastmod>2026-01-01</lastmod></url>"),
    )
    .unwrap();
    fs::write(shop.path("empty.xml"), urlset("")).unwrap();
    fs::write(
        shop.path("old.xml"),
        urlset("<url><loc>https://example.com/old</loc></url>"),
    )
    .unwrap();
    shop.succeed(&["import", "old.xml"]);
    let is_unchanged = || assert_eq!(locs(&shop.imported()), ["https://example.com/old"]);

    let missing = shop.fail(&["import", "missing.xml"]);
    let (problem, end) = missing.split_once('\n').unwrap();
    assert!(
        problem.starts_with("shop: missing.xml: cannot open missing.xml: "),
        "{problem}"
    );
    assert_eq!(end, format!("shop: 1 of 1 file could not be read: {UNCHANGED}"));
    is_unchanged();

    // At any place among the files, and cut anywhere.
    for files in [["cut.xml", "whole.xml"], ["whole.xml", "cut.xml"]] {
        for append in [&[] as &[&str], &["--append"]] {
            let output = shop.run(&[&["import"], files.as_slice(), append].concat());
            assert_eq!(output.status.code(), Some(1));
            let of_file = |file| match file {
                "whole.xml" => "whole.xml: 2 URLs\n",
                _ => {
                    "cut.xml: 1 URL\n\
                     shop: cut.xml: the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy, at line 3, column 27 (byte 131), entry 2\n"
                }
            };
            assert_eq!(
                said(&output),
                format!(
                    "{}shop: 1 of 2 files could not be read: {UNCHANGED}",
                    files.map(of_file).concat()
                )
            );
            is_unchanged();
        }
    }

    // An empty file in place of pages is an error too.
    for file in ["none.xml", "empty.xml"] {
        let end = shop.fail(&["import", file]);
        assert!(
            end.ends_with(&format!("shop: no page was found: {UNCHANGED}")),
            "{end}"
        );
        is_unchanged();
    }
}

#[test]
fn an_index_says_what_to_import_instead() {
    let shop = Shop::new();
    let listed: Vec<_> = (1..=12)
        .map(|number| format!("https://example.com/{number}.xml"))
        .collect();
    let root = "sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    let sitemaps = listed.join("</loc></sitemap><sitemap><loc>");
    let index = format!("<{root}><sitemap><loc>{sitemaps}</loc></sitemap></sitemapindex>");
    fs::write(shop.path("index.xml"), index).unwrap();
    assert_eq!(
        shop.fail(&["import", "index.xml"]),
        format!(
            "shop: index.xml: it is an index, whose entries are sitemaps and not pages; import the files that it \
             lists:\n  {}\n  …\nshop: 1 of 1 file could not be read: {UNCHANGED}",
            listed[..10].join("\n  ")
        )
    );
}

#[test]
fn what_is_no_sitemap_is_said() {
    let shop = Shop::new();
    let end = format!("shop: 1 of 1 file could not be read: {UNCHANGED}");
    fs::create_dir(shop.path("folder")).unwrap();
    let root = "sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    fs::write(shop.path("index.xml"), format!("<{root}/>")).unwrap();
    for (file, problem) in [
        ("folder", "it is a folder; name the files in it"),
        ("index.xml", "it is an index that lists no sitemap"),
        (
            "https://example.com/sitemap.xml",
            "it is a URL, and files are imported; download it first",
        ),
    ] {
        assert_eq!(
            shop.fail(&["import", file]),
            format!("shop: {file}: {problem}\n{end}")
        );
    }
    fs::write(shop.path("page.html"), "<html><body>Hello</body></html>").unwrap();
    assert_eq!(
        shop.fail(&["import", "page.html"]),
        format!(
            "shop: page.html: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)\n{end}"
        )
    );
    fs::write(shop.path("empty.xml"), "").unwrap();
    assert_eq!(
        shop.fail(&["import", "empty.xml"]),
        format!(
            "shop: empty.xml: the document is empty: a sitemap is an XML document with the root `urlset` or \
             `sitemapindex` (P-NS), at line 1, column 1 (byte 0)\n{end}"
        )
    );
}

#[test]
fn files_replace_the_table_unless_they_are_to_be_added() {
    let shop = Shop::new();
    for name in ["1", "2", "3"] {
        let entry = format!("<url><loc>https://example.com/{name}</loc></url>");
        fs::write(shop.path(&format!("{name}.xml")), urlset(&entry)).unwrap();
    }
    shop.succeed(&["import", "1.xml", "2.xml"]);
    assert_eq!(
        locs(&shop.imported()),
        ["https://example.com/1", "https://example.com/2"]
    );
    shop.succeed(&["import", "3.xml"]);
    assert_eq!(locs(&shop.imported()), ["https://example.com/3"]);
    shop.succeed(&["import", "1.xml", "--append"]);
    assert_eq!(
        locs(&shop.imported()),
        ["https://example.com/3", "https://example.com/1"]
    );
}

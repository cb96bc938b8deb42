//! Invalid settings are errors when the set is opened, and rows in the wrong order are errors when they are written.

use sitemap_serde::{IndexEntry, OnInvalid, UrlEntry};
use sitemap_site::{ErrorKind, Key, SetBuilder, SitemapSet};

use crate::sets::pages::folder;

const DIRECTORY: &str =
    "it is the URL of a directory, such as `https://example.com` or `https://example.com/shop`";

fn refused(builder: &SetBuilder, expected: &str) {
    let error = builder.open().map(drop).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Setting, expected)
    );
}

#[test]
fn every_setting_that_is_out_of_range() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = || SitemapSet::directory(&root, "https://example.com");
    for (builder, expected) in [
        (
            set().max_entries(0).clone(),
            "`max_entries`, the number of entries of a part (P-COUNT), is set to 0: it is from 1 to 50000",
        ),
        (
            set().max_entries(100_000).clone(),
            "`max_entries`, the number of entries of a part (P-COUNT), is set to 100000: it is from 1 to 50000",
        ),
        (
            set().max_bytes(0).clone(),
            "`max_bytes`, the size of a part (P-SIZE), is set to 0: it is from 1 to 52428800",
        ),
        (
            set().max_bytes(52_428_801).clone(),
            "`max_bytes`, the size of a part (P-SIZE), is set to 52428801: it is from 1 to 52428800",
        ),
        (
            set().gzip(0).clone(),
            "`gzip`, the level of compression, is set to 0: it is from 1 to 9",
        ),
        (
            set().gzip(10).clone(),
            "`gzip`, the level of compression, is set to 10: it is from 1 to 9",
        ),
        (
            set().news("News", None).clone(),
            "`News` cannot be the name of a section: it is part of file names, so it has 1 to 64 of the characters a-z, 0-9, `-` and `_`, \
             and does not begin with `-`",
        ),
    ] {
        refused(&builder, expected);
    }
    // The edges of the allowed ranges.
    for builder in [
        set().max_entries(1).max_bytes(1).gzip(1).clone(),
        set().max_entries(50_000).max_bytes(52_428_800).gzip(9).clone(),
        set().gzip(10).gzip(None).clone(),
    ] {
        builder.open().unwrap();
    }
    assert!(!root.exists());
}

const A_BASE: &str = "a base is a scheme (http or https), a host, a port and a path prefix, such as `https://example.com` or \
                      `https://example.com/shop` (P-LOC)";

#[test]
fn every_url_that_is_no_directory() {
    let folder = folder();
    let root = folder.path().join("set");
    let base = |base: &str| SitemapSet::directory(&root, base);
    let is_no_base = |url: &str, why: &str| {
        refused(&base(url), &format!("`{url}` is not a base: {why}; {A_BASE}"));
    };
    let no_site = "it has no scheme and host";
    is_no_base(
        "example.com",
        &format!("{no_site} (did you mean `https://example.com`?)"),
    );
    is_no_base("/shop", &format!("{no_site}, only a path"));
    refused(
        &base(""),
        &format!("an empty text is not a base: {no_site}; {A_BASE}"),
    );
    is_no_base("ftp://example.com", "its scheme is another");
    is_no_base("https://example.com?shop", "it has a query");
    for url in [
        "https://example.com/..",
        "https://example.com/../../x",
        "https://example.com/./shop",
        "https://example.com/%2e%2E/x",
        "https://example.com/a/../b/",
    ] {
        is_no_base(url, "it has a segment `.` or `..`, which crawlers resolve");
        let mut location = base("https://example.com");
        location.files_url(url);
        let shown = url.trim_end_matches('/');
        refused(
            &location,
            &format!("the URL of the files `{shown}` has the segment `.` or `..`: {DIRECTORY}"),
        );
    }
    for url in [
        "https://example.com/sitemap.xml",
        "https://example.com/shop/sitemap.xml.gz",
        "https://example.com/index.html",
        "https://example.com/urls.txt/",
    ] {
        let shown = url.trim_end_matches('/');
        refused(
            &base(url),
            &format!("the base `{shown}` is the URL of a file: {DIRECTORY}"),
        );
        let mut location = base("https://example.com");
        location.files_url(url);
        refused(
            &location,
            &format!("the URL of the files `{shown}` is the URL of a file: {DIRECTORY}"),
        );
    }
    for url in ["https://example.com/x?y", "https://example.com/x#y"] {
        let mut location = base("https://example.com");
        location.files_url(url);
        refused(
            &location,
            &format!("the URL of the files `{url}` has a query or a fragment: {DIRECTORY}"),
        );
    }
    for url in [
        "https://example.com",
        "https://example.com/",
        "https://example.xml",
        "https://example.com/v1.2/shop",
        "https://example.com/...",
        "http://localhost:8080/shop/",
    ] {
        base(url).open().unwrap();
    }
}

/// A part lists pages; its index is the set's.
#[test]
fn the_entries_of_an_index_are_not_those_of_a_part() {
    let folder = folder();
    let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
        .open()
        .unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    let error = writer
        .write(None, &IndexEntry::new("/sitemap-1.xml"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Entry);
    assert_eq!(
        error.to_string(),
        "section p: a `sitemap` entry in a urlset: a urlset lists `url` entries (P-NS); write it to a sitemapindex, with \
         `Kind::SitemapIndex` or the type `SitemapIndex`, entry 1"
    );
}

/// Rows in the order of their keys, ascending or descending. Only the first row out of order is an error, and is not written.
#[test]
fn keys_that_repeat_or_go_back() {
    let folder = folder();
    let mut builder = SitemapSet::directory(folder.path().join("set"), "https://example.com");
    builder.max_entries(2);
    let set = builder.open().unwrap();
    // Keys come from the program, so no policy hides their errors.
    let lenient = builder.on_invalid(OnInvalid::SkipEntry).open().unwrap();
    let text = |text: &str| Key::from(text);
    let number = |number: i64| Key::from(number);
    let both = |text: &str, number: i64| Key::from((text, number));
    let twice = |key: &str| {
        format!(
            "section p: two rows have the key {key}: a key is unique; write each row once, with a key of columns that are unique together"
        )
    };
    let back = |key: &str, last: &str| {
        format!(
            "section p: the key {key} comes after {last}, against the order of the keys before: write the rows in the order of their keys"
        )
    };
    for (i, (keys, expected)) in [
        (vec![number(1), number(2), number(2)], Some(twice("2"))),
        (vec![number(1), number(1)], Some(twice("1"))),
        (vec![text("a"), text("a")], Some(twice("a"))),
        (vec![both("a", 1), both("a", 1)], Some(twice("a,1"))),
        (vec![number(1), number(3), number(2)], Some(back("2", "3"))),
        (vec![number(3), number(2), number(5)], Some(back("5", "2"))),
        (
            vec![both("a", 1), both("a", 2), both("b", 1), both("b", 0)],
            Some(back("b,0", "b,1")),
        ),
        (vec![number(1), number(2), number(9)], None),
        (vec![number(9), number(2), number(1)], None),
        // The database determines their order.
        (vec![text("b"), text("A"), text("ä")], None),
        (vec![both("b", 1), both("b", 2), both("a", 1)], None),
    ]
    .into_iter()
    .enumerate()
    {
        let set = if i % 2 == 0 { &set } else { &lenient };
        let mut writer = set.task_writer("p", &format!("t{i}")).unwrap();
        let rows = keys.len();
        for (at, key) in keys.iter().enumerate() {
            let written = writer.write(key.clone(), &UrlEntry::new(format!("/{i}/{at}")));
            match &expected {
                Some(expected) if at + 1 == rows => {
                    let error = written.unwrap_err();
                    assert_eq!((error.kind(), &error.to_string()), (ErrorKind::Source, expected));
                    let error = writer.write(key.clone(), &UrlEntry::new("/x")).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Source);
                }
                _ => assert_eq!(written.unwrap(), 1, "{key}"),
            }
        }
        let list = writer.finish().unwrap();
        assert_eq!(list.entries(), (rows - usize::from(expected.is_some())) as u64);
    }
    // A refused row may be written again.
    let mut writer = set.task_writer("p", "again").unwrap();
    writer.write(number(1), &UrlEntry::new("no loc")).unwrap_err();
    writer.write(number(1), &UrlEntry::new("/1")).unwrap();
    assert_eq!(writer.finish().unwrap().entries(), 1);
}

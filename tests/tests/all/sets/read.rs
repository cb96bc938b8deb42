//! A set read back through its index.

use std::fs;
use std::path::Path;

use sitemap_serde::UrlEntry;
use sitemap_site::{ErrorKind, SitemapSet};

use crate::sets::pages::{BASE, folder, page, small, write};

/// A set in place, whose files another program may write.
fn foreign(root: &Path) -> SitemapSet {
    SitemapSet::in_place(root, BASE).open().unwrap()
}

fn index(locs: &[&str]) -> String {
    let entries: Vec<String> = locs
        .iter()
        .map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>"))
        .collect();
    let entries = entries.concat();
    format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</sitemapindex>")
}

#[test]
fn everything_comes_back_in_order() {
    for gzip in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small(&root)
            .max_entries(700)
            .gzip(gzip.then_some(6))
            .open()
            .unwrap();
        let mut writer = set.task_writer("p", "all").unwrap();
        for id in 1..=20_000 {
            writer.write(id, &page(id)).unwrap();
        }
        set.commit(&[writer.finish().unwrap()]).unwrap();
        let entries: Vec<UrlEntry> = set.entries().unwrap().map(Result::unwrap).collect();
        let expected: Vec<UrlEntry> = (1..=20_000)
            .map(|id| UrlEntry::new(format!("{BASE}/p/{id}")))
            .collect();
        assert!(entries == expected, "{} entries", entries.len());
        // Dropped early, its threads end.
        assert_eq!(set.entries().unwrap().take(5).count(), 5);
    }
}

#[test]
fn a_commit_meanwhile_changes_nothing() {
    let folder = folder();
    let set = small(&folder.path().join("set")).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=500)]).unwrap();
    let mut entries = set.entries().unwrap();
    let first = entries.next().unwrap().unwrap();
    set.commit(&[write(&set, "p", "all", 1001..=1400)]).unwrap();
    assert_eq!(
        (first.loc.as_str(), entries.map(Result::unwrap).count()),
        ("https://example.com/p/1", 499)
    );
}

#[test]
fn names_do_not_lead_out_of_the_set() {
    let folder = folder();
    let set = foreign(folder.path());
    assert_eq!(
        set.entries().unwrap_err().to_string(),
        "nothing is published: there is no sitemap.xml"
    );
    for name in [
        "https://example.com/../secret.xml",
        "https://example.com/a/b.xml",
        "https://example.com/%2e%2e/b.xml",
        "https://example.com/.sitemap",
        "https://example.com/a\\b.xml",
        "https://example.com/",
        "https://example.com/a.xml?b",
        "https://example.com/sub.example.com.xml/",
    ] {
        fs::write(folder.path().join("sitemap.xml"), index(&[name])).unwrap();
        let error = set.entries().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{name}");
        assert_eq!(
            error.to_string(),
            format!(
                "sitemap.xml lists `{}`, which is not a file directly in https://example.com/",
                name.escape_debug()
            )
        );
    }
}

#[test]
fn errors_name_the_file() {
    let folder = folder();
    let set = foreign(folder.path());
    let put = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    put(
        "sitemap.xml",
        &index(&["https://example.com/a.xml", "https://example.com/b.xml"]),
    );
    put(
        "a.xml",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
    );
    let both = || -> Vec<_> {
        set.entries()
            .unwrap()
            .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.to_string()))
            .collect()
    };
    let missing = both();
    assert_eq!(missing[0].as_deref(), Ok("https://example.com/1"));
    assert!(
        missing[1]
            .as_ref()
            .unwrap_err()
            .starts_with("b.xml: cannot read "),
        "{missing:?}"
    );
    // An index in an index (P-NEST).
    put("b.xml", &index(&["https://example.com/a.xml"]));
    let nested = both();
    assert!(
        nested[1]
            .as_ref()
            .unwrap_err()
            .starts_with("b.xml: this is a sitemapindex"),
        "{nested:?}"
    );
    // Truncated.
    put(
        "b.xml",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/2</loc></url>",
    );
    let cut = both();
    assert!(
        cut.last().unwrap().as_ref().unwrap_err().starts_with("b.xml: "),
        "{cut:?}"
    );
    // Larger than a sitemap may be (P-COUNT).
    let many = "<url><loc>https://example.com/1</loc></url>".repeat(50_001);
    put(
        "b.xml",
        &format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{many}</urlset>"),
    );
    let many = both();
    assert_eq!(many.len(), 1 + 50_000 + 1);
    assert!(
        many.last().unwrap().as_ref().unwrap_err().contains("P-COUNT"),
        "{:?}",
        many.last()
    );
}

/// Data beyond the maximum size of an index or text file is not read.
#[test]
fn sizes_are_limited() {
    let folder = folder();
    let set = foreign(folder.path());
    let put = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let locs = |count: usize| vec!["https://example.com/a.txt"; count];
    put("sitemap.xml", &index(&locs(50_001)));
    let error = set.entries().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let text = error.to_string();
    assert!(
        text.starts_with("sitemap.xml: ") && text.contains("(P-COUNT)"),
        "{text}"
    );
    let space = format!("{}<sitemap>", " ".repeat(1_000_000));
    let large = index(&locs(53)).replace("<sitemap>", &space);
    put("sitemap.xml", &large);
    let error = set.entries().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let text = error.to_string();
    assert!(
        text.starts_with("sitemap.xml: ") && text.contains("(P-SIZE)"),
        "{text}"
    );

    put("sitemap.xml", &index(&locs(1)));
    let line = "https://example.com/p/1\n";
    let read = |text: String| -> Vec<Result<(), String>> {
        put("a.txt", &text);
        let entries = set.entries().unwrap();
        entries
            .map(|entry| entry.map(drop).map_err(|error| error.to_string()))
            .collect()
    };
    assert!(read(line.repeat(50_000)).iter().all(Result::is_ok));
    let refused = "a.txt: it has more than 50,000 lines or 52,428,800 bytes (P-TXT2)";
    let many = read(line.repeat(50_001));
    assert_eq!(
        (many.len(), many[50_000].clone()),
        (50_001, Err(refused.to_owned()))
    );
    // One line without an end, and blank lines.
    let blank = format!("{}\n", " ".repeat(999_999));
    for text in ["x".repeat(52_428_801), blank.repeat(53)] {
        assert_eq!(read(text), [Err(refused.to_owned())]);
    }
}

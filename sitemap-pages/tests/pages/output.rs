//! What is written, and when.

use std::fs;

use sitemap_site::SitemapSet;

use crate::site::{Site, builder};

#[test]
fn one_file() {
    let site = Site::new(&[
        (
            "index.html",
            "<meta name=dcterms.modified content=2026-05-01><p>Home",
        ),
        ("a&b.html", "<p>A"),
    ]);
    let mut builder = builder();
    builder.now("2026-06-01".parse().unwrap());
    let folder = builder.read(site.path()).unwrap();
    let path = site.path().join("sitemap.xml");
    assert!(folder.write_file(&path).unwrap());
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod></url>\
         <url><loc>https://example.com/a&amp;b.html</loc></url></urlset>"
    );
    // Nothing has changed, and nothing is written.
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert!(!builder.read(site.path()).unwrap().write_file(&path).unwrap());
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    let names: Vec<_> = fs::read_dir(site.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn a_set_of_files() {
    let site = Site::new(&[]);
    for i in 0..30 {
        site.write(&format!("{i:02}.html"), format!("<p>Page {i}"));
    }
    let folder = site.read();
    let open = || {
        SitemapSet::directory(site.path(), "https://example.com")
            .in_place(true)
            .entries(20)
            .open()
            .unwrap()
    };
    let summary = folder.write_set(&open()).unwrap();
    assert_eq!((summary.entries, summary.files, summary.written), (30, 3, 3));
    let summary = folder.write_set(&open()).unwrap();
    assert_eq!((summary.written, summary.kept), (0, 3));
}

#[test]
fn a_ledger_that_cannot_be_believed_changes_nothing() {
    let site = Site::new(&[("index.html", "<p>Home")]);
    site.moved("2026-05-01");
    let ledger = fs::read_to_string(site.ledger()).unwrap();
    fs::write(site.ledger(), &ledger[..ledger.len() / 2]).unwrap();
    let error = sitemap_pages::Ledger::load(site.ledger()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: the ledger is cut off: restore it from version control or from the cache; if there is no copy, delete it, and pages have \
             no dates of the ledger until they change",
            site.ledger().display()
        )
    );
}

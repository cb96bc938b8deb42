//! Writing a sitemap, and refusing to write.

use std::fs;

use sitemap_pages::ErrorKind;
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
    // If nothing has changed, nothing is written.
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert!(!builder.read(site.path()).unwrap().write_file(&path).unwrap());
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    let names: Vec<_> = fs::read_dir(site.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// A build for staging, or of a part of the site, must not replace the sitemap.
#[test]
fn a_sitemap_does_not_shrink_by_accident() {
    let site = Site::new(&[]);
    for i in 0..9 {
        site.write(&format!("{i}.html"), format!("<p>Page {i}"));
    }
    let path = site.path().join("sitemap.xml");
    assert!(site.read().write_file(&path).unwrap());
    let nine = fs::read_to_string(&path).unwrap();
    let advice =
        "if this is intended, allow it with `FolderBuilder::allow_shrinking(true)`; nothing was changed";
    let staging = Site::new(&[("index.html", "<meta name=robots content=noindex>")]);
    let one = Site::new(&[("index.html", "<p>Home")]);
    let of_one = one.path().join("sitemap.xml");
    assert!(one.read().write_file(&of_one).unwrap());
    for (target, lost) in [
        (&path, format!(", and {} has 9 entries", path.display())),
        (&of_one, format!(", and {} has 1 entry", of_one.display())),
        (&staging.path().join("sitemap.xml"), String::new()),
    ] {
        let error = staging.read().write_file(target).unwrap_err();
        let found = format!("the sitemap would be empty{lost} (skipped: 1 noindex)");
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::Output, format!("{found}: {advice}"))
        );
    }
    assert!(!staging.path().join("sitemap.xml").exists());

    for (pages, is_refused) in [(5, false), (4, true)] {
        fs::write(&path, &nine).unwrap();
        for i in pages..9 {
            let _ = fs::remove_file(site.path().join(format!("{i}.html")));
        }
        let written = site.read().write_file(&path);
        assert_eq!(written.is_err(), is_refused, "{pages}");
        if let Err(error) = written {
            let found = format!(
                "the sitemap would have 4 entries, less than half of the 9 of {}",
                path.display()
            );
            assert_eq!(error.to_string(), format!("{found}: {advice}"));
            assert_eq!(fs::read_to_string(&path).unwrap(), nine);
        }
    }
    // The pages name another host as canonical.
    let www = Site::new(&[]);
    for i in 0..3 {
        www.write(
            &format!("{i}.html"),
            format!("<link rel=canonical href=https://www.example.com/{i}.html>"),
        );
    }
    let error = |site: &Site| {
        site.read()
            .write_file(site.path().join("sitemap.xml"))
            .unwrap_err()
            .to_string()
    };
    let found = "the sitemap would be empty (all 3 canonical addresses are at https://www.example.com)";
    assert_eq!(error(&www), format!("{found}: {advice}"));
    www.write("draft.html", "<meta name=robots content=noindex>");
    www.write("404.html", "<p>Nothing");
    assert_eq!(error(&www), format!("{found}: {advice}"));
    for i in 0..2 {
        www.write(&format!("{i}.html"), "<meta name=robots content=noindex>");
    }
    let found = "the sitemap would be empty (skipped: 1 canonical, 1 error-page, 3 noindex)";
    assert_eq!(error(&www), format!("{found}: {advice}"));
    let mut builder = builder();
    builder.allow_shrinking(true);
    assert!(builder.read(site.path()).unwrap().write_file(&path).unwrap());
    assert!(builder.read(staging.path()).unwrap().write_file(&path).unwrap());
    // An invalid file has no entries that could be lost.
    fs::write(&path, "<urlset").unwrap();
    assert!(site.read().write_file(&path).unwrap());
}

#[cfg(unix)]
#[test]
fn replaced_files_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;

    let site = Site::new(&[("index.html", "<p>Home")]);
    let sitemap = site.path().join("sitemap.xml");
    for (i, mode) in [0o600, 0o664, 0o640, 0o606].into_iter().enumerate() {
        site.write(&format!("{i}.html"), format!("<p>Page {i}"));
        let write = || {
            let folder = site.read();
            [folder.write_file(&sitemap), folder.ledger().save(site.ledger())].map(Result::unwrap)
        };
        write();
        site.write(&format!("{i}-more.html"), format!("<p>More of {i}"));
        for path in [&sitemap, &site.ledger()] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(write(), [true, true]);
        for path in [&sitemap, &site.ledger()] {
            let found = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{}", path.display());
        }
    }
}

#[test]
fn the_index_of_a_set_is_not_replaced() {
    let site = Site::new(&[("index.html", "<p>Home")]);
    let folder = site.read();
    let set = SitemapSet::in_place(site.path(), "https://example.com")
        .open()
        .unwrap();
    folder.write_set(&set).unwrap();
    let path = site.path().join("sitemap.xml");
    let index = fs::read_to_string(&path).unwrap();
    let error = folder.write_file(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Output);
    assert_eq!(
        error.to_string(),
        format!(
            "{} is the index of a set, whose state is in {}: write a set of files with `Folder::write_set`, or write to another file",
            path.display(),
            site.path().join(".sitemap").display()
        )
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), index);
    assert!(folder.write_file(site.path().join("pages.xml")).unwrap());
}

#[test]
fn a_set_of_files() {
    let site = Site::new(&[]);
    for i in 0..30 {
        site.write(&format!("{i:02}.html"), format!("<p>Page {i}"));
    }
    let folder = site.read();
    let open = || {
        SitemapSet::in_place(site.path(), "https://example.com")
            .max_entries(20)
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

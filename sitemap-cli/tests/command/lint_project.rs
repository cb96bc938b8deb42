//! `sitemap lint` with few arguments: the project's documents, a preview of the fixes, and less output.

use crate::folder::{CORE, Folder};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn urlset(entries: &[&str]) -> String {
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| format!("<url>{entry}</url>\n"))
        .collect();
    format!("{HEAD}<urlset xmlns=\"{CORE}\">\n{}</urlset>\n", entries.concat())
}

const SETTINGS: &str = "[lint]\nroot = \"public\"\nlocation = \"https://example.com/\"\n";

#[test]
fn without_files_the_root_of_the_settings_is_read() {
    let folder = Folder::with(&[
        ("sitemap.toml", SETTINGS.to_owned()),
        ("public/a.xml", urlset(&["<loc>https://example.org/</loc>"])),
        ("other.xml", "not read".to_owned()),
    ]);
    for arguments in [
        &["lint"][..],
        &["lint", "--config", "sitemap.toml"],
        &["lint", "public"],
    ] {
        let (status, report, told) = folder.run(arguments);
        assert_eq!((status, &*told), (1, ""));
        assert!(report.contains("public/a.xml:3:11"), "{report}");
        assert!(
            report.contains("P-HOST") && report.ends_with("1 file, 1 URL: 1 error, 0 warnings, 0 notes\n"),
            "{report}"
        );
    }
    folder.write("sitemap.toml", "");
    std::fs::remove_file(folder.path("other.xml")).unwrap();
    let (_, report, _) = folder.run(&["lint"]);
    assert!(report.contains("1 file, 1 URL: "), "{report}");
    std::fs::remove_file(folder.path("sitemap.toml")).unwrap();
    assert_eq!(
        folder.run(&["lint"]),
        (
            2,
            String::new(),
            "sitemap: nothing to read: name files or directories, or write a sitemap.toml with the `root` of the site\n".to_owned()
        )
    );
}

#[test]
fn a_location_with_a_query_is_not_that_of_the_root() {
    let folder = Folder::with(&[("sitemap.toml", SETTINGS.replace(".com/", ".com/?a=1"))]);
    let (status, report, told) = folder.run(&["lint", "--config", "sitemap.toml"]);
    assert_eq!((status, &*report), (2, ""));
    assert_eq!(
        told,
        "sitemap: sitemap.toml:3: `https://example.com/?a=1` is not the URL of a directory, since it has a query or a fragment: write \
         `https://example.com/`\n"
    );
}

#[test]
fn what_a_fix_would_change_is_shown() {
    let right = urlset(&["<loc>https://example.com/</loc>"; 9]);
    let wrong = right.replacen("</loc></url>", "</loc><lastmod>2026/5/1</lastmod></url>", 1);
    let folder = Folder::with(&[("a.xml", &wrong), ("b.xml", &right)]);
    folder.write("c.xml.gz", crate::folder::gzipped(&wrong));
    let hunk = "@@ -1,6 +1,6 @@\n <?xml version=\"1.0\" encoding=\"UTF-8\"?>\n <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         -<url><loc>https://example.com/</loc><lastmod>2026/5/1</lastmod></url>\n\
         +<url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod></url>\n \
         <url><loc>https://example.com/</loc></url>\n <url><loc>https://example.com/</loc></url>\n <url><loc>https://example.com/</loc></url>\n";
    let files = ["a.xml", "b.xml", "c.xml.gz"];
    let before = files.map(|file| std::fs::read(folder.path(file)).unwrap());
    let shown = format!("--- a.xml\n+++ a.xml\n{hunk}--- c.xml.gz\n+++ c.xml.gz\n{hunk}");
    assert_eq!(
        folder.run(&["lint", ".", "--fix", "--diff"]),
        (1, shown, String::new())
    );
    assert_eq!(
        files.map(|file| std::fs::read(folder.path(file)).unwrap()),
        before
    );
    assert_eq!(
        folder.run(&["lint", "b.xml", "--fix", "--diff"]),
        (0, String::new(), String::new())
    );
    folder.write("d.txt", "https://example.com/é\n");
    let (status, shown, told) = folder.run(&["lint", "d.txt", "--fix", "--diff"]);
    assert_eq!((status, &*shown), (2, ""));
    assert_eq!(
        told,
        "not fixed: d.txt: it is a sitemap as text, and --fix changes only XML: `sitemap repair d.txt` reads it\n"
    );
    assert_eq!(folder.run(&["lint", "a.xml", "--diff"]).0, 2);
}

#[test]
fn quietly_problems_alone_are_printed() {
    let folder = Folder::with(&[(
        "a.xml",
        urlset(&["<loc>https://example.com/</loc><lastmod>x</lastmod>"]),
    )]);
    let (status, loud, _) = folder.run(&["lint", "a.xml"]);
    let (quiet_status, quiet, _) = folder.run(&["-q", "lint", "a.xml"]);
    assert_eq!((status, quiet_status), (0, 0));
    let (problems, totals) = loud.split_at(quiet.len());
    assert_eq!(problems, quiet);
    assert!(
        quiet.starts_with("warning[P-LASTMOD]") && !quiet.contains("1 file"),
        "{quiet}"
    );
    assert!(
        totals.ends_with(
            "1 file, 1 URL: 0 errors, 1 warning, 0 notes\n\
             `sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each\n"
        ),
        "{totals}"
    );

    let (_, _, loud) = folder.run(&["repair", "a.xml"]);
    let (_, _, quiet) = folder.run(&["repair", "a.xml", "--quiet"]);
    assert_eq!(loud.lines().next(), quiet.lines().next());
    assert_eq!((loud.lines().count(), quiet.lines().count()), (3, 1));
}

#[test]
fn a_warning_may_be_called_warn() {
    let document = urlset(&["<loc>https://example.com/</loc><lastmod>x</lastmod>"]);
    let folder = Folder::with(&[("a.xml", &document)]);
    for more in [
        &["--fail-on", "warn"][..],
        &["--fail-on", "warning"],
        &["--fail-on", "warn", "--level", "P-LASTMOD=warn"],
    ] {
        assert_eq!(folder.run(&[&["lint", "a.xml"], more].concat()).0, 1, "{more:?}");
    }
    folder.write(
        "sitemap.toml",
        "[lint]\nfail-on = \"warn\"\n[lint.rules]\nP-LASTMOD = \"warn\"\n",
    );
    assert_eq!(folder.run(&["lint", "a.xml"]).0, 1);
}

/// Both the settings and the arguments can allow pages of other sites.
#[test]
fn pages_of_other_sites_are_allowed_in_two_places() {
    let folder = Folder::with(&[("public/a.xml", urlset(&["<loc>https://example.org/</loc>"]))]);
    let rules = |settings: &str, arguments: &[&str]| {
        folder.write("sitemap.toml", format!("{SETTINGS}{settings}"));
        let (status, report, _) = folder.run(&[&["lint"], arguments].concat());
        (status, report.contains("P-HOST"))
    };
    let allowed = "cross-submission = true\n";
    assert_eq!(rules("", &[]), (1, true));
    assert_eq!(rules(allowed, &[]), (0, false));
    assert_eq!(rules("", &["--cross-submission"]), (0, false));
    assert_eq!(rules(allowed, &["--cross-submission"]), (0, false));
}

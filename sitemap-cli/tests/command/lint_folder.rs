//! `sitemap lint` of a folder with its location compares the listed sitemaps to the files in the folder, both ways.

use std::fmt::Write as _;

use crate::folder::{CORE, Folder};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn urlset(page: &str) -> String {
    format!("{HEAD}<urlset xmlns=\"{CORE}\">\n<url><loc>{page}</loc></url>\n</urlset>\n")
}

fn index(urls: &[&str]) -> String {
    let mut text = format!("{HEAD}<sitemapindex xmlns=\"{CORE}\">\n");
    for url in urls {
        let _ = writeln!(text, "<sitemap><loc>{url}</loc></sitemap>");
    }
    text + "</sitemapindex>\n"
}

/// A folder whose index lists an existing sitemap and a missing one, but not the third.
fn site() -> Folder {
    Folder::with(&[
        (
            "public/index.xml",
            index(&[
                "https://example.com/maps/a%20b.xml",
                "https://example.com/maps/old.xml",
            ]),
        ),
        ("public/maps/a b.xml", urlset("https://example.com/maps/1")),
        ("public/maps/new.xml", urlset("https://example.com/maps/2")),
        ("public/maps/page.html", "<p>Page".to_owned()),
        ("public/.old/b.xml", urlset("https://example.com/maps/3")),
    ])
}

const ARGUMENTS: [&str; 4] = ["lint", "public", "--location", "https://example.com/"];

fn found(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let (_, said, _) = folder.run(&[arguments, &["--format", "github"]].concat());
    said.lines().map(str::to_owned).collect()
}

#[test]
fn a_folder_as_it_is_served() {
    let expected = "\
error[L-ABSENT]: `https://example.com/maps/old.xml` is listed, and the folder has no file `maps/old.xml`
 --> public/index.xml:4:15
  |
4 | <sitemap><loc>https://example.com/maps/old.xml</loc></sitemap>
  |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ entry 2 · loc
  |
  = help: publish the file, or remove the entry

warning[L-ORPHAN]: no index lists `https://example.com/maps/new.xml`, and no `Sitemap:` line of robots.txt names it
--> public/maps/new.xml
 = help: list it in public/index.xml, or remove the file

        1 error    L-ABSENT           a listed sitemap is in the folder that the site serves
        1 warning  L-ORPHAN           a sitemap in a folder with an index is listed

3 files, 2 URLs, 2 listed sitemaps: 1 error, 1 warning, 0 notes
";
    let folder = site();
    assert_eq!(folder.run(&ARGUMENTS), (1, expected.to_owned(), String::new()));
    for jobs in ["1", "3"] {
        assert_eq!(
            folder.run(&[&ARGUMENTS[..], &["--jobs", jobs]].concat()).1,
            expected
        );
    }
    let quiet = ["--level", "L-ABSENT=off", "--level", "L-ORPHAN=off"];
    assert_eq!(found(&folder, &[&ARGUMENTS[..], &quiet].concat()), [""; 0]);
    let (status, _, told) = folder.run(&[&ARGUMENTS[..], &["--fix", "--diff"]].concat());
    assert_eq!((status, &*told), (0, ""));
}

/// The settings name the folder. Only a lint of the whole folder knows which files are listed.
#[test]
fn the_folder_of_the_settings() {
    let folder = site();
    folder.write(
        "sitemap.toml",
        "[lint]\nroot = \"public\"\nlocation = \"https://example.com\"\n",
    );
    for whole in [
        &["lint"][..],
        &["lint", "public"],
        &["lint", "public/maps", "./public/"],
        &["lint", "."],
    ] {
        assert!(found(&folder, whole).len() >= 2, "{whole:?}");
    }
    for part in [
        &["lint", "public/maps"][..],
        &["lint", "public/index.xml"],
        &["lint", "public/index.xml", "public/maps"],
        &[
            "lint",
            "public/index.xml",
            "--location",
            "https://example.com/index.xml",
        ],
    ] {
        assert_eq!(found(&folder, part), [""; 0], "{part:?}");
    }
    std::fs::remove_file(folder.path("sitemap.toml")).unwrap();
    // Without a location, no files are compared.
    assert_eq!(found(&folder, &["lint", "public"]), [""; 0]);
}

/// The folder's robots.txt applies if the folder is the root of the site, unless `--robots` names another file.
#[test]
fn the_robots_txt_of_the_folder() {
    let folder = site();
    folder.write(
        "public/robots.txt",
        "User-agent: *\nDisallow: /maps/2\nSitemap: https://example.com/index.xml\nSitemap: https://example.com/maps/new.xml\n",
    );
    let rules = |arguments: &[&str]| -> Vec<String> {
        let title = |line: &String| {
            line.split_once("title=")
                .unwrap()
                .1
                .split_once("::")
                .unwrap()
                .0
                .to_owned()
        };
        found(&folder, arguments).iter().map(title).collect()
    };
    assert_eq!(rules(&ARGUMENTS), ["L-ROBOTS", "L-ABSENT"]);
    folder.write("other.txt", "");
    let other = [&ARGUMENTS[..], &["--robots", "other.txt"]].concat();
    assert_eq!(rules(&other), ["L-ABSENT", "L-ORPHAN"]);
    // robots.txt only applies at the root of a site. This folder is a subdirectory.
    folder.write(
        "public/index.xml",
        index(&["https://example.com/shop/maps/a%20b.xml"]),
    );
    let below = [
        "lint",
        "public",
        "--location",
        "https://example.com/shop/",
        "--cross-submission",
    ];
    assert_eq!(rules(&below), ["L-ORPHAN"]);
}

/// If robots.txt cannot be read, the sitemaps that it names are unknown.
#[cfg(target_os = "linux")]
#[test]
fn a_robots_txt_that_cannot_be_read() {
    let folder = site();
    std::os::unix::fs::symlink("/proc/self/mem", folder.path("public/robots.txt")).unwrap();
    let (status, said, told) = folder.run(&ARGUMENTS);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "3 files, 2 URLs, 2 listed sitemaps: 0 errors, 0 warnings, 0 notes; 1 file not read to the end\n"
    );
    assert!(
        told.starts_with("sitemap: cannot read public/robots.txt: "),
        "{told}"
    );
    // Another robots.txt is readable.
    folder.write("other.txt", "");
    let (_, said, _) = folder.run(&[&ARGUMENTS[..], &["--robots", "other.txt"]].concat());
    assert!(said.contains("error[L-ABSENT]"), "{said}");
}

/// URLs match file names in exact case, even on file systems that ignore case.
#[cfg(unix)]
#[test]
fn names_and_links() {
    let folder = Folder::with(&[
        (
            "public/index.xml",
            index(&[
                "https://example.com/MAPS/a.xml",
                "https://example.com/linked/b.xml",
                "https://example.com/c.xml",
                "https://example.com/gone/d.xml",
                "https://example.com/round/e.xml",
                "https://example.com/maps",
            ]),
        ),
        ("public/maps/a.xml", urlset("https://example.com/maps/1")),
        ("elsewhere/b.xml", urlset("https://example.com/linked/2")),
    ]);
    std::os::unix::fs::symlink("../elsewhere", folder.path("public/linked")).unwrap();
    std::os::unix::fs::symlink("../elsewhere/b.xml", folder.path("public/c.xml")).unwrap();
    // The same folder, named by the settings.
    folder.write(
        "sitemap.toml",
        "[lint]\nroot = \"public\"\nlocation = \"https://example.com/\"\n",
    );
    for named in [&["lint"][..], &["lint", "./public"], &["lint", "."]] {
        let found = found(&folder, named);
        assert!(
            found.iter().all(|line| !line.contains("L-ORPHAN")),
            "{named:?}: {found:?}"
        );
    }
    std::fs::remove_file(folder.path("sitemap.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path("public/gone")).unwrap();
    std::os::unix::fs::symlink("round", folder.path("public/round")).unwrap();
    assert_eq!(
        found(&folder, &[&ARGUMENTS[..], &["--level", "P-PATH=off"]].concat()),
        [
            "::error file=public/index.xml,line=3,col=15,title=L-ABSENT::`https://example.com/MAPS/a.xml` is listed, and the folder has \
             `maps/a.xml` instead: upper and lower case differ in addresses (L-ABSENT); write `https://example.com/maps/a.xml`, or rename the \
             file",
            "::error file=public/index.xml,line=6,col=15,title=L-ABSENT::`https://example.com/gone/d.xml` is listed, and the folder has no \
             file `gone/d.xml` (L-ABSENT); publish the file, or remove the entry",
            "::error file=public/index.xml,line=7,col=15,title=L-ABSENT::`https://example.com/round/e.xml` is listed, and the folder has no \
             file `round/e.xml` (L-ABSENT); publish the file, or remove the entry",
            "::error file=public/index.xml,line=8,col=15,title=L-ABSENT::`https://example.com/maps` is listed, and the folder has no \
             file `maps` (L-ABSENT); publish the file, or remove the entry"
        ]
    );
}

/// A sitemap that robots.txt names may list the whole site, and so may the sitemaps in an index that it names.
#[test]
fn sitemaps_that_robots_txt_names() {
    let paths = |robots: &str| {
        let folder = Folder::with(&[
            (
                "public/maps/index.xml",
                index(&["https://example.com/maps/deep/1.xml"]),
            ),
            ("public/maps/deep/1.xml", urlset("https://example.com/a")),
            ("public/other/2.xml", urlset("https://example.com/b")),
            ("public/robots.txt", robots.to_owned()),
        ]);
        let found = found(&folder, &ARGUMENTS);
        let files = found
            .iter()
            .filter(|line| line.contains("title=P-PATH"))
            .map(|line| {
                let name = line.split("file=").nth(1).unwrap_or_default();
                name.split(',').next().unwrap_or_default().to_owned()
            });
        files.collect::<Vec<_>>()
    };
    let (first, second) = ("public/maps/deep/1.xml", "public/other/2.xml");
    for (robots, expected) in [
        ("User-agent: *", vec![first, second]),
        ("Sitemap: https://example.com/maps/index.xml", vec![second]),
        (
            "Sitemap: https://example.com/maps/deep/1.xml\nSitemap: /other/2.xml",
            vec![],
        ),
        (
            "Sitemap: https://other.example/maps/index.xml",
            vec![first, second],
        ),
    ] {
        assert_eq!(paths(robots), expected, "{robots}");
    }
}

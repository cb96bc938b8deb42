//! `sitemap split` and `index`.

use std::fs;
use std::time::{Duration, SystemTime};

use sitemap_serde::{IndexEntry, Reader};

use crate::folder::{CORE, Folder, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SITE: [&str; 2] = ["--base", "https://example.com"];

fn urlset<I: IntoIterator<Item = u32>>(pages: I) -> String {
    let entries = pages
        .into_iter()
        .map(|i| format!("<url><loc>https://example.com/{i}</loc></url>"));
    format!(
        "{HEAD}<urlset xmlns=\"{CORE}\">{}</urlset>",
        entries.collect::<String>()
    )
}

/// The locs that an index lists.
fn listed(folder: &Folder, name: &str) -> Vec<String> {
    Reader::from_str(&folder.read(name))
        .deserialize::<IndexEntry>()
        .map(|entry| entry.unwrap().loc)
        .collect()
}

#[test]
fn a_large_sitemap_becomes_a_set_and_stays_one() {
    let folder = Folder::with(&[("huge.xml", urlset(1..=7))]);
    let arguments = [
        &["split", "huge.xml", "-o", "public", "--max-entries", "3"][..],
        &SITE,
    ]
    .concat();
    assert_eq!(
        folder.run(&arguments),
        (
            0,
            String::new(),
            "public: 4 files with 7 URLs, 625 bytes: 4 written, 0 kept, 0 removed; 0 left out\n".to_owned()
        )
    );
    assert_eq!(
        listed(&folder, "public/sitemap.xml"),
        [1, 2, 3].map(|i| format!("https://example.com/sitemap-pages-{i}.xml"))
    );
    assert_eq!(folder.read("public/sitemap-pages-1.xml"), urlset(1..=3));
    assert_eq!(folder.read("public/sitemap-pages-2.xml"), urlset(4..=6));
    assert_eq!(folder.read("public/sitemap-pages-3.xml"), urlset(7..=7));
    // Removing a page only changes the page's file.
    folder.write("huge.xml", urlset([1, 3, 4, 5, 6, 7]));
    let (status, _, told) = folder.run(&arguments);
    assert_eq!(
        (status, &*told),
        (
            0,
            "public: 4 files with 6 URLs, 582 bytes: 2 written, 2 kept, 0 removed; 0 left out\n"
        )
    );
    assert_eq!(folder.read("public/sitemap-pages-1.xml"), urlset([1, 3]));
    // An empty set is refused, because it would remove the site from search engines.
    folder.write("huge.xml", urlset([]));
    let (status, _, told) = folder.run(&arguments);
    assert_eq!(status, 2, "{told}");
    assert_eq!(folder.read("public/sitemap-pages-2.xml"), urlset(4..=6));
}

#[test]
fn several_become_one_set() {
    let image = "<url><loc>https://example.com/i</loc><image:image><image:loc>https://example.com/1.jpg</image:loc></image:image></url>";
    let rest = format!(
        "<url><loc>https://other.example/</loc></url>{image}<url/><url><loc>https://example.com/x</loc><own xmlns=\"urn:own\"/></url>"
    );
    let second = urlset(3..=3)
        .replace(
            "<urlset ",
            "<urlset xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" ",
        )
        .replace("</urlset>", &(rest + "</urlset>"));
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a</loc></sitemap></sitemapindex>"
    );
    let folder = Folder::with(&[
        ("in/1.xml", urlset(1..=2)),
        ("in/2.xml", second),
        ("in/index.xml", index),
    ]);
    let arguments = [
        &[
            "split",
            "in",
            "-o",
            "out",
            "--gzip",
            "--name",
            "all",
            "--max-entries",
            "2",
            "--on-invalid",
            "drop",
        ][..],
        &SITE,
    ]
    .concat();
    let (status, written, told) = folder.run(&arguments);
    assert_eq!((status, &*written), (1, ""), "{told}");
    let told: Vec<_> = told.lines().collect();
    assert_eq!(
        told[0],
        "note: in: 1 listed sitemap is elsewhere: https://example.com/a"
    );
    assert!(told[2].starts_with("in/2.xml: no `loc`: "), "{told:?}");
    assert!(
        told[1].starts_with("in/2.xml, entry 2: `https://other.example/` is not on the site"),
        "{told:?}"
    );
    assert!(
        told[3].starts_with("out: 4 files with 5 URLs, ") && told[3].ends_with("; 2 left out"),
        "{told:?}"
    );
    assert_eq!(
        told[4..],
        [
            "note: 1 index skipped",
            "note: 1 unknown element or attribute left out: `{urn:own}own`"
        ]
    );
    assert_eq!(
        listed(&folder, "out/sitemap.xml"),
        [1, 2, 3].map(|i| format!("https://example.com/sitemap-all-{i}.xml.gz"))
    );
    let part = unzipped(&fs::read(folder.path("out/sitemap-all-2.xml.gz")).unwrap());
    let images = Reader::from_str(&part).entries().nth(1).unwrap().unwrap().images;
    assert_eq!(images[0].loc, "https://example.com/1.jpg");
}

#[test]
fn what_is_not_the_sets_own_is_kept() {
    let folder = Folder::with(&[
        ("a.xml", urlset(1..=2)),
        ("public/sitemap.xml", "by hand".to_owned()),
    ]);
    let arguments = [&["split", "-", "-o", "public"][..], &SITE].concat();
    assert_eq!(
        folder.pipe(urlset(1..=2), &arguments),
        (
            2,
            String::new(),
            "sitemap: public/sitemap.xml already exists and is not part of a set: --force replaces it\n"
                .to_owned()
        )
    );
    assert_eq!(folder.read("public/sitemap.xml"), "by hand");
    assert_eq!(
        folder
            .pipe(urlset(1..=2), &[&arguments[..], &["--force"]].concat())
            .0,
        0
    );
    assert_eq!(folder.read("public/sitemap.xml"), urlset(1..=2));
    // A broken document leaves the set unchanged, or is read leniently.
    let broken = urlset(1..=3).replace("/1<", "/?a&b<");
    let (status, _, told) = folder.pipe(&broken, &arguments);
    assert_eq!(status, 2);
    assert!(
        told.starts_with("sitemap: <stdin>: a `&` that does not begin a reference: ")
            && told.ends_with("; --lenient reads what can be read\n"),
        "{told}"
    );
    assert_eq!(folder.read("public/sitemap.xml"), urlset(1..=2));
    let (status, _, told) = folder.pipe(&broken, &[&arguments[..], &["--lenient"]].concat());
    assert_eq!(status, 0);
    assert_eq!(
        told.lines().last(),
        Some("note: 1 repair (`sitemap repair` lists them)")
    );
    assert_eq!(
        folder.read("public/sitemap.xml"),
        urlset(1..=3).replace("/1<", "/?a&amp;b<")
    );
}

#[test]
fn more_than_a_file_holds() {
    let folder = Folder::with(&[("huge.xml", urlset(1..=50_001))]);
    let (status, _, told) = folder.run(&[&["split", "huge.xml", "-o", "public"][..], &SITE].concat());
    assert_eq!(status, 0, "{told}");
    let parts = ["public/sitemap-pages-1.xml", "public/sitemap-pages-2.xml"];
    assert_eq!(
        parts.map(|name| folder.read(name)),
        [urlset(1..=50_000), urlset([50_001])]
    );
}

fn set_time(folder: &Folder, name: &str, seconds: u64) {
    let file = fs::File::options().write(true).open(folder.path(name)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 500))
        .unwrap();
}

#[test]
fn an_index_of_what_is_there() {
    let folder = Folder::with(&[
        ("public/b.xml", urlset(1..=2)),
        (
            "public/a b/é.xml",
            urlset(3..=3).replace("</loc>", "</loc><lastmod>2026-05-01</lastmod>"),
        ),
        ("public/.sitemap/staging/c.xml", urlset(4..=4)),
        ("public/feed.xml", "<html/>".to_owned()),
        ("public/none.txt", "Nothing".to_owned()),
    ]);
    set_time(&folder, "public/b.xml", 1_767_225_600);
    set_time(&folder, "public/a b/é.xml", 1_767_225_601);
    let expected = |first: &str, second: &str| {
        format!(
            "{HEAD}<sitemapindex xmlns=\"{CORE}\">\
             <sitemap><loc>https://example.com/s/a%20b/%C3%A9.xml</loc>{first}</sitemap>\
             <sitemap><loc>https://example.com/s/b.xml</loc>{second}</sitemap></sitemapindex>\n"
        )
    };
    let index = |more: &[&str]| {
        folder.run(
            &[
                &["index", "public", "--location", "https://example.com/s/"][..],
                more,
            ]
            .concat(),
        )
    };
    let (status, written, told) = index(&[]);
    assert_eq!(status, 1);
    assert_eq!(
        written,
        expected(
            "<lastmod>2026-01-01T00:00:01Z</lastmod>",
            "<lastmod>2026-01-01T00:00:00Z</lastmod>"
        )
    );
    let told: Vec<_> = told.lines().collect();
    assert_eq!(told[0], NOTE.trim_end());
    assert!(told[1].starts_with("not listed: public/feed.xml: "), "{told:?}");
    assert_eq!(told[2..], ["2 sitemaps listed, 1 not listed"]);
    assert_eq!(
        index(&["--lastmod", "newest"]).1,
        expected("<lastmod>2026-05-01</lastmod>", "")
    );
    assert_eq!(index(&["--lastmod", "none"]).1, expected("", ""));
    // The index lists neither itself nor another index.
    fs::remove_file(folder.path("public/feed.xml")).unwrap();
    for told in [
        NOTE.to_owned() + "2 sitemaps listed, 0 not listed\n",
        NOTE.to_owned() + "2 sitemaps listed, 0 not listed\n",
    ] {
        let more = ["--lastmod", "none", "-o", "public/sitemap.xml", "--force"];
        assert_eq!(index(&more), (0, String::new(), told));
        assert_eq!(folder.read("public/sitemap.xml"), expected("", ""));
    }
    assert_eq!(
        index(&["--lastmod", "none"]).2,
        NOTE.to_owned() + "2 sitemaps listed, 1 index skipped, 0 not listed\n"
    );
    let (status, _, told) = index(&["-o", "public/sitemap.xml"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: public/sitemap.xml already exists: --force replaces it\n"
        )
    );
}

const NOTE: &str = "note: public: 1 file is not read, since it is no sitemap: none.txt\n";

#[test]
fn what_has_no_index_is_said() {
    let folder = Folder::with(&[("a/page.xml", "<html/>"), ("b/none.txt", "")]);
    let (status, _, told) =
        folder.run(&[&["index", "a"][..], &["--location", "https://example.com"]].concat());
    assert_eq!(status, 2);
    assert!(
        told.ends_with("sitemap: a has no urlset that could be listed\n"),
        "{told}"
    );
    for (directory, expected) in [
        (
            "b",
            "sitemap: b has no file named .xml or .xml.gz, no text sitemap and no feed\n",
        ),
        (
            "none",
            "sitemap: cannot open none: No such file or directory (os error 2)\n",
        ),
    ] {
        assert_eq!(
            folder.run(&[&["index", directory][..], &["--location", "https://example.com"]].concat()),
            (2, String::new(), expected.to_owned())
        );
    }
}

/// An unreadable date is ignored, and the sitemap is still listed.
#[test]
fn a_bad_entry_does_not_cost_the_newest_date() {
    let entry = |page: &str, lastmod: &str| {
        format!("<url><loc>https://example.com/{page}</loc><lastmod>{lastmod}</lastmod></url>")
    };
    let good = entry("1", "2026-05-01") + &entry("2", "2026-04-01");
    let site = |entries: &str| format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>");
    let folder = Folder::with(&[
        ("in/a.xml", site(&(good.clone() + &entry("3", "soon") + "<url/>"))),
        ("in/b.xml", site(&good)),
        (
            "in/c.xml",
            site(&(good + "<url><loc>https://example.com/3</loc><loc>https://example.com/4</loc></url>")),
        ),
    ]);
    let listed: Vec<_> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            format!(
                "<sitemap><loc>https://example.com/{name}.xml</loc><lastmod>2026-05-01</lastmod></sitemap>"
            )
        })
        .collect();
    let arguments = [
        &["index", "in", "--lastmod", "newest"][..],
        &["--location", "https://example.com"],
    ]
    .concat();
    assert_eq!(
        folder.run(&arguments),
        (
            1,
            format!(
                "{HEAD}<sitemapindex xmlns=\"{CORE}\">{}</sitemapindex>\n",
                listed.concat()
            ),
            "in/a.xml: 2 entries could not be read: its lastmod is the newest without them\n\
             in/c.xml: 1 entry could not be read: its lastmod is the newest without it\n\
             3 sitemaps listed, 0 not listed\n"
                .to_owned()
        )
    );
}

/// Input without a kind that looks like an index is published as pages only on request.
#[test]
fn an_index_without_its_kind_is_no_set() {
    let locs = ["a.xml", "b.xml.gz?x"].map(|name| format!("https://example.com/{name}"));
    let text = locs.join("\n");
    let forms = [
        ("text", text.clone()),
        ("csv", format!("loc\n{text}\n")),
        (
            "jsonl",
            locs.each_ref()
                .map(|loc| format!("{{\"loc\":\"{loc}\"}}\n"))
                .concat(),
        ),
    ];
    let advice = "name the files themselves, whose pages a set has, or take them for pages with --pages";
    for (form, text) in forms {
        let folder = Folder::empty();
        let arguments = [&["split", "-", "-o", "set", "-q"][..], &SITE].concat();
        let refused = format!("sitemap: all 2 URLs name .xml files, as in an index: {advice}\n");
        assert_eq!(
            folder.pipe(&text, &arguments),
            (2, String::new(), refused),
            "{form}"
        );
        assert!(!folder.path("set/sitemap.xml").exists());
        let refused = [&arguments[..], &["--force"]].concat();
        assert_eq!(folder.pipe(&text, &refused).0, 2, "{form}");
        let forced = [&arguments[..], &["--pages"]].concat();
        assert_eq!(
            folder.pipe(&text, &forced),
            (0, String::new(), String::new()),
            "{form}"
        );
        // One URL without an extension shows that they are pages.
        let folder = Folder::empty();
        let more = text.replace("/a.xml", "/a");
        assert_eq!(folder.pipe(&more, &arguments).0, 0, "{form}");
    }
    let folder = Folder::empty();
    let arguments = [&["split", "-", "-o", "set"][..], &SITE].concat();
    assert_eq!(
        folder.pipe("https://example.com/a.xml", &arguments),
        (
            2,
            String::new(),
            format!("sitemap: the URL names a .xml file, as in an index: {advice}\n")
        )
    );
    // A urlset declares its kind.
    let listed = urlset([1]).replace("/1<", "/1.xml<");
    assert_eq!(folder.pipe(&listed, &arguments).0, 0);
}

/// The files in and below a folder, each with its content and modification time.
fn tree(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>, SystemTime)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.path(name)];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let content = fs::read(&path).unwrap_or_default();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            found.push((path.display().to_string(), content, modified));
        }
    }
    found.sort();
    found
}

/// A dry run changes nothing, and predicts the next run in any state of the folder.
#[test]
fn a_dry_run_says_what_the_next_run_does() {
    let folder = Folder::empty();
    let arguments = [
        &["split", "-", "-o", "out/public", "--max-entries", "2"][..],
        &SITE,
    ]
    .concat();
    let dry = [&arguments[..], &["--dry-run"]].concat();
    let number = |said: &str, unit: &str| -> usize {
        let before = said.split(unit).next().unwrap();
        before.rsplit(' ').next().unwrap().parse().unwrap()
    };
    for pages in [1..=5, 1..=5, 2..=5, 1..=9, 1..=5, 1..=2, 1..=8] {
        let before = tree(&folder, "out");
        let (status, printed, said) = folder.pipe(urlset(pages.clone()), &dry);
        assert!(tree(&folder, "out") == before, "{said}");
        assert!(!before.is_empty() || !folder.path("out").exists());
        let (done, _, told) = folder.pipe(urlset(pages), &arguments);
        assert_eq!(status, done, "{said}{told}");
        if done == 2 {
            assert_eq!(said.lines().last(), told.lines().last());
            continue;
        }
        let counts = ["write  ", "keep   ", "remove "]
            .map(|action| printed.lines().filter(|line| line.starts_with(action)).count());
        assert_eq!(
            counts,
            [" written", " kept", " removed"].map(|unit| number(&told, unit)),
            "{printed}{told}"
        );
        let would = said.replace(" would be written", " written");
        let (head, tail) = (would.split(": ").nth(1), would.split(": ").nth(2));
        assert!(
            told.contains(head.unwrap()) && told.contains(tail.unwrap()),
            "{said}{told}"
        );
    }
    let (status, _, said) = folder.pipe("no sitemap", &dry);
    assert_eq!(status, 2, "{said}");
}

/// New files of a set get the attributes of the `sitemap.xml` before, whatever the mask of the process, and a linked `sitemap.xml` stays one.
#[cfg(unix)]
#[test]
fn a_set_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    for command in [
        "split in.xml -o set --base https://example.com --max-entries 4",
        "split in.xml -o set --base https://example.com --max-entries 4 --gzip",
        "split in.xml -o set --base https://example.com",
        "from site --location https://example.com -o set/",
    ] {
        for is_linked in [false, true] {
            let folder = Folder::with(&[("in.xml", urlset(1..=6)), ("site/1.html", "<p>1".to_owned())]);
            fs::create_dir_all(folder.path("set")).unwrap();
            let run = || {
                let command = format!("umask 077; exec \"$0\" -q {command}");
                let mut shell = std::process::Command::new("sh");
                shell
                    .args(["-c", &command, env!("CARGO_BIN_EXE_sitemap")])
                    .current_dir(folder.path(""));
                let output = shell.output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
            };
            run();
            let names = || -> Vec<_> {
                let entries = fs::read_dir(folder.path("set")).unwrap();
                let paths = entries.map(|entry| entry.unwrap().path());
                paths.filter(|path| path.is_file()).collect()
            };
            for path in names() {
                fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
            }
            let has_attributes = xattr::set(folder.path("set/sitemap.xml"), "user.origin", b"cms").is_ok();
            if is_linked {
                fs::create_dir(folder.path("real")).unwrap();
                fs::rename(folder.path("set/sitemap.xml"), folder.path("real/top.xml")).unwrap();
                symlink("../real/top.xml", folder.path("set/sitemap.xml")).unwrap();
            }
            for pages in [7, 12] {
                folder.write("in.xml", urlset(1..=pages));
                folder.write(&format!("site/{pages}.html"), "<p>New");
                let before = folder.read("set/sitemap.xml");
                run();
                assert_ne!(folder.read("set/sitemap.xml"), before, "{command}");
                assert_eq!(
                    folder.path("set/sitemap.xml").is_symlink(),
                    is_linked,
                    "{command}"
                );
                for path in names() {
                    let mode = fs::metadata(&path).unwrap().permissions().mode();
                    assert_eq!(mode & 0o777, 0o644, "{command}: {}", path.display());
                }
                if has_attributes {
                    let kept = xattr::get_deref(folder.path("set/sitemap.xml"), "user.origin").unwrap();
                    assert_eq!(kept.as_deref(), Some(&b"cms"[..]), "{command}");
                }
            }
            if is_linked {
                assert_eq!(folder.read("real/top.xml"), folder.read("set/sitemap.xml"));
            }
        }
    }
}

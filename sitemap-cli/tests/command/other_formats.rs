//! Text sitemaps and feeds: in directories, and through `repair`, `convert`, `cat`, `stat` and `lint`.

use std::fs;

use crate::folder::{CORE, Folder, gzipped, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

const RSS: &str = "<rss version=\"2.0\"><channel><title>News</title><link>https://example.com/</link>\
    <item><link>https://example.com/rss</link><pubDate>Sun, 06 Sep 2009 16:20:00 GMT</pubDate></item></channel></rss>";
const ATOM: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"https://example.com/atom\"/>\
    <updated>2026-05-01</updated></entry></feed>";
const RDF: &str = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">\
    <item><link>https://example.com/rdf</link></item></rdf:RDF>";

fn urlset(loc: &str) -> String {
    format!("{HEAD}<urlset xmlns=\"{CORE}\"><url><loc>{loc}</loc></url></urlset>\n")
}

/// A site's directory with sitemaps of all formats, and other files with the same extensions.
fn site() -> Folder {
    let text = "\u{FEFF}\nhttps://example.com/text\r\nhttps://example.com/text-2\r\n";
    Folder::with(&[
        ("site/1.xml", urlset("https://example.com/xml").as_bytes()),
        ("site/2.txt", text.as_bytes()),
        ("site/3.TXT.gz", &gzipped("https://example.com/gz\n")),
        ("site/4.rss", RSS.as_bytes()),
        ("site/5.atom.gz", &gzipped(ATOM)),
        ("site/6.rdf", RDF.as_bytes()),
        (
            "site/robots.txt",
            b"User-agent: *\nSitemap: https://example.com/index.php\n",
        ),
        ("site/humans.txt", b"Ann\nhttps://example.com/ann\n"),
        ("site/LICENSE.txt", b"License\n\n  https://example.com/license\n"),
        ("site/empty.txt", b""),
        (
            "site/foaf.rdf",
            b"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>",
        ),
        ("site/page.rss", b"<html><title>Not found</title></html>"),
        ("site/urls.csv", b"https://example.com/csv\n"),
    ])
}

const NOTE: &str = "note: site: 5 files are not read, since they are no sitemaps: LICENSE.txt, empty.txt, foaf.rdf and 2 more; \
     1 listed sitemap is elsewhere: https://example.com/index.php\n";

#[test]
fn directories_have_them_too() {
    let folder = site();
    assert_eq!(
        folder.run(&["cat", "site"]),
        (
            0,
            "https://example.com/xml\nhttps://example.com/text\nhttps://example.com/text-2\nhttps://example.com/gz\n\
             https://example.com/rss\nhttps://example.com/atom\nhttps://example.com/rdf\n"
                .to_owned(),
            NOTE.to_owned()
        )
    );
    let (status, said, told) = folder.run(&["stat", "site"]);
    assert_eq!((status, &*told), (0, NOTE));
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[0], "documents    1 urlset, 2 text sitemaps, 3 feeds");
    assert_eq!(lines[1], "entries      7");
    let (status, said, told) = folder.run(&["lint", "site", "--format", "json", "--fail-on", "never"]);
    assert_eq!(status, 0, "{said}{told}");
    let summary: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&summary["documents"], &summary["entries"]),
        (&6.into(), &7.into()),
        "{said}"
    );
}

#[test]
fn what_is_wrong_in_them_is_told_at_its_line() {
    let folder = Folder::with(&[(
        "site/a.txt",
        "https://example.com/\nabout\nhttps://example.com/é\n",
    )]);
    let (status, said, _) = folder.run(&["lint", "site", "--format", "github"]);
    assert_eq!(status, 1);
    let places: Vec<_> = said
        .lines()
        .filter_map(|line| line.split_once(",title=")?.0.split_once("file="))
        .map(|(_, place)| place)
        .collect();
    assert_eq!(
        places,
        ["site/a.txt,line=2,col=1", "site/a.txt,line=3,col=1"],
        "{said}"
    );
    // `--fix` cannot edit text.
    let (_, _, told) = folder.run(&["lint", "site", "--fix"]);
    assert_eq!(
        told,
        "not fixed: site/a.txt: it is a sitemap as text, and --fix changes only XML: `sitemap repair site/a.txt` reads it\n\
         fixed: 0 values in 0 files\n"
    );
    assert_eq!(
        folder.read("site/a.txt"),
        "https://example.com/\nabout\nhttps://example.com/é\n"
    );
    // Skipped lines are also reported by `cat`.
    let (status, said, told) = folder.run(&["cat", "site"]);
    assert_eq!(
        (status, &*said),
        (1, "https://example.com/\nhttps://example.com/é\n")
    );
    assert_eq!(
        told,
        "site/a.txt: the line `about` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); write an absolute URL, or remove the line, at line 2, column 1 (byte 21), entry 2\n"
    );
    let (_, said, _) = folder.run(&["stat", "site"]);
    assert_eq!(said.lines().nth(2), Some("unreadable   1"));
}

#[test]
fn they_become_sitemaps_and_text_in_its_place_stays_text() {
    let folder = site();
    let rss = format!(
        "{HEAD}<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/rss</loc><lastmod>2009-09-06T16:20:00Z</lastmod></url></urlset>\n"
    );
    for command in [
        &["repair", "site/4.rss"][..],
        &["convert", "site/4.rss", "--to", "xml"],
    ] {
        let (status, said, _) = folder.run(command);
        assert_eq!((status, said), (0, rss.clone()), "{command:?}");
    }
    let (status, said, _) = folder.run(&["repair", "site/5.atom.gz"]);
    assert_eq!(status, 0);
    assert!(
        said.contains("<loc>https://example.com/atom</loc><lastmod>2026-05-01</lastmod>"),
        "{said}"
    );
    for command in [
        &["repair", "site/3.TXT.gz"][..],
        &["convert", "site/3.TXT.gz", "--to", "xml"],
    ] {
        let (status, said, _) = folder.run(command);
        assert_eq!(
            (status, said),
            (0, urlset("https://example.com/gz")),
            "{command:?}"
        );
    }
    let before = fs::read(folder.path("site/2.txt")).unwrap();
    let (status, _, told) = folder.run(&["repair", "site/2.txt", "--in-place"]);
    assert_eq!(
        (status, &*told),
        (0, "site/2.txt: 2 URLs, 0 repairs, 0 left out: as it was\n")
    );
    assert_eq!(fs::read(folder.path("site/2.txt")).unwrap(), before);

    folder.write(
        "broken.txt.gz",
        gzipped("https://example.com/?encoding=1\n/about\nnothing at all\nhttps://example.com/é\n"),
    );
    let (status, _, told) = folder.run(&[
        "repair",
        "broken.txt.gz",
        "--in-place",
        "--location",
        "https://example.com/broken.txt.gz",
    ]);
    assert_eq!(status, 1, "{told}");
    assert_eq!(
        unzipped(&fs::read(folder.path("broken.txt.gz")).unwrap()),
        "https://example.com/?encoding=1\nhttps://example.com/about\nhttps://example.com/%C3%A9\n"
    );
    let (status, _, told) = folder.run(&["repair", "site/6.rdf", "--in-place"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: --in-place would make a sitemap of site/6.rdf, which is a feed (RDF): write it to another file with -o\n"
        )
    );
    assert_eq!(folder.read("site/6.rdf"), RDF);
}

#[test]
fn through_every_conversion() {
    let folder = site();
    for (file, csv) in [
        (
            "site/2.txt",
            "https://example.com/text,,,\nhttps://example.com/text-2,,,\n",
        ),
        ("site/3.TXT.gz", "https://example.com/gz,,,\n"),
        ("site/4.rss", "https://example.com/rss,2009-09-06T16:20:00Z,,\n"),
        ("site/5.atom.gz", "https://example.com/atom,2026-05-01,,\n"),
        ("site/6.rdf", "https://example.com/rdf,,,\n"),
    ] {
        let (status, said, told) = folder.run(&["convert", file, "--to", "csv"]);
        assert_eq!((status, &*told), (0, ""), "{file}");
        assert_eq!(said, format!("loc,lastmod,changefreq,priority\n{csv}"), "{file}");
        let locs: Vec<_> = csv.lines().filter_map(|line| line.split(',').next()).collect();
        let locs = locs.join("\n") + "\n";
        assert_eq!(folder.run(&["convert", file, "--to", "text"]).1, locs);
        assert_eq!(folder.run(&["cat", file]).1, locs);
        let (_, xml, _) = folder.run(&["convert", file, "--to", "xml"]);
        assert_eq!(
            folder.pipe(&xml, &["cat", "-"]),
            (0, locs, String::new()),
            "{file}"
        );
    }
}

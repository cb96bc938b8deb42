//! `sitemap diff`, `stat`, `cat` and `convert` from the command line.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{CORE, Folder, gzipped, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn urlset(entries: &str) -> String {
    format!(
        "{HEAD}<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">{entries}</urlset>"
    )
}

fn entry(page: &str, rest: &str) -> String {
    format!("<url><loc>https://example.com/{page}</loc>{rest}</url>")
}

fn old_and_new() -> Folder {
    let image = "<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>";
    Folder::with(&[
        (
            "old.xml",
            urlset(
                &(entry("c", "")
                    + &entry("a", "<lastmod>2026-05-01</lastmod>")
                    + &entry("b", image)
                    + &entry("a", "")),
            ),
        ),
        (
            "new.xml",
            urlset(
                &(entry("b", &image.replace("1.jpg", "2.jpg"))
                    + &entry("d", "")
                    + &entry("a", "<lastmod>2026-05-02</lastmod>")),
            ),
        ),
    ])
}

#[test]
fn differences_are_lines() {
    let folder = old_and_new();
    assert_eq!(
        folder.run(&["diff", "old.xml", "new.xml"]),
        (
            1,
            "+ https://example.com/d\n\
             - https://example.com/c\n\
             ~ https://example.com/a lastmod: 2026-05-01 -> 2026-05-02\n\
             ~ https://example.com/b image:image: {image:loc=https://example.com/1.jpg} -> {image:loc=https://example.com/2.jpg}\n"
                .to_owned(),
            "1 added, 1 removed, 2 changed, 0 as before; 1 of a loc that was listed before\n".to_owned()
        )
    );
    let (status, said, _) = folder.run(&[
        "diff",
        "old.xml",
        "new.xml",
        "--ignore",
        "image:image",
        "--format",
        "json",
    ]);
    assert_eq!(status, 1);
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[2],
        json!({
            "change": "changed",
            "loc": "https://example.com/a",
            "fields": [{ "name": "lastmod", "before": "2026-05-01", "after": "2026-05-02" }],
        })
    );
    assert_eq!(
        folder.run(&["diff", "new.xml", "new.xml"]),
        (
            0,
            String::new(),
            "0 added, 0 removed, 0 changed, 3 as before\n".to_owned()
        )
    );
    let (status, _, said) = folder.run(&["diff", "none.xml", "new.xml"]);
    assert_eq!(status, 2);
    assert!(said.starts_with("sitemap: cannot open none.xml: "), "{said}");
}

/// Every command that counts URLs counts pages. The entries of an index are sitemaps.
#[test]
fn urls_are_those_of_pages() {
    let index = |count: usize| {
        let entry = |i| format!("<sitemap><loc>https://example.com/{i}.xml</loc></sitemap>");
        let entries: String = (0..count).map(entry).collect();
        format!("<sitemapindex xmlns=\"{CORE}\">{entries}</sitemapindex>")
    };
    let folder = Folder::with(&[
        ("site/pages.xml", urlset(&(entry("a", "") + &entry("b", "")))),
        ("site/sitemap.xml", index(3)),
        ("site/more/sitemap.xml", index(1)),
        ("empty.xml", urlset("")),
    ]);
    let (_, said, _) = folder.run(&["stat", "site"]);
    assert!(
        said.starts_with(
            "documents    1 urlset, 2 sitemapindexes\nentries      2\nsitemaps     4 in indexes\n"
        ),
        "{said}"
    );
    let (_, said, _) = folder.run(&["lint", "site"]);
    assert!(said.contains("3 files, 2 URLs, 4 listed sitemaps: "), "{said}");
    let (_, said, _) = folder.run(&["lint", "site", "--format", "json"]);
    let summary: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&summary["entries"], &summary["sitemaps"]),
        (&json!(2), &json!(4))
    );
    let (_, _, said) = folder.run(&["diff", "empty.xml", "site"]);
    assert_eq!(
        said,
        "note: site: 3 listed sitemaps are elsewhere: https://example.com/0.xml, https://example.com/1.xml, \
         https://example.com/2.xml\n\
         2 added, 0 removed, 0 changed, 0 as before; 2 indexes skipped\n"
    );
}

/// A new generator writes the same values in other forms, and adds an index.
#[test]
fn differences_are_those_of_values_and_pages() {
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
                 <loc>https://example.com/pages.xml</loc></sitemap></sitemapindex>";
    let folder = Folder::with(&[
        (
            "old/pages.xml",
            urlset(&entry(
                "a",
                "<priority>1.0</priority><lastmod>2026-05-01T10:00:00Z</lastmod>",
            )),
        ),
        (
            "new/pages.xml",
            urlset(&entry(
                "a",
                "<lastmod>2026-05-01T12:00:00+02:00</lastmod><priority>1</priority>",
            )),
        ),
        ("new/sitemap.xml", index.to_owned()),
        (
            "old.txt",
            "https://example.com/a\nhttps://example.com/b\n".to_owned(),
        ),
    ]);
    assert_eq!(
        folder.run(&["diff", "old", "new"]),
        (
            0,
            String::new(),
            "0 added, 0 removed, 0 changed, 1 as before; 1 index skipped\n".to_owned()
        )
    );
    let now = [
        "--format",
        "index-now",
        "--host",
        "example.com",
        "--key",
        "0123456789abcdef",
    ];
    assert_eq!(
        folder.run(&[&["diff", "old", "new"][..], &now].concat()),
        (
            0,
            String::new(),
            "0 added, 0 removed, 0 changed, 1 as before; 1 index skipped\n".to_owned()
        )
    );
    assert_eq!(
        folder.run(&["diff", "old", "new", "--exact"]),
        (
            1,
            "~ https://example.com/a lastmod: 2026-05-01T10:00:00Z -> 2026-05-01T12:00:00+02:00, priority: 1.0 -> 1\n".to_owned(),
            "0 added, 0 removed, 1 changed, 0 as before; 1 index skipped\n".to_owned()
        )
    );
    assert_eq!(
        folder.run(&[
            "diff", "old.txt", "new", "--ignore", "lastmod", "--ignore", "priority"
        ]),
        (
            1,
            "- https://example.com/b\n".to_owned(),
            "0 added, 1 removed, 0 changed, 1 as before; 1 index skipped\n".to_owned()
        )
    );
    assert_eq!(
        folder.run(&["diff", "new/sitemap.xml", "new"]),
        (
            2,
            String::new(),
            "sitemap: new/sitemap.xml is an index, which lists sitemaps and no pages: compare the sitemaps that it lists\n".to_owned()
        )
    );
}

#[test]
fn index_now_is_told_of_every_change() {
    let folder = old_and_new();
    let key = "0123456789abcdef";
    let (status, said, _) = folder.run(&[
        "diff",
        "old.xml",
        "new.xml",
        "--format",
        "index-now",
        "--host",
        "example.com",
        "--key",
        key,
    ]);
    assert_eq!(status, 1);
    let body: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        body,
        json!({
            "host": "example.com",
            "key": key,
            "urlList": ["https://example.com/d", "https://example.com/c", "https://example.com/a", "https://example.com/b"],
        })
    );
    let (status, _, said) = folder.run(&[
        "diff",
        "old.xml",
        "new.xml",
        "--format",
        "index-now",
        "--host",
        "example.org",
        "--key",
        key,
    ]);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "sitemap: `https://example.com/d` is not a URL of `example.org`: an IndexNow request is about one host; make one for each \
         host\n"
    );
    assert_eq!(
        folder
            .run(&["diff", "old.xml", "new.xml", "--format", "index-now"])
            .0,
        2
    );
}

#[test]
fn statistics() {
    let folder = Folder::with(&[
        (
            "a/1.xml",
            urlset(
                &(entry("a", "<lastmod>2026-05-01</lastmod><priority>0.5</priority>")
                    + &entry("b", "<lastmod>2026-04</lastmod>")
                    + "<url/>"),
            ),
        ),
        (
            "a/2.xml",
            urlset(&entry("é", "<lastmod>2026-05-30</lastmod>")).replace("example.com", "example.org"),
        ),
        (
            "a/index.xml",
            format!(
                "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a/1.xml</loc></sitemap><sitemap><loc>https://example.com/a/2.xml</loc></sitemap></sitemapindex>"
            ),
        ),
    ]);
    let (status, said, _) = folder.run(&["stat", "a"]);
    assert_eq!(status, 1);
    assert_eq!(
        said,
        "documents    2 urlsets, 1 sitemapindex\n\
         entries      3\n\
         sitemaps     2 in indexes\n\
         unreadable   1\n\
         bytes        779 decompressed, 779 stored\n\
         an entry     79 bytes, 96 at most\n\n\
         fields\n\
         \x20          3  lastmod\n\
         \x20          3  loc\n\
         \x20          1  priority\n\n\
         sites\n\
         \x20          2  https://example.com\n\
         \x20          1  https://example.org\n\n\
         lastmod\n\
         \x20          1  2026-04 ####################\n\
         \x20          2  2026-05 ########################################\n"
    );
}

#[test]
fn entries_are_lines() {
    let folder = old_and_new();
    assert_eq!(
        folder.run(&["cat", "new.xml", "--fields", "loc,lastmod"]),
        (
            0,
            "https://example.com/b\t\nhttps://example.com/d\t\nhttps://example.com/a\t2026-05-02\n"
                .to_owned(),
            String::new()
        )
    );
    let (status, said, error) = folder.pipe(urlset(&("<url/>".to_owned() + &entry("a", ""))), &["cat", "-"]);
    assert_eq!((status, &*said), (1, "https://example.com/a\n"));
    assert!(error.starts_with("<stdin>: no `loc`: "), "{error}");
    assert_eq!(folder.run(&["cat", "none.xml"]).0, 2);
}

#[test]
fn every_format_into_every_other() {
    let entries = entry(
        "a?x=1&amp;y=%22,",
        "<lastmod>2026-05-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority>",
    ) + &entry("b", "");
    let xml = format!("{HEAD}<urlset xmlns=\"{CORE}\">{entries}</urlset>\n");
    let csv = "loc,lastmod,changefreq,priority\n\"https://example.com/a?x=1&y=%22,\",2026-05-01,daily,0.5\nhttps://example.com/b,,,\n";
    let jsonl = "{\"loc\":\"https://example.com/a?x=1&y=%22,\",\"lastmod\":\"2026-05-01\",\"changefreq\":\"daily\",\"priority\":0.5}\n\
                 {\"loc\":\"https://example.com/b\"}\n";
    let text = "https://example.com/a?x=1&y=%22,\nhttps://example.com/b\n";
    let folder = Folder::empty();
    for from in [&*xml, csv, jsonl] {
        for (to, expected) in [("xml", &*xml), ("csv", csv), ("jsonl", jsonl), ("text", text)] {
            let (status, said, error) = folder.pipe(from, &["convert", "-", "--to", to]);
            assert_eq!((status, &*said), (0, expected), "{to} {error}");
            let note = if to == "text" {
                "note: text cannot represent all data of 1 of 2 URLs: the rest is left out\n"
            } else {
                ""
            };
            assert_eq!(error, note);
        }
    }
    let (status, said, _) = folder.pipe(text, &["convert", "-", "--to", "csv"]);
    assert_eq!(status, 0);
    assert_eq!(said, csv.replace(",2026-05-01,daily,0.5", ",,,"));
}

#[test]
fn indexes_extensions_and_files_are_converted() {
    let image = "<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>";
    let index = format!(
        "{HEAD}<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/1.xml</loc><lastmod>2026-05-01</lastmod></sitemap></sitemapindex>\n"
    );
    let folder = Folder::with(&[
        ("image.xml", urlset(&entry("a", image))),
        ("index.xml", index.clone()),
    ]);
    assert_eq!(
        folder.run(&["convert", "index.xml", "--to", "xml"]),
        (0, index.clone(), String::new())
    );
    let (_, jsonl, _) = folder.run(&["convert", "index.xml", "--to", "jsonl"]);
    assert_eq!(
        jsonl,
        "{\"kind\":\"sitemap\",\"loc\":\"https://example.com/1.xml\",\"lastmod\":\"2026-05-01\"}\n"
    );
    for more in [&["--index"][..], &[]] {
        assert_eq!(
            folder.pipe(&jsonl, &[&["convert", "-", "--to", "xml"], more].concat()),
            (0, index.clone(), String::new())
        );
    }

    let (_, jsonl, _) = folder.run(&["convert", "image.xml", "--to", "jsonl"]);
    assert_eq!(
        folder.pipe(&jsonl, &["convert", "-", "--to", "xml"]),
        (0, urlset(&entry("a", image)) + "\n", String::new())
    );
    let (_, _, note) = folder.run(&["convert", "image.xml", "--to", "csv"]);
    assert_eq!(
        note,
        "note: csv cannot represent all data of 1 of 1 URL: the rest is left out\n"
    );

    assert_eq!(
        folder
            .run(&["convert", "image.xml", "--to", "text", "-o", "urls.txt.gz"])
            .0,
        0
    );
    let text = unzipped(&fs::read(folder.path("urls.txt.gz")).unwrap());
    assert_eq!(text, "https://example.com/a\n");
    assert_eq!(folder.run(&["convert", "urls.txt.gz", "--to", "text"]).1, text);
}

#[test]
fn what_cannot_be_converted_is_told() {
    let folder = Folder::with(&[(
        "a.csv",
        "loc,lastmod\nhttps://example.com/,yesterday\n".to_owned(),
    )]);
    let (status, _, said) = folder.run(&["convert", "a.csv", "--to", "xml", "-o", "a.xml"]);
    assert_eq!(status, 2);
    assert!(
        said.starts_with("sitemap: a.csv, line 2: `yesterday` is not a W3C Datetime"),
        "{said}"
    );
    assert!(!folder.path("a.xml").exists());
    let (status, _, said) = folder.pipe("a,b\n1,2\n", &["convert", "-", "--from", "csv", "--to", "xml"]);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "sitemap: <stdin>, line 1: no column `loc` among a, b: the first line names the columns, and --loc-column another one for the URLs\n"
    );
    let (status, _, said) = folder.pipe("/a\n", &["convert", "-", "--to", "xml"]);
    assert_eq!(status, 2);
    assert!(
        said.starts_with("sitemap: <stdin>, line 1: `/a` is not an absolute URL"),
        "{said}"
    );
}

#[test]
fn feeds_are_read_and_what_is_left_out_is_counted() {
    let folder = Folder::empty();
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>News</title><entry><title>1</title>\
                <link href=\"https://example.com/1\"/><updated>2026-05-01T10:00:00Z</updated></entry></feed>";
    assert_eq!(
        folder.pipe(atom, &["convert", "-", "--to", "csv"]),
        (
            0,
            "loc,lastmod,changefreq,priority\nhttps://example.com/1,2026-05-01T10:00:00Z,,\n".to_owned(),
            String::new()
        )
    );
    // Unknown names within known elements are reported, too. The content of an unknown element belongs to it.
    let own = urlset(&entry(
        "a",
        "<own xmlns=\"urn:own\">1</own><lastmode>2</lastmode><changefreq x=\"1\">daily</changefreq>\
         <image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/b</image:loc>\
         <image:titel><image:x/></image:titel></image:image>",
    ));
    for format in ["xml", "jsonl"] {
        let (status, _, said) = folder.pipe(&own, &["convert", "-", "--to", format]);
        assert_eq!(
            (status, &*said),
            (
                1,
                "note: 4 unknown elements or attributes left out: `{urn:own}own`, `lastmode` (did you mean `lastmod`?), `@x`, `image:titel` (did you mean `image:title`?)\n"
            )
        );
    }
    let csv = "\u{FEFF}Title,Loc,PRIORITY\r\n\"a \"\"b\"\",\r\nc\",https://example.com/é x,0.25\r\n,,\r\n";
    assert_eq!(
        folder.pipe(csv, &["convert", "-", "--from", "csv", "--to", "jsonl"]),
        (
            0,
            "{\"loc\":\"https://example.com/%C3%A9%20x\",\"priority\":0.25}\n".to_owned(),
            "note: 1 unknown column left out: `title`\n".to_owned()
        )
    );
}

/// Input in other formats must follow the sitemap rules, whatever the output format.
#[test]
fn wrong_lines_end_it() {
    let folder = Folder::empty();
    for to in ["xml", "text", "jsonl", "csv"] {
        for (from, document, expected) in [
            (
                "text",
                "https://example.com/\n\nabout\n",
                "line 3: `about` is not an absolute URL",
            ),
            (
                "jsonl",
                "{\"loc\":\"about\"}",
                "line 1: `about` is not an absolute URL",
            ),
            ("jsonl", "{\"loc\":\"https://example.com/\"", "line 1: "),
            ("jsonl", "{\"lok\":\"https://example.com/\"}", "line 1: "),
            ("csv", "loc\nabout\n", "line 2: `about` is not an absolute URL"),
            (
                "csv",
                "loc\n\"https://example.com/\nmore\n",
                "line 2: a quote that does not end; --on-invalid drop leaves it out\n",
            ),
            (
                "csv",
                "loc\nhttps://example.com/,1\n",
                "line 2: 2 values in 1 column: a value with a comma must be quoted; --on-invalid drop leaves it out\n",
            ),
            ("csv", "loc,LOC\n", "line 1: two columns `loc`\n"),
        ] {
            let (status, _, told) = folder.pipe(
                document,
                &["convert", "-", "--from", from, "--to", to, "-o", "out"],
            );
            assert_eq!(status, 2, "{document}");
            assert!(
                told.starts_with(&format!("sitemap: <stdin>, {expected}")),
                "{told}"
            );
            assert!(folder.names().is_empty());
        }
    }
    let endless = "https://example.com/".to_owned() + &"x".repeat(9 << 20);
    let (status, _, told) = folder.pipe(endless, &["convert", "-", "--to", "xml"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: <stdin>, line 1: more than 8,388,608 bytes without an end: is a quote missing?\n"
        )
    );
}

/// Rows of a table are no URLs. Read as a text sitemap, they would be published with their other columns.
#[test]
fn tables_are_not_read_as_text() {
    let csv = "https://example.com/a,2026-05-01\n";
    let json = "{\"loc\":\"https://example.com/a\"}\n";
    let urls = urlset(&entry("a", ""));
    for (name, table, text) in [
        ("t.csv", "CSV", csv.as_bytes()),
        ("t.CSV", "CSV", csv.as_bytes()),
        ("t.csv.gz", "CSV", &gzipped(csv)),
        ("t.jsonl", "JSON lines", json.as_bytes()),
        ("t.ndjson", "JSON lines", json.as_bytes()),
    ] {
        let folder = Folder::with(&[(name, text), ("a.xml", urls.as_bytes())]);
        for command in [
            "lint NAME",
            "lint NAME --fix",
            "repair NAME",
            "stat NAME",
            "diff NAME a.xml",
            "diff a.xml NAME",
            "submit a.xml NAME --key 0123456789abcdef --dry-run",
        ] {
            let command = command.replace("NAME", name);
            let (status, _, told) = folder.run(&command.split(' ').collect::<Vec<_>>());
            let problem = format!(
                "by its name this is {table}: `sitemap convert {name} --to xml` makes a sitemap of it"
            );
            assert!(told.contains(&problem), "{command}: {told}");
            assert_eq!(status, 2, "{command}");
        }
    }
    // Commands that read tables report the missing header.
    let folder = Folder::with(&[("t.csv", csv.as_bytes()), ("semicolons.csv", b"url;lastmod\n")]);
    for (name, problem) in [
        (
            "t.csv",
            "no column `loc` among https://example.com/a, 2026-05-01: the first line names the columns: write one before it, such as `loc,lastmod`",
        ),
        (
            "semicolons.csv",
            "no column `loc` among url, lastmod: name the column of the URLs: `--loc-column url`",
        ),
    ] {
        let told = format!("sitemap: {name}, line 1: {problem}\n");
        assert_eq!(folder.run(&["cat", name]), (2, String::new(), told.clone()));
        let (status, _, said) = folder.run(&["convert", name, "--to", "xml"]);
        assert_eq!((status, said), (2, told));
    }
}

/// A relative link of a feed is resolved against `xml:base`, or reported: other programs would read it as a path.
#[test]
fn relative_links_of_feeds_are_told() {
    let feed = |base: &str| {
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"{base}><entry><link href=\"/a\"/></entry><entry><link href=\"b\"/></entry>\
             <entry><link href=\"https://example.com/c\"/></entry></feed>"
        )
    };
    for format in ["text", "jsonl"] {
        let (status, printed, told) = Folder::empty().pipe(feed(""), &["cat", "-", "--format", format]);
        assert_eq!((status, printed.lines().count()), (1, 1), "{printed}{told}");
        assert_eq!(
            told,
            "<stdin>, entry 1: the link `/a` is relative to the URL of the feed, which is not known: left out\n\
             <stdin>, entry 2: the link `b` is relative to the URL of the feed, which is not known: left out\n"
        );
    }
    let (status, printed, told) =
        Folder::empty().pipe(feed(" xml:base=\"https://example.com/blog/\""), &["cat", "-"]);
    assert_eq!(
        (status, &*printed, &*told),
        (
            0,
            "https://example.com/a\nhttps://example.com/blog/b\nhttps://example.com/c\n",
            ""
        )
    );
}

/// The options for columns name keys of JSON, too.
#[test]
fn keys_of_json_may_have_any_names() {
    let rows = "[{\"Address\":\"https://example.com/\",\"Changed\":\"2026-05-01\"}]";
    let line = "{\"Address\":\"https://example.com/\",\"Changed\":\"2026-05-01\"}\n";
    for document in [rows, line] {
        for command in ["convert - --to csv", "cat - --fields loc,lastmod"] {
            let mut arguments: Vec<_> = command.split(' ').collect();
            arguments.extend(["--loc-column", "Address", "--lastmod-column", "Changed"]);
            let (status, printed, told) = Folder::empty().pipe(document, &arguments);
            assert_eq!((status, &*told), (0, ""), "{command}");
            let last = printed.lines().last().unwrap_or_default().trim_end_matches(',');
            assert_eq!(
                last.replace('\t', ","),
                "https://example.com/,2026-05-01",
                "{command}"
            );
        }
    }
}

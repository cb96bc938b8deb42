//! Counts at their limits, and inputs that differ from typical input in one point.

use std::fs;

use crate::folder::{CORE, Folder, gzipped, unzipped};

fn urlset(entries: &str) -> String {
    format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>")
}

fn locs(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<url><loc>{loc}</loc></url>");
    urlset(&locs.iter().map(entry).collect::<String>())
}

fn last(told: &str) -> &str {
    told.lines().last().unwrap_or_default()
}

#[test]
fn repairs_of_a_loc_alone_and_up_to_a_number_of_places() {
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>/1.xml</loc></sitemap>\
         <sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>"
    );
    let two = urlset(
        "<url><loc>/a</loc><lastmod>x</lastmod></url><url><loc>/b</loc><lastmod>y</lastmod></url>\
         <url><loc>/c</loc></url><url><loc>https://example.com/d</loc></url>",
    );
    let folder = Folder::with(&[("index.xml", index), ("two.xml", two)]);
    let (status, written, told) = folder.run(&["repair", "index.xml"]);
    assert_eq!(status, 1);
    assert!(written.contains("<sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>"));
    assert_eq!(
        told.lines().skip(1).collect::<Vec<_>>(),
        [
            "index.xml:1:81: left out: entry 1",
            "index.xml: 1 URL, 0 repairs, 1 left out"
        ],
        "{told}"
    );
    assert!(
        told.starts_with("index.xml:1:81: P-LOC: `/1.xml` is not an absolute URL: "),
        "{told}"
    );

    let count = |places: &str, text: &str| {
        let (status, _, told) = folder.run(&["repair", "two.xml", "--places", places]);
        assert_eq!(status, 1);
        assert_eq!(last(&told), "two.xml: 1 URL, 2 repairs, 3 left out");
        told.matches(text).count()
    };
    for (places, left_out, lastmods, hidden) in [
        ("0", 0, 0, "(2 not shown)"),
        ("1", 1, 1, "(1 not shown)"),
        ("3", 3, 2, ""),
    ] {
        assert_eq!(count(places, ": left out: "), left_out, "{places}");
        assert_eq!(count(places, ": P-LASTMOD: "), lastmods, "{places}");
        assert!(count(places, hidden) > 0, "{places}");
        assert_eq!(
            count(places, "not shown"),
            usize::from(!hidden.is_empty()),
            "{places}"
        );
    }
}

#[test]
fn a_loc_that_is_written_as_it_was_read_is_no_repair() {
    let folder = Folder::empty();
    let document = locs(&[
        "https://example.com/it&apos;s?a&amp;b",
        "https://example.com/it's",
    ]);
    let (status, _, told) = folder.pipe(&document, &["repair", "-"]);
    assert_eq!((status, &*told), (0, "<stdin>: 2 URLs, 0 repairs, 0 left out\n"));
}

/// A valid document in another encoding is written in UTF-8, whether a BOM or a declaration names the encoding.
#[test]
fn right_documents_in_other_encodings() {
    let declared = |name: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{name}\"?>{}",
            locs(&["https://example.com/é"])
        )
    };
    let latin1: Vec<u8> = declared("ISO-8859-1").chars().map(|c| c as u8).collect();
    let utf16 = |bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        let text = format!("{mark}{}", declared("UTF-16"));
        text.encode_utf16().flat_map(bytes).collect()
    };
    for bytes in [
        latin1,
        utf16(u16::to_le_bytes, "\u{FEFF}"),
        utf16(u16::to_be_bytes, "\u{FEFF}"),
        utf16(u16::to_le_bytes, ""),
        utf16(u16::to_be_bytes, ""),
    ] {
        let folder = Folder::with(&[("a.xml", bytes.clone()), ("b.xml.gz", gzipped(&bytes))]);
        for name in ["a.xml", "b.xml.gz"] {
            let (_, _, told) = folder.run(&["repair", name, "--in-place"]);
            assert!(!told.contains("as it was"), "{told}");
        }
        let written = folder.read("a.xml");
        assert!(
            written.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
            "{written}"
        );
        assert_eq!(unzipped(&fs::read(folder.path("b.xml.gz")).unwrap()), written);
    }
}

#[test]
fn what_cannot_be_read_is_said_once() {
    let folder = Folder::with(&[
        ("page.xml", "<!doctype html><title>Not found</title>"),
        ("d/a.xml", ""),
    ]);
    let (status, written, told) = folder.run(&["cat", "page.xml"]);
    assert_eq!((status, &*written), (2, ""));
    assert!(
        told.starts_with("sitemap: page.xml: this is an HTML page with the title `Not found`"),
        "{told}"
    );
    let (status, _, told) = folder.run(&["repair", "d"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: d is a directory, and one file is repaired at a time: `find d -name '*.xml' -exec sitemap repair --in-place {} ';'` repairs all\n"
        )
    );
}

#[test]
fn differences_of_what_is_read_in_part() {
    let whole = locs(&["https://example.com/1"]);
    let lacks = "<url><lastmod>2024</lastmod></url>";
    let folder = Folder::with(&[
        ("a.xml", whole.clone()),
        ("b.xml", whole.replace("</urlset>", &format!("{lacks}</urlset>"))),
        (
            "c.xml",
            whole.replace("</urlset>", &format!("{lacks}{lacks}</urlset>")),
        ),
        ("old/a.xml", whole.clone()),
        ("new/a.xml", whole),
        (
            "new/feed.rss",
            "<rss version=\"2.0\"><channel><item><link>https://example.com/2</link></item></channel></rss>"
                .to_owned(),
        ),
        ("new/urls.txt", "https://example.com/3\n".to_owned()),
    ]);
    // Each is reported with its document and position.
    for (new, places, count) in [
        ("b.xml", &[(2, 103)][..], "1 entry"),
        ("c.xml", &[(2, 103), (3, 137)], "2 entries"),
    ] {
        let problem = |(entry, byte): &(u64, u64)| {
            format!(
                "{new}: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column {} (byte {byte}), entry {entry} · \
                 loc\n",
                byte + 1
            )
        };
        let problems: String = places.iter().map(problem).collect();
        let expected = format!(
            "{problems}0 added, 0 removed, 0 changed, 1 as before; {count} of NEW could not be read\n"
        );
        assert_eq!(folder.run(&["diff", "a.xml", new]), (1, String::new(), expected));
    }
    let expected = (
        1,
        "+ https://example.com/2\n+ https://example.com/3\n".to_owned(),
        "2 added, 0 removed, 0 changed, 1 as before\n".to_owned(),
    );
    assert_eq!(folder.run(&["diff", "old", "new"]), expected);
    folder.write("empty.xml", urlset(""));
    let arguments = [
        "diff",
        "empty.xml",
        "a.xml",
        "--format",
        "index-now",
        "--host",
        "example.com",
        "--key",
        "0123456789abcdef",
        "--key-location",
        "https://example.com/k.txt",
    ];
    assert_eq!(
        folder.run(&arguments).1,
        "{\"host\":\"example.com\",\"key\":\"0123456789abcdef\",\"keyLocation\":\"https://example.com/k.txt\",\
         \"urlList\":[\"https://example.com/1\"]}\n"
    );
}

#[test]
fn an_index_with_the_newest_date_indented_and_compressed() {
    let dated = |dates: &[&str]| {
        let entry =
            |date: &&str| format!("<url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url>");
        urlset(&dates.iter().map(entry).collect::<String>())
    };
    let folder = Folder::with(&[
        (
            "d/1.xml",
            dated(&["2024-05-02", "2024-05-01", "2024-05-03", "2024-05-01"]),
        ),
        (
            "d/2.xml",
            dated(&["2024-05-03T01:00:00+02:00", "2024-05-02T23:30:00Z"]),
        ),
    ]);
    let entry = |n, date| {
        format!(
            "  <sitemap>\n    <loc>https://example.com/{n}.xml</loc>\n    <lastmod>{date}</lastmod>\n  </sitemap>\n"
        )
    };
    let expected = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\">\n{}{}</sitemapindex>\n",
        entry(1, "2024-05-03"),
        entry(2, "2024-05-02T23:30:00Z")
    );
    let arguments = [
        "index",
        "d",
        "--location",
        "https://example.com/",
        "--lastmod",
        "newest",
        "--pretty",
    ];
    assert_eq!(folder.run(&arguments).1, expected);
    assert_eq!(folder.run(&[&arguments[..], &["-o", "i.xml.gz"]].concat()).0, 0);
    assert_eq!(unzipped(&fs::read(folder.path("i.xml.gz")).unwrap()), expected);
}

#[test]
fn conversions_that_lose_one_thing() {
    let folder = Folder::empty();
    let one =
        urlset("<url><loc>https://example.com/</loc><x:y xmlns:x=\"urn:x\"/></url><url><loc>/a</loc></url>");
    let (status, written, told) =
        folder.pipe(&one, &["convert", "-", "--to", "text", "--on-invalid", "drop"]);
    assert_eq!((status, &*written), (1, "https://example.com/\n"));
    let (before, _) = told.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(
        (last(before), last(&told)),
        (
            "note: 1 unknown element or attribute left out: `{urn:x}y`",
            "note: 1 URL left out"
        )
    );
    for (text, expected) in [
        ("\u{FEFF}loc\nhttps://example.com/\n", "https://example.com/\n"),
        (
            "\u{FEFF}\n LOC,priority\nhttps://example.com/,0.5\n",
            "https://example.com/\n",
        ),
        (
            "\u{FEFF}{\"loc\":\"https://example.com/\"}\n",
            "https://example.com/\n",
        ),
        ("\u{FEFF}\n\nhttps://example.com/\n\n", "https://example.com/\n"),
    ] {
        let (status, written, told) = folder.pipe(text, &["convert", "-", "--to", "text"]);
        assert_eq!((status, &*written), (0, expected), "{text}: {told}");
    }
}

#[test]
fn conversions_to_csv_and_to_an_index() {
    let folder = Folder::empty();
    let quoted = locs(&["https://example.com/\"a\"", "https://example.com/b,c"]);
    let expected =
        "loc,lastmod,changefreq,priority\nhttps://example.com/%22a%22,,,\n\"https://example.com/b,c\",,,\n";
    // A urlset declares its kind. CSV does not.
    for arguments in [
        &["convert", "-", "--to", "csv"][..],
        &["convert", "-", "--to", "csv", "--index"],
    ] {
        let (status, written, told) = folder.pipe(&quoted, arguments);
        assert_eq!((status, &*written), (0, expected), "{told}");
    }
    let arguments = ["convert", "-", "--from", "text", "--to", "xml", "--index"];
    let root = |inner: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\">{inner}</sitemapindex>\n"
        )
    };
    assert_eq!(folder.pipe("", &arguments), (0, root(""), String::new()));
    assert_eq!(
        folder.pipe("https://example.com/1.xml\n", &arguments).1,
        root("<sitemap><loc>https://example.com/1.xml</loc></sitemap>")
    );
}

#[test]
fn statistics_of_few_and_of_many() {
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>"
    );
    // Each page is on its own site and in its own month.
    let months = |count: usize| {
        let entry = |i: usize| {
            let (year, month) = (2020 + i / 12, 1 + i % 12);
            format!("<url><loc>https://{i}.example.com/</loc><lastmod>{year}-{month:02}-01</lastmod></url>")
        };
        urlset(&(0..count).map(entry).collect::<String>())
    };
    let folder = Folder::with(&[
        ("1.xml", index.clone()),
        ("2.xml", index),
        ("urls.txt", "https://example.com/\n".to_owned()),
        (
            "feed.rss",
            "<rss version=\"2.0\"><channel><item><link>https://example.com/</link></item></channel></rss>"
                .to_owned(),
        ),
        (
            "odd.xml",
            urlset("<url><loc>https://example.com/</loc><lastmod>x</lastmod></url>"),
        ),
        ("20.xml", months(20)),
        ("21.xml", months(21)),
        ("24.xml", months(24)),
        ("25.xml", months(25)),
    ]);
    let stat = |files: &[&str]| folder.run(&[&["stat"], files].concat()).1;
    for (files, expected) in [
        (
            &["1.xml"][..],
            "documents    1 sitemapindex\nentries      0\nsitemaps     1 in indexes\n",
        ),
        (
            &["1.xml", "2.xml"],
            "documents    2 sitemapindexes\nentries      0\nsitemaps     2 in indexes\n",
        ),
        (&["urls.txt"], "documents    1 text sitemap\nentries      1\n"),
        (&["feed.rss"], "documents    1 feed\nentries      1\n"),
    ] {
        let told = stat(files);
        assert!(told.starts_with(expected), "{told}");
    }
    let odd = stat(&["odd.xml"]);
    assert!(
        odd.ends_with("\nlastmod\n           1  other, or no date\n"),
        "{odd}"
    );
    // Up to 20 sites are listed. Up to 24 months get a bar each; more are grouped by year.
    assert!(!stat(&["20.xml"]).contains("others"));
    assert_eq!(stat(&["21.xml"]).matches("           1  others\n").count(), 1);
    let bar = "#".repeat(40);
    assert!(stat(&["24.xml"]).ends_with(&format!("\n           1  2021-12 {bar}\n")));
    let years =
        format!("\nlastmod\n          12  2020 {bar}\n          12  2021 {bar}\n           1  2022 ####\n");
    let told = stat(&["25.xml"]);
    assert!(told.ends_with(&years), "{told}");

    // JSON has all names.
    let (status, said, _) = folder.run(&["stat", "25.xml", "1.xml", "urls.txt", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((status, said.lines().count()), (0, 1));
    assert_eq!(
        told["documents"],
        serde_json::json!({ "urlset": 1, "sitemapindex": 1, "text": 1, "feed": 0 })
    );
    assert_eq!(
        (&told["entries"], &told["sitemaps"], &told["fields"]["lastmod"]),
        (&26.into(), &1.into(), &25.into())
    );
    assert_eq!(told["sites"].as_object().unwrap().len(), 26);
    assert_eq!(told["lastmodMonths"].as_object().unwrap().len(), 25);
    assert_eq!(
        told["unreadable"],
        serde_json::json!({ "entries": 0, "documents": 0 })
    );
}

/// Entries without a usable loc count as left out, including at the end. The entries after them keep their numbers.
#[test]
fn entries_that_cannot_be_read_are_left_out() {
    let begin = format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>");
    let cases = [
        (
            "unclosed.xml",
            format!(
                "{begin}<url><loc><![CDATA[https://example.com/2</loc></url><url><loc>https://example.com/a b</loc></url></urlset>"
            ),
            "2 URLs, 4 repairs, 1 left out",
        ),
        (
            "truncated.xml",
            format!("{begin}<url><loc>https://example.com/2</lo"),
            "2 URLs, 1 repair, 0 left out",
        ),
        (
            "without_end.xml",
            format!("{begin} "),
            "1 URL, 1 repair, 0 left out",
        ),
        (
            "in_a_tag.xml",
            format!("{begin}<ur"),
            "1 URL, 1 repair, 0 left out",
        ),
        (
            "after_the_end.xml",
            format!("{begin}</urlset><x>y</x>z"),
            "1 URL, 4 repairs, 0 left out",
        ),
        (
            "without.xml",
            format!(
                "{begin}<url/><url><loc/></url><url><loc>/4</loc></url><url><lastmod>2026-05-01</lastmod></url></urlset>"
            ),
            "1 URL, 3 repairs, 4 left out",
        ),
    ];
    for (name, text, expected) in cases {
        let folder = Folder::with(&[(name, text)]);
        let (status, _, told) = folder.run(&["repair", name]);
        assert_eq!(status, 1);
        assert_eq!(last(&told), format!("{name}: {expected}"), "{told}");
        if name == "unclosed.xml" {
            let rewritten = ", entry 3 · loc: written as `https://example.com/a%20b`";
            assert!(told.contains(rewritten), "{told}");
        }
    }
}

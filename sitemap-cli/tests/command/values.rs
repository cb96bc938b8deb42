//! Values that are invalid or change during conversion: `sitemap split` and `convert`.

use sitemap_serde::{Reader, UrlEntry};

use crate::folder::{CORE, Folder};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Pages with an invalid link language, an entry without a loc, an overlong video category, and no fault.
fn odd() -> String {
    format!(
        "{HEAD}<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n\
         <url><loc>https://example.com/1</loc><xhtml:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://example.com/uk\"/></url>\n\
         <url/>\n\
         <url><loc>https://example.com/2</loc><video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
         <video:title>T</video:title><video:description>D</video:description>\
         <video:content_loc>https://example.com/v.mp4</video:content_loc><video:category>{}</video:category></video:video></url>\n\
         <url><loc>https://example.com/3</loc></url></urlset>",
        "x".repeat(257)
    )
}

fn entries(xml: &str) -> Vec<UrlEntry> {
    Reader::from_str(xml).entries().collect::<Result<_, _>>().unwrap()
}

#[track_caller]
fn is_odd_without_what_is_wrong(xml: &str, hreflangs: &[&str]) {
    let entries = entries(xml);
    let locs: Vec<_> = entries.iter().map(|entry| &*entry.loc).collect();
    assert_eq!(
        locs,
        [
            "https://example.com/1",
            "https://example.com/2",
            "https://example.com/3"
        ]
    );
    let alternates = entries[0].alternates.iter();
    let found: Vec<_> = alternates.filter_map(|link| link.hreflang.as_deref()).collect();
    assert_eq!(found, hreflangs);
    assert_eq!(
        (entries[1].videos.len(), &entries[1].videos[0].category),
        (1, &None)
    );
}

const TOLD: [&str; 2] = [
    "P-ALT5: `en-UK` has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB` (P-ALT5); write `en-GB`",
    "`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` has 257 characters: 256 are allowed (sitemap-video.xsd); shorten it",
];

#[test]
fn a_set_has_the_pages_of_which_a_value_is_wrong() {
    let folder = Folder::with(&[("a.xml", odd())]);
    for lenient in [&["--on-invalid", "drop"][..], &["--lenient"]] {
        let arguments = [
            &["split", "a.xml", "-o", "public", "--base", "https://example.com"][..],
            lenient,
        ]
        .concat();
        let (status, _, told) = folder.run(&arguments);
        assert_eq!(status, 1, "{told}");
        let link = TOLD[0].strip_prefix("P-ALT5: ").unwrap();
        let of_link = format!(
            "a.xml: {link}, entry 1 · xhtml:link[0] · @hreflang, loc `https://example.com/1`: left out with entry 1 · xhtml:link[0]"
        );
        let of_video = format!(
            "a.xml: {}, entry 3 · video:video[0] · video:category, loc `https://example.com/2`: left out",
            TOLD[1]
        );
        let written = folder.read("public/sitemap.xml");
        let expected = if lenient.len() == 2 {
            is_odd_without_what_is_wrong(&written, &[]);
            [of_link, of_video, "note: 2 values lost".to_owned()].to_vec()
        } else {
            // The unambiguous correction is written.
            is_odd_without_what_is_wrong(&written, &["en-GB"]);
            [
                of_video,
                "note: 1 value lost".to_owned(),
                "a.xml: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 4, ".to_owned(),
                "note: 1 repair ".to_owned(),
            ]
            .to_vec()
        };
        for expected in expected {
            assert!(
                told.lines().any(|line| line.contains(&expected)),
                "{expected}\n{told}"
            );
        }
    }
}

#[test]
fn the_commands_own_json_lines_are_converted() {
    let folder = Folder::with(&[("a.xml", odd())]);
    let drop = ["convert", "a.xml", "--on-invalid", "drop", "--to"];
    let (status, lines, of_json) = folder.run(&[&drop[..], &["jsonl"]].concat());
    assert_eq!((status, lines.lines().count()), (1, 3), "{of_json}");
    let link = TOLD[0].strip_prefix("P-ALT5: ").unwrap();
    for problem in [
        format!(
            "a.xml, entry 1: {link}, xhtml:link[0] · @hreflang, loc `https://example.com/1`: left out with xhtml:link[0]\n"
        ),
        format!(
            "a.xml, entry 3: {}, video:video[0] · video:category, loc `https://example.com/2`: left out\n",
            TOLD[1]
        ),
        "note: 2 values lost\n".to_owned(),
    ] {
        assert!(of_json.contains(&problem), "{problem}{of_json}");
    }
    let (status, written, told) = folder.pipe(&lines, &["convert", "-", "--to", "xml"]);
    assert_eq!((status, &*told), (0, ""));
    is_odd_without_what_is_wrong(&written, &[]);
    assert_eq!(folder.run(&[&drop[..], &["xml"]].concat()), (1, written, of_json));
}

#[test]
fn csv_keeps_the_text_of_values() {
    let values = ["0.0", "0.50", ".5", "1", "1.0", "1.000", "0.123456789"];
    let dates = [
        "2026",
        "2026-05",
        "2026-05-01",
        "2026-05-01T10:00Z",
        "2026-05-01T10:00:00.50+00:00",
        "2026-05-01T10:00:00-05:30",
        "",
    ];
    let entries: Vec<_> = values
        .iter()
        .zip(dates)
        .map(|(priority, lastmod)| {
            let lastmod = if lastmod.is_empty() { String::new() } else { format!("<lastmod>{lastmod}</lastmod>") };
            format!("<url><loc>https://example.com/?a={priority},&amp;%22b%22</loc>{lastmod}<changefreq>never</changefreq><priority>{priority}</priority></url>")
        })
        .collect();
    let xml = format!("{HEAD}<urlset xmlns=\"{CORE}\">{}</urlset>\n", entries.concat());
    let folder = Folder::empty();
    let (_, csv, _) = folder.pipe(&xml, &["convert", "-", "--to", "csv"]);
    assert_eq!(
        folder.pipe(&csv, &["convert", "-", "--to", "xml"]),
        (0, xml, String::new())
    );
    assert_eq!(folder.pipe(&csv, &["convert", "-", "--to", "csv"]).1, csv);
}

/// Rows are numbered by their first line, whatever the line endings and the values.
#[test]
fn rows_of_csv_are_numbered_by_line() {
    let folder = Folder::empty();
    for end in ["\n", "\r\n"] {
        for (rows, line) in [
            (&["loc", "x"][..], 2),
            (&["", "loc", "", "https://example.com/", "", "x", ""], 6),
            (
                &["title,loc", "\"a", "", "\"\"b\"\"\",https://example.com/", "c,x"],
                5,
            ),
            (&["title,loc", "\"a", "b\",x"], 2),
            (&["loc", "https://example.com/", "x,y"], 3),
        ] {
            let (status, _, told) =
                folder.pipe(rows.join(end), &["convert", "-", "--from", "csv", "--to", "text"]);
            assert_eq!(status, 2);
            assert!(
                told.starts_with(&format!("sitemap: <stdin>, line {line}: ")),
                "{rows:?} {told}"
            );
        }
    }
}

/// A quoted value is read in one pass. Repeated scans would read 12 GB here.
#[test]
fn a_long_quoted_value_of_csv_is_read_in_one_pass() {
    let folder = Folder::empty();
    let long = "\"\"\n".repeat(200_000);
    let csv = format!("title,loc\n\"{long}\",https://example.com/\n");
    assert_eq!(
        folder.pipe(csv, &["convert", "-", "--from", "csv", "--to", "text"]),
        (
            0,
            "https://example.com/\n".to_owned(),
            "note: 1 unknown column left out: `title`\n".to_owned()
        )
    );
    let endless = format!("loc\nhttps://example.com/\n\"{}", "x\n".repeat(5 << 20));
    let (status, _, told) = folder.pipe(endless, &["convert", "-", "--to", "text"]);
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: <stdin>, line 3: a quote that does not end; --on-invalid drop leaves it out\n"
        )
    );
}

/// Lines are refused with the same messages as in other commands, each with its own number.
#[test]
fn lines_of_text_are_numbered_one_by_one() {
    let folder = Folder::empty();
    let good = "https://example.com/\n\n";
    for (line, said) in [
        ("about", "`about` is not an absolute URL"),
        ("https://example.com/ 2026-05-01", ""),
        ("https://example.com/{{ x }}", ""),
        ("ftp://example.com/", "`ftp://example.com/` is not http or https"),
    ] {
        let text = format!("{good}{good}{line}\n");
        let (status, _, told) = folder.pipe(&text, &["convert", "-", "--from", "text", "--to", "xml"]);
        assert_eq!(status, 2, "{told}");
        assert!(
            told.starts_with(&format!("sitemap: <stdin>, line 5: {said}")),
            "{told}"
        );
        assert!(!told.contains("entry 1") && !told.contains("at line"), "{told}");
    }
}

#[test]
fn text_and_feeds_are_split() {
    let folder = Folder::with(&[
        ("s/a.txt", "https://example.com/1\nhttps://example.com/2\n"),
        ("s/license.txt", "See https://example.com/\n"),
        (
            "s/b.rss",
            "<rss version=\"2.0\"><channel><item><link>https://example.com/3</link></item></channel></rss>",
        ),
    ]);
    let (status, _, told) = folder.run(&["split", "s", "-o", "public", "--base", "https://example.com"]);
    assert_eq!(status, 0, "{told}");
    let locs: Vec<_> = entries(&folder.read("public/sitemap.xml"))
        .into_iter()
        .map(|entry| entry.loc)
        .collect();
    assert_eq!(
        locs,
        [
            "https://example.com/1",
            "https://example.com/2",
            "https://example.com/3"
        ]
    );
}

#[test]
fn a_base_with_dot_segments_is_refused() {
    let folder = Folder::with(&[("a.txt", "https://example.com/1\n")]);
    for base in [
        "https://example.com/../..",
        "https://example.com/a/./b",
        "https://example.com/%2e%2E/",
    ] {
        let (_, _, of_index) = folder.run(&["index", ".", "--location", base]);
        let (status, _, told) = folder.run(&["split", "a.txt", "-o", "public", "--base", base]);
        assert_eq!((status, of_index), (2, told.clone()));
        assert_eq!(
            told,
            format!(
                "sitemap: `{base}` is not a base: it has a segment `.` or `..`, which crawlers resolve; a base is a scheme (http or https), \
                 a host, a port and a path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)\n"
            )
        );
    }
    let (status, _, told) = folder.run(&[
        "split",
        "a.txt",
        "-o",
        "public",
        "--base",
        "https://example.com/..a",
        "--cross-submission",
    ]);
    assert_eq!(status, 0, "{told}");
}

//! `sitemap repair`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sitemap_serde::{IndexEntry, Mode, Reader, ReaderBuilder, Record};

use crate::folder::{CORE, Folder, gzipped, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// White space before the declaration, a bare `&`, an invalid value, a relative loc, a space in a loc, a foreign element, and a missing end
/// tag.
fn broken() -> String {
    format!(
        "\n{HEAD}<urlset xmlns=\"{CORE}\" xmlns:x=\"urn:own\">\n\
         <url><loc>https://example.com/?a=1&b=2</loc><lastmod>yesterday</lastmod></url>\n\
         <url><loc>/about</loc></url>\n\
         <url><loc>https://example.com/a b</loc><x:own>1</x:own></url>\n\
         <url><loc>https://example.com/cut</loc><lastm"
    )
}

fn repaired(locs: &[&str]) -> String {
    let entries: Vec<_> = locs
        .iter()
        .map(|loc| format!("<url><loc>{loc}</loc></url>"))
        .collect();
    format!("{HEAD}<urlset xmlns=\"{CORE}\">{}</urlset>\n", entries.concat())
}

const TOLD: &str = "\
sitemap.xml:2:1: P-DECL: an XML declaration that is not at the start of the document (P-DECL, XML 1.0 section 2.8); remove what is before it
sitemap.xml:4:35: P-ESC: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), entry 1
sitemap.xml:4:54: P-LASTMOD: `yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, entry 1 · lastmod: left out
sitemap.xml:5:11: P-LOC: `/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or complete it by `sitemap repair --location URL`, entry 2 · loc
sitemap.xml:5:11: left out: entry 2
sitemap.xml:6:11: P-LOCENC: `https://example.com/a b` contains U+0020, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, entry 3 · loc: written as `https://example.com/a%20b`
sitemap.xml:7:40: XML: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, entry 4
        1 XML                a document is well-formed XML 1.0 with namespaces
        1 P-DECL             the document begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`
        1 P-ESC              `&`, `'`, `\"`, `<` and `>` in values are written as entities
        1 P-LOCENC           what is not ASCII in a loc is percent-encoded, in the encoding of the server
        1 P-LASTMOD          a lastmod is a W3C Datetime
note: 1 unknown element or attribute left out: `{urn:own}own`
sitemap.xml: 3 URLs, 5 repairs, 1 left out
";

#[test]
fn a_right_document_is_written_and_every_repair_told() {
    let folder = Folder::with(&[("sitemap.xml", broken())]);
    let (status, written, told) = folder.run(&["repair", "sitemap.xml"]);
    assert_eq!(status, 1);
    assert_eq!(
        written,
        repaired(&[
            "https://example.com/?a=1&amp;b=2",
            "https://example.com/a%20b",
            "https://example.com/cut"
        ])
    );
    assert_eq!(told, TOLD);
    assert_eq!(folder.read("sitemap.xml"), broken());
}

#[test]
fn a_relative_loc_is_resolved_where_the_location_is_known() {
    let folder = Folder::with(&[("sitemap.xml", broken())]);
    let arguments = [
        "repair",
        "sitemap.xml",
        "--location",
        "https://example.com/a/sitemap.xml",
        "--format",
        "json",
    ];
    let (status, written, told) = folder.run(&arguments);
    assert_eq!(status, 1);
    assert_eq!(
        written,
        repaired(&[
            "https://example.com/?a=1&amp;b=2",
            "https://example.com/about",
            "https://example.com/a%20b",
            "https://example.com/cut"
        ])
    );
    let told: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = told
        .iter()
        .map(|object| {
            (
                object["type"].as_str().unwrap(),
                object["rule"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("repair", "P-DECL"),
            ("repair", "P-ESC"),
            ("repair", "P-LASTMOD"),
            ("repair", "P-LOC"),
            ("repair", "P-LOCENC"),
            ("repair", "XML"),
            ("summary", "")
        ]
    );
    assert_eq!(
        told[6],
        json!({
            "type": "summary", "file": "sitemap.xml", "written": 4, "repairs": 6, "skipped": 0, "otherElements": 1, "stylesheets": 0,
            "rules": [
                { "rule": "XML", "count": 1 }, { "rule": "P-DECL", "count": 1 }, { "rule": "P-ESC", "count": 1 },
                { "rule": "P-LOC", "count": 1 }, { "rule": "P-LOCENC", "count": 1 }, { "rule": "P-LASTMOD", "count": 1 },
            ],
        })
    );
}

#[test]
fn an_index_is_repaired_and_what_was_escaped_twice() {
    let folder = Folder::empty();
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/?a&amp;amp;b</loc></sitemap>\
         <sitemap><lastmod>2026</lastmod></sitemap>"
    );
    let (status, written, told) = folder.pipe(&index, &["repair", "-", "--pretty"]);
    assert_eq!(status, 1);
    assert_eq!(
        written,
        format!(
            "{HEAD}<sitemapindex xmlns=\"{CORE}\">\n  <sitemap>\n    <loc>https://example.com/?a&amp;b</loc>\n  </sitemap>\n</sitemapindex>\n"
        )
    );
    assert_eq!(
        told.lines().last(),
        Some("<stdin>: 1 URL, 3 repairs, 1 left out"),
        "{told}"
    );
}

#[test]
fn nothing_is_overwritten_unless_that_is_asked_for() {
    let folder = Folder::with(&[("a.xml", broken()), ("b.xml", "kept".to_owned())]);
    let (status, written, told) = folder.run(&["repair", "a.xml", "-o", "b.xml"]);
    assert_eq!(
        (status, &*written, &*told),
        (2, "", "sitemap: b.xml already exists: --force replaces it\n")
    );
    assert_eq!(folder.read("b.xml"), "kept");
    assert_eq!(folder.run(&["repair", "a.xml", "-o", "b.xml", "--force"]).0, 1);
    assert_eq!(folder.run(&["repair", "a.xml", "-o", "c.xml.gz"]).0, 1);
    assert_eq!(
        unzipped(&fs::read(folder.path("c.xml.gz")).unwrap()),
        folder.read("b.xml")
    );
    assert_eq!(folder.read("a.xml"), broken());
    assert_eq!(folder.run(&["repair", "a.xml", "--in-place"]).0, 1);
    assert_eq!(folder.read("a.xml"), folder.read("b.xml"));
    // An irreparable document leaves all files unchanged.
    folder.write("page.xml", "<!doctype html><title>Not found</title><p>Sorry");
    let (status, written, told) = folder.run(&["repair", "page.xml", "--in-place"]);
    assert_eq!((status, &*written), (2, ""));
    assert!(
        told.starts_with("sitemap: page.xml: ") && told.contains("Not found"),
        "{told}"
    );
    assert_eq!(folder.run(&["repair", "page.xml", "-o", "d.xml"]).0, 2);
    assert_eq!(folder.run(&["repair", "-", "--in-place"]).0, 2);
    assert_eq!(folder.names(), ["a.xml", "b.xml", "c.xml.gz", "page.xml"]);
}

#[test]
fn a_right_file_stays_byte_for_byte() {
    let right = format!(
        "<!-- kept --><urlset xmlns=\"{CORE}\" ><url><loc>https://example.com/</loc></url ></urlset>"
    );
    let folder = Folder::with(&[
        ("a.xml", right.clone().into_bytes()),
        ("b.xml.gz", gzipped(&right)),
    ]);
    for name in ["a.xml", "b.xml.gz"] {
        let before = fs::read(folder.path(name)).unwrap();
        let (status, written, told) = folder.run(&["repair", name, "--in-place"]);
        assert_eq!(
            (status, written, told),
            (
                0,
                String::new(),
                format!("{name}: 1 URL, 0 repairs, 0 left out: as it was\n")
            )
        );
        assert_eq!(fs::read(folder.path(name)).unwrap(), before);
    }
    let utf16: Vec<u8> = "\u{FEFF}"
        .encode_utf16()
        .chain(right.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    folder.write("c.xml", utf16);
    let told = "c.xml: P-UTF8: the document is not in UTF-8 (P-UTF8): it is written in UTF-8\n\
        \x20       1 P-UTF8             the document is in UTF-8\nc.xml: 1 URL, 1 repair, 0 left out\n";
    assert_eq!(
        folder.run(&["repair", "c.xml", "--in-place"]),
        (0, String::new(), told.to_owned())
    );
    assert_eq!(folder.read("c.xml"), repaired(&["https://example.com/"]));
    folder.write("d.xml.gz", gzipped(&broken()));
    assert_eq!(folder.run(&["repair", "d.xml.gz", "--in-place"]).0, 1);
    assert!(unzipped(&fs::read(folder.path("d.xml.gz")).unwrap()).starts_with(HEAD));
}

/// Only a document that the reader decodes is reported: not one in a part of UTF-8, or by another of its names.
#[test]
fn documents_in_other_encodings_are_reported() {
    let told = "a.xml: P-UTF8: the document is not in UTF-8 (P-UTF8): it is written in UTF-8\n\
        \x20       1 P-UTF8             the document is in UTF-8\na.xml: 1 URL, 1 repair, 0 left out\n";
    let right = repaired(&["https://example.com/"]);
    for (declaration, is_other) in [
        ("<?xml version=\"1.0\" encoding=\"utf8\"?>", false),
        ("<?xml version='1.0' encoding = 'us-ascii' ?>", false),
        ("<?xml version='1.0' standalone='yes'?>", false),
        ("<!-- encoding='iso-8859-1' -->", false),
        ("<?xml version='1.0' encoding='iso-8859-1'?>", true),
        (
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?><!-- utf-8 -->",
            true,
        ),
    ] {
        let document = right.replace(HEAD.trim_end(), declaration);
        let folder = Folder::with(&[("a.xml", document)]);
        let expected = if is_other {
            (0, right.clone(), told.to_owned())
        } else {
            (
                0,
                right.clone(),
                "a.xml: 1 URL, 0 repairs, 0 left out\n".to_owned(),
            )
        };
        assert_eq!(folder.run(&["repair", "a.xml"]), expected, "{declaration}");
    }
}

#[test]
fn what_one_document_cannot_hold_is_said() {
    let locs: Vec<_> = (0..=50_000).map(|i| format!("https://example.com/{i}")).collect();
    let locs: Vec<_> = locs.iter().map(String::as_str).collect();
    let folder = Folder::with(&[("a.xml", repaired(&locs))]);
    let (status, _, told) = folder.run(&["repair", "a.xml", "-o", "b.xml"]);
    assert_eq!(status, 2);
    assert!(
        told.starts_with("sitemap: a.xml: too large for one document (`sitemap split` writes several): "),
        "{told}"
    );
    assert_eq!(folder.names(), ["a.xml"]);
}

const TOLD_OF_EXTENSIONS: &str = "\
a.xml:2:288: P-DUP: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, entry 1 · loc: left out with its entry
a.xml:3:149: P-ALT5: `en-UK` has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB` (P-ALT5); write `en-GB`, entry 2 · xhtml:link[1] · @hreflang: written as `en-GB`
a.xml: P-ALT1: no `@hreflang`: every `xhtml:link` has one (P-ALT1); add it, or leave the `xhtml:link` out, entry 3 · xhtml:link[1] · @hreflang, loc `https://example.com/2`: left out with entry 3 · xhtml:link[1]
a.xml: P-VID1: no `video:content_loc` or `video:player_loc`: every `video:video` has one (P-VID1); add it, or leave the `video:video` out, entry 4 · video:video[1], loc `https://example.com/3`: left out
a.xml:6:267: P-VID3: `99999` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it out, entry 5 · video:video[0] · video:duration: left out
a.xml:6:532: P-VID3: `ten` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it out, entry 5 · video:video[1] · video:duration: left out
a.xml: P-NEWS2: `en-US` is not a language: a language is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw` (P-NEWS2); write the code of the publication's language, entry 6 · news:news · news:publication · news:language, loc `https://example.com/5`: left out with entry 6 · news:news
a.xml: P-IMG1: more than 1,000 `image:image`: 1,000 are allowed in an entry (P-IMG1); leave some out, entry 7 · image:image[1000], loc `https://example.com/6`: left out
a.xml: left out: `ftp://example.com/7` is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address, entry 8 · loc
        1 P-DUP              an entry has exactly one loc, and each of lastmod, changefreq and priority at most once
        1 P-IMG1             an entry has at most 1,000 images
        1 P-NEWS2            a publication's language is an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw`
        1 P-VID1             a video has a thumbnail, a title (100 characters), a description (2,048), and a content or player URL
        2 P-VID3             a video's duration is 1 to 28,800 seconds
        1 P-ALT1             an alternate has rel, hreflang (or media) and href
        1 P-ALT5             a hreflang is an ISO 639-1 code, perhaps with a script and an ISO 3166-1 or UN M.49 region, or `x-default`
a.xml: 6 URLs, 8 repairs, 2 left out
";

/// One page for each extension with a value that the writer rejects. The value is left out, or the element that requires it.
#[test]
fn an_invalid_value_of_an_extension_does_not_cost_the_page() {
    const NAMESPACES: &str = "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
        xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
    let video = |content: &str| {
        format!(
            "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>T</video:title>\
             <video:description>D</video:description>{content}</video:video>"
        )
    };
    let link = |attributes: &str| format!("<xhtml:link rel=\"alternate\" {attributes}/>");
    let content = "<video:content_loc>https://example.com/v.mp4</video:content_loc>";
    let image = "<image:image><image:loc>https://example.com/i.jpg</image:loc></image:image>";
    let german = link("hreflang=\"de\" href=\"https://example.com/de\"");
    let pages = [
        // An entry without a loc is left out, but the other entries keep their numbers.
        "<lastmod>2026</lastmod>".to_owned(),
        format!(
            "<loc>https://example.com/1</loc>{german}{}",
            link("hreflang=\"en-UK\" href=\"https://example.com/uk\"")
        ),
        format!(
            "<loc>https://example.com/2</loc>{german}{}",
            link("href=\"https://example.com/none\"")
        ),
        format!("<loc>https://example.com/3</loc>{}{}", video(content), video("")),
        format!(
            "<loc>https://example.com/4</loc>{}{}",
            video(&format!("{content}<video:duration>99999</video:duration>")),
            video(&format!(
                "{content}<video:duration>ten</video:duration><video:live>no</video:live>"
            )),
        ),
        format!(
            "<loc>https://example.com/5</loc>{image}<news:news><news:publication><news:name>N</news:name><news:language>en-US</news:language></news:publication><news:publication_date>2026-05-01</news:publication_date><news:title>T</news:title></news:news>"
        ),
        format!("<loc>https://example.com/6</loc>{}", image.repeat(1001)),
        "<loc>ftp://example.com/7</loc>".to_owned(),
    ];
    let document = |pages: &[String]| {
        let pages: Vec<_> = pages.iter().map(|page| format!("<url>{page}</url>\n")).collect();
        format!(
            "{HEAD}<urlset xmlns=\"{CORE}\" {NAMESPACES}>{}</urlset>",
            pages.concat()
        )
    };
    let folder = Folder::with(&[("a.xml", document(&pages))]);
    let (status, written, told) = folder.run(&["repair", "a.xml"]);
    assert_eq!(status, 1);
    let right = [
        format!(
            "<loc>https://example.com/1</loc>{german}{}",
            link("hreflang=\"en-GB\" href=\"https://example.com/uk\"")
        ),
        format!("<loc>https://example.com/2</loc>{german}"),
        format!("<loc>https://example.com/3</loc>{}", video(content)),
        format!(
            "<loc>https://example.com/4</loc>{}{}",
            video(content),
            video(&format!("{content}<video:live>no</video:live>"))
        ),
        format!("<loc>https://example.com/5</loc>{image}"),
        format!("<loc>https://example.com/6</loc>{}", image.repeat(1000)),
    ];
    // The other documents declare namespaces that the root lacks.
    let entries = |xml: &str| -> Vec<sitemap_serde::UrlEntry> {
        Reader::from_str(xml).entries().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(entries(&written), entries(&document(&right)));
    assert_eq!(told, TOLD_OF_EXTENSIONS);
    let (status, again, told) = folder.pipe(&written, &["repair", "-"]);
    assert_eq!((status, again), (0, written), "{told}");
}

#[test]
fn a_file_that_would_lose_most_of_its_entries_stays_as_it_is() {
    let entries: Vec<String> = (1..=4).map(|i| format!("<url><loc>/{i}</loc></url>\n")).collect();
    let relative = format!(
        "<urlset xmlns=\"{CORE}\">{}<url><loc>https://example.com/</loc></url></urlset>",
        entries.concat()
    );
    let folder = Folder::with(&[
        ("a.xml", relative.clone().into_bytes()),
        ("b.xml.gz", gzipped(&relative)),
    ]);
    for name in ["a.xml", "b.xml.gz"] {
        let before = fs::read(folder.path(name)).unwrap();
        let (status, written, told) = folder.run(&["repair", name, "--in-place"]);
        assert_eq!((status, &*written), (2, ""));
        assert_eq!(
            told.lines().last(),
            Some(&*format!(
                "sitemap: 4 of 5 URLs would be left out: {name} stays as it is (--force replaces it)"
            ))
        );
        assert_eq!(fs::read(folder.path(name)).unwrap(), before);
    }
    assert_eq!(folder.names(), ["a.xml", "b.xml.gz"]);
    let (status, _, told) = folder.run(&["repair", "a.xml", "--in-place", "--force"]);
    assert_eq!(
        (status, told.lines().last()),
        (1, Some("a.xml: 1 URL, 0 repairs, 4 left out"))
    );
    assert_eq!(folder.read("a.xml"), repaired(&["https://example.com/"]));
    // `repair` may drop half of the entries. `--location` keeps all.
    let half = format!(
        "<urlset xmlns=\"{CORE}\"><url><loc>/1</loc></url><url><loc>https://example.com/</loc></url></urlset>"
    );
    folder.write("c.xml", half);
    assert_eq!(folder.run(&["repair", "c.xml", "--in-place"]).0, 1);
    folder.write("d.xml", relative);
    assert_eq!(
        folder
            .run(&[
                "repair",
                "d.xml",
                "--in-place",
                "--location",
                "https://example.com/sitemap.xml"
            ])
            .0,
        0
    );
    assert_eq!(folder.run(&["repair", "a.xml", "--force"]).0, 2);
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Repairing a broken published file keeps all its entries. Strict reading accepts the result, and a second repair changes nothing.
#[test]
fn published_files_are_repaired_once() {
    let Some(shared) = std::env::var_os("SITEMAP_SHARED") else {
        eprintln!("skipped: SITEMAP_SHARED names no folder of published sitemaps");
        return;
    };
    let mut found = Vec::new();
    files(&PathBuf::from(shared).join("corpus/broken"), &mut found);
    assert!(found.len() > 10);
    let folder = Folder::empty();
    for path in found {
        let name = path.to_str().unwrap();
        let (status, written, told) = folder.run(&["repair", name, "--fail-on-repair"]);
        assert_eq!(status, 1, "{name}: {told}");
        let mut strict = Reader::from_str(&written);
        let entries = strict
            .deserialize::<IndexEntry>()
            .inspect(|entry| assert!(entry.is_ok(), "{name}"))
            .count();
        let bytes = fs::read(&path).unwrap();
        let mut lenient = ReaderBuilder::new().mode(Mode::Lenient).from_slice(&bytes);
        let (mut record, mut all) = (Record::new(), 0);
        while lenient.read_record(&mut record).unwrap() {
            all += 1;
        }
        assert!(entries > 0 && entries == all, "{name}: {entries} of {all}");
        let (status, again, told) = folder.pipe(&written, &["repair", "-"]);
        assert_eq!((status, again), (0, written), "{name}: {told}");
    }
}

#[test]
fn a_summary_counts_elements_of_other_formats() {
    let others = "<x:a xmlns:x=\"urn:x\"/><x:b xmlns:x=\"urn:x\">1</x:b>";
    let urlset = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc>{others}</url></urlset>"
    );
    let folder = Folder::with(&[("a.xml", urlset)]);
    let (_, _, told) = folder.run(&["repair", "a.xml", "--format", "json"]);
    let summary: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&summary["written"], &summary["otherElements"]),
        (&json!(1), &json!(2))
    );
}

/// A character that XML forbids, literal or as a reference, is removed from its value, wherever it is.
#[test]
fn a_character_that_is_none_is_left_out_alone() {
    let value = "https://example.com/ab";
    for (character, problem) in [
        (
            "\u{1}",
            "the character U+0001 cannot be in an XML document (XML 1.0 section 2.2)",
        ),
        (
            "&#x1;",
            "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1)",
        ),
        (
            "&#1;",
            "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1)",
        ),
    ] {
        for at in [0, 8, 21, value.len()] {
            let found = format!("{}{character}{}", &value[..at], &value[at..]);
            let start = format!("<urlset xmlns=\"{CORE}\"><url><loc>");
            let folder = Folder::with(&[("a.xml", format!("{start}{found}</loc></url></urlset>"))]);
            let (status, written, told) = folder.run(&["repair", "a.xml", "-q"]);
            let expected = format!(
                "a.xml:1:{}: XML: {problem}; remove it, entry 1: written without it\n",
                start.len() + at + 1
            );
            assert_eq!((status, &*told), (1, &*expected), "{found}");
            assert!(written.contains(&format!("<loc>{value}</loc>")), "{written}");
        }
    }
}

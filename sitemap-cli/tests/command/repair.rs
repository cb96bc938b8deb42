//! `sitemap repair`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sitemap_serde::{IndexEntry, Mode, Reader, ReaderBuilder, Record};

use crate::folder::{CORE, Folder, gzipped, unzipped};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// White space before the declaration, a bare `&`, an invalid value, a relative loc, a space in a loc, a foreign element, and an
/// end that is missing.
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
    format!("{HEAD}<urlset xmlns=\"{CORE}\">{}</urlset>", entries.concat())
}

const TOLD: &str = "\
sitemap.xml:2:1: P-DECL: an XML declaration that is not at the start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL)
sitemap.xml:4:35: P-ESC: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), entry 1
sitemap.xml:4:54: P-LASTMOD: `yesterday` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, entry 1 · lastmod
sitemap.xml:5:11: P-LOC: `/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, with its scheme and host, entry 2 · loc
sitemap.xml:5:11: left out: entry 2
sitemap.xml: P-LOCENC: `https://example.com/a b` is written as `https://example.com/a%20b`, entry 3 · loc
sitemap.xml:7:40: XML: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, entry 4
        1 XML                a document is well-formed XML 1.0 with namespaces
        1 P-DECL             the document begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`
        1 P-ESC              `&`, `'`, `\"`, `<` and `>` in values are written as entities
        1 P-LOCENC           what is not ASCII in a loc is percent-encoded, in the encoding of the server
        1 P-LASTMOD          a lastmod is a W3C Datetime
note: 1 element of unknown namespaces left out
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
fn a_relative_loc_is_resolved_where_the_address_is_known() {
    let folder = Folder::with(&[("sitemap.xml", broken())]);
    let arguments = [
        "repair",
        "sitemap.xml",
        "--address",
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
            ("rewritten", "P-LOCENC"),
            ("repair", "XML"),
            ("summary", "")
        ]
    );
    assert_eq!(
        told[6],
        json!({
            "type": "summary", "file": "sitemap.xml", "written": 4, "repairs": 6, "leftOut": 0, "otherElements": 1,
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
    let (status, written, told) = folder.pipe(&index, &["repair", "-", "--unescape-twice", "--pretty"]);
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
    // What cannot be repaired leaves everything as it is.
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
    assert_eq!(folder.run(&["repair", "c.xml", "--in-place"]).0, 0);
    assert_eq!(folder.read("c.xml"), repaired(&["https://example.com/"]));
    folder.write("d.xml.gz", gzipped(&broken()));
    assert_eq!(folder.run(&["repair", "d.xml.gz", "--in-place"]).0, 1);
    assert!(unzipped(&fs::read(folder.path("d.xml.gz")).unwrap()).starts_with(HEAD));
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

/// Of every published file that is broken a sitemap is made that is read strictly, has no entry less, and needs no repair.
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
        let (status, written, told) = folder.run(&["repair", name]);
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

//! Advice in messages refers to the command's own arguments and to the user's documents. [`Folder::output`] checks this for the output of
//! every test. Here, every command runs on every kind of document that the library refuses.

use sitemap_tests::reads_all;

use crate::folder::{CORE, Folder, gzipped};

fn urlset(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n{entries}</urlset>\n"
    )
}

fn url(parts: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/</loc>{parts}</url>\n"))
}

fn documents() -> Vec<Vec<u8>> {
    let entry = |loc: &str| urlset(&format!("<url><loc>{loc}</loc></url>\n"));
    let all = |numbers: std::ops::Range<usize>, text: &dyn Fn(usize) -> String| {
        numbers.map(text).collect::<Vec<_>>().concat()
    };
    let pages = all(0..50_001, &|i| {
        format!("<url><loc>https://example.com/{i}</loc></url>")
    });
    let attributes = all(0..2000, &|i| format!(" a{i}=\"\""));
    let namespaces = all(0..2000, &|i| format!(" xmlns:n{i}=\"urn:{i}\""));
    let laughs = all(1..12, &|i| {
        format!("<!ENTITY a{i} \"{}\">", format!("&a{};", i - 1).repeat(10))
    });
    let mut documents: Vec<Vec<u8>> = [
        String::new(),
        "<html><title>x</title></html>".to_owned(),
        "<pages/>".to_owned(),
        "<urlset xmlns=\"urn:x\"/>".to_owned(),
        "{\"loc\": 5}\n".to_owned(),
        "{\"loc\": \"/a\"}\n".to_owned(),
        "{\"loc\": \"https://example.com/\", \"shop:stock\": 5, \"image:image\": [{\"alt\": 1}]}\n".to_owned(),
        "{\"loc\": \"https://example.com/\", \"lastmod\": \"x\", \"image:image\": [{\"image:loc\": \"/\"}]}\n".to_owned(),
        "loc,lastmod,priority\n/a,,\nhttps://example.com/,May,high\n".to_owned(),
        "https://example.com/ 2026-05-01\nabout\n".to_owned(),
        "<rss><channel><item/></channel></rss>".to_owned(),
        format!("<sitemapindex xmlns=\"{CORE}\"><url><loc>https://example.com/</loc></url></sitemapindex>"),
        format!("<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>/a.xml</loc><priority>1</priority></sitemap></sitemapindex>"),
        entry("/about"),
        entry("//example.com/"),
        entry("javascript:x"),
        entry("https://example.com/\u{202e}"),
        entry("https://bücher..example/"),
        entry(&format!("https://example.com/{}", "x".repeat(3000))),
        entry("<b>https://example.com/</b>"),
        entry(&"x".repeat(2_000_000)),
        urlset(&pages),
        urlset("<url><lastmod>2026</lastmod></url>"),
        urlset("<Url><loc>https://example.com/</loc></Url>"),
        urlset("<loc>https://example.com/</loc>"),
        url("<lastmod>1777593600</lastmod><changefreq>often</changefreq><priority>1,5</priority>"),
        url("<Lastmod>2026-05-01</Lastmod><own>x</own><x:y/>"),
        url("<image:image alt=\"x\"><image:alt>x</image:alt></image:image><image:loc>x</image:loc>"),
        url("<video:video><video:duration>long</video:duration><video:rating>6</video:rating><video:live>1</video:live></video:video>"),
        url(&"<image:image><image:loc>https://example.com/i</image:loc></image:image>".repeat(1001)),
        url(&"<x>".repeat(20_000)),
        url(&format!("<image:image{attributes}/>")),
        url(&format!("<x xmlns=\"urn:x\"{namespaces}/>")),
        format!("<!DOCTYPE x [<!ENTITY a0 \"{}\">{laughs}]>{}", "x".repeat(100), url("<lastmod>&a11;</lastmod>")),
        url("").replace("UTF-8", "klingon"),
    ]
    .map(String::into_bytes)
    .into();
    documents.push(gzipped(&gzipped(&url(""))));
    documents.push(gzipped(&url(""))[..40].to_vec());
    documents.push(gzipped(&vec![b' '; 60_000_000]));
    documents.push(b"\xFF\xFE<\0x\0".to_vec());
    documents.push(b"\0\x01\x02".to_vec());
    documents.push([url("").as_bytes(), b"\xE9"].concat());
    documents
}

const COMMANDS: [&[&str]; 18] = [
    &["lint", "a.xml"],
    &["lint", "a.xml", "--fix"],
    &["lint", "a.xml", "--location", "https://example.org/a/a.xml"],
    &["repair", "a.xml", "-o", "out.xml", "--force"],
    &["repair", "a.xml", "--format", "json", "-o", "out.xml", "--force"],
    &[
        "edit",
        "a.xml",
        "-o",
        "out.xml",
        "--force",
        "--set",
        "https://example.com/",
        "lastmod=2026-05-01",
    ],
    &[
        "edit",
        "a.xml",
        "-o",
        "out.xml",
        "--force",
        "--set",
        "https://example.com/",
        "image:alt=x",
    ],
    &["diff", "a.xml", "good.xml"],
    &["stat", "a.xml"],
    &["cat", "a.xml"],
    &["convert", "a.xml", "--to", "xml", "-o", "out.xml", "--force"],
    &["convert", "a.xml", "--to", "jsonl", "-o", "out.jsonl", "--force"],
    &["convert", "a.xml", "--to", "text", "-o", "out.txt", "--force"],
    &[
        "convert", "a.xml", "--from", "jsonl", "--to", "xml", "-o", "out.xml", "--force",
    ],
    &[
        "convert", "a.xml", "--from", "csv", "--to", "xml", "-o", "out.xml", "--force",
    ],
    &["split", "a.xml", "-o", "set", "--base", "https://example.com"],
    &[
        "split",
        "a.xml",
        "-o",
        "set",
        "--base",
        "https://example.org/x",
        "--lenient",
    ],
    &[
        "index",
        ".",
        "--location",
        "https://example.com",
        "-o",
        "out.xml",
        "--force",
    ],
];

#[test]
fn no_command_speaks_to_a_program() {
    for (i, document) in documents().iter().enumerate() {
        let folder = Folder::with(&[("a.xml", &document[..]), ("good.xml", url("").as_bytes())]);
        // Each document runs a part of the commands, and each command runs on that part of the documents.
        let parts = if reads_all() { 3 } else { 11 };
        for command in COMMANDS.iter().skip(i % parts).step_by(parts) {
            // `run` checks the advice in the message.
            let (_, _, told) = folder.run(command);
            assert!(!told.contains("Usage:"), "{told}");
        }
    }
}

#[test]
fn advice_is_about_arguments() {
    let pages = |count: usize| -> String {
        let entries = (0..count).map(|i| format!("<url><loc>https://example.com/{i}</loc></url>"));
        urlset(&entries.collect::<Vec<_>>().concat())
    };
    let folder = Folder::with(&[
        ("many.xml", pages(10)),
        ("few.xml", pages(1)),
        ("deep.xml", url(&"<x>".repeat(20_000))),
        ("rows.jsonl", "{\"loc\":\"/a\"}\n".to_owned()),
    ]);
    let split = |file: &'static str, base: &'static str| ["split", file, "-o", "set", "--base", base];
    assert_eq!(folder.run(&split("many.xml", "https://example.com")).0, 0);
    for (arguments, expected) in [
        (
            &split("few.xml", "https://example.com")[..],
            "sitemap: the set would have 1 entries, less than half of the 10 published ones: if this is intended, allow it with --force; nothing was changed\n",
        ),
        (
            &["lint", "few.xml", "--location", "sitemap.xml"],
            "sitemap: `sitemap.xml` is not where a sitemap can be: that is an absolute URL of http or https, such as `https://example.com/sitemap.xml` (P-PATH); correct --location\n",
        ),
        (
            &["convert", "rows.jsonl", "--to", "xml"],
            "sitemap: rows.jsonl, line 1: `/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the URL of the site with --base, loc; --on-invalid drop leaves it out\n",
        ),
        (
            &["cat", "deep.xml"],
            "sitemap: deep.xml: elements nested to 129 levels, and 128 are allowed; the command has no higher limit, at line 3, column 415 (byte 638), entry 1\n",
        ),
    ] {
        let (status, _, told) = folder.run(arguments);
        assert_eq!((status, &*told), (2, expected), "{arguments:?}");
    }
}

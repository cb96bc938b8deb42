//! `sitemap cat` prints the same fields as `sitemap convert --to jsonl`.

use serde_json::{Value, json};

use crate::folder::{CORE, Folder};

/// An entry with every kind of field: lists, objects, numbers and booleans.
fn full() -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\">\n\
         <url><loc>https://example.com/?a&amp;b</loc><lastmod>2026-05-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority>\
         <image:image><image:loc>https://example.com/1.png</image:loc><image:title>One \"1\"\tx</image:title></image:image>\
         <image:image><image:loc>https://example.com/2.png</image:loc></image:image>\
         <video:video><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>t</video:title>\
         <video:description>d</video:description><video:content_loc>https://example.com/v</video:content_loc>\
         <video:duration>12</video:duration><video:restriction relationship=\"allow\">DE AT</video:restriction>\
         <video:tag>x</video:tag><video:tag>y</video:tag></video:video>\
         <news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
         <news:publication_date>2026-05-01</news:publication_date><news:title>T</news:title></news:news>\
         <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/><mobile:mobile/></url>\n\
         <url><loc>https://example.com/b</loc><image:image><image:loc>https://example.com/3.png</image:loc></image:image></url>\n\
         <url><loc>https://example.com/c</loc></url>\n</urlset>\n"
    )
}

#[test]
fn each_field_has_its_value() {
    let folder = Folder::with(&[("a.xml", full())]);
    for (field, values) in [
        (
            "loc",
            [
                "https://example.com/?a&b",
                "https://example.com/b",
                "https://example.com/c",
            ],
        ),
        ("lastmod", ["2026-05-01", "", ""]),
        ("priority", ["0.5", "", ""]),
        ("sitemap", ["a.xml"; 3]),
        ("indexes", [""; 3]),
        ("kind", ["url"; 3]),
        ("mobile", ["true", "", ""]),
        (
            "image.loc",
            [
                "[\"https://example.com/1.png\",\"https://example.com/2.png\"]",
                "https://example.com/3.png",
                "",
            ],
        ),
        ("image.title", ["One \"1\" x", "", ""]),
        (
            "image",
            [
                "[{\"image:loc\":\"https://example.com/1.png\",\"image:title\":\"One \\\"1\\\"\\tx\"},{\"image:loc\":\"https://example.com/2.png\"}]",
                "{\"image:loc\":\"https://example.com/3.png\"}",
                "",
            ],
        ),
        ("alternate.hreflang", ["[\"en\",\"de\"]", "", ""]),
        (
            "xhtml:link.@href",
            ["[\"https://example.com/en\",\"https://example.com/de\"]", "", ""],
        ),
        ("news.title", ["T", "", ""]),
        ("news.publication.language", ["en", "", ""]),
        ("video.duration", ["12", "", ""]),
        ("video.tag", ["[\"x\",\"y\"]", "", ""]),
        ("video.restriction.relationship", ["allow", "", ""]),
    ] {
        let (status, printed, told) = folder.run(&["cat", "a.xml", "--fields", &format!("{field},loc")]);
        let printed: Vec<_> = printed
            .lines()
            .map(|line| line.split_once('\t').unwrap().0)
            .collect();
        assert_eq!((status, &*printed, &*told), (0, &values[..], ""), "{field}");
    }
}

/// With all fields, a line equals the line that `convert` writes, plus the document. Reading it again gives the same entry.
#[test]
fn lines_of_json_are_those_of_convert() {
    let folder = Folder::with(&[
        ("a.xml", full()),
        (
            "index.xml",
            format!(
                "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>"
            ),
        ),
        (
            "a.csv",
            "loc,lastmod,priority\nhttps://example.com/,2026-05-01,0.3\n".to_owned(),
        ),
        ("a.txt", "https://example.com/\n".to_owned()),
    ]);
    for name in ["a.xml", "index.xml", "a.csv", "a.txt"] {
        let (status, printed, told) = folder.run(&["cat", name, "--format", "jsonl"]);
        assert_eq!((status, &*told), (0, ""), "{name}");
        let (_, converted, _) = folder.run(&["convert", name, "--to", "jsonl"]);
        let end = format!(",\"sitemap\":\"{name}\",\"indexes\":[]}}");
        assert_eq!(printed.replace(&end, "}"), converted, "{name}");
        assert_eq!(
            folder.pipe(&printed, &["convert", "-", "--to", "jsonl"]),
            (0, converted, String::new()),
            "{name}"
        );
    }
    let (_, converted, _) = folder.run(&["convert", "a.xml", "--to", "jsonl"]);
    let (_, again, _) = folder.pipe(converted, &["cat", "-", "--format", "jsonl"]);
    let (_, first, _) = folder.run(&["cat", "a.xml", "--format", "jsonl"]);
    assert_eq!(again.replace("<stdin>", "a.xml"), first);
}

#[test]
fn chosen_fields_are_the_keys() {
    let folder = Folder::with(&[("a.xml", full())]);
    let fields = "loc,image.loc,priority,news.title,sitemap,indexes";
    let (status, printed, _) = folder.run(&["cat", "a.xml", "--format", "jsonl", "--fields", fields]);
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let object = |loc: &str, images: Value, priority: Value, title: Value| json!({ "loc": loc, "image.loc": images, "priority": priority, "news.title": title, "sitemap": "a.xml", "indexes": [] });
    assert_eq!(status, 0);
    assert_eq!(
        lines,
        [
            object(
                "https://example.com/?a&b",
                json!(["https://example.com/1.png", "https://example.com/2.png"]),
                json!(0.5),
                json!("T")
            ),
            object(
                "https://example.com/b",
                json!(["https://example.com/3.png"]),
                Value::Null,
                Value::Null
            ),
            object("https://example.com/c", Value::Null, Value::Null, Value::Null),
        ]
    );
}

/// Invalid values are printed as in text output. Anything that JSON cannot hold is reported with its entry, element and value, in every format.
#[test]
fn lines_of_json_lose_nothing_unsaid() {
    let document = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
         <url><loc>/a</loc><lastmod>yesterday</lastmod><priority>high</priority></url>\
         <url><loc>https://example.com/b</loc><lastmood>2026</lastmood><image:image><image:loc>no url</image:loc></image:image></url></urlset>"
    );
    let row = r#"{"loc":"https://example.com/b","lastmod":"soon","image:image":[{"image:loc":"no url"},{"image:loc":"https://example.com/i.png"}]}"#;
    let folder = Folder::with(&[("a.xml", &*document), ("b.jsonl", row)]);
    let problem = "`no url` is not an absolute URL: write it with its scheme and host (P-IMG2), image:image[0] · image:loc: left out with image:image[0]";
    let lost = "note: 1 invalid value left out\n";
    let unknown = "note: 1 unknown element or attribute left out: `lastmood` (did you mean `lastmod`?)\n";
    assert_eq!(
        folder.run(&["cat", "a.xml", "--format", "jsonl"]),
        (
            0,
            "{\"loc\":\"/a\",\"lastmod\":\"yesterday\",\"priority\":\"high\",\"sitemap\":\"a.xml\",\"indexes\":[]}\n\
             {\"loc\":\"https://example.com/b\",\"sitemap\":\"a.xml\",\"indexes\":[]}\n"
                .to_owned(),
            format!("a.xml, entry 2: {problem}\n{lost}{unknown}")
        )
    );
    assert_eq!(
        folder.run(&["cat", "a.xml", "--fields", "lastmod,image.loc"]),
        (
            0,
            "yesterday\t\n\t\n".to_owned(),
            format!("a.xml, entry 2: {problem}\n{lost}")
        )
    );
    let (status, printed, told) = folder.run(&["cat", "b.jsonl", "--format", "jsonl"]);
    let expected = "{\"loc\":\"https://example.com/b\",\"image:image\":[{\"image:loc\":\"https://example.com/i.png\"}],\"lastmod\":\"soon\",\
                    \"sitemap\":\"b.jsonl\",\"indexes\":[]}\n";
    assert_eq!((status, &*printed), (0, expected));
    assert_eq!(told, format!("b.jsonl, line 1: {problem}\n{lost}"));

    // Values that no XML document can have.
    let row = r#"{"loc":"https://example.com/c","lastmod":"2026-05-01\u0001","mobile:mobile":"x"}"#;
    let folder = Folder::with(&[("c.jsonl", row)]);
    let problems = "c.jsonl, line 1: the character U+0001 cannot be in an XML document (XML 1.0 section 2.2); remove it, lastmod: printed without it\n\
                    c.jsonl, line 1: `mobile:mobile` is neither true nor false: left out\n\
                    note: 2 invalid values left out\n";
    for (arguments, printed) in [
        (
            &["cat", "c.jsonl", "--format", "jsonl", "--fields", "loc,lastmod"][..],
            "{\"loc\":\"https://example.com/c\",\"lastmod\":\"2026-05-01\"}\n",
        ),
        (
            &["cat", "c.jsonl", "--fields", "loc,lastmod"],
            "https://example.com/c\t2026-05-01\n",
        ),
    ] {
        assert_eq!(
            folder.run(arguments),
            (0, printed.to_owned(), problems.to_owned()),
            "{arguments:?}"
        );
    }
}

/// The indexes of a folder that list a document, also in folders below and in hidden ones, and those above them; robots.txt is none.
#[test]
fn indexes_of_a_folder() {
    let index = |urls: &[&str]| {
        let entries = urls
            .iter()
            .map(|url| format!("<sitemap><loc>https://example.com/{url}</loc></sitemap>"));
        format!(
            "<sitemapindex xmlns=\"{CORE}\">{}</sitemapindex>",
            entries.collect::<String>()
        )
    };
    let urlset = |url: &str| {
        format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/{url}</loc></url></urlset>")
    };
    let folder = Folder::with(&[
        (
            "public/sitemap.xml",
            index(&["a.xml", "a.xml", "sub/index.xml", "listed.dat", "both.xml"]),
        ),
        ("public/other.xml", index(&["both.xml"])),
        ("public/sub/index.xml", index(&["sub/b.xml", "sitemap.xml"])),
        ("public/a.xml", urlset("a")),
        ("public/both.xml", urlset("both")),
        ("public/listed.dat", urlset("dat")),
        ("public/sub/b.xml", urlset("sub/b")),
        ("public/named.xml", urlset("named")),
        (
            "public/robots.txt",
            "Sitemap: https://example.com/named.xml\n".to_owned(),
        ),
    ]);
    let (status, printed, told) = folder.run(&["cat", "public", "--fields", "loc,indexes"]);
    assert_eq!((status, &*told), (0, ""));
    let (top, other, sub) = ("public/sitemap.xml", "public/other.xml", "public/sub/index.xml");
    let expected: [(&str, &[&str]); 5] = [
        ("a", &[top, sub]),
        ("both", &[other, top]),
        ("dat", &[top, sub]),
        ("named", &[]),
        ("sub/b", &[sub, top]),
    ];
    let text = expected.map(|(path, indexes)| {
        let list = if indexes.is_empty() {
            String::new()
        } else {
            json!(indexes).to_string()
        };
        format!("https://example.com/{path}\t{list}\n")
    });
    assert_eq!(printed, text.concat());
    let (status, printed, told) =
        folder.run(&["cat", "public", "--format", "jsonl", "--fields", "loc,indexes"]);
    assert_eq!((status, &*told), (0, ""));
    let lines = expected.map(|(path, indexes)| {
        let loc = format!("https://example.com/{path}");
        json!({ "loc": loc, "indexes": indexes })
    });
    let printed: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(printed, lines);
    assert_eq!(
        folder.run(&["cat", "public/a.xml", "--fields", "indexes"]),
        (0, "\n".to_owned(), String::new())
    );
}

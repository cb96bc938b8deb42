//! Names unknown in sitemaps, and invalid values: no key, column, element or value is lost silently.

use crate::folder::{CORE, Folder};

const LINES: &str = "{\"loc\":\"https://example.com/1\",\"lastmode\":\"2026\",\"price\":5}\n\
    {\"loc\":\"https://example.com/2\",\"image:image\":[{\"image:loc\":\"https://example.com/2.jpg\",\"image:titel\":\"2\"}],\"a b\":0}\n\
    {\"loc\":\"https://example.com/3\",\"video:title\":\"3\",\"@id\":3,\"xmlns:x\":\"y\",\"price\":{\"@x\":1}}\n";

#[test]
fn unknown_keys_of_json_are_an_error_or_left_out_with_their_names() {
    let folder = Folder::with(&[("a.jsonl", LINES)]);
    assert_eq!(
        folder.run(&["convert", "a.jsonl", "--to", "text"]),
        (
            2,
            String::new(),
            "sitemap: a.jsonl, line 1: 2 unknown keys: `lastmode` (did you mean `lastmod`?), `price`; --lenient leaves out what a sitemap does not have\n"
                .to_owned()
        )
    );
    let names = "`lastmode` (did you mean `lastmod`?), `price`, `image:titel` (did you mean `image:title`?), `a b`, `video:title`, `@id`, `xmlns:x`";
    assert_eq!(
        folder.run(&["convert", "a.jsonl", "--to", "jsonl", "--lenient"]),
        (
            0,
            "{\"loc\":\"https://example.com/1\"}\n\
             {\"loc\":\"https://example.com/2\",\"image:image\":[{\"image:loc\":\"https://example.com/2.jpg\"}]}\n\
             {\"loc\":\"https://example.com/3\"}\n"
                .to_owned(),
            format!("note: 8 unknown keys left out: {names}\n")
        )
    );
    assert_eq!(
        folder.run(&["cat", "a.jsonl"]),
        (
            0,
            "https://example.com/1\nhttps://example.com/2\nhttps://example.com/3\n".to_owned(),
            format!("note: a.jsonl: 8 unknown keys: {names}\n")
        )
    );
}

#[test]
fn a_misspelt_column_is_an_error_and_one_for_others_a_note() {
    let folder = Folder::with(&[
        ("a.csv", "loc,title,last_mod\nhttps://example.com/,x,2026\n"),
        ("b.csv", "loc,title,id\nhttps://example.com/,x,2026\n"),
    ]);
    let written = "https://example.com/\n";
    assert_eq!(
        folder.run(&["convert", "a.csv", "--to", "text"]),
        (
            2,
            String::new(),
            "sitemap: a.csv, line 1: 2 unknown columns: `title`, `last_mod` (did you mean `lastmod`?); --lenient leaves out what a sitemap does not have\n"
                .to_owned()
        )
    );
    for arguments in [
        &["convert", "a.csv", "--to", "text", "--lenient"][..],
        &["cat", "a.csv"],
    ] {
        let (status, printed, told) = folder.run(arguments);
        assert_eq!((status, &*printed), (0, written), "{told}");
        assert!(
            told.contains("`title`, `last_mod` (did you mean `lastmod`?)"),
            "{told}"
        );
    }
    let told = "note: 2 unknown columns left out: `title`, `id`\n".to_owned();
    assert_eq!(
        folder.run(&["convert", "b.csv", "--to", "text"]),
        (0, written.to_owned(), told)
    );
}

/// An element that is known in one place is unknown in another.
#[test]
fn elements_at_the_wrong_place_are_counted() {
    let video = "http://www.google.com/schemas/sitemap-video/1.1";
    let image = "http://www.google.com/schemas/sitemap-image/1.1";
    let xml = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:video=\"{video}\" xmlns:image=\"{image}\"><url><loc>https://example.com/</loc><video:title>x</video:title>\
         <image:image><image:loc>https://example.com/1.jpg</image:loc><lastmod>2026</lastmod></image:image></url></urlset>"
    );
    let (status, written, told) = Folder::empty().pipe(xml, &["convert", "-", "--to", "jsonl"]);
    assert_eq!(status, 1);
    assert!(
        !written.contains("title") && !written.contains("lastmod"),
        "{written}"
    );
    assert_eq!(
        told,
        "note: 2 unknown elements or attributes left out: `video:title`, `lastmod`\n"
    );
}

/// Losing an entry is the only problem.
#[test]
fn an_entry_without_a_loc_is_reported_and_counted() {
    let right = "<url><loc>https://example.com/</loc></url>";
    for (odd, problem) in [
        (
            "<url/>",
            "no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 61 (byte 60), entry 1 · loc",
        ),
        (
            "<url><loc/></url>",
            "the loc is empty: it is an absolute URL (P-LOC); write the address of the page, at line 1, column 72 (byte 71), entry 1 · loc",
        ),
    ] {
        let folder = Folder::with(&[("a.xml", format!("<urlset xmlns=\"{CORE}\">{odd}{right}</urlset>"))]);
        for (arguments, rest) in [
            (&["cat", "a.xml"][..], "\n"),
            (
                &["convert", "a.xml", "--to", "text", "--on-invalid", "drop"],
                "\nnote: 1 URL left out\n",
            ),
            (
                &["convert", "a.xml", "--to", "text", "--lenient"],
                ": left out with its entry\nnote: 1 URL left out\n",
            ),
        ] {
            let expected = (
                1,
                "https://example.com/\n".to_owned(),
                format!("a.xml: {problem}{rest}"),
            );
            assert_eq!(folder.run(arguments), expected, "{arguments:?}");
        }
        let split = [
            "split",
            "a.xml",
            "-o",
            "set",
            "--base",
            "https://example.com",
            "--lenient",
        ];
        let (status, _, told) = folder.run(&split);
        assert!(status == 1 && told.ends_with("; 1 left out\n"), "{told}");
    }
    let folder = Folder::with(&[
        ("a.csv", "loc,lastmod\n,2026\n"),
        ("a.jsonl", "{\"lastmod\":\"2026\"}\n"),
    ]);
    let told = "a.csv, line 2: no loc\na.jsonl, line 1: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, loc\n";
    assert_eq!(
        folder.run(&["cat", "a.csv", "a.jsonl"]),
        (1, String::new(), told.to_owned())
    );
}

/// A field that an index must not have stays if the format can hold it, and counts as lost otherwise.
#[test]
fn what_is_left_out_of_an_index_is_counted() {
    let xml = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/1.xml</loc><changefreq>daily</changefreq></sitemap></sitemapindex>"
    );
    let convert = |to| Folder::empty().pipe(&xml, &["convert", "-", "--to", to]);
    let (status, written, told) = convert("xml");
    assert_eq!((status, written.contains("changefreq")), (0, false));
    assert_eq!(
        told,
        "note: xml cannot represent all data of 1 of 1 URL: the rest is left out\n"
    );
    assert_eq!(
        convert("csv"),
        (
            0,
            "loc,lastmod,changefreq,priority,kind\nhttps://example.com/1.xml,,daily,,sitemap\n".to_owned(),
            String::new()
        )
    );
}

/// The same entry in each format, with this value in this field.
fn in_each_format(field: &str, value: &str) -> [(&'static str, String); 3] {
    let loc = "https://example.com/";
    [
        (
            "a.xml",
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>{loc}</loc><{field}>{value}</{field}></url></urlset>"
            ),
        ),
        ("a.csv", format!("loc,{field}\n{loc},\"{value}\"\n")),
        (
            "a.jsonl",
            format!("{{\"loc\":\"{loc}\",\"{field}\":\"{value}\"}}\n"),
        ),
    ]
}

/// In every format, an invalid value is corrected if its meaning is unambiguous, and dropped otherwise. The page stays.
#[test]
fn an_invalid_value_is_left_out_in_every_format_alike() {
    for (field, value, kept) in [
        ("lastmod", "yesterday", ""),
        ("lastmod", "2026/5/1", "2026-05-01"),
        ("lastmod", "2026-05-01", "2026-05-01"),
        ("changefreq", "often", ""),
        ("changefreq", "Daily", "daily"),
        ("priority", "7", ""),
        ("priority", "0,8", "0.8"),
        ("priority", "high &lt;", ""),
    ] {
        let documents = in_each_format(field, value);
        let folder = Folder::with(&documents);
        let column = ["lastmod", "changefreq", "priority"].map(|name| if name == field { kept } else { "" });
        let expected = format!(
            "loc,lastmod,changefreq,priority\nhttps://example.com/,{}\n",
            column.join(",")
        );
        for (name, _) in &documents {
            let (status, written, told) = folder.run(&["convert", name, "--to", "csv", "--lenient"]);
            assert_eq!(
                (status, &*written),
                (i32::from(kept.is_empty()), &*expected),
                "{name}: {told}"
            );
            let is_told = told.contains(": left out\n") && told.ends_with("note: 1 value lost\n");
            assert_eq!(is_told, kept.is_empty(), "{name}: {told}");
            assert_eq!(told.is_empty(), kept == value, "{name}: {told}");
        }
    }
}

#[test]
fn values_that_are_left_out_of_rows_are_reported_whole() {
    let folder = Folder::with(&[(
        "a.jsonl",
        "{\"loc\":\"https://example.com/\",\"priority\":7,\"changefreq\":\"Daily\",\"image:image\":[{\"image:title\":\"x\"},{\"image:loc\":\"https://example.com/1.jpg\"}]}\n{\"loc\":[]}\n{\"loc\":\"/a\" \"x\"}\n",
    )]);
    assert_eq!(
        folder.run(&["convert", "a.jsonl", "--to", "jsonl", "--lenient"]),
        (
            1,
            "{\"loc\":\"https://example.com/\",\"changefreq\":\"daily\",\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\"}]}\n"
                .to_owned(),
            "a.jsonl, line 1: `Daily` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); did you mean `daily`?, changefreq: written as `daily`\n\
             a.jsonl, line 1: `7` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, priority: left out\n\
             a.jsonl, line 1: no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` out, image:image[0] · image:loc: left out with image:image[0]\n\
             a.jsonl, line 2: the `loc` is not a string\n\
             a.jsonl, line 3: expected `,` or `}`, at column 13\n\
             note: 2 values lost\n\
             note: 2 URLs left out\n"
                .to_owned()
        )
    );
}

/// An entry with elements and attributes of every shape. It survives conversion to XML and back.
#[test]
fn every_shape_of_json_is_read() {
    let line = r#"{"loc":"https://example.com/?a=1&b=%3C2","lastmod":"2026-05-01","changefreq":"daily","priority":0.8,"image:image":[{"image:loc":"https://example.com/1.jpg","image:title":"\"Steaks\" & <more>"},{"image:loc":"https://example.com/2.jpg"}],"video:video":[{"video:thumbnail_loc":"https://example.com/123.jpg","video:title":"Steaks","video:description":"How to","video:player_loc":{"$text":"https://example.com/player?v=123","@allow_embed":true},"video:duration":600,"video:family_friendly":false,"video:restriction":{"@relationship":"allow","$text":"IE GB US"},"video:price":[{"$text":1.99,"@currency":"EUR"}],"video:tag":["a","b"]}],"news:news":{"news:publication":{"news:name":"The Example Times","news:language":"en"},"news:genres":"Blog, Opinion","news:publication_date":"2026-05-01","news:title":"Steaks"},"xhtml:link":[{"@rel":"alternate","@hreflang":"de","@href":"https://example.com/de"}],"mobile:mobile":true,"pagemap:PageMap":{"pagemap:DataObject":[{"@type":"recipe","pagemap:Attribute":[{"@name":"serves","@value":"4"}]}]}}"#;
    for more in [&[][..], &["--lenient"]] {
        let arguments = [&["convert", "-", "--from", "jsonl", "--to", "jsonl"], more].concat();
        let (status, written, told) = Folder::empty().pipe(line, &arguments);
        assert_eq!((status, &*told), (0, ""));
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(json(&written), json(line));
    }
    for (line, expected) in [
        (
            r#"{"loc":"https://example.com/","lastmod":null,"mobile:mobile":false,"image:image":[],"xhtml:link":[{"@rel":"alternate","@hreflang":"de","@href":"https://example.com/de","@media":null}]}"#,
            (
                0,
                "{\"loc\":\"https://example.com/\",\"xhtml:link\":[{\"@rel\":\"alternate\",\"@hreflang\":\"de\",\"@href\":\"https://example.com/de\"}]}\n",
                "",
            ),
        ),
        (
            r#"{"loc":"https://example.com/","mobile:mobile":"no"}"#,
            (
                2,
                "",
                "sitemap: <stdin>, line 1: `mobile:mobile` is neither true nor false; --on-invalid drop leaves it out\n",
            ),
        ),
        (
            r#"{"loc":"https://example.com/","loc":"https://example.com/2"}"#,
            (
                2,
                "",
                "sitemap: <stdin>, line 1: a second `loc`; --on-invalid drop leaves it out\n",
            ),
        ),
        (
            "5",
            (
                2,
                "",
                "sitemap: <stdin>, line 1: not an object; --on-invalid drop leaves it out\n",
            ),
        ),
    ] {
        let (status, written, told) =
            Folder::empty().pipe(line, &["convert", "-", "--from", "jsonl", "--to", "jsonl"]);
        assert_eq!((status, &*written, &*told), expected, "{line}");
    }
}

/// Lenient reading of XML reports the entries that it leaves out, and a truncated document.
#[test]
fn what_lenient_reading_of_xml_leaves_out_is_reported() {
    let folder = Folder::with(&[(
        "a.xml",
        format!(
            "<urlset xmlns=\"{CORE}\"><url/><url><loc>https://example.com/</loc><lastmod>x</lastmod></url><url><loc>https://example.com/2"
        ),
    )]);
    let told = "a.xml: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry";
    for arguments in [
        &["convert", "a.xml", "--to", "text", "--lenient"][..],
        &[
            "split",
            "a.xml",
            "--lenient",
            "-o",
            "set",
            "--base",
            "https://example.com",
        ],
    ] {
        let (status, _, found) = folder.run(arguments);
        assert_eq!(status, 1, "{found}");
        for part in [
            told,
            "the document ends inside ",
            ", entry 2 · lastmod: left out\n",
            "note: 1 value lost",
        ] {
            assert!(found.contains(part), "{part}\n{found}");
        }
    }
}

/// Messages about a line are short, whatever names it contains.
#[test]
fn hostile_names_are_cut_and_escaped() {
    let long = "x".repeat(1 << 20);
    let names: Vec<_> = (0..4).map(|i| format!("\"{i}{long}\":1")).collect();
    let line = format!(
        "{{\"loc\":\"https://example.com/\",\"\\u001b[31m\":1,{}}}",
        names.join(",")
    );
    let csv = format!("loc,{long}\nhttps://example.com/,1\n");
    let folder = Folder::with(&[("a.jsonl", line), ("b.csv", csv)]);
    let (status, written, told) = folder.run(&["cat", "a.jsonl", "b.csv"]);
    assert_eq!((status, written.lines().count()), (0, 2));
    let cut = format!("{}…`", "x".repeat(59));
    assert!(
        told.len() < 1000 && told.contains(&cut) && told.contains("\\u{1b}[31m"),
        "{told}"
    );
}

/// In every format, problems in one entry beyond the limit are only counted.
#[test]
fn problems_that_are_too_many_to_list_are_counted() {
    let count = 1500;
    let json = format!(
        "{{\"loc\":\"https://example.com/\",\"image:image\":[{}]}}\n",
        vec!["{}"; count].join(",")
    );
    let xml = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>https://example.com/</loc>{}</url></urlset>",
        "<image:image/>".repeat(count)
    );
    let folder = Folder::with(&[("a.jsonl", json), ("a.xml", xml)]);
    for name in ["a.jsonl", "a.xml"] {
        let (status, written, told) = folder.run(&["convert", name, "--to", "jsonl", "--lenient"]);
        assert_eq!(
            (status, &*written),
            (1, "{\"loc\":\"https://example.com/\"}\n"),
            "{name}"
        );
        let last = format!("note: {},{:03} values lost\n", count / 1000, count % 1000);
        assert!(told.ends_with(&last), "{name}: {}", told.lines().last().unwrap());
        let before = told.lines().rev().nth(1).unwrap();
        assert_eq!(before, "1,400 more problems not shown", "{name}");
    }
}

/// A key that is left out may have any number as its value.
#[test]
fn numbers_of_unknown_keys_are_left_out_with_them() {
    let line = "{\"loc\":\"https://example.com/\",\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\",\"image:price\":1.10}],\"price\":1e999}";
    let (status, written, told) = Folder::empty().pipe(line, &["convert", "-", "--to", "jsonl", "--lenient"]);
    assert_eq!((status, written.lines().count()), (0, 1));
    assert_eq!(told, "note: 2 unknown keys left out: `image:price`, `price`\n");
}

/// JSON in other forms than lines: arrays on one line or indented, and indented objects.
#[test]
fn json_of_several_lines_is_read() {
    let object = |i: u32| format!("{{\n  \"loc\": \"https://example.com/{i}?a=[\\\"b]}}\"\n}}");
    let written = |range: std::ops::RangeInclusive<u32>| -> String {
        let line = |i| format!("https://example.com/{i}?a=%5B%22b%5D%7D\n");
        range.map(line).collect()
    };
    for (json, count) in [
        (format!("[{}]\n", object(1).replace('\n', "")), 1),
        (format!("[{},{}]", object(1), object(2)), 2),
        (format!("\u{FEFF}[\n  {},\n  {}\n]\n", object(1), object(2)), 2),
        ("[]".to_owned(), 0),
        (format!("{}\n", object(1)), 1),
        (format!("{}\n{}\n", object(1), object(2)), 2),
    ] {
        let found = Folder::empty().pipe(&json, &["convert", "-", "--to", "text"]);
        assert_eq!(found, (0, written(1..=count), String::new()), "{json}");
    }
    let one = object(1);
    for (json, said, lenient) in [
        (
            format!("[\n{one},\n{{\n  \"loc\": \"https://example.com/2\",\n  \"lastmod\": 1.\n}}\n]"),
            "line 5: invalid number, at column 15 of its line 3; --on-invalid drop leaves it out",
            "<stdin>, line 5: invalid number, at column 15 of its line 3\nnote: 1 URL left out\n",
        ),
        (
            format!("[\n{one},\n"),
            "line 5: the array does not end: the document is truncated; get a complete copy",
            "<stdin>, line 5: the array does not end: the document is truncated; get a complete copy\n",
        ),
        (
            format!("[\n{one},\n{{\"loc\": \"https://example.com/2"),
            "line 5: the array does not end: the document is truncated; get a complete copy",
            "<stdin>, line 5: the array does not end: the document is truncated; get a complete copy\n",
        ),
        (
            format!("{one}\n{{\n"),
            "line 5: the object does not end: the document is truncated; get a complete copy",
            "<stdin>, line 5: the object does not end: the document is truncated; get a complete copy\n",
        ),
    ] {
        let convert = ["convert", "-", "--to", "text"];
        let (status, text, told) = Folder::empty().pipe(&json, &convert);
        assert_eq!(
            (status, told),
            (2, format!("sitemap: <stdin>, {said}\n")),
            "{json}"
        );
        assert_eq!(text, written(1..=1));
        let found = Folder::empty().pipe(&json, &[&convert[..], &["--lenient"]].concat());
        assert_eq!(found, (1, written(1..=1), lenient.to_owned()), "{json}");
    }
    let after = format!("[{one}] x");
    assert_eq!(
        Folder::empty().pipe(after, &["convert", "-", "--to", "text"]),
        (
            2,
            written(1..=1),
            "sitemap: <stdin>, line 3: text after the array\n".to_owned()
        )
    );
}

/// A longer form of a missing column's name counts as a misspelling.
#[test]
fn a_longer_name_of_a_column_is_misspelt() {
    for (header, meant) in [
        ("lastmodified", "lastmod"),
        ("Last Modified", "lastmod"),
        ("changefrequency", "changefreq"),
    ] {
        let folder = Folder::with(&[("a.csv", format!("loc,{header}\nhttps://example.com/,\n"))]);
        let (status, written, told) = folder.run(&["convert", "a.csv", "--to", "text"]);
        let name = header.to_lowercase();
        assert_eq!((status, &*written), (2, ""), "{told}");
        assert!(
            told.contains(&format!("`{name}` (did you mean `{meant}`?)")),
            "{told}"
        );
    }
    let folder = Folder::with(&[(
        "a.csv",
        "loc,lastmod,lastmodified\nhttps://example.com/,,\n".to_owned(),
    )]);
    assert_eq!(folder.run(&["convert", "a.csv", "--to", "text"]).0, 0);
}

/// A misspelt column is found among any number of other columns, in linear time.
#[test]
fn a_misspelt_column_behind_many_others_is_found() {
    let others = |count: usize| (0..count).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",");
    for count in [9, 10, 11, 12, 20_000] {
        let table = format!("loc,{},last_mod\nhttps://example.com/\n", others(count));
        let folder = Folder::with(&[("a.csv", table)]);
        let (status, written, told) = folder.run(&["convert", "a.csv", "--to", "text"]);
        assert_eq!((status, &*written), (2, ""), "{told}");
        assert!(
            told.contains("`last_mod` (did you mean `lastmod`?)") && told.len() < 400,
            "{told}"
        );
    }
}

/// Characters removed from a row are reported for this row, and row numbers are not mistaken for entry numbers.
#[test]
fn repairs_of_a_row_have_no_number_of_an_entry() {
    let line = "{\"loc\":\"https://example.com/\",\"image:image\":[{\"image:loc\":\"https://example.com/1\",\"image:title\":\"a\\u0001b\"}]}";
    let (status, written, told) = Folder::empty().pipe(line, &["convert", "-", "--to", "jsonl", "--lenient"]);
    assert_eq!((status, written.contains("\"ab\"")), (1, true));
    assert_eq!(
        told,
        "<stdin>, line 1: the character U+0001 cannot be in an XML document (XML 1.0 section 2.2); remove it, image:image[0] · image:title: written \
         without it\nnote: 1 value lost\n"
    );
}

//! JSON lines: every value is read as written, or reported as invalid.

use sitemap_tests::rounds;

use crate::folder::{CORE, Folder};

/// An entry with this image title.
fn titled(title: &str) -> String {
    format!(
        "{{\"loc\":\"https://example.com/\",\"image:image\":[{{\"image:loc\":\"https://example.com/1.jpg\",\"image:title\":{title}}}]}}"
    )
}

fn convert(line: &str, more: &[&str]) -> (i32, String, String) {
    let arguments = [&["convert", "-", "--from", "jsonl", "--to", "jsonl"], more].concat();
    Folder::empty().pipe(line, &arguments)
}

/// Asserts that a line is refused with this problem.
#[track_caller]
fn is_refused(line: &str, problem: &str) {
    let has_advice = problem.contains("truncated") || problem.contains("--lenient");
    let advice = if has_advice {
        ""
    } else {
        "; --on-invalid drop leaves it out"
    };
    let told = format!("sitemap: <stdin>, line 1: {problem}{advice}\n");
    assert_eq!(convert(line, &[]), (2, String::new(), told));
}

#[test]
fn numbers_and_bools_in_place_of_texts_are_read_as_they_are_written() {
    for value in [
        "1.10",
        "-0",
        "0.0",
        "1e5",
        "1E400",
        "-1.5e-300",
        "12345678901234567890123",
        "0.1000000000000000055511151231257827",
        "12",
        "true",
        "false",
    ] {
        let written = titled(&format!("\"{value}\"")) + "\n";
        assert_eq!(convert(&titled(value), &[]), (0, written, String::new()));
    }
    for (value, problem) in [
        ("00", "invalid number, at column 102"),
        ("1.", "invalid number, at column 103"),
        ("+1", "expected value, at column 101"),
        ("NaN", "expected value, at column 101"),
        ("nul", "expected ident, at column 104"),
    ] {
        is_refused(&titled(value), problem);
    }
}

/// Sitemap decimals have no exponent, so the command writes JSON numbers without one.
#[test]
fn decimals_are_written_without_an_exponent() {
    let entry = |priority: &str| format!("{{\"loc\":\"https://example.com/\",\"priority\":{priority}}}\n");
    for (priority, written) in [
        ("0.0000001", "0.0000001"),
        ("0.80", "0.8"),
        ("1", "1.0"),
        ("-0", "0.0"),
        ("\"1.00\"", "1.0"),
    ] {
        let expected = (0, entry(written), String::new());
        assert_eq!(convert(&entry(priority), &[]), expected);
        assert_eq!(convert(&entry(written), &[]), expected);
    }
    let problem =
        "`1e-1` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write `0.1`, priority";
    is_refused(&entry("1e-1"), problem);
    assert_eq!(
        convert(&entry("1e-1"), &["--lenient"]),
        (
            0,
            entry("0.1"),
            format!("<stdin>, line 1: {problem}: written as `0.1`\n")
        )
    );
}

#[test]
fn texts_are_decoded_and_bad_escapes_have_their_column() {
    let line = "{\"loc\":\"https:\\/\\/example.com\\/\",\"\\u0069mage:image\":{\"image:loc\":\"https://example.com/1.jpg\",\"image:titl\\u0065\":\"\\ud83d\\ude00 \\\"a\\\\\\u00e9\"}}";
    let written = titled("\"\u{1F600} \\\"a\\\\é\"") + "\n";
    assert_eq!(convert(line, &[]), (0, written, String::new()));
    for (value, problem) in [
        ("\"\\ud800\"", "unexpected end of hex escape, at column 108"),
        (
            "\"\\ud800\\u0041\"",
            "lone leading surrogate in hex escape, at column 113",
        ),
        (
            "\"\\ude00\"",
            "lone leading surrogate in hex escape, at column 107",
        ),
        ("\"\\x\"", "invalid escape, at column 103"),
        (
            "\"a\u{1}\"",
            "control character (\\u0000-\\u001F) found while parsing a string, at column 102",
        ),
        (
            "\"a\\u0000b\"",
            "the character U+0000 cannot be in an XML document (XML 1.0 section 2.2); remove it, image:image[0] · image:title",
        ),
    ] {
        is_refused(&titled(value), problem);
    }
    is_refused(
        "{\"loc\":\"https://example.com/\",\"a\\ud800\":1}",
        "unexpected end of hex escape, at column 39",
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, close: &str, depth: usize| {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        format!("{{\"loc\":\"https://example.com/\",\"lastmod\":{open}\"2026\"{close}}}")
    };
    let written = "{\"loc\":\"https://example.com/\",\"lastmod\":\"2026\"}\n".to_owned();
    assert_eq!(convert(&nested("[", "]", 31), &[]), (0, written, String::new()));
    for depth in [32, 200_000] {
        is_refused(
            &nested("[", "]", depth),
            "`lastmod` is nested deeper than 32 levels",
        );
        is_refused(
            &nested("{\"x\":", "}", depth),
            "1 unknown key: `x`; --lenient leaves out what a sitemap does not have",
        );
    }
    is_refused(
        &"[".repeat(200_000),
        "the array does not end: the document is truncated; get a complete copy",
    );
}

/// Values take memory only for themselves, not for the name of each, and up to a limit.
#[test]
fn long_lists_are_bounded() {
    let line = |name: &str, values: usize| {
        let list = vec!["1"; values].join(",");
        format!("{{\"loc\":\"https://example.com/\",\"{name}\":[{list}]}}")
    };
    let (name, shown) = ("a".repeat(20_000), "a".repeat(60));
    is_refused(
        &line(&name, 10_000),
        &format!("10,000 unknown keys: `{shown}…`; --lenient leaves out what a sitemap does not have"),
    );
    for name in ["lastmod", "foo"] {
        is_refused(
            &line(name, 1_100_000),
            "an entry of more than 8,388,608 bytes, which is the limit; the command has no higher limit",
        );
    }
}

/// A `loc` key in other case or inside another value does not start a second entry, which would be lost.
#[test]
fn a_loc_is_only_the_value_of_its_key() {
    for key in ["Loc", "LOC"] {
        let line = format!("{{\"loc\":\"https://example.com/\",\"{key}\":\"https://example.com/b\"}}");
        let problem = format!("`{key}` is not a key of an entry: did you mean `loc`?");
        is_refused(&line, &problem);
        is_refused(&format!("{{\"{key}\":\"https://example.com/b\"}}"), &problem);
        let told = format!("<stdin>, line 1: {problem}\nnote: 1 URL left out\n");
        assert_eq!(convert(&line, &["--lenient"]), (1, String::new(), told));
        let (status, written, told) = Folder::empty().pipe(&line, &["cat", "-"]);
        assert_eq!((status, &*written), (1, ""));
        assert!(told.contains(&problem), "{told}");
    }
    let line = "{\"loc\":\"https://example.com/\",\"lastmod\":{\"loc\":\"https://example.com/b\"}}";
    assert_eq!(
        convert(line, &["--lenient"]),
        (
            0,
            "{\"loc\":\"https://example.com/\"}\n".to_owned(),
            "note: 1 unknown key left out: `loc`\n".to_owned()
        )
    );
}

/// A field that the schema allows once is not read from two values.
#[test]
fn what_occurs_once_has_one_value() {
    let video = "\"video:video\":[{\"video:thumbnail_loc\":\"https://example.com/1.jpg\",\"video:title\":\"T\",\"video:description\":\"D\",\
         \"video:content_loc\":\"https://example.com/1.mp4\",MORE}]";
    let image = "\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\",MORE}]";
    for (place, name, one, other) in [
        ("MORE", "lastmod", "\"2026\"", "\"2025\""),
        ("MORE", "changefreq", "\"daily\"", "\"weekly\""),
        ("MORE", "priority", "0.1", "0.2"),
        (image, "image:title", "\"a\"", "\"b\""),
        (image, "image:caption", "\"a\"", "\"b\""),
        (
            image,
            "image:license",
            "\"https://example.com/a\"",
            "\"https://example.com/b\"",
        ),
        (video, "video:duration", "1", "2"),
        (video, "video:rating", "1.0", "2.0"),
        (video, "video:family_friendly", "true", "false"),
        (
            video,
            "video:player_loc",
            "{\"$text\":\"https://example.com/a\",\"@allow_embed\":true}",
            "{\"$text\":\"https://example.com/a\",\"@allow_embed\":false}",
        ),
    ] {
        let line = |members: &str| {
            let members = place.replace("MORE", members);
            format!("{{\"loc\":\"https://example.com/\",{members}}}\n")
        };
        let list = |one: &str, other: &str| line(&format!("\"{name}\":[{one},{other}]"));
        let twice = line(&format!("\"{name}\":{one},\"{name}\":{other}"));
        let alone = line(&format!("\"{name}\":{one}"));
        for two in [twice, list(one, other)] {
            let (status, written, told) = convert(&two, &[]);
            assert!(
                written.is_empty() && told.contains(&format!(": a second `{name}`: ")),
                "{told}"
            );
            assert_eq!(status, 2);
            let (status, written, told) = convert(&two, &["--lenient"]);
            let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!((status, json(&written)), (1, json(&alone)), "{told}");
            let lines: Vec<&str> = told.lines().collect();
            assert!(
                lines[0].contains(&format!(": a second `{name}`: ")) && lines[0].ends_with(": left out"),
                "{told}"
            );
            assert_eq!(lines[1..], ["note: 1 value lost"]);
        }
        // A repeated equal value is no loss.
        let (status, _, told) = convert(&list(one, one), &["--lenient"]);
        assert_eq!((status, told.lines().count()), (0, 1), "{told}");
    }
}

/// XML behaves like JSON.
#[test]
fn a_second_value_in_xml_is_counted_as_left_out() {
    let second = "a.xml: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 129 (byte 128), entry 1 · lastmod";
    for (other, status, told) in [
        ("2025", 1, format!("{second}: left out\nnote: 1 value lost\n")),
        (
            "2026",
            0,
            "note: 1 repair (`sitemap repair` lists them)\n".to_owned(),
        ),
    ] {
        let folder = Folder::with(&[(
            "a.xml",
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc><lastmod>2026</lastmod><lastmod>{other}</lastmod></url></urlset>"
            ),
        )]);
        assert_eq!(
            folder.run(&["convert", "a.xml", "--to", "jsonl", "--lenient"]),
            (
                status,
                "{\"loc\":\"https://example.com/\",\"lastmod\":\"2026\"}\n".to_owned(),
                told
            )
        );
    }
}

#[test]
fn a_text_where_there_is_none_is_an_unknown_key() {
    let name = "`image:image · $text`";
    let line = titled("\"T\",\"$text\":\"lost\"");
    is_refused(
        &line,
        &format!("1 unknown key: {name}; --lenient leaves out what a sitemap does not have"),
    );
    assert_eq!(
        convert(&line, &["--lenient"]),
        (
            0,
            titled("\"T\"") + "\n",
            format!("note: 1 unknown key left out: {name}\n")
        )
    );
    let xml = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>https://example.com/</loc>\
         <image:image>lost<image:loc>https://example.com/1.jpg</image:loc></image:image></url></urlset>"
    );
    let (status, _, told) = Folder::empty().pipe(xml, &["convert", "-", "--to", "jsonl"]);
    assert_eq!(
        (status, &*told),
        (
            1,
            "note: 1 unknown element or attribute left out: `image:image · $text`\n"
        )
    );
}

/// Names of XML structure are unknown keys like any other.
#[test]
fn names_of_documents_and_entries_are_unknown_keys() {
    let line = "{\"loc\":\"https://example.com/\",\"url\":\"/\",\"Sitemap\":{\"url\":1},\"image:image\":{\"image:loc\":\"https://example.com/1.jpg\",\"urlset\":[1]}}";
    assert_eq!(
        convert(line, &["--lenient"]),
        (
            0,
            "{\"loc\":\"https://example.com/\",\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\"}]}\n".to_owned(),
            "note: 3 unknown keys left out: `url` (did you mean `loc`?), `Sitemap`, `urlset`\n".to_owned()
        )
    );
}

/// A value of the wrong type for its key is left out, and the rest of the entry is read.
#[test]
fn lists_and_objects_in_place_of_one_text_are_said_to_be_so() {
    let link = |media: &str| {
        format!(
            "{{\"loc\":\"https://example.com/\",\"xhtml:link\":[{{\"@rel\":\"alternate\",\"@hreflang\":\"de\",\"@href\":\"https://example.com/de\"{media}}}]}}"
        )
    };
    let title = |text: &str| titled(&format!("{{\"$text\":{text}}}"));
    let without_title =
        "{\"loc\":\"https://example.com/\",\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\"}]}";
    let plain = "{\"loc\":\"https://example.com/\"}";
    for (line, problem, written) in [
        (
            link(",\"@media\":[\"print\"]"),
            "the value of `@media` is a list: it is one text, xhtml:link[0]",
            link(""),
        ),
        (
            link(",\"@media\":{}"),
            "the value of `@media` is an object: it is one text, xhtml:link[0]",
            link(""),
        ),
        (
            title("[\"a\"]"),
            "the value of `$text` is a list: it is one text, image:image[0] · image:title",
            without_title.to_owned(),
        ),
        (
            "{\"loc\":\"https://example.com/\",\"mobile:mobile\":\"no\"}".to_owned(),
            "`mobile:mobile` is neither true nor false",
            plain.to_owned(),
        ),
    ] {
        is_refused(&line, problem);
        let told = format!("<stdin>, line 1: {problem}: left out\nnote: 1 value lost\n");
        assert_eq!(convert(&line, &["--lenient"]), (1, written + "\n", told));
    }
}

/// Lines with mistakes of many kinds. Their order depends only on the seed.
fn lines(seed: u32) -> Vec<String> {
    let values = [
        "\"lastmod\":\"2026-05-01\"",
        "\"lastmod\":\"2026/5/1\"",
        "\"lastmod\":\"never\"",
        "\"lastmod\":[\"2026\",\"2025\"]",
        "\"lastmode\":1",
        "\"priority\":7",
        "\"image:image\":[{\"image:loc\":\"https://example.com/1.jpg\",\"image:title\":\"a\\u0001b\"}]",
        "\"image:image\":[{\"image:title\":\"x\"},{\"image:loc\":\"/1.jpg\",\"@x\":1,\"@x\":2}]",
        "\"image:image\":{\"image:loc\":\"https://example.com/?a&b=<c>]]>\"}",
        "\"news:news\":{\"news:title\":\"T\"}",
        "\"lastmod\":{\"lastmod\":{\"url\":{\"loc\":1}}}",
        "\"xhtml:link\":[{\"@hreflang\":\"de\"}]",
        "\"urlset\":{\"url\":{\"loc\":\"https://example.com/x\"}}",
        "\"mobile:mobile\":true",
        "\"Loc\":\"https://example.com/y\"",
    ];
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    let line = |i: usize| {
        let mut members: Vec<String> = (0..next(4))
            .map(|_| values[next(values.len())].to_owned())
            .collect();
        if next(8) > 0 {
            members.insert(0, format!("\"loc\":\"https://example.com/{i}\""));
        }
        format!("{{{}}}\n", members.join(","))
    };
    (0..12).map(line).collect()
}

/// Members of an entry, valid and invalid ones.
const MEMBERS: [(&str, &[&str], &[&str]); 9] = [
    (
        "lastmod",
        &["\"2026-05-01\"", "\"2026-05-01T10:00:00.5+02:00\"", "null"],
        &["\"never\"", "true"],
    ),
    ("changefreq", &["\"daily\"", "null"], &["\"Daily\"", "1"]),
    (
        "priority",
        &["0.8", "1", "\"0.25\"", "null"],
        &["7", "-1", "\"0,5\"", "false"],
    ),
    ("mobile:mobile", &["true", "false"], &["\"yes\"", "1", "[true]"]),
    (
        "image:image",
        &[
            "[]",
            r#"[{"image:loc":"https://example.com/1.jpg?a&b=c","image:title":"<c>]]> \u00e9 \"q\" \\ &amp;lt;"}]"#,
            r#"[{"image:loc":"https://example.com/1.jpg"},{"image:license":"https://example.com/l","image:loc":"https://example.com/2.jpg"}]"#,
        ],
        &["[{}]", r#"[{"image:title":"x"}]"#, r#"[{"image:loc":"/1.jpg"}]"#],
    ),
    (
        "video:video",
        &[
            r#"[{"video:thumbnail_loc":"https://example.com/t.jpg","video:title":"T","video:description":"D","video:player_loc":{"$text":"https://example.com/p","@allow_embed":true},"video:duration":600,"video:rating":4.5,"video:price":[{"$text":1.99,"@currency":"EUR"}],"video:family_friendly":false,"video:tag":["a","b"],"video:restriction":{"@relationship":"allow","$text":"IE GB"}}]"#,
            r#"[{"video:thumbnail_loc":"https://example.com/t.jpg","video:title":"T","video:description":"D","video:content_loc":"https://example.com/v.mp4","video:live":true,"video:uploader":{"@info":"https://example.com/u","$text":"U"}}]"#,
        ],
        &[
            "[{}]",
            r#"[{"video:thumbnail_loc":"https://example.com/t.jpg","video:title":"T"}]"#,
            r#"[{"video:thumbnail_loc":"https://example.com/t.jpg","video:title":"T","video:description":"D","video:rating":"high"}]"#,
        ],
    ),
    (
        "news:news",
        &[
            r#"{"news:publication":{"news:name":"N","news:language":"en"},"news:publication_date":"2026-05-01","news:title":"S","news:genres":"Blog, Opinion"}"#,
        ],
        &[
            r#"{"news:title":"S"}"#,
            r#"{"news:publication":{"news:name":"N","news:language":"en"},"news:publication_date":"soon","news:title":"S"}"#,
        ],
    ),
    (
        "xhtml:link",
        &[
            r#"[{"@rel":"alternate","@hreflang":"de","@href":"https://example.com/de"},{"@href":"https://example.com/en","@hreflang":"en-GB","@rel":"alternate"}]"#,
        ],
        &[
            r#"[{"@rel":"alternate","@hreflang":"de"}]"#,
            r#"[{"@rel":"alternate","@hreflang":"de","@href":["https://example.com/de"]}]"#,
        ],
    ),
    (
        "pagemap:PageMap",
        &[
            r#"{"pagemap:DataObject":[{"@type":"r","pagemap:Attribute":[{"@name":"s","@value":"4"},{"@name":"t","$text":"v"}]}]}"#,
        ],
        &[r#"{"pagemap:DataObject":[{"pagemap:Attribute":[]}]}"#],
    ),
];

/// The model is the schema's own `Deserialize`: each line that serde_json reads as an entry is written as that entry, and every other line
/// is skipped.
#[test]
fn entries_are_those_that_serde_reads() {
    let mut state = 1_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    let mut lines = Vec::new();
    for i in 0..600 {
        let mut members = vec![format!("\"loc\":\"https://example.com/{i}?a=1&b=\\u00e9\"")];
        let first = next(MEMBERS.len());
        for at in 0..next(5) {
            let (key, valid, invalid) = MEMBERS[(first + at) % MEMBERS.len()];
            let values = if next(8) == 0 { invalid } else { valid };
            members.insert(
                next(members.len() + 1),
                format!("\"{key}\":{}", values[next(values.len())]),
            );
        }
        if next(20) == 0 {
            members.push("\"loc\":\"https://example.com/\"".to_owned());
        }
        lines.push(format!("{{{}}}", members.join(", ")));
    }
    let value = |line: &str| {
        let entry: sitemap_serde::UrlEntry = serde_json::from_str(line).ok()?;
        let mut entry = serde_json::to_value(entry).unwrap();
        let loc = entry["loc"].as_str().unwrap().replace('é', "%C3%A9");
        entry["loc"] = loc.into();
        Some(entry)
    };
    let expected: Vec<_> = lines.iter().filter_map(|line| value(line)).collect();
    assert!((200..500).contains(&expected.len()), "{}", expected.len());
    let (status, written, told) = convert(&lines.join("\n"), &["--on-invalid", "skip"]);
    let written: Vec<serde_json::Value> = written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let other = written.iter().zip(&expected).find(|(one, other)| one != other);
    assert_eq!(
        (status, other, written.len()),
        (1, None, expected.len()),
        "{told}"
    );
}

/// One reader reads all rows, so a row must not affect the rows after it.
#[test]
fn a_row_is_read_alike_wherever_it_is() {
    for seed in 0..rounds(8) {
        let lines = lines(u32::try_from(seed).unwrap());
        for command in [
            &["convert", "-", "--to", "jsonl", "--lenient"][..],
            &["cat", "-", "--fields", "loc,lastmod"],
        ] {
            let (mut written, mut told) = (String::new(), String::new());
            for (i, line) in lines.iter().enumerate() {
                let (_, out, messages) = Folder::empty().pipe(line, command);
                written += &out;
                told += &messages.replace(", line 1:", &format!(", line {}:", i + 1));
            }
            let (_, all, messages) = Folder::empty().pipe(lines.concat(), command);
            let problems = |told: &str| {
                let lines = told.lines().filter(|line| !line.starts_with("note: "));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(
                (all, problems(&messages)),
                (written, problems(&told)),
                "seed {seed}"
            );
        }
    }
}

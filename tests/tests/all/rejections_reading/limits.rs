//! Documents that are too large, or contain too much.

use serde::Deserialize;

use sitemap_serde::{ErrorKind, Limits, Mode, Reader, ReaderBuilder, Record, UrlEntry};
use sitemap_tests::{Chunks, Problem, Trickle, checked_outcomes, drain, grouped, limited, read, urlset};

use crate::rejections_reading::{FIRST, between, ends};

#[track_caller]
fn too_much(entry: &str, path: Option<&str>, message: &str) {
    ends(entry, ErrorKind::Limit, None, path, message);
}

#[test]
fn nested_too_deep() {
    let nested = |deep: usize| format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep));
    // The root and the entry are two of the 128 levels.
    let fine = between(&format!(
        "<url><loc>https://example.com/2</loc>{}</url>",
        nested(126)
    ));
    assert_eq!(
        checked_outcomes(&fine)
            .iter()
            .filter(|outcome| outcome.is_ok())
            .count(),
        3
    );
    too_much(
        &format!("<url><loc>https://example.com/2</loc>{}‸<a>", "<a>".repeat(126)),
        Some("entry 2"),
        "elements nested to 129 levels, and 128 are allowed; if you trust the document, read it with `Limits::trusted`",
    );
    too_much(
        &format!(
            "<url><loc>https://example.com/2</loc>{}‸{}",
            "<a>".repeat(126),
            "<a>".repeat(20_000)
        ),
        Some("entry 2"),
        "elements nested to 129 levels, and 128 are allowed; if you trust the document, read it with `Limits::trusted`",
    );
}

#[test]
fn too_many_attributes() {
    use std::fmt::Write as _;
    let mut attributes = String::new();
    for i in 0..10_000 {
        let mark = if i == 256 { "‸" } else { "" };
        let _ = write!(attributes, " {mark}a{i}=\"\"");
    }
    too_much(
        &format!("<url{attributes}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 256 attributes on one element, which is the limit; if you trust the document, read it with \
         `Limits::trusted`",
    );
}

#[test]
fn too_many_namespaces() {
    use std::fmt::Write as _;
    let mut declarations = String::new();
    for i in 0..200 {
        let mark = if i == 64 { "‸" } else { "" };
        let _ = write!(declarations, " {mark}xmlns:a{i}=\"urn:{i}\"");
    }
    too_much(
        &format!("<url{declarations}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 64 namespace declarations on one element, which is the limit; if you trust the document, read it with \
         `Limits::trusted`",
    );
    declarations.clear();
    for i in 0..2000 {
        let mark = if i == 256 { "‸" } else { "" };
        let _ = write!(declarations, " {mark}xmlns:a{i}=\"urn:{i}\"");
    }
    too_much(
        &format!("<url{declarations}><loc>https://example.com/2</loc></url>"),
        None,
        "more than 256 attributes on one element, which is the limit; if you trust the document, read it with \
         `Limits::trusted`",
    );
}

#[test]
fn a_name_that_is_too_long() {
    too_much(
        &format!("<url><‸{0}></{0}></url>", "a".repeat(1025)),
        Some("entry 2"),
        "a name of 1,025 bytes, and 1,024 are allowed; if you trust the document, read it with `Limits::trusted`",
    );
}

#[test]
fn a_token_that_is_too_large() {
    let large = "x".repeat(1 << 20);
    for entry in [
        format!("<url><loc>‸https://example.com/{large}</loc></url>"),
        format!("<url><loc>‸<![CDATA[{large}]]></loc></url>"),
        format!("<url>‸<!--{large}--></url>"),
        format!("<url>‸<?x {large}?></url>"),
        format!("<url>‸<loc a=\"{large}\"/></url>"),
        format!("<url>‸<loc{}/></url>", " ".repeat(1 << 20)),
        format!("<url>‸</url{}></url>", " ".repeat(1 << 20)),
    ] {
        too_much(
            &entry,
            Some("entry 2"),
            "a tag or text of more than 1,048,576 bytes, which is the limit; if you trust the document, read it with \
             `Limits::trusted`",
        );
    }
}

/// An end tag is one byte longer than its start tag, so it is too long, wherever it is read.
#[test]
fn an_end_tag_that_is_too_large() {
    let name = "x".repeat(80);
    let entry = format!("<url><loc>https://example.com/</loc><{name}>1</{name}></url>");
    let document = urlset(&entry.repeat(3));
    for (bytes, fits) in [(82, true), (81, false)] {
        let mut builder = ReaderBuilder::new();
        builder.limits(limited(Limits::reading(), |limits| limits.token_bytes = bytes));
        let slice = drain(builder.from_slice(document.as_bytes()).entries());
        assert_eq!(
            slice.iter().filter(|entry| entry.is_ok()).count(),
            if fits { 3 } else { 0 }
        );
        for size in [1, 50, 200] {
            let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
            assert_eq!(drain(pieces.entries()), slice, "{bytes} in pieces of {size}");
        }
    }
}

#[test]
fn an_entry_that_is_too_large() {
    let eighth = format!("<x>{}</x>", "x".repeat((1 << 20) - 7));
    too_much(
        &format!("‸<url><loc>https://example.com/2</loc>{}</url>", eighth.repeat(8)),
        Some("entry 2"),
        "an entry of more than 8,388,608 bytes, which is the limit; if you trust the document, raise the limit with \
         `Limits::with_entry_bytes`",
    );
}

/// Each structural limit, with a document that exceeds it. A trusted document is read anyway, and a custom limit refuses it again.
#[test]
fn a_trusted_document_has_any_structure() {
    let entry = |inner: &str| urlset(&format!("<url><loc>https://example.com/</loc>{inner}</url>"));
    let many = |make: fn(usize) -> String, count: usize| (0..count).map(make).collect::<String>();
    let name = "n".repeat(70_000);
    let comments = "<!--.......-->".repeat(9);
    type Limit = fn(&mut Limits) -> &mut usize;
    let documents: [(&str, Limit, String); 6] = [
        (
            "depth",
            |limits| &mut limits.depth,
            entry(&format!("{}{}", "<a>".repeat(3000), "</a>".repeat(3000))),
        ),
        (
            "attributes",
            |limits| &mut limits.attributes,
            entry(&format!("<a{}/>", many(|i| format!(" a{i}=''"), 3000))),
        ),
        (
            "namespaces",
            |limits| &mut limits.namespaces,
            entry(&format!(
                "<a{}/>",
                many(|i| format!(" xmlns:a{i}='urn:{i}'"), 200)
            )),
        ),
        (
            "name_bytes",
            |limits| &mut limits.name_bytes,
            entry(&format!("<{name}/>")),
        ),
        (
            "token_bytes",
            |limits| &mut limits.token_bytes,
            entry(&format!("<a>{}</a>", "x".repeat(2 << 20))),
        ),
        (
            "expansion_bytes",
            |limits| &mut limits.expansion_bytes,
            format!(
                "<!DOCTYPE urlset [<!ENTITY a '{}'>]>{}",
                "x".repeat(60_000),
                entry(&format!("<a>{}</a>{comments}", "<b>&a;</b>".repeat(40)))
            ),
        ),
    ];
    for (name, limit, document) in documents {
        let read = |limits: Limits| {
            let mut builder = ReaderBuilder::new();
            builder.limits(limits);
            let slice = drain(builder.from_str(&document).entries());
            let stream = drain(builder.from_reader(document.as_bytes()).entries());
            assert_eq!(slice, stream, "{name}");
            slice
                .into_iter()
                .map(|outcome| {
                    outcome.map(drop).map_err(|problem| {
                        assert_eq!(problem.kind, ErrorKind::Limit);
                        problem.message
                    })
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(read(Limits::trusted()), [Ok(())], "{name}");
        let found = read(Limits::reading());
        let message = found.last().unwrap().as_ref().unwrap_err();
        let (message, _) = message.split_once(", at line").unwrap();
        assert!(
            message.ends_with("; if you trust the document, read it with `Limits::trusted`"),
            "{name}: {message}"
        );
        let own = limited(Limits::trusted(), |own| {
            *limit(own) = *limit(&mut Limits::reading());
        });
        assert_eq!(read(own), found, "{name}");
    }
}

/// More than a reader can hold is an error, not another limit.
#[test]
fn a_limit_that_is_none() {
    let document = urlset("<url><loc>https://example.com/</loc></url>");
    for mode in [Mode::Strict, Mode::Lenient] {
        let mut builder = ReaderBuilder::new();
        builder
            .mode(mode)
            .limits(Limits::reading().with_entry_bytes((1 << 30) + 1));
        let error = builder.from_str(&document).kind().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Settings);
        assert_eq!(
            error.to_string(),
            "entries of 1,073,741,825 bytes are allowed, and 1,073,741,824 is the most that can be; lower `Limits::with_entry_bytes`"
        );
        builder.limits(Limits::reading().with_entry_bytes(1 << 30));
        assert_eq!(builder.from_str(&document).entries().flatten().count(), 1);
    }
}

#[test]
fn limits_of_ones_own() {
    let document =
        urlset("<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>");
    let told = |limits: Limits| {
        let mut builder = ReaderBuilder::new();
        builder.limits(limits);
        let slice = drain(builder.from_slice(document.as_bytes()).entries());
        let stream = drain(builder.from_reader(Trickle::new(document.as_bytes())).entries());
        assert_eq!(slice, stream);
        let whole =
            <Vec<UrlEntry>>::deserialize(&mut sitemap_serde::Deserializer::new(builder.from_str(&document)));
        let last = slice.last().unwrap().clone();
        assert_eq!(
            whole.map_err(|error| Problem::of(&error)).map(drop),
            last.map(drop)
        );
        slice
    };
    let entry = "<url><loc>https://example.com/1</loc></url>";
    let second = document.find(entry).unwrap() + entry.len();
    let fine = Limits::reading()
        .with_entries(2)
        .with_bytes(document.len() as u64);
    assert!(told(fine).iter().all(Result::is_ok));

    let count = told(Limits::reading().with_entries(1));
    assert_eq!(count.len(), 2);
    let problem = count[1].as_ref().unwrap_err();
    assert_eq!((problem.kind, problem.rule), (ErrorKind::Limit, Some("P-COUNT")));
    assert_eq!(
        problem.message,
        format!(
            "more than 1 `url` entries, which is the limit (P-COUNT); split the file, or raise the limit with `Limits::with_entries`, at line 1, \
             column {} (byte {second}), entry 2",
            second + 1
        )
    );

    let size = told(Limits::reading().with_bytes((second + entry.len()) as u64 - 1));
    assert_eq!(size.len(), 2);
    let problem = size[1].as_ref().unwrap_err();
    assert_eq!((problem.kind, problem.rule), (ErrorKind::Limit, Some("P-SIZE")));
    assert_eq!(
        problem.message,
        format!(
            "more than {0} bytes, which is the limit (P-SIZE); split the file, or raise the limit with `Limits::with_bytes`, at line 1, \
             column {1} (byte {second}), entry 2",
            second + entry.len() - 1,
            second + 1
        )
    );
}

/// References that xml-rs replaces without its own limit.
#[test]
fn entities_that_grow_within_one_value() {
    let long = "y".repeat(1000);
    let references = "&a;".repeat(2000);
    let values: Vec<String> = (0..40)
        .map(|i| format!("<!ENTITY % b{} '{}'>", i + 1, format!("%b{i};").repeat(10)))
        .collect();
    let values = values.concat();
    let made = values.replace('\'', "\"").replace('%', "&#37;");
    let doctype = |subset: &str, entry: &str| {
        let entry = format!("<url><loc>https://example.com/1</loc>{entry}</url>");
        format!("<!DOCTYPE urlset [{subset}]>{}", urlset(&entry))
    };
    for document in [
        doctype(
            &format!("<!ENTITY a '{long}'>"),
            &format!("<x y='{references}'/>"),
        ),
        doctype(
            &format!("<!ENTITY b \"<x y='{references}'/>\"><!ENTITY a '{long}'>"),
            "&b;",
        ),
        doctype(&format!("<!ENTITY % b0 '{long}'>{values}"), ""),
        doctype(
            &format!("<!ENTITY % b0 '{long}'><!ENTITY % all '{made}'>%all;"),
            "",
        ),
        doctype(
            &format!(
                "<!ENTITY % b0 '{long}'><!ENTITY % all '{}'>%all;",
                made.replace("&#37;", "&#38;#x025;")
            ),
            "",
        ),
        doctype(
            &format!(
                "<!ENTITY % b0 '{long}'><!ENTITY % all '{}'>%all;",
                made.replace("&#37;", "&#x25;")
            ),
            "",
        ),
    ] {
        let problem = read::<Vec<UrlEntry>>(&document).unwrap_err();
        assert_eq!(problem.kind, ErrorKind::Limit, "{}", problem.message);
        assert!(
            problem.message.starts_with(
                "the entities in one value or text can make it longer than 1,048,576 bytes, and that is the limit; if you trust the document, read it with `Limits::trusted`, at line 1, column "
            ),
            "{}",
            problem.message
        );
    }
    let few = doctype(
        &format!("<!ENTITY % p '<!ENTITY b \"c\">'>%p;<!ENTITY a '{long}'>"),
        &format!("<x y='{}'/>&b;", "&a;".repeat(100)),
    );
    assert_eq!(read::<Vec<UrlEntry>>(few), Ok(vec![UrlEntry::new(FIRST)]));
}

/// Each text is within the limit, but their total is not.
#[test]
fn entities_of_a_whole_document() {
    let entry = |id: usize| {
        format!(
            "<url><loc>https://example.com/{id}</loc><image:image><image:loc>https://example.com/{id}.jpg</image:loc>\
             <image:caption>&long;</image:caption></image:image></url>"
        )
    };
    let document = |count: usize| {
        let entries: String = (1..=count).map(entry).collect();
        let root = urlset(&entries).replacen(
            '>',
            " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">",
            1,
        );
        format!(
            "<!DOCTYPE urlset [<!ENTITY long '{}'>]>{root}",
            "x".repeat(10_000)
        )
    };
    let read = |count: usize| {
        let document = document(count);
        let limits = limited(Limits::reading(), |limits| {
            limits.expansion_bytes = 50_000;
            limits.token_bytes = 50_000;
        });
        let mut reader = ReaderBuilder::new().limits(limits).from_str(&document);
        let found: Vec<_> = reader.entries().collect();
        found
    };
    assert!(read(6).iter().all(Result::is_ok));
    let mut found = read(20);
    let error = found.pop().unwrap().unwrap_err();
    assert_eq!((found.len(), error.kind()), (7, ErrorKind::Limit));
    assert_eq!(
        error.to_string(),
        "the document's entities expand to more than 50,000 bytes, which is the limit; if you trust the document, read it with \
         `Limits::trusted`, at line 1, column 11364 (byte 11363), entry 8"
    );
}

#[test]
fn a_record_is_empty_after_an_error_and_at_the_end() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url><url/><sitemap/><url><loc>https://example.com/2</loc></url>",
    );
    for (document, results) in [
        (document.as_str(), &["1", "", "", "2", "end", "end"][..]),
        (&document[..document.len() - 1], &["1", "", "", "2", "", "end"]),
        (&document[..document.len() - 30], &["1", "", "", "", "end"]),
    ] {
        let mut reader = Reader::from_str(document);
        let mut record = Record::new();
        for &expected in results {
            let result = reader.read_record(&mut record);
            assert_eq!(matches!(result, Ok(true)), matches!(expected, "1" | "2"));
            assert_eq!(matches!(result, Ok(false)), expected == "end");
            if matches!(result, Ok(true)) {
                assert!(record.loc().ends_with(expected));
                continue;
            }
            assert_eq!((record.loc(), record.source(), record.number()), ("", "", 0));
            assert_eq!((record.fields().count(), record.byte_range()), (0, 0..0));
        }
    }
}

/// The limit covers the whole document, whichever construct exceeds it.
#[test]
fn a_document_that_is_too_large() {
    let entry = "<url><loc>https://example.com/1</loc></url>";
    let end = urlset(entry).len();
    let space = " ".repeat(50_000);
    let unknown = format!("<x:x xmlns:x='urn:x'>{}</x:x>", "<x:y>y</x:y>".repeat(5_000));
    for (document, most) in [
        (urlset(entry), end - 1),
        (format!("{}<!-- -->", urlset(entry)), end + 3),
        (format!("{}\n{space}", urlset(entry)), end + 40_000),
        (urlset(&format!("{entry}{space}")), end + 40_000),
        (urlset(&format!("{entry}{space}<!-- -->{space}")), end + 50_000),
        (urlset(&format!("{entry}{unknown}")), end + 40_000),
        (
            urlset(&format!("{entry}{}", "<?x?>".repeat(10_000))),
            end + 40_000,
        ),
    ] {
        let mut builder = ReaderBuilder::new();
        builder.limits(Limits::reading().with_bytes(most as u64));
        let slice = drain(builder.from_slice(document.as_bytes()).entries());
        for size in [1, 1021, 32 << 10] {
            let stream = drain(
                builder
                    .from_reader(Chunks::new(document.as_bytes(), size))
                    .entries(),
            );
            assert_eq!(slice, stream);
        }
        assert_eq!(slice[0], Ok(UrlEntry::new(FIRST)));
        let problem = slice[1].as_ref().unwrap_err();
        let (line, column) = match document.find('\n') {
            Some(at) if at < most => (2, most - at),
            _ => (1, most + 1),
        };
        assert_eq!(
            problem.message,
            format!(
                "more than {} bytes, which is the limit (P-SIZE); split the file, or raise the limit with `Limits::with_bytes`, at line \
                 {line}, column {column} (byte {most})",
                grouped(most as u64)
            )
        );
        builder.limits(Limits::reading().with_bytes(document.len() as u64));
        let mut reader = builder.from_slice(document.as_bytes());
        assert_eq!(drain(reader.entries()), [Ok(UrlEntry::new(FIRST))]);
    }
    // In the middle of a character, the position is that character's start.
    let document = format!("{}<!--ééé-->", urlset(entry));
    let limits = Limits::reading().with_bytes(end as u64 + 7);
    let problem = ReaderBuilder::new()
        .limits(limits)
        .from_str(&document)
        .entries()
        .nth(1);
    let place = problem.unwrap().unwrap_err().position().unwrap();
    assert_eq!((place.column(), place.byte()), (end as u64 + 6, end as u64 + 6));
}

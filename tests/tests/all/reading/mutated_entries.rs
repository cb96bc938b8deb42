//! Entries that mostly repeat their predecessors, and differ in one place: the reader's expectation never changes the result.
//!
//! A reader that gets one byte at a time has no bytes ahead to compare with its expectation, so it always takes the general path.
//! All others must give what it gives: the same records, values, errors and places.

mod generator;
mod lenient;

use std::fmt::{Debug, Write};

use sitemap_serde::iter::Field;
use sitemap_serde::source::DocumentSource;
use sitemap_serde::{Limits, Mode, Reader, ReaderBuilder, Record};
use sitemap_tests::{Chunks, Problem, Random, drain, limited, rounds};

use generator::{ENTRIES, NAMESPACES, document_and_limits};

/// All data of a record.
fn describe(record: &Record) -> String {
    fn push<'r>(fields: impl Iterator<Item = Field<'r>>, out: &mut String) {
        for field in fields {
            let _ = write!(
                out,
                "{}={:?}@{:?}(",
                field.name(),
                field.text(),
                field.byte_range()
            );
            push(field.fields(), out);
            out.push(')');
        }
    }
    let mut out = format!(
        "{} {:?} {:?} ",
        record.number(),
        record.byte_range(),
        record.source()
    );
    push(record.fields(), &mut out);
    out
}

/// Compares the results of two readings, and shows the first difference.
#[track_caller]
fn assert_same<T: PartialEq + Debug>(found: &[T], expected: &[T], document: &[u8]) {
    let pairs = found.iter().zip(expected);
    let first = pairs.take_while(|(found, expected)| found == expected).count();
    assert_eq!(
        found.get(first),
        expected.get(first),
        "{}",
        String::from_utf8_lossy(document)
    );
}

/// All data of a document's records, and its errors.
fn read<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) -> Vec<Result<String, Problem>> {
    let mut record = Record::new();
    let mut all = Vec::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => all.push(Ok(describe(&record))),
            Ok(false) => break all,
            Err(error) => all.push(Err(Problem::of(&error))),
        }
    }
}

#[test]
fn candidates_do_not_change_what_is_read() {
    let mut random = Random::new(1973);
    let (mut read_records, mut errors) = (0, 0);
    for round in 0..rounds(2_000) {
        let (document, builder) = document_and_limits(&mut random, round);
        let shown = || String::from_utf8_lossy(&document).into_owned();
        let general = read(&mut builder.from_reader(Chunks::new(&document, 1)));
        assert_eq!(read(&mut builder.from_slice(&document)), general, "{}", shown());
        let size = 16 + random.below(400);
        assert_eq!(
            read(&mut builder.from_reader(Chunks::new(&document, size))),
            general,
            "{}",
            shown()
        );
        read_records += general.iter().filter(|record| record.is_ok()).count();
        errors += general.iter().filter(|record| record.is_err()).count();

        let general = drain(builder.from_reader(Chunks::new(&document, 1)).entries());
        assert_eq!(
            drain(builder.from_slice(&document).entries()),
            general,
            "{}",
            shown()
        );
    }
    println!("{read_records} records, {errors} errors");
    assert!(
        read_records > rounds(3_000) && errors > rounds(1_250),
        "{read_records} records, {errors} errors"
    );
}

/// Both paths accept exactly the limit, and reject one more byte, level or attribute.
#[test]
fn the_limits_are_the_same_on_both_paths() {
    const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:s='urn:shop'>";
    // `~` is replaced by a longer text, and `_` by white space of the same length.
    const ENTRIES: [&str; 13] = [
        "<url>\n<loc>http://e.com/~</loc></url>",
        "<url>\n<loc>http://e.com/&amp;~</loc></url>",
        "<url>\n<loc><![CDATA[http://e.com/~]]></loc></url>",
        "<url>\n<loc>\n<![CDATA[http://e.com/~]]>\n</loc></url>",
        "<url>\n<loc>http<![CDATA[://e.com/~]]></loc></url>",
        "<url>\n<loc><![CDATA[http]]>://e.com/~</loc></url>",
        "<url>\n<loc>http://e.com/</loc><s:a b='~'/></url>",
        "<url>\n<loc>http://e.com/</loc><s:a b='&amp;~'><s:c/></s:a></url>",
        "<url>\n<loc >http://e.com/</loc_></url>",
        "<url>\n<loc_>http://e.com/</loc></url>",
        "<url_>\n<loc>http://e.com/</loc></url_>",
        "<url>_<loc>http://e.com/</loc></url>",
        "<url>\n<loc>http://e.com/</loc>\n<!--~--></url>",
    ];
    // Returns `true` if strict reading accepts the document.
    let check = |document: &str, limits: Limits| {
        [Mode::Lenient, Mode::Strict].map(|mode| {
            let mut builder = ReaderBuilder::new();
            builder
                .namespace("s", "urn:shop")
                .limits(limits.clone())
                .mode(mode);
            let general = read(&mut builder.from_reader(Chunks::new(document.as_bytes(), 1)));
            assert_eq!(
                read(&mut builder.from_slice(document.as_bytes())),
                general,
                "{document}"
            );
            assert_eq!(
                read(&mut builder.from_reader(document.as_bytes())),
                general,
                "{document}"
            );
            general.iter().all(Result::is_ok)
        })[1]
    };
    for entry in ENTRIES {
        let sized = |len: usize| {
            entry
                .replace('~', &"x".repeat(len))
                .replace('_', &" ".repeat(len))
        };
        let mut fit = 0;
        for len in ROOT.len() - 28..ROOT.len() + 4 {
            let document = format!("{ROOT}{}{}{}</urlset>", sized(4).repeat(3), sized(len), sized(4));
            let limits = limited(Limits::reading(), |limits| limits.token_bytes = ROOT.len());
            fit += usize::from(check(&document, limits));
        }
        assert!(fit > 0 && (fit < 32 || entry.contains(">_<")), "{entry}");
        let document = format!("{ROOT}{}{}{}</urlset>", sized(4).repeat(3), sized(20), sized(4));
        let long = sized(20).len();
        let fit = (long - 3..long + 3)
            .filter(|bytes| check(&document, Limits::reading().with_entry_bytes(*bytes)))
            .count();
        assert!((1..6).contains(&fit), "{entry}");
    }
    // Known elements that repeat at a deeper level, and with more attributes.
    let inner = "<s:a><s:b>1</s:b><s:c d='1' e='2'/><s:c d='1'>1</s:c></s:a>";
    let entry = |inner: &str| format!("<url>\n<loc>http://e.com/</loc>{inner}</url>");
    let deeper = format!("<s:g><s:g>{inner}</s:g>{inner}</s:g>");
    for changed in [&deeper, "<s:c d='1' e='2' f='3'/>", "<s:c\ne='2'\nd='1'/>"] {
        let document = format!(
            "{ROOT}{}{}{}</urlset>",
            entry(inner).repeat(3),
            entry(changed),
            entry(inner)
        );
        for most in 0..8 {
            check(
                &document,
                limited(Limits::reading(), |limits| limits.depth = most),
            );
            check(
                &document,
                limited(Limits::reading(), |limits| limits.attributes = most),
            );
        }
    }
}

/// Links with four attributes in every possible order, which gives more forms of a tag than a reader remembers.
#[test]
fn attributes_in_any_order_are_read_alike() {
    const ATTRIBUTES: [&str; 4] = [
        "rel='alternate'",
        "hreflang='de'",
        "media=\"a&amp;#\"",
        "href='http://e.com/#'",
    ];
    let mut links = Vec::new();
    for order in 0..4_usize.pow(4) {
        let order = [order % 4, order / 4 % 4, order / 16 % 4, order / 64];
        if (0..4).all(|i| order.contains(&i)) {
            links.push(format!(
                "<xhtml:link {}/>",
                order.map(|i| ATTRIBUTES[i]).join(" ")
            ));
        }
    }
    assert_eq!(links.len(), 24);
    let entry = |i: usize| {
        let number = i.to_string();
        let links = [&links[i % 24], &links[(7 * i + 5) % 24]].map(|link| link.replace('#', &number));
        format!("<url><loc>http://e.com/{number}</loc>{}</url>\n", links.concat())
    };
    let entries: String = (0..96).map(entry).collect();
    let document = format!("<urlset {NAMESPACES}>{entries}</urlset>");
    for mode in [Mode::Strict, Mode::Lenient] {
        let mut builder = ReaderBuilder::new();
        builder.mode(mode);
        let general = read(&mut builder.from_reader(Chunks::new(document.as_bytes(), 1)));
        assert_eq!(general.iter().filter(|record| record.is_ok()).count(), 96);
        assert_same(
            &read(&mut builder.from_slice(document.as_bytes())),
            &general,
            document.as_bytes(),
        );
        for size in [7, 256] {
            let pieces = Chunks::new(document.as_bytes(), size);
            assert_same(
                &read(&mut builder.from_reader(pieces)),
                &general,
                document.as_bytes(),
            );
        }
    }
}

/// The end tag of an element that is never learned, or not again, does not end another element.
#[test]
fn an_element_is_ended_by_its_own_tag() {
    let root =
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:s='urn:shop' xmlns:o='urn:o'>";
    for (usual, other) in [
        (
            "<s:a o:x='1'><s:b>1</s:b></s:a>",
            "<s:a o:x='1'><s:c><s:d/></s:a></s:a>",
        ),
        ("<s:a o:x='1'></s:a>", "<s:a o:x='1'><s:c></s:a></s:a>"),
        ("<o:a><o:b/></o:a>", "<o:a><o:b/></o:a><s:c><s:d/></o:a>"),
        ("<s:a>x<s:b/></s:a>", "<s:a>x<s:b/></s:a><s:c><s:d/></s:a>"),
        ("<lastmod><s:b/></lastmod>", "<s:c><s:d/></lastmod>"),
    ] {
        let entry = |inner: &str| format!("<url><loc>http://e.com/</loc>{inner}</url>\n");
        let document = format!("{root}{}{}</urlset>", entry(usual).repeat(8), entry(other));
        let mut builder = ReaderBuilder::new();
        builder.namespace("s", "urn:shop");
        let general = read(&mut builder.from_reader(Chunks::new(document.as_bytes(), 1)));
        assert_eq!(
            read(&mut builder.from_slice(document.as_bytes())),
            general,
            "{other}"
        );
        let last = general.last().and_then(|last| last.as_ref().err());
        assert!(
            last.is_some_and(|last| last.message.contains("where `</s:c>` is expected")),
            "{other}: {last:?}"
        );
    }
}

/// An element with several locs has the same entries as several elements with one each.
#[test]
fn several_entries_in_one_element_are_as_in_elements_of_their_own() {
    fn texts<'r>(fields: impl Iterator<Item = Field<'r>>, out: &mut String) {
        for field in fields {
            let _ = write!(out, "{}={:?}(", field.name(), field.text());
            texts(field.fields(), out);
            out.push(')');
        }
    }
    let mut random = Random::new(1977);
    let mut several = 0;
    for round in 0..rounds(200) {
        let parts: Vec<String> = (0..2 + random.below(3))
            .map(|i| {
                let mut entry =
                    ENTRIES[random.below(ENTRIES.len())].replace('#', &(10 * round + i).to_string());
                if random.below(2) == 0 {
                    let mixed = "<shop:m a='&lt;'> x&amp;<shop:n>1&amp;</shop:n><![CDATA[&]]></shop:m>";
                    entry = entry.replace("</url>", &format!("{mixed}</url>"));
                }
                let inner = entry.trim().trim_start_matches("<url>");
                inner.split("</url>").next().unwrap_or_default().to_owned()
            })
            .filter(|inner| {
                !inner.contains("<loc><lastmod>") && !inner.contains("<loc><![CDATA[http://e.com/?a&")
            })
            .collect();
        let read_all = |entries: String| {
            let document = format!("<urlset {NAMESPACES}>{entries}</urlset>");
            let mut builder = ReaderBuilder::new();
            builder.namespace("shop", "urn:shop").mode(Mode::Lenient);
            let mut reader = builder.from_slice(document.as_bytes());
            let (mut record, mut all) = (Record::new(), Vec::new());
            while reader.read_record(&mut record).unwrap() {
                let mut text = String::new();
                texts(record.fields(), &mut text);
                all.push(text);
            }
            all
        };
        let own = read_all(format!("<url>{}</url>", parts.join("</url><url>")));
        assert_eq!(
            read_all(format!("<url>{}</url>", parts.concat())),
            own,
            "{parts:?}"
        );
        several += usize::from(own.len() > 1);
    }
    assert!(several > rounds(100), "{several}");
}

/// The fast path once had its own grammar: it read the second of two entries differently from the first.
#[test]
fn equal_entries_are_read_alike() {
    let read_all = |entry: &str| {
        let xml = format!("<urlset {NAMESPACES}>{}</urlset>", entry.repeat(3));
        read(&mut Reader::from_str(&xml))
            .into_iter()
            .map(|outcome| match outcome {
                Ok(record) => record
                    .split_once(" \"")
                    .map_or(String::new(), |(_, said)| said.to_owned()),
                Err(problem) => problem
                    .message
                    .split(", at line")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            })
            .map(|said| said.split("</url>\" ").nth(1).unwrap_or(&said).to_owned())
            .collect::<Vec<_>>()
    };
    let texts = |entry: &str| {
        let xml = format!("<urlset {NAMESPACES}>{}</urlset>", entry.repeat(3));
        let mut reader = Reader::from_str(&xml);
        let mut record = Record::new();
        let mut found = Vec::new();
        while reader.read_record(&mut record).unwrap() {
            let image = record
                .fields()
                .find(|field| field.name() == "image:image")
                .unwrap();
            found.push(image.get("image:caption").unwrap().to_owned());
        }
        found
    };
    let mixed = "<url><loc>http://e.com/</loc><image:image><image:loc>http://e.com/1</image:loc>\
                 <image:caption>Hello<b></b> world</image:caption></image:image></url>";
    assert_eq!(texts(mixed), ["Hello world"; 3]);
    for unknown in ["Loc", "links"] {
        let found = read_all(&format!("<url><{unknown}>http://e.com/</{unknown}></url>"));
        assert_eq!(found, vec![found[0].clone(); 3]);
    }
    for within_core in [
        "<url><loc><lastmod>2020-01-02</lastmod>http://e.com/</loc></url>",
        "<url><loc>http://e.com/<b/></loc></url>",
    ] {
        assert_eq!(
            read_all(within_core),
            ["an element within `loc`, which contains text only (P-ESC); remove it, or write its `<` as `&lt;` if it is text";
                3]
        );
    }
}

/// `Limits::bytes` ends the reading at the same byte, inside any construct.
#[test]
fn a_document_that_is_too_long_is_so_at_the_same_byte() {
    let document = format!(
        "<urlset {NAMESPACES}>{}</urlset>\n",
        "\n  <url>\n    <loc>http://e.com/</loc>\n  </url>".repeat(4)
    );
    for bytes in 0..=document.len() as u64 {
        let mut builder = ReaderBuilder::new();
        builder.limits(Limits::reading().with_bytes(bytes));
        let general = read(&mut builder.from_reader(Chunks::new(document.as_bytes(), 1)));
        assert_eq!(
            read(&mut builder.from_slice(document.as_bytes())),
            general,
            "{bytes}"
        );
        assert_eq!(
            read(&mut builder.from_reader(document.as_bytes())),
            general,
            "{bytes}"
        );
    }
}

#[test]
fn candidates_are_bound_to_their_scope() {
    let entry = |rest: &str| format!("<url><loc>http://e.com/</loc>{rest}</url>\n");
    let priority = "<priority>0.5</priority>";
    let foreign = format!("<image:image xmlns='urn:x'>{priority}</image:image>");
    let xml = format!(
        "<urlset {NAMESPACES}>{}{}{}{}</urlset>",
        entry(priority),
        entry(priority),
        entry(&foreign),
        entry(priority)
    );
    let mut reader = Reader::from_str(&xml);
    let mut record = Record::new();
    let mut found = Vec::new();
    while reader.read_record(&mut record).unwrap() {
        let image = record.fields().find(|field| field.name() == "image:image");
        found.push((
            record.get("priority").is_some(),
            image.map(|image| image.fields().count()),
        ));
    }
    let plain = (true, None);
    assert_eq!(found, [plain, plain, (false, Some(0)), plain]);
}

/// A prefix with another namespace in a second entry, which is otherwise the same.
#[test]
fn leaves_are_bound_to_their_scope() {
    let entry = |uri: &str| format!("<url xmlns:s='{uri}'><loc>http://e.com/</loc><s:t>1</s:t></url>\n");
    let uris = [
        "urn:o", "urn:o", "urn:shop", "urn:o", "urn:shop", "urn:shop", "urn:o",
    ];
    let xml = format!("<urlset {NAMESPACES}>{}</urlset>", uris.map(entry).concat());
    let mut builder = ReaderBuilder::new();
    builder.namespace("s", "urn:shop");
    let mut reader = builder.from_str(&xml);
    let mut record = Record::new();
    for uri in uris {
        assert!(reader.read_record(&mut record).unwrap());
        assert_eq!(record.get("s:t").is_some(), uri == "urn:shop", "{uri}");
    }
}

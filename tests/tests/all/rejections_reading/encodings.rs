//! Encodings, and compressed documents.

use std::io::Write;

use serde::de::IgnoredAny;
use sitemap_serde::{ErrorKind, UrlEntry};
use sitemap_tests::{Marked, Problem, Random, Trickle, checked_outcomes, marked, outcomes, read, urlset};

use crate::rejections_reading::{FIRST, Failing, IgnoredAny2, between};

#[test]
fn a_byte_order_mark() {
    let document = format!(
        "\u{FEFF}{}",
        urlset("<url><loc>https://example.com/1</loc></url>")
    );
    assert_eq!(outcomes::<UrlEntry>(&document), [Ok(UrlEntry::new(FIRST))]);
    // It is not a character of the first line, but takes three bytes.
    let problem = read::<Vec<UrlEntry>>("\u{FEFF}x").unwrap_err();
    assert_eq!(problem.place, Some((1, 1, 3)));
    // A second one is text.
    let problem = read::<Vec<UrlEntry>>(format!("\u{FEFF}{document}")).unwrap_err();
    assert_eq!(
        problem.message,
        "`\\u{feff}` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), \
         at line 1, column 1 (byte 3)"
    );
}

/// The error of bytes that no text can hold.
#[track_caller]
fn not_text(document: &[u8], place: (u64, u64, u64), before: usize, path: &str, message: &str) {
    let (line, column, byte) = place;
    let comma = if path.is_empty() { "" } else { ", " };
    let outcomes = outcomes::<UrlEntry>(document);
    let (problem, read_before) = outcomes.split_last().unwrap();
    let problem = problem.as_ref().unwrap_err();
    assert_eq!(
        problem.message,
        format!("{message}, at line {line}, column {column} (byte {byte}){comma}{path}")
    );
    assert_eq!(problem.place, Some(place));
    assert_eq!((problem.kind, problem.rule), (ErrorKind::Syntax, Some("P-UTF8")));
    assert_eq!(read_before.len(), before);
    assert!(read_before.iter().all(Result::is_ok));
    assert_eq!(checked_outcomes(document), outcomes);
    assert_eq!(read::<Vec<UrlEntry>>(document).as_ref(), Err(problem));
    assert_eq!(read::<IgnoredAny2>(document).as_ref(), Err(problem));
}

#[test]
fn bytes_that_are_not_utf_8() {
    let mut document = between("<url><loc>https://example.com/‸</loc></url>");
    let place = marked(&document).place;
    let at = document.find('‸').unwrap();
    document = document.replace('‸', "");
    for bad in [
        &b"\xE9"[..],
        b"\xFF",
        b"\xC0\x80",
        b"\xED\xA0\x80",
        b"\xF5\x80\x80\x80",
        b"\x80",
    ] {
        let bytes = [&document.as_bytes()[..at], bad, &document.as_bytes()[at..]].concat();
        not_text(
            &bytes,
            place,
            1,
            "entry 2",
            &format!(
                "invalid UTF-8: the byte 0x{:02X} (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in",
                bad[0]
            ),
        );
    }
    // The rules are as strict after the end of the root.
    let fine = urlset("<url><loc>https://example.com/1</loc></url>");
    not_text(
        &[fine.as_bytes(), b"\xFF"].concat(),
        (1, fine.len() as u64 + 1, fine.len() as u64),
        1,
        "",
        "invalid UTF-8: the byte 0xFF (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in",
    );
}

/// A document in UTF-16, and its decoded form.
fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(order).collect()
}

#[test]
fn other_encodings_by_their_first_bytes() {
    let text = between("<url><loc>‸/é</loc></url>");
    let Marked { text, place } = marked(&text);
    let expected = outcomes::<UrlEntry>(&text);
    assert_eq!(expected[1].as_ref().unwrap_err().place, Some(place));
    let text = text.replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
    for (order, mark) in [
        (u16::to_be_bytes as fn(u16) -> [u8; 2], "\u{FEFF}"),
        (u16::to_le_bytes, "\u{FEFF}"),
        (u16::to_be_bytes, ""),
        (u16::to_le_bytes, ""),
    ] {
        let found = outcomes::<UrlEntry>(utf16(&format!("{mark}{text}"), order));
        assert_eq!(found.len(), 3);
        assert_eq!((&found[0], &found[2]), (&expected[0], &expected[2]));
        // Byte positions refer to the UTF-8 text, which is longer by the encoding's name.
        let found = found[1].as_ref().unwrap_err().place.unwrap();
        assert_eq!(found, (place.0, place.1, place.2 + 1));
    }
    let utf32: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    not_text(
        &utf32,
        (1, 1, 0),
        0,
        "",
        "the document is in UTF-32, which XML tools do not take (P-UTF8); convert it to UTF-8",
    );
}

#[test]
fn other_encodings_by_their_name() {
    for (name, bytes) in [
        ("ISO-8859-1", &b"\xE9"[..]),
        ("windows-1252", b"\xE9"),
        ("UTF-8", "é".as_bytes()),
    ] {
        let document = between("<url><loc>https://example.com/‸</loc></url>").replace("UTF-8", name);
        let (before, after) = document.split_once('‸').unwrap();
        // The comment before it must be in that encoding, too.
        let before = before.replace("<!-- é -->", "");
        let found = checked_outcomes([before.as_bytes(), bytes, after.as_bytes()].concat());
        assert_eq!(found[1], Ok(UrlEntry::new("https://example.com/é")), "{name}");
    }
    // For input outside UTF-8, the content does not matter. For text, the declaration does not matter.
    let document = format!("<?xml version=\"1.0\" encoding=\"klingon\"?>{}", urlset(""));
    not_text(
        &[document.as_bytes(), b"\xE9"].concat(),
        (1, 1, 0),
        0,
        "",
        "the document is in `klingon`, an unknown encoding (P-UTF8); convert it to UTF-8",
    );
    // A declaration that could be read is not in UTF-16, whatever it contains.
    for name in ["UTF-16", "utf-16", "UTF-16LE", "utf-16be", "UCS-2"] {
        let document = format!("<?xml version=\"1.0\" encoding=\"{name}\"?>{}", urlset(""));
        not_text(
            &[document.as_bytes(), b"\xE9"].concat(),
            (1, 1, 0),
            0,
            "",
            &format!(
                "the document is declared to be in `{name}`, but its first bytes are not (P-UTF8); correct its declaration"
            ),
        );
    }
    // Late declarations are ignored, too, for input at once or in pieces.
    let document = format!(
        "<?xml version='1.0'{}encoding='windows-1252'?>{}",
        " ".repeat(1100),
        urlset("")
    );
    let found = checked_outcomes([document.as_bytes(), b"\xE9"].concat());
    let [Err(problem)] = &found[..] else {
        panic!("{found:?}")
    };
    assert!(
        problem.message.starts_with(
            "the declaration that the document is in `windows-1252` is not within its first 1,024 bytes (P-UTF8); convert it to UTF-8"
        ),
        "{}",
        problem.message
    );
    // After the UTF-8 byte order mark, the document is UTF-8, whatever it declares.
    let document = format!(
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"windows-1252\"?>{}",
        urlset("")
    );
    let problem = Problem::of(&sitemap_serde::from_slice::<IgnoredAny>(document.as_bytes()).unwrap_err());
    assert_eq!(
        problem.message,
        "the document is declared to be in `windows-1252`, but begins with the byte order mark of UTF-8 (P-UTF8); correct its \
         declaration, at line 1, column 21 (byte 23)"
    );
    // A `<` before a character that XML forbids is not UTF-16.
    let problem = read::<Vec<UrlEntry>>("<\0urlset/>").unwrap_err();
    assert_eq!(
        problem.message,
        "found `\\u{0}` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at \
         line 1, column 2 (byte 1)"
    );
    for name in [
        "UTF-8",
        "utf-8",
        "us-ascii",
        "unicode-1-1-utf-8",
        "unicode11utf8",
        "unicode20utf8",
        "x-unicode20utf8",
    ] {
        let document = format!(
            "<?xml version='1.0' encoding='{name}' standalone='yes' ?>{}",
            urlset("")
        );
        assert_eq!(read::<Vec<UrlEntry>>(document), Ok(vec![]));
    }
}

#[test]
fn other_encodings_cut_off_at_every_byte() {
    let text = urlset("<url><loc>https://example.com/é🦀</loc></url>");
    let declared = format!(
        "<?xml version='1.0' encoding='Shift_JIS'?>{}",
        urlset("<!-- @ -->")
    );
    let (before, after) = declared.split_once('@').unwrap();
    for document in [
        utf16(&format!("\u{FEFF}{text}"), u16::to_le_bytes),
        utf16(&text, u16::to_be_bytes),
        [before.as_bytes(), b"\x83\x54", after.as_bytes()].concat(),
    ] {
        sitemap_serde::from_slice::<IgnoredAny>(&document).unwrap();
        for cut in 0..document.len() {
            let part = &document[..cut];
            let slice = Problem::of(&sitemap_serde::from_slice::<IgnoredAny>(part).unwrap_err());
            let stream =
                Problem::of(&sitemap_serde::from_reader::<_, IgnoredAny>(Trickle::new(part)).unwrap_err());
            assert_eq!(slice, stream);
            // One byte does not identify an encoding.
            let expected = |kind| cut < 2 && kind != ErrorKind::Data || kind == ErrorKind::Eof;
            assert!(expected(slice.kind), "{cut}: {}", slice.message);
            // The error is always the reader's failure, even within a construct.
            let failing = Failing::after(part);
            let failed = sitemap_serde::from_reader::<_, IgnoredAny>(failing).unwrap_err();
            assert_eq!(failed.kind(), ErrorKind::Io, "{cut}: {failed}");
        }
    }
}

#[test]
fn a_compressed_file_cut_off_at_every_byte() {
    let document = between("<url><loc>https://example.com/2</loc></url>");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(document.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    assert_eq!(checked_outcomes(&compressed), checked_outcomes(&document));
    for cut in 0..compressed.len() {
        let outcomes = checked_outcomes(&compressed[..cut]);
        let (last, before) = outcomes.split_last().unwrap();
        assert!(before.iter().all(Result::is_ok) && last.is_err(), "{cut}");
        assert!(read::<IgnoredAny2>(&compressed[..cut]).is_err(), "{cut}");
        let failing = Failing::after(&compressed[..cut]);
        let failed = sitemap_serde::from_reader::<_, IgnoredAny>(failing).unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::Io, "{cut}: {failed}");
        assert!(
            failed.to_string().contains("the cable was pulled"),
            "{cut}: {failed}"
        );
    }
    // A wrong checksum is also an error, although the text is complete.
    let mut wrong = compressed.clone();
    let checksum = wrong.len() - 8;
    wrong[checksum] ^= 1;
    let outcomes = checked_outcomes(&wrong);
    let problem = outcomes.last().unwrap().as_ref().unwrap_err();
    assert_eq!(problem.kind, ErrorKind::Io);
    assert!(read::<IgnoredAny2>(&wrong).is_err());
    let members = [&compressed[..], &wrong[..9]].concat();
    let outcomes = checked_outcomes(&members);
    assert_eq!(
        outcomes.last().unwrap().as_ref().unwrap_err().kind,
        ErrorKind::Eof
    );
}

#[test]
fn a_compressed_file_that_something_follows() {
    let compress = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let document = urlset("<url><loc>https://example.com/1</loc></url>");
    let compressed = compress(document.as_bytes());
    let place = format!(
        "at line 1, column {} (byte {})",
        document.len() + 1,
        document.len()
    );
    // Zero padding is not part of the file.
    for zeros in [1, 512, 20_000] {
        let padded = [&compressed[..], &vec![0; zeros]].concat();
        assert_eq!(checked_outcomes(padded), [Ok(UrlEntry::new(FIRST))]);
    }
    for after in [&b"<urlset/>"[..], b"x", b"\0\0x", b"\0\x1F\x8B"] {
        let outcomes = checked_outcomes([&compressed, after].concat());
        assert_eq!(outcomes[0], Ok(UrlEntry::new(FIRST)));
        let problem = outcomes[1].as_ref().unwrap_err();
        assert_eq!((problem.kind, problem.rule), (ErrorKind::Io, Some("P-GZIP")));
        assert_eq!(
            problem.message,
            format!(
                "the compressed data is followed by data that is not compressed (P-GZIP); get a new copy, {place}"
            )
        );
    }
    let (before, after) = document.as_bytes().split_at(70);
    for whole in [
        [compress(before), compress(after)].concat(),
        [&compressed[..], &compress(b"")].concat(),
    ] {
        assert_eq!(checked_outcomes(whole), [Ok(UrlEntry::new(FIRST))]);
    }
    let problem = read::<IgnoredAny2>(compress(&compressed)).unwrap_err();
    assert_eq!(
        problem.message,
        "the document is compressed twice (P-GZIP); decompress it once, at line 1, column 1 (byte 0)"
    );
}

/// For any pieces of input, the text before the damage is read, and the error has the same position.
#[test]
fn a_compressed_file_damaged_at_every_byte() {
    let mut random = Random::new(0x6d61_7073);
    let entries: Vec<String> = (0..60)
        .map(|_| {
            let page = random.below(1_000_000_000);
            format!("<url><loc>https://example.com/{page}</loc></url>")
        })
        .collect();
    let document = urlset(&entries.join("\n"));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(document.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();

    let mut in_the_middle = 0;
    for at in 2..compressed.len() {
        let mut damaged = compressed.clone();
        damaged[at] ^= 0x81;
        let outcomes = checked_outcomes(&damaged);
        if let Some((Err(problem), before)) = outcomes.split_last()
            && problem.message.contains("damaged from here on")
            && before.iter().any(Result::is_ok)
            && before.len() < entries.len()
        {
            in_the_middle += 1;
        }
    }
    assert!(in_the_middle > 0);
}

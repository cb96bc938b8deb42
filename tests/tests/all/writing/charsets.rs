//! Percent-encoding in the server's encoding, against Python's codecs, character by character (P-LOCENC).

use std::collections::BTreeMap;

use sitemap_serde::{ErrorKind, Limits, Rule, UrlEntry, Writer, WriterBuilder};

/// A Python codec's encoding of every character that it supports. See `data/charsets/README.md`.
fn recorded(table: &str) -> BTreeMap<char, Vec<u8>> {
    let mut all = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (first, rest) = line.split_once(": ").unwrap();
        let first = u32::from_str_radix(first, 16).unwrap();
        for (code_point, bytes) in (first..).zip(rest.split(' ')) {
            let bytes = (0..bytes.len())
                .step_by(2)
                .map(|i| u8::from_str_radix(&bytes[i..i + 2], 16).unwrap())
                .collect();
            all.insert(char::from_u32(code_point).unwrap(), bytes);
        }
    }
    all
}

/// The bytes that encode a character. `None` if the encoding lacks it.
fn written(writer: &mut Writer<Vec<u8>>, c: char) -> Option<Vec<u8>> {
    writer.flush().unwrap();
    writer.get_mut().clear();
    if let Err(error) = writer.serialize(&UrlEntry::new(format!("https://example.com/{c}!"))) {
        assert_eq!(error.kind(), ErrorKind::Data);
        assert_eq!(error.rule(), Some(Rule::LocEnc), "{error}");
        return None;
    }
    writer.flush().unwrap();
    let xml = std::str::from_utf8(writer.get_ref()).unwrap();
    let (_, rest) = xml.split_once("<loc>https://example.com/").unwrap();
    let (encoded, _) = rest.split_once("!</loc>").unwrap();
    let mut bytes = Vec::new();
    let mut rest = encoded;
    while let Some(first) = rest.chars().next() {
        if let Some(triplet) = rest.strip_prefix('%') {
            let (hex, after) = triplet.split_at(2);
            assert!(!hex.contains(|c: char| c.is_ascii_lowercase()), "{encoded}");
            let byte = u8::from_str_radix(hex, 16).unwrap();
            // An unreserved character is never encoded (RFC 3986 section 2.3).
            assert!(
                !byte.is_ascii_alphanumeric() && !b"-._~".contains(&byte),
                "{encoded}"
            );
            bytes.push(byte);
            rest = after;
        } else {
            assert!(
                first.is_ascii_alphanumeric() || "-._~".contains(first),
                "{encoded}"
            );
            bytes.extend_from_slice(first.to_string().as_bytes());
            rest = &rest[1..];
        }
    }
    Some(bytes)
}

/// A character with different encodings in both.
struct Difference {
    c: char,
    /// Python's encoding of it.
    there: Option<Vec<u8>>,
    /// What is written.
    here: Option<Vec<u8>>,
}

impl Difference {
    /// The first byte of Python's encoding, or 0 without one.
    fn there(&self) -> u8 {
        self.there.as_ref().map_or(0, |bytes| bytes[0])
    }

    /// The first written byte, or 0 if the character is refused.
    fn here(&self) -> u8 {
        self.here.as_ref().map_or(0, |bytes| bytes[0])
    }
}

fn differences(label: &str, table: &BTreeMap<char, Vec<u8>>) -> Vec<Difference> {
    let mut builder = WriterBuilder::new();
    builder.encoding(label).limits(Limits::reading());
    let mut writer = builder.from_writer(Vec::new());
    // None of them has a character beyond the first plane, so a few of those are enough. URLs contain no control characters.
    let all = ('\u{A0}'..'\u{FFFE}').chain(('\u{10000}'..=char::MAX).step_by(997));
    let mut same = 0;
    let differences = all
        .filter_map(|c| {
            let here = written(&mut writer, c);
            let there = table.get(&c).cloned();
            same += usize::from(here.is_some() && here == there);
            (here != there).then_some(Difference { c, there, here })
        })
        .collect::<Vec<_>>();
    let differing = differences
        .iter()
        .filter(|difference| difference.there.is_some())
        .count();
    assert_eq!(
        same + differing,
        table.keys().filter(|c| !c.is_control()).count(),
        "every character of the table was met"
    );
    differences
}

/// The reason for a difference, and the number of characters.
type Reason = (usize, fn(&Difference) -> bool);

/// Every difference has one of the reasons, and each reason has this number of differences.
fn assert_differences(label: &str, table: &BTreeMap<char, Vec<u8>>, reasons: &[Reason]) {
    let mut counts = vec![0; reasons.len()];
    for difference in differences(label, table) {
        let reasons: Vec<usize> = (0..reasons.len())
            .filter(|&i| reasons[i].1(&difference))
            .collect();
        let Difference { c, there, here } = difference;
        assert_eq!(
            reasons.len(),
            1,
            "{label}: U+{:04X} is {there:X?} there, and here {here:X?}",
            u32::from(c)
        );
        counts[reasons[0]] += 1;
    }
    let expected: Vec<usize> = reasons.iter().map(|reason| reason.0).collect();
    assert_eq!(counts, expected, "{label}");
}

/// Read by Windows, and so by the web, from the bytes of `¢£¬‖〜` in JIS X 0208.
const FULL_WIDTH: &str = "￠￡￢∥～";

#[test]
fn euc_jp() {
    let table = recorded(include_str!("../../../data/charsets/euc_jp.txt"));
    assert_differences(
        "euc-jp",
        &table,
        &[
            (5786, |d| d.there() == 0x8F && d.here.is_none()),
            (280, |d| {
                d.there() == 0x8F && matches!(d.here(), 0xAD | 0xF9..=0xFC)
            }),
            (167, |d| {
                d.there.is_none() && matches!(d.here(), 0xAD | 0xF9..=0xFC)
            }),
            (5, |d| "¢£¬‖〜".contains(d.c) && d.here.is_none()),
            (5, |d| FULL_WIDTH.contains(d.c) && d.there.is_none()),
            (1, |d| d.c == '－' && d.here == Some(vec![0xA1, 0xDD])),
            (3, |d| "¥‾−".contains(d.c) && d.here.is_none()),
        ],
    );
    for (narrow, wide) in "¢£¬‖〜−".chars().zip("￠￡￢∥～－".chars()) {
        let mut builder = WriterBuilder::new();
        let mut writer = builder.encoding("euc-jp").from_writer(Vec::new());
        assert_eq!(written(&mut writer, wide), table.get(&narrow).cloned());
    }
}

#[test]
fn shift_jis() {
    assert_differences(
        "shift_jis",
        &recorded(include_str!("../../../data/charsets/cp932.txt")),
        &[
            (5, |d| "¢£¬‖〜".contains(d.c) && d.here.is_none()),
            (373, |d| {
                matches!(d.there(), 0xED | 0xEE) && matches!(d.here(), 0xFA..=0xFC)
            }),
            (1880, |d| {
                ('\u{E000}'..='\u{E757}').contains(&d.c) && d.here.is_none()
            }),
            (4, |d| {
                ('\u{F8F0}'..='\u{F8F3}').contains(&d.c) && d.here.is_none()
            }),
            (1, |d| d.c == '−' && d.here.is_none()),
        ],
    );
}

#[test]
fn gbk() {
    let mut table = recorded(include_str!("../../../data/charsets/gbk.txt"));
    table.extend(recorded(include_str!("../../../data/charsets/gb18030.txt")));
    assert_differences(
        "gbk",
        &table,
        &[
            (1, |d| {
                d.c == '€' && d.here == Some(vec![0x80]) && d.there == Some(vec![0xA2, 0xE3])
            }),
            (19, |d| {
                matches!(d.c, 'ḿ' | '\u{9FB4}'..='\u{9FBB}' | '\u{FE10}'..='\u{FE19}') && d.there.is_none()
            }),
            (1, |d| d.c == '\u{E5E5}' && d.there == Some(vec![0xA3, 0xA0])),
            // Private-use characters that have since been assigned, so they come back as the assigned ones.
            (18, |d| {
                ('\u{E78D}'..='\u{E864}').contains(&d.c) && d.here.is_none() && d.c != '\u{E7C7}'
            }),
            (1, |d| d.c == '\u{E7C7}' && d.there == Some(vec![0xA8, 0xBC])),
        ],
    );
}

#[test]
fn windows_1252() {
    assert_differences(
        "windows-1252",
        &recorded(include_str!("../../../data/charsets/cp1252.txt")),
        &[],
    );
}

#[test]
fn iso_8859_1() {
    let windows = recorded(include_str!("../../../data/charsets/cp1252.txt"));
    assert_differences(
        "iso-8859-1",
        &recorded(include_str!("../../../data/charsets/latin_1.txt")),
        &[(27, |d| d.there.is_none() && matches!(d.here(), 0x80..=0x9F))],
    );
    let mut builder = WriterBuilder::new();
    let mut writer = builder.encoding("iso-8859-1").from_writer(Vec::new());
    for (c, bytes) in windows {
        assert_eq!(written(&mut writer, c), Some(bytes));
    }
}

/// A character that the encoding stores as another one is refused: a server would read `\\` for a yen sign.
#[test]
fn characters_that_do_not_round_trip() {
    for (label, lost) in [("shift_jis", "¥‾−"), ("euc-jp", "¥‾−"), ("iso-2022-jp", "−ｱｶﾞ")]
    {
        let mut builder = WriterBuilder::new();
        let mut writer = builder.encoding(label).from_writer(Vec::new());
        // Refused rows count: two for each character.
        for (row, c) in (2..).step_by(2).zip(lost.chars()) {
            assert_eq!(written(&mut writer, c), None, "{label}: {c}");
            let among = writer.serialize(&UrlEntry::new(format!("https://example.com/日{c}本")));
            assert_eq!(
                among.unwrap_err().to_string(),
                format!(
                    "`https://example.com/日{c}本` holds `{c}` U+{:04X}, which {}, the server's encoding, does not have: a loc is \
                     percent-encoded in that encoding (P-LOCENC); change the URL, or name the encoding that the server decodes \
                     it by, entry {row} · loc",
                    u32::from(c),
                    match label {
                        "shift_jis" => "Shift_JIS",
                        "euc-jp" => "EUC-JP",
                        _ => "ISO-2022-JP",
                    }
                )
            );
        }
        assert!(
            writer
                .serialize(&UrlEntry::new("https://example.com/日本"))
                .is_ok()
        );
    }
}

/// Every character in UTF-8, compared to the standard library.
#[test]
fn utf_8() {
    let mut builder = WriterBuilder::new();
    let mut writer = builder.limits(Limits::reading()).from_writer(Vec::new());
    for c in ('\u{A0}'..'\u{FFFE}').chain(('\u{10000}'..=char::MAX).step_by(97)) {
        assert_eq!(written(&mut writer, c), Some(c.to_string().into_bytes()), "{c:?}");
    }
}

//! The encodings of servers, by the labels of the Encoding Standard (P-LOCENC).

use std::fmt;

use crate::error::{Message, Result, ValueError};
use crate::quote::quote;
use crate::rules::Rule;
use crate::suggest;

/// The name and the labels of each encoding, the most common encoding first, and its most common label.
const ENCODINGS: [(&str, &str); 40] = [
    (
        "UTF-8",
        "utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
    ),
    ("IBM866", "ibm866 866 cp866 csibm866"),
    (
        "ISO-8859-2",
        "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    ),
    (
        "ISO-8859-3",
        "iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    ),
    (
        "ISO-8859-4",
        "iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    ),
    (
        "ISO-8859-5",
        "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    ),
    (
        "ISO-8859-6",
        "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e \
         iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    ),
    (
        "ISO-8859-7",
        "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
         iso_8859-7:1987 sun_eu_greek",
    ),
    (
        "ISO-8859-8",
        "iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 \
         iso_8859-8 iso_8859-8:1988 visual",
    ),
    ("ISO-8859-8-I", "iso-8859-8-i csiso88598i logical"),
    (
        "ISO-8859-10",
        "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    ),
    ("ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"),
    ("ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"),
    (
        "ISO-8859-15",
        "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
    ),
    ("ISO-8859-16", "iso-8859-16"),
    ("KOI8-R", "koi8-r cskoi8r koi koi8 koi8_r"),
    ("KOI8-U", "koi8-u koi8-ru"),
    ("macintosh", "macintosh csmacintosh mac x-mac-roman"),
    (
        "windows-874",
        "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
    ),
    ("windows-1250", "windows-1250 cp1250 x-cp1250"),
    ("windows-1251", "windows-1251 cp1251 x-cp1251"),
    (
        "windows-1252",
        "windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 \
         iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",
    ),
    ("windows-1253", "windows-1253 cp1253 x-cp1253"),
    (
        "windows-1254",
        "windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 \
         l5 latin5 x-cp1254",
    ),
    ("windows-1255", "windows-1255 cp1255 x-cp1255"),
    ("windows-1256", "windows-1256 cp1256 x-cp1256"),
    ("windows-1257", "windows-1257 cp1257 x-cp1257"),
    ("windows-1258", "windows-1258 cp1258 x-cp1258"),
    ("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"),
    (
        "GBK",
        "gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
    ),
    ("gb18030", "gb18030"),
    ("Big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    ("EUC-JP", "euc-jp cseucpkdfmtjapanese x-euc-jp"),
    ("ISO-2022-JP", "iso-2022-jp csiso2022jp"),
    (
        "Shift_JIS",
        "shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
    ),
    (
        "EUC-KR",
        "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
         windows-949",
    ),
    (
        "replacement",
        "replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr",
    ),
    ("UTF-16BE", "utf-16be unicodefffe"),
    (
        "UTF-16LE",
        "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    ),
    ("x-user-defined", "x-user-defined"),
];

/// Encodings that the standard gives no encoder.
const UNUSABLE: [&str; 3] = ["UTF-16BE", "UTF-16LE", "replacement"];

/// Labels for the names that encodings have in databases and programming languages, which are written without punctuation here.
const ALIASES: [(&str, &str); 13] = [
    ("932", "shift_jis"),
    ("31j", "shift_jis"),
    ("windows31j", "shift_jis"),
    ("936", "gbk"),
    ("949", "euc-kr"),
    ("950", "big5"),
    ("51932", "euc-jp"),
    ("ujis", "euc-jp"),
    ("eucjpms", "euc-jp"),
    ("latin9", "iso-8859-15"),
    ("65001", "utf-8"),
    ("utf8mb3", "utf-8"),
    ("utf8mb4", "utf-8"),
];

/// The name of the encoding with this label, in any case.
///
/// # Errors
///
/// A [`ValueError`] if no encoding has it, or no URL is encoded in that encoding.
pub fn of_label(label: &str) -> Result<&'static str> {
    let trimmed = label.trim_ascii();
    let found = ENCODINGS
        .iter()
        .find(|(_, labels)| labels.split(' ').any(|label| label.eq_ignore_ascii_case(trimmed)));
    match found {
        Some((name, _)) if UNUSABLE.contains(name) => Err(unusable(label, name)),
        Some((name, _)) => Ok(name),
        None => Err(unknown(label)),
    }
}

#[cold]
fn unusable(label: &str, name: &str) -> ValueError {
    let name = match name {
        "replacement" => "an encoding that the Encoding Standard has withdrawn",
        name => name,
    };
    let message = Message::new(format!(
        "{} names {name}, in which no URL is encoded: a server's encoding is one that holds ASCII, such as `utf-8` or `euc-jp`",
        quote(label)
    ));
    ValueError::new(
        message.advice("write the one that the server decodes its URLs by, or leave it out for UTF-8"),
    )
    .breaks(Rule::LocEnc)
}

#[cold]
fn unknown(label: &str) -> ValueError {
    let shown: &dyn fmt::Display = if label.is_empty() {
        &"an empty text"
    } else {
        &quote(label)
    };
    let message = Message::new(format!(
        "{shown} is not a known encoding: the names are those of the Encoding Standard, such as `euc-jp`, `shift_jis`, `gbk`, \
         `windows-1252`"
    ));
    let advice = match meant(label) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "write one of those, or leave it out for UTF-8".to_owned(),
    };
    ValueError::new(message.advice(advice)).breaks(Rule::LocEnc)
}

/// The probably intended label: it has other punctuation or other letters, but the same digits, since another number is another
/// encoding.
fn meant(label: &str) -> Option<&'static str> {
    let is_punctuation = |c: char| !c.is_ascii_alphanumeric();
    let folded = label.to_ascii_lowercase().replace(is_punctuation, "");
    let page = folded.strip_prefix("cp").or(folded.strip_prefix("ms"));
    let alias = |name: &str| ALIASES.iter().find(|(alias, _)| *alias == name);
    if let Some((_, label)) = alias(page.unwrap_or(&folded)) {
        return Some(label);
    }
    let usable = || ENCODINGS.iter().filter(|(name, _)| !UNUSABLE.contains(name));
    let first = |labels: &'static str| labels.split(' ').next();
    let same = usable().find(|(_, labels)| {
        labels
            .split(' ')
            .any(|label| label.replace(is_punctuation, "") == folded)
    });
    if let Some((_, labels)) = same.filter(|_| !folded.is_empty()) {
        return first(labels);
    }
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).collect::<Vec<_>>();
    let wanted = digits(&folded);
    // Among equally near labels, the most common one.
    let common = usable().filter_map(|(_, labels)| first(labels));
    let all = usable().flat_map(|(_, labels)| labels.split(' '));
    suggest::nearest(label, common.chain(all).filter(|label| digits(label) == wanted))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use encoding_rs::Encoding;

    use super::*;

    fn labels() -> impl Iterator<Item = (&'static str, &'static str)> {
        ENCODINGS
            .iter()
            .flat_map(|(name, labels)| labels.split(' ').map(move |label| (*name, label)))
    }

    /// The library encodes by encoding_rs, which has the same labels.
    #[test]
    fn labels_are_those_of_the_library() {
        let mut known = HashSet::new();
        for (name, label) in labels() {
            assert!(!label.is_empty() && known.insert(label.to_owned()), "{label}");
            let encoding = Encoding::for_label(label.as_bytes()).unwrap_or_else(|| panic!("{label}"));
            assert_eq!(encoding.name(), name, "{label}");
            let usable = encoding.output_encoding() == encoding;
            assert_eq!(of_label(label).ok(), usable.then_some(name), "{label}");
        }
        for encoding in ALL {
            assert!(
                ENCODINGS.iter().any(|(name, _)| *name == encoding.name()),
                "{}",
                encoding.name()
            );
        }
        // A text similar to a label is a label for both or for neither.
        for (_, label) in labels() {
            for variation in variations(label) {
                let there = Encoding::for_label(variation.as_bytes()).is_some();
                assert_eq!(known.contains(&variation), there, "{variation}");
            }
        }
    }

    const ALL: [&Encoding; 40] = [
        encoding_rs::BIG5,
        encoding_rs::EUC_JP,
        encoding_rs::EUC_KR,
        encoding_rs::GB18030,
        encoding_rs::GBK,
        encoding_rs::IBM866,
        encoding_rs::ISO_2022_JP,
        encoding_rs::ISO_8859_10,
        encoding_rs::ISO_8859_13,
        encoding_rs::ISO_8859_14,
        encoding_rs::ISO_8859_15,
        encoding_rs::ISO_8859_16,
        encoding_rs::ISO_8859_2,
        encoding_rs::ISO_8859_3,
        encoding_rs::ISO_8859_4,
        encoding_rs::ISO_8859_5,
        encoding_rs::ISO_8859_6,
        encoding_rs::ISO_8859_7,
        encoding_rs::ISO_8859_8,
        encoding_rs::ISO_8859_8_I,
        encoding_rs::KOI8_R,
        encoding_rs::KOI8_U,
        encoding_rs::MACINTOSH,
        encoding_rs::REPLACEMENT,
        encoding_rs::SHIFT_JIS,
        encoding_rs::UTF_16BE,
        encoding_rs::UTF_16LE,
        encoding_rs::UTF_8,
        encoding_rs::WINDOWS_1250,
        encoding_rs::WINDOWS_1251,
        encoding_rs::WINDOWS_1252,
        encoding_rs::WINDOWS_1253,
        encoding_rs::WINDOWS_1254,
        encoding_rs::WINDOWS_1255,
        encoding_rs::WINDOWS_1256,
        encoding_rs::WINDOWS_1257,
        encoding_rs::WINDOWS_1258,
        encoding_rs::WINDOWS_874,
        encoding_rs::X_MAC_CYRILLIC,
        encoding_rs::X_USER_DEFINED,
    ];

    /// The label with one character removed, changed or inserted.
    fn variations(label: &str) -> Vec<String> {
        let mut found = Vec::new();
        for i in 0..label.len() {
            found.push(format!("{}{}", &label[..i], &label[i + 1..]));
            for letter in "0123456789abcdefghijklmnopqrstuvwxyz-_:".chars() {
                found.push(format!("{}{letter}{}", &label[..i], &label[i + 1..]));
                found.push(format!("{}{letter}{}", &label[..i], &label[i..]));
            }
        }
        found.retain(|label| !label.is_empty());
        found
    }

    #[test]
    fn labels_in_any_case_and_with_white_space() {
        assert_eq!(of_label("EUC-JP").unwrap(), "EUC-JP");
        assert_eq!(of_label(" Shift_JIS\n").unwrap(), "Shift_JIS");
        assert_eq!(of_label("iso-8859-1").unwrap(), "windows-1252");
        assert_eq!(of_label("UTF8").unwrap(), "UTF-8");
    }

    #[test]
    fn misspelt_labels_get_a_suggestion() {
        for (text, near) in [
            ("eucjp", "euc-jp"),
            ("euc_jp", "euc-jp"),
            ("euc-jq", "euc-jp"),
            ("EUC_JP", "euc-jp"),
            ("ujis", "euc-jp"),
            ("eucjp-ms", "euc-jp"),
            ("cp932", "shift_jis"),
            ("Shift JIS", "shift_jis"),
            ("shift_jsi", "shift_jis"),
            ("windows-31-j", "shift_jis"),
            ("cp936", "gbk"),
            ("ms949", "euc-kr"),
            ("cp950", "big5"),
            ("uft-8", "utf-8"),
            ("utf_8", "utf-8"),
            ("utf8mb4", "utf-8"),
            ("cp65001", "utf-8"),
            ("latin-1", "windows-1252"),
            ("latin9", "iso-8859-15"),
            ("windows1252", "windows-1252"),
            ("iso_8859_1", "windows-1252"),
            ("ISO-8859_15", "iso-8859-15"),
            ("iso 2022 jp", "iso-2022-jp"),
            ("gb_18030", "gb18030"),
            ("koi8u", "koi8-u"),
        ] {
            let message = of_label(text).unwrap_err().to_string();
            assert!(
                message.ends_with(&format!("(P-LOCENC); did you mean `{near}`?")),
                "{message}"
            );
            assert!(of_label(near).is_ok());
        }
        for text in [
            "klingon", "", "-", "cp", "ebcdic", "utf-7", "utf-61", "iso-8859", "cp1259",
        ] {
            let message = of_label(text).unwrap_err().to_string();
            assert!(
                message.ends_with("; write one of those, or leave it out for UTF-8"),
                "{message}"
            );
        }
        assert!(of_label(&"x".repeat(100_000)).is_err());
    }

    #[test]
    fn encodings_without_an_encoder() {
        assert_eq!(
            of_label("utf-16").unwrap_err().to_string(),
            "`utf-16` names UTF-16LE, in which no URL is encoded: a server's encoding is one that holds ASCII, such as `utf-8` or \
             `euc-jp` (P-LOCENC); write the one that the server decodes its URLs by, or leave it out for UTF-8"
        );
        assert_eq!(
            of_label("hz-gb-2312").unwrap_err().to_string(),
            "`hz-gb-2312` names an encoding that the Encoding Standard has withdrawn, in which no URL is encoded: a server's encoding \
             is one that holds ASCII, such as `utf-8` or `euc-jp` (P-LOCENC); write the one that the server decodes its URLs by, or \
             leave it out for UTF-8"
        );
    }
}

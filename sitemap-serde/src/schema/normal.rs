//! The meaning of an element's or attribute's text: texts with the same value have the same normal form.

use std::borrow::Cow;

use sitemap_values::schema::yes_no;
use sitemap_values::{Precision, W3cDateTime, digits};

use super::{SchemaRow, ValueKind};

/// Marks forms that are not texts of their own. No XML document has the character.
const NOT_TEXT: char = '\0';

/// The normal form of a text: equal for texts with the same value, different for all others. A text that is no value of its row is its
/// own normal form.
pub(crate) fn normal<'t>(row: &'static SchemaRow, text: &'t str) -> Cow<'t, str> {
    match row.kind {
        ValueKind::Priority | ValueKind::Rating | ValueKind::Amount => match digits::normal(text) {
            Some((whole, fraction)) => format!("{NOT_TEXT}{whole}.{fraction}").into(),
            None => text.into(),
        },
        ValueKind::Integer(..) => match row.integer(text) {
            Ok(number) => number.to_string().into(),
            Err(_) => text.into(),
        },
        ValueKind::DateTime | ValueKind::Day => match W3cDateTime::parse(text) {
            // A date without a time is not an instant.
            Some(date) if date.precision() >= Precision::Minute => {
                let (seconds, nanoseconds) = date.unix_time();
                format!("{NOT_TEXT}{seconds}.{nanoseconds}").into()
            }
            _ => text.into(),
        },
        ValueKind::YesNo => match yes_no(text) {
            Some(true) => "yes".into(),
            Some(false) => "no".into(),
            None => text.into(),
        },
        ValueKind::Word(words) if words.spellings.contains(&text) => text.to_ascii_lowercase().into(),
        ValueKind::CommaWords(_) | ValueKind::SpaceWords(_) | ValueKind::Countries | ValueKind::Tickers => {
            let separator = row.kind.separator();
            let words = text.split(separator).map(str::trim);
            let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
            words.join(separator.encode_utf8(&mut [0; 4])).into()
        }
        ValueKind::Hreflang => text.to_ascii_lowercase().into(),
        ValueKind::Loc
        | ValueKind::Url
        | ValueKind::Text
        | ValueKind::TextOf(_)
        | ValueKind::ChangeFreq
        | ValueKind::Word(_)
        | ValueKind::Currency
        | ValueKind::Language
        | ValueKind::Flag
        | ValueKind::Group => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::rows;

    /// For each kind: texts with the same value, and texts with other values.
    fn samples(kind: ValueKind) -> (&'static [&'static str], &'static [&'static str]) {
        match kind {
            ValueKind::Loc | ValueKind::Url => (
                &["https://example.com/1"],
                &["https://example.com/01", "https://example.com/1.0"],
            ),
            ValueKind::Text | ValueKind::TextOf(_) => {
                (&["1.0"], &["1", "1.00", "yes", "Yes", "2026-05-01T00:00:00Z"])
            }
            ValueKind::DateTime | ValueKind::Day => (
                &[
                    "2026-05-01T10:00Z",
                    "2026-05-01T10:00:00Z",
                    "2026-05-01T10:00:00.000+00:00",
                    "2026-05-01T12:00:00+02:00",
                    "2026-04-30T23:30-10:30",
                ],
                &[
                    "2026-05-01",
                    "2026-05",
                    "2026",
                    "2026-05-01T10:00:00.001Z",
                    "2026-05-01T10:00:00+02:00",
                    "1777629600.0",
                    "1777629600",
                    "yesterday",
                ],
            ),
            ValueKind::ChangeFreq => (&["daily"], &["weekly", "Daily"]),
            ValueKind::Priority | ValueKind::Rating | ValueKind::Amount => (
                &["0.8", "0.80", ".8", "+0.8", "00.8000"],
                &["0.81", "0.08", "8", "0,8", "8.0", "0", ".", "-0.8", "1e1"],
            ),
            ValueKind::Integer(..) => (&["60", "060", "+60"], &["61", "600", "6", "60.0", "-60", "60s"]),
            ValueKind::YesNo => (&["yes", "Yes", "YES"], &["no", "No", "yES", "true"]),
            ValueKind::Word(words) => (
                words.spellings.get(..1).unwrap_or_default(),
                &["", "none", "nONE"],
            ),
            ValueKind::CommaWords(_) => (
                &["Blog,Opinion", "Blog, Opinion", " Blog ,  Opinion,"],
                &["Opinion,Blog", "Blog", "Blog Opinion"],
            ),
            ValueKind::Tickers => (
                &["NASDAQ:A,NYSE:B", "NASDAQ:A, NYSE:B"],
                &["NYSE:B,NASDAQ:A", "NASDAQ:A"],
            ),
            ValueKind::SpaceWords(_) => (&["web tv", "web  tv"], &["tv web", "web", "web,tv"]),
            ValueKind::Countries => (&["GB IE", "GB  IE", " GB IE "], &["IE GB", "GB", "GBIE"]),
            ValueKind::Currency => (&["EUR"], &["USD", "eur"]),
            ValueKind::Language => (&["en"], &["de", "EN"]),
            ValueKind::Hreflang => (&["en-GB", "en-gb", "EN-GB"], &["en", "en-US", "de-GB"]),
            ValueKind::Flag | ValueKind::Group => (&[""], &["yes"]),
        }
    }

    /// For every row of the schema, texts with one value have one form, and other texts have other forms.
    #[test]
    fn each_value_has_one_form() {
        for row in rows() {
            let (same, others) = samples(row.kind);
            let form = normal(row, same[0]);
            for text in same {
                assert_eq!(normal(row, text), form, "{} {text}", row.name);
            }
            for text in others {
                assert_ne!(normal(row, text), form, "{} {text}", row.name);
            }
        }
    }

    /// Words in the other spellings that the schema allows.
    #[test]
    fn spellings_of_one_word() {
        for (text, other) in [
            ("rent", "RENT"),
            ("purchase", "PURCHASE"),
            ("HD", "hd"),
            ("SD", "sd"),
        ] {
            let has_word = |row: &&SchemaRow| matches!(row.kind, ValueKind::Word(words) if words.spellings.contains(&text));
            let row = rows().iter().find(has_word).unwrap();
            assert_eq!(normal(row, text), normal(row, other));
            assert_ne!(normal(row, text), normal(row, "none"));
        }
    }
}

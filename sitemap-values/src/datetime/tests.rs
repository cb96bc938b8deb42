use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use super::*;
use crate::rules::Rule;

fn w3c(text: &str) -> W3cDateTime {
    text.parse().unwrap()
}

/// At least one text of each form.
const VALUES: [&str; 26] = [
    "0000",
    "2024",
    "9999",
    "2024-01",
    "2024-12",
    "0000-01-01",
    "2024-02-29",
    "2024-05-06",
    "9999-12-31",
    "2024-05-06T07:08Z",
    "2024-05-06T07:08+09:00",
    "2024-05-06T07:08-09:00",
    "2024-05-06T00:00+00:00",
    "2024-05-06T23:59-00:00",
    "2024-05-06T07:08:09Z",
    "2024-05-06T07:08:09+23:59",
    "2024-05-06T07:08:09-23:59",
    "2024-05-06T07:08:09+00:00",
    "2024-05-06T07:08:09-00:00",
    "2024-05-06T23:59:59Z",
    "2024-05-06T07:08:09.5Z",
    "2024-05-06T07:08:09.50Z",
    "2024-05-06T07:08:09.0-03:30",
    "2024-05-06T07:08:09.000000000+00:01",
    "2024-05-06T07:08:09.000000001Z",
    "9999-12-31T23:59:59.999999999+23:59",
];

#[test]
fn is_small() {
    assert_eq!(size_of::<W3cDateTime>(), 16);
    assert_eq!(size_of::<Option<W3cDateTime>>(), 16);
}

#[test]
fn prints_what_it_read() {
    for text in VALUES {
        let value = w3c(text);
        assert_eq!(value.to_string(), text);
        assert_eq!(format!("{value:?}"), format!("W3cDateTime({text})"));
        assert_eq!(W3cDateTime::try_from(text).unwrap(), value);
        let mut out = b"x".to_vec();
        value.push_to(&mut out);
        assert_eq!(out, format!("x{text}").into_bytes());
    }
    assert_eq!(format!("[{:>8}]", w3c("2024")), "[    2024]");
}

#[test]
fn every_number_of_fraction_digits() {
    for digits in 1..=9_u8 {
        let fraction = &"123456789"[..usize::from(digits)];
        let text = format!("2024-05-06T07:08:09.{fraction}+09:00");
        let value = w3c(&text);
        assert_eq!(value.to_string(), text);
        assert_eq!(value.fraction_digits(), digits);
        let nanosecond = format!("{fraction:0<9}").parse().unwrap();
        assert_eq!(value.nanosecond(), Some(nanosecond));
    }
}

/// Sampled months of the 10,000 years, and every 29 February.
#[test]
fn days_of_ten_thousand_years() {
    for year in 0..=9999_u16 {
        for month in [1 + u8::try_from(year % 12).unwrap(), 2] {
            for day in 1..=31 {
                let text = format!("{year:04}-{month:02}-{day:02}");
                let exists = calendar::exists(year, month, day);
                assert_eq!(
                    W3cDateTime::parse(&text).map(|value| value.to_string()),
                    exists.then_some(text.clone())
                );
                assert_eq!(
                    W3cDateTime::from_ymd(year, month, day).ok(),
                    W3cDateTime::parse(&text)
                );
                if day % 7 == 0 {
                    let text = format!("{text}T12:34:56-12:34");
                    assert_eq!(
                        W3cDateTime::parse(&text).map(|value| value.to_string()),
                        exists.then_some(text)
                    );
                }
            }
        }
    }
}

#[test]
fn every_time_and_every_offset() {
    for n in 0..100 {
        for m in 0..100 {
            let hour = format!("2024-05-06T{n:02}:{m:02}Z");
            assert_eq!(W3cDateTime::parse(&hour).is_some(), n < 24 && m < 60, "{hour}");
            let second = format!("2024-05-06T00:{n:02}:{m:02}Z");
            assert_eq!(
                W3cDateTime::parse(&second).is_some(),
                n < 60 && m < 60,
                "{second}"
            );
            for sign in ['+', '-'] {
                let offset = format!("2024-05-06T00:00:00{sign}{n:02}:{m:02}");
                let value = W3cDateTime::parse(&offset);
                assert_eq!(value.is_some(), n < 24 && m < 60, "{offset}");
                if let Some(value) = value {
                    assert_eq!(value.to_string(), offset);
                    let minutes = if sign == '+' { n * 60 + m } else { -(n * 60 + m) };
                    assert_eq!(value.offset_minutes(), Some(minutes));
                }
            }
        }
    }
}

/// Replacing any byte of a text, other than a digit by a digit, makes it invalid.
#[test]
fn every_changed_byte_changes_the_date_or_is_an_error() {
    for text in VALUES {
        for at in 0..text.len() {
            for byte in 0..=127_u8 {
                let mut bytes = text.as_bytes().to_vec();
                if bytes[at] == byte {
                    continue;
                }
                let both_digits = bytes[at].is_ascii_digit() && byte.is_ascii_digit();
                let both_signs = b"+-".contains(&bytes[at]) && b"+-".contains(&byte) && at > 10;
                bytes[at] = byte;
                let changed = String::from_utf8(bytes).unwrap();
                match W3cDateTime::parse(&changed) {
                    Some(value) => {
                        assert!(both_digits || both_signs, "{changed}");
                        assert_eq!(value.to_string(), changed);
                        assert_ne!(value, w3c(text));
                    }
                    None => assert!(!both_signs, "{changed}"),
                }
            }
            assert!(W3cDateTime::parse(&text[..at]).is_none_or(|value| value.to_string() == text[..at]));
        }
    }
}

#[test]
fn parts() {
    let value = w3c("2024-05-06T07:08:09.25-03:30");
    assert_eq!(value.year(), 2024);
    assert_eq!((value.month(), value.day()), (Some(5), Some(6)));
    assert_eq!(
        (value.hour(), value.minute(), value.second()),
        (Some(7), Some(8), Some(9))
    );
    assert_eq!(value.nanosecond(), Some(250_000_000));
    assert_eq!(value.offset_minutes(), Some(-210));

    let value = w3c("2024-05-06T07:08Z");
    assert_eq!(
        (value.hour(), value.minute(), value.second()),
        (Some(7), Some(8), None)
    );
    assert_eq!((value.nanosecond(), value.offset_minutes()), (None, Some(0)));

    let value = w3c("2024");
    assert_eq!(
        (value.year(), value.month(), value.day(), value.hour()),
        (2024, None, None, None)
    );
    assert_eq!(
        (
            value.minute(),
            value.second(),
            value.nanosecond(),
            value.offset_minutes()
        ),
        (None, None, None, None)
    );
}

#[test]
fn precisions() {
    use Precision::{Day, Fraction, Minute, Month, Second, Year};

    let full = w3c("2024-05-06T07:08:09.25-03:30");
    for (precision, text, xsd) in [
        (Year, "2024", false),
        (Month, "2024-05", false),
        (Day, "2024-05-06", true),
        (Minute, "2024-05-06T07:08-03:30", false),
        (Second, "2024-05-06T07:08:09-03:30", true),
        (Fraction, "2024-05-06T07:08:09.25-03:30", true),
    ] {
        let value = full.truncated_to(precision);
        assert_eq!(value, w3c(text));
        assert_eq!(value.precision(), precision);
        assert_eq!(value.truncated_to(Fraction), value);
        assert_eq!(value.is_xsd(), xsd, "{text}");
    }
    assert!(!w3c("0000-01-01").is_xsd());
    assert!(!w3c("2024-05-06T07:08:09+14:01").is_xsd());
    assert!(w3c("2024-05-06T07:08:09-14:00").is_xsd());
}

#[test]
fn assumes_utc_where_there_is_no_zone() {
    for (text, expected) in [
        ("2024", "2024-01-01T00:00:00Z"),
        ("2024-05", "2024-05-01T00:00:00Z"),
        ("2024-05-06", "2024-05-06T00:00:00Z"),
        ("2024-05-06T07:08+09:00", "2024-05-06T07:08+09:00"),
    ] {
        assert_eq!(w3c(text).assume_utc(), w3c(expected));
        assert_eq!(w3c(text).assume_utc().unix(), w3c(text).unix());
    }
}

#[test]
fn ordered_by_instant_then_precision_then_text() {
    let ordered = [
        "0000",
        "2023-12-31T23:59:59.999999999Z",
        "2024",
        "2024-01",
        "2024-01-01",
        "2023-12-31T23:30-00:30",
        "2024-01-01T00:00+00:00",
        "2024-01-01T00:00-00:00",
        "2024-01-01T00:00Z",
        "2024-01-01T09:00+09:00",
        "2024-01-01T00:00:00+00:00",
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00.0Z",
        "2024-01-01T00:00:00.00Z",
        "2024-01-01T00:00:00.000000001Z",
        "2024-01-01T00:00:01Z",
        "2024-01-01T00:01Z",
        "2024-01-02",
        "2024-02",
        "2024-12-31T23:59:59-23:59",
        "9999",
    ]
    .map(w3c);
    for (i, a) in ordered.iter().enumerate() {
        for (j, b) in ordered.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a} {b}");
            assert_eq!(a.partial_cmp(b), Some(i.cmp(&j)));
            assert_eq!(a == b, i == j);
        }
    }
}

/// Days far from one another are compared without their times.
#[test]
fn the_order_is_that_of_instants() {
    let mut dates = Vec::new();
    for year in ["2023", "2024", "2025"] {
        dates.push(w3c(year));
        for month in 1..=12 {
            dates.push(w3c(&format!("{year}-{month:02}")));
            for day in ["01", "02", "15", "27", "28"] {
                dates.push(w3c(&format!("{year}-{month:02}-{day}")));
                for time in ["00:00+23:59", "23:59:59.9-23:59"] {
                    dates.push(w3c(&format!("{year}-{month:02}-{day}T{time}")));
                }
            }
        }
    }
    for a in &dates {
        for b in &dates {
            if a.unix() != b.unix() {
                assert_eq!(a.cmp(b), a.unix().cmp(&b.unix()), "{a} {b}");
            }
        }
    }
}

#[test]
fn equal_and_hashed_by_what_is_written() {
    let values: HashSet<W3cDateTime> = VALUES.map(w3c).into();
    assert_eq!(values.len(), VALUES.len());
    for text in VALUES {
        assert!(values.contains(&w3c(text)));
    }
    assert_ne!(w3c("2024-05-06T07:08:09Z"), w3c("2024-05-06T07:08:09+00:00"));
    assert_ne!(w3c("2024-01"), w3c("2024-01-01"));
}

const FORM: &str = "a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or \
                    `-hh:mm` (P-LASTMOD); write it like that, or leave the field out";
const YEAR: &str = "a W3C Datetime begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like that, or leave \
                    the field out";
const MONTH: &str = "months are from 01 to 12 (P-LASTMOD); write a value in that range";
const HOUR: &str = "hours are from 00 to 23 (P-LASTMOD); write a value in that range";
const MINUTE: &str = "minutes are from 00 to 59 (P-LASTMOD); write a value in that range";
const SECOND: &str = "seconds are from 00 to 59 (P-LASTMOD); write a value in that range";
const LEAP: &str = "seconds are from 00 to 59, and a leap second cannot be written (P-LASTMOD); \
                    write the second before it or after it";
const MIDNIGHT: &str =
    "hours are from 00 to 23 (P-LASTMOD); write midnight as 00:00 of the day that it begins";
const OFFSET: &str = "an offset is from -23:59 to +23:59 (P-LASTMOD); write a value in that range";
const NO_T: &str = "a `T` stands between the date and the time (P-LASTMOD); write";
const NO_ZONE: &str = "a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write";
const ZONE: &str = "a zone is `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write";
const DATE_PARTS: &str = "the parts of a date are joined by `-` (P-LASTMOD); write";
const TIME_PARTS: &str = "the parts of a time are joined by `:` (P-LASTMOD); write";
const TWO_DIGITS: &str = "months, days, hours, minutes and seconds have two digits (P-LASTMOD); write";
const CASE: &str = "`T` and `Z` are upper case (P-LASTMOD); write";
const BLANK: &str = "there is no white space in it, nor around it (P-LASTMOD); write";
const IF_UTC: &str = "if it is in UTC, else its offset, or only `2024-05-06`";

fn rejects<const N: usize>(cases: [(&str, String); N]) {
    for (text, expected) in cases {
        let error = text.parse::<W3cDateTime>().unwrap_err();
        let quoted = text.replace('\u{3000}', "\\u{3000}");
        assert_eq!(
            error.to_string(),
            format!("`{quoted}` is not a W3C Datetime: {expected}")
        );
        assert_eq!(error.rule(), Some(Rule::Lastmod));
    }
}

#[test]
fn other_forms_are_refused() {
    rejects([
        ("yesterday", FORM.to_owned()),
        ("-0001-01-01", FORM.to_owned()),
        (
            "Mon, 06 May 2024 07:08:09 GMT",
            FORM.replace(
                "write it like that, or leave the field out",
                "write `2024-05-06T07:08:09Z`",
            ),
        ),
        ("2024-", FORM.to_owned()),
        ("2024-05-", FORM.to_owned()),
        ("2024T07:08Z", FORM.to_owned()),
        ("2024-05T07:08Z", FORM.to_owned()),
        ("2024-05-06T", FORM.to_owned()),
        ("2024-05-06TZ", FORM.to_owned()),
        ("2024-05-06T07:Z", FORM.to_owned()),
        ("2024-05-06T07:08:Z", FORM.to_owned()),
        ("2024-05-06T07:08ZZ", FORM.to_owned()),
        ("2024-05-06T07:08Z 2024", FORM.to_owned()),
        ("2024-05-06_07:08", FORM.to_owned()),
        (
            "2024-05-06T07:08 PM",
            "hours are from 00 to 23, without AM and PM (P-LASTMOD); write the time with its offset, or only `2024-05-06`".to_owned(),
        ),
        ("2024-05-06T07:08+9:00", FORM.to_owned()),
        ("2024-05-06T07:08+09:0", FORM.to_owned()),
        ("2024-05-06T07:08+09:00:00", FORM.to_owned()),
        ("2024-05-06T07:08\u{2212}09:00", FORM.to_owned()),
        ("2024-05-06T07:08.5Z", FORM.to_owned()),
        ("2024年5月6日", FORM.to_owned()),
    ]);
}

#[test]
fn parts_out_of_range_are_refused() {
    rejects([
        ("24", YEAR.to_owned()),
        ("202", YEAR.to_owned()),
        (
            "06/05/2024",
            YEAR.replace(
                "write it like that, or leave the field out",
                "write `2024-06-05` if it begins with the month, `2024-05-06` if with the day",
            ),
        ),
        ("16/15/2024", YEAR.to_owned()),
        ("12024-01-01", YEAR.to_owned()),
        (
            "1714979289",
            "it is a Unix time (P-LASTMOD); write `2024-05-06T07:08:09Z`".to_owned(),
        ),
        (
            "16.05.2024",
            YEAR.replace("write it like that, or leave the field out", "write `2024-05-16`"),
        ),
        (
            "May 6, 2024",
            FORM.replace("write it like that, or leave the field out", "write `2024-05-06`"),
        ),
        ("2024-00", MONTH.to_owned()),
        ("2024-13", MONTH.to_owned()),
        ("2024-13-01", MONTH.to_owned()),
        ("2024-0506", MONTH.to_owned()),
        (
            "2023-02-29",
            "February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28".to_owned(),
        ),
        (
            "2024-02-30",
            "February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29".to_owned(),
        ),
        (
            "1900-02-29T00:00:00Z",
            "February 1900 has 28 days (P-LASTMOD); write a day from 01 to 28".to_owned(),
        ),
        (
            "2024-04-31",
            "April 2024 has 30 days (P-LASTMOD); write a day from 01 to 30".to_owned(),
        ),
        (
            "0000-12-32",
            "December 0000 has 31 days (P-LASTMOD); write a day from 01 to 31".to_owned(),
        ),
        (
            "2024-01-00",
            "January 2024 has 31 days (P-LASTMOD); write a day from 01 to 31".to_owned(),
        ),
        (
            "2024-01-001",
            "January 2024 has 31 days (P-LASTMOD); write a day from 01 to 31".to_owned(),
        ),
        ("2024-05-06T24:00:00Z", MIDNIGHT.to_owned()),
        ("2024-05-06T25:00:00Z", HOUR.to_owned()),
        ("2024-05-06T007:00:00Z", HOUR.to_owned()),
        ("2024-05-06T07:60:00Z", MINUTE.to_owned()),
        ("2024-05-06T07:60", MINUTE.to_owned()),
        ("2016-12-31T23:59:60Z", LEAP.to_owned()),
        ("2024-05-06T07:08:61Z", SECOND.to_owned()),
        ("2024-05-06T07:08:09+24:00", OFFSET.to_owned()),
        ("2024-05-06T07:08:09-09:60", OFFSET.to_owned()),
        ("2024-05-06T07:08:09+2400", OFFSET.to_owned()),
    ]);
}

#[test]
fn common_mistakes_in_dates_get_a_suggestion() {
    rejects([
        (" 2024", format!("{BLANK} `2024`")),
        ("2024-05-06\u{3000}", format!("{BLANK} `2024-05-06`")),
        ("2024-05-06T07:08:09 Z", format!("{BLANK} `2024-05-06T07:08:09Z`")),
        ("2024/05/06", format!("{DATE_PARTS} `2024-05-06`")),
        ("2024.05", format!("{DATE_PARTS} `2024-05`")),
        ("20240506", format!("{DATE_PARTS} `2024-05-06`")),
        ("20240506T070809Z", format!("{DATE_PARTS} `2024-05-06T07:08:09Z`")),
        (
            "2024-05-06T070809Z",
            format!("{TIME_PARTS} `2024-05-06T07:08:09Z`"),
        ),
        (
            "2024-05-06T0708+0900",
            format!("{TIME_PARTS} `2024-05-06T07:08+09:00`"),
        ),
        ("2024-5-6", format!("{TWO_DIGITS} `2024-05-06`")),
        (
            "2024-05-06T7:8:9Z",
            format!("{TWO_DIGITS} `2024-05-06T07:08:09Z`"),
        ),
    ]);
}

#[test]
fn common_mistakes_in_times_get_a_suggestion() {
    rejects([
        (
            "2024-05-06Z",
            "a date without a time has no zone (P-LASTMOD); write `2024-05-06`".to_owned(),
        ),
        (
            "2024-05-06+09:00",
            "a date without a time has no zone (P-LASTMOD); write `2024-05-06`".to_owned(),
        ),
        ("2024-05-06 07:08:09Z", format!("{NO_T} `2024-05-06T07:08:09Z`")),
        (
            "2024-05-06 07:08:09+0000",
            format!("{NO_T} `2024-05-06T07:08:09+00:00`"),
        ),
        (
            "2024-05-06 07:08:09",
            format!("{NO_T} `2024-05-06T07:08:09Z` {IF_UTC}"),
        ),
        (
            "2024-05-06T07:08:09",
            format!("{NO_ZONE} `2024-05-06T07:08:09Z` {IF_UTC}"),
        ),
        (
            "2024-05-06T07:08",
            format!("{NO_ZONE} `2024-05-06T07:08Z` {IF_UTC}"),
        ),
        (
            "2024-05-06T07:08:09.5",
            format!("{NO_ZONE} `2024-05-06T07:08:09.5Z` {IF_UTC}"),
        ),
        (
            "2024-05-06 07:08:09 Europe/Berlin",
            format!("{NO_T} the time with its offset, or only `2024-05-06`"),
        ),
        (
            "2024-05-06T07:08:09CET",
            format!("{ZONE} the time with its offset, or only `2024-05-06`"),
        ),
        (
            "2024-05-06T07:08:09+0000",
            format!("{ZONE} `2024-05-06T07:08:09+00:00`"),
        ),
        (
            "2024-05-06T07:08:09-0330",
            format!("{ZONE} `2024-05-06T07:08:09-03:30`"),
        ),
        (
            "2024-05-06T07:08:09+09",
            format!("{ZONE} `2024-05-06T07:08:09+09:00`"),
        ),
        ("2024-05-06T07:08:09UTC", format!("{ZONE} `2024-05-06T07:08:09Z`")),
        ("2024-05-06T07:08:09GMT", format!("{ZONE} `2024-05-06T07:08:09Z`")),
        ("2024-05-06t07:08:09Z", format!("{CASE} `2024-05-06T07:08:09Z`")),
        ("2024-05-06T07:08:09z", format!("{CASE} `2024-05-06T07:08:09Z`")),
        (
            "2024-05-06T07Z",
            "a time has hours and minutes (P-LASTMOD); write `2024-05-06T07:00Z`".to_owned(),
        ),
        (
            "2024-05-06T07:08:09,5Z",
            "the fraction of a second begins with a point (P-LASTMOD); write `2024-05-06T07:08:09.5Z`"
                .to_owned(),
        ),
        (
            "2024-05-06T07:08:09.Z",
            "digits follow the point, 1 to 9 of them (P-LASTMOD); write `2024-05-06T07:08:09Z`".to_owned(),
        ),
        (
            "2024-05-06T07:08:09.1234567891Z",
            "the fraction of a second has 1 to 9 digits (P-LASTMOD); write `2024-05-06T07:08:09.123456789Z`"
                .to_owned(),
        ),
    ]);
}

#[test]
fn empty_and_long_texts_are_refused() {
    for text in ["", " ", "\n\t"] {
        let error = text.parse::<W3cDateTime>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("an empty value is not a W3C Datetime: {FORM}")
        );
    }
    let error = "2024".repeat(1_000).parse::<W3cDateTime>().unwrap_err();
    let start = "2024".repeat(15);
    assert_eq!(
        error.to_string(),
        format!("`{start}…` is not a W3C Datetime: {YEAR}")
    );
}

#[test]
fn only_dates_that_exist() {
    for (year, month, day, expected) in [
        (
            2023,
            2,
            29,
            "`2023-02-29` is not a W3C Datetime: February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28",
        ),
        (
            2023,
            2,
            200,
            "`2023-02-200` is not a W3C Datetime: February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28",
        ),
        (
            2024,
            0,
            1,
            "`2024-00-01` is not a W3C Datetime: months are from 01 to 12 (P-LASTMOD); write a value in that range",
        ),
        (
            2024,
            200,
            1,
            "`2024-200-01` is not a W3C Datetime: months are from 01 to 12 (P-LASTMOD); write a value in that range",
        ),
        (
            10_000,
            1,
            1,
            "`10000-01-01` is not a W3C Datetime: a W3C Datetime begins with a year of four digits, 0000 to 9999 (P-LASTMOD); \
             write it like that, or leave the field out",
        ),
    ] {
        let error = W3cDateTime::from_ymd(year, month, day).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn clear_mistakes_are_repaired() {
    for (text, meant) in [
        ("2024-05-06", Some("2024-05-06")),
        ("2024-05-06 07:08:09", Some("2024-05-06")),
        ("2024-05-06T07:08:09", Some("2024-05-06")),
        ("20240506T0708", Some("2024-05-06")),
        ("2024-05-06T07", Some("2024-05-06")),
        ("Mon, 06 May 2024 07:08:09 BST", Some("2024-05-06")),
        ("2024-05-06T07:08:09 CET", Some("2024-05-06")),
        ("2024-05-06 07:08 Europe/Berlin", Some("2024-05-06")),
        ("2024-05-06T07:08:09A", None),
        ("2024-05-06T07:08:09 soon!", None),
        ("Mon, 06 May 2024 07:08:09 GMT", Some("2024-05-06T07:08:09Z")),
        ("6 May 2024", Some("2024-05-06")),
        ("2024-05-06T07:08:09+0000", Some("2024-05-06T07:08:09+00:00")),
        ("\u{a0}2024-05-06\n", Some("2024-05-06")),
        ("2024-05-06 07:08:09 UTC", Some("2024-05-06T07:08:09Z")),
        ("2024-05-06 07:08:09 +0200", Some("2024-05-06T07:08:09+02:00")),
        ("2024-02-30", None),
        ("2024-05-06T24:00:00Z", None),
        ("", None),
        ("soon", None),
    ] {
        assert_eq!(explain::repair(text), meant.map(w3c), "{text}");
    }
}

/// Repaired values parse, and no text cut or changed anywhere causes a panic.
#[test]
fn explains_any_text() {
    for text in VALUES
        .into_iter()
        .chain(["20240506T070809,5+0900", "2024/5/6 7:8:9 GMT"])
    {
        for at in 0..=text.len() {
            for inserted in [
                "",
                " ",
                "0",
                "9",
                "-",
                "+",
                ":",
                ".",
                ",",
                "T",
                "Z",
                "é",
                "99999999999",
            ] {
                for end in [text, &text[..at]] {
                    let text = format!("{}{inserted}{}", &text[..at], end.get(at..).unwrap_or_default());
                    let repaired = explain::repair(&text);
                    if let Some(value) = W3cDateTime::parse(&text) {
                        assert_eq!(repaired, Some(value));
                        continue;
                    }
                    let message = W3cDateTime::explain(&text).to_string();
                    assert!(message.contains(" is not a W3C Datetime: "), "{message}");
                    if let Some(value) = repaired {
                        assert_eq!(W3cDateTime::parse(&value.to_string()), Some(value));
                        assert!(message.contains(&format!(" `{value}`")), "{message}");
                    }
                }
            }
        }
    }
}

#[test]
fn system_time_there_and_back() {
    let epoch = SystemTime::UNIX_EPOCH;
    for (time, text) in [
        (epoch, "1970-01-01T00:00:00Z"),
        (epoch + Duration::from_secs(1_714_979_289), "2024-05-06T07:08:09Z"),
        (
            epoch + Duration::from_millis(1_714_979_289_100),
            "2024-05-06T07:08:09.1Z",
        ),
        (
            epoch + Duration::from_micros(1_714_979_289_000_010),
            "2024-05-06T07:08:09.00001Z",
        ),
        (epoch - Duration::from_secs(1), "1969-12-31T23:59:59Z"),
        (epoch - Duration::from_millis(1), "1969-12-31T23:59:59.999Z"),
        (epoch - Duration::from_millis(1_999), "1969-12-31T23:59:58.001Z"),
        (
            epoch + Duration::from_secs(253_402_300_799),
            "9999-12-31T23:59:59Z",
        ),
    ] {
        assert_eq!(W3cDateTime::try_from(time).unwrap(), w3c(text));
        assert_eq!(SystemTime::try_from(w3c(text)).unwrap(), time);
    }
    let zoned = w3c("2024-05-06T16:08:09.000000000+09:00");
    assert_eq!(
        SystemTime::try_from(zoned).unwrap(),
        epoch + Duration::from_secs(1_714_979_289)
    );
}

#[test]
fn dates_out_of_range_do_not_convert() {
    let message = "is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
                   write a date in that range, or leave the field out";
    for seconds in [253_402_300_800, u64::MAX / 4] {
        if let Some(late) = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)) {
            let error = W3cDateTime::try_from(late).unwrap_err();
            assert_eq!(error.to_string(), format!("a date after the year 9999 {message}"));
        }
        if let Some(early) = SystemTime::UNIX_EPOCH.checked_sub(Duration::from_secs(seconds)) {
            let error = W3cDateTime::try_from(early).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("a date before the year 0000 {message}")
            );
        }
    }
    for text in ["2024", "2024-05", "2024-05-06"] {
        assert_eq!(
            SystemTime::try_from(w3c(text)).unwrap_err().to_string(),
            format!(
                "`{text}` does not convert to `SystemTime`: it has no time and no zone; \
                 write both, or call `assume_utc` for the start of it in UTC"
            )
        );
    }
}

#[test]
fn instants_at_an_offset() {
    for (offset, text) in [
        (0, "2024-05-06T07:08:09Z"),
        (60, "2024-05-06T07:09:09+00:01"),
        (-60, "2024-05-06T07:07:09-00:01"),
        (86_340, "2024-05-07T07:07:09+23:59"),
        (-86_340, "2024-05-05T07:09:09-23:59"),
        (86_400, "2024-05-06T07:08:09Z"),
        (61, "2024-05-06T07:08:09Z"),
        (i32::MIN, "2024-05-06T07:08:09Z"),
        (i32::MAX, "2024-05-06T07:08:09Z"),
    ] {
        assert_eq!(
            W3cDateTime::from_unix(1_714_979_289, 0, offset).unwrap(),
            w3c(text)
        );
    }
    for seconds in [i64::MIN, i64::MAX] {
        for offset in [-60, 0, 60] {
            assert!(W3cDateTime::from_unix(seconds, u32::MAX, offset).is_err());
        }
    }
}

#[test]
fn json_has_a_string() {
    for text in VALUES {
        let json = format!("\"{text}\"");
        assert_eq!(serde_json::to_string(&w3c(text)).unwrap(), json);
        assert_eq!(serde_json::from_str::<W3cDateTime>(&json).unwrap(), w3c(text));
    }
    assert_eq!(
        serde_json::from_str::<W3cDateTime>("\"2023-02-29\"")
            .unwrap_err()
            .to_string(),
        "`2023-02-29` is not a W3C Datetime: February 2023 has 28 days (P-LASTMOD); \
         write a day from 01 to 28 at line 1 column 12"
    );
    assert_eq!(
        serde_json::from_str::<W3cDateTime>("2024")
            .unwrap_err()
            .to_string(),
        "invalid type: integer `2024`, expected a W3C Datetime (`YYYY`, `YYYY-MM`, `YYYY-MM-DD` or \
         `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm`) at line 1 column 4"
    );
}

#[test]
fn unix_times() {
    for (text, expected) in [
        ("1970-01-01T01:00:01.5+01:00", (1, 500_000_000)),
        ("1969-12-31", (-86_400, 0)),
        ("2024-05-06T07:08:09Z", (1_714_979_289, 0)),
    ] {
        let value = w3c(text);
        assert_eq!(value.unix_time(), expected, "{text}");
        assert_eq!(
            value.to_unix_time().ok(),
            Some(expected).filter(|_| text.contains('T')),
            "{text}"
        );
    }
}

//! The meaning of a text that has none of the forms of a W3C Datetime.

use super::calendar::month_named;
use super::{Precision, W3cDateTime};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    Certain(W3cDateTime),
    /// A time whose zone is unknown.
    Day {
        day: W3cDateTime,
        /// The time in UTC, if the text has no zone.
        in_utc: Option<W3cDateTime>,
    },
    /// `05/01/2026`: 1 May or 5 January.
    Ambiguous {
        month_first: W3cDateTime,
        day_first: W3cDateTime,
    },
    UnixTime(W3cDateTime),
}

pub(super) fn guess(text: &str) -> Option<Guess> {
    let text = text.trim();
    rfc822(text)
        .or_else(|| month_day_year(text).map(Guess::Certain))
        .or_else(|| numbers(text))
        .or_else(|| named_month(text))
        .or_else(|| with_time(text))
        .or_else(|| unix_time(text))
}

/// `1-May-2026`, `May/1/2026`: as a table program writes it.
fn named_month(text: &str) -> Option<Guess> {
    let is_date = text.bytes().filter(u8::is_ascii_alphabetic).count() >= 3 && !text.contains(':');
    let text = is_date.then(|| text.replace(['-', '/', '.'], " "))?;
    let date = W3cDateTime::from_rfc822(&text).or_else(|| month_day_year(&text))?;
    Some(Guess::Certain(date))
}

/// `5/28/2026 8:53:11 AM`: a date of another form, and a time without a zone.
fn with_time(text: &str) -> Option<Guess> {
    let (date, time) = text.rsplit_once([',', ' ', 'T']).and_then(|(before, last)| {
        let is_half = last.eq_ignore_ascii_case("AM") || last.eq_ignore_ascii_case("PM");
        if is_half {
            before.trim_end().rsplit_once([',', ' ', 'T'])
        } else {
            Some((before, last))
        }
    })?;
    let time = time.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_time = time.contains(':')
        && time
            .split(':')
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()));
    let date = date.trim().trim_end_matches(',');
    match is_time.then(|| guess(date)).flatten()? {
        Guess::Certain(day) if day.precision() == Precision::Day => Some(Guess::Day { day, in_utc: None }),
        found @ Guess::Ambiguous { .. } => Some(found),
        _ => W3cDateTime::parse(date).map(|day| Guess::Day { day, in_utc: None }),
    }
}

fn rfc822(text: &str) -> Option<Guess> {
    let date = W3cDateTime::from_rfc822(text)?;
    let is_day_of_time = date.precision() == Precision::Day && text.contains(':');
    Some(if is_day_of_time {
        Guess::Day {
            day: date,
            in_utc: None,
        }
    } else {
        Guess::Certain(date)
    })
}

/// `May 1, 2026`, `Sept. 1st 2026`.
fn month_day_year(text: &str) -> Option<W3cDateTime> {
    let words: Vec<_> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .take(4)
        .collect();
    let [month, day, year] = words[..] else {
        return None;
    };
    let month = month_named(month.trim_end_matches('.'))?;
    let ordinals = ["st", "nd", "rd", "th"];
    let ordinal = ordinals.iter().find_map(|suffix| day.strip_suffix(suffix));
    date(year, &month.to_string(), ordinal.unwrap_or(day))
}

/// `13.05.2026`, and `05/01/2026`, which is ambiguous.
fn numbers(text: &str) -> Option<Guess> {
    let parts = |separator| text.split(separator).collect::<Vec<_>>();
    let parts = ['/', '.', '-']
        .into_iter()
        .map(parts)
        .find(|parts| parts.len() == 3)?;
    let [first, second, year] = parts[..] else {
        return None;
    };
    match (date(year, first, second), date(year, second, first)) {
        (Some(month_first), Some(day_first)) if month_first != day_first => Some(Guess::Ambiguous {
            month_first,
            day_first,
        }),
        (date, other) => date.or(other).map(Guess::Certain),
    }
}

/// Seconds or milliseconds since 1970, from 1973 on; but not digits that begin like a date, such as `2026050110`.
fn unix_time(text: &str) -> Option<Guess> {
    let parts = || Some((text.get(..4)?, text.get(4..6)?, text.get(6..8)?));
    let is_date = parts().is_some_and(|(year, month, day)| date(year, month, day).is_some());
    let is_recent = text.starts_with("19") || text.starts_with("20");
    if !text.bytes().all(|b| b.is_ascii_digit()) || is_date && is_recent {
        return None;
    }
    let number: i64 = match text.len() {
        9 | 10 | 12 | 13 => text.parse().ok()?,
        _ => return None,
    };
    let milliseconds = if text.len() > 10 { number } else { number * 1000 };
    W3cDateTime::of_unix(milliseconds / 1000, 0).map(Guess::UnixTime)
}

fn date(year: &str, month: &str, day: &str) -> Option<W3cDateTime> {
    // The year 0026 probably has two digits, padded with zeros.
    let is_date = year.len() == 4 && !year.starts_with('0') && month.len() <= 2 && day.len() <= 2;
    is_date
        .then(|| W3cDateTime::parse(&format!("{year}-{month:0>2}-{day:0>2}")))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::super::calendar::MONTHS;
    use super::*;

    /// Every day of two years in every form: a certain guess is right, and an ambiguous one includes the right date.
    #[test]
    fn every_day_in_every_form() {
        let mut counts = [0_usize; 2];
        for (year, month, day) in (2023..2025_u32).flat_map(|year| {
            (1..=12_u32).flat_map(move |month| (1..=31_u32).map(move |day| (year, month, day)))
        }) {
            let expected = W3cDateTime::parse(&format!("{year}-{month:02}-{day:02}"));
            let name = MONTHS[month as usize - 1];
            for text in [
                format!("{name} {day}, {year}"),
                format!("{}. {day} {year}", &name[..3].to_uppercase()),
                format!("{name} {day}th,{year}"),
                format!("{day} {name} {year}"),
            ] {
                assert_eq!(guess(&text), expected.map(Guess::Certain), "{text}");
            }
            for separator in ["/", ".", "-"] {
                for (text, is_month_first) in [
                    (format!("{month}{separator}{day}{separator}{year}"), true),
                    (format!("{day:02}{separator}{month:02}{separator}{year}"), false),
                ] {
                    match guess(&text) {
                        Some(Guess::Ambiguous {
                            month_first,
                            day_first,
                        }) => {
                            let meant = if is_month_first { month_first } else { day_first };
                            assert!(Some(meant) == expected && month != day, "{text}");
                            counts[0] += 1;
                        }
                        found => {
                            assert_eq!(found, expected.map(Guess::Certain), "{text}");
                            assert!(expected.is_none() || month == day || day > 12, "{text}");
                            counts[1] += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(counts, [2 * 132 * 6, (2 * 372 - 2 * 132) * 6]);
    }

    #[test]
    fn dates_of_table_programs() {
        let day = |text| W3cDateTime::parse(text).unwrap();
        for (text, expected) in [
            ("1-May-2026", Some(Guess::Certain(day("2026-05-01")))),
            ("01-MAY-26", Some(Guess::Certain(day("2026-05-01")))),
            ("May-1-2026", Some(Guess::Certain(day("2026-05-01")))),
            (
                "5/28/2026 8:53:11 AM",
                Some(Guess::Day {
                    day: day("2026-05-28"),
                    in_utc: None,
                }),
            ),
            (
                "28.05.2026, 20:15",
                Some(Guess::Day {
                    day: day("2026-05-28"),
                    in_utc: None,
                }),
            ),
            (
                "1/5/2026 8:53 pm",
                Some(Guess::Ambiguous {
                    month_first: day("2026-01-05"),
                    day_first: day("2026-05-01"),
                }),
            ),
            ("a-May-2026", None),
            ("5/28/2026 AM", None),
            ("5/28/2026 8 AM", None),
            ("28:05 2026", None),
        ] {
            assert_eq!(guess(text), expected, "{text}");
        }
    }

    #[test]
    fn years_of_two_digits() {
        for text in ["13.05.26", "13.05.0026", "May 13, 0026"] {
            assert_eq!(guess(text), None, "{text}");
        }
    }

    #[test]
    fn unix_times() {
        for (text, expected) in [
            ("1714521600", Some("2024-05-01T00:00:00Z")),
            ("1714521600123", Some("2024-05-01T00:00:00Z")),
            ("999999999", Some("2001-09-09T01:46:39Z")),
            ("9999999999999", Some("2286-11-20T17:46:39Z")),
            ("2026050110", None),
            ("202605011000", None),
            ("17145216001", None),
            ("17145216", None),
            ("171452160a", None),
            ("-714521600", None),
            ("", None),
        ] {
            let expected = expected.and_then(W3cDateTime::parse).map(Guess::UnixTime);
            assert_eq!(guess(text), expected, "{text}");
        }
    }
}

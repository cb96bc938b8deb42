//! Times of day in the text of a page.

use sitemap_serde::W3cDateTime;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'t> {
    Number(&'t str),
    Word(&'t str),
    /// A colon or dot.
    Point,
    /// A hyphen or dash.
    Dash,
    /// White space, a comma, a semicolon, or a plus.
    Gap,
    Other,
}

/// Returns `true` if a text consists of times of day, such as `9:00`, `6 pm`, `18h30`, `Mo-Fr 9:00–17:00`, or is a duration such as
/// `PT45M`. Dates are no such texts, nor are ages such as `2 hours ago`, since builds may write these.
pub(super) fn is_time_of_day(text: &str) -> bool {
    /// Longer texts are not read.
    const LONGEST: usize = 200;
    let text = text.trim();
    if text.len() > LONGEST || text.parse::<W3cDateTime>().is_ok() {
        return false;
    }
    if is_duration(text) {
        return true;
    }
    let parts: Vec<Part<'_>> = parts(text).collect();
    let mut rest = &*parts;
    let (mut has_time, mut is_range) = (false, false);
    while let Some((first, after)) = rest.split_first() {
        match first {
            Part::Number(number) => {
                let (is_time, after) = after_number(number, after);
                let ends_range = is_range;
                is_range = after.iter().find(|part| **part != Part::Gap) == Some(&Part::Dash);
                // In `9–17 Uhr`, the first number is a time, too.
                if !is_time && (number.len() > 2 || !is_range && !ends_range) {
                    return false;
                }
                has_time |= is_time;
                rest = after;
            }
            Part::Word(word) => {
                if !is_around_times(word) {
                    return false;
                }
                rest = after;
            }
            Part::Point | Part::Dash | Part::Gap => rest = after,
            Part::Other => return false,
        }
    }
    has_time
}

/// Returns whether a time of day begins with this number, and the parts after it.
fn after_number<'p, 't>(number: &str, after: &'p [Part<'t>]) -> (bool, &'p [Part<'t>]) {
    if number.len() > 2 {
        return (false, after);
    }
    let (mut is_time, mut rest) = (false, after);
    loop {
        match rest {
            // `9:00`, `9.00`, `9:00:00`; `10.05.` is a date.
            [Part::Point, Part::Number(minutes), after @ ..] if minutes.len() == 2 => {
                (is_time, rest) = (true, after);
            }
            [Part::Word("h" | "H"), Part::Number(minutes), after @ ..] if minutes.len() == 2 => {
                return (true, after);
            }
            [Part::Word(word), after @ ..] | [Part::Gap, Part::Word(word), after @ ..] if is_unit(word) => {
                return (true, after_dots(after));
            }
            // `6 p.m.`
            [Part::Word(half), Part::Point, Part::Word(m), after @ ..]
            | [
                Part::Gap,
                Part::Word(half),
                Part::Point,
                Part::Word(m),
                after @ ..,
            ] if is_unit(&format!("{half}{m}")) => {
                return (true, after_dots(after));
            }
            _ => return (is_time, rest),
        }
    }
}

fn after_dots<'p, 't>(parts: &'p [Part<'t>]) -> &'p [Part<'t>] {
    match parts {
        [Part::Point, after @ ..] => after,
        _ => parts,
    }
}

fn is_unit(word: &str) -> bool {
    ["am", "pm", "h", "uhr"]
        .iter()
        .any(|unit| word.eq_ignore_ascii_case(unit))
}

/// Returns `true` for words that accompany times: days, and short words of any language.
fn is_around_times(word: &str) -> bool {
    const DAYS: [&str; 7] = [
        "mondays",
        "tuesdays",
        "wednesdays",
        "thursdays",
        "fridays",
        "saturdays",
        "sundays",
    ];
    const OTHERS: [&str; 5] = ["and", "daily", "midnight", "noon", "until"];
    // `Mon`, `Monday` or `Mondays`
    let is_day = |day: &&str| {
        let start = day.get(..word.len());
        word.len() >= 3 && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    word.chars().count() <= 2
        || DAYS.iter().any(is_day)
        || OTHERS.iter().any(|other| other.eq_ignore_ascii_case(word))
}

/// Returns `true` for a duration as in `datetime="PT45M"`.
fn is_duration(text: &str) -> bool {
    text.strip_prefix('P').is_some_and(|rest| {
        rest.contains(|c: char| c.is_ascii_digit())
            && rest
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, 'D' | 'H' | 'M' | 'S' | 'T' | 'W' | 'Y' | '.'))
    })
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let len = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let (part, len) = if first.is_ascii_digit() {
            let len = len(|c| c.is_ascii_digit());
            (Part::Number(&rest[..len]), len)
        } else if first.is_alphabetic() {
            let len = len(char::is_alphabetic);
            (Part::Word(&rest[..len]), len)
        } else if first.is_whitespace() {
            (Part::Gap, len(char::is_whitespace))
        } else {
            let part = match first {
                ':' | '.' => Part::Point,
                '-' | '–' | '—' => Part::Dash,
                ',' | ';' | '+' | '&' => Part::Gap,
                _ => Part::Other,
            };
            (part, first.len_utf8())
        };
        rest = &rest[len..];
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::is_time_of_day;

    #[test]
    fn times_and_other_texts() {
        for text in [
            "9:00",
            " 09:00:00 ",
            "18h30",
            "18 h",
            "6 pm",
            "6pm",
            "6 p.m.",
            "10.30 Uhr",
            "9.00",
            "9:00–17:00",
            "9 am – 5 pm",
            "9–5 pm",
            "9 - 17 Uhr",
            "Mo-Fr 09:00-17:00",
            "Mo-Fr 09:00-12:00, 13:00-17:00; Sa 10:00-14:00",
            "Mon–Fri 9:00 – 17:00",
            "Saturdays 10:00",
            "Monday until 9 pm",
            "9:00 à 17:00",
            "9:00 & 17:00",
            "10:00+02:00",
            "PT45M",
            "P1DT2H",
        ] {
            assert!(is_time_of_day(text), "{text}");
        }
        for text in [
            "",
            "5",
            "21",
            "5-8",
            "2026",
            "2026-05-01",
            "2026-05-01T10:00",
            "2026-05-01 10:00",
            "5 May 10:30",
            "May 5",
            "05/01 10:30",
            "10.05.2026",
            "today at 10:30",
            "2 h ago",
            "2 hours ago",
            "vor 2 h",
            "3 min read",
            "Monday",
            "noon",
            "June 2025",
            "2025-W21",
            "Platform 5",
            "P",
        ] {
            assert!(!is_time_of_day(text), "{text}");
        }
        assert!(!is_time_of_day(&"9:00 ".repeat(100_000)));
    }
}

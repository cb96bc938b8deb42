//! The values that stand in an attribute: priorities, dates and offsets, checked while the type is compiled.

/// The values of `changefreq`, and the variant of `ChangeFreq` for each.
pub(crate) const CHANGE_FREQS: [(&str, &str); 7] = [
    ("always", "Always"),
    ("hourly", "Hourly"),
    ("daily", "Daily"),
    ("weekly", "Weekly"),
    ("monthly", "Monthly"),
    ("yearly", "Yearly"),
    ("never", "Never"),
];

/// What people call a frequency that has another name.
const CHANGE_FREQ_ALIASES: [(&str, &str); 8] = [
    ("annual", "yearly"),
    ("annually", "yearly"),
    ("year", "yearly"),
    ("month", "monthly"),
    ("week", "weekly"),
    ("day", "daily"),
    ("hour", "hourly"),
    ("realtime", "always"),
];

/// The name of the variant of `ChangeFreq`.
pub(crate) fn change_freq(text: &str) -> Result<&'static str, String> {
    let known = |text: &str| CHANGE_FREQS.iter().find(|(name, _)| *name == text).copied();
    if let Some((_, variant)) = known(text) {
        return Ok(variant);
    }
    let lower = text.trim().to_ascii_lowercase();
    let alias = CHANGE_FREQ_ALIASES.iter().find(|(alias, _)| *alias == lower);
    let near = match alias {
        Some((_, name)) => Some(*name),
        None => crate::suggest::nearest(&lower, CHANGE_FREQS.map(|(name, _)| name)),
    };
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!(
        "`{text}` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly, never (P-FREQ){near}"
    ))
}

/// The value of a numeric literal without its sign and suffix.
pub(crate) fn priority(digits: &str, negative: bool) -> Result<f64, String> {
    let sign = if negative { "-" } else { "" };
    let refused = format!("`{sign}{digits}` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO)");
    let value: f64 = digits.parse().map_err(|_| refused.clone())?;
    if negative || !(0.0..=1.0).contains(&value) {
        return Err(refused);
    }
    if digits.contains(['e', 'E']) {
        return Err(format!("{refused}; write `{value:?}`"));
    }
    Ok(value)
}

/// Minutes east of UTC, from `+hh:mm` or `-hh:mm`.
pub(crate) fn offset(text: &str) -> Result<i16, String> {
    let bad = |advice: &str| {
        format!("`{text}` is not an offset: it is `+hh:mm` or `-hh:mm`, at most 23:59 (P-LASTMOD){advice}")
    };
    if matches!(text, "Z" | "z" | "UTC" | "utc") {
        return Err(bad("; write `utc` instead of `offset = …`"));
    }
    let (sign, digits) = match text.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return Err(bad("")),
    };
    let number = |a: u8, b: u8| {
        (a.is_ascii_digit() && b.is_ascii_digit()).then(|| i16::from((a - b'0') * 10 + b - b'0'))
    };
    let (hours, minutes) = match *digits {
        [h0, h1, b':', m0, m1] => (number(h0, h1), number(m0, m1)),
        [h0, h1, m0, m1] if number(h0, h1).is_some() && number(m0, m1).is_some() => {
            let colon = format!("; write `{}:{}`", &text[..3], &text[3..]);
            return Err(bad(&colon));
        }
        _ => (None, None),
    };
    match (hours, minutes) {
        (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => Ok(sign * (hours * 60 + minutes)),
        _ => Err(bad("")),
    }
}

/// Whether `text` is a W3C Datetime that exists.
pub(crate) fn lastmod(text: &str) -> Result<(), String> {
    match (Scanner {
        rest: text.as_bytes(),
    })
    .datetime()
    {
        Ok(()) => Ok(()),
        Err(Wrong::Value(reason)) => Err(format!("`{text}` does not exist: {reason} (P-LASTMOD)")),
        Err(Wrong::Form(reason)) => {
            let reason = reason.map_or_else(String::new, |reason| format!("; {reason}"));
            Err(format!(
                "`{text}` is not a lastmod: it is a W3C Datetime, `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or \
                 `YYYY-MM-DDThh:mm`, `…:ss` or `…:ss.s` with `Z`, `+hh:mm` or `-hh:mm` after it (P-LASTMOD){reason}"
            ))
        }
    }
}

enum Wrong {
    /// None of the six forms; what to write instead, where that is clear.
    Form(Option<&'static str>),
    /// One of the forms, but no such day or time.
    Value(String),
}

struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn datetime(mut self) -> Result<(), Wrong> {
        let year = self.digits(4)?;
        if self.rest.is_empty() {
            return Ok(());
        }
        if self.rest.starts_with(b"/") || self.rest.starts_with(b".") {
            return Err(Wrong::Form(Some(
                "a date is written with `-`, as in `2024-05-06`",
            )));
        }
        self.take(b'-', None)?;
        let month = self.digits(2)?;
        if self.rest.is_empty() {
            return month_name(month).map(drop);
        }
        self.take(b'-', None)?;
        let day = self.digits(2)?;
        check_day(year, month, day)?;
        if self.rest.is_empty() {
            return Ok(());
        }
        if self.rest.starts_with(b" ") || self.rest.starts_with(b"t") {
            return Err(Wrong::Form(Some("between the date and the time stands a `T`")));
        }
        self.take(b'T', None)?;
        self.time()?;
        self.zone()
    }

    fn time(&mut self) -> Result<(), Wrong> {
        let hour = self.digits(2)?;
        self.take(b':', Some("a time has at least hours and minutes"))?;
        let minute = self.digits(2)?;
        let mut second = 0;
        if self.rest.starts_with(b":") {
            self.take(b':', None)?;
            second = self.digits(2)?;
            if self.rest.starts_with(b".") {
                self.rest = &self.rest[1..];
                let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
                if !(1..=9).contains(&digits) {
                    return Err(Wrong::Form(Some("a fraction of a second has 1 to 9 digits")));
                }
                self.rest = &self.rest[digits..];
            }
        }
        match (hour, minute, second) {
            (24.., ..) => Err(Wrong::Value("hours are 00 to 23".to_owned())),
            (_, 60.., _) => Err(Wrong::Value("minutes are 00 to 59".to_owned())),
            (_, _, 60..) => Err(Wrong::Value("seconds are 00 to 59".to_owned())),
            _ => Ok(()),
        }
    }

    fn zone(&mut self) -> Result<(), Wrong> {
        const COLON: &str = "an offset has a colon, as in `+09:00`";
        match self.rest {
            [] => {
                return Err(Wrong::Form(Some(
                    "a time needs its zone: add `Z`, or an offset such as `+09:00`",
                )));
            }
            [b'Z'] => return Ok(()),
            [b'z'] => return Err(Wrong::Form(Some("the `Z` is a capital letter"))),
            [b'+' | b'-', ..] => self.rest = &self.rest[1..],
            _ => return Err(Wrong::Form(None)),
        }
        let hour = self.digits(2)?;
        self.take(b':', Some(COLON))?;
        let minute = self.digits(2)?;
        match (hour, minute, self.rest) {
            (24.., ..) | (_, 60.., _) => Err(Wrong::Value("offsets are at most 23:59".to_owned())),
            (.., []) => Ok(()),
            _ => Err(Wrong::Form(None)),
        }
    }

    fn digits(&mut self, count: usize) -> Result<u32, Wrong> {
        let digits = self.rest.get(..count).ok_or(Wrong::Form(None))?;
        let mut number = 0;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return Err(Wrong::Form(None));
            }
            number = number * 10 + u32::from(digit - b'0');
        }
        self.rest = &self.rest[count..];
        Ok(number)
    }

    fn take(&mut self, byte: u8, otherwise: Option<&'static str>) -> Result<(), Wrong> {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Ok(())
            }
            _ => Err(Wrong::Form(otherwise)),
        }
    }
}

fn check_day(year: u32, month: u32, day: u32) -> Result<(), Wrong> {
    let name = month_name(month)?;
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let (days, of_year) = match month {
        2 if leap => (29, format!(" {year:04}")),
        2 => (28, format!(" {year:04}")),
        4 | 6 | 9 | 11 => (30, String::new()),
        _ => (31, String::new()),
    };
    if (1..=days).contains(&day) {
        Ok(())
    } else {
        Err(Wrong::Value(format!("{name}{of_year} has the days 01 to {days}")))
    }
}

fn month_name(month: u32) -> Result<&'static str, Wrong> {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    month
        .checked_sub(1)
        .and_then(|index| NAMES.get(usize::try_from(index).ok()?))
        .copied()
        .ok_or_else(|| Wrong::Value("months are 01 to 12".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_forms_and_no_other() {
        for text in [
            "0000",
            "2024",
            "2024-05",
            "2024-02-29",
            "2000-02-29",
            "2024-05-06T07:08Z",
            "2024-05-06T07:08:09+09:00",
            "2024-05-06T07:08:09.1-23:59",
            "2024-05-06T23:59:59.123456789Z",
            "2024-05-06T00:00-00:00",
        ] {
            assert_eq!(lastmod(text), Ok(()), "{text}");
        }
        for text in [
            "",
            "24",
            "20240506",
            "2024-5-6",
            "2024-",
            "2024-05-",
            " 2024",
            "2024 ",
            "2024-05-06T",
            "2024-05-06T07Z",
            "2024-05-06T07:08",
            "2024-05-06T07:08:09",
            "2024-05-06T07:08:09.Z",
            "2024-05-06T07:08:09.1234567890Z",
            "2024-05-06T07:08:09+0900",
            "2024-05-06T07:08:09+09",
            "2024-05-06T07:08Zx",
            "2024-05-06T07:08+09:00x",
            "2024-05-06 07:08Z",
            "2024-05-06t07:08Z",
            "2024-05-06T07:08z",
            "２０２４",
        ] {
            let message = lastmod(text).unwrap_err();
            assert!(
                message.starts_with(&format!("`{text}` is not a lastmod: ")),
                "{message}"
            );
        }
        for (text, reason) in [
            ("2024-13", "months are 01 to 12"),
            ("2024-00", "months are 01 to 12"),
            ("2024-00-01", "months are 01 to 12"),
            ("2024-02-30", "February 2024 has the days 01 to 29"),
            ("2100-02-29", "February 2100 has the days 01 to 28"),
            ("2024-04-31", "April has the days 01 to 30"),
            ("2024-05-00", "May has the days 01 to 31"),
            ("2024-05-06T24:00Z", "hours are 00 to 23"),
            ("2024-05-06T07:60Z", "minutes are 00 to 59"),
            ("2024-05-06T07:08:60Z", "seconds are 00 to 59"),
            ("2024-05-06T07:08+24:00", "offsets are at most 23:59"),
            ("2024-05-06T07:08+09:60", "offsets are at most 23:59"),
        ] {
            assert_eq!(
                lastmod(text),
                Err(format!("`{text}` does not exist: {reason} (P-LASTMOD)"))
            );
        }
    }

    #[test]
    fn offsets() {
        for (text, minutes) in [("+09:00", 540), ("-05:30", -330), ("+23:59", 1439), ("-00:00", 0)] {
            assert_eq!(offset(text), Ok(minutes), "{text}");
        }
        for text in [
            "", "+", "9", "+9", "+09", "+24:00", "+09:60", "09:00", "+09:0", "+0é0", "+09:000", "+a9:00",
        ] {
            assert!(offset(text).unwrap_err().ends_with("(P-LASTMOD)"), "{text}");
        }
        assert!(offset("+0900").unwrap_err().ends_with("; write `+09:00`"));
        assert!(
            offset("Z")
                .unwrap_err()
                .ends_with("; write `utc` instead of `offset = …`")
        );
    }

    #[test]
    fn priorities() {
        for (digits, value) in [
            ("0", 0.0),
            ("1", 1.0),
            ("0.0", 0.0),
            ("1.0", 1.0),
            ("0.50", 0.5),
            ("0.85", 0.85),
        ] {
            assert_eq!(priority(digits, false), Ok(value), "{digits}");
        }
        assert_eq!(
            priority("1.5", false).unwrap_err(),
            "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO)"
        );
        assert_eq!(
            priority("0.5", true).unwrap_err(),
            "`-0.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO)"
        );
        assert!(priority("5e-1", false).unwrap_err().ends_with("; write `0.5`"));
        assert!(priority("1.0000000001", false).is_err());
    }

    #[test]
    fn frequencies() {
        assert_eq!(change_freq("weekly"), Ok("Weekly"));
        assert_eq!(
            change_freq("weekley").unwrap_err(),
            "`weekley` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly, never \
             (P-FREQ); did you mean `weekly`?"
        );
        for (text, near) in [
            ("Daily", "daily"),
            ("annually", "yearly"),
            (" weekly", "weekly"),
            ("anual", ""),
        ] {
            let message = change_freq(text).unwrap_err();
            assert!(
                near.is_empty() || message.ends_with(&format!("did you mean `{near}`?")),
                "{message}"
            );
        }
    }
}

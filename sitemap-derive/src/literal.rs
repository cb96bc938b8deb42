//! Literals in attributes: change frequencies, priorities, dates and offsets, checked at compile time.

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

/// Common words for frequencies, for suggestions.
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
        "`{text}` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ){near}"
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
    (Scanner {
        rest: text.as_bytes(),
    })
    .datetime()
    .map_err(|Wrong { rule, advice }| format!("`{text}` is not a W3C Datetime: {rule} (P-LASTMOD); {advice}"))
}

/// What is wrong with a date, and what to do, in the same words as the library's errors at run time.
struct Wrong {
    rule: String,
    advice: String,
}

impl Wrong {
    fn new(rule: impl Into<String>, advice: impl Into<String>) -> Self {
        Wrong {
            rule: rule.into(),
            advice: advice.into(),
        }
    }

    fn form() -> Self {
        Wrong::new(
            "it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm`",
            "write it like that, as in `2024-05-06T07:08:09Z`",
        )
    }

    fn zone() -> Self {
        Wrong::new("a zone is `Z`, `+hh:mm` or `-hh:mm`", "write it like that")
    }

    fn range(rule: &str) -> Self {
        Wrong::new(rule, "write a value in that range")
    }
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
            return Err(Wrong::new(
                "the parts of a date are joined by `-`",
                "write it as `2024-05-06`",
            ));
        }
        self.take(b'-')?;
        let month = self.digits(2)?;
        let name = month_name(month)?;
        if self.rest.is_empty() {
            return Ok(());
        }
        self.take(b'-')?;
        let day = self.digits(2)?;
        let days = days_in_month(year, month);
        if !(1..=days).contains(&day) {
            return Err(Wrong::new(
                format!("{name} {year:04} has {days} days"),
                format!("write a day from 01 to {days}"),
            ));
        }
        if self.rest.is_empty() {
            return Ok(());
        }
        if self.rest.starts_with(b" ") || self.rest.starts_with(b"t") {
            return Err(Wrong::new(
                "a `T` stands between the date and the time",
                "write the `T`",
            ));
        }
        self.take(b'T')?;
        self.time()?;
        self.zone()
    }

    fn time(&mut self) -> Result<(), Wrong> {
        let hour = self.digits(2)?;
        if hour > 23 {
            return Err(Wrong::range("hours are from 00 to 23"));
        }
        self.take(b':')?;
        let minute = self.digits(2)?;
        if minute > 59 {
            return Err(Wrong::range("minutes are from 00 to 59"));
        }
        if !self.rest.starts_with(b":") {
            return Ok(());
        }
        self.take(b':')?;
        let second = self.digits(2)?;
        if second > 59 {
            return Err(Wrong::range("seconds are from 00 to 59"));
        }
        if self.rest.starts_with(b".") {
            self.take(b'.')?;
            let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
            if !(1..=9).contains(&digits) {
                return Err(Wrong::new(
                    "the fraction of a second has 1 to 9 digits",
                    "write so many, or none and no point",
                ));
            }
            self.rest = &self.rest[digits..];
        }
        Ok(())
    }

    fn zone(&mut self) -> Result<(), Wrong> {
        match self.rest {
            [b'Z'] => return Ok(()),
            [b'+' | b'-', ..] => self.rest = &self.rest[1..],
            [] => {
                return Err(Wrong::new(
                    "a time has a zone, `Z`, `+hh:mm` or `-hh:mm`",
                    "write `Z` after it if it is in UTC, else its offset",
                ));
            }
            _ => return Err(Wrong::zone()),
        }
        let hour = self.digits(2).map_err(|_| Wrong::zone())?;
        self.take(b':').map_err(|_| Wrong::zone())?;
        let minute = self.digits(2).map_err(|_| Wrong::zone())?;
        if !self.rest.is_empty() {
            return Err(Wrong::zone());
        }
        if hour > 23 || minute > 59 {
            return Err(Wrong::range("an offset is from -23:59 to +23:59"));
        }
        Ok(())
    }

    fn digits(&mut self, count: usize) -> Result<u32, Wrong> {
        let digits = self.rest.get(..count).ok_or_else(Wrong::form)?;
        let mut number = 0;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return Err(Wrong::form());
            }
            number = number * 10 + u32::from(digit - b'0');
        }
        self.rest = &self.rest[count..];
        Ok(number)
    }

    fn take(&mut self, byte: u8) -> Result<(), Wrong> {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Ok(())
            }
            _ => Err(Wrong::form()),
        }
    }
}

fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
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
        .ok_or_else(|| Wrong::range("months are from 01 to 12"))
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{ChangeFreq, W3cDateTime};

    use super::*;

    /// The macro accepts exactly the words that the library accepts at run time.
    #[test]
    fn change_frequencies_are_those_of_the_schema() {
        let row = crate::schema::ENTRY
            .iter()
            .find(|row| row.key == "changefreq")
            .unwrap();
        let words = CHANGE_FREQS.map(|(word, _)| word);
        let crate::schema::Kind::Words(listed) = row.kind else {
            panic!("{row:?}");
        };
        assert_eq!(listed, words);
    }

    #[test]
    fn the_six_forms_and_no_other() {
        let texts = [
            "0000",
            "2024",
            "9999",
            "2024-05",
            "2024-02-29",
            "2000-02-29",
            "2024-05-06T07:08Z",
            "2024-05-06T07:08:09+09:00",
            "2024-05-06T07:08:09.1-23:59",
            "2024-05-06T23:59:59.123456789Z",
            "2024-05-06T00:00-00:00",
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
            "2024-05-06Z",
            "-2024",
            "+2024",
            "2024/05/06",
            "２０２４",
        ];
        for text in texts {
            let here = lastmod(text);
            assert_eq!(here.is_ok(), text.parse::<W3cDateTime>().is_ok(), "{text}");
            if let Err(message) = here {
                assert!(
                    message.starts_with(&format!("`{text}` is not a W3C Datetime: ")),
                    "{message}"
                );
            }
        }
    }

    /// The macro's message is the library's, where the mistake is clear.
    #[test]
    fn dates_that_do_not_exist() {
        for text in [
            "2024-13",
            "2024-00",
            "2024-00-01",
            "2024-02-30",
            "2023-02-29",
            "2100-02-29",
            "2024-04-31",
            "2024-05-00",
            "2024-05-06T25:00Z",
            "2024-05-06T07:60Z",
            "2024-05-06T07:08:61Z",
            "2024-05-06T07:08+24:00",
            "2024-05-06T07:08+09:60",
        ] {
            let at_run_time = text.parse::<W3cDateTime>().unwrap_err();
            assert_eq!(lastmod(text), Err(at_run_time.to_string()));
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
        for (name, variant) in CHANGE_FREQS {
            assert_eq!(change_freq(name), Ok(variant));
            assert_eq!(format!("{:?}", name.parse::<ChangeFreq>().unwrap()), variant);
        }
        for text in ["weekley", "Daily", "annually"] {
            let at_run_time = text.parse::<ChangeFreq>().unwrap_err();
            assert_eq!(change_freq(text), Err(at_run_time.to_string()));
        }
        assert_eq!(
            change_freq("fortnightly").unwrap_err(),
            "`fortnightly` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never \
             (P-FREQ)"
        );
    }
}

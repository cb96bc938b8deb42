//! Dates of RSS feeds (RFC 822, with the years of RFC 2822 and common deviations) as W3C Datetimes.

use super::W3cDateTime;
use super::calendar::month_named;

impl W3cDateTime {
    /// Reads a date such as `[Mon,] 6 Sep 2009 16:20[:00] +0200`; if its zone is unknown, only the day.
    #[doc(hidden)]
    pub fn from_rfc822(text: &str) -> Option<Self> {
        let mut words = text
            .split(|c: char| c.is_ascii_whitespace() || c == ',')
            .filter(|word| !word.is_empty());
        let mut word = words.next()?;
        if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            word = words.next()?;
        }
        let day = number(word, 2)?;
        let month = month_named(words.next()?)?;
        let year = words.next()?;
        let year = match (year.len(), number(year, 4)?) {
            (2, year @ 0..50) => 2000 + year,
            (2 | 3, year) => 1900 + year,
            (4, year) => year,
            _ => return None,
        };
        let date = format!("{year:04}-{month:02}-{day:02}");
        let Some(time) = words.next() else {
            return W3cDateTime::parse(&date);
        };
        let parts: Vec<u32> = time
            .split(':')
            .map(|part| number(part, 2))
            .collect::<Option<_>>()?;
        let (hour, minute, second) = match parts[..] {
            [hour, minute] => (hour, minute, 0),
            // A leap second becomes the last second of its minute.
            [hour, minute, second] => (hour, minute, if second == 60 { 59 } else { second }),
            _ => return None,
        };
        let Some(zone) = words.next().and_then(zone) else {
            return W3cDateTime::parse(&date);
        };
        W3cDateTime::parse(&format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}"))
    }
}

fn number(text: &str, most: usize) -> Option<u32> {
    let digits = text.len() <= most && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A zone of RFC 822 section 5.1. Military letters are not accepted: RFC 822 has their signs wrong (RFC 2822 section 4.3).
fn zone(text: &str) -> Option<String> {
    let hours = match text.to_ascii_uppercase().as_str() {
        "GMT" | "UT" | "UTC" | "Z" => return Some("Z".to_owned()),
        "EDT" => 4,
        "EST" | "CDT" => 5,
        "CST" | "MDT" => 6,
        "MST" | "PDT" => 7,
        "PST" => 8,
        _ => {
            let sign = text.get(..1).filter(|sign| matches!(*sign, "+" | "-"))?;
            let digits: String = text[1..].chars().filter(|c| *c != ':').collect();
            let is_zone = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
            return is_zone.then(|| format!("{sign}{}:{}", &digits[..2], &digits[2..]));
        }
    };
    Some(format!("-{hours:02}:00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Sun, 06 Sep 2009 16:20:00 +0000", "2009-09-06T16:20:00+00:00"),
            ("Sun,06 Sep 2009 16:20 -0830", "2009-09-06T16:20:00-08:30"),
            ("6 sep 09 16:20:01 EST", "2009-09-06T16:20:01-05:00"),
            ("Thu, 5 January 2017 13:34:52 GMT", "2017-01-05T13:34:52Z"),
            ("Thu, 05 Jan 97 13:34:52 UTC", "1997-01-05T13:34:52Z"),
            ("05 Jan 117 13:34:52 Z", "2017-01-05T13:34:52Z"),
            ("05 Jan 2017 13:34:52 ut", "2017-01-05T13:34:52Z"),
            ("05 Jan 2017 23:59:60 PDT", "2017-01-05T23:59:59-07:00"),
            ("05 Jan 2017 13:34:52 PST", "2017-01-05T13:34:52-08:00"),
            ("05 Jan 2017 13:34:52 MST", "2017-01-05T13:34:52-07:00"),
            ("05 Jan 2017 13:34:52 MDT", "2017-01-05T13:34:52-06:00"),
            ("05 Jan 2017 13:34:52 CST", "2017-01-05T13:34:52-06:00"),
            ("05 Jan 2017 13:34:52 CDT", "2017-01-05T13:34:52-05:00"),
            ("05 Jan 2017 13:34:52 EDT", "2017-01-05T13:34:52-04:00"),
            ("05 Jan 2017 13:34:52 +01:00", "2017-01-05T13:34:52+01:00"),
            // The day is sure.
            ("05 Jan 2017", "2017-01-05"),
            ("05 Sept 2017", "2017-09-05"),
            ("05 Jan 2017 13:34", "2017-01-05"),
            ("05 Jan 2017 13:34 A", "2017-01-05"),
            ("05 Jan 2017 13:34 Europe/Berlin", "2017-01-05"),
        ] {
            let date = W3cDateTime::from_rfc822(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(date.to_string(), expected, "{text}");
        }
        for text in [
            "",
            "Sun",
            "Sun, Sun, 06 Sep 2009",
            "06 Foo 2009",
            "06 Sé 2009",
            "06 Se 2009",
            // In November.
            "06 marraskuuta 2009",
            "06 Junk 2009",
            "06 Sep 20099",
            "06 Sep 9",
            "31 Feb 2009",
            "06 Sep 2009 24:20 GMT",
            "06 Sep 2009 1 GMT",
            "06 Sep 2009 1:2:3:4 GMT",
            "06 Sep 2009 +1:+2 GMT",
            "2009-09-06",
        ] {
            assert_eq!(W3cDateTime::from_rfc822(text), None, "{text}");
        }
    }
}

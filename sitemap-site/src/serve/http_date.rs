//! Dates of HTTP headers (RFC 9110 section 5.6.7), whole seconds since 1970.

use std::time::{Duration, UNIX_EPOCH};

use crate::time::LAST_SECOND;

/// `Sun, 06 Nov 1994 08:49:37 GMT`
pub(super) fn format(unix: u64) -> String {
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(unix.min(LAST_SECOND)))
}

/// Reads the form that is written today, and the two obsolete ones. A condition with any other text is ignored (section 13.1.3).
pub(super) fn parse(text: &str) -> Option<u64> {
    let date = httpdate::parse_http_date(text.trim()).ok()?;
    Some(date.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_rfc_and_of_the_calendars_edges() {
        for (unix, text) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] {
            assert_eq!(format(unix), text);
            assert_eq!(parse(text), Some(unix), "{text}");
        }
        assert_eq!(format(u64::MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
    }

    /// A day in each of the three forms, for a hundred years.
    #[test]
    fn the_obsolete_forms_are_the_same_dates() {
        const WEEKDAYS: [&str; 7] = [
            "Thursday",
            "Friday",
            "Saturday",
            "Sunday",
            "Monday",
            "Tuesday",
            "Wednesday",
        ];
        for day in 0..36_500 {
            let unix = day * 86_400 + day;
            let text = format(unix);
            let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
            let [name, day_of_month, month, year, time, "GMT"] = words[..] else {
                panic!("{text}");
            };
            let weekday = WEEKDAYS[usize::try_from(day % 7).unwrap()];
            let rfc_850 = format!("{weekday}, {day_of_month}-{month}-{} {time} GMT", &year[2..]);
            let asctime = format!(
                "{name} {month} {:>2} {time} {year}",
                day_of_month.trim_start_matches('0')
            );
            for form in [&text, &rfc_850, &asctime] {
                assert_eq!(parse(form), Some(unix), "{form}");
            }
        }
    }

    #[test]
    fn what_is_no_date_is_ignored() {
        for text in [
            "",
            "yesterday",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Wed, 30 Feb 2000 00:00:00 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT",
            "Wed, 31 Dec 1969 23:59:59 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Monday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  7 08:49:37 1994",
            "Sun Nov 06 08:49:37",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

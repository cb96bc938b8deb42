//! Dates of HTTP headers (RFC 9110 section 5.6.7), whole seconds since 1970.

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// `Sun, 06 Nov 1994 08:49:37 GMT`
pub(super) fn format(unix: u64) -> String {
    let (days, second) = (unix / 86_400, unix % 86_400);
    let (year, month, day) = civil(days);
    format!(
        "{}, {day:02} {} {year:04} {:02}:{:02}:{:02} GMT",
        DAYS.get(usize::try_from((days + 4) % 7).unwrap_or(0))
            .unwrap_or(&"Sun"),
        MONTHS.get(month.saturating_sub(1)).unwrap_or(&"Jan"),
        second / 3600,
        second / 60 % 60,
        second % 60,
    )
}

/// Reads the form that is written today. The two obsolete forms are not read: a condition with such a date is ignored, as any date
/// that does not parse (section 13.1.3).
pub(super) fn parse(text: &str) -> Option<u64> {
    let mut words = text.trim().split(' ');
    let day_name = words.next()?.strip_suffix(',')?;
    let day = number(words.next()?, 2)?;
    let month_name = words.next()?;
    let year = number(words.next()?, 4)?;
    let mut time = words.next()?.split(':').map(|part| number(part, 2));
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    if words.next()? != "GMT"
        || words.next().is_some()
        || time.next().is_some()
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let month = MONTHS.iter().position(|name| *name == month_name)? + 1;
    let days = days_since_1970(year, month as u64, day)?;
    // Converting the days back detects days that the month does not have, and wrong names of weekdays.
    let (_, same_month, same_day) = civil(days);
    let same_name = DAYS.get(usize::try_from((days + 4) % 7).ok()?)?;
    (same_month == month && same_day == day && *same_name == day_name)
        .then(|| days * 86_400 + hour * 3600 + minute * 60 + second)
}

fn number(text: &str, digits: usize) -> Option<u64> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Year, month and day of a day since 1970-01-01, by eras of 400 years that begin in March.
fn civil(days: u64) -> (u64, usize, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, usize::try_from(month).unwrap_or(1), day)
}

fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day.checked_sub(1)?;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era).checked_sub(719_468)
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
        for day in 0..100_000 {
            assert_eq!(parse(&format(day * 86_400 + day)), Some(day * 86_400 + day));
        }
    }

    #[test]
    fn what_is_no_date_is_ignored() {
        for text in [
            "",
            "yesterday",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
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
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

//! The proleptic Gregorian calendar, for the years 0 to 9999.

pub(super) const MONTHS: [&str; 12] = [
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

/// The number of a month by its English name, or at least three letters of it: other languages begin other months alike, such as the
/// Finnish `marraskuu`, which is November.
pub(super) fn month_named(name: &str) -> Option<usize> {
    let begins = |month: &&str| {
        month
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    let index = MONTHS.iter().position(begins).filter(|_| name.len() >= 3)?;
    Some(index + 1)
}

/// Days from 1 March of the year -400, where the arithmetic begins to count, to 1 January 1970. Day numbers from the year
/// 0 on are not negative.
const EPOCH: u32 = 719_468 + DAYS_OF_ERA;

/// The calendar repeats itself every 400 years.
const DAYS_OF_ERA: u32 = 146_097;

/// Returns `true` if the calendar has this day.
pub(super) fn exists(year: u16, month: u8, day: u8) -> bool {
    (1..=12).contains(&month) && day >= 1 && (day <= 28 || day <= days_in_month(year, month))
}

/// The number of days of a month (1 to 12).
pub(super) fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days from 1 January 1970 to a day that exists.
pub(super) fn days(year: u16, month: u8, day: u8) -> i32 {
    // Count years from March, so that a leap day is the last day of its year.
    let y = u32::from(year) + 400 - u32::from(month <= 2);
    let m = (u32::from(month) + 9) % 12;
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + u32::from(day) - 1;
    days.cast_signed() - EPOCH.cast_signed()
}

/// The inverse of [`days`]: year, month and day, for years from 0 to 9999.
pub(super) fn date(days: i64) -> Option<(u16, u8, u8)> {
    let days = u32::try_from(days.checked_add(i64::from(EPOCH))?).ok()?;
    let era = days / DAYS_OF_ERA;
    let of_era = days % DAYS_OF_ERA;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = (era * 400 + year_of_era + u32::from(month <= 2)).checked_sub(400)?;
    if year > 9999 {
        return None;
    }
    Some((
        u16::try_from(year).ok()?,
        u8::try_from(month).ok()?,
        u8::try_from(day).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_numbers_of_ten_thousand_years_are_consecutive() {
        let mut expected = days(0, 1, 1);
        assert_eq!(expected, -719_528);
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert!(exists(year, month, day));
                    assert_eq!(days(year, month, day), expected);
                    assert_eq!(date(i64::from(expected)), Some((year, month, day)));
                    expected += 1;
                }
                assert!(!exists(year, month, days_in_month(year, month) + 1));
            }
        }
        assert_eq!(expected, 2_932_897);
    }

    #[test]
    fn known_days() {
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(days(2000, 2, 29), 11_016);
        assert_eq!(days(2024, 5, 6), 19_849);
        for (year, leap) in [
            (0, true),
            (4, true),
            (1900, false),
            (2000, true),
            (2023, false),
            (2024, true),
        ] {
            assert_eq!(days_in_month(year, 2), 28 + u8::from(leap), "{year}");
        }
    }

    #[test]
    fn days_outside_of_the_years_are_none() {
        assert_eq!(date(-719_529), None);
        assert_eq!(date(2_932_897), None);
        for days in [
            i64::MIN,
            i64::MIN + 1,
            -1_000_000,
            4_000_000_000,
            10_000_000_000,
            i64::MAX,
        ] {
            assert_eq!(date(days), None, "{days}");
        }
    }

    #[test]
    fn months_and_days_from_1() {
        assert!(!exists(2024, 0, 1));
        assert!(!exists(2024, 13, 1));
        assert!(!exists(2024, 1, 0));
        assert!(!exists(2024, 255, 255));
    }
}

//! The dates that pages state.

use std::collections::HashMap;

use sitemap_serde::Precision;
use sitemap_serde::W3cDateTime;

use crate::facts::PageFacts;
use crate::finding::{Finding, FindingKind};
use crate::html::Stated;

/// The ways of stating a date that are believed: a date that all pages share is that of the build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Believed {
    ways: [bool; 4],
    today: W3cDateTime,
}

impl Believed {
    /// Looks at the dates of all pages that are listed, by the names of their files.
    pub(crate) fn of<'a>(
        pages: impl Iterator<Item = (String, &'a PageFacts)>,
        now: W3cDateTime,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut days: HashMap<Stated, (W3cDateTime, usize, bool)> = HashMap::new();
        let mut first: HashMap<Stated, (String, usize)> = HashMap::new();
        let today = day(now);
        for (name, facts) in pages {
            for stated in &facts.dates {
                let stated_day = day(stated.date);
                let (seen, count, is_one) = days.entry(stated.by).or_insert((stated_day, 0, true));
                *count += 1;
                *is_one &= *seen == stated_day;
                first
                    .entry(stated.by)
                    .or_insert_with(|| (name.clone(), stated.line));
                if is_after(stated_day, today) {
                    let message = format!("the date {} is in the future, and is not believed", stated.date);
                    findings.push(Finding::new(
                        name.clone(),
                        Some(stated.line),
                        FindingKind::Date,
                        message,
                    ));
                }
            }
        }
        let mut ways = [true; 4];
        for (by, (shared, count, is_one)) in days {
            if is_one && count > 1 {
                ways[by as usize] = false;
                let (file, line) = first.remove(&by).unwrap_or_default();
                let message = format!(
                    "the date {shared} is that of all {count} pages that state one, and is not believed"
                );
                findings.push(Finding::new(file, Some(line), FindingKind::Date, message));
            }
        }
        Believed { ways, today }
    }

    /// The date that a page states, by the first way that is believed.
    pub(crate) fn date(&self, facts: &PageFacts) -> Option<W3cDateTime> {
        let is_believed = |by: Stated| self.ways[by as usize];
        facts
            .dates
            .iter()
            .find(|stated| is_believed(stated.by) && !is_after(day(stated.date), self.today))
            .map(|stated| stated.date)
    }
}

fn day(date: W3cDateTime) -> W3cDateTime {
    date.truncated_to(Precision::Day)
}

/// Whether a day is more than one day after another. Years and months count by their first days.
fn is_after(day: W3cDateTime, other: W3cDateTime) -> bool {
    const DAY: i64 = 24 * 60 * 60;
    // A day's difference may be that of time zones.
    day.unix_time().0 > other.unix_time().0 + DAY
}

#[cfg(test)]
mod tests {
    use sitemap_serde::W3cDateTime;

    use super::is_after;

    #[test]
    fn the_next_day_may_be_that_of_a_time_zone() {
        for (day, other, expected) in [
            ("2026-05-01", "2026-04-30", false),
            ("2026-05-02", "2026-04-30", true),
            ("2027-01-01", "2026-12-31", false),
            ("2027-01-02", "2026-12-31", true),
            ("2028-03-01", "2028-02-28", true),
            ("2026-05", "2026-04-30", false),
            ("2027", "2026-12-30", true),
        ] {
            let parse = |text: &str| text.parse::<W3cDateTime>().unwrap();
            assert_eq!(is_after(parse(day), parse(other)), expected, "{day} {other}");
        }
    }

    #[test]
    fn no_day_of_four_years_is_far_from_the_next() {
        let days = (2025..2029).flat_map(|year| {
            let date = move |month, day| W3cDateTime::from_ymd(year, month, day).ok();
            (1..=12).flat_map(move |month| (1..=31).filter_map(move |day| date(month, day)))
        });
        let days: Vec<_> = days.collect();
        assert_eq!(days.len(), 4 * 365 + 1);
        for three in days.windows(3) {
            let [first, second, third] = three.try_into().unwrap();
            assert!(!is_after(second, first) && is_after(third, first), "{first}");
            assert!(!is_after(first, second), "{first}");
        }
    }
}

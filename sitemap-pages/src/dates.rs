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

/// Whether a day is later than another. Years and months are later if they begin later.
fn is_after(day: W3cDateTime, other: W3cDateTime) -> bool {
    let parts = |day: W3cDateTime| (day.year(), day.month().unwrap_or(1), day.day().unwrap_or(1));
    let (year, month, number) = parts(other);
    // A day's difference may be that of time zones.
    parts(day) > (year, month, number.saturating_add(1))
}

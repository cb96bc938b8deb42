//! Ranges that were parts until recently, and may still be in the index of a crawler or another instance.
//!
//! **A part's URL outlives the part**. A range of at most 50,000 rows is served, even if no index lists it. A larger range is too large for
//! a document, and the status 410 would make a crawler with an old index drop its pages for good. So its URL answers 503 for a day. The
//! day begins when this table last had the range, or else with the first request, since other instances list ranges that were never in
//! this table.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::PartRow;
use crate::key::Key;
use crate::source::Span;

/// The time that readers of an index may use it.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of ranges that are remembered.
const MOST: usize = 10_000;

/// Ranges that an index may still list, and the time since which this table does not. A range that was never a part here may be a
/// part of another instance, or of the previous process. Its time starts with the first request.
#[derive(Debug, Default)]
pub(crate) struct Former(HashMap<Span, Instant>);

impl Former {
    /// Returns `true` if an index that is less than a day old may list a range that is not in the table.
    pub(crate) fn may_be_listed(&mut self, span: &Span) -> bool {
        match self.0.get(span) {
            Some(since) => since.elapsed() < DAY,
            None => {
                self.add(span.clone());
                true
            }
        }
    }

    /// Records that a range is no longer a part.
    pub(crate) fn add(&mut self, span: Span) {
        if self.0.len() >= MOST {
            self.0.retain(|_, since| since.elapsed() < DAY);
        }
        if self.0.len() >= MOST {
            // Their day starts with the next request.
            self.0.clear();
        }
        self.0.insert(span, Instant::now());
    }

    /// Records that a table replaces another: ranges that only the old one has are no longer parts.
    pub(super) fn replaced(&mut self, before: &[PartRow], by: &[PartRow]) {
        let kept: HashSet<_> = ranges(by).collect();
        for (after, to) in ranges(before).filter(|range| !kept.contains(range)) {
            self.add(Span {
                after: after.cloned(),
                to: to.cloned(),
            });
        }
    }
}

/// The ranges of the parts of a table.
fn ranges(rows: &[PartRow]) -> impl Iterator<Item = (Option<&Key>, Option<&Key>)> {
    let afters = std::iter::once(None).chain(rows.iter().map(|row| row.to.as_ref()));
    afters.zip(rows.iter().map(|row| row.to.as_ref()))
}

#[cfg(test)]
impl Former {
    /// Lets time pass.
    pub(crate) fn age(&mut self, time: Duration) {
        for since in self.0.values_mut() {
            *since = since.checked_sub(time).unwrap();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Newest;

    fn table(ends: impl IntoIterator<Item = i64>) -> Vec<PartRow> {
        let rows = ends.into_iter().map(|end| Some(Key::from(end))).chain([None]);
        rows.map(|to| PartRow::new(to, 5, Newest::Unknown)).collect()
    }

    fn span(after: i64, to: i64) -> Span {
        Span::new(Key::from(after), Key::from(to))
    }

    #[test]
    fn a_range_may_be_listed_for_a_day() {
        let mut former = Former::default();
        // The previous process or another instance may list it.
        assert!(former.may_be_listed(&span(1, 2)));
        former.age(DAY);
        assert!(!former.may_be_listed(&span(1, 2)));
        former.replaced(&table([10, 20, 30]), &table([10, 25, 30]));
        let of_before = [(Some(10), Some(20)), (Some(20), Some(30))];
        let mut recorded: Vec<_> = former.0.keys().cloned().collect();
        recorded.retain(|range| *range != span(1, 2));
        recorded.sort_by_key(|range| format!("{range:?}"));
        assert_eq!(
            recorded,
            of_before.map(|(after, to)| span(after.unwrap(), to.unwrap()))
        );
        former.age(DAY / 2);
        assert!(recorded.iter().all(|range| former.may_be_listed(range)));
        former.age(DAY / 2);
        assert!(!recorded.iter().any(|range| former.may_be_listed(range)));
        // Once more a part, and split again.
        former.add(span(10, 20));
        assert!(former.may_be_listed(&span(10, 20)));
    }

    #[test]
    fn the_number_of_ranges_has_a_limit() {
        let mut former = Former::default();
        former.replaced(&table(1..=30_000), &table([]));
        assert!((1..=MOST).contains(&former.0.len()));
        former.age(DAY);
        (0..20_000).for_each(|after| former.add(span(after, 100_000)));
        assert!((1..=MOST).contains(&former.0.len()));
        assert!(former.may_be_listed(&span(5, 7)));
    }
}

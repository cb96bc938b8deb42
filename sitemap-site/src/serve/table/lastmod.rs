//! The times that a lastmod can stand for: a day begins and ends at other times in other zones.

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_serde::{Precision, W3cDateTime};

use super::PartRow;
use crate::source::Newest;
use crate::time::{now, since_1970};

const HOUR: u64 = 60 * 60;
pub(super) const DAY: u64 = 24 * HOUR;
/// In the east, a day begins up to 14 hours earlier than in UTC.
const EARLIEST: u64 = 14 * HOUR;
/// In the west, it begins and ends up to 12 hours later than in UTC.
const LATEST: u64 = 12 * HOUR;

/// The newest lastmod that is not later than any possible lastmod of a change after `until`, in any time zone. So it is not in
/// the future, nor a day that has not begun everywhere.
pub(crate) fn newest_until(until: SystemTime, lastmods: impl Iterator<Item = Newest>) -> Option<W3cDateTime> {
    let until = since_1970(until).as_secs();
    let known = lastmods.filter_map(Newest::lastmod);
    known.filter(|lastmod| begun_everywhere(*lastmod) <= until).max()
}

/// Returns `true` if a lastmod has not begun in any time zone.
pub(crate) fn is_future(lastmod: W3cDateTime) -> bool {
    is_later_than(lastmod, Duration::ZERO)
}

/// Returns `true` if a lastmod is further in the future than `time`, in every time zone.
pub(crate) fn is_later_than(lastmod: W3cDateTime, time: Duration) -> bool {
    times(lastmod).start > since_1970(SystemTime::now()).saturating_add(time).as_secs()
}

impl Newest {
    /// Drops a lastmod in the future, which does not show when the entries changed, and would hide later changes.
    pub(crate) fn begun(self) -> Self {
        match self {
            Newest::Is(lastmod) if is_future(lastmod) => Newest::Unknown,
            newest => newest,
        }
    }
}

impl PartRow {
    /// The lastmod of a part in the index: the time of its content's change (P-IDX3), from a store or from the newest lastmod of its
    /// entries.
    pub(crate) fn lastmod(&self) -> Option<W3cDateTime> {
        // A time in the future comes from a wrong clock, and is omitted.
        let changed = self.stored.filter(|unix| *unix <= now());
        let changed = changed.and_then(|unix| UNIX_EPOCH.checked_add(Duration::from_secs(unix)));
        let changed = changed.and_then(|changed| W3cDateTime::try_from(changed).ok());
        let newest = self.newest.lastmod().filter(|newest| !is_future(*newest));
        match changed {
            // A row that has changed since the part was rendered.
            Some(changed)
                if newest > Some(changed) && newest <= W3cDateTime::try_from(SystemTime::now()).ok() =>
            {
                newest
            }
            Some(changed) => Some(changed),
            None => newest,
        }
    }
}

/// The time, in seconds since 1970, when a lastmod has begun in every time zone.
fn begun_everywhere(lastmod: W3cDateTime) -> u64 {
    let start = times(lastmod).start;
    if is_of_days(lastmod) {
        start + EARLIEST + LATEST
    } else {
        start
    }
}

pub(super) fn is_of_days(lastmod: W3cDateTime) -> bool {
    matches!(
        lastmod.precision(),
        Precision::Year | Precision::Month | Precision::Day
    )
}

/// The times that a lastmod can stand for, in seconds since 1970.
pub(super) fn times(lastmod: W3cDateTime) -> Range<u64> {
    let start = u64::try_from(lastmod.unix_time().0).unwrap_or(0);
    let whole_days = match lastmod.precision() {
        Precision::Year => 366,
        Precision::Month => 31,
        Precision::Day => 1,
        Precision::Minute => return start..start + 60,
        _ => return start..start + 1,
    };
    start.saturating_sub(EARLIEST)..start + whole_days * DAY + LATEST
}

#[cfg(test)]
mod tests {
    use super::super::merge::after_1970;
    use super::*;

    fn time(text: &str) -> SystemTime {
        let time: W3cDateTime = text.parse().unwrap();
        after_1970(u64::try_from(time.unix_time().0).unwrap())
    }

    #[test]
    fn a_lastmod_stands_for_any_time_of_it_in_any_zone() {
        for (lastmod, start, end) in [
            ("2026", "2025-12-31T10:00:00Z", "2027-01-02T12:00:00Z"),
            ("2026-05", "2026-04-30T10:00:00Z", "2026-06-01T12:00:00Z"),
            ("2026-05-10", "2026-05-09T10:00:00Z", "2026-05-11T12:00:00Z"),
            (
                "2026-05-10T12:00Z",
                "2026-05-10T12:00:00Z",
                "2026-05-10T12:01:00Z",
            ),
            (
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:31Z",
            ),
            (
                "2026-05-10T12:00:30.5Z",
                "2026-05-10T12:00:30Z",
                "2026-05-10T12:00:31Z",
            ),
        ] {
            let seconds = |text| since_1970(time(text)).as_secs();
            assert_eq!(
                times(lastmod.parse().unwrap()),
                seconds(start)..seconds(end),
                "{lastmod}"
            );
        }
    }
}

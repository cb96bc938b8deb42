//! Times in seconds since 1970, of clocks that may be wrong.

#[cfg(feature = "serve")]
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use sitemap_serde::{Precision, W3cDateTime};

use crate::error::Result;

/// 9999-12-31T23:59:59Z, which no lastmod is after.
pub(crate) const LAST_SECOND: u64 = 253_402_300_799;

/// Maximum difference between the clocks of programs that commit to one set. A later time comes from a wrong clock.
pub(crate) const SKEW: Duration = Duration::from_secs(3600);

/// Time since 1970; zero for earlier times.
pub(crate) fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// The time of a change, given the time of the previous one: now, but at least a second later, so that clients with the previous time
/// notice the change. The time of a wrong clock is ignored.
pub(crate) fn later_than(before: Option<u64>, now: u64) -> u64 {
    match before {
        Some(before) if (now..now.saturating_add(SKEW.as_secs())).contains(&before) => before + 1,
        _ => now,
    }
}

/// Seconds since 1970.
#[cfg(feature = "serve")]
pub(crate) fn now() -> u64 {
    since_1970(SystemTime::now()).as_secs()
}

/// The time that is `seconds` after 1970.
pub(crate) fn after_1970(seconds: u64) -> Result<W3cDateTime> {
    to_lastmod(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND)))
}

/// The time to the second, in UTC.
pub(crate) fn to_lastmod(time: SystemTime) -> Result<W3cDateTime> {
    Ok(W3cDateTime::try_from(time)?.truncated_to(Precision::Second))
}

/// Returns a random factor from 0.75 to 1.25, so that several instances do not do the same at the same time.
#[cfg(feature = "serve")]
pub(crate) fn jitter() -> f64 {
    // The keys of a new hasher are random.
    let random = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or(0);
    0.75 + f64::from(random) / f64::from(u32::MAX) / 2.0
}

#[cfg(all(test, feature = "serve"))]
mod tests {
    use super::*;

    #[test]
    fn pauses_vary_by_a_quarter() {
        let jitters: Vec<f64> = (0..1_000).map(|_| jitter()).collect();
        assert!(jitters.iter().all(|jitter| (0.75..=1.25).contains(jitter)));
        assert!(jitters.iter().any(|jitter| *jitter < 0.9) && jitters.iter().any(|jitter| *jitter > 1.1));
    }

    /// Two changes within one second have different times, and times more than an hour in the future are ignored.
    #[test]
    fn each_change_is_later_than_the_one_before() {
        let start = now();
        let first = later_than(None, now());
        let mut before = first;
        for _ in 0..10 {
            let next = later_than(Some(before), now());
            assert!(next > before, "{next} after {before}");
            before = next;
        }
        // Ten changes at once are at most ten seconds ahead of the clock.
        assert!((start..=now()).contains(&first) && before <= now() + 10);
        let wrong = now() + 3_600 + 60;
        assert!(later_than(Some(wrong), now()) <= now());
        assert_eq!(later_than(Some(u64::MAX - 1), now()), now());
    }
}

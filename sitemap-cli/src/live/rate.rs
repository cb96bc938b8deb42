//! The minimum rate of a body.

use std::time::{Duration, Instant};

/// The minimum number of bytes per second, averaged over `OVER`.
const LEAST: u64 = 1000;
const OVER: Duration = Duration::from_secs(60);

/// Measures the rate of a body. Otherwise a server that sends very slowly would keep a connection for hours.
pub(super) struct Rate {
    from: Instant,
    bytes: u64,
}

impl Rate {
    pub(super) fn new(now: Instant) -> Self {
        Rate { from: now, bytes: 0 }
    }

    /// Adds bytes. Returns `true` if they came too slowly.
    pub(super) fn is_too_slow(&mut self, bytes: usize, now: Instant) -> bool {
        self.bytes += bytes as u64;
        let time = now.saturating_duration_since(self.from);
        if time < OVER {
            return false;
        }
        let is_too_slow = self.bytes < LEAST.saturating_mul(time.as_secs());
        *self = Rate::new(now);
        is_too_slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_below_a_kilobyte_a_second_is_too_slow() {
        for (bytes, pause, expected) in [
            (1, 1000, Some(60)),
            (999, 1000, Some(60)),
            (1000, 1000, None),
            (100_000, 50_000, None),
            (20_000, 59_000, Some(118)),
            (1, 1, None),
            (1, 2, Some(60)),
        ] {
            let (start, pause) = (Instant::now(), Duration::from_millis(pause));
            let mut rate = Rate::new(start);
            let slow = (1..200_000)
                .map(|number| pause * number)
                .take_while(|time| *time < Duration::from_secs(600))
                .find(|time| rate.is_too_slow(bytes, start + *time));
            assert_eq!(slow.map(|time| time.as_secs()), expected, "{bytes} in {pause:?}");
        }
        // Each minute counts separately.
        let start = Instant::now();
        let mut rate = Rate::new(start);
        assert!(!rate.is_too_slow(1_000_000, start + OVER));
        assert!(rate.is_too_slow(1, start + OVER * 2));
    }
}

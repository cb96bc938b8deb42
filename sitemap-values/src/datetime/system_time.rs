//! `SystemTime`.

use std::time::{Duration, SystemTime};

use super::W3cDateTime;
use crate::error::{Result, ValueError};

/// Gives a value in UTC, written with `Z`. The precision is the second, or a fraction with all digits that the value
/// needs.
///
/// ```
/// use sitemap_serde::W3cDateTime;
/// use std::time::{Duration, SystemTime};
///
/// let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(1_714_979_289_250);
/// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T07:08:09.25Z");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl TryFrom<SystemTime> for W3cDateTime {
    type Error = ValueError;

    fn try_from(time: SystemTime) -> Result<Self> {
        // Seconds that do not fit an i64 are out of range, as is the i64 nearest to them.
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => {
                let seconds = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
                W3cDateTime::from_unix(seconds, after.subsec_nanos(), 0)
            }
            Err(error) => {
                let before = error.duration();
                let seconds = 0_i64.checked_sub_unsigned(before.as_secs()).unwrap_or(i64::MIN);
                match before.subsec_nanos() {
                    0 => W3cDateTime::from_unix(seconds, 0, 0),
                    nanos => W3cDateTime::from_unix(seconds.saturating_sub(1), 1_000_000_000 - nanos, 0),
                }
            }
        }
    }
}

/// # Errors
///
/// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one), or
/// is not in the range of this system's `SystemTime`.
///
/// ```
/// use sitemap_serde::W3cDateTime;
/// use std::time::{Duration, SystemTime};
///
/// let lastmod: W3cDateTime = "2024-05-06T16:08:09+09:00".parse()?;
/// let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_979_289);
/// assert_eq!(SystemTime::try_from(lastmod)?, modified);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl TryFrom<W3cDateTime> for SystemTime {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let (seconds, nanosecond) = value.to_unix("`SystemTime`")?;
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let start = if seconds < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(whole)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(whole)
        };
        start
            .and_then(|start| start.checked_add(Duration::from_nanos(nanosecond.into())))
            .ok_or_else(|| value.not_in("`SystemTime`"))
    }
}

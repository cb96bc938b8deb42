//! Failed renderings, which are not repeated for a while, for any number of requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::refusal::Refusal;

/// Pause after a failure before the next update of the table, or the next rendering of a part.
pub(super) const RETRY: Duration = Duration::from_secs(5);

/// Maximum number of failures that are remembered, of listed parts and of other ranges.
const MOST: usize = 10_000;

/// Times to render failed parts again, and the responses until then. Ranges that any client can make up do not displace listed
/// parts.
#[derive(Debug)]
pub(super) struct Retries<K> {
    listed: Failed<K>,
    unlisted: Failed<K>,
}

#[derive(Debug)]
struct Failed<K>(Mutex<HashMap<K, (Refusal, Instant)>>);

impl<K> Default for Retries<K> {
    fn default() -> Self {
        let failed = || Failed(Mutex::new(HashMap::new()));
        Retries {
            listed: failed(),
            unlisted: failed(),
        }
    }
}

impl<K: Clone + Eq + Hash> Retries<K> {
    /// The refusal of a part that failed recently.
    pub(super) fn refusal(&self, key: &K) -> Option<Refusal> {
        let held = |failed: &Failed<K>| {
            let (refusal, until) = failed.lock().get(key).copied()?;
            (Instant::now() < until).then_some(refusal)
        };
        held(&self.listed).or_else(|| held(&self.unlisted))
    }

    pub(super) fn put(&self, key: &K, refusal: Refusal, wait: Duration, is_listed: bool) {
        self.remove(key);
        let failed = if is_listed { &self.listed } else { &self.unlisted };
        failed.put(key.clone(), refusal, wait);
    }

    pub(super) fn remove(&self, key: &K) {
        self.listed.lock().remove(key);
        self.unlisted.lock().remove(key);
    }

    pub(super) fn remove_all(&self, is_removed: impl Fn(&K) -> bool) {
        self.listed.lock().retain(|key, _| !is_removed(key));
        self.unlisted.lock().retain(|key, _| !is_removed(key));
    }
}

impl<K: Clone + Eq + Hash> Failed<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Refusal, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, key: K, refusal: Refusal, wait: Duration) {
        let now = Instant::now();
        let Some(until) = now.checked_add(wait) else {
            return;
        };
        let mut failed = self.lock();
        if failed.len() >= MOST {
            failed.retain(|_, (_, until)| *until > now);
        }
        if failed.len() >= MOST
            && let Some(any) = failed.keys().next().cloned()
        {
            failed.remove(&any);
        }
        failed.insert(key, (refusal, until));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_failure_holds_for_a_while() {
        let retries = Retries::default();
        retries.put(&1, Refusal::LATE, HOUR, true);
        retries.put(&2, Refusal::BUSY, Duration::ZERO, true);
        retries.put(&3, Refusal::BUSY, Duration::MAX, true);
        assert_eq!(
            [1, 2, 3].map(|key| retries.refusal(&key)),
            [Some(Refusal::LATE), None, None]
        );
        // Listed since, or no longer.
        retries.put(&1, Refusal::BUSY, HOUR, false);
        assert_eq!(retries.refusal(&1), Some(Refusal::BUSY));
        retries.remove(&1);
        assert_eq!(retries.refusal(&1), None);
        for key in 1..=4 {
            retries.put(&key, Refusal::LATE, HOUR, key % 2 == 0);
        }
        retries.remove_all(|key| *key > 2);
        assert_eq!(
            [1, 2, 3, 4].map(|key| retries.refusal(&key).is_some()),
            [true, true, false, false]
        );
    }

    #[test]
    fn the_number_of_failures_has_a_limit() {
        let retries = Retries::default();
        retries.put(&0, Refusal::LATE, HOUR, true);
        for key in 1..=MOST + MOST / 4 {
            retries.put(&key, Refusal::LATE, HOUR, false);
        }
        assert_eq!(retries.unlisted.lock().len(), MOST);
        assert!(retries.refusal(&0).is_some() && retries.refusal(&(MOST + MOST / 4)).is_some());
    }
}

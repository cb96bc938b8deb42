//! Failed renewals, which are not repeated for a while, for any number of requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Pause after a failure before the next update of the table, or the next rendering of a part.
pub(super) const RETRY: Duration = Duration::from_secs(5);

/// Maximum number of failures that are remembered, of listed parts and of other ranges.
const MOST: usize = 10_000;

/// Times to renew documents again, and the failures until then. Ranges that any client can make up do not displace listed parts.
#[derive(Debug)]
pub(super) struct Retries<K, E> {
    listed: Failed<K, E>,
    unlisted: Failed<K, E>,
}

#[derive(Debug)]
struct Failed<K, E>(Mutex<HashMap<K, (E, Instant)>>);

impl<K, E> Default for Retries<K, E> {
    fn default() -> Self {
        let failed = || Failed(Mutex::new(HashMap::new()));
        Retries {
            listed: failed(),
            unlisted: failed(),
        }
    }
}

impl<K: Clone + Eq + Hash, E: Clone> Retries<K, E> {
    /// The failure of a document that failed recently.
    pub(super) fn failure(&self, key: &K) -> Option<E> {
        let held = |failed: &Failed<K, E>| {
            let (failure, until) = failed.lock().get(key).cloned()?;
            (Instant::now() < until).then_some(failure)
        };
        held(&self.listed).or_else(|| held(&self.unlisted))
    }

    pub(super) fn put(&self, key: &K, failure: E, wait: Duration, is_listed: bool) {
        self.remove(key);
        let failed = if is_listed { &self.listed } else { &self.unlisted };
        failed.put(key.clone(), failure, wait);
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

impl<K: Clone + Eq + Hash, E> Failed<K, E> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, (E, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, key: K, failure: E, wait: Duration) {
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
        failed.insert(key, (failure, until));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::refusal::Refusal;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_failure_holds_for_a_while() {
        let retries = Retries::default();
        retries.put(&1, Refusal::LATE, HOUR, true);
        retries.put(&2, Refusal::BUSY, Duration::ZERO, true);
        retries.put(&3, Refusal::BUSY, Duration::MAX, true);
        assert_eq!(
            [1, 2, 3].map(|key| retries.failure(&key)),
            [Some(Refusal::LATE), None, None]
        );
        // Listed since, or no longer.
        retries.put(&1, Refusal::BUSY, HOUR, false);
        assert_eq!(retries.failure(&1), Some(Refusal::BUSY));
        retries.remove(&1);
        assert_eq!(retries.failure(&1), None);
        for key in 1..=4 {
            retries.put(&key, Refusal::LATE, HOUR, key % 2 == 0);
        }
        retries.remove_all(|key| *key > 2);
        assert_eq!(
            [1, 2, 3, 4].map(|key| retries.failure(&key).is_some()),
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
        assert!(retries.failure(&0).is_some() && retries.failure(&(MOST + MOST / 4)).is_some());
    }
}

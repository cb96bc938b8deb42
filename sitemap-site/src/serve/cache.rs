//! The cache of renderings, with a maximum size in bytes, and the cached copies of parts.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::rendered::Rendered;

/// Approximate overhead of an entry in bytes.
const OVERHEAD: usize = 512;

#[derive(Debug)]
pub(super) struct Cache<K> {
    budget: usize,
    kept: Mutex<Kept<K>>,
}

#[derive(Debug)]
struct Kept<K> {
    by_key: HashMap<K, Slot>,
    /// The keys, least recently used first.
    by_use: BTreeMap<u64, K>,
    bytes: usize,
    uses: u64,
}

#[derive(Debug)]
struct Slot {
    cached: Cached,
    used: u64,
}

/// A cached rendering.
#[derive(Clone, Debug)]
pub(super) struct Cached {
    pub(super) rendered: Arc<Rendered>,
    /// When it was last known to be current.
    pub(super) checked: Instant,
}

impl<K: Clone + Eq + Hash> Cache<K> {
    pub(super) fn new(budget: usize) -> Self {
        Cache {
            budget,
            kept: Mutex::new(Kept {
                by_key: HashMap::new(),
                by_use: BTreeMap::new(),
                bytes: 0,
                uses: 0,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<K>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, key: &K) -> Option<Cached> {
        let mut kept = self.lock();
        let kept = &mut *kept;
        let slot = kept.by_key.get_mut(key)?;
        kept.uses += 1;
        if let Some(key) = kept.by_use.remove(&slot.used) {
            kept.by_use.insert(kept.uses, key);
        }
        slot.used = kept.uses;
        Some(slot.cached.clone())
    }

    /// Adds a rendering that was current at the given time. Renderings larger than the cache, or in temporary files, are not
    /// added.
    pub(super) fn put(&self, key: K, rendered: &Arc<Rendered>, checked: Instant) {
        let mut kept = self.lock();
        kept.remove(&key);
        let size = rendered.in_memory() + OVERHEAD;
        if size > self.budget || rendered.is_spilled() {
            return;
        }
        while kept.bytes + size > self.budget {
            let Some(oldest) = kept.by_use.first_key_value().map(|(_, key)| key.clone()) else {
                break;
            };
            kept.remove(&oldest);
        }
        kept.uses += 1;
        let used = kept.uses;
        kept.by_use.insert(used, key.clone());
        kept.bytes += size;
        let cached = Cached {
            rendered: Arc::clone(rendered),
            checked,
        };
        kept.by_key.insert(key, Slot { cached, used });
    }

    pub(super) fn remove(&self, key: &K) {
        self.lock().remove(key);
    }

    pub(super) fn remove_all(&self, mut is_removed: impl FnMut(&K) -> bool) {
        let mut kept = self.lock();
        let keys: Vec<K> = kept
            .by_key
            .keys()
            .filter(|key| is_removed(key))
            .cloned()
            .collect();
        for key in &keys {
            kept.remove(key);
        }
    }

    /// Current size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lock().bytes
    }
}

impl<K: Clone + Eq + Hash> Kept<K> {
    fn remove(&mut self, key: &K) {
        if let Some(slot) = self.by_key.remove(key) {
            self.by_use.remove(&slot.used);
            self.bytes -= slot.cached.rendered.in_memory() + OVERHEAD;
        }
    }
}

/// The copies of parts and, in an eighth of the memory, of unlisted ranges: parts of other instances, whose tables are older or
/// newer.
#[derive(Debug)]
pub(super) struct Copies<K> {
    listed: Cache<K>,
    unlisted: Cache<K>,
}

impl<K: Clone + Eq + Hash> Copies<K> {
    pub(super) fn new(bytes: usize) -> Self {
        let unlisted = bytes / 8;
        Copies {
            listed: Cache::new(bytes - unlisted),
            unlisted: Cache::new(unlisted),
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<Cached> {
        self.listed.get(key).or_else(|| self.unlisted.get(key))
    }

    /// See [`Cache::put`]. It replaces a copy from when the range was listed, or was not.
    pub(super) fn put(&self, key: K, rendered: &Arc<Rendered>, checked: Instant, is_listed: bool) {
        let (cache, other) = if is_listed {
            (&self.listed, &self.unlisted)
        } else {
            (&self.unlisted, &self.listed)
        };
        other.remove(&key);
        cache.put(key, rendered, checked);
    }

    pub(super) fn remove(&self, key: &K) {
        self.listed.remove(key);
        self.unlisted.remove(key);
    }

    pub(super) fn remove_all(&self, is_removed: impl Fn(&K) -> bool) {
        self.listed.remove_all(&is_removed);
        self.unlisted.remove_all(&is_removed);
    }

    /// Current size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.listed.bytes() + self.unlisted.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::ContentHash;
    use crate::serve::rendered::Content;
    use crate::source::Newest;

    fn rendered(bytes: usize) -> Arc<Rendered> {
        Arc::new(Rendered {
            gzip: Content::Memory(vec![0; bytes].into()),
            length: 0,
            hash: ContentHash::of(b""),
            rows: 0,
            entries: 0,
            newest: Newest::Nothing,
            dated: 0,
            invalid: super::super::rendered::Invalid::default(),
        })
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Cache::new(3 * (1000 + OVERHEAD));
        let now = Instant::now();
        for key in [1, 2, 3] {
            cache.put(key, &rendered(1000), now);
        }
        assert_eq!(cache.bytes(), 3 * (1000 + OVERHEAD));
        assert!(cache.get(&1).is_some());
        cache.put(4, &rendered(1000), now);
        assert!(cache.get(&2).is_none());
        assert!([1, 3, 4].iter().all(|key| cache.get(key).is_some()));
        // The same key again takes no more room.
        cache.put(4, &rendered(900), now);
        assert!([1, 3, 4].iter().all(|key| cache.get(key).is_some()));
        cache.put(5, &rendered(1_000_000), now);
        assert!(cache.get(&5).is_none());
        assert!([1, 3, 4].iter().all(|key| cache.get(key).is_some()));
        cache.remove(&1);
        assert_eq!(cache.bytes(), 1900 + 2 * OVERHEAD);
    }
}

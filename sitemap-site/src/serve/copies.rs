//! The cached copies of parts.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

use super::cache::{Cache, Cached};
use super::rendered::Rendered;

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

//! The turns of renderings: how many run at the same time, and how many wait.
//!
//! Ranges outside the table of parts get at most half of each. They are served since another instance may list them. But any
//! client can invent them, and listed parts must not wait behind them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// Maximum number of simultaneous renderings, and so of their queries.
pub(super) const RUNNING: usize = 4;
/// Maximum number of renderings that are running or waiting, so that their memory is bounded.
const PENDING: usize = 1_000;

#[derive(Debug)]
pub(super) struct Turns {
    all: Queue,
    unlisted: Queue,
}

impl Default for Turns {
    fn default() -> Self {
        Turns {
            all: Queue::new(RUNNING, PENDING),
            unlisted: Queue::new(RUNNING / 2, PENDING / 2),
        }
    }
}

impl Turns {
    /// Number of renderings that are running or waiting.
    pub(super) fn pending(&self) -> usize {
        self.all.pending.load(Ordering::Relaxed)
    }

    /// A place for a rendering, of a listed part or of another range; `None` if too many are waiting.
    pub(super) fn enter(&self, is_listed: bool) -> Option<Place<'_>> {
        let unlisted = if is_listed {
            None
        } else {
            Some(self.unlisted.enter()?)
        };
        let all = self.all.enter()?;
        Some(Place { all, unlisted })
    }
}

/// A rendering that is running or waiting.
#[derive(Debug)]
pub(super) struct Place<'a> {
    all: Entered<'a>,
    unlisted: Option<Entered<'a>>,
}

impl Place<'_> {
    pub(super) fn is_listed(&self) -> bool {
        self.unlisted.is_none()
    }

    /// Waits until the rendering may run. It runs until the permits are dropped.
    pub(super) async fn turn(&self) -> impl Sized {
        let unlisted = match &self.unlisted {
            Some(entered) => Some(entered.permit().await),
            None => None,
        };
        (unlisted, self.all.permit().await)
    }
}

/// Start times of the running renderings.
#[derive(Debug)]
pub(super) struct Running<K>(Mutex<HashMap<K, Instant>>);

impl<K> Default for Running<K> {
    fn default() -> Self {
        Running(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash> Running<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the rendering runs, until this is dropped.
    pub(super) fn begin(&self, key: &K) -> impl Sized {
        self.lock().insert(key.clone(), Instant::now());
        Ended(self, key.clone())
    }

    /// The time that it has been running; `None` if it waits for its turn.
    pub(super) fn time(&self, key: &K) -> Option<Duration> {
        self.lock().get(key).map(Instant::elapsed)
    }
}

struct Ended<'a, K: Clone + Eq + Hash>(&'a Running<K>, K);

impl<K: Clone + Eq + Hash> Drop for Ended<'_, K> {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

#[derive(Debug)]
struct Queue {
    running: Semaphore,
    pending: AtomicUsize,
    most: usize,
}

impl Queue {
    fn new(running: usize, most: usize) -> Self {
        Queue {
            running: Semaphore::new(running),
            pending: AtomicUsize::new(0),
            most,
        }
    }

    fn enter(&self) -> Option<Entered<'_>> {
        let entered = Entered(self);
        (self.pending.fetch_add(1, Ordering::Relaxed) < self.most).then_some(entered)
    }
}

/// One of the pending renderings of a queue.
#[derive(Debug)]
struct Entered<'a>(&'a Queue);

impl Entered<'_> {
    async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.0.running.acquire().await.ok()
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.pending.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_places_are_for_listed_parts_alone() {
        let turns = Turns::default();
        let mut places: Vec<_> = (0..PENDING / 2).map(|_| turns.enter(false).unwrap()).collect();
        assert!(turns.enter(false).is_none());
        assert_eq!(turns.pending(), PENDING / 2);
        places.extend((0..PENDING / 2).map(|_| turns.enter(true).unwrap()));
        assert!(turns.enter(true).is_none());
        assert_eq!(turns.pending(), PENDING);
        let listed = places.iter().filter(|place| place.is_listed()).count();
        assert_eq!(listed, PENDING / 2);
        drop(places.pop());
        assert!(turns.enter(false).is_none());
        places.push(turns.enter(true).unwrap());
        places.clear();
        assert!(turns.enter(false).is_some());
    }

    #[tokio::test]
    async fn half_of_the_turns_are_for_listed_parts_alone() {
        let turns = Turns::default();
        let places: Vec<_> = (0..RUNNING).map(|_| turns.enter(false).unwrap()).collect();
        let wait = Duration::from_millis(20);
        let mut running = Vec::new();
        for place in &places {
            running.extend(tokio::time::timeout(wait, place.turn()).await.ok());
        }
        assert_eq!(running.len(), RUNNING / 2);
        let listed: Vec<_> = (0..RUNNING).map(|_| turns.enter(true).unwrap()).collect();
        let mut of_listed = Vec::new();
        for place in &listed {
            of_listed.extend(tokio::time::timeout(wait, place.turn()).await.ok());
        }
        assert_eq!(of_listed.len(), RUNNING - RUNNING / 2);
    }
}

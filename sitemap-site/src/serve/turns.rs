//! The turns of renderings: how many run at the same time, and how many wait.
//!
//! **Nobody takes all turns.** A section of several gets at most half of them, so that the others are served while its queries hang.
//! Ranges outside the table of parts get at most half of their section's, and half of all. They are served since another instance
//! may list them. But any client can invent them, and listed parts must not wait behind them.

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
    site: Lanes,
    sections: Vec<Lanes>,
}

/// The queues of a site, or of a section.
#[derive(Debug)]
struct Lanes {
    all: Queue,
    unlisted: Queue,
}

impl Lanes {
    fn new(running: usize, most: usize) -> Self {
        Lanes {
            all: Queue::new(running, most),
            unlisted: Queue::new(running / 2, most / 2),
        }
    }
}

impl Turns {
    pub(super) fn new(sections: usize) -> Self {
        let share = if sections > 1 { 2 } else { 1 };
        let section = |_| Lanes::new(RUNNING / share, PENDING / share);
        Turns {
            site: Lanes::new(RUNNING, PENDING),
            sections: (0..sections).map(section).collect(),
        }
    }

    /// Number of renderings that are running or waiting.
    pub(super) fn pending(&self) -> usize {
        self.site.all.pending.load(Ordering::Relaxed)
    }

    /// A place for a rendering, of a listed part of a section or of another range; `None` if too many are waiting.
    pub(super) fn enter(&self, section: usize, is_listed: bool) -> Option<Place<'_>> {
        // A queue of a section first, so that whoever waits for it occupies no turn of the site.
        let mut queues = Vec::with_capacity(4);
        for lanes in self.sections.get(section).into_iter().chain([&self.site]) {
            if !is_listed {
                queues.push(lanes.unlisted.enter()?);
            }
            queues.push(lanes.all.enter()?);
        }
        Some(Place { queues, is_listed })
    }
}

/// A rendering that is running or waiting.
#[derive(Debug)]
pub(super) struct Place<'a> {
    queues: Vec<Entered<'a>>,
    is_listed: bool,
}

impl Place<'_> {
    pub(super) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Waits until the rendering may run. It runs until the permits are dropped.
    pub(super) async fn turn(&self) -> impl Sized {
        let mut permits = Vec::with_capacity(self.queues.len());
        for queue in &self.queues {
            permits.push(queue.permit().await);
        }
        permits
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
        let turns = Turns::new(1);
        let mut places: Vec<_> = (0..PENDING / 2).map(|_| turns.enter(0, false).unwrap()).collect();
        assert!(turns.enter(0, false).is_none());
        assert_eq!(turns.pending(), PENDING / 2);
        places.extend((0..PENDING / 2).map(|_| turns.enter(0, true).unwrap()));
        assert!(turns.enter(0, true).is_none());
        assert_eq!(turns.pending(), PENDING);
        let listed = places.iter().filter(|place| place.is_listed()).count();
        assert_eq!(listed, PENDING / 2);
        drop(places.pop());
        assert!(turns.enter(0, false).is_none());
        places.push(turns.enter(0, true).unwrap());
        places.clear();
        assert!(turns.enter(0, false).is_some());
    }

    #[tokio::test]
    async fn half_of_the_turns_are_for_listed_parts_alone() {
        let turns = Turns::new(1);
        let places: Vec<_> = (0..RUNNING).map(|_| turns.enter(0, false).unwrap()).collect();
        let wait = Duration::from_millis(20);
        let mut running = Vec::new();
        for place in &places {
            running.extend(tokio::time::timeout(wait, place.turn()).await.ok());
        }
        assert_eq!(running.len(), RUNNING / 2);
        let listed: Vec<_> = (0..RUNNING).map(|_| turns.enter(0, true).unwrap()).collect();
        let mut of_listed = Vec::new();
        for place in &listed {
            of_listed.extend(tokio::time::timeout(wait, place.turn()).await.ok());
        }
        assert_eq!(of_listed.len(), RUNNING - RUNNING / 2);
    }

    /// Renderings that hang occupy half of the turns for each section, and a quarter for ranges that are not listed.
    #[tokio::test]
    async fn a_section_of_several_gets_half_of_the_turns() {
        let turns = Turns::new(2);
        for (section, is_listed, running) in [(0, false, 1), (0, true, 1), (1, false, 1), (1, true, 1)] {
            let mut got = 0;
            for _ in 0..10 {
                // They hang.
                let place = Box::leak(Box::new(turns.enter(section, is_listed).unwrap()));
                let turn = tokio::time::timeout(Duration::from_millis(1), place.turn()).await;
                got += usize::from(turn.map(std::mem::forget).is_ok());
            }
            assert_eq!(got, running, "{section} {is_listed}");
        }
        let (mut first, mut second) = (0, 0);
        while turns.enter(0, true).map(std::mem::forget).is_some() {
            first += 1;
        }
        while turns.enter(1, true).map(std::mem::forget).is_some() {
            second += 1;
        }
        assert_eq!((first, second), (PENDING / 2 - 20, PENDING / 2 - 20));
    }
}

//! Sharing the result of one task among all requests that need it.
//!
//! **One flight**: concurrent requests for a part share one rendering, a task with a `watch` channel. The task is cancelled when its last
//! receiver is gone. A future polled by the clients in turn would need no runtime, but would stall whenever the client that polls it
//! stalls.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Tasks in progress, by key.
///
/// The work runs in a separate task, independent of the client that started it. It is cancelled when the last waiting client
/// is gone, unless it was started to continue.
#[derive(Debug)]
pub(super) struct Flights<K, V>(Arc<Mutex<HashMap<K, Flight<V>>>>);

#[derive(Debug)]
struct Flight<V> {
    sender: watch::Sender<Option<V>>,
    /// A receiver without a client, so that the task continues when all clients are gone.
    held: Option<watch::Receiver<Option<V>>>,
}

/// A client of a task.
#[derive(Debug)]
pub(super) struct Waiter<V>(watch::Receiver<Option<V>>);

impl<V: Clone> Waiter<V> {
    /// The result of the task; `None` if it panicked, or the runtime ended.
    pub(super) async fn landed(&mut self) -> Option<V> {
        let landed = self.0.wait_for(Option::is_some).await;
        landed.ok().and_then(|value| value.clone())
    }
}

impl<K, V> Default for Flights<K, V> {
    fn default() -> Self {
        Flights(Arc::default())
    }
}

impl<K, V> Flights<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Flight<V>>> {
        // Ignore poisoning: no change can be interrupted by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of tasks in progress.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Joins the task for `key`. If none is in progress, `work` becomes the task. If `continues`, it is not cancelled when all
    /// clients are gone.
    pub(super) fn start<F>(&self, key: K, continues: bool, work: impl FnOnce() -> F) -> Waiter<V>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let mut flights = self.lock();
        let (receiver, new) = match flights.get_mut(&key) {
            Some(flight) => {
                let receiver = flight.sender.subscribe();
                if continues && flight.held.is_none() {
                    flight.held = Some(receiver.clone());
                }
                (receiver, None)
            }
            None => {
                let (sender, receiver) = watch::channel(None);
                let held = continues.then(|| receiver.clone());
                let flight = Flight {
                    sender: sender.clone(),
                    held,
                };
                flights.insert(key.clone(), flight);
                let landing = Landing {
                    flights: Flights(Arc::clone(&self.0)),
                    key,
                    sender,
                };
                (receiver, Some(landing))
            }
        };
        drop(flights);
        if let Some(landing) = new {
            tokio::spawn(landing.fly(work()));
        }
        Waiter(receiver)
    }

    /// The result of the task for `key`. If none is in progress, `work` becomes the task. `None` if it panicked, or the runtime
    /// ended.
    pub(super) async fn join<F>(&self, key: K, work: impl FnOnce() -> F) -> Option<V>
    where
        F: Future<Output = V> + Send + 'static,
    {
        self.start(key, false, work).landed().await
    }

    /// Makes later clients start new tasks for these keys. The tasks in progress end for their own clients.
    pub(super) fn remove_all(&self, is_removed: impl Fn(&K) -> bool) {
        self.lock().retain(|key, _| !is_removed(key));
    }
}

/// Removes a task from the map when it ends or is cancelled.
struct Landing<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    flights: Flights<K, V>,
    key: K,
    sender: watch::Sender<Option<V>>,
}

impl<K, V> Landing<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    async fn fly(self, work: impl Future<Output = V> + Send) {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                value = &mut work => {
                    // First removed from the map: later requests start their own work.
                    self.leave(&mut self.flights.lock());
                    self.sender.send_replace(Some(value));
                    return;
                }
                () = self.sender.closed() => {
                    let mut flights = self.flights.lock();
                    // Another request may have joined in the meantime.
                    if self.sender.is_closed() {
                        self.leave(&mut flights);
                        return;
                    }
                }
            }
        }
    }

    /// Another task may have the key now.
    fn leave(&self, flights: &mut HashMap<K, Flight<V>>) {
        if flights
            .get(&self.key)
            .is_some_and(|flight| flight.sender.same_channel(&self.sender))
        {
            flights.remove(&self.key);
        }
    }
}

impl<K, V> Drop for Landing<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    fn drop(&mut self) {
        self.leave(&mut self.flights.lock());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::sync::Notify;
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test]
    async fn all_who_ask_share_one_piece_of_work() {
        let flights = Arc::new(Flights::<u8, usize>::default());
        let (runs, go) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let ask = || {
            let (flights, runs, go) = (Arc::clone(&flights), Arc::clone(&runs), Arc::clone(&go));
            tokio::spawn(async move {
                let work = || async move {
                    go.notified().await;
                    runs.fetch_add(1, Ordering::SeqCst) + 1
                };
                flights.join(1, work).await
            })
        };
        let all: Vec<_> = (0..100).map(|_| ask()).collect();
        while flights.len() == 0 {
            tokio::task::yield_now().await;
        }
        sleep(Duration::from_millis(20)).await;
        go.notify_one();
        for one in all {
            assert_eq!(one.await.unwrap(), Some(1));
        }
        assert_eq!(flights.len(), 0);
        go.notify_one();
        assert_eq!(ask().await.unwrap(), Some(2), "later is new");
    }

    #[tokio::test]
    async fn the_last_who_leaves_ends_it() {
        struct Dropped(Arc<Notify>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                self.0.notify_one();
            }
        }
        let flights = Flights::<u8, ()>::default();
        let ended = Arc::new(Notify::new());
        let work = || {
            let dropped = Dropped(Arc::clone(&ended));
            async move {
                let _dropped = dropped;
                std::future::pending::<()>().await;
            }
        };
        let second = async {
            sleep(Duration::from_millis(20)).await;
            timeout(Duration::from_millis(40), flights.join(1, || async {})).await
        };
        let first = timeout(Duration::from_millis(40), flights.join(1, work));
        let (first, second) = tokio::join!(first, second);
        assert!(
            first.is_err() && second.is_err(),
            "the second has waited for the first's work"
        );
        timeout(Duration::from_secs(10), ended.notified()).await.unwrap();
        while flights.len() > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_is_no_result_and_leaves_nothing() {
        let flights = Flights::<u8, ()>::default();
        let panicked = flights.join(1, || async { panic!("of the test") }).await;
        assert_eq!(panicked, None);
        assert_eq!(flights.len(), 0);
        assert_eq!(flights.join(1, || async {}).await, Some(()));
    }

    /// A task that was started to continue ends although nobody waits, whoever joined first, and a removed one lets others start.
    #[tokio::test]
    async fn a_task_that_continues_needs_no_client() {
        let flights = Flights::<u8, u8>::default();
        let go = Arc::new(Notify::new());
        let work = |value| {
            let go = Arc::clone(&go);
            move || async move {
                go.notified().await;
                value
            }
        };
        let first = flights.start(1, false, work(1));
        drop(flights.start(1, true, work(2)));
        drop(first);
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert_eq!(flights.len(), 1);
        let mut third = flights.start(1, false, work(3));
        flights.remove_all(|key| *key == 1);
        let mut fourth = flights.start(1, false, work(4));
        tokio::task::yield_now().await;
        go.notify_waiters();
        assert_eq!((third.landed().await, fourth.landed().await), (Some(1), Some(4)));
        assert_eq!(flights.len(), 0);
    }
}

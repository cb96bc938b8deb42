//! The last good copy of a document, which is renewed in the background once it is old.
//!
//! **Whoever holds a copy never waits longer than a second.** A renewal runs once for all requests. If it takes longer than that or
//! fails, clients get the copy, and the renewal is not repeated for a while. Parts, the flat sitemap, the documents of other servers,
//! and the published set are kept in this way. Each says where its copies are, how long they count as current, and how one is renewed.

use std::future::Future;
use std::hash::Hash;
use std::time::Duration;

use tokio::time::timeout;

use super::flight::{Flights, Waiter};
use super::retries::Retries;

/// Maximum wait of a request for a newer document, if an older one can be sent at once.
pub(super) const PROMPT: Duration = Duration::from_secs(1);

/// The last good copy of a document.
pub(super) struct Copy<V> {
    pub(super) value: V,
    /// The time since it was known to be current.
    pub(super) age: Duration,
    /// `true` if it need not be renewed.
    pub(super) is_fresh: bool,
}

/// A document for a response.
pub(super) struct Current<V> {
    pub(super) value: V,
    /// Its age, if it could not be renewed.
    pub(super) stale: Option<Duration>,
}

/// The renewals that are running, and those that failed.
#[derive(Debug)]
pub(super) struct Renewals<K, V, E> {
    flights: Flights<K, Result<V, E>>,
    failed: Retries<K, E>,
}

impl<K, V, E> Default for Renewals<K, V, E> {
    fn default() -> Self {
        Renewals {
            flights: Flights::default(),
            failed: Retries::default(),
        }
    }
}

impl<K, V, E> Renewals<K, V, E>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
    E: Clone + Send + Sync + 'static,
{
    /// Number of renewals in progress.
    pub(super) fn len(&self) -> usize {
        self.flights.len()
    }

    /// Lets the next requests renew the documents that failed.
    pub(super) fn retry(&self) {
        self.failed.remove_all(|_| true);
    }

    /// Lets the next requests for these documents renew them, and join no renewal that began before.
    pub(super) fn restart(&self, is_restarted: impl Fn(&K) -> bool) {
        self.flights.remove_all(&is_restarted);
        self.failed.remove_all(is_restarted);
    }
}

/// The time until a failed renewal is repeated, and whether its document is listed.
pub(super) struct Pause(pub(super) Duration, pub(super) bool);

/// Documents of which the last good copies are kept.
pub(super) trait Renew: Clone + Send + Sync + 'static {
    type Key: Clone + Eq + Hash + Send + Sync + 'static;
    type Value: Clone + Send + Sync + 'static;
    type Failure: Clone + Send + Sync + 'static;

    /// `true` if a renewal continues when all clients are gone. It does in any case if there is a copy.
    const CONTINUES: bool;

    fn renewals(&self) -> &Renewals<Self::Key, Self::Value, Self::Failure>;

    /// The last good copy, for as long as it may be sent.
    fn copy(&self, key: &Self::Key) -> Option<Copy<Self::Value>>;

    /// Makes the document anew, and keeps it. Failures are logged and counted here.
    fn renew(
        self,
        key: Self::Key,
    ) -> impl Future<Output = Result<Self::Value, Self::Failure>> + Send + 'static;

    /// Decides whether a failed renewal is repeated only after a while.
    fn pause(&self, key: &Self::Key, failure: &Self::Failure) -> Option<Pause>;

    /// Returns `true` if the copy is sent after this failure.
    fn keeps_copy(failure: &Self::Failure) -> bool;

    /// The failure of a renewal that takes longer than [`PROMPT`].
    fn late(&self) -> Self::Failure;

    /// The failure of a renewal that panicked, or whose runtime ended.
    fn lost(&self) -> Self::Failure;

    /// The document: a fresh copy, or the result of a renewal, or the last good copy if that fails or is not prompt.
    fn current(
        &self,
        key: &Self::Key,
    ) -> impl Future<Output = Result<Current<Self::Value>, Self::Failure>> + Send {
        async move {
            let before = self.copy(key);
            let has_copy = before.is_some();
            if let Some(copy) = before.filter(|copy| copy.is_fresh) {
                let value = copy.value;
                return Ok(Current { value, stale: None });
            }
            let renewed = match self.renewals().failed.failure(key) {
                Some(failure) => Err(failure),
                None if has_copy => {
                    let mut waiter = self.begin_renewal(key, true);
                    let landed = timeout(PROMPT, self.landed(key, &mut waiter)).await;
                    match landed {
                        Ok(renewed) => renewed,
                        Err(_) => {
                            let late = self.late();
                            self.failed(key, Some(&late));
                            match self.copy(key) {
                                Some(_) => Err(late),
                                // It was purged in the meantime.
                                None => self.landed(key, &mut waiter).await,
                            }
                        }
                    }
                }
                None => self.renewed(key).await,
            };
            match renewed {
                Ok(value) => Ok(Current { value, stale: None }),
                Err(failure) => match self.copy(key).filter(|_| Self::keeps_copy(&failure)) {
                    Some(copy) => Ok(Current {
                        stale: (!copy.is_fresh).then_some(copy.age),
                        value: copy.value,
                    }),
                    None => Err(failure),
                },
            }
        }
    }

    /// The result of a renewal: of the one in progress, or of a new one.
    fn renewed(&self, key: &Self::Key) -> impl Future<Output = Result<Self::Value, Self::Failure>> + Send {
        async move {
            let mut waiter = self.begin_renewal(key, Self::CONTINUES);
            self.landed(key, &mut waiter).await
        }
    }

    /// Returns `true` if there is a copy that need not be renewed.
    fn is_fresh(&self, key: &Self::Key) -> bool {
        self.copy(key).is_some_and(|copy| copy.is_fresh)
    }

    /// Returns `true` if a request would renew the document.
    fn is_due(&self, key: &Self::Key) -> bool {
        !self.is_fresh(key) && self.renewals().failed.failure(key).is_none()
    }

    /// Starts a renewal, or joins the one in progress.
    fn begin_renewal(&self, key: &Self::Key, continues: bool) -> Waiter<Result<Self::Value, Self::Failure>> {
        let (documents, work) = (self.clone(), key.clone());
        self.renewals()
            .flights
            .start(key.clone(), continues, || async move {
                let renewed = documents.clone().renew(work.clone()).await;
                documents.failed(&work, renewed.as_ref().err());
                renewed
            })
    }

    /// Waits for a renewal.
    fn landed(
        &self,
        key: &Self::Key,
        waiter: &mut Waiter<Result<Self::Value, Self::Failure>>,
    ) -> impl Future<Output = Result<Self::Value, Self::Failure>> + Send {
        async move {
            match waiter.landed().await {
                Some(renewed) => renewed,
                None => {
                    let lost = self.lost();
                    self.failed(key, Some(&lost));
                    Err(lost)
                }
            }
        }
    }

    /// Records the result of a renewal.
    fn failed(&self, key: &Self::Key, failure: Option<&Self::Failure>) {
        let failed = &self.renewals().failed;
        match failure.and_then(|failure| Some((self.pause(key, failure)?, failure.clone()))) {
            Some((Pause(wait, is_listed), failure)) => failed.put(key, failure, wait, is_listed),
            None => failed.remove(key),
        }
    }
}

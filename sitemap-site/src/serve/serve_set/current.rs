//! The published set at the time of the last check.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use sitemap_serde::W3cDateTime;
use tracing::error;

use super::{Inner, Undone, bounded};
use crate::error::ErrorKind;
use crate::hash::ContentHash;
use crate::serve::headers::STALE_IF_ERROR;
use crate::serve::kept::{Copy, Pause, Renew, Renewals};
use crate::serve::refusal::Refusal;
use crate::serve::retries::RETRY;
use crate::sets::backend::{Looked, Mark, Open};
use crate::sets::manifest::{Manifest, Top};
use crate::sets::name::TOP_FILE;
use crate::time::{now, since_1970};

const UNREADABLE: Refusal = Refusal::Internal("the published files cannot be read");
const UNAVAILABLE: Refusal = Refusal::Unavailable("the published files cannot be read at the moment", 5);

/// The published set at one moment.
#[derive(Default)]
pub(super) struct Current {
    pub(super) files: Arc<HashMap<String, Known>>,
    pub(super) open: Option<Arc<Open>>,
    mark: Option<Mark>,
    /// Since when nothing is published, although this set was.
    pub(super) gone_since: Option<Instant>,
}

impl Current {
    /// The set to serve when nothing is published: the last one, for as long as caches may use it too, since a folder may be
    /// unmounted for a while. `None` if that is being served already.
    fn gone(before: Option<&Current>, now: Instant) -> Option<Current> {
        let Some(before) = before.filter(|before| before.open.is_some()) else {
            return Some(Current::default());
        };
        match before.gone_since {
            Some(since) if now.saturating_duration_since(since) < STALE_IF_ERROR => None,
            Some(_) => Some(Current::default()),
            None => Some(Current {
                files: Arc::clone(&before.files),
                open: before.open.clone(),
                // So that the set is loaded again when it is back.
                mark: None,
                gone_since: Some(now),
            }),
        }
    }
}

/// Facts about a file that are known without reading it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The hash of the uncompressed content; `None` if the file is no longer listed.
    pub(super) hash: Option<ContentHash>,
    /// When the content changed, in seconds since 1970.
    pub(super) changed: Option<u64>,
    /// Size of the file in bytes.
    pub(super) size: u64,
}

impl Known {
    const UNLISTED: Known = Known {
        hash: None,
        changed: None,
        size: 0,
    };
}

/// The result of the last check.
#[derive(Clone)]
pub(super) struct Seen {
    current: Arc<Current>,
    at: Instant,
    /// `true` if a file differed from the manifest, so that another set may be published.
    is_doubted: bool,
}

impl Inner {
    fn seen(&self) -> MutexGuard<'_, Option<Seen>> {
        // Ignore poisoning: the value is replaced as a whole.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn see(&self, current: &Arc<Current>) {
        *self.seen() = Some(Seen {
            current: Arc::clone(current),
            at: Instant::now(),
            is_doubted: false,
        });
    }

    /// Makes the next request check again, unless there has been a check since.
    pub(super) fn look_again(&self, doubted: &Arc<Current>) {
        if let Some(seen) = &mut *self.seen()
            && Arc::ptr_eq(&seen.current, doubted)
        {
            seen.is_doubted = true;
        }
        self.looks.retry();
    }

    fn before(&self) -> Option<Arc<Current>> {
        self.seen().as_ref().map(|seen| Arc::clone(&seen.current))
    }

    async fn look(&self, before: Option<Arc<Current>>) -> Result<Option<Current>, Undone> {
        if self.looking.available_permits() == 0 {
            // The previous check has not returned yet.
            return Err(Undone::Late(self.settings.time_limit));
        }
        let set = self.settings.set.clone();
        bounded(&self.looking, self.settings.time_limit, move || {
            let before = before.as_deref();
            Ok(match set.look(before.and_then(|before| before.mark.as_ref()))? {
                Looked::Nothing => Current::gone(before, Instant::now()),
                Looked::Same => None,
                Looked::Published(published) => Some(Current {
                    files: Arc::new(known_files(&published.manifest)),
                    open: Some(published.open),
                    mark: Some(published.mark),
                    gone_since: None,
                }),
            })
        })
        .await
    }
}

impl Renew for Arc<Inner> {
    type Key = ();
    type Value = Arc<Current>;
    type Failure = Refusal;

    const CONTINUES: bool = true;

    fn renewals(&self) -> &Renewals<(), Arc<Current>, Refusal> {
        &self.looks
    }

    fn copy(&self, (): &()) -> Option<Copy<Arc<Current>>> {
        let seen = self.seen().clone()?;
        let age = seen.at.elapsed();
        Some(Copy {
            value: seen.current,
            age,
            is_fresh: !seen.is_doubted && age < self.settings.check_every,
        })
    }

    async fn renew(self, (): ()) -> Result<Arc<Current>, Refusal> {
        let before = self.before();
        let current = match (self.look(before.clone()).await, before) {
            (Ok(Some(current)), _) => {
                if current.gone_since.is_some() {
                    self.stats.failure();
                    error!("nothing is published any more, and the files in memory are served on");
                }
                Arc::new(current)
            }
            (Ok(None), before) => before.unwrap_or_default(),
            (Err(reason), before) => {
                self.stats.failure();
                if before.is_some() {
                    error!("the published set cannot be read, and the last one is still served: {reason}");
                } else {
                    error!("the published sitemap cannot be served: {reason}");
                }
                return Err(match reason {
                    Undone::Failed(error) if error.kind() != ErrorKind::Io => UNREADABLE,
                    _ => UNAVAILABLE,
                });
            }
        };
        self.see(&current);
        Ok(current)
    }

    fn pause(&self, (): &(), _: &Refusal) -> Option<Pause> {
        // Without a copy, each request checks.
        self.before()?;
        Some(Pause(self.settings.check_every.min(RETRY), true))
    }

    fn keeps_copy(_: &Refusal) -> bool {
        true
    }

    fn late(&self) -> Refusal {
        UNAVAILABLE
    }

    fn lost(&self) -> Refusal {
        UNREADABLE
    }
}

/// The files of a set, by name.
fn known_files(manifest: &Manifest) -> HashMap<String, Known> {
    let now = now();
    // The later of two commits within a second has the time of the next second.
    let past = |time: u64| Some(time).filter(|time| *time <= now);
    let mut files = HashMap::with_capacity(manifest.parts.len() + 2);
    for dropped in &manifest.dropped {
        files.insert(dropped.name.clone(), Known::UNLISTED);
    }
    for other in &manifest.others {
        files.insert(
            other.name.clone(),
            Known {
                hash: Some(other.hash),
                changed: None,
                size: 0,
            },
        );
    }
    if manifest.top == Top::Index {
        files.insert(
            TOP_FILE.to_owned(),
            Known {
                hash: Some(manifest.top_hash),
                changed: past(manifest.committed),
                size: 0,
            },
        );
    }
    for part in &manifest.parts {
        files.insert(
            part.file_name(manifest.top).to_owned(),
            Known {
                hash: Some(part.facts.hash),
                changed: unix(part.changed).and_then(past),
                size: part.file.size,
            },
        );
    }
    files
}

/// Seconds since 1970.
fn unix(time: W3cDateTime) -> Option<u64> {
    let time = SystemTime::try_from(time.assume_utc()).ok()?;
    Some(since_1970(time).as_secs())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_set_that_is_gone_is_served_for_a_day() {
        let now = Instant::now();
        let is_nothing = |current: Option<Current>| current.unwrap().open.is_none();
        assert!(is_nothing(Current::gone(None, now)));
        assert!(is_nothing(Current::gone(Some(&Current::default()), now)));
        let published = Current {
            files: Arc::new([("sitemap.css".to_owned(), Known::UNLISTED)].into()),
            open: Some(Arc::new(|_| Err(crate::Error::new(ErrorKind::Io, "gone")))),
            ..Current::default()
        };
        let gone = Current::gone(Some(&published), now).unwrap();
        assert_eq!((gone.files.len(), gone.gone_since), (1, Some(now)));
        let after = |time| Current::gone(Some(&gone), now + time);
        assert!(after(STALE_IF_ERROR.saturating_sub(Duration::from_secs(1))).is_none());
        assert!(is_nothing(after(STALE_IF_ERROR)));
    }
}

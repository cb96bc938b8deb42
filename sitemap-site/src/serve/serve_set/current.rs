//! The published set at the time of the last check.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use sitemap_serde::W3cDateTime;
use tokio::time::timeout;
use tracing::error;

use super::{Inner, Undone, bounded};
use crate::error::ErrorKind;
use crate::hash::ContentHash;
use crate::serve::headers::STALE_IF_ERROR;
use crate::serve::refusal::Refusal;
use crate::sets::backend::{Looked, Mark, Open};
use crate::sets::manifest::{Manifest, Top};
use crate::sets::name::TOP_FILE;
use crate::time::{now, since_1970};

/// Maximum wait of a request for a check, if it can be answered from the previous one.
const PATIENCE: Duration = Duration::from_secs(1);

const UNREADABLE: Refusal = Refusal::Internal("the published files cannot be read");

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
    }

    /// The published set, or a recent one; if the directory or store does not respond, the last known one.
    pub(super) async fn current(self: &Arc<Self>) -> Result<Arc<Current>, Refusal> {
        let seen = self.seen().clone();
        let before = match seen {
            Some(seen) if !seen.is_doubted && seen.at.elapsed() < self.settings.check_every => {
                return Ok(seen.current);
            }
            seen => seen.map(|seen| seen.current),
        };
        // A separate task, so that a slow check is completed even if no client waits.
        let look = tokio::spawn({
            let (files, before) = (Arc::clone(self), before.clone());
            async move {
                let work = Arc::clone(&files);
                files
                    .looks
                    .join((), || async move { work.look(before).await })
                    .await
            }
        });
        let Some(before) = before else {
            return look.await.ok().flatten().unwrap_or(Err(UNREADABLE));
        };
        match timeout(PATIENCE, look).await {
            Ok(Ok(Some(current))) => current,
            // Later requests do not wait for the same check.
            _ => {
                self.see(&before);
                Ok(before)
            }
        }
    }

    async fn look(self: Arc<Self>, before: Option<Arc<Current>>) -> Result<Arc<Current>, Refusal> {
        let looked = if self.looking.available_permits() == 0 {
            // The previous check has not returned yet.
            Err(Undone::Late(self.settings.time_limit))
        } else {
            let (set, before) = (self.settings.set.clone(), before.clone());
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
        };
        let current = match (looked, before) {
            (Ok(Some(current)), _) => {
                if current.gone_since.is_some() {
                    self.stats.failure();
                    error!("nothing is published any more, and the files in memory are served on");
                }
                Arc::new(current)
            }
            (Ok(None), Some(before)) => before,
            (Ok(None), None) => Arc::default(),
            (Err(reason), Some(before)) => {
                self.stats.failure();
                error!("the published set cannot be read, and the last one is still served: {reason}");
                before
            }
            (Err(reason), None) => {
                self.stats.failure();
                error!("the published sitemap cannot be served: {reason}");
                return Err(match reason {
                    Undone::Failed(error) if error.kind() != ErrorKind::Io => UNREADABLE,
                    _ => Refusal::Unavailable("the published files cannot be read at the moment", 5),
                });
            }
        };
        self.see(&current);
        Ok(current)
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

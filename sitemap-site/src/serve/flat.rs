//! `/sitemap.xml` as one urlset, as long as all rows fit in it.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use sitemap_serde::Limits;
use tokio::task::JoinSet;
use tracing::warn;

use super::headers::STALE_IF_ERROR;
use super::kept::{Copy, Current, Pause, Renew, Renewals};
use super::memory::SpilledReader;
use super::refusal::Refusal;
use super::rendered::{Content, Rendered};
use super::retries::RETRY;
use super::{Inner, PartId};
use crate::flat::{NotFlat, join};
use crate::hash::ContentHash;

/// The state of the flat sitemap.
#[derive(Debug)]
pub(super) struct State {
    /// `true` if the site is flat as long as its pages fit in one document.
    pub(super) is_enabled: bool,
    made: Mutex<Made>,
    renewals: Renewals<(), Option<Flat>, Refusal>,
    /// `true` once the log has the reason why there is an index.
    is_told: AtomicBool,
}

#[derive(Debug, Default)]
struct Made {
    document: Option<Document>,
    /// The last purge: documents whose parts may be from before it are not kept.
    purged: Option<Instant>,
}

#[derive(Clone, Debug)]
struct Document {
    /// The parts of the document.
    parts: Vec<ContentHash>,
    rendered: Arc<Rendered>,
    /// When its oldest part was last known to be current.
    checked: Instant,
}

/// The flat document of a site.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) document: Arc<Rendered>,
    /// The age of its oldest part, if a part could not be updated.
    pub(super) stale: Option<Duration>,
}

impl State {
    pub(super) fn new(is_enabled: bool) -> Self {
        State {
            is_enabled,
            made: Mutex::default(),
            renewals: Renewals::default(),
            is_told: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Made> {
        // Ignore poisoning: each change is completed under the lock.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the document, since a part of it was purged.
    pub(super) fn purge(&self, now: Instant) {
        *self.lock() = Made {
            document: None,
            purged: Some(now),
        };
        self.renewals.restart(|()| true);
    }

    /// Keeps a document whose parts were rendered or checked since a time.
    fn keep(&self, document: Option<Document>, since: Instant) {
        let mut made = self.lock();
        if made.purged.is_none_or(|purged| since > purged) {
            made.document = document;
        }
    }
}

/// The site, as the document of all its pages.
#[derive(Clone)]
struct FlatSite(Arc<Inner>);

impl Inner {
    /// The urlset with the entries of all parts; `None` if they do not fit in one, or the site is not flat.
    pub(super) async fn flat(self: &Arc<Self>) -> Result<Option<Flat>, Refusal> {
        if !self.flat.is_enabled {
            return Ok(None);
        }
        let Current { value, stale } = FlatSite(Arc::clone(self)).current(&()).await?;
        Ok(value.map(|flat| Flat {
            stale: stale.or(flat.stale),
            ..flat
        }))
    }

    /// The listed parts of all sections, and the number of their entries as far as it is known.
    fn all_listed(&self) -> (Vec<PartId>, u64) {
        let (mut ids, mut rows) = (Vec::new(), 0_u64);
        for (at, section) in self.sections.iter().enumerate() {
            for (span, row) in section.table.lock().listed() {
                rows = rows.saturating_add(row.entries.unwrap_or(row.rows));
                ids.push((at, span));
            }
        }
        (ids, rows)
    }

    async fn flat_document(self: &Arc<Self>) -> Result<Result<Option<Flat>, NotFlat>, Refusal> {
        let started = Instant::now();
        let (ids, rows) = self.all_listed();
        // Skipped rows, and rows with several entries, are known only after rendering.
        if ids.len() > MOST_PARTS || rows > 2 * Limits::ENTRIES {
            return Ok(Err(NotFlat::Entries(rows, Limits::ENTRIES)));
        }
        // Together, so that the parts of a section that hangs are not waited for one after the other.
        let mut requests = JoinSet::new();
        for (at, id) in ids.into_iter().enumerate() {
            let site = Arc::clone(self);
            requests.spawn(async move { (at, site.part(id.clone(), |_, _| false).await, id) });
        }
        let mut found = requests.join_all().await;
        found.sort_unstable_by_key(|(at, ..)| *at);
        let (mut parts, mut entries, mut bytes, mut stale) = (Vec::new(), 0_u64, 0_u64, None);
        let mut checked = started;
        for (_, found, id) in found {
            let found = match found {
                Ok(found) => found,
                // Its last entry was removed, and the index will not list it.
                Err(Refusal::NotFound(_)) => continue,
                Err(refusal) => return Err(refusal),
            };
            let Some(rendered) = found.rendered else { continue };
            entries = entries.saturating_add(rendered.entries);
            bytes = bytes.saturating_add(rendered.length);
            stale = stale.max(found.stale);
            if let Some(cached) = self.copies.get(&id) {
                checked = checked.min(cached.checked);
            }
            if entries > Limits::ENTRIES {
                return Ok(Err(NotFlat::Entries(entries.max(rows), Limits::ENTRIES)));
            }
            // Each part has its own root, which is smaller than this.
            if bytes > self.most_bytes.saturating_add(1 << 20) {
                return Ok(Err(NotFlat::Bytes(bytes, self.most_bytes)));
            }
            parts.push(rendered);
        }
        if parts.is_empty() {
            // The same response as for an index.
            return Ok(Ok(None));
        }
        let hashes: Vec<_> = parts.iter().map(|part| part.hash).collect();
        let known = self.flat.lock().document.clone();
        let rendered = match known.filter(|known| known.parts == hashes) {
            Some(known) => known.rendered,
            None => {
                let most_bytes = self.most_bytes;
                // Up to 50 MB are joined and compressed.
                let work = tokio::task::spawn_blocking(move || joined(&parts, entries, most_bytes));
                let rendered = match work.await.map_err(|error| Refusal::index_not_written(&error))? {
                    Ok(rendered) => rendered,
                    Err(Failure::NotFlat(reason)) => return Ok(Err(reason)),
                    Err(Failure::Io(error)) => return Err(Refusal::index_not_written(&error)),
                };
                let rendered = rendered.held(&self.memory).await;
                Arc::new(rendered.map_err(|error| Refusal::index_not_written(&error))?)
            }
        };
        let document = Arc::clone(&rendered);
        let made = Document {
            parts: hashes,
            rendered,
            checked,
        };
        self.flat.keep(Some(made), started);
        Ok(Ok(Some(Flat { document, stale })))
    }
}

impl Renew for FlatSite {
    type Key = ();
    type Value = Option<Flat>;
    type Failure = Refusal;

    const CONTINUES: bool = false;

    fn renewals(&self) -> &Renewals<(), Option<Flat>, Refusal> {
        &self.0.flat.renewals
    }

    /// It is fresh if it has all parts, and they are.
    fn copy(&self, (): &()) -> Option<Copy<Option<Flat>>> {
        let site = &self.0;
        let made = site.flat.lock().document.clone()?;
        let age = made.checked.elapsed();
        let (ids, _) = site.all_listed();
        let is_current = |(id, hash): (&PartId, &ContentHash)| {
            let part = site.copy(id);
            part.is_some_and(|part| part.is_fresh && part.value.hash == *hash)
        };
        let is_fresh = ids.len() == made.parts.len() && ids.iter().zip(&made.parts).all(is_current);
        let most = site.lifetime.max_age.saturating_add(STALE_IF_ERROR);
        (is_fresh || age < most).then_some(Copy {
            value: Some(Flat {
                document: made.rendered,
                stale: None,
            }),
            age,
            is_fresh,
        })
    }

    async fn renew(self, (): ()) -> Result<Option<Flat>, Refusal> {
        let FlatSite(site) = self;
        match site.flat_document().await? {
            Ok(flat) => {
                site.flat.is_told.store(false, Ordering::Relaxed);
                Ok(flat)
            }
            Err(reason) => {
                if !site.flat.is_told.swap(true, Ordering::Relaxed) {
                    warn!(
                        "`{}/sitemap.xml` is an index now, although the site is flat (`SiteBuilder::flat`): it has {reason}",
                        site.base
                    );
                }
                site.flat.lock().document = None;
                Ok(None)
            }
        }
    }

    fn pause(&self, (): &(), _: &Refusal) -> Option<Pause> {
        // The parts have their own pauses. This one is for a document whose parts take long.
        self.copy(&())?;
        Some(Pause(RETRY.min(self.0.lifetime.max_age), true))
    }

    fn keeps_copy(failure: &Refusal) -> bool {
        failure.is_of_a_failure()
    }

    fn late(&self) -> Refusal {
        Refusal::LATE
    }

    fn lost(&self) -> Refusal {
        Refusal::index_not_written(&"a panic, or the end of its runtime")
    }
}

/// Maximum number of parts; more become an index, since each part is a query.
const MOST_PARTS: usize = 1_000;

enum Failure {
    NotFlat(NotFlat),
    Io(std::io::Error),
}

fn joined(parts: &[Arc<Rendered>], entries: u64, most_bytes: u64) -> Result<Rendered, Failure> {
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let gzip: Box<dyn Read> = match &part.gzip {
            Content::Memory(gzip) => Box::new(&**gzip),
            Content::File(file) => Box::new(SpilledReader::new(file)),
        };
        let mut text = String::new();
        GzDecoder::new(gzip)
            .take(part.length)
            .read_to_string(&mut text)
            .map_err(Failure::Io)?;
        texts.push(text);
    }
    let joined = join(texts.iter().map(String::as_str), most_bytes).map_err(Failure::NotFlat)?;
    Rendered::of_document(joined.as_bytes(), entries).map_err(Failure::Io)
}

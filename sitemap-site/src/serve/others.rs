//! The sitemaps of other applications, which the index lists too.

use std::fmt;
use std::future::Future;
use std::io::Cursor;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sitemap_serde::{IndexEntry, Kind, Limits, ReaderBuilder, WriterBuilder};
use tokio::time::timeout;
use tracing::warn;

use super::kept::{Copy, Pause, Renew, Renewals};
use super::refresh_error::RefreshError;
use super::retries::RETRY;
use super::unheard;
use crate::error::Chain;
use crate::source::{BoxError, caught};

type Fetched = Result<Box<dyn AsRef<[u8]> + Send>, BoxError>;

/// Fetches the document at a URL.
pub(crate) type Fetch = Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Fetched> + Send>> + Send + Sync>;

/// The sitemap of another application, for a builder.
#[derive(Clone)]
pub(crate) struct NewOther {
    pub(crate) url: String,
    /// Set if the sitemap may be an index, whose sitemaps are then listed.
    pub(crate) fetch: Option<Fetch>,
}

/// The sitemap of another application.
pub(crate) struct Other {
    pub(crate) url: String,
    fetch: Option<Fetch>,
    writer: WriterBuilder,
    known: Mutex<Known>,
    max_age: Duration,
    /// Maximum time of a fetch.
    time_limit: Duration,
    renewals: Renewals<(), Arc<[IndexEntry]>, RefreshError>,
}

#[derive(Default)]
struct Known {
    /// Its entries in the index; `None` until it was fetched.
    entries: Option<Arc<[IndexEntry]>>,
    fetched: Option<Instant>,
    /// Changes with the entries.
    generation: u64,
}

impl fmt::Debug for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Other")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl Other {
    /// `writer` writes the site's index.
    pub(crate) fn new(
        other: NewOther,
        writer: &WriterBuilder,
        max_age: Duration,
        time_limit: Duration,
    ) -> sitemap_serde::Result<Self> {
        let NewOther { url, fetch } = other;
        let entry = IndexEntry::new(url.as_str());
        // The URL of the fetched document must be listable too.
        writer.from_writer(Vec::new()).write(&entry)?;
        let entries = fetch.is_none().then(|| Arc::from([entry]));
        Ok(Other {
            url,
            fetch,
            writer: writer.clone(),
            known: Mutex::new(Known {
                entries,
                ..Known::default()
            }),
            max_age,
            time_limit,
            renewals: Renewals::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Ignore poisoning: each change is completed under the lock.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn entries(&self) -> Option<Arc<[IndexEntry]>> {
        self.lock().entries.clone()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.lock().generation
    }

    async fn look(&self) -> Result<Vec<IndexEntry>, String> {
        let Some(fetch) = &self.fetch else {
            return Ok(Vec::new());
        };
        let limit = self.time_limit;
        let fetched = timeout(limit, caught(async { fetch(self.url.clone()).await })).await;
        let fetched = fetched.map_err(|_| format!("fetching it took more than {limit:?}"))?;
        let fetched = fetched.unwrap_or_else(|panicked| Err(panicked.into()));
        let document = fetched.map_err(|error| Chain(&*error).to_string())?;
        match self.read((*document).as_ref()) {
            Ok(entries) if entries.is_empty() => Err("it is an index without sitemaps".to_owned()),
            read => read.map_err(|error| error.to_string()),
        }
    }

    /// The sitemaps of an index, or the document itself.
    fn read(&self, document: &[u8]) -> sitemap_serde::Result<Vec<IndexEntry>> {
        let limits = Limits::reading()
            .with_entries(Limits::ENTRIES)
            .with_bytes(Limits::BYTES);
        let mut reader = ReaderBuilder::new()
            .limits(limits)
            .from_reader(Cursor::new(document));
        if reader.kind()? == Kind::UrlSet {
            return Ok(vec![IndexEntry::new(self.url.as_str())]);
        }
        let (mut entries, mut skipped, mut first) = (Vec::new(), 0_u64, None);
        let mut writer = self.writer.from_writer(Vec::new());
        for entry in reader.deserialize::<IndexEntry>() {
            let checked = match entry {
                Err(error) if error.kind() != sitemap_serde::ErrorKind::Data => return Err(error),
                Err(error) => Err(error),
                Ok(entry) => writer.write(&entry).map(|_| entry),
            };
            match checked {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    skipped += 1;
                    first.get_or_insert(error);
                }
            }
        }
        match first {
            Some(error) if entries.is_empty() => return Err(error),
            Some(error) => warn!(
                skipped,
                "the index {} of another application has sitemaps that the index of this site cannot list; the first: {error}",
                self.url
            ),
            None => {}
        }
        Ok(entries)
    }
}

impl Renew for Arc<Other> {
    type Key = ();
    type Value = Arc<[IndexEntry]>;
    type Failure = RefreshError;

    const CONTINUES: bool = true;

    fn renewals(&self) -> &Renewals<(), Arc<[IndexEntry]>, RefreshError> {
        &self.renewals
    }

    fn copy(&self, (): &()) -> Option<Copy<Arc<[IndexEntry]>>> {
        let known = self.lock();
        let age = known.fetched.map_or(Duration::ZERO, |fetched| fetched.elapsed());
        Some(Copy {
            value: known.entries.clone()?,
            age,
            is_fresh: self.fetch.is_none() || age < self.max_age,
        })
    }

    async fn renew(self, (): ()) -> Result<Arc<[IndexEntry]>, RefreshError> {
        let looked = self.look().await;
        let mut known = self.lock();
        match looked {
            Ok(entries) => {
                known.fetched = Some(Instant::now());
                if known.entries.as_deref() != Some(&entries[..]) {
                    known.generation += 1;
                }
                Ok(Arc::clone(known.entries.insert(entries.into())))
            }
            Err(reason) => {
                let kept = match known.entries {
                    Some(_) => "its last list stays in the index",
                    None => {
                        "the index answers 503 until it can, unless `SiteBuilder::skip_failed_sections` is set"
                    }
                };
                let url = &self.url;
                let message = format!(
                    "the sitemap {url} of another application cannot be read, so that {kept}: {reason}"
                );
                unheard::tell(|| message.clone());
                warn!("{message}");
                Err(RefreshError::new(url, reason))
            }
        }
    }

    fn pause(&self, (): &(), _: &RefreshError) -> Option<Pause> {
        Some(Pause(RETRY, true))
    }

    fn keeps_copy(_: &RefreshError) -> bool {
        true
    }

    fn late(&self) -> RefreshError {
        RefreshError::new(&self.url, "it takes longer than a second")
    }

    fn lost(&self) -> RefreshError {
        RefreshError::new(&self.url, "the runtime ends")
    }
}

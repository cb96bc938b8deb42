//! The unpublished parts of one program in a storage.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::error::Result;
use crate::manifest::{Manifest, Top, since_1970};
use crate::part::PartFacts;
use crate::set::{Staged, StagedPlace};

use super::PutOptions;
use super::commit::{Bucket, SESSIONS, part_name};

/// The interval between heartbeats of a session.
const BEAT: Duration = Duration::from_secs(60);

/// A program that writes parts, with its heartbeat.
#[derive(Debug)]
pub(crate) struct StorageSession {
    bucket: Bucket,
    name: String,
    /// The names that the index listed when the session began, which need not be put again.
    published: BTreeMap<String, u64>,
    condemned: Vec<String>,
    last_beat: Mutex<Instant>,
    has_put: AtomicBool,
}

/// `.sitemap/sessions/SECONDS-NANOSECONDS-PROCESS-NUMBER`
pub(super) fn session_start(name: &str) -> Option<SystemTime> {
    let seconds = name.strip_prefix(SESSIONS)?.split('-').next()?.parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

impl StorageSession {
    pub(crate) fn begin(bucket: &Bucket, manifest: Option<&Manifest>) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let now = since_1970(SystemTime::now());
        let published = manifest
            .iter()
            .filter(|manifest| manifest.top == Top::Index)
            .flat_map(|manifest| &manifest.parts);
        let session = StorageSession {
            bucket: bucket.clone(),
            name: format!(
                "{SESSIONS}{}-{}-{}-{}",
                now.as_secs(),
                now.subsec_nanos(),
                std::process::id(),
                NUMBER.fetch_add(1, Ordering::Relaxed)
            ),
            published: published
                .map(|part| (part.name.clone(), part.file.size))
                .collect(),
            condemned: manifest
                .map(|manifest| manifest.condemned.clone())
                .unwrap_or_default(),
            last_beat: Mutex::new(Instant::now()),
            has_put: AtomicBool::new(false),
        };
        session.put_beat()?;
        Ok(session)
    }

    fn put_beat(&self) -> Result<()> {
        self.bucket
            .put(&self.name, b"{}\n".to_vec(), &PutOptions::private())
            .map(drop)
    }

    /// Renews the heartbeat from time to time, so that commits do not delete the session's parts.
    pub(crate) fn beat(&self) {
        let mut last = self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= BEAT {
            // A single missed heartbeat does no harm.
            let _ = self.put_beat();
            *last = Instant::now();
        }
    }

    /// Called after a commit: heartbeats are only needed again for parts written from now on.
    pub(crate) fn committed(&self) {
        self.has_put.store(false, Ordering::Relaxed);
    }

    #[expect(clippy::unused_self, reason = "a directory's session has the same function")]
    pub(crate) fn create(&self) -> Staged {
        Staged {
            place: StagedPlace::Memory(Vec::new()),
            size: 0,
        }
    }

    /// Puts a part under a name made from its content, unless the index lists it already.
    pub(crate) fn end(
        &self,
        content: Vec<u8>,
        section: &str,
        facts: &PartFacts,
        extension: &str,
    ) -> Result<(String, u64)> {
        let name = part_name(section, facts.hash, extension, &self.condemned);
        if let Some(&size) = self.published.get(&name) {
            return Ok((name, size));
        }
        let size = content.len() as u64;
        self.has_put.store(true, Ordering::Relaxed);
        self.bucket.put(&name, content, &PutOptions::forever(&name))?;
        Ok((name, size))
    }
}

/// Removes the heartbeat if there are no parts.
impl Drop for StorageSession {
    fn drop(&mut self) {
        if !self.has_put.load(Ordering::Relaxed) {
            let _ = self.bucket.delete(&self.name);
        }
    }
}

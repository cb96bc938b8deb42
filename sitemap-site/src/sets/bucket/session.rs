//! The unpublished parts of one program in a storage.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::Bucket;
use super::name::{SESSIONS, part_name};
use crate::error::Result;
use crate::part::PartFacts;
use crate::sets::manifest::{Manifest, Top};
use crate::sets::session::{BackgroundSync, Session, Staged, StagedPlace};
use crate::sets::storage::PutOptions;
use crate::time::since_1970;

/// The interval between heartbeats of a session.
const BEAT: Duration = Duration::from_secs(60);

/// A program that writes parts, with its heartbeat.
#[derive(Debug)]
pub(super) struct StorageSession {
    bucket: Bucket,
    name: String,
    /// The names that the index listed when the session began, which need not be put again.
    published: BTreeMap<String, u64>,
    condemned: Vec<String>,
    last_beat: Mutex<Instant>,
    has_put: AtomicBool,
}

impl StorageSession {
    pub(super) fn begin(bucket: &Bucket, manifest: Option<&Manifest>) -> Result<Self> {
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
}

impl Session for StorageSession {
    fn create(&self, _: &str) -> Result<Staged> {
        Ok(Staged {
            place: StagedPlace::Memory(Vec::new()),
            size: 0,
        })
    }

    /// Puts a part under a name made from its content, unless the index lists it already.
    fn end(
        &self,
        staged: Staged,
        section: &str,
        facts: &PartFacts,
        extension: &str,
    ) -> Result<(String, u64)> {
        let content = match staged.place {
            StagedPlace::File { name, .. } => return Ok((name, staged.size)),
            StagedPlace::Memory(content) => content,
        };
        let name = part_name(section, facts.hash, extension, &self.condemned);
        if let Some(&size) = self.published.get(&name) {
            return Ok((name, size));
        }
        let size = content.len() as u64;
        self.has_put.store(true, Ordering::Relaxed);
        self.bucket.put(&name, content, &PutOptions::forever(&name))?;
        Ok((name, size))
    }

    fn folder(&self) -> Option<&Path> {
        None
    }

    fn background_sync(&self) -> Option<Box<dyn BackgroundSync>> {
        None
    }

    /// Renews the heartbeat from time to time, so that commits do not delete the session's parts.
    fn beat(&self) {
        let mut last = self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= BEAT {
            // A single missed heartbeat does no harm.
            let _ = self.put_beat();
            *last = Instant::now();
        }
    }

    /// Does nothing: another writer may use the object too. Commits delete objects that are never listed.
    fn discard(&self, _: &str) {}

    /// Does nothing: objects stay for a day after the last heartbeat.
    fn leave(&self) {}

    /// Heartbeats are only needed again for parts written from now on.
    fn committed(&self) -> bool {
        self.has_put.store(false, Ordering::Relaxed);
        true
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

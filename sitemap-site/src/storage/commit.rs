//! The commit of a set in an object store: the index alone publishes, by a conditional put.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::manifest::{Dropped, FileState, Manifest, ManifestPart, OtherFile, Top, since_1970};
use crate::part::PartFacts;
use crate::set::{
    Action, DecidedPart, Decision, PartList, Place, Plan, Settings, Source, Staged, StagedPlace, Summary,
    TOP_FILE, check_shrinking, decide, deflate, file_of, inflate,
};

use super::{Condition, Listed, Object, PutOptions, Storage, Version, age};

const SESSIONS: &str = ".sitemap/sessions/";
const MANIFESTS: &str = ".sitemap/manifest-";
/// Parts' names begin so.
const PARTS: &str = "sitemap-";
/// How often a session says that it lives.
const BEAT: Duration = Duration::from_secs(60);
/// By how much clocks may differ.
const SKEW: Duration = Duration::from_secs(3600);

#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    storage: Arc<dyn Storage>,
}

/// What is published.
#[derive(Debug, Default)]
pub(crate) struct Published {
    pub(crate) manifest: Option<Manifest>,
    top: Option<Object>,
}

fn failed(what: &str, name: &str, error: io::Error) -> Error {
    Error::caused(
        ErrorKind::Io,
        format!("cannot {what} {name} of the storage: {error}"),
        error,
    )
}

fn manifest_name(top: ContentHash) -> String {
    format!("{MANIFESTS}{}.json", top.short())
}

impl Bucket {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        Bucket { storage }
    }

    pub(crate) fn get(&self, name: &str) -> Result<Option<Object>> {
        self.storage
            .get(name)
            .map_err(|error| failed("read", name, error))
    }

    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> Result<Option<Version>> {
        self.storage
            .put(name, content, options)
            .map_err(|error| failed("write", name, error))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>> {
        self.storage
            .list(prefix)
            .map_err(|error| failed("list", prefix, error))
    }

    /// The set that is public, with its manifest, which is found by the hash of the top file.
    pub(crate) fn load(&self, forget: bool) -> Result<Published> {
        for _ in 0..10 {
            let Some(top) = self.get(TOP_FILE)? else {
                return Ok(Published::default());
            };
            let name = manifest_name(ContentHash::of(&top.content));
            let Some(manifest) = self.get(&name)? else {
                // Somebody has committed in between, or it is somebody else's sitemap.xml.
                if self
                    .get(TOP_FILE)?
                    .is_none_or(|again| again.version != top.version)
                {
                    continue;
                }
                return Ok(Published {
                    manifest: None,
                    top: Some(top),
                });
            };
            let manifest = match Manifest::from_json(&manifest.content, &name) {
                Err(_) if forget => None,
                manifest => Some(manifest?),
            };
            return Ok(Published {
                manifest,
                top: Some(top),
            });
        }
        Err(Error::new(
            ErrorKind::Conflict,
            "the set changed ten times while it was read: other programs commit to it all the time",
        ))
    }

    pub(crate) fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<Plan> {
        let before = self.load(settings.forget)?;
        let listed = self.listed()?;
        let place = BucketPlace {
            listed: &listed,
            condemned: before.condemned(),
        };
        let manifest = before.manifest.as_ref();
        let decision = decide(manifest, lists, whole, settings, &place, SystemTime::now())?;
        let refusal = check_shrinking(manifest, &decision, settings).err();
        let top = self.top_content(&decision, &before, settings)?;
        let action = match &before.top {
            None => Action::Add,
            Some(before) if before.content == top => Action::Keep,
            Some(_) => Action::Write,
        };
        Ok(Plan::new(&decision, action, refusal))
    }

    pub(crate) fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(Summary, Manifest)> {
        let before = self.load(settings.forget)?;
        let listed = self.listed()?;
        let place = BucketPlace {
            listed: &listed,
            condemned: before.condemned(),
        };
        let now = SystemTime::now();
        let decision = decide(before.manifest.as_ref(), lists, whole, settings, &place, now)?;
        check_shrinking(before.manifest.as_ref(), &decision, settings)?;
        let mut summary = Summary {
            generation: decision.generation,
            not_listed: decision.not_listed,
            left_out: decision.left_out.clone(),
            removed: decision.removed.len() as u64,
            ..Summary::default()
        };
        let mut manifest = Manifest {
            version: Manifest::VERSION,
            generation: decision.generation,
            committed: decision.committed,
            top: decision.top,
            top_hash: ContentHash::of(&[]),
            next_number: decision.next_number.clone(),
            parts: Vec::with_capacity(decision.parts.len()),
            others: Vec::new(),
            dropped: Vec::new(),
            condemned: Vec::new(),
        };
        for decided in &decision.parts {
            let mut part = decided.part.clone();
            summary.entries += part.facts.entries;
            summary.bytes += part.facts.bytes;
            if decision.top == Top::Index {
                part.file.size = self.put_part(decided, &before, settings)?;
                part.file.modified = Duration::ZERO;
                summary.stored += part.file.size;
                let is_kept = decided.source == Source::Kept;
                *(if is_kept {
                    &mut summary.kept
                } else {
                    &mut summary.written
                }) += 1;
            }
            manifest.parts.push(part);
        }
        self.put_stylesheet(&mut manifest, &before, settings)?;
        let top = self.top_content(&decision, &before, settings)?;
        manifest.top_hash = ContentHash::of(&top);
        if let (Top::Part, [only]) = (decision.top, manifest.parts.as_mut_slice()) {
            only.file = FileState {
                size: top.len() as u64,
                modified: Duration::ZERO,
            };
            summary.stored = only.file.size;
        }
        self.drop_files(&mut manifest, &before, &listed, settings, now)?;
        self.check(&manifest)?;
        let keeps_top = before.top.as_ref().is_some_and(|before| before.content == top);
        *(if keeps_top {
            &mut summary.kept
        } else {
            &mut summary.written
        }) += 1;
        summary.files = summary.kept + summary.written;
        self.put(
            &manifest_name(manifest.top_hash),
            manifest.to_json(),
            &PutOptions::private(),
        )?;
        if !keeps_top {
            let condition = match &before.top {
                Some(before) => Condition::Unchanged(before.version.clone()),
                None => Condition::Absent,
            };
            if self
                .put(TOP_FILE, top, &PutOptions::for_now(TOP_FILE, condition))?
                .is_none()
            {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "another program has committed to the set since this commit began: commit the lists again, if they are still the \
                     newer ones; nothing was changed",
                ));
            }
        }
        self.clear(&manifest, &before, settings, now, &mut summary.leavings);
        Ok((summary, manifest))
    }

    fn listed(&self) -> Result<BTreeMap<String, Listed>> {
        let listed = self.list(PARTS)?;
        Ok(listed
            .into_iter()
            .map(|listed| (listed.name.clone(), listed))
            .collect())
    }

    /// Sees to it that a part's object is there, and returns its size.
    fn put_part(&self, decided: &DecidedPart, before: &Published, settings: &Settings) -> Result<u64> {
        let name = &decided.part.name;
        match (decided.source, &decided.staged) {
            (Source::Kept, _) => Ok(decided.part.file.size),
            (Source::Staged, Some(staged)) if staged.staged == *name => Ok(staged.size),
            _ => {
                let plain = self.plain_content(decided, before, settings)?;
                let content = deflate(name, plain, settings.gzip.unwrap_or(6))
                    .map_err(|error| failed("write", name, error))?;
                let size = content.len() as u64;
                self.put(name, content, &PutOptions::forever(name))?;
                Ok(size)
            }
        }
    }

    fn top_content(&self, decision: &Decision, before: &Published, settings: &Settings) -> Result<Vec<u8>> {
        match (decision.top, decision.parts.as_slice()) {
            (Top::Part, [only]) => self.plain_content(only, before, settings),
            _ => Ok(decision.index.clone()),
        }
    }

    /// The XML of a part, wherever it is.
    fn plain_content(
        &self,
        decided: &DecidedPart,
        before: &Published,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        let top = before.manifest.as_ref().map_or(Top::Index, |before| before.top);
        let name = match &decided.staged {
            Some(staged) if is_part_name(&staged.staged) => staged.staged.as_str(),
            Some(staged) => {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    format!(
                        "the list of task `{}` names `{}`, which is no part of a set in a storage: was it written for another set?",
                        decided.part.task.escape_debug(),
                        staged.staged.escape_debug()
                    ),
                ));
            }
            None => file_of(&decided.part, top),
        };
        let content = match (&before.top, name) {
            (Some(top), TOP_FILE) => Some(top.content.clone()),
            _ => self.get(name)?.map(|object| object.content),
        };
        let content = content.ok_or_else(|| missing(name, &decided.part.task))?;
        let content = inflate(name, content, settings.bytes).map_err(|error| failed("read", name, error))?;
        if ContentHash::of(&content) == decided.part.facts.hash {
            return Ok(content);
        }
        Err(Error::new(
            ErrorKind::Damaged,
            format!(
                "{name} of the storage is not what was written: run task `{}` again",
                decided.part.task
            ),
        ))
    }

    fn put_stylesheet(&self, manifest: &mut Manifest, before: &Published, settings: &Settings) -> Result<()> {
        let Some(stylesheet) = settings.stylesheet else {
            return Ok(());
        };
        let other = OtherFile {
            name: stylesheet.name.to_owned(),
            hash: ContentHash::of(stylesheet.content.as_bytes()),
        };
        if !before
            .manifest
            .as_ref()
            .is_some_and(|before| before.others.contains(&other))
        {
            let options = PutOptions::for_now(stylesheet.name, Condition::Always);
            self.put(stylesheet.name, stylesheet.content.into(), &options)?;
        }
        manifest.others.push(other);
        Ok(())
    }

    /// Notes what is listed no more, and what the next commit deletes: that whose grace period is over, and parts that nobody has
    /// committed.
    ///
    /// Nothing is deleted that somebody may be about to list. A program that has read this manifest does not use a condemned name, and one
    /// that has not cannot commit any more, since the index has changed.
    fn drop_files(
        &self,
        manifest: &mut Manifest,
        before: &Published,
        listed: &BTreeMap<String, Listed>,
        settings: &Settings,
        now: SystemTime,
    ) -> Result<()> {
        let names: BTreeSet<&str> = match manifest.top {
            Top::Index => manifest.parts.iter().map(|part| part.name.as_str()).collect(),
            Top::Part => BTreeSet::new(),
        };
        let seconds = since_1970(now).as_secs();
        let mut dropped: BTreeMap<&str, u64> = BTreeMap::new();
        let earlier = before.manifest.as_ref();
        for part in earlier
            .iter()
            .filter(|before| before.top == Top::Index)
            .flat_map(|before| &before.parts)
        {
            dropped.insert(&part.name, seconds);
        }
        for earlier in earlier.iter().flat_map(|before| &before.dropped) {
            dropped.insert(&earlier.name, earlier.since);
        }
        let mut condemned: BTreeSet<String> = BTreeSet::new();
        for (name, since) in &dropped {
            if names.contains(name) || !listed.contains_key(*name) {
                continue;
            }
            if Duration::from_secs(seconds.saturating_sub(*since)) >= settings.grace {
                condemned.insert((*name).to_owned());
            } else {
                manifest.dropped.push(Dropped {
                    name: (*name).to_owned(),
                    since: *since,
                });
            }
        }
        // Parts of writers that were killed: older than anything that a living writer can have put.
        let sessions = self.list(SESSIONS)?;
        let oldest = sessions
            .iter()
            .filter(|session| age(session.modified, now) < settings.abandoned_after)
            .filter_map(|session| session_start(&session.name))
            .min();
        for object in listed.values() {
            let is_old = age(object.modified, now) >= settings.abandoned_after;
            let is_nobodys = oldest.is_none_or(|oldest| object.modified + SKEW < oldest);
            let name = object.name.as_str();
            if is_old
                && is_nobodys
                && is_part_name(name)
                && !names.contains(name)
                && !dropped.contains_key(name)
            {
                condemned.insert(name.to_owned());
            }
        }
        let deleted = before.condemned();
        manifest.condemned = condemned
            .into_iter()
            .filter(|name| !deleted.contains(name))
            .collect();
        Ok(())
    }

    /// Whether every part is there, before anybody is told of it.
    fn check(&self, manifest: &Manifest) -> Result<()> {
        if manifest.top == Top::Part {
            return Ok(());
        }
        let listed = self.listed()?;
        for part in &manifest.parts {
            if listed
                .get(&part.name)
                .is_none_or(|found| found.size != part.file.size)
            {
                return Err(missing(&part.name, &part.task));
            }
        }
        Ok(())
    }

    fn clear(
        &self,
        manifest: &Manifest,
        before: &Published,
        settings: &Settings,
        now: SystemTime,
        leavings: &mut Vec<String>,
    ) {
        let mut names: Vec<String> = before.condemned().to_vec();
        names.retain(|name| !manifest.parts.iter().any(|part| part.name == *name));
        let own = manifest_name(manifest.top_hash);
        // A manifest that is young may be that of a commit that is under way.
        let mut collect = |prefix: &str, after: Duration| match self.list(prefix) {
            Ok(listed) => {
                let old = listed
                    .into_iter()
                    .filter(|listed| age(listed.modified, now) >= after && listed.name != own);
                names.extend(old.map(|listed| listed.name));
            }
            Err(error) => leavings.push(error.to_string()),
        };
        collect(MANIFESTS, SKEW.min(settings.abandoned_after));
        collect(SESSIONS, settings.abandoned_after);
        for name in names {
            if let Err(error) = self.storage.delete(&name) {
                leavings.push(failed("delete", &name, error).to_string());
            }
        }
    }
}

impl Published {
    fn condemned(&self) -> &[String] {
        self.manifest
            .as_ref()
            .map(|manifest| manifest.condemned.as_slice())
            .unwrap_or_default()
    }
}

fn missing(name: &str, task: &str) -> Error {
    Error::new(
        ErrorKind::Damaged,
        format!(
            "{name} of task `{task}` is not in the storage: lists are committed within the time of `SetBuilder::abandoned_after`; run \
             the task again; nothing was changed"
        ),
    )
}

/// `sitemap-SECTION-HASH.xml`, with a number behind the hash if the name without it is condemned.
fn part_name(section: &str, hash: ContentHash, extension: &str, condemned: &[String]) -> String {
    let mut name = format!("{PARTS}{section}-{}{extension}", hash.short());
    let mut number = 2;
    while condemned.contains(&name) {
        name = format!("{PARTS}{section}-{}-{number}{extension}", hash.short());
        number += 1;
    }
    name
}

fn is_part_name(name: &str) -> bool {
    let Some((stem, extension)) = name.strip_prefix(PARTS).and_then(|rest| rest.split_once('.')) else {
        return false;
    };
    let is_hash = |part: &str| part.len() == 32 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    matches!(extension, "xml" | "xml.gz" | "txt" | "txt.gz")
        && stem.split('-').rev().take(2).any(is_hash)
        && stem
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

struct BucketPlace<'a> {
    listed: &'a BTreeMap<String, Listed>,
    condemned: &'a [String],
}

impl Place for BucketPlace<'_> {
    fn name(&self, section: &str, _: u64, hash: ContentHash, extension: &str) -> String {
        part_name(section, hash, extension, self.condemned)
    }

    fn is_intact(&self, part: &ManifestPart, top: Top) -> Result<bool> {
        Ok(top == Top::Part
            || self
                .listed
                .get(&part.name)
                .is_some_and(|found| found.size == part.file.size))
    }
}

/// What one program puts before it is published.
#[derive(Debug)]
pub(crate) struct StorageSession {
    bucket: Bucket,
    name: String,
    /// The names that the index named when the session began, which need not be put again.
    published: BTreeMap<String, u64>,
    condemned: Vec<String>,
    last_beat: Mutex<Instant>,
    has_put: AtomicBool,
}

/// `.sitemap/sessions/SECONDS-NANOSECONDS-PROCESS-NUMBER`
fn session_start(name: &str) -> Option<SystemTime> {
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

    /// Says now and then that the writer lives, so that nobody collects its parts.
    pub(crate) fn beat(&self) {
        let mut last = self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= BEAT {
            // One beat less does no harm.
            let _ = self.put_beat();
            *last = Instant::now();
        }
    }

    /// Its program has committed: no sign of life is needed any more, but for what is written from now on.
    pub(crate) fn committed(&self) {
        self.has_put.store(false, Ordering::Relaxed);
    }

    #[expect(clippy::unused_self, reason = "as a directory's session")]
    pub(crate) fn create(&self) -> Staged {
        Staged {
            place: StagedPlace::Memory(Vec::new()),
            size: 0,
        }
    }

    /// Puts a part under the name of its content, unless the index names it already.
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

/// Without parts there is nothing to say a sign of life for.
impl Drop for StorageSession {
    fn drop(&mut self) {
        if !self.has_put.load(Ordering::Relaxed) {
            let _ = self.bucket.storage.delete(&self.name);
        }
    }
}

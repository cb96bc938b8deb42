//! The commit of a set in an object store: a conditional put of the index publishes it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_serde::message::Advice;

use crate::error::{Chain, Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::manifest::{Dropped, FileState, Manifest, ManifestPart, SKEW, Top, since_1970};
use crate::set::{
    ABANDONED_AFTER, CommitPlan, CommitSummary, DecidedPart, PartList, PartOrigin, Place, Proposal,
    Publication, Settings, TOP_FILE, deflate, file_of, foreign, plain_of, top_content,
};
use crate::stylesheet::Stylesheet;

use super::session::session_start;
use super::{Condition, ListedObject, Object, PutOptions, Storage, Version, age};

pub(super) const SESSIONS: &str = ".sitemap/sessions/";
const MANIFESTS: &str = ".sitemap/manifest-";
/// Prefix of the names of parts.
const PARTS: &str = "sitemap-";

#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    storage: Arc<dyn Storage>,
}

/// The published set.
#[derive(Debug, Default)]
pub(crate) struct Published {
    pub(crate) manifest: Option<Manifest>,
    top: Option<Object>,
}

fn failed(what: &str, name: &str, error: io::Error) -> Error {
    Error::caused(
        ErrorKind::Io,
        format!("cannot {what} {name} of the storage: {}", Chain(&error)),
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

    pub(super) fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> Result<Option<Version>> {
        self.storage
            .put(name, content, options)
            .map_err(|error| failed("write", name, error))
    }

    pub(super) fn list(&self, prefix: &str) -> Result<Vec<ListedObject>> {
        self.storage
            .list(prefix)
            .map_err(|error| failed("list", prefix, error))
    }

    /// The published set, with its manifest, which is found by the hash of the top file.
    pub(crate) fn load(&self, forget: bool) -> Result<Published> {
        for _ in 0..10 {
            let Some(top) = self.get(TOP_FILE)? else {
                return Ok(Published::default());
            };
            let name = manifest_name(ContentHash::of(&top.content));
            let Some(manifest) = self.get(&name)? else {
                // Another program has committed in the meantime, or this sitemap.xml is not part of a set.
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
            "the set changed ten times while it was read: other programs are committing to it all the time",
        ))
    }

    pub(super) fn delete(&self, name: &str) -> Result<()> {
        self.storage
            .delete(name)
            .map_err(|error| failed("delete", name, error))
    }

    pub(crate) fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<CommitPlan> {
        let before = self.load(settings.forget)?;
        let listed = self.listed()?;
        let proposal = Proposal {
            before: before.manifest.as_ref(),
            lists,
            whole,
            settings,
            place: &before.place(&listed),
            now: SystemTime::now(),
        };
        let top_before = before.top.as_ref().map(|top| ContentHash::of(&top.content));
        proposal.plan(top_before, |part| self.plain_content(part, &before, settings))
    }

    pub(crate) fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)> {
        let before = self.load(settings.forget)?;
        let listed = self.listed()?;
        let now = SystemTime::now();
        let proposal = Proposal {
            before: before.manifest.as_ref(),
            lists,
            whole,
            settings,
            place: &before.place(&listed),
            now,
        };
        let decision = proposal.approve()?;
        let mut publication = Publication::new(&decision, decision.generation);
        for decided in &decision.parts {
            if decision.top == Top::Part {
                publication.add_top_part(decided);
                continue;
            }
            let size = self.put_part(decided, &before, settings)?;
            let is_kept = decided.source == PartOrigin::Kept;
            publication.add_part(decided, object_state(size), is_kept);
        }
        if let Some(stylesheet) = settings.stylesheet {
            let is_kept = self.put_stylesheet(stylesheet)?;
            publication.add_stylesheet(stylesheet, is_kept);
        }
        let (top, warning) = top_content(&decision, settings, |part| {
            self.plain_content(part, &before, settings)
        })?;
        publication.warn(warning);
        let top_before = before.top.as_ref().map(|top| ContentHash::of(&top.content));
        let keeps_top = publication.set_top(&top, top_before);
        publication.set_top_file(object_state(top.len() as u64));
        self.drop_files(&mut publication, &before, &listed, settings, now)?;
        let Publication {
            manifest,
            mut summary,
            ..
        } = publication;
        self.check(&manifest)?;
        self.put(
            &manifest_name(manifest.top_hash),
            manifest.to_json(),
            &PutOptions::private(),
        )?;
        if !keeps_top {
            self.put_top(top, &before)?;
        }
        self.clear(&manifest, &before, now, &mut summary.leavings);
        Ok((summary, manifest))
    }

    /// Publishes the set by its index, unless that has changed since it was read.
    fn put_top(&self, top: Vec<u8>, before: &Published) -> Result<()> {
        let condition = match &before.top {
            Some(before) => Condition::Unchanged(before.version.clone()),
            None => Condition::Absent,
        };
        let put = self.put(TOP_FILE, top, &PutOptions::for_now(TOP_FILE, condition))?;
        let conflict = || {
            Error::new(
                ErrorKind::Conflict,
                "another program has committed to the set since this commit began: commit the lists again, if they are still \
                 newer; nothing was changed",
            )
        };
        put.map(drop).ok_or_else(conflict)
    }

    pub(super) fn listed(&self) -> Result<BTreeMap<String, ListedObject>> {
        let listed = self.list(PARTS)?;
        Ok(listed
            .into_iter()
            .map(|listed| (listed.name.clone(), listed))
            .collect())
    }

    /// Makes sure that a part's object exists, and returns its size.
    fn put_part(&self, decided: &DecidedPart, before: &Published, settings: &Settings) -> Result<u64> {
        let name = &decided.part.name;
        match (decided.source, &decided.staged) {
            (PartOrigin::Kept, _) => Ok(decided.part.file.size),
            (PartOrigin::Staged, Some(staged)) if staged.staged == *name => Ok(staged.size),
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

    /// The XML of a part, wherever it is.
    fn plain_content(
        &self,
        decided: &DecidedPart,
        before: &Published,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        let top = before.manifest.as_ref().map_or(Top::Index, |before| before.top);
        let task = &decided.part.task;
        let name = match &decided.staged {
            Some(staged) if is_part_name(&staged.staged) => staged.staged.as_str(),
            Some(staged) => return Err(foreign(task, &staged.staged, "part of a set in a storage")),
            None => file_of(&decided.part, top),
        };
        let content = match (&before.top, name) {
            (Some(top), TOP_FILE) => Some(top.content.clone()),
            _ => self.get(name)?.map(|object| object.content),
        };
        let content = content.ok_or_else(|| missing(name, task))?;
        plain_of(
            decided,
            name,
            &format!("{name} of the storage"),
            content,
            settings,
        )
    }

    /// Puts the stylesheet. Returns `true` if it is unchanged.
    fn put_stylesheet(&self, stylesheet: Stylesheet) -> Result<bool> {
        let found = self.get(stylesheet.name)?;
        if found.is_some_and(|object| object.content == stylesheet.content.as_bytes()) {
            return Ok(true);
        }
        let options = PutOptions::for_now(stylesheet.name, Condition::Always);
        self.put(stylesheet.name, stylesheet.content.into(), &options)?;
        Ok(false)
    }

    /// Records which objects are no longer listed, and which the next commit deletes: objects whose grace period is over, and
    /// parts that were never committed.
    ///
    /// No object is deleted that another program may be about to list: a program that has read this manifest does not use condemned names,
    /// and a program that has not cannot commit any more, since the index has changed.
    fn drop_files(
        &self,
        publication: &mut Publication,
        before: &Published,
        listed: &BTreeMap<String, ListedObject>,
        settings: &Settings,
        now: SystemTime,
    ) -> Result<()> {
        let seconds = since_1970(now).as_secs();
        let earlier = before.manifest.as_ref();
        let (mut stay, mut over) = publication.dropped(earlier, seconds, settings.grace);
        // Only parts are deleted. A stylesheet has one name, under which another program may be publishing it again.
        let is_there = |dropped: &Dropped| listed.contains_key(&dropped.name);
        // The set that was announced last is compared with later ones.
        let announced = self.announced_names()?;
        stay.extend(over.extract_if(.., |dropped| announced.contains(&dropped.name)));
        stay.retain(is_there);
        over.retain(is_there);
        let known: BTreeSet<&str> = stay
            .iter()
            .chain(&over)
            .map(|dropped| dropped.name.as_str())
            .collect();
        let mut condemned: BTreeSet<&str> = over.iter().map(|dropped| dropped.name.as_str()).collect();
        // Parts of killed writers: older than any part that a running writer can have put.
        let sessions = self.list(SESSIONS)?;
        let oldest = sessions
            .iter()
            .filter(|session| !is_abandoned(session.modified, now))
            .filter_map(|session| session_start(&session.name))
            .min();
        for object in listed.values() {
            let is_old = is_abandoned(object.modified, now);
            let is_unclaimed = oldest.is_none_or(|oldest| {
                object
                    .modified
                    .checked_add(SKEW)
                    .is_some_and(|then| then < oldest)
            });
            let name = object.name.as_str();
            if is_old
                && is_unclaimed
                && is_part_name(name)
                && !publication.files.contains(name)
                && !known.contains(name)
            {
                condemned.insert(name);
            }
        }
        let deleted = before.condemned();
        let condemned = condemned
            .into_iter()
            .filter(|name| !deleted.iter().any(|deleted| deleted == name))
            .map(str::to_owned)
            .collect();
        publication.manifest.condemned = condemned;
        publication.manifest.dropped = stay;
        Ok(())
    }

    /// Checks that every part exists, before the index lists it.
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

    fn clear(&self, manifest: &Manifest, before: &Published, now: SystemTime, leavings: &mut Vec<String>) {
        let mut names: Vec<String> = before.condemned().to_vec();
        match self.announced_names() {
            // A set may have been marked as announced since its parts were condemned.
            Ok(announced) => names.retain(|name| {
                !announced.contains(name) && !manifest.parts.iter().any(|part| part.name == *name)
            }),
            Err(error) => {
                leavings.push(error.to_string());
                names.clear();
            }
        }
        let own = manifest_name(manifest.top_hash);
        // A recent manifest may belong to a commit in progress.
        let mut collect = |prefix: &str, after: Duration| match self.list(prefix) {
            Ok(listed) => {
                let old = listed
                    .into_iter()
                    .filter(|listed| age(listed.modified, now) >= after && listed.name != own);
                names.extend(old.map(|listed| listed.name));
            }
            Err(error) => leavings.push(error.to_string()),
        };
        collect(MANIFESTS, SKEW);
        collect(SESSIONS, ABANDONED_AFTER);
        for name in names {
            if let Err(error) = self.delete(&name) {
                leavings.push(error.to_string());
            }
        }
    }
}

/// The recorded size of an object; its time does not show whether it is the same.
fn object_state(size: u64) -> FileState {
    FileState {
        size,
        modified: Duration::ZERO,
    }
}

impl Published {
    /// The manifest, and the version of the top file; `None` if nothing is published.
    #[cfg(feature = "serve")]
    pub(crate) fn with_version(self) -> Option<(Option<Manifest>, Version)> {
        Some((self.manifest, self.top?.version))
    }

    /// The manifest, and the content of the top file; `None` if nothing is published.
    pub(super) fn into_parts(self) -> Option<(Option<Manifest>, Vec<u8>)> {
        Some((self.manifest, self.top?.content))
    }

    fn place<'a>(&'a self, listed: &'a BTreeMap<String, ListedObject>) -> BucketPlace<'a> {
        BucketPlace {
            listed,
            condemned: self.condemned(),
        }
    }

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
            "{name} of task `{task}` is not in the storage: {}; nothing was changed",
            Advice::of_api(
                "PartList",
                "lists must be committed within a day; run the task again",
            )
        ),
    )
}

/// `sitemap-SECTION-HASH.xml`, with a number after the hash if the name without it is condemned.
pub(super) fn part_name(section: &str, hash: ContentHash, extension: &str, condemned: &[String]) -> String {
    let mut name = format!("{PARTS}{section}-{}{extension}", hash.short());
    let mut number = 2;
    while condemned.contains(&name) {
        name = format!("{PARTS}{section}-{}-{number}{extension}", hash.short());
        number += 1;
    }
    name
}

fn is_abandoned(modified: SystemTime, now: SystemTime) -> bool {
    age(modified, now) >= ABANDONED_AFTER
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
    listed: &'a BTreeMap<String, ListedObject>,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// No other object of the bucket is deleted.
    #[test]
    fn only_names_of_parts_are_those_of_parts() {
        let hash = "0123456789abcdef0123456789abcdef";
        for (stem, extension, is_part) in [
            (format!("sitemap-a_b-{hash}"), "xml", true),
            (format!("sitemap-a-b-{hash}-2"), "txt.gz", true),
            (format!("sitemap-a-{hash}"), "html", false),
            (format!("sitemap-a-{hash}"), "xml.gz.bak", false),
            (format!("sitemap-a-{hash}0"), "xml", false),
            (format!("sitemap-{hash}-a-b"), "xml", false),
            (format!("sitemap-a b-{hash}"), "xml", false),
            (format!("sitemap-a/b-{hash}"), "xml", false),
            (format!("other-a-{hash}"), "xml", false),
            ("sitemap-pages".to_owned(), "xml", false),
            ("sitemap-pages-1".to_owned(), "xml.gz", false),
        ] {
            let name = format!("{stem}.{extension}");
            assert_eq!(is_part_name(&name), is_part, "{name}");
        }
    }
}

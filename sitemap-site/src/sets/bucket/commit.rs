//! The commit of a set in an object store: a conditional put of the index publishes it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use sitemap_serde::__internal::Advice;

use super::name::{MANIFESTS, PARTS, SESSIONS, is_part_name, manifest_name, part_name, session_start};
use super::{Bucket, Published, failed};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::sets::backend::ABANDONED_AFTER;
use crate::sets::decision::{DecidedPart, PartOrigin, Place, Proposal};
use crate::sets::gzip::deflate;
use crate::sets::list::PartList;
use crate::sets::manifest::{Dropped, FileState, Manifest, ManifestPart, Top};
use crate::sets::name::TOP_FILE;
use crate::sets::plan::CommitPlan;
use crate::sets::publication::{Publication, foreign, plain_of, top_content};
use crate::sets::settings::Settings;
use crate::sets::storage::{Condition, ListedObject, PutOptions, age};
use crate::sets::summary::CommitSummary;
use crate::stylesheet::Stylesheet;
use crate::time::{SKEW, since_1970};

impl Bucket {
    pub(super) fn plan_commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<CommitPlan> {
        let before = self.load(settings.replace_damaged)?;
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

    pub(super) fn carry_out(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)> {
        let before = self.load(settings.replace_damaged)?;
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
        self.clear(&manifest, &before, now, &mut summary.cleanup_problems);
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
            None => decided.part.file_name(top),
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

    fn clear(
        &self,
        manifest: &Manifest,
        before: &Published,
        now: SystemTime,
        cleanup_problems: &mut Vec<String>,
    ) {
        let mut names: Vec<String> = before.condemned().to_vec();
        match self.announced_names() {
            // A set may have been marked as announced since its parts were condemned.
            Ok(announced) => names.retain(|name| {
                !announced.contains(name) && !manifest.parts.iter().any(|part| part.name == *name)
            }),
            Err(error) => {
                cleanup_problems.push(error.to_string());
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
            Err(error) => cleanup_problems.push(error.to_string()),
        };
        collect(MANIFESTS, SKEW);
        collect(SESSIONS, ABANDONED_AFTER);
        for name in names {
            if let Err(error) = self.delete(&name) {
                cleanup_problems.push(error.to_string());
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

fn is_abandoned(modified: SystemTime, now: SystemTime) -> bool {
    age(modified, now) >= ABANDONED_AFTER
}

impl Published {
    fn place<'a>(&'a self, listed: &'a BTreeMap<String, ListedObject>) -> BucketPlace<'a> {
        BucketPlace {
            listed,
            condemned: self.condemned(),
        }
    }
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

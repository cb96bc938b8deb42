//! The commit of a set in a directory: deciding, publishing, and removing old files.

use std::path::PathBuf;

use sitemap_serde::__internal::Advice;

use super::publish::Publisher;
use super::session::staged_path;
use super::{Directory, Published};
use crate::error::{Error, ErrorKind, Result};
use crate::sets::decision::{DecidedPart, PartOrigin, Proposal};
use crate::sets::list::{PartList, StagedPart};
use crate::sets::manifest::Manifest;
use crate::sets::plan::CommitPlan;
use crate::sets::publication::{foreign, plain_of};
use crate::sets::settings::Settings;
use crate::sets::summary::CommitSummary;

impl Directory {
    pub(super) fn plan_commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<CommitPlan> {
        let before = self.before(settings)?;
        let manifest = before.as_ref().map(|before| &before.manifest);
        let proposal = Proposal {
            before: manifest,
            lists,
            whole,
            settings,
            place: &self.place(before.as_ref()),
            now: self.disk.now(),
        };
        let top_before = manifest.map(|before| before.top_hash);
        proposal.plan(top_before, |part| {
            self.plain_content(part, before.as_ref(), settings)
        })
    }

    /// Publishes the lists as a whole set, or in place of the previous parts of their tasks.
    pub(super) fn carry_out(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)> {
        self.create_folders()?;
        let _lock = self.lock()?;
        let before = self.before(settings)?;
        let proposal = Proposal {
            before: before.as_ref().map(|before| &before.manifest),
            lists,
            whole,
            settings,
            place: &self.place(before.as_ref()),
            now: self.disk.now(),
        };
        let decision = proposal.approve()?;
        let publisher = Publisher {
            directory: self,
            settings,
            before: before.as_ref(),
            decision: &decision,
        };
        let (mut summary, manifest) = publisher.run()?;
        let mut problems = std::mem::take(&mut summary.cleanup_problems);
        self.clear_staged(lists, &mut problems);
        self.clear(
            &manifest,
            before.as_ref().map(|before| before.manifest.generation),
            &mut problems,
        );
        self.clear_sessions(&mut problems);
        summary.cleanup_problems = problems;
        Ok((summary, manifest))
    }

    fn before(&self, settings: &Settings) -> Result<Option<Published>> {
        match self.load() {
            Err(error) if error.kind() == ErrorKind::Damaged && settings.replace_damaged => Ok(None),
            loaded => loaded,
        }
    }

    /// The uncompressed XML of a part, staged or published.
    pub(super) fn plain_content(
        &self,
        decided: &DecidedPart,
        before: Option<&Published>,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        let task = &decided.part.task;
        let staged = match decided
            .staged
            .as_ref()
            .map(|staged| (staged, self.staged_file(staged, task)))
        {
            // A list that is committed again: its file is the published one.
            Some((_, Err(_))) if decided.source != PartOrigin::Staged => None,
            Some((staged, path)) => Some((path?, staged.staged.as_str())),
            None => None,
        };
        let (path, name) = match (staged, before) {
            (Some(staged), _) => staged,
            (None, Some(before)) => {
                let name = decided.part.file_name(before.manifest.top);
                (before.folder.join(name), name)
            }
            (None, None) => return Ok(Vec::new()),
        };
        plain_of(
            decided,
            name,
            &path.display().to_string(),
            self.read(&path)?,
            settings,
        )
    }

    /// The path of a staged file of a list, which is there as it was written.
    pub(super) fn staged_file(&self, staged: &StagedPart, task: &str) -> Result<PathBuf> {
        let path = staged_path(&self.staging(), &staged.staged)
            .ok_or_else(|| foreign(task, &staged.staged, "file of a set in a directory"))?;
        let damaged = |what: String| {
            let advice = Advice::of_api(
                "PartList",
                "lists are committed once, and within a day; run the task again",
            );
            Error::new(
                ErrorKind::Damaged,
                format!("{} of task `{task}` {what}: {advice}", path.display()),
            )
        };
        match self.metadata(&path)? {
            Some(found) if found.len == staged.size => Ok(path),
            Some(found) => Err(damaged(format!(
                "is {} bytes long and had {} bytes",
                found.len, staged.size
            ))),
            None => Err(damaged(
                "is gone, because a commit has published it already, or because it is older than a day"
                    .to_owned(),
            )),
        }
    }

    /// Removes the staged files of the lists, which are published now.
    fn clear_staged(&self, lists: &[PartList], problems: &mut Vec<String>) {
        for part in lists.iter().flat_map(|list| &*list.parts) {
            let Some(path) = staged_path(&self.staging(), &part.staged) else {
                continue;
            };
            if let Err(error) = self.remove(&path) {
                problems.push(error.to_string());
            }
        }
    }

    /// Removes old generations, manifests and public files, except those of the published set and its predecessor.
    fn clear(&self, manifest: &Manifest, before: Option<u64>, problems: &mut Vec<String>) {
        let mut remove = |path: PathBuf| {
            if let Err(error) = self.remove(&path) {
                problems.push(error.to_string());
            }
        };
        if !self.in_place {
            let keep = [Some(manifest.generation), before];
            let is_kept = |number: &str| keep.into_iter().flatten().any(|kept| kept.to_string() == number);
            for name in self.list(&self.generations()).unwrap_or_default() {
                if !is_kept(&name) {
                    remove(self.generations().join(name));
                }
            }
        }
        let own = self.manifest_path(manifest.generation, manifest.top_hash);
        for name in self.list(&self.state()).unwrap_or_default() {
            let path = self.state().join(&name);
            if name.starts_with("manifest-") && path != own
                || path.extension().is_some_and(|extension| extension == "new")
            {
                remove(path);
            }
        }
    }
}

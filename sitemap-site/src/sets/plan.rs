//! The plan of a commit, for a dry run.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::hash::ContentHash;

use super::decision::{DecidedPart, Decision, PartOrigin, Proposal, check_shrinking};
use super::manifest::Top;
use super::name::TOP_FILE;
use super::publication::top_content;

/// The plan of a commit; returned by [`SitemapSet::plan`](crate::SitemapSet::plan).
#[derive(Debug)]
#[non_exhaustive]
pub struct CommitPlan {
    /// The listed files, in the order of the index, followed by `sitemap.xml`.
    pub files: Vec<PlannedFile>,
    /// The names of the files that would no longer be listed.
    pub removed_files: Vec<String>,
    /// The number of entries of the new set.
    pub entries: u64,
    /// Why the commit would be refused; `None` if it would succeed.
    pub refusal: Option<Error>,
}

/// A file of a [`CommitPlan`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// The name of the file.
    pub name: String,
    /// The commit's action for the file.
    pub action: FileAction,
    /// The number of entries of the file.
    pub entries: u64,
}

/// A commit's action for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileAction {
    /// The file is new.
    Add,
    /// The file gets new content.
    Write,
    /// The file is unchanged, including its modification time.
    Keep,
}

impl Proposal<'_> {
    /// The plan of a commit; `top_before` is the published top file's hash, and `plain` reads the XML of a part.
    pub(crate) fn plan(
        &self,
        top_before: Option<ContentHash>,
        plain: impl FnMut(&DecidedPart) -> Result<Vec<u8>>,
    ) -> Result<CommitPlan> {
        let decision = self.decide()?;
        let refusal = check_shrinking(self.before, &decision, self.settings).err();
        let (top, _) = top_content(&decision, self.settings, plain)?;
        let top = ContentHash::of(&top);
        let action = match top_before {
            None => FileAction::Add,
            Some(before) if before == top => FileAction::Keep,
            Some(_) => FileAction::Write,
        };
        Ok(CommitPlan::new(&decision, action, refusal))
    }
}

impl CommitPlan {
    fn new(decision: &Decision, top: FileAction, refusal: Option<Error>) -> Self {
        let mut names = BTreeSet::new();
        let mut files: Vec<PlannedFile> = decision
            .parts
            .iter()
            // Two parts with the same content may share a file.
            .filter(|decided| decision.top == Top::Index && names.insert(&decided.part.name))
            .map(|decided| PlannedFile {
                name: decided.part.file_name(decision.top).to_owned(),
                action: match decided.source {
                    PartOrigin::Kept => FileAction::Keep,
                    PartOrigin::Staged if decided.replaces => FileAction::Write,
                    PartOrigin::Staged | PartOrigin::Renamed => FileAction::Add,
                },
                entries: decided.part.facts.entries,
            })
            .collect();
        let (entries, of_top) = match (decision.top, decision.parts.as_slice()) {
            (Top::Part, [only]) => (only.part.facts.entries, only.part.facts.entries),
            _ => (files.iter().map(|file| file.entries).sum(), files.len() as u64),
        };
        files.push(PlannedFile {
            name: TOP_FILE.to_owned(),
            action: top,
            entries: of_top,
        });
        CommitPlan {
            files,
            removed_files: decision.removed.clone(),
            entries,
            refusal,
        }
    }
}

//! What a commit would do, and what it did.

use std::collections::BTreeSet;
use std::fmt;

use crate::error::Error;
use crate::manifest::Top;

use super::decision::{Decision, Source, TOP_FILE, file_of};
use super::list::LeftOut;

/// What a commit would do, by [`SitemapSet::plan`](crate::SitemapSet::plan). Nothing is done yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The files that are listed, in the order of the index, and the top file last.
    pub files: Vec<PlannedFile>,
    /// The names of the files that would be listed no more.
    pub removed: Vec<String>,
    /// How many entries the set would have.
    pub entries: u64,
    /// Why the commit would be refused, if it would.
    pub refusal: Option<Error>,
}

/// A file of a [`Plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Its name.
    pub name: String,
    /// What would become of it.
    pub action: Action,
    /// How many entries it would have.
    pub entries: u64,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It is new.
    Add,
    /// It gets new content.
    Write,
    /// It stays as it is, with its time.
    Keep,
}

/// What a commit did, by [`SitemapSet::commit`](crate::SitemapSet::commit) and [`update`](crate::SitemapSet::update).
///
/// It is displayed as one line for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Counts the commits of the set, from 1.
    pub generation: u64,
    /// How many files are listed, the index included.
    pub files: u64,
    /// How many entries they have.
    pub entries: u64,
    /// How many bytes the parts have, uncompressed.
    pub bytes: u64,
    /// How many bytes the parts' files have.
    pub stored: u64,
    /// How many files were written, new ones included.
    pub written: u64,
    /// How many files stayed as they were.
    pub kept: u64,
    /// How many files are listed no more.
    pub removed: u64,
    /// How many rows were not to be listed.
    pub not_listed: u64,
    /// The rows that the format cannot hold.
    pub left_out: LeftOut,
    /// What could not be cleared away after the commit, which stands; the next commit tries again.
    pub leavings: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            files,
            entries,
            bytes,
            stored,
            written,
            kept,
            removed,
            left_out,
            ..
        } = self;
        write!(f, "{files} files with {entries} URLs, {bytes} bytes")?;
        if stored != bytes {
            write!(f, " ({stored} compressed)")?;
        }
        write!(f, ": {written} written, {kept} kept, {removed} removed")?;
        if left_out.count > 0 {
            write!(f, "; {} rows left out", left_out.count)?;
        }
        Ok(())
    }
}

impl Plan {
    pub(crate) fn new(decision: &Decision, top: Action, refusal: Option<Error>) -> Self {
        let mut names = BTreeSet::new();
        let mut files: Vec<PlannedFile> = decision
            .parts
            .iter()
            // Two parts of the same content may share a file.
            .filter(|decided| decision.top == Top::Index && names.insert(&decided.part.name))
            .map(|decided| PlannedFile {
                name: file_of(&decided.part, decision.top).to_owned(),
                action: match decided.source {
                    Source::Kept => Action::Keep,
                    Source::Staged if decided.replaces => Action::Write,
                    Source::Staged | Source::Renamed => Action::Add,
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
        Plan {
            files,
            removed: decision.removed.clone(),
            entries,
            refusal,
        }
    }
}

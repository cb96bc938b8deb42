//! The record of a commit while it is carried out: the manifest, and the summary.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sitemap_serde::__internal::Advice;

use crate::error::{Error, ErrorKind, Result};
use crate::flat::{NotFlat, join};
use crate::hash::ContentHash;
use crate::stylesheet::Stylesheet;

use super::decision::{DecidedPart, Decision};
use super::gzip::inflate;
use super::manifest::{Dropped, FileState, Manifest, OtherFile, Top};
use super::name::TOP_FILE;
use super::settings::Settings;
use super::summary::CommitSummary;

/// A set that is being published.
#[derive(Debug)]
pub(crate) struct Publication {
    pub(crate) manifest: Manifest,
    pub(crate) summary: CommitSummary,
    /// The names of the public files, except the top file.
    pub(crate) files: BTreeSet<String>,
}

impl Publication {
    pub(crate) fn new(decision: &Decision, generation: u64) -> Self {
        Publication {
            manifest: Manifest {
                version: Manifest::VERSION,
                generation,
                committed: decision.committed,
                top: decision.top,
                top_hash: ContentHash::of(&[]),
                next_number: decision.next_number.clone(),
                parts: Vec::with_capacity(decision.parts.len()),
                others: Vec::new(),
                dropped: Vec::new(),
                condemned: Vec::new(),
                checksum: None,
            },
            summary: CommitSummary {
                generation,
                not_listed: decision.not_listed,
                skipped: decision.problems.skipped,
                dropped: decision.problems.dropped,
                problems: decision.problems.messages.clone(),
                removed: decision.removed.len() as u64,
                removed_files: decision.removed.clone(),
                warnings: decision.warning.iter().cloned().collect(),
                ..CommitSummary::default()
            },
            files: BTreeSet::new(),
        }
    }

    /// Records a part whose content is the top file's.
    pub(crate) fn add_top_part(&mut self, decided: &DecidedPart) {
        self.summary.entries += decided.part.facts.entries;
        self.summary.bytes += decided.part.facts.bytes;
        self.manifest.parts.push(decided.part.clone());
    }

    /// Records a part and its file, which two parts with the same content may share.
    pub(crate) fn add_part(&mut self, decided: &DecidedPart, file: FileState, is_kept: bool) {
        let mut part = decided.part.clone();
        part.file = file;
        if self.files.insert(part.name.clone()) {
            self.summary.entries += part.facts.entries;
            self.summary.bytes += part.facts.bytes;
            self.summary.stored += file.size;
            self.count(&part.name, is_kept);
        }
        self.manifest.parts.push(part);
    }

    pub(crate) fn add_stylesheet(&mut self, stylesheet: Stylesheet, is_kept: bool) {
        if !is_kept {
            self.summary.written_files.push(stylesheet.name.to_owned());
        }
        self.files.insert(stylesheet.name.to_owned());
        self.manifest.others.push(stylesheet.into());
    }

    /// Records the top file's content. Returns `true` if it is unchanged.
    pub(crate) fn set_top(&mut self, content: &[u8], before: Option<ContentHash>) -> bool {
        let hash = ContentHash::of(content);
        self.manifest.top_hash = hash;
        let is_kept = before == Some(hash);
        self.count(TOP_FILE, is_kept);
        is_kept
    }

    /// Records the top file if it is the only part.
    pub(crate) fn set_top_file(&mut self, file: FileState) {
        if let (Top::Part, [only]) = (self.manifest.top, self.manifest.parts.as_mut_slice()) {
            only.file = file;
            self.summary.stored = file.size;
        }
    }

    pub(crate) fn warn(&mut self, warning: Option<String>) {
        self.summary.warnings.extend(warning);
    }

    fn count(&mut self, name: &str, is_kept: bool) {
        if is_kept {
            self.summary.kept += 1;
        } else {
            self.summary.written += 1;
            self.summary.written_files.push(name.to_owned());
        }
        self.summary.files += 1;
    }

    /// The unlisted files, with the time since which they are unlisted: first the files within the grace period, then the files
    /// whose grace period is over.
    pub(crate) fn dropped(
        &self,
        before: Option<&Manifest>,
        now: u64,
        grace: Duration,
    ) -> (Vec<Dropped>, Vec<Dropped>) {
        let mut since: BTreeMap<&str, u64> = BTreeMap::new();
        if let Some(before) = before {
            since.extend(
                before
                    .dropped
                    .iter()
                    .map(|dropped| (dropped.name.as_str(), dropped.since)),
            );
            let others = before.others.iter().map(|other| other.name.as_str());
            since.extend(before.part_files().chain(others).map(|name| (name, now)));
        }
        let dropped = since
            .into_iter()
            .filter(|(name, _)| !self.files.contains(*name))
            .map(|(name, since)| Dropped {
                name: name.to_owned(),
                since,
            });
        dropped.partition(|dropped| Duration::from_secs(now.saturating_sub(dropped.since)) < grace)
    }
}

impl From<Stylesheet> for OtherFile {
    fn from(stylesheet: Stylesheet) -> Self {
        OtherFile {
            name: stylesheet.name.to_owned(),
            hash: ContentHash::of(stylesheet.content.as_bytes()),
        }
    }
}

/// The content of `sitemap.xml`, and a warning if it is an index although the set is flat; `plain` reads the XML of a part.
pub(crate) fn top_content(
    decision: &Decision,
    settings: &Settings,
    mut plain: impl FnMut(&DecidedPart) -> Result<Vec<u8>>,
) -> Result<(Vec<u8>, Option<String>)> {
    match (decision.top, decision.parts.as_slice()) {
        (Top::Part, [only]) => return Ok((plain(only)?, None)),
        (Top::Index, [_, ..]) if decision.is_flat => {}
        _ => return Ok((decision.index.clone(), None)),
    }
    Ok(match flat_content(decision, settings, plain)? {
        Ok(flat) => (flat, None),
        Err(reason) => {
            let flat = Advice::of_api(
                "SetBuilder::flat",
                "although the set is flat (`SetBuilder::flat`)",
            );
            let warning = format!("`{TOP_FILE}` is an index, {flat}: it would have {reason}");
            (decision.index.clone(), Some(warning))
        }
    })
}

/// The urlset with the entries of all parts.
fn flat_content(
    decision: &Decision,
    settings: &Settings,
    mut plain: impl FnMut(&DecidedPart) -> Result<Vec<u8>>,
) -> Result<std::result::Result<Vec<u8>, NotFlat>> {
    let mut names = BTreeSet::new();
    let parts = decision.parts.iter();
    // Parts with the same content share a file, whose entries are listed once.
    let parts: Vec<_> = parts.filter(|decided| names.insert(&decided.part.name)).collect();
    let facts = || parts.iter().map(|decided| &decided.part.facts);
    let entries: u64 = facts().map(|facts| facts.entries).sum();
    if entries > settings.entries {
        return Ok(Err(NotFlat::Entries(entries, settings.entries)));
    }
    let bytes: u64 = facts().map(|facts| facts.bytes).sum();
    // Each part has its own root, which is smaller than this.
    if bytes > settings.bytes.saturating_add(1 << 20) {
        return Ok(Err(NotFlat::Bytes(bytes, settings.bytes)));
    }
    let texts = parts.into_iter().map(|decided| {
        String::from_utf8(plain(decided)?)
            .map_err(|error| Error::new(ErrorKind::Damaged, format!("{}: {error}", decided.part.name)))
    });
    let texts = texts.collect::<Result<Vec<_>>>()?;
    let joined = join(texts.iter().map(String::as_str), settings.bytes);
    Ok(joined.map(String::into_bytes))
}

/// The XML of a part, from the content of its file `name`. Messages name the file as `shown`.
pub(crate) fn plain_of(
    decided: &DecidedPart,
    name: &str,
    shown: &str,
    content: Vec<u8>,
    settings: &Settings,
) -> Result<Vec<u8>> {
    let content = inflate(name, content, settings.bytes)
        .map_err(|error| Error::caused(ErrorKind::Io, format!("cannot read {shown}: {error}"), error))?;
    if ContentHash::of(&content) == decided.part.facts.hash {
        return Ok(content);
    }
    Err(Error::new(
        ErrorKind::Damaged,
        format!(
            "{shown} is not what was written: run task `{}` again",
            decided.part.task
        ),
    ))
}

/// The error for a list with a name that a set of this kind does not give to files.
pub(crate) fn foreign(task: &str, staged: &str, what: &str) -> Error {
    Error::new(
        ErrorKind::Conflict,
        format!(
            "the list of task `{}` names `{}`, which is not a {what}: was it written for another set?",
            task.escape_debug(),
            staged.escape_debug()
        ),
    )
}

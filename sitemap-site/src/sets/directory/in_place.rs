//! A set in place: files are replaced one by one, the index last.

use std::collections::BTreeSet;

use super::publish::{Publisher, unsure};
use crate::error::{Error, Result};
use crate::sets::manifest::{Manifest, Top};
use crate::sets::name::{TOP_FILE, is_own};
use crate::sets::publication::Publication;
use crate::sets::summary::CommitSummary;

/// The file with the names that a commit is about to create.
const PENDING: &str = "pending.json";

impl Publisher<'_> {
    pub(super) fn publish_in_place(&self, publication: &mut Publication, top: &[u8]) -> Result<()> {
        let directory = self.directory;
        directory.sync_dir(&directory.root)?;
        let path = directory.root.join(TOP_FILE);
        let next = directory.state().join(format!("{TOP_FILE}.new"));
        let is_same = directory.read_if_there(&path)?.as_deref() == Some(top);
        if !is_same {
            directory.write_file(&next, top, self.time_before(TOP_FILE)?)?;
        }
        let file = directory.file_state(if is_same { &path } else { &next })?;
        publication.set_top_file(file.unwrap_or_default());
        let Publication {
            manifest, summary, ..
        } = publication;
        // The manifest's name contains the hash of the index, so replacing the index publishes both.
        self.put_manifest(manifest)?;
        if !is_same {
            directory
                .disk
                .rename(&next, &path)
                .map_err(|error| Error::file("replace", &path, error))?;
            directory.sync_dir(&directory.root).map_err(unsure)?;
        }
        self.remove_dropped(manifest, summary);
        if summary.cleanup_problems.is_empty()
            && let Err(error) = directory.remove(&directory.state().join(PENDING))
        {
            summary.cleanup_problems.push(error.to_string());
        }
        Ok(())
    }

    /// In place: records the names of new files before creating them. If this commit is killed, the next one removes its unlisted
    /// files.
    pub(super) fn note_pending(&self) -> Result<()> {
        let directory = self.directory;
        let mut names = self.pending()?;
        names.extend(
            self.decision
                .parts
                .iter()
                .map(|decided| decided.part.name.clone()),
        );
        names.extend(
            self.settings
                .stylesheet
                .map(|stylesheet| stylesheet.name.to_owned()),
        );
        let path = directory.state().join(PENDING);
        let next = path.with_extension("new");
        let json = serde_json::to_vec(&names).unwrap_or_default();
        directory.write_file(&next, &json, None)?;
        directory
            .disk
            .rename(&next, &path)
            .map_err(|error| Error::file("replace", &path, error))?;
        directory.sync_dir(&directory.state())
    }

    /// The names that a killed commit has recorded. An incomplete record is ignored: its commit had not created anything.
    fn pending(&self) -> Result<BTreeSet<String>> {
        let json = self
            .directory
            .read_if_there(&self.directory.state().join(PENDING))?;
        Ok(json
            .and_then(|json| serde_json::from_slice(&json).ok())
            .unwrap_or_default())
    }

    /// In place: removes the files whose grace period is over, unless they are listed again.
    fn remove_dropped(&self, manifest: &Manifest, summary: &mut CommitSummary) {
        // The record may have been edited: only files of the set are removed.
        let is_needed = |name: &str| {
            manifest.dropped.iter().any(|dropped| dropped.name == name)
                || manifest.others.iter().any(|other| other.name == name)
                || manifest.top == Top::Index && manifest.parts.iter().any(|part| part.name == name)
        };
        let mut names = self.pending().unwrap_or_default();
        if let Some(before) = self.before {
            let before = &before.manifest;
            names.extend(before.parts.iter().map(|part| part.name.clone()));
            names.extend(before.dropped.iter().map(|dropped| dropped.name.clone()));
            names.extend(before.others.iter().map(|other| other.name.clone()));
        }
        for name in names.iter().filter(|name| !is_needed(name) && is_own(name)) {
            if let Err(error) = self.directory.remove(&self.directory.root.join(name)) {
                summary.cleanup_problems.push(error.to_string());
            }
        }
    }
}

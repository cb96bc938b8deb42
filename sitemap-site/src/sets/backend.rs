//! [`Backend`]: the place of a set. A directory and a storage implement it.

use std::fmt::Debug;
use std::io::Read;
#[cfg(feature = "serve")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};

use super::list::PartList;
#[cfg(feature = "serve")]
use super::manifest::FileState;
use super::manifest::{Manifest, Top};
use super::name::{TOP_FILE, is_plain};
use super::plan::CommitPlan;
use super::session::Session;
use super::settings::Settings;
#[cfg(feature = "serve")]
use super::storage::Version;
use super::summary::CommitSummary;

/// The lifetime of unpublished parts whose program has ended, or has stopped renewing its heartbeat.
pub(crate) const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// The place of a set.
pub(crate) trait Backend: Debug + Send + Sync {
    /// The published set before the first commit of this program; `None` if there is none, or if it is damaged and `replace_damaged` is set.
    fn before(&self, replace_damaged: bool) -> Result<Option<Manifest>>;

    /// What [`commit`](Self::commit) would do.
    fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<CommitPlan>;

    /// Publishes the lists as a whole set, or in place of the previous parts of their tasks.
    fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)>;

    /// Begins to write parts, which are compared with the published set.
    fn begin_session(&self, before: Option<&Manifest>) -> Result<Arc<dyn Session>>;

    /// The published set, kept for later comparisons.
    fn snapshot(&self) -> Result<Snapshot>;

    /// The set that was announced last; `None` if there is none.
    fn announced(&self) -> Result<Option<Snapshot>>;

    /// Records a snapshot as announced, by its name and its documents.
    fn mark_announced(&self, name: &str, documents: &[String]) -> Result<()>;

    /// Opens the files of the published set; in a directory of generations all of one generation, even if another is committed in the
    /// meantime.
    fn files(&self) -> Result<Arc<Open>>;

    /// The published set, unless the caller already knows it.
    #[cfg(feature = "serve")]
    fn look(&self, known: Option<&Mark>) -> Result<Looked>;

    /// Returns `true` for an object store.
    #[cfg(feature = "serve")]
    fn is_storage(&self) -> bool;
}

/// Opens a file of the set by its name.
pub(crate) type Open = dyn Fn(&str) -> Result<Box<dyn Read + Send>> + Send + Sync;

/// A set as it was published at one moment.
#[cfg(feature = "serve")]
pub(crate) struct Published {
    pub(crate) manifest: Manifest,
    pub(crate) open: Arc<Open>,
    pub(crate) mark: Mark,
}

/// Identifies a published set without reading its manifest.
#[cfg(feature = "serve")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The public folder, with its top file's size and time. Each commit changes one of them.
    Folder(PathBuf, FileState),
    /// The version of the top file.
    Version(Version),
}

/// The result of [`Backend::look`].
#[cfg(feature = "serve")]
pub(crate) enum Looked {
    /// Nothing is published.
    Nothing,
    /// The set that the caller knows is still published.
    Same,
    Published(Box<Published>),
}

/// The documents of a set, which other commits do not change.
pub(crate) struct Snapshot {
    /// Its name in the set's state.
    pub(crate) name: String,
    /// The names of its documents, which `open` opens.
    pub(crate) documents: Vec<String>,
    pub(crate) open: Arc<Open>,
}

impl Snapshot {
    /// The name of the snapshot of a set.
    pub(crate) fn name_of(manifest: &Manifest) -> String {
        format!("announced-{}-{}", manifest.generation, manifest.top_hash.short())
    }

    /// The files with the entries of a set.
    pub(crate) fn files_of(manifest: &Manifest) -> Vec<String> {
        match manifest.top {
            Top::Index => manifest.part_files().map(str::to_owned).collect(),
            Top::Part => vec![TOP_FILE.to_owned()],
        }
    }

    /// Returns `true` for the names of snapshots.
    pub(crate) fn is_name(name: &str) -> bool {
        name.starts_with("announced-") && is_plain(name)
    }
}

/// The error for a set whose announced files are gone.
pub(crate) fn no_snapshot(record: &str, why: &str) -> Error {
    Error::new(
        ErrorKind::Damaged,
        format!(
            "the files of the set that was announced last are gone ({why}): remove {record}, and all pages count as new"
        ),
    )
}

/// The error for a set without a `sitemap.xml`.
pub(crate) fn nothing() -> Error {
    Error::new(ErrorKind::Io, "nothing is published: there is no sitemap.xml")
}

/// The error for a `sitemap.xml` that no commit has written.
#[cfg(feature = "serve")]
pub(crate) fn foreign_top() -> Error {
    Error::new(
        ErrorKind::Damaged,
        "its sitemap.xml has no manifest: another program has replaced it, or it is not whole; commit the set again with \
         `SetBuilder::replace_damaged(true)`",
    )
}

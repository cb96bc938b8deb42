//! Sets of files.
//!
//! | module | content |
//! |---|---|
//! | `part` | writes rows as the XML or text of one part, with its size, hash, dates and keys; also used for serving |
//! | `set/` | `builder`, `writer` (the parts of one task), `shape` (the ends of parts), `list` (sent by workers), `decision` (plans the new set from the previous one and the lists, for directories and storages alike), `publication` (manifest and summary of a commit, for both too), `summary`, `read` |
//! | `directory/` | generations, or in place: `session` (unpublished parts), `commit`, `publish`, `in_place`, `announced`, and `disk`, the few file operations that they use, implemented by `os` |
//! | `storage/` | object stores: the trait, `session`, `announced`, and the `commit` by one conditional put |
//! | `manifest` | the state of a set between commits; `check` verifies it before a commit relies on it |

mod announced;
mod builder;
mod decision;
mod files;
mod list;
mod output;
mod publication;
mod published;
mod read;
mod shape;
mod summary;
mod writer;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sitemap_serde::{OnInvalid, W3cDateTime, WriterBuilder};

pub use announced::Unannounced;
pub(crate) use announced::{Snapshot, no_snapshot};
pub use builder::SetBuilder;
#[cfg(feature = "serve")]
pub(crate) use builder::check_writer;
pub(crate) use decision::{DecidedPart, Decision, PartOrigin, Place, Proposal, TOP_FILE, file_of};
pub use files::SetFiles;
pub(crate) use list::StagedPart;
pub(crate) use list::check_name;
pub use list::{PartList, PartLists};
pub(crate) use output::{Staged, StagedPlace, deflate};
pub(crate) use publication::{Publication, foreign, plain_of, top_content};
#[cfg(feature = "serve")]
pub(crate) use published::{Looked, Mark, Open};
pub use read::SetEntries;
pub use summary::{CommitPlan, CommitSummary, FileAction, PlannedFile};
pub use writer::TaskWriter;

use crate::directory::{self, Directory};
use crate::error::{Error, Result};
use crate::manifest::Manifest;
use crate::part::PartBuilder;
use crate::storage::{Bucket, StorageSession};
use crate::stylesheet::Stylesheet;

/// A published set of files: `sitemap.xml`, and the parts that it lists.
///
/// [`task_writer`](Self::task_writer) writes rows as parts, in one program or in many; [`commit`](Self::commit) publishes all parts at
/// once.
///
/// ```
/// use sitemap_serde::{SitemapEntry, W3cDateTime};
/// use sitemap_site::SitemapSet;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: i64,
/// }
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("sitemaps");
/// let set = SitemapSet::directory(&root, "https://example.com").open()?;
/// let mut products = set.task_writer("products", "all")?;
/// for id in 1..=120_000 {
///     products.write(id, &Product { id })?;
/// }
/// let summary = set.commit(&[products.finish()?])?;
/// assert_eq!(summary.files, 4); // sitemap.xml, and sitemap-products-1.xml to 3
/// assert!(root.join("current/sitemap-products-3.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The [guide](crate::guide::sets) covers more: workers, object stores, and the configuration of web servers.
#[derive(Clone, Debug)]
pub struct SitemapSet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    parts: PartBuilder,
    backend: Backend,
    /// The published set when this one was opened or last committed.
    before: Mutex<Option<Arc<Manifest>>>,
    session: Mutex<Option<Arc<Session>>>,
}

#[derive(Debug)]
pub(crate) enum Backend {
    Directory(Directory),
    Storage(Bucket),
}

/// The place of this program's files until they are published.
#[derive(Debug)]
enum Session {
    Directory(directory::Session),
    Storage(StorageSession),
}

/// The lifetime of unpublished parts whose program has ended, or has stopped renewing its heartbeat.
pub(crate) const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// The settings of a set.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct Settings {
    /// The public URL of the site, without a slash at its end.
    pub(crate) base: String,
    /// The public URL of the files, without a slash at its end.
    pub(crate) location: String,
    pub(crate) writer: WriterBuilder,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    pub(crate) gzip: Option<u32>,
    pub(crate) text: bool,
    pub(crate) flat: bool,
    pub(crate) stylesheet: Option<Stylesheet>,
    /// The news sections, each with the current time, if one is set.
    pub(crate) news: BTreeMap<String, Option<W3cDateTime>>,
    pub(crate) grace: Duration,
    pub(crate) allow_shrinking: bool,
    pub(crate) forget: bool,
    pub(crate) progress: Option<OnProgress>,
    /// `None` if nothing is set: then a row is an error, and an export treats it as its site does.
    pub(crate) on_invalid: Option<OnInvalid>,
    pub(crate) on_problem: Option<OnProblem>,
}

pub(crate) type OnProblem = Arc<dyn Fn(&Error) + Send + Sync>;
pub(crate) type OnProgress = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// The progress of a [`TaskWriter`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The section that is written.
    pub section: &'a str,
    /// The task that writes it.
    pub task: &'a str,
    /// Entries written so far.
    pub entries: u64,
    /// Bytes of finished parts, uncompressed.
    pub bytes: u64,
    /// Finished parts.
    pub parts: u64,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The address of a file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("{}/{name}", self.location)
    }

    #[expect(clippy::unused_self, reason = "the one place that knows the names of files")]
    pub(crate) fn extension(&self, gzip: bool, text: bool) -> &'static str {
        match (text, gzip) {
            (false, false) => ".xml",
            (false, true) => ".xml.gz",
            (true, false) => ".txt",
            (true, true) => ".txt.gz",
        }
    }
}

impl SitemapSet {
    /// Creates a writer for one task: some of the rows of one section, such as a range of keys, a shop, a language, or all of them.
    /// The task's name is recorded with its parts, but is not part of file names, so that the rows may be divided into other tasks
    /// later.
    ///
    /// Write rows in the same order each time, by key, so that parts keep their shape: a part ends where it ended in the previous set, as
    /// long as it is within the limits. An inserted or deleted row then changes one part, or two.
    ///
    /// The names of sections and tasks have 1 to 64 of the characters a-z, 0-9, `-` and `_`.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`](crate::ErrorKind::Setting) if a name is invalid; [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn task_writer(&self, section: &str, task: &str) -> Result<TaskWriter> {
        TaskWriter::new(&self.shared, section, task, OnInvalid::Fail)
    }

    /// As [`task_writer`](Self::task_writer), with a policy unless the set has one.
    #[cfg(feature = "serve")]
    pub(crate) fn task_writer_or(&self, section: &str, task: &str, policy: OnInvalid) -> Result<TaskWriter> {
        TaskWriter::new(&self.shared, section, task, policy)
    }

    /// Returns what [`commit`](Self::commit) would do with the lists.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit), except for `Shrunk`, which is part of the plan.
    pub fn plan(&self, lists: impl PartLists) -> Result<CommitPlan> {
        self.shared.plan(lists.as_ref(), true)
    }

    /// Returns what [`update`](Self::update) would do with the lists.
    ///
    /// # Errors
    /// Those of [`update`](Self::update), except for `Shrunk`, which is part of the plan.
    pub fn plan_update(&self, lists: impl PartLists) -> Result<CommitPlan> {
        self.shared.plan(lists.as_ref(), false)
    }

    /// Publishes the parts of the lists as the whole set, at once. Files with unchanged content stay.
    ///
    /// Equal lists of the same task count once, so a task may run twice.
    ///
    /// # Errors
    /// After an error nothing is published, unless its message says otherwise. The [`ErrorKind`](crate::ErrorKind) is `Shrunk` if the set would
    /// be empty, or have less than half of its previous entries; `Locked` if another program is committing; `Conflict` if two lists of one
    /// task differ, or another program has committed in the meantime (only in a storage); `Limit` if the index would be too large; `Damaged`
    /// if written parts are missing; or `Io`.
    pub fn commit(&self, lists: impl PartLists) -> Result<CommitSummary> {
        self.shared.commit(lists.as_ref(), true)
    }

    /// Publishes the parts of the lists in place of the previous parts of the same tasks. The parts of other tasks stay.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit), and `Damaged` if a part that should be kept is missing.
    pub fn update(&self, lists: impl PartLists) -> Result<CommitSummary> {
        self.shared.commit(lists.as_ref(), false)
    }
}

impl Shared {
    fn plan(&self, lists: &[PartList], whole: bool) -> Result<CommitPlan> {
        match &self.backend {
            Backend::Directory(directory) => directory.plan(lists, whole, &self.settings),
            Backend::Storage(bucket) => bucket.plan(lists, whole, &self.settings),
        }
    }

    fn commit(&self, lists: &[PartList], whole: bool) -> Result<CommitSummary> {
        let (summary, manifest) = match &self.backend {
            Backend::Directory(directory) => directory.commit(lists, whole, &self.settings)?,
            Backend::Storage(bucket) => bucket.commit(lists, whole, &self.settings)?,
        };
        *lock(&self.before) = Some(Arc::new(manifest));
        // The next writers compare with the new set.
        let mut session = lock(&self.session);
        if let Some(Session::Storage(storage)) = session.as_deref() {
            storage.committed();
            *session = None;
        }
        Ok(summary)
    }

    fn session(&self) -> Result<Arc<Session>> {
        let mut session = lock(&self.session);
        if let Some(session) = &*session {
            return Ok(Arc::clone(session));
        }
        let begun = Arc::new(match &self.backend {
            Backend::Directory(directory) => Session::Directory(directory.begin_session()?),
            Backend::Storage(bucket) => {
                Session::Storage(StorageSession::begin(bucket, lock(&self.before).as_deref())?)
            }
        });
        *session = Some(Arc::clone(&begun));
        Ok(begun)
    }
}

/// Ignores poisoning: no locked value can be left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! [`SitemapSet`]: what publishes sets, by a [`Backend`].
//!
//! | module | content |
//! |---|---|
//! | `builder` | the settings |
//! | `writer` | the parts of one task; `shape` knows where they end |
//! | `output/` | the text of a part on its way to a file: hashed and compressed, on all processors |
//! | `read` | all entries of the published set |
//! | `files` | the files of a set, for programs that did not write it |
//! | `announced` | the pages that changed since the last announcement |

mod announced;
mod builder;
mod files;
mod output;
mod read;
mod shape;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sitemap_serde::OnInvalid;

pub use announced::Unannounced;
pub use builder::SetBuilder;
#[cfg(feature = "serve")]
pub(crate) use builder::check_writer;
pub use files::SetFiles;
pub use writer::TaskWriter;

use super::backend::Backend;
#[cfg(feature = "serve")]
use super::backend::{Looked, Mark};
use super::list::{PartList, PartLists};
use super::manifest::Manifest;
use super::plan::CommitPlan;
use super::session::Session;
use super::settings::Settings;
use super::summary::CommitSummary;
use crate::error::Result;
use crate::part::PartBuilder;

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
    backend: Box<dyn Backend>,
    /// The published set when this one was opened or last committed.
    before: Mutex<Option<Arc<Manifest>>>,
    session: Mutex<Option<Arc<dyn Session>>>,
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

impl SitemapSet {
    /// Returns `true` if the files are in an object store.
    #[cfg(feature = "serve")]
    pub(crate) fn is_storage(&self) -> bool {
        self.shared.backend.is_storage()
    }

    /// The published set, unless the caller already knows it.
    ///
    /// A `sitemap.xml` without a manifest was written by another program, or is damaged: this is an error, so that it is not taken for an
    /// empty set.
    #[cfg(feature = "serve")]
    pub(crate) fn look(&self, known: Option<&Mark>) -> Result<Looked> {
        self.shared.backend.look(known)
    }

    /// The public URL of the site, without a slash at its end.
    #[cfg(feature = "serve")]
    pub(crate) fn base(&self) -> &str {
        &self.shared.settings.base
    }

    /// The public URL of the files, without a slash at its end.
    #[cfg(feature = "serve")]
    pub(crate) fn location(&self) -> &str {
        &self.shared.settings.location
    }
}

impl Shared {
    fn plan(&self, lists: &[PartList], whole: bool) -> Result<CommitPlan> {
        self.backend.plan(lists, whole, &self.settings)
    }

    fn commit(&self, lists: &[PartList], whole: bool) -> Result<CommitSummary> {
        let (summary, manifest) = self.backend.commit(lists, whole, &self.settings)?;
        // The next writers compare with the new set.
        *lock(&self.before) = Some(Arc::new(manifest));
        lock(&self.session).take_if(|session| session.committed());
        Ok(summary)
    }

    fn session(&self) -> Result<Arc<dyn Session>> {
        let mut session = lock(&self.session);
        if let Some(session) = &*session {
            return Ok(Arc::clone(session));
        }
        let begun = self.backend.begin_session(lock(&self.before).as_deref())?;
        *session = Some(Arc::clone(&begun));
        Ok(begun)
    }
}

/// Ignores poisoning: no locked value can be left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

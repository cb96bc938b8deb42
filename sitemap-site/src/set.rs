//! Sets of files.

mod builder;
mod decision;
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

use sitemap_serde::{W3cDateTime, WriterBuilder};

pub use builder::SetBuilder;
pub(crate) use decision::{DecidedPart, Decision, Place, Proposal, Source, TOP_FILE, file_of};
pub use list::{LeftOut, PartList};
pub(crate) use output::{Staged, StagedPlace, deflate};
pub(crate) use publication::{Publication, foreign, plain_of, top_content};
#[cfg(feature = "serve")]
pub(crate) use published::{Looked, Mark, Open};
pub use read::SetEntries;
pub use summary::{Action, Plan, PlannedFile, Summary};
pub use writer::PartWriter;

use crate::directory::{self, Directory};
use crate::error::Result;
use crate::manifest::Manifest;
use crate::part::PartBuilder;
use crate::storage::{Bucket, StorageSession};
use crate::stylesheet::Stylesheet;

/// A set of files that is published: `sitemap.xml`, and the parts that it lists.
///
/// Rows become parts by [`part_writer`](Self::part_writer), in one program or in a thousand; a [`commit`](Self::commit) publishes all
/// parts at once.
///
/// ```
/// use sitemap_serde::{SitemapEntry, W3cDateTime};
/// use sitemap_site::{Key, SitemapSet};
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
/// let mut products = set.part_writer("products", "all")?;
/// for id in 1..=120_000 {
///     products.write(Some(&Key::from(id)), &Product { id })?;
/// }
/// let summary = set.commit(&[products.finish()?])?;
/// assert_eq!(summary.files, 4); // sitemap.xml, and sitemap-products-1.xml to 3
/// assert!(root.join("current/sitemap-products-3.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The [guide](crate::guide::sets) has more: workers, object stores, and what the web server has to be told.
#[derive(Clone, Debug)]
pub struct SitemapSet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    parts: PartBuilder,
    backend: Backend,
    /// The set as it was when this one was opened, or committed to.
    before: Mutex<Option<Arc<Manifest>>>,
    session: Mutex<Option<Arc<Session>>>,
}

#[derive(Debug)]
pub(crate) enum Backend {
    Directory(Directory),
    Storage(Bucket),
}

/// Where the files of this program wait to be published.
#[derive(Debug)]
enum Session {
    Directory(directory::Session),
    Storage(StorageSession),
}

/// How a set is written.
#[derive(Clone)]
pub(crate) struct Settings {
    /// Where the site is for the public, without a slash at its end.
    pub(crate) base: String,
    /// Where the files are for the public, without a slash at its end.
    pub(crate) place: String,
    pub(crate) writer: WriterBuilder,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    pub(crate) gzip: Option<u32>,
    pub(crate) text: bool,
    pub(crate) stylesheet: Option<Stylesheet>,
    /// The sections of news, each with the time that is now.
    pub(crate) news: BTreeMap<String, Option<W3cDateTime>>,
    pub(crate) grace: Duration,
    pub(crate) abandoned_after: Duration,
    pub(crate) allow_shrinking: bool,
    pub(crate) forget: bool,
    pub(crate) progress: Option<OnProgress>,
}

pub(crate) type OnProgress = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// How far a [`PartWriter`] is.
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
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The address of a file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("{}/{name}", self.place)
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
    /// A writer of the rows of one section that are one task's: some range of the table's keys, a shop, a language, or everything.
    /// The task's name is kept with its parts; it is not in any file's name, so that other tasks may write the same rows
    /// tomorrow.
    ///
    /// Rows come in the same order each time, by key, so that parts keep their shape: one ends where it did in the set before, as
    /// long as it is within the limits. A row that comes or goes then changes one part, or two.
    ///
    /// Section and task are named by a-z, 0-9, `-` and `_`, at most 64 of them.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`](crate::ErrorKind::Setting) if a name is none; [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn part_writer(&self, section: &str, task: &str) -> Result<PartWriter> {
        PartWriter::new(&self.shared, section, task)
    }

    /// What [`commit`](Self::commit) would do with the lists.
    ///
    /// # Errors
    /// As there, but for what would refuse the commit: that is in the plan.
    pub fn plan(&self, lists: &[PartList]) -> Result<Plan> {
        self.shared.plan(lists, true)
    }

    /// What [`update`](Self::update) would do with the lists.
    ///
    /// # Errors
    /// As there, but for what would refuse the commit: that is in the plan.
    pub fn plan_update(&self, lists: &[PartList]) -> Result<Plan> {
        self.shared.plan(lists, false)
    }

    /// Publishes the lists' parts as the whole set, at once. Parts whose content is that of the set before stay as they are.
    ///
    /// Two equal lists of one task are one, so that a task may be run twice.
    ///
    /// # Errors
    /// Nothing is published then, but where the message says so: [`ErrorKind`](crate::ErrorKind)`::Shrunk` if the set would be empty, or have less
    /// than half of the entries that it had; `Locked` if another program is committing; `Conflict` if two lists of one task differ,
    /// or another program has committed in between (only on a storage); `Limit` if the index would be too large; `Damaged` if
    /// written parts are gone; `Io`.
    pub fn commit(&self, lists: &[PartList]) -> Result<Summary> {
        self.shared.commit(lists, true)
    }

    /// Publishes the lists' parts in the place of those that the same tasks had; the other tasks' parts stay.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); `Damaged` too if a part that stays is gone.
    pub fn update(&self, lists: &[PartList]) -> Result<Summary> {
        self.shared.commit(lists, false)
    }
}

#[cfg(feature = "serve")]
impl SitemapSet {
    /// Removes what was written and will not be committed.
    pub(crate) fn give_up(&self, lists: &[PartList]) {
        if let Some(session) = lock(&self.shared.session).as_deref() {
            let parts = lists.iter().flat_map(|list| &list.parts);
            parts.for_each(|part| session.discard(&part.staged));
        }
    }
}

impl Shared {
    fn plan(&self, lists: &[PartList], whole: bool) -> Result<Plan> {
        match &self.backend {
            Backend::Directory(directory) => directory.plan(lists, whole, &self.settings),
            Backend::Storage(bucket) => bucket.plan(lists, whole, &self.settings),
        }
    }

    fn commit(&self, lists: &[PartList], whole: bool) -> Result<Summary> {
        if let Some(Session::Directory(session)) = lock(&self.session).as_deref() {
            let parts = lists.iter().flat_map(|list| &list.parts);
            parts.for_each(|part| session.offer(&part.staged));
        }
        let (summary, manifest) = match &self.backend {
            Backend::Directory(directory) => directory.commit(lists, whole, &self.settings)?,
            Backend::Storage(bucket) => bucket.commit(lists, whole, &self.settings)?,
        };
        *lock(&self.before) = Some(Arc::new(manifest));
        // The next writers compare with what is published now.
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

/// Nothing that is locked here can be left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

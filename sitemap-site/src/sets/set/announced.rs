//! A set's memory of announced pages: the files of the set that was announced last, until another one is announced.
//!
//! **The announced state is a set, not a list of changes**. A set keeps the files of the last announced set, as links or as
//! undeleted objects, and compares them with the published files on request. So a commit has no extra cost, unannounced commits
//! add up, and the kept files do not grow with their number.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use sitemap_serde::diff::{Change, Diff, Input, Summary};

use super::{Shared, SitemapSet};
use crate::error::Result;
use crate::sets::backend::Snapshot;

/// The pages that have changed since the set was last announced; returned by [`SitemapSet::unannounced`].
#[must_use = "the next run reports the same changes again, unless `mark_announced` is called"]
pub struct Unannounced {
    shared: Arc<Shared>,
    summary: Summary,
    snapshot: String,
    documents: Vec<String>,
}

impl fmt::Debug for Unannounced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unannounced")
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

impl SitemapSet {
    /// Compares the published set with the last announced one, over any number of commits, and calls `report` with each page that
    /// was added, removed or changed. After you have announced them all, [`Unannounced::mark_announced`] records it. A program
    /// that is killed before that reports the same changes in its next run, so none is lost. If nothing was announced before, all
    /// pages count as added.
    ///
    /// From the first call on, the set keeps the files of the announced set until another one is announced: in a directory as
    /// hard links in its private state, in a storage as undeleted objects.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_serde::diff::Change;
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path().join("sitemaps");
    /// let set = SitemapSet::directory(&root, "https://example.com").open()?;
    /// let publish = |paths: &[&str]| {
    ///     let mut pages = set.task_writer("pages", "all")?;
    ///     for path in paths {
    ///         pages.write(None, &UrlEntry::new(*path))?;
    ///     }
    ///     set.commit(pages.finish()?)
    /// };
    /// publish(&["/", "/about"])?;
    /// set.unannounced(|_| Ok(()))?.mark_announced()?; // search engines know these pages
    ///
    /// publish(&["/", "/about", "/lamps"])?;
    /// // The program is killed here, and runs again the next night.
    /// publish(&["/", "/lamps", "/sofas"])?;
    /// let mut changes = Vec::new();
    /// let unannounced = set.unannounced(|change: Change| {
    ///     changes.push(change.to_string());
    ///     Ok(())
    /// })?;
    /// assert_eq!(changes, ["- https://example.com/about", "+ https://example.com/lamps", "+ https://example.com/sofas"]);
    /// // They are sent to a search engine here.
    /// unannounced.mark_announced()?;
    /// assert!(set.unannounced(|_| Ok(()))?.summary().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if nothing is published, [`ErrorKind::Locked`](crate::ErrorKind::Locked) if another program is committing, [`ErrorKind::Damaged`](crate::ErrorKind::Damaged)
    /// if the kept files are missing, [`ErrorKind::Entry`](crate::ErrorKind::Entry) if a document cannot be read, and errors of `report`.
    pub fn unannounced(
        &self,
        report: impl FnMut(Change) -> sitemap_serde::Result<()>,
    ) -> Result<Unannounced> {
        let backend = &self.shared.backend;
        let (published, announced) = (backend.snapshot()?, backend.announced()?);
        let mut before = announced.as_ref().map(documents).unwrap_or_default();
        let summary = Diff::new().run(&mut before, &mut documents(&published), report)?;
        Ok(Unannounced {
            shared: Arc::clone(&self.shared),
            summary,
            snapshot: published.name,
            documents: published.documents,
        })
    }
}

impl Unannounced {
    /// The numbers of pages that were added, removed and changed.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Records that the compared set is announced, even if another one was committed since. The next call of
    /// [`SitemapSet::unannounced`] reports the changes since this set.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io); [`ErrorKind::Locked`](crate::ErrorKind::Locked) if another program is committing; [`ErrorKind::Conflict`](crate::ErrorKind::Conflict) if the compared files
    /// are missing, because another set has been compared or announced in the meantime, or, in a storage, later commits have
    /// deleted them.
    pub fn mark_announced(self) -> Result<()> {
        self.shared
            .backend
            .mark_announced(&self.snapshot, &self.documents)
    }
}

/// The documents of a snapshot, for a comparison.
fn documents(snapshot: &Snapshot) -> Vec<Input<'_>> {
    let names = snapshot.documents.iter();
    let opened = names.map(|name| {
        Input::new(name.as_str(), move || -> io::Result<Box<dyn Read>> {
            let file = (snapshot.open)(name).map_err(io::Error::other)?;
            Ok(file)
        })
    });
    opened.collect()
}

//! Writing the sitemap.

use std::path::Path;

use sitemap_serde::{Limits, WriterBuilder};
use sitemap_site::{CommitSummary, SitemapSet};

use crate::error::{Error, ErrorKind, Result};
use crate::folder::Folder;
use crate::ledger::replace_file;

/// The name of the set's section: its files are `sitemap-pages-1.xml` and so on.
const SECTION: &str = "pages";

impl Folder {
    /// Writes the sitemap as one file, atomically. A file that is the same already is not touched; returns whether it was written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// let path = folder.path().join("sitemap.xml");
    /// assert!(read.write_file(&path)?);
    /// assert!(!read.write_file(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Output`] if the pages do not fit into one file (P-SIZE), [`ErrorKind::Io`] if it cannot be written.
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<bool> {
        if self.pages().len() as u64 > Limits::ENTRIES {
            let problem = format!(
                "{} pages do not fit into one file, which has at most {}: write a set of files into a folder",
                self.pages().len(),
                Limits::ENTRIES
            );
            return Err(Error::new(ErrorKind::Output, problem));
        }
        let xml = WriterBuilder::new()
            .entries_to_string(self.pages())
            .map_err(|error| Error::new(ErrorKind::Output, error.to_string()))?;
        replace_file(path.as_ref(), xml.as_bytes())
    }

    /// Writes the sitemap as the section `pages` of a set, and publishes it atomically. Files that are the same already are not touched.
    ///
    /// ```
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// let set = SitemapSet::directory(folder.path(), "https://example.com").in_place(true).open()?;
    /// assert_eq!(read.write_set(&set)?.entries, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Output`] with the message of [`sitemap_site::Error`].
    pub fn write_set(&self, set: &SitemapSet) -> Result<CommitSummary> {
        let write = || {
            let mut writer = set.task_writer(SECTION, "folder")?;
            for page in self.pages() {
                writer.write(None, page)?;
            }
            set.commit(&[writer.finish()?])
        };
        write().map_err(|error: sitemap_site::Error| Error::new(ErrorKind::Output, error.to_string()))
    }
}

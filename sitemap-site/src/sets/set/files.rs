//! The files of a set, for programs that read a folder and did not write it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{ErrorKind, Result};
use crate::sets::directory::{Directory, Os};
use crate::sets::manifest::Manifest;
use crate::sets::name::TOP_FILE;

/// The files of a set in a directory, listed and dropped, for programs that read a directory which they have not written.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::{SetFiles, SitemapSet};
///
/// # let folder = tempfile::tempdir()?;
/// let set = SitemapSet::in_place(folder.path(), "https://example.com")
///     .max_entries(1)
///     .open()?;
/// for pages in [&["/", "/about", "/old"][..], &["/", "/about"]] {
///     let mut writer = set.task_writer("pages", "all")?;
///     for page in pages {
///         writer.write(None, &UrlEntry::new(*page))?;
///     }
///     set.commit(&[writer.finish()?])?;
/// }
/// let files = SetFiles::find(folder.path())?.unwrap();
/// assert_eq!(files.listed, ["sitemap.xml", "sitemap-pages-1.xml", "sitemap-pages-2.xml"]);
/// assert_eq!(files.dropped, ["sitemap-pages-3.xml"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetFiles {
    /// The public directory, which is the given one, or the current generation in it.
    pub folder: PathBuf,
    /// The names of the published files, `sitemap.xml` first.
    pub listed: Vec<String>,
    /// The names of files that are no longer listed. They stay for crawlers that have an older index, until a commit after
    /// [`SetBuilder::grace`](crate::SetBuilder::grace) deletes them.
    pub dropped: Vec<String>,
}

impl SetFiles {
    /// Finds the set of a directory: one written [in place](crate::SitemapSet::in_place), the current generation of a set, or the
    /// generation that the directory is. Returns `None` if there is no set, or if `sitemap.xml` is another than the set's.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] if the manifest of the set cannot be read; [`ErrorKind::Io`].
    pub fn find(folder: impl AsRef<Path>) -> Result<Option<SetFiles>> {
        let folder = folder.as_ref();
        if folder.join(".sitemap").is_dir() {
            return Self::load(folder, true);
        }
        if folder.join("state").is_dir() && folder.join("generations").is_dir() {
            return match Self::load(folder, false) {
                // `current` is not the link of a set.
                Err(error) if error.kind() == ErrorKind::Setting => Ok(None),
                found => found,
            };
        }
        let Some((root, number)) = generation(folder) else {
            return Ok(None);
        };
        let manifest = Directory::new(Arc::new(Os), root, false).manifest_of(number)?;
        Ok(manifest.map(|manifest| Self::of(&manifest, folder)))
    }

    fn load(folder: &Path, in_place: bool) -> Result<Option<SetFiles>> {
        let published = Directory::new(Arc::new(Os), folder.to_owned(), in_place).load()?;
        Ok(published.map(|published| Self::of(&published.manifest, published.folder())))
    }

    fn of(manifest: &Manifest, folder: &Path) -> Self {
        SetFiles {
            folder: folder.to_owned(),
            listed: [TOP_FILE]
                .into_iter()
                .chain(manifest.part_files())
                .map(str::to_owned)
                .collect(),
            dropped: manifest
                .dropped
                .iter()
                .map(|dropped| dropped.name.clone())
                .collect(),
        }
    }
}

/// Returns the root of the set and the number of the generation, if the folder is one.
fn generation(folder: &Path) -> Option<(PathBuf, u64)> {
    // Resolving a path takes time that grows with its depth.
    let is_number = |name: &OsStr| name.to_str().is_some_and(|name| name.parse::<u64>().is_ok());
    let is_link = || fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink());
    if folder.file_name().is_some_and(|name| !is_number(name)) && !is_link() {
        return None;
    }
    let folder = fs::canonicalize(folder).ok()?;
    let number = folder.file_name()?.to_str()?.parse().ok()?;
    let generations = folder.parent().filter(|parent| parent.ends_with("generations"))?;
    let root = generations.parent()?;
    root.join("state").is_dir().then(|| (root.to_owned(), number))
}

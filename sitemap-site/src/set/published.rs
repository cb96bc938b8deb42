//! The published set and its files, for reading and serving.

use std::io::{self, Cursor, Read};
#[cfg(feature = "serve")]
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "serve")]
use crate::manifest::{FileState, Manifest};
#[cfg(feature = "serve")]
use crate::storage::Version;

use super::decision::TOP_FILE;
use super::{Backend, SitemapSet};

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

/// The result of [`SitemapSet::look`].
#[cfg(feature = "serve")]
pub(crate) enum Looked {
    /// Nothing is published.
    Nothing,
    /// The set that the caller knows is still published.
    Same,
    Published(Box<Published>),
}

impl SitemapSet {
    /// Opens the files of the published set; in a directory of generations all of one generation, even if another is committed in the
    /// meantime.
    pub(super) fn files(&self) -> Result<Arc<Open>> {
        Ok(match &self.shared.backend {
            Backend::Directory(directory) => {
                let Some(folder) = directory.public_folder()? else {
                    return Err(nothing());
                };
                let directory = directory.clone();
                Arc::new(move |name| directory.open(&folder, name))
            }
            Backend::Storage(bucket) => {
                let bucket = bucket.clone();
                Arc::new(move |name| match bucket.get(name)? {
                    Some(object) => Ok(Box::new(Cursor::new(object.content))),
                    None if name == TOP_FILE => Err(nothing()),
                    None => Err(Error::caused(
                        ErrorKind::Damaged,
                        "it is listed and not in the storage",
                        io::Error::from(io::ErrorKind::NotFound),
                    )),
                })
            }
        })
    }

    /// The published set, unless the caller already knows it.
    ///
    /// A `sitemap.xml` without a manifest was written by another program, or is damaged: this is an error, so that it is not taken for an
    /// empty set.
    #[cfg(feature = "serve")]
    pub(crate) fn look(&self, known: Option<&Mark>) -> Result<Looked> {
        let (manifest, mark) = match &self.shared.backend {
            Backend::Directory(directory) => {
                let Some((folder, top)) = directory.public_top()? else {
                    return Ok(Looked::Nothing);
                };
                // Read before the manifest: if another program commits in between, the mark is too old, and the next look loads the set again.
                let mark = Mark::Folder(folder, top);
                if known == Some(&mark) {
                    return Ok(Looked::Same);
                }
                let Some(published) = directory.load()? else {
                    return Err(foreign_top());
                };
                let (directory, folder) = (directory.clone(), published.folder().to_owned());
                return Ok(Looked::Published(Box::new(Published {
                    manifest: published.manifest,
                    open: Arc::new(move |name| directory.open(&folder, name)),
                    mark,
                })));
            }
            Backend::Storage(bucket) => {
                let Some(top) = bucket.get(TOP_FILE)? else {
                    return Ok(Looked::Nothing);
                };
                if known == Some(&Mark::Version(top.version)) {
                    return Ok(Looked::Same);
                }
                match bucket.load(false)?.with_version() {
                    Some((Some(manifest), version)) => (manifest, Mark::Version(version)),
                    Some((None, _)) => return Err(foreign_top()),
                    None => return Ok(Looked::Nothing),
                }
            }
        };
        Ok(Looked::Published(Box::new(Published {
            manifest,
            open: self.files()?,
            mark,
        })))
    }

    /// Returns `true` if the files are in an object store.
    #[cfg(feature = "serve")]
    pub(crate) fn is_storage(&self) -> bool {
        matches!(self.shared.backend, Backend::Storage(_))
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

fn nothing() -> Error {
    Error::new(ErrorKind::Io, "nothing is published: there is no sitemap.xml")
}

#[cfg(feature = "serve")]
fn foreign_top() -> Error {
    Error::new(
        ErrorKind::Damaged,
        "its sitemap.xml has no manifest: another program has replaced it, or it is not whole; commit the set again with \
         `SetBuilder::forget(true)`",
    )
}

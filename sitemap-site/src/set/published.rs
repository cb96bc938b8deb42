//! The set that is published, and its files, for those who read or serve them.

use std::io::{Cursor, Read};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "serve")]
use crate::manifest::Manifest;

use super::decision::TOP_FILE;
use super::{Backend, SitemapSet};

/// Opens a file of the set by its name.
pub(crate) type Open = dyn Fn(&str) -> Result<Box<dyn Read + Send>> + Send + Sync;

/// A set as it was published at one moment.
#[cfg(feature = "serve")]
pub(crate) struct Published {
    pub(crate) manifest: Manifest,
    pub(crate) open: Arc<Open>,
}

impl SitemapSet {
    /// The files of the set that is public now: on a directory of generations that of one generation, whatever is committed meanwhile.
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
                    None => Err(Error::new(
                        ErrorKind::Damaged,
                        "it is listed and not in the storage",
                    )),
                })
            }
        })
    }

    /// What is published now, with its manifest; `None` if nothing is, or nothing that has one.
    #[cfg(feature = "serve")]
    pub(crate) fn published(&self) -> Result<Option<Published>> {
        let manifest = match &self.shared.backend {
            Backend::Directory(directory) => {
                let Some(published) = directory.load()? else {
                    return Ok(None);
                };
                let (directory, folder) = (directory.clone(), published.folder().to_owned());
                let open = Arc::new(move |name: &str| directory.open(&folder, name));
                return Ok(Some(Published {
                    manifest: published.manifest,
                    open,
                }));
            }
            Backend::Storage(bucket) => bucket.load(false)?.manifest,
        };
        manifest
            .map(|manifest| {
                Ok(Published {
                    manifest,
                    open: self.files()?,
                })
            })
            .transpose()
    }

    /// Where the site is for the public, without a slash at its end.
    #[cfg(feature = "serve")]
    pub(crate) fn base(&self) -> &str {
        &self.shared.settings.base
    }

    /// Where the files are for the public, without a slash at its end.
    #[cfg(feature = "serve")]
    pub(crate) fn place(&self) -> &str {
        &self.shared.settings.place
    }
}

fn nothing() -> Error {
    Error::new(ErrorKind::Io, "nothing is published: there is no sitemap.xml")
}

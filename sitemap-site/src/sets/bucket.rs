//! A set in an object store.
//!
//! | module | content |
//! |---|---|
//! | `name` | names of objects: parts by their content, manifests by their index, sessions by their start |
//! | `session` | the parts of a worker, put before the commit |
//! | `commit` | the manifest, and one conditional put of the index; then the removal of old objects |
//! | `announced` | the manifest that was announced last |

mod announced;
mod commit;
mod name;
mod session;

use std::io::{self, Cursor};
use std::sync::Arc;

use name::manifest_name;
use session::StorageSession;

use super::backend::{Backend, Open, Snapshot, nothing};
#[cfg(feature = "serve")]
use super::backend::{Looked, Mark, Published as Found, foreign_top};
use super::list::PartList;
use super::manifest::Manifest;
use super::name::TOP_FILE;
use super::plan::CommitPlan;
use super::session::Session;
use super::settings::Settings;
use super::storage::{ListedObject, Object, PutOptions, Storage, Version};
use super::summary::CommitSummary;
use crate::error::{Chain, Error, ErrorKind, Result};
use crate::hash::ContentHash;

#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    storage: Arc<dyn Storage>,
}

/// The published set.
#[derive(Debug, Default)]
struct Published {
    manifest: Option<Manifest>,
    top: Option<Object>,
}

fn failed(what: &str, name: &str, error: io::Error) -> Error {
    Error::caused(
        ErrorKind::Io,
        format!("cannot {what} {name} of the storage: {}", Chain(&error)),
        error,
    )
}

impl Bucket {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        Bucket { storage }
    }

    fn get(&self, name: &str) -> Result<Option<Object>> {
        self.storage
            .get(name)
            .map_err(|error| failed("read", name, error))
    }

    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> Result<Option<Version>> {
        self.storage
            .put(name, content, options)
            .map_err(|error| failed("write", name, error))
    }

    fn list(&self, prefix: &str) -> Result<Vec<ListedObject>> {
        self.storage
            .list(prefix)
            .map_err(|error| failed("list", prefix, error))
    }

    /// The published set, with its manifest, which is found by the hash of the top file.
    fn load(&self, replace_damaged: bool) -> Result<Published> {
        for _ in 0..10 {
            let Some(top) = self.get(TOP_FILE)? else {
                return Ok(Published::default());
            };
            let name = manifest_name(ContentHash::of(&top.content));
            let Some(manifest) = self.get(&name)? else {
                // Another program has committed in the meantime, or this sitemap.xml is not part of a set.
                if self
                    .get(TOP_FILE)?
                    .is_none_or(|again| again.version != top.version)
                {
                    continue;
                }
                return Ok(Published {
                    manifest: None,
                    top: Some(top),
                });
            };
            let manifest = match Manifest::from_json(&manifest.content, &name) {
                Err(_) if replace_damaged => None,
                manifest => Some(manifest?),
            };
            return Ok(Published {
                manifest,
                top: Some(top),
            });
        }
        Err(Error::new(
            ErrorKind::Conflict,
            "the set changed ten times while it was read: other programs are committing to it all the time",
        ))
    }

    fn delete(&self, name: &str) -> Result<()> {
        self.storage
            .delete(name)
            .map_err(|error| failed("delete", name, error))
    }
}

impl Published {
    /// The manifest, and the version of the top file; `None` if nothing is published.
    #[cfg(feature = "serve")]
    fn with_version(self) -> Option<(Option<Manifest>, Version)> {
        Some((self.manifest, self.top?.version))
    }

    /// The manifest, and the content of the top file; `None` if nothing is published.
    fn into_parts(self) -> Option<(Option<Manifest>, Vec<u8>)> {
        Some((self.manifest, self.top?.content))
    }

    fn condemned(&self) -> &[String] {
        self.manifest
            .as_ref()
            .map(|manifest| manifest.condemned.as_slice())
            .unwrap_or_default()
    }
}

impl Backend for Bucket {
    fn before(&self, replace_damaged: bool) -> Result<Option<Manifest>> {
        Ok(self.load(replace_damaged)?.manifest)
    }

    fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<CommitPlan> {
        self.plan_commit(lists, whole, settings)
    }

    fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)> {
        self.carry_out(lists, whole, settings)
    }

    fn begin_session(&self, before: Option<&Manifest>) -> Result<Arc<dyn Session>> {
        Ok(Arc::new(StorageSession::begin(self, before)?))
    }

    fn snapshot(&self) -> Result<Snapshot> {
        self.keep_snapshot()
    }

    fn announced(&self) -> Result<Option<Snapshot>> {
        self.announced_snapshot()
    }

    fn mark_announced(&self, name: &str, documents: &[String]) -> Result<()> {
        self.record_announced(name, documents)
    }

    fn files(&self) -> Result<Arc<Open>> {
        let bucket = self.clone();
        Ok(Arc::new(move |name| match bucket.get(name)? {
            Some(object) => Ok(Box::new(Cursor::new(object.content))),
            None if name == TOP_FILE => Err(nothing()),
            None => Err(Error::caused(
                ErrorKind::Damaged,
                "it is listed and not in the storage",
                io::Error::from(io::ErrorKind::NotFound),
            )),
        }))
    }

    #[cfg(feature = "serve")]
    fn look(&self, known: Option<&Mark>) -> Result<Looked> {
        let Some(top) = self.get(TOP_FILE)? else {
            return Ok(Looked::Nothing);
        };
        if known == Some(&Mark::Version(top.version)) {
            return Ok(Looked::Same);
        }
        let (manifest, mark) = match self.load(false)?.with_version() {
            Some((Some(manifest), version)) => (manifest, Mark::Version(version)),
            Some((None, _)) => return Err(foreign_top()),
            None => return Ok(Looked::Nothing),
        };
        Ok(Looked::Published(Box::new(Found {
            manifest,
            open: self.files()?,
            mark,
        })))
    }

    #[cfg(feature = "serve")]
    fn is_storage(&self) -> bool {
        true
    }
}

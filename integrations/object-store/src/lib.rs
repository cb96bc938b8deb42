//! Sets of sitemap files in every object store that [`object_store`] supports: Amazon S3 and compatible stores, Google Cloud Storage, Azure
//! Blob Storage.
//!
//! ```sh
//! cargo add sitemap-object-store sitemap-serde
//! cargo add sitemap-site --features gzip
//! cargo add object_store --features aws # or azure, gcp, fs
//! ```
//!
//! ```
//! use std::sync::Arc;
//!
//! use object_store::memory::InMemory;
//! use sitemap_object_store::ObjectStorage;
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::SitemapSet;
//!
//! let store = Arc::new(InMemory::new()); // or an `AmazonS3`, …
//! let storage = ObjectStorage::new(store, "public/sitemaps")?;
//! let set = SitemapSet::storage(storage, "https://example.com").open()?;
//! let mut pages = set.task_writer("pages", "all")?;
//! pages.write(None, &UrlEntry::new("/about"))?;
//! set.commit(&[pages.finish()?])?;
//! assert_eq!(set.entries()?.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The store must support conditional puts; for S3 this is `S3ConditionalPut::ETagMatch`, object_store's default. object_store's
//! `LocalFileSystem` cannot replace an object on a condition, and keeps no content types. There the version of `sitemap.xml` is compared
//! just before the put, so two programs that commit at the same moment may both succeed, and one of their sets is lost. For a directory use
//! [`SitemapSet::directory`](sitemap_site::SitemapSet::directory), which gives stronger guarantees.
//!
//! It is good enough for trying a program without a store:
//!
//! ```
//! # use std::sync::Arc;
//! # use sitemap_object_store::ObjectStorage;
//! # use sitemap_site::SitemapSet;
//! use object_store::local::LocalFileSystem; // object_store's feature `fs`
//!
//! # let folder = std::env::temp_dir().join(format!("sitemap-object-store-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let store = Arc::new(LocalFileSystem::new_with_prefix(&folder)?);
//! let set = SitemapSet::storage(ObjectStorage::new(store, "sitemaps")?, "http://localhost:8000/sitemaps").open()?;
//! set.commit(set.task_writer("pages", "all")?.finish()?).unwrap_err(); // a set without a page is not published
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions as StorePutOptions,
    PutPayload, PutResult, UpdateVersion,
};
use sitemap_site::storage::{Condition, ListedObject, Object, PutOptions, Storage, Version};
use tokio::runtime::{Builder, Runtime};

/// The largest object that is read: a manifest of 50,000 parts with long keys. It is in memory as a whole.
const MOST: u64 = 512 << 20;

/// An object store as the [`Storage`] of a set.
///
/// Its functions block, and may be called anywhere, also in asynchronous programs: a separate thread does the work.
#[derive(Debug)]
pub struct ObjectStorage {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl ObjectStorage {
    /// The objects whose names begin with `prefix` and a slash, or all objects if that is empty.
    ///
    /// # Errors
    /// If the prefix is not a valid path in an object store, or the thread cannot be started.
    pub fn new(store: Arc<dyn ObjectStore>, prefix: &str) -> io::Result<Self> {
        let prefix = Path::parse(prefix).map_err(io::Error::other)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("sitemap-object-store")
            .enable_all()
            .build()?;
        Ok(ObjectStorage {
            store,
            prefix,
            runtime: Some(runtime),
        })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), Path::join)
    }

    /// Runs work on the thread, and waits for the result.
    fn wait<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
        let (sender, receiver) = sync_channel(1);
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                // The receiver is gone if the caller's thread has ended.
                let _ = sender.send(work.await);
            });
        }
        receiver
            .recv()
            .map_err(|_| io::Error::other("the thread of the object store has ended"))
    }
}

/// Shuts the runtime down in the background: waiting for it would panic in an asynchronous program.
impl Drop for ObjectStorage {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Storage for ObjectStorage {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
        let mode = match &options.condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(version) => PutMode::Update(from_version(version)),
            _ => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "a condition that is not known here",
                ));
            }
        };
        let mut attributes = Attributes::new();
        attributes.insert(Attribute::ContentType, options.content_type.into());
        attributes.insert(Attribute::CacheControl, options.cache_control.into());
        let options = StorePutOptions {
            mode,
            attributes,
            ..StorePutOptions::default()
        };
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        match self.wait(async move { put(&*store, &path, content.into(), options).await })? {
            Ok(put) => Ok(Some(to_version(put.e_tag.as_deref(), put.version.as_deref()))),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(None),
            Err(error) => Err(to_io(error)),
        }
    }

    fn get(&self, name: &str) -> io::Result<Option<Object>> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        let get = async move {
            let found = store.get(&path).await?;
            if found.meta.size > MOST {
                return Ok(Err(format!(
                    "{path} has {} bytes, and nothing of a set has more than {MOST}",
                    found.meta.size
                )));
            }
            let version = to_version(found.meta.e_tag.as_deref(), found.meta.version.as_deref());
            let content = found.bytes().await?;
            Ok(Ok(Object::new(content, version)))
        };
        match self.wait(get)? {
            Ok(Ok(object)) => Ok(Some(object)),
            Ok(Err(reason)) => Err(io::Error::new(io::ErrorKind::FileTooLarge, reason)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(to_io(error)),
        }
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        // Stores list by directory; the rest of the prefix is compared here.
        let folder = prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = if folder.is_empty() {
            self.prefix.clone()
        } else {
            self.path(folder)
        };
        let store = Arc::clone(&self.store);
        let found = self
            .wait(async move { store.list_with_delimiter(Some(&path)).await })?
            .map_err(to_io)?;
        let names = found.objects.into_iter().filter_map(|object| {
            let name: Vec<_> = object
                .location
                .prefix_match(&self.prefix)?
                .map(|part| part.as_ref().to_owned())
                .collect();
            let name = name.join("/");
            name.starts_with(prefix)
                .then(|| ListedObject::new(name, object.size, object.last_modified.into()))
        });
        Ok(names.collect())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        match self.wait(async move { store.delete(&path).await })? {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(to_io(error)),
        }
    }
}

/// Puts an object: without attributes if the store keeps none, and with a comparison before it if the store cannot replace on a
/// condition.
async fn put(
    store: &dyn ObjectStore,
    path: &Path,
    content: PutPayload,
    mut options: StorePutOptions,
) -> Result<PutResult, Error> {
    let is_refused = |put: &Result<_, Error>| matches!(put, Err(Error::NotImplemented { .. }));
    let mut done = store.put_opts(path, content.clone(), options.clone()).await;
    if is_refused(&done) {
        options.attributes = Attributes::new();
        done = store.put_opts(path, content.clone(), options.clone()).await;
    }
    match options.mode {
        PutMode::Update(expected) if is_refused(&done) => {
            let found = store.head(path).await?;
            if (found.e_tag, found.version) != (expected.e_tag, expected.version) {
                return Err(Error::Precondition {
                    path: path.to_string(),
                    source: "it has changed".into(),
                });
            }
            store.put(path, content).await
        }
        _ => done,
    }
}

/// Stores identify versions by an ETag, a version or both; neither contains a line break.
fn to_version(e_tag: Option<&str>, version: Option<&str>) -> Version {
    Version::new(format!(
        "{}\n{}",
        e_tag.unwrap_or_default(),
        version.unwrap_or_default()
    ))
}

fn from_version(version: &Version) -> UpdateVersion {
    let version = version.as_str();
    let (e_tag, version) = version.split_once('\n').unwrap_or((version, ""));
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    UpdateVersion {
        e_tag: given(e_tag),
        version: given(version),
    }
}

fn to_io(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotSupported { .. } | Error::NotImplemented { .. } => io::ErrorKind::Unsupported,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

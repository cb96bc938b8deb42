//! Storages: the trait for sets in object stores.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A place for a set's files other than a directory: an object store, or anything that puts and gets objects by name.
///
/// All functions block; a worker calls them from one thread. The name of an object is the name of a file (`sitemap.xml`,
/// `sitemap-products-….xml.gz`), or begins with `.sitemap/`: such objects are private to the set and need not be public.
///
/// An implementation must be strongly consistent, as Amazon S3, Google Cloud Storage and Azure Blob Storage are: a [`get`](Self::get),
/// [`list`](Self::list) or conditional [`put`](Self::put) sees every `put` and `delete` that has returned. Putting an object must be
/// atomic.
///
/// The crate `sitemap-object-store` implements it for all stores of the crate object_store.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a storage for sets",
    label = "does not implement `Storage`",
    note = "the stores of the crate object_store become one by sitemap-object-store; implement it for any other place that puts and gets objects \
            by name",
    note = "a directory needs none: `SitemapSet::directory(path, base)`"
)]
pub trait Storage: fmt::Debug + Send + Sync {
    /// Puts an object if the condition holds, and replaces any object with the same name. Returns the object's new version;
    /// `None` if the condition does not hold.
    ///
    /// # Errors
    /// Errors of the storage.
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>>;

    /// Gets the object with a name; `None` if it does not exist.
    ///
    /// # Errors
    /// Errors of the storage.
    fn get(&self, name: &str) -> io::Result<Option<Object>>;

    /// Lists all objects whose names begin with the prefix, in any order.
    ///
    /// # Errors
    /// Errors of the storage.
    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>>;

    /// Deletes the object with a name. A missing object is not an error.
    ///
    /// # Errors
    /// Errors of the storage.
    fn delete(&self, name: &str) -> io::Result<()>;
}

/// Options of [`Storage::put`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutOptions {
    /// The condition for putting the object.
    pub condition: Condition,
    /// The `Content-Type` of the object: `application/xml`, `application/gzip`, …
    pub content_type: &'static str,
    /// The `Cache-Control` header of the object.
    pub cache_control: &'static str,
}

/// The condition of a put.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Always.
    Always,
    /// If no object has this name.
    Absent,
    /// If the object with this name still has this version.
    Unchanged(Version),
}

/// Identifies a version of an object: an ETag, or a generation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(String);

impl Version {
    /// Makes a version of the storage's text.
    pub fn new(text: impl Into<String>) -> Self {
        Version(text.into())
    }

    /// The storage's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Object {
    /// The content.
    pub content: Vec<u8>,
    /// The version of the object.
    pub version: Version,
}

impl Object {
    /// Makes an object of its content and version.
    pub fn new(content: impl Into<Vec<u8>>, version: Version) -> Self {
        Object {
            content: content.into(),
            version,
        }
    }
}

/// An object in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedObject {
    /// The full name.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The time of the put, by the storage's clock.
    pub modified: SystemTime,
}

impl ListedObject {
    /// Makes an object of its full name, its size in bytes, and the time of its put.
    pub fn new(name: impl Into<String>, size: u64, modified: SystemTime) -> Self {
        ListedObject {
            name: name.into(),
            size,
            modified,
        }
    }
}

impl PutOptions {
    /// Makes options with a condition, for bytes that are not cached: for tests of a storage. A set sets the other fields, too.
    ///
    /// ```
    /// use std::io;
    ///
    /// use sitemap_site::storage::{Condition, PutOptions, Storage};
    ///
    /// fn puts_once(storage: &impl Storage) -> io::Result<()> {
    ///     let absent = PutOptions::new(Condition::Absent);
    ///     assert!(storage.put("a", b"1".to_vec(), &absent)?.is_some());
    ///     assert!(storage.put("a", b"2".to_vec(), &absent)?.is_none());
    ///     Ok(())
    /// }
    /// ```
    pub fn new(condition: Condition) -> Self {
        PutOptions {
            condition,
            content_type: "application/octet-stream",
            cache_control: "no-store",
        }
    }

    /// Options for a name whose content never changes.
    pub(crate) fn forever(name: &str) -> Self {
        PutOptions {
            condition: Condition::Always,
            content_type: content_type(name),
            cache_control: "public, max-age=31536000, immutable",
        }
    }

    /// Options for a name whose content changes.
    pub(crate) fn for_now(name: &str, condition: Condition) -> Self {
        PutOptions {
            condition,
            content_type: content_type(name),
            cache_control: "public, max-age=600",
        }
    }

    /// Options for the set's private objects.
    pub(crate) fn private() -> Self {
        PutOptions {
            condition: Condition::Always,
            content_type: "application/json",
            cache_control: "private, no-store",
        }
    }
}

pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("xml") => "application/xml; charset=utf-8",
        Some("gz") => "application/gzip",
        Some("txt") => "text/plain; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "application/octet-stream",
    }
}

impl<T: Storage + ?Sized> Storage for Arc<T> {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
        (**self).put(name, content, options)
    }

    fn get(&self, name: &str) -> io::Result<Option<Object>> {
        (**self).get(name)
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        (**self).list(prefix)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        (**self).delete(name)
    }
}

/// The age of an object, by the storage's clock.
pub(crate) fn age(modified: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(modified).unwrap_or_default()
}

//! Object stores: what a set asks of one.

mod commit;
mod session;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub(crate) use commit::Bucket;
pub(crate) use session::StorageSession;

/// Where a set's files are kept if that is no directory: an object store, or whatever puts and gets objects by name.
///
/// All functions block; a worker calls them from one thread. A name is that of a file (`sitemap.xml`, `sitemap-products-….xml.gz`), or
/// begins with `.sitemap/`, which is the set's own and need not be public.
///
/// What has to hold: a [`get`](Self::get), [`list`](Self::list) or conditional [`put`](Self::put) sees every `put` and `delete` that has returned
/// (strong consistency, as Amazon S3, Google Cloud Storage, Azure Blob Storage and their like have it), and an object is there whole or not
/// at all.
///
/// The crate `sitemap-object-store` implements it for all stores that the crate object_store knows.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Puts an object, in the place of one of that name, if the condition holds; what it is then. `None` if the condition does not
    /// hold.
    ///
    /// # Errors
    /// What the storage says.
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>>;

    /// The object of that name; `None` if there is none.
    ///
    /// # Errors
    /// What the storage says.
    fn get(&self, name: &str) -> io::Result<Option<Object>>;

    /// All objects whose names begin with the prefix, in any order.
    ///
    /// # Errors
    /// What the storage says.
    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>>;

    /// Deletes the object of that name. That there is none is no error.
    ///
    /// # Errors
    /// What the storage says.
    fn delete(&self, name: &str) -> io::Result<()>;
}

/// How an object is put.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutOptions {
    /// When to put it at all.
    pub condition: Condition,
    /// What it is served as: `application/xml`, `application/gzip`, …
    pub content_type: &'static str,
    /// How long it may be cached.
    pub cache_control: &'static str,
}

/// When an object is put.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Always.
    Always,
    /// If there is none of that name.
    Absent,
    /// If the one of that name is still of that version.
    Unchanged(Version),
}

/// What a storage tells versions of an object apart by: an ETag, or a generation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(pub String);

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its bytes.
    pub content: Vec<u8>,
    /// Which version of it that is.
    pub version: Version,
}

/// An object in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its whole name.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was put, by the storage's clock.
    pub modified: SystemTime,
}

impl PutOptions {
    /// For a name that always has the same content.
    pub(crate) fn forever(name: &str) -> Self {
        PutOptions {
            condition: Condition::Always,
            content_type: content_type(name),
            cache_control: "public, max-age=31536000, immutable",
        }
    }

    /// For a name whose content changes.
    pub(crate) fn for_now(name: &str, condition: Condition) -> Self {
        PutOptions {
            condition,
            content_type: content_type(name),
            cache_control: "public, max-age=600",
        }
    }

    /// For what is the set's own.
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

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        (**self).list(prefix)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        (**self).delete(name)
    }
}

/// Since when, by the storage's clock.
pub(crate) fn age(modified: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(modified).unwrap_or_default()
}

//! DataFusion's object stores as the storage of a set.

use std::future::Future;
use std::io;
use std::sync::Arc;

use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions as StorePutOptions,
    UpdateVersion,
};
use sitemap_site::storage::{Condition, ListedObject, Object, PutOptions, Storage, Version};
use tokio::runtime::Handle;

/// The largest object that is read: a manifest of 50,000 parts with long keys. It is in memory as a whole.
const MOST: u64 = 512 << 20;

/// A store of DataFusion, driven by its runtime. It is used on blocking threads only.
#[derive(Debug)]
pub(crate) struct Store {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    runtime: Handle,
}

impl Store {
    pub(crate) fn new(objects: Arc<dyn ObjectStore>, prefix: Path, runtime: Handle) -> Self {
        Store {
            objects,
            prefix,
            runtime,
        }
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), Path::join)
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

impl Storage for Store {
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
        match self.wait(self.objects.put_opts(&self.path(name), content.into(), options)) {
            Ok(put) => Ok(Some(to_version(put.e_tag.as_deref(), put.version.as_deref()))),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(None),
            Err(error) => Err(to_io(error)),
        }
    }

    fn get(&self, name: &str) -> io::Result<Option<Object>> {
        let path = self.path(name);
        self.wait(async {
            let found = match self.objects.get(&path).await {
                Ok(found) => found,
                Err(Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(to_io(error)),
            };
            if found.meta.size > MOST {
                return Err(io::Error::new(
                    io::ErrorKind::FileTooLarge,
                    format!(
                        "{path} has {} bytes, and nothing of a set has more than {MOST}",
                        found.meta.size
                    ),
                ));
            }
            let version = to_version(found.meta.e_tag.as_deref(), found.meta.version.as_deref());
            let content = found.bytes().await.map_err(to_io)?;
            Ok(Some(Object::new(content, version)))
        })
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        // Stores list by directory; the rest of the prefix is compared here.
        let folder = prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = if folder.is_empty() {
            self.prefix.clone()
        } else {
            self.path(folder)
        };
        let found = self
            .wait(self.objects.list_with_delimiter(Some(&path)))
            .map_err(to_io)?;
        let names = found.objects.into_iter().filter_map(|object| {
            let parts = object.location.prefix_match(&self.prefix)?;
            let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
            let name = parts.join("/");
            name.starts_with(prefix)
                .then(|| ListedObject::new(name, object.size, object.last_modified.into()))
        });
        Ok(names.collect())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        match self.wait(self.objects.delete(&self.path(name))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(to_io(error)),
        }
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

//! A set in the store that object_store keeps in memory.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{Attribute, ObjectStore, ObjectStoreExt};
use sitemap_object_store::ObjectStorage;
use sitemap_serde::UrlEntry;
use sitemap_site::storage::{Condition, PutOptions, Storage, Version};
use sitemap_site::{ErrorKind, PartList, SitemapSet};

fn set(store: &Arc<InMemory>) -> SitemapSet {
    let store: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(store);
    let storage = ObjectStorage::new(store, "a b/sitemaps").unwrap();
    SitemapSet::storage(storage, "https://example.com")
        .max_entries(10)
        .gzip(6)
        .grace(Duration::ZERO)
        .open()
        .unwrap()
}

fn write(set: &SitemapSet, last: i64) -> PartList {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in 1..=last {
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
    }
    writer.finish().unwrap()
}

/// Records the options of each put.
#[derive(Debug)]
struct Seen(ObjectStorage);

impl Storage for Seen {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> std::io::Result<Option<Version>> {
        let put = self.0.put(name, content.clone(), options)?;
        if options.condition != Condition::Always {
            // The condition no longer holds, because this call put the object.
            assert!(put.is_some());
            assert_eq!(self.0.put(name, content, options)?, None);
        }
        Ok(put)
    }
    fn get(&self, name: &str) -> std::io::Result<Option<sitemap_site::storage::Object>> {
        self.0.get(name)
    }
    fn list(&self, prefix: &str) -> std::io::Result<Vec<sitemap_site::storage::ListedObject>> {
        let listed = self.0.list(prefix)?;
        assert!(
            listed.iter().all(|object| object.name.starts_with(prefix)),
            "{listed:?}"
        );
        Ok(listed)
    }
    fn delete(&self, name: &str) -> std::io::Result<()> {
        self.0.delete(name)?;
        // Deleting again is not an error.
        self.0.delete(name)
    }
}

#[test]
fn a_set_is_published_and_read_back() {
    let store = Arc::new(InMemory::new());
    let first = set(&store);
    first.commit(&[write(&first, 25)]).unwrap();
    let second = set(&store);
    let summary = second.commit(&[write(&second, 26)]).unwrap();
    assert_eq!((summary.written, summary.kept, summary.removed), (2, 2, 1));
    let locs: Vec<_> = second
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().loc)
        .collect();
    assert_eq!(
        locs,
        (1..=26)
            .map(|id| format!("https://example.com/{id}"))
            .collect::<Vec<_>>()
    );
    // Dropped, condemned, deleted.
    for last in [27, 28] {
        second.commit(&[write(&second, last)]).unwrap();
    }
    drop((first, second));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let listed = runtime
        .block_on(store.list_with_delimiter(Some(&"a b/sitemaps".into())))
        .unwrap();
    let names: Vec<_> = listed
        .objects
        .iter()
        .map(|object| object.location.filename().unwrap())
        .collect();
    assert!(names.contains(&"sitemap.xml") && names.len() <= 5, "{names:?}");
    let index = runtime
        .block_on(store.get(&"a b/sitemaps/sitemap.xml".into()))
        .unwrap();
    assert_eq!(
        index.attributes.get(&Attribute::ContentType).map(AsRef::as_ref),
        Some("application/xml; charset=utf-8")
    );
}

#[test]
fn conditions_hold() {
    let folder = tempfile::tempdir().unwrap();
    let stores: [Arc<dyn ObjectStore>; 2] = [
        Arc::new(InMemory::new()),
        Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap()),
    ];
    for store in stores {
        let storage = Seen(ObjectStorage::new(store, "").unwrap());
        let set = SitemapSet::storage(storage, "https://example.com")
            .max_entries(10)
            .open()
            .unwrap();
        set.commit(&[write(&set, 25)]).unwrap();
        set.commit(&[write(&set, 26)]).unwrap();
        assert_eq!(set.entries().unwrap().count(), 26);
    }
}

#[test]
fn one_of_two_commits_is_refused() {
    let store = Arc::new(InMemory::new());
    let storage = ObjectStorage::new(store, "").unwrap();
    let storage = Arc::new(storage);
    let set = SitemapSet::storage(Arc::clone(&storage), "https://example.com")
        .open()
        .unwrap();
    let list = write(&set, 5);
    set.commit(std::slice::from_ref(&list)).unwrap();
    assert_eq!(storage.get("nothing").unwrap(), None);
    let top = storage.get("sitemap.xml").unwrap().unwrap();
    assert!(top.content.starts_with(b"<?xml"));
    let error = SitemapSet::storage(storage, "example.com").open().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setting);
}

/// In an asynchronous program too, where nothing may block or be dropped that waits.
#[test]
fn within_a_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let store = Arc::new(InMemory::new());
        let set = set(&store);
        set.commit(&[write(&set, 15)]).unwrap();
        assert_eq!(set.entries().unwrap().count(), 15);
    });
}

/// object_store's `LocalFileSystem` keeps no attributes and replaces nothing on a condition.
#[test]
fn a_set_in_a_local_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
        Arc::new(ObjectStorage::new(Arc::new(store), "a b/sitemaps").unwrap())
    };
    let set = |storage: &Arc<ObjectStorage>| {
        SitemapSet::storage(Arc::clone(storage), "https://example.com")
            .max_entries(10)
            .gzip(6)
            .default_stylesheet(true)
            .open()
            .unwrap()
    };
    let (first, second) = (set(&open()), set(&open()));
    for (set, last) in [(&first, 25), (&second, 26), (&first, 27)] {
        let summary = set.commit(&[write(set, last)]).unwrap();
        assert_eq!(summary.entries, u64::try_from(last).unwrap());
        assert_eq!(set.entries().unwrap().count(), usize::try_from(last).unwrap());
    }
    assert!(folder.path().join("a b/sitemaps/sitemap.css").exists());
}

/// An object that cannot belong to a set is not read into memory: here a file of 512 MiB and a byte, mostly a hole.
#[test]
fn an_object_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let storage = ObjectStorage::new(Arc::new(store), "").unwrap();
    let file = File::create(folder.path().join("sitemap.xml")).unwrap();
    file.set_len((512 << 20) + 1).unwrap();
    let error = storage.get("sitemap.xml").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::FileTooLarge);
    assert_eq!(
        error.to_string(),
        "sitemap.xml has 536870913 bytes, and nothing of a set has more than 536870912"
    );
    file.set_len(1000).unwrap();
    assert_eq!(
        storage.get("sitemap.xml").unwrap().unwrap().content,
        vec![0; 1000]
    );
}

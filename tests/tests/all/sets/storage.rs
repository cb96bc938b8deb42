//! A set in an object store, which may fail at any moment.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use sitemap_serde::{Reader, SitemapIndex};
use sitemap_site::storage::{Condition, ListedObject, Object, PutOptions, Storage, Version};
use sitemap_site::{ErrorKind, SetBuilder, SitemapSet};

use crate::sets::pages::{BASE, ids, write};

/// A store in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, (Vec<u8>, u64, SystemTime)>,
    puts: u64,
    /// The number of changes so far, and the number after which everything fails.
    operations: u64,
    dies_after: Option<u64>,
    /// Records of puts: name, content type.
    log: Vec<(String, &'static str)>,
    /// `true` if another program puts a new `sitemap.xml` before each read.
    is_restless: bool,
    /// The start of forbidden operations, such as `delete sitemap-`.
    refused: Option<&'static str>,
}

impl State {
    fn check_allowed(&self, operation: &str) -> io::Result<()> {
        match self.refused {
            Some(refused) if operation.starts_with(refused) => Err(io::Error::other("not allowed")),
            _ => Ok(()),
        }
    }
}

impl Store {
    fn operate(&self) -> io::Result<std::sync::MutexGuard<'_, State>> {
        let mut state = self.0.lock().unwrap();
        state.operations += 1;
        match state.dies_after {
            Some(last) if state.operations > last => Err(io::Error::other("no route to the store")),
            _ => Ok(state),
        }
    }

    fn dies_after(&self, operations: Option<u64>) {
        let mut state = self.0.lock().unwrap();
        state.operations = 0;
        state.dies_after = operations;
    }

    /// Makes all objects older.
    fn wait(&self, time: Duration) {
        for (_, _, modified) in self.0.lock().unwrap().objects.values_mut() {
            *modified -= time;
        }
    }

    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().objects.keys().cloned().collect()
    }

    fn parts(&self) -> Vec<String> {
        self.names()
            .into_iter()
            .filter(|name| name.starts_with("sitemap-"))
            .collect()
    }

    fn text(&self, name: &str) -> String {
        let object = self
            .get(name)
            .unwrap()
            .unwrap_or_else(|| panic!("{name} is not there"));
        if name.rsplit('.').next() == Some("gz") {
            io::read_to_string(flate2::read::GzDecoder::new(object.content.as_slice())).unwrap()
        } else {
            String::from_utf8(object.content).unwrap()
        }
    }

    fn text_if_there(&self, name: &str) -> Option<String> {
        self.get(name).unwrap().map(|_| self.text(name))
    }

    /// The published ids, with all files read completely.
    fn published(&self) -> Vec<i64> {
        if self.get("sitemap.xml").unwrap().is_none() {
            return Vec::new();
        }
        let top = self.text("sitemap.xml");
        if top.contains("<urlset") {
            return ids(&top);
        }
        let index: SitemapIndex = sitemap_serde::from_str(&top).unwrap();
        let mut found = Vec::new();
        for entry in index {
            let xml = self.text(entry.loc.strip_prefix("https://example.com/").unwrap());
            let count = Reader::from_str(&xml).entries().map(Result::unwrap).count();
            let ids = ids(&xml);
            assert_eq!(count, ids.len());
            found.extend(ids);
        }
        found
    }
}

impl Storage for Store {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
        let mut state = self.operate()?;
        let version = state.objects.get(name).map(|(_, version, _)| version.to_string());
        let may = match &options.condition {
            Condition::Always => true,
            Condition::Absent => version.is_none(),
            Condition::Unchanged(wanted) => version.as_deref() == Some(wanted.as_str()),
            _ => false,
        };
        if !may {
            return Ok(None);
        }
        state.puts += 1;
        let put = state.puts;
        state.log.push((name.to_owned(), options.content_type));
        state
            .objects
            .insert(name.to_owned(), (content, put, SystemTime::now()));
        Ok(Some(Version::new(put.to_string())))
    }

    fn get(&self, name: &str) -> io::Result<Option<Object>> {
        let mut state = self.0.lock().unwrap();
        if state.is_restless
            && let Some((content, version, _)) = state.objects.get_mut("sitemap.xml")
        {
            content.push(b' ');
            *version += 1;
        }
        Ok(state
            .objects
            .get(name)
            .map(|(content, version, _)| Object::new(content.clone(), Version::new(version.to_string()))))
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        let state = self.0.lock().unwrap();
        state.check_allowed(&format!("list {prefix}"))?;
        let objects = state.objects.iter().filter(|(name, _)| name.starts_with(prefix));
        Ok(objects
            .map(|(name, (content, _, modified))| {
                ListedObject::new(name.clone(), content.len() as u64, *modified)
            })
            .collect())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        let mut state = self.operate()?;
        state.check_allowed(&format!("delete {name}"))?;
        state.objects.remove(name);
        Ok(())
    }
}

fn small(store: &Store) -> SetBuilder {
    SitemapSet::storage(store.clone(), BASE)
        .max_entries(10)
        .gzip(6)
        .allow_shrinking(true)
        .clone()
}

fn publish(
    store: &Store,
    ids: impl IntoIterator<Item = i64>,
) -> sitemap_site::Result<sitemap_site::CommitSummary> {
    let set = small(store).open()?;
    let mut writer = set.task_writer("p", "all")?;
    for id in ids {
        writer.write(id, &crate::sets::pages::page(id))?;
    }
    set.commit(&[writer.finish()?])
}

#[test]
fn names_are_of_the_content() {
    let store = Store::default();
    let summary = publish(&store, 1..=25).unwrap();
    assert_eq!((summary.files, summary.written, summary.kept), (4, 4, 0));
    assert_eq!(store.published(), (1..=25).collect::<Vec<_>>());
    let names = store.parts();
    assert_eq!(names.len(), 3);
    for name in &names {
        let hash = name
            .strip_prefix("sitemap-p-")
            .unwrap()
            .strip_suffix(".xml.gz")
            .unwrap();
        assert!(
            hash.len() == 32 && sitemap_site::ContentHash::of(store.text(name).as_bytes()).short() == hash
        );
    }
    let log = std::mem::take(&mut store.0.lock().unwrap().log);
    assert_eq!(
        log.last().unwrap(),
        &("sitemap.xml".to_owned(), "application/xml; charset=utf-8")
    );
    assert!(
        log.iter()
            .all(|(name, kind)| !name.starts_with("sitemap-") || *kind == "application/gzip")
    );

    // Files in the index are not put again.
    let summary = publish(&store, 1..=26).unwrap();
    assert_eq!((summary.written, summary.kept, summary.removed), (2, 2, 1));
    let log = &store.0.lock().unwrap().log;
    assert_eq!(
        log.iter()
            .filter(|(name, _)| name.starts_with("sitemap-"))
            .count(),
        1,
        "{log:?}"
    );
}

#[test]
fn the_same_set_again_puts_nothing_public() {
    let store = Store::default();
    publish(&store, 1..=25).unwrap();
    store.0.lock().unwrap().log.clear();
    assert_eq!(publish(&store, 1..=25).unwrap().kept, 4);
    let log = &store.0.lock().unwrap().log;
    assert!(
        log.iter().all(|(name, _)| name.starts_with(".sitemap/")),
        "{log:?}"
    );
}

#[test]
fn one_part_is_the_top_file_and_back() {
    let store = Store::default();
    publish(&store, 1..=5).unwrap();
    assert!(store.text("sitemap.xml").contains("<urlset"));
    publish(&store, 1..=15).unwrap();
    assert_eq!(store.published(), (1..=15).collect::<Vec<_>>());
    let set = small(&store).open().unwrap();
    set.commit(&[write(&set, "p", "a", 1..=5), write(&set, "p", "b", 6..=9)])
        .unwrap();
    set.update(&[write(&set, "p", "b", [])]).unwrap();
    assert_eq!(store.published(), (1..=5).collect::<Vec<_>>());
    set.update(&[write(&set, "p", "b", [7])]).unwrap();
    assert_eq!(store.published(), [1, 2, 3, 4, 5, 7]);
    assert_eq!(set.entries().unwrap().map(Result::unwrap).count(), 6);
}

/// A flat set is one urlset while its pages fit, an index when they no longer do, and one urlset again. The parts stay, unlisted.
#[test]
fn a_flat_set_grows_and_shrinks() {
    let store = Store::default();
    let set = small(&store).flat(true).grace(Duration::ZERO).open().unwrap();
    let lists = |last: i64| {
        [
            write(&set, "p", "a", 1..=3),
            write(&set, "p", "b", 4..=6),
            write(&set, "q", "a", 7..=last),
        ]
    };
    for (last, is_flat) in [(10, true), (10, true), (11, false), (17, false), (8, true)] {
        let before = (store.names(), store.text_if_there("sitemap.xml"));
        let summary = set.commit(lists(last)).unwrap();
        let top = store.text("sitemap.xml");
        assert_eq!(top.contains("<urlset"), is_flat, "{last}: {top}");
        assert_eq!(store.published(), (1..=last).collect::<Vec<_>>());
        let warnings: &[String] = if is_flat {
            &[]
        } else {
            &[format!(
                "`sitemap.xml` is an index, although the set is flat (`SetBuilder::flat`): it would have {last} entries, and one sitemap has \
                 at most 10"
            )]
        };
        assert_eq!(summary.warnings, warnings);
        assert_eq!(summary.entries, last.unsigned_abs());
        assert!(store.parts().len() >= 3, "{last}");
        // Read back, each page is there once.
        let mut read: Vec<i64> = set
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().loc.rsplit_once('/').unwrap().1.parse().unwrap())
            .collect();
        read.sort_unstable();
        assert_eq!(read, (1..=last).collect::<Vec<_>>());
        // The same pages again put nothing public.
        if before == (store.names(), Some(top)) {
            assert_eq!(summary.written, 0);
        }
        // One task alone can be updated, since the other parts are there.
        let updated = set.update(&[write(&set, "p", "b", 4..=6)]).unwrap();
        assert_eq!((updated.written, updated.warnings), (0, summary.warnings));
    }
}

/// A store that fails at any moment leaves the old flat set or the new one, whole.
#[test]
fn a_flat_set_is_old_or_new() {
    let (old, new) = ((1..=9).collect::<Vec<_>>(), (1..=14).collect::<Vec<_>>());
    let mut seen = [0, 0];
    for operations in 0.. {
        let store = Store::default();
        let set = small(&store).flat(true).open().unwrap();
        let lists = |last| [write(&set, "p", "a", 1..=5), write(&set, "q", "a", 6..=last)];
        set.commit(lists(9)).unwrap();
        let lists = lists(14);
        store.dies_after(Some(operations));
        let committed = set.commit(lists);
        store.dies_after(None);
        let found = store.published();
        assert!(found == old || found == new, "{operations}: {found:?}");
        seen[usize::from(found == new)] += 1;
        if committed.is_ok() {
            assert_eq!(found, new);
            break;
        }
    }
    assert!(seen[0] > 1 && seen[1] > 0, "{seen:?}");
}

/// Two tasks of a section with the same content share one object. The index lists it once, and it stays until neither task has
/// it.
#[test]
fn two_parts_of_the_same_content_are_one_file() {
    let store = Store::default();
    let set = small(&store).grace(Duration::ZERO).open().unwrap();
    let lists = |b: std::ops::RangeInclusive<i64>| {
        [
            write(&set, "p", "a", 1..=15),
            write(&set, "p", "b", b),
            write(&set, "q", "a", 1..=5),
        ]
    };
    let plan = set.plan(lists(1..=15)).unwrap();
    let names: Vec<_> = plan.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!((names.len(), plan.entries), (4, 20), "{names:?}");
    let summary = set.commit(lists(1..=15)).unwrap();
    assert_eq!((summary.files, summary.written, summary.entries), (4, 4, 20));
    assert_eq!(
        store.published(),
        (1..=15).chain(1..=5).collect::<Vec<_>>(),
        "every file once"
    );
    let lastmods = |store: &Store| {
        let index: SitemapIndex = sitemap_serde::from_str(&store.text("sitemap.xml")).unwrap();
        let lastmods = index.into_iter().map(|entry| (entry.loc, entry.lastmod));
        lastmods.collect::<BTreeMap<_, _>>()
    };
    let before = lastmods(&store);

    // Again, and by one task that no set had: nothing is written, and no file is younger than its content.
    assert_eq!(set.commit(lists(1..=15)).unwrap().written, 0);
    let summary = set.update(&[write(&set, "p", "c", 1..=15)]).unwrap();
    assert_eq!((summary.files, summary.written, summary.kept), (4, 0, 4));
    set.update(&[write(&set, "p", "c", [])]).unwrap();

    // One of the two continues, and the other's file stays.
    let summary = set.update(&[write(&set, "p", "b", 1..=16)]).unwrap();
    assert_eq!((summary.files, summary.written, summary.removed), (5, 2, 0));
    let after = lastmods(&store);
    assert!(before.iter().all(|file| after.get(file.0) == Some(file.1)));
    for last in [17, 18, 19] {
        let summary = set.update(&[write(&set, "p", "b", 1..=last)]).unwrap();
        assert_eq!(summary.removed, 1);
    }
    let listed = (1..=15).chain(11..=19).chain(1..=5);
    assert_eq!(store.published(), listed.collect::<Vec<_>>());
    // Both at once: it is removed once.
    let plan = set.plan(&[write(&set, "p", "a", 1..=9)]).unwrap();
    assert_eq!(plan.removed_files.len(), 4, "{:?}", plan.removed_files);
}

#[test]
fn one_of_two_concurrent_commits_fails() {
    let store = Store::default();
    publish(&store, 1..=25).unwrap();
    let set = small(&store).open().unwrap();
    let list = write(&set, "p", "all", 1..=30);
    // Another program commits between this one's read and its put.
    #[derive(Debug)]
    struct Slow(Store);
    impl Storage for Slow {
        fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
            if name == "sitemap.xml" {
                publish(&self.0, 1..=40).unwrap();
            }
            self.0.put(name, content, options)
        }
        fn get(&self, name: &str) -> io::Result<Option<Object>> {
            self.0.get(name)
        }
        fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
            self.0.list(prefix)
        }
        fn delete(&self, name: &str) -> io::Result<()> {
            self.0.delete(name)
        }
    }
    let slow = SitemapSet::storage(Slow(store.clone()), BASE)
        .max_entries(10)
        .gzip(6)
        .open()
        .unwrap();
    let error = slow.commit(std::slice::from_ref(&list)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(
        error.to_string(),
        "another program has committed to the set since this commit began: commit the lists again, if they are still newer; \
         nothing was changed"
    );
    assert_eq!(store.published().len(), 40);
    set.commit(&[list]).unwrap();
    assert_eq!(store.published().len(), 30);
}

#[test]
fn dropped_files_are_removed_after_the_grace_period() {
    let store = Store::default();
    let grace = |ids: std::ops::RangeInclusive<i64>| {
        let set = small(&store).grace(Duration::ZERO).open().unwrap();
        set.commit(&[write(&set, "p", "all", ids)]).unwrap();
    };
    publish(&store, 1..=25).unwrap();
    let third = store
        .parts()
        .iter()
        .find(|name| store.text(name).contains("/p/25<"))
        .unwrap()
        .clone();
    publish(&store, 1..=26).unwrap();
    assert!(store.parts().contains(&third), "within the grace period");
    grace(1..=27);
    assert!(
        store.parts().contains(&third),
        "condemned first, so that nobody lists it again unseen"
    );
    // A condemned content is needed again: it gets another name.
    let set = small(&store).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
    assert!(!store.parts().contains(&third));
    let again = third.replace(".xml.gz", "-2.xml.gz");
    assert!(store.text("sitemap.xml").contains(&again));
    assert_eq!(store.published().len(), 25);
    // A list that was written before its name was condemned.
    let old = Store::default();
    publish(&old, 1..=25).unwrap();
    let set = small(&old).open().unwrap();
    let list = write(&set, "p", "all", 1..=25);
    publish(&old, 1..=15).unwrap();
    let zero = small(&old).grace(Duration::ZERO).open().unwrap();
    zero.commit(&[write(&zero, "p", "all", 1..=16)]).unwrap();
    set.commit(&[list]).unwrap();
    assert_eq!(old.published(), (1..=25).collect::<Vec<_>>());
}

#[test]
fn the_stylesheet_is_put_once_and_again_if_it_is_changed_or_gone() {
    let store = Store::default();
    let commit = |stylesheet: bool| {
        let set = small(&store)
            .default_stylesheet(stylesheet)
            .grace(Duration::ZERO)
            .open()
            .unwrap();
        set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
        assert_eq!(store.text("sitemap.xml").contains("sitemap.css"), stylesheet);
        let log = std::mem::take(&mut store.0.lock().unwrap().log);
        let puts = log.into_iter().filter(|(name, _)| name == "sitemap.css");
        puts.map(|(_, kind)| kind).collect::<Vec<_>>()
    };
    let put = ["text/css; charset=utf-8"];
    assert_eq!(commit(true), put);
    assert_eq!(commit(true), [""; 0]);
    let changed = b"body {}".to_vec();
    store.0.lock().unwrap().objects.get_mut("sitemap.css").unwrap().0 = changed;
    assert_eq!(commit(true), put);
    store.delete("sitemap.css").unwrap();
    assert_eq!(commit(true), put);
    assert_eq!(store.text("sitemap.css"), sitemap_site::STYLESHEET);

    // A disabled task is no part of the set, and stays.
    for _ in 0..3 {
        assert_eq!(commit(false), [""; 0]);
        assert_eq!(store.text("sitemap.css"), sitemap_site::STYLESHEET);
    }
}

/// A store that fails once and then works again: the writer has lost a part, and makes no list without it.
#[test]
fn a_part_that_was_not_put_is_not_forgotten() {
    for fails_after in 1..=3 {
        let store = Store::default();
        let set = small(&store).open().unwrap();
        let mut writer = set.task_writer("p", "all").unwrap();
        store.dies_after(Some(fails_after - 1));
        let mut errors = Vec::new();
        for id in 1..=45 {
            let key = sitemap_site::Key::from(id);
            if let Err(error) = writer.write(key, &crate::sets::pages::page(id)) {
                errors.push(error.to_string());
                store.dies_after(None);
            }
        }
        errors.extend(writer.finish().err().map(|error| error.to_string()));
        assert!(
            errors[0].contains("no route to the store"),
            "{fails_after}: {errors:?}"
        );
        let later = "an earlier part of task `all` of section `p` could not be written: run the task again";
        assert!(
            errors.len() > 2 && errors[1..].iter().all(|error| error == later),
            "{fails_after}: {errors:?}"
        );
    }
}

#[test]
fn every_prefix_of_a_commit_leaves_a_complete_set() {
    for has_before in [false, true] {
        let mut operation = 0;
        loop {
            let store = Store::default();
            if has_before {
                publish(&store, 1..=25).unwrap();
            }
            let before = store.published();
            store.dies_after(Some(operation));
            let result = publish(&store, 3..=31);
            let is_done = store.0.lock().unwrap().operations <= operation;
            store.dies_after(None);
            let found = store.published();
            let after: Vec<i64> = (3..=31).collect();
            assert!(found == before || found == after, "{operation}: {found:?}");
            assert!(result.is_err() || found == after, "{operation}");

            // Later commits remove the leftovers, once no program can need them.
            store.wait(Duration::from_secs(48 * 3600));
            for last in [33, 33, 33] {
                let set = small(&store).grace(Duration::ZERO).open().unwrap();
                set.commit(&[write(&set, "p", "all", 3..=last)]).unwrap();
                drop(set);
            }
            let index = store.text("sitemap.xml");
            let unlisted: Vec<_> = store
                .parts()
                .into_iter()
                .filter(|name| !index.contains(name.as_str()))
                .collect();
            assert_eq!(unlisted, Vec::<String>::new(), "{operation}");
            store.wait(Duration::from_secs(48 * 3600));
            publish(&store, 3..=33).unwrap();
            let private: Vec<_> = store
                .names()
                .into_iter()
                .filter(|name| name.starts_with(".sitemap/"))
                .collect();
            assert_eq!(private.len(), 1, "{operation}: {private:?}");
            if is_done {
                break;
            }
            operation += 1;
        }
        assert!(operation > 5, "{operation}");
    }
}

#[test]
fn parts_of_a_living_writer_are_not_collected() {
    let store = Store::default();
    publish(&store, 1..=25).unwrap();
    let set = small(&store).open().unwrap();
    let list = write(&set, "q", "all", 1..=25);
    // All objects are as old as possible, except for the writer's own heartbeat.
    let beats: Vec<_> = store
        .names()
        .into_iter()
        .filter(|name| name.starts_with(".sitemap/sessions/"))
        .collect();
    assert_eq!(beats.len(), 1);
    store.wait(Duration::from_secs(48 * 3600));
    let start = SystemTime::now() - Duration::from_secs(49 * 3600);
    let seconds = start.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    store.delete(&beats[0]).unwrap();
    store
        .put(
            &format!(".sitemap/sessions/{seconds}-0-1-0"),
            Vec::new(),
            &options(),
        )
        .unwrap();
    for last in [26, 27, 28] {
        publish(&store, 1..=last).unwrap();
    }
    set.update(&[list]).unwrap();
    assert_eq!(store.published().len(), 28 + 25);
    // No heartbeat: it is removed, and the commit reports it.
    let list = write(&set, "q", "all", 1..=35);
    store.wait(Duration::from_secs(48 * 3600));
    for last in [29, 30, 31] {
        publish(&store, 1..=last).unwrap();
    }
    let error = set.update(&[list]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(
        error
            .to_string()
            .contains(" of task `all` is not in the storage: "),
        "{error}"
    );
}

/// Options as only the crate makes them.
fn options() -> PutOptions {
    #[derive(Debug, Default)]
    struct Catch(Arc<Mutex<Option<PutOptions>>>);
    impl Storage for Catch {
        fn put(&self, _: &str, _: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
            *self.0.lock().unwrap() = Some(options.clone());
            Err(io::ErrorKind::Unsupported.into())
        }
        fn get(&self, _: &str) -> io::Result<Option<Object>> {
            Ok(None)
        }
        fn list(&self, _: &str) -> io::Result<Vec<ListedObject>> {
            Ok(Vec::new())
        }
        fn delete(&self, _: &str) -> io::Result<()> {
            Ok(())
        }
    }
    let caught = Arc::default();
    let set = SitemapSet::storage(Catch(Arc::clone(&caught)), BASE)
        .open()
        .unwrap();
    assert_eq!(set.task_writer("p", "all").unwrap_err().kind(), ErrorKind::Io);
    let options = caught.lock().unwrap().clone();
    options.unwrap()
}

#[test]
fn a_set_that_changes_at_every_read_is_given_up() {
    let store = Store::default();
    publish(&store, 1..=25).unwrap();
    store.0.lock().unwrap().is_restless = true;
    let error = small(&store).open().unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Conflict,
            "the set changed ten times while it was read: other programs are committing to it all the time"
        )
    );
}

/// The set is still published.
#[test]
fn objects_that_cannot_be_removed_are_named() {
    let store = Store::default();
    publish(&store, 1..=25).unwrap();
    store.wait(Duration::from_secs(40 * 24 * 3600));
    let mut names = store.names().into_iter();
    let manifest = names.find(|name| name.starts_with(".sitemap/manifest-")).unwrap();
    for (refused, problem) in [
        (
            "list .sitemap/manifest-",
            "cannot list .sitemap/manifest- of the storage: not allowed".to_owned(),
        ),
        (
            "delete ",
            format!("cannot delete {manifest} of the storage: not allowed"),
        ),
    ] {
        store.0.lock().unwrap().refused = Some(refused);
        assert_eq!(publish(&store, 1..=26).unwrap().cleanup_problems, [problem]);
    }
}

/// Lists that were changed in transit, lists of a directory, and replaced objects: with one part, whose text becomes `sitemap.xml`, and
/// with several.
#[test]
fn parts_are_what_their_task_wrote() {
    let folder = crate::sets::pages::folder();
    let of_directory = crate::sets::pages::small(folder.path()).open().unwrap();
    for ids in [1..=5, 1..=25] {
        let store = Store::default();
        let set = small(&store).open().unwrap();
        let list = write(&set, "p", "all", ids.clone());
        let foreign = write(&of_directory, "p", "all", ids.clone());
        let name = serde_json::to_value(&foreign).unwrap()["parts"][0]["staged"].take();
        let error = set.commit(&[foreign]).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Conflict,
                format!(
                    "the list of task `all` names `{}`, which is not a part of a set in a storage: was it written for another set?",
                    name.as_str().unwrap()
                )
            )
        );

        let part = store.parts().remove(0);
        let gzip = |content: &[u8]| {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            io::Write::write_all(&mut writer, content).unwrap();
            writer.finish().unwrap()
        };
        let missing = format!(
            "{part} of task `all` is not in the storage: lists must be committed within a day; run the task again; nothing was changed"
        );
        let broken = [
            (
                gzip(b"<urlset/>"),
                format!("{part} of the storage is not what was written: run task `all` again"),
            ),
            (
                gzip(&vec![b' '; 52_428_801]),
                format!(
                    "cannot read {part} of the storage: {part} has more than 52,428,800 bytes, uncompressed"
                ),
            ),
            (
                b"no gzip".to_vec(),
                format!("cannot read {part} of the storage: unexpected end of file"),
            ),
        ];
        for (content, of_one_part) in broken {
            store.0.lock().unwrap().objects.get_mut(&part).unwrap().0 = content;
            let error = set.commit(std::slice::from_ref(&list)).unwrap_err();
            let expected = if *ids.end() > 10 { &missing } else { &of_one_part };
            assert_eq!(&error.to_string(), expected);
        }
    }
}

/// The requirements for a storage, tested directly, without a set.
#[test]
fn a_storage_is_tested_by_itself() {
    let store = Store::default();
    let put = |content: &str, condition| {
        let options = PutOptions::new(condition);
        store.put("a/1", content.as_bytes().to_vec(), &options).unwrap()
    };
    let first = put("1", Condition::Absent).unwrap();
    assert_eq!(put("2", Condition::Absent), None);
    let second = put("2", Condition::Unchanged(first.clone())).unwrap();
    assert_eq!(put("3", Condition::Unchanged(first)), None);
    assert_eq!(store.get("a/1").unwrap(), Some(Object::new("2", second)));
    assert!(put("4", Condition::Always).is_some());
    let listed = store.list("a/").unwrap();
    let [object] = &listed[..] else {
        panic!("{listed:?}")
    };
    assert_eq!((&*object.name, object.size), ("a/1", 1));
    store.delete("a/1").unwrap();
    store.delete("a/1").unwrap();
    assert_eq!(store.get("a/1").unwrap(), None);
}

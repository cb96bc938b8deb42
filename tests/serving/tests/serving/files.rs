//! Serving a set of files from an object store. The store may fail, return wrong data, or not answer.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{crawl, get, inflate, raw, urls};
use sitemap_site::storage::{Condition, ListedObject, Object, PutOptions, Storage, Version};
use sitemap_site::{ServeSet, SitemapSet};

use crate::server::Server;

const BASE: &str = "https://example.com";

/// An object store in memory.
#[derive(Clone, Debug, Default)]
struct Store(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, (Vec<u8>, u64)>,
    puts: u64,
    /// The names of read objects, in order.
    got: Vec<String>,
    fails: bool,
    hangs: bool,
    /// Calls that never return.
    hanging: usize,
}

impl Store {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap()
    }

    fn fails(&self, fails: bool) {
        self.state().fails = fails;
    }

    fn hangs(&self, hangs: bool) {
        self.state().hangs = hangs;
        self.0.1.notify_all();
    }

    /// Replaces an object, with the same version.
    fn damage(&self, name: &str, damage: impl FnOnce(&mut Vec<u8>)) {
        damage(&mut self.state().objects.get_mut(name).unwrap().0);
    }

    fn take_got(&self) -> Vec<String> {
        std::mem::take(&mut self.state().got)
    }

    /// The name of the part with this number, from 1, as the index lists it.
    fn part(&self, number: usize) -> String {
        let state = self.state();
        let top = String::from_utf8(state.objects["sitemap.xml"].0.clone()).unwrap();
        let locs = top.split("<loc>https://example.com/").skip(number);
        locs.map(|rest| rest.split('<').next().unwrap().to_owned())
            .next()
            .unwrap()
    }
}

impl Storage for Store {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> io::Result<Option<Version>> {
        let mut state = self.state();
        let version = state.objects.get(name).map(|(_, version)| version.to_string());
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
        state.objects.insert(name.to_owned(), (content, put));
        Ok(Some(Version::new(put.to_string())))
    }

    fn get(&self, name: &str) -> io::Result<Option<Object>> {
        let mut state = self.state();
        state.got.push(name.to_owned());
        if state.fails {
            return Err(io::Error::other("no route to the store"));
        }
        state.hanging += 1;
        let mut state = self.0.1.wait_while(state, |state| state.hangs).unwrap();
        state.hanging -= 1;
        Ok(state
            .objects
            .get(name)
            .map(|(content, version)| Object::new(content.clone(), Version::new(version.to_string()))))
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        let state = self.state();
        let found = state.objects.iter().filter(|(name, _)| name.starts_with(prefix));
        let listed = found.map(|(name, (content, _))| {
            ListedObject::new(name.clone(), content.len() as u64, SystemTime::now())
        });
        Ok(listed.collect())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.state().objects.remove(name);
        Ok(())
    }
}

fn open(store: &Store) -> SitemapSet {
    SitemapSet::storage(store.clone(), BASE)
        .max_entries(10)
        .gzip(None)
        .allow_shrinking(true)
        .open()
        .unwrap()
}

fn publish(set: &SitemapSet, ids: std::ops::RangeInclusive<i64>) {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in ids {
        let entry = UrlEntry::new(format!("/p/{id}"));
        writer.write(id, &entry).unwrap();
    }
    set.commit(&[writer.finish().unwrap()]).unwrap();
}

fn locs(ids: std::ops::RangeInclusive<i64>) -> Vec<String> {
    ids.map(|id| format!("{BASE}/p/{id}")).collect()
}

fn serve(service: &ServeSet) -> Server {
    Server::of(
        Router::new()
            .route_service("/sitemap.xml", service.clone())
            .route_service("/sitemap-{part}", service.clone()),
    )
}

/// A set of 25 pages in three parts, and its service.
fn served(setup: impl FnOnce(ServeSet) -> ServeSet) -> (Store, ServeSet, Server) {
    let store = Store::default();
    publish(&open(&store), 1..=25);
    let service = setup(ServeSet::new(open(&store)).check_every(Duration::ZERO));
    let server = serve(&service);
    store.take_got();
    (store, service, server)
}

#[test]
fn a_set_in_an_object_store() {
    let (store, service, server) = served(|service| service);
    let crawled = crawl(BASE, &[server.address]);
    assert_eq!(
        (crawled.parts.len(), crawled.locs()),
        (3, locs(1..=25)),
        "{crawled:?}"
    );
    let part = format!("/{}", store.part(2));
    let plain = get(server.address, &part, &[]);
    let packed = get(server.address, &part, &["Accept-Encoding: gzip"]);
    assert_eq!(inflate(&packed.body), plain.text());
    let head = raw(
        server.address,
        &format!("HEAD {part} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    assert_eq!(head.head(), plain.head());
    for path in ["/sitemap.xml", &part] {
        let got = get(server.address, path, &[]);
        for condition in [
            format!("If-None-Match: {}", got.header("etag").unwrap()),
            format!("If-Modified-Since: {}", got.header("last-modified").unwrap()),
        ] {
            assert_eq!(get(server.address, path, &[&condition]).status, 304, "{path}");
        }
    }
    for path in [
        "/sitemap-p-1.xml",
        "/sitemap-.sitemap/manifest.json",
        "/sitemap-x",
    ] {
        assert_eq!(get(server.address, path, &[]).status, 404, "{path}");
    }

    // A cached file costs one check of the top file, and reads neither the manifest nor the part.
    store.take_got();
    assert_eq!(get(server.address, &part, &[]).status, 200);
    assert_eq!(store.take_got(), ["sitemap.xml"]);

    // Another program commits.
    let first = format!("/{}", store.part(1));
    publish(&open(&store), 5..=40);
    assert_eq!(crawl(BASE, &[server.address]).locs(), locs(5..=40));
    assert_eq!(
        urls(get(server.address, &first, &[]).text()).len(),
        10,
        "crawlers hold the old index"
    );
    let stats = service.stats();
    assert_eq!((stats.failures, stats.not_modified), (0, 4));
    assert!(stats.cached_bytes > 0 && stats.memory_bytes > 0);
}

#[test]
fn what_was_published_is_served_while_the_store_fails() {
    let (store, service, server) = served(|service| service);
    let path = |number| format!("/{}", store.part(number));
    let (kept, other, unread) = (path(1), path(2), path(3));
    let status = |path: &str| get(server.address, path, &[]).status;
    assert_eq!((status("/sitemap.xml"), status(&kept)), (200, 200));
    store.fails(true);
    assert_eq!((status("/sitemap.xml"), status(&kept)), (200, 200));
    let response = get(server.address, &other, &[]);
    assert_eq!(
        (response.status, response.header("retry-after")),
        (503, Some("5"))
    );
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert!(service.stats().failures >= 3);
    // A program that has just started knows no version.
    store.fails(false);
    let set = open(&store);
    store.fails(true);
    let started = serve(&ServeSet::new(set));
    let response = get(started.address, "/sitemap.xml", &[]);
    assert_eq!(
        (response.status, response.header("retry-after")),
        (503, Some("5"))
    );
    store.fails(false);
    assert_eq!(
        (status(&other), get(started.address, &kept, &[]).status),
        (200, 200)
    );
    // The store is empty for a while.
    let whole = std::mem::take(&mut store.state().objects);
    assert_eq!(status("/sitemap.xml"), 200);
    assert_eq!((status(&kept), status(&unread)), (200, 503));
    store.state().objects = whole;
    assert_eq!((status("/sitemap.xml"), status(&unread)), (200, 200));
}

/// No request waits forever, and a store that never answers does not occupy a thread for each request.
#[test]
fn a_store_that_does_not_answer() {
    let limit = Duration::from_millis(200);
    let (store, _, server) = served(|service| service.time_limit(limit));
    let paths: Vec<_> = (1..=3).map(|number| format!("/{}", store.part(number))).collect();
    assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 200);
    assert_eq!(get(server.address, &paths[0], &[]).status, 200);
    store.hangs(true);
    let started = Instant::now();
    for _ in 0..5 {
        assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 200);
        assert_eq!(get(server.address, &paths[0], &[]).status, 200);
        for path in &paths[1..] {
            let response = get(server.address, path, &[]);
            assert_eq!(
                (response.status, response.header("retry-after")),
                (503, Some("60"))
            );
        }
    }
    // Ten cancelled reads and one check. The others need not wait.
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(
        store.state().hanging,
        4 + 1,
        "four reads and a look, however many asked"
    );
    store.hangs(false);
    let started = Instant::now();
    while paths
        .iter()
        .any(|path| get(server.address, path, &[]).status != 200)
    {
        assert!(started.elapsed() < Duration::from_secs(10));
    }
    publish(&open(&store), 1..=30);
    let started = Instant::now();
    while crawl(BASE, &[server.address]).locs() != locs(1..=30) {
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_store_that_lies() {
    let (store, service, server) = served(|service| service.memory_bytes(0));
    let whole = store.state().objects.clone();
    let part = store.part(2);
    let path = format!("/{part}");
    let status = |path: &str| get(server.address, path, &[]).status;
    assert_eq!((status("/sitemap.xml"), status(&path)), (200, 200));
    let restore = || store.state().objects.clone_from(&whole);
    let damages: [fn(&mut Vec<u8>); 4] = [
        Vec::clear,
        |content| content.truncate(content.len() / 2),
        |content| content[60] ^= 1,
        |content| content.extend_from_slice(b"\n"),
    ];
    for (at, damage) in damages.into_iter().enumerate() {
        store.damage(&part, damage);
        assert_eq!(status(&path), 503, "damage {at}");
        restore();
        assert_eq!(status(&path), 200, "damage {at}");

        // The top file with its former version: content that differs from the manifest is not sent.
        store.damage("sitemap.xml", damage);
        assert_eq!(status("/sitemap.xml"), 503, "damage {at}");
        assert_eq!(status(&path), 200, "damage {at}");
        // With another version: it has no manifest, but is not an empty set.
        store.state().objects.get_mut("sitemap.xml").unwrap().1 += 1_000;
        assert_eq!(status("/sitemap.xml"), 503, "damage {at}");
        assert_eq!(status(&path), 200, "damage {at}");
        restore();
        assert_eq!(status("/sitemap.xml"), 200, "damage {at}");
    }
    // A missing part.
    store.state().objects.remove(&part);
    assert_eq!(status(&path), 503);
    restore();
    // The manifest is missing or invalid.
    let manifest = whole.keys().find(|name| name.starts_with(".sitemap/manifest-"));
    let manifest = manifest.unwrap();
    for damage in [Vec::clear, |content: &mut Vec<u8>| content[0] = b'['] {
        store.damage(manifest, damage);
        store.state().objects.get_mut("sitemap.xml").unwrap().1 += 1;
        assert_eq!(
            (status("/sitemap.xml"), status(&path)),
            (200, 200),
            "as it was before"
        );
        let fresh = serve(&ServeSet::new(service_set(&store, &whole)));
        store.damage(manifest, damage);
        assert_eq!(get(fresh.address, "/sitemap.xml", &[]).status, 500);
        restore();
    }
    assert_eq!(service.stats().cached_bytes, 0);
}

/// A set that was opened before the failures.
fn service_set(store: &Store, whole: &BTreeMap<String, (Vec<u8>, u64)>) -> SitemapSet {
    store.state().objects.clone_from(whole);
    open(store)
}

/// A part that is no longer listed and past its grace period is 404. This is not a failure of the store.
#[test]
fn a_dropped_part_goes() {
    let (store, _, server) = served(|service| service.memory_bytes(0));
    let dropped = store.part(3);
    publish(&open(&store), 1..=20);
    let path = format!("/{dropped}");
    assert_eq!(get(server.address, &path, &[]).status, 200);
    store.state().objects.remove(&dropped);
    assert_eq!(get(server.address, &path, &[]).status, 404);
}

#[test]
fn memory_is_what_the_budgets_say() {
    let (store, service, server) = served(|service| service.memory_bytes(0));
    for number in 1..=3 {
        let path = format!("/{}", store.part(number));
        let expected = String::from_utf8(store.state().objects[&store_name(&path)].0.clone()).unwrap();
        assert_eq!(get(server.address, &path, &[]).text(), expected);
        let packed = get(server.address, &path, &["Accept-Encoding: gzip"]);
        assert_eq!(inflate(&packed.body), expected);
    }
    let stats = service.stats();
    assert_eq!(
        (
            stats.renderings,
            stats.spilled,
            stats.cached_bytes,
            stats.memory_bytes
        ),
        (6, 6, 0, 0)
    );

    // Memory for only one file out of three.
    let (store, service, server) = served(|service| service.memory_bytes(2_000));
    for number in [1, 2, 3, 3, 3] {
        let path = format!("/{}", store.part(number));
        assert_eq!(get(server.address, &path, &[]).status, 200);
        assert!(service.stats().memory_bytes <= 2_000);
    }
    let stats = service.stats();
    assert!((1..=1_000).contains(&stats.cached_bytes), "{stats:?}");
    assert_eq!((stats.renderings, stats.spilled), (3, 0), "the last one is kept");
}

fn store_name(path: &str) -> String {
    path.trim_start_matches('/').to_owned()
}

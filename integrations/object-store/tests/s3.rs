//! A set in an S3 bucket, over HTTP: the server is moto (PyPI), which `SITEMAP_READERS/python` has.

use std::env;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use object_store::aws::AmazonS3Builder;
use sitemap_object_store::ObjectStorage;
use sitemap_serde::{SitemapIndex, UrlEntry};
use sitemap_site::storage::{Condition, ListedObject, Object, PutOptions, Storage, Version};
use sitemap_site::{ErrorKind, PartList, SetBuilder, SitemapSet};

const BASE: &str = "https://example.com";

/// A server that ends with its program: it reads from an input that never has data, and ends with
/// it.
struct Server {
    port: u16,
    _process: Mutex<Child>,
}

const PROGRAM: &str = "
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from moto.server import main
main(['-H', '127.0.0.1', '-p', sys.argv[1]])
";

/// The server, started by whichever test is first; `None` where moto is not installed.
fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref()
}

fn start() -> Option<Server> {
    // The client needs one, although it uses plain HTTP here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let python = env::var_os("SITEMAP_READERS")
        .map(|readers| PathBuf::from(readers).join("python/bin/python"))
        .filter(|python| {
            let mut import = Command::new(python);
            import.args(["-c", "import moto.server"]).stderr(Stdio::null());
            import.status().is_ok_and(|status| status.success())
        });
    let Some(python) = python else {
        assert!(
            env::var_os("SITEMAP_REQUIRE_ALL").is_none(),
            "moto is not installed in SITEMAP_READERS/python"
        );
        eprintln!("skipped: SITEMAP_READERS/python has no moto, the S3 server of this test");
        return None;
    };
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut process = Command::new(python);
    process.args(["-c", PROGRAM, &port.to_string()]);
    process
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let process = process.spawn().unwrap();
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "moto has not begun to listen"
        );
        sleep(Duration::from_millis(50));
    }
    Some(Server {
        port,
        _process: Mutex::new(process),
    })
}

impl Server {
    /// A response as it comes over the wire, headers and all.
    fn ask(&self, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // The signature is not checked, but must be present.
        let authorization = "AWS4-HMAC-SHA256 Credential=id/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        )
        .unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        String::from_utf8_lossy(&response).into_owned()
    }

    /// A new bucket, which only one test knows.
    fn bucket(&self, name: &str) -> Arc<ObjectStorage> {
        let created = self.ask("PUT", &format!("/{name}"));
        assert!(created.starts_with("HTTP/1.1 200 "), "{created}");
        let store = AmazonS3Builder::new()
            .with_endpoint(format!("http://127.0.0.1:{}", self.port))
            .with_allow_http(true)
            .with_region("us-east-1")
            .with_bucket_name(name)
            .with_access_key_id("id")
            .with_secret_access_key("secret")
            .build()
            .unwrap();
        Arc::new(ObjectStorage::new(Arc::new(store), "public").unwrap())
    }
}

fn small(storage: impl Storage + 'static) -> SetBuilder {
    SitemapSet::storage(storage, BASE).max_entries(10).gzip(6).clone()
}

fn write(set: &SitemapSet, task: &str, ids: std::ops::RangeInclusive<i64>) -> PartList {
    let mut writer = set.task_writer("p", task).unwrap();
    for id in ids {
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
    }
    writer.finish().unwrap()
}

fn ids(set: &SitemapSet) -> Vec<i64> {
    let entries = set.entries().unwrap().map(Result::unwrap);
    entries
        .map(|entry| entry.loc.rsplit_once('/').unwrap().1.parse().unwrap())
        .collect()
}

fn names(storage: &ObjectStorage, prefix: &str) -> Vec<String> {
    let listed = storage.list(prefix).unwrap();
    listed.into_iter().map(|object| object.name).collect()
}

/// Delegates all calls, and runs a function before the index is put.
struct BeforeIndex<F>(Arc<ObjectStorage>, Mutex<Option<F>>);

impl<F> std::fmt::Debug for BeforeIndex<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BeforeIndex").finish_non_exhaustive()
    }
}

impl<F: FnOnce(&PutOptions) + Send> Storage for BeforeIndex<F> {
    fn put(&self, name: &str, content: Vec<u8>, options: &PutOptions) -> std::io::Result<Option<Version>> {
        if name == "sitemap.xml" {
            let before = self.1.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(before) = before {
                before(options);
            }
        }
        self.0.put(name, content, options)
    }
    fn get(&self, name: &str) -> std::io::Result<Option<Object>> {
        self.0.get(name)
    }
    fn list(&self, prefix: &str) -> std::io::Result<Vec<ListedObject>> {
        self.0.list(prefix)
    }
    fn delete(&self, name: &str) -> std::io::Result<()> {
        self.0.delete(name)
    }
}

/// The example, with a bucket of its own; its second run changes nothing.
#[test]
fn a_site_is_exported() {
    let Some(server) = server() else { return };
    let storage = server.bucket("export");
    let test = env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    let run = || {
        let output = Command::new(
            folder
                .join("examples")
                .join(format!("s3_export{}", env::consts::EXE_SUFFIX)),
        )
        .arg("export")
        .env("AWS_ENDPOINT", format!("http://127.0.0.1:{}", server.port))
        .envs([
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
        ])
        .output()
        .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((said, output.status.code()), (String::new(), Some(0)));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = run();
    // The names have the hashes of the files.
    let names: Vec<_> = first
        .split(", ")
        .map(|name| name.rsplit_once('-').map_or(name, |(start, _)| start))
        .collect();
    assert_eq!(
        names,
        [
            "60002 URLs: sitemap-pages",
            "sitemap-products",
            "sitemap-products",
            "sitemap.xml\n"
        ]
    );
    assert_eq!(run(), "60002 URLs: \n");
    let set = small(Arc::clone(&storage)).open().unwrap();
    assert_eq!(set.entries().unwrap().map(Result::unwrap).count(), 60_002);
    let index = server.ask("GET", "/export/public/sitemap.xml");
    assert!(index.contains("<loc>https://example.com/sitemap-"), "{index}");
}

#[test]
fn a_set_is_published_and_its_leavings_are_collected() {
    let Some(server) = server() else { return };
    let storage = server.bucket("published");
    let set = small(Arc::clone(&storage))
        .grace(Duration::ZERO)
        .default_stylesheet(true)
        .open()
        .unwrap();
    let summary = set.commit(&[write(&set, "all", 1..=25)]).unwrap();
    assert_eq!((summary.files, summary.written), (4, 4));
    assert_eq!(ids(&set), (1..=25).collect::<Vec<_>>());
    let again = small(Arc::clone(&storage))
        .grace(Duration::ZERO)
        .default_stylesheet(true)
        .open()
        .unwrap();
    let summary = again.commit(&[write(&again, "all", 1..=26)]).unwrap();
    assert_eq!((summary.written, summary.kept, summary.removed), (2, 2, 1));

    // The headers that a crawler receives for each.
    for (name, content_type, cache) in [
        (
            "sitemap.xml",
            "application/xml; charset=utf-8",
            "public, max-age=600",
        ),
        ("sitemap.css", "text/css; charset=utf-8", "public, max-age=600"),
        (
            &names(&storage, "sitemap-")[0],
            "application/gzip",
            "public, max-age=31536000, immutable",
        ),
    ] {
        let head = server
            .ask("HEAD", &format!("/published/public/{name}"))
            .to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        let has = |header: &str, value: &str| head.contains(&format!("\r\n{header}: {value}\r\n"));
        assert!(
            has("content-type", content_type) && has("cache-control", cache),
            "{name}: {head}"
        );
    }

    // Dropped, condemned, deleted.
    assert_eq!(names(&storage, "sitemap-").len(), 4);
    drop((set, again));
    for last in [27, 28, 29] {
        let set = small(Arc::clone(&storage)).grace(Duration::ZERO).open().unwrap();
        set.commit(&[write(&set, "all", 1..=last)]).unwrap();
    }
    let set = small(Arc::clone(&storage)).open().unwrap();
    assert_eq!(ids(&set), (1..=29).collect::<Vec<_>>());
    let index = storage.get("sitemap.xml").unwrap().unwrap();
    let index: SitemapIndex = sitemap_serde::from_slice(&index.content).unwrap();
    let unlisted: Vec<_> = names(&storage, "sitemap-")
        .into_iter()
        .filter(|name| !index.iter().any(|entry| entry.loc.ends_with(name.as_str())))
        .collect();
    // The last commit dropped it; the next one deletes it.
    assert_eq!((index.len(), unlisted.len()), (3, 1), "{unlisted:?}");
}

#[test]
fn of_two_writers_one_is_told() {
    let Some(server) = server() else { return };
    let storage = server.bucket("writers");
    let first = small(Arc::clone(&storage)).open().unwrap();
    first.commit(&[write(&first, "all", 1..=25)]).unwrap();
    for begun_empty in [false, true] {
        let storage = if begun_empty {
            server.bucket("writers-of-nothing")
        } else {
            Arc::clone(&storage)
        };
        let other = small(Arc::clone(&storage)).open().unwrap();
        let commit_first = move |options: &PutOptions| {
            assert_eq!(options.condition == Condition::Absent, begun_empty);
            other.commit(&[write(&other, "all", 1..=40)]).unwrap();
        };
        let late = BeforeIndex(Arc::clone(&storage), Mutex::new(Some(commit_first)));
        let late = small(late).open().unwrap();
        let error = late.commit(&[write(&late, "all", 1..=30)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
        assert_eq!(
            error.to_string(),
            "another program has committed to the set since this commit began: commit the lists again, if they are still newer; nothing was changed"
        );
        assert_eq!(ids(&late), (1..=40).collect::<Vec<_>>());
        late.commit(&[write(&late, "all", 1..=30)]).unwrap();
        assert_eq!(ids(&late), (1..=30).collect::<Vec<_>>());
    }
}

#[test]
fn four_at_once_leave_one_whole_set() {
    let Some(server) = server() else { return };
    let storage = server.bucket("at-once");
    let set = small(Arc::clone(&storage)).open().unwrap();
    set.commit(&[write(&set, "all", 1..=30)]).unwrap();
    let results: Vec<_> = std::thread::scope(|scope| {
        let commit = |last: i64| {
            let storage = Arc::clone(&storage);
            scope.spawn(move || {
                let set = small(storage).open().unwrap();
                let list = write(&set, "all", 1..=last);
                (last, set.commit(&[list]).map_err(|error| error.kind()))
            })
        };
        let threads: Vec<_> = (41..=44).map(commit).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let published = i64::try_from(ids(&set).len()).unwrap();
    assert_eq!(ids(&set), (1..=published).collect::<Vec<_>>());
    for (last, result) in results {
        assert!(
            result.is_ok() || result == Err(ErrorKind::Conflict) && last != published,
            "{last}: {result:?}"
        );
    }
    assert!((41..=44).contains(&published));
}

/// Only sets make options: these imitate a commit.
fn options(condition: &Condition) -> PutOptions {
    #[derive(Debug)]
    struct Catch(Mutex<Option<PutOptions>>);
    impl Storage for Catch {
        fn put(&self, _: &str, _: Vec<u8>, options: &PutOptions) -> std::io::Result<Option<Version>> {
            self.0.lock().unwrap().get_or_insert(options.clone());
            Ok(Some(Version::new(String::new())))
        }
        fn get(&self, _: &str) -> std::io::Result<Option<Object>> {
            Ok(None)
        }
        fn list(&self, _: &str) -> std::io::Result<Vec<ListedObject>> {
            Ok(Vec::new())
        }
        fn delete(&self, _: &str) -> std::io::Result<()> {
            Ok(())
        }
    }
    let caught = Arc::new(Catch(Mutex::new(None)));
    drop(small(Arc::clone(&caught)).open().unwrap().task_writer("p", "all"));
    let mut options = caught.0.lock().unwrap().take().unwrap();
    options.condition = condition.clone();
    options
}

#[test]
fn conditions_lists_and_deletes() {
    let Some(server) = server() else { return };
    let storage = server.bucket("conditions");
    let put = |name: &str, content: &str, condition: &Condition| {
        storage.put(name, content.into(), &options(condition)).unwrap()
    };
    assert_eq!(storage.get("a").unwrap(), None);
    let first = put("a", "1", &Condition::Absent).expect("there was none");
    assert_eq!(put("a", "2", &Condition::Absent), None);
    assert_eq!(storage.get("a").unwrap().unwrap().content, b"1");
    let second = put("a", "3", &Condition::Unchanged(first.clone())).expect("it is unchanged");
    assert_ne!(first, second);
    assert_eq!(put("a", "4", &Condition::Unchanged(first.clone())), None);
    let found = storage.get("a").unwrap().unwrap();
    assert_eq!(
        (found.content.as_slice(), &found.version),
        (b"3".as_slice(), &second)
    );
    put("a", "5", &Condition::Always).expect("always");
    storage.delete("a").unwrap();
    storage.delete("a").unwrap();
    assert_eq!(put("a", "6", &Condition::Unchanged(second)), None);
    assert_eq!(storage.get("a").unwrap(), None);

    // S3 lists 1,000 objects at a time, and folders separately.
    for number in 0..1_003 {
        put(&format!("many-{number:04}"), "", &Condition::Always);
    }
    put("many", "12", &Condition::Always);
    put(".sitemap/sessions/many-1", "123", &Condition::Always);
    let mut listed = storage.list("many-").unwrap();
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(listed.len(), 1_003);
    assert!((0..).zip(&listed).all(|(number, object)| {
        object.name == format!("many-{number:04}") && object.size == 0 && object.modified.elapsed().is_ok()
    }));
    let session = storage.list(".sitemap/sessions/").unwrap();
    assert_eq!(
        session
            .iter()
            .map(|object| (object.name.as_str(), object.size))
            .collect::<Vec<_>>(),
        [(".sitemap/sessions/many-1", 3)]
    );
}

#[test]
fn what_the_server_refuses_is_told() {
    let Some(server) = server() else { return };
    let storage = server.bucket("refused");
    let set = small(Arc::clone(&storage)).open().unwrap();
    let list = write(&set, "all", 1..=25);
    for name in names(&storage, "sitemap-") {
        storage.delete(&name).unwrap();
    }
    let error = set.commit(&[list]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert_eq!(storage.get("sitemap.xml").unwrap(), None);
    drop(set);
    for name in names(&storage, ".sitemap/sessions/") {
        storage.delete(&name).unwrap();
    }
    let deleted = server.ask("DELETE", "/refused");
    assert!(deleted.starts_with("HTTP/1.1 204 "), "{deleted}");
    let error = small(storage)
        .open()
        .unwrap()
        .task_writer("p", "all")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("NoSuchBucket"), "{error}");
}

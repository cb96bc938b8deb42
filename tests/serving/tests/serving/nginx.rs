//! nginx as a caching proxy, which sends HTTP/1.0 requests.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serving_tests::{Response, Rows, get, inflate, urls};
use sitemap_site::SiteBuilder;

use crate::server::Server;

struct Nginx {
    process: Child,
    address: SocketAddr,
    _folder: tempfile::TempDir,
}

/// Debian installs it outside of a user's path.
fn program() -> Option<PathBuf> {
    let file = Path::new("/usr/sbin/nginx");
    if file.is_file() {
        return Some(file.to_owned());
    }
    sitemap_tests::program("nginx", "nginx")
}

impl Nginx {
    fn start(nginx: &Path, upstream: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().display();
        // The port is free unless another program takes it first.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        let user = if root { "user root;" } else { "" };
        let configuration = format!(
            "daemon off; {user} pid {place}/pid; error_log {place}/error.log; events {{}}
             http {{
                 access_log off;
                 client_body_temp_path {place}/body; proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi;
                 uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi;
                 proxy_cache_path {place}/cache keys_zone=sitemaps:1m;
                 server {{
                     listen {address};
                     location / {{
                         proxy_pass http://{upstream};
                         proxy_cache sitemaps;
                         proxy_cache_use_stale error timeout http_500 http_503;
                         add_header X-Cache $upstream_cache_status always;
                     }}
                 }}
             }}"
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration).unwrap();
        let process = Command::new(nginx)
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while TcpStream::connect(address).is_err() {
            let log = fs::read_to_string(folder.path().join("error.log"));
            assert!(started.elapsed() < Duration::from_secs(30), "{log:?}");
            thread::sleep(Duration::from_millis(20));
        }
        Nginx {
            process,
            address,
            _folder: folder,
        }
    }

    fn get(&self, path: &str, headers: &[&str]) -> (Response, String) {
        let response = get(self.address, path, headers);
        let cache = response.header("x-cache").unwrap_or_default().to_owned();
        (response, cache)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The master ends its workers if it is asked to stop, but not if it is killed.
        let asked = Command::new("kill")
            .arg("-TERM")
            .arg(self.process.id().to_string())
            .status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

const PART: &str = "/sitemap-pages.xml";

#[test]
fn no_half_part_is_ever_kept() {
    let Some(nginx) = program() else { return };
    let rows = Rows::new(500);
    let site = SiteBuilder::new("https://example.com")
        .section("pages", rows.clone())
        .batch_rows(100)
        .max_age(Duration::from_secs(1))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let nginx = Nginx::start(&nginx, server.address);

    // While rows in the middle fail, responses are failures, which are not cached.
    rows.fail_above(250);
    for _ in 0..3 {
        let (response, cache) = nginx.get(PART, &[]);
        assert_eq!((response.status, cache.as_str()), (500, "MISS"));
    }
    rows.fail_above(i64::MAX);
    // A failure lasts for a while.
    site.purge("pages").unwrap();
    let (first, cache) = nginx.get(PART, &[]);
    assert_eq!((first.status, cache.as_str()), (200, "MISS"));
    assert_eq!(urls(first.text()).len(), 500);
    let (kept, cache) = nginx.get(PART, &[]);
    assert_eq!((kept.status, cache.as_str()), (200, "HIT"));
    assert_eq!(kept.body, first.body);
    // A client that accepts gzip gets it from the same cache.
    let (packed, _) = nginx.get(PART, &["Accept-Encoding: gzip"]);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(inflate(&packed.body), first.text());

    // For any failure of the rows, a response is a complete older document or an error.
    let mut seen = std::collections::BTreeMap::new();
    for round in 0..30 {
        rows.fail_above(if round % 3 == 0 { i64::MAX } else { 150 });
        rows.change(1, |page| page.slug = format!("round-{round}"));
        let (response, cache) = nginx.get(PART, &[]);
        match response.status {
            200 => assert_eq!(urls(response.text()).len(), 500),
            status => assert_eq!(status, 500),
        }
        *seen.entry((response.status, cache)).or_insert(0) += 1;
        thread::sleep(Duration::from_millis(100));
    }
    assert!(
        seen.keys()
            .any(|(status, cache)| *status == 200 && cache == "HIT"),
        "{seen:?}"
    );
    assert!(
        seen.keys()
            .any(|(_, cache)| cache == "STALE" || cache == "UPDATING" || cache == "EXPIRED"),
        "{seen:?}"
    );
    assert!(
        !seen
            .keys()
            .any(|(status, cache)| *status != 200 && cache == "HIT"),
        "{seen:?}"
    );
}

/// nginx revalidates with its stored validators, and gets a 304.
#[test]
fn conditions_go_through() {
    let Some(nginx) = program() else { return };
    let site = SiteBuilder::new("https://example.com")
        .section("pages", Rows::new(10))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let nginx = Nginx::start(&nginx, server.address);
    let (response, _) = nginx.get(PART, &[]);
    let condition = format!("If-None-Match: {}", response.header("etag").unwrap());
    let (response, cache) = nginx.get(PART, &[&condition]);
    assert_eq!((response.status, cache.as_str()), (304, "HIT"));
}

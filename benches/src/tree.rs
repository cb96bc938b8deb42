//! A walk over a site on this machine, compared with reading the same bytes in memory, and with other crawlers.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sitemap_serde::iter::Field;
use sitemap_serde::{Alternate, Image, Reader, Record, UrlEntry, WriterBuilder};
use sitemap_tree::{Answer, Failure, Head, Request, Step, Walk, WalkBuilder};
use ureq::Agent;

const DOCUMENTS: usize = 100;

/// The entries of a document.
const ENTRIES: usize = 10_000;

const ROUNDS: usize = 5;

/// Maximum ratio of the walk's time to the time of decompressing and reading in memory.
const WANTED: f64 = 1.3;

/// Programs that print how many pages the sitemaps of the site in their last argument have.
const USP: &str = "import sys, logging
logging.disable()
from usp.tree import sitemap_tree_for_homepage
print(sum(1 for _ in sitemap_tree_for_homepage(sys.argv[1]).all_pages()))";
const ADVERTOOLS: &str = "import sys, logging
logging.disable()
import advertools
print(len(advertools.sitemap_to_df(sys.argv[1] + 'robots.txt').query('loc.notna()')))";
const SCRAPY: &str = "import sys
from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider
class Pages(SitemapSpider):
    name = 'pages'
    sitemap_urls = [sys.argv[1] + 'robots.txt']
    count = 0
    def sitemap_filter(self, entries):
        for entry in entries:
            if 'page' not in entry['loc']:
                yield entry
            else:
                Pages.count += 1
settings = {'LOG_ENABLED': False, 'DOWNLOAD_DELAY': 0, 'TELNETCONSOLE_ENABLED': False}
process = CrawlerProcess(settings)
process.crawl(Pages)
process.start()
print(Pages.count)";
const SITEMAPPER: &str = "import('sitemapper').then(async ({ default: Sitemapper }) => {
  const { sites } = await new Sitemapper({ timeout: 600000, concurrency: 10 }).fetch(process.argv[1] + 'index.xml');
  console.log(sites.length);
});";

/// The results of reading a tree, which depend on every field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    entries: usize,
    bytes: usize,
}

impl Found {
    fn add(&mut self, record: &Record) {
        self.entries += 1;
        self.bytes += bytes(record.fields());
    }
}

/// The bytes of fields' names and texts, including nested fields.
fn bytes<'r>(fields: impl Iterator<Item = Field<'r>>) -> usize {
    fields
        .map(|field| field.name().len() + field.text().len() + bytes(field.fields()))
        .sum()
}

/// Compares them on a site with this number of documents.
pub(crate) fn run(documents: Option<usize>) {
    let Some(nginx) = program("nginx") else {
        println!("skipped: nginx is not installed");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let documents = documents.unwrap_or(DOCUMENTS);
    let server = Server::start(&nginx, folder.path());
    let bodies = write_tree(folder.path(), &server.site, documents);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (mut memory, mut walks) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (time, found) = measured(|| walked(&server.site, threads));
        walks.push(time);
        let (time, expected) = in_memory(&bodies, threads);
        memory.push(time);
        assert_eq!((found, found.entries), (expected, documents * ENTRIES));
    }
    let entries = documents * ENTRIES;
    println!(
        "{documents} documents of {ENTRIES} urls with images and alternates, {threads} threads: seconds, and of processors"
    );
    print_times("zlib-rs and `read_record`, in memory", &memory);
    print_times("walk, ureq, `read_record`", &walks);
    let ratio = |of: fn(&(f64, f64)) -> f64| {
        let mut ratios: Vec<f64> = walks
            .iter()
            .zip(&memory)
            .map(|(walk, memory)| of(walk) / of(memory))
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    let (wall, processors) = (ratio(|time| time.0), ratio(|time| time.1));
    let verdict = if processors <= WANTED { "reached" } else { "MISSED" };
    println!(
        "  {wall:.2} times as long, {processors:.2} times of the processors; {WANTED} wanted: {verdict}"
    );
    println!(
        "  memory of a process that only walks: {}",
        memory_of_walk(&server.site)
    );
    others(&server.site, entries);
}

/// Walks a site in a separate process, since this one has the site in its memory. Returns the reported memory.
fn memory_of_walk(site: &str) -> String {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(["walk", site])
        .output()
        .expect("a process");
    assert!(output.status.success(), "the walk has failed");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Walks a site, and prints the memory of this process.
pub(crate) fn walk(site: &str) {
    let before = status("VmRSS");
    walked(site, thread::available_parallelism().map_or(1, usize::from));
    println!("{before} kB before, {} kB at most", status("VmHWM"));
}

/// Runs the command, and other crawlers, if there are any.
fn others(site: &str, entries: usize) {
    // The command is next to this program, if it was built.
    let command = std::env::current_exe().unwrap_or_default();
    let command = command.with_file_name(format!("sitemap{}", std::env::consts::EXE_SUFFIX));
    run_other(
        "`sitemap cat --site`",
        &command,
        &["cat", "--site", site],
        Path::new("."),
        entries,
    );
    let Some(readers) = std::env::var_os("SITEMAP_READERS").map(PathBuf::from) else {
        println!("  other crawlers: skipped, since SITEMAP_READERS is not set");
        return;
    };
    let python = readers.join("python/bin/python");
    let node = program("node").unwrap_or_default();
    for (name, program, arguments) in [
        ("ultimate-sitemap-parser", &python, ["-c", USP, site]),
        ("advertools", &python, ["-c", ADVERTOOLS, site]),
        ("Scrapy", &python, ["-c", SCRAPY, site]),
        ("sitemapper", &node, ["-e", SITEMAPPER, site]),
    ] {
        run_other(name, program, &arguments, &readers, entries);
    }
}

/// Runs a program in a folder, and prints its duration and its number of entries. The program prints a number, or a line for each
/// entry.
fn run_other(name: &str, program: &Path, arguments: &[&str], folder: &Path, entries: usize) {
    let began = Instant::now();
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let seconds = began.elapsed().as_secs_f64();
    let outcome = match output {
        Ok(output) if output.status.success() => {
            let printed = String::from_utf8_lossy(&output.stdout);
            let found = printed.trim().parse().unwrap_or_else(|_| printed.lines().count());
            let verdict = if found == entries { "" } else { ": DIFFERENT" };
            format!("{seconds:>8.2} s, {found} of {entries} entries{verdict}")
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            format!("FAILED: {}", said.lines().last().unwrap_or("without a message"))
        }
        Err(error) => format!("FAILED: {} does not start: {error}", program.display()),
    };
    println!("  {name:44} {outcome}");
}

fn print_times(name: &str, times: &[(f64, f64)]) {
    let best = |of: fn(&(f64, f64)) -> f64| times.iter().map(of).min_by(f64::total_cmp).unwrap_or_default();
    println!(
        "  {name:44} {:>8.2} {:>8.2}",
        best(|time| time.0),
        best(|time| time.1)
    );
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// A number of kB of `/proc/self/status`.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with(name))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kilobytes| kilobytes.parse().ok())
        .unwrap_or_default()
}

/// The processor seconds of this program, to a hundredth.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

fn measured<T>(work: impl FnOnce() -> T) -> ((f64, f64), T) {
    let (began, used) = (Instant::now(), processor_seconds());
    let result = work();
    (
        (began.elapsed().as_secs_f64(), processor_seconds() - used),
        result,
    )
}

/// nginx, which serves a folder until it is dropped.
struct Server {
    process: Child,
    site: String,
}

impl Server {
    fn start(nginx: &Path, folder: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        let errors = folder.join("nginx.log");
        let folder = folder.display();
        let configuration = format!(
            "daemon off; master_process off; pid {folder}/nginx.pid; error_log /dev/null;
             events {{ worker_connections 64; }}
             http {{
               access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
               uwsgi_temp_path {folder}; scgi_temp_path {folder};
               server {{ listen 127.0.0.1:{port}; root {folder}; }}
             }}"
        );
        let file = format!("{folder}/nginx.conf");
        fs::write(&file, configuration).expect("a file");
        let process = Command::new(nginx)
            .args(["-c", &file])
            .stderr(File::create(&errors).expect("a file"))
            .spawn()
            .expect("nginx");
        let mut server = Server {
            process,
            site: format!("http://127.0.0.1:{port}/"),
        };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = server.process.try_wait().expect("the state of nginx");
            assert!(
                ended.is_none(),
                "nginx ended: {}",
                fs::read_to_string(&errors).unwrap_or_default()
            );
            thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

/// Writes the files of a site, and returns its sitemaps, compressed.
fn write_tree(folder: &Path, site: &str, documents: usize) -> Vec<Vec<u8>> {
    fs::write(folder.join("robots.txt"), format!("Sitemap: {site}index.xml")).expect("a file");
    let mut index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    let bodies = (0..documents).map(|document| {
        let name = format!("{document}.xml.gz");
        index.extend(["<sitemap><loc>", site, &name, "</loc></sitemap>"]);
        let encoder = GzEncoder::new(Vec::new(), Compression::default());
        let mut writer = WriterBuilder::new().from_writer(encoder);
        for number in 0..ENTRIES {
            let page = format!(
                "https://shop.example/catalogue/category-{}/page-{document}-{number}",
                number % 97
            );
            let mut entry = UrlEntry::new(&page);
            entry.lastmod = format!("2026-{:02}-{:02}", number % 12 + 1, number % 28 + 1)
                .parse()
                .ok();
            entry.images = vec![Image::new(format!(
                "https://cdn.shop.example/images/{document}/{number}.jpg"
            ))];
            entry.alternates = ["de", "fr"]
                .iter()
                .map(|language| Alternate::new(*language, format!("{page}?lang={language}")))
                .collect();
            writer.write(&entry).expect("an entry");
        }
        let body = writer
            .finish()
            .and_then(|encoder| Ok(encoder.finish()?))
            .expect("a document");
        fs::write(folder.join(&name), &body).expect("a file");
        body
    });
    let bodies = bodies.collect();
    let mut file = File::create(folder.join("index.xml")).expect("a file");
    file.write_all((index + "</sitemapindex>").as_bytes())
        .expect("a file");
    bodies
}

/// Decompresses all documents in memory, then reads all. Returns both times and the results.
fn in_memory(bodies: &[Vec<u8>], threads: usize) -> ((f64, f64), Found) {
    let (inflating, texts) = measured(|| {
        each(bodies, threads, |body: &Vec<u8>| {
            let mut text = Vec::new();
            GzDecoder::new(&**body).read_to_end(&mut text).expect("gzip");
            text
        })
    });
    let (reading, found) = measured(|| {
        each(&texts, threads, |text: &Vec<u8>| {
            let (mut reader, mut record, mut found) =
                (Reader::from_slice(text), Record::new(), Found::default());
            while reader.read_record(&mut record).expect("an entry") {
                found.add(&record);
            }
            found
        })
    });
    let sum = |a: Found, b: &Found| Found {
        entries: a.entries + b.entries,
        bytes: a.bytes + b.bytes,
    };
    let time = (inflating.0 + reading.0, inflating.1 + reading.1);
    (time, found.iter().fold(Found::default(), sum))
}

/// Calls a function with each item, in several threads.
fn each<T: Sync, U: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(item);
                    done.lock().expect("no panic").push(result);
                }
            });
        }
    });
    done.into_inner().expect("no panic")
}

/// Walks a site, and reads its documents.
fn walked(site: &str, threads: usize) -> Found {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None);
    let agent = Agent::new_with_config(config.build());
    let walk = Mutex::new(WalkBuilder::new("Benchmark/1.0").walk_site(site).expect("a URL"));
    let (answered, found, began) = (Condvar::new(), Mutex::new(Found::default()), Instant::now());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(request) = next(&walk, &answered, began) {
                    load(&agent, &walk, &request, began, &found);
                    answered.notify_all();
                }
                answered.notify_all();
            });
        }
    });
    found.into_inner().expect("no panic")
}

fn next(walk: &Mutex<Walk>, answered: &Condvar, began: Instant) -> Option<Request> {
    let mut walk = walk.lock().expect("no panic");
    loop {
        match walk.step(began.elapsed()) {
            Step::Request(request) => return Some(request),
            Step::Done => return None,
            Step::Wait(time) => {
                let time = time.unwrap_or(Duration::from_secs(1));
                walk = answered.wait_timeout(walk, time).expect("no panic").0;
            }
        }
    }
}

fn load(agent: &Agent, walk: &Mutex<Walk>, request: &Request, began: Instant, all: &Mutex<Found>) {
    let mut get = agent.get(request.url());
    for (name, value) in request.headers() {
        get = get.header(name, value);
    }
    let response = match get.call() {
        Ok(response) => response,
        Err(error) => {
            let failure = Failure::connection(error);
            return walk
                .lock()
                .expect("no panic")
                .fail(request.id(), failure, began.elapsed());
        }
    };
    let mut head = Head::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head.header(name.as_str(), value.as_bytes());
    }
    let answer = walk
        .lock()
        .expect("no panic")
        .respond(request.id(), &head, began.elapsed());
    if let Answer::Read(ticket) = answer {
        let body = response.into_body().into_with_config().limit(u64::MAX).reader();
        let (mut document, mut record, mut found) = (ticket.read(body), Record::new(), Found::default());
        while document.read_record(&mut record).expect("an entry") {
            found.add(&record);
        }
        let outcome = document.outcome();
        assert!(outcome.is_whole(), "{}", outcome.fate());
        let mut all = all.lock().expect("no panic");
        all.entries += found.entries;
        all.bytes += found.bytes;
        drop(all);
        walk.lock().expect("no panic").finish(outcome, began.elapsed());
    }
}

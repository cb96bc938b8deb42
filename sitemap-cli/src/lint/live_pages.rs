//! Compares entries with some or all pages of a live site (`--check-pages`).

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use fastrand::Rng;
use sitemap_pages::PageResponse;
use sitemap_serde::lint::{PageStatus, SitePages};
use sitemap_serde::robots::Robots;
use sitemap_serde::{ReaderBuilder, Record, W3cDateTime};
use sitemap_tree::Head;
use ureq::http::Response;
use ureq::http::response::Parts;
use url::Url;

use super::robots::AllRobots;
use crate::filters;
use crate::input::{self, Input, counted};
use crate::live::client;
use crate::live::connection::Connection;
use crate::progress::Progress;
use crate::url_parts::origin;

/// The number of pages to check.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageCount(usize);

/// Parses a number or `all`.
pub(super) fn page_count(text: &str) -> Result<PageCount> {
    match text {
        "all" => Ok(PageCount(usize::MAX)),
        text => Ok(PageCount(
            text.parse()
                .map_err(|_| anyhow!("write a number of pages, or `all`"))?,
        )),
    }
}

/// The maximum number of bytes to read of a page: enough for its head.
const HEAD_BYTES: u64 = 1 << 20;
/// The time between two pages without a `Crawl-delay`.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest `Crawl-delay` to honor.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The longest time to wait for a busy site.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The time before retrying a busy site that gives no `Retry-After`.
const BUSY_WAIT: Duration = Duration::from_secs(1);
/// After this number of busy pages in a row, no more pages of a site are requested.
const MOST_BUSY: u32 = 3;

/// The checked pages, by their locs.
#[derive(Debug)]
pub(super) struct LivePages(HashMap<String, PageStatus>);

impl SitePages for LivePages {
    fn status(&self, url: &str) -> PageStatus {
        self.0.get(url).cloned().unwrap_or(PageStatus::Unknown)
    }

    fn urls(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The settings of page requests.
pub(super) struct PageCheck<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) connection: &'a Connection,
    /// The robots.txt of the named sites.
    pub(super) robots: &'a AllRobots,
    pub(super) count: PageCount,
    pub(super) seed: u64,
    pub(super) max_time: Duration,
    pub(super) now: W3cDateTime,
}

impl PageCheck<'_> {
    /// Requests the listed pages one after the other. Adds unchecked pages to `unread`.
    pub(super) fn run(&self, inputs: &[Input], unread: &mut Vec<String>) -> Result<LivePages> {
        let mut sample = Sample::new(self.count.0, self.seed);
        for input in inputs {
            push_locs(input, &mut sample);
        }
        let (mut requests, mut progress) = (Requests::new(self), Progress::new());
        for (number, loc) in sample.locs.iter().enumerate() {
            progress.show(|| format!("page {} of {}: {loc}", number + 1, sample.locs.len()));
            requests.check_page(loc)?;
        }
        drop(progress);
        requests.report(sample.seen, unread);
        Ok(LivePages(requests.pages))
    }

    /// Returns the crawler's name in robots.txt.
    fn name(&self) -> &str {
        let agent = self.connection.user_agent();
        agent.split(['/', ' ']).next().unwrap_or(agent)
    }

    /// Returns `true` if a URL is on a site that the user named, even at a private address.
    fn is_named(&self, loc: &str) -> bool {
        let mut named = self.files.iter().filter_map(|path| input::url(path));
        named.any(|url| origin(url) == origin(loc))
    }
}

/// The requests of a check.
struct Requests<'c> {
    check: &'c PageCheck<'c>,
    began: Instant,
    sites: BTreeMap<String, Site>,
    pages: HashMap<String, PageStatus>,
    failed: Vec<String>,
    /// Pages left over at the time limit.
    late: u64,
}

/// The state of a site whose pages are requested.
#[derive(Default)]
struct Site {
    robots: Robots,
    /// The `User-Agent`.
    agent: String,
    /// The minimum time between two requests.
    interval: Duration,
    was_requested: bool,
    /// The reason why no more pages are requested.
    problem: Option<String>,
    /// The number of pages in a row that the site was too busy for.
    busy: u32,
    /// Pages that were not requested because of `problem`.
    unchecked: u64,
    /// Pages that robots.txt disallows.
    forbidden: u64,
}

/// The reason why the status of a page is unknown.
enum Unchecked {
    Failed(String),
    /// The site is busy, with this status and `Retry-After`.
    Busy(u16, Option<Duration>),
}

impl<'c> Requests<'c> {
    fn new(check: &'c PageCheck<'c>) -> Self {
        Requests {
            check,
            began: Instant::now(),
            sites: BTreeMap::new(),
            pages: HashMap::new(),
            failed: Vec::new(),
            late: 0,
        }
    }

    fn time_left(&self) -> Duration {
        self.check.max_time.saturating_sub(self.began.elapsed())
    }

    /// Requests a page, unless its site is busy or disallows it, or time is up.
    fn check_page(&mut self, loc: &str) -> Result<()> {
        // Browsers send it in this form.
        let Some(address) = Url::parse(loc).ok().map(|mut url| {
            url.set_fragment(None);
            String::from(url)
        }) else {
            self.failed.push(format!("{loc}: it is no absolute URL"));
            return Ok(());
        };
        if self.pages.contains_key(loc) {
            return Ok(());
        }
        if self.time_left().is_zero() {
            self.late += 1;
            return Ok(());
        }
        let mut site = self.take_site(&address)?;
        if !site.robots.allows(self.check.connection.user_agent(), &address) {
            site.forbidden += 1;
        } else if site.problem.is_some() {
            site.unchecked += 1;
        } else if site.pause() >= self.time_left() {
            self.late += 1;
        } else {
            thread::sleep(site.pause());
            site.was_requested = true;
            match self.request(&address)? {
                Ok(status) => {
                    site.busy = 0;
                    self.pages.insert(loc.to_owned(), status);
                }
                Err(Unchecked::Failed(problem)) => {
                    site.busy = 0;
                    self.failed.push(format!("{loc}: {problem}"));
                }
                Err(Unchecked::Busy(status, _)) => {
                    self.failed.push(format!("{loc}: status {status}"));
                    site.busy += 1;
                    if site.busy == MOST_BUSY {
                        site.problem = Some(format!("status {status}"));
                    }
                }
            }
        }
        self.sites.insert(origin(&address).to_owned(), site);
        Ok(())
    }

    /// Takes the site of a page. Creates it for its first page, with its robots.txt.
    fn take_site(&mut self, loc: &str) -> Result<Site> {
        let name = origin(loc);
        if let Some(known) = self.sites.remove(name) {
            return Ok(known);
        }
        let loaded = match self.check.robots.get(name) {
            Some(robots) => robots
                .clone()
                .ok_or_else(|| "its robots.txt cannot be read".to_owned()),
            None => {
                let url = format!("{name}/robots.txt");
                let robots = client::robots(self.check.connection, &url, self.check.is_named(loc))?;
                robots.map(|(_, robots)| robots).map_err(|failure| {
                    let advice = self.check.connection.advice(&url, &failure);
                    format!("robots.txt: {failure}{advice}")
                })
            }
        };
        let (robots, problem) = match loaded {
            Ok(robots) => (robots, None),
            Err(problem) => (Robots::default(), Some(problem)),
        };
        Ok(Site {
            robots,
            problem,
            agent: self.check.connection.user_agent().to_owned(),
            interval: self.check.connection.interval(),
            ..Site::default()
        })
    }

    /// Requests a page, and retries after a pause if its site is busy.
    fn request(&self, loc: &str) -> Result<Result<PageStatus, Unchecked>> {
        let mut retries = self.check.connection.page_retries();
        loop {
            let answer = self.request_once(loc)?;
            let Err(Unchecked::Busy(status, asked)) = answer else {
                return Ok(answer);
            };
            let time = asked.unwrap_or(BUSY_WAIT);
            if retries == 0 || time >= self.time_left().min(LONGEST_WAIT) {
                return Ok(Err(Unchecked::Busy(status, asked)));
            }
            retries -= 1;
            thread::sleep(time);
        }
    }

    fn request_once(&self, loc: &str) -> Result<Result<PageStatus, Unchecked>> {
        let allows_any = self.check.is_named(loc);
        let response = client::get(self.check.connection, loc, allows_any)?;
        Ok(response
            .map_err(|failure| {
                let advice = self.check.connection.advice(loc, &failure);
                Unchecked::Failed(format!("{failure}{advice}"))
            })
            .and_then(|response| self.status(loc, response)))
    }

    fn status(&self, loc: &str, response: Response<impl Read>) -> Result<PageStatus, Unchecked> {
        let whole_head = Head::from(&response);
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        match status {
            429 | 503 => return Err(Unchecked::Busy(status, whole_head.retry_after())),
            // 304 answers a conditional request, and none was sent. The others may apply to this client only, or to everyone who is not
            // signed in.
            401 | 403 | 407 | 451 => {
                return Err(Unchecked::Failed(format!(
                    "status {status}, which others may not get: the site may refuse this client"
                )));
            }
            304 | 408 | 425 | 500.. => return Err(Unchecked::Failed(format!("status {status}"))),
            _ => {}
        }
        let [location, types, tags, links, refresh] =
            ["location", "content-type", "x-robots-tag", "link", "refresh"].map(|name| texts(&head, name));
        let mut page = PageResponse::new(loc, status);
        page.location = location.first().map(String::as_str);
        page.content_type = types.first().map(String::as_str);
        page.robots_tags = tags.iter().map(String::as_str).collect();
        page.links = links.iter().map(String::as_str).collect();
        page.refresh = refresh.first().map(String::as_str);
        page.now = Some(self.check.now);
        let body = whole_head.body(body).text();
        let body = match read_head(body) {
            // The body of an error page is not read.
            Err(_) if !head.status.is_success() => Vec::new(),
            body => body.map_err(|error| Unchecked::Failed(error.to_string()))?,
        };
        page.body = &body;
        Ok(page.page_status())
    }

    /// Prints the number of checked pages, and adds the reasons for unchecked ones to `unread`.
    fn report(&mut self, all: u64, unread: &mut Vec<String>) {
        let checked = self.pages.len();
        print_note!(
            "{checked} of {} checked (--seed {})",
            counted(all, "page"),
            self.check.seed
        );
        let forbidden = self.sites.values().map(|site| site.forbidden).sum();
        if forbidden > 0 {
            let pages = counted(forbidden, "page");
            print_message!(
                "sitemap: {pages} not checked: forbidden to `{}` by robots.txt",
                self.check.name()
            );
        }
        unread.append(&mut self.failed);
        for (name, site) in &self.sites {
            if let Some(problem) = site.problem.as_ref().filter(|_| site.unchecked > 0) {
                let pages = counted(site.unchecked, "page");
                unread.push(format!("{name}: {problem}: {pages} not checked"));
            }
        }
        if self.late > 0 {
            let pages = counted(self.late, "page");
            unread.push(format!(
                "{pages} not checked, since the time of --max-time is over"
            ));
        }
    }
}

impl Site {
    /// Returns the time before the next request.
    fn pause(&self) -> Duration {
        if !self.was_requested {
            return Duration::ZERO;
        }
        let asked = self.robots.crawl_delay(&self.agent);
        asked.unwrap_or(PAUSE).min(LONGEST_PAUSE).max(self.interval)
    }
}

/// Returns the values of a header. Many servers send them in UTF-8.
fn texts(head: &Parts, name: &str) -> Vec<String> {
    let values = head.headers.get_all(name).iter();
    values
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect()
}

/// Reads a page up to its `<body>`.
fn read_head(body: impl Read) -> std::io::Result<Vec<u8>> {
    let (mut body, mut head, mut block) = (body.take(HEAD_BYTES), Vec::new(), vec![0; 8 << 10]);
    loop {
        let read = body.read(&mut block)?;
        // The tag may span two blocks.
        let from = head.len().saturating_sub(8);
        head.extend_from_slice(block.get(..read).unwrap_or_default());
        let has_body = head[from..]
            .windows(5)
            .any(|window| window.eq_ignore_ascii_case(b"<body"));
        if read == 0 || has_body {
            return Ok(head);
        }
    }
}

/// Adds the locs of a document. The lint reports read errors.
fn push_locs(input: &Input, sample: &mut Sample) {
    let Ok(opened) = input.open() else { return };
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    if !matches!(reader.kind(), Ok(sitemap_serde::Kind::UrlSet)) {
        return;
    }
    if let Some(filter) = filters::entries_again() {
        reader.filter(filter);
    }
    let mut record = Record::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => sample.push(record.loc()),
            Err(error) if !error.ends_reading() => {}
            Ok(false) | Err(_) => return,
        }
    }
}

/// A uniform random sample of a stream (Waterman's algorithm R).
struct Sample {
    most: usize,
    seen: u64,
    locs: Vec<String>,
    random: Rng,
}

impl Sample {
    fn new(most: usize, seed: u64) -> Self {
        Sample {
            most,
            seen: 0,
            locs: Vec::new(),
            random: Rng::with_seed(seed),
        }
    }

    fn push(&mut self, loc: &str) {
        self.seen += 1;
        if self.locs.len() < self.most {
            self.locs.push(loc.to_owned());
            return;
        }
        let place = usize::try_from(self.random.u64(..self.seen)).unwrap_or(usize::MAX);
        if let Some(other) = self.locs.get_mut(place) {
            loc.clone_into(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every loc is about as likely in the sample as any other.
    #[test]
    fn samples_are_fair() {
        let mut counts = [0_u32; 50];
        for seed in 0..2000 {
            let mut sample = Sample::new(10, seed);
            for loc in 0..50 {
                sample.push(&loc.to_string());
            }
            assert_eq!((sample.seen, sample.locs.len()), (50, 10));
            for loc in &sample.locs {
                counts[loc.parse::<usize>().unwrap()] += 1;
            }
        }
        // 400 are expected; the standard deviation is 18.
        assert!(
            counts.iter().all(|count| (300..500).contains(count)),
            "{counts:?}"
        );
    }

    /// After the time limit, no page is requested, and the report says so.
    #[test]
    fn pages_for_which_there_is_no_time() {
        let inputs = [Input::received(
            "urls.txt".to_owned(),
            b"http://127.0.0.1:1/a\nhttp://127.0.0.1:1/b\n".to_vec(),
        )];
        let mut unread = Vec::new();
        let check = PageCheck {
            files: &[],
            connection: &Connection::default(),
            robots: &AllRobots::new(),
            count: PageCount(usize::MAX),
            seed: 1,
            max_time: Duration::ZERO,
            now: W3cDateTime::try_from(std::time::SystemTime::now()).unwrap(),
        };
        let LivePages(pages) = check.run(&inputs, &mut unread).unwrap();
        assert!(pages.is_empty());
        assert_eq!(
            unread,
            ["2 pages not checked, since the time of --max-time is over"]
        );
    }

    #[test]
    fn the_head_of_a_page_is_read() {
        let page = format!("<head>{}</head><BODY>{}", " ".repeat(20_000), "x".repeat(100_000));
        let head = read_head(page.as_bytes()).unwrap();
        assert!(head.len() < 30_000 && head.len() > 20_000, "{}", head.len());
        assert_eq!(read_head(&b"text"[..]).unwrap(), b"text");
        let endless = std::io::repeat(b' ');
        assert_eq!(read_head(endless).unwrap().len(), 1 << 20);
    }
}

//! The pages of a live site, some or all, with which entries are compared (`--check-pages`).

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use sitemap_pages::PageResponse;
use sitemap_serde::lint::{PageStatus, SitePages};
use sitemap_serde::robots::Robots;
use sitemap_serde::{ReaderBuilder, Record};

use super::robots::site;
use crate::input::{Input, counted, url};
use crate::live::client::Client;
use crate::progress::Progress;

/// How many pages are checked.
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

/// The most bytes of a page that are read: its head is at the beginning.
const HEAD_BYTES: u64 = 1 << 20;
/// The time between two pages, if robots.txt asks for none.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest time that robots.txt may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Our name in robots.txt.
const AGENT: &str = "sitemap";

/// The pages that were looked at, by their locs.
#[derive(Debug)]
pub(super) struct LivePages(HashMap<String, PageStatus>);

impl SitePages for LivePages {
    fn status(&self, url: &str) -> PageStatus {
        self.0.get(url).cloned().unwrap_or(PageStatus::Unknown)
    }

    fn addresses(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What pages are requested with.
pub(super) struct PageCheck<'a> {
    pub(super) files: &'a [PathBuf],
    /// The robots.txt of sites, by scheme, host and port.
    pub(super) robots: &'a HashMap<String, Robots>,
    pub(super) count: PageCount,
    pub(super) seed: u64,
}

impl PageCheck<'_> {
    /// Requests pages that the documents list, one after the other. What could not be checked is added to `unread`.
    pub(super) fn run(&self, inputs: &[Input], unread: &mut Vec<String>) -> LivePages {
        let mut sample = Sample::new(self.count.0, self.seed);
        for input in inputs {
            push_locs(input, &mut sample);
        }
        let (seen, locs) = (sample.seen, sample.locs);
        let (client, mut progress) = (Client::new(), Progress::new());
        let mut pages = HashMap::new();
        for (number, loc) in locs.iter().enumerate() {
            progress.show(|| format!("page {} of {}: {loc}", number + 1, locs.len()));
            let robots = self.robots.get(site(loc));
            if pages.contains_key(loc) || robots.is_some_and(|robots| !robots.allows(AGENT, loc)) {
                continue;
            }
            if !pages.is_empty() {
                let asked = robots.and_then(|robots| robots.crawl_delay(AGENT));
                thread::sleep(asked.unwrap_or(PAUSE).min(LONGEST_PAUSE));
            }
            match self.status(&client, loc) {
                Ok(status) => {
                    pages.insert(loc.clone(), status);
                }
                Err(Unchecked::Page(problem)) => unread.push(format!("{loc}: {problem}")),
                Err(Unchecked::Rest(status)) => {
                    let rest = counted((locs.len() - number) as u64, "page");
                    unread.push(format!(
                        "{loc}: status {status}: {rest} not checked, since the site is busy"
                    ));
                    break;
                }
            }
        }
        drop(progress);
        print_note!(
            "{} of {} checked (--seed {})",
            pages.len(),
            counted(seen, "page"),
            self.seed
        );
        LivePages(pages)
    }

    fn status(&self, client: &Client, loc: &str) -> Result<PageStatus, Unchecked> {
        // The user has named these sites.
        let is_named = self
            .files
            .iter()
            .filter_map(|path| url(path))
            .any(|url| site(url) == site(loc));
        let response = client
            .get(loc, is_named)
            .map_err(|failure| Unchecked::Page(failure.to_string()))?;
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        match status {
            429 | 503 => return Err(Unchecked::Rest(status)),
            408 | 500.. => return Err(Unchecked::Page(format!("status {status}"))),
            _ => {}
        }
        let header = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let mut page = PageResponse::new(loc, status);
        page.location = header("location");
        page.content_type = header("content-type");
        let tags = head.headers.get_all("x-robots-tag").iter();
        page.robots_tags = tags.filter_map(|value| value.to_str().ok()).collect();
        let body = read_head(body.into_with_config().limit(u64::MAX).reader());
        let body = body.map_err(|error| Unchecked::Page(error.to_string()))?;
        page.body = &body;
        Ok(page.page_status())
    }
}

/// Why a page was not checked.
enum Unchecked {
    Page(String),
    /// The site is busy, with this status: no further page is requested.
    Rest(u16),
}

/// Reads a page up to its `<body>`.
fn read_head(body: impl Read) -> std::io::Result<Vec<u8>> {
    let (mut body, mut head, mut block) = (body.take(HEAD_BYTES), Vec::new(), vec![0; 8 << 10]);
    loop {
        let read = body.read(&mut block)?;
        // The tag may be in two blocks.
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

/// Adds the locs of a document. What cannot be read the lint reports.
fn push_locs(input: &Input, sample: &mut Sample) {
    let Ok(opened) = input.open() else { return };
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    if !matches!(reader.kind(), Ok(sitemap_serde::Kind::UrlSet)) {
        return;
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

/// A random sample of a stream, of which each member has the same chance (Waterman's algorithm R).
struct Sample {
    most: usize,
    seen: u64,
    locs: Vec<String>,
    state: u64,
}

impl Sample {
    fn new(most: usize, seed: u64) -> Self {
        Sample {
            most,
            seen: 0,
            locs: Vec::new(),
            state: seed,
        }
    }

    fn push(&mut self, loc: &str) {
        self.seen += 1;
        if self.locs.len() < self.most {
            self.locs.push(loc.to_owned());
            return;
        }
        let place = usize::try_from(self.random() % self.seen).unwrap_or(usize::MAX);
        if let Some(other) = self.locs.get_mut(place) {
            loc.clone_into(other);
        }
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every loc is about as often in the sample as any other.
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
        // 400 each; the standard deviation is 18.
        assert!(
            counts.iter().all(|count| (300..500).contains(count)),
            "{counts:?}"
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

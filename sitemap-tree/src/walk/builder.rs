//! Settings of a walk.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use sitemap_serde::{Filter, Limits, ReaderBuilder};

use super::Walk;
use super::hosts::{Hosts, OtherHosts};
use super::resource::Resources;
use super::saved;
use crate::address;
use crate::budget::{Budget, Remaining};
use crate::cookies::Cookies;
use crate::document::Guesses;
use crate::error::{Error, Result};
use crate::schedule::{Backoff, Schedule};
use crate::state::{Progress, Start, State};

/// The longest `Crawl-delay` to wait, by default.
const CRAWL_DELAY: Duration = Duration::from_secs(1);

/// Settings of a [`Walk`].
#[derive(Clone, Debug)]
pub struct WalkBuilder {
    pub(super) user_agent: Arc<str>,
    pub(super) budget: Budget,
    pub(super) reader: ReaderBuilder,
    pub(super) other_hosts: OtherHosts,
    pub(super) retries: u32,
    pub(super) trusts_lastmod: bool,
    pub(super) filter: Option<Filter>,
    pub(super) sitemaps: Option<Sitemaps>,
    pub(super) crawl_delay: Option<Duration>,
    pub(super) is_behind_proxy: bool,
    interval: Duration,
    connections: usize,
    seed: Option<u64>,
    state: Option<State>,
}

/// The choice of documents.
#[derive(Clone)]
pub(super) struct Sitemaps(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl Sitemaps {
    pub(super) fn keeps(&self, url: &str) -> bool {
        (self.0)(url)
    }
}

impl fmt::Debug for Sitemaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sitemaps")
    }
}

impl WalkBuilder {
    /// The default settings, and a `User-Agent` that identifies the client, such as `ExampleBot/1.0 (+https://example.com/bot)`.
    /// Its product token selects the rules in `robots.txt`.
    pub fn new(user_agent: &str) -> Self {
        // A line break would begin another header.
        let user_agent: String = user_agent.chars().filter(|c| !c.is_control()).collect();
        let mut reader = ReaderBuilder::new();
        reader.limits(Limits::reading().with_bytes(1 << 30));
        WalkBuilder {
            user_agent: user_agent.into(),
            budget: Budget::default(),
            reader,
            other_hosts: OtherHosts::Skip,
            retries: 3,
            trusts_lastmod: false,
            filter: None,
            sitemaps: None,
            crawl_delay: None,
            is_behind_proxy: false,
            interval: Duration::ZERO,
            connections: 4,
            seed: None,
            state: None,
        }
    }

    /// Sets the limits of the walk.
    pub fn budget(&mut self, budget: Budget) -> &mut Self {
        self.budget = budget;
        self
    }

    /// Changes how documents are read: strictly (the default), leniently, with your own namespaces, and so on. The limits apply
    /// to each document; by default, [`Limits::reading`] with at most 1 GiB.
    ///
    /// [Other formats](ReaderBuilder::other_formats) are always read. The [location](ReaderBuilder::location) is always the URL
    /// of each document; a walk with another location is an error.
    ///
    /// ```
    /// use sitemap_serde::{Limits, Mode};
    /// use sitemap_tree::WalkBuilder;
    ///
    /// let mut builder = WalkBuilder::new("ExampleBot/1.0");
    /// builder.reader(|reader| reader.mode(Mode::Lenient).limits(Limits::reading().with_bytes(50 << 20)));
    /// let walk = builder.walk_site("https://example.com/")?;
    /// # Ok::<(), sitemap_tree::Error>(())
    /// ```
    pub fn reader(&mut self, change: impl FnOnce(&mut ReaderBuilder) -> &mut ReaderBuilder) -> &mut Self {
        change(&mut self.reader);
        self
    }

    /// Sets the maximum number of concurrent requests per host, from 1; 4 by default.
    pub fn max_connections_per_host(&mut self, connections: usize) -> &mut Self {
        self.connections = connections;
        self
    }

    /// Sets the number of retries after a broken connection, a truncated body, or a status such as 503; 3 by default.
    pub fn max_retries(&mut self, retries: u32) -> &mut Self {
        self.retries = retries;
        self
    }

    /// Sets which documents on other hosts are read.
    pub fn other_hosts(&mut self, other_hosts: OtherHosts) -> &mut Self {
        self.other_hosts = other_hosts;
        self
    }

    /// If `true`, a document with the same lastmod in its index as in the earlier walk counts as unchanged, and is not requested.
    /// A document whose lastmod in its index is before the date of the [filter](Self::filter) counts as
    /// [skipped](crate::Cause::Filter), and is not requested either. Off by default, since the lastmod of an index is often wrong.
    pub fn trust_lastmod(&mut self, trust: bool) -> &mut Self {
        self.trusts_lastmod = trust;
        self
    }

    /// Reads only the pages that a filter keeps; entries of indexes are not filtered. The walk reads every document all the same,
    /// unless it [trusts](Self::trust_lastmod) the lastmods of indexes.
    ///
    /// The [state](Self::state) does not have the filter: an unchanged document is not read again for another one.
    ///
    /// ```
    /// use sitemap_serde::Filter;
    /// use sitemap_tree::WalkBuilder;
    ///
    /// let filter = Filter::new().since("2026-05-01".parse()?);
    /// let mut builder = WalkBuilder::new("ExampleBot/1.0");
    /// builder.filter(filter.clone()).sitemaps(|url| url.contains("/sitemap-blog"));
    /// let walk = builder.walk_site("https://example.com/")?;
    /// // After the walk:
    /// println!("{} older pages skipped", filter.skipped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter(&mut self, filter: Filter) -> &mut Self {
        self.filter = Some(filter);
        self
    }

    /// Reads only the documents for whose addresses `keep` returns `true`. The others are not requested, and count as
    /// [skipped](crate::Cause::Filter).
    ///
    /// The start is always read, and so are indexes that only a request can find: if no document that `robots.txt` names is kept, all of
    /// them are requested, like those at common addresses. Only the indexes among them are read then.
    pub fn sitemaps(&mut self, keep: impl Fn(&str) -> bool + Send + Sync + 'static) -> &mut Self {
        self.sitemaps = Some(Sitemaps(Arc::new(keep)));
        self
    }

    /// Sets the longest `Crawl-delay` between requests that the walk obeys, on the hosts whose `robots.txt` it reads; 1 s by
    /// default. If it is set, a walk over a sitemap also reads `robots.txt`, for the delay only.
    pub fn max_crawl_delay(&mut self, longest: Duration) -> &mut Self {
        self.crawl_delay = Some(longest);
        self
    }

    /// Sets the minimum time between two requests to a host; none by default. A longer `Crawl-delay` is obeyed too.
    pub fn min_interval(&mut self, interval: Duration) -> &mut Self {
        self.interval = interval;
        self
    }

    /// The time to wait between requests for a requested `Crawl-delay`.
    pub(super) fn kept_delay(&self, asked: Duration) -> Duration {
        asked.min(self.crawl_delay.unwrap_or(CRAWL_DELAY))
    }

    /// Tells the walk that the client connects to a proxy. The client then does not see the addresses of hosts, and the report
    /// states this.
    pub fn behind_proxy(&mut self, proxy: bool) -> &mut Self {
        self.is_behind_proxy = proxy;
        self
    }

    /// Sets the seed of the random times between retries, for tests. The default is a random seed.
    #[doc(hidden)]
    pub fn seed(&mut self, seed: u64) -> &mut Self {
        self.seed = Some(seed);
        self
    }

    /// Starts with the state of an earlier walk over the same site.
    pub fn state(&mut self, state: State) -> &mut Self {
        self.state = Some(state);
        self
    }

    /// Begins a walk over the sitemaps of a site. They are named by its `robots.txt`, or else found at common addresses.
    ///
    /// # Errors
    /// If `site` is not an absolute http or https URL, the [state](Self::state) is of another start, or a setting is invalid.
    pub fn walk_site(&self, site: &str) -> Result<Walk> {
        self.walk(site, true)
    }

    /// Begins a walk over a sitemap, or over an index and its documents.
    ///
    /// # Errors
    /// If `sitemap` is not an absolute http or https URL, the [state](Self::state) is of another start, or a setting is invalid.
    pub fn walk_sitemap(&self, sitemap: &str) -> Result<Walk> {
        self.walk(sitemap, false)
    }

    fn walk(&self, start: &str, is_site: bool) -> Result<Walk> {
        if self.connections == 0 {
            return Err(Error::new("a walk needs at least one connection to a host"));
        }
        if let Some(location) = self.reader.location_set() {
            return Err(Error::new(format!(
                "the location of a document is its URL, and not {location}: set none"
            )));
        }
        let url = address::parse(start, None).map_err(|problem| Error::new(format!("{start} {problem}")))?;
        let start = Start { url, is_site };
        let mut settings = self.clone();
        let state = settings.state.take();
        if let Some(state) = state.as_ref().filter(|state| state.start != start) {
            return Err(Error::new(format!(
                "the state is of {}, and not of {}",
                state.start.url, start.url
            )));
        }
        let mut walk = Walk {
            hosts: Hosts::new(&start.url),
            nodes: Vec::new(),
            by_address: HashMap::new(),
            resources: Resources::default(),
            cookies: Cookies::default(),
            guesses: Guesses::default(),
            edges: 0,
            previous: HashMap::new(),
            known_by_address: HashMap::new(),
            schedule: Schedule::new(self.connections, self.interval),
            backoff: Backoff::new(self.seed.unwrap_or_else(|| RandomState::new().hash_one(0))),
            flights: HashMap::new(),
            next_id: 0,
            unadded: VecDeque::new(),
            remaining: Arc::new(Remaining::new(self.budget.wire_bytes, self.budget.entries)),
            progress: Progress::default(),
            documents: 0,
            url_bytes: 0,
            changed: BTreeSet::new(),
            kept: 0,
            began: None,
            keeps_named: false,
            start,
            settings: Arc::new(settings),
        };
        match state {
            Some(state) => saved::restore(&mut walk, state),
            None => walk.begin(),
        }
        Ok(walk)
    }
}

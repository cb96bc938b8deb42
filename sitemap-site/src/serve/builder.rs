//! The builder of a site.

use std::fmt;
use std::time::Duration;

use sitemap_serde::{Kind, WriterBuilder};
use tokio::sync::Semaphore;

use super::address::Addresses;
use super::cache::Cache;
use super::memory::Memory;
use super::render::Rendering;
use super::section::{AnySource, Section};
use super::{Inner, Site, address};
use crate::part::PartBuilder;
use crate::source::Source;
use crate::table::{self, Pace, TableStore, jitter};

/// A builder for a [`Site`].
pub struct SiteBuilder {
    base: String,
    sections: Vec<(String, Box<dyn AnySource>)>,
    writer: WriterBuilder,
    part_rows: usize,
    page_rows: usize,
    age: Duration,
    recount_age: Duration,
    time_limit: Duration,
    patience: Duration,
    cache_bytes: usize,
    sending_bytes: usize,
    secret: Option<Vec<u8>>,
    renderings: usize,
    queue: usize,
    pause: f64,
    html: bool,
    stylesheet: bool,
    index_now_key: Option<String>,
    store: Option<Box<dyn table::AnyStore>>,
}

impl fmt::Debug for SiteBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteBuilder")
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

/// The error for a site that cannot be built. Its message names the invalid setting and the allowed values.
#[derive(Debug)]
pub struct BuildError(String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl SiteBuilder {
    pub(super) fn new(base: String) -> Self {
        SiteBuilder {
            base,
            sections: Vec::new(),
            writer: WriterBuilder::new(),
            part_rows: 10_000,
            page_rows: 1_000,
            age: Duration::from_secs(600),
            recount_age: Duration::from_secs(86_400),
            time_limit: Duration::from_secs(60),
            patience: Duration::from_secs(5),
            cache_bytes: 64 << 20,
            sending_bytes: 64 << 20,
            secret: None,
            renderings: 4,
            queue: 64,
            pause: 1.0,
            html: false,
            stylesheet: false,
            index_now_key: None,
            store: None,
        }
    }

    /// Adds a section: a source of rows with a name, which is part of its addresses (`/sitemap-NAME…`). The index lists sections in
    /// the order in which they were added.
    #[must_use]
    pub fn section(mut self, name: impl Into<String>, source: impl Source) -> Self {
        self.sections.push((name.into(), Box::new(source)));
        self
    }

    /// Changes how parts are written: the encoding of percent-encoded locs, namespaces, cross-submission. The site itself sets kind, base,
    /// location, stylesheet and limits.
    ///
    /// ```
    /// use sitemap_site::Site;
    ///
    /// let site = Site::new("https://example.com").writer(|writer| {
    ///     writer.lowercase_hex(true);
    /// });
    /// ```
    #[must_use]
    pub fn writer(mut self, change: impl FnOnce(&mut WriterBuilder)) -> Self {
        change(&mut self.writer);
        self
    }

    /// Sets the number of rows of a new part, from 1 to 40,000; 10,000 by default, about 200 kB compressed. If rows have several entries or
    /// many images, choose a lower number: a part has at most 50,000 entries and 52,428,800 bytes, and grows to twice this number of rows
    /// before it is split.
    #[must_use]
    pub fn part_rows(mut self, rows: usize) -> Self {
        self.part_rows = rows;
        self
    }

    /// Sets the number of rows per query while a part is rendered, from 1; 1,000 by default. The rows of one query are in memory together.
    #[must_use]
    pub fn page_rows(mut self, rows: usize) -> Self {
        self.page_rows = rows;
        self
    }

    /// Sets how long a response is fresh, here and in caches (`max-age`); ten minutes by default. Within this time no rows are read twice.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    /// Sets the time after which all rows are counted again, to split parts that have grown; a day by default.
    #[must_use]
    pub fn recount_after(mut self, age: Duration) -> Self {
        self.recount_age = age;
        self
    }

    /// Sets how long a rendering, and a query for the table of parts, may take; a minute by default. Then clients get 503.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets how long a request for the index waits for the table of parts; five seconds by default. Then clients get the previous table, or
    /// 503 if there is none; work on the table continues in any case.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets the maximum size of the cache of compressed renderings in bytes; 64 MiB by default. With 0, each request renders its part.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Sets how many bytes of compressed renderings may be in memory in addition to the cache while they are being sent; 64 MiB by
    /// default. Further renderings are written to temporary files ([`std::env::temp_dir`]), which are not cached, and are removed after the
    /// last client has read them.
    #[must_use]
    pub fn sending_bytes(mut self, bytes: usize) -> Self {
        self.sending_bytes = bytes;
        self
    }

    /// Hides the keys of rows in the addresses of parts: `/sitemap-users.TOKEN.xml` instead of
    /// `/sitemap-users.alice~bob.xml`. The token contains both ends of the part's key range, encrypted and authenticated by the secret; invalid
    /// tokens are 404.
    ///
    /// All instances need the same secret of at least 16 random bytes; another secret changes all addresses. A token is a third longer than
    /// the keys, plus 22 characters; a name has at most 200 bytes.
    #[must_use]
    pub fn opaque_addresses(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.secret = Some(secret.into());
        self
    }

    /// Sets how many parts are rendered at the same time, from 1, and so the number of simultaneous queries; 4 by default. Ranges that
    /// the index does not list use at most half of them, so that requests for made-up addresses do not delay others.
    #[must_use]
    pub fn renderings(mut self, renderings: usize) -> Self {
        self.renderings = renderings;
        self
    }

    /// Sets how many renderings may wait for their turn; 64 by default. Further requests get 503. Ranges that the index does not list
    /// use at most half of these places, too.
    #[must_use]
    pub fn queue(mut self, renderings: usize) -> Self {
        self.queue = renderings;
        self
    }

    /// Sets the pause after each query for the table of parts, as a multiple of the query's duration, from 0 to 100; 1 by default, so that
    /// the database is busy with these queries at most half of the time.
    #[must_use]
    pub fn pause(mut self, multiple: f64) -> Self {
        self.pause = multiple;
        self
    }

    /// Whether `/sitemap.html` shows the index as an HTML page: a table of the parts with links, numbers of pages and dates, in light and dark
    /// mode. Off by default.
    #[must_use]
    pub fn html(mut self, html: bool) -> Self {
        self.html = html;
        self
    }

    /// Whether browsers show the index and the parts with the stylesheet at `/sitemap.css`; off by default.
    #[must_use]
    pub fn stylesheet(mut self, stylesheet: bool) -> Self {
        self.stylesheet = stylesheet;
        self
    }

    /// Serves the key file of [IndexNow](https://www.indexnow.org/documentation) at `/KEY.txt`.
    #[must_use]
    pub fn index_now_key(mut self, key: impl Into<String>) -> Self {
        self.index_now_key = Some(key.into());
        self
    }

    /// Sets a store for the table of parts, which keeps it, and the times when parts changed, beyond the process.
    #[must_use]
    pub fn table_store(mut self, store: impl TableStore) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Builds the site. This runs no queries yet; [`Site::ready`] does.
    ///
    /// # Errors
    /// If the base is invalid, a section's name is invalid or used twice, or a setting is out of range.
    ///
    /// ```
    /// use sitemap_site::Site;
    ///
    /// let error = Site::new("https://example.com").section("my products", ["/"; 0].map(sitemap_serde::UrlEntry::new)).build();
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "`my products` is not a valid section name: it is part of addresses, and has 1 to 60 letters, digits, `-` or `_`"
    /// );
    /// ```
    pub fn build(self) -> Result<Site, BuildError> {
        let base = self.base.trim_end_matches('/').to_owned();
        let addresses = match self.secret.as_deref() {
            None => Addresses::default(),
            Some(secret) if secret.len() >= 16 => Addresses::opaque(secret),
            Some(secret) => {
                return Err(BuildError(format!(
                    "the secret of `opaque_addresses` has {} bytes: use at least 16 random bytes, the same in every instance",
                    secret.len()
                )));
            }
        };
        let mut sections: Vec<Section> = Vec::with_capacity(self.sections.len());
        for (name, source) in self.sections {
            if !address::is_section_name(&name) {
                return Err(BuildError(format!(
                    "`{name}` is not a valid section name: it is part of addresses, and has 1 to 60 letters, digits, `-` or `_`"
                )));
            }
            if sections.iter().any(|section| section.name == name) {
                return Err(BuildError(format!(
                    "there are two sections `{name}`: give one of them another name"
                )));
            }
            sections.push(Section::new(name, source, addresses.clone()));
        }
        in_range("part_rows", self.part_rows, 1, 40_000)?;
        in_range("page_rows", self.page_rows, 1, 50_000)?;
        in_range("renderings", self.renderings, 1, Semaphore::MAX_PERMITS)?;
        if !(0.0..=100.0).contains(&self.pause) {
            return Err(BuildError(format!(
                "`pause` is {}; it is from 0 to 100",
                self.pause
            )));
        }
        if let Some(key) = &self.index_now_key {
            let legal = key
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !legal || !(8..=128).contains(&key.len()) {
                return Err(BuildError(format!(
                    "`{key}` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens"
                )));
            }
        }
        let mut writer = self.writer;
        writer.base(&base).location("/sitemap.xml");
        if self.stylesheet {
            writer.stylesheet("sitemap.css");
        }
        writer.kind(Kind::UrlSet);
        let parts = PartBuilder::new(&writer);
        parts.check().map_err(|error| BuildError(error.to_string()))?;
        let mut index_writer = writer;
        index_writer.kind(Kind::SitemapIndex);
        let base_path = base.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        Ok(Site(std::sync::Arc::new(Inner {
            base_path: base_path.map_or(String::new(), |(_, path)| format!("/{path}")),
            base,
            sections,
            rendering: Rendering {
                parts,
                page_rows: self.page_rows,
            },
            index_writer,
            pace: Pace {
                part_rows: self.part_rows,
                pause: self.pause,
                time_limit: self.time_limit,
            },
            // Random, so that several instances do not count at the same time.
            recount_age: self.recount_age.mul_f64(jitter()),
            age: self.age,
            time_limit: self.time_limit,
            patience: self.patience,
            html: self.html,
            stylesheet: self.stylesheet,
            index_now_key: self.index_now_key,
            addresses,
            memory: Memory::new(self.cache_bytes.saturating_add(self.sending_bytes)),
            cache: Cache::new(self.cache_bytes),
            flights: super::Flights::default(),
            permits: Semaphore::new(self.renderings),
            queue: self.queue.saturating_add(self.renderings),
            foreign: super::foreign::Foreign::new(
                self.renderings,
                self.queue.saturating_add(self.renderings),
            ),
            upkeep: super::upkeep::State::new(self.store),
            index: super::index::State::default(),
            stats: super::stats::Counters::default(),
        })))
    }
}

fn in_range(setting: &str, value: usize, least: usize, most: usize) -> Result<(), BuildError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(BuildError(format!(
        "`{setting}` is {value}; it is from {least} to {most}"
    )))
}

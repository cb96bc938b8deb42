//! How a site is set up.

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

/// Sets up a [`Site`].
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

/// Why a site cannot be built; it says which setting is wrong, and what it can be.
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

    /// Adds a section: entries with a name, which the addresses of its parts begin with (`/sitemap-NAME…`). The index lists sections in
    /// the order in which they are added.
    #[must_use]
    pub fn section(mut self, name: impl Into<String>, source: impl Source) -> Self {
        self.sections.push((name.into(), Box::new(source)));
        self
    }

    /// Changes how parts are written: the encoding of percent-encoded locs, namespaces, cross-submission. Kind, base, location, stylesheet
    /// and limits are the site's own.
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

    /// Rows of a new part, from 1 to 40,000; 10,000 if it is not said, some 200 kB compressed. Rows that are several entries, or have many
    /// images, need fewer: a part has at most 50,000 entries and 52,428,800 bytes, and grows to twice this number of rows before it is split.
    #[must_use]
    pub fn part_rows(mut self, rows: usize) -> Self {
        self.part_rows = rows;
        self
    }

    /// Rows of one query while a part is rendered, from 1; 1,000 if it is not said. The rows of a page are in memory at once.
    #[must_use]
    pub fn page_rows(mut self, rows: usize) -> Self {
        self.page_rows = rows;
        self
    }

    /// For how long a response is fresh, here and in caches (`max-age`); ten minutes if it is not said. Within it no rows are read again.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    /// After which time all rows are counted again, so that parts which have grown in the middle are split; a day if it is not said.
    #[must_use]
    pub fn recount_after(mut self, age: Duration) -> Self {
        self.recount_age = age;
        self
    }

    /// How long a rendering, and a query of the table of parts, may take; a minute if it is not said. After it clients get 503.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// How long a request for the index waits for the table of parts; five seconds if it is not said. After it, clients get the table as it
    /// was before, or 503 if there never was one; the table is gone on with in any case.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// How many bytes of compressed renderings are kept; 64 MiB if it is not said. With 0 each request renders.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// How many bytes of compressed renderings may be in memory beside those that are kept, since clients are still reading them; 64 MiB if
    /// it is not said. Beyond it a rendering is written to a file in the system's folder for temporary ones
    /// ([`std::env::temp_dir`]), which is gone with the last client that reads it, and is not kept for others.
    #[must_use]
    pub fn sending_bytes(mut self, bytes: usize) -> Self {
        self.sending_bytes = bytes;
        self
    }

    /// Makes the addresses of parts say nothing of the rows' keys: `/sitemap-users.TOKEN.xml` in the place of
    /// `/sitemap-users.alice~bob.xml`. The token is both ends of the part's rows, encrypted and authenticated by the secret; any other is 404.
    ///
    /// All instances need the same secret, of at least 16 bytes that nobody can guess; with another one all addresses change. A token
    /// takes a third more room than the keys, and 22 characters, of the 200 bytes of a name.
    #[must_use]
    pub fn opaque_addresses(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.secret = Some(secret.into());
        self
    }

    /// How many parts are rendered at a time, from 1, and so how many queries are made at a time; 4 if it is not said. Ranges of rows that
    /// the index does not list have at most half of them, so that whoever makes up addresses is in nobody's way.
    #[must_use]
    pub fn renderings(mut self, renderings: usize) -> Self {
        self.renderings = renderings;
        self
    }

    /// How many renderings may wait for their turn; 64 if it is not said. Beyond it clients get 503. Ranges that the index does not list
    /// have at most half of these places too.
    #[must_use]
    pub fn queue(mut self, renderings: usize) -> Self {
        self.queue = renderings;
        self
    }

    /// The pause between two queries of the table of parts, as a multiple of what the first took, from 0 to 100; 1 if it is not said, which
    /// leaves the database half of the time.
    #[must_use]
    pub fn pause(mut self, multiple: f64) -> Self {
        self.pause = multiple;
        self
    }

    /// Whether `/sitemap.html` shows the index to people: a table of the parts with links, numbers of pages and dates, light or dark as they have it
    /// set. Off if it is not said.
    #[must_use]
    pub fn html(mut self, html: bool) -> Self {
        self.html = html;
        self
    }

    /// Whether browsers show index and parts with the stylesheet at `/sitemap.css`; off if it is not said.
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

    /// Keeps the table of parts beyond the process, and with it the times at which parts changed.
    #[must_use]
    pub fn table_store(mut self, store: impl TableStore) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// The site. Nothing is asked of the sources yet; [`Site::ready`] does that.
    ///
    /// # Errors
    /// If the base is none, a section's name is none or there twice, or a setting is outside of its range.
    ///
    /// ```
    /// use sitemap_site::Site;
    ///
    /// let error = Site::new("https://example.com").section("my products", ["/"; 0].map(sitemap_serde::UrlEntry::new)).build();
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "`my products` is no name of a section: it has 1 to 60 letters, digits, `-` or `_`, since it stands in addresses"
    /// );
    /// ```
    pub fn build(self) -> Result<Site, BuildError> {
        let base = self.base.trim_end_matches('/').to_owned();
        let addresses = match self.secret.as_deref() {
            None => Addresses::default(),
            Some(secret) if secret.len() >= 16 => Addresses::opaque(secret),
            Some(secret) => {
                return Err(BuildError(format!(
                    "the secret of `opaque_addresses` has {} bytes; give it at least 16 random ones, the same to every instance",
                    secret.len()
                )));
            }
        };
        let mut sections: Vec<Section> = Vec::with_capacity(self.sections.len());
        for (name, source) in self.sections {
            if !address::is_section_name(&name) {
                return Err(BuildError(format!(
                    "`{name}` is no name of a section: it has 1 to 60 letters, digits, `-` or `_`, since it stands in addresses"
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
                    "`{key}` is no key of IndexNow: it has 8 to 128 letters, digits or `-`"
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
            // Several instances do not do the same at the same moment.
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

//! The builder of a site.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_serde::{Kind, OnInvalid, Rule, WriterBuilder};

use super::address::Addresses;
use super::cache::Copies;
use super::headers::Lifetime;
use super::html::{Html, Layout};
use super::memory::Memory;
use super::mount::{Mount, path_of};
use super::new_section::{IntoSection, Section as NewSection};
use super::others::{Fetch, NewOther, Other};
use super::render::{Clock, Rendering};
use super::robots::{RobotsTxt, blocked};
use super::section::{Section, Settings};
use super::table::{self, Pace, TableStore};
use super::{Inner, Site, address, index};
use crate::error::{Error, ErrorKind};
use crate::news::MOST_NEWS;
use crate::part::PartBuilder;
use crate::sets::name::TOP_FILE;
use crate::sets::{OnProblem, check_writer};
use crate::source::{BoxError, Span};
use crate::time::jitter;

/// The default of [`SiteBuilder::memory_bytes`] and [`ServeSet::memory_bytes`](super::ServeSet::memory_bytes).
pub(super) const MEMORY: usize = 128 << 20;

/// Average rows of a news part. Parts grow to twice this number.
const NEWS_ROWS: usize = 500;
/// The freshness of news.
const NEWS_MAX_AGE: Duration = Duration::from_secs(60);

/// A builder for a [`Site`].
#[derive(Clone)]
#[must_use = "a builder is not a site yet: end with `.build()?`"]
pub struct SiteBuilder {
    base: String,
    sections: Vec<(String, NewSection)>,
    others: Vec<NewOther>,
    writer: WriterBuilder,
    part_rows: usize,
    clock: Clock,
    on_invalid: OnInvalid,
    on_problem: Option<OnProblem>,
    batch_rows: usize,
    lifetime: Lifetime,
    recount_age: Duration,
    time_limit: Duration,
    memory_bytes: usize,
    secret: Option<Vec<u8>>,
    skips_failed: bool,
    flat: bool,
    html: bool,
    layout: Option<Layout>,
    index_now_key: Option<String>,
    robots_txt: Option<RobotsTxt>,
    store: Option<Arc<dyn table::AnyStore>>,
}

impl fmt::Debug for SiteBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteBuilder")
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

impl SiteBuilder {
    /// Makes a builder for the sitemap of the site at `base`: scheme, host, port, and optionally a path prefix. This is the
    /// public URL of the site, even behind proxies. Request headers do not change it.
    pub fn new(base: impl Into<String>) -> Self {
        SiteBuilder {
            base: base.into(),
            sections: Vec::new(),
            others: Vec::new(),
            writer: WriterBuilder::new(),
            part_rows: 10_000,
            clock: Arc::new(SystemTime::now),
            on_invalid: OnInvalid::SkipEntry,
            on_problem: None,
            batch_rows: 1_000,
            lifetime: Lifetime::default(),
            recount_age: Duration::from_secs(86_400),
            time_limit: Duration::from_secs(60),
            memory_bytes: MEMORY,
            secret: None,
            skips_failed: false,
            flat: false,
            html: false,
            layout: None,
            index_now_key: None,
            robots_txt: None,
            store: None,
        }
    }

    /// Adds a section: its name, which is part of its URLs (`/sitemap-NAME…`), and a source of rows, or a
    /// [`Section`](crate::Section) with its own settings. The index lists sections in the order of these calls.
    pub fn section(&mut self, name: impl Into<String>, section: impl IntoSection) -> &mut Self {
        self.sections.push((name.into(), section.into_section()));
        self
    }

    /// Lists the sitemap of another application in the index, such as a blog's. It is listed unchanged. For an index use
    /// [`external`](Self::external), since an index must not list indexes (P-NEST).
    ///
    /// It must be on the host of the base (P-IDX1), unless [`writer`](Self::writer) allows
    /// [`cross_submission`](WriterBuilder::cross_submission).
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", [UrlEntry::new("/")])
    ///     .sitemap("https://example.com/shop/sitemap.xml")
    ///     .sitemap("https://blog.example.com/sitemap.xml")
    ///     .writer(|writer| writer.cross_submission(true)) // robots.txt of blog.example.com names https://example.com/sitemap.xml
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn sitemap(&mut self, url: impl Into<String>) -> &mut Self {
        let url = url.into();
        self.others.push(NewOther { url, fetch: None });
        self
    }

    /// Lists the sitemap of another application. If it is an index, its sitemaps are listed, with their lastmods. `fetch` gets
    /// its URL, and returns the body of a successful response, compressed or not. `fetch` should limit the size.
    ///
    /// It is fetched when the index is requested, at most every [`max_age`](Self::max_age), within
    /// [`time_limit`](Self::time_limit). It may have at most 50,000 sitemaps and 52,428,800 bytes. If the fetch fails, or the
    /// document is damaged, the index keeps its earlier sitemaps, and the log has the reason. If it was never read, the index
    /// answers 503, unless [`skip_failed_sections`](Self::skip_failed_sections) is set. A sitemap that the index must not list,
    /// for example on another host (see [`sitemap`](Self::sitemap)), is skipped with a warning.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// # #[derive(Clone)] struct Client;
    /// # impl Client { async fn get(&self, url: String) -> std::io::Result<Vec<u8>> { Err(std::io::Error::other(url)) } }
    /// # let client = Client;
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", [UrlEntry::new("/")])
    ///     // With reqwest: `Ok(client.get(url).send().await?.error_for_status()?.bytes().await?)`.
    ///     .external("https://example.com/blog/sitemap_index.xml", move |url| {
    ///         let client = client.clone();
    ///         async move { Ok(client.get(url).await?) }
    ///     })
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn external<F, B>(
        &mut self,
        url: impl Into<String>,
        fetch: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> &mut Self
    where
        F: Future<Output = Result<B, BoxError>> + Send + 'static,
        B: AsRef<[u8]> + Send + 'static,
    {
        let fetch: Fetch = Arc::new(move |url| {
            let fetched = fetch(url);
            Box::pin(async move { Ok(Box::new(fetched.await?) as Box<dyn AsRef<[u8]> + Send>) })
        });
        let (url, fetch) = (url.into(), Some(fetch));
        self.others.push(NewOther { url, fetch });
        self
    }

    /// Changes how entries are written: the encoding of percent-encoded locs, namespaces, cross-submission, and search engines,
    /// whose byte limits then apply to parts and their URLs. [`build`](Self::build) refuses settings that belong to the site:
    /// base, kind, limits, location, on_invalid, on_problem and stylesheet.
    ///
    /// ```
    /// use sitemap_serde::engine::Engine;
    /// use sitemap_site::SiteBuilder;
    ///
    /// let site = SiteBuilder::new("https://example.com")
    ///     .writer(|writer| writer.lowercase_hex(true).engine(Engine::Bing).engine(Engine::Baidu))
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn writer(&mut self, change: impl FnOnce(&mut WriterBuilder) -> &mut WriterBuilder) -> &mut Self {
        change(&mut self.writer);
        self
    }

    /// Sets the approximate number of rows of a part, from 1 to 40,000; 10,000 by default, about 200 kB compressed. A part has
    /// half to one and a half times this number, and at most 45,000 rows, so 40,000 gives about 35,000. If rows have several
    /// entries or many images, choose a lower number: a part has at most 50,000 entries and 52,428,800 bytes.
    pub fn part_rows(&mut self, rows: usize) -> &mut Self {
        self.part_rows = rows;
        self
    }

    /// Sets the policy for invalid rows. [`SkipEntry`](OnInvalid::SkipEntry), the default, skips the row.
    /// [`DropValue`](OnInvalid::DropValue) serves the entry without the invalid value. [`Fail`](OnInvalid::Fail) fails the part,
    /// and its last good copy is served.
    ///
    /// Every rendering of the part counts each problem in [`stats`](Site::stats). The log has it once an hour.
    /// [`check`](Site::check) lists them.
    ///
    /// ```
    /// use sitemap_serde::{Image, OnInvalid, UrlEntry};
    /// use sitemap_site::SiteBuilder;
    ///
    /// let lamp = UrlEntry::new("/lamp").with_images(["/lamp.jpg", "file:///lamp.raw"].map(Image::new));
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("products", [lamp])
    ///     .on_invalid(OnInvalid::DropValue)
    ///     .build()?;
    /// # let request = http::Request::get("/sitemap-products.xml").body(())?;
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// # let response = runtime.block_on(site.respond(&request));
    /// # assert_eq!(response.status(), 200);
    /// // After a request for /sitemap-products.xml:
    /// assert_eq!((site.stats().dropped, site.stats().skipped), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_invalid(&mut self, policy: OnInvalid) -> &mut Self {
        self.on_invalid = policy;
        self
    }

    /// Sets a function that is called for each skipped row and each dropped value, at every rendering of a part. The message
    /// contains the row's key.
    pub fn on_problem(&mut self, problem: impl Fn(&Error) + Send + Sync + 'static) -> &mut Self {
        self.on_problem = Some(Arc::new(problem));
        self
    }

    /// Sets the clock for the age of [news](crate::Section::news); the system clock by default.
    #[doc(hidden)]
    pub fn clock(&mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> &mut Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the number of rows per query while a part is rendered, from 1; 1,000 by default. The rows of one query are in memory together.
    #[doc(hidden)]
    pub fn batch_rows(&mut self, rows: usize) -> &mut Self {
        self.batch_rows = rows;
        self
    }

    /// Sets how long a response is fresh, here and in caches (`max-age`); ten minutes by default. Within this time each row is
    /// read at most once.
    pub fn max_age(&mut self, age: Duration) -> &mut Self {
        self.lifetime.max_age = age;
        self
    }

    /// Sets how long caches may use a stale response while they get a new one (`stale-while-revalidate`); a day by default.
    pub fn stale_while_revalidate(&mut self, time: Duration) -> &mut Self {
        self.lifetime.stale_while_revalidate = time;
        self
    }

    /// Sets the maximum age of a count of all rows, which splits parts that have grown; a day by default.
    ///
    /// If 1,000 or more rows have changed, which is too many for [`Source::latest`](crate::Source::latest), they are counted
    /// earlier: after `max_age`, or after ten times the duration of a count, whichever is later.
    #[doc(hidden)]
    pub fn recount_after(&mut self, age: Duration) -> &mut Self {
        self.recount_age = age;
        self
    }

    /// Sets the time limit of a rendering, and of a query for the table of parts; a minute by default. After it, clients get 503.
    /// A rendering may wait five times this long for its turn.
    pub fn time_limit(&mut self, limit: Duration) -> &mut Self {
        self.time_limit = limit;
        self
    }

    /// Sets the memory limit for compressed parts, in bytes; 128 MiB by default. At most half of it is the cache. The rest is for
    /// parts that are being sent. Parts that do not fit are sent from temporary files ([`std::env::temp_dir`]), which are removed
    /// after the last client has read them. With 0, each request renders its part.
    pub fn memory_bytes(&mut self, bytes: usize) -> &mut Self {
        self.memory_bytes = bytes;
        self
    }

    /// Hides the keys of rows in the addresses of parts: `/sitemap-users.TOKEN.xml` instead of
    /// `/sitemap-users.alice~bob.xml`. The token contains both ends of the part's key range, encrypted and authenticated by the secret; invalid
    /// tokens are 404.
    ///
    /// All instances need the same secret of at least 16 random bytes; another secret changes all addresses. A token is a third longer than
    /// the keys, plus 22 characters; a name has at most 200 bytes.
    pub fn opaque_urls(&mut self, secret: impl Into<Vec<u8>>) -> &mut Self {
        self.secret = Some(secret.into());
        self
    }

    /// If `true`, the index skips a section whose rows could never be counted, and lists the others. Off by default: then the
    /// index answers 503, since search engines drop pages that an index no longer lists. During the first count of a section, the
    /// index answers 503 either way. After a first count, the index always has the section's last good table.
    pub fn skip_failed_sections(&mut self, skip: bool) -> &mut Self {
        self.skips_failed = skip;
        self
    }

    /// If `true`, `/sitemap.xml` is one urlset with the pages of all sections, instead of an index, as long as they fit: 50,000
    /// entries and 52,428,800 bytes, or the limit of an engine of the site. Off by default. A site that grows beyond this gets an
    /// index and parts at once, at the same address, and a warning in the log. A news section needs an index, since it is a
    /// separate sitemap.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/about"].map(UrlEntry::new))
    ///     .section("blog", ["/blog/1"].map(UrlEntry::new))
    ///     .flat(true) // /sitemap.xml has the three pages
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn flat(&mut self, flat: bool) -> &mut Self {
        self.flat = flat;
        self
    }

    /// If `true`, `/sitemap.html` shows the sitemap to people, also on phones, in light and dark mode, without scripts. It links
    /// to a list of each section's pages, with titles (from `#[sitemap(title)]` or
    /// [`Section::titled`](crate::Section::titled)) and 200 rows per list, and to the sitemaps, with
    /// numbers of pages and dates. Off by default.
    ///
    /// Browsers then show the index and the parts as tables, too, with the stylesheet at `/sitemap.css`.
    ///
    /// WCAG 2.4.5 requires more than one way to each page of a site. A sitemap that the site's pages link to is one way.
    pub fn html(&mut self, html: bool) -> &mut Self {
        self.html = html;
        self
    }

    /// Shows `/sitemap.html` and its lists in the site's own page. The function gets the title and the content, which is HTML for the element `main`, and
    /// returns the document. It sets [`html`](Self::html), too.
    ///
    /// The title is text, so it must be escaped in HTML. By default, a `Content-Security-Policy` forbids everything except the
    /// page's own style. With a layout, the program sets the policy.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/about"].map(UrlEntry::new))
    ///     .html_layout(|title, content| {
    ///         let title = title.replace('&', "&amp;").replace('<', "&lt;");
    ///         format!("<!doctype html><html lang=en><title>{title}</title><link rel=stylesheet href=/site.css><main>{content}</main>")
    ///     })
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn html_layout(
        &mut self,
        layout: impl Fn(&str, &str) -> String + Send + Sync + 'static,
    ) -> &mut Self {
        self.html = true;
        self.layout = Some(Arc::new(layout));
        self
    }

    /// Serves the key file of [IndexNow](https://www.indexnow.org/documentation) at `/KEY.txt`.
    pub fn index_now_key(&mut self, key: impl Into<String>) -> &mut Self {
        self.index_now_key = Some(key.into());
        self
    }

    /// Serves `/robots.txt`, with the lines that name the sitemap. If unset, the program serves its own, with the lines of
    /// [`Site::robots_lines`].
    ///
    /// [`build`](Self::build) refuses a `robots.txt` that disallows the sitemap, or a page of a section with a fixed list. Other
    /// sections are read later: a disallowed page is a warning in the log, and a finding of [`Site::check`].
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::{RobotsTxt, SiteBuilder};
    ///
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/account/help"].map(UrlEntry::new))
    ///     .robots_txt(RobotsTxt::new().disallow("/account/"))
    ///     .build();
    /// assert_eq!(
    ///     site.unwrap_err().to_string(),
    ///     "the section `pages` lists `https://example.com/account/help`, which `robots.txt` disallows: search engines cannot read such a page; \
    ///      allow it by `RobotsTxt::allow`, or do not list it"
    /// );
    /// ```
    pub fn robots_txt(&mut self, robots: RobotsTxt) -> &mut Self {
        self.robots_txt = Some(robots);
        self
    }

    /// Sets a store for the table of parts. It preserves the table, and the times of parts' changes, across restarts.
    pub fn table_store(&mut self, store: impl TableStore) -> &mut Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Builds the site. This runs no queries yet; [`Site::ready`] does.
    ///
    /// # Errors
    /// If the base is invalid, a section's name is invalid or used twice, or a setting is out of range.
    ///
    /// ```
    /// use sitemap_site::SiteBuilder;
    ///
    /// let error = SiteBuilder::new("https://example.com").section("my products", ["/"; 0].map(sitemap_serde::UrlEntry::new)).build();
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "`my products` is not a valid section name: it is part of addresses, and has 1 to 60 letters, digits, `-` or `_`"
    /// );
    /// ```
    pub fn build(&self) -> Result<Site, Error> {
        let base = self.base.trim_end_matches('/').to_owned();
        let addresses = self.addresses()?;
        check_writer(&self.writer, "SiteBuilder").map_err(setting)?;
        let mut writer = self.writer.clone();
        writer.base(&base).location("/sitemap.xml");
        if self.html {
            writer.stylesheet("sitemap.css");
        }
        writer.kind(Kind::UrlSet);
        let mut parts = PartBuilder::new(&writer);
        parts.on_invalid(self.on_invalid);
        parts
            .writer()
            .check()
            .map_err(|error| setting(error.to_string()))?;
        let sections = self.sections(&base, &addresses, &parts)?;
        self.check_index_now_key()?;
        self.check_robots_txt(&base, &sections)?;
        let mut index_writer = writer;
        index_writer.kind(Kind::SitemapIndex);
        let lifetimes = sections.iter().map(|section| section.settings.lifetime);
        let lifetime = lifetimes
            .min_by_key(|lifetime| lifetime.max_age)
            .unwrap_or(self.lifetime);
        let others = self.others(&index_writer, lifetime.max_age)?;
        Ok(Site(Arc::new(Inner {
            base_path: path_of(&base),
            base,
            sections,
            others,
            index_writer,
            // Random, so that several instances do not count at the same time.
            recount_age: Duration::try_from_secs_f64(self.recount_age.as_secs_f64() * jitter())
                .unwrap_or(Duration::MAX),
            lifetime,
            time_limit: self.time_limit,
            html: self.html.then(|| Html::new(self.layout.clone())),
            index_now_key: self.index_now_key.clone(),
            robots_txt: self.robots_txt.clone(),
            addresses,
            flat: super::flat::State::new(self.flat),
            most_bytes: parts.most_bytes(),
            memory: Memory::new(self.memory_bytes),
            copies: Copies::new(self.memory_bytes / 2),
            parts: super::kept::Renewals::default(),
            turns: super::turns::Turns::new(self.sections.len()),
            running: super::turns::Running::default(),
            skips_failed: self.skips_failed,
            quiet: super::quiet::Quiet::default(),
            mount: Mount::default(),
            upkeep: super::upkeep::State::new(self.store.clone()),
            index: index::State::default(),
            stats: super::stats::Counters::default(),
        })))
    }
}

impl SiteBuilder {
    fn addresses(&self) -> Result<Addresses, Error> {
        match self.secret.as_deref() {
            None => Ok(Addresses::default()),
            Some(secret) if secret.len() >= 16 => Ok(Addresses::opaque(secret)),
            Some(secret) => Err(setting(format!(
                "the secret of `opaque_urls` has {} bytes: use at least 16 random bytes, the same in every instance",
                secret.len()
            ))),
        }
    }

    fn sections(
        &self,
        base: &str,
        addresses: &Addresses,
        parts: &PartBuilder,
    ) -> Result<Vec<Section>, Error> {
        in_range("part_rows", self.part_rows, 1, 40_000)?;
        in_range("batch_rows", self.batch_rows, 1, 50_000)?;
        let mut sections: Vec<Section> = Vec::with_capacity(self.sections.len());
        for (name, section) in &self.sections {
            if !address::is_section_name(name) {
                return Err(setting(format!(
                    "`{name}` is not a valid section name: it is part of addresses, and has 1 to 60 letters, digits, `-` or `_`"
                )));
            }
            if index::is_reserved(name) {
                return Err(setting(format!(
                    "`{name}` is not a valid section name: `/sitemap-{name}.xml` is the address of an index; give it another name"
                )));
            }
            if sections.iter().any(|section| section.name == *name) {
                return Err(setting(format!(
                    "there are two sections `{name}`: give one of them another name"
                )));
            }
            let settings = self.section_settings(name, section, parts)?;
            let (shortest, most) = (address::part_name(name, &Span::ALL), settings.most_name);
            if shortest.len() > most {
                return Err(setting(format!(
                    "`{base}/{shortest}` is longer than an engine of the site reads ({}): shorten the base or the section's name",
                    Rule::Engine
                )));
            }
            let (name, source) = (name.clone(), Arc::clone(&section.source));
            let links = Arc::clone(&section.links);
            sections.push(Section::new(name, source, links, addresses.clone(), settings));
        }
        Ok(sections)
    }

    fn others(&self, index_writer: &WriterBuilder, max_age: Duration) -> Result<Vec<Arc<Other>>, Error> {
        if self.flat
            && let Some(other) = self.others.first()
        {
            return Err(setting(format!(
                "the site lists the sitemap `{}`, and is flat: only an index lists sitemaps; leave out `flat`",
                other.url
            )));
        }
        let others = self.others.iter().cloned();
        let others =
            others.map(|other| Other::new(other, index_writer, max_age, self.time_limit).map(Arc::new));
        others
            .collect::<sitemap_serde::Result<_>>()
            .map_err(|error| setting(error.to_string()))
    }

    fn check_index_now_key(&self) -> Result<(), Error> {
        if let Some(key) = &self.index_now_key {
            let legal = key
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !legal || !(8..=128).contains(&key.len()) {
                return Err(setting(format!(
                    "`{key}` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens"
                )));
            }
        }
        Ok(())
    }

    /// Refuses a `robots.txt` that is invalid, or that disallows listed pages or the sitemap itself.
    fn check_robots_txt(&self, base: &str, sections: &[Section]) -> Result<(), Error> {
        let Some(robots_txt) = &self.robots_txt else {
            return Ok(());
        };
        if let Some(mistake) = robots_txt.mistake() {
            return Err(setting(mistake));
        }
        if !path_of(base).is_empty() {
            return Err(setting(format!(
                "`robots.txt` is read at the root of a host only, and the base of the site is `{base}`: serve it there, with the lines of \
                 `Site::robots_lines`"
            )));
        }
        let Some(robots) = robots_txt.blocks() else {
            return Ok(());
        };
        let parts = sections.iter().map(|section| section.part_name(&Span::ALL));
        let mut names = std::iter::once(TOP_FILE.to_owned()).chain(parts);
        if let Some(name) = names.find(|name| blocked(&robots, &format!("{base}/{name}")).is_some()) {
            return Err(setting(format!(
                "`robots.txt` disallows `{base}/{name}`, which is the sitemap: allow it by `RobotsTxt::allow`"
            )));
        }
        for section in sections {
            if let Some(loc) = section.source.blocked(&section.settings.rendering, &robots) {
                return Err(setting(format!(
                    "the section `{}` lists `{loc}`, which `robots.txt` disallows: search engines cannot read such a page; allow it by \
                     `RobotsTxt::allow`, or do not list it",
                    section.name
                )));
            }
        }
        Ok(())
    }

    /// The longest name of a part that every engine of the site can read.
    fn most_name(&self) -> usize {
        let folder = self.base.trim_end_matches('/').len() + 1;
        let engines = self.writer.engines().iter();
        let limits = engines.filter_map(|engine| Some(engine.most_loc_bytes()?.saturating_sub(folder)));
        limits.fold(address::MAX_NAME, usize::min)
    }

    fn section_settings(
        &self,
        name: &str,
        section: &NewSection,
        parts: &PartBuilder,
    ) -> Result<Settings, Error> {
        let is_news = section.is_news;
        if is_news && self.flat {
            return Err(setting(format!(
                "the section `{name}` has news, and the site is flat: a news section is a sitemap of its own, which only an index lists; leave \
                 out `flat`"
            )));
        }
        let part_rows = section.part_rows.unwrap_or(self.part_rows);
        in_range(
            &format!("part_rows` of the section `{name}"),
            part_rows,
            1,
            40_000,
        )?;
        if is_news && section.part_rows.is_some_and(|rows| rows > NEWS_ROWS) {
            return Err(setting(format!(
                "the parts of the news section `{name}` have {part_rows} rows on average, and some of them twice as many; a part has at most {MOST_NEWS} \
                 articles (P-NEWS4), so that `Section::part_rows` is at most {NEWS_ROWS}"
            )));
        }
        let (mut parts, mut lifetime) = (parts.clone(), self.lifetime);
        if is_news {
            parts.max_entries(MOST_NEWS).declare("news");
            lifetime.max_age = lifetime.max_age.min(NEWS_MAX_AGE);
        }
        Ok(Settings {
            pace: Pace {
                part_rows: if is_news {
                    part_rows.min(NEWS_ROWS)
                } else {
                    part_rows
                },
                time_limit: self.time_limit,
            },
            rendering: Rendering {
                parts,
                batch_rows: self.batch_rows,
                news: is_news.then(|| Arc::clone(&self.clock)),
                on_invalid: self.on_invalid,
                on_problem: self.on_problem.clone(),
                robots: self.robots_txt.as_ref().and_then(RobotsTxt::blocks).map(Arc::new),
            },
            most_name: self.most_name(),
            lifetime,
        })
    }
}

fn setting(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Setting, message)
}

fn in_range(name: &str, value: usize, least: usize, most: usize) -> Result<(), Error> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(setting(format!(
        "`{name}` is {value}; it is from {least} to {most}"
    )))
}

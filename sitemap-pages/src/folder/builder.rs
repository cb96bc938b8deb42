//! Settings for reading a folder.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_serde::Precision;
use sitemap_serde::W3cDateTime;

use crate::address::UrlStyle;
use crate::error::{Error, ErrorKind, Result};
use crate::html::Event;
use crate::ledger::Ledger;
use crate::texts::KeptTexts;

/// Reads folders of pages.
///
/// ```
/// use sitemap_pages::FolderBuilder;
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// std::fs::write(folder.path().join("prices.pdf"), "%PDF")?;
/// std::fs::create_dir(folder.path().join("drafts"))?;
/// std::fs::write(folder.path().join("drafts/a.html"), "<p>A")?;
///
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.exclude("drafts/**").include("*.pdf");
/// let read = builder.read(folder.path())?;
/// let addresses: Vec<_> = read.pages().iter().map(|page| page.url()).collect();
/// assert_eq!(addresses, ["https://example.com/", "https://example.com/prices.pdf"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct FolderBuilder {
    pub(super) base: String,
    pub(super) style: Option<UrlStyle>,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) ignore: Vec<String>,
    pub(super) now: Option<W3cDateTime>,
    pub(super) since: Option<W3cDateTime>,
    pub(super) stated_dates: bool,
    pub(super) published_dates: bool,
    pub(super) ledger_dates: bool,
    pub(super) ledger: Arc<Ledger>,
    pub(super) texts: Arc<KeptTexts>,
    pub(super) images: bool,
    pub(super) project: Option<PathBuf>,
    pub(super) languages: Vec<(String, String)>,
    pub(super) first_date: Option<Arc<FirstDate>>,
    pub(super) titles: bool,
    pub(super) allow_shrinking: bool,
    pub(super) allow_mass_move: bool,
    pub(super) keep_dates: bool,
    pub(super) most_files: Option<u64>,
    progress: Option<Arc<Report>>,
}

/// Returns the date of a page, by its file.
pub(super) type FirstDate = dyn Fn(&str) -> Option<W3cDateTime> + Send + Sync;

/// Receives the progress.
type Report = dyn Fn(&ReadingProgress) + Send + Sync;

/// The progress of reading.
///
/// ```
/// use sitemap_pages::FolderBuilder;
///
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.progress(|progress| eprintln!("{} of {}", progress.read, progress.files));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadingProgress {
    /// The number of files that have been read.
    pub read: usize,
    /// The number of files of the folder that may be pages.
    pub files: usize,
}

impl FolderBuilder {
    /// Starts with the base, the URL of the folder: `https://example.com/`, or `https://user.example/repo/`.
    ///
    /// ```
    /// let builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// ```
    pub fn new(base: impl Into<String>) -> Self {
        FolderBuilder {
            base: base.into(),
            style: None,
            include: Vec::new(),
            exclude: Vec::new(),
            ignore: Vec::new(),
            now: None,
            since: None,
            stated_dates: true,
            published_dates: false,
            ledger_dates: true,
            ledger: Arc::new(Ledger::new()),
            texts: Arc::default(),
            images: false,
            project: None,
            languages: Vec::new(),
            first_date: None,
            titles: false,
            allow_shrinking: false,
            allow_mass_move: false,
            keep_dates: false,
            most_files: None,
            progress: None,
        }
    }

    /// Sets the folder of the project. Its `netlify.toml`, `vercel.json`, `firebase.json` and `staticwebapp.config.json` are read
    /// as if they were in the folder of the pages. They redirect pages, and set the form of addresses and `noindex`. None by
    /// default.
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let project = tempfile::tempdir()?;
    /// # let (project, public) = (project.path(), project.path().join("public"));
    /// # std::fs::create_dir(&public)?;
    /// std::fs::write(public.join("about.html"), "<p>About us")?;
    /// std::fs::write(project.join("vercel.json"), r#"{ "cleanUrls": true }"#)?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let read = builder.project(project).read(public)?;
    /// assert_eq!(read.pages()[0].url(), "https://example.com/about");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn project(&mut self, folder: impl Into<PathBuf>) -> &mut Self {
        self.project = Some(folder.into());
        self
    }

    /// Sets the form of addresses. Otherwise the host's settings decide, or the majority of canonical addresses, or the majority of
    /// links.
    ///
    /// ```
    /// use sitemap_pages::{UrlStyle, FolderBuilder};
    ///
    /// let mut builder = FolderBuilder::new("https://example.com/");
    /// builder.style(UrlStyle::Clean); // /about, and not /about.html
    /// ```
    pub fn style(&mut self, style: UrlStyle) -> &mut Self {
        self.style = Some(style);
        self
    }

    /// Adds a pattern of files that are listed in addition to HTML, such as `*.pdf`. The syntax is the same as in `.gitignore`.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.include("*.pdf").include("papers/*.ps");
    /// ```
    pub fn include(&mut self, pattern: impl Into<String>) -> &mut Self {
        self.include.push(pattern.into());
        self
    }

    /// Adds a pattern of files that are not listed, as in `.gitignore`: `drafts/` is every folder of this name, `/drafts/` the one
    /// at the top, `*.tmp.html` a file in any folder, and `!drafts/about.html` an exception to the patterns before it. A pattern
    /// without a match is a [finding](crate::FindingKind::Pattern).
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.exclude("drafts/").exclude("!drafts/about.html");
    /// ```
    pub fn exclude(&mut self, pattern: impl Into<String>) -> &mut Self {
        self.exclude.push(pattern.into());
        self
    }

    /// Adds a selector of elements whose text does not move a page, such as `.views`. It consists of a name, id, classes and
    /// attributes. Commas separate several.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.ignore(".views, [data-live]").ignore("span#clock");
    /// ```
    pub fn ignore(&mut self, selector: impl Into<String>) -> &mut Self {
        self.ignore.push(selector.into());
        self
    }

    /// Sets the date of the run, which moved pages get. Today, in UTC, by default.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.now("2026-05-01".parse()?);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn now(&mut self, now: W3cDateTime) -> &mut Self {
        self.now = Some(now);
        self
    }

    /// Sets the date of pages in the first run. None by default.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.since("2026-01-01".parse()?);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn since(&mut self, date: W3cDateTime) -> &mut Self {
        self.since = Some(date);
        self
    }

    /// Sets a function that returns the date of a page, if nothing else is known about it, as in the first run. It can return the
    /// date of its source's last change in version control. Its argument is the [file](crate::Page::file) of the page. If it
    /// returns `None`, the page has the date of [`since`](Self::since).
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("lamps.html"), "<h1>Lamps</h1>")?;
    /// let date = "2026-01-01".parse()?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let read = builder.first_date(move |file| (file == "lamps.html").then_some(date)).read(folder.path())?;
    /// assert_eq!(read.pages()[0].lastmod(), Some(date));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_date(
        &mut self,
        date: impl Fn(&str) -> Option<W3cDateTime> + Send + Sync + 'static,
    ) -> &mut Self {
        self.first_date = Some(Arc::new(date));
        self
    }

    /// Adds a language, with the folder of its pages: `/` or `/fr/`. The page at the same path in another language's folder is its
    /// alternate, unless the page itself links to other languages.
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # std::fs::create_dir(folder.path().join("fr"))?;
    /// std::fs::write(folder.path().join("lamps.html"), "<h1>Lamps</h1>")?;
    /// std::fs::write(folder.path().join("fr/lamps.html"), "<h1>Lampes</h1>")?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let read = builder.language("en", "/").language("fr", "/fr/").read(folder.path())?;
    /// assert_eq!(read.pages()[1].alternates()[1].href, "https://example.com/fr/lamps.html");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn language(&mut self, hreflang: impl Into<String>, folder: impl Into<String>) -> &mut Self {
        self.languages.push((hreflang.into(), folder.into()));
        self
    }

    /// Reads the titles of pages, for [`Page::title`](crate::Page::title). Off by default.
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("lamps.html"), "<title>Lamps</title><p>All lamps.")?;
    /// let read = FolderBuilder::new("https://example.com").titles(true).read(folder.path())?;
    /// assert_eq!(read.pages()[0].title(), Some("Lamps"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn titles(&mut self, kept: bool) -> &mut Self {
        self.titles = kept;
        self
    }

    /// Uses the dates of publication that pages state, if nothing else is known of a page, as in the first run. Off by default.
    ///
    /// The guide lists the [ways of stating](crate::guide::dates#dates-that-pages-state) one. The date of
    /// [`first_date`](Self::first_date) takes precedence, and this one over [`since`](Self::since). It is disbelieved for the same
    /// reasons as a date of the last change.
    ///
    /// ```
    /// use sitemap_pages::{DateSource, FolderBuilder};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let page = "<meta property=article:published_time content=2026-05-01><p>Lamps";
    /// std::fs::write(folder.path().join("lamps.html"), page)?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// builder.now("2026-05-07".parse()?);
    /// assert_eq!(builder.read(folder.path())?.pages()[0].lastmod(), None);
    /// let read = builder.published_dates(true).read(folder.path())?;
    /// assert_eq!(read.pages()[0].lastmod(), Some("2026-05-01".parse()?));
    /// assert_eq!(read.pages()[0].date_source(), Some(DateSource::Published));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn published_dates(&mut self, used: bool) -> &mut Self {
        self.published_dates = used;
        self
    }

    /// Uses the dates of the last change that pages state. On by default.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.stated_dates(false);
    /// ```
    pub fn stated_dates(&mut self, used: bool) -> &mut Self {
        self.stated_dates = used;
        self
    }

    /// Uses the dates of the ledger. On by default.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.ledger_dates(false);
    /// ```
    pub fn ledger_dates(&mut self, used: bool) -> &mut Self {
        self.ledger_dates = used;
        self
    }

    /// Sets the ledger of the last run. Without it, each run is the first.
    ///
    /// ```
    /// use sitemap_pages::{FolderBuilder, Ledger};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("sitemap-ledger");
    /// let mut builder = FolderBuilder::new("https://example.com/");
    /// builder.ledger(Ledger::load(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ledger(&mut self, ledger: Ledger) -> &mut Self {
        self.ledger = Arc::new(ledger);
        self
    }

    /// Sets the texts of the last run, for explanations. None by default.
    ///
    /// ```
    /// use sitemap_pages::{FolderBuilder, KeptTexts};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("sitemap-ledger.texts");
    /// let mut builder = FolderBuilder::new("https://example.com/");
    /// builder.texts(KeptTexts::load(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn texts(&mut self, texts: KeptTexts) -> &mut Self {
        self.texts = Arc::new(texts);
        self
    }

    /// Lists pages with their images. Off by default.
    ///
    /// These are the page's `og:image` and each `img` outside of navigation and other frames. The address of an `img` is its `src`,
    /// or else the largest in its `srcset` or in its `picture`. Icons (`.ico`, or at most 32 pixels wide or high by their
    /// attributes) and data URLs are skipped. An entry has at most 1,000 images (P-IMG1); excess ones are a finding.
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<img src=lamp.jpg><img src=pixel.gif width=1>")?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let read = builder.images(true).read(folder.path())?;
    /// assert_eq!(read.pages()[0].images().collect::<Vec<_>>(), ["https://example.com/lamp.jpg"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn images(&mut self, listed: bool) -> &mut Self {
        self.images = listed;
        self
    }

    /// Allows [`Folder::write_file`](crate::Folder::write_file) to write an empty sitemap, or one with less than half of the
    /// replaced file's entries. Off by default, so that a build with `noindex` on all pages does not remove a site from search
    /// engines.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.allow_shrinking(true);
    /// ```
    pub fn allow_shrinking(&mut self, allowed: bool) -> &mut Self {
        self.allow_shrinking = allowed;
        self
    }

    /// Allows [`Folder::write_file`](crate::Folder::write_file) to write a sitemap if more than half of at least 20 known pages
    /// have moved at once. Off by default, since nearly always the template has changed, not the pages.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.allow_mass_move(true);
    /// ```
    pub fn allow_mass_move(&mut self, allowed: bool) -> &mut Self {
        self.allow_mass_move = allowed;
        self
    }

    /// Refuses a folder with more files that may be pages, before they are read: a sitemap has at most 50,000. By default,
    /// [`Folder::write_file`](crate::Folder::write_file) refuses them after reading, when it is known which of them are listed.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.max_files(50_000);
    /// ```
    pub fn max_files(&mut self, most: u64) -> &mut Self {
        self.most_files = Some(most);
        self
    }

    /// Keeps the dates of moved pages, for the run after a change of the template. The new ledger records their present content.
    /// Off by default.
    ///
    /// ```
    /// use sitemap_pages::FolderBuilder;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("index.html");
    /// std::fs::write(&page, "<p>Home")?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let first = builder.since("2026-05-01".parse()?).read(folder.path())?;
    /// std::fs::write(&page, "<p>Home<p>Published by us")?;
    /// let second = builder.ledger(first.ledger().clone()).keep_dates(true).read(folder.path())?;
    /// assert_eq!(second.pages()[0].lastmod(), Some("2026-05-01".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_dates(&mut self, kept: bool) -> &mut Self {
        self.keep_dates = kept;
        self
    }

    /// Sets a function that is called after each file, by several threads at once.
    ///
    /// ```
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com/");
    /// builder.progress(|progress| eprintln!("{} of {}", progress.read, progress.files));
    /// ```
    pub fn progress(&mut self, progress: impl Fn(&ReadingProgress) + Send + Sync + 'static) -> &mut Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Returns the events whose stated dates are used.
    pub(super) fn events(&self) -> &'static [Event] {
        match (self.stated_dates, self.published_dates) {
            (true, true) => &[Event::Modified, Event::Published],
            (true, false) => &[Event::Modified],
            (false, true) => &[Event::Published],
            (false, false) => &[],
        }
    }

    pub(super) fn report(&self, progress: &ReadingProgress) {
        if let Some(report) = &self.progress {
            report(progress);
        }
    }

    /// Returns the configured date, or today in UTC.
    pub(super) fn date_of_run(&self) -> Result<W3cDateTime> {
        match self.now {
            Some(now) => Ok(now),
            None => W3cDateTime::try_from(SystemTime::now())
                .map(|now| now.truncated_to(Precision::Day))
                .map_err(|error| {
                    Error::new(
                        ErrorKind::Setting,
                        format!("this machine's clock is wrong: {error}"),
                    )
                }),
        }
    }
}

impl fmt::Debug for FolderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FolderBuilder")
            .field("base", &self.base)
            .field("style", &self.style)
            .field("include", &self.include)
            .field("exclude", &self.exclude)
            .field("ignore", &self.ignore)
            .field("now", &self.now)
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

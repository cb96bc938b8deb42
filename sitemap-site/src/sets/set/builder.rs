//! The builder of a set.
//!
//! **No setting overwrites another.** A set and a site own the settings of a document (base, location, limits, …), and take the rest from a
//! `WriterBuilder`: `open` and `build` refuse what is theirs (`WriterBuilder::document_settings`), and a test's table has every setting of
//! the writer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sitemap_serde::{Limits, OnInvalid, W3cDateTime, WriterBuilder};

use super::{Shared, SitemapSet};
use crate::error::{Error, ErrorKind, Result};
use crate::part::PartBuilder;
use crate::sets::backend::Backend;
use crate::sets::bucket::Bucket;
use crate::sets::decision::index_writer;
use crate::sets::directory::{Directory, Os};
use crate::sets::name::{TOP_FILE, check_name};
use crate::sets::settings::{Progress, Settings};
use crate::sets::storage::Storage;
use crate::stylesheet;

const HOUR: Duration = Duration::from_secs(3600);

/// A builder for a [`SitemapSet`].
///
/// ```
/// use sitemap_site::SitemapSet;
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("sitemaps");
/// let set = SitemapSet::directory(&root, "https://example.com")
///     .gzip(6)
///     .default_stylesheet(true)
///     .open()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder is not a set yet: end with `.open()?`"]
pub struct SetBuilder {
    target: Target,
    base: String,
    files_url: Option<String>,
    settings: Settings,
}

#[derive(Clone, Debug)]
enum Target {
    Directory {
        root: PathBuf,
        in_place: bool,
    },
    Storage(Arc<dyn Storage>),
    #[cfg(test)]
    Given(Directory),
}

impl SitemapSet {
    /// A set in a directory. `base` is the public URL of the site, such as `https://example.com` or
    /// `https://example.com/shop`: locs that begin with `/` are appended to it, and the files are directly below it, unless
    /// [`SetBuilder::files_url`] is set.
    ///
    /// The web server's root is `root/current`, a link that a commit replaces. On systems without links (Windows) the set is written
    /// [in place](Self::in_place). The directory is created if it does not exist. Network file systems need working file locks.
    pub fn directory(root: impl AsRef<Path>, base: impl Into<String>) -> SetBuilder {
        let root = root.as_ref().to_path_buf();
        let in_place = cfg!(not(unix));
        SetBuilder::new(Target::Directory { root, in_place }, base.into())
    }

    /// A set in a [directory](Self::directory) that is public itself: the web server's root is `root`, and no link is needed.
    ///
    /// The guarantees are weaker: files are replaced one by one, each atomically, the parts first and `sitemap.xml` last. During
    /// the commit, the old index lists parts of the new set, and a part may be newer than its lastmod. If a commit is killed,
    /// this lasts until the next commit. On Windows a file that another program has open cannot be replaced: the commit fails and
    /// must be repeated. `root/.sitemap` is private and must not be served.
    pub fn in_place(root: impl AsRef<Path>, base: impl Into<String>) -> SetBuilder {
        let root = root.as_ref().to_path_buf();
        SetBuilder::new(Target::Directory { root, in_place: true }, base.into())
    }

    /// A set in an object store. `base` is the public URL of the site, and of the store's objects, unless
    /// [`SetBuilder::files_url`] is set.
    ///
    /// Workers put the parts before the commit, under names with 32 hex digits of their content's hash. The commit puts the index, on the
    /// condition that it has not changed since it was read.
    pub fn storage(storage: impl Storage + 'static, base: impl Into<String>) -> SetBuilder {
        SetBuilder::new(Target::Storage(Arc::new(storage)), base.into())
    }
}

impl SetBuilder {
    /// A set on a simulated disk, for tests.
    #[cfg(test)]
    pub(crate) fn over(directory: Directory, base: &str) -> Self {
        SetBuilder::new(Target::Given(directory), base.to_owned())
    }

    fn new(target: Target, base: String) -> Self {
        SetBuilder {
            target,
            base,
            files_url: None,
            settings: Settings {
                base: String::new(),
                location: String::new(),
                writer: WriterBuilder::new(),
                entries: Limits::ENTRIES,
                bytes: Limits::BYTES,
                gzip: None,
                text: false,
                flat: false,
                stylesheet: None,
                news: BTreeMap::new(),
                grace: 24 * HOUR,
                allow_shrinking: false,
                replace_damaged: false,
                progress: None,
                on_invalid: None,
                on_problem: None,
            },
        }
    }

    /// Sets the public URL of the files, if it is not the base: `https://example.com/sitemaps`, without a file name. A
    /// sitemap lists pages in its own directory and below (P-PATH); other pages are only allowed with
    /// [`cross_submission`](WriterBuilder::cross_submission).
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let set = SitemapSet::directory(folder.path(), "https://example.com")
    ///     .files_url("https://example.com/sitemaps")
    ///     .writer(|writer| writer.cross_submission(true)) // the robots.txt of the site names the index
    ///     .open()?;
    /// assert_eq!(set.task_writer("pages", "all")?.write(None, &UrlEntry::new("/about"))?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn files_url(&mut self, url: impl Into<String>) -> &mut Self {
        self.files_url = Some(url.into());
        self
    }

    /// Changes how entries are written: the encoding of percent-encoded locs, indentation, namespaces, cross-submission, and
    /// search engines, whose byte limits then apply to parts. [`open`](Self::open) refuses settings that belong to the set: base,
    /// kind, limits, location, on_invalid, on_problem and stylesheet.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_serde::engine::Engine;
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let set = SitemapSet::directory(folder.path(), "https://example.com")
    ///     .writer(|writer| writer.engine(Engine::Baidu))
    ///     .open()?;
    /// let mut pages = set.task_writer("pages", "all")?;
    /// let long = UrlEntry::new(format!("https://example.com/{}", "a".repeat(237)));
    /// let error = pages.write(None, &long).unwrap_err().to_string();
    /// assert!(error.contains("257 bytes: Baidu reads at most 256 (L-ENGINE)"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn writer(&mut self, change: impl FnOnce(&mut WriterBuilder) -> &mut WriterBuilder) -> &mut Self {
        change(&mut self.settings.writer);
        self
    }

    /// Sets the maximum number of entries of a part, from 1 to 50,000 (P-COUNT), which is the default.
    pub fn max_entries(&mut self, entries: u64) -> &mut Self {
        self.settings.entries = entries;
        self
    }

    /// Sets the maximum size of a part in bytes before compression, from 1 to 52,428,800 (P-SIZE), which is the default.
    pub fn max_bytes(&mut self, bytes: u64) -> &mut Self {
        self.settings.bytes = bytes;
        self
    }

    /// Compresses parts at this level, from 1 to 9, under names that end in `.xml.gz`; 6 is the usual level. `None`, the default, does not
    /// compress them. `sitemap.xml` is never compressed.
    ///
    /// Parts are hashed and compressed while they are written, by the writer's thread and at most 8 more, with about one MiB of
    /// memory each. All writers of a program share these threads. Their number is at most one less than the machine's processors.
    /// The same entries give the same file on every machine.
    #[cfg(feature = "gzip")]
    pub fn gzip(&mut self, level: impl Into<Option<u32>>) -> &mut Self {
        self.settings.gzip = level.into();
        self
    }

    /// If `true`, `sitemap.xml` has the entries of all parts, instead of an index, as long as they fit in one file. By default,
    /// only a set with one part has no index. A set that grows beyond one file gets an index at once, and
    /// [`CommitSummary::warnings`](crate::CommitSummary::warnings) has a warning. The unlisted files of the parts stay next to
    /// `sitemap.xml` for the next [`update`](SitemapSet::update).
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SitemapSet;
    ///
    /// # let root = tempfile::tempdir()?;
    /// let set = SitemapSet::directory(&root, "https://example.com").flat(true).open()?;
    /// let mut pages = set.task_writer("pages", "all")?;
    /// pages.write(None, &UrlEntry::new("/about"))?;
    /// let mut blog = set.task_writer("blog", "all")?;
    /// blog.write(1, &UrlEntry::new("/blog/1"))?;
    /// set.commit(&[pages.finish()?, blog.finish()?])?;
    /// # let root = root.path();
    /// let xml = std::fs::read_to_string(root.join("current/sitemap.xml"))?;
    /// assert!(xml.contains("<loc>https://example.com/about</loc>") && xml.contains("<loc>https://example.com/blog/1</loc>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flat(&mut self, flat: bool) -> &mut Self {
        self.settings.flat = flat;
        self
    }

    /// If `true`, parts are text files with one URL per line (P-TXT1), with names that end in `.txt`, and `sitemap.xml` is always
    /// an index. Off by default.
    pub fn text(&mut self, text: bool) -> &mut Self {
        self.settings.text = text;
        self
    }

    /// If `true`, browsers show the files with the crate's [stylesheet](crate::STYLESHEET), which the set then contains as
    /// `sitemap.css`. Off by default.
    ///
    /// The addresses are text, since CSS cannot make links. Browsers download compressed parts instead of showing them, so with
    /// `gzip` only `sitemap.xml` is shown. If the setting is switched off again, a directory removes the file after the
    /// [grace period](Self::grace), while a storage keeps it.
    pub fn default_stylesheet(&mut self, stylesheet: bool) -> &mut Self {
        self.settings.stylesheet = stylesheet.then_some(stylesheet::SHIPPED);
        self
    }

    /// Makes a section a news section: files of at most 1,000 articles (P-NEWS4), the newest first. With `now`, only articles of
    /// the last two days are listed (P-NEWS5). Rows may come in any order. They stay in memory until
    /// [`finish`](crate::TaskWriter::finish), at most 100,000 of them.
    pub fn news(&mut self, section: impl Into<String>, now: Option<W3cDateTime>) -> &mut Self {
        self.settings.news.insert(section.into(), now);
        self
    }

    /// Sets how long unlisted files stay, since crawlers may still use the old index. A day by default.
    pub fn grace(&mut self, grace: Duration) -> &mut Self {
        self.settings.grace = grace;
        self
    }

    /// If `true`, a commit may publish an empty set, or less than half of the published entries. Off by default, so that a query
    /// that silently returns too few rows does not remove a site from search engines.
    pub fn allow_shrinking(&mut self, allowed: bool) -> &mut Self {
        self.settings.allow_shrinking = allowed;
        self
    }

    /// If `true`, a commit replaces a published set whose manifest is missing or damaged, and writes all files again. Off by default.
    pub fn replace_damaged(&mut self, replaced: bool) -> &mut Self {
        self.settings.replace_damaged = replaced;
        self
    }

    /// Sets a function that is called with the progress of each [`TaskWriter`](crate::TaskWriter): every 1,024 rows, and after each part.
    pub fn progress(&mut self, progress: impl Fn(&Progress<'_>) + Send + Sync + 'static) -> &mut Self {
        self.settings.progress = Some(Arc::new(progress));
        self
    }

    /// Sets the policy for invalid rows: an error (the default), [drop the value](OnInvalid::DropValue), or [skip the
    /// row](OnInvalid::SkipEntry), so that one bad row does not fail the task. Both skip a row that is too large for any part.
    /// The [summary](crate::CommitSummary) has the counts and the first messages. Unless this is set, an
    /// [export](crate::guide::operation) of a site has the site's policy.
    ///
    /// ```
    /// use sitemap_serde::{OnInvalid, UrlEntry};
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let set = SitemapSet::directory(folder.path(), "https://example.com").on_invalid(OnInvalid::SkipEntry).open()?;
    /// let mut products = set.task_writer("products", "all")?;
    /// for (id, path) in [(1, "/lamp"), (2, "ftp://chair")] {
    ///     products.write(id, &UrlEntry::new(path))?;
    /// }
    /// let summary = set.commit(products.finish()?)?;
    /// assert_eq!((summary.entries, summary.skipped, summary.dropped), (1, 1, 0));
    /// assert!(summary.problems[0].starts_with("section products, row 2: `ftp://chair` is not http or https"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_invalid(&mut self, policy: OnInvalid) -> &mut Self {
        self.settings.on_invalid = Some(policy);
        self
    }

    /// Sets a function that is called for each row that is skipped and each value that is dropped, because of
    /// [`on_invalid`](Self::on_invalid). The message contains the section and the row's key.
    pub fn on_problem(&mut self, problem: impl Fn(&Error) + Send + Sync + 'static) -> &mut Self {
        self.settings.on_problem = Some(Arc::new(problem));
        self
    }

    /// Checks the settings and reads the published set. Nothing is written.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if the base, the URL of the files, a number or the name of a section is invalid, or
    /// [`writer`](Self::writer) changes a setting that belongs to the set, or the directory has other files;
    /// [`ErrorKind::Damaged`] if the manifest of the published set cannot be read; [`ErrorKind::Io`].
    pub fn open(&self) -> Result<SitemapSet> {
        let mut settings = self.settings.clone();
        settings.check()?;
        check_writer(&settings.writer, "SetBuilder")
            .map_err(|message| Error::new(ErrorKind::Setting, message))?;
        let location = self.files_url.as_ref().unwrap_or(&self.base);
        location.trim_end_matches('/').clone_into(&mut settings.location);
        self.base.trim_end_matches('/').clone_into(&mut settings.base);
        let location = settings.address(TOP_FILE);
        settings.writer.base(&self.base).location(location);
        if let Some(stylesheet) = settings.stylesheet {
            settings.writer.stylesheet(stylesheet.name);
        }
        let wrong = |error: sitemap_serde::Error| Error::caused(ErrorKind::Setting, error.to_string(), error);
        settings.writer.check().map_err(wrong)?;
        index_writer(&settings).check().map_err(wrong)?;
        check_directory("base", &settings.base)?;
        check_directory("URL of the files", &settings.location)?;
        let mut parts = PartBuilder::new(&settings.writer);
        parts
            .max_entries(settings.entries)
            .max_bytes(settings.bytes)
            .text(settings.text);
        let backend: Box<dyn Backend> = match &self.target {
            Target::Directory { root, in_place } => {
                Box::new(Directory::new(Arc::new(Os), root.clone(), *in_place))
            }
            Target::Storage(storage) => Box::new(Bucket::new(Arc::clone(storage))),
            #[cfg(test)]
            Target::Given(directory) => Box::new(directory.clone()),
        };
        let before = backend.before(settings.replace_damaged)?;
        Ok(SitemapSet {
            shared: Arc::new(Shared {
                settings,
                parts,
                backend,
                before: Mutex::new(before.map(Arc::new)),
                session: Mutex::new(None),
            }),
        })
    }
}

/// Returns a message if the writer has a setting that the set or site would overwrite.
pub(crate) fn check_writer(writer: &WriterBuilder, builder: &str) -> Result<(), String> {
    let Some(setting) = writer.document_settings().into_iter().next() else {
        return Ok(());
    };
    let is_set = builder == "SetBuilder";
    let advice = match setting {
        "base" if is_set => "pass the base to `SitemapSet::directory`, `in_place` or `storage`".to_owned(),
        "base" => "pass the base to `SiteBuilder::new`".to_owned(),
        "location" if is_set => "set the URL of the files by `SetBuilder::files_url`".to_owned(),
        "limits" if is_set => "set them by `SetBuilder::max_entries` and `max_bytes`".to_owned(),
        "limits" => "set the size of parts by `SiteBuilder::part_rows`".to_owned(),
        "stylesheet" if is_set => "use the crate's own by `SetBuilder::default_stylesheet`".to_owned(),
        "stylesheet" => "use the crate's own by `SiteBuilder::html`".to_owned(),
        "on_invalid" | "on_problem" => format!("set it by `{builder}::{setting}`"),
        _ => "leave it out".to_owned(),
    };
    Err(format!(
        "`{builder}::writer` sets `{setting}`, which is not the writer's here: {advice}"
    ))
}

impl Settings {
    /// Checks the numbers, and the names of sections.
    fn check(&self) -> Result<()> {
        let level = self.gzip.map(u64::from);
        for (number, most, what) in [
            (
                self.entries,
                Limits::ENTRIES,
                "`max_entries`, the number of entries of a part (P-COUNT),",
            ),
            (
                self.bytes,
                Limits::BYTES,
                "`max_bytes`, the size of a part (P-SIZE),",
            ),
            (level.unwrap_or(1), 9, "`gzip`, the level of compression,"),
        ] {
            if !(1..=most).contains(&number) {
                return Err(Error::new(
                    ErrorKind::Setting,
                    format!("{what} is set to {number}: it is from 1 to {most}"),
                ));
            }
        }
        let clash = match self.news.keys().next() {
            _ if !self.flat => None,
            Some(section) => Some(format!(
                "the section `{section}` has news, and the set is flat: a news section is a sitemap of its own, which only an index lists"
            )),
            None => self.text.then(|| {
                "the set is flat, and its parts are texts, which cannot be `sitemap.xml`".to_owned()
            }),
        };
        if let Some(clash) = clash {
            return Err(Error::new(
                ErrorKind::Setting,
                format!("{clash}; leave out `flat`"),
            ));
        }
        self.news
            .keys()
            .try_for_each(|section| check_name("section", section))
    }
}

/// Refuses URLs that are not a directory's, since file names are appended.
fn check_directory(what: &str, url: &str) -> Result<()> {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = behind_scheme.split_once('/').map_or("", |(_, path)| path);
    let is_dots = |segment: &str| {
        matches!(
            segment.to_ascii_lowercase().replace("%2e", ".").as_str(),
            "." | ".."
        )
    };
    let is_file = |name: &str| {
        let extension = Path::new(name)
            .extension()
            .and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| matches!(extension, "xml" | "gz" | "txt" | "html" | "htm"))
    };
    let wrong = if url.contains(['?', '#']) {
        "has a query or a fragment"
    } else if path.split('/').any(is_dots) {
        "has the segment `.` or `..`"
    } else if path.rsplit('/').next().is_some_and(is_file) {
        "is the URL of a file"
    } else {
        return Ok(());
    };
    Err(Error::new(
        ErrorKind::Setting,
        format!(
            "the {what} `{}` {wrong}: it is the URL of a directory, such as `https://example.com` or `https://example.com/shop`",
            url.escape_debug()
        ),
    ))
}

//! How a set is set up.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sitemap_serde::{Limits, W3cDateTime, WriterBuilder};

use crate::directory::{Directory, Os};
use crate::error::{Error, ErrorKind, Result};
use crate::manifest::Manifest;
use crate::part::PartBuilder;
use crate::storage::{Bucket, Storage};
use crate::stylesheet;

use super::decision::index_writer;
use super::list::check_name;
use super::{Backend, Progress, Settings, Shared, SitemapSet, TOP_FILE};

const HOUR: Duration = Duration::from_secs(3600);

impl Directory {
    fn into_backend(self, forget: bool) -> Result<(Backend, Option<Manifest>)> {
        let before = match self.load() {
            Err(error) if error.kind() == ErrorKind::Damaged && forget => None,
            before => before?.map(|before| before.manifest),
        };
        Ok((Backend::Directory(self), before))
    }
}

/// Sets up a [`SitemapSet`].
///
/// ```
/// use sitemap_site::SitemapSet;
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("sitemaps");
/// let set = SitemapSet::directory(&root, "https://example.com")
///     .gzip(true)
///     .stylesheet(true)
///     .open()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SetBuilder {
    target: Target,
    base: String,
    place: Option<String>,
    cross_submission: bool,
    #[cfg(feature = "gzip")]
    gzip_level: u32,
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
    /// A set in a directory. `base` is where the site is for the public, such as `https://example.com` or
    /// `https://example.com/shop`: locs that begin with `/` are appended to it, and the files are directly below it, unless
    /// [`SetBuilder::place`] says otherwise.
    ///
    /// The web server's root is `root/current`, a link that a commit replaces; where there are no links (Windows), and with
    /// [`SetBuilder::in_place`], it is `root`. The folder is created if it is not there. The file system keeps files as others do:
    /// on network file systems, locks have to work.
    pub fn directory(root: impl Into<PathBuf>, base: impl Into<String>) -> SetBuilder {
        SetBuilder::new(
            Target::Directory {
                root: root.into(),
                in_place: cfg!(not(unix)),
            },
            base.into(),
        )
    }
}

impl SitemapSet {
    /// A set in an object store. `base` is where the site is for the public, and where the store's objects are, unless
    /// [`SetBuilder::place`] says otherwise.
    ///
    /// Parts are put under names with 32 hex digits of their content's hash, before the commit and by the workers themselves; an index that
    /// is put if it is still the one that was read publishes them.
    pub fn storage(storage: impl Storage + 'static, base: impl Into<String>) -> SetBuilder {
        SetBuilder::new(Target::Storage(Arc::new(storage)), base.into())
    }
}

impl SetBuilder {
    /// A set on a disk of the tests.
    #[cfg(test)]
    pub(crate) fn over(directory: Directory, base: &str) -> Self {
        SetBuilder::new(Target::Given(directory), base.to_owned())
    }

    fn new(target: Target, base: String) -> Self {
        SetBuilder {
            target,
            base,
            place: None,
            cross_submission: false,
            #[cfg(feature = "gzip")]
            gzip_level: 6,
            settings: Settings {
                base: String::new(),
                place: String::new(),
                writer: WriterBuilder::new(),
                entries: Limits::ENTRIES,
                bytes: Limits::BYTES,
                gzip: None,
                text: false,
                stylesheet: None,
                news: BTreeMap::new(),
                grace: 24 * HOUR,
                abandoned_after: 24 * HOUR,
                allow_shrinking: false,
                forget: false,
                progress: None,
            },
        }
    }

    /// Where the files are for the public, if that is not the base: `https://example.com/sitemaps`, without a name of a file. A
    /// sitemap lists pages of its own directory and below (P-PATH); elsewhere only with
    /// [`cross_submission`](Self::cross_submission).
    pub fn place(mut self, url: impl Into<String>) -> Self {
        self.place = Some(url.into());
        self
    }

    /// Whether pages outside of the files' own directory and site may be listed, since the site's robots.txt names the index
    /// (P-HOST, P-PATH). Off by default.
    pub fn cross_submission(mut self, allowed: bool) -> Self {
        self.cross_submission = allowed;
        self
    }

    /// Changes how entries are written: their URLs' encoding, indentation, namespaces. Base, location, limits and stylesheet are
    /// the set's own.
    pub fn writer(mut self, change: impl FnOnce(&mut WriterBuilder)) -> Self {
        change(&mut self.settings.writer);
        self
    }

    /// Parts of at most so many entries, from 1 to 50,000 (P-COUNT), which is the default.
    pub fn entries(mut self, entries: u64) -> Self {
        self.settings.entries = entries.clamp(1, Limits::ENTRIES);
        self
    }

    /// Parts of at most so many bytes before compression, to 52,428,800 (P-SIZE), which is the default.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.settings.bytes = bytes.min(Limits::BYTES);
        self
    }

    /// Whether parts are compressed; their names end in `.xml.gz` then. The top file never is. Off by default.
    ///
    /// A part is compressed beside its writing, by as many threads as it takes to keep up and as there are processors, at most 8, with
    /// a mebibyte for each. The same entries are the same file on every machine.
    #[cfg(feature = "gzip")]
    pub fn gzip(mut self, gzip: bool) -> Self {
        self.settings.gzip = gzip.then_some(self.gzip_level);
        self
    }

    /// How hard to compress, from 1 to 9; 6 by default. Turns [`gzip`](Self::gzip) on.
    #[cfg(feature = "gzip")]
    pub fn gzip_level(mut self, level: u32) -> Self {
        self.gzip_level = level.clamp(1, 9);
        self.settings.gzip = Some(self.gzip_level);
        self
    }

    /// Whether parts are text, one URL a line (P-TXT1), with names that end in `.txt`. The top file is an index always then. Off by
    /// default.
    pub fn text(mut self, text: bool) -> Self {
        self.settings.text = text;
        self
    }

    /// Whether browsers show the files with the [stylesheet](crate::STYLESHEET) that ships with the crate; it is put beside them as
    /// `sitemap.css`. Off by default.
    pub fn stylesheet(mut self, stylesheet: bool) -> Self {
        self.settings.stylesheet = stylesheet.then_some(stylesheet::SHIPPED);
        self
    }

    /// Makes a section one of news: files of at most 1,000 (P-NEWS4), the newest first, and if `now` is given only those of the last two
    /// days (P-NEWS5). Its rows may come in any order; they are kept in memory until [`finish`](crate::PartWriter::finish), at most
    /// 100,000 of them.
    pub fn news(mut self, section: impl Into<String>, now: Option<W3cDateTime>) -> Self {
        self.settings.news.insert(section.into(), now);
        self
    }

    /// How long files stay that are listed no more: crawlers hold the old index. A day by default.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// After what time without a sign of life the written and unpublished parts of other programs are cleared away by a commit. A
    /// day by default; it is the longest that a worker's list may wait to be committed. Of a program that was killed they are cleared
    /// away at once where the file system has locks.
    pub fn abandoned_after(mut self, time: Duration) -> Self {
        self.settings.abandoned_after = time;
        self
    }

    /// Whether a commit may publish an empty set, or one with less than half of the entries that are published. Off by default: a
    /// query that fails silently does not take a site out of the search engines.
    pub fn allow_shrinking(mut self, allowed: bool) -> Self {
        self.settings.allow_shrinking = allowed;
        self
    }

    /// Whether to go on without the manifest of the set before if it is gone or damaged. All files are written anew then. Off by
    /// default.
    pub fn forget(mut self, forget: bool) -> Self {
        self.settings.forget = forget;
        self
    }

    /// Whether a directory is written in place: `root` itself is public, and no link is needed. Off by default, but on systems without
    /// links (Windows).
    ///
    /// What is weaker then: files are replaced one by one, each whole at every moment, the parts first and `sitemap.xml` last. Between the
    /// first and the last, the old index lists parts of the new set, and a part may be newer than its lastmod says; a commit that
    /// is killed leaves it so until the next one. On Windows a file that somebody has open cannot be replaced: the commit fails then, and is
    /// tried again. `root/.sitemap` is private and not to be served.
    pub fn in_place(mut self, in_place: bool) -> Self {
        match &mut self.target {
            Target::Directory { in_place: target, .. } => *target = in_place,
            Target::Storage(_) => {}
            #[cfg(test)]
            Target::Given(_) => {}
        }
        self
    }

    /// Is told how far each [`PartWriter`](crate::PartWriter) is: every 1,024 rows, and after each part.
    pub fn progress(mut self, progress: impl Fn(&Progress<'_>) + Send + Sync + 'static) -> Self {
        self.settings.progress = Some(Arc::new(progress));
        self
    }

    /// Checks the settings and reads what is published. Nothing is written yet.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if the base, the place, or the name of a section is wrong, or the directory is something else's;
    /// [`ErrorKind::Damaged`] if the manifest of the published set cannot be read; [`ErrorKind::Io`].
    pub fn open(self) -> Result<SitemapSet> {
        let mut settings = self.settings;
        for section in settings.news.keys() {
            check_name("section", section)?;
        }
        let place = self.place.unwrap_or_else(|| self.base.clone());
        place.trim_end_matches('/').clone_into(&mut settings.place);
        self.base.trim_end_matches('/').clone_into(&mut settings.base);
        let location = settings.address(TOP_FILE);
        settings
            .writer
            .base(&self.base)
            .location(location)
            .cross_submission(self.cross_submission);
        if let Some(stylesheet) = settings.stylesheet {
            settings.writer.stylesheet(stylesheet.name);
        }
        let wrong = |error: sitemap_serde::Error| Error::caused(ErrorKind::Setting, error.to_string(), error);
        settings.writer.check().map_err(wrong)?;
        index_writer(&settings).check().map_err(wrong)?;
        let parts = PartBuilder::new(&settings.writer)
            .entries(settings.entries)
            .bytes(settings.bytes)
            .text(settings.text);
        let (backend, before) = match self.target {
            Target::Directory { root, in_place } => {
                Directory::new(Arc::new(Os), root, in_place).into_backend(settings.forget)?
            }
            Target::Storage(storage) => {
                let bucket = Bucket::new(storage);
                let before = bucket.load(settings.forget)?.manifest;
                (Backend::Storage(bucket), before)
            }
            #[cfg(test)]
            Target::Given(directory) => directory.into_backend(settings.forget)?,
        };
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

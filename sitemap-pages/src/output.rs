//! Writes the sitemap.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::__internal::Advice;
use sitemap_serde::__internal::grouped;
use sitemap_serde::{Limits, Mode, ReaderBuilder, Record, WriterBuilder};
use sitemap_site::{CommitSummary, SitemapSet};

use crate::address::{Target, origin_of};
use crate::error::{Error, ErrorKind, Result};
use crate::folder::{Folder, MassMove};
use crate::ledger::{MostMoved, replace_file};
use crate::one_file::{too_large, write_set};
use crate::page::DateChange;
use crate::reason::Reason;
use crate::texts::shown;

/// The name of the set's section: its files are `sitemap-pages-1.xml` and so on.
const SECTION: &str = "pages";

impl Folder {
    /// Writes the sitemap as one file, atomically, compressed if its name ends in `.gz`. Returns `false` if the file was already
    /// the same, and so was not written.
    ///
    /// An empty sitemap, or one with less than half of the replaced file's entries, [is
    /// refused](crate::FolderBuilder::allow_shrinking), and nothing is changed. Sets have the same rule.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// let path = folder.path().join("sitemap.xml");
    /// assert!(read.write_file(&path)?);
    /// assert!(!read.write_file(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Output`] if the pages do not fit into one file (P-SIZE), if there are none or too few, if the file belongs to a
    /// set, or if more than half of the pages [have moved at once](crate::FolderBuilder::allow_mass_move); [`ErrorKind::Ledger`] if
    /// the ledger has none of the pages; [`ErrorKind::Io`] if it cannot be written.
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<bool> {
        let path = path.as_ref();
        let xml = self.xml(path)?;
        if !path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
            return replace_file(path, xml.as_bytes());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let compressed = encoder.write_all(xml.as_bytes()).and_then(|()| encoder.finish());
        replace_file(
            path,
            &compressed.map_err(|error| Error::file("write", path, error))?,
        )
    }

    /// Checks whether [`write_file`](Self::write_file) would refuse to write. Nothing is written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("404.html"), "<p>Not found")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert!(read.check_file(folder.path().join("sitemap.xml")).is_err()); // it would be empty
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `write_file`, except [`ErrorKind::Io`].
    pub fn check_file(&self, path: impl AsRef<Path>) -> Result<()> {
        self.xml(path.as_ref()).map(drop)
    }

    /// Returns the sitemap, unless it must not be written to this file.
    fn xml(&self, path: &Path) -> Result<String> {
        check_index(path)?;
        let pages = self.pages().len() as u64;
        if pages > Limits::ENTRIES {
            return Err(too_large(pages, Limits::ENTRIES, "pages"));
        }
        let xml = WriterBuilder::new()
            .entries_to_string(self.pages())
            .map_err(|error| match error.kind() {
                sitemap_serde::ErrorKind::Limit => too_large(pages, Limits::BYTES, "bytes"),
                _ => Error::new(ErrorKind::Output, error.to_string()),
            })?;
        self.check_shrinking(|| entries_of(path), &path.display().to_string())?;
        self.check_mass_move()?;
        Ok(xml)
    }

    /// Refuses a sitemap if more than half of the pages have moved at once.
    fn check_mass_move(&self) -> Result<()> {
        let Some(MassMove { moved, known, most }) = &self.mass_move else {
            return Ok(());
        };
        let shown = most.iter().map(|(file, most)| {
            let pages = grouped(most.pages as u64);
            match self.text_of(file, most) {
                Some(text) => {
                    format!("`{text}` was added to {file}, and others like it to {pages} pages in all")
                }
                None if most.is_added => {
                    format!("something was added to {file}, and in the same place to {pages} pages in all")
                }
                None => format!(
                    "something was removed from {file}, and in the same place from {pages} pages in all"
                ),
            }
        });
        let shown: Vec<String> = shown.collect();
        let keep = Advice::of_api("FolderBuilder::keep_dates", "`FolderBuilder::keep_dates(true)`");
        let allow = Advice::of_api(
            "FolderBuilder::allow_mass_move",
            "allow it with `FolderBuilder::allow_mass_move(true)`",
        );
        let message = format!(
            "{} of {} pages have moved at once, as they do when a template changes ({}): if their content is as it was, keep their dates \
             for this run with {keep}, and if it is not, {allow}; nothing was changed",
            grouped(*moved as u64),
            grouped(*known as u64),
            shown.join("; ")
        );
        Err(Error::new(ErrorKind::Output, message))
    }

    /// Returns the text of a block that was added to the page of a file.
    fn text_of(&self, file: &str, most: &MostMoved) -> Option<String> {
        const LONGEST: usize = 60;
        let page = self.pages().iter().find(|page| page.file() == file)?;
        let document = self.document(page).ok()?;
        let mut blocks = document.texts.explained.iter().flatten();
        let block = blocks.find(|block| most.is_added && block.block == most.block)?;
        let text = shown(&block.text);
        Some(match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        })
    }

    /// Refuses a sitemap that is empty, or has too few entries compared with the old sitemap.
    fn check_shrinking(&self, before: impl FnOnce() -> u64, name: &str) -> Result<()> {
        if self.allow_shrinking {
            return Ok(());
        }
        self.check_ledger()?;
        let (entries, before) = (self.pages().len() as u64, before());
        let problem = if entries == 0 {
            let lost = match before {
                0 => String::new(),
                1 => format!(", and {name} has 1 entry"),
                _ => format!(", and {name} has {before} entries"),
            };
            format!("the sitemap would be empty{lost}{}", self.why())
        } else if entries < before.div_ceil(2) {
            let why = self.why();
            format!("the sitemap would have {entries} entries, less than half of the {before} of {name}{why}")
        } else {
            return Ok(());
        };
        let allow = Advice::of_api(
            "FolderBuilder::allow_shrinking",
            "allow it with `FolderBuilder::allow_shrinking(true)`",
        );
        let message = format!("{problem}: if this is intended, {allow}; nothing was changed");
        Err(Error::new(ErrorKind::Output, message))
    }

    /// Refuses a ledger without any of the pages.
    fn check_ledger(&self) -> Result<()> {
        let known = self.before.len();
        let is_other = known > 0
            && !self.pages().is_empty()
            && self
                .pages()
                .iter()
                .all(|page| page.date_change() == DateChange::New);
        if !is_other {
            return Ok(());
        }
        let allow = Advice::of_api(
            "FolderBuilder::allow_shrinking",
            "allow it with `FolderBuilder::allow_shrinking(true)`",
        );
        let site = self.before.site().unwrap_or("another site");
        let message = format!(
            "the ledger has {} of {site}, and none of them is listed: is it that of another site? If this is intended, {allow}; nothing was \
             changed",
            counted(known)
        );
        Err(Error::new(ErrorKind::Ledger, message))
    }

    /// Returns the reasons why pages are skipped, in brackets.
    fn why(&self) -> String {
        let skipped = self.skipped();
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        let mut origins: BTreeMap<String, usize> = BTreeMap::new();
        for page in skipped {
            *reasons.entry(page.reason.name()).or_default() += 1;
            if let Reason::Canonical { to, .. } | Reason::CanonicalHeader { to, .. } = &page.reason
                && self.address.resolve(to, &page.file, None) == Target::Outside
            {
                let own = self.address.normal_origin();
                let place = match origin_of(to) {
                    Some(origin) if origin != own => origin,
                    _ => format!("{own}/, outside of {}", self.address.base()),
                };
                *origins.entry(place).or_default() += 1;
            }
        }
        let canonical = reasons.get("canonical").copied().unwrap_or_default();
        if let Some((origin, count)) = origins.iter().max_by_key(|(_, count)| **count)
            && *count * 2 > skipped.len()
        {
            let all = if *count == canonical { "all " } else { "" };
            return format!(" ({all}{count} canonical addresses are at {origin})");
        }
        let counted: Vec<String> = reasons
            .iter()
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        if counted.is_empty() {
            return String::new();
        }
        format!(" (skipped: {})", counted.join(", "))
    }

    /// Writes the sitemap as the section `pages` of a set, and publishes it atomically. Unchanged files are not touched.
    ///
    /// ```
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// let set = SitemapSet::in_place(folder.path(), "https://example.com").open()?;
    /// assert_eq!(read.write_set(&set)?.entries, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Output`] with the message of [`sitemap_site::Error`], or if more than half of the pages [have moved at
    /// once](crate::FolderBuilder::allow_mass_move); [`ErrorKind::Ledger`] if the ledger has none of the pages.
    pub fn write_set(&self, set: &SitemapSet) -> Result<CommitSummary> {
        if !self.allow_shrinking {
            self.check_ledger()?;
        }
        self.check_mass_move()?;
        let write = || {
            let mut writer = set.task_writer(SECTION, "folder")?;
            for page in self.pages() {
                writer.write(None, page)?;
            }
            set.commit(&[writer.finish()?])
        };
        write().map_err(|error: sitemap_site::Error| Error::new(ErrorKind::Output, error.to_string()))
    }

    /// Checks a set before [`write_set`](Self::write_set): it must not become empty, or lose more than half of its published
    /// entries, and at most half of its pages may move. Nothing is written.
    ///
    /// ```
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("404.html"), "<p>Not found")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// let set = SitemapSet::in_place(folder.path(), "https://example.com").open()?;
    /// assert!(read.check_set(&set).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Output`] and [`ErrorKind::Ledger`]. [`FolderBuilder::allow_shrinking`](crate::FolderBuilder::allow_shrinking)
    /// allows an empty or smaller set, and [`FolderBuilder::allow_mass_move`](crate::FolderBuilder::allow_mass_move) a mass move.
    pub fn check_set(&self, set: &SitemapSet) -> Result<()> {
        // A set that is not published has no entries.
        let before = || set.entries().map_or(0, |entries| entries.count() as u64);
        self.check_shrinking(before, "the published set")?;
        self.check_mass_move()
    }
}

fn counted(pages: usize) -> String {
    let plural = if pages == 1 { "" } else { "s" };
    format!("{} page{plural}", grouped(pages as u64))
}

/// Counts the entries of a readable sitemap; 0 if there is none.
fn entries_of(path: &Path) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_reader(file);
    let (mut record, mut entries) = (Record::new(), 0);
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => entries += 1,
            Ok(false) => return entries,
            Err(error) if error.ends_reading() => return entries,
            Err(_) => {}
        }
    }
}

/// Refuses to replace the index of an in-place set: its state would no longer match its files.
fn check_index(path: &Path) -> Result<()> {
    let state = path.with_file_name(".sitemap");
    if path.file_name().is_none_or(|name| name != "sitemap.xml") || !state.is_dir() {
        return Ok(());
    }
    let message = format!(
        "{} is the index of a set, whose state is in {}: {}, or write to another file",
        path.display(),
        state.display(),
        write_set()
    );
    Err(Error::new(ErrorKind::Output, message))
}

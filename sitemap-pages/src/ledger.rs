//! The ledger: the blocks of each page, and the date since when.
//!
//! | file | content |
//! |---|---|
//! | this file | [`Ledger`](crate::Ledger): loading, saving, and what it knows of a page |
//! | `text` | its text |
//! | `shared` | blocks and changes that many pages have |
//! | `change` | which pages have moved |

mod change;
mod shared;
mod text;

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use sitemap_serde::W3cDateTime;

use crate::block::Block;
use crate::error::{Error, Result};
use crate::slot::Slot;
pub(crate) use change::{Compared, Comparison, Difference, Kind, MostMoved, Outcome, difference};
pub(crate) use shared::{SharedBlocks, parts};

/// The dates when a folder's pages last changed, with hashes that let the next run detect a change.
///
/// It is a text file, which you commit or cache between builds. [`load`](Self::load) reads it, [`FolderBuilder::ledger`] uses it,
/// and [`Folder::ledger`] is the new one. [Save](Self::save) that once the sitemap is published. [The guide](crate::guide::dates)
/// states its rule.
///
/// [`FolderBuilder::ledger`]: crate::FolderBuilder::ledger
/// [`Folder::ledger`]: crate::Folder::ledger
///
/// ```
/// use sitemap_pages::{FolderBuilder, Ledger};
///
/// # let folder = tempfile::tempdir()?;
/// # let public = folder.path().join("public");
/// # std::fs::create_dir(&public)?;
/// # std::fs::write(public.join("index.html"), "<h1>Lamps</h1>")?;
/// let path = folder.path().join("sitemap-ledger");
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.now("2026-05-01".parse()?).ledger(Ledger::load(&path)?);
/// let first = builder.read(&public)?;
/// assert_eq!(first.pages()[0].lastmod(), None); // nothing is known of a page before the first run
/// first.ledger().save(&path)?;
///
/// std::fs::write(public.join("index.html"), "<h1>Lamps</h1><p>Now in green.")?;
/// builder.now("2026-05-07".parse()?).ledger(Ledger::load(&path)?);
/// assert_eq!(builder.read(&public)?.pages()[0].lastmod(), Some("2026-05-07".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// `true` if there was no ledger before.
    is_new: bool,
    /// The base of the site.
    site: Option<Box<str>>,
    /// Sorted.
    shared: Vec<Block>,
    /// Sorted by their paths.
    pages: Vec<LedgerPage>,
}

/// A page of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LedgerPage {
    /// The path of its URL below the base, percent-encoded.
    pub(crate) path: Box<str>,
    /// Its date.
    pub(crate) since: Option<W3cDateTime>,
    /// The date that the page stated in the last run, believed or not.
    pub(crate) stated: Option<StatedThen>,
    pub(crate) blocks: PageBlocks,
    /// `true` if the line is from an earlier run, because the page was missing in the last one, or had no blocks.
    pub(crate) is_kept: bool,
}

/// A date that a page stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatedThen {
    pub(crate) date: W3cDateTime,
    /// `true` if a date of the page has moved once without its content. The ledger's date counts from then on.
    pub(crate) is_doubted: bool,
}

/// The blocks of a page that are not shared, each part sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageBlocks {
    pub(crate) counted: Box<[Block]>,
    /// Blocks that repeat a block of a linked page. They are not counted. If a change of the other page makes such a block count,
    /// the block is not new on this page.
    pub(crate) excerpts: Box<[Block]>,
    /// The counted blocks with a place in the template, and the place.
    pub(crate) slots: Box<[(Block, Slot)]>,
}

impl PageBlocks {
    /// Takes the blocks of a page that are not shared. `excerpts` is sorted.
    pub(crate) fn of(
        blocks: Box<[Block]>,
        slots: &[(u32, Slot)],
        shared: &SharedBlocks,
        excerpts: &[Block],
    ) -> Self {
        let is_counted = |block: Block| !shared.contains(block) && excerpts.binary_search(&block).is_err();
        let slots = slots.iter().filter_map(|(number, slot)| {
            let block = *blocks.get(*number as usize)?;
            is_counted(block).then_some((block, *slot))
        });
        let mut slots: Vec<(Block, Slot)> = slots.collect();
        slots.sort_unstable();
        let mut own = blocks.into_vec();
        own.retain(|block| !shared.contains(*block));
        own.sort_unstable();
        let (excerpts, counted) = if excerpts.is_empty() {
            (Vec::new(), own)
        } else {
            own.into_iter()
                .partition(|block| excerpts.binary_search(block).is_ok())
        };
        PageBlocks {
            counted: counted.into(),
            excerpts: excerpts.into(),
            slots: slots.into(),
        }
    }
}

impl Ledger {
    /// Makes a ledger for the first run.
    ///
    /// ```
    /// use sitemap_pages::Ledger;
    ///
    /// assert!(Ledger::new().is_new());
    /// ```
    pub fn new() -> Self {
        Ledger {
            is_new: true,
            ..Ledger::default()
        }
    }

    pub(crate) fn of_pages(site: Option<Box<str>>, shared: Vec<Block>, pages: Vec<LedgerPage>) -> Self {
        Ledger {
            is_new: false,
            site,
            shared,
            pages,
        }
    }

    /// Reads a ledger, or makes a new one if the file does not exist.
    ///
    /// ```
    /// use sitemap_pages::Ledger;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert!(Ledger::load(folder.path().join("sitemap-ledger"))?.is_new());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Ledger`](crate::ErrorKind::Ledger) under the conditions of [`parse`](Self::parse),
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match fs::read(path) {
            Ok(bytes) => Ledger::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.at(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ledger::new()),
            Err(error) => Err(Error::file("read", path, error)),
        }
    }

    /// Parses the text of a ledger.
    ///
    /// ```
    /// use sitemap_pages::Ledger;
    ///
    /// let error = Ledger::parse("sitemap-ledger 1\n<<<<<<< HEAD\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2 is a mark of a merge conflict: keep one side whole, by `git checkout --ours` or `--theirs` and the name of the \
    ///      file, and run again; pages that the other side changed have the date of that run"
    /// );
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Ledger`](crate::ErrorKind::Ledger) if it is damaged or truncated, has conflict marks of a merge, or is of a
    /// newer version.
    pub fn parse(text: &str) -> Result<Self> {
        text::parse(text)
    }

    /// Returns `true` if there was no ledger before this run.
    ///
    /// ```
    /// use sitemap_pages::Ledger;
    ///
    /// let ledger = Ledger::parse(&Ledger::new().to_string())?;
    /// assert!(!ledger.is_new());
    /// # Ok::<(), sitemap_pages::Error>(())
    /// ```
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the URL of the folder in the last run.
    pub(crate) fn site(&self) -> Option<&str> {
        self.site.as_deref()
    }

    /// Returns the number of its pages, including pages that have left the folder.
    ///
    /// ```
    /// assert_eq!(sitemap_pages::Ledger::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns `true` if it has no pages.
    ///
    /// ```
    /// assert!(sitemap_pages::Ledger::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Writes the ledger atomically: after a crash the file is the old or the new one. Returns `false` if the file was already the
    /// same, and so was not written.
    ///
    /// ```
    /// use sitemap_pages::Ledger;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("sitemap-ledger");
    /// assert!(Ledger::new().save(&path)?);
    /// assert!(!Ledger::new().save(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<bool> {
        replace_file(path.as_ref(), self.to_string().as_bytes())
    }

    pub(crate) fn pages(&self) -> &[LedgerPage] {
        &self.pages
    }

    pub(crate) fn page(&self, path: &str) -> Option<&LedgerPage> {
        let position = self.pages.binary_search_by(|page| (*page.path).cmp(path)).ok()?;
        self.pages.get(position)
    }

    pub(crate) fn is_shared(&self, block: Block) -> bool {
        self.shared.binary_search(&block).is_ok()
    }
}

/// Replaces a file atomically, unless its content is the same. The new file has the permissions of the old one. Returns `true` if
/// it was replaced.
pub(crate) fn replace_file(path: &Path, content: &[u8]) -> Result<bool> {
    // A symbolic link stays, and its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_same = match fs::read(&target) {
        Ok(before) => before == content,
        Err(_) => false,
    };
    if is_same {
        return Ok(false);
    }
    let permissions = fs::metadata(&target).map(|metadata| metadata.permissions());
    // If this program is killed, the command's next run in this folder removes the file by the end of its name.
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.sitemap-temporary", std::process::id()));
    let new = target.with_file_name(name);
    let written = locked_file(&new).and_then(|mut file| {
        file.write_all(content)?;
        if let Ok(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        // The file stays locked until it has its final name.
        fs::rename(&new, &target)
    });
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        Error::file("write", path, error)
    })?;
    Ok(true)
}

/// Creates an empty file and locks it, since the command removes unlocked temporary files. Without locks, it removes none.
fn locked_file(path: &Path) -> io::Result<File> {
    // More than one file is removed only if another run of the command begins each time.
    for _ in 0..100 {
        let file = File::create(path)?;
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && path.exists() {
            return Ok(file);
        }
        thread::sleep(Duration::from_millis(1));
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_locked_until_it_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".new.sitemap-temporary");
        let file = locked_file(&path).unwrap();
        let other = File::open(&path).unwrap();
        assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
        drop(file);
        assert!(other.try_lock().is_ok());
        // A run of the command has locked it, and removes it.
        assert!(locked_file(&path).is_err());
    }
}

//! Texts from the last run, so that an explanation can show removed ones.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use sitemap_serde::W3cDateTime;

use crate::block::Block;
use crate::error::{Error, ErrorKind, Result};
use crate::ledger::replace_file;

/// The texts of all listed pages in the last run, and the changes that last moved each page.
///
/// The ledger stays small because it has only hashes. With the texts, [`Folder::explain`](crate::Folder::explain) shows removed texts, and the changes of
/// an earlier run. Dates do not depend on them. They are as large as the pages' texts.
///
/// ```
/// use sitemap_pages::{FolderBuilder, KeptTexts};
///
/// # let folder = tempfile::tempdir()?;
/// # let public = folder.path().join("public");
/// # std::fs::create_dir(&public)?;
/// let path = folder.path().join("sitemap-ledger.texts");
/// std::fs::write(public.join("index.html"), "<p>Lamps")?;
/// let mut builder = FolderBuilder::new("https://example.com");
/// let first = builder.read(&public)?;
/// first.texts()?.save(&path)?;
///
/// std::fs::write(public.join("index.html"), "<p>Chairs")?;
/// builder.now("2026-05-02".parse()?).ledger(first.ledger().clone()).texts(KeptTexts::load(&path)?);
/// let second = builder.read(&public)?;
/// assert_eq!(second.explain("/")?.removed_texts, ["Lamps"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTexts {
    /// Keys are the paths of the pages' URLs below the base.
    pub(crate) pages: BTreeMap<String, PageTexts>,
}

/// The texts of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageTexts {
    pub(crate) texts: Vec<String>,
    pub(crate) change: Option<TextChange>,
}

/// The changes when a page last moved.
///
/// ```
/// use sitemap_pages::FolderBuilder;
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Lamps")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// assert_eq!(read.explain("/")?.last_change, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextChange {
    /// The new date of the page.
    pub date: W3cDateTime,
    /// The added texts.
    pub added: Vec<String>,
    /// The removed texts. Empty if none were kept before.
    pub removed: Vec<String>,
}

const NAME: &str = "sitemap-texts 1";

impl KeptTexts {
    /// Reads saved texts; none if the file does not exist.
    ///
    /// ```
    /// use sitemap_pages::KeptTexts;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert_eq!(KeptTexts::load(folder.path().join("sitemap-ledger.texts"))?, KeptTexts::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Ledger`] if the file is damaged, [`ErrorKind::Io`] if it cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(KeptTexts::default()),
            Err(error) => return Err(Error::file("read", path, error)),
        };
        let mut lines = text.lines();
        let pages = (lines.next() == Some(NAME)).then(|| lines.map(parse_page).collect::<Option<_>>());
        match pages.flatten() {
            Some(pages) => Ok(KeptTexts { pages }),
            None => {
                let message = "this is not a file of kept texts, or it is damaged: delete it, and texts are kept from the next run on";
                Err(Error::new(ErrorKind::Ledger, message).at(path))
            }
        }
    }

    /// Writes the texts, atomically. Returns `false` if the file was already the same, and so was not written.
    ///
    /// ```
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("sitemap-ledger.texts");
    /// assert!(sitemap_pages::KeptTexts::default().save(&path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<bool> {
        replace_file(path.as_ref(), self.to_string().as_bytes())
    }

    pub(crate) fn page(&self, path: &str) -> Option<&PageTexts> {
        self.pages.get(path)
    }
}

/// Writes the text of the file.
impl fmt::Display for KeptTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{NAME}")?;
        for (page, PageTexts { texts, change }) in &self.pages {
            let change = change
                .as_ref()
                .map(|change| json!([change.date.to_string(), change.added, change.removed]));
            writeln!(f, "{}", json!([page, texts, change]))?;
        }
        Ok(())
    }
}

impl PageTexts {
    /// Returns the texts of blocks, if known.
    pub(crate) fn of_blocks(&self, blocks: impl Iterator<Item = Block>) -> Vec<String> {
        let mut masked = String::new();
        let known: HashMap<Block, &String> = self
            .texts
            .iter()
            .map(|text| (Block::of(text, &mut masked), text))
            .collect();
        blocks
            .filter_map(|block| Some(shown(known.get(&block)?)))
            .collect()
    }
}

fn parse_page(line: &str) -> Option<(String, PageTexts)> {
    let texts = |value: &Value| {
        let texts = value.as_array()?.iter();
        texts
            .map(|text| Some(text.as_str()?.to_owned()))
            .collect::<Option<Vec<_>>>()
    };
    let value: Value = serde_json::from_str(line).ok()?;
    let [path, own, change] = value.as_array()?.as_slice() else {
        return None;
    };
    let change = match change.as_array().map(Vec::as_slice) {
        Some([date, added, removed]) => Some(TextChange {
            date: date.as_str()?.parse().ok()?,
            added: texts(added)?,
            removed: texts(removed)?,
        }),
        Some(_) => return None,
        None => None,
    };
    let page = PageTexts {
        texts: texts(own)?,
        change,
    };
    Some((path.as_str()?.to_owned(), page))
}

/// A text in one line.
pub(crate) fn shown(text: &str) -> String {
    if text.starts_with('\u{1}') {
        return "(the order of a list)".to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! Why a page has moved or not.

use std::collections::HashMap;
use std::fmt;
use std::fs;

use crate::address::{Target, candidates, percent_decode, percent_encode};
use crate::block::Block;
use crate::error::{Error, ErrorKind, Result};
use crate::folder::Folder;
use crate::html::{Document, Reading, TextKind};
use crate::ledger::{Change, LedgerPage, PageBlocks, difference};
use crate::walk::native_path;

/// The blocks of a page, and what was added and removed since the last run.
///
/// Its `Display` has a line for each block.
///
/// ```
/// use sitemap_pages::{FolderBuilder, Standing};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<nav>Home</nav><h1>Lamps</h1>")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// let explanation = read.explain("index.html")?;
/// assert_eq!(explanation.blocks[0].standing, Standing::Frame);
/// assert_eq!(explanation.to_string(), "  navigation or frame  Home\n  counted              Lamps\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The blocks of the page, in document order.
    pub blocks: Vec<ExplainedBlock>,
    /// The number of counted blocks that were removed. Their texts are not known, since the ledger has hashes.
    pub removed: usize,
    /// The number of counted blocks that were removed from many pages at once, and so do not move the page.
    pub removed_on_many: usize,
}

/// A block of a page.
///
/// ```
/// # use sitemap_pages::{FolderBuilder, Standing};
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<h1>Lamps</h1>")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// let block = &read.explain("index.html")?.blocks[0];
/// assert_eq!((block.text.as_str(), block.standing), ("Lamps", Standing::Counted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainedBlock {
    /// Its text.
    pub text: String,
    /// Whether it is counted.
    pub standing: Standing,
}

/// Whether a block is counted, and why not.
///
/// ```
/// assert_eq!(sitemap_pages::Standing::Links.to_string(), "mostly links");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// It is counted, and was there before.
    Counted,
    /// It is counted, and was added: the page has moved.
    Added,
    /// It was added, but the same was added to many pages.
    AddedOnMany,
    /// It is on many pages.
    Shared,
    /// It repeats a block of a page that this one links to.
    Excerpt,
    /// It is in `nav`, `header`, `footer` or `aside`, outside of `main` and `article`.
    Frame,
    /// More than half of it is links.
    Links,
    /// A selector of [`FolderBuilder::ignore`](crate::FolderBuilder::ignore) names its element.
    Ignored,
}

impl Folder {
    /// Explains why a listed page has moved or not. `page` is the path of its file, or of its address.
    ///
    /// ```
    /// # use sitemap_pages::FolderBuilder;
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("lamps.html"), "<h1>Lamps</h1>")?;
    /// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.explain("/lamps.html")?, read.explain("lamps.html")?);
    /// assert!(read.explain("chairs.html").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if no listed page has the path, [`ErrorKind::Io`] if its file cannot be read again.
    pub fn explain(&self, page: &str) -> Result<Explanation> {
        let wanted = page.trim_start_matches('/');
        let is_wanted = |found: &&crate::Page| {
            found.file() == wanted || found.url() == page || found.url().ends_with(&format!("/{wanted}"))
        };
        let Some(found) = self
            .pages()
            .iter()
            .find(|found| found.file() == wanted)
            .or_else(|| self.pages().iter().find(is_wanted))
        else {
            return Err(Error::new(ErrorKind::Setting, self.why_unlisted(page)));
        };
        let path = self
            .root
            .join(native_path(percent_decode(found.file()).into_owned()));
        let content = fs::read(&path).map_err(|error| Error::file("read", &path, error))?;
        let document = Document::read(
            &content,
            Reading {
                ignored: &self.ignored,
                has_images: false,
                has_title: false,
                keeps_text: true,
            },
        );
        let now = self.ledger().page(found.file());
        let before = self.before.page(found.file());
        Ok(self.explanation(&document, before, now))
    }

    /// Why there is nothing to explain of a page.
    fn why_unlisted(&self, page: &str) -> String {
        let path = match self.address.resolve(page, "", None) {
            Target::Inside { path, .. } => path,
            Target::Outside | Target::NoPage => return format!("`{page}` is not a page of this folder"),
        };
        let mut files = candidates(&path).map(|(file, _)| percent_encode(&file));
        let find = |file: String| self.skipped().iter().find(|skipped| skipped.file == file);
        match files.find_map(find) {
            Some(skipped) => format!("`{page}` is not listed: {skipped}"),
            None => format!("there is no page `{page}` in the folder"),
        }
    }

    fn explanation(
        &self,
        document: &Document,
        before: Option<&LedgerPage>,
        now: Option<&LedgerPage>,
    ) -> Explanation {
        let empty = PageBlocks::default();
        let now = now.map_or(&empty, |page| &page.blocks);
        let changes = before.map_or_else(Vec::new, |before| {
            difference(&self.before, &self.shared, before, now)
        });
        let added: HashMap<Block, Change> = changes
            .iter()
            .filter(|(change, _)| matches!(change, Change::Added(_)))
            .map(|(change, block)| (*block, *change))
            .collect();
        let standing = |kind: TextKind, block: Block| match kind {
            TextKind::Frame => Standing::Frame,
            TextKind::Links => Standing::Links,
            TextKind::Ignored => Standing::Ignored,
            TextKind::Counted if self.shared.contains(block) => Standing::Shared,
            TextKind::Counted if now.excerpts.binary_search(&block).is_ok() => Standing::Excerpt,
            TextKind::Counted => match added.get(&block) {
                None => Standing::Counted,
                Some(change) if self.comparison.is_common(*change) => Standing::AddedOnMany,
                Some(_) => Standing::Added,
            },
        };
        let blocks = document
            .texts
            .explained
            .iter()
            .flatten()
            .map(|block| ExplainedBlock {
                text: block.text.trim().to_owned(),
                standing: standing(block.kind, block.block),
            });
        let removed = |on_many: bool| {
            let is_counted = |change: Change| {
                matches!(change, Change::Removed(_)) && self.comparison.is_common(change) == on_many
            };
            changes.iter().filter(|(change, _)| is_counted(*change)).count()
        };
        Explanation {
            blocks: blocks.collect(),
            removed: removed(false),
            removed_on_many: removed(true),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Standing::Counted => "counted",
            Standing::Added => "added",
            Standing::AddedOnMany => "added on many",
            Standing::Shared => "shared",
            Standing::Excerpt => "excerpt",
            Standing::Frame => "navigation or frame",
            Standing::Links => "mostly links",
            Standing::Ignored => "ignored",
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in &self.blocks {
            let mark = if block.standing == Standing::Added {
                '+'
            } else {
                ' '
            };
            writeln!(f, "{mark} {:20} {}", block.standing, block.text)?;
        }
        if self.removed > 0 {
            writeln!(f, "- {} removed", self.removed)?;
        }
        if self.removed_on_many > 0 {
            writeln!(f, "  {} removed on many pages", self.removed_on_many)?;
        }
        Ok(())
    }
}

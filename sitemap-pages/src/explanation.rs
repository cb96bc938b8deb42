//! Explains why a page has moved or not.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;

use sitemap_serde::W3cDateTime;

use crate::address::{OwnPage, Target, candidates, percent_decode, percent_encode};
use crate::block::Block;
use crate::dates::first_of;
use crate::error::{Error, ErrorKind, Result};
use crate::facts::stated_dates;
use crate::folder::Folder;
use crate::html::{Document, Event, Reading, TextKind};
use crate::ledger::{Difference, LedgerPage, PageBlocks, difference};
use crate::page::{DateChange, DateSource, Page};
use crate::texts::{KeptTexts, PageTexts, TextChange, shown};
use crate::walk::{is_xhtml, native_path};

/// A page's date and its reason, its blocks, and the changes since the last run.
///
/// Its `Display` has a line for the date, and one for each block.
///
/// ```
/// use sitemap_pages::{FolderBuilder, Standing};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<nav>Home</nav><h1>Lamps</h1>")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// let explanation = read.explain("index.html")?;
/// assert_eq!(explanation.blocks[0].standing, Standing::Frame);
/// assert_eq!(
///     explanation.to_string(),
///     "no date: nothing is known of the page before the first run\n  navigation or frame  Home\n  counted              Lamps\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The page's date.
    pub lastmod: Option<W3cDateTime>,
    /// The source of the date.
    pub source: Option<DateSource>,
    /// The reason for the date.
    pub why: String,
    /// The blocks of the page, in document order.
    pub blocks: Vec<ExplainedBlock>,
    /// The number of counted blocks that were removed.
    pub removed: usize,
    /// The texts of these. Empty if texts were [not kept](crate::KeptTexts): the ledger has only hashes.
    pub removed_texts: Vec<String>,
    /// The changes when the page last moved, in an earlier run. `None` if no texts were kept.
    pub last_change: Option<TextChange>,
    /// The number of counted blocks that were removed from many pages at once. They do not move the page.
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
    /// Counted, or the reason why not.
    pub standing: Standing,
}

/// The role of a block in comparisons.
///
/// ```
/// assert_eq!(sitemap_pages::Standing::Links.to_string(), "mostly links");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// It is counted, and not new.
    Counted,
    /// It is counted, and new: the page has moved.
    Added,
    /// It is new, but many pages got the same.
    AddedOnMany,
    /// It is on many pages.
    Shared,
    /// It repeats a block of a page that this one links to.
    Excerpt,
    /// It is in `nav`, `header`, `footer` or `aside`, outside of `main` and `article`.
    Frame,
    /// Links make up more than half of it.
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
        let is_wanted = |found: &&Page| {
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
        let document = self.document(found)?;
        let compared = self.compared(found, &document);
        Ok(self.explanation(found, &document, &compared))
    }

    /// Returns the reason why there is no explanation for a page.
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

    /// Reads a page again, with its texts.
    pub(crate) fn document(&self, page: &Page) -> Result<Document> {
        let file = percent_decode(page.file()).into_owned();
        let path = self.root.join(native_path(file.clone()));
        let content = fs::read(&path).map_err(|error| Error::file("read", &path, error))?;
        let own = OwnPage {
            address: &self.address,
            file: &file,
            name: page.file(),
        };
        let reading = Reading {
            ignored: &self.ignored,
            has_images: false,
            has_title: false,
            events: self.events,
            own: Some(own),
            keeps_text: true,
            is_xml: is_xhtml(&path),
        };
        Ok(Document::read(&content, reading))
    }

    /// Returns the changes of a page since the last run.
    pub(crate) fn compared<'f>(&'f self, page: &Page, document: &Document) -> ComparedPage<'f> {
        let path = self.address.path_of(page.url());
        let now = self.ledger().page(path);
        let before = self
            .before
            .page(self.earlier.get(path).map_or(path, |earlier| earlier));
        let changes = match (before, now) {
            (Some(before), Some(now)) => {
                let changes = difference(&self.before, &self.shared, before, &now.blocks);
                let blocks = [&before.blocks, &now.blocks];
                self.comparison
                    .with_counted(changes, document.texts.kind(), blocks)
            }
            _ => Vec::new(),
        };
        ComparedPage { before, now, changes }
    }

    fn explanation(&self, page: &Page, document: &Document, compared: &ComparedPage<'_>) -> Explanation {
        let empty = PageBlocks::default();
        let now = compared.now.map_or(&empty, |page| &page.blocks);
        let added: HashMap<Block, bool> = compared
            .changes
            .iter()
            .filter(|(found, _)| found.is_added)
            .map(|(found, is_counted)| (found.block, *is_counted))
            .collect();
        let standing = |kind: TextKind, block: Block| match kind {
            TextKind::Frame => Standing::Frame,
            TextKind::Links => Standing::Links,
            TextKind::Ignored => Standing::Ignored,
            TextKind::Counted if self.shared.contains(block) => Standing::Shared,
            TextKind::Counted if now.excerpts.binary_search(&block).is_ok() => Standing::Excerpt,
            TextKind::Counted => match added.get(&block) {
                None => Standing::Counted,
                Some(true) => Standing::Added,
                Some(false) => Standing::AddedOnMany,
            },
        };
        let blocks = document
            .texts
            .explained
            .iter()
            .flatten()
            .map(|block| ExplainedBlock {
                text: shown(&block.text),
                standing: standing(block.kind, block.block),
            });
        let removed = |counted: bool| {
            let removed = compared.changes.iter().filter(|(found, _)| !found.is_added);
            removed
                .filter(move |(_, is_counted)| *is_counted == counted)
                .map(|(found, _)| found.block)
        };
        let kept = compared.before.and_then(|before| self.texts.page(&before.path));
        let removed_texts = kept.map_or_else(Vec::new, |kept| kept.of_blocks(removed(true)));
        Explanation {
            lastmod: page.lastmod(),
            source: page.date_source(),
            why: why(page, compared, document),
            blocks: blocks.collect(),
            removed: removed(true).count(),
            removed_texts,
            last_change: kept.and_then(|kept| kept.change.clone()),
            removed_on_many: removed(false).count(),
        }
    }
}

/// A page of this run, with its page in the last ledger.
pub(crate) struct ComparedPage<'f> {
    pub(crate) before: Option<&'f LedgerPage>,
    now: Option<&'f LedgerPage>,
    /// The changes. The flag is `true` if the change moves the page.
    pub(crate) changes: Vec<(Difference, bool)>,
}

impl ComparedPage<'_> {
    /// Returns `true` if the page changed, but none of the changes moves it.
    fn is_template(&self) -> bool {
        !self.changes.is_empty() && self.changes.iter().all(|(_, is_counted)| !is_counted)
    }
}

fn why(page: &Page, compared: &ComparedPage<'_>, document: &Document) -> String {
    let since = match page.date_source() {
        Some(DateSource::Page) => return "the page states it".to_owned(),
        Some(DateSource::Published) => {
            "the page states it as the date of its publication, and no later change is known"
        }
        Some(DateSource::List) => {
            return "the page is a list, and this is the date of the newest page that it lists first"
                .to_owned();
        }
        None if page.date_change() == DateChange::Unknown => {
            "nothing is known of the page before the first run"
        }
        None | Some(DateSource::Ledger)
            if page.date_change() == DateChange::Same && compared.is_template() =>
        {
            let count = |is_added: bool| {
                compared
                    .changes
                    .iter()
                    .filter(|(found, _)| found.is_added == is_added)
                    .count()
            };
            return format!(
                "{} and {} removed where most pages of its kind changed: taken for the template",
                match count(true) {
                    1 => "1 block added".to_owned(),
                    added => format!("{added} blocks added"),
                },
                count(false)
            );
        }
        None => "its content is as it was in the first run",
        Some(DateSource::Ledger) => match page.date_change() {
            DateChange::Moved => "its content changed since the last run",
            DateChange::New => "it was not there in the last run",
            DateChange::Unknown => "it is the date of the first run's pages",
            DateChange::Same => "its content is as it was then",
        },
    };
    match compared.now.and_then(|now| now.stated) {
        Some(stated) if Some(stated.date) != page.lastmod() => {
            return format!("{since}; the date {} that it states is not believed", stated.date);
        }
        _ => {}
    }
    // A page with another date needs none.
    let stated = stated_dates(&document.head.stated, page.file(), &mut Vec::new());
    match first_of(&stated, Event::Published) {
        Some(date) if page.lastmod().is_none() => {
            format!("{since}; the date of publication {date} that it states is not believed")
        }
        _ => since.to_owned(),
    }
}

impl Folder {
    /// Reads all listed pages again, and returns their texts. [Save](KeptTexts::save) them together with the ledger.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Lamps")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_ne!(read.texts()?, sitemap_pages::KeptTexts::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a page cannot be read.
    pub fn texts(&self) -> Result<KeptTexts> {
        let mut pages = BTreeMap::new();
        for page in self.pages() {
            let document = self.document(page)?;
            let compared = self.compared(page, &document);
            let before = compared.before.and_then(|before| self.texts.page(&before.path));
            let blocks = |is_added: bool| {
                let found = compared.changes.iter().filter(|(_, is_counted)| *is_counted);
                found
                    .filter(move |(found, _)| found.is_added == is_added)
                    .map(|(found, _)| found.block)
            };
            let explained = document.texts.explained.iter().flatten();
            let texts: Vec<String> = explained
                .filter(|block| block.kind == TextKind::Counted)
                .map(|block| block.text.clone())
                .collect();
            let mut kept = PageTexts {
                texts,
                change: before.and_then(|before| before.change.clone()),
            };
            if let (DateChange::Moved, Some(date)) = (page.date_change(), page.lastmod()) {
                kept.change = Some(TextChange {
                    date,
                    added: kept.of_blocks(blocks(true)),
                    removed: before.map_or_else(Vec::new, |before| before.of_blocks(blocks(false))),
                });
            }
            pages.insert(self.address.path_of(page.url()).to_owned(), kept);
        }
        Ok(KeptTexts { pages })
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
        match self.lastmod {
            Some(date) => writeln!(f, "{date}: {}", self.why)?,
            None => writeln!(f, "no date: {}", self.why)?,
        }
        for block in &self.blocks {
            let mark = if block.standing == Standing::Added {
                '+'
            } else {
                ' '
            };
            writeln!(f, "{mark} {:20} {}", block.standing, block.text)?;
        }
        for text in &self.removed_texts {
            writeln!(f, "- {:20} {text}", "removed")?;
        }
        match self.removed - self.removed_texts.len().min(self.removed) {
            0 => {}
            unknown => writeln!(f, "- {unknown} removed: not kept")?,
        }
        if self.removed_on_many > 0 {
            writeln!(f, "  {} removed on many pages", self.removed_on_many)?;
        }
        if let Some(change) = &self.last_change {
            writeln!(f, "what changed on {}:", change.date)?;
            for text in &change.added {
                writeln!(f, "+ {:20} {text}", "added")?;
            }
            for text in &change.removed {
                writeln!(f, "- {:20} {text}", "removed")?;
            }
        }
        Ok(())
    }
}

//! Reading a folder.
//!
//! | module | content |
//! |---|---|
//! | `walk`, `address` | the files of a folder; addresses of files and of links, and the files that answer a request |
//! | `html/` | one page. `decode` (the encoding), `element` and `stack` (open elements), `head` and `json_ld` (what the page says of itself), `text` (its blocks and links) |
//! | `facts` | what is kept of a page, with its links resolved: some hundred bytes |
//! | `host/` | `_redirects`, by which the command's `diff` judges removed pages too, `_headers`, and the `settings` of Netlify, Vercel, Firebase and Azure; `source` makes regular expressions of their patterns, and `json` tells the line of a value |
//! | `listing`, `leads`, `alternates` | which pages are listed and with which addresses; where canonical addresses and redirects lead; pages in other languages |
//! | `block`, `beginning`, `excerpt`, `ledger/`, `dates` | hashes of blocks, and of what they begin with; blocks that repeat those of linked pages; the ledger and the rule of when a page has moved; dates that pages state |
//! | `folder`, `output`, `explanation` | a run; the sitemap as a file or set; why a page has moved |

mod builder;

use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sitemap_serde::W3cDateTime;

use crate::address::{Form, SiteAddress, is_index, path_in};
use crate::alternates::{Alternates, Languages};
use crate::block::Block;
use crate::dates::Believed;
use crate::error::{Error, ErrorKind, Result};
use crate::excerpt::{Content, excerpts};
use crate::facts::{LinkResolver, PageFacts};
use crate::finding::{Finding, FindingKind};
use crate::host::{HostFiles, HostFolders};
use crate::html::{Document, Reading, is_binary};
use crate::images;
use crate::leads::Leads;
use crate::ledger::{Compared, Comparison, Ledger, LedgerPage, Outcome, PageBlocks, SharedBlocks};
use crate::listing::{Listing, ReadPage, Verdict, is_error_page, is_verification};
use crate::page::{DateChange, DateSource, Page};
use crate::patterns::Patterns;
use crate::reason::{Reason, SkippedPage};
use crate::selector::Selector;
use crate::threads;
use crate::walk::{FileId, FileIndex, PageFile, files, has_file};
pub use builder::{FolderBuilder, ReadingProgress};

/// A folder of pages that was read.
///
/// ```
/// use sitemap_pages::FolderBuilder;
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// assert_eq!(read.pages()[0].url(), "https://example.com/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Folder {
    pub(crate) root: PathBuf,
    pub(crate) address: SiteAddress,
    pub(crate) host: HostFiles,
    pub(crate) ignored: Vec<Selector>,
    pub(crate) allow_shrinking: bool,
    pages: Vec<Page>,
    left_out: Vec<SkippedPage>,
    findings: Vec<Finding>,
    pub(crate) before: Arc<Ledger>,
    ledger: Ledger,
    pub(crate) shared: SharedBlocks,
    pub(crate) comparison: Comparison,
}

impl Folder {
    /// The pages that are listed, in the order of their URLs.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// The pages that are not listed, in the order of their files.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("404.html"), "<p>Not found")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.skipped()[0].to_string(), "404.html: a page for errors");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skipped(&self) -> &[SkippedPage] {
        &self.left_out
    }

    /// What is wrong with the pages, in the order of their files and lines.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert!(read.findings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The ledger as it is after this run: to be [saved](Ledger::save) once the sitemap is published.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.ledger().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether there is a file at a path below the folder's address.
    pub(crate) fn has_file(&self, path: &[u8]) -> bool {
        has_file(&self.root, path)
    }
}

impl FolderBuilder {
    /// Reads the pages of a folder, all processors at once.
    ///
    /// ```
    /// use sitemap_pages::{ErrorKind, FolderBuilder};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let error = FolderBuilder::new("https://example.com").read(folder.path()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Folder);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if the base is not the URL of a site, or a pattern or selector cannot be read; [`ErrorKind::Folder`] if the
    /// folder has no pages; [`ErrorKind::Io`] if it cannot be read. A single page that cannot be read is left out.
    pub fn read(&self, folder: impl AsRef<Path>) -> Result<Folder> {
        let root = folder.as_ref();
        let address = SiteAddress::parse(&self.base)?;
        let now = self.date_of_run()?;
        let ignored: Vec<Selector> = self
            .ignore
            .iter()
            .map(|text| Selector::parse(text))
            .collect::<Result<_>>()?;
        let mut include = Patterns::parse(&self.include)?;
        let mut exclude = Patterns::parse(&self.exclude)?;
        let mut findings = Vec::new();
        let files = files(root, &mut include, &mut exclude, &mut findings)?;
        if files.is_empty() {
            let problem = format!(
                "{} has no HTML files: name the folder that the pages were built in",
                root.display()
            );
            return Err(Error::new(ErrorKind::Folder, problem));
        }
        let folders = HostFolders {
            root,
            project: self.project.as_deref(),
        };
        let host = HostFiles::read(folders, &address, &mut findings)?;
        let index = FileIndex::of(&files);
        let linked: Vec<AtomicBool> = files.iter().map(|_| AtomicBool::new(false)).collect();
        let resolver = LinkResolver {
            address: &address,
            files: &index,
            linked: &linked,
        };
        let reading = Reading {
            ignored: &ignored,
            has_images: self.images,
            has_title: self.titles,
            keeps_text: false,
        };
        let mut read = self.read_pages(root, &files, reading, resolver, &mut findings);
        let listing = Listing {
            address: &address,
            files: &files,
            read: &read,
            host: &host,
            resolver,
            style: self.style,
            now,
        };
        let verdicts = listing.verdicts(&mut findings);
        let leads = Leads {
            root,
            listing: &listing,
            verdicts: &verdicts,
        };
        leads.check(&mut findings);
        report_unlinked(&files, &verdicts, &linked, &mut findings);
        // Of a large site it is much memory.
        drop(index);
        let mut run = Run {
            settings: self,
            now,
            address: &address,
            files: &files,
            read: &mut read,
            verdicts: &verdicts,
            findings,
        };
        let dated = run.dated();
        let pages = run.pages(&dated);
        let mut findings = run.findings;
        findings.sort_by(|a, b| {
            (&a.file, a.line, a.kind, &a.message).cmp(&(&b.file, b.line, b.kind, &b.message))
        });
        Ok(Folder {
            root: root.to_owned(),
            address,
            host,
            ignored,
            allow_shrinking: self.allow_shrinking,
            pages,
            left_out: left_out(&files, verdicts),
            findings,
            before: Arc::clone(&self.ledger),
            ledger: dated.ledger,
            shared: dated.shared,
            comparison: dated.comparison,
        })
    }

    fn read_pages(
        &self,
        root: &Path,
        files: &[PageFile],
        reading: Reading<'_>,
        resolver: LinkResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<ReadPage> {
        let done = AtomicUsize::new(0);
        let findings = Mutex::new(findings);
        threads::map(files.len(), |i| {
            let mut found = Vec::new();
            let id = FileId::try_from(i).unwrap_or(FileId::MAX);
            let page = read_page(root, (id, &files[i]), reading, resolver, &mut found);
            if !found.is_empty() {
                let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
                findings.append(&mut found);
            }
            self.report(&ReadingProgress {
                read: done.fetch_add(1, Ordering::Relaxed) + 1,
                files: files.len(),
            });
            page
        })
    }
}

fn read_page(
    root: &Path,
    (id, file): (FileId, &PageFile),
    reading: Reading<'_>,
    resolver: LinkResolver<'_>,
    findings: &mut Vec<Finding>,
) -> ReadPage {
    if file.is_excluded {
        return ReadPage::LeftOut(Box::new(Reason::Excluded));
    }
    if file.is_html && is_error_page(&file.bytes()) {
        return ReadPage::LeftOut(Box::new(Reason::ErrorPage));
    }
    read_content(root, (id, file), reading, resolver, findings).unwrap_or_else(|error| {
        let message = if error.kind() == io::ErrorKind::NotFound {
            "it was removed while the folder was read".to_owned()
        } else {
            error.to_string()
        };
        findings.push(Finding::new(
            file.name(),
            None,
            FindingKind::Unreadable,
            format!("cannot be read: {message}"),
        ));
        ReadPage::LeftOut(Box::new(Reason::Unreadable { message }))
    })
}

fn read_content(
    root: &Path,
    (id, file): (FileId, &PageFile),
    reading: Reading<'_>,
    resolver: LinkResolver<'_>,
    findings: &mut Vec<Finding>,
) -> io::Result<ReadPage> {
    let place = root.join(&file.path);
    if !file.is_html {
        let facts = PageFacts::of_file(File::open(place)?)?;
        return Ok(ReadPage::Facts(Box::new(facts)));
    }
    let content = fs::read(place)?;
    let path = file.bytes();
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if is_verification(name, &content) {
        return Ok(ReadPage::LeftOut(Box::new(Reason::Verification)));
    }
    if is_binary(&content) {
        let message = "is not HTML, in spite of its name: it is not listed";
        findings.push(Finding::new(file.name(), None, FindingKind::NotHtml, message));
        return Ok(ReadPage::LeftOut(Box::new(Reason::NotHtml)));
    }
    let document = Document::read(&content, reading);
    let facts = PageFacts::of(document, id, &file.name(), resolver, findings);
    Ok(ReadPage::Facts(Box::new(facts)))
}

/// Of more pages without links to them, examples are named.
const MOST_UNLINKED: usize = 20;

/// Reports listed pages that nobody finds who starts at another page.
fn report_unlinked(
    files: &[PageFile],
    verdicts: &[Verdict],
    linked: &[AtomicBool],
    findings: &mut Vec<Finding>,
) {
    let pages = files.iter().zip(verdicts).zip(linked);
    let unlinked: Vec<String> = pages
        .filter(|((file, verdict), linked)| {
            let is_home = !file.bytes().contains(&b'/') && is_index(&file.bytes());
            file.is_html
                && matches!(verdict, Verdict::Listed(_))
                && !is_home
                && !linked.load(Ordering::Relaxed)
        })
        .map(|((file, _), _)| file.name())
        .collect();
    if unlinked.len() > MOST_UNLINKED {
        let message = format!(
            "no page links to {} pages that are listed, such as {}",
            unlinked.len(),
            unlinked[..3].join(", ")
        );
        findings.push(Finding::new("", None, FindingKind::Unlinked, message));
        return;
    }
    findings.extend(unlinked.into_iter().map(|file| {
        let message = "is listed, and no page links to it: is it a draft?";
        Finding::new(file, None, FindingKind::Unlinked, message)
    }));
}

fn left_out(files: &[PageFile], verdicts: Vec<Verdict>) -> Vec<SkippedPage> {
    let left_out = files
        .iter()
        .zip(verdicts)
        .filter_map(|(file, verdict)| match verdict {
            Verdict::Listed(_) => None,
            Verdict::LeftOut(reason) => Some(SkippedPage {
                file: file.name(),
                reason: *reason,
            }),
        });
    left_out.collect()
}

/// The second half of a run: dates and entries.
struct Run<'a> {
    settings: &'a FolderBuilder,
    now: W3cDateTime,
    address: &'a SiteAddress,
    files: &'a [PageFile],
    read: &'a mut [ReadPage],
    verdicts: &'a [Verdict],
    findings: Vec<Finding>,
}

/// The dates of a run.
struct Dated {
    shared: SharedBlocks,
    comparison: Comparison,
    ledger: Ledger,
}

impl Run<'_> {
    /// The pages that are listed.
    fn listed(&self) -> impl Iterator<Item = (FileId, &PageFacts, Form)> {
        let verdicts = (0..).zip(&*self.read).zip(self.verdicts);
        verdicts.filter_map(|((id, read), verdict)| match verdict {
            Verdict::Listed(form) => Some((id, read.facts()?, *form)),
            Verdict::LeftOut(_) => None,
        })
    }

    fn dated(&mut self) -> Dated {
        let before = &self.settings.ledger;
        let blocks: Vec<&[Block]> = self
            .listed()
            .map(|(_, facts, _)| &*facts.content.blocks)
            .collect();
        let shared = SharedBlocks::of(&blocks);
        let is_blank: Vec<bool> = blocks.iter().map(|blocks| blocks.is_empty()).collect();
        drop(blocks);
        let own = self.take_blocks(&shared);
        let names: Vec<Box<str>> = self
            .listed()
            .map(|(id, ..)| self.files[id as usize].name().into())
            .collect();
        let compared: Vec<Compared<'_>> = names
            .iter()
            .zip(&own)
            .zip(is_blank)
            .map(|((path, blocks), is_blank)| Compared {
                path,
                blocks,
                is_blank,
            })
            .collect();
        let comparison = Comparison::of(before, &shared, &compared);
        let blank = compared.iter().filter(|page| page.is_blank).map(|page| {
            let message = "has no text that is counted, so that its date stays as it is";
            Finding::new(page.path, None, FindingKind::NoBlocks, message)
        });
        self.findings.extend(blank);
        let own = names.into_iter().zip(own).zip(&comparison.outcomes);
        let mut pages: Vec<LedgerPage> = own
            .map(|((path, blocks), outcome)| self.ledger_page(path, blocks, *outcome))
            .collect();
        let by_path = |a: &LedgerPage, b: &LedgerPage| a.path.cmp(&b.path);
        pages.sort_unstable_by(by_path);
        // A page that goes may come back.
        let is_gone = |page: &&LedgerPage| pages.binary_search_by(|other| by_path(other, page)).is_err();
        let gone: Vec<LedgerPage> = before.pages().iter().filter(is_gone).cloned().collect();
        pages.extend(gone.into_iter().map(|page| LedgerPage {
            is_kept: true,
            ..page
        }));
        pages.sort_unstable_by(by_path);
        Dated {
            ledger: Ledger::of_pages(shared.sorted(), pages),
            shared,
            comparison,
        }
    }

    /// Takes the blocks of each listed page that are not shared. From then on the facts have no content.
    fn take_blocks(&mut self, shared: &SharedBlocks) -> Vec<PageBlocks> {
        // A page that is not listed, such as one that has all chapters for printing, has no excerpts.
        let empty = Content::default();
        let pages: Vec<&Content> = self
            .read
            .iter()
            .zip(self.verdicts)
            .map(|(read, verdict)| match (read, verdict) {
                (ReadPage::Facts(facts), Verdict::Listed(_)) => &facts.content,
                _ => &empty,
            })
            .collect();
        let excerpts = excerpts(&pages, shared);
        let pages = self.read.iter_mut().zip(self.verdicts).zip(excerpts);
        pages
            .filter_map(|((read, verdict), excerpts)| {
                let ReadPage::Facts(facts) = read else { return None };
                let Content { blocks, .. } = mem::take(&mut facts.content);
                matches!(verdict, Verdict::Listed(_)).then(|| PageBlocks::of(blocks, shared, &excerpts))
            })
            .collect()
    }

    fn ledger_page(&self, path: Box<str>, blocks: PageBlocks, outcome: Outcome) -> LedgerPage {
        let before = self.settings.ledger.page(&path);
        let known = before.and_then(|page| page.since);
        let now = Some(self.now);
        let since = match outcome {
            Outcome::New if self.settings.ledger.is_new() => self.first_date(&path).or(self.settings.since),
            Outcome::New | Outcome::Moved => now,
            Outcome::Same | Outcome::Blank => known.or_else(|| self.first_date(&path)),
        };
        let (blocks, is_kept) = match before {
            Some(before) if outcome == Outcome::Blank => (before.blocks.clone(), true),
            _ => (blocks, false),
        };
        LedgerPage {
            path,
            since,
            blocks,
            is_kept,
        }
    }

    /// The date of a page of which nothing else is known.
    fn first_date(&self, file: &str) -> Option<W3cDateTime> {
        self.settings.first_date.as_ref()?(file)
    }

    fn pages(&mut self, dated: &Dated) -> Vec<Page> {
        let mut findings = Vec::new();
        let names = self
            .listed()
            .map(|(id, facts, _)| (self.files[id as usize].name(), facts));
        let believed = Believed::of(names, self.now, &mut findings);
        let languages = Languages::of(&self.settings.languages);
        let alternates = Alternates::new(self.address, self.files, self.read, self.verdicts, &languages);
        let mut pages: Vec<Page> = self
            .listed()
            .zip(&dated.comparison.outcomes)
            .map(|((id, facts, form), outcome)| {
                let file = self.files[id as usize].name();
                let path = path_in(&self.files[id as usize].bytes(), form);
                let stated = believed.date(facts).filter(|_| self.settings.stated_dates);
                let (lastmod, source) = self.lastmod(stated, dated.ledger.page(&file));
                let address = self.address.of_path(&path);
                Page {
                    images: images::listed(facts, &address, &file, &mut findings),
                    url: address.into(),
                    lastmod,
                    source,
                    outcome: self.date_change(*outcome),
                    alternates: alternates.of(id, &mut findings),
                    is_canonical: facts.own_address.is_some(),
                    title: facts.title.clone(),
                    file: file.into(),
                }
            })
            .collect();
        if self.settings.stated_dates {
            self.findings.extend(findings);
        } else {
            self.findings.extend(
                findings
                    .into_iter()
                    .filter(|finding| finding.kind != FindingKind::Date),
            );
        }
        pages.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        pages
    }

    fn lastmod(
        &self,
        stated: Option<W3cDateTime>,
        page: Option<&LedgerPage>,
    ) -> (Option<W3cDateTime>, Option<DateSource>) {
        let known = page
            .and_then(|page| page.since)
            .filter(|_| self.settings.ledger_dates);
        match (stated, known) {
            (Some(date), _) => (Some(date), Some(DateSource::Page)),
            (None, Some(date)) => (Some(date), Some(DateSource::Ledger)),
            (None, None) => (None, None),
        }
    }

    fn date_change(&self, outcome: Outcome) -> DateChange {
        match outcome {
            Outcome::New if self.settings.ledger.is_new() => DateChange::Unknown,
            Outcome::New => DateChange::New,
            Outcome::Moved => DateChange::Moved,
            Outcome::Same | Outcome::Blank => DateChange::Same,
        }
    }
}

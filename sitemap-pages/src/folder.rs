//! Reads a folder.
//!
//! | module | content |
//! |---|---|
//! | `walk`, `address` | the files of a folder; addresses of files and of links, and the files that answer a request |
//! | `html/` | one page. `decode` (the encoding), `element` and `stack` (open elements), `head`, `stated` and `json_ld` (the page's metadata), `text` (its blocks and links), `time` (times of day) |
//! | `facts` | the facts kept of a page, with its links resolved: some hundred bytes |
//! | `host/` | `_redirects` (the command's `diff` also judges removed pages by it), `_headers`, and the `settings` of Netlify, Vercel, Firebase and Azure; `source` turns their patterns into regular expressions, and `json` finds the line of a value |
//! | `listing`, `leads`, `alternates` | the listed pages and their addresses; the targets of canonical addresses and redirects; pages in other languages |
//! | `block`, `beginning`, `excerpt`, `ledger/`, `dates` | hashes of blocks, and of their beginnings; blocks that repeat a linked page's; the ledger and its rule for moved pages; stated dates |
//! | `folder`, `output`, `explanation` | a run; the sitemap as a file or set; why a page has moved |

mod builder;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sitemap_serde::W3cDateTime;

use crate::address::{Form, OwnPage, SiteAddress, is_index, path_in};
use crate::alternates::{Alternates, Languages};
use crate::block::Block;
use crate::dates::{Dating, StatedDates, StatedProblem, StatedProblems, is_build};
use crate::error::{Error, ErrorKind, Result};
use crate::excerpt::{Content, excerpts};
use crate::facts::{LinkResolver, PageFacts};
use crate::finding::{Finding, FindingKind};
use crate::host::{HostFiles, HostFolders};
use crate::html::{Document, Event, Reading, is_binary};
use crate::images;
use crate::leads::Leads;
use crate::ledger::{
    Compared, Comparison, Ledger, LedgerPage, MostMoved, Outcome, PageBlocks, SharedBlocks, StatedThen,
};
use crate::listing::{Listing, ReadPage, Verdict, is_error_page, is_verification};
use crate::lists::{ListPage, Lists};
use crate::one_file::too_large;
use crate::page::{DateChange, DateSource, Page};
use crate::patterns::Patterns;
use crate::reason::{Reason, SkippedPage};
use crate::renames::earlier;
use crate::selector::Selector;
use crate::texts::KeptTexts;
use crate::threads;
use crate::walk::{FileId, FileIndex, PageFile, files, has_file, is_xhtml};
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
    /// The events whose stated dates were read.
    pub(crate) events: &'static [Event],
    pub(crate) allow_shrinking: bool,
    pub(crate) mass_move: Option<MassMove>,
    pages: Vec<Page>,
    left_out: Vec<SkippedPage>,
    findings: Vec<Finding>,
    pub(crate) before: Arc<Ledger>,
    pub(crate) texts: Arc<KeptTexts>,
    /// For pages with a new URL: their earlier path in the ledger, by their present path.
    pub(crate) earlier: HashMap<Box<str>, Box<str>>,
    ledger: Ledger,
    pub(crate) shared: SharedBlocks,
    pub(crate) comparison: Comparison,
}

impl Folder {
    /// Returns the listed pages, sorted by URL.
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

    /// Returns the pages that are not listed, sorted by file.
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

    /// Returns the problems of the pages, sorted by file and line.
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

    /// Returns the ledger after this run. [Save](Ledger::save) it once the sitemap is published.
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

    /// Returns `true` if a file is at a path below the folder's address.
    pub(crate) fn has_file(&self, path: &[u8]) -> bool {
        has_file(&self.root, path)
    }
}

impl FolderBuilder {
    /// Reads the pages of a folder, on all processors.
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
    /// [`ErrorKind::Setting`] if the base is not the URL of a site, or a pattern, selector or language is invalid; [`ErrorKind::Folder`] if
    /// the folder has no pages; [`ErrorKind::Io`] if it cannot be read. A single unreadable page is left out.
    pub fn read(&self, folder: impl AsRef<Path>) -> Result<Folder> {
        let root = folder.as_ref();
        let address = SiteAddress::parse(&self.base)?;
        let now = self.date_of_run()?;
        Languages::check(&self.languages)?;
        let ignored: Vec<Selector> = self
            .ignore
            .iter()
            .map(|text| Selector::parse(text))
            .collect::<Result<_>>()?;
        let mut include = Patterns::parse(&self.include)?;
        let mut exclude = Patterns::parse(&self.exclude)?;
        let mut findings = Vec::new();
        let files = files(root, &mut include, &mut exclude, &mut findings)?;
        self.check_files(root, &files)?;
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
            events: self.events(),
            own: None,
            keeps_text: false,
            is_xml: false,
        };
        let mut found = Vec::new();
        let mut read = self.read_pages(root, &files, reading, resolver, &mut found);
        check_sources(root, &files, &read)?;
        join_unreadable_dates(&mut found);
        findings.append(&mut found);
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
        let earlier = earlier(&self.ledger, &leads);
        // On a large site, it takes much memory.
        drop(index);
        let mut run = Run {
            settings: self,
            now,
            address: &address,
            files: &files,
            read: &mut read,
            verdicts: &verdicts,
            earlier: &earlier,
            findings,
        };
        let dated = run.dated();
        let pages = run.pages(&dated);
        let moved_urls = run.moved_urls();
        let mut findings = run.findings;
        findings.sort_by(|a, b| {
            (&a.file, a.line, a.kind, &a.message).cmp(&(&b.file, b.line, b.kind, &b.message))
        });
        Ok(Folder {
            root: root.to_owned(),
            address,
            host,
            ignored,
            events: self.events(),
            allow_shrinking: self.allow_shrinking,
            mass_move: dated.mass_move.filter(|_| !self.allow_mass_move),
            pages,
            left_out: left_out(&files, verdicts),
            findings,
            before: Arc::clone(&self.ledger),
            texts: Arc::clone(&self.texts),
            earlier: moved_urls,
            ledger: dated.ledger,
            shared: dated.shared,
            comparison: dated.comparison,
        })
    }

    /// Refuses a folder without pages, or with more files than are wanted.
    fn check_files(&self, root: &Path, files: &[PageFile]) -> Result<()> {
        if files.is_empty() {
            let problem = format!(
                "{} has no HTML files: name the folder that the pages were built in",
                root.display()
            );
            return Err(Error::new(ErrorKind::Folder, problem));
        }
        let candidates = files.iter().filter(|file| !file.is_excluded).count() as u64;
        if let Some(most) = self.most_files.filter(|most| candidates > *most) {
            return Err(too_large(candidates, most, "pages"));
        }
        Ok(())
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
    let name = file.name();
    let own = OwnPage {
        address: resolver.address,
        file: &path,
        name: &name,
    };
    let reading = Reading {
        own: Some(own),
        is_xml: is_xhtml(&file.path),
        ..reading
    };
    let document = Document::read(&content, reading);
    let is_fallback = name == "200.html" && document.texts.is_blank();
    if is_fallback || document.is_fragment && !is_index(&path) {
        return Ok(ReadPage::LeftOut(Box::new(Reason::Fragment)));
    }
    let facts = PageFacts::of(document, id, &name, resolver, findings);
    Ok(ReadPage::Facts(Box::new(facts)))
}

/// Refuses a folder of sources, whose titles and links have the code of templates.
fn check_sources(root: &Path, files: &[PageFile], read: &[ReadPage]) -> Result<()> {
    let pages = files
        .iter()
        .zip(read)
        .filter_map(|(file, read)| Some((file, read.facts()?)));
    let pages: Vec<_> = pages.filter(|(file, _)| file.is_html).collect();
    let mut sources = pages.iter().filter(|(_, facts)| facts.is_source);
    let Some((first, _)) = sources.next() else {
        return Ok(());
    };
    let count = sources.count() + 1;
    if count * 2 <= pages.len() {
        return Ok(());
    }
    let problem = format!(
        "{} has sources: {count} of its {} HTML files have code such as `{{{{` in the title or in links, the first of them {}; name the \
         folder that the pages were built in",
        root.display(),
        pages.len(),
        first.name()
    );
    Err(Error::new(ErrorKind::Folder, problem))
}

/// If more pages have one problem, the finding names only examples.
const MOST_NAMED: usize = 20;

/// Reports listed pages without a link from another page.
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
    report(
        FindingKind::Unlinked,
        unlinked,
        "is listed, and no page links to it: is it a draft?",
        |count, such| format!("no page links to {count} pages that are listed, such as {such}"),
        findings,
    );
}

/// Reports each page, or one number if there are many.
fn report(
    kind: FindingKind,
    pages: Vec<String>,
    of_one: &str,
    of_many: impl FnOnce(usize, String) -> String,
    findings: &mut Vec<Finding>,
) {
    if pages.len() > MOST_NAMED {
        let message = of_many(pages.len(), pages[..3].join(", "));
        findings.push(Finding::new("", None, kind, message));
        return;
    }
    findings.extend(
        pages
            .into_iter()
            .map(|file| Finding::new(file, None, kind, of_one)),
    );
}

/// Replaces the findings of dates that cannot be read by one, if there are many. These are the only ones of dates so far.
fn join_unreadable_dates(findings: &mut Vec<Finding>) {
    let is_date = |finding: &Finding| finding.kind == FindingKind::Date;
    let count = findings.iter().filter(|finding| is_date(finding)).count();
    if count <= MOST_NAMED {
        return;
    }
    let dates = findings.extract_if(.., |finding| is_date(finding));
    let first = dates.min_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    if let Some(mut first) = first {
        let others = count - 1;
        first.message = format!(
            "{}; {others} other dates on the site cannot be read either",
            first.message
        );
        findings.push(first);
    }
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
    /// The ledger's page for each page.
    earlier: &'a HashMap<FileId, &'a LedgerPage>,
    findings: Vec<Finding>,
}

/// The dates of a run.
struct Dated {
    shared: SharedBlocks,
    comparison: Comparison,
    ledger: Ledger,
    /// Dates of the listed pages.
    dates: Vec<PageDate>,
    mass_move: Option<MassMove>,
}

/// More than half of all pages have moved at once.
#[derive(Debug)]
pub(crate) struct MassMove {
    pub(crate) moved: usize,
    pub(crate) known: usize,
    /// The files of pages, each with a block that moved many pages.
    pub(crate) most: Vec<(String, MostMoved)>,
}

/// A list with at least this many pages has no date except theirs.
const LONG_LIST: usize = 3;
/// A smaller site may change as a whole.
const LEAST_OF_MASS_MOVE: usize = 20;

/// The date of a page.
#[derive(Clone, Copy, Debug)]
struct PageDate {
    /// The date in the ledger.
    since: Option<W3cDateTime>,
    /// The date in the sitemap.
    shown: Option<W3cDateTime>,
    source: Option<DateSource>,
    change: DateChange,
    stated: Option<StatedThen>,
    /// `true` if it is a list of other pages.
    is_list: bool,
}

/// The dates of a page that nothing else is known of.
#[derive(Clone, Copy, Debug)]
struct FirstDate {
    /// The date from the caller's function.
    given: Option<W3cDateTime>,
    /// The believed date of its publication.
    published: Option<W3cDateTime>,
}

/// The blocks of a page that are not shared.
struct OwnBlocks {
    blocks: PageBlocks,
    /// `true` if one is longer than a title.
    has_prose: bool,
}

impl Run<'_> {
    /// Iterates over the listed pages.
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
        let earlier = self.earlier;
        let listed = self.listed().zip(&own).zip(&is_blank);
        let compared: Vec<Compared<'_>> = listed
            .map(|(((id, facts, _), own), is_blank)| Compared {
                before: earlier.get(&id).copied(),
                blocks: &own.blocks,
                kind: facts.kind,
                is_blank: *is_blank,
            })
            .collect();
        let comparison = Comparison::of(before, &shared, &compared);
        self.report_template(&comparison);
        let dates = self.dates(&comparison, &own);
        let mass_move = self.mass_move(&shared, &comparison, &compared, &dates);
        drop(compared);
        // A list has the date of its pages.
        let blank = self.listed().zip(&is_blank).zip(&dates);
        let blank = blank.filter(|((_, is_blank), date)| **is_blank && !date.is_list);
        let blank = blank.map(|(((id, ..), _), _)| self.files[id as usize].name());
        let blank: Vec<String> = blank.collect();
        report(
            FindingKind::NoBlocks,
            blank,
            "has no text that is counted, so that its date stays as it is",
            |count, such| {
                format!(
                    "{count} pages have no text that is counted, such as {such}: their dates stay as they are"
                )
            },
            &mut self.findings,
        );
        let pages = self.listed().zip(own).zip(dates.iter().zip(&comparison.outcomes));
        let mut pages: Vec<LedgerPage> = pages
            .map(|(((id, _, form), own), (date, outcome))| {
                let path = path_in(&self.files[id as usize].bytes(), form).into();
                let before = self.earlier.get(&id).filter(|_| *outcome == Outcome::Blank);
                LedgerPage {
                    path,
                    since: date.since,
                    stated: date.stated,
                    blocks: before.map_or(own.blocks, |before| before.blocks.clone()),
                    is_kept: before.is_some(),
                }
            })
            .collect();
        let by_path = |a: &LedgerPage, b: &LedgerPage| a.path.cmp(&b.path);
        pages.sort_unstable_by(by_path);
        // A missing page may come back.
        let taken: HashSet<&str> = self.earlier.values().map(|page| &*page.path).collect();
        let gone = before.pages().iter().filter(|page| !taken.contains(&*page.path));
        pages.extend(gone.map(|page| LedgerPage {
            is_kept: true,
            ..page.clone()
        }));
        pages.sort_unstable_by(by_path);
        Dated {
            ledger: Ledger::of_pages(Some(self.address.of_path("").into()), shared.sorted(), pages),
            shared,
            comparison,
            dates,
            mass_move,
        }
    }

    /// Reports pages whose changes are taken for the template's.
    fn report_template(&mut self, comparison: &Comparison) {
        let pages = self.listed().zip(&comparison.outcomes);
        let pages = pages.filter(|(_, outcome)| **outcome == Outcome::Template);
        let names: Vec<String> = pages
            .map(|((id, ..), _)| self.files[id as usize].name())
            .collect();
        let message = match &*names {
            [] => return,
            [name] => format!("{name} changed only where most pages of its kind did; it keeps its date"),
            _ => format!(
                "{} pages changed only where most pages of their kind did, such as {}; they keep their dates",
                names.len(),
                names[..names.len().min(3)].join(", ")
            ),
        };
        self.findings
            .push(Finding::new("", None, FindingKind::Template, message));
    }

    /// Takes the blocks of each listed page that are not shared. Afterwards the facts have no content.
    fn take_blocks(&mut self, shared: &SharedBlocks) -> Vec<OwnBlocks> {
        // An unlisted page takes no part in excerpts. An example is a page for printing, with all chapters.
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
                let content = mem::take(&mut facts.content);
                matches!(verdict, Verdict::Listed(_)).then(|| OwnBlocks {
                    has_prose: content.has_prose(shared, &excerpts),
                    blocks: PageBlocks::of(content.blocks, &content.slots, shared, &excerpts),
                })
            })
            .collect()
    }

    /// Returns the date from the caller's function, for a page without any other.
    fn first_date(&self, id: FileId) -> Option<W3cDateTime> {
        self.settings.first_date.as_ref()?(&self.files[id as usize].name())
    }

    /// Decides the dates of all listed pages.
    fn dates(&mut self, comparison: &Comparison, own: &[OwnBlocks]) -> Vec<PageDate> {
        let mut findings = Vec::new();
        let lists = self.lists(own);
        let stated = self.stated_dates(Event::Modified, &lists, &mut findings);
        let mut of_publications = Vec::new();
        let published = self.stated_dates(Event::Published, &lists, &mut of_publications);
        if self.settings.ledger.is_new() || self.earlier.values().any(|page| page.since.is_none()) {
            findings.append(&mut of_publications);
        }
        let datings: Vec<Dating<'_>> = self
            .listed()
            .zip(&comparison.outcomes)
            .map(|((id, facts, _), outcome)| Dating {
                before: self.earlier.get(&id).copied(),
                outcome: *outcome,
                choice: stated.as_ref().and_then(|stated| stated.choice(facts)),
            })
            .collect();
        let is_build = is_build(datings.iter());
        let mut problems = StatedProblems::default();
        let mut dates = Vec::with_capacity(datings.len());
        for (dating, (id, facts, _)) in datings.iter().zip(self.listed()) {
            let published = published.as_ref().and_then(|published| published.choice(facts));
            let published = published.filter(|choice| choice.is_believed);
            let first = FirstDate {
                given: self.first_date(id),
                published: published.map(|choice| choice.date),
            };
            let (date, problem) = self.date(dating, first, is_build);
            if let (Some(problem), Some(choice)) = (problem, dating.choice) {
                problems.note(problem, || self.files[id as usize].name(), choice);
            }
            dates.push(date);
        }
        findings.extend(problems.findings());
        self.date_lists(&mut dates, &lists);
        self.findings.extend(findings);
        dates
    }

    /// Reads the stated dates of an event. `None` if they are not used.
    fn stated_dates(&self, event: Event, lists: &Lists, findings: &mut Vec<Finding>) -> Option<StatedDates> {
        let pages = self
            .listed()
            .zip(&lists.is_list)
            .filter(|(_, is_list)| !**is_list);
        let names = pages.map(|((id, facts, _), _)| (self.files[id as usize].name(), facts));
        let is_used = self.settings.events().contains(&event);
        is_used.then(|| StatedDates::of(event, names, self.now, findings))
    }

    fn date(
        &self,
        dating: &Dating<'_>,
        first: FirstDate,
        is_build: bool,
    ) -> (PageDate, Option<StatedProblem>) {
        let settings = self.settings;
        let is_first = settings.ledger.is_new();
        let mut decision = dating.decide(self.now, is_build, is_first);
        let known = dating.before.and_then(|page| page.since);
        let then = dating.before.and_then(|page| page.stated);
        let mut change = match dating.outcome {
            Outcome::New if is_first => DateChange::Unknown,
            Outcome::New => DateChange::New,
            Outcome::Moved => DateChange::Moved,
            Outcome::Same | Outcome::Template | Outcome::Blank => DateChange::Same,
        };
        if settings.keep_dates && change == DateChange::Moved {
            (decision.since, decision.problem, change) = (known, None, DateChange::Same);
        }
        if !settings.stated_dates {
            // A stated date is not the ledger's own.
            if change == DateChange::Same && then.is_some_and(|then| known == Some(then.date)) {
                decision.since = None;
            }
            decision.stated = then;
        }
        if decision.since.is_none() {
            let since = settings.since.filter(|_| change == DateChange::Unknown);
            decision.since = first.given.or(first.published).or(since);
        }
        let is_of_run = matches!(change, DateChange::Moved | DateChange::New);
        let is_publication = first.published.is_some() && decision.since == first.published && !is_of_run;
        let is_of_page = dating
            .choice
            .is_some_and(|choice| decision.since == Some(choice.date));
        let (shown, source) = if settings.ledger_dates {
            let source = if is_of_page {
                DateSource::Page
            } else if is_publication {
                DateSource::Published
            } else {
                DateSource::Ledger
            };
            (decision.since, source)
        } else {
            let stated = dating.choice.filter(|choice| choice.is_believed);
            (stated.map(|choice| choice.date), DateSource::Page)
        };
        let date = PageDate {
            since: decision.since,
            shown,
            source: shown.map(|_| source),
            change,
            stated: decision.stated,
            is_list: false,
        };
        (date, decision.problem)
    }

    /// Finds the lists among the listed pages.
    fn lists(&self, own: &[OwnBlocks]) -> Lists {
        let pages = self.listed().zip(own);
        let pages: Vec<ListPage<'_>> = pages
            .map(|((id, facts, _), own)| ListPage {
                id,
                linked: &facts.linked_pages,
                has_prose: own.has_prose,
                texts: own.blocks.counted.len(),
            })
            .collect();
        Lists::of(&pages)
    }

    /// Gives lists of pages the date of their newest page.
    fn date_lists(&self, dates: &mut [PageDate], lists: &Lists) {
        let ids: Vec<FileId> = self.listed().map(|(id, ..)| id).collect();
        for (page, listed) in lists.in_order() {
            let since = lists.newest(listed, |page| dates[page].since);
            let shown = lists.newest(listed, |page| dates[page].shown);
            let before = self.earlier.get(&ids[*page]);
            let known = before.map(|page| page.since);
            // A short list may be a page of few words. Its own edits count, too.
            let is_long = listed.len() >= LONG_LIST;
            if let Some(known) = known.filter(|_| is_long) {
                dates[*page].keep(known);
            }
            dates[*page].list(since, shown, self.settings.ledger_dates);
        }
    }

    /// Describes the most frequent moves, if more than half of all pages have moved at once.
    fn mass_move(
        &self,
        shared: &SharedBlocks,
        comparison: &Comparison,
        compared: &[Compared<'_>],
        dates: &[PageDate],
    ) -> Option<MassMove> {
        let known = compared.iter().filter(|page| page.before.is_some()).count();
        let moved = dates
            .iter()
            .filter(|date| date.change == DateChange::Moved)
            .count();
        if known < LEAST_OF_MASS_MOVE || moved * 2 <= known {
            return None;
        }
        let most = comparison.most_moved(&self.settings.ledger, shared, compared);
        let ids: Vec<FileId> = self.listed().map(|(id, ..)| id).collect();
        let most = most.into_iter().filter_map(|most| {
            let id = *ids.get(most.page)?;
            Some((self.files[id as usize].name(), most))
        });
        Some(MassMove {
            moved,
            known,
            most: most.collect(),
        })
    }

    fn moved_urls(&self) -> HashMap<Box<str>, Box<str>> {
        let pages = self.listed().filter_map(|(id, _, form)| {
            let earlier = &*self.earlier.get(&id)?.path;
            let path = path_in(&self.files[id as usize].bytes(), form);
            (path != earlier).then(|| (path.into(), earlier.into()))
        });
        pages.collect()
    }

    fn pages(&mut self, dated: &Dated) -> Vec<Page> {
        let mut findings = Vec::new();
        let languages = Languages::of(&self.settings.languages);
        let alternates = Alternates::new(self.address, self.files, self.read, self.verdicts, &languages);
        alternates.report_empty(&mut findings);
        let mut pages: Vec<Page> = self
            .listed()
            .zip(&dated.dates)
            .map(|((id, facts, form), date)| {
                let file = self.files[id as usize].name();
                let path = path_in(&self.files[id as usize].bytes(), form);
                let address = self.address.of_path(&path);
                Page {
                    images: images::listed(facts, &address, &file, &mut findings),
                    url: address.into(),
                    lastmod: date.shown,
                    source: date.source,
                    outcome: date.change,
                    alternates: alternates.of(id, &mut findings),
                    is_canonical: facts.own_address.is_some(),
                    title: facts.title.clone(),
                    file: file.into(),
                }
            })
            .collect();
        self.findings.extend(findings);
        pages.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        pages
    }
}

impl PageDate {
    /// Restores the previous date, so that the page's own edits do not count.
    fn keep(&mut self, known: Option<W3cDateTime>) {
        (self.since, self.change) = (known, DateChange::Same);
    }

    /// Gives this page the date of a list: the newest date of its pages, in the ledger (`since`) and in the sitemap (`shown`).
    fn list(&mut self, since: Option<W3cDateTime>, shown: Option<W3cDateTime>, ledger_dates: bool) {
        self.is_list = true;
        if self.change == DateChange::New || self.change == DateChange::Unknown {
            self.since = since.or(self.since);
        } else {
            let is_newer =
                |since: &W3cDateTime| self.since.is_none_or(|own| since.unix_time() > own.unix_time());
            if let Some(since) = since.filter(is_newer) {
                (self.since, self.change) = (Some(since), DateChange::Moved);
            }
        }
        let shown = if ledger_dates { self.since } else { shown };
        if shown != self.shown {
            self.source = shown.map(|_| DateSource::List);
        }
        self.shown = shown;
    }
}

//! `sitemap from`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::json;
use sitemap_pages::{DateChange, DateSource, Finding, FindingKind, Folder, FolderBuilder, Ledger, UrlStyle};
use sitemap_serde::{W3cDateTime, WriterBuilder};
use sitemap_site::SitemapSet;

use crate::input::{counted, grouped};
use crate::message::{Printer, for_output, is_quiet};
use crate::progress::Progress;
use crate::replace::{check_file, in_folder, remove_leavings};

/// Make the sitemap of a folder of built pages, with dates that are true
///
/// Lists each HTML file of FOLDER that may be listed by what it says itself (robots, canonical,
/// refresh), by _redirects, _headers and robots.txt. The date of a page is the one that it states,
/// or that of the run in which its content changed, which the ledger knows: a text file to be
/// committed or cached, with hashes of what the pages' blocks were. It is never the time of the
/// build.
///
/// The exit status is 0 if nothing is wrong, 1 if there are findings, such as a canonical address
/// that leads nowhere, and 2 if nothing was done.
///
///     sitemap from public/ --location https://example.com/ --ledger sitemap-ledger
///     sitemap from book/ --location https://user.example/repo/ --exclude 'drafts/**' --include '*.pdf'
///     sitemap from public/ --location https://example.com/ --ledger sitemap-ledger --explain /lamps.html
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// The folder that the pages were built in
    folder: PathBuf,
    /// The URL of the folder
    #[arg(long, value_name = "URL")]
    location: String,
    /// The sitemap, compressed if its name ends in .gz, - for standard output, or a folder for a set of files [default: FOLDER/sitemap.xml]
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// The ledger: is read, and written after the sitemap
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The date of pages that changed [default: today]
    #[arg(long, value_name = "DATE")]
    now: Option<W3cDateTime>,
    /// The date of pages in the first run [default: none]
    #[arg(long, value_name = "DATE")]
    since: Option<W3cDateTime>,
    /// How pages are addressed [default: as most canonical addresses or links are]
    #[arg(long)]
    style: Option<Style>,
    /// List other files than HTML, too
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Do not list these files
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Elements whose text does not change a page's date, such as .views
    #[arg(long, value_name = "SELECTOR")]
    ignore: Vec<String>,
    /// List pages with their images: og:image, and img outside of navigation; not icons and data URLs
    #[arg(long)]
    images: bool,
    /// Do not use the dates that pages state
    #[arg(long)]
    no_page_dates: bool,
    /// Do not use the ledger's dates; it is read and written all the same
    #[arg(long)]
    no_ledger_dates: bool,
    /// Show the blocks of a page, whether they are counted, and what was added and removed; write nothing
    #[arg(long, value_name = "PATH")]
    explain: Option<String>,
    /// Write nothing, and report what would be refused
    #[arg(long)]
    dry_run: bool,
    /// The format of the report
    #[arg(long, default_value = "human")]
    format: Format,
    /// Replace a sitemap even if it loses more than half of its entries or all, or by a set a sitemap.xml that is not part of one
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Style {
    /// /about.html
    Html,
    /// /about
    Clean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let ledger = options
        .ledger
        .as_ref()
        .map_or_else(|| Ok(Ledger::new()), Ledger::load)?;
    if let Some(path) = &options.ledger {
        check_file(path, "--ledger")?;
    }
    let folder = builder(options, ledger).read(&options.folder)?;
    crate::progress::clear();
    if let Some(page) = &options.explain {
        let explanation = folder.explain(page)?.to_string();
        write!(Printer::stdout(), "{}", for_output(&explanation))?;
        return Ok(ExitCode::SUCCESS);
    }
    let findings = findings(&folder, options.ledger.is_some());
    for finding in &findings {
        print_message!("{finding}");
    }
    let path = out(options);
    let write = || {
        let out = Out::of(options, path.clone())?;
        let written = if options.dry_run {
            out.check(&folder).map(|()| None)
        } else {
            out.write(&folder, options.ledger.as_deref())
        };
        Ok((written?, out))
    };
    let (written, out) = if path == Path::new("-") {
        write()
    } else {
        in_folder(&path, options.dry_run, write)
    }?;
    let report = match options.format {
        Format::Human if is_quiet() => String::new(),
        Format::Human => table(&folder, &findings),
        Format::Json => format!("{:#}\n", report(&folder, &findings)),
    };
    if matches!(out, Out::Standard) && !options.dry_run {
        // Standard output has the sitemap.
        print_note!("{}", report.trim_end());
    } else {
        let mut out = Printer::stdout();
        out.write_all(for_output(&report).as_bytes())?;
        out.flush()?;
    }
    if options.ledger.is_none() && folder.pages().iter().any(|page| page.lastmod().is_none()) {
        print_note!(
            "note: pages that state no date have none: with --ledger FILE, each has that of the run in which its content changed"
        );
    }
    if let Some(written) = written {
        print_note!("{written}");
    }
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

fn builder(options: &Options, ledger: Ledger) -> FolderBuilder {
    let mut builder = FolderBuilder::new(&options.location);
    builder
        .ledger(ledger)
        .images(options.images)
        .stated_dates(!options.no_page_dates)
        .ledger_dates(!options.no_ledger_dates)
        .allow_shrinking(options.force);
    for pattern in &options.include {
        builder.include(pattern);
    }
    for pattern in &options.exclude {
        builder.exclude(pattern);
    }
    for selector in &options.ignore {
        builder.ignore(selector);
    }
    if let Some(now) = options.now {
        builder.now(now);
    }
    if let Some(since) = options.since {
        builder.since(since);
    }
    if let Some(style) = options.style {
        builder.style(match style {
            Style::Html => UrlStyle::Html,
            Style::Clean => UrlStyle::Clean,
        });
    }
    let shown = Mutex::new(Progress::new());
    builder.progress(move |progress| {
        // One thread at a time is enough to show it.
        if let Ok(mut shown) = shown.try_lock() {
            let (read, files) = (progress.read as u64, progress.files as u64);
            shown.show(|| format!("{} of {} read", grouped(read), counted(files, "page")));
        }
    });
    builder
}

/// Where the sitemap is written.
enum Out {
    Standard,
    File(PathBuf),
    Set(PathBuf, SitemapSet),
}

/// The file or folder to write.
fn out(options: &Options) -> PathBuf {
    let default = || options.folder.join("sitemap.xml");
    options.output.clone().unwrap_or_else(default)
}

impl Out {
    fn of(options: &Options, out: PathBuf) -> Result<Out> {
        if out == Path::new("-") {
            return Ok(Out::Standard);
        }
        let is_folder = out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/");
        if !is_folder {
            return Ok(Out::File(out));
        }
        let top = out.join("sitemap.xml");
        if !options.force && top.exists() && !out.join(".sitemap").exists() {
            bail!(
                "{} already exists and is not part of a set: --force replaces it",
                top.display()
            );
        }
        let set = SitemapSet::directory(&out, &options.location)
            .in_place(true)
            .allow_shrinking(options.force)
            .open()?;
        Ok(Out::Set(out, set))
    }

    /// Whether the sitemap would be refused. Nothing is written.
    fn check(&self, folder: &Folder) -> Result<()> {
        match self {
            Out::Standard => folder.check_file("-")?,
            Out::File(path) => folder.check_file(path)?,
            Out::Set(_, set) => folder.check_set(set)?,
        }
        Ok(())
    }

    /// Writes the sitemap, then the ledger, and returns what was done to files.
    fn write(&self, folder: &Folder, ledger: Option<&Path>) -> Result<Option<String>> {
        let (path, is_written) = match self {
            Out::Standard => {
                folder.check_file("-")?;
                let mut out = io::stdout().lock();
                writeln!(out, "{}", WriterBuilder::new().entries_to_string(folder.pages())?)?;
                out.flush().context("cannot write to standard output")?;
                (None, true)
            }
            Out::File(path) => {
                remove_leavings(path);
                (Some(path), folder.write_file(path)?)
            }
            Out::Set(path, set) => (Some(path), folder.write_set(set)?.written > 0),
        };
        if let Some(ledger) = ledger {
            remove_leavings(ledger);
            folder.ledger().save(ledger)?;
        }
        let state = if is_written { "written" } else { "unchanged" };
        Ok(path.map(|path| format!("{}: {state}", path.display())))
    }
}

/// What is wrong. A page without text that could be compared with the ledger matters only where there is one.
fn findings(folder: &Folder, has_ledger: bool) -> Vec<&Finding> {
    let findings = folder.findings().iter();
    findings
        .filter(|finding| has_ledger || finding.kind != FindingKind::NoBlocks)
        .collect()
}

/// Pages skipped by reason, and how many each.
fn reasons(folder: &Folder) -> BTreeMap<&'static str, u64> {
    let mut reasons = BTreeMap::new();
    for skipped in folder.skipped() {
        *reasons.entry(skipped.reason.name()).or_default() += 1;
    }
    reasons
}

fn table(folder: &Folder, findings: &[&Finding]) -> String {
    let count = |is: &dyn Fn(&sitemap_pages::Page) -> bool| {
        folder.pages().iter().filter(|page| is(page)).count() as u64
    };
    let mut rows = vec![
        ("listed", folder.pages().len() as u64),
        (
            "  dated by the page",
            count(&|page| page.date_source() == Some(DateSource::Page)),
        ),
        (
            "  dated by the ledger",
            count(&|page| page.date_source() == Some(DateSource::Ledger)),
        ),
        ("  without a date", count(&|page| page.lastmod().is_none())),
        ("  moved", count(&|page| page.date_change() == DateChange::Moved)),
        ("  new", count(&|page| page.date_change() == DateChange::New)),
        ("skipped", folder.skipped().len() as u64),
    ];
    let reasons = reasons(folder);
    let indented: Vec<(String, u64)> = reasons
        .iter()
        .map(|(name, count)| (format!("  {name}"), *count))
        .collect();
    rows.extend(indented.iter().map(|(name, count)| (name.as_str(), *count)));
    rows.push(("findings", findings.len() as u64));
    let lines = rows
        .iter()
        .map(|(name, count)| format!("{name:24}{:>9}\n", grouped(*count)));
    lines.collect()
}

fn report(folder: &Folder, findings: &[&Finding]) -> serde_json::Value {
    let pages = folder.pages().iter().map(|page| {
        json!({
            "file": page.file(),
            "url": page.url(),
            "lastmod": page.lastmod().map(|date| date.to_string()),
            "date": page.date_source().map(|source| if source == DateSource::Page { "page" } else { "ledger" }),
            "change": match page.date_change() {
                DateChange::Moved => "moved",
                DateChange::New => "new",
                DateChange::Same => "same",
                _ => "unknown",
            },
        })
    });
    let skipped = folder.skipped().iter().map(|skipped| {
        json!({ "file": skipped.file, "reason": skipped.reason.name(), "message": skipped.reason.to_string() })
    });
    let findings = findings.iter().map(|finding| {
        json!({ "file": finding.file, "line": finding.line, "kind": finding.kind.name(), "message": finding.message })
    });
    json!({
        "listed": pages.collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

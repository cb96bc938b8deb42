//! `sitemap from`.
//!
//! | file | content |
//! |---|---|
//! | this file | the options, and the run |
//! | `settings` | the section `[from]` of `sitemap.toml` |
//! | `git` | dates from git |
//! | `report` | what a run prints |
//! | `html`, `robots` | the pages that people read; the line in `robots.txt` |

mod git;
mod html;
mod report;
mod robots;
mod settings;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use sitemap_pages::{Folder, FolderBuilder, KeptTexts, Ledger, Page, Reason, UrlStyle};
use sitemap_serde::{Limits, W3cDateTime, WriterBuilder};
use sitemap_site::SitemapSet;

use crate::input::{counted, grouped, is_sitemap};
use crate::lint::FailOn;
use crate::message::{Printer, Shown, is_quiet, print_json, print_problems};
use crate::missing;
use crate::outputs::{Existing, Outputs};
use crate::progress::Progress;
use crate::replace::{check_place, compress, in_folder, is_gzip_name, keep_set, write_changed};
use crate::url_parts::check_no_user;
use report::{Told, told};
use settings::Settings;

/// Make the sitemap of a folder of built pages, with true dates
///
/// Lists each HTML file of FOLDER unless its own markup (robots, canonical, refresh), robots.txt or
/// the host's settings exclude it: _redirects, _headers, netlify.toml, vercel.json, firebase.json and
/// staticwebapp.config.json. A page gets the date that it states. Otherwise it gets the date of the
/// run that found its content changed, from the ledger: a text file with hashes of the pages' blocks,
/// to be committed or cached. The date is never the time of the build.
///
/// The first run knows nothing of the past: pages that state no date get none, unless --since or
/// --dates provides one.
///
/// The exit status is 0 if nothing at or above --fail-on is found, 1 if something is, and 2 if
/// nothing was written.
///
/// A project's settings are in sitemap.toml, in the working directory or above it; arguments
/// override them:
///
///     [from]
///     folder = "public"
///     location = "https://example.com/"
///     ledger = "sitemap-ledger"
///     exclude = ["drafts/"]             # also: output, project, include, ignore, style, images, since, dates, source,
///                                       # languages, robots, html, html-template, expect-ledger, keep-texts, fail-on
///     [from.findings]
///     unlinked = "off"                  # or note, warning, error
///
///     sitemap from public/ --location https://example.com/ --ledger sitemap-ledger
///     sitemap from book/ --location https://user.example/repo/ --exclude drafts/ --include '*.pdf'
///     sitemap from public/ --location https://example.com/ --ledger sitemap-ledger --dates git --source 'content/{path}.md'
///     sitemap from public/ --location https://example.com/ --ledger sitemap-ledger --explain /lamps.html
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// The folder of the built pages [default: the folder in sitemap.toml]
    folder: Option<PathBuf>,
    /// The URL of the folder
    #[arg(long, value_name = "URL")]
    location: Option<String>,
    /// The sitemap, compressed if its name ends in .gz, - for standard output, or a folder for a set of files [default: FOLDER/sitemap.xml]
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// The ledger: read first, and written after the sitemap
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Write nothing if the ledger does not exist, for example because a cache lost it
    #[arg(long, requires = "ledger")]
    expect_ledger: bool,
    /// Keep the dates of changed pages: use it once after a change of the template
    #[arg(long, requires = "ledger")]
    keep_dates: bool,
    /// Keep the pages' texts in LEDGER.texts, so that --explain shows removed texts and the changes of earlier runs
    #[arg(long, requires = "ledger")]
    keep_texts: bool,
    /// The date of changed pages [default: today]
    #[arg(long, value_name = "DATE", value_parser = |text: &str| date(text, "--now"))]
    now: Option<W3cDateTime>,
    /// The date of pages in the first run [default: none]
    #[arg(long, value_name = "DATE", value_parser = |text: &str| date(text, "--since"))]
    since: Option<W3cDateTime>,
    /// The source of the dates in the first run, used before --since
    #[arg(long, value_name = "WAY")]
    dates: Option<Dates>,
    /// With --dates git: the source of a page, with {path} for its path without index.html or .html. May be given several times
    #[arg(long, value_name = "TEMPLATE")]
    source: Vec<String>,
    /// The form of page addresses [default: by the host's settings, or the form of most canonical addresses or links]
    #[arg(long)]
    style: Option<Style>,
    /// Also list files other than HTML: patterns as in .gitignore
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,
    /// Exclude these files: drafts/ matches every folder of this name, /drafts/ only the one at the top
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Elements whose text does not change a page's date, such as .views
    #[arg(long, value_name = "SELECTOR")]
    ignore: Vec<String>,
    /// The folder with netlify.toml, vercel.json, firebase.json or staticwebapp.config.json [default: the nearest one above FOLDER, up to
    /// the working directory]
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// Languages by their folders, such as en=/,fr=/fr/, for pages without links to other languages
    #[arg(long, value_name = "LANGUAGE=FOLDER", value_delimiter = ',')]
    languages: Vec<String>,
    /// Include the images of pages: og:image, and img outside of navigation, except icons and data URLs
    #[arg(long)]
    images: bool,
    /// Name the sitemap in FOLDER/robots.txt
    #[arg(long)]
    robots: bool,
    /// Write a web page that lists all pages by folder, with their titles
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// With --html: the template of the page; the list replaces <!-- sitemap -->
    #[arg(long, value_name = "FILE")]
    html_template: Option<PathBuf>,
    /// Ignore the modification dates that pages state
    #[arg(long)]
    no_page_dates: bool,
    /// Ignore the ledger's dates, but still read and write the ledger
    #[arg(long)]
    no_ledger_dates: bool,
    /// Show a page's date and the reason for it, its blocks, which of them count, and what was added and removed; write nothing
    #[arg(long, value_name = "PATH")]
    explain: Option<String>,
    /// Write nothing, and report what would be refused
    #[arg(long)]
    dry_run: bool,
    /// Name all moved, new and skipped pages, instead of 20
    #[arg(long)]
    list: bool,
    /// The format of the report
    #[arg(long, default_value = "human")]
    format: Format,
    /// Exit with 1 if something of this severity or worse is found
    ///
    /// [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// Set the severity of a finding: note, warning (or warn), error, or off
    #[arg(long, value_name = "FINDING=SEVERITY", value_parser = settings::levels(), hide_possible_values = true)]
    level: Vec<String>,
    /// Read settings from this file instead of sitemap.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Replace a sitemap even if it loses all or more than half of its entries, if more than half of the pages moved at once, or if a set
    /// replaces a sitemap.xml outside of it
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

/// The source of the dates in the first run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dates {
    /// The last change of each page's source in git
    Git,
    /// The date of publication that each page states
    Published,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// Parses the date of an option.
fn date(text: &str, option: &str) -> Result<W3cDateTime, String> {
    let advice = format!("omit `{option}`");
    text.parse()
        .map_err(|error: sitemap_serde::ValueError| error.to_string().replace("leave the field out", &advice))
}

/// The inputs of a run, from arguments and settings.
struct Run {
    options: Options,
    folder: PathBuf,
    location: String,
    settings: Settings,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let settings = Settings::find(options.config.as_deref())?;
    let options = settings.complete(options.clone());
    let Some(folder) = options.folder.clone() else {
        bail!("nothing to read: name the folder that the pages were built in, or `folder` in sitemap.toml");
    };
    if let Err(error) = fs::metadata(&folder) {
        let error = missing::explain(&folder, error);
        bail!("cannot open {}: {error}", folder.display());
    }
    let Some(location) = options.location.clone() else {
        bail!("--location is missing: the URL of the folder, such as https://example.com/");
    };
    check_no_user(&location)?;
    let run = Run {
        options,
        folder,
        location,
        settings,
    };
    run.run()
}

impl Run {
    fn run(&self) -> Result<ExitCode> {
        let options = &self.options;
        if let Some(path) = &options.ledger {
            check_place(path, "--ledger")?;
        }
        if let Some(path) = &options.html {
            check_place(path, "--html")?;
        }
        let outputs = self.outputs();
        outputs.check()?;
        if options.html_template.is_some() && options.html.is_none() {
            bail!("--html-template needs --html, the page that is written");
        }
        let template = html::template(options.html_template.as_deref())?;
        let levels = self.settings.levels(&options.level)?;
        let ledger = options
            .ledger
            .as_ref()
            .map_or_else(|| Ok(Ledger::new()), Ledger::load)?;
        let is_first = ledger.is_new();
        if let Some(path) = options
            .ledger
            .as_ref()
            .filter(|_| is_first && options.expect_ledger)
        {
            bail!(
                "{} does not exist: all dates that it had would be lost; restore it, or leave out --expect-ledger for a first run",
                path.display()
            );
        }
        let folder = self.builder(ledger)?.read(&self.folder)?;
        outputs.check_pages(&self.folder, pages_of(&folder))?;
        crate::progress::clear();
        if let Some(page) = &options.explain {
            let explanation = folder.explain(page)?.to_string();
            write!(Shown::text(Printer::stdout()), "{explanation}")?;
            return Ok(ExitCode::SUCCESS);
        }
        let path = self.out();
        if options.list {
            print_problems(u64::MAX);
        }
        let mut found = told(&folder, &levels, options.ledger.is_some());
        found.extend(
            self.lost_dates(&folder, is_first, &path)
                .and_then(|told| told.levelled(&levels)),
        );
        let is_in_report = path == Path::new("-") && options.format == Format::Json;
        if !is_in_report {
            report::print(&found);
        }
        let robots = options
            .robots
            .then(|| robots::Line::new(&self.folder, &self.location, &path));
        let robots = robots.transpose()?;
        let write = || {
            let out = Out::of(self, path.clone())?;
            let written = if options.dry_run {
                out.check(&folder).map(|()| None)
            } else {
                out.write(&folder, options.ledger.as_deref(), options.keep_texts)
            };
            Ok((written?, out))
        };
        let (written, out) = if path == Path::new("-") {
            write()
        } else {
            in_folder(&path, options.dry_run, write)
        }?;
        let mut written: Vec<String> = written.into_iter().collect();
        if !options.dry_run {
            if let Some(path) = &options.html {
                let page = template.page(&folder, &self.location);
                written.push(state(path, write_changed(path, page.as_bytes())?));
            }
            if let Some(line) = robots {
                written.push(state(line.path(), line.write()?));
            }
        }
        self.report(&folder, &found, &out, is_in_report)?;
        if !is_in_report {
            self.print_notes(&folder, is_first);
            for written in written {
                print_note!("{written}");
            }
        }
        let limit = options.fail_on.unwrap_or(FailOn::Error);
        let fails = found.iter().any(|told| limit.is_reached(told.severity));
        Ok(ExitCode::from(u8::from(fails)))
    }

    fn report(&self, folder: &Folder, found: &[Told], out: &Out, is_in_report: bool) -> Result<()> {
        let options = &self.options;
        if is_in_report && !options.dry_run {
            // The sitemap goes to standard output, so the JSON report is all that standard error gets.
            print_json(&report::json(folder, found));
            return Ok(());
        }
        let report = match options.format {
            Format::Human if is_quiet() => String::new(),
            Format::Human => report::table(folder, found) + &report::lists(folder, options.list),
            Format::Json => format!("{:#}\n", report::json(folder, found)),
        };
        if matches!(out, Out::Standard) && !options.dry_run {
            print_note!("{}", report.trim_end());
        } else {
            let mut out = match options.format {
                Format::Human => Shown::text(Printer::stdout()),
                Format::Json => Shown::json(Printer::stdout()),
            };
            out.write_all(report.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    fn print_notes(&self, folder: &Folder, is_first: bool) {
        let has_undated = folder.pages().iter().any(|page| page.lastmod().is_none());
        match &self.options.ledger {
            None if has_undated => print_note!(
                "note: pages that state no date have none: with --ledger FILE, each gets the date of the run in which its content changed"
            ),
            Some(path) if is_first && has_undated => print_note!(
                "note: {} is new: pages that state no date have none until they change, but for --since or --dates",
                path.display()
            ),
            _ => {}
        }
    }

    /// Returns a finding if the dates of the replaced sitemap are lost because there is no ledger.
    fn lost_dates(&self, folder: &Folder, is_first: bool, path: &Path) -> Option<Told> {
        let ledger = self.options.ledger.as_ref().filter(|_| is_first)?;
        let before = report::dates_of(path);
        let now = folder
            .pages()
            .iter()
            .filter(|page| page.lastmod().is_some())
            .count();
        (before > now).then(|| {
            Told::of_ledger(format!(
                "{} does not exist, and {} has {}, of which {} would be left: another program wrote them, or the ledger was lost",
                ledger.display(),
                path.display(),
                counted(before as u64, "date"),
                grouped(now as u64)
            ))
        })
    }

    /// Returns the files that the run reads and writes.
    fn outputs(&self) -> Outputs {
        let options = &self.options;
        let out = self.out();
        let outputs = Outputs::new()
            .force(options.force)
            .reads(&options.html_template)
            .reads(&options.config);
        let outputs = if is_folder(&out) {
            outputs.writes_set(&out, "pages")
        } else {
            outputs.writes("-o", Some(&out), Existing::Sitemap(is_sitemap))
        };
        let texts = options
            .ledger
            .as_deref()
            .filter(|_| options.keep_texts)
            .map(texts_of);
        let robots = options.robots.then(|| self.folder.join("robots.txt"));
        outputs
            .writes("--ledger", options.ledger.as_ref(), Existing::Checked)
            .writes("--keep-texts", texts.as_ref(), Existing::Checked)
            .writes("--html", options.html.as_ref(), Existing::Own(html::is_own))
            .writes("--robots", robots.as_ref(), Existing::Checked)
    }

    /// Returns the file or folder to write.
    fn out(&self) -> PathBuf {
        let default = || self.folder.join("sitemap.xml");
        self.options.output.clone().unwrap_or_else(default)
    }

    fn builder(&self, ledger: Ledger) -> Result<FolderBuilder> {
        let options = &self.options;
        let mut builder = FolderBuilder::new(&self.location);
        if !options.force && options.explain.is_none() && !is_folder(&self.out()) {
            builder.max_files(Limits::ENTRIES);
        }
        builder
            .ledger(ledger)
            .images(options.images)
            .titles(options.html.is_some())
            .stated_dates(!options.no_page_dates)
            .ledger_dates(!options.no_ledger_dates)
            .keep_dates(options.keep_dates)
            .allow_shrinking(options.force)
            .allow_mass_move(options.force);
        if let Some(ledger) = &options.ledger
            && (options.keep_texts || options.explain.is_some())
        {
            builder.texts(KeptTexts::load(texts_of(ledger))?);
        }
        for pattern in &options.include {
            builder.include(pattern);
        }
        for pattern in &options.exclude {
            builder.exclude(pattern);
        }
        // A page written by an earlier run is not one of the site's.
        if let Some(own) = options
            .html
            .as_ref()
            .filter(|path| html::is_own(path))
            .and_then(|path| html::pattern(&self.folder, path))
        {
            builder.exclude(own);
        }
        for selector in &options.ignore {
            builder.ignore(selector);
        }
        for language in &options.languages {
            let Some((language, folder)) = language.split_once('=') else {
                bail!(
                    "--languages {language}: write each language and the folder of its pages, such as `en=/,fr=/fr/`"
                );
            };
            builder.language(language.trim(), folder.trim());
        }
        if let Some(project) = options.project.clone().or_else(|| project(&self.folder)) {
            builder.project(project);
        }
        if let Some(now) = options.now {
            builder.now(now);
        }
        if let Some(since) = options.since {
            builder.since(since);
        }
        match options.dates {
            Some(Dates::Git) => {
                let history = git::History::read(&options.source)?;
                builder.first_date(move |file| history.date(file));
            }
            _ if !options.source.is_empty() => bail!("--source needs --dates git"),
            Some(Dates::Published) => {
                builder.published_dates(true);
            }
            None => {}
        }
        if let Some(style) = options.style {
            builder.style(match style {
                Style::Html => UrlStyle::Html,
                Style::Clean => UrlStyle::Clean,
            });
        }
        let shown = Mutex::new(Progress::new());
        builder.progress(move |progress| {
            // Skips the update while another thread prints one.
            if let Ok(mut shown) = shown.try_lock() {
                let (read, files) = (progress.read as u64, progress.files as u64);
                shown.show(|| format!("{} of {} read", grouped(read), counted(files, "page")));
            }
        });
        Ok(builder)
    }
}

/// Returns the nearest folder with host settings above the pages, up to the working directory.
pub(crate) fn project(folder: &Path) -> Option<PathBuf> {
    const SETTINGS: [&str; 4] = [
        "netlify.toml",
        "vercel.json",
        "firebase.json",
        "staticwebapp.config.json",
    ];
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let above = folder
        .ancestors()
        .skip(1)
        .take_while(|above| above.starts_with(&here));
    let mut above = above.filter(|above| SETTINGS.iter().any(|name| above.join(name).is_file()));
    above.next().map(Path::to_owned)
}

/// Returns the files of a folder that were read as pages.
fn pages_of(folder: &Folder) -> impl Iterator<Item = &str> {
    let skipped = folder
        .skipped()
        .iter()
        .filter(|page| page.reason != Reason::Excluded);
    let skipped = skipped.map(|page| &*page.file);
    folder.pages().iter().map(Page::file).chain(skipped)
}

/// Returns `true` if the output is a folder, for a set.
fn is_folder(out: &Path) -> bool {
    out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Describes the change to a file.
fn state(path: &Path, is_written: bool) -> String {
    let state = if is_written { "written" } else { "unchanged" };
    format!("{}: {state}", path.display())
}

/// Returns the file next to a ledger for its texts.
fn texts_of(ledger: &Path) -> PathBuf {
    let mut path = ledger.as_os_str().to_owned();
    path.push(".texts");
    path.into()
}

/// The destination of the sitemap.
enum Out {
    Standard,
    File(PathBuf),
    Set(PathBuf, SitemapSet),
}

impl Out {
    fn of(run: &Run, out: PathBuf) -> Result<Out> {
        if out == Path::new("-") {
            return Ok(Out::Standard);
        }
        if !is_folder(&out) {
            return Ok(Out::File(out));
        }
        let set = SitemapSet::in_place(&out, &run.location)
            .allow_shrinking(run.options.force)
            .open()?;
        Ok(Out::Set(out, set))
    }

    /// Returns an error if the sitemap would be refused. Writes nothing.
    fn check(&self, folder: &Folder) -> Result<()> {
        match self {
            Out::Standard => folder.check_file("-")?,
            Out::File(path) => folder.check_file(path)?,
            Out::Set(_, set) => folder.check_set(set)?,
        }
        Ok(())
    }

    /// Writes the sitemap, then the ledger, and describes the changed files.
    fn write(&self, folder: &Folder, ledger: Option<&Path>, keep_texts: bool) -> Result<Option<String>> {
        let (path, is_written) = match self {
            Out::Standard => {
                folder.check_file("-")?;
                let mut out = Shown::text(io::stdout().lock());
                writeln!(out, "{}", WriterBuilder::new().entries_to_string(folder.pages())?)?;
                out.flush().context("cannot write to standard output")?;
                (None, true)
            }
            Out::File(path) => {
                folder.check_file(path)?;
                let mut content = Vec::new();
                compress(&mut content, is_gzip_name(path), |to| {
                    let xml = WriterBuilder::new().entries_to_string(folder.pages())?;
                    Ok(to.write_all(xml.as_bytes())?)
                })?;
                (Some(path), write_changed(path, &content)?)
            }
            Out::Set(path, set) => {
                let summary = keep_set(path, || Ok(folder.write_set(set)?))?;
                (Some(path), summary.written > 0)
            }
        };
        if let Some(ledger) = ledger {
            write_changed(ledger, folder.ledger().to_string().as_bytes())?;
            if keep_texts {
                write_changed(&texts_of(ledger), folder.texts()?.to_string().as_bytes())?;
            }
        }
        Ok(path.map(|path| state(path, is_written)))
    }
}

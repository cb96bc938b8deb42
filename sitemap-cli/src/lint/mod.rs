//! `sitemap lint`.

mod baseline;
mod excerpt;
mod explain;
mod fix;
mod github;
mod human;
mod json;
mod pages;
mod sarif;
mod settings;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::engine::Engine;
use sitemap_serde::lint::{self, Linter};
use sitemap_serde::robots::Robots;
use sitemap_serde::{Diagnostic, Error, Rule, W3cDateTime, lint::Severity};

use crate::input::{Formats, Input, inputs, url_path};
use crate::live::Live;
use crate::progress::{BesideProgress, Progress};

use self::baseline::Baseline;
pub(crate) use self::json::diagnostic_object;
use self::settings::Settings;

/// Find problems in sitemaps
///
/// Reads files, directories and standard input (-) as one set, such as an index and the sitemaps that it lists. In directories it
/// reads the files named .xml, and text sitemaps and feeds named .txt, .rss, .atom and .rdf, compressed (.gz) or not.
///
/// The exit status is 0 if nothing at or above --fail-on is found, 1 if something is, and 2 if a file cannot be read or
/// --fix cannot mend it, or if an argument is invalid. The other files are checked all the same.
///
/// A project's settings are in sitemap.toml, in the working directory or above it; arguments override them:
///
///     [lint]
///     root = "public"                   # the directory with this location, which is read if no FILES are named
///                                       # [default: the directory of sitemap.toml]
///     location = "https://example.com/"
///     fail-on = "warning"
///     for = ["google", "yandex"]        # search engines
///     baseline = "known.json"           # also: robots, agent, cross-submission, places
///     [lint.rules]
///     L-IGNORED = "off"
///     P-LASTMOD = "error"
///
/// --fix writes what a problem certainly means, and keeps every other byte: URLs that are not percent-encoded or not in punycode, dates
/// in other formats, a changefreq in upper case, a decimal comma, `en-UK` as a language, and elements that an index must not have.
///
///     sitemap lint sitemap.xml
///     sitemap lint public/ --location https://example.com/
///     curl -s https://example.com/sitemap.xml | sitemap lint - --location https://example.com/sitemap.xml
///     sitemap lint public/ --format sarif > sitemap.sarif
///     sitemap lint public/ --fix --diff
///     sitemap lint public/ --location https://example.com/ --pages public/
///     sitemap lint https://example.com/ --site
///     sitemap lint --explain P-LOC
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input [default: the root of sitemap.toml]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Exit with 1 if something of this severity or worse is found
    ///
    /// [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// The URL of the document or directory; locs are checked against it
    #[arg(long, value_name = "URL")]
    location: Option<String>,
    /// The search engines that the files are for: google, bing, yandex, baidu, naver, seznam
    ///
    /// Rules that none of them minds find nothing then, and L-ENGINE finds what one of them does not read.
    #[arg(long = "for", value_name = "ENGINE", value_delimiter = ',')]
    engines: Vec<Engine>,
    /// Allow pages outside of a document's site and directory, for sites whose robots.txt names the sitemap
    #[arg(long)]
    cross_submission: bool,
    /// The robots.txt of the site of --location: report pages that it blocks (L-ROBOTS)
    #[arg(long, value_name = "FILE")]
    robots: Option<PathBuf>,
    /// The crawler for --robots [default: Googlebot]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The folder of the site's built pages: report entries that say otherwise than the pages, and pages that are not listed
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
    /// The current time, for rules about dates [default: the system clock]
    #[arg(long, value_name = "DATE")]
    now: Option<String>,
    /// Set the severity of a rule: note, warning (or warn), error, or off
    #[arg(long, value_name = "RULE=SEVERITY")]
    level: Vec<String>,
    /// Number of places to show for each rule; further ones are counted [default: 10]
    #[arg(long, value_name = "NUMBER")]
    places: Option<u64>,
    /// Fix unambiguous values in the files, and report the fixes and the remaining problems
    #[arg(long, conflicts_with_all = ["baseline", "write_baseline"])]
    fix: bool,
    /// Print what --fix would change as a unified diff, and write nothing; exit with 1 if it is something
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Read settings from this file instead of sitemap.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Ignore the problems listed in this file, written by --write-baseline
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all problems to a file, for --baseline
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    color: Color,
    /// Explain a rule, or list all rules, without reading files
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all")]
    explain: Option<String>,
    #[command(flatten)]
    live: Live,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Messages with excerpts
    Human,
    /// One JSON object per line
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Note,
    #[value(alias = "warn")]
    Warning,
    Error,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// How often each rule was broken, by severity.
type Counts = BTreeMap<(Severity, Rule), u64>;

/// A diagnostic and its document.
#[derive(Debug)]
struct Found<'a> {
    input: &'a Input,
    diagnostic: &'a Diagnostic,
}

/// The totals at the end.
#[derive(Debug, Default)]
struct Totals {
    counts: Counts,
    documents: u64,
    entries: u64,
    sitemaps: u64,
    bytes: u64,
    baselined: u64,
    left_out: u64,
    /// Why documents could not be read, one text for each.
    unread: Vec<String>,
}

impl Totals {
    fn count(&self, severity: Severity) -> u64 {
        let of = self.counts.iter().filter(|((other, _), _)| *other == severity);
        of.map(|(_, count)| count).sum()
    }
}

/// An output format.
trait Reporter {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()>;

    /// Called when a document has been read; rules about several documents follow later.
    fn document_ends(&mut self, _: &mut dyn Write, _: &Input) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()>;
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(rule) = &options.explain {
        return explain::explain(rule);
    }
    let settings = Settings::find(options.config.as_deref())?;
    let mut linter = linter(options, &settings)?;
    let files = files(options, &settings)?;
    let inputs = inputs(&files, Formats::All, &options.live)?;
    let locations = locations(options, &files, &settings, &inputs)?;
    let mut unread = Vec::new();
    if let Some(folder) = &options.pages {
        let pages = pages::read(folder, now(options)?, &inputs, &locations, &mut unread)?;
        linter.pages(pages);
    }
    let places = options.places.or(settings.places).unwrap_or(10);
    if options.diff {
        return fix::diff(&linter, &inputs);
    }
    let is_fixed = !options.fix || fix::fix(&linter, &inputs, places)?;
    let known = options.baseline.clone().or_else(|| settings.baseline());
    // A baseline that is about to be written need not exist.
    let known = known.filter(|path| options.write_baseline.as_ref() != Some(path) || path.exists());
    let mut baseline = Baseline::read(known.as_deref())?;
    let mut reporter = reporter(options, &settings, places);
    let mut out = BesideProgress(BufWriter::new(io::stdout().lock()));
    let mut progress = Progress::new();
    let mut totals = Totals::default();
    let mut failed = None;
    let mut report =
        |number: usize, diagnostic: &Diagnostic, reporter: &mut dyn Reporter, out: &mut dyn Write| {
            let Some(input) = inputs.get(number) else { return };
            if baseline.takes(input, diagnostic) {
                totals.baselined += 1;
                return;
            }
            *totals
                .counts
                .entry((diagnostic.severity(), diagnostic.rule()))
                .or_default() += 1;
            if failed.is_none() {
                failed = reporter.found(out, &Found { input, diagnostic }).err();
            }
        };
    let summary = {
        let output = std::cell::RefCell::new((&mut report, &mut reporter, &mut out));
        let mut lint = linter.start(|number, diagnostic| {
            let (report, reporter, out) = &mut *output.borrow_mut();
            report(number, &diagnostic, &mut ***reporter, &mut **out);
        });
        for (i, input) in inputs.iter().enumerate() {
            progress.show(|| format!("{} of {}: {}", i + 1, inputs.len(), input.name));
            let mut document = lint::Input::new(input.name.clone(), || input.open());
            if let Some(location) = locations.get(i).cloned().flatten() {
                document = document.location(location);
            }
            if let Some(modified) = modified(input) {
                document = document.modified(modified);
            }
            if let Err(error) = lint.document(document) {
                if error.is_settings() {
                    return Err(error.into());
                }
                unread.push(why_unread(input, &error));
            }
            let (_, reporter, out) = &mut *output.borrow_mut();
            reporter.document_ends(&mut **out, input)?;
        }
        let so_far = lint.totals().clone();
        let summary = lint.finish().unwrap_or_else(|error| {
            unread.push(error.to_string());
            so_far
        });
        if let Some(last) = inputs.last() {
            let (_, reporter, out) = &mut *output.borrow_mut();
            reporter.document_ends(&mut **out, last)?;
        }
        summary
    };
    drop(progress);
    if let Some(error) = failed {
        return Err(error);
    }
    totals.documents = summary.documents;
    totals.entries = summary.entries;
    totals.sitemaps = summary.sitemaps;
    totals.bytes = summary.bytes;
    totals.left_out = summary.left_out;
    totals.unread = unread;
    reporter.finish(&mut out, &totals)?;
    out.flush()?;
    for why in &totals.unread {
        print_message!("sitemap: {why}");
    }
    if let Some(path) = &options.write_baseline {
        baseline.write(path)?;
    }
    if !totals.unread.is_empty() || !is_fixed {
        return Ok(ExitCode::from(2));
    }
    let fails = fails(options, &settings, &totals);
    Ok(ExitCode::from(u8::from(fails)))
}

/// The documents to read: those that are named, or the project's.
fn files(options: &Options, settings: &Settings) -> Result<Vec<PathBuf>> {
    if !options.files.is_empty() {
        return Ok(options.files.clone());
    }
    let Some(root) = settings.documents() else {
        bail!(
            "nothing to read: name files or directories, or write a sitemap.toml with the `root` of the site"
        );
    };
    Ok(vec![root])
}

/// Whether something as severe as --fail-on says was found.
fn fails(options: &Options, settings: &Settings, totals: &Totals) -> bool {
    let limit = match options.fail_on.or(settings.fail_on).unwrap_or(FailOn::Error) {
        FailOn::Note => Some(Severity::Note),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Error => Some(Severity::Error),
        FailOn::Never => None,
    };
    limit.is_some_and(|limit| totals.counts.keys().any(|(severity, _)| *severity >= limit))
}

/// The output format that was asked for.
fn reporter(options: &Options, settings: &Settings, places: u64) -> Box<dyn Reporter> {
    let is_styled = match options.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    match options.format {
        Format::Human => Box::new(human::Human::new(is_styled, places)),
        Format::Json => Box::new(json::Json),
        Format::Sarif => Box::new(sarif::Sarif::new(settings.project())),
        Format::Github => Box::new(github::Github),
    }
}

fn now(options: &Options) -> Result<W3cDateTime> {
    match &options.now {
        Some(now) => now.parse().context("--now"),
        None => Ok(W3cDateTime::try_from(SystemTime::now())?),
    }
}

fn linter(options: &Options, settings: &Settings) -> Result<Linter> {
    let mut linter = Linter::new();
    let now = now(options)?;
    let cross_submission = options.cross_submission || settings.cross_submission.unwrap_or(false);
    linter.now(now).cross_submission(cross_submission);
    let engines = if options.engines.is_empty() {
        &settings.engines
    } else {
        &options.engines
    };
    linter.engines(engines.iter().copied());
    for (rule, severity) in &settings.rules {
        linter.level(*rule, *severity);
    }
    if let Some(path) = options.robots.clone().or_else(|| settings.robots()) {
        let shown = path.display();
        let Some(site) = options.location.as_ref().or(settings.location.as_ref()) else {
            bail!("{shown}: --robots needs --location, the URL of its site");
        };
        let file = fs::File::open(&path).with_context(|| format!("cannot open {shown}"))?;
        let robots = Robots::from_reader(file).with_context(|| format!("cannot read {shown}"))?;
        let agent = options.agent.as_ref().or(settings.agent.as_ref());
        linter.robots(site, robots, agent.map_or("Googlebot", String::as_str));
    }
    for level in &options.level {
        let Some((rule, severity)) = level.split_once('=') else {
            bail!("--level {level}: write the rule and its severity, such as `L-IGNORED=off`");
        };
        let rule = settings::rule(rule).context("--level")?;
        linter.level(rule, settings::severity(severity).context("--level")?);
    }
    Ok(linter)
}

/// The location of each document, if --location is given: the URL of a single document, or of the directory that contains them.
fn locations(
    options: &Options,
    files: &[PathBuf],
    settings: &Settings,
    inputs: &[Input],
) -> Result<Vec<Option<String>>> {
    let Some(location) = &options.location else {
        let mut locations = match &settings.location {
            Some(location) => below(location, &settings.root(), inputs),
            None => vec![None; inputs.len()],
        };
        for (location, input) in locations.iter_mut().zip(inputs) {
            *location = input.url().map(str::to_owned).or(location.take());
        }
        return Ok(locations);
    };
    match (files, inputs) {
        ([file], [_]) if !file.is_dir() => Ok(vec![Some(location.clone())]),
        ([folder], inputs) => {
            let base = location.trim_end_matches('/');
            let of = |input: &Input| {
                let below = input.path()?.strip_prefix(folder).ok()?;
                Some(format!("{base}/{}", url_path(below)))
            };
            Ok(inputs.iter().map(of).collect())
        }
        _ => bail!(
            "--location is the URL of one file or one directory: lint the files one by one, or their directory"
        ),
    }
}

/// The locations of the documents below a directory, by their absolute paths.
fn below(location: &str, root: &Path, inputs: &[Input]) -> Vec<Option<String>> {
    let base = location.trim_end_matches('/');
    let root = fs::canonicalize(root).ok();
    let of = |input: &Input| {
        let path = fs::canonicalize(input.path()?).ok()?;
        let below = path.strip_prefix(root.as_ref()?).ok()?;
        Some(format!("{base}/{}", url_path(below)))
    };
    inputs.iter().map(of).collect()
}

/// Why a document could not be read, with its name.
fn why_unread(input: &Input, error: &Error) -> String {
    let text = error.to_string();
    if text.contains(&input.name) {
        text
    } else {
        format!("{}: {text}", input.name)
    }
}

/// When a file was last changed.
fn modified(input: &Input) -> Option<W3cDateTime> {
    let metadata = fs::metadata(input.path()?).ok().filter(fs::Metadata::is_file)?;
    W3cDateTime::try_from(metadata.modified().ok()?).ok()
}

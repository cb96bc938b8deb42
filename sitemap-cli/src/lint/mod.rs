//! `sitemap lint`.
//!
//! | file | content |
//! |---|---|
//! | this file | the options, and the run |
//! | `settings`, `folder`, `listers` | `sitemap.toml`; the folder that a site serves; the indexes that list the documents |
//! | `robots`, `pages`, `live_pages` | what entries are compared with: `robots.txt`, pages of a folder, pages of a live site |
//! | `output`, `baseline` | passes diagnostics to a format; leaves out known ones |
//! | `human`, `excerpt` | the format for people |
//! | `json`, `sarif`, `github`, `html` | the other formats |
//! | `fix`, `explain` | `--fix` and `--diff`; `--explain` |

mod baseline;
mod excerpt;
mod explain;
mod fix;
mod folder;
mod github;
mod html;
mod human;
mod json;
mod listers;
#[cfg(feature = "http")]
mod live_pages;
mod output;
mod pages;
#[cfg(feature = "http")]
mod robots;
mod sarif;
pub(crate) mod settings;

use std::cell::RefCell;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use sitemap_serde::engine::Engine;
use sitemap_serde::lint::{self, Linter};
use sitemap_serde::robots::Robots;
use sitemap_serde::{W3cDateTime, lint::Severity};

use crate::filters::{self, Filters};
use crate::folder::Scope;
use crate::formats::From;
use crate::input::{Input, check_urls, inputs, url_path, urls_below};
use crate::live::Live;
use crate::message::{is_dumb, is_terminal};
use crate::outputs::{Existing, Outputs};
use crate::progress::Progress;
use crate::replace::{check_file, place};
use crate::suggested;

use self::baseline::{Baseline, is_baseline};
use self::folder::Served;
pub(crate) use self::github::write_command;
pub(crate) use self::json::diagnostic_object;
use self::listers::Listers;
#[cfg(feature = "http")]
use self::live_pages::{PageCheck, PageCount};
use self::output::{Found, Output, Reporter, Totals};
use self::settings::Settings;

/// Find problems in sitemaps
///
/// Reads files, directories and standard input (-) as one set, such as an index and the sitemaps
/// that it lists. In directories it reads the files named .xml, and text sitemaps and feeds named
/// .txt, .rss, .atom and .rdf, compressed (.gz) or not. It skips files that a set no longer lists,
/// which `sitemap split` keeps for a day. Links are followed.
///
/// The exit status is 0 if nothing at or above --fail-on is found, 1 if something is, and 2 if a
/// file cannot be read, if --fix cannot fix it, or if an argument is invalid. The other files are
/// still checked.
///
/// A project's settings are in sitemap.toml, in the working directory or above it; arguments
/// override them:
///
///     [lint]
///     root = "public"                   # the directory at this location, read if no FILES are named
///                                       # [default: the directory of sitemap.toml]
///     location = "https://example.com/"
///     fail-on = "warning"
///     for = ["google", "yandex"]        # search engines
///     baseline = "known.json"           # also: robots, agent, cross-submission, places
///     [lint.rules]
///     L-IGNORED = "off"
///     P-LASTMOD = "error"
///
/// A directory with a location is checked as the site serves it: it must contain every sitemap that
/// an index or robots.txt lists (L-ABSENT) and, with an index, must contain no unlisted sitemap
/// (L-ORPHAN). Its robots.txt is read as with --robots.
///
/// Responses of URLs are checked too: redirects, content types, double compression, time,
/// validators, dates against Last-Modified, and the sitemaps and rules of the site's robots.txt
/// (L-MOVED, L-TYPE, P-GZIP, L-SLOW, L-VALIDATOR, L-NEWER, L-UNNAMED, L-FORBIDDEN, L-ROBOTS).
///
/// A baseline stores the paths of files relative to its own directory, so both can be named from
/// anywhere.
///
/// --fix corrects values whose intent is unambiguous, and keeps every other byte: URLs that are not
/// percent-encoded or not in punycode, dates in other formats, a changefreq in upper case, a
/// decimal comma, `en-UK` as a language, elements that are invalid in an index, and stylesheets in
/// XSLT. Malformed XML, text sitemaps and ambiguous values need `sitemap repair`, which writes a new
/// document and leaves out the ambiguous values. The last line of the report names the command that
/// fixes the findings.
///
///     sitemap lint sitemap.xml
///     sitemap lint public/ --location https://example.com/
///     curl -s https://example.com/a.xml | sitemap lint - --location https://example.com/a.xml
///     sitemap lint public/ --format sarif > sitemap.sarif
///     sitemap lint public/ --format html --former last.html > report.html
///     sitemap lint public/ --fix --diff
///     sitemap lint public/ --location https://example.com/ --pages public/
///     sitemap lint https://example.com/ --site --check-pages 50
///     sitemap lint --explain P-LOC
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input [default: the root of sitemap.toml]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// With --format html: show the changes since an earlier report, such as last week's
    #[arg(long, value_name = "REPORT")]
    former: Option<PathBuf>,
    /// Exit with 1 if something of this severity or worse is found
    ///
    /// [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// The URL of the document or directory; locs are checked against it
    #[arg(long, value_name = "URL")]
    location: Option<String>,
    /// The target search engines of the files
    ///
    /// Rules that no named engine enforces are silent. L-ENGINE reports content that one of them does not read.
    #[arg(long = "for", value_name = "ENGINE", value_delimiter = ',',
        value_parser = suggested::engines().try_map(|engine| engine.parse::<Engine>()))]
    engines: Vec<Engine>,
    /// Allow pages outside of a document's site and directory, for sites whose robots.txt names the sitemap
    #[arg(long)]
    cross_submission: bool,
    /// The robots.txt of the site of --location: report pages that it blocks (L-ROBOTS)
    #[arg(long, value_name = "FILE")]
    robots: Option<PathBuf>,
    /// The crawler for --robots, and for the robots.txt of sites at URLs [default: Googlebot]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The folder of the site's built pages: report entries that contradict their pages, and unlisted pages
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
    /// Request this number of random listed pages, or all: report redirects, missing pages, noindex and canonical addresses, from their
    /// headers and heads. One page every 0.1 s, or at the rate of robots.txt; limited by --max-time
    #[cfg(feature = "http")]
    #[arg(long, value_name = "NUMBER|all", value_parser = live_pages::page_count, conflicts_with = "pages")]
    check_pages: Option<PageCount>,
    /// The seed of --check-pages: a seed always selects the same pages [default: the time]
    #[cfg(feature = "http")]
    #[arg(long, value_name = "NUMBER", requires = "check_pages")]
    seed: Option<u64>,
    /// The current time, for rules about dates [default: the system clock]
    #[arg(long, value_name = "DATE")]
    now: Option<String>,
    /// Set the severity of a rule: note, warning (or warn), error, or off
    #[arg(long, value_name = "RULE=SEVERITY", value_parser = suggested::levels(), hide_possible_values = true)]
    level: Vec<String>,
    /// Number of places to show for each rule; the rest are counted [default: 10]
    #[arg(long, value_name = "NUMBER")]
    places: Option<u64>,
    /// Fix unambiguous values in the files, and report the fixes and the remaining problems
    #[arg(long, conflicts_with_all = ["baseline", "write_baseline"])]
    fix: bool,
    /// Print the changes of --fix as a unified diff, and write nothing; exit with 1 if there are any
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Number of documents to read at a time; the output does not depend on it [default: the number of processors]
    #[arg(long, short, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
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
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all",
        value_parser = suggested::rules(), hide_possible_values = true)]
    explain: Option<String>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    filters: Filters,
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
    /// A web page in a single file
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
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

impl Options {
    /// Returns `true` if pages are requested, at whatever documents list them.
    #[cfg(feature = "http")]
    fn checks_pages(&self) -> bool {
        self.check_pages.is_some()
    }

    #[cfg(not(feature = "http"))]
    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    fn checks_pages(&self) -> bool {
        false
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(rule) = &options.explain {
        return explain::explain(rule);
    }
    if let Some(path) = &options.write_baseline {
        check_file(path, "--write-baseline")?;
    }
    options.from.apply();
    options.filters.apply();
    let settings = Settings::find(options.config.as_deref())?;
    let known = options.baseline.clone().or_else(|| settings.baseline());
    let written = options.write_baseline.as_deref();
    let is_written = |path: &PathBuf| written.is_some_and(|written| place(written) == place(path));
    let outputs = Outputs::new()
        .reads(&options.files)
        .reads(robots_path(options, &settings).as_ref())
        .reads([&options.former, &options.config].into_iter().flatten())
        .reads(known.iter().filter(|path| !is_written(path)))
        .writes(
            "--write-baseline",
            options.write_baseline.as_ref(),
            Existing::Own(is_baseline),
        );
    let outputs = options.live.outputs(outputs);
    outputs.check()?;
    // A baseline that is about to be written may not exist yet.
    let known = known.filter(|path| !is_written(path) || path.exists());
    let mut linter = linter(options, &settings)?;
    let files = files(options, &settings)?;
    options.filters.check(&files, options.live.is_of_sites())?;
    check_urls(
        &options.live,
        files.iter().map(PathBuf::as_path),
        options.checks_pages(),
    )?;
    let inputs = inputs(&files, Scope::Whole, &options.live, &outputs)?.list;
    let locations = locations(options, &files, &settings, &inputs)?;
    let mut unread = Vec::new();
    let mut has_robots = robots_path(options, &settings).is_some();
    if let Some(served) = Served::find(options, &settings, &files) {
        served.add(&mut linter, agent(options, &settings), has_robots, &mut unread);
        has_robots |= served.has_robots();
    }
    // The lists of documents matter only with robots.txt.
    let listers = if has_robots {
        Listers::find(&inputs, &locations)
    } else {
        Listers::default()
    };
    #[cfg(feature = "http")]
    check_live(options, &settings, &files, &inputs, &mut linter, &mut unread)?;
    if let Some(folder) = &options.pages {
        let pages = pages::read(folder, now(options)?, &inputs, &locations, &mut unread)?;
        linter.pages(pages);
    }
    let places = options.places.or(settings.places).unwrap_or(10);
    if let Some(filter) = filters::entries_again() {
        linter.filter(filter);
    }
    if options.diff {
        return fix::diff(&linter, &inputs);
    }
    let is_fixed = !options.fix || fix::fix(&linter, &inputs, places)?;
    let baseline = Baseline::read(known.as_deref(), written)?;
    if let Some(filter) = filters::entries() {
        linter.filter(filter);
    }
    let mut output = Output::new(&inputs, reporter(options, &settings, places)?, baseline);
    output.unread(unread);
    let output = RefCell::new(output);
    let mut lint = linter.start(|number, diagnostic| output.borrow_mut().found(number, &diagnostic));
    let mut progress = Progress::new();
    lint.documents(
        documents(&inputs, &locations, &listers),
        jobs(options),
        |number, result| {
            let name = inputs.get(number).map_or("", |input| &input.name);
            progress.show(|| format!("{} of {}: {name}", number + 1, inputs.len()));
            output.borrow_mut().document_ended(number, result)
        },
    );
    output.borrow_mut().check()?;
    let so_far = lint.summary().clone();
    let finished = lint.finish();
    drop(progress);
    let (totals, baseline) = output.into_inner().finish(finished, so_far)?;
    if let Some(path) = &options.write_baseline {
        baseline.write(path)?;
    }
    if !totals.unread.is_empty() || !is_fixed {
        return Ok(ExitCode::from(2));
    }
    let fails = fails(options, &settings, &totals);
    Ok(ExitCode::from(u8::from(fails)))
}

/// Adds live sites' robots.txt and, with `--check-pages`, their pages to a lint.
#[cfg(feature = "http")]
fn check_live(
    options: &Options,
    settings: &Settings,
    files: &[PathBuf],
    inputs: &[Input],
    linter: &mut Linter,
    unread: &mut Vec<String>,
) -> Result<()> {
    let robots = robots::add(
        linter,
        files,
        agent(options, settings),
        options.live.connection(),
        unread,
    )?;
    if let Some(count) = options.check_pages {
        let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let check = PageCheck {
            files,
            connection: options.live.connection(),
            robots: &robots,
            count,
            seed: options
                .seed
                .unwrap_or_else(|| seconds.map_or(0, |time| time.as_secs())),
            max_time: options.live.max_time(),
            now: now(options)?,
        };
        linter.pages(check.run(inputs, unread)?);
    }
    Ok(())
}

/// Returns the documents of a lint, each with its location, if known.
fn documents<'a>(
    inputs: &'a [Input],
    locations: &[Option<String>],
    listers: &Listers,
) -> Vec<lint::Input<'a>> {
    let document = |(input, location): (&'a Input, &Option<String>)| {
        let mut document = lint::Input::new(input.name.clone(), || input.open());
        if let Some(location) = location {
            document = document.location(location).indexes(listers.above(location));
        }
        if let Some(modified) = modified(input) {
            document = document.last_modified(modified);
        }
        if let Some(received) = input.response() {
            document = document
                .response(received.response.clone())
                .indexes(received.listers.clone());
        }
        document
    };
    inputs.iter().zip(locations).map(document).collect()
}

/// Returns the number of documents to read at a time.
fn jobs(options: &Options) -> NonZero<usize> {
    let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    options.jobs.unwrap_or_else(processors)
}

/// Returns the files to read: the named ones, or the project's.
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

impl FailOn {
    /// Returns `true` if a finding of this severity fails the command.
    pub(crate) fn is_reached(self, severity: Severity) -> bool {
        match self {
            FailOn::Note => true,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Error => severity >= Severity::Error,
            FailOn::Never => false,
        }
    }
}

/// Returns `true` if a finding reached the severity of `--fail-on`.
fn fails(options: &Options, settings: &Settings, totals: &Totals) -> bool {
    let limit = options.fail_on.or(settings.fail_on).unwrap_or(FailOn::Error);
    let mut severities = totals.counts.keys().map(|(severity, _)| *severity);
    severities.any(|severity| limit.is_reached(severity))
}

/// Returns the requested output format.
fn reporter(options: &Options, settings: &Settings, places: u64) -> Result<Box<dyn Reporter>> {
    if options.former.is_some() && options.format != Format::Html {
        bail!("--former needs --format html");
    }
    let is_styled = match options.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            is_terminal() && !is_dumb() && !is_unwanted
        }
    };
    Ok(match options.format {
        Format::Human => Box::new(human::Human::new(is_styled, places)),
        Format::Json => Box::new(json::Json),
        Format::Sarif => Box::new(sarif::Sarif::new(settings.project())),
        Format::Github => Box::new(github::Github),
        Format::Html => {
            let since = options
                .former
                .as_deref()
                .map(|path| crate::html::former(path, "lint"));
            Box::new(html::Html::new(since.transpose()?))
        }
    })
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
    if let Some(path) = robots_path(options, settings) {
        let Some(site) = options.location.as_ref().or(settings.location.as_ref()) else {
            bail!(
                "{}: --robots needs --location, the URL of its site",
                path.display()
            );
        };
        linter.robots(site, read_robots(&path)?, agent(options, settings));
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

/// Returns the path of the named robots.txt.
fn robots_path(options: &Options, settings: &Settings) -> Option<PathBuf> {
    options.robots.clone().or_else(|| settings.robots())
}

fn read_robots(path: &Path) -> Result<Robots> {
    let shown = path.display();
    let file = fs::File::open(path).with_context(|| format!("cannot open {shown}"))?;
    Robots::from_reader(file).with_context(|| format!("cannot read {shown}"))
}

/// Returns the crawler whose rules in robots.txt apply.
fn agent<'o>(options: &'o Options, settings: &'o Settings) -> &'o str {
    let agent = options.agent.as_ref().or(settings.agent.as_ref());
    agent.map_or("Googlebot", String::as_str)
}

/// Returns the location of each document, by `--location`: the URL of a single document, or of the directory that contains all.
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
        ([named], inputs) if named.is_dir() => {
            settings::check_location(location).context("--location")?;
            Ok(urls_below(location, named, inputs))
        }
        ([named], [_]) => Ok(urls_below(location, named, inputs)),
        _ => bail!(
            "--location is the URL of one file or one directory: lint the files one by one, or their directory"
        ),
    }
}

/// Returns the locations of the documents below a directory, by their absolute paths.
fn below(location: &str, root: &Path, inputs: &[Input]) -> Vec<Option<String>> {
    let base = location.trim_end_matches('/');
    let ways: [fn(&Path) -> io::Result<PathBuf>; 2] =
        [|path| std::path::absolute(path), |path| fs::canonicalize(path)];
    let of = |input: &Input| {
        // A file below a symbolic link is served at the link's path.
        ways.iter().find_map(|way| {
            let (path, root) = (way(input.path()?).ok()?, way(root).ok()?);
            let below = path.strip_prefix(root).ok()?;
            let is_plain = below
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            is_plain.then(|| format!("{base}/{}", url_path(below)))
        })
    };
    inputs.iter().map(of).collect()
}

/// Returns the modification time of a document, from its file or its response.
fn modified(input: &Input) -> Option<W3cDateTime> {
    let modified = match input.response() {
        Some(received) => received.modified,
        None => {
            let metadata = fs::metadata(input.path()?).ok().filter(fs::Metadata::is_file)?;
            metadata.modified().ok()
        }
    };
    W3cDateTime::try_from(modified?).ok()
}

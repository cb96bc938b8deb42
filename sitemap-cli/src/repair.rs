//! `sitemap repair`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::json;
use sitemap_serde::__internal::is_utf8;
use sitemap_serde::format::Format as DocumentFormat;
use sitemap_serde::{
    Diagnostic, EntryWriter, Error, ErrorKind, Kind, Mode, ReaderBuilder, Record, Rule, SitemapEntry,
    UrlEntry, WriterBuilder,
};

use crate::formats::From;
use crate::input::{Input, counted, grouped};
use crate::lint::diagnostic_object;
use crate::live::connection::Connection;
use crate::malformed::fix_command;
use crate::message::{Printer, Shown, print_json};
use crate::omitted::{Omissions, UnknownNames, corrected, is_cut, is_entry, outcome, with_omitted};
use crate::outputs::{Existing, Outputs};
use crate::progress::Progress;
use crate::replace::{end_line, is_gzip_name, write_to};
use crate::stylesheet::{Styled, Stylesheets};
use crate::words::argument;

/// Repair a malformed sitemap
///
/// Reads through unescaped `&`, missing end tags, undeclared prefixes, truncated files, bytes that
/// are not UTF-8 and invalid values. Writes the valid entries to a new document, without comments.
/// Each repair is reported on standard error. The stylesheet of a sitemap is kept. Files are only
/// overwritten with --in-place or --force; with --in-place, a file that needs no repair is not
/// changed. Text sitemaps and feeds are written as XML, except that a text sitemap repaired in place
/// stays text.
///
/// The smallest possible part is left out: an invalid value of an image, video, article or link; the
/// invalid words of a list; otherwise the element that requires the value. A page is left out only
/// because of its loc. An element with attributes is left out with its text: a restriction that
/// allows no country would reverse its meaning. The report says `left out` for every loss, including
/// text between elements. Values whose intent is unambiguous are corrected, as by `sitemap lint
/// --fix`: `2026/5/1` is written as `2026-05-01`. A time without a zone is written as a date.
/// Text that was escaped twice, as in `?a=1&amp;amp;b=2`, is unescaped.
///
/// An entry of the other kind, such as a `url` in an index, is left out. If all entries are of the
/// other kind, they decide whether the document is a sitemap or an index.
///
/// The exit status is 0 if nothing was lost, 1 if something was left out or could not be read, and 2
/// if the document cannot be read at all (such as an HTML page), no entry would be left, the output
/// cannot be written, or --in-place would leave out more than half of the entries. With
/// --fail-on-repair, every repair makes the status 1.
///
/// `sitemap lint FILE` previews the problems, and finds others too. `sitemap lint --fix` makes only
/// the unambiguous corrections, and keeps every other byte of the file.
///
///     sitemap repair broken.xml > sitemap.xml
///     sitemap repair sitemap.xml.gz --in-place --location https://example.com/sitemap.xml.gz
///     curl -s https://example.com/sitemap.xml | sitemap repair - -o sitemap.xml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(group = ArgGroup::new("target").args(["output", "in_place"]))]
pub(crate) struct Options {
    /// The sitemap or index, compressed or not; - for standard input
    file: PathBuf,
    /// Write to this file, compressed if its name ends in .gz [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace FILE; a compressed file stays compressed
    #[arg(long)]
    in_place: bool,
    /// Replace an existing file of --output, or with --in-place replace FILE even if more than half of its entries are left out or its
    /// checksum is wrong
    #[arg(long, requires = "target")]
    force: bool,
    /// The document's own URL, to resolve relative locs, which are left out otherwise
    #[arg(long, value_name = "URL")]
    location: Option<String>,
    #[command(flatten)]
    from: From,
    /// Indent the XML
    #[arg(long)]
    pretty: bool,
    /// Exit with 1 if anything was repaired, even if nothing was lost
    #[arg(long)]
    fail_on_repair: bool,
    /// Format of the report on standard error
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Number of repairs to list for each rule; the rest are counted. json lists all
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    places: u64,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per repair, and a table of the rules
    Human,
    /// One JSON object per line
    Json,
}

/// Reports and counts repairs.
#[derive(Debug)]
struct Report {
    name: String,
    format: Format,
    places: u64,
    counts: BTreeMap<Rule, u64>,
    written: u64,
    left_out: u64,
    /// The number of the last entry that was read or has no loc.
    last: u64,
    unknown: UnknownNames,
    /// Stylesheets that are left out.
    stylesheets: u64,
    /// The last diagnostic about the loc of an entry.
    problem_of_loc: Option<Diagnostic>,
    /// `true` while `problem_of_loc` is not printed yet.
    is_pending: bool,
    /// `true` if any entry may be damaged.
    is_suspect: bool,
    /// `true` if the output has a different encoding than the document.
    is_recoded: bool,
    /// The number of repairs that `lint --fix` does not make.
    unfixable: u64,
    /// The number of repairs that lost something.
    losses: u64,
}

impl Report {
    fn repaired(&mut self, diagnostic: &Diagnostic) {
        self.last = self.last.max(diagnostic.entry().unwrap_or_default());
        self.unfixable += u64::from(corrected(diagnostic).is_none());
        // A wrong checksum does not locate the damage.
        self.is_suspect |= diagnostic.rule() == Rule::Gzip && diagnostic.position().is_none();
        self.losses += u64::from(diagnostic.is_loss() || is_cut(diagnostic));
        self.report_pending();
        let is_skipped = diagnostic.dropped().is_some_and(is_entry);
        if self.format == Format::Json && is_skipped {
            return print_json(&diagnostic_object("skipped", &self.name, diagnostic));
        }
        if is_of_loc(diagnostic) {
            self.problem_of_loc = Some(diagnostic.clone());
        }
        let is_listed = self.counts(diagnostic.rule());
        // In JSON, each line reports either a repair or a skipped entry. At this point both are possible.
        if self.format == Format::Json && is_of_loc(diagnostic) {
            self.is_pending = true;
        } else if is_listed {
            self.print_repair(diagnostic);
        }
    }

    /// Prints the pending repair of a loc, because its entry is not skipped.
    fn report_pending(&mut self) {
        if std::mem::take(&mut self.is_pending)
            && let Some(diagnostic) = &self.problem_of_loc
        {
            self.print_repair(diagnostic);
        }
    }

    fn print_repair(&self, diagnostic: &Diagnostic) {
        match self.format {
            Format::Human => {
                let path = diagnostic.path().unwrap_or_default();
                let comma = if path.is_empty() { "" } else { ", " };
                print_message!(
                    "{}{}: {}: {}{comma}{path}{end}",
                    self.name,
                    place(diagnostic),
                    diagnostic.rule(),
                    diagnostic.message(),
                    end = outcome(diagnostic)
                );
            }
            Format::Json => {
                let mut object = diagnostic_object("repair", &self.name, diagnostic);
                object["omitted"] = diagnostic.dropped().into();
                object["isLoss"] = diagnostic.is_loss().into();
                object["written"] = corrected(diagnostic).into();
                print_json(&object);
            }
        }
    }

    /// Reports a change of the document's encoding.
    fn begin(&mut self) {
        if !self.is_recoded {
            return;
        }
        const PROBLEM: &str = "the document is not in UTF-8 (P-UTF8): it is written in UTF-8";
        self.counts(Rule::Utf8);
        self.unfixable += 1;
        match self.format {
            Format::Human => print_message!("{}: {}: {PROBLEM}", self.name, Rule::Utf8),
            Format::Json => print_json(
                &json!({ "type": "recoded", "file": self.name, "rule": Rule::Utf8.as_str(), "message": PROBLEM }),
            ),
        }
    }

    /// Reports a value that is left out of an entry because it cannot be written.
    fn omitted(&mut self, error: &Error) {
        let rule = error.rule().unwrap_or(Rule::Xml);
        self.unfixable += 1;
        self.losses += 1;
        if !self.counts(rule) {
            return;
        }
        match self.format {
            Format::Human => {
                print_message!("{}: {rule}: {}", self.name, with_omitted(error));
            }
            Format::Json => print_json(
                &json!({ "type": "omitted", "file": self.name, "rule": rule.as_str(), "entry": error.entry(), "omitted": error.dropped(), "message": with_omitted(error) }),
            ),
        }
    }

    /// Counts a repair. Returns whether to list it.
    fn counts(&mut self, rule: Rule) -> bool {
        let count = self.counts.entry(rule).or_default();
        *count += 1;
        self.format == Format::Json || *count <= self.places
    }

    /// Counts a written entry.
    fn written(&mut self, entry: u64, found: &str, written: &str) {
        self.report_pending();
        self.last = self.last.max(entry);
        self.written += 1;
        if written != found {
            self.rewritten(entry, found, written);
        }
    }

    /// Counts the unreadable entries, whose diagnostics were already reported.
    fn end(&mut self) {
        self.report_pending();
        self.left_out = self.last.saturating_sub(self.written);
    }

    /// Reports a loc that was read without a problem, but is written differently.
    fn rewritten(&mut self, entry: u64, found: &str, written: &str) {
        if !self.counts(Rule::LocEnc) {
            return;
        }
        match self.format {
            Format::Human => print_message!(
                "{}: {}: `{}` is written as `{}`, entry {entry} · loc",
                self.name,
                Rule::LocEnc,
                found.escape_debug(),
                written.escape_debug()
            ),
            Format::Json => print_json(
                &json!({ "type": "rewritten", "file": self.name, "rule": Rule::LocEnc.as_str(), "entry": entry, "found": found, "written": written }),
            ),
        }
    }

    /// Reports an entry that is left out because its loc could not be repaired.
    fn left_out_with_diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.left_out += 1;
        if let Some(count) = self.counts.get_mut(&diagnostic.rule()) {
            *count -= 1;
        }
        self.counts.retain(|_, count| *count > 0);
        match self.format {
            Format::Human if self.left_out <= self.places => {
                let entry = diagnostic.entry().unwrap_or_default();
                print_message!("{}{}: left out: entry {entry}", self.name, place(diagnostic));
            }
            Format::Human => {}
            Format::Json => print_json(&diagnostic_object("skipped", &self.name, diagnostic)),
        }
    }

    /// Reports an entry that was read but cannot be written.
    fn left_out(&mut self, entry: u64, error: &Error) {
        self.last = self.last.max(entry);
        let is_of_error =
            |found: &Diagnostic| found.entry() == Some(entry) && error.rule() == Some(found.rule());
        let problem = self.problem_of_loc.clone();
        if let Some(diagnostic) = problem.filter(is_of_error) {
            self.is_pending = false;
            return self.left_out_with_diagnostic(&diagnostic);
        }
        self.report_pending();
        self.left_out += 1;
        match self.format {
            Format::Human if self.left_out <= self.places => {
                print_message!("{}: left out: {}", self.name, error.renumbered(Some(entry)));
            }
            Format::Human => {}
            Format::Json => print_json(
                &json!({ "type": "skipped", "file": self.name, "rule": error.rule().map(Rule::as_str), "entry": entry, "message": error.renumbered(Some(entry)).to_string() }),
            ),
        }
    }

    /// Returns `true` if nothing was repaired.
    fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.left_out == 0
    }

    /// Returns `true` if the output lacks something of the document.
    fn has_losses(&self) -> bool {
        self.losses + self.left_out + self.unknown.lost() > 0 || self.is_suspect
    }

    /// Returns `true` if `lint --fix` makes the same changes.
    fn is_fixable(&self) -> bool {
        !self.counts.is_empty() && self.left_out == 0 && self.unfixable == 0
    }

    /// Returns an error if every entry is left out: an empty sitemap would tell crawlers that there are no pages.
    fn check_any(&self) -> Result<()> {
        if self.written > 0 || self.left_out == 0 {
            return Ok(());
        }
        bail!(
            "{}: nothing would be left: no entry of {} has a URL that can be repaired",
            self.name,
            grouped(self.left_out)
        )
    }

    /// Returns an error if more than half of the entries are left out, or any may be damaged.
    fn check_loss(&self) -> Result<()> {
        if self.is_suspect {
            bail!(
                "{}: its checksum is wrong, so any entry may be damaged: it stays as it is (--force replaces it)",
                self.name
            );
        }
        if self.left_out <= self.written {
            return Ok(());
        }
        bail!(
            "{} of {} would be left out: {} stays as it is (--force replaces it)",
            grouped(self.left_out),
            counted(self.left_out + self.written, "URL"),
            self.name
        )
    }

    fn finish(&self, is_as_it_was: bool) {
        let repairs = self.counts.values().sum();
        if self.format == Format::Json {
            let rules: Vec<_> = self
                .counts
                .iter()
                .map(|(rule, count)| json!({ "rule": rule.as_str(), "count": count }))
                .collect();
            let object = json!({
                "type": "summary",
                "file": self.name,
                "written": self.written,
                "repairs": repairs,
                "skipped": self.left_out,
                "otherElements": self.unknown.count(),
                "stylesheets": self.stylesheets,
                "rules": rules,
            });
            print_json(&object);
            return;
        }
        for (rule, count) in &self.counts {
            let hidden = count.saturating_sub(self.places);
            let more = if hidden > 0 {
                format!(" ({} not shown)", grouped(hidden))
            } else {
                String::new()
            };
            print_note!(
                "{:>9} {:<18} {}{more}",
                grouped(*count),
                rule.as_str(),
                rule.summary()
            );
        }
        if !is_as_it_was {
            if self.stylesheets > 0 {
                print_note!("note: {} left out", counted(self.stylesheets, "stylesheet"));
            }
            self.unknown.print();
        }
        print_note!(
            "{}: {}, {}, {} left out{}",
            self.name,
            counted(self.written, "URL"),
            counted(repairs, "repair"),
            grouped(self.left_out),
            if is_as_it_was { ": as it was" } else { "" }
        );
    }
}

/// `:LINE:COLUMN`
fn place(diagnostic: &Diagnostic) -> String {
    diagnostic.position().map_or(String::new(), |position| {
        format!(":{}:{}", position.line(), position.column())
    })
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let folder = options.file.display();
    if options.file.is_dir() {
        bail!(
            "{folder} is a directory, and one file is repaired at a time: \
             `find {} -name '*.xml' -exec sitemap repair --in-place {{}} ';'` repairs all",
            argument(&folder.to_string())
        );
    }
    options.from.apply();
    options.connection.check([&*options.file], false)?;
    let outputs = Outputs::new().force(options.force).reads([&options.file]).writes(
        "-o",
        options.output.as_ref(),
        Existing::None,
    );
    options.connection.outputs(outputs).check()?;
    let input = Input::of(&options.file, &options.connection)?;
    let is_file = input
        .path()
        .is_some_and(|path| fs::metadata(path).is_ok_and(|m| m.is_file()));
    if options.in_place && !is_file {
        bail!("--in-place works on files only, not on {}", input.name);
    }
    let report = Arc::new(Mutex::new(Report {
        name: input.name.clone(),
        format: options.format,
        places: options.places,
        counts: BTreeMap::new(),
        written: 0,
        left_out: 0,
        last: 0,
        unknown: UnknownNames::default(),
        stylesheets: 0,
        problem_of_loc: None,
        is_pending: false,
        is_suspect: false,
        is_recoded: false,
        unfixable: 0,
        losses: 0,
    }));
    let (is_compressed, is_utf8) = head(&input)?;
    input.note_rows();
    lock(&report).is_recoded = !is_utf8;

    let mut is_as_it_was = false;
    match (&options.output, input.path()) {
        (None, Some(path)) if options.in_place => {
            let is_compressed = is_compressed || is_gzip_name(path);
            write_to(path, is_compressed, |file| {
                repaired(options, &input, &report, file, Progress::new())?;
                if !options.force {
                    lock(&report).check_loss()?;
                }
                is_as_it_was = lock(&report).is_empty();
                Ok(!is_as_it_was)
            })?;
        }
        (Some(path), _) if path != Path::new("-") => write_to(path, is_gzip_name(path), |file| {
            repaired(options, &input, &report, file, Progress::new())?;
            Ok(true)
        })?,
        _ => {
            let mut out = Shown::text(Printer::stdout());
            repaired(options, &input, &report, &mut out, Progress::of_output())?;
            // Flush errors must be reported.
            out.flush().context("cannot write to standard output")?;
        }
    }
    let report = lock(&report);
    report.finish(is_as_it_was);
    if options.format == Format::Human && report.is_fixable() && !options.in_place && is_file {
        print_note!(
            "note: `{}` makes the same corrections in the file, and keeps every other byte",
            fix_command(&input.name)
        );
    }
    let has_losses = report.has_losses() && !is_as_it_was;
    let fails = has_losses || options.fail_on_repair && !report.is_empty();
    Ok(ExitCode::from(u8::from(fails)))
}

fn lock(report: &Mutex<Report>) -> std::sync::MutexGuard<'_, Report> {
    report.lock().unwrap_or_else(PoisonError::into_inner)
}

fn builder(options: &Options) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Correcting);
    if let Some(location) = &options.location {
        builder.location(location);
    }
    builder
}

fn open(input: &Input) -> Result<Box<dyn Read>> {
    input.open_named()
}

/// Returns whether a file is compressed, and whether it is in UTF-8, by its first bytes.
fn head(input: &Input) -> Result<(bool, bool)> {
    const HEAD: u64 = 1024;
    let mut start = Vec::new();
    open(input)?
        .take(HEAD)
        .read_to_end(&mut start)
        .with_context(|| format!("cannot read {}", input.name))?;
    let is_compressed = start.starts_with(&[0x1F, 0x8B]);
    if is_compressed {
        start.clear();
        // Damage is reported when the document is read.
        let _ = flate2::read::MultiGzDecoder::new(open(input)?)
            .take(HEAD)
            .read_to_end(&mut start);
    }
    Ok((is_compressed, is_utf8(&start)))
}

fn repaired(
    options: &Options,
    input: &Input,
    report: &Arc<Mutex<Report>>,
    to: &mut dyn Write,
    mut progress: Progress,
) -> Result<()> {
    let mut builder = builder(options);
    // The names are reported.
    builder.expanded_names(true).on_diagnostic({
        let report = Arc::clone(report);
        move |diagnostic| lock(&report).repaired(diagnostic)
    });
    let mut reader = builder.from_reader(open(input)?);
    let kind = reader.kind().with_context(|| input.name.clone())?;
    let format = reader.format().with_context(|| input.name.clone())?;
    lock(report).unfixable += u64::from(format.is_feed() || format == DocumentFormat::Text);
    lock(report).begin();
    let mut builder = WriterBuilder::new();
    builder.kind(kind).pretty(options.pretty);
    let Stylesheets { mut kept, mut others } = Stylesheets::of(input);
    if format.is_feed() || format == DocumentFormat::Text {
        others += kept.len() as u64;
        kept.clear();
    }
    lock(report).stylesheets = others;
    let omissions = Omissions::of(&mut builder);
    if options.in_place && format.is_feed() {
        bail!(
            "--in-place would make a sitemap of {}, which is a feed ({format}): write it to another file with -o",
            input.name
        )
    }
    // A text sitemap repaired in place stays one.
    let is_text = options.in_place && format == DocumentFormat::Text;
    let to = Styled::new(to, &kept);
    let mut writer = if is_text {
        builder.text_from_writer(to)
    } else {
        builder.from_writer(to)
    };
    let mut record = Record::new();
    while reader
        .read_record(&mut record)
        .with_context(|| input.name.clone())?
    {
        let number = record.number();
        lock(report).unknown.push_record(&record, format);
        progress.show(|| format!("{}: {}", input.name, counted(number, "URL")));
        let entry = reader.diagnose(&record).with_context(|| input.name.clone())?;
        let written = match kind {
            Kind::UrlSet => writer.write(&entry),
            Kind::SitemapIndex => writer.write(&IndexPart(&entry)),
        };
        let written = written.and_then(|written| omissions.take_skipped(written));
        for error in omissions.take(Some(number)) {
            lock(report).omitted(&error);
        }
        match written {
            Ok(()) => {
                let loc = writer.last_loc().map(unescaped).unwrap_or_default();
                lock(report).written(number, &entry.loc, &loc);
            }
            Err(error) if error.kind() == ErrorKind::Limit => {
                return Err(error).with_context(|| {
                    format!(
                        "{}: too large for one document (`sitemap split` writes several)",
                        input.name
                    )
                });
            }
            Err(error) if error.kind() == ErrorKind::Data => lock(report).left_out(number, &error),
            Err(error) => return Err(error).with_context(|| input.name.clone()),
        }
    }
    lock(report).end();
    lock(report).check_any()?;
    let to = writer.finish().with_context(|| input.name.clone())?;
    end_line(to, options.pretty || is_text).with_context(|| input.name.clone())
}

/// An entry of an index, with everything read from it. The writer reports elements that are invalid in an index.
struct IndexPart<'e>(&'e UrlEntry);

impl SitemapEntry for IndexPart<'_> {
    fn write_entry(&self, to: &mut EntryWriter<'_>) -> Result<(), Error> {
        let entry = self.0;
        to.kind(Kind::SitemapIndex)?;
        to.loc(&entry.loc)?;
        to.lastmod(entry.lastmod)?;
        to.changefreq(entry.changefreq)?;
        to.priority(entry.priority)?;
        // Calls nothing for empty lists, so that no unused prefix is declared at the root.
        entry.images.iter().try_for_each(|image| to.image(image))?;
        entry.videos.iter().try_for_each(|video| to.video(video))?;
        entry.news.iter().try_for_each(|news| to.news(&**news))?;
        entry.alternates.iter().try_for_each(|link| to.alternate(link))?;
        entry.page_map.iter().try_for_each(|map| to.page_map(map))?;
        if entry.mobile { to.mobile(true) } else { Ok(()) }
    }
}

fn is_of_loc(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.rule(),
        Rule::Loc | Rule::LocLen | Rule::LocEnc | Rule::Idn
    )
}

/// Unescapes a loc from XML source. The writer percent-encodes the three other escaped characters.
fn unescaped(text: &str) -> String {
    text.replace("&apos;", "'").replace("&amp;", "&")
}

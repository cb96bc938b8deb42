//! `sitemap diff`.

mod gate;

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::json;
use sitemap_serde::diff::{self, Change, Diff, Summary};
use sitemap_serde::{Error, Kind as DocumentKind, ReaderBuilder, Record};
use sitemap_submit::IndexNow;

use self::gate::{Gate, Judged, Kind};
use crate::filters::{self, Filters};
use crate::folder::Scope;
use crate::formats::From;
use crate::input::{Input, Inputs, TWICE, check_urls, grouped, inputs, without_opening};
use crate::lint::write_command;
use crate::live::Live;
#[cfg(feature = "http")]
use crate::live::connection::Connection;
use crate::malformed::pointer;
use crate::message::{Places, Printer, Shown, print_hidden};
use crate::outputs::Outputs;
use crate::unread::Unread;
use crate::words::nearest;

/// Compare two sitemaps, or two sets of sitemaps
///
/// OLD and NEW are files, directories or URLs; - is standard input. In a directory, the files named
/// .xml are one set, with the text sitemaps and feeds named .txt, .rss, .atom and .rdf; compressed
/// (.gz) or not. If the directory's indexes and robots.txt list sitemaps, only those are the set:
/// pages of unlisted files, such as those that `sitemap split` keeps for a day, do not count. Pages
/// are compared, and indexes are skipped. The exit status is 0 if nothing changed, 1 if something
/// changed or an entry cannot be read, and 2 if OLD or NEW cannot be read or has only indexes. While
/// entries of NEW are unreadable, no page counts as removed: a page that it does not list is missing
/// (?), because an unreadable entry may contain it. A page found only in unlisted files of NEW is
/// missing too. The exit status is 1 if a directory has pages in such files.
///
/// As a gate of a deploy, --fail-on names the changes that make the status 1. Unreadable entries
/// always do. With --redirects, a removed page that the site's _redirects file redirects does not
/// count as removed, unless the redirect leads to a removed page or in a circle.
///
/// Values are compared, not texts: a priority of 1.0 equals 1, and an instant equals itself in
/// another time zone. URLs that are equal after normalization (RFC 3986, RFC 5891) are one page,
/// such as https://example.com and https://example.com/: the page is respelt (~ with the field loc),
/// not removed and added.
///
///     sitemap diff yesterday.xml.gz sitemap.xml.gz
///     sitemap diff old/ new/ --ignore lastmod
///     sitemap diff https://example.com/sitemap.xml public/sitemap.xml
///     sitemap diff https://example.com/ public/ --site --fail-on removed --redirects public/_redirects
///     sitemap diff old.xml new.xml --format index-now --host example.com --key 0123456789abcdef
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// The host of the pages, for index-now
    #[arg(long, required_if_eq("format", "index-now"))]
    host: Option<String>,
    /// The IndexNow key, for index-now
    #[arg(long, required_if_eq("format", "index-now"))]
    key: Option<String>,
    /// The URL of the key file, unless it is /KEY.txt, for index-now
    #[arg(long, value_name = "URL")]
    key_location: Option<String>,
    /// The changes that make the exit status 1: added, changed, respelt, removed [default: all]
    #[arg(long, value_name = "CHANGES", value_enum, value_delimiter = ',')]
    fail_on: Vec<Kind>,
    /// The site's _redirects file: --fail-on ignores removed pages that it redirects
    #[arg(long, value_name = "FILE", requires = "fail_on")]
    redirects: Option<PathBuf>,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    sides: Sides,
}

/// The two sides, and the options of the comparison.
#[derive(Debug, Args)]
pub(crate) struct Sides {
    /// The old sitemap or set: a file, a directory, a URL, or - for standard input
    old: PathBuf,
    /// The new sitemap or set
    new: PathBuf,
    /// Ignore fields, such as lastmod,image:image
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', value_parser = field)]
    ignore: Vec<String>,
    /// Compare texts instead of values, so that 1.0 differs from 1, and include elements of other namespaces
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    live: Live,
}

impl Sides {
    /// Returns the documents of the old and the new side. Request options also apply to `served`, the URL of the new side, and to the other
    /// requests of a command that `sends` some.
    pub(crate) fn inputs(
        &self,
        served: Option<&str>,
        sends: bool,
        outputs: &Outputs,
    ) -> Result<(Inputs, Inputs)> {
        self.from.apply();
        let sides = [&*self.old, &*self.new];
        check_urls(&self.live, sides.into_iter().chain(served.map(Path::new)), sends)?;
        if self.old == self.new && self.old == Path::new("-") {
            bail!("{TWICE}");
        }
        let inputs = |side| {
            let inputs = inputs(std::slice::from_ref(side), Scope::Listed, &self.live, outputs)?;
            let mut unread = Unread::default();
            for input in &inputs.list {
                input.check_index(&mut unread)?;
            }
            if unread.entries > 0 {
                bail!(
                    "{}: it is not known what {} of an index would list",
                    side.display(),
                    if unread.entries == 1 {
                        "an unreadable entry"
                    } else {
                        "unreadable entries"
                    }
                );
            }
            Ok(inputs)
        };
        Ok((inputs(&self.old)?, inputs(&self.new)?))
    }

    /// Returns the files that the command reads and writes.
    pub(crate) fn outputs(&self) -> Outputs {
        self.live.outputs(Outputs::new().reads([&self.old, &self.new]))
    }

    /// Returns the connection settings.
    #[cfg(feature = "http")]
    pub(crate) fn connection(&self) -> &Connection {
        self.live.connection()
    }

    /// Returns the argument that names the new side.
    #[cfg(feature = "http")]
    pub(crate) fn new_path(&self) -> &Path {
        &self.new
    }

    pub(crate) fn diff(&self) -> Diff {
        let mut diff = Diff::new();
        diff.exact(self.exact);
        if let Some(filter) = filters::entries() {
            diff.filter(filter);
        }
        for field in &self.ignore {
            diff.ignore(field);
        }
        diff
    }
}

/// The compared fields of an entry.
const FIELDS: [&str; 9] = [
    "lastmod",
    "changefreq",
    "priority",
    "image:image",
    "video:video",
    "news:news",
    "xhtml:link",
    "mobile:mobile",
    "pagemap:PageMap",
];

/// Parses the name of a field. Another namespace is in braces before it.
fn field(name: &str) -> Result<String, String> {
    if FIELDS.contains(&name) || name.starts_with('{') {
        return Ok(name.to_owned());
    }
    let meant = FIELDS
        .into_iter()
        .find(|known| known.starts_with(name) && name.len() > 2)
        .or_else(|| nearest(name, FIELDS));
    Err(match meant {
        Some(meant) => format!("it is not a field of an entry: did you mean `{meant}`?"),
        None => format!("it is not a field of an entry, which has {}", FIELDS.join(", ")),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per page: `+` added, `-` removed, `~` changed or respelt, `?` missing
    Human,
    /// One JSON object per line
    Json,
    /// Workflow commands of GitHub Actions: errors for changes of --fail-on, and notices
    Github,
    /// The bodies of IndexNow requests, one per line, with at most 10,000 pages each
    IndexNow,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    options.places.apply();
    let outputs = options.sides.outputs().reads(&options.redirects);
    outputs.check()?;
    let mut gate = Gate::new(&options.fail_on, options.redirects.as_deref())?;
    let mut output = Output::new(options)?;
    options.filters.apply_to(
        &[&options.sides.old, &options.sides.new],
        options.sides.live.is_of_sites(),
    )?;
    let (old, new) = options.sides.inputs(None, false, &outputs)?;
    let compared = compare(&options.sides.diff(), &old, &new, |change| {
        gate.judge(change).map_or(Ok(()), |judged| output.write(&judged))
    })?;
    let removed = gate.finish(&new.list)?;
    let redirected = removed.iter().filter(|judged| judged.redirect.is_some()).count() as u64;
    for judged in &removed {
        output.write(judged)?;
    }
    output.finish()?;
    if !compared.summary.is_whole() {
        report_unread(old.list.iter().chain(&new.list));
    }
    compared.print(redirected);
    Ok(ExitCode::from(u8::from(
        gate.has_failed() || !compared.is_whole(),
    )))
}

/// The result of a comparison.
pub(crate) struct Compared {
    pub(crate) summary: Summary,
    /// The number of pages found only in unlisted files of NEW.
    unlisted: u64,
    /// `true` if a side has unlisted files.
    has_unlisted: bool,
}

/// Compares two sides and reports each change. A page found only in unlisted files of NEW is missing rather than removed.
pub(crate) fn compare(
    diff: &Diff,
    old: &Inputs,
    new: &Inputs,
    mut report: impl FnMut(Change) -> Result<(), Error>,
) -> Result<Compared> {
    let mut unlisted = 0;
    let compared = diff.run(&mut documents(&old.list), &mut documents(&new.list), |change| {
        report(match change {
            Change::Removed { loc } if new.is_unlisted(&loc) => {
                unlisted += 1;
                Change::Missing { loc }
            }
            change => change,
        })
    });
    let mut summary = compared.map_err(uncompared)?;
    summary.removed -= unlisted;
    summary.missing += unlisted;
    Ok(Compared {
        summary,
        unlisted,
        has_unlisted: old.has_unlisted() || new.has_unlisted(),
    })
}

/// Writes changes to standard output.
struct Output {
    format: Format,
    redirects: String,
    /// The requests of [`Format::IndexNow`].
    requests: Option<IndexNow>,
    out: BufWriter<Shown<Printer>>,
}

impl Output {
    fn new(options: &Options) -> Result<Self> {
        let mut requests = None;
        if options.format == Format::IndexNow {
            let (host, key) = (options.host.as_deref(), options.key.as_deref());
            let made = IndexNow::new(host.unwrap_or_default(), key.unwrap_or_default())?;
            requests = Some(match &options.key_location {
                Some(location) => made.key_location(location).context("--key-location")?,
                None => made,
            });
        }
        let redirects = options.redirects.as_deref().unwrap_or(Path::new(""));
        Ok(Output {
            format: options.format,
            redirects: redirects.display().to_string(),
            requests,
            out: BufWriter::new(match options.format {
                Format::Human | Format::Github => Shown::text(Printer::stdout()),
                Format::Json | Format::IndexNow => Shown::json(Printer::stdout()),
            }),
        })
    }

    fn write(&mut self, judged: &Judged) -> Result<(), Error> {
        let change = &judged.change;
        match self.format {
            Format::Human => {
                let text = match &judged.redirect {
                    Some(to) => format!("{change} -> {} ({}:{})", to.to, self.redirects, to.line),
                    None => change.to_string(),
                };
                writeln!(self.out, "{text}")?;
            }
            Format::Json => writeln!(self.out, "{}", self.object(judged))?,
            Format::Github => {
                let command = if judged.fails { "error" } else { "notice" };
                let message = self.sentence(judged);
                write_command(&mut self.out, command, "", judged.kind.as_str(), &message)?;
            }
            // Search engines are not notified of a page that may be unchanged, or is.
            Format::IndexNow if matches!(judged.kind, Kind::Missing | Kind::Respelt) => {}
            Format::IndexNow => {
                let body = self.requests.as_mut().map(|requests| requests.push(change.loc()));
                let body = body.transpose().map_err(<Error as serde_core::de::Error>::custom);
                if let Some(body) = body?.flatten() {
                    writeln!(self.out, "{body}")?;
                }
            }
        }
        Ok(())
    }

    fn object(&self, judged: &Judged) -> serde_json::Value {
        let (change, kind) = (&judged.change, judged.kind.as_str());
        let mut object = json!({ "change": kind, "loc": change.loc() });
        if let Change::Changed { fields, .. } = change {
            let fields: Vec<_> = fields
                .iter()
                .map(|field| json!({ "name": field.name, "before": field.before, "after": field.after }))
                .collect();
            object["fields"] = fields.into();
        }
        if let Change::Respelt { before, .. } = change {
            object["before"] = before.as_str().into();
        }
        if judged.kind == Kind::Removed && !self.redirects.is_empty() {
            let redirect = judged.redirect.as_ref();
            object["redirect"] = redirect.map_or(
                serde_json::Value::Null,
                |to| json!({ "to": to.to, "line": to.line }),
            );
        }
        object
    }

    /// Describes a change in words.
    fn sentence(&self, judged: &Judged) -> String {
        let (loc, redirects) = (judged.change.loc(), &self.redirects);
        if let Change::Respelt { before, .. } = &judged.change {
            return format!("{loc} was spelt {before}");
        }
        match (judged.kind, &judged.redirect) {
            (Kind::Added, _) => format!("{loc} was added"),
            (Kind::Changed | Kind::Respelt, _) => {
                let text = judged.change.to_string();
                format!("{loc} changed:{}", text.get(2 + loc.len()..).unwrap_or_default())
            }
            (Kind::Missing, _) => format!("{loc} is missing, or is an entry of NEW that was not read"),
            (Kind::Removed, Some(to)) => {
                format!(
                    "{loc} was removed, and {redirects}:{} redirects it to {}",
                    to.line, to.to
                )
            }
            (Kind::Removed, None) if redirects.is_empty() => format!("{loc} was removed"),
            (Kind::Removed, None) => format!("{loc} was removed, and {redirects} does not redirect it"),
        }
    }

    fn finish(mut self) -> Result<()> {
        if let Some(body) = self.requests.take().and_then(IndexNow::finish) {
            writeln!(self.out, "{body}")?;
        }
        Ok(self.out.flush()?)
    }
}

/// Explains why the sides cannot be compared, and names the command that repairs the document.
pub(crate) fn uncompared(error: Error) -> anyhow::Error {
    let pointer = error.document().map(|name| pointer(name, &error));
    let text = without_opening(&error);
    match pointer.filter(|pointer| !pointer.is_empty()) {
        Some(pointer) => anyhow!("{text}{pointer}"),
        None if text != error.to_string() => anyhow!("{text}"),
        None => error.into(),
    }
}

/// Returns the documents of a side.
pub(crate) fn documents(inputs: &[Input]) -> Vec<diff::Input<'_>> {
    let named = inputs.iter().map(|input| {
        input.note_rows();
        diff::Input::new(input.name.clone(), || input.open())
    });
    named.collect()
}

/// Reads the entries of a side again. Skips unreadable entries, which the comparison has counted.
fn each_entry(inputs: &[Input], mut read: impl FnMut(&Record)) -> Result<()> {
    let mut record = Record::new();
    for input in inputs {
        let opened = input.open_named()?;
        let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
        loop {
            match reader.read_record(&mut record) {
                Ok(true) => read(&record),
                Ok(false) => break,
                Err(error) if error.ends_reading() => return Err(error.into()),
                Err(_) => {}
            }
        }
    }
    Ok(())
}

/// Reports the unreadable entries.
fn report_unread<'i>(inputs: impl IntoIterator<Item = &'i Input>) {
    let (mut unread, mut record) = (Unread::default(), Record::new());
    for input in inputs {
        // All documents were readable before.
        let Ok(opened) = input.open() else { continue };
        let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
        if reader.kind().is_ok_and(|kind| kind == DocumentKind::SitemapIndex) {
            continue;
        }
        loop {
            match reader.read_record(&mut record) {
                Ok(true) if record.loc().is_empty() => {
                    if let Err(error) = reader.diagnose(&record) {
                        unread.entry(&input.name, error);
                    }
                }
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if error.ends_reading() => break,
                Err(error) => unread.entry(&input.name, error),
            }
        }
    }
    print_hidden();
}

impl Compared {
    /// Returns `true` if every page of both sides was read.
    pub(crate) fn is_whole(&self) -> bool {
        self.summary.is_whole() && !self.has_unlisted
    }

    /// Prints the numbers of pages, and the parts that were not compared.
    pub(crate) fn print(&self, redirected: u64) {
        let text = self.text(redirected);
        if self.is_whole() {
            print_note!("{text}");
        } else {
            print_message!("{text}");
        }
    }

    fn text(&self, redirected: u64) -> String {
        let summary = &self.summary;
        let mut text = format!(
            "{} added, {} removed, {} changed, {} as before",
            grouped(summary.added),
            grouped(summary.removed),
            grouped(summary.changed),
            grouped(summary.same)
        );
        let notes = [
            (
                summary.unread_old,
                ["entry", "entries"],
                "of OLD could not be read",
            ),
            (
                summary.unread_new,
                ["entry", "entries"],
                "of NEW could not be read",
            ),
            (
                summary.missing - self.unlisted,
                ["page", "pages"],
                "missing, if not among those",
            ),
            (
                self.unlisted,
                ["page", "pages"],
                "in files of NEW that nothing lists",
            ),
            (summary.respelt, ["URL", "URLs"], "only spelt differently"),
            (redirected, ["of the removed"; 2], "redirected"),
            (summary.repeated, ["of a loc"; 2], "that was listed before"),
            (summary.indexes, ["index", "indexes"], "skipped"),
        ];
        for (count, [one, more], what) in notes.into_iter().filter(|(count, ..)| *count > 0) {
            let noun = if count == 1 { one } else { more };
            // Writing to a string cannot fail.
            let _ = write!(text, "; {} {noun} {what}", grouped(count));
        }
        text
    }
}

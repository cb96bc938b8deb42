//! `sitemap stat`.

mod html;
mod json;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::format::Format as DocumentFormat;
use sitemap_serde::{ErrorKind, Kind, ReaderBuilder, Record};

use crate::filters::{self, Filters};
use crate::folder::Scope;
use crate::formats::From;
use crate::input::{Input, Reading, counted, grouped, named, read_each};
use crate::live::{Live, Resume};
use crate::message::{Printer, escaped, json_text};
use crate::outputs::Outputs;
use crate::unread::Unread;

/// Show statistics of sitemaps: entries, bytes, fields, dates
///
/// Entries are pages. Sitemaps listed in indexes are counted separately.
///
/// In directories, the files named .xml are read, and the text sitemaps and feeds named .txt, .rss,
/// .atom and .rdf; compressed (.gz) or not. If the directory's indexes and robots.txt list sitemaps,
/// only those are read, and URLs found only in other files are counted as `unlisted`.
///
/// Unreadable entries and documents are counted, and everything else too. The exit status is 1 if
/// entries could not be read or are unlisted, and 2 if a document could not be read to its end.
///
///     sitemap stat sitemap.xml.gz
///     sitemap stat public/
///     sitemap stat https://example.com/ --site
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// With --format html: show the changes since an earlier report, such as last week's
    #[arg(long, value_name = "REPORT")]
    former: Option<PathBuf>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    live: Live,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines and tables
    Human,
    /// One JSON object: the same numbers, with all counted names
    Json,
    /// A web page in a single file
    Html,
}

/// Statistics of a set of documents.
#[derive(Debug, Default)]
struct Counts {
    urlsets: u64,
    indexes: u64,
    texts: u64,
    feeds: u64,
    entries: u64,
    /// The entries of indexes.
    sitemaps: u64,
    /// URLs found only in unlisted files of folders.
    unlisted: u64,
    unread: Unread,
    bytes: u64,
    stored: u64,
    in_entries: u64,
    longest: u64,
    fields: BTreeMap<String, u64>,
    sites: BTreeMap<String, u64>,
    other_sites: u64,
    months: BTreeMap<String, u64>,
    odd_dates: u64,
    /// The number of alternates in each language.
    languages: BTreeMap<String, u64>,
    other_languages: u64,
    /// The number of entries by their number of alternates.
    groups: BTreeMap<u64, u64>,
    /// The size of each document in bytes.
    documents: BTreeMap<String, u64>,
    other_documents: u64,
}

/// Maximum number of distinct names to count separately.
const MOST: usize = 1000;

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let since = match (&options.former, options.format) {
        (Some(_), Format::Human | Format::Json) => bail!("--former needs --format html"),
        (Some(path), Format::Html) => Some(crate::html::former(path, "stat")?),
        (None, _) => None,
    };
    options.from.apply();
    options
        .filters
        .apply_to(&options.files, options.live.is_of_sites())?;
    let counts = Mutex::new(Counts::default());
    let outputs = Outputs::new().reads(&options.files).reads(&options.former);
    let outputs = options.live.outputs(outputs);
    outputs.check()?;
    let documents = named(&options.files, Scope::Listed, &outputs)?;
    let unlisted = documents.unlisted();
    let documents = read_each(documents.list, &options.live, &Resume::default(), &|input| {
        let mut of_document = Counts::default();
        let read = count(input, &mut of_document);
        if let Err(error) = read {
            of_document.unread.document(input, &error);
        }
        let reading = Reading::of(of_document.entries).with(&of_document.unread);
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.add(&of_document);
        counts.unread.add(of_document.unread);
        Ok(reading)
    })?;
    let mut counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    counts.unlisted = unlisted;
    let mut out = Printer::stdout();
    match options.format {
        Format::Human => out.write_all(escaped(&report(&counts)).as_bytes())?,
        Format::Json => writeln!(out, "{}", json_text(&json::report(&counts)))?,
        Format::Html => out.write_all(html::page(&counts, since.as_ref()).as_bytes())?,
    }
    out.flush()?;
    counts.unread.entries += unlisted;
    Ok(counts.unread.finish(documents))
}

impl Counts {
    /// Adds the counts of one document.
    fn add(&mut self, other: &Counts) {
        self.urlsets += other.urlsets;
        self.indexes += other.indexes;
        self.texts += other.texts;
        self.feeds += other.feeds;
        self.entries += other.entries;
        self.sitemaps += other.sitemaps;
        self.bytes += other.bytes;
        self.stored += other.stored;
        self.in_entries += other.in_entries;
        self.longest = self.longest.max(other.longest);
        for (field, count) in &other.fields {
            add(&mut self.fields, field, *count);
        }
        self.other_sites += other.other_sites;
        for (site, count) in &other.sites {
            self.other_sites += add(&mut self.sites, site, *count);
        }
        self.odd_dates += other.odd_dates;
        for (month, count) in &other.months {
            self.odd_dates += add(&mut self.months, month, *count);
        }
        self.other_languages += other.other_languages;
        for (language, count) in &other.languages {
            self.other_languages += add(&mut self.languages, language, *count);
        }
        for (alternates, count) in &other.groups {
            *self.groups.entry(*alternates).or_default() += count;
        }
        for (document, bytes) in &other.documents {
            self.other_documents += add(&mut self.documents, document, *bytes);
        }
    }
}

/// Counts the bytes read.
struct Counted<'c, R>(R, &'c mut u64);

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read(into)?;
        *self.1 += len as u64;
        Ok(len)
    }
}

fn count(input: &Input, counts: &mut Counts) -> Result<()> {
    let mut stored = 0;
    let mut builder = ReaderBuilder::new();
    let from: Box<dyn Read> = Box::new(Counted(input.open_named()?, &mut stored));
    let mut reader = builder.other_formats(true).from_reader(from);
    let format = reader.format()?;
    // A walk has also checked the URLs in an index that was loaded from a URL.
    let is_checked = format == DocumentFormat::SitemapIndex && input.response().is_some();
    match format {
        DocumentFormat::SitemapIndex => counts.indexes += 1,
        DocumentFormat::Text => {
            input.note_rows();
            counts.texts += 1;
        }
        format if format.is_feed() => counts.feeds += 1,
        _ => counts.urlsets += 1,
    }
    if format != DocumentFormat::SitemapIndex {
        filters::of_reader(&mut reader);
    }
    let mut record = Record::new();
    let result: Result<()> = loop {
        match reader.read_record(&mut record) {
            Ok(true) if record.kind() == Kind::SitemapIndex => counts.sitemaps += 1,
            Ok(true) => {
                let range = record.byte_range();
                let len = range.end - range.start;
                counts.in_entries += len;
                counts.longest = counts.longest.max(len);
                take(&record, counts);
            }
            Ok(false) => break Ok(()),
            Err(error) if error.kind() == ErrorKind::Data && !error.ends_reading() => {
                counts.unread.entries += u64::from(!is_checked);
            }
            Err(error) => break Err(error.into()),
        }
    };
    let bytes = reader.position().byte();
    counts.bytes += bytes;
    counts.documents.insert(input.name.clone(), bytes);
    drop(reader);
    counts.stored += stored;
    result?;
    if is_checked {
        input.check_index(&mut counts.unread)?;
    }
    Ok(())
}

/// Adds to the count of a name. Returns the number left out because there are too many names.
fn add(counts: &mut BTreeMap<String, u64>, name: &str, more: u64) -> u64 {
    let has_room = counts.len() < MOST;
    match counts.get_mut(name) {
        Some(count) => *count += more,
        None if has_room => {
            counts.insert(name.to_owned(), more);
        }
        None => return more,
    }
    0
}

fn take(record: &Record, counts: &mut Counts) {
    counts.entries += 1;
    let mut alternates = 0;
    for field in record.fields() {
        add(&mut counts.fields, field.name(), 1);
        if field.name() == "xhtml:link"
            && let Some(language) = field.get("@hreflang")
        {
            alternates += 1;
            let language = language.to_ascii_lowercase();
            counts.other_languages += add(&mut counts.languages, &language, 1);
        }
    }
    *counts.groups.entry(alternates).or_default() += 1;
    let loc = record.loc();
    let site = loc.split('/').take(3).collect::<Vec<_>>().join("/");
    counts.other_sites += add(&mut counts.sites, &site, 1);
    match record.lastmod() {
        Ok(Some(lastmod)) => {
            let month = format!("{:04}-{:02}", lastmod.year(), lastmod.month().unwrap_or(1));
            counts.odd_dates += add(&mut counts.months, &month, 1);
        }
        Ok(None) => {}
        Err(_) => counts.odd_dates += 1,
    }
}

fn report(counts: &Counts) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<12} {value}");
    };
    let mut documents = Vec::new();
    if counts.urlsets > 0 {
        documents.push(counted(counts.urlsets, "urlset"));
    }
    if counts.indexes > 0 {
        documents.push(counted(counts.indexes, "sitemapindex").replace("xs", "xes"));
    }
    if counts.texts > 0 {
        documents.push(counted(counts.texts, "text sitemap"));
    }
    if counts.feeds > 0 {
        documents.push(counted(counts.feeds, "feed"));
    }
    if documents.is_empty() {
        documents.push("none".to_owned());
    }
    line("documents", documents.join(", "));
    line("entries", grouped(counts.entries));
    if counts.sitemaps > 0 {
        line("sitemaps", format!("{} in indexes", grouped(counts.sitemaps)));
    }
    if counts.unlisted > 0 {
        line(
            "unlisted",
            format!("{} in files that no index lists", grouped(counts.unlisted)),
        );
    }
    if counts.unread.entries > 0 {
        line("unreadable", grouped(counts.unread.entries));
    }
    if counts.unread.documents > 0 {
        line(
            "incomplete",
            format!(
                "{} that could not be read to the end",
                counted(counts.unread.documents, "document")
            ),
        );
    }
    line(
        "bytes",
        format!(
            "{} decompressed, {} stored",
            grouped(counts.bytes),
            grouped(counts.stored)
        ),
    );
    if let Some(mean) = counts.in_entries.checked_div(counts.entries) {
        line(
            "an entry",
            format!("{} bytes, {} at most", grouped(mean), grouped(counts.longest)),
        );
    }
    let table = |out: &mut String, title: &str, counts: &BTreeMap<String, u64>, other: u64| {
        if counts.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}");
        let mut rows: Vec<_> = counts.iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (name, count) in rows.iter().take(20) {
            let _ = writeln!(out, "{:>12}  {name}", grouped(**count));
        }
        let rest: u64 = rows.iter().skip(20).map(|(_, count)| **count).sum::<u64>() + other;
        if rest > 0 {
            let _ = writeln!(out, "{:>12}  others", grouped(rest));
        }
    };
    table(&mut out, "fields", &counts.fields, 0);
    table(&mut out, "sites", &counts.sites, counts.other_sites);
    histogram(&mut out, counts);
    out
}

/// Prints a histogram of lastmods by month, or by year if there are many months.
fn histogram(out: &mut String, counts: &Counts) {
    if counts.months.is_empty() && counts.odd_dates == 0 {
        return;
    }
    let _ = writeln!(out, "\nlastmod");
    let mut bars: BTreeMap<&str, u64> = BTreeMap::new();
    let is_long = counts.months.len() > 24;
    for (month, count) in &counts.months {
        let name = if is_long {
            month.get(..4).unwrap_or(month)
        } else {
            month
        };
        *bars.entry(name).or_default() += count;
    }
    let most = bars.values().copied().max().unwrap_or(1).max(1);
    for (name, count) in bars {
        let width = usize::try_from((count * 40).div_ceil(most)).unwrap_or(40);
        let _ = writeln!(out, "{:>12}  {name} {}", grouped(count), "#".repeat(width));
    }
    if counts.odd_dates > 0 {
        let _ = writeln!(out, "{:>12}  other, or no date", grouped(counts.odd_dates));
    }
}

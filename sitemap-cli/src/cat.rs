//! `sitemap cat`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, anyhow};
use clap::Args;
use sitemap_serde::{ErrorKind, Kind, Mode, ReaderBuilder, Record};

use crate::folder::Scope;
use crate::formats::{
    ColumnNames, EntryElement, Format, From, RowReader, each_line, each_row, each_value, open, said,
};
use crate::input::{Input, Reading, error_text, grouped, named, read_each};
use crate::live::{Live, Resume};
use crate::message::for_output;
use crate::omitted::UnknownNames;
use crate::progress::BesideProgress;
use crate::unread::Unread;

/// Print the entries of sitemaps, one per line
///
/// Reads text sitemaps, feeds, JSON and CSV with a header too. Where pages are printed, indexes are
/// skipped, as their entries are no pages; indexes by themselves are printed. In directories it
/// reads the files named .xml, and text sitemaps and feeds named .txt, .rss, .atom and .rdf,
/// compressed (.gz) or not. If the indexes and the robots.txt of a directory list some of them, it
/// reads only these: the URLs that only the others have are counted, and the exit status is 1.
/// Links are followed.
///
/// What cannot be read is reported on standard error, and the other documents are printed; of JSON
/// and CSV, so are the names of keys and columns that no sitemap has. The exit status is 1 if
/// entries could not be read, and 2 if a document could not be read to its end. The documents of a
/// site are printed in the order in which they are loaded, and of its indexes nothing, since what
/// they list is printed.
///
///     sitemap cat sitemap.xml.gz
///     sitemap cat urls.csv
///     sitemap cat public/ --fields loc,lastmod | sort
///     sitemap cat https://example.com/ --site
///     sitemap cat https://example.com/ --site --save example.state >> urls.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The fields to print, separated by tabs
    #[arg(long, value_delimiter = ',', default_value = "loc", value_name = "FIELDS", value_parser = ["loc", "lastmod", "changefreq", "priority"])]
    fields: Vec<String>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    columns: ColumnNames,
    #[command(flatten)]
    live: Live,
    #[command(flatten)]
    resume: Resume,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    options.resume.check(options.files.len())?;
    options.from.apply();
    let out = Mutex::new(BesideProgress(io::stdout()));
    let unread = Mutex::new(Unread::default());
    let documents = named(&options.files, Scope::Listed)?;
    let unlisted = documents.unlisted();
    let is_one = documents.list.len() == 1;
    // A directory is read by its indexes.
    let is_named = |input: &Input| {
        let path = input.path();
        path.is_none_or(|path| options.files.iter().any(|file| file == path))
    };
    // Indexes wait until it is known whether pages are printed.
    let indexes = Mutex::new(Vec::new());
    let has_pages = AtomicBool::new(false);
    let print = |input: &Input, takes_indexes: bool| {
        let mut lines = Lines::new(&out);
        let mut of_document = Unread::default();
        let read = print_entries(input, options, takes_indexes, &mut lines, &mut of_document)?;
        lines.flush()?;
        let entries = lines.count;
        drop(lines);
        match read {
            Ok(Printed::Pages) => has_pages.store(true, Ordering::Relaxed),
            Ok(Printed::Index) => {}
            Ok(Printed::Nothing) => lock(&indexes).push(input.clone()),
            Err(error) => of_document.document(input, &error),
        }
        let problem = of_document.problem.clone();
        lock(&unread).add(of_document);
        Ok(Reading { entries, problem })
    };
    let documents = read_each(documents.list, &options.live, &options.resume, &|input| {
        print(
            input,
            is_one && is_named(input) || is_listed_by_site(input, options),
        )
    })?;
    let skipped: Vec<Input> = std::mem::take(&mut *lock(&indexes));
    if has_pages.load(Ordering::Relaxed) {
        let named = skipped.iter().filter(|input| is_named(input)).count();
        let noun = if named == 1 { "index" } else { "indexes" };
        if named > 0 {
            print_note!(
                "note: {} {noun} skipped, since pages are printed",
                grouped(named as u64)
            );
        }
        for input in &skipped {
            lock(&unread).add(unread_of(input, options)?);
        }
    } else {
        for input in &skipped {
            if is_named(input) {
                print(input, true)?;
            } else {
                lock(&unread).add(unread_of(input, options)?);
            }
        }
    }
    let mut unread = unread.into_inner().unwrap_or_else(PoisonError::into_inner);
    unread.entries += unlisted;
    Ok(unread.finish(documents))
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What of a skipped index cannot be read.
fn unread_of(input: &Input, options: &Options) -> io::Result<Unread> {
    let nowhere = Mutex::new(io::sink());
    let mut unread = Unread::default();
    if let Err(error) = print_entries(input, options, true, &mut Lines::new(&nowhere), &mut unread)? {
        unread.document(input, &error);
    }
    Ok(unread)
}

/// Whether the document is one of a site, which is read with all that its indexes list.
fn is_listed_by_site(input: &Input, options: &Options) -> bool {
    options.live.is_of_sites() && input.url().is_some()
}

/// What was printed of a document.
enum Printed {
    Pages,
    /// The entries of an index, or of an index of a site nothing.
    Index,
    /// Nothing, since it is an index.
    Nothing,
}

/// The lines of a document, of which several may be printed by as many threads: they come one after another. The output is locked once
/// there are many, until the last one.
struct Lines<'o, W> {
    out: &'o Mutex<W>,
    locked: Option<MutexGuard<'o, W>>,
    buffer: Vec<u8>,
    count: u64,
}

/// The bytes of lines that are printed at once.
const LINES_BYTES: usize = 256 << 10;

impl<'o, W: Write> Lines<'o, W> {
    fn new(out: &'o Mutex<W>) -> Self {
        Lines {
            out,
            locked: None,
            buffer: Vec::new(),
            count: 0,
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.buffer.push(b'\n');
        self.count += 1;
        if self.buffer.len() < LINES_BYTES {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let lock = || self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let out = self.locked.get_or_insert_with(lock);
        out.write_all(&self.buffer)?;
        self.buffer.clear();
        out.flush()
    }
}

/// Prints the entries of a document. Returns the error of the output, or of a document that cannot be read to its end.
fn print_entries(
    input: &Input,
    options: &Options,
    takes_indexes: bool,
    out: &mut Lines<'_, impl Write>,
    unread: &mut Unread,
) -> io::Result<Result<Printed>> {
    let (reader, format) = match open(input) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    if format == Format::Xml || format == Format::Text && said().is_none() {
        return print_records(input, options, takes_indexes, out, unread);
    }
    let (mut written, mut unknown) = (Ok(()), UnknownNames::default());
    let (mut has_pages, mut has_sitemaps) = (false, false);
    let mut rows = RowReader::new(Mode::Strict);
    let mut print = |place: &str, row: Result<EntryElement>| {
        // Each row says for itself whether it is of an index.
        let is_sitemap = row.as_ref().ok().and_then(EntryElement::kind) == Some(Kind::SitemapIndex);
        has_sitemaps |= is_sitemap;
        has_pages |= !is_sitemap;
        if is_sitemap && !takes_indexes {
            return Ok(());
        }
        match row.and_then(|row| rows.record(row)) {
            Ok((_, loc, _)) if loc.is_empty() => unread.entry(place, "no loc"),
            Ok((record, loc, names)) => {
                unknown.append(&names);
                written = print_entry(
                    |field| match field {
                        "loc" => loc.clone(),
                        field => record.get(field).unwrap_or_default().to_owned(),
                    },
                    options,
                    out,
                );
            }
            Err(error) => unread.entry(place, error_text(&error)),
        }
        written
            .as_ref()
            .map(drop)
            .map_err(|_| anyhow!("standard output is closed"))
    };
    let read = match format {
        Format::Csv => {
            let mut others = UnknownNames::columns();
            let mut found = |_: &str, names: &UnknownNames| {
                others.append(names);
                Ok(())
            };
            let read = each_row(reader, &input.name, &options.columns, &mut found, &mut print);
            unknown.append(&others);
            read
        }
        Format::Jsonl => each_value(reader, &input.name, &mut |place, line| {
            print(place, line.and_then(EntryElement::of_json))
        }),
        Format::Xml | Format::Text => each_line(reader, &input.name, &mut |place, line| {
            print(place, line.and_then(EntryElement::of_line))
        }),
    };
    if !unknown.is_empty() {
        print_note!("note: {}: {}: {unknown}", input.name, unknown.counted());
    }
    if has_pages && has_sitemaps {
        let outcome = if takes_indexes {
            "printed like these"
        } else {
            "skipped"
        };
        unread.entry(
            &input.name,
            format_args!("it has rows of pages and rows of sitemaps (`kind`), which are {outcome}"),
        );
    }
    let printed = match (has_pages, has_sitemaps) {
        (false, true) if takes_indexes => Printed::Index,
        (false, true) => Printed::Nothing,
        _ => Printed::Pages,
    };
    written.map(|()| read.map(|()| printed))
}

fn print_records(
    input: &Input,
    options: &Options,
    takes_indexes: bool,
    out: &mut Lines<'_, impl Write>,
    unread: &mut Unread,
) -> io::Result<Result<Printed>> {
    let opened = match input.open_any() {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error.into())),
    };
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    let kind = match reader.kind() {
        Ok(kind) => kind,
        Err(error) => return Ok(Err(error.into())),
    };
    // What an index of a site lists is read itself.
    if kind == Kind::SitemapIndex && is_listed_by_site(input, options) {
        return Ok(input.check_index(unread).map(|()| Printed::Index));
    }
    if kind == Kind::SitemapIndex && !takes_indexes {
        return Ok(input.check_index(unread).map(|()| Printed::Nothing));
    }
    let mut record = Record::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if record.loc().is_empty() => {
                if let Err(error) = reader.diagnose(&record) {
                    unread.entry(&input.name, error);
                }
            }
            Ok(true) => print_entry(
                |field| record.get(field).unwrap_or_default().to_owned(),
                options,
                out,
            )?,
            Ok(false) => {
                return Ok(Ok(match kind {
                    Kind::UrlSet => Printed::Pages,
                    Kind::SitemapIndex => Printed::Index,
                }));
            }
            Err(error) if error.kind() == ErrorKind::Data && !error.ends_reading() => {
                unread.entry(&input.name, error);
            }
            Err(error) => return Ok(Err(error.into())),
        }
    }
}

fn print_entry(
    value: impl Fn(&str) -> String,
    options: &Options,
    out: &mut Lines<'_, impl Write>,
) -> io::Result<()> {
    for (i, field) in options.fields.iter().enumerate() {
        if i > 0 {
            out.buffer.push(b'\t');
        }
        // Tabs and line breaks separate fields and entries.
        let text = value(field).replace(['\t', '\n', '\r'], " ");
        out.buffer.extend_from_slice(for_output(&text).as_bytes());
    }
    out.end_line()
}

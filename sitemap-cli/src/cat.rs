//! `sitemap cat`.

mod fields;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, anyhow};
use clap::builder::{PossibleValue, TypedValueParser as _};
use clap::{Args, ValueEnum};
use sitemap_serde::{Diagnostic, ErrorKind, Kind, Mode, ReaderBuilder, Record, UrlEntry};

use crate::filters::{self, Filters};
use crate::folder::Scope;
use crate::formats::{
    COLUMNS, ColumnNames, Format, From, INDEXES, Row, RowReader, SITEMAP, each_line, each_row, each_value,
    in_row, line_row, open, push_json, said,
};
use crate::input::{Input, Reading, counted, error_text, grouped, named, read_each};
use crate::live::{Live, Resume};
use crate::message::{Places, Shown, hide};
use crate::omitted::UnknownNames;
use crate::outputs::Outputs;
use crate::progress::BesideProgress;
use crate::suggested::Suggested;
use crate::unread::Unread;

use self::fields::{Field, OFFERED, add_members, quoted};

/// Print the entries of sitemaps, one per line
///
/// Reads text sitemaps, feeds, JSON and CSV with a header too. Next to pages, indexes are skipped,
/// because their entries are not pages; without pages, they are printed. In directories it reads the
/// files named .xml, and text sitemaps and feeds named .txt, .rss, .atom and .rdf, compressed (.gz)
/// or not. If the directory's indexes and robots.txt list sitemaps, it reads only those: URLs found
/// only in other files are counted, and the exit status is 1. Links are followed.
///
/// Unreadable documents and entries are reported on standard error, as are unknown keys and columns
/// of JSON and CSV; everything else is printed. The exit status is 1 if entries could not be read,
/// and 2 if a document could not be read to its end. The documents of a site are printed in loading
/// order. A site's indexes are not printed, because the documents that they list are.
///
///     sitemap cat sitemap.xml.gz
///     sitemap cat urls.csv
///     sitemap cat public/ --fields loc,lastmod | sort
///     sitemap cat https://example.com/ --site
///     sitemap cat https://example.com/ --site --format jsonl > pages.jsonl
///     sitemap cat sitemap.xml --fields loc,image.loc,alternate.hreflang
///     sitemap cat https://example.com/ --site --save example.state >> urls.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Output,
    /// The fields to print, separated by tabs in text [default: loc; all for jsonl]
    #[arg(long, value_delimiter = ',', value_name = "FIELDS", hide_possible_values = true,
        value_parser = Suggested::new(|| OFFERED.map(PossibleValue::new).to_vec()).try_map(|name| Field::parse(&name)))]
    fields: Vec<Field>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    columns: ColumnNames,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    live: Live,
    #[command(flatten)]
    resume: Resume,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One line per entry
    Text,
    /// One JSON object per entry
    Jsonl,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    options.resume.check(options.files.len())?;
    options.from.apply();
    options.places.apply();
    options
        .filters
        .apply_to(&options.files, options.live.is_of_sites())?;
    let out = match options.format {
        Output::Text => Shown::text(io::stdout()),
        Output::Jsonl => Shown::json(io::stdout()),
    };
    let out = Mutex::new(BesideProgress(out));
    let unread = Mutex::new(Unread::default());
    let losses = Mutex::new(Losses::default());
    let outputs = options.resume.outputs(Outputs::new().reads(&options.files));
    let outputs = options.live.outputs(outputs);
    outputs.check()?;
    let documents = named(&options.files, Scope::Listed, &outputs)?;
    let unlisted = documents.unlisted();
    let is_one = documents.list.len() == 1;
    // A directory is read through its indexes.
    let is_named = |input: &Input| {
        let path = input.path();
        path.is_none_or(|path| options.files.iter().any(|file| file == path))
    };
    // Indexes wait until all documents are known, because they are printed only without pages.
    let indexes = Mutex::new(Vec::new());
    let has_pages = AtomicBool::new(false);
    let print = |input: &Input, takes_indexes: bool| {
        let mut lines = Lines::new(&out);
        let mut of_document = Unread::default();
        let mut printing = Printing::new(input, options);
        let read = print_entries(&mut printing, takes_indexes, &mut lines, &mut of_document)?;
        lock(&losses).add(&printing);
        lines.flush()?;
        let entries = lines.count;
        drop(lines);
        match read {
            Ok(Printed::Pages) => has_pages.store(true, Ordering::Relaxed),
            Ok(Printed::Index) => {}
            Ok(Printed::Nothing) => lock(&indexes).push(input.clone()),
            Err(error) => of_document.document(input, &error),
        }
        let reading = Reading::of(entries).with(&of_document);
        lock(&unread).add(of_document);
        Ok(reading)
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
    lock(&losses).print();
    Ok(unread.finish(documents))
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the unreadable part of a skipped index.
fn unread_of(input: &Input, options: &Options) -> io::Result<Unread> {
    let nowhere = Mutex::new(io::sink());
    let mut unread = Unread::default();
    let mut printing = Printing::new(input, options);
    printing.is_silent = true;
    if let Err(error) = print_entries(&mut printing, true, &mut Lines::new(&nowhere), &mut unread)? {
        unread.document(input, &error);
    }
    Ok(unread)
}

/// Returns `true` if the document belongs to a site, whose listed documents are all read.
fn is_listed_by_site(input: &Input, options: &Options) -> bool {
    options.live.is_of_sites() && input.url().is_some()
}

/// The printed content of a document.
enum Printed {
    Pages,
    /// The entries of an index, or nothing if the index belongs to a site.
    Index,
    /// Nothing, because the document is an index.
    Nothing,
}

/// The lines of a document. Several threads may print documents; the lines of each stay together. After the first full buffer, the output
/// stays locked until the last line.
struct Lines<'o, W> {
    out: &'o Mutex<W>,
    locked: Option<MutexGuard<'o, W>>,
    buffer: Vec<u8>,
    count: u64,
}

/// The size of the buffer in bytes.
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

/// Prints the entries of a document. Returns an output error, or the error of a document that cannot be read to its end.
fn print_entries(
    printing: &mut Printing<'_>,
    takes_indexes: bool,
    out: &mut Lines<'_, impl Write>,
    unread: &mut Unread,
) -> io::Result<Result<Printed>> {
    let (input, options) = (printing.input, printing.options);
    let (reader, format) = match open(input) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    if format == Format::Xml || format == Format::Text && said().is_none() {
        return print_records(printing, takes_indexes, out, unread);
    }
    let (mut written, mut unknown) = (Ok(()), UnknownNames::default());
    let (mut has_pages, mut has_sitemaps) = (false, false);
    let mut rows = RowReader::new(Mode::Strict).columns(&options.columns);
    let mut print = |place: &str, row: Result<Row<'_>>| {
        let begun = row.and_then(|row| rows.read(row));
        // Each row states whether it belongs to an index.
        let kind = begun.as_ref().ok().and_then(|()| rows.kind());
        let is_sitemap = kind == Some(Kind::SitemapIndex);
        has_sitemaps |= is_sitemap;
        has_pages |= !is_sitemap;
        if is_sitemap && !takes_indexes || begun.is_ok() && !rows.is_chosen() {
            return Ok(());
        }
        match begun.and_then(|()| rows.record()) {
            Ok(row) if row.loc.is_empty() => unread.entry(place, "no loc"),
            Ok(row) => {
                unknown.append(&row.unknown);
                // A list of locs has no other values.
                if options.format == Output::Jsonl || !options.fields.is_empty() {
                    printing.report(place, &row.problems, row.unlisted);
                }
                written = printing.print(row.record, Some(place), row.loc, kind.unwrap_or_default(), out);
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
            print(place, line.map(Row::Json))
        }),
        Format::Xml | Format::Text => each_line(reader, &input.name, &mut |place, line| {
            print(place, line.and_then(line_row))
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
    printing: &mut Printing<'_>,
    takes_indexes: bool,
    out: &mut Lines<'_, impl Write>,
    unread: &mut Unread,
) -> io::Result<Result<Printed>> {
    let (input, options) = (printing.input, printing.options);
    let opened = match input.open_any() {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error.into())),
    };
    let names_are_told = options.format == Output::Jsonl && options.fields.is_empty() && !printing.is_silent;
    let mut builder = ReaderBuilder::new();
    builder.other_formats(true).expanded_names(names_are_told);
    let mut reader = builder.from_reader(opened);
    let (kind, format) = match reader.kind().and_then(|kind| Ok((kind, reader.format()?))) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error.into())),
    };
    // The documents listed in a site's index are read anyway.
    if kind == Kind::SitemapIndex && is_listed_by_site(input, options) {
        return Ok(input.check_index(unread).map(|()| Printed::Index));
    }
    if kind == Kind::SitemapIndex && !takes_indexes {
        return Ok(input.check_index(unread).map(|()| Printed::Nothing));
    }
    if !printing.is_silent {
        filters::of_reader(&mut reader);
    }
    let mut record = Record::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if record.loc().is_empty() => {
                if let Err(error) = reader.diagnose(&record) {
                    unread.entry(&input.name, error);
                }
            }
            Ok(true) => {
                if names_are_told {
                    printing.names.push_record(&record, format);
                }
                let loc = match input.absolute(record.loc()) {
                    // Other programs read the links of feeds relative to the feed.
                    _ if !format.is_feed() => record.loc().into(),
                    Some(loc) => loc,
                    None => {
                        let place = format!("{}, entry {}", input.name, record.number());
                        let loc = record.loc().escape_debug();
                        unread.entry(
                        &place,
                        format_args!("the link `{loc}` is relative to the URL of the feed, which is not known: left out"),
                    );
                        continue;
                    }
                };
                printing.print(&record, None, &loc, record.kind(), out)?;
            }
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

/// Prints the entries of a document.
struct Printing<'p> {
    input: &'p Input,
    options: &'p Options,
    /// Reads entries with invalid values. Created for the first such entry.
    lenient: Option<RowReader>,
    /// `true` if nothing is printed, and only unreadable entries are reported.
    is_silent: bool,
    /// The number of invalid values that are left out.
    lost: u64,
    /// The names that JSON lacks.
    names: UnknownNames,
}

impl<'p> Printing<'p> {
    fn new(input: &'p Input, options: &'p Options) -> Self {
        Printing {
            input,
            options,
            lenient: None,
            is_silent: false,
            lost: 0,
            names: UnknownNames::default(),
        }
    }

    /// Prints an entry. `place` is that of a row; an entry of a document is named by its number.
    fn print(
        &mut self,
        record: &Record,
        place: Option<&str>,
        loc: &str,
        kind: Kind,
        out: &mut Lines<'_, impl Write>,
    ) -> io::Result<()> {
        let (input, fields) = (self.input, &self.options.fields);
        if self.options.format == Output::Jsonl {
            let mut object = self.object(record, place, loc, kind);
            if fields.is_empty() {
                let indexes: Vec<_> = input.indexes().iter().map(|index| quoted(index)).collect();
                let members = [
                    (SITEMAP, quoted(&input.name)),
                    (INDEXES, format!("[{}]", indexes.join(","))),
                ];
                add_members(&mut object, members);
            } else {
                let entry = String::from_utf8_lossy(&object).into_owned();
                let null = || "null".to_owned();
                let value = |field: &Field| field.json(&entry, kind, input).unwrap_or_else(null);
                object = b"{}".to_vec();
                add_members(
                    &mut object,
                    fields.iter().map(|field| (field.name(), value(field))),
                );
            }
            out.buffer.extend_from_slice(&object);
            return out.end_line();
        }
        if fields.is_empty() {
            push_text(loc, out);
            return out.end_line();
        }
        let entry = if fields.iter().all(Field::is_plain) {
            String::new()
        } else {
            String::from_utf8_lossy(&self.object(record, place, loc, kind)).into_owned()
        };
        for (i, field) in fields.iter().enumerate() {
            if i > 0 {
                out.buffer.push(b'\t');
            }
            if field.is_plain() {
                push_text(&field.text(record, loc, kind, input), out);
            } else {
                push_text(&field.json_text(&entry, kind, input), out);
            }
        }
        out.end_line()
    }

    /// Returns the entry as JSON. Invalid values are printed if they are texts of the entry itself; otherwise they are reported and left out.
    fn object(&mut self, record: &Record, place: Option<&str>, loc: &str, kind: Kind) -> Vec<u8> {
        let is_index = kind == Kind::SitemapIndex;
        let mut object = Vec::new();
        if let Ok(mut entry) = record.read::<UrlEntry>() {
            loc.clone_into(&mut entry.loc);
            if push_json(&mut object, &entry, is_index).is_ok() {
                return object;
            }
        }
        let lenient = self.lenient.get_or_insert_with(|| RowReader::new(Mode::Lenient));
        let mut entry = UrlEntry::new(loc);
        let (mut losses, mut unlisted) = (Vec::new(), 0);
        lenient.read_record(record);
        match lenient.entry() {
            Ok(row) => {
                let lost = row.diagnostics.iter().filter(|diagnostic| diagnostic.is_loss());
                losses.extend(lost.map(|diagnostic| (field(diagnostic), in_row(diagnostic))));
                unlisted = row.unlisted;
                entry = row.entry;
                loc.clone_into(&mut entry.loc);
            }
            Err(error) => losses.push((String::new(), format!("{}: left out", error_text(&error)))),
        }
        object.clear();
        // Writing to a buffer cannot fail.
        let _ = push_json(&mut object, &entry, is_index);
        let is_read = |name: &str| match name {
            "lastmod" => entry.lastmod.is_some(),
            "changefreq" => entry.changefreq.is_some(),
            "priority" => entry.priority.is_some(),
            _ => true,
        };
        for name in COLUMNS {
            if let Some(text) = record.get(name).filter(|text| !text.is_empty() && !is_read(name)) {
                losses.retain(|(lost, _)| lost != name);
                add_members(&mut object, [(name, quoted(text))]);
            }
        }
        let of_entry = || format!("{}, entry {}", self.input.name, record.number());
        let place = place.map_or_else(of_entry, str::to_owned);
        let problems: Vec<_> = losses.into_iter().map(|(_, problem)| problem).collect();
        self.report(&place, &problems, unlisted);
        object
    }

    /// Reports values of an entry that are left out.
    fn report(&mut self, place: &str, problems: &[String], unlisted: u64) {
        for problem in problems {
            print_problem!("{place}: {problem}");
        }
        hide(unlisted);
        self.lost += problems.len() as u64 + unlisted;
    }
}

/// Returns the field of a problem, as a path in its entry.
fn field(diagnostic: &Diagnostic) -> String {
    let path = diagnostic.path().unwrap_or_default();
    let field = path.split_once(" · ").map(|(_, field)| field);
    field.unwrap_or_default().to_owned()
}

/// Writes a value. Tabs and line breaks become spaces, because they separate fields and entries.
fn push_text(text: &str, out: &mut Lines<'_, impl Write>) {
    let text = text.replace(['\t', '\n', '\r'], " ");
    out.buffer.extend_from_slice(text.as_bytes());
}

/// The data of entries that complete JSON output still lacks.
#[derive(Debug, Default)]
struct Losses {
    values: u64,
    names: UnknownNames,
}

impl Losses {
    fn add(&mut self, printing: &Printing<'_>) {
        self.values += printing.lost;
        self.names.append(&printing.names);
    }

    fn print(&self) {
        if self.values > 0 {
            let values = counted(self.values, "invalid value");
            print_note!("note: {values} left out");
        }
        self.names.print();
    }
}

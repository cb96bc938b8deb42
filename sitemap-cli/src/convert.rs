//! `sitemap convert`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use sitemap_serde::format::TextWriter;
use sitemap_serde::{Category, IndexEntry, Kind, ReaderBuilder, UrlEntry, Writer, WriterBuilder};

use crate::input::{Input, counted, grouped};
use crate::replace::{is_gzip_name, keep_existing, write_to};

/// Convert a sitemap: XML, text, JSON lines, CSV
///
/// Text has one URL per line and nothing else. CSV has a header and the columns loc, lastmod, changefreq and priority, in any
/// order. JSON has one object per line, with everything that an entry contains, extensions included. RSS and Atom feeds can be
/// read too: their links and dates. Standard error gets the number of entries that lose data in the new format. An entry of XML
/// that cannot be read is reported there, and the exit status is 1; an invalid line of another format stops the command with the
/// status 2.
///
///     sitemap convert sitemap.xml.gz --to jsonl
///     sitemap convert urls.txt --to xml -o sitemap.xml
///     sitemap cat old.xml | sitemap convert - --to xml --pretty
///     curl -s https://example.com/feed.atom | sitemap convert - --to xml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// The document, compressed or not; - for standard input
    file: PathBuf,
    /// The new format
    #[arg(long, value_enum)]
    to: Format,
    /// The format of the document [default: detected by its first character]
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// Write an index, for formats that do not tell a urlset from an index
    #[arg(long)]
    index: bool,
    /// Indent XML
    #[arg(long)]
    pretty: bool,
    /// Write to this file, compressed if its name ends in .gz [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file that --output names, if there is one
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A urlset or sitemapindex; as input, a feed too
    Xml,
    /// One URL per line
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

/// Counts of what was converted.
#[derive(Debug, Default)]
struct Done {
    entries: u64,
    unread: u64,
    /// Entries that lose data.
    poorer: u64,
    /// XML elements of unknown namespaces.
    other_elements: u64,
    /// CSV columns that a sitemap does not have.
    other_columns: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let input = Input::of(&options.file)?;
    let mut done = Done::default();
    match options.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            let mut out = io::stdout().lock();
            convert(options, &input, &mut out, &mut done)?;
            out.flush()?;
        }
        Some(path) => {
            keep_existing(path, options.force)?;
            let notes = write_to(path, |file| {
                if is_gzip_name(path) {
                    let mut encoder = GzEncoder::new(file, Compression::default());
                    convert(options, &input, &mut encoder, &mut done)?;
                    encoder.finish()?;
                } else {
                    convert(options, &input, file, &mut done)?;
                }
                Ok(true)
            })?;
            for note in notes {
                print_message!("note: {note}");
            }
        }
    }
    if done.poorer > 0 {
        let format = options.to.to_possible_value();
        let format = format.as_ref().map_or("", |value| value.get_name());
        print_message!(
            "note: {} of {} have data that {format} cannot represent, which is left out",
            done.poorer,
            counted(done.entries, "URL")
        );
    }
    if done.other_elements > 0 {
        print_message!(
            "note: {} of unknown namespaces left out",
            counted(done.other_elements, "element")
        );
    }
    if !done.other_columns.is_empty() {
        print_message!(
            "note: {} left out: {}",
            counted(done.other_columns.len() as u64, "other column"),
            done.other_columns.join(", ")
        );
    }
    Ok(ExitCode::from(u8::from(done.unread > 0)))
}

fn convert(options: &Options, input: &Input, out: &mut dyn Write, done: &mut Done) -> Result<()> {
    let opened = input
        .open()
        .with_context(|| format!("cannot open {}", input.name))?;
    let mut reader = BufReader::with_capacity(64 << 10, opened);
    let is_gzip = reader
        .fill_buf()
        .is_ok_and(|start| start.starts_with(&[0x1F, 0x8B]));
    let mut reader: BufReader<Box<dyn Read>> = if is_gzip {
        BufReader::new(Box::new(MultiGzDecoder::new(reader)))
    } else {
        BufReader::new(Box::new(reader))
    };
    let from = match options.from {
        Some(from) => from,
        None => guess(
            reader
                .fill_buf()
                .with_context(|| format!("cannot read {}", input.name))?,
        ),
    };
    let mut sink = Sink::new(options, out)?;
    let result = match from {
        Format::Xml => {
            done.other_elements = input.other_elements()?;
            from_xml(reader, input, options, &mut sink, done)
        }
        Format::Text => from_lines(reader, input, &mut sink, done, |line| {
            checked(&UrlEntry::new(line))
        }),
        Format::Jsonl => from_lines(reader, input, &mut sink, done, |line| {
            checked(&serde_json::from_str(line)?)
        }),
        Format::Csv => from_csv(reader, input, &mut sink, done),
    };
    result?;
    sink.finish()
}

/// The entry as it would be written in XML, so that entries of other formats follow the same rules, whatever the new format is.
fn checked(entry: &UrlEntry) -> Result<UrlEntry> {
    let mut written = WriterBuilder::new().to_entries(entry)?;
    written.pop().context("not an entry")
}

/// Detects the format of a document by its first character.
fn guess(start: &[u8]) -> Format {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let start = start.trim_ascii_start();
    match start.first() {
        Some(b'{') => Format::Jsonl,
        Some(b'<' | 0 | 0xFE | 0xFF) | None => Format::Xml,
        _ if start
            .get(..3)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"loc")) =>
        {
            Format::Csv
        }
        _ => Format::Text,
    }
}

/// The output in the new format.
enum Sink<'o> {
    /// XML, and whether it is an index.
    Xml(Box<Writer<&'o mut dyn Write>>, bool),
    Text(Box<TextWriter<&'o mut dyn Write>>),
    Jsonl(&'o mut dyn Write),
    Csv(&'o mut dyn Write),
}

impl<'o> Sink<'o> {
    fn new(options: &Options, out: &'o mut dyn Write) -> Result<Self> {
        Ok(match options.to {
            Format::Xml => {
                let mut builder = WriterBuilder::new();
                builder.pretty(options.pretty);
                if options.index {
                    builder.kind(Kind::SitemapIndex);
                }
                Sink::Xml(Box::new(builder.from_writer(out)), options.index)
            }
            Format::Text => Sink::Text(Box::new(WriterBuilder::new().text_from_writer(out))),
            Format::Jsonl => Sink::Jsonl(out),
            Format::Csv => {
                writeln!(out, "loc,lastmod,changefreq,priority")?;
                Sink::Csv(out)
            }
        })
    }

    fn put(&mut self, entry: &UrlEntry, is_index: bool, done: &mut Done) -> Result<()> {
        done.entries += 1;
        let mut bare = UrlEntry::new(&entry.loc);
        let is_poorer = match self {
            Sink::Xml(writer, to_index) if is_index || *to_index => {
                let mut listed = IndexEntry::new(&entry.loc);
                listed.lastmod = entry.lastmod;
                writer.write(&listed)?;
                bare.lastmod = entry.lastmod;
                *entry != bare
            }
            Sink::Xml(writer, _) => {
                writer.write(entry)?;
                false
            }
            Sink::Text(writer) => {
                writer.write(&bare)?;
                *entry != bare
            }
            Sink::Jsonl(out) => {
                serde_json::to_writer(&mut **out, entry)?;
                writeln!(out)?;
                false
            }
            Sink::Csv(out) => {
                let lastmod = entry.lastmod.map(|value| value.to_string()).unwrap_or_default();
                let changefreq = entry
                    .changefreq
                    .map(|value| value.to_string())
                    .unwrap_or_default();
                let priority = entry.priority.map(|value| value.to_string()).unwrap_or_default();
                writeln!(out, "{},{lastmod},{changefreq},{priority}", quoted(&entry.loc))?;
                (bare.lastmod, bare.changefreq, bare.priority) =
                    (entry.lastmod, entry.changefreq, entry.priority);
                *entry != bare
            }
        };
        done.poorer += u64::from(is_poorer);
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match self {
            Sink::Xml(writer, _) => drop(writer.finish()?),
            Sink::Text(writer) => drop(writer.finish()?),
            Sink::Jsonl(_) | Sink::Csv(_) => {}
        }
        Ok(())
    }
}

/// Quotes a value for CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn from_xml(
    reader: BufReader<Box<dyn Read>>,
    input: &Input,
    options: &Options,
    sink: &mut Sink<'_>,
    done: &mut Done,
) -> Result<()> {
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(reader);
    let kind = reader.kind().with_context(|| input.name.clone())?;
    if kind == Kind::UrlSet && options.index && options.to == Format::Xml {
        bail!(
            "{} is a urlset: --index is for formats that do not tell a urlset from an index",
            input.name
        );
    }
    if kind == Kind::SitemapIndex {
        let listed = reader.deserialize::<IndexEntry>();
        let entries = listed.map(|listed| {
            listed.map(|listed| {
                let mut entry = UrlEntry::new(listed.loc);
                entry.lastmod = listed.lastmod;
                entry
            })
        });
        return put_all(entries, input, true, sink, done);
    }
    put_all(reader.entries(), input, false, sink, done)
}

fn put_all(
    entries: impl Iterator<Item = sitemap_serde::Result<UrlEntry>>,
    input: &Input,
    is_index: bool,
    sink: &mut Sink<'_>,
    done: &mut Done,
) -> Result<()> {
    for entry in entries {
        match entry {
            Ok(entry) => sink.put(&entry, is_index, done)?,
            Err(error) if error.category() == Category::Data && !error.ends_reading() => {
                done.unread += 1;
                print_message!("{}: {error}", input.name);
            }
            Err(error) => return Err(error).with_context(|| input.name.clone()),
        }
    }
    Ok(())
}

/// Maximum length of a line or a CSV row in bytes: larger than any entry.
const MOST: u64 = 8 << 20;

/// Appends the next line to a text, and returns whether there is one.
fn next_line(reader: &mut impl BufRead, text: &mut String) -> Result<bool> {
    let room = MOST.saturating_sub(text.len() as u64);
    let len = reader.by_ref().take(room).read_line(text)?;
    if len as u64 == room {
        bail!(
            "more than {} bytes without an end: is a quote missing?",
            grouped(MOST)
        );
    }
    Ok(len > 0)
}

fn from_lines(
    mut reader: BufReader<Box<dyn Read>>,
    input: &Input,
    sink: &mut Sink<'_>,
    done: &mut Done,
    entry: impl Fn(&str) -> Result<UrlEntry>,
) -> Result<()> {
    let mut text = String::new();
    for number in 1.. {
        let place = || format!("{}, line {number}", input.name);
        text.clear();
        if !next_line(&mut reader, &mut text).with_context(place)? {
            break;
        }
        let line = text.trim_start_matches('\u{FEFF}').trim();
        if !line.is_empty() {
            let entry = entry(line).with_context(place)?;
            sink.put(&entry, false, done).with_context(place)?;
        }
    }
    Ok(())
}

fn from_csv(
    mut reader: BufReader<Box<dyn Read>>,
    input: &Input,
    sink: &mut Sink<'_>,
    done: &mut Done,
) -> Result<()> {
    const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];
    let mut text = String::new();
    let mut columns: Option<Vec<String>> = None;
    let mut number = 0;
    loop {
        text.clear();
        let first = number + 1;
        let place = || format!("{}, line {first}", input.name);
        // A quoted value may contain line breaks.
        while next_line(&mut reader, &mut text).with_context(place)? {
            number += 1;
            if text.matches('"').count().is_multiple_of(2) {
                break;
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        if !text.matches('"').count().is_multiple_of(2) {
            bail!("{}: a quote that does not end", place());
        }
        let row = values(text.trim_start_matches('\u{FEFF}').trim_end_matches(['\r', '\n']));
        if row.iter().all(|value| value.trim().is_empty()) {
            continue;
        }
        let Some(columns) = &columns else {
            let names: Vec<_> = row.iter().map(|name| name.trim().to_lowercase()).collect();
            if !names.iter().any(|name| name == "loc") {
                bail!("{}: no column `loc`: the first line names the columns", place());
            }
            if let Some(twice) = COLUMNS
                .iter()
                .find(|column| names.iter().filter(|name| name == *column).count() > 1)
            {
                bail!("{}: two columns `{twice}`", place());
            }
            done.other_columns = names
                .iter()
                .filter(|name| !COLUMNS.contains(&name.as_str()))
                .cloned()
                .collect();
            columns = Some(names);
            continue;
        };
        if row.len() > columns.len() {
            bail!(
                "{}: {} in {}: a value with a comma must be quoted",
                place(),
                counted(row.len() as u64, "value"),
                counted(columns.len() as u64, "column")
            );
        }
        let mut object = serde_json::Map::new();
        for (name, value) in columns.iter().zip(row) {
            if !value.trim().is_empty() && COLUMNS.contains(&name.as_str()) {
                let value = value.trim().to_owned();
                let value = match (&**name, value.parse::<f64>()) {
                    ("priority", Ok(number)) => number.into(),
                    _ => value.into(),
                };
                object.insert(name.clone(), value);
            }
        }
        let entry = serde_json::from_value(object.into()).map_err(anyhow::Error::from);
        let entry = entry.and_then(|entry| checked(&entry)).with_context(place)?;
        sink.put(&entry, false, done).with_context(place)?;
    }
}

/// The values of a row.
fn values(row: &str) -> Vec<String> {
    let (mut values, mut value, mut in_quotes) = (Vec::new(), String::new(), false);
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if in_quotes && chars.peek() == Some(&'"') => {
                value.push('"');
                chars.next();
            }
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => values.push(std::mem::take(&mut value)),
            c => value.push(c),
        }
    }
    values.push(value);
    values
}

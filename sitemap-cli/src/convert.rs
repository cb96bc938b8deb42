//! `sitemap convert`.

mod rows;

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use sitemap_serde::format::TextWriter;
use sitemap_serde::source::StreamSource;
use sitemap_serde::{Error, IndexEntry, Kind, Reader, ReaderBuilder, UrlEntry, Writer, WriterBuilder};

use crate::input::{Input, counted, grouped};
use crate::omitted::{Omissions, with_omitted};
use crate::replace::{is_gzip_name, keep_existing, write_to};

use rows::{COLUMNS, from_csv};

/// Convert a sitemap: XML, text, JSON lines, CSV
///
/// Text has one URL per line and nothing else. CSV has a header and the columns loc, lastmod, changefreq and priority, in any
/// order. JSON has one object per line, with everything that an entry contains, extensions included. RSS and Atom feeds can be
/// read too: their links and dates. Standard error gets the number of entries that lose data in the new format. An entry of XML
/// that cannot be read is reported there, as is an invalid value of an extension, which is left out of its entry, or the element that
/// must have it; the exit status is then 1. An invalid line of another format stops the command with the status 2.
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
    /// Values that are left out because they are invalid.
    omitted: u64,
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
                print_note!("note: {note}");
            }
        }
    }
    if done.poorer > 0 {
        let format = options.to.to_possible_value();
        let format = format.as_ref().map_or("", |value| value.get_name());
        print_note!(
            "note: {} of {} have data that {format} cannot represent, which is left out",
            done.poorer,
            counted(done.entries, "URL")
        );
    }
    if done.other_elements > 0 {
        print_note!(
            "note: {} of unknown namespaces left out",
            counted(done.other_elements, "element")
        );
    }
    if !done.other_columns.is_empty() {
        print_note!(
            "note: {} left out: {}",
            counted(done.other_columns.len() as u64, "other column"),
            done.other_columns.join(", ")
        );
    }
    if done.omitted > 0 {
        print_note!(
            "note: {} left out of their entries",
            counted(done.omitted, "value")
        );
    }
    Ok(ExitCode::from(u8::from(done.unread + done.omitted > 0)))
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
    match from {
        Format::Xml => {
            done.other_elements = input.other_elements()?;
            from_xml(reader, input, options, &mut sink, done)?;
        }
        Format::Text => from_lines(reader, input, &mut sink, done, text_entry)?,
        Format::Jsonl => from_lines(reader, input, &mut sink, done, |line| {
            Ok(serde_json::from_str(line)?)
        })?,
        Format::Csv => from_csv(reader, input, &mut sink, done)?,
    }
    sink.finish()
}

/// The entry of a line of text, by the rules of the reader of text sitemaps.
fn text_entry(line: &str) -> Result<UrlEntry> {
    let mut reader = ReaderBuilder::new().other_formats(true).from_str(line);
    match reader.entries().next() {
        Some(Err(error)) if !error.ends_reading() => Err(error.renumbered(None).into()),
        // What is no URL is refused as a loc.
        _ => Ok(UrlEntry::new(line)),
    }
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
    Xml(Box<Writer<&'o mut dyn Write>>, bool, Omissions),
    Text(Box<TextWriter<&'o mut dyn Write>>),
    Jsonl(&'o mut dyn Write),
    Csv(Box<csv::Writer<&'o mut dyn Write>>),
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
                let omissions = Omissions::of(&mut builder);
                Sink::Xml(Box::new(builder.from_writer(out)), options.index, omissions)
            }
            Format::Text => Sink::Text(Box::new(WriterBuilder::new().text_from_writer(out))),
            Format::Jsonl => Sink::Jsonl(out),
            Format::Csv => {
                let mut rows = csv::Writer::from_writer(out);
                rows.write_record(COLUMNS)?;
                Sink::Csv(Box::new(rows))
            }
        })
    }

    /// What was left out of the last entry.
    fn omitted(&self, number: u64) -> Vec<Error> {
        match self {
            Sink::Xml(_, _, omissions) => omissions.take(Some(number)),
            _ => Vec::new(),
        }
    }

    fn put(&mut self, entry: &UrlEntry, is_index: bool, done: &mut Done) -> Result<()> {
        done.entries += 1;
        let mut bare = UrlEntry::new(&entry.loc);
        let is_poorer = match self {
            Sink::Xml(writer, to_index, _) if is_index || *to_index => {
                let mut listed = IndexEntry::new(&entry.loc);
                listed.lastmod = entry.lastmod;
                writer.write(&listed)?;
                bare.lastmod = entry.lastmod;
                *entry != bare
            }
            Sink::Xml(writer, ..) => {
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
            Sink::Csv(rows) => {
                let text = |value: Option<&dyn Display>| value.map(ToString::to_string).unwrap_or_default();
                rows.write_record([
                    entry.loc.clone(),
                    text(entry.lastmod.as_ref().map(|value| value as _)),
                    text(entry.changefreq.as_ref().map(|value| value as _)),
                    text(entry.priority.as_ref().map(|value| value as _)),
                ])?;
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
            Sink::Xml(writer, ..) => drop(writer.finish()?),
            Sink::Text(writer) => drop(writer.finish()?),
            Sink::Csv(mut rows) => rows.flush()?,
            Sink::Jsonl(_) => {}
        }
        Ok(())
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
    let is_index = kind == Kind::SitemapIndex;
    while let Some(entry) = next_entry(&mut reader, is_index) {
        match entry {
            Ok(entry) => {
                sink.put(&entry, is_index, done)?;
                let number = reader.position().entry().unwrap_or_default();
                for error in sink.omitted(number) {
                    done.omitted += 1;
                    print_message!("{}: {}", input.name, with_omitted(&error));
                }
            }
            Err(error) if error.is_data() && !error.ends_reading() => {
                done.unread += 1;
                print_message!("{}: {error}", input.name);
            }
            Err(error) => return Err(error).with_context(|| input.name.clone()),
        }
    }
    Ok(())
}

/// The next entry of a urlset or an index.
fn next_entry<R: Read>(
    reader: &mut Reader<StreamSource<R>>,
    is_index: bool,
) -> Option<Result<UrlEntry, Error>> {
    if !is_index {
        return reader.entries().next();
    }
    let listed = reader.deserialize::<IndexEntry>().next()?;
    Some(listed.map(|listed| {
        let mut entry = UrlEntry::new(listed.loc);
        entry.lastmod = listed.lastmod;
        entry
    }))
}

/// Checks entries of other formats than XML as the writer of XML does, whatever the new format is.
struct Checks {
    writer: WriterBuilder,
    omissions: Omissions,
}

impl Checks {
    fn new() -> Self {
        let mut writer = WriterBuilder::new();
        let omissions = Omissions::of(&mut writer);
        Checks { writer, omissions }
    }

    /// Writes the entry of a line, without its invalid values.
    fn put(&self, entry: &UrlEntry, sink: &mut Sink<'_>, done: &mut Done, place: &str) -> Result<()> {
        let written = self.writer.to_entries(entry);
        let mut written = written
            .map_err(|error| error.renumbered(None))
            .with_context(|| place.to_owned())?;
        let entry = written.pop().context("not an entry")?;
        for error in self.omissions.take(None) {
            done.omitted += 1;
            print_message!("{place}: {}", with_omitted(&error));
        }
        sink.put(&entry, false, done).with_context(|| place.to_owned())
    }
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
    let checks = Checks::new();
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
            checks.put(&entry, sink, done, &place())?;
        }
    }
    Ok(())
}

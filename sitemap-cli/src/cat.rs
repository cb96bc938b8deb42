//! `sitemap cat`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use sitemap_serde::{ReaderBuilder, Record, UrlEntry};

use crate::formats::{ColumnNames, Format, each_line, each_row, json_entry, open};
use crate::input::{Formats, Input, Unread, error_text, inputs};
use crate::live::Live;
use crate::message::for_output;

/// Print the entries of sitemaps, one per line
///
/// Reads text sitemaps, feeds, JSON lines and CSV with a header too. In directories it reads the files named .xml, and text sitemaps and feeds named .txt, .rss, .atom
/// and .rdf, compressed (.gz) or not.
///
/// What cannot be read is reported on standard error, and the other documents are printed. The exit status is 1 if entries could not be
/// read, and 2 if a document could not be read to its end.
///
///     sitemap cat sitemap.xml.gz
///     sitemap cat urls.csv
///     sitemap cat public/ --fields loc,lastmod | sort
///     sitemap cat https://example.com/ --site
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
    live: Live,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let inputs = inputs(&options.files, Formats::All, &options.live)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut unread = Unread::default();
    for input in &inputs {
        if let Err(error) = print_entries(input, options, &mut out, &mut unread)? {
            out.flush()?;
            unread.document(input, &error);
        }
    }
    out.flush()?;
    Ok(unread.finish(inputs.len()))
}

/// Prints the entries of a document. Returns the error of the output, or of a document that cannot be read to its end.
fn print_entries(
    input: &Input,
    options: &Options,
    out: &mut impl Write,
    unread: &mut Unread,
) -> io::Result<Result<()>> {
    let (reader, format) = match open(input) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    if matches!(format, Format::Xml | Format::Text) {
        return print_records(input, options, out, unread);
    }
    let mut written = Ok(());
    let mut print = |place: &str, entry: Result<UrlEntry>| {
        match entry {
            Ok(entry) => written = print_entry(|field| value(&entry, field), options, out),
            Err(error) => {
                unread.entries += 1;
                print_message!("{place}: {}", error_text(&error));
            }
        }
        written
            .as_ref()
            .map(drop)
            .map_err(|_| anyhow!("standard output is closed"))
    };
    let read = if format == Format::Csv {
        each_row(reader, &input.name, &ColumnNames::default(), &mut print).map(drop)
    } else {
        each_line(reader, &input.name, &mut |place, line| {
            print(place, line.and_then(json_entry))
        })
    };
    written.map(|()| read)
}

/// The value of a field of an entry.
fn value(entry: &UrlEntry, field: &str) -> String {
    match field {
        "lastmod" => entry.lastmod.map(|value| value.to_string()),
        "changefreq" => entry.changefreq.map(|value| value.to_string()),
        "priority" => entry.priority.map(|value| value.to_string()),
        _ => Some(entry.loc.clone()),
    }
    .unwrap_or_default()
}

fn print_records(
    input: &Input,
    options: &Options,
    out: &mut impl Write,
    unread: &mut Unread,
) -> io::Result<Result<()>> {
    let opened = match input.open() {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error.into())),
    };
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    let mut record = Record::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => print_entry(
                |field| record.get(field).unwrap_or_default().to_owned(),
                options,
                out,
            )?,
            Ok(false) => return Ok(Ok(())),
            Err(error) if error.is_data() && !error.ends_reading() => {
                unread.entries += 1;
                print_message!("{}: {error}", input.name);
            }
            Err(error) => return Ok(Err(error.into())),
        }
    }
}

fn print_entry(value: impl Fn(&str) -> String, options: &Options, out: &mut impl Write) -> io::Result<()> {
    for (i, field) in options.fields.iter().enumerate() {
        let tab = if i > 0 { "\t" } else { "" };
        // Tabs and line breaks separate fields and entries.
        let text = value(field).replace(['\t', '\n', '\r'], " ");
        write!(out, "{tab}{}", for_output(&text))?;
    }
    writeln!(out)
}

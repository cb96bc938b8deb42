//! Documents of entries in other formats than a sitemap's: lines of text or JSON, and rows of CSV.

mod element;
mod json;
mod row_reader;
mod rows;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use flate2::bufread::MultiGzDecoder;

use crate::input::{Input, Table, grouped};

pub(crate) use element::EntryElement;
pub(crate) use row_reader::{RowReader, in_row};
pub(crate) use rows::{COLUMNS, ColumnNames, each_row};

/// A format of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A urlset or sitemapindex; as input, a feed too
    Xml,
    /// One URL per line
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

/// A document that is being read, decompressed.
pub(crate) type Decompressed = BufReader<Box<dyn Read>>;

/// Opens a document, and detects its format by its first character, and CSV also by the file's name.
pub(crate) fn open(input: &Input) -> Result<(Decompressed, Format)> {
    let opened = input
        .open_any()
        .with_context(|| format!("cannot open {}", input.name))?;
    let mut reader = BufReader::with_capacity(64 << 10, opened);
    let is_gzip = reader
        .fill_buf()
        .is_ok_and(|start| start.starts_with(&[0x1F, 0x8B]));
    let mut reader: Decompressed = if is_gzip {
        BufReader::new(Box::new(MultiGzDecoder::new(reader)))
    } else {
        BufReader::new(Box::new(reader))
    };
    // What cannot be read is reported where the entries are read.
    let guessed = reader.fill_buf().map_or(Format::Xml, guess);
    let format = match input.table() {
        // Columns may have any names, and an URL may be followed by a comma.
        Some(Table::Csv) if guessed == Format::Text => Format::Csv,
        _ => guessed,
    };
    Ok((reader, format))
}

/// The format that a file's name says, compressed (`.gz`) or not.
pub(crate) fn of_name(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let (_, extension) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
    Some(match extension {
        "xml" => Format::Xml,
        "txt" => Format::Text,
        "jsonl" | "ndjson" => Format::Jsonl,
        "csv" => Format::Csv,
        _ => return None,
    })
}

/// The format of a table, if a document that begins so is one.
pub(crate) fn table(start: &[u8]) -> Option<Table> {
    guess(start).table()
}

impl Format {
    /// The table that it is; `None` if it is a sitemap.
    pub(crate) fn table(self) -> Option<Table> {
        match self {
            Format::Csv => Some(Table::Csv),
            Format::Jsonl => Some(Table::JsonLines),
            Format::Xml | Format::Text => None,
        }
    }
}

fn guess(start: &[u8]) -> Format {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let start = start.trim_ascii_start();
    match start.first() {
        Some(b'{') if matches!(start[1..].trim_ascii_start().first(), Some(b'"' | b'}')) => Format::Jsonl,
        // An array is refused with what makes lines of it.
        Some(b'[') if start[1..].trim_ascii_start().starts_with(b"{") => Format::Jsonl,
        // What is still compressed was so twice, as the reader of XML says.
        Some(b'<' | 0 | 0x1F | 0xFE | 0xFF) | None => Format::Xml,
        _ => match start.split_at_checked(3) {
            Some((word, rest))
                if word.eq_ignore_ascii_case(b"loc")
                    && !rest.first().is_some_and(u8::is_ascii_alphanumeric) =>
            {
                Format::Csv
            }
            _ => Format::Text,
        },
    }
}

/// Maximum length of a line or a CSV row in bytes: larger than any entry.
const MOST: u64 = 8 << 20;

/// Calls `each` with the place and the text of each line that is not empty.
pub(crate) fn each_line(
    mut reader: Decompressed,
    name: &str,
    each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
) -> Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        let place = format!("{name}, line {number}");
        bytes.clear();
        if !next_line(&mut reader, &mut bytes).with_context(|| place.clone())? {
            break;
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => match text.trim_start_matches('\u{FEFF}').trim() {
                "" => {}
                line => each(&place, Ok(line))?,
            },
            Err(_) => each(&place, Err(not_utf8()))?,
        }
    }
    Ok(())
}

/// The error for a line or a row in another encoding.
fn not_utf8() -> anyhow::Error {
    anyhow!("not in UTF-8 (P-UTF8): convert the document to UTF-8")
}

/// Reads the next line, and returns whether there is one.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    let len = reader.by_ref().take(MOST).read_until(b'\n', line)?;
    if len as u64 == MOST {
        bail!(
            "more than {} bytes without an end: is a quote missing?",
            grouped(MOST)
        );
    }
    Ok(len > 0)
}

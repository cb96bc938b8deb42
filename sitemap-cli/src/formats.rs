//! Documents of entries in other formats than a sitemap's: lines of text or JSON, and rows of CSV.
//!
//! | file | content |
//! |---|---|
//! | this file | the formats, and their detection |
//! | `columns` | the columns of a sitemap |
//! | `decoded` | the text of a document |
//! | `rows`, `values` | rows of CSV; values of JSON |
//! | `row_reader` | both, and lines of text, as entries |
//! | `entry_json`, `json` | the JSON of an entry; JSON values as written |

mod columns;
mod decoded;
mod entry_json;
mod json;
mod row_reader;
mod rows;
mod values;

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::__internal::has_rows;
use sitemap_serde::format::{Format as DocumentFormat, sniff};
use sitemap_serde::{ReaderBuilder, UrlEntry};

use crate::input::{Input, Table, grouped};

pub(crate) use columns::{COLUMNS, ColumnNames};
use decoded::GZIP;
#[cfg(feature = "http")]
pub(crate) use decoded::Gunzip;
pub(crate) use decoded::{Damage, Decoded};
pub(crate) use entry_json::push_json;
pub(crate) use json::raw_members;
pub(crate) use row_reader::{INDEXES, KIND, Row, RowEntry, RowReader, SITEMAP, in_row, row_mode};
pub(crate) use rows::each_row;
pub(crate) use values::each_value;

/// A format for entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A urlset or sitemapindex; as input, a feed too
    Xml,
    /// One URL per line
    Text,
    /// One JSON object per line; as input, an array of objects too
    Jsonl,
    /// Comma-separated values with a header; as input, separated by semicolons or tabs too
    Csv,
}

impl Format {
    /// Returns the format's name in options.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Format::Xml => "xml",
            Format::Text => "text",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
        }
    }
}

/// The input option of every command that reads documents.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct From {
    /// The format of the documents [default: detected from their beginnings and file names]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
}

/// The value of `--from`.
static FROM: OnceLock<Format> = OnceLock::new();

impl From {
    /// Makes this the format of all documents from now on.
    pub(crate) fn apply(self) {
        if let Some(format) = self.from {
            let _ = FROM.set(format);
        }
    }
}

/// Returns the value of `--from`.
pub(crate) fn said() -> Option<Format> {
    FROM.get().copied()
}

/// A document being read, as UTF-8 text.
pub(crate) type Text = BufReader<Decoded>;

/// Opens a document, and detects its format by its beginning; CSV also by the file's name.
///
/// # Errors
/// The document cannot be opened, or nothing can be read from it.
pub(crate) fn open(input: &Input) -> Result<(Text, Format)> {
    let cannot_open = || format!("cannot open {}", input.name);
    let mut text = Decoded::new(input.open_any().with_context(cannot_open)?);
    if let Some(failure) = text.take_failure() {
        return Err(anyhow::Error::from(failure).context(input.name.clone()));
    }
    let guessed = guess(text.start());
    let format = match (said(), input.table()) {
        (Some(format), _) => {
            if format != Format::Xml && text.start().trim_ascii_start().starts_with(b"<") {
                bail!(
                    "{} begins with `<`, as XML does: leave out `--from {}`",
                    input.name,
                    format.as_str()
                );
            }
            format
        }
        // Columns may have any names, and a URL may be followed by a comma.
        (None, Some(Table::Csv)) if guessed == Format::Text => Format::Csv,
        // Another program's table is refused, as by the XML and text reader.
        _ if guessed == Format::Text && sniff(text.start()) == DocumentFormat::Csv => Format::Xml,
        _ => guessed,
    };
    if format == Format::Text {
        note_rows(input, text.start());
    }
    Ok((BufReader::with_capacity(64 << 10, text), format))
}

/// Returns the format that a file's name implies, compressed (`.gz`) or not.
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

/// Returns the table format of a document with this beginning; `None` if it is a sitemap or anything else.
pub(crate) fn table(start: &[u8]) -> Option<Table> {
    match guess(start) {
        Format::Csv => Some(Table::Csv),
        Format::Jsonl if start.trim_ascii_start().starts_with(b"[") => Some(Table::Json),
        Format::Jsonl => Some(Table::JsonLines),
        Format::Xml | Format::Text => None,
    }
}

impl Format {
    /// Returns the table type of this format; `None` if it is a sitemap.
    pub(crate) fn table(self) -> Option<Table> {
        match self {
            Format::Csv => Some(Table::Csv),
            Format::Jsonl => Some(Table::JsonLines),
            Format::Xml | Format::Text => None,
        }
    }
}

/// The first bytes of gzip, zip, xz and zstd.
const PACKED: [&[u8]; 4] = [&GZIP, b"PK\x03\x04", b"\xFD7zX", b"\x28\xB5\x2F\xFD"];

/// Returns `true` if a document is compressed with bzip2. Its first letters could also start a word, so the block size and the mark of the
/// first block, or of the end, must follow.
fn is_bzip2(start: &[u8]) -> bool {
    let block = start.strip_prefix(b"BZh").and_then(|rest| rest.split_first());
    block.is_some_and(|(size, rest)| {
        size.is_ascii_digit()
            && (rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90"))
    })
}

/// Detects the format of a text.
fn guess(start: &[u8]) -> Format {
    let text = start.trim_ascii_start();
    let is_binary = start.iter().take(4).any(|byte| *byte == 0)
        || PACKED.iter().any(|first| start.starts_with(first))
        || is_bzip2(start);
    match text.first() {
        // The XML reader explains other inputs, such as doubly compressed documents.
        None | Some(b'<') => Format::Xml,
        _ if is_binary => Format::Xml,
        Some(b'{') if matches!(text[1..].trim_ascii_start().first(), Some(b'"' | b'}')) => Format::Jsonl,
        Some(b'[') if matches!(text[1..].trim_ascii_start().first(), Some(b'{' | b']')) => Format::Jsonl,
        _ if is_header(text) => Format::Csv,
        _ => Format::Text,
    }
}

/// Returns `true` if a text begins with column names, and one of them is the column of URLs.
fn is_header(text: &[u8]) -> bool {
    let hint = text.strip_prefix(b"sep=");
    let text = match hint {
        Some(hint) => hint.get(1..).unwrap_or_default().trim_ascii_start(),
        None => text,
    };
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next();
    let line = line.unwrap_or_default().to_ascii_lowercase();
    let named = |cell: &[u8]| {
        cell.trim_ascii()
            .strip_prefix(b"\"")
            .unwrap_or(cell.trim_ascii())
            .to_vec()
    };
    let first = named(&line);
    let is_loc = first
        .strip_prefix(b"loc")
        .is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric));
    let is_of = |separator: &u8| {
        let mut cells = line.split(|byte| byte == separator);
        line.contains(separator)
            && cells.any(|cell| matches!(&*named(cell), b"loc" | b"loc\"" | b"url" | b"url\""))
    };
    is_loc || [b',', b';', b'\t'].iter().any(is_of)
}

/// Prints a note that the lines of a text sitemap look like rows, unless `--from` is given.
pub(crate) fn note_rows(input: &Input, start: &[u8]) {
    if said().is_none() && has_rows(start) {
        print_message!(
            "note: {}: its lines look like rows of a table, and are read as URLs: a table has a first line that names its columns, such as \
             `loc,lastmod`",
            input.name
        );
    }
}

/// Maximum length of a line or a CSV row in bytes: larger than any entry.
const MOST: u64 = 8 << 20;

/// Calls `each` with the place and the text of each non-empty line. Drops a line that is cut off.
///
/// # Errors
/// The document cannot be read to its end, or `each` fails.
pub(crate) fn each_line(
    mut reader: Text,
    name: &str,
    each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
) -> Result<()> {
    let (mut bytes, end) = (Vec::new(), line_end(&reader));
    for number in 1.. {
        let place = format!("{name}, line {number}");
        bytes.clear();
        let read = next_line(&mut reader, end, &mut bytes);
        let failure = match read {
            Ok(false) => break,
            Ok(true) => None,
            Err(error) if bytes.is_empty() || Damage::cuts(&error) => return Err(error).context(place),
            Err(error) => Some(error),
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => match text.trim() {
                "" => {}
                line => each(&place, Ok(line))?,
            },
            Err(_) => each(&place, Err(not_utf8()))?,
        }
        if let Some(failure) = failure {
            return Err(failure).context(place);
        }
    }
    Ok(())
}

/// Returns the entry of a line, by the rules for text sitemaps.
///
/// # Errors
/// The line is not one URL.
pub(crate) fn line_entry(line: &str) -> Result<UrlEntry> {
    let mut reader = ReaderBuilder::new().other_formats(true).from_str(line);
    match reader.entries().next() {
        Some(Err(error)) if !error.ends_reading() => Err(error.renumbered(None).into()),
        // An invalid URL is refused as a loc.
        _ => Ok(UrlEntry::new(line)),
    }
}

/// Returns the row of a line of text.
///
/// # Errors
/// The line is not one URL.
pub(crate) fn line_row(line: &str) -> Result<Row<'_>> {
    // The first line marks this as a text sitemap.
    let text = format!("https://example.com/\n{line}");
    let mut reader = ReaderBuilder::new().other_formats(true).from_str(&text);
    let problem = reader.entries().find_map(Result::err);
    match problem {
        Some(error) => Err(error.renumbered(None).into()),
        None => Ok(Row::Cells(vec![("loc", line.into())])),
    }
}

/// Returns the error for a line or a row in another encoding.
fn not_utf8() -> anyhow::Error {
    anyhow!("not in UTF-8 (P-UTF8): convert the document to UTF-8")
}

/// Returns the byte that ends a document's lines: a carriage return if its beginning has no line feeds.
fn line_end(text: &Text) -> u8 {
    let start = text.get_ref().start();
    if start.contains(&b'\r') && !start.contains(&b'\n') {
        b'\r'
    } else {
        b'\n'
    }
}

/// Reads the next line up to this byte. Returns `true` if there is one.
fn next_line(reader: &mut impl BufRead, end: u8, line: &mut Vec<u8>) -> io::Result<bool> {
    let len = reader.by_ref().take(MOST).read_until(end, line)?;
    if len as u64 == MOST {
        return Err(too_long());
    }
    Ok(len > 0)
}

fn too_long() -> io::Error {
    io::Error::other(format!(
        "more than {} bytes without an end: is a quote missing?",
        grouped(MOST)
    ))
}

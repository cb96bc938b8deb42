//! Rows of CSV.

use std::cell::Cell;
use std::io::{self, Read};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::input::{counted, grouped};
use crate::omitted::UnknownNames;
use crate::words::nearest;

use super::{Decompressed, EntryElement, MOST, not_utf8};

/// The columns that a sitemap has.
pub(crate) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// The names of these columns in a document, if they differ.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ColumnNames {
    /// The CSV column of the URLs [default: loc]
    #[arg(long = "loc-column", value_name = "NAME")]
    loc: Option<String>,
    /// The CSV column of the dates [default: lastmod]
    #[arg(long = "lastmod-column", value_name = "NAME")]
    lastmod: Option<String>,
    /// The CSV column of the change frequencies [default: changefreq]
    #[arg(long = "changefreq-column", value_name = "NAME")]
    changefreq: Option<String>,
    /// The CSV column of the priorities [default: priority]
    #[arg(long = "priority-column", value_name = "NAME")]
    priority: Option<String>,
}

impl ColumnNames {
    /// The names that were given, in the order of [`COLUMNS`].
    fn given(&self) -> [Option<&str>; 4] {
        let ColumnNames {
            loc,
            lastmod,
            changefreq,
            priority,
        } = self;
        [loc, lastmod, changefreq, priority].map(Option::as_deref)
    }

    /// Whether any was given.
    pub(crate) fn is_some(&self) -> bool {
        self.given().iter().any(Option::is_some)
    }
}

/// What comes behind the last row: a row of its own, unless a quote is missing.
const END: &[u8] = b"\n\0\n";

/// Calls `others` with the place and the names of the columns that a sitemap does not have, if there are any, and then `each` with the
/// place and the entry of each row. The first row names the columns.
pub(crate) fn each_row(
    reader: Decompressed,
    document: &str,
    names: &ColumnNames,
    others: &mut dyn FnMut(&str, &UnknownNames) -> Result<()>,
    each: &mut dyn FnMut(&str, Result<EntryElement>) -> Result<()>,
) -> Result<()> {
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(RowBytes::new(reader));
    let mut row = csv::ByteRecord::new();
    let mut header: Option<Header> = None;
    let mut next = 1;
    loop {
        rows.get_ref().left.set(MOST);
        let is_row = rows.read_byte_record(&mut row);
        if !is_row.with_context(|| format!("{document}, line {next}"))? {
            break;
        }
        // A quoted value may contain line breaks.
        let breaks = row.as_slice().split(|byte| *byte == b'\n').skip(1).count();
        next = rows.position().line();
        if rows.get_ref().is_behind_end(rows.position().byte()) {
            if row.len() == 1 && row.as_slice() == END.trim_ascii() {
                break;
            }
            let line = next.saturating_sub(breaks as u64);
            bail!("{document}, line {line}: a quote that does not end")
        }
        let place = format!("{document}, line {}", next.saturating_sub(1 + breaks as u64));
        let text = match csv::StringRecord::from_byte_record(row) {
            Ok(text) => text,
            Err(_) if header.is_none() => return Err(not_utf8().context(place)),
            Err(error) => {
                each(&place, Err(not_utf8()))?;
                row = error.into_byte_record();
                continue;
            }
        };
        if text.iter().any(|value| !value.trim().is_empty()) {
            match &header {
                None => {
                    let found = Header::of(&text, names).with_context(|| place.clone())?;
                    if !found.others.is_empty() {
                        others(&place, &found.others)?;
                    }
                    header = Some(found);
                }
                Some(header) => each(&place, header.entry(&text))?,
            }
        }
        row = text.into_byte_record();
    }
    Ok(())
}

/// The row that names the columns.
#[derive(Debug)]
struct Header {
    /// For each column, the name in [`COLUMNS`] of what is in it.
    columns: Vec<Option<&'static str>>,
    /// The names of the other columns.
    others: UnknownNames,
}

impl Header {
    fn of(row: &csv::StringRecord, names: &ColumnNames) -> Result<Self> {
        let found: Vec<_> = row.iter().map(|name| name.trim().to_lowercase()).collect();
        let mut columns = vec![None; found.len()];
        for (column, given) in COLUMNS.into_iter().zip(names.given()) {
            let name = given.unwrap_or(column).trim().to_lowercase();
            let mut at = (0..found.len()).filter(|i| found.get(*i) == Some(&name));
            let first = at.next();
            if at.next().is_some() {
                bail!("two columns `{name}`");
            }
            match first.and_then(|first| columns.get_mut(first)) {
                Some(place) if place.is_none() => *place = Some(column),
                Some(_) => bail!("the column `{name}` is named for two fields"),
                None if given.is_some() => {
                    bail!("no column `{name}`: the first line has {}", found.join(", "))
                }
                None if column == "loc" => {
                    let separator = match found.as_slice() {
                        [one] if one.contains([';', '\t']) => "; columns are separated by commas",
                        _ => "",
                    };
                    bail!(
                        "no column `loc` among {}: the first line names the columns, and --loc-column another one for the URLs{separator}",
                        found.join(", ")
                    )
                }
                None => {}
            }
        }
        let missing: Vec<_> = COLUMNS
            .into_iter()
            .filter(|column| !columns.contains(&Some(column)))
            .collect();
        let mut others = UnknownNames::columns();
        for (_, name) in columns.iter().zip(&found).filter(|(column, _)| column.is_none()) {
            others.push(name, || meant(name, &missing));
        }
        Ok(Header { columns, others })
    }

    fn entry(&self, row: &csv::StringRecord) -> Result<EntryElement> {
        if row.len() > self.columns.len() {
            bail!(
                "{} in {}: a value with a comma must be quoted",
                counted(row.len() as u64, "value"),
                counted(self.columns.len() as u64, "column")
            );
        }
        let values = self.columns.iter().zip(row);
        Ok(EntryElement::of_values(
            values.filter_map(|(column, value)| Some(((*column)?, value.trim()))),
        ))
    }
}

/// The missing column that a name most likely means: `lastmodified` is too unlike `lastmod` for a slip.
fn meant(name: &str, missing: &[&'static str]) -> Option<&'static str> {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    let longer = missing.iter().find(|column| letters.starts_with(**column));
    longer.copied().or_else(|| nearest(name, missing.iter().copied()))
}

/// The bytes of a CSV document and of [`END`], up to a number of bytes until that is set again. A carriage return at the end of a line
/// is read as a space, so that the number of a row's line does not depend on how lines end.
struct RowBytes<R> {
    document: R,
    /// The number of bytes of the document that were read.
    len: u64,
    /// What is left of [`END`].
    end: &'static [u8],
    left: Cell<u64>,
}

impl<R> RowBytes<R> {
    fn new(document: R) -> Self {
        RowBytes {
            document,
            len: 0,
            end: END,
            left: Cell::new(MOST),
        }
    }

    /// Whether a row that ends here contains more of [`END`] than its first line break, which the last row may need. A row of the
    /// document may look like it.
    fn is_behind_end(&self, position: u64) -> bool {
        position > self.len + 1
    }
}

impl<R: Read> Read for RowBytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        if self.end.len() == END.len() {
            len = self.document.read(into)?;
            self.len += len as u64;
        }
        if len == 0 {
            len = self.end.read(into)?;
        }
        let read = into.get_mut(..len).unwrap_or_default();
        read.iter_mut()
            .filter(|byte| **byte == b'\r')
            .for_each(|byte| *byte = b' ');
        let Some(left) = self.left.get().checked_sub(len as u64) else {
            return Err(io::Error::other(format!(
                "more than {} bytes without an end: is a quote missing?",
                grouped(MOST)
            )));
        };
        self.left.set(left);
        Ok(len)
    }
}

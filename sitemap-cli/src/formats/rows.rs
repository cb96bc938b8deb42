//! Rows of CSV.

use std::cell::Cell;
use std::io::{self, Cursor, Read};
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use clap::Args;
use sitemap_serde::UrlEntry;

use crate::input::{counted, grouped};

use super::{Decompressed, MOST};

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
const END: &str = "\0";

/// Calls `each` with the place and the entry of each row; the first row names the columns. Returns the names of other columns.
pub(crate) fn each_row(
    reader: Decompressed,
    document: &str,
    names: &ColumnNames,
    each: &mut dyn FnMut(&str, Result<UrlEntry>) -> Result<()>,
) -> Result<Vec<String>> {
    let left = Rc::new(Cell::new(MOST));
    let bytes = RowBytes {
        inner: reader.chain(Cursor::new(format!("\n{END}\n"))),
        left: Rc::clone(&left),
    };
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes);
    let mut row = csv::StringRecord::new();
    let mut header: Option<Header> = None;
    let mut next = 1;
    loop {
        left.set(MOST);
        let is_row = rows.read_record(&mut row);
        if !is_row.with_context(|| format!("{document}, line {next}"))? {
            break;
        }
        // A quoted value may contain line breaks.
        let breaks: usize = row.iter().map(|value| value.matches('\n').count()).sum();
        next = rows.position().line();
        let place = format!("{document}, line {}", next.saturating_sub(1 + breaks as u64));
        match row.iter().next_back() {
            Some(END) if row.len() == 1 => break,
            Some(last) if last.ends_with(&format!("\n{END}\n")) => {
                let line = next.saturating_sub(breaks as u64);
                bail!("{document}, line {line}: a quote that does not end")
            }
            _ => {}
        }
        if row.iter().all(|value| value.trim().is_empty()) {
            continue;
        }
        match &header {
            None => header = Some(Header::of(&row, names).with_context(|| place.clone())?),
            Some(header) => each(&place, header.entry(&row))?,
        }
    }
    Ok(header.map_or_else(Vec::new, |header| header.others))
}

/// The row that names the columns.
#[derive(Debug)]
struct Header {
    /// For each column, the name in [`COLUMNS`] of what is in it.
    columns: Vec<Option<&'static str>>,
    /// The names of the other columns.
    others: Vec<String>,
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
                    bail!(
                        "no column `loc`: the first line names the columns, and --loc-column another one for the URLs"
                    )
                }
                None => {}
            }
        }
        let others = columns.iter().zip(found).filter(|(column, _)| column.is_none());
        let others = others.map(|(_, name)| name).collect();
        Ok(Header { columns, others })
    }

    fn entry(&self, row: &csv::StringRecord) -> Result<UrlEntry> {
        if row.len() > self.columns.len() {
            bail!(
                "{} in {}: a value with a comma must be quoted",
                counted(row.len() as u64, "value"),
                counted(self.columns.len() as u64, "column")
            );
        }
        let mut entry = UrlEntry::new("");
        for (column, value) in self.columns.iter().zip(row) {
            let value = value.trim();
            match column {
                Some("loc") => value.clone_into(&mut entry.loc),
                _ if value.is_empty() => {}
                Some("lastmod") => entry.lastmod = Some(value.parse()?),
                Some("changefreq") => entry.changefreq = Some(value.parse()?),
                Some("priority") => entry.priority = Some(value.parse()?),
                _ => {}
            }
        }
        Ok(entry)
    }
}

/// The bytes of a CSV document, up to a number of bytes until that is set again. A carriage return at the end of a line is read as a
/// space, so that the number of a row's line does not depend on how lines end.
struct RowBytes<R> {
    inner: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for RowBytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(into)?;
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

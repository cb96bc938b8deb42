//! Rows of CSV.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use sitemap_serde::UrlEntry;

use crate::input::{Input, counted, grouped};

use super::{Checks, Done, MOST, Sink};

/// The columns that a sitemap has.
pub(super) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// What comes behind the last row: a row of its own, unless a quote is missing.
const END: &str = "\0";

/// Writes the entries of the rows; the first row names the columns.
pub(super) fn from_csv(
    reader: BufReader<Box<dyn Read>>,
    input: &Input,
    sink: &mut Sink<'_>,
    done: &mut Done,
) -> Result<()> {
    let checks = Checks::new();
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
    let mut columns: Option<Vec<String>> = None;
    let mut next = 1;
    loop {
        left.set(MOST);
        let is_row = rows.read_record(&mut row);
        if !is_row.with_context(|| format!("{}, line {next}", input.name))? {
            return Ok(());
        }
        // A quoted value may contain line breaks.
        let breaks: usize = row.iter().map(|value| value.matches('\n').count()).sum();
        next = rows.position().line();
        let place = format!("{}, line {}", input.name, next.saturating_sub(1 + breaks as u64));
        match row.iter().next_back() {
            Some(END) if row.len() == 1 => return Ok(()),
            Some(last) if last.ends_with(&format!("\n{END}\n")) => {
                let line = next.saturating_sub(breaks as u64);
                bail!("{}, line {line}: a quote that does not end", input.name)
            }
            _ => {}
        }
        if row.iter().all(|value| value.trim().is_empty()) {
            continue;
        }
        match &columns {
            None => columns = Some(header(&row, done).with_context(|| place.clone())?),
            Some(columns) => {
                let entry = row_entry(columns, &row).with_context(|| place.clone())?;
                checks.put(&entry, sink, done, &place)?;
            }
        }
    }
}

/// The names of the columns.
fn header(row: &csv::StringRecord, done: &mut Done) -> Result<Vec<String>> {
    let names: Vec<_> = row.iter().map(|name| name.trim().to_lowercase()).collect();
    if !names.iter().any(|name| name == "loc") {
        bail!("no column `loc`: the first line names the columns");
    }
    let is_twice = |column: &&&str| names.iter().filter(|name| name == *column).count() > 1;
    if let Some(twice) = COLUMNS.iter().find(is_twice) {
        bail!("two columns `{twice}`");
    }
    let others = names.iter().filter(|name| !COLUMNS.contains(&name.as_str()));
    done.other_columns = others.cloned().collect();
    Ok(names)
}

fn row_entry(columns: &[String], row: &csv::StringRecord) -> Result<UrlEntry> {
    if row.len() > columns.len() {
        bail!(
            "{} in {}: a value with a comma must be quoted",
            counted(row.len() as u64, "value"),
            counted(columns.len() as u64, "column")
        );
    }
    let mut entry = UrlEntry::new("");
    for (name, value) in columns.iter().zip(row) {
        let value = value.trim();
        match name.as_str() {
            "loc" => value.clone_into(&mut entry.loc),
            _ if value.is_empty() => {}
            "lastmod" => entry.lastmod = Some(value.parse()?),
            "changefreq" => entry.changefreq = Some(value.parse()?),
            "priority" => entry.priority = Some(value.parse()?),
            _ => {}
        }
    }
    Ok(entry)
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

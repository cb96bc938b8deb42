//! Rows of CSV.

use std::borrow::Cow;
use std::io;

use anyhow::{Context, Result, anyhow, bail};

use crate::input::counted;
use crate::omitted::UnknownNames;
use crate::words::{argument, nearest};

use super::columns::{COLUMNS, ColumnNames};
use super::row_reader::{KIND, is_kind};
use super::{Damage, MOST, Row as TableRow, Text, line_end, next_line, not_utf8};

/// Calls `each` with the place and the entry of each row. Before that, calls `others` with the place and the names of unknown columns, if
/// there are any. The first row is the header.
///
/// # Errors
/// The header is missing, the document cannot be read to its end, or `others` or `each` fails.
pub(crate) fn each_row(
    reader: Text,
    document: &str,
    names: &ColumnNames,
    others: &mut dyn FnMut(&str, &UnknownNames) -> Result<()>,
    each: &mut dyn FnMut(&str, Result<TableRow<'_>>) -> Result<()>,
) -> Result<()> {
    let start = String::from_utf8_lossy(reader.get_ref().start()).into_owned();
    let separator = Separator::of(&start, names);
    let mut rows = Rows::new(reader, separator.byte);
    let mut header: Option<Header> = None;
    loop {
        let line = rows.line;
        let place = format!("{document}, line {line}");
        let mut row = rows.next().with_context(|| place.clone())?;
        if let (Some(Row::Cells(cells)), Some(header)) = (&row, &header) {
            let problem = if header.has_stray_quote(cells) {
                Some(if rows.last.is_some() { UNENDED } else { STRAY })
            } else if rows
                .last
                .as_ref()
                .is_some_and(|last| header.has_rows(cells, last, rows.end))
            {
                Some(OTHER_ROWS)
            } else {
                None
            };
            if let Some(problem) = problem {
                row = Some(rows.torn(problem).with_context(|| place.clone())?);
            }
        }
        let row = match row {
            None => break,
            Some(Row::Torn(problem)) if header.is_none() => bail!("{place}: {problem}"),
            Some(Row::Torn(problem)) => {
                each(&place, Err(anyhow!(problem)))?;
                continue;
            }
            Some(Row::Cells(cells)) => cells,
        };
        let row: Result<Vec<String>, _> = row
            .into_iter()
            .map(|cell| String::from_utf8(cell.value))
            .collect();
        let row = match row {
            Ok(row) => row,
            Err(_) if header.is_none() => return Err(not_utf8().context(place)),
            Err(_) => {
                each(&place, Err(not_utf8()))?;
                continue;
            }
        };
        if row.iter().all(|value| value.trim().is_empty()) || separator.is_said && line == 1 {
            continue;
        }
        match &mut header {
            None => {
                let found = Header::of(&row, names, separator.byte);
                header = Some(found.with_context(|| place.clone())?.at(place));
            }
            Some(header) => {
                header.report(Some(&row), others)?;
                each(&place, header.entry(&row))?;
            }
        }
    }
    header.map_or(Ok(()), |mut header| header.report(None, others))
}

/// The problem of a row with an unclosed quote, which closes no value on a later line either.
const UNENDED: &str = "a quote that does not end";

/// The problem of a row with a quoted value that spans other rows, up to a quote on a later line.
const OTHER_ROWS: &str = "a quoted value with other rows in it, so a quote is missing or one too many: a quote in a quoted value is doubled";

/// The problem of a row with a value such as `"a"b`.
const CLOSED: &str = "text after the quote that ends a value: a quote in a quoted value is doubled";

/// The separator of columns.
#[derive(Clone, Copy, Debug)]
struct Separator {
    byte: u8,
    /// `true` if the first line is `sep=;`, as spreadsheets write it.
    is_said: bool,
}

impl Separator {
    const ALL: [u8; 3] = [b',', b';', b'\t'];

    /// Detects the separator from the beginning of a document: the one that yields a column of URLs, or else the most frequent one in the
    /// first line.
    fn of(start: &str, names: &ColumnNames) -> Self {
        let first = start.trim_start().split(['\n', '\r']).next().unwrap_or_default();
        if let Some(&[byte]) = first.strip_prefix("sep=").map(str::as_bytes) {
            return Separator { byte, is_said: true };
        }
        let loc = names.loc.as_deref().unwrap_or("loc").trim().to_lowercase();
        let is_loc = |cell: &str| cell.trim().trim_matches('"').trim().to_lowercase() == loc;
        let has_loc = |byte: &u8| first.split(char::from(*byte)).any(is_loc);
        let number = |byte: &u8| first.bytes().filter(|other| other == byte).count();
        let mut found: Vec<u8> = Self::ALL.into_iter().filter(has_loc).collect();
        if found.is_empty() {
            found.extend(Self::ALL);
        }
        // `max_by_key` returns the last of several equal ones.
        found.reverse();
        let byte = found.into_iter().max_by_key(number).unwrap_or(b',');
        Separator { byte, is_said: false }
    }
}

/// The problem of a row with a value such as `a"`.
const STRAY: &str =
    "a quote in a value that does not begin with one: the value is quoted as a whole, and the quote doubled";

/// A row of a table.
enum Row {
    Cells(Vec<Cell>),
    /// The first line of a row with a wrong quote, and the problem. The following lines are read as rows.
    Torn(&'static str),
}

/// The rows of a table.
struct Rows {
    reader: Text,
    separator: u8,
    /// The byte that ends a line.
    end: u8,
    /// The number of the next line, from 1.
    line: u64,
    /// The data read while looking for the end of a quote, and the number of its bytes already used.
    ahead: Vec<u8>,
    used: usize,
    /// The error after `ahead`.
    failure: Option<io::Error>,
    /// The number of bytes read again.
    again: u64,
    /// The last row, if it has several lines.
    last: Option<Several>,
}

/// A row of several lines.
struct Several {
    row: Vec<u8>,
    /// The length of the first line, and its number.
    first: usize,
    line: u64,
}

/// The limit of bytes in rows that are read again because of an open quote. It keeps the time linear.
const MOST_AGAIN: u64 = 8 * MOST;

impl Rows {
    fn new(reader: Text, separator: u8) -> Self {
        Rows {
            end: line_end(&reader),
            reader,
            separator,
            line: 1,
            ahead: Vec::new(),
            used: 0,
            failure: None,
            again: 0,
            last: None,
        }
    }

    /// Returns the next row; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Row>> {
        let (mut row, mut cells) = (Vec::new(), Cells::new(self.separator));
        let (mut lines, mut first) = (0, 0);
        loop {
            let start = row.len();
            let read = self.read_line(&mut row);
            match read {
                Ok(true) => {}
                Ok(false) if lines == 0 => return Ok(None),
                Err(error) if lines == 0 && row.is_empty() => return Err(error),
                Ok(false) => return self.again(&row, first, UNENDED).map(Some),
                Err(error) => {
                    if Damage::cuts(&error) {
                        row.truncate(start);
                    }
                    self.failure = Some(error);
                    if lines > 0 {
                        return self.again(&row, first, UNENDED).map(Some);
                    }
                    if row.is_empty() {
                        return self.next();
                    }
                }
            }
            lines += 1;
            if lines == 1 {
                first = row.len();
            }
            for byte in row.get(start..).unwrap_or_default() {
                cells.push(*byte);
            }
            if cells.is_torn && lines == 1 {
                self.line += 1;
                return Ok(Some(Row::Torn(CLOSED)));
            }
            if cells.is_torn || cells.is_quoted() && (row.len() as u64 >= MOST || self.failure.is_some()) {
                return self.again(&row, first, UNENDED).map(Some);
            }
            if !cells.is_quoted() {
                let line = self.line;
                self.last = (lines > 1).then_some(Several { row, first, line });
                self.line += lines;
                return Ok(Some(Row::Cells(cells.finish())));
            }
        }
    }

    /// Reads the next line.
    fn read_line(&mut self, row: &mut Vec<u8>) -> io::Result<bool> {
        let ahead = self.ahead.get(self.used..).unwrap_or_default();
        if let Some(end) = ahead.iter().position(|byte| *byte == self.end) {
            row.extend(ahead.iter().take(end + 1));
            self.used += end + 1;
            return Ok(true);
        }
        let has_ahead = !ahead.is_empty();
        row.extend(ahead);
        (self.ahead, self.used) = (Vec::new(), 0);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        Ok(next_line(&mut self.reader, self.end, row)? || has_ahead)
    }

    /// Gives up the last row. The lines after its first one are read again.
    fn torn(&mut self, problem: &'static str) -> io::Result<Row> {
        match self.last.take() {
            None => Ok(Row::Torn(problem)),
            Some(Several { row, first, line }) => {
                self.line = line;
                self.again(&row, first, problem)
            }
        }
    }

    /// Queues all lines of a row except the first to be read again.
    fn again(&mut self, row: &[u8], first: usize, problem: &'static str) -> io::Result<Row> {
        self.again += row.len() as u64;
        if self.again > MOST_AGAIN {
            return Err(io::Error::other(
                "quotes that do not end in too many rows: end each one, and write two for a quote in a value",
            ));
        }
        let again = row.get(first..).unwrap_or_default();
        let rest = self.ahead.get(self.used..).unwrap_or_default();
        self.ahead = [again, rest].concat();
        self.used = 0;
        self.line += 1;
        Ok(Row::Torn(problem))
    }
}

/// The cells of a row, byte by byte.
struct Cells {
    separator: u8,
    place: Place,
    done: Vec<Cell>,
    cell: Cell,
    /// `true` if text follows the end of a quoted value.
    is_torn: bool,
}

/// A cell of a row.
#[derive(Debug, Default)]
struct Cell {
    value: Vec<u8>,
    /// `true` if the cell contains a quote but is not quoted.
    has_stray_quote: bool,
}

/// The place of the next byte in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Start,
    Plain,
    Quoted,
    /// After a quote in a quoted cell. A second quote makes it a literal one.
    Quote,
    /// In the white space after a quoted cell.
    Closed,
}

impl Cells {
    fn new(separator: u8) -> Self {
        Cells {
            separator,
            place: Place::Start,
            done: Vec::new(),
            cell: Cell::default(),
            is_torn: false,
        }
    }

    fn push(&mut self, byte: u8) {
        self.place = match (self.place, byte) {
            (Place::Start, b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::Quote,
            (Place::Quote, b'"') | (Place::Quoted, _) => {
                self.cell.value.push(byte);
                Place::Quoted
            }
            (_, byte) if byte == self.separator => {
                self.done.push(std::mem::take(&mut self.cell));
                Place::Start
            }
            (Place::Quote | Place::Closed, byte) => {
                self.is_torn |= !byte.is_ascii_whitespace();
                Place::Closed
            }
            (_, byte) => {
                self.cell.has_stray_quote |= byte == b'"';
                self.cell.value.push(byte);
                Place::Plain
            }
        };
    }

    fn is_quoted(&self) -> bool {
        self.place == Place::Quoted
    }

    fn finish(mut self) -> Vec<Cell> {
        self.done.push(self.cell);
        self.done
    }
}

/// The header row.
#[derive(Debug)]
struct Header {
    /// The name in [`COLUMNS`] of each column.
    columns: Vec<Option<&'static str>>,
    /// The names of unknown columns, until they are reported.
    others: UnknownNames,
    separator: u8,
    place: String,
}

impl Header {
    fn of(row: &[String], names: &ColumnNames, separator: u8) -> Result<Self> {
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
                    let is_entry = found.iter().any(|name| name.contains("://"));
                    let is_url = |name: &&String| {
                        ["url", "address", "link", "page", "uri", "href"]
                            .iter()
                            .any(|word| name.contains(word))
                    };
                    let advice = match found.iter().find(is_url) {
                        _ if is_entry => {
                            "the first line names the columns: write one before it, such as `loc,lastmod`"
                                .to_owned()
                        }
                        Some(column) => {
                            format!("name the column of the URLs: `--loc-column {}`", argument(column))
                        }
                        None => "the first line names the columns, and --loc-column another one for the URLs"
                            .to_owned(),
                    };
                    bail!("no column `loc` among {}: {advice}", found.join(", "))
                }
                None => {}
            }
        }
        if let Some((place, _)) = columns
            .iter_mut()
            .zip(&found)
            .find(|(place, name)| place.is_none() && *name == KIND)
        {
            *place = Some(KIND);
        }
        let missing: Vec<_> = COLUMNS
            .into_iter()
            .filter(|column| !columns.contains(&Some(column)))
            .collect();
        let mut others = UnknownNames::columns();
        for (_, name) in columns.iter().zip(&found).filter(|(column, _)| column.is_none()) {
            others.push(name, || meant(name, &missing));
        }
        Ok(Header {
            columns,
            others,
            separator,
            place: String::new(),
        })
    }

    fn at(self, place: String) -> Self {
        Header { place, ..self }
    }

    /// Reports unknown columns, once. The column named like the kinds may belong to another program; the first row decides.
    fn report(
        &mut self,
        row: Option<&[String]>,
        others: &mut dyn FnMut(&str, &UnknownNames) -> Result<()>,
    ) -> Result<()> {
        if self.place.is_empty() {
            return Ok(());
        }
        let mut values = self.columns.iter_mut().zip(row.unwrap_or_default());
        let foreign = values.find(|(column, value)| **column == Some(KIND) && !is_kind(value.trim()));
        if let Some((column, _)) = foreign {
            *column = None;
            self.others.push(KIND, || None);
        }
        let place = std::mem::take(&mut self.place);
        if self.others.is_empty() {
            return Ok(());
        }
        others(&place, &self.others)
    }

    /// Returns `true` if a value contains a line break, which is invalid in an entry, or an unquoted cell contains a quote.
    fn has_stray_quote(&self, row: &[Cell]) -> bool {
        let mut cells = self
            .columns
            .iter()
            .zip(row)
            .filter(|(column, _)| column.is_some());
        cells.any(|(_, cell)| {
            cell.has_stray_quote
                || cell
                    .value
                    .trim_ascii()
                    .iter()
                    .any(|byte| matches!(byte, b'\n' | b'\r'))
        })
    }

    /// Returns `true` if a line of a row looks like another row, with a cell for each column and a URL in the right column. The line with
    /// the row's own URL does not count.
    fn has_rows(&self, cells: &[Cell], several: &Several, end: u8) -> bool {
        let Some(at) = self.columns.iter().position(|column| *column == Some("loc")) else {
            return false;
        };
        let own = cells
            .get(at)
            .map(|cell| cell.value.trim_ascii())
            .unwrap_or_default();
        let lines = several
            .row
            .split(|byte| *byte == end)
            .filter(|line| self.is_like_row(line, at));
        let is_own = |line: &[u8]| line.windows(own.len().max(1)).any(|window| window == own);
        let (own, others): (Vec<_>, Vec<_>) = lines.partition(|line| is_own(line));
        !others.is_empty() || own.len() > 1
    }

    fn is_like_row(&self, line: &[u8], at: usize) -> bool {
        let cells: Vec<_> = line.split(|byte| *byte == self.separator).collect();
        let columns = self.columns.len();
        // A separator in quotes shifts the columns, so the column is tried from both ends.
        let from_end = (cells.len() + at)
            .checked_sub(columns)
            .filter(|from_end| *from_end != at);
        let from_end = from_end
            .and_then(|from_end| cells.get(from_end))
            .filter(|cell| !cell.starts_with(b" "));
        let found = [cells.get(at), from_end];
        columns > 1 && cells.len() >= columns && found.into_iter().flatten().any(|cell| is_url(cell))
    }

    fn entry<'r>(&self, row: &'r [String]) -> Result<TableRow<'r>> {
        if row.len() > self.columns.len() {
            let separator = match self.separator {
                b',' => "a comma",
                b';' => "a semicolon",
                _ => "a tab",
            };
            bail!(
                "{} in {}: a value with {separator} must be quoted",
                counted(row.len() as u64, "value"),
                counted(self.columns.len() as u64, "column")
            );
        }
        let values = self.columns.iter().zip(row);
        let mut values: Vec<_> = values
            .filter_map(|(column, value)| Some(((*column)?, Cow::Borrowed(value.trim()))))
            .collect();
        // Programs that write decimal commas use another separator.
        if self.separator != b','
            && let Some((_, value)) = values.iter_mut().find(|(column, _)| *column == "priority")
        {
            *value = value.replace(',', ".").into();
        }
        Ok(TableRow::Cells(values))
    }
}

/// Returns `true` if a cell is an absolute URL or a path, quoted or not.
fn is_url(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let cell = cell.strip_prefix(b"\"").unwrap_or(cell);
    let is_start = ["http://", "https://", "/"]
        .iter()
        .any(|start| cell.starts_with(start.as_bytes()));
    is_start && !cell.contains(&b' ')
}

/// Returns the missing column that a name most likely means. Checks prefixes first: `lastmodified` is too different from `lastmod` for a
/// typo.
fn meant(name: &str, missing: &[&'static str]) -> Option<&'static str> {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    let longer = missing.iter().find(|column| letters.starts_with(**column));
    longer.copied().or_else(|| nearest(name, missing.iter().copied()))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::{CLOSED, ColumnNames, STRAY, TableRow, UNENDED, each_row};
    use crate::formats::Decoded;

    /// Returns each row's line, with its loc or problem.
    fn rows(table: &str) -> Vec<(u64, Result<String, String>)> {
        let text = Decoded::new(Box::new(Cursor::new(table.as_bytes().to_vec())));
        let mut found = Vec::new();
        let mut each = |place: &str, row: anyhow::Result<TableRow<'_>>| {
            let (_, line) = place.rsplit_once(' ').unwrap();
            let loc = row.map(|row| match row {
                TableRow::Cells(cells) => cells
                    .iter()
                    .find(|(name, _)| *name == "loc")
                    .unwrap()
                    .1
                    .to_string(),
                TableRow::Json(line) => line.to_owned(),
            });
            let loc = loc.map_err(|error| error.to_string());
            found.push((line.parse().unwrap(), loc));
            Ok(())
        };
        let names = ColumnNames::default();
        each_row(
            BufReader::new(text),
            "a.csv",
            &names,
            &mut |_, _| Ok(()),
            &mut each,
        )
        .unwrap();
        found
    }

    fn loc(row: usize) -> String {
        format!("https://example.com/{row}")
    }

    /// Up to three rows with an extra quote, anywhere, cost only themselves: every other row is read.
    #[test]
    fn a_quote_costs_its_row() {
        const ROWS: usize = 5;
        // Before, after and within each value.
        let places = [
            "\"LOC,DATE",
            "LOC\",DATE",
            "L\"OC,DATE",
            "LOC,\"DATE",
            "LOC,DATE\"",
            "LOC,D\"ATE",
        ];
        let all: Vec<_> = (0..ROWS)
            .flat_map(|row| places.map(|place| (row, place)))
            .collect();
        for first in &all {
            for second in &all {
                for third in &all {
                    let quotes = [first, second, third];
                    let mut table = "loc,lastmod\n".to_owned();
                    for row in 0..ROWS {
                        let quote = quotes.iter().find(|(at, _)| *at == row);
                        let line = quote.map_or("LOC,DATE", |(_, place)| place);
                        let line = line
                            .replace("L\"OC", &loc(row).replacen('/', "/\"", 1))
                            .replace("LOC", &loc(row));
                        table.push_str(
                            &line
                                .replace("D\"ATE", "2026\"-05-01")
                                .replace("DATE", "2026-05-01"),
                        );
                        table.push('\n');
                    }
                    let found = rows(&table);
                    assert_eq!(found.len(), ROWS, "{table}{found:?}");
                    for (row, (line, read)) in found.into_iter().enumerate() {
                        let is_bad = quotes.iter().any(|(at, _)| *at == row);
                        let expected = [
                            Err(UNENDED.to_owned()),
                            Err(STRAY.to_owned()),
                            Err(CLOSED.to_owned()),
                        ];
                        assert_eq!(line, row as u64 + 2, "{table}");
                        assert!(
                            if is_bad {
                                expected.contains(&read)
                            } else {
                                read == Ok(loc(row))
                            },
                            "{table}{read:?}"
                        );
                    }
                }
            }
        }
    }

    /// A properly quoted value may contain any character, including line breaks in a note.
    #[test]
    fn quoted_values() {
        for (line, read) in [
            ("\"LOC\",x", Ok(1)),
            ("\"LOC\" ,x", Ok(1)),
            ("\"LOC\",5\" nails", Ok(1)),
            ("LOC,\"a \"\"b\"\", c\"", Ok(1)),
            ("LOC,\"a\nb\nc\"", Ok(1)),
            ("\"\nLOC\n\",\"\"", Ok(1)),
            ("\"LOC\"x,x", Err(CLOSED)),
            ("\"LOC\" \"x\",x", Err(CLOSED)),
            ("LOC\",x", Err(STRAY)),
        ] {
            let table = format!("loc,note\r\n{line}\r\nLOC,\r\n").replace("LOC", &loc(1));
            let read = read.map(loc).map_err(str::to_owned);
            let found: Vec<_> = rows(&table).into_iter().map(|(_, read)| read).collect();
            assert_eq!(found, [read, Ok(loc(1))], "{table}");
        }
    }
}

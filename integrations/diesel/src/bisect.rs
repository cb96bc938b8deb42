//! Finding rows that cannot be decoded.

use std::mem;

use sitemap_site::Key;
use sitemap_site::source::{BoxError, Row, Span};

use crate::Failure;

/// Number of rows that are read to see whether any row can be decoded, and of rows that fail before that is asked.
const SAMPLE: usize = 20;

/// The next query of a [`Bisection`].
#[derive(Debug)]
pub enum Next<T> {
    /// The rows of a range.
    Rows(Span),
    /// The keys of this number of rows of a range.
    Keys(Span, usize),
    /// There are no more.
    Done(Vec<Row<T>>),
    /// No row can be decoded.
    Failed(BoxError),
}

/// Reads a batch with rows that cannot be decoded: halves the range until it is one row. Diesel and diesel-async both run its queries.
///
/// The columns may change between two queries. Failed rows are therefore read again, after a row that did not fail.
#[derive(Debug)]
pub struct Bisection<T> {
    /// The ranges that are left, the next one last.
    ranges: Vec<Range>,
    rows: Vec<Row<T>>,
    /// The places and ranges of the rows that failed.
    failed: Vec<(usize, Span)>,
    limit: usize,
    /// A range that was decoded.
    decoded: Option<Span>,
    /// Other ranges whose first rows are tried before the error that no row can be decoded; the next one is last.
    samples: Vec<Span>,
    phase: Phase,
}

/// The end of the rows before a range, and the keys in it.
type Range = (Option<Key>, Vec<Key>);

#[derive(Debug)]
enum Phase {
    /// The rows are being found.
    Halves,
    /// The keys of other rows are being read: the first rows of a range.
    Keys(Span),
    /// Other rows are being read, until one can be decoded.
    Sample(Vec<Range>),
    /// The range that was decoded is being read again.
    Decoded,
    /// The rows that failed are being read again.
    Again,
    /// No row can be decoded.
    Failed,
}

impl<T> Bisection<T> {
    /// The rows after `after` with these keys.
    pub fn new(after: Option<Key>, keys: Vec<Key>, limit: usize) -> Self {
        let next = keys.last().map(|last| Span::ALL.above(last.clone()));
        Bisection {
            ranges: vec![(after, keys)],
            rows: Vec::new(),
            failed: Vec::new(),
            limit,
            decoded: None,
            samples: next.into_iter().chain([Span::ALL]).collect(),
            phase: Phase::Halves,
        }
    }

    /// The next query. Pass its result to [`found`](Self::found) or [`keys`](Self::keys).
    pub fn next_query(&mut self) -> Next<T> {
        loop {
            match &mut self.phase {
                Phase::Halves => {
                    let is_doubtful = self.decoded.is_none() && self.failed.len() >= SAMPLE;
                    self.phase = match next_of(&mut self.ranges) {
                        Some(span) if !is_doubtful => return Next::Rows(span),
                        None if self.failed.is_empty() => Phase::Again,
                        None if self.decoded.is_some() => Phase::Decoded,
                        _ => Phase::Sample(self.ranges.iter().filter_map(last_row).collect()),
                    };
                }
                Phase::Keys(span) => return Next::Keys(span.clone(), SAMPLE),
                Phase::Sample(ranges) => match next_of(ranges) {
                    Some(span) => return Next::Rows(span),
                    None => self.phase = self.samples.pop().map_or(Phase::Failed, Phase::Keys),
                },
                Phase::Decoded => match &self.decoded {
                    Some(span) => return Next::Rows(span.clone()),
                    None => self.phase = Phase::Again,
                },
                Phase::Again => {
                    if let Some((_, span)) = self.failed.last() {
                        return Next::Rows(span.clone());
                    }
                    // Rows may have come since the keys were read.
                    self.rows.truncate(self.limit);
                    return Next::Done(mem::take(&mut self.rows));
                }
                Phase::Failed => {
                    let first = self.rows.drain(..).find_map(|row| row.into_parts().1.err());
                    return Next::Failed(first.unwrap_or_else(|| "no row can be decoded".into()));
                }
            }
        }
    }

    /// Takes the requested keys.
    pub fn keys(&mut self, keys: Vec<Key>) {
        if let Phase::Keys(span) = &mut self.phase {
            self.phase = Phase::Sample(vec![(span.after.take(), keys)]);
        }
    }

    /// Takes the rows of the requested range.
    ///
    /// # Errors
    /// If the failure does not belong to a row.
    pub fn found(&mut self, found: Result<Vec<(Key, T)>, Failure>) -> Result<(), Failure> {
        let found = match found {
            Ok(rows) => Ok(rows),
            Err(failure) if failure.is_of_a_row() => Err(failure),
            Err(failure) => return Err(failure),
        };
        match &mut self.phase {
            Phase::Halves => self.half(found),
            Phase::Sample(ranges) => {
                let Some(range) = ranges.pop() else {
                    return Ok(());
                };
                match found {
                    // Rows that have been deleted say nothing.
                    Ok(rows) if rows.is_empty() => {}
                    Ok(_) => {
                        self.decoded = Some(span_of(&range));
                        self.phase = if self.ranges.is_empty() {
                            Phase::Again
                        } else {
                            Phase::Halves
                        };
                    }
                    Err(_) => halve(ranges, range),
                }
            }
            Phase::Decoded => {
                self.phase = if found.is_ok() {
                    Phase::Again
                } else {
                    Phase::Failed
                };
            }
            Phase::Again => {
                if let (Some((at, _)), Ok(rows)) = (self.failed.pop(), found) {
                    // The columns were others at first, or the row has changed, or it is gone.
                    let rows = rows.into_iter().map(|(key, row)| Row::new(key, row));
                    self.rows.splice(at..=at, rows);
                }
            }
            Phase::Keys(_) | Phase::Failed => {}
        }
        Ok(())
    }

    /// Takes the rows of the next range.
    fn half(&mut self, found: Result<Vec<(Key, T)>, Failure>) {
        let Some(range) = self.ranges.pop() else {
            return;
        };
        match found {
            Ok(rows) => {
                if !rows.is_empty() {
                    self.decoded = Some(span_of(&range));
                }
                self.rows
                    .extend(rows.into_iter().map(|(key, row)| Row::new(key, row)));
            }
            Err(failure) => match range.1.as_slice() {
                [key] => {
                    self.failed.push((self.rows.len(), span_of(&range)));
                    self.rows.push(Row::failed(key.clone(), failure));
                }
                _ => halve(&mut self.ranges, range),
            },
        }
    }
}

/// The next range with keys.
fn next_of(ranges: &mut Vec<Range>) -> Option<Span> {
    while ranges.last().is_some_and(|(_, keys)| keys.is_empty()) {
        ranges.pop();
    }
    ranges.last().map(span_of)
}

/// The last row of a range, as a range.
fn last_row((after, keys): &Range) -> Option<Range> {
    let (last, before) = keys.split_last()?;
    Some((before.last().or(after.as_ref()).cloned(), vec![last.clone()]))
}

fn span_of((after, keys): &Range) -> Span {
    Span::new(after.clone(), keys.last().cloned())
}

/// Adds the halves of a range; a single row has none.
fn halve(ranges: &mut Vec<Range>, (after, mut keys): Range) {
    if keys.len() > 1 {
        let second = keys.split_off(keys.len() / 2);
        ranges.push((keys.last().cloned(), second));
        ranges.push((after, keys));
    }
}

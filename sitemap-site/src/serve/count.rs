//! Counting the rows of a section: builds and updates its table of parts, by short queries. `latest` finds the parts whose rows have changed.

mod latest;

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant, SystemTime};

use super::disorder::Disorder;
use super::section::Section;
use super::table::{Pace, PartRow, PartSize, Parts, Recount};
use super::unrendered::Unrendered;
use crate::error::Chain;
use crate::key::Key;
use crate::source::{BoxError, DatedKey, Newest, Span, WrongKey};
use crate::time::{jitter, since_1970};

/// Maximum number of parts of a section, the parts of twenty indexes, so that the table fits in memory.
const MOST_PARTS: usize = 1_000_000;

/// Why a table cannot be made or updated.
#[derive(Debug)]
pub(super) enum TableError {
    Source(BoxError),
    Late(Duration),
    /// A key that makes the address of a part too long.
    LongKey {
        name: String,
        most: usize,
    },
    /// Keys are not compared as they are ordered.
    Disordered(Disorder),
    /// Two rows have the same key.
    Twice(Key),
    /// There are more parts than a table can have.
    TooMany,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Source(error) => write!(f, "the rows cannot be counted: {}", Chain(&**error)),
            TableError::Late(limit) => write!(f, "counting the rows of a part took more than {limit:?}"),
            TableError::LongKey { name, most } => write!(
                f,
                "the name of a part would be `{name}`, with {} bytes; a name has at most {most} bytes and contains both ends of the \
                 part's key range: use shorter key columns",
                name.len()
            ),
            TableError::Disordered(disorder) => disorder.fmt(f),
            TableError::Twice(key) => write!(
                f,
                "two rows have the key {key}: the key columns of a source are unique and not null; name columns that are, such as \
                 the primary key"
            ),
            TableError::TooMany => write!(
                f,
                "the section has more than {MOST_PARTS} parts: make parts larger with `part_rows`"
            ),
        }
    }
}

/// Counts of all rows that are due to changes take at most about one part in this number of the time.
const RECOUNT_PAUSE: u32 = 10;

/// The first keys of a range.
pub(super) async fn keys(
    section: &Section,
    pace: Pace,
    span: &Span,
    limit: usize,
) -> Result<Vec<DatedKey>, TableError> {
    let started = Instant::now();
    let keys = tokio::time::timeout(pace.time_limit, section.keys(span, limit)).await;
    let keys = keys.map_err(|_| TableError::Late(pace.time_limit))?;
    // A source without I/O does not wait for anything, and other tasks may be waiting.
    tokio::task::yield_now().await;
    // A pause as long as the query leaves half of the time to others. It varies so that several instances do not query at the same time. The first
    // count has no pauses: until it is complete, there is no index.
    let took = started.elapsed();
    if took > Duration::from_millis(1) && section.table.lock().complete {
        tokio::time::sleep(took.mul_f64(jitter())).await;
    }
    let keys = keys.map_err(TableError::Source)?;
    section.warn_of_future(&keys);
    section.source.check_keys(span, &keys)?;
    Ok(keys)
}

impl From<Unrendered> for TableError {
    fn from(failure: Unrendered) -> Self {
        match failure {
            Unrendered::Disordered(disorder) => TableError::Disordered(disorder),
            Unrendered::SameKey(key) => TableError::Twice(key),
            Unrendered::Source(error) => TableError::Source(error),
            other => TableError::Source(other.to_string().into()),
        }
    }
}

/// Reads the keys of a range in their order, each once, and cuts them into parts.
struct Walk<'a> {
    section: &'a Section,
    pace: Pace,
    size: PartSize,
    /// The range after the part that was last returned.
    rest: Span,
    /// The first keys of that range.
    ahead: VecDeque<DatedKey>,
    /// `true` if these are all of its keys.
    is_all: bool,
    /// Number of parts that were returned.
    parts: usize,
}

impl<'a> Walk<'a> {
    fn new(section: &'a Section, pace: Pace, part_rows: usize, rest: Span) -> Self {
        Walk {
            section,
            pace,
            size: PartSize::about(part_rows),
            rest,
            ahead: VecDeque::new(),
            is_all: false,
            parts: 0,
        }
    }

    /// Checks that the range up to an end has these rows, which were read without the end. A source that does not count must read them again,
    /// so of its parts only some are checked here, and each when it is rendered.
    async fn check_end(&self, to: &Key, rows: &[DatedKey]) -> Result<(), TableError> {
        if self.section.source.is_read_at_once() {
            return Ok(());
        }
        let span = Span {
            after: self.rest.after.clone(),
            to: Some(to.clone()),
        };
        let is_due = self.parts < 8 || self.parts.is_power_of_two();
        let checked = self.section.check_end(&span, rows, is_due);
        let checked = tokio::time::timeout(self.pace.time_limit, checked).await;
        Ok(checked.map_err(|_| TableError::Late(self.pace.time_limit))??)
    }

    /// Checks that the range up to the first row's key has that row.
    async fn check_first(&mut self) -> Result<(), TableError> {
        self.read_ahead().await?;
        let Some(first) = self.ahead.front() else {
            return Ok(());
        };
        let checked = tokio::time::timeout(self.pace.time_limit, self.section.check_first(&first.key)).await;
        checked.map_err(|_| TableError::Late(self.pace.time_limit))??;
        Ok(())
    }

    async fn read_ahead(&mut self) -> Result<(), TableError> {
        while self.ahead.len() < self.size.most() && !self.is_all {
            let last = self.ahead.back().map(|last| last.key.clone());
            let span = last.map_or_else(|| self.rest.clone(), |last| self.rest.above(last));
            let wanted = if self.section.source.is_read_at_once() {
                usize::MAX
            } else {
                self.size.most() - self.ahead.len()
            };
            let found = keys(self.section, self.pace, &span, wanted).await?;
            self.is_all = found.len() < wanted;
            self.ahead.extend(found);
        }
        Ok(())
    }

    /// The rows of the next part, and its end. After the last end: all remaining rows, possibly none, and `None`.
    async fn next(&mut self) -> Result<(Vec<DatedKey>, Option<Key>), TableError> {
        self.read_ahead().await?;
        let rows = self.size.cut(self.ahead.iter().map(|row| &row.key));
        let cut: Vec<_> = self.ahead.drain(..rows.unwrap_or(self.ahead.len())).collect();
        let to = cut.last().filter(|_| rows.is_some()).map(|last| last.key.clone());
        if let Some(to) = &to {
            self.check_end(to, &cut).await?;
            self.parts += 1;
            self.rest = self.rest.above(to.clone());
        }
        Ok((cut, to))
    }
}

/// Updates the table: the rows after the last full part or, if `all`, all parts. After an error the next call continues from there.
pub(super) async fn refresh(section: &Section, pace: Pace, all: bool) -> Result<(), TableError> {
    if !section.table.lock().complete {
        return extend(section, pace).await;
    }
    if all {
        let started = tokio::time::Instant::now();
        recount(section, pace).await?;
        let pause = started.elapsed().saturating_mul(RECOUNT_PAUSE);
        section.table.lock().changes_due = tokio::time::Instant::now().checked_add(pause);
    } else {
        match extend(section, pace).await {
            // The stored table has the section's former keys. A rebuilt one has the current keys.
            Err(TableError::Source(error)) if error.is::<WrongKey>() => recount(section, pace).await?,
            extended => extended?,
        }
    }
    latest::raise_newest(section, pace).await;
    Ok(())
}

/// Counts the rows after the last full part, and makes parts of them if there are enough. Each part takes effect at once.
async fn extend(section: &Section, pace: Pace) -> Result<(), TableError> {
    let _upkeep = section.upkeep.lock().await;
    let (after, divided) = {
        let parts = section.table.lock();
        let after = parts.rows.iter().rev().find_map(|row| row.to.clone());
        let open = parts.rows.last().filter(|row| row.to.is_none());
        (after, open.and_then(|open| open.divided))
    };
    let part_rows = divided.unwrap_or(pace.part_rows);
    let is_first = after.is_none() && !section.table.lock().complete;
    let mut walk = Walk::new(section, pace, part_rows, Span { after, to: None });
    if is_first && !section.source.is_read_at_once() {
        walk.check_first().await?;
    }
    loop {
        let after = walk.rest.after.clone();
        let (rows, to) = walk.next().await?;
        let span = Span { after, to };
        check_name(section, &span)?;
        let mut parts = section.table.lock();
        let is_last = span.to.is_none();
        let is_first = !parts.complete;
        let part = PartRow {
            divided,
            ..parts.new_row(span.to, &rows)
        };
        parts.set_last(part)?;
        if is_last {
            parts.complete = true;
            parts.set_tail_counted();
            if is_first {
                let took = parts.started.map_or(Duration::ZERO, |started| started.elapsed());
                let now = SystemTime::now();
                parts.set_all_counted(now.checked_sub(took).unwrap_or(now));
            }
            return Ok(());
        }
    }
}

impl Parts {
    /// Replaces the part without an end, or adds it. A part without rows is dropped.
    fn set_last(&mut self, part: PartRow) -> Result<(), TableError> {
        let open = self.rows.pop_open();
        let part = match &open {
            Some(open) if part.to.is_none() => PartRow {
                rows: part.rows,
                newest: part.newest,
                ..open.clone()
            },
            _ => part,
        };
        if self.rows.len() >= MOST_PARTS {
            if let Some(open) = open {
                self.rows.push(open);
            }
            return Err(TableError::TooMany);
        }
        let part = Some(part).filter(|part| part.rows > 0);
        self.generation += u64::from(open != part);
        if self.complete && open.is_some() && part.as_ref().is_some_and(|part| part.to.is_some()) {
            self.former.add(Span {
                after: self.rows.last().and_then(|row| row.to.clone()),
                to: None,
            });
        }
        if let Some(part) = part {
            self.rows.push(part);
        }
        Ok(())
    }
}

/// Counts all rows and rebuilds the table, so that it depends only on the rows. It takes effect when all rows are counted.
async fn recount(section: &Section, pace: Pace) -> Result<(), TableError> {
    let after = {
        let mut parts = section.table.lock();
        let recount = parts.recount.get_or_insert_with(|| Recount {
            began: SystemTime::now(),
            rows: Vec::new(),
        });
        recount.rows.last().and_then(|row| row.to.clone())
    };
    let is_first = after.is_none();
    let mut walk = Walk::new(section, pace, pace.part_rows, Span { after, to: None });
    if is_first && !section.source.is_read_at_once() {
        walk.check_first().await?;
    }
    loop {
        // Others may change the table between two parts.
        let _upkeep = section.upkeep.lock().await;
        let after = walk.rest.after.clone();
        let (rows, to) = walk.next().await?;
        let is_last = to.is_none();
        let span = Span { after, to };
        let mut parts = section.table.lock();
        let divided = parts.divided(&span);
        let pieces = match divided {
            Some(part_rows) => divide(rows, PartSize::about(part_rows)),
            None => vec![rows],
        };
        let made = parts.new_rows(section, &span, pieces, divided)?;
        let Some(mut recount) = parts.recount.take() else {
            return Ok(());
        };
        recount.rows.extend(made);
        if recount.rows.len() > MOST_PARTS {
            return Err(TableError::TooMany);
        }
        if is_last {
            parts.finish(recount);
            return Ok(());
        }
        parts.recount = Some(recount);
    }
}

/// Cuts rows into parts; the last one has the rows after the last end.
fn divide(rows: Vec<DatedKey>, size: PartSize) -> Vec<Vec<DatedKey>> {
    let mut pieces = Vec::new();
    let mut rest = rows;
    while let Some(cut) = size.cut(rest.iter().map(|row| &row.key)) {
        let after = rest.split_off(cut);
        pieces.push(std::mem::replace(&mut rest, after));
    }
    pieces.push(rest);
    pieces
}

impl Parts {
    /// A new part of these rows.
    fn new_row(&self, to: Option<Key>, rows: &[DatedKey]) -> PartRow {
        let (rows, newest) = counted(rows);
        PartRow {
            // Renderings of its range from before a purge are not kept either.
            purged: self.purged,
            ..PartRow::new(to, rows, newest)
        }
    }

    /// New parts of the pieces of a range. The last one ends with the range, so that rows inserted there belong to a part.
    fn new_rows(
        &self,
        section: &Section,
        span: &Span,
        mut pieces: Vec<Vec<DatedKey>>,
        divided: Option<usize>,
    ) -> Result<Vec<PartRow>, TableError> {
        pieces.retain(|piece| !piece.is_empty());
        let last = pieces.len().saturating_sub(1);
        let mut made: Vec<PartRow> = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            let to = match piece.last() {
                Some(row) if at < last => Some(row.key.clone()),
                _ => span.to.clone(),
            };
            let after = made.last().map_or(&span.after, |before| &before.to).clone();
            check_name(
                section,
                &Span {
                    after,
                    to: to.clone(),
                },
            )?;
            made.push(PartRow {
                divided,
                ..self.new_row(to, piece)
            });
        }
        Ok(made)
    }

    /// The number of rows that the parts of a range were divided into, if they were.
    fn divided(&self, span: &Span) -> Option<usize> {
        let first = self.place_after(span.after.as_ref())?;
        let last = self.rows.place(span.to.as_ref()).filter(|last| *last >= first);
        let rows = self.rows.get(first..=last.unwrap_or(first))?;
        rows.iter().filter_map(|row| row.divided).min()
    }

    /// Ends a count of all rows.
    fn finish(&mut self, recount: Recount) {
        self.replace(recount.rows, recount.began);
        // Rows that are compared differently may have come.
        self.rows.iter_mut().for_each(|row| row.read = None);
        self.set_tail_counted();
        self.set_all_counted(recount.began);
        // Rows that have changed after they were counted may have been in other parts.
        self.latest_due = None;
    }

    fn set_tail_counted(&mut self) {
        self.tail_checked = Some(Instant::now());
        self.counted.last = since_1970(SystemTime::now()).as_secs();
    }

    /// Records that the table is the result of a count of all rows, which began at this time.
    fn set_all_counted(&mut self, began: SystemTime) {
        self.all_checked = Some(Instant::now());
        self.counted.all = since_1970(began).as_secs();
        self.set_seen(began);
    }

    /// Records the current count of a part's rows.
    fn count(&mut self, at: usize, rows: &[DatedKey]) {
        let Some(row) = self.rows.get_mut(at) else { return };
        let now = counted(rows);
        self.generation += u64::from(now != (row.rows, row.newest));
        row.rows = now.0;
        row.set_newest(now.1);
    }
}

/// The number of these rows, and their newest lastmod that has begun.
fn counted(rows: &[DatedKey]) -> (u64, Newest) {
    let begun = rows.iter().filter(|row| row.lastmod.begun() == row.lastmod);
    let newest = Newest::of(begun.map(|row| row.lastmod));
    // Those in the future are ignored, unless there are no others.
    let newest = match newest {
        Newest::Nothing | Newest::Invalid if rows.iter().any(|row| row.lastmod.lastmod().is_some()) => {
            Newest::Unknown
        }
        newest => newest,
    };
    (rows.len() as u64, newest)
}

/// Counts again the rows of the parts that the index does not list. Returns the ranges that have rows to list, although their
/// last rendering had no entries. Rendering them shows whether they have entries now.
pub(super) async fn recount_unlisted(section: &Section, pace: Pace) -> Result<Vec<Span>, TableError> {
    let unlisted = section.table.lock().unlisted();
    for span in unlisted.iter().filter(|span| span.to.is_some()) {
        let _upkeep = section.upkeep.lock().await;
        let most = pace.most_rows();
        let found = keys(section, pace, span, most + 1).await?;
        let at = section.table.lock().find(span);
        match at {
            Some(_) if found.len() > most => split_part(section, pace, span, None).await?,
            Some(at) => section.table.lock().count(at, &found),
            // It is no longer in the table.
            None => {}
        }
    }
    let parts = section.table.lock();
    let was_empty = |span: &Span| {
        let row = parts.find(span).and_then(|at| parts.rows.get(at));
        row.is_some_and(PartRow::was_empty)
    };
    Ok(unlisted.into_iter().filter(was_empty).collect())
}

/// Splits a part whose rows do not fit in a document: only `fitting` of them do.
pub(super) async fn split(
    section: &Section,
    pace: Pace,
    span: &Span,
    fitting: usize,
) -> Result<(), TableError> {
    let _upkeep = section.upkeep.lock().await;
    // Another task may have split it in the meantime, and a range that is not in the table may cover all rows.
    let Some(divided) = ({
        let parts = section.table.lock();
        let row = parts.find(span).and_then(|at| parts.rows.get(at));
        row.map(|row| row.divided)
    }) else {
        return Ok(());
    };
    let part_rows = divided.unwrap_or(pace.part_rows);
    // All instances reach the same size, and record it, or the next count would join the parts again.
    let smaller = Some(halved(part_rows, fitting)).filter(|rows| *rows < pace.part_rows);
    split_part(section, pace, span, smaller).await
}

/// The size of parts, halved until a part fits twice into `fitting` rows; at least one.
fn halved(part_rows: usize, fitting: usize) -> usize {
    let mut rows = part_rows;
    while rows * 2 > fitting {
        rows /= 2;
    }
    rows.max(1)
}

/// Divides a part into parts of the usual size, or of a smaller one. The caller holds the upkeep lock.
async fn split_part(
    section: &Section,
    pace: Pace,
    span: &Span,
    divided: Option<usize>,
) -> Result<(), TableError> {
    let mut walk = Walk::new(section, pace, divided.unwrap_or(pace.part_rows), span.clone());
    let mut pieces = Vec::new();
    loop {
        let (rows, to) = walk.next().await?;
        pieces.push(rows);
        if to.is_none() {
            break;
        }
    }
    let mut parts = section.table.lock();
    let made = parts.new_rows(section, span, pieces, divided)?;
    if let Some(at) = parts.find(span).filter(|_| !made.is_empty()) {
        parts.former.add(span.clone());
        parts.rows.replace(at, made);
        parts.generation += 1;
    }
    Ok(())
}

fn check_name(section: &Section, span: &Span) -> Result<(), TableError> {
    let name = section.part_name(span);
    // The next part's name contains this key too, and possibly a second key of the same length.
    let most = section.settings.most_name;
    if name.len() > most {
        return Err(TableError::LongKey { name, most });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_halved_until_it_fits_twice() {
        for (part_rows, fitting, rows) in [
            (100, 200, 100),
            (100, 199, 50),
            (100, 60, 25),
            (10, 3, 1),
            (10, 1, 1),
            (1, 0, 1),
        ] {
            assert_eq!(halved(part_rows, fitting), rows, "{part_rows} {fitting}");
        }
    }

    /// Parts by their ends and the sizes that they were divided into.
    fn parts(rows: &[(Option<i64>, Option<usize>)]) -> Parts {
        let row = |&(to, divided): &(Option<i64>, _)| PartRow {
            divided,
            ..PartRow::new(to.map(Key::from), 5, Newest::Unknown)
        };
        Parts {
            rows: rows.iter().map(row).collect(),
            ..Parts::default()
        }
    }

    /// The next count does not join split parts.
    #[test]
    fn a_range_is_divided_as_its_parts_were() {
        let parts = parts(&[
            (Some(10), None),
            (Some(20), Some(5)),
            (Some(30), Some(3)),
            (Some(40), Some(8)),
            (None, None),
        ]);
        for (after, to, divided) in [
            (None, Some(10), None),
            (None, Some(20), Some(5)),
            (None, Some(30), Some(3)),
            (Some(10), Some(20), Some(5)),
            (Some(30), Some(40), Some(8)),
            (Some(30), None, Some(8)),
            (Some(40), None, None),
            // The range ends, or begins, where no part does.
            (Some(10), Some(25), Some(5)),
            (Some(15), Some(30), None),
        ] {
            let span = Span {
                after: after.map(Key::from),
                to: to.map(Key::from),
            };
            assert_eq!(parts.divided(&span), divided, "{span:?}");
        }
    }

    /// The index is rewritten only if a count finds changed rows.
    #[test]
    fn a_count_of_other_rows_changes_the_generation() {
        let row = |lastmod| DatedKey {
            key: Key::from(5),
            lastmod,
        };
        let mut parts = parts(&[(Some(10), None)]);
        for (rows, is_listed) in [
            (&[][..], false),
            (&[row(Newest::Nothing)], false),
            (&[row(Newest::Unknown)], true),
            (&[row(Newest::Unknown), row(Newest::Unknown)], true),
        ] {
            let before = parts.generation;
            parts.count(0, rows);
            assert!(parts.generation > before, "{rows:?}");
            assert_eq!(parts.rows[0].is_listed(), is_listed, "{rows:?}");
            let before = parts.generation;
            parts.count(0, rows);
            assert_eq!(parts.generation, before, "{rows:?}");
        }
    }
}

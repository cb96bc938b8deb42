//! Making and updating the table of parts, by short queries.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use super::{PartRow, Parts};
use crate::key::Key;
use crate::serve::address::MAX_NAME;
use crate::serve::section::Section;
use crate::source::{BoxError, Newest, Span, Step};

/// Maximum number of rows to which a part may grow before it is split, whatever the settings: a part has at most 50,000 entries.
const MOST_ROWS: usize = 45_000;

/// Maximum number of parts in an index.
const MOST_PARTS: usize = 50_000;

/// The settings: the size of parts, and the time limit of queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Rows of a new part.
    pub(crate) part_rows: usize,
    /// How long a query may take.
    pub(crate) time_limit: Duration,
}

impl Pace {
    /// Maximum number of rows of a part. A part that has grown to more is split.
    pub(crate) fn most_rows(self) -> usize {
        (2 * self.part_rows).min(MOST_ROWS)
    }
}

/// Why a table cannot be made or updated.
#[derive(Debug)]
pub(crate) enum TableError {
    Source(BoxError),
    Late(Duration),
    /// A key that makes the address of a part too long.
    LongKey(String),
    /// The rows after a key end with the same key: keys are not unique.
    Stuck(Key),
    /// There are more parts than an index can list.
    TooMany,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Source(error) => write!(f, "the rows cannot be counted: {error}"),
            TableError::Late(limit) => write!(f, "counting the rows of a part took more than {limit:?}"),
            TableError::LongKey(name) => write!(
                f,
                "the name of a part would be `{name}`, with {} bytes; a name has at most {MAX_NAME} bytes and contains both ends of the \
                 part's key range: use shorter key columns",
                name.len()
            ),
            TableError::Stuck(key) => write!(
                f,
                "the rows after the key {key} end with the key {key}: the key columns of a source must be unique, and must be compared in \
                 the same way as they are ordered"
            ),
            TableError::TooMany => write!(
                f,
                "the section has more than {MOST_PARTS} parts, the most that an index can list (P-COUNT): make parts larger with `part_rows`"
            ),
        }
    }
}

async fn step(section: &Section, pace: Pace, span: &Span, limit: usize) -> Result<Option<Step>, TableError> {
    let started = Instant::now();
    let step = tokio::time::timeout(pace.time_limit, section.source.step(span, limit)).await;
    let step = step.map_err(|_| TableError::Late(pace.time_limit))?;
    // A pause as long as the query leaves half of the time to others. It varies so that several instances do not query at the same time. The first
    // count has no pauses: until it is complete, there is no index.
    let took = started.elapsed();
    if took > Duration::from_millis(1) && section.table.lock().complete {
        tokio::time::sleep(took.mul_f64(jitter())).await;
    }
    let step = step.map_err(TableError::Source)?;
    match step {
        Some(step) if span.after.as_ref() == Some(&step.last) => Err(TableError::Stuck(step.last)),
        step => Ok(step),
    }
}

/// From 0.75 to 1.25.
pub(crate) fn jitter() -> f64 {
    // The keys of a new hasher are random.
    let random = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or(0);
    0.75 + f64::from(random) / f64::from(u32::MAX) / 2.0
}

/// Updates the table: the rows after the last full part and, if `all`, the counts of all parts. Each step takes effect at
/// once; after an error the next call continues from there.
pub(crate) async fn refresh(section: &Section, pace: Pace, all: bool) -> Result<(), TableError> {
    if all {
        recount(section, pace).await?;
    }
    extend(section, pace).await
}

/// Counts the rows after the last full part.
async fn extend(section: &Section, pace: Pace) -> Result<(), TableError> {
    let _upkeep = section.upkeep.lock().await;
    let first = section.table.lock().rows.is_empty();
    loop {
        let after = {
            let parts = section.table.lock();
            parts.rows.iter().rev().find_map(|row| row.to.clone())
        };
        let span = Span { after, to: None };
        let step = step(section, pace, &span, pace.part_rows).await?;
        let mut parts = section.table.lock();
        let open = parts.rows.last().is_some_and(|row| row.to.is_none());
        match step {
            Some(step) if step.rows >= pace.part_rows as u64 => {
                let full = Span {
                    after: span.after,
                    to: Some(step.last),
                };
                check_name(section, &full)?;
                if open {
                    parts.rows.pop();
                }
                if parts.rows.len() >= MOST_PARTS {
                    return Err(TableError::TooMany);
                }
                let row = parts.new_row(full.to, step.rows, step.newest);
                parts.rows.push(row);
                parts.generation += 1;
            }
            tail => {
                match (tail, open) {
                    (Some(step), true) => parts.count_last(&step),
                    (Some(step), false) => {
                        let row = parts.new_row(None, step.rows, step.newest);
                        parts.rows.push(row);
                        parts.generation += 1;
                    }
                    (None, true) => {
                        parts.rows.pop();
                        parts.generation += 1;
                    }
                    (None, false) => {}
                }
                let now = Instant::now();
                parts.complete = true;
                parts.tail_checked = Some(now);
                if first || parts.all_checked.is_none() {
                    parts.all_checked = Some(now);
                }
                return Ok(());
            }
        }
    }
}

impl Parts {
    fn count_last(&mut self, step: &Step) {
        let last = self.rows.len().saturating_sub(1);
        self.count(last, step.rows, step.newest);
    }

    /// Records the current count of a part's rows.
    fn count(&mut self, at: usize, rows: u64, newest: Newest) {
        let Some(row) = self.rows.get_mut(at) else { return };
        if (row.rows, row.newest) != (rows, newest) {
            row.rows = rows;
            row.newest = newest;
            self.generation += 1;
        }
    }
}

/// Counts the rows of every full part, splits those that have grown too large, and joins small neighbours.
async fn recount(section: &Section, pace: Pace) -> Result<(), TableError> {
    loop {
        // Yield between two parts.
        let _upkeep = section.upkeep.lock().await;
        let next = {
            let parts = section.table.lock();
            let at = match &parts.counted {
                None => 0,
                Some(key) => parts
                    .rows
                    .iter()
                    .position(|row| row.to.as_ref() == Some(key))
                    .map_or(0, |at| at + 1),
            };
            parts.span(at).filter(|span| span.to.is_some())
        };
        let Some(span) = next else { break };
        if let Some(at) = recount_part(section, pace, &span).await? {
            let mut parts = section.table.lock();
            parts.join_small(at, pace.part_rows as u64 / 2);
        }
        section.table.lock().counted.clone_from(&span.to);
    }
    let mut parts = section.table.lock();
    parts.counted = None;
    parts.all_checked = Some(Instant::now());
    Ok(())
}

/// Counts the rows of a full part, and splits it if it has grown too large. Returns its index if it was not split.
async fn recount_part(section: &Section, pace: Pace, span: &Span) -> Result<Option<usize>, TableError> {
    let most = pace.most_rows();
    let found = step(section, pace, span, most + 1).await?;
    let (rows, newest) = found.map_or((0, Newest::Nothing), |step| (step.rows, step.newest));
    if rows > most as u64 {
        divide(section, pace, span, pace.part_rows).await?;
        return Ok(None);
    }
    let mut parts = section.table.lock();
    // Another task may have split it in the meantime.
    let at = parts.find(span);
    if let Some(at) = at {
        parts.count(at, rows, newest);
    }
    Ok(at)
}

/// Counts again the rows of the parts that the index does not list. Returns the ranges of those that have rows, but had no entries when they were
/// rendered: rendering them shows whether they have entries now.
pub(crate) async fn recount_unlisted(section: &Section, pace: Pace) -> Result<Vec<Span>, TableError> {
    let unlisted = section.table.lock().unlisted();
    for span in unlisted.iter().filter(|span| span.to.is_some()) {
        let _upkeep = section.upkeep.lock().await;
        recount_part(section, pace, span).await?;
    }
    let parts = section.table.lock();
    let has_rows = |span: &Span| {
        let row = parts.find(span).and_then(|at| parts.rows.get(at));
        row.is_some_and(|row| row.rows > 0 && !row.is_listed())
    };
    Ok(unlisted.into_iter().filter(has_rows).collect())
}

impl Parts {
    /// Joins a part and the one before it, if both are small.
    fn join_small(&mut self, at: usize, most: u64) {
        let Some(before) = at.checked_sub(1) else { return };
        let sum = match (self.rows.get(before), self.rows.get(at)) {
            (Some(one), Some(other)) if one.rows.saturating_add(other.rows) <= most => {
                (one.rows.saturating_add(other.rows), one.newest.and(other.newest))
            }
            _ => return,
        };
        self.rows.remove(before);
        let to = self.rows.get(before).and_then(|row| row.to.clone());
        let joined = self.new_row(to, sum.0, sum.1);
        if let Some(row) = self.rows.get_mut(before) {
            *row = joined;
        }
        self.generation += 1;
    }
}

/// Splits a part into parts of `rows` rows each. If it is the last part, which has no end, its remaining rows stay in such a part.
pub(crate) async fn split(section: &Section, pace: Pace, span: &Span, rows: usize) -> Result<(), TableError> {
    let _upkeep = section.upkeep.lock().await;
    // Another task may have split it in the meantime, and a range that is not in the table may cover all rows.
    if section.table.lock().find(span).is_none() {
        return Ok(());
    }
    divide(section, pace, span, rows).await
}

async fn divide(section: &Section, pace: Pace, span: &Span, rows: usize) -> Result<(), TableError> {
    let mut made: Vec<PartRow> = Vec::new();
    let mut rest = span.clone();
    while let Some(step) = step(section, pace, &rest, rows.max(1)).await? {
        let full = step.rows >= rows.max(1) as u64;
        let next = rest.above(step.last.clone());
        let part = Span {
            after: rest.after,
            to: Some(step.last),
        };
        check_name(section, &part)?;
        made.push(PartRow::new(part.to, step.rows, step.newest));
        rest = next;
        if !full {
            break;
        }
    }
    let mut parts = section.table.lock();
    if let (Some(at), Some(last)) = (parts.find(span), made.last_mut()) {
        // Keep the end of the range, so that rows inserted before it belong to a part.
        last.to.clone_from(&span.to);
        // There may have been a purge while the rows were counted.
        for row in &mut made {
            row.purged = parts.purged;
        }
        parts.rows.splice(at..=at, made);
        parts.generation += 1;
    }
    Ok(())
}

fn check_name(section: &Section, span: &Span) -> Result<(), TableError> {
    let name = section.part_name(span);
    // The next part's name contains this key too, and possibly a second key of the same length.
    if name.len() > MAX_NAME {
        return Err(TableError::LongKey(name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_parts_stay_purged() {
        let started = Instant::now();
        let mut parts = Parts::default();
        for key in [10, 20] {
            let row = parts.new_row(Some(Key::from(key)), 1, Newest::Nothing);
            assert!(!row.is_purged_since(started));
            parts.rows.push(row);
        }
        parts.purged = Some(Instant::now());
        parts.join_small(1, 5);
        assert_eq!(parts.rows.len(), 1);
        assert_eq!(parts.rows[0].to, Some(Key::from(20)));
        assert!(parts.rows[0].is_purged_since(started));
    }
}

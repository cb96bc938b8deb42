//! The rows of a source batch by batch, and the check that it compares keys as it orders them.
//!
//! **A source that compares keys differently from their order loses rows**: those that `> key` excludes, although they are ordered after the
//! key. Databases do so for values that are converted to another type (an address that is bound as bytes), cut to a shorter one, or compared
//! by another collation. The range after a key and the range up to it must have all rows between them. So the rows that were read across the
//! ends of batches must be the rows that the database counts in the whole range, each once. If not, or if the source does not count, each
//! range up to such an end is read by itself: it must have the rows that were read up to there. Rows may be inserted and deleted meanwhile,
//! so only a row that is missing or foreign in several tries is an error.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::sync::LazyLock;

use super::disorder::{Disorder, What};
use super::unrendered::Unrendered;
use crate::key::Key;
use crate::source::{BoxError, DatedKey, Row, Source, Span};

/// The rows between two checks of a long range.
const SEGMENT: usize = 100_000;
/// Rows may be inserted while a range is read again.
const ROOM: usize = 1_000;
/// A row that is misplaced in all of these tries was not inserted or deleted meanwhile.
const TRIES: usize = 3;

/// Checks the rows of one call: keys are unique, and the range does not begin before its first row nor end before its last.
pub(super) fn check<'k, S: Source>(
    source: &S,
    span: &Span,
    keys: impl Iterator<Item = &'k Key>,
) -> Result<(), Unrendered> {
    let mut before: Option<&Key> = None;
    for key in keys {
        if before == Some(key) {
            return Err(Unrendered::SameKey(key.clone()));
        }
        if span.after.as_ref() == Some(key) {
            return Err(Disorder::new(source, What::Itself(key.clone())).into());
        }
        if before.is_some() && span.to.as_ref() == before {
            let (row, end) = (key.clone(), before.unwrap_or(key).clone());
            return Err(Disorder::new(source, What::Misplaced { row, end }).into());
        }
        before = Some(key);
    }
    Ok(())
}

/// The rows of a range, with one query a batch.
pub(super) struct Batches<'a, S> {
    source: &'a S,
    batch_rows: usize,
    /// The range after the last batch.
    rest: Span,
    is_last: bool,
    /// The number of rows that a former check found in the range.
    checked: Option<u64>,
    segment: Segment,
}

/// The rows that were read since the last check.
#[derive(Default)]
struct Segment {
    after: Option<Key>,
    /// A hash of each key.
    keys: Vec<u64>,
    /// The last keys of the batches before the last one, and the numbers of keys up to there.
    ends: Vec<(usize, Key)>,
}

impl<'a, S: Source> Batches<'a, S> {
    pub(super) fn new(source: &'a S, span: &Span, batch_rows: usize) -> Self {
        Batches {
            source,
            batch_rows: if source.is_read_at_once() {
                usize::MAX / 4
            } else {
                batch_rows
            },
            rest: span.clone(),
            is_last: false,
            checked: None,
            segment: Segment {
                after: span.after.clone(),
                ..Segment::default()
            },
        }
    }

    /// A source that does not count is only checked if the range has another number of rows now.
    pub(super) fn checked(mut self, rows: Option<u64>) -> Self {
        self.checked = rows;
        self
    }

    /// `true` after the last batch.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// At most `most` more rows; `None` after the last batch.
    ///
    /// # Errors
    /// If the rows cannot be read, if two have the same key, or if keys are not compared as they are ordered.
    pub(super) async fn next(&mut self, most: usize) -> Result<Option<Vec<Row<S::Entry>>>, Unrendered> {
        if self.is_last {
            return Ok(None);
        }
        let rows = self.batch_rows.min(most);
        // One extra row shows whether there is another batch, and that its first key differs.
        let page = self.source.rows(&self.rest, rows + 1).await;
        let mut page = page.map_err(Unrendered::Source)?;
        check(self.source, &self.rest, page.iter().map(Row::key))?;
        self.is_last = page.len() <= rows;
        page.truncate(rows);
        self.segment.keys.extend(page.iter().map(|row| hash(row.key())));
        if let Some(last) = page.last().filter(|_| !self.is_last) {
            self.segment
                .ends
                .push((self.segment.keys.len(), last.key().clone()));
            self.rest = self.rest.above(last.key().clone());
        }
        if self.is_last || self.segment.keys.len() >= SEGMENT {
            self.check().await?;
        }
        Ok(Some(page))
    }

    /// Checks the ends of the batches since the last check.
    pub(super) async fn check(&mut self) -> Result<(), Unrendered> {
        let following = Segment {
            after: self.rest.after.clone(),
            ..Segment::default()
        };
        let Segment { after, keys, ends } = mem::replace(&mut self.segment, following);
        let Some((_, last)) = ends.last() else {
            return Ok(());
        };
        let to = if self.is_last {
            self.rest.to.clone()
        } else {
            Some(last.clone())
        };
        let span = Span { after, to };
        let counted = self.source.count(&span).await.map_err(Unrendered::Source)?;
        if counted.or(self.checked) == Some(different(&keys)) && different(&keys) == keys.len() as u64 {
            return Ok(());
        }
        let (mut after, mut first) = (span.after, 0);
        for (place, end) in ends {
            let known = keys.get(first..place).unwrap_or_default();
            let range = Span::new(after, end.clone());
            let misplaced = misplaced(self.source, &range, known, By::Rows).await;
            if let Some(row) = misplaced.map_err(Unrendered::Source)? {
                return Err(Disorder::new(self.source, What::Misplaced { row, end }).into());
            }
            (after, first) = (Some(end), place);
        }
        Ok(())
    }
}

/// Checks that the range up to the last of these rows has these rows, which were read without its end. A source that does not count is
/// checked if it `is_due`.
pub(super) async fn check_end<S: Source>(
    source: &S,
    span: &Span,
    rows: &[DatedKey],
    is_due: bool,
) -> Result<(), Unrendered> {
    let counted = source.count(span).await.map_err(Unrendered::Source)?;
    if counted.map_or(!is_due, |counted| counted == rows.len() as u64) {
        return Ok(());
    }
    let known: Vec<_> = rows.iter().map(|row| hash(&row.key)).collect();
    let misplaced = misplaced(source, span, &known, By::Keys)
        .await
        .map_err(Unrendered::Source)?;
    match (misplaced, &span.to) {
        (Some(row), Some(end)) => {
            let end = end.clone();
            Err(Disorder::new(source, What::Misplaced { row, end }).into())
        }
        _ => Ok(()),
    }
}

/// The number of different hashes.
fn different(keys: &[u64]) -> u64 {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() as u64
}

fn hash(key: &Key) -> u64 {
    static HASHES: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    HASHES.hash_one(key)
}

/// The call of a source that reads keys: the one whose result is checked.
#[derive(Clone, Copy)]
enum By {
    Rows,
    Keys,
}

impl By {
    async fn read<S: Source>(self, source: &S, span: &Span, limit: usize) -> Result<Vec<Key>, BoxError> {
        Ok(match self {
            By::Rows => {
                let rows = source.rows(span, limit).await?.into_iter();
                rows.map(|row| row.into_parts().0).collect()
            }
            By::Keys => {
                let keys = source.keys(span, limit).await?.into_iter();
                keys.map(|row| row.key).collect()
            }
        })
    }
}

/// Checks that the range up to the first row's key has a row, and that each row is in that range or in the range after it. A source that
/// ignores the end is found when there are several parts.
pub(super) async fn check_first<S: Source>(source: &S, first: &Key) -> Result<(), Unrendered> {
    let range = Span::new(None, first.clone());
    for _ in 0..TRIES {
        let found = match source.count(&range).await.map_err(Unrendered::Source)? {
            Some(rows) => rows,
            None => {
                let keys = By::Keys.read(source, &range, 1).await;
                keys.map_err(Unrendered::Source)?.len() as u64
            }
        };
        if found > 0 {
            return check_ranges(source, first).await.map_err(Unrendered::Source)?;
        }
        let rows = By::Keys.read(source, &Span::ALL, 1).await;
        if rows.map_err(Unrendered::Source)?.first() != Some(first) {
            // It was deleted.
            return Ok(());
        }
    }
    Err(Disorder::new(source, What::Itself(first.clone())).into())
}

/// Checks that each row is in the range up to a key or after it. Rows may be inserted or deleted between two queries.
async fn check_ranges<S: Source>(source: &S, key: &Key) -> Result<Result<(), Unrendered>, BoxError> {
    let ranges = [
        Span::ALL,
        Span::new(None, key.clone()),
        Span::new(key.clone(), None),
    ];
    let mut unranged = 0;
    for is_forward in [true, false, true, false] {
        let mut counts = [0; 3];
        for at in 0..ranges.len() {
            let at = if is_forward { at } else { ranges.len() - 1 - at };
            if let (Some(range), Some(count)) = (ranges.get(at), counts.get_mut(at)) {
                let Some(rows) = source.count(range).await? else {
                    return Ok(Ok(()));
                };
                *count = rows;
            }
        }
        let [all, below, above] = counts;
        unranged = all.saturating_sub(below.saturating_add(above));
        if unranged == 0 {
            return Ok(Ok(()));
        }
    }
    let (rows, key) = (unranged, key.clone());
    Ok(Err(Disorder::new(source, What::Unranged { rows, key }).into()))
}

/// Reads the range up to an end, and the same rows without the end. Returns a row that only one of them has; `None` if both have the same, or if
/// the end's row was deleted. `known` are the hashes of the rows up to the end, as they were read without it.
async fn misplaced<S: Source>(
    source: &S,
    span: &Span,
    known: &[u64],
    by: By,
) -> Result<Option<Key>, BoxError> {
    let limit = known.len().saturating_add(ROOM);
    let open = Span {
        to: None,
        ..span.clone()
    };
    let mut ordered: HashMap<u64, Option<Key>> = known.iter().map(|key| (*key, None)).collect();
    let mut wrong: Option<HashMap<u64, Option<Key>>> = None;
    for _ in 0..TRIES {
        let closed = by.read(source, span, limit).await?;
        let mut differing = mem::take(&mut ordered);
        for key in closed {
            let hash = hash(&key);
            if differing.remove(&hash).is_none() {
                differing.insert(hash, Some(key));
            }
        }
        if let Some(before) = &wrong {
            differing.retain(|hash, _| before.contains_key(hash));
        }
        if differing.is_empty() {
            return Ok(None);
        }
        wrong = Some(differing);
        let mut keys = by.read(source, &open, limit).await?;
        let Some(at) = keys.iter().position(|key| Some(key) == span.to.as_ref()) else {
            return Ok(None);
        };
        keys.truncate(at + 1);
        ordered = keys.into_iter().map(|key| (hash(&key), Some(key))).collect();
    }
    Ok(wrong.and_then(|wrong| wrong.into_values().flatten().next()))
}

//! The ends of parts: keys chosen by their hashes.
//!
//! **A part ends at the key with the smallest hash** among the ranks ½ to 1½ `part_rows` after the previous end. An added or
//! removed row seldom changes this key. If it does, later parts soon end at their old keys again.
//!
//! A key whose address is too long for a name ends a part only if no candidate with a short one has a small hash: its end in the name is a hash
//! then.
//!
//! Ends by rank depend on history: one deleted row would move all ends after it, and the tables of two instances that counted
//! before and after would have no part in common. Ends by a threshold of the hash would not depend on the previous end, but allow
//! parts of any size. All keys are read once, in their order (`Walk` in `serve/count`): rows read ahead to find an end belong
//! to the next part. The last part is cut only when all candidates are known, so it also depends only on the rows. Both ends of
//! another instance's part have small hashes. A range is cached only if its ends may be such keys (`may_end_at`), so that made-up
//! ranges do not displace others.
//!
//! A set of files remembers its ends instead, for the reasons in `sets/set/shape`: it cannot read ahead, and has one history.

use super::super::key_address::is_long;
use crate::key::{Key, KeyValue};
use crate::source::Span;

/// Changing it, or the hashed bytes, moves the ends of all parts: old addresses are still served, but no longer listed. Any value
/// would do; with this one, the parts of the rows 1, 2, 3, … end at 10, 20, … 80 if they have about ten rows, which keeps
/// examples readable.
const SEED: u64 = 1_277_611;

/// Maximum number of rows of a part, for any setting: a part has at most 50,000 entries.
pub(crate) const MOST_ROWS: usize = 45_000;

/// The size of parts in rows: half to one and a half times a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartSize {
    rows: usize,
}

impl PartSize {
    pub(crate) fn about(rows: usize) -> Self {
        PartSize { rows: rows.max(1) }
    }

    pub(crate) fn least(self) -> usize {
        self.rows.div_ceil(2)
    }

    /// The end of a part is known once this number of rows from its start is known.
    pub(crate) fn most(self) -> usize {
        (self.rows + self.rows / 2).min(MOST_ROWS)
    }

    /// The number of rows of the first part of these; `None` if rows that come later could end it.
    pub(crate) fn cut<'a>(self, keys: impl Iterator<Item = &'a Key>) -> Option<usize> {
        let candidates = keys.zip(1..=self.most()).skip(self.least() - 1);
        let mut last = 0;
        let first = candidates
            .inspect(|(_, rows)| last = *rows)
            .min_by_key(|(key, _)| (is_long(key) || !self.may_end_at(key), hash(key)));
        let (_, rows) = first?;
        (last == self.most()).then_some(rows)
    }

    /// Returns `true` if a part is likely to end at a key. The smallest hash of `rows` keys exceeds this bound once in ten
    /// million times. Among made-up keys, 1 out of 600 is below it for parts of 10,000 rows.
    pub(crate) fn may_end_at(self, key: &Key) -> bool {
        hash(key) / 16 <= u64::MAX / self.rows as u64
    }
}

/// Maximum number of rows of a range that may have been a part, of any size, judging by the hashes of its ends; `None` without ends.
///
/// A part of ten times as many rows as when it was cut exceeds it once in 20,000 times. For made-up ends, half of these numbers are
/// below 200, and 1 out of 100 is above 10,000.
pub(crate) fn most_between(span: &Span) -> Option<u64> {
    let ends = span.after.iter().chain(&span.to);
    ends.map(|end| u64::MAX / (hash(end) / 100).max(1)).min()
}

fn hash(key: &Key) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&SEED.to_le_bytes());
    let with_length = |hasher: &mut blake3::Hasher, kind: &[u8], bytes: &[u8]| {
        hasher.update(kind);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for value in key.values() {
        match value {
            KeyValue::Integer(number) => {
                hasher.update(b"i");
                hasher.update(&number.to_le_bytes());
            }
            KeyValue::Text(text) => with_length(&mut hasher, b"t", text.as_bytes()),
            KeyValue::Bytes(bytes) => with_length(&mut hasher, b"b", bytes),
        }
    }
    let [a, b, c, d, e, f, g, h, ..] = *hasher.finalize().as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The parts of these rows, by their last keys. The rest of the rows are in the part without an end.
    fn ends(rows: &BTreeSet<i64>, size: PartSize) -> Vec<i64> {
        let keys: Vec<Key> = rows.iter().map(|row| Key::from(*row)).collect();
        let (mut ends, mut start) = (Vec::new(), 0);
        let numbers: Vec<i64> = rows.iter().copied().collect();
        while let Some(part) = size.cut(keys[start..].iter()) {
            start += part;
            ends.push(numbers[start - 1]);
        }
        ends
    }

    #[test]
    fn the_ends_of_small_tables() {
        let rows = |count: i64| (1..=count).collect();
        let size = PartSize::about(10);
        assert_eq!((size.least(), size.most()), (5, 15));
        for (count, expected) in [
            (0, &[][..]),
            (14, &[]),
            (15, &[10]),
            (24, &[10]),
            (25, &[10, 20]),
            (94, &[10, 20, 30, 40, 50, 60, 70, 80]),
        ] {
            assert_eq!(ends(&rows(count), size), expected, "{count} rows");
        }
        assert_eq!(ends(&rows(3), PartSize::about(1)), [1, 2, 3]);
        assert_eq!(PartSize::about(40_000).most(), MOST_ROWS);
    }

    /// Other tables would be listed differently by instances of two versions.
    #[test]
    fn the_hash_is_always_the_same() {
        assert_eq!(hash(&Key::from(7)), 2_952_440_447_195_692_283);
        assert_eq!(
            hash(&Key::from(("de", vec![1_u8, 2]))),
            15_999_380_483_265_235_431
        );
        assert_ne!(hash(&Key::from("7")), hash(&Key::from(7)));
    }

    #[test]
    fn an_end_may_be_one() {
        let size = PartSize::about(1_000);
        let rows: BTreeSet<i64> = (1..=60_000).collect();
        let ends = ends(&rows, size);
        assert!((50..70).contains(&ends.len()), "{}", ends.len());
        assert!(ends.iter().all(|end| size.may_end_at(&Key::from(*end))));
        let made_up = rows
            .iter()
            .filter(|row| size.may_end_at(&Key::from(**row)))
            .count();
        assert!(
            (860..1_060).contains(&made_up),
            "{made_up} of 60,000, and 960 are 16 in 1,000"
        );
    }

    /// Parts of any size may have all their rows, also when they have grown. Made-up ranges may have few.
    #[test]
    fn a_range_may_have_the_rows_of_a_part_with_its_ends() {
        let rows: BTreeSet<i64> = (1..=200_000).collect();
        for part_rows in [1, 10, 1_000, 10_000, 40_000] {
            let mut after = None;
            for end in ends(&rows, PartSize::about(part_rows)) {
                let span = Span::new(after.map(Key::from), Key::from(end));
                let most = most_between(&span).unwrap();
                assert!(most > 4 * part_rows as u64, "{part_rows} {span:?} {most}");
                after = Some(end);
            }
        }
        let mut most: Vec<_> = (1..=1_000)
            .map(|end| most_between(&Span::new(Key::from(end), Key::from(end + 777))).unwrap())
            .collect();
        most.sort_unstable();
        assert!(
            most[0] >= 100 && most[500] < 300 && most[950] < 10_000,
            "{most:?}"
        );
        assert_eq!(most_between(&Span::ALL), None);
    }

    /// Numbers below a bound, the same in each run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % bound
        }
    }

    /// An added or removed row changes its own part, and seldom others.
    #[test]
    fn one_row_changes_few_parts() {
        let mut random = Random(1);
        let size = PartSize::about(40);
        let mut rows: BTreeSet<i64> = (1..=4_000).map(|row| row * 1_000).collect();
        let spans = |ends: &[i64]| -> BTreeSet<(Option<i64>, Option<i64>)> {
            let starts = std::iter::once(None).chain(ends.iter().copied().map(Some));
            starts.zip(ends.iter().copied().map(Some).chain([None])).collect()
        };
        let mut before = spans(&ends(&rows, size));
        let mut changed = Vec::new();
        for _ in 0..300 {
            let row = i64::try_from(random.below(4_001_000)).unwrap();
            // Nearly always a new row, or a removed one.
            let nearest = rows.range(row..).next().copied();
            let row = match nearest {
                Some(nearest) if random.below(2) == 0 => {
                    rows.remove(&nearest);
                    nearest
                }
                _ => {
                    rows.insert(row);
                    row
                }
            };
            let after = spans(&ends(&rows, size));
            let is_within = |(start, end): &&(Option<i64>, Option<i64>)| {
                start.is_none_or(|start| start < row) && end.is_none_or(|end| row <= end)
            };
            // The part with the row changes also if its ends are the same.
            let same = after
                .intersection(&before)
                .filter(|span| !is_within(span))
                .count();
            changed.push(after.len() - same);
            before = after;
        }
        changed.sort_unstable();
        let sum: usize = changed.iter().sum();
        let range = changed.len()..changed.len() * 13 / 10;
        assert!(range.contains(&sum), "{sum} parts in {} changes", changed.len());
        assert!(changed[changed.len() * 99 / 100] <= 4, "{changed:?}");
    }
}

//! The parts of a section in their order, and the place of each by its end.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::{Deref, DerefMut};

use super::PartRow;
use crate::key::Key;

/// The parts in the order of their keys. All but the last have an end.
///
/// Only the database knows this order, so a part is found by a hash of its end.
#[derive(Debug, Default)]
pub(crate) struct PartRows {
    rows: Vec<PartRow>,
    /// The place of each part by the hash of its end; of two parts with one hash, the place of the first.
    places: HashMap<u64, usize>,
    hashes: RandomState,
}

impl PartRows {
    /// The place of the part with an end, or without one.
    pub(crate) fn place(&self, to: Option<&Key>) -> Option<usize> {
        let at = *self.places.get(&self.hashes.hash_one(to))?;
        let is_it = self.rows.get(at).is_some_and(|row| row.to.as_ref() == to);
        if is_it {
            return Some(at);
        }
        // Another end has the same hash.
        self.rows.iter().position(|row| row.to.as_ref() == to)
    }

    pub(crate) fn push(&mut self, row: PartRow) {
        let hash = self.hashes.hash_one(row.to.as_ref());
        self.places.entry(hash).or_insert(self.rows.len());
        self.rows.push(row);
    }

    /// Removes the part without an end.
    pub(crate) fn pop_open(&mut self) -> Option<PartRow> {
        let open = self.rows.pop_if(|row| row.to.is_none())?;
        let hash = self.hashes.hash_one(None::<&Key>);
        if self.places.get(&hash) == Some(&self.rows.len()) {
            self.places.remove(&hash);
        }
        Some(open)
    }

    /// Replaces the part at a place by others.
    pub(crate) fn replace(&mut self, at: usize, by: Vec<PartRow>) {
        self.rows.splice(at..=at, by);
        *self = std::mem::take(&mut self.rows).into_iter().collect();
    }
}

impl FromIterator<PartRow> for PartRows {
    fn from_iter<I: IntoIterator<Item = PartRow>>(rows: I) -> Self {
        let mut parts = PartRows::default();
        rows.into_iter().for_each(|row| parts.push(row));
        parts
    }
}

impl Deref for PartRows {
    type Target = [PartRow];

    fn deref(&self) -> &[PartRow] {
        &self.rows
    }
}

/// For the facts about the parts. Their ends stay.
impl DerefMut for PartRows {
    fn deref_mut(&mut self) -> &mut [PartRow] {
        &mut self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Newest;

    fn row(to: Option<i64>) -> PartRow {
        PartRow::new(to.map(Key::from), 5, Newest::Unknown)
    }

    /// After any changes, each part is where a search of all parts finds it, and no others are found.
    #[test]
    fn parts_are_where_a_search_finds_them() {
        let mut random = 1_u64;
        let mut below = |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % bound
        };
        for collide in [false, true] {
            let mut parts = PartRows::default();
            for step in 0..400 {
                let last = i64::try_from(parts.len()).unwrap() * 1_000;
                match below(6) {
                    0..3 => {
                        parts.pop_open();
                        parts.push(row(Some(last + 1_000_000)));
                    }
                    3 if parts.last().is_some_and(|row| row.to.is_some()) => parts.push(row(None)),
                    4 if !parts.is_empty() => {
                        let at = usize::try_from(below(parts.len() as u64)).unwrap();
                        let to = parts[at].to.clone();
                        parts.replace(at, vec![row(Some(-step)), PartRow { to, ..row(None) }]);
                    }
                    _ => {}
                }
                if collide {
                    // All ends have the hash of one.
                    let hashes: Vec<_> = parts.places.keys().copied().collect();
                    for hash in hashes {
                        parts.places.insert(hash, 0);
                    }
                }
                let ends = parts.iter().map(|row| row.to.clone());
                for to in ends.chain([None, Some(Key::from(7)), Some(Key::from(-1_000))]) {
                    let searched = parts.iter().position(|row| row.to == to);
                    assert_eq!(parts.place(to.as_ref()), searched, "{step}: {to:?}");
                }
            }
            assert!(parts.len() > 100);
        }
    }
}

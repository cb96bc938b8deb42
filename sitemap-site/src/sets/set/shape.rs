//! The ends of parts: the same as in the previous set, so that an inserted or deleted row changes few files.
//!
//! **Parts are cut without looking ahead.** A part ends at its previous last key or loc. A small filter rules out nearly every
//! other row. Rows that do not fit in a full part go to the front of the next part. So inserting into full parts does not create
//! many small ones, and no part must be held in memory or split later.
//!
//! **Ends are remembered, although a served table computes them from its rows** (`serve/table/boundary`). The tables of two servers must
//! agree, and a table reads keys ahead; a set has one history, and writes rows as they come. One inserted, removed or changed row changes at
//! most two files of a set, which a property test checks. Three rules without memory were measured, by 20,000 changes of one row (6,000 for
//! parts of 1,000). The columns with limits are the changes that alter more than two files:
//!
//! | a part ends at | 3 entries | 10 | 100 | 1,000 | at most | files, relative to full ones |
//! |---|---|---|---|---|---|---|
//! | the smallest hash from ⅓ of the limit on, as in a table | 3.42 % | 5.56 % | 0.93 % | 0.08 % | 7 files | 1.4 to 1.6 |
//! | local minima of the hash, on both sides | 2.04 % | none | 0.13 % | none | 3 files, and 7 when one file becomes several | 1.4 to 3.3 |
//! | the smallest hash, repeatedly, while a part is too large | 1.16 % | 1.74 % | 0.32 % | 0.03 % | 6 files | 1.5 to 2.2 |
//!
//! A limit of bytes raises the first column to 5.8, 7.3 and 6.8 %. The writer would hold the rows until an end is known: at most one more
//! than a part may have, 70 % of them on average, which is up to 50 MB. No rule without memory keeps to two files for all keys: by Ramsey's
//! theorem there are keys whose ends depend only on their ranks, so that a new first key moves all ends, and a new last one none. The price
//! of memory is that parts that have lost rows are not joined.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::key::{Key, KeyValue};
use crate::sets::manifest::ManifestPart;

/// The parts of a task, or of a whole section, in the previous set.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    parts: Vec<Before>,
    by_key: HashMap<Key, usize>,
    by_loc: HashMap<String, usize>,
    filter: Filter,
    /// The order of the keys, if all are integers.
    order: Option<Ordering>,
    /// The part whose rows are being written, if it is known.
    at: Option<usize>,
    /// The last part of a task, which has no end.
    endless: Option<usize>,
}

#[derive(Debug)]
struct Before {
    number: u64,
    entries: u64,
    bytes: u64,
    last: Option<Key>,
    /// `true` if its number is in use.
    taken: bool,
}

impl Shape {
    /// The parts of a task, in order. The last one has no end, so that appended rows go there.
    pub(crate) fn of_task<'a>(parts: impl Iterator<Item = &'a ManifestPart>) -> Self {
        let mut shape = Shape::new(parts);
        shape.at = (!shape.parts.is_empty()).then_some(0);
        shape.endless = shape.parts.len().checked_sub(1);
        if let Some(last) = shape.endless {
            shape.by_key.retain(|_, at| *at != last);
            shape.by_loc.retain(|_, at| *at != last);
            if let Some(last) = shape.parts.last_mut() {
                last.last = None;
            }
        }
        shape
    }

    /// The parts of a section, for a new task: its first row decides which part it begins with.
    pub(crate) fn of_section<'a>(parts: impl Iterator<Item = &'a ManifestPart>) -> Self {
        Shape::new(parts)
    }

    fn new<'a>(parts: impl Iterator<Item = &'a ManifestPart>) -> Self {
        let mut shape = Shape::default();
        for (at, part) in parts.enumerate() {
            match (&part.facts.last, &part.last_loc) {
                (Some(key), _) => drop(shape.by_key.insert(key.clone(), at)),
                (None, Some(loc)) => drop(shape.by_loc.insert(loc.clone(), at)),
                (None, None) => {}
            }
            shape.parts.push(Before {
                number: part.number,
                entries: part.facts.entries,
                bytes: part.facts.bytes,
                last: part.facts.last.clone(),
                taken: false,
            });
        }
        shape.filter = Filter::new(
            shape
                .by_key
                .keys()
                .map(fingerprint_of_key)
                .chain(shape.by_loc.keys().map(|loc| fingerprint(loc.as_bytes()))),
        );
        shape.order = order(&shape.parts);
        shape
    }

    /// The part, if any, that ends before a row with this key, because the part's last row was deleted.
    pub(crate) fn ends_before(&mut self, key: &Key) -> Option<usize> {
        let order = self.order?;
        let Some(at) = self.at else {
            // The first row of a new task decides where it begins.
            let beyond =
                |part: &Before| part.last.as_ref().and_then(|last| key.partial_cmp(last)) == Some(order);
            let at = self.parts.iter().take_while(|part| beyond(part)).count();
            self.at = Some(at);
            return None;
        };
        let last = self.parts.get(at)?.last.as_ref()?;
        (key.partial_cmp(last) == Some(order)).then_some(at)
    }

    /// The part that ends with a row with this key, or this loc if it has no key.
    #[inline]
    pub(crate) fn ends_with<'l>(
        &self,
        key: Option<&Key>,
        loc: impl FnOnce() -> Option<&'l str>,
    ) -> Option<usize> {
        let found = match key {
            _ if self.filter.is_empty() => return None,
            Some(key) => {
                if !self.filter.may_have(fingerprint_of_key(key)) {
                    return None;
                }
                *self.by_key.get(key)?
            }
            None => {
                let loc = loc()?;
                if !self.filter.may_have(fingerprint(loc.as_bytes())) {
                    return None;
                }
                *self.by_loc.get(loc)?
            }
        };
        // If the rows come in another order than before, an earlier part is not ended again.
        self.at.is_none_or(|at| found >= at).then_some(found)
    }

    /// Continues after the part.
    pub(crate) fn pass(&mut self, part: usize) {
        self.at = Some(part + 1);
    }

    /// The number of the part whose rows are being written, if it is not in use yet.
    pub(crate) fn take_number(&mut self) -> Option<u64> {
        self.take_number_of(self.at?)
    }

    /// The number of the task's last part, if it is not in use yet: for the last rows, if the end before them was not seen.
    pub(crate) fn take_last_number(&mut self) -> Option<u64> {
        self.take_number_of(self.endless?)
    }

    pub(crate) fn take_number_of(&mut self, part: usize) -> Option<u64> {
        let part = self.parts.get_mut(part)?;
        (!std::mem::replace(&mut part.taken, true)).then_some(part.number)
    }

    /// The entries and bytes of the next part, if rows that do not fit in this part may go to its start: its number is still free, and this
    /// part's is in use. Otherwise the rows are this part's, after rows that did not fit in the part before it.
    pub(crate) fn room_behind(&self, part: usize) -> Option<(u64, u64)> {
        let (own, behind) = (self.parts.get(part)?, self.parts.get(part + 1)?);
        (own.taken && !behind.taken).then_some((behind.entries, behind.bytes))
    }
}

/// The order of all last keys.
fn order(parts: &[Before]) -> Option<Ordering> {
    let keys: Option<Vec<&Key>> = match parts.split_last() {
        // The last part may have no end.
        Some((last, rest)) => rest
            .iter()
            .map(|part| part.last.as_ref())
            .chain(last.last.as_ref().map(Some))
            .collect(),
        None => None,
    };
    let keys = keys?;
    let mut found = None;
    for pair in keys.windows(2) {
        let [a, b] = pair else { return None };
        let order = b.partial_cmp(a).filter(|order| order.is_ne())?;
        if *found.get_or_insert(order) != order {
            return None;
        }
    }
    // A single key has no order; ascending is the default.
    match (found, keys.as_slice()) {
        (None, [only]) if only.partial_cmp(only).is_some() && is_integers(only) => Some(Ordering::Greater),
        (found, _) => found,
    }
}

fn is_integers(key: &Key) -> bool {
    key.values()
        .iter()
        .all(|value| matches!(value, KeyValue::Integer(_)))
}

/// Rules out most keys as the last key of a part, without hashing the whole key.
#[derive(Debug, Default)]
struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    fn new(fingerprints: impl Iterator<Item = u64>) -> Self {
        let fingerprints: Vec<u64> = fingerprints.collect();
        if fingerprints.is_empty() {
            return Filter::default();
        }
        let words = (fingerprints.len() * 4).next_power_of_two();
        let mut filter = Filter { bits: vec![0; words] };
        for fingerprint in fingerprints {
            let (word, bit) = filter.place(fingerprint);
            if let Some(word) = filter.bits.get_mut(word) {
                *word |= bit;
            }
        }
        filter
    }

    fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    #[inline]
    fn place(&self, fingerprint: u64) -> (usize, u64) {
        let spread = fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
        let word = usize::try_from(spread >> 6).unwrap_or(0) & self.bits.len().saturating_sub(1);
        (word, 1 << (spread & 63))
    }

    #[inline]
    fn may_have(&self, fingerprint: u64) -> bool {
        let (word, bit) = self.place(fingerprint);
        self.bits.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// The last eight bytes, where keys and locs differ most, and the length.
#[inline]
fn fingerprint(bytes: &[u8]) -> u64 {
    let end = match bytes.last_chunk::<8>() {
        Some(end) => u64::from_le_bytes(*end),
        None => bytes.iter().fold(0, |all, &byte| (all << 8) | u64::from(byte)),
    };
    end ^ ((bytes.len() as u64) << 56)
}

#[inline]
fn fingerprint_of_key(key: &Key) -> u64 {
    key.values().iter().fold(0, |all: u64, value| {
        all.rotate_left(20)
            ^ match value {
                KeyValue::Integer(value) => value.cast_unsigned(),
                KeyValue::Text(value) => fingerprint(value.as_bytes()),
                KeyValue::Bytes(value) => fingerprint(value),
            }
    })
}

//! Places in the template of a page. They tell a change of the template from a change of the content.

use crate::block::{Block, DIGITS};

/// The place of a block among its page's blocks in the same elements, counted from the start and from the end. Only the first two
/// and the last two have a slot. Blocks between them are content.
///
/// It consists of a 14-bit hash of the elements, and two numbers of 2 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot([u8; 3]);

/// One of a slot's two positions: from the start or from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot(u32);

/// Stands for a place in the middle, away from both ends.
const MIDDLE: u32 = 2;
const PATH_BITS: u32 = 14;

impl Slot {
    /// The length of a written slot.
    pub(crate) const LEN: usize = 3;

    fn of(path: u32, from_start: usize, from_end: usize) -> Option<Self> {
        let number = |count: usize| u32::try_from(count).unwrap_or(MIDDLE).min(MIDDLE);
        let (start, end) = (number(from_start), number(from_end));
        let path = folded(path);
        (start < MIDDLE || end < MIDDLE).then(|| Slot::of_bits(path << 4 | start << 2 | end))
    }

    fn of_bits(bits: u32) -> Self {
        let [_, slot @ ..] = bits.to_be_bytes();
        Slot(slot)
    }

    fn bits(self) -> u32 {
        let [a, b, c] = self.0;
        u32::from_be_bytes([0, a, b, c])
    }

    /// Returns the hash of the elements.
    pub(crate) fn path(self) -> u32 {
        self.bits() >> 4
    }

    /// Returns `true` for the first block with these elements.
    pub(crate) fn is_first_of(self, path: u32) -> bool {
        self.spots().next() == Some(Spot(folded(path) << 2))
    }

    pub(crate) fn spots(self) -> impl Iterator<Item = Spot> {
        let (start, end) = (self.bits() >> 2 & 3, self.bits() & 3);
        let spot = move |number: u32, kind: u32| {
            (number < MIDDLE).then_some(Spot(self.path() << 2 | kind << 1 | number))
        };
        [spot(start, 0), spot(end, 1)].into_iter().flatten()
    }

    /// Appends the slot in 3 characters.
    pub(crate) fn write(self, out: &mut String) {
        for shift in [12, 6, 0] {
            out.push(char::from(DIGITS[(self.bits() >> shift & 63) as usize]));
        }
    }

    /// Reads the form that [`write`](Self::write) has written.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let mut bits = 0;
        for c in text {
            bits = bits << 6 | u32::try_from(DIGITS.binary_search(c).ok()?).ok()?;
        }
        (text.len() == Self::LEN).then_some(Slot::of_bits(bits))
    }
}

/// Returns the 14 bits of a path.
fn folded(path: u32) -> u32 {
    (path ^ path >> PATH_BITS ^ path >> (2 * PATH_BITS)) & ((1 << PATH_BITS) - 1)
}

/// Returns the slots of a page's blocks, with the numbers of these blocks, sorted by number. `paths` has the path of every block.
pub(crate) fn slots(paths: &[u32]) -> Box<[(u32, Slot)]> {
    let mut by_path: Vec<(u32, u32)> = paths.iter().copied().zip(0..).collect();
    by_path.sort_unstable();
    let mut slots = Vec::new();
    for alike in by_path.chunk_by(|a, b| a.0 == b.0) {
        let numbered = alike.iter().enumerate();
        slots.extend(
            numbered.filter_map(|(at, (path, number))| {
                Some((*number, Slot::of(*path, at, alike.len() - 1 - at)?))
            }),
        );
    }
    slots.sort_unstable();
    slots.into()
}

/// Finds the slot of a block in a sorted list.
pub(crate) fn slot_of(slots: &[(Block, Slot)], block: Block) -> Option<Slot> {
    let at = slots.partition_point(|(other, _)| *other < block);
    slots
        .get(at)
        .filter(|(other, _)| *other == block)
        .map(|(_, slot)| *slot)
}

#[cfg(test)]
mod tests {
    use super::{Slot, slots};

    #[test]
    fn the_first_and_the_last_two_have_slots() {
        let numbers = |paths: &[u32]| slots(paths).iter().map(|(number, _)| *number).collect::<Vec<_>>();
        assert_eq!(numbers(&[1, 2, 2, 2, 2, 2, 3]), [0, 1, 2, 4, 5, 6]);
        assert_eq!(numbers(&[2, 1, 2, 1, 2]), [0, 1, 2, 3, 4]);
        assert!(numbers(&[]).is_empty());
        // The first of many blocks has the same place as the first of few. So does the last.
        let spots = |paths: &[u32], at: usize| slots(paths)[at].1.spots().collect::<Vec<_>>();
        assert_eq!(spots(&[7; 9], 0)[0], spots(&[7; 2], 0)[0]);
        assert_eq!(spots(&[7; 9], 3)[0], spots(&[7; 2], 1)[1]);
        assert_ne!(spots(&[7; 9], 0)[0], spots(&[8; 9], 0)[0]);
    }

    #[test]
    fn written_and_read_again() {
        for (_, slot) in slots(&[u32::MAX, 0, 12345, 12345, 12345, 0]) {
            let mut text = String::new();
            slot.write(&mut text);
            assert_eq!(
                (text.len(), Slot::parse(text.as_bytes())),
                (Slot::LEN, Some(slot))
            );
        }
        assert_eq!(Slot::parse(b"ab"), None);
        assert_eq!(Slot::parse(b"a*b"), None);
    }
}

//! The written shape of a priority, packed into a word.

use std::num::NonZeroU32;

/// The notation of a priority, apart from the digits of its fraction.
///
/// Packed into one word: a priority of two words is returned in registers, even inside an `Option`, whereas small fields
/// would be returned through memory.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Number of digits after the point.
    pub(super) places: u16,
    /// Number of digits before the point.
    pub(super) whole_digits: u8,
    /// `true` if the last digit before the point is 1; every other one is 0.
    pub(super) one: bool,
    /// `true` if there is a point: `1.` has one without a digit after it.
    pub(super) point: bool,
    pub(super) sign: Sign,
}

#[derive(Clone, Copy)]
pub(super) enum Sign {
    Absent,
    Plus,
    Minus,
}

impl Shape {
    /// A bit that is always set, so that `Option` can use zero for `None`.
    pub(super) const SET: u32 = 1 << 31;
    pub(super) const ONE: u32 = 1 << 24;

    #[inline]
    pub(super) const fn pack(self) -> NonZeroU32 {
        let packed = Shape::SET
            | self.places as u32
            | (self.whole_digits as u32) << 16
            | (self.one as u32 * Shape::ONE)
            | (self.point as u32) << 25
            | (self.sign as u32) << 26;
        match NonZeroU32::new(packed) {
            Some(packed) => packed,
            None => NonZeroU32::MAX,
        }
    }

    #[inline]
    pub(super) fn unpack(packed: NonZeroU32) -> Self {
        let [low, high, whole_digits, flags] = packed.get().to_le_bytes();
        Shape {
            places: u16::from_le_bytes([low, high]),
            whole_digits,
            one: flags & 1 != 0,
            point: flags & 2 != 0,
            sign: match flags >> 2 & 3 {
                0 => Sign::Absent,
                1 => Sign::Plus,
                _ => Sign::Minus,
            },
        }
    }
}

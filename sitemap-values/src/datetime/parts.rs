//! The parts of a value, and their packing into two words.
//!
//! Two words are returned in registers, even inside an `Option`. Sixteen bytes of small fields are not: they are stored
//! one by one and loaded as a whole, which stalls the processor. Reading a value took 9 ns longer that way.

use std::num::NonZeroU64;

use super::{Precision, W3cDateTime};

/// The written parts of a value.
///
/// Parts that are not written have their lowest value (1 for month and day, else 0), so that two values are equal if
/// their texts are.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    pub(super) fraction_digits: u8,
    pub(super) nanosecond: u32,
    pub(super) zone: Zone,
    /// Minutes; the sign is in `zone`.
    pub(super) offset: u16,
    pub(super) precision: Precision,
}

/// The spelling of the zone, ordered by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Zone {
    Absent,
    Plus,
    Minus,
    Z,
}

// Each part's first bit and number of bits. The time is above the form, so that times of one form are ordered as their words are.
const FRACTION_DIGITS: (u32, u32) = (0, 4);
const ZONE: (u32, u32) = (4, 2);
const OFFSET: (u32, u32) = (6, 11);
const PRECISION: (u32, u32) = (17, 3);
const SECOND: (u32, u32) = (20, 6);
const MINUTE: (u32, u32) = (26, 6);
const HOUR: (u32, u32) = (32, 5);
const DAY: (u32, u32) = (37, 5);
const MONTH: (u32, u32) = (42, 4);
const YEAR: (u32, u32) = (46, 14);
/// The bits of the form: precision, zone and offset.
pub(super) const FORM: u64 = (1 << SECOND.0) - 1;
/// A bit that is always set, so that `Option` can use zero for `None`.
const SET: u64 = 1 << 63;

impl Parts {
    /// The year 0, written without a month.
    pub(super) const ZERO: Parts = Parts {
        year: 0,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        fraction_digits: 0,
        nanosecond: 0,
        zone: Zone::Absent,
        offset: 0,
        precision: Precision::Year,
    };

    #[inline]
    pub(super) fn pack(self) -> W3cDateTime {
        let put = |part: u64, (at, bits): (u32, u32)| {
            debug_assert!(part < 1 << bits);
            part << at
        };
        let packed = SET
            | put(self.year.into(), YEAR)
            | put(self.month.into(), MONTH)
            | put(self.day.into(), DAY)
            | put(self.hour.into(), HOUR)
            | put(self.minute.into(), MINUTE)
            | put(self.second.into(), SECOND)
            | put(self.fraction_digits.into(), FRACTION_DIGITS)
            | put(self.zone as u64, ZONE)
            | put(self.offset.into(), OFFSET)
            | put(self.precision as u64, PRECISION);
        W3cDateTime {
            packed: NonZeroU64::new(packed).unwrap_or(NonZeroU64::MAX),
            nanosecond: self.nanosecond,
        }
    }
}

impl W3cDateTime {
    #[inline]
    pub(super) fn parts(self) -> Parts {
        let packed = self.packed.get();
        #[expect(clippy::cast_possible_truncation, reason = "no part has more bits than a u16")]
        let get = |(at, bits): (u32, u32)| (packed >> at & ((1 << bits) - 1)) as u16;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the parts that it is for have at most 6 bits"
        )]
        let get_u8 = |place: (u32, u32)| get(place) as u8;
        Parts {
            year: get(YEAR),
            month: get_u8(MONTH),
            day: get_u8(DAY),
            hour: get_u8(HOUR),
            minute: get_u8(MINUTE),
            second: get_u8(SECOND),
            fraction_digits: get_u8(FRACTION_DIGITS),
            nanosecond: self.nanosecond,
            zone: match get(ZONE) {
                0 => Zone::Absent,
                1 => Zone::Plus,
                2 => Zone::Minus,
                _ => Zone::Z,
            },
            offset: get(OFFSET),
            precision: match get(PRECISION) {
                0 => Precision::Year,
                1 => Precision::Month,
                2 => Precision::Day,
                3 => Precision::Minute,
                4 => Precision::Second,
                _ => Precision::Fraction,
            },
        }
    }
}

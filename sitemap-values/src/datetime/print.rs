//! Writing the six forms without allocating.

use super::parts::{Parts, Zone};
use super::{Precision, W3cDateTime};

/// The longest text, `9999-12-31T23:59:59.999999999+23:59`, has 35 bytes. It is written eight bytes at a time, and the last
/// eight may end two bytes later.
const ROOM: usize = 37;

/// The text of a date, on the stack.
pub(super) struct StackText {
    bytes: [u8; ROOM],
    len: usize,
}

impl StackText {
    #[inline]
    pub(super) fn of(value: &W3cDateTime) -> Self {
        let mut bytes = [0; ROOM];
        let len = write(value, &mut bytes);
        StackText { bytes, len }
    }

    #[inline]
    pub(super) fn as_str(&self) -> &str {
        // The bytes are ASCII, so neither default is ever taken.
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// Writes the text directly to the end of `out`.
#[inline]
pub(super) fn append(value: &W3cDateTime, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; ROOM]);
    if let Some(bytes) = out.last_chunk_mut() {
        let len = write(value, bytes);
        out.truncate(start + len);
    }
}

/// Writes the text, and returns its length.
#[inline]
fn write(value: &W3cDateTime, bytes: &mut [u8; ROOM]) -> usize {
    let value = value.parts();
    let [century, year] = [value.year / 100, value.year % 100];
    put(
        bytes,
        0,
        *b"0000-00-",
        [(0, century), (2, year), (5, value.month.into())],
    );
    let day_and_time = [
        (0, value.day.into()),
        (3, value.hour.into()),
        (6, value.minute.into()),
    ];
    put(bytes, 8, *b"00T00:00", day_and_time);
    let len = match value.precision {
        Precision::Year => 4,
        Precision::Month => 7,
        Precision::Day => 10,
        Precision::Minute => 16,
        Precision::Second => {
            put(bytes, 16, *b":00\0\0\0\0\0", [(1, value.second.into())]);
            19
        }
        Precision::Fraction => {
            put(bytes, 16, *b":00.\0\0\0\0", [(1, value.second.into())]);
            put_fraction(bytes, &value)
        }
    };
    let sign = match value.zone {
        Zone::Absent => return len,
        Zone::Z => {
            bytes[len] = b'Z';
            return len + 1;
        }
        Zone::Plus => b'+',
        Zone::Minus => b'-',
    };
    let [hours, minutes] = [value.offset / 60, value.offset % 60];
    put(
        bytes,
        len,
        [sign, b'0', b'0', b':', b'0', b'0', 0, 0],
        [(1, hours), (4, minutes)],
    );
    len + 6
}

/// Writes `form` at byte offset `at`; each number, at most 99, replaces two zeros of the form.
///
/// Stores one word instead of eight bytes, which the following copy would wait for.
#[inline]
fn put<const N: usize>(bytes: &mut [u8; ROOM], at: usize, form: [u8; 8], numbers: [(u32, u16); N]) {
    let mut word = u64::from_le_bytes(form);
    for (place, n) in numbers {
        let (tens, units) = (n / 10, n % 10);
        word |= (u64::from(tens) | u64::from(units) << 8) << (8 * place);
    }
    if let Some(eight) = bytes.get_mut(at..at + 8) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
}

/// Writes the digits of the fraction, and returns the byte offset of their end.
#[inline]
fn put_fraction(bytes: &mut [u8; ROOM], value: &Parts) -> usize {
    let mut rest = value.nanosecond;
    for byte in bytes[20..29].iter_mut().rev() {
        *byte = b'0' + (rest % 10).to_le_bytes()[0];
        rest /= 10;
    }
    20 + usize::from(value.fraction_digits.min(9))
}

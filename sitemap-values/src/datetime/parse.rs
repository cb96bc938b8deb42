//! Reading the six forms. Every entry that is read comes through here, so the code only accepts or rejects; `explain`
//! finds the reason.

use super::parts::{Parts, Zone};
use super::{Precision, W3cDateTime, calendar};

pub(super) fn parse(text: &[u8]) -> Option<W3cDateTime> {
    match text.split_first_chunk() {
        Some((head, tail)) => date_time(head, tail),
        None => date(text),
    }
}

/// Reads `YYYY-MM-DDThh:mm` in `head`; seconds, fraction and zone in `tail`.
#[inline]
fn date_time(head: &[u8; 16], tail: &[u8]) -> Option<W3cDateTime> {
    if !has_shape(head, b"0000-00-00T00:00") {
        return None;
    }
    let [y1, y2, y3, y4, _, m1, m2, _, d1, d2, _, h1, h2, _, n1, n2] = *head;
    let mut value = Parts {
        year: year(y1, y2, y3, y4),
        month: pair(m1, m2),
        day: pair(d1, d2),
        hour: pair(h1, h2),
        minute: pair(n1, n2),
        precision: Precision::Minute,
        ..Parts::ZERO
    };
    let mut zone = tail;
    if let Some((seconds, rest)) = tail.split_first_chunk()
        && has_shape(seconds, b":00")
    {
        let [_, s1, s2] = *seconds;
        value.second = pair(s1, s2);
        value.precision = Precision::Second;
        zone = match rest {
            [b'.', rest @ ..] => fraction(rest, &mut value)?,
            _ => rest,
        };
    }
    match *zone {
        [b'Z'] => value.zone = Zone::Z,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] if has_shape(&[h1, h2, m1, m2], b"0000") => {
            let (hours, minutes) = (pair(h1, h2), pair(m1, m2));
            if hours > 23 || minutes > 59 {
                return None;
            }
            value.offset = u16::from(hours) * 60 + u16::from(minutes);
            value.zone = if sign == b'+' { Zone::Plus } else { Zone::Minus };
        }
        _ => return None,
    }
    let exists = calendar::exists(value.year, value.month, value.day)
        && value.hour <= 23
        && value.minute <= 59
        && value.second <= 59;
    exists.then(|| value.pack())
}

/// Reads `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.
#[inline]
fn date(text: &[u8]) -> Option<W3cDateTime> {
    let mut value = Parts::ZERO;
    if let Ok(text) = <&[u8; 10]>::try_from(text) {
        if !has_shape(text, b"0000-00-00") {
            return None;
        }
        let [y1, y2, y3, y4, _, m1, m2, _, d1, d2] = *text;
        value.year = year(y1, y2, y3, y4);
        value.month = pair(m1, m2);
        value.day = pair(d1, d2);
        value.precision = Precision::Day;
    } else if let Ok(text) = <&[u8; 7]>::try_from(text) {
        if !has_shape(text, b"0000-00") {
            return None;
        }
        let [y1, y2, y3, y4, _, m1, m2] = *text;
        value.year = year(y1, y2, y3, y4);
        value.month = pair(m1, m2);
        value.precision = Precision::Month;
    } else {
        let text = <&[u8; 4]>::try_from(text).ok()?;
        if !has_shape(text, b"0000") {
            return None;
        }
        let [y1, y2, y3, y4] = *text;
        value.year = year(y1, y2, y3, y4);
    }
    calendar::exists(value.year, value.month, value.day).then(|| value.pack())
}

/// Reads the digits after the point into `value`, and returns the rest of the text.
#[inline]
fn fraction<'a>(text: &'a [u8], value: &mut Parts) -> Option<&'a [u8]> {
    /// The nanoseconds of a unit at each decimal place.
    const PLACES: [u32; 9] = [
        100_000_000,
        10_000_000,
        1_000_000,
        100_000,
        10_000,
        1_000,
        100,
        10,
        1,
    ];

    let mut rest = text;
    for place in PLACES {
        let [digit @ b'0'..=b'9', after @ ..] = rest else {
            break;
        };
        value.nanosecond += u32::from(digit & 0xf) * place;
        value.fraction_digits += 1;
        rest = after;
    }
    value.precision = Precision::Fraction;
    (value.fraction_digits > 0).then_some(rest)
}

/// Returns `true` if `text` has digits where `shape` has `0`, and the same bytes as `shape` elsewhere.
///
/// The loop has no early exit, so that it compiles to a few vector comparisons.
#[inline]
fn has_shape<const N: usize>(text: &[u8; N], shape: &[u8; N]) -> bool {
    let mut wrong = false;
    for (byte, from) in text.iter().zip(shape) {
        let span = if *from == b'0' { 9 } else { 0 };
        wrong |= byte.wrapping_sub(*from) > span;
    }
    !wrong
}

/// The number written with two digits.
#[inline]
fn pair(tens: u8, units: u8) -> u8 {
    (tens & 0xf) * 10 + (units & 0xf)
}

#[inline]
fn year(y1: u8, y2: u8, y3: u8, y4: u8) -> u16 {
    u16::from(pair(y1, y2)) * 100 + u16::from(pair(y3, y4))
}

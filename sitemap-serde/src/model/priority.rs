//! `Priority`: how a page ranks among the pages of its site.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::quote::quote;

/// The name by which a serializer and a deserializer of this crate know a [`Priority`], whose digits they keep.
pub(crate) const PRIORITY_NAME: &str = "$sitemap_serde::Priority";

/// The priority of a page among the pages of its own site: a decimal from 0.0 to 1.0 (rule P-PRIO).
///
/// A page without one has [`Priority::DEFAULT`], 0.5.
///
/// ```
/// use sitemap_serde::Priority;
///
/// let priority = Priority::new(0.85)?;
/// assert_eq!(priority.get(), 0.85);
/// assert_eq!(priority.to_string(), "0.85");
/// assert!(priority > Priority::DEFAULT);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Digits
///
/// One that was read prints the digits it was read from, `0.50` or `.5` or `1`. One made from a number prints the
/// shortest decimal that reads back as that number, with at least one digit after the point and never an exponent.
/// Two are equal, and ordered, by their exact decimal value, however that is written:
///
/// ```
/// # use sitemap_serde::Priority;
/// let read: Priority = "0.50".parse()?;
/// assert_eq!(read.to_string(), "0.50");
/// assert_eq!(read, Priority::DEFAULT);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// A text of more than 19 digits after the point, leading zeros not counted, is the exception: it becomes the shortest
/// decimal that reads back as the same `f64`. (`0.8000000000000000444` keeps its digits; what Python's
/// `Decimal(0.8)` prints, 52 digits, becomes `0.8`.) So does one of more than 255 digits before the point.
///
/// # As a serde value
///
/// In a sitemap it is its text. In other formats it is a number if the format is made for people, as JSON is, and else
/// its text:
///
/// ```
/// # use sitemap_serde::Priority;
/// assert_eq!(serde_json::to_string(&Priority::new(0.8).unwrap())?, "0.8");
/// assert_eq!(serde_json::from_str::<Priority>("0.8")?, Priority::new(0.8).unwrap());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Priority {
    /// The digits after the point, as one number; 0 if the priority is 1. Its two halves, the lower first: a `u64` would
    /// take a word more.
    fraction: [u32; 2],
    /// How it is written; see [`Shape`].
    shape: NonZeroU32,
}

/// How a priority is written: what its fraction does not tell.
///
/// It is packed into a word, since two words are returned in registers, also inside of an `Option`, where small fields
/// would go through memory.
#[derive(Clone, Copy)]
struct Shape {
    /// How many digits there are after the point.
    places: u16,
    /// How many digits there are before the point.
    whole_digits: u8,
    /// Whether the last digit before the point is 1; every other one is 0.
    one: bool,
    /// Whether there is a point: `1.` has one without a digit after it.
    point: bool,
    sign: Sign,
}

#[derive(Clone, Copy)]
enum Sign {
    Absent,
    Plus,
    Minus,
}

impl Shape {
    /// A bit that is always set leaves zero to `None`.
    const SET: u32 = 1 << 31;
    const ONE: u32 = 1 << 24;

    const fn pack(self) -> NonZeroU32 {
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

    fn unpack(packed: NonZeroU32) -> Self {
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

impl Priority {
    /// The lowest priority, `0.0`.
    pub const MIN: Priority = Priority::of(false, 0, 1);

    /// The priority of a page that has none given, `0.5`.
    pub const DEFAULT: Priority = Priority::of(false, 5, 1);

    /// The highest priority, `1.0`.
    pub const MAX: Priority = Priority::of(true, 0, 1);

    /// What all with two places are written like.
    const HUNDREDTHS: Priority = Priority::of(false, 0, 2);

    const fn of(one: bool, fraction: u64, places: u16) -> Self {
        let shape = Shape {
            places,
            whole_digits: 1,
            one,
            point: true,
            sign: Sign::Absent,
        };
        Priority::packed(fraction, shape)
    }

    const fn packed(fraction: u64, shape: Shape) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "half of it each time")]
        Priority {
            fraction: [fraction as u32, (fraction >> 32) as u32],
            shape: shape.pack(),
        }
    }

    fn fraction(self) -> u64 {
        let [low, high] = self.fraction;
        u64::from(low) | u64::from(high) << 32
    }

    fn shape(self) -> Shape {
        Shape::unpack(self.shape)
    }

    /// The priority of a number from 0.0 to 1.0.
    ///
    /// ```
    /// use sitemap_serde::Priority;
    ///
    /// assert_eq!(Priority::new(1.0)?, Priority::MAX);
    /// assert_eq!(
    ///     Priority::new(1.5).unwrap_err().to_string(),
    ///     "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); \
    ///      write a value in that range, or leave the field out",
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`Data`](crate::Category::Data) error if the number is below 0.0, above 1.0, or not a number.
    #[expect(clippy::float_cmp, reason = "equal or not is what matters")]
    pub fn new(value: f32) -> Result<Self> {
        if !(0.0..=1.0).contains(&value) {
            return Err(explain_number(value));
        }
        Ok(hundredths(value.into(), |n| f32::from(n) / 100.0 == value).unwrap_or_else(|| shortest(value)))
    }

    /// The priority as a number from 0.0 to 1.0: the `f32` nearest to the decimal.
    ///
    /// ```
    /// use sitemap_serde::Priority;
    ///
    /// assert_eq!("0.80".parse::<Priority>()?.get(), 0.8);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn get(self) -> f32 {
        let Shape { one, places, .. } = self.shape();
        if one {
            return 1.0;
        }
        // Both numbers are exact in an `f32`, so their quotient is the nearest there is.
        match (u16::try_from(self.fraction()), places) {
            (Ok(0), _) => 0.0,
            (Ok(fraction), 0..=4) => f32::from(fraction) / [1.0, 10.0, 100.0, 1e3, 1e4][usize::from(places)],
            // A text of digits, one point and no exponent always parses.
            _ => self.to_string().parse().unwrap_or_default(),
        }
    }

    /// As [`get`](Self::get), the nearest `f64`.
    fn get_f64(self) -> f64 {
        let Shape { one, places, .. } = self.shape();
        if one {
            return 1.0;
        }
        match (u16::try_from(self.fraction()), places) {
            (Ok(0), _) => 0.0,
            (Ok(fraction), 0..=4) => f64::from(fraction) / [1.0, 10.0, 100.0, 1e3, 1e4][usize::from(places)],
            _ => self.to_string().parse().unwrap_or_default(),
        }
    }

    /// Reads an XSD decimal from 0 to 1; [`explain`](Self::explain) says why a text is none.
    #[inline]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [b'0', b'.', a @ b'0'..=b'9'] => Some(Priority::of(false, u64::from(a & 0xf), 1)),
            [b'0', b'.', a @ b'0'..=b'9', b @ b'0'..=b'9'] => {
                Some(Priority::of(false, u64::from((a & 0xf) * 10 + (b & 0xf)), 2))
            }
            [b'1', b'.', b'0'] => Some(Priority::MAX),
            ref bytes => parse_decimal(bytes),
        }
    }

    /// The error for a text that [`parse`](Self::parse) refuses.
    #[cold]
    pub(crate) fn explain(text: &str) -> Error {
        let found = if text.is_empty() {
            "an empty value".to_owned()
        } else {
            quote(text).to_string()
        };
        let advice = match repair(text) {
            Some(meant) => format!("write `{meant}`"),
            None => OUT_OF_RANGE.to_owned(),
        };
        explain(&found, &advice)
    }

    /// What a text that breaks the rule nevertheless says, if that is clear: white space around it, a comma for the
    /// point.
    #[cfg(test)]
    pub(crate) fn repair(text: &str) -> Option<Self> {
        Priority::parse(text).or_else(|| repair(text))
    }

    /// Appends the text, which is ASCII.
    #[inline]
    pub(crate) fn push_to(self, out: &mut Vec<u8>) {
        if let Some((bytes, len)) = self.usual_text() {
            out.extend_from_slice(&bytes[..len]);
            return;
        }
        let mut text = String::new();
        // A `String` takes everything.
        let _ = self.write_to(&mut text);
        out.extend_from_slice(text.as_bytes());
    }

    /// The text, and its length, in the shapes that nearly every priority has: `0.8`, `1.0`, `0.85`.
    #[inline]
    fn usual_text(self) -> Option<([u8; 4], usize)> {
        let whole = if self.shape().one { b'1' } else { b'0' };
        match u8::try_from(self.fraction()) {
            Ok(digit @ 0..=9) if self.has_shape_of(Priority::MIN) => {
                Some(([whole, b'.', b'0' + digit, 0], 3))
            }
            Ok(digits @ 0..=99) if self.has_shape_of(Priority::HUNDREDTHS) => {
                Some(([whole, b'.', b'0' + digits / 10, b'0' + digits % 10], 4))
            }
            _ => None,
        }
    }

    /// Whether it is written as the other is, but for its digits.
    #[inline]
    fn has_shape_of(self, other: Priority) -> bool {
        (self.shape.get() ^ other.shape.get()) & !Shape::ONE == 0
    }

    #[inline]
    fn write_to(self, out: &mut impl Write) -> fmt::Result {
        let shape = self.shape();
        match shape.sign {
            Sign::Absent => {}
            Sign::Plus => out.write_char('+')?,
            Sign::Minus => out.write_char('-')?,
        }
        for _ in 1..shape.whole_digits {
            out.write_char('0')?;
        }
        if shape.whole_digits > 0 {
            out.write_char(if shape.one { '1' } else { '0' })?;
        }
        if shape.point {
            out.write_char('.')?;
        }
        match (shape.places, u8::try_from(self.fraction())) {
            (0, _) => Ok(()),
            (1, Ok(digit @ 0..=9)) => out.write_char(char::from(b'0' + digit)),
            (2, Ok(digits @ 0..=99)) => {
                out.write_char(char::from(b'0' + digits / 10))?;
                out.write_char(char::from(b'0' + digits % 10))
            }
            (places, _) => write!(out, "{:0places$}", self.fraction(), places = usize::from(places)),
        }
    }

    /// Fraction and places without trailing zeros: equal for equal values.
    fn canonical(self) -> (bool, u64, u16) {
        let Shape { one, mut places, .. } = self.shape();
        let mut fraction = self.fraction();
        if fraction == 0 {
            return (one, 0, 0);
        }
        while fraction.is_multiple_of(10) {
            fraction /= 10;
            places -= 1;
        }
        (one, fraction, places)
    }
}

const OUT_OF_RANGE: &str = "write a value in that range, or leave the field out";

fn explain(found: &str, advice: &str) -> Error {
    Error::data(format!(
        "{found} is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); {advice}"
    ))
    .rule("P-PRIO")
}

#[cold]
fn explain_number(value: impl fmt::Debug) -> Error {
    explain(&quote(&format!("{value:?}")).to_string(), OUT_OF_RANGE)
}

fn repair(text: &str) -> Option<Priority> {
    let trimmed = text.trim();
    Priority::parse(trimmed).or_else(|| Priority::parse(&trimmed.replacen(',', ".", 1)))
}

/// `[+-]? (digits (. digits?)? | . digits)`, from 0 to 1.
fn parse_decimal(text: &[u8]) -> Option<Priority> {
    let (sign, unsigned) = match text {
        [b'+', rest @ ..] => (Sign::Plus, rest),
        [b'-', rest @ ..] => (Sign::Minus, rest),
        _ => (Sign::Absent, text),
    };
    let point = unsigned.iter().position(|byte| *byte == b'.');
    let (whole, fraction) = match point {
        Some(at) => (unsigned.get(..at)?, unsigned.get(at + 1..)?),
        None => (unsigned, &[][..]),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let one = match whole {
        [zeros @ .., last @ (b'0' | b'1')] if zeros.iter().all(|digit| *digit == b'0') => *last == b'1',
        [] => false,
        _ => return None,
    };
    let mut number = Some(0_u64);
    let mut is_zero = true;
    for byte in fraction {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        is_zero &= digit == 0;
        number = number.and_then(|n| n.checked_mul(10)?.checked_add(digit.into()));
    }
    // Decided on the digits: 1.00000000000000000001 is above 1, though as a float it is 1.
    if !is_zero && (one || matches!(sign, Sign::Minus)) || one && matches!(sign, Sign::Minus) {
        return None;
    }
    let kept = || {
        let shape = Shape {
            places: fraction.len().try_into().ok()?,
            whole_digits: whole.len().try_into().ok()?,
            one,
            point: point.is_some(),
            sign,
        };
        Some(Priority::packed(number?, shape))
    };
    kept().or_else(|| {
        let value: f64 = std::str::from_utf8(unsigned).ok()?.parse().ok()?;
        Priority::try_from(value).ok()
    })
}

/// The fast way from a number that has at most two decimal places, as most have.
fn hundredths(value: f64, is_value: impl FnOnce(u8) -> bool) -> Option<Priority> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is from 0 to 100, and is_value refuses what the cast has cut off"
    )]
    let n = (value * 100.0 + 0.5) as u8;
    if !is_value(n) {
        return None;
    }
    Some(match n {
        100.. => Priority::MAX,
        n if n % 10 == 0 => Priority::of(false, u64::from(n / 10), 1),
        n => Priority::of(false, n.into(), 2),
    })
}

/// The shortest decimal that reads back as `value`, which is above 0 and below 1: that is what `fmt` writes.
fn shortest(value: impl fmt::LowerExp) -> Priority {
    let mut text = StackText::new();
    let mut read = || {
        write!(text, "{value:e}").ok()?;
        let (digits, exponent) = text.as_str().split_once("e-")?;
        let mut places: u16 = exponent.parse().ok()?;
        let mut number = 0_u64;
        for (i, digit) in digits.bytes().filter(|byte| *byte != b'.').enumerate() {
            number = number.checked_mul(10)?.checked_add(u64::from(digit & 0xf))?;
            places += u16::from(i > 0);
        }
        Some(Priority::of(false, number, places))
    };
    read().unwrap_or(Priority::MIN)
}

impl Default for Priority {
    fn default() -> Self {
        Priority::DEFAULT
    }
}

impl PartialEq for Priority {
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for Priority {}

impl Hash for Priority {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl PartialOrd for Priority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Priority {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, a, places_a) = self.canonical();
        let (other_one, b, places_b) = other.canonical();
        // Both to the same number of places. A `u64` times 10^18 fits; with a longer way to go, which is only from
        // the one with fewer places, any number but 0 becomes larger than the other.
        let scaled = |n: u64, by: u16| match by {
            _ if n == 0 => 0,
            0..=18 => u128::from(n) * 10_u128.pow(by.into()),
            _ => u128::MAX,
        };
        one.cmp(&other_one).then_with(|| {
            let places = places_a.max(places_b);
            scaled(a, places - places_a).cmp(&scaled(b, places - places_b))
        })
    }
}

/// As [`new`](Self::new).
impl TryFrom<f32> for Priority {
    type Error = Error;

    fn try_from(value: f32) -> Result<Self> {
        Priority::new(value)
    }
}

/// As [`new`](Self::new), with the digits that an `f64` needs.
///
/// ```
/// use sitemap_serde::Priority;
///
/// assert_eq!(Priority::try_from(0.85_f64)?.to_string(), "0.85");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl TryFrom<f64> for Priority {
    type Error = Error;

    #[expect(clippy::float_cmp, reason = "equal or not is what matters")]
    fn try_from(value: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&value) {
            return Err(explain_number(value));
        }
        Ok(hundredths(value, |n| f64::from(n) / 100.0 == value).unwrap_or_else(|| shortest(value)))
    }
}

impl From<Priority> for f32 {
    fn from(priority: Priority) -> Self {
        priority.get()
    }
}

/// The `f64` nearest to the decimal.
///
/// ```
/// use sitemap_serde::Priority;
///
/// assert_eq!(f64::from("0.80".parse::<Priority>()?), 0.8);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl From<Priority> for f64 {
    fn from(priority: Priority) -> Self {
        priority.get_f64()
    }
}

/// Reads an XSD decimal: an optional sign, and digits with an optional point among them. There is no exponent.
///
/// Whether it is from 0 to 1 is decided by its digits, before any rounding. `-0` is 0.
///
/// ```
/// use sitemap_serde::Priority;
///
/// for text in ["1", "1.0", "+1.", ".5", "0.50", "-0.0"] {
///     assert_eq!(text.parse::<Priority>()?.to_string(), text);
/// }
/// for text in ["1.00000000000000000001", "-0.1", "5e-1", "NaN", "0,5", ".", ""] {
///     assert!(text.parse::<Priority>().is_err());
/// }
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Errors
///
/// A [`Data`](crate::Category::Data) error if the text is not such a decimal.
impl FromStr for Priority {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Priority::parse(text).ok_or_else(|| Priority::explain(text))
    }
}

/// As [`from_str`](Self::from_str).
impl TryFrom<&str> for Priority {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return self.write_to(f);
        }
        let mut text = String::new();
        self.write_to(&mut text)?;
        f.pad(&text)
    }
}

impl fmt::Debug for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Priority({self})")
    }
}

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(PRIORITY_NAME, &Value(*self))
    }
}

/// What is inside of the newtype struct.
struct Value(Priority);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_f64(self.0.get_f64());
        }
        if let Some((bytes, len)) = self.0.usual_text() {
            return serializer.serialize_str(std::str::from_utf8(&bytes[..len]).unwrap_or_default());
        }
        let mut text = StackText::new();
        match self.0.write_to(&mut text) {
            Ok(()) => serializer.serialize_str(text.as_str()),
            Err(fmt::Error) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(PRIORITY_NAME, PriorityVisitor)
    }
}

struct PriorityVisitor;

impl<'de> Visitor<'de> for PriorityVisitor {
    type Value = Priority;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a priority (a decimal from 0.0 to 1.0)")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Priority, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_str(self)
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Priority, E> {
        Priority::parse(text).ok_or_else(|| E::custom(Priority::explain(text)))
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<Priority, E> {
        Priority::new(value).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Priority, E> {
        Priority::try_from(value).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Priority, E> {
        match value {
            0 => Ok(Priority::MIN),
            1 => Ok(Priority::MAX),
            _ => Err(E::custom(explain_number(value))),
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Priority, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::custom(explain_number(value))),
        }
    }
}

/// A text of up to 40 bytes, on the stack; it refuses what is longer.
struct StackText {
    bytes: [u8; 40],
    len: usize,
}

impl StackText {
    fn new() -> Self {
        StackText {
            bytes: [0; 40],
            len: 0,
        }
    }

    fn as_str(&self) -> &str {
        // It is made of whole texts, so neither default is ever taken.
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Write for StackText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! `Priority`: the priority of a page among the pages of its site.
//!
//! **It is no [`Decimal`](crate::Decimal).** A decimal owns its text. A priority is `Copy`, needs no allocation for each entry, and fits in
//! three words of 32 bits with room for `Option`: its range has at most 19 digits that matter, and the rest of the text is its notation
//! (`shape`). Both compare exact values.

mod parse;
mod print;
mod shape;
#[cfg(all(test, feature = "serde"))]
mod tests;
#[cfg(feature = "serde")]
mod value;

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use crate::error::{Result, ValueError};
use crate::stack_text::StackText;

use self::parse::explain_number;
use self::shape::{Shape, Sign};
#[cfg(feature = "serde")]
pub use self::value::PRIORITY_NAME;

/// The priority of a page among the pages of its own site: a decimal from 0.0 to 1.0 (rule P-PRIO).
///
/// A page without a priority counts as [`Priority::DEFAULT`], 0.5.
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
/// A priority that was read prints the same digits, such as `0.50`, `.5` or `1`. One made from a number prints the shortest
/// decimal that reads back as that number, with at least one digit after the point and never an exponent. Equality and order
/// compare the exact decimal values, not the texts:
///
/// ```
/// # use sitemap_serde::Priority;
/// let read: Priority = "0.50".parse()?;
/// assert_eq!(read.to_string(), "0.50");
/// assert_eq!(read, Priority::DEFAULT);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// Exception: a text with more than 19 digits after the point, leading zeros not counted, or with more than 255 before it,
/// becomes the shortest decimal that reads back as the same `f64`. (`0.8000000000000000444` keeps its digits; the 52 digits
/// that Python prints for `Decimal(0.8)` become `0.8`.)
///
/// # As a serde value
///
/// It is its text in a sitemap and in binary formats, and a number in human-readable formats such as JSON:
///
/// ```
/// # use sitemap_serde::Priority;
/// assert_eq!(serde_json::to_string(&Priority::new(0.8).unwrap())?, "0.8");
/// assert_eq!(serde_json::from_str::<Priority>("0.8")?, Priority::new(0.8).unwrap());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Priority {
    /// The digits after the point as one number, in two halves, the lower first; 0 if the priority is 1. A `u64`'s alignment
    /// would cost another word.
    fraction: [u32; 2],
    /// The notation of the number; see [`Shape`].
    shape: NonZeroU32,
}

impl Priority {
    /// The lowest priority, `0.0`.
    pub const MIN: Priority = Priority::of(false, 0, 1);

    /// The priority of a page without one, `0.5`.
    pub const DEFAULT: Priority = Priority::of(false, 5, 1);

    /// The highest priority, `1.0`.
    pub const MAX: Priority = Priority::of(true, 0, 1);

    #[inline]
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

    #[inline]
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
    ///     "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); \
    ///      write a value in that range, or leave the field out",
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`ValueError`] if the number is below 0.0, above 1.0, or not a number.
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
        // Both numbers are exact in an `f32`, so their quotient is the nearest `f32`.
        match (u16::try_from(self.fraction()), places) {
            (Ok(0), _) => 0.0,
            (Ok(fraction), 0..=4) => f32::from(fraction) / [1.0, 10.0, 100.0, 1e3, 1e4][usize::from(places)],
            // The text is digits and at most one point, which always parses.
            _ => self.to_string().parse().unwrap_or_default(),
        }
    }

    /// The `f64` nearest to the decimal.
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

    /// Whole part, fraction and number of places, without trailing zeros: equal for equal values.
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

/// Returns the priority with two decimal places that equals a number, ignoring differences below six places.
#[doc(hidden)]
pub fn near_hundredths(value: f64) -> Option<Priority> {
    hundredths(value, |n| n <= 100 && (value - f64::from(n) / 100.0).abs() < 4e-7)
}

/// Fast path for a number with at most two decimal places, as most have.
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

/// The shortest decimal that reads back as `value`, which is above 0 and below 1. `LowerExp` writes these digits.
fn shortest(value: impl fmt::LowerExp) -> Priority {
    let mut text = StackText::<40>::new();
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
        // Scale the number with fewer places to the places of the other. A `u64` times 10^19 fits, and 10^20 is larger than every `u64`: if
        // more places are missing, any number but 0 becomes the larger one.
        let scaled = |n: u64, by: u16| match by {
            _ if n == 0 => 0,
            0..=19 => u128::from(n) * 10_u128.pow(by.into()),
            _ => u128::MAX,
        };
        one.cmp(&other_one).then_with(|| {
            let places = places_a.max(places_b);
            scaled(a, places - places_a).cmp(&scaled(b, places - places_b))
        })
    }
}

/// See [`new`](Self::new).
impl TryFrom<f32> for Priority {
    type Error = ValueError;

    fn try_from(value: f32) -> Result<Self> {
        Priority::new(value)
    }
}

/// Makes a priority like [`new`](Self::new), but with all digits that the `f64` needs.
///
/// ```
/// use sitemap_serde::Priority;
///
/// assert_eq!(Priority::try_from(0.85_f64)?.to_string(), "0.85");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl TryFrom<f64> for Priority {
    type Error = ValueError;

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

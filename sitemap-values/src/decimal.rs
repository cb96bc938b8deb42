//! `Decimal`: a decimal number of at least 0 that keeps its written digits.

#[cfg(feature = "serde")]
mod value;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::error::{Message, Result, Suggestion, ValueError};
use crate::quote::quote;

/// A decimal number of at least 0, of any size: a video's rating or price.
///
/// A `Decimal` that was read prints the same digits, such as `4.50`, `.5` or `10`; one made from a number prints the
/// shortest decimal that reads back as that number. Equality and order compare the exact values, not the texts.
///
/// ```
/// use sitemap_serde::video::Decimal;
///
/// let price: Decimal = "1.990".parse()?;
/// assert_eq!(price.to_string(), "1.990");
/// assert_eq!(price, Decimal::try_from(1.99)?);
/// assert!(price < Decimal::from(2));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// Its serde value is its text in a sitemap and in binary formats. In human-readable formats such as JSON it is a
/// number, or its text if no `f64` has exactly this value, as with 17 digits or more.
#[derive(Clone)]
pub struct Decimal(Box<str>);

#[cfg(feature = "serde")]
pub use value::DECIMAL_NAME;

impl Decimal {
    /// Reads an XSD decimal of at least 0; [`explain`](Self::explain) makes the error for any other text.
    #[doc(hidden)]
    pub fn parse(text: &str) -> Option<Self> {
        is_decimal(text).then(|| Decimal(text.into()))
    }

    /// The error for a text that [`parse`](Self::parse) rejects.
    #[doc(hidden)]
    #[cold]
    pub fn explain(text: &str) -> ValueError {
        ValueError::of(text, |text| {
            let meant = text.trim().replacen(',', ".", 1);
            let wrong = |advice: &str| {
                Message::new(format!(
                    "{} is not a decimal number of at least 0: {advice}",
                    quote(text)
                ))
            };
            if is_decimal(&meant) {
                wrong(&format!("write `{meant}`")).suggestion(Suggestion::certain(meant))
            } else {
                wrong("write digits, with a point among them at most")
            }
        })
    }

    /// The written digits.
    #[doc(hidden)]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The `f64` nearest to the decimal.
    ///
    /// ```
    /// assert_eq!("4.50".parse::<sitemap_serde::video::Decimal>()?.get(), 4.5);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn get(&self) -> f64 {
        self.0.parse().unwrap_or_default()
    }

    fn canonical(&self) -> (&str, &str) {
        canonical(&self.0)
    }
}

/// The digits of a decimal before and after the point, without leading and trailing zeros.
fn canonical(text: &str) -> (&str, &str) {
    let unsigned = text.trim_start_matches(['+', '-']);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    (whole.trim_start_matches('0'), fraction.trim_end_matches('0'))
}

/// The significant digits of a decimal; `None` if the text is not a decimal.
pub fn normal(text: &str) -> Option<(&str, &str)> {
    is_decimal(text).then(|| canonical(text))
}

/// Returns `true` if the text of a decimal is at most a number of one digit.
#[doc(hidden)]
pub fn is_at_most(text: &str, most: char) -> bool {
    let (whole, fraction) = canonical(text);
    let mut digits = whole.chars();
    match (digits.next(), digits.next()) {
        (None, _) => true,
        (Some(digit), None) => digit < most || (digit == most && fraction.is_empty()),
        (Some(_), Some(_)) => false,
    }
}

/// Returns `true` if a text is an XSD decimal of at least 0, including `-0.0`.
#[doc(hidden)]
pub fn is_decimal(text: &str) -> bool {
    Parts::of(text).is_some_and(|parts| parts.sign != Some('-') || parts.is_zero())
}

/// The parts of an XSD decimal: `[+-]? (digits (. digits?)? | . digits)`.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    /// `+` or `-`.
    pub(crate) sign: Option<char>,
    /// The digits before the point.
    pub(crate) whole: &'a str,
    /// The digits after the point; `None` if there is no point.
    pub(crate) fraction: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// `None` if the text is not a decimal.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'));
        let unsigned = text.get(usize::from(sign.is_some())..)?;
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        let parts = Parts {
            sign,
            whole,
            fraction,
        };
        let has_digits = !(whole.is_empty() && fraction.unwrap_or_default().is_empty());
        (has_digits && parts.all(|b| b.is_ascii_digit())).then_some(parts)
    }

    pub(crate) fn is_zero(self) -> bool {
        self.all(|b| b == b'0')
    }

    fn all(self, is: fn(u8) -> bool) -> bool {
        self.whole.bytes().all(is) && self.fraction.unwrap_or_default().bytes().all(is)
    }
}

/// # Errors
///
/// A [`ValueError`] if the text is not a decimal of at least 0: digits and at most one point, no
/// exponent.
impl FromStr for Decimal {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self> {
        Decimal::parse(text).ok_or_else(|| Decimal::explain(text))
    }
}

/// # Errors
///
/// A [`ValueError`] if the number is below 0 or not finite.
impl TryFrom<f64> for Decimal {
    type Error = ValueError;

    fn try_from(value: f64) -> Result<Self> {
        // `Display` of a float has no exponent.
        value.to_string().parse()
    }
}

/// # Errors
///
/// A [`ValueError`] if the number is below 0 or not finite.
impl TryFrom<f32> for Decimal {
    type Error = ValueError;

    fn try_from(value: f32) -> Result<Self> {
        value.to_string().parse()
    }
}

impl From<u32> for Decimal {
    fn from(value: u32) -> Self {
        Decimal(value.to_string().into())
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for Decimal {}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let (whole, fraction) = self.canonical();
        let (other_whole, other_fraction) = other.canonical();
        let by_whole = whole
            .len()
            .cmp(&other_whole.len())
            .then_with(|| whole.cmp(other_whole));
        by_whole.then_with(|| fraction.cmp(other_fraction))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decimal({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn keeps_its_digits() {
        for text in ["0", "4.50", ".5", "5.", "+1.0", "-0.0", "007", &"9".repeat(100)] {
            assert_eq!(decimal(text).to_string(), text);
        }
        for text in ["", ".", "-1", "1e3", "NaN", "inf", "1.2.3", " 1", "１", "+"] {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
        assert_eq!(
            "1,99".parse::<Decimal>().unwrap_err().to_string(),
            "`1,99` is not a decimal number of at least 0: write `1.99`"
        );
        assert_eq!(
            Decimal::try_from(f64::NAN).unwrap_err().to_string(),
            "`NaN` is not a decimal number of at least 0: write digits, with a point among them at most"
        );
        assert_eq!(
            Decimal::try_from(1e21).unwrap().as_str(),
            "1000000000000000000000"
        );
        assert_eq!(Decimal::try_from(0.1_f32).unwrap().as_str(), "0.1");
    }

    #[test]
    fn compares_by_value() {
        assert_eq!(decimal("+01.50"), decimal("1.5"));
        assert_eq!(decimal("0"), decimal(".0"));
        assert_eq!(decimal("-0.0"), decimal("0"));
        let sorted = ["0", "0.05", ".1", "0.10001", "0.9", "1", "9.99", "10", "100.5"].map(decimal);
        assert!(sorted.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn json_has_a_number() {
        assert_eq!(serde_json::to_string(&decimal("4.50")).unwrap(), "4.5");
        for (json, text) in [("4.5", "4.5"), ("3", "3"), ("\"1.990\"", "1.990")] {
            assert_eq!(serde_json::from_str::<Decimal>(json).unwrap().as_str(), text);
        }
        assert!(serde_json::from_str::<Decimal>("-1").is_err());
        let bytes = postcard::to_allocvec(&decimal("1.990")).unwrap();
        assert_eq!(postcard::from_bytes::<Decimal>(&bytes).unwrap().as_str(), "1.990");
    }
}

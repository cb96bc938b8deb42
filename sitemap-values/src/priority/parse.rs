//! Reading a priority's text, and the errors for other texts.

use std::fmt;
use std::str::FromStr;

use crate::decimal::Parts;
use crate::error::{Message, Result, ValueError};
use crate::quote::quote;
use crate::rules::Rule;

use super::Priority;
use super::shape::{Shape, Sign};

/// Reads an XSD decimal: an optional sign, and digits with an optional point among them. There is no exponent.
///
/// The range, 0 to 1, is checked on the digits, before any rounding. `-0` is 0.
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
/// A [`ValueError`] if the text is not a decimal from 0 to 1.
impl FromStr for Priority {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self> {
        Priority::parse(text).ok_or_else(|| Priority::explain(text))
    }
}

/// See [`from_str`](Self::from_str).
impl TryFrom<&str> for Priority {
    type Error = ValueError;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

impl Priority {
    /// Reads an XSD decimal from 0 to 1; [`explain`](Self::explain) makes the error for any other text.
    #[doc(hidden)]
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [b'0', b'.', a @ b'0'..=b'9'] => Some(Priority::of(false, u64::from(a & 0xf), 1)),
            [b'0', b'.', a @ b'0'..=b'9', b @ b'0'..=b'9'] => {
                Some(Priority::of(false, u64::from((a & 0xf) * 10 + (b & 0xf)), 2))
            }
            [b'1', b'.', b'0'] => Some(Priority::MAX),
            _ => parse_decimal(text),
        }
    }

    /// The error for a text that [`parse`](Self::parse) rejects.
    #[doc(hidden)]
    #[cold]
    pub fn explain(text: &str) -> ValueError {
        ValueError::of(text, |text| {
            let what = if text.is_empty() {
                "an empty value".to_owned()
            } else {
                quote(text).to_string()
            };
            let message = no_priority(&what);
            match repair(text) {
                Some(meant) => message.meaning(meant),
                None => message.advice(OUT_OF_RANGE),
            }
        })
        .breaks(Rule::Prio)
    }

    /// Reads a text that breaks the rule but has a clear meaning: white space around the number, a comma instead of the
    /// point, or an exponent.
    #[cfg(test)]
    #[doc(hidden)]
    pub fn repair(text: &str) -> Option<Self> {
        Priority::parse(text).or_else(|| repair(text))
    }
}

const OUT_OF_RANGE: &str = "write a value in that range, or leave the field out";

fn no_priority(found: &str) -> Message {
    Message::new(format!(
        "{found} is not a priority: a priority is a decimal from 0.0 to 1.0"
    ))
}

#[cold]
pub(super) fn explain_number(value: impl fmt::Debug) -> ValueError {
    let found = quote(&format!("{value:?}")).to_string();
    ValueError::new(no_priority(&found).advice(OUT_OF_RANGE)).breaks(Rule::Prio)
}

fn repair(text: &str) -> Option<Priority> {
    let trimmed = text.trim();
    if trimmed.contains(['e', 'E']) {
        return Priority::try_from(trimmed.parse::<f64>().ok()?).ok();
    }
    Priority::parse(trimmed).or_else(|| Priority::parse(&trimmed.replacen(',', ".", 1)))
}

/// Reads any decimal from 0 to 1.
fn parse_decimal(text: &str) -> Option<Priority> {
    let parts = Parts::of(text)?;
    let Parts {
        sign,
        whole,
        fraction,
    } = parts;
    let one = match whole.trim_start_matches('0') {
        "" => false,
        "1" => true,
        _ => return None,
    };
    let places = fraction.unwrap_or_default();
    // Checked on the digits: 1.00000000000000000001 is above 1, though it rounds to the float 1.
    let is_above = one && places.bytes().any(|b| b != b'0');
    if is_above || sign == Some('-') && !parts.is_zero() {
        return None;
    }
    let number = match places {
        "" => Some(0),
        digits => digits.parse().ok(),
    };
    let shape = || {
        Some(Shape {
            places: places.len().try_into().ok()?,
            whole_digits: whole.len().try_into().ok()?,
            one,
            point: fraction.is_some(),
            sign: match sign {
                None => Sign::Absent,
                Some('+') => Sign::Plus,
                Some(_) => Sign::Minus,
            },
        })
    };
    match (number, shape()) {
        (Some(number), Some(shape)) => Some(Priority::packed(number, shape)),
        _ => Priority::try_from(text.parse::<f64>().ok()?.abs()).ok(),
    }
}

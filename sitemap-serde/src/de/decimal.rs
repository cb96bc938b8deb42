//! `xsd:decimal` as a float.

use std::str::FromStr;

/// A float that an XSD decimal is read into.
pub(crate) trait Float: FromStr {
    /// The quotient of two numbers that are exact in an `f32`: the float nearest to the exact quotient.
    fn quotient(digits: f32, power: f32) -> Self;
}

impl Float for f32 {
    #[inline]
    fn quotient(digits: f32, power: f32) -> Self {
        digits / power
    }
}

impl Float for f64 {
    #[inline]
    fn quotient(digits: f32, power: f32) -> Self {
        f64::from(digits) / f64::from(power)
    }
}

/// Parses an XSD decimal (digits and at most one point; no exponent, `NaN` or `inf`) to the nearest float.
#[inline]
pub(crate) fn parse<T: Float>(text: &str) -> Option<T> {
    match short(text) {
        Some((digits, power)) => Some(T::quotient(digits, power)),
        None => parse_any(text),
    }
}

fn parse_any<T: Float>(text: &str) -> Option<T> {
    is_decimal(text).then(|| text.parse().ok())?
}

/// Returns `true` if the text is an `xsd:decimal`: an optional sign, digits, an optional point, digits; either run of
/// digits may be empty, but not both.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let points = digits.bytes().filter(|&b| b == b'.').count();
    points <= 1 && digits.len() > points && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Splits a short decimal without a sign into two numbers that are exact in an `f32`: its digits, and the power of ten to
/// divide them by.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "seven digits are below 2^24")]
fn short(text: &str) -> Option<(f32, f32)> {
    const POWERS: [f32; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    if text.len() > POWERS.len() {
        return None;
    }
    let (mut digits, mut places, mut after_point) = (0, 0, false);
    for b in text.bytes() {
        match b {
            b'0'..=b'9' => {
                digits = digits * 10 + u32::from(b - b'0');
                places += usize::from(after_point);
            }
            b'.' if !after_point => after_point = true,
            _ => return None,
        }
    }
    if text.len() == usize::from(after_point) {
        return None;
    }
    Some((digits as f32, *POWERS.get(places)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The float that the standard library parses, if the text is a decimal.
    fn nearest<T: Float>(text: &str) -> Option<T> {
        parse_any(text)
    }

    #[test]
    fn invalid_decimals() {
        for text in [
            "", ".", "+", "-", "-.", "1.2.3", "..", "1e3", "1E3", "NaN", "nan", "inf", "-inf", "infinity",
            "0x1", "1_0", "1,5", " 1", "1 ", "+-1", "--1", "١", "１", "1.5f",
        ] {
            assert_eq!(parse::<f32>(text), None, "{text}");
            assert_eq!(parse::<f64>(text), None, "{text}");
        }
    }

    #[test]
    fn short_decimals_are_those_of_the_standard_library() {
        // Each with the point at every position.
        for digits in (0..=19_999).chain([999_999, 1_000_000, 1_234_567, 8_388_609, 9_999_999, 16_777_217]) {
            let digits = format!("{digits}");
            for at in 0..=digits.len() {
                let text = format!("{}.{}", &digits[..at], &digits[at..]);
                for text in [text.as_str(), &digits, &format!("0{text}")] {
                    let (single, double) = (parse::<f32>(text), parse::<f64>(text));
                    assert_eq!(
                        single.map(f32::to_bits),
                        nearest(text).map(f32::to_bits),
                        "{text}"
                    );
                    assert_eq!(
                        double.map(f64::to_bits),
                        nearest(text).map(f64::to_bits),
                        "{text}"
                    );
                    assert!(single.is_some(), "{text}");
                }
            }
        }
    }

    #[test]
    fn long_decimals() {
        for (text, value) in [
            ("-0.5", -0.5),
            ("+.25", 0.25),
            ("-0", -0.0),
            ("00000000.5", 0.5),
            ("5.", 5.0),
            (".0000000000000000000000000000000000000000000001", 1e-46),
            ("0.3000000000000000000", 0.3),
            (
                "123456789012345678901234567890",
                123_456_789_012_345_678_901_234_567_890.0,
            ),
        ] {
            assert_eq!(
                parse::<f64>(text).map(f64::to_bits),
                Some(f64::to_bits(value)),
                "{text}"
            );
        }
        // Nearest to the decimal itself, not to the `f64` nearest to the decimal.
        assert_eq!(
            parse::<f32>("1.00000017881393432617187499").map(f32::to_bits),
            Some(0x3F80_0001)
        );
    }
}

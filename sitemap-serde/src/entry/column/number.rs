//! Decimals of other crates as priorities.

use std::fmt::{Display, Write};
use std::str::FromStr;

use sitemap_values::Priority;
use sitemap_values::stack_text::StackText;

use crate::entry::ToPriority;
use crate::entry::from::absent;
use crate::error::{Error, Result};

/// A priority as a number of any type that displays and parses as a decimal: `rust_decimal::Decimal`, `bigdecimal::BigDecimal`,
/// `fastnum`'s, an integer, a text; or an `Option` of these.
///
/// ```
/// use sitemap_serde::{FromSitemapEntry, SitemapEntry, convert};
///
/// #[derive(SitemapEntry, FromSitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: u32,
///     #[sitemap(priority, with = convert::decimal)]
///     weight: String, // or a `rust_decimal::Decimal`
/// }
/// ```
pub mod decimal {
    use sitemap_values::Priority;

    use super::{DecimalNumber, FromDecimal};
    use crate::error::Result;

    /// The priority of a number. Up to 19 digits are kept, also in `0.50`; a number with an exponent (`8.5E-1`) is rounded to six decimal
    /// places.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a decimal from 0.0 to 1.0 (P-PRIO).
    ///
    /// ```
    /// use sitemap_serde::convert::decimal;
    ///
    /// // In a program it is a `rust_decimal::Decimal` or another.
    /// assert_eq!(decimal::write("0.85")?.unwrap().to_string(), "0.85");
    /// assert_eq!(decimal::write(&None::<u8>)?, None);
    /// assert_eq!(
    ///     decimal::write(&2).unwrap_err().to_string(),
    ///     "`2` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn write<Kind>(number: &(impl DecimalNumber<Kind> + ?Sized)) -> Result<Option<Priority>> {
        number.priority()
    }

    /// The number of a priority, by its `FromStr`.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type rejects the text, or if there is no priority and the type is not an
    /// `Option`.
    ///
    /// ```
    /// use sitemap_serde::convert::decimal;
    ///
    /// let text: String = decimal::read(Some("0.50".parse()?))?;
    /// assert_eq!(text, "0.50");
    /// assert_eq!(decimal::read::<Option<f64>, _>(None)?, None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read<T: FromDecimal<Kind>, Kind>(priority: Option<Priority>) -> Result<T> {
        T::of_priority(priority)
    }
}

/// A value that displays itself as a decimal, or an `Option` of it.
///
/// It is here for the compiler's message. `Kind` is always inferred. It distinguishes the two implementations, which would otherwise overlap.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a decimal",
    label = "does not implement `Display`",
    note = "what `decimal` takes displays itself as a decimal, such as a `rust_decimal::Decimal`, or is an `Option` of that"
)]
pub trait DecimalNumber<Kind> {
    /// The priority, if there is a value.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a decimal from 0.0 to 1.0 (P-PRIO).
    fn priority(&self) -> Result<Option<Priority>>;
}

/// The kind of types with `Display`.
#[derive(Debug)]
pub struct Displayed;

/// The kind of a column that may be absent.
#[derive(Debug)]
pub struct Optional;

impl<T: Display + ?Sized> DecimalNumber<Displayed> for T {
    fn priority(&self) -> Result<Option<Priority>> {
        let mut text = StackText::<64>::new();
        match write!(text, "{self}") {
            Ok(()) => of_text(text.as_str()),
            Err(_) => of_text(&self.to_string()),
        }
        .map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Display> DecimalNumber<Optional> for Option<T> {
    fn priority(&self) -> Result<Option<Priority>> {
        self.as_ref()
            .map_or(Ok(None), DecimalNumber::<Displayed>::priority)
    }
}

/// A value that is parsed from a decimal, or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "a decimal cannot be read as `{Self}`",
    label = "does not implement `FromStr`",
    note = "`decimal` reads what is parsed from text, such as a `rust_decimal::Decimal`, or an `Option` of that"
)]
pub trait FromDecimal<Kind>: Sized {
    /// The value of a priority.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type rejects the text, or cannot be without a value and there is none.
    fn of_priority(priority: Option<Priority>) -> Result<Self>;
}

impl<T: FromStr<Err: Display>> FromDecimal<Displayed> for T {
    fn of_priority(priority: Option<Priority>) -> Result<Self> {
        let priority = priority.ok_or_else(|| absent("priority"))?;
        priority.to_string().parse().map_err(Error::custom)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromStr<Err: Display>> FromDecimal<Optional> for Option<T> {
    fn of_priority(priority: Option<Priority>) -> Result<Self> {
        priority
            .map(|priority| T::of_priority(Some(priority)))
            .transpose()
    }
}

fn of_text(text: &str) -> Result<Priority> {
    if let Some(priority) = Priority::parse(text) {
        return Ok(priority);
    }
    let number = text.parse::<f64>().ok().filter(|_| text.contains(['e', 'E']));
    match number.map(|number| number.to_priority()) {
        Some(Ok(Some(priority))) => Ok(priority),
        _ => Err(Priority::explain(text).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept() {
        for (text, priority) in [
            ("0.5", "0.5"),
            ("0.50", "0.50"),
            ("1", "1"),
            ("0.1234567890123456789", "0.1234567890123456789"),
            ("8.5E-1", "0.85"),
            ("1e-9", "0.0"),
            ("1E0", "1.0"),
        ] {
            assert_eq!(
                decimal::write(text).unwrap().unwrap().to_string(),
                priority,
                "{text}"
            );
        }
        let long = format!("0.{}1", "0".repeat(100));
        assert!(decimal::write(&long).unwrap().unwrap().get() < f32::EPSILON);
        for text in ["", "-0.5", "1.01", "2E0", "NaN", "inf", "1e400", "half"] {
            assert!(decimal::write(text).is_err(), "{text}");
        }
    }
}

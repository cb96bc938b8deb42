//! Return values of functions of a whole row: a value, or a `Result` of it.
//!
//! The derive calls a method on `&&Returned(&value)`, and the compiler takes the first method whose bounds hold: for
//! `&Returned` the method for `Result`s, for `Returned` the method for any value.

use sitemap_values::W3cDateTime;

use crate::entry::ToLastmod;
use crate::error::{Error, Result};

/// The function itself. It takes a reference to a field's value, or to the row.
#[inline]
pub fn by_reference<'a, T: ?Sized, R>(function: fn(&'a T) -> R) -> fn(&'a T) -> R {
    function
}

/// A type that a function of the row, or of a video's date, can return as a lastmod: any [`ToLastmod`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a lastmod",
    label = "no W3C Datetime can be made of what this function returns",
    note = "a date-time without a zone gets one in the function: chrono's `NaiveDateTime` by `.and_utc()`, time's `PrimitiveDateTime` by \
            `.assume_utc()`, jiff's `civil::DateTime` by `.to_zoned_datetime(TimeZone::UTC)?`",
    note = "seconds since 1970 are converted by `sitemap_serde::convert::unix_seconds::write`, milliseconds by `unix_millis::write`",
    note = "a lastmod is a `W3cDateTime`, a `SystemTime`, W3C text, or a date or zoned date-time of chrono, time or jiff (each a feature of \
            sitemap-serde); or an `Option`, or a `Result`, of one"
)]
pub trait ReturnedLastmod {
    /// The date and time, if there is one.
    fn returned_lastmod(&self) -> Result<Option<W3cDateTime>>;
}

#[diagnostic::do_not_recommend]
impl<T: ToLastmod + ?Sized> ReturnedLastmod for T {
    fn returned_lastmod(&self) -> Result<Option<W3cDateTime>> {
        self.to_lastmod()
    }
}

/// The return value of a function.
#[derive(Debug)]
pub struct Returned<'a, T: ?Sized>(pub &'a T);

/// A `Result`.
pub trait ReturnsResult<'a> {
    /// The type in the `Result`.
    type Value;

    /// The value, or the error.
    fn __returned(&self) -> Result<&'a Self::Value>;
}

impl<'a, T, E: std::fmt::Display> ReturnsResult<'a> for &Returned<'a, Result<T, E>> {
    type Value = T;

    fn __returned(&self) -> Result<&'a T> {
        self.0.as_ref().map_err(Error::custom)
    }
}

/// A value.
pub trait ReturnsValue<'a> {
    /// Its type.
    type Value: ?Sized;

    /// The value.
    fn __returned(&self) -> Result<&'a Self::Value>;
}

impl<'a, T: ?Sized> ReturnsValue<'a> for Returned<'a, T> {
    type Value = T;

    fn __returned(&self) -> Result<&'a T> {
        Ok(self.0)
    }
}

/// Adds the field to an error.
pub fn within<T>(value: Result<T>, name: &'static str) -> Result<T> {
    value.map_err(|error| error.within(name))
}

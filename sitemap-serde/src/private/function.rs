//! Return values of functions of a whole row: a value, or a `Result` of one.
//!
//! The derive calls a method on `&&Returned(&value)`, and the compiler takes the first method whose bounds hold: for
//! `&Returned` the one for `Result`s, for `Returned` the one for any value.

use crate::error::{Error, Result};

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

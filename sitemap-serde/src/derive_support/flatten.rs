//! The value of a flattened field, if it has one.
//!
//! The derive calls a method on `&&Flattened(&value)`, and the compiler takes the first method whose bounds hold: for
//! `&Flattened` the method for `Option`s, for `Flattened` the method for any value.

use sitemap_values::Rule;

use crate::entry::{EntryReader, Gives};
use crate::error::{Error, Message, Result};

/// A flattened field's value.
#[derive(Debug)]
pub struct Flattened<'a, T: ?Sized>(pub &'a T);

/// An `Option`.
pub trait InsideOption<'a> {
    /// The type in the `Option`.
    type Inner;

    /// The value in it.
    fn __inner(&self) -> Option<&'a Self::Inner>;
}

impl<'a, T> InsideOption<'a> for &Flattened<'a, Option<T>> {
    type Inner = T;

    fn __inner(&self) -> Option<&'a T> {
        self.0.as_ref()
    }
}

/// Any other value.
pub trait Itself<'a> {
    /// Its type.
    type Inner: ?Sized;

    /// The value.
    fn __inner(&self) -> Option<&'a Self::Inner>;
}

impl<'a, T: ?Sized> Itself<'a> for Flattened<'a, T> {
    type Inner = T;

    fn __inner(&self) -> Option<&'a T> {
        Some(self.0)
    }
}

/// The error for a template that names a value of a field that is `None`.
#[cold]
pub fn absent(field: &str, written: &str) -> Result<()> {
    Err(Error::data(
        Message::new(format!(
            "`{field}` is `None`, and the template needs its `{written}`"
        ))
        .advice(format!(
            "leave such entries out with `#[sitemap(exclude_if = Option::is_none)]` on the field; where the page exists without it, write \
             `{{{field}.{written}?}}`"
        )),
    )
    .breaks(Rule::Loc))
}

/// Returns `true` if an entry has any of these values.
pub fn has_any(entry: &EntryReader<'_>, values: Gives) -> bool {
    [
        (Gives::LASTMOD, crate::schema::LASTMOD),
        (Gives::CHANGEFREQ, crate::schema::CHANGEFREQ),
        (Gives::PRIORITY, crate::schema::PRIORITY),
        (Gives::IMAGE, crate::schema::IMAGE),
        (Gives::VIDEO, crate::schema::VIDEO),
        (Gives::NEWS, crate::schema::NEWS),
        (Gives::ALTERNATE, crate::schema::ALTERNATE),
    ]
    .into_iter()
    .any(|(value, name)| values.has(value) && entry.has(name))
}

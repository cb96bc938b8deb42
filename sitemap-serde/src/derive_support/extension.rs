//! Images, videos, news and alternates of a field.
//!
//! A field's type may implement [`ToElements`], or be a collection whose reference iterates over such types. Two blanket implementations
//! for this would overlap, so the code calls `(&&&field::<Image, _>(&value)).__elements(entry)`, and the compiler takes the first method whose
//! bounds hold: the trait for `&&Field`, the iteration for `&Field`, and for `Field` a method whose bound gives a readable error. The method's
//! name is unlikely to collide with the user's traits.
//!
//! **Images of any collection**. A field is either a type that implements `ToElements`, or a collection whose reference iterates over such
//! types; two blanket implementations would overlap. So the derive calls a method on `&&&field(&value)`: method lookup tries the trait
//! first, then iteration, and last an implementation that requires the trait, whose message the compiler shows if neither fits.

use std::marker::PhantomData;

use crate::entry::{EntryWriter, OfEntry, Several, ToElements};
use crate::error::Result;

/// A field's value, which is to be elements `E`.
#[derive(Debug)]
pub struct Field<'a, E, T: ?Sized>(&'a T, PhantomData<E>);

/// Makes a [`Field`].
pub fn field<E, T: ?Sized>(value: &T) -> Field<'_, E, T> {
    Field(value, PhantomData)
}

/// A collection of values of the trait.
struct Each<'a, T: ?Sized>(&'a T);

impl<'a, E, T: ?Sized> ToElements<E> for Each<'a, T>
where
    &'a T: IntoIterator<Item: ToElements<E>>,
{
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.0.into_iter().try_for_each(|item| item.write_elements(entry))
    }
}

/// A field whose type implements the trait.
pub trait Elements {
    /// Writes the field.
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

impl<E: OfEntry, T: ToElements<E> + ?Sized> Elements for &&Field<'_, E, T> {
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.elements::<E>(self.0)
    }
}

/// A field whose reference is iterable.
pub trait EachElement {
    /// Writes the field.
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

impl<'a, E: OfEntry + Several, T: ?Sized> EachElement for &Field<'a, E, T>
where
    &'a T: IntoIterator<Item: ToElements<E>>,
{
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.elements::<E>(Each(self.0))
    }
}

/// A field that cannot be such elements.
pub trait NoElements<E, T: ?Sized> {
    /// Never called: its bound is the compiler's error.
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToElements<E>;
}

impl<E: OfEntry, T: ?Sized> NoElements<E, T> for Field<'_, E, T> {
    fn __elements(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToElements<E>,
    {
        entry.elements::<E>(self.0)
    }
}

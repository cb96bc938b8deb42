//! Writing: the destinations of a struct's fields, a record or any serde format.

use super::element::{Element, Item};
use super::{Leaf, Name};

/// The attributes, children and text of an element, or the children of an entry, on their way out.
pub(crate) trait FieldSink {
    type Error;

    fn leaf<T: Leaf>(&mut self, name: Name, value: &T) -> Result<(), Self::Error>;

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<(), Self::Error>;

    /// At least one element, all with the same name.
    fn many<T: Item>(&mut self, name: Name, values: &[T]) -> Result<(), Self::Error>;

    fn flag(&mut self, name: Name) -> Result<(), Self::Error>;

    /// A field that has no value.
    fn absent(&mut self, name: Name) -> Result<(), Self::Error>;
}

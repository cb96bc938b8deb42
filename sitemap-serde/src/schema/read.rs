//! Sources of values for the tables' structs: a record, or any serde format.

use crate::error::{Defect, Error, Facts, Message};

use super::element::{Element, Item};
use super::{Leaf, Name, Shape, missing};

/// The elements with one name in a parent, or an attribute, or an element's own text.
///
/// An empty element, without text, attributes and children, counts as absent: it has no value.
pub(crate) trait FieldSource<'de>: Sized {
    type Error;

    /// Reads a text value.
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>, Self::Error>;

    /// Reads attributes, children and text into an element; returns whether there were any.
    fn fill<T: Element>(self, element: &mut T) -> Result<bool, Self::Error>;

    /// Reads all elements of the name; returns whether there were any.
    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool, Self::Error>;

    /// Returns `true` if the element is present.
    fn flag(self, name: Name) -> Result<bool, Self::Error>;

    /// Skips an element without a field in the type.
    fn skip(self) -> Result<(), Self::Error>;
}

/// The error for an element or entry without a required part.
#[cold]
pub(crate) fn lacks<T: Element>(part: Name) -> Error {
    let part = part.shown();
    let element = T::GROUP.element.map_or(T::SERDE_NAME, Name::shown);
    missing(element, part, T::GROUP.rule).within(part)
}

/// The error for a second element where only one is allowed.
#[cold]
pub(crate) fn second(name: Name, advice: &'static str) -> Error {
    let Some(row) = name.row() else {
        return Error::data("an element twice that stands once");
    };
    let finding = Facts::none().row(row).names([advice, ""]);
    let error = Error::found(finding, |found| {
        let [advice, _] = found.names;
        let (name, place) = (found.of().name, found.of().place());
        Message::new(format!("a second `{name}`: {place} has at most one")).advice(advice)
    });
    let error = error.with_defect(Defect::Excess);
    // A group's rule is about the number of elements; other rules are about the value.
    match row.rule.filter(|_| row.shape() == Shape::Group) {
        Some(rule) => error.breaks(rule),
        None => error,
    }
}

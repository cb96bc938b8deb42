//! Reading: where the values of a struct's fields come from, a record or any of serde's formats.

use crate::error::{Error, Finding, Words};

use super::element::{Element, Item};
use super::{Leaf, Name, Shape, missing};

/// The elements of one name in a parent, or an attribute, or an element's own text.
///
/// An element that says nothing, without text, attributes and children, is as good as none: it has no value.
pub(crate) trait Source<'de>: Sized {
    type Error;

    /// The value of a text.
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>, Self::Error>;

    /// Puts the values of attributes, children and text into an element; whether there were any.
    fn fill<T: Element>(self, element: &mut T) -> Result<bool, Self::Error>;

    /// The values of all elements of the name; whether there were any.
    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool, Self::Error>;

    /// Whether the element is there.
    fn flag(self, name: Name) -> Result<bool, Self::Error>;

    /// Passes over an element that the type has no field for.
    fn skip(self) -> Result<(), Self::Error>;
}

/// The error for an element, or an entry, in which a part is missing.
#[cold]
pub(crate) fn lacks<T: Element>(part: Name) -> Error {
    let part = part.shown();
    let element = T::GROUP.element.map_or(T::SERDE_NAME, Name::shown);
    missing(element, part, T::GROUP.rule).within(part)
}

/// The error for an element that stands a second time and may stand once.
#[cold]
pub(crate) fn second(name: Name, advice: &'static str) -> Error {
    let Some(row) = name.row() else {
        return Error::data("an element twice that stands once");
    };
    let finding = Finding::none().row(row).names([advice, ""]);
    let error = Error::found(finding, |found| {
        let [advice, _] = found.names;
        let (name, place) = (found.of().name, found.of().place());
        Words::new(format!("a second `{name}`: {place} has at most one")).advice(advice)
    });
    // Of a group the rule is about how many there are, else about the value.
    match row.rule.filter(|_| row.shape() == Shape::Group) {
        Some(rule) => error.breaks(rule),
        None => error,
    }
}

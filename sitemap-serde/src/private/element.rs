//! Elements of a namespace of the user's, typed by serde.

pub use serde::Serialize;
pub use serde::de::DeserializeOwned;

use crate::entry::{EntryReader, EntryWriter};
use crate::error::Result;

/// Writes a field's elements.
pub fn element<T: Serialize + ?Sized>(entry: &mut EntryWriter<'_>, name: &str, value: &T) -> Result<()> {
    entry.element(name, value)
}

/// A field's value, of the elements of a name.
pub fn element_of<T: DeserializeOwned>(entry: &EntryReader<'_>, name: &str) -> Result<T> {
    entry.element(name)
}

/// Whether an entry has an element of that name.
pub fn has_element(entry: &EntryReader<'_>, name: &str) -> bool {
    entry.has_named(name)
}

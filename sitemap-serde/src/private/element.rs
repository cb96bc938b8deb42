//! Elements of a user namespace, written and read through serde.

pub use serde_core::Serialize;
pub use serde_core::de::DeserializeOwned;

use crate::entry::{EntryReader, EntryWriter};
use crate::error::Result;

/// Writes a field as elements with this name.
pub fn element<T: Serialize + ?Sized>(entry: &mut EntryWriter<'_>, name: &str, value: &T) -> Result<()> {
    entry.element(name, value)
}

/// Reads a field from the elements with this name.
pub fn element_of<T: DeserializeOwned>(entry: &EntryReader<'_>, name: &str) -> Result<T> {
    entry.element(name)
}

/// Returns `true` if an entry has an element with this name.
pub fn has_element(entry: &EntryReader<'_>, name: &str) -> bool {
    entry.has_named(name)
}

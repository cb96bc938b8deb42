//! Elements of a user namespace, written and read through serde.

pub use serde_core::Serialize;
pub use serde_core::de::DeserializeOwned;

use crate::entry::{EntryReader, EntryWriter};
use crate::error::Result;

/// Makes the namespaces known that a type declares, before its elements are written.
pub fn namespaces(entry: &mut EntryWriter<'_>, of_type: &[(&str, &str)]) -> Result<()> {
    entry.know_namespaces(of_type)
}

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

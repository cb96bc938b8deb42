//! JSON values with their lines.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// The text of a file. Values are slices of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'t>(pub(super) &'t str);

impl<'t> Json<'t> {
    /// Parses the whole document.
    pub(super) fn document(self) -> serde_json::Result<&'t RawValue> {
        serde_json::from_str(self.0)
    }

    /// Returns the line of a value, from 1.
    pub(super) fn line(self, value: &RawValue) -> usize {
        let start = (value.get().as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        let before = self.0.as_bytes().get(..start).unwrap_or_default();
        memchr::memchr_iter(b'\n', before).count() + 1
    }
}

/// Returns the members of an object. Other values have none.
pub(super) fn members(value: &RawValue) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// Returns the items of a list. Other values have none.
pub(super) fn items(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// Parses the value. A validated text fails only if it is too deep.
pub(super) fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

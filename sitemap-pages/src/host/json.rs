//! JSON whose values know their lines.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// The text of a file, of which values are slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'t>(pub(super) &'t str);

impl<'t> Json<'t> {
    /// The whole document.
    pub(super) fn document(self) -> serde_json::Result<&'t RawValue> {
        serde_json::from_str(self.0)
    }

    /// The line of a value, from 1.
    pub(super) fn line(self, value: &RawValue) -> usize {
        let start = (value.get().as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        let before = self.0.as_bytes().get(..start).unwrap_or_default();
        memchr::memchr_iter(b'\n', before).count() + 1
    }
}

/// The members of an object; none of another value.
pub(super) fn members(value: &RawValue) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// The items of a list; none of another value.
pub(super) fn items(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// The value, parsed. A text that was validated fails only if it is too deep.
pub(super) fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

//! The key of a row.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The key of a row: one or more values that order the rows of a table.
///
/// Keys are compared for equality. Only integer keys are ordered ([`partial_cmp`](PartialOrd::partial_cmp)); the order of texts depends
/// on the collation of the database, which this crate does not know.
///
/// ```
/// use sitemap_site::Key;
///
/// assert!(Key::from(-1) < Key::from(2));
/// assert!(Key::from((1, 7)) < Key::from((2, 0)));
/// assert_eq!(Key::from("a").partial_cmp(&Key::from("b")), None);
/// assert_eq!(Key::from(("de", 7)).to_string(), "de,7");
/// assert_eq!(Key::from("a\nERROR ä").to_string(), "a\\nERROR ä"); // one line of a log
/// ```
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(Values);

/// A single value needs no allocation for the list.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
enum Values {
    One(KeyValue),
    Many(Vec<KeyValue>),
}

/// One value of a [`Key`].
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum KeyValue {
    /// An integer.
    #[serde(rename = "i")]
    Integer(i64),
    /// A text, or a UUID as text.
    #[serde(rename = "t")]
    Text(String),
    /// Bytes.
    #[serde(rename = "b")]
    Bytes(Vec<u8>),
}

impl Key {
    /// A key of several values, the most significant first. An empty list is the key of a table with a single row.
    pub fn composite(values: impl IntoIterator<Item = KeyValue>) -> Self {
        let mut values: Vec<KeyValue> = values.into_iter().collect();
        match (values.pop(), values.is_empty()) {
            (Some(only), true) => Key(Values::One(only)),
            (last, _) => {
                values.extend(last);
                Key(Values::Many(values))
            }
        }
    }

    /// Its values, the most significant first.
    pub fn values(&self) -> &[KeyValue] {
        match &self.0 {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        }
    }
}

/// A type that converts to the key of a written row: anything that converts to a [`Key`], or an `Option<Key>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a row",
    label = "not an integer of up to 64 bits with a sign, text, bytes, or a tuple of two or three of these",
    note = "the first argument is the key: `writer.write(product.id, &product)`, or `None` for a row without one",
    note = "of a `u64` or `usize`, make an `i64`, or its text if the database orders it so: `i64::try_from(id)?`; of a UUID, its text: \
            `id.to_string()`"
)]
pub trait RowKey: private::Sealed {
    /// The key, if there is one.
    fn into_key(self) -> Option<Key>;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Key>> RowKey for T {
    fn into_key(self) -> Option<Key> {
        Some(self.into())
    }
}

impl RowKey for Option<Key> {
    fn into_key(self) -> Option<Key> {
        self
    }
}

impl PartialOrd for KeyValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (KeyValue::Integer(a), KeyValue::Integer(b)) => Some(a.cmp(b)),
            _ => (self == other).then_some(Ordering::Equal),
        }
    }
}

/// Compares the first values that differ, if both are integers.
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.values().len() == other.values().len() {
            self.values().partial_cmp(other.values())
        } else {
            None
        }
    }
}

/// `clone_from` reuses the allocation, so that the last key of many rows can be kept without allocating.
impl Clone for Key {
    fn clone(&self) -> Self {
        Key(match &self.0 {
            Values::One(value) => Values::One(value.clone()),
            Values::Many(values) => Values::Many(values.clone()),
        })
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (Values::One(own), Values::One(other)) => own.clone_from(other),
            (Values::Many(own), Values::Many(other)) => own.clone_from(other),
            _ => *self = source.clone(),
        }
    }
}

impl Clone for KeyValue {
    fn clone(&self) -> Self {
        match self {
            KeyValue::Integer(value) => KeyValue::Integer(*value),
            KeyValue::Text(value) => KeyValue::Text(value.clone()),
            KeyValue::Bytes(value) => KeyValue::Bytes(value.clone()),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (KeyValue::Text(own), KeyValue::Text(other)) => own.clone_from(other),
            (KeyValue::Bytes(own), KeyValue::Bytes(other)) => own.clone_from(other),
            (own, other) => *own = other.clone(),
        }
    }
}

impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyValue::Integer(value) => value.fmt(f),
            // Messages go to logs, and texts may come from anybody: a line break in one would begin a line.
            KeyValue::Text(value) => {
                value.split_inclusive(char::is_control).try_for_each(|piece| {
                    match piece.chars().next_back().filter(|last| last.is_control()) {
                        Some(last) => {
                            f.write_str(piece.strip_suffix(last).unwrap_or_default())?;
                            last.escape_default().fmt(f)
                        }
                        None => f.write_str(piece),
                    }
                })
            }
            KeyValue::Bytes(value) => value.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// The values separated by commas, for messages; control characters are escaped.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, value) in self.values().iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            value.fmt(f)?;
        }
        Ok(())
    }
}

mod private {
    use super::Key;

    pub trait Sealed {}

    impl Sealed for Option<Key> {}

    impl<T: Into<Key>> Sealed for T {}
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for KeyValue {
            fn from(value: $integer) -> Self {
                KeyValue::Integer(i64::from(value))
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32);

impl From<String> for KeyValue {
    fn from(value: String) -> Self {
        KeyValue::Text(value)
    }
}

impl From<&str> for KeyValue {
    fn from(value: &str) -> Self {
        KeyValue::Text(value.to_owned())
    }
}

impl From<Vec<u8>> for KeyValue {
    fn from(value: Vec<u8>) -> Self {
        KeyValue::Bytes(value)
    }
}

impl<T: Into<KeyValue>> From<T> for Key {
    fn from(value: T) -> Self {
        Key(Values::One(value.into()))
    }
}

impl<A: Into<KeyValue>, B: Into<KeyValue>> From<(A, B)> for Key {
    fn from((a, b): (A, B)) -> Self {
        Key(Values::Many(vec![a.into(), b.into()]))
    }
}

impl<A: Into<KeyValue>, B: Into<KeyValue>, C: Into<KeyValue>> From<(A, B, C)> for Key {
    fn from((a, b, c): (A, B, C)) -> Self {
        Key(Values::Many(vec![a.into(), b.into(), c.into()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_printed_in_one_line() {
        let key = Key::from((7, "a\nb\u{85}", KeyValue::Bytes(vec![0, 0xAB])));
        assert_eq!(key.to_string(), "7,a\\nb\\u{85},00ab");
    }

    /// Whatever is overwritten.
    #[test]
    fn a_key_is_cloned_into_any_other() {
        let bytes = |bytes: &[u8]| KeyValue::Bytes(bytes.to_vec());
        let keys = [
            Key::from(1),
            Key::from("a"),
            Key::from(bytes(b"b")),
            Key::from(bytes(b"c")),
            Key::from((1, "a")),
            Key::from((2, bytes(b"d"))),
        ];
        for key in &keys {
            for other in &keys {
                let mut own = other.clone();
                own.clone_from(key);
                assert_eq!(&own, key);
            }
        }
    }
}

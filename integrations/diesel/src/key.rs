//! The types of key columns.

use diesel::sql_types;
use sitemap_site::KeyValue;

/// A SQL type whose values are keys.
#[diagnostic::on_unimplemented(
    message = "a column of the SQL type `{Self}` is no key",
    note = "a key is not null, and a SmallInt, Integer, BigInt, Text, Binary, or with the feature `uuid` a Uuid"
)]
pub trait KeyType {
    /// What Diesel loads.
    type Value;

    /// The value in an address; `None` for one that somebody made up.
    fn from_key(value: &KeyValue) -> Option<Self::Value>;

    /// The value for an address.
    fn into_key(value: Self::Value) -> KeyValue;
}

macro_rules! integers {
    ($($sql:ident => $rust:ty),*) => {$(
        impl KeyType for sql_types::$sql {
            type Value = $rust;

            fn from_key(value: &KeyValue) -> Option<$rust> {
                match value {
                    KeyValue::Integer(number) => <$rust>::try_from(*number).ok(),
                    _ => None,
                }
            }

            fn into_key(value: $rust) -> KeyValue {
                value.into()
            }
        }
    )*};
}
integers!(SmallInt => i16, Integer => i32, BigInt => i64);

impl KeyType for sql_types::Text {
    type Value = String;

    fn from_key(value: &KeyValue) -> Option<String> {
        match value {
            KeyValue::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn into_key(value: String) -> KeyValue {
        value.into()
    }
}

impl KeyType for sql_types::Binary {
    type Value = Vec<u8>;

    fn from_key(value: &KeyValue) -> Option<Vec<u8>> {
        match value {
            KeyValue::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }

    fn into_key(value: Vec<u8>) -> KeyValue {
        value.into()
    }
}

#[cfg(feature = "uuid")]
impl KeyType for sql_types::Uuid {
    type Value = uuid::Uuid;

    fn from_key(value: &KeyValue) -> Option<uuid::Uuid> {
        match value {
            KeyValue::Text(text) => uuid::Uuid::parse_str(text).ok(),
            _ => None,
        }
    }

    fn into_key(value: uuid::Uuid) -> KeyValue {
        value.to_string().into()
    }
}

//! The types of key columns.

use diesel::sql_types;
use sitemap_site::KeyValue;

/// An SQL type whose values can be keys.
#[diagnostic::on_unimplemented(
    message = "a column of the SQL type `{Self}` cannot be a key",
    note = "a key is not null, and a TinyInt, SmallInt, Integer, BigInt, Text, Binary, with the feature `uuid` a Uuid, or with the feature `mysql` \
            an Unsigned integer"
)]
pub trait KeyType {
    /// The Rust type that Diesel loads.
    type Value;

    /// The column's value from a value in an address; `None` if it has another type.
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
integers!(TinyInt => i8, SmallInt => i16, Integer => i32, BigInt => i64);

#[cfg(feature = "mysql")]
macro_rules! unsigned {
    ($($sql:ident => $rust:ty),*) => {$(
        impl KeyType for sql_types::Unsigned<sql_types::$sql> {
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
#[cfg(feature = "mysql")]
unsigned!(TinyInt => u8, SmallInt => u16, Integer => u32);

/// Numbers out of the range of an `i64` are texts of digits, which look the same in an address.
#[cfg(feature = "mysql")]
impl KeyType for sql_types::Unsigned<sql_types::BigInt> {
    type Value = u64;

    fn from_key(value: &KeyValue) -> Option<u64> {
        let number = match value {
            KeyValue::Integer(number) => return u64::try_from(*number).ok(),
            KeyValue::Text(digits) => digits.parse::<u64>().ok()?,
            _ => return None,
        };
        (Self::into_key(number) == *value).then_some(number)
    }

    fn into_key(value: u64) -> KeyValue {
        i64::try_from(value).map_or_else(|_| value.to_string().into(), KeyValue::from)
    }
}

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

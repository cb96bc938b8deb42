//! Keys of rows as values of the database, and back.

use sea_orm::prelude::Uuid;
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait};
use sea_orm::{ColumnTrait, QueryResult, Value};
use sitemap_site::source::{BoxError, WrongKey};
use sitemap_site::{Key, KeyValue};

/// The name of a key column of a result, from 0: no column has it.
pub(crate) fn name<C: ColumnTrait>(at: usize) -> String {
    let mut name = format!("sitemap_key_{at}");
    while C::iter().any(|column| column.as_str().eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    name
}

/// Converts a key from an address to values of its columns; an error if the types do not match.
///
/// PostgreSQL would compare `char(n)` and a text as texts, for which there is no index.
pub(crate) fn values<C: ColumnTrait>(
    columns: &[C],
    key: &Key,
    is_postgres: bool,
) -> Result<Vec<Expr>, BoxError> {
    if key.values().len() != columns.len() {
        return Err(WrongKey.into());
    }
    let pairs = columns.iter().zip(key.values());
    pairs
        .map(|(column, value)| {
            let value = Expr::value(self::value(*column, value)?);
            let is_padded = matches!(column.def().get_column_type(), ColumnType::Char(_));
            Ok(if is_postgres && is_padded {
                value.cast_as("bpchar")
            } else {
                value
            })
        })
        .collect()
}

fn value<C: ColumnTrait>(column: C, value: &KeyValue) -> Result<Value, BoxError> {
    use ColumnType::{
        BigInteger, BigUnsigned, Binary, Blob, Char, Integer, SmallInteger, SmallUnsigned, String, Text,
        TinyInteger, TinyUnsigned, Unsigned, VarBinary,
    };
    let definition = column.def();
    let kind = definition.get_column_type();
    let value = match (kind, value) {
        (TinyInteger, KeyValue::Integer(number)) => i8::try_from(*number).map(Value::from).ok(),
        (SmallInteger, KeyValue::Integer(number)) => i16::try_from(*number).map(Value::from).ok(),
        (Integer, KeyValue::Integer(number)) => i32::try_from(*number).map(Value::from).ok(),
        (BigInteger, KeyValue::Integer(number)) => Some(Value::from(*number)),
        (TinyUnsigned, KeyValue::Integer(number)) => u8::try_from(*number).map(Value::from).ok(),
        (SmallUnsigned, KeyValue::Integer(number)) => u16::try_from(*number).map(Value::from).ok(),
        (Unsigned, KeyValue::Integer(number)) => u32::try_from(*number).map(Value::from).ok(),
        (BigUnsigned, KeyValue::Integer(number)) => u64::try_from(*number).map(Value::from).ok(),
        (Char(_) | String(_) | Text, KeyValue::Text(text)) => Some(Value::from(text.clone())),
        (ColumnType::Uuid, KeyValue::Text(text)) => Uuid::parse_str(text).map(Value::from).ok(),
        (Binary(_) | VarBinary(_) | Blob, KeyValue::Bytes(bytes)) => Some(Value::from(bytes.clone())),
        _ if is_key(kind) => None,
        _ => return Err(no_key(column, kind)),
    };
    value.ok_or_else(|| WrongKey.into())
}

fn is_key(kind: &ColumnType) -> bool {
    use ColumnType::{
        BigInteger, BigUnsigned, Binary, Blob, Char, Integer, SmallInteger, SmallUnsigned, String, Text,
        TinyInteger, TinyUnsigned, Unsigned, VarBinary,
    };
    matches!(
        kind,
        TinyInteger
            | SmallInteger
            | Integer
            | BigInteger
            | TinyUnsigned
            | SmallUnsigned
            | Unsigned
            | BigUnsigned
            | Char(_)
            | String(_)
            | Text
            | ColumnType::Uuid
            | Binary(_)
            | VarBinary(_)
            | Blob
    )
}

fn no_key<C: ColumnTrait>(column: C, kind: &ColumnType) -> BoxError {
    let name = column.as_str();
    if matches!(kind, ColumnType::Enum { .. }) {
        return format!(
            "the key column `{name}` is an enum, whose values are ordered by their definition, and compared as texts; a key has integers, texts, \
             UUIDs or bytes"
        )
        .into();
    }
    format!("the key column `{name}` has the type {kind:?}; a key has integers, texts, UUIDs or bytes").into()
}

pub(crate) fn null(name: &str) -> BoxError {
    format!("the key column `{name}` is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other columns with `key`").into()
}

/// The key of a row.
pub(crate) fn of<C: ColumnTrait>(columns: &[C], row: &QueryResult) -> Result<Key, BoxError> {
    use ColumnType::{
        BigInteger, BigUnsigned, Binary, Blob, Char, Integer, SmallInteger, SmallUnsigned, String as Varying,
        Text, TinyInteger, TinyUnsigned, Unsigned, VarBinary,
    };
    let values = columns.iter().enumerate().map(|(at, column)| {
        let definition = column.def();
        let kind = definition.get_column_type();
        let name = name::<C>(at);
        let name = name.as_str();
        let value = match kind {
            TinyInteger => row.try_get_by::<Option<i8>, _>(name)?.map(KeyValue::from),
            SmallInteger => row.try_get_by::<Option<i16>, _>(name)?.map(KeyValue::from),
            Integer => row.try_get_by::<Option<i32>, _>(name)?.map(KeyValue::from),
            BigInteger => row.try_get_by::<Option<i64>, _>(name)?.map(KeyValue::from),
            TinyUnsigned => row.try_get_by::<Option<u8>, _>(name)?.map(KeyValue::from),
            SmallUnsigned => row.try_get_by::<Option<u16>, _>(name)?.map(KeyValue::from),
            Unsigned => row.try_get_by::<Option<u32>, _>(name)?.map(KeyValue::from),
            BigUnsigned => {
                let number = row.try_get_by::<Option<u64>, _>(name)?;
                let signed = number.map(|number| {
                    i64::try_from(number).map_err(|_| {
                        let column = column.as_str();
                        format!(
                            "the key column `{column}` has the value {number}, which is greater than {}",
                            i64::MAX
                        )
                    })
                });
                signed.transpose()?.map(KeyValue::from)
            }
            Char(_) | Varying(_) | Text => row.try_get_by::<Option<String>, _>(name)?.map(KeyValue::from),
            ColumnType::Uuid => row
                .try_get_by::<Option<Uuid>, _>(name)?
                .map(|uuid| KeyValue::from(uuid.to_string())),
            Binary(_) | VarBinary(_) | Blob => {
                row.try_get_by::<Option<Vec<u8>>, _>(name)?.map(KeyValue::from)
            }
            _ => return Err(no_key(*column, kind)),
        };
        value.ok_or_else(|| null(column.as_str()))
    });
    Ok(Key::composite(values.collect::<Result<Vec<_>, BoxError>>()?))
}

//! The columns of the rows' key.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryArray, FixedSizeBinaryArray, LargeBinaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use sitemap_site::KeyValue;

use crate::array::{self, Texts};
use crate::error::{BatchError, Result};

/// A column of the key.
#[derive(Debug)]
pub(crate) enum KeyColumn {
    Integers(Option<NullBuffer>, Vec<i128>),
    Texts(Texts),
    Bytes(Bytes),
}

#[derive(Debug)]
pub(crate) enum Bytes {
    Binary(BinaryArray),
    Large(LargeBinaryArray),
    Fixed(FixedSizeBinaryArray),
}

impl KeyColumn {
    pub(crate) fn of(array: &dyn Array, name: &str) -> Result<Self> {
        if let Some(integers) = array::integers(array) {
            return Ok(KeyColumn::Integers(array.nulls().cloned(), integers));
        }
        if let Some(texts) = Texts::of(array) {
            return Ok(KeyColumn::Texts(texts));
        }
        Ok(KeyColumn::Bytes(match array.data_type() {
            DataType::Binary => Bytes::Binary(array.as_binary().clone()),
            DataType::LargeBinary => Bytes::Large(array.as_binary().clone()),
            DataType::FixedSizeBinary(_) => Bytes::Fixed(array.as_fixed_size_binary().clone()),
            other => {
                return Err(BatchError::column(
                    name,
                    format!(
                        "it is of the type {other}, and a key has to be integers, text or bytes: cast it"
                    ),
                ));
            }
        }))
    }

    /// The value of a row, or the problem with it.
    pub(crate) fn get(&self, row: usize) -> Result<KeyValue, String> {
        let value = match self {
            KeyColumn::Integers(nulls, values) => {
                if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                    None
                } else {
                    let value = i64::try_from(values[row]);
                    let large = |_| {
                        format!(
                            "{} is too large for a key, which is at most 2^63 - 1: cast it to text",
                            values[row]
                        )
                    };
                    Some(KeyValue::Integer(value.map_err(large)?))
                }
            }
            KeyColumn::Texts(texts) => texts.get(row).map(|text| KeyValue::Text(text.to_owned())),
            KeyColumn::Bytes(Bytes::Binary(array)) => array
                .is_valid(row)
                .then(|| KeyValue::Bytes(array.value(row).to_vec())),
            KeyColumn::Bytes(Bytes::Large(array)) => array
                .is_valid(row)
                .then(|| KeyValue::Bytes(array.value(row).to_vec())),
            KeyColumn::Bytes(Bytes::Fixed(array)) => array
                .is_valid(row)
                .then(|| KeyValue::Bytes(array.value(row).to_vec())),
        };
        value.ok_or_else(|| "it is null, and is the key of the row: give each row a key".to_owned())
    }
}

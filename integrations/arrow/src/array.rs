//! Arrays of a batch from any source, in all types with the same meaning for an Arrow user.

use std::time::{Duration, SystemTime};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array,
    FixedSizeListArray, LargeListArray, LargeStringArray, ListArray, StringArray, StringViewArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, TimeUnit};
use sitemap_serde::{Precision, W3cDateTime};

use crate::error::{BatchError, Result};
use crate::model::{Card, ModelPart, ValueKind};

/// Texts of any of Arrow's string types.
#[derive(Debug)]
pub(crate) enum Texts {
    Utf8(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    Dictionary {
        nulls: Option<NullBuffer>,
        keys: Vec<usize>,
        values: Box<Texts>,
    },
}

/// Numbers, as the type has them.
#[derive(Debug)]
pub(crate) enum Numbers {
    Float(Vec<f64>),
    /// An `f64` would give 0.8 more digits.
    Float32(Vec<f32>),
    Integer(Vec<i128>),
    Decimal32(Decimal32Array),
    Decimal64(Decimal64Array),
    Decimal128(Decimal128Array),
    Decimal256(Decimal256Array),
}

/// A number in a row.
#[derive(Debug)]
pub(crate) enum Number {
    Float(f64),
    Float32(f32),
    Integer(i128),
    Decimal(String),
}

/// Times or days since 1970.
#[derive(Debug)]
pub(crate) struct Times {
    values: Vec<i64>,
    /// The number of units in a second; 0 if a unit is a day.
    per_second: i64,
}

/// The items of each row's list.
#[derive(Debug)]
pub(crate) enum Lists {
    List(ListArray),
    Large(LargeListArray),
    Fixed(FixedSizeListArray),
}

/// The values of a column that were found to be of the right type.
#[derive(Debug)]
pub(crate) enum Values {
    Text(Texts),
    Number(Option<NullBuffer>, Numbers),
    Time(Option<NullBuffer>, Times),
    Flag(BooleanArray),
    List {
        lists: Lists,
        items: Box<Values>,
        card: Card,
    },
    Struct {
        nulls: Option<NullBuffer>,
        fields: Vec<(&'static ModelPart, Values)>,
    },
}

impl Texts {
    /// `None` for an array of another type.
    pub(crate) fn of(array: &dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Texts::Utf8(array.as_string().clone()),
            DataType::LargeUtf8 => Texts::Large(array.as_string().clone()),
            DataType::Utf8View => Texts::View(array.as_string_view().clone()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary_opt()?;
                let values = dictionary.values();
                Texts::Dictionary {
                    nulls: dictionary.keys().nulls().cloned(),
                    // In a dictionary without values, all keys are null.
                    keys: if values.is_empty() {
                        Vec::new()
                    } else {
                        dictionary.normalized_keys()
                    },
                    values: Box::new(Texts::of(values)?),
                }
            }
            _ => return None,
        })
    }

    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Texts::Utf8(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::View(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::Dictionary { nulls, keys, values } => {
                if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                    return None;
                }
                values.get(*keys.get(row)?)
            }
        }
    }
}

/// The numbers of an array as another Rust type.
macro_rules! numbers {
    ($array:expr, $type:ty, $to:ty) => {
        $array
            .as_primitive::<$type>()
            .values()
            .iter()
            .map(|number| <$to>::from(*number))
            .collect()
    };
}

impl Numbers {
    pub(crate) fn of(array: &dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Float16 => {
                let values = array.as_primitive::<Float16Type>().values();
                Numbers::Float32(values.iter().map(|number| number.to_f32()).collect())
            }
            DataType::Float32 => Numbers::Float32(array.as_primitive::<Float32Type>().values().to_vec()),
            DataType::Float64 => Numbers::Float(array.as_primitive::<Float64Type>().values().to_vec()),
            DataType::Decimal32(..) => Numbers::Decimal32(array.as_primitive::<Decimal32Type>().clone()),
            DataType::Decimal64(..) => Numbers::Decimal64(array.as_primitive::<Decimal64Type>().clone()),
            DataType::Decimal128(..) => Numbers::Decimal128(array.as_primitive::<Decimal128Type>().clone()),
            DataType::Decimal256(..) => Numbers::Decimal256(array.as_primitive::<Decimal256Type>().clone()),
            _ => Numbers::Integer(integers(array)?),
        })
    }

    fn get(&self, row: usize) -> Number {
        match self {
            Numbers::Float(values) => Number::Float(values[row]),
            Numbers::Float32(values) => Number::Float32(values[row]),
            Numbers::Integer(values) => Number::Integer(values[row]),
            Numbers::Decimal32(array) => Number::Decimal(array.value_as_string(row)),
            Numbers::Decimal64(array) => Number::Decimal(array.value_as_string(row)),
            Numbers::Decimal128(array) => Number::Decimal(array.value_as_string(row)),
            Numbers::Decimal256(array) => Number::Decimal(array.value_as_string(row)),
        }
    }
}

/// Whole numbers of any type; `None` for an array of another type.
pub(crate) fn integers(array: &dyn Array) -> Option<Vec<i128>> {
    Some(match array.data_type() {
        DataType::Int8 => numbers!(array, Int8Type, i128),
        DataType::Int16 => numbers!(array, Int16Type, i128),
        DataType::Int32 => numbers!(array, Int32Type, i128),
        DataType::Int64 => numbers!(array, Int64Type, i128),
        DataType::UInt8 => numbers!(array, UInt8Type, i128),
        DataType::UInt16 => numbers!(array, UInt16Type, i128),
        DataType::UInt32 => numbers!(array, UInt32Type, i128),
        DataType::UInt64 => numbers!(array, UInt64Type, i128),
        _ => return None,
    })
}

impl Times {
    pub(crate) fn of(array: &dyn Array) -> Option<Self> {
        let (values, per_second) = match array.data_type() {
            DataType::Date32 => (numbers!(array, Date32Type, i64), 0),
            DataType::Date64 => {
                let values = array.as_primitive::<Date64Type>().values();
                (
                    values.iter().map(|value| value.div_euclid(86_400_000)).collect(),
                    0,
                )
            }
            // If there is a zone, a value is a time in UTC, and the zone is for display. Otherwise the time is also read as UTC.
            DataType::Timestamp(TimeUnit::Second, _) => (numbers!(array, TimestampSecondType, i64), 1),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                (numbers!(array, TimestampMillisecondType, i64), 1_000)
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                (numbers!(array, TimestampMicrosecondType, i64), 1_000_000)
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                (numbers!(array, TimestampNanosecondType, i64), 1_000_000_000)
            }
            _ => return None,
        };
        Some(Times { values, per_second })
    }

    /// The time of a row: in UTC, or a day.
    ///
    /// # Errors
    /// Before the year 0 and after the year 9999.
    fn get(&self, row: usize) -> sitemap_serde::Result<W3cDateTime> {
        let value = self.values[row];
        let (seconds, nanoseconds) = match self.per_second {
            0 => (value.saturating_mul(86_400), 0),
            per_second => (
                value.div_euclid(per_second),
                value.rem_euclid(per_second) * (1_000_000_000 / per_second),
            ),
        };
        let far = || sitemap_serde::Error::custom(format!("the time {value} is out of range"));
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let time = if seconds < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(whole)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(whole)
        };
        let time = time
            .and_then(|time| time.checked_add(Duration::from_nanos(u64::try_from(nanoseconds).ok()?)))
            .ok_or_else(far)?;
        let time = W3cDateTime::try_from(time)?;
        Ok(match self.per_second {
            0 => time.truncated_to(Precision::Day),
            _ => time,
        })
    }
}

impl Lists {
    fn of(array: &dyn Array) -> Option<(Self, ArrayRef)> {
        Some(match array.data_type() {
            DataType::List(_) => {
                let array = array.as_list::<i32>().clone();
                let items = ArrayRef::clone(array.values());
                (Lists::List(array), items)
            }
            DataType::LargeList(_) => {
                let array = array.as_list::<i64>().clone();
                let items = ArrayRef::clone(array.values());
                (Lists::Large(array), items)
            }
            DataType::FixedSizeList(..) => {
                let array = array.as_fixed_size_list().clone();
                let items = ArrayRef::clone(array.values());
                (Lists::Fixed(array), items)
            }
            _ => return None,
        })
    }

    /// The items of a row's list; none of a null.
    pub(crate) fn range(&self, row: usize) -> std::ops::Range<usize> {
        let (is_null, start, end) = match self {
            Lists::List(array) => {
                let offsets = array.value_offsets();
                let at = |i: usize| usize::try_from(offsets[i]).unwrap_or_default();
                (array.is_null(row), at(row), at(row + 1))
            }
            Lists::Large(array) => {
                let offsets = array.value_offsets();
                let at = |i: usize| usize::try_from(offsets[i]).unwrap_or_default();
                (array.is_null(row), at(row), at(row + 1))
            }
            Lists::Fixed(array) => {
                let size = usize::try_from(array.value_length()).unwrap_or_default();
                (array.is_null(row), row * size, (row + 1) * size)
            }
        };
        if is_null { 0..0 } else { start..end }
    }
}

/// The present part of a row's value.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Number(Number),
    Time(W3cDateTime),
    Flag(bool),
}

impl Values {
    /// Looks whether an array can be the values of a part, and how. `path` is the column's; if `takes_others`, fields of structs
    /// without a meaning are skipped.
    pub(crate) fn of(
        array: &dyn Array,
        part: &'static ModelPart,
        path: &str,
        takes_others: bool,
    ) -> Result<Self> {
        if part.card.is_list() {
            if let Some((lists, items)) = Lists::of(array) {
                return Ok(Values::List {
                    lists,
                    items: Box::new(Values::of_items(&items, part, path, takes_others)?),
                    card: part.card,
                });
            }
            // One value instead of a list of it.
            if part.card == Card::Many {
                return Err(wrong_type(
                    array,
                    path,
                    &format!("a list of {}", expected(part.kind)),
                ));
            }
        }
        Values::of_items(array, part, path, takes_others)
    }

    fn of_items(array: &dyn Array, part: &'static ModelPart, path: &str, takes_others: bool) -> Result<Self> {
        let nulls = || array.logical_nulls();
        let found = match part.kind {
            ValueKind::Text | ValueKind::Word(_) | ValueKind::ChangeFreq => {
                Texts::of(array).map(Values::Text)
            }
            ValueKind::Date => match Times::of(array) {
                Some(times) => Some(Values::Time(nulls(), times)),
                None => Texts::of(array).map(Values::Text),
            },
            ValueKind::Priority | ValueKind::Decimal => match Numbers::of(array) {
                Some(numbers) => Some(Values::Number(nulls(), numbers)),
                None => Texts::of(array).map(Values::Text),
            },
            ValueKind::Integer | ValueKind::Count => {
                integers(array).map(|integers| Values::Number(nulls(), Numbers::Integer(integers)))
            }
            ValueKind::YesNo | ValueKind::Flag => array.as_boolean_opt().cloned().map(Values::Flag),
            ValueKind::Group(parts) => return Values::of_group(array, parts, part, path, takes_others),
        };
        // A column of nulls may have no type.
        let found = found.or_else(|| {
            (array.data_type() == &DataType::Null)
                .then(|| Values::Text(Texts::Utf8(StringArray::new_null(array.len()))))
        });
        found.ok_or_else(|| wrong_type(array, path, expected(part.kind)))
    }

    fn of_group(
        array: &dyn Array,
        parts: &'static [ModelPart],
        part: &'static ModelPart,
        path: &str,
        takes_others: bool,
    ) -> Result<Self> {
        if let Some(structs) = array.as_struct_opt() {
            let mut fields = Vec::new();
            for (field, column) in structs.fields().iter().zip(structs.columns()) {
                let path = format!("{path}.{}", field.name());
                match ModelPart::named(parts, field.name()) {
                    Some(part) => fields.push((part, Values::of(column, part, &path, takes_others)?)),
                    None if takes_others => {}
                    None => return Err(unknown(&path, parts.iter().map(|part| part.name))),
                }
            }
            return Ok(Values::Struct {
                nulls: structs.nulls().cloned(),
                fields,
            });
        }
        // Only addresses, if nothing else is required.
        let others = parts
            .iter()
            .filter(|part| part.name != "loc" && part.card == Card::One);
        if let Some(loc) = ModelPart::named(parts, "loc").filter(|_| others.count() == 0)
            && let Some(texts) = Texts::of(array)
        {
            return Ok(Values::Struct {
                nulls: array.logical_nulls(),
                fields: vec![(loc, Values::Text(texts))],
            });
        }
        Err(wrong_type(array, path, expected(part.kind)))
    }

    /// Returns `true` if the row has no value, or an empty list.
    pub(crate) fn is_absent(&self, row: usize) -> bool {
        match self {
            Values::Text(texts) => texts.get(row).is_none(),
            Values::Number(nulls, _) | Values::Time(nulls, _) | Values::Struct { nulls, .. } => {
                nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
            }
            Values::Flag(flags) => flags.is_null(row),
            Values::List { lists, .. } => lists.range(row).is_empty(),
        }
    }

    /// The value of a row that is neither a list nor a struct.
    ///
    /// # Errors
    /// For a time that is out of range.
    pub(crate) fn get(&self, row: usize) -> sitemap_serde::Result<Option<Value<'_>>> {
        if self.is_absent(row) {
            return Ok(None);
        }
        Ok(match self {
            Values::Text(texts) => texts.get(row).map(Value::Text),
            Values::Number(_, numbers) => Some(Value::Number(numbers.get(row))),
            Values::Time(_, times) => Some(Value::Time(times.get(row)?)),
            Values::Flag(flags) => Some(Value::Flag(flags.value(row))),
            Values::List { .. } | Values::Struct { .. } => None,
        })
    }
}

/// The allowed types of a column of this kind, for messages.
fn expected(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text | ValueKind::Word(_) | ValueKind::ChangeFreq => {
            "text: Utf8, LargeUtf8, Utf8View, or a dictionary of one of them"
        }
        ValueKind::Date => "a date or time: text in the form of a W3C Datetime, Timestamp, Date32 or Date64",
        ValueKind::Priority | ValueKind::Decimal => "a number: a float, a decimal, an integer, or text",
        ValueKind::Integer | ValueKind::Count => "an integer",
        ValueKind::YesNo | ValueKind::Flag => "Boolean",
        ValueKind::Group(_) => "a struct",
    }
}

fn wrong_type(array: &dyn Array, path: &str, expected: &str) -> BatchError {
    BatchError::column(
        path,
        format!(
            "it is of the type {}, and has to be {expected}: cast it",
            array.data_type()
        ),
    )
}

/// The error for a column or field that means nothing here.
pub(crate) fn unknown(path: &str, known: impl Iterator<Item = &'static str>) -> BatchError {
    let known: Vec<_> = known.collect();
    BatchError::column(
        path,
        format!(
            "it means nothing in a sitemap, where there are {}: rename it, leave it out, or ignore other columns",
            known.join(", ")
        ),
    )
}

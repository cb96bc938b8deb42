//! From a library entry, by its serde names, into columns: for entries that are not plain.

use serde_json::Value;

use crate::column::Column;
use crate::model::{Card, ModelPart, ValueKind};

/// Appends the value of a part in row `row`; `None` if the column cannot hold it.
pub(crate) fn push(
    column: &mut Column,
    part: &'static ModelPart,
    value: Option<&Value>,
    row: usize,
) -> Option<()> {
    match (part.card, value) {
        (_, None | Some(Value::Null)) => {}
        (Card::Many, Some(Value::Array(values))) => {
            for value in values {
                push_value(column.items(), part.kind, value)?;
            }
        }
        (Card::Joined(separator), Some(Value::String(text))) => {
            for word in text.split(separator) {
                column.items().push_text(word)?;
            }
        }
        (_, Some(value)) => push_value(column.items(), part.kind, value)?,
    }
    column.complete(part, row)
}

fn push_value(column: &mut Column, kind: ValueKind, value: &Value) -> Option<()> {
    match kind {
        ValueKind::Text | ValueKind::Word(_) | ValueKind::Date | ValueKind::ChangeFreq => {
            column.push_text(value.as_str()?)
        }
        ValueKind::Decimal => column.push_float64(value.as_f64()?),
        ValueKind::Integer => column.push_integer(value.as_i64()?),
        ValueKind::Count => column.push_count(value.as_u64()?),
        ValueKind::YesNo | ValueKind::Flag => column.push_flag(value.as_bool()?),
        ValueKind::Priority => None,
        ValueKind::Group(_) => {
            let Column::Structs(structs) = column else {
                return None;
            };
            let row = structs.len();
            let Value::Object(values) = value else { return None };
            let (parts, columns) = structs.begin();
            for (part, column) in parts.iter().zip(columns) {
                push(column, part, values.get(part.serde), row)?;
            }
            structs.end();
            Some(())
        }
    }
}

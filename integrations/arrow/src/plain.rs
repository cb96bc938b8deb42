//! From a record straight into columns.
//!
//! Handles only plain records: each part occurs at most once, is not empty, and has the spelling that the library writes. Otherwise, it
//! returns `None`, and `Reader::entries` reads the entry, because it handles all cases. So this module repeats no rule of the format.

use sitemap_serde::iter::Field;

use crate::column::{Column, Structs};
use crate::model::{Card, ModelPart, ValueKind};

/// Appends an element or attribute as a value of row `row`.
#[inline]
pub(crate) fn push(
    column: &mut Column,
    part: &'static ModelPart,
    field: &Field<'_>,
    row: usize,
) -> Option<()> {
    match part.card {
        Card::Many => push_value(column.items(), part, field),
        Card::ListOfOne => {
            if column.has_items() {
                return None;
            }
            push_value(column.items(), part, field)
        }
        Card::Joined(_) => {
            if column.has_items() {
                return None;
            }
            let text = field.text();
            let is_one = !text.bytes().any(|b| b == b',' || b.is_ascii_whitespace());
            if is_one {
                push_value(column.items(), part, field)
            } else {
                None
            }
        }
        Card::One | Card::Maybe if column.len() > row => None,
        Card::Maybe if !matches!(part.kind, ValueKind::Group(_)) && field.text().is_empty() => {
            column.push_blank(part);
            Some(())
        }
        Card::One | Card::Maybe => push_value(column, part, field),
    }
}

/// Appends one value, which is not empty.
#[inline]
fn push_value(column: &mut Column, part: &'static ModelPart, field: &Field<'_>) -> Option<()> {
    let text = field.text();
    match part.kind {
        ValueKind::Group(_) => {
            let Column::Structs(structs) = column else {
                return None;
            };
            return push_element(structs, field);
        }
        ValueKind::Flag => return column.push_flag(true),
        _ if text.is_empty() => return None,
        _ => field.check().ok()?,
    }
    match part.kind {
        ValueKind::Text | ValueKind::Date => column.push_text(text),
        ValueKind::Word(is_kept) if is_kept(text) => column.push_text(text),
        ValueKind::Decimal => column.push_float64(text.parse().ok()?),
        ValueKind::Integer => column.push_integer(text.parse().ok()?),
        ValueKind::Count => column.push_count(text.parse().ok()?),
        ValueKind::YesNo => match text {
            "yes" => column.push_flag(true),
            "no" => column.push_flag(false),
            _ => None,
        },
        ValueKind::Word(_)
        | ValueKind::ChangeFreq
        | ValueKind::Priority
        | ValueKind::Flag
        | ValueKind::Group(_) => None,
    }
}

fn push_element(structs: &mut Structs, element: &Field<'_>) -> Option<()> {
    let row = structs.len();
    let (parts, columns) = structs.begin();
    let mut is_empty = true;
    let mut expected = 0;
    for field in element.fields() {
        let Some(i) = find(parts, field.name(), expected) else {
            continue;
        };
        push(&mut columns[i], &parts[i], &field, row)?;
        is_empty = false;
        expected = i + 1;
    }
    if let Some(i) = parts.iter().position(|part| part.serde == "$text")
        && !element.text().is_empty()
    {
        push(&mut columns[i], &parts[i], element, row)?;
        is_empty = false;
    }
    if is_empty {
        return None;
    }
    for (part, column) in parts.iter().zip(columns) {
        column.complete(part, row)?;
    }
    structs.end();
    Some(())
}

/// The index of the part with this name in serde; most likely `expected` or one after it, since elements usually come in the order of the
/// schema.
#[inline]
fn find(parts: &[ModelPart], name: &str, expected: usize) -> Option<usize> {
    let from = parts.get(expected..)?;
    match from.iter().position(|part| part.serde == name) {
        Some(i) => Some(expected + i),
        None => parts.iter().position(|part| part.serde == name),
    }
}

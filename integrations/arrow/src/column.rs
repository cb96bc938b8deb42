//! Columns while they are built: they can be truncated to an earlier row, so that an entry is in all of them or in none.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field};

use crate::model::{self, Card, ModelPart, ValueKind};

/// Texts, each appended to the last.
#[derive(Debug)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

/// Numbers of a type of Arrow.
#[derive(Debug)]
pub(crate) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

#[derive(Debug)]
pub(crate) struct Flags {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

/// A list in each row.
#[derive(Debug)]
pub(crate) struct Lists {
    items: Column,
    offsets: Vec<i32>,
}

/// A struct in each row.
#[derive(Debug)]
pub(crate) struct Structs {
    parts: &'static [ModelPart],
    columns: Vec<Column>,
    nulls: NullBufferBuilder,
    /// The number of last rows that are null and not in the columns yet: most entries have no such struct.
    pending: usize,
}

/// A column of any of these types.
#[derive(Debug)]
pub(crate) enum Column {
    /// Unrequested values are counted, not kept.
    Unwanted(usize),
    Text(Text),
    Float32(Numbers<Float32Type>),
    Float64(Numbers<Float64Type>),
    Integers(Numbers<Int64Type>),
    Counts(Numbers<UInt64Type>),
    Flags(Flags),
    Lists(Box<Lists>),
    Structs(Box<Structs>),
}

/// A length as an offset of Arrow; `None` above 2³¹ - 1.
fn offset(length: usize) -> Option<i32> {
    i32::try_from(length).ok()
}

/// An offset as a length. None is negative.
fn length(offset: i32) -> usize {
    usize::try_from(offset).unwrap_or_default()
}

impl Text {
    pub(crate) fn new() -> Self {
        Text {
            bytes: Vec::new(),
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Appends a text. `None`, and nothing is appended, if the column cannot hold it.
    #[inline]
    pub(crate) fn push(&mut self, text: &str) -> Option<()> {
        let end = offset(self.bytes.len() + text.len())?;
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(end);
        self.nulls.append_non_null();
        Some(())
    }

    pub(crate) fn push_null(&mut self) {
        self.offsets
            .push(self.offsets.last().copied().unwrap_or_default());
        self.nulls.append_null();
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.offsets.truncate(len + 1);
        self.bytes
            .truncate(length(self.offsets.last().copied().unwrap_or_default()));
        self.nulls.truncate(len);
    }

    pub(crate) fn finish(&mut self) -> Result<StringArray, ArrowError> {
        // A little more than this batch, so that the next one is not moved while it grows.
        let bytes = Vec::with_capacity(self.bytes.len() + self.bytes.len() / 8);
        let mut offsets = Vec::with_capacity(self.offsets.len());
        offsets.push(0);
        let bytes = Buffer::from_vec(std::mem::replace(&mut self.bytes, bytes));
        let offsets = ScalarBuffer::from(std::mem::replace(&mut self.offsets, offsets));
        StringArray::try_new(OffsetBuffer::new(offsets), bytes, self.nulls.finish())
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    pub(crate) fn new() -> Self {
        Numbers {
            values: Vec::new(),
            nulls: NullBufferBuilder::new(0),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, value: Option<T::Native>) {
        match value {
            Some(value) => {
                self.nulls.append_non_null();
                self.values.push(value);
            }
            None => {
                self.nulls.append_null();
                self.values.push(T::Native::default());
            }
        }
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
        self.nulls.truncate(len);
    }

    pub(crate) fn finish(&mut self) -> Result<PrimitiveArray<T>, ArrowError> {
        let values = Vec::with_capacity(self.values.len());
        let values = ScalarBuffer::from(std::mem::replace(&mut self.values, values));
        PrimitiveArray::try_new(values, self.nulls.finish())
    }
}

impl Flags {
    fn new() -> Self {
        Flags {
            values: BooleanBufferBuilder::new(0),
            nulls: NullBufferBuilder::new(0),
        }
    }

    fn push(&mut self, value: Option<bool>) {
        self.nulls.append(value.is_some());
        self.values.append(value.unwrap_or_default());
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
        self.nulls.truncate(len);
    }

    fn finish(&mut self) -> BooleanArray {
        BooleanArray::new(self.values.finish(), self.nulls.finish())
    }
}

impl Lists {
    /// Ends a row's list after the items that were appended.
    fn end(&mut self) -> Option<()> {
        self.offsets.push(offset(self.items.len())?);
        Some(())
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn truncate(&mut self, len: usize) {
        self.offsets.truncate(len + 1);
        self.items
            .truncate(length(self.offsets.last().copied().unwrap_or_default()));
    }

    fn finish(&mut self, kind: ValueKind) -> Result<ListArray, ArrowError> {
        let mut offsets = Vec::with_capacity(self.offsets.len());
        offsets.push(0);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut self.offsets, offsets)));
        let field = Field::new("item", kind.data_type(), false);
        ListArray::try_new(Arc::new(field), offsets, self.items.finish_items(kind)?, None)
    }
}

impl Structs {
    fn new(parts: &'static [ModelPart], wanted: bool) -> Self {
        Structs {
            parts,
            columns: parts.iter().map(|part| Column::new(part, wanted)).collect(),
            nulls: NullBufferBuilder::new(0),
            pending: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nulls.len()
    }

    /// The parts and their columns, for the next row.
    pub(crate) fn begin(&mut self) -> (&'static [ModelPart], &mut [Column]) {
        for _ in 0..std::mem::take(&mut self.pending) {
            for (part, column) in self.parts.iter().zip(&mut self.columns) {
                column.push_blank(part);
            }
        }
        (self.parts, &mut self.columns)
    }

    /// Ends a struct after all its columns have a value.
    pub(crate) fn end(&mut self) {
        self.nulls.append_non_null();
    }

    fn push_null(&mut self) {
        self.pending += 1;
        self.nulls.append_null();
    }

    fn truncate(&mut self, len: usize) {
        let in_columns = self.nulls.len() - self.pending;
        for column in &mut self.columns {
            column.truncate(len.min(in_columns));
        }
        self.pending = self.pending.min(len.saturating_sub(in_columns));
        self.nulls.truncate(len);
    }

    fn finish(&mut self) -> Result<StructArray, ArrowError> {
        self.begin();
        let parts = self.parts.iter().zip(&mut self.columns);
        let columns = parts
            .map(|(part, column)| column.finish(part))
            .collect::<Result<Vec<_>, _>>()?;
        StructArray::try_new(model::fields(self.parts), columns, self.nulls.finish())
    }
}

impl Column {
    pub(crate) fn new(part: &'static ModelPart, wanted: bool) -> Self {
        let items = Column::of_items(part.kind, wanted);
        if part.card.is_list() {
            Column::Lists(Box::new(Lists {
                items,
                offsets: vec![0],
            }))
        } else {
            items
        }
    }

    fn of_items(kind: ValueKind, wanted: bool) -> Self {
        match kind {
            ValueKind::Group(parts) => Column::Structs(Box::new(Structs::new(parts, wanted))),
            _ if !wanted => Column::Unwanted(0),
            ValueKind::Text | ValueKind::Word(_) | ValueKind::Date | ValueKind::ChangeFreq => {
                Column::Text(Text::new())
            }
            ValueKind::Priority => Column::Float32(Numbers::new()),
            ValueKind::Decimal => Column::Float64(Numbers::new()),
            ValueKind::Integer => Column::Integers(Numbers::new()),
            ValueKind::Count => Column::Counts(Numbers::new()),
            ValueKind::YesNo | ValueKind::Flag => Column::Flags(Flags::new()),
        }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Column::Unwanted(len) => *len,
            Column::Text(text) => text.len(),
            Column::Float32(numbers) => numbers.values.len(),
            Column::Float64(numbers) => numbers.values.len(),
            Column::Integers(numbers) => numbers.values.len(),
            Column::Counts(numbers) => numbers.values.len(),
            Column::Flags(flags) => flags.values.len(),
            Column::Lists(lists) => lists.len(),
            Column::Structs(structs) => structs.len(),
        }
    }

    /// Cuts the column back to its first rows, and an unfinished list or struct with it.
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Column::Unwanted(count) => *count = (*count).min(len),
            Column::Text(text) => text.truncate(len),
            Column::Float32(numbers) => numbers.truncate(len),
            Column::Float64(numbers) => numbers.truncate(len),
            Column::Integers(numbers) => numbers.truncate(len),
            Column::Counts(numbers) => numbers.truncate(len),
            Column::Flags(flags) => flags.truncate(len),
            Column::Lists(lists) => lists.truncate(len),
            Column::Structs(structs) => structs.truncate(len),
        }
    }

    #[inline]
    pub(crate) fn push_text(&mut self, text: &str) -> Option<()> {
        match self {
            Column::Text(column) => column.push(text),
            other => other.push_unwanted(),
        }
    }

    pub(crate) fn push_float32(&mut self, value: Option<f32>) -> Option<()> {
        match self {
            Column::Float32(numbers) => numbers.push(value),
            other => return other.push_unwanted(),
        }
        Some(())
    }

    pub(crate) fn push_float64(&mut self, value: f64) -> Option<()> {
        match self {
            Column::Float64(numbers) => numbers.push(Some(value)),
            other => return other.push_unwanted(),
        }
        Some(())
    }

    pub(crate) fn push_integer(&mut self, value: i64) -> Option<()> {
        match self {
            Column::Integers(numbers) => numbers.push(Some(value)),
            other => return other.push_unwanted(),
        }
        Some(())
    }

    pub(crate) fn push_count(&mut self, value: u64) -> Option<()> {
        match self {
            Column::Counts(numbers) => numbers.push(Some(value)),
            other => return other.push_unwanted(),
        }
        Some(())
    }

    pub(crate) fn push_flag(&mut self, value: bool) -> Option<()> {
        match self {
            Column::Flags(flags) => flags.push(Some(value)),
            other => return other.push_unwanted(),
        }
        Some(())
    }

    /// Counts a value of an unwanted column. `None` if the column is of another type.
    fn push_unwanted(&mut self) -> Option<()> {
        match self {
            Column::Unwanted(len) => {
                *len += 1;
                Some(())
            }
            _ => None,
        }
    }

    /// The column of the items of a list; of any other column itself.
    pub(crate) fn items(&mut self) -> &mut Column {
        match self {
            Column::Lists(lists) => &mut lists.items,
            other => other,
        }
    }

    /// Returns `true` if the open list has items.
    pub(crate) fn has_items(&self) -> bool {
        match self {
            Column::Lists(lists) => {
                lists.items.len() > length(lists.offsets.last().copied().unwrap_or_default())
            }
            _ => false,
        }
    }

    /// Ends the row's list, or makes an absent value of an optional part null. `None` if the part is required.
    #[inline]
    pub(crate) fn complete(&mut self, part: &ModelPart, row: usize) -> Option<()> {
        if let Column::Lists(lists) = self {
            return lists.end();
        }
        if self.len() > row {
            return Some(());
        }
        match (part.card, part.kind) {
            (_, ValueKind::Flag) => self.push_flag(false),
            (Card::Maybe, _) => {
                self.push_blank(part);
                Some(())
            }
            _ => None,
        }
    }

    /// Appends an absent value: null, or an empty value if null is not allowed (within a struct that is null).
    #[inline]
    pub(crate) fn push_blank(&mut self, part: &ModelPart) {
        let is_null = part.card == Card::Maybe;
        match self {
            Column::Unwanted(len) => *len += 1,
            Column::Text(text) if is_null => text.push_null(),
            Column::Text(text) => {
                let end = text.offsets.last().copied().unwrap_or_default();
                text.offsets.push(end);
                text.nulls.append_non_null();
            }
            Column::Float32(numbers) => numbers.push((!is_null).then_some(0.0)),
            Column::Float64(numbers) => numbers.push((!is_null).then_some(0.0)),
            Column::Integers(numbers) => numbers.push((!is_null).then_some(0)),
            Column::Counts(numbers) => numbers.push((!is_null).then_some(0)),
            Column::Flags(flags) => flags.push((!is_null).then_some(false)),
            Column::Lists(lists) => lists
                .offsets
                .push(lists.offsets.last().copied().unwrap_or_default()),
            Column::Structs(structs) if is_null => structs.push_null(),
            Column::Structs(structs) => {
                let (parts, columns) = structs.begin();
                for (part, column) in parts.iter().zip(columns) {
                    column.push_blank(part);
                }
                structs.end();
            }
        }
    }

    /// The column as an array; it is empty afterwards.
    pub(crate) fn finish(&mut self, part: &ModelPart) -> Result<ArrayRef, ArrowError> {
        match self {
            Column::Lists(lists) => Ok(Arc::new(lists.finish(part.kind)?)),
            items => items.finish_items(part.kind),
        }
    }

    fn finish_items(&mut self, kind: ValueKind) -> Result<ArrayRef, ArrowError> {
        let array: ArrayRef = match self {
            Column::Unwanted(_) => {
                return Err(ArrowError::SchemaError(format!("an unwanted column of {kind:?}")));
            }
            Column::Text(text) => Arc::new(text.finish()?),
            Column::Float32(numbers) => Arc::new(numbers.finish()?),
            Column::Float64(numbers) => Arc::new(numbers.finish()?),
            Column::Integers(numbers) => Arc::new(numbers.finish()?),
            Column::Counts(numbers) => Arc::new(numbers.finish()?),
            Column::Flags(flags) => Arc::new(flags.finish()),
            Column::Structs(structs) => Arc::new(structs.finish()?),
            Column::Lists(lists) => Arc::new(lists.finish(kind)?),
        };
        debug_assert_eq!(array.data_type(), &kind.data_type());
        Ok(array)
    }

    /// Drops all rows.
    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }
}

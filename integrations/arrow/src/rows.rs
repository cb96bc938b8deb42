//! The rows of a batch while it is built.

use std::sync::Arc;

use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};
use sitemap_serde::{ChangeFreq, Priority, Record, UrlEntry, W3cDateTime};

use crate::column::{Column, Numbers, Text};
use crate::model::{Card, ENTRY, LASTMOD_AT, ModelPart, ORIGIN, ValueKind};
use crate::{plain, value};

/// The size of a row in a batch without its texts: offsets, numbers and the bits of nulls.
const ROW: usize = 128;

/// The columns to build, in order.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) schema: SchemaRef,
    /// Indexes in the whole schema.
    pub(crate) columns: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Rows {
    projection: Projection,
    parts: Vec<Column>,
    lastmod_at: Option<Numbers<TimestampMicrosecondType>>,
    source: Option<Text>,
    entry: Option<Numbers<Int64Type>>,
    byte: Option<Numbers<Int64Type>>,
    len: usize,
    bytes: usize,
}

/// A number of the document as the column has it.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Microseconds since 1970 in UTC. A value without a time means its beginning in UTC.
fn microseconds(lastmod: W3cDateTime) -> i64 {
    // Years have four digits, so nothing overflows.
    let (seconds, nanoseconds) = lastmod.unix_time();
    seconds * 1_000_000 + i64::from(nanoseconds / 1000)
}

impl Rows {
    pub(crate) fn new(projection: Projection) -> Self {
        let schema = &projection.schema;
        let is_wanted = |name: &str| schema.field_with_name(name).is_ok();
        let part = |part: &'static ModelPart| Column::new(part, is_wanted(part.name));
        let [source, entry, byte] = ORIGIN.map(is_wanted);
        Rows {
            parts: ENTRY.iter().map(part).collect(),
            lastmod_at: is_wanted(LASTMOD_AT).then(Numbers::new),
            source: source.then(Text::new),
            entry: entry.then(Numbers::new),
            byte: byte.then(Numbers::new),
            len: 0,
            bytes: 0,
            projection,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The approximate size of the batch in bytes, and at least the size of its texts.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends an entry that is plain. `None`, and nothing is appended, if it is not.
    pub(crate) fn push_record(&mut self, source: &str, record: &Record) -> Option<()> {
        let pushed = self.push_plain(source, record);
        if pushed.is_none() {
            self.cut();
        }
        pushed
    }

    /// Appends an entry. `None`, and nothing is appended, if a column cannot hold it.
    pub(crate) fn push_entry(&mut self, source: &str, record: &Record, entry: &UrlEntry) -> Option<()> {
        let pushed = self.push_any(source, record, entry);
        if pushed.is_none() {
            self.cut();
        }
        pushed
    }

    #[inline]
    fn push_plain(&mut self, source: &str, record: &Record) -> Option<()> {
        let row = self.len;
        let mut lastmod = None;
        // A bit for each part that the entry has.
        let mut seen = 0_u16;
        // Elements usually come in the order of the schema.
        let mut expected = 0;
        for field in record.fields() {
            let name = field.name();
            let found = match ENTRY.get(expected) {
                Some(part) if part.serde == name => Some(expected),
                _ => ENTRY.iter().position(|part| part.serde == name),
            };
            let Some(i) = found else { continue };
            let (part, column) = (&ENTRY[i], &mut self.parts[i]);
            expected = if part.card == Card::Many { i } else { i + 1 };
            seen |= 1 << i;
            let text = field.text();
            match part.kind {
                ValueKind::Date | ValueKind::Priority | ValueKind::ChangeFreq if column.len() > row => {
                    return None;
                }
                ValueKind::Date if !text.is_empty() => {
                    lastmod = Some(text.parse::<W3cDateTime>().ok()?);
                    column.push_text(text)?;
                }
                ValueKind::ChangeFreq if !text.is_empty() => {
                    column.push_text(text.parse::<ChangeFreq>().ok()?.as_str())?;
                }
                ValueKind::Priority if !text.is_empty() => {
                    column.push_float32(Some(text.parse::<Priority>().ok()?.get()))?;
                }
                _ => plain::push(column, part, &field, row)?,
            }
        }
        for (i, (part, column)) in ENTRY.iter().zip(&mut self.parts).enumerate() {
            if seen & (1 << i) != 0 {
                column.complete(part, row)?;
            } else if matches!((part.card, part.kind), (Card::One, kind) if !matches!(kind, ValueKind::Flag))
            {
                return None;
            } else {
                column.push_blank(part);
            }
        }
        self.end(source, record, lastmod)
    }

    fn push_any(&mut self, source: &str, record: &Record, entry: &UrlEntry) -> Option<()> {
        let row = self.len;
        let values = serde_json::to_value(entry).ok()?;
        for (part, column) in ENTRY.iter().zip(&mut self.parts) {
            match part.kind {
                ValueKind::Priority => column.push_float32(entry.priority.map(Priority::get))?,
                _ => value::push(column, part, values.get(part.serde), row)?,
            }
        }
        self.end(source, record, entry.lastmod)
    }

    /// Appends what every row has, and ends it.
    fn end(&mut self, source: &str, record: &Record, lastmod: Option<W3cDateTime>) -> Option<()> {
        if let Some(column) = &mut self.lastmod_at {
            column.push(lastmod.map(microseconds));
        }
        if let Some(column) = &mut self.source {
            column.push(source)?;
            self.bytes += source.len();
        }
        if let Some(column) = &mut self.entry {
            column.push(Some(number(record.number())));
        }
        if let Some(column) = &mut self.byte {
            column.push(Some(number(record.byte_range().start)));
        }
        self.len += 1;
        self.bytes += record.source().len() + ROW;
        Some(())
    }

    /// Takes back an unfinished row.
    #[cold]
    fn cut(&mut self) {
        for column in &mut self.parts {
            column.truncate(self.len);
        }
        if let Some(column) = &mut self.lastmod_at {
            column.truncate(self.len);
        }
        if let Some(column) = &mut self.source {
            column.truncate(self.len);
        }
        for column in [&mut self.entry, &mut self.byte].into_iter().flatten() {
            column.truncate(self.len);
        }
    }

    /// The rows as a batch; none are left.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let all = crate::schema();
        let indexes = self.projection.columns.clone();
        let arrays = indexes
            .iter()
            .map(|index| self.finish_column(all.field(*index).name()))
            .collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(self.len));
        for column in &mut self.parts {
            column.clear();
        }
        (self.len, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(Arc::clone(&self.projection.schema), arrays, &options)
    }

    fn finish_column(&mut self, name: &str) -> Result<ArrayRef, ArrowError> {
        if let Some(i) = ENTRY.iter().position(|part| part.name == name) {
            return self.parts[i].finish(&ENTRY[i]);
        }
        let [source, entry, _] = ORIGIN;
        let column: Option<ArrayRef> = if name == LASTMOD_AT {
            match &mut self.lastmod_at {
                Some(column) => Some(Arc::new(column.finish()?.with_timezone("UTC"))),
                None => None,
            }
        } else if name == source {
            match &mut self.source {
                Some(column) => Some(Arc::new(column.finish()?)),
                None => None,
            }
        } else {
            let column = if name == entry {
                &mut self.entry
            } else {
                &mut self.byte
            };
            match column {
                Some(column) => Some(Arc::new(column.finish()?)),
                None => None,
            }
        };
        column.ok_or_else(|| ArrowError::SchemaError(format!("the column `{name}` is not built")))
    }
}
